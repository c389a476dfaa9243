// SPDX-License-Identifier: MIT
// round.h - round shapes, that is spheres and capsules, against each other and against boxes.
//   given   a pair whose other shape is round
//   makes   points where the segments are nearest, at both ends of a stretch where they are side by side
//   bound   at most two points; eight bends for a segment against a box
//   never   leaves a normal without direction
#ifndef GEOMETRY_ROUND_H
#define GEOMETRY_ROUND_H

#include "face.h"

#define ROUND_PARALLEL R(0.01)                  // sin^2 of the angle below which axes may meet along a line
#define ROUND_ROUNDING (R(64.0) * REAL_EPSILON) // of the sizes: gaps that differ by less are equal
#define ROUND_SKEW R(1e-5) // sin^2 of the angle below which lines have no nearest points that rounding leaves alone

// Where on the segment t d, |t| <= 1, is x nearest? A point is nearest to itself.
static real round_on_segment(vec3 d, vec3 x)
{
    const real dd = v3_dot(d, d);
    return dd > R(0.0) ? real_clamp(v3_dot(x, d) / dd, R(-1.0), R(1.0)) : R(0.0);
}

// The point t da that is nearest to a segment r + s db: that of the lines, clamped to one segment, then the other, then
// back.
static real round_segments(vec3 r, vec3 da, vec3 db)
{
    const real aa = v3_dot(da, da), bb = v3_dot(db, db), ab = v3_dot(da, db), sine = aa * bb - ab * ab;
    const int skew = sine > ROUND_SKEW * aa * bb;
    const real t = skew ? real_clamp((v3_dot(r, da) * bb - v3_dot(r, db) * ab) / sine, R(-1.0), R(1.0)) : R(0.0);
    const real s = round_on_segment(db, v3_sub(v3_scale(t, da), r));
    return round_on_segment(da, v3_madd(r, s, db));
}

// The other shape's segment about its centre.
static vec3 round_half(const tac_core *c)
{
    return v3_scale(c->half.v.z, c->axis[2]);
}

// Balls where the own segment is at height z and where the other is nearest to that. Concentric ones part across both.
static void round_balls(tac_pair *p, real z, uint32_t feature)
{
    const vec3 a = v3(R(0.0), R(0.0), z), r = p->other.centre.v, half = round_half(&p->other);
    const vec3 b = v3_madd(r, round_on_segment(half, v3_sub(a, r)), half), d = v3_sub(b, a);
    const vec3 across = v3_unit(v3(-half.y, half.x, R(0.0)), p->own.axis[0]);
    const real rounding = ROUND_ROUNDING * (points_radii(p) + p->own.half.v.z + v3_norm_inf(half));
    const vec3 n = v3_norm_inf(d) <= rounding ? across : v3_unit(d, across);
    points_put(p, b, n, v3_dot(d, n), feature);
}

// Two swept balls meet where their segments are nearest. Side by side they meet at both ends of the stretch that they
// share; if they cross in between, there and at the nearer end.
static void round_round(tac_pair *p)
{
    const real h = p->own.half.v.z;
    const vec3 r = p->other.centre.v, b = round_half(&p->other);
    const real low = real_max(-h, r.z - real_abs(b.z)), high = real_min(h, r.z + real_abs(b.z));
    const int stretch = b.x * b.x + b.y * b.y <= ROUND_PARALLEL * v3_dot(b, b) && high - low > ROUND_PARALLEL * h;
    if (stretch) {
        round_balls(p, low, 1);
        round_balls(p, high, 2);
    }
    round_balls(p, h * round_segments(r, v3(R(0.0), R(0.0), h), b), 0);
    if (stretch) {
        const int farther = p->point[1].gap > p->point[0].gap;
        const real rounding = ROUND_ROUNDING * (p->own.radius + p->other.radius + h);
        if (p->point[2].gap + rounding < p->point[1 - farther].gap) { p->point[farther] = p->point[2]; }
        p->points = 2;
    }
}

// What of the point c + t d sticks out of the own box along each axis. Returns half the derivative of its squared
// length, which never falls in t and bends only where a coordinate meets a face.
static real round_outside(const tac_pair *p, const tac_axes *d, real t, tac_axes *outside)
{
    real slope = R(0.0);
    for (int k = 0; k < 3; k++) {
        const real x = p->other.centre.k[k] + t * d->k[k], h = p->own.half.k[k];
        outside->k[k] = x - real_clamp(x, -h, h);
        slope += outside->k[k] * d->k[k];
    }
    return slope;
}

// Where the segment c + t d is nearest to the own box, the middle if along a stretch. The two ends and the six bends
// bracket the zero of the slope within one linear piece, or touch it. Without speed along an axis no t is in range.
static real round_nearest(const tac_pair *p, const tac_axes *d)
{
    real below = R(-1.0), above = R(1.0), slope_below = R(0.0), slope_above = R(0.0);
    for (int bend = 0; bend < 8; bend++) {
        const int axis = bend >> 1;
        real t = bend & 1 ? R(1.0) : R(-1.0);
        if (axis < 3) { t = (t * p->own.half.k[axis] - p->other.centre.k[axis]) / d->k[axis]; }
        if (!(t >= R(-1.0) && t <= R(1.0))) { continue; }
        tac_axes outside;
        const real slope = round_outside(p, d, t, &outside);
        if (slope <= R(0.0) && t >= below) {
            below = t;
            slope_below = slope;
        }
        if (slope >= R(0.0) && t <= above) {
            above = t;
            slope_above = slope;
        }
    }
    if (below >= above) { return R(0.5) * (below + above); }
    return below - slope_below * (above - below) / (slope_above - slope_below);
}

// A segment that is nearest above the inside of a face meets that face; a point in the box leaves by the face of least
// overlap; else an edge or a corner is nearest, and there is one point. Returns 0, and no point, for a segment that
// cuts the box: it may leave by an edge. A kernel that has nothing for that takes the face of least overlap there, too.
static int round_box(const tac_model *m, tac_pair *p)
{
    tac_axes d, outside;
    d.v = round_half(&p->other);
    const real t = round_nearest(p, &d);
    (void)round_outside(p, &d, t, &outside);
    int face = 0, beyond = 0;
    real least = REAL_LARGEST, side = R(0.0);
    for (int k = 0; k < 3; k++) {
        const real c = p->other.centre.k[k], overlap = p->own.half.k[k] + real_abs(d.k[k]) - real_abs(c);
        if (outside.k[k] != R(0.0)) {
            face = k;
            side = outside.k[k];
            beyond++;
        } else if (beyond == 0 && overlap < least) {
            face = k;
            side = c;
            least = overlap;
        }
    }
    if (TAC_CONVEX && beyond == 0 && p->other.half.v.z > R(0.0)) { return 0; }
    if (beyond <= 1) {
        face_meet(m, p, face, side < R(0.0) ? R(-1.0) : R(1.0));
    } else {
        const vec3 n = v3_unit(outside.v, V3_Z);
        points_put(p, v3_madd(p->other.centre.v, t, d.v), n, v3_dot(outside.v, n), 0);
    }
    return 1;
}

#endif
