// SPDX-License-Identifier: MIT
// results.h - results of contacts, joints and the solve: written once, at the end of a step.
//   given   the impulses and velocities that the step ends with, directions of contacts and joints at its start
//   makes   impulse, torque, velocity and mode of contacts; efforts of joints; the report of the solve; on request the
//           forces and torques of joints
//   bound   one visit to each contact and joint
//   never   is read by the step itself
#ifndef STEP_RESULTS_H
#define STEP_RESULTS_H

#include "../base/six.h"
#include "../solve/solve.h"

// For each dynamic body, at every step, with impulses at the start of it:
//      m (v+ - v) = h m g + h f + sum of the contacts' impulse + bounce + h sum of the joints' forces.
// impact.h writes the bounces of contacts; all else is written here. Energies and a fault are not among these results:
// they belong to the next state (commit.h).

// Impulses of a joint in the whole step, from row `first` to before `end`: of the cone program, of the arc after it, of
// the impacts before it.
static inline void results_total(const tac_work *w, const tac_joint_block *k, int first, int end, real *total)
{
    const real *g = &w->scratch.solve.g[k->first];
    for (int row = first; row < end; row++) { total[row] = g[row] + k->arc[row]; }
    if (w->report.impacts == 0) { return; }
    for (int row = first; row < end; row++) { total[row] += k->bounce[row]; }
}

// Efforts along the coordinate. A constraint that holds it counts as its motor. `rate`: 1/h, or 1 where rows have
// forces in place of impulses (instant.h).
static inline void results_efforts(const tac_work *w, const tac_joint_block *k, real rate, tac_joint_result *r)
{
    const real scale = rate * k->scale;
    real total[TAC_LINK_ROWS];
    if (!k->acts && !k->target) {
        reals_clear(r->effort, sizeof r->effort);
        return;
    }
    results_total(w, k, JOINT_LAST, TAC_LINK_ROWS, total);
    for (int i = 0; i < TAC_EFFORTS; i++) { r->effort[i] = scale * total[TAC_JOINT_ROWS + i]; }
    if (k->target) { r->effort[TAC_EFFORT_MOTOR] += scale * total[JOINT_LAST]; }
}

// Force and torque on b at the origin of its frame, mean of the step. Of a coupling: on b of its joint b.
static void results_coupling(const tac_work *w, const tac_joint *j, const tac_row *row, real impulse,
                             tac_joint_result *r)
{
    const tac_joint_block *on = &JOINT_LINK(w)[j->body_b];
    const vec3 own = v3_combine(JOINT_TREE(w)[on->body[1]].axis, row->angular[1]);
    r->force = v3_scale(impulse, row->linear);
    r->torque = v3_sub(v3_scale(impulse, own), v3_cross(on->arm[1], r->force));
}

// The wrench of impulses along all rows of a joint that is no coupling: along and about the axes of frame a, and the
// rows that have directions of their own.
static inline void results_wrench(const tac_joint_block *k, const real *impulse, tac_joint_result *r)
{
    real along[6];
    vec3 force = V3_ZERO, torque = V3_ZERO;
    if (joint_in_order(k->kind)) {
        r->force = v3_combine(k->axis, v3_of(impulse));
        r->torque = v3_scale(k->length, v3_combine(k->axis, v3_of(impulse + 3)));
        return;
    }
    six_set(along, V3_ZERO, V3_ZERO);
    for (int row = 0; row < TAC_JOINT_ROWS; row++) {
        const int what = JOINT_KIND[k->kind].row[row];
        if (what < JOINT_CROSS) {
            along[what] += impulse[row];
        } else {
            const joint_direction d = joint_row_direction(k, what);
            force = v3_madd(force, impulse[row], d.linear);
            torque = v3_madd(torque, impulse[row], d.rotation);
        }
    }
    r->force = v3_add(force, v3_combine(k->axis, v3_of(along)));
    r->torque = v3_madd(torque, k->length, v3_combine(k->axis, v3_of(along + 3)));
}

// Force and torque of a joint.
static void results_reaction(const tac_model *m, const tac_work *w, uint32_t i, real rate, tac_joint_result *r)
{
    const tac_joint_block *k = &JOINT_LINK(w)[i];
    real total[TAC_LINK_ROWS];
    results_total(w, k, 0, TAC_LINK_ROWS, total);
    for (int b = TAC_JOINT_ROWS; b < TAC_LINK_ROWS; b++) { total[JOINT_LAST] += total[b]; }
    if (k->ends == 4) {
        results_coupling(w, &JOINT_OF(m)[i], &k->row[JOINT_LAST], rate * total[JOINT_LAST], r);
        return;
    }
    results_wrench(k, total, r);
    r->force = v3_scale(rate, r->force);
    r->torque = v3_scale(rate, r->torque);
}

// Those of all joints. Returns 1 if they are finite.
static int results_reactions(const tac_model *m, tac_work *w)
{
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) { results_reaction(m, w, i, R(1.0) / m->h, &JOINT_RESULT(w)[i]); }
    w->progress.reactions = 1;
    return reals_finite(JOINT_RESULT(w), JOINT_COUNT(m) * sizeof(tac_joint_result));
}

// Efforts of all joints, without force and torque. Returns 1 if they are finite: tested by their sum, and one by one
// if the sum is not finite, since it may have overflowed.
static int results_joints(const tac_model *m, tac_work *w)
{
    const real rate = R(1.0) / m->h;
    real sum = R(0.0);
    w->progress.reactions = 0;
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
        tac_joint_result *r = &JOINT_RESULT(w)[i];
        r->force = r->torque = V3_ZERO;
        results_efforts(w, &JOINT_LINK(w)[i], rate, r);
        sum += (r->effort[0] + r->effort[1]) + (r->effort[2] + r->effort[3]);
    }
    return real_finite(sum) || reals_finite(JOINT_RESULT(w), JOINT_COUNT(m) * sizeof(tac_joint_result));
}

// Returns 1 if the results of joints are finite.
static int results(const tac_model *m, tac_work *w, real residual)
{
    const tac_progress *p = &w->progress;
    const tac_block *k = w->scratch.solve.block;
    for (tac_contact *c = w->contact; c < w->contact + w->report.contacts; c++, k++) {
        const real *g = &w->scratch.solve.g[k->first];
        c->impulse = friction_times(FRICTION_ACROSS(k), v3_of(g));
        if (k->rolls == ROLLS_NOT || PROGRAM_JOINTS(w) > 0) { c->velocity = rows_shown(k, w->delta_v); }
        c->mode = solve_mode(w, k);
        if (has_torsion(k)) { ROLLING_SET_TORQUE(c, v3_mul(ROLLING_BLOCK(k)->axis, v3_of(g + 3))); }
    }
    w->report.residual = p->scale > R(0.0) ? residual / p->scale : R(0.0);
    w->report.sweeps = p->sweeps;
    w->report.friction = p->stage.law;
    return JOINT_COUNT(m) == 0 || results_joints(m, w);
}

#endif
