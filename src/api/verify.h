// SPDX-License-Identifier: MIT
// verify.h - whether state and input may be stepped; whether the invariants hold after a step.
//   given   state, input, results of a step
//   makes   a status and the first fault
//   bound   linear
//   never   repairs anything
#ifndef API_VERIFY_H
#define API_VERIFY_H

#include "../model/model.h"
#include "../model/check.h"
#include "../tree/hold.h"

#define VERIFY_FRAME_SLACK (R(64.0) * REAL_EPSILON)         // orthonormality of a contact frame
#define VERIFY_CONE_SLACK (R(64.0) * REAL_EPSILON)          // relative
#define VERIFY_UNIT (R(16.0) * (REAL_LEAST * REAL_EPSILON)) // of squares: a few times the least positive number

// Speeds and compensations of a body together are within the range of one.
static inline void verify_body(const tac_model *m, const tac_pose *q, const tac_twist *t, const tac_compensation *c,
                               uint16_t i, tac_fault *fault)
{
    const real lost = v3_dot(c->p, c->p) + v3_dot(c->v, c->v) + v3_dot(c->w, c->w);
    if (check_surely(&m->body[i], q, t, lost)) { return; }
    check_motion(&m->body[i], q, t, i, fault);
    check_reals(c, sizeof *c, TAC_MOST_SPEED, TAC_FIELD_COMPENSATION, i, fault);
}

// The impulses that joints are warm-started with, likewise, and the account of energy.
static void verify_warm(const tac_model *m, const tac_state *s, tac_fault *fault)
{
    check_note(check_finite(JOINT_ACCOUNT(s), sizeof(tac_account)), TAC_FIELD_ACCOUNT, 0, fault);
    if (reals_finite(JOINT_WARM(s), JOINT_COUNT(m) * sizeof(tac_joint_warm))) { return; }
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
        check_note(check_finite(&JOINT_WARM(s)[i], sizeof(tac_joint_warm)), TAC_FIELD_IMPULSE, TAC_MAX_CONTACTS + i,
                   fault);
    }
}

// The switch of a joint that may not be switched is none; a weld alone captures.
static void verify_switch(const tac_joint *j, const tac_switch *x, uint32_t i, tac_fault *fault)
{
    const int captures = x->is == TAC_JOINT_CAPTURED, is = x->is != TAC_JOINT_ALWAYS;
    const int known = x->is < TAC_JOINT_STATES && is == SWITCH_MAY(j) && (!captures || j->kind == TAC_FIXED);
    check_note(check_that(known), TAC_FIELD_SWITCH, i, fault);
    if (captures) { check_note(check_pose(&x->frame, TAC_MOST_LENGTH), TAC_FIELD_SWITCH, i, fault); }
}

static void verify_switches(const tac_model *m, const tac_state *s, tac_fault *fault)
{
    for (uint32_t i = 0; TAC_SWITCHES && i < JOINT_COUNT(m); i++) {
        verify_switch(&JOINT_OF(m)[i], &SWITCH_OF(s)[i], i, fault);
    }
}

static tac_status verify_state(const tac_model *m, const tac_state *s, tac_fault *fault)
{
    if (!check_counts(m, fault)) { return TAC_E_MODEL; }
    if (s->model_hash != m->hash || !model_sealed(m)) {
        check_note(model_sealed(m) ? TAC_REASON_MISMATCH : TAC_REASON_UNSEALED, TAC_FIELD_HASH, 0, fault);
        return TAC_E_MODEL;
    }
    for (uint16_t i = 0; i < m->bodies; i++) {
        verify_body(m, &s->pose[i], &s->twist[i], &s->compensation[i], i, fault);
    }
    check_note(check_that(s->warm_count <= TAC_MAX_CONTACTS), TAC_FIELD_COUNT, TAC_COUNT_CONTACTS, fault);
    for (uint16_t i = 0; i < s->warm_count && i < TAC_MAX_CONTACTS; i++) {
        check_note(check_finite(&s->warm[i].impulse, sizeof *s->warm - offsetof(tac_warm, impulse)), TAC_FIELD_IMPULSE,
                   i, fault);
    }
    if (JOINT_COUNT(m) > 0) { verify_warm(m, s, fault); }
    if (TAC_SWITCHES) { verify_switches(m, s, fault); }
    return check_status(fault, TAC_E_ARG);
}

static void verify_motor(const tac_model *m, const tac_motor *a, uint32_t i, tac_fault *fault)
{
    const int joint = a->joint < JOINT_COUNT(m) && joint_has_coordinate(JOINT_OF(m)[a->joint].kind);
    const int kind = a->kind < TAC_MOTOR_KINDS;
    if (joint && kind && real_finite(a->effort) && real_abs(a->position) <= TAC_MOST_POSITION &&
        real_abs(a->velocity) <= TAC_MOST_SPEED && check_within(a->stiffness, TAC_MOST_FORCE) &&
        check_within(a->damping, TAC_MOST_FORCE)) {
        return;
    }
    check_note(check_that(joint), TAC_FIELD_MOTOR_JOINT, i, fault);
    check_note(check_that(kind), TAC_FIELD_MOTOR_KIND, i, fault);
    check_reals(&a->position, sizeof a->position, TAC_MOST_POSITION, TAC_FIELD_MOTOR_POSITION, i, fault);
    check_reals(&a->velocity, sizeof a->velocity, TAC_MOST_SPEED, TAC_FIELD_MOTOR_VELOCITY, i, fault);
    check_note(check_finite(&a->effort, sizeof a->effort), TAC_FIELD_MOTOR_EFFORT, i, fault);
    check_note(check_coefficient(a->stiffness, TAC_MOST_FORCE), TAC_FIELD_MOTOR_STIFFNESS, i, fault);
    check_note(check_coefficient(a->damping, TAC_MOST_FORCE), TAC_FIELD_MOTOR_DAMPING, i, fault);
}

static void verify_action(const tac_model *m, const tac_action *a, uint16_t i, tac_fault *fault)
{
    const int surface = belt_action(a);
    const int known = surface ? a->body < BELT_COUNT(m) : a->body >= 1 && a->body < m->bodies;
    check_note(check_that(known), TAC_FIELD_ACTION_BODY, i, fault);
    const int kinematic = !surface && known && m->body[a->body].kind == TAC_KINEMATIC;
    const int kind = surface || (a->kind < TAC_SURFACE && (a->kind == TAC_VELOCITY) == kinematic);
    check_note(check_that(kind), TAC_FIELD_ACTION_KIND, i, fault);
    const real most = surface || a->kind == TAC_VELOCITY ? TAC_MOST_SPEED : TAC_MOST_FORCE;
    check_reals(&a->linear, sizeof a->linear, most, TAC_FIELD_ACTION_LINEAR, i, fault);
    check_reals(&a->angular, sizeof a->angular, most, TAC_FIELD_ACTION_ANGULAR, i, fault);
    check_reals(&a->point, sizeof a->point, TAC_MOST_LENGTH, TAC_FIELD_ACTION_POINT, i, fault);
}

static tac_status verify_input(const tac_model *m, const tac_input *input, tac_fault *fault)
{
    if (input == NULL) { return TAC_OK; }
    check_note(check_that(input->actions <= TAC_MAX_ACTIONS), TAC_FIELD_COUNT, TAC_COUNT_ACTIONS, fault);
    for (uint16_t i = 0; i < input->actions && i < TAC_MAX_ACTIONS; i++) {
        verify_action(m, &input->action[i], i, fault);
    }
    check_note(check_that(JOINT_MOTORS(input) <= TAC_MAX_JOINTS), TAC_FIELD_COUNT, TAC_COUNT_MOTORS, fault);
    for (uint32_t i = 0; i < JOINT_MOTORS(input) && !fault->reason; i++) {
        verify_motor(m, &JOINT_MOTOR(input)[i], i, fault);
    }
    return check_status(fault, TAC_E_ARG);
}

// Contact frame: n and u of unit length and orthogonal, w = n x u.
static int verify_frame(const tac_contact *c)
{
    const vec3 w = v3_sub(v3_cross(c->n, c->u), c->w);
    const vec3 error = v3(v3_dot(c->n, c->n) - R(1.0), v3_dot(c->u, c->u) - R(1.0), v3_dot(c->n, c->u));
    return v3_norm_inf(w) + v3_norm_inf(error) <= VERIFY_FRAME_SLACK;
}

// A torque impulse in units of its semi-axis; a semi-axis of 0 allows no torque.
static real verify_part(real torque, real length, real mu)
{
    return torque == R(0.0) ? R(0.0) : mu * torque / length;
}

// Is the impulse in its cone? Squares are compared. Large impulses are divided by the largest, so that no square
// overflows; VERIFY_UNIT allows for squares that are subnormal.
static int verify_cone(const tac_contact *c)
{
    const vec3 g = friction_over(FRICTION_ACROSS(c), c->impulse);
    const vec3 torque = ROLLING_TORQUE(c);
    const real spinning = ROLLING_SPINNING(c), rolling = ROLLING_ROLLING(c);
    const vec3 t = v3(verify_part(torque.x, spinning, c->mu), verify_part(torque.y, rolling, c->mu),
                      verify_part(torque.z, rolling, c->mu));
    const real limit = c->mu * g.x;
    const real part = R(1.0) / real_max(R(1.0), v3_norm_inf(v3(limit, v3_norm_inf(g), v3_norm_inf(t))));
    const vec3 a = v3_scale(part, g), b = v3_scale(part, t);
    const real most = part * limit, tangent2 = a.y * a.y + a.z * a.z + v3_dot(b, b);
    return g.x >= R(0.0) && tangent2 <= most * most + R(2.0) * VERIFY_CONE_SLACK * most * most + VERIFY_UNIT;
}

static void verify_contact(const tac_model *m, const tac_contact *c, uint16_t i, tac_fault *fault)
{
    const tac_feature *id = &c->id;
    const int known = c->body_a < c->body_b && id->shape_a < m->shapes && id->shape_b < m->shapes &&
                      m->shape[id->shape_a].body == c->body_a && m->shape[id->shape_b].body == c->body_b;
    check_note(check_that(known), TAC_FIELD_CONTACT, i, fault);
    check_note(check_finite(&c->point, sizeof *c - offsetof(tac_contact, point)), TAC_FIELD_CONTACT, i, fault);
    check_note(verify_frame(c) ? TAC_REASON_NONE : TAC_REASON_NOT_UNIT, TAC_FIELD_CONTACT, i, fault);
    check_note(check_that(verify_cone(c)), TAC_FIELD_IMPULSE, i, fault);
}

static void verify_joints(const tac_model *m, const tac_report *r, tac_fault *fault)
{
    if (TAC_MAX_JOINTS == 0) { return; }
    const int within = r->joint_iterations <= m->options.max_joint_iterations && r->joint_error >= R(0.0);
    check_note(check_that(within), TAC_FIELD_RESULT, 0, fault);
}

static tac_status verify_work(const tac_model *m, const tac_work *w, tac_fault *fault)
{
    const tac_report *r = &w->report;
    check_note(check_that(r->contacts <= TAC_MAX_CONTACTS && r->sweeps <= m->options.max_sweeps), TAC_FIELD_RESULT, 0,
               fault);
    verify_joints(m, r, fault);
    check_note(check_finite(&r->residual, sizeof *r - offsetof(tac_report, residual)), TAC_FIELD_RESULT, 0, fault);
    check_note(r->residual >= R(0.0) && r->penetration >= R(0.0) && r->kinetic >= R(0.0) ? TAC_REASON_NONE
                                                                                         : TAC_REASON_NOT_FINITE,
               TAC_FIELD_RESULT, 0, fault);
    for (uint16_t i = 0; i < r->contacts && i < TAC_MAX_CONTACTS; i++) { verify_contact(m, &w->contact[i], i, fault); }
    return check_status(fault, TAC_E_ARG);
}

#endif
