// SPDX-License-Identifier: MIT
// sweep.h - Gauss-Seidel sweeps over contacts and coordinates: projected, as in the papers, or accelerated.
//   given   blocks, impulses x_k of the last sweep and x_k-1 of the one before, the velocities of both
//   makes   x_k+1 = sweep(y) in place; accelerated: y = x_k + beta (x_k - x_k-1), and the next beta
//   bound   LOCAL_WORLD.most projected steps a contact; an extrapolation along a constant change takes two visits, once
//           in SWEEP_ALIKE sweeps; trees: rows^2
//   never   forms N for bodies: with delta_v = M^-1 (h f + D g) kept, (N g + p)_i = D_i' delta_v + bias_i; leaves an
//           impulse outside its cone: y is only where the sweep starts from
#ifndef ENGINE_SWEEP_H
#define ENGINE_SWEEP_H

#include "../sets/local.h"
#include "../rows/contact_rows.h"
#include "../sets/interval.h"
#include "../dual/paths.h"
#include "iterates.h"

#define SWEEP_RENEW 32     // sweeps over bodies after which velocities are made anew from the impulses
#define SWEEP_ALIKE 8      // successive sweeps that make the same change
#define SWEEP_SAME R(0.01) // within this part are a drift
#define SWEEP_NULL R(1e-3) // of the energy of its impulses alone: a drift changes the energy by less
#define SWEEP_FAR R(2.0)   // times the impulses: the longest leap, an extrapolation along a drift

// Of a compliant contact N is N + C, and eta has a value for the normal and one for the tangents: with C that of a
// common one would hardly move these.
static vec3 plain_soft(const tac_program *o, const tac_block *k, vec3 last, vec3 u)
{
    const real n = o->omega / k->w.xx, t = R(2.0) * o->omega / (k->w.yy + k->w.zz);
    return cone_project(v3(last.x - n * u.x, last.y - t * u.y, last.z - t * u.z), k->mu, n, t);
}

//      g^ = P_K( g - omega eta (N g + p) ),    g+ = lambda g^ + (1 - lambda) g,    eta = 3/trace(W)
// g^ of three rows at u.
static vec3 plain_three(const tac_program *o, const tac_block *k, vec3 last, vec3 u, int exact)
{
    const real step = o->omega / cone_weight(&k->w);
    if (k->soft > R(0.0)) { return plain_soft(o, k, last, cone_velocity(u, k->mu, exact)); }
    return cone_project(v3_madd(last, -step, cone_velocity(u, k->mu, exact)), k->mu, R(1.0), R(1.0));
}

// Of six rows. A step that is equal along all of them would be too long for some or far too short for others: it is the
// solution of the block, relaxed.
static rows6 plain_six(const tac_program *o, const tac_block *k, rows6 last, rows6 u, int exact)
{
    const rows6 way = rows6_sub(local_solve(ROLLING_BLOCK(k), k->mu, last, u, exact), last);
    return torsion_project(rows6_madd(last, o->omega, way), k->mu);
}

// ------------------------------------------------------------------------------------------------------- the operator

// What a sweep moves: bodies without joints; trees of joints by their W (dual/trees.h), where `row` is that of the
// contact; trees contact by contact, without W (dual/paths.h). It is a constant in each call, so the compiler makes a
// loop for each.
enum { SWEEP_BODIES, SWEEP_TREES, SWEEP_PATHS };

// Velocities of the rows of a contact: three, or six.
static inline rows6 sweep_velocity(int on, tac_work *w, const tac_block *k, uint32_t row)
{
    if (on == SWEEP_TREES) { return (rows6){trees_velocity(w, row), V3_ZERO}; }
    const rows6 own = has_torsion(k) ? torsion_velocity(k, w->delta_v) : (rows6){rows_velocity(k, w->delta_v), V3_ZERO};
    if (on == SWEEP_BODIES) { return own; }
    real u[6];
    reals_clear(u, sizeof u);
    path_find(w, k);
    trees_velocity_of(w, path_row(trees_of(w)), path_rows(k), u);
    return rows6_madd(own, R(1.0), rows6_of(u));
}

// By how much the last sweep has changed them; not on paths.
static inline vec3 sweep_last_change(int on, const tac_work *w, const tac_block *k, uint32_t row)
{
    return on == SWEEP_TREES ? trees_last_change(w, row)
                             : v3_sub(rows_relative(k, w->delta_v), rows_relative(k, w->phase.last));
}

static inline void sweep_apply(int on, tac_work *w, const tac_block *k, uint32_t row, rows6 change)
{
    real g[6];
    if (on == SWEEP_TREES) {
        trees_apply_contact(w, row, change.f);
    } else if (on == SWEEP_PATHS) {
        rows6_put(g, change);
        path_push(w, path_row(trees_of(w)), path_rows(k), g);
    } else if (has_torsion(k)) {
        torsion_apply(k, change, w->moving, w->delta_v);
    } else {
        rows_apply(k, change.f, w->moving, w->delta_v);
    }
}

// The visit of a sweep to three rows, from y = x_k + beta (x_k - x_k-1). W of a body is near enough to round for
// projected steps alone, unless friction has a direction. Returns the change.
static inline rows6 sweep_three(int on, tac_work *w, const tac_block *k, vec3 u, int plain, int exact, sweep_sum *sum)
{
    const tac_program *o = &w->program;
    const sym3 *inverse = &k->own.sweep.inv_w;
    const real step_n = k->own.sweep.step_n, step_t = k->own.sweep.step_t, weight = k->own.sweep.weight;
    real *g = &w->scratch.solve.g[k->first], *kept = &w->scratch.solve.last[k->first];
    const vec3 last = v3_of(g), before = v3_sub(last, v3_of(kept)), y = v3_madd(last, w->progress.beta, before);
    vec3 next;
    if (on != SWEEP_TREES) { u = rows_yield(k, u, y.x); }
    if (plain) { // the mean of two points of the cone
        next = v3_madd(v3_scale(R(1.0) - o->lambda, y), o->lambda, plain_three(o, k, y, u, exact));
    } else if (on != SWEEP_BODIES) {
        next = local_graded(&k->w, inverse, step_n, step_t, k->mu, y, u, exact);
    } else if (exact && u.x >= R(0.0) && y.x == R(0.0) && y.y == R(0.0) && y.z == R(0.0)) {
        next = y; // an open contact stays open
    } else if (friction_directed(FRICTION_ACROSS(k))) {
        next = local_graded(&k->w, inverse, step_n, step_t, k->mu, y, u, exact);
    } else {
        next = local_steps(&k->w, inverse, step_n, step_t, k->mu, y, u, exact, LOCAL_WORLD);
    }
    const vec3 change = v3_sub(next, y), way = v3_sub(next, last);
    iterate_add(sum, weight, v3_dot(change, change), v3_dot(change, way));
    if (on != SWEEP_BODIES) { sum->swing += weight * v3_dot(before, way); }
    v3_put(kept, last);
    v3_put(g, next);
    return (rows6){change, V3_ZERO};
}

// The visit to six rows.
static rows6 sweep_six(tac_work *w, const tac_block *k, rows6 u, int plain, int exact, sweep_sum *sum)
{
    const tac_program *o = &w->program;
    real *g = &w->scratch.solve.g[k->first], *kept = &w->scratch.solve.last[k->first];
    const rows6 last = rows6_of(g), before = rows6_sub(last, rows6_of(kept)),
                y = rows6_madd(last, w->progress.beta, before);
    u.f = rows_yield(k, u.f, y.f.x);
    rows6 next = plain ? plain_six(o, k, y, u, exact) : local_solve(ROLLING_BLOCK(k), k->mu, y, u, exact);
    if (plain) { next = rows6_madd(rows6_scale(R(1.0) - o->lambda, y), o->lambda, next); }
    const rows6 change = rows6_sub(next, y), way = rows6_sub(next, last), moved = torsion_moved(k, change);
    sum->moved += rows6_dot(moved, moved);
    sum->turn -= ROLLING_BLOCK(k)->weight * rows6_dot(change, way);
    sum->swing += ROLLING_BLOCK(k)->weight * rows6_dot(before, way);
    rows6_put(kept, last);
    rows6_put(g, next);
    return change;
}

// ---------------------------------------------------------------------------------------------------------------- leap

// Redundant contacts (four feet of one body) make N singular, and gaps that no rigid body fits exactly demand a
// velocity, however small, that no impulses can remove: the solution lies where one of the contacts opens. Sweeps
// approach it by that velocity over d each time, and may need millions. A leap extrapolates the last change to where
// the first contact opens or the first bound is met. The result is used only if the sweeps that follow move less than
// all before.
typedef struct sweep_drift {
    real energy, alone; // of the last change d: d'N d, and sum of d_i |d|^2 as if each contact were alone
    real size;          // the same sum of the impulses
    real most;          // how often it may be repeated
} sweep_drift;

static inline void sweep_bound(sweep_drift *s, real impulse, real bound, real change)
{
    const real room = (bound - impulse) / change;
    if (room >= R(0.0)) { s->most = real_min(s->most, room); }
}

// Three rows: their last change, and the velocity that all changes cause there.
static inline void sweep_measure_drift(sweep_drift *s, const tac_work *w, const tac_block *k, vec3 made)
{
    const vec3 g = v3_of(&w->scratch.solve.g[k->first]), d = v3_sub(g, v3_of(&w->scratch.solve.last[k->first]));
    s->energy += v3_dot(made, d);
    s->alone += cone_weight(&k->w) * v3_dot(d, d);
    s->size += cone_weight(&k->w) * v3_dot(g, g);
    if (d.x < R(0.0)) { sweep_bound(s, g.x, R(0.0), d.x); }
}

// No leap is longer than SWEEP_FAR impulses: a force that presses two contacts against each other is unbounded.
static inline int sweep_leaps(const sweep_drift *s)
{
    return s->energy <= SWEEP_NULL * s->alone && s->most < REAL_LARGEST &&
           s->most * real_sqrt(s->alone) <= SWEEP_FAR * real_sqrt(s->size);
}

// The impulse of the contact after the leap; its rows continue from there without momentum.
static inline vec3 sweep_end_leap(tac_work *w, const tac_block *k, real most)
{
    real *g = &w->scratch.solve.g[k->first], *kept = &w->scratch.solve.last[k->first];
    const vec3 last = v3_of(g), d = v3_sub(last, v3_of(kept));
    const vec3 next = cone_project(v3_madd(last, most, d), k->mu, R(1.0), R(1.0));
    v3_put(g, next);
    v3_put(kept, next);
    return v3_sub(next, last);
}

static void sweep_measure_torsion(sweep_drift *s, const tac_work *w, const tac_block *k, rows6 made)
{
    const rows6 g = torsion_impulse(w, k), d = rows6_sub(g, rows6_of(&w->scratch.solve.last[k->first]));
    s->energy += rows6_dot(made, d);
    s->alone += rows6_dot(torsion_moved(k, d), d);
    s->size += rows6_dot(torsion_moved(k, g), g);
    if (d.f.x < R(0.0)) { sweep_bound(s, g.f.x, R(0.0), d.f.x); }
}

static void sweep_end_leap_torsion(tac_work *w, const tac_block *k, real most)
{
    real *g = &w->scratch.solve.g[k->first], *kept = &w->scratch.solve.last[k->first];
    const rows6 last = rows6_of(g), way = rows6_sub(last, rows6_of(kept));
    const rows6 next = torsion_project(rows6_madd(last, most, way), k->mu);
    rows6_put(g, next);
    rows6_put(kept, next);
    torsion_apply(k, rows6_sub(next, last), w->moving, w->delta_v);
}

// ---------------------------------------------------------------------------------------------- coordinates of trees

// The visit to an interval at u, which belongs to y. Returns the change.
static inline real interval_visit(const tac_interval *x, real *g, real *last, real y, real u, real w, sweep_sum *s)
{
    return iterate_store(s, w, g, last, y, interval_local(x, y, u, w));
}

// All efforts of one coordinate, whose velocity is u. Returns the sum of their changes.
static real sweep_coordinate(const tac_joint_block *k, tac_work *w, real own, real u, sweep_sum *sum)
{
    const real weight = own + REDUCED_LEAST * k->w[JOINT_LAST];
    real total = R(0.0);
    for (int b = 0; b < TAC_EFFORTS; b++) {
        const tac_interval *x = &k->interval[b];
        if (!columns_bounds(x)) { continue; }
        real *g = &w->scratch.solve.g[columns_row_of(k, b)], *last = &w->scratch.solve.last[columns_row_of(k, b)];
        const real change = *g - *last, y = *g + w->progress.beta * change;
        const real moved = interval_visit(x, g, last, y, u + x->bias, weight, sum);
        sum->swing += weight * change * (*g - *last);
        u += own * moved;
        total += moved;
    }
    return total;
}

static inline void sweep_coordinates(int on, tac_work *w, sweep_sum *sum)
{
    if (TAC_MAX_JOINTS == 0) { return; }
    tac_trees *r = trees_of(w);
    for (uint32_t i = 0; i < trees_coordinates(w); i++) {
        const tac_joint_block *k = &JOINT_LINK(w)[i];
        const uint16_t row = r->row[i];
        if (row == TAC_NONE) { continue; }
        real u = on == SWEEP_TREES ? r->velocity[row] : joint_rate(k, w->delta_v, JOINT_LAST);
        if (on == SWEEP_PATHS) { trees_velocity_of(w, row, 1, &u); }
        const real change = sweep_coordinate(k, w, r->w[columns_at(row, row)], u, sum);
        if (on == SWEEP_TREES) {
            trees_apply(r, row, change);
        } else {
            path_push(w, row, 1, &change);
        }
    }
}

// As sweep_measure_drift() for a coordinate, which may meet either bound.
static void sweep_measure_coordinate(sweep_drift *s, const tac_interval *x, real g, real d, real weight, real made)
{
    s->energy += d * made;
    s->alone += weight * d * d;
    s->size += weight * g * g;
    if (d < R(0.0) && x->lo > -REAL_LARGEST) { sweep_bound(s, g, x->lo, d); }
    if (d > R(0.0) && x->hi < REAL_LARGEST) { sweep_bound(s, g, x->hi, d); }
}

static void sweep_measure_coordinates(sweep_drift *s, const tac_work *w)
{
    if (TAC_MAX_JOINTS == 0) { return; }
    const tac_trees *r = JOINT_TREES(w);
    for (uint32_t i = 0; i < PROGRAM_JOINTS(w); i++) {
        const uint16_t row = r->row[i];
        for (int b = 0; row != TAC_NONE && b < TAC_EFFORTS; b++) {
            const tac_interval *x = &JOINT_LINK(w)[i].interval[b];
            const uint32_t at = columns_row_of(&JOINT_LINK(w)[i], b);
            const real g = w->scratch.solve.g[at], d = g - w->scratch.solve.last[at],
                       made = r->velocity[row] - r->last[row];
            if (columns_bounds(x)) { sweep_measure_coordinate(s, x, g, d, r->w[columns_at(row, row)], made); }
        }
    }
}

static void sweep_end_leap_coordinates(tac_work *w, real most)
{
    if (TAC_MAX_JOINTS == 0) { return; }
    tac_trees *r = trees_of(w);
    for (uint32_t i = 0; i < PROGRAM_JOINTS(w); i++) {
        for (int b = 0; r->row[i] != TAC_NONE && b < TAC_EFFORTS; b++) {
            const tac_interval *x = &JOINT_LINK(w)[i].interval[b];
            if (!columns_bounds(x)) { continue; }
            const uint32_t at = columns_row_of(&JOINT_LINK(w)[i], b);
            real *g = &w->scratch.solve.g[at];
            const real last = *g;
            *g = real_clamp(last + most * (last - w->scratch.solve.last[at]), x->lo, x->hi);
            w->scratch.solve.last[at] = *g;
            trees_apply(r, r->row[i], *g - last);
        }
    }
    reals_copy(r->last, r->velocity, r->rows * sizeof *r->last);
}

// The velocities that the impulses y make, which are linear in them: of bodies, of the rows of W, z of the trees. What
// the last iterate had is kept.
static inline void sweep_ahead(int on, tac_work *w, real beta)
{
    tac_trees *r = trees_of(w);
    if (on == SWEEP_BODIES) {
        iterate_extrapolate(&w->delta_v[1], &w->phase.last[1], 6u * w->program.bodies - 6u, beta);
    } else if (on == SWEEP_TREES) {
        iterate_extrapolate(r->velocity, r->last, r->rows, beta);
    }
    for (uint16_t at = 0; on == SWEEP_PATHS && at < r->tree_bodies; at++) {
        const tac_tree_body *b = &r->tree_body[r->order[at]];
        const uint32_t entries = b->joint == TAC_NONE ? 6u : b->axes;
        iterate_extrapolate(trees_z(w, (uint16_t)(8 * at)), &w->phase.last[r->order[at]], entries, beta);
    }
}

// ---------------------------------------------------------------------------------------------------------- a sweep

// The velocities of both iterates anew from their impulses. Momentum extrapolates the rounding of the sums as it does
// the sums: e_k+1 = e_k + beta (e_k - e_k-1) grows with the square of the sweeps, in float to 1e-3 m/s after a
// thousand.
static void sweep_renew(tac_work *w)
{
    PHASE_HOLDS(w, phase, TAC_PHASE_LAST);
    delta_v_of(w, w->scratch.solve.g, w->delta_v);
    delta_v_of(w, w->scratch.solve.last, w->phase.last);
}

// No leaps where bodies support each other: there a drift may be a load that slowly moves through a pile, and a leap
// makes ten cubes lean over. Bodies of one tree share W.
static int sweep_may_leap(const tac_work *w)
{
    for (const tac_block *k = w->scratch.solve.block, *end = k + w->program.contacts; k < end; k++) {
        if (w->moving[k->body[0]].inv_mass > R(0.0) && w->moving[k->body[1]].inv_mass > R(0.0)) { return 0; }
    }
    return 1;
}

static inline void sweep_leap(int on, tac_work *w)
{
    sweep_drift s = {R(0.0), R(0.0), R(0.0), REAL_LARGEST};
    uint32_t row = 0;
    if (on == SWEEP_BODIES && !sweep_may_leap(w)) { return; }
    for (const tac_block *k = w->scratch.solve.block, *end = k + w->program.contacts; k < end; k++, row += 3) {
        if (has_torsion(k)) {
            const rows6 now = torsion_relative(k, w->delta_v);
            rows6 made = rows6_sub(now, torsion_relative(k, w->phase.last));
            made.f = rows_yield(k, made.f, w->scratch.solve.g[k->first] - w->scratch.solve.last[k->first]);
            sweep_measure_torsion(&s, w, k, made);
            continue;
        }
        const real n = w->scratch.solve.g[k->first] - w->scratch.solve.last[k->first];
        const vec3 made = sweep_last_change(on, w, k, row);
        sweep_measure_drift(&s, w, k, on == SWEEP_TREES ? made : rows_yield(k, made, n));
    }
    if (on == SWEEP_TREES) { sweep_measure_coordinates(&s, w); }
    if (!sweep_leaps(&s)) { return; }
    row = 0;
    for (const tac_block *k = w->scratch.solve.block, *end = k + w->program.contacts; k < end; k++, row += 3) {
        if (has_torsion(k)) {
            sweep_end_leap_torsion(w, k, s.most);
            continue;
        }
        sweep_apply(on, w, k, row, (rows6){sweep_end_leap(w, k, s.most), V3_ZERO});
    }
    if (on == SWEEP_TREES) {
        sweep_end_leap_coordinates(w, s.most);
    } else {
        PHASE_HOLDS(w, phase, TAC_PHASE_LAST);
        reals_copy(w->phase.last, w->delta_v, w->program.bodies * sizeof *w->delta_v);
    }
    momentum_rest(&w->progress.momentum, &w->progress.beta, MOMENTUM_FIRST);
}

// Returns the change, |d (x_k+1 - y)| over all rows (m/s). Over trees the momentum also restarts where a sweep reverses
// the change of the one before: under the exact law sweeps oscillate about the solution where the friction of a sliding
// contact changes its own normal velocity through the joints. A mode of factor -0.4 decays without momentum and grows
// with it, and the usual restart test does not see that.
static inline real sweep_pass(int on, tac_work *w, int plain, int exact)
{
    tac_progress *p = &w->progress;
    sweep_sum sum = {R(0.0), R(0.0), R(0.0)};
    uint32_t row = 0;
    if (on == SWEEP_PATHS) {
        path_start(w);
    } else if (!plain && p->alike >= SWEEP_ALIKE) {
        p->alike = 0;
        sweep_leap(on, w);
    }
    sweep_ahead(on, w, p->beta);
    if (on != SWEEP_BODIES) { sweep_coordinates(on, w, &sum); }
    for (const tac_block *k = w->scratch.solve.block, *end = k + w->program.contacts; k < end; k++, row += 3) {
        const rows6 u = sweep_velocity(on, w, k, row);
        sweep_apply(on, w, k, row,
                    has_torsion(k) ? sweep_six(w, k, u, plain, exact, &sum)
                                   : sweep_three(on, w, k, u.f, plain, exact, &sum));
    }
    momentum_next(&p->momentum, &p->beta, sum.turn, MOMENTUM_FIRST);
    if (plain || (on != SWEEP_BODIES && sum.swing < R(0.0))) { momentum_rest(&p->momentum, &p->beta, MOMENTUM_FIRST); }
    const real moved = real_sqrt(sum.moved);
    p->alike = real_abs(moved - p->change) <= SWEEP_SAME * p->change ? (uint8_t)(p->alike + 1) : 0;
    p->change = moved;
    if (on == SWEEP_PATHS) { trees_finish(w, 0); }
    return moved;
}

#endif
