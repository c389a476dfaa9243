// SPDX-License-Identifier: MIT
// motor_file.h - motor commands over time, from a CSV file: README.md has its columns.
#ifndef HOST_MOTOR_FILE_H
#define HOST_MOTOR_FILE_H

#include "joints.h"
#include <stddef.h>

/// The command of one motor from a step on.
typedef struct motor_row {
    uint64_t step;
    tac_motor motor;
    int off; ///< 1: no command
} motor_row;

typedef struct motor_file {
    motor_row *row; ///< in the order of the file, in which steps never decrease
    size_t count;
    size_t next;                           ///< the first row whose step has not been reached
    const motor_row *last[TAC_MAX_JOINTS]; ///< for each joint the last row that was reached; NULL: none
} motor_file;

/// Read a file for joints of a model. Returns 0 after a complaint with the line number: no such joint, or one without a
/// coordinate; no such mode; a field that is not a number, or too large; a negative gain; times that decrease.
///   names   of the joints, or NULL
int motor_file_read(const char *path, const tac_model *model, const joint_names *names, motor_file *file);
void motor_file_free(motor_file *file);

/// Write the motor commands of a step, in the order of their joints. To be called with increasing steps. Returns 1 if
/// they differ from those of the step before.
int motor_file_apply(motor_file *file, uint64_t step, tac_input *input);

#endif
