// SPDX-License-Identifier: MIT
// config: all
// The same with materials that resist spinning and rolling, the direct solver among the others.
// With seams two capsules of one world press on each other while both move, which is of first order: 0.7 % too much
// energy.
#define WILD_SEAMS 0
#include "worlds.c"
