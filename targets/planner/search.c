// SPDX-License-Identifier: MIT
// search.c - see search.h.
#include "search.h"
#include "cost.h"

#ifndef SAMPLES
#define SAMPLES 4 // candidates; fewer of them more often follow a push better than more of them
#endif
enum { STEPS = 35, AHEAD = 6 }; // of a roll-out; that a plan takes

uint32_t search_plans, search_steps;

static struct {
    enum { IDLE, LOOKING, PLANNING } phase;
    tac_prediction ahead;
    tac_sampling sampling;
    tac_work work;
    tac_plan plan;
    tac_real value[STAND_NUMBERS], room[STAND_NUMBERS + SAMPLES];
} own;
const uint32_t search_ram = sizeof own;

void search_start(void)
{
    own.phase = IDLE;
    own.plan = stand_plan_of(own.value);
    search_plans = search_steps = 0;
}

// Where the robot will be when the plan is there, under the plan that it follows until then.
static int look_ahead(void)
{
    const tac_state *state = planner_begin(&stand_planner, &own.plan);
    own.ahead = (tac_prediction){.model = &stand_model, .plan = &own.plan, .steps = AHEAD};
    return state && tac_rollout_begin(&own.ahead, state, NULL) == TAC_OK;
}

static int plan_from_there(void)
{
    own.sampling = (tac_sampling){.model = &stand_model, .cost = &cost, .plan = &own.plan, .room = own.room};
    own.sampling.method = TAC_SAMPLING_BEST;
    own.sampling.scale = 1;
    own.sampling.steps = STEPS;
    own.sampling.samples = SAMPLES;
    own.sampling.seed = search_plans;
    tac_plan_shift(&own.plan, AHEAD * stand_model.h);
    // towards rest: else the noise of plan after plan adds up where no term of the cost feels it
    for (unsigned i = 0; i < STAND_NUMBERS; i++) own.plan.value[i] *= R(0.6);
    return tac_sampling_begin(&own.sampling, &own.ahead.state, NULL) == TAC_OK;
}

static void hand_over(void)
{
    if (tac_sampling_end(&own.sampling) != TAC_OK) return;
    own.plan.start += AHEAD * stand_model.h; // from the state that planner_begin() gave
    planner_hand(&stand_planner, &own.plan);
    search_plans++;
    search_steps += own.ahead.taken + own.sampling.taken;
}

int search(uint32_t steps)
{
    switch (own.phase) {
    case IDLE:
        if (!look_ahead()) return 0;
        own.phase = LOOKING;
        break;
    case LOOKING:
        if (tac_rollout_advance(&own.ahead, &own.work, steps) == TAC_UNCONVERGED) return 1;
        own.phase = own.ahead.end == TAC_ROLLOUT_WHOLE && plan_from_there() ? PLANNING : IDLE;
        break;
    case PLANNING:
        if (tac_sampling_advance(&own.sampling, &own.work, steps) == TAC_UNCONVERGED) return 1;
        hand_over();
        own.phase = IDLE;
    }
    return 1;
}
