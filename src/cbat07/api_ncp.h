// SPDX-License-Identifier: MIT
// api_ncp.h - the API: the geometrically implicit step of CBAT07 (TAC_MAX_NCP).
//   given   arguments of the caller; the layout of its headers
//   makes   tac_ncp_init(), tac_step_implicit()
//   bound   as tactus.h states
//   never   lets a refused step change the state
#ifndef CBAT07_API_NCP_H
#define CBAT07_API_NCP_H

#include "ncp.h"
#include "../api/state.h"
#include "../api/step.h"

#if TAC_MAX_NCP > 0

tac_status tac_ncp_init_for(const tac_layout *caller, tac_ncp *ncp)
{
    tac_fault fault;
    if (ncp == NULL) { return TAC_E_ARG; }
    const tac_status status = api_layout(caller, &fault);
    if (status) { return status; }
    ncp->tolerance = TAC_REAL_BITS == 32 ? R(1e-4) : R(1e-9);
    ncp->max_iterations = 40;
    ncp->iterations = ncp->evaluations = ncp->unknowns = ncp->contacts = 0;
    ncp->converged = 0;
    return TAC_OK;
}

// No step has been taken: nothing in the problem is of one.
static tac_status api_implicit_refuse(tac_ncp *q, tac_work *w, tac_status status)
{
    const tac_fault fault = w->report.fault;
    q->contacts = 0;
    q->converged = 0;
    reals_clear(&q->residual, sizeof q->residual);
    return api_report(w, status, &fault);
}

// Models with compliant contacts or moving surfaces are refused: their equations are not in (10). So are joints that
// may be switched, of which none breaks here, and those that only measure or forbid a velocity (TAC_COORDINATES).
static tac_status api_implicit_may_begin(const tac_model *m, const tac_state *s, const tac_input *input,
                                         tac_fault *fault)
{
    const tac_status status = api_may_begin(m, s, input, fault);
    if (status) { return status; }
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
        const tac_joint *j = &JOINT_OF(m)[i];
        const int holds = j->kind == TAC_COUPLING || !joint_is_loose(j->kind);
        check_note(holds ? TAC_REASON_NONE : TAC_REASON_METHOD, TAC_FIELD_JOINT_KIND, i, fault);
        check_note(SWITCH_MAY(j) ? TAC_REASON_METHOD : TAC_REASON_NONE, TAC_FIELD_JOINT_SWITCH, i, fault);
    }
    return check_rigid(m, fault) && check_still(m, fault) ? TAC_OK : TAC_E_ARG;
}

// The step of tac_step(), whose contacts are others: those of this method are as they are at the start.
static int api_implicit_step(const tac_model *m, tac_state *s, const tac_input *input, tac_work *w)
{
    const tac_fault none = {0};
    (void)api_report(w, TAC_OK, &none);
    begin(m, s, input, ARRIVALS_CCP, w);
    ncp_sweeps(w);
    ccp_rows(m, s, input, w);
    ccp_sweep(w, m->options.max_sweeps);
    return ccp_end(m, s, w);
}

tac_status tac_step_implicit(const tac_model *model, tac_state *state, const tac_input *input, tac_work *work,
                             tac_ncp *ncp)
{
    tac_fault fault = {0};
    if (work == NULL || ncp == NULL || !(ncp->tolerance > R(0.0)) || ncp->max_iterations < 1 ||
        ncp->max_iterations > 1000) {
        return TAC_E_ARG;
    }
    const tac_status refused = api_report(work, api_implicit_may_begin(model, state, input, &fault), &fault);
    if (refused) { return refused; }
    if (!ncp_begin(model, state, input, work, ncp)) { return api_implicit_refuse(ncp, work, TAC_E_FULL); }
    ncp_solve(model, state, work, ncp);
    if (!(ncp->converged ? ncp_end(model, state, work, ncp) : api_implicit_step(model, state, input, work))) {
        return api_implicit_refuse(ncp, work, TAC_E_NAN);
    }
    work->open = ncp->converged ? API_LEFT : API_TAKEN;
    api_apart(model, work);
    work->model_hash = model->hash;
    work->step = state->step - 1;
    work->report.status = (work->report.dropped ? TAC_FULL : 0) | (ncp->converged ? TAC_OK : TAC_UNCONVERGED);
    return work->report.status;
}

#endif

#endif
