// SPDX-License-Identifier: MIT
// joints.h - joints by name or number.
#ifndef HOST_JOINTS_H
#define HOST_JOINTS_H

#include "tactus/tactus.h"

enum { JOINT_NAME_BYTES = 128 };

/// Names of the joints of a model, in the order of joint[], and of its bodies: that of the first link of each, cut
/// where it is too long; empty: none.
typedef struct joint_names {
    char name[TAC_MAX_JOINTS][JOINT_NAME_BYTES];
    char body[TAC_MAX_BODIES + 1][JOINT_NAME_BYTES];
} joint_names;

/// Index of the joint of that name or, if none has it, of that number; model->joints if there is none.
///   names   NULL: numbers only
uint32_t joint_find(const tac_model *model, const joint_names *names, const char *text);

#endif
