// SPDX-License-Identifier: MIT
// messages.h - a step as messages of an MCAP file.
#ifndef TACTUS_LOG_MESSAGES_H
#define TACTUS_LOG_MESSAGES_H

#include "mcap.h"
#include "values.h"

typedef struct messages {
    mcap *file;
    uint16_t frames, scene, forces, bodies, joints, contacts, report; ///< channels; 0: none
    double reach;                                                     ///< m   of the scene
    double weight;                                                    ///< N   of all bodies
} messages;

/// Begins a file with its channels and metadata. Returns 0 if there is no memory.
int messages_open(messages *m, FILE *file, const tac_model *model, const tactus_log_about *about);

/// The shapes, at the first step; then a message of each kind.
void messages_step(messages *m, const tac_model *model, const tactus_log_about *about, const tac_state *state,
                   const tac_work *work, int first);

/// Returns 0 if there was no memory.
int messages_close(messages *m);

#endif
