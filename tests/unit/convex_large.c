// SPDX-License-Identifier: MIT
// config: -DTAC_MAX_POINTS=64 -DTAC_MAX_FACES=120 -DTAC_MAX_EDGES=360
// Every pair with a hull once more, now of up to 32 points: convex_random.c.
#define HULL_POINTS 32
#define WITH_HULLS 1
#define CASES 50
#include "convex_random.c"
