// SPDX-License-Identifier: MIT
// api_qualify.h - the API: constraint qualifications of a state (TAC_MAX_LCP).
//   given   arguments of the caller
//   makes   tac_qualify()
//   bound   as tactus.h states
//   never   changes the state
#ifndef TCE17_API_QUALIFY_H
#define TCE17_API_QUALIFY_H

#include "../t03/api_lcp.h"
#include "qualify.h"

#if TAC_MAX_LCP > 0

tac_status tac_qualify(const tac_model *model, const tac_state *state, tac_real within, tac_work *work, tac_lcp *lcp,
                       tac_qualification *result)
{
    tac_fault fault = {0};
    if (work == NULL || lcp == NULL || result == NULL || !api_polygon(lcp) ||
        !check_within(within, TAC_MOST_LENGTH)) {
        return TAC_E_ARG;
    }
    const tac_status refused = api_report(work, api_may_begin(model, state, NULL, &fault), &fault);
    if (refused) { return refused; }
    tac_qualification found;
    const int all = qualify_rows(model, state, within, work);
    if (!qualify(state, all, work, lcp, &found)) {
        fault = work->report.fault;
        return api_report(work, TAC_E_FULL, &fault);
    }
    if (!real_finite(found.clearance)) {
        check_note(TAC_REASON_NOT_FINITE, TAC_FIELD_RESULT, 0, &fault);
        return api_report(work, TAC_E_NAN, &fault);
    }
    bytes_copy(result, &found, sizeof found);
    return TAC_OK;
}

#endif

#endif
