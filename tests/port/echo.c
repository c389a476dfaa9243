// SPDX-License-Identifier: MIT
// echo.c - sends each byte back, plus one, until a zero comes. Looks away first, so that bytes pile up.
#include "tactus/port.h"

int main(void)
{
    port_init();
    port_log("listening");
    port_wait_until(port_ticks() + port_tick_rate() / 10);
    for (;;) {
        const int byte = port_read();
        if (byte == 0) return 0;
        if (byte > 0) {
            const uint8_t answer = (uint8_t)(byte + 1);
            port_write(&answer, 1);
        } else {
            port_idle();
        }
    }
}
