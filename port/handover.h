// SPDX-License-Identifier: MIT
// handover.h - snapshots of a state from one task to a less urgent one on the same core. Never torn, and nobody waits.
//   given   one task that puts and one that takes; the taker never interrupts the putter (lower priority, same core)
//   makes   the newest snapshot, which stays as it is until the next take
//   bound   a put is one copy of a state, a take two words
//   never   masks an interrupt, so it adds nothing to how late the putter may wake
//
// Of two slots the taker holds one, and the putter writes the other. A put may come between the two words of a take. It
// is done before the taker goes on: either slot is whole then, and the one that the take names is held from there on.
#ifndef HANDOVER_H
#define HANDOVER_H

#include "tactus/tactus.h"

typedef struct handover {
    tac_state slot[2];        // written by the putter
    volatile uint32_t newest; // written by the putter
    volatile uint32_t held;   // written by the taker
} handover;

// The compiler moves no access of memory across. One core sees its own writes in order, so the core needs no barrier.
#define HANDOVER_ORDER() __asm__ volatile("" ::: "memory")

/// Before either task runs: the first snapshot.
static inline void handover_start(handover *h, const tac_state *state)
{
    h->slot[0] = *state;
    h->newest = h->held = 0;
}

static inline void handover_put(handover *h, const tac_state *state)
{
    const uint32_t other = 1 - h->held;

    h->slot[other] = *state;
    HANDOVER_ORDER();
    h->newest = other;
}

/// The newest snapshot; the one taken before is given back.
static inline const tac_state *handover_take(handover *h)
{
    const uint32_t slot = h->newest;

    HANDOVER_ORDER(); // the slot held so far has been read
    h->held = slot;
    HANDOVER_ORDER();
    return &h->slot[slot];
}

#endif
