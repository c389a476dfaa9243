// SPDX-License-Identifier: MIT
// oracle.h - two bodies on one joint, in generalised coordinates.
//   given   masses, principal moments, the joint's frames in the principal frames; coordinates and speeds
//   makes   their motion by Kane's method and Runge-Kutta's fourth order; the reaction by Newton and Euler
//   bound   constant a step
//   never   knows a constraint: what a joint does not let happen has no coordinate
#ifndef ORACLE_H
#define ORACLE_H

#include "truth.h"

#define ORACLE_SPEEDS 12 // of body a: v (world), w (principal frame); then those of the joint

typedef struct oracle_frame {
    d3 p;
    dq q;
} oracle_frame;

typedef struct oracle {
    uint8_t kind;
    int ground; // body a is the world
    double mass[2];
    d3 inertia[2];
    oracle_frame frame[2]; // of the joint, in the principal frames of a and b; on the ground: in the world
    double length;
    double stiffness, damping; // along q[0]
    d3 gravity;
} oracle;

/// Where it is. Numbers in a row, for Runge and Kutta.
typedef struct oracle_state {
    d3 p;        // of body a
    dq a;        // of body a
    dq turn;     // of b against a, where it is free
    dq rod;      // direction of a distance, its z
    double q[3]; // angles and slides
    double u[ORACLE_SPEEDS];
} oracle_state;

#define ORACLE_NUMBERS (sizeof(oracle_state) / sizeof(double))

/// Motion of one body: pose, velocity, acceleration; all in the world.
typedef struct oracle_body {
    d3 p, v, a;
    dq q;
    d3 w, al;
} oracle_body;

static inline int oracle_freedoms(uint8_t kind)
{
    static const int freedoms[TAC_COUPLING] = {0, 1, 1, 1, 5, 3, 2, 2, 3, 4};
    return freedoms[kind];
}

// The frame of b as seen from that of a, and how it moves: d, w in the frame of a, with their rates.
typedef struct oracle_motion {
    d3 d, d1, d2;
    dq turn;
    d3 w, w1;
} oracle_motion;

static inline void oracle_free_turn(oracle_motion *m, dq turn, const double *u, const double *du)
{
    m->turn = turn;
    m->w = dq_rotate(turn, d3_make(u[0], u[1], u[2]));
    m->w1 = dq_rotate(turn, d3_make(du[0], du[1], du[2]));
}

static inline void oracle_turn_z(oracle_motion *m, double q, double u, double du)
{
    m->turn = dq_about(d3_make(0, 0, 1), q);
    m->w.z = u;
    m->w1.z = du;
}

static inline void oracle_slide_z(oracle_motion *m, double q, double u, double du)
{
    m->d.z = q;
    m->d1.z = u;
    m->d2.z = du;
}

static inline void oracle_universal(oracle_motion *m, const double *q, const double *u, const double *du)
{
    const d3 x = {1, 0, 0}, y = dq_rotate(dq_about(x, q[0]), d3_make(0, 1, 0));
    m->turn = dq_mul(dq_about(x, q[0]), dq_about(d3_make(0, 1, 0), q[1]));
    m->w = d3_add(d3_scale(u[0], x), d3_scale(u[1], y));
    m->w1 = d3_add(d3_add(d3_scale(du[0], x), d3_scale(du[1], y)), d3_scale(u[0] * u[1], d3_cross(x, y)));
}

static inline void oracle_circle(oracle_motion *m, double length, double q, double u, double du)
{
    const d3 out = {length * d_cos(q), length * d_sin(q), 0}, along = {-out.y, out.x, 0};
    m->d = out;
    m->d1 = d3_scale(u, along);
    m->d2 = d3_sub(d3_scale(du, along), d3_scale(u * u, out));
}

static inline void oracle_rod(oracle_motion *m, double length, dq rod, const double *u, const double *du)
{
    const d3 w = dq_rotate(rod, d3_make(u[0], u[1], 0)), w1 = dq_rotate(rod, d3_make(du[0], du[1], 0));
    m->d = dq_rotate(rod, d3_make(0, 0, length));
    m->d1 = d3_cross(w, m->d);
    m->d2 = d3_add(d3_cross(w1, m->d), d3_cross(w, m->d1));
}

static inline oracle_motion oracle_relative(const oracle *o, const oracle_state *s, const double *du)
{
    const double *u = s->u + 6;
    oracle_motion m = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {1, 0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    switch (o->kind) {
    case TAC_REVOLUTE:
        oracle_turn_z(&m, s->q[0], u[0], du[0]);
        break;
    case TAC_PRISMATIC:
        oracle_slide_z(&m, s->q[0], u[0], du[0]);
        break;
    case TAC_SCREW:
        oracle_turn_z(&m, s->q[0], u[0], du[0]);
        oracle_slide_z(&m, o->length * s->q[0], o->length * u[0], o->length * du[0]);
        break;
    case TAC_CYLINDRICAL:
        oracle_turn_z(&m, s->q[0], u[0], du[0]);
        oracle_slide_z(&m, s->q[1], u[1], du[1]);
        break;
    case TAC_PLANAR:
        m.d = d3_make(s->q[0], s->q[1], 0);
        m.d1 = d3_make(u[0], u[1], 0);
        m.d2 = d3_make(du[0], du[1], 0);
        oracle_turn_z(&m, s->q[2], u[2], du[2]);
        break;
    case TAC_UNIVERSAL:
        oracle_universal(&m, s->q, u, du);
        break;
    case TAC_SPHERICAL:
        oracle_free_turn(&m, s->turn, u, du);
        break;
    case TAC_REVOLUTE_SPHERICAL:
        oracle_circle(&m, o->length, s->q[0], u[0], du[0]);
        oracle_free_turn(&m, s->turn, u + 1, du + 1);
        break;
    case TAC_DISTANCE:
        oracle_rod(&m, o->length, s->rod, u, du);
        oracle_free_turn(&m, s->turn, u + 2, du + 2);
        break;
    default:
        break;
    }
    return m;
}

/// Motion of both bodies if the speeds change at the rates `du`.
static inline void oracle_look(const oracle *o, const oracle_state *s, const double *du, oracle_body body[2])
{
    const oracle_motion m = oracle_relative(o, s, du + 6);
    oracle_body *a = &body[0], *b = &body[1];
    *a = (oracle_body){{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {1, 0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    if (!o->ground) {
        a->p = s->p;
        a->q = s->a;
        a->v = d3_make(s->u[0], s->u[1], s->u[2]);
        a->a = d3_make(du[0], du[1], du[2]);
        a->w = dq_rotate(s->a, d3_make(s->u[3], s->u[4], s->u[5]));
        a->al = dq_rotate(s->a, d3_make(du[3], du[4], du[5]));
    }
    const dq from = dq_mul(a->q, o->frame[0].q); // frame of a
    const d3 r = d3_add(dq_rotate(a->q, o->frame[0].p), dq_rotate(from, m.d));
    const d3 slide = dq_rotate(from, m.d1), w = dq_rotate(from, m.w);
    const d3 at = d3_add(a->p, r), at1 = d3_add(d3_add(a->v, d3_cross(a->w, r)), slide);
    const d3 carried = d3_add(d3_add(a->a, d3_cross(a->al, r)), d3_cross(a->w, d3_cross(a->w, r)));
    const d3 at2 = d3_add(carried, d3_add(d3_scale(2, d3_cross(a->w, slide)), dq_rotate(from, m.d2)));
    b->q = dq_mul(dq_mul(from, m.turn), dq_conjugate(o->frame[1].q));
    b->w = d3_add(a->w, w);
    b->al = d3_add(d3_add(a->al, dq_rotate(from, m.w1)), d3_cross(a->w, w));
    const d3 arm = d3_scale(-1, dq_rotate(b->q, o->frame[1].p)); // from the joint to the centre of mass
    b->p = d3_add(at, arm);
    b->v = d3_add(at1, d3_cross(b->w, arm));
    b->a = d3_add(at2, d3_add(d3_cross(b->al, arm), d3_cross(b->w, d3_cross(b->w, arm))));
}

static inline d3 d3_times(d3 a, d3 b)
{
    return (d3){a.x * b.x, a.y * b.y, a.z * b.z};
}

// Rate of the angular momentum about the centre of mass, world.
static inline d3 oracle_spin(const oracle *o, const oracle_body *b, int side)
{
    const dq back = dq_conjugate(b->q);
    const d3 w = dq_rotate(back, b->w), al = dq_rotate(back, b->al);
    return dq_rotate(b->q, d3_add(d3_times(o->inertia[side], al), d3_cross(w, d3_times(o->inertia[side], w))));
}

/// Force and torque of the joint on b at the origin of its frame.
static inline void oracle_reaction(const oracle *o, const oracle_body *b, d3 *force, d3 *torque)
{
    const d3 arm = dq_rotate(b->q, o->frame[1].p);
    *force = d3_scale(o->mass[1], d3_sub(b->a, o->gravity));
    *torque = d3_sub(oracle_spin(o, b, 1), d3_cross(arm, *force));
}

// What is missing from the laws of motion, along a change of the speeds that moves the bodies as `along` does.
static inline double oracle_power(const oracle *o, const oracle_body *along, const oracle_body *rest,
                                  const oracle_body *body)
{
    double sum = 0.0;
    for (int side = o->ground; side < 2; side++) {
        const d3 force = d3_scale(o->mass[side], d3_sub(body[side].a, o->gravity));
        sum += d3_dot(d3_sub(along[side].a, rest[side].a), force);
        sum += d3_dot(d3_sub(along[side].al, rest[side].al), oracle_spin(o, &body[side], side));
    }
    return sum;
}

// x of A x = y, both destroyed; largest pivots first.
static inline void oracle_solve(int n, double a[][ORACLE_SPEEDS], double *y)
{
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k; i < n; i++) {
            if (d_abs(a[i][k]) > d_abs(a[best][k])) { best = i; }
        }
        for (int c = 0; c < n; c++) {
            const double swap = a[k][c];
            a[k][c] = a[best][c];
            a[best][c] = swap;
        }
        const double swap = y[k];
        y[k] = y[best];
        y[best] = swap;
        for (int i = 0; i < n; i++) {
            const double part = i == k ? 0.0 : a[i][k] / a[k][k];
            for (int c = k; c < n && part != 0.0; c++) { a[i][c] -= part * a[k][c]; }
            y[i] -= part * y[k];
        }
    }
    for (int k = 0; k < n; k++) { y[k] /= a[k][k]; }
}

/// Rates of the speeds: M du = what gravity, spring and motion ask for.
static inline void oracle_rates(const oracle *o, const oracle_state *s, double *du)
{
    const int first = o->ground ? 6 : 0, n = 6 - first + oracle_freedoms(o->kind);
    double matrix[ORACLE_SPEEDS][ORACLE_SPEEDS], right[ORACLE_SPEEDS] = {0};
    oracle_body rest[2], along[ORACLE_SPEEDS][2], moved[2];
    for (int k = 0; k < ORACLE_SPEEDS; k++) { du[k] = 0.0; }
    oracle_look(o, s, du, rest);
    for (int k = 0; k < n; k++) {
        du[first + k] = 1.0;
        oracle_look(o, s, du, along[k]);
        du[first + k] = 0.0;
    }
    for (int k = 0; k < n; k++) {
        const double still = oracle_power(o, along[k], rest, rest);
        for (int c = 0; c < n; c++) {
            moved[0] = along[c][0];
            moved[1] = along[c][1];
            matrix[k][c] = oracle_power(o, along[k], rest, moved) - still;
        }
        right[k] = -still;
    }
    if (n > 6 - first) { right[6 - first] -= o->stiffness * s->q[0] + o->damping * s->u[6]; }
    oracle_solve(n, matrix, right);
    for (int k = 0; k < n; k++) { du[first + k] = right[k]; }
}

static inline dq oracle_quat_rate(dq q, double x, double y, double z)
{
    const dq r = dq_mul(q, (dq){0, x, y, z});
    return (dq){0.5 * r.w, 0.5 * r.x, 0.5 * r.y, 0.5 * r.z};
}

static inline oracle_state oracle_derivative(const oracle *o, const oracle_state *s)
{
    const double *u = s->u + 6;
    const int turn = o->kind == TAC_REVOLUTE_SPHERICAL ? 1 : (o->kind == TAC_DISTANCE ? 2 : 0);
    oracle_state d;
    oracle_rates(o, s, d.u);
    d.p = d3_make(s->u[0], s->u[1], s->u[2]);
    d.a = oracle_quat_rate(s->a, s->u[3], s->u[4], s->u[5]);
    d.turn = oracle_quat_rate(s->turn, u[turn], u[turn + 1], u[turn + 2]);
    d.rod = oracle_quat_rate(s->rod, u[0], u[1], 0);
    for (int k = 0; k < 3; k++) { d.q[k] = u[k]; }
    return d;
}

static inline oracle_state oracle_add(const oracle_state *a, double h, const oracle_state *b)
{
    oracle_state sum = *a;
    double *x = (double *)&sum;
    const double *y = (const double *)b;
    for (size_t i = 0; i < ORACLE_NUMBERS; i++) { x[i] += h * y[i]; }
    return sum;
}

static inline dq oracle_unit(dq q)
{
    const double n = d_sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    return (dq){q.w / n, q.x / n, q.y / n, q.z / n};
}

/// One step of Runge and Kutta.
static inline void oracle_step(const oracle *o, oracle_state *s, double h)
{
    const oracle_state k1 = oracle_derivative(o, s), at2 = oracle_add(s, 0.5 * h, &k1);
    const oracle_state k2 = oracle_derivative(o, &at2), at3 = oracle_add(s, 0.5 * h, &k2);
    const oracle_state k3 = oracle_derivative(o, &at3), at4 = oracle_add(s, h, &k3);
    const oracle_state k4 = oracle_derivative(o, &at4);
    const oracle_state a = oracle_add(s, h / 6.0, &k1), b = oracle_add(&a, h / 3.0, &k2);
    const oracle_state c = oracle_add(&b, h / 3.0, &k3);
    *s = oracle_add(&c, h / 6.0, &k4);
    s->a = oracle_unit(s->a);
    s->turn = oracle_unit(s->turn);
    s->rod = oracle_unit(s->rod);
}

#endif
