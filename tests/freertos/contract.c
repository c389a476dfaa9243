// SPDX-License-Identifier: MIT
// contract.c - does the port for FreeRTOS keep the contract of port.h? The test of every board, run by a task.
int contract(void);
#define main contract
#include "../port/board.c"
#undef main
#include "tasks.h"

static void task(void *parameters)
{
    (void)parameters;
    port_exit(contract());
}

int main(void)
{
    port_init();
    const uint32_t deadline = port_ticks() + 1000;
    port_wait_until(deadline);
    tap_ok((int32_t)(port_ticks() - deadline) >= 0, "before the scheduler a wait is whole");
    port_idle();
    tap_ok(1, "before the scheduler idling comes back");
    spawn(task, "contract", LOW);
    run_tasks();
    return 1;
}
