// SPDX-License-Identifier: MIT
// mps2.h - what Arm's MPS2 boards have in common: the CMSDK timer, UART and clock. A board.h names the FPGA image.
#ifndef CORTEX_M_MPS2_H
#define CORTEX_M_MPS2_H

#define BOARD_TICK_RATE 25000000u ///< Hz   core clock, counted by CMSDK timer 0
#define BOARD_TIMER 0x40000000u   ///<      CMSDK timer 0
#define BOARD_ALARM 0x40001000u   ///<      CMSDK timer 1
#define BOARD_ALARM_IRQ 9u        ///<      of timer 1
#define BOARD_UART 0x40004000u    ///<      CMSDK UART 0
#define BOARD_BAUD_DIVIDER 217u   ///<      115200 baud
#define BOARD_RECEIVE_IRQ 0u      ///<      of UART 0

#include "cortex_m/cmsdk.h"

#endif
