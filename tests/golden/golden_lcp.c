// SPDX-License-Identifier: MIT
// config: all
// variants: all
// The same for the step of T03: scenes whose problems have room, with friction cones of four directions; worlds of
// joints.
// The worlds of its table have no needles.
#define WILD_THIN 0
#include "jointed.h"
#include "scenes.h"
#include "tap.h"

enum { GOLDEN_WORLDS = 3 };

static const char *const library[] = {"sphere_slide", "box_incline", "yaw_box",   "stack",
                                      "bounce",       "top",         "cube_toss", "pushed"};
static const scene worlds[GOLDEN_WORLDS] = {
    {"jointed_1", "six bodies on joints of all kinds over a floor", 400, TAC_MAX_CONTACTS, jointed_build,
     jointed_drive},
    {"jointed_2", "the same, other kinds", 400, TAC_MAX_CONTACTS, jointed_build, jointed_drive},
    {"jointed_3", "the same, other kinds", 400, TAC_MAX_CONTACTS, jointed_build, jointed_drive}};

enum { GOLDEN_LIBRARY = sizeof library / sizeof library[0] };

static const scene *lcp_scene(unsigned i)
{
    if (i < GOLDEN_LIBRARY) { return scene_find(library[i]); }
    jointed_seed = i - GOLDEN_LIBRARY + 1;
    return &worlds[i - GOLDEN_LIBRARY];
}

static int same(const char *a, const char *b)
{
    while (*a != 0 && *a == *b) { a++, b++; }
    return *a == *b;
}

static const scene *lcp_find(const char *name)
{
    for (unsigned i = 0; i < GOLDEN_LIBRARY + GOLDEN_WORLDS; i++) {
        if (same(lcp_scene(i)->name, name)) { return lcp_scene(i); }
    }
    return NULL;
}

static tac_status lcp_step(const tac_model *model, tac_state *state, const tac_input *input, tac_work *work)
{
    static tac_lcp lcp;
    tac_lcp_init(&lcp);
    lcp.directions = 4;
    return tac_step_lcp(model, state, input, work, &lcp);
}

#define GOLDEN_TABLE "golden_lcp.h"
#define GOLDEN_SCENE lcp_scene
#define GOLDEN_STEP lcp_step
#define GOLDEN_HASH tac_state_hash
#define GOLDEN_COUNT (GOLDEN_LIBRARY + GOLDEN_WORLDS)
#define GOLDEN_FIND lcp_find
#define GOLDEN_MOST 40
#define GOLDEN_ABSENT 0
#include "golden.c"
