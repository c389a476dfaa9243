// SPDX-License-Identifier: MIT
// interior_point.h - a primal-dual interior-point method with Nesterov and Todd's scaling.
//   given   a problem
//   makes   impulses inside their sets, near the solution, from a start of its own
//   bound   INTERIOR_POINT_STEPS factored matrices, the budget
//   never   leaves the sets; uses the impulses of another method
#ifndef PROBLEM_INTERIOR_POINT_H
#define PROBLEM_INTERIOR_POINT_H

#include "entries.h"
#include "profile.h"
#include "certificate.h"

#if TAC_SOLVE && TAC_MAX_SOLVE_FACTOR > 0

// Sets become Lorentz cones L = { |x_T| <= x_n } in x = S g + o: S = diag(mu, 1/e_i) for a cone, 1 for a ray and the
// lower bound of an interval, -1 for its upper bound. z = S^-1 y in L, y the velocity of the block at the solution (De
// Saxce's term included). The method follows the central path  N g + p = y,  x o z = m e  with the product of L's
// Jordan algebra,
//      (x o z)_n = x.z,   (x o z)_T = x_n z_T + z_n x_T,
// as m tends to zero. With the scaling W for which W^-1 x = W z = l (Nesterov and Todd 1998) a step solves
//      (N + S W^-2 S) dg = -(N g + p - y) + S W^-1 q,      dy = S W^-1 (q - W^-1 S dg),
// with q = -l first (the predictor), then with q = l \ (s m e - l o l - W^-1 dx o W dz), Mehrotra's corrector.
//      W = b (2 v v' - J),   W^2 = b^2 (2 w w' - J),   J = diag(1,-1..-1),   |x|_J^2 = x'J x,   b = sqrt(|x|_J/|z|_J),
//      w = (x/|x|_J + J z/|z|_J)/(2 c),   c = sqrt((1 + x.z/(|x|_J |z|_J))/2),   v = (w + e)/sqrt(2 (w_n + 1))
// The exact law is not the minimum of anything: in every step De Saxce's term at the current velocity is added to p.
// `coupled` steps contain its derivative, N becomes (I + E) N as in newton.h; the others take it as constant, and keep
// a symmetric matrix.

#define INTERIOR_POINT_STEPS 60 // most steps
#define INTERIOR_POINT_PATIENCE 8                       // steps without progress that end it
#define INTERIOR_POINT_SHY R(0.99)                      // part of the way to the boundary that a step may go
#define INTERIOR_POINT_DAMPING (R(16.0) * REAL_EPSILON) // of d, added to the diagonal: N may be singular
#define INTERIOR_POINT_HELD (REAL_LARGEST * R(1e-10))   // on the diagonal of a row whose impulse is constant

// One Lorentz cone of a block: side 0, or side 1, the upper bound of an interval.
typedef struct interior_point_view {
    int n; // rows, 0 if there is no such cone
    real s[TAC_BLOCK_ROWS], x[TAC_BLOCK_ROWS], z[TAC_BLOCK_ROWS], v[TAC_BLOCK_ROWS], b;
} interior_point_view;

static real *interior_point_dual(tac_solve_work *w, int side)
{
    return side ? w->d : w->dual;
}

// Change of the dual.
static real *interior_point_change(tac_solve_work *w, int side)
{
    return side ? w->previous : w->c;
}

// Rows whose impulse is constant: tangential ones of a cone without friction, an interval of zero width.
static int interior_point_holds(const tac_problem_block *k, uint32_t r)
{
    return k->set == TAC_SET_INTERVAL ? !(k->lo < k->hi) : set_is_cone(k) && r > 0 && !(k->mu > R(0.0));
}

static real interior_point_dot(const real *a, const real *b, int n)
{
    real sum = R(0.0);
    for (int r = 0; r < n; r++) { sum += a[r] * b[r]; }
    return sum;
}

// x'J x as a product: near the boundary the difference of squares would be only rounding.
static real interior_point_det(const real *x, int n)
{
    real t = R(0.0);
    for (int r = 1; r < n; r++) { t += x[r] * x[r]; }
    t = real_sqrt(t);
    return (x[0] - t) * (x[0] + t);
}

// S and x of block i.
static void interior_point_load(const tac_problem_block *k, const real *g, int side, interior_point_view *c)
{
    c->n = 0;
    c->s[0] = side ? R(-1.0) : R(1.0);
    if (k->set == TAC_SET_INTERVAL) {
        const real edge = side ? k->hi : k->lo;
        c->n = real_finite(edge) && !interior_point_holds(k, 0);
        c->x[0] = side ? edge - g[0] : g[0] - edge;
    } else if (side == 0 && k->set != TAC_SET_FREE) {
        const int round = set_is_cone(k) && k->mu > R(0.0);
        c->n = round ? k->rows : 1;
        if (round) { c->s[0] = k->mu; }
        for (int r = 1; r < c->n; r++) { c->s[r] = R(1.0) / set_axis(k, r); }
        for (int r = 0; r < c->n; r++) { c->x[r] = c->s[r] * g[r]; }
    }
}

// S, x, z and the scaling of block i.
static void interior_point_load_scaled(const tac_problem *q, tac_solve_work *w, uint32_t i, int side,
                                       interior_point_view *c)
{
    interior_point_load(&q->block[i], &w->g[w->row[i]], side, c);
    if (c->n == 0) { return; }
    const real *y = &interior_point_dual(w, side)[w->row[i]];
    for (int r = 0; r < c->n; r++) { c->z[r] = y[r] / c->s[r]; }
    const real xj = real_sqrt(interior_point_det(c->x, c->n)), zj = real_sqrt(interior_point_det(c->z, c->n));
    const real twice = R(2.0) * real_sqrt((R(1.0) + interior_point_dot(c->x, c->z, c->n) / xj / zj) * R(0.5));
    for (int r = 0; r < c->n; r++) { c->v[r] = (c->x[r] / xj + (r == 0 ? c->z[r] : -c->z[r]) / zj) / twice; }
    c->v[0] += R(1.0);
    const real root = real_sqrt(R(2.0) * c->v[0]);
    for (int r = 0; r < c->n; r++) { c->v[r] /= root; }
    c->b = real_sqrt(xj / zj);
}

// out = W a or W^-1 a; W^-1 = (2 Jv (Jv)' - J)/b.
static void interior_point_scale(const interior_point_view *c, int inverse, const real *a, real *out)
{
    real dot = R(0.0);
    for (int r = 0; r < c->n; r++) { dot += (inverse && r > 0 ? -c->v[r] : c->v[r]) * a[r]; }
    const real factor = inverse ? R(1.0) / c->b : c->b;
    for (int r = 0; r < c->n; r++) {
        const real v = inverse && r > 0 ? -c->v[r] : c->v[r];
        out[r] = factor * (R(2.0) * v * dot - (r == 0 ? a[r] : -a[r]));
    }
}

// out += a o b
static void interior_point_product(const real *a, const real *b, int n, real *out)
{
    out[0] += interior_point_dot(a, b, n);
    for (int r = 1; r < n; r++) { out[r] += a[0] * b[r] + b[0] * a[r]; }
}

// out = l \ a
static void interior_point_divide(const real *l, const real *a, int n, real *out)
{
    real t = R(0.0);
    for (int r = 1; r < n; r++) { t += l[r] * a[r]; }
    out[0] = (l[0] * a[0] - t) / interior_point_det(l, n);
    for (int r = 1; r < n; r++) { out[r] = (a[r] - out[0] * l[r]) / l[0]; }
}

// The longest step t <= limit with x + t dx in L: the first root of |x + t dx|_J^2 = c + 2 b t + a t^2.
static real interior_point_longest_step(const real *x, const real *dx, int n, real limit)
{
    if (dx[0] < R(0.0)) { limit = real_min(limit, -x[0] / dx[0]); }
    if (n == 1) { return limit; }
    const real b = x[0] * dx[0] - interior_point_dot(&x[1], &dx[1], n - 1),
               a = dx[0] * dx[0] - interior_point_dot(&dx[1], &dx[1], n - 1);
    const real c = interior_point_det(x, n), square = b * b - a * c;
    if (square < R(0.0)) { return limit; }
    const real root = real_sqrt(square), far = b >= R(0.0) ? -(b + root) : root - b;
    if (far / a > R(0.0)) { limit = real_min(limit, far / a); }
    if (c / far > R(0.0)) { limit = real_min(limit, c / far); }
    return limit;
}

// ----------------------------------------------------------------------------------------------------------- one step

// g well inside the sets, y well inside the dual ones: velocities of the size of p, impulses that make such velocities.
static void interior_point_start(const tac_problem *q, tac_solve_work *w)
{
    real top = R(0.0);
    interior_point_view c;
    for (uint32_t i = 0; i < q->blocks; i++) {
        for (int r = 0; r < q->block[i].rows; r++) { top = real_max(top, real_abs(q->block[i].p[r])); }
    }
    for (uint32_t i = 0; i < q->blocks; i++) {
        const tac_problem_block *k = &q->block[i];
        const uint32_t row = w->row[i];
        const real size = top / w->weight[i];
        for (uint32_t r = row; r < row + k->rows; r++) { w->g[r] = w->dual[r] = w->d[r] = R(0.0); }
        if (k->set == TAC_SET_INTERVAL) {
            const int below = real_finite(k->lo), above = real_finite(k->hi);
            w->g[row] = below && above ? R(0.5) * (k->lo + k->hi)
                        : below        ? k->lo + size
                        : above        ? k->hi - size
                                       : R(0.0);
        } else if (k->set != TAC_SET_FREE) {
            w->g[row] = size;
        }
        for (int side = 0; side < 2; side++) {
            interior_point_load(k, &w->g[row], side, &c);
            if (c.n) { interior_point_dual(w, side)[row] = side ? -top : top; }
        }
    }
}

// u = N g + p, a = u (+ De Saxce) - y. Returns m, the mean of x.z.
static real interior_point_defect(const tac_problem *q, tac_solve_work *w)
{
    real sum = R(0.0);
    uint32_t cones = 0;
    interior_point_view c;
    entries_velocity(q, w, w->g, w->u);
    for (uint32_t i = 0; i < q->blocks; i++) {
        const tac_problem_block *k = &q->block[i];
        const uint32_t row = w->row[i];
        for (uint32_t r = 0; r < k->rows; r++) {
            w->a[row + r] = interior_point_holds(k, r) ? R(0.0) : w->u[row + r] - w->dual[row + r] - w->d[row + r];
        }
        if (w->progress.exact) { w->a[row] += set_lift(k, &w->u[row]); }
        for (int side = 0; side < 2; side++) {
            interior_point_load(k, &w->g[row], side, &c);
            for (int r = 0; r < c.n; r++) { sum += c.x[r] * interior_point_dual(w, side)[row + (uint32_t)r] / c.s[r]; }
            cones += c.n > 0;
        }
    }
    return cones ? sum / (real)cones : R(0.0);
}

// A += S W^-2 S and the damping that keeps A regular, for block i.
static void interior_point_diagonal(const tac_problem *q, tac_solve_work *w, uint32_t i, int coupled)
{
    const tac_problem_block *k = &q->block[i];
    const uint32_t at = w->reduced[w->place[i]];
    interior_point_view c;
    real column[TAC_BLOCK_ROWS], once[TAC_BLOCK_ROWS];
    for (int side = 0; side < 2; side++) {
        interior_point_load_scaled(q, w, i, side, &c);
        for (int m = 0; m < c.n; m++) {
            for (int r = 0; r < c.n; r++) { column[r] = r == m ? c.s[m] : R(0.0); }
            interior_point_scale(&c, 1, column, once);
            interior_point_scale(&c, 1, once, column);
            for (int r = coupled ? 0 : m; r < c.n; r++) {
                factor_add(w, at + (uint32_t)r, at + (uint32_t)m, c.s[r] * column[r]);
            }
        }
    }
    const real damping = w->progress.proximal + INTERIOR_POINT_DAMPING * w->weight[i];
    for (uint32_t r = 0; r < k->rows; r++) {
        factor_add(w, at + r, at + r, interior_point_holds(k, r) ? INTERIOR_POINT_HELD : damping);
    }
}

// A += (I + E) N_ij for one stored block; of a symmetric A the lower triangle.
static void interior_point_entry(const tac_problem *q, tac_solve_work *w, const tac_problem_entry *e, int coupled)
{
    const tac_problem_block *k = &q->block[e->row];
    const uint32_t row = w->reduced[w->place[e->row]], column = w->reduced[w->place[e->column]];
    const uint32_t columns = q->block[e->column].rows;
    const real *u = &w->u[w->row[e->row]], *n = &q->value[e->value];
    const real speed = coupled && set_is_cone(k) ? set_speed(k, u) : R(0.0);
    for (uint32_t r = 0; r < k->rows; r++) {
        const real axis = r > 0 && speed > R(0.0) ? set_axis(k, (int)r) : R(0.0), tilt = k->mu * axis * axis * u[r];
        for (uint32_t c = 0; c < columns && (coupled || column + c <= row + r); c++) {
            factor_add(w, row + r, column + c, n[r * columns + c]);
            if (tilt != R(0.0)) { factor_add(w, row, column + c, tilt / speed * n[r * columns + c]); }
        }
    }
}

// (I + E) N + S W^-2 S, factored. Returns 0 if the tables are too small.
static int interior_point_matrix(const tac_problem *q, tac_solve_work *w, int coupled)
{
    for (uint32_t k = 0; k < q->blocks; k++) { w->reduced[k + 1] = q->block[w->order[k]].rows; }
    if (!factor_profile(q, w)) { return 0; }
    for (const tac_problem_entry *e = q->entry; e < q->entry + q->entries; e++) {
        interior_point_entry(q, w, e, coupled);
    }
    for (uint32_t i = 0; i < q->blocks; i++) { interior_point_diagonal(q, w, i, coupled); }
    factor_decompose(w, w->reduced[q->blocks], !coupled);
    return 1;
}

// W^-1 q for the target m; with the corrector's product of the step dg, dy if `correct`.
static void interior_point_aim(const interior_point_view *c, real m, int correct, const real *dg, const real *dy,
                               real *aim)
{
    real dx[TAC_BLOCK_ROWS], dz[TAC_BLOCK_ROWS], l[TAC_BLOCK_ROWS], sum[TAC_BLOCK_ROWS];
    for (int r = 0; r < c->n; r++) { sum[r] = R(0.0); }
    interior_point_scale(c, 0, c->z, l);
    if (correct) {
        for (int r = 0; r < c->n; r++) {
            dz[r] = c->s[r] * dg[r];
            aim[r] = dy[r] / c->s[r];
        }
        interior_point_scale(c, 1, dz, dx);
        interior_point_scale(c, 0, aim, dz);
        interior_point_product(dx, dz, c->n, sum);
    }
    interior_point_product(l, l, c->n, sum);
    for (int r = 0; r < c->n; r++) { sum[r] = (r == 0 ? m : R(0.0)) - sum[r]; }
    interior_point_divide(l, sum, c->n, dx);
    interior_point_scale(c, 1, dx, aim);
}

// Adds S W^-1 q of every cone to the right-hand side, and keeps it in the array of the dual's change.
static void interior_point_aims(const tac_problem *q, tac_solve_work *w, real m, int correct)
{
    interior_point_view c;
    real aim[TAC_BLOCK_ROWS];
    for (uint32_t i = 0; i < q->blocks; i++) {
        const uint32_t row = w->row[i], at = w->reduced[w->place[i]];
        for (uint32_t r = 0; r < q->block[i].rows; r++) { w->rhs[at + r] = -w->a[row + r]; }
        for (int side = 0; side < 2; side++) {
            real *change = &interior_point_change(w, side)[row];
            interior_point_load_scaled(q, w, i, side, &c);
            if (c.n) { interior_point_aim(&c, m, correct, &w->b[row], change, aim); }
            for (int r = 0; r < c.n; r++) {
                change[r] = c.s[r] * aim[r];
                w->rhs[at + (uint32_t)r] += change[r];
            }
        }
    }
}

// dg to b[], dy to the array of the dual's change. Returns the longest step that stays inside the cones.
static real interior_point_direction(const tac_problem *q, tac_solve_work *w, real m, int correct)
{
    real reach = R(1.0) / INTERIOR_POINT_SHY, dx[TAC_BLOCK_ROWS], dz[TAC_BLOCK_ROWS];
    interior_point_view c;
    interior_point_aims(q, w, m, correct);
    factor_solve(w, w->reduced[q->blocks], w->rhs);
    for (uint32_t i = 0; i < q->blocks; i++) {
        const uint32_t row = w->row[i], at = w->reduced[w->place[i]];
        for (uint32_t r = 0; r < q->block[i].rows; r++) { w->b[row + r] = w->rhs[at + r]; }
        for (int side = 0; side < 2; side++) {
            real *change = &interior_point_change(w, side)[row];
            interior_point_load_scaled(q, w, i, side, &c);
            if (c.n == 0) { continue; }
            for (int r = 0; r < c.n; r++) { dx[r] = c.s[r] * w->b[row + (uint32_t)r]; }
            reach = interior_point_longest_step(c.x, dx, c.n, reach);
            interior_point_scale(&c, 1, dx, dz);
            interior_point_scale(&c, 1, dz, dx);
            for (int r = 0; r < c.n; r++) {
                change[r] -= c.s[r] * dx[r];
                dz[r] = change[r] / c.s[r];
            }
            reach = interior_point_longest_step(c.z, dz, c.n, reach);
        }
    }
    return real_min(R(1.0), INTERIOR_POINT_SHY * reach);
}

// g += t dg, y += t dy
static void interior_point_move(const tac_problem *q, tac_solve_work *w, real t)
{
    interior_point_view c;
    for (uint32_t i = 0; i < q->blocks; i++) {
        const uint32_t row = w->row[i];
        for (int side = 0; side < 2; side++) {
            interior_point_load(&q->block[i], &w->g[row], side, &c);
            for (int r = 0; r < c.n; r++) {
                const uint32_t at = row + (uint32_t)r;
                interior_point_dual(w, side)[at] += t * interior_point_change(w, side)[at];
            }
        }
        for (uint32_t r = row; r < row + q->block[i].rows; r++) { w->g[r] += t * w->b[r]; }
    }
}

// Follows the central path from its own start until the tolerance, the budget or rounding ends it; its best iterate is
// then in g[]. `coupled` is for the exact law only. Returns 0 if the tables are too small.
static int interior_point_solve(const tac_problem *q, tac_solve_work *w, real tolerance, int coupled)
{
    tac_solve_progress *p = &w->progress;
    real least = REAL_LARGEST;
    interior_point_start(q, w);
    int idle = 0;
    for (int step = 0; step < INTERIOR_POINT_STEPS && idle < INTERIOR_POINT_PATIENCE && p->spent < p->budget; step++) {
        const real m = interior_point_defect(q, w), residual = certificate_residual(q, w, w->g, w->u);
        if (!real_finite(residual)) { break; }
        certificate_keep(q, w, w->g, residual);
        idle = residual < INTERIOR_POINT_SHY * least ? 0 : idle + 1;
        best_keep_rows(w->basis, &least, w->g, q->rows, residual);
        if (residual <= tolerance || !(m > R(0.0))) { break; }
        if (!interior_point_matrix(q, w, coupled)) { return 0; }
        const real rest = R(1.0) - interior_point_direction(q, w, R(0.0), 0);
        interior_point_move(q, w, interior_point_direction(q, w, rest * rest * rest * m, 1));
        w->report.iterations++;
    }
    certificate_copy(q, w->g, least < REAL_LARGEST ? w->basis : w->best);
    return 1;
}

#endif

#endif
