// SPDX-License-Identifier: MIT
#include "link/method.h"

#if TAC_MAX_LCP > 0

static int is_lcp(link_method method)
{
    return method.kind == LINK_METHOD_LCP || method.kind == LINK_METHOD_LCP_SWEEPS;
}

static int lcp_known(link_method method)
{
    return method.directions == TAC_LCP_ROUND || (method.directions >= 3 && method.directions <= TAC_LCP_DIRECTIONS);
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

#if TAC_MAX_NCP > 0

static tac_status implicit_step(tac_ncp *ncp, const tac_model *model, tac_state *state, const tac_input *input,
                                tac_work *work)
{
    tac_ncp_init(ncp);
    return tac_step_implicit(model, state, input, work, ncp);
}

#endif

#if TAC_DAE

static int is_dae(link_method method)
{
    return method.kind >= LINK_METHOD_DAE && method.kind < LINK_METHOD_DAE + TAC_DAE_METHODS;
}

// No comparison with NaN is true.
static int dae_known(link_method method)
{
    const tac_real x = method.damping;

    switch (method.kind - LINK_METHOD_DAE) {
    case TAC_DAE_HHT:
        return x * 3 >= -1 && x <= 0;
    case TAC_DAE_GENERALISED_ALPHA:
    case TAC_DAE_NEWMARK:
        return x >= 0 && x <= 1;
    default:
        return 1;
    }
}

static void dae_damping(link_method method, tac_dae *dae)
{
    const tac_real sum = method.damping + (tac_real)0.5;

    if (dae->method == TAC_DAE_HHT) dae->alpha = method.damping;
    if (dae->method == TAC_DAE_GENERALISED_ALPHA) dae->rho_inf = method.damping;
    if (dae->method != TAC_DAE_NEWMARK) return;
    dae->gamma = method.damping;
    dae->beta = sum * sum / 4;
}

// The accelerations of the last step stay, as long as the method is the same.
static tac_status dae_step(link_method method, link_solvers *solvers, const tac_model *model, tac_state *state,
                           const tac_input *input, tac_work *work)
{
    tac_dae *dae = &solvers->dae;

    if (solvers->used.kind != method.kind || solvers->used.damping != method.damping) {
        tac_dae_init(dae);
        dae->method = (uint8_t)(method.kind - LINK_METHOD_DAE);
        dae_damping(method, dae);
        solvers->used = method;
    }
    return tac_step_dae(model, state, input, work, dae);
}

#endif

int link_method_known(link_method method)
{
    if (method.kind == LINK_METHOD_CCP) return 1;
#if TAC_MAX_LCP > 0
    if (is_lcp(method)) return lcp_known(method);
#endif
#if TAC_MAX_NCP > 0
    if (method.kind == LINK_METHOD_IMPLICIT) return 1;
#endif
#if TAC_DAE
    if (is_dae(method)) return dae_known(method);
#endif
    return 0;
}

tac_status link_method_step(link_method method, link_solvers *solvers, const tac_model *model, tac_state *state,
                            const tac_input *input, tac_work *work)
{
    (void)solvers;
    if (method.kind == LINK_METHOD_CCP) return tac_step(model, state, input, work);
#if TAC_MAX_LCP > 0
    if (is_lcp(method)) return lcp_step(method, &solvers->lcp, model, state, input, work);
#endif
#if TAC_MAX_NCP > 0
    if (method.kind == LINK_METHOD_IMPLICIT) return implicit_step(&solvers->ncp, model, state, input, work);
#endif
#if TAC_DAE
    if (is_dae(method)) return dae_step(method, solvers, model, state, input, work);
#endif
    return TAC_E_ARG;
}
