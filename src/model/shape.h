// SPDX-License-Identifier: MIT
// shape.h - what a shape is by itself: its reach, and its mass if it were solid.
//   given   kind and size of a shape
//   makes   bounding radius, volume, principal moments
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

// The smallest half extent: what the default margin scales with.
static real shape_thickness(uint8_t kind, vec3 size)
{
    if (kind == TAC_HALF_SPACE) { return REAL_LARGEST; }
    return kind == TAC_BOX ? real_min(size.x, real_min(size.y, size.z)) : size.x;
}

// Volume (m3) and principal moments per density (m5) about the shape's origin.
static real shape_solid(uint8_t kind, vec3 size, vec3 *moments)
{
    const real r = size.x, rr = r * r;
    if (kind == TAC_SPHERE) {
        const real volume = R(4.0) / R(3.0) * SHAPE_PI * rr * r;
        const real i = R(0.4) * volume * rr;
        *moments = v3(i, i, i);
        return volume;
    }
    if (kind == TAC_CAPSULE) { // a cylinder of half length l and two half spheres whose centres lie l + 3r/8 out
        const real l = size.z;
        const real cylinder = R(2.0) * SHAPE_PI * rr * l, ends = R(4.0) / R(3.0) * SHAPE_PI * rr * r;
        const real across = cylinder * (R(0.25) * rr + l * l / R(3.0)) + ends * (R(0.4) * rr + R(0.75) * r * l + l * l);
        *moments = v3(across, across, R(0.5) * cylinder * rr + R(0.4) * ends * rr);
        return cylinder + ends;
    }
    const vec3 q = v3_mul(size, size); // box
    const real volume = R(8.0) * size.x * size.y * size.z;
    *moments = v3_scale(volume / R(3.0), v3(q.y + q.z, q.z + q.x, q.x + q.y));
    return volume;
}

#endif
