// SPDX-License-Identifier: MIT
// problem_sweep.h - projected fixed-point methods: Jacobi, SOR, symmetric SOR; accelerated block Gauss-Seidel, the
// default.
//   given   a problem, impulses in their sets
//   makes   better impulses in their sets
//   bound   the budget of passes, one a sweep; LOCAL_PROBLEM_STEPS projected steps a block
//   never   forms velocities between sweeps: a block's are summed when it is visited
#ifndef PROBLEM_PROBLEM_SWEEP_H
#define PROBLEM_PROBLEM_SWEEP_H

#include "../sets/local.h"
#include "entries.h"
#include "../engine/iterates.h"
#include "certificate.h"

#if TAC_SOLVE

#define SWEEP_WANDERS R(1e3) // times the least measure: sweeps return to the best iterate

// Is the budget spent, or the problem solved? The measure of a sweep is its change; when that is small enough the
// residual itself is computed, in one pass, and again only when the change has halved.
static int problem_sweep_done(const tac_problem *q, tac_solve_work *w, real tolerance, real *ask)
{
    tac_solve_progress *p = &w->progress;
    w->report.iterations++;
    if (p->measure <= REAL_EPSILON) {
        p->stuck = 1;
        return 1;
    }
    if (tolerance > R(0.0) && p->measure <= *ask) {
        *ask = R(0.5) * p->measure;
        entries_velocity(q, w, w->g, w->u);
        if (certificate_residual(q, w, w->g, w->u) <= tolerance) {
            p->stuck = 1;
            return 1;
        }
    }
    return p->spent + q->values > p->budget;
}

//  g^ = P( g - omega/d (N g + p) ),   g+ = lambda g^ + (1 - lambda) g                          TCE17 [4]
// with d = trace/rows, for block i, whose velocity is u. Returns |d dg|^2.
static real problem_sweep_relax(const tac_problem *q, tac_solve_work *w, const tac_solve_options *o, uint32_t i,
                                const real *u)
{
    const tac_problem_block *k = &q->block[i];
    real *g = &w->g[w->row[i]], next[TAC_BLOCK_ROWS], moved = R(0.0);
    const real d = w->weight[i];
    set_descend(k, g, u, w->progress.exact, o->omega / d, SET_PLAIN, next);
    for (int r = 0; r < k->rows; r++) {
        const real change = o->lambda * (next[r] - g[r]);
        g[r] = o->lambda * next[r] + (R(1.0) - o->lambda) * g[r];
        moved += d * d * change * change;
    }
    return moved;
}

static void problem_sweep_block_velocity(const tac_problem *q, const tac_solve_work *w, uint32_t i, const real *g,
                                         real *u)
{
    entries_row(q, w, i, g, u);
    for (uint32_t r = 0; r < q->block[i].rows; r++) { u[r] += q->block[i].p[r]; }
}

// One sweep of Gauss-Seidel, forwards or backwards.
static real problem_sweep_plain(const tac_problem *q, tac_solve_work *w, const tac_solve_options *o, int backwards)
{
    real moved = R(0.0), u[TAC_BLOCK_ROWS];
    for (uint32_t n = 0; n < q->blocks; n++) {
        const uint32_t i = backwards ? q->blocks - 1 - n : n;
        problem_sweep_block_velocity(q, w, i, w->g, u);
        moved += problem_sweep_relax(q, w, o, i, u);
    }
    w->progress.spent += q->values;
    return certificate_relative(w, real_sqrt(moved));
}

// One sweep of Jacobi: all velocities first.
static real problem_sweep_jacobi(const tac_problem *q, tac_solve_work *w, const tac_solve_options *o)
{
    real moved = R(0.0);
    entries_velocity(q, w, w->g, w->u);
    for (uint32_t i = 0; i < q->blocks; i++) { moved += problem_sweep_relax(q, w, o, i, &w->u[w->row[i]]); }
    return certificate_relative(w, real_sqrt(moved));
}

static void problem_sweep_relaxation(const tac_problem *q, tac_solve_work *w, const tac_solve_options *o)
{
    real ask = o->tolerance;
    do {
        const int backwards = o->method == TAC_METHOD_SYMMETRIC && (w->report.iterations & 1);
        const real moved =
            o->method == TAC_METHOD_JACOBI ? problem_sweep_jacobi(q, w, o) : problem_sweep_plain(q, w, o, backwards);
        certificate_keep(q, w, w->g, moved);
    } while (!problem_sweep_done(q, w, o->tolerance, &ask));
}

// --------------------------------------------------------------------------------------------------------- accelerated

// y += scale m x, for a small square matrix
static void problem_sweep_add_product(const real *m, int n, real scale, const real *x, real *y)
{
    for (int r = 0; r < n; r++) {
        real sum = R(0.0);
        for (int c = 0; c < n; c++) { sum += m[r * n + c] * x[c]; }
        y[r] += scale * sum;
    }
}

// A contact of three rows alone: u belongs to g.
static vec3 problem_sweep_contact(const tac_problem *q, const tac_solve_work *w, uint32_t i, vec3 g, vec3 u)
{
    const real *n = &q->value[w->diagonal[i]], *m = &w->inverse[w->small[i]], *step = &w->step[w->row[i]];
    const real proximal = w->progress.proximal;
    const sym3 own = {n[0] + proximal, n[1], n[2], n[4] + proximal, n[5], n[8] + proximal};
    const sym3 inverse = {m[0], m[1], m[2], m[4], m[5], m[8]};
    return local_steps(&own, &inverse, step[0], step[1], q->block[i].mu, g, u, w->progress.exact, LOCAL_PROBLEM);
}

// A block of any set alone; with one row clamping is exact. g becomes what solves it, u is used up.
static void problem_sweep_local(const tac_problem *q, const tac_solve_work *w, uint32_t i, real *g, real *u)
{
    const tac_problem_block *k = &q->block[i];
    const int rows = k->rows;
    const real *n = &q->value[w->diagonal[i]], *step = &w->step[w->row[i]];
    real x[TAC_BLOCK_ROWS];
    for (int r = 0; r < rows; r++) { x[r] = g[r]; }
    problem_sweep_add_product(&w->inverse[w->small[i]], rows, R(-1.0), u, x);
    if (rows == 1) { set_project(k, x, SET_PLAIN); }
    if (rows == 1 || set_contains(k, x)) {
        for (int r = 0; r < rows; r++) { g[r] = x[r]; }
        return;
    }
    for (int inner = 0; inner < LOCAL_PROBLEM_STEPS; inner++) {
        int moved = 0;
        set_descend(k, g, u, w->progress.exact, R(1.0), step, x);
        for (int r = 0; r < rows; r++) { // x becomes its change
            const real change = x[r] - g[r];
            g[r] = x[r];
            x[r] = change;
            u[r] += w->progress.proximal * change;
            moved |= change != R(0.0);
        }
        if (!moved || inner + 1 == LOCAL_PROBLEM_STEPS) { break; }
        problem_sweep_add_product(n, rows, R(1.0), x, u);
    }
}

// Solves block i for itself from y, which is in g[].
static void problem_sweep_visit(const tac_problem *q, tac_solve_work *w, uint32_t i, sweep_sum *sum)
{
    const int rows = q->block[i].rows;
    const real *last = &w->previous[w->row[i]];
    real *g = &w->g[w->row[i]], u[TAC_BLOCK_ROWS], y[TAC_BLOCK_ROWS], square = R(0.0), along = R(0.0);
    problem_sweep_block_velocity(q, w, i, w->g, u);
    for (int r = 0; r < rows; r++) { y[r] = g[r]; }
    if (q->block[i].set == TAC_SET_CONE) {
        v3_put(g, problem_sweep_contact(q, w, i, v3_of(g), v3_of(u)));
    } else {
        problem_sweep_local(q, w, i, g, u);
    }
    for (int r = 0; r < rows; r++) {
        const real change = g[r] - y[r];
        square += change * change;
        along += change * (g[r] - last[r]);
    }
    iterate_add(sum, w->weight[i], square, along);
}

// x_k+1 = sweep(y); y may leave the sets, x_k+1 does not. Returns the change.
static real problem_sweep_accelerated(const tac_problem *q, tac_solve_work *w)
{
    tac_solve_progress *p = &w->progress;
    sweep_sum sum = {R(0.0), R(0.0), R(0.0)};
    iterate_extrapolate(w->g, w->previous, w->row[q->blocks], p->beta);
    for (uint32_t i = 0; i < q->blocks; i++) { problem_sweep_visit(q, w, i, &sum); }
    p->spent += q->values;
    momentum_next(&p->momentum, &p->beta, sum.turn, MOMENTUM_SECOND);
    return certificate_relative(w, real_sqrt(sum.moved));
}

// From these impulses on, without momentum.
static void problem_sweep_restart(const tac_problem *q, tac_solve_work *w, const real *g)
{
    momentum_rest(&w->progress.momentum, &w->progress.beta, MOMENTUM_SECOND);
    certificate_copy(q, w->g, g);
    certificate_copy(q, w->previous, g);
}

// The exact law is not the minimum of a function: if the measure grows, sweeps continue from the best iterate without
// momentum.
static void problem_sweep_momentum(const tac_problem *q, tac_solve_work *w, real tolerance)
{
    real ask = tolerance;
    problem_sweep_restart(q, w, w->g);
    do {
        const real moved = problem_sweep_accelerated(q, w);
        certificate_keep(q, w, w->g, moved);
        if (!(moved <= SWEEP_WANDERS * w->progress.least)) { problem_sweep_restart(q, w, w->best); }
    } while (!problem_sweep_done(q, w, tolerance, &ask));
}

#endif

#endif
