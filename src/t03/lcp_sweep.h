// SPDX-License-Identifier: MIT
// lcp_sweep.h - projected Gauss-Seidel for a linear complementarity problem, row by row.
//   given   tac_lcp: F, f, z to start from
//   makes   z >= 0, w
//   bound   budget sweeps of rows^2 multiplications
//   never   divides by a diagonal that is not positive: such a row is the multiplier of a bound on others
#ifndef T03_LCP_SWEEP_H
#define T03_LCP_SWEEP_H

#include "lcp_units.h"

#if TAC_MAX_LCP > 0

#define LCP_SWEEP_BUDGET 1000 // most sweeps
#define LCP_SWEEP_TOLERANCE (TAC_REAL_BITS == 32 ? R(1e-6) : R(1e-10)) // residual that is small enough

// The diagonal of a row; of the row of a multiplier, whose own is 0, that of its Schur complement as if the rows that
// it couples were alone.
static real lcp_sweep_diagonal(const tac_lcp *q, uint32_t i)
{
    if (q->F[i][i] > R(0.0)) { return q->F[i][i]; }
    real sum = R(0.0);
    for (uint32_t j = 0; j < q->rows; j++) {
        if (q->F[j][j] > R(0.0)) { sum -= q->F[i][j] * q->F[j][i] / q->F[j][j]; }
    }
    return sum;
}

static void lcp_sweep_rows(tac_lcp *q)
{
    for (uint32_t i = 0; i < q->rows; i++) {
        real w = q->f[i];
        for (uint32_t j = 0; j < q->rows; j++) { w += q->F[i][j] * q->z[j]; }
        if (q->value[i] > R(0.0)) { q->z[i] = real_max(q->z[i] - w / q->value[i], R(0.0)); }
    }
}

static void lcp_sweep_solve(tac_lcp *q, real most)
{
    const uint32_t budget = q->budget > 0 ? q->budget : LCP_SWEEP_BUDGET;
    for (uint32_t i = 0; i < q->rows; i++) { q->value[i] = lcp_sweep_diagonal(q, i); }
    reals_clear(q->z, q->rows * sizeof *q->z);
    lcp_units_measure(q, most);
    for (q->steps = 0; q->steps < budget && q->residual > LCP_SWEEP_TOLERANCE; q->steps++) {
        lcp_sweep_rows(q);
        lcp_units_measure(q, most);
    }
    q->end = q->residual <= LCP_SWEEP_TOLERANCE ? TAC_LCP_SOLVED : TAC_LCP_SPENT; // sweeps that overflow solve nothing
}

#endif

#endif
