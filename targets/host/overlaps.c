// SPDX-License-Identifier: MIT
// overlaps.c - tactus overlaps: which shapes of a model overlap where it begins, and how deep.
#include "message.h"
#include "model_file.h"
#include "options.h"
#include "tool.h"

#include <stdio.h>

static const char help[] =
    "usage: tactus overlaps MODEL\n\n"
    "A line \"A B DEPTH\" for each pair of shapes that overlap in the initial state and may collide: their indices, the\n"
    "depth in m. MODEL is a file of urdf2tactus --blob.\n";

// Static: models of large capacities do not belong on the stack.
static tac_model model;
static tac_state state;
static tac_work work;
static joint_names names;

// The contact before `count` that is of the same pair, or that one itself.
static unsigned first_of_pair(unsigned count)
{
    const tac_contact *c = &work.contact[count];
    for (unsigned i = 0; i < count; i++) {
        if (work.contact[i].id.shape_a == c->id.shape_a && work.contact[i].id.shape_b == c->id.shape_b) return i;
    }
    return count;
}

// Overlaps of a body with those before it: each pair comes once, with its deepest contact.
static int print_body(uint16_t body)
{
    const tac_status status = tac_contacts(&model, &state, body, 0, &work);

    if (status < 0) return 0;
    for (unsigned i = 0; i < work.report.contacts; i++) {
        const unsigned first = first_of_pair(i);
        if (work.contact[i].gap < work.contact[first].gap) work.contact[first].gap = work.contact[i].gap;
    }
    for (unsigned i = 0; i < work.report.contacts; i++) {
        const tac_contact *c = &work.contact[i];
        if (first_of_pair(i) != i || c->body_b != body || !(c->gap < 0)) continue;
        printf("%u %u %.6g\n", (unsigned)c->id.shape_a, (unsigned)c->id.shape_b, -(double)c->gap);
    }
    if (status & TAC_FULL) complain("body %u: more contacts than there is room for", (unsigned)body);
    return 1;
}

static int run(int argc, char **argv)
{
    static const option table[] = {{NULL, OPTION_FLAG, NULL}};
    int rest;
    const int got = options_read(table, argc, argv, &rest);

    if (got == OPTIONS_HELP) return tool_help(&overlaps_command);
    if (got == OPTIONS_BAD || !options_rest(argv, rest, 1)) return tool_usage(&overlaps_command);
    if (!model_file_read(argv[argc - 1], &model, &names)) return EXIT_BAD;
    int good = tac_state_init(&model, &state, NULL) == TAC_OK;
    for (uint16_t body = 1; body < model.bodies && good; body++) good &= print_body(body);
    if (!good) complain("%s: the kernel refuses to look for contacts", argv[argc - 1]);
    return good ? EXIT_GOOD : EXIT_BAD;
}

const command overlaps_command = {"overlaps", "which shapes of a model overlap where it begins", help, run};
