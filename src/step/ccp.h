// SPDX-License-Identifier: MIT
// ccp.h - one step of NST17: half-implicit symplectic Euler with a cone complementarity problem for the impulses.
//   given   model, state, input
//   makes   the next state, the contacts, the report
//   bound   bodies + pairs of shapes + contacts * max_sweeps
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
    for (uint16_t i = 0; i < w->report.contacts; i++) {
        rows_make(m, s, &w->contact[i], w->moving, &w->scratch.block[i]);
    }
    if (m->options.warm_start) { warm_start(s, w->contact, w->report.contacts); }
    solve_start(m, w);
}

// minimise 1/2 g'N g + p'g over the cones                                                                   NST17 (11)
static void ccp_sweep(const tac_model *m, tac_work *w, uint32_t sweeps)
{
    solve_sweeps(m, w, sweeps);
}

// Would the next state be finite, energies included? Fills these in.
static int ccp_finite(const tac_model *m, const tac_state *s, tac_work *w)
{
    int finite = real_finite(w->report.residual);
    w->report.kinetic = w->report.potential = R(0.0);
    for (uint16_t i = 1; i < m->bodies; i++) {
        const tac_moving *b = &w->moving[i];
        const tac_twist t = {v3_add(s->twist[i].v, b->gain.v), v3_add(s->twist[i].w, b->gain.w)};
        const vec3 p = v3_madd(s->pose[i].p, m->h, v3_add(t.v, b->shift.v));
        finite = finite && v3_finite(p) && twist_finite(&t) && twist_finite(&b->shift);
        w->report.kinetic += energy_kinetic(&m->body[i], &t);
        w->report.potential += energy_potential(m, &m->body[i], p);
    }
    return finite && real_finite(w->report.kinetic) && real_finite(w->report.potential);
}

// v+ = v~ + M^-1 D g,  q+ = q exp(h v+)                                                     NST17 (9), (5a), TCE17 (54)
// Returns 0, with the state as it was, if that is not finite.
static int ccp_end(const tac_model *m, tac_state *s, tac_work *w)
{
    solve_finish(w);
    move_delay(w);
    project(m, s, w);
    if (!ccp_finite(m, s, w)) { return 0; }

    for (uint16_t i = 1; i < m->bodies; i++) {
        move_commit(m->h, &w->moving[i], &s->pose[i], &s->twist[i], &s->carry[i]);
    }
    warm_keep(s, w->contact, w->report.contacts);
    const uint32_t found = (uint32_t)w->report.contacts + w->report.dropped;
    const uint16_t peak = found < UINT16_MAX ? (uint16_t)found : UINT16_MAX;
    if (peak > s->contacts_peak) { s->contacts_peak = peak; }
    s->step++;
    return 1;
}

#endif
