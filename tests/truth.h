// SPDX-License-Identifier: MIT
// truth.h - what the tests compute themselves: double precision maths, random numbers, memory compares.
//   given   nothing of the kernel but its public types
//   makes   expectations that share no code with the kernel
//   bound   every loop is counted
//   never   calls a C library
#ifndef TRUTH_H
#define TRUTH_H

#include "tactus/tactus.h"

#define TRUTH_PI 3.14159265358979323846

typedef struct d3 {
    double x, y, z;
} d3;

typedef struct dq {
    double w, x, y, z;
} dq;

// ------------------------------------------------------------------------------------------------------- scalars

static inline double d_abs(double a)
{
    return a < 0.0 ? -a : a;
}

static inline double d_max(double a, double b)
{
    return a > b ? a : b;
}

static inline double d_min(double a, double b)
{
    return a < b ? a : b;
}

static inline double d_clamp(double a, double low, double high)
{
    return a < low ? low : a > high ? high : a;
}

/// Largest |error| so far; a NaN stays.
static inline void d_worst(double *worst, double error)
{
    const double size = d_abs(error);
    if (!(size <= *worst)) { *worst = size; }
}

// Heron's iteration; from above it falls monotonically, so it ends when it no longer falls.
static inline double d_sqrt(double a)
{
    if (!(a > 0.0)) { return 0.0; }
    double scale = 1.0;
    while (a > 4.0) {
        a *= 0.25;
        scale *= 2.0;
    }
    while (a < 1.0) {
        a *= 4.0;
        scale *= 0.5;
    }
    double root = 2.0;
    for (int i = 0; i < 8; i++) { root = 0.5 * (root + a / root); }
    return root * scale;
}

// Taylor series after reduction to |a| <= pi.
static inline double d_sin(double a)
{
    while (a > TRUTH_PI) { a -= 2.0 * TRUTH_PI; }
    while (a < -TRUTH_PI) { a += 2.0 * TRUTH_PI; }
    double sum = a, term = a;
    for (int i = 1; i < 16; i++) {
        term *= -a * a / (double)((2 * i) * (2 * i + 1));
        sum += term;
    }
    return sum;
}

static inline double d_cos(double a)
{
    return d_sin(a + 0.5 * TRUTH_PI);
}

// ------------------------------------------------------------------------------------------------------- vectors

static inline d3 d3_make(double x, double y, double z)
{
    return (d3){x, y, z};
}

static inline d3 d3_of(tac_vec3 a)
{
    return (d3){(double)a.x, (double)a.y, (double)a.z};
}

static inline tac_vec3 d3_to(d3 a)
{
    return (tac_vec3){(tac_real)a.x, (tac_real)a.y, (tac_real)a.z};
}

static inline d3 d3_add(d3 a, d3 b)
{
    return (d3){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline d3 d3_sub(d3 a, d3 b)
{
    return (d3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline d3 d3_scale(double s, d3 a)
{
    return (d3){s * a.x, s * a.y, s * a.z};
}

static inline double d3_dot(d3 a, d3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline d3 d3_cross(d3 a, d3 b)
{
    return (d3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline double d3_norm(d3 a)
{
    return d_sqrt(d3_dot(a, a));
}

// --------------------------------------------------------------------------------------------------- quaternions

static inline dq dq_of(tac_quat q)
{
    return (dq){(double)q.w, (double)q.x, (double)q.y, (double)q.z};
}

static inline tac_quat dq_to(dq q)
{
    return (tac_quat){(tac_real)q.w, (tac_real)q.x, (tac_real)q.y, (tac_real)q.z};
}

static inline dq dq_about(d3 axis, double angle)
{
    const double s = d_sin(0.5 * angle) / d3_norm(axis);
    return (dq){d_cos(0.5 * angle), s * axis.x, s * axis.y, s * axis.z};
}

static inline dq dq_mul(dq a, dq b)
{
    return (dq){a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}

static inline dq dq_conjugate(dq q)
{
    return (dq){q.w, -q.x, -q.y, -q.z};
}

// The sandwich q v q*, by the definition of the product.
static inline d3 dq_rotate(dq q, d3 v)
{
    const dq r = dq_mul(dq_mul(q, (dq){0.0, v.x, v.y, v.z}), dq_conjugate(q));
    return (d3){r.x, r.y, r.z};
}

// -------------------------------------------------------------------------------------------------------- random

/// Knuth's 64 bit congruential generator; the high bits are the good ones.
typedef struct rng {
    uint64_t state;
} rng;

static inline uint32_t rng_bits(rng *r)
{
    r->state = r->state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(r->state >> 32);
}

static inline uint32_t rng_below(rng *r, uint32_t count)
{
    return (uint32_t)(((uint64_t)rng_bits(r) * count) >> 32);
}

static inline double rng_range(rng *r, double low, double high)
{
    return low + (high - low) * ((double)rng_bits(r) / 4294967296.0);
}

/// Alike on a logarithmic scale: each octave between the two numbers is as likely.
static inline double octave_range(rng *r, double low, double high)
{
    uint32_t octaves = 0;
    for (double x = low; x < high; x *= 2) { octaves++; }
    double x = low;
    for (uint32_t k = rng_below(r, octaves); k > 0; k--) { x *= 2; }
    return rng_range(r, x, d_min(2 * x, high));
}

static inline d3 rng_box(rng *r, double half)
{
    const double x = rng_range(r, -half, half), y = rng_range(r, -half, half), z = rng_range(r, -half, half);
    return (d3){x, y, z};
}

static inline dq rng_quat(rng *r)
{
    for (int tries = 0; tries < 1000; tries++) {
        const double w = rng_range(r, -1.0, 1.0);
        const d3 v = rng_box(r, 1.0);
        const double norm = d_sqrt(w * w + d3_dot(v, v));
        if (norm > 0.1 && norm < 1.0) { return (dq){w / norm, v.x / norm, v.y / norm, v.z / norm}; }
    }
    return (dq){1.0, 0.0, 0.0, 0.0};
}

// -------------------------------------------------------------------------------------------------------- memory

// By words as far as they go: work areas have a hundred thousand bytes, and tests fill them before each slice of a
// step.
static inline void truth_fill(void *to, size_t count, uint8_t value)
{
    typedef uint64_t __attribute__((may_alias, aligned(1))) any_word;
    volatile any_word *words = to;
    volatile uint8_t *bytes = to;
    const size_t whole = count / sizeof *words;
    for (size_t i = 0; i < whole; i++) { words[i] = value * (UINT64_MAX / UINT8_MAX); }
    for (size_t i = whole * sizeof *words; i < count; i++) { bytes[i] = value; }
}

static inline void truth_copy(void *to, const void *from, size_t count)
{
    uint8_t *t = to;
    const uint8_t *f = from;
    for (size_t i = 0; i < count; i++) { t[i] = f[i]; }
}

static inline int truth_equal(const void *a, const void *b, size_t count)
{
    const uint8_t *p = a, *q = b;
    for (size_t i = 0; i < count; i++) {
        if (p[i] != q[i]) { return 0; }
    }
    return 1;
}

// ------------------------------------------------------------------------------------- short names for the tests

static inline tac_vec3 vec(double x, double y, double z)
{
    return (tac_vec3){(tac_real)x, (tac_real)y, (tac_real)z};
}

/// The values that no field may hold.
static inline tac_real real_nan(void)
{
    volatile tac_real zero = (tac_real)0;
    return zero / zero;
}

static inline tac_real real_inf(void)
{
    volatile tac_real zero = (tac_real)0;
    return (tac_real)1 / zero;
}

/// Where the origin of a frame of a body is, world.
static inline d3 world_place(const tac_model *model, const tac_state *state, uint16_t body, tac_vec3 point)
{
    const tac_pose at = tac_state_get_pose(model, state, body);
    return d3_add(d3_of(at.p), dq_rotate(dq_of(at.q), d3_of(point)));
}

/// How far the origins of a joint's frames are from each other, by the poses; 0 where its kind lets them be apart.
static inline double joint_gap(const tac_model *model, const tac_state *state, const tac_joint *j)
{
    const int meet =
        j->kind == TAC_FIXED || j->kind == TAC_REVOLUTE || j->kind == TAC_SPHERICAL || j->kind == TAC_UNIVERSAL;
    return meet ? d3_norm(d3_sub(world_place(model, state, j->body_a, j->frame_a.p),
                                 world_place(model, state, j->body_b, j->frame_b.p)))
                : 0.0;
}

/// Angular velocity of a body in the world frame.
static inline d3 world_rate(const tac_state *state, uint16_t body)
{
    return dq_rotate(dq_of(state->pose[body].q), d3_of(state->twist[body].w));
}

#endif
