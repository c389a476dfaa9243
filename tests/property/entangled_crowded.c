// SPDX-License-Identifier: MIT
// config: -DTAC_MAX_JOINTS=16 -DTAC_MAX_FILL=128 -DTAC_MAX_REDUCED=48 -DTAC_MAX_CONTACTS=64
// variants: gcc-O2-64 clang-O0-32 san-Og-64
// Closed loops and the rest where more links touch than there are rows for: contacts are swept one by one.
#define FIRST 21000
#define LOOPS 1
#define SEEDS RUN(80, 20)
#include "entangled.c"
