// SPDX-License-Identifier: MIT
// The ground floor: square root, sine and cosine, vectors, quaternions, principal axes.
#include "base/hash.h"
#include "base/vec.h"
#include "tap.h"
#include "truth.h"

#define EPS ((double)REAL_EPSILON)

// ------------------------------------------------------------------------------------------------------- square root

// sqrt(a) rounded to double, to 17 digits; a is exact.
static const double roots[][2] = {
    {2.0, 1.4142135623730951},
    {3.0, 1.7320508075688772},
    {5.0, 2.2360679774997898},
    {0.5, 0.70710678118654757},
    {7.0, 2.6457513110645907},
    {10.0, 3.1622776601683795},
    {0.375, 0.61237243569579447},
    {1048577.0, 1024.0004882811336},
    {3.0517578125e-05, 0.0055242717280199029},
    {123456.0, 351.36306009596399},
    {0.999755859375, 0.9998779222360098},
};

// The nearest real r to sqrt(x) has (r - ulp/2)^2 < x < (r + ulp/2)^2; in float the squares are exact in double.
static int rounds_right(real x, real r)
{
#if TAC_REAL_BITS == 32
    union {
        float value;
        uint32_t bits;
    } up = {r}, down = {r};
    up.bits++;
    down.bits--;
    const double high = 0.5 * ((double)up.value + (double)r), low = 0.5 * ((double)down.value + (double)r);
    return low * low < (double)x && (double)x < high * high;
#else
    return d_abs(r * r - x) <= 2.0 * EPS * x;
#endif
}

static void test_sqrt(void)
{
    double worst = 0.0;
    for (unsigned i = 0; i < sizeof roots / sizeof roots[0]; i++) {
        d_worst(&worst, (double)(real_sqrt((real)roots[i][0]) - (real)roots[i][1]) / roots[i][1]);
        d_worst(&worst, (double)(real_sqrt_integer((real)roots[i][0]) - (real)roots[i][1]) / roots[i][1]);
    }
    tap_most(worst, 0.0, "known square roots, to the last bit");

    int squares = 1;
    for (int i = 0; i <= 2000; i++) {
        const real x = (real)(i * i);
        squares = squares && real_sqrt(x) == (real)i && real_sqrt_integer(x) == (real)i;
    }
    tap_ok(squares, "squares of integers");

    rng r = {20260};
    int rounded = 1, same = 1;
    for (int i = 0; i < RUN(200000, 500); i++) {
        real_pun pun;
        pun.bits = (real_bits)rng_bits(&r) & ((real_bits)0x7fffffff);
        if (TAC_REAL_BITS == 64) { pun.bits = (real_bits)((uint64_t)pun.bits << 32 | rng_bits(&r)); }
        if (!real_finite(pun.value)) { continue; }
        const real root = real_sqrt_integer(pun.value);
        same = same && root == real_sqrt(pun.value);
        const real x = (real)rng_range(&r, 1e-3, 1e3);
        rounded = rounded && rounds_right(x, real_sqrt(x)) && rounds_right(x, real_sqrt_integer(x));
    }
    tap_ok(rounded, "random roots are correctly rounded");
    tap_ok(same, "integers and instruction agree on random patterns, subnormals included");
    tap_ok(real_sqrt_integer(R(0.0)) == R(0.0) && real_sqrt(R(0.0)) == R(0.0), "zero");
    tap_ok(real_sqrt_integer(real_inf()) == real_inf(), "infinity");
    const real nan = real_sqrt_integer(real_nan());
    tap_ok(nan != nan, "NaN");
}

// --------------------------------------------------------------------------------------------------- sine and cosine

static const double angles[][3] = {
    // angle, sine, cosine, from a 60 digit series
    {0.0, 0, 1},
    {9.5367431640625e-07, 9.5367431640610548e-07, 0.99999999999954525},
    {0.015625, 0.015624364224883372, 0.99987793217100662},
    {0.25, 0.24740395925452294, 0.96891242171064473},
    {0.5, 0.47942553860420301, 0.87758256189037276},
    {0.78125, 0.70416751145453371, 0.71003388356607966},
    {0.8125, 0.72600865526071257, 0.68768556222050481},
    {1.0, 0.8414709848078965, 0.54030230586813977},
    {1.5625, 0.99996558567824889, 0.0082962316238583775},
    {1.578125, 0.99997314539472226, -0.0073286076021105533},
    {2.0, 0.90929742682568171, -0.41614683654714241},
    {2.359375, 0.70485424850879774, -0.70935216103082255},
    {3.0, 0.14112000805986721, -0.98999249660044542},
    {3.140625, 0.00096765343878227946, -0.99999953182330159},
    {3.15625, -0.014656821590492326, -0.99989258302122852},
    {4.0, -0.7568024953079282, -0.65364362086361194},
    {4.71875, -0.99997976878294426, 0.0063609767181961067},
    {5.5, -0.70554032557039192, 0.70866977429125999},
    {6.28125, -0.0019353059714989746, 0.99999812729364479},
    {7.0, 0.65698659871878906, 0.7539022543433046},
    {10.0, -0.54402111088936977, -0.83907152907645244},
    {31.40625, -0.009676384887673313, 0.99995318269182265},
    {100.0, -0.50636564110975879, 0.86231887228768389},
    {355.0, -3.0144353359488451e-05, -0.99999999954565899},
    {1000.25, 0.94030866815606917, 0.34032280057404229},
    {4096.5, -0.13639380598962353, 0.990654697504466},
    {10000.0, -0.30561438888825215, -0.95215536825901481},
    {20000.75, 0.98014020096342902, 0.19830579027191556},
    {-0.5, -0.47942553860420301, 0.87758256189037276},
    {-1.0, -0.8414709848078965, 0.54030230586813977},
    {-2.5, -0.59847214410395655, -0.8011436155469337},
    {-100.0, 0.50636564110975879, 0.86231887228768389},
    {-30000.5, 0.99034874515286098, -0.13859784621037097},
};

static void test_sin_cos(void)
{
    double worst_sin = 0.0, worst_cos = 0.0, worst_circle = 0.0;
    for (unsigned i = 0; i < sizeof angles / sizeof angles[0]; i++) {
        real s, c;
        real_sin_cos((real)angles[i][0], &s, &c);
        d_worst(&worst_sin, (double)s - angles[i][1]);
        d_worst(&worst_cos, (double)c - angles[i][2]);
    }
    tap_most(worst_sin, 5.0 * EPS, "known sines, to 5 units in the last place of 1");
    tap_most(worst_cos, 5.0 * EPS, "known cosines, to 5 units in the last place of 1");

    rng r = {31416};
    double worst_small = 0.0;
    for (int i = 0; i < RUN(20000, 300); i++) {
        real s, c, s2, c2;
        const real x = (real)rng_range(&r, -20.0, 20.0);
        real_sin_cos(x, &s, &c);
        real_sin_cos(-x, &s2, &c2);
        d_worst(&worst_circle, (double)s * (double)s + (double)c * (double)c - 1.0);
        d_worst(&worst_circle, (double)(s + s2));
        d_worst(&worst_circle, (double)(c - c2));
        const double small = rng_range(&r, 1e-6, 1e-3);
        real_sin_cos((real)small, &s, &c);
        const double exact = (double)(real)small;
        const double square = exact * exact, series = exact * (1.0 - square / 6.0 * (1.0 - square / 20.0));
        d_worst(&worst_small, ((double)s - series) / exact);
    }
    tap_most(worst_circle, 6.0 * EPS, "sin^2 + cos^2 = 1, odd and even");
    tap_most(worst_small, EPS, "small angles keep their relative accuracy");
}

// ------------------------------------------------------------------------------------------------------------ vectors

static double apart(vec3 a, d3 b)
{
    return d3_norm(d3_sub(d3_of(a), b));
}

static void test_vectors(void)
{
    tap_most(apart(v3_cross(v3(1, 0, 0), v3(0, 1, 0)), d3_make(0, 0, 1)), 0.0, "x cross y is z");
    tap_most(apart(v3_madd(v3(1, 2, 3), 2, v3(4, 5, 6)), d3_make(9, 12, 15)), 0.0, "a + s b");
    tap_most(apart(v3_mul(v3(1, 2, 3), v3(4, 5, 6)), d3_make(4, 10, 18)), 0.0, "a diagonal times a vector");
    tap_near(v3_dot(v3(1, 2, 3), v3(4, -5, 6)), 12.0, 0.0, "dot");
    tap_near(v3_norm(v3(2, 3, 6)), 7.0, 0.0, "norm");
    tap_near(v3_norm_inf(v3(2, -9, 6)), 9.0, 0.0, "largest component");

    const double tiny = TOL(1e-300, 1e-36), huge = TOL(1e300, 1e36);
    const vec3 u = v3_unit(vec(3 * tiny, 0, 4 * tiny), V3_Z), w = v3_unit(vec(0, -3 * huge, 4 * huge), V3_Z);
    tap_most(apart(u, d3_make(0.6, 0, 0.8)), 2.0 * EPS, "a tiny vector keeps its direction");
    tap_most(apart(w, d3_make(0, -0.6, 0.8)), 2.0 * EPS, "a huge vector keeps its direction");
    tap_most(apart(v3_unit(V3_ZERO, v3(0, 1, 0)), d3_make(0, 1, 0)), 0.0, "zero takes the other");

    rng r = {11};
    double worst = 0.0;
    for (int i = 0; i < RUN(5000, 300); i++) {
        const vec3 n = v3_unit(d3_to(rng_box(&r, 1.0)), V3_Z), t = v3_normal_to(n);
        d_worst(&worst, (double)v3_dot(n, t));
        d_worst(&worst, (double)v3_norm(t) - 1.0);
        d_worst(&worst, (double)v3_norm(n) - 1.0);
    }
    tap_most(worst, 3.0 * EPS, "a normal to a unit vector is a unit vector across it");
}

// -------------------------------------------------------------------------------------------------------- quaternions

static void test_quaternions(void)
{
    const dq quarter = dq_about(d3_make(0, 0, 1), 0.5 * TRUTH_PI);
    tap_most(apart(quat_rotate(dq_to(quarter), v3(1, 0, 0)), d3_make(0, 1, 0)), 2.0 * EPS,
             "a quarter turn about z takes x to y");
    const quat q = quat_exp(vec(0, 0, 0.5 * TRUTH_PI));
    tap_most(apart(v3(q.w, q.z, q.x), d3_make(quarter.w, quarter.z, 0)), 2.0 * EPS, "exp of a quarter turn");
    const quat none = quat_exp(V3_ZERO);
    tap_ok(none.w == R(1.0) && none.x == R(0.0) && none.y == R(0.0) && none.z == R(0.0), "exp of nothing");

    rng r = {12};
    double rotate = 0.0, back = 0.0, axes = 0.0, product = 0.0, exponential = 0.0, poses = 0.0;
    for (int i = 0; i < RUN(5000, 200); i++) {
        const dq a = rng_quat(&r), b = rng_quat(&r);
        const d3 v = rng_box(&r, 1.0), p = rng_box(&r, 1.0);
        const quat ka = dq_to(a), kb = dq_to(b);
        d_worst(&rotate, apart(quat_rotate(ka, d3_to(v)), dq_rotate(a, v)));
        d_worst(&back, apart(quat_rotate_back(ka, quat_rotate(ka, d3_to(v))), v));
        vec3 axis[3];
        quat_axes(ka, axis);
        d_worst(&axes, apart(axis[0], dq_rotate(a, d3_make(1, 0, 0))));
        d_worst(&axes, apart(axis[1], dq_rotate(a, d3_make(0, 1, 0))));
        d_worst(&axes, apart(axis[2], dq_rotate(a, d3_make(0, 0, 1))));
        d_worst(&product, apart(quat_rotate(quat_mul(ka, kb), d3_to(v)), dq_rotate(a, dq_rotate(b, v))));
        const double angle = rng_range(&r, 0.0, 3.0), size = d3_norm(v);
        if (size > 0.01) {
            const vec3 turn = d3_to(d3_scale(angle / size, v));
            d_worst(&exponential, apart(quat_rotate(quat_exp(turn), d3_to(p)), dq_rotate(dq_about(v, angle), p)));
        }
        const tac_pose x = {d3_to(p), ka}, y = {d3_to(v), kb};
        tac_pose xy, back_to;
        pose_mul(&x, &y, &xy);
        pose_undo(&xy, &y, &back_to);
        d_worst(&poses, apart(back_to.p, p));
        d_worst(&poses, apart(quat_rotate(back_to.q, d3_to(v)), dq_rotate(a, v)));
    }
    tap_most(rotate, 20.0 * EPS, "rotation is q v q*");
    tap_most(back, 20.0 * EPS, "and back");
    tap_most(axes, 20.0 * EPS, "axes are the rotated axes");
    tap_most(product, 30.0 * EPS, "a product rotates by b, then a");
    tap_most(exponential, 30.0 * EPS, "exp is the rotation about an axis");
    tap_most(poses, 20.0 * EPS, "a product of poses, undone, is the first of them");
}

// --------------------------------------------------------------------------------------------------- symmetric
// matrices

static void test_matrices(void)
{
    rng r = {13};
    double inverse = 0.0, principal = 0.0;
    for (int i = 0; i < RUN(2000, 100); i++) {
        // positive definite by construction: sum of three outer products, the moments 1 .. 4 apart
        const dq q = rng_quat(&r);
        const d3 moments = d3_make(rng_range(&r, 0.5, 2.0), rng_range(&r, 0.5, 2.0), rng_range(&r, 0.5, 2.0));
        sym3 m = {0};
        vec3 outer = d3_to(dq_rotate(q, d3_make(1, 0, 0)));
        sym3_add_outer(&m, (real)moments.x, &outer);
        outer = d3_to(dq_rotate(q, d3_make(0, 1, 0)));
        sym3_add_outer(&m, (real)moments.y, &outer);
        outer = d3_to(dq_rotate(q, d3_make(0, 0, 1)));
        sym3_add_outer(&m, (real)moments.z, &outer);
        const d3 x = rng_box(&r, 1.0);
        sym3 inverted;
        sym3_inverse(&m, &inverted);
        d_worst(&inverse, apart(sym3_mul(&inverted, sym3_mul(&m, d3_to(x))), x));

        vec3 found;
        quat frame;
        sym3_principal(&m, &found, &frame);
        const d3 in_frame = dq_rotate(dq_conjugate(dq_of(frame)), x);
        const d3 scaled =
            d3_make((double)found.x * in_frame.x, (double)found.y * in_frame.y, (double)found.z * in_frame.z);
        const d3 own = dq_rotate(dq_conjugate(q), x);
        const d3 truth = dq_rotate(q, d3_make(moments.x * own.x, moments.y * own.y, moments.z * own.z));
        d_worst(&principal, d3_norm(d3_sub(dq_rotate(dq_of(frame), scaled), truth)));
    }
    tap_most(inverse, 100.0 * EPS, "inverse");
    tap_most(principal, 100.0 * EPS, "principal axes give the matrix back");
}

int main(void)
{
    test_sqrt();
    test_sin_cos();
    test_vectors();
    test_quaternions();
    test_matrices();
    return tap_done();
}
