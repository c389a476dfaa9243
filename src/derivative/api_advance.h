// SPDX-License-Identifier: MIT
// api_advance.h - the API: steps of a linear complementarity system (TAC_MAX_LCP).
//   given   arguments of the caller
//   makes   tac_lcs_advance()
//   bound   as tactus.h states
//   never   leaves a number that is not finite in x or l
#ifndef DERIVATIVE_API_ADVANCE_H
#define DERIVATIVE_API_ADVANCE_H

#include "advance.h"

#if TAC_MAX_LCP > 0

// Are all arrays there that a system of these sizes has?
static int api_advance_given(const tac_lcs *y, const real *u, const real *x, const real *l)
{
    const int state = y->size.x == 0 || (y->A != NULL && y->d != NULL && x != NULL);
    const int inputs = y->size.u == 0 || (y->B != NULL && u != NULL);
    const int rows = y->size.l == 0 || (y->D != NULL && y->E != NULL && y->F != NULL && y->c != NULL && l != NULL);
    return state && inputs && rows && (y->H != NULL || y->size.u == 0 || y->size.l == 0);
}

tac_status tac_lcs_advance(const tac_lcs *system, uint32_t steps, const tac_real *u, tac_real *x, tac_real *l,
                           tac_lcp *lcp)
{
    advance a;
    if (system == NULL || lcp == NULL || !api_advance_given(system, u, x, l)) { return TAC_E_ARG; }
    const size_t wide = system->size.x, inputs = system->size.u, rows = system->size.l, one = sizeof(real);
    if (wide > TAC_MAX_LCP || rows > TAC_MAX_LCP) { return TAC_E_FULL; }
    if (!reals_finite(x, wide * one) || !reals_finite(system->F, rows * rows * one)) { return TAC_E_NAN; }
    real residual = R(0.0);
    uint8_t end = TAC_LCP_SOLVED;
    advance_open(&a, system, lcp, l);
    lcp->steps = 0;
    for (uint32_t k = 0; k < steps; k++) {
        if (!advance_step(&a, u != NULL ? &u[k * inputs] : NULL, x, l)) { return TAC_E_NAN; }
        residual = real_max(residual, lcp->residual);
        if (lcp->end != TAC_LCP_SOLVED) { end = lcp->end; }
    }
    lcp->residual = residual;
    lcp->end = end;
    return end == TAC_LCP_SOLVED ? TAC_OK : TAC_UNCONVERGED;
}

#endif

#endif
