// SPDX-License-Identifier: MIT
// api_measured.h - the API: a state from what an estimator has, and back.
//   given   arguments of the caller
//   makes   tac_state_set_measured(), tac_state_get_measured()
//   bound   as tactus.h states
//   never   changes a state that it refuses
#ifndef PREDICT_API_MEASURED_H
#define PREDICT_API_MEASURED_H

#include "../robot/api_frame.h"

#if TAC_PREDICT

// A state has the pose of the principal frame of a body, the velocity of its centre of mass in the world's axes, and
// the angular velocity in those of the principal frame. The principal frame in the measured one is  X = frame^-1
// inertial:
//      pose' = pose X,    v' = R_pose (velocity + gyro x p_X),    w' = R_X' gyro
static void measured_apart(const tac_model *m, const tac_frame *f, tac_pose *apart)
{
    const tac_pose one = {V3_ZERO, QUAT_ONE};
    tac_pose from;
    pose_undo(&one, &f->pose, &from);
    pose_mul(&from, &m->body[f->body].inertial, apart);
}

// Checks the arguments that both functions have; `unit`: the frame with a unit quaternion.
static tac_status measured_frame(const tac_model *m, const tac_state *s, const tac_measured *x, tac_frame *unit)
{
    tac_fault fault = {0};
    if (m == NULL || s == NULL || x == NULL) { return TAC_E_ARG; }
    if (!check_counts(m, &fault) || !model_sealed(m) || s->model_hash != m->hash) { return TAC_E_MODEL; }
    const tac_status status = api_frame(&x->frame, unit);
    if (status) { return status; }
    const int found = unit->body < m->bodies && m->body[unit->body].kind == TAC_DYNAMIC;
    return found && reals_within(&unit->pose.p, sizeof unit->pose.p, TAC_MOST_LENGTH) ? TAC_OK : TAC_E_ARG;
}

tac_status tac_state_get_measured(const tac_model *model, const tac_state *state, tac_measured *measured)
{
    tac_frame f;
    tac_pose apart;
    const tac_status status = measured_frame(model, state, measured, &f);
    if (status) { return status; }
    measured_apart(model, &f, &apart);
    const tac_pose *pose = &state->pose[f.body];
    const tac_twist *twist = &state->twist[f.body];
    tac_pose found;
    pose_undo(pose, &apart, &found);
    quat_unit(&found.q);
    const vec3 gyro = quat_rotate(apart.q, twist->w);
    const vec3 velocity = v3_sub(quat_rotate_back(found.q, twist->v), v3_cross(gyro, apart.p));
    if (!reals_finite(&found, sizeof found) || !reals_finite(&velocity, sizeof velocity) ||
        !reals_finite(&gyro, sizeof gyro)) {
        return TAC_E_NAN;
    }
    reals_copy(&measured->pose, &found, sizeof found);
    measured->velocity = velocity;
    measured->gyro = gyro;
    return TAC_OK;
}

// What is to be set of the free root. Returns TAC_E_ARG if it is out of range.
static tac_status measured_root(const tac_model *m, const tac_measured *x, const tac_frame *f, tac_pose *root,
                                tac_twist *twist)
{
    const real norm2 = quat_norm2(x->pose.q);
    tac_pose pose = x->pose, apart;
    if (!reals_finite(&x->pose, sizeof *x - offsetof(tac_measured, pose)) || !(norm2 > R(0.25) && norm2 < R(4.0))) {
        return TAC_E_NAN;
    }
    measured_apart(m, f, &apart);
    quat_unit(&pose.q);
    pose_mul(&pose, &apart, root);
    quat_unit(&root->q);
    twist->v = quat_rotate(pose.q, v3_add(x->velocity, v3_cross(x->gyro, apart.p)));
    twist->w = quat_rotate_back(apart.q, x->gyro);
    const int within =
        reals_within(&root->p, sizeof root->p, TAC_MOST_POSITION) && reals_within(twist, sizeof *twist, TAC_MOST_SPEED);
    return within && check_resolved(&m->body[f->body], root->p) ? TAC_OK : TAC_E_ARG;
}

tac_status tac_state_set_measured(const tac_model *model, tac_state *state, const tac_measured *measured,
                                  const tac_joint_state *joint)
{
    tac_frame f;
    tac_topology trees;
    tac_pose pose;
    tac_twist twist;
    tac_status status = measured_frame(model, state, measured, &f);
    if (!status) { status = measured_root(model, measured, &f, &pose, &twist); }
    if (!status) { status = api_joints_given(model, joint); }
    if (status) { return status; }
    topology_find(model, 1, &trees);
    if (trees.body[f.body].joint != TAC_NONE) { return TAC_E_ARG; }
    const coordinates_given given = {NULL, NULL, NULL, joint, f.body, &pose, &twist};
    coordinates_set(model, &trees, &given, state);
    return TAC_OK;
}

#endif

#endif
