// SPDX-License-Identifier: MIT
// api_c3.h - the API: consensus complementarity control (TAC_PREDICT, TAC_MAX_LCP).
//   given   arguments of the caller
//   makes   tac_c3_*()
//   bound   as tactus.h states
//   never   plans with numbers that are not finite
#ifndef PREDICT_API_C3_H
#define PREDICT_API_C3_H

#include "c3.h"

#if TAC_PREDICT && TAC_MAX_LCP > 0

void tac_c3_init(tac_c3 *c3)
{
    if (c3 == NULL) { return; }
    bytes_clear(c3, sizeof *c3);
    c3->growth = c3->scale = R(1.0);
    c3->iterations = 10;
}

// Is everything there, and are counts and factors in their ranges?
static int api_c3_asked(const tac_c3 *c)
{
    const tac_lcs *y = c->system;
    if (y == NULL || y->size.x == 0 || y->size.u == 0 || y->A == NULL || y->B == NULL || y->d == NULL) { return 0; }
    if (y->size.l > 0 &&
        (y->D == NULL || y->E == NULL || y->F == NULL || y->H == NULL || y->c == NULL || c->G == NULL)) {
        return 0;
    }
    return c->Q != NULL && c->R != NULL && c->memory != NULL && c->horizon > 0 && c->iterations < UINT16_MAX &&
           c->growth >= R(1.0);
}

// Is every number of the problem finite, and every weight of l and eta positive?
static int api_c3_finite(const tac_c3 *c, const real *state)
{
    const tac_lcs *y = c->system;
    const size_t x = y->size.x, u = y->size.u, l = y->size.l, one = sizeof(real);
    int finite = reals_finite(y->A, x * x * one) && reals_finite(y->B, x * u * one) && reals_finite(y->d, x * one) &&
                 reals_finite(c->Q, x * x * one) && reals_finite(c->R, u * u * one) && reals_finite(state, x * one) &&
                 (c->Q_N == NULL || reals_finite(c->Q_N, x * x * one)) && real_finite(c->growth) &&
                 (c->target == NULL || reals_finite(c->target, (c->horizon + 1u) * x * one));
    if (l > 0) {
        finite = finite && reals_finite(y->D, x * l * one) && reals_finite(y->E, l * x * one) &&
                 reals_finite(y->F, l * l * one) && reals_finite(y->H, l * u * one) && reals_finite(y->c, l * one);
    }
    for (size_t i = 0; i < 2 * l && finite; i++) {
        finite = real_finite(c->G[i]) && (c->U == NULL || real_finite(c->U[i]));
    }
    return finite;
}

static int api_c3_weighs(const tac_c3 *c)
{
    int positive = 1;
    for (size_t i = 0; i < 2u * c->system->size.l; i++) {
        positive &= c->G[i] > R(0.0) && (c->U == NULL || c->U[i] > R(0.0));
    }
    return positive;
}

static int api_c3_fits(const tac_c3 *c)
{
    const tac_linear_size *size = &c->system->size;
    return c->room >= TAC_C3_NUMBERS(size->x, size->u, size->l, c->horizon);
}

tac_status tac_c3_begin(tac_c3 *c3, const tac_real *x, uint32_t shift)
{
    if (c3 == NULL || x == NULL || !api_c3_asked(c3)) { return TAC_E_ARG; }
    if (!api_c3_fits(c3)) { return TAC_E_FULL; }
    if (!api_c3_finite(c3, x)) { return TAC_E_NAN; }
    if (!api_c3_weighs(c3)) { return TAC_E_ARG; }
    c3_begin(c3, x, c3->pass == C3_NONE ? UINT32_MAX : shift);
    return TAC_OK;
}

tac_status tac_c3_run(tac_c3 *c3, uint32_t steps)
{
    if (c3 == NULL || !api_c3_asked(c3)) { return TAC_E_ARG; }
    if (!api_c3_fits(c3)) { return TAC_E_FULL; }
    if (c3->pass == C3_NONE || c3->at >= c3->horizon) { return TAC_E_ORDER; }
    const tac_status status = c3_run(c3, steps);
    if (status < 0) { c3->pass = C3_NONE; }
    return status;
}

#endif

#endif
