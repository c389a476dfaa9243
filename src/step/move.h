// SPDX-License-Identifier: MIT
// move.h - how a body moves: free velocity before the solve, pose after it.
//   given   state, input, impulses
//   makes   gain = M^-1 h f before the solve; v+ = v + gain, q+ = q exp(h (v+ + shift)) after it; in free flight with
//           the mean velocity, x+ = x + h (v + v+)/2
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
    *change = quat_turn(quat_exp(v3_scale(-h, rate)), start);
    return rate;
}

// One action of the input on its body: a wrench adds to force (world) and torque (principal frame) about the centre of
// mass, a velocity target takes their place.
static void move_act(const tac_action *a, quat q, tac_twist *wrench)
{
    if (a->kind == TAC_VELOCITY) {
        wrench->v = a->linear;
        wrench->w = a->angular;
        return;
    }
    const int body = a->kind == TAC_WRENCH_BODY;
    const vec3 torque = v3_add(a->angular, v3_cross(a->point, a->linear));
    wrench->v = v3_add(wrench->v, body ? quat_rotate(q, a->linear) : a->linear);
    wrench->w = v3_add(wrench->w, body ? torque : quat_rotate_back(q, torque));
}

// M^-1 h f: linear gravity and force; angular torque first, then free rotation. `gain` holds the wrench before. The
// shift of free flight: x+ = x + h (v + v+)/2 is the parabola of a constant force, on which E keeps its value; with
// x + h v+ the state is half a step away from it, and E off by m g h abs(v)/2.
static void move_free_body(const tac_model *m, const tac_body *def, vec3 omega, tac_moving *b, tac_twist *gain,
                           tac_twist *shift)
{
    const real h = m->h;
    b->inv_mass = R(1.0) / def->mass;
    b->inv_inertia = v3(R(1.0) / def->inertia.x, R(1.0) / def->inertia.y, R(1.0) / def->inertia.z);
    gain->v = v3_madd(v3_scale(h, m->gravity), h * b->inv_mass, gain->v);
    const vec3 kick = v3_scale(h, gain->w), start = v3_add(v3_mul(def->inertia, omega), kick);
    vec3 change;
    const vec3 rate = move_rotate(b->inv_inertia, h, start, &change);
    gain->w = v3_mul(b->inv_inertia, v3_add(kick, change));
    shift->v = v3_scale(R(-0.5), gain->v);
    shift->w = v3_sub(v3_sub(rate, omega), gain->w);
}

// A kinematic body goes to its target: that of the input, or its own.
static void move_free_kinematic(const tac_twist *t, const tac_carry *c, tac_twist *gain)
{
    gain->v = v3_sub(v3_sub(gain->v, t->v), c->v);
    gain->w = v3_sub(v3_sub(gain->w, t->w), c->w);
}

// What an impulse may hold moves with the velocity that the impulses end at, x+ = x + h v+: complementarity is about
// that. So do the bodies of joints,
static void move_hold_joints(const tac_model *m, tac_work *w)
{
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
        const tac_joint *j = &JOINT_OF(m)[i];
        if (j->kind == TAC_COUPLING) { continue; }
        w->shift[j->body_a].v = w->shift[j->body_b].v = V3_ZERO;
    }
}

static void move_free(const tac_model *m, const tac_state *s, const tac_input *input, tac_work *w)
{
    reals_clear(w->moving, m->bodies * sizeof *w->moving);
    reals_clear(w->gain, m->bodies * sizeof *w->gain);
    reals_clear(w->shift, m->bodies * sizeof *w->shift);
    for (uint16_t i = 1; i < m->bodies; i++) {
        if (m->body[i].kind == TAC_KINEMATIC) { w->gain[i] = m->body[i].velocity; }
    }
    if (input != NULL) {
        for (const tac_action *a = input->action; a < input->action + input->actions; a++) {
            move_act(a, s->pose[a->body].q, &w->gain[a->body]);
        }
    }
    for (uint16_t i = 1; i < m->bodies; i++) {
        if (m->body[i].kind == TAC_KINEMATIC) {
            move_free_kinematic(&s->twist[i], &s->carry[i], &w->gain[i]);
        } else {
            const vec3 torque = w->gain[i].w;
            move_free_body(m, &m->body[i], s->twist[i].w, &w->moving[i], &w->gain[i], &w->shift[i]);
            if (JOINT_COUNT(m) > 0) { // L+ - L
                JOINT_TURNED(w)[i] = v3_madd(v3_mul(m->body[i].inertia, w->gain[i].w), -m->h, torque);
            }
        }
    }
    move_hold_joints(m, w);
}

// and in this step those that the cone program has pressed on. A bounce alone is on the parabola (impact.h).
static void move_hold_contacts(tac_work *w)
{
    for (const tac_contact *c = w->contact; c < w->contact + w->report.contacts; c++) {
        if (c->impulse.x > R(0.0)) { w->shift[c->body_a].v = w->shift[c->body_b].v = V3_ZERO; }
    }
}

// Free rotation anew, from the angular momentum that the impulses have left: what joints pass on inside a robot then
// adds up to nothing, to rounding. Contacts alone do not need it; their impulses come from outside.
static void move_turn(const tac_model *m, const tac_state *s, tac_work *w)
{
    for (uint16_t i = 1; i < m->bodies && JOINT_COUNT(m) > 0; i++) {
        const tac_body *def = &m->body[i];
        if (def->kind != TAC_DYNAMIC) { continue; }
        const vec3 omega = s->twist[i].w, kick = v3_sub(v3_mul(def->inertia, w->gain[i].w), JOINT_TURNED(w)[i]);
        vec3 change;
        const vec3 rate =
            move_rotate(w->moving[i].inv_inertia, m->h, v3_add(v3_mul(def->inertia, omega), kick), &change);
        w->gain[i].w = v3_mul(w->moving[i].inv_inertia, v3_add(kick, change));
        w->shift[i].w = v3_sub(v3_sub(rate, omega), w->gain[i].w);
        JOINT_TURNED(w)[i] = change;
    }
}

// sum += add + carry in working precision; what that rounds off is the new carry (Kahan).
static void move_sum(vec3 *sum, vec3 add, vec3 *carry)
{
    const vec3 change = v3_add(add, *carry), before = *sum;
    *sum = v3_add(before, change);
    *carry = v3_sub(change, v3_sub(*sum, before));
}

// v+ = v + gain, q+ = q exp(h (v+ + shift)), TCE17 (54); the quaternion is brought back to unit length.
static void move_commit(real h, const tac_twist *gain, const tac_twist *shift, tac_pose *q, tac_twist *t, tac_carry *c)
{
    move_sum(&t->v, gain->v, &c->v);
    move_sum(&t->w, gain->w, &c->w);
    const vec3 v = v3_add(t->v, shift->v), w = v3_add(t->w, shift->w);
    move_sum(&q->p, v3_scale(h, v), &c->p);
    q->q = quat_mul(q->q, quat_exp(v3_scale(h, w)));
    quat_unit(&q->q);
}

#endif
