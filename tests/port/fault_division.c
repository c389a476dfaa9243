// SPDX-License-Identifier: MIT
// fault_division.c - divides by zero. Must end in the fault handler of a Cortex-M.
#include "tactus/port.h"

static volatile int seven = 7, zero;
static volatile int result;

int main(void)
{
    port_init();
    result = seven / zero;
    return 0;
}
