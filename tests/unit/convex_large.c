// SPDX-License-Identifier: MIT
// config: robots
// Every pair with a hull once more, now of up to 32 points: convex_random.c.
#define HULL_POINTS 32
#define WITH_HULLS 1
#define CASES 50
#include "convex_random.c"
