// SPDX-License-Identifier: MIT
#include "link/method.h"

#if TAC_MAX_LCP > 0

static int lcp_known(link_method method)
{
    return method.directions % 2 == 0 && method.directions >= 4 && method.directions <= TAC_LCP_DIRECTIONS;
}

static tac_status lcp_step(link_method method, tac_lcp *lcp, const tac_model *model, tac_state *state,
                           const tac_input *input, tac_work *work)
{
    tac_lcp_init(lcp);
    lcp->directions = method.directions;
    lcp->method = method.kind == LINK_METHOD_LCP ? TAC_LCP_LEMKE : TAC_LCP_SWEEPS;
    return tac_step_lcp(model, state, input, work, lcp);
}

#endif

int link_method_known(link_method method)
{
    switch (method.kind) {
    case LINK_METHOD_CCP:
        return 1;
#if TAC_MAX_LCP > 0
    case LINK_METHOD_LCP:
    case LINK_METHOD_LCP_SWEEPS:
        return lcp_known(method);
#endif
    default:
        return 0;
    }
}

tac_status link_method_step(link_method method, link_solvers *solvers, const tac_model *model, tac_state *state,
                            const tac_input *input, tac_work *work)
{
    solvers->kind = method.kind;
    switch (method.kind) {
    case LINK_METHOD_CCP:
        return tac_step(model, state, input, work);
#if TAC_MAX_LCP > 0
    case LINK_METHOD_LCP:
    case LINK_METHOD_LCP_SWEEPS:
        return lcp_step(method, &solvers->lcp, model, state, input, work);
#endif
    default:
        return TAC_E_ARG;
    }
}
