// SPDX-License-Identifier: MIT
// touch.h - the contacts of one body or of all, without a step and within a margin of their own.
//   given   model, state, a body
//   makes   contacts and penetration of the report, as a step computes them for bodies at rest
//   bound   shapes of the body times shapes, one narrow phase per pair closer than the margin
//   never   moves a body; impulses and velocities of the contacts are 0
#ifndef QUERY_TOUCH_H
#define QUERY_TOUCH_H

#include "cast.h"

// Does shape i belong to the body, or to any (TAC_NONE)?
static int touch_owns(const tac_model *m, uint16_t body, uint16_t i)
{
    return body == TAC_NONE || m->shape[i].body == body;
}

// The contacts of placed shapes that concern a body, with a gap below the margin and what they approach in a step.
static void touch_pairs(const tac_model *m, const tac_state *s, uint16_t body, real margin, tac_work *w)
{
    tac_collision *g = &w->scratch.collision;
    uint16_t first = m->shapes, end = 0; // the shapes of the body are from first to before end
    for (uint16_t i = 0; i < m->shapes; i++) {
        if (!touch_owns(m, body, i)) { continue; }
        if (end == 0) { first = i; }
        end = (uint16_t)(i + 1);
    }
    w->report.contacts = w->report.dropped = 0;
    w->report.penetration = R(0.0);
    for (uint16_t i = 0; i < m->shapes; i++) {
        const int own = touch_owns(m, body, i);
        for (uint16_t j = own || i >= first ? (uint16_t)(i + 1) : first; j < (own ? m->shapes : end); j++) {
            if (!own && !touch_owns(m, body, j)) { continue; }
            if (!joint_parts(m, s, m->shape[i].body, m->shape[j].body) && contacts_meet(m, g, margin, i, j)) {
                contacts_enter(m, g, &w->report, w->contact);
            }
        }
    }
}

// The contacts of a body at rest. Returns 0 if a pose is not finite.
static int touch_find(const tac_model *m, const tac_state *s, uint16_t body, real margin, tac_work *w)
{
    tac_collision *g = &w->scratch.collision;
    for (uint16_t i = 0; i < m->shapes; i++) {
        if (!cast_place(m, s, &m->shape[i], &g->placed[i])) { return 0; }
    }
    touch_pairs(m, s, body, margin, w);
    return 1;
}

#endif
