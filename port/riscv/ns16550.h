// SPDX-License-Identifier: MIT
// ns16550.h - byte channel on a 16550 UART.
//   given   BOARD_UART (board.h)
//   makes   board_*() for port/bare
//   bound   board_send waits for the line; the rest is a few register accesses
//   never   sets the baud rate: the boot loader or the emulator has set it
#ifndef RISCV_NS16550_H
#define RISCV_NS16550_H

#include "riscv/core.h"

#define UART_DATA REGISTER8(BOARD_UART + 0u)
#define UART_INTERRUPT REGISTER8(BOARD_UART + 1u)
#define UART_INTERRUPT_RECEIVE 0x1u
#define UART_FIFO REGISTER8(BOARD_UART + 2u)
#define UART_FIFO_ENABLE 0x1u
#define UART_STATE REGISTER8(BOARD_UART + 5u)
#define UART_RECEIVE_READY 0x1u
#define UART_SEND_EMPTY 0x20u

static inline void board_init(void)
{
    UART_FIFO = UART_FIFO_ENABLE;
}

static inline void board_receive_interrupt(int on)
{
    UART_INTERRUPT = on ? UART_INTERRUPT_RECEIVE : 0u;
}

static inline int board_receive(void)
{
    if (!(UART_STATE & UART_RECEIVE_READY)) return -1;
    return UART_DATA;
}

static inline void board_send(uint8_t byte)
{
    while (!(UART_STATE & UART_SEND_EMPTY)) {}
    UART_DATA = byte;
}

#endif
