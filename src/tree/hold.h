// SPDX-License-Identifier: MIT
// hold.h - does a joint hold in a state, as far as rounding and steps of finite length allow?
//   given   a model, a state, a joint
//   makes   yes or no
//   bound   constant a joint
//   never   sees efforts or limits; corrects anything
#ifndef TREE_HOLD_H
#define TREE_HOLD_H

#include "../base/bytes.h"
#include "../model/joint.h"
#include "place.h"

#define JOINT_VIOLATION_SLACK (TAC_REAL_BITS == 32 ? R(64.0) : R(1024.0)) // of rounding: smaller errors count as zero
#define HOLD_SLACK (TAC_REAL_BITS == 32 ? R(512.0) : R(16384.0)) // likewise: larger ones no step leaves that is solved
#define HOLD_PART R(0.1)                                         // of the speeds of both bodies

// Length that scales rotations: the radius of gyration for which 1/I of the bodies equals their 1/m.
static real joint_length(const tac_moving *a, const tac_moving *b)
{
    const vec3 spin = v3_add(a->inv_inertia, b->inv_inertia);
    return real_sqrt(R(3.0) * (a->inv_mass + b->inv_mass) / (spin.x + spin.y + spin.z));
}

static tac_moving hold_moving(const tac_body *b)
{
    tac_moving x;
    reals_clear(&x, sizeof x);
    if (b->kind != TAC_DYNAMIC) { return x; }
    x.inv_mass = R(1.0) / b->mass;
    x.inv_inertia = v3(R(1.0) / b->inertia.x, R(1.0) / b->inertia.y, R(1.0) / b->inertia.z);
    return x;
}

// Rate of joint_error().
static real hold_rate(const tac_joint *j, const joint_place *p, const joint_motion *q, int row, real length)
{
    const int what = JOINT_KIND[j->kind].row[row];
    const vec3 spin = v3_sub(q->w[1], q->w[0]);
    if (joint_is_edge(j->kind)) { return v3_dot(p->direction, q->rate); }
    switch (what) {
    case JOINT_CROSS:
        return length * v3_dot(spin, v3_cross(quat_rotate(p->frame[1], V3_AXIS[1]), p->axis[0]));
    case JOINT_SEPARATION:
        return v3_dot(p->direction, q->rate);
    case JOINT_THREAD:
        return v3_dot(p->axis[2], q->rate) - j->length * v3_dot(p->axis[2], spin);
    default:
        return what < JOINT_ABOUT ? v3_dot(p->axis[what], q->rate) : length * v3_dot(p->axis[what - JOINT_ABOUT], spin);
    }
}

// Are velocities those that a step may leave? Those of trees lead along arcs, so that constraints of the tangent are
// off by up to h times the curvature; after an impact the curvature is that of the motion before it, and is not known.
// Of velocities that somebody has set on one body alone most is off.
static int hold_moves(const tac_model *m, const tac_joint *j, const joint_place *p, const joint_motion *q, real length,
                      real speed)
{
    real off = R(0.0), bend = R(0.0);
    for (int row = 0; row < JOINT_KIND[j->kind].constraints; row++) {
        off = real_max(off, real_abs(hold_rate(j, p, q, row, length)));
        bend = real_max(bend, real_abs(joint_curvature(j, p, q, row, length)));
    }
    return off <= HOLD_PART * speed || off <= R(2.0) * m->h * bend;
}

// Worst error of the constraints of a joint at a place, m; of a rod also where its limits hold it.
static real hold_error(const tac_joint *j, const joint_place *p, real length)
{
    const int held = joint_has_coordinate(j->kind) && j->lower == j->upper;
    const real scale = joint_rotates(j->kind) ? length : R(1.0);
    real error = held ? scale * real_abs(joint_coordinate(j, p) - j->lower) : R(0.0);
    for (int row = 0; row < JOINT_KIND[j->kind].constraints; row++) {
        error = real_max(error, real_abs(joint_error(j, p, row, length)));
    }
    return error;
}

// Does joint i hold to `allowed`, m, beside rounding, and, if asked, in its velocities? Couplings and bushings have no
// constraints of their own.
static int hold(const tac_model *m, const tac_state *s, uint32_t i, real allowed, int rates)
{
    const tac_joint *j = &JOINT_OF(m)[i];
    if (j->kind == TAC_COUPLING || switch_out(s, i)) { return 1; }
    const tac_pose *a = &s->pose[j->body_a], *b = &s->pose[j->body_b];
    const tac_twist *twist[2] = {&s->twist[j->body_a], &s->twist[j->body_b]};
    const tac_moving first = hold_moving(&m->body[j->body_a]), second = hold_moving(&m->body[j->body_b]);
    const real length = joint_length(&first, &second);
    const real slack = HOLD_SLACK * REAL_EPSILON * (v3_norm_inf(a->p) + v3_norm_inf(b->p) + length);
    tac_pose local[2];
    joint_place p;
    joint_motion q;
    joint_locals_in(m, s, j, i, local);
    joint_find(j->kind, local, a, b, &p);
    if (!(hold_error(j, &p, length) <= slack + allowed)) { return 0; }
    if (!rates) { return 1; }
    const tac_pose *const pose[2] = {a, b};
    joint_move_at(&p, pose, twist, &q);
    real speed = R(0.0);
    for (int side = 0; side < 2; side++) {
        speed += v3_norm(twist[side]->v) + (v3_norm(p.arm[side]) + length) * v3_norm(q.w[side]);
    }
    return hold_moves(m, j, &p, &q, length, speed);
}

// The error of joints that a step has told of.
static inline real hold_told(const tac_work *w)
{
    return w != NULL ? R(2.0) * w->report.joint_error : R(0.0);
}

// The first joint that does not hold; the number of joints if all do. After a step only errors that its report does not
// have count, and velocities are its own.
static inline uint32_t hold_all(const tac_model *m, const tac_state *s, const tac_work *w)
{
    uint32_t i = 0;
    while (i < JOINT_COUNT(m) && hold(m, s, i, hold_told(w), w == NULL)) { i++; }
    return i;
}

#endif
