// SPDX-License-Identifier: MIT
// dae.h - the smooth integrators of TCE17: tac_dae, method, tolerances, accelerations kept from step to step, scratch
// (TAC_DAE).
#ifndef TACTUS_DAE_H
#define TACTUS_DAE_H

#include "tactus/work.h"

#if TAC_DAE

TAC_TYPES_BEGIN

/// Methods of tac_step_dae(). Order: of positions and velocities, in h.
enum {
    TAC_DAE_EULER,                  ///< (152)-(159) implicit Euler, order 1
    TAC_DAE_EULER_LINEARISED,       ///< the same, linear about the start of the step: one solution. Without springs,
                                    ///< dampers and motors (160)-(161); with them forces are not those of the start
    TAC_DAE_EULER_PROJECTED,        ///< the same for velocities; then poses are projected onto the constraints
    TAC_DAE_TRAPEZOIDAL,            ///< (162)-(169) order 2; where there are constraints, reactions oscillate
    TAC_DAE_TRAPEZOIDAL_LINEARISED, ///< (170)-(171) the same, one iteration
    TAC_DAE_NEWMARK,                ///< (172)-(179) beta, gamma; order 2 with gamma 1/2, there as trapezoidal
    TAC_DAE_HHT,                    ///< (180)-(188) alpha; order 2
    TAC_DAE_GENERALISED_ALPHA,      ///< (189)-(201) rho_inf; order 2
    TAC_DAE_METHODS
};

/// Solvers of the saddle-point problem (202).
enum {
    TAC_DAE_SPARSE, ///< factor of 6x6 blocks; TAC_MAX_FILL has two for each joint of a tree, six for each coupling
    TAC_DAE_MINRES, ///< least residuals, without a factor; slow where masses differ much
    TAC_DAE_SOLVERS
};

/// How to integrate, how the last step went, and what the next one needs of it. tac_dae_init() sets the defaults in [].
typedef struct tac_dae {
    // in
    tac_real beta, gamma;    ///< 1   [1/4, 1/2] NEWMARK: 0 < beta <= 1, 0 <= gamma <= 1; gamma > 1/2 damps
    tac_real alpha;          ///< 1   [-0.2] HHT: -1/3 .. 0; smaller damps more
    tac_real rho_inf;        ///< 1   [0.8] GENERALISED_ALPHA: 0 .. 1, what a step leaves of the fastest oscillations
    tac_real tolerance;      ///< 1   [AUTO] of `residual`, and of the last change of an acceleration; AUTO: 1e-5
                             ///<     float, 1e-10 double
    uint16_t max_iterations; ///<     [20] of Newton's method in a step, 1 .. 1000; the linearised methods take one
    uint8_t method;          ///<     [HHT] TAC_DAE_*
    uint8_t solver;          ///<     [SPARSE] TAC_DAE_SPARSE, TAC_DAE_MINRES

    // out
    tac_real residual; ///< 1   of the equations of the step: of motion, as an acceleration, and of constraints, as the
                       ///<     acceleration that would close them in the step; relative to the accelerations that
                       ///<     single forces cause, and those at its start. Linearised Euler: of linear equations
    tac_real error;    ///< m   worst error of constraints at the end of the step, rotations times a length
    uint32_t products; ///<     MINRES: products with the matrix
    uint16_t iterations; ///<     of Newton's method
    uint8_t converged;   ///<     1: residual, or last change of an acceleration, within tolerance or rounding,
                         ///<     and the step ends on the constraints

    // kept from step to step
    uint64_t state_hash;             ///<     of the state that the last step has ended with
    uint8_t kept;                    ///<     1 + method of that step; 0: none has been taken
    tac_twist a[TAC_MAX_BODIES + 1]; ///< m/s2, rad/s2  accelerations of the method, as in tac_twist
    tac_twist x[TAC_MAX_BODIES + 1]; ///< m/s2, rad/s2  of the bodies at the end of the step, a* of (191): those that
                                     ///<     forces and constraints make; TRAPEZOIDAL_LINEARISED: forces alone

    // scratch
    tac_sparse saddle; ///< SPARSE: matrix of (202), joints are nodes of it
    tac_twist next_a[TAC_MAX_BODIES + 1], next_x[TAC_MAX_BODIES + 1]; ///< at the end of the step
    tac_real start[TAC_MAX_JOINTS];  ///< q    coordinates of joints at the start of the step
    tac_real change[TAC_MAX_JOINTS]; ///< q    their changes in it
    tac_real rotor[TAC_MAX_JOINTS];  ///< effort that armatures take
    tac_sixes vector[6];             ///< MINRES
} tac_dae;

TAC_TYPES_END

#endif

#endif
