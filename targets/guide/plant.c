// SPDX-License-Identifier: MIT
// plant.c - see plant.h.
#include "plant.h"

tac_real plant_cost;

static tac_model model;
static tac_state state;
static tac_input input;
static tac_work work;
static tac_prediction step; // a roll-out of one step, for its cost

int plant_start(void)
{
    model = robot_model;
    for (uint32_t b = 1; b < ROBOT_BODIES; b++) {
        model.body[b].mass *= R(1.1);
        model.body[b].inertia.x *= R(1.1);
        model.body[b].inertia.y *= R(1.1);
        model.body[b].inertia.z *= R(1.1);
    }
    for (uint32_t m = 0; m < model.materials; m++) model.material[m].friction *= R(0.7);
    plant_cost = 0;
    return tac_model_seal(&model, NULL) == TAC_OK && tac_state_init(&model, &state, NULL) == TAC_OK;
}

int plant_measure(tac_state *measured)
{
    tac_measured trunk = {.frame = robot_frame[TRUNK]};
    tac_joint_state joint[ROBOT_JOINTS];
    int hangs = 0; // on a joint: then it is where the joints say

    for (uint32_t j = 0; j < ROBOT_JOINTS; j++) {
        tac_state_get_joint(&model, &state, j, &joint[j]);
        hangs |= model.joint[j].body_b == trunk.frame.body;
    }
    if (hangs) return tac_state_set_joints(&task_model, measured, joint) == TAC_OK;
    tac_state_get_measured(&model, &state, &trunk); // a free trunk: pose, velocity and gyro in its own axes
    return tac_state_set_measured(&task_model, measured, &trunk, joint) == TAC_OK;
}

static tac_action push(void)
{
    static const tac_vec3 speed = PUSH;
    tac_real mass = 0;

    for (uint32_t b = 1; b < ROBOT_BODIES; b++) mass += robot_model.body[b].mass;
    const tac_real rate = mass / R(0.02);
    tac_action action = {.linear = {rate * speed.x, rate * speed.y, rate * speed.z}, .kind = TAC_WRENCH_WORLD};
    action.body = robot_frame[TRUNK].body;
    return action;
}

int plant_period(const tac_input *commands)
{
    input = *commands;
    input.actions = state.step < 20;
    input.action[0] = push();
    step = (tac_prediction){.model = &model, .cost = &task_cost, .input = &input, .steps = 1, .most = TAC_MOST_SPEED};
    if (tac_rollout(&step, &state, &work, NULL) != TAC_OK) return 0;
    plant_cost += step.total;
    state = step.state;
    return 1;
}
