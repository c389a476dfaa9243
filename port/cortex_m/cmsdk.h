// SPDX-License-Identifier: MIT
// cmsdk.h - clock and byte channel on the timer and the UART of Arm's Cortex-M System Design Kit.
//   given   BOARD_TIMER, BOARD_ALARM, BOARD_UART, BOARD_BAUD_DIVIDER (board.h); the timers count the core clock
//   makes   board_*() for port/bare
//   bound   board_send waits for the line; the rest is a few register accesses
//   never   buffers: the device holds one byte each way
#ifndef CORTEX_M_CMSDK_H
#define CORTEX_M_CMSDK_H

#include "cortex_m/core.h"

#define TIMER_CONTROL REGISTER32(BOARD_TIMER + 0x0u)
#define TIMER_VALUE REGISTER32(BOARD_TIMER + 0x4u) // counts down
#define TIMER_RELOAD REGISTER32(BOARD_TIMER + 0x8u)

#define ALARM_CONTROL REGISTER32(BOARD_ALARM + 0x0u)
#define ALARM_VALUE REGISTER32(BOARD_ALARM + 0x4u)
#define ALARM_RELOAD REGISTER32(BOARD_ALARM + 0x8u)
#define ALARM_INTERRUPT REGISTER32(BOARD_ALARM + 0xcu)
#define ALARM_RUN 0x9u // enable, interrupt

#define UART_DATA REGISTER32(BOARD_UART + 0x0u)
#define UART_STATE REGISTER32(BOARD_UART + 0x4u)
#define UART_SEND_FULL 0x1u
#define UART_RECEIVE_FULL 0x2u
#define UART_CONTROL REGISTER32(BOARD_UART + 0x8u)
#define UART_SEND_ENABLE 0x1u
#define UART_RECEIVE_ENABLE 0x2u
#define UART_RECEIVE_INTERRUPT 0x8u
#define UART_INTERRUPT REGISTER32(BOARD_UART + 0xcu)
#define UART_INTERRUPT_RECEIVE 0x2u
#define UART_DIVIDER REGISTER32(BOARD_UART + 0x10u)

static inline void board_init(void)
{
    TIMER_RELOAD = UINT32_MAX;
    TIMER_VALUE = UINT32_MAX;
    TIMER_CONTROL = 1u;
    UART_DIVIDER = BOARD_BAUD_DIVIDER;
    UART_CONTROL = UART_SEND_ENABLE | UART_RECEIVE_ENABLE;
}

// The timer counts down, and from 0 to UINT32_MAX, so its complement counts up modulo 2^32.
static inline uint32_t board_ticks(void)
{
    return ~TIMER_VALUE;
}

// Raise the alarm's interrupt once, when board_ticks() reaches `deadline`, or at once if that has passed. Replaces an
// alarm that is set. These timers have no compare register, so the alarm counts down the remaining ticks. Interrupts
// are masked meanwhile: one between reading the clock and starting the timer would make the alarm late.
static inline void board_alarm(uint32_t deadline)
{
    ALARM_CONTROL = 0;
    ALARM_RELOAD = 0; // stop at 0
    core_lock();
    const int32_t left = (int32_t)(deadline - board_ticks());
    ALARM_VALUE = left > 0 ? (uint32_t)left : 1u;
    ALARM_CONTROL = ALARM_RUN;
    core_unlock();
}

static inline void board_alarm_clear(void)
{
    ALARM_INTERRUPT = 1u;
}

// Clearing the enable bit leaves a pending interrupt pending, so that is cleared explicitly.
static inline void board_receive_interrupt(int on)
{
    UART_INTERRUPT = UART_INTERRUPT_RECEIVE;
    UART_CONTROL = UART_SEND_ENABLE | UART_RECEIVE_ENABLE | (on ? UART_RECEIVE_INTERRUPT : 0u);
}

// The interrupt is cleared before the byte is read: reading makes room for the next byte, which raises it again.
static inline int board_receive(void)
{
    UART_INTERRUPT = UART_INTERRUPT_RECEIVE;
    if (!(UART_STATE & UART_RECEIVE_FULL)) return -1;
    return (int)(UART_DATA & 0xffu);
}

static inline void board_send(uint8_t byte)
{
    while (UART_STATE & UART_SEND_FULL) {}
    UART_DATA = byte;
}

#endif
