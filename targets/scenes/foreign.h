// SPDX-License-Identifier: MIT
// foreign.h - a plant that is another model than its controller's: steps of 0.5 ms, other masses, another friction, and
// commands that act 2 ms late.
//   given   a model, not sealed, whose masses may be scaled; a factor of friction; commands, each millisecond
//   makes   the state of the plant, as sensors would say it
//   bound   two steps a millisecond
//   never   shows a controller its model
#ifndef FOREIGN_H
#define FOREIGN_H

#include "scenes.h"

enum { FOREIGN_DELAY = 2, FOREIGN_STEPS = 2 }; // periods of 1 ms; steps in each

typedef struct foreign {
    tac_model model;
    tac_state state;
    tac_input given[FOREIGN_DELAY]; // commands that do not act yet, the oldest first
} foreign;

static inline void foreign_scale(tac_body *body, tac_real by)
{
    body->mass *= by;
    body->inertia.x *= by;
    body->inertia.y *= by;
    body->inertia.z *= by;
}

// From plant->model, not sealed. `rest` acts until the first commands do.
static inline tac_status foreign_begin(foreign *plant, tac_real friction, const tac_input *rest)
{
    plant->model.h = (tac_real)0.0005;
    plant->model.material[0].friction *= friction;
    for (int i = 0; i < FOREIGN_DELAY; i++) { plant->given[i] = *rest; }
    const tac_status status = tac_model_seal(&plant->model, NULL);
    return status ? status : tac_state_init(&plant->model, &plant->state, NULL);
}

// A millisecond.
static inline tac_status foreign_period(foreign *plant, const tac_input *commands, tac_work *work)
{
    tac_status status = TAC_OK;
    for (int i = 0; i < FOREIGN_STEPS && status >= TAC_OK; i++) {
        status = tac_step(&plant->model, &plant->state, &plant->given[0], work);
    }
    for (int i = 1; i < FOREIGN_DELAY; i++) { plant->given[i - 1] = plant->given[i]; }
    plant->given[FOREIGN_DELAY - 1] = *commands;
    return status;
}

// What sensors say of a frame on a free root and of joints, set in a state of the controller's model.
static inline tac_status foreign_measure(const foreign *plant, tac_frame frame, const tac_model *model,
                                         tac_state *state)
{
    tac_measured measured = {.frame = frame};
    tac_joint_state joint[TAC_MAX_JOINTS];
    tac_status status = tac_state_get_measured(&plant->model, &plant->state, &measured);
    for (uint32_t i = 0; i < plant->model.joints && !status; i++) {
        status = tac_state_get_joint(&plant->model, &plant->state, i, &joint[i]);
    }
    return status ? status : tac_state_set_measured(model, state, &measured, joint);
}

#endif
