// SPDX-License-Identifier: MIT
// config: all
// Surfaces that move over their bodies. Boxes and balls on a belt by the closed form, with every engine and by T03; the
// world on a belt is the world on the ground seen from the belt (Galilei); a turntable, a drum and a belt do what a
// kinematic body with their motion does; momenta of free bodies are kept; energy is what the belt has given less what
// slip has taken, whatever stops the solver; commands of the input, replay, roll-outs; what is refused, by name.
#include "begin.h"
#include "bodies.h"
#include "scenes.h"

static const double G = 9.81;
static tac_model m;
static tac_state s, other;
static tac_work w;
static tac_input input;

static void world(double h, double mu)
{
    tac_model_init(&m);
    m.h = (tac_real)h;
    tac_model_add_material(&m, (tac_real)mu, 0);
}

static void moves(uint16_t shape, d3 linear, d3 angular, d3 point)
{
    const tac_surface surface = {d3_to(linear), d3_to(angular), d3_to(point), shape};
    tac_model_add_surface(&m, &surface);
}

static const d3 NONE = {0, 0, 0};

static uint16_t solid(double mass, d3 at, uint8_t kind, d3 size)
{
    const double r = size.x;
    const d3 box = d3_scale(mass / 3, d3_make(size.y * size.y + size.z * size.z, size.x * size.x + size.z * size.z,
                                              size.x * size.x + size.y * size.y));
    const d3 ball = d3_scale(0.4 * mass * r * r, d3_make(1, 1, 1));
    const uint16_t body = add_body(&m, at, mass, kind == TAC_BOX ? box : ball);
    const tac_shape shape = tac_shape_make(body, kind, d3_to(size));
    tac_model_add_shape(&m, &shape);
    return body;
}

static d3 velocity(uint16_t body)
{
    return d3_of(s.twist[body].v);
}

// -------------------------------------------------------------------------------------------------------- closed forms

// A box is dropped at rest on a belt: v = mu g t up to the speed of the belt, and the slip is the rest of it.
static void test_box(void)
{
    const double mu = 0.3, speed = 0.6, h = 1e-3;
    double off = 0, slip = 0, sticks = 0;
    for (int solver = 0; solver < 4; solver++) {
        for (int law = 0; law < 2; law++) {
            world(h, mu);
            m.options.solver = (uint8_t)solver;
            m.options.friction = (uint8_t)law;
            m.options.max_sweeps = 200;
            add_floor(&m);
            moves(0, d3_make(0.6 * speed, -0.8 * speed, 5), NONE, NONE); // what goes along the normal has no effect
            solid(2, d3_make(0, 0, 0.1), TAC_BOX, d3_make(0.3, 0.3, 0.1));
            begin_world(&m, &s);
            for (int i = 1; i <= 300; i++) {
                const double v = d_min(mu * G * h * i, speed);
                tac_step(&m, &s, NULL, &w);
                const tac_vec3 u = w.contact[0].velocity;
                // the relaxed law lifts what slides, and only what has the belt's speed has it by both
                if (law == TAC_FRICTION_EXACT || i == 300) {
                    d_worst(&off, d3_norm(d3_sub(velocity(1), d3_make(0.6 * v, -0.8 * v, velocity(1).z))));
                    d_worst(&slip, d_abs(d_sqrt((double)(u.y * u.y + u.z * u.z)) - (speed - v)));
                }
                if (i == 300) { sticks += w.contact[0].mode == TAC_STICK; }
            }
        }
    }
    tap_most(off, TOL(1e-7, 2e-4), "a box on a belt: mu g t until it has the belt's speed, by every engine");
    tap_most(slip, TOL(1e-7, 2e-4), "its contacts report the slip on the belt");
    tap_equal((int)sticks, 8, "and that they stick to it at last");
}

// The same by the step of T03, which has the same rows.
static void test_lcp(void)
{
    static tac_lcp q;
    const double mu = 0.3, speed = 0.2, h = 1e-3;
    double off = 0;
    world(h, mu);
    add_floor(&m);
    moves(0, d3_make(speed, 0, 0), NONE, NONE);
    solid(2, d3_make(0, 0, 0.1), TAC_BOX, d3_make(0.3, 0.3, 0.1));
    begin_world(&m, &s);
    tac_lcp_init(&q);
    for (int i = 1; i <= 100; i++) {
        tac_step_lcp(&m, &s, NULL, &w, &q);
        d_worst(&off, d_abs(velocity(1).x - d_min(mu * G * h * i, speed)));
    }
    tap_most(off, TOL(1e-9, 1e-5), "and by T03");
}

// A ball is carried by a belt: it slides until its rim has the belt's speed, at 2/7 of it.
static void test_ball(void)
{
    const double speed = 0.7;
    double off = 0, spin = 0;
    world(1e-3, 0.5);
    add_floor(&m);
    moves(0, d3_make(0, speed, 0), NONE, NONE);
    solid(1, d3_make(0, 0, 0.2), TAC_SPHERE, d3_make(0.2, 0, 0));
    begin_world(&m, &s);
    for (int i = 0; i < 100; i++) { tac_step(&m, &s, NULL, &w); }
    d_worst(&off, d_abs(velocity(1).y - speed * 2 / 7));
    d_worst(&spin, d_abs((double)s.twist[1].w.x - speed * 5 / 7 / 0.2));
    tap_most(off, TOL(1e-9, 1e-5), "a ball on a belt moves with 2/7 of its speed");
    tap_most(spin, TOL(1e-8, 1e-4), "and turns with the rest");
}

// It falls on the belt and bounces: friction has mu (1 + e) of its speed, in one step.
static void test_bounce(void)
{
    const double mu = 0.2, e = 0.6, fall = 2, speed = 5;
    world(1e-3, mu);
    m.material[0].restitution = (tac_real)e;
    add_floor(&m);
    moves(0, d3_make(speed, 0, 0), NONE, NONE);
    solid(1, d3_make(0, 0, 0.2005), TAC_SPHERE, d3_make(0.2, 0, 0));
    m.gravity = vec(0, 0, 0);
    m.body[1].velocity.v = vec(0, 0, -fall);
    begin_world(&m, &s);
    tac_step(&m, &s, NULL, &w);
    tap_near(velocity(1).z, e * fall, TOL(1e-12, 1e-6), "a ball bounces from a belt");
    tap_near(velocity(1).x, mu * (1 + e) * fall, TOL(1e-12, 1e-6), "which drags it by mu of the whole impulse");
}

// What may bounce and rests on a belt is carried as any other.
static void test_rests(void)
{
    world(1e-3, 0.3);
    m.material[0].restitution = (tac_real)0.5;
    add_floor(&m);
    moves(0, d3_make(1, 0, 0), NONE, NONE);
    solid(2, d3_make(0, 0, 0.1), TAC_BOX, d3_make(0.3, 0.3, 0.1));
    begin_world(&m, &s);
    for (int i = 0; i < 50; i++) { tac_step(&m, &s, NULL, &w); }
    tap_near(velocity(1).x, 0.3 * G * 0.05, TOL(1e-9, 1e-5), "a box that might bounce is carried too");
}

// A turntable whose axis is not at the origin of its shape drags a ball across the way to the axis.
static void test_axis(void)
{
    world(1e-3, 0.1);
    add_floor(&m);
    moves(0, NONE, d3_make(0, 0, 2), d3_make(1, 0, 0));
    solid(1, d3_make(1, 0.5, 0.1), TAC_SPHERE, d3_make(0.1, 0, 0));
    begin_world(&m, &s);
    for (int i = 0; i < 5; i++) { tac_step(&m, &s, NULL, &w); }
    tap_most(d3_norm(d3_sub(velocity(1), d3_make(-0.1 * G * 0.005, 0, 0))), 2e-6, "a turntable turns about its axis");
}

// Two surfaces in one contact: what counts is their difference.
static void test_two(void)
{
    const double mu = 0.3, h = 1e-3;
    world(h, mu);
    add_floor(&m);
    solid(2, d3_make(0, 0, 0.1), TAC_BOX, d3_make(0.3, 0.3, 0.1));
    moves(1, d3_make(-0.25, 0, 0), NONE, NONE);
    moves(0, d3_make(0.15, 0, 0), NONE, NONE);
    begin_world(&m, &s);
    for (int i = 0; i < 50; i++) { tac_step(&m, &s, NULL, &w); }
    tap_near(velocity(1).x, mu * G * h * 50, TOL(1e-9, 1e-5), "a box with a track on a belt is driven");
    for (int i = 0; i < 150; i++) { tac_step(&m, &s, NULL, &w); }
    tap_near(velocity(1).x, 0.4, TOL(1e-9, 1e-5), "up to the sum of both speeds");
}

// ------------------------------------------------------------------------------------------------------------- Galilei

// A random heap: boxes, balls and capsules, some on hinges, above a floor. `speed`: the floor's surface, or the bodies
// have the negative of it.
static void heap(uint64_t seed, d3 belt, d3 start)
{
    rng r = {seed};
    world(2e-3, rng_range(&r, 0.1, 0.9));
    m.options.tolerance = (tac_real)TOL(1e-12, 0);
    m.options.max_sweeps = 400;
    m.options.solver = TAC_SOLVER_ACCELERATED;
    add_floor(&m);
    if (d3_norm(belt) > 0) { moves(0, belt, NONE, NONE); }
    for (int i = 0; i < 4; i++) {
        static const uint8_t kind[3] = {TAC_BOX, TAC_SPHERE, TAC_CAPSULE};
        const d3 size = d3_make(rng_range(&r, 0.1, 0.2), rng_range(&r, 0.1, 0.2), rng_range(&r, 0.1, 0.2));
        const uint16_t body = solid(rng_range(&r, 0.5, 2), d3_make(i % 2 * 0.3, i / 2 * 0.6, 0.2 + 0.3 * (i % 2)),
                                    kind[rng_below(&r, 3)], size);
        m.body[body].velocity.v = d3_to(d3_add(rng_box(&r, 1), start));
        m.body[body].velocity.w = d3_to(rng_box(&r, 2));
    }
    if (rng_below(&r, 2)) {
        tac_joint j;
        tac_joint_init(&j, TAC_REVOLUTE, 1, 2);
        j.frame_b.p = vec(-0.3, 0, -0.3);
        tac_model_add_joint(&m, &j);
    }
    begin_world(&m, &s);
}

static void test_galilei(void)
{
    const int worlds = RUN(12, 4), steps = RUN(60, 30);
    double off = 0, far = 0, moved = 0;
    for (int i = 0; i < worlds; i++) {
        const uint64_t seed = 7100 + (uint64_t)i;
        const d3 belt = d3_make(1.5, -0.5, 0);
        heap(seed, NONE, d3_scale(-1, belt));
        for (int k = 0; k < steps; k++) { tac_step(&m, &s, NULL, &w); }
        truth_copy(&other, &s, sizeof s);
        heap(seed, belt, NONE);
        for (int k = 0; k < steps; k++) { tac_step(&m, &s, NULL, &w); }
        for (uint16_t b = 1; b < m.bodies; b++) {
            const d3 v = d3_sub(d3_sub(velocity(b), belt), d3_of(other.twist[b].v));
            const d3 way = d3_scale(steps * (double)m.h, belt);
            const d3 x = d3_sub(d3_sub(d3_of(s.pose[b].p), way), d3_of(other.pose[b].p));
            d_worst(&off, d3_norm(v));
            d_worst(&far, d3_norm(x));
            d_worst(&moved, d3_norm(velocity(b)));
        }
    }
    tap_note("seeds from 7100, worlds", worlds);
    tap_least(moved, 0.5, "belts carry heaps");
    tap_most(off, TOL(1e-6, 5e-2), "a heap on a belt is one on the floor, seen from the belt: velocities");
    tap_most(far, TOL(1e-7, 5e-3), "and places");
}

// ------------------------------------------------------------------------------------------- against a moving body

// A body with prescribed motion that leaves its shape where it is, or its surface with that motion.
static void carrier(int what, int surface, double h)
{
    static const d3 turn = {0, 0, 3}, roll = {0, 2, 0}, way = {0.8, 0.3, 0};
    world(h, 0.6);
    tac_body b = tac_body_make(TAC_KINEMATIC, vec(0.2, -0.1, -0.5));
    const d3 linear = what == 0 ? way : NONE, angular = what == 1 ? turn : what == 2 ? roll : NONE;
    tac_shape shape = tac_shape_make(1,
                                     what == 0   ? TAC_HALF_SPACE
                                     : what == 1 ? TAC_BOX
                                                 : TAC_CYLINDER,
                                     vec(0.5, 0.5, 0.5));
    if (what == 0) { shape.pose.p = vec(0, 0, 0.5); }
    if (what == 2) { shape.pose.q = (tac_quat){(tac_real)d_sqrt(0.5), (tac_real)-d_sqrt(0.5), 0, 0}; } // z along y
    if (!surface) { b.velocity = (tac_twist){d3_to(linear), d3_to(angular)}; }
    tac_model_add_body(&m, &b);
    tac_model_add_shape(&m, &shape);
    // in the shape's frame; about the axis, at any of its points
    if (surface) { moves(0, linear, what == 2 ? d3_make(0, 0, 2) : angular, d3_make(0, 0, 0.3)); }
    solid(1, d3_make(0.4, 0, 0.1), TAC_BOX, d3_make(0.1, 0.07, 0.1));
    if (what == 2) {
        m.body[2].pose.p = vec(0.2, 0, 0.05);
        m.shape[1].size = vec(0.1, 0.07, 0.05);
    }
}

// A belt and a turntable carry a box for a while; a drum drags it from its top, in the first steps, before it rolls.
static void test_carriers(void)
{
    static const char *const name[3] = {"a belt", "a turntable", "a drum"};
    for (int what = 0; what < 3; what++) {
        const int steps = what == 2 ? 8 : 300;
        double off = 0;
        carrier(what, 0, 1e-3);
        begin_world(&m, &s);
        for (int i = 0; i < steps; i++) { tac_step(&m, &s, NULL, &w); }
        truth_copy(&other, &s, sizeof s);
        carrier(what, 1, 1e-3);
        begin_world(&m, &s);
        for (int i = 0; i < steps; i++) { tac_step(&m, &s, NULL, &w); }
        d_worst(&off, d3_norm(d3_sub(velocity(2), d3_of(other.twist[2].v))));
        d_worst(&off, d3_norm(d3_sub(d3_of(s.twist[2].w), d3_of(other.twist[2].w))));
        tap_least(d3_norm(velocity(2)), 0.02, tap_joined(name[what], "moves a box"));
        tap_most(off, TOL(1e-6, 1e-4), tap_joined(name[what], "does what a body with its motion does"));
    }
}

// -------------------------------------------------------------------------------------------------- reaction and
// energy

// Without gravity a block with a moving surface is pressed to a plate by its approach: what one gains the other loses.
static void test_reaction(void)
{
    world(1e-3, 0.4);
    m.gravity = vec(0, 0, 0);
    solid(2, d3_make(0, 0, 0), TAC_BOX, d3_make(0.5, 0.4, 0.1));
    solid(1, d3_make(0.1, 0.05, 0.2), TAC_BOX, d3_make(0.2, 0.2, 0.1));
    moves(0, d3_make(1, 0.2, 0), d3_make(0, 0, 2), d3_make(0.1, 0, 0));
    m.body[2].velocity.v = vec(0, 0, -1);
    begin_world(&m, &s);
    tac_step(&m, &s, NULL, &w);
    const d3 linear = d3_add(d3_scale(2, velocity(1)), velocity(2));
    d3 spin = d3_cross(d3_make(0.1, 0.05, 0.2), velocity(2));
    for (int i = 1; i < 3; i++) {
        const tac_vec3 inertia = m.body[i].inertia, rate = s.twist[i].w;
        spin = d3_add(
            spin, d3_make((double)(inertia.x * rate.x), (double)(inertia.y * rate.y), (double)(inertia.z * rate.z)));
    }
    tap_least(velocity(2).x, 0.05, "a moving surface throws a block");
    tap_most(d3_norm(d3_sub(linear, d3_make(0, 0, -1))), TOL(1e-12, 1e-6), "and its body recoils");
    tap_most(d3_norm(d3_sub(spin, d3_make(-0.05, 0.1, 0))), TOL(1e-6, 1e-6), "with the torque of the reaction");
}

// The robot on tracks: four feet at (+-a, +-b) turn it where their slips, all equal, have no torque: at v b/(a^2 +
// b^2).
static void test_tracks(void)
{
    const double h = 0.002, v = 0.3, a = 0.25, b = 0.2;
    const scene *tracks = scene_find("tracks");
    double away = 0, off = 0;
    tap_equal(tracks->build(&m), TAC_OK, "a robot on tracks");
    tac_state_init(&m, &s, NULL);
    for (uint32_t i = 0; i < 3500; i++) {
        tracks->drive(&m, i, &input);
        tac_step(&m, &s, &input, &w);
        const double turn = i < 500 ? 1 : -1;
        if (i % 500 > 100 && i < 1000) {
            d_worst(&away, d3_norm(d3_make((double)s.pose[1].p.x, (double)s.pose[1].p.y, 0)));
            d_worst(&off, d_abs((double)s.twist[1].w.z - turn * v * b / (a * a + b * b)));
        }
    }
    tap_most(away, TOL(1e-6, 1e-3), "turns on the spot");
    tap_most(off, TOL(2e-4, 1e-3), "as fast as equal slips have no torque");
    const d3 up = d3_scale(0.5, d3_make(d_cos(TRUTH_PI / 9), 0, d_sin(TRUTH_PI / 9)));
    tap_most(d3_norm(d3_sub(velocity(1), up)), TOL(1e-5, 1e-3), "and climbs 20 degrees with the speed of its tracks");
    tap_least((double)s.pose[1].p.z, 0.5, "half a metre so far");
    const d3 centre = d3_sub(d3_of(s.pose[1].p), d3_scale(h, velocity(1))); // where its contacts are
    d3 sum = {0, 0, 0}, torque = {0, 0, 0};
    for (int i = 0; i < w.report.contacts; i++) {
        const tac_contact *c = &w.contact[i];
        const d3 f = d3_add(
            d3_scale((double)c->impulse.x / h, d3_of(c->n)),
            d3_add(d3_scale((double)c->impulse.y / h, d3_of(c->u)), d3_scale((double)c->impulse.z / h, d3_of(c->w))));
        sum = d3_add(sum, f);
        torque = d3_add(torque, d3_cross(d3_sub(d3_of(c->point), centre), f));
    }
    tap_most(d3_norm(d3_sub(sum, d3_make(0, 0, 12 * G))), TOL(1e-4, 0.5), "its ground bears the weight");
    tap_most(d3_norm(torque), TOL(1e-4, 0.1), "without a torque about the centre: the drive acts on the robot itself");
}

// The power of the belt on the bodies at a contact: friction times the velocity of its surface there.
static double supplied(d3 belt)
{
    double sum = 0;
    for (int i = 0; i < w.report.contacts; i++) {
        const tac_contact *c = &w.contact[i];
        const d3 force =
            d3_add(d3_scale((double)c->impulse.y, d3_of(c->u)), d3_scale((double)c->impulse.z, d3_of(c->w)));
        if (c->body_a == 0) { sum += d3_dot(force, belt); }
    }
    return sum;
}

// A robot on hinges stands on a belt, and a solver is stopped after `sweeps`: its energy rises by no more than the belt
// supplies, and once it has settled by all of it.
static void test_energy(void)
{
    const d3 belt = d3_make(1.2, 0, 0);
    double made = 0, missed = 0, last = 0;
    for (int sweeps = 1; sweeps < 60; sweeps += sweeps) {
        world(1e-3, 0.7);
        m.options.max_sweeps = (uint16_t)sweeps;
        add_floor(&m);
        moves(0, belt, NONE, NONE);
        for (int i = 0; i < 3; i++) {
            solid(1, d3_make(0.5 * i, 0, 0.1), TAC_BOX, d3_make(0.2, 0.15, 0.1));
            tac_joint j;
            tac_joint_init(&j, TAC_REVOLUTE, (uint16_t)i, (uint16_t)(i + 1));
            j.frame_a.p = vec(0.25, 0, 0), j.frame_b.p = vec(-0.25, 0, 0);
            j.frame_a.q = j.frame_b.q = (tac_quat){(tac_real)d_sqrt(0.5), (tac_real)d_sqrt(0.5), 0, 0}; // about y
            if (i > 0) { tac_model_add_joint(&m, &j); }
        }
        begin_world(&m, &s);
        double before = 3 * G * 0.1, work = 0;
        for (int i = 0; i < 200; i++) {
            tac_step(&m, &s, NULL, &w);
            const double given = supplied(belt), now = (double)(w.report.kinetic + w.report.potential);
            work += given;
            d_worst(&made, d_max(now - before - given, 0));
            before = now;
        }
        d_worst(&missed, sweeps > 8 ? d_abs(0.5 * 3 * 1.2 * 1.2 - (double)w.report.kinetic) : 0);
        last = work;
    }
    tap_most(made, TOL(1e-5, 1e-5), "no step makes more energy than the belt supplies");
    tap_most(missed, TOL(1e-4, 1e-3), "and a chain on it has the belt's speed at last");
    tap_near(last, 3 * 1.2 * 1.2, TOL(2e-2, 2e-2), "for twice its energy: the other half is slip");
}

// --------------------------------------------------------------------------------------------------------------- input

static void push_surface(double speed)
{
    input.actions = 1;
    input.action[0] = (tac_action){vec(speed, 0, 0), vec(0, 0, 0), vec(0, 0, 0), 0, TAC_SURFACE};
}

// A belt that goes on and off: twice the same bits, and those of a model whose belt has that speed.
static void test_input(void)
{
    static tac_state middle, end;
    uint64_t hash[2] = {0, 0};
    for (int k = 0; k < 2; k++) {
        world(1e-3, 0.4);
        add_floor(&m);
        moves(0, d3_make(k ? 0.5 : 0, 0, 0), NONE, NONE);
        solid(1, d3_make(0, 0, 0.1), TAC_BOX, d3_make(0.1, 0.1, 0.1));
        begin_world(&m, &s);
        push_surface(0.5);
        for (int i = 0; i < 60; i++) { tac_step(&m, &s, k ? NULL : &input, &w); }
        s.model_hash = 0;
        hash[k] = tac_state_hash(&m, &s);
        s.model_hash = m.hash;
    }
    tap_ok(hash[0] == hash[1], "a command for a surface is what the model may have");
    for (int k = 0; k < 2; k++) {
        if (k) { truth_copy(&s, &middle, sizeof s); }
        if (!k) { truth_copy(&middle, &s, sizeof s); }
        for (int i = 0; i < 60; i++) {
            push_surface(i < 30 ? -0.2 : 0.01 * i);
            tac_step(&m, &s, &input, &w);
        }
        if (!k) { truth_copy(&end, &s, sizeof s); }
    }
    tap_ok(tac_state_hash(&m, &end) == tac_state_hash(&m, &s), "replayed from a snapshot: the same bits");
    tap_least(velocity(1).x, 0.02, "and the box follows");
}

// A box is put on a belt: its events are the touch with slip, and the end of it at V/(mu g).
static void test_events(void)
{
    static tac_event list[8];
    static tac_events events;
    const double mu = 0.25, speed = 0.3;
    world(1e-3, mu);
    add_floor(&m);
    moves(0, d3_make(speed, 0, 0), NONE, NONE);
    solid(1, d3_make(0, 0, 0.1), TAC_BOX, d3_make(0.1, 0.1, 0.1));
    begin_world(&m, &s);
    tac_events_begin(&m, &s, list, 8, &events);
    for (int i = 0; i < 300; i++) {
        tac_step(&m, &s, NULL, &w);
        tac_events_step(&m, &s, &w, &events);
    }
    tap_equal(events.count, 3, "a belt has three events with a box");
    tap_equal(list[0].kind << 8 | list[1].kind, TAC_EVENT_TOUCH << 8 | TAC_EVENT_SLIP, "it touches and slips");
    tap_equal(list[2].kind, TAC_EVENT_STICK, "and sticks");
    tap_near((double)list[2].step * 1e-3 + (double)list[2].time, speed / (mu * G), TOL(1e-9, 2e-5),
             "when it has the belt's speed");
}

// A ball on the axis of a turntable, which nothing but its resistance to spinning turns.
static void test_spinning(void)
{
    const double spinning = 0.01, rate = 2, inertia = 0.4 * 0.2 * 0.2;
    double off = 0;
    world(1e-3, 0.5);
    m.material[0].spinning = (tac_real)spinning;
    add_floor(&m);
    moves(0, NONE, d3_make(0, 0, rate), NONE);
    solid(1, d3_make(0, 0, 0.2), TAC_SPHERE, d3_make(0.2, 0, 0));
    begin_world(&m, &s);
    for (int i = 1; i <= 400; i++) {
        tac_step(&m, &s, NULL, &w);
        d_worst(&off, d_abs((double)s.twist[1].w.z - d_min(spinning * G / inertia * 1e-3 * i, rate)));
    }
    tap_most(off, TOL(1e-7, 1e-4), "a turntable takes a ball along by its resistance to spinning");
}

// Kept dynamics have no surfaces: such roll-outs take full steps.
static void test_rollout(void)
{
    static tac_refresh kept;
    static tac_prediction p;
    world(1e-3, 0.4);
    add_floor(&m);
    moves(0, d3_make(0.5, 0, 0), NONE, NONE);
    for (int i = 0; i < 2; i++) { solid(1, d3_make(0.3 * i, 0, 0.1), TAC_BOX, d3_make(0.1, 0.1, 0.1)); }
    tac_joint j;
    tac_joint_init(&j, TAC_FIXED, 1, 2);
    j.frame_a.p.x = (tac_real)0.3;
    tac_model_add_joint(&m, &j);
    begin_world(&m, &s);
    truth_fill(&p, sizeof p, 0);
    p.model = &m, p.steps = 40, p.most = (tac_real)1e30, p.fidelity.kept = &kept, p.fidelity.every = 5;
    tap_equal(tac_rollout(&p, &s, &w, NULL), TAC_OK, "a roll-out with kept dynamics on a belt");
    for (int i = 0; i < 40; i++) { tac_step(&m, &s, NULL, &w); }
    tap_ok(tac_state_hash(&m, &p.state) == tac_state_hash(&m, &s), "has the bits of full steps");
}

// -------------------------------------------------------------------------------------------------------------
// refusals

static void belts(void)
{
    world(1e-3, 0.4);
    add_floor(&m);
    solid(1, d3_make(0, 0, 0.1), TAC_BOX, d3_make(0.1, 0.1, 0.1));
    moves(0, d3_make(1, 0, 0), NONE, NONE);
    moves(1, d3_make(1, 0, 0), NONE, NONE);
}

static void refused(tac_real *value, double bad, uint16_t field, uint16_t index, uint32_t reason, const char *name)
{
    tac_fault fault;
    const tac_real good = *value;
    *value = (tac_real)bad;
    const tac_status status = tac_model_check(&m, &fault);
    tap_ok(status < 0 && fault.field == field && fault.index == index && fault.reason == reason, name);
    *value = good;
}

static void test_model(void)
{
    const double fast = 2 * (double)TAC_MOST_SPEED, nan = (double)real_nan();
    tac_fault fault;
    belts();
    tac_surface *x = &m.surface[1];
    refused(&x->linear.x, fast, TAC_FIELD_SURFACE, 1, TAC_REASON_RANGE, "a surface too fast");
    refused(&x->linear.z, nan, TAC_FIELD_SURFACE, 1, TAC_REASON_NOT_FINITE, "one that is no number");
    refused(&x->angular.y, -fast, TAC_FIELD_SURFACE, 1, TAC_REASON_RANGE, "one that turns too fast");
    refused(&x->point.x, 2 * (double)TAC_MOST_LENGTH, TAC_FIELD_SURFACE, 1, TAC_REASON_RANGE, "a far axis");
    x->shape = 2;
    tac_model_check(&m, &fault);
    tap_ok(fault.field == TAC_FIELD_SURFACE_SHAPE && fault.index == 1, "a surface of no shape");
    x->shape = 0;
    tac_model_check(&m, &fault);
    tap_ok(fault.field == TAC_FIELD_SURFACE_SHAPE && fault.index == 1, "two surfaces of one shape");
    x->shape = 1;
    tap_equal(tac_model_check(&m, &fault), TAC_OK, "else it is good");
    const uint32_t hash = tac_model_hash(&m);
    x->point.z = 1;
    tap_ok(tac_model_hash(&m) != hash, "all of it is in the hash");
    m.surfaces = TAC_MAX_SURFACES + 1;
    tac_model_check(&m, &fault);
    tap_ok(fault.field == TAC_FIELD_COUNT && fault.index == TAC_COUNT_SURFACES, "too many surfaces");
    m.surfaces = TAC_MAX_SURFACES;
    tap_equal(tac_model_add_surface(&m, x), TAC_E_FULL, "no room for another");
    tap_equal(tac_model_add_surface(&m, NULL), TAC_E_ARG, "no surface");
}

static void told(tac_status status, uint16_t field, const char *name)
{
    const tac_status got = tac_step(&m, &s, &input, &w);
    tap_ok(got == status && w.report.fault.field == field, name);
}

static void test_commands(void)
{
    belts();
    begin_world(&m, &s);
    push_surface(1);
    input.action[0].body = 2;
    told(TAC_E_ARG, TAC_FIELD_ACTION_BODY, "a command for no surface");
    input.action[0].body = 1;
    told(TAC_OK, TAC_FIELD_NONE, "for the last one");
    input.action[0].angular.y = real_nan();
    told(TAC_E_NAN, TAC_FIELD_ACTION_ANGULAR, "a rate that is no number");
    push_surface(2 * (double)TAC_MOST_SPEED);
    told(TAC_E_ARG, TAC_FIELD_ACTION_LINEAR, "a speed out of range");
    push_surface(1);
    input.action[0].kind = TAC_ACTION_KINDS, input.action[0].body = 1;
    told(TAC_E_ARG, TAC_FIELD_ACTION_KIND, "no such command");
    world(1e-3, 0.4);
    add_floor(&m);
    begin_world(&m, &s);
    push_surface(1);
    told(TAC_E_ARG, TAC_FIELD_ACTION_BODY, "a model without surfaces");
}

static int named(tac_status status)
{
    const tac_fault *f = &w.report.fault;
    return status == TAC_E_ARG && f->field == TAC_FIELD_SURFACE && f->reason == TAC_REASON_METHOD;
}

static void test_methods(void)
{
    static tac_lcp q;
    static tac_ncp ncp;
    static tac_instant instant;
    static tac_lcs y;
    static tac_step_derivative dy;
    static tac_real room[24 * 24];
    belts();
    begin_world(&m, &s);
    tac_lcp_init(&q);
    tac_ncp_init(&ncp);
    tap_ok(named(tac_accelerations(&m, &s, NULL, &w, &q, &instant)), "accelerations refuse moving surfaces, by name");
    tap_ok(named(tac_step_implicit(&m, &s, NULL, &w, &ncp)), "so does the step of CBAT07");
    tac_lcs_init(&y);
    y.A = y.B = y.D = y.d = y.E = y.F = y.H = y.c = room;
    y.room = (tac_linear_size){24, 24, 24};
    tap_ok(named(tac_linearise(&m, &s, NULL, &w, &q, &y)), "and linear systems");
    truth_fill(&dy, sizeof dy, 0);
    dy.A = dy.B = room;
    dy.room = y.room;
    tap_ok(named(tac_derivative(&m, &s, NULL, &w, &q, &dy)), "and derivatives");
}

int main(void)
{
    test_box();
    test_lcp();
    test_ball();
    test_bounce();
    test_rests();
    test_axis();
    test_two();
    test_galilei();
    test_carriers();
    test_reaction();
    test_tracks();
    test_energy();
    test_input();
    test_events();
    test_spinning();
    test_rollout();
    test_model();
    test_commands();
    test_methods();
    return tap_done();
}
