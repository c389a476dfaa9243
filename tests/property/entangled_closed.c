// SPDX-License-Identifier: MIT
// config: trees
// variants: gcc-O2-32 gcc-O2-64
// Closed loops and the rest in a kernel without TAC_MAX_FILL.
#define FIRST 15000
#define LOOPS 1
#define SEEDS 80
#include "entangled.c"
