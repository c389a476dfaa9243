// SPDX-License-Identifier: MIT
// noslip.h - two bodies that roll on each other without slip: equations of motion, integrated by the method of
// Runge and Kutta.
//   given   masses, surfaces, poses, velocities
//   makes   the motion that a step is compared with, energies
//   bound   constant for each step
//   never   asks the kernel for anything
#ifndef NOSLIP_H
#define NOSLIP_H

#include "truth.h"

/// A plane; the centre of a ball; the rim of a disc; an ellipsoid. Each is offset by `rounding`.
enum { NOSLIP_PLANE, NOSLIP_POINT, NOSLIP_RIM, NOSLIP_OVAL };

/// A surface at `at`, turned by `turn`, in the principal frame. `size`: of a rim its radius and its place on the axis.
typedef struct noslip_surface {
    int kind;
    d3 size;
    double rounding;
    d3 at;
    dq turn;
} noslip_surface;

/// A mass of 0: its motion is prescribed, with constant velocities.
typedef struct noslip_body {
    double mass;
    d3 inertia;
    noslip_surface face;
} noslip_body;

/// A spring between both centres of mass keeps what has no weight together.
typedef struct noslip_pair {
    noslip_body body[2];
    d3 gravity;
    double spring;
} noslip_pair;

/// All in the world; n points from the first body to the second.
typedef struct noslip_state {
    d3 p[2];
    dq q[2];
    d3 v[2], w[2];
    d3 n;
} noslip_state;

static inline d3 noslip_mul(d3 a, d3 b)
{
    return d3_make(a.x * b.x, a.y * b.y, a.z * b.z);
}

// The point whose outward normal is d, in the frame of the surface.
static inline d3 noslip_point(const noslip_surface *s, d3 d)
{
    d3 y = s->kind == NOSLIP_POINT ? s->size : d3_make(0, 0, 0);
    if (s->kind == NOSLIP_RIM) {
        const double out = d_sqrt(d.x * d.x + d.y * d.y);
        y = d3_make(s->size.x * d.x / out, s->size.x * d.y / out, s->size.z);
    }
    if (s->kind == NOSLIP_OVAL) {
        y = d3_scale(1 / d3_norm(noslip_mul(s->size, d)), noslip_mul(noslip_mul(s->size, s->size), d));
    }
    return d3_add(y, d3_scale(s->rounding, d));
}

// How fast that point moves where the normal changes at the rate e.
static inline d3 noslip_moves(const noslip_surface *s, d3 d, d3 e)
{
    d3 y = {0, 0, 0};
    if (s->kind == NOSLIP_RIM) {
        const double out = d_sqrt(d.x * d.x + d.y * d.y);
        const d3 radial = {d.x / out, d.y / out, 0}, rate = {e.x, e.y, 0};
        y = d3_scale(s->size.x / out, d3_sub(rate, d3_scale(d3_dot(radial, rate), radial)));
    }
    if (s->kind == NOSLIP_OVAL) {
        const double size = d3_norm(noslip_mul(s->size, d));
        const d3 square = noslip_mul(s->size, s->size), b = d3_scale(1 / size, noslip_mul(square, d));
        y = d3_scale(1 / size, d3_sub(noslip_mul(square, e), d3_scale(d3_dot(b, e), b)));
    }
    return d3_add(y, d3_scale(s->rounding, e));
}

/// From the centre of mass to the point whose outward normal is d; world.
static inline d3 noslip_arm(const noslip_surface *s, dq body, d3 d)
{
    const dq turn = dq_mul(body, s->turn);
    const d3 y = noslip_point(s, dq_rotate(dq_conjugate(turn), d));
    return d3_add(dq_rotate(body, s->at), dq_rotate(turn, y));
}

static inline d3 noslip_moves_world(const noslip_surface *s, dq body, d3 d, d3 e)
{
    const dq turn = dq_mul(body, s->turn), back = dq_conjugate(turn);
    return dq_rotate(turn, noslip_moves(s, dq_rotate(back, d), dq_rotate(back, e)));
}

static inline d3 noslip_momentum(const noslip_body *b, dq q, d3 w)
{
    return dq_rotate(q, noslip_mul(b->inertia, dq_rotate(dq_conjugate(q), w)));
}

static inline d3 noslip_turns(const noslip_body *b, dq q, d3 torque)
{
    const d3 t = dq_rotate(dq_conjugate(q), torque), i = b->inertia;
    return b->mass > 0 ? dq_rotate(q, d3_make(t.x / i.x, t.y / i.y, t.z / i.z)) : d3_make(0, 0, 0);
}

static inline double noslip_energy(const noslip_pair *p, const noslip_state *s)
{
    const d3 apart = d3_sub(s->p[1], s->p[0]);
    double sum = 0.5 * p->spring * d3_dot(apart, apart);
    for (int i = 0; i < 2; i++) {
        const noslip_body *b = &p->body[i];
        sum += 0.5 * b->mass * d3_dot(s->v[i], s->v[i]) - b->mass * d3_dot(p->gravity, s->p[i]);
        if (b->mass > 0) { sum += 0.5 * d3_dot(s->w[i], noslip_momentum(b, s->q[i], s->w[i])); }
    }
    return sum;
}

static inline double noslip_kinetic(const noslip_pair *p, const noslip_state *s)
{
    const noslip_pair still = {{p->body[0], p->body[1]}, {0, 0, 0}, 0};
    return noslip_energy(&still, s);
}

// ---------------------------------------------------------------------------------------------------------- contact
// The normal turns by p_a against a and by p_b against b, p_a + p_b = e = (w_b - w_a) x n, and the point moves over
// both surfaces alike, since there is no slip: S_a(p_a) = S_b(p_b), with S the linear map from the turn to the motion
// of the point (a plane turns by nothing, and the point moves over it as over the other one).

typedef struct noslip_contact {
    d3 arm[2], rate[2]; // from the centres of mass to the point, and how fast these change
    d3 turns;           // dn/dt
} noslip_contact;

static inline d3 noslip_turn_of_a(const noslip_pair *p, const noslip_state *s, d3 e)
{
    const noslip_surface *a = &p->body[0].face, *b = &p->body[1].face;
    const d3 n = s->n, back = d3_scale(-1, n);
    if (a->kind == NOSLIP_PLANE) { return d3_make(0, 0, 0); }
    d3 t1 = d3_cross(n, d_abs(n.x) < 0.8 ? d3_make(1, 0, 0) : d3_make(0, 1, 0));
    t1 = d3_scale(1 / d3_norm(t1), t1);
    const d3 t2 = d3_cross(n, t1), right = noslip_moves_world(b, s->q[1], back, e);
    const d3 s1 = d3_add(noslip_moves_world(a, s->q[0], n, t1), noslip_moves_world(b, s->q[1], back, t1));
    const d3 s2 = d3_add(noslip_moves_world(a, s->q[0], n, t2), noslip_moves_world(b, s->q[1], back, t2));
    const double m11 = d3_dot(s1, t1), m12 = d3_dot(s2, t1), m21 = d3_dot(s1, t2), m22 = d3_dot(s2, t2);
    const double x = d3_dot(right, t1), y = d3_dot(right, t2), det = m11 * m22 - m12 * m21;
    return d3_add(d3_scale((x * m22 - m12 * y) / det, t1), d3_scale((m11 * y - m21 * x) / det, t2));
}

static inline void noslip_touch(const noslip_pair *p, const noslip_state *s, noslip_contact *c)
{
    const noslip_surface *a = &p->body[0].face, *b = &p->body[1].face;
    const int flat = a->kind == NOSLIP_PLANE;
    const d3 n = s->n, back = d3_scale(-1, n), e = d3_cross(d3_sub(s->w[1], s->w[0]), n);
    const d3 turn = noslip_turn_of_a(p, s, e);
    const d3 slip = flat ? noslip_moves_world(b, s->q[1], back, e) : noslip_moves_world(a, s->q[0], n, turn);
    const d3 at = flat ? d3_add(s->p[1], noslip_arm(b, s->q[1], back)) : d3_add(s->p[0], noslip_arm(a, s->q[0], n));
    c->turns = d3_add(d3_cross(s->w[0], n), turn);
    for (int i = 0; i < 2; i++) {
        c->arm[i] = d3_sub(at, s->p[i]);
        c->rate[i] = d3_add(d3_cross(s->w[i], c->arm[i]), slip);
    }
}

// ----------------------------------------------------------------------------------------------------------- motion

// x of A x = b, three equations, by elimination with pivots.
static inline d3 noslip_solve(double a[3][4])
{
    for (int k = 0; k < 3; k++) {
        int row = k;
        for (int i = k; i < 3; i++) {
            if (d_abs(a[i][k]) > d_abs(a[row][k])) { row = i; }
        }
        for (int j = 0; j < 4; j++) {
            const double swap = a[k][j];
            a[k][j] = a[row][j];
            a[row][j] = swap;
        }
        for (int i = 0; i < 3; i++) {
            const double factor = i == k ? 0 : a[i][k] / a[k][k];
            for (int j = k; j < 4; j++) { a[i][j] -= factor * a[k][j]; }
        }
    }
    return d3_make(a[0][3] / a[0][0], a[1][3] / a[1][1], a[2][3] / a[2][2]);
}

// The force on the second body that keeps both material points at the contact together: the rate of v + w x r is alike.
static inline d3 noslip_force(const noslip_pair *p, const noslip_state *s, const noslip_contact *c, const d3 dv[2],
                              const d3 dw[2])
{
    double a[3][4] = {{0}};
    for (int i = 0; i < 2; i++) {
        const noslip_body *b = &p->body[i];
        const double sign = i ? 1 : -1;
        const d3 free = d3_add(dv[i], d3_add(d3_cross(dw[i], c->arm[i]), d3_cross(s->w[i], c->rate[i])));
        a[0][3] -= sign * free.x, a[1][3] -= sign * free.y, a[2][3] -= sign * free.z;
        for (int k = 0; k < 3 && b->mass > 0; k++) {
            const d3 f = {k == 0, k == 1, k == 2}, turns = noslip_turns(b, s->q[i], d3_cross(c->arm[i], f));
            const d3 x = d3_add(d3_scale(1 / b->mass, f), d3_cross(turns, c->arm[i]));
            a[0][k] += x.x, a[1][k] += x.y, a[2][k] += x.z;
        }
    }
    return noslip_solve(a);
}

static inline noslip_state noslip_slope(const noslip_pair *p, const noslip_state *s)
{
    noslip_contact c;
    noslip_state d;
    d3 dv[2], dw[2];
    noslip_touch(p, s, &c);
    const d3 pull = d3_scale(p->spring, d3_sub(s->p[0], s->p[1]));
    for (int i = 0; i < 2; i++) {
        const noslip_body *b = &p->body[i];
        const d3 gyro = d3_cross(noslip_momentum(b, s->q[i], s->w[i]), s->w[i]);
        dv[i] = b->mass > 0 ? d3_add(p->gravity, d3_scale((i ? 1 : -1) / b->mass, pull)) : d3_make(0, 0, 0);
        dw[i] = noslip_turns(b, s->q[i], gyro);
    }
    const d3 force = noslip_force(p, s, &c, dv, dw);
    for (int i = 0; i < 2; i++) {
        const noslip_body *b = &p->body[i];
        const d3 f = d3_scale(i ? 1 : -1, force);
        const dq half = {0, 0.5 * s->w[i].x, 0.5 * s->w[i].y, 0.5 * s->w[i].z};
        d.p[i] = s->v[i];
        d.q[i] = dq_mul(half, s->q[i]);
        d.v[i] = b->mass > 0 ? d3_add(dv[i], d3_scale(1 / b->mass, f)) : dv[i];
        d.w[i] = d3_add(dw[i], noslip_turns(b, s->q[i], d3_cross(c.arm[i], f)));
    }
    d.n = c.turns;
    return d;
}

static inline noslip_state noslip_add(const noslip_state *s, double h, const noslip_state *d)
{
    noslip_state r;
    for (int i = 0; i < 2; i++) {
        const dq q = s->q[i], e = d->q[i];
        r.p[i] = d3_add(s->p[i], d3_scale(h, d->p[i]));
        r.v[i] = d3_add(s->v[i], d3_scale(h, d->v[i]));
        r.w[i] = d3_add(s->w[i], d3_scale(h, d->w[i]));
        r.q[i] = (dq){q.w + h * e.w, q.x + h * e.x, q.y + h * e.y, q.z + h * e.z};
    }
    r.n = d3_add(s->n, d3_scale(h, d->n));
    return r;
}

static inline void noslip_step(const noslip_pair *p, noslip_state *s, double h)
{
    const noslip_state a = noslip_slope(p, s), at_a = noslip_add(s, 0.5 * h, &a);
    const noslip_state b = noslip_slope(p, &at_a), at_b = noslip_add(s, 0.5 * h, &b);
    const noslip_state c = noslip_slope(p, &at_b), at_c = noslip_add(s, h, &c);
    const noslip_state d = noslip_slope(p, &at_c);
    *s = noslip_add(s, h / 6, &a);
    *s = noslip_add(s, h / 3, &b);
    *s = noslip_add(s, h / 3, &c);
    *s = noslip_add(s, h / 6, &d);
    s->n = d3_scale(1 / d3_norm(s->n), s->n);
    for (int i = 0; i < 2; i++) {
        const dq q = s->q[i];
        const double unit = 1 / d_sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
        s->q[i] = (dq){unit * q.w, unit * q.x, unit * q.y, unit * q.z};
    }
}

#endif
