// SPDX-License-Identifier: MIT
// config: trees
// variants: gcc-O2-32 gcc-O2-64
// The same without a factor: where joints are no trees they are swept.
#define WORLDS RUN(2000, 200)
#include "memory.c"
