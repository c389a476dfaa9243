// SPDX-License-Identifier: MIT
// torsion.h - contacts that resist spinning and rolling: their three rows about n, u, w.
//   given   contacts with lengths `spinning` and `rolling`, their blocks
//   makes   these rows; W of all six, and what sweeps need of it
//   bound   constant a contact
//   never   touches a contact without resistance
#ifndef ROWS_TORSION_H
#define ROWS_TORSION_H

#include "../base/spectrum.h"
#include "../sets/torsion.h"
#include "contact_rows.h"

// D of these rows is the angular part of the contact's frame, each row multiplied by the semi-axis of its torque
// (sets/torsion.h): velocities are in m/s and impulses in N s, as those of the other rows.

static rows6 torsion_impulse(const tac_work *w, const tac_block *k)
{
    return rows6_of(&w->scratch.solve.g[k->first]);
}

// D_i' t
static rows6 torsion_relative(const tac_block *k, const tac_twist *t)
{
    vec3 spin = v3_components(ROLLING_BLOCK(k)->j[1], t[k->body[1]].w);
    if (k->body[0] != 0) { spin = v3_add(spin, v3_components(ROLLING_BLOCK(k)->j[0], t[k->body[0]].w)); }
    return (rows6){rows_relative(k, t), spin};
}

// (N g + p)_i
static rows6 torsion_velocity(const tac_block *k, const tac_twist *delta_v)
{
    const rows6 bias = {k->bias, ROLLING_BLOCK(k)->bias};
    return rows6_madd(bias, R(1.0), torsion_relative(k, delta_v));
}

// t += M^-1 D_i g, of the torque rows alone
static void torsion_turn(const tac_block *k, vec3 g, const tac_moving *moving, tac_twist *twist)
{
    for (int side = k->body[0] == 0; side < 2; side++) {
        const uint16_t body = side ? k->body[1] : k->body[0];
        vec3 *rate = &twist[body].w;
        *rate = v3_add(*rate, v3_mul(moving[body].inv_inertia, v3_combine(ROLLING_BLOCK(k)->j[side], g)));
    }
}

static void torsion_apply(const tac_block *k, rows6 g, const tac_moving *moving, tac_twist *twist)
{
    rows_apply(k, g.f, moving, twist);
    torsion_turn(k, g.t, moving, twist);
}

// --------------------------------------------------------------------------------------------------------------- make

// W = D_i' M^-1 D_i of all six rows. The ground has none of D's.
static void torsion_matrix(const tac_work *w, const tac_block *k, real matrix[6][6])
{
    const real across = FRICTION_ACROSS(k);
    reals_clear(matrix, 36 * sizeof(real));
    for (int side = k->body[0] == 0; side < 2; side++) {
        const tac_moving *m = &w->moving[side ? k->body[1] : k->body[0]];
        const vec3 *f = k->j[side], *t = ROLLING_BLOCK(k)->j[side];
        for (int i = 0; i < 6; i++) {
            const vec3 turned = v3_mul(m->inv_inertia, i < 3 ? f[i] : t[i - 3]);
            for (int j = 0; j < 6; j++) { matrix[i][j] += v3_dot(turned, j < 3 ? f[j] : t[j - 3]); }
            if (i < 3) { matrix[i][i] += i == 2 ? across * across * m->inv_mass : m->inv_mass; }
        }
    }
    matrix[0][0] += k->soft;
}

// The scalar that turns an impulse of the block into a velocity: no eigenvalue of W is larger. The mean of the
// diagonal, which other contacts use, is too small if one row is much larger than the other five.
static real torsion_weight(real matrix[6][6])
{
    real largest = R(0.0);
    for (int i = 0; i < 6; i++) {
        real sum = R(0.0);
        for (int j = 0; j < 6; j++) { sum += real_abs(matrix[i][j]); }
        largest = real_max(largest, sum);
    }
    return largest;
}

// The velocity by an impulse, row by row. Rows with a small weight have impulses that are large relative to the change
// of velocity that they cause: with the largest weight, their rounding would count as motion.
static rows6 torsion_moved(const tac_block *k, rows6 change)
{
    return (rows6){v3_scale(ROLLING_BLOCK(k)->weight, change.f), v3_mul(ROLLING_BLOCK(k)->own_weight, change.t)};
}

// Quantities of W for sweeps; W_TT in its eigenvectors, a rotation that does not change the circular cone. A row
// without semi-axis has the eigenvalue 0, to rounding; it has no velocity either, and gets that of the others so that
// nothing is divided by zero.
static void torsion_sweep(tac_block *k, real matrix[6][6])
{
    tac_torsion *r = ROLLING_BLOCK(k);
    real tangent[SPECTRUM_ROWS][SPECTRUM_ROWS], sum = R(0.0);
    r->weight = torsion_weight(matrix);
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

// Of its bodies without joints.
static void torsion_sweep_bodies(const tac_work *w, tac_block *k)
{
    real matrix[6][6];
    torsion_matrix(w, k, matrix);
    torsion_sweep(k, matrix);
}

// The rows about n, u, w of a block that has the others.
static void torsion_make(const tac_state *s, const tac_work *w, const tac_contact *c, tac_block *k)
{
    tac_torsion *r = ROLLING_BLOCK(k);
    reals_clear(r, sizeof *r);
    const real spinning = ROLLING_SPINNING(c) / c->mu, rolling = ROLLING_ROLLING(c) / c->mu;
    r->axis = v3(spinning, rolling, rolling);
    const real axis[3] = {spinning, rolling, rolling / FRICTION_ACROSS(k)}; // of a frame whose w is times that
    for (int side = 0; side < 2; side++) {
        const quat q = s->pose[k->body[side]].q;
        const real sign = side ? R(1.0) : R(-1.0);
        for (int i = 0; i < 3; i++) { r->j[side][i] = v3_scale(sign * axis[i], quat_rotate_back(q, k->frame[i])); }
    }
    torsion_sweep_bodies(w, k);
    r->bias = torsion_relative(k, s->twist).t;
    const vec3 turns = friction_over(FRICTION_ACROSS(k), v3_components(k->frame, rows_surfaces(w, c).w));
    const vec3 slip = v3_mul(r->axis, turns);
    BELT_SET_SLIP(r, slip);
    if (v3_norm_inf(slip) > R(0.0)) { r->bias = v3_add(r->bias, slip); }
}

// Torque impulse over semi-axis, and back. Without a semi-axis there is none.
static vec3 torsion_scaled(const tac_block *k, vec3 torque)
{
    const vec3 e = ROLLING_BLOCK(k)->axis;
    return v3(e.x > R(0.0) ? torque.x / e.x : R(0.0), e.y > R(0.0) ? torque.y / e.y : R(0.0),
              e.z > R(0.0) ? torque.z / e.z : R(0.0));
}

#endif
