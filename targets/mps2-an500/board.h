// SPDX-License-Identifier: MIT
// board.h - Arm MPS2 with FPGA image AN500: Cortex-M7, float and double FPU.
#ifndef BOARD_H
#define BOARD_H

#define BOARD_TICK_RATE 25000000u ///< Hz   core clock, counted by CMSDK timer 0
#define BOARD_TIMER 0x40000000u   ///<      CMSDK timer 0
#define BOARD_UART 0x40004000u    ///<      CMSDK UART 0
#define BOARD_BAUD_DIVIDER 217u   ///<      115200 baud
#define BOARD_RECEIVE_IRQ 0u      ///<      of UART 0

#include "cortex_m/cmsdk.h"

#endif
