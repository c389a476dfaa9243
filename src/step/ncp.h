// SPDX-License-Identifier: MIT
// ncp.h - one step of CBAT07: geometrically implicit time stepping, a mixed nonlinear complementarity problem.
//   given   model, state, input; the result of the cone program as the first guess
//   makes   the next state, contacts and report; what is left of (10) and (11)
//   bound   the cone program; max_iterations times unknowns^3/3 and SEMISMOOTH_HALVINGS + 2 evaluations of all contacts
//   never   touches the state before the result is known to be finite
#ifndef STEP_NCP_H
#define STEP_NCP_H

#include "../engine/semismooth.h"
#include "../rows/end_contact.h"
#include "ccp.h"

#if TAC_MAX_NCP > 0

// With everything on the right at the end of the step, l+1, in particular W = (normal, t, o, r) at a1 and a2 there,
//
//      M nu+ = M nu + Wn p_n + Wt p_t + Wo p_o + Wr p_r + p_app + p_vp                            (10)
//      a1, a2 closest points of the two shapes in the poses q+ = q exp(h nu+)                     (9), (22)
//      e^2 mu p_n (W'nu+) + p sigma = 0           for t, o and r                                  (5)
//      0 <= p_n    perp  gap >= 0                                                                 (11)
//      0 <= sigma  perp  zeta = mu^2 p_n^2 - sum (p/e)^2 >= 0                                     (11)
//
// The unknowns of Newton's method are nu+ - nu of the bodies that contacts act on and the impulses p. The closest
// points are eliminated: they are functions of the poses, and of nu+ in this way, whose derivatives end_contact.h has.
// sigma is eliminated too: by (5) it is |(e v)| wherever p_n > 0.
//
// Angular momentum in the world changes by torques and contacts alone, so in the frame of the body, which turns by
// exp(phi), phi = h (w+ + pseudo-velocity of free rotation),
//      I w+ = exp(-phi) start + R+'(sum of torques of the contacts)
// which without contacts is the free rotation of the kernel (motion/free.h).

#define NCP_AIM R(0.01) // of the tolerance

static const tac_ncp_body *ncp_side(const tac_ncp *q, const tac_contact *k, int side)
{
    return &q->body[side ? k->body_b : k->body_a];
}

static end_bodies ncp_ends(const tac_model *m, const tac_work *w, const tac_ncp *q, uint32_t i)
{
    const tac_contact *k = &w->contact[i];
    const tac_ncp_body *a = ncp_side(q, k, 0), *b = ncp_side(q, k, 1);
    return (end_bodies){m, k, {&a->pose, &b->pose}, {a->rest.p, b->rest.p}};
}

// -------------------------------------------------------------------------------------------------------------- begin

// The angular momentum that free rotation starts from, and the part of it that a torque has added: from what it ends
// with, turned back (free.h).
static void ncp_free_spin(const tac_model *m, vec3 inertia, vec3 w0, tac_ncp_body *b)
{
    const vec3 w1 = v3_add(w0, b->free.w), end = v3_mul(inertia, w1);
    const vec3 turned = v3_scale(m->h, v3_add(w1, b->pseudo.w));
    b->kick = v3_add(v3_mul(inertia, b->free.w), quat_turn(quat_exp(turned), end));
    b->start = v3_add(v3_mul(inertia, w0), b->kick);
}

// Velocities and rotations without contacts, before the cone program adds impacts to them.
static void ncp_free(const tac_model *m, const tac_state *s, const tac_input *input, tac_work *w, tac_ncp *q)
{
    move_free(m, s, input, w);
    reals_clear(&q->body[0], offsetof(tac_ncp_body, length));
    for (uint16_t i = 0; i < m->bodies; i++) {
        tac_ncp_body *b = &q->body[i];
        const vec3 inertia = m->body[i].inertia;
        b->free = w->delta_v[i];
        b->pseudo = w->pseudo_velocity[i];
        b->first = TAC_NONE;
        b->length = R(0.0);
        if (i == 0 || m->body[i].kind != TAC_DYNAMIC) { continue; }
        ncp_free_spin(m, inertia, s->twist[i].w, b);
        b->length = real_sqrt(real_max(inertia.x, real_max(inertia.y, inertia.z)) / m->body[i].mass);
    }
}

static int ncp_same_pair(const tac_contact *a, const tac_contact *b)
{
    return a->id.shape_a == b->id.shape_a && a->id.shape_b == b->id.shape_b;
}

// The contacts of the pair of shapes of contact i: they follow each other.
static const tac_contact *ncp_pair(const tac_work *w, uint32_t i, int *count)
{
    const tac_contact *k = &w->contact[i], *first = k, *end = k + 1;
    while (first > w->contact && ncp_same_pair(k, first - 1)) { first--; }
    while (end < w->contact + w->report.contacts && ncp_same_pair(k, end)) { end++; }
    *count = (int)(end - first);
    return first;
}

// What does not change during the solve: law, friction ellipsoid, step lengths of the natural maps.
static void ncp_contact_make(const tac_model *m, const tac_state *s, const tac_work *w, tac_ncp *q, uint32_t i)
{
    const tac_contact *k = &w->contact[i];
    const tac_block *block = &blocks_of(w)[i];
    tac_ncp_contact *c = &q->contact[i];
    const end_bodies b = {m, k, {&s->pose[k->body_a], &s->pose[k->body_b]}, {V3_ZERO, V3_ZERO}};
    int count;
    const tac_contact *pair = ncp_pair(w, i, &count);
    end_take(&b, pair, count, q->shape, c);
    c->mu = k->mu;
    c->rows = block->rows;
    c->length = real_min(shape_thickness(m, end_shape(&b, 0)), shape_thickness(m, end_shape(&b, 1)));
    for (int j = 0; j < 6; j++) { c->e[j] = j < 3 ? R(1.0) : R(0.0); }
    reals_clear(c->p, sizeof c->p);
    reals_clear(c->y, sizeof c->y);
    real most = real_max(block->w.yy, block->w.zz);
    if (has_torsion(block)) {
        v3_put(c->e + 3, ROLLING_BLOCK(block)->axis);
        const vec3 weight = ROLLING_BLOCK(block)->own_weight;
        most = real_max(most, real_max(weight.x, real_max(weight.y, weight.z)));
    }
    c->step_n = R(1.0) / block->w.xx;
    c->step_t = R(1.0) / most;
}

// Numbers of the unknowns: bodies that contacts act on, then contacts.
static void ncp_number(const tac_model *m, const tac_work *w, tac_ncp *q)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < w->report.contacts; i++) {
        const uint16_t body[2] = {w->contact[i].body_a, w->contact[i].body_b};
        for (int side = 0; side < 2; side++) {
            tac_ncp_body *b = &q->body[body[side]];
            if (m->body[body[side]].kind != TAC_DYNAMIC || b->first != TAC_NONE) { continue; }
            b->first = (uint16_t)n;
            b->pseudo.v = V3_ZERO; // q+ = q + h nu+
            n += 6;
        }
    }
    for (uint32_t i = 0; i < w->report.contacts; i++) {
        q->contact[i].first = (uint16_t)n;
        n += blocks_of(w)[i].rows;
    }
    q->unknowns = (uint16_t)(n < UINT16_MAX ? n : UINT16_MAX);
}

// The first guess: velocities and impulses of the cone program.
static void ncp_guess(const tac_model *m, const tac_work *w, tac_ncp *q)
{
    for (uint16_t i = 1; i < m->bodies; i++) {
        if (q->body[i].first == TAC_NONE) { continue; }
        v3_put(&q->x[q->body[i].first], w->delta_v[i].v);
        v3_put(&q->x[q->body[i].first + 3], w->delta_v[i].w);
    }
    for (uint32_t i = 0; i < w->report.contacts; i++) {
        const tac_block *k = &blocks_of(w)[i];
        reals_copy(&q->x[q->contact[i].first], &w->scratch.solve.g[k->first], k->rows * sizeof(real));
    }
}

// ---------------------------------------------------------------------------------------------------------- equations

// Poses and velocities at the end of the step, as commit() will make them.
static void ncp_place_bodies(const tac_model *m, const tac_state *s, tac_ncp *q)
{
    for (uint16_t i = 0; i < m->bodies; i++) {
        tac_ncp_body *b = &q->body[i];
        tac_twist change = b->free;
        reals_copy(&b->rest, &s->compensation[i], sizeof b->rest);
        if (b->first != TAC_NONE) {
            change.v = v3_of(&q->x[b->first]);
            change.w = v3_of(&q->x[b->first + 3]);
        }
        b->pose = s->pose[i];
        b->twist = s->twist[i];
        if (i > 0) { free_commit(m->h, &change, &b->pseudo, &b->pose, &b->twist, &b->rest); }
    }
}

static vec3 ncp_spin(const tac_ncp_body *b)
{
    return quat_rotate(b->pose.q, b->twist.w);
}

// Velocity of a body at a point.
static vec3 ncp_velocity(const tac_ncp_body *b, vec3 at)
{
    return v3_add(b->twist.v, v3_cross(ncp_spin(b), v3_sub(at, b->pose.p)));
}

// Components along normal, t, o.
static vec3 ncp_along(const tac_ncp_contact *c, vec3 a)
{
    return v3(v3_dot(c->normal, a), v3_dot(c->t, a), v3_dot(c->o, a));
}

static vec3 ncp_combine(const tac_ncp_contact *c, vec3 a)
{
    return v3_madd(v3_madd(v3_scale(a.x, c->normal), a.y, c->t), a.z, c->o);
}

// Impulse and torque impulse on b, as components.
static vec3 ncp_impulse(const tac_ncp_contact *c)
{
    return v3_of(c->p);
}

static vec3 ncp_torque(const tac_ncp_contact *c)
{
    return v3_mul(v3_of(c->e + 3), v3_of(c->p + 3));
}

// The contact at the end of the step: its points, and its velocities as the laws take them, the gap as gap/h.
static void ncp_place_contact(const tac_model *m, const tac_work *w, tac_ncp *q, uint32_t i)
{
    const tac_contact *k = &w->contact[i];
    tac_ncp_contact *c = &q->contact[i];
    const end_bodies ends = ncp_ends(m, w, q, i);
    end_place(&ends, q, c);
    reals_copy(c->p, &q->x[c->first], c->rows * sizeof(real));
    const vec3 torque = ncp_torque(c);
    c->p_n = c->p[0], c->p_t = c->p[1], c->p_o = c->p[2];
    c->p_r = torque.x, c->p_rt = torque.y, c->p_ro = torque.z;
    const tac_ncp_body *a = ncp_side(q, k, 0), *b = ncp_side(q, k, 1);
    const vec3 at = end_middle(c);
    const vec3 v = ncp_along(c, v3_sub(ncp_velocity(b, at), ncp_velocity(a, at)));
    const vec3 r = ncp_along(c, v3_sub(ncp_spin(b), ncp_spin(a)));
    c->v_n = v.x, c->v_t = v.y, c->v_o = v.z, c->v_r = r.x;
    v3_put(c->y, v3(c->gap / m->h, v.y, v.z));
    v3_put(c->y + 3, v3_mul(v3_of(c->e + 3), r));
}

// (10) of the bodies, as velocities: linear, then angular times the radius of gyration.
static void ncp_euler(const tac_model *m, const tac_work *w, tac_ncp *q)
{
    for (uint16_t i = 1; i < m->bodies; i++) {
        tac_ncp_body *b = &q->body[i];
        if (b->first == TAC_NONE) { continue; }
        const vec3 phi = v3_scale(-m->h, v3_add(b->twist.w, b->pseudo.w));
        b->momentum = v3_add(b->start, quat_turn(quat_exp(phi), b->start));
        const vec3 turned = v3_add(b->kick, v3_sub(b->momentum, b->start));
        const real *x = &q->x[b->first];
        v3_put(&q->phi[b->first], v3_sub(v3_of(x), b->free.v));
        v3_put(&q->phi[b->first + 3],
               v3_scale(b->length, v3_sub(v3_of(x + 3), v3_mul(w->moving[i].inv_inertia, turned))));
    }
}

static void ncp_euler_add(const tac_work *w, tac_ncp *q, uint16_t body, vec3 impulse, vec3 torque)
{
    tac_ncp_body *b = &q->body[body];
    if (b->first == TAC_NONE) { return; }
    real *phi = &q->phi[b->first];
    const vec3 own = quat_rotate_back(b->pose.q, torque);
    v3_put(phi, v3_madd(v3_of(phi), -w->moving[body].inv_mass, impulse));
    v3_put(phi + 3, v3_madd(v3_of(phi + 3), -b->length, v3_mul(w->moving[body].inv_inertia, own)));
    b->momentum = v3_add(b->momentum, own);
}

// Does the law of the contact say that it bears nothing?
static int ncp_is_open(const tac_ncp_contact *c)
{
    return !(c->p[0] - c->step_n * c->y[0] > R(0.0));
}

static semismooth_contact ncp_laws(const tac_ncp_contact *c, real *phi)
{
    semismooth_contact laws;
    semismooth_contact_make(c->rows, c->mu, c->step_n, c->step_t, c->p, c->y, phi, &laws);
    return laws;
}

// All equations at x. Returns their merit.
static real ncp_evaluate(const tac_model *m, const tac_state *s, const tac_work *w, tac_ncp *q)
{
    ncp_place_bodies(m, s, q);
    ncp_euler(m, w, q);
    for (uint32_t i = 0; i < q->contacts; i++) {
        const tac_contact *k = &w->contact[i];
        tac_ncp_contact *c = &q->contact[i];
        ncp_place_contact(m, w, q, i);
        const vec3 at = end_middle(c), p = ncp_combine(c, ncp_impulse(c)), r = ncp_combine(c, ncp_torque(c));
        for (int side = 0; side < 2; side++) {
            const uint16_t body = side ? k->body_b : k->body_a;
            const real sign = side ? R(1.0) : R(-1.0);
            const vec3 arm = v3_sub(at, q->body[body].pose.p);
            ncp_euler_add(w, q, body, v3_scale(sign, p), v3_scale(sign, v3_add(v3_cross(arm, p), r)));
        }
        (void)ncp_laws(c, &q->phi[c->first]);
    }
    q->evaluations++;
    return semismooth_merit(q->phi, q->unknowns);
}

// --------------------------------------------------------------------------------------------------------- derivative

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
    l->laws = ncp_laws(c, &q->phi[c->first]);
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
    v3_put(dy, v3(sign * v3_dot(c->normal, v) / m->h, slip.y, slip.z));
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

// ------------------------------------------------------------------------------------------------------------ residual

static void ncp_most(real *worst, real value)
{
    if (!(real_abs(value) <= *worst)) { *worst = real_abs(value); } // a NaN stays
}

static real ncp_size(const tac_ncp_body *b, vec3 linear, vec3 angular)
{
    return real_max(v3_norm(linear), b->length * v3_norm(angular));
}

// Scales of velocities and of their changes, the second not below the rounding of the first.
static void ncp_scales(const tac_model *m, tac_ncp *q)
{
    q->speed = q->change = R(0.0);
    for (uint16_t i = 1; i < m->bodies; i++) {
        const tac_ncp_body *b = &q->body[i];
        if (b->first == TAC_NONE) { continue; }
        const real *x = &q->x[b->first];
        q->change = real_max(q->change, ncp_size(b, b->free.v, b->free.w));
        q->change = real_max(q->change, ncp_size(b, v3_of(x), v3_of(x + 3)));
        q->speed = real_max(q->speed, ncp_size(b, b->twist.v, b->twist.w));
    }
    q->speed = real_max(q->speed, q->change);
    q->change = real_max(q->change, R(16.0) * REAL_EPSILON * q->speed);
    if (!(q->speed > R(0.0))) { q->speed = q->change = R(1.0); } // nothing moves: all residuals are 0
}

// sigma, and what a contact leaves of (5) and (11).
static void ncp_residual_contact(tac_ncp *q, tac_ncp_contact *c)
{
    tac_ncp_residual *r = &q->residual;
    const real speed = q->speed, impulse = c->step_n * q->change;
    real slip = R(0.0), force = R(0.0);
    for (int i = 1; i < c->rows; i++) {
        slip += c->y[i] * c->y[i];
        force += c->p[i] * c->p[i];
    }
    c->sigma = ncp_is_open(c) ? R(0.0) : real_sqrt(slip);
    const real limit = c->mu * c->p[0], room = limit - real_sqrt(force);
    ncp_most(&r->gap, real_min(c->p[0] / impulse, c->gap / c->length));
    ncp_most(&r->ellipsoid, real_min(c->sigma / speed, room / impulse));
    for (int i = 1; i < c->rows; i++) {
        ncp_most(&r->friction, (limit * c->y[i] + c->p[i] * c->sigma) / (impulse * speed));
    }
    if (c->law == TAC_NCP_PAIR) { ncp_most(&r->closest, c->closest.residual); }
}

// What is left of (10), (11) and (9) or (22). Returns the largest.
static real ncp_residual_make(const tac_model *m, tac_ncp *q)
{
    tac_ncp_residual *r = &q->residual;
    reals_clear(r, sizeof *r);
    ncp_scales(m, q);
    for (uint16_t i = 1; i < m->bodies; i++) {
        const tac_ncp_body *b = &q->body[i];
        for (uint32_t k = 0; b->first != TAC_NONE && k < 6; k++) {
            ncp_most(&r->newton_euler, q->phi[b->first + k] / q->change);
        }
    }
    for (uint32_t i = 0; i < q->contacts; i++) { ncp_residual_contact(q, &q->contact[i]); }
    return real_max(real_max(r->newton_euler, r->closest), real_max(real_max(r->gap, r->friction), r->ellipsoid));
}

// --------------------------------------------------------------------------------------------------------------- solve

// What rounding of the gaps makes of the merit.
static real ncp_noise(const tac_model *m, const tac_state *s, const tac_work *w)
{
    real sum = R(0.0);
    for (uint32_t i = 0; i < w->report.contacts; i++) {
        const real rate = rows_rounding(m, &w->contact[i], s) / m->h;
        sum += rate * rate;
    }
    return sum;
}

static real ncp_move(const tac_model *m, const tac_state *s, const tac_work *w, tac_ncp *q, real t)
{
    for (uint32_t k = 0; k < q->unknowns; k++) { q->x[k] = q->from[k] + t * q->step[k]; }
    return ncp_evaluate(m, s, w, q);
}

// Newton's step, shortened until it gains. The merit has local minima, since the laws have corners: where no length
// gains the whole step is taken, and from what lies beyond it Newton's method mostly converges. Returns the merit.
static real ncp_iterate(const tac_model *m, const tac_state *s, const tac_work *w, tac_ncp *q, real before, real noise)
{
    ncp_derive(m, w, q);
    if (!semismooth_step(q)) { return before; }
    reals_copy(q->from, q->x, q->unknowns * sizeof *q->x);
    real t = R(1.0);
    for (int i = 0; i <= SEMISMOOTH_HALVINGS; i++, t *= R(0.5)) {
        const real merit = ncp_move(m, s, w, q, t);
        if (semismooth_accepts(t, before, merit, noise)) { return merit; }
    }
    return ncp_move(m, s, w, q, R(1.0));
}

// What rounding has left of the impulses of open contacts goes.
static void ncp_clear_open(tac_ncp *q)
{
    for (uint32_t i = 0; i < q->contacts; i++) {
        const tac_ncp_contact *c = &q->contact[i];
        if (ncp_is_open(c)) { reals_clear(&q->x[c->first], c->rows * sizeof *q->x); }
    }
}

// What is shown: the solution, or if there is none the first guess and what it leaves.
static void ncp_conclude(const tac_model *m, const tac_state *s, const tac_work *w, tac_ncp *q)
{
    if (q->converged) {
        ncp_clear_open(q);
    } else {
        ncp_guess(m, w, q);
    }
    (void)ncp_evaluate(m, s, w, q);
    (void)ncp_residual_make(m, q);
}

// Until the residual is a hundredth of the tolerance, or it meets the tolerance and rounding keeps the rest.
static void ncp_solve(const tac_model *m, const tac_state *s, const tac_work *w, tac_ncp *q)
{
    const real noise = ncp_noise(m, s, w);
    real merit = ncp_evaluate(m, s, w, q), residual = ncp_residual_make(m, q);
    for (q->iterations = 0; q->iterations < q->max_iterations && residual > NCP_AIM * q->tolerance; q->iterations++) {
        const real before = residual;
        merit = ncp_iterate(m, s, w, q, merit, noise);
        residual = ncp_residual_make(m, q);
        if (before <= q->tolerance && !(residual < before)) {
            (void)ncp_move(m, s, w, q, R(0.0));
            residual = ncp_residual_make(m, q);
            break;
        }
    }
    q->converged = residual <= q->tolerance;
    ncp_conclude(m, s, w, q);
}

// ---------------------------------------------------------------------------------------------------------------- step

// The problem and its first guess. Returns 0 if it has no room.
static int ncp_begin(const tac_model *m, const tac_state *s, const tac_input *input, tac_work *w, tac_ncp *q)
{
    ncp_free(m, s, input, w, q);
    ccp_begin(m, s, input, w);
    q->contacts = w->report.contacts;
    q->evaluations = 0;
    ncp_number(m, w, q);
    if (q->unknowns > TAC_MAX_NCP) {
        check_note(TAC_REASON_FULL, TAC_FIELD_CONTACT, q->contacts, &w->report.fault);
        return 0;
    }
    for (uint32_t i = 0; i < q->contacts; i++) { ncp_contact_make(m, s, w, q, i); }
    ccp_sweep(w, m->options.max_sweeps);
    ncp_guess(m, w, q);
    return 1;
}

// A contact shows what it is at the end of the step; its gap, as after every step, is that of the start.
static void ncp_result(const tac_ncp_contact *c, tac_work *w, uint32_t i)
{
    tac_contact *k = &w->contact[i];
    tac_block *block = &blocks_in(w)[i];
    real *g = &w->scratch.solve.g[block->first];
    reals_copy(g, c->p, c->rows * sizeof *g);
    if (has_torsion(block)) {
        rows6_put(g, torsion_project(rows6_of(g), c->mu));
    } else {
        v3_put(g, cone_project(v3_of(g), c->mu, R(1.0), R(1.0)));
    }
    block->frame[0] = k->n = c->normal;
    block->frame[1] = k->u = c->t;
    block->frame[2] = k->w = c->o;
    k->point = end_middle(c);
}

// nu+ and q+ of the problem become those of the state.
static int ncp_end(const tac_model *m, tac_state *s, tac_work *w, tac_ncp *q)
{
    for (uint16_t i = 1; i < m->bodies; i++) {
        const tac_ncp_body *b = &q->body[i];
        w->delta_v[i] = b->free;
        w->pseudo_velocity[i] = b->pseudo;
        if (b->first == TAC_NONE) { continue; }
        w->delta_v[i] = (tac_twist){v3_of(&q->x[b->first]), v3_of(&q->x[b->first + 3])};
    }
    for (uint32_t i = 0; i < q->contacts; i++) { ncp_result(&q->contact[i], w, i); }
    w->progress.scale = R(1.0);
    w->progress.converged = 1;
    w->report.impacts = 0; // those of the cone program
    results(m, s, w, ncp_residual_make(m, q));
    for (uint32_t i = 0; i < q->contacts; i++) {
        const tac_ncp_contact *c = &q->contact[i];
        w->contact[i].velocity = v3(c->v_n, c->v_t, c->v_o);
        w->contact[i].bounce = V3_ZERO; // the cone program's
    }
    if (!commit_good(m, s, w)) { return 0; }
    commit(m, s, w);
    return 1;
}

#endif

#endif
