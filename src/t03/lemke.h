// SPDX-License-Identifier: MIT
// lemke.h - Lemke's method for a linear complementarity problem: complementary pivots along a covering ray.
//   given   tac_lcp: F, f
//   makes   z, w; or the ray that the pivots end on
//   bound   budget pivots of rows^2 multiplications, in LEMKE_TRIES tries; from other bases 2^LEMKE_JAMS times a
//           quarter of that
//   never   cycles where a problem is degenerate: ties are broken by the lexicographic rule (CPS92, 4.9)
#ifndef T03_LEMKE_H
#define T03_LEMKE_H

#include "lcp_units.h"

#if TAC_MAX_LCP > 0

// With a covering variable z_0, w = f + F z + 1 z_0 has a solution for large z_0. From there the pivots follow the
// edges on which all pairs but one are complementary, until z_0 is 0. All numbers
// are in the units of lcp_units.h, in which the largest -f is 1.
#define LEMKE_PIVOT (TAC_REAL_BITS == 32 ? R(1e-5) : R(1e-9)) // of the largest entry of a column: smaller ones are zero
#define LEMKE_TIE (TAC_REAL_BITS == 32 ? R(1e-5) : R(1e-12))  // rounding of a value: closer ratios are tied
#define LEMKE_CANCEL (R(16.0) * REAL_EPSILON)                 // of the terms of a difference: it is zero
#define LEMKE_GOOD                                                                                                     \
    (TAC_REAL_BITS == 32 ? R(1e-3) : R(1e-8)) // a larger residual says that rounding has lost the problem
#define LEMKE_TRIES 4                         // the next time ten times as much counts as zero
#define LEMKE_BUDGET 10                       // pivots a row

// ------------------------------------------------------------------------------------------------------------ pivots

static void lemke_place_basic(tac_lcp *q, uint32_t row, uint16_t variable)
{
    q->basic[row] = variable;
    q->place[variable] = (uint16_t)row;
}

static void lemke_place_free(tac_lcp *q, uint32_t column, uint16_t variable)
{
    q->free[column] = variable;
    q->place[variable] = (uint16_t)(q->rows + column);
}

static void lemke_begin(tac_lcp *q, real most)
{
    for (uint32_t i = 0; i < q->rows; i++) {
        for (uint32_t j = 0; j < q->rows; j++) { q->table[i][j] = q->scale[i] * q->F[i][j] * q->scale[j]; }
        q->table[i][q->rows] = R(1.0);
        q->value[i] = q->scale[i] * q->f[i] / most;
        lemke_place_basic(q, i, (uint16_t)i);
        lemke_place_free(q, i, (uint16_t)(q->rows + i));
    }
    lemke_place_free(q, q->rows, (uint16_t)(2 * q->rows));
}

// a + b, and 0 if they cancel to rounding: a pivot on such a difference would destroy the table.
static inline real lemke_add(real a, real b)
{
    const real sum = a + b;
    return real_abs(sum) <= LEMKE_CANCEL * real_abs(a) ? R(0.0) : sum;
}

// The pivot's row solved for the variable of column c. Returns how many of its other entries are not zero: their
// columns in q->tied. In a stack, whose contacts know only their neighbours, that is less than half.
static uint32_t lemke_pivot_row(tac_lcp *q, uint32_t r, uint32_t c)
{
    real *pivot = q->table[r];
    const real inverse = R(1.0) / pivot[c];
    uint32_t filled = 0;
    for (uint16_t j = 0; j <= q->rows; j++) {
        if (j == c || pivot[j] == R(0.0)) { continue; }
        pivot[j] *= -inverse;
        q->filled[filled++] = j;
    }
    pivot[c] = inverse;
    q->value[r] *= -inverse;
    return filled;
}

// The variable of column c becomes basic in row r, and that of row r free.
static void lemke_pivot(tac_lcp *q, uint32_t r, uint32_t c)
{
    const uint32_t filled = lemke_pivot_row(q, r, c);
    const real *pivot = q->table[r];
    const uint16_t leaving = q->basic[r];
    for (uint32_t i = 0; i < q->rows; i++) {
        const real factor = q->table[i][c];
        if (i == r || factor == R(0.0)) { continue; }
        for (uint32_t k = 0; k < filled; k++) {
            real *x = &q->table[i][q->filled[k]];
            *x = lemke_add(*x, factor * pivot[q->filled[k]]);
        }
        q->table[i][c] = factor * pivot[c];
        q->value[i] = lemke_add(q->value[i], factor * q->value[r]);
    }
    lemke_place_basic(q, r, q->free[c]);
    lemke_place_free(q, c, leaving);
}

// Of the rows that are tied those with the least ratio: number over the entry by which the entering variable lowers it.
static uint32_t lemke_least(tac_lcp *q, uint32_t tied, const real *number)
{
    real least = number[q->tied[0]] / q->entering[q->tied[0]];
    uint32_t kept = 0;
    for (uint32_t k = 1; k < tied; k++) {
        const uint16_t i = q->tied[k];
        const real ratio = number[i] / q->entering[i];
        if (ratio < least) { least = ratio; }
    }
    for (uint32_t k = 0; k < tied; k++) {
        const uint16_t i = q->tied[k];
        if (number[i] - least * q->entering[i] <= LEMKE_TIE * (R(1.0) + real_abs(least) * q->entering[i])) {
            q->tied[kept++] = i;
        }
    }
    return kept;
}

// Column k of the inverse of the basis at the tied rows, by which the lexicographic rule breaks ties. That of a basic
// w_k is a unit vector.
static void lemke_inverse(const tac_lcp *q, uint16_t k, uint32_t tied, real *number)
{
    const uint32_t place = q->place[k];
    for (uint32_t t = 0; t < tied; t++) {
        const uint16_t i = q->tied[t];
        number[i] = place >= q->rows ? -q->table[i][place - q->rows] : (place == i ? R(1.0) : R(0.0));
    }
}

// The row whose variable leaves, among those in tied[], by the lexicographic rule; the covering variable first.
static uint32_t lemke_choose(tac_lcp *q, uint32_t tied)
{
    tied = lemke_least(q, tied, q->value);
    for (uint32_t k = 0; k < tied; k++) {
        if (q->basic[q->tied[k]] == 2 * q->rows) { return q->tied[k]; }
    }
    for (uint16_t k = 0; k < q->rows && tied > 1; k++) {
        lemke_inverse(q, k, tied, q->z);
        tied = lemke_least(q, tied, q->z);
    }
    return q->tied[0];
}

// The first pivot: the covering variable enters, where f is least. Returns the variable that has left.
static uint16_t lemke_cover(tac_lcp *q)
{
    for (uint16_t i = 0; i < q->rows; i++) {
        q->entering[i] = R(1.0);
        q->tied[i] = i;
    }
    const uint32_t r = lemke_choose(q, q->rows);
    const uint16_t leaving = q->basic[r];
    lemke_pivot(q, r, q->rows);
    return leaving;
}

static uint16_t lemke_complement(const tac_lcp *q, uint16_t variable)
{
    return (uint16_t)(variable < q->rows ? variable + q->rows : variable - q->rows);
}

// A variable enters; `zero`: entries of its column that count as that, of the largest one. Returns the one that leaves;
// on a ray none does, and it is the one that enters.
static uint16_t lemke_enter(tac_lcp *q, uint16_t enters, real zero)
{
    const uint32_t c = (uint32_t)q->place[enters] - q->rows;
    real most = R(0.0);
    uint32_t tied = 0;
    for (uint32_t i = 0; i < q->rows; i++) {
        q->entering[i] = -q->table[i][c];
        most = real_max(most, real_abs(q->entering[i]));
    }
    for (uint16_t i = 0; i < q->rows; i++) {
        if (q->entering[i] > zero * most) { q->tied[tied++] = i; }
    }
    if (tied == 0) { return enters; }
    const uint32_t r = lemke_choose(q, tied);
    const uint16_t leaving = q->basic[r];
    lemke_pivot(q, r, c);
    return leaving;
}

// The pivots after which a try ends: each has an equal part of the budget.
static uint32_t lemke_last(const tac_lcp *q, uint32_t number)
{
    const uint64_t budget = q->budget > 0 ? q->budget : (uint32_t)LEMKE_BUDGET * q->rows;
    return (uint32_t)(budget * (number + 1) / LEMKE_TRIES);
}

// The covering variable enters first, then always the complement of the one that has left, until the covering one does.
static void lemke_follow(tac_lcp *q, uint32_t last, real zero)
{
    const uint16_t cover = (uint16_t)(2 * q->rows);
    uint16_t enters = cover, left = lemke_cover(q);
    for (q->steps++; left != cover && left != enters && q->steps < last; q->steps++) {
        enters = lemke_complement(q, left);
        left = lemke_enter(q, enters, zero);
    }
    q->end = left == cover ? TAC_LCP_LOST : (left == enters ? TAC_LCP_RAY : TAC_LCP_SPENT);
}

// ---------------------------------------------------------------------------------------------------------- solution

// z of the basis, in the units of the problem.
static void lemke_read(tac_lcp *q, real most)
{
    reals_clear(q->z, q->rows * sizeof *q->z);
    for (uint32_t i = 0; i < q->rows; i++) {
        const uint32_t k = q->basic[i];
        if (k >= q->rows && k < 2u * q->rows) {
            q->z[k - q->rows] = most * q->scale[k - q->rows] * real_max(q->value[i], R(0.0));
        }
    }
}

// `most`: the largest -f of lcp_units_scale(). The residual decides: if the ray is due to rounding z may be a
// solution, and at the end of the path it may be none.
static void lemke_solve(tac_lcp *q, real most)
{
    real zero = LEMKE_PIVOT;
    reals_clear(q->z, q->rows * sizeof *q->z);
    lcp_units_measure(q, most);
    q->steps = 0;
    q->end = TAC_LCP_SPENT;
    for (uint32_t i = 0; i < LEMKE_TRIES && q->residual > LEMKE_GOOD; i++, zero *= R(10.0)) {
        if (q->steps >= lemke_last(q, i)) { continue; }
        lemke_begin(q, most);
        lemke_follow(q, lemke_last(q, i), zero);
        lemke_read(q, most);
        lcp_units_measure(q, most);
    }
    if (q->residual <= LEMKE_GOOD) { q->end = TAC_LCP_SOLVED; }
}

// ------------------------------------------------------------------------------------------------------ other bases
// In a row with a negative diagonal a larger variable needs a still larger one: a contact that slides and jams
// (Painleve). There may be no path from z = 0 to a solution with a force in such rows, so paths are also tried from
// bases that contain their variables.
#define LEMKE_JAMS 4 // such rows of which all subsets are tried

// Pivots the rows of a subset into the basis. Returns 0 if one of them has no pivot.
static int lemke_bear(tac_lcp *q, const uint16_t *row, uint32_t subset)
{
    for (uint32_t k = 0; k < LEMKE_JAMS; k++) {
        if (!(subset >> k & 1)) { continue; }
        if (!(real_abs(q->table[row[k]][row[k]]) > LEMKE_PIVOT)) { return 0; }
        lemke_pivot(q, row[k], row[k]);
    }
    return 1;
}

// The path from there: where a value is negative, with the covering variable as from z = 0.
static void lemke_path(tac_lcp *q, uint32_t last)
{
    real least = R(0.0);
    for (uint32_t i = 0; i < q->rows; i++) {
        least = real_min(least, q->value[i]);
        q->table[i][q->rows] = R(1.0);
    }
    if (least < -LEMKE_TIE) { lemke_follow(q, last, LEMKE_PIVOT); }
}

// Returns 1 if there is a solution on one of these paths.
static int lemke_jam(tac_lcp *q, real most)
{
    uint16_t row[LEMKE_JAMS];
    uint32_t jams = 0;
    for (uint16_t i = 0; i < q->rows && jams < LEMKE_JAMS; i++) {
        if (q->F[i][i] < R(0.0)) { row[jams++] = i; }
    }
    for (uint32_t subset = 1; subset < 1u << jams; subset++) {
        lemke_begin(q, most);
        if (!lemke_bear(q, row, subset)) { continue; }
        lemke_path(q, q->steps + lemke_last(q, 0));
        lemke_read(q, most);
        lcp_units_measure(q, most);
        if (q->residual <= LEMKE_GOOD) {
            q->end = TAC_LCP_SOLVED;
            return 1;
        }
    }
    return 0;
}

#endif

#endif
