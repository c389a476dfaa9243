// SPDX-License-Identifier: MIT
// real.h - scalars: literals, comparisons, square root, sine, cosine and angle that give the same bits everywhere.
//   given   IEEE 754 + - * / in round to nearest, without contraction or extended precision (checked below)
//   makes   R(), real_* on one tac_real; no libm
//   bound   constant; the integer square root takes one step per result bit
//   never   returns NaN for a finite argument in the stated domain
#ifndef BASE_REAL_H
#define BASE_REAL_H

// The options that bits depend on hold from here on, whatever the command line says, also where flags cannot be set;
// and gcc makes no loop a call of the C library. With the options of config.h this changes nothing.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("fp-contract=off", "no-tree-vectorize", "no-tree-loop-distribute-patterns")
#ifdef __OPTIMIZE_SIZE__ // at -Os what is taken out of loops needs more registers than there are: 1 % of flash
#pragma GCC optimize("no-move-loop-invariants")
#endif
#elif defined(_MSC_VER) && !defined(__clang__)
#pragma fp_contract(off)
#else
#pragma STDC FP_CONTRACT OFF
#endif

// gcc's builtins exist in gcc and clang only; for others (MSVC, IAR, armcc) each has a definition in C.
#if defined(__GNUC__) || defined(__clang__)
#define REAL_BUILTINS 1
#else
#define REAL_BUILTINS 0
#endif

#include "tactus/tactus.h"
#include <float.h>

// Options that relax the arithmetic, as far as a compiler reports them by macros; tac_self_test() finds the others.
#ifdef __FAST_MATH__
#error "the kernel needs IEEE arithmetic: compile without -ffast-math"
#endif
#if defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__
#error "the kernel refuses what is not finite by comparisons: compile without -ffinite-math-only"
#endif
#if defined(__ASSOCIATIVE_MATH__) || defined(__RECIPROCAL_MATH__) || defined(__NO_SIGNED_ZEROS__)
#error "compile without -funsafe-math-optimizations, -fassociative-math, -freciprocal-math, -fno-signed-zeros"
#endif
#if FLT_EVAL_METHOD != 0 && FLT_EVAL_METHOD != 16
#error "the kernel needs FLT_EVAL_METHOD 0: on x86 use SSE2, not x87"
#endif

typedef tac_real real;

// What a program does once, before its first step: made small, with all that nothing else calls. Where flash counts and
// gcc still copies structs in place; for RISC-V it would call memcpy().
#if defined(__GNUC__) && !defined(__clang__) && defined(__arm__)
#define REAL_ONCE __attribute__((cold))
#else
#define REAL_ONCE
#endif

// Literals are written as double and rounded once, here.
#define R(literal) ((real)(literal))

#if TAC_REAL_BITS == 32
typedef uint32_t real_bits;
#define REAL_FRACTION 23
#define REAL_BIAS 127
#define REAL_EPSILON R(1.1920928955078125e-7)
#define REAL_LARGEST FLT_MAX
#define REAL_LEAST FLT_MIN
#if REAL_BUILTINS
#define REAL_ABS(x) __builtin_fabsf(x)
#if (defined(__ARM_FP) && (__ARM_FP & 4)) || defined(__riscv_flen) || defined(__SSE2__) || defined(__aarch64__) ||     \
    defined(__wasm__)
#define REAL_SQRT(x) __builtin_sqrtf(x)
#endif
#endif
#else
typedef uint64_t real_bits;
#define REAL_FRACTION 52
#define REAL_BIAS 1023
#define REAL_EPSILON R(2.220446049250313e-16)
#define REAL_LARGEST DBL_MAX
#define REAL_LEAST DBL_MIN
#if REAL_BUILTINS
#define REAL_ABS(x) __builtin_fabs(x)
#if (defined(__ARM_FP) && (__ARM_FP & 8)) || defined(__SSE2__) || defined(__aarch64__) || defined(__wasm__)
#define REAL_SQRT(x) __builtin_sqrt(x)
#elif defined(__riscv_flen)
#if __riscv_flen >= 64
#define REAL_SQRT(x) __builtin_sqrt(x)
#endif
#endif
#endif
#endif

typedef union real_pun {
    real value;
    real_bits bits;
} real_pun;

#ifndef REAL_ABS
#define REAL_ABS(x) real_abs_bits(x)
#endif

static inline real real_abs_bits(real x) // the sign is the highest bit
{
    real_pun pun = {x};
    pun.bits &= (real_bits)-1 >> 1;
    return pun.value;
}

static real real_abs(real x)
{
    return REAL_ABS(x);
}

static real real_min(real a, real b)
{
    return a < b ? a : b;
}

static real real_max(real a, real b)
{
    return a > b ? a : b;
}

static real real_clamp(real x, real lo, real hi)
{
    return x < lo ? lo : (x > hi ? hi : x);
}

// x - x is NaN for infinite x and NaN, and NaN equals nothing.
static int real_finite(real x)
{
    return x - x == R(0.0);
}

#define REALS_FOUR (TAC_MAX_JOINTS > 0) // several reals an iteration: with joints there are many of them

// Four at a time; what infinity or NaN is added to is never finite again.
static inline real reals_sum(const real *x, size_t count)
{
    real sum = R(0.0);
    size_t i = 0;
    for (; i + 4 <= count; i += 4) { sum += (x[i] + x[i + 1]) + (x[i + 2] + x[i + 3]); }
    for (; i < count; i++) { sum += x[i]; }
    return sum;
}

// Are all reals of an object that consists of them finite? A finite sum says so; one that is not may have overflowed.
static int reals_finite(const void *object, size_t size)
{
    const real *x = object;
    real sum = R(0.0);
    if (REALS_FOUR && real_finite(reals_sum(x, size / sizeof *x))) { return 1; }
    for (size_t i = 0; i < size / sizeof *x; i++) { sum += x[i] - x[i]; }
    return sum == R(0.0);
}

// Are all its reals within -most .. most? NaN is not.
static int reals_within(const void *object, size_t size, real most)
{
    const real *x = object, *const end = x + size / sizeof *x;
    while (x < end && real_abs(*x) <= most) { x++; }
    return x == end;
}

// Correctly rounded square root with integers only, one result bit per iteration. The radicand is scaled by an even
// power of two so that its root, taken to one bit more than the fraction holds, is an integer; that last bit decides
// the rounding. A tie cannot occur: the scaled radicand ends in zeros, the square of an odd root does not.
//   x >= 0; zero, infinity and NaN are returned as they are
static inline real real_sqrt_integer(real x)
{
    const real_bits hidden = (real_bits)1 << REAL_FRACTION;
    real_pun pun = {x};
    if (x == R(0.0) || !real_finite(x)) { return x; }

    int32_t exponent = (int32_t)(pun.bits >> REAL_FRACTION);
    real_bits fraction = pun.bits & (hidden - 1);
    if (exponent == 0) { // subnormal
        for (exponent = 1; fraction < hidden; exponent--) { fraction <<= 1; }
    } else {
        fraction |= hidden;
    }
    exponent -= REAL_BIAS;
    if (exponent & 1) {
        fraction <<= 1;
        exponent -= 1;
    }

    // radicand = fraction 2^(REAL_FRACTION + 2): the pairs of bits of `fraction`, then pairs of zeros
    const int32_t zero_pairs = (REAL_FRACTION + 1) / 2 + (REAL_FRACTION % 2 == 0);
    if (REAL_FRACTION % 2 != 0) { fraction <<= 1; }
    real_bits root = 0, rest = 0;
    for (int32_t pair = REAL_FRACTION + 1; pair >= 0; pair--) {
        rest <<= 2;
        if (pair >= zero_pairs) { rest |= (fraction >> (2 * (pair - zero_pairs))) & 3; }
        const real_bits trial = (root << 2) | 1;
        root <<= 1;
        if (rest >= trial) {
            rest -= trial;
            root |= 1;
        }
    }
    const real_bits rounded = (root + 1) >> 1; // carries the hidden bit into the exponent
    pun.bits = ((real_bits)(exponent / 2 + REAL_BIAS - 1) << REAL_FRACTION) + rounded;
    return pun.value;
}

// Square root of x >= 0: the instruction where there is one, integers elsewhere. Declared as functions without effects,
// since a compiler that may set errno would call the C library.
#ifdef REAL_SQRT
float __builtin_sqrtf(float) __attribute__((const));
double __builtin_sqrt(double) __attribute__((const));
#else
#define REAL_SQRT(x) real_sqrt_integer(x)
#endif

static real real_sqrt(real x)
{
    return REAL_SQRT(x);
}

// Taylor coefficients after the first term, in powers of -x^2: 1/3!, 1/5! ... and 1/2!, 1/4! ...
#define REAL_TERMS 8
static const real REAL_SINE[REAL_TERMS] = {
    R(1.6666666666666666667e-1),  R(8.3333333333333333333e-3),  R(1.9841269841269841270e-4),
    R(2.7557319223985890653e-6),  R(2.5052108385441718775e-8),  R(1.6059043836821614599e-10),
    R(7.6471637318198164759e-13), R(2.8114572543455207632e-15),
};
static const real REAL_COSINE[REAL_TERMS] = {
    R(0.5),
    R(4.1666666666666666667e-2),
    R(1.3888888888888888889e-3),
    R(2.4801587301587301587e-5),
    R(2.7557319223985890653e-7),
    R(2.0876756987868098979e-9),
    R(1.1470745597729724714e-11),
    R(4.7794773323873852974e-14),
};

// 1 + z (c0 + z (c1 + ...))
static real real_series(const real *c, real z)
{
    const real rest = z * (c[4] + z * (c[5] + z * (c[6] + z * c[7])));
    return R(1.0) + z * (c[0] + z * (c[1] + z * (c[2] + z * (c[3] + rest))));
}

// Sine and cosine for |x| <= 2^15, to 5 units in the last place of 1; a larger angle counts as zero (no step rotates a
// body by 10^4 revolutions). x = k pi/2 + r with |r| <= pi/4, pi/2 in three parts so that k times the first two is
// exact.
static void real_sin_cos(real x, real *sin, real *cos)
{
    const real half_pi_1 = TAC_REAL_BITS == 32 ? R(1.5703125) : R(1.57079632673412561417);
    const real half_pi_2 = TAC_REAL_BITS == 32 ? R(4.837512969970703125e-4) : R(6.07710050630396597660e-11);
    const real half_pi_3 = TAC_REAL_BITS == 32 ? R(7.54978995489188216e-8) : R(2.02226624879595063154e-21);
    if (!(real_abs(x) <= R(32768.0))) { x = R(0.0); }

    const real turns = x * R(0.63661977236758134308);
    const int32_t k = (int32_t)(turns < R(0.0) ? turns - R(0.5) : turns + R(0.5));
    const real r = ((x - (real)k * half_pi_1) - (real)k * half_pi_2) - (real)k * half_pi_3;
    const real s = r * real_series(REAL_SINE, -r * r), c = real_series(REAL_COSINE, -r * r);
    const real a = k & 1 ? c : s, b = k & 1 ? s : c;
    *sin = k & 2 ? -a : a;
    *cos = (k + 1) & 2 ? -b : b;
}

// The angle of (x, y), not both 0, to within 0.005.
static inline real real_angle_near(real y, real x)
{
    const real ax = real_abs(x), ay = real_abs(y), r = real_min(ax, ay) / real_max(ax, ay);
    real angle = r * (R(0.78539816339744830962) + R(0.273) * (R(1.0) - r));
    if (ay > ax) { angle = R(1.57079632679489661923) - angle; }
    if (x < R(0.0)) { angle = R(3.14159265358979323846) - angle; }
    return y < R(0.0) ? -angle : angle;
}

// What is left to the angle of (x, y) from one with this sine and cosine: its tangent, off by a third of its cube.
static inline real real_angle_left(real y, real x, real s, real c)
{
    return (y * c - x * s) / (x * c + y * s);
}

// The arc tangents of 0, 1/8 ... 1, 8/7 ... 8, infinity.
#define REAL_EIGHTHS 8
static const real REAL_ANGLE[2 * REAL_EIGHTHS + 1] = {
    R(0.0),
    R(0.1243549945467614350314),
    R(0.2449786631268641541721),
    R(0.3587706702705722203959),
    R(0.4636476090008061162143),
    R(0.5585993153435624359715),
    R(0.6435011087932843868028),
    R(0.718829999621624505417),
    R(0.7853981633974483096157),
    R(0.8519663271732721138143),
    R(0.9272952180016122324285),
    R(1.01219701145133418326),
    R(1.107148717794090503017),
    R(1.212025656524324398835),
    R(1.325817663668032465059),
    R(1.4464413322481351842),
    R(1.570796326794896619231),
};

// Arc tangent of |t| <= 1/16, less t: in float two terms leave a seventh of a rounding.
static inline real real_angle_rest(real t)
{
    const real z = t * t;
    real rest = R(1.0) / R(5.0);
    if (TAC_REAL_BITS == 64) {
        const real last = z * (R(1.0) / R(11.0) - z * (R(1.0) / R(13.0)));
        rest -= z * (R(1.0) / R(7.0) - z * (R(1.0) / R(9.0) - last));
    }
    return -t * z * (R(1.0) / R(3.0) - z * rest);
}

// The angle of (x, y), in [-pi, pi]; 0 for (0, 0) and where there is none. Its tangent, or cotangent where that is
// less, is at most a sixteenth away from a whole number of eighths.
static real real_atan2(real y, real x)
{
    const real ax = real_abs(x), ay = real_abs(y), tangent = real_min(ax, ay) / real_max(ax, ay);
    if (!(tangent <= R(1.0))) { return R(0.0); }
    const int32_t eighths = (int32_t)((real)REAL_EIGHTHS * tangent + R(0.5));
    const real near = (real)eighths / (real)REAL_EIGHTHS, t = (tangent - near) / (R(1.0) + near * tangent);
    const real rest = t + real_angle_rest(t);
    real angle = ay > ax ? REAL_ANGLE[2 * REAL_EIGHTHS - eighths] - rest : REAL_ANGLE[eighths] + rest;
    if (x < R(0.0)) { angle = R(3.14159265358979323846) - angle; }
    return y < R(0.0) ? -angle : angle;
}

#endif
