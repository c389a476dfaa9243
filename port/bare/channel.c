// SPDX-License-Identifier: MIT
// channel.c - the byte channel of port.h: the receive interrupt fills a ring buffer, port_read() empties it.
//   given   core_lock(), core_unlock(), board_receive(), board_receive_interrupt(), board_send() of board.h
//   makes   port_read, port_write; bare_receive, bare_listen, bare_silent
//   bound   static RING bytes; port_write takes as long as the line needs to send
//   never   loses a byte that the device has accepted: a full ring leaves the next byte in the device
#include "bare/bare.h"
#include "board.h"
#include "tactus/port.h"

#define RING 256u

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

// A byte that came while the interrupt was off does not raise it, so it is fetched here.
void bare_listen(void)
{
    board_receive_interrupt(1);
    bare_receive();
}

int bare_silent(void)
{
    return ring.head == ring.tail;
}

int port_read(void)
{
    if (bare_silent()) return -1;

    const int byte = ring.byte[ring.tail % RING];
    core_lock();
    const int was_full = ring.head - ring.tail == RING;
    ring.tail++;
    if (was_full) bare_listen(); // the handler turns its interrupt off when the ring is full
    core_unlock();
    return byte;
}

void port_write(const uint8_t *bytes, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) board_send(bytes[i]);
}
