// SPDX-License-Identifier: MIT
// solid.h - a shape in a test: what it is and where, in double precision.
//   given   kind, sizes, pose; the points of a hull
//   makes   the same shape moved, scaled, or as the kernel's precision can hold it
//   bound   constant
//   never   calls the kernel
#ifndef SOLID_H
#define SOLID_H

#include "truth.h"

typedef struct solid {
    uint8_t kind;
    d3 size;
    d3 p;
    dq q;
    double rounding;
    const d3 *point; // a hull: its points, in its own frame, to be multiplied by size.x
    int points;
} solid;

static inline solid solid_make(uint8_t kind, d3 size, d3 p, dq q)
{
    return (solid){kind, size, p, q, 0.0, NULL, 0};
}

// The solid as a tac_real can hold it, so that truth and kernel speak of the same one. Its quaternion is a unit again.
static inline solid solid_held(const solid *s)
{
    solid held = *s;
    held.size = d3_of(d3_to(s->size));
    held.p = d3_of(d3_to(s->p));
    held.rounding = (double)(tac_real)s->rounding;
    const dq q = dq_of(dq_to(s->q));
    const double norm = d_sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    held.q = (dq){q.w / norm, q.x / norm, q.y / norm, q.z / norm};
    return held;
}

// All of it scaled, then turned, then shifted.
static inline solid solid_moved(const solid *s, d3 shift, dq turn, double scale)
{
    solid m = *s;
    m.p = d3_add(shift, d3_scale(scale, dq_rotate(turn, s->p)));
    m.q = dq_mul(turn, s->q);
    m.size = d3_scale(scale, s->size);
    m.rounding = scale * s->rounding;
    return m;
}

// Corner of a hull in its own frame, as the kernel is given it.
static inline d3 solid_point(const solid *s, int i)
{
    return d3_of(d3_to(d3_scale(s->size.x, s->point[i])));
}

#endif
