// SPDX-License-Identifier: MIT
// config: room
// variants: clang-O0-32 san-Og-64
// The direct solver in a table of four blocks: a stack of five cubes fits to the last one; one of six does not, and its
// steps say that they used sweeps.
#include "begin.h"
#include "truth.h"

static tac_model m;
static tac_state state;
static tac_work w;

static void stack(int cubes)
{
    tac_model_init(&m);
    m.h = (tac_real)0.005;
    m.options.solver = TAC_SOLVER_DIRECT;
    tac_model_add_material(&m, (tac_real)0.5, 0);
    tac_shape s = tac_shape_make(0, TAC_HALF_SPACE, vec(0, 0, 0));
    tac_model_add_shape(&m, &s);
    for (int i = 0; i < cubes; i++) {
        tac_body b = tac_body_make(TAC_DYNAMIC, vec(0, 0, 0.5 + i));
        b.inertia = vec(1.0 / 6, 1.0 / 6, 1.0 / 6);
        s = tac_shape_make((uint16_t)tac_model_add_body(&m, &b), TAC_BOX, vec(0.5, 0.5, 0.5));
        tac_model_add_shape(&m, &s);
    }
    begin_world(&m, &state);
}

// Returns in how many of 100 steps sweeps were used.
static int run(void)
{
    int swept = 0, sound = 1;
    for (int k = 0; k < 100; k++) {
        const tac_status status = tac_step(&m, &state, NULL, &w);
        sound = sound && status >= 0 && tac_check(&m, &state, &w, NULL) == TAC_OK;
        swept += (status & TAC_SWEPT) != 0;
    }
    tap_ok(sound, "every step is sound");
    return swept;
}

int main(void)
{
    stack(5);
    tap_equal(run(), 0, "five cubes: four pairs, four blocks");
    stack(6);
    tap_equal(run(), 100, "six cubes: no room, and each step says so");
    tap_near((double)state.pose[6].p.z, 5.5, 1e-3, "the sweeps hold them");
    return tap_done();
}
