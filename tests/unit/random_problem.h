// SPDX-License-Identifier: MIT
// random_problem.h - cone programs as mechanics makes them: blocks between bodies, N = D' M^-1 D, p = D' v.
//   given   a generator, how many blocks, which sets
//   makes   a tac_problem that has a solution: there is a motion, v = 0 less M^-1 D g
//   bound   blocks squared
//   never   asks the kernel for anything but its builder
#ifndef RANDOM_PROBLEM_H
#define RANDOM_PROBLEM_H

#include "truth.h"

enum { PROBLEM_BODIES = 3, PROBLEM_AXES = 6 * PROBLEM_BODIES, PROBLEM_MOST = 12 };

static double problem_d[PROBLEM_MOST][TAC_BLOCK_ROWS][PROBLEM_AXES];

static inline tac_problem_block problem_block(rng *r, uint8_t set)
{
    static const uint8_t rows[TAC_SETS] = {0, 1, 1, 3, 4, 6};
    const uint8_t free_rows = (uint8_t)(1 + rng_below(r, 5));
    tac_problem_block k;
    tac_problem_block_init(&k, set, set == TAC_SET_FREE ? free_rows : rows[set]);
    if (set >= TAC_SET_CONE) { k.mu = (tac_real)rng_range(r, 0.1, 1.0); }
    if (set > TAC_SET_CONE) {
        for (int i = 0; i < 5; i++) { k.e[i] = (tac_real)(i < 2 ? rng_range(r, 0.5, 1.5) : rng_range(r, 0.02, 0.2)); }
    }
    if (set == TAC_SET_INTERVAL) {
        k.lo = (tac_real)rng_range(r, -0.5, 0.0);
        k.hi = rng_below(r, 4) ? (tac_real)rng_range(r, 0.0, 0.5) : real_inf();
    }
    return k;
}

// Rows of D for a block between body a and body b, or the ground. Angular rows have arms of about 0.3 m.
static inline void problem_jacobian(rng *r, uint32_t rows, double d[TAC_BLOCK_ROWS][PROBLEM_AXES])
{
    const uint32_t a = rng_below(r, PROBLEM_BODIES), b = rng_below(r, PROBLEM_BODIES + 1);
    for (uint32_t i = 0; i < rows; i++) {
        for (uint32_t k = 0; k < PROBLEM_AXES; k++) {
            const int here = k / 6 == a || k / 6 == b;
            d[i][k] = here ? rng_range(r, -1.0, 1.0) * (k % 6 < 3 ? 1.0 : 0.3) : 0.0;
        }
    }
}

static inline void problem_entry(tac_problem *q, const double *inverse_mass, uint32_t i, uint32_t j)
{
    tac_real value[TAC_BLOCK_ROWS * TAC_BLOCK_ROWS];
    const uint32_t rows = q->block[i].rows, columns = q->block[j].rows;
    int any = i == j;
    for (uint32_t r = 0; r < rows; r++) {
        for (uint32_t c = 0; c < columns; c++) {
            double sum = 0.0;
            for (uint32_t k = 0; k < PROBLEM_AXES; k++) {
                sum += problem_d[i][r][k] * problem_d[j][c][k] * inverse_mass[k];
            }
            value[r * columns + c] = (tac_real)sum;
            any = any || sum != 0.0;
        }
    }
    if (any) { (void)tac_problem_add_entry(q, i, j, value); }
}

/// `sets`: bits 1 << TAC_SET_*, from which each block takes one.
static inline void problem_random(rng *r, tac_problem *q, uint32_t blocks, uint32_t sets)
{
    double inverse_mass[PROBLEM_AXES], v[PROBLEM_AXES];
    for (uint32_t k = 0; k < PROBLEM_AXES; k++) {
        inverse_mass[k] = k % 3 && k % 6 < 3 ? inverse_mass[k - 1] : rng_range(r, 0.5, 2.0) * (k % 6 < 3 ? 1.0 : 10.0);
        v[k] = rng_range(r, -1.0, 1.0);
    }
    tac_problem_init(q);
    while (q->blocks < blocks) {
        const uint8_t set = (uint8_t)rng_below(r, TAC_SETS);
        if (!(sets >> set & 1u)) { continue; }
        tac_problem_block k = problem_block(r, set);
        if (q->rows + k.rows > TAC_MAX_SOLVE_ROWS) { break; }
        double(*d)[PROBLEM_AXES] = problem_d[q->blocks];
        problem_jacobian(r, k.rows, d);
        for (uint32_t i = 0; i < k.rows; i++) {
            double sum = 0.0;
            for (uint32_t n = 0; n < PROBLEM_AXES; n++) { sum += d[i][n] * v[n]; }
            k.p[i] = (tac_real)sum;
        }
        (void)tac_problem_add_block(q, &k);
    }
    for (uint32_t i = 0; i < q->blocks; i++) {
        for (uint32_t j = 0; j < q->blocks; j++) { problem_entry(q, inverse_mass, i, j); }
    }
}

#endif
