// SPDX-License-Identifier: MIT
// demo.c - tactus demo: the firmware predicts a tossed cube at 1 kHz, the host's kernel checks every bit of it.
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

static const char help[] =
    "usage: tactus demo --link ENDPOINT [OPTIONS]\n\n"
    "Sends the model of a measured cube (half width 52.4 mm, 0.37 kg, friction 0.18) and the start of a toss to the "
    "firmware,\n"
    "has it predicted at 1 kHz until the cube is at rest, and compares the hash of the state after every step with "
    "that of\n"
    "the same prediction here.\n\n"
    "  --toss FILE       start from the first row of a measured toss (tactus toss --help) and compare with its other "
    "rows;\n"
    "                    otherwise from such a row that is built in\n"
    "  --number N        that toss, default the first of the file\n"
    "  --csv FILE        a row per step\n"
    "  --ticks-per-instruction X\n"
    "                    of an emulated board whose clock counts instructions: prints instructions instead of ticks\n"
    "  --link ENDPOINT   the firmware\n\n" ENDPOINT_HELP;

enum {
    STEPS = 2000,      ///< at most: 2 s
    STEPS_A_LINE = 50, ///< of the table
    REST_STEPS = 100   ///< at rest for so long ends the run
};

static const double rest_speed = 1e-3; // m/s of the surface

// First row of toss 140 of the ContactNets cube tosses (S. Pfrommer, M. Halm, M. Posa, CoRL 2020; BSD-3-Clause).
static const toss_row built_in = {
    {140.0, 0.0, -0.2805858, 0.03442422, 0.1442796, 0.5553449, -0.305373, 0.2489552, 0.7323664, 1.07325, -0.2305726,
     -0.108464, 3.176046, 0.07166518, 3.545708},
};

typedef struct demo_options {
    const char *link, *toss, *csv;
    double number;                ///< of the toss; NAN: the first
    double ticks_per_instruction; ///< 0: print ticks
} demo_options;

static tac_model model;
static tac_state start, shown;
static tac_work contacts;
static twin both;
static link_client client;

// -------------------------------------------------------------------------------------------------------------- output

static double cost(const demo_options *o)
{
    return (double)both.last.ticks_max / (o->ticks_per_instruction > 0.0 ? o->ticks_per_instruction : 1.0);
}

static const char *cost_name(const demo_options *o)
{
    return o->ticks_per_instruction > 0.0 ? "instructions" : "ticks";
}

static void print_head(const demo_options *o)
{
    printf("   time        x        y        z    tilt    speed  contacts  normal impulse  %12s\n", cost_name(o));
    printf("     ms       mm       mm       mm  degree     mm/s                      mN s    of the step\n");
}

// A line of the table shows what the firmware says, not what the host knows.
static int print_line(const demo_options *o)
{
    int result = link_client_get_state(&client, image_world_of(&model), &shown);
    if (result == LINK_DONE) result = link_client_get_contacts(&client, &contacts);
    if (result != LINK_DONE) {
        complain_link("asking for the state", &client, result);
        return TWIN_FAILED;
    }
    const tac_pose pose = tac_state_get_pose(&model, &shown, 1);
    const tac_vec3 v = shown.twist[1].v;
    const double speed = sqrt((double)v.x * (double)v.x + (double)v.y * (double)v.y + (double)v.z * (double)v.z);
    printf("%7.0f %8.2f %8.2f %8.2f %7.2f %8.1f  %8u  %14.3f  %12.0f\n", 1e3 * (double)shown.step * (double)model.h,
           1e3 * (double)pose.p.x, 1e3 * (double)pose.p.y, 1e3 * (double)pose.p.z, cube_tilt(pose.q), 1e3 * speed,
           contacts.report.contacts, 1e3 * table_normal_impulse(&contacts), cost(o));
    return TWIN_GOOD;
}

static void write_head(FILE *csv, const demo_options *o)
{
    if (csv == NULL) return;
    table_head(csv, &model, NULL);
    fprintf(csv, ",cube/tilt_degrees,firmware/%s\n", cost_name(o));
}

static void write_row(FILE *csv, const demo_options *o)
{
    if (csv == NULL) return;
    table_row(csv, (double)both.state.step * (double)model.h, &model, &both.state, &both.work);
    fprintf(csv, ",%.6g,%.9g\n", cube_tilt(tac_state_get_pose(&model, &both.state, 1).q), cost(o));
}

// ---------------------------------------------------------------------------------------------------------- the run

static int at_rest(void)
{
    const tac_twist t = both.state.twist[1];
    const double arm = CUBE_WIDTH;
    const double v = fabs((double)t.v.x) + fabs((double)t.v.y) + fabs((double)t.v.z);
    const double w = fabs((double)t.w.x) + fabs((double)t.w.y) + fabs((double)t.w.z);

    return both.work.report.contacts > 0 && v + arm * w < rest_speed;
}

/// How the prediction compares with the recording so far.
typedef struct measured {
    const toss_row *row; ///< NULL: there is none
    size_t rows, next;
    double position, rotation; ///< sums
} measured;

static void compare_rows(measured *m)
{
    const double h = (double)model.h, now = (double)both.state.step * h;

    while (m->next < m->rows) {
        const double time = m->row[m->next].value[TOSS_TIME] - m->row[0].value[TOSS_TIME];
        if (time > now + h / 2.0) return;
        const cube_error error = cube_compare(&model, &both.state, time - now, &m->row[m->next]);
        m->position += error.position;
        m->rotation += error.rotation;
        m->next++;
    }
}

static int predict(const demo_options *o, measured *m, FILE *csv)
{
    int result = TWIN_GOOD, resting = 0;

    print_head(o);
    compare_rows(m);
    for (int i = 1; i <= STEPS && resting < REST_STEPS && result == TWIN_GOOD; i++) {
        result = twin_step(&both, 1);
        if (result != TWIN_GOOD) break;
        write_row(csv, o);
        compare_rows(m);
        resting = at_rest() ? resting + 1 : 0;
        if (i == 1 || i % STEPS_A_LINE == 0) result = print_line(o);
    }
    if (result == TWIN_DIFFERS)
        complain("the firmware differs from the host's kernel after step %" PRIu64, both.differing);
    if (resting == REST_STEPS) {
        printf("at rest since %.0f ms\n", 1e3 * (double)(both.state.step - REST_STEPS) * (double)model.h);
    } else if (result == TWIN_GOOD) {
        printf("still moving\n");
    }
    return result;
}

static void print_end(const demo_options *o, const measured *m)
{
    if (m->next > 0) {
        printf("measured: %zu rows of the recording, mean error %.3f widths, %.2f degrees\n", m->next,
               m->position / (double)m->next, m->rotation / (double)m->next);
    }
    twin_print(&both);
    printf("not solved: %" PRIu64 " of %" PRIu64 " steps\n", both.unsolved, both.steps);
    if (o->ticks_per_instruction > 0.0) {
        const double mean = (double)both.ticks_sum / (double)both.steps;
        printf("firmware: instructions of a step = ticks / %g: min %.0f, mean %.0f, max %.0f\n",
               o->ticks_per_instruction, (double)both.ticks_min / o->ticks_per_instruction,
               mean / o->ticks_per_instruction, (double)both.ticks_max / o->ticks_per_instruction);
    }
}

static int run_linked(const demo_options *o, measured *m, FILE *csv)
{
    const cube_options cube = {0.18, 0.0, 1e-3, TAC_FRICTION_EXACT};

    if (!endpoint_same_precision(&client)) return EXIT_BAD;
    if (!cube_model(&cube, &model) || !cube_state(&model, m->row != NULL ? m->row : &built_in, &start)) return EXIT_BAD;
    if (twin_open(&both, &model, &client) != TWIN_GOOD || twin_start(&both, &start) != TWIN_GOOD) return EXIT_BAD;

    write_head(csv, o);
    const int result = predict(o, m, csv);
    if (result == TWIN_GOOD) print_end(o, m);
    return result == TWIN_GOOD ? EXIT_GOOD : EXIT_BAD;
}

static int run_to_csv(const demo_options *o, measured *m)
{
    static endpoint end;
    int code = EXIT_BAD;
    FILE *csv = output_open(o->csv);

    if (csv == NULL && o->csv != NULL) return EXIT_BAD;
    if (endpoint_open(o->link, &end, &client)) code = run_linked(o, m, csv);
    endpoint_close(&end);
    return output_close(csv, o->csv) ? code : EXIT_BAD;
}

// Returns 0 after a complaint.
static int find_toss(const demo_options *o, const toss_file *file, measured *m)
{
    size_t i = 0;

    while (!isnan(o->number) && i < file->count && file->row[i].value[TOSS_ID] != o->number) i++;
    if (i == file->count) {
        complain("%s: no toss %g", o->toss, o->number);
        return 0;
    }
    m->row = &file->row[i];
    m->rows = toss_file_length(file, i);
    return 1;
}

static int demo(const demo_options *o)
{
    measured m = {NULL, 0, 0, 0.0, 0.0};
    toss_file file;

    if (o->toss == NULL) return run_to_csv(o, &m);
    if (!toss_file_read(o->toss, &file)) return EXIT_BAD;
    const int code = find_toss(o, &file, &m) ? run_to_csv(o, &m) : EXIT_BAD;
    toss_file_free(&file);
    return code;
}

static int run(int argc, char **argv)
{
    demo_options o = {NULL, NULL, NULL, (double)NAN, 0.0};
    int rest;
    const option table[] = {{"--link", OPTION_TEXT, &o.link},
                            {"--toss", OPTION_TEXT, &o.toss},
                            {"--number", OPTION_NUMBER, &o.number},
                            {"--csv", OPTION_TEXT, &o.csv},
                            {"--ticks-per-instruction", OPTION_NUMBER, &o.ticks_per_instruction},
                            {NULL, OPTION_FLAG, NULL}};
    const int got = options_read(table, argc, argv, &rest);

    if (got == OPTIONS_HELP) return tool_help(&demo_command);
    if (got == OPTIONS_BAD || !options_rest(argv, rest, 0) || o.link == NULL) return tool_usage(&demo_command);
    return demo(&o);
}

const command demo_command = {"demo", "a firmware predicts a tossed cube; every step is checked", help, run};
