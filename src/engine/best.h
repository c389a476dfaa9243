// SPDX-License-Identifier: MIT
// best.h - the best impulses so far, of worlds and of problems: kept, and restored together with their velocities.
//   given   the impulses in force and their measure
//   makes   the best ones and the least measure; from them, the impulses in force
//   bound   one pass over the rows; to restore those of a world, a visit to each block
//   never   accepts a measure that is not a number; leaves velocities that belong to other impulses than those in force
#ifndef ENGINE_BEST_H
#define ENGINE_BEST_H

#include "../rows/contact_rows.h"
#include "../dual/trees.h"

// Keeps g if its measure is the least so far.
static void best_keep_rows(real *best, real *least, const real *g, uint32_t rows, real measure)
{
    if (!(measure < *least)) { return; }
    reals_copy(best, g, rows * sizeof *g);
    *least = measure;
}

static void best_keep(tac_work *w)
{
    tac_progress *p = &w->progress;
    const uint32_t rows = PROGRAM_JOINTS(w) > 0 ? reduced_swept(w) : iterate_rows(w);
    best_keep_rows(w->scratch.solve.best, &p->least, w->scratch.solve.g, rows, p->measure);
}

// Restores the best iterate. Its change of velocity is recomputed from the impulses; over trees that is left to
// reduced_finish(), which solve.h calls.
static void best_recompute(tac_work *w)
{
    if (TAC_MAX_JOINTS == 0 && TAC_MAX_FILL == 0) { return; }
    iterate_copy(w, w->scratch.solve.g, w->scratch.solve.best);
    if (PROGRAM_JOINTS(w) == 0) { delta_v_recompute(w); }
    w->progress.measure = w->progress.least;
}

// Restores the best iterate; its change of velocity is updated by the difference from the iterate in force.
static void best_restore(tac_work *w)
{
    if (PROGRAM_JOINTS(w) > 0) {
        best_recompute(w);
        return;
    }
    for (const tac_block *k = blocks_of(w), *end = k + w->program.contacts; k < end; k++) {
        const real *g = &w->scratch.solve.g[k->first], *best = &w->scratch.solve.best[k->first];
        rows_apply(k, v3_sub(v3_of(best), v3_of(g)), w->moving, w->delta_v);
        if (has_torsion(k)) { torsion_turn(k, v3_sub(v3_of(best + 3), v3_of(g + 3)), w->moving, w->delta_v); }
    }
    iterate_copy(w, w->scratch.solve.g, w->scratch.solve.best);
    w->progress.measure = w->progress.least;
}

#endif
