// SPDX-License-Identifier: MIT
// bodies.h - what the worlds of many tests are made of: a floor, bodies by mass and principal moments.
//   given   a model, not yet sealed
//   makes   a shape or a body of it
//   bound   constant
//   never   adds a material
#ifndef BODIES_H
#define BODIES_H

#include "truth.h"

static inline void add_floor(tac_model *m)
{
    const tac_shape floor = tac_shape_make(0, TAC_HALF_SPACE, vec(1, 1, 1));
    tac_model_add_shape(m, &floor);
}

static inline uint16_t add_body(tac_model *m, d3 at, double mass, d3 inertia)
{
    tac_body b = tac_body_make(TAC_DYNAMIC, d3_to(at));
    b.mass = (tac_real)mass;
    b.inertia = d3_to(inertia);
    return (uint16_t)tac_model_add_body(m, &b);
}

/// A box whose mass follows from its density.
static inline tac_body *add_box_by_density(tac_model *m, d3 at, d3 half, double density)
{
    const tac_body b = tac_body_make(TAC_DYNAMIC, d3_to(at));
    const uint16_t i = (uint16_t)tac_model_add_body(m, &b);
    const tac_shape s = tac_shape_make(i, TAC_BOX, d3_to(half));
    tac_model_add_shape(m, &s);
    tac_model_mass_from_shapes(m, i, (tac_real)density);
    return &m->body[i];
}

#endif
