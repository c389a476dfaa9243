// SPDX-License-Identifier: MIT
// api_ilqr.h - the API: iterative LQR (TAC_PREDICT, TAC_MAX_LCP).
//   given   arguments of the caller
//   makes   tac_ilqr_begin(), tac_ilqr_run()
//   bound   as tactus.h states
//   never   makes a plan dearer
#ifndef PREDICT_API_ILQR_H
#define PREDICT_API_ILQR_H

#include "api_rollout.h"
#include "ilqr.h"

#if TAC_PREDICT && TAC_MAX_LCP > 0

// What a plan must be beyond one of a roll-out: efforts, held.
static void api_ilqr_check(const tac_ilqr *c, tac_fault *fault)
{
    check_note(check_that(c->iterations > 0), TAC_FIELD_ILQR, 1, fault);
    check_note(check_that(c->steps > 0), TAC_FIELD_ROLLOUT, 0, fault);
    check_note(check_that(c->plan->form == TAC_TABLE_HOLD && c->plan->channels > 0), TAC_FIELD_ILQR, 2, fault);
    check_note(check_that(c->smoothing >= R(0.0) && c->smoothing <= TAC_MOST_SPEED), TAC_FIELD_ILQR, 4, fault);
    for (uint32_t i = 0; i < c->plan->channels; i++) {
        check_note(check_that(c->plan->channel[i].kind == TAC_MOTOR_EFFORT), TAC_FIELD_CHANNEL, i, fault);
    }
}

// Sizes of the derivative. Is there memory for them?
static tac_status api_ilqr_room(tac_ilqr *c, tac_work *w, tac_fault *fault)
{
    const tac_linear_size any = {UINT16_MAX, UINT16_MAX, 0};
    const tac_status status = api_linear_room(c->model, 0, &any, w, &c->size, fault);
    uint32_t residuals = 0;
    if (status) { return status; }
    for (uint32_t i = 0; i < c->cost->terms; i++) { residuals += ilqr_width(&c->cost->term[i]); }
    c->size.l = (uint16_t)residuals;
    const size_t asked = TAC_ILQR_NUMBERS(c->size.x, c->size.u, c->plan->channels, c->plan->knots, residuals);
    const int fits = residuals <= UINT16_MAX && c->room >= asked;
    check_note(fits ? TAC_REASON_NONE : TAC_REASON_FULL, TAC_FIELD_ILQR, 3, fault);
    return fits ? TAC_OK : TAC_E_FULL;
}

static tac_status api_ilqr_may(tac_ilqr *c, const tac_state *state, tac_work *w, tac_fault *fault)
{
    if (c->cost == NULL || c->plan == NULL || c->trajectory == NULL || c->lcp == NULL || c->memory == NULL) {
        check_note(TAC_REASON_NULL, TAC_FIELD_ILQR, 0, fault);
        return TAC_E_ARG;
    }
    tac_status status = api_rollout_check(c->model, state, c->input, c->plan, c->cost, fault);
    if (status) { return status; }
    api_ilqr_check(c, fault);
    status = check_status(fault, TAC_E_ARG);
    return status ? status : api_ilqr_room(c, w, fault);
}

tac_status tac_ilqr_begin(tac_ilqr *ilqr, const tac_state *state, tac_work *work, tac_fault *fault)
{
    tac_fault unseen, *found = fault != NULL ? fault : &unseen;
    *found = (tac_fault){0};
    if (ilqr == NULL || work == NULL) { return TAC_E_ARG; }
    ilqr->pass = ILQR_NONE;
    work->open = 0;
    const tac_status status = api_ilqr_may(ilqr, state, work, found);
    ilqr->fault = *found;
    if (!status) { ilqr_begin(ilqr, state); }
    return status;
}

tac_status tac_ilqr_run(tac_ilqr *ilqr, tac_work *work, uint32_t steps)
{
    tac_ilqr *c = ilqr;
    if (c == NULL || work == NULL || c->model == NULL) { return TAC_E_ARG; }
    if (c->pass == ILQR_NONE || c->prediction.model_hash != c->model->hash || !model_sealed(c->model)) {
        return TAC_E_ORDER;
    }
    const tac_status status = ilqr_run(c, work, steps);
    if (status < 0) {
        c->pass = ILQR_NONE;
        c->status = status;
    }
    return status;
}

#endif

#endif
