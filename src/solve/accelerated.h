// SPDX-License-Identifier: MIT
// accelerated.h - the default sweep: each contact nearly solved by itself, Nesterov momentum over the sweeps.
//   given   blocks, impulses x_k of the last sweep and x_k-1 of the one before, the velocities of both
//   makes   x_k+1 = sweep(y),  y = x_k + beta (x_k - x_k-1),  and the next beta
//   bound   ACCELERATED_INNER projected steps a contact
//   never   leaves an impulse outside its cone: y is only where the sweep starts from
#ifndef SOLVE_ACCELERATED_H
#define SOLVE_ACCELERATED_H

#include "plain.h"

#define ACCELERATED_INNER 4 // projected steps where the contact neither sticks nor opens

// One contact alone, the others held: u = (N g + p)_i belongs to g. Sticking, g - W^-1 u, is tried first; else a few
// projected steps in the scaled metric follow the local velocity u + W (x - g).
static inline vec3 accelerated_local(const tac_block *k, real mu, vec3 g, vec3 u, int exact)
{
    vec3 x = v3_sub(g, sym3_mul(&k->own.sweep.inv_w, u));
    if (cone_contains(x, mu)) { return x; }

    x = g;
    for (int step = 0; step < ACCELERATED_INNER; step++) {
        const vec3 aim = cone_velocity(u, mu, exact);
        const vec3 next = cone_project(
            v3(x.x - k->own.sweep.step_n * aim.x, x.y - k->own.sweep.step_t * aim.y, x.z - k->own.sweep.step_t * aim.z),
            mu, k->own.sweep.step_n, k->own.sweep.step_t);
        const vec3 change = v3_sub(next, x);
        x = next;
        if (change.x == R(0.0) && change.y == R(0.0) && change.z == R(0.0)) { break; }
        u = v3_add(u, sym3_mul(&k->w, change));
    }
    return x;
}

// Nothing presses, and nothing will: a contact that is open and stays so.
static inline int accelerated_open(vec3 g, vec3 u, int exact)
{
    return exact && u.x >= R(0.0) && g.x == R(0.0) && g.y == R(0.0) && g.z == R(0.0);
}

#if TAC_ROLLING

// The visit of accelerated_sweep() to six rows.
static real accelerated_resisting(tac_work *w, tac_contact *c, tac_block *k, int exact, real *turn)
{
    const rows6 last = resist_impulse(c, k), previous = {k->previous, k->resist.previous};
    const rows6 y = rows6_madd(last, w->progress.beta, rows6_sub(last, previous));
    const rows6 next = local_solve(k, c->mu, y, resist_velocity(c, k, w->gain), exact), change = rows6_sub(next, y);
    const rows6 moved = resist_moved(k, change);
    resist_set(c, k, next);
    resist_apply(c, k, change, w->moving, w->gain);
    k->previous = last.f;
    k->resist.previous = last.t;
    *turn -= k->resist.weight * rows6_dot(change, rows6_sub(next, last));
    return rows6_dot(moved, moved);
}

#endif

// Three rows from y to `next`. Returns the change.
static inline vec3 accelerated_take(tac_contact *c, tac_block *k, vec3 y, vec3 next, joint_progress *sum)
{
    const vec3 last = c->impulse, change = v3_sub(next, y);
    const real weight = plain_weight(k);
    sum->moved += weight * weight * v3_dot(change, change);
    sum->turn -= weight * v3_dot(change, v3_sub(next, last));
    k->previous = last;
    c->impulse = next;
    return change;
}

// Velocities are linear in the impulses, so they extrapolate alike.
static inline void accelerated_extrapolate(real *x, real *last, uint32_t count, real beta)
{
    for (uint32_t i = 0; i < count; i++) {
        const real now = x[i];
        x[i] = now + beta * (now - last[i]);
        last[i] = now;
    }
}

// Nesterov's sequence. The momentum restarts when the step that the sweep took from y turns against the one it
// extrapolates, (y - x_k+1) . (x_k+1 - x_k) > 0.
static inline void accelerated_momentum(tac_progress *p, real turn)
{
    const real t = p->momentum;
    p->momentum = R(1.0);
    p->beta = R(0.0);
    if (!(turn > R(0.0))) {
        p->momentum = R(0.5) * (R(1.0) + real_sqrt(R(1.0) + R(4.0) * t * t));
        p->beta = (t - R(1.0)) / p->momentum;
    }
}

// Returns what it moved, |d (x_k+1 - y)| over all contacts (m/s).
static real accelerated_sweep(const tac_model *m, tac_work *w, int exact)
{
    tac_progress *p = &w->progress;
    joint_progress sum = {R(0.0), R(0.0)};
    accelerated_extrapolate((real *)&w->gain[1], (real *)&w->previous[1], m->bodies * 6u - 6u, p->beta);
    joints_sweep(m, w, p->beta, &sum);
    tac_block *k = w->scratch.block;
    for (tac_contact *c = w->contact; c < w->contact + w->report.contacts; c++, k++) {
#if TAC_ROLLING
        if (resists(c)) {
            sum.moved += accelerated_resisting(w, c, k, exact, &sum.turn);
            continue;
        }
#endif
        const vec3 y = v3_madd(c->impulse, p->beta, v3_sub(c->impulse, k->previous));
        const vec3 u = rows_velocity(c, k, w->gain);
        if (accelerated_open(y, u, exact)) {
            k->previous = c->impulse;
            c->impulse = y;
            continue;
        }
        const vec3 next = accelerated_local(k, c->mu, y, u, exact);
        rows_apply(c, k, accelerated_take(c, k, y, next, &sum), w->moving, w->gain);
    }
    accelerated_momentum(p, sum.turn);
    return real_sqrt(sum.moved);
}

#endif
