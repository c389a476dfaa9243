// SPDX-License-Identifier: MIT
// config: all
// variants: gcc-O2-32 gcc-O2-64 san-Og-64
// The interior-point method by itself, which Newton's method and sweeps otherwise stand in for: problems of every set
// are solved in few matrices, without a first guess.
#include "problem/problem.h"
#include "random_problem.h"
#include "tap.h"

static tac_problem q;
static tac_solve_work w;

static void test_sets(const char *name, uint32_t sets, uint32_t blocks)
{
    const int problems = RUN(100, 10);
    rng r = {sets + blocks};
    double worst = 0, matrices = 0;
    int solved = 0;
    for (int n = 0; n < problems; n++) {
        tac_solve_options o;
        tac_solve_options_init(&o);
        o.friction = TAC_FRICTION_RELAXED;
        o.tolerance = (real)TOL(1e-7, 2e-3);
        problem_random(&r, &q, blocks, sets);
        bytes_clear(&w.report, sizeof w.report);
        bytes_clear(&w.progress, sizeof w.progress);
        if (problem_may_solve(&q, &o, &w) != TAC_OK) { continue; }
        problem_begin(&q, &o, &w);
        factor_order(&q, &w);
        (void)interior_point_solve(&q, &w, o.tolerance, 0);
        entries_velocity(&q, &w, w.g, w.u);
        const double residual = (double)certificate_residual(&q, &w, w.g, w.u);
        solved += residual <= (double)o.tolerance;
        matrices += (double)w.report.factorings / problems;
        d_worst(&worst, residual);
    }
    tap_note(tap_joined("worst residual:", name), worst);
    tap_note("matrices, mean", matrices);
    tap_least(solved, 0.95 * problems, tap_joined("solved:", name));
    tap_most(matrices, 18, tap_joined("matrices:", name));
}

int main(void)
{
    test_sets("cones", 1 << TAC_SET_CONE, 6);
    test_sets("torsion", 1 << TAC_SET_TORSION, 5);
    test_sets("rolling", 1 << TAC_SET_ROLLING, 4);
    test_sets("intervals and rays", 1 << TAC_SET_INTERVAL | 1 << TAC_SET_RAY, 10);
    test_sets("all sets", (1 << TAC_SETS) - 1, 6);
    return tap_done();
}
