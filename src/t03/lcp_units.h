// SPDX-License-Identifier: MIT
// lcp_units.h - units of a linear complementarity problem in which its numbers are about 1, and its residual in them.
//   given   tac_lcp: F, f; z
//   makes   scale, w, residual
//   bound   rows^2 multiplications
//   never   knows a method
#ifndef T03_LCP_UNITS_H
#define T03_LCP_UNITS_H

#include "../base/bytes.h"

#if TAC_MAX_LCP > 0

// Rows and columns are scaled alike, so that the diagonal of F is 1 where it is positive: whatever the units of the
// rows are, a method takes the same path.

// The units of rows whose diagonal is not positive are such that their largest coupling to the others is 1.
static real lcp_units_coupling(const tac_lcp *q, uint32_t i)
{
    real most = R(0.0);
    for (uint32_t j = 0; j < q->rows; j++) {
        if (!(q->F[j][j] > R(0.0))) { continue; }
        most = real_max(most, real_max(real_abs(q->F[i][j]), real_abs(q->F[j][i])) / real_sqrt(q->F[j][j]));
    }
    return most;
}

// Units in which z is z/scale and w is w scale. Returns the largest -f, the residual of z = 0: rows of large f,
// such as limits that are far away, do not matter.
static real lcp_units_scale(tac_lcp *q)
{
    real most = R(0.0);
    for (uint32_t i = 0; i < q->rows; i++) {
        const real size = q->F[i][i] > R(0.0) ? real_sqrt(q->F[i][i]) : lcp_units_coupling(q, i);
        q->scale[i] = size > R(0.0) ? R(1.0) / size : R(1.0);
        most = real_max(most, -q->scale[i] * q->f[i]);
    }
    return most;
}

// w = F z + f, and the residual in these units.
static void lcp_units_measure(tac_lcp *q, real most)
{
    q->residual = R(0.0);
    for (uint32_t i = 0; i < q->rows; i++) {
        real sum = q->f[i];
        for (uint32_t j = 0; j < q->rows; j++) { sum += q->F[i][j] * q->z[j]; }
        q->w[i] = sum;
        const real z = q->z[i] / q->scale[i], w = sum * q->scale[i];
        q->residual = real_max(q->residual, real_abs(z < w ? z : w));
    }
    if (most > R(0.0)) { q->residual /= most; }
}

#endif

#endif
