// SPDX-License-Identifier: MIT
// meeting.h - when does a pair of shapes touch, on ways that both bodies move?
//   given   two shapes, the paths of their bodies, how long these last
//   makes   the time of the first touch, or up to which there is none
//   bound   `looks` searches for the nearest points, MEETING_CUTS evaluations of a separation each
//   never   passes a time at which it has not found the pair apart
//
// A search finds the gap and a direction n in which the shapes are apart. Along n, fixed in the frame of the own shape,
// the separation s(t) of points of the other one is a lower bound of the gap. Over a part of the way of length T each
// point is above the chord of its ends by no less than -B T^2/8, with B a bound on its acceleration along n. So the
// shapes are apart all along if s is at least B T^2/8 at both ends; else the part is made shorter, until that holds.
#ifndef PREDICT_MEETING_H
#define PREDICT_MEETING_H

#include "path.h"
#include "../query/distance.h"

#if TAC_PREDICT

#define MEETING_CUTS 8                           // parts of the way that one search tries, each shorter
#define MEETING_LESS R(0.9)                      // a part that does not hold becomes shorter by as much at least
#define MEETING_NEAR R(1e-5)                     // of the thinner shape: a smaller gap is a touch
#define MEETING_ROUNDING (R(8.0) * REAL_EPSILON) // of coordinates and sizes
#define MEETING_SAG R(0.15625) // 5/4 of 1/8: what is left of a gap after a cut is a quarter of its bend

// A pair on its way. `own` is the shape of higher rank, whose frame normals are in.
typedef struct meeting_pair {
    uint16_t shape[2]; // own, other
    path_body path[2];
    tac_pose local[2]; // of the shapes in the principal frames
    real arm[2];       // m, of the farthest point of a shape from the centre of mass; of a sphere of its centre;
    real reach[2];     // m, of its farthest point in any case
    real near, noise;  // m, gaps that are a touch: of their sizes, of where they are
    int surface;       // own is a mesh or a height field
    int plane;         // own is a half-space
} meeting_pair;

// The shape in the principal frame of its body, and how far it reaches.
static void meeting_side(const tac_model *m, meeting_pair *p, tac_collision *g, int side)
{
    const uint16_t i = p->shape[side];
    const tac_shape *shape = &m->shape[i];
    const tac_pose one = {V3_ZERO, QUAT_ONE};
    tac_pose from;
    pose_undo(&one, &m->body[shape->body].inertial, &from);
    pose_mul(&from, &shape->pose, &p->local[side]);
    shape_measure(m, shape, &g->placed[i].radius, &g->placed[i].thickness);
    const real far = v3_norm(p->local[side].p), radius = real_max(g->placed[i].radius, R(0.0));
    p->reach[side] = far + radius;
    p->arm[side] = shape->kind == TAC_SPHERE ? far : p->reach[side];
}

// The pair of shapes a and b; without paths, and the noise of where these are.
static void meeting_pair_of(const tac_model *m, tac_collision *g, uint16_t a, uint16_t b, meeting_pair *p)
{
    const int rank_a = SHAPE_RANK[m->shape[a].kind], rank_b = SHAPE_RANK[m->shape[b].kind];
    const int first = rank_a > rank_b || (rank_a == rank_b && a < b);
    p->shape[0] = first ? a : b;
    p->shape[1] = first ? b : a;
    meeting_side(m, p, g, 0);
    meeting_side(m, p, g, 1);
    const uint8_t kind = m->shape[p->shape[0]].kind;
    p->surface = shape_is_surface(kind);
    p->plane = kind == TAC_HALF_SPACE;
    const tac_placed *x = &g->placed[p->shape[0]], *y = &g->placed[p->shape[1]];
    const real size = p->reach[1] + (p->plane ? R(0.0) : p->reach[0]);
    p->near = MEETING_NEAR * real_min(x->thickness, y->thickness) + MEETING_ROUNDING * size;
}

static void meeting_place(const meeting_pair *p, tac_collision *g, real t)
{
    for (int side = 0; side < 2; side++) {
        path_place(&p->path[side], t, &p->local[side], &g->placed[p->shape[side]].pose);
    }
}

// The gap at time t, and the direction from own to other in the frame of own.
static real meeting_look(const tac_model *m, const meeting_pair *p, tac_collision *g, real t, vec3 *n)
{
    tac_nearest *found = &g->query.near.nearest;
    meeting_place(p, g, t);
    found->gap = REAL_LARGEST;
    distance_shapes(m, g, p->shape[0], p->shape[1], found);
    *n = g->query.near.best->n;
    return found->gap;
}

// How far they are apart along n at time t.
static real meeting_apart(const tac_model *m, const meeting_pair *p, tac_collision *g, vec3 n, real t)
{
    meeting_place(p, g, t);
    points_place(m, g, p->shape[0], p->shape[1]);
    return support_separation(m, &g->pair, n) - points_radii(&g->pair);
}

// Bound on the speed at which points of both approach each other, from time 0 to T, and how far other is from own.
static real meeting_speed(const meeting_pair *p, real T, real *far)
{
    const path_body *a = &p->path[0], *b = &p->path[1];
    const vec3 v = v3_sub(b->v, a->v), by = v3_sub(b->a, a->a), d = v3_sub(b->pose.p, a->pose.p);
    const real speed = real_max(v3_norm(v), v3_norm(v3_madd(v, T, by)));
    *far = v3_norm(d) + T * speed + p->reach[1];
    return speed + b->rate * p->arm[1] + a->rate * *far;
}

// Bound on the acceleration of points of other along n, world, that brings them closer between chords.
static real meeting_bend(const meeting_pair *p, vec3 n, real T)
{
    const path_body *a = &p->path[0], *b = &p->path[1];
    const vec3 by = v3_sub(b->a, a->a);
    const real arms = b->bend * p->arm[1];
    real far;
    if (!(a->rate > R(0.0))) { return real_max(v3_dot(n, by) + arms, R(0.0)); }
    const real speed = meeting_speed(p, T, &far);
    return v3_norm(by) + arms + a->bend * far + R(2.0) * a->rate * speed;
}

// The earliest time at which both may be within their reach of each other along the line of their centres, or the
// normal of a plane; T if they stay apart.
static real meeting_skip(const meeting_pair *p, real T)
{
    const path_body *a = &p->path[0], *b = &p->path[1];
    const vec3 d = v3_sub(b->pose.p, a->pose.p), v = v3_sub(b->v, a->v), by = v3_sub(b->a, a->a);
    vec3 n = v3_unit(d, V3_Z);
    real gap = v3_dot(n, d) - p->reach[0] - p->reach[1];
    if (p->surface || (p->plane && a->rate > R(0.0))) { return R(0.0); }
    if (p->plane) {
        n = quat_axis_z(quat_mul(a->pose.q, p->local[0].q));
        gap = v3_dot(n, v3_sub(d, quat_rotate(a->pose.q, p->local[0].p))) - p->reach[1];
    }
    gap -= p->near + p->noise;
    if (!(gap > R(0.0))) { return R(0.0); }
    const real rate = v3_dot(n, v), pull = v3_dot(n, by), square = rate * rate - R(2.0) * pull * gap;
    if (!(square >= R(0.0))) { return T; }
    const real t = R(2.0) * gap / (real_sqrt(square) - rate);
    return t >= R(0.0) && t < T ? t : T;
}

// The longest part of the way from `from` on, at most `part`, over which planes across n keep them apart. A part that
// is too long is cut to where the separation comes down to what it has to be, as a parabola with the acceleration of
// the centres through both ends.
static real meeting_hold(const tac_model *m, const meeting_pair *p, tac_collision *g, vec3 n, real from, real part)
{
    const vec3 out = quat_rotate(g->placed[p->shape[0]].pose.q, n);
    const real bend = meeting_bend(p, out, from + part), pull = v3_dot(out, v3_sub(p->path[1].a, p->path[0].a));
    const real gap = support_separation(m, &g->pair, n) - points_radii(&g->pair); // as the search has left them
    for (int cut = 0; cut < MEETING_CUTS && gap > R(0.0); cut++) {
        const real then = meeting_apart(m, p, g, n, from + part);
        if (real_min(gap, then) - R(0.125) * bend * part * part >= R(0.0)) { return part; }
        const real falls = (gap - then) / part + R(0.5) * pull * part, turn = MEETING_SAG * bend - R(0.5) * pull;
        const real square = falls * falls + R(4.0) * turn * gap;
        const real root = square > R(0.0) ? falls + real_sqrt(square) : R(0.0);
        part = root * MEETING_LESS * part > R(2.0) * gap ? R(2.0) * gap / root : MEETING_LESS * part;
    }
    return R(0.0);
}

// As long as the gap lasts at the greatest speed.
static real meeting_wait(const meeting_pair *p, real gap, real T)
{
    real far;
    const real speed = meeting_speed(p, T, &far);
    return speed > R(0.0) ? gap / speed : T;
}

// From time 0 to *to: do they touch? Then *to is when; else, if it is not 0, it has been made shorter since looks have
// run out. The gap is left in the result of the search.
static int meeting_find(const tac_model *m, meeting_pair *p, tac_collision *g, uint32_t *looks, real *to)
{
    const real T = *to;
    real now = meeting_skip(p, T);
    if (now == T && T > R(0.0)) { return 0; }
    do {
        vec3 n;
        if (*looks == 0) { break; }
        --*looks;
        const real gap = meeting_look(m, p, g, now, &n);
        if (!(gap > p->near + p->noise)) {
            *to = now;
            return 1;
        }
        real part = R(0.0);
        if (!p->surface) { part = meeting_hold(m, p, g, n, now, T - now); }
        if (!(part > R(0.0))) { part = meeting_wait(p, gap - R(0.5) * p->near, T); }
        now = part < T - now ? now + part : T;
    } while (now < T);
    *to = real_min(now, T);
    return 0;
}

#endif

#endif
