// SPDX-License-Identifier: MIT
// ccp.h - one step of NST17: half-implicit symplectic Euler with a cone complementarity problem for the impulses.
//   given   model, state, input
//   makes   the next state, the contacts, the report
//   bound   bodies + shapes log(shapes) + pairs whose boxes meet + contacts * max_sweeps
//   never   touches the state before the result is known to be finite
#ifndef STEP_CCP_H
#define STEP_CCP_H

#include "energy.h"

// v~ = v + M^-1 h f;  A(q, delta_K);  D, N, b;  the impulses of the last step                          NST17 (9), (10)
static void ccp_begin(const tac_model *m, const tac_state *s, const tac_input *input, tac_work *w)
{
    move_free(m, s, input, w);
    contacts_place(m, s, w);
    contacts_find(m, &w->scratch.meeting, &w->report, w->contact);
    iterate_clear(m, w);
    tac_block *k = w->scratch.solve.block;
    for (uint32_t i = 0; i < w->report.contacts; i++, k++) {
        const tac_contact *c = &w->contact[i];
        k->first = iterate_contact(i);
        rows_make(m, s, w, c, k);
        if (resists(c)) { resist_make(s, w, c, k); }
    }
    joints_make(m, s, input, w);
    impact(m, s, w);
    k = w->scratch.solve.block;
    for (const tac_block *end = k + w->report.contacts; k < end; k++) { rows_sweep(k); }
    if (m->options.warm_start) { warm_start(m, s, w); }
    solve_start(m, s, w);
}

// minimise 1/2 g'N g + p'g over the cones                                                                   NST17 (11)
static void ccp_sweep(const tac_model *m, tac_work *w, uint32_t sweeps)
{
    solve_sweeps(m, w, sweeps);
}

// Would the next state be finite and in its ranges, energies included? Fills these in, or the fault.
static int ccp_good(const tac_model *m, const tac_state *s, tac_work *w)
{
    tac_report *r = &w->report;
    int finite = 1;
    r->kinetic = r->potential = R(0.0);
    for (uint16_t i = 1; i < m->bodies; i++) {
        tac_pose q = s->pose[i];
        tac_twist t = s->twist[i];
        tac_carry c = {s->carry[i].p, s->carry[i].v, s->carry[i].w};
        move_commit(m->h, &w->gain[i], &w->shift[i], &q, &t, &c);
        check_note(check_reals(&t, sizeof t, TAC_MOST_SPEED), TAC_FIELD_VELOCITY, i, &r->fault);
        check_note(check_reals(&q.p, sizeof q.p, TAC_MOST_POSITION), TAC_FIELD_POSE, i, &r->fault);
        finite &= reals_finite(&q.q, sizeof q.q) & reals_finite(&c, sizeof c);
        energy_add(m, i, &q, &t, &r->kinetic, &r->potential);
    }
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
        finite &= reals_finite(&JOINT_RESULT(w)[i], sizeof(tac_joint_result));
    }
    finite &= reals_finite(&r->residual, sizeof *r - offsetof(tac_report, residual));
    check_note(finite ? TAC_REASON_NONE : TAC_REASON_NOT_FINITE, TAC_FIELD_RESULT, 0, &r->fault);
    return r->fault.reason == TAC_REASON_NONE;
}

// v+ = v~ + M^-1 D g,  q+ = q exp(h v+)                                                     NST17 (9), (5a), TCE17 (54)
// Returns 0, with the state as it was and the fault in the report, if that is not finite or leaves its ranges.
static int ccp_end(const tac_model *m, tac_state *s, tac_work *w)
{
    solve_finish(m, s, w);
    move_hold_contacts(w);
    move_turn(m, s, w);
    assemble_settle(m, s, w);
    joints_show(m, s, w);
    assemble_arc(m, s, w);
    impact_delay(m, w);
    project(m, s, w);
    assemble(m, s, w);
    if (!ccp_good(m, s, w)) { return 0; }

    for (uint16_t i = 1; i < m->bodies; i++) {
        move_commit(m->h, &w->gain[i], &w->shift[i], &s->pose[i], &s->twist[i], &s->carry[i]);
    }
    warm_keep(s, w);
    joints_keep(m, s, w);
    const uint32_t found = (uint32_t)w->report.contacts + w->report.dropped;
    const uint16_t peak = found < UINT16_MAX ? (uint16_t)found : UINT16_MAX;
    if (peak > s->contacts_peak) { s->contacts_peak = peak; }
    s->step++;
    return 1;
}

#endif
