// SPDX-License-Identifier: MIT
// ends.h - the two ends of a step, whatever the method is: what it begins with; its results and the next state.
//   given   model, state, input; the impulses, changes of velocity and pseudo-velocities that the step ends with
//   makes   delta_v of forces and free rotation, contact[], the program, cleared progress and initial impulses;
//           results of contacts and joints; the report; the next state
//   bound   bodies + shapes log(shapes) + pairs whose boxes overlap; two visits to each body, contact and joint
//   never   knows a formulation: that makes the rows and their right sides; touches the state before the next one is
//           known to be finite and in its ranges
#ifndef STEP_ENDS_H
#define STEP_ENDS_H

#include "../base/six.h"
#include "../geometry/arrivals.h"
#include "../model/check.h"
#include "../motion/free.h"
#include "../solve/solve.h"
#include "move.h"

// How many rows there will be, and what the user asks of their solution.
static void begin_program(const tac_model *m, tac_work *w)
{
    const tac_options *o = &m->options;
    tac_program *p = &w->program;
    bytes_clear(&w->progress, sizeof w->progress);
    p->tolerance = model_tolerance(m);
    p->omega = o->omega;
    p->lambda = o->lambda;
    p->bodies = m->bodies;
    p->contacts = w->report.contacts;
    p->joints = (uint16_t)JOINT_COUNT(m);
    p->max_sweeps = o->max_sweeps;
    p->solver = o->solver;
    p->friction = o->friction;
}

// For a step by one of the methods of arrivals.h, or for an instant.
static inline void begin(const tac_model *m, const tac_state *s, const tac_input *input, int method, tac_work *w)
{
    tac_collision *g = &w->scratch.collision;
    move_free(m, s, input, w);
    contacts_place(m, s, w);
    contacts_find(m, g, method != ARRIVALS_NONE, &w->report, w->contact);
    if (g->arrivals > 0 || g->strikes) { arrivals(m, s, method, w); }
    begin_program(m, w);
    iterate_clear(w, w->scratch.solve.best);
}

// ----------------------------------------------------------------------------------------------------------- results

// For each dynamic body, at every step, with impulses at the start of it:
//      m (v+ - v) = h m g + h f + sum of the contacts' impulse + bounce + h sum of the joints' forces.
// impact.h writes the bounces of contacts; all else is written here. Energies and a fault are not among these results:
// they belong to the next state.

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
    real sum = R(0.0);
    w->progress.reactions = 0;
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
        tac_joint_result *r = &JOINT_RESULT(w)[i];
        r->force = r->torque = V3_ZERO;
        results_efforts(w, &JOINT_LINK(w)[i], R(1.0) / m->h, r);
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
        c->impulse = v3_of(g);
        if (k->rolls == ROLLS_NOT || PROGRAM_JOINTS(w) > 0) { c->velocity = rows_moving(k, w->delta_v); }
        c->mode = solve_mode(w, k);
        if (has_torsion(k)) { ROLLING_SET_TORQUE(c, v3_mul(ROLLING_BLOCK(k)->axis, v3_of(g + 3))); }
    }
    w->report.residual = p->scale > R(0.0) ? residual / p->scale : R(0.0);
    w->report.sweeps = p->sweeps;
    w->report.friction = p->stage.law;
    return JOINT_COUNT(m) == 0 || results_joints(m, w);
}

// ----------------------------------------------------------------------------------------------------- the next state

// Would the next state be finite and in its ranges, energies included? Fills these in, or the fault. `finite`: are the
// results of joints? The low-order part of a sum is finite if the sum is. A robot has many bodies, whose rotations are
// small: where there are joints the exp is a series.
static int commit_good(const tac_model *m, const tac_state *s, tac_work *w, int finite)
{
    tac_report *r = &w->report;
    r->kinetic = r->potential = R(0.0);
    phase_take(w, TAC_PHASE_NEXT);
    phase_take_kept(w, TAC_KEPT_NEXT);
    for (uint16_t i = 1; i < m->bodies; i++) {
        tac_pose q = s->pose[i];
        tac_twist t = s->twist[i];
        tac_compensation c;
        reals_copy(&c, &s->compensation[i], sizeof c);
        free_commit(m->h, &w->delta_v[i], &w->pseudo_velocity[i], JOINT_COUNT(m) > 0, &q, &t, &c);
        if (TAC_MAX_JOINTS > 0) { // kept for commit(), so that it is computed once
            JOINT_END(w)[i] = q;
            w->phase.next[i] = t;
            reals_copy(&JOINT_NEXT(w)[i], &c, sizeof c);
        }
        if (!check_surely(&m->body[i], &q, &t, R(0.0))) { check_motion(&m->body[i], &q, &t, i, &r->fault); }
        free_add_energy(m, i, &q, &t, &r->kinetic, &r->potential);
    }
    finite &= reals_finite(&r->residual, sizeof *r - offsetof(tac_report, residual));
    check_note(finite ? TAC_REASON_NONE : TAC_REASON_NOT_FINITE, TAC_FIELD_RESULT, 0, &r->fault);
    return r->fault.reason == TAC_REASON_NONE;
}

static void commit(const tac_model *m, tac_state *s, const tac_work *w)
{
    for (uint16_t i = 1; i < m->bodies; i++) {
        tac_compensation *c = &s->compensation[i];
        if (TAC_MAX_JOINTS == 0) {
            free_commit(m->h, &w->delta_v[i], &w->pseudo_velocity[i], 0, &s->pose[i], &s->twist[i], c);
            continue;
        }
        s->pose[i] = JOINT_END(w)[i];
        s->twist[i] = w->phase.next[i];
        reals_copy(c, &JOINT_NEXT(w)[i], sizeof *c);
    }
    warm_keep(s, w);
    joints_keep(m, s, w);
    const uint32_t found = (uint32_t)w->report.contacts + w->report.dropped;
    const uint16_t peak = found < UINT16_MAX ? (uint16_t)found : UINT16_MAX;
    if (peak > s->contacts_peak) { s->contacts_peak = peak; }
    s->step++;
}

#endif
