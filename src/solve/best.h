// SPDX-License-Identifier: MIT
// best.h - the best impulses of a solve so far: kept, and restored together with their velocities.
//   given   the impulses in force and their measure
//   makes   best[]; from it, the impulses in force
//   bound   one pass over the rows; a visit to each block to restore them
//   never   leaves velocities that belong to other impulses than those in force
#ifndef SOLVE_BEST_H
#define SOLVE_BEST_H

#include "../rows/iterate.h"
#include "../dual/joint_step.h"
#include "../engine/joint_sweep.h"

static void solve_keep_best(tac_work *w)
{
    iterate_copy(w, w->scratch.solve.best, w->scratch.solve.g);
    w->progress.least = w->progress.moved;
}

#if TAC_MAX_FILL > 0 || TAC_MAX_JOINTS > 0

// Restores the best iterate; its change of velocity is recomputed from the impulses.
static void solve_take_best(tac_work *w)
{
    iterate_copy(w, w->scratch.solve.g, w->scratch.solve.best);
    delta_v_recompute(w);
    w->progress.moved = w->progress.least;
}

#else

static void solve_take_best(tac_work *w)
{
    (void)w;
}

#endif

// Restores the best iterate; its change of velocity is updated by the difference from the iterate in force.
static void solve_restore_best(tac_work *w)
{
    if (joints_eliminated(&w->progress)) {
        solve_take_best(w);
        return;
    }
    for (const tac_block *k = blocks_of(w), *end = k + w->program.contacts; k < end; k++) {
        const real *g = &w->scratch.solve.g[k->first], *best = &w->scratch.solve.best[k->first];
        rows_apply(k, v3_sub(v3_of(best), v3_of(g)), w->moving, w->delta_v);
        if (has_torsion(k)) { torsion_turn(k, v3_sub(v3_of(best + 3), v3_of(g + 3)), w->moving, w->delta_v); }
    }
    joints_restore_best(w);
    iterate_copy(w, w->scratch.solve.g, w->scratch.solve.best);
    w->progress.moved = w->progress.least;
}

#endif
