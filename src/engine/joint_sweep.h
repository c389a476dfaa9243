// SPDX-License-Identifier: MIT
// joint_sweep.h - joints in the sweeps, row by row as in the papers; their share of the certificate.
//   given   link[], delta_v
//   makes   better impulses of joints and their delta_v; natural map
//   bound   constant a joint and sweep
//   never   converges fast on a chain, since a sweep carries an impulse over one joint at a time: trees and the direct
//           solver eliminate joints
#ifndef ENGINE_JOINT_SWEEP_H
#define ENGINE_JOINT_SWEEP_H

#include "../sets/interval.h"
#include "../dual/joint_step.h"
#include "momentum.h"

// The visit to an interval at u, which belongs to y. Returns the change.
static inline real interval_visit(const tac_interval *x, real *g, real *last, real y, real u, real w, sweep_sum *s)
{
    return sweep_store(s, w, g, last, y, interval_local(x, y, u, w));
}

static void joint_sweep(const tac_joint_block *k, tac_work *w, real beta, sweep_sum *s)
{
    real *impulse = &w->scratch.solve.g[k->first], *previous = &w->scratch.solve.last[k->first];
    for (int row = 0; row < TAC_JOINT_ROWS; row++) {
        if (!(k->constraints >> row & 1)) { continue; }
        real *g = &impulse[row], *last = &previous[row];
        const real y = *g + beta * (*g - *last), u = joint_rate(k, w->delta_v, row) + k->bias[row];
        const real next = y - (u + k->soft[row] * y) / (k->w[row] + k->soft[row]);
        joint_apply_row(k, row, sweep_store(s, k->w[row], g, last, y, next), w->moving, w->delta_v);
    }
    for (int i = 0; i < TAC_EFFORTS; i++) {
        const tac_interval *x = &k->interval[i];
        if (!x->used) { continue; }
        real *g = &impulse[TAC_JOINT_ROWS + i], *last = &previous[TAC_JOINT_ROWS + i];
        const real y = *g + beta * (*g - *last);
        const real u = joint_rate(k, w->delta_v, JOINT_LAST) + x->bias;
        joint_apply_row(k, JOINT_LAST, interval_visit(x, g, last, y, u, k->w[JOINT_LAST], s), w->moving, w->delta_v);
    }
}

static void joints_sweep(tac_work *w, real beta, sweep_sum *s)
{
    for (uint32_t i = 0; i < PROGRAM_JOINTS(w); i++) { joint_sweep(&JOINT_LINK(w)[i], w, beta, s); }
}

// Squares of the natural map and of the velocities of all rows, and of those where the map is not zero: an open contact
// or a limit that is far away moves fast, but its velocity does not enter the residual, nor does its rounding.
typedef struct natural_sum {
    real map, size, held;
} natural_sum;

static void natural_add(natural_sum *s, real map2, real u2)
{
    s->map += map2;
    s->size += u2;
    s->held += map2 > R(0.0) ? u2 : R(0.0);
}

// The velocities of the bodies of a joint: the rows of a robot in free fall are only the rounding of these.
static void natural_speed(const tac_joint_block *k, natural_sum *s)
{
    s->size += k->speed * k->speed;
    s->held += k->speed * k->speed;
}

// An interval at this rate of its coordinate.
static inline void natural_interval(const tac_joint_block *k, int interval, real g, real rate, natural_sum *s)
{
    const tac_interval *x = &k->interval[interval];
    const real u = rate + x->bias;
    const real map = interval_natural(x, g, u, k->w[JOINT_LAST]);
    natural_add(s, map * map, u * u);
}

// Adds the joints.
static void joints_natural(const tac_work *w, natural_sum *s)
{
    for (uint32_t i = 0; i < PROGRAM_JOINTS(w); i++) {
        const tac_joint_block *k = &JOINT_LINK(w)[i];
        const real *g = &w->scratch.solve.g[k->first];
        natural_speed(k, s);
        for (int row = 0; row < TAC_JOINT_ROWS; row++) {
            if (!(k->constraints >> row & 1)) { continue; }
            const real u = joint_rate(k, w->delta_v, row) + k->bias[row];
            const real map = (u + k->soft[row] * g[row]) * (k->w[row] / (k->w[row] + k->soft[row]));
            natural_add(s, map * map, k->soft[row] > R(0.0) ? map * map : u * u);
        }
        for (int b = 0; b < TAC_EFFORTS; b++) {
            const real rate = joint_rate(k, w->delta_v, JOINT_LAST);
            if (k->interval[b].used) { natural_interval(k, b, g[TAC_JOINT_ROWS + b], rate, s); }
        }
    }
}

// Squares of the impulses, in units of velocity; where joints are eliminated those along coordinates alone.
static real joints_size(const tac_work *w)
{
    const int first = joints_eliminated(&w->progress) ? JOINT_LAST : 0;
    real sum = R(0.0);
    for (uint32_t i = 0; i < PROGRAM_JOINTS(w); i++) {
        const tac_joint_block *k = &JOINT_LINK(w)[i];
        for (int row = first; row < TAC_JOINT_ROWS; row++) {
            const real v = k->w[row] * joint_impulse(w, k, row);
            sum += v * v;
        }
    }
    return sum;
}

// The best iterate again, with the delta_v that belongs to it.
static void joints_restore_best(tac_work *w)
{
    for (uint32_t i = 0; i < PROGRAM_JOINTS(w); i++) {
        const tac_joint_block *k = &JOINT_LINK(w)[i];
        const real *g = &w->scratch.solve.g[k->first], *best = &w->scratch.solve.best[k->first];
        for (int row = 0; row < TAC_LINK_ROWS; row++) {
            const real change = best[row] - g[row];
            const int along = row < TAC_JOINT_ROWS ? row : JOINT_LAST;
            if (change != R(0.0)) { joint_apply_row(k, along, change, w->moving, w->delta_v); }
        }
    }
}

#endif
