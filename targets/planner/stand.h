// SPDX-License-Identifier: MIT
// stand.h - the control task: commands twelve servos by the newest plan.
//   given   a state from what sensors say; port/planner.h; plans by search.h
//   makes   commands each period
//   bound   a copy of the state, an evaluation of a plan
//   never   allocates, waits, or knows where the robot is but by this state
#ifndef STAND_H
#define STAND_H

#include "planner.h"
#include "goal.h"

extern tac_model stand_model;    ///< of the prediction, in steps of 10 ms
extern tac_state stand_state;    ///< as measured in this period, whose number is its step
extern planner stand_planner;    ///< age and late are for the control task to read
extern const uint32_t stand_ram; ///< B of all that stand.c keeps

extern const goal *stand_goal;

/// The model, the plan to rest and the planner. The plan to rest has the goal's commands at the start.
void stand_start(const goal *of);

/// What sensors say in a period, counted from 1. Where nothing has been measured for some, the number tells.
void stand_measure(const tac_measured *trunk, const tac_joint_state *joint, uint64_t period);

/// Once a period: command. `following` 0: the plan to rest only, the nominal input.
void stand_control(int following, tac_input *commands);

/// A plan of the shape of all plans here, with these GOAL_NUMBERS numbers.
tac_plan stand_plan_of(tac_real *value);

#endif
