// SPDX-License-Identifier: MIT
// semihost.c - log, exit and fault report by semihosting: an emulator or a debugger prints text and ends the program.
//   given   core_semihost(): the trap that the debugger answers
//   makes   port_log, port_exit, port_panic, and the report of a fault
//   bound   one trap a line
//   never   works without a debugger: a board that runs alone replaces this file
#include "bare/bare.h"
#include "board.h"
#include "tactus/port.h"

#define SYS_WRITE0 0x04u
#define SYS_EXIT_EXTENDED 0x20u
#define STOPPED_BY_APPLICATION 0x20026u

#define EXIT_PANIC 98
#define EXIT_FAULT 99
#define REGISTERS_A_LINE 4u

void port_log(const char *text)
{
    core_semihost(SYS_WRITE0, text);
    core_semihost(SYS_WRITE0, "\n");
}

void port_exit(int code)
{
    const uint32_t block[2] = {STOPPED_BY_APPLICATION, (uint32_t)code};

    core_lock();
    core_semihost(SYS_EXIT_EXTENDED, block);
    for (;;) core_wait();
}

void port_panic(const char *text)
{
    core_semihost(SYS_WRITE0, "PANIC: ");
    port_log(text);
    port_exit(EXIT_PANIC);
}

static char *put_text(char *at, const char *text)
{
    while (*text) *at++ = *text++;
    return at;
}

static char *put_hex(char *at, uint32_t value)
{
    for (unsigned shift = 32; shift > 0; shift -= 4) *at++ = "0123456789abcdef"[(value >> (shift - 4)) & 15u];
    return at;
}

void bare_fault(const char *cause, const bare_register *list, unsigned count)
{
    core_semihost(SYS_WRITE0, "FAULT: ");
    port_log(cause);

    char line[96];
    char *at = line;
    for (unsigned i = 0; i < count; i++) {
        at = put_text(at, "  ");
        at = put_text(at, list[i].name);
        at = put_text(at, " ");
        at = put_hex(at, list[i].value);
        if (i % REGISTERS_A_LINE == REGISTERS_A_LINE - 1 || i == count - 1) {
            *at = '\0';
            port_log(line);
            at = line;
        }
    }
    port_exit(EXIT_FAULT);
}
