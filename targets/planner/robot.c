// SPDX-License-Identifier: MIT
// robot.c - see robot.h.
#include "robot.h"
#include "robots.h"
#include "tactus/port.h"

#define R(x) ((tac_real)(x))

enum { DELAY = 2, STEPS = 2, PUSH = 20 }; // periods; steps a period; periods

static tac_model model;
static tac_state state;
static tac_work work;
static tac_input given[DELAY]; // commands that do not act yet, the oldest first
static tac_vec3 force;
static uint32_t pushed; // periods for which the force still acts

static void make_heavier(tac_body *body, tac_real by)
{
    body->mass *= by;
    body->inertia.x *= by;
    body->inertia.y *= by;
    body->inertia.z *= by;
}

void robot_start(const tac_input *rest)
{
    robot_find("stand")->build(&model);
    model.h = R(0.0005);
    model.options.max_sweeps = 12; // so that its longest step fits into a period beside the controller
    model.material[0].friction *= R(0.7);
    for (uint16_t i = 1; i < model.bodies; i++) make_heavier(&model.body[i], R(1.1));
    if (tac_model_seal(&model, NULL) != TAC_OK || tac_state_init(&model, &state, NULL) != TAC_OK) {
        port_panic("the robot is refused");
    }
    for (unsigned i = 0; i < DELAY; i++) given[i] = *rest;
    pushed = 0;
}

void robot_place(const tac_measured *trunk, const tac_joint_state *joint)
{
    if (tac_state_set_measured(&model, &state, trunk, joint) != TAC_OK) port_panic("the robot is not placed");
}

void robot_push(tac_real x, tac_real y)
{
    tac_real mass = 0;
    for (uint16_t i = 1; i < model.bodies; i++) mass += model.body[i].mass;
    const tac_real newtons = mass / (R(PUSH * STEPS) * model.h); // for each m/s
    force = (tac_vec3){newtons * x, newtons * y, 0};
    pushed = PUSH;
}

void robot_period(const tac_input *commands)
{
    tac_input *acting = &given[0];
    acting->actions = pushed > 0;
    acting->action[0] = (tac_action){.linear = force, .body = ROBOT_TRUNK, .kind = TAC_WRENCH_WORLD};
    for (unsigned i = 0; i < STEPS; i++) {
        if (tac_step(&model, &state, acting, &work) < TAC_OK) port_panic("a step of the robot is refused");
    }
    if (pushed) pushed--;
    for (unsigned i = 1; i < DELAY; i++) given[i - 1] = given[i];
    given[DELAY - 1] = *commands;
}

void robot_measure(tac_measured *trunk, tac_joint_state *joint)
{
    trunk->frame = (tac_frame){.body = ROBOT_TRUNK, .pose = {{0, 0, 0}, {1, 0, 0, 0}}};
    if (tac_state_get_measured(&model, &state, trunk) != TAC_OK) port_panic("the robot has no trunk");
    for (uint32_t j = 0; j < model.joints; j++) tac_state_get_joint(&model, &state, j, &joint[j]);
}

uint64_t robot_hash(void)
{
    return tac_state_hash(&model, &state);
}
