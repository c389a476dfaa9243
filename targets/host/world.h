// SPDX-License-Identifier: MIT
// world.h - a world at an instant: a scene of the library or a model from a file, after so many steps of tac_step().
#ifndef HOST_WORLD_H
#define HOST_WORLD_H

#include "tactus/tactus.h"

typedef struct world {
    tac_model model;
    tac_state state;
    tac_input input; ///< of the step to come
    tac_work work;
} world;

/// Options of the commands that ask about such a world, for their help.
#define WORLD_HELP                                                                                                     \
    "  --model FILE   a model that urdf2tactus --blob has written, in place of a scene\n"                              \
    "  --steps N      after so many steps; otherwise at the start\n"

/// Build it. Exactly one of scene and path is not NULL. Returns an exit code: EXIT_GOOD, else after a complaint.
int world_open(const char *scene, const char *path, uint32_t steps, world *w);

#endif
