// SPDX-License-Identifier: MIT
// vary_step.h - what the derivative of a step has at hand, and the matrices that lie in the memory of a problem.
//   given   a problem that nothing else uses meanwhile; how many coordinates and contacts there are
//   makes   each matrix under its name
//   bound   constant
//   never   reads or writes a matrix
#ifndef DERIVATIVE_VARY_STEP_H
#define DERIVATIVE_VARY_STEP_H

#include "vary_group.h"

#if TAC_MAX_LCP > 0

// A matrix: its first number, and how far its rows are apart.
typedef struct vary_block {
    real *at;
    size_t stride;
} vary_block;

// A row of it.
static inline real *vary_row(vary_block a, size_t row)
{
    return a.at + row * a.stride;
}

// A change of one coordinate: of a position, of a velocity at the start, of a mean rate; of an effort along it. Or of
// the mass or the moments of inertia of a body, in proportion.
enum { VARY_Q, VARY_V, VARY_R, VARY_P };
#define VARY_U VARY_R

// With n coordinates and k contacts; letters as in README.md.
typedef struct vary_step {
    const tac_model *m;
    const tac_state *s;
    const tac_input *input;
    tac_work *w;
    tac_varied *t;
    tac_mechanism *tree; // its trees
    tac_lcp *q;
    real span;      // time of the motion: h; behind the start -h, of velocities there 0
    int follows;    // velocities at the start are those that a step has left: right sides of v are made (vary_behind.h)
    real apart;     // of velocities at the start, those that are neither; and at the end, as a part of energy
    int bears;      // contacts and bounded efforts have the impulses that the step has found; else they have none
    uint32_t n, k;  // coordinates; contacts that bear a force or are pushed apart
    real smoothing; // m/s   of contacts; 0: none
    int friction;   // the response to the friction of contacts is asked for
    real *rates;    // n     mean rates r
    real *column;   // n     a column in work; what the rates leave of the equations
    real *push, *need; // k     of a column: pushes of the position projection, and velocities that these are to reach
    uint16_t *W_row, *W_column; // 3k  where rows and columns of W come from, once it is factored
    vary_block mass;            // n n   mass matrix with what yields along coordinates, factored
    vary_block K;               // n n   of the equations by the mean rates, factored
    vary_block response;        // n n   mean rates by a unit of each right side, one a row
    vary_block side[2];         // n n   right sides of the columns of q and v, one a row
    vary_block drates;          // n 2n  change of each mean rate by q, v; or by inputs: in place of the right sides
    vary_block dend;            // n n   velocities at the end by mean rates
    vary_block jacobian;        // n 3k  J'
    vary_block answer;          // n 3k  z = M^-1 J'
    vary_block seen[2]; // n 3k  change of the velocities that contacts see by q, v, as far as mean rates do not make it
    vary_block law;     // 3k n  response of the mean rates to this, a velocity a row
    vary_block sliding; // k n   response of the mean rates to the friction impulse that sliding contacts lack
    vary_block W;       // 3k 3k the laws of all contacts, factored; later pushes by needs, one need a row
    vary_block gap;     // k n   changes of gaps by q
    vary_block closing; // k n   changes of u_n by mean rates, of contacts that open
    vary_block pushed;  // k k   compliance of pushes, J A^-1 J' + soft
    vary_block push_side; // n n  right sides of s, then changes of s, one coordinate a row
    vary_block motion;    // tac_linearise(): rows of the Jacobian of its motions, n numbers each,
    vary_block motions;   // n rows: M^-1 J'
} vary_step;

// What is at hand; the rest is 0 until vary_lay() finds its place. Compilers make a call of memset() of an initialiser.
static void vary_open(const tac_model *m, const tac_state *s, const tac_input *input, tac_work *w, tac_lcp *q,
                      vary_step *x)
{
    bytes_clear(x, sizeof *x);
    x->m = m;
    x->s = s;
    x->input = input;
    x->w = w;
    x->t = &w->scratch.varied;
    x->q = q;
    x->span = m->h;
}

// Two matrices may lie in one place if one is used up before the other is made.
static void vary_lay(vary_step *x, uint32_t n, uint32_t k)
{
    const size_t rows = 3 * (size_t)k, narrow = TAC_MAX_LCP, wide = TAC_MAX_LCP + 1;
    real *table = x->q->table[0], *F = x->q->F[0], *below = F + rows * narrow, *sides = below + n * narrow;
    x->tree = &x->t->mechanism;
    x->n = n, x->k = k;
    x->rates = x->q->value, x->column = x->q->entering, x->push = x->q->z, x->need = x->q->w;
    x->W_row = x->q->free, x->W_column = x->q->basic;
    x->mass = (vary_block){table, n};
    x->response = (vary_block){table + n * n, n};
    x->K = (vary_block){table + n * wide, wide};
    x->push_side = (vary_block){x->K.at + n, wide};
    x->seen[VARY_Q] = (vary_block){table + 2 * n * wide, rows};
    x->seen[VARY_V] = (vary_block){x->seen[VARY_Q].at + n * rows, rows};
    x->W = (vary_block){F, narrow};
    x->pushed = (vary_block){F + rows, narrow};
    x->law = (vary_block){F + rows + k, narrow};
    x->gap = (vary_block){x->law.at + n, narrow};
    x->closing = (vary_block){x->gap.at + k * narrow, narrow};
    x->sliding = (vary_block){x->closing.at + k * narrow, narrow};
    x->dend = (vary_block){below, narrow};
    x->jacobian = (vary_block){below + n, narrow};
    x->answer = (vary_block){below + n + rows, narrow};
    x->side[VARY_Q] = x->drates = (vary_block){sides, narrow};
    x->side[VARY_V] = (vary_block){sides + n, narrow};
}

#endif

#endif
