// SPDX-License-Identifier: MIT
// fault_address.c - reads where there is no memory. Must end in the fault handler.
#include "tactus/port.h"

#ifdef __riscv
#define NOWHERE 0x90000000u
#else
#define NOWHERE 0xf0000000u
#endif

static volatile uint32_t result;

int main(void)
{
    port_init();
    result = *(volatile uint32_t *)(uintptr_t)NOWHERE;
    return 0;
}
