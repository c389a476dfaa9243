// SPDX-License-Identifier: MIT
// plain.h - the papers' projected Gauss-Seidel / SOR sweep (TCE17 section 8, its [4]: Tasora and Anitescu 2011).
//   given   blocks, impulses, velocities that belong to them
//   makes   better impulses and their velocities, in place
//   bound   one pass over the contacts
//   never   forms N: the change of velocity M^-1 (h f + D g) is kept instead, so (N g + p)_i = D_i' gain + bias_i
#ifndef SOLVE_PLAIN_H
#define SOLVE_PLAIN_H

#include "local.h"

// The scalar d_i = trace(W_ii)/3 turns an impulse of block i into a velocity.
static real plain_weight(const tac_block *k)
{
    return sym3_trace(&k->w) * R(1.0 / 3.0);
}

// Natural map of a contact, m/s: zero where g, to which u belongs, solves its block.
static vec3 plain_natural(const tac_block *k, real mu, vec3 g, vec3 u, int exact)
{
    const real weight = plain_weight(k);
    const vec3 aim = cone_velocity(u, mu, exact);
    return v3_scale(weight, v3_sub(g, cone_project(v3_madd(g, R(-1.0) / weight, aim), mu, R(1.0), R(1.0))));
}

// The visit of plain_sweep() to six rows. A step that is equal along all of them would be too long for some or far too
// short for others: g^ is the solution of the block, relaxed.
static real plain_resisting(tac_work *w, const tac_options *o, const tac_contact *c, const tac_block *k, int exact)
{
    const rows6 last = resist_impulse(w, k), u = resist_velocity(c, k, w->gain);
    const rows6 way = rows6_sub(local_solve(k, c->mu, last, u, exact), last);
    const rows6 next = resist_project(rows6_madd(last, o->omega, way), c->mu);
    const rows6 change = rows6_scale(o->lambda, rows6_sub(next, last)), moved = resist_moved(k, change);
    rows6_put(&w->scratch.solve.g[k->first], rows6_madd(rows6_scale(R(1.0) - o->lambda, last), o->lambda, next));
    resist_apply(c, k, change, w->moving, w->gain);
    return rows6_dot(moved, moved);
}

//      g^ = P_K( g - omega eta (N g + p) ),    g+ = lambda g^ + (1 - lambda) g,    eta = 3/trace(W)
// Joints first. Returns what it moved: |d dg| over all contacts and joints, m/s.
static real plain_sweep(const tac_model *m, tac_work *w, int exact)
{
    const tac_options *o = &m->options;
    joint_progress p = {R(0.0), R(0.0)};
    joints_sweep(m, w, R(0.0), &p);
    const tac_block *k = w->scratch.solve.block;
    for (const tac_contact *c = w->contact; c < w->contact + w->report.contacts; c++, k++) {
        if (resists(c)) {
            p.moved += plain_resisting(w, o, c, k, exact);
            continue;
        }
        const real weight = plain_weight(k), step = o->omega / weight;

        const vec3 u = cone_velocity(rows_velocity(c, k, w->gain), c->mu, exact);
        real *g = &w->scratch.solve.g[k->first];
        const vec3 last = v3_of(g), next = cone_project(v3_madd(last, -step, u), c->mu, R(1.0), R(1.0));
        const vec3 mean = v3_madd(v3_scale(R(1.0) - o->lambda, last), o->lambda, next); // of two points of the cone
        v3_put(g, mean);

        const vec3 change = v3_sub(mean, last);
        rows_apply(c, k, change, w->moving, w->gain);
        p.moved += weight * weight * v3_dot(change, change);
    }
    return real_sqrt(p.moved);
}

#endif
