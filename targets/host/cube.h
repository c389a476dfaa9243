// SPDX-License-Identifier: MIT
// cube.h - the measured cube: an acrylic cube tossed onto a flat board (ContactNets, CoRL 2020).
#ifndef HOST_CUBE_H
#define HOST_CUBE_H

#include "tactus/tactus.h"
#include "toss_file.h"

#define CUBE_WIDTH 0.1048   ///< m
#define CUBE_ROW_RATE 148.0 ///< 1/s   rows of a recording

/// Parameters of the model.
typedef struct cube_options {
    double friction;    ///< 1   >= 0
    double restitution; ///< 1   0 .. 1
    double h;           ///< s
    uint8_t law;        ///<     TAC_FRICTION_*
} cube_options;

/// A board z <= 0, and the cube as body 1. Returns 0 after a complaint.
int cube_model(const cube_options *options, tac_model *model);

/// The state that a row describes, at step 0. Returns 0 after a complaint.
int cube_state(const tac_model *model, const toss_row *row, tac_state *state);

/// Distance (widths) and angle (degrees) between the cube and a row, after the cube has moved with its velocity for
/// `dt` seconds.
typedef struct cube_error {
    double position, rotation;
} cube_error;
cube_error cube_compare(const tac_model *model, const tac_state *state, double dt, const toss_row *row);

/// Angle between the cube's nearest face and the board, degrees, 0 .. 54.7.
double cube_tilt(tac_quat q);

#endif
