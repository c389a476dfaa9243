// SPDX-License-Identifier: MIT
// port.c - port.h for WebAssembly without imports, as far as a test program asks for it: a log that the page or node
// reads at the end.
//   given   an exported memory
//   makes   port_text(): what port_log() has shown, line by line, ended by a zero
//   bound   PORT_TEXT bytes; lines beyond them are cut
//   never   imports anything: without a clock and a channel the time is 0 and nothing arrives
#include "tactus/port.h"

#define PORT_TEXT 65536

static char text[PORT_TEXT];
static uint32_t used;

const char *port_text(void);
const char *port_text(void)
{
    return text;
}

static void put(char c)
{
    if (used + 1 < PORT_TEXT) text[used++] = c;
}

void port_log(const char *line)
{
    while (*line != '\0') put(*line++);
    put('\n');
}

void port_exit(int code)
{
    (void)code;
    __builtin_trap();
}

void port_panic(const char *line)
{
    port_log(line);
    port_exit(98);
}

void port_init(void)
{
}

uint32_t port_ticks(void)
{
    return 0;
}

uint32_t port_tick_rate(void)
{
    return 1;
}

void port_wait_until(uint32_t deadline)
{
    (void)deadline;
}

int port_read(void)
{
    return -1;
}

void port_write(const uint8_t *bytes, uint32_t count)
{
    (void)bytes;
    (void)count;
}

void port_idle(void)
{
}
