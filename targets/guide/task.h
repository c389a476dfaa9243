// SPDX-License-Identifier: MIT
// task.h - what the programs of this folder plan: a robot that was pushed goes back to where it stands in its model.
//   given   robot.h, made by `urdf2tactus --name robot`; TRUNK, the link that matters
//   makes   a model for roll-outs, plans of targets for all motors, a cost
//   bound   constant a joint
//   never   knows which robot it is
#ifndef TASK_H
#define TASK_H

#include "robot.h"

#define R(x) ((tac_real)(x))
#ifndef TRUNK
#define TRUNK ROBOT_FRAME_HIP // a link that moves
#endif
#ifndef STIFFNESS
#define STIFFNESS 100 // N m/rad of the servos; their damping is a hundredth of it
#endif
#ifndef SIGMA
#define SIGMA R(0.05) // rad, standard deviation of the noise on their targets
#endif

enum { TASK_KNOTS = 4, TASK_STEPS = 35, TASK_NUMBERS = TASK_KNOTS * ROBOT_JOINTS }; // a plan; steps of its roll-outs

extern tac_model task_model; ///< of the prediction: robot_model in steps of 10 ms
extern tac_cost task_cost;   ///< trunk at its place, level and at rest; joints near their posture; little effort

/// Model, cost and channels. Returns 0 if one is refused.
int task_start(void);

/// A plan on these TASK_NUMBERS numbers. task_rest() sets them to the posture of the model.
tac_plan task_plan(tac_real *value);
void task_rest(tac_real *value);

#endif
