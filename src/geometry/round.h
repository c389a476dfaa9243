// SPDX-License-Identifier: MIT
// round.h - round shapes, that is spheres and capsules, against each other and against boxes.
//   given   a pair whose other shape is round
//   makes   contact points where the segments are closest; if they are parallel, at both ends of the overlapping
//           stretch
//   bound   at most two points; eight breakpoints for a segment against a box
//   never   leaves a normal without direction
#ifndef GEOMETRY_ROUND_H
#define GEOMETRY_ROUND_H

#include "face.h"

#define ROUND_PARALLEL R(0.01)                  // sin^2 of the angle below which axes count as parallel
#define ROUND_ROUNDING (R(64.0) * REAL_EPSILON) // of the sizes: smaller differences of gaps count as zero
#define ROUND_UPRIGHT R(0.9999995) // cosine of the angle by which a segment may lean beyond an edge of its face
#define ROUND_SKEW R(1e-5)         // sin^2 of the angle below which rounding spoils closest points

// Parameter t of the point of the segment t d, |t| <= 1, closest to x; 0 for a segment of length 0.
static real round_on_segment(vec3 d, vec3 x)
{
    const real dd = v3_dot(d, d);
    return dd > R(0.0) ? real_clamp(v3_dot(x, d) / dd, R(-1.0), R(1.0)) : R(0.0);
}

// The point t da closest to a segment r + s db: that of the lines, clamped to one segment, then to the other, then to
// the first again.
static real round_segments(vec3 r, vec3 da, vec3 db)
{
    const real aa = v3_dot(da, da), bb = v3_dot(db, db), ab = v3_dot(da, db), sine = aa * bb - ab * ab;
    const int skew = sine > ROUND_SKEW * aa * bb;
    const real t = skew ? real_clamp((v3_dot(r, da) * bb - v3_dot(r, db) * ab) / sine, R(-1.0), R(1.0)) : R(0.0);
    const real s = round_on_segment(db, v3_sub(v3_scale(t, da), r));
    return round_on_segment(da, v3_madd(r, s, db));
}

// Half of the other shape's segment, from its centre.
static vec3 round_half(const tac_core *c)
{
    return v3_scale(c->half.v.z, c->axis[2]);
}

// Contact of the ball at height z of the own segment with the closest ball of the other. Concentric balls are separated
// perpendicular to both segments.
static void round_balls(tac_pair *p, real z, uint32_t feature)
{
    const vec3 a = v3(R(0.0), R(0.0), z), r = p->other.centre.v, half = round_half(&p->other);
    const vec3 b = v3_madd(r, round_on_segment(half, v3_sub(a, r)), half), d = v3_sub(b, a);
    const vec3 across = v3_unit(v3(-half.y, half.x, R(0.0)), p->own.axis[0]);
    const real rounding = ROUND_ROUNDING * (points_radii(p) + p->own.half.v.z + v3_norm_inf(half));
    const vec3 n = v3_norm_inf(d) <= rounding ? across : v3_unit(d, across);
    points_put(p, b, n, v3_dot(d, n), feature);
}

// Two capsules are in contact where their segments are closest. Parallel ones are in contact at both ends of the
// stretch where they overlap; if they cross in between, at the crossing and at the end with the smaller gap.
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
        if (p->point[2].gap + rounding < p->point[1 - farther].gap) { points_copy(&p->point[farther], &p->point[2]); }
        p->points = 2;
    }
}

// The part of the point c + t d outside the own box along each axis. Returns half the derivative of its squared length,
// which is a nondecreasing piecewise linear function of t with breakpoints where a coordinate crosses a face.
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

// Parameter of the point of the segment c + t d closest to the own box, the middle of a stretch of closest points. The
// two ends and the six breakpoints bracket the root of the derivative in one linear piece, or touch it. Along an axis
// with zero slope no breakpoint is in range.
static real round_nearest(const tac_pair *p, const tac_axes *d)
{
    real below = R(-1.0), above = R(1.0), slope_below = R(0.0), slope_above = R(0.0);
    for (int curvature = 0; curvature < 8; curvature++) {
        const int axis = curvature >> 1;
        real t = curvature & 1 ? R(1.0) : R(-1.0);
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

// The face whose normal the direction d, of any length, has up to a small angle; -1 if there is none.
static int round_face(const tac_axes *d)
{
    const real length = v3_norm(d->v);
    for (int k = 0; k < 3; k++) {
        if (real_abs(d->k[k]) > ROUND_UPRIGHT * length) { return k; }
    }
    return -1;
}

// If the closest point is above the inside of a face, the contact is with that face; so it is, of a segment, if the
// closest point is above an edge but for a small angle; a point inside the box leaves by the face of least overlap;
// else the contact is one point at an edge or corner. Returns 0, and no point, if the segment intersects the box: the
// way out may be across an edge. A kernel without the general method (TAC_CONVEX 0) takes the face of least overlap
// there, too.
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
    const int segment = p->other.half.v.z > R(0.0), above = beyond > 1 && segment ? round_face(&outside) : -1;
    if (TAC_CONVEX && beyond == 0 && segment) { return 0; }
    if (above >= 0) { face_meet(m, p, above, outside.k[above] < R(0.0) ? R(-1.0) : R(1.0)); }
    if (beyond <= 1) {
        face_meet(m, p, face, side < R(0.0) ? R(-1.0) : R(1.0));
    } else if (p->points == 0) {
        const vec3 n = v3_unit(outside.v, V3_Z);
        points_put(p, v3_madd(p->other.centre.v, t, d.v), n, v3_dot(outside.v, n), 0);
    }
    return 1;
}

#endif
