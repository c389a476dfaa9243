// SPDX-License-Identifier: MIT
// Worlds, inputs, states and questions of random size, from far too small to far too large, NaN among them: each call
// is refused by name and changes nothing, or gives numbers that pass tac_check(). The sanitizers see each conversion.
// config: all
#include "tap.h"
#include "truth.h"
#include "used.h"

#ifndef EXTREMES_STEP // extremes_lcp.c has another
#define EXTREMES_STEP tac_step
#define EXTREMES_WORLDS 3000
#endif

enum { WORLDS = RUN(EXTREMES_WORLDS, 200), STEPS = 3 };

static tac_model m, two;
static tac_state state, kept;
static tac_work w;
static tac_input input;
static rng dice = {0x7AC5};
static int wild; // how often of 64 a number is of any size

// ------------------------------------------------------------------------------------------------------------ numbers

static tac_real power(tac_real base, unsigned exponent)
{
    tac_real x = 1;
    for (unsigned i = 0; i < exponent; i++) { x *= base; }
    return x;
}

// Of either sign, its size anywhere among all numbers; sometimes none.
static tac_real any(void)
{
    const uint32_t kind = rng_below(&dice, 24);
    if (kind == 0) { return real_nan(); }
    if (kind == 1) { return real_inf(); }
    if (kind == 2) { return 0; }
    const tac_real part = (tac_real)rng_range(&dice, -10, 10);
    return part * power(rng_below(&dice, 2) ? (tac_real)10 : (tac_real)0.1, rng_below(&dice, TOL(308u, 38u)));
}

static tac_real number(double low, double high)
{
    return (int)rng_below(&dice, 64) < wild ? any() : (tac_real)rng_range(&dice, low, high);
}

static tac_vec3 vector(double half)
{
    const tac_real x = number(-half, half), y = number(-half, half), z = number(-half, half);
    return vec((double)x, (double)y, (double)z);
}

// Several orders of size about 1: those of a world have one in common, or not.
static double scale(unsigned most)
{
    double x = 1;
    for (uint32_t n = rng_below(&dice, most + 1); n > 0; n--) { x *= 10; }
    return rng_below(&dice, 2) ? x : 1 / x;
}

// -------------------------------------------------------------------------------------------------------------- worlds

static void one_body(uint16_t i, double size, double mass)
{
    tac_body b = tac_body_make(rng_below(&dice, 6) ? TAC_DYNAMIC : TAC_KINEMATIC, vector(2 * size));
    const double moment = 0.4 * mass * size * size;
    b.mass = number(mass, 2 * mass);
    b.inertia = vec((double)number(moment, 2 * moment), moment, moment);
    b.pose.q = dq_to(rng_quat(&dice));
    b.inertial.p = vector(0.1 * size);
    b.velocity.v = vector(size);
    b.velocity.w = vector(1);
    tac_model_add_body(&m, &b);
    tac_shape s = tac_shape_make(i, (uint8_t)(TAC_SPHERE + rng_below(&dice, 6)), vector(size));
    if (s.size.x < 0) { s.size.x = -s.size.x; }
    if (s.size.y < 0) { s.size.y = -s.size.y; }
    if (s.size.z < 0) { s.size.z = -s.size.z; }
    s.pose.p = vector(0.1 * size);
    s.rounding = rng_below(&dice, 3) ? 0 : number(0, 0.1 * size);
    tac_model_add_shape(&m, &s);
}

static void ground(double size)
{
    tac_height height[9];
    for (int i = 0; i < 9; i++) { height[i] = number(-0.2 * size, 0.2 * size); }
    const int field = rng_below(&dice, 2) && tac_model_add_height_field(&m, height, 3, 3, number(size, 2 * size),
                                                                        number(size, 2 * size), 1) >= 0;
    tac_shape s = tac_shape_make(0, field ? TAC_HEIGHT_FIELD : TAC_HALF_SPACE, vec(0, 0, 0));
    s.pose.p = vector(size);
    s.pose.q = dq_to(rng_quat(&dice));
    tac_model_add_shape(&m, &s);
}

static void world(void)
{
    const int far = (int)rng_below(&dice, 3);
    const double size = scale(far ? 3 : TOL(60u, 9u)), mass = scale(far ? 6 : TOL(100u, 16u));
    wild = (int)rng_below(&dice, 2) * (int)rng_below(&dice, 4);
    tac_model_init(&m);
    m.h = number(1e-4, 1e-2);
    m.gravity.z = number(-10 * size, 0);
    m.options.solver = (uint8_t)rng_below(&dice, TAC_SOLVER_AUTO + 1);
    m.options.friction = (uint8_t)rng_below(&dice, 2);
    m.options.max_sweeps = 10;
    m.options.recovery = number(0, size);
    tac_model_add_material(&m, number(0, 2), number(0, 1));
    m.material[0].spinning = number(0, 0.1 * size);
    m.material[0].rolling = number(0, 0.1 * size);
    ground(size);
    const uint16_t bodies = (uint16_t)(1 + rng_below(&dice, 3));
    for (uint16_t i = 1; i <= bodies; i++) { one_body(i, size, mass); }
    if (bodies > 1 && rng_below(&dice, 2)) {
        tac_joint j;
        tac_joint_init(&j, (uint8_t)rng_below(&dice, TAC_COUPLING), 1, 2);
        j.frame_a.p = vector(size);
        j.length = number(0.1 * size, size);
        j.lower = number(-size, 0);
        j.upper = number(-size, size);
        j.stiffness = number(0, mass);
        j.damping = number(0, mass);
        j.friction = number(0, mass * size);
        if (rng_below(&dice, 16)) { j = used(&j); }
        tac_model_add_joint(&m, &j);
    }
}

static void drive(void)
{
    input.actions = 1;
    input.action[0] = (tac_action){vector(10), vector(1), vector(1), 1, (uint16_t)rng_below(&dice, TAC_ACTION_KINDS)};
    input.motors = m.joints && rng_below(&dice, 2);
    input.motor[0] = (tac_motor){number(-1, 1),
                                 number(-1, 1),
                                 number(-1, 1),
                                 number(0, 10),
                                 number(0, 1),
                                 0,
                                 (uint16_t)rng_below(&dice, TAC_MOTOR_KINDS)};
}

// ------------------------------------------------------------------------------------------------------------- answers

static int all_finite(const void *object, size_t size)
{
    const tac_real *x = object;
    int all = 1;
    for (size_t i = 0; i < size / sizeof *x; i++) { all &= x[i] - x[i] == 0; }
    return all;
}

// Questions about a state, good or not.
static int asked(void)
{
    tac_hit hit;
    tac_nearest nearest;
    uint16_t list[4];
    const tac_ray ray = {vector(10), vector(1), number(0, 100), number(0, 0.1), TAC_NONE, 1, UINT16_MAX};
    tac_shape ball = tac_shape_make(TAC_NONE, TAC_SPHERE, vec(1, 1, 1));
    ball.size.x = number(0, 1);
    ball.pose.p = vector(10);
    int good = tac_cast(&m, &state, &ray, &w, &hit) < 0 || all_finite(&hit, offsetof(tac_hit, shape));
    good &= tac_distance(&m, &state, 0, 1, &w, &nearest) < 0 || all_finite(&nearest, offsetof(tac_nearest, shape_a));
    good &= tac_overlap(&m, &state, &ball, number(0, 1), &w, list, 4) <= m.shapes;
    good &= tac_contacts(&m, &state, 1, rng_below(&dice, 2) ? TAC_AUTO : number(0, 1), &w) < 0 ||
            tac_check(&m, &state, &w, NULL) >= TAC_OK;
    return good;
}

// A mass matrix of numbers is one of masses: what it has on its diagonal is more than 0.
static int weighed(void)
{
    static tac_real matrix[TAC_MAX_VELOCITIES * TAC_MAX_VELOCITIES];
    tac_coordinates map;
    int good = tac_model_get_coordinates(&m, &w, &map) == TAC_OK;
    const size_t n = map.velocities;
    if (tac_mass_matrix(&m, &state, &w, matrix) != TAC_OK) { return good; }
    for (size_t i = 0; i < n; i++) { good &= matrix[i * n + i] > 0; }
    return good && all_finite(matrix, n * n * sizeof *matrix);
}

// What a controller asks of the step that has been taken.
static int answered(void)
{
    static tac_real ddq[TAC_MAX_VELOCITIES];
    static tac_certificate proof;
    const tac_vec3 point = vector(10);
    tac_coordinates map;
    tac_wrench f;
    int good = tac_certify(&m, &w, &proof) < 0 || all_finite(&proof, offsetof(tac_certificate, open));
    good &= tac_body_force(&m, &w, 1, point, &f) < 0 || all_finite(&f, sizeof f);
    good &= tac_shape_force(&m, &w, 0, point, &f) < 0 || all_finite(&f, sizeof f);
    good &= tac_model_get_coordinates(&m, &w, &map) == TAC_OK;
    const tac_status status = tac_step_accelerations(&m, &state, &w, ddq);
    good &= (status == TAC_OK || status == TAC_E_NAN) && all_finite(ddq, map.velocities * sizeof *ddq);
    return good && weighed();
}

// A state goes over to a model of other numbers and back, or is refused by name and nothing changes.
static int adopted(void)
{
    tac_fault fault;
    truth_copy(&two, &m, sizeof m);
    for (uint16_t i = 1; i < m.bodies; i++) {
        two.body[i].mass = number(0, 1);
        two.body[i].inertial.p = vector(1);
        two.body[i].inertial.q = dq_to(rng_quat(&dice));
    }
    if (tac_model_seal(&two, NULL) != TAC_OK) { return 1; }
    kept = state;
    if (tac_state_adopt(&m, &two, &state, &fault) == TAC_OK) {
        const int good = tac_check(&two, &state, NULL, NULL) >= TAC_OK;
        state = kept;
        return good;
    }
    return fault.field != TAC_FIELD_NONE && fault.reason != TAC_REASON_NONE && truth_equal(&kept, &state, sizeof state);
}

// One step: taken and good, or refused by name and nothing changed.
static int stepped(int *taken)
{
    kept = state;
    if (EXTREMES_STEP(&m, &state, rng_below(&dice, 2) ? &input : NULL, &w) >= 0) {
        (*taken)++;
        return tac_check(&m, &state, &w, NULL) >= TAC_OK && answered();
    }
    return w.report.fault.field != TAC_FIELD_NONE && w.report.fault.reason != TAC_REASON_NONE &&
           truth_equal(&kept, &state, sizeof state);
}

// A number of the state becomes any. Not of a quaternion: nearly unit is legal there, but makes frames that are no
// more.
static void spoil(void)
{
    const uint32_t i = rng_below(&dice, 9);
    (i < 3 ? (tac_real *)&state.pose[1].p : (tac_real *)&state.twist[1])[i < 3 ? i : i - 3] = any();
}

int main(void)
{
    int sealed = 0, unnamed = 0, taken = 0, bad_step = 0, bad_answer = 0, placed = 0;
    tap_note_hex("seed", dice.state);
    for (int i = 0; i < WORLDS; i++) {
        tac_fault fault;
        world();
        if (tac_model_seal(&m, &fault) != TAC_OK) {
            unnamed += fault.field == TAC_FIELD_NONE || fault.reason == TAC_REASON_NONE;
            continue;
        }
        sealed++;
        if (tac_state_init(&m, &state, &fault) != TAC_OK) { continue; }
        for (int k = 0; k < STEPS; k++) {
            drive();
            if (!stepped(&taken)) {
                bad_step++;
                tap_note("step of world", i);
            }
        }
        if (!asked() || !adopted()) {
            bad_answer++;
            tap_note("answer in world", i);
        }
        const tac_pose pose = {vector(1), state.pose[1].q};
        const tac_twist twist = {vector(1), vector(1)};
        placed +=
            tac_state_set_body(&m, &state, 1, pose, twist) == TAC_OK && tac_check(&m, &state, NULL, NULL) < 0;
        spoil();
        (void)asked();
        bad_answer += !adopted();
        if (!stepped(&taken)) {
            bad_step++;
            tap_note("spoilt step of world", i);
        }
    }
    tap_note("worlds sealed", sealed);
    tap_note("steps taken", taken);
    tap_least(sealed, WORLDS / 10, "a part of the worlds is legal");
    tap_least(taken, sealed, "and most of their steps are taken");
    tap_equal(unnamed, 0, "what is refused has a name");
    tap_equal(bad_step, 0, "a step is good, or is refused by name and changes nothing");
    tap_equal(bad_answer, 0, "answers are numbers");
    tap_equal(placed, 0, "a body that may be placed makes a good state");
    return tap_done();
}
