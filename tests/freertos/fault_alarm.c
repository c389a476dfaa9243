// SPDX-License-Identifier: MIT
// fault_alarm.c - two tasks sleep on the one alarm. Must end in the port's panic, not in a sleep without end.
#include "tasks.h"

static void task(void *parameters)
{
    (void)parameters;
    port_wait_until(port_ticks() + port_tick_rate() / 10);
    port_exit(0);
}

int main(void)
{
    port_init();
    spawn(task, "first", HIGH);
    spawn(task, "second", LOW);
    run_tasks();
    return 0;
}
