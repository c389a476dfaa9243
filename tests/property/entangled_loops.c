// SPDX-License-Identifier: MIT
// config: -DTAC_MAX_JOINTS=14 -DTAC_MAX_FILL=128 -DTAC_MAX_BODIES=8 -DTAC_MAX_SHAPES=12 -DTAC_MAX_CONTACTS=64
// config: -DTAC_MAX_REDUCED=96
// variants: gcc-O2-32 gcc-O2-64
// The same with closed loops, rods, ropes, bushings and couplings.
#define FIRST 9000
#define LOOPS 1
#define SEEDS 80
#include "entangled.c"
