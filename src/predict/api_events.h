// SPDX-License-Identifier: MIT
// api_events.h - the API: events and loads of steps.
//   given   arguments of the caller
//   makes   tac_events_begin(), tac_events_step(), tac_loads_step()
//   bound   as tactus.h states
//   never   changes a state, a work area, or an object that it refuses
#ifndef PREDICT_API_EVENTS_H
#define PREDICT_API_EVENTS_H

#include "events.h"
#include "loads.h"
#include "../api/state.h"

#if TAC_PREDICT

tac_status tac_events_begin(const tac_model *model, const tac_state *state, tac_event *list, uint32_t room,
                            tac_events *events)
{
    tac_fault fault = {0};
    if (model == NULL || state == NULL || events == NULL || (list == NULL && room > 0)) { return TAC_E_ARG; }
    const tac_status status = verify_state(model, state, &fault);
    if (status) { return status; }
    for (uint16_t i = 0; i < state->warm_count; i++) {
        const tac_feature *id = &state->warm[i].id;
        if (id->shape_a >= model->shapes || id->shape_b >= model->shapes) { return TAC_E_ARG; }
    }
    events->list = list;
    events->room = room;
    events->count = events->dropped = 0;
    events->model_hash = model->hash;
    events->step = state->step;
    events_begin(model, state, events);
    return TAC_OK;
}

// Does the work area hold the step that has made the state, with its blocks?
static tac_status api_made(const tac_model *m, const tac_state *s, const tac_work *w)
{
    if (!model_sealed(m) || s->model_hash != m->hash) { return TAC_E_MODEL; }
    return w->open == API_TAKEN && w->model_hash == m->hash && w->step + 1 == s->step ? TAC_OK : TAC_E_ORDER;
}

tac_status tac_events_step(const tac_model *model, const tac_state *state, tac_work *work, tac_events *events)
{
    if (model == NULL || state == NULL || work == NULL || events == NULL) { return TAC_E_ARG; }
    if (events->list == NULL && events->room > 0) { return TAC_E_ARG; }
    const tac_status status = api_made(model, state, work);
    if (status) { return status; }
    if (events->model_hash != model->hash) { return TAC_E_MODEL; }
    if (events->step != work->step || events->touches > TAC_MAX_CONTACTS) { return TAC_E_ORDER; }
    const uint32_t dropped = events->dropped;
    events_pairs(model, state, work, events);
    events_joints(model, state, work, events);
    events->step = state->step;
    return events->dropped != dropped ? TAC_FULL : TAC_OK;
}

tac_status tac_loads_step(const tac_model *model, const tac_state *state, const tac_work *work, tac_loads *loads)
{
    if (model == NULL || state == NULL || work == NULL || loads == NULL) { return TAC_E_ARG; }
    const tac_status status = api_made(model, state, work);
    if (status) { return status; }
    loads_step(model, state, work, loads);
    return TAC_OK;
}

#endif

#endif
