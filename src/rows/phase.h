// SPDX-License-Identifier: MIT
// phase.h - memory that phases of a step hold in turn: which of them holds it; nothing is left of what held it before.
//   given   the unions of tac_work, and their tags in tac_work.held
//   makes   the tag of the phase that begins; with TAC_SPOIL, NaN in all that the phase has not written
//   bound   constant; with TAC_SPOIL the bytes of the union
//   never   changes a result: what a phase reads, it has written since it took the memory
#ifndef ROWS_PHASE_H
#define ROWS_PHASE_H

#include "../model/rolling.h"

// The tests define TAC_SPOIL where they fill memory with 0xFF before its use (tests/README.md): a phase that reads what
// another one has left gets NaN, and one that reads memory which it does not hold ends the program.
#ifdef TAC_SPOIL
// All objects of phases are whole words; bytes one by one took the sanitizers a third of a test.
static inline void phase_spoil(void *memory, size_t size)
{
    typedef uint32_t __attribute__((may_alias)) any_word;
    volatile any_word *word = memory;
    for (size_t i = 0; i < size / sizeof *word; i++) { word[i] = UINT32_MAX; }
}
#define PHASE_HOLDS(w, memory, holder) ((w)->held.memory == (holder) ? (void)0 : __builtin_trap())
#define PHASE_BLOCKS(w) ((void)(w), TAC_MAX_CONTACTS)
#else
#define phase_spoil(memory, size) ((void)(memory), (void)(size))
#define PHASE_HOLDS(w, memory, holder) ((void)(w))
#define PHASE_BLOCKS(w) ((void)(w), 0)
#endif

// Twists of bodies that every phase writes anew.
static inline void phase_take(tac_work *w, uint8_t holder)
{
    phase_spoil(&w->phase, sizeof w->phase);
    w->held.phase = holder;
}

// Twists of bodies between the impacts and the end of the step.
static inline void phase_take_kept(tac_work *w, uint8_t holder)
{
    phase_spoil(&w->kept, sizeof w->kept);
    w->held.kept = holder;
}

// What a block has for the solver in use, or for one part of the step.
static inline void phase_take_blocks(tac_work *w, uint8_t holder)
{
    for (int i = 0; i < PHASE_BLOCKS(w); i++) {
        tac_block *k = &w->scratch.solve.block[i];
        phase_spoil(&k->own, sizeof k->own);
        if (TAC_ROLLING && holder == TAC_BLOCKS_NEWTON) {
            phase_spoil(&ROLLING_BLOCK(k)->own, sizeof ROLLING_BLOCK(k)->own);
        }
    }
    w->held.blocks = holder;
}

// Of the trees: columns Y of the rows, or the equations of an engine. Those of continuation.h take what solutions of
// trees hold too, where that shares their memory.
static inline void phase_take_room(tac_trees *r, uint8_t holder)
{
    if (holder == TAC_ROOM_EQUATIONS) { phase_spoil(&r->room, sizeof r->room); }
    phase_spoil(&r->room.use.made, sizeof r->room.use.made);
    r->holds = holder;
}

#endif
