// SPDX-License-Identifier: MIT
// coordinates.h - positions q and velocities dq of trees: read from a state, written to one.
//   given   a model, the mechanism; a state, the changes of velocity of the last step; or numbers to set
//   makes   q, dq and the change of dq in that step; the coordinate of a joint; or poses and twists of bodies of trees,
//           and revolutions of couplings
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

// A joint with its bodies at these poses and velocities. The angle of a hinge and its rate need orientations alone.
static void coordinates_look(const tac_joint *j, const tac_pose local[2], const tac_pose *pose[2],
                             const tac_twist *twist[2], joint_place *p, joint_motion *motion)
{
    if (joint_is_hinge(j->kind)) {
        joint_find_turn(local, pose[0]->q, pose[1]->q, p);
        joint_spin_at(pose, twist, motion);
        motion->rate = V3_ZERO; // none of its rates is a translation
    } else {
        joint_find(j->kind, local, pose[0], pose[1], p);
        joint_move_at(p, pose, twist, motion);
    }
}

// Positions of a body that hangs on a joint, and rates.
static void coordinates_read(const tac_joint *j, const tac_pose local[2], const tac_state *s, real *q, real *dq)
{
    const tac_pose *pose[2] = {&s->pose[j->body_a], &s->pose[j->body_b]};
    const tac_twist *twist[2] = {&s->twist[j->body_a], &s->twist[j->body_b]};
    joint_place p;
    joint_motion motion;
    coordinates_look(j, local, pose, twist, &p, &motion);
    coordinates_joint(j, &p, q);
    joint_rates(j->kind, &p, &motion, dq);
}

// Of a free root: its pose, and the numbers of its twist.
static void coordinates_read_root(const tac_state *s, uint16_t self, real *q, real *dq)
{
    const tac_pose *pose = &s->pose[self];
    v3_put(q, pose->p);
    q[3] = pose->q.w, q[4] = pose->q.x, q[5] = pose->q.y, q[6] = pose->q.z;
    v3_put(dq, s->twist[self].v);
    v3_put(dq + 3, s->twist[self].w);
}

static void coordinates_read_all(const tac_model *m, const tac_state *s, const tac_mechanism *t, real *q, real *dq)
{
    for (uint32_t at = 0; at < t->bodies; at++) {
        const uint16_t self = t->order[at];
        const tac_mechanism_body *b = &t->body[self];
        if (mechanism_free(b)) {
            coordinates_read_root(s, self, q + b->first / 6 * 7, dq + b->first);
        } else {
            const tac_joint *j = &JOINT_OF(m)[b->joint];
            coordinates_read(j, t->joint[b->joint].frame, s, q + t->place[b->joint], dq + b->first);
        }
    }
}

// Rates of the coordinates of a joint, with all bodies at these poses, and its own at these velocities.
static void coordinates_rates(const tac_joint *j, const tac_pose local[2], const tac_pose *poses,
                              const tac_twist *twist[2], real *rate)
{
    const tac_pose *pose[2] = {&poses[j->body_a], &poses[j->body_b]};
    joint_place p;
    joint_motion motion;
    if (joint_is_hinge(j->kind)) { // needs nothing of the place but its axis
        const vec3 seen = quat_rotate_back(pose[0]->q, quat_rotate(pose[1]->q, twist[1]->w));
        rate[0] = v3_dot(quat_axis_z(local[0].q), v3_sub(seen, twist[0]->w));
        return;
    }
    coordinates_look(j, local, pose, twist, &p, &motion);
    joint_rates(j->kind, &p, &motion, rate);
}

static inline void coordinates_velocities(const tac_model *m, const tac_pose *pose, const tac_twist *twists,
                                          const tac_mechanism *t, real *dq)
{
    for (uint32_t at = 0; at < t->bodies; at++) {
        const uint16_t self = t->order[at];
        const tac_mechanism_body *b = &t->body[self];
        real *rate = dq + b->first;
        if (mechanism_free(b)) {
            v3_put(rate, twists[self].v);
            v3_put(rate + 3, twists[self].w);
        } else {
            const tac_joint *j = &JOINT_OF(m)[b->joint];
            const tac_twist *twist[2] = {&twists[j->body_a], &twists[j->body_b]};
            coordinates_rates(j, t->joint[b->joint].frame, pose, twist, rate);
        }
    }
}

// Coordinate and rate of a joint that has its own, from its frames in the principal frames of its bodies.
static void coordinates_own_at(const tac_joint *j, const tac_pose local[2], const tac_state *s, tac_joint_state *result)
{
    const tac_pose *pose[2] = {&s->pose[j->body_a], &s->pose[j->body_b]};
    const tac_twist *twist[2] = {&s->twist[j->body_a], &s->twist[j->body_b]};
    joint_place p;
    joint_motion motion;
    coordinates_look(j, local, pose, twist, &p, &motion);
    result->position = joint_coordinate(j, &p);
    result->velocity = joint_coordinate_rate(j, &p, &motion);
}

// Coordinate and rate of a joint that is not a coupling.
static void coordinates_own(const tac_model *m, const tac_state *s, const tac_joint *j, tac_joint_state *result)
{
    tac_pose local[2];
    result->position = result->velocity = R(0.0);
    if (!joint_has_own_coordinate(j->kind)) { return; }
    joint_locals(m, j, local);
    coordinates_own_at(j, local, s, result);
}

static void coordinates_of(const tac_model *m, const tac_state *s, uint32_t i, tac_joint_state *result)
{
    const tac_joint *j = &JOINT_OF(m)[i];
    if (j->kind != TAC_COUPLING) {
        coordinates_own(m, s, j, result);
        return;
    }
    result->position = JOINT_REVOLUTION * JOINT_WARM(s)[i].of.revolutions;
    result->velocity = R(0.0);
    for (int part = 0; part < 2; part++) {
        tac_joint_state x;
        coordinates_own(m, s, &JOINT_OF(m)[coupling_part(j, part)], &x);
        result->position += coupling_factor(j, part) * x.position;
        result->velocity += coupling_factor(j, part) * x.velocity;
    }
}

// --------------------------------------------------------------------------------------------------- change in a step

// The change of the rates of a joint in the step: its axes turn within it, so both ends of the step have their own.
static void coordinates_change(const tac_state *s, const tac_joint *j, const tac_pose local[2], tac_work *w, int axes,
                               real *change)
{
    const uint16_t body[2] = {j->body_a, j->body_b};
    const tac_twist *end[2], *start[2];
    tac_twist began[2];
    real before[3];
    for (int side = 0; side < 2; side++) {
        end[side] = &s->twist[body[side]];
        twist_madd(end[side], R(-1.0), &w->delta_v[body[side]], &began[side]);
        start[side] = &began[side];
    }
    coordinates_rates(j, local, w->scratch.mechanism.start, start, before);
    coordinates_rates(j, local, s->pose, end, change);
    for (int i = 0; i < axes; i++) { change[i] -= before[i]; }
}

// The poses at the start of the step, by the inverse of free_commit(), to rounding.
static void coordinates_start(const tac_model *m, const tac_state *s, tac_work *w)
{
    for (uint16_t i = 0; i < m->bodies && JOINT_COUNT(m) > 0; i++) {
        const tac_twist *end = &s->twist[i], *shift = &w->pseudo_velocity[i];
        w->scratch.mechanism.start[i].p = v3_madd(s->pose[i].p, -m->h, v3_add(end->v, shift->v));
        w->scratch.mechanism.start[i].q = quat_mul(s->pose[i].q, quat_exp(v3_scale(-m->h, v3_add(end->w, shift->w))));
    }
}

// (dq at the end - dq at the start)/h: of a free root what its twist has changed by.
static void coordinates_accelerations(const tac_model *m, const tac_state *s, tac_work *w, real *ddq)
{
    const tac_mechanism *t = &w->scratch.mechanism;
    const real part = R(1.0) / m->h;
    coordinates_start(m, s, w);
    for (uint32_t at = 0; at < t->bodies; at++) {
        const uint16_t self = t->order[at];
        const tac_mechanism_body *b = &t->body[self];
        real *x = ddq + b->first;
        if (mechanism_free(b)) {
            v3_put(x, w->delta_v[self].v);
            v3_put(x + 3, w->delta_v[self].w);
        } else {
            coordinates_change(s, &JOINT_OF(m)[b->joint], t->joint[b->joint].frame, w, b->axes, x);
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
    if (slide == SLIDE_ROD) { motion->p.x = j->length; }
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

// Sets the velocity of a body from that of its parent, both placed.
static void coordinates_twist(const tac_joint *j, const tac_pose local[2], int turned, const real *dq, tac_state *s)
{
    const uint16_t self = turned ? j->body_a : j->body_b, parent = turned ? j->body_b : j->body_a;
    const real side = turned ? R(-1.0) : R(1.0);
    const vec3 on = quat_rotate(s->pose[parent].q, s->twist[parent].w);
    vec3 turn, slide;
    joint_place p;
    joint_find(j->kind, local, &s->pose[j->body_a], &s->pose[j->body_b], &p);
    joint_free_motion(j, &p, dq, &turn, &slide);
    const vec3 w = v3_madd(on, side, turn);
    const vec3 origin = v3_madd(v3_add(s->twist[parent].v, v3_cross(on, p.arm[turned])), side, slide);
    s->twist[self].v = v3_sub(origin, v3_cross(w, p.arm[!turned]));
    s->twist[self].w = quat_rotate_back(s->pose[self].q, w);
}

// The numbers that are to be set: of a mechanism `q` and `dq`; or of each joint that has a coordinate `x`, and zeros of
// all others, whose frames then coincide; with these pose and twist of one free root, or TAC_NONE.
typedef struct coordinates_given {
    const tac_mechanism *t;
    const real *q, *dq;
    const tac_joint_state *x;
    uint16_t root;
    const tac_pose *pose;
    const tac_twist *twist;
} coordinates_given;

// Those of a body that hangs on a joint.
static void coordinates_take(const tac_model *m, const coordinates_given *g, uint16_t joint, real *q, real *dq)
{
    const uint8_t kind = JOINT_OF(m)[joint].kind;
    if (g->x == NULL) {
        for (int i = 0; i < joint_positions(kind); i++) { q[i] = g->q[g->t->place[joint] + i]; }
        for (int i = 0; i < joint_axes(kind); i++) { dq[i] = g->dq[g->t->first[joint] + i]; }
        return;
    }
    for (int i = 0; i < TAC_JOINT_ROWS; i++) { q[i] = dq[i] = R(0.0); }
    if (JOINT_KIND[kind].turn == TURN_ALL) { q[0] = R(1.0); }
    if (joint_has_own_coordinate(kind)) { q[0] = g->x[joint].position, dq[0] = g->x[joint].velocity; }
}

// Its frames in the principal frames of its bodies.
static const tac_pose *coordinates_frames(const tac_model *m, const coordinates_given *g, uint16_t joint,
                                          tac_pose local[2])
{
    if (g->t != NULL) { return g->t->joint[joint].frame; }
    joint_locals(m, &JOINT_OF(m)[joint], local);
    return local;
}

// Are the numbers of a free root other ones than its state has?
static int coordinates_differ_root(const tac_state *s, const coordinates_given *g, uint16_t self)
{
    real q[7], dq[6];
    int same = 1;
    if (g->x != NULL) { return self == g->root; }
    const uint16_t first = g->t->body[self].first;
    coordinates_read_root(s, self, q, dq);
    for (int i = 0; i < 7; i++) { same &= q[i] == g->q[first / 6 * 7 + i]; }
    for (int i = 0; i < 6; i++) { same &= dq[i] == g->dq[first + i]; }
    return !same;
}

// Of a body that hangs on a joint: are they, or does the joint not hold?
static int coordinates_differ(const tac_model *m, const tac_state *s, const coordinates_given *g, uint16_t joint)
{
    const tac_joint *j = &JOINT_OF(m)[joint];
    real given[2][TAC_JOINT_ROWS + 1], own[2][TAC_JOINT_ROWS + 1];
    tac_pose local[2];
    if (!joint_eliminates(j->kind)) { return 1; }
    coordinates_take(m, g, joint, given[0], given[1]);
    coordinates_read(j, coordinates_frames(m, g, joint, local), s, own[0], own[1]);
    int same = hold(m, s, joint, R(0.0), 1);
    for (int i = 0; i < joint_positions(j->kind); i++) { same &= own[0][i] == given[0][i]; }
    for (int i = 0; i < joint_axes(j->kind); i++) { same &= own[1][i] == given[1][i]; }
    return !same;
}

#define COORDINATES_DIFFER 1u
#define COORDINATES_MOVE 2u
#define COORDINATES_COUNT 4u // a coupling counts its revolutions: its numbers are looked at even if it is carried

// Which bodies are to be moved: those whose numbers differ, and all that they carry. What a step has left of velocities
// that no coordinate has, and of compensated sums, stays in the others: to set what was read changes nothing.
static void coordinates_mark(const tac_model *m, const tac_state *s, const tac_topology *t, const coordinates_given *g,
                             uint8_t *mark)
{
    for (uint16_t i = 0; i < m->bodies; i++) { mark[i] = 0; }
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
        const tac_joint *j = &JOINT_OF(m)[i];
        for (int part = 0; j->kind == TAC_COUPLING && part < 2; part++) {
            const uint16_t hanging = topology_hanging(m, t, coupling_part(j, part));
            if (hanging != TAC_NONE) { mark[hanging] = COORDINATES_COUNT; }
        }
    }
    for (uint32_t at = 0; at < t->bodies; at++) {
        const uint16_t self = t->order[at], joint = t->body[self].joint;
        const int carried = t->body[self].hangs && mark[t->body[self].parent] & COORDINATES_MOVE;
        if (carried) { mark[self] |= COORDINATES_MOVE; }
        if (carried && !(mark[self] & COORDINATES_COUNT)) { continue; }
        if (joint == TAC_NONE ? coordinates_differ_root(s, g, self) : coordinates_differ(m, s, g, joint)) {
            mark[self] |= COORDINATES_DIFFER | COORDINATES_MOVE;
        }
    }
}

// Pose and velocity of a body, whose parent has been set.
static void coordinates_set_body(const tac_model *m, const tac_topology *t, const coordinates_given *g, uint16_t self,
                                 tac_state *s)
{
    const uint16_t joint = t->body[self].joint;
    real q[TAC_JOINT_ROWS + 1], dq[TAC_JOINT_ROWS + 1];
    if (joint == TAC_NONE && g->x != NULL) {
        s->pose[self] = *g->pose;
        s->twist[self] = *g->twist;
    } else if (joint == TAC_NONE) {
        const real *x = g->q + g->t->body[self].first / 6 * 7, *rate = g->dq + g->t->body[self].first;
        s->pose[self].p = v3_of(x);
        s->pose[self].q = coordinates_quat(x + 3);
        quat_unit(&s->pose[self].q);
        s->twist[self] = (tac_twist){v3_of(rate), v3_of(rate + 3)};
    } else {
        const tac_joint *j = &JOINT_OF(m)[joint];
        tac_pose own[2];
        const tac_pose *local = coordinates_frames(m, g, joint, own);
        coordinates_take(m, g, joint, q, dq);
        coordinates_pose(j, local, !t->body[self].is_b, q, s->pose);
        coordinates_twist(j, local, !t->body[self].is_b, dq, s);
    }
    reals_clear(&s->compensation[self], sizeof s->compensation[self]);
    joint_account_anew(m, s);
}

// Revolutions of a coupling: the part of the positions of its joints that the angles of the poses cannot represent.
// They are counted anew if one of these has other numbers than the state had.
static void coordinates_count(const tac_model *m, const tac_topology *t, const coordinates_given *g,
                              const uint8_t *mark, uint32_t i, tac_state *s)
{
    const tac_joint *j = &JOINT_OF(m)[i];
    real revolutions = R(0.0);
    unsigned anew = 0;
    for (int part = 0; part < 2; part++) {
        const uint16_t index = coupling_part(j, part), hanging = topology_hanging(m, t, index);
        tac_joint_state own;
        if (hanging == TAC_NONE || !joint_wraps(&JOINT_OF(m)[index])) { continue; }
        const real given = g->x != NULL ? g->x[index].position : g->q[g->t->place[index]];
        coordinates_own(m, s, &JOINT_OF(m)[index], &own);
        revolutions += coupling_factor(j, part) * joint_revolutions_to(own.position, given);
        anew |= mark[hanging] & COORDINATES_DIFFER;
    }
    if (anew) { JOINT_WARM(s)[i].of.revolutions = revolutions; }
}

static void coordinates_set(const tac_model *m, const tac_topology *t, const coordinates_given *g, tac_state *s)
{
    uint8_t mark[TAC_MAX_BODIES + 1];
    coordinates_mark(m, s, t, g, mark);
    for (uint32_t at = 0; at < t->bodies; at++) {
        if (mark[t->order[at]] & COORDINATES_MOVE) { coordinates_set_body(m, t, g, t->order[at], s); }
    }
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
        if (JOINT_OF(m)[i].kind == TAC_COUPLING) { coordinates_count(m, t, g, mark, i, s); }
    }
}

#endif
