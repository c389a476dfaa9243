// SPDX-License-Identifier: MIT
// config: steppers
// variants: all
// The same for robots in long steps: bodies turn far in each, so the account of energy of joints acts (step/settle.h).
#include "robots.h"

#define GOLDEN_TABLE "golden_fast.h"
#define GOLDEN_SCENE(i) (&robots[i])
#define GOLDEN_STEP tac_step
#define GOLDEN_HASH tac_state_hash
#define GOLDEN_COUNT robot_count
#define GOLDEN_FIND robot_find
#define GOLDEN_MOST 40
#define GOLDEN_ABSENT 0
#define GOLDEN_LONGER 40
#include "golden.c"
