// SPDX-License-Identifier: MIT
// resist.h - contacts that resist spinning and rolling: three rows more, and the cone of six.
//   given   contacts with lengths `spinning` and `rolling`, their blocks
//   makes   rows about n, u, w; what sweeps do with six rows
//   bound   constant a contact
//   never   is seen by a contact without resistance
#ifndef ROWS_RESIST_H
#define ROWS_RESIST_H

#include "contact_rows.h"

// The set of CBAT07, with torque impulses r, p, q about n, u, w and semi-axes e:
//      (u, w, r/e_r, p/e_t, q/e_t)  is at most  mu n  long;   e_r = spinning/mu,  e_t = rolling/mu.
// Torques that count as r/e_r and so on, and their rows of D multiplied by e, make it a round cone in five tangential
// dimensions. Projection, derivative and De Saxce's term are then those of cone.h with a longer tangent; the term is
// mu |(u_T, e w)|, so that the exact law is maximum dissipation on the ellipsoid. e = 0 makes rows of zeros, which move
// nothing and stay at no impulse.

// Six rows: f along n, u, w; t about them, scaled. Impulses in N s, velocities in m/s.
typedef struct rows6 {
    vec3 f, t;
} rows6;

static rows6 rows6_none(void)
{
    rows6 a;
    reals_clear(&a, sizeof a);
    return a;
}

static rows6 rows6_madd(rows6 a, real s, rows6 b)
{
    return (rows6){v3_madd(a.f, s, b.f), v3_madd(a.t, s, b.t)};
}

static rows6 rows6_sub(rows6 a, rows6 b)
{
    return (rows6){v3_sub(a.f, b.f), v3_sub(a.t, b.t)};
}

static rows6 rows6_scale(real s, rows6 a)
{
    return (rows6){v3_scale(s, a.f), v3_scale(s, a.t)};
}

static real rows6_dot(rows6 a, rows6 b)
{
    return v3_dot(a.f, b.f) + v3_dot(a.t, b.t);
}

// Length of the five tangential components.
static real rows6_tangent(rows6 a)
{
    return real_sqrt(a.f.y * a.f.y + a.f.z * a.f.z + v3_dot(a.t, a.t));
}

// --------------------------------------------------------------------------------------------------------------- cone

static inline int resists(const tac_contact *c)
{
    return TAC_ROLLING && (ROLLING_SPINNING(c) > R(0.0) || ROLLING_ROLLING(c) > R(0.0));
}

static int resist_contains(rows6 g, real mu)
{
    return g.f.x >= R(0.0) && rows6_tangent(g) <= mu * g.f.x;
}

// Orthogonal projection, as cone_project().
static rows6 resist_project(rows6 x, real mu)
{
    const real t = rows6_tangent(x);
    if (x.f.x >= R(0.0) && t <= mu * x.f.x) { return x; }
    const real lifted = x.f.x + mu * t;
    if (lifted <= R(0.0)) { return rows6_none(); }
    const real n = lifted / (R(1.0) + mu * mu), scale = mu * n / t;
    return (rows6){v3(n, scale * x.f.y, scale * x.f.z), v3_scale(scale, x.t)};
}

static rows6 resist_lifted(rows6 u, real mu, int exact)
{
    if (exact) { u.f.x += mu * rows6_tangent(u); }
    return u;
}

// --------------------------------------------------------------------------------------------------------------- rows

static rows6 rows6_of(const real *x)
{
    return (rows6){v3_of(x), v3_of(x + 3)};
}

static void rows6_put(real *x, rows6 a)
{
    v3_put(x, a.f);
    v3_put(x + 3, a.t);
}

static rows6 resist_impulse(const tac_work *w, const tac_block *k)
{
    return rows6_of(&w->scratch.solve.g[k->first]);
}

// D_i' t
static rows6 resist_relative(const tac_contact *c, const tac_block *k, const tac_twist *t)
{
    vec3 spin = v3_components(ROLLING_BLOCK(k)->j[1], t[c->body_b].w);
    if (c->body_a != 0) { spin = v3_add(spin, v3_components(ROLLING_BLOCK(k)->j[0], t[c->body_a].w)); }
    return (rows6){rows_relative(c, k, t), spin};
}

// (N g + p)_i
static rows6 resist_velocity(const tac_contact *c, const tac_block *k, const tac_twist *gain)
{
    const rows6 bias = {k->bias, ROLLING_BLOCK(k)->bias};
    return rows6_madd(bias, R(1.0), resist_relative(c, k, gain));
}

// t += M^-1 D_i g, of the torque rows alone
static void resist_turn(const tac_contact *c, const tac_block *k, vec3 g, const tac_moving *moving, tac_twist *twist)
{
    for (int side = c->body_a == 0; side < 2; side++) {
        const uint16_t body = side ? c->body_b : c->body_a;
        vec3 *rate = &twist[body].w;
        *rate = v3_add(*rate, v3_mul(moving[body].inv_inertia, v3_combine(ROLLING_BLOCK(k)->j[side], g)));
    }
}

static void resist_apply(const tac_contact *c, const tac_block *k, rows6 g, const tac_moving *moving, tac_twist *twist)
{
    rows_apply(c, k, g.f, moving, twist);
    resist_turn(c, k, g.t, moving, twist);
}

// --------------------------------------------------------------------------------------------------------------- make

// W = D_i' M^-1 D_i of all six rows. The ground has none of D's.
static void resist_matrix(const tac_work *w, const tac_contact *c, const tac_block *k, real matrix[6][6])
{
    reals_clear(matrix, 36 * sizeof(real));
    for (int side = c->body_a == 0; side < 2; side++) {
        const tac_moving *m = &w->moving[side ? c->body_b : c->body_a];
        const vec3 *f = k->j[side], *t = ROLLING_BLOCK(k)->j[side];
        for (int i = 0; i < 6; i++) {
            const vec3 turned = v3_mul(m->inv_inertia, i < 3 ? f[i] : t[i - 3]);
            for (int j = 0; j < 6; j++) { matrix[i][j] += v3_dot(turned, j < 3 ? f[j] : t[j - 3]); }
            if (i < 3) { matrix[i][i] += m->inv_mass; }
        }
    }
}

// The scalar that turns an impulse of the block into a velocity: no eigenvalue of W is larger. The mean of the
// diagonal, as other contacts have it, says little where one row outweighs five.
static real resist_weight(real matrix[6][6])
{
    real largest = R(0.0);
    for (int i = 0; i < 6; i++) {
        real sum = R(0.0);
        for (int j = 0; j < 6; j++) { sum += real_abs(matrix[i][j]); }
        largest = real_max(largest, sum);
    }
    return largest;
}

// The velocity that an impulse makes, row by row. Rows that weigh little take impulses that are large beside the change
// of velocity that they are for: by the largest weight, their rounding would look like motion.
static rows6 resist_moved(const tac_block *k, rows6 change)
{
    return (rows6){v3_scale(ROLLING_BLOCK(k)->weight, change.f), v3_mul(ROLLING_BLOCK(k)->own_weight, change.t)};
}

// What sweeps need of W; W_TT along its eigenvectors, since the cone is round and looks the same from there. A row
// without semi-axis has the eigenvalue 0, or what rounding makes of it; it has no velocity either, and gets that of the
// others so that nothing is divided by zero.
static void resist_sweep(const tac_work *w, const tac_contact *c, tac_block *k)
{
    tac_resist *r = ROLLING_BLOCK(k);
    real matrix[6][6], tangent[SPECTRUM_ROWS][SPECTRUM_ROWS], sum = R(0.0);
    resist_matrix(w, c, k, matrix);
    r->weight = resist_weight(matrix);
    r->own_weight = v3(matrix[3][3], matrix[4][4], matrix[5][5]);
    for (int i = 0; i < SPECTRUM_ROWS; i++) {
        for (int j = 0; j < SPECTRUM_ROWS; j++) { tangent[i][j] = matrix[i + 1][j + 1]; }
        sum += matrix[i + 1][i + 1];
    }
    spectrum(tangent, r->own.sweep.value, r->own.sweep.base);
    r->own.sweep.normal = matrix[0][0];
    r->own.sweep.mean = sum * R(1.0 / SPECTRUM_ROWS);
    for (int i = 0; i < SPECTRUM_ROWS; i++) {
        real couple = R(0.0);
        for (int j = 0; j < SPECTRUM_ROWS; j++) { couple += r->own.sweep.base[j][i] * matrix[0][j + 1]; }
        r->own.sweep.couple[i] = couple;
        if (!(r->own.sweep.value[i] > R(0.0))) { r->own.sweep.value[i] = r->own.sweep.mean; }
    }
}

// The rows about n, u, w of a block that has the others.
static void resist_make(const tac_state *s, const tac_work *w, const tac_contact *c, tac_block *k)
{
    tac_resist *r = ROLLING_BLOCK(k);
    reals_clear(r, sizeof *r);
    const real spinning = ROLLING_SPINNING(c) / c->mu, rolling = ROLLING_ROLLING(c) / c->mu;
    r->axis = v3(spinning, rolling, rolling);
    const real axis[3] = {spinning, rolling, rolling};
    for (int side = 0; side < 2; side++) {
        const quat q = s->pose[side ? c->body_b : c->body_a].q;
        const real sign = side ? R(1.0) : R(-1.0);
        for (int i = 0; i < 3; i++) { r->j[side][i] = v3_scale(sign * axis[i], quat_rotate_back(q, rows_frame(c)[i])); }
    }
    resist_sweep(w, c, k);
    r->bias = resist_relative(c, k, s->twist).t;
}

// Torque impulse over semi-axis, and back. Without a semi-axis there is none.
static vec3 resist_scaled(const tac_block *k, vec3 torque)
{
    const vec3 e = ROLLING_BLOCK(k)->axis;
    return v3(e.x > R(0.0) ? torque.x / e.x : R(0.0), e.y > R(0.0) ? torque.y / e.y : R(0.0),
              e.z > R(0.0) ? torque.z / e.z : R(0.0));
}

#endif
