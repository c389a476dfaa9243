// SPDX-License-Identifier: MIT
// implicit.h - the API: implicit bodies and their closest points.
//   given   arguments of the caller
//   makes   implicit functions of tactus.h
//   bound   as tactus.h states
//   never   reads a model
#ifndef API_IMPLICIT_H
#define API_IMPLICIT_H

#include "../implicit/implicit.h"

tac_status tac_implicit_half_space(tac_implicit *body, tac_real depth)
{
    const tac_status status = inequality_begin(body, v3(depth, depth, depth), 1);
    if (status) { return status; }
    inequality_add_plane(body, 2, R(1.0), R(0.0));
    body->inside.z = -depth;
    return TAC_OK;
}

tac_status tac_implicit_sphere(tac_implicit *body, tac_real radius)
{
    return tac_implicit_ellipsoid(body, v3(radius, radius, radius));
}

tac_status tac_implicit_ellipsoid(tac_implicit *body, tac_vec3 size)
{
    const tac_status status = inequality_begin(body, size, 1);
    if (status) { return status; }
    (void)inequality_add(body, TAC_WITHIN_ELLIPSOID, size);
    return TAC_OK;
}

tac_status tac_implicit_superellipsoid(tac_implicit *body, tac_vec3 size, uint8_t p, uint8_t q, uint8_t r)
{
    if (!inequality_powers_known(p, q, r)) { return TAC_E_ARG; }
    const tac_status status = inequality_begin(body, size, 1);
    if (status) { return status; }
    tac_inequality *f = inequality_add(body, TAC_WITHIN_SUPERELLIPSOID, size);
    f->power[0] = p;
    f->power[1] = q;
    f->power[2] = r;
    return TAC_OK;
}

tac_status tac_implicit_cylinder(tac_implicit *body, tac_real radius, tac_real half)
{
    const vec3 size = v3(radius, radius, half);
    const tac_status status = inequality_begin(body, size, 3);
    if (status) { return status; }
    (void)inequality_add(body, TAC_WITHIN_CYLINDER, size);
    inequality_add_plane(body, 2, R(1.0), half);
    inequality_add_plane(body, 2, R(-1.0), half);
    return TAC_OK;
}

tac_status tac_implicit_cone(tac_implicit *body, tac_real radius, tac_real height)
{
    const vec3 size = v3(radius, radius, height);
    const tac_status status = inequality_begin(body, size, 2);
    if (status) { return status; }
    inequality_add(body, TAC_WITHIN_CONE, size)->pose.p.z = R(0.75) * height;
    inequality_add_plane(body, 2, R(-1.0), R(0.25) * height);
    return TAC_OK;
}

tac_status tac_implicit_box(tac_implicit *body, tac_vec3 half)
{
    const tac_status status = inequality_begin(body, half, 6);
    if (status) { return status; }
    for (int side = 0; side < 6; side++) {
        const int axis = side / 2;
        const real h = axis == 0 ? half.x : (axis == 1 ? half.y : half.z);
        inequality_add_plane(body, axis, side % 2 ? R(-1.0) : R(1.0), h);
    }
    return TAC_OK;
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
