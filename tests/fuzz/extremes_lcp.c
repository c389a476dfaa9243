// SPDX-License-Identifier: MIT
// The same under the step of T03, and for the instantaneous model.
// config: all
#include "tactus/tactus.h"

static tac_lcp lcp;
static tac_instant instant;

static int finite(tac_vec3 a)
{
    const tac_real sum = (a.x - a.x) + (a.y - a.y) + (a.z - a.z);
    return sum == 0;
}

// The instantaneous model at a state of any kind: refused by name, or numbers.
static int instant_answered(const tac_model *model, const tac_state *state, const tac_input *input, tac_work *work)
{
    int good = 1;
    if (tac_accelerations(model, state, input, work, &lcp, &instant) < 0) {
        return work->report.fault.field != TAC_FIELD_NONE && work->report.fault.reason != TAC_REASON_NONE;
    }
    for (uint16_t i = 0; i < model->bodies; i++) {
        good &= finite(instant.body[i].linear) && finite(instant.body[i].angular);
    }
    for (uint16_t i = 0; i < instant.contacts; i++) {
        const tac_instant_contact *c = &instant.contact[i];
        good &= finite(c->force) && finite(c->acceleration) && c->force.x >= 0 && c->mode <= TAC_CONTACT_STRIKES;
    }
    for (uint32_t i = 0; i < model->joints; i++) {
        good &= finite(instant.joint[i].reaction.force) && finite(instant.joint[i].reaction.torque);
    }
    return good;
}

static tac_status lcp_step(const tac_model *model, tac_state *state, const tac_input *input, tac_work *work)
{
    tac_lcp_init(&lcp);
    lcp.directions = 4;
    if (!instant_answered(model, state, input, work)) {
        work->report.fault.field = TAC_FIELD_NONE; // a refusal without a name is a failure
        return TAC_E_NAN;
    }
    return tac_step_lcp(model, state, input, work, &lcp);
}

#define EXTREMES_STEP lcp_step
#define EXTREMES_WORLDS 1000
#include "extremes.c"
