// SPDX-License-Identifier: MIT
// config: all
// The same with materials that resist spinning and rolling, the direct solver among the others.
#include "worlds.c"
