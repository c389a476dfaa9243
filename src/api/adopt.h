// SPDX-License-Identifier: MIT
// adopt.h - the API: a state of one model becomes a state of another that differs in numbers only.
//   given   two models and a state of the first
//   makes   tac_state_adopt()
//   bound   as tactus.h states
//   never   changes the motion of a body, or a state that it refuses
#ifndef API_ADOPT_H
#define API_ADOPT_H

#include "../model/match.h"
#include "verify.h"
#include "state.h"

// The frame that a state follows is the principal frame, and the velocity is that of the centre of mass. Where the new
// model has others in a body, these are found in the body as it moves:
//      turn = R_a' R_b,   q+ = q turn,   w+ = turn' w,   c = R R_a' (c_b - c_a),   p+ = p + c,   v+ = v + (R w) x c
static void adopt_frame(const tac_pose *a, const tac_pose *b, tac_pose *pose, tac_twist *twist)
{
    const quat turn = quat_mul(quat_conj(a->q), b->q);
    const vec3 move = quat_rotate(pose->q, pose_point_back(a, b->p));
    twist->v = v3_add(twist->v, v3_cross(quat_rotate(pose->q, twist->w), move));
    twist->w = quat_rotate_back(turn, twist->w);
    pose->p = v3_add(pose->p, move);
    pose->q = quat_mul(pose->q, turn);
    quat_unit(&pose->q);
}

// Pose and velocity of a body in the new model. Returns 1 if they are other numbers than in the old one.
static int adopt_body(const tac_model *from, const tac_model *to, const tac_state *s, uint16_t i, tac_pose *pose,
                      tac_twist *twist)
{
    const tac_pose *a = &from->body[i].inertial, *b = &to->body[i].inertial;
    if (check_same(a, b, sizeof *a)) { return 0; }
    *pose = s->pose[i];
    *twist = s->twist[i];
    adopt_frame(a, b, pose, twist);
    return 1;
}

static void adopt_check(const tac_model *from, const tac_model *to, const tac_state *s, tac_fault *fault)
{
    tac_pose pose;
    tac_twist twist;
    for (uint16_t i = 1; i < to->bodies; i++) {
        if (!adopt_body(from, to, s, i, &pose, &twist)) { pose = s->pose[i], twist = s->twist[i]; }
        check_reals(&pose.p, sizeof pose.p, TAC_MOST_POSITION, TAC_FIELD_POSE, i, fault);
        check_note(check_that(check_resolved(&to->body[i], pose.p)), TAC_FIELD_POSE, i, fault);
        check_reals(&twist, sizeof twist, TAC_MOST_SPEED, TAC_FIELD_VELOCITY, i, fault);
    }
}

static void adopt_write(const tac_model *from, const tac_model *to, tac_state *s)
{
    tac_pose pose;
    tac_twist twist;
    api_place_ground(to, s);
    for (uint16_t i = 1; i < to->bodies; i++) {
        if (!adopt_body(from, to, s, i, &pose, &twist)) { continue; }
        s->pose[i] = pose;
        s->twist[i] = twist;
        reals_clear(&s->compensation[i], sizeof s->compensation[i]);
        joint_account_anew(to, s);
    }
    s->model_hash = to->hash;
}

tac_status tac_state_adopt(const tac_model *from, const tac_model *to, tac_state *state, tac_fault *fault)
{
    tac_fault unseen, *found = fault != NULL ? fault : &unseen;
    *found = (tac_fault){0};
    if (from == NULL || to == NULL || state == NULL) { return api_null(found, from != NULL && to != NULL); }
    if (!check_counts(to, found)) { return TAC_E_MODEL; }
    check_note(match_that(model_sealed(to), TAC_REASON_UNSEALED), TAC_FIELD_HASH, 0, found);
    if (found->reason) { return TAC_E_MODEL; }
    const tac_status status = verify_state(from, state, found);
    if (status) { return status; }
    match_models(from, to, found);
    if (found->reason) { return TAC_E_MODEL; }
    adopt_check(from, to, state, found);
    if (found->reason) { return check_status(found, TAC_E_ARG); }
    adopt_write(from, to, state);
    return TAC_OK;
}

#endif
