// SPDX-License-Identifier: MIT
// newton.h - semismooth Newton on the natural map, reduced to the directions in which the projections are not constant.
//   given   impulses and velocities near a solution
//   makes   Newton's step; the projected impulses at its end, and their residual
//   bound   one factored matrix a step
//   never   divides by a kappa that is only rounding: the projection is taken as constant in such a direction
#ifndef PROBLEM_NEWTON_H
#define PROBLEM_NEWTON_H

#include "entries.h"
#include "profile.h"
#include "certificate.h"

#if TAC_SOLVE && TAC_MAX_SOLVE_FACTOR > 0

// Block i is written in coordinates in which its cone is circular, t_i = g_i / e_i, and its velocity in the dual ones,
// e_i u_i. Then F(g) = g - P(g - s u~) with a step s = 1/d is zero at a solution, and P is differentiable except on the
// boundaries of the cone and its polar. P' = Q diag(kappa) Q' with orthonormal Q:
//      inside      Q = I, kappa = 1
//      polar cone  kappa = 0 in all directions
//      else        a = (1, mu t)/sqrt(1 + mu^2), t = z_T/|z_T|, kappa = 1;   each c normal to (0,t) and to the axis,
//                  kappa = mu n/|z_T|;   b = (-mu, t)/sqrt(1 + mu^2), kappa = 0
// Newton's equations  (I - P' + s P' (I + E) N) dg = -F  say  q.dg = -q.F  where kappa = 0, and elsewhere
//      (1 - kappa)/(s kappa) y_q + q'(I + E) N dg = -q.F/(s kappa),       dg = sum q y_q + the part with kappa = 0,
// symmetric and positive semidefinite except for E = mu e_n (e u_T)'/|(e u_T)|, the derivative of De Saxce's term.
// Inside the cone u itself is driven to zero, without that term: a contact sticks if it can.

// z = g - s u~ and F in these coordinates; the directions with kappa > 0 into basis[], kappa[]. Returns how many.
static int newton_free_directions(const tac_problem_block *k, const real *g, const real *u, int exact, real d,
                                  real *basis, real *kappa, real *map)
{
    const int rows = k->rows;
    real z[TAC_BLOCK_ROWS];
    const real lift = exact ? set_lift(k, u) : R(0.0);
    map[0] = u[0] / d;
    z[0] = g[0] - (u[0] + lift) / d;
    kappa[0] = R(1.0);
    for (int r = 1; r < rows; r++) {
        const real e = set_is_cone(k) ? set_axis(k, r) : R(1.0);
        map[r] = e * u[r] / d;
        z[r] = g[r] / e - map[r];
        kappa[r] = R(1.0);
    }
    for (int n = 0; n < rows * rows; n++) { basis[n] = n % (rows + 1) == 0 ? R(1.0) : R(0.0); }
    if (k->set == TAC_SET_FREE) { return rows; }
    if (!set_is_cone(k)) {
        const real next = k->set == TAC_SET_INTERVAL ? real_clamp(z[0], k->lo, k->hi) : real_max(z[0], R(0.0));
        map[0] = g[0] - next;
        return next == z[0];
    }
    real t = R(0.0);
    for (int r = 1; r < rows; r++) { t += z[r] * z[r]; }
    t = real_sqrt(t);
    const cone_slope p = cone_derivative(z[0], t, k->mu, R(1.0));
    if (p.mode == TAC_STICK) { return rows; }
    const real n = p.along * (z[0] + k->mu * t);
    for (int r = 0; r < rows; r++) {
        const real next = p.mode == TAC_OPEN ? R(0.0) : r == 0 ? n : k->mu * n * z[r] / t;
        map[r] = g[r] / (r > 0 ? set_axis(k, r) : R(1.0)) - next;
    }
    if (p.mode == TAC_OPEN) { return 0; }
    // the reflection that maps the first tangential axis to +-t maps the other ones to the directions c
    const real unit = real_sqrt(p.along);
    real v[TAC_BLOCK_ROWS], square = R(0.0);
    v[1] = z[1] / t;
    for (int r = 2; r < rows; r++) { v[r] = z[r] / t; }
    basis[0] = unit;
    for (int r = 1; r < rows; r++) { basis[r] = unit * k->mu * v[r]; }
    v[1] += v[1] >= R(0.0) ? R(1.0) : R(-1.0);
    for (int r = 1; r < rows; r++) { square += v[r] * v[r]; }
    int count = 1;
    if (!(p.across > REAL_EPSILON)) { return count; }
    for (int c = 2; c < rows; c++, count++) {
        real *q = &basis[count * rows];
        q[0] = R(0.0);
        for (int r = 1; r < rows; r++) { q[r] = (r == c ? R(1.0) : R(0.0)) - R(2.0) * v[r] * v[c] / square; }
        kappa[count] = p.across;
    }
    return count;
}

// From these coordinates to those of the problem.
static void newton_to_problem(const tac_problem_block *k, real *q)
{
    for (int r = 1; r < k->rows && set_is_cone(k); r++) { q[r] *= set_axis(k, r); }
}

// (I + E)' q: the left factor of a row of the reduced matrix.
static void newton_left_factor(const tac_problem_block *k, const real *u, int exact, int slides, const real *q,
                               real *left)
{
    const real speed = exact && slides && set_is_cone(k) ? set_speed(k, u) : R(0.0);
    for (int r = 0; r < k->rows; r++) {
        left[r] = q[r];
        if (r > 0 && speed > R(0.0)) { left[r] += q[0] * k->mu * set_axis(k, r) * set_axis(k, r) * u[r] / speed; }
    }
}

static int newton_slides(const tac_problem *q, const tac_solve_work *w, uint32_t i)
{
    const uint32_t k = w->place[i];
    return w->reduced[k + 1] - w->reduced[k] < q->block[i].rows;
}

// The directions of all blocks, and how many each block has.
static void newton_directions(const tac_problem *q, tac_solve_work *w)
{
    real kappa[TAC_BLOCK_ROWS], map[TAC_BLOCK_ROWS];
    for (uint32_t k = 0; k < q->blocks; k++) {
        const uint32_t i = w->order[k], row = w->row[i];
        w->reduced[k + 1] = (uint32_t)newton_free_directions(&q->block[i], &w->g[row], &w->u[row], w->progress.exact,
                                                             w->weight[i], &w->basis[TAC_BLOCK_ROWS * row], kappa, map);
    }
}

// Right-hand side and diagonal, once the profile is laid out; the part of the step with kappa = 0 goes to d[].
static void newton_fill(const tac_problem *q, tac_solve_work *w, real damping)
{
    real kappa[TAC_BLOCK_ROWS], map[TAC_BLOCK_ROWS];
    for (uint32_t k = 0; k < q->blocks; k++) {
        const uint32_t i = w->order[k], row = w->row[i];
        const tac_problem_block *b = &q->block[i];
        const real d = w->weight[i];
        real *basis = &w->basis[TAC_BLOCK_ROWS * row], *still = &w->d[row];
        const int count = newton_free_directions(b, &w->g[row], &w->u[row], w->progress.exact, d, basis, kappa, map);
        for (int r = 0; r < b->rows; r++) { still[r] = -map[r]; }
        for (int n = 0; n < count; n++) {
            real *direction = &basis[n * b->rows], along = R(0.0);
            const uint32_t at = w->reduced[k] + (uint32_t)n;
            for (int r = 0; r < b->rows; r++) { along += direction[r] * map[r]; }
            for (int r = 0; r < b->rows; r++) { still[r] += along * direction[r]; }
            w->rhs[at] = -along * d / kappa[n];
            w->pivot[at] = (R(1.0) - kappa[n]) * d / kappa[n] + damping * d;
            newton_to_problem(b, direction);
        }
        newton_to_problem(b, still);
    }
}

// rhs -= q'(I + E) N (the part with kappa = 0)
static void newton_add_fixed(const tac_problem *q, tac_solve_work *w)
{
    real left[TAC_BLOCK_ROWS];
    entries_mul(q, w, w->d, w->c);
    for (uint32_t k = 0; k < q->blocks; k++) {
        const uint32_t i = w->order[k], row = w->row[i];
        const int slides = newton_slides(q, w, i), rows = q->block[i].rows;
        const real *basis = &w->basis[TAC_BLOCK_ROWS * row];
        for (uint32_t at = w->reduced[k]; at < w->reduced[k + 1]; at++, basis += rows) {
            newton_left_factor(&q->block[i], &w->u[row], w->progress.exact, slides, basis, left);
            for (int r = 0; r < rows; r++) { w->rhs[at] -= left[r] * w->c[row + (uint32_t)r]; }
        }
    }
}

// The reduced matrix: q'(I + E) N_ij q for every stored block.
static void newton_matrix(const tac_problem *q, tac_solve_work *w)
{
    real column[TAC_BLOCK_ROWS], left[TAC_BLOCK_ROWS];
    for (const tac_problem_entry *e = q->entry; e < q->entry + q->entries; e++) {
        const uint32_t ki = w->place[e->row], kj = w->place[e->column];
        const tac_problem_block *bi = &q->block[e->row], *bj = &q->block[e->column];
        const int slides = newton_slides(q, w, e->row);
        const real *n = &q->value[e->value];
        for (uint32_t c = w->reduced[kj]; c < w->reduced[kj + 1]; c++) {
            const real *qj = &w->basis[TAC_BLOCK_ROWS * w->row[e->column] + (c - w->reduced[kj]) * bj->rows];
            for (int r = 0; r < bi->rows; r++) { column[r] = ki == kj ? w->progress.proximal * qj[r] : R(0.0); }
            for (int r = 0; r < bi->rows; r++) {
                for (int s = 0; s < bj->rows; s++) { column[r] += n[r * bj->rows + s] * qj[s]; }
            }
            for (uint32_t r = w->reduced[ki]; r < w->reduced[ki + 1]; r++) {
                real sum = R(0.0);
                newton_left_factor(bi, &w->u[w->row[e->row]], w->progress.exact, slides,
                                   &w->basis[TAC_BLOCK_ROWS * w->row[e->row] + (r - w->reduced[ki]) * bi->rows], left);
                for (int s = 0; s < bi->rows; s++) { sum += left[s] * column[s]; }
                factor_add(w, r, c, sum);
            }
        }
    }
    w->progress.spent += q->values;
}

// d[] becomes Newton's step from g with velocity u. Returns 0 if the tables are too small.
static int newton_step(const tac_problem *q, tac_solve_work *w, real damping)
{
    newton_directions(q, w);
    if (!factor_profile(q, w)) { return 0; }
    newton_fill(q, w, damping);
    newton_add_fixed(q, w);
    newton_matrix(q, w);
    const uint32_t rows = w->reduced[q->blocks];
    factor_decompose(w, rows, !w->progress.exact);
    factor_solve(w, rows, w->rhs);
    for (uint32_t k = 0; k < q->blocks; k++) {
        const uint32_t i = w->order[k], size = q->block[i].rows;
        const real *basis = &w->basis[TAC_BLOCK_ROWS * w->row[i]];
        for (uint32_t at = w->reduced[k]; at < w->reduced[k + 1]; at++, basis += size) {
            for (uint32_t r = 0; r < size; r++) { w->d[w->row[i] + r] += w->rhs[at] * basis[r]; }
        }
    }
    return 1;
}

// a[] = P(g + t d), b[] its velocity. Returns its residual.
static real newton_try(const tac_problem *q, tac_solve_work *w, real t)
{
    for (uint32_t i = 0; i < q->blocks; i++) {
        real *a = &w->a[w->row[i]];
        for (uint32_t r = 0; r < q->block[i].rows; r++) { a[r] = w->g[w->row[i] + r] + t * w->d[w->row[i] + r]; }
        set_project(&q->block[i], a, SET_PLAIN);
    }
    entries_velocity(q, w, w->a, w->b);
    return certificate_residual(q, w, w->a, w->b);
}

#endif

#endif
