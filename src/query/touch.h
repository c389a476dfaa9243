// SPDX-License-Identifier: MIT
// touch.h - the contacts of one body or of all, without a step and within a margin of their own.
//   given   model, state, a body
//   makes   contacts and penetration of the report, as a step computes them for bodies at rest
//   bound   shapes squared, one narrow phase per pair closer than the margin
//   never   moves a body; impulses and velocities of the contacts are 0
#ifndef QUERY_TOUCH_H
#define QUERY_TOUCH_H

#include "cast.h"

// Does one of shapes i and j belong to the body (TAC_NONE: any), and is it not joined to that of the other?
static int touch_concerns(const tac_model *m, uint16_t body, uint16_t i, uint16_t j)
{
    const uint16_t a = m->shape[i].body, b = m->shape[j].body;
    return (body == TAC_NONE || a == body || b == body) && !joint_parts(m, a, b);
}

// The contacts of placed shapes that concern a body, with a gap below the margin and what they approach in a step.
static void touch_pairs(const tac_model *m, uint16_t body, real margin, tac_work *w)
{
    tac_collision *g = &w->scratch.collision;
    w->report.contacts = w->report.dropped = 0;
    w->report.penetration = R(0.0);
    for (uint16_t i = 0; i < m->shapes; i++) {
        for (uint16_t j = (uint16_t)(i + 1); j < m->shapes; j++) {
            if (touch_concerns(m, body, i, j) && contacts_meet(m, g, margin, i, j)) {
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
    touch_pairs(m, body, margin, w);
    return 1;
}

#endif
