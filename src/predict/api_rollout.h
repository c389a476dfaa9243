// SPDX-License-Identifier: MIT
// api_rollout.h - the API: roll-outs, whole or in slices.
//   given   arguments of the caller
//   makes   tac_rollout(), tac_rollout_begin(), tac_rollout_advance()
//   bound   as tactus.h states
//   never   begins what it refuses
#ifndef PREDICT_API_ROLLOUT_H
#define PREDICT_API_ROLLOUT_H

#include "rollout.h"

#if TAC_PREDICT

// Everything that a roll-out is asked with.
static tac_status api_rollout_check(const tac_model *m, const tac_state *s, const tac_input *input,
                                    const tac_plan *plan, const tac_cost *cost, tac_fault *fault)
{
    if (m == NULL || s == NULL) { return api_null(fault, m != NULL); }
    const tac_status status = api_may_begin(m, s, input, fault);
    if (status) { return status; }
    if (plan != NULL) {
        const uint32_t before = input != NULL ? JOINT_MOTORS(input) : 0;
        knots_check(m, plan, fault);
        check_note(before + plan->channels <= TAC_MAX_JOINTS ? TAC_REASON_NONE : TAC_REASON_FULL, TAC_FIELD_COUNT,
                   TAC_COUNT_MOTORS, fault);
    }
    if (cost != NULL) { cost_check(m, cost, fault); }
    return check_status(fault, TAC_E_ARG);
}

static void api_fidelity_check(const tac_model *m, const tac_fidelity *f, tac_fault *fault)
{
    int shapes = f->shapes == 0 || f->shape != NULL;
    if (f->kept == NULL) { return; }
    for (uint32_t i = 0; i < f->shapes && shapes; i++) { shapes = f->shape[i] < m->shapes; }
    check_note(check_that(f->every > 0), TAC_FIELD_ROLLOUT, 2, fault);
    check_note(check_that(shapes), TAC_FIELD_ROLLOUT, 3, fault);
}

tac_status tac_rollout_begin(tac_prediction *prediction, const tac_state *state, tac_fault *fault)
{
    tac_fault unseen, *found = fault != NULL ? fault : &unseen;
    tac_prediction *p = prediction;
    *found = (tac_fault){0};
    if (p == NULL) { return TAC_E_ARG; }
    p->end = TAC_ROLLOUT_REFUSED;
    p->model_hash = 0;
    tac_status status = api_rollout_check(p->model, state, p->input, p->plan, p->cost, found);
    if (!status) {
        check_note(check_that(p->steps > 0), TAC_FIELD_ROLLOUT, 0, found);
        check_note(check_that(p->most >= R(0.0)), TAC_FIELD_ROLLOUT, 1, found);
        api_fidelity_check(p->model, &p->fidelity, found);
        status = check_status(found, TAC_E_ARG);
    }
    p->fault = *found;
    if (!status) { rollout_begin(p, state); }
    return status;
}

tac_status tac_rollout_advance(tac_prediction *prediction, tac_work *work, uint32_t steps)
{
    tac_prediction *p = prediction;
    if (p == NULL || work == NULL || p->model == NULL) { return TAC_E_ARG; }
    if (p->model_hash != p->model->hash || !model_sealed(p->model)) { return TAC_E_ORDER; }
    (void)rollout_advance(p, work, steps);
    if (p->end == TAC_ROLLOUT_REFUSED) { return p->status; }
    return p->end == TAC_ROLLOUT_OPEN ? TAC_UNCONVERGED : TAC_OK;
}

tac_status tac_rollout(tac_prediction *prediction, const tac_state *state, tac_work *work, tac_fault *fault)
{
    const tac_status status = tac_rollout_begin(prediction, state, fault);
    if (status) { return status; }
    const tac_status ended = tac_rollout_advance(prediction, work, UINT32_MAX);
    if (fault != NULL) { *fault = prediction->fault; }
    return ended;
}

#endif

#endif
