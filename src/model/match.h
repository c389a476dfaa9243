// SPDX-License-Identifier: MIT
// match.h - do two models differ in numbers only, so that a state of one can become a state of the other?
//   given   two checked models
//   makes   the first difference in what a state depends on: counts, kinds, bodies of shapes and joints, couplings
//   bound   bodies, shapes and joints
//   never   compares masses, sizes, materials or options
#ifndef MODEL_MATCH_H
#define MODEL_MATCH_H

#include "check.h"

static int match_that(int same, int reason)
{
    return same ? TAC_REASON_NONE : reason;
}

static void match_counts(const tac_model *a, const tac_model *b, tac_fault *fault)
{
    check_note(match_that(a->bodies == b->bodies, TAC_REASON_MISMATCH), TAC_FIELD_COUNT, TAC_COUNT_BODIES, fault);
    check_note(match_that(a->shapes == b->shapes, TAC_REASON_MISMATCH), TAC_FIELD_COUNT, TAC_COUNT_SHAPES, fault);
    check_note(match_that(JOINT_COUNT(a) == JOINT_COUNT(b), TAC_REASON_MISMATCH), TAC_FIELD_COUNT, TAC_COUNT_JOINTS,
               fault);
}

// The impulses of contacts are kept by shape, and by features, which the kind of the shape numbers.
static void match_shape(const tac_shape *a, const tac_shape *b, uint32_t i, tac_fault *fault)
{
    check_note(match_that(a->kind == b->kind, TAC_REASON_KIND), TAC_FIELD_SHAPE_KIND, i, fault);
    check_note(match_that(a->body == b->body, TAC_REASON_MISMATCH), TAC_FIELD_SHAPE_BODY, i, fault);
}

// A coupling counts the revolutions of its two joints, as their frames, leads and limits number them.
static void match_coupling(const tac_model *a, const tac_model *b, uint32_t i, tac_fault *fault)
{
    const tac_joint *j = &JOINT_OF(a)[i];
    const uint16_t part[2] = {j->body_a, j->body_b};
    check_note(match_that(j->length == JOINT_OF(b)[i].length, TAC_REASON_MISMATCH), TAC_FIELD_JOINT_LENGTH, i, fault);
    for (int k = 0; k < 2; k++) {
        const tac_joint *p = &JOINT_OF(a)[part[k]], *q = &JOINT_OF(b)[part[k]];
        const int same = check_same(p, q, offsetof(tac_joint, friction)); // frames, length, limits
        check_note(match_that(same, TAC_REASON_MISMATCH), TAC_FIELD_JOINT, part[k], fault);
    }
}

static void match_joint(const tac_model *a, const tac_model *b, uint32_t i, tac_fault *fault)
{
    const tac_joint *p = &JOINT_OF(a)[i], *q = &JOINT_OF(b)[i];
    const int bodies = p->body_a == q->body_a && p->body_b == q->body_b;
    check_note(match_that(p->kind == q->kind, TAC_REASON_KIND), TAC_FIELD_JOINT_KIND, i, fault);
    check_note(match_that(bodies, TAC_REASON_MISMATCH), TAC_FIELD_JOINT_BODY, i, fault);
    check_note(match_that(SWITCH_MAY(p) == SWITCH_MAY(q), TAC_REASON_MISMATCH), TAC_FIELD_JOINT_SWITCH, i, fault);
    if (p->kind == TAC_COUPLING && !fault->reason) { match_coupling(a, b, i, fault); }
}

// Notes the first difference, unless there is a fault already.
static void match_models(const tac_model *a, const tac_model *b, tac_fault *fault)
{
    match_counts(a, b, fault);
    for (uint16_t i = 0; i < a->bodies && !fault->reason; i++) {
        check_note(match_that(a->body[i].kind == b->body[i].kind, TAC_REASON_KIND), TAC_FIELD_BODY_KIND, i, fault);
    }
    for (uint16_t i = 0; i < a->shapes && !fault->reason; i++) { match_shape(&a->shape[i], &b->shape[i], i, fault); }
    for (uint32_t i = 0; i < JOINT_COUNT(a) && !fault->reason; i++) { match_joint(a, b, i, fault); }
}

#endif
