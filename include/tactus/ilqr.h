// SPDX-License-Identifier: MIT
// ilqr.h - iterative LQR: a plan of efforts by derivatives of the step, tac_ilqr (TAC_PREDICT, TAC_MAX_LCP).
#ifndef TACTUS_ILQR_H
#define TACTUS_ILQR_H

#include "tactus/lcp.h"
#include "tactus/linear.h"
#include "tactus/predict.h"

#if TAC_PREDICT && TAC_MAX_LCP > 0

TAC_TYPES_BEGIN

/// States of tac_ilqr.trajectory for so many steps.
#define TAC_ILQR_STATES(steps) (2 * (size_t)(steps) + 1)

/// Numbers of tac_ilqr.memory. x, u: those of tac_derivative(), two a coordinate and one a coordinate of a joint;
/// channels and knots of the plan; residuals of the cost: 3 of a frame, centre or momentum, `count` of coordinates,
/// rates and efforts, none of the other kinds.
#define TAC_ILQR_NUMBERS(x, u, channels, knots, residuals)                                                             \
    TAC_ILQR_NUMBERS_((size_t)(x), (size_t)(u), (size_t)(channels), (size_t)(x) + (channels), (size_t)(knots),         \
                      (size_t)(residuals))
#define TAC_ILQR_NUMBERS_(x, u, m, n, knots, residuals)                                                                \
    ((x) * ((x) + (u) + (n) + 1) + 2 * (n) * ((n) + 1) + (residuals) * ((x) + 2) + (m) * ((m) + 6) +                   \
     (knots) * (m) * ((x) + 2))

/// A problem, its plan and its scratch. It has pointers into itself: no copy of it goes on.
typedef struct tac_ilqr {
    // in; what they point to must stay until the end
    const tac_model *model; ///<    of the prediction
    const tac_cost *cost;   ///<
    const tac_input *input; ///<    as in tac_prediction
    tac_plan *plan;         ///<    in: to start from, efforts that are held from knot to knot (TAC_MOTOR_EFFORT,
                            ///<    TAC_TABLE_HOLD); written whenever a cheaper one is found
    tac_state *trajectory;  ///<    scratch: TAC_ILQR_STATES()
    tac_lcp *lcp;           ///<    scratch
    tac_real *memory;       ///<    scratch: TAC_ILQR_NUMBERS()
    uint32_t room;          ///<    numbers in memory
    uint32_t steps;         ///<    of each roll-out
    tac_real smoothing;     ///< m/s  [0] of the derivatives of the first backward pass, 0 .. TAC_MOST_SPEED; less in
                            ///<    each pass that follows, and 0 from the 14th on. Roll-outs are not smoothed
    uint16_t iterations;    ///<    most backward passes, >= 1

    // out
    tac_real nominal;   ///<    cost of the plan itself
    tac_real least;     ///<    of the plan that it is now; the largest number until the first one is rolled out
    tac_real promise;   ///<    what the last backward pass expects to save
    tac_fault fault;    ///<    of what was refused
    tac_status status;  ///<    of that
    uint32_t taken;     ///<    steps of passes
    uint16_t iteration; ///<    backward passes that have begun
    uint16_t improved;  ///<    of their plans, those that were cheaper
    uint8_t pass;       ///<    0 none, 1 roll-out, 2 backward, 3 the plan is complete

    // scratch
    tac_plan trial;
    tac_prediction prediction;
    tac_linear_size size;   ///<   of the derivative; l: residuals
    uint32_t at;            ///<   the step of the backward pass that is done, counted down
    tac_real smooth;        ///<   smoothing of the backward pass
    tac_real linear, curve; ///<   of the promise in the part of the change of the plan that is tried,
    tac_real part;          ///<   this part,
    tac_real damping;       ///<   and how much more than its own Q_uu has on its diagonal, relative
    uint8_t cuts, other;    ///<   parts tried; which half of the trajectory is that of a trial
} tac_ilqr;

TAC_TYPES_END

#endif

#endif
