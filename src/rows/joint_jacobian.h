// SPDX-License-Identifier: MIT
// joint_jacobian.h - the rows of a joint, from its directions.
//   given   kinematics of a joint, the principal axes and masses of its bodies
//   makes   link[]: axes, arms; rows, and the diagonal of J M^-1 J'
//   bound   constant per joint
//   never   mixes units: rotations are scaled by a length of the bodies, so every row is in m/s, every impulse in N s
#ifndef ROWS_JOINT_JACOBIAN_H
#define ROWS_JOINT_JACOBIAN_H

#include "joint_rows.h"

// Direction of a row in the world frame: translation of b relative to a along `linear`, rotation about `rotation`.
typedef struct joint_direction {
    vec3 linear, rotation;
} joint_direction;

// Axis that a row is along or about: of frame a, or y of frame b.
static vec3 joint_row_axis(const tac_joint_block *k, int what)
{
    return what == JOINT_ABOUT_B ? k->across : k->axis[what % 3];
}

static joint_direction joint_row_direction(const tac_joint_block *k, int what)
{
    switch (what) {
    case JOINT_CROSS:
        return (joint_direction){V3_ZERO, v3_scale(k->length, v3_cross(k->across, k->axis[0]))};
    case JOINT_SEPARATION:
        return (joint_direction){k->across, V3_ZERO};
    case JOINT_THREAD:
        return (joint_direction){k->axis[2], v3_scale(-k->lead, k->axis[2])};
    case JOINT_ABOUT:
    case JOINT_ABOUT + 1:
    case JOINT_ABOUT + 2:
    case JOINT_ABOUT_B:
        return (joint_direction){V3_ZERO, v3_scale(k->length, joint_row_axis(k, what))};
    case JOINT_NOTHING:
        return (joint_direction){V3_ZERO, V3_ZERO};
    default:
        return (joint_direction){joint_row_axis(k, what), V3_ZERO};
    }
}

// A row, from the principal axes of both bodies (world) and the lever arms to the origin of frame b. These arms also
// hold for a, since translations are along axes of a.
static void joint_row(const tac_joint_block *k, const vec3 *const axis[2], joint_direction direction, tac_row *r)
{
    const real rotation2 = v3_dot(direction.rotation, direction.rotation);
    r->linear = direction.linear;
    r->spin = v3_scale(rotation2 > R(0.0) ? R(1.0) / rotation2 : R(0.0), direction.rotation);
    const int slides = v3_norm_inf(direction.linear) > R(0.0);
    for (int side = 0; side < 2; side++) {
        const vec3 lever = slides ? v3_cross(k->arm[side], direction.linear) : V3_ZERO;
        const vec3 rotation = v3_add(lever, direction.rotation);
        r->angular[side] = v3_components(axis[side], side ? rotation : v3_scale(R(-1.0), rotation));
    }
}

// The row of a rotation about z of a, which is fixed in a.
static inline void joint_row_about(const tac_joint_block *k, const vec3 *axis_b, tac_row *r)
{
    r->linear = V3_ZERO;
    r->spin = v3_scale(R(1.0) / k->length, k->axis[2]);
    r->angular[0] = v3_scale(-k->length, k->about[0]);
    r->angular[1] = v3_scale(k->length, v3_components(axis_b, k->axis[2]));
}

// The part of J_r M^-1 J_s' by rotation, and all of it.
static inline real joint_weight_about(const tac_row *r, const tac_row *s, const tac_moving *a, const tac_moving *b)
{
    return v3_dot(v3_mul(a->inv_inertia, r->angular[0]), s->angular[0]) +
           v3_dot(v3_mul(b->inv_inertia, r->angular[1]), s->angular[1]);
}

static real joint_weight(const tac_row *r, const tac_row *s, const tac_moving *a, const tac_moving *b)
{
    return (a->inv_mass + b->inv_mass) * v3_dot(r->linear, s->linear) + joint_weight_about(r, s, a, b);
}

// Directions of the rows with the bodies of the joint at these poses.
static inline void joint_directions(const tac_joint *j, const joint_place *p, tac_joint_block *k)
{
    k->axis[0] = p->axis[0], k->axis[1] = p->axis[1], k->axis[2] = p->axis[2];
    if (JOINT_KIND[j->kind].turn == TURN_CROSS) {
        k->across = quat_rotate(p->frame[1], V3_AXIS[1]);
    } else if (joint_is_rod(j->kind)) {
        k->across = p->direction;
    }
    k->arm[0] = p->arm[0], k->arm[1] = p->arm[1];
}

// Such a row, and its weight.
static inline void joint_make_row_about(const vec3 *axis_b, const tac_moving *moving, tac_joint_block *k, int row)
{
    tac_row *r = k->row + row;
    joint_row_about(k, axis_b, r);
    k->w[row] = joint_weight_about(r, r, &moving[k->body[0]], &moving[k->body[1]]);
}

static inline void joint_make_row(const vec3 *const axis[2], const tac_moving *moving, tac_joint_block *k, int row)
{
    const int what = JOINT_KIND[k->kind].row[row];
    tac_row *r = k->row + row;
    if (what == JOINT_ABOUT + 2) {
        joint_make_row_about(axis[1], moving, k, row);
        return;
    }
    joint_row(k, axis, joint_row_direction(k, what), r);
    if (joint_has_row(k, row)) { k->w[row] = joint_weight(r, r, &moving[k->body[0]], &moving[k->body[1]]); }
}

// Jacobian of the joint with its bodies at these poses.
static void joint_jacobian(const tac_joint *j, const joint_place *p, const tac_pose *pose[2], const tac_moving *moving,
                           tac_joint_block *k)
{
    vec3 axis[2][3];
    joint_directions(j, p, k);
    for (int side = 0; side < 2; side++) { quat_axes(pose[side]->q, axis[side]); }
    const vec3 *const of[2] = {axis[0], axis[1]};
    for (int row = 0; row < TAC_JOINT_ROWS; row++) { joint_make_row(of, moving, k, row); }
}

#endif
