// SPDX-License-Identifier: MIT
// config: -DTAC_MAX_FILL=64
// The same for the direct solver.
#include "solvers.c"
