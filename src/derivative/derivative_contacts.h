// SPDX-License-Identifier: MIT
// derivative_contacts.h - contacts that bear a force or are pushed apart: their laws, how points and normals move.
//   given   a step that has been solved: contacts with impulses and modes, blocks of rows with pushes
//   makes   these contacts, first in the list, with their axes; six columns of point and normal, or a radius, of each
//   bound   a visit to each contact; a narrow phase for each of 12 displacements of a pair that is not of a half-space
//   never   asks how bodies move by coordinates
#ifndef DERIVATIVE_DERIVATIVE_CONTACTS_H
#define DERIVATIVE_DERIVATIVE_CONTACTS_H

#include "../step/ccp.h"
#include "vary_next.h"

#if TAC_MAX_LCP > 0

// ------------------------------------------------------------------------------------------------ what the step leaves

// What is kept of a contact while the scratch of its step becomes that of the narrow phase and of the mechanism: a row
// of F, from the last one up. First come point and normal by six displacements, or over a half-space a radius.
enum {
    DERIVATIVE_SHAPE = 0,
    DERIVATIVE_PART = 36, // of an overlap, what is taken back: 0 without a push,
    DERIVATIVE_PUSH,      // and the push
    DERIVATIVE_FOUND,     // of the two sides of a displacement, how many have the same features
    DERIVATIVE_TARGET,    // b of the normal row
    DERIVATIVE_STRAIGHT,  // 1 if its bodies move with their velocities at the end
    DERIVATIVE_NUMBERS
};

// The row of a contact.
static real *derivative_kept(const vary_step *x, uint32_t i)
{
    return x->q->F[TAC_MAX_LCP - 1 - i];
}

// The push that the position projection has given a contact.
static real derivative_push(const vary_step *x, uint32_t i)
{
    return derivative_kept(x, i)[DERIVATIVE_PUSH];
}

// The part of a change of the overlap at the end that a pushed contact takes back: project_need().
static real derivative_part(const vary_step *x, const tac_contact *c, const tac_block *k)
{
    if (k->push == R(0.0)) { return R(0.0); }
    PHASE_HOLDS(x->w, blocks, TAC_BLOCKS_PROJECT);
    const real overlap = k->own.project.overlap;
    if (overlap <= R(0.0) && !project_closes(x->m, x->w, k)) { return R(1.0); }
    return real_abs(overlap) <= rows_rounding(x->m, c, x->s) ? R(0.0) : x->m->options.projection;
}

// Does a contact bear a force, or does the position projection push its bodies apart? Smoothed, every one counts.
static int derivative_counts(const tac_work *w, uint32_t i, real smoothing)
{
    return smoothing > R(0.0) || w->contact[i].impulse.x > R(0.0) || w->scratch.solve.block[i].push != R(0.0);
}

// How many contacts count.
static uint32_t derivative_count(const tac_work *w, real smoothing)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < w->report.contacts; i++) { count += (uint32_t)derivative_counts(w, i, smoothing); }
    return count;
}

// Keeps what the step has found of the contacts that count, which become the first ones of the list, and the impulses
// of the intervals of joints.
static void derivative_keep(const vary_step *x)
{
    tac_work *w = x->w;
    uint32_t count = 0;
    for (uint32_t i = 0; i < w->report.contacts; i++) {
        if (!derivative_counts(w, i, x->smoothing)) { continue; }
        const tac_block *k = &w->scratch.solve.block[i];
        real *to = derivative_kept(x, count);
        to[DERIVATIVE_PART] = derivative_part(x, &w->contact[i], k);
        to[DERIVATIVE_PUSH] = k->push;
        to[DERIVATIVE_TARGET] = k->target;
        to[DERIVATIVE_STRAIGHT] = k->rolls < ROLLS_MIDDLE ? R(1.0) : R(0.0);
        if (count != i) { bytes_copy(&w->contact[count], &w->contact[i], sizeof *w->contact); }
        count++;
    }
    for (uint32_t i = 0; i < PROGRAM_JOINTS(w); i++) {
        tac_joint_block *k = &JOINT_LINK(w)[i];
        reals_copy(k->borne, &w->scratch.solve.g[k->first + TAC_JOINT_ROWS], sizeof k->borne);
    }
}

// ------------------------------------------------------------------------------------------------------------ geometry
// What the point and the normal of a contact do by a motion of b relative to a: a displacement at the point, then a
// rotation; world frame. Over a half-space by a formula, else by six columns of both.

// Does a corner, or the centre of a ball, stay what touches a half-space of body a?
static int derivative_flat(const tac_model *m, const tac_contact *c)
{
    const uint8_t kind = m->shape[c->id.shape_b].kind;
    const int rolls = kind == TAC_CYLINDER || kind == TAC_CONE || kind == TAC_ELLIPSOID;
    return m->shape[c->id.shape_a].kind == TAC_HALF_SPACE && !rolls;
}

// How far such a corner or centre is from the point, which is midway between both surfaces. All that is kept.
static real derivative_radius(const tac_model *m, const tac_contact *c)
{
    const tac_shape *b = &m->shape[c->id.shape_b];
    const int round = b->kind == TAC_SPHERE || b->kind == TAC_CAPSULE;
    return b->rounding + (round ? b->size.x : R(0.0)) + R(0.5) * c->gap;
}

#define DERIVATIVE_TURN (TAC_REAL_BITS == 32 ? R(2e-3) : R(1e-6)) // rad; and of the size of the smaller shape

// Are two contacts of one pair of shapes?
static int derivative_same_pair(const tac_contact *a, const tac_contact *b)
{
    return a->id.shape_a == b->id.shape_a && a->id.shape_b == b->id.shape_b;
}

// Contacts of one pair of shapes follow each other in the list: the first one that is of another pair than `first`.
static uint32_t derivative_pair_end(const vary_step *x, uint32_t first)
{
    const tac_contact *c = x->w->contact;
    uint32_t end = first + 1;
    while (end < x->k && end < TAC_MAX_CONTACTS && derivative_same_pair(&c[first], &c[end])) { end++; }
    return end;
}

// Adds part of the place and the normal of the same features, with shape b displaced. Returns 0 if they are lost.
static int derivative_again(const tac_collision *g, const tac_contact *c, real part, real *to)
{
    const tac_pair *p = &g->pair;
    const tac_pose *own = &g->placed[p->own_shape].pose;
    for (int i = 0; i < p->points; i++) {
        if (p->point[i].feature != c->id.feature) { continue; }
        const vec3 point = pose_point(own, p->point[i].at.v);
        const vec3 normal = quat_rotate(own->q, p->point[i].n);
        v3_put(to, v3_madd(v3_of(to), part, v3_sub(point, c->point)));
        v3_put(to + 3, v3_madd(v3_of(to + 3), p->own_shape == c->id.shape_a ? part : -part, normal));
        return 1;
    }
    return 0;
}

// Shape b moved by a displacement of `way`, or turned by it about a point.
static tac_pose derivative_displaced(const tac_pose *at, vec3 about, int turns, vec3 way)
{
    if (!turns) { return (tac_pose){v3_add(at->p, way), at->q}; }
    const quat e = quat_exp(way);
    return (tac_pose){v3_add(at->p, quat_turn(e, v3_sub(at->p, about))), quat_mul(e, at->q)};
}

// One of six displacements of shape b, to both sides: what all contacts of the pair do by it. Where the features are
// lost, the point is one of body b, n of body a.
static void derivative_displace(const vary_step *x, uint32_t first, uint32_t end, int i)
{
    tac_collision *g = &x->w->scratch.collision;
    const tac_contact *c = x->w->contact;
    const uint16_t shape[2] = {c[first].id.shape_a, c[first].id.shape_b};
    tac_placed *b = &g->placed[shape[1]];
    const tac_pose at = b->pose;
    const real thick = real_min(g->placed[shape[0]].thickness, b->thickness);
    const real way = i < 3 ? DERIVATIVE_TURN * thick : DERIVATIVE_TURN;
    real deepest = R(0.0);
    for (uint32_t k = first; k < end; k++) {
        deepest = real_max(deepest, real_abs(c[k].gap));
        reals_clear(derivative_kept(x, k) + 6 * i, 6 * sizeof(real));
        derivative_kept(x, k)[DERIVATIVE_FOUND] = R(0.0);
    }
    const real margin = model_margin(R(-1.0), thick) + deepest;
    for (int side = 0; side < 2; side++) {
        b->pose = derivative_displaced(&at, c[first].point, i >= 3, v3_scale(side ? way : -way, V3_AXIS[i % 3]));
        const int meet = contacts_meet(x->m, g, margin, shape[0], shape[1]);
        for (uint32_t k = first; k < end && meet; k++) {
            real *to = derivative_kept(x, k);
            const real part = (side ? R(0.5) : R(-0.5)) / way;
            if (derivative_again(g, &c[k], part, to + 6 * i)) { to[DERIVATIVE_FOUND] += R(1.0); }
        }
    }
    b->pose = at;
    for (uint32_t k = first; k < end; k++) {
        real *to = derivative_kept(x, k);
        if (to[DERIVATIVE_FOUND] == R(2.0)) { continue; }
        v3_put(to + 6 * i, i < 3 ? V3_AXIS[i] : v3_cross(V3_AXIS[i - 3], v3_sub(c[k].point, c[first].point)));
        v3_put(to + 6 * i + 3, V3_ZERO);
    }
}

// All displacements of a pair. Shape b turns about the first contact: for the others that is a displacement too, which
// is taken back.
static void derivative_pair(const vary_step *x, uint32_t first, uint32_t end)
{
    for (int i = 0; i < 6; i++) { derivative_displace(x, first, end, i); }
    for (uint32_t k = first + 1; k < end; k++) {
        const vec3 arm = v3_sub(x->w->contact[k].point, x->w->contact[first].point);
        real *to = derivative_kept(x, k);
        for (int i = 0; i < 3; i++) {
            real way[3];
            v3_put(way, v3_cross(V3_AXIS[i], arm));
            for (int j = 0; j < 3; j++) { six_add(to + 18 + 6 * i, -way[j], to + 6 * j); }
        }
    }
}

// The geometry of all contacts that count. Shapes are where the step has found them, and have no speed.
static void derivative_shapes(const vary_step *x)
{
    int placed = 0;
    for (uint32_t i = 0, end; i < x->k; i = end) {
        end = derivative_pair_end(x, i);
        if (derivative_flat(x->m, &x->w->contact[i])) {
            for (uint32_t k = i; k < end; k++) { *derivative_kept(x, k) = derivative_radius(x->m, &x->w->contact[k]); }
            continue;
        }
        if (!placed) { contacts_place(x->m, x->s, NULL, x->w); }
        for (uint16_t k = 0; k < x->m->shapes && !placed; k++) { x->w->scratch.collision.placed[k].speed = R(0.0); }
        placed = 1;
        derivative_pair(x, i, end);
    }
}

// How the two bodies of a contact move by a change of position, at the point, about each and against each other.
typedef struct derivative_motion {
    vec3 way[2], turn[2]; // of a and b
    vec3 apart, twist;    // of b against a
} derivative_motion;

// How the point of a contact and its normal change.
typedef struct derivative_moved {
    vec3 point, normal;
} derivative_moved;

// By these motions, as a body's own motion and what the displacement of b against a adds.
static derivative_moved derivative_moves(const vary_step *x, uint32_t i, const derivative_motion *d)
{
    const real *kept = derivative_kept(x, i);
    const vec3 n = x->w->contact[i].n;
    const real apart[6] = {d->apart.x, d->apart.y, d->apart.z, d->twist.x, d->twist.y, d->twist.z};
    derivative_moved y = {d->way[0], v3_cross(d->turn[0], n)};
    if (x->t->contact[i].flat) { // the normal does not turn against a; the point stays midway
        const vec3 way = v3_madd(d->apart, kept[DERIVATIVE_SHAPE], v3_cross(d->twist, n));
        y.point = v3_add(y.point, v3_madd(way, R(-0.5) * v3_dot(way, n), n));
        return y;
    }
    for (int j = 0; j < 6; j++) {
        if (apart[j] == R(0.0)) { continue; }
        y.point = v3_madd(y.point, apart[j], v3_of(kept + 6 * j));
        y.normal = v3_madd(y.normal, apart[j], v3_of(kept + 6 * j + 3));
    }
    return y;
}

// ----------------------------------------------------------------------------------------------------------------- law

// Its axes, impulse and law. b of the normal row follows the gap where it is a part of it: rows_aim().
static void derivative_contact(const vary_step *x, uint32_t i)
{
    const tac_contact *c = &x->w->contact[i];
    tac_varied_contact *k = &x->t->contact[i];
    const real target = derivative_kept(x, i)[DERIVATIVE_TARGET];
    const vec3 u = v3(R(0.0), c->velocity.y, c->velocity.z), from[3] = {c->n, c->u, c->w};
    k->bears = c->impulse.x > R(0.0);
    k->slides = c->mode == TAC_SLIDE;
    k->flat = (uint8_t)derivative_flat(x->m, c);
    k->slip = v3_norm(u);
    k->relaxed = x->w->report.friction == TAC_FRICTION_RELAXED ? R(1.0) : R(0.0);
    const int acts = k->bears || x->smoothing > R(0.0);
    k->asks = acts && target != R(0.0) && target > -x->m->options.recovery ? R(1.0) : R(0.0);
    if (acts && c->stiffness > R(0.0)) { k->asks = x->m->h * x->m->h * c->stiffness * rows_soft(x->m, c); }
    k->axes[0] = c->n;
    k->axes[1] = k->slides ? v3_unit(v3_combine(from, u), c->u) : c->u;
    k->axes[2] = v3_cross(k->axes[0], k->axes[1]);
    k->force = v3_combine(from, c->impulse);
    k->g = v3_components(k->axes, k->force);
}

// Body a or b of a contact.
static uint16_t derivative_body(const tac_contact *c, int side)
{
    return side ? c->body_b : c->body_a;
}

// Adds the impulse of a contact on one of its bodies, about O.
static void derivative_load(const vary_step *x, const tac_contact *c, int side, vec3 force, real *load)
{
    const vec3 centre = x->s->pose[x->tree->body[derivative_body(c, side)].tree].p;
    real wrench[6];
    six_set(wrench, v3_cross(v3_sub(c->point, centre), force), force);
    six_add(load, side ? R(1.0) : R(-1.0), wrench);
}

// The impulses of all contacts on the bodies.
static void derivative_loads(const vary_step *x)
{
    for (uint32_t at = 0; at < x->tree->bodies; at++) { x->t->body[x->tree->order[at]].straight = 0; }
    for (uint32_t i = 0; i < x->k; i++) {
        const tac_contact *c = &x->w->contact[i];
        const vec3 axes[3] = {c->n, c->u, c->w}, force = v3_combine(axes, c->impulse);
        const int straight = c->impulse.x > R(0.0) && derivative_kept(x, i)[DERIVATIVE_STRAIGHT] > R(0.0);
        for (int side = 0; side < 2; side++) {
            const uint16_t self = derivative_body(c, side);
            if (!mechanism_moves(x->m, self)) { continue; }
            derivative_load(x, c, side, force, x->t->body[self].phase.rates.load);
            x->t->body[self].straight |= (uint8_t)straight;
        }
    }
}

#endif

#endif
