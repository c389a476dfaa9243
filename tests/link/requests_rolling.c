// SPDX-License-Identifier: MIT
// config: all
// The same for a firmware whose materials resist spinning and rolling: their elements are longer.
#include "requests.c"
