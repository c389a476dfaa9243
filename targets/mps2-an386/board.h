// SPDX-License-Identifier: MIT
// board.h - Arm MPS2 with FPGA image AN386: Cortex-M4F, float FPU.
#ifndef BOARD_H
#define BOARD_H

#include "cortex_m/mps2.h"

#endif
