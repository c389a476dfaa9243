// SPDX-License-Identifier: MIT
// robot.c - see robot.h.
#include "robot.h"
#include "foreign.h"
#include "robots.h"
#include "tactus/port.h"

#define R(x) ((tac_real)(x))

enum { PUSH = 20 }; // periods

static foreign plant;
static tac_work work;
static tac_vec3 force;
static uint32_t pushed; // periods for which the force still acts

void robot_start(const tac_input *rest)
{
    robot_find("stand")->build(&plant.model);
    plant.model.options.max_sweeps = 12; // so that its longest step fits into a period beside the controller
    for (uint16_t i = 1; i < plant.model.bodies; i++) foreign_scale(&plant.model.body[i], R(1.1));
    if (foreign_begin(&plant, R(0.7), rest) != TAC_OK) port_panic("the robot is refused");
    pushed = 0;
}

void robot_place(const tac_measured *trunk, const tac_joint_state *joint)
{
    if (tac_state_set_measured(&plant.model, &plant.state, trunk, joint) != TAC_OK)
        port_panic("the robot is not placed");
}

void robot_push(tac_real x, tac_real y)
{
    tac_real mass = 0;
    for (uint16_t i = 1; i < plant.model.bodies; i++) mass += plant.model.body[i].mass;
    const tac_real newtons = mass / (R(PUSH * FOREIGN_STEPS) * plant.model.h); // for each m/s
    force = (tac_vec3){newtons * x, newtons * y, 0};
    pushed = PUSH;
}

void robot_period(const tac_input *commands)
{
    plant.given[0].actions = pushed > 0;
    plant.given[0].action[0] = (tac_action){.linear = force, .body = ROBOT_TRUNK, .kind = TAC_WRENCH_WORLD};
    if (foreign_period(&plant, commands, &work) < TAC_OK) port_panic("a step of the robot is refused");
    if (pushed) pushed--;
}

void robot_measure(tac_measured *trunk, tac_joint_state *joint)
{
    trunk->frame = (tac_frame){.body = ROBOT_TRUNK, .pose = {{0, 0, 0}, {1, 0, 0, 0}}};
    if (tac_state_get_measured(&plant.model, &plant.state, trunk) != TAC_OK) port_panic("the robot has no trunk");
    for (uint32_t j = 0; j < plant.model.joints; j++) tac_state_get_joint(&plant.model, &plant.state, j, &joint[j]);
}

uint64_t robot_hash(void)
{
    return tac_state_hash(&plant.model, &plant.state);
}
