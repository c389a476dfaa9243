// SPDX-License-Identifier: MIT
// api.h - the roof: arguments are checked here, the work is done below.
//   given   what the caller passes
//   makes   the public functions of tactus.h
//   bound   as tactus.h states
//   never   decides anything about physics
#ifndef API_H
#define API_H

#include "query/names.h"

#define API_OPEN UINT32_C(0x54414354) // marks a work area between begin and end

// ----------------------------------------------------------------------------------------------------------- model

void tac_model_init(tac_model *model)
{
    if (model != NULL) { model_init(model); }
}

int32_t tac_model_add_material(tac_model *model, tac_real friction, tac_real restitution)
{
    if (model == NULL || model->materials >= TAC_MAX_MATERIALS) { return TAC_E_ARG; }
    model->material[model->materials] = (tac_material){friction, restitution, TAC_RULE_GEOMETRIC, TAC_RULE_MAX};
    return model->materials++;
}

int32_t tac_model_add_body(tac_model *model, const tac_body *body)
{
    if (model == NULL || body == NULL || model->bodies > TAC_MAX_BODIES) { return TAC_E_ARG; }
    bytes_copy(&model->body[model->bodies], body, sizeof *body);
    return model->bodies++;
}

int32_t tac_model_add_shape(tac_model *model, const tac_shape *shape)
{
    if (model == NULL || shape == NULL || model->shapes >= TAC_MAX_SHAPES) { return TAC_E_ARG; }
    bytes_copy(&model->shape[model->shapes], shape, sizeof *shape);
    return model->shapes++;
}

int32_t tac_model_add_material_pair(tac_model *model, uint8_t a, uint8_t b, tac_real friction, tac_real restitution)
{
    if (model == NULL || model->material_pairs >= TAC_MAX_MATERIAL_PAIRS) { return TAC_E_ARG; }
    model->material_pair[model->material_pairs] = (tac_material_pair){friction, restitution, a, b};
    return model->material_pairs++;
}

tac_shape tac_shape_make(uint16_t body, uint8_t kind, tac_vec3 size)
{
    return (tac_shape){{V3_ZERO, QUAT_ONE}, size, body, 1, UINT16_MAX, kind, 0};
}

tac_body tac_body_make(uint8_t kind, tac_vec3 position)
{
    return (tac_body){R(1.0), V3_ONE, {V3_ZERO, QUAT_ONE}, {position, QUAT_ONE}, {V3_ZERO, V3_ZERO}, kind};
}

tac_status tac_model_mass_from_shapes(tac_model *model, uint16_t body, tac_real density)
{
    if (model == NULL || body < 1 || body >= model->bodies || model->bodies > TAC_MAX_BODIES + 1 ||
        model->shapes > TAC_MAX_SHAPES || !(density > R(0.0)) || !real_finite(density)) {
        return TAC_E_ARG;
    }
    return model_mass_from_shapes(model, body, density) ? TAC_OK : TAC_E_ARG;
}

tac_status tac_model_check(const tac_model *model, tac_fault *fault)
{
    tac_fault found = {0};
    const tac_status status = model == NULL ? check_say(&found, TAC_E_ARG, TAC_FIELD_POINTER, 0, TAC_REASON_NULL)
                                            : check_model(model, &found);
    if (fault != NULL) { *fault = found; }
    return status;
}

uint32_t tac_model_hash(const tac_model *model)
{
    return model == NULL ? 0 : model_hash(model);
}

tac_status tac_model_seal(tac_model *model, tac_fault *fault)
{
    const tac_status status = tac_model_check(model, fault);
    if (!status) { model->hash = model_hash(model); }
    return status;
}

// ----------------------------------------------------------------------------------------------------------- state

static void api_initial(const tac_model *m, tac_state *s)
{
    bytes_clear(s, sizeof *s);
    s->model_hash = m->hash;
    for (uint16_t i = 0; i < m->bodies; i++) {
        s->pose[i] = pose_mul(m->body[i].pose, m->body[i].inertial);
        s->pose[i].q = quat_unit(s->pose[i].q);
        s->twist[i] = i > 0 ? m->body[i].velocity : (tac_twist){V3_ZERO, V3_ZERO};
    }
}

tac_status tac_state_init(const tac_model *model, tac_state *state, tac_fault *fault)
{
    tac_fault found = {0};
    tac_status status = tac_model_check(model, &found);
    if (!status && state == NULL) { status = check_say(&found, TAC_E_ARG, TAC_FIELD_POINTER, 1, TAC_REASON_NULL); }
    if (!status && model->hash != model_hash(model)) {
        status = check_say(&found, TAC_E_MODEL, TAC_FIELD_HASH, 0, TAC_REASON_MISMATCH);
    }
    if (!status) { api_initial(model, state); }
    if (fault != NULL) { *fault = found; }
    return status;
}

tac_pose tac_body_pose(const tac_model *model, const tac_state *state, uint16_t body)
{
    if (model == NULL || state == NULL || body >= model->bodies || body > TAC_MAX_BODIES) {
        return (tac_pose){V3_ZERO, QUAT_ONE};
    }
    return pose_mul(state->pose[body], pose_inverse(model->body[body].inertial));
}

tac_status tac_state_set_body(const tac_model *model, tac_state *state, uint16_t body, tac_pose pose, tac_twist twist)
{
    if (model == NULL || state == NULL || body < 1 || body >= model->bodies || body > TAC_MAX_BODIES) {
        return TAC_E_ARG;
    }
    if (state->model_hash != model->hash) { return TAC_E_MODEL; }
    const real norm2 = quat_norm2(pose.q);
    if (!pose_finite(&pose) || !twist_finite(&twist) || !(norm2 > R(0.25) && norm2 < R(4.0))) { return TAC_E_NAN; }
    pose.q = quat_unit(pose.q);
    state->pose[body] = pose_mul(pose, model->body[body].inertial);
    state->pose[body].q = quat_unit(state->pose[body].q);
    state->twist[body] = twist;
    state->carry[body] = (tac_carry){V3_ZERO, V3_ZERO, V3_ZERO};
    return TAC_OK;
}

// ------------------------------------------------------------------------------------------------------------ step

static tac_status api_refuse(tac_work *w, tac_status status, tac_fault fault)
{
    bytes_clear(&w->report, sizeof w->report);
    w->report.status = status;
    w->report.fault = fault;
    w->open = 0;
    return status;
}

tac_status tac_step_begin(const tac_model *model, const tac_state *state, const tac_input *input, tac_work *work)
{
    if (work == NULL) { return TAC_E_ARG; }
    tac_fault fault = {0};
    if (model == NULL || state == NULL) {
        return api_refuse(work, TAC_E_ARG, (tac_fault){TAC_FIELD_POINTER, model == NULL ? 0 : 1, TAC_REASON_NULL});
    }
    tac_status status = verify_state(model, state, &fault);
    if (!status) { status = verify_input(model, input, &fault); }
    if (status) { return api_refuse(work, status, fault); }

    bytes_clear(&work->report, sizeof work->report);
    ccp_begin(model, state, input, work);
    work->open = API_OPEN;
    work->model_hash = model->hash;
    work->step = state->step;
    return TAC_OK;
}

static int api_is_open(const tac_model *m, const tac_work *w)
{
    return w->open == API_OPEN && w->model_hash == m->hash;
}

tac_status tac_step_sweep(const tac_model *model, tac_work *work, uint32_t sweeps)
{
    if (model == NULL || work == NULL) { return TAC_E_ARG; }
    if (!api_is_open(model, work)) { return TAC_E_ORDER; }
    ccp_sweep(model, work, sweeps);
    return work->progress.converged ? TAC_OK : TAC_UNCONVERGED;
}

tac_status tac_step_end(const tac_model *model, tac_state *state, tac_work *work)
{
    if (model == NULL || state == NULL || work == NULL) { return TAC_E_ARG; }
    if (!api_is_open(model, work) || state->model_hash != model->hash || state->step != work->step) {
        return TAC_E_ORDER;
    }
    work->open = 0;
    if (!ccp_end(model, state, work)) {
        return api_refuse(work, TAC_E_NAN, (tac_fault){TAC_FIELD_RESULT, 0, TAC_REASON_NOT_FINITE});
    }
    const tac_progress *p = &work->progress;
    work->report.status =
        (work->report.dropped ? TAC_FULL : 0) | (p->converged ? 0 : TAC_UNCONVERGED) | (p->fell_back ? TAC_RELAXED : 0);
    return work->report.status;
}

tac_status tac_step(const tac_model *model, tac_state *state, const tac_input *input, tac_work *work)
{
    const tac_status status = tac_step_begin(model, state, input, work);
    if (status) { return status; }
    (void)tac_step_sweep(model, work, model->options.max_sweeps);
    return tac_step_end(model, state, work);
}

// --------------------------------------------------------------------------------------------------------- queries

void tac_energy(const tac_model *model, const tac_state *state, tac_real *kinetic, tac_real *potential)
{
    real k = R(0.0), p = R(0.0);
    for (uint16_t i = 1; model != NULL && state != NULL && i < model->bodies && i <= TAC_MAX_BODIES; i++) {
        k += energy_kinetic(&model->body[i], &state->twist[i]);
        p += energy_potential(model, &model->body[i], state->pose[i].p);
    }
    if (kinetic != NULL) { *kinetic = k; }
    if (potential != NULL) { *potential = p; }
}

void tac_momentum(const tac_model *model, const tac_state *state, tac_vec3 *linear, tac_vec3 *angular)
{
    vec3 p = V3_ZERO, l = V3_ZERO;
    for (uint16_t i = 1; model != NULL && state != NULL && i < model->bodies && i <= TAC_MAX_BODIES; i++) {
        energy_momentum(&model->body[i], &state->pose[i], &state->twist[i], &p, &l);
    }
    if (linear != NULL) { *linear = p; }
    if (angular != NULL) { *angular = l; }
}

tac_status tac_check(const tac_model *model, const tac_state *state, const tac_work *work, tac_fault *fault)
{
    tac_fault found = {0};
    tac_status status = tac_model_check(model, &found);
    if (!status && state == NULL) { status = check_say(&found, TAC_E_ARG, TAC_FIELD_POINTER, 1, TAC_REASON_NULL); }
    if (!status) { status = verify_state(model, state, &found); }
    if (!status && work != NULL) { status = verify_work(model, work, &found); }
    if (fault != NULL) { *fault = found; }
    return status;
}

uint64_t tac_hash(const tac_model *model, const tac_state *state)
{
    if (model == NULL || state == NULL) { return 0; }
    uint64_t hash = hash_number(hash_number(HASH_START, state->step), state->model_hash);
    for (uint16_t i = 1; i < model->bodies && i <= TAC_MAX_BODIES; i++) {
        hash = hash_twist(hash_pose(hash, &state->pose[i]), &state->twist[i]);
        const tac_carry *c = &state->carry[i];
        hash = hash_vec3(hash_vec3(hash_vec3(hash, c->p), c->v), c->w);
    }
    for (uint16_t i = 0; i < state->warm_count && i < TAC_MAX_CONTACTS; i++) {
        const tac_feature *f = &state->warm[i].id;
        hash = hash_number(hash, f->shape_a | (uint64_t)f->shape_b << 16 | (uint64_t)f->feature << 32);
        hash = hash_vec3(hash, state->warm[i].impulse);
    }
    return hash;
}

const char *tac_field_name(uint32_t field)
{
    return names_word(NAMES_FIELD, field, TAC_FIELDS);
}

const char *tac_reason_name(uint32_t reason)
{
    return names_word(NAMES_REASON, reason, TAC_REASONS);
}

#endif
