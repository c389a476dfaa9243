// SPDX-License-Identifier: MIT
// commit.h - the next state, from the changes of velocity and the pseudo-velocities that a step ends with.
//   given   delta_v, pseudo-velocities, impulses; the state at the start of the step
//   makes   the state at its end; the energies of the report
//   bound   two visits to each body, one to each contact and joint
//   never   touches the state before the next one is known to be finite and in its ranges
#ifndef STEP_COMMIT_H
#define STEP_COMMIT_H

#include "../model/check.h"
#include "../motion/free.h"
#include "../rows/joints.h"

// Would the next state be finite and in its ranges, energies included? Fills these in, or the fault. `finite`: are the
// results of joints? The low-order part of a sum is finite if the sum is. A robot has many bodies, whose rotations are
// small: where there are joints the exp is a series.
static int commit_good(const tac_model *m, const tac_state *s, tac_work *w, int finite)
{
    tac_report *r = &w->report;
    r->kinetic = r->potential = R(0.0);
    phase_take(w, TAC_PHASE_NEXT);
    for (uint16_t i = 1; i < m->bodies; i++) {
        tac_pose q = s->pose[i];
        tac_twist t = s->twist[i];
        tac_compensation own, *c = TAC_MAX_JOINTS > 0 ? &JOINT_NEXT(w)[i] : &own;
        reals_copy(c, &s->compensation[i], sizeof *c);
        free_commit(m->h, &w->delta_v[i], &w->pseudo_velocity[i], JOINT_COUNT(m) > 0, &q, &t, c);
        if (TAC_MAX_JOINTS > 0) { // kept for commit(), as the compensation is, so that it is computed once
            JOINT_END(w)[i] = q;
            w->phase.next[i] = t;
        } else {
            w->phase.turned[i] = q.q;
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
            free_shift(m->h, &w->delta_v[i], &w->pseudo_velocity[i], &s->pose[i], &s->twist[i], c);
            s->pose[i].q = w->phase.turned[i];
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
