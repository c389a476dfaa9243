// SPDX-License-Identifier: MIT
// instant_joints.h - joints at an instant: constraints on accelerations, efforts along coordinates as forces.
//   given   links as a step makes them; poses, velocities, motors of the input
//   makes   link[]: drift and bias are accelerations, intervals are forces; forces of bushings
//   bound   constant per joint
//   never   depends on h except in the thresholds of rest, and in the velocity that a position motor demands
#ifndef T03_INSTANT_JOINTS_H
#define T03_INSTANT_JOINTS_H

#include "../rows/joints.h"

#if TAC_MAX_LCP > 0

// The second derivative of a constraint is J nu' + k (19): k, the rate of J times nu, takes the place of J nu + b in
// the rows of a step. Forces take the place of impulses: a spring and a damper have the force that belongs to the
// state, and a rotor -armature q''. Dry friction is known while the coordinate moves. While it stands, and likewise for
// a limit that is reached, a motor that is at its velocity or at its speed limit, the force keeps q'' at 0 within its
// bounds (23).
#define INSTANT_STILL R(0.1) // of what forces make of a velocity within h: slower stands
#define INSTANT_NEAR R(1e-4) // of the size: nearer touches

// A coordinate: its joint and command, the state along it.
typedef struct instant_coordinate {
    const tac_joint *joint;
    const tac_motor *motor;
    real q, rate; // q, q/s
    real blur;    // q: rounding
    real size;    // m: of its bodies
    real still;   // q/s: slower stands
    real near;    // q: nearer is reached
} instant_coordinate;

// A force that does not depend on the acceleration.
static void instant_force(tac_joint_block *k, int which, real effort)
{
    joint_soft(k, joint_interval(k, which, R(1.0), REAL_LARGEST), effort, R(0.0));
}

// Between two bounds it keeps the acceleration of the coordinate at 0.
static void instant_hold(tac_joint_block *k, int which, real lo, real hi)
{
    tac_interval *x = joint_interval(k, which, R(1.0), REAL_LARGEST);
    if (lo > -REAL_LARGEST) { x->lo = lo / k->scale; }
    if (hi < REAL_LARGEST) { x->hi = hi / k->scale; }
    joint_hard(x, k->bias[JOINT_LAST]);
}

// Spring, damper and rotor.
static void instant_passive(const instant_coordinate *c, tac_joint_block *k)
{
    const tac_joint *j = c->joint;
    if (!joint_is_passive(j)) { return; }
    const real spring = j->stiffness > R(0.0) ? j->stiffness * (c->q - j->rest) : R(0.0);
    const real drift = j->armature * k->bias[JOINT_LAST] / k->scale;
    tac_interval *x = joint_interval(k, TAC_EFFORT_PASSIVE, R(1.0), REAL_LARGEST);
    joint_soft(k, x, -(spring + j->damping * c->rate) - drift, j->armature);
}

// A force that is commanded: it does not drive beyond the speed limit.
static void instant_effort(const instant_coordinate *c, tac_joint_block *k)
{
    const tac_joint *j = c->joint;
    const tac_motor *a = c->motor;
    real effort = a->effort;
    if (a->kind == TAC_MOTOR_PD) {
        effort += a->damping * (a->velocity - c->rate) - a->stiffness * joint_deviation(j, c->q, a->position);
    }
    effort = real_clamp(effort, -j->effort, j->effort);
    const real left = effort < R(0.0) ? j->speed + c->rate : j->speed - c->rate;
    if (left > c->still) {
        instant_force(k, TAC_EFFORT_MOTOR, effort);
    } else if (left >= -c->still) {
        instant_hold(k, TAC_EFFORT_MOTOR, real_min(effort, R(0.0)), real_max(effort, R(0.0)));
    }
}

// How far the rate may be from that of a motor which is at its velocity: a position, rounded, is a velocity over h.
static real instant_slack(const tac_model *m, const instant_coordinate *c)
{
    return c->motor->kind == TAC_MOTOR_POSITION ? c->still + c->blur / m->h : c->still;
}

// Prescribed motion is a constraint. At another velocity it would need an impulse.
static void instant_prescribe(const tac_model *m, const instant_coordinate *c, tac_joint_block *k, uint16_t *impacts)
{
    if (!(real_abs(c->rate - joint_prescribed_rate(m, c->motor, c->joint, c->q)) <= instant_slack(m, c))) {
        ++*impacts;
        return;
    }
    k->constraints |= 1 << JOINT_LAST;
    k->target = k->driven = 1;
    joint_prescribed_friction(c->joint, k, R(1.0), c->rate);
}

static void instant_motor(const tac_model *m, const instant_coordinate *c, tac_joint_block *k, uint16_t *impacts)
{
    const tac_motor *a = c->motor;
    const real most = c->joint->effort;
    if (joint_prescribes(a, c->joint)) {
        instant_prescribe(m, c, k, impacts);
    } else if (a->kind != TAC_MOTOR_VELOCITY && a->kind != TAC_MOTOR_POSITION) {
        instant_effort(c, k);
    } else {
        const real slow = joint_target_rate(a, c->joint, m->h, c->q) - c->rate;
        if (real_abs(slow) <= instant_slack(m, c)) {
            instant_hold(k, TAC_EFFORT_MOTOR, -most, most);
        } else {
            instant_force(k, TAC_EFFORT_MOTOR, slow > R(0.0) ? most : -most);
        }
    }
}

// The nearer limit; `beyond` is positive on its far side, `away` the velocity back from there.
static void instant_limit(const instant_coordinate *c, tac_joint_block *k, uint16_t *impacts)
{
    const tac_joint *j = c->joint;
    const int low = c->q - j->lower <= j->upper - c->q;
    const real beyond = low ? j->lower - c->q : c->q - j->upper, away = low ? c->rate : -c->rate;
    if (j->stop_stiffness > R(0.0)) {
        const real push = real_max(j->stop_stiffness * beyond - j->stop_damping * away, R(0.0));
        if (beyond > R(0.0)) { instant_force(k, TAC_EFFORT_LIMIT, low ? push : -push); }
    } else if (beyond >= -c->near && away < -c->still) {
        ++*impacts;
    } else if (beyond >= -c->near && away <= c->still) {
        instant_hold(k, TAC_EFFORT_LIMIT, low ? R(0.0) : -REAL_LARGEST, low ? REAL_LARGEST : R(0.0));
    }
}

static void instant_friction(const instant_coordinate *c, tac_joint_block *k)
{
    const real most = c->joint->friction;
    if (!(most > R(0.0))) { return; }
    if (real_abs(c->rate) <= c->still) {
        instant_hold(k, TAC_EFFORT_FRICTION, -most, most);
    } else {
        instant_force(k, TAC_EFFORT_FRICTION, c->rate > R(0.0) ? -most : most);
    }
}

// Which velocities and distances are small. `change`: the largest acceleration of a body without contacts and joints.
static void instant_small(const tac_model *m, const tac_state *s, real change, const tac_work *w,
                          const tac_joint_block *k, instant_coordinate *c)
{
    const real noise = real_max(w->program.tolerance, R(16.0) * REAL_EPSILON);
    const real rub = k->w[JOINT_LAST] * c->joint->friction / k->scale, drift = real_abs(k->bias[JOINT_LAST]);
    const real still = m->h * (INSTANT_STILL * (change + rub) + drift) + noise * k->speed;
    c->rate = joint_rate(k, s->twist, JOINT_LAST) / k->scale;
    c->still = still / k->scale;
    c->near = (INSTANT_NEAR * c->size + m->h * still) / k->scale;
}

// All that acts along a coordinate.
static void instant_along(const tac_model *m, const instant_coordinate *c, tac_joint_block *k, uint16_t *impacts)
{
    const tac_joint *j = c->joint;
    k->target = k->driven = 0;
    k->constraints = (uint8_t)(k->constraints & ~(1 << JOINT_LAST));
    for (int i = 0; i < TAC_EFFORTS; i++) { k->interval[i].used = k->interval[i].inside = 0; }
    if (j->lower == j->upper) {
        k->constraints |= 1 << JOINT_LAST;
        k->target = 1;
    } else if (c->motor != NULL) {
        instant_motor(m, c, k, impacts);
    }
    if (j->lower < j->upper && (!k->target || j->stop_stiffness > R(0.0))) { instant_limit(c, k, impacts); }
    instant_passive(c, k);
    if (!k->target) { instant_friction(c, k); }
}

// Springs and dampers of a bushing: forces that are known.
static void instant_bushing(const tac_state *s, const tac_joint *j, const joint_place *p, tac_joint_block *k, real *g)
{
    const vec3 stiffness[2] = {j->along, j->about}, damping[2] = {j->along_damping, j->about_damping};
    for (int row = 0; row < TAC_JOINT_ROWS; row++) {
        const real stiff = v3_dot(stiffness[row / 3], V3_AXIS[row % 3]),
                   damp = v3_dot(damping[row / 3], V3_AXIS[row % 3]);
        const real scale = row < 3 ? R(1.0) : k->length;
        g[row] = -(stiff * joint_error(j, p, row, k->length) + damp * joint_rate(k, s->twist, row)) / (scale * scale);
    }
    k->constraints = 0;
}

// A joint of its own frames: k of its constraints and of its coordinate.
static void instant_own(const tac_state *s, tac_work *w, tac_joint_block *k, instant_coordinate *c)
{
    const tac_joint *j = c->joint;
    const tac_pose *pose[2] = {&s->pose[j->body_a], &s->pose[j->body_b]};
    const tac_twist *twist[2] = {&s->twist[j->body_a], &s->twist[j->body_b]};
    const vec3 *const axis[2] = {JOINT_TREE(w)[j->body_a].axis, JOINT_TREE(w)[j->body_b].axis};
    joint_place p;
    joint_motion q;
    joint_find(j->kind, k->frame, pose[0], pose[1], &p);
    joint_move(&p, axis, twist, &q);
    if (j->kind == TAC_BUSHING) {
        instant_bushing(s, j, &p, k, &w->scratch.solve.g[k->first]);
        return;
    }
    for (int row = k->eliminates ? JOINT_LAST : 0; row < TAC_JOINT_ROWS; row++) {
        if (joint_has_row(k, row)) { k->bias[row] = joint_curvature(j, &p, &q, row, k->length); }
    }
    if (k->eliminates) {
        const vec3 turn = joint_turn_curvature(&q, k);
        k->drift[0] = joint_forbid_turn(k, turn);
        k->drift[1] = joint_forbid_slide(k, turn, q.curvature);
    }
    c->q = k->coordinate ? joint_coordinate(j, &p) : R(0.0);
    c->blur = R(4.0) * joint_rounding(pose[0], pose[1], k) / k->scale;
    c->size = k->length;
}

static void instant_coupled(const tac_model *m, const tac_state *s, const tac_work *w, tac_joint_block *k,
                            instant_coordinate *c)
{
    coupling_place at;
    k->bias[JOINT_LAST] = coupling_find(m, s, c->joint, w, k, &at);
    c->q = coupling_coordinate(&at);
    c->blur = R(4.0) * at.slack / k->scale;
    c->size = JOINT_LINK(w)[c->joint->body_b].length;
}

// All joints. `impacts` counts those that would need an impulse.
static void instant_joints(const tac_model *m, const tac_state *s, const tac_input *input, real change, tac_work *w,
                           uint16_t *impacts)
{
    joints_make(m, s, input, 0, w);
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
        tac_joint_block *k = &JOINT_LINK(w)[i];
        const tac_motor *motor = k->motor != TAC_NONE ? &JOINT_MOTOR(input)[k->motor] : NULL;
        instant_coordinate c = {&JOINT_OF(m)[i], motor, R(0.0), R(0.0), R(0.0), R(0.0), R(0.0), R(0.0)};
        if (c.joint->kind == TAC_COUPLING) {
            instant_coupled(m, s, w, k, &c);
        } else {
            instant_own(s, w, k, &c);
        }
        if (!k->coordinate) { continue; }
        instant_small(m, s, change, w, k, &c);
        instant_along(m, &c, k, impacts);
    }
}

#endif

#endif
