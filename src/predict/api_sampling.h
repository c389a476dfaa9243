// SPDX-License-Identifier: MIT
// api_sampling.h - the API: planning by sampling.
//   given   arguments of the caller
//   makes   tac_sampling_begin(), tac_sampling_advance(), tac_sampling_end()
//   bound   as tactus.h states
//   never   changes a plan before its end
#ifndef PREDICT_API_SAMPLING_H
#define PREDICT_API_SAMPLING_H

#include "api_rollout.h"
#include "sampling.h"

#if TAC_PREDICT

static void api_sampling_check(const tac_sampling *s, tac_fault *fault)
{
    const int elites = s->method != TAC_SAMPLING_ELITES || (s->elites > 0 && s->elites <= s->samples);
    const int warm =
        s->method != TAC_SAMPLING_WEIGHTS || (check_within(s->temperature, TAC_MOST_FORCE) && s->temperature > R(0.0));
    const uint32_t count = s->spread != NULL ? sampling_numbers(s) : 0;
    int spread = 1;
    for (uint32_t i = 0; i < count; i++) { spread &= check_within(s->spread[i], TAC_MOST_FORCE); }
    check_note(check_that(s->samples > 0), TAC_FIELD_SAMPLING, 1, fault);
    check_note(check_that(elites), TAC_FIELD_SAMPLING, 2, fault);
    check_note(check_that(s->method < TAC_SAMPLING_METHODS), TAC_FIELD_SAMPLING, 3, fault);
    check_note(check_that(check_within(s->scale, TAC_MOST_FORCE)), TAC_FIELD_SAMPLING, 4, fault);
    check_note(check_that(warm), TAC_FIELD_SAMPLING, 5, fault);
    check_note(check_that(spread), TAC_FIELD_SAMPLING, 6, fault);
    check_note(check_that(s->steps > 0), TAC_FIELD_ROLLOUT, 0, fault);
}

tac_status tac_sampling_begin(tac_sampling *sampling, const tac_state *state, tac_fault *fault)
{
    tac_fault unseen, *found = fault != NULL ? fault : &unseen;
    tac_sampling *s = sampling;
    *found = (tac_fault){0};
    if (s == NULL) { return TAC_E_ARG; }
    s->prediction.model_hash = 0;
    if (s->plan == NULL || s->cost == NULL || s->room == NULL) {
        check_note(TAC_REASON_NULL, TAC_FIELD_SAMPLING, 0, found);
        return TAC_E_ARG;
    }
    tac_status status = api_rollout_check(s->model, state, s->input, s->plan, s->cost, found);
    if (!status) {
        api_sampling_check(s, found);
        api_fidelity_check(s->model, &s->fidelity, found);
        status = check_status(found, TAC_E_ARG);
    }
    if (!status) { sampling_begin(s, state); }
    return status;
}

// Has it begun, and is the model that of the beginning?
static tac_status api_sampling(const tac_sampling *s)
{
    if (s == NULL || s->model == NULL) { return TAC_E_ARG; }
    return s->prediction.model_hash == s->model->hash && model_sealed(s->model) ? TAC_OK : TAC_E_ORDER;
}

tac_status tac_sampling_advance(tac_sampling *sampling, tac_work *work, uint32_t steps)
{
    const tac_status status = work != NULL ? api_sampling(sampling) : TAC_E_ARG;
    if (status) { return status; }
    sampling_advance(sampling, work, steps);
    return sampling->done ? TAC_OK : TAC_UNCONVERGED;
}

tac_status tac_sampling_end(tac_sampling *sampling)
{
    const tac_status status = api_sampling(sampling);
    if (!status) { sampling_end(sampling); }
    return status;
}

#endif

#endif
