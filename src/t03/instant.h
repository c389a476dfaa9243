// SPDX-License-Identifier: MIT
// instant.h - the instantaneous model of T03, CP1: accelerations and forces at a state, a complementarity problem.
//   given   model, state, input; how many directions a friction cone has
//   makes   tac_instant; F, f and z of the problem
//   bound   a solution of bodies and joints for each row of a contact and each bounded effort; the pivots of lemke.h
//   never   steps: the state is read only, and impulses are no part of it
#ifndef T03_INSTANT_H
#define T03_INSTANT_H

#include "../rows/drift.h"
#include "instant_joints.h"
#include "lcp.h"

#if TAC_MAX_LCP > 0

// Newton and Euler with the forces of contacts and joints exposed (24), constraints differentiated twice (19), (20):
//
//      M nu' = Wn c_n + Wf c_f + g_ext,    a = W'nu' + k(q, nu),    0 <= c_n perp a_n >= 0                        (21)
//
// over contacts that touch and whose normal velocity is 0. One that slides (3) has friction against its velocity (17),
// c_f = -mu c_n v_f/|v_f|, which belongs to its column: F is not symmetric, and may have no solution (Painleve). One
// that rolls (4) has friction against its acceleration (22), in a polygon as (36) has it for a step:
//
//          | Wn'A11 (Wn + Wf slide)   Wn'A11 D   0 |        | Wn'r + k_n |        | c_n   |
//      F = | D'A11 (Wn + Wf slide)    D'A11 D    E |,   f = | D'r + k_f  |,   z = | beta  |
//          | U                        -E'        0 |        | c_max      |        | sigma |
//
// and 0 <= F z + f perp z >= 0, with r the accelerations without these forces while all joints hold. The rows are those
// of lcp.h, with the contacts that roll before those that slide: forces take the place of impulses, accelerations that
// of changes of velocity.
#define INSTANT_AWAY (TAC_CONTACT_STRIKES + 1) // a contact that does not touch

// ------------------------------------------------------------------------------------------------------------- bodies

// M^-1 g_ext: gravity, wrenches of the input, and I w' = torque - w x I w. Bodies that are not dynamic keep their
// velocities.
static void instant_free(const tac_model *m, const tac_state *s, const tac_input *input, tac_work *w)
{
    tac_twist *free = w->scratch.solve.free;
    reals_clear(free, m->bodies * sizeof *free);
    for (uint16_t i = 0; input != NULL && i < input->actions; i++) {
        const tac_action *a = &input->action[i];
        if (a->kind != TAC_VELOCITY) { move_act(a, s->pose[a->body].q, &free[a->body]); }
    }
    for (uint16_t i = 1; i < m->bodies; i++) {
        const tac_moving *b = &w->moving[i];
        const vec3 spin = s->twist[i].w;
        if (!(b->inv_mass > R(0.0))) { continue; }
        free[i].v = v3_madd(m->gravity, b->inv_mass, free[i].v);
        free[i].w = v3_mul(b->inv_inertia, v3_sub(free[i].w, v3_cross(spin, v3_mul(b->inertia, spin))));
    }
}

// ----------------------------------------------------------------------------------------------------------- contacts

// k of (20), in (n,u,w). `v` is the relative velocity, `speed` a bound of those that it is the difference of.
static vec3 instant_drift(const tac_model *m, const tac_state *s, const tac_contact *c, const tac_block *k, real *speed)
{
    drift_body b[2];
    drift_rates rates;
    curvature_motion motion;
    *speed = R(0.0);
    for (int side = 0; side < 2; side++) {
        const tac_twist *t = &s->twist[k->body[side]];
        drift_at(&s->pose[k->body[side]], t->v, t->w, c->point, &b[side]);
        *speed += v3_norm(t->v) + v3_norm(v3_sub(b[side].speed, t->v));
    }
    const vec3 slide = drift_slide(b, c->n);
    drift_over(m, s, c, slide, drift_turn(b, c->n), &motion);
    drift_rates_of(b, c->n, slide, &motion, &rates);
    return v3_components(k->frame, rates.k);
}

// S and R of (3), (4). A contact is at rest if it is slower than `still`: a part of the change of velocity by forces in
// h, plus that by k, since velocities at the end of a step are off by half of that.
static uint8_t instant_mode(const tac_contact *c, vec3 v, real still, real near)
{
    if (!(c->gap <= near)) { return INSTANT_AWAY; }
    if (v.x < -still) { return TAC_CONTACT_STRIKES; }
    if (v.x > still) { return TAC_CONTACT_OPENS; }
    return c->mu > R(0.0) && v3_norm(v3(R(0.0), v.y, v.z)) <= still ? TAC_CONTACT_ROLLS : TAC_CONTACT_SLIDES;
}

// The rows of a contact, with k in place of a velocity, and its mode.
static void instant_row(const tac_model *m, const tac_state *s, const tac_work *w, real change, tac_contact *c,
                        tac_block *k)
{
    const real size =
        real_min(shape_thickness(m, &m->shape[c->id.shape_a]), shape_thickness(m, &m->shape[c->id.shape_b]));
    real speed;
    rows_make(m, s, w, c, k);
    const vec3 v = k->bias, along = v3_unit(v3(R(0.0), v.y, v.z), V3_ZERO);
    k->rows = 3;
    k->bias = instant_drift(m, s, c, k, &speed);
    k->target = R(0.0);
    k->own.instant.slide = v3_madd(V3_AXIS[0], -c->mu, along);
    const real noise = real_max(w->program.tolerance, R(16.0) * REAL_EPSILON);
    const real still = m->h * (INSTANT_STILL * change + v3_norm(k->bias)) + noise * speed;
    c->mode = instant_mode(c, friction_over(FRICTION_ACROSS(k), v), still,
                           INSTANT_NEAR * size + m->h * still + rows_rounding(m, c, s));
}

// By mode, else in the order in which they are.
static void instant_sort(tac_contact *c, uint16_t count)
{
    for (uint16_t i = 1; i < count; i++) {
        for (uint16_t at = i; at > 0 && c[at - 1].mode > c[at].mode; at--) {
            bytes_swap(&c[at - 1], &c[at], sizeof *c);
        }
    }
}

static uint16_t instant_count(const tac_work *w, uint8_t mode)
{
    uint16_t count = 0;
    for (uint16_t i = 0; i < w->report.contacts; i++) { count = (uint16_t)(count + (w->contact[i].mode == mode)); }
    return count;
}

// The contacts that touch: those that roll, those that slide, which are of the problem; those that open or strike.
static void instant_contacts(const tac_model *m, const tac_state *s, real change, tac_work *w, lcp_rows *n)
{
    phase_take_blocks(w, TAC_BLOCKS_INSTANT);
    for (uint16_t i = 0; i < w->report.contacts; i++) {
        instant_row(m, s, w, change, &w->contact[i], &w->scratch.solve.block[i]);
    }
    instant_sort(w->contact, w->report.contacts);
    n->rolls = instant_count(w, TAC_CONTACT_ROLLS);
    n->contacts = n->rolls + instant_count(w, TAC_CONTACT_SLIDES);
    w->program.contacts = (uint16_t)n->contacts;
    w->report.contacts = (uint16_t)(w->report.contacts - instant_count(w, INSTANT_AWAY));
    for (uint16_t i = 0; i < w->report.contacts; i++) {
        instant_row(m, s, w, change, &w->contact[i], &w->scratch.solve.block[i]);
    }
}

// --------------------------------------------------------------------------------------------------------- the problem

// CP1 at the state. Returns 0 if it has no room. `impacts` counts contacts and joints that would need an impulse.
static int instant_begin(const tac_model *m, const tac_state *s, const tac_input *input, tac_work *w, tac_lcp *q,
                         lcp_rows *n, uint16_t *impacts)
{
    begin(m, s, input, ARRIVALS_NONE, w);
    iterate_clear(w, w->scratch.solve.g);
    instant_free(m, s, input, w);
    const real change = lcp_change(w);
    instant_contacts(m, s, change, w, n);
    *impacts = instant_count(w, TAC_CONTACT_STRIKES);
    instant_joints(m, s, input, change, w, impacts);
    reals_copy(w->delta_v, w->scratch.solve.free, m->bodies * sizeof *w->delta_v);
    return lcp_make(s, w, q, n);
}

// ----------------------------------------------------------------------------------------------------------- solution

// What a contact of the problem does: by its force, its acceleration and its multiplier.
static uint8_t instant_does(const lcp_rows *n, const tac_block *k, uint32_t i, vec3 force, vec3 a, real change,
                            const tac_lcp *q)
{
    const real least = lcp_rounding(q, lcp_normal(i), change + v3_norm(k->bias));
    if (!(force.x > R(0.0)) && a.x > least) { return TAC_CONTACT_OPENS; }
    if (i >= n->rolls || q->z[lcp_multiplier(n, i)] > least) { return TAC_CONTACT_SLIDES; }
    return TAC_CONTACT_ROLLS;
}

static void instant_end_contacts(tac_work *w, const lcp_rows *n, const tac_lcp *q, tac_instant *result)
{
    const real change = lcp_change(w);
    for (uint16_t i = 0; i < w->report.contacts; i++) {
        const tac_block *k = &w->scratch.solve.block[i];
        tac_contact *c = &w->contact[i];
        tac_instant_contact *to = &result->contact[i];
        const int acts = i < n->contacts;
        const vec3 force = acts ? v3_of(&w->scratch.solve.g[k->first]) : V3_ZERO, a = rows_velocity(k, w->delta_v);
        to->force = friction_times(FRICTION_ACROSS(k), force);
        to->acceleration = friction_over(FRICTION_ACROSS(k), a);
        to->mode = acts ? instant_does(n, k, i, force, a, change, q) : c->mode;
        c->mode = TAC_OPEN;
    }
    result->contacts = w->report.contacts;
}

static void instant_end_joints(const tac_model *m, const tac_work *w, tac_instant *result)
{
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
        const tac_joint_block *k = &JOINT_LINK(w)[i];
        tac_instant_joint *to = &JOINT_INSTANT(result)[i];
        results_efforts(w, k, R(1.0), &to->reaction);
        results_reaction(m, w, i, R(1.0), &to->reaction);
        to->acceleration =
            k->coordinate ? (joint_rate(k, w->delta_v, JOINT_LAST) + k->bias[JOINT_LAST]) / k->scale : R(0.0);
    }
}

// Accelerations and forces that belong to z.
static void instant_end(const tac_model *m, tac_work *w, const lcp_rows *n, const tac_lcp *q, tac_instant *result)
{
    lcp_impulses(w, n, q);
    lcp_follow(w);
    bytes_clear(result, sizeof *result);
    for (uint16_t i = 1; i < m->bodies; i++) { result->body[i] = (tac_acceleration){w->delta_v[i].v, w->delta_v[i].w}; }
    instant_end_contacts(w, n, q, result);
    instant_end_joints(m, w, result);
    for (uint32_t i = n->rolls; i < n->contacts; i++) {
        result->paradoxes = (uint16_t)(result->paradoxes + (q->F[lcp_normal(i)][lcp_normal(i)] < R(0.0)));
    }
}

#endif

#endif
