// SPDX-License-Identifier: MIT
// predict.h - what a predictor needs beside the step: packed states, measured states (TAC_PREDICT).
#ifndef TACTUS_PREDICT_H
#define TACTUS_PREDICT_H

#include "tactus/types.h"

#if TAC_PREDICT

TAC_TYPES_BEGIN

/// Forms of a packed state.
enum {
    TAC_PACK_EXACT, ///< to the bit: a state that has been unpacked goes on as the one that was packed
    TAC_PACK_PLAN,  ///< without compensated sums, impulses of joints and the account of energy
    TAC_PACK_FORMS
};

/// What an estimator knows of a frame: of the base link of a robot, or of the sensor that is fixed to it.
typedef struct tac_measured {
    tac_frame frame;   ///<       on a dynamic body that hangs on no joint: a free root
    tac_pose pose;     ///<       of the frame, in the world
    tac_vec3 velocity; ///< m/s   of the origin of the frame, in its own axes
    tac_vec3 gyro;     ///< rad/s angular velocity, in its own axes
} tac_measured;

TAC_TYPES_END

#endif

#endif
