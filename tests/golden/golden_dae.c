// SPDX-License-Identifier: MIT
// config: all
// variants: all
// The same for TCE17's integrators: a chain by each of them, mechanisms with loops by those of second order.
#include "robots.h"
#include "tap.h"

static const struct run_by {
    const char *name, *scene;
    uint8_t method, solver;
} runs[] = {{"chain_euler", "chain", TAC_DAE_EULER, TAC_DAE_SPARSE},
            {"chain_euler_linearised", "chain", TAC_DAE_EULER_LINEARISED, TAC_DAE_SPARSE},
            {"chain_euler_projected", "chain", TAC_DAE_EULER_PROJECTED, TAC_DAE_SPARSE},
            {"chain_trapezoidal", "chain", TAC_DAE_TRAPEZOIDAL, TAC_DAE_SPARSE},
            {"chain_trapezoidal_linearised", "chain", TAC_DAE_TRAPEZOIDAL_LINEARISED, TAC_DAE_SPARSE},
            {"chain_newmark", "chain", TAC_DAE_NEWMARK, TAC_DAE_SPARSE},
            {"chain_hht", "chain", TAC_DAE_HHT, TAC_DAE_SPARSE},
            {"chain_generalised_alpha", "chain", TAC_DAE_GENERALISED_ALPHA, TAC_DAE_SPARSE},
            {"four_bar_minres", "four_bar", TAC_DAE_HHT, TAC_DAE_MINRES},
            {"slider_crank_hht", "slider_crank", TAC_DAE_HHT, TAC_DAE_SPARSE},
            {"bricard_hht", "bricard", TAC_DAE_HHT, TAC_DAE_SPARSE},
            {"flyball_generalised_alpha", "flyball", TAC_DAE_GENERALISED_ALPHA, TAC_DAE_SPARSE}};

enum { RUNS = sizeof runs / sizeof runs[0] };

static scene worlds[RUNS];
static const struct run_by *current; // the run of the scene that was asked for last
static tac_dae dae;

static const scene *dae_scene(unsigned i)
{
    const scene *s = robot_find(runs[i].scene);
    worlds[i] = (scene){runs[i].name, s->about, s->steps, s->contacts, s->build, s->drive};
    current = &runs[i];
    return &worlds[i];
}

static int same(const char *a, const char *b)
{
    while (*a != 0 && *a == *b) { a++, b++; }
    return *a == *b;
}

static const scene *dae_find(const char *name)
{
    for (unsigned i = 0; i < RUNS; i++) {
        if (same(runs[i].name, name)) { return &worlds[i]; }
    }
    return NULL;
}

// The accelerations of the last step are kept where the state goes on from it.
static tac_status dae_step(const tac_model *model, tac_state *state, const tac_input *input, tac_work *work)
{
    if (state->step == 0) {
        tac_dae_init(&dae);
        dae.method = current->method;
        dae.solver = current->solver;
        dae.gamma = (tac_real)0.75; // of Newmark's method, with damping
        dae.beta = (tac_real)0.390625;
    }
    return tac_step_dae(model, state, input, work, &dae);
}

#define GOLDEN_TABLE "golden_dae.h"
#define GOLDEN_SCENE dae_scene
#define GOLDEN_STEP dae_step
#define GOLDEN_HASH tac_state_hash
#define GOLDEN_COUNT RUNS
#define GOLDEN_FIND dae_find
#define GOLDEN_MOST 40
#define GOLDEN_ABSENT 0
#include "golden.c"
