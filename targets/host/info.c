// SPDX-License-Identifier: MIT
// info.c - tactus info: what this build of the kernel is.
#include "message.h"
#include "options.h"
#include "robots.h"
#include "tool.h"

#include <inttypes.h>
#include <stdio.h>

static const char help[] =
    "usage: tactus info\n\n"
    "Version, precision, capacities, sizes of the four structs, and the hash of each scene's model.\n";

// Static: a model of large capacities does not belong on the stack.
static tac_model model;

static int print_scene(const scene *s)
{
    const tac_status status = s->build(&model);
    if (status != TAC_OK) {
        complain("scene %s: does not fit this configuration, status %" PRId32, s->name, status);
        return 0;
    }
    printf("  %-16s model 0x%08" PRIx32 "\n", s->name, model.hash);
    return 1;
}

static int print_scenes(void)
{
    int good = 1;

    printf("scenes\n");
    for (unsigned i = 0; i < scene_count; i++) good &= print_scene(&scenes[i]);
    for (unsigned i = 0; i < robot_count; i++) good &= print_scene(&robots[i]);
    return good ? EXIT_GOOD : EXIT_BAD;
}

static int run(int argc, char **argv)
{
    static const option table[] = {{NULL, OPTION_FLAG, NULL}};
    int rest;
    const int got = options_read(table, argc, argv, &rest);

    if (got == OPTIONS_HELP) return tool_help(&info_command);
    if (got == OPTIONS_BAD || !options_rest(argv, rest, 0)) return tool_usage(&info_command);

    printf("tactus %s, reals of %d bits\n", TAC_VERSION, TAC_REAL_BITS);
    printf("capacities\n");
    printf("  bodies %d, shapes %d, contacts %d\n", TAC_MAX_BODIES, TAC_MAX_SHAPES, TAC_MAX_CONTACTS);
    printf("  joints %d, rows swept with them %d, blocks of fill %d\n", TAC_MAX_JOINTS, TAC_MAX_REDUCED, TAC_MAX_FILL);
    printf("  materials %d, pairs of materials %d, actions %d\n", TAC_MAX_MATERIALS, TAC_MAX_MATERIAL_PAIRS,
           TAC_MAX_ACTIONS);
    printf("  exclusions %d, polyhedra %d, points %d, faces %d, edges %d, points of a hull %d\n", TAC_MAX_EXCLUSIONS,
           TAC_MAX_POLYHEDRA, TAC_MAX_POINTS, TAC_MAX_FACES, TAC_MAX_EDGES, TAC_MAX_HULL_POINTS);
    printf("  fields %d, heights %d of %d bits, %s\n", TAC_MAX_HEIGHT_FIELDS, TAC_MAX_HEIGHTS,
           TAC_HEIGHT_BITS != 0 ? TAC_HEIGHT_BITS : TAC_REAL_BITS,
           TAC_CONVEX ? "all kinds of shapes" : "half-space, sphere, capsule and box only");
    if (TAC_ROLLING) printf("  resistance to spinning and rolling\n");
    if (TAC_FRICTION_LAWS) printf("  laws of friction: direction, static friction\n");
    if (TAC_SWITCHES) printf("  joints that may be switched\n");
    if (TAC_COORDINATES) printf("  joints that are coordinates of others, knife edges\n");
    if (TAC_MAX_SURFACES > 0) printf("  surfaces that move %d\n", TAC_MAX_SURFACES);
    printf("  of a problem: blocks %d, rows %d, entries %d, values %d, factor %d\n", TAC_MAX_SOLVE_BLOCKS,
           TAC_MAX_SOLVE_ROWS, TAC_MAX_SOLVE_ENTRIES, TAC_MAX_SOLVE_VALUES, TAC_MAX_SOLVE_FACTOR);
    printf("  of a linear complementarity problem: rows %d; of a nonlinear one: unknowns %d\n", TAC_MAX_LCP, TAC_MAX_NCP);
    printf("bytes\n");
    printf("  model %zu, state %zu, input %zu, work %zu\n", sizeof(tac_model), sizeof(tac_state), sizeof(tac_input),
           sizeof(tac_work));
    printf("  problem %zu, its work %zu\n", sizeof(tac_problem), sizeof(tac_solve_work));
    return print_scenes();
}

const command info_command = {"info", "what this build is: precision, capacities, sizes, scenes", help, run};
