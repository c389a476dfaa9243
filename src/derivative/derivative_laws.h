// SPDX-License-Identifier: MIT
// derivative_laws.h - the active set: how the impulses of contacts answer, each by the law of its mode.
//   given   contacts that bear a force; K, factored, and its inverse
//   makes   Jacobians; the response of the rates to right sides and to velocities that contacts see, with contacts
//   bound   (3 contacts)^3; for each coordinate 3 contacts coordinates multiplications
//   never   opens, closes or slides another contact than the step did
#ifndef DERIVATIVE_DERIVATIVE_LAWS_H
#define DERIVATIVE_DERIVATIVE_LAWS_H

#include "derivative_columns.h"

#if TAC_MAX_LCP > 0

// With g the impulses of contacts that bear a force, J = D'S and r the mean rates of all coordinates,
//      equations(q, v, r) - J'g = 0,     u = D'V(q, v, r) + b,     a(u, g) = 0,
// where V are the velocities that contacts see, and a is the law of each contact in its mode, src/sets:
//      OPEN    g = 0
//      STICK   u = 0
//      SLIDE   u_n = 0 (relaxed: u_n = mu |u_T|),   g_T = -mu g_n u_T/|u_T|
// Its derivative along and across the direction of sliding s, t = n x s:
//      du_n - relaxed mu du_s = 0,     dg_s + mu dg_n = 0,     du_t + |u_T|/(mu g_n) dg_t = 0.
// A body on four corners has more rows than motions. They are consistent: those that the others imply are left out.
//
// The contacts see velocities of the solve, which moves all bodies along tangents: u = z'(S'(M v + h f) + J'g) + ..,
// with z = M^-1 J'. The rates r follow after it, from the same momenta by the matrix K: so u changes by z'y where the
// right side of K dr = y does. What the arcs of joints add to u depends on the velocities at the start:
//      du = (D'dV/dr - z'K) dv.
// All of it is linear, so each right side y has its response, a column of
//      K^-1 (1 - J' (law W)^-1 law z'),
// and what a column of q or v changes of u besides has -K^-1 J' (law W)^-1 law.
#define DERIVATIVE_IMPLIED (TAC_REAL_BITS == 32 ? R(1e-4) : R(1e-8)) // of W with a diagonal of 1: less is left of a row

// J' of a contact along the coordinates of one of its bodies.
static void derivative_jacobian(const vary_step *x, uint32_t contact, int side)
{
    const tac_mechanism *k = &x->t->mechanism;
    const tac_contact *c = &x->w->contact[contact];
    uint16_t on = derivative_body(c, side);
    real force[3][6];
    if (!mechanism_moves(x->m, on)) { return; }
    const vec3 at = derivative_arm(x, on, c->point);
    for (int i = 0; i < 3; i++) {
        const vec3 d = v3_scale(side ? R(1.0) : R(-1.0), x->t->contact[contact].axes[i]);
        six_set(force[i], v3_cross(at, d), d);
    }
    for (int more = 1; more; on = k->body[on].parent) {
        for (size_t j = k->body[on].first; j < (size_t)k->body[on].first + k->body[on].axes; j++) {
            real *to = vary_row(x->jacobian, j) + 3 * contact;
            for (int i = 0; i < 3; i++) { to[i] += six_dot(x->t->axis[j].s, force[i]); }
        }
        more = mechanism_hangs(k, on);
    }
}

// J' and z of all contacts. Impulses do nothing along coordinates that are held.
static void derivative_enter(const vary_step *x)
{
    const tac_mechanism *k = &x->t->mechanism;
    const size_t row = 3 * x->k * sizeof(real);
    if (x->k == 0) { return; }
    for (uint32_t j = 0; j < x->n; j++) { reals_clear(vary_row(x->jacobian, j), row); }
    for (uint32_t i = 0; i < 2 * x->k; i++) { derivative_jacobian(x, i / 2, i % 2); }
    for (uint32_t j = 0; j < x->n; j++) { reals_copy(vary_row(x->answer, j), vary_row(x->jacobian, j), row); }
    vary_solve(x, x->mass, x->answer, 3 * x->k);
    for (uint32_t at = 0; at < k->bodies; at++) {
        const uint16_t self = k->order[at];
        if (x->t->body[self].effort.held) { reals_clear(vary_row(x->jacobian, k->body[self].first), row); }
    }
}

// W = z'J', velocities by impulses.
static void derivative_inverse_mass(const vary_step *x)
{
    const uint32_t rows = 3 * x->k;
    for (uint32_t i = 0; i < rows; i++) { // symmetric
        real *row = vary_row(x->W, i);
        reals_clear(&row[i], (rows - i) * sizeof *row);
        lu_row to = lu_row_of(&row[i], rows - i);
        for (uint32_t j = 0; j < x->n; j++) {
            lu_row_add(&to, vary_row(x->jacobian, j)[i], vary_row(x->answer, j) + i);
        }
        lu_row_end(&to);
        for (uint32_t j = i + 1; j < rows; j++) { vary_row(x->W, j)[i] = row[j]; }
    }
}

// W as the laws take it, and what these make of impulses; rows and columns scaled.
static void derivative_matrix(const vary_step *x)
{
    const uint32_t rows = 3 * x->k;
    derivative_inverse_mass(x);
    for (uint32_t i = 0; i < x->k; i++) {
        tac_varied_contact *k = &x->t->contact[i];
        const real mu = x->w->contact[i].mu;
        real *row[3] = {vary_row(x->W, 3 * i), vary_row(x->W, 3 * i + 1), vary_row(x->W, 3 * i + 2)};
        const real trace = (row[0][3 * i] + row[1][3 * i + 1] + row[2][3 * i + 2]) / R(3.0);
        k->scale = trace > R(0.0) ? R(1.0) / real_sqrt(trace) : R(0.0);
        for (uint32_t j = 0; j < 3 && !k->bears; j++) {
            reals_clear(row[j], rows * sizeof *row[j]);
            row[j][3 * i + j] = trace;
        }
        if (!k->slides) { continue; }
        if (k->relaxed * mu > R(0.0)) { lu_madd(row[0], -k->relaxed * mu, row[1], rows); }
        reals_clear(row[1], rows * sizeof *row[1]);
        if (!(mu > R(0.0))) { reals_clear(row[2], rows * sizeof *row[2]); }
        row[1][3 * i] = mu * trace;
        row[1][3 * i + 1] = trace;
        row[2][3 * i + 2] += mu > R(0.0) ? k->slip / (mu * k->g.x) : trace;
    }
    for (uint32_t i = 0; i < rows; i++) {
        real *row = vary_row(x->W, i);
        const real own = x->t->contact[i / 3].scale;
        for (uint32_t j = 0; j < x->k; j++, row += 3) {
            const real scale = own * x->t->contact[j].scale;
            row[0] *= scale, row[1] *= scale, row[2] *= scale;
        }
    }
}

// z'K of the normal of a contact: what u_n changes by with changes of the rates, but for what the arcs of joints add.
// It is asked for where no law holds u_n, before K is factored.
static void derivative_closing(const vary_step *x, uint32_t contact)
{
    real *to = vary_row(x->closing, contact);
    reals_clear(to, x->n * sizeof *to);
    lu_row sum = lu_row_of(to, x->n);
    for (uint32_t c = 0; c < x->n && !x->t->contact[contact].bears; c++) {
        lu_row_add(&sum, vary_row(x->answer, c)[3 * contact], vary_row(x->K, c));
    }
    lu_row_end(&sum);
}

// What the rates answer to what a contact sees: law' of the answer to what its law asks, rows in the order n, s, t.
static void derivative_law(const vary_step *x, uint32_t i)
{
    const tac_varied_contact *k = &x->t->contact[i];
    const real mu = x->w->contact[i].mu;
    real *row[3] = {vary_row(x->law, 3 * i), vary_row(x->law, 3 * i + 1), vary_row(x->law, 3 * i + 2)};
    for (int r = 0; r < 3; r++) {
        for (uint32_t j = 0; j < x->n; j++) { row[r][j] = k->bears ? row[r][j] * k->scale : R(0.0); }
    }
    if (!k->slides) { return; }
    for (uint32_t j = 0; j < x->n; j++) { row[1][j] = -k->relaxed * mu * row[0][j]; }
    if (!(mu > R(0.0))) { reals_clear(row[2], x->n * sizeof *row[2]); }
}

// The response of the rates to changes of u, one a row, and what it adds to that of right sides, which contacts see by
// z. J K'^-1 is where the changes of u will be.
static void derivative_factor(const vary_step *x)
{
    const uint32_t rows = 3 * x->k, n = x->n;
    const vary_block back = {x->seen[VARY_Q].at, n};
    int sticks = 1;
    if (rows == 0) { return; }
    for (uint32_t i = 0; i < x->k; i++) { sticks &= x->t->contact[i].bears && !x->t->contact[i].slides; }
    derivative_matrix(x);
    reals_clear(back.at, rows * n * sizeof(real));
    for (uint32_t i = 0; i < rows; i++) {
        const real scale = -x->t->contact[i / 3].scale;
        lu_row to = lu_row_of(vary_row(back, i), n);
        for (uint32_t c = 0; c < n; c++) {
            lu_row_add(&to, scale * vary_row(x->jacobian, c)[i], vary_row(x->response, c));
        }
        lu_row_end(&to);
    }
    const uint32_t rank = lu_rank(x->W.at, rows, x->W.stride, DERIVATIVE_IMPLIED, sticks, x->W_row, x->W_column);
    lu_transposed(x->W.at, rank, rows, x->W.stride, x->W_row, x->W_column, back.at, back.stride, x->law.at, n);
    for (uint32_t i = 0; i < x->k; i++) { derivative_law(x, i); }
    for (uint32_t c = 0; c < n; c++) {
        lu_row row = lu_row_of(vary_row(x->response, c), n);
        for (uint32_t i = 0; i < rows; i++) { lu_row_add(&row, vary_row(x->answer, c)[i], vary_row(x->law, i)); }
        lu_row_end(&row);
    }
}

#endif

#endif
