// SPDX-License-Identifier: MIT
// tasks.c - control at 1 kHz as a task of FreeRTOS, and the planner as a task below it that has the time that is left.
//   given   port/freertos; PUSHES, how many
//   makes   lines by port_log(): for each push what trial.h shows; then times
//   bound   the planner has no bound and needs none: control interrupts it
//   never   allocates, waits for the planner or follows a plan that is too old
#include "loop.h"
#include "show.h"
#include "trial.h"
#include "FreeRTOS.h"
#include "task.h"

#ifndef PUSHES
#define PUSHES 20
#endif
#define PERIOD 25000u // ticks, as in loop.c: the robot is computed by the control task

enum { STACK_WORDS = 1536, PLANNER_PRIORITY = 1, CONTROL_PRIORITY = configMAX_PRIORITIES - 1 };

static StaticTask_t block[2];
static StackType_t stack[2][STACK_WORDS];
static TaskHandle_t planner_handle;
static trial alone, planned;
static uint32_t missed, latest; // periods, ticks
static volatile int stop, stopped;

static void planner_task(void *parameters)
{
    (void)parameters;
    for (;;) {
        stopped = stop;
        if (stopped || !search(1)) vTaskDelay(1); // no later state yet
    }
}

static void run(trial *t, uint32_t seed, int following)
{
    stopped = 0;
    stop = 1; // between two slices: a new trial changes what both tasks share
    while (!stopped) vTaskDelay(1);
    trial_start(t, seed);
    stop = !following;
    uint32_t release = port_ticks();
    while (t->period < LOOP_PERIODS) {
        port_wait_until(release);
        const uint32_t late = port_ticks() - release;
        if (late > latest) latest = late;
        trial_control(t, following);
        trial_robot(t); // on a robot: nothing, it moves by itself
        release += PERIOD;
        missed += (int32_t)(port_ticks() - release) > 0;
    }
}

static void control_task(void *parameters)
{
    (void)parameters;
    for (uint32_t seed = 1; seed <= PUSHES; seed++) {
        run(&alone, seed, 0);
        run(&planned, seed, 1);
        trial_show(&alone, &planned);
    }
    show("periods missed", missed);
    show("ticks late, at most", latest);
    show("bytes left to control", (uint32_t)(uxTaskGetStackHighWaterMark(NULL) * sizeof(StackType_t)));
    show("bytes left to the planner", (uint32_t)(uxTaskGetStackHighWaterMark(planner_handle) * sizeof(StackType_t)));
    port_exit(0);
}

int main(void)
{
    port_init();
    const uint32_t broken = tac_self_test();
    if (broken) port_panic(tac_promise_name(broken));
    stand_start(&goal_keep);
    planner_handle =
        xTaskCreateStatic(planner_task, "planner", STACK_WORDS, NULL, PLANNER_PRIORITY, stack[0], &block[0]);
    xTaskCreateStatic(control_task, "control", STACK_WORDS, NULL, CONTROL_PRIORITY, stack[1], &block[1]);
    vTaskStartScheduler();
    port_panic("the scheduler has ended");
    return 1;
}
