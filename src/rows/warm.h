// SPDX-License-Identifier: MIT
// warm.h - the one arrow that goes back in time: last step's impulses start this step's rows.
//   given   state->warm[], sorted by shape pairs as the contacts are
//   makes   block.best before the solve; state->warm[] after it
//   bound   one pass over both lists; within a pair, its few points
//   never   starts outside the cone
#ifndef ROWS_WARM_H
#define ROWS_WARM_H

#include "contact_rows.h"

// Pairs are visited in the order (lower, higher shape index).
static uint32_t warm_pair(const tac_feature *id)
{
    const uint32_t a = id->shape_a, b = id->shape_b;
    return a < b ? a << 16 | b : b << 16 | a;
}

// Impulses are kept in the world frame: the contact's own frame turns with its normal.
static void warm_start(const tac_state *s, tac_work *w)
{
    uint16_t first = 0;
    for (uint16_t i = 0; i < w->report.contacts; i++) {
        const tac_contact *c = &w->contact[i];
        const uint32_t pair = warm_pair(&c->id);
        while (first < s->warm_count && warm_pair(&s->warm[first].id) < pair) { first++; }
        for (uint16_t j = first; j < s->warm_count && warm_pair(&s->warm[j].id) == pair; j++) {
            if (s->warm[j].id.feature != c->id.feature) { continue; }
            const vec3 g = v3_components(rows_frame(c), s->warm[j].impulse);
            w->scratch.block[i].best = cone_project(g, c->mu, R(1.0), R(1.0));
            break;
        }
    }
}

static void warm_keep(tac_state *s, const tac_work *w)
{
    for (uint16_t i = 0; i < w->report.contacts; i++) {
        const tac_contact *c = &w->contact[i];
        s->warm[i].id = c->id;
        s->warm[i].impulse = v3_combine(rows_frame(c), c->impulse);
    }
    s->warm_count = w->report.contacts;
}

#endif
