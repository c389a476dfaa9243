// SPDX-License-Identifier: MIT
// walk.c - one step at rest, for tests/figures/walk to see which functions it runs through: of a quadruped that stands, or,
// where there are no joints, of a box on a half-space.
#include "tactus/tactus.h"
#if TAC_MAX_JOINTS > 0
#include "robots.h"
#endif

static tac_model model;
static tac_state state;
static tac_input input;
static tac_work work;

#if TAC_MAX_JOINTS > 0

static tac_status build(void)
{
    return robot_find("stand")->build(&model);
}

static void drive(uint32_t step)
{
    robot_find("stand")->drive(&model, step, &input);
}

#else

static tac_status build(void)
{
    const tac_vec3 size = {(tac_real)0.5, (tac_real)0.5, (tac_real)0.5}, none = {0, 0, 0}, at = {0, 0, (tac_real)0.5};
    const tac_body body = tac_body_make(TAC_DYNAMIC, at);
    tac_model_init(&model);
    tac_model_add_material(&model, (tac_real)0.5, 0);
    const tac_shape plane = tac_shape_make(0, TAC_HALF_SPACE, none);
    tac_model_add_shape(&model, &plane);
    const tac_shape cube = tac_shape_make((uint16_t)tac_model_add_body(&model, &body), TAC_BOX, size);
    tac_model_add_shape(&model, &cube);
    tac_model_mass_from_shapes(&model, 1, 1000);
    return tac_model_seal(&model, NULL);
}

static void drive(uint32_t step)
{
    (void)step;
}

#endif

// What callgrind collects.
__attribute__((noinline)) tac_status walk(void);
tac_status walk(void)
{
    return tac_step(&model, &state, &input, &work);
}

int main(void)
{
    if (build() || tac_state_init(&model, &state, NULL)) { return 1; }
    for (uint32_t k = 0; k < 200; k++) {
        drive(k);
        if (tac_step(&model, &state, &input, &work)) { return 1; }
    }
    return walk() ? 1 : 0;
}
