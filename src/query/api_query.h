// SPDX-License-Identifier: MIT
// api_query.h - the API: queries on a state or on the work area of a step; names of faults.
//   given   arguments of the caller
//   makes   the query functions of tactus.h
//   bound   as tactus.h states
//   never   changes model or state
#ifndef QUERY_API_QUERY_H
#define QUERY_API_QUERY_H

#include "distance.h"
#include "touch.h"
#include "force.h"
#include "least_norm.h"
#include "sentence.h"
#include "../api/state.h"
#include "../api/step.h"

void tac_energy(const tac_model *model, const tac_state *state, tac_real *kinetic, tac_real *potential)
{
    real k = R(0.0), p = R(0.0);
    for (uint16_t i = 1; api_has_body(model, state, i); i++) {
        free_add_energy(model, i, &state->pose[i], &state->twist[i], &k, &p);
    }
    if (kinetic != NULL) { *kinetic = k; }
    if (potential != NULL) { *potential = p; }
}

void tac_momentum(const tac_model *model, const tac_state *state, tac_vec3 *linear, tac_vec3 *angular)
{
    vec3 p = V3_ZERO, l = V3_ZERO;
    for (uint16_t i = 1; api_has_body(model, state, i); i++) {
        free_add_momentum(&model->body[i], &state->pose[i], &state->twist[i], &p, &l);
    }
    if (linear != NULL) { *linear = p; }
    if (angular != NULL) { *angular = l; }
}

// Checks the arguments of a query. Its scratch is that of a step, which is abandoned.
static tac_status api_may_ask(const tac_model *m, const tac_state *s, tac_work *w)
{
    tac_fault fault = {0};
    if (m == NULL || s == NULL || w == NULL) { return TAC_E_ARG; }
    if (!check_counts(m, &fault) || !model_sealed(m) || s->model_hash != m->hash) { return TAC_E_MODEL; }
    w->open = api_has_step(w) ? API_LEFT : 0;
    return TAC_OK;
}

tac_status tac_cast(const tac_model *model, const tac_state *state, const tac_ray *ray, tac_work *work, tac_hit *hit)
{
    if (ray == NULL || hit == NULL) { return TAC_E_ARG; }
    if (!reals_finite(ray, offsetof(tac_ray, body))) { return TAC_E_NAN; }
    if (!(ray->range >= R(0.0) && check_within(ray->radius, TAC_MOST_LENGTH) &&
          reals_within(&ray->origin, sizeof ray->origin, TAC_MOST_POSITION) && v3_norm_inf(ray->direction) > R(0.0))) {
        return TAC_E_ARG;
    }
    const tac_status status = api_may_ask(model, state, work);
    if (status) { return status; }
    tac_hit found;
    const int good = cast_find(model, state, ray, &work->scratch.collision, &found);
    if (!good || !reals_finite(&found, offsetof(tac_hit, shape))) { return TAC_E_NAN; }
    *hit = found;
    return TAC_OK;
}

tac_status tac_distance(const tac_model *model, const tac_state *state, uint16_t body_a, uint16_t body_b,
                        tac_work *work, tac_nearest *result)
{
    const tac_status status = api_may_ask(model, state, work);
    if (status) { return status; }
    if (result == NULL || body_a >= model->bodies || body_b >= model->bodies || body_a == body_b) { return TAC_E_ARG; }
    tac_nearest *found = &work->scratch.collision.query.near.nearest;
    const int good = distance_bodies(model, state, body_a, body_b, &work->scratch.collision, found);
    if (!good || !reals_finite(found, offsetof(tac_nearest, shape_a))) { return TAC_E_NAN; }
    bytes_copy(result, found, sizeof *result);
    return TAC_OK;
}

int32_t tac_overlap(const tac_model *model, const tac_state *state, const tac_shape *shape, tac_real margin,
                    tac_work *work, uint16_t *list, uint16_t room)
{
    const tac_status status = api_may_ask(model, state, work);
    if (status) { return status; }
    if (shape == NULL || (list == NULL && room > 0) || !(real_abs(margin) <= TAC_MOST_LENGTH)) { return TAC_E_ARG; }
    tac_fault fault = {0};
    tac_shape own;
    bytes_copy(&own, shape, sizeof own);
    check_straighten(&own.pose.q);
    check_form(model, &own, TAC_MOST_POSITION, 0, &fault);
    if (fault.reason) { return check_status(&fault, TAC_E_ARG); }
    const int32_t count = distance_list(model, state, &own, margin, &work->scratch.collision, list, room);
    return count < 0 ? TAC_E_NAN : count;
}

tac_status tac_contacts(const tac_model *model, const tac_state *state, uint16_t body, tac_real margin, tac_work *work)
{
    tac_fault fault = {0};
    if (work == NULL) { return TAC_E_ARG; }
    const tac_status status = api_report(work, api_may_begin(model, state, NULL, &fault), &fault);
    if (status) { return status; }
    if (body >= model->bodies) { return api_report(work, TAC_E_ARG, &fault); }
    if (margin != TAC_AUTO && !check_within(margin, TAC_MOST_LENGTH)) { return api_report(work, TAC_E_ARG, &fault); }
    if (!touch_find(model, state, body, margin, work)) {
        check_note(TAC_REASON_NOT_FINITE, TAC_FIELD_RESULT, 0, &fault);
        return api_report(work, TAC_E_NAN, &fault);
    }
    work->report.status = work->report.dropped ? TAC_FULL : TAC_OK;
    return work->report.status;
}

// Are there forces of contacts, and is this point finite?
static tac_status api_forces(const tac_model *m, const tac_work *w, const vec3 *point)
{
    if (!reals_finite(point, sizeof *point)) { return TAC_E_NAN; }
    const int shown = w->open != API_OPEN && w->report.contacts <= TAC_MAX_CONTACTS;
    return shown && w->model_hash == m->hash ? TAC_OK : TAC_E_ORDER;
}

static tac_status api_force(tac_wrench found, tac_wrench *sum)
{
    if (!reals_finite(&found, sizeof found)) { return TAC_E_NAN; }
    *sum = found;
    return TAC_OK;
}

tac_status tac_body_force(const tac_model *model, const tac_work *work, uint16_t body, tac_vec3 point, tac_wrench *sum)
{
    if (model == NULL || work == NULL || sum == NULL || body >= model->bodies) { return TAC_E_ARG; }
    const tac_status status = api_forces(model, work, &point);
    return status ? status : api_force(force_of_body(model, work, body, point), sum);
}

tac_status tac_shape_force(const tac_model *model, const tac_work *work, uint16_t shape, tac_vec3 point,
                           tac_wrench *sum)
{
    if (model == NULL || work == NULL || sum == NULL || shape >= model->shapes) { return TAC_E_ARG; }
    const tac_status status = api_forces(model, work, &point);
    return status ? status : api_force(force_of_shape(model, work, shape, point), sum);
}

static int api_is_taken(const tac_model *m, const tac_work *w)
{
    return w->open == API_TAKEN && w->model_hash == m->hash;
}

tac_status tac_reactions(const tac_model *model, tac_work *work)
{
    if (model == NULL || work == NULL) { return TAC_E_ARG; }
    if (!api_has_step(work) || work->model_hash != model->hash) { return api_order(work); }
    if (work->progress.reactions) { return TAC_OK; }
    if (work->open != API_TAKEN) { return api_order(work); }
    reactions_make(work);
    (void)results_joints(model, work);
    if (results_reactions(model, work)) { return TAC_OK; }
    (void)results_joints(model, work); // without them again
    return TAC_E_NAN;
}

tac_status tac_certify(const tac_model *model, tac_work *work, tac_certificate *certificate)
{
    if (model == NULL || work == NULL || certificate == NULL) { return TAC_E_ARG; }
    if (!api_is_taken(model, work)) { return api_order(work); }
    certify(model, work, certificate);
    if (reals_finite(certificate, offsetof(tac_certificate, open))) { return TAC_OK; }
    bytes_clear(certificate, sizeof *certificate);
    return TAC_E_NAN;
}

tac_status tac_least_norm(const tac_model *model, tac_work *work, uint32_t iterations)
{
    if (model == NULL || work == NULL) { return TAC_E_ARG; }
    if (!api_is_taken(model, work)) { return api_order(work); }
    if (!least_norm_may(work)) { return TAC_E_ARG; }
    return least_norm_find(model, work, iterations) ? TAC_OK : TAC_UNCONVERGED;
}

tac_status tac_check(const tac_model *model, const tac_state *state, const tac_work *work, tac_fault *fault)
{
    tac_fault unseen, *found = fault != NULL ? fault : &unseen;
    tac_status status = tac_model_check(model, found);
    if (status) { return status; }
    if (state == NULL) { return api_null(found, 1); }
    if (!api_is_sealed(model, found)) { return TAC_E_MODEL; }
    status = verify_state(model, state, found);
    if (!status && work != NULL) { status = verify_work(model, work, found); }
    if (status) { return status; }
    const uint32_t apart = hold_all(model, state, work);
    check_note(apart < JOINT_COUNT(model) ? TAC_REASON_APART : TAC_REASON_NONE, TAC_FIELD_JOINT, apart, found);
    return found->reason ? TAC_UNCONVERGED : TAC_OK;
}

const char *tac_status_name(tac_status status)
{
    return names_status(status > 0 ? status & -status : status);
}

uint32_t tac_fault_text(const tac_fault *fault, const tac_model *model, const tac_state *state, const tac_input *input,
                        char *text, uint32_t room)
{
    const sentence_about about = {model, state, input};
    const tac_fault none = {0};
    return sentence_write(fault != NULL ? fault : &none, &about, text, room);
}

const char *tac_field_name(uint32_t field)
{
    return names_word(NAMES_FIELD, field, TAC_FIELDS);
}

const char *tac_reason_name(uint32_t reason)
{
    return names_word(NAMES_REASON, reason, TAC_REASONS);
}

const char *tac_layout_name(uint32_t index)
{
    return names_word(NAMES_LAYOUT, index, TAC_LAYOUT_ENTRIES);
}

#endif
