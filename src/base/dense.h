// SPDX-License-Identifier: MIT
// dense.h - symmetric 3x3 matrices: product, inverse, a bound on the largest eigenvalue, principal axes.
//   given   vec.h
//   makes   sym3_*
//   bound   constant; the Jacobi method takes SYM3_SWEEPS sweeps of three rotations
//   never   allocates, pivots or iterates to a tolerance
#ifndef BASE_DENSE_H
#define BASE_DENSE_H

#include "vec.h"

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

// Inverse of a positive definite matrix by cofactors.
static void sym3_cofactors(const sym3 *m, sym3 *inverse)
{
    const real xx = m->yy * m->zz - m->yz * m->yz;
    const real xy = m->xz * m->yz - m->xy * m->zz;
    const real xz = m->xy * m->yz - m->xz * m->yy;
    const real s = R(1.0) / (m->xx * xx + m->xy * xy + m->xz * xz);
    inverse->xx = s * xx;
    inverse->xy = s * xy;
    inverse->xz = s * xz;
    inverse->yy = s * (m->xx * m->zz - m->xz * m->xz);
    inverse->yz = s * (m->xy * m->xz - m->xx * m->yz);
    inverse->zz = s * (m->xx * m->yy - m->xy * m->xy);
}

static void sym3_scale(real s, const sym3 *m, sym3 *scaled)
{
    *scaled = (sym3){s * m->xx, s * m->xy, s * m->xz, s * m->yy, s * m->yz, s * m->zz};
}

// The same for matrices of any size: if the determinant, a cube, is not a normal number, the matrix is scaled by its
// trace.
static void sym3_inverse(const sym3 *m, sym3 *inverse)
{
    const real size = sym3_trace(m);
    if (size > R(1.0) / SYM3_MOST && size < SYM3_MOST) {
        sym3_cofactors(m, inverse);
    } else {
        sym3 unit;
        sym3_scale(R(1.0) / size, m, &unit);
        sym3_cofactors(&unit, inverse);
        sym3_scale(R(1.0) / size, inverse, inverse);
    }
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
