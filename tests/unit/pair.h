// SPDX-License-Identifier: MIT
// pair.h - two shapes and what the kernel says of their contact, beside what is true.
//   given   kinds, sizes, poses
//   makes   contacts by one step of a world without gravity; distances from convex analysis, not from cases
//   bound   PAIR_PROJECTIONS projections
//   never   uses the kernel's geometry
#ifndef PAIR_H
#define PAIR_H

#include "tap.h"
#include "truth.h"

typedef struct solid {
    uint8_t kind;
    d3 size;
    d3 p;
    dq q;
} solid;

static tac_model pair_model;
static tac_state pair_state;
static tac_work pair_work;

static void pair_add(const solid *s)
{
    tac_body b = tac_body_make(TAC_DYNAMIC, d3_to(s->p));
    b.pose.q = dq_to(s->q);
    if (s->kind == TAC_HALF_SPACE) { b.kind = TAC_KINEMATIC; }
    const int32_t index = tac_model_add_body(&pair_model, &b);
    const tac_shape shape_def = tac_shape_make((uint16_t)index, s->kind, d3_to(s->size));
    tac_model_add_shape(&pair_model, &shape_def);
}

// Contacts of a (body 1) and b (body 2) nearer than `margin`, in pair_work. Returns their number, or < 0.
static int pair_meet(const solid *a, const solid *b, double margin)
{
    tac_model_init(&pair_model);
    tac_model_add_material(&pair_model, (tac_real)0.5, 0);
    pair_model.gravity = vec(0, 0, 0);
    pair_model.options.margin = (tac_real)margin;
    pair_model.options.max_sweeps = 1;
    pair_add(a);
    pair_add(b);
    if (tac_model_seal(&pair_model, NULL) != TAC_OK) { return -1; }
    if (tac_state_init(&pair_model, &pair_state, NULL) != TAC_OK) { return -2; }
    if (tac_step(&pair_model, &pair_state, NULL, &pair_work) < 0) { return -3; }
    return pair_work.report.contacts;
}

// Index of the deepest contact; the first if there is none.
static int pair_deepest(void)
{
    int deepest = 0;
    for (int i = 1; i < pair_work.report.contacts; i++) {
        if (pair_work.contact[i].gap < pair_work.contact[deepest].gap) { deepest = i; }
    }
    return deepest;
}

#endif
