// SPDX-License-Identifier: MIT
// config: -DTAC_MAX_JOINTS=4 -DTAC_MAX_FILL=32
// variants: gcc-O2-64 san-O1-64
// The same for a firmware that knows joints.
#include "liar.c"
