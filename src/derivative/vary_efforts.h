// SPDX-License-Identifier: MIT
// vary_efforts.h - what acts along the coordinates of joints in a step: efforts, and the excess of free rotation.
//   given   links of a step: their intervals, and the impulses of these if the step has been solved
//   makes   of each coordinate a constant and slopes, or the rate that it is held at; of each body its excess
//   bound   a visit to each joint and body
//   never   finds the rates
#ifndef DERIVATIVE_VARY_EFFORTS_H
#define DERIVATIVE_VARY_EFFORTS_H

#include "../tree/coordinates.h"
#include "vary_motion.h"

#if TAC_MAX_LCP > 0

// Does a hard interval hold the rate: a limit that bears, friction or a motor that is not at its bounds?
static int vary_holds(const tac_interval *x, real g)
{
    return x->used && x->hard && g > x->lo && g < x->hi && (x->lo < R(0.0) || g > R(0.0)) &&
           (x->hi > R(0.0) || g < R(0.0));
}

// The interval that holds the rate, -1 if none does.
static int vary_holding(const tac_joint_block *k, const real *g)
{
    static const int order[] = {TAC_EFFORT_LIMIT, TAC_EFFORT_MOTOR, TAC_EFFORT_FRICTION};
    for (int i = 0; i < 3; i++) {
        if (vary_holds(&k->interval[order[i]], g[order[i]])) { return order[i]; }
    }
    return -1;
}

// The law of an effort at the start of the step (src/rows/effort.h).
static effort_law vary_law(const vary_step *x, uint32_t joint, int effort)
{
    const tac_joint *j = &JOINT_OF(x->m)[joint];
    const tac_joint_block *k = &JOINT_LINK(x->w)[joint];
    tac_joint_state at;
    coordinates_own(x->m, x->s, j, &at);
    if (effort == TAC_EFFORT_PASSIVE) { return effort_passive(j, at.position, R(0.0)); }
    if (effort == TAC_EFFORT_LIMIT) { return joint_limit_law(x->m, j, k, at.position); }
    if (effort == TAC_EFFORT_FRICTION || k->motor == TAC_NONE) { return effort_friction(j, NULL); }
    return effort_motor(x->m, j, &JOINT_MOTOR(x->input)[k->motor], j->effort, at.position, R(0.0));
}

// Adds an effort: its slopes while its impulse is within bounds, else a constant. An effort that follows the rate sees
// that of the solve, without the excess; but the damper of a spring counts that (joint_passive()).
static void vary_add_effort(const vary_step *x, uint32_t joint, int effort, real g, real rate, tac_varied_effort *e)
{
    const tac_joint_block *k = &JOINT_LINK(x->w)[joint];
    const tac_interval *of = &k->interval[effort];
    const real scale = k->scale, slope = scale * scale * of->weight, h = x->m->h;
    const effort_law law = vary_law(x, joint, effort);
    if (of->hard || (interval_bounded(of) && !(g > of->lo && g < of->hi))) {
        const real now = scale * g;
        e->constant += now;
        // a motor that would pass its speed pushes with what its law has at the start
        if (law.hard || !of->hard || now == R(0.0) || !(now > h * law.least && now < h * law.most)) { return; }
        e->pull += h * law.stiffness;
        e->rotor -= effort_slope(joint_mass(k, JOINT_LAST, scale), h, law.stiffness, law.damping);
        return;
    }
    e->constant += scale * of->centre + slope * rate;
    e->slope += slope;
    e->pull += h * law.stiffness;
    e->rotor += law.inertia;
    if (joint_rotates(k->kind)) { e->lag += effort == TAC_EFFORT_PASSIVE ? law.inertia : slope; }
}

// All that acts along a coordinate of this rate at the start. `g`: impulses of the intervals; NULL: those of bounded
// ones are left out.
static void vary_effort_of(const vary_step *x, uint32_t joint, real rate, const real *g, tac_varied_effort *e)
{
    const tac_joint *j = &JOINT_OF(x->m)[joint];
    const tac_joint_block *k = &JOINT_LINK(x->w)[joint];
    const int holding = g != NULL ? vary_holding(k, g) : -1;
    e->held = k->driven || (j->lower == j->upper && k->coordinate) || holding >= 0;
    if (e->held) {
        const real hard = holding >= 0 ? k->interval[holding].bias : k->bias[JOINT_LAST];
        e->rate = rate - hard / k->scale;
        if (!k->driven && holding < 0) { return; }
        const effort_law law = vary_law(x, joint, holding >= 0 ? holding : TAC_EFFORT_MOTOR);
        const real limit = law.least < R(0.0) ? j->upper : j->lower;
        e->by_place = -law.follow;
        e->returns = holding == TAC_EFFORT_LIMIT && law.goal != limit && k->setpoint == limit;
        return;
    }
    for (int i = 0; i < TAC_EFFORTS; i++) {
        if (!k->interval[i].used || (g == NULL && interval_bounded(&k->interval[i]))) { continue; }
        vary_add_effort(x, joint, i, g != NULL ? g[i] : R(0.0), rate, e);
    }
}

// The excess of a body, none if no impulse moves it.
static vec3 vary_excess(const vary_step *x, uint16_t self)
{
    return mechanism_moves(x->m, self) ? x->t->body[self].excess : V3_ZERO;
}

// The excess along the coordinate of a joint.
static real vary_excess_along(const vary_step *x, uint16_t self)
{
    const tac_mechanism_body *b = &x->tree->body[self];
    const vec3 axis = mechanism_axis(x->tree, b, 0);
    return v3_dot(axis, v3_sub(vary_excess(x, self), vary_excess(x, b->parent)));
}

// Joints with one coordinate. The damper of a coordinate counts the excess already (joint_passive()): what the
// constant of the step has of it is given back.
static void vary_effort(const vary_step *x, uint16_t self)
{
    const tac_mechanism_body *b = &x->tree->body[self];
    tac_varied_effort *e = &x->t->body[self].effort;
    bytes_clear(e, sizeof *e);
    if (mechanism_free(b) || b->axes != 1 || !JOINT_LINK(x->w)[b->joint].coordinate) { return; }
    const tac_joint *j = &JOINT_OF(x->m)[b->joint];
    const tac_joint_block *k = &JOINT_LINK(x->w)[b->joint];
    const tac_interval *passive = &k->interval[TAC_EFFORT_PASSIVE];
    real rate[3];
    mechanism_rates(b, x->tree->body[b->parent].velocity, rate);
    e->acts = 1;
    vary_effort_of(x, b->joint, rate[0], x->bears ? k->borne : NULL, e);
    if (e->held) { return; }
    const int counted = passive->used && joint_rotates(j->kind);
    const real damper = counted ? k->scale * k->scale * passive->weight - j->armature : R(0.0);
    e->constant += damper * vary_excess_along(x, self);
}

// What efforts do along the coordinates of joints, and the excess of each body, parents first.
static void vary_efforts(const vary_step *x)
{
    for (uint32_t at = 0; at < x->tree->bodies; at++) {
        const uint16_t self = x->tree->order[at];
        const vec3 *axis = x->tree->body[self].axis, inertia = x->m->body[self].inertia;
        tac_varied_body *v = &x->t->body[self];
        vary_flight(x->m->h, inertia, v);
        v->excess = v3_combine(axis, v3_sub(v->flight_w_b[0], v->flight_w_b[1]));
        for (int i = 0; i < 3 && !v->alone; i++) {
            const vec3 own = v3_components(axis, V3_AXIS[i]);
            v->inertia[i] = v3_combine(axis, v3_mul(inertia, own));
            v->dexcess_dl[i] = v3_combine(axis, v3_combine(v->dexcess_dl_b, own));
        }
        vary_effort(x, self);
    }
}

#endif

#endif
