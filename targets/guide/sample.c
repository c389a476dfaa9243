// SPDX-License-Identifier: MIT
// sample.c - planning while the robot moves: each 50 ms a new plan by sampling, and commands from the newest each 1 ms.
#include "plant.h"
#include <stdio.h>

#ifndef METHOD
#define METHOD TAC_SAMPLING_BEST // or _ELITES, _WEIGHTS
#endif
enum { SAMPLES = 10, PERIODS = 1000, REPLAN = 50 };

static tac_state measured;
static tac_sampling sampling;
static tac_work work;
static tac_real value[TASK_NUMBERS], room[TASK_NUMBERS + SAMPLES];

// A new plan from the one before. Returns the steps of roll-outs that it took.
static uint32_t think(tac_plan *plan, uint32_t number)
{
    tac_plan_shift(plan, REPLAN * R(0.001));
    sampling =
        (tac_sampling){.model = &task_model, .cost = &task_cost, .plan = plan, .room = room, .steps = TASK_STEPS};
    sampling.samples = SAMPLES;
    sampling.method = METHOD;
    sampling.elites = 3;
    sampling.temperature = R(0.05);
    sampling.scale = 1;
    sampling.seed = number;
    if (tac_sampling_begin(&sampling, &measured, NULL) != TAC_OK) return 0;
    while (tac_sampling_advance(&sampling, &work, 8) == TAC_UNCONVERGED) {} // in slices of 8 steps
    tac_sampling_end(&sampling);
    return sampling.taken;
}

// A second after a push. Returns what it costs, or -1.
static double run(int planning)
{
    tac_plan plan = task_plan(value);
    tac_input input = {0};
    uint32_t steps = 0, plans = 0;

    if (!plant_start()) return -1;
    task_rest(value);
    for (uint32_t period = 0; period < PERIODS; period++) {
        if (planning && period % REPLAN == 0) {
            if (!plant_measure(&measured)) return -1;
            steps += think(&plan, plans++);
        }
        if (tac_plan_evaluate(&plan, (tac_real)(period % REPLAN) * R(0.001), 0, &input)) return -1;
        if (!plant_period(&input)) return -1;
    }
    if (planning) printf("%u plans, %u steps of roll-outs each\n", plans, steps / plans);
    return (double)plant_cost;
}

int main(void)
{
    if (!task_start() || tac_state_init(&task_model, &measured, NULL)) return 1;
    const double alone = run(0), planned = run(1);
    if (alone < 0 || planned < 0) {
        printf("refused: does TRUNK name a link that moves?\n");
        return 1;
    }
    printf("cost with servos alone %.3g, with plans %.3g\n", alone, planned);
    return 0;
}
