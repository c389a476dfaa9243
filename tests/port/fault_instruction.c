// SPDX-License-Identifier: MIT
// fault_instruction.c - executes an instruction that does not exist. Must end in the fault handler.
#include "tactus/port.h"

int main(void)
{
    port_init();
#ifdef __riscv
    __asm__ volatile("unimp");
#else
    __asm__ volatile("udf #0");
#endif
    return 0;
}
