// SPDX-License-Identifier: MIT
// board.h - Arm MPS2 with FPGA image AN500: Cortex-M7, float and double FPU.
#ifndef BOARD_H
#define BOARD_H

#include "cortex_m/mps2.h"

#endif
