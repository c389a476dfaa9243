// SPDX-License-Identifier: MIT
// run.c - tactus run: one scene or one model from a file, here.
#include "csv.h"
#include "message.h"
#include "model_file.h"
#include "options.h"
#include "scenes.h"
#include "tool.h"

#include <inttypes.h>
#include <stdio.h>

static const char help[] =
    "usage: tactus run SCENE [--steps N] [--csv FILE]   or   tactus run --list\n"
    "       tactus run --model FILE [--steps N] [--csv FILE]\n\n"
    "Runs a scene, or a model that urdf2tactus --blob has written, and prints what became of it.\n"
    "  --steps N    so many instead of those that the scene is made for; a model: 1000\n"
    "  --csv FILE   a row per step, the initial state first; PlotJuggler reads it\n"
    "  --list       the scenes\n";

static tac_model model;
static joint_names names;
static tac_state state;
static tac_input input;
static tac_work work;

/// What a run adds up to.
typedef struct run_sums {
    uint64_t sweeps;
    uint32_t full, unconverged, relaxed; ///< steps with that flag
    tac_real penetration, residual;      ///< worst of any step
    tac_status status;                   ///< of the last step
} run_sums;

static void add_step(run_sums *sums)
{
    const tac_report *report = &work.report;

    sums->sweeps += report->sweeps;
    sums->full += (report->status & TAC_FULL) != 0;
    sums->unconverged += (report->status & TAC_UNCONVERGED) != 0;
    sums->relaxed += (report->status & TAC_RELAXED) != 0;
    if (report->penetration > sums->penetration) sums->penetration = report->penetration;
    if (report->residual > sums->residual) sums->residual = report->residual;
}

static void write_row(FILE *csv)
{
    if (csv == NULL) return;
    csv_row(csv, (double)state.step * (double)model.h, &model, &state, &work);
    fputc('\n', csv);
}

// Returns after `steps`, or when a step is refused.
static run_sums take_steps(const scene *s, uint32_t steps, FILE *csv)
{
    run_sums sums = {0};

    write_row(csv);
    for (uint32_t i = 0; i < steps; i++) {
        input.actions = 0;
        if (s->drive != NULL) s->drive(&model, i, &input);
        sums.status = tac_step(&model, &state, &input, &work);
        if (sums.status < 0) break;
        add_step(&sums);
        write_row(csv);
        progress(s->name, i + 1u, steps);
    }
    return sums;
}

static void print_sums(const run_sums *sums)
{
    const tac_report *report = &work.report;

    printf("steps        %" PRIu64 " of %g s\n", state.step, (double)model.h);
    printf("sweeps       %" PRIu64 "\n", sums->sweeps);
    printf("contacts     %u at the end, %u at most\n", report->contacts, state.contacts_peak);
    printf("penetration  %g m at worst\n", (double)sums->penetration);
    printf("residual     %g at worst\n", (double)sums->residual);
    printf("energy       kinetic %g J, potential %g J\n", (double)report->kinetic, (double)report->potential);
    printf("flags        full %" PRIu32 ", unconverged %" PRIu32 ", relaxed %" PRIu32 "\n", sums->full,
           sums->unconverged, sums->relaxed);
    printf("hash         0x%016" PRIx64 "\n", tac_hash(&model, &state));
}

// The model is there, and sealed.
static int run_world(const scene *s, uint32_t steps, const char *csv_path)
{
    FILE *csv = csv_open(csv_path);
    tac_fault fault;

    if (csv == NULL && csv_path != NULL) return EXIT_BAD;
    const tac_status status = tac_state_init(&model, &state, &fault);
    if (status != TAC_OK) {
        complain_kernel(s->name, status, fault);
        csv_close(csv, csv_path);
        return EXIT_BAD;
    }
    if (csv != NULL) {
        csv_head(csv, model.bodies);
        fputc('\n', csv);
    }
    const run_sums sums = take_steps(s, steps, csv);
    const int written = csv_close(csv, csv_path);
    if (sums.status < 0) complain_kernel("step", sums.status, work.report.fault);
    print_sums(&sums);
    return sums.status >= 0 && written ? EXIT_GOOD : EXIT_BAD;
}

static int run_scene(const char *name, uint32_t steps, const char *csv_path)
{
    const scene *s = scene_find(name);
    if (s == NULL) {
        complain("%s: no such scene; tactus run --list lists them", name);
        return EXIT_USAGE;
    }
    const tac_status status = s->build(&model);
    if (status != TAC_OK) {
        complain("scene %s: does not fit this configuration, status %" PRId32, s->name, status);
        return EXIT_BAD;
    }
    return run_world(s, steps > 0 ? steps : s->steps, csv_path);
}

static int run_model(const char *path, uint32_t steps, const char *csv_path)
{
    const scene s = {path, path, 1000, NULL, NULL};
    if (!model_file_read(path, &model, &names)) return EXIT_BAD;
    return run_world(&s, steps > 0 ? steps : s.steps, csv_path);
}

static int list_scenes(void)
{
    for (unsigned i = 0; i < scene_count; i++) printf("%-16s %s\n", scenes[i].name, scenes[i].about);
    return EXIT_GOOD;
}

static int run(int argc, char **argv)
{
    uint32_t steps = 0;
    const char *csv_path = NULL, *model_path = NULL;
    int list = 0, rest;
    const option table[] = {{"--steps", OPTION_COUNT, &steps},
                            {"--csv", OPTION_TEXT, &csv_path},
                            {"--model", OPTION_TEXT, &model_path},
                            {"--list", OPTION_FLAG, &list},
                            {NULL, OPTION_FLAG, NULL}};
    const int got = options_read(table, argc, argv, &rest);

    if (got == OPTIONS_HELP) return tool_help(&run_command);
    if (got == OPTIONS_BAD || rest != (!list && model_path == NULL)) return tool_usage(&run_command);
    if (list) return list_scenes();
    if (model_path != NULL) return run_model(model_path, steps, csv_path);
    return run_scene(argv[0], steps, csv_path);
}

const command run_command = {"run", "run a scene of the library, or a model from a file", help, run};
