// SPDX-License-Identifier: MIT
// config: robots
// variants: gcc-O2-32 gcc-O2-64 san-Og-64
// W of rows over trees, column by column: what a unit impulse along a row makes of the velocities of all rows, by one
// solution of the trees. Rows between two trees, within one, and to what does not move.
#include "dual/trees.h"
#include "robots.h"
#include "tap.h"
#include "truth.h"

#define SLACK TOL(1e-13, 2e-5) // relative to the largest entry

static tac_model m;
static tac_state s;
static tac_work w;
static tac_input input;

// What the motion in step makes of row `row`.
static double moved(uint32_t row)
{
    const tac_twist *t = SOLUTION(&w)->step.twist;
    const uint32_t contacts = 3u * w.program.contacts;
    if (row < contacts) {
        const vec3 u = rows_relative(&w.scratch.solve.block[row / 3], t);
        return (double)(row % 3 == 0 ? u.x : row % 3 == 1 ? u.y : u.z);
    }
    for (uint32_t i = 0; i < PROGRAM_JOINTS(&w); i++) {
        if (trees_of(&w)->row[i] == row) { return (double)joint_rate(&JOINT_LINK(&w)[i], t, JOINT_LAST); }
    }
    return 1e9;
}

// The motion that a unit impulse along a row makes, in step.
static void push(uint32_t row)
{
    tac_twist *t = SOLUTION(&w)->step.twist;
    reals_clear(t, sizeof SOLUTION(&w)->step);
    if (row < 3u * w.program.contacts) {
        const vec3 unit = row % 3 == 0 ? v3(1, 0, 0) : row % 3 == 1 ? v3(0, 1, 0) : v3(0, 0, 1);
        trees_push(&w, &w.scratch.solve.block[row / 3], unit, t);
    }
    for (uint32_t i = 0; i < PROGRAM_JOINTS(&w); i++) {
        if (trees_of(&w)->row[i] == row) { trees_drive(&w, &JOINT_LINK(&w)[i], 1, t); }
    }
    articulated_respond(&w, &SOLUTION(&w)->step);
}

// The worst entry of W, relative to the largest.
static double worst(void)
{
    const tac_trees *r = trees_of(&w);
    double most = 0, off = 0;
    for (uint32_t row = 0; row < r->rows; row++) {
        push(row);
        for (uint32_t other = 0; other < r->rows; other++) {
            d_worst(&most, (double)r->w[columns_between(row, other)]);
            d_worst(&off, moved(other) - (double)r->w[columns_between(row, other)]);
        }
    }
    return most > 0 ? off / most : 0;
}

// The steps of a scene with the accelerated solver, as far as they are over trees.
static void test_scene(const char *name, int steps, int efforts)
{
    const scene *r = robot_find(name);
    double off = 0, rows = 0;
    int bad = r == NULL || r->build(&m) != TAC_OK;
    m.options.solver = TAC_SOLVER_AUTO;
    if (efforts) {
        for (uint32_t i = 0; i < m.joints; i++) { m.joint[i].friction = 1; }
    }
    bad = bad || tac_model_seal(&m, NULL) != TAC_OK || tac_state_init(&m, &s, NULL) != TAC_OK;
    input = (tac_input){0};
    for (int i = 0; i < steps && !bad; i++) {
        if (r->drive != NULL) { r->drive(&m, (uint32_t)i, &input); }
        bad = tac_step_begin(&m, &s, &input, &w) != TAC_OK;
        if (i % 16 == 15 && trees_formed(&w)) {
            d_worst(&off, worst());
            d_worst(&rows, trees_of(&w)->rows);
            bad = bad || tac_step_begin(&m, &s, &input, &w) != TAC_OK;
        }
        bad = bad || tac_step_sweep(&m, &w, m.options.max_sweeps) < 0 || tac_step_end(&m, &s, &w) < 0;
    }
    tap_ok(!bad, tap_joined(name, "takes all steps"));
    tap_least(rows, 4, tap_joined(name, "has rows over trees"));
    tap_most(off, SLACK, tap_joined(name, "W is what impulses make"));
}

// Four feet that stick are one linear system, with friction of the joints at its bounds or not: a single solution in
// place of sweeps. Without it nothing but rounding is left.
static void test_stick(int friction, double share)
{
    const scene *r = robot_find("stand");
    double left = 0;
    int bad = r->build(&m) != TAC_OK, once = 0;
    for (uint32_t i = 0; i < m.joints && friction; i++) { m.joint[i].friction = R(0.2); }
    bad = bad || tac_model_seal(&m, NULL) != TAC_OK || tac_state_init(&m, &s, NULL) != TAC_OK;
    input = (tac_input){0};
    for (int i = 0; i < 64 && !bad; i++) {
        r->drive(&m, (uint32_t)i, &input);
        bad = tac_step(&m, &s, &input, &w) != TAC_OK;
        if (i < 32) { continue; }
        once += w.report.sweeps == 1;
        d_worst(&left, (double)w.report.residual);
    }
    tap_ok(!bad, friction ? "a quadruped whose joints rub stands up" : "a quadruped stands up");
    tap_least(once, 32 * share, "its feet stick at once");
    if (!friction) { tap_most(left, TOL(1e-13, 2e-5), "with a residual of rounding"); }
}

int main(void)
{
    test_scene("stand", RUN(320, 64), 0);
    test_scene("stand", RUN(320, 64), 1);
    test_scene("trot", RUN(480, 64), 1);
    test_scene("gripper", RUN(320, 64), 0);
    test_scene("hand", RUN(320, 64), 0);
    test_scene("rover", RUN(320, 64), 1);
    test_stick(0, 1.0);
    test_stick(1, 0.5);
    return tap_done();
}
