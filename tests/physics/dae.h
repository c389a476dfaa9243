// SPDX-License-Identifier: MIT
// dae.h - a world that the smooth integrators of TCE17 step, motions of it that are known, a chain.
#ifndef TESTS_PHYSICS_DAE_H
#define TESTS_PHYSICS_DAE_H

#include "jointed.h"
#include "mechanism.h"

static tac_dae dae;

static const char *const METHOD[TAC_DAE_METHODS] = {"implicit Euler",
                                                    "linearised Euler",
                                                    "projected Euler",
                                                    "trapezoidal",
                                                    "linearised trapezoidal",
                                                    "Newmark",
                                                    "HHT",
                                                    "generalised-alpha"};

static inline void dae_begin(uint8_t method, double h, double gravity)
{
    begin(TAC_SOLVER_ACCELERATED, h, gravity);
    tac_dae_init(&dae);
    dae.method = method;
}

static inline tac_status step(void)
{
    return tac_step_dae(&m, &s, &input, &w, &dae);
}

static inline void steps(int count)
{
    for (int i = 0; i < count; i++) {
        if (step() != TAC_OK) {
            tap_ok(0, tap_joined("a step is taken and converges: ", METHOD[dae.method]));
            return;
        }
    }
}

// --------------------------------------------------------------------------------------------------- motions known
// Each is a system of first order that a test integrates itself by Runge and Kutta's method, 2000 steps a second.

enum { MOST = 8 };

typedef struct motion {
    const char *name;
    int numbers; // of its state
    int ground;  // 1: order 1 where the rule has constraints in it
} motion;

enum { PENDULUM, DOUBLE_PENDULUM, TOP, TUMBLE, SPRING, MOTIONS };

static const motion MOTION[MOTIONS] = {{"order on a pendulum from the level: ", 2, 1},
                                       {"order on a double pendulum: ", 4, 1},
                                       {"order on a top on a point: ", 7, 1},
                                       {"order on a body that tumbles freely: ", 7, 0},
                                       {"order on a damped spring: ", 2, 0}};

#define ARM 0.5
#define SPIN 0.09 // kg m2, about the hinge's axis
#define SWING (1.0 * ARM * ARM + SPIN)

static const d3 MOMENTS = {0.06, 0.08, SPIN};

static inline void pendulum_rate(const double *y, double *rate)
{
    rate[0] = y[1];
    rate[1] = -9.81 * ARM / SWING * d_sin(y[0]); // from the lowest point
}

// Two equal links of mass 1 and length 2 ARM, angles from the lowest point.
static inline void double_rate(const double *y, double *rate)
{
    const double c = d_cos(y[0] - y[1]), z = d_sin(y[0] - y[1]), l = 2 * ARM;
    const double a = SWING + l * l, b = l * ARM * c, d = SWING;
    const double f = -l * ARM * z * y[3] * y[3] - 9.81 * (ARM + l) * d_sin(y[0]);
    const double g = l * ARM * z * y[2] * y[2] - 9.81 * ARM * d_sin(y[1]);
    rate[0] = y[2];
    rate[1] = y[3];
    rate[2] = (d * f - b * g) / (a * d - b * b);
    rate[3] = (a * g - b * f) / (a * d - b * b);
}

// Euler's equations about a fixed point `arm` from the centre along x, or about the centre; w in the body's axes.
static inline void body_rate(const double *y, double *rate, double arm)
{
    const dq q = {y[0], y[1], y[2], y[3]};
    const d3 v = {y[4], y[5], y[6]}, down = dq_rotate(dq_conjugate(q), d3_make(0, 0, -9.81));
    const d3 inertia = {MOMENTS.x, MOMENTS.y + arm * arm, MOMENTS.z + arm * arm};
    const d3 l = {inertia.x * v.x, inertia.y * v.y, inertia.z * v.z};
    const d3 torque = d3_sub(d3_cross(d3_make(arm, 0, 0), down), d3_cross(v, l));
    const dq turn = dq_mul(q, (dq){0, 0.5 * v.x, 0.5 * v.y, 0.5 * v.z});
    rate[0] = turn.w, rate[1] = turn.x, rate[2] = turn.y, rate[3] = turn.z;
    rate[4] = torque.x / inertia.x, rate[5] = torque.y / inertia.y, rate[6] = torque.z / inertia.z;
}

#define STIFF 40.0
#define DAMP 1.5

static inline void rate_of(int which, const double *y, double *rate)
{
    switch (which) {
    case PENDULUM:
        pendulum_rate(y, rate);
        break;
    case DOUBLE_PENDULUM:
        double_rate(y, rate);
        break;
    case SPRING:
        rate[0] = y[1];
        rate[1] = -STIFF * y[0] - DAMP * y[1];
        break;
    default:
        body_rate(y, rate, which == TOP ? ARM : 0.0);
    }
}

static inline void runge_kutta(int which, double *y, double h)
{
    static const double AT[4] = {0, 0.5, 0.5, 1}, PART[4] = {1, 2, 2, 1};
    double k[MOST] = {0}, sum[MOST] = {0}, x[MOST];
    for (int stage = 0; stage < 4; stage++) {
        for (int i = 0; i < MOTION[which].numbers; i++) { x[i] = y[i] + h * AT[stage] * k[i]; }
        rate_of(which, x, k);
        for (int i = 0; i < MOTION[which].numbers; i++) { sum[i] += PART[stage] * k[i]; }
    }
    for (int i = 0; i < MOTION[which].numbers; i++) { y[i] += h / 6.0 * sum[i]; }
}

static inline void motion_start(int which, double *y)
{
    static const double START[MOTIONS][MOST] = {{TRUTH_PI / 2, 0},
                                                {TRUTH_PI / 2, TRUTH_PI / 2, 0, 0},
                                                {1, 0, 0, 0, 6, 1, 2},
                                                {1, 0, 0, 0, 1, 4, 0.5},
                                                {0.3, 0}};
    for (int i = 0; i < MOST; i++) { y[i] = START[which][i]; }
}

// The same in the kernel: links along x of their frames.
static inline void link(int i, double at)
{
    tac_body *b = add_body(at, 0, 1, 1);
    b->inertia = d3_to(MOMENTS);
    tac_joint *j = add_joint(TAC_REVOLUTE, (uint16_t)i, (uint16_t)(i + 1));
    about_y(j);
    b->inertia = (tac_vec3){(tac_real)MOMENTS.x, (tac_real)MOMENTS.z, (tac_real)MOMENTS.y};
    j->frame_a.p.x = (tac_real)(i > 0 ? ARM : 0.0);
    j->frame_b.p.x = (tac_real)-ARM;
}

static inline void motion_build(int which, const double *y)
{
    tac_body *b;
    if (which == PENDULUM || which == DOUBLE_PENDULUM) {
        link(0, ARM);
        if (which == DOUBLE_PENDULUM) { link(1, 3 * ARM); }
    } else if (which == SPRING) {
        b = add_body(y[0], 0, 1, 1);
        tac_joint *j = add_joint(TAC_PRISMATIC, 0, 1);
        const tac_real half = (tac_real)0.70710678118654752440;
        j->frame_a.q = j->frame_b.q = (tac_quat){half, 0, half, 0}; // z along x
        j->stiffness = (tac_real)STIFF;
        j->damping = (tac_real)DAMP;
        m.gravity.z = 0;
    } else {
        b = add_body(which == TOP ? ARM : 0.0, 0, 1, 1);
        b->inertia = d3_to(MOMENTS);
        b->velocity.w = vec(y[4], y[5], y[6]);
        if (which == TOP) {
            tac_joint *j = add_joint(TAC_SPHERICAL, 0, 1);
            j->frame_b.p.x = (tac_real)-ARM;
            b->velocity.v = d3_to(d3_cross(d3_make(y[4], y[5], y[6]), d3_make(ARM, 0, 0)));
        } else {
            m.gravity.z = 0;
        }
    }
    begin_world(&m, &s);
}

static inline int order_of(int which, uint8_t method)
{
    if (method <= TAC_DAE_EULER_PROJECTED) { return 1; }
    return method == TAC_DAE_TRAPEZOIDAL_LINEARISED && MOTION[which].ground ? 1 : 2;
}

// The order between two steps and steps half as long. In float the longer ones, before rounding shows.

// log2 of a ratio, by its mantissa's series.
static inline double d_log2(double a)
{
    double whole = 0;
    while (a >= 2) { a /= 2, whole++; }
    while (a < 1) { a *= 2, whole--; }
    const double t = (a - 1) / (a + 1), t2 = t * t;
    double sum = 0, power = t;
    for (int i = 1; i < 40; i += 2, power *= t2) { sum += power / i; }
    return whole + 2 * sum / 0.69314718055994530942;
}

// ------------------------------------------------------------------------------------------------------------- a chain

// Links of 1 m, hinged, released level; the last is a hundred times as heavy.
static inline void chain(uint8_t method, uint8_t by)
{
    dae_begin(method, 1e-3, 9.81);
    dae.solver = by;
    for (int i = 0; i < 5; i++) {
        const double mass = i == 4 ? 100.0 : 1.0;
        add_body(i + 0.5, 0, mass, mass * (1 + 0.01) / 12.0)->inertia.x = (tac_real)(mass * 0.02 / 12.0);
        tac_joint *j = add_joint(TAC_REVOLUTE, (uint16_t)i, (uint16_t)(i + 1));
        about_y(j);
        j->frame_a.p.x = (tac_real)(i > 0 ? 0.5 : 0.0);
        j->frame_b.p.x = (tac_real)-0.5;
    }
    begin_world(&m, &s);
}

#endif
