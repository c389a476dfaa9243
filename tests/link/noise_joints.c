// SPDX-License-Identifier: MIT
// config: -DTAC_MAX_JOINTS=4 -DTAC_MAX_FILL=32
// The same for a firmware that knows joints.
#include "noise.c"
