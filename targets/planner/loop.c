// SPDX-License-Identifier: MIT
// loop.c - control at 1 kHz and the planner in one loop, without an operating system.
//   given   port.h; PUSHES, how many
//   makes   lines by port_log(): for each push what trial.h shows; then times
//   bound   a period: control, and so many steps of roll-outs as loop.h says
//   never   misses a period without counting it
#include "loop.h"
#include "show.h"
#include "trial.h"

#ifndef PUSHES
#define PUSHES 20
#endif

// 1 ms is 1 000 000 instructions of the emulated board, 40 a tick. The controller has 480 000 of them, those of 1 ms at
// 480 MHz; the rest is for the robot, which is computed on the same core.
#define PERIOD 25000u     // ticks
#define CONTROLLER 12000u // ticks

static trial alone, planned;
static struct {
    uint32_t control, slice, both, robot; // ticks, the longest
    uint32_t over, missed;                // periods
    uint32_t plan, longest_plan, plans;   // ticks of the one that is made, ticks, number
    uint64_t planning;                    // ticks of all
} seen;

static uint32_t more(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

static void slice(void)
{
    const uint32_t from = port_ticks(), plans = search_plans;
    search(LOOP_STEPS);
    const uint32_t ticks = port_ticks() - from;
    seen.slice = more(seen.slice, ticks);
    seen.plan += ticks;
    if (search_plans == plans) return;
    seen.longest_plan = more(seen.longest_plan, seen.plan);
    seen.planning += seen.plan;
    seen.plan = 0;
    seen.plans++;
}

static void run(trial *t, uint32_t seed, int following)
{
    trial_start(t, seed);
    seen.plan = 0;
    uint32_t release = port_ticks();
    while (t->period < LOOP_PERIODS) {
        port_wait_until(release);
        const uint32_t from = port_ticks();
        trial_control(t, following);
        seen.control = more(seen.control, port_ticks() - from);
        if (following) slice();
        const uint32_t both = port_ticks() - from;
        seen.both = more(seen.both, both);
        seen.over += both > CONTROLLER;
        const uint32_t robot = port_ticks();
        trial_robot(t); // on a robot: nothing, it moves by itself
        seen.robot = more(seen.robot, port_ticks() - robot);
        release += PERIOD;
        seen.missed += port_ticks() - from > PERIOD;
    }
}

int main(void)
{
    port_init();
    const uint32_t broken = tac_self_test();
    if (broken) port_panic(tac_promise_name(broken));
    for (uint32_t seed = 1; seed <= PUSHES; seed++) {
        run(&alone, seed, 0);
        run(&planned, seed, 1);
        trial_show(&alone, &planned);
    }
    show("ticks of control, longest", seen.control);
    show("ticks of a slice, longest", seen.slice);
    show("ticks of both, longest", seen.both);
    show("ticks of the robot, longest", seen.robot);
    show("ticks of a plan, mean", (uint32_t)(seen.planning / seen.plans));
    show("ticks of a plan, longest", seen.longest_plan);
    show("periods over the controller's part", seen.over);
    show("periods missed", seen.missed);
    show("bytes of control", stand_ram);
    show("bytes of the planner", search_ram);
    port_exit(0);
    return 0;
}
