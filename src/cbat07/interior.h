// SPDX-License-Identifier: MIT
// interior.h - two convex problems over the inequalities of two bodies, by a primal-dual interior-point method.
//   given   rows of both bodies, a point inside each, a displacement `shift` of body 2
//   makes   CLOSEST: the closest points of body 1 and of body 2 displaced, CBAT07 (7); multipliers
//           LEVEL:   the point where the largest f of both bodies is least: the deepest one if they overlap
//   bound   INTERIOR_STEPS steps: a 6x6 system each, at most INTERIOR_HALVINGS evaluations of all rows
//   never   judges the result: rows, unknowns and multipliers show how far it has converged
//
// CLOSEST: unknowns y = (a1, a2), minimise F = 1/2 |a2 + shift - a1|^2. LEVEL: y = (x, t), minimise F = t. Subject to
// c_j(y) + s_j = 0, s_j >= 0, with c_j = f_j or f_j - t. The optimality conditions, CBAT07 (20), with l s = mu for 0,
//
//      grad F + sum l_j grad c_j = 0,      c_j + s_j = 0,      l_j s_j = mu
//
// are solved by Newton steps while mu goes to 0 and l, s stay positive. With ds and dl eliminated, a step is
//
//      (Hess F + sum l Hess c + sum l/s grad c grad c') dy = -grad F - sum (mu + l (c + s))/s grad c
//      ds = -(c + s) - grad c'dy,      dl = (mu - l ds)/s - l
//
// Separate slacks allow iterates outside the bodies, which makes the path along a curved surface shorter. The apex of a
// cone is rounded by a length that goes to 0 with mu, so that Newton's method always has a smooth surface.
#ifndef CBAT07_INTERIOR_H
#define CBAT07_INTERIOR_H

#include "../base/lu.h"
#include "inequality.h"

#define INTERIOR_STEPS 80 // most Newton steps
#define INTERIOR_HALVINGS 24 // most halvings of one step
#define INTERIOR_SHRINK R(0.1) // of mu, each time when the iterate is near the path
#define INTERIOR_PATH R(10.0)  // how near, in units of mu: a mu that falls faster leads to the wrong wall
#define INTERIOR_BLUNT R(0.1)  // of the scale: initial rounding of an apex, also in LEVEL
#define INTERIOR_RIDGE (R(4.0) * REAL_EPSILON)                  // of the largest entry: added to the diagonal
#define INTERIOR_SHORT R(1e-5)                                  // a step as short as this is dominated by rounding
#define INTERIOR_BACK R(0.99)                                   // of the way to l = 0 or s = 0
#define INTERIOR_DECREASE R(0.01)                               // decrease of the merit function that a step must reach
#define INTERIOR_LEVEL_TOL R(1e-4)                              // of the scale: LEVEL only has to find a direction
#define INTERIOR_TOL (TAC_REAL_BITS == 32 ? R(2e-6) : R(1e-10)) // of the scale: error of the distance

enum { INTERIOR_CLOSEST, INTERIOR_LEVEL };

static int interior_unknowns(const tac_implicit_work *w)
{
    return w->phase == INTERIOR_CLOSEST ? 6 : 4;
}

// The first unknown that row j depends on.
static int interior_base(const tac_implicit_work *w, int j)
{
    return w->phase == INTERIOR_CLOSEST && j >= w->first ? 3 : 0;
}

static vec3 interior_point(const real *x)
{
    return v3(x[0], x[1], x[2]);
}

// a2 + shift - a1
static vec3 interior_between(const tac_implicit_work *w)
{
    return v3_add(v3_sub(interior_point(w->x + 3), interior_point(w->x)), w->shift);
}

// All rows at the current unknowns.
static void interior_evaluate(tac_implicit_work *w)
{
    for (int j = 0; j < w->rows; j++) {
        inequality *r = &w->row[j];
        inequality_at(r, interior_point(w->x + interior_base(w, j)), w->round);
        if (w->phase == INTERIOR_LEVEL) { r->f -= w->x[3]; }
    }
}

// y[0..2] += s a
static void interior_add(real *y, real s, vec3 a)
{
    y[0] += s * a.x;
    y[1] += s * a.y;
    y[2] += s * a.z;
}

// grad F + sum k_j grad c_j in step[], where k = l, or (mu + l (c + s))/s if mu > 0.
static void interior_slope(tac_implicit_work *w, real mu)
{
    const int level = w->phase == INTERIOR_LEVEL;
    const vec3 d = interior_between(w);
    reals_clear(w->step, 6 * sizeof *w->step);
    if (level) {
        w->step[3] = R(1.0);
    } else {
        interior_add(w->step, R(-1.0), d);
        interior_add(w->step + 3, R(1.0), d);
    }
    for (int j = 0; j < w->rows; j++) {
        const inequality *r = &w->row[j];
        const real k = mu > R(0.0) ? (mu + r->l * (r->f + r->s)) / r->s : r->l;
        interior_add(w->step + interior_base(w, j), k, r->gradient);
        if (level) { w->step[3] -= k; }
    }
}

// Norm of the slope alone.
static real interior_dual(tac_implicit_work *w)
{
    real sum = R(0.0);
    interior_slope(w, R(0.0));
    for (int i = 0; i < interior_unknowns(w); i++) { sum += w->step[i] * w->step[i]; }
    return real_sqrt(sum);
}

// Squared norm of what is left of the optimality conditions, all in the unit of the first: a length, or 1 in LEVEL.
static real interior_merit(tac_implicit_work *w, real mu)
{
    const real dual = interior_dual(w), weight = R(1.0) / w->scale;
    const real weight_c = w->phase == INTERIOR_LEVEL ? weight : R(1.0);
    real sum = dual * dual;
    for (int j = 0; j < w->rows; j++) {
        const inequality *r = &w->row[j];
        const real e = weight * (r->l * r->s - mu), c = weight_c * (r->f + r->s);
        sum += e * e + c * c;
    }
    return sum;
}

static void interior_add_sym3(real *m, int n, real s, const sym3 *a)
{
    interior_add(m, s, v3(a->xx, a->xy, a->xz));
    interior_add(m + n, s, v3(a->xy, a->yy, a->yz));
    interior_add(m + 2 * n, s, v3(a->xz, a->yz, a->zz));
}

// The matrix of the step. A trace of the identity keeps bodies without curvature or end from making it singular.
static void interior_matrix(tac_implicit_work *w)
{
    const int n = interior_unknowns(w), level = w->phase == INTERIOR_LEVEL;
    real *m = w->matrix;
    reals_clear(m, sizeof *m * (size_t)(n * n));
    for (int i = 0; i < 3 && !level; i++) {
        m[i * n + i] = m[(i + 3) * n + i + 3] = R(1.0);
        m[i * n + i + 3] = m[(i + 3) * n + i] = R(-1.0);
    }
    for (int j = 0; j < w->rows; j++) {
        const inequality *r = &w->row[j];
        const int b = interior_base(w, j);
        const real k = r->l / r->s;
        sym3 h;
        reals_clear(&h, sizeof h);
        sym3_add_outer(&h, k, &r->gradient);
        interior_add_sym3(m + b * n + b, n, R(1.0), &h);
        interior_add_sym3(m + b * n + b, n, r->l, &r->hessian);
        if (level) {
            const vec3 g = v3_scale(-k, r->gradient);
            interior_add(m + 3 * n, R(1.0), g);
            m[3] += g.x;
            m[n + 3] += g.y;
            m[2 * n + 3] += g.z;
            m[3 * n + 3] += k;
        }
    }
    real most = R(0.0);
    for (int i = 0; i < n; i++) { most = real_max(most, m[i * n + i]); }
    for (int i = 0; i < n; i++) { m[i * n + i] += INTERIOR_RIDGE * most; }
}

// One Newton direction: way[] for the unknowns, dl and ds for the rows. Returns 0 if there is none.
static int interior_direction(tac_implicit_work *w, real mu)
{
    const int n = interior_unknowns(w);
    interior_slope(w, mu);
    for (int i = 0; i < n; i++) { w->step[i] = -w->step[i]; }
    interior_matrix(w);
    if (!lu_solve(w->matrix, w->step, n)) { return 0; }
    for (int j = 0; j < w->rows; j++) {
        inequality *r = &w->row[j];
        const real *dy = w->step + interior_base(w, j);
        real along = v3_dot(r->gradient, interior_point(dy));
        if (w->phase == INTERIOR_LEVEL) { along -= w->step[3]; }
        r->ds = -(r->f + r->s) - along;
        r->dl = (mu - r->l * r->ds) / r->s - r->l;
        r->l_old = r->l;
        r->s_old = r->s;
    }
    for (int i = 0; i < n; i++) {
        w->old[i] = w->x[i];
        w->way[i] = w->step[i];
    }
    return 1;
}

// The longest step that keeps multipliers and slacks positive, at most 1.
static real interior_longest(const tac_implicit_work *w)
{
    real t = R(1.0);
    for (int j = 0; j < w->rows; j++) {
        const inequality *r = &w->row[j];
        if (r->l + t * r->dl < R(0.0)) { t = -r->l / r->dl; }
        if (r->s + t * r->ds < R(0.0)) { t = -r->s / r->ds; }
    }
    return t < R(1.0) ? INTERIOR_BACK * t : t;
}

static void interior_go(tac_implicit_work *w, real t)
{
    for (int i = 0; i < interior_unknowns(w); i++) { w->x[i] = w->old[i] + t * w->way[i]; }
    for (int j = 0; j < w->rows; j++) {
        inequality *r = &w->row[j];
        r->l = r->l_old + t * r->dl;
        r->s = r->s_old + t * r->ds;
    }
    interior_evaluate(w);
}

// A step along the direction, halved until it gains. Returns its length; 0: none, nothing has moved.
static real interior_walk(tac_implicit_work *w, real mu)
{
    const real before = interior_merit(w, mu);
    if (!interior_direction(w, mu)) { return R(0.0); }
    real t = interior_longest(w);
    for (int i = 0; i < INTERIOR_HALVINGS; i++) {
        interior_go(w, t);
        if (interior_merit(w, mu) <= (R(1.0) - INTERIOR_DECREASE * t) * before) { return t; }
        t *= R(0.5);
    }
    interior_go(w, R(0.0));
    return R(0.0);
}

// sum l (s + |c + s|): about so much the objective may still change.
static real interior_rest(const tac_implicit_work *w)
{
    real sum = R(0.0);
    for (int j = 0; j < w->rows; j++) {
        const inequality *r = &w->row[j];
        sum += r->l * (r->s + real_abs(r->f + r->s));
    }
    return sum;
}

// How far the points are from where their slacks say.
static real interior_astray(const tac_implicit_work *w)
{
    real most = R(0.0);
    for (int j = 0; j < w->rows; j++) { most = real_max(most, real_abs(w->row[j].f + w->row[j].s)); }
    return most;
}

// Good enough? In CLOSEST an error e of 1/2 D^2 is one of e/D in D. Below `near` the bodies count as touching.
static int interior_done(tac_implicit_work *w, real near)
{
    const real rest = interior_rest(w), dual = interior_dual(w);
    if (w->phase == INTERIOR_LEVEL) { return rest <= INTERIOR_LEVEL_TOL * w->scale && dual <= INTERIOR_LEVEL_TOL; }
    const real d = v3_norm(interior_between(w));
    return d + interior_astray(w) < near || (rest <= INTERIOR_TOL * w->scale * d && dual <= INTERIOR_TOL * d);
}

// CLOSEST starts from the points inside, LEVEL from where the last solution has left a1, with t above all f.
static void interior_start(tac_implicit_work *w)
{
    const vec3 d = v3_add(v3_sub(w->inside[1], w->inside[0]), w->shift);
    real mu = w->scale * real_max(w->scale, v3_norm(d));
    if (w->phase == INTERIOR_CLOSEST) {
        reals_clear(w->x, 6 * sizeof *w->x);
        interior_add(w->x, R(1.0), w->inside[0]);
        interior_add(w->x + 3, R(1.0), w->inside[1]);
    } else {
        real top = -REAL_LARGEST;
        w->x[3] = R(0.0);
        interior_evaluate(w);
        for (int j = 0; j < w->rows; j++) { top = real_max(top, w->row[j].f); }
        w->x[3] = top + w->scale;
        mu = w->scale / (real)w->rows;
    }
    interior_evaluate(w);
    for (int j = 0; j < w->rows; j++) {
        w->row[j].s = -w->row[j].f;
        w->row[j].l = R(0.1) * mu / w->row[j].s;
    }
}

// Solve one of the problems. In CLOSEST it ends early when the distance is less than `near`.
static void interior_solve(tac_implicit_work *w, int phase, real near)
{
    w->phase = (uint8_t)phase;
    w->shifts++;
    w->round = INTERIOR_BLUNT * w->scale;
    interior_start(w);
    real mu = interior_rest(w) / (real)w->rows;
    for (int i = 0; i < INTERIOR_STEPS && !interior_done(w, near); i++) {
        const real near_path = INTERIOR_PATH * mu / w->scale;
        if (interior_merit(w, mu) <= near_path * near_path) {
            mu *= INTERIOR_SHRINK;
            if (phase == INTERIOR_CLOSEST) { w->round = mu / w->scale; }
            interior_evaluate(w);
        }
        w->iterations++;
        if (!(interior_walk(w, mu) > INTERIOR_SHORT)) { break; }
    }
}

#endif
