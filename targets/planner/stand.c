// SPDX-License-Identifier: MIT
// stand.c - see stand.h.
#include "stand.h"
#include "robots.h"
#include "tactus/port.h"

tac_model stand_model;
tac_state stand_state;
planner stand_planner;
const goal *stand_goal;

static struct {
    tac_channel channel[ROBOT_JOINTS];
    tac_real value[3][GOAL_NUMBERS];
    tac_plan rest;
} own;
const uint32_t stand_ram = sizeof own + sizeof stand_planner + sizeof stand_model + sizeof stand_state;

tac_plan stand_plan_of(tac_real *value)
{
    return (tac_plan){.channel = own.channel,
                      .value = value,
                      .knots = stand_goal->knots,
                      .channels = ROBOT_JOINTS,
                      .spacing = stand_goal->horizon / (tac_real)(stand_goal->knots - 1),
                      .form = TAC_TABLE_LINEAR};
}

static void make_plans(void)
{
    const tac_channel servo = {.kind = TAC_MOTOR_PD,
                               .low = -stand_goal->bound,
                               .high = stand_goal->bound,
                               .sigma = stand_goal->sigma,
                               .stiffness = 100,
                               .damping = 1};
    for (uint16_t j = 0; j < ROBOT_JOINTS; j++) {
        own.channel[j] = servo;
        own.channel[j].joint = j;
    }
    for (unsigned k = 0; k < stand_goal->knots; k++) stand_goal->rest(0, &own.value[0][k * ROBOT_JOINTS]);
    own.rest = stand_plan_of(own.value[0]);
    stand_planner = (planner){
        .rest = &own.rest, .slot = {stand_plan_of(own.value[1]), stand_plan_of(own.value[2])}, .period = R(0.001)};
    stand_planner.oldest = 300;
}

void stand_start(const goal *of)
{
    stand_goal = of;
    robot_find("stand")->build(&stand_model);
    stand_model.h = R(0.01);
    stand_model.options.max_sweeps = 2;
    make_plans();
    if (tac_model_seal(&stand_model, NULL) != TAC_OK || tac_state_init(&stand_model, &stand_state, NULL) != TAC_OK ||
        planner_start(&stand_planner, &stand_state) != TAC_OK) {
        port_panic("the planner is refused");
    }
}

void stand_measure(const tac_measured *trunk, const tac_joint_state *joint, uint64_t period)
{
    if (tac_state_set_measured(&stand_model, &stand_state, trunk, joint) != TAC_OK) port_panic("measured");
    stand_state.step = period;
}

void stand_control(int following, tac_input *commands)
{
    planner_follow(&stand_planner, &stand_state, commands);
    if (!following) tac_plan_evaluate(&own.rest, 0, 0, commands);
}
