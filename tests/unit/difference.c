// SPDX-License-Identifier: MIT
// config: robots
// The difference of two states, and a state moved by it. Over random robots a + (b - a) is b, by the poses and
// velocities of all bodies; the difference of two states that a short free step connects is the step times the
// velocities; angles go the shorter way round. What is refused changes nothing.
#include "begin.h"
#include "forest.h"
#include "truth.h"

#define WORLDS RUN(400, 40)

static tac_model m;
static tac_state a, b, c;
static tac_input in;
static tac_work w;
static tac_coordinates map;
static tac_real q[TAC_MAX_POSITIONS], rate[TAC_MAX_VELOCITIES], x[2 * TAC_MAX_VELOCITIES];

static double far(tac_vec3 u, tac_vec3 v)
{
    return d3_norm(d3_sub(d3_of(u), d3_of(v)));
}

// Other coordinates, far from those of the state.
static int scatter(rng *r, tac_state *s)
{
    if (tac_state_get_coordinates(&m, s, &w, q, rate)) { return 0; }
    for (uint32_t i = 0; i < map.positions; i++) { q[i] += (tac_real)rng_range(r, -0.45, 0.45); }
    for (uint32_t i = 0; i < map.velocities; i++) { rate[i] += (tac_real)rng_range(r, -3, 3); }
    return tac_state_set_coordinates(&m, s, q, rate, &w) == TAC_OK;
}

static int begin(uint64_t seed, int what)
{
    forest_build(&m, &in, seed, what);
    return tac_model_seal(&m, NULL) == TAC_OK && tac_state_init(&m, &a, NULL) == TAC_OK &&
           tac_model_get_coordinates(&m, &w, &map) == TAC_OK;
}

static double apart(const tac_state *s, const tac_state *t)
{
    double worst = 0;
    for (uint32_t i = 1; i < m.bodies; i++) {
        const double fast = 1 + d3_norm(d3_of(t->twist[i].v)) + d3_norm(d3_of(t->twist[i].w));
        const tac_vec3 one = vec(1, 2, 3);
        worst = d_max(worst, far(s->pose[i].p, t->pose[i].p));
        worst = d_max(worst, far(tac_quat_rotate(s->pose[i].q, one), tac_quat_rotate(t->pose[i].q, one)));
        worst = d_max(worst, (far(s->twist[i].v, t->twist[i].v) + far(s->twist[i].w, t->twist[i].w)) / fast);
    }
    return worst;
}

static void test_back(void)
{
    double worst = 0, same = 0;
    uint32_t seen = 0, refused = 0;
    for (uint64_t seed = 1; seed <= WORLDS; seed++) {
        rng r = {seed};
        if (!begin(seed, FOREST_THIN | FOREST_LOOPS)) { continue; }
        truth_copy(&b, &a, sizeof b);
        if (!scatter(&r, &a) || !scatter(&r, &b)) { continue; }
        truth_copy(&c, &a, sizeof c);
        refused += tac_state_difference(&m, &a, &b, &w, x) != TAC_OK || tac_state_displace(&m, &c, x, &w) != TAC_OK;
        seen++;
        worst = d_max(worst, apart(&c, &b));
        truth_copy(&c, &a, sizeof c);
        for (uint32_t i = 0; i < 2u * map.velocities; i++) { x[i] = 0; }
        refused += tac_state_displace(&m, &c, x, &w) != TAC_OK;
        same += tac_state_hash(&m, &a) != tac_state_hash(&m, &c);
    }
    tap_least(seen, WORLDS / 2, "worlds with two states");
    tap_equal(refused, 0, "none is refused");
    tap_most(worst, TOL(1e-10, 5e-5), "a + (b - a) = b");
    tap_equal(same, 0, "a + 0 has the bits of a");
}

// In a step of 1 ms q moves by h times its rates, the mean of those at both ends, to the curvature of the step.
static void test_rates(void)
{
    double worst = 0;
    uint32_t seen = 0;
    for (uint64_t seed = 1; seed <= WORLDS; seed++) {
        rng r = {seed};
        forest_build(&m, &in, seed, FOREST_THIN);
        m.h = (tac_real)1e-3;
        for (uint32_t i = 0; i < m.joints; i++) {
            if (m.joint[i].lower < m.joint[i].upper) {
                m.joint[i].lower = 1, m.joint[i].upper = -1;
            } // leads back at once
        }
        if (tac_model_seal(&m, NULL) || tac_state_init(&m, &a, NULL) || tac_model_get_coordinates(&m, &w, &map)) {
            continue;
        }
        if (!scatter(&r, &a)) { continue; }
        truth_copy(&b, &a, sizeof b);
        if (tac_step(&m, &b, NULL, &w) < 0 || tac_state_difference(&m, &a, &b, &w, x)) { continue; }
        tac_state_get_coordinates(&m, &b, &w, q, rate);
        for (uint32_t i = 0; i < map.velocities; i++) {
            const double moved = (double)x[i] / (double)m.h, end = (double)rate[i];
            const double start = end - (double)x[map.velocities + i];
            const double off =
                d_abs(moved - 0.5 * (start + end)) / (1 + d_abs(start - end) + 0.02 * end * end + d_abs(end));
            worst = d_max(worst, off);
        }
        seen++;
    }
    tap_least(seen, WORLDS / 2, "worlds that step");
    tap_most(worst, 0.25, "a step moves q by h times its rates");
}

// A hinge at 3 rad and at -3 rad: 0.28 rad apart; one with limits knows no way round.
static void test_angles(int limits, double expected, const char *name)
{
    tac_joint_state at = {3, 0};
    tac_joint j;
    const tac_body body = tac_body_make(TAC_DYNAMIC, vec(0, 0, 0));
    tac_model_init(&m);
    tac_model_add_body(&m, &body);
    tac_joint_init(&j, TAC_REVOLUTE, 0, 1);
    if (limits) { j.lower = (tac_real)-3.1, j.upper = (tac_real)3.1; }
    tac_model_add_joint(&m, &j);
    begin_world(&m, &a);
    truth_copy(&b, &a, sizeof b);
    tap_equal(tac_state_set_joints(&m, &a, &at), TAC_OK, "at 3 rad");
    at.position = -3;
    tap_equal(tac_state_set_joints(&m, &b, &at), TAC_OK, "at -3 rad");
    tap_equal(tac_state_difference(&m, &a, &b, &w, x), TAC_OK, "apart");
    tap_near(x[0], expected, TOL(1e-14, 1e-6), name);
}

static void refuse(const tac_real *by, tac_status expected, const char *name)
{
    truth_copy(&c, &a, sizeof c);
    tap_equal(tac_state_displace(&m, &c, by, &w), expected, name);
    tap_ok(truth_equal(&c, &a, sizeof c), "the state stays");
}

static void test_refused(void)
{
    x[0] = x[1] = 0;
    refuse(NULL, TAC_E_ARG, "no displacement");
    x[1] = (tac_real)__builtin_nan("");
    refuse(x, TAC_E_NAN, "a rate that is not finite");
    x[1] = 2 * TAC_MOST_SPEED;
    refuse(x, TAC_E_ARG, "a rate out of range");
    x[0] = (tac_real)__builtin_inf(), x[1] = 0;
    refuse(x, TAC_E_NAN, "a place that is not finite");
    x[0] = 2 * TAC_MOST_POSITION;
    refuse(x, TAC_E_ARG, "a place out of range");
    tap_equal(tac_state_difference(&m, &a, NULL, &w, x), TAC_E_ARG, "no second state");
    tap_equal(tac_state_difference(&m, NULL, &a, &w, x), TAC_E_ARG, "no model");
    tap_equal(tac_state_difference(&m, &a, &b, NULL, x), TAC_E_ARG, "no work area");
    tap_equal(tac_state_difference(&m, &a, &b, &w, NULL), TAC_E_ARG, "no room");
    b.model_hash ^= 1;
    tap_equal(tac_state_difference(&m, &a, &b, &w, x), TAC_E_MODEL, "a state of another model");
}

int main(void)
{
    test_back();
    test_rates();
    test_angles(0, 2 * (TRUTH_PI - 3), "the shorter way round");
    test_angles(1, -6, "with limits the way between them");
    test_refused();
    return tap_done();
}
