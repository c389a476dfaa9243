// SPDX-License-Identifier: MIT
// config: -DTAC_ROLLING=1
// The same for a firmware whose materials resist spinning and rolling: their elements are longer.
#include "requests.c"
