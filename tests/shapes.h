// SPDX-License-Identifier: MIT
// shapes.h - bodies of every kind and floors of every kind, with masses by hand.
//   given   a model that is being built
//   makes   bodies with one shape each, inertia by formula; floors whose top is z = 0
//   bound   the samples or triangles of a floor
//   never   asks the kernel for a mass
#ifndef SHAPES_H
#define SHAPES_H

#include "begin.h"
#include "truth.h"

static const dq SHAPES_UPRIGHT = {1.0, 0.0, 0.0, 0.0};

/// A step that must not be refused; only the first refusal is told.
static inline tac_status shapes_step(const tac_model *m, tac_state *state, const tac_input *input, tac_work *work)
{
    static int told;
    const tac_status status = tac_step(m, state, input, work);
    if (status < 0 && !told++) { tap_ok(0, "a step is refused"); }
    return status;
}

// --------------------------------------------------------------------------------------------------------- data

/// A box of these half extents as a convex hull of its eight corners. Returns its index for tac_shape.data.
static inline uint16_t shapes_box_hull(tac_model *m, d3 half)
{
    tac_vec3 corner[8];
    for (int i = 0; i < 8; i++) {
        corner[i] = vec(i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y, i & 4 ? half.z : -half.z);
    }
    const int32_t index = tac_model_add_hull(m, corner, 8);
    if (index < 0) { tap_ok(0, "the hull is refused"); }
    return (uint16_t)index;
}

/// The same as a mesh of twelve triangles.
static inline uint16_t shapes_box_mesh(tac_model *m, d3 half)
{
    static const uint16_t face[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                                         {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    tac_vec3 corner[8];
    for (int i = 0; i < 8; i++) {
        corner[i] = vec(i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y, i & 4 ? half.z : -half.z);
    }
    const int32_t index = tac_model_add_mesh(m, corner, 8, face, 12);
    if (index < 0) { tap_ok(0, "the mesh is refused"); }
    return (uint16_t)index;
}

// ------------------------------------------------------------------------------------------------------- bodies

/// What a solid body of one shape is: kind, size as in tac_shape, index of its data, rounding.
typedef struct solid {
    uint8_t kind;
    d3 size;
    uint16_t data;
    double rounding;
} solid;

/// Principal moments per mass of a homogeneous solid about its centre of mass; a hull counts as the box of `size`.
static inline d3 shapes_inertia(const solid *s)
{
    const double x = s->size.x, y = s->size.y, z = s->size.z, r2 = x * x, l2 = z * z;
    if (s->kind == TAC_SPHERE) { return d3_make(0.4 * r2, 0.4 * r2, 0.4 * r2); }
    if (s->kind == TAC_ELLIPSOID) {
        return d3_make(0.2 * (y * y + z * z), 0.2 * (x * x + z * z), 0.2 * (x * x + y * y));
    }
    if (s->kind == TAC_CYLINDER) { return d3_make(0.25 * r2 + l2 / 3.0, 0.25 * r2 + l2 / 3.0, 0.5 * r2); }
    if (s->kind == TAC_CONE) { return d3_make(0.15 * (r2 + l2), 0.15 * (r2 + l2), 0.3 * r2); }
    if (s->kind == TAC_CAPSULE) { // a cylinder and two half spheres whose centres lie l + 3r/8 out
        const double middle = 1.5 * z / (1.5 * z + x), ends = 1.0 - middle;
        const double across = middle * (0.25 * r2 + l2 / 3.0) + ends * (0.4 * r2 + 0.75 * x * z + l2);
        return d3_make(across, across, (0.5 * middle + 0.4 * ends) * r2);
    }
    const double a = x + s->rounding, b = y + s->rounding, c = z + s->rounding;
    return d3_make((b * b + c * c) / 3.0, (a * a + c * c) / 3.0, (a * a + b * b) / 3.0);
}

/// Where the centre of mass is in the shape's frame.
static inline d3 shapes_centre(const solid *s)
{
    return d3_make(0, 0, s->kind == TAC_CONE ? -0.5 * s->size.z : 0.0);
}

static inline uint16_t shapes_add(tac_model *m, uint16_t body, const solid *s, d3 at)
{
    const int sized = s->kind < TAC_HULL;
    tac_shape shape = tac_shape_make(body, s->kind, sized ? d3_to(s->size) : vec(1, 1, 1));
    shape.pose.p = d3_to(at);
    shape.data = s->data;
    shape.rounding = (tac_real)s->rounding;
    return (uint16_t)tac_model_add_shape(m, &shape);
}

/// A body whose own frame is its principal frame, at `at`, turned by q. Returns its index.
static inline uint16_t shapes_body(tac_model *m, const solid *s, double mass, d3 at, dq q)
{
    tac_body b = tac_body_make(TAC_DYNAMIC, d3_to(at));
    b.pose.q = dq_to(q);
    b.mass = (tac_real)mass;
    b.inertia = d3_to(d3_scale(mass, shapes_inertia(s)));
    const uint16_t index = (uint16_t)tac_model_add_body(m, &b);
    shapes_add(m, index, s, d3_scale(-1.0, shapes_centre(s)));
    return index;
}

// ------------------------------------------------------------------------------------------------------- floors

enum { FLOOR_PLANE, FLOOR_BOX, FLOOR_HULL, FLOOR_MESH, FLOOR_FIELD, FLOORS };
static const char *const floor_names[] = {"a half-space", "a box", "a hull", "a mesh", "a field"};

/// The floor z = 0, `reach` far to all sides and as deep.
static inline void shapes_floor(tac_model *m, int floor, double reach)
{
    static const tac_height flat[4] = {0, 0, 0, 0};
    static const uint8_t kind[] = {TAC_HALF_SPACE, TAC_BOX, TAC_HULL, TAC_MESH, TAC_HEIGHT_FIELD};
    solid s = {kind[floor], d3_make(reach, reach, reach), 0, 0.0};
    d3 at = d3_make(0, 0, floor == FLOOR_PLANE ? 0.0 : -reach);
    if (floor == FLOOR_HULL) { s.data = shapes_box_hull(m, s.size); }
    if (floor == FLOOR_MESH) { s.data = shapes_box_mesh(m, s.size); }
    if (floor == FLOOR_FIELD) {
        const tac_real width = (tac_real)(2.0 * reach);
        s.data = (uint16_t)tac_model_add_height_field(m, flat, 2, 2, width, width, (tac_real)1);
        at = d3_make(-reach, -reach, 0);
    }
    shapes_add(m, 0, &s, at);
}

#endif
