// SPDX-License-Identifier: MIT
// config: all
// The same for contacts that resist spinning and rolling, with every solver.
#include "snapshot.c"
