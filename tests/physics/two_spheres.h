// SPDX-License-Identifier: MIT
// two_spheres.h - CBAT07, example 3, in the limit of small steps: a ball on two fixed ones, by its equations of motion.
//   given   the numbers of the paper
//   makes   when the second contact begins to slide, and when each of them opens; the normal forces at the start
//   bound   Runge-Kutta steps of fourth order; Gaussian elimination of at most five equations in each
//   never   uses anything of the kernel
#ifndef TWO_SPHERES_H
#define TWO_SPHERES_H

#include "truth.h"

// Slides: one unknown, N; friction of mu N along the slip (e v)/|e v|. Rolls: N, two tangential forces, a torque about
// the normal; three more equations.
enum { TWO_FREE, TWO_SLIDES, TWO_ROLLS };

typedef struct two_spheres {
    d3 x, v, w; // centre, velocity, angular velocity
    int mode[2];
    d3 along[2];        // slip, direction: mu N along it
    double about[2];    // its part about the normal, times e
    double force[2][4]; // normal, tangential, torque over e
    d3 n[2], t[2], o[2];
} two_spheres;

static const double TWO_MU = 0.2, TWO_E = 0.3, TWO_INERTIA = 0.4;
static const d3 TWO_CENTRE[2] = {{0, 0, 0}, {0, 11.4, 0}}, TWO_PUSH = {1.0, 2.6, -9.81};
static const double TWO_RADIUS[2] = {10, 9};

static inline void two_frames(two_spheres *s)
{
    for (int i = 0; i < 2; i++) {
        const d3 d = d3_sub(s->x, TWO_CENTRE[i]);
        s->n[i] = d3_scale(1 / d3_norm(d), d);
        const d3 t = d3_cross(s->n[i], d3_make(1, 0, 0));
        s->t[i] = d3_scale(1 / d3_norm(t), t);
        s->o[i] = d3_cross(s->n[i], s->t[i]);
    }
}

static inline void two_direct(two_spheres *s, int i, d3 v, d3 w)
{
    d3 u = d3_sub(v, d3_cross(w, s->n[i]));
    u = d3_sub(u, d3_scale(d3_dot(u, s->n[i]), s->n[i]));
    const double spin = TWO_E * d3_dot(s->n[i], w), slip = d_sqrt(d3_dot(u, u) + spin * spin);
    if (!(slip > 0)) { return; } // keeps the last one
    s->along[i] = d3_scale(1 / slip, u);
    s->about[i] = spin / slip;
}

typedef struct two_unknown {
    d3 force, torque;
    int contact, part;
} two_unknown;

static inline int two_unknowns(const two_spheres *s, two_unknown *u)
{
    int count = 0;
    for (int i = 0; i < 2; i++) {
        const d3 n = s->n[i], arm = d3_scale(-1, n);
        if (s->mode[i] == TWO_SLIDES) {
            const d3 f = d3_scale(-TWO_MU, s->along[i]);
            const d3 torque = d3_add(d3_cross(arm, f), d3_scale(-TWO_MU * TWO_E * s->about[i], n));
            u[count++] = (two_unknown){d3_add(n, f), torque, i, 0};
        } else if (s->mode[i] == TWO_ROLLS) {
            u[count++] = (two_unknown){n, d3_make(0, 0, 0), i, 0};
            u[count++] = (two_unknown){s->t[i], d3_cross(arm, s->t[i]), i, 1};
            u[count++] = (two_unknown){s->o[i], d3_cross(arm, s->o[i]), i, 2};
            u[count++] = (two_unknown){d3_make(0, 0, 0), d3_scale(TWO_E, n), i, 3};
        }
    }
    return count;
}

// Gaussian elimination with pivoting; the right-hand side is the last column.
static inline void two_eliminate(double a[8][9], int n)
{
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k + 1; i < n; i++) { best = d_abs(a[i][k]) > d_abs(a[best][k]) ? i : best; }
        for (int j = 0; j <= n; j++) {
            const double kept = a[k][j];
            a[k][j] = a[best][j];
            a[best][j] = kept;
        }
        for (int i = 0; i < n; i++) {
            const double factor = i == k ? 0 : a[i][k] / a[k][k];
            for (int j = k; j <= n; j++) { a[i][j] -= factor * a[k][j]; }
        }
    }
}

// Accelerations, from the derivatives of n.v = 0 and, where it rolls, of v - w x n = 0 and n.w = 0.
static inline void two_accelerate(two_spheres *s, d3 *dv, d3 *dw)
{
    static two_unknown u[8];
    double a[8][9];
    const int count = two_unknowns(s, u);
    for (int row = 0; row < count; row++) {
        const int i = u[row].contact;
        const d3 n = s->n[i], dn = d3_scale(1 / (TWO_RADIUS[i] + 1), s->v);
        const d3 axis = u[row].part == 1 ? s->t[i] : (u[row].part == 2 ? s->o[i] : n);
        d3 linear = axis, angular = d3_cross(d3_scale(-1, n), axis);
        double right = d3_dot(axis, d3_cross(s->w, dn));
        if (u[row].part == 0) {
            angular = d3_make(0, 0, 0);
            right = -d3_dot(dn, s->v) + d3_dot(dn, n) * d3_dot(n, s->v);
        } else if (u[row].part == 3) {
            linear = d3_make(0, 0, 0);
            angular = n;
            right = -d3_dot(dn, s->w);
        }
        for (int k = 0; k < count; k++) {
            a[row][k] = d3_dot(linear, u[k].force) + d3_dot(angular, u[k].torque) / TWO_INERTIA;
        }
        a[row][count] = right - d3_dot(linear, TWO_PUSH);
    }
    two_eliminate(a, count);
    *dv = TWO_PUSH;
    *dw = d3_make(0, 0, 0);
    for (int i = 0; i < 8; i++) { s->force[i / 4][i % 4] = 0; }
    for (int k = 0; k < count; k++) {
        const double f = a[k][count] / a[k][k];
        *dv = d3_add(*dv, d3_scale(f, u[k].force));
        *dw = d3_add(*dw, d3_scale(f / TWO_INERTIA, u[k].torque));
        s->force[u[k].contact][u[k].part] = f;
    }
}

// The rates at s + h (the rates before).
static inline void two_rates(const two_spheres *from, double h, const d3 *before, d3 *rate)
{
    two_spheres s = *from;
    s.x = d3_add(s.x, d3_scale(h, before[0]));
    s.v = d3_add(s.v, d3_scale(h, before[1]));
    s.w = d3_add(s.w, d3_scale(h, before[2]));
    two_frames(&s);
    for (int i = 0; i < 2; i++) { two_direct(&s, i, s.v, s.w); }
    rate[0] = s.v;
    two_accelerate(&s, &rate[1], &rate[2]);
}

static inline void two_step(two_spheres *s, double h)
{
    static const d3 rest[3];
    d3 k[4][3];
    two_rates(s, 0, rest, k[0]);
    two_rates(s, 0.5 * h, k[0], k[1]);
    two_rates(s, 0.5 * h, k[1], k[2]);
    two_rates(s, h, k[2], k[3]);
    d3 *to[3] = {&s->x, &s->v, &s->w};
    for (int i = 0; i < 3; i++) {
        const d3 ends = d3_add(k[0][i], k[3][i]), middle = d3_add(k[1][i], k[2][i]);
        *to[i] = d3_add(*to[i], d3_scale(h / 6, d3_add(ends, d3_scale(2, middle))));
    }
}

// At rest: the first contact slides along its acceleration, which depends on where it slides.
static inline void two_begin(two_spheres *s)
{
    d3 dv, dw;
    *s = (two_spheres){.x = {0, 6.62105263157895, 8.78417110772903}, .mode = {TWO_SLIDES, TWO_ROLLS}};
    two_frames(s);
    s->along[0] = d3_make(1, 0, 0);
    for (int i = 0; i < 200; i++) {
        two_accelerate(s, &dv, &dw);
        two_direct(s, 0, dv, dw);
    }
}

typedef struct two_events {
    double slides, opens[2]; // s: the second contact slides; each opens
    double start[2];         // N: normal forces at rest
} two_events;

// The last but one and the last value of what passes zero: when.
static inline double two_zero(double t, double h, double before, double now)
{
    return t - h * now / (now - before);
}

static inline void two_run(double h, two_events *e)
{
    two_spheres s;
    double room = 1, normal[2] = {1, 1};
    d3 dv, dw;
    two_begin(&s);
    two_accelerate(&s, &dv, &dw);
    e->start[0] = s.force[0][0];
    e->start[1] = s.force[1][0];
    for (double t = 0; s.mode[1] != TWO_FREE && t < 5; t += h) {
        two_frames(&s);
        for (int i = 0; i < 2; i++) { two_direct(&s, i, s.v, s.w); }
        two_accelerate(&s, &dv, &dw);
        const double *f = s.force[1], was = room;
        room = TWO_MU * f[0] - d_sqrt(f[1] * f[1] + f[2] * f[2] + f[3] * f[3]);
        if (s.mode[1] == TWO_ROLLS && room < 0) { // it begins to slide against the force
            e->slides = two_zero(t, h, was, room);
            const double size = TWO_MU * f[0];
            s.mode[1] = TWO_SLIDES;
            s.along[1] = d3_add(d3_scale(-f[1] / size, s.t[1]), d3_scale(-f[2] / size, s.o[1]));
            s.about[1] = -f[3] / size;
            const double least = 1e-9; // a slip for the direction to begin with
            s.v = d3_add(s.v, d3_scale(least, s.along[1]));
            s.w = d3_add(s.w, d3_scale(least * s.about[1] / TWO_E, s.n[1]));
        }
        for (int i = 0; i < 2; i++) {
            const double before = normal[i];
            normal[i] = s.force[i][0];
            if (s.mode[i] == TWO_FREE || normal[i] >= 0) { continue; }
            e->opens[i] = two_zero(t, h, before, normal[i]);
            s.mode[i] = TWO_FREE;
        }
        two_step(&s, h);
    }
}

#endif
