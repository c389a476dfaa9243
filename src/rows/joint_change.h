// SPDX-License-Identifier: MIT
// joint_change.h - what a motion of its bodies makes of a joint's errors and coordinate, formed as such.
//   given   where a joint stands, how far each of its bodies moves in the step
//   makes   joint_change; the change of the error of a row, of the coordinate
//   bound   constant
//   never   subtracts what is before the motion from what is after it: poses round by eps |p|, changes by eps h |v|
#ifndef ROWS_JOINT_CHANGE_H
#define ROWS_JOINT_CHANGE_H

#include "joint_place.h"

#if TAC_MAX_JOINTS > 0

// As a sees it, which turns too: of what joint_place has.
typedef struct joint_change {
    vec3 d;
    quat turn;
} joint_change;

// A motion is what the centre of mass moves by, and the rotation about it, both in the world. With the rotations E of a
// and b
//      d -> E_a' (d + change) - d,        turn -> (E_a' E_b - 1) turn  in the frame of a
// where only what is small is multiplied: of a unit quaternion 1 + e, e_w = -|e_v|^2/(2 + e_w).
static void joint_change_of(const tac_pose local[2], const joint_place *p, const tac_pose *pose[2],
                            const tac_pose *motion[2], joint_change *c)
{
    vec3 moved[2];
    for (int side = 0; side < 2; side++) {
        const vec3 arm = quat_rotate(pose[side]->q, local[side].p);
        moved[side] = v3_add(motion[side]->p, quat_turn(motion[side]->q, arm));
    }
    const quat back = quat_conj(motion[0]->q), turn = quat_mul(back, motion[1]->q);
    const vec3 d = v3_sub(moved[1], moved[0]);
    c->d = v3_add(d, quat_turn(back, v3_add(p->d, d)));
    const vec3 v = quat_rotate_back(p->frame[0].q, v3(turn.x, turn.y, turn.z));
    const real w = turn.w > R(0.0) ? -v3_dot(v, v) / (R(1.0) + turn.w) : turn.w - R(1.0);
    c->turn = quat_mul((quat){w, v.x, v.y, v.z}, p->turn);
}

// Of a product a b.
static real joint_change_product(real a, real da, real b, real db)
{
    return da * b + (a + da) * db;
}

// Of the distance of the origins.
static real joint_change_apart(const joint_place *p, const joint_change *c)
{
    const vec3 d = v3_add(p->d, c->d);
    const real sum = p->distance + v3_norm(d);
    return sum > R(0.0) ? v3_dot(c->d, v3_add(p->d, d)) / sum : R(0.0);
}

// Of the turn about z.
static real joint_change_angle(const joint_place *p, const joint_change *c)
{
    const quat q = p->turn, e = c->turn;
    return R(2.0) * real_atan2(e.z * q.w - e.w * q.z, q.w * (q.w + e.w) + q.z * (q.z + e.z));
}

// Of joint_coordinate(), without the whole turns that it may jump by.
static real joint_change_coordinate(const tac_joint *j, const joint_place *p, const joint_change *c)
{
    switch (j->kind) {
    case TAC_PRISMATIC:
        return v3_dot(p->axis[2], c->d);
    case TAC_DISTANCE:
        return joint_change_apart(p, c);
    case TAC_SCREW:
        return j->length != R(0.0) ? v3_dot(p->axis[2], c->d) / j->length : joint_change_angle(p, c);
    default:
        return joint_change_angle(p, c);
    }
}

// Of joint_error() of a row that holds.
static real joint_change_error(const tac_joint *j, const joint_place *p, const joint_change *c, int row, real length)
{
    const int what = JOINT_ROW[j->kind][row];
    const int welded = j->kind == TAC_FIXED || j->kind == TAC_PRISMATIC;
    const quat q = p->turn, e = c->turn;
    switch (what) {
    case JOINT_CROSS: // x y - w z
        return R(2.0) * length * (joint_change_product(q.x, e.x, q.y, e.y) - joint_change_product(q.w, e.w, q.z, e.z));
    case JOINT_APART:
        return joint_change_apart(p, c);
    case JOINT_THREAD:
        return v3_dot(p->axis[2], c->d) - j->length * joint_change_angle(p, c);
    case JOINT_ABOUT: // w x - y z
        if (welded) { return R(2.0) * length * e.x; }
        return R(2.0) * length * (joint_change_product(q.w, e.w, q.x, e.x) - joint_change_product(q.y, e.y, q.z, e.z));
    case JOINT_ABOUT + 1: // x z + w y
        if (welded) { return R(2.0) * length * e.y; }
        return R(2.0) * length * (joint_change_product(q.x, e.x, q.z, e.z) + joint_change_product(q.w, e.w, q.y, e.y));
    case JOINT_ABOUT + 2:
        return R(2.0) * length * e.z;
    default:
        return v3_dot(p->axis[what], c->d);
    }
}

#endif

#endif
