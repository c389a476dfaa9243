// SPDX-License-Identifier: MIT
// iterates.h - from one iterate to the next, of worlds, trees and problems: Nesterov's momentum; the best one so far.
//   given   the changes of a sweep, block by block; the impulses in force and their measure
//   makes   the movement of the sweep, the factor of extrapolation of the next one; the best impulses and the least
//           measure; from them, the impulses in force and their velocities
//   bound   one square root a sweep, one pass over the rows; to restore a world, a visit to each block
//   never   extrapolates after a sweep that reversed its direction; accepts a measure that is not a number; leaves
//           velocities that belong to other impulses than those in force
#ifndef ENGINE_ITERATES_H
#define ENGINE_ITERATES_H

#include "../rows/contact_rows.h"
#include "../dual/trees.h"

// A sweep takes each block from y = x_k + beta (x_k - x_k-1) to x_k+1. Sums over all blocks, in velocity units:
typedef struct sweep_sum {
    real moved; // |d (x_k+1 - y)|^2
    real turn;  // d (y - x_k+1) . (x_k+1 - x_k): positive when the sweep turns against the extrapolation
    real swing; // d (x_k - x_k-1) . (x_k+1 - x_k): negative when it reverses the change of the sweep before
} sweep_sum;

static inline void iterate_add(sweep_sum *s, real weight, real square, real along)
{
    s->moved += weight * weight * square;
    s->turn -= weight * along;
}

// One row from y to `next`. Returns the change.
static inline real iterate_store(sweep_sum *s, real weight, real *g, real *last, real y, real next)
{
    const real change = next - y;
    iterate_add(s, weight, change * change, change * (next - *g));
    *last = *g;
    *g = next;
    return change;
}

// x becomes y, `last` becomes x. Both consist of reals: impulses, and the velocities of bodies, which are linear in
// them and extrapolate alike.
static inline void iterate_extrapolate(void *object, void *before, uint32_t count, real beta)
{
    real *x = object, *last = before;
    for (uint32_t i = 0; i < count; i++) {
        const real now = x[i];
        x[i] = now + beta * (now - last[i]);
        last[i] = now;
    }
}

// Nesterov's sequence t, and beta of the next sweep. The momentum restarts when the sweep turns (OC15). A restart at 1
// leaves two sweeps without momentum, at the second term only one: problems need 4 % fewer passes with the second,
// but worlds, whose sweeps start from the impulses of the last step, need the first (thirty cubes at 50 sweeps a step
// fall within 10 s otherwise).
#define MOMENTUM_FIRST R(1.0) // t where momentum begins anew
#define MOMENTUM_SECOND R(1.6180339887498949)

static inline void momentum_rest(real *t, real *beta, real restart)
{
    *t = restart;
    *beta = R(0.0);
}

static inline void momentum_next(real *t, real *beta, real turn, real restart)
{
    if (turn > R(0.0)) {
        momentum_rest(t, beta, restart);
        return;
    }
    const real last = *t;
    *t = R(0.5) * (R(1.0) + real_sqrt(R(1.0) + R(4.0) * last * last));
    *beta = (last - R(1.0)) / *t;
}

// ----------------------------------------------------------------------------------------------------- the best so far

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
    best_keep_rows(w->scratch.solve.best, &p->least, w->scratch.solve.g, trees_swept(w), p->measure);
}

// Restores the best iterate. Its change of velocity is recomputed from the impulses; over trees that is left to
// trees_finish(), which solve.h calls.
static void best_recompute(tac_work *w)
{
    if (TAC_MAX_JOINTS == 0 && TAC_MAX_FILL == 0) { return; }
    iterate_copy(w, w->scratch.solve.g, w->scratch.solve.best);
    if (PROGRAM_JOINTS(w) == 0) { delta_v_make(w, w->delta_v); }
    w->progress.measure = w->progress.least;
}

// Restores the best iterate; its change of velocity is updated by the difference from the iterate in force.
static void best_restore(tac_work *w)
{
    if (PROGRAM_JOINTS(w) > 0) {
        best_recompute(w);
        return;
    }
    delta_v_move(w, w->scratch.solve.g, w->scratch.solve.best, w->delta_v);
    iterate_copy(w, w->scratch.solve.g, w->scratch.solve.best);
    w->progress.measure = w->progress.least;
}

#endif
