// SPDX-License-Identifier: MIT
// config: all
// Joints that are switched on and off, against closed forms: a weld that captures is a plastic impact, after which two
// bodies move as the one that they make; out of force a joint is as if it were not there, to the bit; random grabs and
// releases make no energy, move no body by more than its velocity, and are replayed to the bit from a packed state; a
// joint breaks at the end of the step in which its reaction is too large.
#include "random_mechanism.h"
#include "jointed.h"
#include "begin.h"

enum { GRABS = RUN(1000, 120), PAIRS = RUN(60, 12), APART = RUN(40, 6) };

static tac_model one, two;
static tac_state s, t, before;
static tac_work w;
static uint8_t bytes[8192];

static tac_real real_of(double x)
{
    return (tac_real)x;
}

// ------------------------------------------------------------------------------------------------------ bodies in sums

typedef struct sum {
    double mass, energy;
    d3 centre, momentum, spin; // spin about the centre
    double inertia[3][3];      // about the centre
} sum;

static d3 turned(const tac_state *x, uint16_t i, d3 a)
{
    return dq_rotate(dq_of(x->pose[i].q), a);
}

static void sum_inertia(sum *y, const tac_model *m, const tac_state *x, uint16_t i)
{
    const double own[3] = {(double)m->body[i].inertia.x, (double)m->body[i].inertia.y, (double)m->body[i].inertia.z};
    const double mass = (double)m->body[i].mass;
    const d3 r = d3_sub(d3_of(x->pose[i].p), y->centre);
    const double arm[3] = {r.x, r.y, r.z};
    for (int k = 0; k < 3; k++) {
        const d3 axis = turned(x, i, d3_make(k == 0, k == 1, k == 2));
        const double a[3] = {axis.x, axis.y, axis.z};
        for (int row = 0; row < 3; row++) {
            for (int col = 0; col < 3; col++) { y->inertia[row][col] += own[k] * a[row] * a[col]; }
        }
    }
    for (int row = 0; row < 3; row++) {
        for (int col = 0; col < 3; col++) {
            y->inertia[row][col] += mass * ((row == col ? d3_dot(r, r) : 0.0) - arm[row] * arm[col]);
        }
    }
}

static sum sum_of(const tac_model *m, const tac_state *x, uint16_t from, uint16_t to)
{
    sum y = {0};
    for (uint16_t i = from; i <= to; i++) {
        const double mass = (double)m->body[i].mass;
        const d3 v = d3_of(x->twist[i].v), w_own = d3_of(x->twist[i].w), moment = d3_of(m->body[i].inertia);
        y.mass += mass;
        y.centre = d3_add(y.centre, d3_scale(mass, d3_of(x->pose[i].p)));
        y.momentum = d3_add(y.momentum, d3_scale(mass, v));
        y.energy += 0.5 * mass * d3_dot(v, v) +
                    0.5 * (moment.x * w_own.x * w_own.x + moment.y * w_own.y * w_own.y + moment.z * w_own.z * w_own.z);
    }
    y.centre = d3_scale(1.0 / y.mass, y.centre);
    for (uint16_t i = from; i <= to; i++) {
        const d3 moment = d3_of(m->body[i].inertia), own = d3_of(x->twist[i].w);
        const d3 spin = d3_make(moment.x * own.x, moment.y * own.y, moment.z * own.z);
        const d3 r = d3_sub(d3_of(x->pose[i].p), y.centre);
        y.spin = d3_add(
            y.spin, d3_add(turned(x, i, spin), d3_cross(r, d3_scale((double)m->body[i].mass, d3_of(x->twist[i].v)))));
        sum_inertia(&y, m, x, i);
    }
    return y;
}

// I w = L by Cramer's rule.
static d3 sum_rotation(const sum *y)
{
    const d3 a = d3_make(y->inertia[0][0], y->inertia[1][0], y->inertia[2][0]);
    const d3 b = d3_make(y->inertia[0][1], y->inertia[1][1], y->inertia[2][1]);
    const d3 c = d3_make(y->inertia[0][2], y->inertia[1][2], y->inertia[2][2]);
    const double all = d3_dot(a, d3_cross(b, c));
    return d3_make(d3_dot(y->spin, d3_cross(b, c)) / all, d3_dot(a, d3_cross(y->spin, c)) / all,
                   d3_dot(a, d3_cross(b, y->spin)) / all);
}

// --------------------------------------------------------------------------------------------------------- two bodies

static void add_weld(tac_model *m, uint16_t a, uint16_t b, uint8_t begins)
{
    tac_joint j;
    tac_joint_init(&j, TAC_FIXED, a, b);
    j.frame_a.p = vec(0.1, -0.05, 0.02);
    j.switched = begins;
    tac_model_add_joint(m, &j);
}

// Bodies that fly and tumble, a metre apart.
static void flying(tac_model *m, rng *r, int bodies, double h)
{
    tac_model_init(m);
    m->h = real_of(h);
    m->gravity = vec(0, 0, 0);
    for (int i = 0; i < bodies; i++) {
        tac_body b = tac_body_make(TAC_DYNAMIC, d3_to(d3_add(d3_make(i, 0, 0), rng_box(r, 0.2))));
        b.mass = real_of(rng_range(r, 0.5, 4.0));
        b.inertia = vec(rng_range(r, 0.2, 0.3), rng_range(r, 0.2, 0.3), rng_range(r, 0.3, 0.35));
        b.pose.q = dq_to(rng_quat(r));
        b.velocity = (tac_twist){d3_to(rng_box(r, 1.0)), d3_to(rng_box(r, 2.0))};
        tac_model_add_body(m, &b);
    }
}

static void plastic(void)
{
    double momentum = 0, spin = 0, velocity = 0, energy = 0, jump = 0, apart = 0;
    for (uint64_t seed = 1; seed <= PAIRS; seed++) {
        rng r = {seed};
        flying(&one, &r, 2, 1e-3);
        add_weld(&one, 1, 2, TAC_JOINT_OFF);
        begin_world(&one, &s);
        if (tac_state_set_switch(&one, &s, 0, TAC_JOINT_CAPTURED)) { tap_ok(0, "a weld is refused"); }
        before = s;
        const sum x = sum_of(&one, &s, 1, 2);
        const d3 w_all = sum_rotation(&x);
        if (tac_step(&one, &s, NULL, &w) != TAC_OK) { tap_ok(0, "a step is not solved"); }
        const sum y = sum_of(&one, &s, 1, 2);
        d_worst(&momentum, d3_norm(d3_sub(y.momentum, x.momentum)));
        d_worst(&spin, d3_norm(d3_sub(y.spin, x.spin)));
        for (uint16_t i = 1; i <= 2; i++) {
            const d3 arm = d3_sub(d3_of(before.pose[i].p), x.centre);
            const d3 v = d3_add(d3_scale(1.0 / x.mass, x.momentum), d3_cross(w_all, arm));
            d_worst(&velocity, d3_norm(d3_sub(d3_of(s.twist[i].v), v)));
            d_worst(&velocity, d3_norm(d3_sub(turned(&s, i, d3_of(s.twist[i].w)), w_all)));
            const d3 moved = d3_sub(d3_of(s.pose[i].p), d3_of(before.pose[i].p));
            d_worst(&jump, d3_norm(d3_sub(moved, d3_scale((double)one.h, d3_of(s.twist[i].v)))));
        }
        d_worst(&energy, y.energy - 0.5 * (d3_dot(x.momentum, x.momentum) / x.mass + d3_dot(x.spin, w_all)));
        for (int i = 0; i < 200; i++) { (void)tac_step(&one, &s, NULL, &w); }
        d_worst(&apart, (double)w.report.joint_error);
        const sum z = sum_of(&one, &s, 1, 2);
        d_worst(&momentum, d3_norm(d3_sub(z.momentum, x.momentum)));
        d_worst(&spin, d3_norm(d3_sub(z.spin, x.spin)));
    }
    tap_most(momentum, TOL(1e-13, 2e-6), "a weld that captures keeps the momentum, in that step and later");
    tap_most(spin, TOL(1e-11, 2e-5), "and the angular momentum");
    tap_most(velocity, 3e-3, "both bodies have the velocity of the one that they make, to what they turn in a step");
    tap_most(energy, 1e-5, "its energy is that of the plastic impact, to what they turn in a step");
    tap_most(jump, TOL(1e-14, 1e-6), "no body moves by more than its velocity");
    tap_most(apart, TOL(1e-14, 3e-6), "the weld holds");
}

// Two boxes in a row, welded, and the body that they make: the motion of the first one's centre and axes.
static double differs(double h, int steps)
{
    tac_model_init(&one);
    one.h = real_of(h);
    one.gravity = vec(0.3, 0, -1);
    tac_body b = tac_body_make(TAC_DYNAMIC, vec(0, 0, 0));
    const d3 w_all = d3_make(0.5, 1.5, -0.8), v = d3_make(1, 0.2, 0.5);
    b.mass = 2;
    b.inertia = vec(0.2, 0.25, 0.3);
    b.velocity = (tac_twist){d3_to(d3_add(v, d3_cross(w_all, d3_make(-0.5, 0, 0)))), d3_to(w_all)};
    b.pose.p.x = real_of(-0.5);
    tac_model_add_body(&one, &b);
    b.velocity.v = d3_to(d3_add(v, d3_cross(w_all, d3_make(0.5, 0, 0))));
    b.pose.p.x = real_of(0.5);
    tac_model_add_body(&one, &b);
    add_weld(&one, 1, 2, TAC_JOINT_OFF);
    begin_world(&one, &s);
    if (tac_state_set_switch(&one, &s, 0, TAC_JOINT_CAPTURED)) { tap_ok(0, "a weld is refused"); }
    two = one;
    two.bodies = 2;
    two.joints = 0;
    two.body[1].mass = 4;
    two.body[1].inertia = vec(0.4, 0.5 + 1.0, 0.6 + 1.0);
    two.body[1].pose.p = vec(0, 0, 0);
    two.body[1].velocity = (tac_twist){d3_to(v), d3_to(w_all)};
    begin_world(&two, &t);
    for (int i = 0; i < steps; i++) {
        (void)tac_step(&one, &s, NULL, &w);
        (void)tac_step(&two, &t, NULL, &w);
    }
    const d3 at = d3_add(d3_of(t.pose[1].p), turned(&t, 1, d3_make(-0.5, 0, 0)));
    const d3 z = d3_sub(turned(&s, 1, d3_make(0, 0, 1)), turned(&t, 1, d3_make(0, 0, 1)));
    return d3_norm(d3_sub(d3_of(s.pose[1].p), at)) + d3_norm(z);
}

static void as_one(void)
{
    const double coarse = differs(2e-3, 250), fine = differs(1e-3, 500);
    tap_most(fine, 4e-4, "two bodies that are welded move as one");
    tap_near(coarse / fine, 2, 0.1, "to first order in h");
}

// --------------------------------------------------------------------------------------------------------- out of
// force

static void without(void)
{
    int same = 1, touched = 0;
    for (uint64_t seed = 1; seed <= APART; seed++) {
        rng r = {seed * 77};
        jointed_seed = (uint32_t)seed;
        if (jointed_build(&one) != TAC_OK) { continue; }
        two = one;
        const uint16_t a = (uint16_t)rng_below(&r, one.bodies - 1u), b = (uint16_t)(a + 1);
        tac_joint j = jointed_joint(&two, (uint8_t)(seed % JOINTED_KINDS), a, b, &r);
        j.switched = TAC_JOINT_OFF;
        j.armature = 0;
        tac_model_add_joint(&two, &j);
        begin_world(&one, &s);
        begin_world(&two, &t);
        for (uint32_t i = 0; i < 60; i++) {
            tac_input input;
            jointed_drive(&one, i, &input);
            (void)tac_step(&one, &s, &input, &w);
            (void)tac_step(&two, &t, &input, &w);
            touched += w.report.contacts > 0;
        }
        same &= truth_equal(s.pose, t.pose, sizeof s.pose) && truth_equal(s.twist, t.twist, sizeof s.twist);
        if (!same) { tap_note("seed", (double)seed); }
    }
    tap_ok(same && touched > 0, "joints out of force leave all bits as they are");
}

// Two balls of a world without another joint: they fly as free bodies do, with mean velocities, and hit each other
// although the joint would keep their shapes apart. Worlds with joints round rotations in another way, and follow
// contacts that roll from the start of a step, so these are no equal bits.
static void released(void)
{
    int hits = 0;
    double flight = 0, apart = 0;
    for (uint64_t seed = 1; seed <= APART; seed++) {
        rng r = {seed};
        flying(&one, &r, 2, 1e-3);
        one.gravity = vec(0, 0, -9.81);
        tac_model_add_material(&one, real_of(0.5), 0);
        for (uint16_t i = 1; i <= 2; i++) {
            const tac_shape ball = tac_shape_make(i, TAC_SPHERE, vec(0.2, 0, 0));
            one.body[i].velocity.v = vec(i == 1 ? 4 : -4, 0, 0);
            one.body[i].pose.p = vec(i - 1.5, rng_range(&r, -0.1, 0.1), 0);
            tac_model_add_shape(&one, &ball);
        }
        two = one;
        add_weld(&two, 1, 2, TAC_JOINT_OFF);
        begin_world(&one, &s);
        begin_world(&two, &t);
        int met = 0;
        for (int i = 0; i < 100; i++) {
            (void)tac_step(&one, &s, NULL, &w);
            met |= w.report.contacts > 0;
            (void)tac_step(&two, &t, NULL, &w);
            d_worst(met ? &apart : &flight, d3_norm(d3_sub(d3_of(s.pose[1].p), d3_of(t.pose[1].p))));
            d_worst(met ? &apart : &flight, d3_norm(d3_sub(d3_of(s.pose[2].p), d3_of(t.pose[2].p))));
        }
        hits += met;
    }
    tap_most(flight, TOL(1e-12, 1e-6), "released bodies fly as free ones do");
    tap_equal(hits, APART, "they meet");
    tap_most(apart, 2e-5, "and collide as others do");
}

// ----------------------------------------------------------------------------------------------------- grabs, releases

// A star of welds and a ring, so that loops close; an arm on a hinge that is always there.
static void grabbing(rng *r)
{
    flying(&one, r, 5, 2e-3);
    tac_joint j;
    tac_joint_init(&j, TAC_REVOLUTE, 1, 2);
    j.frame_a.p = vec(0.5, 0, 0);
    j.frame_b.p = vec(-0.5, 0, 0);
    one.body[2].pose = one.body[1].pose;
    one.body[2].pose.p =
        d3_to(d3_add(d3_of(one.body[1].pose.p), dq_rotate(dq_of(one.body[1].pose.q), d3_make(1, 0, 0))));
    one.body[2].velocity = one.body[1].velocity;
    one.body[1].velocity.w = one.body[2].velocity.w = vec(0, 0, 0);
    tac_model_add_joint(&one, &j);
    add_weld(&one, 2, 3, TAC_JOINT_OFF);
    add_weld(&one, 3, 4, TAC_JOINT_OFF);
    add_weld(&one, 2, 4, TAC_JOINT_OFF);
    add_weld(&one, 4, 5, TAC_JOINT_OFF);
    begin_world(&one, &s);
}

// One grab or release.
static void grab(rng *r, tac_state *x)
{
    const uint32_t joint = 1 + rng_below(r, 4);
    const int out = x->switched[joint].is == TAC_JOINT_OFF;
    if (tac_state_set_switch(&one, x, joint, out ? TAC_JOINT_CAPTURED : TAC_JOINT_OFF)) {
        tap_ok(0, "a switch is refused");
    }
}

// Velocities anew, from time to time: all of them lose energy only.
static void grab_stir(rng *r, tac_state *x)
{
    for (uint16_t b = 3; b <= 5; b++) {
        const tac_twist given = {d3_to(rng_box(r, 1.0)), d3_to(rng_box(r, 2.0))};
        if (tac_state_set_body(&one, x, b, tac_state_get_pose(&one, x, b), given)) { tap_ok(0, "not set"); }
    }
}

typedef struct grab_worst {
    double given, rise, momentum, way, apart; // given: energy at the last stir
    int refused, unsolved, replayed;
} grab_worst;

static void grab_step(grab_worst *x)
{
    before = s;
    const tac_status status = tac_step(&one, &s, NULL, &w);
    const sum a = sum_of(&one, &before, 1, 5), b = sum_of(&one, &s, 1, 5);
    x->refused += status < 0;
    x->unsolved += status != TAC_OK;
    x->rise = d_max(x->rise, b.energy / x->given - 1);
    d_worst(&x->momentum, d3_norm(d3_sub(b.momentum, a.momentum)) / d3_norm(a.momentum));
    d_worst(&x->apart, (double)w.report.joint_error);
    for (uint16_t i = 1; i <= 5; i++) {
        const d3 mean = d3_scale(0.5, d3_add(d3_of(before.twist[i].v), d3_of(s.twist[i].v)));
        const d3 moved = d3_sub(d3_of(s.pose[i].p), d3_of(before.pose[i].p));
        const double most = d3_norm(d3_of(before.twist[i].v)) + d3_norm(d3_of(s.twist[i].v)) + d3_norm(mean);
        x->way = d_max(x->way, d3_norm(moved) / ((double)one.h * most));
    }
}

// Is the same section, from the bytes of its beginning, the same to the bit?
static int grab_again(uint32_t size, uint32_t steps)
{
    truth_fill(&t, sizeof t, 0xA5);
    if (tac_state_unpack(&one, &t, bytes, size, NULL)) { return 0; }
    for (uint32_t k = 0; k < steps; k++) { (void)tac_step(&one, &t, NULL, &w); }
    return tac_state_hash(&one, &s) == tac_state_hash(&one, &t);
}

static void grabs(void)
{
    rng r = {4711};
    grab_worst x = {0, 0, 0, 0, 0, 0, 0, 1};
    uint32_t size = 0;
    grabbing(&r);
    x.given = sum_of(&one, &s, 1, 5).energy;
    for (int i = 0; i < GRABS; i++) {
        if (i % 8 == 7) {
            for (uint32_t joint = 1; joint <= 4; joint++) {
                (void)tac_state_set_switch(&one, &s, joint, TAC_JOINT_OFF);
            }
            grab_stir(&r, &s);
            x.given = sum_of(&one, &s, 1, 5).energy;
        }
        grab(&r, &s);
        if (tac_state_pack(&one, &s, TAC_PACK_EXACT, bytes, sizeof bytes, &size, NULL)) { tap_ok(0, "no room"); }
        const uint32_t steps = 1 + rng_below(&r, 12);
        for (uint32_t k = 0; k < steps; k++) { grab_step(&x); }
        x.replayed &= grab_again(size, steps);
    }
    tap_equal(x.refused + x.unsolved, 0, "random grabs and releases: each step is solved");
    tap_most(x.rise, TOL(1e-13, 2e-6), "none of them makes energy");
    tap_most(x.momentum, TOL(1e-13, 2e-6), "or momentum");
    tap_most(x.way, 1, "no body moves farther than its velocities lead");
    tap_most(x.apart, TOL(1e-12, 1e-5), "all welds hold");
    tap_ok(x.replayed, "replayed to the bit from packed states");
}

// ------------------------------------------------------------------------------------------------------------ breaking

// A body that hangs on the ground by its joint: weight 20 N, 0.5 m beside the frame of the joint.
static void hanging(uint8_t kind, double force, double torque)
{
    tac_model_init(&one);
    one.gravity = vec(0, 0, -10);
    tac_body b = tac_body_make(TAC_DYNAMIC, vec(0.5, 0, 1));
    b.mass = 2;
    b.inertia = vec(0.1, 0.1, 0.1);
    if (kind == TAC_DISTANCE) { b.pose.p = vec(0, 0, 1); }
    tac_model_add_body(&one, &b);
    tac_joint j;
    tac_joint_init(&j, kind, 0, 1);
    j.frame_a.p = vec(0, 0, 1);
    j.frame_b.p = vec(-0.5, 0, 0);
    if (kind == TAC_DISTANCE) {
        j.frame_a.p.z = 2;
        j.frame_b.p.x = 0;
        j.lower = 0;
        j.upper = 1;
    }
    j.switched = TAC_JOINT_ON;
    j.break_force = force > 0 ? real_of(force) : j.break_force;
    j.break_torque = torque > 0 ? real_of(torque) : j.break_torque;
    tac_model_add_joint(&one, &j);
    begin_world(&one, &s);
}

// The number of steps until it breaks, of 50.
static uint32_t holds(void)
{
    for (uint32_t i = 0; i < 50; i++) {
        if (tac_step(&one, &s, NULL, &w) < 0 || w.report.broken > 0) { return i; }
    }
    return 50;
}

static void breaking(void)
{
    static const uint8_t KIND[] = {TAC_FIXED, TAC_DISTANCE};
    for (size_t k = 0; k < sizeof KIND; k++) {
        hanging(KIND[k], 20.2, 0);
        tap_equal(holds(), 50, "a joint bears 1 % less than its strength");
        hanging(KIND[k], 19.8, 0);
        tap_equal(holds(), 0, "it breaks in the step that asks for 1 % more");
        tap_near(w.joint[0].force.z, 20, TOL(1e-6, 1e-2), "this step shows the reaction that it broke at");
        tap_equal(s.switched[0].is, TAC_JOINT_BROKEN, "the state says so");
        tap_near(s.twist[1].v.z, 0, 1e-4, "it has borne the weight to the end of the step");
        (void)tac_step(&one, &s, NULL, &w);
        tap_near(s.twist[1].v.z, -10 * (double)one.h, 1e-4, "then the body falls");
        tap_ok(w.report.broken == 0 && w.joint[0].force.z == 0 && w.report.joint_error == 0, "without the joint");
    }
    hanging(TAC_FIXED, 0, 10.1);
    tap_equal(holds(), 50, "a torque below its strength");
    hanging(TAC_FIXED, 0, 9.9);
    tap_equal(holds(), 0, "and one above");
    tap_near(d3_norm(d3_of(w.joint[0].torque)), 10, TOL(1e-6, 1e-2), "of weight times arm");
    tap_equal(tac_state_set_switch(&one, &s, 0, TAC_JOINT_CAPTURED), TAC_OK, "it may be mended");
    tap_equal(holds(), 0, "to break again");
}

// ------------------------------------------------------------------------------------------------------------ refusals

static void refuses_model(const tac_model *m, int field, int reason, const char *what)
{
    tac_fault fault;
    two = *m;
    tap_ok(tac_model_seal(&two, &fault) < 0 && fault.field == field && fault.reason == (uint32_t)reason, what);
}

static void refuses_state(int field, const char *what)
{
    t = s;
    tap_ok(tac_step(&one, &t, NULL, &w) < 0 && w.report.fault.field == field && truth_equal(&t, &s, sizeof s), what);
}

// Joints 0: weld that may be switched, 1: hinge that may be, 2: hinge that may not be.
static void refusing(void)
{
    rng r = {5};
    flying(&one, &r, 4, 1e-3);
    add_weld(&one, 1, 2, TAC_JOINT_OFF);
    tac_joint j;
    tac_joint_init(&j, TAC_REVOLUTE, 2, 3);
    j.switched = TAC_JOINT_OFF;
    tac_model_add_joint(&one, &j);
    j.switched = TAC_JOINT_ALWAYS;
    j.body_b = 4;
    tac_model_add_joint(&one, &j);
    begin_world(&one, &s);
}

static void refusals(void)
{
    refusing();
    tac_model m = one;
    m.joint[0].switched = TAC_JOINT_BROKEN;
    refuses_model(&m, TAC_FIELD_JOINT_SWITCH, TAC_REASON_RANGE, "no joint begins broken");
    m = one;
    m.joint[2].break_force = 1;
    refuses_model(&m, TAC_FIELD_JOINT_BREAK, TAC_REASON_UNUSED, "what may not be switched does not break");
    m = one;
    m.joint[0].break_torque = 0;
    refuses_model(&m, TAC_FIELD_JOINT_BREAK, TAC_REASON_NOT_POSITIVE, "a joint has some strength");
    m = one;
    m.joint[0].break_force = real_nan();
    refuses_model(&m, TAC_FIELD_JOINT_BREAK, TAC_REASON_NOT_FINITE, "which is a number");
    m = one;
    m.joint[1].armature = 1;
    refuses_model(&m, TAC_FIELD_JOINT_ARMATURE, TAC_REASON_UNUSED, "no rotor is switched on");
    m = one;
    tac_joint_init(&m.joint[3], TAC_COUPLING, 1, 2);
    m.joints = 4;
    refuses_model(&m, TAC_FIELD_JOINT_BODY, TAC_REASON_RANGE, "no coupling of a joint that may be switched");
    m.joint[1].switched = TAC_JOINT_ALWAYS;
    m.joint[3].switched = TAC_JOINT_ON;
    refuses_model(&m, TAC_FIELD_JOINT_SWITCH, TAC_REASON_UNUSED, "nor one that may be itself");

    tap_equal(tac_state_set_switch(&one, &s, 2, TAC_JOINT_OFF), TAC_E_ARG, "a joint for good is not switched");
    tap_equal(tac_state_set_switch(&one, &s, 3, TAC_JOINT_OFF), TAC_E_ARG, "nor one that is none");
    tap_equal(tac_state_set_switch(&one, &s, 1, TAC_JOINT_CAPTURED), TAC_E_ARG, "a hinge captures nothing");
    tap_equal(tac_state_set_switch(&one, &s, 0, TAC_JOINT_ON), TAC_E_ARG, "bodies apart do not jump together");
    tap_equal(tac_state_set_switch(&one, &s, 0, TAC_JOINT_BROKEN), TAC_E_ARG, "steps alone break joints");
    tap_equal(tac_state_set_switch(&one, NULL, 0, TAC_JOINT_OFF), TAC_E_ARG, "no state");
    t = s;
    t.model_hash++;
    tap_equal(tac_state_set_switch(&one, &t, 0, TAC_JOINT_OFF), TAC_E_MODEL, "another model's state");
    static tac_state good;
    good = s;
    s.switched[0].is = TAC_JOINT_STATES;
    refuses_state(TAC_FIELD_SWITCH, "a switch out of range");
    s.switched[0].is = TAC_JOINT_ALWAYS;
    refuses_state(TAC_FIELD_SWITCH, "a switch that is none");
    s = good;
    s.switched[2].is = TAC_JOINT_OFF;
    refuses_state(TAC_FIELD_SWITCH, "a switch of a joint that has none");
    s = good;
    s.switched[1].is = TAC_JOINT_CAPTURED;
    refuses_state(TAC_FIELD_SWITCH, "a hinge that has captured");
    s = good;
    s.switched[0].is = TAC_JOINT_CAPTURED;
    refuses_state(TAC_FIELD_SWITCH, "a frame whose quaternion is none");
    s.switched[0].frame.q.w = 1;
    s.switched[0].frame.p.x = real_nan();
    refuses_state(TAC_FIELD_SWITCH, "a frame that is no number");
    s = good;
}

// Another model of the same joints takes the state, and what it has captured; one whose joints are of other kinds not.
static void adopts(void)
{
    refusing();
    (void)tac_state_set_switch(&one, &s, 0, TAC_JOINT_CAPTURED);
    two = one;
    two.body[2].inertial = (tac_pose){vec(0.1, 0.2, -0.1), {real_of(0.8), real_of(0.6), 0, 0}};
    two.joint[0].break_force = 1e6;
    if (tac_model_seal(&two, NULL)) { tap_ok(0, "not sealed"); }
    tap_equal(tac_state_adopt(&one, &two, &s, NULL), TAC_OK, "other masses, another strength");
    (void)tac_step(&two, &s, NULL, &w);
    tap_ok(w.report.fault.field == TAC_FIELD_JOINT && w.report.fault.index == 2,
           "the weld holds there, other than a hinge");
    tac_fault fault;
    one = two;
    one.joint[2].switched = TAC_JOINT_ON;
    if (tac_model_seal(&one, NULL)) { tap_ok(0, "not sealed"); }
    tap_ok(tac_state_adopt(&two, &one, &s, &fault) == TAC_E_MODEL && fault.field == TAC_FIELD_JOINT_SWITCH,
           "a joint that may be switched is another one");
}

int main(void)
{
    plastic();
    as_one();
    without();
    released();
    grabs();
    breaking();
    refusals();
    adopts();
    return tap_done();
}
