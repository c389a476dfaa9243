// SPDX-License-Identifier: MIT
// vary_group.h - rotations and rigid motions as groups: exponentials, their tangent maps, and free rotation of a body.
//   given   rotation vectors, motions, principal moments
//   makes   finite motions and their changes; what a change of angular momentum makes of a step of free rotation
//   bound   constant; vary_fly(): that of free_rotate()
//   never   knows joints
#ifndef DERIVATIVE_VARY_GROUP_H
#define DERIVATIVE_VARY_GROUP_H

#include "../motion/free.h"
#include "../tree/mechanism.h"

#if TAC_MAX_LCP > 0

// ---------------------------------------------------------------------------------------------------- rotation vectors
// A change of a rotation vector a turns exp(a) by J(a) da from the left and by J(-a) da from the right:
//      exp(a + da) = exp(J(a) da) exp(a) = exp(a) exp(J(-a) da)
//      J(a) x = x + b a x x + c a x (a x x),    b = (1 - cos|a|)/|a|^2,  c = (|a| - sin|a|)/|a|^3
//      J(a)^-1 x = x - a x x/2 + k a x (a x x), k = (1 - |a|/2 cot(|a|/2))/|a|^2
#define VARY_SMALL R(0.01) // squared angle below which series hold

// b and c, of the squared angle.
static void vary_tangent(real t, real *b, real *c)
{
    *b = R(0.5) - t * (R(1.0) / R(24.0) - t * (R(1.0) / R(720.0) - t / R(40320.0)));
    *c = R(1.0) / R(6.0) - t * (R(1.0) / R(120.0) - t * (R(1.0) / R(5040.0) - t / R(362880.0)));
    if (!(t < VARY_SMALL)) {
        const real angle = real_sqrt(t);
        real sine, cosine;
        real_sin_cos(angle, &sine, &cosine);
        *b = (R(1.0) - cosine) / t;
        *c = (angle - sine) / (t * angle);
    }
}

// k, of the squared angle.
static real vary_tangent_back(real t)
{
    if (t < VARY_SMALL) {
        return R(1.0) / R(12.0) + t * (R(1.0) / R(720.0) + t * (R(1.0) / R(30240.0) + t / R(1209600.0)));
    }
    const real half = R(0.5) * real_sqrt(t);
    real sine, cosine;
    real_sin_cos(half, &sine, &cosine);
    return (R(1.0) - half * cosine / sine) / t;
}

// J(a) x.
static vec3 vary_left(vec3 a, vec3 x)
{
    const vec3 once = v3_cross(a, x), twice = v3_cross(a, once);
    real b, c;
    vary_tangent(v3_dot(a, a), &b, &c);
    return v3_madd(v3_madd(x, b, once), c, twice);
}

// J(-a) x.
static vec3 vary_right(vec3 a, vec3 x)
{
    return vary_left(v3_scale(R(-1.0), a), x);
}

// J(-a)^-1 x, with k of vary_tangent_back().
static inline vec3 vary_right_back(vec3 a, real k, vec3 x)
{
    const vec3 once = v3_cross(a, x);
    return v3_madd(v3_madd(x, R(0.5), once), k, v3_cross(a, once));
}

// ------------------------------------------------------------------------------------------------------- rigid motions

// x becomes x + turn(x) + shift; both are small, and products of them lose nothing to rounding.
typedef struct vary_rigid {
    quat turn;
    vec3 shift;
} vary_rigid;

// Where a rigid motion takes a point.
static vec3 vary_point(vary_rigid a, vec3 x)
{
    return v3_add(v3_add(x, quat_turn(a.turn, x)), a.shift);
}

// Velocity of a point that moves with a motion (angular, linear).
static inline vec3 vary_velocity(const real *motion, vec3 at)
{
    return v3_add(six_linear(motion), v3_cross(six_angular(motion), at));
}

// First b, then a.
static inline vary_rigid vary_product(vary_rigid a, vary_rigid b)
{
    return (vary_rigid){quat_mul(a.turn, b.turn), v3_add(v3_add(a.shift, b.shift), quat_turn(a.turn, b.shift))};
}

// The rigid motion that a motion makes in the time t.
static inline vary_rigid vary_exp(const real *motion, real t)
{
    const vec3 a = v3_scale(t, six_angular(motion));
    return (vary_rigid){quat_exp_short(a), vary_left(a, v3_scale(t, six_linear(motion)))};
}

// y: the motion x where a rigid motion has carried it.
static inline void vary_carry(vary_rigid a, const real *x, real *y)
{
    const vec3 w = quat_rotate(a.turn, six_angular(x));
    six_set(y, w, v3_add(quat_rotate(a.turn, six_linear(x)), v3_cross(a.shift, w)));
}

// x = a x b, change of a motion b that is carried along by a motion a: F08 (2.31).
static void vary_cross_motion(const real *a, const real *b, real *x)
{
    const vec3 w = six_angular(a), turn = six_angular(b);
    six_set(x, v3_cross(w, turn), v3_add(v3_cross(w, six_linear(b)), v3_cross(six_linear(a), turn)));
}

// x = a x* f, change of a force that is carried along by a motion: F08 (2.32).
static void vary_cross_force(const real *a, const real *f, real *x)
{
    const vec3 w = six_angular(a), force = six_linear(f);
    six_set(x, v3_add(v3_cross(w, six_angular(f)), v3_cross(six_linear(a), force)), v3_cross(w, force));
}

// ------------------------------------------------------------------------------------------- free rotation of one body
// By free.h, in the principal frame: L = I W - T (I W) x W makes the mean rotation W, and I w+ = exp(-h W) L.

// I^-1 x.
static vec3 vary_inverse(vec3 inertia, vec3 x)
{
    return v3(x.x / inertia.x, x.y / inertia.y, x.z / inertia.z);
}

// W of free rotation from a rate at the start, and w+.
static vec3 vary_fly(real h, vec3 inertia, vec3 start, vec3 *end)
{
    const vec3 inverse = vary_inverse(inertia, v3(R(1.0), R(1.0), R(1.0)));
    const vec3 turned = free_rotate(free_ratios(inertia, inverse), h, start);
    *end = v3_add(start, turned);
    return v3_madd(start, R(0.5), turned);
}

// dL by dW.
static inline vec3 vary_dstart_l(real h, vec3 inertia, vec3 w, vec3 dw)
{
    const vec3 l = v3_mul(inertia, w), change = v3_mul(inertia, dw);
    const vec3 bend = v3_add(v3_cross(change, w), v3_cross(l, dw));
    real slope;
    const real t = h * free_tangent(h * h * v3_dot(w, w), &slope), dt = R(2.0) * h * h * h * slope * v3_dot(w, dw);
    return v3_sub(v3_madd(change, -t, bend), v3_scale(dt, v3_cross(l, w)));
}

// dW by dL, as rows: dW = v3_components(row, dL).
static void vary_dmean_w(real h, vec3 inertia, vec3 w, vec3 row[3])
{
    vec3 column[3];
    for (int i = 0; i < 3; i++) { column[i] = vary_dstart_l(h, inertia, w, V3_AXIS[i]); }
    const vec3 first = v3_cross(column[1], column[2]);
    const real part = R(1.0) / v3_dot(column[0], first);
    row[0] = v3_scale(part, first);
    row[1] = v3_scale(part, v3_cross(column[2], column[0]));
    row[2] = v3_scale(part, v3_cross(column[0], column[1]));
}

// dw+ by dL and dW.
static vec3 vary_dend_w(real h, vec3 inertia, vec3 w, vec3 end, vec3 dl, vec3 dw)
{
    const vec3 a = v3_scale(h, w), turned = quat_rotate(quat_exp(v3_scale(R(-1.0), a)), dl);
    const vec3 bend = v3_cross(v3_mul(inertia, end), vary_right(a, v3_scale(h, dw)));
    return vary_inverse(inertia, v3_add(turned, bend));
}

// Columns of w+ and of the excess W - w+ by L, of a body in free flight.
static void vary_flight(real h, vec3 inertia, tac_varied_body *v)
{
    const vec3 a = v3_scale(h, v->flight_w_b[0]), l = v3_scale(h, v3_mul(inertia, v->flight_w_b[1]));
    const quat back = quat_exp_short(v3_scale(R(-1.0), a));
    vec3 row[3];
    vary_dmean_w(h, inertia, v->flight_w_b[0], row);
    for (int i = 0; i < 3; i++) {
        const vec3 e = V3_AXIS[i], dw = v3_components(row, e);
        const vec3 dl = v3_add(v3_add(e, quat_turn(back, e)), v3_cross(l, vary_right(a, dw)));
        v->dend_dl_b[i] = vary_inverse(inertia, dl);
        v->dexcess_dl_b[i] = v3_sub(dw, v->dend_dl_b[i]);
    }
}

#endif

#endif
