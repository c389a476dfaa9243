// SPDX-License-Identifier: MIT
// six.h - six numbers, and 6x6 matrices: spatial motions and inertias, Cholesky factor, products and solutions.
//   given   six numbers: (w, v) or (torque, force); lower triangles row by row, full blocks
//   makes   six_*
//   bound   constant: at most 216 multiplications
//   never   divides by zero: a pivot is never below its known lower bound
#ifndef BASE_SIX_H
#define BASE_SIX_H

#include "vec.h"

static const uint8_t SIX_ROW[6] = {0, 1, 3, 6, 10, 15}; // first element of each row of a triangle

// Motions are (w, v) and forces (torque, force), world frame, about one point.
static inline real six_dot(const real *a, const real *b)
{
    return (a[0] * b[0] + a[1] * b[1]) + (a[2] * b[2] + a[3] * b[3]) + (a[4] * b[4] + a[5] * b[5]);
}

static inline void six_set(real *x, vec3 angular, vec3 linear)
{
    x[0] = angular.x, x[1] = angular.y, x[2] = angular.z;
    x[3] = linear.x, x[4] = linear.y, x[5] = linear.z;
}

static inline vec3 six_angular(const real *x)
{
    return v3(x[0], x[1], x[2]);
}

static inline vec3 six_linear(const real *x)
{
    return v3(x[3], x[4], x[5]);
}

// y += s x; with s = 1 and -1 the sum and the difference, to the bit.
static inline void six_add(real *y, real s, const real *x)
{
    y[0] += s * x[0], y[1] += s * x[1], y[2] += s * x[2];
    y[3] += s * x[3], y[4] += s * x[4], y[5] += s * x[5];
}

static inline void six_scale(real *y, real s)
{
    y[0] *= s, y[1] *= s, y[2] *= s, y[3] *= s, y[4] *= s, y[5] *= s;
}

static inline void six_copy(real *y, const real *x)
{
    y[0] = x[0], y[1] = x[1], y[2] = x[2], y[3] = x[3], y[4] = x[4], y[5] = x[5];
}

// B += A, of triangles
static inline void six_add_triangle(real *b, const real *a)
{
    for (int i = 0; i < 18; i += 6) { six_add(b + i, R(1.0), a + i); }
    b[18] += a[18], b[19] += a[19], b[20] += a[20];
}

// y = A x, of a symmetric matrix by its lower triangle
static void six_mul(const real *a, const real *x, real *y)
{
    y[0] = (a[0] * x[0] + a[1] * x[1]) + (a[3] * x[2] + a[6] * x[3]) + (a[10] * x[4] + a[15] * x[5]);
    y[1] = (a[1] * x[0] + a[2] * x[1]) + (a[4] * x[2] + a[7] * x[3]) + (a[11] * x[4] + a[16] * x[5]);
    y[2] = (a[3] * x[0] + a[4] * x[1]) + (a[5] * x[2] + a[8] * x[3]) + (a[12] * x[4] + a[17] * x[5]);
    y[3] = (a[6] * x[0] + a[7] * x[1]) + (a[8] * x[2] + a[9] * x[3]) + (a[13] * x[4] + a[18] * x[5]);
    y[4] = (a[10] * x[0] + a[11] * x[1]) + (a[12] * x[2] + a[13] * x[3]) + (a[14] * x[4] + a[19] * x[5]);
    y[5] = (a[15] * x[0] + a[16] * x[1]) + (a[17] * x[2] + a[18] * x[3]) + (a[19] * x[4] + a[20] * x[5]);
}

// A diag(i) A', of principal moments i and principal axes A: the lower triangle of a 3x3 matrix. By the axes y and z it
// is i_x 1 + (i_y - i_x) y y' + (i_z - i_x) z z'.
static inline void six_moments(vec3 i, const vec3 axis[3], real *to)
{
    const vec3 y = axis[1], z = axis[2], dy = v3_scale(i.y - i.x, y), dz = v3_scale(i.z - i.x, z);
    to[0] = i.x + (dy.x * y.x + dz.x * z.x);
    to[1] = dy.x * y.y + dz.x * z.y, to[2] = i.x + (dy.y * y.y + dz.y * z.y);
    to[3] = dy.x * y.z + dz.x * z.z, to[4] = dy.y * y.z + dz.y * z.z, to[5] = i.x + (dy.z * y.z + dz.z * z.z);
}

// Inertia of a body of mass m and moments J about a point, r from there to its centre:
//      | J + m (r'r 1 - r r')   m [r] |
//      |      -m [r]            m 1   |
static inline void six_shifted(real m, const real *j, vec3 r, real *to)
{
    const vec3 h = v3_scale(m, r);
    const real all = v3_dot(h, r);
    to[0] = j[0] + (all - h.x * r.x);
    to[1] = j[1] - h.x * r.y;
    to[2] = j[2] + (all - h.y * r.y);
    to[3] = j[3] - h.x * r.z;
    to[4] = j[4] - h.y * r.z;
    to[5] = j[5] + (all - h.z * r.z);
    to[6] = to[11] = to[13] = to[17] = to[18] = to[19] = R(0.0);
    to[7] = h.z;
    to[10] = -h.z;
    to[8] = -h.y;
    to[15] = h.y;
    to[12] = h.x;
    to[16] = -h.x;
    to[9] = to[14] = to[20] = m;
}

// The inertia of rigid bodies has ten numbers, as six_shifted() shows: the moments, those of the first moment h, and m.
// y = I x: force m v + w x h, torque J w + h x v.
static inline void six_rigid_mul(const real *i, const real *x, real *y)
{
    const vec3 w = six_angular(x), v = six_linear(x), h = v3(i[12], i[15], i[7]);
    const vec3 spin = v3(i[0] * w.x + i[1] * w.y + i[3] * w.z, i[1] * w.x + i[2] * w.y + i[4] * w.z,
                         i[3] * w.x + i[4] * w.y + i[5] * w.z);
    six_set(y, v3_add(spin, v3_cross(h, v)), v3_madd(v3_cross(w, h), i[9], v));
}

// The elements of a lower triangle: place, row and column.
#define SIX_TRIANGLE(DO) \
    DO(0, 0, 0) DO(1, 1, 0) DO(2, 1, 1) DO(3, 2, 0) DO(4, 2, 1) DO(5, 2, 2) \
    DO(6, 3, 0) DO(7, 3, 1) DO(8, 3, 2) DO(9, 3, 3) \
    DO(10, 4, 0) DO(11, 4, 1) DO(12, 4, 2) DO(13, 4, 3) DO(14, 4, 4) \
    DO(15, 5, 0) DO(16, 5, 1) DO(17, 5, 2) DO(18, 5, 3) DO(19, 5, 4) DO(20, 5, 5)

// A -= s u u'
#define SIX_TAKE(k, i, j) a[k] -= x[i] * u[j];
static inline void six_take_outer(real *a, real s, const real *u)
{
    const real x[6] = {s * u[0], s * u[1], s * u[2], s * u[3], s * u[4], s * u[5]};
    SIX_TRIANGLE(SIX_TAKE)
}

// A -= u u', B += A
#define SIX_PASS(k, i, j) b[k] += a[k] -= x[i] * x[j];
static inline void six_pass_outer(real *a, const real *u, real *b)
{
    const real x[6] = {u[0], u[1], u[2], u[3], u[4], u[5]};
    SIX_TRIANGLE(SIX_PASS)
}

// B += A - u u', where nobody asks for the rest of A. Products are added, of -u: where an operation overwrites its first
// operand (x86-64), no element is copied.
#define SIX_REST(k, i, j) b[k] += a[k] + x[i] * u[j];
static inline void six_add_rest(const real *a, const real *u, real *b)
{
    const real x[6] = {-u[0], -u[1], -u[2], -u[3], -u[4], -u[5]};
    SIX_TRIANGLE(SIX_REST)
}

// A = C C', in place; the diagonal of C is stored inverted. Pivots have a lower bound: where A = diag(least) + B with B
// >= 0, the same holds for every Schur complement (S >= diag(least) there), hence each pivot >= least. A pivot that
// comes out smaller has lost digits to rounding, and the bound takes its place; less than half of that, and its column
// has lost them too, and becomes 0.
// Returns the inverted diagonal, and by what the column is multiplied.
static inline real six_root(real pivot, real least, real *column)
{
    const real inverse = R(1.0) / real_sqrt(real_max(pivot, least));
    *column = pivot >= R(0.5) * least ? inverse : R(0.0);
    return inverse;
}

// These bounds of an inertia of bodies that a free root carries, about its centre of mass: the root's own in any frame,
// and half of it, so that rounding alone does not reach it.
static inline void six_least(real mass, vec3 inertia, real *least)
{
    const real turn = R(0.5) * real_min(inertia.x, real_min(inertia.y, inertia.z)), move = R(0.5) * mass;
    six_set(least, v3(turn, turn, turn), v3(move, move, move));
}

static void six_factor(real *c, const real *least)
{
    real part;
    c[0] = six_root(c[0], least[0], &part);
    c[1] *= part, c[3] *= part, c[6] *= part, c[10] *= part, c[15] *= part;
    c[2] = six_root(c[2] - c[1] * c[1], least[1], &part);
    c[4] = (c[4] - c[3] * c[1]) * part, c[7] = (c[7] - c[6] * c[1]) * part;
    c[11] = (c[11] - c[10] * c[1]) * part, c[16] = (c[16] - c[15] * c[1]) * part;
    c[5] = six_root(c[5] - c[3] * c[3] - c[4] * c[4], least[2], &part);
    c[8] = (c[8] - c[6] * c[3] - c[7] * c[4]) * part;
    c[12] = (c[12] - c[10] * c[3] - c[11] * c[4]) * part;
    c[17] = (c[17] - c[15] * c[3] - c[16] * c[4]) * part;
    c[9] = six_root(c[9] - c[6] * c[6] - c[7] * c[7] - c[8] * c[8], least[3], &part);
    c[13] = (c[13] - c[10] * c[6] - c[11] * c[7] - c[12] * c[8]) * part;
    c[18] = (c[18] - c[15] * c[6] - c[16] * c[7] - c[17] * c[8]) * part;
    c[14] = six_root(c[14] - c[10] * c[10] - c[11] * c[11] - c[12] * c[12] - c[13] * c[13], least[4], &part);
    c[19] = (c[19] - c[15] * c[10] - c[16] * c[11] - c[17] * c[12] - c[18] * c[13]) * part;
    const real last = c[20] - c[15] * c[15] - c[16] * c[16] - c[17] * c[17] - c[18] * c[18] - c[19] * c[19];
    c[20] = six_root(last, least[5], &part);
}

// x = C^-1 x
static inline void six_forward(const real *c, real *x)
{
    x[0] = x[0] * c[0];
    x[1] = (x[1] - c[1] * x[0]) * c[2];
    x[2] = (x[2] - c[3] * x[0] - c[4] * x[1]) * c[5];
    x[3] = (x[3] - c[6] * x[0] - c[7] * x[1] - c[8] * x[2]) * c[9];
    x[4] = (x[4] - c[10] * x[0] - c[11] * x[1] - c[12] * x[2] - c[13] * x[3]) * c[14];
    x[5] = (x[5] - c[15] * x[0] - c[16] * x[1] - c[17] * x[2] - c[18] * x[3] - c[19] * x[4]) * c[20];
}

// x = C'^-1 x
static inline void six_backward(const real *c, real *x)
{
    x[5] = x[5] * c[20];
    x[4] = (x[4] - c[19] * x[5]) * c[14];
    x[3] = (x[3] - c[18] * x[5] - c[13] * x[4]) * c[9];
    x[2] = (x[2] - c[17] * x[5] - c[12] * x[4] - c[8] * x[3]) * c[5];
    x[1] = (x[1] - c[16] * x[5] - c[11] * x[4] - c[7] * x[3] - c[4] * x[2]) * c[2];
    x[0] = (x[0] - c[15] * x[5] - c[10] * x[4] - c[6] * x[3] - c[3] * x[2] - c[1] * x[1]) * c[0];
}

// Changes the sign of a triangle.
static void six_negate(real *a)
{
    for (int i = 0; i < 21; i++) { a[i] = -a[i]; }
}

// C -= s A B'
static void six_take(real (*c)[6], real s, real (*a)[6], real (*b)[6])
{
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 6; j++) { c[i][j] -= s * six_dot(a[i], b[j]); }
    }
}

// The lower triangle of C -= s A A'
static void six_take_square(real *c, real s, real (*a)[6])
{
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j <= i; j++) { *c++ -= s * six_dot(a[i], a[j]); }
    }
}

// y -= s A x
static void six_take_product(real *y, real s, const real a[6][6], const real *x)
{
    for (int i = 0; i < 6; i++) { y[i] -= s * six_dot(a[i], x); }
}

// y -= A' x
static void six_take_transposed(real *y, const real a[6][6], const real *x)
{
    for (int j = 0; j < 6; j++) {
        y[j] =
            y[j] - a[0][j] * x[0] - a[1][j] * x[1] - a[2][j] * x[2] - a[3][j] * x[3] - a[4][j] * x[4] - a[5][j] * x[5];
    }
}

#endif
