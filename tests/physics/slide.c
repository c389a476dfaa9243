// SPDX-License-Identifier: MIT
// A sphere that slides, then rolls (S1, S1d; T03 section 4): exact at every step, without lift; and the relaxed law as
// what it is. And a box that slides at 45 degrees to its edges, which nothing turns.
//
// While it slides, one step of Coulomb friction mu m g h takes mu g h from v and adds 2.5 mu g h to the rate, as in
// continuous time. In the step where slip would reverse, the impulse that stops slip keeps v + 0.4 w = v0: it rolls at
// 5/7 v0 at the end of that step. So the discrete solution is the continuous one at every grid point.
#include "begin.h"
#include "scenes.h"
#include "truth.h"

static const double MU = 0.2, G = 9.81;

static tac_model m;
static tac_state state;
static tac_work w;

static void launch(double v0, double h, int diagonal, double height)
{
    const double c = diagonal ? 0.70710678118654752440 : 1.0, s = diagonal ? c : 0.0;
    scene_find("sphere_slide")->build(&m);
    m.h = (tac_real)h;
    m.body[1].pose.p.z = (tac_real)height;
    m.body[1].velocity.v = vec(c * v0, s * v0, 0);
}

typedef struct result {
    double v, w, across, lift, sink;
} result;

// Largest errors over the run, speeds relative to v0, heights in metres.
static result run(double v0, uint32_t steps)
{
    const d3 v_start = d3_of(m.body[1].velocity.v), along = d3_scale(1.0 / d3_norm(v_start), v_start);
    const d3 axle = d3_cross(d3_make(0, 0, 1), along);
    const double h = (double)m.h, slip_ends = 2.0 * v0 / (7.0 * MU * G);
    result r = {0, 0, 0, 0, 0};
    for (uint32_t k = 1; k <= steps; k++) {
        if (tac_step(&m, &state, NULL, &w) < 0) { tap_ok(0, "step refused"); }
        const double t = h * (double)k;
        const double v_true = t < slip_ends ? v0 - MU * G * t : 5.0 / 7.0 * v0;
        const double w_true = t < slip_ends ? 2.5 * MU * G * t : 5.0 / 7.0 * v0;
        const d3 v = d3_of(state.twist[1].v), rate = world_rate(&state, 1);
        const double forward = d3_dot(v, along), turning = d3_dot(rate, axle), z = (double)state.pose[1].p.z;
        d_worst(&r.v, (forward - v_true) / v0);
        d_worst(&r.w, (turning - w_true) / v0);
        d_worst(&r.across, d3_norm(d3_sub(v, d3_scale(forward, along))) / v0);
        d_worst(&r.across, d3_norm(d3_sub(rate, d3_scale(turning, axle))) / v0);
        d_worst(&r.lift, d_max(0.0, z - 1.0));
        d_worst(&r.sink, d_max(0.0, 1.0 - z));
    }
    return r;
}

static void test_exact(double v0, double h, int diagonal, uint32_t board_steps, const char *name)
{
    const uint32_t steps = (uint32_t)((1.5 * 2.0 * v0 / (7.0 * MU * G) + 1.0) / h);
    launch(v0, h, diagonal, 1.0);
    begin_world(&m, &state);
    const result r = run(v0, RUN(steps, board_steps));
    tap_note(tap_joined(name, "worst error of v / v0"), r.v);
    tap_most(r.v, TOL(1e-12, 1e-5), tap_joined("velocity:", name));
    tap_most(r.w, TOL(1e-12, 1e-5), tap_joined("angular velocity:", name));
    tap_most(r.across, TOL(1e-12, 1e-5), tap_joined("nothing across:", name));
    tap_most(r.lift, TOL(1e-12, 1e-6), tap_joined("no lift:", name));
    tap_most(r.sink, TOL(1e-12, 1e-6), tap_joined("no sinking:", name));
}

// T03 section 4: h = 0.12 s, five steps; slip ends at 0.291 s, inside the third.
static void test_coarse(void)
{
    static const double v_true[5] = {2 - 0.23544, 2 - 0.47088, 10.0 / 7, 10.0 / 7, 10.0 / 7};
    static const double w_true[5] = {0.5886, 1.1772, 10.0 / 7, 10.0 / 7, 10.0 / 7};
    double worst = 0.0;
    launch(2.0, 0.12, 0, 1.0);
    begin_world(&m, &state);
    for (int k = 0; k < 5; k++) {
        tac_step(&m, &state, NULL, &w);
        d_worst(&worst, (double)state.twist[1].v.x - v_true[k]);
        d_worst(&worst, world_rate(&state, 1).y - w_true[k]);
        d_worst(&worst, (double)state.twist[1].v.z);
        if (k == 0) { tap_equal(w.contact[0].mode, TAC_SLIDE, "T03 section 4: the contact slides"); }
    }
    tap_most(worst, TOL(1e-12, 1e-5), "T03 section 4: exact velocities at every grid point");
    tap_equal(w.contact[0].mode, TAC_STICK, "T03 section 4: and sticks when it rolls");
    tap_near(w.contact[0].impulse.x, 9.81 * 0.12, TOL(1e-12, 1e-6), "T03 section 4: it carries the weight");
}

// The relaxed law lets a contact sliding at v_T ride at a gap h mu |v_T|, so it starts there.
static void test_relaxed_gap(double v0, double h, uint32_t board_steps, const char *name)
{
    launch(v0, h, 0, 1.0 + h * MU * v0);
    m.options.friction = TAC_FRICTION_RELAXED;
    begin_world(&m, &state);
    double worst = 0.0;
    const uint32_t steps = RUN((uint32_t)(0.25 * v0 / (3.5 * MU * G) / h), board_steps);
    for (uint32_t k = 0; k < steps; k++) {
        tac_step(&m, &state, NULL, &w);
        const double slip = (double)state.twist[1].v.x - world_rate(&state, 1).y;
        const double gap = (double)state.pose[1].p.z - 1.0;
        d_worst(&worst, gap / (h * MU * slip) - 1.0);
    }
    tap_equal(w.report.friction, TAC_FRICTION_RELAXED, tap_joined("the report names the law:", name));
    tap_most(worst, 0.01, tap_joined("relaxed law: steady gap h mu |v_T|:", name));
}

// Minimising g_n^2/2 (1 + 3.5 mu^2)/m - g_n (g h + mu v0) over the edge of the cone: the first impulse from a gap of 0.
static void test_relaxed_kick(double v0, double h)
{
    launch(v0, h, 0, 1.0);
    m.options.friction = TAC_FRICTION_RELAXED;
    begin_world(&m, &state);
    tac_step(&m, &state, NULL, &w);
    const double kick = (MU * v0 + G * h) / (1.0 + 3.5 * MU * MU);
    tap_near(w.contact[0].impulse.x, kick, TOL(1e-12, 1e-5) * v0,
             tap_numbered("relaxed law: start-up kick at m/s", v0));
    tap_near(state.twist[1].v.x, v0 - MU * kick, TOL(1e-12, 1e-5) * v0, "relaxed law: and the speed it costs");
    tap_near(state.twist[1].v.z, kick - G * h, TOL(1e-12, 1e-5) * v0, "relaxed law: the sphere hops");
}

// On the edge of its cone an impulse rounds to either side; the mode does not.
static void test_mode(void)
{
    int other = 0;
    for (int k = 0; k < 64; k++) {
        const double angle = 0.1 * k;
        launch(2.0, 1e-3, 0, 1.0);
        m.body[1].velocity.v = vec(2.0 * d_cos(angle), 2.0 * d_sin(angle), 0);
        begin_world(&m, &state);
        for (int i = 0; i < 5; i++) {
            tac_step(&m, &state, NULL, &w);
            other += w.report.contacts != 1 || w.contact[0].mode != TAC_SLIDE;
        }
    }
    tap_equal(other, 0, "what slides is said to slide, in every direction");
}

// Friction in the metric of a pyramid, or with an error of its direction, would turn the box. Its speed falls by mu g h
// in each step, so it stops after 0.8155 s.
static void test_yaw(void)
{
    const double drop = 0.5 * G * 0.001, v0 = 4.0;
    const uint32_t steps = RUN(1000, 100);
    double turn = 0.0, across = 0.0, speed = 0.0;
    scene_find("yaw_box")->build(&m);
    begin_world(&m, &state);
    for (uint32_t k = 1; k <= steps; k++) {
        if (tac_step(&m, &state, NULL, &w) < 0) { tap_ok(0, "step refused"); }
        d_worst(&turn, d3_norm(world_rate(&state, 1)));
        d_worst(&across, (double)state.twist[1].v.y);
        d_worst(&speed, (double)state.twist[1].v.x - d_max(0.0, v0 - drop * k));
    }
    tap_most(turn, TOL(1e-9, 1e-5), "a box that slides at 45 degrees to its edges does not turn, rad/s");
    tap_most(across, TOL(1e-10, 1e-6), "nor leave its line, m/s");
    tap_most(speed, TOL(1e-9, 1e-4), "and stops as Coulomb's law has it, m/s");
}

int main(void)
{
    test_exact(2, 0.001, 0, 350, "S1 v=2 h=1 ms");
    test_exact(2, 0.01, 0, 60, "S1 v=2 h=10 ms");
    test_exact(20, 0.001, 0, 100, "S1 v=20 h=1 ms");
    test_exact(20, 0.01, 0, 320, "S1 v=20 h=10 ms");
    test_exact(2, 0.001, 1, 350, "S1d v=2 h=1 ms");
    test_exact(2, 0.01, 1, 60, "S1d v=2 h=10 ms");
    test_exact(20, 0.001, 1, 100, "S1d v=20 h=1 ms");
    test_exact(20, 0.01, 1, 320, "S1d v=20 h=10 ms");
    test_coarse();
    test_relaxed_gap(2, 0.001, 50, "v=2 h=1 ms");
    test_relaxed_gap(2, 0.01, 7, "v=2 h=10 ms");
    test_relaxed_gap(20, 0.001, 50, "v=20 h=1 ms");
    test_relaxed_kick(2, 0.001);
    test_relaxed_kick(20, 0.01);
    test_mode();
    test_yaw();
    return tap_done();
}
