// SPDX-License-Identifier: MIT
// api_plan.h - the API: plans are evaluated, shifted, perturbed.
//   given   arguments of the caller
//   makes   tac_plan_evaluate(), tac_plan_shift(), tac_plan_perturb()
//   bound   as tactus.h states
//   never   changes what it refuses
#ifndef PREDICT_API_PLAN_H
#define PREDICT_API_PLAN_H

#include "knots.h"

#if TAC_PREDICT

// Is it a plan, without a model that says which joints there are? All its numbers are finite.
static tac_status api_plan(const tac_plan *p)
{
    if (p == NULL || !knots_good(p)) { return TAC_E_ARG; }
    for (uint32_t i = 0; i < p->channels; i++) {
        if (!knots_channel_good(&p->channel[i])) { return TAC_E_ARG; }
    }
    return reals_finite(p->value, (size_t)p->knots * p->channels * sizeof(real)) ? TAC_OK : TAC_E_NAN;
}

tac_status tac_plan_evaluate(const tac_plan *plan, tac_real time, uint32_t first, tac_input *input)
{
    const tac_status status = input != NULL ? api_plan(plan) : TAC_E_ARG;
    if (status) { return status; }
    if (!real_finite(time)) { return TAC_E_NAN; }
    if (first > TAC_MAX_JOINTS || first + plan->channels > TAC_MAX_JOINTS) { return TAC_E_FULL; }
    (void)knots_evaluate(plan, time, first, input);
    return TAC_OK;
}

tac_status tac_plan_shift(tac_plan *plan, tac_real by)
{
    const tac_status status = api_plan(plan);
    if (status) { return status; }
    if (!real_finite(by)) { return TAC_E_NAN; }
    if (by < R(0.0)) { return TAC_E_ARG; }
    knots_shift(plan, by);
    return TAC_OK;
}

tac_status tac_plan_perturb(const tac_plan *from, uint64_t seed, uint32_t candidate, tac_real scale, tac_plan *to)
{
    const tac_status status = to != NULL && to->value != NULL ? api_plan(from) : TAC_E_ARG;
    if (status) { return status; }
    if (!real_finite(scale)) { return TAC_E_NAN; }
    if (!check_within(scale, TAC_MOST_FORCE)) { return TAC_E_ARG; }
    tac_real *value = to->value;
    const uint32_t count = (uint32_t)from->knots * from->channels;
    for (uint32_t i = 0; i < count; i++) {
        const real spread = scale * from->channel[i % from->channels].sigma;
        value[i] = knots_noisy(from, i, spread, seed, candidate);
    }
    *to = *from;
    to->value = value;
    return TAC_OK;
}

#endif

#endif
