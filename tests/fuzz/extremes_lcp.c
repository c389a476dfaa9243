// SPDX-License-Identifier: MIT
// The same under the step of T03.
// config: -DTAC_MAX_JOINTS=8 -DTAC_MAX_FILL=48 -DTAC_MAX_LCP=120 -DTAC_ROLLING=1 -DTAC_HEIGHT_BITS=0 -DTAC_SOLVE=1
#include "tactus/tactus.h"

static tac_status lcp_step(const tac_model *model, tac_state *state, const tac_input *input, tac_work *work)
{
    static tac_lcp lcp;
    tac_lcp_init(&lcp);
    lcp.directions = 4;
    return tac_step_lcp(model, state, input, work, &lcp);
}

#define EXTREMES_STEP lcp_step
#define EXTREMES_WORLDS 1000
#include "extremes.c"
