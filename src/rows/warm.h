// SPDX-License-Identifier: MIT
// warm.h - the one arrow that goes back in time: last step's impulses start this step's rows.
//   given   state->warm[], sorted by shape pairs as the contacts are
//   makes   best impulses before the solve, and the bias of what bore a force; state->warm[] after it
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

// A contact that bore a force in a step that ended before it was solved may have a gap now that the solve has left
// over. Positions close it (step/project.h), as they take back an overlap, and no velocity is asked for. Asked for
// gap/h instead, the impulses, which start from those of the last step, add up what every step has left over: motions
// that the sweeps of a step solve by less than half, such as the sway of a stack, then gain energy (solve/README.md).
// Not under the relaxed law, where a contact that slides bears a force at its gap h mu |u_T|, nor where there are
// joints, whose projection (step/untangle.h) only opens contacts.
static int warm_closes(const tac_model *m)
{
    return m->options.friction == TAC_FRICTION_EXACT && JOINT_COUNT(m) == 0;
}

static void warm_close(tac_block *k, real impulse)
{
    if (!(impulse > R(0.0) && k->target > R(0.0))) { return; }
    k->bias.x -= k->target;
    k->target = R(0.0);
}

// Impulses are kept in the world frame: the contact's own frame turns with its normal.
static void warm_start(const tac_model *m, const tac_state *s, tac_work *w)
{
    const tac_warm *first = s->warm, *end = s->warm + s->warm_count;
    tac_block *k = w->scratch.solve.block;
    for (const tac_contact *c = w->contact; c < w->contact + w->report.contacts; c++, k++) {
        real *best = &w->scratch.solve.best[k->first];
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
        if (s->warm_unsolved && warm_closes(m)) { warm_close(k, best[0]); }
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
    s->warm_unsolved = !w->progress.converged;
}

#endif
