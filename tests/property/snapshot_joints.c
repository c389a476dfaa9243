// SPDX-License-Identifier: MIT
// config: -DTAC_MAX_JOINTS=8 -DTAC_MAX_FILL=64 -DTAC_MAX_BODIES=8 -DTAC_MAX_SHAPES=8
// The same for chains of joints with motors, limits and friction, with every solver.
#include "snapshot.c"
