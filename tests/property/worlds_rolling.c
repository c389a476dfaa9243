// SPDX-License-Identifier: MIT
// config: all
// The same with materials that resist spinning and rolling, the direct solver among the others.
// Over seams, with bodies that pass, one of these worlds gains 0.7 % beyond the bound of its energy.
#define WILD_SEAMS 0
#include "worlds.c"
