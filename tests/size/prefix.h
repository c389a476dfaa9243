// SPDX-License-Identifier: MIT
// prefix.h - what two kernels in one program have in common: neither reals nor structs of theirs.
//   given   TAC_PREFIX of whoever includes this, after tactus.h
//   makes   the functions of prefix_world.c, for each kernel under names of its own
//   bound   as that
//   never   shows one kernel's types to the other's callers
#ifndef PREFIX_H
#define PREFIX_H

#include <stdint.h>

#define WORLD(prefix)                                                                                                  \
    int prefix##world_begin(const char *scene); /* returns the steps of the golden run, 0 if there is none */          \
    int prefix##world_step(void);               /* returns 1 if the step is taken */                                   \
    uint64_t prefix##world_hash(void);                                                                                 \
    uint64_t prefix##world_golden(void); /* what that should be after the golden run */                                \
    int prefix##world_bits(void);                                                                                      \
    unsigned long prefix##world_bytes(void);    /* of the model, the state, the input and the work area */             \
    const char *prefix##world_foreign(const void *layout); /* what differs in another's configuration; NULL if none */ \
    const void *prefix##world_layout(void);

WORLD(small_)
WORLD(large_)

#endif
