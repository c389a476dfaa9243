// SPDX-License-Identifier: MIT
// clip.h - the supporting feature of the other shape, clipped to a face of the own one and reduced to few points.
//   given   corners in scratch.corner[0]; planes
//   makes   fewer or more corners, alternating between scratch.corner[0] and [1]; four points out of many
//   bound   at most TAC_CLIP_CORNERS corners
//   never   decides whether this is the right face
#ifndef GEOMETRY_CLIP_H
#define GEOMETRY_CLIP_H

#include "points.h"

#define CLIP_INSIDE R(0.01)   // a corner outside a face by this part of it counts as inside
#define CLIP_EQUAL R(1e-5)    // of the thinner shape: smaller differences count as zero
#define CLIP_SLIVER R(1e-4)   // of the square of the points' extent: smaller areas are ignored
#define CLIP_FARTHER R(1.001) // of a squared distance: a later point must be farther by this factor
#define CLIP_EDGE 8           // labels of the edges of a face begin here, those of the other's corners at 0
#define CLIP_WITHIN 0x10u     // marks a corner that is kept by every plane
#define CLIP_LABEL 0xfu

// Starts with the supporting feature of the other shape, its corners labelled by their number.
static int clip_begin(tac_pair *p, const tac_support_feature *s)
{
    for (int i = 0; i < s->count; i++) {
        p->scratch.corner[0][i].x.v = s->x[i];
        p->scratch.corner[0][i].edge = (uint16_t)i;
    }
    return s->count;
}

// Sutherland-Hodgman clipping against plane number `plane`: n.x <= h, with some slack. New corners get the label of the
// plane. A segment has only one edge.
static int clip_plane(tac_pair *p, int count, vec3 n, real h, real slack, int plane)
{
    const tac_corner *in = p->scratch.corner[plane & 1];
    tac_corner *out = p->scratch.corner[~plane & 1];
    const real limit = h + slack;
    int made = 0;
    for (int i = 0; i < count && made < TAC_CLIP_CORNERS; i++) {
        const tac_corner *a = &in[i], *b = &in[i + 1 < count ? i + 1 : 0];
        const real xa = v3_dot(n, a->x.v), xb = v3_dot(n, b->x.v);
        const int inside = xa <= limit || a->edge & CLIP_WITHIN, next = xb <= limit || b->edge & CLIP_WITHIN;
        if (inside) { out[made++] = *a; }
        if (inside == next || (i == 1 && count == 2)) { continue; }
        const real t = real_clamp((h - xa) / (xb - xa), R(0.0), R(1.0));
        out[made].x.v = v3_madd(a->x.v, t, v3_sub(b->x.v, a->x.v));
        out[made++].edge = inside ? (uint16_t)(CLIP_EDGE + plane) : a->edge;
    }
    return made;
}

// The deepest of the points from `begin` on; of equally deep ones the farthest from their centre, since a point between
// others would displace a corner.
static int clip_deepest(const tac_pair *p, int begin)
{
    const tac_point *c = p->point;
    const real part = R(1.0) / (real)(p->points - begin), equal = CLIP_EQUAL * p->thickness;
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
        if (c[i].gap > limit || !(far > CLIP_FARTHER * most)) { continue; }
        most = far;
        deepest = i;
    }
    return deepest;
}

// Reduces the points p->point[begin ...] to at most four: the deepest, the farthest from it, then on either side of the
// line between them the one that spans the largest area. n is the normal of their plane.
static void clip_thin(tac_pair *p, int begin, vec3 n)
{
    const tac_point *c = p->point;
    const int count = p->points, first = clip_deepest(p, begin);
    const real equal = CLIP_EQUAL * p->thickness;
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
    real area[2] = {CLIP_SLIVER * most, CLIP_SLIVER * most};
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

#endif
