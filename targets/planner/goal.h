// SPDX-License-Identifier: MIT
// goal.h - what is asked of the robot, as data: a cost, the commands that plans go back to, what plans look like.
#ifndef GOAL_H
#define GOAL_H

#include "robot.h"

#define R(x) ((tac_real)(x))

enum { GOAL_KNOTS = 8, GOAL_NUMBERS = GOAL_KNOTS * ROBOT_JOINTS }; ///< most of a plan

typedef struct goal {
    const tac_cost *cost;                       ///<     its tables over the time since the start, s
    void (*rest)(tac_real time, tac_real *row); ///<     commands that plans go back to from plan to plan, at that time
    tac_real horizon;                           ///< s   of a plan
    uint16_t knots;                             ///<     in it
    tac_real bound, sigma;                      ///< rad of a command, of the noise
} goal;

extern const goal goal_keep; ///< keep standing at one's place
extern const goal goal_walk; ///< stand up from where one lies, then walk along x at 0.3 m/s

#endif
