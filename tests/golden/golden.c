// SPDX-License-Identifier: MIT
// The same bits everywhere: the hash of every scene after a fixed number of steps, per precision. With -DGOLDEN_PRINT
// the program writes the lines of golden_table.h for its precision instead; a changed hash is a line in the changelog.
#include "scenes.h"
#include "tap.h"

// golden_robots.c has a library and a table of its own, golden_fast.c longer steps too, golden_lcp.c another step,
// golden_questions.c another hash.
#ifndef GOLDEN_TABLE
#define GOLDEN_TABLE "golden_table.h"
#define GOLDEN_SCENE(i) (&scenes[i])
#define GOLDEN_STEP tac_step
#define GOLDEN_HASH tac_state_hash
#define GOLDEN_COUNT scene_count
#define GOLDEN_FIND scene_find
#define GOLDEN_MOST 40
// scenes of the table that this configuration does not have
#define GOLDEN_ABSENT ((TAC_ROLLING ? 0 : 3) + (TAC_MAX_SURFACES >= 3 ? 0 : 2))
#endif

#ifndef GOLDEN_LONGER
#define GOLDEN_LONGER 1 // times as long as the scene's own are the steps
#endif

// A tenth of the scene, at most GOLDEN_MOST steps: short enough for soft floating point under emulation.

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
    if (s == GOLDEN_FIND("bounce")) { model.body[1].pose.p.z = (tac_real)0.1025; }
    if (s == GOLDEN_FIND("cube_toss")) { model.body[1].pose.p.z = (tac_real)0.08; }
}

static uint64_t run(const scene *s)
{
    tac_status status = s->build(&model);
    lower(s);
    model.h *= (tac_real)GOLDEN_LONGER;
    if (status == TAC_OK) { status = tac_model_seal(&model, NULL); }
    if (status == TAC_OK) { status = tac_state_init(&model, &state, NULL); }
    const uint32_t steps = s->steps / 10 < GOLDEN_MOST ? s->steps / 10 : GOLDEN_MOST;
    for (uint32_t k = 0; k < steps && status >= 0; k++) {
        if (s->drive != NULL) { s->drive(&model, k, &input); }
        status = GOLDEN_STEP(&model, &state, s->drive != NULL ? &input : NULL, &work);
    }
    return status >= 0 ? GOLDEN_HASH(&model, &state) : 0;
}

#ifdef GOLDEN_PRINT

int main(void)
{
    for (unsigned i = 0; i < GOLDEN_COUNT; i++) { tap_note_hex(GOLDEN_SCENE(i)->name, run(GOLDEN_SCENE(i))); }
    return 0;
}

#else

static const golden table[] = {
#include GOLDEN_TABLE
};

static const golden *expected(const char *name)
{
    for (unsigned i = 0; i < sizeof table / sizeof table[0]; i++) {
        if (GOLDEN_FIND(table[i].name) == GOLDEN_FIND(name)) { return &table[i]; }
    }
    return NULL;
}

int main(void)
{
    for (unsigned i = 0; i < GOLDEN_COUNT; i++) {
        const golden *g = expected(GOLDEN_SCENE(i)->name);
        if (g == NULL) {
            tap_ok(0, tap_joined("no golden hash:", GOLDEN_SCENE(i)->name));
            continue;
        }
        tap_hash(run(GOLDEN_SCENE(i)), TAC_REAL_BITS == 32 ? g->single : g->twice, GOLDEN_SCENE(i)->name);
    }
    tap_equal(sizeof table / sizeof table[0], GOLDEN_COUNT + GOLDEN_ABSENT, "as many hashes as scenes");
    return tap_done();
}

#endif
