// SPDX-License-Identifier: MIT
// rollout.c - one roll-out: what a plan leads to from the state that is measured, and what that costs.
#include "plant.h"
#include <stdio.h>

static tac_state measured;
static tac_prediction ahead;
static tac_work work;
static tac_real rest[TASK_NUMBERS], other[TASK_NUMBERS];

static int predict(const char *name, tac_plan plan)
{
    tac_fault fault;

    ahead = (tac_prediction){.model = &task_model, .plan = &plan, .cost = &task_cost, .steps = TASK_STEPS};
    ahead.most = TAC_MOST_SPEED;
    if (tac_rollout(&ahead, &measured, &work, &fault) != TAC_OK) {
        printf("%s: refused: %s, %s\n", name, tac_field_name(fault.field), tac_reason_name(fault.reason));
        return 0;
    }
    printf("%s: cost %.3f; %u steps, %u of them on the ground, at most %.0f N, %u contacts\n", name,
           (double)ahead.total, ahead.taken, ahead.touching, (double)ahead.force, ahead.contacts);
    return ahead.end == TAC_ROLLOUT_WHOLE;
}

int main(void)
{
    tac_input input = {0};

    if (!task_start() || !plant_start() || tac_state_init(&task_model, &measured, NULL)) return 1;
    const tac_plan plan = task_plan(rest);
    task_rest(rest);
    for (uint32_t period = 0; period < 20; period++) { // the robot is pushed while its servos hold its posture
        if (tac_plan_evaluate(&plan, 0, 0, &input) || !plant_period(&input)) return 1;
    }
    if (!plant_measure(&measured)) return 1;

    tac_plan noisy = task_plan(other); // the same plan with noise: a candidate of a planner that samples
    tac_plan_perturb(&plan, 1, 1, 1, &noisy);
    return predict("posture held", plan) && predict("with noise  ", noisy) ? 0 : 1;
}
