// SPDX-License-Identifier: MIT
// points.h - contact candidates of one pair, and the round shapes: half-space, sphere, capsule, and boxes against them.
//   given   two placed shapes, `a` of the simpler kind (half-space < sphere < capsule < box)
//   makes   points[]: midway between the surfaces, unit normal from a to b, gap < 0 when overlapping, feature id
//   bound   at most POINTS_MAX points a pair; at most 8 breakpoints for capsule against box
//   never   reads velocities; never leaves a normal without direction
#ifndef GEOMETRY_POINTS_H
#define GEOMETRY_POINTS_H

#include "../model/check.h"

#define POINTS_MAX 8

typedef struct point {
    vec3 at, n;
    real gap;
    uint16_t feature;
} point;

typedef struct points {
    point p[POINTS_MAX];
    int count;
} points;

static void points_add(points *out, point p)
{
    if (out->count < POINTS_MAX) { out->p[out->count++] = p; }
}

// Two balls of radius ra, rb about pa, pb. Coincident centres part along `otherwise`.
static point points_balls(vec3 pa, real ra, vec3 pb, real rb, vec3 otherwise, uint16_t feature)
{
    const vec3 d = v3_sub(pb, pa);
    const vec3 n = v3_unit(d, otherwise);
    const real gap = v3_dot(d, n) - ra - rb;
    return (point){v3_madd(pa, ra + R(0.5) * gap, n), n, gap, feature};
}

// A ball against the half-space below the plane through `origin` with normal n.
static point points_plane_ball(vec3 origin, vec3 n, vec3 p, real r, uint16_t feature)
{
    const real gap = v3_dot(v3_sub(p, origin), n) - r;
    return (point){v3_madd(p, -(r + R(0.5) * gap), n), n, gap, feature};
}

// ---------------------------------------------------------------------------------------------------------- half-space

static vec3 points_axis_z(quat q)
{
    return quat_rotate(q, V3_Z);
}

static void points_plane_sphere(const tac_placed *a, const tac_placed *b, const tac_shape *sb, points *out)
{
    points_add(out, points_plane_ball(a->pose.p, points_axis_z(a->pose.q), b->pose.p, sb->size.x, 0));
}

static void points_plane_capsule(const tac_placed *a, const tac_placed *b, const tac_shape *sb, points *out)
{
    const vec3 n = points_axis_z(a->pose.q), half = v3_scale(sb->size.z, points_axis_z(b->pose.q));
    points_add(out, points_plane_ball(a->pose.p, n, v3_sub(b->pose.p, half), sb->size.x, 0));
    points_add(out, points_plane_ball(a->pose.p, n, v3_add(b->pose.p, half), sb->size.x, 1));
}

// The four corners of the face that looks into the plane: the deepest corner is always one of them. Feature: the corner.
static void points_plane_box(const tac_placed *a, const tac_placed *b, const tac_shape *sb, points *out)
{
    const vec3 n = points_axis_z(a->pose.q);
    const vec3 down = quat_rotate_back(b->pose.q, v3_scale(R(-1.0), n));
    const vec3 size = v3(real_abs(down.x), real_abs(down.y), real_abs(down.z));
    const int face = size.x >= size.y && size.x >= size.z ? 0 : (size.y >= size.z ? 1 : 2);
    const int side = (face == 0 ? down.x : (face == 1 ? down.y : down.z)) > R(0.0);
    for (int corner = 0; corner < 8; corner++) {
        if (((corner >> face) & 1) != side) { continue; }
        const vec3 h = v3(corner & 1 ? sb->size.x : -sb->size.x, corner & 2 ? sb->size.y : -sb->size.y,
                          corner & 4 ? sb->size.z : -sb->size.z);
        const vec3 p = v3_add(b->pose.p, quat_rotate(b->pose.q, h));
        points_add(out, points_plane_ball(a->pose.p, n, p, R(0.0), (uint16_t)corner));
    }
}

// ------------------------------------------------------------------------------------------------------------ segments

// Where on the segment p + t d, |t| <= 1, is x nearest?
static real points_on_segment(vec3 p, vec3 d, vec3 x)
{
    return real_clamp(v3_dot(v3_sub(x, p), d) / v3_dot(d, d), R(-1.0), R(1.0));
}

static void points_sphere_capsule(const tac_placed *a, const tac_shape *sa, const tac_placed *b, const tac_shape *sb, points *out)
{
    const vec3 axis = points_axis_z(b->pose.q), half = v3_scale(sb->size.z, axis);
    const vec3 nearest = v3_madd(b->pose.p, points_on_segment(b->pose.p, half, a->pose.p), half);
    points_add(out, points_balls(a->pose.p, sa->size.x, nearest, sb->size.x, v3_normal_to(axis), 0));
}

// sin^2 of the angle below which two axes count as parallel and meet along a line instead of in a point
#define POINTS_PARALLEL R(0.01)

// Parallel axes: contacts at both ends of the stretch that the segments share. 0 if they only meet end to end.
static int points_parallel_capsules(const tac_placed *a, const tac_shape *sa, vec3 da, const tac_placed *b, const tac_shape *sb, vec3 db,
                                    points *out)
{
    const vec3 r = v3_sub(b->pose.p, a->pose.p);
    const real aa = v3_dot(da, da), middle = v3_dot(r, da) / aa, reach = real_abs(v3_dot(db, da)) / aa;
    const real from = real_max(R(-1.0), middle - reach), to = real_min(R(1.0), middle + reach);
    if (!(to - from > POINTS_PARALLEL)) { return 0; }

    const vec3 otherwise = v3_normal_to(v3_unit(da, V3_Z));
    const real end[2] = {from, to};
    for (int i = 0; i < 2; i++) {
        const vec3 pa = v3_madd(a->pose.p, end[i], da);
        const vec3 pb = v3_madd(b->pose.p, points_on_segment(b->pose.p, db, pa), db);
        points_add(out, points_balls(pa, sa->size.x, pb, sb->size.x, otherwise, (uint16_t)(1 + i)));
    }
    return 1;
}

// Nearest points of two segments with centres r apart: the lines' nearest points, clamped to one segment, then the
// other, then back.
static void points_capsules(const tac_placed *a, const tac_shape *sa, const tac_placed *b, const tac_shape *sb, points *out)
{
    const vec3 ua = points_axis_z(a->pose.q), ub = points_axis_z(b->pose.q);
    const vec3 da = v3_scale(sa->size.z, ua), db = v3_scale(sb->size.z, ub);
    const vec3 across = v3_cross(ua, ub);
    const real sin2 = v3_dot(across, across);
    if (sin2 < POINTS_PARALLEL && points_parallel_capsules(a, sa, da, b, sb, db, out)) { return; }

    const vec3 r = v3_sub(b->pose.p, a->pose.p);
    const vec3 normal_b = v3_cross(ub, across); // in the plane of both axes, normal to b's
    const real t0 = sin2 > R(0.0) ? v3_dot(r, v3_scale(R(-1.0), normal_b)) / (sin2 * sa->size.z) : R(0.0);
    real t = real_clamp(t0, R(-1.0), R(1.0));
    const real s = points_on_segment(r, db, v3_scale(t, da));
    t = points_on_segment(V3_ZERO, da, v3_madd(r, s, db));
    const vec3 pa = v3_madd(a->pose.p, t, da), pb = v3_madd(b->pose.p, s, db);
    points_add(out, points_balls(pa, sa->size.x, pb, sb->size.x, v3_unit(across, v3_normal_to(ua)), 0));
}

// ------------------------------------------------------------------------------------------- box against round shapes
// In the box's frame. The distance of x to the box is |outside(x)|, where outside() is what sticks out on each axis.

static real points_beyond(real x, real h)
{
    return x > h ? x - h : (x < -h ? x + h : R(0.0));
}

static vec3 points_outside(vec3 x, vec3 h)
{
    return v3(points_beyond(x.x, h.x), points_beyond(x.y, h.y), points_beyond(x.z, h.z));
}

static real points_get(vec3 a, int axis)
{
    return axis == 0 ? a.x : (axis == 1 ? a.y : a.z);
}

static vec3 points_unit_axis(int axis, real sign)
{
    return v3(axis == 0 ? sign : R(0.0), axis == 1 ? sign : R(0.0), axis == 2 ? sign : R(0.0));
}

// A ball about x (box frame) against the box `b`; the normal points from the ball to the box. A centre inside leaves
// by the nearest face.
static point points_ball_box(vec3 x, real r, const tac_placed *b, vec3 h, uint16_t feature)
{
    const vec3 out = points_outside(x, h);
    vec3 n;
    real distance;
    if (v3_norm_inf(out) > R(0.0)) {
        n = v3_unit(out, V3_Z);
        distance = v3_dot(out, n);
    } else {
        const vec3 depth = v3(h.x - real_abs(x.x), h.y - real_abs(x.y), h.z - real_abs(x.z));
        const int axis = depth.x <= depth.y && depth.x <= depth.z ? 0 : (depth.y <= depth.z ? 1 : 2);
        n = points_unit_axis(axis, points_get(x, axis) < R(0.0) ? R(-1.0) : R(1.0));
        distance = -points_get(depth, axis);
    }
    const real gap = distance - r;
    const vec3 at = v3_madd(x, -(r + R(0.5) * gap), n);
    return (point){v3_add(b->pose.p, quat_rotate(b->pose.q, at)), quat_rotate(b->pose.q, v3_scale(R(-1.0), n)), gap,
                   feature};
}

static void points_sphere_box(const tac_placed *a, const tac_shape *sa, const tac_placed *b, const tac_shape *sb, points *out)
{
    const vec3 x = quat_rotate_back(b->pose.q, v3_sub(a->pose.p, b->pose.p));
    points_add(out, points_ball_box(x, sa->size.x, b, sb->size, 0));
}

// Half the derivative of the squared distance from c + t d to the box: piecewise linear and never falling in t.
static real points_slope(vec3 c, vec3 d, real t, vec3 h)
{
    return v3_dot(points_outside(v3_madd(c, t, d), h), d);
}

// The interval of t in [-1, 1] where the segment c + t d is nearest to the box. The slope bends only where a coordinate
// meets a face, so the two ends and the six bends bracket its zero within one linear piece, or touch it.
static void points_nearest_on_segment(vec3 c, vec3 d, vec3 h, real *from, real *to)
{
    real below = R(-1.0), above = R(1.0);        // slope < 0 at below, > 0 at above, unless the zero is at an end
    real first_flat = R(2.0), last_flat = R(-2.0);
    for (int bend = 0; bend < 8; bend++) {
        const int axis = bend >> 1;
        real t = bend & 1 ? R(1.0) : R(-1.0);
        if (axis < 3) {
            const real speed = points_get(d, axis), face = t * points_get(h, axis);
            t = speed != R(0.0) ? (face - points_get(c, axis)) / speed : R(2.0);
        }
        if (!(t >= R(-1.0) && t <= R(1.0))) { continue; }
        const real slope = points_slope(c, d, t, h);
        if (slope < R(0.0)) {
            below = real_max(below, t);
        } else if (slope > R(0.0)) {
            above = real_min(above, t);
        } else {
            first_flat = real_min(first_flat, t);
            last_flat = real_max(last_flat, t);
        }
    }
    if (first_flat <= last_flat) {
        *from = first_flat;
        *to = last_flat;
        return;
    }
    const real at_below = points_slope(c, d, below, h), at_above = points_slope(c, d, above, h);
    if (at_below > R(0.0)) {
        *from = *to = below; // moving away from the start
    } else if (at_above < R(0.0)) {
        *from = *to = above; // still approaching at the end
    } else {
        *from = *to = below - at_below * (above - below) / (at_above - at_below);
    }
}

typedef struct segment_in_box {
    vec3 c, d, h; // centre and half segment in the box's frame, half sizes
    real r;
} segment_in_box;

// Against face `axis`, `sign`: the part of the segment above the face gives up to two points, at its ends.
static void points_segment_face(const segment_in_box *s, int axis, real sign, const tac_placed *b, points *out)
{
    real from = R(-1.0), to = R(1.0);
    for (int k = 0; k < 3; k++) {
        const real d = points_get(s->d, k), c = points_get(s->c, k), h = points_get(s->h, k);
        if (k == axis || d == R(0.0)) { continue; }
        const real t1 = (-h - c) / d, t2 = (h - c) / d;
        from = real_max(from, real_min(t1, t2));
        to = real_min(to, real_max(t1, t2));
    }
    if (from > to) { return; }
    const vec3 n = quat_rotate(b->pose.q, points_unit_axis(axis, -sign));
    const real end[2] = {from, to};
    for (int i = 0; i < (from < to ? 2 : 1); i++) {
        const vec3 x = v3_madd(s->c, end[i], s->d);
        const real gap = sign * points_get(x, axis) - points_get(s->h, axis) - s->r;
        const vec3 world = v3_add(b->pose.p, quat_rotate(b->pose.q, x));
        const uint16_t feature = (uint16_t)(1 + 4 * axis + 2 * (sign > R(0.0)) + i);
        points_add(out, (point){v3_madd(world, s->r + R(0.5) * gap, n), n, gap, feature});
    }
}

// The segment cuts the box: of the three faces and the three cross products of its direction with the box's axes, leave
// along the one of least overlap.
static void points_segment_inside(const segment_in_box *s, const tac_placed *b, points *out)
{
    int face = 0, edge = -1;
    real least = R(-1.0), sign = R(1.0);
    for (int k = 0; k < 3; k++) {
        const real c = points_get(s->c, k);
        const real overlap = points_get(s->h, k) + real_abs(points_get(s->d, k)) - real_abs(c);
        if (least < R(0.0) || overlap < least) {
            least = overlap;
            face = k;
            sign = c < R(0.0) ? R(-1.0) : R(1.0);
        }
    }
    vec3 normal = V3_Z;
    for (int k = 0; k < 3; k++) {
        const vec3 cross = v3_cross(points_unit_axis(k, R(1.0)), s->d);
        const real size = v3_norm(cross);
        if (!(size > R(0.1) * v3_norm(s->d))) { continue; } // near parallel to the edge: a face serves better
        const vec3 n = v3_scale(R(1.0) / size, cross);
        const real offset = v3_dot(s->c, n);
        const real overlap = s->h.x * real_abs(n.x) + s->h.y * real_abs(n.y) + s->h.z * real_abs(n.z) - real_abs(offset);
        if (overlap < R(0.95) * least) {
            least = overlap;
            edge = k;
            normal = offset < R(0.0) ? v3_scale(R(-1.0), n) : n;
        }
    }
    if (edge < 0) {
        points_segment_face(s, face, sign, b, out);
        return;
    }
    // the edge of direction `edge` that is extreme along the normal, and the segment's point nearest to that line
    const vec3 corner = v3(normal.x < R(0.0) ? -s->h.x : s->h.x, normal.y < R(0.0) ? -s->h.y : s->h.y,
                           normal.z < R(0.0) ? -s->h.z : s->h.z);
    const vec3 e = points_unit_axis(edge, R(1.0));
    const vec3 flat_d = v3_madd(s->d, -v3_dot(s->d, e), e);
    const vec3 flat_r = v3_sub(corner, s->c);
    const real t = real_clamp(v3_dot(flat_r, flat_d) / v3_dot(flat_d, flat_d), R(-1.0), R(1.0));
    const vec3 x = v3_madd(s->c, t, s->d);
    const real gap = -least - s->r;
    const vec3 at = v3_madd(x, -(s->r + R(0.5) * gap), normal);
    points_add(out, (point){v3_add(b->pose.p, quat_rotate(b->pose.q, at)),
                            quat_rotate(b->pose.q, v3_scale(R(-1.0), normal)), gap, (uint16_t)(16 + edge)});
}

static void points_capsule_box(const tac_placed *a, const tac_shape *sa, const tac_placed *b, const tac_shape *sb, points *out)
{
    const vec3 half = v3_scale(sa->size.z, points_axis_z(a->pose.q));
    const segment_in_box s = {quat_rotate_back(b->pose.q, v3_sub(a->pose.p, b->pose.p)),
                              quat_rotate_back(b->pose.q, half), sb->size, sa->size.x};
    real from, to;
    points_nearest_on_segment(s.c, s.d, s.h, &from, &to);
    const vec3 outside = points_outside(v3_madd(s.c, R(0.5) * (from + to), s.d), s.h);
    if (!(v3_norm_inf(outside) > R(0.0))) {
        points_segment_inside(&s, b, out);
        return;
    }
    // nearest to the inside of a face: a line contact with its two ends; nearest to an edge or a corner: one point
    for (int axis = 0; axis < 3; axis++) {
        const real beyond = points_get(outside, axis);
        if (beyond != R(0.0) && real_abs(beyond) == v3_norm_inf(outside) &&
            v3_dot(outside, outside) == beyond * beyond) {
            points_segment_face(&s, axis, beyond < R(0.0) ? R(-1.0) : R(1.0), b, out);
            return;
        }
    }
    points_add(out, points_ball_box(v3_madd(s.c, R(0.5) * (from + to), s.d), s.r, b, s.h, 0));
}

#endif
