// SPDX-License-Identifier: MIT
// config: all
// The implicit step with joints from inside: the derivative of the equations of every kind of joint, gear, rack and
// bushing against differences; couplings over many revolutions; room; without any joint a ball stops spinning on time.
#include "begin.h"
#include "jointed.h"
#include "ncp_derivative.h"

static tac_model m;
static tac_state s, old;
static tac_work w;
static tac_input input;
static tac_ncp q;

static void start(double h)
{
    tac_model_init(&m);
    truth_fill(&q, sizeof q, 0xFF);
    truth_fill(&input, sizeof input, 0);
    tac_ncp_init(&q);
    m.h = (tac_real)h;
}

// --------------------------------------------------------------------------------------------------------- derivative

// At points off the solution.
static double derivative_errors(const tac_input *in, uint32_t seed)
{
    rng r = {seed};
    truth_fill(&w.report, sizeof w.report, 0);
    if (!ncp_begin(&m, &s, in, &w, &q)) {
        tap_ok(0, "has room");
        return 1;
    }
    for (uint32_t i = 0; i < q.unknowns; i++) { q.x[i] += (tac_real)rng_range(&r, -0.02, 0.02); }
    return ncp_derivative_error(&m, &s, &w, &q, TOL(1e-6, 1e-3));
}

static void test_kinds(void)
{
    double worst = 0;
    for (jointed_seed = 1; jointed_seed <= 10; jointed_seed++) {
        truth_fill(&q, sizeof q, 0xFF);
        truth_fill(&input, sizeof input, 0);
        tac_ncp_init(&q);
        tap_equal(jointed_build(&m), TAC_OK, "a chain of joints");
        (void)tac_state_init(&m, &s, NULL);
        jointed_drive(&m, 16 * jointed_seed, &input);
        const double error = derivative_errors(&input, jointed_seed);
        d_worst(&worst, error);
        if (error > 3e-4) { tap_equal(jointed_seed, 0, "the seed of a derivative that is off"); }
    }
    tap_most(worst, 3e-4, "the derivative of all kinds of joints");
}

// Two wheels and a rack, a beam on a bushing. The gear is rigid, the rack held by a spring.
static void gears(void)
{
    tac_joint j;
    start(0.01);
    for (int i = 0; i < 4; i++) {
        tac_body b = tac_body_make(TAC_DYNAMIC, vec(i, 0, 0));
        b.inertia = vec(0.02, 0.03, 0.04);
        tac_model_add_body(&m, &b);
        tac_joint_init(&j, i < 2 ? TAC_REVOLUTE : (i < 3 ? TAC_PRISMATIC : TAC_BUSHING), i < 3 ? 0 : 3,
                       (uint16_t)(i + 1));
        j.frame_a.p = i < 3 ? vec(i, 0, 0) : vec(0.5, 0, 0);
        j.frame_b.p = i < 3 ? vec(0, 0, 0) : vec(-0.5, 0, 0);
        j.damping = (tac_real)(i < 3 ? 0.05 : 0);
        j.armature = (tac_real)(i < 1 ? 0.1 : 0);
        if (i == 3) {
            j.along = vec(400, 500, 600);
            j.about = vec(20, 30, 40);
            j.along_damping = vec(1, 2, 3);
            j.about_damping = vec(0.1, 0.2, 0.3);
        }
        tac_model_add_joint(&m, &j);
    }
    tac_joint_init(&j, TAC_COUPLING, 0, 1);
    j.length = (tac_real)-1.5;
    j.lower = j.upper = 0;
    tac_model_add_joint(&m, &j);
    tac_joint_init(&j, TAC_COUPLING, 1, 2);
    j.length = (tac_real)0.02;
    j.stiffness = 800;
    j.damping = 3;
    tac_model_add_joint(&m, &j);
    begin_world(&m, &s);
    input.motors = 1;
    input.motor[0].kind = TAC_MOTOR_VELOCITY;
    input.motor[0].velocity = 12;
}

// 200 steps: 24 rad of the first wheel.
static void test_couplings(void)
{
    static tac_state cone;
    static tac_work other;
    tac_joint_state at[2];
    double worst = 0, joints = 0, far = 0, revolved = 0;
    gears();
    truth_copy(&cone, &s, sizeof s);
    for (int i = 0; i < 200; i++) {
        tap_equal(tac_step_implicit(&m, &s, &input, &w, &q), TAC_OK, "gears take a step");
        d_worst(&joints, (double)w.report.joint_error);
        (void)tac_step(&m, &cone, &input, &other);
        d_worst(&revolved, (double)s.joint[4].of.revolutions);
        for (uint16_t b = 1; b < m.bodies; b++) {
            d_worst(&far, d3_norm(d3_sub(d3_of(s.pose[b].p), d3_of(cone.pose[b].p))));
        }
        if (i % 50 == 20) {
            truth_copy(&old, &s, sizeof s);
            d_worst(&worst, derivative_errors(&input, 5));
            tap_ok(truth_equal(&s, &old, sizeof s), "a problem changes no state");
        }
    }
    for (uint32_t i = 0; i < 2; i++) { (void)tac_state_get_joint(&m, &s, i, &at[i]); }
    const double turns = ((double)at[1].position + 1.5 * (double)at[0].position) / (2 * TRUTH_PI);
    tap_near(turns, (double)(int)(turns + (turns < 0 ? -0.5 : 0.5)), TOL(1e-9, 1e-3), "the gear holds");
    tap_near(s.joint[4].of.revolutions, cone.joint[4].of.revolutions, 1e-9, "its revolutions are counted");
    tap_least(revolved, 0.5, "wheels that turn at different rates have some");
    tap_near(at[0].velocity, 12, TOL(1e-9, 1e-3), "the wheel turns as it is told");
    tap_most(joints, TOL(1e-12, 1e-4), "joints hold at the end of each step");
    tap_most(worst, TOL(3e-4, 0.1), "derivative of gear, rack and bushing");
    tap_most(far, 0.02, "bodies are where tac_step() has them");
    tap_least(d_abs((double)s.pose[3].p.z), 0.1, "and the rack has gone some way");
}

// ---------------------------------------------------------------------------------------------------------------- room

// Sixteen bodies in a row, whose hinges have every effort: fifteen unknowns each.
static void test_room(void)
{
    start(0.01);
    for (uint16_t i = 0; i < 16; i++) {
        tac_joint j;
        const tac_body b = tac_body_make(TAC_DYNAMIC, vec(i, 0, 0));
        tac_model_add_body(&m, &b);
        tac_joint_init(&j, TAC_REVOLUTE, i, (uint16_t)(i + 1));
        j.frame_a.p = i > 0 ? vec(1, 0, 0) : vec(0, 0, 0);
        j.friction = j.damping = 1;
        j.lower = -1, j.upper = 1;
        tac_model_add_joint(&m, &j);
        input.motor[i].joint = i;
    }
    input.motors = 16;
    begin_world(&m, &s);
    truth_copy(&old, &s, sizeof s);
    tap_equal(tac_step_implicit(&m, &s, &input, &w, &q), TAC_E_FULL, "more unknowns than there is room for");
    tap_ok(truth_equal(&s, &old, sizeof s), "and nothing changes");
    tap_equal(q.unknowns, 240, "the problem says how many there would be");
    tap_equal(w.report.fault.field, TAC_FIELD_COUNT, "the fault is a count");
    tap_equal(w.report.fault.index, TAC_COUNT_JOINTS, "that of joints");
    tap_equal(w.report.fault.reason, TAC_REASON_FULL, "which are too many");
}

static void test_switched(void)
{
    gears();
    m.joint[1].switched = TAC_JOINT_ON;
    m.joint[1].armature = 0;
    m.joints = 4; // a coupling may not hang on it
    begin_world(&m, &s);
    truth_copy(&old, &s, sizeof s);
    tap_equal(tac_step_implicit(&m, &s, NULL, &w, &q), TAC_E_ARG, "a joint that may be switched is refused");
    tap_equal(w.report.fault.field, TAC_FIELD_JOINT_SWITCH, "by name");
    tap_equal(w.report.fault.index, 1, "and index");
    tap_ok(truth_equal(&s, &old, sizeof s), "and nothing changes");
    for (uint8_t kind = TAC_TRANSLATION; kind <= TAC_SKATE; kind++) {
        gears();
        tac_joint j;
        tac_joint_init(&j, kind, 0, 4);
        tac_model_add_joint(&m, &j);
        begin_world(&m, &s);
        tap_equal(tac_step_implicit(&m, &s, NULL, &w, &q), TAC_E_ARG, "a joint that holds nothing is refused");
        tap_equal(w.report.fault.field, TAC_FIELD_JOINT_KIND, "by its kind");
        tap_equal(w.report.fault.index, 6, "and index");
    }
}

static uint16_t ball(void)
{
    const tac_shape ground = tac_shape_make(0, TAC_HALF_SPACE, vec(1, 1, 1)),
                    sphere = tac_shape_make(1, TAC_SPHERE, vec(1, 0, 0));
    start(0.07);
    tac_model_add_material(&m, (tac_real)0.2, 0);
    m.material[0].spinning = (tac_real)(0.2 * 0.4);
    tac_model_add_shape(&m, &ground);
    tac_body b = tac_body_make(TAC_DYNAMIC, vec(0, 0, 1));
    b.inertia = vec(0.4, 0.4, 0.4);
    b.velocity.w = vec(0, 0, 1.962);
    const uint16_t body = (uint16_t)tac_model_add_body(&m, &b);
    tac_model_add_shape(&m, &sphere);
    return body;
}

static void test_ball(void)
{
    double residual = 0, rate = 0;
    const uint16_t b = ball();
    begin_world(&m, &s);
    for (int i = 1; i <= 17; i++) {
        tap_equal(tac_step_implicit(&m, &s, NULL, &w, &q), TAC_OK, "a ball takes a step");
        d_worst(&residual, (double)q.residual.newton_euler);
        d_worst(&rate, (double)s.twist[b].w.z - d_max(1.962 - 0.07 * 1.962 * i, 0));
    }
    tap_most(residual, TOL(1e-9, 1e-4), "its equations hold");
    tap_most(rate, TOL(1e-9, 1e-5), "and it stops on time");
}

int main(void)
{
    if (TAC_REAL_BITS == 64) { test_kinds(); } // differences of float are none
    test_couplings();
    test_room();
    test_switched();
    test_ball();
    return tap_done();
}
