// SPDX-License-Identifier: MIT
// config: trees
// variants: gcc-O2-32 gcc-O2-64
// The same without a factor, and with less room for the contacts of trees.
#define FIRST 7000
#include "entangled.c"
