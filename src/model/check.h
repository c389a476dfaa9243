// SPDX-License-Identifier: MIT
// check.h - is this model one that the step can trust? The first bad field is named.
//   given   a model from anywhere
//   makes   a status and a fault: field, index, reason
//   bound   linear in the model
//   never   changes the model
#ifndef MODEL_CHECK_H
#define MODEL_CHECK_H

#include "model.h"

#define CHECK_UNIT_SLACK R(1e-3)     // how far the squared norm of a quaternion may be from 1
#define CHECK_TRIANGLE_SLACK R(1e-4) // relative: measured inertias of flat parts are on the edge of the inequality
#define CHECK_FRICTION_MAX R(1e6)    // above this is stick for every purpose, and its square must stay finite
#define CHECK_LARGEST (TAC_REAL_BITS == 32 ? R(1e30) : R(1e300))

// The first fault counts: the checks that follow leave it as it is.
static void check_note(int reason, int field, uint32_t index, tac_fault *fault)
{
    if (reason == TAC_REASON_NONE || fault->reason != TAC_REASON_NONE) { return; }
    fault->field = (uint16_t)field;
    fault->index = (uint16_t)index;
    fault->reason = (uint32_t)reason;
}

// What the fault makes of the whole; `otherwise` if it is no matter of finiteness.
static tac_status check_status(const tac_fault *fault, tac_status otherwise)
{
    if (fault->reason == TAC_REASON_NONE) { return TAC_OK; }
    return fault->reason == TAC_REASON_NOT_FINITE ? TAC_E_NAN : otherwise;
}

// Each of these gives a reason, TAC_REASON_NONE if all is well.

static int check_that(int good)
{
    return good ? TAC_REASON_NONE : TAC_REASON_RANGE;
}

static int check_finite(const void *object, size_t size)
{
    return reals_finite(object, size) ? TAC_REASON_NONE : TAC_REASON_NOT_FINITE;
}

static int check_positive(real x)
{
    if (!real_finite(x)) { return TAC_REASON_NOT_FINITE; }
    return x > R(0.0) ? TAC_REASON_NONE : TAC_REASON_NOT_POSITIVE;
}

static int check_pose(const tac_pose *a)
{
    if (!reals_finite(a, sizeof *a)) { return TAC_REASON_NOT_FINITE; }
    return real_abs(quat_norm2(a->q) - R(1.0)) <= CHECK_UNIT_SLACK ? TAC_REASON_NONE : TAC_REASON_NOT_UNIT;
}

static int check_inertia(const vec3 *i)
{
    if (!reals_finite(i, sizeof *i)) { return TAC_REASON_NOT_FINITE; }
    if (!(i->x > R(0.0) && i->y > R(0.0) && i->z > R(0.0))) { return TAC_REASON_NOT_POSITIVE; }
    const real limit = R(0.5) * (i->x + i->y + i->z) * (R(1.0) + CHECK_TRIANGLE_SLACK);
    return real_max(real_max(i->x, i->y), i->z) > limit ? TAC_REASON_TRIANGLE : TAC_REASON_NONE;
}

static int check_within(real x, real most)
{
    return x >= R(0.0) && x <= most;
}

// The most that each real of the options may be, in their order; which of them may be TAC_AUTO.
static const real CHECK_OPTIONS[] = {R(1.0), R(2.0) - REAL_EPSILON, R(1.0),       CHECK_LARGEST,
                                     R(1.0), CHECK_LARGEST,         CHECK_LARGEST};
#define CHECK_OPTIONS_AUTO 0x61

static int check_options(const tac_options *o)
{
    const real *x = (const real *)o; // they stand first
    if (!reals_finite(o, offsetof(tac_options, max_sweeps))) { return TAC_REASON_NOT_FINITE; }
    if (!(o->omega > R(0.0) && o->lambda > R(0.0))) { return TAC_REASON_NOT_POSITIVE; }
    for (int i = 0; i < 7; i++) {
        const int automatic = x[i] == TAC_AUTO && (CHECK_OPTIONS_AUTO >> i & 1);
        if (!automatic && !check_within(x[i], CHECK_OPTIONS[i])) { return TAC_REASON_RANGE; }
    }
    return check_that(o->max_sweeps >= 1 && o->max_sweeps <= 10000 && o->solver <= TAC_SOLVER_PLAIN &&
                      o->friction <= TAC_FRICTION_RELAXED && o->warm_start <= 1);
}

static int check_size(uint8_t kind, const vec3 *size)
{
    int reason = TAC_REASON_NONE;
    if (kind != TAC_HALF_SPACE) { reason = check_positive(size->x); }
    if (!reason && kind == TAC_BOX) { reason = check_positive(size->y); }
    if (!reason && (kind == TAC_BOX || kind == TAC_CAPSULE)) { reason = check_positive(size->z); }
    return reason;
}

// ------------------------------------------------------------------------------------------------------------ elements

static void check_body(const tac_body *b, uint32_t i, tac_fault *fault)
{
    check_note(check_that(b->kind <= TAC_KINEMATIC), TAC_FIELD_BODY_KIND, i, fault);
    check_note((i == 0) == (b->kind == TAC_STATIC) ? TAC_REASON_NONE : TAC_REASON_GROUND, TAC_FIELD_BODY_KIND, i,
               fault);
    check_note(check_pose(&b->pose), TAC_FIELD_POSE, i, fault);
    check_note(check_pose(&b->inertial), TAC_FIELD_INERTIAL, i, fault);
    check_note(check_finite(&b->velocity, sizeof b->velocity), TAC_FIELD_VELOCITY, i, fault);
    if (b->kind != TAC_DYNAMIC) { return; }
    check_note(check_positive(b->mass), TAC_FIELD_MASS, i, fault);
    check_note(check_inertia(&b->inertia), TAC_FIELD_INERTIA, i, fault);
}

static void check_shape(const tac_model *m, uint32_t i, tac_fault *fault)
{
    const tac_shape *s = &m->shape[i];
    const int body = s->body < m->bodies;
    const int moves = body && s->kind == TAC_HALF_SPACE && m->body[s->body].kind == TAC_DYNAMIC;
    check_note(check_that(s->kind < TAC_SHAPE_KINDS), TAC_FIELD_SHAPE_KIND, i, fault);
    check_note(moves ? TAC_REASON_MOVING : check_that(body), TAC_FIELD_SHAPE_BODY, i, fault);
    check_note(check_that(s->material < m->materials), TAC_FIELD_SHAPE_MATERIAL, i, fault);
    check_note(check_pose(&s->pose), TAC_FIELD_SHAPE_POSE, i, fault);
    check_note(check_size(s->kind, &s->size), TAC_FIELD_SIZE, i, fault);
}

static int check_coefficient(real x, real most)
{
    return real_finite(x) ? check_that(check_within(x, most)) : TAC_REASON_NOT_FINITE;
}

static void check_coefficients(real friction, real restitution, uint32_t i, tac_fault *fault)
{
    check_note(check_coefficient(friction, CHECK_FRICTION_MAX), TAC_FIELD_FRICTION, i, fault);
    check_note(check_coefficient(restitution, R(1.0)), TAC_FIELD_RESTITUTION, i, fault);
}

static void check_materials(const tac_model *m, tac_fault *fault)
{
    for (uint32_t i = 0; i < m->materials; i++) {
        const tac_material *t = &m->material[i];
        check_coefficients(t->friction, t->restitution, i, fault);
        check_note(check_that(t->friction_rule < TAC_RULES && t->restitution_rule < TAC_RULES), TAC_FIELD_RULE, i,
                   fault);
    }
    for (uint32_t i = 0; i < m->material_pairs; i++) {
        const tac_material_pair *p = &m->material_pair[i];
        check_note(check_that(p->a < m->materials && p->b < m->materials), TAC_FIELD_MATERIAL_PAIR, i, fault);
        check_coefficients(p->friction, p->restitution, i, fault);
    }
}

// ----------------------------------------------------------------------------------------------------------- the whole

// Returns 1 if no array is overrun.
static int check_counts(const tac_model *m, tac_fault *fault)
{
    check_note(check_that(m->bodies >= 1 && m->bodies <= TAC_MAX_BODIES + 1), TAC_FIELD_COUNT, 0, fault);
    check_note(check_that(m->shapes <= TAC_MAX_SHAPES), TAC_FIELD_COUNT, 1, fault);
    check_note(check_that(m->materials <= TAC_MAX_MATERIALS), TAC_FIELD_COUNT, 2, fault);
    check_note(check_that(m->material_pairs <= TAC_MAX_MATERIAL_PAIRS), TAC_FIELD_COUNT, 3, fault);
    return fault->reason == TAC_REASON_NONE;
}

// Order: counts, scalars, options, bodies, materials, shapes.
static tac_status check_model(const tac_model *m, tac_fault *fault)
{
    if (!check_counts(m, fault)) { return TAC_E_MODEL; }
    check_note(check_positive(m->h), TAC_FIELD_H, 0, fault);
    check_note(check_finite(&m->gravity, sizeof m->gravity), TAC_FIELD_GRAVITY, 0, fault);
    check_note(check_options(&m->options), TAC_FIELD_OPTIONS, 0, fault);
    for (uint32_t i = 0; i < m->bodies; i++) { check_body(&m->body[i], i, fault); }
    check_materials(m, fault);
    for (uint32_t i = 0; i < m->shapes; i++) { check_shape(m, i, fault); }
    return check_status(fault, TAC_E_MODEL);
}

#endif
