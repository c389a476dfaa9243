// SPDX-License-Identifier: MIT
// start.c - from reset to main().
//   given   a stack, an enabled FPU, the symbols of the linker script
//   makes   initialised .data and .bss, then a call of main(), whose result is the exit code
//   bound   one pass over .data and .bss
//   never   returns
#include "bare/bare.h"
#include "tactus/port.h"

extern uint8_t _data[], _data_end[], _data_load[], _bss[], _bss_end[];
int main(void);

void bare_start(void)
{
    // in a program that is loaded into RAM, .data is in its place already and is copied onto itself
    memcpy(_data, _data_load, (size_t)(_data_end - _data));
    memset(_bss, 0, (size_t)(_bss_end - _bss));
    port_exit(main());
}
