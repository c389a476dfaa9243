// SPDX-License-Identifier: MIT
// api_linear.h - the API: the step as a linear complementarity system, and its derivative (TAC_MAX_LCP).
//   given   arguments of the caller
//   makes   tac_lcs_*(), tac_linearise(), tac_derivative()
//   bound   as tactus.h states
//   never   changes the state
#ifndef DERIVATIVE_API_LINEAR_H
#define DERIVATIVE_API_LINEAR_H

#include "../robot/api_dynamics.h"
#include "../t03/api_lcp.h"
#include "derivative_parameters.h"
#include "linearise.h"

#if TAC_MAX_LCP > 0

void tac_lcs_init(tac_lcs *system)
{
    if (system == NULL) { return; }
    bytes_clear(system, sizeof *system);
    system->within = TAC_AUTO;
    system->plane = v3(R(0.0), R(1.0), R(0.0));
    system->directions = 2;
}

// Free roots: their coordinates come first.
static uint32_t api_linear_roots(const tac_mechanism *k)
{
    uint32_t roots = 0;
    for (uint32_t at = 0; at < k->bodies; at++) { roots += (uint32_t)mechanism_free(&k->body[k->order[at]]); }
    return roots;
}

// Numbers in x and u, and a joint that is no part of a tree: TAC_NONE if all are.
static uint16_t api_linear_size(const tac_model *m, const tac_mechanism *t, int wrenches, tac_linear_size *size)
{
    const uint32_t roots = 6 * api_linear_roots(t);
    size->x = (uint16_t)(2 * t->coordinates);
    size->u = (uint16_t)(t->coordinates - (wrenches ? 0 : roots));
    for (uint16_t i = 0; i < JOINT_COUNT(m); i++) {
        if (t->first[i] == TAC_NONE) { return i; }
    }
    return TAC_NONE;
}

// The mechanism, in which the system is. Are its coordinates those of trees, and is there room for them?
static tac_status api_linear_room(const tac_model *m, int wrenches, const tac_linear_size *room, tac_work *w,
                                  tac_linear_size *size, tac_fault *fault)
{
    tac_mechanism *t = &w->scratch.varied.mechanism;
    mechanism_find(m, w, t);
    const uint16_t loop = api_linear_size(m, t, wrenches, size);
    if (loop != TAC_NONE) {
        check_note(TAC_REASON_METHOD, TAC_FIELD_JOINT_KIND, loop, fault);
        return TAC_E_ARG;
    }
    const int fits = size->x <= room->x && size->u <= room->u && 2 * t->coordinates <= TAC_MAX_LCP;
    check_note(fits ? TAC_REASON_NONE : TAC_REASON_FULL, TAC_FIELD_COUNT, TAC_COUNT_BODIES, fault);
    return fits ? TAC_OK : TAC_E_FULL;
}

// Are all arrays there, and all options in their ranges?
static int api_linear_asked(const tac_lcs *y)
{
    const int arrays = y->A != NULL && y->D != NULL && y->d != NULL && y->E != NULL && y->F != NULL && y->c != NULL &&
                       ((y->B != NULL && y->H != NULL) || y->room.u == 0);
    const int planar =
        y->directions != 1 || (reals_finite(&y->plane, sizeof y->plane) && v3_norm_inf(y->plane) > R(0.0));
    return arrays && planar && y->form < TAC_LCS_FORMS && y->directions >= 1 && y->directions <= TAC_LCS_DIRECTIONS &&
           (y->within == TAC_AUTO || check_within(y->within, TAC_MOST_LENGTH));
}

tac_status tac_lcs_sizes(const tac_model *model, const tac_lcs *system, uint16_t contacts, tac_work *work,
                         tac_linear_size *size)
{
    if (system == NULL || size == NULL) { return TAC_E_ARG; }
    const tac_status status = api_mechanism(model, work);
    if (status) { return status; }
    uint32_t rows = (uint32_t)contacts * (2u * system->directions + (system->form == TAC_LCS_ANITESCU ? 0 : 2));
    (void)api_linear_size(model, &work->scratch.mechanism, system->wrenches, size);
    for (uint32_t i = 0; i < JOINT_COUNT(model); i++) {
        const tac_joint *j = &JOINT_OF(model)[i];
        rows += 3u * (uint32_t)(j->friction > R(0.0)) + 3u * (uint32_t)(j->effort < REAL_LARGEST) +
                (uint32_t)(j->lower < j->upper);
    }
    size->l = (uint16_t)(rows < UINT16_MAX ? rows : UINT16_MAX);
    return TAC_OK;
}

// The rows of the problem of the step of T03, and its f. Its directions are those of the system.
static tac_status api_linear_problem(const tac_model *m, const tac_state *s, const tac_input *input, tac_work *w,
                                     tac_lcp *q, tac_lcs *y, lcp_rows *n)
{
    const uint8_t directions = q->directions;
    begin(m, s, input, ARRIVALS_NONE, w);
    linearise_contacts(m, s, y, w);
    iterate_clear(w, w->scratch.solve.g);
    iterate_clear(w, w->scratch.solve.best);
    lcp_take(m, s, input, w);
    q->directions = (uint8_t)(2 * y->directions);
    n->contacts = n->rolls = w->report.contacts;
    const int made = lcp_open(s, w, q, n);
    q->directions = directions;
    if (!made) { return TAC_E_FULL; }
    y->contacts = w->report.contacts;
    y->limits = (uint16_t)n->limits;
    y->efforts = (uint16_t)n->efforts;
    y->size.l = (uint16_t)linearise_count(y, n);
    if (y->size.l > y->room.l) {
        check_note(TAC_REASON_FULL, TAC_FIELD_CONTACT, (uint16_t)n->contacts, &w->report.fault);
        return TAC_E_FULL;
    }
    return TAC_OK;
}

// Is every number of the system finite?
static int api_linear_finite(const tac_lcs *y)
{
    const size_t x = y->size.x, u = y->size.u, l = y->size.l, one = sizeof(real);
    return reals_finite(y->A, x * x * one) && reals_finite(y->B, x * u * one) && reals_finite(y->D, x * l * one) &&
           reals_finite(y->d, x * one) && reals_finite(y->E, l * x * one) && reals_finite(y->F, l * l * one) &&
           reals_finite(y->H, l * u * one) && reals_finite(y->c, l * one);
}

// Neither does what friction with a direction or static friction makes of a change of the state.
static inline int api_linear_coulomb(const tac_model *m, tac_fault *fault)
{
    return !TAC_FRICTION_LAWS || check_coulomb(m, fault);
}

tac_status tac_linearise(const tac_model *model, const tac_state *state, const tac_input *input, tac_work *work,
                         tac_lcp *lcp, tac_lcs *system)
{
    tac_fault fault = {0};
    lcp_rows rows;
    if (work == NULL || lcp == NULL || system == NULL || !api_linear_asked(system)) { return TAC_E_ARG; }
    tac_status status = api_report(work, api_may_begin(model, state, input, &fault), &fault);
    const int knows = !status && check_still(model, &fault) && api_linear_coulomb(model, &fault);
    if (!status && !knows) { status = api_report(work, TAC_E_ARG, &fault); }
    if (status) { return status; }
    status = api_linear_problem(model, state, input, work, lcp, system, &rows);
    fault = work->report.fault;
    if (!status) { status = api_linear_room(model, system->wrenches, &system->room, work, &system->size, &fault); }
    if (status) { return api_report(work, status, &fault); }
    vary_step x;
    vary_open(model, state, input, work, lcp, &x);
    vary_lay(&x, system->size.x / 2u, 0);
    if (!linearise_system(&x, &rows, system) || !api_linear_finite(system)) {
        check_note(TAC_REASON_NOT_FINITE, TAC_FIELD_RESULT, 0, &fault);
        return api_report(work, TAC_E_NAN, &fault);
    }
    work->report.status = work->report.dropped ? TAC_FULL : 0;
    return work->report.status;
}

// The step without its commit.
static int api_derivative_step(const tac_model *m, const tac_state *s, const tac_input *input, tac_work *w)
{
    ccp_begin(m, s, input, ARRIVALS_CCP, w);
    ccp_sweep(w, m->options.max_sweeps);
    return ccp_finish(m, s, w);
}

// Refuses what the derivative does not cover: bounces, contacts that resist rolling or spinning, joints whose errors
// become velocities. Returns 0 with the fault.
static int api_derivative_may(const tac_model *m, const tac_work *w, tac_fault *fault)
{
    if (w->report.impacts > 0) { check_note(TAC_REASON_METHOD, TAC_FIELD_RESTITUTION, 0, fault); }
    for (uint32_t i = 0; i < w->report.contacts; i++) {
        const tac_contact *c = &w->contact[i];
        if (ROLLING_SPINNING(c) > R(0.0) || ROLLING_ROLLING(c) > R(0.0)) {
            check_note(TAC_REASON_METHOD, TAC_FIELD_ROLLING, (uint16_t)i, fault);
        }
    }
    if (JOINT_COUNT(m) > 0 && m->options.stabilise) { check_note(TAC_REASON_METHOD, TAC_FIELD_STABILISE, 0, fault); }
    return fault->reason == TAC_REASON_NONE;
}

// Are all parameters of the model, and of kinds that move no contact, no centre of mass and not all bodies?
static int api_derivative_asked(const tac_model *m, const tac_step_derivative *y, tac_fault *fault)
{
    for (uint32_t i = 0; i < y->parameters && fault->reason == TAC_REASON_NONE; i++) {
        const uint8_t kind = y->parameter[i].kind;
        const int moves = kind == TAC_FIT_ROUNDING || (kind >= TAC_FIT_CENTRE_X && kind <= TAC_FIT_CENTRE_Z) ||
                          kind == TAC_FIT_GRAVITY;
        const int reason = parameter_named(m, kind, y->parameter[i].index);
        check_note(reason ? reason : (moves ? TAC_REASON_METHOD : TAC_REASON_NONE), TAC_FIELD_PARAMETER, i, fault);
    }
    return fault->reason == TAC_REASON_NONE;
}

// Is there room for the contacts that bear a force, at first without coordinates?
static int api_derivative_room(uint32_t coordinates, uint32_t count, tac_fault *fault)
{
    const int fits = coordinates + 6 * count <= TAC_MAX_LCP && 2 * coordinates + 4 * count <= TAC_MAX_LCP &&
                     (count == 0 || TAC_MAX_LCP >= DERIVATIVE_NUMBERS);
    check_note(fits ? TAC_REASON_NONE : TAC_REASON_FULL, TAC_FIELD_CONTACT, (uint16_t)count, fault);
    return fits;
}

// The step, then its derivative. TAC_UNCONVERGED is that of the step.
static tac_status api_derivative(vary_step *x, tac_step_derivative *y, tac_fault *fault)
{
    if (!api_derivative_step(x->m, x->s, x->input, x->w)) {
        *fault = x->w->report.fault;
        return TAC_E_NAN;
    }
    if (y->next != NULL) {
        bytes_copy(y->next, x->s, sizeof *y->next);
        commit(x->m, y->next, x->w);
    }
    const int solved = x->w->progress.converged;
    x->k = derivative_count(x->w, x->smoothing);
    if (!api_derivative_may(x->m, x->w, fault)) { return TAC_E_ARG; }
    if (!api_derivative_room(0, x->k, fault)) { return TAC_E_FULL; }
    y->size.l = (uint16_t)(3 * x->k);
    derivative_keep(x);
    derivative_shapes(x);
    const tac_status status = api_linear_room(x->m, y->wrenches, &y->room, x->w, &y->size, fault);
    if (status) { return status; }
    if (!api_derivative_room(y->size.x / 2u, x->k, fault)) { return TAC_E_FULL; }
    const size_t wide = y->size.x;
    vary_lay(x, y->size.x / 2u, x->k);
    x->friction = y->parameters > 0;
    vary_start(x);
    const int made = derivative_make(x, y);
    if (made) { derivative_parameters(x, y); }
    if (!made || !reals_finite(y->A, wide * wide * sizeof(real)) ||
        !reals_finite(y->B, wide * y->size.u * sizeof(real)) ||
        !reals_finite(y->P, wide * y->parameters * sizeof(real))) {
        check_note(TAC_REASON_NOT_FINITE, TAC_FIELD_RESULT, 0, fault);
        return TAC_E_NAN;
    }
    return solved ? TAC_OK : TAC_UNCONVERGED;
}

tac_status tac_derivative(const tac_model *model, const tac_state *state, const tac_input *input, tac_work *work,
                          tac_lcp *lcp, tac_step_derivative *result)
{
    tac_fault fault = {0};
    if (work == NULL || lcp == NULL || result == NULL || result->A == NULL ||
        (result->B == NULL && result->room.u > 0) || (result->next != NULL && result->next == state) ||
        (result->parameters > 0 && (result->parameter == NULL || result->P == NULL)) ||
        !(result->smoothing >= R(0.0) && result->smoothing <= TAC_MOST_SPEED)) {
        return TAC_E_ARG;
    }
    tac_status status = api_report(work, api_may_begin(model, state, input, &fault), &fault);
    const int knows = !status && check_still(model, &fault) && api_linear_coulomb(model, &fault);
    if (!status && (!knows || !api_derivative_asked(model, result, &fault))) {
        status = api_report(work, TAC_E_ARG, &fault);
    }
    if (status) { return status; }
    vary_step x;
    vary_open(model, state, input, work, lcp, &x);
    x.bears = 1;
    x.smoothing = result->smoothing;
    status = api_derivative(&x, result, &fault);
    if (status < 0) { return api_report(work, status, &fault); }
    work->open = 0;
    work->report.status = (work->report.dropped ? TAC_FULL : 0) | status;
    return work->report.status;
}

#endif

#endif
