// SPDX-License-Identifier: MIT
// derivative_columns.h - what changes at a contact by each coordinate: the velocity that it sees, its wrench, its gap.
//   given   contacts with the columns of their points and normals; the motion of the step
//   makes   columns by q and v of velocities that contacts see; the right sides of q with the changes of their wrenches
//   bound   a visit to each pair of a contact and a coordinate that moves one of its bodies
//   never   changes an impulse
#ifndef DERIVATIVE_DERIVATIVE_COLUMNS_H
#define DERIVATIVE_DERIVATIVE_COLUMNS_H

#include "derivative_contacts.h"

#if TAC_MAX_LCP > 0

// How the two bodies of a contact move at it.
typedef struct derivative_motion {
    vec3 way, turn;    // of a at the point
    vec3 apart, twist; // of b against a
    vec3 of[2];        // displacements of both at the point,
    vec3 turned[2];    // and rotations
} derivative_motion;

// Velocity of rotation that contacts see, world frame.
static vec3 derivative_seen(const vary_step *x, uint16_t body)
{
    const tac_varied_body *v = &x->t->body[body];
    const vec3 *axis = x->t->mechanism.body[body].axis;
    if (!mechanism_moves(x->m, body)) { return v3_combine(axis, v3_add(x->s->twist[body].w, x->w->delta_v[body].w)); }
    if (v->alone) { return v3_combine(axis, v->spin); }
    return v3_sub(v->spun, v->slip);
}

static vec3 derivative_linear(const vary_step *x, uint16_t body)
{
    const tac_varied_body *v = &x->t->body[body];
    if (!mechanism_moves(x->m, body)) { return v3_add(x->s->twist[body].v, x->w->delta_v[body].v); }
    return v->alone ? v3_of(x->q->value + x->t->mechanism.body[body].first) : v->v;
}

// Does a coordinate of the body `on` move the body? Noted for all of them.
static void derivative_within(const vary_step *x, uint16_t on)
{
    const tac_mechanism *k = &x->t->mechanism;
    for (uint32_t at = 0; at < k->bodies; at++) {
        const uint16_t self = k->order[at];
        const int hangs = mechanism_hangs(k, self);
        x->t->body[self].within = self == on || (hangs && x->t->body[k->body[self].parent].within);
    }
}

static int derivative_moves(const vary_step *x, uint16_t body)
{
    return mechanism_moves(x->m, body) && x->t->body[body].within;
}

// By a change of a position that moves these of both bodies.
static void derivative_motion_of(const vary_step *x, const tac_contact *c, const tac_varied_axis *a,
                                 const int moves[2], derivative_motion *k)
{
    const uint16_t body[2] = {c->body_a, c->body_b};
    const vec3 turn = six_angular(a->start);
    for (int side = 0; side < 2; side++) {
        k->of[side] = k->turned[side] = V3_ZERO;
        if (!moves[side]) { continue; }
        const vec3 at = v3_sub(c->point, x->s->pose[x->t->mechanism.body[body[side]].tree].p);
        const vec3 way = v3_add(six_linear(a->start), v3_cross(turn, at));
        k->of[side] = way;
        k->turned[side] = turn;
    }
    k->way = k->of[0], k->turn = k->turned[0];
    k->apart = v3_sub(k->of[1], k->of[0]), k->twist = v3_sub(k->turned[1], k->turned[0]);
}

// Velocities as a contact sees them.
static void derivative_see(const vary_step *x, uint32_t i)
{
    const tac_contact *c = &x->w->contact[i];
    tac_varied_contact *k = &x->t->contact[i];
    const uint16_t body[2] = {c->body_a, c->body_b};
    vec3 v[2];
    for (int side = 0; side < 2; side++) {
        const vec3 arm = v3_sub(c->point, x->s->pose[body[side]].p);
        k->rate[side] = derivative_seen(x, body[side]);
        v[side] = v3_add(derivative_linear(x, body[side]), v3_cross(k->rate[side], arm));
    }
    k->velocity = v3_sub(v[1], v[0]);
}

// How the place and the normal of a contact change, besides its bodies.
typedef struct derivative_moved {
    vec3 point, normal;
} derivative_moved;

static derivative_moved derivative_contact_moves(const vary_step *x, uint32_t i, const derivative_motion *d)
{
    const real *shape = derivative_stored(x->q, i);
    const vec3 n = x->w->contact[i].n;
    const real apart[6] = {d->apart.x, d->apart.y, d->apart.z, d->twist.x, d->twist.y, d->twist.z};
    derivative_moved k = {d->way, v3_cross(d->turn, n)};
    if (x->t->contact[i].flat) {
        k.point = v3_add(k.point, derivative_on_plane_moves(n, shape[0], d->apart, d->twist));
        return k;
    }
    for (int j = 0; j < 6; j++) {
        if (apart[j] == R(0.0)) { continue; }
        k.point = v3_madd(k.point, apart[j], v3_of(shape + 6 * j));
        k.normal = v3_madd(k.normal, apart[j], v3_of(shape + 6 * j + 3));
    }
    return k;
}

// Adds a wrench on a body, times s, to numbers of the coordinates that move it. Over a half-space forces do not turn,
// and their changes have a torque alone. Without joints all bodies are alone, which compilers are told.
static void derivative_along(const vary_step *x, uint16_t self, real s, vec3 torque, vec3 force, real *to)
{
    const tac_mechanism *k = &x->t->mechanism;
    const size_t shifts = vary_shifts(k, self);
    const int alone = TAC_MAX_JOINTS == 0 || x->t->body[self].alone;
    const int turns = force.x != R(0.0) || force.y != R(0.0) || force.z != R(0.0);
    real wrench[6];
    six_set(wrench, v3_scale(s, torque), v3_scale(s, force));
    for (size_t i = vary_innermost(k, self); i != TAC_NONE && i >= shifts; i = alone ? i - 1 : x->t->up[i]) {
        const real *start = x->t->axis[i].start;
        to[i] += turns ? six_dot(start, wrench) : v3_dot(six_angular(start), six_angular(wrench));
    }
    for (size_t i = 0; i < 3 && turns && shifts > 0; i++) { to[shifts - 3 + i] += wrench[3 + i]; }
}

// Adds the change of the wrench of a contact on one of its bodies to the right side of a column, also along coordinates
// that are led: `force` acts at the contact, and these change by dforce and dat.
static void derivative_wrench(const vary_step *x, const tac_contact *c, const derivative_motion *d, int side,
                              vec3 force, vec3 dat, vec3 dforce, real *to)
{
    const tac_mechanism *k = &x->t->mechanism;
    uint16_t self = side ? c->body_b : c->body_a;
    if (!mechanism_moves(x->m, self)) { return; }
    const vec3 arm = v3_sub(c->point, x->s->pose[k->body[self].tree].p);
    vec3 torque = v3_add(v3_cross(dat, force), v3_cross(arm, dforce));
    if (x->t->body[self].alone) { // about its centre, in its principal frame
        const vec3 lever = v3_sub(c->point, x->s->pose[self].p);
        torque = v3_sub(torque, v3_cross(v3_sub(d->of[side], v3_cross(d->turned[side], lever)), force));
        torque = v3_sub(torque, v3_cross(d->turned[side], v3_cross(arm, force)));
    }
    derivative_along(x, self, side ? R(1.0) : R(-1.0), torque, dforce, to);
}

// What a body at a contact adds to the velocity that the contact sees, at fixed axes, by a coordinate that moves it:
// columns by the rotation of the end of the step over h, by that at the start, and by a rotation that is added to its
// velocity there.
typedef struct derivative_side {
    vec3 by_rate[3], by_turn[3], by_speed[3];
} derivative_side;

static void derivative_side_of(const vary_step *x, uint32_t i, int side, derivative_side *y)
{
    const tac_contact *c = &x->w->contact[i];
    const uint16_t self = side ? c->body_b : c->body_a;
    const tac_varied_body *v = &x->t->body[self];
    const vec3 r = v3_sub(c->point, x->s->pose[self].p), seen = x->t->contact[i].rate[side];
    const vec3 way = v3_madd(x->t->mechanism.body[self].arm, x->m->h, v->v), given = v3_sub(v->give[1], v->own[1]);
    for (int j = 0; j < 3; j++) {
        const vec3 e = V3_AXIS[j], lever = v3_cross(seen, v3_cross(e, r)); // of the point to the body, turned back
        y->by_rate[j] = y->by_speed[j] = V3_ZERO;
        y->by_turn[j] = v3_add(v3_cross(v3_cross(e, seen), r), lever);
        if (v->alone) { continue; }
        const vec3 late = v3_combine(v->slips, v3_cross(given, e));
        y->by_turn[j] = v3_add(v3_sub(y->by_turn[j], v3_cross(late, r)), v3_cross(e, v->v));
        y->by_rate[j] = v3_add(v3_cross(e, way), v3_cross(v->by_mean[j], r));
        y->by_speed[j] = v3_cross(r, v3_combine(v->slips, v->inertia[j]));
    }
}

// Velocity at the contact by a position.
static vec3 derivative_by_place(const derivative_side *y, const tac_varied_axis *a, int alone)
{
    const vec3 by = v3_combine(y->by_turn, six_angular(a->start));
    if (alone) { return by; }
    const vec3 rate = v3_add(six_linear(a->by_place), v3_combine(y->by_rate, six_angular(a->by_place)));
    return v3_add(v3_add(by, rate), v3_combine(y->by_speed, six_angular(a->speed)));
}

// What it does by a rate, and by the velocity at the start.
static vec3 derivative_by_speed(const derivative_side *y, const tac_varied_axis *a)
{
    const vec3 rate = v3_add(six_linear(a->by_rate), v3_combine(y->by_rate, six_angular(a->by_rate)));
    return v3_add(rate, v3_combine(y->by_speed, six_angular(a->start)));
}

// Change of the gap of a contact in a column of q.
static real *derivative_gap(const vary_step *x, uint32_t contact)
{
    return vary_law(x, contact) + x->t->mechanism.coordinates;
}

// Columns of q and of v of a coordinate: the explicit change of the velocity of a contact, along its axes, and of its
// wrench.
static void derivative_change(const vary_step *x, uint32_t i, uint32_t coordinate, const derivative_side *side,
                              const int moves[2])
{
    const tac_contact *c = &x->w->contact[i];
    const tac_varied_contact *k = &x->t->contact[i];
    const tac_varied_axis *a = &x->t->axis[coordinate];
    const uint16_t body[2] = {c->body_a, c->body_b};
    const int shifts = coordinate < vary_shifts(&x->t->mechanism, body[!moves[0]]); // loads too: vary_enter_shifts()
    derivative_motion d;
    derivative_motion_of(x, c, a, moves, &d);
    const derivative_moved at = derivative_contact_moves(x, i, &d);
    const vec3 turn = v3_cross(c->n, at.normal); // the axes of the contact turn with n
    const vec3 dforce = v3_cross(turn, k->force);
    real *to = vary_side(x, VARY_Q, 0, coordinate);
    const vec3 spin = v3_sub(k->rate[1], k->rate[0]);
    vec3 by_place = v3_sub(v3_cross(spin, at.point), v3_cross(turn, k->velocity));
    vec3 by_speed = V3_ZERO;
    for (int j = 0; j < 2; j++) {
        const real sign = j ? R(1.0) : R(-1.0);
        const int alone = x->t->body[body[j]].alone;
        const vec3 dat = shifts && !alone ? v3_sub(at.point, d.of[j]) : at.point;
        derivative_wrench(x, c, &d, j, k->force, dat, dforce, to);
        if (!moves[j]) { continue; }
        const vec3 along = v3_cross(k->rate[j], d.of[j]);
        by_place = v3_madd(by_place, sign, v3_sub(derivative_by_place(&side[j], a, alone), along));
        by_speed = v3_madd(by_speed, sign, alone ? d.of[j] : derivative_by_speed(&side[j], a));
    }
    const real gap = v3_dot(c->n, d.apart);
    by_place = v3_components(k->axes, by_place);
    by_place.x += k->asks * gap / x->m->h;
    derivative_gap(x, i)[coordinate] = gap;
    v3_put(vary_seen_in(x, VARY_Q, coordinate) + 3 * i, by_place);
    v3_put(vary_seen_in(x, VARY_V, coordinate) + 3 * i, v3_components(k->axes, by_speed));
}

// Of a contact, all columns of coordinates that move its bodies: those of a, also where they move b, then those of b
// alone.
static void derivative_changes(const vary_step *x, uint32_t i)
{
    const tac_mechanism *k = &x->t->mechanism;
    const uint16_t body[2] = {x->w->contact[i].body_a, x->w->contact[i].body_b};
    derivative_side side[2];
    for (uint32_t at = 0; at < k->bodies; at++) { x->t->body[k->order[at]].within = 0; }
    reals_clear(derivative_gap(x, i), k->coordinates * sizeof(real));
    for (int j = 0; j < 2; j++) {
        uint16_t on = body[j];
        for (int more = mechanism_moves(x->m, on); more; on = k->body[on].parent) {
            x->t->body[on].within |= (uint8_t)(1 << j);
            more = mechanism_hangs(k, on);
        }
        if (mechanism_moves(x->m, body[j])) { derivative_side_of(x, i, j, &side[j]); }
    }
    for (int j = 0; j < 2; j++) {
        uint16_t on = body[j];
        for (int more = mechanism_moves(x->m, on); more; on = k->body[on].parent) {
            const uint8_t within = x->t->body[on].within;
            const int moves[2] = {within & 1, within >> 1};
            more = mechanism_hangs(k, on);
            if (j == 1 && moves[0]) { continue; }
            for (uint32_t c = 0; c < k->body[on].axes; c++) {
                derivative_change(x, i, k->body[on].first + c, side, moves);
            }
        }
    }
}

#endif

#endif
