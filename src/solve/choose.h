// SPDX-License-Identifier: MIT
// choose.h - sweeps or Newton steps: the cost model of TAC_SOLVER_AUTO.
//   given   the factor's pattern, which contacts slide at first, what the last Newton steps have brought
//   makes   verdicts
//   bound   one visit to each contact and to each column of the factor a step
//   never   remembers anything from one step to the next
#ifndef SOLVE_CHOOSE_H
#define SOLVE_CHOOSE_H

#include "direct.h"

#if TAC_MAX_FILL > 0

#define CHOOSE_LIMIT R(0.99) // a contact slides when it bears so much of what friction can,
#define CHOOSE_FEW 8         // and few do if one of so many does
#define CHOOSE_LEAN 2        // bodies to a block of the factor, at most
#define CHOOSE_VISITS 8      // sweeps that the visits of a Newton step to the contacts cost
#define CHOOSE_TRIAL 4       // Newton steps after which they are judged:
#define CHOOSE_GAIN R(0.9)   // they must leave at most this part of the residual,
#define CHOOSE_FINE R(0.01)  // or, where less than this part of that of no impulses is left,
#define CHOOSE_PATIENCE 12   // half of it after so many

// What a Newton step costs, in sweeps. Multiplications with f_j blocks in column j of the factor, C contacts: assembly
// 350 C, visits 290 C, factor 108 sum f_j (f_j - 1) + 250 f_j, solution 72 sum f_j; a sweep 80 C. So
//      8 + 1.35 sum f_j (f_j + 2) / C.
static uint32_t choose_cost(const tac_work *w, const tac_sparse *s)
{
    uint32_t sum = 0;
    for (uint16_t at = 0; at < s->nodes; at++) {
        uint32_t column = 0;
        for (uint16_t i = s->pivot[s->order[at]].first; i != TAC_NONE; i = s->fill[i].next[0]) { column++; }
        sum += column * (column + 2);
    }
    return CHOOSE_VISITS + (sum + sum / 3) / w->report.contacts;
}

// Do few contacts slide, with the impulses of the last step? Where many do, Newton's method crosses few of the kinks of
// the law in a step.
static int choose_stuck(const tac_work *w)
{
    uint32_t touch = 0, slide = 0;
    const tac_block *k = w->scratch.solve.block;
    for (const tac_contact *c = w->contact; c < w->contact + w->report.contacts; c++, k++) {
        const vec3 g = v3_of(&w->scratch.solve.best[k->first]);
        const real limit = CHOOSE_LIMIT * c->mu * g.x;
        if (!(g.x > R(0.0))) { continue; }
        touch++;
        slide += g.y * g.y + g.z * g.z >= limit * limit;
    }
    return CHOOSE_FEW * slide <= touch;
}

// Newton's method at all? Where few bodies lean on each other sweeps have little to pass on. There must be room for the
// factor, and a step must not cost more than all sweeps.
static int choose_direct(const tac_model *m, tac_work *w)
{
    const tac_sparse *s = matrix_of(w);
    return choose_stuck(w) && matrix_order(m, w) && s->fills > 0 && CHOOSE_LEAN * s->fills >= s->nodes &&
           choose_cost(w, s) <= m->options.max_sweeps;
}

// Sweeps instead, from here on? Newton's method takes something off the residual all the time once it finds its way.
static int choose_sweeps(tac_progress *p)
{
    if (p->least <= CHOOSE_FINE * p->start) { return p->idle >= CHOOSE_PATIENCE; }
    p->trial++;
    if (p->trial < CHOOSE_TRIAL) { return 0; }
    const int slow = p->least > CHOOSE_GAIN * p->tried;
    p->tried = p->least;
    p->trial = 0;
    return slow;
}

#endif

#endif
