// SPDX-License-Identifier: MIT
// api_packed.h - the API: packed states.
//   given   arguments of the caller
//   makes   tac_state_pack(), tac_state_unpack()
//   bound   as tactus.h states
//   never   changes a state that it refuses
#ifndef PREDICT_API_PACKED_H
#define PREDICT_API_PACKED_H

#include "../api/state.h"
#include "packed.h"

#if TAC_PREDICT

tac_status tac_state_pack(const tac_model *model, const tac_state *state, int32_t form, uint8_t *bytes, uint32_t room,
                          uint32_t *size, tac_fault *fault)
{
    tac_fault unseen, *found = fault != NULL ? fault : &unseen;
    *found = (tac_fault){0};
    if (model == NULL || state == NULL || size == NULL) { return api_null(found, model != NULL); }
    check_note(check_that(form >= 0 && form < TAC_PACK_FORMS), TAC_FIELD_PACKED, 1, found);
    if (found->reason) { return TAC_E_ARG; }
    const tac_status status = verify_state(model, state, found);
    if (status) { return status; }
    packed p;
    packed_begin(&p, model, state, found);
    p.form = (uint32_t)form;
    packed_walk(&p);
    *size = p.at;
    if (bytes == NULL || p.at > room) {
        check_note(TAC_REASON_FULL, TAC_FIELD_PACKED, room, found);
        return TAC_E_FULL;
    }
    p.out = bytes;
    p.room = room;
    packed_walk(&p);
    return TAC_OK;
}

// Checked in a first walk, written in a second.
tac_status tac_state_unpack(const tac_model *model, tac_state *state, const uint8_t *bytes, uint32_t size,
                            tac_fault *fault)
{
    tac_fault unseen, *found = fault != NULL ? fault : &unseen;
    *found = (tac_fault){0};
    if (model == NULL || state == NULL || bytes == NULL) { return api_null(found, model != NULL); }
    if (!check_counts(model, found)) { return TAC_E_MODEL; }
    check_note(model_sealed(model) ? TAC_REASON_NONE : TAC_REASON_UNSEALED, TAC_FIELD_HASH, 0, found);
    packed p;
    packed_begin(&p, model, state, found);
    p.in = bytes;
    p.room = size;
    if (!found->reason) { packed_walk(&p); }
    check_note(check_that(p.at == size), TAC_FIELD_PACKED, p.at, found);
    if (found->reason) { return found->field == TAC_FIELD_HASH ? TAC_E_MODEL : check_status(found, TAC_E_ARG); }
    p.to = state;
    packed_walk(&p);
    api_place_ground(model, state);
    state->model_hash = model->hash;
    return TAC_OK;
}

#endif

#endif
