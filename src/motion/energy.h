// SPDX-License-Identifier: MIT
// energy.h - kinetic and potential energy, linear and angular momentum of a body.
//   given   a body's definition, pose and twist
//   makes   scalars and vectors
//   bound   constant a body
//   never   counts bodies that are not dynamic
#ifndef MOTION_ENERGY_H
#define MOTION_ENERGY_H

#include "../base/vec.h"

// Adds the energies of a body.
static void energy_add(const tac_model *m, uint16_t i, const tac_pose *q, const tac_twist *t, real *kinetic,
                       real *potential)
{
    const tac_body *def = &m->body[i];
    if (def->kind != TAC_DYNAMIC) { return; }
    *kinetic += R(0.5) * (def->mass * v3_dot(t->v, t->v) + v3_dot(v3_mul(def->inertia, t->w), t->w));
    *potential -= def->mass * v3_dot(m->gravity, q->p);
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
