// SPDX-License-Identifier: MIT
// joint_step.h - joints whose impulses follow from the others: right sides of their equations, impulses, delta_v.
//   given   link[], velocities v, the solution
//   makes   residuals of velocities and of joint constraints at v; their impulses; delta_v recomputed from all impulses
//   bound   constant a joint
//   never   knows a matrix
#ifndef DUAL_JOINT_STEP_H
#define DUAL_JOINT_STEP_H

#include "../rows/torsion.h"
#include "../rows/joint_rows.h"

// Are contacts swept while joints are eliminated? Without joints this is a constant.
static inline int joints_eliminated(const tac_progress *p)
{
    return TAC_MAX_JOINTS > 0 && p->stage.op == TAC_OPERATOR_TREES;
}

#if TAC_MAX_FILL > 0 || TAC_MAX_JOINTS > 0

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

#if TAC_MAX_FILL > 0

// Right side of a body: the residual of its velocity equation, M (delta_v - v).
static void body_residual(const tac_work *w, uint16_t body, tac_sixes *step)
{
    const tac_moving *b = &w->moving[body];
    const tac_twist *v = &w->phase.velocity[body], *g = &w->delta_v[body];
    step->twist[body].v = v3_scale(b->mass, v3_sub(g->v, v->v));
    step->twist[body].w = v3_mul(b->inertia, v3_sub(g->w, v->w));
}

// Right side of the joints: the residuals of their constraints at v.
static void joints_residual(const tac_work *w, tac_sixes *step)
{
    for (uint32_t i = 0; i < PROGRAM_JOINTS(w); i++) {
        const tac_joint_block *k = &JOINT_LINK(w)[i];
        real *x = step->x[joint_node(w, i)];
        for (int row = 0; row < TAC_JOINT_ROWS; row++) {
            if (!(k->constraints >> row & 1)) { continue; }
            x[row] = joint_rate(k, w->phase.velocity, row) + k->bias[row] +
                     k->soft[row] * w->scratch.solve.g[k->first + (uint32_t)row];
        }
    }
}

#endif

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

// delta_v += M^-1 J' l
static void joints_add_delta_v(const tac_work *w, tac_twist *delta_v)
{
    for (uint32_t i = 0; i < PROGRAM_JOINTS(w); i++) {
        const tac_joint_block *k = &JOINT_LINK(w)[i];
        real impulse[TAC_JOINT_ROWS];
        joint_impulses(w, k, impulse);
        joint_apply(k, impulse, w->moving, delta_v);
    }
}

// free + M^-1 (D g + J'l): the change of velocity that belongs to the impulses in force.
static void delta_v_make(const tac_work *w, tac_twist *delta_v)
{
    reals_copy(delta_v, w->scratch.solve.free, w->program.bodies * sizeof *delta_v);
    for (const tac_block *k = blocks_of(w), *end = k + w->program.contacts; k < end; k++) {
        const real *g = &w->scratch.solve.g[k->first];
        rows_apply(k, v3_of(g), w->moving, delta_v);
        if (has_torsion(k)) { torsion_turn(k, v3_of(g + 3), w->moving, delta_v); }
    }
    joints_add_delta_v(w, delta_v);
}

#if TAC_MAX_FILL > 0 || TAC_MAX_JOINTS > 0

// Removes the rounding of earlier iterates from delta_v.
static void delta_v_recompute(tac_work *w)
{
    delta_v_make(w, w->delta_v);
}

#endif

#endif
