// SPDX-License-Identifier: MIT
// plant.h - the robot, where there is none: not quite the one of the model, and pushed.
//   given   task.h; commands once a period of 1 ms
//   makes   a state as sensors would say it; what the robot has cost
//   bound   a step of the kernel a period
//   never   shares model, state or work area with who plans: bodies are 10 % heavier, there is 30 % less friction, and
//           steps are of 1 ms
#ifndef PLANT_H
#define PLANT_H

#include "task.h"

#ifndef PUSH
#define PUSH                                                                                                           \
    {                                                                                                                  \
        0, 0, -1                                                                                                       \
    } // m/s that a push gives the whole robot
#endif

extern tac_real plant_cost; ///< of task_cost since plant_start()

/// Stands as in the model. Returns 0 if that is refused.
int plant_start(void);

/// A state of task_model from what sensors say of trunk and joints. Returns 0 if it is refused.
int plant_measure(tac_state *state);

/// A period under these commands; in the first 20 the trunk is pushed. Returns 0 if the step is refused.
int plant_period(const tac_input *commands);

#endif
