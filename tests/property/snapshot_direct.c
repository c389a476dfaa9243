// SPDX-License-Identifier: MIT
// config: -DTAC_MAX_FILL=64
// The same with the direct solver.
#define SNAPSHOT_SOLVER TAC_SOLVER_DIRECT
#include "snapshot.c"
