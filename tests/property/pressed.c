// SPDX-License-Identifier: MIT
// config: robots
// variants: gcc-O2-32 gcc-O2-64
// Links of a robot that do not overlap at first, and that its motors press and slide against each other: an overlap
// between links of one mechanism is not removed, so what a step adds must be, or it creeps. Random trees with two sweeps
// a step, which leave a part of each velocity; motors swing, then hold. And a ball on a plate whose normal turns.
#include "random_robot.h"
#include "tap.h"

enum { STEPS = 2000, ROBOTS = 30, PRESSED = 200 }; // steps in which links touch, of a robot that counts

static tac_state s;
static tac_work w;

// Random robots, with shapes half as large; 0 if its motors press nothing.
static int pressed_robot(uint64_t seed, robot *v)
{
    *v = random_robot(seed, TAC_SOLVER_PLAIN);
    m.options.max_sweeps = 2;
    for (uint16_t i = 0; i < m.shapes; i++) {
        tac_shape *shape = &m.shape[i];
        if (shape->kind == TAC_HALF_SPACE) { continue; }
        shape->size = d3_to(d3_scale(0.5, d3_of(shape->size)));
    }
    return v->driven && tac_model_seal(&m, NULL) == TAC_OK && tac_state_init(&m, &s, NULL) == TAC_OK;
}

static void swing(uint64_t seed, const robot *v, int step)
{
    rng r = {seed};
    for (uint32_t i = 0; i < input.motors; i++) {
        const double unit = random_turns(&m.joint[input.motor[i].joint]) ? 1 : v->size, way = rng_range(&r, 0.2, 1);
        const int phase = (int)(1000 * rng_range(&r, 0.3, 1) * (step < STEPS / 2 ? step : STEPS / 2)) % 200000;
        const double part = (double)(phase < 100000 ? phase : 200000 - phase) / 50000 - 1; // a triangle, -1 .. 1
        input.motor[i].position = (tac_real)(unit * way * part);
    }
}

// The deepest overlap between links, or of a robot that is fixed with the ground.
static double between_links(const robot *v, int *touching)
{
    double deepest = 0;
    *touching = 0;
    for (unsigned i = 0; i < w.report.contacts; i++) {
        if (w.contact[i].body_a == 0 && !v->fixed) { continue; }
        deepest = d_max(deepest, -(double)w.contact[i].gap);
        *touching = 1;
    }
    return deepest;
}

// Decades of the deepest overlap in a run, of the size. Returns 0 if links touch too seldom, or overlap at first.
static int run(uint64_t seed, double *decades)
{
    robot v;
    int count = 0, touching;
    double worst = 1e-9;
    if (!pressed_robot(seed, &v)) { return 0; }
    for (int step = 0; step < STEPS; step++) {
        swing(seed, &v, step);
        if (tac_step(&m, &s, &input, &w) < 0) { return 0; }
        const double deepest = between_links(&v, &touching) / v.size;
        if (step == 0 && deepest > 0) { return 0; }
        worst = d_max(worst, deepest);
        count += touching;
    }
    for (*decades = 0; worst < 1; worst *= d_sqrt(d_sqrt(10))) { *decades -= 0.25; }
    return count >= PRESSED;
}

static void test_few_sweeps(void)
{
    double sum = 0, decades;
    int robots = 0;
    for (uint64_t seed = 20000; seed < 22000 && robots < ROBOTS; seed++) {
        if (!run(seed, &decades)) { continue; }
        sum += decades;
        robots++;
    }
    tap_equal(robots, ROBOTS, "robots whose links touch");
    tap_most(sum / robots, -2.1, "the deepest overlap of two links, of the size, in decades, mean of the robots");
}

// A plate that turns to and fro under a ball, which slides along a rail and is pressed on it: all of one mechanism. The
// ball slides along the plate while its normal turns.
static double cam(void)
{
    tac_model_init(&m);
    truth_fill(&input, sizeof input, 0);
    m.gravity = vec(0, 0, 0);
    tac_model_add_material(&m, 0, 0);
    for (int i = 0; i < 2; i++) {
        tac_body b = tac_body_make(TAC_DYNAMIC, i ? vec(0.3, 0.1, 0) : vec(0, 0, 0));
        b.inertia = vec(0.01, 0.01, 0.01);
        const uint16_t body = (uint16_t)tac_model_add_body(&m, &b);
        const tac_shape shape = tac_shape_make(body, i ? TAC_SPHERE : TAC_BOX, i ? vec(0.05, 0, 0) : vec(0.6, 0.05, 0.05));
        tac_model_add_shape(&m, &shape);
        tac_joint j;
        tac_joint_init(&j, i ? TAC_PRISMATIC : TAC_REVOLUTE, 0, body);
        j.frame_a = seen_from(&m, 0, d3_of(b.pose.p), i ? dq_about(d3_make(1, 0, 0), -1.5707963267948966) : dq_of(b.pose.q));
        j.frame_b = seen_from(&m, body, d3_of(b.pose.p), i ? dq_about(d3_make(1, 0, 0), -1.5707963267948966) : dq_of(b.pose.q));
        tac_model_add_joint(&m, &j);
        input.motor[input.motors++] = (tac_motor){0, 0, i ? -50 : 0, i ? 0 : 2000, i ? 5 : 20, (uint16_t)i, TAC_MOTOR_PD};
    }
    double worst = 0;
    if (tac_model_seal(&m, NULL) != TAC_OK || tac_state_init(&m, &s, NULL) != TAC_OK) { return 1; }
    for (int step = 0; step < STEPS; step++) {
        const int phase = step % 1000;
        input.motor[0].position = (tac_real)((phase < 500 ? phase : 1000 - phase) / 500.0 * 1.6 - 0.8);
        tac_step(&m, &s, &input, &w);
        for (unsigned i = 0; i < w.report.contacts; i++) { worst = d_max(worst, -(double)w.contact[i].gap); }
    }
    return worst;
}

int main(void)
{
    tap_most(cam(), 1e-4, "a ball that slides along a plate that turns is in it by, m");
    test_few_sweeps();
    return tap_done();
}
