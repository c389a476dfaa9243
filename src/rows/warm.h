// SPDX-License-Identifier: MIT
// warm.h - the one arrow that goes back in time: last step's impulses start this step's rows.
//   given   state->warm[], sorted by shape pairs as the contacts are
//   makes   contact.impulse before the solve; state->warm[] after it
//   bound   one pass over both lists; within a pair, its few points
//   never   starts outside the cone
#ifndef ROWS_WARM_H
#define ROWS_WARM_H

#include "contact_rows.h"

// Pairs are visited in the order (lower, higher shape index).
static uint32_t warm_pair(tac_feature id)
{
    const uint32_t lo = id.shape_a < id.shape_b ? id.shape_a : id.shape_b;
    const uint32_t hi = id.shape_a < id.shape_b ? id.shape_b : id.shape_a;
    return lo << 16 | hi;
}

// Impulses are kept in the world frame: the contact's own frame turns with its normal.
static void warm_start(const tac_state *s, tac_contact *c, uint16_t contacts)
{
    uint16_t first = 0;
    for (uint16_t i = 0; i < contacts; i++) {
        const uint32_t pair = warm_pair(c[i].id);
        while (first < s->warm_count && warm_pair(s->warm[first].id) < pair) { first++; }
        for (uint16_t j = first; j < s->warm_count && warm_pair(s->warm[j].id) == pair; j++) {
            if (s->warm[j].id.feature != c[i].id.feature) { continue; }
            c[i].impulse = cone_project(rows_from_world(&c[i], s->warm[j].impulse), c[i].mu, R(1.0), R(1.0));
            break;
        }
    }
}

static void warm_keep(tac_state *s, const tac_contact *c, uint16_t contacts)
{
    for (uint16_t i = 0; i < contacts; i++) {
        s->warm[i].id = c[i].id;
        s->warm[i].impulse = rows_to_world(&c[i], c[i].impulse);
    }
    s->warm_count = contacts;
}

#endif
