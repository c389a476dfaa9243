// SPDX-License-Identifier: MIT
// guide.c - tables of the pictures of src/predict/README.md, as CSV: guide kinks | loads | error
#include "plant.h"
#include <stdio.h>
#include <string.h>

static tac_model model;
static tac_state state, measured;
static tac_prediction ahead;
static tac_input input;
static tac_work work;
static tac_real value[TASK_NUMBERS];

// A leg 30 mm above the floor, for 80 ms, over the effort of its knee.
static int kinks(void)
{
    tac_channel knee = {.joint = ROBOT_JOINTS - 1, .kind = TAC_MOTOR_EFFORT, .low = -100, .high = 100};
    const tac_plan plan = {.channel = &knee, .value = value, .spacing = 1, .knots = 1, .channels = 1};
    tac_joint_state joint[ROBOT_JOINTS];

    for (uint32_t j = 0; j < ROBOT_JOINTS; j++) tac_state_get_joint(&task_model, &state, j, &joint[j]);
    joint[0].position += R(0.03);
    tac_state_set_joints(&task_model, &state, joint);
    printf("effort,cost,touching\n");
    for (int k = -40; k <= 60; k++) {
        value[0] = R(0.1) * (tac_real)k;
        ahead = (tac_prediction){.model = &task_model, .plan = &plan, .cost = &task_cost, .steps = 8};
        ahead.most = TAC_MOST_SPEED;
        if (tac_rollout(&ahead, &state, &work, NULL) != TAC_OK) return 1;
        printf("%g,%.9g,%u\n", (double)value[0], (double)ahead.total, ahead.touching);
    }
    return 0;
}

// A table on four feet, pressed at a place along its length, then left alone: what its feet bear.
static int loads(void)
{
    const tac_vec3 half = {R(0.5), R(0.3), R(0.02)}, radius = {R(0.02), 0, 0}, endless = {0, 0, 0};
    tac_body table = tac_body_make(TAC_DYNAMIC, (tac_vec3){0, 0, R(0.4)});
    tac_shape floor = tac_shape_make(0, TAC_HALF_SPACE, endless);

    tac_model_init(&model);
    tac_model_add_material(&model, R(0.8), 0);
    table.mass = 10;
    table.inertia = (tac_vec3){R(0.3), R(0.8), 1};
    tac_model_add_body(&model, &table);
    tac_model_add_shape(&model, &floor);
    for (int foot = 0; foot < 4; foot++) {
        tac_shape ball = tac_shape_make(1, TAC_SPHERE, radius);
        ball.pose.p = (tac_vec3){foot & 1 ? half.x : -half.x, foot & 2 ? half.y : -half.y, R(-0.38)};
        tac_model_add_shape(&model, &ball);
    }
    if (tac_model_seal(&model, NULL)) return 1;
    printf("pressed,foot 1,foot 2,foot 3,foot 4\n");
    for (int k = -10; k <= 10; k++) {
        tac_state_init(&model, &state, NULL);
        input.actions = 1;
        const tac_real x = R(0.05) * (tac_real)k;
        input.action[0] = (tac_action){.linear = {0, 0, -200}, .point = {x, R(0.6) * x, 0}, .body = 1};
        for (int i = 0; i < 400; i++) {
            if (i == 200) input.actions = 0;
            if (tac_step(&model, &state, &input, &work) < 0) return 1;
        }
        printf("%g", (double)x);
        for (uint16_t foot = 1; foot <= 4; foot++) {
            tac_wrench sum;
            tac_shape_force(&model, &work, foot, table.pose.p, &sum);
            printf(",%.9g", (double)sum.force.z);
        }
        printf("\n");
    }
    return 0;
}

static tac_real height(const tac_state *s)
{
    tac_pose at;
    tac_frame_pose(&task_model, s, &robot_frame[TRUNK], &at);
    return at.p.z;
}

// The height of the trunk after a push, and each 60 ms what is predicted from there.
static int error(void)
{
    const tac_plan plan = task_plan(value);

    task_rest(value);
    printf("from,time,real,predicted\n");
    for (int period = 0; period <= 400; period++) {
        if (!plant_measure(&measured)) return 1;
        if (period % 60 == 20 && period <= 200) {
            ahead = (tac_prediction){.model = &task_model, .plan = &plan, .steps = 20};
            if (tac_rollout_begin(&ahead, &measured, NULL) != TAC_OK) return 1;
            for (int k = 0; k <= 20; k++) {
                printf("%d,%g,,%.9g\n", period, 0.001 * period + 0.01 * k, (double)height(&ahead.state));
                tac_rollout_advance(&ahead, &work, 1);
            }
        }
        printf("0,%g,%.9g,\n", 0.001 * period, (double)height(&measured));
        tac_plan_evaluate(&plan, 0, 0, &input);
        if (!plant_period(&input)) return 1;
    }
    return 0;
}

int main(int count, char **argument)
{
    if (count != 2 || !task_start() || tac_state_init(&task_model, &state, NULL)) return 2;
    tac_state_init(&task_model, &measured, NULL);
    if (!plant_start()) return 2;
    return strcmp(argument[1], "kinks") == 0 ? kinks() : strcmp(argument[1], "loads") == 0 ? loads() : error();
}
