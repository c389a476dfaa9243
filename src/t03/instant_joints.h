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

// What is left of a law at an instant. A hard one that is not at its rate pushes towards it with its bound; without one
// that would be an impulse.
static void instant_put(const instant_coordinate *c, tac_joint_block *k, int which, const effort_law *e,
                        uint16_t *impacts)
{
    const real drift = k->bias[JOINT_LAST];
    if (e->hard && real_abs(c->rate - e->rate) <= c->still + e->follow * c->blur) {
        joint_keep(k, which, e, EFFORT_INSTANT, c->rate);
        k->interval[which].bias = drift;
        return;
    }
    effort_law force = effort_soft(effort_value(e, c->rate, R(0.0)), R(0.0), R(0.0));
    force.inertia = e->inertia;
    if (real_abs(force.force) == REAL_LARGEST) {
        ++*impacts;
    } else if (force.force != R(0.0) || force.inertia > R(0.0)) {
        const effort_impulse along = effort_over(&force, EFFORT_INSTANT, EFFORT_ENDLESS, R(0.0), drift / k->scale);
        joint_yield(k, which, &force, EFFORT_INSTANT, along);
    }
}

// Prescribed motion is a constraint. At another velocity it would need an impulse.
static void instant_prescribe(const instant_coordinate *c, tac_joint_block *k, const effort_law *e, uint16_t *impacts)
{
    if (!(real_abs(c->rate - e->rate) <= c->still + e->follow * c->blur)) {
        ++*impacts;
        return;
    }
    joint_hold(k, e->goal);
    k->driven = 1;
    if (!(c->joint->friction > R(0.0))) { return; }
    const effort_law friction = effort_friction(c->joint, e);
    instant_put(c, k, TAC_EFFORT_FRICTION, &friction, impacts);
}

static void instant_motor(const tac_model *m, const instant_coordinate *c, tac_joint_block *k, uint16_t *impacts)
{
    effort_law e = effort_motor(m, c->joint, c->motor, c->joint->effort, c->q, R(0.0));
    if (effort_prescribes(&e)) {
        instant_prescribe(c, k, &e, impacts);
        return;
    }
    if (!e.hard) {
        const effort_impulse along = effort_over(&e, EFFORT_INSTANT, EFFORT_ENDLESS, c->rate, R(0.0));
        effort_keep_speed(c->joint, EFFORT_INSTANT, EFFORT_ENDLESS, c->rate, along, &e);
    }
    instant_put(c, k, TAC_EFFORT_MOTOR, &e, impacts);
}

// A hard limit that is reached keeps the rate at 0; one that is not yet does nothing.
static void instant_limit(const tac_model *m, const instant_coordinate *c, tac_joint_block *k, uint16_t *impacts)
{
    effort_law e = effort_limit(m, c->joint, c->q, R(0.0), R(0.0));
    if (e.hard && m->h * (e.least < R(0.0) ? e.rate : -e.rate) > c->near) { return; }
    if (e.hard) { e.rate = e.follow = R(0.0); }
    instant_put(c, k, TAC_EFFORT_LIMIT, &e, impacts);
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
        joint_hold(k, j->lower);
    } else if (c->motor != NULL) {
        instant_motor(m, c, k, impacts);
    }
    if (j->lower < j->upper && (!k->target || j->stop_stiffness > R(0.0))) { instant_limit(m, c, k, impacts); }
    const effort_law passive = effort_passive(j, c->q, R(0.0)), friction = effort_friction(j, NULL);
    if (effort_is_passive(j)) { instant_put(c, k, TAC_EFFORT_PASSIVE, &passive, impacts); }
    if (j->friction > R(0.0) && !k->target) { instant_put(c, k, TAC_EFFORT_FRICTION, &friction, impacts); }
}

// Springs and dampers of a bushing: forces that are known.
static void instant_bushing(const tac_state *s, const tac_joint *j, const joint_place *p, tac_joint_block *k, real *g)
{
    for (int row = 0; row < TAC_JOINT_ROWS; row++) {
        const real part = R(1.0) / joint_bushing_scale(k, row);
        const effort_law e = effort_bushing(j, row, part * joint_error(j, p, row, k->length));
        g[row] = part * effort_value(&e, part * joint_rate(k, s->twist, row), R(0.0));
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
    k->bias[JOINT_LAST] = coupling_parts(m, s, c->joint, w, k);
    const coupling_place at = coupling_at(m, c->joint, w, k, s->pose);
    c->q = at.q;
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
        if (SWITCH_BLOCK(k)) { continue; }
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
