// SPDX-License-Identifier: MIT
// advance.h - steps of a linear complementarity system, each of whose problems starts from the rows that bore before.
//   given   tac_lcs; x, u of each step, l of the step before
//   makes   x and l after the steps; the residual of each problem
//   bound   a step: products with the matrices, ADVANCE_ROUNDS factors of the rows that bear, then Lemke's method
//   never   takes a guess for an answer: every solution is measured in all rows
#ifndef DERIVATIVE_ADVANCE_H
#define DERIVATIVE_ADVANCE_H

#include "../base/lu.h"
#include "../t03/lemke.h"

#if TAC_MAX_LCP > 0

// The problem of a step, 0 <= z  perp  F z + f >= 0 with f = E x + H u + c, is linear once it is known which rows bear:
//      F_bb z_b = -f_b,   z = 0 elsewhere
// From one step to the next few rows begin or cease to bear. So the rows of the last solution are tried first; then
// those that are wrong, z_b < 0 or w < 0 elsewhere, change sides, all at once while that makes them fewer, else the
// last of them alone (block principal pivoting: J. Judice, F. Pires, Comput. Oper. Res. 21, 1994). The factor of F_bb
// is kept while the rows stay the same. Rows of F_bb that depend on others, as those of redundant contacts, bear
// nothing.
#define ADVANCE_ROUNDS 10 // most changes of sides
#define ADVANCE_PATIENCE 3 // rounds without fewer wrong rows before single ones change
#define ADVANCE_TIE (TAC_REAL_BITS == 32 ? R(1e-5) : R(1e-10)) // of the largest -f: less than this is not wrong

typedef struct advance {
    const tac_lcs *y;
    tac_lcp *q;           // rows that bear: place[] is 1, listed in free[]; their factor in table, tied and filled
    uint32_t count, rank; // of these rows
    int factored;         // the factor is that of these rows
    real most;            // the largest -f in the units of lcp_units.h
} advance;

static void advance_list(advance *a)
{
    a->count = 0, a->factored = 0;
    for (uint16_t i = 0; i < a->q->rows; i++) {
        if (a->q->place[i]) { a->q->free[a->count++] = i; }
    }
}

// The rows of a solution. Those that bear nothing because they depend on others are none of them: a step follows from x,
// u and l alone.
static void advance_bear(advance *a, const real *z)
{
    uint16_t changed = 0;
    for (uint32_t i = 0; i < a->q->rows; i++) {
        const uint16_t bears = z[i] > R(0.0);
        changed |= (uint16_t)(a->q->place[i] ^ bears);
        a->q->place[i] = bears;
    }
    if (changed) { advance_list(a); }
}

static void advance_open(advance *a, const tac_lcs *y, tac_lcp *q, const real *l)
{
    a->y = y, a->q = q;
    q->rows = y->size.l;
    for (size_t i = 0; i < q->rows; i++) {
        reals_copy(q->F[i], &y->F[i * q->rows], q->rows * sizeof **q->F);
        q->f[i] = R(0.0);
    }
    (void)lcp_units_scale(q);
    for (uint32_t i = 0; i < q->rows; i++) { q->place[i] = l[i] > R(0.0); }
    advance_list(a);
}

// f of the problem, and the largest -f.
static void advance_problem(advance *a, const real *x, const real *u)
{
    const tac_lcs *y = a->y;
    const uint32_t wide = y->size.x, inputs = y->size.u;
    a->most = R(0.0);
    for (size_t i = 0; i < a->q->rows; i++) {
        const real sum = lu_sum(y->c[i], &y->E[i * wide], x, wide);
        a->q->f[i] = inputs > 0 ? lu_sum(sum, &y->H[i * inputs], u, inputs) : sum;
        a->most = real_max(a->most, -a->q->scale[i] * a->q->f[i]);
    }
}

static void advance_factor(advance *a)
{
    tac_lcp *q = a->q;
    for (uint32_t i = 0; i < a->count; i++) {
        const uint32_t row = q->free[i];
        for (uint32_t j = 0; j < a->count; j++) {
            q->table[i][j] = q->scale[row] * q->F[row][q->free[j]] * q->scale[q->free[j]];
        }
    }
    a->rank = lu_rank(q->table[0], a->count, TAC_MAX_LCP + 1, LEMKE_PIVOT, 0, q->tied, q->filled);
    a->factored = 1;
}

// z of the rows that bear, from their factor.
static void advance_solve(const advance *a)
{
    tac_lcp *q = a->q;
    real *y = q->value;
    for (uint32_t k = 0; k < a->rank; k++) {
        const uint32_t row = q->free[q->tied[k]];
        y[k] = -lu_sum(q->scale[row] * q->f[row], q->table[k], y, k);
    }
    reals_clear(q->z, q->rows * sizeof *q->z);
    for (uint32_t k = a->rank; k-- > 0;) {
        y[k] = -lu_sum(-y[k], &q->table[k][k + 1], &y[k + 1], a->rank - 1 - k) / q->table[k][k];
        const uint32_t row = q->free[q->filled[k]];
        q->z[row] = q->scale[row] * y[k];
    }
}

// Is a row on the wrong side?
static int advance_wrong(const advance *a, uint32_t i)
{
    const real value = a->q->place[i] ? a->q->z[i] / a->q->scale[i] : a->q->w[i] * a->q->scale[i];
    return value < -ADVANCE_TIE * a->most;
}

// How many rows are wrong; the last of them.
static uint32_t advance_count(const advance *a, uint32_t *last)
{
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < a->q->rows; i++) {
        if (!advance_wrong(a, i)) { continue; }
        wrong++;
        *last = i;
    }
    return wrong;
}

// Wrong rows change sides: those from `first` on.
static void advance_change(advance *a, uint32_t first)
{
    for (uint32_t i = first; i < a->q->rows; i++) {
        if (advance_wrong(a, i)) { a->q->place[i] ^= 1; }
    }
    advance_list(a);
}

// Returns 1 if z solves the problem.
static int advance_pivots(advance *a)
{
    uint32_t fewest = a->q->rows + 1, patience = ADVANCE_PATIENCE, clipped = 0;
    for (uint32_t i = 0; i < ADVANCE_ROUNDS; i++) {
        uint32_t last = 0;
        if (!a->factored) { advance_factor(a); }
        advance_solve(a);
        lcp_units_measure(a->q, a->most);
        a->q->steps++;
        const uint32_t wrong = advance_count(a, &last);
        if (wrong == 0) { break; }
        if (wrong < fewest) {
            fewest = wrong;
            patience = ADVANCE_PATIENCE;
        } else if (patience > 0) {
            patience--;
        }
        advance_change(a, patience > 0 ? 0 : last);
    }
    for (uint32_t i = 0; i < a->q->rows; i++) {
        if (a->q->z[i] < R(0.0)) { a->q->z[i] = R(0.0), clipped = 1; }
    }
    if (clipped) { lcp_units_measure(a->q, a->most); }
    return a->q->residual <= LEMKE_GOOD;
}

// z and w of the problem, or of what Lemke's method has ended with.
static void advance_impulses(advance *a)
{
    tac_lcp *q = a->q;
    q->end = TAC_LCP_SOLVED;
    if (!advance_pivots(a)) {
        const uint32_t rounds = q->steps;
        lemke_solve(q, a->most);
        q->steps += rounds;
        for (uint32_t i = 0; i < q->rows; i++) { q->place[i] = 2; } // the table is another
    }
    advance_bear(a, q->z);
}

// to = A x + B u + D l + d
static void advance_state(const tac_lcs *y, const real *x, const real *u, const real *l, real *to)
{
    const uint32_t wide = y->size.x, inputs = y->size.u, rows = y->size.l;
    for (size_t i = 0; i < wide; i++) {
        real sum = lu_sum(y->d[i], &y->A[i * wide], x, wide);
        if (inputs > 0) { sum = lu_sum(sum, &y->B[i * inputs], u, inputs); }
        to[i] = rows > 0 ? lu_sum(sum, &y->D[i * rows], l, rows) : sum;
    }
}

// One step. Returns 0 with x and l as they were if a number is not finite.
static int advance_step(advance *a, const real *u, real *x, real *l)
{
    tac_lcp *q = a->q;
    const size_t wide = a->y->size.x * sizeof *x, rows = q->rows * sizeof *l;
    advance_problem(a, x, u);
    if (!reals_finite(q->f, rows)) { return 0; }
    advance_impulses(a);
    advance_state(a->y, x, u, q->z, q->entering);
    if (!reals_finite(q->z, rows) || !reals_finite(q->w, rows) || !reals_finite(q->entering, wide)) { return 0; }
    reals_copy(x, q->entering, wide);
    reals_copy(l, q->z, rows);
    return 1;
}

#endif

#endif
