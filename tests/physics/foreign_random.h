// SPDX-License-Identifier: MIT
// foreign_random.h - a foreign plant of a seed: each mass 10 % more or less, friction 30 % more or less.
//   given   plant->model as the controller would have it, not sealed
//   makes   the plant at its first state
//   bound   constant a body
//   never   takes a mass or a friction that the controller has
#ifndef FOREIGN_RANDOM_H
#define FOREIGN_RANDOM_H

#include "foreign.h"
#include "truth.h"

static inline tac_real foreign_off(rng *r, double by)
{
    return (tac_real)(rng_range(r, -1, 1) < 0 ? 1 - by : 1 + by);
}

static inline tac_status foreign_random(foreign *plant, rng *r, const tac_input *rest)
{
    for (uint16_t i = 1; i < plant->model.bodies; i++) { foreign_scale(&plant->model.body[i], foreign_off(r, 0.1)); }
    return foreign_begin(plant, foreign_off(r, 0.3), rest);
}

#endif
