// SPDX-License-Identifier: MIT
// step.h - the API: a step, whole or in slices; the report of a refused one.
//   given   arguments of the caller
//   makes   tac_step() and its slices; the tag that says what a work area holds
//   bound   as tactus.h states
//   never   lets a refused step change the state
#ifndef API_STEP_H
#define API_STEP_H

#include "../step/ccp.h"
#include "verify.h"
#include "model.h"

#define API_OPEN UINT32_C(0x54414354)     // a step between begin and end
#define API_TAKEN (API_OPEN + 1)          // a step that has been taken: its changes of velocity, and its blocks
#define API_LEFT (API_OPEN + 2)           // the same without its blocks: the scratch has been used otherwise
#define API_MECHANISM (API_OPEN + 3)      // no step; a mechanism in the scratch
#define API_MECHANISM_LEFT (API_OPEN + 4) // a mechanism in the scratch, and a step that has been taken

// An empty report with a status and a fault: that of a refused step, and the initial one of a step.
static tac_status api_report(tac_work *w, tac_status status, const tac_fault *fault)
{
    w->open = 0;
    bytes_clear(&w->report, sizeof w->report);
    w->report.status = status;
    w->report.fault = *fault;
    return status;
}

// A call out of order: the fault says so, all else that the work area has stays.
static tac_status api_order(tac_work *w)
{
    w->report.fault = (tac_fault){TAC_FIELD_CALL, 0, TAC_REASON_ORDER};
    return TAC_E_ORDER;
}

static tac_status api_may_begin(const tac_model *m, const tac_state *s, const tac_input *input, tac_fault *fault)
{
    if (m == NULL || s == NULL) { return api_null(fault, m != NULL); }
    const tac_status status = verify_state(m, s, fault);
    return status ? status : verify_input(m, input, fault);
}

// Begins a step whose arguments are good.
static void api_begin(const tac_model *m, const tac_state *s, const tac_input *input, tac_work *w)
{
    ccp_begin(m, s, input, ARRIVALS_CCP, w);
    w->open = API_OPEN;
    w->model_hash = m->hash;
    w->step = s->step;
}

tac_status tac_step_begin(const tac_model *model, const tac_state *state, const tac_input *input, tac_work *work)
{
    tac_fault fault = {0};
    if (work == NULL) { return TAC_E_ARG; }
    const tac_status status = api_report(work, api_may_begin(model, state, input, &fault), &fault);
    if (status) { return status; }

    api_begin(model, state, input, work);
    return TAC_OK;
}

// Has a step been taken, whose changes of velocity are still there?
static int api_has_step(const tac_work *w)
{
    return w->open == API_TAKEN || w->open == API_LEFT || w->open == API_MECHANISM_LEFT;
}

static int api_is_open(const tac_model *m, const tac_work *w)
{
    return w->open == API_OPEN && w->model_hash == m->hash;
}

tac_status tac_step_sweep(const tac_model *model, tac_work *work, uint32_t sweeps)
{
    if (model == NULL || work == NULL) { return TAC_E_ARG; }
    if (!api_is_open(model, work)) { return api_order(work); }
    ccp_sweep(work, sweeps);
    return work->progress.converged ? TAC_OK : TAC_UNCONVERGED;
}

// Names the first joint that did not hold at the start of the step.
static void api_apart(const tac_model *m, tac_work *w)
{
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
        const tac_joint_block *k = &JOINT_LINK(w)[i];
        const tac_tree_body *a = &JOINT_TREE(w)[k->body[0]], *b = &JOINT_TREE(w)[k->body[1]];
        const int apart = k->violated && k->error > HOLD_SLACK * joint_rounding_at(a, b, k);
        check_note(apart ? TAC_REASON_APART : TAC_REASON_NONE, TAC_FIELD_JOINT, i, &w->report.fault);
    }
}

// Ends a step that has begun.
static tac_status api_end(const tac_model *m, tac_state *s, tac_work *w)
{
    w->open = 0;
    if (!ccp_end(m, s, w)) {
        const tac_fault fault = w->report.fault;
        return api_report(w, TAC_E_NAN, &fault);
    }
    w->open = API_TAKEN;
    api_apart(m, w);
    w->report.status = (w->report.dropped ? TAC_FULL : 0) | (w->progress.converged ? 0 : TAC_UNCONVERGED) |
                       (plan_relaxed(w) ? TAC_RELAXED : 0) | (plan_swept(w) ? TAC_SWEPT : 0);
    return w->report.status;
}

tac_status tac_step_end(const tac_model *model, tac_state *state, tac_work *work)
{
    if (model == NULL || state == NULL || work == NULL) { return TAC_E_ARG; }
    if (!api_is_open(model, work) || state->model_hash != model->hash || state->step != work->step) {
        return api_order(work);
    }
    work->report.fault = (tac_fault){0}; // of calls out of order since begin
    return api_end(model, state, work);
}

tac_status tac_step(const tac_model *model, tac_state *state, const tac_input *input, tac_work *work)
{
    const tac_status status = tac_step_begin(model, state, input, work);
    if (status) { return status; }
    (void)tac_step_sweep(model, work, model->options.max_sweeps);
    return tac_step_end(model, state, work);
}

#endif
