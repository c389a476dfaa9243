// SPDX-License-Identifier: MIT
// config: all
// The same with friction that has a direction, static friction with Stribeck's curve, and floors that move: each alone,
// together, and with resistance to spinning and rolling.
#define WILD_SEAMS 0 // as in worlds_rolling.c
#define WORLDS_LAWS 1
#include "worlds.c"
