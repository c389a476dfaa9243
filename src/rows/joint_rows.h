// SPDX-License-Identifier: MIT
// joint_rows.h - rows of a joint: rates along them, what impulses along them do, what yields.
//   given   link[] with its rows; velocities, impulses
//   makes   rates, changes of velocity, sums of impulses; compliances
//   bound   constant per joint
//   never   asks for the kind of a joint: a row is all that it sees
#ifndef ROWS_JOINT_ROWS_H
#define ROWS_JOINT_ROWS_H

#include "../base/bytes.h"
#include "../model/joint.h"
#include "../tree/place.h"

#define JOINT_A (JOINT_LAST - 1) // of a coupling: the row of its joint a

static real joint_row_rate(const tac_row *r, const tac_twist *a, const tac_twist *b)
{
    return v3_dot(r->linear, v3_sub(b->v, a->v)) + (v3_dot(r->angular[1], b->w) + v3_dot(r->angular[0], a->w));
}

// Row `row` of J t. The row of a coupling acts on the bodies of both of its joints.
static real joint_rate(const tac_joint_block *k, const tac_twist *t, int row)
{
    const real rate = joint_row_rate(&k->row[row], &t[k->body[0]], &t[k->body[1]]);
    return k->ends == 4 ? rate + joint_row_rate(&k->row[JOINT_A], &t[k->body[2]], &t[k->body[3]]) : rate;
}

static void joint_push(const tac_row *r, const uint16_t body[2], real g, const tac_moving *moving, tac_twist *t)
{
    for (int side = 0; side < 2; side++) {
        const tac_moving *m = &moving[body[side]];
        tac_twist *to = &t[body[side]];
        to->v = v3_madd(to->v, (side ? m->inv_mass : -m->inv_mass) * g, r->linear);
        to->w = v3_madd(to->w, g, v3_mul(m->inv_inertia, r->angular[side]));
    }
}

// t += M^-1 J' g, for one row.
static void joint_apply_row(const tac_joint_block *k, int row, real g, const tac_moving *moving, tac_twist *t)
{
    joint_push(&k->row[row], k->body, g, moving, t);
    if (k->ends == 4) { joint_push(&k->row[JOINT_A], &k->body[2], g, moving, t); }
}

// force -= J' g of one row; bodies that are not dynamic take no force.
static inline void joint_take(const tac_joint_block *k, int row, real g, const tac_moving *moving, tac_twist *force)
{
    for (int e = 0; e < k->ends; e++) {
        const uint16_t body = k->body[e];
        const tac_row *r = &k->row[row - e / 2];
        tac_twist *f = force + body;
        if (!(moving[body].inv_mass > R(0.0))) { continue; }
        f->v = v3_madd(f->v, e % 2 ? -g : g, r->linear);
        f->w = v3_madd(f->w, -g, r->angular[e % 2]);
    }
}

// Does the row act? The last one also if it has only intervals.
static int joint_has_row(const tac_joint_block *k, int row)
{
    return k->constraints >> row & 1 || (row == JOINT_LAST && k->coordinate);
}

// Is the row a rigid constraint?
static int joint_holds(const tac_joint_block *k, int row)
{
    return k->constraints >> row & 1 && k->soft[row] == R(0.0);
}

// The impulse along a row: that of its constraint, or the sum of all intervals.
static real joint_impulse(const tac_work *w, const tac_joint_block *k, int row)
{
    const real *g = w->scratch.solve.g + k->first;
    real sum = g[row];
    if (row == JOINT_LAST) {
        for (int i = 0; i < TAC_EFFORTS; i++) { sum += g[TAC_JOINT_ROWS + i]; }
    }
    return sum;
}

// What keeps the motion on the arc adds to it.
static inline real joint_on_arc(const tac_joint_block *k, int row)
{
    real sum = k->arc[row];
    for (int i = 0; row == JOINT_LAST && i < TAC_EFFORTS; i++) { sum += k->arc[TAC_JOINT_ROWS + i]; }
    return sum;
}

// The impulses along all rows; 0 for rows that do not act.
static inline void joint_impulses(const tac_work *w, const tac_joint_block *k, real *g)
{
    for (int row = 0; row < TAC_JOINT_ROWS; row++) { g[row] = joint_impulse(w, k, row); }
}

// J' g of all rows.
static tac_row joint_sum(const tac_joint_block *k, const real *g)
{
    tac_row sum = {V3_ZERO, {V3_ZERO, V3_ZERO}, V3_ZERO};
    for (int row = 0; row < TAC_JOINT_ROWS; row++) {
        const tac_row *r = k->row + row;
        if (g[row] == R(0.0)) { continue; }
        sum.linear = v3_madd(sum.linear, g[row], r->linear);
        sum.angular[0] = v3_madd(sum.angular[0], g[row], r->angular[0]);
        sum.angular[1] = v3_madd(sum.angular[1], g[row], r->angular[1]);
    }
    return sum;
}

// t += M^-1 J' g, for all rows.
static void joint_apply(const tac_joint_block *k, const real *g, const tac_moving *moving, tac_twist *t)
{
    if (k->ends == 4) {
        joint_apply_row(k, JOINT_LAST, g[JOINT_LAST], moving, t);
        return;
    }
    const tac_row sum = joint_sum(k, g);
    joint_push(&sum, k->body, R(1.0), moving, t);
}

static uint16_t joint_node(const tac_work *w, uint32_t joint)
{
    return (uint16_t)(w->program.bodies + joint);
}

// Does an impulse move the body?
static int joint_moves(const tac_work *w, uint16_t body)
{
    return w->moving[body].inv_mass > R(0.0);
}

// The slope of all intervals that are in force along the coordinate.
static real joint_slope(const tac_joint_block *k)
{
    const tac_interval *x = k->interval;
    if (!k->acts) { return R(0.0); }
    real sum = x[0].inside ? x[0].weight : R(0.0);
    sum += x[1].inside ? x[1].weight : R(0.0);
    sum += x[2].inside ? x[2].weight : R(0.0);
    sum += x[3].inside ? x[3].weight : R(0.0);
    return sum;
}

// Proximal term of constraints: it keeps redundant ones, those of closed loops, solvable.
#define JOINT_PROXIMAL (TAC_REAL_BITS == 32 ? R(1e-5) : R(1e-10))

// C of a row; 0 if nothing acts along it.
static real joint_compliance(const tac_joint_block *k, int row)
{
    if (k->constraints >> row & 1) { return JOINT_PROXIMAL * k->w[row] + k->soft[row]; }
    const real slope = row == JOINT_LAST ? joint_slope(k) : R(0.0);
    return slope > R(0.0) ? R(1.0) / slope : R(0.0);
}

// Is a hard limit active, so that it holds the coordinate in the correction of the motion?
static int joint_limit_holds(const tac_joint_block *k)
{
    const tac_interval *x = &k->interval[TAC_EFFORT_LIMIT];
    return k->target && x->used && x->hard;
}

// Adds an impulse along the coordinate to a record, divided among the compliant intervals in proportion to their
// slopes.
static inline void joint_record_yielding(const tac_joint_block *k, real impulse, real *sum)
{
    const real slope = joint_slope(k);
    for (int i = 0; i < TAC_EFFORTS && slope > R(0.0); i++) {
        const tac_interval *x = &k->interval[i];
        if (x->inside) { sum[TAC_JOINT_ROWS + i] += impulse * (x->weight / slope); }
    }
}

// Adds impulses of all rows, found apart from the cone program, to a record by their source: along the coordinate a
// constraint, the active limit, or the compliant intervals.
static inline void joint_record(const tac_joint_block *k, const real *impulse, real *sum)
{
    for (int row = 0; row < JOINT_LAST; row++) { sum[row] += impulse[row]; }
    if (k->constraints >> JOINT_LAST & 1) {
        sum[joint_limit_holds(k) ? TAC_JOINT_ROWS + TAC_EFFORT_LIMIT : JOINT_LAST] += impulse[JOINT_LAST];
        return;
    }
    joint_record_yielding(k, impulse[JOINT_LAST], sum);
}

#endif
