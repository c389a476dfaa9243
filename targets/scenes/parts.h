// SPDX-License-Identifier: MIT
// parts.h - parts that all scenes use: a world with a floor, bodies with their mass, actions on them.
//   given   lengths, masses, densities
//   makes   elements of a model that is not sealed yet
//   bound   constant each
//   never   computes with functions that differ between machines
#ifndef PARTS_H
#define PARTS_H

#include "scenes.h"

#define R(x) ((tac_real)(x))

static tac_vec3 vec(tac_real x, tac_real y, tac_real z)
{
    return (tac_vec3){x, y, z};
}

// An empty world with one material and the floor z = 0 on the ground. Free bodies are swept, so that kernels with and
// without TAC_MAX_FILL have the same bits.
static void world(tac_model *model, tac_real h, tac_real friction, tac_real restitution)
{
    tac_model_init(model);
    model->options.solver = TAC_SOLVER_ACCELERATED;
    model->h = h;
    tac_model_add_material(model, friction, restitution);
}

static uint16_t shape(tac_model *model, uint16_t body, uint8_t kind, tac_vec3 size)
{
    const tac_shape s = tac_shape_make(body, kind, size);
    return (uint16_t)tac_model_add_shape(model, &s);
}

static void floor_plane(tac_model *model)
{
    shape(model, 0, TAC_HALF_SPACE, vec(R(0), R(0), R(0)));
}

static uint16_t body(tac_model *model, uint8_t kind, tac_vec3 position, tac_real mass, tac_vec3 inertia)
{
    tac_body b = tac_body_make(kind, position);
    b.mass = mass;
    b.inertia = inertia;
    return (uint16_t)tac_model_add_body(model, &b);
}

static uint16_t box(tac_model *model, tac_vec3 position, tac_vec3 half, tac_real mass)
{
    const tac_real xx = half.x * half.x, yy = half.y * half.y, zz = half.z * half.z, third = mass / R(3);
    const uint16_t b =
        body(model, TAC_DYNAMIC, position, mass, vec(third * (yy + zz), third * (xx + zz), third * (xx + yy)));
    shape(model, b, TAC_BOX, half);
    return b;
}

static inline tac_action action(uint16_t on, uint16_t kind, tac_vec3 linear, tac_vec3 angular, tac_vec3 point)
{
    return (tac_action){linear, angular, point, on, kind};
}

static inline int same_text(const char *a, const char *b)
{
    while (*a != '\0' && *a == *b) {
        a++;
        b++;
    }
    return *a == *b;
}

#endif
