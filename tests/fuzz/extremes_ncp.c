// SPDX-License-Identifier: MIT
// The same under the implicit step of CBAT07.
// config: -DTAC_MAX_JOINTS=8 -DTAC_MAX_FILL=48 -DTAC_MAX_NCP=200 -DTAC_ROLLING=1 -DTAC_HEIGHT_BITS=0 -DTAC_SOLVE=1
#include "tactus/tactus.h"

static tac_status ncp_step(const tac_model *model, tac_state *state, const tac_input *input, tac_work *work)
{
    static tac_ncp ncp;
    tac_ncp_init(&ncp);
    return tac_step_implicit(model, state, input, work, &ncp);
}

#define EXTREMES_STEP ncp_step
#define EXTREMES_WORLDS 1000
#include "extremes.c"
