// SPDX-License-Identifier: MIT
// joints.h - all joints of a model: set up for a step, with rows of constraints on demand; kept for the next one.
//   given   joints, the state, motors of the input
//   makes   link[], and in tree_body[] what joints ask of the motion of all bodies; impulses in the state
//   bound   one visit to each joint and motor
//   never   sets up a coupling before its joints: they come first in the table
#ifndef ROWS_JOINTS_H
#define ROWS_JOINTS_H

#include "contact_rows.h"
#include "warm.h"
#include "coupling.h"
#include "../tree/topology.h"

// Initial impulses: those of the last step, clamped to the bounds of this one.
static inline void joint_warm_interval(const tac_interval *x, real last, real *best)
{
    if (x->used) { *best = real_clamp(last, x->lo, x->hi); }
}

static inline void joint_warm_row(const tac_joint_block *k, const real *last, int row, real *best)
{
    if (k->constraints >> row & 1) { best[row] = last[row]; }
}

static void joint_warm(const tac_joint_warm *last, const tac_joint_block *k, real *best)
{
    real *effort = best + TAC_JOINT_ROWS;
    joint_warm_row(k, last->of.row, 0, best);
    joint_warm_row(k, last->of.row, 1, best);
    joint_warm_row(k, last->of.row, 2, best);
    joint_warm_row(k, last->of.row, 3, best);
    joint_warm_row(k, last->of.row, 4, best);
    joint_warm_row(k, last->of.row, 5, best);
    joint_warm_interval(&k->interval[0], last->interval[0], &effort[0]);
    joint_warm_interval(&k->interval[1], last->interval[1], &effort[1]);
    joint_warm_interval(&k->interval[2], last->interval[2], &effort[2]);
    joint_warm_interval(&k->interval[3], last->interval[3], &effort[3]);
}

// Which motor of the input drives each joint: the last one that names it; and which rule its constraints follow.
static void joints_begin(const tac_model *m, const tac_input *input, int rule, tac_work *w)
{
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
        JOINT_LINK(w)[i].motor = TAC_NONE;
        JOINT_LINK(w)[i].rule = (uint8_t)rule;
    }
    for (uint16_t i = 0; input != NULL && i < JOINT_MOTORS(input); i++) {
        JOINT_LINK(w)[JOINT_MOTOR(input)[i].joint].motor = i;
    }
}

// Quantities of a body that its joints use: axes, angular velocity in the world frame, which is `w` in the principal
// frame, bounds on its speeds before and after its change without impulses.
static void joints_body(const tac_pose *pose, const tac_twist *t, const tac_twist *delta_v, vec3 w, tac_tree_body *b)
{
    quat_axes(pose->q, b->axis);
    b->spin = v3_combine(b->axis, w);
    b->far = v3_norm_inf(pose->p);
    b->speed[0] = v3_norm_inf(t->v) + v3_norm_inf(delta_v->v);
    b->speed[1] = v3_norm_inf(t->w) + v3_norm_inf(delta_v->w);
}

// The same of all bodies. Only where joints follow their arcs free rotation counts.
static void joints_bodies(const tac_model *m, const tac_state *s, int rule, tac_work *w)
{
    const tac_twist *t = s->twist, *delta_v = w->delta_v, *free = w->pseudo_velocity;
    tac_tree_body *b = JOINT_TREE(w);
    for (uint16_t i = 0; i < m->bodies && JOINT_COUNT(m) > 0; i++) {
        joints_body(&s->pose[i], &t[i], &delta_v[i], rule == JOINT_ARC ? v3_add(t[i].w, free[i].w) : t[i].w, &b[i]);
    }
}

// What the model alone decides of joints is made once: it stays in the work area until another model steps there.
static void joints_fix(const tac_model *m, tac_work *w)
{
    if (TAC_MAX_JOINTS == 0) { return; }
    const tac_topology *t = topology_of(m, w, NULL);
    if (*JOINT_LINKED(w) == m->hash) { return; }
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
        const tac_joint *j = &JOINT_OF(m)[i];
        if (j->kind != TAC_COUPLING) { joint_fix(m, j, w->moving, &JOINT_LINK(w)[i]); }
    }
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) { JOINT_LINK(w)[i].closes = topology_hanging(m, t, i) == TAC_NONE; }
    *JOINT_LINKED(w) = m->hash;
}

#define JOINTS_ANY 3 // free motions: with so many a point may move in any direction

static inline int joints_shorten(const tac_tree_body *from, tac_tree_body *to, uint16_t motions)
{
    const uint16_t sum = (uint16_t)(from->mark + motions);
    if (sum >= to->mark) { return 0; }
    to->mark = sum;
    return 1;
}

// How many free motions the joints between body a and each other one have, in tree_body[].mark: those of the way that
// has the fewest; JOINTS_ANY where it has as many or more, or there is none.
static void joints_reach(const tac_model *m, tac_work *w, uint16_t a)
{
    tac_tree_body *body = JOINT_TREE(w);
    int shorter = JOINT_COUNT(m) > 0;
    for (uint16_t i = 0; i < m->bodies && shorter; i++) { body[i].mark = i == a ? 0 : JOINTS_ANY; }
    while (shorter) { // no more often than marks can fall
        shorter = 0;
        for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
            const tac_joint *j = &JOINT_OF(m)[i];
            const uint16_t motions = (uint16_t)(TAC_JOINT_ROWS - JOINT_KIND[j->kind].constraints);
            if (motions >= JOINTS_ANY || j->kind == TAC_COUPLING) { continue; }
            shorter |= joints_shorten(&body[j->body_a], &body[j->body_b], motions);
            shorter |= joints_shorten(&body[j->body_b], &body[j->body_a], motions);
        }
    }
}

// Do joints leave the bodies of any contact fewer motions than it has directions?
static int joints_wedge(const tac_model *m, tac_work *w)
{
    uint16_t a = TAC_NONE;
    for (const tac_contact *c = w->contact, *end = c + w->report.contacts; c < end && JOINT_COUNT(m) > 0; c++) {
        if (c->body_a != a) { joints_reach(m, w, c->body_a); }
        a = c->body_a;
        if (JOINT_TREE(w)[c->body_b].mark < JOINTS_ANY) { return 1; }
    }
    return 0;
}

// `rule`: what constraints require of velocities.
static void joints_make(const tac_model *m, const tac_state *s, const tac_input *input, int rule, tac_work *w)
{
    joints_fix(m, w);
    joints_begin(m, input, rule, w);
    joints_bodies(m, s, rule, w);
    const joint_bodies bodies = {s->pose, s->twist, JOINT_TREE(w), w->moving, w->pseudo_velocity};
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
        const tac_joint *j = &JOINT_OF(m)[i];
        tac_joint_block *k = &JOINT_LINK(w)[i];
        const tac_motor *motor = k->motor != TAC_NONE ? &JOINT_MOTOR(input)[k->motor] : NULL;
        if (j->kind == TAC_COUPLING) {
            coupling_make(m, s, motor, j, JOINT_WARM(s)[i].of.revolutions, w, k);
        } else {
            joint_make(m, &bodies, motor, j, k);
        }
        k->first = iterate_joint(w, i);
        if (m->options.warm_start) { joint_warm(&JOINT_WARM(s)[i], k, &w->scratch.solve.best[k->first]); }
    }
}

// Rows of the constraints of joints that may be part of a tree, once a step, for the parts that need joints as rows.
static void joints_make_rows(tac_work *w)
{
    const tac_tree_body *body = JOINT_TREE(w);
    if (w->progress.rows) { return; }
    w->progress.rows = 1;
    for (uint32_t i = 0; i < PROGRAM_JOINTS(w); i++) {
        tac_joint_block *k = &JOINT_LINK(w)[i];
        const vec3 *const axis[2] = {body[k->body[0]].axis, body[k->body[1]].axis};
        if (k->eliminates) { joint_make_rows(axis, w->moving, k); }
    }
}

// Was any joint constraint violated at the start of the step?
static inline int joints_violated(const tac_model *m, const tac_work *w)
{
    int violated = 0;
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) { violated |= JOINT_LINK(w)[i].violated; }
    return violated;
}

// Have errors of constraints added up to more than a few roundings?
static inline int joints_loose(const tac_model *m, const tac_work *w)
{
    int loose = 0;
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) { loose |= JOINT_LINK(w)[i].loose; }
    return loose;
}

// Worst error of joint constraints at the start of the step, m.
static inline real joints_error(const tac_model *m, const tac_work *w)
{
    real worst = R(0.0);
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) { worst = real_max(worst, JOINT_LINK(w)[i].error); }
    return worst;
}

// Rows of joints are in the order of joints, and of what the state keeps of each.
typedef char joints_keep_rows[sizeof(tac_joint_warm) == TAC_LINK_ROWS * sizeof(real) ? 1 : -1];

// Constraints that trees have eliminated have no impulse there, and keep none.
static void joints_keep(const tac_model *m, tac_state *s, const tac_work *w)
{
    if (JOINT_COUNT(m) == 0) { return; }
    reals_copy(JOINT_ACCOUNT(s), JOINT_ACCOUNT(&w->progress), sizeof(tac_account));
    reals_copy(JOINT_WARM(s), &w->scratch.solve.g[iterate_joint(w, 0)], JOINT_COUNT(m) * sizeof(tac_joint_warm));
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
        if (JOINT_OF(m)[i].kind == TAC_COUPLING) {
            JOINT_WARM(s)[i].of.revolutions = JOINT_LINK(w)[i].revolutions;
        }
    }
}

#endif
