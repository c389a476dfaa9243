// SPDX-License-Identifier: MIT
// ilqr.h - iterative LQR: roll out, differentiate each step, minimise backwards, roll out with the gains.
//   given   a tac_ilqr that has been checked; a work area
//   makes   a plan of efforts that is cheaper, whenever one is found
//   bound   `iterations` backward passes of tac_derivative() a step; at most ILQR_CUTS roll-outs after each
//   never   makes the plan dearer, leaves the bounds of its channels
#ifndef PREDICT_ILQR_H
#define PREDICT_ILQR_H

#include "../derivative/api_linear.h"
#include "ilqr_box.h"
#include "ilqr_cost.h"

#if TAC_PREDICT && TAC_MAX_LCP > 0

// With y = (x, u), u the efforts of a knot, the cost to go of its steps is a quadratic function of y. Backwards a step
// makes of it, with M = (A B),
//      P = F'(P + P_cost) F,   p = F'(p + p_cost),     F = ( M )
//                                                          ( 0 1 )
// and at the first step of a knot u = k + K x is its minimum within the bounds (ilqr_box.h). With Q = P there
//      P_xx = Q_xx + K'Q_uu K + K'Q_ux + Q_xu K,       p_x = q_x + K'(Q_uu k + q_u) + Q_xu k
// which is positive semi-definite whatever k and K are. Nothing of a step is kept for the next iteration but its state:
// a derivative is larger than a state. Derivatives are made anew after a roll-out that was not cheaper.
// Forwards  u = u_plan + part k + K (x - x_plan),  with parts 1, 1/2, ... until a roll-out saves enough.

enum { ILQR_NONE, ILQR_ROLL, ILQR_BACKWARD, ILQR_DONE };

#define ILQR_CUTS 6                 // parts of a change of the plan that are tried: down to 1/32
#define ILQR_SAVES R(0.05)          // of what is promised: a roll-out that saves less is not worth a step
#define ILQR_SETTLED R(1e-6)        // of the cost: a promise of less is the end
#define ILQR_DAMPING R(1e-3)        // after the first backward pass that no roll-out confirms
#define ILQR_DAMPING_MOST R(1e6)    // beyond it changes of the plan are too small to count
#define ILQR_SHARPER R(0.7)         // of the smoothing of contacts, what the next backward pass has
#define ILQR_SHARP R(0.01)          // of the smoothing of the first one: less is none
#define ILQR_DAMPING_FACTOR R(10.0) // up after roll-outs that are dearer, down after a whole change

// Where things are in the memory of the caller.
typedef struct ilqr_room {
    uint32_t x, u, m, n;
    real *A, *B, *M; // x x, x u, x n
    real *T, *t;     // n n, n  in work
    real *gain;      // knots m (1 + x): k and K of each number
    real *value;     // knots m of the plan that is tried
    ilqr_quadratic y;
    ilqr_box box;
} ilqr_room;

static real *ilqr_take(real **from, size_t count)
{
    real *at = *from;
    *from += count;
    return at;
}

static void ilqr_lay(const tac_ilqr *c, ilqr_room *r)
{
    const size_t x = c->size.x, u = c->size.u, m = c->plan->channels, n = x + m, count = c->size.l;
    const size_t knots = c->plan->knots;
    real *at = c->memory;
    r->x = r->y.x = (uint32_t)x, r->u = (uint32_t)u, r->m = r->box.m = (uint32_t)m, r->n = r->y.n = (uint32_t)n;
    r->gain = ilqr_take(&at, knots * m * (1 + x));
    r->value = ilqr_take(&at, knots * m);
    r->A = ilqr_take(&at, x * x);
    r->B = ilqr_take(&at, x * u);
    r->M = ilqr_take(&at, x * n);
    r->y.shift = ilqr_take(&at, x);
    r->y.P = ilqr_take(&at, n * n);
    r->y.p = ilqr_take(&at, n);
    r->T = ilqr_take(&at, n * n);
    r->t = ilqr_take(&at, n);
    r->y.J = ilqr_take(&at, count * x);
    r->y.r = ilqr_take(&at, count);
    r->y.s = ilqr_take(&at, count);
    r->box.L = ilqr_take(&at, m * m);
    r->box.low = ilqr_take(&at, m);
    r->box.high = ilqr_take(&at, m);
    r->box.d = ilqr_take(&at, m);
    r->box.slope = ilqr_take(&at, m);
    r->box.move = ilqr_take(&at, m);
    r->box.trial = ilqr_take(&at, m);
    r->box.Q = r->y.P + x * n + x;
    r->box.q = r->y.p + x;
    r->box.stride = n;
    r->box.damping = c->damping;
}

// The state before a step: of the plan, or of the plan that is tried.
static tac_state *ilqr_state(const tac_ilqr *c, uint32_t step, int tried)
{
    const size_t half = tried ? c->other : 1u - c->other;
    return step == 0 ? c->trajectory : &c->trajectory[half * c->steps + step];
}

static uint32_t ilqr_row(const tac_ilqr *c, uint32_t step)
{
    const tac_table t = knots_table(c->plan);
    return table_find(&t, (real)step * c->model->h).row;
}

static int ilqr_first(const tac_ilqr *c, uint32_t step)
{
    return step == 0 || ilqr_row(c, step) != ilqr_row(c, step - 1);
}

// Bounds of a channel, within those of the effort of its joint.
static real ilqr_low(const tac_ilqr *c, uint32_t i)
{
    const tac_channel *k = &c->plan->channel[i];
    return real_max(k->low, -JOINT_OF(c->model)[k->joint].effort);
}

static real ilqr_high(const tac_ilqr *c, uint32_t i)
{
    const tac_channel *k = &c->plan->channel[i];
    return real_min(k->high, JOINT_OF(c->model)[k->joint].effort);
}

// ------------------------------------------------------------------------------------------------------------ forward

static void ilqr_open(tac_ilqr *c)
{
    const real promise = c->part * (c->linear + R(0.5) * c->part * c->curve);
    c->prediction.most = c->iteration > 0 ? real_max(c->least + ILQR_SAVES * promise, R(0.0)) : REAL_LARGEST;
    rollout_begin(&c->prediction, c->trajectory);
    c->pass = ILQR_ROLL;
}

// The numbers of the knot that begins at a step.
static tac_status ilqr_command(const tac_ilqr *c, const ilqr_room *r, tac_work *w, uint32_t step)
{
    const uint32_t row = ilqr_row(c, step);
    const real *gain = &r->gain[(size_t)row * r->m * (1 + r->x)], *value = &c->plan->value[(size_t)row * r->m];
    real *to = &r->value[(size_t)row * r->m];
    const tac_status status =
        tac_state_difference(c->model, ilqr_state(c, step, 0), &c->prediction.state, w, r->y.shift);
    for (uint32_t i = 0; i < r->m && !status; i++, gain += 1 + r->x) {
        const real wanted = lu_sum(value[i] + c->part * gain[0], gain + 1, r->y.shift, r->x);
        to[i] = real_clamp(wanted, ilqr_low(c, i), ilqr_high(c, i));
    }
    return status;
}

// Less smoothing after each backward pass, so that the last ones have the derivatives of the roll-outs.
static void ilqr_sharpen(tac_ilqr *c)
{
    c->smooth *= ILQR_SHARPER;
    if (c->smooth < ILQR_SHARP * c->smoothing) { c->smooth = R(0.0); }
}

// Another backward pass, or the end.
static void ilqr_again(tac_ilqr *c)
{
    if (c->iteration > 0) { ilqr_sharpen(c); }
    c->pass = c->iteration < c->iterations && c->damping <= ILQR_DAMPING_MOST ? ILQR_BACKWARD : ILQR_DONE;
    c->at = c->steps;
    c->part = R(1.0);
    c->cuts = 0;
    c->linear = c->curve = R(0.0);
}

// The plan that was tried becomes the plan.
static void ilqr_adopt(tac_ilqr *c, const ilqr_room *r)
{
    reals_copy(c->plan->value, r->value, (size_t)c->plan->knots * r->m * sizeof(real));
    c->least = c->prediction.total;
    c->other = (uint8_t)(1 - c->other);
    c->improved = (uint16_t)(c->improved + (c->iteration > 0));
    if (c->part < R(1.0) || c->iteration == 0) { return; }
    c->damping = c->damping > ILQR_DAMPING ? c->damping / ILQR_DAMPING_FACTOR : R(0.0);
}

// The roll-out has ended. Returns the status of the first one, which has nothing to fall back on.
static tac_status ilqr_judge(tac_ilqr *c, const ilqr_room *r)
{
    const tac_prediction *p = &c->prediction;
    if (p->end == TAC_ROLLOUT_WHOLE && p->total < c->least) {
        ilqr_adopt(c, r);
        if (c->iteration == 0) { c->nominal = c->least; }
        ilqr_again(c);
        return TAC_OK;
    }
    if (c->iteration == 0) {
        c->fault = p->fault;
        return p->end == TAC_ROLLOUT_REFUSED ? p->status : TAC_E_NAN;
    }
    if (++c->cuts < ILQR_CUTS) {
        c->part *= R(0.5);
        ilqr_open(c);
        return TAC_OK;
    }
    c->damping = real_max(c->damping * ILQR_DAMPING_FACTOR, ILQR_DAMPING);
    ilqr_again(c);
    return TAC_OK;
}

static tac_status ilqr_forward(tac_ilqr *c, const ilqr_room *r, tac_work *w)
{
    tac_prediction *p = &c->prediction;
    const uint32_t step = p->taken;
    if (c->iteration > 0 && ilqr_first(c, step)) {
        const tac_status status = ilqr_command(c, r, w, step);
        if (status) { return status; }
    }
    (void)rollout_advance(p, w, 1);
    if (p->taken > step) { rollout_take_state(p->model, &p->state, ilqr_state(c, p->taken, 1)); }
    return p->end == TAC_ROLLOUT_OPEN ? TAC_OK : ilqr_judge(c, r);
}

// ----------------------------------------------------------------------------------------------------------- backward

// M = (A B) of a step, B with the columns of the channels.
static tac_status ilqr_differentiate(tac_ilqr *c, const ilqr_room *r, tac_work *w)
{
    tac_prediction *p = &c->prediction;
    tac_step_derivative d = {r->A,      r->B,  {c->size.x, c->size.u, 0}, 0, NULL, NULL, NULL, 0, c->smooth,
                             {0, 0, 0}, R(0.0)};
    (void)knots_evaluate(c->plan, (real)c->at * c->model->h, p->first, &p->acting);
    rollout_take_state(c->model, ilqr_state(c, c->at, 0), &p->state);
    const tac_status status = tac_derivative(c->model, &p->state, &p->acting, w, c->lcp, &d);
    if (status < 0) {
        c->fault = w->report.fault;
        return status;
    }
    const uint16_t *first = w->scratch.varied.mechanism.first;
    const size_t roots = r->x / 2 - r->u;
    for (size_t i = 0; i < r->x; i++) {
        real *to = &r->M[i * r->n];
        reals_copy(to, &r->A[i * r->x], r->x * sizeof *to);
        for (size_t k = 0; k < r->m; k++) { to[r->x + k] = r->B[i * r->u + first[c->plan->channel[k].joint] - roots]; }
    }
    return TAC_OK;
}

// Adds the cost of the end of a step.
static tac_status ilqr_charge(tac_ilqr *c, const ilqr_room *r, tac_work *w)
{
    const tac_cost *cost = c->cost;
    cost_at at = {c->model, ilqr_state(c, c->at + 1, 0), w, NULL, NULL, NULL, V3_ZERO, V3_ZERO, V3_ZERO, 0};
    const real end = cost->time + (real)(c->at + 1) * c->model->h;
    const int last = c->at + 1 == c->steps;
    ilqr_add_efforts(&at, cost, c->plan, end, last, &r->y);
    for (uint32_t step = c->at; step < c->at + 2 && step < c->steps; step++) {
        if (step == 0 || !ilqr_first(c, step)) { continue; }
        const real *after = &c->plan->value[(size_t)ilqr_row(c, step) * r->m];
        const real *before = &c->plan->value[(size_t)ilqr_row(c, step - 1) * r->m];
        const real time = cost->time + (real)(step + 1) * c->model->h, side = step == c->at ? R(1.0) : R(-1.0);
        for (uint32_t i = 0; i < cost->terms; i++) {
            ilqr_add_change(c->model, &cost->term[i], c->plan, before, after, time, step + 1 == c->steps, side, &r->y);
        }
    }
    return ilqr_add_states(&at, cost, end, last, w, &c->prediction.state, &r->y) ? TAC_OK : TAC_E_NAN;
}

// P = F'P F, p = F'p
static void ilqr_propagate(const ilqr_room *r)
{
    const size_t x = r->x, n = r->n;
    real *P = r->y.P, *p = r->y.p;
    for (size_t i = 0; i < n; i++) {
        real *row = &r->T[i * n];
        reals_clear(row, x * sizeof *row);
        reals_copy(row + x, &P[i * n + x], (n - x) * sizeof *row);
        for (size_t k = 0; k < x; k++) { lu_madd(row, P[i * n + k], &r->M[k * n], r->n); }
    }
    reals_copy(r->t, p, n * sizeof *p);
    reals_clear(p, x * sizeof *p);
    for (size_t k = 0; k < x; k++) { lu_madd(p, r->t[k], &r->M[k * n], r->n); }
    for (size_t i = 0; i < n; i++) {
        real *row = &P[i * n];
        reals_clear(row, (i + 1) * sizeof *row);
        if (i >= x) { reals_copy(row, &r->T[i * n], (i + 1) * sizeof *row); }
        for (size_t k = 0; k < x; k++) { lu_madd(row, r->M[k * n + i], &r->T[k * n], (uint32_t)i + 1); }
        for (size_t k = 0; k < i; k++) { P[k * n + i] = row[k]; }
    }
}

// k and K of a knot. b.d has k.
static void ilqr_gains(const tac_ilqr *c, const ilqr_room *r, uint32_t row, real *gain)
{
    const ilqr_box *b = &r->box;
    const real *value = &c->plan->value[(size_t)row * r->m];
    for (uint32_t i = 0; i < r->m; i++) {
        b->low[i] = real_min(ilqr_low(c, i) - value[i], R(0.0));
        b->high[i] = real_max(ilqr_high(c, i) - value[i], R(0.0));
    }
    ilqr_box_solve(b);
    for (size_t k = 0; k < r->x; k++) {
        for (size_t i = 0; i < r->m; i++) { b->move[i] = -r->y.P[(r->x + i) * r->n + k]; }
        ilqr_solve(b, b->move);
        for (size_t i = 0; i < r->m; i++) { gain[i * (1 + r->x) + 1 + k] = b->move[i]; }
    }
    for (size_t i = 0; i < r->m; i++) { gain[i * (1 + r->x)] = b->d[i]; }
}

// The cost to go without u, and what its minimum promises.
static void ilqr_eliminate(tac_ilqr *c, const ilqr_room *r)
{
    const uint32_t row = ilqr_row(c, c->at), x = r->x, wide = 1 + x;
    const size_t n = r->n;
    real *gain = &r->gain[(size_t)row * r->m * wide], *P = r->y.P, *p = r->y.p;
    ilqr_gains(c, r, row, gain);
    for (size_t i = 0; i < r->m; i++) {
        const real *Q = &P[(x + i) * n], k = gain[i * wide];
        real *T = &r->T[i * wide]; // (Q_uu k + q_u, Q_uu K + Q_ux)
        reals_clear(T, wide * sizeof *T);
        for (size_t j = 0; j < r->m; j++) { lu_madd(T, Q[x + j], &gain[j * wide], wide); }
        c->linear += p[x + i] * k;
        c->curve += k * T[0];
        T[0] += p[x + i];
        lu_madd(T + 1, R(1.0), Q, x);
    }
    for (size_t i = 0; i < r->m; i++) {
        const real *Q = &P[(x + i) * n], *own = &gain[i * wide], *T = &r->T[i * wide];
        lu_madd(p, T[0], own + 1, x);
        lu_madd(p, own[0], Q, x);
        for (uint32_t a = 0; a < x; a++) {
            lu_madd(&P[a * n], own[1 + a], T + 1, a + 1);
            lu_madd(&P[a * n], Q[a], own + 1, a + 1);
        }
    }
    for (size_t a = 0; a < x; a++) {
        for (size_t b = 0; b < a; b++) { P[b * n + a] = P[a * n + b]; }
        reals_clear(&P[a * n + x], r->m * sizeof *P);
    }
    reals_clear(&P[x * n], r->m * n * sizeof *P);
    reals_clear(&p[x], r->m * sizeof *p);
}

static tac_status ilqr_backward(tac_ilqr *c, const ilqr_room *r, tac_work *w)
{
    if (c->at == c->steps) {
        reals_clear(r->y.P, (size_t)r->n * r->n * sizeof(real));
        reals_clear(r->y.p, r->n * sizeof(real));
        c->iteration++;
    }
    c->at--;
    tac_status status = ilqr_differentiate(c, r, w);
    if (!status) { status = ilqr_charge(c, r, w); }
    if (status) { return status; }
    ilqr_propagate(r);
    if (ilqr_first(c, c->at)) { ilqr_eliminate(c, r); }
    if (c->at > 0) { return TAC_OK; }
    c->promise = -(c->linear + R(0.5) * c->curve);
    if (!real_finite(c->promise)) { return TAC_E_NAN; }
    if (c->promise + c->damping * c->promise > ILQR_SETTLED * c->least) {
        ilqr_open(c);
    } else if (c->smooth > R(0.0)) {
        ilqr_again(c);
    } else {
        c->pass = ILQR_DONE;
    }
    return TAC_OK;
}

static tac_status ilqr_run(tac_ilqr *c, tac_work *w, uint32_t steps)
{
    ilqr_room r;
    tac_status status = TAC_OK;
    for (; steps > 0 && c->pass != ILQR_DONE && !status; steps--) {
        ilqr_lay(c, &r);
        status = c->pass == ILQR_BACKWARD ? ilqr_backward(c, &r, w) : ilqr_forward(c, &r, w);
        c->taken++;
    }
    if (status) { return status; }
    return c->pass == ILQR_DONE ? TAC_OK : TAC_UNCONVERGED;
}

// From a plan whose numbers are within the bounds of efforts from now on.
static void ilqr_begin(tac_ilqr *c, const tac_state *state)
{
    ilqr_room r;
    c->damping = R(0.0);
    c->smooth = c->smoothing;
    ilqr_lay(c, &r);
    c->trial = *c->plan;
    c->trial.value = r.value;
    for (uint32_t i = 0; i < (uint32_t)c->plan->knots * r.m; i++) {
        r.value[i] = real_clamp(c->plan->value[i], ilqr_low(c, i % r.m), ilqr_high(c, i % r.m));
    }
    rollout_take_state(c->model, state, c->trajectory);
    c->prediction.model = c->model;
    c->prediction.plan = &c->trial;
    c->prediction.cost = c->cost;
    c->prediction.input = c->input;
    c->prediction.steps = c->steps;
    c->prediction.fidelity = (tac_fidelity){NULL, NULL, 0, 0};
    c->nominal = c->least = REAL_LARGEST;
    c->promise = R(0.0);
    c->status = TAC_OK;
    c->taken = 0;
    c->iteration = c->improved = 0;
    c->other = 0;
    ilqr_open(c);
}

#endif

#endif
