// SPDX-License-Identifier: MIT
// config: rolling
// The same for contacts that resist spinning and rolling, with every solver.
#include "snapshot.c"
