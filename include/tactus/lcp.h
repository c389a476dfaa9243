// SPDX-License-Identifier: MIT
// lcp.h - the linear complementarity problem of T03: tac_lcp, problem, solution and scratch in one (TAC_MAX_LCP).
#ifndef TACTUS_LCP_H
#define TACTUS_LCP_H

#include "tactus/types.h"

#if TAC_MAX_LCP > 0

TAC_TYPES_BEGIN

/// Methods of tac_lcp_solve().
enum {
    TAC_LCP_LEMKE,  ///< Lemke's pivots, lexicographic; budget: pivots
    TAC_LCP_SWEEPS, ///< projected Gauss-Seidel; budget: sweeps
    TAC_LCP_METHODS
};

/// How a method has ended.
enum {
    TAC_LCP_SOLVED,
    TAC_LCP_RAY,   ///< Lemke: a ray on which no variable meets its bound; the problem may have no solution
    TAC_LCP_SPENT, ///< the budget is spent
    TAC_LCP_LOST   ///< Lemke: rounding has destroyed the table, no pivot is left
};

/// tac_lcp.directions of round friction cones.
#define TAC_LCP_ROUND 0

/// Most directions of a friction cone.
#define TAC_LCP_DIRECTIONS 16

/// A direction of a friction cone, along u and w of the contact.
typedef struct tac_direction {
    tac_real u, w;
} tac_direction;

/// 0 <= F z + f  perp  z >= 0. tac_lcp_init() sets the defaults in [ ].
typedef struct tac_lcp {
    // in
    uint32_t budget;    ///< [0] most pivots or sweeps; 0: ten pivots a row, 1000 sweeps
    uint16_t rows;      ///< 0 .. TAC_MAX_LCP; tac_step_lcp() and tac_accelerations() write it, with F and f
    uint8_t method;     ///< [LEMKE] TAC_LCP_*
    uint8_t directions; ///< [8] of the linearised friction cones of these: 3 .. TAC_LCP_DIRECTIONS; TAC_LCP_ROUND
    tac_real F[TAC_MAX_LCP][TAC_MAX_LCP];
    tac_real f[TAC_MAX_LCP];

    // out
    tac_real z[TAC_MAX_LCP];                ///<   >= 0
    tac_real w[TAC_MAX_LCP];                ///<   F z + f
    tac_direction edge[TAC_LCP_DIRECTIONS]; ///< 1  edges of the friction cones, in the order of z
    tac_real residual; ///< 1     largest |min(z, w)|, each in units in which F has a diagonal of 1, over that of z = 0
    uint32_t steps;    ///<       pivots or sweeps spent
    uint8_t end;       ///<       TAC_LCP_SOLVED, _RAY, _SPENT, _LOST

    // scratch
    tac_real scale[TAC_MAX_LCP];                  ///< of the units
    tac_real table[TAC_MAX_LCP][TAC_MAX_LCP + 1]; ///< basic variables = value + table free ones
    tac_real value[TAC_MAX_LCP];
    tac_real entering[TAC_MAX_LCP];      ///< column of the variable that enters
    uint16_t basic[TAC_MAX_LCP];         ///< variable of each row: w_i is i, z_i rows + i, the covering one 2 rows
    uint16_t free[TAC_MAX_LCP + 1];      ///< variable of each column
    uint16_t place[2 * TAC_MAX_LCP + 1]; ///< of each variable: its row, or rows + its column
    uint16_t tied[TAC_MAX_LCP];          ///< rows that are tied in a ratio test
    uint16_t filled[TAC_MAX_LCP];        ///< columns of a pivot row that are not zero
} tac_lcp;

/// Constraint qualifications of a state, TCE17 section 11. Written by tac_qualify().
typedef struct tac_qualification {
    uint16_t contacts;   ///<     that touch
    uint16_t rows, rank; ///<     constraints of joints and normals of these contacts; how many are independent
    uint8_t pointed;     ///<     PFCCQ (206): no forces in the friction cones, not all 0, are balanced by joints alone
    uint8_t independent; ///<     LICQ: rank == rows
    uint8_t opens;       ///<     MFCQ: joints are independent, and some motion that they allow opens every contact
    tac_real clearance;  ///< 1   least |sum|^2 of such forces over what they would have alone, at most 1; 0 if not
                         ///<       pointed, and in float where it is below 5e-3, in double below 1e-6
} tac_qualification;

TAC_TYPES_END

#endif

#endif
