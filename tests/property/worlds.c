// SPDX-License-Identifier: MIT
// Random worlds, stepped: what holds after every step, whatever the world.
//
//   invariants   tac_check(), and each impulse in its cone
//   momentum     m (v+ - v) = h m g + sum of +-J for every body; and about the centre of mass, for balls and cubes,
//                whose free rotation keeps the rate, I (w+ - w) = sum of +-r x J in the pose at the start
//   velocity     what a contact reports is the relative velocity of its bodies
//   motion       a body without contact goes h v+ (or h (v + h g/2) more or less one ulp of the path)
//                with the torques of contacts that resist spinning and rolling
//   energy       E+ <= E~ + sum over overlapping contacts of g_n min(-gap/h, recovery) + what the solver left
//
// On energy: with v~ the free velocity, T+ - T~ = g'u+ - g'N g/2 <= g'u+. Complementarity of either law says
// g'u+ <= -g_n b with b = max(gap/h, -recovery): a contact that is not there yet takes energy, an overlap may give
// back at most g_n recovery. A natural-map residual r (m/s) of a contact leaves that open by |r| (|g| + |u~|/d),
// d = trace(W)/3. Free rotation itself keeps T up to an error of order (h |w|)^2 a step.
#include "tap.h"
#include "rolls.h"
#include "wild.h"

// Friction with a direction, static friction with Stribeck's curve, and floors that move (worlds_laws.c).
#ifndef WORLDS_LAWS
#define WORLDS_LAWS 0
#endif

enum { WORLDS = RUN(300, 24), STEPS = RUN(60, 40) };

static tac_model m;
static tac_state before, state;
static tac_work w;
static uint8_t round_body[TAC_MAX_BODIES + 1]; // its inertia is a ball's

static void random_shape(rng *r, uint16_t body)
{
    const uint8_t kind = (uint8_t)(TAC_SPHERE + rng_below(r, 3));
    d3 size = d3_make(rng_range(r, 0.1, 0.3), rng_range(r, 0.1, 0.3), rng_range(r, 0.1, 0.3));
    const int cube = rng_below(r, 2) == 0;
    if (cube) { size = d3_make(size.x, size.x, size.x); }
    tac_shape s = tac_shape_make(body, kind, d3_to(size));
    s.material = (uint8_t)rng_below(r, 3);
    tac_model_add_shape(&m, &s);
    tac_model_mass_from_shapes(&m, body, (tac_real)rng_range(r, 100, 3000));
    round_body[body] = kind == TAC_SPHERE || (kind == TAC_BOX && cube);
}

#if WORLDS_LAWS

static void random_laws(rng *r)
{
    for (int i = 0; i < 3; i++) {
        if (rng_below(r, 2)) { continue; }
        m.material[i].static_friction = m.material[i].friction * (tac_real)rng_range(r, 1.0, 3.0);
        m.material[i].stribeck_speed = (tac_real)octave_range(r, 1e-5, 10.0);
    }
    for (uint16_t i = 0; i < m.shapes; i++) {
        const d3 axis = rng_box(r, 1.0);
        if (rng_below(r, 3) == 0) { continue; }
        m.shape[i].axis = d3_to(d3_scale(1.0 / d3_norm(axis), axis));
        m.shape[i].turn = (tac_real)rng_range(r, -3.14, 3.14);
        m.shape[i].across = rng_below(r, 3) == 0 ? 0 : (tac_real)rng_range(r, 0.0, 1.0);
    }
    for (uint16_t i = 0; i < m.shapes && m.surfaces < TAC_MAX_SURFACES; i++) {
        if (m.shape[i].body != 0 || rng_below(r, 2)) { continue; }
        const tac_surface moving = {d3_to(rng_box(r, 2.0)), d3_to(rng_box(r, 2.0)), d3_to(rng_box(r, 0.3)), i};
        tac_model_add_surface(&m, &moving);
    }
}

static double across_of(const tac_contact *c)
{
    return (double)c->across;
}

// The velocity of a shape's surface over its body.
static d3 surface_velocity(uint16_t shape, d3 at)
{
    for (uint16_t i = 0; i < m.surfaces; i++) {
        const tac_surface *s = &m.surface[i];
        const tac_pose *pose = &m.shape[shape].pose; // the ground's: its frame is the world's
        if (s->shape != shape) { continue; }
        const d3 here = dq_rotate(dq_conjugate(dq_of(pose->q)), d3_sub(at, d3_of(pose->p)));
        const d3 turned = d3_cross(d3_of(s->angular), d3_sub(here, d3_of(s->point)));
        return dq_rotate(dq_of(pose->q), d3_add(d3_of(s->linear), turned));
    }
    return d3_make(0, 0, 0);
}

static d3 surface_turn(uint16_t shape)
{
    for (uint16_t i = 0; i < m.surfaces; i++) {
        if (m.surface[i].shape == shape) {
            return dq_rotate(dq_of(m.shape[shape].pose.q), d3_of(m.surface[i].angular));
        }
    }
    return d3_make(0, 0, 0);
}

// Relative to the surfaces, along u and w.
static d3 surface_slip(const tac_contact *c)
{
    const d3 at = d3_of(c->point), s = d3_sub(surface_velocity(c->id.shape_b, at), surface_velocity(c->id.shape_a, at));
    return d3_make(0, d3_dot(s, d3_of(c->u)), d3_dot(s, d3_of(c->w)));
}

#else

static void random_laws(rng *r)
{
    (void)r;
}

static double across_of(const tac_contact *c)
{
    (void)c;
    return 1.0;
}

static d3 surface_slip(const tac_contact *c)
{
    (void)c;
    return d3_make(0, 0, 0);
}

static d3 surface_turn(uint16_t shape)
{
    (void)shape;
    return d3_make(0, 0, 0);
}

#endif

static void random_world(rng *r)
{
    uint8_t was_round[TAC_MAX_BODIES + 1];
    tac_model_init(&m);
    m.h = (tac_real)rng_range(r, 0.0005, 0.005);
    m.gravity = d3_to(d3_add(d3_make(0, 0, -9.81), rng_box(r, 3.0)));
    m.options.max_sweeps = (uint16_t)(1 + rng_below(r, 60));
    m.options.solver = (uint8_t)rng_below(r, TAC_MAX_FILL > 0 ? 3 : 2);
    m.options.friction = (uint8_t)rng_below(r, 2);
    m.options.warm_start = (uint8_t)rng_below(r, 2);
    for (int i = 0; i < 3; i++) {
        tac_model_add_material(&m, (tac_real)rng_range(r, 0.0, 1.2), 0);
#if TAC_ROLLING
        m.material[i].spinning = rng_below(r, 4) == 0 ? 0 : (tac_real)rng_range(r, 0.0, 0.1);
        m.material[i].rolling = rng_below(r, 4) == 0 ? 0 : (tac_real)rng_range(r, 0.0, 0.05);
#endif
    }
    wild_floor(&m, r, 0.5, 0);
    const uint32_t bodies = 1 + rng_below(r, 6);
    for (uint32_t i = 0; i < bodies; i++) {
        tac_body b = tac_body_make(TAC_DYNAMIC, d3_to(d3_add(d3_make(0, 0, 0.7), rng_box(r, 0.6))));
        b.pose.q = dq_to(rng_quat(r));
        b.velocity = (tac_twist){d3_to(rng_box(r, 3.0)), d3_to(rng_box(r, 6.0))};
        const int32_t index = tac_model_add_body(&m, &b);
        random_shape(r, (uint16_t)index);
    }
    wild_passing(&m, r, 0.3, 1);
    for (uint16_t i = 1; i < m.bodies; i++) { was_round[i] = i <= bodies ? round_body[i] : 1; }
    const shuffled to = wild_numbers(&m, NULL, r);
    for (uint16_t i = 1; i < m.bodies; i++) { round_body[to.body[i]] = was_round[i]; }
    random_laws(r);
}

// ------------------------------------------------------------------------------------------------------------- truths

typedef struct tally {
    int refused, broken, contacts, dropped, resisting, directed, moving;
    double cone, linear, angular, velocity, motion, energy;
} tally;

// From components along n, u, w.
static d3 world_of(const tac_contact *c, d3 g)
{
    return d3_add(d3_scale(g.x, d3_of(c->n)), d3_add(d3_scale(g.y, d3_of(c->u)), d3_scale(g.z, d3_of(c->w))));
}

#if TAC_ROLLING

static d3 torque_of(const tac_contact *c)
{
    return d3_of(c->torque);
}

// Semi-axes of the set along n, u, w.
static d3 axes_of(const tac_contact *c)
{
    const double mu = d_max((double)c->mu, 1e-30), rolling = (double)c->rolling / mu;
    return d3_make((double)c->spinning / mu, rolling, rolling);
}

#else

static d3 torque_of(const tac_contact *c)
{
    (void)c;
    return d3_make(0, 0, 0);
}

static d3 axes_of(const tac_contact *c)
{
    (void)c;
    return d3_make(0, 0, 0);
}

#endif

// Its components along n, u, w.
static d3 along(const tac_contact *c, d3 v)
{
    return d3_make(d3_dot(v, d3_of(c->n)), d3_dot(v, d3_of(c->u)), d3_dot(v, d3_of(c->w)));
}

// What its torques count in the set of a contact.
static d3 scaled_torque(const tac_contact *c)
{
    const d3 t = torque_of(c), e = axes_of(c);
    return d3_make(t.x == 0.0 ? 0.0 : t.x / e.x, t.y == 0.0 ? 0.0 : t.y / e.y, t.z == 0.0 ? 0.0 : t.z / e.z);
}

static d3 rate_after(uint16_t body)
{
    return dq_rotate(dq_of(before.pose[body].q), d3_of(state.twist[body].w));
}

// The part of the slip that torques are against.
static double scaled_turn(const tac_contact *c)
{
    const d3 moved = d3_sub(surface_turn(c->id.shape_b), surface_turn(c->id.shape_a)), e = axes_of(c);
    const d3 rate = d3_add(d3_sub(rate_after(c->body_b), rate_after(c->body_a)), moved);
    return d3_norm(
        d3_make(e.x * d3_dot(rate, d3_of(c->n)), e.y * d3_dot(rate, d3_of(c->u)), e.z * d3_dot(rate, d3_of(c->w))));
}

// Velocity after the step of the point `at` of a body, in the pose of the start.
static d3 point_velocity(uint16_t body, d3 at)
{
    if (body == 0) { return d3_make(0, 0, 0); }
    return d3_add(d3_of(state.twist[body].v), d3_cross(rate_after(body), d3_sub(at, d3_of(before.pose[body].p))));
}

static void judge_contact(const tac_contact *c, tally *t)
{
    const d3 g = d3_of(c->impulse), at = d3_of(c->point);
    const d3 v = d3_sub(point_velocity(c->body_b, at), point_velocity(c->body_a, at));
    const d3 seen = d3_add(along(c, v), surface_slip(c));
    if (w.scratch.solve.block[c - w.contact].rolls == 0) {
        d_worst(&t->velocity, d3_norm(d3_sub(seen, d3_of(c->velocity))) / (1.0 + d3_norm(v)));
    }
    const d3 torque = scaled_torque(c);
    const double limit = (double)c->mu * g.x, side = g.z / across_of(c);
    const double tangent = d_sqrt(g.y * g.y + side * side + d3_dot(torque, torque));
    d_worst(&t->cone, g.x < 0.0 ? 1.0 : d_max(0.0, tangent - limit) / (limit + 1e-30));
    t->resisting += d3_norm(torque) > 0.0;
    t->directed += across_of(c) < 1.0;
    t->moving += d3_norm(surface_slip(c)) > 0.0;
}

static void judge_body(uint16_t i, tally *t)
{
    const double mass = (double)m.body[i].mass, h = (double)m.h;
    const d3 inertia = d3_of(m.body[i].inertia), p = d3_of(before.pose[i].p);
    d3 linear = d3_scale(h * mass, d3_of(m.gravity)), angular = {0, 0, 0};
    double size = d3_norm(linear), lever = 0.0;
    int touched = 0;
    for (int k = 0; k < w.report.contacts; k++) {
        const tac_contact *c = &w.contact[k];
        if (c->body_a != i && c->body_b != i) { continue; }
        const double sign = c->body_b == i ? 1.0 : -1.0;
        const d3 j = d3_scale(sign, world_of(c, d3_of(c->impulse))), twist = d3_scale(sign, world_of(c, torque_of(c)));
        const d3 r = d3_sub(d3_of(c->point), p);
        linear = d3_add(linear, j);
        angular = d3_add(angular, d3_add(d3_cross(r, j), twist));
        size += d3_norm(j);
        lever += d3_norm(r) * d3_norm(j) + d3_norm(twist);
        touched = 1;
    }
    const d3 v0 = d3_of(before.twist[i].v), v1 = d3_of(state.twist[i].v);
    const d3 w0 = d3_of(before.twist[i].w), w1 = d3_of(state.twist[i].w);
    d_worst(&t->linear, d3_norm(d3_sub(d3_scale(mass, d3_sub(v1, v0)), linear)) / (size + mass * d3_norm(v0)));
    if (round_body[i]) { // what has a contact that rolls turns its momentum in its frame
        const dq q = dq_of(before.pose[i].q);
        const d3 was = dq_rotate(q, d3_scale(inertia.x, w0)), now = dq_rotate(q, d3_scale(inertia.x, w1));
        const d3 should = d3_add(was, angular);
        const double off = rolls_turns(&w, i) ? d_abs(d3_norm(now) - d3_norm(should)) : d3_norm(d3_sub(now, should));
        d_worst(&t->angular, off / (lever + inertia.x * (1.0 + d3_norm(w0))));
    }
    if (!touched) {
        const d3 gone = d3_sub(d3_of(state.pose[i].p), p);
        const d3 mean = d3_scale(0.5, d3_add(v0, v1)); // a parabola
        d_worst(&t->motion, d3_norm(d3_sub(gone, d3_scale(h, mean))) / (1.0 + d3_norm(p)));
    }
}

static double kinetic(const tac_state *s, uint16_t i, d3 kick)
{
    const d3 v = d3_add(d3_of(s->twist[i].v), kick), rate = d3_of(s->twist[i].w), inertia = d3_of(m.body[i].inertia);
    return 0.5 * (double)m.body[i].mass * d3_dot(v, v) +
           0.5 * (inertia.x * rate.x * rate.x + inertia.y * rate.y * rate.y + inertia.z * rate.z * rate.z);
}

// |p| of NST17 (10), the scale of the residual: what every contact would do without impulses, bias included.
static double free_speed(double recovery)
{
    const d3 kick = d3_scale((double)m.h, d3_of(m.gravity));
    double sum = 0.0;
    for (int k = 0; k < w.report.contacts; k++) {
        const tac_contact *c = &w.contact[k];
        d3 v = {0, 0, 0}, turn = {0, 0, 0};
        for (int side = 0; side < 2; side++) {
            const uint16_t i = side ? c->body_b : c->body_a;
            if (i == 0) { continue; }
            const d3 rate = dq_rotate(dq_of(before.pose[i].q), d3_of(before.twist[i].w));
            const d3 arm = d3_sub(d3_of(c->point), d3_of(before.pose[i].p));
            const d3 here = d3_add(d3_add(d3_of(before.twist[i].v), kick), d3_cross(rate, arm));
            v = d3_add(v, d3_scale(side ? 1.0 : -1.0, here));
            turn = d3_add(turn, d3_scale(side ? 1.0 : -1.0, rate));
        }
        const d3 e = axes_of(c), spin = d3_make(e.x * d3_dot(turn, d3_of(c->n)), e.y * d3_dot(turn, d3_of(c->u)),
                                                e.z * d3_dot(turn, d3_of(c->w)));
        v = d3_add(v, d3_scale(d_max((double)c->gap / (double)m.h, -recovery), d3_of(c->n)));
        v = d3_add(v, world_of(c, surface_slip(c)));
        sum += d3_dot(v, v) + d3_dot(spin, spin);
    }
    return d_sqrt(sum);
}

// One body's part of the trace of W = D'M^-1 D.
static double trace_of(const tac_contact *c, uint16_t i)
{
    if (i == 0) { return 0.0; }
    const dq back = dq_conjugate(dq_of(before.pose[i].q));
    const d3 arm = dq_rotate(back, d3_sub(d3_of(c->point), d3_of(before.pose[i].p))),
             inertia = d3_of(m.body[i].inertia);
    const d3 directions[3] = {d3_of(c->n), d3_of(c->u), d3_of(c->w)};
    double sum = 3.0 / (double)m.body[i].mass;
    for (int k = 0; k < 3; k++) {
        const d3 turn = d3_cross(arm, dq_rotate(back, directions[k]));
        sum += turn.x * turn.x / inertia.x + turn.y * turn.y / inertia.y + turn.z * turn.z / inertia.z;
    }
    return sum;
}

// Energy beyond the bound, relative to all there is.
static void judge_energy(tally *t)
{
    const double h = (double)m.h, recovery = (double)m.options.recovery;
    const d3 kick = d3_scale(h, d3_of(m.gravity));
    double gained = 0.0, all = 0.0, allowed = 0.0;
    for (uint16_t i = 1; i < m.bodies; i++) {
        const double free_energy = kinetic(&before, i, kick), spin = h * d3_norm(d3_of(before.twist[i].w));
        gained += kinetic(&state, i, d3_make(0, 0, 0)) - free_energy;
        all += free_energy;
        if (!round_body[i]) { allowed += spin * spin * free_energy; }
    }
    const double left = (double)w.report.residual * free_speed(recovery);
    for (int k = 0; k < w.report.contacts; k++) {
        const tac_contact *c = &w.contact[k];
        const double u =
            (d3_norm(d3_of(c->velocity)) + scaled_turn(c)) * (1.0 + (double)c->mu) + d_abs((double)c->gap) / h;
        const double mobility = (trace_of(c, c->body_a) + trace_of(c, c->body_b)) / 3.0;
        allowed += d_max(0.0, (double)c->impulse.x * d_min(-(double)c->gap / h, recovery));
        // the residual is in coordinates in which the cone is round (model/friction.h)
        const d3 g = d3_of(c->impulse), slip = surface_slip(c), round = d3_make(g.x, g.y, g.z / across_of(c));
        allowed += left * (d3_norm(round) + d3_norm(scaled_torque(c)) + u / mobility);
        allowed -= d3_dot(g, slip); // what drives the surfaces supplies
        allowed -= d3_dot(torque_of(c), along(c, d3_sub(surface_turn(c->id.shape_b), surface_turn(c->id.shape_a))));
    }
    allowed += rolls_supply(&m, &before, &w);
    d_worst(&t->energy, d_max(0.0, gained - allowed) / all);
}

static void run_world(rng *r, tally *t)
{
    random_world(r);
    if (tac_model_seal(&m, NULL) != TAC_OK || tac_state_init(&m, &state, NULL) != TAC_OK) {
        t->refused++;
        return;
    }
    for (int k = 0; k < STEPS; k++) {
        before = state;
        const tac_status status = tac_step(&m, &state, NULL, &w);
        t->refused += status < 0;
        t->broken += tac_check(&m, &state, &w, NULL) != TAC_OK;
        t->contacts += w.report.contacts;
        t->dropped += w.report.dropped;
        for (int i = 0; i < w.report.contacts; i++) { judge_contact(&w.contact[i], t); }
        for (uint16_t i = 1; i < m.bodies; i++) { judge_body(i, t); }
        judge_energy(t);
    }
}

int main(void)
{
    const uint64_t seed = 20260;
    rng r = {seed};
    tally t = {0};
    tap_note_hex("seed", seed);
    for (int i = 0; i < WORLDS; i++) { run_world(&r, &t); }
    tap_note("contacts", t.contacts);
    tap_note("contacts dropped", t.dropped);
    tap_least(t.contacts, WORLDS * STEPS / 4, "the worlds are in contact");
    tap_ok(TAC_ROLLING ? t.resisting > t.contacts / 4 : t.resisting == 0, "torques where there is resistance");
    tap_ok((WORLDS_LAWS != 0) == (t.directed > t.contacts / 4), "friction with a direction where there is any");
    tap_ok((WORLDS_LAWS != 0) == (t.moving > t.contacts / 10), "surfaces that move where there are any");
    tap_equal(t.refused, 0, "no step is refused");
    tap_equal(t.broken, 0, "tac_check passes after every step");
    tap_most(t.cone, TOL(1e-13, 1e-5), "every impulse lies in its cone");
    tap_most(t.linear, TOL(1e-12, 1e-5), "momentum: every body");
    tap_most(t.angular, TOL(1e-12, 1e-5), "angular momentum: balls and cubes");
    tap_most(t.velocity, TOL(1e-12, 1e-5), "contacts that do not roll report the velocity of their bodies");
    tap_most(t.motion, TOL(1e-14, 1e-6), "bodies without contact move with their mean velocity");
    tap_most(t.energy, TOL(1e-12, 1e-5), "no energy beyond the bound of the stabilisation");
    return tap_done();
}
