// SPDX-License-Identifier: MIT
// served_tasks.c - control and planner behind the link, as two tasks of FreeRTOS.
//   given   port/freertos; host.c on the other side
//   makes   commands for what the host measures, with the bits of served_loop.c
//   bound   a period: control, and so many steps of roll-outs as loop.h says, while control answers the host
//   never   begins a period before the planner has taken its steps of the last one: time is the host's
#include "loop.h"
#include "served.h"
#include "tactus/port.h"
#include "FreeRTOS.h"
#include "task.h"

enum { STACK_WORDS = 1536, PLANNER_PRIORITY = 1, CONTROL_PRIORITY = configMAX_PRIORITIES - 1 };

static StaticTask_t block[2];
static StackType_t stack[2][STACK_WORDS];
static TaskHandle_t planner_handle;
static volatile int planning;

static void planner_task(void *parameters)
{
    (void)parameters;
    for (;;) {
        ulTaskNotifyTake(pdTRUE, portMAX_DELAY);
        search(LOOP_STEPS);
        planning = 0;
    }
}

static void control_task(void *parameters)
{
    (void)parameters;
    for (;;) {
        const int byte = port_read();
        if (byte < 0) {
            port_idle();
        } else if (served_byte((uint8_t)byte)) {
            while (planning) vTaskDelay(1);
            served_control();
            planning = 1;
            xTaskNotifyGive(planner_handle);
        }
    }
}

int main(void)
{
    port_init();
    const uint32_t broken = tac_self_test();
    if (broken) port_panic(tac_promise_name(broken));
    served_start();
    planner_handle =
        xTaskCreateStatic(planner_task, "planner", STACK_WORDS, NULL, PLANNER_PRIORITY, stack[0], &block[0]);
    xTaskCreateStatic(control_task, "control", STACK_WORDS, NULL, CONTROL_PRIORITY, stack[1], &block[1]);
    vTaskStartScheduler();
    port_panic("the scheduler has ended");
    return 1;
}
