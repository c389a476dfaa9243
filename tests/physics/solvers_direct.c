// SPDX-License-Identifier: MIT
// config: robots
// The same for the direct solver.
#include "solvers.c"
