// SPDX-License-Identifier: MIT
// ilqr_box.h - a convex quadratic function of a few numbers within bounds: projected Newton steps.
//   given   its Hessian and gradient, bounds that have 0 among them
//   makes   numbers within the bounds; the factor of the Hessian over those that no bound holds
//   bound   ILQR_ROUNDS factors; ILQR_HALVES evaluations each
//   never   leaves the bounds, divides by what is not positive
#ifndef PREDICT_ILQR_BOX_H
#define PREDICT_ILQR_BOX_H

#include "../base/lu.h"

#if TAC_PREDICT && TAC_MAX_LCP > 0

#define ILQR_ROUNDS 8                          // of Newton's method: each holds and frees any number of numbers
#define ILQR_HALVES 6                          // of one step that leads out of the bounds
#define ILQR_SINGULAR (R(16.0) * REAL_EPSILON) // of an entry on the diagonal: a smaller pivot is none

// minimise 1/2 d'D d + q'd,  low <= d <= high,  D = Q with (1 + damping) times its diagonal.
typedef struct ilqr_box {
    const real *Q, *q; // rows of Q are `stride` apart
    size_t stride;
    uint32_t m;
    real damping;
    real *L;                        // m m  D = L L' over numbers that no bound holds; rows of the others are 0
    real *low, *high;               // m
    real *d, *slope, *move, *trial; // m    the result; D d + q; scratch
} ilqr_box;

static real ilqr_entry(const ilqr_box *b, size_t i, size_t j)
{
    const real entry = b->Q[i * b->stride + j];
    return i == j ? entry + b->damping * entry : entry;
}

// Row i of D times numbers.
static real ilqr_times(const ilqr_box *b, size_t i, const real *d)
{
    real sum = R(0.0);
    for (size_t j = 0; j < b->m; j++) { sum += ilqr_entry(b, i, j) * d[j]; }
    return sum;
}

static int ilqr_held(const ilqr_box *b, size_t i)
{
    return (b->d[i] <= b->low[i] && b->slope[i] > R(0.0)) || (b->d[i] >= b->high[i] && b->slope[i] < R(0.0));
}

// A direction without curvature is held: of a sum of squares it has no slope either.
static void ilqr_factor(const ilqr_box *b)
{
    const size_t m = b->m;
    for (size_t i = 0; i < m; i++) {
        real *own = &b->L[i * m];
        for (uint32_t j = 0; j < i; j++) {
            const real *row = &b->L[j * m], rest = -lu_sum(-ilqr_entry(b, i, j), own, row, j);
            own[j] = row[j] > R(0.0) ? rest / row[j] : R(0.0);
        }
        const real entry = ilqr_entry(b, i, i), pivot = -lu_sum(-entry, own, own, (uint32_t)i);
        if (!ilqr_held(b, i) && pivot > ILQR_SINGULAR * entry) {
            own[i] = real_sqrt(pivot);
        } else {
            reals_clear(own, (i + 1) * sizeof *own);
        }
    }
}

// x becomes the solution of L L' x = x; of numbers that are held 0.
static void ilqr_solve(const ilqr_box *b, real *x)
{
    const size_t m = b->m;
    for (uint32_t i = 0; i < m; i++) {
        const real *row = &b->L[i * m];
        x[i] = row[i] > R(0.0) ? -lu_sum(-x[i], row, x, i) / row[i] : R(0.0);
    }
    for (uint32_t i = b->m; i-- > 0;) {
        const real *row = &b->L[i * m];
        if (!(row[i] > R(0.0))) { continue; }
        x[i] /= row[i];
        lu_madd(x, -x[i], row, i);
    }
}

// Takes the longest of a few parts of the move, each projected onto the bounds, that descends. Returns 0 if none does.
static int ilqr_descend(const ilqr_box *b)
{
    real part = R(1.0);
    for (int half = 0; half < ILQR_HALVES; half++, part *= R(0.5)) {
        real change = R(0.0);
        for (size_t i = 0; i < b->m; i++) {
            b->trial[i] = real_clamp(b->d[i] + part * b->move[i], b->low[i], b->high[i]) - b->d[i];
        }
        for (size_t i = 0; i < b->m; i++) {
            change += b->trial[i] * (b->slope[i] + R(0.5) * ilqr_times(b, i, b->trial));
        }
        if (!(change < R(0.0))) { continue; }
        for (size_t i = 0; i < b->m; i++) { b->d[i] = real_clamp(b->d[i] + b->trial[i], b->low[i], b->high[i]); }
        return 1;
    }
    return 0;
}

// Projected Newton steps (Bertsekas 1982; Tassa, Mansard, Todorov 2014) from d = 0. L is that of the result.
static void ilqr_box_solve(const ilqr_box *b)
{
    reals_clear(b->d, b->m * sizeof *b->d);
    for (int round = 0;; round++) {
        for (size_t i = 0; i < b->m; i++) { b->slope[i] = b->q[i] + ilqr_times(b, i, b->d); }
        ilqr_factor(b);
        if (round == ILQR_ROUNDS) { return; }
        for (size_t i = 0; i < b->m; i++) { b->move[i] = -b->slope[i]; }
        ilqr_solve(b, b->move);
        if (!ilqr_descend(b)) { return; }
    }
}

#endif

#endif
