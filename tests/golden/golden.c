// SPDX-License-Identifier: MIT
// The same bits everywhere: the hash of every scene after a fixed number of steps, per precision. With -DGOLDEN_PRINT
// the program writes the lines of golden_table.h for its precision instead; a changed hash is a line in the changelog.
#include "scenes.h"
#include "tap.h"

// A tenth of the scene, at most MOST steps: short enough for soft floating point under emulation.
enum { MOST = 40 };

static tac_model model;
static tac_state state;
static tac_work work;
static tac_input input;

typedef struct golden {
    const char *name;
    uint64_t single, twice; ///< hashes in float and in double
} golden;

// Bodies that start in flight are set just above the floor, so that the run sees their impact.
static void lower(const scene *s)
{
    if (s == scene_find("bounce")) { model.body[1].pose.p.z = (tac_real)0.1025; }
    if (s == scene_find("cube_toss")) { model.body[1].pose.p.z = (tac_real)0.08; }
}

static uint64_t run(const scene *s)
{
    tac_status status = s->build(&model);
    lower(s);
    if (status == TAC_OK) { status = tac_model_seal(&model, NULL); }
    if (status == TAC_OK) { status = tac_state_init(&model, &state, NULL); }
    const uint32_t steps = s->steps / 10 < MOST ? s->steps / 10 : MOST;
    for (uint32_t k = 0; k < steps && status >= 0; k++) {
        if (s->drive != NULL) { s->drive(&model, k, &input); }
        status = tac_step(&model, &state, s->drive != NULL ? &input : NULL, &work);
    }
    return status >= 0 ? tac_hash(&model, &state) : 0;
}

#ifdef GOLDEN_PRINT

int main(void)
{
    for (unsigned i = 0; i < scene_count; i++) { tap_note_hex(scenes[i].name, run(&scenes[i])); }
    return 0;
}

#else

static const golden table[] = {
#include "golden_table.h"
};

static const golden *expected(const char *name)
{
    for (unsigned i = 0; i < sizeof table / sizeof table[0]; i++) {
        if (scene_find(table[i].name) == scene_find(name)) { return &table[i]; }
    }
    return NULL;
}

int main(void)
{
    for (unsigned i = 0; i < scene_count; i++) {
        const golden *g = expected(scenes[i].name);
        if (g == NULL) {
            tap_ok(0, tap_joined("no golden hash:", scenes[i].name));
            continue;
        }
        tap_hash(run(&scenes[i]), TAC_REAL_BITS == 32 ? g->single : g->twice, scenes[i].name);
    }
    tap_equal(sizeof table / sizeof table[0], scene_count + !TAC_ROLLING, "as many hashes as scenes");
    return tap_done();
}

#endif
