// SPDX-License-Identifier: MIT
// rigid.h - the motion of a mechanism as one rigid body that has its momentum.
//   given   mass, inertia, place and momentum of each of its bodies
//   makes   the velocity of its point and the rate of that motion, world frame
//   bound   one visit to each body
//   never   divides by zero: a body has a mass and moments of inertia
#ifndef STEP_RIGID_H
#define STEP_RIGID_H

#include "../base/vec.h"

// With P and L the momenta, L about the centre of mass, its velocity there is P/m and its rate J^-1 L. The sums are
// those about any point.
typedef struct rigid_sum {
    real mass;
    vec3 moment, linear, angular; // first moment of mass; momenta
    sym3 inertia;
} rigid_sum;

// The inertia of a point mass, r from the point that the inertia is about.
static inline void rigid_add_point(real mass, vec3 r, sym3 *inertia)
{
    const vec3 s = v3_scale(mass, r), q = v3_mul(s, r);
    inertia->xx += q.y + q.z, inertia->yy += q.x + q.z, inertia->zz += q.x + q.y;
    inertia->xy -= s.x * r.y, inertia->xz -= s.x * r.z, inertia->yz -= s.y * r.z;
}

// Adds a body whose centre of mass is r from the point; its angular momentum is in its principal frame.
static void rigid_add(const tac_moving *body, const vec3 axis[3], vec3 r, const tac_twist *momentum, rigid_sum *sum)
{
    sum->mass += body->mass;
    sum->moment = v3_madd(sum->moment, body->mass, r);
    sum->linear = v3_add(sum->linear, momentum->v);
    sum->angular = v3_add(sum->angular, v3_add(v3_combine(axis, momentum->w), v3_cross(r, momentum->v)));
    sym3_add_rotated(&sum->inertia, body->inertia, axis);
    rigid_add_point(body->mass, r, &sum->inertia);
}

// The motion, about the point.
static tac_twist rigid_motion(rigid_sum *sum)
{
    const real part = R(1.0) / sum->mass;
    const vec3 centre = v3_scale(part, sum->moment);
    sym3 inverse;
    rigid_add_point(-sum->mass, centre, &sum->inertia);
    sym3_inverse(&sum->inertia, &inverse);
    const vec3 turn = sym3_mul(&inverse, v3_sub(sum->angular, v3_cross(centre, sum->linear)));
    return (tac_twist){v3_madd(v3_cross(centre, turn), part, sum->linear), turn};
}

#endif
