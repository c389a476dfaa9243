// SPDX-License-Identifier: MIT
// answers.h - one hash of many answers, for golden tables of what is no state.
//   given   numbers, in a fixed order
//   makes   answers, to be set to ANSWERS_START first
//   bound   eight iterations a number
//   never   depends on the order of bytes of the machine
#ifndef ANSWERS_H
#define ANSWERS_H

#include "tactus/tactus.h"

#define ANSWERS_START UINT64_C(0xcbf29ce484222325)

static uint64_t answers;

// FNV-1a, byte by byte from the lowest: the same on machines of either byte order.
static inline void add_number(uint64_t x)
{
    for (int i = 0; i < 8; i++) { answers = (answers ^ (x >> 8 * i & 0xff)) * UINT64_C(0x100000001b3); }
}

static inline void add_real(tac_real x)
{
    union {
        tac_real real;
#if TAC_REAL_BITS == 32
        uint32_t bits;
#else
        uint64_t bits;
#endif
    } of;
    of.real = x;
    add_number(of.bits);
}

static inline void add_reals(const tac_real *x, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) { add_real(x[i]); }
}

static inline void add_vector(const tac_vec3 *v)
{
    add_real(v->x), add_real(v->y), add_real(v->z);
}

#endif
