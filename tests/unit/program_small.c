// SPDX-License-Identifier: MIT
// The cone program in tables that are too small for the direct method: sweeps take over and say so.
#define TAC_SOLVE 1
#define TAC_MAX_SOLVE_FACTOR 60
#define TAC_MAX_SOLVE_BLOCKS 8
#include "tactus.c"

#include "tap.h"
#include "random_problem.h"

static tac_problem q;
static tac_solve_work w;

int main(void)
{
    static const uint8_t methods[] = {TAC_METHOD_DIRECT, TAC_METHOD_AUTO};
    rng r = {99};
    int taken = 0, solved = 0;
    tap_note("seed", 99);
    for (int n = 0; n < RUN(20, 3); n++) {
        problem_random(&r, &q, 6, 1 << TAC_SET_CONE);
        for (int m = 0; m < 2; m++) {
            tac_solve_options o;
            tac_solve_options_init(&o);
            o.method = methods[m];
            o.friction = TAC_FRICTION_RELAXED;
            solved += tac_solve(&q, &o, &w) == TAC_OK;
            taken += w.report.method == TAC_METHOD_ACCELERATED;
        }
    }
    tap_least(taken, RUN(20, 3), "sweeps take over where not even the reduced matrix fits, and with auto");
    tap_least(solved, 0.95 * 2 * RUN(20, 3), "and nearly all is solved");

    problem_random(&r, &q, 8, 1 << TAC_SET_FREE);
    tap_ok(tac_solve(&q, NULL, &w) == TAC_OK && w.report.method == TAC_METHOD_MINRES, "joints alone go to minres");

    problem_random(&r, &q, TAC_MAX_SOLVE_BLOCKS, 1 << TAC_SET_RAY);
    tac_solve_options o;
    tac_solve_options_init(&o);
    o.method = TAC_METHOD_DIRECT;
    tap_ok(tac_solve(&q, &o, &w) == TAC_OK && w.report.method == TAC_METHOD_DIRECT, "all blocks that have room");
    return tap_done();
}
