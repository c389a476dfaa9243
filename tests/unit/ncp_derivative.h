// SPDX-License-Identifier: MIT
// ncp_derivative.h - the derivative of the implicit step's equations, against central differences.
//   given   a problem that has begun, a point q->x, the step of the differences
//   makes   the worst error of an entry, relative to the entry where that is above 1
//   bound   two evaluations for each unknown
//   never   leaves q->x another one
#ifndef NCP_DERIVATIVE_H
#define NCP_DERIVATIVE_H

#include "cbat07/ncp.h"
#include "truth.h"

static double ncp_derivative_error(const tac_model *m, const tac_state *s, tac_work *w, tac_ncp *q, double h)
{
    static tac_real from[TAC_MAX_NCP], matrix[TAC_MAX_NCP * TAC_MAX_NCP], ahead[TAC_MAX_NCP];
    const tac_real step = (tac_real)h;
    const uint32_t n = q->unknowns;
    double worst = 0;
    (void)ncp_evaluate(m, s, w, q);
    ncp_derive(m, w, q);
    ncp_derive_joints(m, w, q);
    truth_copy(matrix, q->matrix, sizeof matrix);
    truth_copy(from, q->x, sizeof from);
    for (uint32_t column = 0; column < n; column++) {
        q->x[column] = from[column] + step;
        (void)ncp_evaluate(m, s, w, q);
        truth_copy(ahead, q->phi, sizeof ahead);
        q->x[column] = from[column] - step;
        (void)ncp_evaluate(m, s, w, q);
        q->x[column] = from[column];
        for (uint32_t row = 0; row < n; row++) {
            const double slope = (double)(ahead[row] - q->phi[row]) / (2 * (double)step);
            d_worst(&worst, ((double)matrix[row * n + column] - slope) / d_max(1, d_abs(slope)));
        }
    }
    return worst;
}

#endif
