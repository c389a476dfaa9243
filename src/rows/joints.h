// SPDX-License-Identifier: MIT
// joints.h - all joints of a model: made for a step, kept for the next one, shown to the user.
//   given   joints, the state, motors of the input
//   makes   link[]; impulses in the state; forces and efforts
//   bound   joints times motors
//   never   makes a coupling before its joints: they stand before it in the table
#ifndef ROWS_JOINTS_H
#define ROWS_JOINTS_H

#include "coupling.h"

// From the impulses of the last step, as far as the bounds of this one let them.
static void joint_warm(const tac_joint_warm *last, const tac_joint_block *k, real *best)
{
    for (int row = 0; row < TAC_JOINT_ROWS; row++) {
        if (k->constraints >> row & 1) { best[row] = last->row[row]; }
    }
    for (int i = 0; i < TAC_BOXES; i++) {
        const tac_box *x = &k->box[i];
        if (x->used) { best[TAC_JOINT_ROWS + i] = real_clamp(last->box[i], x->lo, x->hi); }
    }
}

// Where a coupling keeps its turns: a row that it does not have.
#define JOINTS_TURNS 0

static void joints_make(const tac_model *m, const tac_state *s, const tac_input *input, tac_work *w)
{
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
        const tac_joint *j = &JOINT_OF(m)[i];
        const tac_motor *motor = joint_find_motor(input, i);
        tac_joint_block *k = &JOINT_LINK(w)[i];
        if (j->kind == TAC_COUPLING) {
            coupling_make(m, s, motor, j, JOINT_WARM(s)[i].row[JOINTS_TURNS], w, k);
        } else {
            joint_make(m, s, motor, j, w, k);
        }
        k->first = iterate_joint(w, i);
        if (m->options.warm_start) { joint_warm(&JOINT_WARM(s)[i], k, &w->scratch.solve.best[k->first]); }
    }
}

// Was any joint violated at the start of the step?
static inline int joints_apart(const tac_model *m, const tac_work *w)
{
    int apart = 0;
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) { apart |= JOINT_LINK(w)[i].apart; }
    return apart;
}

static void joints_keep(const tac_model *m, tac_state *s, const tac_work *w)
{
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
        const real *g = &w->scratch.solve.g[JOINT_LINK(w)[i].first];
        for (int row = 0; row < TAC_JOINT_ROWS; row++) { JOINT_WARM(s)[i].row[row] = g[row]; }
        for (int x = 0; x < TAC_BOXES; x++) { JOINT_WARM(s)[i].box[x] = g[TAC_JOINT_ROWS + x]; }
        if (JOINT_OF(m)[i].kind == TAC_COUPLING) { JOINT_WARM(s)[i].row[JOINTS_TURNS] = JOINT_LINK(w)[i].turns; }
    }
}

// Force and torque on b at the origin of its frame, mean of the step: J' g / h, its torque taken from the centre of
// mass to there. Of a coupling: on b of its joint b.
static void joints_show(const tac_model *m, const tac_state *s, tac_work *w)
{
    const real rate = R(1.0) / m->h;
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
        const tac_joint *self = &JOINT_OF(m)[i], *j = self->kind == TAC_COUPLING ? &JOINT_OF(m)[self->body_b] : self;
        const tac_joint_block *k = &JOINT_LINK(w)[i];
        const tac_pose *b = &s->pose[j->body_b];
        const real *g = &w->scratch.solve.g[k->first];
        real impulse[TAC_JOINT_ROWS];
        joint_impulses(w, k, impulse);
        for (int row = 0; row < TAC_JOINT_ROWS; row++) { impulse[row] += k->bounce[row]; }
        const tac_row sum = joint_sum(k, impulse);
        const vec3 force = v3_scale(rate, sum.linear), torque = v3_scale(rate, sum.angular[1]);
        const vec3 arm = quat_rotate(b->q, JOINT_LINK(w)[j - JOINT_OF(m)].frame[1].p);
        JOINT_RESULT(w)[i].force = force;
        JOINT_RESULT(w)[i].torque = v3_sub(quat_rotate(b->q, torque), v3_cross(arm, force));
        for (int x = 0; x < TAC_BOXES; x++) { JOINT_RESULT(w)[i].effort[x] = rate * k->scale * g[TAC_JOINT_ROWS + x]; }
        const real held = g[JOINT_LAST] + k->bounce[JOINT_LAST];
        if (k->target) { JOINT_RESULT(w)[i].effort[TAC_BOX_MOTOR] += rate * k->scale * held; }
    }
}

#endif
