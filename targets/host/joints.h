// SPDX-License-Identifier: MIT
// joints.h - joints by name or number, and the units of their coordinates.
#ifndef HOST_JOINTS_H
#define HOST_JOINTS_H

#include "tactus/tactus.h"

enum { JOINT_NAME_BYTES = 128 };

/// Names of the joints of a model, in the order of joint[].
typedef struct joint_names {
    char name[TAC_MAX_JOINTS][JOINT_NAME_BYTES];
} joint_names;

/// Unit of the coordinate, "rad" or "m"; NULL for a kind without one, which has no motor either.
const char *joint_unit(uint8_t kind);

/// Index of the joint of that name or, if none has it, of that number; model->joints if there is none.
///   names   NULL: numbers only
uint32_t joint_find(const tac_model *model, const joint_names *names, const char *text);

#endif
