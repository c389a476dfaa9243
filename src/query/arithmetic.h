// SPDX-License-Identifier: MIT
// arithmetic.h - whether the arithmetic, as compiled and as configured at run time, has the properties that equal bits
// need.
//   given   nothing: its operands are hidden from the compiler
//   makes   the first property that does not hold, of TAC_PROMISE_*; their names
//   bound   constant
//   never   changes a mode of the machine, keeps state, or returns KEPT where a simulated motion has unexpected bits
// Causes come before their effects: where numbers are rounded upwards, products and roots are wrong too.
#ifndef QUERY_ARITHMETIC_H
#define QUERY_ARITHMETIC_H

#include "../sets/cone.h"
#include "../model/check.h"
#include "../step/move.h"

static const char ARITHMETIC_PROMISE[] = TAC_PROMISE_TABLE(TAC_TABLE_TEXT) "?";

// Expected bits: of roots, and of arithmetic_motion() where all promises are kept. After an intended change of bits,
// tests/size/arithmetic.c prints the new ones.
#if TAC_REAL_BITS == 32
#define ARITHMETIC_ROOT_2 UINT32_C(0x3fb504f3)
#define ARITHMETIC_ROOT_3 UINT32_C(0x3fddb3d7)
#define ARITHMETIC_MOTION UINT32_C(0x6dab2712)
#else
#define ARITHMETIC_ROOT_2 UINT64_C(0x3ff6a09e667f3bcd)
#define ARITHMETIC_ROOT_3 UINT64_C(0x3ffbb67ae8584caa)
#define ARITHMETIC_MOTION UINT64_C(0x5e0f09e3fcbc8a81)
#endif

// Returns x; the compiler cannot know its value.
static real arithmetic_seen(real x)
{
    volatile real seen = x;
    return seen;
}

static real_bits arithmetic_bits(real x)
{
    const real_pun pun = {x};
    return pun.bits;
}

static real arithmetic_real(real_bits bits)
{
    real_pun pun = {R(0.0)};
    pun.bits = bits;
    return arithmetic_seen(pun.value);
}

// Rounding to nearest, ties to even. Every other mode changes one of these sums.
static int arithmetic_rounds(void)
{
    const real one = arithmetic_seen(R(1.0)), e = REAL_EPSILON;
    return one + R(0.5) * e == R(1.0) && (one + e) + R(0.5) * e == R(1.0) + R(2.0) * e &&
           one + R(0.75) * e == R(1.0) + e && -one - R(0.75) * e == -(R(1.0) + e);
}

// Subnormal results are not flushed to zero, and subnormal operands are not read as zero.
static int arithmetic_subnormal(void)
{
    const real_bits normal = (real_bits)1 << REAL_FRACTION;
    const real least = arithmetic_real(1);
    return arithmetic_bits(arithmetic_real(normal) * R(0.5)) == normal >> 1 &&
           arithmetic_bits(arithmetic_real(normal | 1) - arithmetic_real(normal)) == 1 && least > R(0.0) &&
           arithmetic_bits(least / REAL_EPSILON) == normal;
}

static int arithmetic_nan(void)
{
    const real_bits endless = (real_bits)(2 * REAL_BIAS + 1) << REAL_FRACTION;
    const real inf = arithmetic_real(endless), one = arithmetic_seen(R(1.0));
    const real nan = arithmetic_real(endless | (real_bits)1 << (REAL_FRACTION - 1));
    const real mixed[3] = {one, nan, inf};
    return !real_finite(nan) && !real_finite(inf) && real_finite(one) && !reals_finite(mixed, sizeof mixed) &&
           nan != nan && !(nan == one) && !(nan < one) && !(nan >= one) && !check_within(nan, one) &&
           !(inf <= REAL_LARGEST) && !real_finite(inf - inf);
}

static int arithmetic_zero(void)
{
    const real zero = arithmetic_seen(R(0.0)), minus = arithmetic_seen(-R(0.0));
    return arithmetic_bits(minus) != 0 && arithmetic_bits(minus + R(0.0)) == 0 && arithmetic_bits(R(0.0) - zero) == 0 &&
           arithmetic_bits(zero * R(-1.0)) == arithmetic_bits(minus);
}

// In each precision one of these divisors d has 1/d times d different from 1. Three quotients by the same divisor tempt
// a compiler to use the reciprocal.
static int arithmetic_divides(void)
{
    const real divisor[2] = {R(41.0), R(49.0)};
    int good = arithmetic_seen(R(41.0)) / R(41.0) == R(1.0) && arithmetic_seen(R(49.0)) / R(49.0) == R(1.0);
    for (int i = 0; i < 2; i++) {
        const real d = arithmetic_seen(divisor[i]);
        const vec3 n = v3(arithmetic_seen(d), arithmetic_seen(R(2.0) * d), arithmetic_seen(R(4.0) * d));
        const vec3 q = v3(n.x / d, n.y / d, n.z / d);
        good = good && q.x == R(1.0) && q.y == R(2.0) && q.z == R(4.0);
    }
    return good;
}

// Summed from the left, each half of the distance from 1 to the next number is lost.
static int arithmetic_sums(void)
{
    const real one = arithmetic_seen(R(1.0)), half = arithmetic_seen(R(0.5) * REAL_EPSILON);
    real part[8], sum = one;
    for (int i = 0; i < 8; i++) { part[i] = arithmetic_seen(half); }
    for (int i = 0; i < 8; i++) { sum += part[i]; }
    return sum == one && (one + half) - one == R(0.0);
}

// The difference of two equal products is zero if both are rounded before the subtraction; fused, the rounding error of
// one remains. Vectorisers also fuse in rotations, so a rotation about one axis and its inverse are composed, as a
// product of poses and as a body that rotates back in one step.
static int arithmetic_products(void)
{
    const real a = arithmetic_seen(R(1.0) + REAL_EPSILON), square = arithmetic_seen(a * a);
    const real first = arithmetic_seen(a) * a - square, second = square - arithmetic_seen(a) * a;
    const real w = arithmetic_seen(R(0.7)), h = arithmetic_seen(R(0.1));
    real left = real_max(real_abs(first), real_abs(second));
    for (int axis = 0; axis < 3; axis++) {
        const vec3 v = v3_scale(w, V3_AXIS[axis]);
        const tac_pose there = {v, {a - w * h, v.x, v.y, v.z}}, back = {v, quat_conj(there.q)};
        tac_pose both;
        pose_mul(&there, &back, &both);
        left = real_max(left, v3_norm_inf(v3(both.q.x, both.q.y, both.q.z)));
    }
    const tac_twist none = {V3_ZERO, V3_ZERO};
    tac_twist twist = {V3_ZERO, {R(9.1), R(0.0), R(0.0)}};
    tac_compensation compensation;
    tac_pose pose = {V3_ZERO, quat_conj(quat_exp(v3_scale(h, twist.w)))};
    reals_clear(&compensation, sizeof compensation);
    free_commit(h, &none, &none, 0, &pose, &twist, &compensation);
    return real_max(left, v3_norm_inf(v3(pose.q.x, pose.q.y, pose.q.z))) == R(0.0);
}

// Square roots of 2, of 3, and of numbers next to 1, whose roots lie close to the midpoint of two numbers.
static int arithmetic_roots(void)
{
    const real one = arithmetic_seen(R(1.0)), below = one - R(0.5) * REAL_EPSILON;
    return arithmetic_bits(real_sqrt(one + one)) == ARITHMETIC_ROOT_2 &&
           arithmetic_bits(real_sqrt(one + one + one)) == ARITHMETIC_ROOT_3 && real_sqrt(below) == below &&
           real_sqrt(one + R(2.0) * REAL_EPSILON) == one + REAL_EPSILON;
}

static real_bits arithmetic_mix(real_bits bits, const void *object, size_t size)
{
    const real *x = object;
    for (size_t i = 0; i < size / sizeof *x; i++) { bits = bits * 31 + arithmetic_bits(x[i]); }
    return bits;
}

// A motion computed by the kernel's own functions: a body tumbles for two steps, is expressed in another frame, and its
// impulse is projected onto its cone.
static real_bits arithmetic_motion(void)
{
    tac_pose pose = {{R(0.1), R(-0.2), R(0.3)}, {R(0.7), R(0.1), R(-0.5), R(0.5)}};
    tac_twist twist = {{R(1.7), R(-0.3), R(0.9)}, {R(3.1), R(-7.3), R(2.9)}};
    tac_compensation compensation;
    const tac_twist delta_v = {{R(0.01), R(0.02), R(-0.0981)}, {R(0.3), R(-0.1), R(0.7)}}, shift = {V3_ZERO, V3_ZERO};
    const real h = arithmetic_seen(R(0.1));
    reals_clear(&compensation, sizeof compensation);
    for (int step = 0; step < 2; step++) { free_commit(h, &delta_v, &shift, 0, &pose, &twist, &compensation); }
    pose_mul(&pose, &pose, &pose);
    const sym3 w = {R(3.0) + pose.q.w, pose.q.x, pose.q.y, R(2.0), pose.q.z, R(1.5)};
    sym3 inverse;
    sym3_inverse(&w, &inverse);
    const vec3 g = cone_project(sym3_mul(&inverse, twist.v), R(0.3), R(0.9), R(0.7));
    real_bits bits = arithmetic_mix(0, &pose, sizeof pose);
    bits = arithmetic_mix(bits, &twist, sizeof twist);
    return arithmetic_mix(bits, &g, sizeof g);
}

static uint32_t arithmetic_broken(void)
{
    if (!arithmetic_rounds()) { return TAC_PROMISE_ROUNDING; }
    if (!arithmetic_subnormal()) { return TAC_PROMISE_SUBNORMAL; }
    if (!arithmetic_nan()) { return TAC_PROMISE_NAN; }
    if (!arithmetic_zero()) { return TAC_PROMISE_ZERO; }
    if (!arithmetic_divides()) { return TAC_PROMISE_DIVISION; }
    if (!arithmetic_sums()) { return TAC_PROMISE_SUMS; }
    if (!arithmetic_products()) { return TAC_PROMISE_PRODUCTS; }
    if (!arithmetic_roots()) { return TAC_PROMISE_ROOT; }
    return arithmetic_motion() == ARITHMETIC_MOTION ? TAC_PROMISE_KEPT : TAC_PROMISE_BITS;
}

#endif
