// SPDX-License-Identifier: MIT
// move.h - how a body moves: free velocity before the solve, pose after it.
//   given   state, input, impulses
//   makes   v~ = v + M^-1 h f, q+ = q exp(h (v+ + shift))
//   bound   MOVE_MIDPOINT turns a body
//   never   applies an explicit gyroscopic torque: |L| would drift
#ifndef STEP_MOVE_H
#define STEP_MOVE_H

#include "../solve/solve.h"

#define MOVE_MIDPOINT 4 // fixed-point turns for the mean rate; the error left is of order (h w)^5

static vec3 move_over(vec3 a, vec3 b)
{
    return v3(a.x / b.x, a.y / b.y, a.z / b.z);
}

// Free rotation over one step. The angular momentum is constant in the world; in the body's frame it turns backwards by
// the rotation that the body makes, exp(h W). With the mean rate W = I^-1 (L + L+)/2 this is the midpoint rule: |L| is
// kept to rounding, the energy error stays bounded. `shift` is what the pose needs besides the new rate: W - I^-1 L+.
static void move_rotate(vec3 inertia, real h, tac_twist *t, tac_twist *shift)
{
    const vec3 start = v3_mul(inertia, t->w);
    vec3 mean = start;
    for (int turn = 0; turn < MOVE_MIDPOINT; turn++) {
        mean = v3_madd(start, R(0.5) * h, v3_cross(mean, move_over(mean, inertia)));
    }
    const vec3 rate = move_over(mean, inertia);
    const vec3 end = quat_rotate_back(quat_exp(v3_scale(h, rate)), start);
    t->w = move_over(end, inertia);
    shift->w = v3_sub(rate, t->w);
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

// v~ = v + h (g + F/m), angular: torque first, then free rotation.
static void move_free_body(const tac_model *m, const tac_state *s, const tac_input *input, uint16_t i, tac_moving *b)
{
    const tac_body *def = &m->body[i];
    vec3 force = V3_ZERO, torque = V3_ZERO;
    *b = (tac_moving){0};
    b->now = s->twist[i];
    for (uint16_t k = 0; input != NULL && k < input->actions; k++) {
        const tac_action *a = &input->action[k];
        if (a->body != i) { continue; }
        if (a->kind == TAC_VELOCITY) {
            b->now = (tac_twist){a->linear, a->angular};
        } else {
            move_wrench(a, s->pose[i].q, &force, &torque);
        }
    }
    if (def->kind != TAC_DYNAMIC) { return; }

    b->inv_mass = R(1.0) / def->mass;
    b->inv_inertia = move_over(v3(R(1.0), R(1.0), R(1.0)), def->inertia);
    b->now.v = v3_madd(v3_madd(b->now.v, m->h, m->gravity), m->h * b->inv_mass, force);
    b->now.w = v3_madd(b->now.w, m->h, v3_mul(b->inv_inertia, torque));
    move_rotate(def->inertia, m->h, &b->now, &b->shift);
}

static void move_free(const tac_model *m, const tac_state *s, const tac_input *input, tac_work *w)
{
    w->moving[0] = (tac_moving){0};
    for (uint16_t i = 1; i < m->bodies; i++) { move_free_body(m, s, input, i, &w->moving[i]); }
}

// The impulse of a bounce acts from the impact on: it moves the body only for the rest of the step.
static void move_delay(tac_work *w)
{
    for (uint16_t i = 0; i < w->report.contacts; i++) {
        const tac_contact *c = &w->contact[i];
        const tac_block *k = &w->block[i];
        if (k->delay == R(0.0)) { continue; }
        const vec3 late = v3_scale(-k->delay, c->impulse), linear = rows_to_world(c, late);
        tac_moving *a = &w->moving[c->body_a], *b = &w->moving[c->body_b];
        rows_push(&a->shift, a, R(-1.0), linear, rows_combine(k->ja, late));
        rows_push(&b->shift, b, R(1.0), linear, rows_combine(k->jb, late));
    }
}

// q+ = q exp(h v), TCE17 (54), v = v+ + shift; the quaternion is brought back to unit length.
static tac_pose move_pose(tac_pose q, real h, const tac_moving *b)
{
    const vec3 v = v3_add(b->now.v, b->shift.v), w = v3_add(b->now.w, b->shift.w);
    return (tac_pose){v3_madd(q.p, h, v), quat_unit(quat_mul(q.q, quat_exp(v3_scale(h, w))))};
}

#endif
