// SPDX-License-Identifier: MIT
// config: robots
// The same where each step chooses.
#define SNAPSHOT_SOLVER TAC_SOLVER_AUTO
#include "snapshot.c"
