// SPDX-License-Identifier: MIT
// c3.h - consensus complementarity control: ADMM between a linear-quadratic problem and complementarity, step by step.
//   given   tac_c3: a linear complementarity system, costs, targets; the state; the plan before
//   makes   u, l and x of each step of the horizon
//   bound   (iterations + 1) backward and forward passes of `horizon` steps; (u + l + x)^3 multiplications a factor
//   never   iterates for accuracy: what is planned is what the iterations have reached
#ifndef PREDICT_C3_H
#define PREDICT_C3_H

#include "../base/bytes.h"
#include "../base/lu.h"

#if TAC_PREDICT && TAC_MAX_LCP > 0

// Consensus complementarity control (Aydinoglu, Wei, Huang, Posa, 2023) in the form C3+: the slack  eta = E x + F l + H
// u + c is a variable of its own, so that complementarity is a condition on each pair (l_i, eta_i) by itself. With the
// plan z, its copy delta that is complementary and the scaled multipliers w, an iteration is
//      z      = argmin  sum x'Q x + u'R u + |(l, eta) - (delta - w)|^2_G   s.t. the dynamics and eta
//      delta  = argmin  |(l, eta) + w - delta|^2_U   s.t. 0 <= delta_l  perp  delta_eta >= 0
//      w      = (w + z - delta)/growth,    G = growth G
// At last z is found once more, near delta. The first line is a linear-quadratic problem without inequalities. In the
// order v = (u, l), then x, of the rows M = (B, D, A) and N = (H, F, E), one step of its Riccati recursion is
//      K = C + M'P M,   C = diag(R, G_l, Q) + N'G_eta N,       K = ( L_vv   ) ( L_vv   )' + ( 0    )
//      k = c + M'(P d + p),   y = L_vv^-1 k_v                      ( L_xv   ) ( L_xv   )    (    P )
// whose Schur complement P and p = k_x - L_xv y are those of the step before; forward, v = -L_vv^-T (y + L_xv'x).

enum { C3_NONE, C3_BACKWARD, C3_FORWARD, C3_DONE };

// Where things are in the memory of the caller.
typedef struct c3_room {
    uint32_t u, l, x, v, n; // sizes: v = u + l, n = v + x
    real *M, *N;            // x n, l n
    real *C, *T;            // n n; P M: x n
    real *P, *p, *r;        // of the cost to go: x x, x; P d + p
    real *row;              // of K, or z of a step
    real *k;                // c + M'(P d + p)
    real *last;             // x at the end
    real *L, *Pd, *y;       // of each step: n v, x, v
    real *z, *eta;          // n, l
    real *delta, *w;        // l of l and l of eta
} c3_room;

static real *c3_take(real **from, size_t count)
{
    real *at = *from;
    *from += count;
    return at;
}

static void c3_lay(const tac_c3 *c, c3_room *m)
{
    const size_t u = c->system->size.u, l = c->system->size.l, x = c->system->size.x, v = u + l, n = v + x;
    const size_t steps = c->horizon;
    real *at = c->memory;
    m->u = (uint32_t)u, m->l = (uint32_t)l, m->x = (uint32_t)x, m->v = (uint32_t)v, m->n = (uint32_t)n;
    m->M = c3_take(&at, x * n);
    m->N = c3_take(&at, l * n);
    m->C = c3_take(&at, n * n);
    m->T = c3_take(&at, x * n);
    m->P = c3_take(&at, x * x);
    m->p = c3_take(&at, x);
    m->r = c3_take(&at, x);
    m->row = c3_take(&at, n);
    m->k = c3_take(&at, n);
    m->last = c3_take(&at, x);
    m->z = c3_take(&at, steps * n);
    m->eta = c3_take(&at, steps * l);
    m->delta = c3_take(&at, steps * 2 * l);
    m->w = c3_take(&at, steps * 2 * l);
    m->L = c3_take(&at, steps * n * v);
    m->Pd = c3_take(&at, steps * x);
    m->y = c3_take(&at, steps * v);
}

// ----------------------------------------------------------------------------------------------------------- matrices

// Rows of three matrices side by side.
static void c3_join(const real *a, size_t wide_a, const real *b, size_t wide_b, const real *c, size_t wide_c,
                    size_t rows, real *to)
{
    for (size_t i = 0; i < rows; i++) {
        for (size_t j = 0; j < wide_a; j++) { *to++ = a[i * wide_a + j]; }
        for (size_t j = 0; j < wide_b; j++) { *to++ = b[i * wide_b + j]; }
        for (size_t j = 0; j < wide_c; j++) { *to++ = c[i * wide_c + j]; }
    }
}

// to += M'v, M with n columns; `columns` of them count.
static void c3_add_transposed(const real *M, const real *v, size_t rows, size_t n, uint32_t columns, real *to)
{
    for (size_t k = 0; k < rows; k++) {
        if (v[k] != R(0.0)) { lu_madd(to, v[k], &M[k * n], columns); }
    }
}

// The lower half of C.
static void c3_costs(const tac_c3 *c, const c3_room *m)
{
    const size_t n = m->n;
    reals_clear(m->C, n * n * sizeof *m->C);
    for (size_t i = 0; i < m->u; i++) { reals_copy(&m->C[i * n], &c->R[i * m->u], (i + 1) * sizeof *m->C); }
    for (size_t i = 0; i < m->l; i++) { m->C[(m->u + i) * n + m->u + i] = c->scale * c->G[i]; }
    for (size_t i = 0; i < m->x; i++) {
        reals_copy(&m->C[(m->v + i) * n + m->v], &c->Q[i * m->x], (i + 1) * sizeof *m->C);
    }
    for (size_t k = 0; k < m->l; k++) {
        const real *N = &m->N[k * n], weight = c->scale * c->G[m->l + k];
        for (uint32_t i = 0; i < n; i++) {
            if (N[i] != R(0.0)) { lu_madd(&m->C[i * n], weight * N[i], N, i + 1); }
        }
    }
}

// T = P M
static void c3_products(const c3_room *m)
{
    const size_t n = m->n;
    for (size_t i = 0; i < m->x; i++) {
        reals_clear(&m->T[i * n], n * sizeof *m->T);
        c3_add_transposed(m->M, &m->P[i * m->x], m->x, n, m->n, &m->T[i * n]);
    }
}

// Row i of K becomes that of L, and beyond v that of P. Returns 0 if K is not positive definite.
static int c3_row(const c3_room *m, uint32_t i, real *L)
{
    const size_t n = m->n, v = m->v;
    real *row = m->row, *own = &L[i * v];
    reals_copy(row, &m->C[i * n], (i + 1) * sizeof *row);
    for (size_t k = 0; k < m->x; k++) {
        if (m->M[k * n + i] != R(0.0)) { lu_madd(row, m->M[k * n + i], &m->T[k * n], i + 1); }
    }
    for (uint32_t j = 0; j < v && j < i; j++) { own[j] = -lu_sum(-row[j], own, &L[j * v], j) / L[j * v + j]; }
    for (uint32_t j = i + 1; j < v; j++) { own[j] = R(0.0); }
    if (i < v) {
        const real pivot = -lu_sum(-row[i], own, own, i);
        own[i] = real_sqrt(real_max(pivot, R(0.0)));
        return own[i] > R(0.0);
    }
    for (uint32_t j = m->v; j <= i; j++) {
        const real entry = -lu_sum(-row[j], own, &L[j * v], m->v);
        m->P[(i - v) * m->x + (j - v)] = m->P[(j - v) * m->x + (i - v)] = entry;
    }
    return 1;
}

// The factor of a step, from P of the next one. Returns 0 if there is none.
static int c3_factor(const tac_c3 *c, const c3_room *m, uint32_t step)
{
    real *L = &m->L[(size_t)step * m->n * m->v], *Pd = &m->Pd[(size_t)step * m->x];
    for (size_t i = 0; i < m->x; i++) { Pd[i] = lu_sum(R(0.0), &m->P[i * m->x], c->system->d, m->x); }
    c3_products(m);
    for (uint32_t i = 0; i < m->n; i++) {
        if (!c3_row(m, i, L)) { return 0; }
    }
    return 1;
}

// ------------------------------------------------------------------------------------------------------------- passes

// Where the copy draws l and eta to, at a step: delta - w, at last delta.
static real c3_drawn(const tac_c3 *c, const c3_room *m, uint32_t step, size_t i)
{
    const size_t at = (size_t)step * 2 * m->l + i;
    return c->iteration < c->iterations ? m->delta[at] - m->w[at] : m->delta[at];
}

// -Q times the target of a state, to `to`.
static void c3_aim(const tac_c3 *c, const c3_room *m, const real *Q, uint32_t step, real *to)
{
    for (size_t i = 0; i < m->x; i++) {
        to[i] = c->target != NULL ? -lu_sum(R(0.0), &Q[i * m->x], &c->target[(size_t)step * m->x], m->x) : R(0.0);
    }
}

// k of a step, then y, and p of the step before.
static void c3_gradient(const tac_c3 *c, const c3_room *m, uint32_t step)
{
    const size_t v = m->v;
    const real *L = &m->L[step * m->n * v], *Pd = &m->Pd[(size_t)step * m->x];
    real *k = m->k, *y = &m->y[step * v];
    reals_clear(k, m->u * sizeof *k);
    for (size_t i = 0; i < m->l; i++) { k[m->u + i] = -c->scale * c->G[i] * c3_drawn(c, m, step, i); }
    c3_aim(c, m, c->Q, step, &k[v]);
    for (size_t i = 0; i < m->l; i++) {
        const real weight = c->scale * c->G[m->l + i], off = c->system->c[i] - c3_drawn(c, m, step, m->l + i);
        lu_madd(k, weight * off, &m->N[i * m->n], m->n);
    }
    for (size_t i = 0; i < m->x; i++) { m->r[i] = Pd[i] + m->p[i]; }
    c3_add_transposed(m->M, m->r, m->x, m->n, m->n, k);
    for (uint32_t i = 0; i < v; i++) { y[i] = -lu_sum(-k[i], &L[i * v], y, i) / L[i * v + i]; }
    for (size_t i = 0; i < m->x; i++) { m->p[i] = -lu_sum(-k[v + i], &L[(v + i) * v], y, m->v); }
}

// One step of the backward pass, the last step of the horizon first. Returns 0 if the problem is not convex.
static int c3_backward(const tac_c3 *c, const c3_room *m)
{
    const uint32_t step = (uint32_t)c->horizon - 1 - c->at;
    const real *Q_N = c->Q_N != NULL ? c->Q_N : c->Q;
    const int factors = c->iteration == 0 || c->growth != R(1.0);
    if (c->at == 0) {
        c3_aim(c, m, Q_N, c->horizon, m->p);
        if (factors) {
            reals_copy(m->P, Q_N, m->x * m->x * sizeof *m->P);
            c3_costs(c, m);
        }
    }
    if (factors && !c3_factor(c, m, step)) { return 0; }
    c3_gradient(c, m, step);
    return 1;
}

// The pair (l, eta) with a product of 0 nearest to one that is given.
static void c3_project(real weight_l, real weight_eta, real *l, real *eta)
{
    const real a = real_max(*l, R(0.0)), b = real_max(*eta, R(0.0));
    const int opens = weight_eta * b * b > weight_l * a * a;
    *l = opens ? R(0.0) : a;
    *eta = opens ? b : R(0.0);
}

// The copy and the multipliers of a step.
static void c3_copy(tac_c3 *c, const c3_room *m, uint32_t step)
{
    const real *l = &m->z[(size_t)step * m->n + m->u], *eta = &m->eta[(size_t)step * m->l];
    const real *U = c->U != NULL ? c->U : c->G;
    real *delta = &m->delta[(size_t)step * 2 * m->l], *w = &m->w[(size_t)step * 2 * m->l];
    for (size_t i = 0, j = m->l; i < m->l; i++, j++) {
        delta[i] = l[i] + w[i];
        delta[j] = eta[i] + w[j];
        c3_project(U[i], U[j], &delta[i], &delta[j]);
        w[i] = (w[i] + (l[i] - delta[i])) / c->growth;
        w[j] = (w[j] + (eta[i] - delta[j])) / c->growth;
        c->residual = real_max(c->residual, real_max(real_abs(l[i] - delta[i]), real_abs(eta[i] - delta[j])));
    }
}

// One step of the forward pass, from x in the row. Returns 0 if its numbers are not finite: the plan has the last ones.
static int c3_forward(tac_c3 *c, const c3_room *m)
{
    const size_t step = c->at, n = m->n, v = m->v;
    const real *L = &m->L[step * n * v];
    real *z = m->row, *next = m->r, *eta = m->k;
    reals_copy(z, &m->y[step * v], v * sizeof *z);
    reals_copy(&z[v], step == 0 ? &m->z[v] : m->p, m->x * sizeof *z);
    c3_add_transposed(&L[v * v], &z[v], m->x, v, m->v, z);
    for (uint32_t i = m->v; i-- > 0;) {
        z[i] /= L[i * v + i];
        lu_madd(z, -z[i], &L[i * v], i);
    }
    for (size_t i = 0; i < v; i++) { z[i] = -z[i]; }
    for (size_t i = 0; i < m->x; i++) { next[i] = lu_sum(c->system->d[i], &m->M[i * n], z, m->n); }
    for (size_t i = 0; i < m->l; i++) { eta[i] = lu_sum(c->system->c[i], &m->N[i * n], z, m->n); }
    if (!reals_finite(z, n * sizeof *z) || !reals_finite(next, m->x * sizeof *next) ||
        !reals_finite(eta, m->l * sizeof *eta)) {
        return 0;
    }
    reals_copy(&m->z[step * n], z, n * sizeof *z);
    reals_copy(&m->eta[step * m->l], eta, m->l * sizeof *eta);
    reals_copy(m->p, next, m->x * sizeof *next);
    if (step + 1u == c->horizon) { reals_copy(m->last, next, m->x * sizeof *next); }
    if (c->iteration < c->iterations) { c3_copy(c, m, (uint32_t)step); }
    return 1;
}

// ------------------------------------------------------------------------------------------------------------ the plan

// The numbers of each step become those of a later one; what comes after the last is as it, or 0.
static void c3_shift(real *of, size_t wide, size_t steps, size_t shift)
{
    for (size_t k = 0; k < steps; k++) {
        const size_t from = k + shift < steps ? k + shift : steps - 1;
        if (shift >= steps) {
            reals_clear(&of[k * wide], wide * sizeof *of);
        } else if (from != k) {
            reals_copy(&of[k * wide], &of[from * wide], wide * sizeof *of);
        }
    }
}

// `shift` >= horizon: nothing is kept.
static void c3_begin(tac_c3 *c, const real *x, size_t shift)
{
    c3_room m;
    const tac_lcs *y = c->system;
    c3_lay(c, &m);
    c3_join(y->B, m.u, y->D, m.l, y->A, m.x, m.x, m.M);
    c3_join(y->H, m.u, y->F, m.l, y->E, m.x, m.l, m.N);
    c3_shift(m.z, m.n, c->horizon, shift);
    c3_shift(m.delta, (size_t)2 * m.l, c->horizon, shift);
    c3_shift(m.w, (size_t)2 * m.l, c->horizon, shift);
    for (size_t i = 0; i < (size_t)c->horizon * 2 * m.l; i++) { m.w[i] *= c->scale; } // G begins anew
    if (shift >= c->horizon) { reals_clear(m.last, m.x * sizeof *m.last); }
    reals_copy(&m.z[m.v], x, m.x * sizeof *x);
    c->plan = m.z, c->last = m.last;
    c->scale = R(1.0), c->residual = R(0.0);
    c->iteration = 0, c->at = 0, c->pass = C3_BACKWARD;
}

// The next pass begins where one has ended.
static void c3_turn(tac_c3 *c)
{
    if (c->at < c->horizon) { return; }
    c->at = 0;
    if (c->pass == C3_BACKWARD) {
        c->pass = C3_FORWARD;
        if (c->iteration < c->iterations) { c->residual = R(0.0); }
    } else if (c->iteration < c->iterations) {
        c->pass = C3_BACKWARD;
        c->iteration++;
        c->scale *= c->growth;
    } else {
        c->pass = C3_DONE;
    }
}

// So many steps of passes.
static tac_status c3_run(tac_c3 *c, uint32_t steps)
{
    c3_room m;
    c3_lay(c, &m);
    for (; steps > 0 && c->pass != C3_DONE; steps--) {
        if (c->pass == C3_BACKWARD && !c3_backward(c, &m)) { return TAC_E_ARG; }
        if (c->pass == C3_FORWARD && !c3_forward(c, &m)) { return TAC_E_NAN; }
        c->at++;
        c3_turn(c);
    }
    return c->pass == C3_DONE ? TAC_OK : TAC_UNCONVERGED;
}

#endif

#endif
