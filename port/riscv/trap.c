// SPDX-License-Identifier: MIT
// trap.c - the C half of the trap vectors in start.S.
//   given   a trap
//   makes   received bytes (interrupt of the UART) or the report of bare_fault()
//   bound   as bare_receive()
//   never   returns from a fault
#include "bare/bare.h"
#include "board.h"

#define GUARD_BYTES 4096u

extern uint8_t _guard[];

void receive_interrupt(void);
void fault_report(const uint32_t *x);

__attribute__((interrupt)) void receive_interrupt(void)
{
    const uint32_t claim = PLIC_CLAIM;
    bare_receive();
    PLIC_CLAIM = claim;
}

static const char *fault_cause(uint32_t cause, uint32_t address)
{
    static const char *const texts[] = {
        "unaligned jump",   "bad instruction address", "undefined instruction", "breakpoint",
        "unaligned access", "bad data address",        "unaligned access",      "bad data address",
    };

    if (address - (uint32_t)(uintptr_t)_guard < GUARD_BYTES) return "stack overflow";
    return cause < sizeof texts / sizeof texts[0] ? texts[cause] : "unexpected exception";
}

void fault_report(const uint32_t *x)
{
    uint32_t cause, pc, address;
    __asm__ volatile("csrr %0, mcause" : "=r"(cause));
    __asm__ volatile("csrr %0, mepc" : "=r"(pc));
    __asm__ volatile("csrr %0, mtval" : "=r"(address));

    const bare_register list[] = {
        {"mcause", cause}, {"mtval", address}, {"pc", pc},    {"ra", x[1]},  {"sp", x[2]},   {"gp", x[3]},
        {"tp", x[4]},      {"t0", x[5]},       {"t1", x[6]},  {"t2", x[7]},  {"s0", x[8]},   {"s1", x[9]},
        {"a0", x[10]},     {"a1", x[11]},      {"a2", x[12]}, {"a3", x[13]}, {"a4", x[14]},  {"a5", x[15]},
        {"a6", x[16]},     {"a7", x[17]},      {"s2", x[18]}, {"s3", x[19]}, {"s4", x[20]},  {"s5", x[21]},
        {"s6", x[22]},     {"s7", x[23]},      {"s8", x[24]}, {"s9", x[25]}, {"s10", x[26]}, {"s11", x[27]},
        {"t3", x[28]},     {"t4", x[29]},      {"t5", x[30]}, {"t6", x[31]},
    };
    bare_fault(fault_cause(cause, address), list, sizeof list / sizeof list[0]);
}
