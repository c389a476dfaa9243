// SPDX-License-Identifier: MIT
// bare.h - what the parts of a bare-metal port give to each other. Applications see port.h only.
//   given   board.h: addresses, clock rate, and the headers of the core and the devices (port/README.md, "A new board")
//   makes   start, receive interrupt, fault report; memcpy and its kin
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

/// Called by the reset code once there is a stack and, if the core has one, an FPU: .data, .bss, main(), port_exit().
void bare_start(void);

/// Interrupt handler of the receiver: moves what has arrived into the ring that port_read() empties.
void bare_receive(void);

/// With interrupts masked: turn the receiver's interrupt on.
void bare_listen(void);

/// Whether port_read() has no byte to give.
int bare_silent(void);

/// Interrupt handler of the alarm: of the port of an operating system. Bare metal sets no alarm.
void Alarm_Handler(void);

/// Show "FAULT: cause" and the registers, then end with code 99. Runs on the fault stack.
void bare_fault(const char *cause, const bare_register *list, unsigned count);

// What gcc and clang may call even in freestanding code.
void *memcpy(void *restrict to, const void *restrict from, size_t count);
void *memmove(void *to, const void *from, size_t count);
void *memset(void *to, int value, size_t count);
int memcmp(const void *a, const void *b, size_t count);

#endif
