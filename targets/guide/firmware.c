// SPDX-License-Identifier: MIT
// firmware.c - a planning firmware in one loop: control at 1 kHz, and after it a slice of the planner.
//   given   task.h; port.h; a robot that is simulated here, where a real one has sensors and motors
//   makes   by port_log(): what the second after a push costs with servos alone and with plans, plans, ticks
//   bound   a period: control, and SLICE steps of roll-outs
//   never   follows a plan that is older than 200 ms
#include "plant.h"
#include "planner.h"
#include "show.h"
#include "tactus/port.h"

#ifndef SLICE
#define SLICE 8 // steps of roll-outs in a period
#endif
enum { SAMPLES = 4, PERIODS = 1000 };

static tac_state measured;
static tac_sampling sampling;
static tac_work work;
static planner plans;
static tac_plan rest, plan; // that of the planner
static tac_real value[4][TASK_NUMBERS], room[TASK_NUMBERS + SAMPLES];
static uint32_t number, planning, control_ticks, slice_ticks;

// Once a period, before all else: measure, command.
static void control(uint32_t period, tac_input *input)
{
    if (!plant_measure(&measured)) port_panic("measured");
    measured.step = period;
    planner_follow(&plans, &measured, input);
}

// In the time that control leaves.
static void slice(void)
{
    if (!planning) {
        const tac_state *from = planner_begin(&plans, &plan);
        if (!from) return; // no newer state
        sampling = (tac_sampling){.model = &task_model, .cost = &task_cost, .plan = &plan, .room = room};
        sampling.steps = TASK_STEPS;
        sampling.samples = SAMPLES;
        sampling.scale = 1;
        sampling.seed = number;
        planning = tac_sampling_begin(&sampling, from, NULL) == TAC_OK;
    } else if (tac_sampling_advance(&sampling, &work, SLICE) != TAC_UNCONVERGED) {
        if (tac_sampling_end(&sampling) == TAC_OK) planner_hand(&plans, &plan);
        planning = 0;
        number++;
    }
}

// A second after a push. Returns 10000 times its cost.
static uint32_t run(int with_plans)
{
    static tac_input input;

    if (!plant_start() || !plant_measure(&measured)) port_panic("the robot");
    measured.step = 0;
    if (planner_start(&plans, &measured) != TAC_OK) port_panic("the planner");
    for (uint32_t period = 1; period <= PERIODS; period++) {
        const uint32_t from = port_ticks();
        control(period, &input);
        const uint32_t then = port_ticks();
        if (with_plans) slice();
        const uint32_t end = port_ticks();
        if (then - from > control_ticks) control_ticks = then - from;
        if (end - then > slice_ticks) slice_ticks = end - then;
        // on a robot: motors take `input`, and port_wait_until() waits for the next period
        if (!plant_period(&input)) port_panic("the robot");
    }
    return (uint32_t)(plant_cost * 10000);
}

int main(void)
{
    port_init();
    if (tac_self_test() || !task_start() || tac_state_init(&task_model, &measured, NULL)) port_panic("task");
    for (int i = 0; i < 4; i++) task_rest(value[i]);
    rest = task_plan(value[0]);
    plan = task_plan(value[3]);
    plans =
        (planner){.rest = &rest, .slot = {task_plan(value[1]), task_plan(value[2])}, .period = R(0.001), .oldest = 200};
    const uint32_t alone = run(0), planned = run(1);
    show("cost with servos alone, 1/10000", alone);
    show("cost with plans, 1/10000", planned);
    show("plans", number);
    show("longest control, ticks", control_ticks);
    show("longest slice, ticks", slice_ticks);
    port_exit(planned < alone ? 0 : 1);
    return 0;
}
