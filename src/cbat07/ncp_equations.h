// SPDX-License-Identifier: MIT
// ncp_equations.h - CBAT07 (10) and (11) at the end of the step, as functions of velocities and impulses.
//   given   model, state, input; contacts and blocks of the cone program; a vector of unknowns
//   makes   phi, all as velocities; the residual of each equation of the paper
//   bound   one visit to each body, one evaluation of end_contact.h for each contact
//   never   changes the results of the cone program in the work area
#ifndef CBAT07_NCP_EQUATIONS_H
#define CBAT07_NCP_EQUATIONS_H

#include "../sets/semismooth.h"
#include "end_contact.h"
#include "ncp_joints.h"

#if TAC_MAX_NCP > 0

// With everything on the right at the end of the step, l+1, in particular W = (normal, t, o, r) at a1 and a2 there,
//
//      M nu+ = M nu + Wn p_n + Wt p_t + Wo p_o + Wr p_r + p_app + p_vp                            (10)
//      a1, a2 closest points of the two shapes in the poses q+ = q exp(h nu+)                     (9), (22)
//      e^2 mu p_n (W'nu+) + p sigma = 0           for t, o and r                                  (5)
//      0 <= p_n    perp  gap + kept >= 0                                                          (11)
//      0 <= sigma  perp  zeta = mu^2 p_n^2 - sum (p/e)^2 >= 0                                     (11)
//
// and constraints and efforts of joints as ncp_joints.h has them.
// The unknowns of Newton's method are nu+ - nu of the bodies that contacts and joints act on and their impulses. The
// closest points are eliminated: they are functions of the poses, and of nu+ in this way, whose derivatives
// end_contact.h has. sigma is eliminated too: by (5) it is |(e v)| wherever p_n > 0. `kept` is no part of the paper,
// where it is 0: what overlaps at the start would leave in one step, with energy from nothing.
//
// Angular momentum in the world changes by torques and contacts alone, so in the frame of the body, which turns by
// exp(phi), phi = h (w+ + pseudo-velocity of free rotation),
//      I w+ = exp(-phi) start + R+'(sum of torques of the contacts)
// which without contacts is the free rotation of the kernel (motion/free.h).

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

// Where a model has joints free rotation is but predicted (move_free()): here it is whole.
static void ncp_free_wholly(const tac_model *m, const tac_state *s, tac_work *w, uint16_t i)
{
    if (JOINT_COUNT(m) == 0 || i == 0 || m->body[i].kind != TAC_DYNAMIC) { return; }
    const vec3 turned = v3_mul(w->moving[i].inv_inertia, JOINT_TURNED(w)[i]);
    (void)move_rotate_body(m, s, w, i, v3_sub(w->delta_v[i].w, turned), V3_ZERO);
}

// Velocities and rotations without contacts, before the cone program adds impacts to them.
static void ncp_free(const tac_model *m, const tac_state *s, const tac_input *input, tac_work *w, tac_ncp *q)
{
    move_free(m, s, input, w);
    reals_clear(&q->body[0], offsetof(tac_ncp_body, length));
    for (uint16_t i = 0; i < m->bodies; i++) {
        tac_ncp_body *b = &q->body[i];
        const vec3 inertia = m->body[i].inertia;
        ncp_free_wholly(m, s, w, i);
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

// What of an overlap at the start the step need not undo: more than the motion of one step makes. Forces change a gap
// by h times the change of velocity, a motion at the speed u over curved surfaces by (h u)^2/length. So much leaves in
// a step, or what options.recovery takes back; a corner that was not modelled, as deep as it moves in a step, leaves
// whole.
static real ncp_kept(const tac_model *m, const end_bodies *b, const tac_block *block, tac_ncp *q, tac_ncp_contact *c)
{
    if (!(b->contact->gap < R(0.0))) { return R(0.0); }
    const vec3 u = v3(block->bias.x - block->target, block->bias.y, block->bias.z);
    const real change = v3_norm(ncp_side(q, b->contact, 0)->free.v) + v3_norm(ncp_side(q, b->contact, 1)->free.v);
    const real back = real_max(m->options.recovery, R(2.0) * change + m->h * v3_dot(u, u) / c->length);
    end_place(b, q, c);
    return -c->gap > -m->h * u.x ? real_max(-c->gap - m->h * back, R(0.0)) : R(0.0);
}

// The law of a contact, from where it is at the start of the step.
static void ncp_contact_take(const tac_model *m, const tac_state *s, const tac_work *w, tac_ncp *q, uint32_t i)
{
    const tac_contact *k = &w->contact[i];
    tac_ncp_contact *c = &q->contact[i];
    const end_bodies b = {m, k, {&s->pose[k->body_a], &s->pose[k->body_b]}, {V3_ZERO, V3_ZERO}};
    int count;
    const tac_contact *pair = ncp_pair(w, i, &count);
    end_take(&b, pair, count, q->shape, c);
    c->length = real_min(shape_thickness(m, end_shape(&b, 0)), shape_thickness(m, end_shape(&b, 1)));
}

// What is kept of an overlap, friction ellipsoid, step lengths of the natural maps.
static void ncp_contact_make(const tac_model *m, const tac_state *s, const tac_work *w, tac_ncp *q, uint32_t i)
{
    const tac_contact *k = &w->contact[i];
    const tac_block *block = &w->scratch.solve.block[i];
    tac_ncp_contact *c = &q->contact[i];
    const end_bodies b = {m, k, {&s->pose[k->body_a], &s->pose[k->body_b]}, {V3_ZERO, V3_ZERO}};
    c->mu = k->mu; // by the rows: that of the slip at the start
    c->rows = block->rows;
    c->kept = ncp_kept(m, &b, block, q, c);
    for (int j = 0; j < 6; j++) { c->e[j] = j < 3 ? R(1.0) : R(0.0); }
    c->e[2] = FRICTION_ACROSS(k); // e_o over e_t
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

static uint32_t ncp_number_bodies(const tac_model *m, tac_ncp *q, uint16_t body_a, uint16_t body_b, uint32_t n)
{
    for (int side = 0; side < 2; side++) {
        const uint16_t i = side ? body_b : body_a;
        tac_ncp_body *b = &q->body[i];
        if (m->body[i].kind != TAC_DYNAMIC || b->first != TAC_NONE) { continue; }
        b->first = (uint16_t)n;
        b->pseudo.v = V3_ZERO; // q+ = q + h nu+
        n += 6;
    }
    return n;
}

// Numbers of the unknowns: bodies that joints and contacts act on, then joints and contacts. Returns how many there are
// without contacts.
static uint32_t ncp_number(const tac_model *m, tac_work *w, tac_ncp *q)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
        const tac_joint *j = &JOINT_OF(m)[i];
        if (j->kind != TAC_COUPLING) { n = ncp_number_bodies(m, q, j->body_a, j->body_b, n); }
    }
    const uint32_t joined = ncp_joints_number(m, w, q, n);
    n = joined;
    for (uint32_t i = 0; i < w->report.contacts; i++) {
        n = ncp_number_bodies(m, q, w->contact[i].body_a, w->contact[i].body_b, n);
    }
    for (uint32_t i = 0; i < w->report.contacts; i++) {
        q->contact[i].first = (uint16_t)n;
        n += w->scratch.solve.block[i].rows;
    }
    q->unknowns = (uint16_t)(n < UINT16_MAX ? n : UINT16_MAX);
    return joined;
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
        const tac_block *k = &w->scratch.solve.block[i];
        reals_copy(&q->x[q->contact[i].first], &w->scratch.solve.g[k->first], k->rows * sizeof(real));
    }
    ncp_joints_guess(m, w, q);
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
        if (i > 0) { free_commit(m->h, &change, &b->pseudo, JOINT_COUNT(m) > 0, &b->pose, &b->twist, &b->rest); }
    }
}

static vec3 ncp_spin(const tac_ncp_body *b)
{
    return quat_rotate(b->pose.q, b->twist.w);
}

// Velocity of a body at a point.
static vec3 ncp_velocity(const tac_ncp_body *b, vec3 at)
{
    const vec3 spin = ncp_spin(b);
    return v3_velocity(&b->twist.v, &spin, &b->pose.p, at);
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
    return friction_times(c->e[2], v3_of(c->p));
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
    const vec3 impulse = ncp_impulse(c), torque = ncp_torque(c);
    c->p_n = impulse.x, c->p_t = impulse.y, c->p_o = impulse.z;
    c->p_r = torque.x, c->p_rt = torque.y, c->p_ro = torque.z;
    const tac_ncp_body *a = ncp_side(q, k, 0), *b = ncp_side(q, k, 1);
    const vec3 at = end_middle(c);
    const vec3 v = ncp_along(c, v3_sub(ncp_velocity(b, at), ncp_velocity(a, at)));
    const vec3 r = ncp_along(c, v3_sub(ncp_spin(b), ncp_spin(a)));
    c->v_n = v.x, c->v_t = v.y, c->v_o = v.z, c->v_r = r.x;
    v3_put(c->y, friction_times(c->e[2], v3((c->gap + c->kept) / m->h, v.y, v.z)));
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

// Does the law of the contact give it no impulse?
static int ncp_is_open(const tac_ncp_contact *c)
{
    return !(c->p[0] - c->step_n * c->y[0] > R(0.0));
}

static void ncp_laws(const tac_ncp_contact *c, real *phi, semismooth_contact *laws)
{
    semismooth_contact_make(c->rows, c->mu, c->step_n, c->step_t, c->p, c->y, phi, laws);
}

// All equations at x. Returns their merit.
static real ncp_evaluate(const tac_model *m, const tac_state *s, tac_work *w, tac_ncp *q)
{
    semismooth_contact laws;
    ncp_place_bodies(m, s, q);
    ncp_euler(m, w, q);
    ncp_joints_evaluate(m, s, w, q);
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
        ncp_laws(c, &q->phi[c->first], &laws);
    }
    q->evaluations++;
    return semismooth_merit(q->phi, q->unknowns);
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

// sigma, and the residuals of a contact in (5) and (11).
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
    ncp_most(&r->gap, real_min(c->p[0] / impulse, (c->gap + c->kept) / c->length));
    ncp_most(&r->ellipsoid, real_min(c->sigma / speed, room / impulse));
    for (int i = 1; i < c->rows; i++) {
        ncp_most(&r->friction, (limit * c->y[i] + c->p[i] * c->sigma) / (impulse * speed));
    }
    if (c->law == TAC_NCP_PAIR) { ncp_most(&r->closest, c->closest.residual); }
}

// Constraints of joints, relative to the length that scales their rotations, and the laws of efforts and bushings.
static void ncp_residual_joint(const tac_model *m, const tac_work *w, tac_ncp *q, uint32_t i)
{
    const tac_joint_block *k = &JOINT_LINK(w)[i];
    const tac_ncp_joint *x = &q->joint[i];
    uint32_t at = x->first;
    for (int row = 0; row < NCP_JOINT_ROWS; row++) {
        if (!ncp_joint_acts(x, row)) { continue; }
        const int rigid = row < TAC_JOINT_ROWS && joint_holds(k, row);
        ncp_most(&q->residual.joint, q->phi[at++] * (rigid ? m->h / x->length : R(1.0) / q->change));
    }
}

// What is left of (10), (11) and (9) or (22). Returns the largest.
static real ncp_residual_make(const tac_model *m, const tac_work *w, tac_ncp *q)
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
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) { ncp_residual_joint(m, w, q, i); }
    const real bodies = real_max(real_max(r->newton_euler, r->closest), r->joint);
    return real_max(bodies, real_max(real_max(r->gap, r->friction), r->ellipsoid));
}

#endif

#endif
