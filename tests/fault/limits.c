// SPDX-License-Identifier: MIT
// What is not refused but hard: full contact tables, extreme mass ratios, steps and sizes, deep overlaps.
#include "begin.h"
#include "scenes.h"
#include "truth.h"

static tac_model m;
static tac_state state;
static tac_work w;

// Twelve boxes, each a little deeper than the one before: 48 corners for TAC_MAX_CONTACTS places.
static void test_full_table(void)
{
    enum { BOXES = 12 };
    scene_find("overflow")->build(&m);
    m.gravity = vec(0, 0, 0);
    m.options.recovery = 0;
    for (int i = 1; i <= BOXES; i++) { m.body[i].pose.p.z -= (tac_real)(0.001 * ((i * 5) % BOXES)); }
    begin_world(&m, &state);
    const tac_status status = tac_step(&m, &state, NULL, &w);
    tap_ok(status >= 0 && (status & TAC_FULL), "a full table is said to be full");
    tap_equal(w.report.contacts, TAC_MAX_CONTACTS, "it is used to the last place");
    tap_equal(w.report.dropped, 4 * BOXES - TAC_MAX_CONTACTS, "the rest is counted");
    tap_equal(state.contacts_peak, 4 * BOXES, "the peak counts them too");
    tap_near(w.report.penetration, 0.011, 1e-6, "the deepest is known");
    // depths 11 mm .. 0, four each: those of the deepest eight boxes must be there
    double shallowest = 1.0;
    int ordered = 1;
    for (int i = 0; i < w.report.contacts; i++) {
        shallowest = d_min(shallowest, -(double)w.contact[i].gap);
        ordered = ordered && (i == 0 || w.contact[i].id.shape_b >= w.contact[i - 1].id.shape_b);
    }
    tap_least(shallowest, 0.001 * (BOXES - TAC_MAX_CONTACTS / 4) - 1e-6, "the deepest are kept");
    tap_ok(ordered, "in order of their shapes");
    tap_equal(tac_check(&m, &state, &w, NULL), TAC_OK, "invariants hold");

    const tac_pose aloft = {vec(0, 0, 100), state.pose[1].q};
    tac_state_set_body(&m, &state, 1, aloft, state.twist[1]);
    tac_step(&m, &state, NULL, &w);
    tap_equal(w.report.contacts + w.report.dropped, 4 * (BOXES - 1), "one box less is four contacts less");
    tap_equal(state.contacts_peak, 4 * BOXES, "the peak stays");
}

static void heavy_on_light(double ratio, const char *name)
{
    scene_find("stack")->build(&m);
    tac_body *top = &m.body[4];
    top->mass = (tac_real)ratio;
    top->inertia = vec(ratio / 6, ratio / 6, ratio / 6);
    begin_world(&m, &state);
    int good = 1;
    for (int k = 0; k < RUN(200, 10); k++) {
        good = good && tac_step(&m, &state, NULL, &w) >= 0 && tac_check(&m, &state, &w, NULL) == TAC_OK;
    }
    tap_ok(good, name);
    tap_most(d3_norm(d3_of(state.twist[4].v)), 50.0, tap_joined("nothing is thrown about:", name));
}

static void ball_on_floor(double h, double radius, double mass, double depth, const char *name)
{
    scene_find("sphere_slide")->build(&m);
    m.h = (tac_real)h;
    m.body[1].mass = (tac_real)mass;
    const double moment = 0.4 * mass * radius * radius;
    m.body[1].inertia = vec(moment, moment, moment);
    m.body[1].pose.p.z = (tac_real)(radius - depth);
    m.body[1].velocity.v = vec(0, 0, 0);
    m.shape[1].size = vec(radius, 0, 0);
    begin_world(&m, &state);
    int good = 1;
    for (int k = 0; k < RUN(100, 20); k++) {
        good = good && tac_step(&m, &state, NULL, &w) >= 0 && tac_check(&m, &state, &w, NULL) == TAC_OK;
    }
    const double z = (double)state.pose[1].p.z;
    tap_ok(good && z - radius <= 1e-4 * radius && z - radius >= -1.01 * depth - 1e-4 * radius, name);
}

static void test_extremes(void)
{
    heavy_on_light(1e6, "a million times heavier on top");
    heavy_on_light(1e-6, "a million times lighter on top");
    ball_on_floor(1e-6, 1.0, 1.0, 0.0, "a step of a microsecond");
    ball_on_floor(1.0, 1.0, 1.0, 0.0, "a step of a second");
    ball_on_floor(0.001, 1e-4, 1e-9, 0.0, "a grain of 0.1 mm and a microgram");
    ball_on_floor(0.001, 100.0, 1e9, 0.0, "a ball of 100 m and a megatonne");
}

// Recovery is clamped: overlap goes at |gravity| h, never faster.
static void test_deep_overlap(void)
{
    scene_find("sphere_slide")->build(&m);
    m.body[1].pose.p.z = (tac_real)0.5;
    m.body[1].velocity.v = vec(0, 0, 0);
    begin_world(&m, &state);
    double fastest = 0.0, rising = 1.0, z = 0.5;
    for (int k = 0; k < 50; k++) {
        tac_step(&m, &state, NULL, &w);
        fastest = d_max(fastest, (double)state.twist[1].v.z);
        rising = d_min(rising, (double)state.pose[1].p.z - z);
        z = (double)state.pose[1].p.z;
    }
    tap_most(fastest, 0.00981 * (1.0 + TOL(1e-12, 1e-5)), "deep overlap is recovered from slowly");
    tap_least(rising, 0.0, "but steadily");
    m.options.recovery = (tac_real)0.25;
    begin_world(&m, &state);
    tac_step(&m, &state, NULL, &w);
    tap_near(state.twist[1].v.z, 0.25, TOL(1e-12, 1e-6), "at the speed that the option says");
}

static void test_sizes(void)
{
    tap_most(sizeof(tac_model) + sizeof(tac_state) + sizeof(tac_work), TOL(57344, 28672),
             "model, state and work of the default configuration fit");
}

static void test_empty(void)
{
    tac_model_init(&m);
    begin_world(&m, &state);
    tap_equal(tac_step(&m, &state, NULL, &w), TAC_OK, "an empty world steps");
    tap_equal(w.report.contacts, 0, "without contacts");
    tap_near(w.report.residual, 0.0, 0.0, "and without residual");
    tap_equal(tac_check(&m, &state, &w, NULL), TAC_OK, "invariants hold");
    tap_equal(state.step, 1, "the step is counted");
}

int main(void)
{
    test_full_table();
    test_extremes();
    test_deep_overlap();
    test_sizes();
    test_empty();
    return tap_done();
}
