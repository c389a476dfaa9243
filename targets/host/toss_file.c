// SPDX-License-Identifier: MIT
#include "toss_file.h"
#include "message.h"
#include "table_file.h"

#include <math.h>
#include <stdlib.h>

static const char *const column_name[TOSS_COLUMNS] = {
    "toss", "time", "x", "y", "z", "qw", "qx", "qy", "qz", "vx", "vy", "vz", "wx", "wy", "wz",
};

/// A file being read.
typedef struct reader {
    table_file table;
    int at[TOSS_COLUMNS]; ///< field of a column
} reader;

static int read_header(reader *r)
{
    for (int c = 0; c < TOSS_COLUMNS; c++) {
        r->at[c] = table_file_must(&r->table, column_name[c]);
        if (r->at[c] < 0) return 0;
    }
    return 1;
}

static int read_row(const reader *r, toss_row *row)
{
    for (int c = 0; c < TOSS_COLUMNS; c++) {
        if (!table_file_number(&r->table, r->at[c], column_name[c], &row->value[c])) return 0;
    }
    return 1;
}

static int check_row(const table_file *t, const toss_row *row, const toss_row *before)
{
    const double *q = &row->value[TOSS_QW];
    const double norm = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);

    if (fabs(norm - 1.0) > 0.01) {
        complain("%s:%lu: the quaternion has norm %g", t->path, t->number, norm);
        return 0;
    }
    const int same = before != NULL && before->value[TOSS_ID] == row->value[TOSS_ID];
    if (same && row->value[TOSS_TIME] <= before->value[TOSS_TIME]) {
        complain("%s:%lu: time %g does not increase", t->path, t->number, row->value[TOSS_TIME]);
        return 0;
    }
    return 1;
}

static int add_row(reader *r, toss_file *file, size_t *room)
{
    if (file->count == *room) {
        *room = *room == 0 ? 1024 : 2 * *room;
        toss_row *more = realloc(file->row, *room * sizeof *more);
        if (more == NULL) {
            complain("%s:%lu: out of memory", r->table.path, r->table.number);
            return 0;
        }
        file->row = more;
    }
    toss_row *row = &file->row[file->count];
    if (!read_row(r, row) || !check_row(&r->table, row, file->count > 0 ? row - 1 : NULL)) return 0;
    file->count++;
    return 1;
}

static int read_rows(reader *r, toss_file *file)
{
    size_t room = 0;
    int got;

    while ((got = table_file_next(&r->table)) > 0) {
        if (!add_row(r, file, &room)) return 0;
    }
    if (got == 0 && file->count == 0) complain("%s: no rows below the header", r->table.path);
    return got == 0 && file->count > 0;
}

int toss_file_read(const char *path, toss_file *file)
{
    reader r;

    file->row = NULL;
    file->count = 0;
    const int good = table_file_open(path, &r.table) && read_header(&r) && read_rows(&r, file);
    if (!good) toss_file_free(file);
    table_file_close(&r.table);
    return good;
}

void toss_file_free(toss_file *file)
{
    free(file->row);
    file->row = NULL;
    file->count = 0;
}

size_t toss_file_length(const toss_file *file, size_t first)
{
    size_t length = 1;
    while (first + length < file->count &&
           file->row[first + length].value[TOSS_ID] == file->row[first].value[TOSS_ID]) {
        length++;
    }
    return length;
}
