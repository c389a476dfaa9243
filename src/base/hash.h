// SPDX-License-Identifier: MIT
// hash.h - FNV-1a over values, so that padding, byte order and the payload of a NaN do not count.
//   given   numbers one by one, in a fixed order
//   makes   64 bit hashes
//   bound   eight turns per number
//   never   reads memory as bytes
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include "dense.h"

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

static uint64_t hash_vec3(uint64_t hash, vec3 a)
{
    return hash_real(hash_real(hash_real(hash, a.x), a.y), a.z);
}

static uint64_t hash_pose(uint64_t hash, const tac_pose *a)
{
    hash = hash_vec3(hash, a->p);
    return hash_real(hash_real(hash_real(hash_real(hash, a->q.w), a->q.x), a->q.y), a->q.z);
}

static uint64_t hash_twist(uint64_t hash, const tac_twist *t)
{
    return hash_vec3(hash_vec3(hash, t->v), t->w);
}

#endif
