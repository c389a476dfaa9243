// SPDX-License-Identifier: MIT
// warm.h - warm start: the impulses of the last step initialise this one. The only data flow from step to step.
//   given   state->warm[], sorted by pairs of shapes as the contacts are
//   makes   initial (best) impulses; the bias of contacts that bore a force; state->warm[] after the solve
//   bound   one pass over both lists; within a pair, its few points
//   never   starts outside the cone
#ifndef ROWS_WARM_H
#define ROWS_WARM_H

#include "../sets/cone.h"
#include "../model/joint.h"
#include "../model/shape.h"
#include "torsion.h"

// The impulse of a contact in the last step; NULL if it was none. Entries and contacts are visited in the same order:
// `from` moves to the first entry of its pair or of a later one.
static const tac_warm *warm_find(const tac_feature *id, const tac_warm **from, const tac_warm *end)
{
    const uint32_t pair = shape_pair(id);
    while (*from < end && shape_pair(&(*from)->id) < pair) { (*from)++; }
    for (const tac_warm *g = *from; g < end && shape_pair(&g->id) == pair; g++) {
        if (g->id.feature == id->feature) { return g; }
    }
    return NULL;
}

// In the coordinates of the rows; frame[2] is w times `across`, and so is the component along it.
static inline vec3 warm_impulse(const tac_block *k, const tac_warm *g)
{
    const real across = FRICTION_ACROSS(k);
    return friction_over(across * across, v3_components(k->frame, g->impulse));
}

static void warm_torsion(const tac_contact *c, const tac_block *k, const tac_warm *g, real *best)
{
    const vec3 about = friction_over(FRICTION_ACROSS(k), v3_components(k->frame, ROLLING_TORQUE(g)));
    rows6_put(best, torsion_project((rows6){warm_impulse(k, g), torsion_scaled(k, about)}, c->mu));
}

// If the last step ended before it was solved, a contact that bore a force may have a gap now that the solver has left.
// The position projection closes it (step/project.h), as it removes an overlap, and no velocity is requested. If gap/h
// were requested instead, the warm-started impulses would accumulate the errors of all steps, and motions that the
// sweeps of a step solve by less than half, such as the sway of a stack, would gain energy (solve/README.md).
// This does not apply to the relaxed law, where a sliding contact bears a force at its gap h mu |u_T|, nor to worlds
// with joints, whose projection (step/project.h) only opens contacts.
static int warm_closes(const tac_model *m)
{
    return m->options.friction == TAC_FRICTION_EXACT && JOINT_COUNT(m) == 0;
}

static void warm_close(tac_block *k, real impulse)
{
    if (!(impulse > R(0.0) && k->target > R(0.0)) || k->soft > R(0.0)) { return; }
    k->bias.x -= k->target;
    k->target = R(0.0);
}

// Impulses are stored in the world frame, since the contact frame rotates with the normal.
static void warm_start(const tac_model *m, const tac_state *s, tac_work *w)
{
    const tac_warm *from = s->warm, *end = s->warm + s->warm_count;
    tac_block *k = w->scratch.solve.block;
    for (const tac_contact *c = w->contact; c < w->contact + w->report.contacts; c++, k++) {
        real *best = &w->scratch.solve.best[k->first];
        const tac_warm *g = warm_find(&c->id, &from, end);
        if (g != NULL && has_torsion(k)) {
            warm_torsion(c, k, g, best);
        } else if (g != NULL) {
            v3_put(best, cone_project(warm_impulse(k, g), c->mu, R(1.0), R(1.0)));
        }
        if ((s->warm_unsolved || k->rolls >= ROLLS_MIDDLE) && warm_closes(m)) { warm_close(k, best[0]); }
    }
}

static void warm_keep(tac_state *s, const tac_work *w)
{
    tac_warm *g = s->warm;
    const tac_block *k = w->scratch.solve.block;
    for (const tac_contact *c = w->contact; c < w->contact + w->report.contacts; c++, k++, g++) {
        g->id = c->id;
        g->impulse = v3_combine(k->frame, friction_over(FRICTION_ACROSS(k), c->impulse));
        ROLLING_SET_TORQUE(g, v3_combine(k->frame, friction_over(FRICTION_ACROSS(k), ROLLING_TORQUE(c))));
    }
    s->warm_count = w->report.contacts;
    s->warm_unsolved = !w->progress.converged;
}

#endif
