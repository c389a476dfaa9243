// SPDX-License-Identifier: MIT
// search.c - see search.h.
#include "search.h"

#ifndef SAMPLES
#define SAMPLES 10 // candidates
#endif
enum { STEPS = 35, AHEAD = 4, EVERY = 5 }; // of a roll-out; that a plan takes; that share a refresh

uint32_t search_plans, search_steps;

static struct {
    enum { IDLE, LOOKING, PLANNING } phase;
    union {
        tac_prediction ahead;  // LOOKING
        tac_sampling sampling; // PLANNING
    } of;
    tac_state from;  // that candidates start from
    uint32_t looked; // steps
    tac_refresh kept, first;
    tac_work work;
    tac_plan plan;
    tac_cost cost;
    tac_real value[GOAL_NUMBERS], room[GOAL_NUMBERS + SAMPLES];
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
    own.of.ahead = (tac_prediction){.model = &stand_model, .plan = &own.plan, .steps = AHEAD};
    own.of.ahead.fidelity = (tac_fidelity){.kept = &own.kept, .every = EVERY}; // full steps would not fit into a slice
    return state && tac_rollout_begin(&own.of.ahead, state, NULL) == TAC_OK;
}

// Towards rest: else the noise of plan after plan adds up where no term of the cost feels it.
static void go_back(tac_real now)
{
    for (unsigned k = 0; k < own.plan.knots; k++) {
        tac_real row[ROBOT_JOINTS];
        stand_goal->rest(now + own.plan.start + (tac_real)k * own.plan.spacing, row);
        for (unsigned j = 0; j < ROBOT_JOINTS; j++) {
            tac_real *number = &own.value[k * ROBOT_JOINTS + j];
            *number = row[j] + R(0.6) * (*number - row[j]);
        }
    }
}

static int plan_from_there(void)
{
    own.from = own.of.ahead.state;
    own.looked = own.of.ahead.taken;
    const tac_real later = AHEAD * stand_model.h, now = (tac_real)stand_planner.begun * stand_planner.period + later;
    own.cost = *stand_goal->cost;
    own.cost.time = now;
    own.of.sampling = (tac_sampling){.model = &stand_model, .cost = &own.cost, .plan = &own.plan, .room = own.room};
    own.of.sampling.method = TAC_SAMPLING_BEST;
    own.of.sampling.scale = 1;
    own.of.sampling.steps = STEPS;
    own.of.sampling.samples = SAMPLES;
    own.of.sampling.seed = search_plans;
    own.of.sampling.fidelity = (tac_fidelity){.kept = &own.kept, .every = EVERY};
    own.of.sampling.first = &own.first;
    tac_plan_shift(&own.plan, later);
    go_back(now);
    return tac_sampling_begin(&own.of.sampling, &own.from, NULL) == TAC_OK;
}

static void hand_over(void)
{
    if (tac_sampling_end(&own.of.sampling) != TAC_OK) return;
    own.plan.start += AHEAD * stand_model.h; // from the state that planner_begin() gave
    planner_hand(&stand_planner, &own.plan);
    search_plans++;
    search_steps += own.looked + own.of.sampling.taken;
}

int search(uint32_t steps)
{
    switch (own.phase) {
    case IDLE:
        if (!look_ahead()) return 0;
        own.phase = LOOKING;
        break;
    case LOOKING:
        if (tac_rollout_advance(&own.of.ahead, &own.work, steps) == TAC_UNCONVERGED) return 1;
        own.phase = own.of.ahead.end == TAC_ROLLOUT_WHOLE && plan_from_there() ? PLANNING : IDLE;
        break;
    case PLANNING:
        if (tac_sampling_advance(&own.of.sampling, &own.work, steps) == TAC_UNCONVERGED) return 1;
        hand_over();
        own.phase = IDLE;
    }
    return 1;
}
