// SPDX-License-Identifier: MIT
// hash.h - FNV-1a over values, independent of padding, byte order and the payload of a NaN.
//   given   numbers one by one, in a fixed order
//   makes   64 bit hashes
//   bound   eight iterations per number
//   never   reads memory as bytes
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include "real.h"

#define HASH_START UINT64_C(0xcbf29ce484222325)

static uint64_t hash_number(uint64_t hash, uint64_t value)
{
    for (int byte = 0; byte < 8; byte++) {
        hash ^= (value >> (8 * byte)) & 255;
        hash *= UINT64_C(0x100000001b3);
    }
    return hash;
}

static uint64_t hash_real(uint64_t hash, real x)
{
    const real_pun pun = {x};
    const real_bits quiet = (real_bits)(2 * REAL_BIAS + 1) << REAL_FRACTION | (real_bits)1 << (REAL_FRACTION - 1);
    return hash_number(hash, x == x ? pun.bits : quiet);
}

// Hash of an object that consists of reals.
static uint64_t hash_reals(uint64_t hash, const void *object, size_t size)
{
    const real *x = object;
    for (size_t i = 0; i < size / sizeof *x; i++) { hash = hash_real(hash, x[i]); }
    return hash;
}

#endif
