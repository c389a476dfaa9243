// SPDX-License-Identifier: MIT
// face.h - a face of the own shape, a box or a half-space, against any other shape.
//   given   a pair and which face
//   makes   points where the other's incident face, segment or point is above the face or below it
//   bound   4 clips of a polygon of at most 8 corners; at most four points
//   never   judges whether this is the right face
#ifndef GEOMETRY_FACE_H
#define GEOMETRY_FACE_H

#include "points.h"

#define FACE_INSIDE R(0.01) // a corner out of a face by this part of it still counts as within

// Sutherland-Hodgman against one side of the face: sign * x[k] <= h. Its edges are labelled 4 + side. Of a segment,
// the way back is no edge.
static int face_clip(tac_pair *p, int count, int k, int side)
{
    const tac_corner *in = p->corner[side & 1];
    tac_corner *out = p->corner[~side & 1];
    const real sign = side & 2 ? R(-1.0) : R(1.0), h = p->own.half.k[k], limit = h + FACE_INSIDE * h;
    int made = 0;
    for (int i = 0; i < count && made < TAC_PAIR_POINTS; i++) {
        const tac_corner *a = &in[i], *b = &in[i + 1 < count ? i + 1 : 0];
        const real xa = sign * a->x.k[k], xb = sign * b->x.k[k];
        const int inside = xa <= limit;
        if (inside) { out[made++] = *a; }
        if (inside == (xb <= limit) || (i == 1 && count == 2)) { continue; }
        const real t = real_clamp((h - xa) / (xb - xa), R(0.0), R(1.0));
        out[made].x.v = v3_madd(a->x.v, t, v3_sub(b->x.v, a->x.v));
        out[made++].edge = inside ? (uint16_t)(4 + side) : a->edge;
    }
    return made;
}

// What of the other shape looks most against n: four corners of a box, in turn, two ends or a point. Returns how many;
// `name` tells the face of a box, 0 .. 5.
static int face_incident(tac_pair *p, vec3 n, uint32_t *name)
{
    const tac_core *c = &p->other;
    const int box = c->half.v.x > R(0.0), count = box ? 4 : (c->half.v.z > R(0.0) ? 2 : 1);
    int k = 1; // so that the ends of a segment are the first two corners
    real most = R(0.0);
    for (int j = 0; j < 3 && box; j++) {
        const real along = v3_dot(c->axis[j], n);
        if (real_abs(along) > real_abs(most)) {
            most = along;
            k = j;
        }
    }
    const uint32_t up = most < R(0.0), sides = 7u ^ 1u << k;
    uint32_t plus = up << k, turn = 1u << points_next(k);
    for (int i = 0; i < count; i++) {
        tac_corner *out = &p->corner[0][i];
        out->x.v = points_corner(c, plus, -1);
        out->edge = (uint16_t)i;
        plus ^= turn;
        turn ^= sides;
    }
    *name = 2 * (uint32_t)k + up;
    return count;
}

// Keeps four points: the deepest, the one farthest from it, then those that span most area on either side.
static void face_thin(tac_pair *p, int u, int v)
{
    const tac_point *c = p->point;
    int first = 0, second = 0, count = p->points;
    for (int i = 1; i < count; i++) { first = c[i].gap < c[first].gap ? i : first; }
    int left = first, right = first;
    real su = R(0.0), sv = R(0.0), most_left = R(0.0), most_right = R(0.0);
    for (int i = 0; i < count; i++) {
        const real du = c[i].at.k[u] - c[first].at.k[u], dv = c[i].at.k[v] - c[first].at.k[v];
        if (du * du + dv * dv > su * su + sv * sv) {
            su = du;
            sv = dv;
            second = i;
        }
    }
    for (int i = 0; i < count; i++) {
        const real area = su * (c[i].at.k[v] - c[first].at.k[v]) - sv * (c[i].at.k[u] - c[first].at.k[u]);
        if (area > most_left) {
            most_left = area;
            left = i;
        } else if (area < most_right) {
            most_right = area;
            right = i;
        }
    }
    p->points = 0;
    for (int i = 0; i < count; i++) {
        if (i == first || i == second || i == left || i == right) { p->point[p->points++] = c[i]; }
    }
}

// The points of face (axis, sign) that are near. A point is named by the two edges that meet in its corner and by both
// faces.
static void face_meet(tac_pair *p, int axis, real sign)
{
    const int u = points_next(axis), v = points_next(u);
    const vec3 n = v3_scale(sign, p->own.axis[axis]);
    uint32_t incident;
    int count = face_incident(p, n, &incident);
    for (int side = 0; side < 4; side++) { count = face_clip(p, count, side & 1 ? v : u, side); }

    const uint32_t face = (uint32_t)(2 * axis + (sign > R(0.0)) + (p->own_shape < p->other_shape ? 0 : 6));
    const tac_corner *c = p->corner[0];
    uint32_t before = count > 0 ? c[count - 1].edge : 0;
    for (int i = 0; i < count; i++) {
        const real distance = sign * c[i].x.k[axis] - p->own.half.k[axis];
        if (distance - p->other.radius <= p->reach) {
            points_put(p, c[i].x.v, n, distance, face << 9 | incident << 6 | before << 3 | c[i].edge);
        }
        before = c[i].edge;
    }
    if (p->points > 4) { face_thin(p, u, v); }
}

#endif
