// SPDX-License-Identifier: MIT
// belt.h - surfaces that move over their bodies: hash; accessors that are empty with TAC_MAX_SURFACES 0.
//   given   TAC_MAX_SURFACES; the table of a model, actions, blocks of contacts
//   makes   BELT_*: the field, or nothing; the hash of the table
//   bound   one pass over the surfaces
//   never   stores anything where there is no field
#ifndef MODEL_BELT_H
#define MODEL_BELT_H

#include "../base/hash.h"

// Without TAC_MAX_SURFACES there are no tables: loops run over no elements, and compilers remove them.
#if TAC_MAX_SURFACES > 0
#define BELT_COUNT(m) ((m)->surfaces)
#define BELT_OF(m) ((m)->surface)
#define BELT_FILL(m) ((void)((m)->surfaces = UINT32_MAX))
#define BELT_ADD(m) ((m)->surfaces++)
#define BELT_MOTIONS(w) ((w)->surfaces)
#define BELT_SET_MOTIONS(w, count) ((void)((w)->surfaces = (count)))
#define BELT_MOTION(w) ((w)->surface)
#define BELT_SLIP(k) ((k)->slip)
#define BELT_SET_SLIP(k, value) ((void)((k)->slip = (value)))
#else
#define BELT_COUNT(m) ((void)(m), UINT32_C(0))
#define BELT_OF(m) ((void)(m), (tac_surface *)NULL)
#define BELT_FILL(m) ((void)(m))
#define BELT_ADD(m) ((void)(m), 0)
#define BELT_MOTIONS(w) ((void)(w), UINT32_C(0))
#define BELT_SET_MOTIONS(w, count) ((void)(w), (void)(count))
#define BELT_MOTION(w) ((void)(w), (tac_surface_motion *)NULL)
#define BELT_SLIP(k) ((void)(k), V3_ZERO)
#define BELT_SET_SLIP(k, value) ((void)(k), (void)(value))
#endif

// Is the action one of a surface? The others are of a body.
static inline int belt_action(const tac_action *a)
{
    return TAC_MAX_SURFACES > 0 && a->kind == TAC_SURFACE;
}

// A model without surfaces has the same hash as with TAC_MAX_SURFACES 0.
static uint64_t belt_hash(const tac_model *m, uint64_t hash)
{
    if (BELT_COUNT(m) > 0) { hash = hash_number(hash, UINT64_C(1024) + BELT_COUNT(m)); }
    for (uint32_t i = 0; i < BELT_COUNT(m); i++) {
        const tac_surface *x = &BELT_OF(m)[i];
        hash = hash_reals(hash_number(hash, x->shape), x, offsetof(tac_surface, shape));
    }
    return hash;
}

#endif
