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
    tac_fault fault;
    char text[200];

    if (tac_model_seal(model, &fault) == TAC_OK && tac_state_init(model, state, &fault) == TAC_OK) { return; }
    tac_fault_text(&fault, model, state, NULL, text, sizeof text);
    tap_ok(0, tap_joined("the world is refused: ", text));
}

#endif
