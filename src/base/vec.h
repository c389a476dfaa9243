// SPDX-License-Identifier: MIT
// vec.h - three-vectors and quaternions, by value: hard-float targets keep them in registers; poses and symmetric 3x3
// matrices, by pointer.
//   given   scalars of real.h
//   makes   v3_*, quat_*, pose_*, sym3_*: v3_madd(a, s, b) reads a + s b; inverse, principal axes
//   bound   constant; SYM3_SWEEPS for principal axes
//   never   normalises behind your back, except where the name says so
#ifndef BASE_VEC_H
#define BASE_VEC_H

#include "real.h"

typedef tac_vec3 vec3;
typedef tac_quat quat;

// Structs that consist of reals are copied and tested as arrays of them: reals_*() of real.h and bytes.h.
typedef char vec_holds_reals[sizeof(tac_pose) == 7 * sizeof(real) && sizeof(tac_twist) == 6 * sizeof(real) &&
                                     sizeof(tac_compensation) == 9 * sizeof(real) &&
                                     sizeof(tac_sym3) == 6 * sizeof(real)
                                 ? 1
                                 : -1];

// inline: where three floats do not fit a register (x86-64), a call would pass them through memory and wait for it.
static inline vec3 v3(real x, real y, real z)
{
    return (vec3){x, y, z};
}

// Three elements of an array.
static inline vec3 v3_of(const real *x)
{
    return v3(x[0], x[1], x[2]);
}

static inline void v3_put(real *x, vec3 a)
{
    x[0] = a.x;
    x[1] = a.y;
    x[2] = a.z;
}

static inline vec3 v3_add(vec3 a, vec3 b)
{
    return v3(a.x + b.x, a.y + b.y, a.z + b.z);
}

static inline vec3 v3_sub(vec3 a, vec3 b)
{
    return v3(a.x - b.x, a.y - b.y, a.z - b.z);
}

static inline vec3 v3_scale(real s, vec3 a)
{
    return v3(s * a.x, s * a.y, s * a.z);
}

static inline vec3 v3_madd(vec3 a, real s, vec3 b)
{
    return v3(a.x + s * b.x, a.y + s * b.y, a.z + s * b.z);
}

// Componentwise product: a diagonal matrix times a vector.
static inline vec3 v3_mul(vec3 a, vec3 b)
{
    return v3(a.x * b.x, a.y * b.y, a.z * b.z);
}

static inline real v3_dot(vec3 a, vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline vec3 v3_cross(vec3 a, vec3 b)
{
    return v3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

// The velocity at a point of what moves with v at its centre and turns at the rate w.
static inline vec3 v3_velocity(const vec3 *v, const vec3 *w, const vec3 *centre, vec3 at)
{
    return v3_add(*v, v3_cross(*w, v3_sub(at, *centre)));
}

static inline real v3_norm(vec3 a)
{
    return real_sqrt(v3_dot(a, a));
}

static inline real v3_norm_inf(vec3 a)
{
    return real_max(real_abs(a.x), real_max(real_abs(a.y), real_abs(a.z)));
}

// a / |a|, or `otherwise` when a has no direction. Scaled first, so that tiny and huge vectors keep theirs.
static inline vec3 v3_unit(vec3 a, vec3 otherwise)
{
    const real size = v3_norm_inf(a);
    if (size > R(0.0)) {
        const vec3 b = v3(a.x / size, a.y / size, a.z / size);
        otherwise = v3_scale(R(1.0) / v3_norm(b), b);
    }
    return otherwise;
}

// Components of a along three axes, and the vector with given components.
static inline vec3 v3_components(const vec3 axis[3], vec3 a)
{
    return v3(v3_dot(axis[0], a), v3_dot(axis[1], a), v3_dot(axis[2], a));
}

static inline vec3 v3_combine(const vec3 axis[3], vec3 a)
{
    return v3_madd(v3_madd(v3_scale(a.x, axis[0]), a.y, axis[1]), a.z, axis[2]);
}

// A unit vector normal to unit n: n x e for the axis e that n is farthest from.
static inline vec3 v3_normal_to(vec3 n)
{
    const real x = real_abs(n.x), y = real_abs(n.y), z = real_abs(n.z);
    const vec3 t = x <= y && x <= z ? v3(R(0.0), n.z, -n.y) : (y <= z ? v3(-n.z, R(0.0), n.x) : v3(n.y, -n.x, R(0.0)));
    return v3_unit(t, t);
}

static const vec3 V3_ZERO = {R(0.0), R(0.0), R(0.0)};
static const vec3 V3_AXIS[3] = {{R(1.0), R(0.0), R(0.0)}, {R(0.0), R(1.0), R(0.0)}, {R(0.0), R(0.0), R(1.0)}};
#define V3_Z V3_AXIS[2]
static const quat QUAT_ONE = {R(1.0), R(0.0), R(0.0), R(0.0)};

static inline quat quat_mul(quat a, quat b)
{
    return (quat){a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                  a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}

static inline quat quat_conj(quat q)
{
    return (quat){q.w, -q.x, -q.y, -q.z};
}

static inline real quat_norm2(quat q)
{
    return q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
}

// Normalises the quaternion.
static inline void quat_unit(quat *q)
{
    const real s = R(1.0) / real_sqrt(quat_norm2(*q));
    *q = (quat){s * q->w, s * q->x, s * q->y, s * q->z};
}

// q a q* - a: with t = 2 (q_v x a), w t + q_v x t.
static inline vec3 quat_turn(quat q, vec3 a)
{
    const vec3 v = v3(q.x, q.y, q.z);
    const vec3 t = v3_scale(R(2.0), v3_cross(v, a));
    return v3_madd(v3_cross(v, t), q.w, t);
}

// q a q*: from the frame into the world.
static inline vec3 quat_rotate(quat q, vec3 a)
{
    return v3_add(a, quat_turn(q, a));
}

// q* a q: from the world into the frame.
static inline vec3 quat_rotate_back(quat q, vec3 a)
{
    return quat_rotate(quat_conj(q), a);
}

// The columns of the rotation matrix: the frame's axes in the world, V3_AXIS[i] rotated without its zeros.
static inline void quat_axes(quat q, vec3 axis[3])
{
    const vec3 a = v3(q.x + q.x, q.y + q.y, q.z + q.z), w = v3_scale(q.w, a), x = v3_scale(q.x, a);
    const real yy = q.y * a.y, yz = q.y * a.z, zz = q.z * a.z;
    axis[0] = v3(R(1.0) - (yy + zz), x.y + w.z, x.z - w.y);
    axis[1] = v3(x.y - w.z, R(1.0) - (zz + x.x), yz + w.x);
    axis[2] = v3(x.z + w.y, yz - w.x, R(1.0) - (x.x + yy));
}

// The last of them alone.
static inline vec3 quat_axis_z(quat q)
{
    return v3(R(2.0) * (q.x * q.z + q.w * q.y), R(2.0) * (q.y * q.z - q.w * q.x),
              R(1.0) - R(2.0) * (q.x * q.x + q.y * q.y));
}

// exp of the rotation vector a (rad): {cos |a|/2, a/|a| sin |a|/2}, TCE17 below (51).
static inline quat quat_exp(vec3 a)
{
    const real angle = v3_norm(a);
    real sin, cos;
    real_sin_cos(R(0.5) * angle, &sin, &cos);
    const real k = angle > R(0.0) ? sin / angle : R(0.5);
    return (quat){cos, k * a.x, k * a.y, k * a.z};
}

#define QUAT_SHORT R(0.01) // squared angle, rad2, below which the series holds

// exp of a rotation that is mostly as small as those of a step: then by series. In float three terms leave less than a
// thousandth of a rounding.
static inline quat quat_exp_short(vec3 a)
{
    const real x = v3_dot(a, a);
    if (!(x < QUAT_SHORT)) { return quat_exp(a); }
    real sine = R(1.0) / R(3840.0), cosine = R(1.0) / R(384.0);
    if (TAC_REAL_BITS == 64) {
        sine += x * (R(-1.0) / R(645120.0) + x * (R(1.0) / R(185794560.0)));
        cosine += x * (R(-1.0) / R(46080.0) + x * (R(1.0) / R(10321920.0)));
    }
    const real k = R(0.5) + x * (R(-1.0) / R(48.0) + x * sine), w = R(1.0) + x * (R(-0.125) + x * cosine);
    return (quat){w, k * a.x, k * a.y, k * a.z};
}

// A point of the frame in the world, and a point of the world in the frame.
static vec3 pose_point(const tac_pose *a, vec3 point)
{
    return v3_add(a->p, quat_rotate(a->q, point));
}

static inline vec3 pose_point_back(const tac_pose *a, vec3 point)
{
    return quat_rotate_back(a->q, v3_sub(point, a->p));
}

// Composition: the pose in the world of a frame with pose b in frame a. `ab` may be one of them.
static void pose_mul(const tac_pose *a, const tac_pose *b, tac_pose *ab)
{
    ab->p = pose_point(a, b->p);
    ab->q = quat_mul(a->q, b->q);
}

// The inverse of pose_mul(): the a for which a b = ab. `a` may be `ab`.
static void pose_undo(const tac_pose *ab, const tac_pose *b, tac_pose *a)
{
    a->q = quat_mul(ab->q, quat_conj(b->q));
    a->p = v3_sub(ab->p, quat_rotate(a->q, b->p));
}

// a + s b of twists; `to` may be one of them. With s = 1 and -1 it is their sum and their difference, to the bit.
static inline void twist_madd(const tac_twist *a, real s, const tac_twist *b, tac_twist *to)
{
    to->v = v3_madd(a->v, s, b->v);
    to->w = v3_madd(a->w, s, b->w);
}

static inline real twist_dot(const tac_twist *a, const tac_twist *b)
{
    return v3_dot(a->v, b->v) + v3_dot(a->w, b->w);
}

// t += s x
static inline void twist_add(tac_twist *t, real s, const tac_twist *x)
{
    twist_madd(t, s, x, t);
}

// ------------------------------------------------------------------------------------------------- symmetric matrices

typedef tac_sym3 sym3;

#define SYM3_MOST (TAC_REAL_BITS == 32 ? R(1e12) : R(1e100)) // largest trace whose cube (and 1/cube) is finite
#define SYM3_SWEEPS 8 // quadratic convergence: full double precision after five or six

static inline vec3 sym3_mul(const sym3 *m, vec3 a)
{
    return v3(m->xx * a.x + m->xy * a.y + m->xz * a.z, m->xy * a.x + m->yy * a.y + m->yz * a.z,
              m->xz * a.x + m->yz * a.y + m->zz * a.z);
}

static inline real sym3_trace(const sym3 *m)
{
    return m->xx + m->yy + m->zz;
}

// m += s a a'
static void sym3_add_outer(sym3 *m, real s, const vec3 *a)
{
    const vec3 b = v3_scale(s, *a);
    m->xx += b.x * a->x;
    m->xy += b.x * a->y;
    m->xz += b.x * a->z;
    m->yy += b.y * a->y;
    m->yz += b.y * a->z;
    m->zz += b.z * a->z;
}

// m += A diag(s) A', with the axes of A given: s.z 1 and two outer products.
static inline void sym3_add_rotated(sym3 *m, vec3 s, const vec3 axis[3])
{
    const vec3 x = v3_scale(s.x - s.z, axis[0]), y = v3_scale(s.y - s.z, axis[1]);
    m->xx += s.z + (x.x * axis[0].x + y.x * axis[1].x);
    m->xy += x.x * axis[0].y + y.x * axis[1].y;
    m->xz += x.x * axis[0].z + y.x * axis[1].z;
    m->yy += s.z + (x.y * axis[0].y + y.y * axis[1].y);
    m->yz += x.y * axis[0].z + y.y * axis[1].z;
    m->zz += s.z + (x.z * axis[0].z + y.z * axis[1].z);
}

// Inverse of a positive definite matrix by cofactors. If the determinant, a cube, is not a normal number, the matrix is
// scaled by its trace.
static void sym3_inverse(const sym3 *m, sym3 *inverse)
{
    const real size = sym3_trace(m);
    const real part = size > R(1.0) / SYM3_MOST && size < SYM3_MOST ? R(1.0) : R(1.0) / size;
    const sym3 a = {part * m->xx, part * m->xy, part * m->xz, part * m->yy, part * m->yz, part * m->zz};
    const real xx = a.yy * a.zz - a.yz * a.yz;
    const real xy = a.xz * a.yz - a.xy * a.zz;
    const real xz = a.xy * a.yz - a.xz * a.yy;
    const real s = R(1.0) / (a.xx * xx + a.xy * xy + a.xz * xz);
    inverse->xx = part * (s * xx);
    inverse->xy = part * (s * xy);
    inverse->xz = part * (s * xz);
    inverse->yy = part * (s * (a.xx * a.zz - a.xz * a.xz));
    inverse->yz = part * (s * (a.xy * a.xz - a.xx * a.yz));
    inverse->zz = part * (s * (a.xx * a.yy - a.xy * a.xy));
}

// One Jacobi rotation about axis r; p and q are the other two axes in cyclic order. It zeroes the entry (p,q). `on` is
// the diagonal, off[r] the entry (p,q). The frame rotates too, by atan(t), |t| <= 1: c and s are its cosine and sine.
static void sym3_rotate(real on[3], real off[3], quat *frame, int p, int q, int r)
{
    if (off[r] == R(0.0)) { return; }
    const real theta = (on[q] - on[p]) / (R(2.0) * off[r]);
    const real root = real_sqrt(theta * theta + R(1.0)); // may be infinite: then t is 0, the entry negligible
    const real t = R(1.0) / (theta >= R(0.0) ? theta + root : theta - root);
    const real c = R(1.0) / real_sqrt(t * t + R(1.0)), s = t * c;

    on[p] -= t * off[r];
    on[q] += t * off[r];
    off[r] = R(0.0);
    const real rp = off[q], rq = off[p];
    off[q] = c * rp - s * rq;
    off[p] = s * rp + c * rq;
    const real half = real_sqrt(R(0.5) + R(0.5) * c);
    real axis[3] = {R(0.0), R(0.0), R(0.0)};
    axis[r] = R(-0.5) * s / half;
    *frame = quat_mul(*frame, (quat){half, axis[0], axis[1], axis[2]});
}

// Principal axes by the Jacobi method: m = A diag(moments) A', `frame` the rotation A.
static void sym3_principal(const sym3 *m, vec3 *moments, quat *frame)
{
    real on[3] = {m->xx, m->yy, m->zz}, off[3] = {m->yz, m->xz, m->xy};
    *frame = QUAT_ONE;
    for (int sweep = 0; sweep < SYM3_SWEEPS; sweep++) {
        for (int r = 0, p = 1, q = 2; r < 3; p = q, q = r, r++) { sym3_rotate(on, off, frame, p, q, r); }
    }
    *moments = v3(on[0], on[1], on[2]);
    quat_unit(frame);
}

#endif
