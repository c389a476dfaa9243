// SPDX-License-Identifier: MIT
// begin.h - from a world as it is defined to its first state.
//   given   a model, not yet sealed
//   makes   the model sealed, its initial state; a failed check if either is refused
//   bound   that of tac_model_seal
//   never   hides a refusal behind the checks that follow
#ifndef BEGIN_H
#define BEGIN_H

#include "tap.h"

static inline void begin_world(tac_model *model, tac_state *state)
{
    if (tac_model_seal(model, NULL) != TAC_OK || tac_state_init(model, state, NULL) != TAC_OK) {
        tap_ok(0, "the world is refused");
    }
}

#endif
