// SPDX-License-Identifier: MIT
// derivative_contacts.h - contacts that bear a force or are pushed apart: the law of each, how its point and normal move.
//   given   a step that has been solved: contacts with impulses and modes, blocks of rows with pushes
//   makes   these contacts, first in the list, with their axes; six columns of point and normal, or a radius, of each
//   bound   a visit to each contact; a narrow phase for each of 12 displacements of a pair that is not of a half-space
//   never   asks how bodies move by coordinates
#ifndef DERIVATIVE_DERIVATIVE_CONTACTS_H
#define DERIVATIVE_DERIVATIVE_CONTACTS_H

#include "../step/ccp.h"
#include "linearise.h"

#if TAC_MAX_LCP > 0

// Of all these contacts, in the rows of F from the last one up: their geometry, and what the position projection does.
#define DERIVATIVE_SHAPE 36                      // numbers of the geometry,
#define DERIVATIVE_PART DERIVATIVE_SHAPE         // the part of an overlap that is taken back, 0 without a push,
#define DERIVATIVE_PUSH (DERIVATIVE_SHAPE + 1)   // and the push;
#define DERIVATIVE_FOUND (DERIVATIVE_SHAPE + 2)  // of the two sides of a displacement, how many have the same features
#define DERIVATIVE_TARGET (DERIVATIVE_SHAPE + 3) // b of the normal row
#define DERIVATIVE_STRAIGHT (DERIVATIVE_SHAPE + 4) // 1 if its bodies move with their velocities at the end
#define DERIVATIVE_NUMBERS (DERIVATIVE_SHAPE + 5)

static real *derivative_stored(tac_lcp *q, uint32_t i)
{
    return q->F[TAC_MAX_LCP - 1 - i];
}

// The part of a change of the overlap at the end that a pushed contact takes back: project_need().
static real derivative_part(const tac_model *m, const tac_state *s, const tac_work *w, const tac_contact *c,
                            const tac_block *k)
{
    const real overlap = k->own.project.overlap;
    if (k->push == R(0.0)) { return R(0.0); }
    if (overlap <= R(0.0) && !project_closes(m, w, k)) { return R(1.0); }
    return real_abs(overlap) <= rows_rounding(m, c, s) ? R(0.0) : m->options.projection;
}

// Does a contact bear a force, or does the position projection push its bodies apart?
static int derivative_counts(const tac_work *w, uint32_t i)
{
    return w->contact[i].impulse.x > R(0.0) || blocks_of(w)[i].push != R(0.0);
}

static uint32_t derivative_count(const tac_work *w)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < w->report.contacts; i++) { count += (uint32_t)derivative_counts(w, i); }
    return count;
}

// The contacts that count become the first ones of the list.
static void derivative_bearing(const tac_model *m, const tac_state *s, tac_work *w, tac_lcp *q)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < w->report.contacts; i++) {
        if (!derivative_counts(w, i)) { continue; }
        const tac_block *k = &blocks_of(w)[i];
        real *to = derivative_stored(q, count);
        to[DERIVATIVE_PART] = derivative_part(m, s, w, &w->contact[i], k);
        to[DERIVATIVE_PUSH] = k->push;
        to[DERIVATIVE_TARGET] = k->target;
        to[DERIVATIVE_STRAIGHT] = k->rolls < ROLLS_MIDDLE ? R(1.0) : R(0.0);
        if (count != i) { bytes_copy(&w->contact[count], &w->contact[i], sizeof *w->contact); }
        count++;
    }
}

// Where b of the normal row follows the gap: rows_target().
static real derivative_asks(const vary_step *x, uint32_t i)
{
    const real target = derivative_stored(x->q, i)[DERIVATIVE_TARGET];
    return target != R(0.0) && target > -x->m->options.recovery ? R(1.0) : R(0.0);
}

// Does a corner, or the centre of a ball, stay what touches a half-space of body a?
static int derivative_on_plane(const tac_model *m, const tac_contact *c)
{
    const uint8_t kind = m->shape[c->id.shape_b].kind;
    const int rolls = kind == TAC_CYLINDER || kind == TAC_CONE || kind == TAC_ELLIPSOID;
    return m->shape[c->id.shape_a].kind == TAC_HALF_SPACE && !rolls;
}

static void derivative_contact(const vary_step *x, uint32_t i)
{
    const tac_contact *c = &x->w->contact[i];
    tac_varied_contact *k = &x->t->contact[i];
    const vec3 u = v3(R(0.0), c->velocity.y, c->velocity.z), from[3] = {c->n, c->u, c->w};
    const vec3 along = v3_combine(from, u);
    k->bears = c->impulse.x > R(0.0);
    k->slides = c->mode == TAC_SLIDE;
    k->flat = (uint8_t)derivative_on_plane(x->m, c);
    k->slip = v3_norm(u);
    k->law = x->w->report.friction == TAC_FRICTION_RELAXED ? R(1.0) : R(0.0);
    k->asks = k->bears ? derivative_asks(x, i) : R(0.0);
    k->axes[0] = c->n;
    k->axes[1] = k->slides ? v3_unit(along, c->u) : c->u;
    k->axes[2] = v3_cross(k->axes[0], k->axes[1]);
    k->force = v3_combine(from, c->impulse);
    k->g = v3_components(k->axes, k->force);
}

// ------------------------------------------------------------------------------------------------------------ geometry

// What the point and the normal of a contact do by a motion of b relative to a: a displacement at the point, then a
// rotation; world frame. Over a half-space by a formula, else by six columns of both.

// A corner, or the centre of a ball, over a half-space of body a: the point is midway between both surfaces, `radius`
// from it, which is all that is stored; n does not turn against a.
static real derivative_radius(const tac_model *m, const tac_contact *c)
{
    const tac_shape *b = &m->shape[c->id.shape_b];
    const int round = b->kind == TAC_SPHERE || b->kind == TAC_CAPSULE;
    return b->rounding + (round ? b->size.x : R(0.0)) + R(0.5) * c->gap;
}

static vec3 derivative_on_plane_moves(vec3 n, real radius, vec3 apart, vec3 twist)
{
    const vec3 way = v3_madd(apart, radius, v3_cross(twist, n));
    return v3_madd(way, R(-0.5) * v3_dot(way, n), n);
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

// Shapes where the step has found them, for displacements of pairs: these have no speed.
static void derivative_place(const tac_model *m, const tac_state *s, tac_work *w)
{
    contacts_place(m, s, w);
    for (uint16_t i = 0; i < m->shapes; i++) { w->scratch.collision.placed[i].speed = R(0.0); }
}

static void derivative_shapes(const tac_model *m, const tac_state *s, tac_work *w, uint32_t count, tac_lcp *q)
{
    int placed = 0;
    for (uint32_t i = 0, end; i < count; i = end) {
        end = derivative_pair_end(w, i, count);
        if (derivative_on_plane(m, &w->contact[i])) {
            for (uint32_t k = i; k < end; k++) { derivative_stored(q, k)[0] = derivative_radius(m, &w->contact[k]); }
            continue;
        }
        if (!placed) { derivative_place(m, s, w); }
        placed = 1;
        derivative_pair(m, w, i, end, q);
    }
}

#endif

#endif
