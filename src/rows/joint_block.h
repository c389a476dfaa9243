// SPDX-License-Identifier: MIT
// joint_block.h - one joint, set up for a step.
//   given   joint, poses and velocities at the start of the step, motors of the input
//   makes   link[]: errors of its constraints and what they forbid of the motion, the row of its coordinate, efforts
//           along it; the rows of its constraints where they are asked for
//   bound   constant per joint
//   never   makes the rows of a joint that may be part of a tree before something asks for them
#ifndef ROWS_JOINT_BLOCK_H
#define ROWS_JOINT_BLOCK_H

#include "../tree/change.h"
#include "../tree/hold.h"
#include "intervals.h"

// What constraints require of velocities: that the mean ones of the step follow the arcs of the joints; that those at
// its end correct the errors of the poses, NST17 (5c), T03 (28); that those at its end violate no constraint, J v = 0.
enum { JOINT_ARC, JOINT_STABILISE, JOINT_STRAIGHT };

// A joint that may be part of a tree (joint_eliminates) keeps what its constraints ask for as one motion of b relative
// to a: rotation, and translation at the origin of frame b, world frame. The elimination needs no rows.

// Of a universal joint: the rotation about the normal n of its cross, about which it may not turn, whose product with n
// is `along`.
static vec3 joint_cross_normal(const tac_joint_block *k, real along)
{
    const vec3 n = v3_cross(k->across, k->axis[0]);
    const real n2 = v3_dot(n, n);
    return v3_scale(n2 > R(0.0) ? along / n2 : R(0.0), n);
}

// Of such a motion the part that the constraints forbid. The rest is along the free motions; FIXED has none.
static inline vec3 joint_forbid_turn(const tac_joint_block *k, vec3 turn)
{
    const vec3 z = k->axis[2];
    switch (JOINT_KIND[k->kind].turn) {
    case TURN_Z:
        return v3_madd(turn, -v3_dot(z, turn), z);
    case TURN_ALL:
        return V3_ZERO;
    case TURN_CROSS:
        return joint_cross_normal(k, v3_dot(v3_cross(k->across, k->axis[0]), turn));
    default:
        return turn;
    }
}

static inline vec3 joint_forbid_slide(const tac_joint_block *k, vec3 turn, vec3 slide)
{
    const vec3 z = k->axis[2];
    switch (JOINT_KIND[k->kind].slide) {
    case SLIDE_Z:
        return v3_madd(slide, -v3_dot(z, slide), z);
    case SLIDE_THREAD:
        return v3_madd(slide, -k->lead * v3_dot(z, turn), z);
    case SLIDE_PLANE:
        return v3_scale(v3_dot(z, slide), z);
    default:
        return slide;
    }
}

// Rotation of the errors of the constraints at the start of the step.
static vec3 joint_turned(const joint_place *p, const tac_joint_block *k)
{
    const quat r = p->rotation;
    switch (JOINT_KIND[k->kind].turn) {
    case TURN_NONE:
        return v3_scale(R(2.0), v3_combine(k->axis, v3(r.x, r.y, r.z)));
    case TURN_CROSS:
        return joint_cross_normal(k, v3_dot(k->axis[0], k->across));
    case TURN_ALL:
        return V3_ZERO;
    default: // the cross product of both z axes
        return v3_madd(v3_scale(R(2.0) * (r.w * r.x - r.y * r.z), k->axis[0]), R(2.0) * (r.x * r.z + r.w * r.y),
                       k->axis[1]);
    }
}

// Second derivative of the rotation while both bodies keep their velocities, its part along the free motions
// included; that of the translation is in joint_motion. Where z is a common axis, z of b leaves that of a at the rate
// of the joint times the rate with which z itself rotates.
static inline vec3 joint_turn_curvature(const joint_motion *q, const tac_joint_block *k)
{
    const vec3 z = k->axis[2];
    switch (JOINT_KIND[k->kind].turn) {
    case TURN_NONE:
    case TURN_ALL:
        return V3_ZERO;
    case TURN_CROSS:
        return joint_cross_normal(k, joint_curvature_product(q, k->axis[0], k->across));
    default:
        return v3_scale(v3_dot(z, v3_sub(q->w[1], q->w[0])), v3_cross(z, q->w[0]));
    }
}

// `off` and `drift`. Drift is what the constraints forbid of the motion at the start of the step, plus half a step of
// curvature, or where it stabilises the errors over h: J v + b of joint_arc() or joint_stabilise(), as a motion.
static inline void joint_drift(const tac_model *m, const tac_joint *j, const joint_place *p, const joint_motion *q,
                               tac_joint_block *k)
{
    vec3 turn = joint_turned(p, k), slide = joint_forbid_slide(k, V3_ZERO, p->d);
    if (JOINT_KIND[k->kind].slide == SLIDE_THREAD) {
        slide = v3_madd(slide, -j->length * joint_thread(j, p) - v3_dot(k->axis[2], slide), k->axis[2]);
    }
    k->off[0] = turn, k->off[1] = slide;
    k->error = real_max(v3_norm_inf(slide), k->length * v3_norm_inf(turn));
    const int stabilises = k->rule == JOINT_STABILISE;
    if (!stabilises) { turn = joint_turn_curvature(q, k), slide = q->curvature; }
    const real part = stabilises ? R(1.0) / m->h : k->rule == JOINT_ARC ? R(0.5) * m->h : R(0.0);
    turn = v3_madd(v3_sub(q->w[1], q->w[0]), part, turn);
    slide = v3_madd(q->rate, part, slide);
    k->drift[0] = joint_forbid_turn(k, turn);
    k->drift[1] = joint_forbid_slide(k, turn, slide);
}

// ----------------------------------------------------------------------------------------------- efforts, violation

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

// Nothing acts along the coordinate yet, and nothing holds it.
static inline void joint_clear_efforts(tac_joint_block *k)
{
    tac_interval *x = k->interval;
    x[0].weight = x[1].weight = x[2].weight = x[3].weight = R(0.0);
    x[0].used = x[1].used = x[2].used = x[3].used = 0;
    x[0].hard = x[1].hard = x[2].hard = x[3].hard = 0;
    x[0].inside = x[1].inside = x[2].inside = x[3].inside = 0;
    k->constraints = k->always;
    k->acts = k->target = k->driven = 0;
}

static void joint_clear(tac_joint_block *k)
{
    reals_clear(k->arc, offsetof(tac_joint_block, interval) - offsetof(tac_joint_block, arc));
    joint_clear_efforts(k);
    k->error = R(0.0);
}

// Properties of a joint that the model alone decides, besides what scales its rotations: its frames in the principal
// frames of its bodies, what solvers need.
static void joint_connect(const tac_model *m, const tac_joint *j, tac_joint_block *k)
{
    joint_locals(m, j, k->frame);
    k->of.about[0] = quat_axis_z(k->frame[0].q);
    k->of.about[1] = quat_axis_z(k->frame[1].q);
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

// What its switch decides, in each step. One that may be switched closes trees while it is in force.
static void joint_switch(const tac_model *m, const tac_state *s, uint32_t i, tac_joint_block *k)
{
    const tac_joint *j = &JOINT_OF(m)[i];
    joint_connect(m, j, k);
    joint_locals_in(m, s, j, i, k->frame);
    k->of.about[1] = quat_axis_z(k->frame[1].q);
    SWITCH_SET(k, switch_out(s, i));
    k->closes = !SWITCH_BLOCK(k);
    if (SWITCH_BLOCK(k)) { k->always = 0; }
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

// What joints see of all bodies. free: what poses change by besides the velocity at the end of the step; closed: joints
// that are in no tree leave bodies these velocities.
typedef struct joint_bodies {
    const tac_pose *pose;
    const tac_twist *twist;
    const tac_tree_body *tree;
    const tac_moving *moving;
    const tac_twist *free;
    int closed;
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
    return joint_rotates(k->kind) && !joint_is_angle(k->kind)
               ? R(0.0)
               : R(0.5) * m->h * joint_curvature(j, p, q, JOINT_LAST, k->length);
}

// The row of its coordinate, and the efforts that act there.
static void joint_make_coordinate(const tac_model *m, const joint_bodies *x, const tac_motor *motor, const tac_joint *j,
                                  const joint_place *p, const joint_motion *q, tac_joint_block *k)
{
    const tac_tree_body *a = &x->tree[j->body_a], *b = x->tree + j->body_b;
    if (joint_rotates(k->kind) && !joint_is_angle(k->kind)) {
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
    // trees that move along the arc see its mean, velocities of the solve alone nothing of it
    const real late = (k->rule == JOINT_STABILISE || x->closed ? R(2.0) : R(1.0)) * bend;
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

// Out of force it has rows without impulses, and no error.
static void joint_rest(tac_joint_block *k)
{
    joint_clear(k);
    k->speed = R(0.0);
    k->violated = k->loose = 0;
}

static void joint_make(const tac_model *m, const joint_bodies *x, const tac_motor *motor, const tac_joint *j,
                       tac_joint_block *k)
{
    const tac_tree_body *a = &x->tree[j->body_a], *b = x->tree + j->body_b;
    const tac_pose *pose[2] = {&x->pose[j->body_a], &x->pose[j->body_b]};
    const tac_twist *twist[2] = {&x->twist[j->body_a], &x->twist[j->body_b]};
    joint_place p;
    joint_motion q = {{a->m.spin, b->m.spin}, V3_ZERO, V3_ZERO};
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
    // prescribed motion does not count as a violation, since its target changes in each step
    const real slack = JOINT_VIOLATION_SLACK * k->rounding;
    const int held = k->coordinate && j->lower == j->upper;
    k->violated = k->error > slack || (held && real_abs(joint_coordinate(j, &p) - j->lower) > slack / k->scale);
    k->loose = k->error > JOINT_LOOSE_SLACK * k->rounding;
    if (SWITCH_BLOCK(k)) { joint_rest(k); }
}

#endif
