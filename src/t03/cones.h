// SPDX-License-Identifier: MIT
// cones.h - round friction cones in place of polygons: a nonlinear complementarity problem, T03's CP1 and its step.
//   given   F, f and z of polygons with edges along u and w, which is where the search begins
//   makes   z, w and the residual of the round cones
//   bound   CONES_TRIES + 1 times CONES_STEPS steps of unknowns^3/3 and SEMISMOOTH_HALVINGS + 2 products with F, and
//           the sweeps between them
//   never   replaces the solution of the polygons by anything but a solution
#ifndef T03_CONES_H
#define T03_CONES_H

#include "../sets/semismooth.h"
#include "lcp.h"

#if TAC_MAX_LCP > 0

// With the friction of a contact a vector c_f within the circle mu c_n, and a_f its acceleration (or, in a step, its
// velocity at the end),
//
//      0 <= c_n perp a_n >= 0,   |c_f| <= mu c_n,   c_f |a_f| = -mu c_n a_f                             T03 (17), (22)
//
// is no linear problem. Four edges, along u, -u, w and -w, have all columns of A11 that it needs: an unknown for each
// normal, each limit, each tangent and each bounded effort, in units in which F has a diagonal of 1.
#define CONES_STEPS 40                     // most steps of Newton's method
#define CONES_AIM (R(64.0) * REAL_EPSILON) // residual below which rounding is all that is left
#define CONES_TRIES 3                      // most other places to start from, where it does not converge,
#define CONES_SWEEPS 10                    // after so many sweeps, each time four times as many

typedef struct cones {
    tac_lcp *q;
    const lcp_rows *n;
    uint32_t unknowns;
    real most; // unit of f
    real *x, *y, *phi, *matrix, *from, *step;
} cones;

static uint32_t cones_one_sided(const lcp_rows *n)
{
    return n->contacts + n->limits;
}

static uint32_t cones_tangent(const lcp_rows *n, uint32_t contact)
{
    return cones_one_sided(n) + 2 * contact;
}

static uint32_t cones_effort(const lcp_rows *n, uint32_t effort)
{
    return cones_tangent(n, n->rolls) + effort;
}

// The row of F of an unknown.
static uint32_t cones_row(const lcp_rows *n, uint32_t k)
{
    const uint32_t first = cones_one_sided(n), efforts = cones_effort(n, 0);
    if (k < first) { return k; }
    return k < efforts ? lcp_direction(n, (k - first) / 2) + 2 * ((k - first) % 2) : lcp_effort(n, k - efforts);
}

static real cones_entry(const cones *c, uint32_t row, uint32_t column)
{
    const uint32_t i = cones_row(c->n, row), j = cones_row(c->n, column);
    return c->q->scale[i] * c->q->F[i][j] * c->q->scale[j];
}

// Both tangents of a contact have one unit, so that its cone is round in these units too.
static void cones_units(tac_lcp *q, const lcp_rows *n)
{
    for (uint32_t i = 0; i < n->rolls; i++) {
        const uint32_t u = lcp_direction(n, i), w = u + 2;
        const real scale = q->F[u][u] < q->F[w][w] ? q->scale[w] : q->scale[u];
        q->scale[u] = q->scale[u + 1] = q->scale[w] = q->scale[w + 1] = scale;
    }
}

// mu of a contact, and the bound of an effort, in these units.
static real cones_mu(const cones *c, uint32_t i)
{
    const uint32_t normal = lcp_normal(i);
    return c->q->F[lcp_multiplier(c->n, i)][normal] * c->q->scale[normal] / c->q->scale[lcp_direction(c->n, i)];
}

static real cones_half(const cones *c, uint32_t effort)
{
    const uint32_t row = lcp_effort(c->n, effort);
    return c->q->f[lcp_multiplier(c->n, c->n->rolls + effort)] / (c->q->scale[row] * c->most);
}

// A scratch of the pivots becomes that of Newton's method: a contact has six rows there and three unknowns here.
static cones cones_begin(tac_lcp *q, const lcp_rows *n, real most)
{
    const uint32_t unknowns = cones_effort(n, n->efforts);
    real *table = &q->table[0][0] + (size_t)unknowns * unknowns;
    return (cones){q, n, unknowns, most, q->value, q->w, q->entering, &q->table[0][0], table, table + unknowns};
}

static void cones_take(const cones *c)
{
    const real *z = c->q->z;
    for (uint32_t k = 0; k < c->unknowns; k++) {
        const uint32_t row = cones_row(c->n, k);
        const real against = k < cones_one_sided(c->n) ? R(0.0) : z[row + 1];
        c->x[k] = (z[row] - against) / (c->q->scale[row] * c->most);
    }
}

// ----------------------------------------------------------------------------------------------------------- equations

// Row k of F x + f.
static real cones_rate(const cones *c, uint32_t k)
{
    const uint32_t row = cones_row(c->n, k);
    real sum = c->q->scale[row] * c->q->f[row] / c->most;
    for (uint32_t j = 0; j < c->unknowns; j++) { sum += cones_entry(c, k, j) * c->x[j]; }
    return sum;
}

static void cones_contact(const cones *c, uint32_t i, real *phi, semismooth_contact *contact)
{
    const uint32_t t = cones_tangent(c->n, i);
    const real p[3] = {c->x[i], c->x[t], c->x[t + 1]}, y[3] = {c->y[i], c->y[t], c->y[t + 1]};
    semismooth_contact_make(3, cones_mu(c, i), R(1.0), R(1.0), p, y, phi, contact);
}

// phi at x. Returns its merit.
static real cones_evaluate(const cones *c)
{
    const lcp_rows *n = c->n;
    semismooth_contact contact;
    real phi[3];
    for (uint32_t k = 0; k < c->unknowns; k++) { c->y[k] = cones_rate(c, k); }
    for (uint32_t i = 0; i < n->rolls; i++) {
        cones_contact(c, i, phi, &contact);
        c->phi[i] = phi[0];
        c->phi[cones_tangent(n, i)] = phi[1];
        c->phi[cones_tangent(n, i) + 1] = phi[2];
    }
    for (uint32_t k = n->rolls; k < cones_one_sided(n); k++) { c->phi[k] = c->x[k] > c->y[k] ? c->y[k] : c->x[k]; }
    for (uint32_t e = 0; e < n->efforts; e++) {
        const uint32_t k = cones_effort(n, e);
        const real half = cones_half(c, e), z = c->x[k] - c->y[k];
        c->phi[k] = real_abs(z) <= half ? c->y[k] : c->x[k] - (z > R(0.0) ? half : -half);
    }
    return semismooth_merit(c->phi, (int)c->unknowns);
}

static real cones_residual(const cones *c)
{
    real most = R(0.0);
    for (uint32_t k = 0; k < c->unknowns; k++) {
        if (!(real_abs(c->phi[k]) <= most)) { most = real_abs(c->phi[k]); } // a NaN stays
    }
    return most;
}

// One row of the derivative, of a law that has this unknown alone: `open`: phi is x, else y.
static void cones_derive_row(const cones *c, uint32_t k, int open)
{
    real *row = &c->matrix[(size_t)k * c->unknowns];
    for (uint32_t j = 0; j < c->unknowns; j++) { row[j] = open ? R(0.0) : cones_entry(c, k, j); }
    row[k] += open ? R(1.0) : SEMISMOOTH_RIDGE;
}

static void cones_derive_contact(const cones *c, uint32_t i)
{
    const uint32_t own[3] = {i, cones_tangent(c->n, i), cones_tangent(c->n, i) + 1};
    semismooth_contact contact;
    real phi[3], dp[3], dy[3];
    cones_contact(c, i, phi, &contact);
    for (uint32_t j = 0; j < c->unknowns; j++) {
        for (int a = 0; a < 3; a++) {
            dp[a] = j == own[a] ? R(1.0) : R(0.0);
            dy[a] = cones_entry(c, own[a], j) + SEMISMOOTH_RIDGE * dp[a];
        }
        semismooth_contact_change(&contact, 3, cones_mu(c, i), R(1.0), R(1.0), dp, dy, phi);
        for (int a = 0; a < 3; a++) { c->matrix[(size_t)own[a] * c->unknowns + j] = phi[a]; }
    }
}

static void cones_derive(const cones *c)
{
    const lcp_rows *n = c->n;
    for (uint32_t i = 0; i < n->rolls; i++) { cones_derive_contact(c, i); }
    for (uint32_t k = n->rolls; k < cones_one_sided(n); k++) { cones_derive_row(c, k, !(c->x[k] > c->y[k])); }
    for (uint32_t e = 0; e < n->efforts; e++) {
        const uint32_t k = cones_effort(n, e);
        cones_derive_row(c, k, !(real_abs(c->x[k] - c->y[k]) <= cones_half(c, e)));
    }
}

// -------------------------------------------------------------------------------------------------------------- search

static real cones_move(const cones *c, real t)
{
    for (uint32_t k = 0; k < c->unknowns; k++) { c->x[k] = c->from[k] + t * c->step[k]; }
    return cones_evaluate(c);
}

// Newton's step, shortened until it gains; where no length gains the whole step is taken, as in cbat07/ncp.h. Returns
// the merit, which stays if there is no step.
static real cones_iterate(const cones *c, real before)
{
    cones_derive(c);
    if (!semismooth_step(c->matrix, c->phi, c->step, (int)c->unknowns)) { return before; }
    reals_copy(c->from, c->x, c->unknowns * sizeof *c->x);
    real t = R(1.0);
    for (int i = 0; i <= SEMISMOOTH_HALVINGS; i++, t *= R(0.5)) {
        const real merit = cones_move(c, t);
        if (semismooth_accepts(t, before, merit, R(0.0))) { return merit; }
    }
    return cones_move(c, R(1.0));
}

// z of the round cones, on the edges of the polygons; multipliers are the slip of contacts and efforts.
static void cones_keep(const cones *c)
{
    const lcp_rows *n = c->n;
    tac_lcp *q = c->q;
    for (uint32_t k = 0; k < c->unknowns; k++) {
        const uint32_t row = cones_row(n, k);
        const real z = c->x[k] * q->scale[row] * c->most;
        q->z[row] = real_max(z, R(0.0));
        if (k >= cones_one_sided(n)) { q->z[row + 1] = real_max(-z, R(0.0)); }
    }
    for (uint32_t i = 0; i < n->rolls + n->efforts; i++) {
        const uint32_t k = i < n->rolls ? cones_tangent(n, i) : cones_effort(n, i - n->rolls);
        const real u = c->y[k], w = i < n->rolls ? c->y[k + 1] : R(0.0);
        q->z[lcp_multiplier(n, i)] = real_sqrt(u * u + w * w) * c->most / q->scale[cones_row(n, k)];
    }
}

// Newton's method from x. Returns the residual.
static real cones_newton(const cones *c)
{
    real merit = cones_evaluate(c), residual = cones_residual(c);
    for (uint32_t i = 0; i < CONES_STEPS && residual > CONES_AIM; i++) {
        const real before = residual;
        merit = cones_iterate(c, merit);
        residual = cones_residual(c);
        c->q->steps++;
        if (before <= LEMKE_GOOD && !(residual < before)) {
            (void)cones_move(c, R(0.0));
            return cones_residual(c);
        }
    }
    return residual;
}

// The second tangent of a contact has moved: both come back into its circle.
static void cones_sweep_circle(const cones *c, uint32_t i)
{
    real *t = &c->x[cones_tangent(c->n, i)];
    const real most = cones_mu(c, i) * c->x[i], length = real_sqrt(t[0] * t[0] + t[1] * t[1]);
    if (!(length > most)) { return; }
    t[0] *= most / length;
    t[1] *= most / length;
}

// One sweep of projected Gauss-Seidel, in units in which a step has the length 1.
static void cones_sweep(const cones *c)
{
    const uint32_t first = cones_one_sided(c->n), efforts = cones_effort(c->n, 0);
    for (uint32_t k = 0; k < c->unknowns; k++) {
        c->x[k] -= cones_rate(c, k);
        if (k < first) {
            c->x[k] = real_max(c->x[k], R(0.0));
        } else if (k >= efforts) {
            const real half = cones_half(c, k - efforts);
            c->x[k] = real_clamp(c->x[k], -half, half);
        } else if ((k - first) % 2) {
            cones_sweep_circle(c, (k - first) / 2);
        }
    }
}

// From the solution of the polygons, or where their method has ended; where Newton's method does not converge, from
// there after some sweeps. Returns 1 if the round cones are solved.
static int cones_solve(tac_lcp *q, const lcp_rows *n, real most)
{
    if (n->rolls == 0 || !(most > R(0.0))) { return q->end == TAC_LCP_SOLVED; }
    cones_units(q, n);
    const cones c = cones_begin(q, n, most);
    cones_take(&c);
    real residual = cones_newton(&c);
    for (uint32_t i = 0; i < CONES_TRIES && !(residual <= LEMKE_GOOD); i++) {
        cones_take(&c);
        for (uint32_t k = 0; k < (uint32_t)CONES_SWEEPS << 2 * i; k++) { cones_sweep(&c); }
        residual = cones_newton(&c);
    }
    const int solved = residual <= LEMKE_GOOD;
    if (solved) {
        cones_keep(&c);
    } else {
        cones_take(&c);
        (void)cones_evaluate(&c);
        residual = cones_residual(&c);
    }
    if (solved || q->end == TAC_LCP_SOLVED) { q->end = solved ? TAC_LCP_SOLVED : TAC_LCP_SPENT; }
    lcp_units_measure(q, most);
    q->residual = residual;
    return solved;
}

#endif

#endif
