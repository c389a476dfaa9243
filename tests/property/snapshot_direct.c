// SPDX-License-Identifier: MIT
// config: robots
// The same with the direct solver.
#define SNAPSHOT_SOLVER TAC_SOLVER_DIRECT
#include "snapshot.c"
