// SPDX-License-Identifier: MIT
// api_fit.h - the API: identification.
//   given   arguments of the caller; the layout of its headers
//   makes   tac_fit_init(), tac_fit_begin(), tac_fit_advance(), tac_fit(), tac_fit_model()
//   bound   as tactus.h states
//   never   changes results, or a model, where it refuses
#ifndef PREDICT_API_FIT_H
#define PREDICT_API_FIT_H

#include "fit.h"

#if TAC_PREDICT

#define FIT_COARSE R(1024.0) // a difference over the rounding of values, at least; refined three times still 16
#define FIT_WIDE R(1e6)      // a difference over the deviation of what is measured, at most: their squares are finite
#define FIT_REFINEMENTS 8    // most that may be asked for
#define FIT_OPEN UINT32_C(0x54464954)

tac_status tac_fit_init_for(const tac_layout *caller, tac_fitting *fit)
{
    tac_fault fault;
    if (fit == NULL) { return TAC_E_ARG; }
    const tac_status status = api_layout(caller, &fault);
    if (status) { return status; }
    bytes_clear(fit, sizeof *fit);
    fit->max_rollouts = 1000000;
    fit->max_iterations = 30;
    fit->refinements = 3;
    fit->tolerance = R(0.01);
    fit->null = TAC_REAL_BITS == 32 ? R(1e-4) : R(1e-6);
    return TAC_OK;
}

// A number that must be positive.
static int api_fit_positive(real x)
{
    if (!real_finite(x)) { return TAC_REASON_NOT_FINITE; }
    return x > R(0.0) ? TAC_REASON_NONE : TAC_REASON_NOT_POSITIVE;
}

static void api_fit_options(const tac_fitting *f, tac_fault *fault)
{
    const int counts = f->parameters >= 1 && f->parameters <= TAC_MAX_FIT;
    check_note(check_that(counts), TAC_FIELD_FIT_PARAMETER, f->parameters, fault);
    check_note(f->section != NULL ? TAC_REASON_NONE : TAC_REASON_NULL, TAC_FIELD_FIT_SECTION, 0, fault);
    check_note(check_that(f->sections >= 1), TAC_FIELD_FIT_SECTION, 0, fault);
    check_note(check_that(f->max_rollouts >= 1), TAC_FIELD_FIT_OPTION, 0, fault);
    check_note(check_that(f->max_iterations >= 1), TAC_FIELD_FIT_OPTION, 1, fault);
    check_note(check_that(f->refinements <= FIT_REFINEMENTS), TAC_FIELD_FIT_OPTION, 5, fault);
    check_note(api_fit_positive(f->tolerance), TAC_FIELD_FIT_OPTION, 2, fault);
    check_note(api_fit_positive(f->null), TAC_FIELD_FIT_OPTION, 3, fault);
    check_note(check_coefficient(f->robust, TAC_MOST_LENGTH), TAC_FIELD_FIT_OPTION, 4, fault);
}

// The value of a parameter in the model.
static real api_fit_value(tac_model *m, const tac_fit_parameter *p)
{
    const real *const number = fit_number(m, p);
    return number != NULL ? *number : R(1.0);
}

// A parameter: the model passes at either bound, and a difference is larger than the rounding of what it is added to.
static void api_fit_parameter(const tac_model *m, tac_fitting *f, uint32_t i, tac_fault *fault)
{
    const tac_fit_parameter *p = &f->parameter[i];
    check_note(parameter_named(m, p->kind, p->index), TAC_FIELD_FIT_PARAMETER, i, fault);
    check_note(check_finite(p, offsetof(tac_fit_parameter, index)), TAC_FIELD_FIT_BOUND, i, fault);
    check_note(api_fit_positive(p->difference), TAC_FIELD_FIT_DIFFERENCE, i, fault);
    if (fault->reason) { return; }
    const real most = real_max(real_abs(p->lower), real_abs(p->upper)), value = api_fit_value(&f->trial, p);
    check_note(check_that(p->lower <= value && value <= p->upper && p->lower < p->upper), TAC_FIELD_FIT_BOUND, i,
               fault);
    check_note(check_that(p->difference > FIT_COARSE * REAL_EPSILON * most), TAC_FIELD_FIT_DIFFERENCE, i, fault);
    for (int side = 0; side < 2 && !fault->reason; side++) {
        const real bound = side ? p->upper : p->lower;
        const int command = p->kind != TAC_FIT_MOTOR || check_within(bound, TAC_MOST_FORCE);
        tac_fault refused = {0};
        const int good = command && fit_set_model(m, p, &bound, 1, &f->trial, &refused);
        if (!good && refused.reason) {
            *fault = refused;
        } else if (!good) {
            check_note(TAC_REASON_RANGE, TAC_FIELD_FIT_BOUND, i, fault);
        }
        fit_restore(m, p, &f->trial);
    }
}

static void api_fit_observation(const tac_model *m, const tac_observation *o, uint32_t least, uint32_t i,
                                tac_fault *fault)
{
    const int pose = o->kind == TAC_OBSERVE_POSE, joint = o->kind == TAC_OBSERVE_JOINT && o->index < JOINT_COUNT(m);
    const int there = pose ? o->index < m->bodies : joint && joint_has_coordinate(JOINT_OF(m)[o->index].kind);
    const real weights = pose ? real_min(o->weight, o->turn_weight) : o->weight;
    check_note(check_that(there && o->step >= least), TAC_FIELD_FIT_OBSERVATION, i, fault);
    check_note(check_that(weights >= R(0.0)), TAC_FIELD_FIT_OBSERVATION, i, fault);
    check_note(check_coefficient(o->weight, TAC_MOST_FORCE), TAC_FIELD_FIT_OBSERVATION, i, fault);
    if (pose) {
        check_note(check_coefficient(o->turn_weight, TAC_MOST_FORCE), TAC_FIELD_FIT_OBSERVATION, i, fault);
        check_note(check_pose(&o->pose, TAC_MOST_POSITION), TAC_FIELD_FIT_OBSERVATION, i, fault);
    } else {
        check_reals(&o->coordinate, sizeof o->coordinate, TAC_MOST_POSITION, TAC_FIELD_FIT_OBSERVATION, i, fault);
    }
}

// Rows of an observation that have a weight.
static uint32_t api_fit_weighed(const tac_observation *o)
{
    const uint32_t turn = o->kind == TAC_OBSERVE_POSE && o->turn_weight > R(0.0) ? 3 : 0;
    return turn + (o->weight > R(0.0) ? o->kind == TAC_OBSERVE_POSE ? 3u : 1u : 0u);
}

// Coordinates and rates of a model.
static uint32_t api_fit_coordinates(const tac_model *m)
{
    tac_topology t;
    uint32_t count = 0;
    topology_find(m, 0, &t);
    for (uint32_t i = 0; i < t.bodies; i++) {
        const uint16_t joint = t.body[t.order[i]].joint;
        count += joint == TAC_NONE ? 6u : (uint32_t)joint_axes(JOINT_OF(m)[joint].kind);
    }
    return 2 * count;
}

// What of a section's start is not exact.
static void api_fit_unknowns(const tac_model *m, const tac_fitting *f, const tac_section *s, uint32_t i,
                             tac_fault *fault)
{
    if (s->unknowns == 0) { return; }
    check_note(s->unknown != NULL ? TAC_REASON_NONE : TAC_REASON_NULL, TAC_FIELD_FIT_SECTION, i, fault);
    const int room = s->unknowns <= TAC_MAX_FIT && s->unknowns + f->parameters <= TAC_MAX_FIT;
    check_note(room ? TAC_REASON_NONE : TAC_REASON_FULL, TAC_FIELD_FIT_UNKNOWN, i, fault);
    const uint32_t coordinates = fault->reason ? 0 : api_fit_coordinates(m);
    for (uint32_t k = 0; k < s->unknowns && !fault->reason; k++) {
        const tac_fit_unknown *u = &s->unknown[k];
        check_note(check_that(u->coordinate < coordinates), TAC_FIELD_FIT_UNKNOWN, k, fault);
        check_note(api_fit_positive(u->deviation), TAC_FIELD_FIT_UNKNOWN, k, fault);
        check_note(api_fit_positive(u->difference), TAC_FIELD_FIT_UNKNOWN, k, fault);
        check_note(check_that(u->difference <= FIT_WIDE * u->deviation), TAC_FIELD_FIT_UNKNOWN, k, fault);
    }
}

// A section. Adds to the rows of all sections. Faults of its state and inputs are those of a step.
static tac_status api_fit_section(const tac_model *m, const tac_fitting *f, uint32_t i, uint32_t *rows,
                                  tac_fault *fault)
{
    const tac_section *s = &f->section[i];
    uint32_t room = 0, least = 1;
    check_note(s->start && s->observation ? TAC_REASON_NONE : TAC_REASON_NULL, TAC_FIELD_FIT_SECTION, i, fault);
    check_note(check_that(s->observations >= 1 && (s->input == NULL || (s->inputs >= 1 && s->hold >= 1))),
               TAC_FIELD_FIT_SECTION, i, fault);
    if (fault->reason) { return TAC_E_ARG; }
    tac_status status = verify_state(m, s->start, fault);
    for (uint32_t k = 0; s->input != NULL && k < s->inputs && !status; k++) {
        status = verify_input(m, &s->input[k], fault);
    }
    if (status) { return status; }
    for (uint32_t k = 0; k < s->observations && !fault->reason; k++) {
        const tac_observation *o = &s->observation[k];
        api_fit_observation(m, o, least, k, fault);
        least = o->step;
        room += fit_rows_of(o);
        *rows += api_fit_weighed(o);
        check_note(room <= TAC_MAX_FIT_ROWS ? TAC_REASON_NONE : TAC_REASON_FULL, TAC_FIELD_FIT_ROWS, i, fault);
    }
    api_fit_unknowns(m, f, s, i, fault);
    return fault->reason == TAC_REASON_FULL ? TAC_E_FULL : check_status(fault, TAC_E_ARG);
}

// Checks all that is asked. `trial` becomes the model.
static tac_status api_fit_check(const tac_model *m, tac_fitting *f, uint32_t *rows, tac_fault *fault)
{
    if (!check_counts(m, fault)) { return TAC_E_MODEL; }
    if (!api_is_sealed(m, fault)) { return TAC_E_MODEL; }
    api_fit_options(f, fault);
    if (fault->reason) { return check_status(fault, TAC_E_ARG); }
    tac_status status = TAC_OK;
    for (uint32_t i = 0; i < f->sections && !status; i++) { status = api_fit_section(m, f, i, rows, fault); }
    if (status) { return status; }
    check_note(check_that(*rows >= 1), TAC_FIELD_FIT_OBSERVATION, 0, fault);
    bytes_copy(&f->trial, m, sizeof *m);
    for (uint32_t i = 0; i < f->parameters && !fault->reason; i++) { api_fit_parameter(m, f, i, fault); }
    return check_status(fault, TAC_E_ARG);
}

tac_status tac_fit_begin(const tac_model *model, tac_fitting *fit, tac_fault *fault)
{
    tac_fault unseen, *found = fault != NULL ? fault : &unseen;
    *found = (tac_fault){0};
    if (model == NULL || fit == NULL) { return api_null(found, model != NULL); }
    uint32_t rows = 0;
    fit->open = 0;
    const tac_status status = api_fit_check(model, fit, &rows, found);
    if (status) { return status; }
    reals_clear(fit->covariance, sizeof fit->covariance);
    for (uint32_t i = 0; i < fit->parameters; i++) {
        fit->value[i] = api_fit_value(&fit->trial, &fit->parameter[i]);
        fit->verdict[i] = TAC_FIT_UNASKED;
    }
    for (uint32_t i = 0; i < fit->sections; i++) {
        for (uint32_t k = 0; k < fit->section[i].unknowns; k++) { fit->section[i].unknown[k].value = R(0.0); }
    }
    fit->first_cost = fit->cost = fit->variance = R(0.0);
    fit->rows = rows;
    fit->rollouts = fit->iterations = 0;
    fit->ended = TAC_FIT_RUNNING;
    fit->rolling = 0;
    fit->damping = FIT_DAMPING;
    fit->scale = R(1.0);
    fit->refined = 0;
    fit->model_hash = model->hash;
    fit->open = FIT_OPEN;
    fit_sections(fit, FIT_BASE);
    return TAC_OK;
}

tac_status tac_fit_advance(const tac_model *model, tac_fitting *fit, uint32_t steps, tac_work *work)
{
    if (model == NULL || fit == NULL || work == NULL) { return TAC_E_ARG; }
    if (fit->open != FIT_OPEN && fit->ended == TAC_FIT_RUNNING) { return TAC_E_ORDER; }
    if (fit->model_hash != model->hash) { return TAC_E_MODEL; }
    for (uint32_t i = 0; i < steps && fit->ended == TAC_FIT_RUNNING; i++) { fit_advance(model, fit, work); }
    if (fit->ended == TAC_FIT_REFUSED) { return TAC_E_NAN; }
    return fit->ended == TAC_FIT_CONVERGED ? TAC_OK : TAC_UNCONVERGED;
}

tac_status tac_fit(const tac_model *model, tac_fitting *fit, tac_work *work, tac_fault *fault)
{
    if (work == NULL) { return TAC_E_ARG; }
    tac_status status = tac_fit_begin(model, fit, fault);
    if (status) { return status; }
    while (fit->ended == TAC_FIT_RUNNING) { status = tac_fit_advance(model, fit, UINT32_MAX, work); }
    return status;
}

tac_status tac_fit_model(const tac_model *model, const tac_fitting *fit, tac_model *fitted, tac_fault *fault)
{
    tac_fault unseen, *found = fault != NULL ? fault : &unseen;
    *found = (tac_fault){0};
    if (model == NULL || fit == NULL || fitted == NULL || fitted == model) { return api_null(found, model != NULL); }
    if (fit->model_hash != model->hash || !model_sealed(model)) { return TAC_E_MODEL; }
    bytes_copy(fitted, model, sizeof *model);
    return fit_set_model(model, fit->parameter, fit->value, fit->parameters, fitted, found) ? TAC_OK : TAC_E_MODEL;
}

#endif

#endif
