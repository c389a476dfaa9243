// SPDX-License-Identifier: MIT
// solve.h - the cone program from its first impulses to its certificate: start, sweep, finish.
//   given   contacts, blocks, free velocities, warm impulses
//   makes   impulses in their cones, v+ = v~ + M^-1 D g, residual, modes
//   bound   options.max_sweeps sweeps in all
//   never   keeps a worse answer than the best it has seen
#ifndef SOLVE_SOLVE_H
#define SOLVE_SOLVE_H

#include "accelerated.h"

#define SOLVE_ROUNDING REAL_EPSILON // of |p|: what a sweep moves below this is rounding

// Natural map of one contact in velocity units, d (g - P_K(g - u~/d)): zero where g solves its block.
static real solve_natural2(const tac_contact *c, const tac_block *k, vec3 g, vec3 u)
{
    const real weight = plain_weight(k);
    const vec3 next = cone_project(v3_madd(g, R(-1.0) / weight, u), c->mu, R(1.0), R(1.0));
    const vec3 map = v3_scale(weight, v3_sub(g, next));
    return v3_dot(map, map);
}

// Scales of the problem at g = 0, then v = v~ + M^-1 D g for the warm impulses.
static void solve_start(const tac_model *m, tac_work *w)
{
    tac_progress *p = &w->progress;
    bytes_clear(p, sizeof *p);
    p->friction = m->options.friction;
    p->momentum = R(1.0);
    p->least = REAL_LARGEST;
    for (uint16_t i = 0; i < w->report.contacts; i++) {
        const tac_contact *c = &w->contact[i];
        const tac_block *k = &w->scratch.block[i];
        const vec3 u = rows_velocity(c, k, w->moving);
        p->scale += v3_dot(u, u);
        p->start += solve_natural2(c, k, V3_ZERO, cone_velocity(u, c->mu, p->friction == TAC_FRICTION_EXACT));
    }
    p->scale = real_sqrt(p->scale);
    p->start = real_sqrt(p->start);
    for (uint16_t i = 0; i < w->report.contacts; i++) {
        const vec3 g = w->contact[i].impulse;
        rows_apply(&w->contact[i], &w->scratch.block[i], g, w->moving);
        w->scratch.block[i].previous = w->scratch.block[i].best = g;
    }
    for (uint16_t i = 1; i < m->bodies; i++) { w->moving[i].previous = w->moving[i].gain; }
    p->converged = w->report.contacts == 0;
}

static void solve_keep_best(tac_work *w)
{
    for (uint16_t i = 0; i < w->report.contacts; i++) { w->scratch.block[i].best = w->contact[i].impulse; }
    w->progress.least = w->progress.moved;
}

static void solve_restore_best(tac_work *w)
{
    for (uint16_t i = 0; i < w->report.contacts; i++) {
        tac_contact *c = &w->contact[i];
        rows_apply(c, &w->scratch.block[i], v3_sub(w->scratch.block[i].best, c->impulse), w->moving);
        c->impulse = w->scratch.block[i].best;
    }
    w->progress.moved = w->progress.least;
}

// The exact law is not the minimum of anything and may wander: when half of the sweeps have brought nothing better than
// no impulses at all, the rest goes to the relaxed law, from the best iterate on.
static void solve_fall_back(const tac_model *m, tac_work *w)
{
    tac_progress *p = &w->progress;
    solve_restore_best(w);
    for (uint16_t i = 0; i < w->report.contacts; i++) { w->scratch.block[i].previous = w->contact[i].impulse; }
    for (uint16_t i = 1; i < m->bodies; i++) { w->moving[i].previous = w->moving[i].gain; }
    p->friction = TAC_FRICTION_RELAXED;
    p->fell_back = 1;
    p->least = REAL_LARGEST;
    p->momentum = R(1.0);
    p->beta = R(0.0);
}

static void solve_sweep(const tac_model *m, tac_work *w)
{
    tac_progress *p = &w->progress;
    const int exact = p->friction == TAC_FRICTION_EXACT, accelerated = m->options.solver == TAC_SOLVER_ACCELERATED;
    p->moved = accelerated ? accelerated_sweep(m, w, exact) : plain_sweep(w, &m->options, exact);
    p->sweeps++;

    if (p->moved < p->least) { solve_keep_best(w); }
    p->converged = p->moved <= model_tolerance(m) * p->start + SOLVE_ROUNDING * p->scale;
    if (exact && p->sweeps == m->options.max_sweeps / 2 && p->least > p->start) { solve_fall_back(m, w); }
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
    const int exact = p->friction == TAC_FRICTION_EXACT;
    if (p->least < p->moved) { solve_restore_best(w); }
    real residual = R(0.0);
    for (uint16_t i = 0; i < w->report.contacts; i++) {
        tac_contact *c = &w->contact[i];
        const tac_block *k = &w->scratch.block[i];
        const vec3 u = rows_velocity(c, k, w->moving);
        c->velocity = v3(u.x - k->target, u.y, u.z);
        residual += solve_natural2(c, k, c->impulse, cone_velocity(u, c->mu, exact));
        c->mode = solve_mode(c);
    }
    w->report.residual = p->scale > R(0.0) ? real_sqrt(residual) / p->scale : R(0.0);
    w->report.sweeps = p->sweeps;
    w->report.friction = p->friction;
}

#endif
