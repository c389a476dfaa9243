// SPDX-License-Identifier: MIT
// cost.h - what is asked of the robot, as data: the trunk at its place and height, level; all at rest.
#ifndef COST_H
#define COST_H

#include "stand.h"

// Terms are quadratic, weights of r.r/2.
static const tac_frame trunk = {ROBOT_TRUNK, {{0, 0, 0}, {1, 0, 0, 0}}};
static const tac_real place[3] = {0, 0, R(0.35)};
static const tac_table target = {.value = place, .spacing = 1, .rows = 1, .width = 3};
enum { XY = 3, Z = 4 }; // components left out
static const tac_cost_term term[] = {
    {.kind = TAC_COST_POSITION, .frame = trunk, .target = &target, .weight = 40, .without = Z, .count = 1},
    {.kind = TAC_COST_POSITION, .frame = trunk, .target = &target, .weight = 400, .without = XY, .count = 1},
    {.kind = TAC_COST_ORIENTATION, .frame = trunk, .weight = 60, .count = 1},
    {.kind = TAC_COST_VELOCITY, .frame = trunk, .weight = 4, .count = 1},
    {.kind = TAC_COST_SPIN, .frame = trunk, .weight = 1, .count = 1},
};
static const tac_cost cost = {.term = term, .terms = sizeof term / sizeof term[0]};

#endif
