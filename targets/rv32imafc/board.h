// SPDX-License-Identifier: MIT
// board.h - QEMU's RISC-V machine `virt` with one RV32IMAFC core.
#ifndef BOARD_H
#define BOARD_H

#define BOARD_TICK_RATE 10000000u ///< Hz   mtime
#define BOARD_CLINT 0x02000000u   ///<      mtime and its alarm
#define BOARD_PLIC 0x0c000000u    ///<      interrupt controller
#define BOARD_UART 0x10000000u    ///<      16550
#define BOARD_RECEIVE_IRQ 10u     ///<      of the UART

#include "riscv/ns16550.h"

#endif
