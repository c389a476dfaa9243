// SPDX-License-Identifier: MIT
// fit.h - identification: parameters of a model, trajectories that were measured, a fit in progress (TAC_PREDICT).
#ifndef TACTUS_FIT_H
#define TACTUS_FIT_H

#include "tactus/parameter.h"
#include "tactus/work.h"

#if TAC_PREDICT

TAC_TYPES_BEGIN

/// A parameter that is fitted, between bounds. It starts at its value in the model, which lies within them.
typedef struct tac_fit_parameter {
    tac_real lower, upper; ///<   lower < upper; the model must pass with either
    tac_real difference;   ///<   > 0: derivatives are differences of roll-outs at the value plus and minus this, within
                           ///<   the bounds. Large against what one step decides (which corner touches first), small
                           ///<   against the bounds; it is also the unit of `tolerance` and `null`
    uint16_t index;        ///<   of the material, pair, shape, body or joint; else 0
    uint8_t kind;          ///<   TAC_FIT_FRICTION ...
} tac_fit_parameter;

/// What is measured.
enum {
    TAC_OBSERVE_POSE,  ///< of a body's own frame in the world
    TAC_OBSERVE_JOINT, ///< coordinate of a joint
    TAC_OBSERVES
};

/// One measurement. Its residuals are what the prediction is off: position and rotation vector of a pose (in the body's
/// frame), each times its weight; a coordinate times its weight.
typedef struct tac_observation {
    uint32_t step;        ///<         after so many steps from the start of its section, >= 1
    uint16_t index;       ///<         of the body or joint
    uint8_t kind;         ///<         TAC_OBSERVE_POSE, TAC_OBSERVE_JOINT
    tac_real weight;      ///< 1/m, 1/q one over its deviation, >= 0; 0: not measured
    tac_real turn_weight; ///< 1/rad   POSE: the same of the rotation
    tac_pose pose;        ///<         POSE: as measured
    tac_real coordinate;  ///< q       JOINT: as measured
} tac_observation;

/// A coordinate or rate of a section's start that is measured with an error: it is found with the parameters, since
/// what is off at the start is off in all that follows. Without, the start counts as exact, and deviations are too
/// small.
typedef struct tac_fit_unknown {
    // in
    tac_real deviation;  ///< of what is measured, in the deviations of the weights, > 0; large: it is not measured
    tac_real difference; ///< > 0: of the roll-outs beside it, as that of a parameter
    uint16_t coordinate; ///< which number of `x` in tac_state_displace()

    // out
    tac_real value; ///< by how much the start that is found differs from section->start

    // kept between slices
    tac_real trial_value;
    tac_real row[TAC_MAX_FIT + 1]; ///< of the normal equations: parameters, unknowns, gradient
} tac_fit_unknown;

/// A trajectory: a toss, or a swing. All of it is the caller's and stays where it is until the fit has ended.
typedef struct tac_section {
    const tac_state *start;             ///< a state of the model
    const tac_input *input;             ///< input[k] acts for `hold` steps, the last one to the end; NULL: none
    uint32_t inputs, hold;              ///< >= 1 if there is an input
    const tac_observation *observation; ///< in the order of their steps
    uint32_t observations;              ///< >= 1
    tac_fit_unknown *unknown;           ///< what of the start is not exact
    uint32_t unknowns;                  ///< with the parameters at most TAC_MAX_FIT
} tac_section;

/// What the data say about a parameter.
enum {
    TAC_FIT_UNASKED,  ///< no iteration has come to its end yet
    TAC_FIT_KNOWN,    ///< it is fitted
    TAC_FIT_AT_BOUND, ///< it rests at a bound, beyond which the cost would fall
    TAC_FIT_UNKNOWN   ///< nothing, given the other parameters: it stays where it was. See `null`
};

/// Why a fit has ended.
enum {
    TAC_FIT_RUNNING,
    TAC_FIT_CONVERGED,  ///< no step longer than `tolerance` lowers the cost
    TAC_FIT_ITERATIONS, ///< max_iterations
    TAC_FIT_ROLLOUTS,   ///< max_rollouts
    TAC_FIT_REFUSED     ///< a step of the model as it is was refused: work->report.fault
};

/// What roll-outs add up to, at the values or at trial values.
typedef struct tac_fit_sums {
    tac_real cost, squares; ///< 1 what counts; squared residuals times their weights
    tac_real motion;        ///< 1 the same of how far all that is observed has moved
} tac_fit_sums;

/// A fit: what is asked, what is found, and what is kept between slices. tac_fit_init() sets the defaults in [].
typedef struct tac_fitting {
    // in
    tac_fit_parameter parameter[TAC_MAX_FIT];
    const tac_section *section;
    uint32_t sections;     ///<   >= 1
    uint32_t max_rollouts; ///<   [1000000] most roll-outs of one section each, >= 1; those that are known count too
    uint16_t parameters;   ///<   1 .. TAC_MAX_FIT
    uint8_t refinements;   ///<   [3] how often the differences become a quarter, where no step lowers the cost any more
    uint16_t max_iterations; ///<   [30] most iterations, >= 1: one has 2 parameters + 2 unknowns + 1 roll-outs of each
                             ///<   section, and as many single ones as it tries to improve
    tac_real tolerance;      ///< 1 [0.01] ends when no parameter moves by more than this times its difference, > 0
    tac_real
        null; ///< 1 [1e-6, in float 1e-4] > 0: what moves the predictions by less than this part of all that they move
              ///<   in the sections, per difference, is nothing that data could say
    tac_real robust; ///< 1 [0] residuals of this many deviations and more count by their length, not its square;
                     ///<   0: all count by the square (least squares)

    // out
    tac_real value[TAC_MAX_FIT];
    tac_real covariance[TAC_MAX_FIT * TAC_MAX_FIT]; ///< of the values, `parameters` numbers a row; zeros for what is
                                                    ///< not known. That of errors as large as the residuals show: times
                                                    ///< 1/variance, that of the weights as they are
    uint8_t verdict[TAC_MAX_FIT];                   ///<   TAC_FIT_UNASKED ...
    tac_real first_cost, cost; ///< 1 half the sum of squared residuals (robust: of what counts), at the start and now
    tac_real variance;         ///< 1 mean of squared residuals per degree of freedom: 1 if weights and model are right
    uint32_t rows;             ///<   residuals in all sections that have a weight
    uint32_t rollouts;         ///<   spent
    uint16_t iterations;       ///<   spent
    uint8_t ended;             ///<   TAC_FIT_RUNNING ...

    // kept between slices: the roll-out at hand
    uint32_t open, model_hash; ///< begun, and for which model
    uint32_t at_section, at_observation, at_row, at_step, at_input, section_rows;
    uint16_t at_parameter;
    uint8_t purpose, rolling, refined;
    tac_real scale; ///< 1 of the differences, now
    tac_real damping;
    tac_fit_sums sums, trial_sums;
    tac_real slope, bend;
    tac_real curvature[TAC_MAX_FIT];
    tac_real trial_value[TAC_MAX_FIT], at_value[TAC_MAX_FIT], gradient[TAC_MAX_FIT], reduced[TAC_MAX_FIT];
    tac_real normal[TAC_MAX_FIT * TAC_MAX_FIT], factor[TAC_MAX_FIT * TAC_MAX_FIT], schur[TAC_MAX_FIT * TAC_MAX_FIT];
    tac_real column[TAC_MAX_FIT + 1][TAC_MAX_FIT_ROWS];
    tac_real start[TAC_MAX_FIT][TAC_MAX_FIT + 1]; ///< rows of the unknowns of one section, eliminated
    tac_real displacement[2 * TAC_MAX_VELOCITIES];
    uint16_t order[TAC_MAX_FIT];
    uint8_t free[TAC_MAX_FIT];
    tac_model trial;
    tac_state state;
    tac_input input;
} tac_fitting;

TAC_TYPES_END

#endif

#endif
