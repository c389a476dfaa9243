// SPDX-License-Identifier: MIT
// clock.c - the clock of port.h: the board's counter.
//   given   board_ticks(), BOARD_TICK_RATE of board.h
//   makes   port_ticks, port_tick_rate
//   bound   one reading
//   never   counts by an interrupt
#include "board.h"
#include "tactus/port.h"

uint32_t port_ticks(void)
{
    return board_ticks();
}

uint32_t port_tick_rate(void)
{
    return BOARD_TICK_RATE;
}
