// SPDX-License-Identifier: MIT
// fault_task.c - a task executes an instruction that does not exist, at `culprit`. Must end in the fault handler.
#include "tasks.h"

static void task(void *parameters)
{
    (void)parameters;
    __asm__ volatile(".global culprit\n"
                     "culprit: udf #0");
}

int main(void)
{
    port_init();
    spawn(task, "task", LOW);
    run_tasks();
    return 0;
}
