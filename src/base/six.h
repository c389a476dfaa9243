// SPDX-License-Identifier: MIT
// six.h - what a sparse factor does with its 6x6 blocks: Cholesky's factor of one, products and solutions with it.
//   given   blocks of tac_sparse: lower triangles row by row, full blocks
//   makes   six_*
//   bound   constant: at most 216 multiplications
//   never   divides by zero: a pivot is not let below what is known to be its least
#ifndef BASE_SIX_H
#define BASE_SIX_H

#include "tree.h"

#if TAC_MAX_FILL > 0

static const uint8_t SIX_ROW[6] = {0, 1, 3, 6, 10, 15}; // where the rows of a triangle begin

static inline real six_dot(const real *a, const real *b)
{
    return (a[0] * b[0] + a[1] * b[1]) + (a[2] * b[2] + a[3] * b[3]) + (a[4] * b[4] + a[5] * b[5]);
}

// A = C C', in place; the diagonal of C is kept inverted. The guard: where A = diag(least) + B with B >= 0, so is every
// Schur complement (S >= diag(least) there), hence each pivot >= least: one that comes out smaller has lost its digits.
static void six_factor(real *c, const real *least)
{
    for (int i = 0; i < 6; i++) {
        real *ci = c + SIX_ROW[i];
        for (int j = 0; j < i; j++) {
            const real *cj = c + SIX_ROW[j];
            real sum = ci[j];
            for (int k = 0; k < j; k++) { sum -= ci[k] * cj[k]; }
            ci[j] = sum * cj[j];
        }
        real pivot = ci[i];
        for (int k = 0; k < i; k++) { pivot -= ci[k] * ci[k]; }
        ci[i] = R(1.0) / real_sqrt(real_max(pivot, least[i]));
    }
}

// A triangle changes its sign.
static void six_negate(real *a)
{
    for (int i = 0; i < 21; i++) { a[i] = -a[i]; }
}

// x = C^-1 x
static void six_forward(const real *c, real *x)
{
    for (int i = 0; i < 6; i++) {
        const real *ci = c + SIX_ROW[i];
        real sum = x[i];
        for (int k = 0; k < i; k++) { sum -= ci[k] * x[k]; }
        x[i] = sum * ci[i];
    }
}

// x = C'^-1 x
static void six_backward(const real *c, real *x)
{
    for (int i = 5; i >= 0; i--) {
        const real *ci = c + SIX_ROW[i];
        const real xi = x[i] * ci[i];
        x[i] = xi;
        for (int k = 0; k < i; k++) { x[k] -= ci[k] * xi; }
    }
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
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 6; j++) { y[j] -= a[i][j] * x[i]; }
    }
}

#endif

#endif
