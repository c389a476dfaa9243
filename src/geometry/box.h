// SPDX-License-Identifier: MIT
// box.h - box against box: separating axes, then a face or a pair of edges.
//   given   a pair of boxes
//   makes   up to four points for a face contact, one for an edge or a corner
//   bound   15 axes, 48 pairs of edges
//   never   prefers an edge to a face that is as good: the features of resting boxes persist
#ifndef GEOMETRY_BOX_H
#define GEOMETRY_BOX_H

#include "round.h"

// Preferences that keep features from step to step: a later kind of axis must be better by this part of the thinner
// box; a single nearest point must be closer by this part of the gap that it replaces.
#define BOX_SLACK R(0.005) // of the thinner box: by this a later kind of axis is better
#define BOX_NEARER R(0.999) // of the gap: a single nearest point is closer than this part of it
#define BOX_LEVEL R(1e-8)                     // of the thinner box: a point that is nearer by less gives no direction
#define BOX_ROUNDING (R(16.0) * REAL_EPSILON) // of the sizes: smaller differences of height count as zero
#define BOX_PARALLEL R(1e-3)                  // sin^2 of the angle below which two edges give no axis
#define BOX_EDGE 0x1000000u                   // marks the feature of an edge contact,
#define BOX_APART 0x2000000u                  // of an edge against an edge of a face

// Half width of a box along n.
static real box_width(const tac_core *c, vec3 n)
{
    real width = R(0.0);
    for (int k = 0; k < 3; k++) { width += c->half.k[k] * real_abs(v3_dot(c->axis[k], n)); }
    return width;
}

// The axis of largest separation among the fifteen: faces of the own box, faces of the other, cross products of edges.
// Faces of the other, and then edges, must be better by the slack. `normal` points to the other box. Returns -1 as soon
// as an axis shows that the gap exceeds max_gap.
static int box_separate(const tac_pair *p, vec3 *normal, real *separation)
{
    const tac_core *a = &p->own, *b = &p->other;
    int best = 0;
    real limit = -REAL_LARGEST;
    for (int k = 0; k < 15; k++) {
        vec3 n = k < 3 ? V3_AXIS[k] : b->axis[k % 3]; // the own axes are those of the frame
        if (k >= 6) { n = v3_cross(V3_AXIS[k / 3 - 2], n); }
        if (k == 3 || k == 6) { limit = *separation + BOX_SLACK * p->thickness; }
        const real sin2 = v3_dot(n, n);
        if (sin2 < BOX_PARALLEL) { continue; }
        n = v3_scale(R(1.0) / real_sqrt(sin2), n);
        const vec3 wide = v3(real_abs(n.x), real_abs(n.y), real_abs(n.z));
        const real t = v3_dot(b->centre.v, n), s = real_abs(t) - v3_dot(a->half.v, wide) - box_width(b, n);
        if (!(s > limit)) { continue; }
        if (s - points_radii(p) > p->max_gap) { return -1; }
        best = k;
        limit = *separation = s;
        *normal = v3_scale(t < R(0.0) ? R(-1.0) : R(1.0), n);
    }
    return best;
}

// -------------------------------------------------------------------------------------------------------------- edges
// The id of an edge: its direction, times eight, and its signs along the other two axes.

// The edge along axis d that is extreme along n.
static uint32_t box_edge_at(const tac_core *c, int d, vec3 n)
{
    uint32_t name = (uint32_t)d << 3;
    for (int k = 0; k < 3; k++) {
        if (k != d && v3_dot(c->axis[k], n) >= R(0.0)) { name |= 1u << k; }
    }
    return name;
}

// Vector from the point x of the own edge a that is closest to the other's edge b, to b.
static vec3 box_between(const tac_pair *p, uint32_t a, uint32_t b, vec3 *x)
{
    const int i = (int)(a >> 3), j = (int)(b >> 3);
    const vec3 at = points_corner(&p->own, a, i), da = v3_scale(p->own.half.k[i], p->own.axis[i]);
    const vec3 r = v3_sub(points_corner(&p->other, b, j), at), db = v3_scale(p->other.half.k[j], p->other.axis[j]);
    const vec3 t = v3_scale(round_segments(r, da, db), da);
    *x = v3_add(at, t);
    return v3_madd(v3_sub(r, t), round_on_segment(db, v3_sub(t, r)), db);
}

// Replaces the points found on face (axis, sign) by the closest pair of an edge of the other box and an edge of the
// face, if it is closer than all of them.
static void box_rim(tac_pair *p, int axis, real sign, real lowest, real rounding)
{
    real nearest = R(0.0),
         limit = REAL_LARGEST; // of edges that share a corner, which are equally near, the first counts
    uint32_t own = 0, other = 0;
    vec3 x;
    for (uint32_t a = 0; a < 24; a++) {
        if (a >> (a >> 3) & 1 || (int)(a >> 3) == axis || (a >> axis & 1) != (sign > R(0.0))) { continue; }
        for (uint32_t b = 0; b < 24; b++) {
            if (b >> (b >> 3) & 1) { continue; }
            const real distance = v3_norm(box_between(p, a, b, &x));
            if (!(distance < limit)) { continue; }
            nearest = distance;
            limit = distance - rounding;
            own = a;
            other = b;
        }
    }
    if (BOX_NEARER * lowest <= nearest + rounding + BOX_LEVEL * p->thickness) { return; }
    const vec3 d = box_between(p, own, other, &x);
    p->points = 0;
    points_put(p, v3_add(x, d), v3_unit(d, v3_scale(sign, p->own.axis[axis])), nearest, BOX_APART | own << 5 | other);
}

// Face (axis, sign) of the own box. All of the other box is above its plane by `separation`. If the closest point is
// above the inside of the face, the lowest corner is there and clipping has found it. Else an edge is closest to an
// edge.
static void box_face(const tac_model *m, tac_pair *p, int axis, real sign, real separation)
{
    face_meet(m, p, axis, sign);
    if (!(separation > R(0.0))) { return; }
    const real rounding = BOX_ROUNDING * (v3_norm_inf(p->own.half.v) + v3_norm_inf(p->other.half.v));
    real lowest = REAL_LARGEST;
    for (int i = 0; i < p->points; i++) { lowest = real_min(lowest, p->point[i].gap + points_radii(p)); }
    if (lowest > separation + rounding) { box_rim(p, axis, sign, lowest, rounding); }
}

static void box_box(const tac_model *m, tac_collision *g)
{
    tac_pair *p = &g->pair;
    vec3 n = V3_Z, x;
    real separation = R(0.0);
    int k = box_separate(p, &n, &separation);
    if (k < 0) { return; }
    if (k >= 6) {
        const int i = k / 3 - 2, j = k % 3;
        const uint32_t a = box_edge_at(&p->own, i, n), b = box_edge_at(&p->other, j, v3_scale(R(-1.0), n));
        (void)box_between(p, a, b, &x);
        // the normal is the axis, the gap the separation along it
        points_put(p, v3_madd(x, separation, n), n, separation, BOX_EDGE | a << 5 | b);
        return;
    }
    if (k >= 3) { points_place(m, g, p->other_shape, p->own_shape); } // the face belongs to the other box
    box_face(m, p, k % 3, p->other.centre.k[k % 3] < R(0.0) ? R(-1.0) : R(1.0), separation);
}

#endif
