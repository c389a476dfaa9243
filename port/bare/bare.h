// SPDX-License-Identifier: MIT
// bare.h - the interface between the parts of a bare-metal port. Applications use port.h only.
//   given   board.h: addresses, clock rate, and the headers of the core and the devices (port/README.md, "A new board")
//   makes   start, receive interrupt, fault report; memcpy, memmove, memset, memcmp
//   bound   the report prints one line for every four registers
//   never   uses a C library
#ifndef BARE_H
#define BARE_H

#include <stddef.h>
#include <stdint.h>

/// A register in a fault report.
typedef struct bare_register {
    const char *name;
    uint32_t value;
} bare_register;

/// Called by the reset code when the stack is set and the FPU, if there is one, is on. Copies .data, clears .bss, calls
/// main() and passes its result to port_exit().
void bare_start(void);

/// Interrupt handler of the receiver: moves received bytes into the ring buffer that port_read() empties.
void bare_receive(void);

/// Turn the receiver's interrupt on. To be called with interrupts masked.
void bare_listen(void);

/// Returns 1 if no received byte waits for port_read().
int bare_silent(void);

/// Interrupt handler of the alarm timer, defined by the port of an operating system. Bare metal does not use that
/// timer.
void Alarm_Handler(void);

/// Show "FAULT: cause" and the registers, then end with code 99. Runs on the fault stack.
void bare_fault(const char *cause, const bare_register *list, unsigned count);

// gcc and clang may call these even in freestanding code.
void *memcpy(void *restrict to, const void *restrict from, size_t count);
void *memmove(void *to, const void *from, size_t count);
void *memset(void *to, int value, size_t count);
int memcmp(const void *a, const void *b, size_t count);

#endif
