// SPDX-License-Identifier: MIT
// scenes.c - the robots of targets/scenes/robots.c, for the steps that each is meant for: lines of
//     scene steps sweeps-a-step per-cent-of-steps-not-solved largest-residual
// for tests/figures/scenes.
#include "robots.h"

#include <stdio.h>
#include <string.h>

static tac_model model;
static tac_state state;
static tac_input input;
static tac_work work;

static int run(const scene *robot)
{
    double sweeps = 0, residual = 0;
    unsigned unsolved = 0;
    memset(&input, 0, sizeof input);
    if (robot->build(&model) != TAC_OK || tac_state_init(&model, &state, NULL) != TAC_OK) { return 0; }
    for (uint32_t k = 0; k < robot->steps; k++) {
        if (robot->drive != NULL) { robot->drive(&model, k, &input); }
        const tac_status status = tac_step(&model, &state, &input, &work);
        if (status < 0) { return 0; }
        sweeps += work.report.sweeps;
        if ((double)work.report.residual > residual) { residual = (double)work.report.residual; }
        unsolved += (status & (TAC_UNCONVERGED | TAC_SWEPT)) != 0;
    }
    printf("%s %u %.1f %.2g %.0e\n", robot->name, (unsigned)robot->steps, sweeps / robot->steps,
           100.0 * unsolved / robot->steps, residual);
    return 1;
}

int main(void)
{
    for (unsigned i = 0; i < robot_count; i++) {
        if (!run(&robots[i])) {
            fprintf(stderr, "scenes: %s is refused\n", robots[i].name);
            return 1;
        }
    }
    return 0;
}
