// SPDX-License-Identifier: MIT
// posix.c - the byte channel and the real-time switch of the POSIX port. Host only.
#define _POSIX_C_SOURCE 200809L

#include "posix/realtime.h"
#include "tactus/port.h"
#include "tap.h"
#include <unistd.h>

#define FLOOD 20000u // more than a pipe holds in one piece, less than it holds at all

static int in[2], out[2]; // pipes to and from the port

static void channel_tests(void)
{
    static const uint8_t message[] = {1, 0, 255, 13, 10};
    uint8_t back[sizeof message];

    tap_ok(write(in[1], message, sizeof message) == (ssize_t)sizeof message, "bytes go in");
    int wrong = 0;
    for (unsigned i = 0; i < sizeof message; i++) wrong += port_read() != message[i];
    tap_equal(wrong, 0, "all 256 values are bytes, in order");
    tap_equal(port_read(), -1, "then there is none");

    port_write(message, sizeof message);
    tap_ok(read(out[0], back, sizeof back) == (ssize_t)sizeof back && back[2] == 255, "bytes come out");

    static uint8_t flood[FLOOD];
    uint32_t read_back = 0;
    for (uint32_t i = 0; i < FLOOD; i++) flood[i] = (uint8_t)(i * 7);
    if (write(in[1], flood, FLOOD) != (ssize_t)FLOOD) return;
    while (read_back < FLOOD && port_read() == flood[read_back]) read_back++;
    tap_equal(read_back, FLOOD, "more than the buffer holds comes in order");
}

static void closed_tests(void)
{
    close(in[1]);
    port_idle();
    tap_ok(port_read() == -1 && port_read() == -1, "a closed channel has no more bytes");
    port_idle();
    tap_ok(1, "idling on a closed channel comes back");

    close(out[0]);
    port_write((const uint8_t *)"x", 1);
    port_write((const uint8_t *)"y", 1);
    tap_ok(1, "writing to a closed channel is not fatal");
}

int main(void)
{
    port_init();
    tap_equal(port_read(), -1, "without a channel there is no byte");
    port_write((const uint8_t *)"x", 1);
    tap_ok(1, "without a channel writing comes back");

    if (pipe(in) != 0 || pipe(out) != 0) port_panic("no pipes");
    port_posix_channel(in[0], out[1]);
    channel_tests();
    closed_tests();
    tap_ok(port_realtime(-1) != NULL, "a priority that does not exist is refused by name");
    return tap_done();
}
