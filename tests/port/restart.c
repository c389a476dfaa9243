// SPDX-License-Identifier: MIT
// restart.c - executive_start() on an executive that has run: no action and no motor of the last run acts on.
// config: robots
#include "executive.h"
#include "tactus/port.h"
#include "tap.h"

#define CYCLES 5

static tac_model model;
static tac_state state, plain;
static tac_work work;
static int commanded; // whether read_inputs() fills the input or keeps what it held

// Body 1 slides on the ground's z axis, driven by a motor; body 2 is free, pushed by a force.
static void make_world(void)
{
    tac_model_init(&model);
    model.gravity = (tac_vec3){0, 0, 0};
    for (int i = 0; i < 2; i++) {
        const tac_body body = tac_body_make(TAC_DYNAMIC, (tac_vec3){(tac_real)i, 0, 0});
        tac_model_add_body(&model, &body);
    }
    tac_joint slide;
    tac_joint_init(&slide, TAC_PRISMATIC, 0, 1);
    tac_model_add_joint(&model, &slide);
    tap_equal(tac_model_seal(&model, NULL), TAC_OK, "the model is good");
    tac_state_init(&model, &state, NULL);
    plain = state;
}

static void read_inputs(void *user, tac_input *input)
{
    static const tac_action push = {.linear = {1, 0, 0}, .body = 2, .kind = TAC_WRENCH_WORLD};
    static const tac_motor pull = {.effort = 1, .joint = 0, .kind = TAC_MOTOR_EFFORT};

    (void)user;
    if (!commanded) return;
    input->actions = 1;
    input->action[0] = push;
    input->motors = 1;
    input->motor[0] = pull;
}

static void run(executive *e)
{
    tap_equal(executive_start(e), TAC_OK, "the settings are good");
    for (int i = 0; i < CYCLES; i++) executive_cycle(e);
}

int main(void)
{
    port_init();
    make_world();
    executive e = {.model = &model, .state = &state, .work = &work, .read = read_inputs};
    e.period = port_tick_rate() / 1000;
    e.budget = UINT32_MAX;

    commanded = 1;
    run(&e);
    tap_ok(state.twist[1].v.z > 0, "the motor has driven the slide");
    tap_ok(state.twist[2].v.x > 0, "the force has pushed the free body");

    commanded = 0;
    state = plain;
    run(&e);
    tap_ok(state.twist[1].v.z == 0, "after a new start no motor acts");
    tap_ok(state.twist[2].v.x == 0, "after a new start no force acts");
    for (int i = 0; i < CYCLES; i++) tac_step(&model, &plain, NULL, &work);
    tap_hash(tac_state_hash(&model, &state), tac_state_hash(&model, &plain), "the bits are those of a world left alone");

    commanded = 1;
    e.budget = 0;
    run(&e);
    tap_ok(work.report.sweeps <= 1 && e.longest[EXECUTIVE_SWEEP] == 0, "the first sweep is not cut, nor measured");
    tap_ok(e.longest[EXECUTIVE_END] > 0, "the end is");
    return tap_done();
}
