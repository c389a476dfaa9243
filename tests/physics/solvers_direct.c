// SPDX-License-Identifier: MIT
// config: direct
// The same for the direct solver.
#include "solvers.c"
