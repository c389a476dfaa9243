// SPDX-License-Identifier: MIT
// clip.h - a side of the other shape, cut to what lies above a face of the own one, and thinned to few points.
//   given   corners in scratch.corner[0]; planes
//   makes   fewer or more corners, alternating between scratch.corner[0] and [1]; four points out of many
//   bound   at most TAC_CLIP_CORNERS corners
//   never   judges whether this is the right face
#ifndef GEOMETRY_CLIP_H
#define GEOMETRY_CLIP_H

#include "side.h"

#define CLIP_INSIDE R(0.01)   // a corner out of a face by this part of it still counts as within
#define CLIP_EQUAL R(1e-5)    // of the thinner shape: depths and places that differ by less are equal
#define CLIP_SLIVER R(1e-4)   // of the square of the points' extent: an area that does not count
#define CLIP_FARTHER R(1.001) // of a squared distance: of those that differ by less the first counts
#define CLIP_EDGE 8           // labels of the edges of a face begin here, those of the other's corners at 0
#define CLIP_WITHIN 0x10u     // marks a corner that no plane cuts off
#define CLIP_LABEL 0xfu

// The side of the other shape, its corners labelled by their number.
static int clip_begin(tac_pair *p, const tac_side *s)
{
    for (int i = 0; i < s->count; i++) {
        p->scratch.corner[0][i].x.v = s->x[i];
        p->scratch.corner[0][i].edge = (uint16_t)i;
    }
    return s->count;
}

// Sutherland-Hodgman against plane number `side`: n.x <= h, with some slack. What it cuts gets the plane's label. Of a
// segment, the way back is no edge.
static int clip_plane(tac_pair *p, int count, vec3 n, real h, real slack, int side)
{
    const tac_corner *in = p->scratch.corner[side & 1];
    tac_corner *out = p->scratch.corner[~side & 1];
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
        out[made++].edge = inside ? (uint16_t)(CLIP_EDGE + side) : a->edge;
    }
    return made;
}

// The deepest of the points from `begin` on; of several that are as deep, the one farthest from their middle, since one
// that lies between others would take the place of a corner.
static int clip_deepest(const tac_pair *p, int begin)
{
    const tac_point *c = p->point;
    real limit = REAL_LARGEST, most = R(-1.0);
    vec3 middle = V3_ZERO;
    for (int i = begin; i < p->points; i++) {
        limit = real_min(limit, c[i].gap + CLIP_EQUAL * p->thickness);
        middle = v3_madd(middle, R(1.0) / (real)(p->points - begin), c[i].at.v);
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

// Keeps the points of p->point[begin ...] that matter, at most four: the deepest, the one farthest from it, then those
// that span most area on either side. u and v are axes in their plane.
static void clip_thin(tac_pair *p, int begin, vec3 u, vec3 v)
{
    const tac_point *c = p->point;
    const int count = p->points, first = clip_deepest(p, begin);
    const real equal = CLIP_EQUAL * p->thickness;
    int second = first, left = first, right = first;
    real su = R(0.0), sv = R(0.0), most = equal * equal, most_left, most_right;
    for (int i = begin; i < count; i++) {
        const vec3 d = v3_sub(c[i].at.v, c[first].at.v);
        const real du = v3_dot(u, d), dv = v3_dot(v, d);
        if (du * du + dv * dv > most) {
            most = du * du + dv * dv;
            su = du;
            sv = dv;
            second = i;
        }
    }
    most_left = CLIP_SLIVER * (su * su + sv * sv);
    most_right = -most_left;
    for (int i = begin; i < count; i++) {
        const vec3 d = v3_sub(c[i].at.v, c[first].at.v);
        const real area = su * v3_dot(v, d) - sv * v3_dot(u, d);
        if (area > most_left) {
            most_left = area;
            left = i;
        } else if (area < most_right) {
            most_right = area;
            right = i;
        }
    }
    p->points = (uint16_t)begin;
    for (int i = begin; i < count; i++) {
        if (i == first || i == second || i == left || i == right) { p->point[p->points++] = c[i]; }
    }
}

#endif
