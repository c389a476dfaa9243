// SPDX-License-Identifier: MIT
// motor_file.h - motor commands over time, from a CSV file: README.md has its columns.
#ifndef HOST_MOTOR_FILE_H
#define HOST_MOTOR_FILE_H

#include "joints.h"
#include <stddef.h>
#include <stdio.h>

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

/// The motors of an input: for each joint the last row, or NULL.
void motor_rows_input(const motor_row *const last[], tac_input *input);

/// Commands as they come, from a file, a FIFO or, as "-", standard input: whole lines of the same form, a `time` counts
/// for nothing. open: waits for the header; returns NULL after a complaint, and where path is NULL. next: 1 with a
/// row, 0 if none has come yet, MOTOR_STREAM_END, -1 after a complaint.
typedef struct motor_stream motor_stream;
enum { MOTOR_STREAM_END = -2 };
motor_stream *motor_stream_open(const char *path, const tac_model *model, const joint_names *names);
int motor_stream_next(motor_stream *stream, motor_row *row);
void motor_stream_close(motor_stream *stream);

/// Write a row that motor_file_read() reads, or the header if it is NULL. A NULL file gets nothing.
void motor_row_write(FILE *file, double time, const joint_names *names, const motor_row *row);

#endif
