// SPDX-License-Identifier: MIT
// change.h - the change of a joint's errors and coordinate over a step, computed without cancellation.
//   given   kinematics of a joint, the motion of each of its bodies in the step
//   makes   joint_change; the change of the error of a row, of the coordinate
//   bound   constant
//   never   subtracts poses before and after the motion: poses have rounding eps |p|, changes eps h |v|
#ifndef TREE_CHANGE_H
#define TREE_CHANGE_H

#include "place.h"

// Changes of two members of joint_place, in the rotating frame of a.
typedef struct joint_change {
    vec3 d;
    quat rotation;
} joint_change;

// A motion is the displacement of the centre of mass and the rotation about it, both in the world frame. With the
// rotations E of a and b
//      d -> E_a' (d + change) - d,        rotation -> (E_a' E_b - 1) rotation  in the frame of a
// and only small quantities are multiplied: for a unit quaternion 1 + e, e_w = -|e_v|^2/(2 + e_w).
static void joint_change_of(const tac_pose local[2], const joint_place *p, const tac_pose *pose[2],
                            const tac_pose *motion[2], joint_change *c)
{
    vec3 moved[2];
    for (int side = 0; side < 2; side++) {
        const vec3 arm = quat_rotate(pose[side]->q, local[side].p);
        moved[side] = v3_add(motion[side]->p, quat_turn(motion[side]->q, arm));
    }
    const quat back = quat_conj(motion[0]->q), rotation = quat_mul(back, motion[1]->q);
    const vec3 d = v3_sub(moved[1], moved[0]);
    c->d = v3_add(d, quat_turn(back, v3_add(p->d, d)));
    const vec3 v = quat_rotate_back(p->frame[0], v3(rotation.x, rotation.y, rotation.z));
    const real w = rotation.w > R(0.0) ? -v3_dot(v, v) / (R(1.0) + rotation.w) : rotation.w - R(1.0);
    c->rotation = quat_mul((quat){w, v.x, v.y, v.z}, p->rotation);
}

// Change of a product a b.
static real joint_change_product(real a, real da, real b, real db)
{
    return da * b + (a + da) * db;
}

// Change of the distance of the origins.
static real joint_change_distance(const joint_place *p, const joint_change *c)
{
    const vec3 d = v3_add(p->d, c->d);
    const real sum = p->distance + v3_norm(d);
    return sum > R(0.0) ? v3_dot(c->d, v3_add(p->d, d)) / sum : R(0.0);
}

// Change of the angle about z.
static real joint_change_angle(const joint_place *p, const joint_change *c)
{
    const quat q = p->rotation, e = c->rotation;
    return R(2.0) * real_atan2(e.z * q.w - e.w * q.z, q.w * (q.w + e.w) + q.z * (q.z + e.z));
}

// Change of joint_coordinate(), without jumps by full revolutions.
static real joint_change_coordinate(const tac_joint *j, const joint_place *p, const joint_change *c)
{
    const int along = JOINT_KIND[j->kind].along;
    if (joint_is_angle(j->kind) && along != ALONG_TWIST) { return angles_change(along, p->rotation, c->rotation); }
    switch (along) {
    case ALONG_AXIS:
        return v3_dot(p->axis[2], c->d);
    case ALONG_ROD:
        return joint_change_distance(p, c);
    case ALONG_THREAD:
        return j->length != R(0.0) ? v3_dot(p->axis[2], c->d) / j->length : joint_change_angle(p, c);
    default:
        return joint_change_angle(p, c);
    }
}

// Change of joint_error() of a constraint.
static real joint_change_error(const tac_joint *j, const joint_place *p, const joint_change *c, int row, real length)
{
    const int what = JOINT_KIND[j->kind].row[row];
    const int welded = JOINT_KIND[j->kind].turn == TURN_NONE;
    const quat q = p->rotation, e = c->rotation;
    if (joint_is_edge(j->kind)) { return R(0.0); }
    switch (what) {
    case JOINT_CROSS: // x y - w z
        return R(2.0) * length * (joint_change_product(q.x, e.x, q.y, e.y) - joint_change_product(q.w, e.w, q.z, e.z));
    case JOINT_SEPARATION:
        return joint_change_distance(p, c);
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
