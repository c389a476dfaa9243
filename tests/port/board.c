// SPDX-License-Identifier: MIT
// board.c - does the port keep its contract on this machine? Runs on every board and on the host.
#include "tap.h"
#include "tactus/port.h"

#define LOOK 100000 // most readings of the clock until it must have moved

static void clock_tests(void)
{
    const uint32_t rate = port_tick_rate();
    tap_ok(rate >= 1000, "the clock ticks at least once a millisecond");

    const uint32_t start = port_ticks();
    unsigned looks = 0;
    while (port_ticks() == start && looks < LOOK) looks++;
    tap_ok(looks < LOOK, "the clock advances");

    int backward = 0;
    uint32_t last = port_ticks();
    for (unsigned i = 0; i < LOOK; i++) {
        const uint32_t now = port_ticks();
        if ((int32_t)(now - last) < 0) backward++;
        last = now;
    }
    tap_equal(backward, 0, "the clock never goes back");
}

static void wait_tests(void)
{
    static const uint32_t divisor[] = {100000, 10000, 1000, 100, 20};
    int early = 0;

    for (unsigned i = 0; i < sizeof divisor / sizeof divisor[0]; i++) {
        for (unsigned k = 0; k < 5; k++) {
            const uint32_t deadline = port_ticks() + port_tick_rate() / divisor[i];
            port_wait_until(deadline);
            if ((int32_t)(port_ticks() - deadline) < 0) early++;
        }
    }
    tap_equal(early, 0, "waiting never ends early");

    for (uint32_t ahead = 0; ahead < 100; ahead++) port_wait_until(port_ticks() + ahead);
    tap_ok(1, "waiting for a moment that is about to pass comes back");

    port_wait_until(port_ticks() - 1);
    port_wait_until(port_ticks() - port_tick_rate());
    tap_ok(1, "waiting for the past comes back");

    // the alarm of a core may be shorter than the clock: 2^24 ticks on a Cortex-M, 0.67 s at 25 MHz
    const uint32_t start = port_ticks();
    const uint32_t wait = UINT32_C(0x1000000) + 1000;
    if (wait / port_tick_rate() < 2) {
        port_wait_until(start + wait);
        tap_ok(port_ticks() - start >= wait, "a wait longer than 24 bits is whole");
    }
}

static void channel_tests(void)
{
    tap_equal(port_read(), -1, "a silent channel gives no byte");
    for (unsigned i = 0; i < 3; i++) port_idle();
    tap_ok(1, "idling on a silent channel comes back");
    port_write((const uint8_t *)"ok\n", 3);
    tap_ok(1, "writing to a channel that no one reads comes back");
}

static void arithmetic_tests(void)
{
    volatile float f = 2.0f;
    volatile double d = 2.0;
    volatile int32_t n = -7;
    const float f3 = f * 1.5f;
    const double d3 = d * 1.5;

    tap_ok(f3 == 3.0f && f / 8.0f == 0.25f && f - f3 == -1.0f, "float works");
    tap_ok(d3 == 3.0 && d / 8.0 == 0.25 && d - d3 == -1.0, "double works");
    tap_ok((float)n == -7.0f && (int32_t)(float)d == 2 && n / 2 == -3, "conversions work");
    volatile float tiny = 1.17549435e-38f;
    tap_ok(tiny / 2.0f > 0.0f && tiny / 2.0f * 2.0f == tiny, "subnormal numbers are kept");
}

static uint32_t initialised = 0x12345678u;
static uint32_t zeroed[3];

int main(void)
{
    port_init();
    tap_ok(initialised == 0x12345678u, "initialised data has its values");
    tap_ok(zeroed[0] == 0 && zeroed[1] == 0 && zeroed[2] == 0, "other data is zero");
    clock_tests();
    wait_tests();
    channel_tests();
    arithmetic_tests();
    return tap_done();
}
