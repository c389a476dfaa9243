// SPDX-License-Identifier: MIT
// bodies.h - common convex bodies as intersections of inequalities, and the shapes of a model as such bodies.
//   given   sizes; a shape
//   makes   a tac_implicit; of a rounded shape its core
//   bound   TAC_MAX_INEQUALITIES
//   never   makes a body of a capsule, a mesh or a height field: these are no intersections of the inequalities of
//           implicit.h
#ifndef CBAT07_BODIES_H
#define CBAT07_BODIES_H

#include "../model/shape.h"
#include "inequality.h"

static tac_status bodies_half_space(tac_implicit *body, real depth)
{
    const tac_status status = inequality_begin(body, v3(depth, depth, depth), 1);
    if (status) { return status; }
    inequality_add_plane(body, 2, R(1.0), R(0.0));
    body->inside.z = -depth;
    return TAC_OK;
}

static tac_status bodies_ellipsoid(tac_implicit *body, vec3 size)
{
    const tac_status status = inequality_begin(body, size, 1);
    if (status) { return status; }
    (void)inequality_add(body, TAC_WITHIN_ELLIPSOID, size);
    return TAC_OK;
}

static tac_status bodies_sphere(tac_implicit *body, real radius)
{
    return bodies_ellipsoid(body, v3(radius, radius, radius));
}

static tac_status bodies_superellipsoid(tac_implicit *body, vec3 size, uint8_t p, uint8_t q, uint8_t r)
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

static tac_status bodies_cylinder(tac_implicit *body, real radius, real half)
{
    const vec3 size = v3(radius, radius, half);
    const tac_status status = inequality_begin(body, size, 3);
    if (status) { return status; }
    (void)inequality_add(body, TAC_WITHIN_CYLINDER, size);
    inequality_add_plane(body, 2, R(1.0), half);
    inequality_add_plane(body, 2, R(-1.0), half);
    return TAC_OK;
}

static tac_status bodies_cone(tac_implicit *body, real radius, real height)
{
    const vec3 size = v3(radius, radius, height);
    const tac_status status = inequality_begin(body, size, 2);
    if (status) { return status; }
    inequality_add(body, TAC_WITHIN_CONE, size)->pose.p.z = R(0.75) * height;
    inequality_add_plane(body, 2, R(-1.0), R(0.25) * height);
    return TAC_OK;
}

static tac_status bodies_box(tac_implicit *body, vec3 half)
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

// ------------------------------------------------------------------------------------------------- shapes of a model

#if TAC_MAX_NCP > 0

// The frame of a plane of any normal. For one that looks down, that of the opposite normal turned over: half a turn
// about e_z + n would round badly.
static quat bodies_face_frame(vec3 n)
{
    const quat over = {R(0.0), R(1.0), R(0.0), R(0.0)};
    return n.z < R(0.0) ? quat_mul(inequality_frame_of(v3_scale(R(-1.0), n)), over) : inequality_frame_of(n);
}

// A convex hull, of as many inequalities as it has faces. Its inside is the centre of its points.
static tac_status bodies_hull(tac_implicit *body, const tac_model *m, const tac_polyhedron *h)
{
    vec3 sum = V3_ZERO;
    if (h->faces > TAC_MAX_INEQUALITIES) { return TAC_E_FULL; }
    bytes_clear(body, sizeof *body);
    for (const tac_face *f = &m->face[h->first_face], *end = f + h->faces; f < end; f++) {
        tac_inequality *k = inequality_add(body, TAC_WITHIN_PLANE, V3_ZERO);
        k->pose.q = bodies_face_frame(f->n);
        k->pose.p = v3_scale(f->d, f->n);
    }
    for (uint16_t i = 0; i < h->points; i++) { sum = v3_add(sum, m->point[h->first_point + i]); }
    body->inside = v3_scale(R(1.0) / (real)h->points, sum);
    return TAC_OK;
}

// The cone of a shape, whose origin is half way up.
static tac_status bodies_cone_shape(tac_implicit *body, vec3 size)
{
    const tac_status status = bodies_cone(body, size.x, R(2.0) * size.z);
    const real down = R(0.5) * size.z;
    if (status) { return status; }
    body->inside.z -= down;
    for (int i = 0; i < body->count; i++) { body->f[i].pose.p.z -= down; }
    return TAC_OK;
}

// The core of a shape in the shape's frame; that of a half-space is bounded by its own plane alone, and the ball of a
// sphere belongs to its core. TAC_E_ARG: the shape is of another kind; TAC_E_FULL: it has too many faces.
static tac_status bodies_shape(tac_implicit *body, const tac_model *m, const tac_shape *s)
{
    switch (s->kind) {
    case TAC_HALF_SPACE:
        return bodies_half_space(body, R(1.0));
    case TAC_SPHERE:
        return bodies_sphere(body, s->size.x + s->rounding);
    case TAC_BOX:
        return bodies_box(body, s->size);
    case TAC_CYLINDER:
        return bodies_cylinder(body, s->size.x, s->size.z);
    case TAC_CONE:
        return bodies_cone_shape(body, s->size);
    case TAC_ELLIPSOID:
        return bodies_ellipsoid(body, s->size);
    case TAC_HULL:
        return bodies_hull(body, m, &m->polyhedron[s->data]);
    default:
        return TAC_E_ARG;
    }
}

#endif

#endif
