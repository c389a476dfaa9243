// SPDX-License-Identifier: MIT
// motor_file.h - what motors are asked for over time, from a CSV file: README.md has its columns.
#ifndef HOST_MOTOR_FILE_H
#define HOST_MOTOR_FILE_H

#include "joints.h"
#include <stddef.h>

/// From a step on, what one motor is asked for.
typedef struct motor_row {
    uint64_t step;
    tac_motor motor;
    int off; ///< 1: nothing
} motor_row;

typedef struct motor_file {
    motor_row *row; ///< in the order of the file, in which steps do not fall
    size_t count;
    size_t next;                           ///< that has not been reached
    const motor_row *last[TAC_MAX_JOINTS]; ///< reached, of each joint; NULL: none
} motor_file;

/// Read a file for joints of a model. Returns 0 after a complaint with the line number: no such joint, or one without a
/// coordinate; no such mode; a number that is none or too large; a negative gain; times that fall.
///   names   of the joints, or NULL
int motor_file_read(const char *path, const tac_model *model, const joint_names *names, motor_file *file);
void motor_file_free(motor_file *file);

/// The motors of a step, in the order of their joints; steps are asked for in their order. Returns 1 if they are others
/// than those of the step before.
int motor_file_apply(motor_file *file, uint64_t step, tac_input *input);

#endif
