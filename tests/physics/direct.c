// SPDX-License-Identifier: MIT
// config: large
// variants: gcc-O2-32 gcc-O2-64 clang-O0-32
// The direct solver on what sweeps do not hold, at h = 5 ms: S3 ten cubes, S3r with a tonne or ten on top, S3h thirty
// cubes, S5 a wall; light and heavy boxes in turn at 10 ms; equal forces under equal feet; S4 a heap of balls. Full
// lengths (60 s, 200 balls) take minutes; these show the same in seconds.
#include "solved.h"

static solved run(int world, uint16_t sweeps, uint32_t steps)
{
    solved_build(world, TAC_SOLVER_DIRECT, sweeps);
    const solved o = solved_run(steps);
    tap_note("largest drift, m", o.drift);
    tap_note("Newton steps a step", o.sweeps);
    tap_note("largest residual", o.residual);
    tap_equal(o.unsound, 0, tap_joined("each step is sound:", solved_names[world]));
    return o;
}

static void test_stands(int world, uint16_t sweeps, uint32_t steps, double drift)
{
    const solved o = run(world, sweeps, steps);
    tap_most(o.drift, drift, tap_joined("stands still:", solved_names[world]));
    tap_equal(o.swept + o.relaxed, 0, "by Newton's method and the exact law alone");
}

static void test_equal_forces(void)
{
    double worst = 0.0;
    solved_ground(5e-3, TAC_SOLVER_DIRECT, 50);
    for (int i = 0; i < 3; i++) { solved_brick(d3_make(2 * i, 0, 0.5), 1, d3_make(0.5, 0.5, 0.5)); }
    solved_run(100);
    tap_equal(solved_work.report.contacts, 12, "three cubes on four feet");
    for (int i = 0; i < 12; i++) {
        d_worst(&worst, (double)solved_work.contact[i].impulse.x / (0.25 * 9.81 * 5e-3) - 1.0);
    }
    tap_most(worst, 1e-6, "each foot bears a quarter of its cube's weight");
}

int main(void)
{
    test_stands(SOLVED_TEN, 50, RUN(400, 10), TOL(1e-8, 1e-6));
    test_stands(SOLVED_TONNE, 50, RUN(400, 10), TOL(1e-7, 2e-3));
    test_stands(SOLVED_HEAVY, 50, RUN(400, 10), TOL(1e-7, 2e-3));
    test_stands(SOLVED_THIRTY, 50, RUN(200, 10), TOL(1e-7, 1e-5));
    test_stands(SOLVED_TURNS, 40, RUN(600, 10), TOL(1e-7, 2e-4));
    const solved wall = run(SOLVED_WALL, 50, RUN(12, 5));
    tap_most(wall.drift, TOL(1e-6, 1e-4), "S5 a wall of a hundred bricks stands");
    const solved heap = run(SOLVED_HEAP, 50, RUN(200, 10));
    tap_note("steps that used sweeps", heap.swept);
    tap_most(heap.penetration, 0.01 * 0.05, "S4 a heap of balls settles within 1 % of a radius");
    test_equal_forces();
    return tap_done();
}
