// SPDX-License-Identifier: MIT
// api_frame.h - the API: frames of a robot, fixed to its bodies: feet, tools, sensors.
//   given   a frame: a body, and a pose in that body's own frame
//   makes   its pose, its motion, its Jacobian
//   bound   as tactus.h states
//   never   changes model or state
#ifndef ROBOT_API_FRAME_H
#define ROBOT_API_FRAME_H

#include "api_dynamics.h"

// The frame with a unit quaternion; refused if it is not finite or too far from one.
static tac_status api_frame(const tac_frame *frame, tac_frame *unit)
{
    if (frame == NULL) { return TAC_E_ARG; }
    const real norm2 = quat_norm2(frame->pose.q);
    if (!reals_finite(&frame->pose, sizeof frame->pose) || !(norm2 > R(0.25) && norm2 < R(4.0))) { return TAC_E_NAN; }
    *unit = *frame;
    quat_unit(&unit->pose.q);
    return TAC_OK;
}

tac_status tac_frame_pose(const tac_model *model, const tac_state *state, const tac_frame *frame, tac_pose *pose)
{
    tac_frame f;
    const tac_status status = pose != NULL ? api_frame(frame, &f) : TAC_E_ARG;
    if (status) { return status; }
    if (!api_has_body(model, state, f.body) || !reals_within(&f.pose.p, sizeof f.pose.p, TAC_MOST_LENGTH)) {
        return TAC_E_ARG;
    }
    if (state->model_hash != model->hash) { return TAC_E_MODEL; }
    tac_pose found = tac_state_get_pose(model, state, f.body);
    pose_mul(&found, &f.pose, &found);
    quat_unit(&found.q);
    if (!reals_finite(&found, sizeof found)) { return TAC_E_NAN; }
    *pose = found;
    return TAC_OK;
}

tac_status tac_frame_motion(const tac_model *model, const tac_state *state, const tac_frame *frame, int32_t axes,
                            tac_work *work, tac_point_motion *motion)
{
    tac_frame f;
    const tac_status status = api_frame(frame, &f);
    return status ? status : api_motion(model, state, &f, axes, TAC_AXES_FRAME, work, motion);
}

tac_status tac_frame_jacobian(const tac_model *model, const tac_state *state, const tac_frame *frame, int32_t axes,
                              tac_work *work, tac_real *matrix)
{
    tac_frame f;
    const tac_status status = api_frame(frame, &f);
    return status ? status : api_jacobian(model, state, &f, axes, TAC_AXES_FRAME, work, matrix);
}

#endif
