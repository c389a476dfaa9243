// SPDX-License-Identifier: MIT
// points.h - contact points of half-spaces and round shapes (spheres, capsules) with each other and with boxes.
//   given   two placed shapes, the simpler kind first (half-space < sphere < capsule < box)
//   makes   pair->point[]: midway between the surfaces, unit normal from the first to the second, gap, feature id
//   bound   at most four points a pair; eight bends for a segment against a box
//   never   reads velocities; never leaves a normal without direction
#ifndef GEOMETRY_POINTS_H
#define GEOMETRY_POINTS_H

#include "../model/check.h"

static void points_put(tac_pair *out, vec3 at, vec3 n, real gap, uint32_t feature)
{
    if (out->points < TAC_PAIR_POINTS) { out->point[out->points++] = (tac_point){at, n, gap, (uint16_t)feature}; }
}

static vec3 points_axis_z(quat q)
{
    return quat_rotate(q, V3_Z);
}

static real points_get(vec3 a, int axis)
{
    return axis == 0 ? a.x : (axis == 1 ? a.y : a.z);
}

static vec3 points_unit_axis(int axis, real sign)
{
    return v3(axis == 0 ? sign : R(0.0), axis == 1 ? sign : R(0.0), axis == 2 ? sign : R(0.0));
}

// A round shape is a ball swept along a segment: centre +- half. A sphere's segment is a point.
static vec3 points_half(const tac_placed *p, const tac_shape *s)
{
    return s->kind == TAC_CAPSULE ? v3_scale(s->size.z, points_axis_z(p->pose.q)) : V3_ZERO;
}

// ---------------------------------------------------------------------------------------------------------- half-space

// A ball of radius r about p. The plane is given by its pose, n its normal.
static void points_plane_ball(const tac_placed *plane, vec3 n, vec3 p, real r, uint32_t feature, tac_pair *out)
{
    const real gap = v3_dot(v3_sub(p, plane->pose.p), n) - r;
    points_put(out, v3_madd(p, -(r + R(0.5) * gap), n), n, gap, feature);
}

static void points_plane_round(const tac_placed *a, const tac_placed *b, const tac_shape *sb, tac_pair *out)
{
    const vec3 n = points_axis_z(a->pose.q), half = points_half(b, sb);
    points_plane_ball(a, n, v3_add(b->pose.p, half), sb->size.x, 0, out);
    if (sb->kind == TAC_CAPSULE) { points_plane_ball(a, n, v3_sub(b->pose.p, half), sb->size.x, 1, out); }
}

// The four corners of the face that looks into the plane: the deepest corner is always one of them. The corner is
// the feature.
static void points_plane_box(const tac_placed *a, const tac_placed *b, const tac_shape *sb, tac_pair *out)
{
    const vec3 n = points_axis_z(a->pose.q), up = quat_rotate_back(b->pose.q, n), h = sb->size;
    const vec3 size = v3(real_abs(up.x), real_abs(up.y), real_abs(up.z));
    const int face = size.x >= size.y && size.x >= size.z ? 0 : (size.y >= size.z ? 1 : 2);
    const int side = points_get(up, face) < R(0.0);
    for (uint32_t corner = 0; corner < 8; corner++) {
        if ((int)((corner >> face) & 1) != side) { continue; }
        const vec3 x = v3(corner & 1 ? h.x : -h.x, corner & 2 ? h.y : -h.y, corner & 4 ? h.z : -h.z);
        points_plane_ball(a, n, v3_add(b->pose.p, quat_rotate(b->pose.q, x)), R(0.0), corner, out);
    }
}

// -------------------------------------------------------------------------------------------------------- round shapes

// Two balls of radius ra, rb about pa, pb. Coincident centres part along `otherwise`.
static void points_balls(vec3 pa, real ra, vec3 pb, real rb, vec3 otherwise, uint32_t feature, tac_pair *out)
{
    const vec3 d = v3_sub(pb, pa), n = v3_unit(d, otherwise);
    const real gap = v3_dot(d, n) - ra - rb;
    points_put(out, v3_madd(pa, ra + R(0.5) * gap, n), n, gap, feature);
}

// Where on the segment t d, |t| <= 1, is x nearest? A point is nearest to itself.
static real points_on_segment(vec3 d, vec3 x)
{
    const real dd = v3_dot(d, d);
    return dd > R(0.0) ? real_clamp(v3_dot(x, d) / dd, R(-1.0), R(1.0)) : R(0.0);
}

#define POINTS_PARALLEL R(0.01)                  // sin^2 of the angle below which axes may meet along a line
#define POINTS_ROUNDING (R(64.0) * REAL_EPSILON) // of the sizes: gaps that differ by less are equal
#define POINTS_SKEW R(1e-5) // sin^2 of the angle below which lines have no nearest points that rounding leaves alone

// Nearest points t da and r + s db of two segments whose centres lie r apart: those of the lines, clamped to one
// segment, then the other, then back.
static void points_segments(vec3 r, vec3 da, vec3 db, real *t, real *s)
{
    const real aa = v3_dot(da, da), bb = v3_dot(db, db), ab = v3_dot(da, db), sine = aa * bb - ab * ab;
    const int skew = sine > POINTS_SKEW * aa * bb;
    *t = skew ? real_clamp((v3_dot(r, da) * bb - v3_dot(r, db) * ab) / sine, R(-1.0), R(1.0)) : R(0.0);
    *s = points_on_segment(db, v3_sub(v3_scale(*t, da), r));
    *t = points_on_segment(da, v3_madd(r, *s, db));
}

// The stretch of a's segment beside b's, if the axes are nearly parallel and it is long enough to rest on.
static int points_side_by_side(vec3 r, vec3 da, vec3 db, real end[2])
{
    const real aa = v3_dot(da, da), bb = v3_dot(db, db), ab = v3_dot(da, db);
    if (!(aa > R(0.0)) || !(bb > R(0.0)) || aa * bb - ab * ab > POINTS_PARALLEL * aa * bb) { return 0; }
    end[0] = real_max(R(-1.0), (v3_dot(r, da) - real_abs(ab)) / aa);
    end[1] = real_min(R(1.0), (v3_dot(r, da) + real_abs(ab)) / aa);
    return end[1] - end[0] > POINTS_PARALLEL;
}

// Two swept balls meet where their segments are nearest. Side by side they meet at both ends of the stretch that they
// share; if they cross in between, there and at the nearer end.
static void points_rounds(const tac_placed *a, const tac_shape *sa, const tac_placed *b, const tac_shape *sb,
                          tac_pair *out)
{
    const vec3 da = points_half(a, sa), db = points_half(b, sb), r = v3_sub(b->pose.p, a->pose.p);
    const vec3 along = v3_unit(da, v3_unit(db, v3(R(1.0), R(0.0), R(0.0))));
    const vec3 otherwise = v3_unit(v3_cross(da, db), v3_normal_to(along));
    real t, s, end[2] = {R(0.0), R(0.0)};
    const int stretch = points_side_by_side(r, da, db, end);
    for (uint32_t i = 0; stretch && i < 2; i++) {
        s = points_on_segment(db, v3_sub(v3_scale(end[i], da), r));
        points_balls(v3_madd(a->pose.p, end[i], da), sa->size.x, v3_madd(b->pose.p, s, db), sb->size.x, otherwise,
                     1 + i, out);
    }
    points_segments(r, da, db, &t, &s);
    points_balls(v3_madd(a->pose.p, t, da), sa->size.x, v3_madd(b->pose.p, s, db), sb->size.x, otherwise, 0, out);
    if (stretch) {
        const int farther = out->point[1].gap > out->point[0].gap ? 1 : 0;
        const real rounding = POINTS_ROUNDING * (sa->size.x + sb->size.x + v3_norm_inf(da));
        if (out->point[2].gap + rounding < out->point[1 - farther].gap) { out->point[farther] = out->point[2]; }
        out->points = 2;
    }
}

// --------------------------------------------------------------------------------------------- round shape against box

// A round shape in the box's frame: the segment c +- d, the radius, and the box.
typedef struct points_in_box {
    vec3 c, d, h;
    real r;
    const tac_placed *box;
} points_in_box;

// A point of the segment, x, whose nearest point of the box lies in direction -n (box frame), `distance` away.
static void points_box_put(const points_in_box *s, vec3 x, vec3 n, real distance, uint32_t feature, tac_pair *out)
{
    const real gap = distance - s->r;
    const vec3 at = v3_madd(x, -(s->r + R(0.5) * gap), n);
    points_put(out, v3_add(s->box->pose.p, quat_rotate(s->box->pose.q, at)),
               quat_rotate(s->box->pose.q, v3_scale(R(-1.0), n)), gap, feature);
}

static real points_beyond(real x, real h)
{
    return x > h ? x - h : (x < -h ? x + h : R(0.0));
}

// What of x sticks out of the box along each axis: its length is the distance.
static vec3 points_outside(vec3 x, vec3 h)
{
    return v3(points_beyond(x.x, h.x), points_beyond(x.y, h.y), points_beyond(x.z, h.z));
}

// Where the segment is nearest to the box, the middle if along a stretch. Half the derivative of the squared distance,
// outside(c + t d) . d, never falls in t and bends only where a coordinate meets a face: the two ends and the six bends
// bracket its zero within one linear piece, or touch it.
static real points_nearest(const points_in_box *s)
{
    real below = R(-1.0), above = R(1.0), slope_below = R(0.0), slope_above = R(0.0);
    real first = R(2.0), last = R(-2.0); // the stretch where the slope is zero
    for (int bend = 0; bend < 8; bend++) {
        real t = bend & 1 ? R(1.0) : R(-1.0);
        if (bend < 6) {
            const int axis = bend >> 1;
            const real speed = points_get(s->d, axis);
            if (speed == R(0.0)) { continue; }
            t = (t * points_get(s->h, axis) - points_get(s->c, axis)) / speed;
        }
        if (!(t >= R(-1.0) && t <= R(1.0))) { continue; }
        const real slope = v3_dot(points_outside(v3_madd(s->c, t, s->d), s->h), s->d);
        if (slope == R(0.0)) {
            first = real_min(first, t);
            last = real_max(last, t);
        } else if (slope < R(0.0) && t >= below) {
            below = t;
            slope_below = slope;
        } else if (slope > R(0.0) && t <= above) {
            above = t;
            slope_above = slope;
        }
    }
    if (first <= last) { return R(0.5) * (first + last); }
    if (slope_below == R(0.0)) { return R(-1.0); } // moving away from the start on
    if (slope_above == R(0.0)) { return R(1.0); }  // approaching up to the end
    return below - slope_below * (above - below) / (slope_above - slope_below);
}

// Against one face: the stretch of the segment above the face, by its two ends.
static void points_face(const points_in_box *s, int axis, real sign, tac_pair *out)
{
    real from = R(-1.0), to = R(1.0);
    for (int k = 0; k < 3; k++) {
        const real d = points_get(s->d, k), c = points_get(s->c, k), h = points_get(s->h, k);
        if (k == axis || d == R(0.0)) { continue; }
        const real t1 = (-h - c) / d, t2 = (h - c) / d;
        from = real_max(from, real_min(t1, t2));
        to = real_min(to, real_max(t1, t2));
    }
    const int ends = v3_norm_inf(s->d) > R(0.0) && from < to ? 2 : 1;
    for (int i = 0; i < ends; i++) {
        const vec3 x = v3_madd(s->c, i ? to : from, s->d);
        points_box_put(s, x, points_unit_axis(axis, sign), sign * points_get(x, axis) - points_get(s->h, axis),
                       (uint32_t)(1 + 4 * axis + 2 * (sign > R(0.0)) + i), out);
    }
}

// A segment that is nearest above the inside of a face meets that face; one that cuts the box leaves by the face of
// least overlap; else an edge or a corner is nearest, and there is one point.
static void points_round_box(const tac_placed *a, const tac_shape *sa, const tac_placed *b, const tac_shape *sb,
                             tac_pair *out)
{
    const points_in_box s = {quat_rotate_back(b->pose.q, v3_sub(a->pose.p, b->pose.p)),
                             quat_rotate_back(b->pose.q, points_half(a, sa)), sb->size, sa->size.x, b};
    const vec3 x = v3_madd(s.c, points_nearest(&s), s.d), outside = points_outside(x, s.h);
    int face = 0, beyond = 0;
    real least = R(0.0);
    for (int axis = 0; axis < 3; axis++) {
        const real overlap = points_get(s.h, axis) + real_abs(points_get(s.d, axis)) - real_abs(points_get(s.c, axis));
        if (points_get(outside, axis) != R(0.0)) {
            face = axis;
            beyond++;
        } else if (beyond == 0 && (axis == 0 || overlap < least)) {
            face = axis;
            least = overlap;
        }
    }
    if (beyond <= 1) {
        const real side = beyond ? points_get(outside, face) : points_get(s.c, face);
        points_face(&s, face, side < R(0.0) ? R(-1.0) : R(1.0), out);
    } else {
        const vec3 n = v3_unit(outside, V3_Z);
        points_box_put(&s, x, n, v3_dot(outside, n), 0, out);
    }
}

#endif
