// SPDX-License-Identifier: MIT
// arrivals.h - pairs of shapes that approach each other: does the motion of this step make them touch, and where?
//   given   contacts of the start of the step, the pairs that arrive, where bodies go (step/move.h)
//   makes   contacts of the pairs that touch or come closer than the margin, where they do
//   bound   per arriving pair or triangle ARRIVALS_LOOKS looks of ARRIVALS_CUTS tests; nothing where no pair arrives
//   never   lets a pair pass that it has not found apart in the whole step
//
// A contact is a plane: it is right for the motion that solves the step if it is that of the place where the bodies
// meet. A body that slides to the edge of its floor meets the next one, flush with the first, at its top and not at its
// side: the plane of the start would stop it. So the pair is looked at where it is when the step ends, without its own
// forces.
//
// If it is apart there, along a direction in which it has been apart from the start, it passes. Otherwise planes of
// more looks, each from where the one before ceases to hold, cover the step or lead to where the shapes first touch.
//
// If it overlaps there, along a direction in which it was apart at the start, that is its normal. If it was neither
// apart nor overlapping there by more than `flush`, it slides: it touches when the step ends, not in it. Otherwise the
// bodies have met before: the normal is that of the first touch.
//
// Rows of such a place are carried back to the start, so that gap + h n.v is the gap that they have there.
#ifndef GEOMETRY_ARRIVALS_H
#define GEOMETRY_ARRIVALS_H

#include "contacts.h"

#define ARRIVALS_LOOKS 16       // most looks at one pair that approaches
#define ARRIVALS_CUTS 8         // shorter parts of the step that are tried until the planes of one look hold
#define ARRIVALS_PASSED R(-1.0) // no fraction of the step
#define ARRIVALS_PASSES 4       // over the contacts that bear the bodies
#define ARRIVALS_ALIKE R(0.92)  // cosine of the angle that the normal of curved shapes may turn by until they meet
#define ARRIVALS_ROUNDING (R(8.0) * REAL_EPSILON) // of coordinates and sizes: smaller gaps count as zero

// Of which method the step is: one whose bodies move on parabolas where no contact acts (step/move.h); one whose bodies
// move with the velocities at the end of the step; one that finds itself where contacts are at the end of the step, and
// wants them as they are at the start. Or none: at an instant nothing arrives.
enum { ARRIVALS_CCP, ARRIVALS_LCP, ARRIVALS_NCP, ARRIVALS_NONE };

// ----------------------------------------------------------------------------------------------------- where bodies go

// Mean velocity of a body in this step without contacts. Those of joints have no pseudo-velocity (step/move.h): joints
// are taken to hold them against forces.
static vec3 arrivals_free(const tac_state *s, int method, const tac_work *w, uint16_t i)
{
    const vec3 own = s->twist[i].v, more = w->delta_v[i].v, pseudo = w->pseudo_velocity[i].v;
    if (w->moving[i].inv_mass > R(0.0) && v3_norm_inf(pseudo) == R(0.0)) { return own; }
    return v3_add(own, method == ARRIVALS_CCP ? v3_add(more, pseudo) : more);
}

// Mean angular velocity, world.
static vec3 arrivals_rate(const tac_state *s, int method, const tac_work *w, uint16_t i)
{
    const vec3 rate = v3_add(s->twist[i].w, w->delta_v[i].w);
    return quat_rotate(s->pose[i].q, method == ARRIVALS_CCP ? v3_add(rate, w->pseudo_velocity[i].w) : rate);
}

static vec3 arrivals_velocity(const tac_state *s, const tac_collision *g, uint16_t body, uint16_t shape, vec3 at)
{
    return v3_velocity(&g->course[body], &g->placed[shape].w, &s->pose[body].p, at);
}

// An impulse along the normal of a contact changes the courses of its bodies.
static void arrivals_push(tac_work *w, const tac_contact *c, real impulse)
{
    vec3 *course = w->scratch.collision.course;
    course[c->body_a] = v3_madd(course[c->body_a], -impulse * w->moving[c->body_a].inv_mass, c->n);
    course[c->body_b] = v3_madd(course[c->body_b], impulse * w->moving[c->body_b].inv_mass, c->n);
}

static real arrivals_inv_mass(const tac_work *w, const tac_contact *c)
{
    return w->moving[c->body_a].inv_mass + w->moving[c->body_b].inv_mass;
}

// A contact keeps its bodies from overlapping when the step ends, and no more than that.
static void arrivals_bear(const tac_model *m, const tac_state *s, tac_work *w, tac_contact *c)
{
    const tac_collision *g = &w->scratch.collision;
    const vec3 va = arrivals_velocity(s, g, c->body_a, c->id.shape_a, c->point);
    const vec3 v = v3_sub(arrivals_velocity(s, g, c->body_b, c->id.shape_b, c->point), va);
    const real lacks = -(v3_dot(c->n, v) + real_max(c->gap, R(0.0)) / m->h);
    const real more = real_max(lacks / arrivals_inv_mass(w, c), -c->impulse.x);
    c->impulse.x += more;
    arrivals_push(w, c, more);
}

// Fast bodies may bounce. What was foreseen of the impulse is forgotten: the solver finds its own.
static void arrivals_bounce(const tac_model *m, tac_work *w, tac_contact *c)
{
    const real impulse = c->impulse.x;
    c->impulse.x = R(0.0);
    if (impulse * arrivals_inv_mass(w, c) > model_bounce(m)) { arrivals_push(w, c, c->restitution * impulse); }
}

// Contacts of a pair of shapes: in the order of pairs they follow each other, from number *from to before the number
// that is returned.
static uint32_t arrivals_of(const tac_work *w, uint16_t i, uint16_t j, uint32_t *from)
{
    const tac_feature pair = {i, j, 0};
    const uint32_t key = shape_pair(&pair), end = w->report.contacts;
    uint32_t low = 0, high = end;
    while (low < high) {
        const uint32_t middle = (low + high) / 2;
        if (shape_pair(&w->contact[middle].id) < key) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    *from = low;
    while (high < end && shape_pair(&w->contact[high].id) == key) { high++; }
    return high;
}

// Contacts keep their bodies from overlapping: all of them, or those of a pair.
static void arrivals_bear_all(const tac_model *m, const tac_state *s, tac_work *w, const tac_arrival *arrival)
{
    uint32_t from = 0, to = w->report.contacts;
    if (arrival != NULL) { to = arrivals_of(w, arrival->shape[0], arrival->shape[1], &from); }
    for (int pass = 0; pass <= ARRIVALS_PASSES; pass++) {
        for (tac_contact *c = w->contact + from; c < w->contact + to; c++) {
            if (pass < ARRIVALS_PASSES) {
                arrivals_bear(m, s, w, c);
            } else {
                arrivals_bounce(m, w, c);
            }
        }
    }
}

// Mean velocities of all bodies, with the contacts that are known.
static void arrivals_foresee(const tac_model *m, const tac_state *s, int method, tac_work *w)
{
    vec3 *course = w->scratch.collision.course;
    for (uint16_t i = 0; i < m->bodies; i++) { course[i] = arrivals_free(s, method, w, i); }
    arrivals_bear_all(m, s, w, NULL);
}

// ----------------------------------------------------------------------------------------------------- looks at a pair

// Both shapes where they are after the fraction t of the step.
static void arrivals_place(const tac_model *m, tac_collision *g, const tac_arrival_search *q, real t)
{
    for (int k = 0; k < 2; k++) {
        const tac_arrival_side *x = &q->side[k];
        const quat turn = quat_exp(v3_scale(t * m->h, x->w));
        const vec3 arm = v3_sub(x->shape.p, x->body.p), centre = v3_madd(x->body.p, t * m->h, x->v);
        tac_pose *at = &g->placed[x->index].pose;
        at->p = v3_add(centre, quat_rotate(turn, arm));
        at->q = quat_mul(turn, x->shape.q);
    }
}

// Points of the pair then: none if it is farther apart than a step can take it.
static int arrivals_look(const tac_model *m, tac_collision *g, const tac_arrival_search *q, real t)
{
    arrivals_place(m, g, q, t);
    return contacts_meet(m, g, m->options.margin, q->side[0].index, q->side[1].index);
}

static const tac_point *arrivals_nearest(const tac_pair *p)
{
    int least = 0;
    for (int i = 1; i < p->points; i++) { least = p->point[i].gap < p->point[least].gap ? i : least; }
    return &p->point[least];
}

// The cores of both shapes then; of a surface, its current triangle.
static void arrivals_cores(const tac_model *m, tac_collision *g, const tac_arrival_search *q, real t)
{
    arrivals_place(m, g, q, t);
    points_place(m, g, q->own, q->other);
    if (q->triangle) { g->pair.own.kind = SUPPORT_TRIANGLE; }
}

// The gap then, and the direction from the own shape to the other; no direction, if they are farther apart than a step
// can take them.
static real arrivals_gap(const tac_model *m, tac_collision *g, tac_arrival_search *q, real t, vec3 *n)
{
    if (TAC_CONVEX && q->triangle) {
        vec3 x;
        arrivals_cores(m, g, q, t);
        *n = g->pair.triangle.n;
        const real gap = convex_normal(m, &g->pair, n, &x) - points_radii(&g->pair);
        return gap <= g->pair.max_gap ? gap : REAL_LARGEST;
    }
    if (arrivals_look(m, g, q, t) == 0) { return REAL_LARGEST; }
    const tac_point *p = arrivals_nearest(&g->pair);
    q->own = g->pair.own_shape;
    q->other = g->pair.other_shape;
    *n = q->carried ? p->n : quat_rotate(g->placed[q->own].pose.q, p->n);
    return p->gap;
}

// How far the shapes are apart along n then.
static real arrivals_apart(const tac_model *m, tac_collision *g, const tac_arrival_search *q, vec3 n, real t)
{
    arrivals_cores(m, g, q, t);
    const vec3 own = q->carried ? n : quat_rotate_back(g->placed[q->own].pose.q, n);
    return support_separation(m, &g->pair, own) - points_radii(&g->pair);
}

// Are they apart along n from `from` to `from + *part`? Points of a shape that rotates move on arcs, which leave their
// chord by q->bend part^2 at most. If not, *part is made shorter: in straight motion to where they cease to be.
static int arrivals_hold(const tac_model *m, tac_collision *g, const tac_arrival_search *q, vec3 n, real from,
                         real *part)
{
    const real bend = q->bend * *part * *part - q->rounding;
    const real now = arrivals_apart(m, g, q, n, from), then = arrivals_apart(m, g, q, n, from + *part);
    if (now >= bend && then >= bend) { return 1; }
    const real cross = then < now ? real_max(now, R(0.0)) / (now - then) : R(1.0);
    *part *= q->bend > R(0.0) ? real_min(R(0.5), cross) : cross;
    return 0;
}

// Are they apart between `from` and *to, the later or the earlier? Each look gives a direction in which they are, for
// some time. If not, *to is where they are found to touch.
static int arrivals_pass(const tac_model *m, tac_collision *g, tac_arrival_search *q, real from, real *to)
{
    real now = from, left = *to - from;
    for (int look = 0; look < ARRIVALS_LOOKS && left != R(0.0); look++) {
        vec3 n;
        const real gap = arrivals_gap(m, g, q, now, &n);
        if (gap == REAL_LARGEST) { return 1; }
        if (gap <= q->rounding) { break; }
        real part = left;
        for (int cut = 0; cut < ARRIVALS_CUTS && !arrivals_hold(m, g, q, n, now, &part); cut++) {}
        now = part == left ? *to : now + part;
        left = *to - now;
    }
    *to = now;
    return left == R(0.0);
}

// A body and a surface pass each other if the body and each triangle do.
static int arrivals_pass_surface(const tac_model *m, tac_collision *g, tac_arrival_search *q, real *t)
{
    vec3 low, high;
    uint32_t at = 0;
    int apart = 1;
    q->own = g->pair.own_shape;
    q->other = g->pair.other_shape;
    arrivals_cores(m, g, q, R(0.0));
    surface_begin(m, &g->pair, &low, &high);
    q->triangle = 1;
    while (contacts_triangle(m, &g->pair, &low, &high, &at)) {
        real part = *t;
        if (!arrivals_hold(m, g, q, g->pair.triangle.n, R(0.0), &part)) { apart &= arrivals_pass(m, g, q, R(0.0), t); }
    }
    q->triangle = 0;
    return apart;
}

// -------------------------------------------------------------------------------------------------- contacts of a pair

// The point of the last look, after the fraction t of the step, in the world and at the start of the step: a point of
// both bodies at once, more of the lighter one, so that its impulses keep the angular momentum of both together. Its
// gap is such that gap + h n.v is what the look has found, for the velocities that are foreseen; it is no overlap
// deeper than that. Returns by how much the gap shrinks in a step.
static real arrivals_carry(const tac_model *m, const tac_work *w, const tac_arrival_search *q, real t, tac_point *p)
{
    const uint16_t a = m->shape[q->side[0].index].body, b = m->shape[q->side[1].index].body;
    const real ma = w->moving[a].inv_mass, mb = w->moving[b].inv_mass, time = t * m->h;
    const tac_arrival_side *ca = &q->side[0], *cb = &q->side[1];
    const vec3 mean = v3_add(v3_scale(ma / (ma + mb), ca->v), v3_scale(mb / (ma + mb), cb->v));
    const vec3 middle = v3_scale(R(0.5), v3_add(ca->v, cb->v));
    const vec3 at = v3_madd(p->at.v, -time, mean);
    const vec3 v = v3_sub(v3_velocity(&cb->v, &cb->w, &cb->body.p, at), v3_velocity(&ca->v, &ca->w, &ca->body.p, at));
    const real shrinks = -v3_dot(p->n, v);
    p->at.v = v3_madd(at, -time * v3_dot(p->n, v3_sub(middle, mean)), p->n);
    p->gap = real_max(p->gap + time * shrinks, real_min(p->gap, R(0.0)));
    return m->h * shrinks;
}

// Points of the last look that become contacts, carried to the start of the step.
static void arrivals_points(const tac_model *m, tac_work *w, const tac_arrival_search *q, real t)
{
    tac_pair *p = &w->scratch.collision.pair;
    uint16_t a, b;
    contacts_to_world(m, &w->scratch.collision, &a, &b);
    int kept = 0;
    for (int i = 0; i < p->points; i++) {
        tac_point *x = &p->point[kept];
        if (kept != i) { points_copy(x, &p->point[i]); }
        const real gap = x->gap, shrinks = arrivals_carry(m, w, q, t, x);
        kept += gap < p->margin + (R(1.0) - t) * real_max(shrinks, R(0.0));
    }
    p->points = (uint16_t)kept;
}

// Has the pair a contact of this feature?
static int arrivals_has(const tac_work *w, const tac_arrival *arrival, uint32_t feature)
{
    uint32_t i, end = arrivals_of(w, arrival->shape[0], arrival->shape[1], &i);
    for (; i < end; i++) {
        if (w->contact[i].id.feature == feature) { return 1; }
    }
    return 0;
}

// Contacts from number `from` on move to their places in the order of pairs.
static void arrivals_sort(tac_work *w, uint16_t from)
{
    for (uint16_t i = from; i < w->report.contacts; i++) {
        tac_contact moved;
        const uint32_t key = shape_pair(&w->contact[i].id);
        uint16_t to = i;
        while (to > 0 && shape_pair(&w->contact[to - 1].id) > key) { to--; }
        if (to == i) { continue; }
        contacts_copy(&moved, &w->contact[i]);
        for (uint16_t k = i; k > to; k--) { contacts_copy(&w->contact[k], &w->contact[k - 1]); }
        contacts_copy(&w->contact[to], &moved);
    }
}

// Adds the points of the pair that it has no contact for.
static void arrivals_add(const tac_model *m, tac_work *w, const tac_arrival *arrival)
{
    const tac_pair *p = &w->scratch.collision.pair;
    const uint16_t a = arrival->shape[0], b = arrival->shape[1];
    tac_material_pair pair;
    model_pair(m, m->shape[a].material, m->shape[b].material, &pair);
    uint8_t order[TAC_PAIR_POINTS];
    contacts_sort(p, order);
    for (int i = 0; i < p->points; i++) {
        const tac_point *x = &p->point[order[i]];
        if (arrivals_has(w, arrival, x->feature)) { continue; }
        const uint16_t full = w->report.dropped;
        contacts_add(m, &w->scratch.collision, a, b, &pair, x, &w->report, w->contact);
        arrivals_sort(w, (uint16_t)(full < w->report.dropped ? 0 : w->report.contacts - 1));
    }
}

// ---------------------------------------------------------------------------------------------------- one that arrives

// Bound on how far points of a shape leave the chord of their motion in the step, parts of it by the square.
static real arrivals_bend(const tac_model *m, const tac_placed *p, const tac_arrival_side *x, uint8_t kind)
{
    const vec3 rate = x->w, arm = v3_sub(x->shape.p, x->body.p);
    const int ball = kind == TAC_SPHERE, turned = kind == TAC_CAPSULE || kind == TAC_CYLINDER || kind == TAC_CONE;
    const vec3 across = turned ? v3_cross(rate, quat_axis_z(x->shape.q)) : rate;
    const real far = ball ? R(0.0) : v3_dot(across, across) * real_max(p->radius, R(0.0));
    return R(0.125) * m->h * m->h * (v3_dot(rate, rate) * v3_norm(arm) + far);
}

static void arrivals_begin(const tac_model *m, const tac_state *s, int method, const tac_work *w,
                           const tac_arrival *arrival, tac_arrival_search *q)
{
    const tac_collision *g = &w->scratch.collision;
    real size = R(0.0), thickness = REAL_LARGEST, turn = R(0.0), way = R(0.0);
    reals_clear(q, offsetof(tac_arrival_search, own));
    q->carried = q->triangle = 0;
    for (int k = 0; k < 2; k++) {
        tac_arrival_side *x = &q->side[k];
        const tac_shape *shape = &m->shape[arrival->shape[k]];
        const tac_placed *p = &g->placed[arrival->shape[k]];
        x->index = arrival->shape[k];
        x->body = s->pose[shape->body];
        x->shape = p->pose;
        x->v = g->course[shape->body];
        x->w = arrivals_rate(s, method, w, shape->body);
        q->bend += arrivals_bend(m, p, x, shape->kind);
        way += m->h * p->speed;
        size += v3_norm_inf(p->pose.p) + real_max(p->radius, R(0.0));
        thickness = real_min(thickness, p->thickness);
        q->carried |= shape_is_surface(shape->kind) || shape->kind == TAC_HALF_SPACE;
        if (shape_is_surface(shape->kind) || shape->kind == TAC_HALF_SPACE) { turn = m->h * v3_norm(x->w); }
    }
    const real far = v3_norm(v3_sub(q->side[1].shape.p, q->side[0].shape.p)) + size;
    q->bend += R(0.125) * turn * (turn * far + R(2.0) * way); // directions that turn with a surface
    q->flush = CONTACTS_FLUSH * thickness;
    q->rounding = ARRIVALS_ROUNDING * size;
}

// How far the shapes were apart at the start, along the normal of the nearest point of the last look. A surface has
// points of the other shape beside a face too: there, where it is no round shape, that point of it counts alone.
static real arrivals_before(const tac_model *m, tac_collision *g, const tac_arrival_search *q, vec3 n)
{
    const uint16_t own = g->pair.own_shape, other = g->pair.other_shape;
    const tac_point *p = arrivals_nearest(&g->pair);
    if (!q->carried) { return arrivals_apart(m, g, q, n, R(0.0)); }
    const vec3 on_own = v3_madd(p->at.v, R(-0.5) * p->gap, p->n), on_other = v3_madd(p->at.v, R(0.5) * p->gap, p->n);
    const uint8_t kind = m->shape[other].kind;
    if (kind != TAC_BOX && kind != TAC_HULL) {
        arrivals_cores(m, g, q, R(0.0));
        const vec3 x = support_support(m, &g->pair, &g->pair.other, v3_scale(R(-1.0), n));
        return v3_dot(n, v3_sub(x, on_own)) - g->pair.other.radius;
    }
    const tac_arrival_side *a = &q->side[q->side[0].index != own], *b = &q->side[q->side[0].index == own];
    const tac_pose *end = &g->placed[own].pose;
    const vec3 world = pose_point(end, on_other), at = g->placed[other].pose.p;
    const vec3 fixed = quat_rotate_back(g->placed[other].pose.q, v3_sub(world, at));
    const vec3 start = pose_point(&b->shape, fixed);
    return v3_dot(n, v3_sub(pose_point_back(&a->shape, start), on_own));
}

// Shapes that are not deep at the end of the step and touch at t: do they only graze each other, no deeper than flush
// surfaces do, in the middle of the time in which they touch?
static int arrivals_grazes(const tac_model *m, tac_collision *g, tac_arrival_search *q, real t)
{
    vec3 n;
    real last = t;
    (void)arrivals_pass(m, g, q, R(1.0), &last);
    return arrivals_gap(m, g, q, R(0.5) * (t + last), &n) >= -q->flush;
}

// Where the pair meets, as a fraction of the step; ARRIVALS_PASSED if it does not. `gap` and `before`: of the nearest
// point at the end of the step. A surface has one side only: behind it there are no points, so that directions have to
// be followed from the start.
static real arrivals_touch(const tac_model *m, tac_collision *g, tac_arrival_search *q, real gap, real before, vec3 n)
{
    real t = R(1.0), whole = R(1.0);
    const uint8_t a = m->shape[q->side[0].index].kind, b = m->shape[q->side[1].index].kind;
    if (shape_is_surface(a) || shape_is_surface(b)) {
        if (arrivals_pass_surface(m, g, q, &t)) { return ARRIVALS_PASSED; }
    } else {
        if (gap == REAL_LARGEST) { return ARRIVALS_PASSED; }
        if (gap > q->flush && arrivals_hold(m, g, q, n, R(0.0), &whole)) { return ARRIVALS_PASSED; }
        if (before >= -q->flush) { return R(1.0); }
        if (arrivals_pass(m, g, q, R(0.0), &t)) { return ARRIVALS_PASSED; }
        if (gap >= -q->flush && arrivals_grazes(m, g, q, t)) { return ARRIVALS_PASSED; }
    }
    return before >= -q->flush ? R(1.0) : t;
}

// Do two curved shapes meet in about the direction that they have at the start? Then that plane serves. A contact that
// rolls has to be that of the start: rows/rolls.h follows it from there.
static int arrivals_alike(const tac_model *m, tac_collision *g, tac_arrival_search *q, real t)
{
    vec3 start, n;
    if (!shape_is_curved(&m->shape[q->side[0].index]) || !shape_is_curved(&m->shape[q->side[1].index])) { return 0; }
    return arrivals_gap(m, g, q, t, &n) < REAL_LARGEST && arrivals_gap(m, g, q, R(0.0), &start) < REAL_LARGEST &&
           v3_dot(n, start) > ARRIVALS_ALIKE;
}

// Where the contacts of the pair are to be taken from, as a fraction of the step: where it meets, or from its end if it
// is closer than the margin there; ARRIVALS_PASSED if it has none. The points of that look are in g->pair.
static real arrivals_meet(const tac_model *m, tac_collision *g, int method, tac_arrival_search *q)
{
    vec3 n;
    real before = -REAL_LARGEST;
    const real gap = arrivals_gap(m, g, q, R(1.0), &n), margin = g->pair.margin;
    if (gap <= q->flush) { before = arrivals_before(m, g, q, n); }
    const real t = arrivals_touch(m, g, q, gap, before, n);
    if (t < R(0.0) && !(gap < margin)) { return ARRIVALS_PASSED; }
    const int touches = t >= R(0.0) && (t < R(1.0) || gap <= R(0.0));
    if (method == ARRIVALS_NCP || (touches && arrivals_alike(m, g, q, t))) { return R(0.0); }
    return t < R(0.0) ? R(1.0) : t;
}

static void arrivals_one(const tac_model *m, const tac_state *s, int method, tac_work *w, const tac_arrival *arrival)
{
    tac_collision *g = &w->scratch.collision;
    tac_arrival_search *q = &g->query.search;
    arrivals_begin(m, s, method, w, arrival, q);
    const real t = arrivals_meet(m, g, method, q);
    if (t >= R(0.0)) {
        (void)arrivals_look(m, g, q, t);
        arrivals_points(m, w, q, t);
        arrivals_add(m, w, arrival);
        arrivals_bear_all(m, s, w, arrival);
    }
    for (int k = 0; k < 2; k++) { g->placed[q->side[k].index].pose = q->side[k].shape; }
}

// ---------------------------------------------------------------------------------------------- bodies that are struck

// Is a body thrown off its way by contacts farther than the margin of its shape: from that of free motion and from that
// without forces, which those of rest balance?
static int arrivals_thrown(const tac_model *m, const tac_state *s, int method, const tac_work *w, uint16_t shape)
{
    const uint16_t i = m->shape[shape].body;
    const tac_placed *p = &w->scratch.collision.placed[shape];
    const vec3 course = w->scratch.collision.course[i], still = v3_sub(course, s->twist[i].v);
    const real most = model_margin(m->options.margin, p->thickness) / m->h;
    if (!(v3_dot(still, still) > most * most) || m->body[i].kind != TAC_DYNAMIC) { return 0; }
    const vec3 free = v3_sub(course, arrivals_free(s, method, w, i));
    return v3_dot(free, free) > most * most;
}

// Contacts of a shape that is thrown, with shapes that it has none with, of other mechanisms.
static void arrivals_find(const tac_model *m, const tac_state *s, tac_work *w, uint16_t i)
{
    tac_collision *g = &w->scratch.collision;
    for (uint16_t j = 0; j < m->shapes; j++) {
        if (j == i || !broad_near(&g->placed[i], &g->placed[j])) { continue; }
        const uint16_t a = m->shape[i].body, b = m->shape[j].body;
        if (JOINT_COUNT(m) > 0 && (joint_together(JOINT_MECHANISM(g), a, b) || joint_parts(m, s, a, b))) { continue; }
        uint32_t from;
        if (arrivals_of(w, i, j, &from) > from || !contacts_meet(m, g, m->options.margin, i, j)) { continue; }
        const uint16_t before = w->report.contacts;
        contacts_store(m, g, 1, &w->report, w->contact);
        arrivals_sort(w, before);
    }
}

// Bodies that are thrown meet what their free motion does not lead to: their shapes are looked at again, with the
// velocities that contacts leave them.
static void arrivals_throw(const tac_model *m, const tac_state *s, int method, tac_work *w)
{
    tac_collision *g = &w->scratch.collision;
    joint_mechanisms(m, s, JOINT_MECHANISM(g));
    for (uint16_t i = 0; i < m->shapes; i++) {
        if (!arrivals_thrown(m, s, method, w, i)) { continue; }
        const uint16_t body = m->shape[i].body;
        contacts_move(m, g->course[body], g->placed[i].w, v3_sub(g->placed[i].pose.p, s->pose[body].p), &g->placed[i]);
    }
    for (uint16_t i = 0; i < m->shapes; i++) {
        if (arrivals_thrown(m, s, method, w, i)) { arrivals_find(m, s, w, i); }
    }
}

// The pairs that arrive, the earliest first, from number `from` on: what it meets may keep a body from the others.
static void arrivals_judge(const tac_model *m, const tac_state *s, int method, tac_work *w, uint16_t from)
{
    tac_collision *g = &w->scratch.collision;
    for (uint16_t k = from; k < g->arrivals; k++) {
        uint16_t first = k;
        for (uint16_t i = k; i < g->arrivals; i++) { first = g->arrival[i].time < g->arrival[first].time ? i : first; }
        const tac_arrival arrival = g->arrival[first];
        g->arrival[first] = g->arrival[k];
        g->arrival[k] = arrival;
        arrivals_one(m, s, method, w, &arrival);
    }
}

// Where pairs arrive, or contacts strike.
static void arrivals(const tac_model *m, const tac_state *s, int method, tac_work *w)
{
    tac_collision *g = &w->scratch.collision;
    const uint16_t found = g->arrivals;
    arrivals_foresee(m, s, method, w);
    arrivals_judge(m, s, method, w, 0);
    arrivals_throw(m, s, method, w);
    if (g->arrivals > found) {
        arrivals_foresee(m, s, method, w);
        arrivals_judge(m, s, method, w, found);
    }
}

#endif
