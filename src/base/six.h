// SPDX-License-Identifier: MIT
// six.h - operations of a sparse factor on its 6x6 blocks: Cholesky factor, products and solutions.
//   given   blocks of tac_sparse: lower triangles row by row, full blocks
//   makes   six_*
//   bound   constant: at most 216 multiplications
//   never   divides by zero: a pivot is never below its known lower bound
#ifndef BASE_SIX_H
#define BASE_SIX_H

#include "real.h"

#if TAC_MAX_FILL > 0 || TAC_MAX_JOINTS > 0

static const uint8_t SIX_ROW[6] = {0, 1, 3, 6, 10, 15}; // first element of each row of a triangle

static inline real six_dot(const real *a, const real *b)
{
    return (a[0] * b[0] + a[1] * b[1]) + (a[2] * b[2] + a[3] * b[3]) + (a[4] * b[4] + a[5] * b[5]);
}

// A = C C', in place; the diagonal of C is stored inverted. Pivots have a lower bound: where A = diag(least) + B with B
// >= 0, the same holds for every Schur complement (S >= diag(least) there), hence each pivot >= least. A pivot that
// comes out smaller has lost its digits to rounding.
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

#if TAC_MAX_FILL > 0

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

#endif

#endif
