// SPDX-License-Identifier: MIT
// core.h - what any Cortex-M has: interrupt mask, sleep with SysTick as the alarm, semihosting.
//   given   BOARD_RECEIVE_IRQ (board.h); board_ticks() must count the core clock, as SysTick does
//   makes   core_*() for port/bare
//   bound   one sleep lasts at most 2^24 ticks
//   never   runs a SysTick handler: its pending bit ends WFI while interrupts are masked, so it adds no jitter
#ifndef CORTEX_M_CORE_H
#define CORTEX_M_CORE_H

#include <stdint.h>

#define REGISTER32(address) (*(volatile uint32_t *)(uintptr_t)(address))

#define SYSTICK_CONTROL REGISTER32(0xe000e010u)
#define SYSTICK_RELOAD REGISTER32(0xe000e014u)
#define SYSTICK_VALUE REGISTER32(0xe000e018u)
#define SYSTICK_RUN 0x7u // enable, interrupt, core clock
#define SYSTICK_MAX 0xffffffu
#define NVIC_ENABLE(irq) REGISTER32(0xe000e100u + 4u * ((irq) / 32u))
#define NVIC_PRIORITY(irq) (*(volatile uint8_t *)(uintptr_t)(0xe000e400u + (irq))) // 0: most urgent
#define SCB_INTERRUPT REGISTER32(0xe000ed04u)
#define SCB_CLEAR_SYSTICK (1u << 25)

static inline void core_lock(void)
{
    __asm__ volatile("cpsid i" ::: "memory");
}

static inline void core_unlock(void)
{
    __asm__ volatile("cpsie i" ::: "memory");
}

static inline void core_wait(void)
{
    __asm__ volatile("wfi" ::: "memory");
}

static inline void core_enable(uint32_t irq)
{
    NVIC_ENABLE(irq) = UINT32_C(1) << (irq % 32u);
}

static inline void core_init(void)
{
    core_enable(BOARD_RECEIVE_IRQ);
}

/// With interrupts masked: sleep for `ticks`, less if an interrupt is pending or 2^24 ticks are over.
static inline void core_sleep(uint32_t ticks)
{
    SYSTICK_RELOAD = ticks < SYSTICK_MAX ? ticks : SYSTICK_MAX;
    SYSTICK_VALUE = 0;
    SYSTICK_CONTROL = SYSTICK_RUN;
    core_wait();
    SYSTICK_CONTROL = 0;
    SCB_INTERRUPT = SCB_CLEAR_SYSTICK;
}

static inline uint32_t core_semihost(uint32_t operation, const void *argument)
{
    register uint32_t r0 __asm__("r0") = operation;
    register const void *r1 __asm__("r1") = argument;
    __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
    return r0;
}

#endif
