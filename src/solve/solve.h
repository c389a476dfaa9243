// SPDX-License-Identifier: MIT
// solve.h - the cone program from its first impulses to its certificate: start, sweep, finish.
//   given   contacts, blocks, free velocities, warm impulses
//   makes   impulses in their cones, v+ = v~ + M^-1 D g, residual, modes
//   bound   options.max_sweeps sweeps in all
//   never   keeps a worse answer than the best it has seen
#ifndef SOLVE_SOLVE_H
#define SOLVE_SOLVE_H

#include "direct.h"

#define SOLVE_ROUNDING REAL_EPSILON // of |p|: what a sweep moves below this is rounding

// Natural map of all contacts in velocity units, | d (g - P_K(g - u~/d)) |: zero where each g solves its block. `size`
// is |u|.
static real solve_natural(const tac_work *w, real *size)
{
    real map2 = R(0.0), size2 = R(0.0);
    const tac_block *k = w->scratch.block;
    for (const tac_contact *c = w->contact; c < w->contact + w->report.contacts; c++, k++) {
        const real weight = plain_weight(k);
        const vec3 u = rows_velocity(c, k, w->gain), g = c->impulse;
        const vec3 aim = cone_velocity(u, c->mu, w->progress.friction == TAC_FRICTION_EXACT);
        const vec3 next = cone_project(v3_madd(g, R(-1.0) / weight, aim), c->mu, R(1.0), R(1.0));
        const vec3 map = v3_scale(weight, v3_sub(g, next));
        map2 += v3_dot(map, map);
        size2 += v3_dot(u, u);
    }
    *size = real_sqrt(size2);
    return real_sqrt(map2);
}

static void solve_keep_best(tac_work *w)
{
    tac_block *k = w->scratch.block;
    for (const tac_contact *c = w->contact; c < w->contact + w->report.contacts; c++, k++) { k->best = c->impulse; }
    w->progress.least = w->progress.moved;
}

static void solve_restore_best(tac_work *w)
{
    tac_block *k = w->scratch.block;
    for (tac_contact *c = w->contact; c < w->contact + w->report.contacts; c++, k++) {
        rows_apply(c, k, v3_sub(k->best, c->impulse), w->moving, w->gain);
        c->impulse = k->best;
    }
    w->progress.moved = w->progress.least;
}

// From the best iterate on, without momentum and under this law.
static void solve_from_best(const tac_model *m, tac_work *w, uint8_t friction)
{
    tac_progress *p = &w->progress;
    solve_restore_best(w);
    tac_block *k = w->scratch.block;
    for (uint16_t i = 0; i < w->report.contacts; i++, k++) { k->previous = k->best; }
    bytes_copy(w->previous, w->gain, m->bodies * sizeof *w->gain);
    p->friction = friction;
    p->least = REAL_LARGEST;
    p->momentum = R(1.0);
    p->beta = R(0.0);
}

#ifndef ENOUGH
#define ENOUGH R(0.0625)
#endif
#ifndef IDLE
#define IDLE 4
#endif
#ifndef GIVE
#define GIVE 12
#endif
#ifndef STALL
#define STALL R(4.0)
#endif
static real solve_enough(const tac_model *m, const tac_work *w)
{
    const tac_progress *p = &w->progress;
    const real enough = model_tolerance(m) * p->start + SOLVE_ROUNDING * p->scale;
#if TAC_MAX_FILL > 0
    if (p->solver == TAC_SOLVER_DIRECT) { return enough + ENOUGH * direct_rounding(w); }
#endif
    return enough;
}

// Without room for the factor, or when it has brought nothing, the accelerated sweeps do what they can.
static void solve_by_sweeps(tac_work *w)
{
    tac_block *k = w->scratch.block;
    for (uint16_t i = 0; i < w->report.contacts; i++, k++) { rows_sweep(k); }
    w->progress.solver = TAC_SOLVER_ACCELERATED;
    w->progress.swept = 1;
}

static void solve_direct(const tac_model *m, tac_work *w)
{
#if TAC_MAX_FILL > 0
    if (!direct_begin(m, w)) { solve_by_sweeps(w); }
#endif
}

// Scales of the problem at g = 0; then the warm impulses, the best that is known so far.
static void solve_start(const tac_model *m, tac_work *w)
{
    tac_progress *p = &w->progress;
    bytes_clear(p, sizeof *p);
    p->friction = m->options.friction;
    p->solver = m->options.solver;
    p->start = solve_natural(w, &p->scale);
    p->converged = w->report.contacts == 0;
    if (p->solver == TAC_SOLVER_DIRECT && !p->converged) { solve_direct(m, w); }
    solve_from_best(m, w, p->friction);
    if (p->solver == TAC_SOLVER_DIRECT) {
        real size;
        p->least = p->moved = solve_natural(w, &size);
        p->converged = p->moved <= solve_enough(m, w);
        p->halved = p->least;
        direct_enter(w);
    }
}

// One sweep of the solver in force. Returns what it moved; the direct solver, what is left to move.
static real solve_turn(const tac_model *m, tac_work *w, int exact)
{
#if TAC_MAX_FILL > 0
    if (w->progress.solver == TAC_SOLVER_DIRECT) {
        real size;
        direct_sweep(m, w, exact);
        return solve_natural(w, &size);
    }
#endif
    const int plain = w->progress.solver == TAC_SOLVER_PLAIN;
    return plain ? plain_sweep(w, &m->options, exact) : accelerated_sweep(m, w, exact);
}

#if TAC_MAX_FILL > 0
static void solve_watch(const tac_model *m, tac_work *w)
{
    tac_progress *p = &w->progress;
    p->idle++;
    if (p->least <= R(0.5) * p->halved) {
        p->halved = p->least;
        p->idle = 0;
    }
    if (p->idle >= IDLE && p->least <= STALL * direct_rounding(w)) { p->converged = 1; }
    if (p->idle >= GIVE && p->least > R(0.01) * p->start && p->least > STALL * direct_rounding(w)) {
        solve_by_sweeps(w);
        solve_from_best(m, w, p->friction);
    }
}
#endif

static void solve_sweep(const tac_model *m, tac_work *w)
{
    tac_progress *p = &w->progress;
    const int exact = p->friction == TAC_FRICTION_EXACT;
    p->moved = solve_turn(m, w, exact);
    p->sweeps++;

    if (p->moved < p->least) { solve_keep_best(w); }
    p->converged = p->moved <= solve_enough(m, w);
#if TAC_MAX_FILL > 0
    if (p->solver == TAC_SOLVER_DIRECT) { solve_watch(m, w); }
#endif

    // The exact law is not the minimum of anything and may wander: when half of the sweeps have brought nothing better
    // than no impulses at all, the rest goes to the relaxed law.
    if (exact && p->sweeps == m->options.max_sweeps / 2 && p->least > p->start) {
        solve_from_best(m, w, TAC_FRICTION_RELAXED);
        p->fell_back = 1;
    }
}

// At most so many more sweeps; stops early when converged.
static void solve_sweeps(const tac_model *m, tac_work *w, uint32_t sweeps)
{
    for (uint32_t i = 0; i < sweeps && !w->progress.converged && w->progress.sweeps < m->options.max_sweeps; i++) {
        solve_sweep(m, w);
    }
}

static uint8_t solve_mode(const tac_contact *c)
{
    const vec3 g = c->impulse;
    if (!(g.x > R(0.0))) { return TAC_OPEN; }
    const real limit = c->mu * g.x * (R(1.0) - R(8.0) * REAL_EPSILON);
    return g.y * g.y + g.z * g.z < limit * limit ? TAC_STICK : TAC_SLIDE;
}

// The best iterate, its residual resS, and what the contacts show to the user.
static void solve_finish(tac_work *w)
{
    tac_progress *p = &w->progress;
    if (p->least < p->moved) { solve_restore_best(w); }
    real size;
    const real residual = solve_natural(w, &size);
    const tac_block *k = w->scratch.block;
    for (tac_contact *c = w->contact; c < w->contact + w->report.contacts; c++, k++) {
        c->velocity = rows_velocity(c, k, w->gain);
        c->velocity.x -= k->target;
        c->mode = solve_mode(c);
    }
    w->report.residual = p->scale > R(0.0) ? residual / p->scale : R(0.0);
    w->report.sweeps = p->sweeps;
    w->report.friction = p->friction;
}

#endif
