// SPDX-License-Identifier: MIT
// shape.h - what a shape is by itself: its reach, and its mass if it were solid.
//   given   a shape, and the data of its kind in the model
//   makes   box, bounding radius, thickness; volume, second moments
//   bound   constant
//   never   looks at bodies or poses in the world
#ifndef MODEL_SHAPE_H
#define MODEL_SHAPE_H

#include "../base/tree.h"

#define SHAPE_UNBOUNDED R(-1.0) // the radius of a half-space
#define SHAPE_PI R(3.14159265358979323846)

// Is this shape's outside all that its surface looks at: solid without end below it?
static int shape_endless(uint8_t kind)
{
    return kind == TAC_HALF_SPACE || kind == TAC_MESH || kind == TAC_FIELD;
}

// The box around a bounded shape in its own frame, its rounding left out.
static void shape_box(const tac_model *m, const tac_shape *s, vec3 *low, vec3 *high)
{
    const vec3 size = s->size;
    vec3 half = size;
    if (s->kind == TAC_HULL || s->kind == TAC_MESH) {
        *low = m->polyhedron[s->data].low;
        *high = m->polyhedron[s->data].high;
        return;
    }
    if (s->kind == TAC_FIELD) {
        const tac_field *f = &m->field[s->data];
        *low = v3(R(0.0), R(0.0), f->low);
        *high = v3(f->dx * (real)(f->columns - 1), f->dy * (real)(f->rows - 1), f->high);
        return;
    }
    if (s->kind == TAC_SPHERE) { half = v3(size.x, size.x, size.x); }
    if (s->kind == TAC_CAPSULE) { half = v3(size.x, size.x, size.x + size.z); }
    if (s->kind == TAC_CYLINDER || s->kind == TAC_CONE) { half = v3(size.x, size.x, size.z); }
    *low = v3_scale(R(-1.0), half);
    *high = half;
}

// Radius of a sphere about the shape's origin that bounds it.
static real shape_radius(const tac_model *m, const tac_shape *s)
{
    if (s->kind == TAC_HALF_SPACE) { return SHAPE_UNBOUNDED; }
    if (s->kind == TAC_SPHERE) { return s->size.x + s->rounding; }
    if (s->kind == TAC_CAPSULE) { return s->size.x + s->size.z + s->rounding; }
    vec3 low, high;
    shape_box(m, s, &low, &high);
    const vec3 far = v3(real_max(-low.x, high.x), real_max(-low.y, high.y), real_max(-low.z, high.z));
    return v3_norm(far) + s->rounding;
}

// The smallest half extent: what the default margin scales with. What is solid without end is not thin.
static real shape_thickness(const tac_model *m, const tac_shape *s)
{
    if (shape_endless(s->kind)) { return REAL_LARGEST; }
    vec3 low, high;
    shape_box(m, s, &low, &high);
    const vec3 width = v3_sub(high, low);
    return R(0.5) * real_min(width.x, real_min(width.y, width.z)) + s->rounding;
}

// Volume (m3) and second moments per density (m5), the integrals of x2, y2 and z2, about the shape's origin.
static real shape_solid(uint8_t kind, vec3 size, vec3 *second)
{
    const real r = size.x, rr = r * r;
    if (kind == TAC_BOX) {
        const real volume = R(8.0) * size.x * size.y * size.z;
        *second = v3_scale(volume / R(3.0), v3_mul(size, size));
        return volume;
    }
    // a cylinder of half length l and two half spheres whose centres lie l + 3r/8 out; a sphere is all ends
    const real l = kind == TAC_CAPSULE ? size.z : R(0.0);
    const real cylinder = R(2.0) * SHAPE_PI * rr * l, ends = R(4.0) / R(3.0) * SHAPE_PI * rr * r;
    const real across = rr * (R(0.25) * cylinder + R(0.2) * ends);
    *second = v3(across, across, cylinder * l * l / R(3.0) + ends * (R(0.2) * rr + R(0.75) * r * l + l * l));
    return cylinder + ends;
}

#endif
