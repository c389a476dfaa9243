// SPDX-License-Identifier: MIT
// config: all
// variants: all
// The same for robots: a kernel with joints and the direct solver, and the scenes that need them.
#include "robots.h"

#ifndef GOLDEN_TABLE // golden_fast.c has a table of its own
#define GOLDEN_TABLE "golden_robots.h"
#endif
#define GOLDEN_SCENE(i) (&robots[i])
#define GOLDEN_STEP tac_step
#define GOLDEN_HASH tac_state_hash
#define GOLDEN_COUNT robot_count
#define GOLDEN_FIND robot_find
#define GOLDEN_MOST 40
#define GOLDEN_ABSENT 0
#include "golden.c"
