// SPDX-License-Identifier: MIT
// free.h - one body by itself: rotation without torque, the pose and velocity that changes of velocity lead to,
// energies.
//   given   principal moments, angular velocity; pose, twist, their changes
//   makes   the change of the angular velocity by free rotation; the next pose and twist; energies and momenta
//   bound   FREE_ITERATIONS of Newton's method a body
//   never   applies an explicit gyroscopic torque: |L| would drift
#ifndef MOTION_FREE_H
#define MOTION_FREE_H

#include "../base/vec.h"

// L is constant in the world; seen from the body it rotates backwards by the rotation that the body makes, exp(h W).
// With the mean rate W = I^-1 (L + L+)/2 this is the midpoint rule. It keeps |L|, and W.(L+ - L) = 0 is the change of
// the energy. By Cayley's transform L + exp(-h W) L = 2 I W says that
//      L = I W - T (I W) x W,   L+ = I W + T (I W) x W,   T = tan(h|W|/2)/|W|
#define FREE_SLOW R(1e-4) // rad2, square of h|W| below which three terms of a series are enough, and so many
#define FREE_FIXED 4      // fixed-point iterations leave less than a rounding in float; in double twice as many
#define FREE_ITERATIONS 8 // of Newton's method elsewhere: enough up to 1.3 rad a step, whatever the moments are
#define FREE_EXACT (R(4.0) * REAL_EPSILON) // part of the change of the rates that these may leave
#define FREE_MOST R(9.8)                   // rad2: T has a pole at h|W| = pi

// T/h at the square x of the angle h|W|, and its derivative by x.
static inline real free_tangent(real x, real *slope)
{
    if (x < FREE_SLOW) {
        *slope = R(1.0) / R(24.0);
        return R(0.5) + x * (R(1.0) / R(24.0) + x * (R(1.0) / R(240.0)));
    }
    const real angle = real_sqrt(x);
    real sin, cos;
    real_sin_cos(R(0.5) * angle, &sin, &cos);
    const real tangent = sin / cos;
    *slope = (R(0.25) + R(0.25) * tangent * tangent - R(0.5) * tangent / angle) / x;
    return tangent / angle;
}

// T (I W) x W: half the change of L in the step.
static inline vec3 free_bend(vec3 inertia, real h, vec3 mean)
{
    real slope;
    const real t = h * free_tangent(h * h * v3_dot(mean, mean), &slope);
    return v3_scale(t, v3_cross(v3_mul(inertia, mean), mean));
}

// The differences of the moments over the moments, k: Euler's equations are w' = k o (w_y w_z, w_z w_x, w_x w_y).
static inline vec3 free_ratios(vec3 inertia, vec3 inv_inertia)
{
    const vec3 i = inertia;
    return v3_mul(inv_inertia, v3(i.y - i.z, i.z - i.x, i.x - i.y));
}

static inline vec3 free_products(vec3 w)
{
    return v3(w.y * w.z, w.z * w.x, w.x * w.y);
}

// Where the mean rate is not found: the squares of the rates change by 4 k p with any p, on the sphere of |L| and the
// ellipsoid of the energy; p of an explicit step, as far as no square becomes negative. Returns the change.
static vec3 free_turn_back(vec3 k, real h, vec3 w)
{
    const vec3 ahead = v3_madd(w, h, v3_mul(k, free_products(w)));
    const real ratio[3] = {k.x, k.y, k.z}, rate[3] = {w.x, w.y, w.z}, to[3] = {ahead.x, ahead.y, ahead.z};
    real p = R(2.0) * h * w.x * w.y * w.z, end[3];
    for (int i = 0; i < 3; i++) {
        const real most = -rate[i] * rate[i];
        if (ratio[i] * p < most) { p *= most / (ratio[i] * p); }
    }
    for (int i = 0; i < 3; i++) {
        const real size = real_sqrt(real_max(rate[i] * rate[i] + ratio[i] * p, R(0.0)));
        end[i] = to[i] < R(0.0) ? -size : size;
    }
    return v3_sub(v3_of(end), w);
}

// Free rotation over one step, from the rate w: returns its change 2 d, with the mean rate W = w + d. In rates, where
// the ratios k are at most 1, since rounding of L is large beside the smallest moment of a slender body. Steady
// rotation changes nothing, to the bit. Slow rotation by fixed-point iterations for d = T k o (W_y W_z, W_z W_x, W_x
// W_y), where the body turns fast by Newton's method.
static vec3 free_rotate(vec3 k, real h, vec3 w)
{
    vec3 d = V3_ZERO;
    int exact = 0;
    if (v3_norm_inf(k) == R(0.0)) { return v3_mul(k, w); } // a ball
    if (h * h * v3_dot(w, w) < FREE_SLOW) {
        for (int round = 0; round < (TAC_REAL_BITS == 64 ? 2 : 1); round++) {
            real slope;
            const vec3 mean = v3_add(w, d), a = v3_scale(h * free_tangent(h * h * v3_dot(mean, mean), &slope), k);
            for (int i = 0; i < FREE_FIXED; i++) { d = v3_mul(a, free_products(v3_add(w, d))); }
        }
        return v3_add(d, d);
    }
    for (int iteration = 0; iteration <= FREE_ITERATIONS; iteration++) {
        const vec3 mean = v3_add(w, d), bend = v3_mul(k, free_products(mean));
        const real x = h * h * v3_dot(mean, mean);
        if (!(x < FREE_MOST)) { break; }
        real slope;
        const real t = h * free_tangent(x, &slope);
        const vec3 left = v3_sub(v3_scale(t, bend), d);
        if (exact) { return v3_scale(R(2.0) * t, bend); }
        exact = v3_norm_inf(left) <= FREE_EXACT * v3_norm_inf(d);
        const vec3 a = v3_scale(t, k), by = v3_scale(R(2.0) * h * h * h * slope, mean);
        const vec3 row[3] = {v3_madd(v3(R(1.0), -a.x * mean.z, -a.x * mean.y), -bend.x, by),
                             v3_madd(v3(-a.y * mean.z, R(1.0), -a.y * mean.x), -bend.y, by),
                             v3_madd(v3(-a.z * mean.y, -a.z * mean.x, R(1.0)), -bend.z, by)};
        const vec3 yz = v3_cross(row[1], row[2]), zx = v3_cross(row[2], row[0]), xy = v3_cross(row[0], row[1]);
        const vec3 sum = v3_madd(v3_madd(v3_scale(left.x, yz), left.y, zx), left.z, xy);
        d = v3_madd(d, R(1.0) / v3_dot(row[0], yz), sum);
    }
    return free_turn_back(k, h, w);
}

// free_rotate() to third order of the angle: enough before the impulses of a step are known, since each body is rotated
// again once they are (move_rotate(), tree_motion.h).
static inline vec3 free_predict(vec3 k, real h, vec3 w)
{
    if (!(h * h * v3_dot(w, w) < FREE_SLOW)) { return free_rotate(k, h, w); }
    const vec3 d = v3_scale(R(0.5) * h, v3_mul(k, free_products(w)));
    return v3_scale(h, v3_mul(k, free_products(v3_add(w, d))));
}

// sum += add + compensation in working precision; the rounding error of this addition is the new compensation (Kahan).
static inline void free_sum(vec3 *sum, vec3 add, vec3 *compensation)
{
    const vec3 change = v3_add(add, *compensation), before = *sum;
    *sum = v3_add(before, change);
    *compensation = v3_sub(change, v3_sub(*sum, before));
}

// v+ = v + delta_v, and the position of q+ = q exp(h (v+ + pseudo_velocity)).
static void free_shift(real h, const tac_twist *delta_v, const tac_twist *pseudo_velocity, tac_pose *q, tac_twist *t,
                       tac_compensation *c)
{
    free_sum(&t->v, delta_v->v, &c->v);
    free_sum(&t->w, delta_v->w, &c->w);
    free_sum(&q->p, v3_scale(h, v3_add(t->v, pseudo_velocity->v)), &c->p);
}

// v+ = v + delta_v,  q+ = q exp(h (v+ + pseudo_velocity)), TCE17 (54); the quaternion is normalised. `series`: the exp
// of a small rotation is a series.
static void free_commit(real h, const tac_twist *delta_v, const tac_twist *pseudo_velocity, int series, tac_pose *q,
                        tac_twist *t, tac_compensation *c)
{
    free_shift(h, delta_v, pseudo_velocity, q, t, c);
    const vec3 turn = v3_scale(h, v3_add(t->w, pseudo_velocity->w));
    q->q = quat_mul(q->q, series ? quat_exp_short(turn) : quat_exp(turn));
    quat_unit(&q->q);
}

// M t of a body: its momentum, angular in its principal frame.
static inline void free_momentum(const tac_moving *body, const tac_twist *t, tac_twist *momentum)
{
    momentum->v = v3_scale(body->mass, t->v);
    momentum->w = v3_mul(body->inertia, t->w);
}

// a'M b of a body; of one twist with itself twice its kinetic energy.
static inline real free_product(real mass, vec3 inertia, const tac_twist *a, const tac_twist *b)
{
    return mass * v3_dot(a->v, b->v) + v3_dot(v3_mul(inertia, a->w), b->w);
}

// Adds the energies of a body.
static void free_add_energy(const tac_model *m, uint16_t i, const tac_pose *q, const tac_twist *t, real *kinetic,
                            real *potential)
{
    const tac_body *def = &m->body[i];
    if (def->kind != TAC_DYNAMIC) { return; }
    *kinetic += R(0.5) * free_product(def->mass, def->inertia, t, t);
    *potential -= def->mass * v3_dot(m->gravity, q->p);
}

// Adds the momenta of a body, angular about the world's origin.
static void free_add_momentum(const tac_body *def, const tac_pose *q, const tac_twist *t, vec3 *linear, vec3 *angular)
{
    if (def->kind != TAC_DYNAMIC) { return; }
    const vec3 p = v3_scale(def->mass, t->v), spin = quat_rotate(q->q, v3_mul(def->inertia, t->w));
    *linear = v3_add(*linear, p);
    *angular = v3_add(*angular, v3_add(spin, v3_cross(q->p, p)));
}

#endif
