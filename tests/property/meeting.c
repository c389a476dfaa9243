// SPDX-License-Identifier: MIT
// config: robots
// variants: gcc-O2-32 gcc-O2-64 san-Og-64
// Time to contact in random worlds. Solids that fly past obstacles, some of them led: against their distances every
// 0.2 ms. Legs of a quadruped that stands on the other three, which swing by themselves, by efforts, or by stiff
// servos: against steps of 0.1 ms.
#include "begin.h"
#include "robots.h"
#include "truth.h"

#define WORLDS RUN(300, 20)
#define SWINGS RUN(40, 2)

enum { SWING_FREE, SWING_EFFORT, SWING_SERVO, SWING_KINDS };

static tac_model m, fine;
static tac_state s, now;
static tac_input in;
static tac_work w;
static tac_ahead ahead;
static tac_meeting out;

// --------------------------------------------------------------------------------------------------------- solids

static void add(rng *r, uint8_t body_kind, d3 at, double speed, double rate)
{
    static const uint8_t KIND[] = {TAC_SPHERE, TAC_CAPSULE, TAC_BOX, TAC_CYLINDER, TAC_CONE, TAC_ELLIPSOID};
    tac_body b = tac_body_make(body_kind, d3_to(at));
    b.pose.q = dq_to(rng_quat(r));
    b.velocity = (tac_twist){d3_to(rng_box(r, speed)), d3_to(rng_box(r, rate))};
    if (rng_below(r, 2)) { b.inertial = (tac_pose){d3_to(rng_box(r, 0.02)), dq_to(rng_quat(r))}; }
    const uint16_t body = (uint16_t)tac_model_add_body(&m, &b);
    const uint32_t shapes = 1 + rng_below(r, 2);
    for (uint32_t i = 0; i < shapes; i++) {
        tac_shape shape =
            tac_shape_make(body, KIND[rng_below(r, 6)],
                           vec(rng_range(r, 0.03, 0.1), rng_range(r, 0.03, 0.1), rng_range(r, 0.03, 0.1)));
        shape.pose = (tac_pose){d3_to(rng_box(r, 0.05)), dq_to(rng_quat(r))};
        if (rng_below(r, 3) == 0) { shape.rounding = (tac_real)0.01; }
        tac_model_add_shape(&m, &shape);
    }
    if (body_kind == TAC_DYNAMIC) {
        m.body[body].inertia = vec(rng_range(r, 1, 1.5), rng_range(r, 1, 1.5), rng_range(r, 1, 1.5));
    }
}

static void random_world(rng *r)
{
    tac_model_init(&m);
    m.h = (tac_real)0.01;
    tac_model_add_material(&m, (tac_real)0.5, 0);
    add(r, TAC_DYNAMIC, d3_make(0, 0, 0.6), 1.5, 8);
    add(r, TAC_KINEMATIC, d3_add(d3_make(0.3, 0, 0.4), rng_box(r, 0.2)), 1, 3);
    add(r, TAC_KINEMATIC, d3_add(d3_make(-0.3, 0, 0.4), rng_box(r, 0.2)), 0, 0);
    tac_shape floor = tac_shape_make(0, TAC_HALF_SPACE, vec(0, 0, 0));
    floor.pose.q = dq_to(dq_about(d3_make(1, 0, 0), rng_range(r, -0.3, 0.3)));
    tac_model_add_shape(&m, &floor);
}

// The least distance of body 1 from the others now.
static double least(void)
{
    double gap = 1e9;
    for (uint16_t i = 0; i < m.bodies; i++) {
        tac_nearest found;
        if (i != 1 && tac_distance(&fine, &now, 1, i, &w, &found) == TAC_OK) { gap = d_min(gap, (double)found.gap); }
    }
    return gap;
}

static void test_solids(void)
{
    const double dt = 2e-4, slack = TOL(2e-6, 1e-5);
    uint32_t touches = 0, passed = 0, early = 0, seed_passed = 0, seed_early = 0;
    for (uint64_t seed = 1; seed <= WORLDS; seed++) {
        rng r = {seed};
        random_world(&r);
        const tac_meeting_query q = {.horizon = (tac_real)0.3, .body = 1, .looks = 1000, .parts = 1};
        if (tac_model_seal(&m, NULL) || tac_state_init(&m, &s, NULL)) { continue; }
        if (tac_time_to_contact(&m, &s, NULL, &q, &w, NULL, &out) != TAC_OK) { continue; }
        touches += out.other != TAC_NONE;
        fine = m;
        fine.h = (tac_real)dt;
        for (uint16_t i = 0; i < fine.shapes; i++) { fine.shape[i].mask = 0; }
        if (tac_model_seal(&fine, NULL) || tac_state_init(&fine, &now, NULL)) { continue; }
        double gap = least(), speed = 0;
        for (int k = 0; (double)(k + 1) * dt <= (double)out.time - 1e-5; k++) {
            tac_step(&fine, &now, NULL, &w);
            const double then = least();
            speed = d_max(speed, d_abs(then - gap) / dt);
            gap = then;
            if (gap < -slack) { seed_passed = (uint32_t)seed; }
            if (gap < -slack) { break; }
        }
        passed += gap < -slack && out.time > 0; // else they overlap from the beginning
        const int far = out.other != TAC_NONE && gap > 3e-4 * (speed + 1);
        if (far) { seed_early = (uint32_t)seed; }
        early += (uint32_t)far;
    }
    tap_note("seed of the last that was passed", seed_passed);
    tap_note("seed of the last that was told too early", seed_early);
    tap_least(touches, WORLDS / 3, "solids that fly meet others");
    tap_equal(passed, 0, "none touches before");
    tap_equal(early, 0, "and at the time that is told they are there");
}

// ----------------------------------------------------------------------------------------------------------- legs

static void lift(uint32_t leg, double bend)
{
    const scene *stand = robot_find("stand");
    for (uint32_t k = 0; k < 200; k++) {
        const double b = bend * (k < 100 ? k / 100.0 : 1);
        stand->drive(&m, k, &in);
        in.motor[3 * leg + 1].position = (tac_real)b;
        in.motor[3 * leg + 2].position = (tac_real)(-2 * b);
        tac_step(&m, &s, &in, &w);
    }
    stand->drive(&m, 200, &in);
}

static void swing(rng *r, uint32_t leg, int kind)
{
    for (uint32_t j = 0; j < 3; j++) {
        tac_motor *x = &in.motor[3 * leg + j];
        if (kind == SWING_SERVO) {
            x->stiffness = (tac_real)rng_range(r, 60, 300);
            x->damping = (tac_real)rng_range(r, 1, 6);
            x->position = (tac_real)(j == 0 ? 0.0 : rng_range(r, -0.15, 0.1) * (j == 1 ? 1 : -2));
            continue;
        }
        x->kind = TAC_MOTOR_EFFORT;
        x->stiffness = x->damping = 0;
        x->effort = (tac_real)(kind == SWING_FREE || j == 0 ? 0.0 : rng_range(r, 0, 8) * (j == 1 ? -1 : 1));
    }
}

// When a foot bears a force, by steps of 0.1 ms.
static double lands(uint16_t foot)
{
    const double dt = 1e-4;
    fine = m;
    fine.h = (tac_real)dt;
    now = s;
    if (tac_model_seal(&fine, NULL) || tac_state_adopt(&m, &fine, &now, NULL)) { return -1; }
    for (int k = 0; k < 1500; k++) {
        tac_step(&fine, &now, &in, &w);
        for (uint16_t c = 0; c < w.report.contacts; c++) {
            const int is = w.contact[c].id.shape_a == foot || w.contact[c].id.shape_b == foot;
            if (is && w.contact[c].impulse.x > 0) { return dt * (k + 0.5); }
        }
    }
    return -1;
}

static void test_legs(void)
{
    static const char *const name[] = {"a leg that swings by itself", "by efforts", "by stiff servos"};
    uint32_t count[SWING_KINDS] = {0}, good[SWING_KINDS] = {0};
    double late = 0, early = 0;
    for (uint64_t seed = 1; seed <= SWINGS; seed++) {
        for (int kind = 0; kind < SWING_KINDS; kind++) {
            rng r = {seed * SWING_KINDS + (uint64_t)kind};
            robot_find("stand")->build(&m);
            const uint32_t leg = rng_below(&r, 4);
            if (tac_model_seal(&m, NULL) || tac_state_init(&m, &s, NULL)) { continue; }
            lift(leg, rng_range(&r, 0.3, 1));
            swing(&r, leg, kind);
            tac_meeting_query q = {
                .horizon = (tac_real)0.2, .body = m.joint[3 * leg + 2].body_b, .looks = 2000, .parts = 32};
            uint16_t foot = 0;
            for (uint16_t i = 0; i < m.shapes; i++) { foot = m.shape[i].body == q.body ? i : foot; }
            const double truth = lands(foot);
            if (truth < 0) { continue; }
            fine = m;
            fine.h = (tac_real)0.01;
            if (tac_model_seal(&fine, NULL) || tac_state_adopt(&m, &fine, &s, NULL)) { continue; }
            const tac_status status = tac_time_to_contact(&fine, &s, &in, &q, &w, &ahead, &out);
            const double error = status == TAC_OK && out.shape == foot ? (double)out.time - truth : 1;
            count[kind]++;
            good[kind] += d_abs(error) <= 5e-4;
            late = d_max(late, error);
            early = d_max(early, -error);
        }
    }
    for (int kind = 0; kind < SWING_KINDS; kind++) {
        tap_least(count[kind], SWINGS / 4, name[kind]);
        tap_least(good[kind], 0.95 * count[kind], "lands within 0.5 ms at h = 10 ms in 95 of 100 swings");
    }
    tap_note("ms early", 1e3 * early);
    tap_note("ms late", 1e3 * late);
    tap_most(late, 2.5e-4, "none is told a quarter of a millisecond too late");
    tap_most(early, 1e-3, "nor a millisecond too early");
}

int main(void)
{
    test_solids();
    test_legs();
    return tap_done();
}
