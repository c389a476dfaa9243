// SPDX-License-Identifier: MIT
// api_dynamics.h - the API: kinematics and dynamics of a robot for its controller: Jacobians, efforts, accelerations.
//   given   arguments of the caller
//   makes   the dynamics functions of tactus.h
//   bound   as tactus.h states
//   never   changes the model
#ifndef ROBOT_API_DYNAMICS_H
#define ROBOT_API_DYNAMICS_H

#include "jacobian.h"
#include "../api/coordinates.h"

tac_status tac_step_accelerations(const tac_model *model, const tac_state *state, tac_work *work,
                                  tac_real *acceleration)
{
    if (model == NULL || state == NULL || work == NULL || acceleration == NULL) { return TAC_E_ARG; }
    if (!model_sealed(model) || state->model_hash != model->hash) { return TAC_E_MODEL; }
    const int last = work->model_hash == model->hash && work->step + 1 == state->step;
    if (!api_has_step(work) || !last) { return api_order(work); }
    const tac_status status = api_mechanism(model, work);
    if (status) { return status; }
    coordinates_accelerations(model, state, work, acceleration);
    return api_moved(acceleration, work->scratch.mechanism.coordinates);
}

// Checks a frame, the axes that are asked for, which may be the world's or `own`, and the state; finds the origin of
// the frame.
static tac_status api_point(const tac_model *m, const tac_state *s, const tac_frame *f, int32_t axes, int32_t own,
                            tac_work *w, jacobian_point *p)
{
    if (!reals_finite(&f->pose, sizeof f->pose)) { return TAC_E_NAN; }
    if (!reals_within(&f->pose.p, sizeof f->pose.p, TAC_MOST_LENGTH)) { return TAC_E_ARG; }
    if (axes != TAC_AXES_WORLD && axes != own) { return TAC_E_ARG; }
    const tac_status status = api_may_move(m, s, w, NULL);
    if (status) { return status; }
    if (f->body >= m->bodies) { return TAC_E_ARG; }
    jacobian_find(m, s, f, axes, p);
    return TAC_OK;
}

static tac_status api_jacobian(const tac_model *m, const tac_state *s, const tac_frame *f, int32_t axes, int32_t own,
                               tac_work *w, tac_real *matrix)
{
    jacobian_point p;
    const tac_status status = matrix != NULL ? api_point(m, s, f, axes, own, w, &p) : TAC_E_ARG;
    if (status) { return status; }
    const tac_mechanism *t = &w->scratch.mechanism;
    jacobian_make(m, s, t, f->body, &p, matrix);
    return api_moved(matrix, (size_t)6 * t->coordinates);
}

static tac_status api_motion(const tac_model *m, const tac_state *s, const tac_frame *f, int32_t axes, int32_t own,
                             tac_work *w, tac_point_motion *motion)
{
    jacobian_point p;
    const tac_status status = motion != NULL ? api_point(m, s, f, axes, own, w, &p) : TAC_E_ARG;
    if (status) { return status; }
    jacobian_motion(m, s, &w->scratch.mechanism, f->body, &p, motion);
    return api_moved(motion, sizeof *motion / sizeof(real));
}

tac_status tac_jacobian(const tac_model *model, const tac_state *state, uint16_t body, tac_vec3 point, int32_t axes,
                        tac_work *work, tac_real *matrix)
{
    const tac_frame at = {body, {point, QUAT_ONE}};
    return api_jacobian(model, state, &at, axes, TAC_AXES_BODY, work, matrix);
}

tac_status tac_body_point(const tac_model *model, const tac_state *state, uint16_t body, tac_vec3 point, int32_t axes,
                          tac_work *work, tac_point_motion *motion)
{
    const tac_frame at = {body, {point, QUAT_ONE}};
    return api_motion(model, state, &at, axes, TAC_AXES_BODY, work, motion);
}

tac_status tac_centroidal(const tac_model *model, const tac_state *state, uint16_t body, tac_work *work,
                          tac_centroid *centroid, tac_real *matrix)
{
    const tac_status status = centroid != NULL ? api_may_move(model, state, work, NULL) : TAC_E_ARG;
    if (status) { return status; }
    const int all = body == TAC_NONE;
    if (!all && (body >= model->bodies || !mechanism_moves(model, body))) { return TAC_E_ARG; }
    tac_mechanism *t = &work->scratch.mechanism;
    const uint16_t tree = all ? TAC_NONE : t->body[body].tree;
    jacobian_centre(model, state, t, tree, centroid);
    jacobian_momentum(model, state, t, tree, centroid);
    if (matrix != NULL) { jacobian_momenta(model, state, t, tree, centroid->centre, matrix); }
    const tac_status good = api_moved(centroid, sizeof *centroid / sizeof(real));
    return good || matrix == NULL ? good : api_moved(matrix, (size_t)6 * t->coordinates);
}

// Does each coordinate move a mass? Where bodies are so far apart that rounding hides the mass of one, it does not.
static int api_weighs(const real *matrix, size_t n)
{
    int weighs = 1;
    for (size_t i = 0; i < n; i++) { weighs &= matrix[i * n + i] > R(0.0); }
    return weighs;
}

tac_status tac_mass_matrix(const tac_model *model, const tac_state *state, tac_work *work, tac_real *matrix)
{
    const tac_status status = matrix != NULL ? api_placed(model, state, work, NULL) : TAC_E_ARG;
    if (status) { return status; }
    tac_mechanism *t = &work->scratch.mechanism;
    const size_t n = t->coordinates;
    dynamics_mass_matrix(model, t, matrix);
    if (api_weighs(matrix, n)) { return api_moved(matrix, n * n); }
    reals_clear(matrix, n * n * sizeof *matrix);
    return TAC_E_NAN;
}

tac_status tac_bias(const tac_model *model, const tac_state *state, tac_work *work, tac_real *effort)
{
    const tac_status status = effort != NULL ? api_may_move(model, state, work, NULL) : TAC_E_ARG;
    if (status) { return status; }
    tac_mechanism *t = &work->scratch.mechanism;
    dynamics_inverse(model, state, NULL, t, effort);
    return api_moved(effort, t->coordinates);
}

tac_status tac_gravity_effort(const tac_model *model, const tac_state *state, tac_work *work, tac_real *effort)
{
    const tac_status status = effort != NULL ? api_placed(model, state, work, NULL) : TAC_E_ARG;
    if (status) { return status; }
    tac_mechanism *t = &work->scratch.mechanism;
    dynamics_gravity(model, t, effort);
    return api_moved(effort, t->coordinates);
}

tac_status tac_inverse_dynamics(const tac_model *model, const tac_state *state, const tac_real *acceleration,
                                tac_work *work, tac_real *effort)
{
    const int given = acceleration != NULL && effort != NULL;
    const tac_status status = given ? api_may_move(model, state, work, acceleration) : TAC_E_ARG;
    if (status) { return status; }
    tac_mechanism *t = &work->scratch.mechanism;
    dynamics_inverse(model, state, acceleration, t, effort);
    return api_moved(effort, t->coordinates);
}

tac_status tac_forward_dynamics(const tac_model *model, const tac_state *state, const tac_real *effort, tac_work *work,
                                tac_real *acceleration)
{
    const int given = effort != NULL && acceleration != NULL;
    const tac_status status = given ? api_may_move(model, state, work, effort) : TAC_E_ARG;
    if (status) { return status; }
    tac_mechanism *t = &work->scratch.mechanism;
    dynamics_forward(model, state, effort, t, acceleration);
    return api_moved(acceleration, t->coordinates);
}

#endif
