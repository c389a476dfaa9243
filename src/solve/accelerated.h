// SPDX-License-Identifier: MIT
// accelerated.h - the default sweep: each contact nearly solved by itself, Nesterov momentum over the sweeps.
//   given   blocks, impulses x_k of the last sweep and x_k-1 of the one before, the velocities of both
//   makes   x_k+1 = sweep(y),  y = x_k + beta (x_k - x_k-1),  and the next beta
//   bound   ACCELERATED_INNER projected steps a contact; a leap two visits, once in ACCELERATED_ALIKE sweeps
//   never   leaves an impulse outside its cone: y is only where the sweep starts from
#ifndef SOLVE_ACCELERATED_H
#define SOLVE_ACCELERATED_H

#include "plain.h"

#define ACCELERATED_INNER 4      // projected steps where the contact neither sticks nor opens
#define ACCELERATED_ALIKE 8      // sweeps in a row that move the same,
#define ACCELERATED_SAME R(0.01) // but for this part, are a drift
#define ACCELERATED_NULL R(1e-3) // of the energy that impulses alone would make: what a drift makes is less
#define ACCELERATED_FAR R(2.0)   // times the impulses: no leap is longer

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

// The visit of accelerated_sweep() to six rows.
static real accelerated_resisting(tac_work *w, const tac_contact *c, const tac_block *k, int exact, real *turn)
{
    real *g = &w->scratch.solve.g[k->first], *kept = &w->scratch.solve.last[k->first];
    const rows6 last = rows6_of(g), y = rows6_madd(last, w->progress.beta, rows6_sub(last, rows6_of(kept)));
    const rows6 next = local_solve(k, c->mu, y, resist_velocity(c, k, w->gain), exact), change = rows6_sub(next, y);
    const rows6 moved = resist_moved(k, change);
    rows6_put(g, next);
    rows6_put(kept, last);
    resist_apply(c, k, change, w->moving, w->gain);
    *turn -= ROLLING_BLOCK(k)->weight * rows6_dot(change, rows6_sub(next, last));
    return rows6_dot(moved, moved);
}

// Three rows from y to `next`. Returns the change.
static inline vec3 accelerated_take(tac_work *w, const tac_block *k, vec3 y, vec3 next, joint_progress *sum)
{
    const vec3 last = v3_of(&w->scratch.solve.g[k->first]), change = v3_sub(next, y);
    const real weight = plain_weight(k);
    sum->moved += weight * weight * v3_dot(change, change);
    sum->turn -= weight * v3_dot(change, v3_sub(next, last));
    iterate_next(w, k->first, next);
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

// ---------------------------------------------------------------------------------------------------------------- leap

// Where contacts share a force in more than one way (four feet of one body) N is singular, and gaps that do not quite
// fit such a body ask for a velocity, however small, that no impulses of the others can undo: the solution lies where
// one of them opens. Sweeps go there at a constant pace, by that velocity over d each time, and may need millions. They
// are taken there at once: on along the last change, to where the first contact opens or the first bound is met.
// Nothing is kept of it unless the sweeps that follow move less than all before.
typedef struct accelerated_drift {
    real energy, alone; // of the last change d: d'N d, and sum of d_i |d|^2 as if each contact were alone
    real size;          // the same sum of the impulses
    real most;          // how often it may be repeated
} accelerated_drift;

// Counts the sweeps that move as much as the one before.
static inline void accelerated_count(tac_progress *p, real moved)
{
    const int alike = real_abs(moved - p->pace) <= ACCELERATED_SAME * p->pace;
    p->alike = alike ? (uint8_t)(p->alike + 1) : 0;
    p->pace = moved;
}

// Should the next sweep begin with a leap?
static inline int accelerated_drifts(tac_progress *p)
{
    if (p->alike < ACCELERATED_ALIKE) { return 0; }
    p->alike = 0;
    return 1;
}

static inline void accelerated_bound(accelerated_drift *s, real impulse, real bound, real change)
{
    const real room = (bound - impulse) / change;
    if (room >= R(0.0)) { s->most = real_min(s->most, room); }
}

// Three rows: their last change, and the velocity that all changes have made there.
static inline void accelerated_look(accelerated_drift *s, const tac_work *w, const tac_block *k, vec3 made)
{
    const vec3 g = v3_of(&w->scratch.solve.g[k->first]), d = v3_sub(g, v3_of(&w->scratch.solve.last[k->first]));
    s->energy += v3_dot(made, d);
    s->alone += plain_weight(k) * v3_dot(d, d);
    s->size += plain_weight(k) * v3_dot(g, g);
    if (d.x < R(0.0)) { accelerated_bound(s, g.x, R(0.0), d.x); }
}

// Not beyond the impulses that there are: what presses two contacts against each other has no end.
static inline int accelerated_leaps(const accelerated_drift *s)
{
    return s->energy <= ACCELERATED_NULL * s->alone && s->most < REAL_LARGEST &&
           s->most * real_sqrt(s->alone) <= ACCELERATED_FAR * real_sqrt(s->size);
}

// Where the contact is after the leap; its rows go on from there without momentum.
static inline vec3 accelerated_land(tac_work *w, const tac_contact *c, const tac_block *k, real most)
{
    real *g = &w->scratch.solve.g[k->first], *kept = &w->scratch.solve.last[k->first];
    const vec3 last = v3_of(g), d = v3_sub(last, v3_of(kept));
    const vec3 next = cone_project(v3_madd(last, most, d), c->mu, R(1.0), R(1.0));
    v3_put(g, next);
    v3_put(kept, next);
    return v3_sub(next, last);
}

static inline void accelerated_rest(tac_progress *p)
{
    p->momentum = R(1.0);
    p->beta = R(0.0);
}

static void accelerated_look_resisting(accelerated_drift *s, const tac_work *w, const tac_block *k, rows6 made)
{
    const rows6 g = resist_impulse(w, k), d = rows6_sub(g, rows6_of(&w->scratch.solve.last[k->first]));
    s->energy += rows6_dot(made, d);
    s->alone += rows6_dot(resist_moved(k, d), d);
    s->size += rows6_dot(resist_moved(k, g), g);
    if (d.f.x < R(0.0)) { accelerated_bound(s, g.f.x, R(0.0), d.f.x); }
}

static void accelerated_land_resisting(tac_work *w, const tac_contact *c, const tac_block *k, real most)
{
    real *g = &w->scratch.solve.g[k->first], *kept = &w->scratch.solve.last[k->first];
    const rows6 last = rows6_of(g), way = rows6_sub(last, rows6_of(kept));
    const rows6 next = resist_project(rows6_madd(last, most, way), c->mu);
    rows6_put(g, next);
    rows6_put(kept, next);
    resist_apply(c, k, rows6_sub(next, last), w->moving, w->gain);
}

// Not where joints are swept row by row, nor where bodies lean on each other: there what looks like a drift is the slow
// way of a load through a pile, and a leap makes ten cubes lean.
static void accelerated_leap(const tac_model *m, tac_work *w)
{
    accelerated_drift s = {R(0.0), R(0.0), R(0.0), REAL_LARGEST};
    const tac_block *k = w->scratch.solve.block;
    if (JOINT_COUNT(m) > 0) { return; }
    for (const tac_contact *c = w->contact; c < w->contact + w->report.contacts; c++, k++) {
        if (w->moving[c->body_a].inv_mass > R(0.0) && w->moving[c->body_b].inv_mass > R(0.0)) { return; }
        if (resists(c)) {
            const rows6 now = resist_relative(c, k, w->gain);
            accelerated_look_resisting(&s, w, k, rows6_sub(now, resist_relative(c, k, w->previous)));
            continue;
        }
        accelerated_look(&s, w, k, v3_sub(rows_relative(c, k, w->gain), rows_relative(c, k, w->previous)));
    }
    if (!accelerated_leaps(&s)) { return; }
    k = w->scratch.solve.block;
    for (const tac_contact *c = w->contact; c < w->contact + w->report.contacts; c++, k++) {
        if (resists(c)) {
            accelerated_land_resisting(w, c, k, s.most);
            continue;
        }
        rows_apply(c, k, accelerated_land(w, c, k, s.most), w->moving, w->gain);
    }
    bytes_copy(w->previous, w->gain, m->bodies * sizeof *w->gain);
    accelerated_rest(&w->progress);
}

// --------------------------------------------------------------------------------------------------------------- sweep

// Returns what it moved, |d (x_k+1 - y)| over all contacts (m/s).
static real accelerated_sweep(const tac_model *m, tac_work *w, int exact)
{
    tac_progress *p = &w->progress;
    joint_progress sum = {R(0.0), R(0.0)};
    if (accelerated_drifts(p)) { accelerated_leap(m, w); }
    accelerated_extrapolate((real *)&w->gain[1], (real *)&w->previous[1], m->bodies * 6u - 6u, p->beta);
    joints_sweep(m, w, p->beta, &sum);
    const tac_block *k = w->scratch.solve.block;
    for (const tac_contact *c = w->contact; c < w->contact + w->report.contacts; c++, k++) {
        if (resists(c)) {
            sum.moved += accelerated_resisting(w, c, k, exact, &sum.turn);
            continue;
        }
        const vec3 y = iterate_ahead(w, k->first, p->beta), u = rows_velocity(c, k, w->gain);
        if (accelerated_open(y, u, exact)) {
            iterate_next(w, k->first, y);
            continue;
        }
        const vec3 next = accelerated_local(k, c->mu, y, u, exact);
        rows_apply(c, k, accelerated_take(w, k, y, next, &sum), w->moving, w->gain);
    }
    accelerated_momentum(p, sum.turn);
    accelerated_count(p, real_sqrt(sum.moved));
    return p->pace;
}

#endif
