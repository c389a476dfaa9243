// SPDX-License-Identifier: MIT
// prefix_world.c - a scene of the golden table, run by one of two kernels in a program. Compiled once for each.
#include "tactus/tactus.h"

#include "prefix.h"
#include <string.h>

#define scenes TAC_PREFIXED(scenes)
#define scene_count TAC_PREFIXED(scene_count)
#define scene_find TAC_PREFIXED(scene_find)
#include "scenes.c"

#define world_begin TAC_PREFIXED(world_begin)
#define world_step TAC_PREFIXED(world_step)
#define world_hash TAC_PREFIXED(world_hash)
#define world_golden TAC_PREFIXED(world_golden)
#define world_bits TAC_PREFIXED(world_bits)
#define world_bytes TAC_PREFIXED(world_bytes)
#define world_foreign TAC_PREFIXED(world_foreign)
#define world_layout TAC_PREFIXED(world_layout)

static const struct {
    const char *name;
    uint64_t single, twice;
} golden[] = {
#include "golden/golden_table.h"
};

static const scene *now;
static tac_model model;
static tac_state state;
static tac_input input;
static tac_work work;

int world_begin(const char *name)
{
    now = scene_find(name);
    if (now == NULL || now->build(&model) != TAC_OK || tac_state_init(&model, &state, NULL) != TAC_OK) { return 0; }
    return now->steps / 10 < 40 ? (int)(now->steps / 10) : 40; // as golden.c
}

int world_step(void)
{
    if (now->drive != NULL) { now->drive(&model, (uint32_t)state.step, &input); }
    return tac_step(&model, &state, now->drive != NULL ? &input : NULL, &work) >= 0;
}

uint64_t world_hash(void)
{
    return tac_state_hash(&model, &state);
}

uint64_t world_golden(void)
{
    for (unsigned i = 0; i < sizeof golden / sizeof golden[0]; i++) {
        if (strcmp(golden[i].name, now->name) == 0) { return TAC_REAL_BITS == 32 ? golden[i].single : golden[i].twice; }
    }
    return 0;
}

int world_bits(void)
{
    return 8 * (int)sizeof(tac_real);
}

unsigned long world_bytes(void)
{
    return sizeof model + sizeof state + sizeof input + sizeof work;
}

const void *world_layout(void)
{
    return tac_layout_here();
}

// A caller's layout at this kernel's door: what a program meets whose header and kernel are mixed up.
const char *world_foreign(const void *layout)
{
    static tac_model untouched;
    tac_fault fault;
    if (tac_model_seal_for((const tac_layout *)layout, &untouched, &fault) != TAC_E_CONFIG) { return NULL; }
    return tac_layout_name(fault.index);
}
