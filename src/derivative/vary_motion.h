// SPDX-License-Identifier: MIT
// vary_motion.h - one step of a mechanism as a function of its mean rates: its motion, and what its momenta lack.
//   given   a mechanism that is placed, links of a step, mean rates r; impulses of contacts about the centres
//   makes   the motion of the step; the residual of each body
//   bound   a visit to each body
//   never   solves anything
#ifndef DERIVATIVE_VARY_MOTION_H
#define DERIVATIVE_VARY_MOTION_H

#include "../step/move.h"
#include "../step/tree_motion.h"
#include "../tree/coordinates.h"
#include "vary_step.h"

#if TAC_MAX_LCP > 0

// ----------------------------------------------------------------------------------------------------- start of a step

// Impulses of gravity and of the input on each body, and the part of these that turns with it.
static void vary_given(const vary_step *x)
{
    const tac_model *m = x->m;
    for (uint16_t i = 0; i < m->bodies; i++) {
        tac_varied_body *b = &x->t->body[i];
        b->given = (tac_wrench){v3_scale(m->h * m->body[i].mass, m->gravity), V3_ZERO};
        b->follower = (tac_wrench){V3_ZERO, V3_ZERO};
    }
    for (uint32_t i = 0; x->input != NULL && i < x->input->actions; i++) {
        const tac_action *a = &x->input->action[i];
        const quat q = x->s->pose[a->body].q;
        tac_varied_body *b = &x->t->body[a->body];
        tac_twist wrench = {V3_ZERO, V3_ZERO};
        if (a->kind == TAC_VELOCITY) { continue; }
        move_act(a, q, &wrench);
        const vec3 force = v3_scale(m->h, wrench.v), torque = v3_scale(m->h, quat_rotate(q, wrench.w));
        b->given = (tac_wrench){v3_add(b->given.force, force), v3_add(b->given.torque, torque)};
        if (a->kind != TAC_WRENCH_BODY) { continue; }
        b->follower = (tac_wrench){v3_add(b->follower.force, force), v3_add(b->follower.torque, torque)};
    }
}

// The torque of the step that stays in the world where the body turns.
static inline vec3 vary_fixed_torque(const tac_varied_body *v)
{
    return v3_sub(v->given.torque, v->follower.torque);
}

// Angular velocity at the start with the torques of the step, principal frame.
static vec3 vary_kicked(const vary_step *x, uint16_t self)
{
    const vec3 *axis = x->tree->body[self].axis, torque = v3_components(axis, x->t->body[self].given.torque);
    return v3_add(x->s->twist[self].w, vary_inverse(x->m->body[self].inertia, torque));
}

// The mechanism and each body before it moves.
static void vary_begin(const vary_step *x)
{
    tac_varied *t = x->t;
    mechanism_place(x->m, x->s->pose, x->tree);
    mechanism_velocities(x->s->twist, x->tree);
    vary_given(x);
    for (uint16_t i = 0; i < x->m->bodies; i++) {
        t->body[i].alone = (uint8_t)mechanism_moves(x->m, i);
        t->body[i].straight = 1;
        t->body[i].push_w_b = V3_ZERO;
        six_set(t->body[i].phase.rates.load, V3_ZERO, V3_ZERO);
    }
    for (uint32_t at = 0; at < x->tree->bodies; at++) {
        const uint16_t self = x->tree->order[at];
        const tac_mechanism_body *b = &x->tree->body[self];
        vec3 *flight = t->body[self].flight_w_b;
        flight[0] = vary_fly(x->m->h, x->m->body[self].inertia, vary_kicked(x, self), &flight[1]);
        if (mechanism_free(b)) { continue; }
        t->body[self].alone = 0;
        if (mechanism_moves(x->m, b->parent)) { t->body[b->parent].alone = 0; }
        if (!mechanism_hangs(x->tree, self)) { mechanism_base(x->s->twist, x->tree, b->parent, self); }
    }
}

// ---------------------------------------------------------------------------------------------------- motion of a step

// Does the tree meet the joint from b? Its body is then a, in which the axes of SPHERICAL are fixed.
static int vary_turned(const tac_joint *j, const tac_mechanism_body *b)
{
    return b->parent != j->body_a;
}

// The free motions of a joint one after the other, outermost first. Where the tree meets the joint from b they come the
// other way round.
static int vary_axis(const tac_joint *j, const tac_mechanism_body *b, int i)
{
    return vary_turned(j, b) ? b->axes - 1 - i : i;
}

// Velocity of a body that no impulse moves: prescribed, or none. Behind the start it is that of the state.
static tac_twist vary_prescribed(const vary_step *x, uint16_t body)
{
    const tac_twist *twist = &x->s->twist[body], *change = &x->w->delta_v[body];
    if (!(x->span > R(0.0))) { return *twist; }
    return (tac_twist){v3_add(twist->v, change->v), v3_add(twist->w, change->w)};
}

// The finite motion of the parent of a body, about O; it may stand still or be prescribed.
static vary_rigid vary_parent(const vary_step *x, uint16_t self)
{
    const uint16_t parent = x->tree->body[self].parent;
    const tac_varied_body *p = &x->t->body[parent];
    if (mechanism_moves(x->m, parent)) { return (vary_rigid){p->turn, p->shift}; }
    const tac_twist twist = vary_prescribed(x, parent);
    const quat e = quat_exp(v3_combine(x->tree->body[parent].axis, v3_scale(x->span, twist.w)));
    const vec3 centre = v3_sub(x->s->pose[parent].p, x->s->pose[self].p);
    return (vary_rigid){e, v3_sub(v3_scale(x->span, twist.v), quat_turn(e, centre))};
}

// SPHERICAL makes one rotation, about an axis of all three. Returns the motion of the body.
static vary_rigid vary_ball(const tac_mechanism_body *b, int turned, vary_rigid at, real h, const real *r,
                            tac_varied_body *v)
{
    real all[6], still[6];
    vec3 axes[3];
    six_set(all, V3_ZERO, V3_ZERO);
    for (int i = 0; i < 3; i++) {
        six_add(all, h * r[i], b->s[i]);
        axes[i] = six_angular(b->s[i]);
    }
    const vary_rigid end = vary_product(at, vary_exp(all, R(1.0)));
    for (int i = 0; i < 3; i++) {
        // the motion of the end by a rate passes through the centre of the joint: in exp(a + J da) J acts on rotations
        vary_carry(turned ? at : end, b->s[i], v->end_s_q[i]);
        real part[3];
        v3_put(part, v3_components(axes, vary_right(six_angular(all), axes[i])));
        six_set(still, V3_ZERO, V3_ZERO);
        for (int k = 0; k < 3; k++) { six_add(still, part[k], b->s[k]); }
        vary_carry(end, still, v->end_s_r[i]);
    }
    return end;
}

// A body moves as its parent does, then along its own coordinates.
static void vary_move_child(const vary_step *x, uint16_t self, const real *r)
{
    const tac_mechanism_body *b = &x->tree->body[self];
    const tac_joint *j = &JOINT_OF(x->m)[b->joint];
    tac_varied_body *v = &x->t->body[self];
    vary_rigid at = vary_parent(x, self);
    if (j->kind == TAC_SPHERICAL) {
        at = vary_ball(b, vary_turned(j, b), at, x->m->h, r, v);
    } else {
        for (int i = 0; i < b->axes; i++) {
            const int k = vary_axis(j, b, i);
            vary_carry(at, b->s[k], v->end_s_q[k]);
            six_copy(v->end_s_r[k], v->end_s_q[k]);
            at = vary_product(at, vary_exp(b->s[k], x->m->h * r[k]));
        }
    }
    const vec3 way = v3_add(quat_turn(at.turn, b->arm), at.shift);
    v->turn = at.turn;
    v->shift = at.shift;
    v->end_arm = v3_add(b->arm, way);
    v->mean_v = v3_scale(R(1.0) / x->m->h, way);
    v->mean_w_b = tree_motion_spin(x->m->h, at.turn, b->axis);
}

// A root moves with its own rates; one that is alone moves as a body without joints does (move.h, commit.h).
static void vary_move_root(const vary_step *x, uint16_t self, const real *r)
{
    const tac_mechanism_body *b = &x->tree->body[self];
    const real h = x->m->h;
    tac_varied_body *v = &x->t->body[self];
    v->mean_v = v3_of(r);
    v->mean_w_b = v3_of(r + 3);
    if (v->alone) {
        const vec3 kick = v3_sub(v->mean_w_b, v->flight_w_b[1]);
        v->contact_w_b = v->end_w_b = v->mean_w_b;
        v->mean_v = v->straight ? v->mean_v : v3_scale(R(0.5), v3_add(x->s->twist[self].v, v->mean_v));
        v->mean_w_b = v3_add(v->flight_w_b[0], kick);
        if (JOINT_COUNT(x->m) > 0) {
            const vec3 start = v3_add(vary_kicked(x, self), kick);
            v->mean_w_b = vary_fly(h, x->m->body[self].inertia, start, &v->end_w_b);
        }
    }
    const quat e = quat_exp(v3_scale(h, v->mean_w_b));
    const vec3 turn = v3_combine(b->axis, v3(e.x, e.y, e.z));
    v->turn = (quat){e.w, turn.x, turn.y, turn.z};
    v->shift = v->end_arm = v3_scale(h, v->mean_v);
}

// Motion of a body at the end of the step by a change of one of its coordinates, or by h times one of its rate.
static void vary_end_motion(const vary_step *x, uint16_t self, int i, int what, real *motion)
{
    const tac_mechanism_body *b = &x->tree->body[self];
    const tac_varied_body *v = &x->t->body[self];
    if (!mechanism_free(b)) {
        six_copy(motion, what == VARY_R ? v->end_s_r[i] : v->end_s_q[i]);
    } else if (i < 3) {
        six_set(motion, V3_ZERO, V3_AXIS[i]);
    } else {
        const vec3 turned = vary_right(v3_scale(x->m->h, v->mean_w_b), V3_AXIS[i - 3]);
        const vec3 w = what == VARY_R ? v3_combine(v->end_axis, turned) : b->axis[i - 3];
        six_set(motion, w, v3_cross(v->shift, w));
    }
}

// The residual of a body: the momentum that its motion has beyond what it had and what it is given. It ends in the axes
// at the end.
static void vary_residual(const vary_step *x, uint16_t self)
{
    const tac_body *body = &x->m->body[self];
    const tac_twist *twist = &x->s->twist[self];
    const vec3 *axis = x->tree->body[self].axis;
    tac_varied_body *v = &x->t->body[self];
    v->start_l_b = v3_sub(v3_mul(body->inertia, v->mean_w_b), free_bend(body->inertia, x->m->h, v->mean_w_b));
    v->end_w_b = vary_inverse(body->inertia, v3_components(v->end_axis, v3_combine(axis, v->start_l_b)));
    const vec3 turn = v3_combine(axis, v3_sub(v->start_l_b, v3_mul(body->inertia, twist->w)));
    const vec3 push = v3_scale(body->mass, v3_sub(v->mean_v, twist->v));
    six_set(v->phase.rates.residual, v3_sub(turn, v->given.torque), v3_sub(push, v->given.force));
}

// The motions of all bodies at mean rates, and the residuals of those that joints hold.
static void vary_move(const vary_step *x, const real *rates)
{
    for (uint32_t at = 0; at < x->tree->bodies; at++) {
        const uint16_t self = x->tree->order[at];
        const tac_mechanism_body *b = &x->tree->body[self];
        tac_varied_body *v = &x->t->body[self];
        if (mechanism_free(b)) {
            vary_move_root(x, self, rates + b->first);
        } else {
            vary_move_child(x, self, rates + b->first);
        }
        for (int i = 0; i < 3; i++) { v->end_axis[i] = v3_add(b->axis[i], quat_turn(v->turn, b->axis[i])); }
        if (!v->alone) { vary_residual(x, self); }
    }
}

#endif

#endif
