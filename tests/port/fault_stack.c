// SPDX-License-Identifier: MIT
// fault_stack.c - recurses until the stack is spent. Must end in the fault handler, before any other data is harmed.
#include "tactus/port.h"

#define ENDLESS 1000000u

static uint32_t dig(volatile uint32_t *above, uint32_t depth)
{
    volatile uint32_t frame[16];
    frame[depth % 16] = *above + 1;
    if (depth == ENDLESS) return 0;
    return dig(&frame[depth % 16], depth + 1) + frame[0];
}

int main(void)
{
    volatile uint32_t top = 0;
    port_init();
    dig(&top, 0);
    return 0;
}
