// SPDX-License-Identifier: MIT
// fault_unaligned.c - reads a word from an odd address. Must end in the fault handler of a Cortex-M.
#include "tactus/port.h"

static uint32_t words[2];
static volatile uintptr_t odd; // volatile: the compiler must not see that it is odd
static volatile uint32_t result;

int main(void)
{
    port_init();
    odd = (uintptr_t)words + 1;
    result = *(volatile uint32_t *)odd;
    return 0;
}
