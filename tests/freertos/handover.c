// SPDX-License-Identifier: MIT
// handover.c - snapshots that one task puts and one below it takes: whole, the newest, and still until the next take.
#include "handover.h"
#include "tap.h"
#include "tasks.h"
#include "bare/bare.h"

#define PUTS 4000u
#define RATE 10000u // Hz

static handover snapshot;
static tac_state live; // of the putter; number n is made of bytes n
static volatile uint32_t number;
static uint32_t cheapest = UINT32_MAX; // put, ticks

static int is_whole(const tac_state *s)
{
    const uint8_t *byte = (const uint8_t *)s;
    for (unsigned i = 1; i < sizeof *s; i++) {
        if (byte[i] != byte[0]) return 0;
    }
    return 1;
}

static uint8_t number_of(const tac_state *s)
{
    return *(const uint8_t *)s;
}

static void putter(void *parameters)
{
    uint32_t release = port_ticks();

    (void)parameters;
    while (number < PUTS) {
        port_wait_until(release += port_tick_rate() / RATE);
        memset(&live, (int)((number + 1) % 256), sizeof live);
        const uint32_t begun = port_ticks();
        handover_put(&snapshot, &live);
        const uint32_t ticks = port_ticks() - begun;
        if (ticks < cheapest) cheapest = ticks;
        number++;
    }
    vTaskSuspend(NULL);
}

static void taker(void *parameters)
{
    unsigned taken = 0, torn = 0, old = 0, moved = 0, changed = 0, torn_copies = 0;

    (void)parameters;
    while (number < PUTS) {
        const uint32_t before = number;
        const tac_state *s = handover_take(&snapshot);
        const uint32_t after = number;
        const uint8_t first = number_of(s);
        if ((uint8_t)(first - before) > after - before) old++; // a put may come in between
        if (!is_whole(s)) torn++;
        const uint32_t then = number;
        while (number < then + 3 && number < PUTS) {} // three puts later
        if (!is_whole(s)) moved++;
        if (number_of(s) != first) changed++;
        taken++;

        // what a plain copy would give, begun at any phase of the putter
        const uint32_t begun = port_ticks();
        while (port_ticks() - begun < taken * 997 % (port_tick_rate() / RATE)) {}
        static tac_state copy;
        copy = live;
        if (!is_whole(&copy)) torn_copies++;
    }
    tap_least(taken, PUTS / 8, "snapshots are taken");
    tap_equal(torn, 0, "none is torn");
    tap_equal(old, 0, "each is the newest");
    tap_equal(moved + changed, 0, "it stays as it is while three more are put");
    tap_least(torn_copies, 1, "plain copies are torn: the test can tell");
    tap_note("taken:", taken);
    tap_note("plain copies torn:", torn_copies);
    tap_note("bytes of a state:", sizeof live);
    tap_note("ticks of a put:", cheapest);
    port_exit(tap_done());
}

int main(void)
{
    port_init();
    handover_start(&snapshot, &live);
    spawn(putter, "putter", HIGH);
    spawn(taker, "taker", LOW);
    run_tasks();
    return 1;
}
