// SPDX-License-Identifier: MIT
// config: robots
// variants: gcc-O2-64 san-Og-64
// The same for a firmware that knows joints.
#include "liar.c"
