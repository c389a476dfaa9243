// SPDX-License-Identifier: MIT
// momentum.h - Nesterov's momentum for the accelerated sweeps of worlds, trees and problems: sums, extrapolation,
// restart.
//   given   the changes of a sweep, block by block
//   makes   the movement of the sweep; the factor of extrapolation of the next one
//   bound   one square root a sweep
//   never   extrapolates after a sweep that reversed its direction
#ifndef ENGINE_MOMENTUM_H
#define ENGINE_MOMENTUM_H

#include "../base/real.h"

// A sweep takes each block from y = x_k + beta (x_k - x_k-1) to x_k+1. Sums over all blocks, in velocity units:
typedef struct sweep_sum {
    real moved; // |d (x_k+1 - y)|^2
    real turn;  // d (y - x_k+1) . (x_k+1 - x_k): positive when the sweep turns against the extrapolation
    real swing; // d (x_k - x_k-1) . (x_k+1 - x_k): negative when it reverses the change of the sweep before
} sweep_sum;

static inline void sweep_add(sweep_sum *s, real weight, real square, real along)
{
    s->moved += weight * weight * square;
    s->turn -= weight * along;
}

// One row from y to `next`. Returns the change.
static inline real sweep_store(sweep_sum *s, real weight, real *g, real *last, real y, real next)
{
    const real change = next - y;
    sweep_add(s, weight, change * change, change * (next - *g));
    *last = *g;
    *g = next;
    return change;
}

// x becomes y, `last` becomes x. Both consist of reals: impulses, and the velocities of bodies, which are linear in
// them and extrapolate alike.
static inline void sweep_extrapolate(void *object, void *before, uint32_t count, real beta)
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
#define MOMENTUM_FIRST R(1.0)
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

#endif
