// SPDX-License-Identifier: MIT
// coordinates.h - positions q and velocities dq of the mechanism as vectors: read from a state, written to one.
//   given   a model, the mechanism; a state, the changes of velocity of the last step; or q and dq
//   makes   q, dq and the change of dq in that step; or poses and twists of all bodies of trees
//   bound   constant a body
//   never   moves a body that is not dynamic; closes no loop
#ifndef TREE_COORDINATES_H
#define TREE_COORDINATES_H

#include "../motion/free.h"
#include "hold.h"
#include "mechanism.h"

// ------------------------------------------------------------------------------------------------------------- reading

// The coordinates of a joint, in the order of its free motions.
static void coordinates_joint(const tac_joint *j, const joint_place *p, real *q)
{
    vec3 b[3];
    if (joint_has_own_coordinate(j->kind)) {
        q[0] = joint_coordinate(j, p);
        return;
    }
    if (JOINT_KIND[j->kind].slide == SLIDE_Z) { *q++ = v3_dot(p->axis[2], p->d); }
    if (JOINT_KIND[j->kind].slide == SLIDE_PLANE) {
        *q++ = v3_dot(p->axis[0], p->d);
        *q++ = v3_dot(p->axis[1], p->d);
    }
    switch (JOINT_KIND[j->kind].turn) {
    case TURN_NONE:
        break;
    case TURN_ALL:
        q[0] = p->rotation.w, q[1] = p->rotation.x, q[2] = p->rotation.y, q[3] = p->rotation.z;
        break;
    case TURN_CROSS:
        quat_axes(p->frame[1], b);
        q[0] = real_atan2(v3_dot(b[1], p->axis[2]), v3_dot(b[1], p->axis[1]));
        q[1] = real_atan2(v3_dot(b[2], p->axis[0]), v3_dot(b[0], p->axis[0]));
        break;
    default:
        q[0] = joint_angle(j, p);
    }
}

// Those of one body.
static void coordinates_position(const tac_model *m, const tac_state *s, const tac_mechanism *t, uint16_t self, real *x)
{
    const tac_mechanism_body *b = &t->body[self];
    const tac_pose *pose = &s->pose[self];
    if (mechanism_free(b)) {
        v3_put(x, pose->p);
        x[3] = pose->q.w, x[4] = pose->q.x, x[5] = pose->q.y, x[6] = pose->q.z;
        return;
    }
    const tac_joint *j = &JOINT_OF(m)[b->joint];
    joint_place p;
    joint_find(j->kind, t->joint[b->joint].frame, &s->pose[j->body_a], &s->pose[j->body_b], &p);
    coordinates_joint(j, &p, x);
}

// Where they are in q.
static uint32_t coordinates_at(const tac_mechanism *t, uint16_t self)
{
    const tac_mechanism_body *b = &t->body[self];
    return mechanism_free(b) ? b->first / 6 * 7u : t->place[b->joint];
}

static void coordinates_positions(const tac_model *m, const tac_state *s, const tac_mechanism *t, real *q)
{
    for (uint32_t at = 0; at < t->bodies; at++) {
        const uint16_t self = t->order[at];
        coordinates_position(m, s, t, self, q + coordinates_at(t, self));
    }
}

// Those of one body, once the mechanism is placed. Those of a free root are the numbers of its twist.
static void coordinates_rates(const tac_twist *twist, tac_mechanism *t, uint16_t self, real *rate)
{
    const tac_mechanism_body *b = &t->body[self];
    if (mechanism_free(b)) {
        v3_put(rate, twist[self].v);
        v3_put(rate + 3, twist[self].w);
        return;
    }
    if (!mechanism_hangs(t, self)) { mechanism_base(twist, t, b->parent, self); }
    mechanism_rates(b, t->body[b->parent].velocity, rate);
}

static void coordinates_velocities(const tac_model *m, const tac_state *s, tac_mechanism *t, real *dq)
{
    mechanism_place(m, s->pose, t);
    mechanism_velocities(s->twist, t);
    for (uint32_t at = 0; at < t->bodies; at++) {
        coordinates_rates(s->twist, t, t->order[at], dq + t->body[t->order[at]].first);
    }
}

// --------------------------------------------------------------------------------------------------- change in a step

// Velocity of a body and its centre in the world, and its axes.
static void coordinates_spin(quat q, const tac_twist *twist, vec3 axis[3], real *velocity)
{
    quat_axes(q, axis);
    six_set(velocity, v3_combine(axis, twist->w), twist->v);
}

// A body at the end of a step, and at its start by the inverse of free_commit(), to rounding: axes, then what is kept
// for those that it carries: `velocity` and pose at the end, `acceleration` and JOINT_END at the start.
static void coordinates_ends(const tac_model *m, const tac_state *s, uint16_t i, vec3 axis[2][3], tac_work *w)
{
    tac_mechanism_body *b = &w->scratch.mechanism.body[i];
    const tac_twist *end = &s->twist[i], *change = &w->delta_v[i], *shift = &w->pseudo_velocity[i];
    const tac_twist began = {v3_sub(end->v, change->v), v3_sub(end->w, change->w)};
    tac_pose *start = &JOINT_END(w)[i];
    start->p = v3_madd(s->pose[i].p, -m->h, v3_add(end->v, shift->v));
    start->q = quat_mul(s->pose[i].q, quat_exp(v3_scale(-m->h, v3_add(end->w, shift->w))));
    coordinates_spin(start->q, &began, axis[0], b->acceleration);
    coordinates_spin(s->pose[i].q, end, axis[1], b->velocity);
}

// Rates of a joint by the poses of its bodies, axes of one, and velocities of both: of one rotation along its axis; of
// others about the centre that their tree begins with, as mechanism_rates() reads them.
static void coordinates_between(const tac_mechanism *t, uint16_t self, const tac_pose *pose, const vec3 axis[3],
                                const real *child, const real *parent, real *rate)
{
    const tac_mechanism_body *b = &t->body[self];
    const vec3 turn = six_angular(parent), spin = v3_sub(six_angular(child), turn);
    if (b->axes == 1 && b->turns) {
        rate[0] = v3_dot(v3_combine(axis, b->unit[0]), spin);
        return;
    }
    const vec3 apart = v3_sub(pose[self].p, pose[b->parent].p), arm = v3_sub(pose[self].p, pose[b->tree].p);
    const vec3 slide = v3_sub(v3_sub(six_linear(child), six_linear(parent)), v3_cross(turn, apart));
    vec3 above[3];
    real s[TAC_FREE_MOTIONS][6], speed[6];
    quat_axes(pose[b->parent].q, above);
    mechanism_motions(&t->joint[b->joint], b, axis, above, apart, s);
    for (int i = 0; i < b->axes; i++) {
        const vec3 along = six_angular(s[i]);
        six_set(s[i], along, v3_add(six_linear(s[i]), v3_cross(arm, along)));
    }
    six_set(speed, spin, v3_sub(slide, v3_cross(spin, arm)));
    mechanism_along(b, (const real(*)[6])s, speed, rate);
}

// The change of the rates of a joint in the step: its axes turn within it, so both ends of the step have their own.
static void coordinates_change(const tac_model *m, const tac_state *s, uint16_t self, tac_work *w, real *change)
{
    const tac_mechanism *t = &w->scratch.mechanism;
    const tac_mechanism_body *b = &t->body[self], *p = &t->body[b->parent];
    vec3 axis[2][3];
    real before[3];
    coordinates_ends(m, s, self, axis, w);
    coordinates_between(t, self, JOINT_END(w), axis[0], b->acceleration, p->acceleration, before);
    coordinates_between(t, self, s->pose, axis[1], b->velocity, p->velocity, change);
    for (int i = 0; i < b->axes; i++) { change[i] -= before[i]; }
}

// (dq at the end - dq at the start)/h: of a free root what its twist has changed by.
static void coordinates_accelerations(const tac_model *m, const tac_state *s, tac_work *w, real *ddq)
{
    const tac_mechanism *t = &w->scratch.mechanism;
    const real part = R(1.0) / m->h;
    vec3 axis[2][3];
    for (uint32_t at = t->bodies; JOINT_COUNT(m) > 0 && at < (uint32_t)t->bodies + t->bases; at++) {
        coordinates_ends(m, s, t->order[at], axis, w);
    }
    for (uint32_t at = 0; at < t->bodies; at++) {
        const uint16_t self = t->order[at];
        const tac_mechanism_body *b = &t->body[self];
        real *x = ddq + b->first;
        if (mechanism_free(b)) {
            v3_put(x, w->delta_v[self].v);
            v3_put(x + 3, w->delta_v[self].w);
            if (JOINT_COUNT(m) > 0 && b->carries) { coordinates_ends(m, s, self, axis, w); }
        } else {
            coordinates_change(m, s, self, w, x);
        }
        for (int i = 0; i < b->axes; i++) { x[i] *= part; }
    }
}

// ------------------------------------------------------------------------------------------------------------- writing

static quat coordinates_quat(const real *q)
{
    return (quat){q[0], q[1], q[2], q[3]};
}

// Quaternions whose norm is between 1/2 and 2, exclusive.
static int coordinates_turn(const tac_model *m, const tac_mechanism *t, const real *q)
{
    int good = 1;
    for (uint32_t at = 0; at < t->bodies; at++) {
        const tac_mechanism_body *b = &t->body[t->order[at]];
        const real *x = mechanism_free(b) ? q + b->first / 6 * 7 + 3 : q + t->place[b->joint];
        if (!mechanism_free(b) && JOINT_KIND[JOINT_OF(m)[b->joint].kind].turn != TURN_ALL) { continue; }
        const real norm2 = quat_norm2(coordinates_quat(x));
        good &= norm2 > R(0.25) && norm2 < R(4.0);
    }
    return good;
}

// The pose of frame b relative to frame a.
static void coordinates_motion(const tac_joint *j, const real *q, tac_pose *motion)
{
    const int turn = JOINT_KIND[j->kind].turn, slide = JOINT_KIND[j->kind].slide;
    motion->p = V3_ZERO;
    motion->q = QUAT_ONE;
    if (slide == SLIDE_Z) { motion->p.z = *q++; }
    if (slide == SLIDE_THREAD) { motion->p.z = q[0] * j->length; }
    if (slide == SLIDE_PLANE) {
        motion->p.x = *q++;
        motion->p.y = *q++;
    }
    if (turn == TURN_Z) { motion->q = quat_exp(v3_scale(q[0], V3_Z)); }
    if (turn == TURN_CROSS) {
        motion->q = quat_mul(quat_exp(v3_scale(q[0], V3_AXIS[0])), quat_exp(v3_scale(q[1], V3_AXIS[1])));
    }
    if (turn == TURN_ALL) {
        motion->q = coordinates_quat(q);
        quat_unit(&motion->q);
    }
}

// Sets the pose of a body from that of its parent, by way of the frames of their joint.
static void coordinates_pose(const tac_joint *j, const tac_pose local[2], int turned, const real *q, tac_pose *pose)
{
    tac_pose motion, frame;
    coordinates_motion(j, q, &motion);
    if (turned) {
        pose_mul(&pose[j->body_b], &local[1], &frame);
        pose_undo(&frame, &motion, &frame);
        pose_undo(&frame, &local[0], &pose[j->body_a]);
        quat_unit(&pose[j->body_a].q);
    } else {
        pose_mul(&pose[j->body_a], &local[0], &frame);
        pose_mul(&frame, &motion, &frame);
        pose_undo(&frame, &local[1], &pose[j->body_b]);
        quat_unit(&pose[j->body_b].q);
    }
}

// Are the numbers of a body other ones than its state has, or does its joint not hold?
static int coordinates_differ(const tac_model *m, const tac_state *s, tac_mechanism *t, uint16_t self, const real *q,
                              const real *dq)
{
    const tac_mechanism_body *b = &t->body[self];
    const int root = mechanism_free(b);
    const int places = root ? 7 : joint_positions(JOINT_OF(m)[b->joint].kind);
    real place[7], rate[6];
    int same = root || hold(m, s, b->joint, R(0.0), 1);
    coordinates_position(m, s, t, self, place);
    coordinates_rates(s->twist, t, self, rate);
    q += coordinates_at(t, self);
    for (int i = 0; i < places; i++) { same &= place[i] == q[i]; }
    for (int i = 0; i < b->axes; i++) { same &= rate[i] == dq[b->first + i]; }
    return !same;
}

// Which bodies are to be moved: those whose numbers differ, and all that they carry. What a step has left of velocities
// that no coordinate has, and of compensated sums, stays in the others: to set what was read changes nothing.
static void coordinates_mark(const tac_model *m, const tac_state *s, tac_mechanism *t, const real *q, const real *dq)
{
    mechanism_place(m, s->pose, t);
    mechanism_velocities(s->twist, t);
    for (uint32_t at = 0; at < t->bodies; at++) {
        const uint16_t self = t->order[at];
        tac_mechanism_body *b = &t->body[self];
        const int carried = !mechanism_free(b) && mechanism_hangs(t, self) && t->body[b->parent].moved;
        b->moved = (uint8_t)(carried || coordinates_differ(m, s, t, self, q, dq));
    }
}

static void coordinates_place(const tac_model *m, const tac_mechanism *t, const real *q, tac_state *s)
{
    for (uint32_t at = 0; at < t->bodies; at++) {
        const uint16_t self = t->order[at];
        const tac_mechanism_body *b = &t->body[self];
        if (!b->moved) { continue; }
        if (mechanism_free(b)) {
            const real *x = q + b->first / 6 * 7;
            s->pose[self].p = v3_of(x);
            s->pose[self].q = coordinates_quat(x + 3);
            quat_unit(&s->pose[self].q);
        } else {
            const tac_joint *j = &JOINT_OF(m)[b->joint];
            coordinates_pose(j, t->joint[b->joint].frame, b->parent != j->body_a, q + t->place[b->joint], s->pose);
        }
        reals_clear(&s->compensation[self], sizeof s->compensation[self]);
        joint_account_anew(m, s);
    }
}

static void coordinates_move(const tac_model *m, tac_mechanism *t, const real *dq, tac_state *s)
{
    mechanism_place(m, s->pose, t);
    mechanism_about(t);
    for (uint32_t at = 0; at < t->bodies; at++) {
        const uint16_t self = t->order[at];
        tac_mechanism_body *b = &t->body[self];
        tac_twist *twist = &s->twist[self];
        if (!b->moved) {
            mechanism_velocity(twist, b->axis, b->arm, b->velocity);
            continue;
        }
        if (mechanism_free(b)) {
            twist->v = v3_of(dq + b->first);
            twist->w = v3_of(dq + b->first + 3);
            mechanism_velocity(twist, b->axis, b->arm, b->velocity);
            continue;
        }
        if (!mechanism_hangs(t, self)) { mechanism_base(s->twist, t, b->parent, self); }
        six_copy(b->velocity, t->body[b->parent].velocity);
        for (int i = 0; i < b->axes; i++) { six_add(b->velocity, dq[b->first + i], b->s[i]); }
        const vec3 w = six_angular(b->velocity);
        twist->v = v3_add(six_linear(b->velocity), v3_cross(w, b->arm));
        twist->w = v3_components(b->axis, w);
    }
}

#endif
