// SPDX-License-Identifier: MIT
// parameter.h - parameters of a model by kind and index: what a fit finds, and a derivative is taken by.
//   given   a model, a kind of include/tactus/parameter.h, an index
//   makes   what the index counts; a reason if the model has no such parameter
//   bound   constant
//   never   reads or writes the number itself
#ifndef MODEL_PARAMETER_H
#define MODEL_PARAMETER_H

#include "check.h"

#if TAC_PREDICT || TAC_MAX_LCP > 0

// What the index of a kind counts.
enum {
    PARAMETER_OF_MATERIAL,
    PARAMETER_OF_PAIR,
    PARAMETER_OF_SHAPE,
    PARAMETER_OF_BODY,
    PARAMETER_OF_JOINT,
    PARAMETER_OF_WORLD
};

static int parameter_owner(uint8_t kind)
{
    if (kind >= TAC_FIT_GRAVITY) { return PARAMETER_OF_WORLD; }
    if (kind >= TAC_FIT_JOINT_FRICTION) { return PARAMETER_OF_JOINT; }
    if (kind >= TAC_FIT_MASS) { return PARAMETER_OF_BODY; }
    if (kind >= TAC_FIT_ROUNDING) { return PARAMETER_OF_SHAPE; }
    return kind >= TAC_FIT_PAIR_FRICTION ? PARAMETER_OF_PAIR : PARAMETER_OF_MATERIAL;
}

// Does the model have this parameter? Returns a reason.
static int parameter_named(const tac_model *m, uint8_t kind, uint16_t index)
{
    const uint32_t count[] = {m->materials, m->material_pairs, m->shapes, m->bodies, JOINT_COUNT(m), 1};
    if (kind >= TAC_FIT_KINDS || index >= count[parameter_owner(kind)]) { return TAC_REASON_RANGE; }
    if (kind == TAC_FIT_ROUNDING) {
        const uint8_t shape = m->shape[index].kind;
        return shape == TAC_BOX || shape == TAC_CYLINDER ? TAC_REASON_NONE : TAC_REASON_KIND;
    }
    if (parameter_owner(kind) == PARAMETER_OF_BODY) {
        return m->body[index].kind == TAC_DYNAMIC ? TAC_REASON_NONE : TAC_REASON_KIND;
    }
    if (parameter_owner(kind) != PARAMETER_OF_JOINT) { return TAC_REASON_NONE; }
    return joint_has_coordinate(JOINT_OF(m)[index].kind) ? TAC_REASON_NONE : TAC_REASON_KIND;
}

#endif

#endif
