// SPDX-License-Identifier: MIT
// config: robots
// The same for a firmware that knows joints.
#include "lossy.c"
