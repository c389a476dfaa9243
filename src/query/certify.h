// SPDX-License-Identifier: MIT
// certify.h - errors of a finished step in each law of contact: types.h defines each figure.
//   given   blocks, joints, impulses, velocities and pseudo-velocities of the finished step
//   makes   tac_certificate; `certified`: the velocities that belong to the impulses
//   bound   four visits to each contact and joint
//   never   changes the results of the step
#ifndef QUERY_CERTIFY_H
#define QUERY_CERTIFY_H

#include "../sets/errors.h"
#include "../dual/reactions.h"
#include "../rows/joints.h"
#include "../solve/residual.h"

// One cone: g and u of its rows. The part of the velocity outside the dual cone is P_K(-u~), by Moreau's decomposition;
// the same with three rows or six.
static void certify_cone(rows6 g, rows6 u, real mu, real d, tac_certificate *r)
{
    const rows6 aim = torsion_lifted(u, mu, r->friction == TAC_FRICTION_EXACT), none = rows6_none();
    const rows6 out = rows6_sub(g, torsion_project(g, mu)), barred = torsion_project(rows6_sub(none, aim), mu);
    errors_block(r, d, real_max(v3_norm_inf(out.f), v3_norm_inf(out.t)),
                 real_max(v3_norm_inf(barred.f), v3_norm_inf(barred.t)), rows6_dot(g, aim));
    errors_contact(r, d, g.f.x, u.f.x, mu * rows6_tangent(u), rows6_dot(g, u) - g.f.x * u.f.x);
}

// 1/2 g.(u + p) of three rows, p the velocities without impulses.
static real certify_objective(vec3 g, vec3 u, vec3 p)
{
    return R(0.5) * v3_dot(g, v3_add(u, p));
}

static void certify_contact(const tac_block *k, const tac_work *w, tac_certificate *r)
{
    const tac_twist *free = w->scratch.solve.free;
    rows6 g = rows6_none(), u = rows6_none();
    if (has_torsion(k)) {
        g = torsion_impulse(w, k);
        u = torsion_velocity(k, w->phase.certified);
        u.f = rows_yield(k, u.f, g.f.x);
        certify_cone(g, u, k->mu, ROLLING_BLOCK(k)->weight, r);
        r->f_ccp += certify_objective(g.t, u.t, torsion_velocity(k, free).t);
    } else {
        g.f = v3_of(&w->scratch.solve.g[k->first]);
        u.f = rows_yield(k, rows_velocity(k, w->phase.certified), g.f.x);
        certify_cone(g, u, k->mu, cone_weight(&k->w), r);
    }
    r->f_ccp += certify_objective(g.f, u.f, rows_velocity(k, free));
}

// An effort along a coordinate, between two bounds; u~ with its compliance times the impulse.
static void certify_interval(const tac_interval *x, real g, real u, real weight, tac_certificate *r)
{
    const real aim = x->hard ? u : (x->weight * u + g - x->centre) * (weight / (R(1.0) + x->weight * weight));
    errors_interval(r, weight, x->lo, x->hi, g, aim);
    if (!x->hard && x->weight > R(0.0)) { r->f_ccp += g * (R(0.5) * g - x->centre) / x->weight; }
}

static void certify_constraint(const tac_joint_block *k, int row, real g, real u, tac_certificate *r)
{
    const real aim = (u + k->soft[row] * g) * (k->w[row] / (k->w[row] + k->soft[row]));
    errors_block(r, k->w[row], R(0.0), aim, g * aim);
    if (k->soft[row] == R(0.0)) { errors_worst(&r->r_kinematics, u); }
    r->f_ccp += R(0.5) * k->soft[row] * g * g;
}

static void certify_joint(const tac_joint_block *k, const tac_work *w, tac_certificate *r)
{
    const real *g = &w->scratch.solve.g[k->first];
    const tac_twist *v = w->phase.certified, *free = w->scratch.solve.free;
    for (int row = 0; row < TAC_JOINT_ROWS; row++) {
        if (!(k->constraints >> row & 1)) { continue; }
        const real u = joint_rate(k, v, row) + k->bias[row], p = joint_rate(k, free, row) + k->bias[row];
        certify_constraint(k, row, g[row], u, r);
        r->f_ccp += R(0.5) * g[row] * (u + p);
    }
    for (int i = 0; i < TAC_EFFORTS; i++) {
        const tac_interval *x = &k->interval[i];
        if (!x->used) { continue; }
        const real u = joint_rate(k, v, JOINT_LAST) + x->bias, p = joint_rate(k, free, JOINT_LAST) + x->bias;
        certify_interval(x, g[TAC_JOINT_ROWS + i], u, k->w[JOINT_LAST], r);
        r->f_ccp += R(0.5) * g[TAC_JOINT_ROWS + i] * (u + p);
    }
}

// The impulses of contacts that roll rotate with their bodies (step/move.h), by an angle that is not known any more.
static void certify_rolled(tac_work *w)
{
    for (const tac_block *k = w->scratch.solve.block, *end = k + w->program.contacts; k < end; k++) {
        if (k->rolls == ROLLS_NOT || k->rolls == ROLLS_BALL || PROGRAM_JOINTS(w) > 0) { continue; }
        for (int side = 0; side < 2; side++) { w->phase.certified[k->body[side]].w = w->delta_v[k->body[side]].w; }
    }
}

// Velocities at the end of the step, compared with those that its impulses cause, those of the arcs of joints and free
// rotation included. `certified` holds the latter from here on.
static void certify_motion(const tac_model *m, tac_work *w, tac_certificate *r)
{
    for (uint32_t i = 0; i < PROGRAM_JOINTS(w); i++) {
        const tac_joint_block *k = &JOINT_LINK(w)[i];
        for (int row = 0; row < TAC_LINK_ROWS; row++) {
            if (k->arc[row] == R(0.0)) { continue; }
            joint_apply_row(k, row < TAC_JOINT_ROWS ? row : JOINT_LAST, k->arc[row], w->moving, w->phase.certified);
        }
    }
    PHASE_HOLDS(w, phase, TAC_PHASE_CERTIFIED);
    certify_rolled(w);
    for (uint16_t i = 1; i < m->bodies; i++) {
        const tac_moving *b = &w->moving[i];
        const vec3 v = v3_sub(w->delta_v[i].v, w->phase.certified[i].v);
        vec3 l = v3_mul(b->inertia, v3_sub(w->delta_v[i].w, w->phase.certified[i].w));
        if (!(b->inv_mass > R(0.0))) { continue; }
        if (JOINT_COUNT(m) > 0) { l = v3_sub(l, v3_sub(JOINT_TURNED(w)[i], JOINT_TURNED_FREE(w)[i])); }
        errors_worst(&r->r_eom, real_sqrt(v3_dot(v, v) + b->inv_mass * v3_dot(l, v3_mul(b->inv_inertia, l))));
    }
}

static real certify_overlap(const tac_model *m, const tac_work *w, const tac_contact *c, const tac_block *k)
{
    return real_max(rows_overlap(m, w, c, k) - m->h * rows_rate(k, w->pseudo_velocity, 0), R(0.0));
}

// The natural map at the velocities that belong to the impulses.
static real certify_natural(tac_work *w)
{
    tac_twist *made = w->phase.certified;
    for (uint16_t i = 0; i < w->program.bodies; i++) {
        const tac_twist shown = w->delta_v[i];
        w->delta_v[i] = made[i];
        made[i] = shown;
    }
    const natural_sum sum = solve_natural_all(w, solve_exact(w));
    const real natural = real_sqrt(sum.map);
    for (uint16_t i = 0; i < w->program.bodies; i++) {
        const tac_twist back = made[i];
        made[i] = w->delta_v[i];
        w->delta_v[i] = back;
    }
    return natural;
}

static void certify(const tac_model *m, tac_work *w, tac_certificate *r)
{
    bytes_clear(r, sizeof *r);
    r->friction = w->report.friction;
    r->penetration = w->report.penetration;
    joints_make_rows(w);
    reactions_divide(w);
    phase_take(w, TAC_PHASE_CERTIFIED);
    delta_v_make(w, w->phase.certified);
    const tac_block *k = w->scratch.solve.block;
    for (const tac_contact *c = w->contact; c < w->contact + w->report.contacts; c++, k++) {
        certify_contact(k, w, r);
        if (k->soft == R(0.0)) { errors_worst(&r->r_contact, certify_overlap(m, w, c, k)); } // else it is a load
        errors_count(r, c->mode);
    }
    for (uint32_t i = 0; i < PROGRAM_JOINTS(w); i++) { certify_joint(&JOINT_LINK(w)[i], w, r); }
    const real natural = certify_natural(w), scale = w->progress.scale;
    certify_motion(m, w, r);
    errors_relative(r, scale);
    if (scale > R(0.0)) { r->r_natmap = natural / scale; }
}

#endif
