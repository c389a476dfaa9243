// SPDX-License-Identifier: MIT
// config: robots
// Random chains, closed chains and free balls that fly about in a room, with restitution: impacts through joints.
//
// clang-format off
//   impacts    those of a step, before the cone program: they add no kinetic energy, e = 1 and e < 1, with friction and
//              without; at e = 1 without friction none is lost; what they change of velocities lets each joint be
//   momentum   m dv = sum of +-bounce, angular about the origin too, of all bodies together where none hangs on the room
//   steps      energy rises by no more than arcs of joints make in a step, and not in the long run
//   place      joints stay together, nobody leaves the room
// clang-format on
//
// Inertia is that of a ball, so that free rotation changes no velocity. No gravity: kinetic energy is all there is.
#include "begin.h"
#include "room.h"
#include "wild.h"

enum { WORLDS = RUN(40, 6), STEPS = 200 };

#define ROOM 0.55 // m, from its middle

static tac_model m;
static tac_state state;
static tac_work w;

typedef struct kind {
    const char *name;
    int friction, loops, hangs, rotors;
    double least; // restitution is between this and 1
} kind;

typedef struct tally {
    int refused, broken, impacts, jointed, most;
    double rise, fall, apart, momentum, step, run, kept, gap, outside;
} tally;

static uint16_t link(rng *r, d3 at, d3 speed)
{
    const double size = rng_range(r, 0.05, 0.08);
    tac_body b = tac_body_make(TAC_DYNAMIC, d3_to(at));
    b.pose.q = dq_to(rng_quat(r));
    b.velocity.v = d3_to(speed);
    b.mass = (tac_real)rng_range(r, 0.5, 3);
    b.inertia.x = b.inertia.y = b.inertia.z = (tac_real)((double)b.mass * size * size * rng_range(r, 0.2, 0.6));
    const uint16_t body = (uint16_t)tac_model_add_body(&m, &b);
    tac_shape s = tac_shape_make(body, (uint8_t)(TAC_SPHERE + rng_below(r, 3)), vec(size, size / 2, size));
    s.material = (uint8_t)rng_below(r, 3);
    tac_model_add_shape(&m, &s);
    return body;
}

// Frames of one orientation that meet between the bodies.
static void join(rng *r, const kind *k, uint16_t a, uint16_t b, uint8_t what)
{
    tac_joint j;
    const d3 pa = a ? d3_of(m.body[a].pose.p) : d3_of(m.body[b].pose.p), pb = d3_of(m.body[b].pose.p);
    const d3 at = d3_add(d3_scale(0.5, d3_add(pa, pb)), rng_box(r, 0.03));
    const dq q = rng_quat(r), qa = a ? dq_of(m.body[a].pose.q) : dq_of((tac_quat){1, 0, 0, 0}),
             qb = dq_of(m.body[b].pose.q);
    const d3 from = a ? d3_of(m.body[a].pose.p) : d3_make(0, 0, 0);
    tac_joint_init(&j, what, a, b);
    j.frame_a = (tac_pose){d3_to(dq_rotate(dq_conjugate(qa), d3_sub(at, from))), dq_to(dq_mul(dq_conjugate(qa), q))};
    j.frame_b = (tac_pose){d3_to(dq_rotate(dq_conjugate(qb), d3_sub(at, pb))), dq_to(dq_mul(dq_conjugate(qb), q))};
    if (k->rotors && what == TAC_REVOLUTE) { j.armature = (tac_real)rng_range(r, 0, 0.01); }
    tac_model_add_joint(&m, &j);
}

static void world(rng *r, const kind *k)
{
    static const uint8_t kinds[] = {TAC_SPHERICAL, TAC_REVOLUTE, TAC_UNIVERSAL, TAC_FIXED};
    tac_model_init(&m);
    m.h = (tac_real)rng_range(r, 0.0002, 0.0008);
    m.gravity = vec(0, 0, 0);
    m.options.warm_start = 0; // what begins a step is then impacts alone
    m.options.solver = rng_below(r, 2) ? TAC_SOLVER_ACCELERATED : TAC_SOLVER_DIRECT;
    m.options.max_sweeps = 200;
    for (int i = 0; i < 3; i++) {
        tac_model_add_material(&m, (tac_real)(k->friction ? 0.5 : 0), (tac_real)rng_range(r, k->least, 1));
    }
    room_build(&m, ROOM);
    for (int chain = 0; chain < 2; chain++) {
        const uint32_t links = k->loops ? 4 : 2 + rng_below(r, 3);
        const d3 speed = rng_box(r, 6.0);
        uint16_t first = 0, last = 0;
        for (uint32_t i = 0; i < links; i++) {
            const double x = k->loops ? 0.2 * (i == 1 || i == 2) : 0.2 * i - 0.3, y = k->loops ? 0.2 * (i > 1) : 0.0;
            const d3 at = d3_add(d3_make(x, y + 0.3 * chain - 0.3, chain ? 0.3 : -0.3), rng_box(r, 0.02));
            const uint16_t body = link(r, at, speed);
            if (last || k->hangs) { join(r, k, last, body, k->loops ? TAC_SPHERICAL : kinds[rng_below(r, 4)]); }
            last = body;
            first = i == 0 ? body : first;
        }
        if (k->loops) { join(r, k, last, first, TAC_SPHERICAL); }
    }
    link(r, d3_make(0.3, 0.4, 0.0), rng_box(r, 3.0));
    link(r, d3_make(-0.3, 0.4, 0.0), rng_box(r, 3.0));
    rng own = *r; // the worlds that follow do not depend on numbers
    wild_numbers(&m, NULL, &own);
}

// Kinetic energy with the velocities of the state, and with what `w` has added to them.
static double kinetic(const tac_state *s, int gained)
{
    double sum = 0.0;
    for (uint16_t i = 1; i < m.bodies; i++) {
        const tac_twist none = {{0, 0, 0}, {0, 0, 0}}, g = gained ? w.scratch.solve.free[i] : none;
        const d3 v = d3_add(d3_of(s->twist[i].v), d3_of(g.v)), turn = d3_add(d3_of(s->twist[i].w), d3_of(g.w));
        sum += 0.5 * (double)m.body[i].mass * d3_dot(v, v) + 0.5 * (double)m.body[i].inertia.x * d3_dot(turn, turn);
    }
    for (uint32_t i = 0; i < m.joints; i++) {
        const tac_joint *j = &m.joint[i];
        const d3 z =
            dq_rotate(dq_of(tac_state_get_pose(&m, s, j->body_b).q), dq_rotate(dq_of(j->frame_b.q), d3_make(0, 0, 1)));
        const d3 turn = d3_sub(world_rate(s, j->body_b), j->body_a ? world_rate(s, j->body_a) : d3_make(0, 0, 0));
        sum += 0.5 * (double)j->armature * d3_dot(z, turn) * d3_dot(z, turn);
    }
    return sum;
}

// Velocity that impacts have added to a point of the body.
static d3 point_rate(uint16_t body, d3 point)
{
    if (body == 0) { return d3_make(0, 0, 0); }
    const d3 turn = dq_rotate(dq_of(state.pose[body].q), d3_of(w.scratch.solve.free[body].w));
    return d3_add(d3_of(w.scratch.solve.free[body].v), d3_cross(turn, d3_sub(point, d3_of(state.pose[body].p))));
}

// The impacts of a step, as they are known when it has begun; `all` is the energy before.
static void judge_impacts(const kind *k, double all, tally *t)
{
    const double after = kinetic(&state, 1), speed = d_sqrt(2 * all / 0.5);
    d3 linear = {0, 0, 0}, angular = {0, 0, 0};
    if (k->rotors) { return; } // their impulses are boxes of the cone program, which has begun
    d_worst(&t->rise, d_max(0.0, after / all - 1.0));
    if (k->least >= 1 && !k->friction) { d_worst(&t->fall, d_max(0.0, 1.0 - after / all)); }
    for (uint32_t i = 0; i < m.joints; i++) {
        const tac_joint *j = &m.joint[i];
        const d3 at = world_place(&m, &state, j->body_b, j->frame_b.p);
        d_worst(&t->apart, d3_norm(d3_sub(point_rate(j->body_a, at), point_rate(j->body_b, at))) / speed);
    }
    for (uint16_t i = 1; i < m.bodies; i++) {
        const d3 p = d3_scale((double)m.body[i].mass, d3_of(w.scratch.solve.free[i].v));
        const d3 spin = d3_scale((double)m.body[i].inertia.x, d3_of(w.scratch.solve.free[i].w));
        linear = d3_add(linear, p);
        angular = d3_add(angular, d3_add(dq_rotate(dq_of(state.pose[i].q), spin), d3_cross(d3_of(state.pose[i].p), p)));
    }
    for (int i = 0; i < w.report.contacts; i++) {
        const tac_contact *c = &w.contact[i];
        const d3 g = d3_of(c->bounce), n = d3_of(c->n), u = d3_of(c->u), v = d3_of(c->w);
        const d3 p = d3_add(d3_scale(g.x, n), d3_add(d3_scale(g.y, u), d3_scale(g.z, v)));
        if (c->body_a != 0) { continue; }
        linear = d3_sub(linear, p);
        angular = d3_sub(angular, d3_cross(d3_of(c->point), p));
    }
    if (!k->hangs) {
        const double most = d_sqrt(2 * all * 80) * (1 + w.report.impacts);
        d_worst(&t->momentum, d_max(d3_norm(linear), d3_norm(angular)) / most);
    }
}

static void run(rng *r, const kind *k, tally *t)
{
    world(r, k);
    begin_world(&m, &state);
    tac_step(&m, &state, NULL, &w); // joints make velocities theirs
    const double first = kinetic(&state, 0);
    double highest = first;
    for (int step = 0; step < STEPS; step++) {
        const double last = kinetic(&state, 0);
        t->refused += tac_step_begin(&m, &state, NULL, &w) < 0;
        judge_impacts(k, last, t);
        t->impacts += w.report.impacts;
        for (int i = 0; i < w.report.contacts; i++) {
            t->jointed += w.contact[i].bounce.x > 0 && w.contact[i].body_b < m.bodies - 2;
        }
        t->most = w.report.impacts > t->most ? w.report.impacts : t->most;
        tac_step_sweep(&m, &w, 200);
        t->refused += tac_step_end(&m, &state, &w) < 0;
        t->broken += tac_check(&m, &state, &w, NULL) != TAC_OK;
        d_worst(&t->gap, (double)w.report.joint_error);
        const double now = kinetic(&state, 0);
        d_worst(&t->step, d_max(0.0, now / last - 1.0));
        highest = d_max(highest, now);
        for (uint16_t i = 1; i < m.bodies; i++) {
            const d3 p = d3_of(state.pose[i].p);
            d_worst(&t->outside, d_max(0.0, d_max(d_max(d_abs(p.x), d_abs(p.y)), d_abs(p.z)) - ROOM));
        }
    }
    d_worst(&t->run, highest / first - 1.0);
    d_worst(&t->kept, 1.0 - kinetic(&state, 0) / first);
}

// Two balls that a joint holds rigidly fly at a wall, one behind the other: half of the impulse that turns them back
// passes through the joint, and the joint shows it as its force.
static void test_share(void)
{
    tac_model_init(&m);
    m.gravity = vec(0, 0, 0);
    tac_model_add_material(&m, 0, 1);
    tac_shape wall = tac_shape_make(0, TAC_HALF_SPACE, vec(0, 0, 0));
    wall.pose.q = dq_to(dq_about(d3_make(0, 1, 0), TRUTH_PI / 2)); // looks along x
    tac_model_add_shape(&m, &wall);
    for (int i = 0; i < 2; i++) {
        tac_body b = tac_body_make(TAC_DYNAMIC, vec(0.1005 + 0.3 * i, 0, 0));
        b.velocity.v = vec(-1, 0, 0);
        tac_model_add_body(&m, &b);
        const tac_shape ball = tac_shape_make((uint16_t)(i + 1), TAC_SPHERE, vec(0.1, 0, 0));
        tac_model_add_shape(&m, &ball);
    }
    tac_joint j;
    tac_joint_init(&j, TAC_FIXED, 1, 2);
    j.frame_a.p = vec(0.3, 0, 0);
    tac_model_add_joint(&m, &j);
    begin_world(&m, &state);
    tap_ok(tac_step(&m, &state, NULL, &w) >= 0, "two balls on one joint reach a wall");
    tap_near(state.twist[1].v.x, 1, TOL(1e-12, 1e-5), "and leave it together, m/s");
    tap_near(state.twist[2].v.x, 1, TOL(1e-12, 1e-5), "both of them");
    tap_near((double)w.contact[0].bounce.x, 4, TOL(1e-11, 1e-4), "the wall turns both, N s");
    tac_reactions(&m, &w);
    tap_near((double)w.joint[0].force.x * (double)m.h, 2, TOL(1e-11, 1e-4), "the joint passes on half of it, N s");
}

int main(void)
{
    test_share();
    static const kind kinds[] = {
        {"e = 1", 0, 0, 0, 0, 1},
        {"e = 1, friction", 1, 0, 0, 0, 1},
        {"e < 1", 0, 0, 0, 0, 0},
        {"e < 1, friction", 1, 0, 0, 0, 0},
        {"e = 1, hanging", 0, 0, 1, 0, 1},
        {"e < 1, hanging, friction", 1, 0, 1, 0, 0},
        {"e = 1, rotors", 0, 0, 0, 1, 1},
        {"e = 1, loops", 0, 1, 0, 0, 1},
        {"e < 1, loops, friction", 1, 1, 0, 0, 0},
    };
    for (unsigned i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        const kind *k = &kinds[i];
        const uint64_t seed = 31200 + i;
        rng r = {seed};
        tally t = {0};
        tap_note_hex("seed", seed);
        for (int world_number = 0; world_number < WORLDS; world_number++) { run(&r, k, &t); }
        tap_note("impacts", t.impacts);
        tap_note("of links", t.jointed);
        tap_note("most in a step", t.most);
        tap_note("energy lost", t.kept);
        tap_note("worst step", t.step);
        tap_note("worst run", t.run);
        tap_note("joint gap", t.gap);
        tap_least(t.jointed, WORLDS / 2, tap_joined("links collide:", k->name));
        tap_equal(t.refused + t.broken, 0, tap_joined("every step is good:", k->name));
        tap_most(t.rise, TOL(1e-12, 1e-5), tap_joined("impacts add no energy:", k->name));
        tap_most(t.fall, TOL(1e-9, 1e-4), tap_joined("elastic ones take none:", k->name));
        tap_most(t.apart, TOL(1e-12, 1e-5), tap_joined("joints hold in impacts:", k->name));
        tap_most(t.momentum, TOL(1e-13, 1e-6), tap_joined("momentum:", k->name));
        tap_most(t.step, 0.02, tap_joined("no step gives energy but that of arcs:", k->name));
        tap_most(t.run, 0.03, tap_joined("nor do all of them:", k->name));
        if (k->least >= 1 && !k->friction) {
            tap_most(t.kept, 0.02, tap_joined("elastic worlds keep theirs:", k->name));
        }
        tap_most(t.gap, TOL(1e-9, 1e-5), tap_joined("joints stay together:", k->name));
        tap_most(t.outside, 0.01, tap_joined("nobody leaves the room:", k->name));
    }
    return tap_done();
}
