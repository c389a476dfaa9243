// SPDX-License-Identifier: MIT
// contact_rows.h - one contact as a block of the cone program: D_i, W = D_i' M^-1 D_i, bias; what sweeps do with it.
//   given   contacts, poses; twists of all bodies: velocities at the start of the step, gains, shifts
//   makes   block[]
//   bound   constant a contact
//   never   stores M^-1 D: angular velocities live in principal frames, so M^-1 only scales
#ifndef ROWS_CONTACT_ROWS_H
#define ROWS_CONTACT_ROWS_H

#include "iterate.h"

#define ROWS_ROUNDING (R(2.0) * REAL_EPSILON) // of the coordinates

// n, u, w of a contact lie one after the other: an array of three.
typedef char rows_frame_is_an_array[offsetof(tac_contact, w) - offsetof(tac_contact, n) == 2 * sizeof(vec3) ? 1 : -1];

static inline const vec3 *rows_frame(const tac_contact *c)
{
    return (const void *)((const char *)c + offsetof(tac_contact, n));
}

// One row of D_i' t: n 0, u 1, w 2. The ground (body 0, always a) stays.
static inline real rows_rate(const tac_contact *c, const tac_block *k, const tac_twist *t, int row)
{
    const tac_twist *a = &t[c->body_a], *b = &t[c->body_b];
    real spin = v3_dot(k->j[1][row], b->w);
    if (c->body_a != 0) { spin += v3_dot(k->j[0][row], a->w); }
    return v3_dot(rows_frame(c)[row], v3_sub(b->v, a->v)) + spin;
}

// D_i' t for the twists t of all bodies: the velocity of b relative to a, in (n,u,w).
static inline vec3 rows_relative(const tac_contact *c, const tac_block *k, const tac_twist *t)
{
    const tac_twist *a = &t[c->body_a], *b = &t[c->body_b];
    vec3 spin = v3_components(k->j[1], b->w);
    if (c->body_a != 0) { spin = v3_add(spin, v3_components(k->j[0], a->w)); }
    return v3_add(v3_components(rows_frame(c), v3_sub(b->v, a->v)), spin);
}

// (N g + p)_i = D_i' v + b_i: the velocity that the cone program is about.
static inline vec3 rows_velocity(const tac_contact *c, const tac_block *k, const tac_twist *gain)
{
    return v3_add(rows_relative(c, k, gain), k->bias);
}

// What the rows of D for one body make of an impulse; `tangents`: has it any but the normal one?
static inline vec3 rows_sum(const vec3 row[3], vec3 g, int tangents)
{
    return tangents ? v3_combine(row, g) : v3_scale(g.x, row[0]);
}

// t += M^-1 D_i g
static inline void rows_add(const tac_contact *c, const tac_block *k, vec3 g, int tangents, const tac_moving *moving,
                            tac_twist *twist)
{
    const vec3 linear = rows_sum(rows_frame(c), g, tangents);
    for (int side = c->body_a == 0; side < 2; side++) {
        const uint16_t body = side ? c->body_b : c->body_a;
        const tac_moving *m = &moving[body];
        tac_twist *t = &twist[body];
        t->v = v3_madd(t->v, side ? m->inv_mass : -m->inv_mass, linear);
        t->w = v3_add(t->w, v3_mul(m->inv_inertia, rows_sum(k->j[side], g, tangents)));
    }
}

static inline void rows_apply(const tac_contact *c, const tac_block *k, vec3 g, const tac_moving *m, tac_twist *t)
{
    rows_add(c, k, g, 1, m, t);
}

// The same for a normal impulse alone.
static inline void rows_push(const tac_contact *c, const tac_block *k, real n, const tac_moving *m, tac_twist *t)
{
    rows_add(c, k, v3(n, R(0.0), R(0.0)), 0, m, t);
}

// ------------------------------------------------------------------------------------------------------ making a block

// Angular rows of D for one body: A'(s x d) for the directions d = n, u, w, with NST17's sign.
static void rows_arm(const tac_contact *c, const tac_pose *body, real sign, vec3 row[3])
{
    const vec3 s = quat_rotate_back(body->q, v3_scale(sign, v3_sub(c->point, body->p)));
    for (int i = 0; i < 3; i++) { row[i] = v3_cross(s, quat_rotate_back(body->q, rows_frame(c)[i])); }
}

// W += 1/m I + J diag(1/I) J'
static void rows_add_inertia(const tac_moving *m, const vec3 row[3], sym3 *w)
{
    const vec3 n = v3_mul(m->inv_inertia, row[0]), u = v3_mul(m->inv_inertia, row[1]);
    w->xx += m->inv_mass + v3_dot(n, row[0]);
    w->xy += v3_dot(n, row[1]);
    w->xz += v3_dot(n, row[2]);
    w->yy += m->inv_mass + v3_dot(u, row[1]);
    w->yz += v3_dot(u, row[2]);
    w->zz += m->inv_mass + v3_dot(v3_mul(m->inv_inertia, row[2]), row[2]);
}

// Projected steps. Normal and tangential rows are scaled to unit diagonal, S W S, whose largest eigenvalue is at most
// its largest absolute row sum; the step along each is the square of its scale over that.
static void rows_steps(tac_block *k)
{
    const real nn = R(1.0) / k->w.xx, tt = R(2.0) / (k->w.yy + k->w.zz), nt = real_sqrt(nn * tt);
    const real xy = nt * real_abs(k->w.xy), xz = nt * real_abs(k->w.xz), yz = tt * real_abs(k->w.yz);
    const real largest = real_max(R(1.0) + xy + xz, real_max(tt * k->w.yy + xy + yz, tt * k->w.zz + xz + yz));
    k->own.sweep.step_n = nn / largest;
    k->own.sweep.step_t = tt / largest;
}

// What the accelerated sweep needs of a block.
static void rows_sweep(tac_block *k)
{
    sym3_inverse(&k->w, &k->own.sweep.inv_w);
    rows_steps(k);
}

// b of the normal row: max(gap/h, -recovery) (NST17 d_i,0 with TCE17 footnote 5). A gap that rounding alone can make
// counts as none: divided by h it would ask the four corners of a resting box for velocities that no motion of it has,
// and the solver would look for the three that carry it.
static real rows_target(const tac_model *m, real gap, real rounding)
{
    return real_abs(gap) <= rounding ? R(0.0) : real_max(gap / m->h, -m->options.recovery);
}

// How well the gap of a contact is known: rounding of the coordinates that it comes from. A wide floor has its origin
// far away.
static real rows_rounding(const tac_model *m, const tac_contact *c, const tac_state *s)
{
    const vec3 a = m->shape[c->id.shape_a].pose.p, b = m->shape[c->id.shape_b].pose.p;
    return ROWS_ROUNDING *
           (v3_norm_inf(c->point) + v3_norm_inf(s->pose[c->body_b].p) + v3_norm_inf(a) + v3_norm_inf(b));
}

// W of bodies that are free.
static void rows_weigh(const tac_work *w, const tac_contact *c, tac_block *k)
{
    reals_clear(&k->w, sizeof k->w);
    for (int side = c->body_a == 0; side < 2; side++) {
        rows_add_inertia(&w->moving[side ? c->body_b : c->body_a], k->j[side], &k->w);
    }
}

static void rows_make(const tac_model *m, const tac_state *s, const tac_work *w, const tac_contact *c, tac_block *k)
{
    reals_clear(&k->w, offsetof(tac_block, own) - offsetof(tac_block, w));
    for (int side = c->body_a == 0; side < 2; side++) {
        rows_arm(c, &s->pose[side ? c->body_b : c->body_a], side ? R(1.0) : R(-1.0), k->j[side]);
    }
    rows_weigh(w, c, k);
    k->bias = rows_relative(c, k, s->twist);
    k->target = rows_target(m, c->gap, rows_rounding(m, c, s));
    k->bias.x += k->target;
}

#endif
