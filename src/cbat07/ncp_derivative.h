// SPDX-License-Identifier: MIT
// ncp_derivative.h - the derivative of the equations of CBAT07's step by velocities and impulses.
//   given   the equations, evaluated
//   makes   the dense matrix of Newton's method
//   bound   of each contact: 12 columns of velocities, 3 or 6 of impulses, in at most 18 rows
//   never   is exact in one term: the dependence of a finite rotation on its rate, ncp_turn()
#ifndef CBAT07_NCP_DERIVATIVE_H
#define CBAT07_NCP_DERIVATIVE_H

#include "ncp_equations.h"

#if TAC_MAX_NCP > 0

static real *ncp_row(tac_ncp *q, uint32_t row)
{
    return &q->matrix[row * q->unknowns];
}

// Rotation of the body, in its frame, by which exp(phi + dphi) differs from exp(phi), to second order in phi: what is
// left out slows Newton's method where a body turns by a large part of a radian within a step.
static vec3 ncp_turn(vec3 phi, vec3 dphi)
{
    const vec3 once = v3_cross(phi, dphi), twice = v3_cross(phi, once);
    return v3_madd(v3_madd(dphi, R(-0.5), once), R(1.0) / R(6.0), twice);
}

// A change of one unknown of a velocity: of the body's velocity, spin, place and direction, all in the world.
typedef struct ncp_change {
    vec3 v, spin, x, turn;
} ncp_change;

static ncp_change ncp_change_of(const tac_model *m, const tac_ncp_body *b, int k)
{
    if (k < 3) { return (ncp_change){V3_AXIS[k], V3_ZERO, v3_scale(m->h, V3_AXIS[k]), V3_ZERO}; }
    const vec3 phi = v3_scale(m->h, v3_add(b->twist.w, b->pseudo.w)), dphi = v3_scale(m->h, V3_AXIS[k - 3]);
    const vec3 turn = quat_rotate(b->pose.q, ncp_turn(phi, dphi));
    const vec3 spin = v3_add(quat_rotate(b->pose.q, V3_AXIS[k - 3]), v3_cross(turn, ncp_spin(b)));
    return (ncp_change){V3_ZERO, spin, V3_ZERO, turn};
}

// (10) of a body by its own velocities, contacts kept in the world.
static void ncp_derive_body(const tac_model *m, const tac_work *w, tac_ncp *q, uint16_t i)
{
    const tac_ncp_body *b = &q->body[i];
    const vec3 phi = v3_scale(m->h, v3_add(b->twist.w, b->pseudo.w));
    for (uint32_t k = 0; k < 3; k++) {
        const vec3 turn = ncp_turn(phi, v3_scale(m->h, V3_AXIS[k]));
        const vec3 change = v3_madd(V3_AXIS[k], R(1.0), v3_mul(w->moving[i].inv_inertia, v3_cross(turn, b->momentum)));
        ncp_row(q, b->first + k)[b->first + k] = R(1.0);
        ncp_row(q, b->first + 3u)[b->first + 3 + k] = b->length * change.x;
        ncp_row(q, b->first + 4u)[b->first + 3 + k] = b->length * change.y;
        ncp_row(q, b->first + 5u)[b->first + 3 + k] = b->length * change.z;
    }
}

// What the derivatives of one contact share.
typedef struct ncp_link {
    const tac_contact *k;
    const tac_ncp_contact *c;
    vec3 at, v, spin; // the point; there velocity and spin of b against a
    vec3 impulse;     // on b, in the world
    end_rates rates;
    semismooth_contact laws;
} ncp_link;

static uint16_t ncp_body_of(const ncp_link *l, int side)
{
    return side ? l->k->body_b : l->k->body_a;
}

static void ncp_link_make(const tac_model *m, const tac_work *w, tac_ncp *q, uint32_t i, ncp_link *l)
{
    const end_bodies ends = ncp_ends(m, w, q, i);
    tac_ncp_contact *c = &q->contact[i];
    l->k = &w->contact[i];
    l->c = c;
    l->at = end_middle(c);
    const tac_ncp_body *a = ncp_side(q, l->k, 0), *b = ncp_side(q, l->k, 1);
    l->v = v3_sub(ncp_velocity(b, l->at), ncp_velocity(a, l->at));
    l->spin = v3_sub(ncp_spin(b), ncp_spin(a));
    l->impulse = ncp_combine(c, ncp_impulse(c));
    ncp_laws(c, &q->phi[c->first], &l->laws);
    end_rates_make(&ends, q, c, &l->rates);
}

// The laws by changes dp of the impulses and dy of the velocities.
static void ncp_derive_laws(tac_ncp *q, const ncp_link *l, uint32_t column, const real *dp, const real *dy)
{
    const tac_ncp_contact *c = l->c;
    real change[6];
    semismooth_contact_change(&l->laws, c->rows, c->mu, c->step_n, c->step_t, dp, dy, change);
    for (uint32_t row = 0; row < c->rows; row++) { ncp_row(q, c->first + row)[column] += change[row]; }
}

// (10) of both bodies by changes of impulse and torque impulse on b; of the arms, if the point moves by `at` and the
// centre of mass of one body by x.
static void ncp_derive_euler(const tac_work *w, tac_ncp *q, const ncp_link *l, uint32_t column, vec3 impulse,
                             vec3 torque, vec3 at, const vec3 x[2])
{
    for (int side = 0; side < 2; side++) {
        const uint16_t body = ncp_body_of(l, side);
        const tac_ncp_body *b = &q->body[body];
        if (b->first == TAC_NONE) { continue; }
        const vec3 arm = v3_sub(l->at, b->pose.p), darm = v3_sub(at, x[side]);
        const vec3 whole = v3_add(torque, v3_add(v3_cross(arm, impulse), v3_cross(darm, l->impulse)));
        const vec3 turned = v3_mul(w->moving[body].inv_inertia, quat_rotate_back(b->pose.q, whole));
        const real sign = side ? R(-1.0) : R(1.0);
        const vec3 linear = v3_scale(sign * w->moving[body].inv_mass, impulse),
                   angular = v3_scale(sign * b->length, turned);
        const real change[6] = {linear.x, linear.y, linear.z, angular.x, angular.y, angular.z};
        for (uint32_t k = 0; k < 6; k++) { ncp_row(q, b->first + k)[column] += change[k]; }
    }
}

// Components of a vector that is fixed in the world, by a change of the contact's frame; and the other way round, the
// change of a vector of fixed components.
static vec3 ncp_turn_components(const tac_ncp_contact *c, vec3 dn, vec3 a)
{
    const real out = v3_dot(c->normal, a), t = v3_dot(c->t, a), o = v3_dot(c->o, a), spin = end_frame_spin(c, dn);
    return v3(v3_dot(dn, a), -v3_dot(c->t, dn) * out + spin * o, -v3_dot(c->o, dn) * out - spin * t);
}

static vec3 ncp_turn_vector(const tac_ncp_contact *c, vec3 dn, vec3 components)
{
    const real t = components.y, o = components.z, spin = end_frame_spin(c, dn);
    const real in = -(t * v3_dot(c->t, dn) + o * v3_dot(c->o, dn));
    return v3_add(v3_scale(components.x, dn), ncp_combine(c, v3(in, -spin * o, spin * t)));
}

// Changes of the normal and of the point with the motion of the body of one side. Those of end_contact.h are against
// body a.
static void ncp_move_point(const ncp_link *l, const ncp_change *move, vec3 v, int side, vec3 *dn, vec3 *at)
{
    const real sign = side ? R(1.0) : R(-1.0);
    const vec3 slide = v3_scale(sign, v), roll = v3_scale(sign, move->turn);
    *dn = v3_add(v3_combine(l->rates.normal, slide), v3_combine(l->rates.normal + 3, roll));
    *at = v3_add(v3_combine(l->rates.point, slide), v3_combine(l->rates.point + 3, roll));
    if (side == 0) {
        *dn = v3_add(*dn, v3_cross(move->turn, l->c->normal));
        *at = v3_add(*at, v);
    }
}

// A column of a velocity of the body of one side: the points of the contact move, its frame turns, and W with them.
static void ncp_derive_velocity(const tac_model *m, const tac_work *w, tac_ncp *q, const ncp_link *l, int side, int k)
{
    static const real none[6];
    const tac_ncp_contact *c = l->c;
    const tac_ncp_body *b = ncp_side(q, l->k, side);
    const ncp_change move = ncp_change_of(m, b, k);
    const real sign = side ? R(1.0) : R(-1.0);
    const vec3 arm = v3_sub(l->at, b->pose.p), v = v3_add(move.x, v3_cross(move.turn, arm));
    vec3 dn, at;
    ncp_move_point(l, &move, v, side, &dn, &at);

    // velocity of b against a: of the body at the old point, of the point along both bodies, of the frame
    const vec3 body = v3_add(v3_sub(move.v, v3_cross(ncp_spin(b), move.x)), v3_cross(move.spin, arm));
    const vec3 dv = v3_madd(v3_cross(l->spin, at), sign, body), dspin = v3_scale(sign, move.spin);
    const vec3 slip = v3_add(ncp_along(c, dv), ncp_turn_components(c, dn, l->v));
    const vec3 spin = v3_add(ncp_along(c, dspin), ncp_turn_components(c, dn, l->spin));
    real dy[6];
    v3_put(dy, friction_times(c->e[2], v3(sign * v3_dot(c->normal, v) / m->h, slip.y, slip.z)));
    v3_put(dy + 3, v3_mul(v3_of(c->e + 3), spin));

    const uint32_t column = b->first + (uint32_t)k;
    const vec3 x[2] = {side ? V3_ZERO : move.x, side ? move.x : V3_ZERO};
    const vec3 impulse = ncp_turn_vector(c, dn, ncp_impulse(c)), torque = ncp_turn_vector(c, dn, ncp_torque(c));
    ncp_derive_laws(q, l, column, none, dy);
    ncp_derive_euler(w, q, l, column, impulse, torque, at, x);
}

// A column of an impulse. Reactions that are not unique make the equations singular: a trace of the impulse in its own
// law, which vanishes from the answer, keeps them as they are.
static void ncp_derive_impulse(const tac_work *w, tac_ncp *q, const ncp_link *l, uint32_t k)
{
    static const real none[6];
    static const vec3 rest[2];
    const tac_ncp_contact *c = l->c;
    const vec3 axis[3] = {c->normal, c->t, c->o};
    real dp[6];
    for (uint32_t i = 0; i < 6; i++) { dp[i] = i == k ? R(1.0) : R(0.0); }
    const vec3 along = v3_scale(c->e[k], axis[k % 3]);
    const uint32_t column = c->first + k;
    ncp_derive_laws(q, l, column, dp, none);
    ncp_derive_euler(w, q, l, column, k < 3 ? along : V3_ZERO, k < 3 ? V3_ZERO : along, V3_ZERO, rest);
    ncp_row(q, column)[column] += SEMISMOOTH_RIDGE / (k == 0 ? c->step_n : c->step_t);
}

// The derivative of all equations.
static void ncp_derive(const tac_model *m, const tac_work *w, tac_ncp *q)
{
    ncp_link l;
    reals_clear(q->matrix, (size_t)q->unknowns * q->unknowns * sizeof *q->matrix);
    for (uint16_t i = 1; i < m->bodies; i++) {
        if (q->body[i].first != TAC_NONE) { ncp_derive_body(m, w, q, i); }
    }
    for (uint32_t i = 0; i < q->contacts; i++) {
        ncp_link_make(m, w, q, i, &l);
        for (int side = 0; side < 2; side++) {
            if (ncp_side(q, l.k, side)->first == TAC_NONE) { continue; }
            for (int k = 0; k < 6; k++) { ncp_derive_velocity(m, w, q, &l, side, k); }
        }
        for (uint32_t k = 0; k < l.c->rows; k++) { ncp_derive_impulse(w, q, &l, k); }
    }
}

#endif

#endif
