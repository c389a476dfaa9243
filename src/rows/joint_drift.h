// SPDX-License-Identifier: MIT
// joint_drift.h - what the constraints of a tree's joint ask for: one motion of b relative to a.
//   given   kinematics of a joint, its motion at the start of the step
//   makes   link[]: `off`, the errors; `drift`, what the constraints forbid of the motion
//   bound   constant per joint
//   never   needs rows
#ifndef ROWS_JOINT_DRIFT_H
#define ROWS_JOINT_DRIFT_H

#include "joint_rows.h"

// What constraints require of velocities: that the mean ones of the step follow the arcs of the joints; that those at
// its end correct the errors of the poses, NST17 (5c), T03 (28); that those at its end violate no constraint, J v = 0.
enum { JOINT_ARC, JOINT_STABILISE, JOINT_STRAIGHT };

// A joint that may be part of a tree (joint_eliminates) keeps what its constraints ask for as one motion of b relative
// to a: rotation, and translation at the origin of frame b, world frame. The elimination needs no rows.

// Of a universal joint: the rotation about the normal n of its cross, about which it may not turn, whose product with n
// is `along`.
static vec3 joint_cross_normal(const tac_joint_block *k, real along)
{
    const vec3 n = v3_cross(k->across, k->axis[0]);
    const real n2 = v3_dot(n, n);
    return v3_scale(n2 > R(0.0) ? along / n2 : R(0.0), n);
}

// Of such a motion the part that the constraints forbid. The rest is along the free motions; FIXED has none.
static inline vec3 joint_forbid_turn(const tac_joint_block *k, vec3 turn)
{
    const vec3 z = k->axis[2];
    switch (JOINT_KIND[k->kind].turn) {
    case TURN_Z:
        return v3_madd(turn, -v3_dot(z, turn), z);
    case TURN_ALL:
        return V3_ZERO;
    case TURN_CROSS:
        return joint_cross_normal(k, v3_dot(v3_cross(k->across, k->axis[0]), turn));
    default:
        return turn;
    }
}

static inline vec3 joint_forbid_slide(const tac_joint_block *k, vec3 turn, vec3 slide)
{
    const vec3 z = k->axis[2];
    switch (JOINT_KIND[k->kind].slide) {
    case SLIDE_Z:
        return v3_madd(slide, -v3_dot(z, slide), z);
    case SLIDE_THREAD:
        return v3_madd(slide, -k->lead * v3_dot(z, turn), z);
    case SLIDE_PLANE:
        return v3_scale(v3_dot(z, slide), z);
    default:
        return slide;
    }
}

// Errors of the constraints at the start of the step, as such a motion: its rotation, its translation.
static vec3 joint_turned(const joint_place *p, const tac_joint_block *k)
{
    const quat r = p->rotation;
    switch (JOINT_KIND[k->kind].turn) {
    case TURN_NONE:
        return v3_scale(R(2.0), v3_combine(k->axis, v3(r.x, r.y, r.z)));
    case TURN_CROSS:
        return joint_cross_normal(k, v3_dot(k->axis[0], k->across));
    case TURN_ALL:
        return V3_ZERO;
    default: // the cross product of both z axes
        return v3_madd(v3_scale(R(2.0) * (r.w * r.x - r.y * r.z), k->axis[0]), R(2.0) * (r.x * r.z + r.w * r.y),
                       k->axis[1]);
    }
}

static inline vec3 joint_slid(const tac_joint *j, const joint_place *p, const tac_joint_block *k)
{
    const vec3 slide = joint_forbid_slide(k, V3_ZERO, p->d);
    if (JOINT_KIND[k->kind].slide != SLIDE_THREAD) { return slide; }
    return v3_madd(slide, -j->length * joint_thread(j, p) - v3_dot(k->axis[2], slide), k->axis[2]);
}

// Second derivative of the rotation while both bodies keep their velocities, its part along the free motions
// included; that of the translation is in joint_motion. Where z is a common axis, z of b leaves that of a at the rate
// of the joint times the rate with which z itself rotates.
static inline vec3 joint_turn_curvature(const joint_motion *q, const tac_joint_block *k)
{
    const vec3 z = k->axis[2];
    switch (JOINT_KIND[k->kind].turn) {
    case TURN_NONE:
    case TURN_ALL:
        return V3_ZERO;
    case TURN_CROSS:
        return joint_cross_normal(k, joint_curvature_product(q, k->axis[0], k->across));
    default:
        return v3_scale(v3_dot(z, v3_sub(q->w[1], q->w[0])), v3_cross(z, q->w[0]));
    }
}

// `off` and `drift`. Drift is what the constraints forbid of the motion at the start of the step, plus half a step of
// curvature, or where it stabilises the errors over h: J v + b of joint_arc() or joint_stabilise(), as a motion.
static inline void joint_drift(const tac_model *m, const tac_joint *j, const joint_place *p, const joint_motion *q,
                               tac_joint_block *k)
{
    vec3 turn = joint_turned(p, k), slide = joint_slid(j, p, k);
    k->off[0] = turn, k->off[1] = slide;
    k->error = real_max(v3_norm_inf(slide), k->length * v3_norm_inf(turn));
    const int stabilises = k->rule == JOINT_STABILISE;
    if (!stabilises) { turn = joint_turn_curvature(q, k), slide = q->curvature; }
    const real part = stabilises ? R(1.0) / m->h : k->rule == JOINT_ARC ? R(0.5) * m->h : R(0.0);
    turn = v3_madd(v3_sub(q->w[1], q->w[0]), part, turn);
    slide = v3_madd(q->rate, part, slide);
    k->drift[0] = joint_forbid_turn(k, turn);
    k->drift[1] = joint_forbid_slide(k, turn, slide);
}

#endif
