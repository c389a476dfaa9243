// SPDX-License-Identifier: MIT
// profile.h - a sparse matrix between reduced blocks, factored in fixed memory: order, profile, L and U, solution.
//   given   how many reduced rows each block has; the values inside the profile
//   makes   A = L U without pivoting, inside the profile; x with A x = b
//   bound   rows times the square of the profile's width, counted as spent
//   never   divides by a pivot that is only rounding: the unknown of such a row stays zero
#ifndef PROBLEM_PROFILE_H
#define PROBLEM_PROFILE_H

#include "../base/real.h"

#if TAC_SOLVE && TAC_MAX_SOLVE_FACTOR > 0

#define FACTOR_LOST (R(4.0) * REAL_EPSILON) // of a row's diagonal: a pivot below this is rounding

// --------------------------------------------------------------------------------------------------------------- order

static uint32_t factor_degree(const tac_solve_work *w, uint32_t i)
{
    return w->first[i + 1] - w->first[i];
}

// The neighbour of block i that is not ordered yet and has least degree, or TAC_NONE.
static uint16_t factor_neighbour(const tac_problem *q, const tac_solve_work *w, uint32_t i)
{
    uint16_t least = TAC_NONE;
    for (uint32_t e = w->first[i]; e < w->first[i + 1]; e++) {
        const uint16_t j = q->entry[e].column;
        if (w->place[j] == TAC_NONE && (least == TAC_NONE || factor_degree(w, j) < factor_degree(w, least))) {
            least = j;
        }
    }
    return least;
}

// Breadth-first search from block `start`, neighbours of least degree first; the blocks found go to order[count...].
// Returns how many are in order[] then.
static uint32_t factor_breadth_first(const tac_problem *q, tac_solve_work *w, uint32_t start, uint32_t count)
{
    uint32_t seen = count;
    w->order[count] = (uint16_t)start;
    w->place[start] = (uint16_t)count++;
    for (; seen < count; seen++) {
        uint16_t next;
        while ((next = factor_neighbour(q, w, w->order[seen])) != TAC_NONE) {
            w->order[count] = next;
            w->place[next] = (uint16_t)count++;
        }
    }
    return count;
}

// Cuthill and McKee 1969, reversed (George 1971): each connected component is ordered from a peripheral block, the one
// that a first search finds last.
static void factor_order(const tac_problem *q, tac_solve_work *w)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < q->blocks; i++) { w->place[i] = TAC_NONE; }
    for (uint32_t i = 0; i < q->blocks; i++) {
        if (w->place[i] != TAC_NONE) { continue; }
        const uint32_t end = factor_breadth_first(q, w, i, count), far = w->order[end - 1];
        for (uint32_t k = count; k < end; k++) { w->place[w->order[k]] = TAC_NONE; }
        count = factor_breadth_first(q, w, far, count);
    }
    for (uint32_t k = 0; k < count; k++) { w->place[w->order[k]] = (uint16_t)(count - 1 - k); }
    for (uint32_t i = 0; i < q->blocks; i++) { w->order[w->place[i]] = (uint16_t)i; }
}

// ------------------------------------------------------------------------------------------------------------- profile

// On entry reduced[k + 1] is how many rows the k-th block has; on return it is the index after its last row. Clears the
// profile. Returns 0 if the profile has no room.
static int factor_profile(const tac_problem *q, tac_solve_work *w)
{
    w->reduced[0] = 0;
    for (uint32_t k = 0; k < q->blocks; k++) { w->reduced[k + 1] += w->reduced[k]; }
    uint32_t size = 0;
    w->begin[0] = 0;
    for (uint32_t k = 0; k < q->blocks; k++) {
        const uint32_t i = w->order[k];
        uint32_t left = w->reduced[k];
        for (uint32_t e = w->first[i]; e < w->first[i + 1]; e++) {
            const uint32_t other = w->place[q->entry[e].column];
            if (w->reduced[other] < left && w->reduced[other + 1] > w->reduced[other]) { left = w->reduced[other]; }
        }
        for (uint32_t r = w->reduced[k]; r < w->reduced[k + 1]; r++) {
            w->left[r] = left;
            if (r - left > TAC_MAX_SOLVE_FACTOR - size) { return 0; }
            size += r - left;
            w->begin[r + 1] = size;
        }
    }
    for (uint32_t n = 0; n < size; n++) { w->lower[n] = w->upper[n] = R(0.0); }
    for (uint32_t r = 0; r < w->reduced[q->blocks]; r++) { w->pivot[r] = R(0.0); }
    return 1;
}

// A_rc += value, for an entry inside the profile.
static void factor_add(tac_solve_work *w, uint32_t r, uint32_t c, real value)
{
    if (r == c) {
        w->pivot[r] += value;
    } else if (r > c) {
        w->lower[w->begin[r] + (c - w->left[r])] += value;
    } else {
        w->upper[w->begin[c] + (r - w->left[c])] += value;
    }
}

// ------------------------------------------------------------------------------------------------------------- L U = A

// Sum of l_ik u_kj over the columns k < end that row i of L and column j of U share.
static real factor_dot(tac_solve_work *w, uint32_t i, uint32_t j, uint32_t end)
{
    const uint32_t from = w->left[i] > w->left[j] ? w->left[i] : w->left[j];
    if (from >= end) { return R(0.0); }
    const real *l = &w->lower[w->begin[i] + (from - w->left[i])], *u = &w->upper[w->begin[j] + (from - w->left[j])];
    real sum = R(0.0);
    for (uint32_t k = 0; k < end - from; k++) { sum += l[k] * u[k]; }
    w->progress.spent += end - from;
    return sum;
}

// l_ij = (a_ij - sum l_ik u_kj) / u_jj,   u_ji = a_ji - sum l_jk u_ki,   both for j < i;   u_ii alike. In a symmetric
// matrix u_ji = l_ij u_jj.
static void factor_decompose(tac_solve_work *w, uint32_t rows, int symmetric)
{
    for (uint32_t i = 0; i < rows; i++) {
        real *l = &w->lower[w->begin[i]], *u = &w->upper[w->begin[i]];
        for (uint32_t j = w->left[i]; j < i; j++, l++, u++) {
            const real rest = *l - factor_dot(w, i, j, j);
            *u = symmetric ? rest : *u - factor_dot(w, j, i, j);
            *l = rest * w->pivot[j];
        }
        const real whole = w->pivot[i], rest = whole - factor_dot(w, i, i, i);
        w->pivot[i] = real_abs(rest) > FACTOR_LOST * real_abs(whole) ? R(1.0) / rest : R(0.0);
    }
    w->report.factorings++;
}

// b becomes the x of A x = b.
static void factor_solve(tac_solve_work *w, uint32_t rows, real *b)
{
    for (uint32_t i = 0; i < rows; i++) {
        const real *l = &w->lower[w->begin[i]];
        for (uint32_t j = w->left[i]; j < i; j++) { b[i] -= *l++ * b[j]; }
    }
    for (uint32_t i = rows; i-- > 0;) {
        const real *u = &w->upper[w->begin[i]];
        b[i] *= w->pivot[i];
        for (uint32_t j = w->left[i]; j < i; j++) { b[j] -= *u++ * b[i]; }
    }
    w->progress.spent += 2 * (uint64_t)w->begin[rows];
}

#endif

#endif
