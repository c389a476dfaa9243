// SPDX-License-Identifier: MIT
// config: -DTAC_MAX_FILL=64
// The same where each step chooses.
#define SNAPSHOT_SOLVER TAC_SOLVER_AUTO
#include "snapshot.c"
