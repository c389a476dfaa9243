// SPDX-License-Identifier: MIT
// lu.h - small dense systems of linear equations, in the memory of the caller.
//   given   a square matrix, row by row without gaps, and right-hand sides
//   makes   the solutions in place of the right-hand sides; the matrix is overwritten
//   bound   n^3/3 + n^2 multiplications for each right-hand side: Gaussian elimination with pivoting
//   never   divides by zero: a matrix without a usable pivot is reported as singular
#ifndef BASE_LU_H
#define BASE_LU_H

#include "bytes.h"
#include "real.h"

static void lu_swap(real *a, real *b)
{
    const real c = *a;
    *a = *b;
    *b = c;
}

// Exchanges rows i and k of a matrix of n columns.
static void lu_exchange(real *a, int n, int i, int k)
{
    for (int j = 0; j < n; j++) { lu_swap(&a[k * n + j], &a[i * n + j]); }
}

// Brings the largest entry of column k, from row k down, into row k. Returns its size.
static real lu_pivot(real *a, real *b, int n, int columns, int k)
{
    int best = k;
    for (int i = k + 1; i < n; i++) {
        if (real_abs(a[i * n + k]) > real_abs(a[best * n + k])) { best = i; }
    }
    if (best != k) {
        lu_exchange(a, n, best, k);
        lu_exchange(b, columns, best, k);
    }
    return real_abs(a[k * n + k]);
}

// x_i += s x_k, rows of a matrix of n columns, from column `from`.
static void lu_add(real *x, int n, int i, real s, int k, int from)
{
    for (int j = from; j < n; j++) { x[i * n + j] += s * x[k * n + j]; }
}

// Solves a x = b for b of so many columns, x in place of b. Returns 0 if a is singular to working precision or not
// finite; b is then undefined.
static int lu_solve_columns(real *a, real *b, int n, int columns)
{
    real most = R(0.0);
    for (int i = 0; i < n * n; i++) { most = real_max(most, real_abs(a[i])); }
    const real least = R(0.25) * REAL_EPSILON * REAL_EPSILON * most;
    for (int k = 0; k < n; k++) {
        const real pivot = lu_pivot(a, b, n, columns, k);
        if (!(pivot > least) || !real_finite(pivot)) { return 0; }
        for (int i = k + 1; i < n; i++) {
            const real factor = a[i * n + k] / a[k * n + k];
            if (factor == R(0.0)) { continue; }
            lu_add(a, n, i, -factor, k, k + 1);
            lu_add(b, columns, i, -factor, k, 0);
        }
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++) { lu_add(b, columns, i, -a[i * n + j], j, 0); }
        for (int j = 0; j < columns; j++) { b[i * columns + j] /= a[i * n + i]; }
    }
    return reals_finite(b, sizeof *b * (size_t)(n * columns));
}

// Solves for one right-hand side.
static int lu_solve(real *a, real *b, int n)
{
    return lu_solve_columns(a, b, n, 1);
}

#if TAC_MAX_LCP > 0

// sum + x'y, one product after the other.
static inline real lu_sum(real sum, const real *x, const real *y, uint32_t n)
{
    uint32_t i = 0;
    for (; i + 4 <= n; i += 4) {
        sum = (((sum + x[i] * y[i]) + x[i + 1] * y[i + 1]) + x[i + 2] * y[i + 2]) + x[i + 3] * y[i + 3];
    }
    for (; i < n; i++) { sum += x[i] * y[i]; }
    return sum;
}

// x += s y
static inline void lu_madd(real *x, real s, const real *y, uint32_t n)
{
    uint32_t i = 0;
    for (; i + 4 <= n; i += 4) {
        x[i] += s * y[i], x[i + 1] += s * y[i + 1];
        x[i + 2] += s * y[i + 2], x[i + 3] += s * y[i + 3];
    }
    for (; i < n; i++) { x[i] += s * y[i]; }
}

// A row to which multiples of others are added, four of them in one pass.
typedef struct lu_row {
    real *to;
    uint32_t n, count;
    real part[4];
    const real *from[4];
} lu_row;

static void lu_row_four(const lu_row *x)
{
    const real a = x->part[0], b = x->part[1], c = x->part[2], d = x->part[3];
    const real *p = x->from[0], *q = x->from[1], *r = x->from[2], *s = x->from[3];
    real *to = x->to;
    const size_t n = x->n;
    size_t i = 0;
    for (; i + 4 <= n; i += 4) {
        to[i] += (a * p[i] + b * q[i]) + (c * r[i] + d * s[i]);
        to[i + 1] += (a * p[i + 1] + b * q[i + 1]) + (c * r[i + 1] + d * s[i + 1]);
        to[i + 2] += (a * p[i + 2] + b * q[i + 2]) + (c * r[i + 2] + d * s[i + 2]);
        to[i + 3] += (a * p[i + 3] + b * q[i + 3]) + (c * r[i + 3] + d * s[i + 3]);
    }
    for (; i < n; i++) { to[i] += (a * p[i] + b * q[i]) + (c * r[i] + d * s[i]); }
}

// x += part from; the last call is lu_row_end().
static inline void lu_row_add(lu_row *x, real part, const real *from)
{
    if (part == R(0.0)) { return; }
    x->part[x->count] = part;
    x->from[x->count++] = from;
    if (x->count < 4) { return; }
    lu_row_four(x);
    x->count = 0;
}

static void lu_row_two(const lu_row *x)
{
    const real a = x->part[0], b = x->part[1];
    const real *p = x->from[0], *q = x->from[1];
    real *to = x->to;
    for (size_t i = 0; i < x->n; i++) { to[i] += a * p[i] + b * q[i]; }
}

static inline void lu_row_end(lu_row *x)
{
    if (x->count == 1) { lu_madd(x->to, x->part[0], x->from[0], x->n); }
    if (x->count == 2) { lu_row_two(x); }
    if (x->count < 3) { return; }
    x->part[3] = R(0.0), x->from[3] = x->from[0];
    lu_row_four(x);
}

static inline lu_row lu_row_of(real *to, uint32_t n)
{
    lu_row x;
    x.to = to, x.n = n, x.count = 0;
    return x;
}

// A matrix whose rows may depend on each other, by its largest entries in turn, down to `least`: returns how many there
// are. `row` and `column`: where each comes from. `definite`: it is symmetric and has no negative eigenvalue, so its
// largest entry is on the diagonal.
static uint32_t lu_rank(real *a, uint32_t n, size_t stride, real least, int definite, uint16_t *row, uint16_t *column)
{
    for (uint32_t k = 0; k < n; k++) { row[k] = column[k] = (uint16_t)k; }
    for (uint32_t k = 0; k < n; k++) {
        uint32_t r = k, c = k;
        real most = R(0.0);
        for (uint32_t i = k; i < n; i++) {
            const real *x = &a[i * stride];
            for (uint32_t j = definite ? i : k, end = definite ? i + 1 : n; j < end; j++) {
                if (real_abs(x[j]) > most) { r = i, c = j, most = real_abs(x[j]); }
            }
        }
        if (!(most > least)) { return k; }
        const uint16_t from = row[k], to = column[k];
        row[k] = row[r], row[r] = from;
        column[k] = column[c], column[c] = to;
        for (uint32_t j = 0; j < n && r != k; j++) { lu_swap(&a[k * stride + j], &a[r * stride + j]); }
        for (uint32_t i = 0; i < n && c != k; i++) { lu_swap(&a[i * stride + k], &a[i * stride + c]); }
        for (uint32_t i = k + 1; i < n; i++) {
            real *x = &a[i * stride];
            if (x[k] == R(0.0)) { continue; }
            x[k] /= a[k * stride + k];
            lu_madd(&x[k + 1], -x[k], &a[k * stride + k + 1], n - 1 - k);
        }
    }
    return n;
}

// A'x = b for these `rank` rows and columns, of so many right sides, one a column, rows `wide` apart; x, whose rows are
// as far apart as those of A, is 0 elsewhere.
static void lu_transposed(const real *a, uint32_t rank, uint32_t n, size_t stride, const uint16_t *row,
                          const uint16_t *column, const real *b, size_t wide, real *x, uint32_t columns)
{
    for (uint32_t k = 0; k < n; k++) { reals_clear(&x[row[k] * stride], columns * sizeof *x); }
    for (uint32_t k = 0; k < rank; k++) {
        const real inverse = R(1.0) / a[k * stride + k];
        lu_row to = lu_row_of(&x[row[k] * stride], columns);
        lu_row_add(&to, inverse, &b[column[k] * wide]);
        for (uint32_t i = 0; i < k; i++) { lu_row_add(&to, -inverse * a[i * stride + k], &x[row[i] * stride]); }
        lu_row_end(&to);
    }
    for (uint32_t k = rank; k-- > 0;) {
        lu_row to = lu_row_of(&x[row[k] * stride], columns);
        for (uint32_t i = k + 1; i < rank; i++) { lu_row_add(&to, -a[i * stride + k], &x[row[i] * stride]); }
        lu_row_end(&to);
    }
}

#endif

#endif
