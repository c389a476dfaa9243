// SPDX-License-Identifier: MIT
// port.c - the clock and the byte channel of port.h for a core without an operating system.
//   given   core_*() and board_*() of board.h: port/README.md, "A new board"
//   makes   port_init, port_ticks, port_tick_rate, port_wait_until, port_idle, port_read, port_write
//   bound   static RING bytes; port_write takes as long as the line does
//   never   loses a byte that the device has accepted: a full ring leaves the next byte in the device
#include "bare/bare.h"
#include "board.h"
#include "tactus/port.h"

#define RING 256u
#define IDLES_A_SECOND 1000u

// Bytes that have arrived. `head` is written by the interrupt, `tail` by port_read(); their difference is the fill.
static struct {
    uint8_t byte[RING];
    volatile uint32_t head, tail;
} ring;

void bare_receive(void)
{
    while (ring.head - ring.tail < RING) {
        const int byte = board_receive();
        if (byte < 0) return;
        ring.byte[ring.head % RING] = (uint8_t)byte;
        ring.head++;
    }
    board_receive_interrupt(0);
}

// With interrupts masked. A byte that came while the interrupt was off raises none, so fetch it here.
static void listen(void)
{
    board_receive_interrupt(1);
    bare_receive();
}

void port_init(void)
{
    board_init();
    core_init();
    listen();
    core_unlock();
}

uint32_t port_ticks(void)
{
    return board_ticks();
}

uint32_t port_tick_rate(void)
{
    return BOARD_TICK_RATE;
}

// The lock makes test and sleep one: an interrupt that comes between them stays pending and ends the sleep at once.
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
    if (ring.head == ring.tail) core_sleep(BOARD_TICK_RATE / IDLES_A_SECOND);
    core_unlock();
}

int port_read(void)
{
    if (ring.head == ring.tail) return -1;

    const int byte = ring.byte[ring.tail % RING];
    core_lock();
    const int was_full = ring.head - ring.tail == RING;
    ring.tail++;
    if (was_full) listen(); // the interrupt may have shut itself off
    core_unlock();
    return byte;
}

void port_write(const uint8_t *bytes, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) board_send(bytes[i]);
}
