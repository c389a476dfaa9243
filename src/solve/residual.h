// SPDX-License-Identifier: MIT
// residual.h - the error of impulses as a solution of the cone program, and the residual that counts as solved.
//   given   blocks, links, impulses and the velocities that belong to them
//   makes   the natural map in m/s, under either law, of all rows or, over trees, of those with bounds; the residual
//           that tolerance and rounding allow
//   bound   one visit to each row
//   never   changes anything
#ifndef SOLVE_RESIDUAL_H
#define SOLVE_RESIDUAL_H

#include "../engine/sweep.h"

// Allowed multiples of the velocity error that rounding of the impulses makes:
#define SOLVE_EXACT R(0.0625) // Newton's method reaches this,
#define SOLVE_SUMMED R(1.0)   // sweeps over trees, whose velocities are sums, reach this,
#define SOLVE_BLURRED R(4.0)  // and a residual of this size is only rounding,
// but no more than a part of the residual of zero impulses, the root of epsilon: if rounding is more, joints wedge a
// contact. In float light links cause more rounding where nothing is wedged; over trees, whose W may be rounding in
// some directions, the root of epsilon is the bound in float too.
#define SOLVE_MOST (TAC_REAL_BITS == 32 ? R(0.01) : R(1.5e-8))
#define SOLVE_MOST_TREES (TAC_REAL_BITS == 32 ? R(2.5e-4) : R(1.5e-8))

static void solve_natural_torsion(const tac_work *w, const tac_block *k, int exact, natural_sum *s)
{
    const real weight = ROLLING_BLOCK(k)->weight;
    const rows6 u = torsion_velocity(k, w->delta_v), g = torsion_impulse(w, k);
    const rows6 map = torsion_natural(weight, k->mu, g, u, exact);
    natural_add(s, rows6_dot(map, map), rows6_dot(u, u));
}

// Natural map of all contacts and joints in velocity units, | d (g - P_K(g - u~/d)) |: zero where each g solves its
// block.
static natural_sum solve_natural_bodies(const tac_work *w, int exact)
{
    natural_sum s = {R(0.0), R(0.0), R(0.0)};
    for (const tac_block *k = blocks_of(w), *end = k + w->program.contacts; k < end; k++) {
        if (has_torsion(k)) {
            solve_natural_torsion(w, k, exact, &s);
            continue;
        }
        const vec3 g = v3_of(&w->scratch.solve.g[k->first]), u = rows_velocity(k, w->delta_v);
        const vec3 map = plain_natural(k, k->mu, g, u, exact);
        natural_add(&s, v3_dot(map, map), v3_dot(u, u));
    }
    joints_natural(w, &s);
    return s;
}

// The same where joints are eliminated: rows of contacts and of bounded intervals, at the velocities of trees.h.
static natural_sum solve_natural_trees(const tac_work *w, const real *g, const real *u, int exact)
{
    const tac_reduced *r = JOINT_REDUCED(w);
    natural_sum s = {r->closed ? r->contradiction : R(0.0), R(0.0), R(0.0)};
    for (const tac_block *k = blocks_of(w), *end = k + w->program.contacts; k < end; k++) {
        const vec3 at = v3_of(&u[3 * (k - blocks_of(w))]);
        const vec3 map = plain_natural(k, k->mu, v3_of(&g[k->first]), at, exact);
        natural_add(&s, v3_dot(map, map), v3_dot(at, at));
    }
    for (uint32_t i = 0; i < reduced_coordinates(w); i++) {
        const tac_joint_block *k = &JOINT_LINK(w)[i];
        for (int b = 0; r->row[i] != TAC_NONE && b < TAC_EFFORTS; b++) {
            const real own = g[k->first + (uint32_t)(TAC_JOINT_ROWS + b)];
            if (reduced_bounds(&k->interval[b])) { natural_interval(k, b, own, u[r->row[i]], &s); }
        }
    }
    return s;
}

static natural_sum solve_natural_of(const tac_work *w, int exact)
{
    const tac_solve_scratch *c = &w->scratch.solve;
    return TAC_MAX_JOINTS > 0 && w->progress.trees ? solve_natural_trees(w, c->g, JOINT_REDUCED(w)->velocity, exact)
                             : solve_natural_bodies(w, exact);
}

// Of zero impulses, before the solve: g is zero, or over trees the zeros are in last[].
static natural_sum solve_natural_none(const tac_work *w, int exact)
{
    const tac_solve_scratch *c = &w->scratch.solve;
    if (TAC_MAX_JOINTS == 0 || !w->progress.trees) { return solve_natural_bodies(w, exact); }
    natural_sum s = solve_natural_trees(w, c->last, JOINT_REDUCED(w)->free, exact);
    for (uint32_t i = 0; i < PROGRAM_JOINTS(w); i++) { natural_speed(&JOINT_LINK(w)[i], &s); }
    return s;
}

// Under the law in force.
static real solve_natural(const tac_work *w)
{
    return real_sqrt(solve_natural_of(w, w->progress.stage.law == TAC_FRICTION_EXACT).map);
}

// d of a contact, trace(W)/3, of its bodies without joints.
static real solve_free_weight(const tac_work *w, const tac_block *k)
{
    real linear = R(0.0), angular = R(0.0);
    for (int side = k->body[0] == 0; side < 2; side++) {
        const tac_moving *body = &w->moving[k->body[side]];
        linear += body->inv_mass;
        for (int row = 0; row < 3; row++) {
            angular += v3_dot(k->j[side][row], v3_mul(body->inv_inertia, k->j[side][row]));
        }
    }
    return linear + angular / R(3.0);
}

// Sum of squares of d g, the impulses of all contacts in units of velocity. Where joints are eliminated W contains
// the joints, but impulses are rounded at each body by itself.
static real solve_contacts_size(const tac_work *w)
{
    const int eliminated = joints_eliminated(&w->progress);
    real sum = R(0.0);
    for (const tac_block *k = blocks_of(w), *end = k + w->program.contacts; k < end; k++) {
        if (has_torsion(k)) {
            const rows6 v = torsion_moved(k, torsion_impulse(w, k));
            sum += rows6_dot(v, v);
            continue;
        }
        const real weight = eliminated ? solve_free_weight(w, k) : plain_weight(k);
        const vec3 v = v3_scale(weight, v3_of(&w->scratch.solve.g[k->first]));
        sum += v3_dot(v, v);
    }
    return sum;
}

// Velocity error that rounding of the impulses makes, m/s: epsilon |d g|.
static real solve_rounding(const tac_work *w)
{
    return REAL_EPSILON * real_sqrt(solve_contacts_size(w) + joints_size(w));
}

// The residual at which a step is solved: the tolerance times that of zero impulses, plus rounding of p in the rows
// that act, plus `terms` times rounding of N g. Where joints wedge a contact, impulses may be so large that their
// rounding is a velocity of the size of the problem: such a step is not solved.
static real solve_enough(const tac_work *w, real terms)
{
    const tac_progress *p = &w->progress;
    const real part = joints_eliminated(p) ? SOLVE_MOST_TREES : SOLVE_MOST;
    const real rounding = terms * solve_rounding(w), most = part * p->start;
    return w->program.tolerance * p->start + p->rounding +
           (PROGRAM_JOINTS(w) > 0 ? real_min(rounding, most) : rounding);
}

// Does a residual solve the step? Tested first without the rounding of N g, which costs a visit to each row.
static uint8_t solve_solves(const tac_work *w, real residual, real terms)
{
    const tac_progress *p = &w->progress;
    const int joints = PROGRAM_JOINTS(w) > 0;
    return (joints && residual <= w->program.tolerance * p->start + p->rounding) || residual <= solve_enough(w, terms);
}

#endif
