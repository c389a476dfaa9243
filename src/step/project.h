// SPDX-License-Identifier: MIT
// project.h - overlap is moved out, not pushed out: a bounded projection of positions after the solve.
//   given   contacts, blocks, velocities at the end of the step, shifts so far
//   makes   shift: what else moves the poses, so that no gap that would be negative gets worse and some is taken back
//   bound   PROJECT_SWEEPS (direct solver: _DIRECT) passes over the contacts; one where nothing overlaps
//   never   changes a velocity: NST17's stabilisation term does, and feeds the noise of a stack that way
#ifndef STEP_PROJECT_H
#define STEP_PROJECT_H

#include "move.h"

// Passes: a quarter of the solver's sweeps, within these. Where few sweeps leave a brick tilted, more make it walk.
#define PROJECT_SWEEPS 8
#define PROJECT_LEAST 2

// With the direct solver gaps that the projection leaves are what drives a stack: it goes on until only rounding moves.
#define PROJECT_SWEEPS_DIRECT 32

// Was that the choice, of the user or of the step?
static int project_direct(const tac_model *m, const tac_work *w)
{
    const int chosen = m->options.solver == TAC_SOLVER_DIRECT || w->progress.solver == TAC_SOLVER_DIRECT;
    return TAC_MAX_FILL > 0 && chosen;
}

// The least shift that each contact asks for. Where the step ends with an open gap the shift may close it; an overlap
// is to be taken back by its part; one that rounding can make is left alone.
static void project_need(const tac_model *m, const tac_state *s, tac_work *w)
{
    tac_block *k = w->scratch.block;
    for (const tac_contact *c = w->contact; c < w->contact + w->report.contacts; c++, k++) {
        const real overlap = -(c->gap + m->h * c->velocity.x), rounding = rows_rounding(m, c, s);
        const real part = overlap <= R(0.0) ? R(1.0) : overlap <= rounding ? R(0.0) : m->options.projection;
        k->own.project.need = part * overlap / m->h;
        k->own.project.rounding = rounding;
    }
}

// Projected Gauss-Seidel over the normals:  0 <= push  perp  shift - need >= 0. Has anything moved, with the direct
// solver farther than rounding?
static int project_sweep(const tac_model *m, tac_work *w)
{
    const int direct = project_direct(m, w);
    int moved = 0;
    tac_block *k = w->scratch.block;
    for (const tac_contact *c = w->contact; c < w->contact + w->report.contacts; c++, k++) {
        const real lack = k->own.project.need - rows_rate(c, k, w->shift, 0);
        const real next = real_max(k->push + lack / k->w.xx, R(0.0)), change = next - k->push;
        if (change == R(0.0)) { continue; }
        moved |= !direct || m->h * k->w.xx * real_abs(change) > k->own.project.rounding;
        k->push = next;
        rows_push(c, k, change, w->moving, w->shift);
    }
    return moved;
}

static int project_passes(const tac_model *m, const tac_work *w)
{
    if (project_direct(m, w)) { return PROJECT_SWEEPS_DIRECT; }
    const int passes = m->options.max_sweeps / 4;
    return passes < PROJECT_LEAST ? PROJECT_LEAST : passes < PROJECT_SWEEPS ? passes : PROJECT_SWEEPS;
}

static void project(const tac_model *m, const tac_state *s, tac_work *w)
{
    const int most = project_passes(m, w);
    project_need(m, s, w);
    for (int sweep = 0; sweep < most && project_sweep(m, w); sweep++) {}
}

#endif
