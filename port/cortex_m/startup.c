// SPDX-License-Identifier: MIT
// startup.c - reset, vector table, stack guard and fault handler of a Cortex-M3, M4 or M7.
//   given   the symbols of port/cortex_m/sections.ld
//   makes   a call of bare_start(); on a fault the report of bare_fault()
//   bound   the guard is GUARD_BYTES of address space below the stack
//   never   lets a stack overflow, an unaligned access or a division by zero pass unseen
#include "bare/bare.h"
#include "board.h"

#define SCB_CONFIGURATION REGISTER32(0xe000ed14u)
#define TRAP_UNALIGNED (1u << 3)
#define TRAP_DIVISION (1u << 4)
#define SCB_HANDLERS REGISTER32(0xe000ed24u)
#define ENABLE_USAGE_BUS_MEMORY (7u << 16)
#define SCB_FAULT REGISTER32(0xe000ed28u)
#define FAULT_MEMORY 0x00ffu
#define FAULT_MEMORY_DATA 0x0002u
#define FAULT_MEMORY_STACKING 0x0038u
#define FAULT_NO_FRAME 0x3030u // stacking failed, of the core's or of the FPU's registers
#define SCB_HARD_FAULT REGISTER32(0xe000ed2cu)
#define SCB_MEMORY_ADDRESS REGISTER32(0xe000ed34u)
#define SCB_BUS_ADDRESS REGISTER32(0xe000ed38u)
#define SCB_COPROCESSORS REGISTER32(0xe000ed88u)
#define ENABLE_FPU (0xfu << 20)
#define MPU_CONTROL REGISTER32(0xe000ed94u)
#define MPU_ENABLE_WITH_DEFAULT_MAP 5u
#define MPU_NUMBER REGISTER32(0xe000ed98u)
#define MPU_ADDRESS REGISTER32(0xe000ed9cu)
#define MPU_ATTRIBUTES REGISTER32(0xe000eda0u)
#define NO_ACCESS_4K ((11u << 1) | 1u)
#define GUARD_BYTES 4096u

typedef void (*vector)(void);
extern uint8_t _stack_top[], _guard[];

static void guard_stack(void)
{
    MPU_NUMBER = 0;
    MPU_ADDRESS = (uint32_t)(uintptr_t)_guard;
    MPU_ATTRIBUTES = NO_ACCESS_4K;
    MPU_CONTROL = MPU_ENABLE_WITH_DEFAULT_MAP;
    __asm__ volatile("dsb\n isb" ::: "memory");
}

void reset(void);
void reset(void)
{
    core_lock();
#ifdef __ARM_FP
    SCB_COPROCESSORS |= ENABLE_FPU;
    __asm__ volatile("dsb\n isb" ::: "memory");
#endif
    SCB_CONFIGURATION |= TRAP_UNALIGNED | TRAP_DIVISION;
    SCB_HANDLERS |= ENABLE_USAGE_BUS_MEMORY;
    guard_stack();
    bare_start();
}

// Returns 1 if the fault is an access to the stack guard: by the core saving or restoring registers, or by the program.
static int guard_hit(uint32_t fault)
{
    const uint32_t offset = SCB_MEMORY_ADDRESS - (uint32_t)(uintptr_t)_guard;
    return (fault & FAULT_MEMORY_STACKING) || ((fault & FAULT_MEMORY_DATA) && offset < GUARD_BYTES);
}

// The first bit that is set names the cause.
static const char *fault_cause(uint32_t fault, uint32_t exception)
{
    static const struct {
        uint32_t bit;
        const char *text;
    } causes[] = {
        {1u << 0, "execution of protected memory"},
        {1u << 1, "access to protected memory"},
        {1u << 8, "bad instruction address"},
        {1u << 9, "bad data address"},
        {1u << 10, "bad data address (imprecise)"},
        {1u << 16, "undefined instruction"},
        {1u << 17, "jump without the Thumb bit"},
        {1u << 18, "bad exception return"},
        {1u << 19, "no such coprocessor"},
        {1u << 24, "unaligned access"},
        {1u << 25, "division by zero"},
        {FAULT_NO_FRAME, "no stack to save registers on"},
    };

    if (guard_hit(fault)) return "stack overflow";
    for (unsigned i = 0; i < sizeof causes / sizeof causes[0]; i++) {
        if (fault & causes[i].bit) return causes[i].text;
    }
    return exception == 3 ? "hard fault" : "unexpected exception";
}

// `frame` has r0-r3, r12, lr, pc, xpsr, saved by the core; `saved` has r4-r11, saved by fault_entry().
__attribute__((used)) static void fault_report(const uint32_t *frame, const uint32_t *saved)
{
    uint32_t exception;
    __asm__ volatile("mrs %0, ipsr" : "=r"(exception));
    MPU_CONTROL = 0; // the frame may lie in the guard

    const uint32_t fault = SCB_FAULT;
    const uint32_t address = fault & FAULT_MEMORY ? SCB_MEMORY_ADDRESS : SCB_BUS_ADDRESS;
    const char *cause = fault_cause(fault, exception);
    if (fault & FAULT_NO_FRAME) {
        const bare_register list[] = {
            {"exception", exception},           {"cfsr", fault}, {"hfsr", SCB_HARD_FAULT}, {"address", address},
            {"sp", (uint32_t)(uintptr_t)frame},
        };
        bare_fault(cause, list, sizeof list / sizeof list[0]);
    }
    const bare_register list[] = {
        {"exception", exception},
        {"cfsr", fault},
        {"hfsr", SCB_HARD_FAULT},
        {"address", address},
        {"pc", frame[6]},
        {"lr", frame[5]},
        {"sp", (uint32_t)(uintptr_t)frame},
        {"xpsr", frame[7]},
        {"r0", frame[0]},
        {"r1", frame[1]},
        {"r2", frame[2]},
        {"r3", frame[3]},
        {"r4", saved[0]},
        {"r5", saved[1]},
        {"r6", saved[2]},
        {"r7", saved[3]},
        {"r8", saved[4]},
        {"r9", saved[5]},
        {"r10", saved[6]},
        {"r11", saved[7]},
        {"r12", frame[4]},
    };
    bare_fault(cause, list, sizeof list / sizeof list[0]);
}

// The core has saved its frame on the stack in use: the main stack or, under an operating system, that of a task.
// Either may be full, so the handler switches to the fault stack.
__attribute__((naked)) static void fault_entry(void)
{
    __asm__ volatile("tst lr, #4\n"
                     "ite eq\n"
                     "mrseq r0, msp\n"
                     "mrsne r0, psp\n"
                     "ldr r1, =_fault_stack_top\n"
                     "mov sp, r1\n"
                     "push {r4-r11}\n"
                     "mov r1, sp\n"
                     "b fault_report\n"
                     ".ltorg\n");
}

#define FIRST_IRQ 16

// Handlers that an operating system defines. Without one these exceptions are reported as faults.
void SVC_Handler(void) __attribute__((weak, alias("fault_entry")));
void PendSV_Handler(void) __attribute__((weak, alias("fault_entry")));
void SysTick_Handler(void) __attribute__((weak, alias("fault_entry")));
void Alarm_Handler(void) __attribute__((weak, alias("fault_entry")));

// Every other exception of the core is reported as a fault. Of the devices' interrupts only those of receiver and alarm
// are ever enabled.
__attribute__((section(".vectors"), used)) static const vector vectors[] = {
    (vector)(uintptr_t)_stack_top,
    reset,
    fault_entry,
    fault_entry,
    fault_entry,
    fault_entry,
    fault_entry,
    fault_entry,
    fault_entry,
    fault_entry,
    fault_entry,
    SVC_Handler,
    fault_entry,
    fault_entry,
    PendSV_Handler,
    SysTick_Handler,
    [FIRST_IRQ + BOARD_RECEIVE_IRQ] = bare_receive,
#ifdef BOARD_ALARM_IRQ
    [FIRST_IRQ + BOARD_ALARM_IRQ] = Alarm_Handler,
#endif
};
