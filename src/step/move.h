// SPDX-License-Identifier: MIT
// move.h - how a body moves: free velocity before the solve, pose after it.
//   given   state, input, impulses
//   makes   gain = M^-1 h f before the solve; v+ = v + gain, q+ = q exp(h (v+ + shift)) after it
//   bound   MOVE_MIDPOINT turns a body
//   never   applies an explicit gyroscopic torque: |L| would drift
#ifndef STEP_MOVE_H
#define STEP_MOVE_H

#include "../solve/solve.h"

#define MOVE_MIDPOINT 4 // fixed-point turns for the mean rate; the error left is of order (h w)^5

// Free rotation over one step, from angular momentum `start` (body frame). It is constant in the world; in the body's
// frame it turns backwards by the rotation that the body makes, exp(h W). With the mean rate W = I^-1 (L + L+)/2 this
// is the midpoint rule: |L| is kept to rounding, the energy error stays bounded. Returns W; `change` is L+ - L, formed
// as such, so that a body that turns steadily loses nothing by rounding.
static vec3 move_rotate(vec3 inv_inertia, real h, vec3 start, vec3 *change)
{
    vec3 mean = start;
    for (int turn = 0; turn < MOVE_MIDPOINT; turn++) {
        mean = v3_madd(start, R(0.5) * h, v3_cross(mean, v3_mul(inv_inertia, mean)));
    }
    const vec3 rate = v3_mul(inv_inertia, mean);
    *change = quat_turn(quat_conj(quat_exp(v3_scale(h, rate))), start);
    return rate;
}

// Wrenches of the input on one body, as force (world) and torque (principal frame) about its centre of mass.
static void move_wrench(const tac_action *a, quat q, vec3 *force, vec3 *torque)
{
    const int body = a->kind == TAC_WRENCH_BODY;
    const vec3 f = body ? quat_rotate(q, a->linear) : a->linear;
    const vec3 t = v3_add(a->angular, v3_cross(a->point, a->linear));
    *force = v3_add(*force, f);
    *torque = v3_add(*torque, body ? t : quat_rotate_back(q, t));
}

// Sum of the wrenches on a body; a velocity target goes to `target`.
static void move_actions(const tac_state *s, const tac_input *input, uint16_t i, vec3 *force, vec3 *torque,
                         tac_twist *target)
{
    *force = *torque = V3_ZERO;
    for (uint16_t k = 0; input != NULL && k < input->actions; k++) {
        const tac_action *a = &input->action[k];
        if (a->body != i) { continue; }
        if (a->kind == TAC_VELOCITY) {
            *target = (tac_twist){a->linear, a->angular};
        } else {
            move_wrench(a, s->pose[i].q, force, torque);
        }
    }
}

// M^-1 h f: linear gravity and force; angular torque first, then free rotation. A kinematic body goes to its target.
static void move_free_body(const tac_model *m, const tac_state *s, const tac_input *input, uint16_t i, tac_moving *b)
{
    const tac_body *def = &m->body[i];
    const tac_twist *t = &s->twist[i];
    const tac_carry *c = &s->carry[i];
    vec3 force, torque;
    tac_twist target = def->velocity;
    bytes_clear(b, sizeof *b);
    move_actions(s, input, i, &force, &torque, &target);
    if (def->kind != TAC_DYNAMIC) {
        b->gain.v = v3_sub(v3_sub(target.v, t->v), c->v);
        b->gain.w = v3_sub(v3_sub(target.w, t->w), c->w);
        return;
    }

    b->inv_mass = R(1.0) / def->mass;
    b->inv_inertia = v3(R(1.0) / def->inertia.x, R(1.0) / def->inertia.y, R(1.0) / def->inertia.z);
    b->gain.v = v3_madd(v3_scale(m->h, m->gravity), m->h * b->inv_mass, force);
    const vec3 kick = v3_scale(m->h, torque), start = v3_add(v3_mul(def->inertia, t->w), kick);
    vec3 change;
    const vec3 rate = move_rotate(b->inv_inertia, m->h, start, &change);
    b->gain.w = v3_mul(b->inv_inertia, v3_add(kick, change));
    b->shift.w = v3_sub(v3_sub(rate, t->w), b->gain.w);
}

static void move_free(const tac_model *m, const tac_state *s, const tac_input *input, tac_work *w)
{
    bytes_clear(&w->moving[0], sizeof w->moving[0]);
    for (uint16_t i = 1; i < m->bodies; i++) { move_free_body(m, s, input, i, &w->moving[i]); }
}

// The impulse of a bounce acts from the impact on: it moves the body only for the rest of the step.
static void move_delay(tac_work *w)
{
    for (uint16_t i = 0; i < w->report.contacts; i++) {
        const tac_contact *c = &w->contact[i];
        const tac_block *k = &w->scratch.block[i];
        if (k->delay == R(0.0)) { continue; }
        const vec3 late = v3_scale(-k->delay, c->impulse), linear = rows_to_world(c, late);
        tac_moving *a = &w->moving[c->body_a], *b = &w->moving[c->body_b];
        rows_push(&a->shift, a, R(-1.0), linear, rows_combine(k->ja, late));
        rows_push(&b->shift, b, R(1.0), linear, rows_combine(k->jb, late));
    }
}

// a + b + carry in working precision; what that rounds off is the new carry (Kahan).
static real move_sum1(real a, real b, real *carry)
{
    const real add = b + *carry, sum = a + add;
    *carry = add - (sum - a);
    return sum;
}

static vec3 move_sum(vec3 a, vec3 b, vec3 *carry)
{
    const real x = move_sum1(a.x, b.x, &carry->x), y = move_sum1(a.y, b.y, &carry->y);
    return v3(x, y, move_sum1(a.z, b.z, &carry->z));
}

// v+ = v + gain, q+ = q exp(h (v+ + shift)), TCE17 (54); the quaternion is brought back to unit length.
static void move_commit(real h, const tac_moving *b, tac_pose *q, tac_twist *t, tac_carry *c)
{
    t->v = move_sum(t->v, b->gain.v, &c->v);
    t->w = move_sum(t->w, b->gain.w, &c->w);
    const vec3 v = v3_add(t->v, b->shift.v), w = v3_add(t->w, b->shift.w);
    q->p = move_sum(q->p, v3_scale(h, v), &c->p);
    q->q = quat_unit(quat_mul(q->q, quat_exp(v3_scale(h, w))));
}

#endif
