// SPDX-License-Identifier: MIT
// task.h - what is asked of the robot, as data: a cost, the commands that plans go back to, what plans look like.
#ifndef TASK_H
#define TASK_H

#include "robot.h"

#define R(x) ((tac_real)(x))

enum { TASK_KNOTS = 8, TASK_NUMBERS = TASK_KNOTS * ROBOT_JOINTS }; ///< most of a plan

typedef struct task {
    const tac_cost *cost;                       ///<     its tables over the time since the start, s
    void (*rest)(tac_real time, tac_real *row); ///<     commands that plans go back to from plan to plan, at that time
    tac_real horizon;                           ///< s   of a plan
    uint16_t knots;                             ///<     in it
    tac_real bound, sigma;                      ///< rad of a command, of the noise
} task;

extern const task task_keep; ///< keep standing at one's place
extern const task task_walk; ///< stand up from where one lies, then walk along x at 0.3 m/s

#endif
