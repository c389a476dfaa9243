// SPDX-License-Identifier: MIT
// angles.h - coordinates of a rotation about no fixed axis: twist, swing, the whole angle, the rotation vector.
//   given   the rotation of b relative to a, a unit quaternion with w >= 0; a change of it; the relative spin
//   makes   the coordinate, its gradient, its change without cancellation, its second derivative; all in the frame of a
//   bound   constant
//   never   divides by zero where a coordinate has no gradient: at 0 and pi of a swing, pi of a twist, 0 of the whole
//
// With the quaternion (w, v) all but the last are 2 atan2(S, C):
//      twist                  S = v_z                   C = w              (place.h and change.h: as of a hinge)
//      swing                  S = |(v_x, v_y)|          C = |(w, v_z)|
//      whole                  S = |v|                   C = w
//      turn                   the z component of f v, f = whole/|v|: of the rotation vector
#ifndef TREE_ANGLES_H
#define TREE_ANGLES_H

#include "../base/vec.h"
#include "../model/joint_kinds.h"

#define ANGLES_SHORT R(1e-4) // |v|^2: with less, the factor of the rotation vector is a series

// S and C of swing and whole.
static inline void angles_parts(int along, quat r, real *s, real *c)
{
    const int swing = along == ALONG_SWING;
    *s = v3_norm(v3(r.x, r.y, swing ? R(0.0) : r.z));
    *c = swing ? real_sqrt(r.w * r.w + r.z * r.z) : r.w;
}

// f, 2 where nothing is rotated.
static inline real angles_factor(quat r)
{
    real s, c;
    angles_parts(ALONG_ROTATION, r, &s, &c);
    return s > R(0.0) ? R(2.0) * real_atan2(s, c) / s : R(2.0);
}

// Of all but the twist.
static inline real angles_coordinate(int along, quat r)
{
    real s, c;
    if (along == ALONG_TURN) { return angles_factor(r) * r.z; }
    angles_parts(along, r, &s, &c);
    return R(2.0) * real_atan2(s, c);
}

// The vector whose product with the spin of b relative to a is the rate of the coordinate; of length 1 along all but
// the first, which is 1/cos(swing/2) long, and the last.
static inline vec3 angles_gradient(int along, quat r)
{
    const vec3 v = {r.x, r.y, r.z}, across = {r.w * r.x - r.y * r.z, r.x * r.z + r.w * r.y, R(0.0)};
    const real c2 = r.w * r.w + r.z * r.z, v2 = v3_dot(v, v);
    if (along == ALONG_SWING) { return v3_unit(across, V3_AXIS[0]); }
    if (along == ALONG_ROTATION) { return v3_unit(v, V3_AXIS[0]); }
    if (along == ALONG_TWIST) { return c2 > REAL_EPSILON ? v3(across.y / c2, -across.x / c2, R(1.0)) : V3_AXIS[2]; }
    const real half = R(0.5) * angles_factor(r), part = v2 > R(0.0) ? (R(1.0) - half * r.w) / v2 * r.z : R(0.0);
    return v3_madd(v3_scale(half, v3(r.y, -r.x, r.w)), part, v);
}

// From r to r + e, of all but the twist. The angle between two pairs (S, C) is that of their product with one
// conjugate; differences of lengths are differences of squares over sums.
static inline real angles_change(int along, quat r, quat e)
{
    const quat to = {r.w + e.w, r.x + e.x, r.y + e.y, r.z + e.z};
    const int part = along == ALONG_TURN ? ALONG_ROTATION : along;
    real s, c, s1, c1;
    angles_parts(part, r, &s, &c);
    angles_parts(part, to, &s1, &c1);
    const real x = e.x * (r.x + to.x) + e.y * (r.y + to.y), z = e.z * (r.z + to.z), w = e.w * (r.w + to.w);
    const int swing = part == ALONG_SWING;
    const real ds = s + s1 > R(0.0) ? (swing ? x : x + z) / (s + s1) : R(0.0);
    const real dc = swing ? (c + c1 > R(0.0) ? (w + z) / (c + c1) : R(0.0)) : e.w;
    const real angle = R(2.0) * real_atan2(ds * c - dc * s, c * c1 + s * s1);
    if (along != ALONG_TURN) { return angle; }
    const real f = angles_factor(r), df = s1 > R(0.0) ? (angle - f * ds) / s1 : R(2.0) - f;
    return e.z * (f + df) + r.z * df;
}

// The derivative of a quaternion by a spin in the frame that it leads to.
static inline quat angles_rate(vec3 spin, quat r)
{
    const quat q = quat_mul((quat){R(0.0), spin.x, spin.y, spin.z}, r);
    return (quat){R(0.5) * q.w, R(0.5) * q.x, R(0.5) * q.y, R(0.5) * q.z};
}

// Second derivative of the angle whose S is the length of a part of v, from u = S^2 = sin^2(angle/2), and its rate.
static inline real angles_bend(real s, real c, real du, real ddu, real *rate)
{
    const real sine = R(2.0) * s * c;
    *rate = sine > R(0.0) ? R(2.0) * du / sine : R(0.0);
    return sine > R(0.0) ? (R(2.0) * ddu - (c - s) * (c + s) * *rate * *rate) / sine : R(0.0);
}

// That of f v_z, with the first and second derivatives d and dd of r; du and ddu of |v|^2.
static inline real angles_bend_turn(quat r, quat d, quat dd, real du, real ddu)
{
    const real f = angles_factor(r), third = R(1.0) / R(3.0), s2 = r.x * r.x + r.y * r.y + r.z * r.z;
    real df = third * du, ddf = third * ddu;
    if (s2 > ANGLES_SHORT) {
        real rate;
        const real s = real_sqrt(s2), ds = R(0.5) * du / s, dds = (R(0.5) * ddu - ds * ds) / s;
        const real bend = angles_bend(s, r.w, du, ddu, &rate);
        df = (rate - f * ds) / s;
        ddf = (bend - f * dds - R(2.0) * df * ds) / s;
    }
    return ddf * r.z + R(2.0) * df * d.z + f * dd.z;
}

// The second derivative of the coordinate; `change`: that of the spin. Both are in the frame of a, which turns.
static inline real angles_curvature(int along, quat r, vec3 spin, vec3 change)
{
    const quat d = angles_rate(spin, r), more = angles_rate(spin, d), own = angles_rate(change, r);
    const quat dd = {more.w + own.w, more.x + own.x, more.y + own.y, more.z + own.z};
    real s, c, rate, du = r.x * d.x + r.y * d.y, ddu = (d.x * d.x + r.x * dd.x) + (d.y * d.y + r.y * dd.y);
    if (along == ALONG_TWIST) {
        const real c2 = r.w * r.w + r.z * r.z, first = R(2.0) * (d.z * r.w - r.z * d.w);
        if (!(c2 > REAL_EPSILON)) { return R(0.0); }
        return (R(2.0) * (dd.z * r.w - r.z * dd.w) - R(2.0) * (r.w * d.w + r.z * d.z) * first / c2) / c2;
    }
    angles_parts(along == ALONG_TURN ? ALONG_ROTATION : along, r, &s, &c);
    if (along != ALONG_SWING) {
        du += r.z * d.z;
        ddu += d.z * d.z + r.z * dd.z;
    }
    du = R(2.0) * du, ddu = R(2.0) * ddu;
    return along == ALONG_TURN ? angles_bend_turn(r, d, dd, du, ddu) : angles_bend(s, c, du, ddu, &rate);
}

#endif
