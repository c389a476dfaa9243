// SPDX-License-Identifier: MIT
// rolls.h - what tests of whole steps have to know of contacts that roll (src/rows/rolls.h).
//   given   the states before and after a step, its work area
//   makes   whether the impulses of a body rotate with it, what energy contacts that roll may add
//   bound   one visit to each contact
//   never   says which contacts should roll: physics/noslip.c does
#ifndef ROLLS_H
#define ROLLS_H

#include "truth.h"

/// Of a step without joints: has the body a contact that rolls and bears a force, unless all of these are of balls?
static inline int rolls_turns(const tac_work *w, uint16_t body)
{
    for (int i = 0; i < w->report.contacts; i++) {
        const tac_contact *c = &w->contact[i];
        const int rolls = w->scratch.solve.block[i].rolls; // 1 and 2: START, MIDDLE; 3: BALL
        if ((rolls == 1 || rolls == 2) && (double)c->impulse.x > 0 && (c->body_a == body || c->body_b == body)) {
            return 1;
        }
    }
    return 0;
}

/// Energy that the contacts add at most: one that rolls sees velocities of the middle or of the end of the step, and
/// those at its start are off by what the normal and the arms turn within it, or, where it began to roll, by h k.
static inline double rolls_supply(const tac_model *m, const tac_state *before, const tac_work *w)
{
    double sum = 0;
    for (int i = 0; i < w->report.contacts; i++) {
        const tac_contact *c = &w->contact[i];
        if (w->scratch.solve.block[i].rolls == 0) { continue; }
        d3 v[2];
        double most = 0;
        for (int side = 0; side < 2; side++) {
            const uint16_t b = side ? c->body_b : c->body_a;
            const d3 arm = d3_sub(d3_of(c->point), d3_of(before->pose[b].p)), rate = world_rate(before, b);
            v[side] = d3_of(before->twist[b].v);
            if (m->body[b].kind == TAC_DYNAMIC) { most += d3_dot(rate, rate) * d3_norm(arm); }
        }
        const d3 apart = d3_sub(v[1], v[0]);
        const double far = d3_norm(d3_sub(d3_of(before->pose[c->body_b].p), d3_of(before->pose[c->body_a].p)));
        if (m->body[c->body_a].kind == TAC_DYNAMIC) { most += d3_dot(apart, apart) / far; }
        sum += (double)m->h * most * d3_norm(d3_of(c->impulse));
    }
    return sum;
}

#endif
