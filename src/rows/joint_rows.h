// SPDX-License-Identifier: MIT
// joint_rows.h - one joint as six rows of the cone program: constraints (bilateral), and what acts along its
// coordinate.
//   given   joints, poses and velocities at the start of the step, motors of the input, impulses of the last step
//   makes   link[]: Jacobian, bias, boxes; what sweeps and the factor do with them
//   bound   constant a joint
//   never   mixes units: a turn is multiplied by a length of its bodies, so that every row is in m/s, every impulse in
//   N s
#ifndef ROWS_JOINT_ROWS_H
#define ROWS_JOINT_ROWS_H

#include "joint_place.h"

#define JOINT_APART_SLACK R(64.0) // rounding, below which an error is none

// ---------------------------------------------------------------------------------------------------- rows and twists

static real joint_row_rate(const tac_row *r, const tac_twist *a, const tac_twist *b)
{
    return v3_dot(r->linear, v3_sub(b->v, a->v)) + (v3_dot(r->angular[1], b->w) + v3_dot(r->angular[0], a->w));
}

// Row `row` of J t.
static real joint_rate(const tac_joint *j, const tac_joint_block *k, const tac_twist *t, int row)
{
    return joint_row_rate(&k->row[row], &t[j->body_a], &t[j->body_b]);
}

// t += M^-1 J' g, for one row.
static void joint_apply_row(const tac_joint *j, const tac_joint_block *k, int row, real g, const tac_moving *moving,
                            tac_twist *t)
{
    const tac_row *r = &k->row[row];
    for (int side = 0; side < 2; side++) {
        const uint16_t body = side ? j->body_b : j->body_a;
        const tac_moving *m = &moving[body];
        t[body].v = v3_madd(t[body].v, (side ? m->inv_mass : -m->inv_mass) * g, r->linear);
        t[body].w = v3_madd(t[body].w, g, v3_mul(m->inv_inertia, r->angular[side]));
    }
}

// Does the row act? The last also when only boxes act there.
static int joint_has_row(const tac_joint_block *k, int row)
{
    return k->constraints >> row & 1 || (row == JOINT_LAST && k->coordinate);
}

// The impulse along a row: of its constraint, or of all boxes together.
static real joint_impulse(const tac_joint_block *k, int row)
{
    real sum = k->impulse[row];
    if (row == JOINT_LAST) {
        for (int i = 0; i < TAC_BOXES; i++) { sum += k->box[i].impulse; }
    }
    return sum;
}

// ------------------------------------------------------------------------------------------------------ making a block

// Row of a slide of b against a along `axis`, at the origin of b's frame: it is along an axis of a, so a's arm ends
// there too.
static void joint_slide(tac_row *r, const tac_pose *pose[2], vec3 at, vec3 axis)
{
    r->linear = v3_add(r->linear, axis);
    for (int side = 0; side < 2; side++) {
        const vec3 arm = quat_rotate_back(pose[side]->q, v3_cross(v3_sub(at, pose[side]->p), axis));
        r->angular[side] = v3_madd(r->angular[side], side ? R(1.0) : R(-1.0), arm);
    }
}

// Row of a turn of b against a, `axis` times a length.
static void joint_turn(tac_row *r, const tac_pose *pose[2], vec3 axis)
{
    r->angular[0] = v3_sub(r->angular[0], quat_rotate_back(pose[0]->q, axis));
    r->angular[1] = v3_add(r->angular[1], quat_rotate_back(pose[1]->q, axis));
}

static void joint_row(const tac_joint *j, const joint_place *p, const tac_pose *pose[2], int what, real length,
                      tac_row *r)
{
    switch (what) {
    case JOINT_CROSS:
        joint_turn(r, pose, v3_scale(length, v3_cross(quat_rotate(p->frame[1].q, V3_AXIS[1]), p->axis[0])));
        break;
    case JOINT_APART:
        joint_slide(r, pose, p->frame[1].p, p->apart);
        break;
    case JOINT_THREAD:
        joint_slide(r, pose, p->frame[1].p, p->axis[2]);
        joint_turn(r, pose, v3_scale(-j->length, p->axis[2]));
        break;
    case JOINT_ABOUT:
    case JOINT_ABOUT + 1:
    case JOINT_ABOUT + 2:
        joint_turn(r, pose, v3_scale(length, p->axis[what - JOINT_ABOUT]));
        break;
    default:
        joint_slide(r, pose, p->frame[1].p, p->axis[what]);
    }
}

// What a turn is multiplied by: the radius of gyration that makes 1/I of the bodies weigh as much as their 1/m.
static real joint_length(const tac_moving *a, const tac_moving *b)
{
    const vec3 spin = v3_add(a->inv_inertia, b->inv_inertia);
    return real_sqrt(R(3.0) * (a->inv_mass + b->inv_mass) / (spin.x + spin.y + spin.z));
}

static real joint_weight(const tac_row *r, const tac_moving *a, const tac_moving *b)
{
    return (a->inv_mass + b->inv_mass) * v3_dot(r->linear, r->linear) +
           (v3_dot(v3_mul(a->inv_inertia, r->angular[0]), r->angular[0]) +
            v3_dot(v3_mul(b->inv_inertia, r->angular[1]), r->angular[1]));
}

// ------------------------------------------------------------------------------------------------ along the coordinate

// A box between -most and most (efforts).
static tac_box *joint_box(tac_joint_block *k, int which, real h, real most)
{
    tac_box *x = &k->box[which];
    x->used = 1;
    x->hi = most < REAL_LARGEST ? h * most / k->scale : REAL_LARGEST;
    x->lo = -x->hi;
    return x;
}

// A box without slack: u + bias = 0 unless at a bound.
static void joint_hard(tac_box *x, real bias)
{
    x->hard = 1;
    x->bias = bias;
}

// How an impulse answers to the rate at the end of the step when a spring of stiffness k and a damper d act: the spring
// sees q at the start, the damper the rate at the end. Alone on a mass 1/w that keeps energy (symplectic Euler) and is
// stable up to h^2 k w = 4; from h^2 k/2 on, unconditionally. So a stiff spring gets as much of its own damping as it
// needs, and one that the step resolves none. An eighth leaves room for other springs on the same mass.
static real joint_slope_of(const tac_joint_block *k, real h, real stiffness, real damping)
{
    const real w = k->w[JOINT_LAST] / (k->scale * k->scale);
    return real_max(h * damping, R(0.5) * h * h * stiffness - R(0.125) / w);
}

// A soft box: impulse = constant - slope (u - u at the start), in units of the coordinate.
static void joint_soft(const tac_joint_block *k, tac_box *x, real constant, real slope)
{
    x->centre = constant / k->scale;
    x->weight = slope / (k->scale * k->scale);
}

// Armature, spring and damper:  -I (dq - dq0) - h k (q - rest) - slope dq,  dq at the end of the step.
static void joint_passive(const tac_joint *j, tac_joint_block *k, real h, real q, real rate)
{
    const real slope = joint_slope_of(k, h, j->stiffness, j->damping);
    if (!(j->armature + j->damping + j->stiffness > R(0.0))) { return; }
    tac_box *x = joint_box(k, TAC_BOX_PASSIVE, h, REAL_LARGEST);
    joint_soft(k, x, -(h * j->stiffness * (q - j->rest) + slope * rate), j->armature + slope);
}

// A motor that nothing holds back and that knows its place is a constraint: prescribed motion.
static void joint_motor(const tac_motor *a, const tac_joint *j, tac_joint_block *k, real h, real q, real rate)
{
    if (a->kind == TAC_MOTOR_POSITION && !(j->effort < REAL_LARGEST)) {
        k->constraints |= 1 << JOINT_LAST;
        k->bias[JOINT_LAST] -= k->scale * (a->position - q) / h;
        k->target = 1;
        k->goal = a->position;
        return;
    }
    tac_box *x = joint_box(k, TAC_BOX_MOTOR, h, j->effort);
    if (a->kind == TAC_MOTOR_VELOCITY || a->kind == TAC_MOTOR_POSITION) {
        const real wanted = a->kind == TAC_MOTOR_VELOCITY ? a->velocity : (a->position - q) / h;
        joint_hard(x, k->scale * (rate - wanted));
        return;
    }
    const int pd = a->kind == TAC_MOTOR_PD;
    const real slope = pd ? joint_slope_of(k, h, a->stiffness, a->damping) : R(0.0);
    const real spring = pd ? a->stiffness * (a->position - q) : R(0.0);
    joint_soft(k, x, h * (spring + a->effort) + slope * (a->velocity - rate), slope);
}

// The nearer one of two limits. As with contacts the gap may close within the step; one that is passed is not pushed
// back faster than options.recovery.
static void joint_limit(const tac_model *m, const tac_joint *j, tac_joint_block *k, real q, real rate)
{
    const int low = q - j->lower <= j->upper - q;
    const real gap = low ? q - j->lower : j->upper - q, leave = real_max(gap / m->h, -m->options.recovery);
    tac_box *x = joint_box(k, TAC_BOX_LIMIT, m->h, REAL_LARGEST);
    *(low ? &x->lo : &x->hi) = R(0.0);
    joint_hard(x, k->scale * (low ? rate + leave : rate - leave));
}

// What acts along the coordinate; `motor` may be NULL.
static void joint_boxes(const tac_model *m, const tac_joint *j, const tac_motor *motor, real q, tac_joint_block *k)
{
    const real rate = k->bias[JOINT_LAST] / k->scale; // of the coordinate, at the start of the step
    if (j->lower == j->upper) {
        k->constraints |= 1 << JOINT_LAST;
        k->target = 1;
        k->goal = j->lower;
    } else if (j->lower < j->upper) {
        joint_limit(m, j, k, q, rate);
    }
    joint_passive(j, k, m->h, q, rate);
    if (motor != NULL && !k->target) { joint_motor(motor, j, k, m->h, q, rate); }
    if (j->friction > R(0.0)) { joint_hard(joint_box(k, TAC_BOX_FRICTION, m->h, j->friction), k->scale * rate); }
}

static const tac_motor *joint_find_motor(const tac_input *input, uint32_t joint)
{
    const tac_motor *found = NULL;
    for (uint32_t i = 0; input != NULL && i < JOINT_MOTORS(input); i++) {
        if (JOINT_MOTOR(input)[i].joint == joint) { found = &JOINT_MOTOR(input)[i]; }
    }
    return found;
}

// The error of what row `row` holds, m: of a constraint, or of the coordinate against its goal.
static real joint_violation(const tac_joint *j, const tac_joint_block *k, const joint_place *p, int row)
{
    return row == JOINT_LAST && k->coordinate ? k->scale * (joint_coordinate(j, p) - k->goal)
                                              : joint_error(j, p, row, k->length);
}

// Jacobian of the joint with its bodies at these poses.
static void joint_jacobian(const tac_joint *j, const joint_place *p, const tac_pose *pose[2], const tac_moving *moving,
                           tac_joint_block *k)
{
    reals_clear(k->row, sizeof k->row);
    for (int row = 0; row < TAC_JOINT_ROWS; row++) {
        if (!joint_has_row(k, row)) { continue; }
        joint_row(j, p, pose, JOINT_ROW[j->kind][row], k->length, &k->row[row]);
        k->w[row] = joint_weight(&k->row[row], &moving[j->body_a], &moving[j->body_b]);
    }
}

// What rounding of the poses makes of an error.
static real joint_rounding(const tac_pose *a, const tac_pose *b, const tac_joint_block *k)
{
    return REAL_EPSILON * (v3_norm_inf(a->p) + v3_norm_inf(b->p) + k->length);
}

// Do the constraints hold? Prescribed motion does not count: its goal is new in each step.
static int joint_is_apart(const tac_joint *j, const joint_place *p, const tac_pose *pose[2], const tac_joint_block *k)
{
    const real slack = JOINT_APART_SLACK * joint_rounding(pose[0], pose[1], k);
    int apart = k->coordinate && j->lower == j->upper && real_abs(joint_coordinate(j, p) - j->lower) > slack / k->scale;
    for (int row = 0; row < JOINT_CONSTRAINTS[j->kind]; row++) {
        apart |= real_abs(joint_error(j, p, row, k->length)) > slack;
    }
    return apart;
}

static real joint_speed(const tac_joint_block *k, const tac_twist *t)
{
    return v3_norm_inf(t->v) + k->length * v3_norm_inf(t->w);
}

static void joint_make(const tac_model *m, const tac_state *s, const tac_motor *motor, const tac_joint *j,
                       const tac_work *w, tac_joint_block *k)
{
    joint_place p;
    joint_motion q;
    const tac_pose *pose[2] = {&s->pose[j->body_a], &s->pose[j->body_b]};
    const tac_twist *twist[2] = {&s->twist[j->body_a], &s->twist[j->body_b]};
    bytes_clear(k, sizeof *k);
    joint_find(m, j, pose[0], pose[1], &p);
    joint_move(&p, pose, twist, &q);
    k->length = joint_length(&w->moving[j->body_a], &w->moving[j->body_b]);
    k->coordinate = (uint8_t)joint_has_coordinate(j->kind);
    k->scale = joint_turns(j->kind) ? k->length : R(1.0);
    k->constraints = (uint8_t)((1 << JOINT_CONSTRAINTS[j->kind]) - 1);
    joint_jacobian(j, &p, pose, w->moving, k);
    for (int row = 0; row < TAC_JOINT_ROWS; row++) { k->bias[row] = joint_rate(j, k, s->twist, row); }
    k->speed = joint_speed(k, twist[0]) + joint_speed(k, twist[1]);
    k->apart = (uint8_t)joint_is_apart(j, &p, pose, k);
    if (k->coordinate) { joint_boxes(m, j, motor, joint_coordinate(j, &p), k); }
    for (int row = 0; row < TAC_JOINT_ROWS; row++) {
        if (!(k->constraints >> row & 1)) { continue; }
        k->bias[row] += R(0.5) * m->h * joint_bend(j, &p, &q, row, k->length) + joint_rate(j, k, w->shift, row);
    }
}

// ------------------------------------------------------------------------------------------------------- all of them

// From the impulses of the last step, as far as the bounds of this one let them.
static void joint_warm(const tac_joint_warm *last, tac_joint_block *k)
{
    for (int row = 0; row < TAC_JOINT_ROWS; row++) {
        if (k->constraints >> row & 1) { k->best[row] = last->row[row]; }
    }
    for (int i = 0; i < TAC_BOXES; i++) {
        tac_box *x = &k->box[i];
        if (x->used) { x->best = real_clamp(last->box[i], x->lo, x->hi); }
    }
}

static void joints_make(const tac_model *m, const tac_state *s, const tac_input *input, tac_work *w)
{
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
        joint_make(m, s, joint_find_motor(input, i), &JOINT_OF(m)[i], w, &JOINT_LINK(w)[i]);
        if (m->options.warm_start) { joint_warm(&JOINT_WARM(s)[i], &JOINT_LINK(w)[i]); }
    }
}

static void joints_keep(const tac_model *m, tac_state *s, const tac_work *w)
{
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
        for (int row = 0; row < TAC_JOINT_ROWS; row++) { JOINT_WARM(s)[i].row[row] = JOINT_LINK(w)[i].impulse[row]; }
        for (int x = 0; x < TAC_BOXES; x++) { JOINT_WARM(s)[i].box[x] = JOINT_LINK(w)[i].box[x].impulse; }
    }
}

static void joints_error(tac_work *w, real worst)
{
#if TAC_MAX_JOINTS > 0
    w->report.joint_error = worst;
#else
    (void)w, (void)worst;
#endif
}

// Force and torque on b at the origin of its frame, mean of the step: J' g / h, its torque taken from the centre of
// mass to there.
static void joints_show(const tac_model *m, const tac_state *s, tac_work *w)
{
    const real rate = R(1.0) / m->h;
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
        const tac_joint *j = &JOINT_OF(m)[i];
        const tac_joint_block *k = &JOINT_LINK(w)[i];
        const tac_pose *b = &s->pose[j->body_b];
        vec3 force = V3_ZERO, torque = V3_ZERO;
        tac_pose frame;
        for (int row = 0; row < TAC_JOINT_ROWS; row++) {
            const real g = rate * joint_impulse(k, row);
            force = v3_madd(force, g, k->row[row].linear);
            torque = v3_madd(torque, g, k->row[row].angular[1]);
        }
        joint_frame(&m->body[j->body_b], b, &j->frame_b, &frame);
        JOINT_RESULT(w)[i].force = force;
        JOINT_RESULT(w)[i].torque = v3_sub(quat_rotate(b->q, torque), v3_cross(v3_sub(frame.p, b->p), force));
        for (int x = 0; x < TAC_BOXES; x++) { JOINT_RESULT(w)[i].effort[x] = rate * k->scale * k->box[x].impulse; }
        if (k->target) { JOINT_RESULT(w)[i].effort[TAC_BOX_MOTOR] += rate * k->scale * k->impulse[JOINT_LAST]; }
    }
}

#endif
