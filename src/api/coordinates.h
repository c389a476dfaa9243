// SPDX-License-Identifier: MIT
// coordinates.h - the API: a state in the coordinates of its mechanism.
//   given   arguments of the caller
//   makes   tac_model_get_coordinates(), tac_state_get_coordinates(), tac_state_set_coordinates()
//   bound   as tactus.h states
//   never   changes the model
#ifndef API_COORDINATES_H
#define API_COORDINATES_H

#include "../tree/coordinates.h"
#include "state.h"
#include "step.h"

// Checks the model and finds the mechanism, unless the last use of the work area has left it there. Its scratch is that
// of a step; one that has begun is abandoned.
static tac_status api_mechanism(const tac_model *m, tac_work *w)
{
    tac_fault fault = {0};
    if (m == NULL || w == NULL) { return TAC_E_ARG; }
    if (!check_counts(m, &fault) || !model_sealed(m)) { return TAC_E_MODEL; }
    const int found = w->open == API_MECHANISM || w->open == API_MECHANISM_LEFT;
    if (!found || w->scratch.mechanism.model_hash != m->hash) { mechanism_find(m, w, &w->scratch.mechanism); }
    w->open = api_has_step(w) ? API_MECHANISM_LEFT : API_MECHANISM;
    return TAC_OK;
}

// Checks a state, and `given`, numbers for each velocity coordinate, or NULL; then as above.
static tac_status api_may_move(const tac_model *m, const tac_state *s, tac_work *w, const tac_real *given)
{
    if (m == NULL || s == NULL) { return TAC_E_ARG; }
    if (s->model_hash != m->hash) { return TAC_E_MODEL; }
    const tac_status status = api_mechanism(m, w);
    if (status || given == NULL) { return status; }
    return reals_finite(given, w->scratch.mechanism.coordinates * sizeof *given) ? TAC_OK : TAC_E_NAN;
}

// Checks these, and places the mechanism where the state is.
static tac_status api_placed(const tac_model *m, const tac_state *s, tac_work *w, const tac_real *given)
{
    const tac_status status = api_may_move(m, s, w, given);
    if (!status) { mechanism_place(m, s->pose, &w->scratch.mechanism); }
    return status;
}

// An object of reals that are not all finite becomes zeros.
static tac_status api_moved(void *object, size_t count)
{
    const size_t size = count * sizeof(real);
    if (reals_finite(object, size)) { return TAC_OK; }
    reals_clear(object, size);
    return TAC_E_NAN;
}

tac_status tac_model_get_coordinates(const tac_model *model, tac_work *work, tac_coordinates *map)
{
    const tac_status status = map != NULL ? api_mechanism(model, work) : TAC_E_ARG;
    if (!status) { mechanism_map(model, &work->scratch.mechanism, map); }
    return status;
}

tac_status tac_state_get_coordinates(const tac_model *model, const tac_state *state, tac_work *work, tac_real *q,
                                     tac_real *dq)
{
    const tac_status status = q != NULL && dq != NULL ? api_may_move(model, state, work, NULL) : TAC_E_ARG;
    if (status) { return status; }
    tac_mechanism *t = &work->scratch.mechanism;
    coordinates_read_all(model, state, t, q, dq);
    const tac_status places = api_moved(q, t->positions), rates = api_moved(dq, t->coordinates);
    return places ? places : rates;
}

tac_status tac_state_set_coordinates(const tac_model *model, tac_state *state, const tac_real *q, const tac_real *dq,
                                     tac_work *work)
{
    const tac_status status = q != NULL ? api_may_move(model, state, work, dq) : TAC_E_ARG;
    if (status || dq == NULL) { return status ? status : TAC_E_ARG; }
    tac_mechanism *t = &work->scratch.mechanism;
    const size_t places = t->positions * sizeof *q, rates = t->coordinates * sizeof *dq;
    if (!reals_finite(q, places) || !coordinates_turn(model, t, q)) { return TAC_E_NAN; }
    if (!reals_within(q, places, TAC_MOST_POSITION) || !reals_within(dq, rates, TAC_MOST_SPEED)) { return TAC_E_ARG; }
    const coordinates_given given = {t, q, dq, NULL, TAC_NONE, NULL, NULL};
    tac_topology own;
    coordinates_set(model, topology_of(model, work, &own), &given, state);
    return TAC_OK;
}

#endif
