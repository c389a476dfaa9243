// SPDX-License-Identifier: MIT
// joint_step.h - joints in a step of Newton's method, however its equations are solved: right side, impulses, gain.
//   given   link[], velocities v, the solution
//   makes   what the joints lack at v; their impulses; gain afresh from all impulses
//   bound   constant a joint
//   never   knows a matrix
#ifndef SOLVE_JOINT_STEP_H
#define SOLVE_JOINT_STEP_H

#include "accelerated.h"

// Are contacts swept while joints are eliminated? Where there are none, this is known when it is compiled.
static inline int joints_eliminated(const tac_progress *p)
{
    return TAC_MAX_JOINTS > 0 && p->reduced;
}

#if TAC_MAX_FILL > 0 || TAC_MAX_JOINTS > 0

static uint16_t joint_node(const tac_model *m, uint32_t joint)
{
    return (uint16_t)(m->bodies + joint);
}

// Does an impulse move the body?
static int joint_moves(const tac_work *w, uint16_t body)
{
    return w->moving[body].inv_mass > R(0.0);
}

// The bodies of a joint: two, or four of a coupling.
static int joint_bodies(const tac_joint *j, const tac_joint_block *k, uint16_t *body)
{
    const int coupling = j->kind == TAC_COUPLING;
    for (int e = 0; coupling && e < 4; e++) { body[e] = k->body[e]; }
    if (coupling) { return 4; }
    body[0] = j->body_a;
    body[1] = j->body_b;
    return 2;
}

// How stiffly the boxes hold the coordinate.
static real joint_slope(const tac_joint_block *k)
{
    real sum = R(0.0);
    for (int b = 0; b < TAC_BOXES; b++) { sum += k->box[b].inside ? k->box[b].weight : R(0.0); }
    return sum;
}

// Right side: how far v is from what constraints ask for.
static void joints_lack(const tac_model *m, const tac_work *w, tac_twist *step)
{
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
        const tac_joint_block *k = &JOINT_LINK(w)[i];
        real *x = (real *)&step[joint_node(m, i)];
        for (int row = 0; row < TAC_JOINT_ROWS; row++) {
            if (!(k->constraints >> row & 1)) { continue; }
            x[row] = joint_rate(&JOINT_OF(m)[i], k, w->previous, row) + k->bias[row] +
                     k->soft[row] * w->scratch.solve.g[k->first + (uint32_t)row];
        }
    }
}

// t += M^-1 J' g, for all rows.
static void joint_apply(const tac_joint *j, const tac_joint_block *k, const real *g, const tac_moving *moving,
                        tac_twist *t)
{
    if (j->kind == TAC_COUPLING) {
        joint_apply_row(j, k, JOINT_LAST, g[JOINT_LAST], moving, t);
        return;
    }
    const tac_row sum = joint_sum(k, g);
    joint_push(&sum, j->body_a, j->body_b, R(1.0), moving, t);
}

// gain += M^-1 J' l
static void joints_gain(const tac_model *m, tac_work *w)
{
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
        const tac_joint_block *k = &JOINT_LINK(w)[i];
        real impulse[TAC_JOINT_ROWS];
        joint_impulses(w, k, impulse);
        joint_apply(&JOINT_OF(m)[i], k, impulse, w->moving, w->gain);
    }
}

// gain = v~ - v + M^-1 D g afresh: what iterates far off have left in it by rounding is gone.
static void gain_afresh(const tac_model *m, tac_work *w)
{
    reals_copy(w->gain, w->scratch.solve.free, m->bodies * sizeof *w->gain);
    const tac_block *k = w->scratch.solve.block;
    for (const tac_contact *c = w->contact; c < w->contact + w->report.contacts; c++, k++) {
        const real *g = &w->scratch.solve.g[k->first];
        rows_apply(c, k, v3_of(g), w->moving, w->gain);
        if (resists(c)) { resist_turn(c, k, v3_of(g + 3), w->moving, w->gain); }
    }
    joints_gain(m, w);
}

#endif

#endif
