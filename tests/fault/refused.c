// SPDX-License-Identifier: MIT
// What is refused: by name, with the state untouched to the byte. Inputs, states, pointers, order of slices, results
// that would not be finite.
#include "scenes.h"
#include "tap.h"
#include "truth.h"

static tac_model m;
static tac_state state, kept;
static tac_work w;
static tac_input input;

static void begin(const char *name)
{
    if (scene_find(name)->build(&m) != TAC_OK || tac_state_init(&m, &state, NULL) != TAC_OK) {
        tap_ok(0, "scene refused");
    }
    for (int k = 0; k < 20; k++) { tac_step(&m, &state, NULL, &w); }
}

// One step that must be refused with this status, field, index and reason.
static void expect(const tac_input *in, tac_status status, uint16_t field, uint16_t index, uint16_t reason,
                   const char *name)
{
    truth_copy(&kept, &state, sizeof kept);
    const tac_status got = tac_step(&m, &state, in, &w);
    tap_equal(got, status, tap_joined("status:", name));
    tap_equal(w.report.status, status, tap_joined("report:", name));
    tap_ok(w.report.fault.field == field && w.report.fault.index == index && w.report.fault.reason == reason,
           tap_joined("named:", name));
    tap_ok(truth_equal(&state, &kept, sizeof state), tap_joined("nothing changed:", name));
}

// Three good actions on the three boxes of the scene; the tests spoil the last.
static void good_input(void)
{
    input.actions = 3;
    for (uint16_t i = 0; i < 3; i++) {
        input.action[i] = (tac_action){vec(1, 0, 0), vec(0, 0, 1), vec(0, 0, 0), (uint16_t)(i + 1), TAC_WRENCH_WORLD};
    }
}

static void test_input_values(void)
{
    static const char *const names[9] = {"linear.x",  "linear.y", "linear.z", "angular.x", "angular.y",
                                         "angular.z", "point.x",  "point.y",  "point.z"};
    static const uint16_t of[3] = {TAC_FIELD_ACTION_LINEAR, TAC_FIELD_ACTION_ANGULAR, TAC_FIELD_ACTION_POINT};
    const tac_real bad[3] = {real_nan(), real_inf(), -real_inf()};
    begin("pushed");
    for (int i = 0; i < 9; i++) {
        for (int k = 0; k < 3; k++) {
            good_input();
            tac_action *a = &input.action[2];
            tac_real *fields[9] = {&a->linear.x,  &a->linear.y, &a->linear.z, &a->angular.x, &a->angular.y,
                                   &a->angular.z, &a->point.x,  &a->point.y,  &a->point.z};
            *fields[i] = bad[k];
            expect(&input, TAC_E_NAN, of[i / 3], 2, TAC_REASON_NOT_FINITE, names[i]);
        }
    }
    good_input();
    input.actions = 2;
    input.action[2].linear.x = real_nan();
    tap_least(tac_step(&m, &state, &input, &w), 0, "an action out of use does not count");
}

static void test_input_indices(void)
{
    begin("pushed");
    static const uint16_t bodies[] = {0, 4, TAC_MAX_BODIES + 1, 65535};
    for (unsigned i = 0; i < sizeof bodies / sizeof bodies[0]; i++) {
        good_input();
        input.action[1].body = bodies[i];
        expect(&input, TAC_E_ARG, TAC_FIELD_ACTION_BODY, 1, TAC_REASON_RANGE, tap_numbered("body", bodies[i]));
    }
    good_input();
    input.action[0].kind = TAC_ACTION_KINDS;
    expect(&input, TAC_E_ARG, TAC_FIELD_ACTION_KIND, 0, TAC_REASON_RANGE, "unknown kind");
    good_input();
    input.action[2].kind = TAC_VELOCITY;
    expect(&input, TAC_E_ARG, TAC_FIELD_ACTION_KIND, 2, TAC_REASON_RANGE, "a velocity target for a dynamic body");
    good_input();
    truth_copy(&kept, &state, sizeof kept);
    input.actions = TAC_MAX_ACTIONS + 1;
    tap_equal(tac_step(&m, &state, &input, &w), TAC_E_ARG, "too many actions");
    tap_equal(w.report.fault.field, TAC_FIELD_COUNT, "named");
    tap_ok(truth_equal(&state, &kept, sizeof state), "nothing changed");
}

static void test_state_values(void)
{
    const tac_real bad[2] = {real_nan(), real_inf()};
    static tac_state good;
    begin("pushed");
    good = state;
    tap_least(good.warm_count, 1, "the state holds impulses");
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < 13; i++) {
            state = good;
            tac_pose *p = &state.pose[2];
            tac_twist *t = &state.twist[2];
            tac_real *fields[13] = {&p->p.x, &p->p.y, &p->p.z, &p->q.w, &p->q.x, &p->q.y, &p->q.z,
                                    &t->v.x, &t->v.y, &t->v.z, &t->w.x, &t->w.y, &t->w.z};
            *fields[i] = bad[k];
            expect(NULL, TAC_E_NAN, i < 7 ? TAC_FIELD_POSE : TAC_FIELD_VELOCITY, 2, TAC_REASON_NOT_FINITE,
                   i < 7 ? "state pose" : "state velocity");
        }
        state = good;
        state.warm[0].impulse.y = bad[k];
        truth_copy(&kept, &state, sizeof kept);
        tap_equal(tac_step(&m, &state, NULL, &w), TAC_E_NAN, "an impulse that is not finite");
        tap_ok(truth_equal(&state, &kept, sizeof state), "nothing changed");
    }
    state = good;
    state.warm_count = TAC_MAX_CONTACTS + 1;
    tap_ok(tac_step(&m, &state, NULL, &w) < 0, "too many impulses");
    state = good;
    state.model_hash ^= 1;
    expect(NULL, TAC_E_MODEL, TAC_FIELD_HASH, 0, TAC_REASON_MISMATCH, "a state of another model");
    state = good;
    tap_least(tac_step(&m, &state, NULL, &w), 0, "the good state is accepted again");
}

static void test_pointers(void)
{
    begin("pushed");
    truth_copy(&kept, &state, sizeof kept);
    tap_equal(tac_step(NULL, &state, NULL, &w), TAC_E_ARG, "no model");
    tap_equal(w.report.fault.reason, TAC_REASON_NULL, "named");
    tap_equal(tac_step(&m, NULL, NULL, &w), TAC_E_ARG, "no state");
    tap_equal(w.report.fault.field, TAC_FIELD_POINTER, "named");
    tap_equal(tac_step(&m, &state, NULL, NULL), TAC_E_ARG, "no work");
    tap_equal(tac_step_begin(NULL, &state, NULL, &w), TAC_E_ARG, "begin: no model");
    tap_equal(tac_step_begin(&m, NULL, NULL, &w), TAC_E_ARG, "begin: no state");
    tap_equal(tac_step_begin(&m, &state, NULL, NULL), TAC_E_ARG, "begin: no work");
    tap_equal(tac_step_sweep(NULL, &w, 1), TAC_E_ARG, "sweep: no model");
    tap_equal(tac_step_sweep(&m, NULL, 1), TAC_E_ARG, "sweep: no work");
    tap_equal(tac_step_end(NULL, &state, &w), TAC_E_ARG, "end: no model");
    tap_equal(tac_step_end(&m, NULL, &w), TAC_E_ARG, "end: no state");
    tap_equal(tac_step_end(&m, &state, NULL), TAC_E_ARG, "end: no work");
    tap_equal(tac_check(NULL, &state, &w, NULL), TAC_E_ARG, "check: no model");
    tap_equal(tac_check(&m, NULL, &w, NULL), TAC_E_ARG, "check: no state");
    tac_energy(&m, &state, NULL, NULL);
    tac_momentum(&m, &state, NULL, NULL);
    tap_ok(truth_equal(&state, &kept, sizeof state), "nothing changed");
    tap_equal(tac_state_set_body(&m, &state, 0, state.pose[1], state.twist[1]), TAC_E_ARG,
              "the ground stays where it is");
    tap_equal(tac_state_set_body(&m, &state, 4, state.pose[1], state.twist[1]), TAC_E_ARG, "no such body");
    tap_equal(tac_state_set_body(NULL, &state, 1, state.pose[1], state.twist[1]), TAC_E_ARG, "set: no model");
    tap_equal(tac_state_set_body(&m, NULL, 1, kept.pose[1], kept.twist[1]), TAC_E_ARG, "set: no state");
    tac_pose place = state.pose[1];
    place.p.x = real_nan();
    tap_equal(tac_state_set_body(&m, &state, 1, place, state.twist[1]), TAC_E_NAN, "set: NaN");
    place = state.pose[1];
    place.q = (tac_quat){0, 0, 0, 0};
    tap_equal(tac_state_set_body(&m, &state, 1, place, state.twist[1]), TAC_E_NAN, "set: no rotation");
    tap_ok(truth_equal(&state, &kept, sizeof state), "nothing changed by all that");
    state.model_hash ^= 4;
    tap_equal(tac_state_set_body(&m, &state, 1, kept.pose[1], kept.twist[1]), TAC_E_MODEL, "set: another model");
}

static void test_order(void)
{
    static tac_state other;
    static tac_model second;
    begin("pushed");
    truth_fill(&w, sizeof w, 0);
    tap_equal(tac_step_sweep(&m, &w, 1), TAC_E_ORDER, "sweep before begin");
    tap_equal(tac_step_end(&m, &state, &w), TAC_E_ORDER, "end before begin");
    tap_equal(tac_step_begin(&m, &state, NULL, &w), TAC_OK, "begin");
    other = state;
    other.step++;
    truth_copy(&kept, &other, sizeof kept);
    tap_equal(tac_step_end(&m, &other, &w), TAC_E_ORDER, "end with another state");
    tap_ok(truth_equal(&other, &kept, sizeof other), "which is untouched");
    scene_find("stack")->build(&second);
    tap_equal(tac_step_sweep(&second, &w, 1), TAC_E_ORDER, "sweep with another model");
    tap_least(tac_step_end(&m, &state, &w), 0, "end");
    truth_copy(&kept, &state, sizeof kept);
    tap_equal(tac_step_end(&m, &state, &w), TAC_E_ORDER, "end twice");
    tap_equal(tac_step_sweep(&m, &w, 1), TAC_E_ORDER, "sweep after end");
    tap_ok(truth_equal(&state, &kept, sizeof state), "nothing changed");
    input.actions = TAC_MAX_ACTIONS + 1;
    tap_equal(tac_step_begin(&m, &state, &input, &w), TAC_E_ARG, "begin refused");
    tap_equal(tac_step_end(&m, &state, &w), TAC_E_ORDER, "then there is nothing to end");
}

static void test_overflow(void)
{
    begin("pushed");
    const tac_twist out = {{TAC_MOST_SPEED, 0, 0}, {0, 0, 0}};
    tac_pose rim = tac_state_get_pose(&m, &state, 2);
    int tries = 0;
    for (rim.p.x = TAC_MOST_POSITION; tac_state_set_body(&m, &state, 2, rim, out) != TAC_OK && tries < 100000; tries++) {
        rim.p.x *= (tac_real)0.999;
    }
    tap_most(tries, 99999, "the fastest body in the farthest place that its inertia allows");
    expect(NULL, TAC_E_NAN, TAC_FIELD_POSE, 2, TAC_REASON_RANGE, "it leaves the range of places");
    begin("pushed");
    input.actions = 1;
    input.action[0] = (tac_action){{0, 0, TAC_MOST_FORCE}, vec(0, 0, 0), vec(0, 0, 0), 1, TAC_WRENCH_WORLD};
    expect(&input, TAC_E_NAN, TAC_FIELD_VELOCITY, 1, TAC_REASON_RANGE, "a force that makes it too fast");
    tap_least(tac_step(&m, &state, NULL, &w), 0, "the state goes on");
}

int main(void)
{
    test_input_values();
    test_input_indices();
    test_state_values();
    test_pointers();
    test_order();
    test_overflow();
    return tap_done();
}
