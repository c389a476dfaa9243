// SPDX-License-Identifier: MIT
// c3.h - consensus complementarity control: a plan through contact, tac_c3 (TAC_PREDICT, TAC_MAX_LCP).
#ifndef TACTUS_C3_H
#define TACTUS_C3_H

#include "tactus/linear.h"

#if TAC_PREDICT && TAC_MAX_LCP > 0

TAC_TYPES_BEGIN

/// Numbers of tac_c3.memory for a system of x, u and l numbers and a horizon.
#define TAC_C3_NUMBERS(x, u, l, horizon) TAC_C3_NUMBERS_((size_t)(x), (size_t)(l), (size_t)(u) + (l), (size_t)(horizon))
#define TAC_C3_NUMBERS_(x, l, v, horizon)                                                                              \
    ((horizon) * ((v) * ((v) + (x)) + 2 * ((v) + (x)) + 5 * (l)) + ((v) + (x)) * ((v) + (l) + 3 * (x) + 2) +           \
     (x) * ((x) + 3))

/// A problem, its plan and its scratch. tac_c3_init() sets the defaults in [ ].
typedef struct tac_c3 {
    // in: constant while a plan is made
    const tac_lcs *system;  ///<    matrices and size, the same in all steps
    const tac_real *Q;      ///<    cost x'Q x of a step: x x numbers, symmetric
    const tac_real *Q_N;    ///<    that of the last state; NULL: Q
    const tac_real *R;      ///<    cost u'R u: u u numbers, symmetric, positive definite
    const tac_real *G;      ///<    weights of the augmented Lagrangian: those of l, then those of eta; 2 l numbers > 0
    const tac_real *U;      ///<    those of the projection, of l and eta alike; NULL: G
    const tac_real *target; ///<   x of each state, horizon + 1 rows; NULL: 0
    tac_real *memory;       ///<    TAC_C3_NUMBERS()
    uint32_t room;          ///<    numbers in memory
    tac_real growth;        ///<    [1] factor of G from one iteration to the next, >= 1; with 1 all share one factor
    uint16_t horizon;       ///<    N, steps
    uint16_t iterations;    ///<    [10] of ADMM

    // out
    const tac_real *plan; ///<     u, l, x of each step in turn; the first step's are those of the newest iteration
    const tac_real *last; ///<     x at the end of the horizon
    tac_real residual;    ///<     largest |l - delta_l| and |eta - delta_eta| of the last iteration that is complete

    // progress
    tac_real scale;     ///< of G: growth^iteration
    uint16_t iteration; ///< of ADMM
    uint16_t at;        ///< steps of this iteration's pass that are done
    uint8_t pass;       ///< 0 none, 1 backward, 2 forward, 3 the plan is complete
} tac_c3;

TAC_TYPES_END

#endif

#endif
