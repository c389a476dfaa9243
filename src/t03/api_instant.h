// SPDX-License-Identifier: MIT
// api_instant.h - the API: accelerations and forces at a state, T03's instantaneous model (TAC_MAX_LCP).
//   given   arguments of the caller
//   makes   tac_accelerations()
//   bound   as tactus.h states
//   never   changes the state
#ifndef T03_API_INSTANT_H
#define T03_API_INSTANT_H

#include "instant.h"
#include "api_lcp.h"

#if TAC_MAX_LCP > 0

// A problem that pivots do not solve may have a solution in which contacts jam or, if the ray is due to rounding, one
// that sweeps find. If none is found, lcp->end is that of the pivots.
static tac_status api_instant_solve(tac_lcp *q)
{
    const tac_status status = api_lcp_solve(q);
    const uint8_t end = q->end;
    if (status == TAC_OK || q->method == TAC_LCP_SWEEPS) { return status; }
    const real most = lcp_units_scale(q);
    if (lemke_jam(q, most)) { return TAC_OK; }
    lcp_sweep_solve(q, most);
    if (q->end == TAC_LCP_SOLVED) { return TAC_OK; }
    reals_clear(q->z, q->rows * sizeof *q->z);
    lcp_units_measure(q, most);
    q->end = end;
    return status;
}

// Are all results finite? If not there are none.
static int api_instant_finite(const tac_model *m, tac_instant *r)
{
    int finite = reals_finite(r->body, m->bodies * sizeof *r->body);
    for (uint16_t i = 0; i < r->contacts; i++) {
        finite &= reals_finite(&r->contact[i], offsetof(tac_instant_contact, mode));
    }
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
        finite &= reals_finite(&JOINT_INSTANT(r)[i], sizeof *JOINT_INSTANT(r));
    }
    if (!finite) { bytes_clear(r, sizeof *r); }
    return finite;
}

tac_status tac_accelerations(const tac_model *model, const tac_state *state, const tac_input *input, tac_work *work,
                             tac_lcp *lcp, tac_instant *result)
{
    tac_fault fault = {0};
    const int given = work != NULL && lcp != NULL && result != NULL;
    if (!given || lcp->method >= TAC_LCP_METHODS || !api_directions(lcp)) { return TAC_E_ARG; }
    tac_status refused = api_report(work, api_may_begin(model, state, input, &fault), &fault);
    if (!refused && (!check_rigid(model, &fault) || !check_still(model, &fault))) {
        refused = api_report(work, TAC_E_ARG, &fault);
    }
    if (refused) { return refused; }
    lcp_rows rows;
    uint16_t impacts;
    if (!instant_begin(model, state, input, work, lcp, &rows, &impacts)) {
        fault = work->report.fault;
        return api_report(work, TAC_E_FULL, &fault);
    }
    const tac_status status = api_cones(lcp, &rows, api_instant_solve(lcp));
    const int solved = api_lcp_finite(lcp);
    instant_end(model, work, &rows, lcp, result);
    result->impacts = impacts;
    if (!api_instant_finite(model, result) || !solved) {
        bytes_clear(result, sizeof *result);
        check_note(TAC_REASON_NOT_FINITE, TAC_FIELD_RESULT, 0, &fault);
        return api_report(work, TAC_E_NAN, &fault);
    }
    work->report.status = (work->report.dropped ? TAC_FULL : 0) | (impacts > 0 ? TAC_UNCONVERGED : status);
    return work->report.status;
}

#endif

#endif
