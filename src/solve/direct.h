// SPDX-License-Identifier: MIT
// direct.h - proximal method of multipliers over impulses, Newton's method over velocities, one sparse factor a step.
//   given   blocks, impulses, velocities that belong to them
//   makes   better impulses and their velocities; a sweep is one step of Newton's method
//   bound   a factorisation, a solution, DIRECT_SEARCH looks along it and three visits to the contacts a sweep
//   never   leaves an impulse outside its cone, nor a gain that does not belong to the impulses
#ifndef SOLVE_DIRECT_H
#define SOLVE_DIRECT_H

#include "accelerated.h"

#if TAC_MAX_FILL > 0

#ifndef DIRECT_PROXIMAL
#define DIRECT_PROXIMAL R(1e-5)
#endif
#ifndef DIRECT_FIRST
#define DIRECT_FIRST R(1e-1)
#endif
#ifndef DIRECT_CUT
#define DIRECT_CUT R(0.3)
#endif
#ifndef DIRECT_SLOW
#define DIRECT_SLOW R(0.6)
#endif
#ifndef DIRECT_STUCK
#define DIRECT_STUCK R(0.9)
#endif
#ifndef DIRECT_INNER
#define DIRECT_INNER R(1.0)
#endif
#define DIRECT_SEARCH 8
#define DIRECT_NO_MODE 255

static tac_sparse *direct_matrix(tac_work *w)
{
    return &w->scratch.direct.matrix;
}

// Is the body one of the unknowns?
static int direct_moves(const tac_work *w, uint16_t body)
{
    return w->moving[body].inv_mass > R(0.0);
}

static int direct_begin(const tac_model *m, tac_work *w)
{
    tac_sparse *s = direct_matrix(w);
    bytes_copy(w->scratch.direct.free, w->gain, m->bodies * sizeof *w->gain);
    sparse_clear(s, m->bodies);
    tac_block *k = w->scratch.block;
    for (tac_contact *c = w->contact; c < w->contact + w->report.contacts; c++, k++) {
        const int a = direct_moves(w, c->body_a), b = direct_moves(w, c->body_b);
        if (a) { sparse_use(s, c->body_a); }
        if (b) { sparse_use(s, c->body_b); }
        if (a && b && sparse_find(s, c->body_a, c->body_b) == TAC_NONE && !sparse_join(s, c->body_a, c->body_b)) {
            return 0;
        }
    }
    for (uint16_t i = 0; i < s->nodes; i++) {
        const tac_body *body = &m->body[s->order[i]];
        real *least = s->pivot[s->order[i]].least;
        least[0] = least[1] = least[2] = body->mass;
        least[3] = body->inertia.x;
        least[4] = body->inertia.y;
        least[5] = body->inertia.z;
    }
    return sparse_order(s);
}

static void direct_enter(tac_work *w)
{
    tac_block *k = w->scratch.block;
    for (tac_contact *c = w->contact; c < w->contact + w->report.contacts; c++, k++) {
        c->mode = DIRECT_NO_MODE;
        k->own.newton.lift = R(0.0);
    }
    w->progress.proximal = DIRECT_FIRST;
    w->progress.centred = REAL_LARGEST;
    w->progress.factored = R(0.0);
}

// z, impulse and gain at the velocities v (w->previous).
static void direct_evaluate(const tac_model *m, tac_work *w)
{
    bytes_copy(w->gain, w->scratch.direct.free, m->bodies * sizeof *w->gain);
    tac_block *k = w->scratch.block;
    for (tac_contact *c = w->contact; c < w->contact + w->report.contacts; c++, k++) {
        vec3 u = rows_velocity(c, k, w->previous);
        u.x += k->own.newton.lift;
        k->own.newton.z = v3_madd(k->previous, -k->own.newton.weight, u);
        c->impulse = cone_project(k->own.newton.z, c->mu, R(1.0), R(1.0));
        rows_apply(c, k, c->impulse, w->moving, w->gain);
    }
}

static real direct_outer(const tac_work *w)
{
    real sum = R(0.0);
    const tac_block *k = w->scratch.block;
    for (const tac_contact *c = w->contact; c < w->contact + w->report.contacts; c++, k++) {
        const vec3 change = v3_sub(c->impulse, k->previous);
        sum += v3_dot(change, change) / k->own.newton.weight;
    }
    return sum;
}

static real direct_inner(tac_work *w)
{
    const tac_sparse *s = direct_matrix(w);
    real sum = R(0.0);
    for (uint16_t i = 0; i < s->nodes; i++) {
        const uint16_t body = s->order[i];
        const real *v = (const real *)&w->previous[body], *g = (const real *)&w->gain[body];
        for (int k = 0; k < 6; k++) { sum += s->pivot[body].least[k] * (v[k] - g[k]) * (v[k] - g[k]); }
    }
    return sum;
}

static void direct_centre(const tac_model *m, tac_work *w, int exact)
{
    tac_progress *p = &w->progress;
    if (p->moved > DIRECT_SLOW * p->centred) {
        const real cut = p->moved > DIRECT_STUCK * p->centred ? DIRECT_CUT * DIRECT_CUT * DIRECT_CUT : DIRECT_CUT;
        p->proximal = real_max(DIRECT_PROXIMAL, p->proximal * cut);
    }
    p->centred = p->moved;
    tac_block *k = w->scratch.block;
    for (tac_contact *c = w->contact; c < w->contact + w->report.contacts; c++, k++) {
        k->previous = c->impulse;
        k->own.newton.weight = R(1.0) / (w->progress.proximal * plain_weight(k));
        if (!exact) { continue; }
        const vec3 u = rows_velocity(c, k, w->previous);
        const real lift = c->mu * real_sqrt(u.y * u.y + u.z * u.z);
        const real over = R(1.0) + R(0.0) * c->mu * c->mu * R(0.5) * (k->w.yy + k->w.zz) / k->w.xx;
        k->own.newton.lift = real_max(R(0.0), k->own.newton.lift + over * (lift - k->own.newton.lift));
    }
    direct_evaluate(m, w);
}

static uint8_t direct_derivative(vec3 z, real mu, real weight, sym3 *j)
{
    const real t = real_sqrt(z.y * z.y + z.z * z.z), lifted = z.x + mu * t;
    reals_clear(j, sizeof *j);
    if (z.x >= R(0.0) && t <= mu * z.x) {
        j->xx = j->yy = j->zz = weight;
        return TAC_STICK;
    }
    if (lifted <= R(0.0)) { return TAC_OPEN; }
    const real share = R(1.0) / (R(1.0) + mu * mu), y = z.y / t, x = z.z / t;
    const vec3 along = v3(R(1.0), mu * y, mu * x), across = v3(R(0.0), -x, y);
    sym3_add_outer(j, weight * share, &along);
    sym3_add_outer(j, weight * mu * lifted * share / t, &across);
    return TAC_SLIDE;
}

static void direct_rows(const tac_contact *c, const tac_block *k, int side, real d[3][6])
{
    for (int r = 0; r < 3; r++) {
        const vec3 n = v3_scale(side ? R(1.0) : R(-1.0), rows_frame(c)[r]), j = k->j[side][r];
        d[r][0] = n.x;
        d[r][1] = n.y;
        d[r][2] = n.z;
        d[r][3] = j.x;
        d[r][4] = j.y;
        d[r][5] = j.z;
    }
}

// G d, in place
static void direct_scale(const sym3 *g, real d[3][6])
{
    for (int i = 0; i < 6; i++) {
        const vec3 x = sym3_mul(g, v3(d[0][i], d[1][i], d[2][i]));
        d[0][i] = x.x;
        d[1][i] = x.y;
        d[2][i] = x.z;
    }
}

static void direct_add_square(real *x, real a[3][6], real b[3][6])
{
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j <= i; j++) { *x++ += a[0][i] * b[0][j] + a[1][i] * b[1][j] + a[2][i] * b[2][j]; }
    }
}

static void direct_add_block(real x[6][6], real a[3][6], real b[3][6])
{
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 6; j++) { x[i][j] += a[0][i] * b[0][j] + a[1][i] * b[1][j] + a[2][i] * b[2][j]; }
    }
}

static void direct_add(const tac_contact *c, const tac_block *k, const tac_work *w, const sym3 *g, tac_sparse *s)
{
    real a[3][6], b[3][6], t[3][6];
    const int has_a = direct_moves(w, c->body_a), has_b = direct_moves(w, c->body_b);
    if (has_a) {
        direct_rows(c, k, 0, a);
        direct_rows(c, k, 0, t);
        direct_scale(g, t);
        direct_add_square(s->pivot[c->body_a].x, a, t);
    }
    if (has_b) {
        direct_rows(c, k, 1, b);
        if (has_a) {
            tac_fill *f = sparse_block(s, c->body_a, c->body_b);
            if (f->node[0] == c->body_a) {
                direct_add_block(f->x, b, t);
            } else {
                direct_add_block(f->x, t, b);
            }
        }
        direct_rows(c, k, 1, t);
        direct_scale(g, t);
        direct_add_square(s->pivot[c->body_b].x, b, t);
    }
}

// Modes of all contacts at z. Returns 0 where the matrix is the one that is factored already.
static int direct_changes(tac_work *w)
{
    tac_progress *p = &w->progress;
    int changes = p->factored != p->proximal;
    p->factored = p->proximal;
    const tac_block *k = w->scratch.block;
    for (tac_contact *c = w->contact; c < w->contact + w->report.contacts; c++, k++) {
        sym3 g;
        const uint8_t mode = direct_derivative(k->own.newton.z, c->mu, R(1.0), &g);
        changes |= mode == TAC_SLIDE || mode != c->mode;
        c->mode = mode;
    }
    return changes;
}

static void direct_assemble(tac_work *w)
{
    tac_sparse *s = direct_matrix(w);
    for (uint16_t i = 0; i < s->nodes; i++) {
        tac_pivot *p = &s->pivot[s->order[i]];
        reals_clear(p->x, sizeof p->x);
        for (int k = 0, d = 0; k < 6; k++, d += k + 1) { p->x[d] = p->least[k]; }
    }
    for (uint16_t i = 0; i < s->fills; i++) { reals_clear(s->fill[i].x, sizeof s->fill[i].x); }
    const tac_block *k = w->scratch.block;
    int same = 1;
    for (tac_contact *c = w->contact; c < w->contact + w->report.contacts; c++, k++) {
        sym3 g;
        if (c->mode == TAC_OPEN) { continue; }
        direct_derivative(k->own.newton.z, c->mu, k->own.newton.weight, &g);
        direct_add(c, k, w, &g, s);
    }
    sparse_factor(s);
}

// derivative of the merit function along the step, at the part t of it, relative to t = 0
static real direct_slope(const tac_work *w, real t, real curve)
{
    real sum = t * curve;
    const tac_block *k = w->scratch.block;
    for (const tac_contact *c = w->contact; c < w->contact + w->report.contacts; c++, k++) {
        const vec3 g = cone_project(v3_madd(k->own.newton.z, t, k->own.newton.dz), c->mu, R(1.0), R(1.0));
        sum += v3_dot(k->own.newton.dz, v3_sub(g, c->impulse)) / k->own.newton.weight;
    }
    return sum;
}

static real direct_search(const tac_work *w, real slope, real curve)
{
    real low = R(0.0), high = R(1.0), at_low = slope, t = R(1.0);
    real at_high = R(0.0);
    for (int i = 0; i < DIRECT_SEARCH; i++) {
        const real at = slope + direct_slope(w, t, curve);
        if (at <= R(-0.5) * slope && (i == 0 || at >= R(0.5) * slope)) { break; }
        if (at > R(0.0)) {
            high = t;
            at_high = at;
        } else {
            low = t;
            at_low = at;
        }
        t = low + (high - low) * real_clamp(at_low / (at_low - at_high), R(0.1), R(0.9));
    }
    return t;
}

// How far rounding of the impulses may move velocities, m/s: |d g| over all contacts.
static real direct_rounding(const tac_work *w)
{
    real sum = R(0.0);
    const tac_block *k = w->scratch.block;
    for (const tac_contact *c = w->contact; c < w->contact + w->report.contacts; c++, k++) {
        const vec3 v = v3_scale(plain_weight(k), c->impulse);
        sum += v3_dot(v, v);
    }
    return REAL_EPSILON * real_sqrt(sum);
}

static void direct_sweep(const tac_model *m, tac_work *w, int exact)
{
    tac_sparse *s = direct_matrix(w);
    const int c0 = direct_inner(w) <= DIRECT_INNER * direct_outer(w);
    if (direct_inner(w) <= DIRECT_INNER * direct_outer(w)) { direct_centre(m, w, exact); }
    if (direct_changes(w)) { direct_assemble(w); }
    for (uint16_t i = 0; i < s->nodes; i++) {
        const uint16_t body = s->order[i];
        tac_pivot *p = &s->pivot[body];
        const real *v = (const real *)&w->previous[body], *g = (const real *)&w->gain[body];
        for (int k = 0; k < 6; k++) { p->b[k] = p->least[k] * (g[k] - v[k]); }
    }
    sparse_solve(s);
    // dv into w->shift? use moving twist: collect
    real slope = R(0.0), curve = R(0.0);
    for (uint16_t i = 0; i < s->nodes; i++) {
        const uint16_t body = s->order[i];
        tac_pivot *p = &s->pivot[body];
        const real *v = (const real *)&w->previous[body], *g = (const real *)&w->gain[body];
        for (int k = 0; k < 6; k++) {
            slope -= p->least[k] * (g[k] - v[k]) * p->b[k];
            curve += p->least[k] * p->b[k] * p->b[k];
        }
    }
    tac_block *k = w->scratch.block;
    for (tac_contact *c = w->contact; c < w->contact + w->report.contacts; c++, k++) {
        vec3 du = V3_ZERO;
        for (int side = 0; side < 2; side++) {
            const uint16_t body = side ? c->body_b : c->body_a;
            if (!direct_moves(w, body)) { continue; }
            const real *b = s->pivot[body].b;
            const vec3 v = v3(b[0], b[1], b[2]), o = v3(b[3], b[4], b[5]);
            du = v3_add(du, v3_add(v3_components(rows_frame(c), v3_scale(side ? R(1.0) : R(-1.0), v)),
                                   v3_components(k->j[side], o)));
        }
        k->own.newton.dz = v3_scale(-k->own.newton.weight, du);
    }
    const real t = direct_search(w, slope, curve);
#ifdef DIRECT_TRACE
    if (getenv("TR")) printf("   %s eps %.0e inner %.2e outer %.2e nat %.2e slope %.2e t %.3f\n", c0 ? "C" : " ", (double)w->progress.proximal, (double)direct_inner(w), (double)direct_outer(w), (double)w->progress.moved, (double)slope, (double)t);
#endif
    for (uint16_t i = 0; i < s->nodes; i++) {
        const uint16_t body = s->order[i];
        real *v = (real *)&w->previous[body];
        for (int j = 0; j < 6; j++) { v[j] += t * s->pivot[body].b[j]; }
    }
    direct_evaluate(m, w);
}

#endif

#endif
