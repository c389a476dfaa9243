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

static tac_status check_say(tac_fault *fault, tac_status status, int field, uint32_t index, int reason)
{
    *fault = (tac_fault){(uint16_t)field, (uint16_t)index, (uint32_t)reason};
    return status;
}

static tac_status check_bad(tac_fault *fault, int field, uint32_t index, int reason)
{
    return check_say(fault, reason == TAC_REASON_NOT_FINITE ? TAC_E_NAN : TAC_E_MODEL, field, index, reason);
}

// 0, or the reason why x is not finite in lo .. hi.
static int check_range(real x, real lo, real hi)
{
    if (!real_finite(x)) { return TAC_REASON_NOT_FINITE; }
    return x >= lo && x <= hi ? TAC_REASON_NONE : TAC_REASON_RANGE;
}

static int check_positive(real x)
{
    if (!real_finite(x)) { return TAC_REASON_NOT_FINITE; }
    return x > R(0.0) ? TAC_REASON_NONE : TAC_REASON_NOT_POSITIVE;
}

static int check_positive3(vec3 a)
{
    const int x = check_positive(a.x), y = check_positive(a.y), z = check_positive(a.z);
    return x ? x : (y ? y : z);
}

static int check_pose(const tac_pose *a)
{
    if (!pose_finite(a)) { return TAC_REASON_NOT_FINITE; }
    return real_abs(quat_norm2(a->q) - R(1.0)) <= CHECK_UNIT_SLACK ? TAC_REASON_NONE : TAC_REASON_NOT_UNIT;
}

static int check_inertia(vec3 i)
{
    const int positive = check_positive3(i);
    if (positive) { return positive; }
    const real largest = real_max(i.x, real_max(i.y, i.z)), sum = i.x + i.y + i.z;
    return R(2.0) * largest <= sum * (R(1.0) + CHECK_TRIANGLE_SLACK) ? TAC_REASON_NONE : TAC_REASON_TRIANGLE;
}

// An option that is TAC_AUTO or in lo .. hi.
static int check_auto(real x, real hi)
{
    return x == TAC_AUTO ? TAC_REASON_NONE : check_range(x, R(0.0), hi);
}

static int check_options(const tac_options *o)
{
    const real largest = TAC_REAL_BITS == 32 ? R(1e30) : R(1e300);
    int reason = check_auto(o->tolerance, R(1.0));
    if (!reason) { reason = check_range(o->recovery, R(0.0), largest); }
    if (!reason) { reason = check_range(o->projection, R(0.0), R(1.0)); }
    if (!reason) { reason = check_auto(o->margin, largest); }
    if (!reason) { reason = check_auto(o->bounce, largest); }
    if (!reason) { reason = check_positive(o->omega); }
    if (!reason) { reason = check_positive(o->lambda); }
    if (!reason && (o->omega >= R(2.0) || o->lambda > R(1.0))) { reason = TAC_REASON_RANGE; }
    if (!reason && (o->max_sweeps < 1 || o->max_sweeps > 10000)) { reason = TAC_REASON_RANGE; }
    if (!reason && (o->solver > TAC_SOLVER_PLAIN || o->friction > TAC_FRICTION_RELAXED || o->warm_start > 1)) {
        reason = TAC_REASON_RANGE;
    }
    return reason;
}

static tac_status check_body(const tac_body *b, uint32_t i, tac_fault *fault)
{
    if (b->kind > TAC_KINEMATIC) { return check_bad(fault, TAC_FIELD_BODY_KIND, i, TAC_REASON_RANGE); }
    if ((i == 0) != (b->kind == TAC_STATIC)) { return check_bad(fault, TAC_FIELD_BODY_KIND, i, TAC_REASON_GROUND); }

    int reason = check_pose(&b->pose);
    if (reason) { return check_bad(fault, TAC_FIELD_POSE, i, reason); }
    reason = check_pose(&b->inertial);
    if (reason) { return check_bad(fault, TAC_FIELD_INERTIAL, i, reason); }
    if (!twist_finite(&b->velocity)) { return check_bad(fault, TAC_FIELD_VELOCITY, i, TAC_REASON_NOT_FINITE); }
    if (b->kind != TAC_DYNAMIC) { return TAC_OK; }

    reason = check_positive(b->mass);
    if (reason) { return check_bad(fault, TAC_FIELD_MASS, i, reason); }
    reason = check_inertia(b->inertia);
    if (reason) { return check_bad(fault, TAC_FIELD_INERTIA, i, reason); }
    return TAC_OK;
}

static int check_size(const tac_shape *s)
{
    switch (s->kind) {
    case TAC_SPHERE:
        return check_positive(s->size.x);
    case TAC_CAPSULE:
        return check_positive3(v3(s->size.x, s->size.x, s->size.z));
    case TAC_BOX:
        return check_positive3(s->size);
    default:
        return TAC_REASON_NONE;
    }
}

static tac_status check_shape(const tac_model *m, uint32_t i, tac_fault *fault)
{
    const tac_shape *s = &m->shape[i];
    if (s->kind >= TAC_SHAPE_KINDS) { return check_bad(fault, TAC_FIELD_SHAPE_KIND, i, TAC_REASON_RANGE); }
    if (s->body >= m->bodies) { return check_bad(fault, TAC_FIELD_SHAPE_BODY, i, TAC_REASON_RANGE); }
    if (s->kind == TAC_HALF_SPACE && m->body[s->body].kind == TAC_DYNAMIC) {
        return check_bad(fault, TAC_FIELD_SHAPE_BODY, i, TAC_REASON_MOVING);
    }
    if (s->material >= m->materials) { return check_bad(fault, TAC_FIELD_SHAPE_MATERIAL, i, TAC_REASON_RANGE); }
    int reason = check_pose(&s->pose);
    if (reason) { return check_bad(fault, TAC_FIELD_SHAPE_POSE, i, reason); }
    reason = check_size(s);
    if (reason) { return check_bad(fault, TAC_FIELD_SIZE, i, reason); }
    return TAC_OK;
}

// Friction above this is stick for every purpose, and its square must stay finite.
#define CHECK_FRICTION_MAX R(1e6)

static tac_status check_coefficients(real friction, real restitution, uint32_t i, tac_fault *fault)
{
    int reason = check_range(friction, R(0.0), CHECK_FRICTION_MAX);
    if (reason) { return check_bad(fault, TAC_FIELD_FRICTION, i, reason); }
    reason = check_range(restitution, R(0.0), R(1.0));
    if (reason) { return check_bad(fault, TAC_FIELD_RESTITUTION, i, reason); }
    return TAC_OK;
}

static tac_status check_materials(const tac_model *m, tac_fault *fault)
{
    for (uint32_t i = 0; i < m->materials; i++) {
        const tac_material *t = &m->material[i];
        const tac_status status = check_coefficients(t->friction, t->restitution, i, fault);
        if (status) { return status; }
        if (t->friction_rule >= TAC_RULES || t->restitution_rule >= TAC_RULES) {
            return check_bad(fault, TAC_FIELD_RULE, i, TAC_REASON_RANGE);
        }
    }
    for (uint32_t i = 0; i < m->material_pairs; i++) {
        const tac_material_pair *p = &m->material_pair[i];
        if (p->a >= m->materials || p->b >= m->materials) {
            return check_bad(fault, TAC_FIELD_MATERIAL_PAIR, i, TAC_REASON_RANGE);
        }
        const tac_status status = check_coefficients(p->friction, p->restitution, i, fault);
        if (status) { return status; }
    }
    return TAC_OK;
}

static tac_status check_counts(const tac_model *m, tac_fault *fault)
{
    if (m->bodies < 1 || m->bodies > TAC_MAX_BODIES + 1) {
        return check_bad(fault, TAC_FIELD_COUNT, 0, TAC_REASON_RANGE);
    }
    if (m->shapes > TAC_MAX_SHAPES) { return check_bad(fault, TAC_FIELD_COUNT, 1, TAC_REASON_RANGE); }
    if (m->materials > TAC_MAX_MATERIALS) { return check_bad(fault, TAC_FIELD_COUNT, 2, TAC_REASON_RANGE); }
    if (m->material_pairs > TAC_MAX_MATERIAL_PAIRS) { return check_bad(fault, TAC_FIELD_COUNT, 3, TAC_REASON_RANGE); }
    return TAC_OK;
}

// Order: counts, scalars, options, bodies, materials, shapes.
static tac_status check_model(const tac_model *m, tac_fault *fault)
{
    *fault = (tac_fault){0};
    tac_status status = check_counts(m, fault);
    if (status) { return status; }

    const int h = check_positive(m->h);
    if (h) { return check_bad(fault, TAC_FIELD_H, 0, h); }
    if (!v3_finite(m->gravity)) { return check_bad(fault, TAC_FIELD_GRAVITY, 0, TAC_REASON_NOT_FINITE); }
    const int options = check_options(&m->options);
    if (options) { return check_bad(fault, TAC_FIELD_OPTIONS, 0, options); }

    for (uint32_t i = 0; i < m->bodies && !status; i++) { status = check_body(&m->body[i], i, fault); }
    if (!status) { status = check_materials(m, fault); }
    for (uint32_t i = 0; i < m->shapes && !status; i++) { status = check_shape(m, i, fault); }
    return status;
}

#endif
