// SPDX-License-Identifier: MIT
// face.h - the supporting feature of the other shape, clipped to a face of the own one and reduced to few points.
//   given   a pair and the face; planes
//   makes   corners, alternating between scratch.corner[0] and [1]; at most four points where the feature is above or
//           below a face of a box or a half-space
//   bound   at most TAC_CLIP_CORNERS corners; 4 clips
//   never   decides whether this is the right face
#ifndef GEOMETRY_FACE_H
#define GEOMETRY_FACE_H

#include "support.h"

#define FACE_INSIDE R(0.01)   // a corner outside a face by this part of it counts as inside
#define FACE_EQUAL R(1e-5)    // of the thinner shape: smaller differences count as zero
#define FACE_SLIVER R(1e-4)   // of the square of the points' extent: smaller areas are ignored
#define FACE_FARTHER R(1.001) // of a squared distance: a later point must be farther by this factor
#define FACE_EDGE 8           // labels of the edges of a face begin here, those of the other's corners at 0
#define FACE_WITHIN 0x10u     // marks a corner that is kept by every plane
#define FACE_LABEL 0xfu
#define FACE_BALL 0x200u // in the feature id: the name that support_box() gives to the feature of a point

// Starts with the supporting feature of the other shape, its corners labelled by their number.
static int face_begin(tac_pair *p, const tac_support_feature *s)
{
    for (int i = 0; i < s->count; i++) {
        p->scratch.corner[0][i].x.v = s->x[i];
        p->scratch.corner[0][i].edge = (uint16_t)i;
    }
    return s->count;
}

// Sutherland-Hodgman clipping against plane number `plane`: n.x <= h, with some slack. New corners get the label of the
// plane. A segment has only one edge.
static int face_clip(tac_pair *p, int count, vec3 n, real h, real slack, int plane)
{
    const tac_corner *in = p->scratch.corner[plane & 1];
    tac_corner *out = p->scratch.corner[~plane & 1];
    const real limit = h + slack;
    int made = 0;
    for (int i = 0; i < count && made < TAC_CLIP_CORNERS; i++) {
        const tac_corner *a = &in[i], *b = &in[i + 1 < count ? i + 1 : 0];
        const real xa = v3_dot(n, a->x.v), xb = v3_dot(n, b->x.v);
        const int inside = xa <= limit || a->edge & FACE_WITHIN, next = xb <= limit || b->edge & FACE_WITHIN;
        if (inside) { out[made++] = *a; }
        if (inside == next || (i == 1 && count == 2)) { continue; }
        const real t = real_clamp((h - xa) / (xb - xa), R(0.0), R(1.0));
        out[made].x.v = v3_madd(a->x.v, t, v3_sub(b->x.v, a->x.v));
        out[made++].edge = inside ? (uint16_t)(FACE_EDGE + plane) : a->edge;
    }
    return made;
}

// The deepest of the points from `begin` on; of equally deep ones the farthest from their centre, since a point between
// others would displace a corner.
static int face_deepest(const tac_pair *p, int begin)
{
    const tac_point *c = p->point;
    const real part = R(1.0) / (real)(p->points - begin), equal = FACE_EQUAL * p->thickness;
    real limit = REAL_LARGEST, most = R(-1.0);
    vec3 middle = V3_ZERO;
    for (int i = begin; i < p->points; i++) {
        limit = real_min(limit, c[i].gap + equal);
        middle = v3_madd(middle, part, c[i].at.v);
    }
    int deepest = begin;
    for (int i = begin; i < p->points; i++) {
        const vec3 d = v3_sub(c[i].at.v, middle);
        const real far = v3_dot(d, d);
        if (c[i].gap > limit || !(far > FACE_FARTHER * most)) { continue; }
        most = far;
        deepest = i;
    }
    return deepest;
}

// Reduces the points p->point[begin ...] to at most four: the deepest, the farthest from it, then on either side of the
// line between them the one that spans the largest area. n is the normal of their plane.
static void face_thin(tac_pair *p, int begin, vec3 n)
{
    const tac_point *c = p->point;
    const int count = p->points, first = face_deepest(p, begin);
    const real equal = FACE_EQUAL * p->thickness;
    const vec3 origin = c[first].at.v;
    vec3 across = V3_ZERO; // from the first to the second, rotated by 90 degrees
    int second = first, side[2] = {first, first};
    real most = equal * equal;
    for (int i = begin; i < count; i++) {
        const vec3 d = v3_cross(n, v3_sub(c[i].at.v, origin));
        const real far = v3_dot(d, d);
        if (!(far > most)) { continue; }
        most = far;
        across = d;
        second = i;
    }
    real area[2] = {FACE_SLIVER * most, FACE_SLIVER * most};
    for (int i = begin; i < count; i++) {
        const real along = v3_dot(across, v3_sub(c[i].at.v, origin));
        const int left = along < R(0.0);
        if (!(real_abs(along) > area[left])) { continue; }
        area[left] = real_abs(along);
        side[left] = i;
    }
    p->points = (uint16_t)begin;
    for (int i = begin; i < count; i++) {
        if (i == first || i == second || i == side[0] || i == side[1]) { points_copy(&p->point[p->points++], &c[i]); }
    }
}

// Part of the feature id: the face, and which of the two shapes has it.
static uint32_t face_name(const tac_pair *p, int axis, real sign)
{
    return (uint32_t)(2 * axis + (sign > R(0.0)) + 6 * (p->own_shape > p->other_shape)) << 16;
}

// The points on face (axis, sign) of a box or a half-space, closer than max_gap: the supporting feature of the other
// shape is clipped to the four sides of the face, of which that of a half-space has none. The feature id of a point
// consists of the two edges that meet in its corner and of both faces; its room is how far it is within the border of
// the face.
static void face_meet(const tac_model *m, tac_pair *p, int axis, real sign)
{
    const vec3 n = v3_scale(sign, V3_AXIS[axis]);
    const int u = points_next(axis), v = points_next(u);
    tac_support_feature *other = &p->support[1];
    support_facing(m, p, &p->other, v3_scale(R(-1.0), n), other);
    int count = face_begin(p, other);
    for (int side = 0; side < 4 && p->own.half.v.x < REAL_LARGEST; side++) {
        const int k = side & 1 ? v : u;
        const real h = p->own.half.k[k];
        count = face_clip(p, count, v3_scale(side & 2 ? R(-1.0) : R(1.0), V3_AXIS[k]), h, FACE_INSIDE * h, side);
    }
    const uint32_t face = face_name(p, axis, sign) | (uint32_t)other->name << 8;
    const tac_corner *c = p->scratch.corner[0];
    uint32_t before = count > 0 ? c[count - 1].edge : 0;
    for (int i = 0; i < count; i++) {
        const tac_axes *x = &c[i].x;
        const real distance = sign * x->k[axis] - p->own.half.k[axis];
        const real room = real_min(p->own.half.k[u] - real_abs(x->k[u]), p->own.half.k[v] - real_abs(x->k[v]));
        if (distance - points_radii(p) <= p->max_gap) {
            points_put_above(p, x->v, n, distance, face | before << 4 | c[i].edge, room);
        }
        before = c[i].edge;
    }
    if (p->points > 4) { face_thin(p, 0, n); }
}

// The point of a ball, whose centre is known, on the plane of a half-space: what face_meet() finds there.
static void face_ball(tac_pair *p, real radius)
{
    p->own.radius = R(0.0);
    p->other.radius = radius;
    points_put_above(p, p->other.centre.v, V3_Z, p->other.centre.v.z, face_name(p, 2, R(1.0)) | FACE_BALL,
                     REAL_LARGEST);
}

#endif
