// SPDX-License-Identifier: MIT
// config: large
// variants: gcc-O2-32 gcc-O2-64 clang-O0-32
// TAC_SOLVER_AUTO: as still as the direct solver where that is the better one, as good as sweeps where these are. What
// it costs is printed by `make figures-solvers`.
#include "solved.h"

static solved run(int world, uint8_t solver, uint32_t steps)
{
    solved_build(world, solver, 50);
    const solved o = solved_run(steps);
    tap_note("sweeps a step", o.sweeps);
    tap_note("largest drift, m", o.drift);
    tap_equal(o.unsound + o.swept, 0, tap_joined("sound:", solved_names[world]));
    return o;
}

static void test_stands(int world, uint32_t steps, double drift)
{
    tap_most(run(world, TAC_SOLVER_AUTO, steps).drift, drift, tap_joined("it stands still:", solved_names[world]));
}

// Steps that do not converge, and overlaps, against sweeps alone. In float a heap whose sweeps are slow spends some of
// them on Newton steps in vain: 61 steps of 150 are not solved, not 53.
static void test_moves(int world, uint32_t steps)
{
    const solved sweeps = run(world, TAC_SOLVER_ACCELERATED, steps), o = run(world, TAC_SOLVER_AUTO, steps);
    tap_most(o.unconverged, sweeps.unconverged + TOL(0.05, 0.1) * steps,
             tap_joined("it converges as often:", solved_names[world]));
    tap_most(o.penetration, d_max(2 * sweeps.penetration, TOL(1e-5, 2e-5)),
             tap_joined("nothing sinks:", solved_names[world]));
}

int main(void)
{
    test_stands(SOLVED_TEN, RUN(200, 10), TOL(1e-8, 1e-6));
    test_stands(SOLVED_TONNE, RUN(200, 10), TOL(1e-7, 2e-3));
    test_stands(SOLVED_THIRTY, RUN(100, 10), TOL(1e-7, 1e-5));
    test_stands(SOLVED_WALL, RUN(12, 5), TOL(1e-6, 1e-4));
    test_moves(SOLVED_HEAP, RUN(150, 10));
    test_moves(SOLVED_TOSS, RUN(400, 10));
    test_moves(SOLVED_TUMBLE, RUN(300, 10));
    test_moves(SOLVED_SLIDE, RUN(200, 10));
    return tap_done();
}
