// SPDX-License-Identifier: MIT
// vary_efforts.h - what acts along the coordinates of joints in a step: efforts, and drifts of free rotation.
//   given   links of a step: their intervals, and the impulses of these if the step has been solved
//   makes   of each coordinate a constant and slopes, or the rate that it is led with; of each body its drift
//   bound   a visit to each joint and body
//   never   finds the rates
#ifndef DERIVATIVE_VARY_EFFORTS_H
#define DERIVATIVE_VARY_EFFORTS_H

#include "vary_memory.h"

#if TAC_MAX_LCP > 0

// Which efforts act along the coordinate of a joint with a slope: E = constant - slope r - pull q + rotor v + lag d,
// where d is what free rotation adds to the mean rate but not to the velocity of the solve: tree_motion_rates() begins
// there.
typedef struct vary_effort {
    real constant, slope, pull, rotor, lag;
    int held;     // the coordinate is led: a motor of unlimited effort, a lock, a limit or dry friction that holds it
    real lead;    // its rate,
    real follows; // and the change of this by q
} vary_effort;

// Does a hard interval hold the rate: a limit that bears, friction or a motor that is not at its bounds?
static int vary_holds(const tac_interval *x, real g)
{
    return x->used && x->hard && g > x->lo && g < x->hi && (x->lo < R(0.0) || g > R(0.0)) &&
           (x->hi > R(0.0) || g < R(0.0));
}

// The row that pins the rate, -1 if none does.
static int vary_pinned(const tac_joint_block *k, const real *g)
{
    static const int order[] = {TAC_EFFORT_LIMIT, TAC_EFFORT_MOTOR, TAC_EFFORT_FRICTION};
    for (int i = 0; i < 3; i++) {
        if (vary_holds(&k->interval[order[i]], g[order[i]])) { return order[i]; }
    }
    return -1;
}

// Slope along q of the rate that a motor of unlimited effort, or the row that pins it, asks for.
static real vary_follows(const tac_model *m, const tac_motor *a, const tac_joint *j, const tac_joint_block *k,
                         int pinned)
{
    const tac_interval *limit = &k->interval[TAC_EFFORT_LIMIT];
    const int led = a != NULL && a->kind == TAC_MOTOR_POSITION;
    int follows = led && pinned < 0 && k->driven && k->setpoint == a->position;
    if (pinned == TAC_EFFORT_MOTOR) { follows = led; }
    if (pinned == TAC_EFFORT_LIMIT) { follows = k->setpoint == (limit->lo == R(0.0) ? j->lower : j->upper); }
    return follows ? R(-1.0) / m->h : R(0.0);
}

// Of one interval: a law, while its impulse is within bounds, or a constant.
static void vary_interval(const tac_interval *x, real g, real scale, real rate, vary_effort *e)
{
    if (!x->used) { return; }
    if (x->hard || (interval_bounded(x) && !(g > x->lo && g < x->hi))) {
        e->constant += scale * g;
        return;
    }
    e->slope += scale * scale * x->weight;
    e->constant += scale * x->centre + scale * scale * x->weight * rate;
}

// `g`: impulses of the intervals; NULL: those of bounded ones are left out.
static vary_effort vary_effort_of(const tac_model *m, const tac_motor *a, const tac_joint *j, const tac_joint_block *k,
                                  real rate, const real *g)
{
    vary_effort e;
    bytes_clear(&e, sizeof e);
    const int pinned = g != NULL ? vary_pinned(k, g) : -1;
    e.held = k->driven || (j->lower == j->upper && k->coordinate) || pinned >= 0;
    if (e.held) {
        const real hard = pinned >= 0 ? k->interval[pinned].bias : k->bias[JOINT_LAST];
        e.lead = rate - hard / k->scale;
        e.follows = vary_follows(m, a, j, k, pinned);
        return e;
    }
    for (int i = 0; i < TAC_EFFORTS; i++) {
        const tac_interval *x = &k->interval[i];
        if (g != NULL || !interval_bounded(x)) { vary_interval(x, g != NULL ? g[i] : R(0.0), k->scale, rate, &e); }
    }
    const tac_interval *motor = &k->interval[TAC_EFFORT_MOTOR];
    const int free =
        motor->used && !motor->hard &&
        (!interval_bounded(motor) || (g != NULL && g[TAC_EFFORT_MOTOR] > motor->lo && g[TAC_EFFORT_MOTOR] < motor->hi));
    if (free && a != NULL && a->kind == TAC_MOTOR_PD) { e.pull += m->h * a->stiffness; }
    if (free && joint_rotates(j->kind)) { e.lag += k->scale * k->scale * motor->weight; }
    if (k->interval[TAC_EFFORT_PASSIVE].used) {
        e.pull += m->h * j->stiffness;
        e.rotor += j->armature;
        e.lag += joint_rotates(j->kind) ? j->armature : R(0.0);
    }
    return e;
}

static vary_effort vary_effort_on(const vary_step *x, const tac_mechanism_body *b)
{
    const tac_joint *j = &JOINT_OF(x->m)[b->joint];
    const tac_joint_block *k = &JOINT_LINK(x->w)[b->joint];
    const tac_motor *motor = k->motor != TAC_NONE ? &JOINT_MOTOR(x->input)[k->motor] : NULL;
    real rate[3], g[TAC_EFFORTS];
    mechanism_rates(b, x->t->mechanism.body[b->parent].velocity, rate);
    for (int i = 0; i < TAC_EFFORTS; i++) { g[i] = k->interval[i].z; }
    return vary_effort_of(x->m, motor, j, k, rate[0], x->bears ? g : NULL);
}

// Does anything act along the coordinates of the body's joint?
static int vary_acts(const vary_step *x, const tac_mechanism_body *b)
{
    return !mechanism_free(b) && b->axes == 1 && JOINT_LINK(x->w)[b->joint].coordinate;
}

// The damper of a coordinate counts the drift already (joint_passive()): what the step's constant has of it is given
// back, per drift.
static real vary_damped(const vary_step *x, const tac_mechanism_body *b)
{
    const tac_joint *j = &JOINT_OF(x->m)[b->joint];
    const tac_joint_block *k = &JOINT_LINK(x->w)[b->joint];
    const tac_interval *passive = &k->interval[TAC_EFFORT_PASSIVE];
    return passive->used && joint_rotates(j->kind) ? k->scale * k->scale * passive->weight - j->armature : R(0.0);
}

// What efforts do along the coordinates of joints, and what each body's free rotation adds to its drift.
static void vary_efforts(const vary_step *x)
{
    tac_mechanism *k = &x->t->mechanism;
    for (uint32_t at = 0; at < k->bodies; at++) {
        const uint16_t self = k->order[at];
        const tac_mechanism_body *b = &k->body[self];
        tac_varied_body *v = &x->t->body[self];
        const vec3 inertia = x->m->body[self].inertia;
        v->acts = (uint8_t)vary_acts(x, b);
        v->held = 0;
        v->lag = R(0.0);
        if (v->acts) {
            const vary_effort e = vary_effort_on(x, b);
            v->constant = e.constant, v->slope = e.slope, v->pull = e.pull, v->rotor = e.rotor, v->lag = e.lag;
            v->lead = e.lead, v->follows = e.follows;
            v->held = (uint8_t)e.held;
        }
        vary_flight(x->m->h, inertia, v);
        if (v->alone) { continue; }
        v->slip = v3_combine(b->axis, v3_sub(v->flight, v->flown));
        if (v->acts && !v->held) { v->constant += vary_damped(x, b) * vary_drifts_now(x->m, x->t, self); }
        for (int i = 0; i < 3; i++) {
            const vec3 own = v3_components(b->axis, V3_AXIS[i]);
            v->inertia[i] = v3_combine(b->axis, v3_mul(inertia, own));
            v->slips[i] = v3_combine(b->axis, v3_combine(v->drift, own));
        }
    }
}

#endif

#endif
