// SPDX-License-Identifier: MIT
// config: robots
// variants: gcc-O2-32 gcc-O2-64 san-Og-64
// Identification on trajectories whose truth is known: random tosses of a box, an impact of two balls, a pendulum and a
// motor; the reported covariance against that of many noisy repetitions; parameters that no data can show; bounds;
// slices of any size, on memory that holds anything. Seeds are printed.
#include "begin.h"
#include "tap.h"
#include "truth.h"

enum { STEPS = 100, TOSSES = 3 };

static tac_model truth, guess, fitted;
static tac_state start[TOSSES], s;
static tac_work w;
static tac_fitting fit, other;
static tac_observation seen[TOSSES][STEPS];
static tac_section section[TOSSES];
static tac_fit_unknown unsure[TOSSES][12];
static tac_input input[STEPS];

// One more parameter, from `lower` to `upper`.
static void ask(uint8_t kind, uint16_t index, double lower, double upper, double difference)
{
    fit.parameter[fit.parameters++] =
        (tac_fit_parameter){(tac_real)lower, (tac_real)upper, (tac_real)difference, index, kind};
}

// A fit of so many sections without parameters, on memory that holds anything.
static void open_fit(uint32_t sections)
{
    truth_fill(&fit, sizeof fit, UINT8_MAX);
    (void)tac_fit_init(&fit);
    truth_fill(fit.trial_value, sizeof fit - offsetof(tac_fitting, trial_value), UINT8_MAX);
    fit.section = section;
    fit.sections = sections;
}

static void close_models(void)
{
    (void)tac_model_seal(&truth, NULL);
    (void)tac_model_seal(&guess, NULL);
}

// Steps the truth from `start[k]` of the guess, and observes a body's pose or a joint at each step.
static void record(uint32_t k, uint8_t kind, uint16_t index, double weight, double turn_weight, const tac_input *in)
{
    truth_copy(&s, &start[k], sizeof s);
    (void)tac_state_adopt(&guess, &truth, &s, NULL);
    for (uint32_t i = 0; i < STEPS; i++) {
        tac_joint_state joint = {0, 0};
        (void)tac_step(&truth, &s, in != NULL ? &in[i] : NULL, &w);
        if (kind == TAC_OBSERVE_JOINT) { (void)tac_state_get_joint(&truth, &s, index, &joint); }
        seen[k][i] = (tac_observation){
            i + 1,         index, kind, (tac_real)weight, (tac_real)turn_weight, tac_state_get_pose(&truth, &s, index),
            joint.position};
    }
    section[k] = (tac_section){&start[k], in, in != NULL ? STEPS : 0, 1, seen[k], STEPS, NULL, 0};
}

// Normal enough: the sum of twelve.
static double noise(rng *r)
{
    double sum = -6;
    for (int i = 0; i < 12; i++) { sum += rng_range(r, 0, 1); }
    return sum;
}

// -------------------------------------------------------------------------------------------------------------- tosses

static void box_model(tac_model *m, double friction, double restitution, double rounding)
{
    tac_model_init(m);
    m->h = (tac_real)(1.0 / 148);
    tac_model_add_material(m, (tac_real)friction, (tac_real)restitution);
    tac_body b = tac_body_make(TAC_DYNAMIC, vec(0, 0, 0));
    b.mass = (tac_real)0.37;
    b.inertia = vec(8.1e-4, 8.1e-4, 8.1e-4);
    tac_model_add_body(m, &b);
    tac_shape board = tac_shape_make(0, TAC_HALF_SPACE, vec(0, 0, 0));
    tac_shape box = tac_shape_make(1, TAC_BOX, vec(0.052 - rounding, 0.052 - rounding, 0.052 - rounding));
    box.rounding = (tac_real)rounding;
    tac_model_add_shape(m, &board);
    tac_model_add_shape(m, &box);
}

static void toss(rng *r, uint32_t k)
{
    const double height = rng_range(r, 0.15, 0.3), along = rng_range(r, 0.5, 1.5), across = rng_range(r, -0.5, 0.5);
    const tac_quat turned = dq_to(rng_quat(r));
    const tac_pose pose = {vec(0, 0, height), turned};
    const tac_twist twist = {vec(along, across, 0), d3_to(rng_box(r, 4))};
    (void)tac_state_init(&guess, &start[k], NULL);
    (void)tac_state_set_body(&guess, &start[k], 1, pose, twist);
}

static void open_tosses(uint64_t seed, double friction, double restitution, double rounding)
{
    rng r = {seed};
    box_model(&truth, friction, restitution, rounding);
    box_model(&guess, 0.3, 0.3, 0.002);
    close_models();
    for (uint32_t k = 0; k < TOSSES; k++) {
        toss(&r, k);
        record(k, TAC_OBSERVE_POSE, 1, 1000, 50, NULL);
    }
    open_fit(TOSSES);
    ask(TAC_FIT_FRICTION, 0, 0, 1, 0.05);
    ask(TAC_FIT_RESTITUTION, 0, 0, 1, 0.05);
}

// Friction, restitution and the rounding of edges of three tosses at once, from a start that is far off. Where a box
// falls over another edge the cost has a kink, and descent may end there: of 16 worlds 12 end near the truth (float
// 10), others at a higher cost. Rounding grows as a box tumbles, so in float a mass may look known.
static void test_tosses(void)
{
    const uint32_t worlds = RUN(16, 3);
    uint32_t found = 0, unknown = 0, lower = 0;
    for (uint64_t seed = 1; seed <= worlds; seed++) {
        rng r = {seed + 1000};
        const double friction = rng_range(&r, 0.1, 0.5), restitution = rng_range(&r, 0, 0.4);
        const double rounding = rng_range(&r, 0, 0.006);
        open_tosses(seed, friction, restitution, rounding);
        ask(TAC_FIT_ROUNDING, 1, 0, 0.02, 0.002);
        ask(TAC_FIT_MASS, 1, 0.1, 1, 0.05);
        fit.null = (tac_real)1e-3;
        (void)tac_fit(&guess, &fit, &w, NULL);
        const double off = d_max(d_abs((double)fit.value[0] - friction), d_abs((double)fit.value[1] - restitution));
        const double error = d_max(off, 50 * d_abs((double)fit.value[2] - rounding));
        found += error < 0.05;
        unknown += fit.verdict[3] == TAC_FIT_UNKNOWN && fit.covariance[15] == 0;
        lower += fit.cost < fit.first_cost;
        tap_note(tap_numbered("seed; error of friction, restitution, 50 times rounding:", (double)seed), error);
    }
    tap_least(found, worlds / 3, "tosses: truths found within 0.05, and 1 mm of rounding");
    tap_equal(lower, worlds, "the cost falls");
    tap_least(unknown, TOL(worlds, worlds * 7 / 8), "the mass of a single body is unknown");
}

// ----------------------------------------------------------------------------------------------------- flight, impacts

static void flight_model(tac_model *m, d3 centre, double factor)
{
    tac_model_init(m);
    m->h = (tac_real)0.005;
    tac_body b = tac_body_make(TAC_DYNAMIC, vec(0, 0, 0));
    b.inertia = d3_to(d3_scale(factor, d3_make(0.01, 0.015, 0.02)));
    b.inertial.p = d3_to(centre);
    tac_model_add_body(m, &b);
}

// In flight a body turns about its centre of mass, so poses show where that is, and how large gravity is; a factor of
// its inertia they do not show.
static void test_flight(void)
{
    double worst = 0, gravity = 0;
    uint32_t unknown = 0;
    enum { WORLDS = RUN(10, 4) };
    for (uint64_t seed = 1; seed <= WORLDS; seed++) {
        rng r = {seed};
        const d3 centre = rng_box(&r, 0.05);
        flight_model(&truth, centre, 1.3);
        flight_model(&guess, d3_make(0, 0, 0), 1);
        const double factor = rng_range(&r, 0.9, 1.1);
        guess.gravity = vec(1, 2, -9);
        truth.gravity = vec(factor, 2 * factor, -9 * factor);
        close_models();
        const tac_pose pose = {vec(0, 0, 1), dq_to(rng_quat(&r))};
        const tac_twist twist = {vec(1, 0, 2), d3_to(d3_add(d3_make(1, 2, 1), rng_box(&r, 5)))};
        (void)tac_state_init(&guess, &start[0], NULL);
        (void)tac_state_set_body(&guess, &start[0], 1, pose, twist);
        record(0, TAC_OBSERVE_POSE, 1, 1000, 100, NULL);
        open_fit(1);
        ask(TAC_FIT_CENTRE_X, 1, -0.1, 0.1, 0.01);
        ask(TAC_FIT_CENTRE_Y, 1, -0.1, 0.1, 0.01);
        ask(TAC_FIT_INERTIA, 1, 0.5, 2, 0.1);
        ask(TAC_FIT_CENTRE_Z, 1, -0.1, 0.1, 0.01);
        ask(TAC_FIT_GRAVITY, 0, 0.5, 2, 0.01);
        if (tac_fit(&guess, &fit, &w, NULL) != TAC_OK) { worst = 1; }
        d_worst(&gravity, d_abs((double)fit.value[4] - factor));
        const d3 found = d3_make((double)fit.value[0], (double)fit.value[1], (double)fit.value[3]);
        d_worst(&worst, d3_norm(d3_sub(found, centre)));
        unknown += fit.verdict[2] == TAC_FIT_UNKNOWN && fit.value[2] == 1;
    }
    tap_note("flight: seeds 1 to", WORLDS);
    tap_most(worst, TOL(2e-6, 1e-4), "flight: the centre of mass, m");
    tap_most(gravity, TOL(2e-6, 1e-4), "its gravity, of that of the model");
    tap_equal(unknown, WORLDS, "the inertia of a body in flight is unknown, and left at its start");
}

static void balls_model(tac_model *m, double one, double other_mass)
{
    tac_model_init(m);
    m->gravity = vec(0, 0, 0);
    m->h = (tac_real)0.01;
    tac_model_add_material(m, 0, (tac_real)0.5);
    for (int i = 0; i < 2; i++) {
        tac_body b = tac_body_make(TAC_DYNAMIC, vec(0.5 * i, 0.03 * i, 0));
        b.mass = (tac_real)(i ? other_mass : one);
        b.velocity.v = vec(i ? 0 : 1.1, 0, 0);
        tac_shape ball = tac_shape_make((uint16_t)tac_model_add_body(m, &b), TAC_SPHERE, vec(0.1, 0, 0));
        tac_model_add_shape(m, &ball);
    }
}

// An impact shows the ratio of two masses: one of them, if the other is given; if both are asked for, one is unknown.
static void test_masses(void)
{
    balls_model(&truth, 1, 3.7);
    balls_model(&guess, 1, 1.5);
    close_models();
    (void)tac_state_init(&guess, &start[0], NULL);
    record(0, TAC_OBSERVE_POSE, 2, 1000, 1, NULL);
    open_fit(1);
    ask(TAC_FIT_MASS, 2, 0.1, 100, 0.2);
    tap_equal(tac_fit(&guess, &fit, &w, NULL), TAC_OK, "masses: one of two");
    tap_near(fit.value[0], 3.7, TOL(1e-6, 1e-3), "its mass");
    open_fit(1);
    ask(TAC_FIT_MASS, 2, 0.1, 100, 0.2);
    ask(TAC_FIT_MASS, 1, 0.1, 100, 0.2);
    ask(TAC_FIT_RESTITUTION, 0, 0.5, 0.6, 0.02);
    (void)tac_fit(&guess, &fit, &w, NULL);
    const int first = fit.verdict[0] == TAC_FIT_UNKNOWN, second = fit.verdict[1] == TAC_FIT_UNKNOWN;
    tap_equal(first + second, 1, "masses: of both, one is unknown");
}

// -------------------------------------------------------------------------------------------------------------- joints

static void pendulum_model(tac_model *m, double friction, double damping, double armature)
{
    tac_joint hinge;
    tac_model_init(m);
    m->h = (tac_real)0.01;
    tac_body b = tac_body_make(TAC_DYNAMIC, vec(0.3, 0, 0));
    b.inertia = vec(0.02, 0.02, 0.02);
    tac_model_add_body(m, &b);
    tac_joint_init(&hinge, TAC_REVOLUTE, 0, 1);
    hinge.frame_a.q = hinge.frame_b.q = dq_to(dq_about(d3_make(1, 0, 0), -1.57079632679489662));
    hinge.frame_b.p = vec(-0.3, 0, 0);
    hinge.friction = (tac_real)friction;
    hinge.damping = (tac_real)damping;
    hinge.armature = (tac_real)armature;
    tac_model_add_joint(m, &hinge);
}

// The motor of joint 0 swings it.
static void drive(double factor)
{
    for (int i = 0; i < STEPS; i++) {
        input[i] = (tac_input){.motors = 1};
        input[i].motor[0] = (tac_motor){.effort = (tac_real)(factor * 2.5 * d_sin(0.09 * i)), .kind = TAC_MOTOR_EFFORT};
    }
}

static void open_pendulum(double friction, double damping, double armature)
{
    pendulum_model(&truth, friction, damping, armature);
    pendulum_model(&guess, 0.1, 0.1, 0.01);
    close_models();
    (void)tac_state_init(&guess, &start[0], NULL);
}

// Dry friction, damping and armature of a joint, and how much of the effort that is asked for its motor makes.
static void test_joint(void)
{
    double worst = 0;
    enum { WORLDS = RUN(8, 3) };
    for (uint64_t seed = 1; seed <= WORLDS; seed++) {
        rng r = {seed};
        const double friction = rng_range(&r, 0.05, 0.4), damping = rng_range(&r, 0.05, 0.4);
        const double armature = rng_range(&r, 0.005, 0.05), gain = rng_range(&r, 0.7, 1.2);
        open_pendulum(friction, damping, armature);
        drive(gain);
        record(0, TAC_OBSERVE_JOINT, 0, 1000, 0, input);
        drive(1);
        open_fit(1);
        ask(TAC_FIT_JOINT_FRICTION, 0, 0, 2, 0.05);
        ask(TAC_FIT_JOINT_DAMPING, 0, 0, 2, 0.05);
        ask(TAC_FIT_JOINT_ARMATURE, 0, 0, 1, 0.005);
        ask(TAC_FIT_MOTOR, 0, 0.1, 3, 0.05);
        if (tac_fit(&guess, &fit, &w, NULL) != TAC_OK) { worst = 1; }
        const double wanted[] = {friction, damping, armature, gain};
        for (int i = 0; i < 4; i++) { d_worst(&worst, d_abs((double)fit.value[i] - wanted[i])); }
    }
    tap_note("joint: seeds 1 to", WORLDS);
    tap_most(worst, TOL(1e-5, 5e-3), "joint: friction, damping, armature, motor");
}

// Of many repetitions with noise, the fitted values scatter as the covariance says: variances within four deviations of
// their own, sqrt(2/N).
static void test_covariance(void)
{
    const int repetitions = RUN(200, 24);
    double sum[2] = {0, 0}, square[2][2] = {{0, 0}, {0, 0}}, said[2][2] = {{0, 0}, {0, 0}}, variance = 0;
    static tac_observation clean[STEPS];
    open_pendulum(0, 0.25, 0.03);
    guess.joint[0].friction = 0;
    close_models();
    (void)tac_state_init(&guess, &start[0], NULL);
    record(0, TAC_OBSERVE_JOINT, 0, 100, 0, NULL);
    truth_copy(clean, seen[0], sizeof clean);
    rng r = {2026};
    tap_note("covariance: seed", 2026);
    for (int k = 0; k < repetitions; k++) {
        for (int i = 0; i < STEPS; i++) { seen[0][i].coordinate = clean[i].coordinate + (tac_real)(0.01 * noise(&r)); }
        open_fit(1);
        ask(TAC_FIT_JOINT_DAMPING, 0, 0, 2, 0.02);
        ask(TAC_FIT_JOINT_ARMATURE, 0, 0, 1, 0.002);
        (void)tac_fit(&guess, &fit, &w, NULL);
        const double off[2] = {(double)fit.value[0] - 0.25, (double)fit.value[1] - 0.03};
        variance += (double)fit.variance;
        for (int i = 0; i < 2; i++) {
            sum[i] += off[i];
            for (int j = 0; j < 2; j++) {
                square[i][j] += off[i] * off[j];
                said[i][j] += (double)fit.covariance[2 * i + j];
            }
        }
    }
    const double slack = 4 * d_sqrt(2.0 / repetitions);
    tap_near(variance / repetitions, 1, 4 * d_sqrt(2.0 / (98 * repetitions)),
             "covariance: the variance of the weights is 1");
    for (int i = 0; i < 2; i++) {
        tap_near(square[i][i] / said[i][i], 1, slack, "variance of a value, over that reported");
        const double mean = sum[i] / repetitions;
        tap_most(d_abs(mean) / d_sqrt(said[i][i] / repetitions / repetitions), 4, "and it has no bias");
    }
    const double correlation = said[0][1] / d_sqrt(said[0][0] * said[1][1]);
    tap_near(square[0][1] / d_sqrt(square[0][0] * square[1][1]), correlation, slack, "correlation");
}

// ------------------------------------------------------------------------------------------------ starts with errors

// An unknown of the start of section k, and how far the start is moved from where it is.
static void ask_start(uint32_t k, uint16_t coordinate, double deviation, rng *r, tac_real *off)
{
    tac_fit_unknown *u = &unsure[k][section[k].unknowns++];
    *u = (tac_fit_unknown){
        .deviation = (tac_real)deviation, .difference = (tac_real)deviation, .coordinate = coordinate};
    section[k].unknown = unsure[k];
    off[coordinate] += (tac_real)(deviation * noise(r));
}

// Errors of the start and of all that is seen, of the sizes that the weights say.
static void blur(uint32_t k, const tac_real *off, rng *r)
{
    (void)tac_state_displace(&guess, &start[k], off, &w);
    for (int i = 0; i < STEPS; i++) {
        tac_observation *o = &seen[k][i];
        if (o->kind == TAC_OBSERVE_JOINT) {
            o->coordinate += (tac_real)(noise(r) / (double)o->weight);
            continue;
        }
        const double size = 1 / (double)o->weight, turn = 1 / (double)o->turn_weight;
        const d3 move = d3_make(size * noise(r), size * noise(r), size * noise(r));
        const d3 by = d3_make(turn * noise(r), turn * noise(r), turn * noise(r));
        o->pose.p = d3_to(d3_add(d3_of(o->pose.p), move));
        o->pose.q = tac_quat_multiply(o->pose.q, tac_quat_from_rotation_vector(d3_to(by)));
    }
}

// A swing from a start whose angle and rate have errors; returns the truth's values.
static void noisy_swing(rng *r, double *wanted)
{
    tac_real off[2 * TAC_MAX_VELOCITIES] = {0};
    wanted[0] = rng_range(r, 0.1, 0.4), wanted[1] = rng_range(r, 0.01, 0.05);
    open_pendulum(0, wanted[0], wanted[1]);
    guess.joint[0].friction = 0;
    close_models();
    const tac_joint_state at = {(tac_real)rng_range(r, -1, 1), (tac_real)rng_range(r, -2, 2)};
    (void)tac_state_init(&guess, &start[0], NULL);
    (void)tac_state_set_joints(&guess, &start[0], &at);
    record(0, TAC_OBSERVE_JOINT, 0, 100, 0, NULL);
    open_fit(1);
    ask(TAC_FIT_JOINT_DAMPING, 0, 0, 2, 0.02);
    ask(TAC_FIT_JOINT_ARMATURE, 0, 0, 1, 0.002);
    ask_start(0, 0, 0.01, r, off), ask_start(0, 1, 0.1, r, off);
    blur(0, off, r);
}

// Two throws of a body whose centre of mass is asked for, from starts all of whose twelve numbers have errors.
static void noisy_flight(rng *r, double *wanted)
{
    const d3 centre = rng_box(r, 0.03);
    flight_model(&truth, centre, 1);
    flight_model(&guess, d3_make(0, 0, 0), 1);
    close_models();
    open_fit(2);
    for (uint32_t k = 0; k < 2; k++) {
        tac_real off[2 * TAC_MAX_VELOCITIES] = {0};
        const tac_pose pose = {vec(0, 0, 1), dq_to(rng_quat(r))};
        const tac_twist twist = {vec(1, 0, 2), d3_to(rng_box(r, 8))};
        (void)tac_state_init(&guess, &start[k], NULL);
        (void)tac_state_set_body(&guess, &start[k], 1, pose, twist);
        record(k, TAC_OBSERVE_POSE, 1, 500, 100, NULL);
        for (uint16_t i = 0; i < 12; i++) { ask_start(k, i, i < 3 ? 0.002 : i < 6 ? 0.01 : 0.1, r, off); }
        blur(k, off, r);
    }
    for (int i = 0; i < 3; i++) { ask((uint8_t)(TAC_FIT_CENTRE_X + i), 1, -0.1, 0.1, 0.005); }
    wanted[0] = centre.x, wanted[1] = centre.y, wanted[2] = centre.z;
}

// A box that slides on its face and comes to rest, from a start all of whose numbers along the board have errors.
static void noisy_slide(rng *r, double *wanted)
{
    tac_real off[2 * TAC_MAX_VELOCITIES] = {0};
    wanted[0] = rng_range(r, 0.15, 0.4);
    box_model(&truth, wanted[0], 0, 0);
    box_model(&guess, 0.3, 0, 0);
    close_models();
    const tac_pose pose = {vec(0, 0, 0.052), dq_to(dq_about(d3_make(0, 0, 1), rng_range(r, 0, 3)))};
    const tac_twist twist = {vec(rng_range(r, 1, 1.5), rng_range(r, -1, 1), 0), vec(0, 0, rng_range(r, -5, 5))};
    (void)tac_state_init(&guess, &start[0], NULL);
    (void)tac_state_set_body(&guess, &start[0], 1, pose, twist);
    record(0, TAC_OBSERVE_POSE, 1, 500, 100, NULL);
    open_fit(1);
    ask(TAC_FIT_FRICTION, 0, 0, 1, 0.02);
    ask_start(0, 0, 0.002, r, off), ask_start(0, 1, 0.002, r, off), ask_start(0, 5, 0.01, r, off);
    ask_start(0, 6, 0.05, r, off), ask_start(0, 7, 0.05, r, off), ask_start(0, 11, 0.05, r, off);
    blur(0, off, r);
}

// Where the start has errors too, errors over deviations have a mean square of 1, within four deviations of that of so
// many; so has the variance of the residuals. With the start as exact they do not.
static void test_starts(void)
{
    static const struct {
        const char *name;
        void (*make)(rng *, double *);
        int worlds;
    } kind[] = {{"swings", noisy_swing, RUN(60, 5)},
                {"flights", noisy_flight, RUN(12, 1)},
                {"slides", noisy_slide, RUN(30, 2)}};
    for (size_t k = 0; k < sizeof kind / sizeof kind[0]; k++) {
        double square = 0, exact = 0, variance = 0, count = 0;
        for (int seed = 1; seed <= kind[k].worlds; seed++) {
            double wanted[3];
            rng r = {(uint64_t)seed};
            kind[k].make(&r, wanted);
            for (int known = 0; known < 2; known++) {
                (void)tac_fit(&guess, &fit, &w, NULL);
                for (int i = 0; i < fit.parameters; i++) {
                    const double off = (double)fit.value[i] - wanted[i];
                    const double part = off * off / (double)fit.covariance[i * fit.parameters + i];
                    *(known ? &exact : &square) += part;
                }
                variance += known ? 0 : (double)fit.variance;
                count += known ? 0 : fit.parameters;
                for (uint32_t at = 0; at < fit.sections; at++) { section[at].unknowns = 0; }
            }
        }
        tap_note(kind[k].name, kind[k].worlds);
        tap_note("their mean square with the start unknown", square / count);
        tap_note("with the start as exact", exact / count);
        tap_near(square / count, 1, 4 * d_sqrt(2 / count), "starts with errors: mean square of errors over deviations");
        tap_near(variance / kind[k].worlds, 1, 4 * d_sqrt(2.0 / (STEPS * kind[k].worlds)), "variance of the residuals");
        tap_least(exact / count, 2, "with the start as exact deviations are too small");
    }
}

// A fall from a height that is measured as well as all that follows tells it. The covariance of gravity's factor is
// then that of two unknowns of a straight line, sum of (f a_i + z - z_i)^2 W^2 + z^2/d^2, in a closed form: with the
// start's measurement left out, or counted twice, it is another.
static void test_prior(void)
{
    const double deviation = 1e-3, weight = 100;
    rng r = {7};
    tac_real off[2 * TAC_MAX_VELOCITIES] = {0};
    flight_model(&truth, d3_make(0, 0, 0), 1);
    flight_model(&guess, d3_make(0, 0, 0), 1);
    guess.gravity = truth.gravity = vec(0, 0, -9);
    close_models();
    (void)tac_state_init(&guess, &start[0], NULL);
    const tac_pose pose = {vec(0, 0, 0), {1, 0, 0, 0}};
    (void)tac_state_set_body(&guess, &start[0], 1, pose, (tac_twist){vec(0, 0, 0), vec(0, 0, 0)});
    record(0, TAC_OBSERVE_POSE, 1, weight, 100, NULL);
    double line = 0, bend = 0;
    for (int i = 0; i < STEPS; i++) {
        const double a = (double)seen[0][i].pose.p.z;
        line += weight * weight * a, bend += weight * weight * a * a;
    }
    open_fit(1);
    ask(TAC_FIT_GRAVITY, 0, 0.5, 2, 0.01);
    ask_start(0, 2, deviation, &r, off);
    blur(0, off, &r);
    (void)tac_fit(&guess, &fit, &w, NULL);
    const double rest = weight * weight * STEPS + 1 / (deviation * deviation);
    tap_near((double)(fit.covariance[0] / fit.variance) * (bend - line * line / rest), 1, TOL(1e-6, 1e-2),
             "a measured start: covariance of gravity, over the closed form");
}

// ---------------------------------------------------------------------------------------------- bounds, slices, ends

static void test_bounds(void)
{
    open_tosses(1, 0.18, 0.12, 0.002);
    fit.parameters = 0;
    ask(TAC_FIT_FRICTION, 0, 0.25, 1, 0.05);
    ask(TAC_FIT_RESTITUTION, 0, 0, 1, 0.05);
    (void)tac_fit(&guess, &fit, &w, NULL);
    tap_equal(fit.verdict[0], TAC_FIT_AT_BOUND, "bounds: friction rests at its bound");
    tap_ok(fit.value[0] == (tac_real)0.25, "at the number that it is");
    tap_ok(fit.value[1] >= 0 && fit.value[1] <= 1 && fit.verdict[1] == TAC_FIT_KNOWN, "the other is fitted");
    tap_ok(fit.cost < fit.first_cost, "and the cost falls");
}

static int same_answer(const tac_fitting *a, const tac_fitting *b)
{
    const size_t values = a->parameters * sizeof *a->value;
    return truth_equal(a->value, b->value, values) &&
           truth_equal(a->covariance, b->covariance, a->parameters * values) &&
           truth_equal(a->verdict, b->verdict, a->parameters) && a->cost == b->cost && a->variance == b->variance &&
           a->rollouts == b->rollouts && a->iterations == b->iterations && a->ended == b->ended;
}

static void test_slices(void)
{
    const uint32_t sections = RUN(TOSSES, 2);
    open_tosses(3, 0.2, 0.1, 0.001);
    fit.sections = sections;
    (void)tac_fit(&guess, &fit, &w, NULL);
    truth_copy(&other, &fit, sizeof fit);
    rng r = {7};
    for (int trial = 0; trial < RUN(3, 2); trial++) {
        uint32_t slices = 0;
        open_fit(sections);
        ask(TAC_FIT_FRICTION, 0, 0, 1, 0.05);
        ask(TAC_FIT_RESTITUTION, 0, 0, 1, 0.05);
        (void)tac_fit_begin(&guess, &fit, NULL);
        while (fit.ended == TAC_FIT_RUNNING) {
            truth_fill(&w, sizeof w, UINT8_MAX);
            (void)tac_fit_advance(&guess, &fit, 1 + rng_below(&r, trial ? 300 : 2), &w);
            slices++;
        }
        tap_ok(same_answer(&fit, &other), tap_numbered("slices: the same to the bit; slices", slices));
    }
    for (uint32_t most = 1; most < 60; most += RUN(7, 19)) {
        open_tosses(3, 0.2, 0.1, 0.001);
        fit.max_rollouts = most;
        const tac_status status = tac_fit(&guess, &fit, &w, NULL);
        const int spent = fit.rollouts == most && fit.ended == TAC_FIT_ROLLOUTS && status == TAC_UNCONVERGED;
        tap_ok(spent && fit.cost <= fit.first_cost && fit.value[0] >= 0 && fit.value[0] <= 1,
               tap_numbered("so many roll-outs, and usable values", most));
    }
    double wanted[3];
    noisy_slide(&r, wanted);
    (void)tac_fit(&guess, &fit, &w, NULL);
    truth_copy(&other, &fit, sizeof fit);
    (void)tac_fit_begin(&guess, &fit, NULL);
    while (fit.ended == TAC_FIT_RUNNING) {
        truth_fill(&w, sizeof w, UINT8_MAX);
        (void)tac_fit_advance(&guess, &fit, 1 + rng_below(&r, 300), &w);
    }
    tap_ok(same_answer(&fit, &other), "slices: the same with a start that is unknown");
    open_tosses(3, 0.2, 0.1, 0.001);
    fit.max_iterations = 1;
    (void)tac_fit(&guess, &fit, &w, NULL);
    tap_ok(fit.ended == TAC_FIT_ITERATIONS && fit.iterations == 1, "one iteration");
    tap_equal(tac_fit_model(&guess, &fit, &fitted, NULL), TAC_OK, "the fitted model");
    tap_ok(fitted.material[0].friction == fit.value[0] && fitted.hash == tac_model_hash(&fitted),
           "has the values, sealed");
}

// ------------------------------------------------------------------------------------------------------------ refusals

static void refuse(tac_status expected, int field, int reason, const char *name)
{
    tac_fault fault;
    tac_real value[TAC_MAX_FIT];
    for (int i = 0; i < TAC_MAX_FIT; i++) { fit.value[i] = value[i] = (tac_real)0.123; }
    const tac_status status = tac_fit(&guess, &fit, &w, &fault);
    tap_equal(status, expected, name);
    tap_ok(fault.field == field && (int)fault.reason == reason, tap_numbered("by name; field", fault.field));
    tap_ok(truth_equal(value, fit.value, sizeof value), "values stay");
}

static void again(void)
{
    open_tosses(1, 0.2, 0.1, 0.001);
}

static void doubt(uint16_t coordinate, double deviation, double difference)
{
    unsure[1][0] = (tac_fit_unknown){
        .deviation = (tac_real)deviation, .difference = (tac_real)difference, .coordinate = coordinate};
    section[1].unknown = unsure[1];
    section[1].unknowns = 1;
}

static void test_refusals(void)
{
    again(), fit.parameters = 0;
    refuse(TAC_E_ARG, TAC_FIELD_FIT_PARAMETER, TAC_REASON_RANGE, "no parameters");
    again(), fit.parameters = TAC_MAX_FIT + 1;
    refuse(TAC_E_ARG, TAC_FIELD_FIT_PARAMETER, TAC_REASON_RANGE, "too many parameters");
    again(), fit.parameter[1].kind = TAC_FIT_KINDS;
    refuse(TAC_E_ARG, TAC_FIELD_FIT_PARAMETER, TAC_REASON_RANGE, "no such kind");
    again(), fit.parameter[1].index = 1;
    refuse(TAC_E_ARG, TAC_FIELD_FIT_PARAMETER, TAC_REASON_RANGE, "no such material");
    again(), fit.parameter[1].kind = TAC_FIT_ROUNDING, fit.parameter[1].index = 0;
    refuse(TAC_E_ARG, TAC_FIELD_FIT_PARAMETER, TAC_REASON_KIND, "edges of a half-space");
    again(), fit.parameter[1].kind = TAC_FIT_MASS, fit.parameter[1].index = 0;
    refuse(TAC_E_ARG, TAC_FIELD_FIT_PARAMETER, TAC_REASON_KIND, "the mass of the ground");
    again(), fit.parameter[1].kind = TAC_FIT_JOINT_REST, fit.parameter[1].index = 0;
    refuse(TAC_E_ARG, TAC_FIELD_FIT_PARAMETER, TAC_REASON_RANGE, "a joint of a model without any");
    again(), fit.parameter[1].kind = TAC_FIT_GRAVITY, fit.parameter[1].index = 1;
    refuse(TAC_E_ARG, TAC_FIELD_FIT_PARAMETER, TAC_REASON_RANGE, "a second gravity");
    again(), fit.parameter[0].lower = (tac_real)0.4;
    refuse(TAC_E_ARG, TAC_FIELD_FIT_BOUND, TAC_REASON_RANGE, "a start below its bounds");
    again(), fit.parameter[0].upper = real_nan();
    refuse(TAC_E_NAN, TAC_FIELD_FIT_BOUND, TAC_REASON_NOT_FINITE, "a bound that is no number");
    again(), fit.parameter[0].lower = -1;
    refuse(TAC_E_ARG, TAC_FIELD_FRICTION, TAC_REASON_RANGE, "a bound that the model does not pass");
    again(), fit.parameter[1].upper = 2;
    refuse(TAC_E_ARG, TAC_FIELD_RESTITUTION, TAC_REASON_RANGE, "restitution up to 2");
    again(), fit.parameter[0].difference = 0;
    refuse(TAC_E_ARG, TAC_FIELD_FIT_DIFFERENCE, TAC_REASON_NOT_POSITIVE, "no difference");
    again(), fit.parameter[0].difference = TOL(1e-15, (tac_real)1e-6);
    refuse(TAC_E_ARG, TAC_FIELD_FIT_DIFFERENCE, TAC_REASON_RANGE, "a difference of roundings");
    again(), fit.tolerance = 0;
    refuse(TAC_E_ARG, TAC_FIELD_FIT_OPTION, TAC_REASON_NOT_POSITIVE, "tolerance 0");
    again(), fit.robust = real_inf();
    refuse(TAC_E_NAN, TAC_FIELD_FIT_OPTION, TAC_REASON_NOT_FINITE, "an infinite option");
    again(), fit.sections = 0;
    refuse(TAC_E_ARG, TAC_FIELD_FIT_SECTION, TAC_REASON_RANGE, "no sections");
    again(), section[1].observations = 0;
    refuse(TAC_E_ARG, TAC_FIELD_FIT_SECTION, TAC_REASON_RANGE, "a section without observations");
    again(), section[1].start = NULL;
    refuse(TAC_E_ARG, TAC_FIELD_FIT_SECTION, TAC_REASON_NULL, "a section without a start");
    again(), start[1].model_hash ^= 1;
    refuse(TAC_E_MODEL, TAC_FIELD_HASH, TAC_REASON_MISMATCH, "a state of another model");
    again(), start[2].twist[1].w.y = real_nan();
    refuse(TAC_E_NAN, TAC_FIELD_VELOCITY, TAC_REASON_NOT_FINITE, "a state that is not finite");
    again(), seen[1][5].step = 3;
    refuse(TAC_E_ARG, TAC_FIELD_FIT_OBSERVATION, TAC_REASON_RANGE, "observations out of order");
    again(), seen[0][0].step = 0;
    refuse(TAC_E_ARG, TAC_FIELD_FIT_OBSERVATION, TAC_REASON_RANGE, "an observation of the start");
    again(), seen[0][7].index = 2;
    refuse(TAC_E_ARG, TAC_FIELD_FIT_OBSERVATION, TAC_REASON_RANGE, "a body that is not there");
    again(), seen[0][7].kind = TAC_OBSERVE_JOINT;
    refuse(TAC_E_ARG, TAC_FIELD_FIT_OBSERVATION, TAC_REASON_RANGE, "a joint that is not there");
    again(), seen[0][7].weight = -1;
    refuse(TAC_E_ARG, TAC_FIELD_FIT_OBSERVATION, TAC_REASON_RANGE, "a weight below 0");
    again(), seen[0][7].pose.p.x = real_nan();
    refuse(TAC_E_NAN, TAC_FIELD_FIT_OBSERVATION, TAC_REASON_NOT_FINITE, "a pose that is not finite");
    again(), seen[0][7].pose.q.w += (tac_real)0.1;
    refuse(TAC_E_ARG, TAC_FIELD_FIT_OBSERVATION, TAC_REASON_NOT_UNIT, "a quaternion that is not unit");
    again(), section[1].unknowns = 1;
    refuse(TAC_E_ARG, TAC_FIELD_FIT_SECTION, TAC_REASON_NULL, "an unknown that is not there");
    again(), doubt(12, 1, 1);
    refuse(TAC_E_ARG, TAC_FIELD_FIT_UNKNOWN, TAC_REASON_RANGE, "a coordinate that is not there");
    again(), doubt(11, 0, 1);
    refuse(TAC_E_ARG, TAC_FIELD_FIT_UNKNOWN, TAC_REASON_NOT_POSITIVE, "a start without a deviation");
    again(), doubt(11, 1, (double)real_nan());
    refuse(TAC_E_NAN, TAC_FIELD_FIT_UNKNOWN, TAC_REASON_NOT_FINITE, "a difference that is no number");
    again(), doubt(11, 1, 1), section[1].unknowns = TAC_MAX_FIT - 1;
    refuse(TAC_E_FULL, TAC_FIELD_FIT_UNKNOWN, TAC_REASON_FULL, "more unknowns than there is room");
    again(), guess.material[0].friction = 0;
    refuse(TAC_E_MODEL, TAC_FIELD_HASH, TAC_REASON_CHANGED, "a model that has changed");
    again();
    for (int i = 0; i < TOSSES * STEPS; i++) {
        seen[i / STEPS][i % STEPS].weight = seen[i / STEPS][i % STEPS].turn_weight = 0;
    }
    refuse(TAC_E_ARG, TAC_FIELD_FIT_OBSERVATION, TAC_REASON_RANGE, "nothing has a weight");
    again(), section[0].observations = TAC_MAX_FIT_ROWS / 6 + 1;
    static tac_observation many[TAC_MAX_FIT_ROWS / 6 + 1];
    for (int i = 0; i <= TAC_MAX_FIT_ROWS / 6; i++) { many[i] = seen[0][0]; }
    section[0].observation = many;
    refuse(TAC_E_FULL, TAC_FIELD_FIT_ROWS, TAC_REASON_FULL, "more rows than there is room");
    again();
    tap_equal(tac_fit(NULL, &fit, &w, NULL), TAC_E_ARG, "no model");
    tap_equal(tac_fit(&guess, NULL, &w, NULL), TAC_E_ARG, "no fit");
    tap_equal(tac_fit(&guess, &fit, NULL, NULL), TAC_E_ARG, "no work area");
    tap_equal(tac_fit_model(&guess, &fit, &guess, NULL), TAC_E_ARG, "the model in its own place");
    (void)tac_fit_init(&fit);
    tap_equal(tac_fit_advance(&guess, &fit, 1, &w), TAC_E_ORDER, "advance without begin");
    again(), (void)tac_fit_begin(&guess, &fit, NULL);
    tap_equal(tac_fit_advance(&truth, &fit, 1, &w), TAC_E_MODEL, "another model between slices");
}

int main(void)
{
    test_tosses();
    test_flight();
    test_masses();
    test_joint();
    test_covariance();
    test_starts();
    test_prior();
    test_bounds();
    test_slices();
    test_refusals();
    return tap_done();
}
