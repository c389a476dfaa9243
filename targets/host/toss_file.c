// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L
#include "toss_file.h"
#include "message.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

enum { MAX_FIELDS = 64 };

static const char *const column_name[TOSS_COLUMNS] = {
    "toss", "time", "x", "y", "z", "qw", "qx", "qy", "qz", "vx", "vy", "vz", "wx", "wy", "wz",
};

/// A file being read.
typedef struct reader {
    const char *path;
    FILE *stream;
    char *line;
    size_t line_size;
    unsigned long number; ///< of the line, from 1
    char *field[MAX_FIELDS];
    int fields;
    int header_fields;
    int at[TOSS_COLUMNS]; ///< field of a column
} reader;

// Cuts the line into fields in place. Returns 0 if there are too many.
static int split(reader *r)
{
    r->fields = 0;
    char *next = r->line;
    while (next != NULL) {
        if (r->fields == MAX_FIELDS) {
            complain("%s:%lu: more than %d fields", r->path, r->number, MAX_FIELDS);
            return 0;
        }
        char *field = next;
        next = strchr(field, ',');
        if (next != NULL) *next++ = '\0';
        field += strspn(field, " \t");
        r->field[r->fields++] = field;
        for (size_t n = strlen(field); n > 0 && (field[n - 1] == ' ' || field[n - 1] == '\t'); n--) field[n - 1] = '\0';
    }
    return 1;
}

// Returns 1 with a line cut into fields, 0 at the end, -1 after a complaint. Blank lines are skipped.
static int next_line(reader *r)
{
    for (;;) {
        errno = 0;
        const ssize_t length = getline(&r->line, &r->line_size, r->stream);
        if (length < 0) {
            if (errno == 0) return 0;
            complain("%s: %s", r->path, strerror(errno));
            return -1;
        }
        r->number++;
        r->line[strcspn(r->line, "\r\n")] = '\0';
        if (r->line[strspn(r->line, " \t")] != '\0') return split(r) ? 1 : -1;
    }
}

static int read_header(reader *r)
{
    const int got = next_line(r);

    if (got == 0) complain("%s: empty; the first line must name the columns", r->path);
    if (got <= 0) return 0;
    r->header_fields = r->fields;
    for (int c = 0; c < TOSS_COLUMNS; c++) {
        int i = 0;
        while (i < r->fields && strcmp(r->field[i], column_name[c]) != 0) i++;
        if (i == r->fields) {
            complain("%s:%lu: no column '%s'", r->path, r->number, column_name[c]);
            return 0;
        }
        r->at[c] = i;
    }
    return 1;
}

static int read_row(const reader *r, toss_row *row)
{
    if (r->fields != r->header_fields) {
        complain("%s:%lu: %d fields, the header has %d", r->path, r->number, r->fields, r->header_fields);
        return 0;
    }
    for (int c = 0; c < TOSS_COLUMNS; c++) {
        const char *text = r->field[r->at[c]];
        char *end;
        row->value[c] = strtod(text, &end);
        if (end == text || *end != '\0' || !isfinite(row->value[c])) {
            complain("%s:%lu: '%s' in column '%s' is not a number", r->path, r->number, text, column_name[c]);
            return 0;
        }
    }
    return 1;
}

static int check_row(const reader *r, const toss_row *row, const toss_row *before)
{
    const double *q = &row->value[TOSS_QW];
    const double norm = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);

    if (fabs(norm - 1.0) > 0.01) {
        complain("%s:%lu: the quaternion has norm %g", r->path, r->number, norm);
        return 0;
    }
    const int same = before != NULL && before->value[TOSS_ID] == row->value[TOSS_ID];
    if (same && row->value[TOSS_TIME] <= before->value[TOSS_TIME]) {
        complain("%s:%lu: time %g does not increase", r->path, r->number, row->value[TOSS_TIME]);
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
            complain("%s:%lu: out of memory", r->path, r->number);
            return 0;
        }
        file->row = more;
    }
    toss_row *row = &file->row[file->count];
    if (!read_row(r, row) || !check_row(r, row, file->count > 0 ? row - 1 : NULL)) return 0;
    file->count++;
    return 1;
}

static int read_rows(reader *r, toss_file *file)
{
    size_t room = 0;
    int got;

    while ((got = next_line(r)) > 0) {
        if (!add_row(r, file, &room)) return 0;
    }
    if (got == 0 && file->count == 0) complain("%s: no rows below the header", r->path);
    return got == 0 && file->count > 0;
}

int toss_file_read(const char *path, toss_file *file)
{
    reader r = {.path = path};

    file->row = NULL;
    file->count = 0;
    r.stream = fopen(path, "r");
    if (r.stream == NULL) {
        complain("%s: %s", path, strerror(errno));
        return 0;
    }
    const int good = read_header(&r) && read_rows(&r, file);
    if (!good) toss_file_free(file);
    free(r.line);
    fclose(r.stream);
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
