// SPDX-License-Identifier: MIT
// problem.h - the cone program by itself, without a world: tac_problem, tac_solve_options, tac_solve_work (TAC_SOLVE).
#ifndef TACTUS_PROBLEM_H
#define TACTUS_PROBLEM_H

#include "tactus/types.h"

#if TAC_SOLVE

TAC_TYPES_BEGIN

/// Most rows of a block.
#define TAC_BLOCK_ROWS 6

/// The set C_k of a block's impulse g. The first row of a cone is along the normal; a_i stands for g_i / e_i.
enum {
    TAC_SET_FREE,     ///< 1 .. 6 rows   unbounded: constraints of a joint
    TAC_SET_INTERVAL, ///< 1 row         lo <= g <= hi: a motor, dry friction of a joint
    TAC_SET_RAY,      ///< 1 row         n >= 0: a joint's limit, a contact without friction
    TAC_SET_CONE,     ///< 3 rows        (n,u,w)               |(u,w)| <= mu n: Coulomb
    TAC_SET_TORSION,  ///< 4 rows        (n,u,w,r)             |(a_u,a_w,a_r)| <= mu n: CBAT07
    TAC_SET_ROLLING,  ///< 6 rows        (n,u,w,r,r_u,r_w)     the same with two rolling rows
    TAC_SETS
};

/// One block of a problem.
typedef struct tac_problem_block {
    tac_real p[TAC_BLOCK_ROWS];     ///< m/s   free velocity, rad/s in angular rows: see the ranges of tac_problem
    tac_real e[TAC_BLOCK_ROWS - 1]; ///< 1, m  TORSION and ROLLING: semi-axes for mu n = 1, TAC_LEAST_LENGTH ..
                                    ///<       TAC_MOST_LENGTH; mu e at most TAC_MOST_AXIS
    tac_real mu;                    ///< 1     CONE, TORSION, ROLLING: 0 .. 1e6
    tac_real lo, hi;                ///< N s   INTERVAL: lo <= hi, may be infinite
    uint8_t set;                    ///<       TAC_SET_*
    uint8_t rows;                   ///<       1 .. 6, as the set requires
} tac_problem_block;

/// One stored block N_ij: rows_i times rows_j numbers, row by row, at value[value].
typedef struct tac_problem_entry {
    uint16_t row, column; ///< i, j
    uint32_t value;
} tac_problem_entry;

/// minimise 1/2 g'N g + p'g over g_k in C_k. N is symmetric, positive semidefinite, positive on its diagonal; both
/// triangles are stored, entries sorted by row, then column. Made with tac_problem_init() and tac_problem_add_*().
/// Units must be such that squares are finite and not zero, in float (in double): the largest |p| 0 or within
/// 1e-12 .. 1e12 (1e-100 .. 1e100), each N_rr within 1e-18 .. 1e18 (1e-140 .. 1e140), the largest |p| over each N_rr
/// within 1e-18 .. 1e14 (1e-140 .. 1e100).
typedef struct tac_problem {
    uint32_t blocks, rows, entries, values; ///< in use
    tac_problem_block block[TAC_MAX_SOLVE_BLOCKS];
    tac_problem_entry entry[TAC_MAX_SOLVE_ENTRIES];
    tac_real value[TAC_MAX_SOLVE_VALUES];
} tac_problem;

/// Methods; src/problem/README.md compares them. Cost is counted in passes over the stored numbers of N.
enum {
    TAC_METHOD_AUTO,        ///< by cost: see tac_solve()
    TAC_METHOD_JACOBI,      ///< projected Jacobi, TCE17 section 10
    TAC_METHOD_SOR,         ///< projected Gauss-Seidel with omega and lambda: TCE17 [4], the papers' method
    TAC_METHOD_SYMMETRIC,   ///< the same, alternately forwards and backwards
    TAC_METHOD_ACCELERATED, ///< block Gauss-Seidel, each block nearly solved; Nesterov momentum over sweeps
    TAC_METHOD_APGD,        ///< accelerated projected gradient: NST17 [7]
    TAC_METHOD_SPECTRAL,    ///< P-SPG-FB, spectral projected gradient with fallback: TCE17 [8]
    TAC_METHOD_MINRES,      ///< FREE blocks only: minimal residual method
    TAC_METHOD_DIRECT,      ///< interior-point and Newton's method with a factored matrix
    TAC_METHODS
};

/// Options of tac_solve(). tac_solve_options_init() sets the defaults in ().
typedef struct tac_solve_options {
    tac_real tolerance;  ///< 1   (1e-8, float 1e-6) resS at which to stop, >= 0; 0: stop at rounding level or at the
                         ///<     budget
    tac_real omega;      ///< 1   (1) relaxation of JACOBI, SOR, SYMMETRIC: 0 < omega < 2; JACOBI: 0.3 is safer
    tac_real lambda;     ///< 1   (1) averaging of the same: 0 < lambda <= 1
    uint32_t max_passes; ///<     (10000) budget, >= 1
    uint8_t method;      ///<     (AUTO) TAC_METHOD_*
    uint8_t friction;    ///<     (EXACT) TAC_FRICTION_*
    uint8_t warm_start;  ///<     (0) 1: work->g holds initial impulses, finite; ignored if d |g| > 1e4 |p|
    uint8_t least_norm;  ///<     (0) 1: of all solutions the one of least |g|, up to rounding
} tac_solve_options;

/// What the solve has taken, and the certificate of the impulses that it returns, which costs about two passes that are
/// not in `passes`. Names and definitions are those of tac_certificate, with the blocks of the problem, d_i =
/// trace(N_ii)/rows and lift = mu |(e_i u_i)| for mu |u_T|; a problem has no bodies, so r_eom, r_kinematics and
/// r_contact are not there. |.| of one block is the largest of its rows. If p = 0 nothing is divided by |p|. All are
/// numbers; what exceeds the largest one is given as that.
typedef struct tac_solve_report {
    tac_real r_natmap;     ///< 1   resS = |(g_i - P(g_i - u~_i/d_i)) d_i|_i / |p|, which options.tolerance is about
    tac_real natural;      ///< 1   resA = |g - P(g - u~)| / |p|: the same with d = 1
    tac_real r_ncp_primal; ///< 1   d |g - P_C(g)|, at most rounding
    tac_real signorini;    ///< 1   RAY and cones: |min(d n, u_n)|; relaxed law: u_n less the lift
    tac_real dissipation;  ///< 1   cones: d |lift n + g_T.u_T|
    tac_real r_ncp_dual;   ///< 1   |u~ - P_C*(u~)|; INTERVAL: towards a bound that is infinite
    tac_real r_ncp_compl;  ///< 1   d |g.u~|; INTERVAL: from the bound that u presses against
    tac_real f_ccp;        ///< J   1/2 g'N g + p'g
    uint32_t passes;       ///<     cost: numbers of N and of factors multiplied, divided by problem->values
    uint32_t iterations;   ///<     sweeps and gradient steps
    uint32_t factorings;   ///<     matrices factored
    uint32_t open, stick, slide; ///< blocks without impulse, inside their sets, on the boundary
    uint32_t fault;        ///<     of a refused problem: its first bad block
    tac_status status;     ///<     what tac_solve() returned
    uint8_t method;        ///<     method that found the answer
    uint8_t friction;      ///<     friction law used
} tac_solve_report;

/// Scratch: progress of a method.
typedef struct tac_solve_progress {
    tac_real scale;     ///< m/s   |p|
    tac_real least;     ///< 1     measure of the best iterate
    tac_real measure;   ///< 1     of the last one
    tac_real proximal;  ///<       added to the diagonal of N
    tac_real momentum, beta;
    uint64_t spent;     ///<       numbers multiplied
    uint64_t budget;
    uint8_t exact;      ///<       law in force
    uint8_t stuck;      ///<       1: iterates do not change any more
} tac_solve_progress;

/// Scratch and results of tac_solve(). May be used for any problem.
typedef struct tac_solve_work {
    tac_solve_report report;
    tac_solve_progress progress;
    tac_real g[TAC_MAX_SOLVE_ROWS];   ///< N s   in: first impulses if options.warm_start; out: the answer, in the sets
    tac_real u[TAC_MAX_SOLVE_ROWS];   ///< m/s   out: N g + p
    uint8_t mode[TAC_MAX_SOLVE_BLOCKS]; ///<     out: TAC_OPEN, TAC_STICK, TAC_SLIDE

    // scratch
    uint32_t first[TAC_MAX_SOLVE_BLOCKS + 1];    ///< entries of block i begin here
    uint32_t row[TAC_MAX_SOLVE_BLOCKS + 1];      ///< rows of block i begin here
    uint32_t diagonal[TAC_MAX_SOLVE_BLOCKS];     ///< N_ii begins here in value[]
    uint32_t small[TAC_MAX_SOLVE_BLOCKS + 1];    ///< inverse of N_ii begins here in inverse[]
    tac_real weight[TAC_MAX_SOLVE_BLOCKS];       ///< d_i
    tac_real step[TAC_MAX_SOLVE_ROWS];           ///< of a projected step inside a block
    tac_real inverse[TAC_BLOCK_ROWS * TAC_MAX_SOLVE_ROWS];
    tac_real best[TAC_MAX_SOLVE_ROWS], previous[TAC_MAX_SOLVE_ROWS];
    tac_real a[TAC_MAX_SOLVE_ROWS], b[TAC_MAX_SOLVE_ROWS], c[TAC_MAX_SOLVE_ROWS], d[TAC_MAX_SOLVE_ROWS];
#if TAC_MAX_SOLVE_FACTOR > 0
    uint16_t order[TAC_MAX_SOLVE_BLOCKS];        ///< blocks as they are eliminated
    uint16_t place[TAC_MAX_SOLVE_BLOCKS];        ///< its inverse
    uint32_t reduced[TAC_MAX_SOLVE_BLOCKS + 1];  ///< rows of the block eliminated k-th begin here
    uint32_t left[TAC_MAX_SOLVE_ROWS];           ///< first column of a row's profile
    uint32_t begin[TAC_MAX_SOLVE_ROWS + 1];      ///< where in lower[] and upper[] the profile of a row begins
    tac_real pivot[TAC_MAX_SOLVE_ROWS];
    tac_real basis[TAC_BLOCK_ROWS * TAC_MAX_SOLVE_ROWS]; ///< of each block: directions in which its projection moves
    tac_real rhs[TAC_MAX_SOLVE_ROWS], dual[TAC_MAX_SOLVE_ROWS];
    tac_real lower[TAC_MAX_SOLVE_FACTOR], upper[TAC_MAX_SOLVE_FACTOR];
#endif
} tac_solve_work;

TAC_TYPES_END

#endif

#endif
