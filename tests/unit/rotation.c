// SPDX-License-Identifier: MIT
// Rotations and changes of frame (tactus/rotation.h) against quaternions in double and the definition of their product:
// products, vectors, axes and angles, rotation vectors of any length, roll, pitch and yaw also where pitch is a quarter
// of a revolution, matrices of every case, poses. Quaternions of any length; numbers that are zero, huge or not finite
// never get out.
#include "tap.h"
#include "truth.h"

#define CASES RUN(20000, 2000)
#define SMALL TOL(1e-14, 2e-6) // of numbers of order 1
#define ANGLE TOL(1e-14, 5e-6) // of angles up to pi

static tac_quat quat(double w, double x, double y, double z)
{
    return (tac_quat){(tac_real)w, (tac_real)x, (tac_real)y, (tac_real)z};
}

static double apart(tac_vec3 a, d3 b)
{
    return d3_norm(d3_sub(d3_of(a), b));
}

// Of rotations: q and -q are the same.
static double turned(tac_quat a, dq b)
{
    const dq p = dq_of(a);
    const double sign = p.w * b.w + p.x * b.x + p.y * b.y + p.z * b.z < 0 ? -1 : 1;
    return d_abs(p.w - sign * b.w) + d_abs(p.x - sign * b.x) + d_abs(p.y - sign * b.y) + d_abs(p.z - sign * b.z);
}

static double length_error(tac_quat a)
{
    const dq q = dq_of(a);
    return q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z - 1;
}

// A unit quaternion as the kernel can hold it, and the same in double.
static tac_quat random_quat(rng *r, dq *exact)
{
    const tac_quat q = dq_to(rng_quat(r));
    const dq a = dq_of(q);
    const double norm = d_sqrt(a.w * a.w + a.x * a.x + a.y * a.y + a.z * a.z);
    *exact = (dq){a.w / norm, a.x / norm, a.y / norm, a.z / norm};
    return q;
}

static tac_vec3 random_vector(rng *r)
{
    return d3_to(rng_box(r, 1));
}

// ------------------------------------------------------------------------------------------------ products and vectors

static void products(void)
{
    double product = 0, inverse = 0, rotate = 0, back = 0, units = 0;
    rng r = {1};
    for (int i = 0; i < CASES; i++) {
        dq a, b;
        const tac_quat p = random_quat(&r, &a), q = random_quat(&r, &b);
        const tac_vec3 v = random_vector(&r);
        d_worst(&product, turned(tac_quat_multiply(p, q), dq_mul(a, b)));
        d_worst(&inverse, turned(tac_quat_conjugate(p), dq_conjugate(a)));
        d_worst(&rotate, apart(tac_quat_rotate(p, v), dq_rotate(a, d3_of(v))));
        d_worst(&back, apart(tac_quat_rotate_back(p, v), dq_rotate(dq_conjugate(a), d3_of(v))));
        d_worst(&units, length_error(tac_quat_multiply(p, q)));
        d_worst(&units, length_error(tac_quat_normalise(p)));
    }
    tap_most(product, SMALL, "products");
    tap_most(inverse, SMALL, "inverses");
    tap_most(rotate, SMALL, "a vector into the outer frame");
    tap_most(back, SMALL, "and back");
    tap_most(units, SMALL, "quaternions are unit");
}

// The length of a quaternion does not count, from the smallest normal number to the largest.
static void lengths(void)
{
    double worst = 0;
    rng r = {2};
    for (int i = 0; i < CASES; i++) {
        dq a;
        tac_quat q = random_quat(&r, &a);
        const int power = (int)rng_below(&r, TOL(2000, 240)) - TOL(1000, 120);
        tac_real scale = 1;
        for (int k = 0; k < d_abs(power); k++) { scale *= (tac_real)(power < 0 ? 0.5 : 2); }
        const tac_quat long_or_short = {scale * q.w, scale * q.x, scale * q.y, scale * q.z};
        d_worst(&worst, turned(tac_quat_normalise(long_or_short), a));
        d_worst(&worst, turned(tac_quat_conjugate(long_or_short), dq_conjugate(a)));
        d_worst(&worst, apart(tac_quat_rotate(long_or_short, vec(1, 2, 3)), dq_rotate(a, d3_make(1, 2, 3))) / 4);
    }
    tap_most(worst, SMALL, "quaternions of any length");
}

// -------------------------------------------------------------------------------------------------------------- angles

static void axes(void)
{
    double worst = 0;
    rng r = {3};
    for (int i = 0; i < CASES; i++) {
        const tac_vec3 axis = random_vector(&r);
        const tac_real angle = (tac_real)rng_range(&r, -10, 10);
        d_worst(&worst, turned(tac_quat_from_axis_angle(axis, angle), dq_about(d3_of(axis), (double)angle)));
    }
    tap_most(worst, ANGLE, "axis and angle");
    const tac_vec3 up = vec(0, 0, TOL(1e-300, 1e-37)), east = vec(1, 0, 0);
    const tac_vec3 north = tac_quat_rotate(tac_quat_from_axis_angle(up, (tac_real)(TRUTH_PI / 2)), east);
    tap_most(apart(north, d3_make(0, 1, 0)), SMALL, "a quarter about a short axis takes x to y");
    tap_ok(tac_quat_from_axis_angle(vec(0, 0, 0), 1).w == 1, "no axis is no rotation");
    tap_ok(tac_quat_from_axis_angle(east, (tac_real)70000).w == 1, "nor is an angle out of range");
}

// exp and log of vectors of each size; what is longer than half a revolution comes back the shorter way.
static void vectors(void)
{
    double there = 0, again = 0, relative = 0, longest = 0;
    rng r = {4};
    for (int i = 0; i < CASES; i++) {
        const tac_vec3 v = d3_to(rng_box(&r, 5));
        const double angle = d3_norm(d3_of(v));
        const tac_quat q = tac_quat_from_rotation_vector(v);
        const tac_vec3 u = tac_quat_to_rotation_vector(q);
        d_worst(&there, turned(q, dq_about(d3_of(v), angle)));
        longest = d_max(longest, d3_norm(d3_of(u)));
        d_worst(&again, turned(tac_quat_from_rotation_vector(u), dq_of(q)));
        const int power = (int)rng_below(&r, TOL(1000, 120));
        double scale = 1;
        for (int k = 0; k < power; k++) { scale *= 0.5; }
        const tac_vec3 tiny = d3_to(d3_scale(scale / 5, d3_of(v)));
        const tac_vec3 back = tac_quat_to_rotation_vector(tac_quat_from_rotation_vector(tiny));
        d_worst(&relative, apart(back, d3_of(tiny)) / scale);
    }
    tap_most(there, ANGLE, "rotation vectors");
    tap_most(again, ANGLE, "of a quaternion, which they make again");
    tap_most(longest, TRUTH_PI + ANGLE, "at most half a revolution");
    tap_most(relative, ANGLE, "small ones come back to rounding of themselves");
    const tac_vec3 half = tac_quat_to_rotation_vector(quat(0, 0, 1, 0)),
                   none = tac_quat_to_rotation_vector(quat(-1, 0, 0, 0));
    tap_near(half.y, TRUTH_PI, ANGLE, "half a revolution about y");
    tap_ok(none.x == 0 && none.y == 0 && none.z == 0, "-1 is no rotation");
}

static dq rolled(tac_vec3 a)
{
    const dq roll = dq_about(d3_make(1, 0, 0), (double)a.x), pitch = dq_about(d3_make(0, 1, 0), (double)a.y);
    return dq_mul(dq_about(d3_make(0, 0, 1), (double)a.z), dq_mul(pitch, roll));
}

static double out_of_range(tac_vec3 a)
{
    return d_max(d_max(d_abs((double)a.x), d_abs((double)a.z)) - TRUTH_PI, d_abs((double)a.y) - TRUTH_PI / 2);
}

static void rpy(void)
{
    double there = 0, back = 0, locked = 0, range = -1;
    rng r = {5};
    for (int i = 0; i < CASES; i++) {
        const tac_vec3 wide = d3_to(rng_box(&r, 7));
        d_worst(&there, turned(tac_quat_from_rpy(wide), rolled(wide)));
        const tac_vec3 a = vec(rng_range(&r, -3, 3), rng_range(&r, -1.4, 1.4), rng_range(&r, -3, 3));
        d_worst(&back, apart(tac_quat_to_rpy(tac_quat_from_rpy(a)), d3_of(a)));
        // about a pitch of a quarter: the rotation is the same, whatever the angles
        const double side = rng_below(&r, 2) ? 0.5 : -0.5, off = rng_below(&r, 3) ? rng_range(&r, -1e-6, 1e-6) : 0;
        const tac_vec3 steep = vec(rng_range(&r, -3, 3), side * TRUTH_PI + off, rng_range(&r, -3, 3));
        const tac_vec3 found = tac_quat_to_rpy(tac_quat_from_rpy(steep));
        d_worst(&locked, turned(tac_quat_from_rpy(found), rolled(steep)));
        dq exact;
        const tac_vec3 any = tac_quat_to_rpy(random_quat(&r, &exact));
        range = d_max(range, d_max(out_of_range(any), out_of_range(found)));
    }
    tap_most(there, ANGLE, "roll, pitch and yaw");
    tap_most(back, TOL(1e-13, 5e-5), "of a quaternion");
    tap_most(locked, ANGLE, "at a pitch of a quarter they make the same rotation");
    tap_most(range, ANGLE, "they are in their ranges");
    const tac_vec3 steep = tac_quat_to_rpy(quat(1, 0, 1, 0));
    tap_near(steep.y, TRUTH_PI / 2, ANGLE, "a quarter about y is a pitch");
}

// ------------------------------------------------------------------------------------------------------------ matrices

static void matrices(void)
{
    double columns = 0, back = 0;
    rng r = {6};
    for (int i = 0; i < CASES; i++) {
        dq a;
        tac_real m[9];
        tac_quat q = random_quat(&r, &a);
        if (i % 4 == 0) { // half a revolution, about an axis near one of the three
            tac_real *x = i % 12 == 0 ? &q.x : (i % 12 == 4 ? &q.y : &q.z);
            q.w = 0;
            *x = 3;
        }
        q = tac_quat_normalise(q);
        a = dq_of(q);
        tac_quat_to_matrix(q, m);
        for (int k = 0; k < 3; k++) {
            const d3 axis = dq_rotate(a, d3_make(k == 0, k == 1, k == 2));
            d_worst(&columns, apart((tac_vec3){m[k], m[3 + k], m[6 + k]}, axis));
        }
        d_worst(&back, turned(tac_quat_from_matrix(m), a));
    }
    tap_most(columns, SMALL, "columns of a matrix are the axes of the frame");
    tap_most(back, SMALL, "and the quaternion of it");
    tap_ok(tac_quat_from_matrix(NULL).w == 1, "no matrix is no rotation");
    tac_quat_to_matrix(quat(1, 0, 0, 0), NULL);
}

// --------------------------------------------------------------------------------------------------------------- poses

static void poses(void)
{
    double chain = 0, inverse = 0, point = 0, back = 0;
    rng r = {7};
    for (int i = 0; i < CASES; i++) {
        dq p, q;
        const tac_pose a = {random_vector(&r), random_quat(&r, &p)}, b = {random_vector(&r), random_quat(&r, &q)};
        const tac_vec3 x = random_vector(&r);
        const d3 outer = d3_add(d3_of(a.p), dq_rotate(p, d3_of(x)));
        const tac_pose ab = tac_pose_multiply(a, b), one = tac_pose_multiply(a, tac_pose_inverse(a));
        d_worst(&point, apart(tac_pose_point(a, x), outer));
        d_worst(&back, apart(tac_pose_point_back(a, x), dq_rotate(dq_conjugate(p), d3_sub(d3_of(x), d3_of(a.p)))));
        d_worst(&chain, apart(ab.p, d3_add(d3_of(a.p), dq_rotate(p, d3_of(b.p)))) + turned(ab.q, dq_mul(p, q)));
        d_worst(&inverse, apart(one.p, d3_make(0, 0, 0)) + turned(one.q, (dq){1, 0, 0, 0}));
        d_worst(&inverse, apart(tac_pose_point(tac_pose_inverse(a), tac_pose_point(a, x)), d3_of(x)));
    }
    tap_most(point, SMALL, "a point into the outer frame");
    tap_most(back, SMALL, "and back");
    tap_most(chain, SMALL, "a frame in a frame");
    tap_most(inverse, SMALL, "inverse poses");
}

// ---------------------------------------------------------------------------------------------------------- bad
// numbers

static int finite(const void *object, size_t size)
{
    const tac_real *x = object;
    int good = 1;
    for (size_t i = 0; i < size / sizeof *x; i++) { good &= x[i] - x[i] == 0; }
    return good;
}

static int unit(tac_quat q)
{
    return finite(&q, sizeof q) && d_abs(length_error(q)) < SMALL;
}

static int vector(tac_vec3 v)
{
    return finite(&v, sizeof v);
}

static int pose(tac_pose a)
{
    return vector(a.p) && unit(a.q);
}

static tac_real number(rng *r)
{
    const tac_real bad[] = {0,
                            -1,
                            real_nan(),
                            real_inf(),
                            -real_inf(),
                            (tac_real)TOL(1.7e308, 3.4e38),
                            (tac_real)TOL(-1.7e308, -3.4e38),
                            (tac_real)TOL(5e-324, 1e-45),
                            (tac_real)TOL(2.3e-308, 1.2e-38),
                            (tac_real)1e5,
                            (tac_real)0.7};
    return bad[rng_below(r, sizeof bad / sizeof bad[0])];
}

static tac_vec3 bad_vector(rng *r)
{
    const tac_real x = number(r), y = number(r), z = number(r);
    return (tac_vec3){x, y, z};
}

static tac_quat bad_quat(rng *r)
{
    const tac_vec3 v = bad_vector(r);
    return (tac_quat){number(r), v.x, v.y, v.z};
}

static void bad_numbers(void)
{
    int good[5] = {1, 1, 1, 1, 1};
    rng r = {8};
    for (int i = 0; i < CASES; i++) {
        const tac_quat p = bad_quat(&r), q = bad_quat(&r);
        const tac_vec3 v = bad_vector(&r);
        const tac_pose a = {bad_vector(&r), bad_quat(&r)}, b = {v, q};
        tac_real m[9];
        good[0] &= unit(tac_quat_normalise(p)) && unit(tac_quat_conjugate(p)) && unit(tac_quat_multiply(p, q));
        good[1] &= vector(tac_quat_rotate(q, v)) && vector(tac_quat_rotate_back(q, v));
        good[2] &= unit(tac_quat_from_axis_angle(v, number(&r))) && unit(tac_quat_from_rotation_vector(v)) &&
                   unit(tac_quat_from_rpy(v)) && vector(tac_quat_to_rotation_vector(q)) && vector(tac_quat_to_rpy(q));
        tac_quat_to_matrix(q, m);
        good[3] &= finite(m, sizeof m);
        for (int k = 0; k < 9; k++) { m[k] = number(&r); }
        good[3] &= unit(tac_quat_from_matrix(m));
        good[4] &= pose(tac_pose_multiply(a, b)) && pose(tac_pose_inverse(a)) && vector(tac_pose_point(a, v)) &&
                   vector(tac_pose_point_back(a, v));
    }
    tap_ok(good[0], "bad numbers: quaternions are unit");
    tap_ok(good[1], "bad numbers: vectors are finite");
    tap_ok(good[2], "bad numbers: angles are finite, their quaternions unit");
    tap_ok(good[3], "bad numbers: matrices are finite, their quaternions unit");
    tap_ok(good[4], "bad numbers: poses are finite, their quaternions unit");
    const tac_vec3 v = vec(1, 2, 3), x = tac_quat_rotate(quat(0, 0, 0, 0), v);
    tac_quat nan = quat(1, 0, 0, 0);
    nan.z = real_nan();
    const tac_vec3 y = tac_quat_rotate(nan, v), z = tac_quat_rotate(quat(1, 0, 0, 0), (tac_vec3){1, real_inf(), 3});
    tap_ok(x.x == 1 && x.y == 2 && x.z == 3, "a quaternion of zeros is no rotation");
    tap_ok(y.x == 1 && y.y == 2 && y.z == 3, "nor is one that is not a number");
    tap_ok(z.x == 0 && z.y == 0 && z.z == 0, "a vector that is not finite becomes zero");
}

int main(void)
{
    products();
    lengths();
    axes();
    vectors();
    rpy();
    matrices();
    poses();
    bad_numbers();
    return tap_done();
}
