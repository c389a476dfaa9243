// SPDX-License-Identifier: MIT
// fault_stack.c - a task recurses until its stack is spent, then lets others run. Must end in the port's panic.
#include "tasks.h"

#define ENDLESS 1000000u

static uint32_t dig(uint32_t depth)
{
    volatile uint32_t frame[16];
    for (unsigned i = 0; i < 16; i++) frame[i] = depth;
    if (uxTaskGetStackHighWaterMark(NULL) == 0) vTaskDelay(1);
    if (depth == ENDLESS) return 0;
    return dig(frame[15] + 1) + frame[0];
}

static void mole(void *parameters)
{
    (void)parameters;
    dig(0);
}

// Its stack lies below the mole's.
static void neighbour(void *parameters)
{
    (void)parameters;
    vTaskSuspend(NULL);
}

int main(void)
{
    port_init();
    spawn(neighbour, "neighbour", HIGH);
    spawn(mole, "mole", LOW);
    run_tasks();
    return 0;
}
