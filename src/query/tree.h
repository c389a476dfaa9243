// SPDX-License-Identifier: MIT
// tree.h - joint coordinates: reading them, and forward kinematics of poses and velocities from them.
//   given   joints, a state
//   makes   q and dq/dt of a joint; poses and twists of bodies from all coordinates
//   bound   constant per joint; joints^2 to set all (to find the first joint of each body)
//   never   moves a body that an earlier joint has placed: later joints close loops, and the next steps correct them
#ifndef QUERY_TREE_H
#define QUERY_TREE_H

#include "../rows/joints.h"

// Coordinate and rate of a joint that is not a coupling.
static void tree_own_coordinate(const tac_model *m, const tac_state *s, const tac_joint *j, tac_joint_state *result)
{
    const tac_pose *pose[2] = {&s->pose[j->body_a], &s->pose[j->body_b]};
    joint_place p;
    tac_pose local[2];
    joint_motion q;
    vec3 axis[2][3];
    result->position = result->velocity = R(0.0);
    if (!joint_has_own_coordinate(j->kind)) { return; }
    joint_locals(m, j, local);
    joint_find(j->kind, local, pose[0], pose[1], &p);
    for (int side = 0; side < 2; side++) { quat_axes(pose[side]->q, axis[side]); }
    const vec3 *const of[2] = {axis[0], axis[1]};
    const tac_twist *twist[2] = {&s->twist[j->body_a], &s->twist[j->body_b]};
    joint_move(&p, of, twist, &q);
    result->position = joint_coordinate(j, &p);
    result->velocity = joint_coordinate_rate(j, &p, &q);
}

static void tree_coordinate(const tac_model *m, const tac_state *s, uint32_t i, tac_joint_state *result)
{
    const tac_joint *j = &JOINT_OF(m)[i];
    if (j->kind != TAC_COUPLING) {
        tree_own_coordinate(m, s, j, result);
        return;
    }
    result->position = JOINT_REVOLUTION * JOINT_WARM(s)[i].of.revolutions;
    result->velocity = R(0.0);
    for (int part = 0; part < 2; part++) {
        tac_joint_state x;
        tree_own_coordinate(m, s, &JOINT_OF(m)[coupling_part(j, part)], &x);
        result->position += coupling_factor(j, part) * x.position;
        result->velocity += coupling_factor(j, part) * x.velocity;
    }
}

// Does a joint determine the pose of its body b? A distance joint leaves it free, a coupling has no bodies of its own.
static int tree_determines(const tac_joint *j)
{
    return j->kind != TAC_DISTANCE && j->kind != TAC_COUPLING;
}

// Does joint i set the pose of its body b? Not that of the ground, nor that of a body that an earlier joint has set.
static int tree_places(const tac_model *m, uint32_t i)
{
    const tac_joint *j = &JOINT_OF(m)[i];
    if (!tree_determines(j) || j->body_b == 0) { return 0; }
    for (uint32_t k = 0; k < i; k++) {
        if (JOINT_OF(m)[k].body_b == j->body_b && tree_determines(&JOINT_OF(m)[k])) { return 0; }
    }
    return 1;
}

// The pose of frame b relative to frame a at coordinate q.
static tac_pose tree_motion(const tac_joint *j, real q)
{
    tac_pose motion = {V3_ZERO, QUAT_ONE};
    if (joint_rotates(j->kind)) { motion.q = quat_exp(v3(R(0.0), R(0.0), q)); }
    if (j->kind == TAC_PRISMATIC) { motion.p.z = q; }
    if (j->kind == TAC_SCREW) { motion.p.z = q * j->length; }
    if (j->kind == TAC_REVOLUTE_SPHERICAL) { motion.p.x = j->length; }
    return motion;
}

// Sets pose and velocity of body b from those of body a and the joint's coordinate x.
static void tree_place(const tac_model *m, tac_state *s, const tac_joint *j, const tac_joint_state *x)
{
    const tac_pose *a = &s->pose[j->body_a], motion = tree_motion(j, x->position);
    const vec3 spin = quat_rotate(a->q, s->twist[j->body_a].w);
    tac_pose *b = &s->pose[j->body_b];
    tac_pose frame, moved, local[2];

    joint_locals(m, j, local);
    pose_mul(a, &local[0], &frame);
    pose_mul(&frame, &motion, &moved);
    pose_undo(&moved, &local[1], b);
    quat_unit(&b->q);

    const vec3 axis = quat_rotate(frame.q, V3_AXIS[2]);
    const real slide = j->kind == TAC_PRISMATIC ? R(1.0) : (j->kind == TAC_SCREW ? j->length : R(0.0));
    const vec3 w = v3_madd(spin, joint_rotates(j->kind) ? x->velocity : R(0.0), axis);
    const vec3 at = v3_add(s->twist[j->body_a].v, v3_cross(spin, v3_sub(moved.p, a->p)));
    s->twist[j->body_b].v = v3_madd(v3_add(at, v3_cross(w, v3_sub(b->p, moved.p))), slide * x->velocity, axis);
    s->twist[j->body_b].w = quat_rotate_back(b->q, w);
    reals_clear(&s->compensation[j->body_b], sizeof s->compensation[j->body_b]);
    joint_account_anew(m, s);
}

// Revolutions of a coupling: the part of its joints' positions that the angles of the poses cannot represent.
static real tree_revolutions(const tac_model *m, const tac_state *s, const tac_joint *j, const tac_joint_state *x)
{
    real revolutions = R(0.0);
    for (int part = 0; part < 2; part++) {
        const uint16_t index = coupling_part(j, part);
        const tac_joint *of = &JOINT_OF(m)[index];
        tac_joint_state own;
        tree_own_coordinate(m, s, of, &own);
        if (joint_wraps(of)) {
            revolutions += coupling_factor(j, part) * joint_revolutions_to(own.position, x[index].position);
        }
    }
    return revolutions;
}

// Has the state these coordinates already, with all joints holding? Kinds without a coordinate would be set to 0.
static int tree_has(const tac_model *m, const tac_state *s, const tac_joint_state *x)
{
    int same = hold_all(m, s, NULL) == JOINT_COUNT(m);
    for (uint32_t i = 0; same && i < JOINT_COUNT(m); i++) {
        const tac_joint *j = &JOINT_OF(m)[i];
        tac_joint_state own;
        if (!tree_places(m, i) || j->kind == TAC_FIXED) { continue; }
        tree_own_coordinate(m, s, j, &own);
        same = joint_has_own_coordinate(j->kind) && own.position == x[i].position && own.velocity == x[i].velocity;
    }
    return same;
}

static void tree_set(const tac_model *m, tac_state *s, const tac_joint_state *x)
{
    const int has = tree_has(m, s, x);
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
        const tac_joint *j = &JOINT_OF(m)[i];
        if (!has && tree_places(m, i)) { tree_place(m, s, j, &x[i]); }
        if (j->kind == TAC_COUPLING) { JOINT_WARM(s)[i].of.revolutions = tree_revolutions(m, s, j, x); }
    }
}

#endif
