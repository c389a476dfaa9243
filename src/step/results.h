// SPDX-License-Identifier: MIT
// results.h - what a step shows of its contacts, its joints and its solve: written once, when all else is done.
//   given   the impulses and velocities that the step ends with, directions of contacts and joints at its start
//   makes   impulse, torque, velocity and mode of contacts; forces and efforts of joints; the report of the solve
//   bound   one visit to each contact and joint
//   never   is read by the step itself
#ifndef STEP_RESULTS_H
#define STEP_RESULTS_H

#include "../base/six.h"
#include "../solve/solve.h"

// For each dynamic body, at every step, with impulses at the start of it:
//      m (v+ - v) = h m g + h f + sum of the contacts' impulse + bounce + h sum of the joints' forces.
// What bounces have been is written where they are found (impact.h); all else here. Neither the energies nor a fault
// are results of the solve: they are of the next state (ccp.h).

static void results_contact(const tac_work *w, const tac_block *k, tac_contact *c)
{
    const real *g = &w->scratch.solve.g[k->first];
    c->impulse = v3_of(g);
    c->velocity = rows_moving(k, w->delta_v);
    c->mode = solve_mode(w, k);
    if (has_torsion(k)) { ROLLING_SET_TORQUE(c, v3_mul(ROLLING_BLOCK(k)->axis, v3_of(g + 3))); }
}

// Impulses of a joint in the whole step: of the cone program, of the impacts before it, of the arc after it. Most steps
// have neither of these.
static inline void results_total(const tac_work *w, const tac_joint_block *k, real *total)
{
    const real *g = &w->scratch.solve.g[k->first];
    six_copy(total, g);
    total[6] = g[6], total[7] = g[7], total[8] = g[8], total[9] = g[9];
    if (w->report.impacts > 0) {
        for (int i = 0; i < TAC_LINK_ROWS; i++) { total[i] += k->bounce[i]; }
    }
    if (JOINT_ITERATIONS(w) > 0) {
        six_add(total, R(1.0), k->arc);
        total[6] += k->arc[6], total[7] += k->arc[7], total[8] += k->arc[8], total[9] += k->arc[9];
    }
}

// Force and torque on b at the origin of its frame, mean of the step. Of a coupling: on b of its joint b.
static void results_coupling(const tac_model *m, const tac_state *s, const tac_work *w, uint32_t i, real impulse,
                             tac_joint_result *r)
{
    const tac_joint_block *on = &JOINT_LINK(w)[JOINT_OF(m)[i].body_b];
    const tac_row *row = &JOINT_LINK(w)[i].row[JOINT_LAST];
    const quat q = s->pose[on->body[1]].q;
    r->force = v3_scale(impulse, row->linear);
    r->torque =
        v3_sub(quat_rotate(q, v3_scale(impulse, row->angular[1])), v3_cross(quat_rotate(q, on->frame[1].p), r->force));
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
        const int what = JOINT_ROW[k->kind][row];
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

// `rate`: 1/h, or 1 where rows have forces in place of impulses (instant.h).
static inline void results_joint(const tac_model *m, const tac_state *s, const tac_work *w, uint32_t i, real rate,
                                 tac_joint_result *r)
{
    const tac_joint_block *k = &JOINT_LINK(w)[i];
    const real scale = rate * k->scale;
    real total[TAC_LINK_ROWS], *along = &total[TAC_JOINT_ROWS]; // rows; what acts along the coordinate
    results_total(w, k, total);
    r->effort[0] = scale * along[0], r->effort[1] = scale * along[1];
    r->effort[2] = scale * along[2], r->effort[3] = scale * along[3];
    if (k->target) { r->effort[TAC_EFFORT_MOTOR] += scale * total[JOINT_LAST]; }

    total[JOINT_LAST] = (((total[JOINT_LAST] + along[0]) + along[1]) + along[2]) + along[3];
    if (k->ends == 4) {
        results_coupling(m, s, w, i, rate * total[JOINT_LAST], r);
        return;
    }
    results_wrench(k, total, r);
    r->force = v3_scale(rate, r->force);
    r->torque = v3_scale(rate, r->torque);
}

// The sum of what joints show: it is finite only if all of that is.
static inline real results_sum(const tac_joint_result *r)
{
    const real wrench = ((r->force.x + r->force.y) + (r->force.z + r->torque.x)) + (r->torque.y + r->torque.z);
    return wrench + ((r->effort[0] + r->effort[1]) + (r->effort[2] + r->effort[3]));
}

// What joints show. Returns 1 if that is finite: a finite sum says so at once, one that is not may have overflowed.
static int results_joints(const tac_model *m, const tac_state *s, tac_work *w)
{
    real sum = R(0.0);
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
        results_joint(m, s, w, i, R(1.0) / m->h, &JOINT_RESULT(w)[i]);
        sum += results_sum(&JOINT_RESULT(w)[i]);
    }
    return real_finite(sum) || reals_finite(JOINT_RESULT(w), JOINT_COUNT(m) * sizeof(tac_joint_result));
}

static void results_report(tac_work *w, real residual)
{
    const tac_progress *p = &w->progress;
    w->report.residual = p->scale > R(0.0) ? residual / p->scale : R(0.0);
    w->report.sweeps = p->sweeps;
    w->report.friction = p->stage.law;
}

// Returns 1 if what joints show is finite.
static int results(const tac_model *m, const tac_state *s, tac_work *w, real residual)
{
    const tac_block *k = blocks_of(w);
    for (tac_contact *c = w->contact; c < w->contact + w->report.contacts; c++, k++) { results_contact(w, k, c); }
    const int finite = results_joints(m, s, w);
    results_report(w, residual);
    return finite;
}

#endif
