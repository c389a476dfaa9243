// SPDX-License-Identifier: MIT
#include "swing_file.h"
#include "log/values.h"
#include "message.h"
#include "table_file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/// A file being read: fields of its columns, -1 where there is none.
typedef struct reader {
    table_file table;
    int swing, time;
    int position[TAC_MAX_JOINTS], speed[TAC_MAX_JOINTS];
} reader;

static int read_header(reader *r, const tac_model *model, const joint_names *names, swing_file *file)
{
    char rate[JOINT_NAME_BYTES + 8];

    r->swing = table_file_column(&r->table, "swing");
    r->time = table_file_must(&r->table, "time");
    for (uint32_t i = 0; i < model->joints; i++) {
        const int at = table_file_column(&r->table, names->name[i]);
        if (at < 0 || log_unit(model->joint[i].kind) == NULL) continue;
        snprintf(rate, sizeof rate, "%s/rate", names->name[i]);
        r->position[file->joints] = at;
        r->speed[file->joints] = table_file_column(&r->table, rate);
        file->rated[file->joints] = r->speed[file->joints] >= 0;
        file->joint[file->joints++] = (uint16_t)i;
    }
    if (r->time >= 0 && file->joints == 0) {
        complain("%s:%lu: no column has the name of a joint that has a coordinate", r->table.path, r->table.number);
    }
    return r->time >= 0 && file->joints > 0;
}

static int read_cell(const reader *r, int field, const char *column, double *value)
{
    *value = 0;
    return field < 0 || table_file_number(&r->table, field, column, value);
}

static int make_room(swing_file *file, size_t *room)
{
    if (file->rows < *room) return 1;
    *room = *room == 0 ? 1024 : 2 * *room;
    double **const array[] = {&file->swing, &file->time, &file->position, &file->speed};
    for (int a = 0; a < 4; a++) {
        double *more = realloc(*array[a], *room * (a < 2 ? 1 : file->joints) * sizeof *more);
        if (more == NULL) {
            complain("out of memory");
            return 0;
        }
        *array[a] = more;
    }
    return 1;
}

static int read_row(const reader *r, const joint_names *names, swing_file *file)
{
    const size_t n = file->rows;

    if (!read_cell(r, r->swing, "swing", &file->swing[n])) return 0;
    if (!read_cell(r, r->time, "time", &file->time[n])) return 0;
    for (uint32_t k = 0; k < file->joints; k++) {
        const char *name = names->name[file->joint[k]];
        if (!read_cell(r, r->position[k], name, &file->position[n * file->joints + k])) return 0;
        if (!read_cell(r, r->speed[k], name, &file->speed[n * file->joints + k])) return 0;
    }
    if (n > 0 && file->swing[n] == file->swing[n - 1] && file->time[n] <= file->time[n - 1]) {
        complain("%s:%lu: time %g does not increase", r->table.path, r->table.number, file->time[n]);
        return 0;
    }
    file->rows++;
    return 1;
}

int swing_file_read(const char *path, const tac_model *model, const joint_names *names, swing_file *file)
{
    reader r;
    size_t room = 0;
    int got = -1;

    *file = (swing_file){0};
    if (table_file_open(path, &r.table) && read_header(&r, model, names, file)) {
        while ((got = table_file_next(&r.table)) > 0) {
            if (!make_room(file, &room) || !read_row(&r, names, file)) break;
        }
        if (got == 0 && file->rows == 0) complain("%s: no rows below the header", path);
    }
    table_file_close(&r.table);
    if (got == 0 && file->rows > 0) return 1;
    swing_file_free(file);
    return 0;
}

void swing_file_free(swing_file *file)
{
    free(file->swing);
    free(file->time);
    free(file->position);
    free(file->speed);
    *file = (swing_file){0};
}

size_t swing_file_length(const swing_file *file, size_t first)
{
    size_t length = 1;
    while (first + length < file->rows && file->swing[first + length] == file->swing[first]) length++;
    return length;
}

void swing_file_scales(const swing_file *file, uint32_t joint, double *span, double *rate)
{
    double low = file->position[joint], high = low;

    *rate = 0;
    for (size_t n = 0; n < file->rows; n++) {
        const double q = file->position[n * file->joints + joint];
        low = fmin(low, q);
        high = fmax(high, q);
        if (n == 0 || file->swing[n] != file->swing[n - 1]) continue;
        const double before = file->position[(n - 1) * file->joints + joint];
        *rate = fmax(*rate, fabs(q - before) / (file->time[n] - file->time[n - 1]));
    }
    *span = high - low;
}
