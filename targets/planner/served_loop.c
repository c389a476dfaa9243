// SPDX-License-Identifier: MIT
// served_loop.c - control and planner behind the link, in one loop: on every board without an operating system, and on
// POSIX.
//   given   port.h; host.c on the other side
//   makes   commands for what the host measures
//   bound   a period: control, and so many steps of roll-outs as loop.h says
//   never   takes a byte while it plans, so that a period has the same bits however fast the host is
#include "loop.h"
#include "served.h"
#include "tactus/port.h"

#if defined(__unix__) || defined(__APPLE__)
#include "posix/realtime.h"
#define OPEN_CHANNEL() port_posix_channel(0, 1) // stdin, stdout
#else
#define OPEN_CHANNEL() ((void)0) // port_init() has started the UART
#endif

int main(void)
{
    port_init();
    OPEN_CHANNEL();
    const uint32_t broken = tac_self_test();
    if (broken) port_panic(tac_promise_name(broken));
    served_start();
    for (;;) {
        const int byte = port_read();
        if (byte < 0) {
            port_idle();
        } else if (served_byte((uint8_t)byte)) {
            served_control();
            search(LOOP_STEPS);
        }
    }
}
