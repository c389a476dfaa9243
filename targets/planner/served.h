// SPDX-License-Identifier: MIT
// served.h - control and planner behind the link: the robot is on the other side of it.
//   given   bytes of the line (port/link); a measured state in each period
//   makes   commands for it, which the host fetches
//   bound   a byte: constant, or its request; control as stand.h says
//   never   lets time pass: a period is what the host says, so that every run has the same bits
//
//     host   SET_MEASURED of period k    firmware   served_byte() is 1: served_control(), then so many steps of the
//     planner host   GET_INPUT at period k; moves the robot by these commands
#ifndef SERVED_H
#define SERVED_H

#include "search.h"

/// Control and planner start; the world of the link is theirs.
void served_start(void);

/// Take one byte from the line, and answer if it ends a request. Returns 1 if a period has been measured that
/// served_control() has not seen.
int served_byte(uint8_t byte);

/// Once for each period: the commands, by the plan that is the newest now. If periods are counted anew, so is the
/// planner.
void served_control(void);

#endif
