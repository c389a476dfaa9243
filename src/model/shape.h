// SPDX-License-Identifier: MIT
// shape.h - what a shape is by itself: its reach, and its mass if it were solid.
//   given   kind and size of a shape
//   makes   bounding radius, volume, second moments
//   bound   constant
//   never   looks at bodies or poses in the world
#ifndef MODEL_SHAPE_H
#define MODEL_SHAPE_H

#include "../base/hash.h"

#define SHAPE_UNBOUNDED R(-1.0) // the radius of a half-space
#define SHAPE_PI R(3.14159265358979323846)

// Radius of the bounding sphere about the shape's origin.
static real shape_radius(uint8_t kind, vec3 size)
{
    switch (kind) {
    case TAC_SPHERE:
        return size.x;
    case TAC_CAPSULE:
        return size.x + size.z;
    case TAC_BOX:
        return v3_norm(size);
    default:
        return SHAPE_UNBOUNDED;
    }
}

// The smallest half extent: what the default margin scales with. A half-space has no end.
static real shape_thickness(uint8_t kind, vec3 size)
{
    if (kind == TAC_HALF_SPACE) { return REAL_LARGEST; }
    return kind == TAC_BOX ? real_min(size.x, real_min(size.y, size.z)) : size.x;
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
