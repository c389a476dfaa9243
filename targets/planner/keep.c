// SPDX-License-Identifier: MIT
// keep.c - keep standing: the trunk at its place and height, level; all at rest.
#include "goal.h"

// Terms are quadratic, weights of r.r/2.
static const tac_real place[3] = {0, 0, R(0.35)};
static const tac_table target = {.value = place, .spacing = 1, .rows = 1, .width = 3};
enum { XY = 3, Z = 4 }; // components left out
#define TRUNK .frame = {ROBOT_TRUNK, {{0, 0, 0}, {1, 0, 0, 0}}}, .count = 1
static const tac_cost_term term[] = {
    {.kind = TAC_COST_POSITION, TRUNK, .target = &target, .weight = 40, .without = Z},
    {.kind = TAC_COST_POSITION, TRUNK, .target = &target, .weight = 400, .without = XY},
    {.kind = TAC_COST_ORIENTATION, TRUNK, .weight = 60},
    {.kind = TAC_COST_VELOCITY, TRUNK, .weight = 4},
    {.kind = TAC_COST_SPIN, TRUNK, .weight = 1},
};
static const tac_cost cost = {.term = term, .terms = sizeof term / sizeof term[0]};

// As it stands in the model.
static void rest(tac_real time, tac_real *row)
{
    (void)time;
    for (unsigned j = 0; j < ROBOT_JOINTS; j++) row[j] = 0;
}

const goal goal_keep = {&cost, rest, R(0.35), 4, R(0.6), R(0.015)};
