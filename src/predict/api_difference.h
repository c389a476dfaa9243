// SPDX-License-Identifier: MIT
// api_difference.h - the API: the difference of two states, and a state moved by one.
//   given   arguments of the caller
//   makes   tac_state_difference(), tac_state_displace()
//   bound   as tactus.h states
//   never   changes a state that it refuses
#ifndef PREDICT_API_DIFFERENCE_H
#define PREDICT_API_DIFFERENCE_H

#include "../api/coordinates.h"
#include "difference.h"

#if TAC_PREDICT

tac_status tac_state_difference(const tac_model *model, const tac_state *a, const tac_state *b, tac_work *work,
                                tac_real *difference)
{
    if (b == NULL || difference == NULL) { return TAC_E_ARG; }
    const tac_status status = api_may_move(model, a, work, NULL);
    if (status || b->model_hash != model->hash) { return status ? status : TAC_E_MODEL; }
    tac_displaced *d = &work->scratch.displaced;
    coordinates_read_all(model, b, &d->mechanism, d->q, d->dq);
    difference_find(model, a, d, difference);
    return api_moved(difference, 2u * d->mechanism.coordinates);
}

tac_status tac_state_displace(const tac_model *model, tac_state *state, const tac_real *x, tac_work *work)
{
    const tac_status status = x != NULL ? api_may_move(model, state, work, x) : TAC_E_ARG;
    if (status) { return status; }
    tac_displaced *d = &work->scratch.displaced;
    const uint32_t n = d->mechanism.coordinates;
    if (!reals_finite(x + n, n * sizeof *x)) { return TAC_E_NAN; }
    if (!reals_within(x, n * sizeof *x, TAC_MOST_POSITION)) { return TAC_E_ARG; }
    coordinates_read_all(model, state, &d->mechanism, d->q, d->dq);
    difference_add(model, x, d);
    return tac_state_set_coordinates(model, state, d->q, d->dq, work);
}

#endif

#endif
