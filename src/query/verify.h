// SPDX-License-Identifier: MIT
// verify.h - can this state and this input be stepped, and do the invariants hold after a step?
//   given   state, input, results of a step
//   makes   a status and the first fault
//   bound   linear
//   never   repairs anything
#ifndef QUERY_VERIFY_H
#define QUERY_VERIFY_H

#include "../step/ccp.h"

#define VERIFY_UNIT_SLACK R(1e-3)                   // |q|^2 - 1 of a state; a step leaves a few epsilon
#define VERIFY_FRAME_SLACK (R(64.0) * REAL_EPSILON) // orthonormality of a contact frame
#define VERIFY_CONE_SLACK (R(64.0) * REAL_EPSILON)  // relative

static tac_status verify_state(const tac_model *m, const tac_state *s, tac_fault *fault)
{
    if (check_counts(m, fault)) { return TAC_E_MODEL; }
    if (s->model_hash != m->hash || m->hash == 0) {
        return check_say(fault, TAC_E_MODEL, TAC_FIELD_HASH, 0, TAC_REASON_MISMATCH);
    }
    if (s->warm_count > TAC_MAX_CONTACTS) { return check_say(fault, TAC_E_ARG, TAC_FIELD_COUNT, 4, TAC_REASON_RANGE); }
    for (uint16_t i = 0; i < m->bodies; i++) {
        if (!pose_finite(&s->pose[i])) { return check_say(fault, TAC_E_NAN, TAC_FIELD_POSE, i, TAC_REASON_NOT_FINITE); }
        if (!twist_finite(&s->twist[i])) {
            return check_say(fault, TAC_E_NAN, TAC_FIELD_VELOCITY, i, TAC_REASON_NOT_FINITE);
        }
        if (!v3_finite(s->carry[i].p) || !v3_finite(s->carry[i].v) || !v3_finite(s->carry[i].w)) {
            return check_say(fault, TAC_E_NAN, TAC_FIELD_CARRY, i, TAC_REASON_NOT_FINITE);
        }
        if (!(real_abs(quat_norm2(s->pose[i].q) - R(1.0)) <= VERIFY_UNIT_SLACK)) {
            return check_say(fault, TAC_E_ARG, TAC_FIELD_POSE, i, TAC_REASON_NOT_UNIT);
        }
    }
    for (uint16_t i = 0; i < s->warm_count; i++) {
        if (!v3_finite(s->warm[i].impulse)) {
            return check_say(fault, TAC_E_NAN, TAC_FIELD_IMPULSE, i, TAC_REASON_NOT_FINITE);
        }
    }
    return TAC_OK;
}

static tac_status verify_action(const tac_model *m, const tac_action *a, uint16_t i, tac_fault *fault)
{
    if (a->body < 1 || a->body >= m->bodies) {
        return check_say(fault, TAC_E_ARG, TAC_FIELD_ACTION_BODY, i, TAC_REASON_RANGE);
    }
    const uint8_t kind = m->body[a->body].kind;
    if (a->kind >= TAC_ACTION_KINDS || (a->kind == TAC_VELOCITY) != (kind == TAC_KINEMATIC)) {
        return check_say(fault, TAC_E_ARG, TAC_FIELD_ACTION_KIND, i, TAC_REASON_RANGE);
    }
    if (!v3_finite(a->linear) || !v3_finite(a->angular) || !v3_finite(a->point)) {
        return check_say(fault, TAC_E_NAN, TAC_FIELD_ACTION, i, TAC_REASON_NOT_FINITE);
    }
    return TAC_OK;
}

static tac_status verify_input(const tac_model *m, const tac_input *input, tac_fault *fault)
{
    if (input == NULL) { return TAC_OK; }
    if (input->actions > TAC_MAX_ACTIONS) { return check_say(fault, TAC_E_ARG, TAC_FIELD_COUNT, 5, TAC_REASON_RANGE); }
    tac_status status = TAC_OK;
    for (uint16_t i = 0; i < input->actions && !status; i++) { status = verify_action(m, &input->action[i], i, fault); }
    return status;
}

// n and u of unit length and orthogonal, w their product.
static int verify_frame(const tac_contact *c)
{
    const vec3 w = v3_sub(v3_cross(c->n, c->u), c->w);
    const vec3 error = v3(v3_dot(c->n, c->n) - R(1.0), v3_dot(c->u, c->u) - R(1.0), v3_dot(c->n, c->u));
    return v3_norm_inf(w) + v3_norm_inf(error) <= VERIFY_FRAME_SLACK;
}

static int verify_cone(vec3 g, real mu)
{
    const real limit = mu * g.x;
    return g.x >= R(0.0) && real_sqrt(g.y * g.y + g.z * g.z) <= limit + VERIFY_CONE_SLACK * limit;
}

static tac_status verify_contact(const tac_model *m, const tac_contact *c, uint16_t i, tac_fault *fault)
{
    if (!(c->body_a < c->body_b && c->body_b < m->bodies && c->id.shape_a < m->shapes && c->id.shape_b < m->shapes &&
          m->shape[c->id.shape_a].body == c->body_a && m->shape[c->id.shape_b].body == c->body_b)) {
        return check_say(fault, TAC_E_ARG, TAC_FIELD_CONTACT, i, TAC_REASON_RANGE);
    }
    if (!v3_finite(c->point) || !real_finite(c->gap) || !v3_finite(c->velocity)) {
        return check_say(fault, TAC_E_NAN, TAC_FIELD_CONTACT, i, TAC_REASON_NOT_FINITE);
    }
    if (!verify_frame(c)) { return check_say(fault, TAC_E_ARG, TAC_FIELD_CONTACT, i, TAC_REASON_NOT_UNIT); }
    if (!verify_cone(c->impulse, c->mu)) { return check_say(fault, TAC_E_ARG, TAC_FIELD_IMPULSE, i, TAC_REASON_RANGE); }
    return TAC_OK;
}

static tac_status verify_work(const tac_model *m, const tac_work *w, tac_fault *fault)
{
    const tac_report *r = &w->report;
    if (r->contacts > TAC_MAX_CONTACTS || r->sweeps > m->options.max_sweeps) {
        return check_say(fault, TAC_E_ARG, TAC_FIELD_RESULT, 0, TAC_REASON_RANGE);
    }
    if (!(r->residual >= R(0.0) && r->penetration >= R(0.0) && r->kinetic >= R(0.0)) || !real_finite(r->residual) ||
        !real_finite(r->penetration) || !real_finite(r->kinetic) || !real_finite(r->potential)) {
        return check_say(fault, TAC_E_NAN, TAC_FIELD_RESULT, 0, TAC_REASON_NOT_FINITE);
    }
    tac_status status = TAC_OK;
    for (uint16_t i = 0; i < r->contacts && !status; i++) { status = verify_contact(m, &w->contact[i], i, fault); }
    return status;
}

#endif
