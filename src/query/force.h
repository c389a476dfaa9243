// SPDX-License-Identifier: MIT
// force.h - force and torque of the contacts on a body or a shape, mean over the last step.
//   given   the contacts of a finished step
//   makes   a wrench about a given point
//   bound   one visit to each contact
//   never   counts joints, weight or forces of the input
#ifndef QUERY_FORCE_H
#define QUERY_FORCE_H

#include "../model/rolling.h"
#include "../base/vec.h"

// Adds impulse and torque impulse of a contact on its body b, times `sign`.
static void force_add(const tac_contact *c, real sign, vec3 point, tac_wrench *sum)
{
    const vec3 axis[3] = {c->n, c->u, c->w};
    const vec3 impulse = v3_combine(axis, v3_add(c->impulse, c->bounce)), own = v3_combine(axis, ROLLING_TORQUE(c));
    sum->force = v3_madd(sum->force, sign, impulse);
    sum->torque = v3_madd(sum->torque, sign, v3_add(own, v3_cross(v3_sub(c->point, point), impulse)));
}

// Mean forces over a step, of their impulses.
static tac_wrench force_mean(const tac_model *m, const tac_wrench *sum)
{
    const real rate = R(1.0) / m->h;
    return (tac_wrench){v3_scale(rate, sum->force), v3_scale(rate, sum->torque)};
}

static tac_wrench force_of_body(const tac_model *m, const tac_work *w, uint16_t body, vec3 point)
{
    tac_wrench sum = {V3_ZERO, V3_ZERO};
    for (const tac_contact *c = w->contact; c < w->contact + w->report.contacts; c++) {
        if (c->body_b == body) { force_add(c, R(1.0), point, &sum); }
        if (c->body_a == body) { force_add(c, R(-1.0), point, &sum); }
    }
    return force_mean(m, &sum);
}

static tac_wrench force_of_shape(const tac_model *m, const tac_work *w, uint16_t shape, vec3 point)
{
    tac_wrench sum = {V3_ZERO, V3_ZERO};
    for (const tac_contact *c = w->contact; c < w->contact + w->report.contacts; c++) {
        if (c->id.shape_b == shape) { force_add(c, R(1.0), point, &sum); }
        if (c->id.shape_a == shape) { force_add(c, R(-1.0), point, &sum); }
    }
    return force_mean(m, &sum);
}

#endif
