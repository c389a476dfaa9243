// SPDX-License-Identifier: MIT
// interval.h - a row whose impulse has bounds: hard (a constraint of the velocity) or soft (a spring and damper).
//   given   the interval, the impulse of its row and the velocity that belongs to it
//   makes   the impulse that satisfies its law; the natural map
//   bound   one division
//   never   leaves an impulse outside its bounds
#ifndef SETS_INTERVAL_H
#define SETS_INTERVAL_H

#include "../base/real.h"

// The impulse that satisfies the law of the interval with the velocity that it causes itself, all others held: u
// belongs to g, w is the row's diagonal of W, and the law of a soft one is P(centre - weight u).
static inline real interval_local(const tac_interval *x, real g, real u, real w)
{
    const real next = x->hard ? g - u / w : (x->centre - x->weight * (u - w * g)) / (R(1.0) + x->weight * w);
    return real_clamp(next, x->lo, x->hi);
}

// Natural map in velocity units, m/s.
static inline real interval_natural(const tac_interval *x, real g, real u, real w)
{
    const real aim = x->hard ? g - u / w : x->centre - x->weight * u;
    return (g - real_clamp(aim, x->lo, x->hi)) * (x->hard ? w : w / (R(1.0) + x->weight * w));
}

// Can the impulse meet a bound? One that cannot is always in force.
static inline int interval_bounded(const tac_interval *x)
{
    return x->used && (x->hard || x->lo > -REAL_LARGEST || x->hi < REAL_LARGEST);
}

#endif
