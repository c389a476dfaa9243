// SPDX-License-Identifier: MIT
// port.c - start and sleep of port.h for a core without an operating system.
//   given   core_*() and board_*() of board.h: port/README.md, "A new board"; the channel beside this file
//   makes   port_init, port_wait_until, port_idle
//   bound   an idle lasts at most 1/IDLES_A_SECOND
//   never   needs a handler to wake up: a pending interrupt ends WFI although interrupts are masked
#include "bare/bare.h"
#include "board.h"
#include "tactus/port.h"

#define IDLES_A_SECOND 1000u

void port_init(void)
{
    board_init();
    core_init();
    bare_listen();
    core_unlock();
}

// Interrupts are masked from the test to the sleep: one that arrives in between stays pending, and so ends the sleep at
// once.
void port_wait_until(uint32_t deadline)
{
    for (;;) {
        core_lock();
        const int32_t left = (int32_t)(deadline - board_ticks());
        if (left > 0) core_sleep((uint32_t)left);
        core_unlock();
        if (left <= 0) return;
    }
}

void port_idle(void)
{
    core_lock();
    if (bare_silent()) core_sleep(BOARD_TICK_RATE / IDLES_A_SECOND);
    core_unlock();
}
