// SPDX-License-Identifier: MIT
// dirty.h - the same calls on memory that holds anything: what nobody has written is NaN, and an index out of range.
//   given   a program that includes tap.h, compiled with -DTAP_DIRTY (the variants of clang and of the sanitizers)
//   makes   0xFF in a work area before each use, and in what model, state and input have not in use; under
//           -DTAP_UNDEFINED valgrind is told that nobody has written it
//   bound   one pass over an object a call
//   never   touches what a caller may rely on: elements in use, the results of a step until the next use of its work
#ifndef DIRTY_H
#define DIRTY_H

#include "tactus/tactus.h"

#if defined(TAP_DIRTY)

#include <string.h>

#ifdef TAP_UNDEFINED
#include <valgrind/memcheck.h>
#define DIRTY_FORGET(object, size) ((void)VALGRIND_MAKE_MEM_UNDEFINED(object, size))
#define DIRTY_KNOW(object, size) ((void)VALGRIND_MAKE_MEM_DEFINED(object, size))
#else
#define DIRTY_FORGET(object, size) ((void)0)
#define DIRTY_KNOW(object, size) ((void)0)
#endif

static inline void dirty_fill(void *object, size_t size)
{
    memset(object, UINT8_MAX, size);
    DIRTY_FORGET(object, size);
}

// What of an array is not in use.
#define DIRTY_REST(array, used)                                                                                        \
    do {                                                                                                               \
        const size_t dirty_used = (size_t)(used) * sizeof *(array);                                                    \
        if (dirty_used < sizeof(array)) { dirty_fill((char *)(array) + dirty_used, sizeof(array) - dirty_used); }      \
    } while (0)

static inline void dirty_model(tac_model *m)
{
    DIRTY_REST(m->body, m->bodies);
    DIRTY_REST(m->shape, m->shapes);
    DIRTY_REST(m->material, m->materials);
    DIRTY_REST(m->material_pair, m->material_pairs);
    DIRTY_REST(m->exclusion, m->exclusions);
    DIRTY_REST(m->polyhedron, m->polyhedra);
    DIRTY_REST(m->point, m->points);
    DIRTY_REST(m->face, m->faces);
    DIRTY_REST(m->edge, m->edges);
    DIRTY_REST(m->node, 2 * m->faces);
    DIRTY_REST(m->field, m->fields);
    DIRTY_REST(m->height, m->heights);
#if TAC_MAX_JOINTS > 0
    DIRTY_REST(m->joint, m->joints);
#endif
}

static inline void dirty_state(const tac_model *m, tac_state *s)
{
    DIRTY_REST(s->pose, m->bodies);
    DIRTY_REST(s->twist, m->bodies);
    DIRTY_REST(s->compensation, m->bodies);
    DIRTY_REST(s->warm, s->warm_count);
#if TAC_MAX_JOINTS > 0
    DIRTY_REST(s->joint, m->joints);
#endif
}

// A copy of what is in use of an input, in memory that holds anything.
static inline const tac_input *dirty_input(const tac_input *input, tac_input *copy)
{
    if (input == NULL) { return NULL; }
    *copy = *input;
    DIRTY_REST(copy->action, input->actions);
#if TAC_MAX_JOINTS > 0
    DIRTY_REST(copy->motor, input->motors);
#endif
    return copy;
}

// Some words of a work area are read whatever they hold: hashes of the model that links, trees and pairs were made for.
// Only with that of the model at hand they are taken as made.
static inline void dirty_work(tac_work *work)
{
    if (work == NULL) { return; }
    dirty_fill(work, sizeof *work);
#if TAC_MAX_SHAPES > TAC_FEW_SHAPES
    DIRTY_KNOW(&work->pairs.model_hash, sizeof work->pairs.model_hash);
#endif
#if TAC_MAX_JOINTS > 0
    DIRTY_KNOW(&work->linked, sizeof work->linked);
    DIRTY_KNOW(&work->topology.model_hash, sizeof work->topology.model_hash);
#endif
}

// --------------------------------------------------------------------------------------------------- the calls of the
// API

static inline tac_status dirty_model_seal(tac_model *model, tac_fault *fault)
{
    const tac_status status = tac_model_seal(model, fault);
    if (status == TAC_OK) { dirty_model(model); }
    return status;
}

static inline tac_status dirty_state_init(const tac_model *model, tac_state *state, tac_fault *fault)
{
    const tac_status status = tac_state_init(model, state, fault);
    if (status == TAC_OK) { dirty_state(model, state); }
    return status;
}

static inline tac_status dirty_step_begin(const tac_model *model, const tac_state *state, const tac_input *input,
                                          tac_work *work)
{
    static tac_input copy;
    dirty_work(work);
    return tac_step_begin(model, state, dirty_input(input, &copy), work);
}

static inline tac_status dirty_step_end(const tac_model *model, tac_state *state, tac_work *work)
{
    const tac_status status = tac_step_end(model, state, work);
    if (status >= 0) { dirty_state(model, state); }
    return status;
}

static inline tac_status dirty_step(const tac_model *model, tac_state *state, const tac_input *input, tac_work *work)
{
    static tac_input copy;
    dirty_work(work);
    const tac_status status = tac_step(model, state, dirty_input(input, &copy), work);
    if (status >= 0) { dirty_state(model, state); }
    return status;
}

static inline tac_status dirty_contacts(const tac_model *model, const tac_state *state, uint16_t body, tac_real margin,
                                        tac_work *work)
{
    dirty_work(work);
    return tac_contacts(model, state, body, margin, work);
}

// A question leaves nothing that a later one may rely on but its answer, and the report and contacts of the last step.
static inline tac_status dirty_asked(tac_status status, tac_work *work)
{
    if (status >= 0) { dirty_fill(&work->scratch, sizeof work->scratch); }
    return status;
}

static inline tac_status dirty_cast(const tac_model *model, const tac_state *state, const tac_ray *ray, tac_work *work,
                                    tac_hit *hit)
{
    return dirty_asked(tac_cast(model, state, ray, work, hit), work);
}

static inline tac_status dirty_distance(const tac_model *model, const tac_state *state, uint16_t a, uint16_t b,
                                        tac_work *work, tac_nearest *result)
{
    return dirty_asked(tac_distance(model, state, a, b, work, result), work);
}

static inline int32_t dirty_overlap(const tac_model *model, const tac_state *state, const tac_shape *shape,
                                    tac_real margin, tac_work *work, uint16_t *list, uint16_t room)
{
    return dirty_asked(tac_overlap(model, state, shape, margin, work, list, room), work);
}

// Those for controllers, which have many arguments and one work area.
#define tac_model_get_coordinates(m, work, map) dirty_asked(tac_model_get_coordinates(m, work, map), work)
#define tac_state_get_coordinates(m, s, work, q, dq) dirty_asked(tac_state_get_coordinates(m, s, work, q, dq), work)
#define tac_state_set_coordinates(m, s, q, dq, work) dirty_asked(tac_state_set_coordinates(m, s, q, dq, work), work)
#define tac_mass_matrix(m, s, work, matrix) dirty_asked(tac_mass_matrix(m, s, work, matrix), work)
#define tac_jacobian(m, s, body, x, axes, work, matrix)                                                                \
    dirty_asked(tac_jacobian(m, s, body, x, axes, work, matrix), work)
#define tac_body_point(m, s, body, x, axes, work, to) dirty_asked(tac_body_point(m, s, body, x, axes, work, to), work)
#define tac_centroidal(m, s, body, work, c, matrix) dirty_asked(tac_centroidal(m, s, body, work, c, matrix), work)
#define tac_bias(m, s, work, effort) dirty_asked(tac_bias(m, s, work, effort), work)
#define tac_gravity_effort(m, s, work, effort) dirty_asked(tac_gravity_effort(m, s, work, effort), work)
#define tac_inverse_dynamics(m, s, ddq, work, effort) dirty_asked(tac_inverse_dynamics(m, s, ddq, work, effort), work)
#define tac_forward_dynamics(m, s, effort, work, ddq) dirty_asked(tac_forward_dynamics(m, s, effort, work, ddq), work)

#undef tac_model_seal
#define tac_model_seal dirty_model_seal
#undef tac_state_init
#define tac_state_init dirty_state_init
#define tac_step_begin dirty_step_begin
#define tac_step_end dirty_step_end
#define tac_step dirty_step
#define tac_contacts dirty_contacts
#define tac_cast dirty_cast
#define tac_distance dirty_distance
#define tac_overlap dirty_overlap

#if TAC_PREDICT

static inline tac_status dirty_rollout(tac_prediction *prediction, const tac_state *state, tac_work *work,
                                       tac_fault *fault)
{
    dirty_work(work);
    return tac_rollout(prediction, state, work, fault);
}

static inline tac_status dirty_rollout_advance(tac_prediction *prediction, tac_work *work, uint32_t steps)
{
    dirty_work(work);
    return tac_rollout_advance(prediction, work, steps);
}

static inline tac_status dirty_sampling_advance(tac_sampling *sampling, tac_work *work, uint32_t steps)
{
    dirty_work(work);
    return tac_sampling_advance(sampling, work, steps);
}

#define tac_sampling_advance dirty_sampling_advance
#define tac_rollout dirty_rollout
#define tac_rollout_advance dirty_rollout_advance

#endif

#if TAC_SOLVE

// Of the work of a problem, first impulses are the caller's where he asks for a warm start.
static inline tac_status dirty_solve(const tac_problem *problem, const tac_solve_options *options, tac_solve_work *work)
{
    if (work != NULL) {
        const int warm = options != NULL && options->warm_start;
        dirty_fill(work, offsetof(tac_solve_work, g));
        dirty_fill(warm ? (void *)work->u : (void *)work->g,
                   sizeof *work - (warm ? offsetof(tac_solve_work, u) : offsetof(tac_solve_work, g)));
    }
    return tac_solve(problem, options, work);
}

#undef tac_solve
#define tac_solve dirty_solve

#endif

#endif

#endif
