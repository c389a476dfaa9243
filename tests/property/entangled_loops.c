// SPDX-License-Identifier: MIT
// config: robots
// variants: gcc-O2-32 gcc-O2-64
// The same with closed loops, rods, ropes, bushings and couplings.
#define FIRST 9000
#define LOOPS 1
#define SEEDS 80
#include "entangled.c"
