// SPDX-License-Identifier: MIT
// The same under the implicit step of CBAT07.
// config: all
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
