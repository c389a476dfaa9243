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

// Are they there, and is the model one to trust? Faults as verify_state() has them.
static tac_status api_packed(const tac_model *m, const tac_state *s, const void *other, int32_t form, tac_fault *fault)
{
    *fault = (tac_fault){0};
    if (m == NULL || s == NULL || other == NULL) { return api_null(fault, m != NULL); }
    check_note(check_that(form >= 0 && form < TAC_PACK_FORMS), TAC_FIELD_PACKED, 1, fault);
    return check_status(fault, TAC_E_ARG);
}

tac_status tac_state_pack(const tac_model *model, const tac_state *state, int32_t form, uint8_t *bytes, uint32_t room,
                          uint32_t *size, tac_fault *fault)
{
    tac_fault unseen, *found = fault != NULL ? fault : &unseen;
    tac_status status = api_packed(model, state, size, form, found);
    if (!status) { status = verify_state(model, state, found); }
    if (status) { return status; }
    packed p;
    packed_begin(&p, model, state, found);
    packed_walk(&p, (uint32_t)form);
    *size = p.at;
    if (bytes == NULL || p.at > room) {
        check_note(TAC_REASON_FULL, TAC_FIELD_PACKED, room, found);
        return TAC_E_FULL;
    }
    p.out = bytes;
    p.room = room;
    packed_walk(&p, (uint32_t)form);
    return TAC_OK;
}

tac_status tac_state_unpack(const tac_model *model, tac_state *state, int32_t form, const uint8_t *bytes, uint32_t size,
                            tac_fault *fault)
{
    tac_fault unseen, *found = fault != NULL ? fault : &unseen;
    const tac_status status = api_packed(model, state, bytes, form, found);
    if (status) { return status; }
    if (!check_counts(model, found)) { return TAC_E_MODEL; }
    check_note(model_sealed(model) ? TAC_REASON_NONE : TAC_REASON_UNSEALED, TAC_FIELD_HASH, 0, found);
    packed p;
    packed_begin(&p, model, state, found);
    p.in = bytes;
    p.room = size;
    if (!found->reason) { packed_walk(&p, (uint32_t)form); }
    if (found->reason) { return found->field == TAC_FIELD_HASH ? TAC_E_MODEL : check_status(found, TAC_E_ARG); }
    check_note(check_that(p.at == size), TAC_FIELD_PACKED, p.at, found);
    if (found->reason) { return TAC_E_ARG; }
    p.to = state;
    packed_walk(&p, (uint32_t)form);
    api_place_ground(model, state);
    state->model_hash = model->hash;
    return TAC_OK;
}

#endif

#endif
