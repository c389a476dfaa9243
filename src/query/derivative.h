// SPDX-License-Identifier: MIT
// derivative.h - d x+ / d (x, u) of the step of the cone program, through the contacts that bear a force.
//   given   a step that has been solved: impulses and modes of contacts, efforts of joints
//   makes   A and B
//   bound   two columns of vary.h a coordinate, each with 3 contacts coordinates multiplications, and two more in all;
//           (3 contacts)^3; a narrow phase for each of 12 displacements of a pair that is not of a half-space
//   never   opens, closes or slides another contact than the step did
#ifndef QUERY_DERIVATIVE_H
#define QUERY_DERIVATIVE_H

#include "../step/ccp.h"
#include "linearise.h"

#if TAC_MAX_LCP > 0

// With g the impulses of contacts that bear a force, J = D'S and r the mean rates of all coordinates,
//      residual(q, v, r) - J'g = 0,     u = D'V(q, v, r) + b,     a(u, g) = 0,
// where V are the velocities that contacts see, and a is the law of each contact in its mode, src/sets:
//      STICK   u = 0
//      SLIDE   u_n = 0 (relaxed: u_n = mu |u_T|),   g_T = -mu g_n u_T/|u_T|
// Its derivative along and across the direction of sliding s, t = n x s:
//      du_n - relaxed mu du_s = 0,     dg_s + mu dg_n = 0,     du_t + |u_T|/(mu g_n) dg_t = 0.
// A body on four corners has more rows than motions. They are consistent: those that the others imply are left out.
#define DERIVATIVE_IMPLIED (TAC_REAL_BITS == 32 ? R(1e-4) : R(1e-8)) // of W with a diagonal of 1: less is left of a row

// Of all these contacts, in the rows of F from the last one up: their geometry, and what the position projection does.
#define DERIVATIVE_SHAPE 36              // numbers of the geometry,
#define DERIVATIVE_PART DERIVATIVE_SHAPE // the part of an overlap that is taken back, 0 without a push,
#define DERIVATIVE_PUSH (DERIVATIVE_SHAPE + 1)  // and the push;
#define DERIVATIVE_FOUND (DERIVATIVE_SHAPE + 2) // of the two sides of a displacement, how many have the same features
#define DERIVATIVE_NUMBERS (DERIVATIVE_SHAPE + 3)

static real *derivative_stored(tac_lcp *q, uint32_t i)
{
    return q->F[TAC_MAX_LCP - 1 - i];
}

// The part of a change of the overlap at the end that a pushed contact takes back: project_need().
static real derivative_part(const tac_model *m, const tac_state *s, const tac_contact *c, const tac_block *k)
{
    const real overlap = k->own.project.overlap;
    if (!(k->push > R(0.0))) { return R(0.0); }
    if (overlap <= R(0.0)) { return R(1.0); }
    return overlap <= rows_rounding(m, c, s) ? R(0.0) : m->options.projection;
}

static uint32_t derivative_count(const tac_work *w)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < w->report.contacts; i++) { count += w->contact[i].impulse.x > R(0.0); }
    return count;
}

// The contacts that bear a force become the first ones of the list.
static void derivative_bearing(const tac_model *m, const tac_state *s, tac_work *w, tac_lcp *q)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < w->report.contacts; i++) {
        if (!(w->contact[i].impulse.x > R(0.0))) { continue; }
        const tac_block *k = &blocks_of(w)[i];
        derivative_stored(q, count)[DERIVATIVE_PART] = derivative_part(m, s, &w->contact[i], k);
        derivative_stored(q, count)[DERIVATIVE_PUSH] = k->push;
        if (count != i) { bytes_copy(&w->contact[count], &w->contact[i], sizeof *w->contact); }
        count++;
    }
}

// Where b of the normal row follows the gap: rows_target().
static real derivative_asks(const vary_step *x, const tac_contact *c)
{
    const real gap = c->gap, rounding = rows_rounding(x->m, c, x->s);
    if (real_abs(gap) <= rounding) { return R(0.0); }
    return gap > R(0.0) || gap / x->m->h > -x->m->options.recovery ? R(1.0) : R(0.0);
}

static void derivative_contact(const vary_step *x, uint32_t i)
{
    const tac_contact *c = &x->w->contact[i];
    tac_varied_contact *k = &x->t->contact[i];
    const vec3 u = v3(R(0.0), c->velocity.y, c->velocity.z), from[3] = {c->n, c->u, c->w};
    const vec3 along = v3_combine(from, u);
    k->slides = c->mode == TAC_SLIDE;
    k->slip = v3_norm(u);
    k->law = x->w->report.friction == TAC_FRICTION_RELAXED ? R(1.0) : R(0.0);
    k->asks = derivative_asks(x, c);
    k->axes[0] = c->n;
    k->axes[1] = k->slides ? v3_unit(along, c->u) : c->u;
    k->axes[2] = v3_cross(k->axes[0], k->axes[1]);
    k->force = v3_combine(from, c->impulse);
    k->g = v3_components(k->axes, k->force);
}

// ------------------------------------------------------------------------------------------------------------ geometry

// What the point and the normal of a contact do by a motion of b relative to a: a displacement at the point, then a
// rotation; world frame. Six columns of point and normal, relative to a.

static int derivative_on_plane(const tac_model *m, const tac_contact *c)
{
    const uint8_t kind = m->shape[c->id.shape_b].kind;
    const int rolls = kind == TAC_CYLINDER || kind == TAC_CONE || kind == TAC_ELLIPSOID;
    return m->shape[c->id.shape_a].kind == TAC_HALF_SPACE && !rolls;
}

// A corner, or the centre of a ball, over a half-space of body a: the point is midway between both surfaces.
static void derivative_plane(const tac_model *m, const tac_contact *c, real *to)
{
    const tac_shape *b = &m->shape[c->id.shape_b];
    const int round = b->kind == TAC_SPHERE || b->kind == TAC_CAPSULE;
    const real radius = b->rounding + (round ? b->size.x : R(0.0)) + R(0.5) * c->gap;
    for (int i = 0; i < 6; i++) {
        const vec3 axis = V3_AXIS[i % 3], way = i < 3 ? axis : v3_scale(radius, v3_cross(axis, c->n));
        v3_put(to + 6 * i, v3_madd(way, R(-0.5) * v3_dot(way, c->n), c->n));
        v3_put(to + 6 * i + 3, V3_ZERO);
    }
}

#define DERIVATIVE_TURN (TAC_REAL_BITS == 32 ? R(2e-3) : R(1e-6)) // rad; and of the size of the smaller shape

// Contacts of one pair of shapes follow each other in the list: the first one that is of another pair than `first`.
static uint32_t derivative_pair_end(const tac_work *w, uint32_t first, uint32_t count)
{
    uint32_t end = first + 1;
    while (end < count && end < TAC_MAX_CONTACTS && linearise_same(&w->contact[first], &w->contact[end])) { end++; }
    return end;
}

// Adds part of the place and the normal of the same features, with shape b displaced. Returns 0 if they are lost.
static int derivative_again(const tac_collision *g, const tac_contact *c, real part, real *to)
{
    const tac_pair *p = &g->pair;
    const tac_pose *own = &g->placed[p->own_shape].pose;
    for (int i = 0; i < p->points; i++) {
        if (p->point[i].feature != c->id.feature) { continue; }
        const vec3 point = v3_add(own->p, quat_rotate(own->q, p->point[i].at.v));
        const vec3 normal = quat_rotate(own->q, p->point[i].n);
        v3_put(to, v3_madd(v3_of(to), part, v3_sub(point, c->point)));
        v3_put(to + 3, v3_madd(v3_of(to + 3), p->own_shape == c->id.shape_a ? part : -part, normal));
        return 1;
    }
    return 0;
}

// Shape b moved by a displacement of `way`, or turned by it about a point.
static tac_pose derivative_moved_pose(const tac_pose *at, vec3 about, int turns, vec3 way)
{
    if (!turns) { return (tac_pose){v3_add(at->p, way), at->q}; }
    const quat e = quat_exp(way);
    return (tac_pose){v3_add(at->p, quat_turn(e, v3_sub(at->p, about))), quat_mul(e, at->q)};
}

// One of six displacements of shape b, to both sides: what all contacts of the pair do by it. Where the features are
// lost, the point is one of body b, n of body a.
static void derivative_displace(const tac_model *m, tac_work *w, uint32_t first, uint32_t end, int i, tac_lcp *q)
{
    tac_collision *g = &w->scratch.collision;
    const tac_contact *c = &w->contact[first];
    tac_placed *b = &g->placed[c->id.shape_b];
    const tac_pose at = b->pose;
    const real thick = real_min(g->placed[c->id.shape_a].thickness, b->thickness);
    const real way = i < 3 ? DERIVATIVE_TURN * thick : DERIVATIVE_TURN;
    real margin = model_margin(R(-1.0), thick), deepest = R(0.0);
    for (uint32_t k = first; k < end; k++) {
        deepest = real_max(deepest, real_abs(w->contact[k].gap));
        reals_clear(derivative_stored(q, k) + 6 * i, 6 * sizeof(real));
        derivative_stored(q, k)[DERIVATIVE_FOUND] = R(0.0);
    }
    margin += deepest;
    for (int side = 0; side < 2; side++) {
        b->pose = derivative_moved_pose(&at, c->point, i >= 3, v3_scale(side ? way : -way, V3_AXIS[i % 3]));
        const int meet = contacts_meet(m, g, margin, c->id.shape_a, c->id.shape_b);
        for (uint32_t k = first; k < end && meet; k++) {
            real *to = derivative_stored(q, k);
            const real part = (side ? R(0.5) : R(-0.5)) / way;
            if (derivative_again(g, &w->contact[k], part, to + 6 * i)) { to[DERIVATIVE_FOUND] += R(1.0); }
        }
    }
    b->pose = at;
    for (uint32_t k = first; k < end; k++) {
        real *to = derivative_stored(q, k);
        if (to[DERIVATIVE_FOUND] == R(2.0)) { continue; }
        v3_put(to + 6 * i, i < 3 ? V3_AXIS[i] : v3_cross(V3_AXIS[i - 3], v3_sub(w->contact[k].point, c->point)));
        v3_put(to + 6 * i + 3, V3_ZERO);
    }
}

// All displacements of a pair. Shape b turns about the first contact: for the others that is a displacement too, which
// is taken back.
static void derivative_pair(const tac_model *m, tac_work *w, uint32_t first, uint32_t end, tac_lcp *q)
{
    for (int i = 0; i < 6; i++) { derivative_displace(m, w, first, end, i, q); }
    for (uint32_t k = first + 1; k < end; k++) {
        const vec3 arm = v3_sub(w->contact[k].point, w->contact[first].point);
        real *to = derivative_stored(q, k);
        for (int i = 0; i < 3; i++) {
            real way[3];
            v3_put(way, v3_cross(V3_AXIS[i], arm));
            for (int j = 0; j < 3; j++) { six_add(to + 18 + 6 * i, -way[j], to + 6 * j); }
        }
    }
}

static void derivative_shapes(const tac_model *m, const tac_state *s, tac_work *w, uint32_t count, tac_lcp *q)
{
    contacts_place(m, s, w);
    for (uint16_t i = 0; i < m->shapes; i++) { w->scratch.collision.placed[i].speed = R(0.0); }
    for (uint32_t i = 0, end; i < count; i = end) {
        end = derivative_pair_end(w, i, count);
        if (derivative_on_plane(m, &w->contact[i])) {
            for (uint32_t k = i; k < end; k++) { derivative_plane(m, &w->contact[k], derivative_stored(q, k)); }
        } else {
            derivative_pair(m, w, i, end, q);
        }
    }
}

// ------------------------------------------------------------------------------------------------ changes of a contact

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
    reals_clear(k, sizeof *k);
    for (int side = 0; side < 2; side++) {
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
    const real apart[6] = {d->apart.x, d->apart.y, d->apart.z, d->twist.x, d->twist.y, d->twist.z};
    derivative_moved k = {d->way, v3_cross(d->turn, x->w->contact[i].n)};
    for (int j = 0; j < 6; j++) {
        k.point = v3_madd(k.point, apart[j], v3_of(shape + 6 * j));
        k.normal = v3_madd(k.normal, apart[j], v3_of(shape + 6 * j + 3));
    }
    return k;
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
    real wrench[6];
    six_set(wrench, torque, dforce);
    if (side == 0) { six_scale(wrench, R(-1.0)); }
    const int alone = x->t->body[self].alone;
    const uint16_t *up = x->t->up, first = k->body[self].first;
    for (uint16_t i = vary_innermost(k, self); i != TAC_NONE; i = alone && i > first ? (uint16_t)(i - 1) : up[i]) {
        to[i] += six_dot(x->t->axis[i].start, wrench);
    }
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
    derivative_motion d;
    derivative_motion_of(x, c, a, moves, &d);
    const derivative_moved at = derivative_contact_moves(x, i, &d);
    const vec3 turn = v3_cross(c->n, at.normal); // the axes of the contact turn with n
    const vec3 dforce = v3_cross(turn, k->force);
    real *to = vary_side(x, VARY_Q, 0, coordinate);
    vec3 by_place = v3_sub(V3_ZERO, v3_cross(turn, k->velocity)), by_speed = V3_ZERO;
    for (int j = 0; j < 2; j++) {
        const real sign = j ? R(1.0) : R(-1.0);
        const int alone = x->t->body[body[j]].alone;
        by_place = v3_madd(by_place, sign, v3_cross(k->rate[j], v3_sub(at.point, d.of[j])));
        derivative_wrench(x, c, &d, j, k->force, at.point, dforce, to);
        if (!moves[j]) { continue; }
        by_place = v3_madd(by_place, sign, derivative_by_place(&side[j], a, alone));
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

// ------------------------------------------------------------------------------------------------------ the active set
// The contacts see velocities of the solve, which moves all bodies along tangents: u = z'(S'(M v + h f) + J'g) + ..,
// with z = M^-1 J'. The rates r follow after it, from the same momenta by the matrix K of vary.h: so u changes by z'y
// where the right side of K dr = y does. What the arcs of joints add to u depends on the velocities at the start:
//      du = (D'dV/dr - z'K) dv.
// All of it is linear, so each right side y has its response, a column of
//      K^-1 (1 - J' (law W)^-1 law z'),
// and what a column of q or v changes of u besides has -K^-1 J' (law W)^-1 law. A column has few numbers that are not
// zero. To the right of the derivative of velocities are J' and z; after the rows of K the changes of u, by q, then by
// v. To the right of the matrix of the laws is that of pushes, then the response to changes of u, then the changes of
// gaps.

static real *derivative_impulses(const vary_step *x, uint32_t coordinate)
{
    return vary_by_rate(x, coordinate) + x->t->mechanism.coordinates;
}

static real *derivative_answers(const vary_step *x, uint32_t coordinate)
{
    return derivative_impulses(x, coordinate) + x->first;
}

// J' of a contact along the coordinates of one of its bodies.
static void derivative_along(const vary_step *x, uint32_t contact, int side)
{
    const tac_mechanism *k = &x->t->mechanism;
    const tac_contact *c = &x->w->contact[contact];
    uint16_t on = side ? c->body_b : c->body_a;
    real force[3][6];
    if (!mechanism_moves(x->m, on)) { return; }
    const vec3 at = v3_sub(c->point, x->s->pose[k->body[on].tree].p);
    for (int i = 0; i < 3; i++) {
        const vec3 d = v3_scale(side ? R(1.0) : R(-1.0), x->t->contact[contact].axes[i]);
        six_set(force[i], v3_cross(at, d), d);
    }
    for (int more = 1; more; on = k->body[on].parent) {
        for (size_t j = k->body[on].first; j < (size_t)k->body[on].first + k->body[on].axes; j++) {
            const real *start = x->t->axis[j].start;
            real *to = derivative_impulses(x, (uint32_t)j) + 3 * contact;
            for (int i = 0; i < 3; i++) { to[i] += six_dot(start, force[i]); }
        }
        more = mechanism_hangs(k, on);
    }
}

// J' and z of all contacts. Impulses do nothing along coordinates that are led.
static void derivative_enter(const vary_step *x, uint32_t count)
{
    const tac_mechanism *k = &x->t->mechanism;
    const uint32_t n = k->coordinates, rows = 3 * count;
    for (uint32_t j = 0; j < n; j++) { reals_clear(derivative_impulses(x, j), rows * sizeof(real)); }
    for (uint32_t i = 0; i < count; i++) {
        derivative_along(x, i, 0);
        derivative_along(x, i, 1);
    }
    for (uint32_t j = 0; j < n; j++) {
        reals_copy(derivative_answers(x, j), derivative_impulses(x, j), rows * sizeof(real));
    }
    vary_answer(x, derivative_answers(x, 0), TAC_MAX_LCP, rows);
    for (uint32_t at = 0; at < k->bodies; at++) {
        const uint16_t self = k->order[at];
        if (x->t->body[self].acts && x->t->body[self].held) {
            reals_clear(derivative_impulses(x, k->body[self].first), rows * sizeof(real));
        }
    }
}

// Velocities by impulses, W = z'J', as the laws take them, and what these make of impulses; rows and columns scaled.
static void derivative_matrix(const vary_step *x, uint32_t count)
{
    const uint32_t rows = 3 * count, n = x->t->mechanism.coordinates;
    for (uint32_t i = 0; i < rows; i++) {
        reals_clear(x->q->F[i], rows * sizeof(real));
        lu_row to = lu_row_of(x->q->F[i], rows);
        for (uint32_t j = 0; j < n; j++) { lu_row_add(&to, derivative_impulses(x, j)[i], derivative_answers(x, j)); }
        lu_row_end(&to);
    }
    for (uint32_t i = 0; i < count; i++) {
        tac_varied_contact *k = &x->t->contact[i];
        const real mu = x->w->contact[i].mu;
        real *row[3] = {x->q->F[3 * i], x->q->F[3 * i + 1], x->q->F[3 * i + 2]};
        const real trace = (row[0][3 * i] + row[1][3 * i + 1] + row[2][3 * i + 2]) / R(3.0);
        k->scale = trace > R(0.0) ? R(1.0) / real_sqrt(trace) : R(0.0);
        if (!k->slides) { continue; }
        if (k->law * mu > R(0.0)) { lu_madd(row[0], -k->law * mu, row[1], rows); }
        reals_clear(row[1], rows * sizeof *row[1]);
        if (!(mu > R(0.0))) { reals_clear(row[2], rows * sizeof *row[2]); }
        row[1][3 * i] = mu * trace;
        row[1][3 * i + 1] = trace;
        row[2][3 * i + 2] += mu > R(0.0) ? k->slip / (mu * k->g.x) : trace;
    }
    for (uint32_t i = 0; i < rows; i++) {
        for (uint32_t j = 0; j < rows; j++) {
            x->q->F[i][j] *= x->t->contact[i / 3].scale * x->t->contact[j / 3].scale;
        }
    }
}

// What the rates answer to what a contact sees: law' of the answer to what its law asks, rows in the order n, s, t.
static void derivative_law(const vary_step *x, uint32_t i)
{
    const tac_varied_contact *k = &x->t->contact[i];
    const real mu = x->w->contact[i].mu;
    const uint32_t n = x->t->mechanism.coordinates;
    real *row[3] = {vary_law(x, 3 * i), vary_law(x, 3 * i + 1), vary_law(x, 3 * i + 2)};
    for (int r = 0; r < 3; r++) {
        for (uint32_t j = 0; j < n; j++) { row[r][j] *= k->scale; }
    }
    if (!k->slides) { return; }
    for (uint32_t j = 0; j < n; j++) { row[1][j] = -k->law * mu * row[0][j]; }
    if (!(mu > R(0.0))) { reals_clear(row[2], n * sizeof *row[2]); }
}

// The response of the rates to changes of u, one a row, and what it adds to that of right sides, which contacts see by
// z. J K'^-1 is where the changes of u will be.
static void derivative_factor(const vary_step *x, uint32_t count)
{
    const uint32_t rows = 3 * count, n = x->t->mechanism.coordinates;
    real *back = vary_seen_in(x, VARY_Q, 0);
    int slides = 0;
    if (rows == 0) { return; }
    for (uint32_t i = 0; i < count; i++) { slides |= x->t->contact[i].slides; }
    derivative_matrix(x, count);
    reals_clear(back, rows * n * sizeof *back);
    for (uint32_t i = 0; i < rows; i++) {
        const real scale = -x->t->contact[i / 3].scale;
        lu_row to = lu_row_of(&back[i * n], n);
        for (uint32_t c = 0; c < n; c++) { lu_row_add(&to, scale * derivative_impulses(x, c)[i], vary_response(x, c)); }
        lu_row_end(&to);
    }
    const uint32_t rank = lu_rank(x->q->F[0], rows, TAC_MAX_LCP, DERIVATIVE_IMPLIED, !slides, x->q->free, x->q->basic);
    lu_transposed(x->q->F[0], rank, rows, TAC_MAX_LCP, x->q->free, x->q->basic, back, n, vary_law(x, 0), n);
    for (uint32_t i = 0; i < count; i++) { derivative_law(x, i); }
    for (uint32_t c = 0; c < n; c++) {
        lu_row to = lu_row_of(vary_response(x, c), n);
        for (uint32_t i = 0; i < rows; i++) { lu_row_add(&to, derivative_answers(x, c)[i], vary_law(x, i)); }
        lu_row_end(&to);
    }
}

// Pushes of the position projection by the normal velocities that they are to reach: sweeps over W of the normals, with
// the compliance of untangle.h where there are joints, as many as the step may make. They are right of the matrix
// of the laws.
static real *derivative_pushes(const vary_step *x, uint32_t count, uint32_t i)
{
    return x->q->F[i] + 3 * count;
}

static real derivative_alone(const vary_step *x, const tac_contact *c)
{
    const uint16_t body[2] = {c->body_a, c->body_b};
    real sum = R(0.0);
    for (int side = 0; side < 2; side++) {
        const tac_body *b = &x->m->body[body[side]];
        if (!mechanism_moves(x->m, body[side])) { continue; }
        const vec3 arm = v3_cross(v3_sub(c->point, x->s->pose[body[side]].p), c->n);
        const vec3 own = v3_components(x->t->mechanism.body[body[side]].axis, arm);
        sum += R(1.0) / b->mass + v3_dot(own, vary_inverse(b->inertia, own));
    }
    return sum;
}

static void derivative_push_matrix(const vary_step *x, uint32_t count)
{
    const uint32_t n = x->t->mechanism.coordinates;
    for (uint32_t i = 0; i < count; i++) {
        real *row = derivative_pushes(x, count, i);
        const int pushed = derivative_stored(x->q, i)[DERIVATIVE_PART] > R(0.0);
        for (uint32_t j = 0; j < count; j++) {
            row[j] = R(0.0);
            for (uint32_t c = 0; c < n && pushed; c++) {
                row[j] += derivative_answers(x, c)[3 * i] * derivative_impulses(x, c)[3 * j];
            }
        }
        if (pushed && JOINT_COUNT(x->m) > 0) { row[i] += UNTANGLE_SOFT * derivative_alone(x, &x->w->contact[i]); }
    }
}

// Gauss-Seidel's iteration as the step makes it, for a need of 1 of one contact: where it has not converged, the
// positions at the end show that.
static void derivative_push(const vary_step *x, uint32_t count, uint32_t needs, real *push)
{
    const int sweeps = JOINT_COUNT(x->m) > 0 ? UNTANGLE_SWEEPS : project_passes(x->m, x->w);
    reals_clear(push, count * sizeof *push);
    for (int sweep = 0; sweep < sweeps; sweep++) {
        for (uint32_t i = 0; i < count; i++) {
            const real *row = derivative_pushes(x, count, i), need = i == needs ? R(1.0) : R(0.0);
            if (row[i] > R(0.0)) { push[i] -= lu_sum(-need, row, push, count) / row[i]; }
        }
    }
}

// The pushes by all needs, in place of the matrix of the laws, which is factored and used by now: one need a row.
static void derivative_push_all(const vary_step *x, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) { derivative_push(x, count, i, x->q->F[i]); }
}

// The pushes g of a step move the bodies by h s, A s = J'g. A position changes what they do:
//      A ds = y + J'dg,   y = dJ'g - dA s,     (W + soft) dg = d need - dJ s - d soft g - z'y.
// The right sides of ds are to the right of the matrix K.
static real *derivative_push_sides(const vary_step *x, size_t row)
{
    return vary_matrix(x) + row * VARY_STRIDE + x->t->mechanism.coordinates;
}

static int derivative_pushes_any(const vary_step *x, uint32_t count)
{
    int any = 0;
    for (uint32_t i = 0; i < count; i++) { any |= derivative_stored(x->q, i)[DERIVATIVE_PART] > R(0.0); }
    return any;
}

static int derivative_moved_along(const vary_step *x, uint16_t self)
{
    const tac_varied_body *v = &x->t->body[self];
    return !(v->acts && v->held);
}

static real derivative_pushed_rate(const vary_step *x, uint32_t count, uint32_t coordinate)
{
    real rate = R(0.0);
    for (uint32_t i = 0; i < count; i++) {
        rate += derivative_answers(x, coordinate)[3 * i] * derivative_stored(x->q, i)[DERIVATIVE_PUSH];
    }
    return rate;
}

// Of a body, about the centre of its tree: `residual` is its part of s, `sum` the momentum that s gives it, `load` the
// wrench of its pushes; the last two then of its subtree.
static void derivative_pushed_body(const vary_step *x, uint32_t count, uint16_t self)
{
    const tac_mechanism *k = &x->t->mechanism;
    const tac_mechanism_body *b = &k->body[self];
    tac_varied_body *v = &x->t->body[self];
    six_set(v->load, V3_ZERO, V3_ZERO);
    six_set(v->residual, V3_ZERO, V3_ZERO);
    if (mechanism_hangs(k, self)) { six_copy(v->residual, x->t->body[b->parent].residual); }
    for (uint32_t i = b->first; i < (uint32_t)b->first + b->axes && derivative_moved_along(x, self); i++) {
        six_add(v->residual, derivative_pushed_rate(x, count, i), x->t->axis[i].start);
    }
    const vec3 w = six_angular(v->residual);
    const vec3 p = v3_scale(x->m->body[self].mass, v3_add(six_linear(v->residual), v3_cross(w, b->arm)));
    const vec3 spin = v3_mul(x->m->body[self].inertia, v3_components(b->axis, w));
    six_set(v->sum, v3_add(v3_combine(b->axis, spin), v3_cross(b->arm, p)), p);
}

static void derivative_pushed(const vary_step *x, uint32_t count)
{
    const tac_mechanism *k = &x->t->mechanism;
    for (uint32_t at = 0; at < k->bodies; at++) { derivative_pushed_body(x, count, k->order[at]); }
    for (uint32_t i = 0; i < count; i++) {
        const tac_contact *c = &x->w->contact[i];
        const vec3 force = v3_scale(derivative_stored(x->q, i)[DERIVATIVE_PUSH], c->n);
        const uint16_t body[2] = {c->body_a, c->body_b};
        for (int side = 0; side < 2; side++) {
            if (!mechanism_moves(x->m, body[side])) { continue; }
            real wrench[6];
            six_set(wrench, v3_cross(v3_sub(c->point, x->s->pose[k->body[body[side]].tree].p), force), force);
            six_add(x->t->body[body[side]].load, side ? R(1.0) : R(-1.0), wrench);
        }
    }
    for (uint32_t at = k->bodies; at-- > 0;) {
        const tac_varied_body *v = &x->t->body[k->order[at]];
        if (!mechanism_hangs(k, k->order[at])) { continue; }
        tac_varied_body *p = &x->t->body[k->body[k->order[at]].parent];
        six_add(p->load, R(1.0), v->load);
        six_add(p->sum, R(1.0), v->sum);
    }
}

// Of s, what the coordinate does not carry: it carries its subtree, and motions of its own joint that turn with it.
static void derivative_still(const vary_step *x, uint32_t count, uint16_t on, uint32_t coordinate, real *still)
{
    const tac_mechanism_body *b = &x->t->mechanism.body[on];
    six_copy(still, x->t->body[on].residual);
    for (uint32_t i = b->first; i < (uint32_t)b->first + b->axes && derivative_moved_along(x, on); i++) {
        if (!vary_turns(x->m, b, (int)(i - b->first), (int)(coordinate - b->first))) { continue; }
        six_add(still, -derivative_pushed_rate(x, count, i), x->t->axis[i].start);
    }
}

// A wrench that is carried along by a motion.
static void derivative_carry(const real *motion, const real *wrench, real *to)
{
    const vec3 w = six_angular(motion), force = six_linear(wrench);
    six_set(to, v3_add(v3_cross(w, six_angular(wrench)), v3_cross(six_linear(motion), force)), v3_cross(w, force));
}

// -dA s, and what J' has because its motions turn: along motions that turn with the coordinate, and along those that
// carry it. `lost`: what carried bodies lose, since s is partly not carried.
static void derivative_push_coordinates(const vary_step *x, uint16_t on, uint32_t coordinate, const real *lost,
                                        real *to)
{
    const tac_mechanism *k = &x->t->mechanism;
    const real *start = x->t->axis[coordinate].start;
    real above[6], turned[6], carried[6];
    dynamics_momentum(k->body[on].inertia, lost, above);
    derivative_carry(start, x->t->body[on].sum, carried);
    six_sub(above, carried);
    for (uint32_t at = 0; at < k->bodies; at++) {
        const uint16_t self = k->order[at];
        const tac_mechanism_body *b = &k->body[self];
        const tac_varied_body *v = &x->t->body[self];
        if (!v->within || !derivative_moved_along(x, self)) { continue; }
        dynamics_momentum(b->inertia, lost, turned);
        derivative_carry(start, v->load, carried);
        if (!v->alone) { six_sub(turned, carried); } // alone: derivative_wrench()
        for (uint32_t i = b->first; i < (uint32_t)b->first + b->axes; i++) {
            const int turns = self != on || vary_turns(x->m, b, (int)(i - b->first), (int)(coordinate - b->first));
            to[i] += six_dot(x->t->axis[i].start, turns ? turned : above);
        }
    }
    for (uint16_t up = on; mechanism_hangs(k, up);) {
        up = k->body[up].parent;
        const tac_mechanism_body *b = &k->body[up];
        for (uint32_t i = b->first; i < (uint32_t)b->first + b->axes && derivative_moved_along(x, up); i++) {
            to[i] += six_dot(x->t->axis[i].start, above);
        }
    }
}

// Change of the compliance of a contact by that of its arm and normal on a body, to which both are relative.
static real derivative_softens(const vary_step *x, const tac_contact *c, const derivative_motion *d,
                               const derivative_moved *at, int side)
{
    const uint16_t self = side ? c->body_b : c->body_a;
    const vec3 *axis = x->t->mechanism.body[self].axis, r = v3_sub(c->point, x->s->pose[self].p);
    const vec3 arm = v3_cross(r, c->n), slid = v3_sub(at->point, d->of[side]);
    const vec3 moved = v3_cross(v3_add(slid, v3_cross(d->turned[side], r)), c->n);
    const vec3 change = v3_sub(v3_add(moved, v3_cross(r, at->normal)), v3_cross(d->turned[side], arm));
    const vec3 weighed = vary_inverse(x->m->body[self].inertia, v3_components(axis, arm));
    return JOINT_COUNT(x->m) > 0 ? R(2.0) * UNTANGLE_SOFT * v3_dot(weighed, v3_components(axis, change)) : R(0.0);
}

// Adds dJ'g of a contact to the right side. Returns dJ s + d soft g.
static real derivative_push_contact(const vary_step *x, uint32_t i, uint32_t coordinate, const real *still, real *to)
{
    const tac_contact *c = &x->w->contact[i];
    const real *start = x->t->axis[coordinate].start, push = derivative_stored(x->q, i)[DERIVATIVE_PUSH];
    const uint16_t body[2] = {c->body_a, c->body_b};
    const int moves[2] = {derivative_moves(x, c->body_a), derivative_moves(x, c->body_b)};
    if (!(push > R(0.0)) || (!moves[0] && !moves[1])) { return R(0.0); }
    derivative_motion d;
    derivative_motion_of(x, c, &x->t->axis[coordinate], moves, &d);
    const derivative_moved at = derivative_contact_moves(x, i, &d);
    real rate = R(0.0);
    for (int side = 0; side < 2; side++) {
        const tac_varied_body *v = &x->t->body[body[side]];
        if (!mechanism_moves(x->m, body[side])) { continue; }
        derivative_wrench(x, c, &d, side, v3_scale(push, c->n), at.point, v3_scale(push, at.normal), to);
        const vec3 arm = v3_sub(c->point, x->s->pose[x->t->mechanism.body[body[side]].tree].p);
        const vec3 w = six_angular(v->residual);
        vec3 change = v3_cross(w, at.point);
        if (v->within) {
            real own[6], carried[6];
            six_copy(own, v->residual);
            six_sub(own, still);
            vary_cross(start, own, carried);
            change = v3_add(change, v3_add(six_linear(carried), v3_cross(six_angular(carried), arm)));
        }
        const vec3 speed = v3_add(six_linear(v->residual), v3_cross(w, arm));
        rate += (side ? R(1.0) : R(-1.0)) * (v3_dot(at.normal, speed) + v3_dot(c->n, change));
        rate += push * derivative_softens(x, c, &d, &at, side);
    }
    return rate;
}

// y of a coordinate; `need` then is the right side of dg.
static void derivative_push_change(const vary_step *x, uint32_t count, uint16_t on, uint32_t coordinate, real *change,
                                   real *need)
{
    const tac_mechanism *k = &x->t->mechanism;
    real still[6], lost[6];
    reals_clear(change, k->coordinates * sizeof *change);
    derivative_still(x, count, on, coordinate, still);
    vary_cross(x->t->axis[coordinate].start, still, lost);
    derivative_push_coordinates(x, on, coordinate, lost, change);
    for (uint32_t i = 0; i < count; i++) { need[i] -= derivative_push_contact(x, i, coordinate, still, change); }
    for (uint32_t at = 0; at < k->bodies; at++) {
        if (!derivative_moved_along(x, k->order[at])) { change[k->body[k->order[at]].first] = R(0.0); }
    }
    for (uint32_t c = 0; c < k->coordinates; c++) {
        for (uint32_t i = 0; i < count; i++) { need[i] -= derivative_answers(x, c)[3 * i] * change[c]; }
    }
}

// How the pushes of the position projection change by a column of q, and the right side of what they move.
static void derivative_project(const vary_step *x, uint32_t count, uint16_t on, uint32_t coordinate)
{
    real *push = x->q->z, *need = x->q->w, *change = x->q->entering;
    for (uint32_t i = 0; i < count; i++) {
        const real part = derivative_stored(x->q, i)[DERIVATIVE_PART];
        need[i] = part * (x->t->contact[i].asks - R(1.0)) * derivative_gap(x, i)[coordinate] / x->m->h;
    }
    derivative_push_change(x, count, on, coordinate, change, need);
    reals_clear(push, count * sizeof *push);
    for (uint32_t i = 0; i < count; i++) { lu_madd(push, need[i], x->q->F[i], count); }
    for (uint32_t c = 0; c < x->t->mechanism.coordinates; c++) {
        real sum = change[c];
        for (uint32_t i = 0; i < count; i++) { sum += derivative_impulses(x, c)[3 * i] * push[i]; }
        derivative_push_sides(x, c)[coordinate] = sum;
    }
}

// What they add to the positions at the end.
static void derivative_projected(const vary_step *x, real *A, size_t wide)
{
    const tac_mechanism *k = &x->t->mechanism;
    vary_answer(x, derivative_push_sides(x, 0), VARY_STRIDE, k->coordinates);
    for (uint32_t at = 0; at < k->bodies; at++) {
        const tac_mechanism_body *b = &k->body[k->order[at]];
        for (size_t i = b->first; i < (size_t)b->first + b->axes && derivative_moved_along(x, k->order[at]); i++) {
            lu_madd(A + i * wide, x->m->h, derivative_push_sides(x, i), k->coordinates);
        }
    }
}

// ------------------------------------------------------------------------------------------------------------ the step

// Impulses of contacts on the bodies, and of efforts where vary.h looks for them.
static void derivative_loads(const vary_step *x, uint32_t count)
{
    for (uint32_t at = 0; at < x->t->mechanism.bodies; at++) { x->t->body[x->t->mechanism.order[at]].straight = 0; }
    for (uint32_t i = 0; i < count; i++) {
        const tac_contact *c = &x->w->contact[i];
        const vec3 axes[3] = {c->n, c->u, c->w}, force = v3_combine(axes, c->impulse);
        const uint16_t body[2] = {c->body_a, c->body_b};
        for (int side = 0; side < 2; side++) {
            tac_varied_body *v = &x->t->body[body[side]];
            if (!mechanism_moves(x->m, body[side])) { continue; }
            const vec3 centre = x->s->pose[x->t->mechanism.body[body[side]].tree].p;
            real wrench[6];
            six_set(wrench, v3_cross(v3_sub(c->point, centre), force), force);
            six_add(v->load, side ? R(1.0) : R(-1.0), wrench);
            v->straight = 1;
        }
    }
}

// The impulses of the intervals of joints, where the scratch of the solve is not overwritten.
static void derivative_keep(tac_work *w)
{
    for (uint32_t i = 0; i < PROGRAM_JOINTS(w); i++) {
        tac_joint_block *k = &JOINT_LINK(w)[i];
        const real *g = &w->scratch.solve.g[k->first + TAC_JOINT_ROWS];
        for (int e = 0; e < TAC_EFFORTS; e++) { k->interval[e].z = g[e]; }
    }
}

static void derivative_states(const vary_step *x, uint32_t count, tac_step_derivative *y)
{
    const tac_mechanism *k = &x->t->mechanism;
    const int pushed = derivative_pushes_any(x, count);
    if (pushed) {
        derivative_push_matrix(x, count);
        derivative_push_all(x, count);
        derivative_pushed(x, count);
    }
    vary_next(x, y->A, y->size.x);
    reals_clear(vary_seen_in(x, VARY_Q, 0), (size_t)6 * k->coordinates * count * sizeof(real));
    for (uint32_t i = 0; i < count; i++) { derivative_changes(x, i); }
    for (uint32_t at = 0; at < k->bodies; at++) { vary_enter_led(x, k->order[at]); }
    for (uint32_t at = 0; at < k->bodies && pushed; at++) {
        const tac_mechanism_body *b = &k->body[k->order[at]];
        derivative_within(x, k->order[at]);
        for (uint32_t i = b->first; i < (uint32_t)b->first + b->axes; i++) {
            derivative_project(x, count, k->order[at], i);
        }
    }
    if (pushed) { derivative_projected(x, y->A, y->size.x); }
    vary_states(x);
    vary_follow(x, y->A, y->size.x);
}

static void derivative_inputs(const vary_step *x, tac_step_derivative *y)
{
    if (y->size.u == 0) { return; }
    reals_clear(y->B, (size_t)y->size.x * y->size.u * sizeof *y->B);
    vary_inputs(x, y->wrenches, y->size.u);
    vary_follow(x, y->B, y->size.u);
}

// Returns 0 if the mechanism or its contacts are singular.
static int derivative_make(const vary_step *x, uint32_t count, tac_step_derivative *y)
{
    vary_started(x, x->q->value);
    derivative_loads(x, count);
    vary_efforts(x);
    if (!vary_mass(x)) { return 0; }
    for (uint32_t i = 0; i < count; i++) { derivative_contact(x, i); }
    vary_find(x);
    derivative_enter(x, count);
    for (uint32_t i = 0; i < count; i++) { derivative_see(x, i); }
    if (!vary_factor(x->t, vary_matrix(x), VARY_STRIDE)) { return 0; }
    vary_respond(x);
    derivative_factor(x, count);
    derivative_states(x, count, y);
    derivative_inputs(x, y);
    return 1;
}

#endif

#endif
