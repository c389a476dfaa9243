// SPDX-License-Identifier: MIT
// core.h - what a RISC-V core with CLINT and PLIC has: interrupt mask, mtime, sleep with mtimecmp as the alarm.
//   given   BOARD_CLINT, BOARD_PLIC, BOARD_RECEIVE_IRQ (board.h)
//   makes   core_*() and board_ticks() for port/bare
//   bound   a few register accesses each
//   never   runs a timer handler: its pending bit ends WFI while interrupts are masked, so it adds no jitter
#ifndef RISCV_CORE_H
#define RISCV_CORE_H

#include <stdint.h>

#define REGISTER32(address) (*(volatile uint32_t *)(uintptr_t)(address))
#define REGISTER8(address) (*(volatile uint8_t *)(uintptr_t)(address))

#define CLINT_ALARM_LOW REGISTER32(BOARD_CLINT + 0x4000u)
#define CLINT_ALARM_HIGH REGISTER32(BOARD_CLINT + 0x4004u)
#define CLINT_TIME_LOW REGISTER32(BOARD_CLINT + 0xbff8u)
#define CLINT_TIME_HIGH REGISTER32(BOARD_CLINT + 0xbffcu)

#define PLIC_PRIORITY(irq) REGISTER32(BOARD_PLIC + 4u * (irq))
#define PLIC_ENABLE(irq) REGISTER32(BOARD_PLIC + 0x2000u + 4u * ((irq) / 32u))
#define PLIC_THRESHOLD REGISTER32(BOARD_PLIC + 0x200000u)
#define PLIC_CLAIM REGISTER32(BOARD_PLIC + 0x200004u)

#define STATUS_INTERRUPTS 0x8u
#define ENABLE_TIMER 0x80u
#define ENABLE_EXTERNAL 0x800u

static inline void core_lock(void)
{
    __asm__ volatile("csrc mstatus, %0" ::"r"(STATUS_INTERRUPTS) : "memory");
}

static inline void core_unlock(void)
{
    __asm__ volatile("csrs mstatus, %0" ::"r"(STATUS_INTERRUPTS) : "memory");
}

static inline void core_wait(void)
{
    __asm__ volatile("wfi" ::: "memory");
}

static inline void core_init(void)
{
    PLIC_PRIORITY(BOARD_RECEIVE_IRQ) = 1;
    PLIC_ENABLE(BOARD_RECEIVE_IRQ) = UINT32_C(1) << (BOARD_RECEIVE_IRQ % 32u);
    PLIC_THRESHOLD = 0;
    __asm__ volatile("csrs mie, %0" ::"r"(ENABLE_EXTERNAL) : "memory");
}

static inline uint32_t board_ticks(void)
{
    return CLINT_TIME_LOW;
}

/// With interrupts masked: sleep for `ticks`, less if an interrupt is pending.
static inline void core_sleep(uint32_t ticks)
{
    // read again if the upper half has changed meanwhile
    uint32_t high, low;
    do {
        high = CLINT_TIME_HIGH;
        low = CLINT_TIME_LOW;
    } while (high != CLINT_TIME_HIGH);
    const uint64_t alarm = (((uint64_t)high << 32) | low) + ticks;

    // the upper half is at its maximum in between, so that no alarm in the past is set by half a value
    CLINT_ALARM_HIGH = UINT32_MAX;
    CLINT_ALARM_LOW = (uint32_t)alarm;
    CLINT_ALARM_HIGH = (uint32_t)(alarm >> 32);
    __asm__ volatile("csrs mie, %0" ::"r"(ENABLE_TIMER) : "memory");
    core_wait();
    __asm__ volatile("csrc mie, %0" ::"r"(ENABLE_TIMER) : "memory");
}

uint32_t core_semihost(uint32_t operation, const void *argument); // start.S

#endif
