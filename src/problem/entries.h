// SPDX-License-Identifier: MIT
// entries.h - the matrix N of a problem: checks, the index of its blocks, products with it, inverses of its diagonal
// blocks.
//   given   a tac_problem
//   makes   the index part of tac_solve_work; (N x)_i
//   bound   one pass over the stored numbers; a search of a row for each entry when it is checked
//   never   trusts an index that it has not checked
#ifndef PROBLEM_ENTRIES_H
#define PROBLEM_ENTRIES_H

#include "set.h"
#include "../model/check.h"

#if TAC_SOLVE

#define ENTRIES_ASYMMETRY (R(64.0) * REAL_EPSILON) // of sqrt(N_rr N_cc)
#define ENTRIES_SINGULAR (R(64.0) * REAL_EPSILON)  // of a row's diagonal: what is left of it counts as nothing

// Row i of N times x, and the proximal term if there is one. `out` has rows_i numbers; three of them are summed in
// registers.
static void entries_row(const tac_problem *q, const tac_solve_work *w, uint32_t i, const real *x, real *out)
{
    const uint32_t rows = w->row[i + 1] - w->row[i];
    const tac_problem_entry *e = &q->entry[w->first[i]], *end = &q->entry[w->first[i + 1]];
    const real *own = &x[w->row[i]], proximal = w->progress.proximal;
    for (uint32_t r = 0; r < rows; r++) { out[r] = proximal * own[r]; }
    if (rows == 3) {
        real a = out[0], b = out[1], c = out[2];
        for (; e < end && w->row[e->column + 1] - w->row[e->column] == 3; e++) {
            const real *n = &q->value[e->value], *xj = &x[w->row[e->column]];
            const real x0 = xj[0], x1 = xj[1], x2 = xj[2];
            a += n[0] * x0 + n[1] * x1 + n[2] * x2;
            b += n[3] * x0 + n[4] * x1 + n[5] * x2;
            c += n[6] * x0 + n[7] * x1 + n[8] * x2;
        }
        out[0] = a;
        out[1] = b;
        out[2] = c;
    }
    for (; e < end; e++) {
        const real *n = &q->value[e->value], *xj = &x[w->row[e->column]];
        const uint32_t columns = w->row[e->column + 1] - w->row[e->column];
        for (uint32_t r = 0; r < rows; r++) {
            for (uint32_t c = 0; c < columns; c++) { out[r] += *n++ * xj[c]; }
        }
    }
}

// y = N x: one pass.
static void entries_mul(const tac_problem *q, tac_solve_work *w, const real *x, real *y)
{
    for (uint32_t i = 0; i < q->blocks; i++) { entries_row(q, w, i, x, &y[w->row[i]]); }
    w->progress.spent += q->values;
}

// u = N g + p: one pass.
static void entries_velocity(const tac_problem *q, tac_solve_work *w, const real *g, real *u)
{
    entries_mul(q, w, g, u);
    for (uint32_t i = 0; i < q->blocks; i++) {
        for (uint32_t r = 0; r < q->block[i].rows; r++) { u[w->row[i] + r] += q->block[i].p[r]; }
    }
}

// --------------------------------------------------------------------------------------------------- is it a problem?

// The entry (i, j), or none. Rows are sorted.
static const tac_problem_entry *entries_find(const tac_problem *q, const tac_solve_work *w, uint32_t i, uint32_t j)
{
    uint32_t lo = w->first[i], hi = w->first[i + 1];
    while (lo < hi) {
        const uint32_t middle = lo + (hi - lo) / 2;
        if (q->entry[middle].column < j) {
            lo = middle + 1;
        } else {
            hi = middle;
        }
    }
    return lo < w->first[i + 1] && q->entry[lo].column == j ? &q->entry[lo] : NULL;
}

// Does the problem say of this block what a set needs?
static int entries_block_valid(const tac_problem_block *k)
{
    static const uint8_t rows[TAC_SETS] = {
        [TAC_SET_INTERVAL] = 1, [TAC_SET_RAY] = 1,     [TAC_SET_CONE] = 3,
        [TAC_SET_TORSION] = 4,  [TAC_SET_ROLLING] = 6, // FREE: as many as it says
    };
    if (k->set >= TAC_SETS || k->rows < 1 || k->rows > TAC_BLOCK_ROWS) { return 0; }
    if (k->set != TAC_SET_FREE && k->rows != rows[k->set]) { return 0; }
    int valid = k->set != TAC_SET_INTERVAL || k->lo <= k->hi;
    if (set_is_cone(k)) { valid = valid && check_within(k->mu, CHECK_FRICTION_MAX); }
    for (int i = 0; i < k->rows; i++) {
        valid = valid && real_finite(k->p[i]);
        if (set_is_cone(k) && k->set != TAC_SET_CONE && i > 0) {
            const int length = check_length(k->e[i - 1]) == TAC_REASON_NONE;
            valid = valid && length && k->mu * k->e[i - 1] <= TAC_MOST_AXIS;
        }
    }
    return valid;
}

// Rows of blocks, entries of rows. Returns TAC_E_MODEL with report.fault if counts, sets, order or ranges are wrong.
static tac_status entries_index(const tac_problem *q, tac_solve_work *w)
{
    uint32_t rows = 0, entry = 0;
    if (q->blocks > TAC_MAX_SOLVE_BLOCKS || q->entries > TAC_MAX_SOLVE_ENTRIES || q->values > TAC_MAX_SOLVE_VALUES) {
        return TAC_E_MODEL;
    }
    for (uint32_t i = 0; i < q->blocks; i++) {
        w->report.fault = i;
        if (!entries_block_valid(&q->block[i]) || rows + q->block[i].rows > TAC_MAX_SOLVE_ROWS) { return TAC_E_MODEL; }
        w->row[i] = rows;
        rows += q->block[i].rows;
    }
    w->row[q->blocks] = rows;
    for (uint32_t i = 0; i < q->blocks; i++) {
        w->report.fault = i;
        w->first[i] = entry;
        for (; entry < q->entries && q->entry[entry].row == i; entry++) {
            const tac_problem_entry *e = &q->entry[entry];
            if (e->column >= q->blocks || (entry > w->first[i] && e->column <= e[-1].column)) { return TAC_E_MODEL; }
            const uint32_t size = (uint32_t)q->block[i].rows * q->block[e->column].rows;
            if (e->value > q->values || size > q->values - e->value) { return TAC_E_MODEL; }
        }
    }
    w->first[q->blocks] = entry;
    return entry == q->entries && rows == q->rows ? TAC_OK : TAC_E_MODEL;
}

// N_ij against N_ji, and against the diagonals: |N_rc| <= sqrt(N_rr N_cc) in every positive semidefinite matrix. The
// roots of the diagonal are in a[]. What is below the diagonal is compared from above.
static int entries_entry_valid(const tac_problem *q, const tac_solve_work *w, const tac_problem_entry *e)
{
    const tac_problem_entry *f = entries_find(q, w, e->column, e->row);
    if (f == NULL) { return 0; }
    const uint32_t rows = q->block[e->row].rows, columns = q->block[e->column].rows;
    const real *here = &q->value[e->value], *there = &q->value[f->value];
    for (uint32_t r = 0; r < rows && e->row <= e->column; r++) {
        const real size = ENTRIES_ASYMMETRY * w->a[w->row[e->row] + r];
        for (uint32_t c = 0; c < columns; c++) {
            if (!(real_abs(*here++ - there[c * rows + r]) <= size * w->a[w->row[e->column] + c])) { return 0; }
        }
    }
    return 1;
}

// Every block has its diagonal, positive; N is finite and symmetric.
static tac_status entries_check(const tac_problem *q, tac_solve_work *w)
{
    for (uint32_t i = 0; i < q->blocks; i++) {
        w->report.fault = i;
        const tac_problem_entry *e = entries_find(q, w, i, i);
        if (e == NULL) { return TAC_E_MODEL; }
        w->diagonal[i] = e->value;
        for (uint32_t r = 0; r < q->block[i].rows; r++) {
            const real d = q->value[e->value + r * (q->block[i].rows + 1u)];
            if (!real_finite(d)) { return TAC_E_NAN; }
            if (!(d > R(0.0))) { return TAC_E_MODEL; }
            w->a[w->row[i] + r] = real_sqrt(d);
        }
    }
    if (!reals_finite(q->value, q->values * sizeof q->value[0])) { return TAC_E_NAN; }
    for (const tac_problem_entry *e = q->entry; e < q->entry + q->entries; e++) {
        w->report.fault = e->row;
        if (!entries_entry_valid(q, w, e)) { return TAC_E_MODEL; }
    }
    w->report.fault = 0;
    return TAC_OK;
}

// ------------------------------------------------------------------------------------------------- the diagonal blocks

// Inverse of a positive semidefinite block, in place, by sweeping one row after the other; a row of which nothing is
// left counts as held by the others: a generalised inverse.
static void entries_invert(real *a, uint32_t n)
{
    real diagonal[TAC_BLOCK_ROWS];
    for (uint32_t k = 0; k < n; k++) { diagonal[k] = a[k * n + k]; }
    for (uint32_t k = 0; k < n; k++) {
        const int lost = !(a[k * n + k] > ENTRIES_SINGULAR * diagonal[k]);
        const real pivot = lost ? R(0.0) : R(1.0) / a[k * n + k];
        for (uint32_t r = 0; r < n; r++) {
            const real factor = a[r * n + k] * pivot;
            for (uint32_t c = 0; c < n && r != k; c++) {
                if (c != k) { a[r * n + c] -= factor * a[k * n + c]; }
            }
        }
        for (uint32_t r = 0; r < n; r++) {
            a[r * n + k] *= -pivot;
            a[k * n + r] *= pivot;
        }
        a[k * n + k] = pivot;
    }
}

// Steps of a projected iteration inside block i: rows scaled to unit diagonal, whose largest eigenvalue is at most the
// largest absolute row sum; a cone without semi-axes takes the mean of its tangential rows, so that it stays round.
static void entries_steps(const tac_problem *q, tac_solve_work *w, uint32_t i)
{
    const tac_problem_block *k = &q->block[i];
    const real *n = &q->value[w->diagonal[i]];
    real *step = &w->step[w->row[i]], root[TAC_BLOCK_ROWS], largest = R(0.0);
    for (uint32_t r = 0; r < k->rows; r++) { step[r] = R(1.0) / (n[r * (k->rows + 1u)] + w->progress.proximal); }
    if (k->set == TAC_SET_CONE) { step[1] = step[2] = R(2.0) / (R(1.0) / step[1] + R(1.0) / step[2]); }
    for (uint32_t r = 0; r < k->rows; r++) { root[r] = real_sqrt(step[r]); }
    for (uint32_t r = 0; r < k->rows; r++) {
        real sum = R(0.0);
        for (uint32_t c = 0; c < k->rows; c++) { sum += root[c] * real_abs(*n++); }
        largest = real_max(largest, root[r] * sum + w->progress.proximal * step[r]);
    }
    for (uint32_t r = 0; r < k->rows; r++) { step[r] /= largest; }
}

// d_i, steps and inverses of all blocks, for the proximal term in force.
static void entries_blocks(const tac_problem *q, tac_solve_work *w)
{
    uint32_t small = 0;
    for (uint32_t i = 0; i < q->blocks; i++) {
        const uint32_t rows = q->block[i].rows;
        const real *n = &q->value[w->diagonal[i]];
        real trace = R(0.0), *inverse = &w->inverse[small];
        for (uint32_t k = 0; k < rows * rows; k++) { inverse[k] = n[k]; }
        for (uint32_t r = 0; r < rows; r++) {
            trace += n[r * (rows + 1)];
            inverse[r * (rows + 1)] += w->progress.proximal;
        }
        w->weight[i] = trace / (real)rows;
        entries_invert(inverse, rows);
        entries_steps(q, w, i);
        w->small[i] = small;
        small += rows * rows;
    }
}

#endif

#endif
