// SPDX-License-Identifier: MIT
// trial.c - see trial.h.
#include "trial.h"
#include "show.h"

static const tac_real speed = R(0.5);

void trial_start(trial *t, uint32_t seed)
{
    *t = (trial){.seed = seed};
    stand_start(&goal_keep);
    search_start();
    tac_plan_evaluate(stand_planner.rest, 0, 0, &t->commands);
    robot_start(&t->commands);
}

// Numbers of [0, 1), one for each (seed, n).
static tac_real luck(uint32_t seed, uint32_t n)
{
    uint32_t x = seed * UINT32_C(2654435761) ^ (n + 1) * UINT32_C(2246822519);
    for (unsigned i = 0; i < 3; i++) x = (x ^ x >> 15) * UINT32_C(739982445);
    return (tac_real)(x >> 8) / R(16777216);
}

// A unit vector by the tangent of its half angle.
static void push(const trial *t)
{
    const uint32_t n = t->period / TRIAL_PUSH;
    const tac_real tangent = R(2) * luck(t->seed, 2 * n) - R(1), square = tangent * tangent;
    const tac_real along = luck(t->seed, 2 * n + 1) < R(0.5) ? -speed : speed;
    robot_push(along * (R(1) - square) / (R(1) + square), along * R(2) * tangent / (R(1) + square));
}

static tac_real squares(tac_real x, tac_real y, tac_real z)
{
    return x * x + y * y + z * z;
}

// The terms of keep.c, of the robot itself.
static void judge(trial *t)
{
    tac_measured trunk;
    tac_joint_state joint[ROBOT_JOINTS];
    robot_measure(&trunk, joint);
    const tac_vec3 p = trunk.pose.p, v = trunk.velocity, w = trunk.gyro;
    const tac_quat q = trunk.pose.q;
    const tac_real tilt = squares(q.x, q.y, q.z);
    const tac_real rate = R(20) * squares(p.x, p.y, 0) + R(200) * squares(0, 0, p.z - R(0.35)) + R(120) * tilt +
                          R(2) * squares(v.x, v.y, v.z) + R(0.5) * squares(w.x, w.y, w.z);
    t->cost += rate * stand_planner.period;
    t->fallen |= p.z < R(0.2) || tilt > R(0.23);
}

void trial_control(trial *t, int following)
{
    tac_measured trunk;
    tac_joint_state joint[ROBOT_JOINTS];
    robot_measure(&trunk, joint);
    stand_measure(&trunk, joint, t->period + 1);
    stand_control(following, &t->commands);
    const uint32_t age = stand_planner.age;
    if (age != PLANNER_NONE && age > t->age) t->age = age;
    t->resting = stand_planner.late;
}

void trial_robot(trial *t)
{
    if (t->period % TRIAL_PUSH == 300) push(t);
    robot_period(&t->commands);
    judge(t);
    t->period++;
}

void trial_show(const trial *alone, const trial *planned)
{
    const uint64_t hash = robot_hash();
    show("push", planned->seed);
    show("cost of servos, of 10000", (uint32_t)(alone->cost * R(10000)));
    show("cost of planner, of 10000", (uint32_t)(planned->cost * R(10000)));
    show("fallen", (uint32_t)(alone->fallen + planned->fallen));
    show("plans", search_plans);
    show("steps of a plan, mean", search_plans ? search_steps / search_plans : 0);
    show("periods of the oldest plan", planned->age);
    show("periods at rest", planned->resting);
    show("hash", (uint32_t)(hash ^ hash >> 32));
}
