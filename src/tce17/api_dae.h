// SPDX-License-Identifier: MIT
// api_dae.h - the API: the smooth integrators of TCE17 (TAC_DAE).
//   given   arguments of the caller; the layout of its headers
//   makes   tac_dae_init(), tac_step_dae()
//   bound   as tactus.h states
//   never   lets a refused step change the state
#ifndef TCE17_API_DAE_H
#define TCE17_API_DAE_H

#include "smooth.h"
#include "dae.h"
#include "../api/state.h"
#include "../api/step.h"

#if TAC_DAE

tac_status tac_dae_init_for(const tac_layout *caller, tac_dae *dae)
{
    tac_fault fault;
    if (dae == NULL) { return TAC_E_ARG; }
    const tac_status status = api_layout(caller, &fault);
    if (status) { return status; }
    bytes_clear(dae, sizeof *dae);
    dae->beta = R(0.25);
    dae->gamma = R(0.5);
    dae->alpha = R(-0.2);
    dae->rho_inf = R(0.8);
    dae->tolerance = TAC_AUTO;
    dae->max_iterations = 20;
    dae->method = TAC_DAE_HHT;
    dae->solver = TAC_DAE_SPARSE;
    return TAC_OK;
}

// Are method, parameters and tolerances in their ranges? No comparison with NaN is true.
static int api_dae_options(const tac_dae *d)
{
    const int parameters = d->beta > R(0.0) && d->beta <= R(1.0) && d->gamma >= R(0.0) && d->gamma <= R(1.0) &&
                           d->alpha >= R(-1.0) / R(3.0) && d->alpha <= R(0.0) && d->rho_inf >= R(0.0) &&
                           d->rho_inf <= R(1.0);
    const int tolerances = (d->tolerance == TAC_AUTO || (d->tolerance >= R(0.0) && d->tolerance <= R(1.0))) &&
                           d->max_iterations >= 1 && d->max_iterations <= 1000;
    return d->method < TAC_DAE_METHODS && d->solver < TAC_DAE_SOLVERS && parameters && tolerances;
}

// A step that has been refused after it was begun: the fault is in the report.
static tac_status api_dae_refuse(tac_work *w, tac_status status)
{
    const tac_fault fault = w->report.fault;
    return api_report(w, status, &fault);
}

tac_status tac_step_dae(const tac_model *model, tac_state *state, const tac_input *input, tac_work *work, tac_dae *dae)
{
    tac_fault fault = {0};
    if (work == NULL || dae == NULL || !api_dae_options(dae)) { return TAC_E_ARG; }
    tac_status status = api_may_begin(model, state, input, &fault);
    const int goes_on = !status && dae->kept == 1 + dae->method && dae->state_hash == tac_state_hash(model, state);
    if (!status && !goes_on) { status = smooth_model(model, state, &fault); }
    if (api_report(work, status, &fault)) { return status; }
    if (!dae_begin(model, state, input, work, dae)) { return api_dae_refuse(work, TAC_E_FULL); }
    const dae_rule rule = dae_rule_of(dae);
    if (!goes_on) {
        dae_accelerate(model, state, input, work, &rule, dae);
        dae->kept = (uint8_t)(1 + dae->method);
        dae->state_hash = tac_state_hash(model, state);
    }
    dae_newton(model, state, input, &rule, work, dae);
    if (!dae_within(model, input, work, dae) || !dae_end(model, state, &rule, work, dae)) {
        return api_dae_refuse(work, TAC_E_NAN);
    }
    dae->state_hash = tac_state_hash(model, state);
    work->open = API_LEFT;
    work->model_hash = model->hash;
    work->step = state->step - 1;
    work->report.status = work->progress.converged ? TAC_OK : TAC_UNCONVERGED;
    return work->report.status;
}

#endif

#endif
