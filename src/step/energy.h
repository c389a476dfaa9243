// SPDX-License-Identifier: MIT
// energy.h - what a moving body carries: kinetic and potential energy, linear and angular momentum.
//   given   a body's definition, pose and twist
//   makes   scalars and vectors
//   bound   constant a body
//   never   counts bodies that are not dynamic
#ifndef STEP_ENERGY_H
#define STEP_ENERGY_H

#include "project.h"

static real energy_kinetic(const tac_body *def, const tac_twist *t)
{
    if (def->kind != TAC_DYNAMIC) { return R(0.0); }
    return R(0.5) * (def->mass * v3_dot(t->v, t->v) + v3_dot(v3_mul(def->inertia, t->w), t->w));
}

static real energy_potential(const tac_model *m, const tac_body *def, vec3 position)
{
    return def->kind == TAC_DYNAMIC ? -def->mass * v3_dot(m->gravity, position) : R(0.0);
}

// Adds the momenta of a body, angular about the world's origin.
static void energy_momentum(const tac_body *def, const tac_pose *q, const tac_twist *t, vec3 *linear, vec3 *angular)
{
    if (def->kind != TAC_DYNAMIC) { return; }
    const vec3 p = v3_scale(def->mass, t->v), spin = quat_rotate(q->q, v3_mul(def->inertia, t->w));
    *linear = v3_add(*linear, p);
    *angular = v3_add(*angular, v3_add(spin, v3_cross(q->p, p)));
}

#endif
