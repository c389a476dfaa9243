// SPDX-License-Identifier: MIT
// warm.h - the one arrow that goes back in time: last step's impulses start this step's rows.
//   given   state->warm[], sorted by shape pairs as the contacts are
//   makes   best impulses before the solve; state->warm[] after it
//   bound   one pass over both lists; within a pair, its few points
//   never   starts outside the cone
#ifndef ROWS_WARM_H
#define ROWS_WARM_H

#include "resist.h"

// Pairs are visited in the order (lower, higher shape index).
static uint32_t warm_pair(const tac_feature *id)
{
    const uint32_t a = id->shape_a, b = id->shape_b;
    return a < b ? a << 16 | b : b << 16 | a;
}

static void warm_resisting(const tac_contact *c, const tac_block *k, const tac_warm *g, real *best)
{
    const vec3 torque = resist_scaled(k, v3_components(rows_frame(c), ROLLING_TORQUE(g)));
    rows6_put(best, resist_project((rows6){v3_components(rows_frame(c), g->impulse), torque}, c->mu));
}

// Impulses are kept in the world frame: the contact's own frame turns with its normal.
static void warm_start(const tac_state *s, tac_work *w)
{
    const tac_warm *first = s->warm, *end = s->warm + s->warm_count;
    const tac_block *k = w->scratch.block;
    for (const tac_contact *c = w->contact; c < w->contact + w->report.contacts; c++, k++) {
        real *best = &w->iterate.best[k->first];
        const uint32_t pair = warm_pair(&c->id);
        while (first < end && warm_pair(&first->id) < pair) { first++; }
        for (const tac_warm *g = first; g < end && warm_pair(&g->id) == pair; g++) {
            if (g->id.feature != c->id.feature) { continue; }
            if (resists(c)) {
                warm_resisting(c, k, g, best);
                break;
            }
            v3_put(best, cone_project(v3_components(rows_frame(c), g->impulse), c->mu, R(1.0), R(1.0)));
            break;
        }
    }
}

static void warm_keep(tac_state *s, const tac_work *w)
{
    tac_warm *g = s->warm;
    for (const tac_contact *c = w->contact; c < w->contact + w->report.contacts; c++, g++) {
        g->id = c->id;
        g->impulse = v3_combine(rows_frame(c), c->impulse);
        ROLLING_SET_TORQUE(g, v3_combine(rows_frame(c), ROLLING_TORQUE(c)));
    }
    s->warm_count = w->report.contacts;
}

#endif
