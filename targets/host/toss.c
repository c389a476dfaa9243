// SPDX-License-Identifier: MIT
// toss.c - tactus toss: predicts measured tosses of a cube, each from its first row, and prints the errors.
#include "cube.h"
#include "endpoint.h"
#include "log/table.h"
#include "message.h"
#include "options.h"
#include "output.h"
#include "tool.h"
#include "twin.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "usage: tactus toss FILE.csv [OPTIONS]\n\n"
    "Reads measured tosses of a cube, predicts each open loop from its first row, compares at every row, and prints "
    "mean\n"
    "and median of the position error (widths of the cube) and of the rotation error (degrees): per toss over its "
    "rows,\n"
    "then of the means of the tosses. The header names the columns: toss time x y z qw qx qy qz vx vy vz wx wy wz;\n"
    "SI units, linear velocity in the world, angular velocity in the body.\n\n"
    "  --mu M               friction, default 0.18\n"
    "  --restitution E      default 0\n"
    "  --law LAW            friction: exact (default) or relaxed\n"
    "  --substeps N         steps from row to row at 148 rows/s, default 1\n"
    "  --h SECONDS          step instead; between two steps the cube is moved on as it moves at the nearer one\n"
    "  --csv FILE           a row per row: prediction, measurement, errors; `time` runs on from toss to toss\n"
    "  --link ENDPOINT      the same in the firmware behind ENDPOINT; the hashes of each step are "
    "compared\n\n" ENDPOINT_HELP;

typedef struct toss_options {
    cube_options cube;
    const char *file, *csv, *link;
} toss_options;

/// Mean and median over the rows of a toss, or over the tosses.
typedef struct summary {
    double position_mean, position_median;
    double rotation_mean, rotation_median;
} summary;

/// A list of errors to be summed up.
typedef struct errors {
    double *position, *rotation;
    size_t count;
} errors;

static tac_model model;
static tac_state first_state;
static twin both;

// ------------------------------------------------------------------------------------------------------------ errors

static int errors_make(errors *e, size_t room)
{
    e->position = calloc(room, sizeof *e->position);
    e->rotation = calloc(room, sizeof *e->rotation);
    e->count = 0;
    if (e->position == NULL || e->rotation == NULL) complain("out of memory");
    return e->position != NULL && e->rotation != NULL;
}

static void errors_free(errors *e)
{
    free(e->position);
    free(e->rotation);
}

static void errors_add(errors *e, double position, double rotation)
{
    e->position[e->count] = position;
    e->rotation[e->count] = rotation;
    e->count++;
}

static int compare_numbers(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// Sorts the list, which is of no use afterwards but for its median.
static void mean_median(double *list, size_t count, double *mean, double *median)
{
    double sum = 0.0;

    for (size_t i = 0; i < count; i++) sum += list[i];
    *mean = sum / (double)count;
    qsort(list, count, sizeof *list, compare_numbers);
    *median = (list[(count - 1) / 2] + list[count / 2]) / 2.0;
}

static summary summarise(errors *e)
{
    summary s;
    mean_median(e->position, e->count, &s.position_mean, &s.position_median);
    mean_median(e->rotation, e->count, &s.rotation_mean, &s.rotation_median);
    return s;
}

// -------------------------------------------------------------------------------------------------------------- csv

static void write_head(FILE *csv)
{
    table_head(csv, &model, NULL);
    fputs(",toss,measured/pos/x,measured/pos/y,measured/pos/z,measured/quat/w,measured/quat/x,measured/quat/y"
          ",measured/quat/z,error/position_widths,error/rotation_degrees\n",
          csv);
}

static void write_row(FILE *csv, double time, const toss_row *row, cube_error error)
{
    table_row(csv, time, &model, &both.state, &both.work);
    fprintf(csv, ",%.9g", row->value[TOSS_ID]);
    for (int i = TOSS_X; i < TOSS_VX; i++) fprintf(csv, ",%.9g", row->value[i]);
    fprintf(csv, ",%.9g,%.9g\n", error.position, error.rotation);
}

// --------------------------------------------------------------------------------------------------------- prediction

/// The state of the whole run over all tosses.
typedef struct session {
    const toss_file *file;
    FILE *csv;
    double csv_time; ///< s, where the toss starts in the CSV file
    size_t row;      ///< first of the toss
    errors rows;     ///< of the toss
    errors tosses;   ///< means of the tosses so far
} session;

// Predict up to a row: as many whole steps as are nearest to its time, then the remainder, which may be negative, along
// the velocity.
static int predict_row(session *s, const toss_row *row, double time)
{
    const double h = (double)model.h;
    const double step = floor(time / h + 0.5);

    if (step - (double)both.state.step > (double)UINT32_MAX) {
        complain("toss %g, time %g: too many steps of %g s", row->value[TOSS_ID], time, h);
        return TWIN_FAILED;
    }
    const int result = twin_step(&both, (uint32_t)(step - (double)both.state.step));
    if (result != TWIN_GOOD) return result;

    const cube_error error = cube_compare(&model, &both.state, time - step * h, row);
    errors_add(&s->rows, error.position, error.rotation);
    if (s->csv != NULL) write_row(s->csv, s->csv_time + time, row, error);
    return TWIN_GOOD;
}

static int predict_toss(session *s, size_t length)
{
    const toss_row *first = &s->file->row[s->row];
    int result = TWIN_FAILED;

    s->rows.count = 0;
    if (cube_state(&model, first, &first_state)) result = twin_start(&both, &first_state);
    for (size_t i = 0; i < length && result == TWIN_GOOD; i++) {
        result = predict_row(s, first + i, first[i].value[TOSS_TIME] - first->value[TOSS_TIME]);
    }
    if (result == TWIN_DIFFERS) {
        complain("toss %g: the firmware differs from the host's kernel after step %" PRIu64, first->value[TOSS_ID],
                 both.differing);
    } else if (result == TWIN_FAILED) {
        complain("toss %g: given up", first->value[TOSS_ID]);
    }
    return result;
}

static void print_toss(session *s, size_t length)
{
    const summary sum = summarise(&s->rows);

    printf("%6g  %5zu  %6" PRIu64 "  %10.4f  %10.4f  %10.2f  %10.2f\n", s->file->row[s->row].value[TOSS_ID], length,
           both.state.step, sum.position_mean, sum.position_median, sum.rotation_mean, sum.rotation_median);
    errors_add(&s->tosses, sum.position_mean, sum.rotation_mean);
}

static int predict_all(session *s)
{
    int result = TWIN_GOOD;

    printf("  toss   rows   steps    position      median    rotation      median\n");
    printf("                           widths      widths     degrees     degrees\n");
    while (s->row < s->file->count && result == TWIN_GOOD) {
        const size_t length = toss_file_length(s->file, s->row);
        result = predict_toss(s, length);
        if (result != TWIN_GOOD) break;
        print_toss(s, length);
        const toss_row *first = &s->file->row[s->row];
        s->csv_time += first[length - 1].value[TOSS_TIME] - first->value[TOSS_TIME] + 1.0 / CUBE_ROW_RATE;
        s->row += length;
        progress("tosses", s->row, s->file->count);
    }
    return result;
}

static void print_all(session *s)
{
    const size_t tosses = s->tosses.count;
    const summary sum = summarise(&s->tosses);

    printf("all %zu tosses, %zu rows, h = %g s, %d bits\n", tosses, s->file->count, (double)model.h, TAC_REAL_BITS);
    printf("position: mean %.4f, median %.4f widths\n", sum.position_mean, sum.position_median);
    printf("rotation: mean %.2f, median %.2f degrees\n", sum.rotation_mean, sum.rotation_median);
    printf("not solved: %" PRIu64 " of %" PRIu64 " steps with contacts\n", both.unsolved, both.touching);
    twin_print(&both);
}

// ------------------------------------------------------------------------------------------------------------ command

static int predict_file(const toss_file *file, FILE *csv, link_client *client)
{
    session s = {.file = file, .csv = csv};
    int result = TWIN_FAILED;

    if (csv != NULL) write_head(csv);
    if (errors_make(&s.rows, file->count) && errors_make(&s.tosses, file->count)) {
        result = twin_open(&both, &model, client);
        if (result == TWIN_GOOD) result = predict_all(&s);
        if (result == TWIN_GOOD) print_all(&s);
    }
    errors_free(&s.rows);
    errors_free(&s.tosses);
    return result == TWIN_GOOD ? EXIT_GOOD : EXIT_BAD;
}

static int predict_linked(const toss_options *o, const toss_file *file, FILE *csv)
{
    static endpoint end;
    static link_client client;

    if (o->link == NULL) return predict_file(file, csv, NULL);

    int code = EXIT_BAD;
    if (endpoint_open(o->link, &end, &client) && endpoint_same_precision(&client)) {
        code = predict_file(file, csv, &client);
    }
    endpoint_close(&end);
    return code;
}

static int toss(const toss_options *o)
{
    toss_file file;

    if (!cube_model(&o->cube, &model) || !toss_file_read(o->file, &file)) return EXIT_BAD;

    int code = EXIT_BAD;
    FILE *csv = output_open(o->csv);
    if (csv != NULL || o->csv == NULL) code = predict_linked(o, &file, csv);
    if (!output_close(csv, o->csv)) code = EXIT_BAD;
    toss_file_free(&file);
    return code;
}

static int run(int argc, char **argv)
{
    toss_options o = {.cube = {0.18, 0.0, (double)NAN, TAC_FRICTION_EXACT}};
    const char *law = "exact";
    uint32_t substeps = 0; // 0 and NAN: not given
    int rest;
    const option table[] = {{"--mu", OPTION_NUMBER, &o.cube.friction},
                            {"--restitution", OPTION_NUMBER, &o.cube.restitution},
                            {"--law", OPTION_TEXT, &law},
                            {"--substeps", OPTION_COUNT, &substeps},
                            {"--h", OPTION_NUMBER, &o.cube.h},
                            {"--csv", OPTION_TEXT, &o.csv},
                            {"--link", OPTION_TEXT, &o.link},
                            {NULL, OPTION_FLAG, NULL}};
    const int got = options_read(table, argc, argv, &rest);

    if (got == OPTIONS_HELP) return tool_help(&toss_command);
    if (got == OPTIONS_BAD || !options_rest(argv, rest, 1)) return tool_usage(&toss_command);
    if (!isnan(o.cube.h) && substeps != 0) {
        complain("--h or --substeps, not both");
        return EXIT_USAGE;
    }
    if (isnan(o.cube.h)) o.cube.h = 1.0 / (CUBE_ROW_RATE * (substeps != 0 ? substeps : 1));
    if (strcmp(law, "exact") != 0 && strcmp(law, "relaxed") != 0) {
        complain("--law %s: neither exact nor relaxed", law);
        return EXIT_USAGE;
    }
    o.cube.law = law[0] == 'r' ? TAC_FRICTION_RELAXED : TAC_FRICTION_EXACT;
    o.file = argv[0];
    return toss(&o);
}

const command toss_command = {"toss", "predict measured tosses of a cube", help, run};
