// SPDX-License-Identifier: MIT
// fit.c - tactus fit: parameters of the cube from measured tosses, and how well tosses that were not fitted are
// predicted; swings are fitted by fit_swing.c.
#include "cube.h"
#include "fit.h"
#include "message.h"
#include "options.h"
#include "tool.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "usage: tactus fit FILE.csv [OPTIONS]\n"
    "       tactus fit --model FILE SWING.csv [OPTIONS]\n\n"
    "Finds the parameters for which open loop predictions from the first row are nearest to all rows, and prints them\n"
    "with their deviations and what the data say.\n\n"
    "FILE.csv has measured tosses of a cube (the columns of tactus toss). Every N-th toss is left out of the fit; the\n"
    "errors of tactus toss are printed for both parts, before and after.\n\n"
    "SWING.csv has measured positions of joints of a model that urdf2tactus --blob has written: columns time and the\n"
    "names of joints. A swing starts at rest, or with the rate in a column NAME/rate. With a column swing there are\n"
    "several. Joints without a column start as the model does. A row is taken at the step that is nearest to its "
    "time.\n\n"
    "  --parameters LIST    with commas; of tosses: friction, restitution, rounding, mass, inertia, x, y, z (centre\n"
    "                       of mass), gravity (factor), default friction,restitution,rounding; of each joint that is\n"
    "                       measured: friction, damping, armature, stiffness, motor (factor of what motors are asked "
    "for), default\n"
    "                       friction,damping\n"
    "  --robust C           residuals of C deviations and more count by their length, 0: by their square. Of tosses a\n"
    "                       deviation is 2 mm, 2 degrees, default 1; of swings a thousandth of the way, default 0\n"
    "  --rollouts N         most roll-outs, default 1000000\n"
    "of tosses\n"
    "  --leave N            leave out the second, then every N-th toss; default 2; 1: none\n"
    "  --mu M               friction to start from, default 0.18\n"
    "  --restitution E      the same, default 0\n"
    "  --substeps N         steps from row to row at 148 rows/s, default 4\n"
    "of swings\n"
    "  --model FILE         the model, whose values are the start\n"
    "  --motors FILE.csv    what motors were asked for, as of tactus run; times from the first row of a swing\n"
    "  --h S                step, s, default that of the model\n";

enum { CUBE = 1, BOX = 1 };

/// What may be fitted: start is the model's, bounds and differences are these.
static const struct {
    const char *name, *unit;
    tac_fit_parameter parameter;
} known[] = {
    {"friction", "", {0, 1, (tac_real)0.02, 0, TAC_FIT_FRICTION}},
    {"restitution", "", {0, 1, (tac_real)0.05, 0, TAC_FIT_RESTITUTION}},
    {"rounding", "m", {0, (tac_real)0.02, (tac_real)0.001, BOX, TAC_FIT_ROUNDING}},
    {"mass", "kg", {(tac_real)0.05, 2, (tac_real)0.05, CUBE, TAC_FIT_MASS}},
    {"inertia", "", {(tac_real)0.5, 2, (tac_real)0.1, CUBE, TAC_FIT_INERTIA}},
    {"x", "m", {(tac_real)-0.02, (tac_real)0.02, (tac_real)0.001, CUBE, TAC_FIT_CENTRE_X}},
    {"y", "m", {(tac_real)-0.02, (tac_real)0.02, (tac_real)0.001, CUBE, TAC_FIT_CENTRE_Y}},
    {"z", "m", {(tac_real)-0.02, (tac_real)0.02, (tac_real)0.001, CUBE, TAC_FIT_CENTRE_Z}},
    {"gravity", "", {(tac_real)0.5, 2, (tac_real)0.01, 0, TAC_FIT_GRAVITY}},
};
enum { KNOWN = sizeof known / sizeof known[0], TELLING = 10 };

/// Tosses as sections of a fit, those that are fitted first.
typedef struct tosses {
    tac_state *start;
    tac_observation *observation;
    tac_section *section;
    const toss_row **first;
    size_t count, fitted;
} tosses;

static tac_model model, fitted;
static tac_fitting fit;
static tac_work work;
static tac_state state;
static fit_text text[TAC_MAX_FIT];

size_t fit_next_name(const char *list)
{
    return strcspn(list, ",");
}

// Names between commas.
static int read_parameters(const char *list)
{
    fit.parameters = 0;
    while (*list != '\0') {
        const size_t length = fit_next_name(list);
        size_t i = 0;
        while (i < KNOWN && (strlen(known[i].name) != length || strncmp(known[i].name, list, length) != 0)) i++;
        if (i == KNOWN) {
            complain("--parameters: %.*s: no such parameter", (int)length, list);
            return 0;
        }
        if (fit.parameters == TAC_MAX_FIT) {
            complain("--parameters: more than %d", TAC_MAX_FIT);
            return 0;
        }
        snprintf(text[fit.parameters].name, FIT_NAME_BYTES, "%s", known[i].name);
        text[fit.parameters].unit = known[i].unit;
        fit.parameter[fit.parameters++] = known[i].parameter;
        list += length + (list[length] == ',');
    }
    if (fit.parameters == 0) complain("--parameters: none");
    return fit.parameters > 0;
}

static int is_left_out(size_t toss, uint32_t leave)
{
    return leave > 1 && toss % leave == 1;
}

static tac_observation observe(const toss_row *row, uint32_t step)
{
    const double *v = row->value, *q = &v[TOSS_QW];
    const double unit = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    tac_observation o = {step,
                         CUBE,
                         TAC_OBSERVE_POSE,
                         (tac_real)(1 / 0.002),
                         (tac_real)(180 / 3.14159265358979323846 / 2),
                         {{(tac_real)v[TOSS_X], (tac_real)v[TOSS_X + 1], (tac_real)v[TOSS_X + 2]}, {0, 0, 0, 0}},
                         0};
    o.pose.q = tac_quat_normalise(
        (tac_quat){(tac_real)(q[0] / unit), (tac_real)(q[1] / unit), (tac_real)(q[2] / unit), (tac_real)(q[3] / unit)});
    return o;
}

// A toss from its first row. Rows are taken at the step that is nearest to their time.
static int add_toss(const toss_file *file, size_t row, uint32_t substeps, tosses *t, size_t *used)
{
    const toss_row *first = &file->row[row];
    const size_t length = toss_file_length(file, row), i = t->count;
    tac_observation *o = &t->observation[*used];

    if (!cube_state(&model, first, &t->start[i])) return 0;
    uint32_t seen = 0;
    for (size_t k = 1; k < length; k++) {
        const double time = first[k].value[TOSS_TIME] - first->value[TOSS_TIME];
        const double step = floor(time * CUBE_ROW_RATE * substeps + 0.5);
        if (step < 1 || step > (double)UINT32_MAX) continue;
        o[seen++] = observe(&first[k], (uint32_t)step);
    }
    t->first[i] = first;
    t->section[i] = (tac_section){&t->start[i], NULL, 0, 0, o, seen, NULL, 0};
    t->count += seen > 0;
    *used += seen;
    return 1;
}

static int read_tosses(const toss_file *file, uint32_t substeps, uint32_t leave, tosses *t)
{
    size_t used = 0;

    t->start = calloc(file->count, sizeof *t->start);
    t->observation = calloc(file->count, sizeof *t->observation);
    t->section = calloc(file->count, sizeof *t->section);
    t->first = calloc(file->count, sizeof *t->first);
    if (!t->start || !t->observation || !t->section || !t->first) {
        complain("out of memory");
        return 0;
    }
    for (int left = 0; left < 2; left++) {
        size_t toss = 0;
        for (size_t row = 0; row < file->count; row += toss_file_length(file, row), toss++) {
            if (is_left_out(toss, leave) == left && !add_toss(file, row, substeps, t, &used)) return 0;
        }
        if (!left) t->fitted = t->count;
    }
    if (t->fitted == 0) complain("no toss of two rows to fit");
    return t->fitted > 0;
}

static void free_tosses(tosses *t)
{
    free(t->start);
    free(t->observation);
    free(t->section);
    free(t->first);
}

// Mean errors of tactus toss over some tosses, with a model.
static int predict(const tac_model *with, const tosses *t, size_t from, size_t to, cube_error *mean)
{
    *mean = (cube_error){0, 0};
    for (size_t i = from; i < to; i++) {
        const tac_section *s = &t->section[i];
        cube_error sum = {0, 0};
        uint32_t step = 0;
        tac_status status = TAC_OK;
        state = *s->start;
        for (uint32_t k = 0; k < s->observations && status >= 0; k++) {
            for (; step < s->observation[k].step && status >= 0; step++) status = tac_step(with, &state, NULL, &work);
            const cube_error error = cube_compare(with, &state, 0, t->first[i] + 1 + k);
            sum.position += error.position;
            sum.rotation += error.rotation;
        }
        if (status < 0) {
            complain("toss %g: status %d", t->first[i]->value[TOSS_ID], status);
            return 0;
        }
        mean->position += sum.position / (s->observations + 1) / (double)(to - from); // the first row has no error
        mean->rotation += sum.rotation / (s->observations + 1) / (double)(to - from);
    }
    return 1;
}

void fit_print(const tac_fitting *f, const fit_text *t)
{
    static const char *const verdict[] = {"not asked", "fitted", "at its bound", "the data say nothing about it"};
    static const char *const ended[] = {"running", "converged", "iterations are spent", "roll-outs are spent",
                                        "refused"};

    for (uint16_t i = 0; i < f->parameters; i++) {
        const double deviation = sqrt((double)f->covariance[i * f->parameters + i]);
        printf("%-12s %12.6g +- %-9.2g %-3s %s\n", t[i].name, (double)f->value[i], deviation, t[i].unit,
               verdict[f->verdict[i]]);
    }
    printf("%s: %u iterations, %u roll-outs; cost %.6g -> %.6g\n", ended[f->ended], f->iterations, f->rollouts,
           (double)f->first_cost, (double)f->cost);
}

int fit_find(const tac_model *from, tac_fitting *f, tac_work *scratch, tac_model *found)
{
    tac_fault fault;
    tac_status status = tac_fit_begin(from, f, &fault);

    if (status != TAC_OK) {
        complain_kernel("fit", status, fault, from, NULL, NULL);
        return 0;
    }
    while (f->ended == TAC_FIT_RUNNING) {
        status = tac_fit_advance(from, f, 100000, scratch);
        progress("iterations", f->iterations, f->max_iterations + 1u);
    }
    if (status < 0) {
        complain_kernel("fit", status, scratch->report.fault, from, NULL, NULL);
        return 0;
    }
    status = tac_fit_model(from, f, found, &fault);
    if (status != TAC_OK) complain_kernel("fitted model", status, fault, from, NULL, NULL);
    return status == TAC_OK;
}

// Gradients of single tosses, at the values that the fit has, beside the same derivatives over all: `all` has their
// covariance.
static int derive(const tosses *t, size_t from, size_t count, tac_fitting *f)
{
    *f = fit;
    f->section = &t->section[from];
    f->sections = (uint32_t)count;
    f->max_rollouts = (uint32_t)count * (2u * fit.parameters + 1);
    return tac_fit(&fitted, f, &work, NULL) >= 0;
}

// Rows of one toss are not independent: what they are off grows from the first touch on. Tosses are, so deviations are
// those by which the gradients g of single tosses scatter: V = A^-1 (sum g g') A^-1, where the fit says variance A^-1.
// A is that of the whole differences, which see past the corners where single tosses jump. A few tosses do not scatter
// enough to tell.
static int scatter_tosses(const tosses *t)
{
    static tac_fitting all, one;
    const uint16_t n = fit.parameters;

    if (t->fitted < TELLING * (size_t)n) return 1;
    if (!derive(t, 0, t->fitted, &all)) return 0;
    if (!(all.variance > 0)) return 1;
    for (uint16_t i = 0; i < n * n; i++) fit.covariance[i] = 0;
    for (size_t at = 0; at < t->fitted; at++) {
        tac_real move[TAC_MAX_FIT] = {0}; // of the values, if this toss counted twice
        if (!derive(t, at, 1, &one)) return 0;
        for (uint16_t i = 0; i < n; i++) {
            for (uint16_t k = 0; k < n; k++) {
                move[i] += all.covariance[i * n + k] / all.variance * one.gradient[k] / fit.parameter[k].difference;
            }
        }
        for (uint16_t i = 0; i < n; i++) {
            for (uint16_t k = 0; k < n; k++) fit.covariance[i * n + k] += move[i] * move[k];
        }
    }
    return 1;
}

static void print_part(const char *part, size_t count, const cube_error *before, const cube_error *after)
{
    if (count == 0) return;
    printf("%s %zu tosses: position %.4f -> %.4f widths, rotation %.2f -> %.2f degrees\n", part, count,
           before->position, after->position, before->rotation, after->rotation);
}

static int run_fit(const tosses *t)
{
    cube_error before[2], after[2];
    int good = predict(&model, t, 0, t->fitted, &before[0]) && predict(&model, t, t->fitted, t->count, &before[1]);

    fit.section = t->section;
    fit.sections = (uint32_t)t->fitted;
    good = good && fit_find(&model, &fit, &work, &fitted);
    for (size_t i = 0; i < t->count && good; i++) { good = tac_state_adopt(&model, &fitted, &t->start[i], NULL) >= 0; }
    good = good && scatter_tosses(t);
    if (good) fit_print(&fit, text);
    good = good && predict(&fitted, t, 0, t->fitted, &after[0]) && predict(&fitted, t, t->fitted, t->count, &after[1]);
    if (!good) return EXIT_BAD;
    print_part("fitted: ", t->fitted, &before[0], &after[0]);
    print_part("left out:", t->count - t->fitted, &before[1], &after[1]);
    return EXIT_GOOD;
}

static int run_tosses(const char *path, const char *parameters, const cube_options *cube, uint32_t substeps,
                      uint32_t leave)
{
    toss_file file;
    tosses t = {0};

    if (!read_parameters(parameters)) return EXIT_USAGE;
    if (!cube_model(cube, &model) || !toss_file_read(path, &file)) return EXIT_BAD;
    const int code = read_tosses(&file, substeps, leave, &t) ? run_fit(&t) : EXIT_BAD;
    free_tosses(&t);
    toss_file_free(&file);
    return code;
}

static int run(int argc, char **argv)
{
    cube_options cube = {0.18, 0.0, 0.0, TAC_FRICTION_EXACT};
    swing_options swing = {.rollouts = 1000000};
    const char *parameters = NULL;
    double robust = (double)NAN;
    uint32_t substeps = 4, leave = 2;
    int rest;
    const option table[] = {{"--parameters", OPTION_TEXT, &parameters},
                            {"--leave", OPTION_COUNT, &leave},
                            {"--mu", OPTION_NUMBER, &cube.friction},
                            {"--restitution", OPTION_NUMBER, &cube.restitution},
                            {"--robust", OPTION_NUMBER, &robust},
                            {"--substeps", OPTION_COUNT, &substeps},
                            {"--model", OPTION_TEXT, &swing.model},
                            {"--motors", OPTION_TEXT, &swing.motors},
                            {"--h", OPTION_NUMBER, &swing.h},
                            {"--rollouts", OPTION_COUNT, &swing.rollouts},
                            {NULL, OPTION_FLAG, NULL}};
    const int got = options_read(table, argc, argv, &rest);

    if (got == OPTIONS_HELP) return tool_help(&fit_command);
    if (got == OPTIONS_BAD || !options_rest(argv, rest, 1)) return tool_usage(&fit_command);
    if (swing.model != NULL) {
        swing.csv = argv[0];
        swing.parameters = parameters != NULL ? parameters : "friction,damping";
        swing.robust = isnan(robust) ? 0 : robust;
        return fit_swing(&swing);
    }
    (void)tac_fit_init(&fit);
    fit.robust = (tac_real)(isnan(robust) ? 1 : robust);
    fit.max_rollouts = swing.rollouts;
    cube.h = 1.0 / (CUBE_ROW_RATE * substeps);
    return run_tosses(argv[0], parameters != NULL ? parameters : "friction,restitution,rounding", &cube, substeps,
                      leave);
}

const command fit_command = {"fit", "parameters of a cube from measured tosses, or of joints from measured swings",
                             help, run};
