// SPDX-License-Identifier: MIT
// board.h - Arm MPS2 with FPGA image AN385: Cortex-M3, no FPU, arithmetic by libgcc.
#ifndef BOARD_H
#define BOARD_H

#include "cortex_m/mps2.h"

#endif
