// SPDX-License-Identifier: MIT
// config: all
// variants: all
// The same for robots in long steps: bodies turn far in each, so the account of energy of joints acts (step/settle.h).
#include "robots.h"

#define GOLDEN_TABLE "golden_fast.h"
#define GOLDEN_LONGER 40
#include "golden_robots.c"
