// SPDX-License-Identifier: MIT
// cycle.c - the cyclic executive on the clock of this machine gives the bits of tac_step(). Every board and the host.
#include "executive.h"
#include "tactus/port.h"
#include "tap.h"

#define CYCLES 40

static tac_model model;
static tac_state state, plain;
static tac_work work;
static executive e;

int main(void)
{
    port_init();

    // a sphere that falls, lands and rolls
    tac_model_init(&model);
    model.h = (tac_real)0.01;
    tac_model_add_material(&model, (tac_real)0.5, 0);
    const tac_shape ground = tac_shape_make(0, TAC_HALF_SPACE, (tac_vec3){1, 1, 1});
    tac_model_add_shape(&model, &ground);
    tac_body ball = tac_body_make(TAC_DYNAMIC, (tac_vec3){0, 0, (tac_real)1.2});
    ball.velocity.v.x = 1;
    tac_model_add_body(&model, &ball);
    const tac_shape skin = tac_shape_make(1, TAC_SPHERE, (tac_vec3){1, 1, 1});
    tac_model_add_shape(&model, &skin);
    tap_equal(tac_model_seal(&model, NULL), TAC_OK, "the model is good");
    tac_state_init(&model, &state, NULL);
    plain = state;

    e.model = &model;
    e.state = &state;
    e.work = &work;
    e.period = port_tick_rate() / 1000;
    e.budget = UINT32_MAX;
    e.late = EXECUTIVE_CATCH_UP;
    tap_equal(executive_start(&e), TAC_OK, "the settings are good");
    const uint32_t start = e.release;
    for (int i = 0; i < CYCLES; i++) executive_cycle(&e);

    tap_ok((int32_t)(port_ticks() - start - (CYCLES - 1) * e.period) >= 0, "the last cycle did not start early");
    tap_equal(e.cycles, CYCLES, "every cycle is counted");
    tap_ok(e.min <= executive_mean(&e) && executive_mean(&e) <= e.max, "the mean lies between the extremes");
    tap_equal(work.report.contacts, 1, "the sphere has landed");

    for (int i = 0; i < CYCLES; i++) tac_step(&model, &plain, NULL, &work);
    tap_hash(tac_state_hash(&model, &state), tac_state_hash(&model, &plain), "the bits are those of tac_step()");
    return tap_done();
}
