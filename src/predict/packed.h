// SPDX-License-Identifier: MIT
// packed.h - a state as bytes, and back: one walk over its numbers for both.
//   given   a model, a state or bytes, and where the result goes
//   makes   bytes, little endian, of what the model's state has; or the state that was packed
//   bound   one visit to each body, each joint, each contact in use
//   never   writes a number that has not been checked
#ifndef PREDICT_PACKED_H
#define PREDICT_PACKED_H

#include "../api/verify.h"

#if TAC_PREDICT

// The layout is in README.md. A walk visits the numbers in its order, whatever it does with them.
#define PACKED_VERSION 1
#define PACKED_START UINT32_C(2166136261)
#define PACKED_PRIME UINT32_C(16777619)

typedef struct packed {
    const tac_model *m;
    const uint8_t *in;     // read from; NULL: `out` is written
    uint8_t *out;          // NULL: bytes are counted
    uint32_t room, at;     // at > room: some had none
    uint32_t sum;          // of the bytes before `at`
    uint32_t form;         // TAC_PACK_*: that is written, or that the bytes have
    const tac_state *from; // that is written
    tac_state *to;         // that is read; NULL: only checked
    tac_fault *fault;
} packed;

// Nothing is read or written yet: bytes are counted.
static void packed_begin(packed *p, const tac_model *m, const tac_state *from, tac_fault *fault)
{
    bytes_clear(p, sizeof *p);
    p->m = m;
    p->from = from;
    p->fault = fault;
}

static uint8_t packed_byte(packed *p, uint8_t value)
{
    if (p->in != NULL) { value = p->at < p->room ? p->in[p->at] : 0; }
    if (p->out != NULL && p->at < p->room) { p->out[p->at] = value; }
    p->at++;
    p->sum = (p->sum ^ value) * PACKED_PRIME;
    return value;
}

// Writes a number, or reads one in its place.
static uint64_t packed_number(packed *p, int bytes, uint64_t value)
{
    uint64_t number = 0;
    for (int i = 0; i < bytes; i++) { number |= (uint64_t)packed_byte(p, (uint8_t)(value >> 8 * i & 255)) << 8 * i; }
    return number;
}

static void packed_real(packed *p, real *x)
{
    real_pun pun = {*x};
    pun.bits = (real_bits)packed_number(p, (int)sizeof pun.bits, pun.bits);
    *x = pun.value;
}

// An object that consists of reals.
static void packed_reals(packed *p, void *object, size_t size)
{
    real *x = object;
    for (size_t i = 0; i < size / sizeof *x; i++) { packed_real(p, &x[i]); }
}

// One of which many are zero: the sign of a zero is a number, so only those count whose bits are all zero.
static void packed_sparse(packed *p, void *object, size_t size)
{
    real *x = object;
    const size_t count = size / sizeof *x;
    uint64_t mask = 0;
    for (size_t i = 0; i < count; i++) {
        const real_pun pun = {x[i]};
        mask |= (uint64_t)(pun.bits != 0) << i;
    }
    mask = packed_number(p, count > 8 ? 2 : 1, mask);
    for (size_t i = 0; i < count; i++) {
        x[i] = mask >> i & 1 ? x[i] : R(0.0);
        if (mask >> i & 1) { packed_real(p, &x[i]); }
    }
}

// What is read must be this.
static void packed_same(packed *p, int bytes, uint64_t value, int field, int reason)
{
    const uint32_t index = field == TAC_FIELD_PACKED ? p->at : 0;
    check_note(packed_number(p, bytes, value) == value ? TAC_REASON_NONE : reason, field, index, p->fault);
}

// Returns the number of contacts.
static uint32_t packed_head(packed *p)
{
    const tac_state *s = p->from;
    packed_same(p, 1, PACKED_VERSION, TAC_FIELD_PACKED, TAC_REASON_KIND);
    p->form = (uint32_t)packed_number(p, 1, p->form);
    check_note(p->form < TAC_PACK_FORMS ? TAC_REASON_NONE : TAC_REASON_KIND, TAC_FIELD_PACKED, 1, p->fault);
    packed_same(p, 1, sizeof(real), TAC_FIELD_PACKED, TAC_REASON_KIND);
    const uint64_t unsolved = packed_number(p, 1, s->warm_unsolved);
    packed_same(p, 4, p->m->hash, TAC_FIELD_HASH, TAC_REASON_MISMATCH);
    const uint64_t step = packed_number(p, 8, s->step), count = packed_number(p, 2, s->warm_count);
    const uint64_t peak = packed_number(p, 2, s->contacts_peak);
    check_note(check_that(unsolved <= 1), TAC_FIELD_PACKED, 3, p->fault);
    check_note(check_that(count <= TAC_MAX_CONTACTS), TAC_FIELD_COUNT, TAC_COUNT_CONTACTS, p->fault);
    if (p->to != NULL) {
        p->to->warm_unsolved = (uint16_t)unsolved;
        p->to->step = step;
        p->to->warm_count = (uint16_t)count;
        p->to->contacts_peak = (uint16_t)peak;
    }
    return (uint32_t)count;
}

static void packed_body(packed *p, uint16_t i)
{
    tac_pose pose;
    tac_twist twist;
    tac_compensation lost;
    reals_copy(&pose, &p->from->pose[i], sizeof pose);
    reals_copy(&twist, &p->from->twist[i], sizeof twist);
    reals_copy(&lost, &p->from->compensation[i], sizeof lost);
    packed_reals(p, &pose, sizeof pose);
    packed_reals(p, &twist, sizeof twist);
    if (p->form == TAC_PACK_EXACT) {
        packed_reals(p, &lost, sizeof lost);
    } else {
        reals_clear(&lost, sizeof lost);
    }
    verify_body(p->m, &pose, &twist, &lost, i, p->fault);
    if (p->to == NULL) { return; }
    reals_copy(&p->to->pose[i], &pose, sizeof pose);
    reals_copy(&p->to->twist[i], &twist, sizeof twist);
    reals_copy(&p->to->compensation[i], &lost, sizeof lost);
}

static void packed_contact(packed *p, uint32_t i)
{
    tac_warm g;
    bytes_copy(&g, &p->from->warm[i], sizeof g);
    g.id.shape_a = (uint16_t)packed_number(p, 2, g.id.shape_a);
    g.id.shape_b = (uint16_t)packed_number(p, 2, g.id.shape_b);
    g.id.feature = (uint32_t)packed_number(p, 4, g.id.feature);
    packed_sparse(p, &g.impulse, sizeof g - offsetof(tac_warm, impulse));
    check_note(check_finite(&g.impulse, sizeof g - offsetof(tac_warm, impulse)), TAC_FIELD_IMPULSE, i, p->fault);
    if (p->to != NULL) { bytes_copy(&p->to->warm[i], &g, sizeof g); }
}

static void packed_joint(packed *p, uint32_t i)
{
    tac_joint_warm g;
    reals_copy(&g, &JOINT_WARM(p->from)[i], sizeof g);
    if (p->form == TAC_PACK_EXACT) {
        packed_sparse(p, &g, sizeof g);
    } else {
        const real revolutions = g.of.revolutions;
        reals_clear(&g, sizeof g);
        if (JOINT_OF(p->m)[i].kind == TAC_COUPLING) {
            g.of.revolutions = revolutions;
            packed_real(p, &g.of.revolutions);
        }
    }
    check_note(check_finite(&g, sizeof g), TAC_FIELD_IMPULSE, TAC_MAX_CONTACTS + i, p->fault);
    if (p->to != NULL) { reals_copy(&JOINT_WARM(p->to)[i], &g, sizeof g); }
}

// Of a joint that may be switched, in every form: whether it is in force, and what it has captured.
static void packed_switch(packed *p, uint32_t i)
{
    tac_switch x;
    bytes_clear(&x, sizeof x);
    if (SWITCH_MAY(&JOINT_OF(p->m)[i])) { x.is = (uint32_t)packed_number(p, 1, SWITCH_OF(p->from)[i].is); }
    const int captures = x.is == TAC_JOINT_CAPTURED;
    if (captures) {
        reals_copy(&x.frame, &SWITCH_OF(p->from)[i].frame, sizeof x.frame);
        packed_reals(p, &x.frame, sizeof x.frame);
    }
    verify_switch(&JOINT_OF(p->m)[i], &x, i, p->fault);
    if (p->to != NULL) { bytes_copy(&SWITCH_OF(p->to)[i], &x, sizeof x); }
}

static void packed_account(packed *p)
{
    tac_account account = *JOINT_ACCOUNT(p->from);
    if (p->form == TAC_PACK_EXACT) {
        packed_reals(p, &account, sizeof account);
    } else {
        reals_clear(&account, sizeof account);
    }
    check_note(check_finite(&account, sizeof account), TAC_FIELD_ACCOUNT, 0, p->fault);
    if (p->to != NULL) { *JOINT_ACCOUNT(p->to) = account; }
}

// Writes, counts, checks or reads all of it. Ends at the first fault.
static void packed_walk(packed *p)
{
    p->at = 0;
    p->sum = PACKED_START;
    const uint32_t contacts = packed_head(p);
    if (JOINT_COUNT(p->m) > 0 && !p->fault->reason) { packed_account(p); }
    for (uint16_t i = 1; i < p->m->bodies && !p->fault->reason; i++) { packed_body(p, i); }
    for (uint32_t i = 0; i < contacts && !p->fault->reason; i++) { packed_contact(p, i); }
    for (uint32_t i = 0; i < JOINT_COUNT(p->m) && !p->fault->reason; i++) { packed_joint(p, i); }
    for (uint32_t i = 0; TAC_SWITCHES && i < JOINT_COUNT(p->m) && !p->fault->reason; i++) { packed_switch(p, i); }
    if (!p->fault->reason) { packed_same(p, 4, p->sum, TAC_FIELD_PACKED, TAC_REASON_MISMATCH); }
}

#endif

#endif
