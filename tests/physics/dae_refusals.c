// SPDX-License-Identifier: MIT
// config: all
// variants: all
// The smooth integrators of TCE17: scales, snapshots, states off their joints; what is refused, and what does not converge.
#include "dae.h"

// --------------------------------------------------------------------------------------- scales, snapshots, refusals

// All lengths 1024 times as large or small, masses 64 times: the same motion, digit by digit.
static void test_scale(double length, double mass)
{
    static tac_state one;
    double apart = 0;
    for (int scaled = 0; scaled < 2; scaled++) {
        const double l = scaled ? length : 1, k = scaled ? mass : 1;
        dae_begin(TAC_DAE_HHT, 1e-3, 9.81 * l);
        for (int i = 0; i < 3; i++) {
            add_body((i + 0.5) * l, 0, k, 0.1 * k * l * l)->inertia.y = (tac_real)(0.09 * k * l * l);
            tac_joint *j = add_joint(i == 1 ? TAC_SPHERICAL : TAC_REVOLUTE, (uint16_t)i, (uint16_t)(i + 1));
            if (i != 1) { about_y(j); }
            if (i == 2) { j->stiffness = (tac_real)(5 * k * l * l), j->damping = (tac_real)(0.1 * k * l * l); }
            j->frame_a.p.x = (tac_real)(i > 0 ? 0.5 * l : 0.0), j->frame_b.p.x = (tac_real)(-0.5 * l);
        }
        begin_world(&m, &s);
        steps(200);
        if (!scaled) { one = s; }
    }
    for (int i = 1; i < m.bodies; i++) {
        d_worst(&apart, d3_norm(d3_sub(d3_scale(1 / length, d3_of(s.pose[i].p)), d3_of(one.pose[i].p))));
        d_worst(&apart, d3_norm(d3_sub(d3_of(s.twist[i].w), d3_of(one.twist[i].w))));
    }
    tap_most(apart, TOL(1e-10, 1e-4), tap_numbered("the same scene, lengths times", length));
}

// A copy of state and tac_dae is a snapshot; a state that is not the one that the last step has left begins anew.
static void test_snapshot(uint8_t method)
{
    static tac_state kept, fresh;
    static tac_dae with;
    chain(method, TAC_DAE_SPARSE);
    steps(20);
    kept = s, with = dae;
    steps(20);
    const uint64_t hash = tac_state_hash(&m, &s);
    s = kept, dae = with;
    steps(20);
    tap_hash(tac_state_hash(&m, &s), hash, tap_joined("a snapshot is replayed: ", METHOD[method]));
    s = kept; // with the accelerations of twenty steps later
    steps(1);
    fresh = s;
    s = kept;
    tac_dae_init(&dae);
    dae.method = method;
    steps(1);
    tap_hash(tac_state_hash(&m, &s), tac_state_hash(&m, &fresh), "an earlier state alone begins anew");
}

// A pendulum that is set down 10 mm off its hinge is moved there, without velocity.
static void test_off(uint8_t method)
{
    dae_begin(method, 1e-3, 0);
    link(0, ARM);
    m.body[1].pose.p.x += (tac_real)0.01;
    begin_world(&m, &s);
    steps(1);
    tap_most(dae.error, TOL(1e-12, 1e-6), tap_joined("an error from before the step is removed, m: ", METHOD[method]));
    tap_most(d3_norm(d3_of(s.twist[1].v)), TOL(1e-12, 1e-6), "and becomes no velocity, m/s");
    tap_near(s.pose[1].p.x, ARM, TOL(1e-12, 1e-6), "it is where it belongs, m");
}

// Is the step refused with this status and field, and is the state what it was?
static void refused(tac_status status, uint16_t field, uint16_t index, const char *name)
{
    static tac_state before;
    begin_world(&m, &s);
    truth_copy(&before, &s, sizeof s);
    tap_equal(step(), status, name);
    tap_equal(w.report.fault.field, field, "its field");
    tap_equal(w.report.fault.index, index, "its index");
    tap_ok(truth_equal(&before, &s, sizeof s), "and nothing changes");
}

static void hinge(void)
{
    dae_begin(TAC_DAE_HHT, 1e-3, 9.81);
    link(0, ARM);
}

static void test_refused(void)
{
    hinge();
    tac_shape ball = tac_shape_make(1, TAC_SPHERE, vec(0.1, 0, 0)),
              floor = tac_shape_make(0, TAC_HALF_SPACE, vec(1, 1, 1));
    tac_model_add_material(&m, 0, 0);
    tac_model_add_shape(&m, &ball);
    tac_model_add_shape(&m, &floor);
    begin_world(&m, &s);
    tap_equal(step(), TAC_OK, "shapes of bodies that are joined do not collide");
    m.joint[0].collide = 1;
    refused(TAC_E_MODEL, TAC_FIELD_CONTACT, 1, "shapes that may collide are refused");
    hinge();
    m.joint[0].friction = 1;
    refused(TAC_E_MODEL, TAC_FIELD_JOINT_FRICTION, 0, "dry friction is refused");
    hinge();
    m.joint[0].lower = (tac_real)-1e-7, m.joint[0].upper = 1;
    m.body[1].velocity.w.y = -1, m.body[1].velocity.v.z = (tac_real)ARM;
    refused(TAC_E_NAN, TAC_FIELD_JOINT_LIMIT, 0, "a step past a limit is refused");
    m.body[1].velocity.w.y = 1, m.body[1].velocity.v.z = (tac_real)-ARM;
    begin_world(&m, &s);
    tap_equal(step(), TAC_OK, "one away from it is taken");
    hinge();
    m.joint[0].effort = 4;
    input.motors = 1;
    input.motor[0] = (tac_motor){0, 0, 0, 0, 0, 0, TAC_MOTOR_VELOCITY};
    refused(TAC_E_NAN, TAC_FIELD_MOTOR, 0, "a motor that would need more effort than it has is refused");
    m.joint[0].effort = 5;
    begin_world(&m, &s);
    tap_equal(step(), TAC_OK, "one that has it holds the weight");
    hinge();
    m.joint[0].speed = (tac_real)0.5;
    m.body[1].velocity.w.y = 1, m.body[1].velocity.v.z = (tac_real)-ARM;
    input.motors = 1;
    input.motor[0] = (tac_motor){0, 0, 1, 0, 0, 0, TAC_MOTOR_EFFORT};
    refused(TAC_E_NAN, TAC_FIELD_MOTOR, 0, "a motor faster than its speed is refused");
}

static void test_arguments(void)
{
    hinge();
    begin_world(&m, &s);
    tap_equal(tac_dae_init(NULL), TAC_E_ARG, "no tac_dae to set");
    tap_equal(tac_step_dae(&m, &s, &input, &w, NULL), TAC_E_ARG, "no tac_dae");
    tap_equal(tac_step_dae(&m, &s, &input, NULL, &dae), TAC_E_ARG, "no work area");
    tap_equal(tac_step_dae(NULL, &s, &input, &w, &dae), TAC_E_ARG, "no model");
    tap_equal(tac_step_dae(&m, NULL, &input, &w, &dae), TAC_E_ARG, "no state");
    for (int bad = 0; bad < 9; bad++) {
        tac_dae_init(&dae);
        const tac_real nan = w.report.kinetic * 0 / (w.report.kinetic * 0);
        tac_real *const number[5] = {&dae.beta, &dae.gamma, &dae.alpha, &dae.rho_inf, &dae.tolerance};
        static const double WRONG[5] = {0, 1.5, -0.4, 1.1, -0.5};
        if (bad < 5) { *number[bad] = (tac_real)WRONG[bad]; }
        if (bad == 5) { dae.method = TAC_DAE_METHODS; }
        if (bad == 6) { dae.solver = TAC_DAE_SOLVERS; }
        if (bad == 7) { dae.max_iterations = 0; }
        if (bad == 8) { dae.beta = nan; }
        tap_equal(step(), TAC_E_ARG, tap_numbered("a number of tac_dae out of range", bad));
    }
    tac_dae_init(&dae);
    s.twist[1].w.x = TAC_MOST_SPEED * 2;
    tap_equal(step(), TAC_E_ARG, "a state out of range");
    begin_world(&m, &s);
    tap_equal(step(), TAC_OK, "and then a step is taken");
}

// Two rods of 1 m from points 3 m apart cannot meet: the step says that it does not end on its constraints.
static void test_unreachable(uint8_t method)
{
    dae_begin(method, 1e-3, 0);
    add_body(1.5, 0, 1, 0.1);
    for (int i = 0; i < 2; i++) {
        tac_joint *j = add_joint(TAC_DISTANCE, 0, 1);
        j->frame_a.p.x = (tac_real)(3 * i);
        j->lower = j->upper = 1;
    }
    begin_world(&m, &s);
    tap_equal(step(), TAC_UNCONVERGED, tap_joined("joints that cannot meet: ", METHOD[method]));
    tap_ok(!dae.converged && (double)dae.error > 0.4, "it says how far they are apart");
}

// What reads a step reads this one: invariants, mean accelerations, energies; and a step of the cone program may
// follow.
static void test_after(void)
{
    tac_real acceleration[TAC_MAX_VELOCITIES];
    chain(TAC_DAE_HHT, TAC_DAE_SPARSE);
    steps(100);
    const tac_joint_state before = look(4);
    steps(1);
    tap_equal(tac_check(&m, &s, &w, NULL), TAC_OK, "its invariants hold");
    tap_equal(tac_step_accelerations(&m, &s, &w, acceleration), TAC_OK, "mean accelerations are there");
    const double mean = ((double)look(4).velocity - (double)before.velocity) * 1e3;
    tap_near(acceleration[4], mean, TOL(1e-8, 2e-2), "and are those of the step, rad/s2");
    tap_near((double)w.report.kinetic + (double)w.report.potential, energy(), TOL(1e-9, 1e-2), "energies too, J");
    tap_equal(s.step, 101, "it has been counted");
    for (int i = 0; i < 10; i++) {
        if (tac_step(&m, &s, NULL, &w) != TAC_OK) { tap_ok(0, "a step of the cone program"); }
    }
    tap_most(w.report.joint_error, TOL(1e-12, 1e-6), "steps of the cone program follow, m");
    steps(10);
    tap_most(dae.error, TOL(1e-12, 1e-6), "and smooth ones again, m");
}

// Few iterations: the step is taken and says so.
static void test_unconverged(void)
{
    hinge();
    m.h = (tac_real)0.1;
    m.body[1].velocity.w.y = 4, m.body[1].velocity.v.z = (tac_real)(-4 * ARM);
    begin_world(&m, &s);
    dae.max_iterations = 1;
    tap_equal(step(), TAC_UNCONVERGED, "one iteration is too few");
    tap_ok(!dae.converged && dae.iterations == 1 && dae.residual > 0, "it says so");
    dae.max_iterations = 100;
    tap_equal(step(), TAC_OK, "more are enough");
    tap_ok(dae.converged && dae.iterations > 1, "and say so");
}

int main(void)
{
    for (uint8_t method = 0; method < TAC_DAE_METHODS; method++) {
        test_snapshot(method);
        if (method != TAC_DAE_EULER_LINEARISED) { test_off(method); }
    }
    test_scale(1024, 64);
    test_scale(1.0 / 1024, 1.0 / 64);
    test_refused();
    test_arguments();
    test_unconverged();
    test_unreachable(TAC_DAE_EULER_PROJECTED);
    test_unreachable(TAC_DAE_HHT);
    test_after();
    return tap_done();
}
