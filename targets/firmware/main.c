// SPDX-License-Identifier: MIT
// main.c - the firmware of a rig: the kernel behind the lockstep link. The same source on every board and on POSIX.
//   given   port.h; a host that speaks the link (port/link/README.md)
//   makes   replies to the host's requests, steps among them; between requests it sleeps
//   bound   one request at a time; STEP is at most LINK_MAX_STEPS steps
//   never   allocates: the four objects and the server are static. Before SET_MODEL the world is the bare ground.
#include "link/server.h"
#include "tactus/port.h"

#if defined(__unix__) || defined(__APPLE__)
#include "posix/realtime.h"
#define OPEN_CHANNEL() port_posix_channel(0, 1) // stdin, stdout
#else
#define OPEN_CHANNEL() ((void)0) // port_init() has started the UART
#endif

static tac_model model;
static tac_state state;
static tac_input input;
static tac_work work;
static link_server server;

int main(void)
{
    port_init();
    OPEN_CHANNEL();
    const uint32_t broken = tac_self_test();
    if (broken) { port_panic(tac_promise_name(broken)); }

    tac_model_init(&model);
    if (tac_model_seal(&model, NULL) != TAC_OK || tac_state_init(&model, &state, NULL) != TAC_OK) {
        port_panic("the empty model is refused");
    }

    const link_port port = {port_write, port_read, port_ticks, port_tick_rate()};
    link_server_init(&server, port, &model, &state, &input, &work);
    for (;;) {
        const int byte = port_read();
        if (byte < 0) {
            port_idle();
        } else {
            link_server_byte(&server, (uint8_t)byte);
        }
    }
}
