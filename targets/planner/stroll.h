// SPDX-License-Identifier: MIT
// stroll.h - the robot lies, stands up and walks.
//   given   a seed: how it lies
//   makes   how far it gets: speed, height, whether it has fallen
//   bound   a period: those of control and robot
//   never   looks at a clock
#ifndef STROLL_H
#define STROLL_H

#include "search.h"

typedef struct stroll {
    uint32_t seed, period;
    int fallen;     ///< the trunk tilted by more than 1 rad, or was below 0.2 m once it should stand
    tac_real from;  ///< m  along x, when its speed begins to count: a second after its first step
    tac_real to;    ///< m  along x now
    tac_real aside; ///< m  most, to either side of the line
    double off;     ///< m  sum of the errors of height since then
    tac_input commands;
} stroll;

/// Dropped from 3 cm, level but for 0.05 rad, joints off by up to 0.1 rad; a new planner.
void stroll_start(stroll *s, uint32_t seed);

/// What the control task does in a period, and then the robot. `alone`: the commands of walk.c, without plans.
void stroll_control(stroll *s, int alone);
void stroll_robot(stroll *s);

/// Figures as lines by port_log().
void stroll_show(const stroll *s);

#endif
