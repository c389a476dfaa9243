// SPDX-License-Identifier: MIT
// joints.h - joints as people call them: by name or number, with units.
#ifndef HOST_JOINTS_H
#define HOST_JOINTS_H

#include "tactus/tactus.h"

enum { JOINT_NAME_BYTES = 128 };

/// Of the joints of a model, in their order.
typedef struct joint_names {
    char name[TAC_MAX_JOINTS][JOINT_NAME_BYTES];
} joint_names;

/// Unit of the coordinate, "rad" or "m"; NULL for a kind without one, which has no motor either.
const char *joint_unit(uint8_t kind);

/// The joint of that name or, if none has it, of that number; model->joints if there is none.
///   names   NULL: numbers only
uint32_t joint_find(const tac_model *model, const joint_names *names, const char *text);

#endif
