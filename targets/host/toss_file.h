// SPDX-License-Identifier: MIT
// toss_file.h - measured tosses from a CSV file: columns by the names of the header, in any order, others ignored.
#ifndef HOST_TOSS_FILE_H
#define HOST_TOSS_FILE_H

#include <stddef.h>

/// Numbers of a row, in the order of the names below.
enum {
    TOSS_ID,
    TOSS_TIME, ///< s
    TOSS_X,    ///< m       centre of the cube
    TOSS_QW = TOSS_X + 3,
    TOSS_VX = TOSS_QW + 4, ///< m/s     world frame
    TOSS_WX = TOSS_VX + 3, ///< rad/s   body frame
    TOSS_COLUMNS = TOSS_WX + 3
};

typedef struct toss_row {
    double value[TOSS_COLUMNS];
} toss_row;

typedef struct toss_file {
    toss_row *row;
    size_t count;
} toss_file;

/// Returns 0 after a complaint with the line number. At least one row; all numbers finite; quaternions of norm 1 within
/// 1 %; within a toss time increases.
int toss_file_read(const char *path, toss_file *file);
void toss_file_free(toss_file *file);

/// The rows that follow `first` in the same toss, itself included.
size_t toss_file_length(const toss_file *file, size_t first);

#endif
