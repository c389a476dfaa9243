// SPDX-License-Identifier: MIT
// free.h - one body by itself: rotation without torque, and the pose and velocity that changes of velocity lead to.
//   given   inertia and angular momentum; pose, twist, their changes
//   makes   the change of angular momentum in the body's frame; the next pose and twist
//   bound   FREE_MIDPOINT iterations a body
//   never   applies an explicit gyroscopic torque: |L| would drift
#ifndef MOTION_FREE_H
#define MOTION_FREE_H

#include "../base/vec.h"

#define FREE_MIDPOINT 4 // fixed-point iterations for the mean rate; the remaining error is of order (h w)^5

// Free rotation over one step, from angular momentum `start` (body frame). It is constant in the world; in the body's
// frame it rotates backwards by the rotation that the body makes, exp(h W). With the mean rate W = I^-1 (L + L+)/2 this
// is the midpoint rule: |L| is kept to rounding and the energy error stays bounded. Returns W; `change` is L+ - L,
// computed as a difference, so that steady rotation loses nothing by rounding.
static vec3 free_rotate(vec3 inv_inertia, real h, vec3 start, vec3 *change)
{
    vec3 mean = start;
    for (int iteration = 0; iteration < FREE_MIDPOINT; iteration++) {
        mean = v3_madd(start, R(0.5) * h, v3_cross(mean, v3_mul(inv_inertia, mean)));
    }
    const vec3 rate = v3_mul(inv_inertia, mean);
    *change = quat_turn(quat_exp(v3_scale(-h, rate)), start);
    return rate;
}

// The same before the impulses of a step are known, where it rotates each body again once they are (move_rotate(),
// tree_motion.h): to third order of the angle, since nothing then is kept by it.
static inline vec3 free_predict(vec3 inv_inertia, real h, vec3 start, vec3 *change)
{
    const vec3 half = v3_madd(start, R(0.5) * h, v3_cross(start, v3_mul(inv_inertia, start)));
    *change = v3_scale(h, v3_cross(half, v3_mul(inv_inertia, half)));
    return v3_mul(inv_inertia, v3_madd(start, R(0.5), *change));
}

// sum += add + compensation in working precision; the rounding error of this addition is the new compensation (Kahan).
static inline void free_sum(vec3 *sum, vec3 add, vec3 *compensation)
{
    const vec3 change = v3_add(add, *compensation), before = *sum;
    *sum = v3_add(before, change);
    *compensation = v3_sub(change, v3_sub(*sum, before));
}

// v+ = v + delta_v, and where the centre of mass goes with it.
static inline void free_advance(real h, const tac_twist *delta_v, const tac_twist *pseudo_velocity, vec3 *p,
                                tac_twist *t, tac_compensation *c)
{
    free_sum(&t->v, delta_v->v, &c->v);
    free_sum(&t->w, delta_v->w, &c->w);
    free_sum(p, v3_scale(h, v3_add(t->v, pseudo_velocity->v)), &c->p);
}

// free_advance(), and q+ = q exp(h (v+ + pseudo_velocity)), TCE17 (54); the quaternion is normalised.
static void free_commit(real h, const tac_twist *delta_v, const tac_twist *pseudo_velocity, tac_pose *q, tac_twist *t,
                        tac_compensation *c)
{
    free_advance(h, delta_v, pseudo_velocity, &q->p, t, c);
    q->q = quat_mul(q->q, quat_exp(v3_scale(h, v3_add(t->w, pseudo_velocity->w))));
    quat_unit(&q->q);
}

#endif
