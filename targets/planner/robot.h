// SPDX-License-Identifier: MIT
// robot.h - the robot, where there is none: a quadruped that differs from the model that its controller knows.
//   given   commands once a period of 1 ms
//   makes   what the sensors of trunk and joints say
//   bound   two steps of the kernel a period
//   never   shares model, state or step with the controller: bodies are 10 % heavier, the floor has 30 % less friction,
//           steps are of 0.5 ms, and a command acts 2 ms after it was given
#ifndef ROBOT_H
#define ROBOT_H

#include "tactus/tactus.h"

enum { ROBOT_JOINTS = 12, ROBOT_TRUNK = 1 };

/// Stands as the scene does; `rest` is what has been commanded so far.
void robot_start(const tac_input *rest);

/// Elsewhere: trunk and joints, as robot_measure() gives them.
void robot_place(const tac_measured *trunk, const tac_joint_state *joint);

/// A force on the trunk from now on for 20 ms, whose impulse would give the whole robot this velocity.
void robot_push(tac_real x, tac_real y);

/// One period under the commands of two periods ago.
void robot_period(const tac_input *commands);

/// Trunk and joints now; `trunk->frame` is its own frame.
void robot_measure(tac_measured *trunk, tac_joint_state *joint);

/// Hash of the state.
uint64_t robot_hash(void);

#endif
