// SPDX-License-Identifier: MIT
// config: -DTAC_ROLLING=1 -DTAC_MAX_FILL=64
// The same for contacts that resist spinning and rolling, with every solver.
#include "snapshot.c"
