// SPDX-License-Identifier: MIT
// config: -DTAC_MAX_JOINTS=8 -DTAC_MAX_FILL=0 -DTAC_MAX_BODIES=8 -DTAC_MAX_SHAPES=12 -DTAC_MAX_CONTACTS=64 -DTAC_MAX_REDUCED=36
// variants: gcc-O2-32 gcc-O2-64
// The same without a factor, and with less room for the contacts of trees.
#define FIRST 7000
#include "entangled.c"
