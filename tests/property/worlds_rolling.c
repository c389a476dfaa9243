// SPDX-License-Identifier: MIT
// config: -DTAC_ROLLING=1 -DTAC_MAX_FILL=40
// The same with materials that resist spinning and rolling, the direct solver among the others.
#include "worlds.c"
