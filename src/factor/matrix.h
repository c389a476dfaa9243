// SPDX-License-Identifier: MIT
// matrix.h - the matrix of the direct solver, M + D G D': its graph of bodies, and its values.
//   given   contacts, blocks, the points that are projected (z) and their weights 1/R
//   makes   the order of elimination once a step; factors of the matrix whenever it changes
//   bound   one visit to each contact; the sparse factor
//   never   has a row for a body without contacts, or one that no impulse moves
#ifndef FACTOR_MATRIX_H
#define FACTOR_MATRIX_H

#include "../rows/torsion.h"
#include "../sets/cone.h"
#include "../base/sparse.h"
#include "../rows/joint_rows.h"

#define MATRIX_NO_MODE UINT8_MAX

// Without TAC_MAX_FILL there is none, and no part asks for one.
#if TAC_MAX_FILL > 0
#define MATRIX(w) (&(w)->scratch.solve.of.matrix)
#else
#define MATRIX(w) ((void)(w), (tac_sparse *)NULL)
#endif

static inline tac_sparse *matrix_of(tac_work *w)
{
    return MATRIX(w);
}

// ------------------------------------------------------------------------------------------------------------- graph

// Adds the two bodies of a contact as nodes, and the block between them. Returns 0 if there is no room.
static int matrix_add_contact(const tac_work *w, const tac_block *k, tac_sparse *s)
{
    const int a = joint_moves(w, k->body[0]), b = joint_moves(w, k->body[1]);
    if (a) { sparse_use(s, k->body[0], 1); }
    if (b) { sparse_use(s, k->body[1], 1); }
    if (!a || !b || sparse_find(s, k->body[0], k->body[1]) != TAC_NONE) { return 1; }
    return sparse_join(s, k->body[0], k->body[1]);
}

// Masses of the bodies.
static void matrix_masses(const tac_work *w, tac_sparse *s)
{
    for (uint16_t i = 0; i < s->nodes; i++) {
        if (s->order[i] >= w->program.bodies) { continue; }
        const tac_moving *b = &w->moving[s->order[i]];
        real *least = s->pivot[s->order[i]].least;
        v3_put(least, v3(b->mass, b->mass, b->mass));
        v3_put(least + 3, b->inertia);
    }
}

// Masses of the bodies and the order of elimination. Returns 0 if TAC_MAX_FILL is too small for the factor.
static int matrix_order_bodies(const tac_work *w, tac_sparse *s)
{
    matrix_masses(w, s);
    return sparse_order(s);
}

// The graph of contacts, and its order of elimination. Returns 0 if there is no room.
static int matrix_order(tac_work *w)
{
    if (TAC_MAX_FILL == 0) { return 0; }
    tac_sparse *s = matrix_of(w);
    sparse_clear(s, w->program.bodies);
    for (const tac_block *k = w->scratch.solve.block, *end = k + w->program.contacts; k < end; k++) {
        if (!matrix_add_contact(w, k, s)) { return 0; }
    }
    return matrix_order_bodies(w, s);
}

// ------------------------------------------------------------------------------------------------------------ values

// The three rows of D' for one body: its linear and its angular part.
static void matrix_rows(const tac_block *k, int side, real d[3][6])
{
    const real sign = side ? R(1.0) : R(-1.0);
    for (int r = 0; r < 3; r++) {
        const vec3 n = v3_scale(sign, k->frame[r]), j = k->j[side][r];
        const real row[6] = {n.x, n.y, n.z, j.x, j.y, j.z};
        for (int i = 0; i < 6; i++) { d[r][i] = row[i]; }
    }
}

// t = G d
static void matrix_scale(const sym3 *g, real d[3][6], real t[3][6])
{
    for (int i = 0; i < 6; i++) {
        const vec3 x = sym3_mul(g, v3(d[0][i], d[1][i], d[2][i]));
        t[0][i] = x.x;
        t[1][i] = x.y;
        t[2][i] = x.z;
    }
}

static inline real matrix_entry(real a[3][6], real b[3][6], int i, int j)
{
    return a[0][i] * b[0][j] + a[1][i] * b[1][j] + a[2][i] * b[2][j];
}

// The diagonal block of one body += D G D'. `t` becomes G D'.
static void matrix_add_square(const tac_block *k, int side, const sym3 *g, tac_pivot *p, real t[3][6])
{
    real d[3][6], *x = p->x;
    matrix_rows(k, side, d);
    matrix_scale(g, d, t);
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j <= i; j++) { *x++ += matrix_entry(d, t, i, j); }
    }
}

// The block that two bodies share += D G D', with t = G D' of the other one than `side`.
static void matrix_add_block(const tac_block *k, int side, tac_fill *f, real t[3][6])
{
    real d[3][6];
    matrix_rows(k, side, d);
    const int row = f->node[1] == (side ? k->body[1] : k->body[0]);
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 6; j++) { f->x[i][j] += row ? matrix_entry(d, t, i, j) : matrix_entry(t, d, i, j); }
    }
}

static void matrix_add(const tac_work *w, const tac_block *k, const sym3 *g, tac_sparse *s)
{
    const int a = joint_moves(w, k->body[0]), b = joint_moves(w, k->body[1]);
    real t[3][6];
    if (b) { matrix_add_square(k, 1, g, &s->pivot[k->body[1]], t); }
    if (a && b) { matrix_add_block(k, 0, sparse_block(s, k->body[0], k->body[1]), t); }
    if (a) { matrix_add_square(k, 0, g, &s->pivot[k->body[0]], t); }
}

// R/(R + C) of the normal row of a compliant contact; 1 for all others, and for six rows, of which all have R + C.
static inline real matrix_share(const tac_block *k)
{
    return k->soft > R(0.0) && !has_torsion(k) ? R(1.0) / (R(1.0) + k->soft * k->own.newton.weight) : R(1.0);
}

static rows6 matrix_z(const tac_block *k)
{
    return (rows6){k->own.newton.z, ROLLING_BLOCK(k)->own.newton.z};
}

// The derivative of the projection at z.
static cone_slope matrix_slope(const tac_block *k)
{
    const vec3 z = k->own.newton.z;
    const real t = has_torsion(k) ? rows6_tangent(matrix_z(k)) : real_sqrt(z.y * z.y + z.z * z.z);
    const real s = k->soft > R(0.0) ? real_sqrt(matrix_share(k)) : R(1.0);
    return cone_derivative(z.x / s, t, k->mu * s, k->own.newton.weight);
}

// As a matrix of three rows. In the metric of a compliant contact, with the normal row scaled by s, the projection is
// the orthogonal one onto a cone of mu s.
static void matrix_jacobian(const tac_block *k, sym3 *g)
{
    vec3 z = k->own.newton.z;
    const real s = k->soft > R(0.0) ? real_sqrt(matrix_share(k)) : R(1.0);
    z.x /= s;
    cone_jacobian(z, k->mu * s, k->own.newton.weight, g);
    g->xx *= s * s;
    g->xy *= s;
    g->xz *= s;
}

// One body's part of D x.
static void matrix_column(const tac_block *k, int side, rows6 x, real d[6])
{
    const vec3 push = v3_scale(side ? R(1.0) : R(-1.0), v3_combine(k->frame, x.f));
    const vec3 turn = v3_add(v3_combine(k->j[side], x.f), v3_combine(ROLLING_BLOCK(k)->j[side], x.t));
    const real column[6] = {push.x, push.y, push.z, turn.x, turn.y, turn.z};
    for (int i = 0; i < 6; i++) { d[i] = column[i]; }
}

// The matrix += s (D x)(D x)'
static void matrix_add_outer(const tac_work *w, const tac_block *k, real s, rows6 x, tac_sparse *matrix)
{
    const uint16_t body[2] = {k->body[0], k->body[1]};
    real d[2][6];
    for (int side = 0; side < 2; side++) {
        if (!joint_moves(w, body[side])) { continue; }
        real *to = matrix->pivot[body[side]].x;
        matrix_column(k, side, x, d[side]);
        for (int i = 0; i < 6; i++) {
            for (int j = 0; j <= i; j++) { *to++ += s * d[side][i] * d[side][j]; }
        }
    }
    if (!joint_moves(w, body[0]) || !joint_moves(w, body[1])) { return; }
    tac_fill *f = sparse_block(matrix, body[0], body[1]);
    const int row = f->node[1] == body[1];
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 6; j++) { f->x[i][j] += s * d[row][i] * d[!row][j]; }
    }
}

// D G D' of six rows.
static void matrix_add_torsion(const tac_work *w, const tac_block *k, tac_sparse *matrix)
{
    static const rows6 unit[6] = {
        {{R(1.0), R(0.0), R(0.0)}, {R(0.0), R(0.0), R(0.0)}}, {{R(0.0), R(1.0), R(0.0)}, {R(0.0), R(0.0), R(0.0)}},
        {{R(0.0), R(0.0), R(1.0)}, {R(0.0), R(0.0), R(0.0)}}, {{R(0.0), R(0.0), R(0.0)}, {R(1.0), R(0.0), R(0.0)}},
        {{R(0.0), R(0.0), R(0.0)}, {R(0.0), R(1.0), R(0.0)}}, {{R(0.0), R(0.0), R(0.0)}, {R(0.0), R(0.0), R(1.0)}},
    };
    const cone_slope p = matrix_slope(k);
    if (k->own.newton.mode == TAC_STICK) {
        for (int i = 0; i < 6; i++) { matrix_add_outer(w, k, p.along, unit[i], matrix); }
        return;
    }
    const rows6 z = matrix_z(k);
    rows6 way = rows6_scale(R(1.0) / rows6_tangent(z), z);
    way.f.x = R(0.0);
    for (int i = 1; i < 6; i++) { matrix_add_outer(w, k, p.across, unit[i], matrix); }
    matrix_add_outer(w, k, -p.across, way, matrix);
    way = rows6_scale(k->mu, way);
    way.f.x = R(1.0);
    matrix_add_outer(w, k, p.along, way, matrix);
}

// Modes of all contacts at z. Returns 0 if the factored matrix is still valid: nothing slides, and the same contacts
// stick as when it was factored.
static int matrix_changes(tac_work *w)
{
    int changes = 0;
    for (tac_block *k = w->scratch.solve.block, *end = k + w->program.contacts; k < end; k++) {
        const uint8_t mode = matrix_slope(k).mode;
        changes |= mode == TAC_SLIDE || mode != k->own.newton.mode;
        k->own.newton.mode = mode;
    }
    return changes;
}

// M on the diagonal, nothing else.
static void matrix_clear(tac_sparse *s)
{
    for (uint16_t i = 0; i < s->nodes; i++) {
        tac_pivot *p = &s->pivot[s->order[i]];
        reals_clear(p->x, sizeof p->x);
        for (int k = 0; k < 6; k++) { p->x[SIX_ROW[k] + k] = p->least[k]; }
    }
    for (uint16_t i = 0; i < s->fills; i++) { reals_clear(s->fill[i].x, sizeof s->fill[i].x); }
}

// M + sum of D_i G_i D_i', G = J_P/R, and its factor.
static void matrix_factor(tac_work *w)
{
    tac_sparse *s = matrix_of(w);
    matrix_clear(s);
    for (const tac_block *k = w->scratch.solve.block, *end = k + w->program.contacts; k < end; k++) {
        sym3 g;
        if (k->own.newton.mode == TAC_OPEN) { continue; }
        if (has_torsion(k)) {
            matrix_add_torsion(w, k, s);
            continue;
        }
        matrix_jacobian(k, &g);
        matrix_add(w, k, &g, s);
    }
    sparse_factor(s);
}

#endif
