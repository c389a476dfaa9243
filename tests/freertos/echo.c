// SPDX-License-Identifier: MIT
// echo.c - tests/port/echo.c as a task of FreeRTOS. Driven by tests/port/channel.t.
int echo(void);
#define main echo
#include "../port/echo.c"
#undef main
#include "tasks.h"

static void task(void *parameters)
{
    (void)parameters;
    port_exit(echo());
}

int main(void)
{
    port_init();
    spawn(task, "echo", LOW);
    run_tasks();
    return 1;
}
