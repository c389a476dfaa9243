// SPDX-License-Identifier: MIT
// config: -DTAC_MAX_FILL=64
// The same with the direct solver.
#include "snapshot.c"
