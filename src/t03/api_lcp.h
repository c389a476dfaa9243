// SPDX-License-Identifier: MIT
// api_lcp.h - the API: a linear complementarity problem by itself, the step of T03 (TAC_MAX_LCP).
//   given   arguments of the caller; the layout of its headers
//   makes   tac_lcp_*(), tac_step_lcp()
//   bound   as tactus.h states
//   never   lets a refused step change the state
#ifndef T03_API_LCP_H
#define T03_API_LCP_H

#include "cones.h"
#include "../api/state.h"
#include "../api/step.h"

#if TAC_MAX_LCP > 0

tac_status tac_lcp_init_for(const tac_layout *caller, tac_lcp *lcp)
{
    tac_fault fault;
    if (lcp == NULL) { return TAC_E_ARG; }
    const tac_status status = api_layout(caller, &fault);
    if (status) { return status; }
    lcp->budget = 0;
    lcp->rows = 0;
    lcp->method = TAC_LCP_LEMKE;
    lcp->directions = 8;
    return TAC_OK;
}

// The answer of the method in lcp->method.
static tac_status api_lcp_solve(tac_lcp *q)
{
    const real most = lcp_units_scale(q);
    if (q->method == TAC_LCP_LEMKE) {
        lemke_solve(q, most);
    } else {
        lcp_sweep_solve(q, most);
    }
    return q->end == TAC_LCP_SOLVED ? TAC_OK : TAC_UNCONVERGED;
}

// Is the answer finite? If not it is no answer: z and w are cleared.
static int api_lcp_finite(tac_lcp *q)
{
    const size_t size = q->rows * sizeof *q->z;
    if (reals_finite(q->z, size) && reals_finite(q->w, size) && real_finite(q->residual)) { return 1; }
    reals_clear(q->z, size);
    reals_clear(q->w, size);
    q->residual = R(0.0);
    q->end = TAC_LCP_LOST;
    return 0;
}

tac_status tac_lcp_solve(tac_lcp *lcp)
{
    if (lcp == NULL || lcp->rows > TAC_MAX_LCP || lcp->method >= TAC_LCP_METHODS) { return TAC_E_ARG; }
    for (uint32_t i = 0; i < lcp->rows; i++) {
        if (!reals_finite(lcp->F[i], lcp->rows * sizeof **lcp->F)) { return TAC_E_NAN; }
    }
    if (!reals_finite(lcp->f, lcp->rows * sizeof *lcp->f)) { return TAC_E_NAN; }
    const tac_status status = api_lcp_solve(lcp);
    return api_lcp_finite(lcp) ? status : TAC_E_NAN;
}

// A problem that pivots do not solve is swept, so that contacts have approximate impulses.
static tac_status api_step_solve_polygons(tac_lcp *q)
{
    const tac_status status = api_lcp_solve(q);
    if (status == TAC_OK || q->method == TAC_LCP_SWEEPS) { return status; }
    lcp_sweep_solve(q, lcp_units_scale(q));
    return q->end == TAC_LCP_SOLVED ? TAC_OK : status;
}

// The status of the polygons, or that of the round cones.
static tac_status api_cones(tac_lcp *q, const lcp_rows *n, tac_status polygons)
{
    if (q->directions != TAC_LCP_ROUND) { return polygons; }
    return cones_solve(q, n, lcp_units_scale(q)) ? TAC_OK : TAC_UNCONVERGED;
}

static int api_polygon(const tac_lcp *q)
{
    return q->directions >= 3 && q->directions <= TAC_LCP_DIRECTIONS;
}

static int api_directions(const tac_lcp *q)
{
    return api_polygon(q) || q->directions == TAC_LCP_ROUND;
}

tac_status tac_step_lcp(const tac_model *model, tac_state *state, const tac_input *input, tac_work *work, tac_lcp *lcp)
{
    tac_fault fault = {0};
    if (work == NULL || lcp == NULL || lcp->method >= TAC_LCP_METHODS || !api_directions(lcp)) { return TAC_E_ARG; }
    const tac_status refused = api_report(work, api_may_begin(model, state, input, &fault), &fault);
    if (refused) { return refused; }
    lcp_rows rows;
    if (!lcp_begin(model, state, input, work, lcp, &rows)) {
        fault = work->report.fault;
        return api_report(work, TAC_E_FULL, &fault);
    }
    const tac_status status = api_cones(lcp, &rows, api_step_solve_polygons(lcp));
    if (!api_lcp_finite(lcp) || !lcp_end(model, state, work, lcp, &rows)) {
        lcp->rows = 0;
        fault = work->report.fault;
        check_note(TAC_REASON_NOT_FINITE, TAC_FIELD_RESULT, 0, &fault);
        return api_report(work, TAC_E_NAN, &fault);
    }
    work->open = API_LEFT;
    api_apart(model, work);
    work->model_hash = model->hash;
    work->step = state->step - 1;
    work->report.status = (work->report.dropped ? TAC_FULL : 0) | status;
    return work->report.status;
}

#endif

#endif
