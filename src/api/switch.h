// SPDX-License-Identifier: MIT
// switch.h - the API: a joint of a state is taken out of force, or brought into it.
//   given   arguments of the caller
//   makes   tac_state_set_switch()
//   bound   constant
//   never   changes a pose or a velocity; brings a joint into force that its bodies would have to jump into
#ifndef API_SWITCH_H
#define API_SWITCH_H

#include "../tree/hold.h"
#include "state.h"

#if TAC_SWITCHES

// Frame b of a weld, in the own frame of its body, where frame a is.
static void api_capture(const tac_model *m, const tac_state *s, const tac_joint *j, tac_pose *frame)
{
    const tac_body *b = &m->body[j->body_b];
    tac_pose a, own;
    joint_local(&m->body[j->body_a], &j->frame_a, &own);
    pose_mul(&s->pose[j->body_a], &own, &a);
    pose_undo(&s->pose[j->body_b], &b->inertial, &own);
    frame->p = pose_point_back(&own, a.p);
    frame->q = quat_mul(quat_conj(own.q), a.q);
    quat_unit(&frame->q);
}

tac_status tac_state_set_switch(const tac_model *model, tac_state *state, uint32_t joint, int32_t how)
{
    const tac_status status = api_joint(model, state, joint);
    if (status) { return status; }
    const tac_joint *j = &JOINT_OF(model)[joint];
    tac_switch *x = &SWITCH_OF(state)[joint], last;
    const int captures = how == TAC_JOINT_CAPTURED;
    if (!SWITCH_MAY(j) || !(how == TAC_JOINT_ON || how == TAC_JOINT_OFF || (captures && j->kind == TAC_FIXED))) {
        return TAC_E_ARG;
    }
    bytes_copy(&last, x, sizeof last);
    reals_clear(&x->frame, sizeof x->frame);
    if (captures) { api_capture(model, state, j, &x->frame); }
    x->is = (uint32_t)how;
    const int good = !captures || check_pose(&x->frame, TAC_MOST_LENGTH) == TAC_REASON_NONE;
    if (!good || !hold(model, state, joint, R(0.0), 0)) {
        bytes_copy(x, &last, sizeof last);
        return TAC_E_ARG;
    }
    if (how == (int32_t)last.is && !captures) { return TAC_OK; }
    reals_clear(&JOINT_WARM(state)[joint], sizeof(tac_joint_warm));
    joint_account_anew(model, state);
    return TAC_OK;
}

#endif

#endif
