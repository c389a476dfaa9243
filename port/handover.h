// SPDX-License-Identifier: MIT
// handover.h - snapshots of a state for a task of lower priority on the same core. Never torn, and neither task waits.
//   given   one writer and one reader; the reader has the lower priority on the same core, so it never interrupts the
//           writer
//   makes   the newest snapshot, which does not change until the reader takes the next one
//   bound   a put is one copy of a state, a take two words
//   never   masks an interrupt, so it does not delay the writer's wake-up
//
// Of two slots the reader holds one, and the writer writes the other. A put may interrupt a take between its two words.
// The put is complete before the reader continues, so both slots are whole then, and no later put writes the slot that
// the take returns.
#ifndef HANDOVER_H
#define HANDOVER_H

#include "tactus/tactus.h"

typedef struct handover {
    tac_state slot[2];        // written by the writer
    volatile uint32_t newest; // index of a slot, written by the writer
    volatile uint32_t held;   // index of a slot, written by the reader
} handover;

// A barrier for the compiler, which moves no memory access across it. A core sees its own writes in order, so it needs
// no barrier instruction.
#define HANDOVER_ORDER() __asm__ volatile("" ::: "memory")

/// Set the first snapshot, before either task runs.
static inline void handover_start(handover *h, const tac_state *state)
{
    h->slot[0] = *state;
    h->newest = h->held = 0;
}

/// Of the writer: a new snapshot.
static inline void handover_put(handover *h, const tac_state *state)
{
    const uint32_t other = 1 - h->held;

    h->slot[other] = *state;
    HANDOVER_ORDER();
    h->newest = other;
}

/// Of the reader: the newest snapshot. The one taken before must not be used any more.
static inline const tac_state *handover_take(handover *h)
{
    const uint32_t slot = h->newest;

    HANDOVER_ORDER(); // all reads of the slot held so far come before it is released
    h->held = slot;
    HANDOVER_ORDER();
    return &h->slot[slot];
}

#endif
