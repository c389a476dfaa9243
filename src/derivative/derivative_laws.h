// SPDX-License-Identifier: MIT
// derivative_laws.h - the active set: how the impulses of contacts answer, each by the law of its mode.
//   given   contacts that bear a force; the matrix of the residual by mean rates, factored, and its inverse
//   makes   Jacobians; the response of the rates to right sides and to velocities that contacts see, with contacts
//   bound   (3 contacts)^3; for each coordinate 3 contacts coordinates multiplications
//   never   opens, closes or slides another contact than the step did
#ifndef DERIVATIVE_DERIVATIVE_LAWS_H
#define DERIVATIVE_DERIVATIVE_LAWS_H

#include "derivative_columns.h"

#if TAC_MAX_LCP > 0

// With g the impulses of contacts that bear a force, J = D'S and r the mean rates of all coordinates,
//      residual(q, v, r) - J'g = 0,     u = D'V(q, v, r) + b,     a(u, g) = 0,
// where V are the velocities that contacts see, and a is the law of each contact in its mode, src/sets:
//      OPEN    g = 0
//      STICK   u = 0
//      SLIDE   u_n = 0 (relaxed: u_n = mu |u_T|),   g_T = -mu g_n u_T/|u_T|
// Its derivative along and across the direction of sliding s, t = n x s:
//      du_n - relaxed mu du_s = 0,     dg_s + mu dg_n = 0,     du_t + |u_T|/(mu g_n) dg_t = 0.
// A body on four corners has more rows than motions. They are consistent: those that the others imply are left out.
#define DERIVATIVE_IMPLIED (TAC_REAL_BITS == 32 ? R(1e-4) : R(1e-8)) // of W with a diagonal of 1: less is left of a row

// The contacts see velocities of the solve, which moves all bodies along tangents: u = z'(S'(M v + h f) + J'g) + ..,
// with z = M^-1 J'. The rates r follow after it, from the same momenta by the matrix K (vary_matrix.h): so u changes by
// z'y where the right side of K dr = y does. What the arcs of joints add to u depends on the velocities at the start:
//      du = (D'dV/dr - z'K) dv.
// All of it is linear, so each right side y has its response, a column of
//      K^-1 (1 - J' (law W)^-1 law z'),
// and what a column of q or v changes of u besides has -K^-1 J' (law W)^-1 law. A column has few numbers that are not
// zero. To the right of the derivative of velocities are J' and z; after the rows of K the changes of u, by q, then by
// v. To the right of the matrix of the laws is that of pushes, then the response to changes of u, then the changes of
// gaps.

static real *derivative_impulses(const vary_step *x, uint32_t coordinate)
{
    return vary_by_rate(x, coordinate) + x->t->mechanism.coordinates;
}

static real *derivative_answers(const vary_step *x, uint32_t coordinate)
{
    return derivative_impulses(x, coordinate) + x->first;
}

// J' of a contact along the coordinates of one of its bodies.
static void derivative_jacobian(const vary_step *x, uint32_t contact, int side)
{
    const tac_mechanism *k = &x->t->mechanism;
    const tac_contact *c = &x->w->contact[contact];
    uint16_t on = side ? c->body_b : c->body_a;
    real force[3][6];
    if (!mechanism_moves(x->m, on)) { return; }
    const vec3 at = v3_sub(c->point, x->s->pose[k->body[on].tree].p);
    for (int i = 0; i < 3; i++) {
        const vec3 d = v3_scale(side ? R(1.0) : R(-1.0), x->t->contact[contact].axes[i]);
        six_set(force[i], v3_cross(at, d), d);
    }
    for (int more = 1; more; on = k->body[on].parent) {
        for (size_t j = k->body[on].first; j < (size_t)k->body[on].first + k->body[on].axes; j++) {
            const real *start = x->t->axis[j].start;
            real *to = derivative_impulses(x, (uint32_t)j) + 3 * contact;
            for (int i = 0; i < 3; i++) { to[i] += six_dot(start, force[i]); }
        }
        more = mechanism_hangs(k, on);
    }
}

// J' and z of all contacts. Impulses do nothing along coordinates that are led.
static void derivative_enter(const vary_step *x, uint32_t count)
{
    const tac_mechanism *k = &x->t->mechanism;
    const uint32_t n = k->coordinates, rows = 3 * count;
    for (uint32_t j = 0; j < n; j++) { reals_clear(derivative_impulses(x, j), rows * sizeof(real)); }
    for (uint32_t i = 0; i < count; i++) {
        derivative_jacobian(x, i, 0);
        derivative_jacobian(x, i, 1);
    }
    for (uint32_t j = 0; j < n; j++) {
        reals_copy(derivative_answers(x, j), derivative_impulses(x, j), rows * sizeof(real));
    }
    vary_answer(x, derivative_answers(x, 0), TAC_MAX_LCP, rows);
    for (uint32_t at = 0; at < k->bodies; at++) {
        const uint16_t self = k->order[at];
        if (x->t->body[self].acts && x->t->body[self].held) {
            reals_clear(derivative_impulses(x, k->body[self].first), rows * sizeof(real));
        }
    }
}

// Velocities by impulses, W = z'J', as the laws take them, and what these make of impulses; rows and columns scaled.
static void derivative_matrix(const vary_step *x, uint32_t count)
{
    const uint32_t rows = 3 * count, n = x->t->mechanism.coordinates;
    for (uint32_t i = 0; i < rows; i++) { // W is symmetric
        reals_clear(&x->q->F[i][i], (rows - i) * sizeof(real));
        lu_row to = lu_row_of(&x->q->F[i][i], rows - i);
        for (uint32_t j = 0; j < n; j++) {
            lu_row_add(&to, derivative_impulses(x, j)[i], derivative_answers(x, j) + i);
        }
        lu_row_end(&to);
        for (uint32_t j = i + 1; j < rows; j++) { x->q->F[j][i] = x->q->F[i][j]; }
    }
    for (uint32_t i = 0; i < count; i++) {
        tac_varied_contact *k = &x->t->contact[i];
        const real mu = x->w->contact[i].mu;
        real *row[3] = {x->q->F[3 * i], x->q->F[3 * i + 1], x->q->F[3 * i + 2]};
        const real trace = (row[0][3 * i] + row[1][3 * i + 1] + row[2][3 * i + 2]) / R(3.0);
        k->scale = trace > R(0.0) ? R(1.0) / real_sqrt(trace) : R(0.0);
        for (uint32_t j = 0; j < 3 && !k->bears; j++) {
            reals_clear(row[j], rows * sizeof *row[j]);
            row[j][3 * i + j] = trace;
        }
        if (!k->slides) { continue; }
        if (k->law * mu > R(0.0)) { lu_madd(row[0], -k->law * mu, row[1], rows); }
        reals_clear(row[1], rows * sizeof *row[1]);
        if (!(mu > R(0.0))) { reals_clear(row[2], rows * sizeof *row[2]); }
        row[1][3 * i] = mu * trace;
        row[1][3 * i + 1] = trace;
        row[2][3 * i + 2] += mu > R(0.0) ? k->slip / (mu * k->g.x) : trace;
    }
    for (uint32_t i = 0; i < rows; i++) {
        real *row = x->q->F[i];
        const real own = x->t->contact[i / 3].scale;
        for (uint32_t j = 0; j < count; j++, row += 3) {
            const real scale = own * x->t->contact[j].scale;
            row[0] *= scale, row[1] *= scale, row[2] *= scale;
        }
    }
}

// z'K of the normal of a contact: what u_n changes by with changes of the rates, but for what the arcs of joints add.
// It is asked for where no law holds u_n, before K is factored, and stored after the changes of gaps.
static real *derivative_ends(const vary_step *x, uint32_t count, uint32_t contact)
{
    return vary_law(x, count + contact) + x->t->mechanism.coordinates;
}

static void derivative_end(const vary_step *x, uint32_t count, uint32_t contact)
{
    const uint32_t n = x->t->mechanism.coordinates;
    real *to = derivative_ends(x, count, contact);
    reals_clear(to, n * sizeof *to);
    lu_row sum = lu_row_of(to, n);
    for (uint32_t c = 0; c < n && !x->t->contact[contact].bears; c++) {
        lu_row_add(&sum, derivative_answers(x, c)[3 * contact], &vary_matrix(x)[c * VARY_STRIDE]);
    }
    lu_row_end(&sum);
}

// What the rates answer to what a contact sees: law' of the answer to what its law asks, rows in the order n, s, t.
static void derivative_law(const vary_step *x, uint32_t i)
{
    const tac_varied_contact *k = &x->t->contact[i];
    const real mu = x->w->contact[i].mu;
    const uint32_t n = x->t->mechanism.coordinates;
    real *row[3] = {vary_law(x, 3 * i), vary_law(x, 3 * i + 1), vary_law(x, 3 * i + 2)};
    for (int r = 0; r < 3; r++) {
        for (uint32_t j = 0; j < n; j++) { row[r][j] = k->bears ? row[r][j] * k->scale : R(0.0); }
    }
    if (!k->slides) { return; }
    for (uint32_t j = 0; j < n; j++) { row[1][j] = -k->law * mu * row[0][j]; }
    if (!(mu > R(0.0))) { reals_clear(row[2], n * sizeof *row[2]); }
}

// The response of the rates to changes of u, one a row, and what it adds to that of right sides, which contacts see by
// z. J K'^-1 is where the changes of u will be.
static void derivative_factor(const vary_step *x, uint32_t count)
{
    const uint32_t rows = 3 * count, n = x->t->mechanism.coordinates;
    real *back = vary_seen_in(x, VARY_Q, 0);
    int sticks = 1;
    if (rows == 0) { return; }
    for (uint32_t i = 0; i < count; i++) { sticks &= x->t->contact[i].bears && !x->t->contact[i].slides; }
    derivative_matrix(x, count);
    reals_clear(back, rows * n * sizeof *back);
    for (uint32_t i = 0; i < rows; i++) {
        const real scale = -x->t->contact[i / 3].scale;
        lu_row to = lu_row_of(&back[i * n], n);
        for (uint32_t c = 0; c < n; c++) { lu_row_add(&to, scale * derivative_impulses(x, c)[i], vary_response(x, c)); }
        lu_row_end(&to);
    }
    const uint32_t rank = lu_rank(x->q->F[0], rows, TAC_MAX_LCP, DERIVATIVE_IMPLIED, sticks, x->q->free, x->q->basic);
    lu_transposed(x->q->F[0], rank, rows, TAC_MAX_LCP, x->q->free, x->q->basic, back, n, vary_law(x, 0), n);
    for (uint32_t i = 0; i < count; i++) { derivative_law(x, i); }
    for (uint32_t c = 0; c < n; c++) {
        lu_row to = lu_row_of(vary_response(x, c), n);
        for (uint32_t i = 0; i < rows; i++) { lu_row_add(&to, derivative_answers(x, c)[i], vary_law(x, i)); }
        lu_row_end(&to);
    }
}

#endif

#endif
