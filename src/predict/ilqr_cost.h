// SPDX-License-Identifier: MIT
// ilqr_cost.h - the cost of a step as a quadratic function: gradient and Gauss-Newton Hessian.
//   given   a cost; the state after a step, and the work area that its derivative has left
//   makes   sums for the coordinates of the state and the efforts of the plan
//   bound   two visits to each term a coordinate; for each residual x^2 multiplications
//   never   has a negative curvature
#ifndef PREDICT_ILQR_COST_H
#define PREDICT_ILQR_COST_H

#include "api_difference.h"
#include "rollout.h"

#if TAC_PREDICT && TAC_MAX_LCP > 0

#define ILQR_DIFFERENCE (TAC_REAL_BITS == 32 ? R(5e-3) : R(6e-6)) // m, rad; cube root of a rounding

// A quadratic function p'y + 1/2 y'P y of y = (x, u): x coordinates and rates, n numbers in all. J: what x changes of
// each residual r; shift: a displacement.
typedef struct ilqr_quadratic {
    uint32_t x, n;
    real *P, *p; // n n, n
    real *J;     // residuals x
    real *r, *s; // residuals; others in work
    real *shift; // x
} ilqr_quadratic;

// What a term is a function of. Forces and slip of contacts have no derivative here, numbers of the user none at all:
// only roll-outs see them.
enum { ILQR_NOTHING, ILQR_STATE, ILQR_EFFORT, ILQR_CHANGE };

static int ilqr_of(const tac_cost_term *c)
{
    switch (c->kind) {
    case TAC_COST_FORCE:
    case TAC_COST_SLIP:
    case TAC_COST_GIVEN:
        return ILQR_NOTHING;
    case TAC_COST_EFFORT:
        return ILQR_EFFORT;
    case TAC_COST_EFFORT_CHANGE:
        return ILQR_CHANGE;
    default:
        return ILQR_STATE;
    }
}

static uint32_t ilqr_width(const tac_cost_term *c)
{
    const int of = ilqr_of(c);
    return of != ILQR_STATE && of != ILQR_EFFORT ? 0 : cost_is_vector(c->kind) ? 3 : c->count;
}

// n(r) has the gradient f r, and at most the curvature f: 1 of a quadratic norm; of the others what makes a quadratic
// function that touches the norm at r and is nowhere below it. sum: r.r of the term.
static real ilqr_factor_of(const tac_cost_term *c, real r, real sum)
{
    if (c->norm == TAC_NORM_QUADRATIC) { return R(1.0); }
    return R(1.0) / real_sqrt((c->norm == TAC_NORM_L2 ? sum : r * r) + c->radius * c->radius);
}

static real ilqr_squares(const real *r, uint32_t count)
{
    return lu_sum(R(0.0), r, r, count);
}

// Residuals of all terms of a kind that count at a time. Returns how many there are.
static uint32_t ilqr_residuals(cost_at *at, const tac_cost *cost, int of, real time, int last, real *r)
{
    at->weighed = 0;
    at->residual = r;
    for (const tac_cost_term *c = cost->term; c < cost->term + cost->terms; c++) {
        if (ilqr_of(c) == of && cost_weight(at->m, c, time, last) > R(0.0)) { (void)cost_term(at, c, time); }
    }
    return (uint32_t)(at->residual - r);
}

// J by central differences along the coordinates of the state: one way for nine kinds of terms, and for those to come,
// which costs 2 x visits to the terms, where formulas would be a kind of Jacobian each. Returns 0 if a state cannot be
// displaced. `ahead`: room for a state.
static int ilqr_jacobian(cost_at *at, const tac_cost *cost, real time, int last, tac_work *w, tac_state *ahead,
                         const ilqr_quadratic *y)
{
    const tac_state *from = at->s;
    int found = 1;
    at->s = ahead;
    for (size_t j = 0; j < y->x && found; j++) {
        for (int side = 1; side >= -1; side -= 2) {
            rollout_take_state(at->m, from, ahead);
            reals_clear(y->shift, y->x * sizeof *y->shift);
            y->shift[j] = (real)side * ILQR_DIFFERENCE;
            found &= tac_state_displace(at->m, ahead, y->shift, w) == TAC_OK;
            const uint32_t count = ilqr_residuals(at, cost, ILQR_STATE, time, last, y->s);
            for (size_t i = 0; i < count; i++) {
                real *to = &y->J[i * y->x + j];
                *to = side > 0 ? y->s[i] : (*to - y->s[i]) / (R(2.0) * ILQR_DIFFERENCE);
            }
        }
    }
    at->s = from;
    return found;
}

// Terms of the state.
static int ilqr_add_states(cost_at *at, const tac_cost *cost, real time, int last, tac_work *w, tac_state *ahead,
                           const ilqr_quadratic *y)
{
    const real *r = y->r, *J = y->J;
    if (ilqr_residuals(at, cost, ILQR_STATE, time, last, y->r) == 0) { return 1; }
    if (!ilqr_jacobian(at, cost, time, last, w, ahead, y)) { return 0; }
    for (const tac_cost_term *c = cost->term; c < cost->term + cost->terms; c++) {
        const real weight = cost_weight(at->m, c, time, last);
        if (ilqr_of(c) != ILQR_STATE || !(weight > R(0.0))) { continue; }
        uint32_t count = ilqr_width(c);
        for (int axis = 0; axis < 3 && cost_is_vector(c->kind); axis++) { count -= c->without >> axis & 1u; }
        const real sum = ilqr_squares(r, count);
        for (uint32_t i = 0; i < count; i++, r++, J += y->x) {
            const real curve = weight * ilqr_factor_of(c, *r, sum);
            lu_madd(y->p, curve * *r, J, y->x);
            for (size_t k = 0; k < y->x; k++) { lu_madd(&y->P[k * y->n], curve * J[k], J, y->x); }
        }
    }
    return 1;
}

// ------------------------------------------------------------------------------------------------------------ efforts

static void ilqr_add_effort(const ilqr_quadratic *y, uint32_t channel, real slope, real curve)
{
    const size_t i = y->x + channel;
    y->p[i] += slope;
    y->P[i * y->n + i] += curve;
}

// Terms of efforts, which are those of the plan where it has a channel for a joint.
static void ilqr_add_efforts(cost_at *at, const tac_cost *cost, const tac_plan *plan, real time, int last,
                             const ilqr_quadratic *y)
{
    const real *r = y->r;
    if (ilqr_residuals(at, cost, ILQR_EFFORT, time, last, y->r) == 0) { return; }
    for (const tac_cost_term *c = cost->term; c < cost->term + cost->terms; c++) {
        const real weight = cost_weight(at->m, c, time, last);
        if (ilqr_of(c) != ILQR_EFFORT || !(weight > R(0.0))) { continue; }
        const real sum = ilqr_squares(r, c->count);
        for (uint32_t i = 0; i < plan->channels; i++) {
            const uint32_t joint = plan->channel[i].joint;
            if (joint < c->index || joint >= (uint32_t)c->index + c->count) { continue; }
            const real is = r[joint - c->index], curve = weight * ilqr_factor_of(c, is, sum);
            ilqr_add_effort(y, i, curve * is, curve);
        }
        r += c->count;
    }
}

// Terms of the change of efforts from row `before` of a plan to row `after`, as seen by one of the two: side 1 is the
// row after. What couples both rows is left out of the curvature and the rest doubled: (a - b)^2 <= 2 a^2 + 2 b^2.
static void ilqr_add_change(const tac_model *m, const tac_cost_term *c, const tac_plan *plan, const real *before,
                            const real *after, real time, int last, real side, const ilqr_quadratic *y)
{
    const real weight = cost_weight(m, c, time, last);
    table_place place = {0, R(0.0)};
    real r[TAC_MAX_JOINTS + 1], sum = R(0.0);
    if (ilqr_of(c) != ILQR_CHANGE || !(weight > R(0.0))) { return; }
    if (c->target != NULL) { place = table_find(c->target, time); }
    for (uint32_t i = 0; i < plan->channels; i++) {
        const uint32_t joint = plan->channel[i].joint;
        if (joint < c->index || joint >= (uint32_t)c->index + c->count) { continue; }
        r[i] = after[i] - before[i];
        if (c->target != NULL) { r[i] -= table_number(c->target, &place, joint - c->index); }
        sum += r[i] * r[i];
    }
    for (uint32_t i = 0; i < plan->channels; i++) {
        const uint32_t joint = plan->channel[i].joint;
        if (joint < c->index || joint >= (uint32_t)c->index + c->count) { continue; }
        const real curve = weight * ilqr_factor_of(c, r[i], sum);
        ilqr_add_effort(y, i, side * curve * r[i], R(2.0) * curve);
    }
}

#endif

#endif
