// SPDX-License-Identifier: MIT
// trial.h - the robot stands, and is pushed in some direction after 0.3 s and then each 1.8 s.
//   given   a seed: the directions
//   makes   the cost of the motion, and whether the robot has fallen
//   bound   a period: those of control and robot
//   never   looks at a clock
#ifndef TRIAL_H
#define TRIAL_H

#include "search.h"

enum { TRIAL_PUSH = 1800 }; ///< periods from push to push

typedef struct trial {
    uint32_t seed, period;
    tac_real cost;
    int fallen;       ///< the trunk was below 0.2 m, or tilted by more than 1 rad
    uint32_t age;     ///< periods, of the oldest plan that was followed
    uint32_t resting; ///< periods at rest because there was no plan, or a plan too old
    tac_input commands;
} trial;

/// From the first state on, with a new planner.
void trial_start(trial *t, uint32_t seed);

/// What the control task does in a period, and then the robot. `following` as in stand_control().
void trial_control(trial *t, int following);
void trial_robot(trial *t);

/// "push 3: servos 1940, planner 1505 of 10000, age 80, hash 123 456" as lines by port_log().
void trial_show(const trial *alone, const trial *planned);

#endif
