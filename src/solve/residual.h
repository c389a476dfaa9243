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
// but over trees no more than a part of the residual of zero impulses, the root of epsilon: if rounding is more, joints
// wedge a contact, or W is rounding in some directions.
#define SOLVE_MOST                                                                                                     \
    (TAC_REAL_BITS == 32 ? R(2.5e-4)                                                                                   \
                         : R(1.5e-8)) // of the residual of zero impulses: a residual above it is no rounding

// Squares of the natural map and of the velocities of all rows, and of those where the map is not zero: an open contact
// or a limit that is far away moves fast, but its velocity does not enter the residual, nor does its rounding.
typedef struct natural_sum {
    real map, size, held;
} natural_sum;

static void natural_add(natural_sum *s, real map2, real u2)
{
    s->map += map2;
    s->size += u2;
    s->held += map2 > R(0.0) ? u2 : R(0.0);
}

// The velocities of the bodies of a joint: the rows of a robot in free fall are only the rounding of these.
static void natural_speed(const tac_joint_block *k, natural_sum *s)
{
    s->size += k->speed * k->speed;
    s->held += k->speed * k->speed;
}

// An interval at this rate of its coordinate.
static inline void natural_interval(const tac_joint_block *k, int interval, real g, real rate, natural_sum *s)
{
    const tac_interval *x = &k->interval[interval];
    const real u = rate + x->bias;
    const real map = interval_natural(x, g, u, k->w[JOINT_LAST]);
    natural_add(s, map * map, u * u);
}

static void solve_natural_torsion(const tac_work *w, const tac_block *k, int exact, natural_sum *s)
{
    const real weight = ROLLING_BLOCK(k)->weight;
    const rows6 g = torsion_impulse(w, k);
    rows6 u = torsion_velocity(k, w->delta_v);
    u.f = rows_yield(k, u.f, g.f.x);
    const rows6 map = torsion_natural(weight, k->mu, g, u, exact);
    natural_add(s, rows6_dot(map, map), rows6_dot(u, u));
}

// Natural map of all contacts in velocity units, | d (g - P_K(g - u~/d)) |: zero where each g solves its block. At the
// velocities u of the rows of W or, if u is NULL, of bodies.
static void solve_natural_contacts(const tac_work *w, const real *g, const real *u, int exact, natural_sum *s)
{
    uint32_t row = 0;
    for (const tac_block *k = w->scratch.solve.block, *end = k + w->program.contacts; k < end; k++, row += 3) {
        if (has_torsion(k)) {
            solve_natural_torsion(w, k, exact, s);
            continue;
        }
        const vec3 at = u != NULL ? v3_of(&u[row]) : rows_yield(k, rows_velocity(k, w->delta_v), g[k->first]);
        const vec3 map = cone_natural(cone_weight(&k->w), k->mu, v3_of(&g[k->first]), at, exact);
        natural_add(s, v3_dot(map, map), v3_dot(at, at));
    }
}

// Natural map of all rows of joints, where their impulses do not follow from the others.
static void solve_natural_joints(const tac_work *w, natural_sum *s)
{
    for (uint32_t i = 0; i < PROGRAM_JOINTS(w); i++) {
        const tac_joint_block *k = &JOINT_LINK(w)[i];
        const real *g = &w->scratch.solve.g[k->first];
        natural_speed(k, s);
        for (int row = 0; row < TAC_JOINT_ROWS; row++) {
            if (!(k->constraints >> row & 1)) { continue; }
            const real u = joint_rate(k, w->delta_v, row) + k->bias[row];
            const real map = (u + k->soft[row] * g[row]) * (k->w[row] / (k->w[row] + k->soft[row]));
            natural_add(s, map * map, k->soft[row] > R(0.0) ? map * map : u * u);
        }
        for (int b = 0; b < TAC_EFFORTS; b++) {
            const real rate = joint_rate(k, w->delta_v, JOINT_LAST);
            if (k->interval[b].used) { natural_interval(k, b, g[TAC_JOINT_ROWS + b], rate, s); }
        }
    }
}

// Of all rows, those of joints included, which must have been made.
static natural_sum solve_natural_all(const tac_work *w, int exact)
{
    natural_sum s = {R(0.0), R(0.0), R(0.0)};
    solve_natural_contacts(w, w->scratch.solve.g, NULL, exact, &s);
    solve_natural_joints(w, &s);
    return s;
}

// Of contacts and, over trees, of bounded intervals, at the impulses g: those that are swept.
static natural_sum solve_natural_at(const tac_work *w, const real *g, const real *u, int exact)
{
    const tac_trees *r = JOINT_TREES(w);
    natural_sum s = {R(0.0), R(0.0), R(0.0)};
    if (PROGRAM_JOINTS(w) > 0 && r->closed) { s.map = r->contradiction; }
    solve_natural_contacts(w, g, u, exact, &s);
    for (uint32_t i = 0; i < trees_coordinates(w); i++) {
        const tac_joint_block *k = &JOINT_LINK(w)[i];
        for (int b = 0; r->row[i] != TAC_NONE && b < TAC_EFFORTS; b++) {
            if (!columns_bounds(&k->interval[b])) { continue; }
            const real rate = u != NULL ? u[r->row[i]] : joint_rate(k, w->delta_v, JOINT_LAST);
            natural_interval(k, b, g[columns_row_of(k, b)], rate, &s);
        }
    }
    return s;
}

// Of the impulses in force, under either law.
static natural_sum solve_natural_of(const tac_work *w, int exact)
{
    return solve_natural_at(w, w->scratch.solve.g, trees_formed(w) ? JOINT_TREES(w)->velocity : NULL, exact);
}

// Is the exact law in force?
static inline int solve_exact(const tac_work *w)
{
    return w->progress.stage.law == TAC_FRICTION_EXACT;
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

// Sum of squares of d g, impulses g of all contacts in units of velocity. Where joints are eliminated W contains the
// joints, but impulses are rounded at each body by itself.
static real solve_contacts_size(const tac_work *w, const real *g)
{
    real sum = R(0.0);
    for (const tac_block *k = w->scratch.solve.block, *end = k + w->program.contacts; k < end; k++) {
        if (has_torsion(k)) {
            const rows6 v = torsion_moved(k, rows6_of(&g[k->first]));
            sum += rows6_dot(v, v);
            continue;
        }
        const real weight = PROGRAM_JOINTS(w) > 0 ? solve_free_weight(w, k) : cone_weight(&k->w);
        const vec3 v = v3_scale(weight, v3_of(&g[k->first]));
        sum += v3_dot(v, v);
    }
    return sum;
}

// Velocity error that rounding of the impulses makes, m/s: epsilon |d g|, of contacts and along coordinates.
static real solve_rounding(const tac_work *w)
{
    real joints = R(0.0);
    for (uint32_t i = 0; i < PROGRAM_JOINTS(w); i++) {
        const tac_joint_block *k = &JOINT_LINK(w)[i];
        const real v = k->w[JOINT_LAST] * joint_impulse(w, k, JOINT_LAST);
        joints += v * v;
    }
    return REAL_EPSILON * real_sqrt(solve_contacts_size(w, w->scratch.solve.g) + joints);
}

// Under the law in force. Where joints wedge a contact, its impulse may be so large that its rounding is a velocity
// beyond that of no impulses: what W leaves in the rows is none then.
static real solve_natural(const tac_work *w)
{
    const real map = real_sqrt(solve_natural_of(w, solve_exact(w)).map);
    if (PROGRAM_JOINTS(w) == 0) { return map; }
    const real rounding = REAL_EPSILON * real_sqrt(solve_contacts_size(w, w->scratch.solve.g));
    return rounding > w->progress.start ? real_max(map, rounding) : map;
}

// The residual at which a step is solved: the tolerance times that of zero impulses, plus rounding of p in the rows
// that act, plus `terms` times rounding of N g. Where joints wedge a contact, impulses may be so large that their
// rounding is a velocity of the size of the problem: such a step is not solved.
static real solve_enough(const tac_work *w, real terms)
{
    const tac_progress *p = &w->progress;
    const real rounding = terms * solve_rounding(w), most = SOLVE_MOST * p->start;
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
