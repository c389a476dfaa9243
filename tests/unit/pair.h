// SPDX-License-Identifier: MIT
// pair.h - two shapes and what the kernel says of their contact.
//   given   solids
//   makes   contacts by one step of a world without gravity
//   bound   one step
//   never   uses the kernel's geometry for anything but the answer
#ifndef PAIR_H
#define PAIR_H

#include "solid.h"
#include "tap.h"

enum { PAIR_HULL_POINTS = 64 };

static tac_model pair_model;
static tac_state pair_state;
static tac_work pair_work;

// The hull of a solid as a polyhedron of the model. Returns its index, or < 0.
static inline int32_t pair_add_hull(const solid *s)
{
    static tac_vec3 point[PAIR_HULL_POINTS];
    if (s->points > PAIR_HULL_POINTS) { return -1; }
    for (int i = 0; i < s->points; i++) { point[i] = d3_to(solid_point(s, i)); }
    return tac_model_add_hull(&pair_model, point, (uint32_t)s->points);
}

// Of a mass of 1 kg with about the shape's size: the kernel refuses less than it can compute with.
static inline double pair_inertia(const solid *s)
{
    double reach = d3_norm(s->size) + s->rounding;
    for (int i = 0; i < s->points && s->kind == TAC_HULL; i++) { reach = d_max(reach, d3_norm(solid_point(s, i))); }
    return d_max(1, 0.1 * reach * reach);
}

// Returns 1 if the kernel took body and shape.
static int pair_add(const solid *s)
{
    const double k = pair_inertia(s);
    tac_body b = tac_body_make(TAC_DYNAMIC, d3_to(s->p));
    b.pose.q = dq_to(s->q);
    b.inertia = vec(k, k, k);
    if (s->kind == TAC_HALF_SPACE) { b.kind = TAC_KINEMATIC; }
    const int32_t index = tac_model_add_body(&pair_model, &b);
    tac_shape shape_def = tac_shape_make((uint16_t)index, s->kind, d3_to(s->size));
    shape_def.rounding = (tac_real)s->rounding;
    if (s->kind == TAC_HULL) {
        const int32_t data = pair_add_hull(s);
        if (data < 0) { return 0; }
        shape_def.data = (uint16_t)data;
    }
    return tac_model_add_shape(&pair_model, &shape_def) >= 0;
}

// Contacts of a (body 1) and b (body 2) nearer than `margin`, in pair_work. Returns their number, or < 0.
static int pair_meet(const solid *a, const solid *b, double margin)
{
    tac_model_init(&pair_model);
    tac_model_add_material(&pair_model, (tac_real)0.5, 0);
    pair_model.gravity = vec(0, 0, 0);
    pair_model.options.margin = (tac_real)margin;
    pair_model.options.max_sweeps = 1;
    if (!pair_add(a) || !pair_add(b)) { return -4; }
    if (tac_model_seal(&pair_model, NULL) != TAC_OK) { return -1; }
    if (tac_state_init(&pair_model, &pair_state, NULL) != TAC_OK) { return -2; }
    if (tac_step(&pair_model, &pair_state, NULL, &pair_work) < 0) { return -3; }
    return pair_work.report.contacts;
}

// Index of the deepest contact; the first if there is none.
static inline int pair_deepest(void)
{
    int deepest = 0;
    for (int i = 1; i < pair_work.report.contacts; i++) {
        if (pair_work.contact[i].gap < pair_work.contact[deepest].gap) { deepest = i; }
    }
    return deepest;
}

#endif
