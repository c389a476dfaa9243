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
#include "driven.h"

// Initial impulses: those of the last step, clamped to the bounds of this one.
static void joint_warm(const tac_joint_warm *last, const tac_joint_block *k, real *best)
{
    const real *row = last->of.row, *along = last->interval;
    const tac_interval *x = k->interval;
    real *effort = best + TAC_JOINT_ROWS;
    if (k->constraints & 1) { best[0] = row[0]; }
    if (k->constraints & 2) { best[1] = row[1]; }
    if (k->constraints & 4) { best[2] = row[2]; }
    if (k->constraints & 8) { best[3] = row[3]; }
    if (k->constraints & 16) { best[4] = row[4]; }
    if (k->constraints & 32) { best[5] = row[5]; }
    if (x[0].used) { effort[0] = real_clamp(along[0], x[0].lo, x[0].hi); }
    if (x[1].used) { effort[1] = real_clamp(along[1], x[1].lo, x[1].hi); }
    if (x[2].used) { effort[2] = real_clamp(along[2], x[2].lo, x[2].hi); }
    if (x[3].used) { effort[3] = real_clamp(along[3], x[3].lo, x[3].hi); }
}

// Quantities of all bodies that joints use: axes, angular velocity in the world frame, bounds on their speeds before
// and after the change without impulses. Only where joints follow their arcs free rotation counts.
static void joints_bodies(const tac_model *m, const tac_state *s, int rule, tac_work *w)
{
    tac_tree_body *b = JOINT_TREE(w);
    for (uint16_t i = 0; i < m->bodies && JOINT_COUNT(m) > 0; i++, b++) {
        const tac_twist *t = &s->twist[i], *delta_v = &w->delta_v[i];
        quat_axes(s->pose[i].q, b->axis);
        b->m.spin = v3_combine(b->axis, rule == JOINT_ARC ? v3_add(t->w, w->pseudo_velocity[i].w) : t->w);
        b->far = v3_norm_inf(s->pose[i].p);
        b->speed[0] = v3_norm_inf(t->v) + v3_norm_inf(delta_v->v);
        b->speed[1] = v3_norm_inf(t->w) + v3_norm_inf(delta_v->w);
    }
}

// What the model alone decides of joints is made once: it stays in the work area until another model steps there. What
// switches decide is made in each step.
static void joints_fix_all(const tac_model *m, tac_work *w)
{
    const tac_topology *t = topology_of(m, w, NULL);
    if (*JOINT_LINKED(w) == m->hash) { return; }
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
        const tac_joint *j = &JOINT_OF(m)[i];
        if (j->kind != TAC_COUPLING) { joint_fix(m, j, w->moving, &JOINT_LINK(w)[i]); }
    }
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
        JOINT_LINK(w)[i].closes = topology_hanging(m, t, i) == TAC_NONE;
        SWITCH_SET(&JOINT_LINK(w)[i], 0);
    }
    driven_fix(m, w);
    *JOINT_LINKED(w) = m->hash;
}

static void joints_fix(const tac_model *m, const tac_state *s, tac_work *w)
{
    if (TAC_MAX_JOINTS == 0) { return; }
    joints_fix_all(m, w);
    for (uint32_t i = 0; TAC_SWITCHES && i < JOINT_COUNT(m); i++) {
        if (SWITCH_MAY(&JOINT_OF(m)[i])) { joint_switch(m, s, i, &JOINT_LINK(w)[i]); }
    }
}

#define JOINTS_ANY 3 // free motions: with so many a point may move in any direction

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
            if (motions >= JOINTS_ANY || j->kind == TAC_COUPLING || SWITCH_BLOCK(&JOINT_LINK(w)[i])) { continue; }
            for (int side = 0; side < 2; side++) {
                const uint16_t sum = (uint16_t)(body[side ? j->body_b : j->body_a].mark + motions);
                uint16_t *mark = &body[side ? j->body_a : j->body_b].mark;
                if (sum >= *mark) { continue; }
                *mark = sum;
                shorter = 1;
            }
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

// Is any joint in force that closes trees?
static int joints_close(const tac_work *w)
{
    if (TAC_MAX_JOINTS == 0) { return 0; }
    int closes = JOINT_TOPOLOGY(w)->closed;
    if (!TAC_SWITCHES || !closes) { return closes; }
    closes = 0;
    for (uint32_t i = 0; i < PROGRAM_JOINTS(w); i++) { closes |= JOINT_LINK(w)[i].closes; }
    return closes;
}

// All joints of a step. `rule`: what constraints require of velocities.
static void joints_make(const tac_model *m, const tac_state *s, const tac_input *input, int rule, tac_work *w)
{
    joints_fix(m, s, w);
    joints_bodies(m, s, rule, w);
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
        JOINT_LINK(w)[i].motor = TAC_NONE;
        JOINT_LINK(w)[i].rule = (uint8_t)rule;
    }
    for (uint16_t i = 0; input != NULL && i < JOINT_MOTORS(input); i++) { // the last motor that names a joint drives it
        JOINT_LINK(w)[JOINT_MOTOR(input)[i].joint].motor = i;
    }
    const joint_bodies bodies = {s->pose, s->twist, JOINT_TREE(w), w->moving, w->pseudo_velocity, joints_close(w)};
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
            JOINT_WARM(s)[i].of.revolutions = JOINT_LINK(w)[i].of.coupling.revolutions;
        }
    }
}

#endif
