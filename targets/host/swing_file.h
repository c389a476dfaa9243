// SPDX-License-Identifier: MIT
// swing_file.h - measured swings of joints from a CSV file: columns `time`, the names of joints, and for any of these
// `NAME/rate`; with a column `swing` there are several, one after the other. Others are ignored.
#ifndef HOST_SWING_FILE_H
#define HOST_SWING_FILE_H

#include "joints.h"
#include <stddef.h>

typedef struct swing_file {
    size_t rows;
    uint32_t joints;                ///< that are measured, >= 1
    uint16_t joint[TAC_MAX_JOINTS]; ///< their numbers in the model
    double *swing, *time;           ///< s   of each row
    uint8_t rated[TAC_MAX_JOINTS];  ///< it has a column NAME/rate
    double *position, *speed;       ///< q, q/s: rows * joints; without a column speeds are zeros
} swing_file;

/// Returns 0 after a complaint with the line number. At least one joint with a coordinate, and one row; all numbers
/// finite; within a swing time increases.
int swing_file_read(const char *path, const tac_model *model, const joint_names *names, swing_file *file);
void swing_file_free(swing_file *file);

/// The rows that follow `first` in the same swing, itself included.
size_t swing_file_length(const swing_file *file, size_t first);

/// Largest difference of positions of a measured joint, and its largest rate between two rows.
void swing_file_scales(const swing_file *file, uint32_t joint, double *span, double *rate);

#endif
