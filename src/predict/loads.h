// SPDX-License-Identifier: MIT
// loads.h - what contacts do to shapes, summed over steps: impulses, work, the greatest force.
//   given   a finished step, the state at its end
//   makes   tac_loads, in addition to what they have
//   bound   two visits to each contact, one to each shape
//   never   counts weight, joints and input
#ifndef PREDICT_LOADS_H
#define PREDICT_LOADS_H

#include "events.h"

#if TAC_PREDICT

// Twice the mean velocity of a body over the step; of a kinematic body its velocity.
static tac_twist loads_twice(const tac_model *m, const tac_state *s, const tac_work *w, uint16_t body)
{
    tac_twist twice;
    twist_madd(&s->twist[body], R(1.0), &s->twist[body], &twice);
    if (m->body[body].kind == TAC_DYNAMIC) { twist_add(&twice, R(-1.0), &w->delta_v[body]); }
    return twice;
}

// Impulse and work of a contact on one of its bodies: D g, and D g times the mean velocity.
static void loads_add(const tac_model *m, const tac_state *s, const tac_work *w, uint32_t i, int side, tac_load *load)
{
    const tac_contact *c = &w->contact[i];
    const tac_block *k = &w->scratch.solve.block[i];
    const uint16_t body = k->body[side];
    const tac_twist t = loads_twice(m, s, w, body);
    const vec3 total = friction_over(FRICTION_ACROSS(k), v3_add(c->impulse, c->bounce));
    const vec3 linear = v3_scale(side ? R(1.0) : R(-1.0), v3_combine(k->frame, total));
    load->last = v3_add(load->last, linear);
    if (m->body[body].kind == TAC_STATIC) { return; }
    real work = v3_dot(linear, t.v) + v3_dot(v3_combine(k->j[side], total), t.w);
    if (has_torsion(k)) {
        const vec3 torque = v3_combine(k->frame, friction_over(FRICTION_ACROSS(k), ROLLING_TORQUE(c)));
        work += (side ? R(1.0) : R(-1.0)) * v3_dot(quat_rotate_back(s->pose[body].q, torque), t.w);
    }
    load->work += R(0.5) * work;
}

static void loads_step(const tac_model *m, const tac_state *s, const tac_work *w, tac_loads *loads)
{
    for (uint16_t i = 0; i < m->shapes; i++) { loads->shape[i].last = V3_ZERO; }
    for (uint32_t i = 0; i < w->report.contacts; i++) {
        const tac_feature *id = &w->contact[i].id;
        loads_add(m, s, w, i, 0, &loads->shape[id->shape_a]);
        loads_add(m, s, w, i, 1, &loads->shape[id->shape_b]);
    }
    for (uint16_t i = 0; i < m->shapes; i++) {
        tac_load *x = &loads->shape[i];
        const real size = v3_norm(x->last);
        x->impulse = v3_add(x->impulse, x->last);
        x->peak = real_max(x->peak, size / m->h);
        if (size > R(0.0)) { x->time += m->h; }
    }
}

#endif

#endif
