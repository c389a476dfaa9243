// SPDX-License-Identifier: MIT
// matrix.h - the matrix of the direct solver, M + D G D': which bodies and joints meet in it, and its values.
//   given   contacts, blocks, what is projected (z) and how stiffly (weight)
//   makes   the order of elimination once a step; factors of the matrix whenever it changes
//   bound   one visit to each contact; the sparse factor
//   never   holds a row for a body that nothing touches or that no impulse moves
#ifndef SOLVE_MATRIX_H
#define SOLVE_MATRIX_H

#include "joint_matrix.h"

#if TAC_MAX_FILL > 0

#define MATRIX_NO_MODE UINT8_MAX

static tac_sparse *matrix_of(tac_work *w)
{
    return &w->scratch.solve.matrix;
}

// ------------------------------------------------------------------------------------------------------------- graph

// The two bodies of a contact take part and are joined. Returns 0 if there is no room.
static int matrix_meet(const tac_work *w, const tac_contact *c, tac_sparse *s)
{
    const int a = joint_moves(w, c->body_a), b = joint_moves(w, c->body_b);
    if (a) { sparse_use(s, c->body_a, 1); }
    if (b) { sparse_use(s, c->body_b, 1); }
    if (!a || !b || sparse_find(s, c->body_a, c->body_b) != TAC_NONE) { return 1; }
    return sparse_join(s, c->body_a, c->body_b);
}

// In which order, with which mass. Returns 0 if TAC_MAX_FILL is too small for the factor.
static int matrix_order_bodies(const tac_model *m, tac_sparse *s)
{
    for (uint16_t i = 0; i < s->nodes; i++) {
        if (s->order[i] >= m->bodies) { continue; }
        const tac_body *b = &m->body[s->order[i]];
        s->pivot[s->order[i]].least = (tac_twist){{b->mass, b->mass, b->mass}, b->inertia};
    }
    return sparse_order(s);
}

// Who takes part. Returns 0 if there is no room.
static int matrix_order(const tac_model *m, tac_work *w)
{
    tac_sparse *s = matrix_of(w);
    sparse_clear(s, (uint16_t)(m->bodies + JOINT_COUNT(m)));
    for (const tac_contact *c = w->contact; c < w->contact + w->report.contacts; c++) {
        if (!matrix_meet(w, c, s)) { return 0; }
    }
    return joints_order(m, w, s) && matrix_order_bodies(m, s);
}

// ------------------------------------------------------------------------------------------------------------ values

// An element of the generalised Jacobian of P_K at z, times `weight`; returns the mode. With s = mu^2 + 1, z = (n, t)
// and t^ = t/|t|, the boundary's  n* = (n + mu |t|)/s,  P = n* (1, mu t^)  (cone.h) gives
//      dP = (1, mu t^) (dn + mu t^.dt)/s  +  mu n*/|t| (0, dt - t^ (t^.dt)).
// It is symmetric and lies between 0 and 1, as that of the projection onto any convex set does.
static uint8_t matrix_derivative(vec3 z, real mu, real weight, sym3 *j)
{
    const real t = real_sqrt(z.y * z.y + z.z * z.z), s = R(1.0) + mu * mu, lifted = z.x + mu * t;
    reals_clear(j, sizeof *j);
    if (z.x >= R(0.0) && t <= mu * z.x) {
        j->xx = j->yy = j->zz = weight;
        return TAC_STICK;
    }
    if (lifted <= R(0.0)) { return TAC_OPEN; }
    const vec3 along = v3(R(1.0), mu * z.y / t, mu * z.z / t), across = v3(R(0.0), -z.z / t, z.y / t);
    sym3_add_outer(j, weight / s, &along);
    sym3_add_outer(j, weight * mu * lifted / (s * t), &across);
    return TAC_SLIDE;
}

// The three rows of D' for one body: its linear and its angular part.
static void matrix_rows(const tac_contact *c, const tac_block *k, int side, real d[3][6])
{
    const real sign = side ? R(1.0) : R(-1.0);
    for (int r = 0; r < 3; r++) {
        const vec3 n = v3_scale(sign, rows_frame(c)[r]), j = k->j[side][r];
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
static void matrix_add_square(const tac_contact *c, const tac_block *k, int side, const sym3 *g, tac_pivot *p,
                              real t[3][6])
{
    real d[3][6], *x = p->x;
    matrix_rows(c, k, side, d);
    matrix_scale(g, d, t);
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j <= i; j++) { *x++ += matrix_entry(d, t, i, j); }
    }
}

// The block that two bodies share += D G D', with t = G D' of the other one than `side`.
static void matrix_add_block(const tac_contact *c, const tac_block *k, int side, tac_fill *f, real t[3][6])
{
    real d[3][6];
    matrix_rows(c, k, side, d);
    const int row = f->node[1] == (side ? c->body_b : c->body_a);
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 6; j++) { f->x[i][j] += row ? matrix_entry(d, t, i, j) : matrix_entry(t, d, i, j); }
    }
}

static void matrix_add(const tac_work *w, const tac_contact *c, const tac_block *k, const sym3 *g, tac_sparse *s)
{
    const int a = joint_moves(w, c->body_a), b = joint_moves(w, c->body_b);
    real t[3][6];
    if (b) { matrix_add_square(c, k, 1, g, &s->pivot[c->body_b], t); }
    if (a && b) { matrix_add_block(c, k, 0, sparse_block(s, c->body_a, c->body_b), t); }
    if (a) { matrix_add_square(c, k, 0, g, &s->pivot[c->body_a], t); }
}

static rows6 matrix_z(const tac_block *k)
{
    return (rows6){k->own.newton.z, ROLLING_BLOCK(k)->own.newton.z};
}

static uint8_t matrix_mode_resisting(const tac_contact *c, const tac_block *k)
{
    const rows6 z = matrix_z(k);
    if (resist_contains(z, c->mu)) { return TAC_STICK; }
    return z.f.x + c->mu * rows6_tangent(z) <= R(0.0) ? TAC_OPEN : TAC_SLIDE;
}

// One body's part of D x.
static void matrix_column(const tac_contact *c, const tac_block *k, int side, rows6 x, real d[6])
{
    const vec3 push = v3_scale(side ? R(1.0) : R(-1.0), v3_combine(rows_frame(c), x.f));
    const vec3 turn = v3_add(v3_combine(k->j[side], x.f), v3_combine(ROLLING_BLOCK(k)->j[side], x.t));
    const real column[6] = {push.x, push.y, push.z, turn.x, turn.y, turn.z};
    for (int i = 0; i < 6; i++) { d[i] = column[i]; }
}

// The matrix += s (D x)(D x)'
static void matrix_add_outer(const tac_work *w, const tac_contact *c, const tac_block *k, real s, rows6 x,
                             tac_sparse *matrix)
{
    const uint16_t body[2] = {c->body_a, c->body_b};
    real d[2][6];
    for (int side = 0; side < 2; side++) {
        if (!joint_moves(w, body[side])) { continue; }
        real *to = matrix->pivot[body[side]].x;
        matrix_column(c, k, side, x, d[side]);
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

// D G D' of six rows. In five tangential dimensions, T^ = T/|T|, the derivative of the projection is as above
//      (1, mu T^)(1, mu T^)'/s  +  mu n*/|T| (I_T - T^ T^').
static void matrix_add_resisting(const tac_work *w, const tac_contact *c, const tac_block *k, tac_sparse *matrix)
{
    static const rows6 unit[6] = {
        {{R(1.0), R(0.0), R(0.0)}, {R(0.0), R(0.0), R(0.0)}}, {{R(0.0), R(1.0), R(0.0)}, {R(0.0), R(0.0), R(0.0)}},
        {{R(0.0), R(0.0), R(1.0)}, {R(0.0), R(0.0), R(0.0)}}, {{R(0.0), R(0.0), R(0.0)}, {R(1.0), R(0.0), R(0.0)}},
        {{R(0.0), R(0.0), R(0.0)}, {R(0.0), R(1.0), R(0.0)}}, {{R(0.0), R(0.0), R(0.0)}, {R(0.0), R(0.0), R(1.0)}},
    };
    const rows6 z = matrix_z(k);
    const real mu = c->mu, weight = k->own.newton.weight, s = R(1.0) + mu * mu;
    if (k->own.newton.mode == TAC_STICK) {
        for (int i = 0; i < 6; i++) { matrix_add_outer(w, c, k, weight, unit[i], matrix); }
        return;
    }
    const real t = rows6_tangent(z), across = weight * mu * (z.f.x + mu * t) / (s * t);
    rows6 way = rows6_scale(R(1.0) / t, z);
    way.f.x = R(0.0);
    for (int i = 1; i < 6; i++) { matrix_add_outer(w, c, k, across, unit[i], matrix); }
    matrix_add_outer(w, c, k, -across, way, matrix);
    way = rows6_scale(mu, way);
    way.f.x = R(1.0);
    matrix_add_outer(w, c, k, weight / s, way, matrix);
}

// Where z lies.
static uint8_t matrix_mode(const tac_contact *c, const tac_block *k)
{
    if (resists(c)) { return matrix_mode_resisting(c, k); }
    sym3 g;
    return matrix_derivative(k->own.newton.z, c->mu, k->own.newton.weight, &g);
}

// Modes of all contacts at z. Returns 0 where the matrix is the one that is factored already: nothing slides, and what
// sticks or is open did so then.
static int matrix_changes(const tac_model *m, tac_work *w)
{
    int changes = joints_changes(m, w);
    tac_block *k = w->scratch.solve.block;
    for (const tac_contact *c = w->contact; c < w->contact + w->report.contacts; c++, k++) {
        const uint8_t mode = matrix_mode(c, k);
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
        const real *least = (const real *)&p->least;
        reals_clear(p->x, sizeof p->x);
        for (int k = 0; k < 6; k++) { p->x[SIX_ROW[k] + k] = least[k]; }
    }
    for (uint16_t i = 0; i < s->fills; i++) { reals_clear(s->fill[i].x, sizeof s->fill[i].x); }
}

#if TAC_MAX_JOINTS > 0

// Bodies and joints alone.
static int matrix_order_joints(const tac_model *m, tac_work *w)
{
    tac_sparse *s = matrix_of(w);
    sparse_clear(s, (uint16_t)(m->bodies + JOINT_COUNT(m)));
    return joints_order(m, w, s) && matrix_order_bodies(m, s);
}

static void matrix_factor_joints(const tac_model *m, tac_work *w)
{
    tac_sparse *s = matrix_of(w);
    matrix_clear(s);
    joints_assemble(m, w, s);
    sparse_factor(s);
}

#endif

// M + sum of D_i G_i D_i', G = J_P/R, and its factor.
static void matrix_factor(const tac_model *m, tac_work *w)
{
    tac_sparse *s = matrix_of(w);
    matrix_clear(s);
    const tac_block *k = w->scratch.solve.block;
    for (const tac_contact *c = w->contact; c < w->contact + w->report.contacts; c++, k++) {
        sym3 g;
        if (k->own.newton.mode == TAC_OPEN) { continue; }
        if (resists(c)) {
            matrix_add_resisting(w, c, k, s);
            continue;
        }
        matrix_derivative(k->own.newton.z, c->mu, k->own.newton.weight, &g);
        matrix_add(w, c, k, &g, s);
    }
    joints_assemble(m, w, s);
    sparse_factor(s);
}

// The step of bodies and joints for the right side in step[].
static inline void matrix_solve(tac_work *w)
{
    sparse_solve(matrix_of(w), (real *)w->scratch.solve.step);
}

#else

// There is no room for a matrix.
static inline int matrix_order(const tac_model *m, tac_work *w)
{
    (void)m, (void)w;
    return 0;
}

static inline int matrix_order_joints(const tac_model *m, tac_work *w)
{
    (void)m, (void)w;
    return 0;
}

static inline void matrix_factor_joints(const tac_model *m, tac_work *w)
{
    (void)m, (void)w;
}

static inline void matrix_solve(tac_work *w)
{
    (void)w;
}

#endif

#endif
