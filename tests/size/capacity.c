// SPDX-License-Identifier: MIT
// capacity.c - fills every table of the configuration it is compiled for, then steps: nothing overruns, the rest is
// counted.
#include "tactus/tactus.h"

static tac_model model;
static tac_state state;
static tac_work work;

static tac_vec3 vec(int x, int y, int z)
{
    return (tac_vec3){(tac_real)x, (tac_real)y, (tac_real)z};
}

int main(void)
{
    tac_model_init(&model);
    while (tac_model_add_material(&model, (tac_real)0.5, 0) >= 0) {}
    while (tac_model_add_material_pair(&model, 0, 0, (tac_real)0.4, 0) >= 0) {}
    const tac_shape ground = tac_shape_make(0, TAC_HALF_SPACE, vec(0, 0, 0));
    tac_model_add_shape(&model, &ground);

    // unit boxes on a grid, a little into the ground: each asks for four contacts
    for (int i = 0;; i++) {
        const tac_body b =
            tac_body_make(TAC_DYNAMIC, (tac_vec3){(tac_real)(3 * (i % 64)), (tac_real)(3 * (i / 64)), (tac_real)0.999});
        const int32_t body = tac_model_add_body(&model, &b);
        if (body < 0) { break; }
        const tac_shape s = tac_shape_make((uint16_t)body, TAC_BOX, vec(1, 1, 1));
        tac_model_add_shape(&model, &s);
    }
    if (model.bodies != TAC_MAX_BODIES + 1 || model.materials != TAC_MAX_MATERIALS) { return 1; }
    if (tac_model_seal(&model, NULL) != TAC_OK || tac_state_init(&model, &state, NULL) != TAC_OK) { return 2; }

    for (int i = 0; i < 3; i++) {
        const tac_status status = tac_step(&model, &state, NULL, &work);
        if (status < 0 || tac_check(&model, &state, &work, NULL) != TAC_OK) { return 3; }
        const uint32_t expected = 4u * TAC_MAX_BODIES;
        if ((uint32_t)work.report.contacts + work.report.dropped != expected) { return 4; }
        if ((status & TAC_FULL) != (work.report.dropped > 0 ? TAC_FULL : 0)) { return 5; }
    }
    return 0;
}
