// SPDX-License-Identifier: MIT
// config: robots
// Time to contact against closed forms and Runge-Kutta: a ball that falls, meets a plate that the input sets moving, a
// ball that flies too; a brick that tumbles; a sled on a rail with a motor. What runs out of looks answers with a time
// before the touch. Bad arguments, memory of any contents.
#include "begin.h"
#include "bodies.h"
#include "truth.h"

static tac_model m;
static tac_state s;
static tac_input in;
static tac_work w;
static tac_ahead ahead;
static tac_meeting out;
static tac_meeting_query q;

static const double G = 9.81;

static void world(double h)
{
    tac_model_init(&m);
    m.h = (tac_real)h;
    tac_model_add_material(&m, (tac_real)0.5, 0);
    in = (tac_input){0};
    q = (tac_meeting_query){.horizon = 1, .body = 1, .looks = 400, .parts = 8};
}

static uint16_t add(uint8_t body_kind, uint8_t kind, d3 at, d3 v, d3 size)
{
    tac_body b = tac_body_make(body_kind, d3_to(at));
    b.velocity.v = d3_to(v);
    const uint16_t body = (uint16_t)tac_model_add_body(&m, &b);
    const tac_shape shape = tac_shape_make(body, kind, d3_to(size));
    tac_model_add_shape(&m, &shape);
    if (body_kind == TAC_DYNAMIC) { tac_model_mass_from_shapes(&m, body, 1000); }
    return body;
}

static tac_status ask(int uses_ahead)
{
    truth_fill(&w, sizeof w, 0xff);
    truth_fill(&ahead, sizeof ahead, 0xff);
    truth_fill(&out, sizeof out, 0xff);
    return tac_time_to_contact(&m, &s, &in, &q, &w, uses_ahead ? &ahead : NULL, &out);
}

// The answer is `truth`, not later than it and `early` before it at most.
static void expect(int uses_ahead, double truth, double early, const char *name)
{
    tap_equal(ask(uses_ahead), TAC_OK, name);
    tap_near(out.time, truth, early, "in time");
    tap_most((double)out.time - truth, TOL(1e-9, 2e-6), "not later");
}

static void test_ball(void)
{
    for (int k = 0; k < 6; k++) {
        const double z = 0.1 + 0.2 * k, v = 1.5 - 0.8 * k;
        world(0.01);
        add_floor(&m);
        add(TAC_DYNAMIC, TAC_SPHERE, d3_make(0, 0, z + 0.05), d3_make(1, 0, v), d3_make(0.05, 0, 0));
        begin_world(&m, &s);
        expect(0, (v + d_sqrt(v * v + 2 * G * z)) / G, 2e-6, "a ball that falls touches the floor");
        tap_near(out.point.z, 0, TOL(2e-6, 4e-6), "on its surface");
        tap_equal(out.shape, 1, "it is the ball");
        tap_equal(out.other, 0, "and the floor");
        tap_near(out.n.z, -1, TOL(1e-12, 1e-6), "which is below");
        q.horizon = out.time * (tac_real)0.99;
        tap_equal(ask(0), TAC_OK, "a shorter horizon");
        tap_equal(out.other, TAC_NONE, "has no touch");
        tap_near(out.time, q.horizon, 0, "and is seen wholly");
    }
    world(0.01);
    add_floor(&m);
    add(TAC_DYNAMIC, TAC_SPHERE, d3_make(0, 0, 0.05), d3_make(0, 0, 1), d3_make(0.05, 0, 0));
    begin_world(&m, &s);
    expect(0, 0, 0, "what touches now touches at 0");
    q.horizon = 0;
    expect(0, 0, 0, "without a horizon too");
    tap_equal(out.other, 0, "and is told");
}

// Bodies that are led: a plate that the input sets moving, one that the model moves, and one that turns.
static void test_led(void)
{
    world(0.01);
    m.gravity = vec(0, 0, 0);
    add(TAC_DYNAMIC, TAC_SPHERE, d3_make(0, 0, 0), d3_make(0, 0, 0), d3_make(0.05, 0, 0));
    const uint16_t plate = add(TAC_KINEMATIC, TAC_BOX, d3_make(0.3, 0, 0), d3_make(0, 0, 0), d3_make(0.01, 0.1, 0.1));
    begin_world(&m, &s);
    tap_equal(ask(0), TAC_OK, "a plate at rest");
    tap_equal(out.other, TAC_NONE, "meets nothing");
    in.actions = 2;
    in.action[0] = (tac_action){.linear = vec(5, 0, 0), .body = plate, .kind = TAC_VELOCITY};
    in.action[1] = (tac_action){.linear = vec(-2, 0, 0), .body = plate, .kind = TAC_VELOCITY};
    expect(0, 0.12, 2e-6, "one that the input sets moving meets the ball; the last command counts");
    q.body = plate;
    expect(1, 0.12, 2e-6, "asked about the plate");
    q.body = 1;
    in.actions = 0;
    m.body[plate].velocity.v = vec(-1, 0, 0);
    begin_world(&m, &s);
    expect(0, 0.24, 2e-6, "one that the model moves");

    // a bar of half length 0.5 and half width 0.01 turns about z; a ball waits at 0.4 m from its axis
    world(0.01);
    m.gravity = vec(0, 0, 0);
    add(TAC_DYNAMIC, TAC_SPHERE, d3_make(0, 0.4, 0), d3_make(0, 0, 0), d3_make(0.02, 0, 0));
    const uint16_t bar = add(TAC_KINEMATIC, TAC_BOX, d3_make(0, 0, 0), d3_make(0, 0, 0), d3_make(0.5, 0.01, 0.1));
    m.body[bar].velocity.w = vec(0, 0, 3);
    begin_world(&m, &s);
    expect(0, (TRUTH_PI / 2 - 0.07507049107671654) / 3, 3e-6, "a bar that turns"); // asin(0.03/0.4)
}

// Two that fly: relative motion is straight. Not free flight by the rule, so steps are made.
static void test_both(void)
{
    world(0.01);
    add(TAC_DYNAMIC, TAC_SPHERE, d3_make(0, 0, 5), d3_make(1.5, 0.02, 0), d3_make(0.05, 0, 0));
    add(TAC_DYNAMIC, TAC_SPHERE, d3_make(0.8, 0, 5), d3_make(-0.5, 0, 0), d3_make(0.05, 0, 0));
    begin_world(&m, &s);
    double t = 0.3;
    for (int i = 0; i < 60; i++) { // |d - v t| = 0.1
        const double x = 0.8 - 2 * t, y = 0.02 * t, r = d_sqrt(x * x + y * y);
        t += (r - 0.1) / 2;
    }
    tap_equal(ask(0), TAC_E_FULL, "steps need room");
    expect(1, t, TOL(3e-6, 2e-5), "two balls in flight");
    tap_equal(out.steps, (int)(t / (0.01 / 8)) + 1, "so many steps of h/parts");

    // one that is pushed away before the other comes: the first touch counts
    world(0.01);
    m.gravity = vec(0, 0, 0);
    add(TAC_DYNAMIC, TAC_SPHERE, d3_make(0, 0, 0), d3_make(0, 0, 0), d3_make(0.05, 0, 0));
    add(TAC_DYNAMIC, TAC_SPHERE, d3_make(0.31, 0, 0), d3_make(-1, 0, 0), d3_make(0.05, 0, 0));
    add(TAC_DYNAMIC, TAC_SPHERE, d3_make(-0.213, 0, 0), d3_make(1, 0, 0), d3_make(0.05, 0, 0));
    begin_world(&m, &s);
    expect(1, 0.113, TOL(2e-6, 5e-6), "the first of two that come");
    tap_equal(out.other, 2, "is the nearer");
}

// ----------------------------------------------------------------------------------------------------------- a brick

typedef struct turning {
    dq q;
    d3 w;
} turning;

static turning turning_rate(turning x, d3 i)
{
    const d3 spins = x.w;
    const dq spin = {0, spins.x, spins.y, spins.z};
    const dq by = dq_mul(x.q, spin);
    return (turning){
        {by.w / 2, by.x / 2, by.y / 2, by.z / 2},
        d3_make((i.y - i.z) / i.x * spins.y * spins.z, (i.z - i.x) / i.y * spins.z * spins.x, (i.x - i.y) / i.z * spins.x * spins.y)};
}

static turning turning_add(turning a, double t, turning b)
{
    return (turning){{a.q.w + t * b.q.w, a.q.x + t * b.q.x, a.q.y + t * b.q.y, a.q.z + t * b.q.z},
                     d3_add(a.w, d3_scale(t, b.w))};
}

static turning turning_step(turning x, double h, d3 i)
{
    const turning a = turning_rate(x, i), b = turning_rate(turning_add(x, h / 2, a), i),
                  c = turning_rate(turning_add(x, h / 2, b), i), d = turning_rate(turning_add(x, h, c), i);
    return turning_add(turning_add(turning_add(turning_add(x, h / 6, a), h / 3, b), h / 3, c), h / 6, d);
}

static double lowest(turning x, double z, d3 half)
{
    double low = z;
    for (int k = 0; k < 8; k++) {
        const d3 corner = d3_make(k & 1 ? half.x : -half.x, k & 2 ? half.y : -half.y, k & 4 ? half.z : -half.z);
        low = d_min(low, z + dq_rotate(x.q, corner).z);
    }
    return low;
}

static void test_brick(void)
{
    const double dt = 2e-5;
    double early = 0, late = 0;
    uint32_t looks = 0, met = 0;
    for (uint64_t seed = 1; seed <= RUN(200, 20); seed++) {
        rng r = {seed};
        const d3 half = d3_make(rng_range(&r, 0.02, 0.1), rng_range(&r, 0.02, 0.1), rng_range(&r, 0.02, 0.1));
        const double z = rng_range(&r, 0.25, 1), v = rng_range(&r, -1, 1);
        world(0.01);
        add_floor(&m);
        add(TAC_DYNAMIC, TAC_BOX, d3_make(0, 0, z), d3_make(0.3, 0, v), half);
        m.body[1].pose.q = dq_to(rng_quat(&r));
        m.body[1].velocity.w = d3_to(rng_box(&r, 12));
        begin_world(&m, &s);
        turning x = {dq_of(s.pose[1].q), d3_of(s.twist[1].w)};
        const d3 inertia = d3_of(m.body[1].inertia);
        // corners in the principal frame: the box has its own, in another order of axes perhaps
        const dq back = dq_conjugate(dq_of(m.body[1].inertial.q));
        d3 turned = dq_rotate(back, half);
        turned = d3_make(d_abs(turned.x), d_abs(turned.y), d_abs(turned.z));
        double t = 0, last = lowest(x, (double)s.pose[1].p.z, turned), now = last;
        while (now > 0 && t < 1) {
            x = turning_step(x, dt, inertia);
            t += dt;
            last = now;
            now = lowest(x, (double)s.pose[1].p.z + v * t - G * t * t / 2, turned);
        }
        const double truth = t - dt * now / (now - last);
        const tac_status status = ask(0);
        if (status != TAC_OK || out.other != 0 || t >= 1) { continue; }
        met++;
        looks = out.looks > looks ? out.looks : looks;
        early = d_max(early, truth - (double)out.time);
        late = d_max(late, (double)out.time - truth);
    }
    tap_least(met, RUN(200, 20), "bricks of unequal moments that tumble");
    tap_most(early, TOL(5e-6, 1e-5), "touch when Runge-Kutta says, 0.01 ms is asked");
    tap_most(late, TOL(5e-6, 5e-6), "and not later than by half of that"); // 2.4e-6 of 200
    tap_most(looks, 70, "in so many looks"); // 62 of 200
}

// ------------------------------------------------------------------------------------------------------ joints, looks

static void test_sled(void)
{
    world(0.01);
    m.gravity = vec(0, 0, 0);
    add(TAC_DYNAMIC, TAC_BOX, d3_make(0, 0, 0), d3_make(0, 0, 0), d3_make(0.1, 0.1, 0.1));
    tac_joint j;
    tac_joint_init(&j, TAC_PRISMATIC, 0, 1);
    tac_model_add_joint(&m, &j);
    const tac_shape wall = tac_shape_make(0, TAC_BOX, vec(0.2, 0.2, 0.1));
    const int32_t index = tac_model_add_shape(&m, &wall);
    m.shape[index].pose.p = vec(0, 0, 0.5);
    begin_world(&m, &s);
    in.motors = 1;
    in.motor[0] = (tac_motor){.effort = m.body[1].mass * 3, .kind = TAC_MOTOR_EFFORT};
    tap_equal(m.joint[0].collide, 0, "bodies of a joint do not collide");
    q.looks = 4000;
    tap_equal(ask(1), TAC_OK, "a sled on its rail");
    tap_equal(out.other, TAC_NONE, "does not meet what carries it");
    m.joint[0].collide = 1;
    begin_world(&m, &s);
    expect(1, d_sqrt(2 * 0.3 / 3), 2e-5, "unless it may: by a constant force, s = a t^2/2");
}

static void test_looks(void)
{
    world(0.01);
    add_floor(&m);
    add(TAC_DYNAMIC, TAC_BOX, d3_make(0, 0, 0.5), d3_make(0, 0, 0), d3_make(0.1, 0.02, 0.05));
    m.body[1].velocity.w = vec(5, 7, -6);
    begin_world(&m, &s);
    ask(0);
    const double truth = (double)out.time;
    const uint16_t needs = out.looks;
    int wrong = 0, short_of = 0;
    double last = 0;
    for (uint16_t looks = 0; looks < needs; looks++) {
        q.looks = looks;
        const tac_status status = ask(0);
        short_of += status == TAC_UNCONVERGED;
        wrong += (double)out.time > truth || (double)out.time < last || out.other != TAC_NONE;
        last = (double)out.time;
    }
    tap_equal(short_of, needs, "with fewer looks it says so");
    tap_equal(wrong, 0, "and answers with a time before the touch, the later the more looks");
    tap_least(last, 0.5 * truth, "which comes near");
}

static void test_refused(void)
{
    static tac_meeting kept;
    world(0.01);
    add_floor(&m);
    add(TAC_DYNAMIC, TAC_SPHERE, d3_make(0, 0, 1), d3_make(0, 0, 0), d3_make(0.05, 0, 0));
    begin_world(&m, &s);
    truth_fill(&out, sizeof out, 0x5a);
    truth_copy(&kept, &out, sizeof out);
    const tac_meeting_query good = q;
    tap_equal(tac_time_to_contact(NULL, &s, &in, &q, &w, &ahead, &out), TAC_E_ARG, "no model");
    tap_equal(tac_time_to_contact(&m, NULL, &in, &q, &w, &ahead, &out), TAC_E_ARG, "no state");
    tap_equal(tac_time_to_contact(&m, &s, &in, NULL, &w, &ahead, &out), TAC_E_ARG, "no question");
    tap_equal(tac_time_to_contact(&m, &s, &in, &q, NULL, &ahead, &out), TAC_E_ARG, "no work area");
    tap_equal(tac_time_to_contact(&m, &s, &in, &q, &w, &ahead, NULL), TAC_E_ARG, "no result");
    q.body = 2;
    tap_equal(tac_time_to_contact(&m, &s, &in, &q, &w, &ahead, &out), TAC_E_ARG, "no such body");
    q.body = TAC_NONE, q.shape = 2;
    tap_equal(tac_time_to_contact(&m, &s, &in, &q, &w, &ahead, &out), TAC_E_ARG, "no such shape");
    q = good, q.parts = 0;
    tap_equal(tac_time_to_contact(&m, &s, &in, &q, &w, &ahead, &out), TAC_E_ARG, "no parts");
    q = good, q.horizon = -1;
    tap_equal(tac_time_to_contact(&m, &s, &in, &q, &w, &ahead, &out), TAC_E_ARG, "a horizon in the past");
    q.horizon = real_nan();
    tap_equal(tac_time_to_contact(&m, &s, &in, &q, &w, &ahead, &out), TAC_E_ARG, "none at all");
    q = good, in.actions = 1, in.action[0] = (tac_action){.linear = vec(0, 0, 0), .body = 9};
    tap_equal(tac_time_to_contact(&m, &s, &in, &q, &w, &ahead, &out), TAC_E_ARG, "an input for no body");
    in.actions = 0, s.twist[1].v.x = real_nan();
    tap_equal(tac_time_to_contact(&m, &s, &in, &q, &w, &ahead, &out), TAC_E_NAN, "a state that is not finite");
    s.twist[1].v.x = 0, s.model_hash++;
    tap_equal(tac_time_to_contact(&m, &s, &in, &q, &w, &ahead, &out), TAC_E_MODEL, "a state of another model");
    s.model_hash--;
    tap_ok(truth_equal(&kept, &out, sizeof out), "a refusal writes nothing");
    tap_equal(tac_time_to_contact(&m, &s, NULL, &q, &w, NULL, &out), TAC_OK, "without input");
    q.horizon = TAC_MOST_POSITION;
    m.gravity = vec(0, 0, 0);
    tac_model_seal(&m, NULL);
    tac_state_init(&m, &s, NULL);
    tap_equal(tac_time_to_contact(&m, &s, NULL, &q, &w, NULL, &out), TAC_OK, "the longest horizon");
    tap_equal(out.other, TAC_NONE, "of a body at rest has no touch");
}

int main(void)
{
    test_ball();
    test_led();
    test_both();
    test_brick();
    test_sled();
    test_looks();
    test_refused();
    return tap_done();
}
