// SPDX-License-Identifier: MIT
// stroll.c - see stroll.h.
#include "stroll.h"
#include "show.h"

enum { STANDS = 1600, COUNTS = 2600 }; // periods

// Numbers of [-1, 1), one after the other.
static tac_real luck(uint32_t *x)
{
    *x = *x * UINT32_C(1664525) + UINT32_C(1013904223);
    return (tac_real)(*x >> 8) / R(8388608) - R(1);
}

void stroll_start(stroll *s, uint32_t seed)
{
    uint32_t x = seed * UINT32_C(2654435761);
    tac_real row[ROBOT_JOINTS];
    tac_joint_state joint[ROBOT_JOINTS];
    const tac_real pitch = R(0.025) * luck(&x), yaw = R(0.025) * luck(&x); // halves; the unit is made by the kernel
    const tac_measured trunk = {
        .frame = {ROBOT_TRUNK, {{0, 0, 0}, {1, 0, 0, 0}}},
        .pose = {{0, 0, R(0.11)}, {R(1) - R(0.5) * (pitch * pitch + yaw * yaw), 0, pitch, yaw}}};

    *s = (stroll){.seed = seed};
    stand_start(&goal_walk);
    search_start();
    tac_plan_evaluate(stand_planner.rest, 0, 0, &s->commands);
    robot_start(&s->commands);
    stand_goal->rest(0, row);
    for (unsigned j = 0; j < ROBOT_JOINTS; j++) joint[j] = (tac_joint_state){row[j] + R(0.1) * luck(&x), 0};
    robot_place(&trunk, joint);
}

void stroll_control(stroll *s, int alone)
{
    tac_measured trunk;
    tac_joint_state joint[ROBOT_JOINTS];
    tac_real row[ROBOT_JOINTS];
    robot_measure(&trunk, joint);
    stand_measure(&trunk, joint, s->period + 1);
    stand_control(1, &s->commands);
    if (!alone) return;
    stand_goal->rest((tac_real)s->period * stand_planner.period, row);
    for (unsigned j = 0; j < ROBOT_JOINTS; j++) s->commands.motor[j].position = row[j];
}

void stroll_robot(stroll *s)
{
    tac_measured trunk;
    tac_joint_state joint[ROBOT_JOINTS];
    robot_period(&s->commands);
    robot_measure(&trunk, joint);
    const tac_vec3 p = trunk.pose.p;
    const tac_quat q = trunk.pose.q;
    s->fallen |= q.x * q.x + q.y * q.y > R(0.23) || (s->period > STANDS && p.z < R(0.2));
    s->to = p.x;
    if (p.y > s->aside || -p.y > s->aside) s->aside = p.y < 0 ? -p.y : p.y;
    if (s->period == COUNTS) s->from = p.x;
    if (s->period >= COUNTS) s->off += p.z < R(0.35) ? 0.35 - (double)p.z : (double)p.z - 0.35;
    s->period++;
}

void stroll_show(const stroll *s)
{
    const uint64_t hash = robot_hash();
    const uint32_t counted = s->period > COUNTS ? s->period - COUNTS : 1;
    const double way = (double)s->to - (double)s->from;
    show("robot", s->seed);
    show("fallen", (uint32_t)s->fallen);
    show("periods", s->period);
    show(way < 0 ? "mm/s backwards" : "mm/s", (uint32_t)((way < 0 ? -way : way) * 1e6 / counted));
    show("error of height, of 0.1 mm", (uint32_t)(s->off * 1e4 / counted));
    show("mm aside, most", (uint32_t)(s->aside * R(1000)));
    show("plans", search_plans);
    show("steps of a plan, mean", search_plans ? search_steps / search_plans : 0);
    show("hash", (uint32_t)(hash ^ hash >> 32));
}
