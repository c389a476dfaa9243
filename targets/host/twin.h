// SPDX-License-Identifier: MIT
// twin.h - one world in the host's kernel and, if there is a link, the same world in the firmware, step by step.
#ifndef HOST_TWIN_H
#define HOST_TWIN_H

#include "link/client.h"

typedef struct twin {
    const tac_model *model;
    link_client *client; ///< NULL: host only
    link_method method;  ///< of the steps, on both sides; zeros: tac_step()
    link_solvers solvers;
    tac_state state;     ///< the host's
    tac_input input;     ///< of the steps to come, on both sides
    tac_work work;       ///< of the host's last step
    link_stepped last;   ///< the firmware's last reply

    // over all steps since twin_open()
    uint64_t steps;
    uint64_t touching, unsolved; ///< steps of the host's kernel with contacts; those not converged, or relaxed
    uint64_t differing;          ///< first step after which the hashes differed, when twin_step() returned TWIN_DIFFERS
    uint64_t ticks_sum;
    uint32_t ticks_min, ticks_max;
} twin;

enum { TWIN_GOOD, TWIN_FAILED, TWIN_DIFFERS };

/// Give the firmware the model. `model` stays the caller's. Returns TWIN_GOOD, or TWIN_FAILED after a complaint.
int twin_open(twin *t, const tac_model *model, link_client *client);

/// Start from a state of the model.
int twin_start(twin *t, const tac_state *state);

/// Set the input of all later steps; until this is called it is empty.
int twin_input(twin *t, const tac_input *input);

/// Take steps on both sides. Returns TWIN_GOOD; TWIN_FAILED after a complaint; TWIN_DIFFERS if the
/// hash of the state was not the same after each of them.
int twin_step(twin *t, uint32_t steps);

/// "1000 steps, same hash on both sides after each; ticks of a step: min 10 mean 12 max 20" on stdout.
void twin_print(const twin *t);

#endif
