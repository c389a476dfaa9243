// SPDX-License-Identifier: MIT
// config: -DTAC_MAX_JOINTS=14 -DTAC_MAX_FILL=0 -DTAC_MAX_BODIES=8 -DTAC_MAX_SHAPES=12 -DTAC_MAX_CONTACTS=64
// config: -DTAC_MAX_REDUCED=96
// variants: gcc-O2-32 gcc-O2-64
// Closed loops and the rest without room for a factor: swept, which leaves joints apart by what eight passes leave.
#define FIRST 15000
#define LOOPS 1
#define SEEDS 80
#include "entangled.c"
