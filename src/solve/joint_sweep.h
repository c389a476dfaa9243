// SPDX-License-Identifier: MIT
// joint_sweep.h - joints in the sweeps: one row after the other, as the papers have it; their share of the certificate.
//   given   link[], gain
//   makes   better impulses of joints and their gain; natural map
//   bound   constant a joint and sweep
//   never   holds a chain well: the direct solver eliminates joints, sweeps pass a load on by one joint at a time
#ifndef SOLVE_JOINT_SWEEP_H
#define SOLVE_JOINT_SWEEP_H

#include "../rows/joints.h"

// The impulse at which a box and the velocity that it makes agree, the others held: u belongs to g, and
// P(centre - weight u) is its law if it is soft.
static real joint_box_local(const tac_box *x, real g, real u, real w)
{
    const real next = x->hard ? g - u / w : (x->centre - x->weight * (u - w * g)) / (R(1.0) + x->weight * w);
    return real_clamp(next, x->lo, x->hi);
}

// Natural map of a box, m/s.
static real joint_box_natural(const tac_box *x, real g, real u, real w)
{
    const real aim = x->hard ? g - u / w : x->centre - x->weight * u;
    return (g - real_clamp(aim, x->lo, x->hi)) * (x->hard ? w : w / (R(1.0) + x->weight * w));
}

// What a sweep has done so far, as in accelerated_sweep().
typedef struct joint_progress {
    real moved, turn;
} joint_progress;

// One impulse from y = x + beta (x - x_last) to `next`. Returns the change.
static real joint_take(real weight, real *impulse, real *previous, real y, real next, joint_progress *p)
{
    const real change = next - y;
    p->moved += weight * weight * change * change;
    p->turn -= weight * change * (next - *impulse);
    *previous = *impulse;
    *impulse = next;
    return change;
}

// The visit to a box at u, which belongs to y. Returns the change.
static real joint_box_visit(const tac_box *x, real *g, real *last, real y, real u, real w, joint_progress *p)
{
    return joint_take(w, g, last, y, joint_box_local(x, y, u, w), p);
}

static void joint_sweep(const tac_joint *j, const tac_joint_block *k, tac_work *w, real beta, joint_progress *p)
{
    real *impulse = &w->scratch.solve.g[k->first], *previous = &w->scratch.solve.last[k->first];
    for (int row = 0; row < TAC_JOINT_ROWS; row++) {
        if (!(k->constraints >> row & 1)) { continue; }
        real *g = &impulse[row], *last = &previous[row];
        const real y = *g + beta * (*g - *last), u = joint_rate(j, k, w->gain, row) + k->bias[row];
        const real next = y - (u + k->soft[row] * y) / (k->w[row] + k->soft[row]);
        joint_apply_row(j, k, row, joint_take(k->w[row], g, last, y, next, p), w->moving, w->gain);
    }
    for (int i = 0; i < TAC_BOXES; i++) {
        const tac_box *x = &k->box[i];
        if (!x->used) { continue; }
        real *g = &impulse[TAC_JOINT_ROWS + i], *last = &previous[TAC_JOINT_ROWS + i];
        const real y = *g + beta * (*g - *last);
        const real u = joint_rate(j, k, w->gain, JOINT_LAST) + x->bias;
        joint_apply_row(j, k, JOINT_LAST, joint_box_visit(x, g, last, y, u, k->w[JOINT_LAST], p), w->moving, w->gain);
    }
}

static void joints_sweep(const tac_model *m, tac_work *w, real beta, joint_progress *p)
{
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) { joint_sweep(&JOINT_OF(m)[i], &JOINT_LINK(w)[i], w, beta, p); }
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

// Adds the joints, and the velocities of their bodies: where a robot falls freely its rows are but the rounding of
// these.
static void joints_natural(const tac_model *m, const tac_work *w, natural_sum *s)
{
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
        const tac_joint *j = &JOINT_OF(m)[i];
        const tac_joint_block *k = &JOINT_LINK(w)[i];
        const real *g = &w->scratch.solve.g[k->first];
        s->size += k->speed * k->speed;
        s->held += k->speed * k->speed;
        for (int row = 0; row < TAC_JOINT_ROWS; row++) {
            if (!(k->constraints >> row & 1)) { continue; }
            const real u = joint_rate(j, k, w->gain, row) + k->bias[row];
            const real map = (u + k->soft[row] * g[row]) * (k->w[row] / (k->w[row] + k->soft[row]));
            natural_add(s, map * map, k->soft[row] > R(0.0) ? map * map : u * u);
        }
        for (int b = 0; b < TAC_BOXES; b++) {
            const tac_box *x = &k->box[b];
            if (!x->used) { continue; }
            const real u = joint_rate(j, k, w->gain, JOINT_LAST) + x->bias;
            const real map = joint_box_natural(x, g[TAC_JOINT_ROWS + b], u, k->w[JOINT_LAST]);
            natural_add(s, map * map, u * u);
        }
    }
}

// Squares of the impulses, in units of velocity.
static real joints_size(const tac_model *m, const tac_work *w)
{
    real sum = R(0.0);
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
        const tac_joint_block *k = &JOINT_LINK(w)[i];
        for (int row = 0; row < TAC_JOINT_ROWS; row++) {
            const real v = k->w[row] * joint_impulse(w, k, row);
            sum += v * v;
        }
    }
    return sum;
}

// The best iterate again, with the gain that belongs to it.
static void joints_restore_best(const tac_model *m, tac_work *w)
{
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
        const tac_joint *j = &JOINT_OF(m)[i];
        const tac_joint_block *k = &JOINT_LINK(w)[i];
        const real *g = &w->scratch.solve.g[k->first], *best = &w->scratch.solve.best[k->first];
        for (int row = 0; row < TAC_LINK_ROWS; row++) {
            const real change = best[row] - g[row];
            const int along = row < TAC_JOINT_ROWS ? row : JOINT_LAST;
            if (change != R(0.0)) { joint_apply_row(j, k, along, change, w->moving, w->gain); }
        }
    }
}

#endif
