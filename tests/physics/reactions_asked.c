// SPDX-License-Identifier: MIT
// config: robots
// Reactions of joints on request, in all robot scenes: no step depends on whether or when they are asked for; a
// certificate in between changes them by rounding; they keep Newton's law for the whole robot; when they are refused.
#include "begin.h"
#include "robots.h"
#include "truth.h"

#define STEPS 300

static tac_model m;
static tac_state plain, s, before;
static tac_work w, certified;
static tac_input input;

static int same(const tac_work *a, const tac_work *b)
{
    const uint8_t *x = (const uint8_t *)a->joint, *y = (const uint8_t *)b->joint;
    for (size_t i = 0; i < m.joints * sizeof *a->joint; i++) {
        if (x[i] != y[i]) { return 0; }
    }
    return 1;
}

static double largest(void)
{
    double most = 0;
    for (uint32_t i = 0; i < m.joints; i++) {
        d_worst(&most, d3_norm(d3_of(w.joint[i].force)));
        d_worst(&most, d3_norm(d3_of(w.joint[i].torque)));
    }
    return most;
}

static double differ(const tac_work *a, const tac_work *b)
{
    double most = 0;
    for (uint32_t i = 0; i < m.joints; i++) {
        d_worst(&most, d3_norm(d3_sub(d3_of(a->joint[i].force), d3_of(b->joint[i].force))));
        d_worst(&most, d3_norm(d3_sub(d3_of(a->joint[i].torque), d3_of(b->joint[i].torque))));
    }
    return most;
}

// m (v+ - v) - h (m g + input + contacts + joints) of a body, over h.
static double unbalanced(uint16_t body)
{
    const double h = (double)m.h, mass = (double)m.body[body].mass;
    tac_wrench f;
    tac_body_force(&m, &w, body, s.pose[body].p, &f);
    d3 sum = d3_add(d3_scale(mass, d3_of(m.gravity)), d3_of(f.force));
    for (int i = 0; i < input.actions; i++) {
        const tac_action *a = &input.action[i];
        const d3 force =
            a->kind == TAC_WRENCH_BODY ? dq_rotate(dq_of(before.pose[body].q), d3_of(a->linear)) : d3_of(a->linear);
        if (a->body == body) { sum = d3_add(sum, force); }
    }
    for (uint32_t i = 0; i < m.joints; i++) {
        if (m.joint[i].body_b == body) { sum = d3_add(sum, d3_of(w.joint[i].force)); }
        if (m.joint[i].body_a == body) { sum = d3_sub(sum, d3_of(w.joint[i].force)); }
    }
    const d3 v = d3_add(d3_of(s.twist[body].v), d3_of(s.compensation[body].v)),
             from = d3_add(d3_of(before.twist[body].v), d3_of(before.compensation[body].v));
    return d3_norm(d3_sub(d3_scale(mass / h, d3_sub(v, from)), sum));
}

static int coupled(void)
{
    int couplings = 0;
    for (uint32_t i = 0; i < m.joints; i++) { couplings |= m.joint[i].kind == TAC_COUPLING; }
    return couplings;
}

// The same step, once with everything that may be asked and once with nothing.
static void test_scene(const scene *robot)
{
    double off = 0, most = 0, law = 0;
    int equal = 1, zeros = 1, good = 1, again = 1;
    truth_fill(&input, sizeof input, 0);
    if (robot->build(&m) != TAC_OK || tac_state_init(&m, &s, NULL) != TAC_OK) { tap_ok(0, robot->name); }
    truth_copy(&plain, &s, sizeof s);
    for (int i = 0; i < STEPS; i++) {
        tac_certificate c;
        if (robot->drive != NULL) { robot->drive(&m, (uint32_t)i, &input); }
        truth_copy(&before, &s, sizeof s);
        tac_step(&m, &plain, &input, &w);
        zeros &= largest() == 0.0;
        tac_step(&m, &s, &input, &certified);
        good &= tac_certify(&m, &certified, &c) == TAC_OK && tac_reactions(&m, &certified) == TAC_OK;
        good &= tac_reactions(&m, &w) == TAC_OK;
        d_worst(&off, differ(&w, &certified));
        d_worst(&most, largest());
        truth_copy(&certified, &w, sizeof w);
        again &= tac_reactions(&m, &certified) == TAC_OK && same(&certified, &w);
        for (uint16_t b = 1; b < m.bodies && !coupled(); b++) {
            if (m.body[b].kind == TAC_DYNAMIC) { d_worst(&law, unbalanced(b)); }
        }
        equal &= tac_state_hash(&m, &s) == tac_state_hash(&m, &plain);
    }
    tap_ok(good, tap_joined("reactions are given:", robot->name));
    tap_ok(zeros, "they are zeros until they are asked for");
    tap_ok(again, "asked for again they are the same");
    tap_ok(equal, "no step depends on whether they are asked for");
    tap_most(off / most, TOL(1e-11, 1e-3), "a certificate changes them by rounding");
    tap_most(law / most, TOL(1e-8, 1e-3), "each body keeps Newton's law with them");
}

static void test_refused(void)
{
    tac_work *none = NULL;
    const scene *robot = robot_find("stand");
    robot->build(&m);
    tac_state_init(&m, &s, NULL);
    truth_fill(&w, sizeof w, 0);
    tap_equal(tac_reactions(&m, none), TAC_E_ARG, "no work area");
    tap_equal(tac_reactions(NULL, &w), TAC_E_ARG, "no model");
    tap_equal(tac_reactions(&m, &w), TAC_E_ORDER, "no step has been taken");
    tac_step_begin(&m, &s, NULL, &w);
    tap_equal(tac_reactions(&m, &w), TAC_E_ORDER, "a step is open");
    tac_step_sweep(&m, &w, 1);
    tac_step_end(&m, &s, &w);
    tap_equal(tac_reactions(&m, &w), TAC_OK, "it is taken");
    tac_step(&m, &s, NULL, &w);
    tac_real acceleration[6 * TAC_MAX_BODIES];
    tac_step_accelerations(&m, &s, &w, acceleration);
    tap_equal(tac_reactions(&m, &w), TAC_E_ORDER, "its scratch has been used otherwise");
    robot_find("chain")->build(&m);
    tap_equal(tac_reactions(&m, &w), TAC_E_ORDER, "a step of another model");
}

int main(void)
{
    for (unsigned i = 0; i < robot_count; i++) { test_scene(&robots[i]); }
    test_refused();
    return tap_done();
}
