// SPDX-License-Identifier: MIT
// refresh.h - what steps of a roll-out keep while the dynamics are refreshed only now and then (src/predict/refresh.h).
#ifndef TACTUS_REFRESH_H
#define TACTUS_REFRESH_H

#include "tactus/types.h"

#if TAC_PREDICT

TAC_TYPES_BEGIN

/// Rates of free motions that have room: those of a robot of this many joints with a free base, and of one free body.
/// A model with more takes full steps.
#define TAC_REFRESH_RATES (TAC_MAX_JOINTS + 12)

#define TAC_REFRESH_LESS(a, b) ((a) < (b) ? (a) : (b))

/// Entries of the factor and of the columns that have room: rows of a chain, or those whose mean length is that of the
/// rows of TAC_MAX_PATH; columns are of these rows.
#define TAC_REFRESH_FILL                                                                                               \
    (TAC_REFRESH_LESS(TAC_REFRESH_RATES * (TAC_REFRESH_RATES + 1) / 2,                                                 \
                      TAC_REFRESH_RATES * TAC_MAX_PATH / TAC_MAX_REDUCED) +                                            \
     TAC_REFRESH_LESS(32 * TAC_MAX_CONTACTS, TAC_MAX_PATH))

/// The path of a row through its tree: keys, at most one for each body.
#define TAC_REFRESH_KEYS TAC_REFRESH_LESS(12 * TAC_MAX_CONTACTS + 8 * TAC_MAX_JOINTS, TAC_MAX_PATH / 2)

/// A contact, with what sweeps need of it.
typedef struct tac_refresh_contact {
    tac_feature id;          ///<       shapes and features
    uint16_t body_a, body_b; ///<       as in tac_contact, also what follows
    tac_vec3 point;          ///< m     where it was at the refresh
    tac_vec3 n, u, w;        ///< 1
    tac_real gap;            ///< m     now
    tac_real mu;             ///< 1
    tac_real restitution;    ///< 1
    tac_real stiffness;      ///< N/m
    tac_real damping;        ///< N s/m
    tac_real yields;         ///< 1/kg  C of its normal row, in `soft`
    tac_vec3 impulse;        ///< N s   of the last step, in (n,u,w)
    tac_sym3 block, inverse; ///< 1/kg, kg  its block of W, and the inverse
    tac_vec3 soft;           ///< 1/kg  part of the diagonal of `block` that is not in Y'Y
    tac_real step_n, step_t; ///< kg    step lengths of the projected gradient
    tac_vec3 at[2];          ///< m     the point of a and of b that it follows, in their principal frames
    tac_vec3 start;          ///< m/s   its velocity at the start of the step, in (n,u,w)
    tac_vec3 lead;           ///< m/s   what the arcs of joints add to this in the mean of a step
    tac_real base;           ///< m     its gap less the distance of these points along n
    tac_real rounding;       ///< m     of its gap
    uint16_t column, path;   ///<       its first entry, its first key
    uint16_t keys;           ///<       in its path
} tac_refresh_contact;

/// A joint of a tree.
typedef struct tac_refresh_joint {
    tac_real q[4];         ///<            its coordinates; of a hinge also cosine and sine of half the angle
    tac_real weight;       ///< 1/kg       of the row of its coordinate, by its two bodies alone
    tac_real rounding;     ///< m          of its constraints
    tac_real constant;     ///< N s        along its coordinate, in the impulses without contacts
    tac_real slope;        ///< kg         of what yields along its coordinate: it is in the factor
    tac_real own;          ///< 1/kg  entry of W of its row, if it has one,
    tac_real soft;         ///< 1/kg  and the part of this that is not in Y'Y
    tac_real free;         ///< m/s   change of its rate in the step without impulses of rows
    tac_real effort[4];    ///< N s   impulses along its coordinate in the last step, by source
    uint16_t column, path; ///<       of its row
    uint16_t keys;         ///<       of its row; 0 where it has none
    uint8_t inside;        ///<       bits: efforts that are in the factor, as if they had no bounds
} tac_refresh_joint;

/// What a refresh makes and the steps after it use and change. Copies share a refresh: candidates that begin at one
/// state begin with copies of one.
typedef struct tac_refresh {
    tac_real entry[TAC_REFRESH_FILL];    ///< factor L of A = L'L, row by row towards the root, the first inverted;
                                         ///< then the columns Y = L'^-1 D' of contacts and coordinates
    tac_real rate[TAC_REFRESH_RATES];    ///< m/s  of the free motions; of a root rad/s and m/s, world
    tac_real given[TAC_REFRESH_RATES];   ///< L'^-1 of the impulses of a step without contacts
    tac_real apart[TAC_REFRESH_RATES];   ///< the same in the first step alone, of velocities that violate joints
    uint16_t row[TAC_REFRESH_RATES + 1]; ///< first entry of each row of L
    uint16_t up[TAC_REFRESH_RATES];      ///< the next free motion towards the root; TAC_NONE behind the last one
    uint16_t root[TAC_REFRESH_RATES];    ///< then the first of the six of the free root; TAC_NONE: none, or its own
    uint16_t order[TAC_MAX_BODIES + 1];  ///< dynamic bodies, parents first
    uint16_t last[TAC_MAX_BODIES + 1];   ///< the last free motion of each of them, or of what carries it
    uint16_t joint[TAC_MAX_BODIES + 1];  ///< the joint that each of them hangs on, TAC_NONE for a root
    uint8_t motions[TAC_MAX_BODIES + 1]; ///< free motions of its joint, 6 of a root
    uint16_t key[TAC_REFRESH_KEYS];      ///< of the rows of contacts and coordinates
    tac_refresh_contact contact[TAC_MAX_CONTACTS];
    tac_refresh_joint of[TAC_MAX_JOINTS > 0 ? TAC_MAX_JOINTS : 1];
    tac_real turned;                  ///< rad  at most, by a body, since the refresh
    uint16_t bodies, rates, contacts; ///< in use
    uint16_t entries, keys;           ///< in use
    uint16_t along;                   ///< coordinates that have a row
    uint16_t left;                    ///< steps until the next refresh
    uint8_t known;                    ///< 1: rates and coordinates are those of the state
    uint8_t parts;                    ///< 1: apart[] has not acted yet
    uint8_t fresh;                    ///< 1: it has been made since the last step of a roll-out
    uint8_t shared;                   ///< 1: its motors were at rest, and no step has used it yet
} tac_refresh;

TAC_TYPES_END

#endif

#endif
