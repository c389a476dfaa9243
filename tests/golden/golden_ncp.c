// SPDX-License-Identifier: MIT
// config: all
// variants: all
// The same for the geometrically implicit step of CBAT07: scenes whose problems have room.
#include "scenes.h"
#include "tap.h"

static const char *const library[] = {"sphere_slide", "box_incline", "yaw_box",  "stack",       "bounce", "top",
                                      "euler_disk",   "cube_toss",   "spinning", "two_spheres", "solids"};

enum { GOLDEN_LIBRARY = sizeof library / sizeof library[0] };

static const scene *ncp_scene(unsigned i)
{
    return scene_find(library[i]);
}

static tac_status ncp_step(const tac_model *model, tac_state *state, const tac_input *input, tac_work *work)
{
    static tac_ncp ncp;
    tac_ncp_init(&ncp);
    return tac_step_implicit(model, state, input, work, &ncp);
}

#define GOLDEN_TABLE "golden_ncp.h"
#define GOLDEN_SCENE ncp_scene
#define GOLDEN_STEP ncp_step
#define GOLDEN_HASH tac_state_hash
#define GOLDEN_COUNT GOLDEN_LIBRARY
#define GOLDEN_FIND scene_find
#define GOLDEN_MOST 20
#define GOLDEN_ABSENT 0
#include "golden.c"
