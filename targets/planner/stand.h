// SPDX-License-Identifier: MIT
// stand.h - the control task: keep standing where one stands, by the targets of twelve servos.
//   given   a state from what sensors say; port/planner.h; plans by search.h
//   makes   commands each period
//   bound   a copy of the state, an evaluation of a plan
//   never   allocates, waits, or knows where the robot is but by this state
#ifndef STAND_H
#define STAND_H

#include "planner.h"
#include "robot.h"

#define R(x) ((tac_real)(x))

enum { STAND_KNOTS = 4, STAND_NUMBERS = STAND_KNOTS * ROBOT_JOINTS };

extern tac_model stand_model;    ///< of the prediction, in steps of 10 ms
extern tac_state stand_state;    ///< as measured in this period, whose number is its step; the caller writes it
extern planner stand_planner;    ///< age and late are for the control task to read
extern const uint32_t stand_ram; ///< B of all that stand.c keeps

/// The model, the plan to rest and the planner; the robot stands as the model does.
void stand_start(void);

/// Once a period: command. `following` 0: the plan to rest only, the nominal input.
void stand_control(int following, tac_input *commands);

/// A plan of the shape of all plans here, with these STAND_NUMBERS numbers.
tac_plan stand_plan_of(tac_real *value);

#endif
