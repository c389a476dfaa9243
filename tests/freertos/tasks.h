// SPDX-License-Identifier: MIT
// tasks.h - tasks of the tests on FreeRTOS.
//   given   a function and a priority
//   makes   a task with static memory; run_tasks() starts the scheduler and does not return
//   bound   TASKS of them
//   never   allocates
#ifndef FREERTOS_TASKS_H
#define FREERTOS_TASKS_H

#include "tactus/port.h"
#include "FreeRTOS.h"
#include "task.h"

enum { TASKS = 2, TASK_WORDS = 1024, LOW = 1, HIGH = configMAX_PRIORITIES - 1 };

static inline TaskHandle_t spawn(TaskFunction_t function, const char *name, UBaseType_t priority)
{
    static StaticTask_t block[TASKS];
    static StackType_t stack[TASKS][TASK_WORDS];
    static unsigned count;

    if (count == TASKS) port_panic("more tasks than TASKS");
    const unsigned i = count++;
    return xTaskCreateStatic(function, name, TASK_WORDS, NULL, priority, stack[i], &block[i]);
}

static inline void run_tasks(void)
{
    vTaskStartScheduler();
    port_panic("the scheduler has ended");
}

#endif
