// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L
#include "motor_file.h"
#include "log/values.h"
#include "message.h"
#include "table_file.h"

#include <math.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

#define MOST_STEPS 9e15 // integers up to this are exact in a double

enum { COLUMN_POSITION, COLUMN_VELOCITY, COLUMN_EFFORT, COLUMN_STIFFNESS, COLUMN_DAMPING, COLUMNS };

static const char *const column_name[COLUMNS] = {"position", "velocity", "effort", "stiffness", "damping"};
static const char *const mode_name[TAC_MOTOR_KINDS + 1] = {"effort", "pd", "velocity", "position", "off"};

/// A file being read.
typedef struct reader {
    table_file table;
    const tac_model *model;
    const joint_names *names;
    int time, joint, mode; ///< their fields
    int at[COLUMNS];       ///< those of the others, -1 where there are none
} reader;

// The columns but `time`.
static int read_columns(reader *r)
{
    r->joint = table_file_must(&r->table, "joint");
    r->mode = r->joint < 0 ? -1 : table_file_must(&r->table, "mode");
    for (int c = 0; c < COLUMNS; c++) r->at[c] = table_file_column(&r->table, column_name[c]);
    return r->mode >= 0;
}

static int read_header(reader *r)
{
    r->time = table_file_must(&r->table, "time");
    return r->time >= 0 && read_columns(r);
}

static int wrong(const reader *r, int field, const char *what)
{
    complain("%s:%lu: '%s' %s", r->table.path, r->table.number, r->table.field[field], what);
    return 0;
}

static int read_joint(const reader *r, tac_motor *motor)
{
    const uint32_t joint = joint_find(r->model, r->names, r->table.field[r->joint]);

    if (joint == r->model->joints) return wrong(r, r->joint, "is no joint of the model");
    if (log_unit(r->model->joint[joint].kind) == NULL) return wrong(r, r->joint, "is a joint that has no coordinate");
    motor->joint = (uint16_t)joint;
    return 1;
}

static int read_mode(const reader *r, motor_row *row)
{
    uint16_t mode = 0;

    while (mode <= TAC_MOTOR_KINDS && strcmp(r->table.field[r->mode], mode_name[mode]) != 0) mode++;
    if (mode > TAC_MOTOR_KINDS) return wrong(r, r->mode, "is none of effort, pd, velocity, position, off");
    row->motor.kind = mode;
    row->off = mode == TAC_MOTOR_KINDS;
    return 1;
}

// A missing column or an empty field is 0.
static int read_value(const reader *r, int column, tac_real *value)
{
    const int field = r->at[column];
    double number = 0.0;

    if (field >= 0 && r->table.field[field][0] != '\0' &&
        !table_file_number(&r->table, field, column_name[column], &number)) {
        return 0;
    }
    *value = (tac_real)number;
    return isfinite(*value) ? 1 : wrong(r, field, "is too large");
}

static int read_values(const reader *r, tac_motor *motor)
{
    tac_real *const value[COLUMNS] = {&motor->position, &motor->velocity, &motor->effort, &motor->stiffness,
                                      &motor->damping};

    for (int c = 0; c < COLUMNS; c++) {
        if (!read_value(r, c, value[c])) return 0;
    }
    if (motor->stiffness < 0) return wrong(r, r->at[COLUMN_STIFFNESS], "is a negative stiffness");
    if (motor->damping < 0) return wrong(r, r->at[COLUMN_DAMPING], "is a negative damping");
    return 1;
}

static int read_row(const reader *r, motor_row *row)
{
    return read_joint(r, &row->motor) && read_mode(r, row) && read_values(r, &row->motor);
}

// The step nearest to the time: h may be rounded.
static int read_step(const reader *r, uint64_t least, uint64_t *step)
{
    double time;

    if (!table_file_number(&r->table, r->time, "time", &time)) return 0;
    const double steps = floor(time / (double)r->model->h + 0.5);
    if (steps < 0.0) return wrong(r, r->time, "is before the start");
    if (steps > MOST_STEPS) return wrong(r, r->time, "is too large");
    *step = (uint64_t)steps;
    return *step >= least ? 1 : wrong(r, r->time, "is before the time of the row above");
}

static int add_row(reader *r, motor_file *file, size_t *room)
{
    if (file->count == *room) {
        *room = *room == 0 ? 256 : 2 * *room;
        motor_row *more = realloc(file->row, *room * sizeof *more);
        if (more == NULL) {
            complain("%s:%lu: out of memory", r->table.path, r->table.number);
            return 0;
        }
        file->row = more;
    }
    motor_row *row = &file->row[file->count];
    const uint64_t least = file->count > 0 ? row[-1].step : 0;
    if (!read_step(r, least, &row->step) || !read_row(r, row)) return 0;
    file->count++;
    return 1;
}

static int read_rows(reader *r, motor_file *file)
{
    size_t room = 0;
    int got;

    while ((got = table_file_next(&r->table)) > 0) {
        if (!add_row(r, file, &room)) return 0;
    }
    return got == 0;
}

int motor_file_read(const char *path, const tac_model *model, const joint_names *names, motor_file *file)
{
    reader r = {.model = model, .names = names};

    *file = (motor_file){0};
    const int good = table_file_open(path, &r.table) && read_header(&r) && read_rows(&r, file);
    if (!good) motor_file_free(file);
    table_file_close(&r.table);
    return good;
}

void motor_file_free(motor_file *file)
{
    free(file->row);
    file->row = NULL;
    file->count = 0;
}

int motor_file_apply(motor_file *file, uint64_t step, tac_input *input)
{
    const size_t before = file->next;

    for (; file->next < file->count && file->row[file->next].step <= step; file->next++) {
        const motor_row *row = &file->row[file->next];
        file->last[row->motor.joint] = row;
    }
    if (file->next == before) return 0;
    motor_rows_input(file->last, input);
    return 1;
}

void motor_rows_input(const motor_row *const last[], tac_input *input)
{
    input->motors = 0;
    for (uint32_t i = 0; i < TAC_MAX_JOINTS; i++) {
        if (last[i] != NULL && !last[i]->off) input->motor[input->motors++] = last[i]->motor;
    }
}

// ------------------------------------------------------------------------------------------------- as they come, and
// go

struct motor_stream {
    reader r;
};

motor_stream *motor_stream_open(const char *path, const tac_model *model, const joint_names *names)
{
    motor_stream *s = path != NULL ? calloc(1, sizeof *s) : NULL;

    if (s == NULL) return NULL;
    s->r.model = model;
    s->r.names = names;
    // without a buffer, so that poll() knows of all that has not been read
    const int open = table_file_open_live(strcmp(path, "-") == 0 ? "/dev/stdin" : path, &s->r.table);
    if (open && read_columns(&s->r)) return s;
    motor_stream_close(s);
    return NULL;
}

int motor_stream_next(motor_stream *stream, motor_row *row)
{
    struct pollfd p = {.fd = fileno(stream->r.table.stream), .events = POLLIN};

    if (poll(&p, 1, 0) <= 0) return 0;
    const int got = table_file_next(&stream->r.table);
    if (got <= 0) return got == 0 ? MOTOR_STREAM_END : -1;
    *row = (motor_row){0};
    return read_row(&stream->r, row) ? 1 : -1;
}

void motor_stream_close(motor_stream *stream)
{
    if (stream != NULL) table_file_close(&stream->r.table);
    free(stream);
}

void motor_row_write(FILE *file, double time, const joint_names *names, const motor_row *row)
{
    if (file == NULL) return;
    if (row == NULL) {
        fprintf(file, "time,joint,mode");
        for (int c = 0; c < COLUMNS; c++) fprintf(file, ",%s", column_name[c]);
    } else {
        const tac_motor *m = &row->motor;
        const double value[COLUMNS] = {(double)m->position, (double)m->velocity, (double)m->effort,
                                       (double)m->stiffness, (double)m->damping};
        fprintf(file, "%.17g,", time);
        if (names != NULL) fputs(names->name[m->joint], file);
        if (names == NULL) fprintf(file, "%u", m->joint);
        fprintf(file, ",%s", mode_name[m->kind]);
        for (int c = 0; c < COLUMNS; c++) fprintf(file, "," LOG_REAL, value[c]);
    }
    fputc('\n', file);
}
