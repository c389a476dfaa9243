// SPDX-License-Identifier: MIT
// lcp.h - one step of T03: Stewart and Trinkle's time stepping with linearised friction cones, a linear complementarity
// problem.
//   given   model, state, input; how many directions a friction cone has
//   makes   the next state, contacts, joints and report; F, f and z of the problem
//   bound   a solution of bodies and joints for each row of a contact and each bounded effort; the pivots of lemke.h
//   never   touches the state before the result is known to be finite
#ifndef T03_LCP_H
#define T03_LCP_H

#include "lcp_sweep.h"
#include "lemke.h"
#include "../step/begin.h"
#include "../step/results.h"
#include "../step/breaks.h"
#include "../step/commit.h"
#include "../step/correct_joints.h"
#include "../step/settle.h"

#if TAC_MAX_LCP > 0

// With r the velocities without any of these impulses, and A11 what an impulse does while all joints hold (43),
//
//          | Wn'A11 Wn   Wn'A11 D   0 |        | Wn'r + psi/h |        | p_n   |
//      F = | D'A11 Wn    D'A11 D    E |,   f = | D'r          |,   z = | beta  |      0 <= F z + f perp z >= 0    (47)
//          | U           -E'        0 |        | beta_max     |        | sigma |
//
// The rows come in this order: the normals of all contacts and the limits of joints; the directions of all contacts,
// then both directions of each bounded effort along a coordinate, dry friction and motors (38); the multipliers of
// contacts, then those of efforts, whose beta_max is a number and whose row of U is zero. Joints are eliminated
// (40)-(46); springs, dampers and motors of unlimited effort too: their impulse is a law of the velocity at the end of
// the step.

#define LCP_ROUND_EDGES 4                                  // of the polygons in which the search for round cones begins
#define LCP_ZERO (TAC_REAL_BITS == 32 ? R(1e-4) : R(1e-9)) // of a velocity or an acceleration: less is rounding
#define LCP_BLOCKED ((TAC_REAL_BITS == 32 ? R(16.0) : R(1024.0)) * REAL_EPSILON) // of W without joints: it is rounding

// Which rows there are. Of the contacts the first, `rolls` of them, have directions and a multiplier; a step takes all
// of them so. Of the others friction is a given part of the normal force (instant.h). `effort`: bounded on both sides,
// `limit`: on one.
typedef struct lcp_rows {
    uint32_t contacts, rolls, directions, limits, efforts;
    const tac_direction *edge; // of the friction cones
} lcp_rows;

static uint32_t lcp_normal(uint32_t contact)
{
    return contact;
}

static uint32_t lcp_limit(const lcp_rows *n, uint32_t limit)
{
    return n->contacts + limit;
}

static uint32_t lcp_direction(const lcp_rows *n, uint32_t contact)
{
    return n->contacts + n->limits + n->directions * contact;
}

static uint32_t lcp_effort(const lcp_rows *n, uint32_t effort)
{
    return lcp_direction(n, n->rolls) + 2 * effort;
}

static uint32_t lcp_multiplier(const lcp_rows *n, uint32_t contact_or_effort)
{
    return lcp_effort(n, n->efforts) + contact_or_effort;
}

static uint32_t lcp_count(const lcp_rows *n)
{
    return lcp_multiplier(n, n->rolls + n->efforts);
}

// --------------------------------------------------------------------------------------------------------- directions

// At equal angles, the first along u. An even number comes in opposite pairs, as the columns of D in T03: along u,
// against u, ...; the axes u and w exactly.
static void lcp_edges(uint32_t directions, tac_direction *edge)
{
    const uint32_t odd = directions % 2;
    for (uint32_t k = 0; k < directions; k += 2 - odd) {
        real s = R(0.0), c = R(1.0);
        if (2 * k == directions) {
            s = R(1.0), c = R(0.0);
        } else if (k > 0) {
            real_sin_cos(R(3.14159265358979323846) * (real)(k << odd) / (real)directions, &s, &c);
        }
        edge[k] = (tac_direction){c, s};
        if (!odd) { edge[k + 1] = (tac_direction){-c, -s}; }
    }
}

static vec3 lcp_tangent(const lcp_rows *n, uint32_t k)
{
    return v3(R(0.0), n->edge[k].u, n->edge[k].w);
}

// ------------------------------------------------------------------------------------------------- efforts of joints

// A bounded effort of a joint: its impulse is middle + z of its first direction - z of the other.
typedef struct lcp_bound {
    const tac_joint_block *joint;
    const tac_interval *interval;
    real middle, half;
} lcp_bound;

// 0: not of this problem; 1: a limit, bounded on one side by 0; 2: bounded on both sides.
static int lcp_bounds(const tac_interval *x)
{
    const int upper = x->hi < REAL_LARGEST;
    const int lower = x->lo > -REAL_LARGEST;
    return interval_bounded(x) && (x->hard || x->weight > R(0.0)) ? upper + lower : 0;
}

static lcp_bound lcp_bound_of(const tac_work *w, uint32_t joint, int effort)
{
    const tac_joint_block *k = &JOINT_LINK(w)[joint];
    const tac_interval *x = &k->interval[effort];
    return (lcp_bound){k, x, R(0.5) * (x->lo + x->hi), R(0.5) * (x->hi - x->lo)};
}

// The sign of the impulse of a limit.
static real lcp_side(const tac_interval *x)
{
    return x->lo == R(0.0) ? R(1.0) : R(-1.0);
}

// What a soft effort adds to the velocity of its row: (impulse - centre)/weight, zero at its law.
static real lcp_compliance(const tac_interval *x)
{
    return x->hard ? R(0.0) : R(1.0) / x->weight;
}

static real lcp_rest(const tac_interval *x, real impulse)
{
    return x->hard ? x->bias : lcp_compliance(x) * (impulse - x->centre);
}

// Constant parts of the impulses, before the problem is solved: the middle between two bounds, or a constant effort.
static void lcp_count_efforts(tac_work *w, lcp_rows *n)
{
    n->limits = n->efforts = 0;
    for (uint32_t i = 0; i < PROGRAM_JOINTS(w); i++) {
        for (int b = 0; b < TAC_EFFORTS; b++) {
            const tac_interval *x = &JOINT_LINK(w)[i].interval[b];
            const lcp_bound e = lcp_bound_of(w, i, b);
            real *g = &w->scratch.solve.g[e.joint->first + (uint32_t)(TAC_JOINT_ROWS + b)];
            if (!interval_bounded(x)) { continue; }
            const int bounds = lcp_bounds(x);
            *g = bounds == 2 ? e.middle : (bounds == 1 ? R(0.0) : real_clamp(x->centre, x->lo, x->hi));
            n->limits += bounds == 1;
            n->efforts += bounds == 2;
        }
    }
}

// ---------------------------------------------------------------------------------------------------- rows of F and f

// Velocities of all rows for a change of velocity of the bodies. Contacts: D't, with their right sides where these are
// asked for.
static void lcp_rates_contacts(const tac_work *w, const lcp_rows *n, const tac_twist *t, int right, real *to)
{
    const tac_block *k = w->scratch.solve.block;
    for (uint32_t i = 0; i < n->contacts; i++, k++) {
        const vec3 u = right ? rows_velocity(k, t) : rows_relative(k, t);
        to[lcp_normal(i)] = u.x;
        for (uint32_t d = 0; i < n->rolls && d < n->directions; d++) {
            to[lcp_direction(n, i) + d] = v3_dot(lcp_tangent(n, d), u);
        }
    }
}

static void lcp_rates_joints(const tac_work *w, const lcp_rows *n, const tac_twist *t, int right, real *to)
{
    uint32_t limit = 0, effort = 0;
    for (uint32_t i = 0; i < PROGRAM_JOINTS(w); i++) {
        for (int b = 0; b < TAC_EFFORTS; b++) {
            const lcp_bound e = lcp_bound_of(w, i, b);
            const int bounds = lcp_bounds(e.interval);
            if (bounds == 0) { continue; }
            const real rate = joint_rate(e.joint, t, JOINT_LAST);
            const real u = rate + (right ? lcp_rest(e.interval, bounds == 2 ? e.middle : R(0.0)) : R(0.0));
            if (bounds == 1) {
                to[lcp_limit(n, limit++)] = lcp_side(e.interval) * u;
            } else {
                to[lcp_effort(n, effort)] = u;
                to[lcp_effort(n, effort++) + 1] = -u;
            }
        }
    }
}

static void lcp_rates(const tac_work *w, const lcp_rows *n, const tac_twist *t, int right, real *to)
{
    lcp_rates_contacts(w, n, t, right, to);
    lcp_rates_joints(w, n, t, right, to);
}

// M^-1 D of an impulse g of a contact, without joints: changes of velocity.
static const tac_twist *lcp_push_bodies(tac_work *w, const tac_block *k, vec3 g)
{
    tac_twist *t = w->phase.response;
    phase_take(w, TAC_PHASE_RESPONSE);
    reals_clear(t, w->program.bodies * sizeof *t);
    rows_apply(k, g, w->moving, t);
    return t;
}

// A11 D of an impulse g of a contact, or of one along a coordinate. A model without joints takes the same steps in a
// kernel without them, to the bit.
static const tac_twist *lcp_push(tac_work *w, const tac_block *k, vec3 g)
{
    if (PROGRAM_JOINTS(w) == 0) { return lcp_push_bodies(w, k, g); }
    trees_push(w, k, g, joint_factor_clear(w));
    joint_factor_respond(w);
    return SOLUTION(w)->step.twist;
}

static const tac_twist *lcp_drive(tac_work *w, const tac_joint_block *k, real g)
{
    trees_drive(w, k, g, joint_factor_clear(w));
    joint_factor_respond(w);
    return SOLUTION(w)->step.twist;
}

// delta_v, and the impulses of joints, that belong to those of contacts and bounded efforts.
static void lcp_follow(tac_work *w)
{
    if (PROGRAM_JOINTS(w) == 0) {
        delta_v_make(w, w->delta_v);
    } else {
        trees_finish(w, 1);
    }
}

// Trees and the rows that close them: W has no other rows here.
static void lcp_factor(const tac_state *s, tac_work *w)
{
    if (PROGRAM_JOINTS(w) == 0) { return; }
    columns_mark_unbounded(w, 0);
    articulated_order(w);
    if (trees_of(w)->closed) { joints_make_rows(w); }
    (void)columns_number(w, 0);
    articulated_factor(w, s->pose);
    trees_prepare(w);
    trees_close_only(w);
}

// The columns of contact i: those of its normal and of its two tangents, from which its directions are combined.
static void lcp_columns_contact(tac_work *w, const lcp_rows *n, uint32_t i, tac_lcp *q)
{
    const tac_block *k = &w->scratch.solve.block[i];
    const uint32_t first = lcp_direction(n, i);
    for (int axis = 0; axis < 3; axis++) {
        lcp_rates(w, n, lcp_push(w, k, V3_AXIS[axis]), 0, q->z);
        for (uint32_t row = 0; row < lcp_multiplier(n, 0); row++) {
            if (axis == 0) { q->F[row][lcp_normal(i)] = q->z[row]; }
            for (uint32_t d = 0; axis > 0 && d < n->directions; d++) {
                q->F[row][first + d] += v3_dot(lcp_tangent(n, d), V3_AXIS[axis]) * q->z[row];
            }
        }
    }
}

// The column of a contact that slides: its friction belongs to its normal force.
static void lcp_columns_sliding(tac_work *w, const lcp_rows *n, uint32_t i, tac_lcp *q)
{
    const tac_block *k = &w->scratch.solve.block[i];
    lcp_rates(w, n, lcp_push(w, k, k->own.instant.slide), 0, q->z);
    for (uint32_t row = 0; row < lcp_multiplier(n, 0); row++) { q->F[row][lcp_normal(i)] = q->z[row]; }
}

static void lcp_columns_limit(tac_work *w, const lcp_rows *n, const lcp_bound *e, uint32_t limit, tac_lcp *q)
{
    const uint32_t column = lcp_limit(n, limit);
    lcp_rates(w, n, lcp_drive(w, e->joint, lcp_side(e->interval)), 0, q->z);
    for (uint32_t row = 0; row < lcp_multiplier(n, 0); row++) { q->F[row][column] = q->z[row]; }
}

static void lcp_columns_effort(tac_work *w, const lcp_rows *n, const lcp_bound *e, uint32_t effort, tac_lcp *q)
{
    const uint32_t column = lcp_effort(n, effort);
    lcp_rates(w, n, lcp_drive(w, e->joint, R(1.0)), 0, q->z);
    for (uint32_t row = 0; row < lcp_multiplier(n, 0); row++) {
        q->F[row][column] = q->z[row];
        q->F[row][column + 1] = -q->z[row];
    }
}

static void lcp_columns_joints(tac_work *w, const lcp_rows *n, tac_lcp *q)
{
    uint32_t limit = 0, effort = 0;
    for (uint32_t i = 0; i < PROGRAM_JOINTS(w); i++) {
        for (int b = 0; b < TAC_EFFORTS; b++) {
            const lcp_bound e = lcp_bound_of(w, i, b);
            const int bounds = lcp_bounds(e.interval);
            if (bounds == 1) { lcp_columns_limit(w, n, &e, limit++, q); }
            if (bounds == 2) { lcp_columns_effort(w, n, &e, effort++, q); }
        }
    }
}

// Both directions of an effort follow its impulse by its compliance.
static void lcp_yield(uint32_t row, real compliance, tac_lcp *q)
{
    for (uint32_t i = 0; i < 2; i++) {
        q->F[row + i][row + i] += compliance;
        q->F[row + i][row + 1 - i] -= compliance;
    }
}

// So many directions from the row `first` on with their multiplier: E, -E' and U.
static void lcp_bind(uint32_t first, uint32_t directions, uint32_t multiplier, tac_lcp *q)
{
    for (uint32_t d = 0; d < directions; d++) {
        q->F[first + d][multiplier] = R(1.0);
        q->F[multiplier][first + d] = R(-1.0);
    }
}

// All of F but A11, on top of which it comes: multipliers, and the compliance of soft efforts.
static void lcp_couple(const tac_work *w, const lcp_rows *n, tac_lcp *q)
{
    uint32_t limit = 0, effort = 0;
    for (uint32_t i = 0; i < n->rolls; i++) {
        lcp_bind(lcp_direction(n, i), n->directions, lcp_multiplier(n, i), q);
        q->F[lcp_multiplier(n, i)][lcp_normal(i)] = w->contact[i].mu;
    }
    for (uint32_t i = 0; i < PROGRAM_JOINTS(w); i++) {
        for (int b = 0; b < TAC_EFFORTS; b++) {
            const lcp_bound e = lcp_bound_of(w, i, b);
            const int bounds = lcp_bounds(e.interval);
            if (bounds == 1) {
                const uint32_t row = lcp_limit(n, limit++);
                q->F[row][row] += lcp_compliance(e.interval);
            }
            if (bounds == 2) {
                const uint32_t row = lcp_effort(n, effort);
                lcp_yield(row, lcp_compliance(e.interval), q);
                lcp_bind(row, 2, lcp_multiplier(n, n->rolls + effort++), q);
            }
        }
    }
}

// The largest change of velocity without impulses, or acceleration without forces, of the bodies: a scale of f.
static real lcp_change(const tac_work *w)
{
    real most = R(0.0);
    for (uint16_t i = 1; i < w->program.bodies; i++) { most = real_max(most, v3_norm(w->scratch.solve.free[i].v)); }
    return most;
}

// Part of f of a row that is rounding, at such speeds.
static real lcp_rounding(const tac_lcp *q, uint32_t row, real speed)
{
    return LCP_ZERO * (speed + real_abs(q->f[row]));
}

// Of a row for lcp_unblock(), in scale and w, before the solution is there: W without joints, and that part of f.
static void lcp_expect(tac_lcp *q, uint32_t row, real weight, real speed)
{
    q->scale[row] = weight;
    q->w[row] = lcp_rounding(q, row, speed);
}

static void lcp_expect_contact(const tac_block *k, const lcp_rows *n, uint32_t i, real speed, tac_lcp *q)
{
    lcp_expect(q, lcp_normal(i), k->w.xx, speed);
    for (uint32_t d = 0; i < n->rolls && d < n->directions; d++) {
        const real u = n->edge[d].u, v = n->edge[d].w;
        const real weight = u * (u * k->w.yy + R(2.0) * v * k->w.yz) + v * v * k->w.zz;
        lcp_expect(q, lcp_direction(n, i) + d, weight, speed);
    }
}

// Of the efforts of joints, and half the range of those with two bounds in their multipliers.
static void lcp_right_joints(const tac_work *w, const lcp_rows *n, real change, tac_lcp *q)
{
    uint32_t limit = 0, effort = 0;
    for (uint32_t i = 0; i < PROGRAM_JOINTS(w); i++) {
        for (int b = 0; b < TAC_EFFORTS; b++) {
            const lcp_bound e = lcp_bound_of(w, i, b);
            const real weight = e.joint->w[JOINT_LAST], speed = change + real_abs(e.joint->bias[JOINT_LAST]);
            const int bounds = lcp_bounds(e.interval);
            if (bounds == 1) { lcp_expect(q, lcp_limit(n, limit++), weight, speed); }
            if (bounds != 2) { continue; }
            lcp_expect(q, lcp_effort(n, effort), weight, speed);
            lcp_expect(q, lcp_effort(n, effort) + 1, weight, speed);
            q->f[lcp_multiplier(n, n->rolls + effort++)] = e.half;
        }
    }
}

// f: the velocities without these impulses, and half the range of each effort.
static void lcp_right(tac_work *w, const lcp_rows *n, tac_lcp *q)
{
    const real change = lcp_change(w);
    q->rows = (uint16_t)lcp_count(n);
    reals_clear(q->f, q->rows * sizeof *q->f);
    lcp_rates(w, n, w->delta_v, 1, q->f);
    lcp_right_joints(w, n, change, q);
    for (uint32_t i = 0; i < n->contacts; i++) {
        const tac_block *k = &w->scratch.solve.block[i];
        lcp_expect_contact(k, n, i, change + v3_norm(k->bias), q);
    }
}

// What moves nothing, because joints do not let it, is not determined: it takes no part. Where joints do not let a
// contact open and press it together, or lead a limit beyond itself, there is no solution. Friction on what joints lead
// has its bound.
static void lcp_unblock(const lcp_rows *n, tac_lcp *q)
{
    const uint32_t rows = lcp_multiplier(n, 0), one_sided = n->contacts + n->limits;
    for (uint32_t i = 0; i < rows; i++) {
        if (real_abs(q->F[i][i]) > LCP_BLOCKED * q->scale[i]) { continue; }
        for (uint32_t row = 0; row < rows; row++) { q->F[row][i] = q->F[i][row] = R(0.0); }
        if (q->f[i] >= -q->w[i] && (i < one_sided || q->f[i] <= q->w[i])) { q->f[i] = R(0.0); }
    }
}

// C of compliant contacts, last: a contact that joints hold bears what its spring does.
static void lcp_soften(const tac_model *m, const tac_work *w, const lcp_rows *n, tac_lcp *q)
{
    for (uint32_t i = 0; i < n->contacts; i++) { q->F[lcp_normal(i)][lcp_normal(i)] += rows_soft(m, &w->contact[i]); }
}

static void lcp_clear_matrix(tac_lcp *q)
{
    for (uint32_t row = 0; row < q->rows; row++) { reals_clear(q->F[row], q->rows * sizeof **q->F); }
}

// F, after f.                                                                                              T03 (47)
static void lcp_assemble(tac_work *w, const lcp_rows *n, tac_lcp *q)
{
    lcp_clear_matrix(q);
    for (uint32_t i = 0; i < n->rolls; i++) { lcp_columns_contact(w, n, i, q); }
    for (uint32_t i = n->rolls; i < n->contacts; i++) { lcp_columns_sliding(w, n, i, q); }
    lcp_columns_joints(w, n, q);
    lcp_couple(w, n, q);
    lcp_unblock(n, q);
}

// ------------------------------------------------------------------------------------------------------------- step

// Rows with the right sides of T03: gap/h of contacts (30), error/h of joints (28). An overlap becomes a velocity of at
// most options.recovery, and the rest is left to the position projection, as in the cone program: the paper's gap/h
// would throw apart what overlaps at the start, with energy from nothing.
static void lcp_rows_make(const tac_model *m, const tac_state *s, const tac_input *input, tac_work *w)
{
    for (uint32_t i = 0; i < w->report.contacts; i++) {
        tac_contact *c = &w->contact[i];
        tac_block *k = &w->scratch.solve.block[i];
        rows_make(m, s, w, c, k);
        k->rows = 3;
        k->soft = rows_soft(m, c);
        rows_aim(m, s, c, c->gap, k);
        k->bias.x += k->target;
    }
    joints_make(m, s, input, 1, w);
}

// Is there room for the rows of so many contacts?
static int lcp_has_room(const tac_state *s, tac_work *w, const lcp_rows *n)
{
    if (lcp_count(n) <= TAC_MAX_LCP) {
        lcp_factor(s, w);
        return 1;
    }
    check_note(TAC_REASON_FULL, TAC_FIELD_CONTACT, (uint16_t)n->contacts, &w->report.fault);
    return 0;
}

// The rows of contacts and joints.
static void lcp_take(const tac_model *m, const tac_state *s, const tac_input *input, tac_work *w)
{
    lcp_rows_make(m, s, input, w);
    reals_clear(w->pseudo_velocity, m->bodies * sizeof *w->pseudo_velocity);
    reals_copy(w->scratch.solve.free, w->delta_v, m->bodies * sizeof *w->delta_v);
}

// nu + M^-1 p_ext, the contacts, and their rows.
static void lcp_prepare(const tac_model *m, const tac_state *s, const tac_input *input, tac_work *w)
{
    begin(m, s, input, ARRIVALS_LCP, w);
    iterate_clear(w, w->scratch.solve.g);
    lcp_take(m, s, input, w);
}

// f of these rows, n->contacts and n->rolls of contacts. Returns 0 if the problem has no room.
static int lcp_open(const tac_state *s, tac_work *w, tac_lcp *q, lcp_rows *n)
{
    n->directions = q->directions == TAC_LCP_ROUND ? LCP_ROUND_EDGES : q->directions;
    n->edge = q->edge;
    lcp_edges(n->directions, q->edge);
    lcp_count_efforts(w, n);
    if (!lcp_has_room(s, w, n)) { return 0; }
    lcp_follow(w);
    lcp_right(w, n, q);
    return 1;
}

// f, and F, of these rows.
static int lcp_make(const tac_state *s, tac_work *w, tac_lcp *q, lcp_rows *n)
{
    if (!lcp_open(s, w, q, n)) { return 0; }
    lcp_assemble(w, n, q);
    return 1;
}

// The problem. Returns 0 if it has no room.
static int lcp_begin(const tac_model *m, const tac_state *s, const tac_input *input, tac_work *w, tac_lcp *q,
                     lcp_rows *n)
{
    lcp_prepare(m, s, input, w);
    n->contacts = n->rolls = w->report.contacts;
    if (!lcp_make(s, w, q, n)) { return 0; }
    lcp_soften(m, w, n, q);
    return 1;
}

static vec3 lcp_impulse(const lcp_rows *n, const tac_block *k, uint32_t i, const tac_lcp *q)
{
    vec3 g = v3(q->z[lcp_normal(i)], R(0.0), R(0.0));
    if (i >= n->rolls) { return v3_scale(g.x, k->own.instant.slide); }
    for (uint32_t d = 0; d < n->directions; d++) { g = v3_madd(g, q->z[lcp_direction(n, i) + d], lcp_tangent(n, d)); }
    return cone_project(g, k->mu, R(1.0), R(1.0)); // but for rounding it is there
}

// Impulses of contacts and of bounded efforts, from z.
static void lcp_impulses(tac_work *w, const lcp_rows *n, const tac_lcp *q)
{
    uint32_t limit = 0, effort = 0;
    const tac_block *k = w->scratch.solve.block;
    for (uint32_t i = 0; i < n->contacts; i++, k++) { v3_put(&w->scratch.solve.g[k->first], lcp_impulse(n, k, i, q)); }
    for (uint32_t i = 0; i < PROGRAM_JOINTS(w); i++) {
        for (int b = 0; b < TAC_EFFORTS; b++) {
            const lcp_bound e = lcp_bound_of(w, i, b);
            const int bounds = lcp_bounds(e.interval);
            real *g = &w->scratch.solve.g[e.joint->first + (uint32_t)(TAC_JOINT_ROWS + b)];
            if (bounds == 1) { *g = lcp_side(e.interval) * q->z[lcp_limit(n, limit++)]; }
            if (bounds == 2) {
                const real *z = &q->z[lcp_effort(n, effort++)];
                *g = real_clamp(e.middle + (z[0] - z[1]), e.interval->lo, e.interval->hi);
            }
        }
    }
}

// nu+ and the poses that it leads to.                                                              T03 (26), (27), (43)
static int lcp_end(const tac_model *m, tac_state *s, tac_work *w, const tac_lcp *q, const lcp_rows *n)
{
    lcp_impulses(w, n, q);
    lcp_follow(w);
    w->progress.scale = R(1.0);
    w->progress.converged = q->end == TAC_LCP_SOLVED;
    project_predict(m, w);
    project(m, s, w);
    correct_measure(m, s, w);
    const int finite = results(m, w, q->residual) & results_reactions(m, w);
    if (!commit_good(m, s, w, finite)) { return 0; }
    commit(m, s, w);
    breaks(m, s, w);
    return 1;
}

#endif

#endif
