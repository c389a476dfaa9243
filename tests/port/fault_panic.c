// SPDX-License-Identifier: MIT
// fault_panic.c - gives up by itself. Must end with code 98.
#include "tactus/port.h"

int main(void)
{
    port_init();
    port_panic("no way on");
    return 0;
}
