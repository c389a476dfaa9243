// SPDX-License-Identifier: MIT
// planner.c - see planner.h.
#include "planner.h"

static uint32_t numbers(const tac_plan *plan)
{
    return (uint32_t)plan->knots * plan->channels;
}

static int same_shape(const tac_plan *a, const tac_plan *b)
{
    return a->channel == b->channel && a->channels == b->channels && a->knots == b->knots && a->form == b->form &&
           !(a->spacing < b->spacing) && !(a->spacing > b->spacing);
}

// What changes from plan to plan: the numbers, and the time of the first knot.
static void copy_numbers(tac_plan *to, const tac_plan *from)
{
    to->start = from->start;
    for (uint32_t i = 0; i < numbers(from); i++) to->value[i] = from->value[i];
}

tac_status planner_start(planner *p, const tac_state *state)
{
    tac_input probe;
    if (!p || !state || !p->rest || !(p->period > 0) || p->oldest == PLANNER_NONE) return TAC_E_ARG;
    if (!p->slot[0].value || !p->slot[1].value || p->slot[0].value == p->slot[1].value) return TAC_E_ARG;
    if (!same_shape(&p->slot[0], p->rest) || !same_shape(&p->slot[1], p->rest)) return TAC_E_ARG;
    if (tac_plan_evaluate(p->rest, 0, 0, &probe) != TAC_OK) return TAC_E_ARG;

    handover_start(&p->states, state);
    p->newest = PLANNER_NONE;
    p->begun = state->step - 1;
    p->age = PLANNER_NONE;
    p->late = 0;
    return TAC_OK;
}

// Age at a step of the plan in a slot; PLANNER_NONE if it is too old, or if steps have begun anew since.
static uint32_t age_of(const planner *p, uint32_t slot, uint64_t step)
{
    const uint64_t age = slot == PLANNER_NONE ? PLANNER_NONE : step - p->made[slot];
    return age > p->oldest ? PLANNER_NONE : (uint32_t)age;
}

static tac_real seconds(const planner *p, uint32_t age)
{
    return (tac_real)age * p->period;
}

uint32_t planner_follow(planner *p, const tac_state *state, tac_input *input)
{
    const uint32_t slot = p->newest;

    handover_put(&p->states, state);
    p->age = age_of(p, slot, state->step);
    if (p->age != PLANNER_NONE && tac_plan_evaluate(&p->slot[slot], seconds(p, p->age), 0, input) != TAC_OK) {
        p->age = PLANNER_NONE;
    }
    if (p->age == PLANNER_NONE) {
        tac_plan_evaluate(p->rest, 0, 0, input);
        p->late++;
    }
    return p->age;
}

const tac_state *planner_begin(planner *p, tac_plan *plan)
{
    const uint32_t slot = p->newest; // the planner alone writes it
    const tac_state *state = handover_take(&p->states);
    if (state->step == p->begun) return NULL;

    p->begun = state->step;
    const uint32_t age = age_of(p, slot, state->step);
    copy_numbers(plan, age == PLANNER_NONE ? p->rest : &p->slot[slot]);
    if (age != PLANNER_NONE) tac_plan_shift(plan, seconds(p, age));
    return state;
}

void planner_hand(planner *p, const tac_plan *plan)
{
    const uint32_t other = p->newest == 0;

    copy_numbers(&p->slot[other], plan);
    p->made[other] = p->begun;
    HANDOVER_ORDER(); // the slot is whole before it is the newest
    p->newest = other;
    HANDOVER_ORDER(); // and no later one is written before
}
