// SPDX-License-Identifier: MIT
// config: robots
// The same for chains of joints with motors, limits and friction, with every solver.
#include "snapshot.c"
