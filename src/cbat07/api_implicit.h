// SPDX-License-Identifier: MIT
// api_implicit.h - the API: implicit bodies and their closest points.
//   given   arguments of the caller
//   makes   implicit functions of tactus.h
//   bound   as tactus.h states
//   never   reads a model
#ifndef CBAT07_API_IMPLICIT_H
#define CBAT07_API_IMPLICIT_H

#include "bodies.h"
#include "implicit.h"

tac_status tac_implicit_half_space(tac_implicit *body, tac_real depth)
{
    return bodies_half_space(body, depth);
}

tac_status tac_implicit_sphere(tac_implicit *body, tac_real radius)
{
    return bodies_sphere(body, radius);
}

tac_status tac_implicit_ellipsoid(tac_implicit *body, tac_vec3 size)
{
    return bodies_ellipsoid(body, size);
}

tac_status tac_implicit_superellipsoid(tac_implicit *body, tac_vec3 size, uint8_t p, uint8_t q, uint8_t r)
{
    return bodies_superellipsoid(body, size, p, q, r);
}

tac_status tac_implicit_cylinder(tac_implicit *body, tac_real radius, tac_real half)
{
    return bodies_cylinder(body, radius, half);
}

tac_status tac_implicit_cone(tac_implicit *body, tac_real radius, tac_real height)
{
    return bodies_cone(body, radius, height);
}

tac_status tac_implicit_box(tac_implicit *body, tac_vec3 half)
{
    return bodies_box(body, half);
}

tac_status tac_implicit_closest(const tac_implicit *a, const tac_pose *pose_a, const tac_implicit *b,
                                const tac_pose *pose_b, tac_implicit_work *work, tac_closest *closest)
{
    if (!TAC_CONVEX || a == NULL || pose_a == NULL || b == NULL || pose_b == NULL || work == NULL || closest == NULL) {
        return TAC_E_ARG;
    }
    return implicit_closest(a, pose_a, b, pose_b, work, closest);
}

#endif
