// SPDX-License-Identifier: MIT
// vary_motion.h - one step of a mechanism as a function of its mean rates: its motion, and what its momenta lack.
//   given   a mechanism that is placed, links of a step, mean rates r; impulses of contacts about the centres
//   makes   the motion of the step; the residual along each coordinate, zero for the rates that the step finds
//   bound   a visit to each body
//   never   solves anything
#ifndef DERIVATIVE_VARY_MOTION_H
#define DERIVATIVE_VARY_MOTION_H

#include "../tree/coordinates.h"
#include "../robot/dynamics.h"
#include "../step/move.h"
#include "../step/tree_motion.h"

#if TAC_MAX_LCP > 0

// A tree moves in a step along its coordinates, with the mean rates r that balance the momenta at the start of it
// (tree_motion.h): with P what makes the finite motion of a body and S the motions of the coordinates at the start,
//      S'(P(q, r) - M v - h f - D g) - efforts(q, v, r) = 0.
// `residual` is the bracket. The end of the step is a configuration of the same tree: where q changes, or r, it moves
// along its motions sq and sr there. So all derivatives are sums of products of motions with momenta, exact for the
// finite motion of the step. All motions and forces are about one fixed point of each tree, where its centre is at the
// start.

// ---------------------------------------------------------------------------------------------------- rotation vectors

// exp(a + da) = exp(J(a) da) exp(a);  J(a) x = x + b a x x + c a x (a x x).
#define VARY_SMALL R(0.01) // squared angle below which series hold

// b and c of an angle whose square is t.
static void vary_bend(real t, real *b, real *c)
{
    *b = R(0.5) - t * (R(1.0) / R(24.0) - t * (R(1.0) / R(720.0) - t / R(40320.0)));
    *c = R(1.0) / R(6.0) - t * (R(1.0) / R(120.0) - t * (R(1.0) / R(5040.0) - t / R(362880.0)));
    if (!(t < VARY_SMALL)) {
        const real angle = real_sqrt(t);
        real sine, cosine;
        real_sin_cos(angle, &sine, &cosine);
        *b = (R(1.0) - cosine) / t;
        *c = (angle - sine) / (t * angle);
    }
}

static vec3 vary_left(vec3 a, vec3 x)
{
    const vec3 once = v3_cross(a, x), twice = v3_cross(a, once);
    real b, c;
    vary_bend(v3_dot(a, a), &b, &c);
    return v3_madd(v3_madd(x, b, once), c, twice);
}

// J(a)^-1 x = x - a x x/2 + c a x (a x x): c of an angle whose square is t.
static real vary_bend_back(real t)
{
    real c = R(1.0) / R(12.0) + t * (R(1.0) / R(720.0) + t * (R(1.0) / R(30240.0) + t / R(1209600.0)));
    if (!(t < VARY_SMALL)) {
        const real half = R(0.5) * real_sqrt(t);
        real sine, cosine;
        real_sin_cos(half, &sine, &cosine);
        c = (R(1.0) - half * cosine / sine) / t;
    }
    return c;
}

// exp(a + da) = exp(a) exp(J(-a) da)
static vec3 vary_right(vec3 a, vec3 x)
{
    return vary_left(v3_scale(R(-1.0), a), x);
}

// J(-a)^-1 x, with c of vary_bend_back()
static inline vec3 vary_right_back(vec3 a, real c, vec3 x)
{
    const vec3 once = v3_cross(a, x);
    return v3_madd(v3_madd(x, R(0.5), once), c, v3_cross(a, once));
}

// ------------------------------------------------------------------------------------------------------- rigid motions

// x becomes x + turn(x) + shift; both are small, and products of them lose nothing to rounding.
typedef struct vary_rigid {
    quat turn;
    vec3 shift;
} vary_rigid;

// First b, then a.
static vary_rigid vary_product(vary_rigid a, vary_rigid b)
{
    return (vary_rigid){quat_mul(a.turn, b.turn), v3_add(v3_add(a.shift, b.shift), quat_turn(a.turn, b.shift))};
}

static vary_rigid vary_exp(const real *motion, real t)
{
    const vec3 a = v3_scale(t, six_angular(motion));
    return (vary_rigid){quat_exp_short(a), vary_left(a, v3_scale(t, six_linear(motion)))};
}

// A motion that is carried along.
static void vary_carry(vary_rigid a, const real *x, real *y)
{
    const vec3 w = quat_rotate(a.turn, six_angular(x));
    six_set(y, w, v3_add(quat_rotate(a.turn, six_linear(x)), v3_cross(a.shift, w)));
}

static void vary_cross(const real *first, const real *second, real *x)
{
    static const real ZERO[6] = {R(0.0), R(0.0), R(0.0), R(0.0), R(0.0), R(0.0)};
    mechanism_cross(first, second, R(1.0), ZERO, x);
}

// ----------------------------------------------------------------------------------------------------- start of a step

// What gravity and the input give a body in the step: all of it, and what turns with the body.
static void vary_give(const tac_model *m, const tac_state *s, const tac_input *input, tac_varied *t)
{
    for (uint16_t i = 0; i < m->bodies; i++) {
        tac_varied_body *b = &t->body[i];
        b->give[0] = v3_scale(m->h * m->body[i].mass, m->gravity);
        b->give[1] = b->own[0] = b->own[1] = V3_ZERO;
    }
    for (uint32_t i = 0; input != NULL && i < input->actions; i++) {
        const tac_action *a = &input->action[i];
        tac_varied_body *b = &t->body[a->body];
        tac_twist wrench = {V3_ZERO, V3_ZERO};
        if (a->kind == TAC_VELOCITY) { continue; }
        move_act(a, s->pose[a->body].q, &wrench);
        const vec3 force = v3_scale(m->h, wrench.v), torque = v3_scale(m->h, quat_rotate(s->pose[a->body].q, wrench.w));
        b->give[0] = v3_add(b->give[0], force);
        b->give[1] = v3_add(b->give[1], torque);
        if (a->kind != TAC_WRENCH_BODY) { continue; }
        b->own[0] = v3_add(b->own[0], force);
        b->own[1] = v3_add(b->own[1], torque);
    }
}

static vec3 vary_inverse(vec3 inertia, vec3 x)
{
    return v3(x.x / inertia.x, x.y / inertia.y, x.z / inertia.z);
}

// The mean rate that a rate at the start makes (free.h), and the rate that it ends with.
static vec3 vary_fly(const tac_model *m, uint16_t i, vec3 start, vec3 *end)
{
    const vec3 inertia = m->body[i].inertia, inverse = vary_inverse(inertia, v3(R(1.0), R(1.0), R(1.0)));
    const vec3 turned = free_rotate(free_ratios(inertia, inverse), m->h, start);
    *end = v3_add(start, turned);
    return v3_madd(start, R(0.5), turned);
}

// What the torques of the step add to the rates.
static vec3 vary_kick(const tac_model *m, const tac_varied *t, uint16_t i)
{
    return vary_inverse(m->body[i].inertia, v3_components(t->mechanism.body[i].axis, t->body[i].give[1]));
}

// The mechanism and each body before it moves.
static void vary_begin(const tac_model *m, const tac_state *s, const tac_input *input, tac_varied *t)
{
    mechanism_place(m, s->pose, &t->mechanism);
    mechanism_velocities(s->twist, &t->mechanism);
    vary_give(m, s, input, t);
    for (uint16_t i = 0; i < m->bodies; i++) {
        t->body[i].alone = (uint8_t)mechanism_moves(m, i);
        t->body[i].straight = 1;
        t->body[i].pushed = V3_ZERO;
        six_set(t->body[i].load, V3_ZERO, V3_ZERO);
    }
    for (uint32_t at = 0; at < t->mechanism.bodies; at++) {
        const uint16_t self = t->mechanism.order[at];
        const tac_mechanism_body *b = &t->mechanism.body[self];
        tac_varied_body *v = &t->body[self];
        v->flight = vary_fly(m, self, v3_add(s->twist[self].w, vary_kick(m, t, self)), &v->flown);
        if (mechanism_free(b)) { continue; }
        v->alone = 0;
        if (mechanism_moves(m, b->parent)) { t->body[b->parent].alone = 0; }
        if (!mechanism_hangs(&t->mechanism, self)) {
            mechanism_base(s->twist, &t->mechanism, b->parent, self);
        }
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

// The motion that a body hangs on: of its parent, which may stand still or be led.
static vary_rigid vary_parent(const tac_model *m, const tac_state *s, const tac_work *w, const tac_varied *t,
                              uint16_t self)
{
    const tac_mechanism_body *b = &t->mechanism.body[self];
    const tac_varied_body *p = &t->body[b->parent];
    if (mechanism_moves(m, b->parent)) { return (vary_rigid){p->turn, p->shift}; }
    const tac_twist *twist = &s->twist[b->parent], *change = &w->delta_v[b->parent];
    const vec3 way = v3_scale(m->h, v3_add(twist->v, change->v)), spin = v3_scale(m->h, v3_add(twist->w, change->w));
    const quat e = quat_exp(v3_combine(t->mechanism.body[b->parent].axis, spin));
    const vec3 centre = v3_sub(s->pose[b->parent].p, s->pose[self].p);
    return (vary_rigid){e, v3_sub(way, quat_turn(e, centre))};
}

// SPHERICAL: one rotation about an axis of all three.
static vary_rigid vary_ball(tac_varied_body *v, const tac_mechanism_body *b, int turned, vary_rigid at, real h,
                            const real *r)
{
    real all[6], still[6];
    vec3 across[3];
    six_set(all, V3_ZERO, V3_ZERO);
    for (int i = 0; i < 3; i++) {
        six_add(all, h * r[i], b->s[i]);
        across[i] = six_angular(b->s[i]);
    }
    const vary_rigid end = vary_product(at, vary_exp(all, R(1.0)));
    for (int i = 0; i < 3; i++) {
        // the motion of the end by a rate passes through the centre of the joint: in exp(a + J da) J acts on rotations
        vary_carry(turned ? at : end, b->s[i], v->sq[i]);
        const vec3 turn = vary_right(six_angular(all), across[i]);
        real part[3];
        v3_put(part, v3_components(across, turn));
        six_set(still, V3_ZERO, V3_ZERO);
        for (int k = 0; k < 3; k++) { six_add(still, part[k], b->s[k]); }
        vary_carry(end, still, v->sr[i]);
    }
    return end;
}

static void vary_move_child(const tac_model *m, const tac_state *s, const tac_work *w, tac_varied *t, uint16_t self,
                            const real *r)
{
    const tac_mechanism_body *b = &t->mechanism.body[self];
    const tac_joint *j = &JOINT_OF(m)[b->joint];
    tac_varied_body *v = &t->body[self];
    vary_rigid at = vary_parent(m, s, w, t, self);
    if (j->kind == TAC_SPHERICAL) {
        at = vary_ball(v, b, vary_turned(j, b), at, m->h, r);
    } else {
        for (int i = 0; i < b->axes; i++) {
            const int k = vary_axis(j, b, i);
            vary_carry(at, b->s[k], v->sq[k]);
            six_copy(v->sr[k], v->sq[k]);
            at = vary_product(at, vary_exp(b->s[k], m->h * r[k]));
        }
    }
    v->turn = at.turn;
    v->shift = at.shift;
    const vec3 way = v3_add(quat_turn(at.turn, b->arm), at.shift);
    v->arm = v3_add(b->arm, way);
    v->v = v3_scale(R(1.0) / m->h, way);
    v->w = tree_motion_spin(m->h, at.turn, b->axis);
}

// A root moves with its own rates; one that is alone moves as a body without joints does (move.h, commit.h).
static void vary_move_root(const tac_model *m, const tac_state *s, tac_varied *t, uint16_t self, const real *r)
{
    const tac_mechanism_body *b = &t->mechanism.body[self];
    tac_varied_body *v = &t->body[self];
    const vec3 now = s->twist[self].v;
    v->v = v3_of(r);
    v->w = v3_of(r + 3);
    if (v->alone) {
        const vec3 kick = v3_sub(v->w, v->flown);
        v->spin = v->w;
        v->v = v->straight ? v->v : v3_scale(R(0.5), v3_add(now, v->v));
        v->end = v->w;
        v->w = v3_add(v->flight, kick);
        if (JOINT_COUNT(m) > 0) {
            const vec3 start = v3_add(s->twist[self].w, vary_kick(m, t, self));
            v->w = vary_fly(m, self, v3_add(start, kick), &v->end);
        }
    }
    const quat e = quat_exp(v3_scale(m->h, v->w));
    const vec3 turn = v3_combine(b->axis, v3(e.x, e.y, e.z));
    v->turn = (quat){e.w, turn.x, turn.y, turn.z};
    v->shift = v->arm = v3_scale(m->h, v->v);
}

// The motion of a root at unit rate of its coordinate i, at the start of the step or at its end.
static void vary_root_motion(const tac_model *m, const tac_mechanism_body *b, const tac_varied_body *v, int i, int rate,
                             real *x)
{
    if (i < 3) {
        six_set(x, V3_ZERO, V3_AXIS[i]);
        return;
    }
    const vec3 w = rate ? v3_combine(v->axis, vary_right(v3_scale(m->h, v->w), V3_AXIS[i - 3])) : b->axis[i - 3];
    six_set(x, w, v3_cross(v->shift, w));
}

static void vary_end_motion(const tac_model *m, const tac_varied *t, uint16_t self, int i, int rate, real *x)
{
    const tac_mechanism_body *b = &t->mechanism.body[self];
    const tac_varied_body *v = &t->body[self];
    if (mechanism_free(b)) {
        vary_root_motion(m, b, v, i, rate, x);
    } else {
        six_copy(x, rate ? v->sr[i] : v->sq[i]);
    }
}

// Momentum that the motion of a body has beyond what it had and what it is given. It ends in the axes at the end.
static void vary_lack(const tac_model *m, const tac_state *s, tac_varied *t, uint16_t self)
{
    const tac_mechanism_body *b = &t->mechanism.body[self];
    tac_varied_body *v = &t->body[self];
    const tac_twist *twist = &s->twist[self];
    const vec3 inertia = m->body[self].inertia, mean = v3_mul(inertia, v->w);
    v->l = v3_sub(mean, free_bend(inertia, m->h, v->w));
    v->end = vary_inverse(inertia, v3_components(v->axis, v3_combine(b->axis, v->l)));
    const vec3 turn = v3_combine(b->axis, v3_sub(v->l, v3_mul(inertia, twist->w)));
    const vec3 push = v3_scale(m->body[self].mass, v3_sub(v->v, twist->v));
    six_set(v->residual, v3_sub(turn, v->give[1]), v3_sub(push, v->give[0]));
}

// The motions of all bodies at mean rates r of all coordinates.
static void vary_move(const tac_model *m, const tac_state *s, const tac_work *w, tac_varied *t, const real *r)
{
    for (uint32_t at = 0; at < t->mechanism.bodies; at++) {
        const uint16_t self = t->mechanism.order[at];
        const tac_mechanism_body *b = &t->mechanism.body[self];
        tac_varied_body *v = &t->body[self];
        if (mechanism_free(b)) {
            vary_move_root(m, s, t, self, r + b->first);
        } else {
            vary_move_child(m, s, w, t, self, r + b->first);
        }
        for (int i = 0; i < 3; i++) { v->axis[i] = v3_add(b->axis[i], quat_turn(v->turn, b->axis[i])); }
        if (!v->alone) { vary_lack(m, s, t, self); }
    }
}

#endif

#endif
