// SPDX-License-Identifier: MIT
// joint_block.h - one joint, set up for a step.
//   given   joint, poses and velocities at the start of the step, motors of the input
//   makes   link[]: errors and drift of its constraints, the row of its coordinate, efforts along it; the rows of its
//           constraints where they are asked for
//   bound   constant per joint
//   never   makes the rows of a joint that may be part of a tree before something asks for them
#ifndef ROWS_JOINT_BLOCK_H
#define ROWS_JOINT_BLOCK_H

#include "../tree/change.h"
#include "../tree/hold.h"
#include "intervals.h"
#include "joint_drift.h"
#include "joint_jacobian.h"

// Mean rate of a row over the step besides J v: by the curvature of the arc that it moves on, and by free rotation. A
// constraint has it in its bias, and leaves existing errors to the position correction.
static real joint_arc(const tac_model *m, const tac_joint_block *k, const tac_twist *free, int row, real curvature)
{
    if (k->rule == JOINT_STRAIGHT) { return R(0.0); }
    return R(0.5) * m->h * curvature + joint_rate(k, free, row);
}

// Error of row `row`, m: of a constraint, or of the coordinate against its goal.
static real joint_violation(const tac_joint *j, const tac_joint_block *k, const joint_place *p, int row)
{
    return row == JOINT_LAST && k->coordinate ? k->scale * joint_deviation(j, joint_coordinate(j, p), k->setpoint)
                                              : joint_error(j, p, row, k->length);
}

// Rounding of an error, from that of the poses.
static real joint_rounding(const tac_pose *a, const tac_pose *b, const tac_joint_block *k)
{
    return REAL_EPSILON * (v3_norm_inf(a->p) + v3_norm_inf(b->p) + k->length);
}

static inline real joint_rounding_at(const tac_tree_body *a, const tac_tree_body *b, const tac_joint_block *k)
{
    return REAL_EPSILON * (a->far + b->far + k->length);
}

// Are constraints violated? Prescribed motion does not count, since its target changes in each step.
static int joint_is_violated(const tac_joint *j, const joint_place *p, const tac_joint_block *k)
{
    const real slack = JOINT_VIOLATION_SLACK * k->rounding;
    const int held = k->coordinate && j->lower == j->upper;
    return k->error > slack || (held && real_abs(joint_coordinate(j, p) - j->lower) > slack / k->scale);
}

// Bound on the speed of a point of a body about as far away from its centre of mass as the joint is long.
static inline real joint_speed(const tac_joint_block *k, const tac_tree_body *b)
{
    return b->speed[0] + k->length * b->speed[1];
}

// Where velocities are to correct errors, the papers' (1/h) g + J v + dg/dt = 0 instead, NST17 (5c). The target of
// prescribed motion is in its bias already.
static real joint_stabilise(const tac_model *m, const tac_joint_block *k, int row, real error)
{
    return row == JOINT_LAST && k->driven ? R(0.0) : error / m->h;
}

static inline void joint_clear_interval(tac_interval *x)
{
    x->weight = R(0.0);
    x->used = x->hard = x->inside = 0;
}

static void joint_clear(tac_joint_block *k)
{
    reals_clear(k->arc, offsetof(tac_joint_block, interval) - offsetof(tac_joint_block, arc));
    joint_clear_interval(&k->interval[0]);
    joint_clear_interval(&k->interval[1]);
    joint_clear_interval(&k->interval[2]);
    joint_clear_interval(&k->interval[3]);
    k->constraints = k->always;
    k->acts = k->target = k->driven = 0;
    k->error = R(0.0);
}

// Properties of a joint that the model alone decides, besides what scales its rotations: its frames in the principal
// frames of its bodies, what solvers need.
static void joint_connect(const tac_model *m, const tac_joint *j, tac_joint_block *k)
{
    joint_locals(m, j, k->frame);
    k->about[0] = quat_axis_z(k->frame[0].q);
    k->about[1] = quat_axis_z(k->frame[1].q);
    k->body[0] = j->body_a;
    k->body[1] = j->body_b;
    k->ends = 2;
    k->kind = j->kind;
    k->eliminates = (uint8_t)joint_eliminates(j->kind);
    k->connects = j->kind != TAC_BUSHING;
    k->lead = joint_lead(j);
    k->coordinate = (uint8_t)joint_has_coordinate(j->kind);
    k->always = (uint8_t)((1 << JOINT_KIND[j->kind].constraints) - 1);
    if (j->kind == TAC_BUSHING) { k->always = joint_bushing_rows(j); }
}

static inline void joint_fix(const tac_model *m, const tac_joint *j, const tac_moving *moving, tac_joint_block *k)
{
    joint_connect(m, j, k);
    reals_clear(k->w, sizeof k->w); // of rows that are not made
    reals_clear(k->bias, sizeof k->bias);
    k->length = joint_length(&moving[j->body_a], &moving[j->body_b]);
    k->scale = joint_rotates(j->kind) ? k->length : R(1.0);
}

// Rows of its constraints, where something asks for them: joints_make_rows(). Their bias is the drift along them.
static void joint_make_rows(const vec3 *const axis[2], const tac_moving *moving, tac_joint_block *k)
{
    for (int row = 0; row < TAC_JOINT_ROWS; row++) {
        if (row == JOINT_LAST && k->coordinate) { continue; }
        const joint_direction d = joint_row_direction(k, JOINT_KIND[k->kind].row[row]);
        joint_make_row(axis, moving, k, row);
        if (k->constraints >> row & 1) {
            k->bias[row] = v3_dot(d.linear, k->drift[1]) + v3_dot(d.rotation, k->drift[0]);
        }
    }
}

// What joints see of all bodies. The last is what poses change by besides the velocity at the end of the step.
typedef struct joint_bodies {
    const tac_pose *pose;
    const tac_twist *twist;
    const tac_tree_body *tree;
    const tac_moving *moving;
    const tac_twist *free;
} joint_bodies;

// The rate of the coordinate's row.
static inline real joint_along(const tac_joint_block *k, const tac_twist *t)
{
    const tac_row *r = &k->row[JOINT_LAST];
    const tac_twist *a = &t[k->body[0]], *b = &t[k->body[1]];
    return joint_rotates(k->kind) ? v3_dot(r->angular[1], b->w) + v3_dot(r->angular[0], a->w) : joint_row_rate(r, a, b);
}

// Half of what the curvature of this row makes of its rate in a step. It leaves an angle without curvature.
static inline real joint_bend_along(const tac_model *m, const tac_joint *j, const joint_place *p, const joint_motion *q,
                                    const tac_joint_block *k)
{
    return joint_rotates(k->kind) ? R(0.0) : R(0.5) * m->h * joint_curvature(j, p, q, JOINT_LAST, k->length);
}

// The row of its coordinate, and the efforts that act there.
static void joint_make_coordinate(const tac_model *m, const joint_bodies *x, const tac_motor *motor, const tac_joint *j,
                                  const joint_place *p, const joint_motion *q, tac_joint_block *k)
{
    const tac_tree_body *a = &x->tree[j->body_a], *b = x->tree + j->body_b;
    if (joint_rotates(k->kind)) {
        joint_make_row_about(b->axis, x->moving, k, JOINT_LAST);
    } else {
        const vec3 *const axis[2] = {a->axis, b->axis};
        joint_make_row(axis, x->moving, k, JOINT_LAST);
    }
    k->bias[JOINT_LAST] = joint_along(k, x->twist);
    const real at = effort_asks_position(j, motor) ? joint_coordinate(j, p) : R(0.0);
    const real rate = k->bias[JOINT_LAST] / k->scale;
    joint_intervals(m, j, motor, at, rate, k);
    if (!effort_is_passive(j) && !joint_holds(k, JOINT_LAST)) { return; }

    const real bend = joint_bend_along(m, j, p, q, k), arc = bend + joint_along(k, x->free);
    // a motion that follows the arc sees its mean, a step along the tangent nothing of it
    const real late = (k->rule == JOINT_STABILISE ? R(2.0) : R(1.0)) * bend;
    if (effort_is_passive(j)) { joint_passive(j, k, m->h, at, rate, arc / k->scale, late / k->scale); }
    if (!joint_holds(k, JOINT_LAST)) { return; }
    if (k->rule == JOINT_ARC) { k->bias[JOINT_LAST] += arc; }
    if (k->rule != JOINT_STABILISE) { return; }
    k->bias[JOINT_LAST] += joint_stabilise(m, k, JOINT_LAST, joint_violation(j, k, p, JOINT_LAST));
}

// Rows and bias of the constraints of a joint that no tree has: a rod or a bushing.
static void joint_make_others(const tac_model *m, const joint_bodies *x, const tac_joint *j, const joint_place *p,
                              const joint_motion *q, tac_joint_block *k)
{
    const vec3 *const axis[2] = {x->tree[j->body_a].axis, x->tree[j->body_b].axis};
    for (int row = 0; row < TAC_JOINT_ROWS; row++) {
        if (row == JOINT_LAST && k->coordinate) { continue; }
        joint_make_row(axis, x->moving, k, row);
        k->bias[row] = joint_rate(k, x->twist, row);
        if (!joint_holds(k, row)) { continue; }
        k->error = real_max(k->error, real_abs(joint_error(j, p, row, k->length)));
        k->bias[row] += k->rule == JOINT_STABILISE
                            ? joint_stabilise(m, k, row, joint_violation(j, k, p, row))
                            : joint_arc(m, k, x->free, row, joint_curvature(j, p, q, row, k->length));
    }
    if (j->kind == TAC_BUSHING) { joint_bushing(j, p, m->h, k); }
}

static void joint_make(const tac_model *m, const joint_bodies *x, const tac_motor *motor, const tac_joint *j,
                       tac_joint_block *k)
{
    const tac_tree_body *a = &x->tree[j->body_a], *b = x->tree + j->body_b;
    const tac_pose *pose[2] = {&x->pose[j->body_a], &x->pose[j->body_b]};
    const tac_twist *twist[2] = {&x->twist[j->body_a], &x->twist[j->body_b]};
    joint_place p;
    joint_motion q = {{a->spin, b->spin}, V3_ZERO, V3_ZERO};
    joint_clear(k);
    joint_find_turn(k->frame, pose[0]->q, pose[1]->q, &p);
    joint_find_origin(j->kind, pose[0]->p, pose[1]->p, v3_combine(a->axis, k->frame[0].p),
                      v3_combine(b->axis, k->frame[1].p), &p);
    joint_directions(j, &p, k);
    joint_move_about(&p, twist, &q);
    if (k->eliminates) {
        joint_drift(m, j, &p, &q, k);
    } else {
        joint_make_others(m, x, j, &p, &q, k);
    }
    k->speed = joint_speed(k, a) + joint_speed(k, b);
    k->rounding = joint_rounding_at(a, b, k);
    if (k->coordinate) { joint_make_coordinate(m, x, motor, j, &p, &q, k); }
    k->violated = (uint8_t)joint_is_violated(j, &p, k);
    k->loose = k->error > JOINT_LOOSE_SLACK * k->rounding;
}

#endif
