// SPDX-License-Identifier: MIT
// lu.h - small dense systems of linear equations, in the memory of the caller.
//   given   dense.h; a square matrix, row by row without gaps, and a right-hand side
//   makes   the solution in place of the right-hand side; the matrix is overwritten
//   bound   n^3/3 multiplications: Gaussian elimination with partial pivoting
//   never   divides by zero: a matrix without a usable pivot is reported as singular
#ifndef BASE_LU_H
#define BASE_LU_H

#include "real.h"

static void lu_swap(real *a, real *b)
{
    const real c = *a;
    *a = *b;
    *b = c;
}

// Brings the largest entry of column k, from row k down, into row k. Returns its size.
static real lu_pivot(real *a, real *b, int n, int k)
{
    int best = k;
    for (int i = k + 1; i < n; i++) {
        if (real_abs(a[i * n + k]) > real_abs(a[best * n + k])) { best = i; }
    }
    if (best != k) {
        for (int j = k; j < n; j++) { lu_swap(&a[k * n + j], &a[best * n + j]); }
        lu_swap(&b[k], &b[best]);
    }
    return real_abs(a[k * n + k]);
}

// Solves a x = b, x in place of b. Returns 0 if a is singular to working precision or not finite; b is then undefined.
static int lu_solve(real *a, real *b, int n)
{
    real most = R(0.0);
    for (int i = 0; i < n * n; i++) { most = real_max(most, real_abs(a[i])); }
    const real least = R(0.25) * REAL_EPSILON * REAL_EPSILON * most;
    for (int k = 0; k < n; k++) {
        const real pivot = lu_pivot(a, b, n, k);
        if (!(pivot > least) || !real_finite(pivot)) { return 0; }
        for (int i = k + 1; i < n; i++) {
            const real factor = a[i * n + k] / a[k * n + k];
            if (factor == R(0.0)) { continue; }
            for (int j = k + 1; j < n; j++) { a[i * n + j] -= factor * a[k * n + j]; }
            b[i] -= factor * b[k];
        }
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++) { b[i] -= a[i * n + j] * b[j]; }
        b[i] /= a[i * n + i];
    }
    return reals_finite(b, sizeof *b * (size_t)n);
}

#endif
