// SPDX-License-Identifier: MIT
// sweep.h - projected fixed-point methods: Jacobi, SOR, symmetric SOR; accelerated block Gauss-Seidel, the default.
//   given   a problem, impulses in their sets
//   makes   better impulses in their sets
//   bound   the budget of passes, one a sweep; SWEEP_INNER projected steps a block
//   never   forms velocities between sweeps: a block's are summed when it is visited
#ifndef PROGRAM_SWEEP_H
#define PROGRAM_SWEEP_H

#include "certificate.h"

#if TAC_SOLVE

#define SWEEP_INNER 6                      // projected steps where a block neither sticks nor opens
#define SWEEP_SECOND R(1.6180339887498949) // t of Nesterov's sequence after its first step, which has no momentum
#define SWEEP_WANDERS R(1e3)               // times the least measure: what the momentum brings is given up

// Is there nothing left to spend or to gain? The measure of a sweep is what it moved; when that is small enough the
// residual itself is asked, one pass, and again only when half is moved.
static int sweep_done(const tac_problem *q, tac_solve_work *w, real tolerance, real *ask)
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

//  g^ = P( g - omega/d (N g + p) ),   g+ = lambda g^ + (1 - lambda) g                          TCE17 [4], d =
//  trace/rows
// for block i, whose velocity is u. Returns |d dg|^2.
static real sweep_relax(const tac_problem *q, tac_solve_work *w, const tac_solve_options *o, uint32_t i, const real *u)
{
    const tac_problem_block *k = &q->block[i];
    real *g = &w->g[w->row[i]], next[TAC_BLOCK_ROWS], moved = R(0.0);
    const real d = w->weight[i], step = o->omega / d, lift = w->progress.exact ? set_lift(k, u) : R(0.0);
    for (int r = 0; r < k->rows; r++) { next[r] = g[r] - step * (r == 0 ? u[r] + lift : u[r]); }
    set_project(k, next, SET_PLAIN);
    for (int r = 0; r < k->rows; r++) {
        const real change = o->lambda * (next[r] - g[r]);
        g[r] = o->lambda * next[r] + (R(1.0) - o->lambda) * g[r];
        moved += d * d * change * change;
    }
    return moved;
}

static void sweep_block_velocity(const tac_problem *q, const tac_solve_work *w, uint32_t i, const real *g, real *u)
{
    entries_row(q, w, i, g, u);
    for (uint32_t r = 0; r < q->block[i].rows; r++) { u[r] += q->block[i].p[r]; }
}

// One sweep of Gauss-Seidel, forwards or backwards.
static real sweep_plain(const tac_problem *q, tac_solve_work *w, const tac_solve_options *o, int backwards)
{
    real moved = R(0.0), u[TAC_BLOCK_ROWS];
    for (uint32_t n = 0; n < q->blocks; n++) {
        const uint32_t i = backwards ? q->blocks - 1 - n : n;
        sweep_block_velocity(q, w, i, w->g, u);
        moved += sweep_relax(q, w, o, i, u);
    }
    w->progress.spent += q->values;
    return certificate_relative(w, real_sqrt(moved));
}

// One sweep of Jacobi: all velocities first.
static real sweep_jacobi(const tac_problem *q, tac_solve_work *w, const tac_solve_options *o)
{
    real moved = R(0.0);
    entries_velocity(q, w, w->g, w->u);
    for (uint32_t i = 0; i < q->blocks; i++) { moved += sweep_relax(q, w, o, i, &w->u[w->row[i]]); }
    return certificate_relative(w, real_sqrt(moved));
}

static void sweep_relaxation(const tac_problem *q, tac_solve_work *w, const tac_solve_options *o)
{
    real ask = o->tolerance;
    do {
        const int backwards = o->method == TAC_METHOD_SYMMETRIC && (w->report.iterations & 1);
        const real moved = o->method == TAC_METHOD_JACOBI ? sweep_jacobi(q, w, o) : sweep_plain(q, w, o, backwards);
        certificate_keep(q, w, w->g, moved);
    } while (!sweep_done(q, w, o->tolerance, &ask));
}

// --------------------------------------------------------------------------------------------------------- accelerated

// y += scale m x, for a small square matrix
static void sweep_small(const real *m, int n, real scale, const real *x, real *y)
{
    for (int r = 0; r < n; r++) {
        real sum = R(0.0);
        for (int c = 0; c < n; c++) { sum += m[r * n + c] * x[c]; }
        y[r] += scale * sum;
    }
}

// The metric in which an inner step is small: |x|^2 = sum x_r^2 / step_r.
#define SWEEP_SMALL R(0.05) // of the first step, squared: the rest is left to the next sweep

static vec3 sweep_mul(const real *m, vec3 a)
{
    return v3(m[0] * a.x + m[1] * a.y + m[2] * a.z, m[3] * a.x + m[4] * a.y + m[5] * a.z,
              m[6] * a.x + m[7] * a.y + m[8] * a.z);
}

// A contact of three rows alone, as solve/accelerated.h has it: u belongs to g. Sticking, g - N_ii^-1 u, is tried
// first; else a few projected steps in the scaled metric follow the local velocity u + N_ii (x - g), fewer if they get
// small.
static vec3 sweep_contact(const tac_problem *q, const tac_solve_work *w, uint32_t i, vec3 g, vec3 u)
{
    const real mu = q->block[i].mu, *n = &q->value[w->diagonal[i]], *step = &w->step[w->row[i]];
    const real step_n = step[0], step_t = step[1], proximal = w->progress.proximal;
    vec3 x = v3_sub(g, sweep_mul(&w->inverse[w->small[i]], u));
    if (cone_contains(x, mu)) { return x; }

    real enough = R(0.0);
    for (int inner = 0; inner < SWEEP_INNER; inner++) {
        const vec3 aim = cone_velocity(u, mu, w->progress.exact);
        x = cone_project(v3(g.x - step_n * aim.x, g.y - step_t * aim.y, g.z - step_t * aim.z), mu, step_n, step_t);
        const vec3 change = v3_sub(x, g);
        g = x;
        const real moved = step_t * change.x * change.x + step_n * (change.y * change.y + change.z * change.z);
        if (inner == 0) { enough = SWEEP_SMALL * moved; }
        if (moved <= enough) { break; }
        u = v3_add(u, v3_madd(sweep_mul(n, change), proximal, change));
    }
    return g;
}

// The same for any block; with one row clamping is exact. g becomes what solves it, u is used up.
static void sweep_local(const tac_problem *q, const tac_solve_work *w, uint32_t i, real *g, real *u)
{
    const tac_problem_block *k = &q->block[i];
    const int rows = k->rows;
    const real *n = &q->value[w->diagonal[i]], *step = &w->step[w->row[i]];
    real x[TAC_BLOCK_ROWS];
    for (int r = 0; r < rows; r++) { x[r] = g[r]; }
    sweep_small(&w->inverse[w->small[i]], rows, R(-1.0), u, x);
    if (rows == 1) { set_project(k, x, SET_PLAIN); }
    if (rows == 1 || set_contains(k, x)) {
        for (int r = 0; r < rows; r++) { g[r] = x[r]; }
        return;
    }
    for (int inner = 0; inner < SWEEP_INNER; inner++) {
        const real lift = w->progress.exact ? set_lift(k, u) : R(0.0);
        int moved = 0;
        for (int r = 0; r < rows; r++) { x[r] = g[r] - step[r] * (r == 0 ? u[r] + lift : u[r]); }
        set_project(k, x, step);
        for (int r = 0; r < rows; r++) { // x becomes its change
            const real change = x[r] - g[r];
            g[r] = x[r];
            x[r] = change;
            u[r] += w->progress.proximal * change;
            moved |= change != R(0.0);
        }
        if (!moved || inner + 1 == SWEEP_INNER) { break; }
        sweep_small(n, rows, R(1.0), x, u);
    }
}

// Solves block i for itself from g[]; returns |d dg|^2, and adds to *turn what turns against the way from x_k.
static real sweep_visit(const tac_problem *q, tac_solve_work *w, uint32_t i, real *turn)
{
    const int rows = q->block[i].rows;
    const real d = w->weight[i], *last = &w->previous[w->row[i]];
    real *g = &w->g[w->row[i]], u[TAC_BLOCK_ROWS], y[TAC_BLOCK_ROWS], moved = R(0.0);
    sweep_block_velocity(q, w, i, w->g, u);
    if (q->block[i].set == TAC_SET_CONE) {
        const vec3 from = v3(g[0], g[1], g[2]), to = sweep_contact(q, w, i, from, v3(u[0], u[1], u[2]));
        const vec3 change = v3_sub(to, from);
        *turn -= d * v3_dot(change, v3(to.x - last[0], to.y - last[1], to.z - last[2]));
        g[0] = to.x;
        g[1] = to.y;
        g[2] = to.z;
        return d * d * v3_dot(change, change);
    }
    for (int r = 0; r < rows; r++) { y[r] = g[r]; }
    sweep_local(q, w, i, g, u);
    for (int r = 0; r < rows; r++) {
        const real change = d * (g[r] - y[r]);
        moved += change * change;
        *turn -= change * (g[r] - last[r]);
    }
    return moved;
}

// y = x_k + beta (x_k - x_k-1), which may leave the sets; g becomes y.
static void sweep_extrapolate(const tac_problem *q, tac_solve_work *w)
{
    const real beta = w->progress.beta;
    for (uint32_t r = 0; r < w->row[q->blocks]; r++) {
        const real x = w->g[r];
        w->g[r] += beta * (x - w->previous[r]);
        w->previous[r] = x;
    }
}

// x_k+1 = sweep(y). The momentum restarts when the step taken from y turns against the one that it extrapolates, and
// grows by Nesterov's sequence otherwise (OC15). Returns what was moved.
static real sweep_accelerated(const tac_problem *q, tac_solve_work *w)
{
    tac_solve_progress *p = &w->progress;
    real moved = R(0.0), turn = R(0.0);
    sweep_extrapolate(q, w);
    for (uint32_t i = 0; i < q->blocks; i++) { moved += sweep_visit(q, w, i, &turn); }
    p->spent += q->values;
    const real t = R(0.5) * (R(1.0) + real_sqrt(R(1.0) + R(4.0) * p->momentum * p->momentum));
    p->beta = turn > R(0.0) ? R(0.0) : (p->momentum - R(1.0)) / t;
    p->momentum = turn > R(0.0) ? SWEEP_SECOND : t;
    return certificate_relative(w, real_sqrt(moved));
}

// From these impulses on, without momentum.
static void sweep_restart(const tac_problem *q, tac_solve_work *w, const real *g)
{
    w->progress.momentum = SWEEP_SECOND;
    w->progress.beta = R(0.0);
    certificate_copy(w, q, g, w->g);
    certificate_copy(w, q, g, w->previous);
}

// The exact law is not the minimum of anything: where momentum leads astray, back to the best and on without.
static void sweep_momentum(const tac_problem *q, tac_solve_work *w, real tolerance)
{
    real ask = tolerance;
    sweep_restart(q, w, w->g);
    do {
        const real moved = sweep_accelerated(q, w);
        certificate_keep(q, w, w->g, moved);
        if (!(moved <= SWEEP_WANDERS * w->progress.least)) { sweep_restart(q, w, w->best); }
    } while (!sweep_done(q, w, tolerance, &ask));
}

#endif

#endif
