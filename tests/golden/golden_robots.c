// SPDX-License-Identifier: MIT
// The same for robots: a kernel with joints and the direct solver, and the scenes that need them.
#define TAC_MAX_JOINTS 16
#define TAC_MAX_FILL 128
#include "tactus.c"

#undef R // the scenes have their own, which takes more than literals
#include "robots.c"

#define GOLDEN_TABLE "golden_robots.h"
#define GOLDEN_SCENES robots
#define GOLDEN_COUNT robot_count
#define GOLDEN_FIND robot_find
#define GOLDEN_MOST 40
#define GOLDEN_ABSENT 0
#include "golden.c"
