// SPDX-License-Identifier: MIT
#include "world.h"
#include "message.h"
#include "model_file.h"
#include "robots.h"

#include <inttypes.h>
#include <string.h>

static int open_scene(const char *name, const scene **found, world *w)
{
    *found = scene_find(name) != NULL ? scene_find(name) : robot_find(name);
    if (*found == NULL) {
        complain("%s: no such scene; tactus run --list lists them", name);
        return EXIT_USAGE;
    }
    const tac_status status = (*found)->build(&w->model);
    if (status == TAC_OK) return EXIT_GOOD;
    complain("scene %s: does not fit this configuration, status %" PRId32, name, status);
    return EXIT_BAD;
}

static int open_model(const char *path, world *w)
{
    static joint_names names;

    return model_file_read(path, path, &w->model, &names) ? EXIT_GOOD : EXIT_BAD;
}

// The input of a step: its actions; motors stay on until a scene changes them.
static void drive(const scene *s, uint32_t step, world *w)
{
    if (s == NULL || s->drive == NULL) return;
    w->input.actions = 0;
    s->drive(&w->model, step, &w->input);
}

int world_open(const char *name, const char *path, uint32_t steps, world *w)
{
    const scene *s = NULL;
    tac_fault fault = {0};
    const int code = name != NULL ? open_scene(name, &s, w) : open_model(path, w);

    if (code != EXIT_GOOD) return code;
    memset(&w->input, 0, sizeof w->input);
    tac_status status = tac_state_init(&w->model, &w->state, &fault);
    for (uint32_t i = 0; i < steps && status >= 0; i++) {
        drive(s, i, w);
        status = tac_step(&w->model, &w->state, &w->input, &w->work);
        fault = w->work.report.fault;
    }
    drive(s, steps, w);
    if (status >= 0) return EXIT_GOOD;
    complain_kernel(name != NULL ? name : path, status, fault, &w->model, &w->state, &w->input);
    return EXIT_BAD;
}
