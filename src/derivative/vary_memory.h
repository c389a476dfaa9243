// SPDX-License-Identifier: MIT
// vary_memory.h - what the derivative of a step has at hand, and where in the memory of a problem its matrices are.
//   given   a problem that nothing else uses meanwhile
//   makes   the address of a row or of an entry of each matrix
//   bound   constant
//   never   reads or writes a matrix
#ifndef DERIVATIVE_VARY_MEMORY_H
#define DERIVATIVE_VARY_MEMORY_H

#include "vary_columns.h"

#if TAC_MAX_LCP > 0

// What a derivative needs of one step: its mechanism, and the memory of a problem as that of matrices.
typedef struct vary_step {
    const tac_model *m;
    const tac_state *s;
    const tac_input *input;
    tac_work *w;
    tac_varied *t;
    tac_lcp *q;
    int bears;      // contacts and bounded efforts have the impulses that the step has found; else they have none
    uint32_t first; // velocities that contacts see: rows of F before that of the derivative of the next state
} vary_step;

// In the scratch of a problem, n coordinates: the mass matrix in the first rows of the table, without gaps, and after
// it the response of the rates to a unit of each right side, one a row; the matrix of the residual by mean rates in n
// rows from the row n on; then what contacts see of all columns of q and of v, one a row, without gaps. In F: the
// response of the rates to each velocity that contacts see, to the right of what belongs to contacts; the derivative of
// velocities at the end by mean rates; then the right sides of all columns, one a row, of q to the left of v, which
// become the changes of rates, one coordinate a row.
#define VARY_STRIDE (TAC_MAX_LCP + 1)

static real *vary_matrix(const vary_step *x)
{
    return x->q->table[x->t->mechanism.coordinates];
}

static real *vary_response(const vary_step *x, size_t row)
{
    const size_t n = x->t->mechanism.coordinates;
    return x->q->table[0] + (n + row) * n;
}

static real *vary_law(const vary_step *x, uint32_t row)
{
    return x->q->F[row] + x->first / 3 * 4;
}

static real *vary_by_rate(const vary_step *x, size_t row)
{
    return x->q->F[x->first + row];
}

static real *vary_sides(const vary_step *x, size_t row)
{
    return x->q->F[x->first + x->t->mechanism.coordinates + row];
}

// The right side of the equation of a coordinate in the column of another.
static inline real *vary_side(const vary_step *x, int what, size_t row, size_t column)
{
    const size_t n = x->t->mechanism.coordinates;
    return &x->q->F[x->first + n + column][row + (what == VARY_V ? n : 0)];
}

// What contacts see of such a column.
static real *vary_seen_in(const vary_step *x, int what, size_t column)
{
    const size_t n = x->t->mechanism.coordinates;
    return x->q->table[2 * n] + (column + (what == VARY_V ? n : 0)) * x->first;
}

#endif

#endif
