// SPDX-License-Identifier: MIT
// auto.h - sweeps or Newton steps: the costs, and the signs of progress, that TAC_SOLVER_AUTO goes by.
//   given   the pattern of the factor, which contacts slide at first, the progress of the last Newton steps
//   makes   the choice between sweeps and Newton's method
//   bound   one visit to each contact and to each column of the factor a step
//   never   keeps anything from one step to the next
#ifndef SOLVE_AUTO_H
#define SOLVE_AUTO_H

#include "../factor/matrix.h"

#define AUTO_LIMIT R(0.99) // of mu n: a contact with more tangential force than this slides
#define AUTO_FEW 8         // contacts of which at most one slides: few slide
#define AUTO_LEAN 2        // bodies per block of the factor, at most
#define AUTO_VISITS 8      // cost of the visits of a Newton step to the contacts, in sweeps
#define AUTO_MOST 18u      // sweeps: what a Newton step costs at most
#define AUTO_TRIAL 4       // Newton steps between two checks of their progress:
#define AUTO_GAIN R(0.9)   // they must leave at most this part of the residual,
#define AUTO_FINE R(0.01)  // or, once less than this part of that of zero impulses is left,
#define AUTO_PATIENCE 12   // halve it in so many steps

// Cost of a Newton step, in sweeps. Multiplications with f_j blocks in column j of the factor and C contacts: assembly
// 350 C, visits 290 C, factor 108 sum f_j (f_j - 1) + 250 f_j, solution 72 sum f_j; a sweep 80 C. Hence
//      8 + 1.35 sum f_j (f_j + 2) / C.
static uint32_t auto_cost(const tac_work *w, const tac_sparse *s)
{
    uint32_t sum = 0;
    for (uint16_t at = 0; at < s->nodes; at++) {
        uint32_t column = 0;
        for (uint16_t i = s->pivot[s->order[at]].first; i != TAC_NONE; i = s->fill[i].next[0]) { column++; }
        sum += column * (column + 2);
    }
    return AUTO_VISITS + (sum + sum / 3) / w->program.contacts;
}

// Do few contacts slide, by the impulses of the last step? Where many do, a step of Newton's method crosses few of the
// kinks of the law.
static int auto_stuck(const tac_work *w)
{
    uint32_t touch = 0, slide = 0;
    for (const tac_block *k = w->scratch.solve.block, *end = k + w->program.contacts; k < end; k++) {
        const vec3 g = v3_of(&w->scratch.solve.best[k->first]);
        const real limit = AUTO_LIMIT * k->mu * g.x;
        if (!(g.x > R(0.0))) { continue; }
        touch++;
        slide += g.y * g.y + g.z * g.z >= limit * limit;
    }
    return AUTO_FEW * slide <= touch;
}

// Has the factor room, and does a Newton step cost no more than AUTO_MOST sweeps, nor all of them?
static int auto_affords(tac_work *w)
{
    if (TAC_MAX_FILL == 0 || w->program.contacts == 0) { return 0; }
    const uint32_t most = w->program.max_sweeps < AUTO_MOST ? w->program.max_sweeps : AUTO_MOST;
    return matrix_order(w) && auto_cost(w, matrix_of(w)) <= most;
}

// Does Newton's method come first? Where few bodies support each other, loads are carried by few bodies and sweeps
// suffice.
static int auto_direct(tac_work *w)
{
    if (TAC_MAX_FILL == 0) { return 0; }
    const tac_sparse *s = matrix_of(w);
    return auto_stuck(w) && auto_affords(w) && s->fills > 0 && AUTO_LEAN * s->fills >= s->nodes;
}

// Should sweeps take over from Newton's method? Once its modes are nearly right, every few steps reduce the residual.
static int auto_sweeps(tac_progress *p)
{
    if (p->least <= AUTO_FINE * p->start) { return p->idle >= AUTO_PATIENCE; }
    p->trial++;
    if (p->trial < AUTO_TRIAL) { return 0; }
    const int slow = p->least > AUTO_GAIN * p->tried;
    p->tried = p->least;
    p->trial = 0;
    return slow;
}

#endif
