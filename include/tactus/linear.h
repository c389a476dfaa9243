// SPDX-License-Identifier: MIT
// linear.h - the step as a linear system: tac_lcs, with contacts as complementarity conditions, and
// tac_step_derivative, through the contacts that are active, also by parameters of the model (TAC_MAX_LCP).
#ifndef TACTUS_LINEAR_H
#define TACTUS_LINEAR_H

#include "tactus/parameter.h"

#if TAC_MAX_LCP > 0

TAC_TYPES_BEGIN

/// Forms of the friction law of tac_linearise().
enum {
    TAC_LCS_STEWART_TRINKLE, ///< T03 (47): a normal impulse, one along each edge of the friction cone, a multiplier
    TAC_LCS_ANITESCU,        ///< impulses along the edges alone, normal + mu direction; a sliding contact opens
    TAC_LCS_FORMS
};

/// Most directions of friction: pairs of opposite edges.
#define TAC_LCS_DIRECTIONS 8

/// Coordinates, with n the velocities of tac_model_get_coordinates(). x = (q, v), 2 n numbers, v that function's dq. q,
/// n numbers, is the displacement from the state that is linearised, whose rate is v: of a free root the translation of
/// its centre of mass and the rotation vector in its principal frame, of joints the change of their coordinates
/// (SPHERICAL: the rotation vector in the axes of a). So x of that state is (0, v), and places far from the origin cost
/// no digits. Rows of x+ are changes in the frames at the end of the step. u: efforts of joints beyond those of the
/// input, n less six for each free root, in the order of v; with `wrenches` n efforts, of free roots too.

/// Sizes of the vectors of a system, or the room of its arrays.
typedef struct tac_linear_size {
    uint16_t x, u, l; ///< numbers in x, u and l
} tac_linear_size;

/// A linear complementarity system: x+ = A x + B u + D l + d,  0 <= l  perp  E x + F l + H u + c >= 0. l are impulses,
/// N s (a multiplier: m/s); the rows of contacts are velocities, m/s. The letters are c3's; its variables, units and
/// order are others (src/derivative/README.md has the map). tac_lcs_init() sets the defaults in [ ].
typedef struct tac_lcs {
    // in
    tac_real *A, *B, *D, *d; ///< x x, x u, x l, x numbers; matrices row by row, without gaps
    tac_real *E, *F, *H, *c; ///< l x, l l, l u, l
    tac_linear_size room;    ///<    how large they are: A has room.x^2 numbers, ...
    tac_real within;         ///< m  [TAC_AUTO] gap up to which pairs count; TAC_AUTO: those that a step finds
    tac_vec3 plane;          ///< 1  [y] one direction: normal of the plane that friction acts in
    uint16_t closest;        ///<    [0] only so many pairs of shapes, those with the least gaps; 0: all
    uint8_t form;            ///<    [STEWART_TRINKLE] TAC_LCS_*
    uint8_t directions;      ///<    [2] of friction; 1: planar; at most TAC_LCS_DIRECTIONS; 2 edges each
    uint8_t wrenches;        ///<    [0] 1: u has the wrenches on free roots too

    // out
    tac_linear_size size; ///<    in use
    uint16_t contacts;    ///<    that have rows, in the order of work->contact[]
    uint16_t limits;      ///<    of joints, a row each
    uint16_t efforts;     ///<    bounded ones of joints: two rows each, and a multiplier
} tac_lcs;

/// The derivative of a step: d x+ / d x, d x+ / d u and, by parameters p of the model, d x+ / d p.
typedef struct tac_step_derivative {
    // in
    tac_real *A, *B;      ///< x x, x u numbers; row by row, without gaps
    tac_linear_size room; ///<    how large they are; l is not used
    uint8_t wrenches;     ///<    as in tac_lcs
    tac_state *next;      ///<    NULL, or x+: another state, which gets the end of the step with the bits of tac_step()
    const tac_parameter *parameter; ///< NULL: none. Of any kind but TAC_FIT_ROUNDING, TAC_FIT_CENTRE_X,
                                    ///< _Y, _Z and TAC_FIT_GRAVITY, whose column is B times the weights as wrenches
    tac_real *P;                    ///< x parameters numbers: x+ by each, in the unit of the parameter
    uint16_t parameters;            ///< how many; 0 costs nothing
    tac_real smoothing; ///< m/s  [0] 0 .. TAC_MOST_SPEED: contacts are soft about where they touch, by this velocity

    // out
    tac_linear_size size; ///<    in use; l: rows of the contacts and joints that are active
    tac_real apart; ///< 1  what in trees of joints is not as the derivative takes it: the root of the kinetic energy of
                    ///<    the difference of velocities, at the start from those that steps leave, at the end from
                    ///<    those that balance momenta, as a part of all of it
} tac_step_derivative;

TAC_TYPES_END

#endif

#endif
