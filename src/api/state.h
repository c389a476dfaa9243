// SPDX-License-Identifier: MIT
// state.h - the API: states are initialised, read and written: bodies, joints, hash.
//   given   arguments of the caller; the layout of its headers
//   makes   state functions of tactus.h
//   bound   as tactus.h states
//   never   advances a state
#ifndef API_STATE_H
#define API_STATE_H

#include "../tree/coordinates.h"
#include "model.h"

// Sets a body of the state: pose of its own frame, velocity. Returns 0, without a change, if a value is out of range.
static int api_place(const tac_model *m, tac_state *s, uint16_t body, const tac_pose *pose, const tac_twist *twist)
{
    tac_pose q;
    pose_mul(pose, &m->body[body].inertial, &q);
    if (!reals_within(&q.p, sizeof q.p, TAC_MOST_POSITION) || !check_resolved(&m->body[body], q.p) ||
        !reals_within(twist, sizeof *twist, TAC_MOST_SPEED)) {
        return 0;
    }
    quat_unit(&q.q);
    s->pose[body] = q;
    s->twist[body] = *twist;
    reals_clear(&s->compensation[body], sizeof s->compensation[body]);
    return 1;
}

// The ground has no state of motion: it is where the model has it, at rest.
static void api_place_ground(const tac_model *m, tac_state *s)
{
    const tac_twist rest = {V3_ZERO, V3_ZERO};
    (void)api_place(m, s, 0, &m->body[0].pose, &rest); // a checked model: in range
}

REAL_ONCE tac_status tac_state_init_for(const tac_layout *caller, const tac_model *model, tac_state *state,
                                        tac_fault *fault)
{
    tac_fault unseen, *found = fault != NULL ? fault : &unseen;
    const tac_status status = tac_model_check_for(caller, model, found);
    if (status) { return status; }
    if (state == NULL) { return api_null(found, 1); }
    if (!api_is_sealed(model, found)) { return TAC_E_MODEL; }
    bytes_clear(state, sizeof *state);
    state->model_hash = model->hash;
    for (uint32_t i = 0; TAC_SWITCHES && i < JOINT_COUNT(model); i++) {
        SWITCH_OF(state)[i].is = SWITCH_BEGINS(&JOINT_OF(model)[i]);
    }
    api_place_ground(model, state);
    for (uint16_t i = 1; i < model->bodies; i++) {
        (void)api_place(model, state, i, &model->body[i].pose, &model->body[i].velocity); // as above
    }
    return TAC_OK;
}

// Does the body exist, and does the state belong to the model?
static int api_has_body(const tac_model *m, const tac_state *s, uint16_t body)
{
    return m != NULL && s != NULL && body < m->bodies && body <= TAC_MAX_BODIES;
}

tac_pose tac_state_get_pose(const tac_model *model, const tac_state *state, uint16_t body)
{
    const tac_pose none = {V3_ZERO, QUAT_ONE};
    if (!api_has_body(model, state, body)) { return none; }
    tac_pose pose;
    pose_undo(&state->pose[body], &model->body[body].inertial, &pose);
    return pose;
}

tac_status tac_state_set_body(const tac_model *model, tac_state *state, uint16_t body, tac_pose pose, tac_twist twist)
{
    if (!api_has_body(model, state, body) || body < 1) { return TAC_E_ARG; }
    if (state->model_hash != model->hash) { return TAC_E_MODEL; }
    const real norm2 = quat_norm2(pose.q);
    if (!reals_finite(&pose, sizeof pose) || !reals_finite(&twist, sizeof twist) ||
        !(norm2 > R(0.25) && norm2 < R(4.0))) {
        return TAC_E_NAN;
    }
    quat_unit(&pose.q);
    if (!api_place(model, state, body, &pose, &twist)) { return TAC_E_ARG; }
    joint_account_anew(model, state);
    return TAC_OK;
}

// Does the joint exist, and does the state belong to the model?
static tac_status api_joint(const tac_model *m, const tac_state *s, uint32_t joint)
{
    tac_fault fault = {0};
    if (m == NULL || s == NULL) { return TAC_E_ARG; }
    if (!check_counts(m, &fault) || !model_sealed(m) || s->model_hash != m->hash) { return TAC_E_MODEL; }
    return joint < JOINT_COUNT(m) ? TAC_OK : TAC_E_ARG;
}

tac_status tac_state_get_joint(const tac_model *model, const tac_state *state, uint32_t joint, tac_joint_state *result)
{
    const tac_status status = TAC_MAX_JOINTS > 0 && result != NULL ? api_joint(model, state, joint) : TAC_E_ARG;
    if (!status) { coordinates_of(model, state, joint, result); }
    return status;
}

// Positions and rates of all joints, in their range.
static tac_status api_joints_given(const tac_model *m, const tac_joint_state *joint)
{
    const size_t size = JOINT_COUNT(m) * sizeof *joint;
    if (joint == NULL) { return JOINT_COUNT(m) > 0 ? TAC_E_ARG : TAC_OK; }
    if (reals_within(joint, size, TAC_MOST_SPEED)) { return TAC_OK; }
    return reals_finite(joint, size) ? TAC_E_ARG : TAC_E_NAN;
}

tac_status tac_state_set_joints(const tac_model *model, tac_state *state, const tac_joint_state *joint)
{
    tac_status status = TAC_MAX_JOINTS > 0 && joint != NULL ? api_joint(model, state, 0) : TAC_E_ARG;
    if (!status) { status = api_joints_given(model, joint); }
    if (status) { return status; }
    const coordinates_given given = {NULL, NULL, NULL, joint, TAC_NONE, NULL, NULL};
    tac_topology trees;
    topology_find(model, 1, &trees);
    coordinates_set(model, &trees, &given, state);
    return TAC_OK;
}

uint64_t tac_state_hash(const tac_model *model, const tac_state *state)
{
    if (model == NULL || state == NULL) { return 0; }
    uint64_t hash = hash_number(hash_number(HASH_START, state->step), state->model_hash);
    for (uint16_t i = 1; api_has_body(model, state, i); i++) {
        hash = hash_reals(hash, &state->pose[i], sizeof state->pose[i]);
        hash = hash_reals(hash, &state->twist[i], sizeof state->twist[i]);
        hash = hash_reals(hash, &state->compensation[i], sizeof state->compensation[i]);
    }
    for (uint16_t i = 0; i < state->warm_count && i < TAC_MAX_CONTACTS; i++) {
        const tac_warm *g = &state->warm[i];
        hash = hash_number(hash, g->id.shape_a | (uint64_t)g->id.shape_b << 16 | (uint64_t)g->id.feature << 32);
        hash = hash_reals(hash, &g->impulse, sizeof g->impulse);
        const vec3 torque = ROLLING_TORQUE(g);
        if (v3_norm_inf(torque) != R(0.0)) { hash = hash_reals(hash, &torque, sizeof torque); }
    }
    if (state->warm_unsolved) { hash = hash_number(hash, state->warm_unsolved); }
    for (uint32_t i = 0; i < JOINT_COUNT(model); i++) {
        hash = hash_reals(hash, &JOINT_WARM(state)[i], sizeof(tac_joint_warm));
    }
    if (JOINT_COUNT(model) > 0 && JOINT_ACCOUNT(state)->peak != R(0.0)) {
        hash = hash_reals(hash, JOINT_ACCOUNT(state), sizeof(tac_account));
    }
    for (uint32_t i = 0; TAC_SWITCHES && i < JOINT_COUNT(model); i++) {
        const tac_switch *x = &SWITCH_OF(state)[i];
        if (x->is != TAC_JOINT_ALWAYS) { hash = hash_number(hash, i | (uint64_t)x->is << 32); }
        if (x->is == TAC_JOINT_CAPTURED) { hash = hash_reals(hash, &x->frame, sizeof x->frame); }
    }
    return hash;
}

#endif
