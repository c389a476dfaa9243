// SPDX-License-Identifier: MIT
// random_mechanism.h - what the random mechanisms of property tests are made of.
//   given   a generator of random numbers; bodies of a model
//   makes   magnitudes, frames of joints, the worst value with the seed that it was seen at
//   bound   constant
//   never   keeps a model of its own
#ifndef RANDOM_MECHANISM_H
#define RANDOM_MECHANISM_H

#include "truth.h"

// Alike on a logarithmic scale: a power of ten, and what is left of it as a part.
static inline double log_range(rng *r, int low, int high)
{
    double a = rng_range(r, 1, 10);
    for (int k = (int)rng_below(r, (uint32_t)(high - low)) + low; k != 0; k += k < 0 ? 1 : -1) {
        a *= k < 0 ? 0.1 : 10;
    }
    return a;
}

// A place in the world, as the body sees it.
static inline tac_pose seen_from(const tac_model *m, uint16_t body, d3 p, dq q)
{
    const dq back = dq_conjugate(dq_of(m->body[body].pose.q));
    return (tac_pose){d3_to(dq_rotate(back, d3_sub(p, d3_of(m->body[body].pose.p)))), dq_to(dq_mul(back, q))};
}

// d_worst(), and where it was seen.
static inline void worst_at(double *worst, uint64_t *at, double error, uint64_t seed)
{
    const double before = *worst;
    d_worst(worst, error);
    if (*worst != before) { *at = seed; }
}

#endif
