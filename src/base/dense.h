// SPDX-License-Identifier: MIT
// dense.h - symmetric 3x3 matrices: product, inverse, a bound on the largest eigenvalue, principal axes.
//   given   vec.h
//   makes   sym3_*
//   bound   constant; the Jacobi method takes at most SYM3_SWEEPS turns of three rotations
//   never   allocates, pivots or iterates to a tolerance
#ifndef BASE_DENSE_H
#define BASE_DENSE_H

#include "vec.h"

typedef tac_sym3 sym3;

static const sym3 SYM3_ZERO = {R(0.0), R(0.0), R(0.0), R(0.0), R(0.0), R(0.0)};

#define SYM3_SWEEPS 8 // quadratic convergence: full double precision after five or six

static vec3 sym3_mul(sym3 m, vec3 a)
{
    return v3(m.xx * a.x + m.xy * a.y + m.xz * a.z, m.xy * a.x + m.yy * a.y + m.yz * a.z,
              m.xz * a.x + m.yz * a.y + m.zz * a.z);
}

static real sym3_trace(sym3 m)
{
    return m.xx + m.yy + m.zz;
}

// m += s a a'
static sym3 sym3_add_outer(sym3 m, real s, vec3 a)
{
    const vec3 b = v3_scale(s, a);
    return (sym3){m.xx + b.x * a.x, m.xy + b.x * a.y, m.xz + b.x * a.z,
                  m.yy + b.y * a.y, m.yz + b.y * a.z, m.zz + b.z * a.z};
}

// Inverse of a positive definite matrix by cofactors.
static sym3 sym3_inverse(sym3 m)
{
    const real cxx = m.yy * m.zz - m.yz * m.yz;
    const real cxy = m.xz * m.yz - m.xy * m.zz;
    const real cxz = m.xy * m.yz - m.xz * m.yy;
    const real s = R(1.0) / (m.xx * cxx + m.xy * cxy + m.xz * cxz);
    return (sym3){s * cxx,
                  s * cxy,
                  s * cxz,
                  s * (m.xx * m.zz - m.xz * m.xz),
                  s * (m.xy * m.xz - m.xx * m.yz),
                  s * (m.xx * m.yy - m.xy * m.xy)};
}

// One Jacobi rotation that zeroes m[p][q] and turns the axes likewise.
static void sym3_rotate(real m[3][3], vec3 axis[3], int p, int q)
{
    if (m[p][q] == R(0.0)) { return; }
    const real theta = (m[q][q] - m[p][p]) / (R(2.0) * m[p][q]);
    if (!real_finite(theta * theta)) { // negligible next to the difference of the diagonal
        m[p][q] = m[q][p] = R(0.0);
        return;
    }
    const real root = real_sqrt(theta * theta + R(1.0));
    const real t = theta >= R(0.0) ? R(1.0) / (theta + root) : R(1.0) / (theta - root);
    const real c = R(1.0) / real_sqrt(t * t + R(1.0)), s = t * c;
    const int r = 3 - p - q;

    m[p][p] -= t * m[p][q];
    m[q][q] += t * m[p][q];
    m[p][q] = m[q][p] = R(0.0);
    const real rp = m[r][p], rq = m[r][q];
    m[r][p] = m[p][r] = c * rp - s * rq;
    m[r][q] = m[q][r] = s * rp + c * rq;
    const vec3 ap = axis[p], aq = axis[q];
    axis[p] = v3_sub(v3_scale(c, ap), v3_scale(s, aq));
    axis[q] = v3_add(v3_scale(s, ap), v3_scale(c, aq));
}

// Unit quaternion of the frame with these orthonormal right-handed axes: the largest of the four squares leads, so the
// divisor is at least 1.
static quat quat_from_axes(const vec3 axis[3])
{
    const real xx = axis[0].x, yy = axis[1].y, zz = axis[2].z;
    quat q;
    if (xx + yy + zz >= R(0.0)) {
        q = (quat){R(1.0) + xx + yy + zz, axis[1].z - axis[2].y, axis[2].x - axis[0].z, axis[0].y - axis[1].x};
    } else if (xx >= yy && xx >= zz) {
        q = (quat){axis[1].z - axis[2].y, R(1.0) + xx - yy - zz, axis[0].y + axis[1].x, axis[2].x + axis[0].z};
    } else if (yy >= zz) {
        q = (quat){axis[2].x - axis[0].z, axis[0].y + axis[1].x, R(1.0) + yy - zz - xx, axis[1].z + axis[2].y};
    } else {
        q = (quat){axis[0].y - axis[1].x, axis[2].x + axis[0].z, axis[1].z + axis[2].y, R(1.0) + zz - xx - yy};
    }
    return quat_unit(q);
}

// Principal axes by the Jacobi method: m = A diag(moments) A', `frame` the rotation A.
static void sym3_principal(sym3 s, vec3 *moments, quat *frame)
{
    real m[3][3] = {{s.xx, s.xy, s.xz}, {s.xy, s.yy, s.yz}, {s.xz, s.yz, s.zz}};
    vec3 axis[3];
    axis[0] = v3(R(1.0), R(0.0), R(0.0));
    axis[1] = v3(R(0.0), R(1.0), R(0.0));
    axis[2] = V3_Z;
    for (int sweep = 0; sweep < SYM3_SWEEPS; sweep++) {
        sym3_rotate(m, axis, 0, 1);
        sym3_rotate(m, axis, 0, 2);
        sym3_rotate(m, axis, 1, 2);
    }
    *moments = v3(m[0][0], m[1][1], m[2][2]);
    *frame = quat_from_axes(axis);
}

#endif
