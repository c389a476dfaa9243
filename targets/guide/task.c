// SPDX-License-Identifier: MIT
// task.c - see task.h.
#include "task.h"

tac_model task_model;
tac_cost task_cost;

static tac_channel channel[ROBOT_JOINTS]; // of the joints that have a motor
static tac_cost_term term[5];
static tac_real posture[ROBOT_JOINTS], place[3];
static uint16_t channels;
static tac_state start;
static const tac_table at_posture = {.value = posture, .spacing = 1, .rows = 1, .width = ROBOT_JOINTS};
static const tac_table at_place = {.value = place, .spacing = 1, .rows = 1, .width = 3};

static int has_motor(const tac_joint *j)
{
    return (j->kind == TAC_REVOLUTE || j->kind == TAC_PRISMATIC) && j->effort > 0;
}

int task_start(void)
{
    tac_joint_state joint;

    task_model = robot_model;
    task_model.h = R(0.01);
    task_model.options.max_sweeps = 2; // what a step may take bounds a slice
    if (tac_model_seal(&task_model, NULL) || tac_state_init(&task_model, &start, NULL)) return 0;
    channels = 0;
    for (uint16_t j = 0; j < ROBOT_JOINTS; j++) {
        tac_state_get_joint(&task_model, &start, j, &joint);
        posture[j] = joint.position;
        if (!has_motor(&task_model.joint[j])) continue;
        channel[channels++] = (tac_channel){.joint = j,
                                            .kind = TAC_MOTOR_PD,
                                            .sigma = SIGMA,
                                            .stiffness = STIFFNESS,
                                            .damping = R(STIFFNESS) / 100,
                                            .low = joint.position - R(0.6),
                                            .high = joint.position + R(0.6)};
    }
    const tac_frame trunk = robot_frame[TRUNK];
    tac_pose at;
    tac_frame_pose(&task_model, &start, &trunk, &at);
    place[0] = at.p.x;
    place[1] = at.p.y;
    place[2] = at.p.z;
    term[0] =
        (tac_cost_term){.kind = TAC_COST_POSITION, .frame = trunk, .target = &at_place, .weight = 400, .count = 1};
    term[1] = (tac_cost_term){.kind = TAC_COST_ORIENTATION, .frame = trunk, .weight = 60, .count = 1};
    term[2] = (tac_cost_term){.kind = TAC_COST_VELOCITY, .frame = trunk, .weight = 4, .count = 1};
    term[3] = (tac_cost_term){.kind = TAC_COST_JOINT, .target = &at_posture, .weight = 1, .count = ROBOT_JOINTS};
    term[4] = (tac_cost_term){.kind = TAC_COST_EFFORT, .weight = R(0.0001), .count = ROBOT_JOINTS};
    task_cost = (tac_cost){.term = term, .terms = sizeof term / sizeof term[0]};
    return channels > 0;
}

tac_plan task_plan(tac_real *value)
{
    return (tac_plan){.channel = channel,
                      .value = value,
                      .knots = TASK_KNOTS,
                      .channels = channels,
                      .spacing = TASK_STEPS * R(0.01) / (TASK_KNOTS - 1),
                      .form = TAC_TABLE_LINEAR};
}

void task_rest(tac_real *value)
{
    for (uint16_t i = 0; i < TASK_KNOTS * channels; i++) value[i] = posture[channel[i % channels].joint];
}
