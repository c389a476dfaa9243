// SPDX-License-Identifier: MIT
// sweep.h - Gauss-Seidel sweeps over contacts and joints: projected, as in the papers, or accelerated, the default.
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
#include "momentum.h"

#define SWEEP_ALIKE 8      // successive sweeps that make the same change
#define SWEEP_SAME R(0.01) // within this part are a drift
#define SWEEP_NULL R(1e-3) // of the energy of its impulses alone: a drift changes the energy by less
#define SWEEP_FAR R(2.0)   // times the impulses: the longest leap, an extrapolation along a drift

// The scalar d_i that turns an impulse of block i into a velocity.
static real plain_weight(const tac_block *k)
{
    return cone_weight(&k->w);
}

// Natural map of a contact of three rows.
static vec3 plain_natural(const tac_block *k, real mu, vec3 g, vec3 u, int exact)
{
    return cone_natural(plain_weight(k), mu, g, u, exact);
}

//      g^ = P_K( g - omega eta (N g + p) ),    g+ = lambda g^ + (1 - lambda) g,    eta = 3/trace(W)
// g^ of three rows at u.
static vec3 plain_three(const tac_program *o, const tac_block *k, vec3 last, vec3 u, int exact)
{
    const real step = o->omega / plain_weight(k);
    return cone_project(v3_madd(last, -step, cone_velocity(u, k->mu, exact)), k->mu, R(1.0), R(1.0));
}

// Of six rows. A step that is equal along all of them would be too long for some or far too short for others: it is the
// solution of the block, relaxed.
static rows6 plain_six(const tac_program *o, const tac_block *k, rows6 last, rows6 u, int exact)
{
    const rows6 way = rows6_sub(local_solve(ROLLING_BLOCK(k), k->mu, last, u, exact), last);
    return torsion_project(rows6_madd(last, o->omega, way), k->mu);
}

static real plain_torsion(tac_work *w, const tac_block *k, int exact)
{
    const tac_program *o = &w->program;
    const rows6 last = torsion_impulse(w, k), next = plain_six(o, k, last, torsion_velocity(k, w->delta_v), exact);
    const rows6 change = rows6_scale(o->lambda, rows6_sub(next, last)), moved = torsion_moved(k, change);
    rows6_put(&w->scratch.solve.g[k->first], rows6_madd(rows6_scale(R(1.0) - o->lambda, last), o->lambda, next));
    torsion_apply(k, change, w->moving, w->delta_v);
    return rows6_dot(moved, moved);
}

// Returns the change, |d dg| over all contacts, m/s.
static real plain_sweep(tac_work *w, int exact)
{
    const tac_program *o = &w->program;
    real moved = R(0.0);
    for (const tac_block *k = blocks_of(w), *end = k + w->program.contacts; k < end; k++) {
        if (has_torsion(k)) {
            moved += plain_torsion(w, k, exact);
            continue;
        }
        real *g = &w->scratch.solve.g[k->first];
        const real weight = plain_weight(k);
        const vec3 last = v3_of(g), next = plain_three(o, k, last, rows_velocity(k, w->delta_v), exact);
        const vec3 mean = v3_madd(v3_scale(R(1.0) - o->lambda, last), o->lambda, next); // of two points of the cone
        v3_put(g, mean);

        const vec3 change = v3_sub(mean, last);
        rows_apply(k, change, w->moving, w->delta_v);
        moved += weight * weight * v3_dot(change, change);
    }
    return real_sqrt(moved);
}

// ------------------------------------------------------------------------------------------------------- the operator

// x_k + beta (x_k - x_k-1) of three rows.
static inline vec3 iterate_ahead(const tac_work *w, uint32_t first, real beta)
{
    const vec3 now = v3_of(&w->scratch.solve.g[first]);
    return v3_madd(now, beta, v3_sub(now, v3_of(&w->scratch.solve.last[first])));
}

// The next iterate of three rows.
static inline void iterate_next(tac_work *w, uint32_t first, vec3 next)
{
    v3_put(&w->scratch.solve.last[first], v3_of(&w->scratch.solve.g[first]));
    v3_put(&w->scratch.solve.g[first], next);
}

// The operator of a sweep: bodies without joints; or trees of joints, by the W of dual/trees.h. It is a constant in each
// call, so the compiler makes a loop for each. `row` is that of W.
enum { SWEEP_BODIES, SWEEP_TREES };

static inline vec3 sweep_velocity(int trees, const tac_work *w, const tac_block *k, uint32_t row)
{
    return trees ? reduced_velocity(w, row) : rows_velocity(k, w->delta_v);
}

// By how much the last sweep has changed it.
static inline vec3 sweep_last_change(int trees, const tac_work *w, const tac_block *k, uint32_t row)
{
    return trees ? reduced_last_change(w, row) : v3_sub(rows_relative(k, w->delta_v), rows_relative(k, w->phase.last));
}

static inline void sweep_apply(int trees, tac_work *w, const tac_block *k, uint32_t row, vec3 change)
{
    if (trees) {
        reduced_apply_contact(w, row, change);
    } else {
        rows_apply(k, change, w->moving, w->delta_v);
    }
}

// W of a body is near enough to round for projected steps alone.
static inline vec3 sweep_alone(int trees, const tac_block *k, vec3 y, vec3 u, int exact)
{
    const sym3 *inverse = &k->own.sweep.inv_w;
    const real step_n = k->own.sweep.step_n, step_t = k->own.sweep.step_t;
    return trees ? local_graded(&k->w, inverse, step_n, step_t, k->mu, y, u, exact)
                 : local_steps(&k->w, inverse, step_n, step_t, k->mu, y, u, exact, LOCAL_WORLD);
}

// A contact that is open and stays open.
static inline int sweep_open(vec3 g, vec3 u, int exact)
{
    return exact && u.x >= R(0.0) && g.x == R(0.0) && g.y == R(0.0) && g.z == R(0.0);
}

// The visit of an accelerated sweep to six rows.
static real sweep_torsion(tac_work *w, const tac_block *k, int exact, real *turn)
{
    real *g = &w->scratch.solve.g[k->first], *kept = &w->scratch.solve.last[k->first];
    const rows6 last = rows6_of(g), y = rows6_madd(last, w->progress.beta, rows6_sub(last, rows6_of(kept)));
    const rows6 next = local_solve(ROLLING_BLOCK(k), k->mu, y, torsion_velocity(k, w->delta_v), exact),
                change = rows6_sub(next, y);
    const rows6 moved = torsion_moved(k, change);
    rows6_put(g, next);
    rows6_put(kept, last);
    torsion_apply(k, change, w->moving, w->delta_v);
    *turn -= ROLLING_BLOCK(k)->weight * rows6_dot(change, rows6_sub(next, last));
    return rows6_dot(moved, moved);
}

// Three rows from y to `next`. Returns the change.
static inline vec3 sweep_store_contact(tac_work *w, const tac_block *k, vec3 y, vec3 next, sweep_sum *sum)
{
    const vec3 last = v3_of(&w->scratch.solve.g[k->first]), change = v3_sub(next, y);
    sweep_add(sum, plain_weight(k), v3_dot(change, change), v3_dot(change, v3_sub(next, last)));
    iterate_next(w, k->first, next);
    return change;
}

static inline void sweep_swing(const tac_work *w, const tac_block *k, vec3 next, sweep_sum *sum)
{
    const vec3 g = v3_of(&w->scratch.solve.g[k->first]), last = v3_of(&w->scratch.solve.last[k->first]);
    sum->swing += plain_weight(k) * v3_dot(v3_sub(g, last), v3_sub(next, g));
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

// Counts the sweeps that move as much as the one before.
static inline void sweep_count(tac_progress *p, real moved)
{
    const int alike = real_abs(moved - p->change) <= SWEEP_SAME * p->change;
    p->alike = alike ? (uint8_t)(p->alike + 1) : 0;
    p->change = moved;
}

// Should the next sweep begin with a leap?
static inline int sweep_leap_is_due(tac_progress *p)
{
    if (p->alike < SWEEP_ALIKE) { return 0; }
    p->alike = 0;
    return 1;
}

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
    s->alone += plain_weight(k) * v3_dot(d, d);
    s->size += plain_weight(k) * v3_dot(g, g);
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

static inline void accelerated_rest(tac_progress *p)
{
    momentum_rest(&p->momentum, &p->beta, MOMENTUM_FIRST);
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
    return sweep_store(s, w, g, last, y, interval_local(x, y, u, w));
}

// All efforts of one coordinate, whose velocity is u. Returns the sum of their changes.
static real sweep_coordinate(const tac_joint_block *k, tac_work *w, real own, real u, sweep_sum *sum)
{
    const real weight = own + REDUCED_LEAST * k->w[JOINT_LAST];
    real total = R(0.0);
    for (int b = 0; b < TAC_EFFORTS; b++) {
        const tac_interval *x = &k->interval[b];
        if (!reduced_bounds(x)) { continue; }
        real *g = &w->scratch.solve.g[reduced_row_of(k, b)], *last = &w->scratch.solve.last[reduced_row_of(k, b)];
        const real change = *g - *last, y = *g + w->progress.beta * change;
        const real moved = interval_visit(x, g, last, y, u + x->bias, weight, sum);
        sum->swing += weight * change * (*g - *last);
        u += own * moved;
        total += moved;
    }
    return total;
}

static void sweep_coordinates(tac_work *w, sweep_sum *sum)
{
    if (TAC_MAX_JOINTS == 0) { return; }
    tac_reduced *r = reduced_of(w);
    for (uint32_t i = 0; i < reduced_coordinates(w); i++) {
        const uint16_t row = r->row[i];
        if (row == TAC_NONE) { continue; }
        reduced_apply(r, row, sweep_coordinate(&JOINT_LINK(w)[i], w, r->w[row][row], r->velocity[row], sum));
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
    const tac_reduced *r = JOINT_REDUCED(w);
    for (uint32_t i = 0; i < PROGRAM_JOINTS(w); i++) {
        const uint16_t row = r->row[i];
        for (int b = 0; row != TAC_NONE && b < TAC_EFFORTS; b++) {
            const tac_interval *x = &JOINT_LINK(w)[i].interval[b];
            const uint32_t at = reduced_row_of(&JOINT_LINK(w)[i], b);
            const real g = w->scratch.solve.g[at], d = g - w->scratch.solve.last[at],
                       made = r->velocity[row] - r->last[row];
            if (reduced_bounds(x)) { sweep_measure_coordinate(s, x, g, d, r->w[row][row], made); }
        }
    }
}

static void sweep_end_leap_coordinates(tac_work *w, real most)
{
    if (TAC_MAX_JOINTS == 0) { return; }
    tac_reduced *r = reduced_of(w);
    for (uint32_t i = 0; i < PROGRAM_JOINTS(w); i++) {
        for (int b = 0; r->row[i] != TAC_NONE && b < TAC_EFFORTS; b++) {
            const tac_interval *x = &JOINT_LINK(w)[i].interval[b];
            if (!reduced_bounds(x)) { continue; }
            const uint32_t at = reduced_row_of(&JOINT_LINK(w)[i], b);
            real *g = &w->scratch.solve.g[at];
            const real last = *g;
            *g = real_clamp(last + most * (last - w->scratch.solve.last[at]), x->lo, x->hi);
            w->scratch.solve.last[at] = *g;
            reduced_apply(r, r->row[i], *g - last);
        }
    }
    reals_copy(r->last, r->velocity, r->rows * sizeof *r->last);
}

static void sweep_extrapolate_rows(tac_work *w, real beta)
{
    if (TAC_MAX_JOINTS == 0) { return; }
    tac_reduced *r = reduced_of(w);
    sweep_extrapolate(r->velocity, r->last, r->rows, beta);
}

// ------------------------------------------------------------------------------------------------ accelerated sweeps

// No leaps where bodies support each other: there a drift may be a load that slowly moves through a pile, and a leap
// makes ten cubes lean over. Bodies of one tree share W.
static int sweep_may_leap(const tac_work *w)
{
    for (const tac_block *k = blocks_of(w), *end = k + w->program.contacts; k < end; k++) {
        if (w->moving[k->body[0]].inv_mass > R(0.0) && w->moving[k->body[1]].inv_mass > R(0.0)) { return 0; }
    }
    return 1;
}

static inline void sweep_leap(int trees, tac_work *w)
{
    sweep_drift s = {R(0.0), R(0.0), R(0.0), REAL_LARGEST};
    uint32_t row = 0;
    if (!trees && !sweep_may_leap(w)) { return; }
    for (const tac_block *k = blocks_of(w), *end = k + w->program.contacts; k < end; k++, row += 3) {
        if (has_torsion(k)) {
            const rows6 now = torsion_relative(k, w->delta_v);
            sweep_measure_torsion(&s, w, k, rows6_sub(now, torsion_relative(k, w->phase.last)));
            continue;
        }
        sweep_measure_drift(&s, w, k, sweep_last_change(trees, w, k, row));
    }
    if (trees) { sweep_measure_coordinates(&s, w); }
    if (!sweep_leaps(&s)) { return; }
    row = 0;
    for (const tac_block *k = blocks_of(w), *end = k + w->program.contacts; k < end; k++, row += 3) {
        if (has_torsion(k)) {
            sweep_end_leap_torsion(w, k, s.most);
            continue;
        }
        sweep_apply(trees, w, k, row, sweep_end_leap(w, k, s.most));
    }
    if (trees) {
        sweep_end_leap_coordinates(w, s.most);
    } else {
        PHASE_HOLDS(w, phase, TAC_PHASE_LAST);
        bytes_copy(w->phase.last, w->delta_v, w->program.bodies * sizeof *w->delta_v);
    }
    accelerated_rest(&w->progress);
}

// Returns the change, |d (x_k+1 - y)| over all rows (m/s). Over trees the momentum also restarts where a sweep reverses
// the change of the one before: under the exact law sweeps oscillate about the solution where the friction of a sliding
// contact changes its own normal velocity through the joints. A mode of factor -0.4 decays without momentum and grows
// with it, and the usual restart test does not see that.
static inline real sweep_pass(int trees, tac_work *w, int exact)
{
    tac_progress *p = &w->progress;
    sweep_sum sum = {R(0.0), R(0.0), R(0.0)};
    uint32_t row = 0;
    if (sweep_leap_is_due(p)) { sweep_leap(trees, w); }
    if (trees) {
        sweep_extrapolate_rows(w, p->beta);
        sweep_coordinates(w, &sum);
    } else {
        sweep_extrapolate(&w->delta_v[1], &w->phase.last[1], 6u * w->program.bodies - 6u, p->beta);
    }
    for (const tac_block *k = blocks_of(w), *end = k + w->program.contacts; k < end; k++, row += 3) {
        if (has_torsion(k)) {
            sum.moved += sweep_torsion(w, k, exact, &sum.turn);
            continue;
        }
        const vec3 y = iterate_ahead(w, k->first, p->beta), u = sweep_velocity(trees, w, k, row);
        if (!trees && sweep_open(y, u, exact)) {
            iterate_next(w, k->first, y);
            continue;
        }
        const vec3 next = sweep_alone(trees, k, y, u, exact);
        if (trees) { sweep_swing(w, k, next, &sum); }
        sweep_apply(trees, w, k, row, sweep_store_contact(w, k, y, next, &sum));
    }
    momentum_next(&p->momentum, &p->beta, sum.turn, MOMENTUM_FIRST);
    if (trees && sum.swing < R(0.0)) { accelerated_rest(p); }
    sweep_count(p, real_sqrt(sum.moved));
    return p->change;
}

static real accelerated_sweep(tac_work *w, int exact)
{
    return sweep_pass(SWEEP_BODIES, w, exact);
}

static real reduced_sweep(tac_work *w, int exact)
{
    reduced_invert(w);
    return sweep_pass(SWEEP_TREES, w, exact);
}

// ------------------------------------------------------------------------------------------------------ without W
// Plain sweeps over trees, and both where W has no room: contacts and coordinates one by one, through the trees.

// Velocities of the rows of the contact in hand: three, or six.
static rows6 path_contact_velocity(tac_work *w, const tac_block *k)
{
    real u[6] = {R(0.0), R(0.0), R(0.0), R(0.0), R(0.0), R(0.0)};
    path_velocity(w, path_row(reduced_of(w)), path_rows(k), u);
    const rows6 own = has_torsion(k) ? torsion_velocity(k, w->delta_v)
                                     : (rows6){rows_velocity(k, w->delta_v), V3_ZERO};
    return rows6_madd(own, R(1.0), rows6_of(u));
}

static void path_contact_push(tac_work *w, const tac_block *k, rows6 change)
{
    real g[6];
    rows6_put(g, change);
    path_push(w, path_row(reduced_of(w)), path_rows(k), g);
}

static void path_visit_three(tac_work *w, const tac_block *k, int plain, int exact, sweep_sum *sum)
{
    const tac_program *o = &w->program;
    const vec3 y = iterate_ahead(w, k->first, w->progress.beta), u = path_contact_velocity(w, k).f;
    vec3 next = plain ? plain_three(o, k, y, u, exact) : sweep_alone(1, k, y, u, exact);
    if (plain) { next = v3_madd(v3_scale(R(1.0) - o->lambda, y), o->lambda, next); }
    sweep_swing(w, k, next, sum);
    path_contact_push(w, k, (rows6){sweep_store_contact(w, k, y, next, sum), V3_ZERO});
}

static void path_visit_six(tac_work *w, const tac_block *k, int plain, int exact, sweep_sum *sum)
{
    const tac_program *o = &w->program;
    real *g = &w->scratch.solve.g[k->first], *kept = &w->scratch.solve.last[k->first];
    const rows6 last = rows6_of(g), y = rows6_madd(last, w->progress.beta, rows6_sub(last, rows6_of(kept))),
                u = path_contact_velocity(w, k);
    rows6 next = plain ? plain_six(o, k, y, u, exact) : local_solve(ROLLING_BLOCK(k), k->mu, y, u, exact);
    if (plain) { next = rows6_madd(rows6_scale(R(1.0) - o->lambda, y), o->lambda, next); }
    const rows6 change = rows6_sub(next, y), moved = torsion_moved(k, change);
    sum->moved += rows6_dot(moved, moved);
    sum->turn -= ROLLING_BLOCK(k)->weight * rows6_dot(change, rows6_sub(next, last));
    sum->swing += ROLLING_BLOCK(k)->weight * rows6_dot(rows6_sub(last, rows6_of(kept)), rows6_sub(next, last));
    rows6_put(g, next);
    rows6_put(kept, last);
    path_contact_push(w, k, change);
}

static void path_sweep_coordinates(tac_work *w, sweep_sum *sum)
{
    const tac_reduced *r = reduced_of(w);
    for (uint32_t i = 0; i < reduced_coordinates(w); i++) {
        const tac_joint_block *k = &JOINT_LINK(w)[i];
        const uint16_t row = r->row[i];
        if (row == TAC_NONE) { continue; }
        real u = joint_rate(k, w->delta_v, JOINT_LAST);
        path_velocity(w, row, 1, &u);
        const real change = sweep_coordinate(k, w, r->w[row][row], u, sum);
        path_push(w, row, 1, &change);
    }
}

// z of the extrapolation; phase.last keeps that of the last iterate.
static void path_extrapolate(tac_work *w, real beta)
{
    const tac_reduced *r = reduced_of(w);
    for (uint16_t at = 0; at < r->tree_bodies; at++) {
        const tac_tree_body *b = &r->tree_body[r->order[at]];
        const uint32_t entries = b->joint == TAC_NONE ? 6u : b->axes;
        sweep_extrapolate(reduced_z(w, (uint16_t)(8 * at)), &w->phase.last[r->order[at]], entries, beta);
    }
}

// Leaves delta_v, and impulses of joints, that belong to the impulses. Returns the change, |d (x_k+1 - y)|, m/s.
static real path_sweep(tac_work *w, int plain, int exact)
{
    tac_progress *p = &w->progress;
    sweep_sum sum = {R(0.0), R(0.0), R(0.0)};
    path_start(w);
    path_extrapolate(w, p->beta);
    path_sweep_coordinates(w, &sum);
    for (const tac_block *k = blocks_of(w), *end = k + w->program.contacts; k < end; k++) {
        path_find(w, k);
        if (has_torsion(k)) {
            path_visit_six(w, k, plain, exact, &sum);
        } else {
            path_visit_three(w, k, plain, exact, &sum);
        }
    }
    momentum_next(&p->momentum, &p->beta, sum.turn, MOMENTUM_FIRST);
    if (plain || sum.swing < R(0.0)) { accelerated_rest(p); }
    reduced_finish(w, 0);
    return real_sqrt(sum.moved);
}

#endif
