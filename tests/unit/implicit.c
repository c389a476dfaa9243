// SPDX-License-Identifier: MIT
// Implicit bodies: the functions and their derivatives, the linear solver, closest points against closed forms and
// against the proof by support functions (hull.h), invariances, degenerate poses, bad input.
#include "cbat07/implicit.h"
#include "hull.h"

enum { CASES = RUN(500, 10), POINTS = RUN(400, 20), SYSTEMS = RUN(300, 20) };

#define NEAR TOL(1e-9, 1e-5)
#define EXACT TOL(1e-12, 4e-6)

static tac_implicit_work work;
static tac_implicit body_a, body_b;
static tac_closest seen;

static const d3 ORIGIN = {0, 0, 0};
static const dq UPRIGHT = {1, 0, 0, 0};

// ------------------------------------------------------------------------------------------------------- inequalities

// f by its definition in implicit.h, in double; the scale is the kernel's choice, so it is restated here.
static double true_f(const tac_inequality *f, d3 x)
{
    const d3 y = dq_rotate(dq_conjugate(dq_of(f->pose.q)), d3_sub(x, d3_of(f->pose.p))), s = d3_of(f->size);
    const double across = d_sqrt(y.x * y.x + y.y * y.y), least = d_min(s.x, d_min(s.y, s.z));
    const int p = f->power[0], q = f->power[1], r = f->power[2], most = p > q ? (p > r ? p : r) : (q > r ? q : r);
    switch (f->kind) {
    case TAC_WITHIN_PLANE:
        return y.z;
    case TAC_WITHIN_ELLIPSOID:
        return 0.5 * least * (hull_power(y.x / s.x, 2) + hull_power(y.y / s.y, 2) + hull_power(y.z / s.z, 2) - 1.0);
    case TAC_WITHIN_SUPERELLIPSOID:
        return least / most * (hull_power(y.x / s.x, p) + hull_power(y.y / s.y, q) + hull_power(y.z / s.z, r) - 1.0);
    case TAC_WITHIN_CYLINDER:
        return 0.5 * s.x * (hull_power(y.x / s.x, 2) + hull_power(y.y / s.x, 2) - 1.0);
    default:
        return (s.z * across + s.x * y.z) / d_sqrt(s.x * s.x + s.z * s.z);
    }
}

static d3 along(int axis, double h)
{
    return d3_make(axis == 0 ? h : 0.0, axis == 1 ? h : 0.0, axis == 2 ? h : 0.0);
}

static double slope(const tac_inequality *f, d3 x, int axis)
{
    const double h = 1e-5;
    return (true_f(f, d3_add(x, along(axis, h))) - true_f(f, d3_sub(x, along(axis, h)))) / (2.0 * h);
}

static double bend(const tac_inequality *f, d3 x, int i, int k)
{
    const double h = 1e-3;
    double sum = 0.0;
    for (int sign = 0; sign < 4; sign++) {
        const double a = sign & 1 ? h : -h, b = sign & 2 ? h : -h;
        sum += (a * b > 0.0 ? 1.0 : -1.0) * true_f(f, d3_add(x, d3_add(along(i, a), along(k, b))));
    }
    return sum / (4.0 * h * h);
}

static void test_derivatives(uint8_t kind, const char *name)
{
    rng r = {UINT64_C(4100) + kind};
    double value = 0.0, gradient = 0.0, hessian = 0.0;
    for (int n = 0; n < POINTS; n++) {
        const d3 at = rng_box(&r, 0.5), size = d3_add(rng_box(&r, 0.25), d3_make(0.75, 0.75, 0.75));
        tac_inequality f = {{d3_to(at), dq_to(rng_quat(&r))}, d3_to(size), kind, {0, 0, 0}};
        for (int i = 0; i < 3; i++) { f.power[i] = (uint8_t)(2u + 2u * rng_below(&r, 4)); }
        const d3 x = d3_of(d3_to(rng_box(&r, 1.0))), y = d3_sub(x, d3_of(f.pose.p));
        const d3 local = dq_rotate(dq_conjugate(dq_of(f.pose.q)), y);
        if (kind == TAC_WITHIN_CONE && local.x * local.x + local.y * local.y < 0.04) { continue; } // the axis has no gradient

        const tac_pose here = {V3_ZERO, QUAT_ONE};
        inequality row;
        inequality_place(&f, &here, &row);
        inequality_at(&row, d3_to(x), R(0.0));
        const real g[3] = {row.gradient.x, row.gradient.y, row.gradient.z};
        const real h[3][3] = {{row.hessian.xx, row.hessian.xy, row.hessian.xz},
                              {row.hessian.xy, row.hessian.yy, row.hessian.yz},
                              {row.hessian.xz, row.hessian.yz, row.hessian.zz}};
        const double unit = 1.0 + d_abs(true_f(&f, x));
        d_worst(&value, ((double)row.f - true_f(&f, x)) / unit);
        for (int i = 0; i < 3; i++) {
            d_worst(&gradient, ((double)g[i] - slope(&f, x, i)) / (1.0 + d_abs((double)g[i]) + unit));
            for (int k = 0; k < 3; k++) {
                d_worst(&hessian, ((double)h[i][k] - bend(&f, x, i, k)) / (1.0 + d_abs((double)h[i][k]) + unit));
            }
        }
    }
    tap_most(value, TOL(1e-14, 5e-6), tap_joined("f:", name));
    tap_most(gradient, TOL(1e-7, 5e-5), tap_joined("gradient of f:", name));
    tap_most(hessian, TOL(1e-3, 1e-3), tap_joined("Hessian of f:", name));
}

// A cone whose apex is rounded: at the apex, where the cone itself has no gradient, it has that of the axis.
static void test_apex(void)
{
    const tac_inequality f = {{V3_ZERO, QUAT_ONE}, vec(1, 1, 1), TAC_WITHIN_CONE, {0, 0, 0}};
    const tac_pose here = {V3_ZERO, QUAT_ONE};
    inequality row;
    inequality_place(&f, &here, &row);
    inequality_at(&row, V3_ZERO, R(0.5));
    const double cos = d_sqrt(0.5);
    tap_near(row.f, 0.5 * cos, EXACT, "a rounded apex lies below the apex");
    tap_near(row.gradient.z, cos, EXACT, "its gradient points up");
    tap_near(row.hessian.xx, 2.0 * cos, EXACT, "its curvature is that of the rounding");
    inequality_at(&row, V3_ZERO, R(0.0));
    tap_ok(reals_finite(&row.hessian, sizeof row.hessian), "a sharp apex has a finite Hessian");
}

// ------------------------------------------------------------------------------------------------------ linear systems

static void test_lu(void)
{
    enum { N = 16 };
    rng r = {4200};
    double worst = 0.0;
    int solved = 1;
    for (int i = 0; i < SYSTEMS; i++) {
        const int n = 1 + (int)rng_below(&r, N);
        real a[N * N], copy[N * N], b[N], x[N];
        for (int k = 0; k < n * n; k++) { a[k] = copy[k] = (real)rng_range(&r, -1.0, 1.0); }
        for (int k = 0; k < n; k++) { b[k] = x[k] = (real)rng_range(&r, -1.0, 1.0); }
        solved = solved && lu_solve(copy, x, n);
        double size = 1.0;
        for (int k = 0; k < n; k++) { size = d_max(size, d_abs((double)x[k])); }
        for (int k = 0; k < n; k++) {
            double sum = -(double)b[k];
            for (int j = 0; j < n; j++) { sum += (double)a[k * n + j] * (double)x[j]; }
            d_worst(&worst, sum / size);
        }
    }
    tap_ok(solved, "random systems have a solution");
    tap_most(worst, TOL(1e-13, 5e-5), "that solves them");
    real turned[4] = {R(0.0), R(2.0), R(4.0), R(0.0)}, b[2] = {R(6.0), R(8.0)};
    tap_ok(lu_solve(turned, b, 2) && b[0] == R(2.0) && b[1] == R(3.0), "rows are exchanged");
    real twice[4] = {R(1.0), R(2.0), R(2.0), R(4.0)}, nan[1] = {real_nan()};
    tap_equal(lu_solve(twice, b, 2), 0, "a singular system is refused");
    tap_equal(lu_solve(nan, b, 1), 0, "so is one that is not finite");
}

// ------------------------------------------------------------------------------------------------------- closed forms

static hull make(int kind, d3 size, d3 p, dq q)
{
    return (hull){kind, {2, 2, 2}, size, p, q};
}

static tac_status meet(const hull *a, const hull *b)
{
    const tac_pose pose_a = hull_pose(a), pose_b = hull_pose(b);
    truth_fill(&seen, sizeof seen, 0xA5);
    if (hull_body(a, &body_a) != TAC_OK || hull_body(b, &body_b) != TAC_OK) { return TAC_E_ARG; }
    return tac_implicit_closest(&body_a, &pose_a, &body_b, &pose_b, &work, &seen);
}

// What holds of every answer: a2 - a1 = gap n, |n| = 1, both points on their bodies, and the separation along n is the
// gap. Returns the worst error.
static double disproof(const hull *a, const hull *b)
{
    const d3 n = d3_of(seen.normal), a1 = d3_of(seen.a1), a2 = d3_of(seen.a2);
    double worst = 0.0;
    d_worst(&worst, d3_norm(n) - 1.0);
    d_worst(&worst, d3_norm(d3_sub(d3_sub(a2, a1), d3_scale((double)seen.gap, n))));
    d_worst(&worst, d_max(0.0, d_max(hull_outside(a, a1), hull_outside(b, a2))));
    d_worst(&worst, hull_separation(a, b, n) - (double)seen.gap);
    return worst;
}

static void expect(const hull *a, const hull *b, double gap, double tolerance, const char *name)
{
    const tac_status status = meet(a, b);
    tap_ok(status == TAC_OK || status == TAC_DEEP, tap_joined("an answer:", name));
    tap_near(seen.gap, gap, tolerance, tap_joined("gap:", name));
    tap_most(disproof(a, b), tolerance, tap_joined("proof:", name));
}

static void test_closed_forms(void)
{
    const dq to_x = dq_about(d3_make(0, 1, 0), 0.5 * TRUTH_PI), askew = dq_about(d3_make(1, 2, 3), 0.8);
    const dq down = dq_about(d3_make(1, 0, 0), TRUTH_PI);
    const hull ball = make(SPHERE, d3_make(1, 1, 1), ORIGIN, UPRIGHT),
               far = make(SPHERE, d3_make(2, 2, 2), d3_make(3, 4, 12), askew);
    expect(&ball, &far, 10.0, EXACT, "two spheres");
    const hull close = make(SPHERE, d3_make(1, 1, 1), d3_make(1.2, 1.44, 0.64), UPRIGHT);
    expect(&ball, &close, 0.015 - 0.015 + d_sqrt(1.2 * 1.2 + 1.44 * 1.44 + 0.64 * 0.64) - 2.0, EXACT,
           "two spheres, overlapping by 1 %");

    const hull rod = make(CYLINDER, d3_make(0.5, 0.5, 2), ORIGIN, UPRIGHT);
    const hull across = make(CYLINDER, d3_make(0.25, 0.25, 3), d3_make(0.1, 1.5, 0.2), to_x);
    expect(&rod, &across, 0.75, EXACT, "crossed cylinders");
    const hull on_top = make(CYLINDER, d3_make(0.75, 0.75, 1), d3_make(0.2, 0.1, 3.5), UPRIGHT);
    expect(&rod, &on_top, 0.5, EXACT, "cylinders, end above end");
    const hull beside = make(CYLINDER, d3_make(0.5, 0.5, 1), d3_make(1.25, 0, 0.5), UPRIGHT);
    expect(&rod, &beside, 0.25, EXACT, "cylinders side by side");

    const hull cube = make(BOX, d3_make(1, 1, 1), ORIGIN, UPRIGHT);
    const hull over = make(BOX, d3_make(0.5, 0.5, 0.5), d3_make(0.3, 0.2, 1.75), UPRIGHT);
    expect(&cube, &over, 0.25, EXACT, "box above box, parallel faces");
    const hull corner = make(BOX, d3_make(1, 1, 1), d3_make(2.2, 2.4, 2.4), UPRIGHT);
    expect(&cube, &corner, 0.6, EXACT, "boxes, vertex to vertex");
    const hull edge = make(BOX, d3_make(1, 1, 1), d3_make(2.3, 2.4, 0.5), UPRIGHT);
    expect(&cube, &edge, 0.5, EXACT, "boxes, edge to parallel edge");
    const hull sunk = make(BOX, d3_make(0.5, 0.5, 0.5), d3_make(0.3, 0.2, 1.45), UPRIGHT);
    expect(&cube, &sunk, -0.05, EXACT, "box in box by 5 %");
    const hull touching = make(BOX, d3_make(0.5, 0.5, 0.5), d3_make(0.3, 0.2, 1.5), UPRIGHT);
    expect(&cube, &touching, 0.0, EXACT, "box on box");

    const hull tip = make(CONE, d3_make(0.5, 0.5, 1), d3_make(0.1, 0.2, 2.0), down);
    expect(&cube, &tip, 0.25, EXACT, "the apex of a cone above a face");
    const hull sunk_tip = make(CONE, d3_make(0.5, 0.5, 1), d3_make(0.1, 0.2, 1.73), down);
    expect(&cube, &sunk_tip, -0.02, EXACT, "the apex of a cone in a face");
    const hull cone = make(CONE, d3_make(0.5, 0.5, 1), d3_make(0, 0, -1), UPRIGHT),
               other = make(CONE, d3_make(0.5, 0.5, 1), d3_make(0, 0, 1), down);
    expect(&cone, &other, 0.5, EXACT, "apex to apex");
    const hull stand = make(CONE, d3_make(0.5, 0.5, 1), d3_make(0.3, 0.2, 1.5), UPRIGHT);
    expect(&cube, &stand, 0.25, EXACT, "the base of a cone above a face");
}

// Against the half-space below z = 0 the gap is the height of the lowest point.
static void test_plane(int kind, const char *name)
{
    rng r = {UINT64_C(4300) + (uint64_t)kind};
    const tac_pose ground = {V3_ZERO, QUAT_ONE};
    double gap = 0.0, normal = 0.0;
    int answers = 1;
    for (int i = 0; i < CASES / 2; i++) {
        hull s = hull_random(&r, kind);
        const double low = -hull_support(&s, d3_make(0, 0, -1));
        const double wanted = rng_range(&r, -0.03, 0.5) * hull_thickness(&s);
        s.p.z = (double)(tac_real)(wanted - low);
        const tac_pose pose = hull_pose(&s);
        answers = answers && hull_body(&s, &body_b) == TAC_OK && tac_implicit_half_space(&body_a, R(0.5)) == TAC_OK;
        answers = answers && tac_implicit_closest(&body_a, &ground, &body_b, &pose, &work, &seen) == TAC_OK;
        d_worst(&gap, (double)seen.gap - (s.p.z + low));
        d_worst(&normal, (double)seen.normal.z - 1.0);
    }
    tap_ok(answers, tap_joined("half-space, answers:", name));
    tap_most(gap, NEAR, tap_joined("half-space, gap:", name));
    tap_most(normal, NEAR, tap_joined("half-space, normal:", name));
}

// The set-ups of CBAT07 section V: a unit disc on the x axis; a unit sphere on the plane at (0,0,1); a unit sphere that
// touches two spheres of radius 10 and 9.
static void test_examples(void)
{
    const tac_pose ground = {V3_ZERO, QUAT_ONE};
    const tac_pose ahead = {V3_ZERO, dq_to(dq_about(d3_make(1, 0, 0), -0.5 * TRUTH_PI))}; // z of the frame to y
    const hull disc = make(CYLINDER, d3_make(1, 1, 0.1), d3_make(0.5, 1, 0), UPRIGHT);
    const hull ball = make(SPHERE, d3_make(1, 1, 1), d3_make(0, 0, 1), UPRIGHT);
    tac_implicit_half_space(&body_a, R(1.0));
    hull_body(&disc, &body_b);
    tac_pose pose = hull_pose(&disc);
    tap_equal(tac_implicit_closest(&body_a, &ahead, &body_b, &pose, &work, &seen), TAC_OK, "example 1: an answer");
    tap_near(seen.gap, 0.0, EXACT, "example 1: the disc touches the axis");
    tap_near(d3_norm(d3_sub(d3_make((double)seen.a1.x, (double)seen.a1.y, 0), d3_make(0.5, 0, 0))), 0.0, NEAR,
             "example 1: below its centre");
    hull_body(&ball, &body_b);
    pose = hull_pose(&ball);
    tap_equal(tac_implicit_closest(&body_a, &ground, &body_b, &pose, &work, &seen), TAC_OK, "example 2: an answer");
    tap_near(seen.gap, 0.0, EXACT, "example 2: the sphere touches the plane");
    tap_near(seen.l1[0], 1.0, EXACT, "example 2: the multiplier of the plane is 1");

    const hull small = make(SPHERE, d3_make(1, 1, 1), d3_make(0, 6.62105263157895, 8.78417110772903), UPRIGHT);
    const hull ten = make(SPHERE, d3_make(10, 10, 10), ORIGIN, UPRIGHT),
               nine = make(SPHERE, d3_make(9, 9, 9), d3_make(0, 11.4, 0), UPRIGHT);
    expect(&small, &ten, 0.0, TOL(1e-12, 2e-5), "example 3, the sphere of radius 10");
    expect(&small, &nine, 0.0, TOL(1e-12, 2e-5), "example 3, the sphere of radius 9");
    // CBAT07 (6): the gap function of the step is f at the other body's closest point
    expect(&ball, &small, d_sqrt(small.p.y * small.p.y + (small.p.z - 1.0) * (small.p.z - 1.0)) - 2.0, EXACT, "apart");
    tap_least(hull_outside(&ball, d3_of(seen.a2)), 1.0, "f(a2) > 0 when they are apart");
}

// ------------------------------------------------------------------------------------------------------- random pairs

typedef struct tally {
    int good, unconverged, deep;
    double proof, off, lost, kkt;
} tally;

// Is the gap a maximum over the normals near by, as good as can be seen?
static double better(const hull *a, const hull *b, rng *r)
{
    double most = 0.0;
    for (int i = 0; i < 2; i++) {
        const d3 m = d3_add(d3_of(seen.normal), rng_box(r, i & 1 ? 0.1 : 0.003));
        most = d_max(most, hull_separation(a, b, d3_scale(1.0 / d3_norm(m), m)) - (double)seen.gap);
    }
    return most;
}

// n = sum l grad f at a1, -n = sum l grad g at a2, l >= 0, for bodies whose gradients exist everywhere.
static double multipliers(const hull *h, const tac_implicit *body, const tac_real *l, tac_vec3 at, d3 n)
{
    d3 sum = n;
    double worst = 0.0;
    for (int j = 0; j < body->count; j++) {
        tac_inequality f = body->f[j];
        for (int i = 0; i < 3; i++) { f.power[i] = f.kind == TAC_WITHIN_SUPERELLIPSOID ? f.power[i] : 2; }
        const d3 x = dq_rotate(dq_conjugate(h->q), d3_sub(d3_of(at), h->p));
        const d3 g = dq_rotate(h->q, d3_make(slope(&f, x, 0), slope(&f, x, 1), slope(&f, x, 2)));
        sum = d3_sub(sum, d3_scale((double)l[j], g));
        d_worst(&worst, d_max(0.0, -(double)l[j]));
    }
    d_worst(&worst, d3_norm(sum));
    return worst;
}

static void judge(const hull *a, const hull *b, double expected, rng *r, tally *t)
{
    const tac_status status = meet(a, b);
    t->good += status >= 0;
    t->deep += (status & TAC_DEEP) != 0;
    t->unconverged += (status & TAC_UNCONVERGED) != 0;
    d_worst(&t->off, d3_norm(d3_of(seen.normal)) - 1.0);
    if (status != TAC_OK) { return; }
    d_worst(&t->proof, disproof(a, b));
    d_worst(&t->proof, better(a, b, r));
    d_worst(&t->lost, d_max(0.0, expected - (double)seen.gap));
    if (a->kind == CONE || b->kind == CONE) { return; }
    d_worst(&t->kkt, multipliers(a, &body_a, seen.l1, seen.a1, d3_of(seen.normal)));
    d_worst(&t->kkt, multipliers(b, &body_b, seen.l2, seen.a2, d3_scale(-1.0, d3_of(seen.normal))));
}

// Every pose as it comes, then, if they are apart, moved together along the normal to a gap of -5 .. 5 % of the
// thinner. For bodies that are round enough the overlap along that normal is the least way out.
static void test_pair(int kind_a, int kind_b, const char *name)
{
    rng r = {UINT64_C(4400) + (uint64_t)(kind_a * HULLS + kind_b)};
    tally t = {0, 0, 0, 0.0, 0.0, 0.0, 0.0};
    int cases = 0;
    for (int i = 0; i < CASES; i++) {
        const hull a = hull_random(&r, kind_a);
        hull b = hull_random(&r, kind_b);
        judge(&a, &b, -1e9, &r, &t);
        const double gap = (double)seen.gap;
        const double wanted = rng_range(&r, -0.1, 0.1) * d_min(hull_thickness(&a), hull_thickness(&b));
        cases++;
        if (!(gap > 0.0)) { continue; }
        b.p = d3_of(d3_to(d3_add(b.p, d3_scale(wanted - gap, d3_of(seen.normal)))));
        judge(&a, &b, wanted, &r, &t);
        cases++;
    }
    const int sharp = kind_a >= CONE || kind_b >= CONE;
    tap_note_hex("seed", UINT64_C(4400) + (uint64_t)(kind_a * HULLS + kind_b));
    tap_equal(t.good, cases, tap_joined("answers:", name));
    tap_most(t.unconverged, 0.003 * cases, tap_joined("few do not converge, and say so:", name));
    tap_most(t.proof, NEAR, tap_joined("gap, points and normal prove each other:", name));
    tap_most(t.lost, sharp ? 0.05 : NEAR, tap_joined("overlap is the least way out:", name));
    tap_most(t.off, TOL(1e-14, 1e-6), tap_joined("the normal is a unit vector:", name));
    tap_most(t.kkt, TOL(1e-6, 5e-4), tap_joined("the multipliers make the normal:", name));
}

// --------------------------------------------------------------------------------------------------------- invariance

static hull moved(const hull *s, d3 shift, dq turn, double scale)
{
    hull m = *s;
    m.p = d3_add(shift, d3_scale(scale, dq_rotate(turn, s->p)));
    m.q = dq_mul(turn, s->q);
    m.size = d3_scale(scale, s->size);
    return m;
}

// Distance of what is seen of a and b, moved, from `first`; the gap in units of the scale.
static double change(const hull *a, const hull *b, d3 shift, dq turn, double scale, double first)
{
    const hull ma = moved(a, shift, turn, scale), mb = moved(b, shift, turn, scale);
    return meet(&ma, &mb) == TAC_OK ? (double)seen.gap / scale - first : 0.0;
}

static void test_invariance(int kind_a, int kind_b, const char *name)
{
    rng r = {UINT64_C(4500) + (uint64_t)(kind_a * HULLS + kind_b)};
    double swapped = 0.0, opposite = 0.0, turned = 0.0, small = 0.0, large = 0.0;
    for (int i = 0; i < CASES / 5 + 1; i++) {
        const hull a = hull_random(&r, kind_a), b = hull_random(&r, kind_b);
        const d3 shift = rng_box(&r, 2.0);
        const dq turn = rng_quat(&r);
        if (meet(&a, &b) != TAC_OK || seen.gap < R(0.0)) { continue; } // overlapping bodies may have several ways out
        const double gap = (double)seen.gap;
        const d3 n = d3_of(seen.normal);
        if (meet(&b, &a) == TAC_OK) {
            d_worst(&swapped, (double)seen.gap - gap);
            if (gap > 0.05) { d_worst(&opposite, d3_norm(d3_add(d3_of(seen.normal), n))); }
        }
        d_worst(&turned, change(&a, &b, shift, turn, 1.0, gap));
        d_worst(&small, change(&a, &b, ORIGIN, UPRIGHT, 1e-3, gap));
        d_worst(&large, change(&a, &b, ORIGIN, UPRIGHT, 1e2, gap));
    }
    tap_most(swapped, NEAR, tap_joined("swapping leaves the gap:", name));
    tap_most(opposite, TOL(1e-7, 2e-3), tap_joined("swapping turns the normal round:", name));
    tap_most(turned, NEAR, tap_joined("rigid motion leaves the gap:", name));
    tap_most(small, NEAR, tap_joined("a thousandth of the size, a thousandth of the gap:", name));
    tap_most(large, NEAR, tap_joined("a hundred times the size, a hundred times the gap:", name));
}

// --------------------------------------------------------------------------------------------------------- degenerate

// Whatever the pose, there is an answer: finite, a unit normal, the separation along it at most the gap.
static void expect_answer(const hull *a, const hull *b, double least, const char *name)
{
    const tac_status status = meet(a, b);
    tap_least(status, 0, tap_joined("no refusal:", name));
    tap_most(d3_norm(d3_of(seen.normal)) - 1.0, TOL(1e-14, 1e-6), tap_joined("a unit normal:", name));
    tap_ok(status & TAC_UNCONVERGED || disproof(a, b) <= NEAR, tap_joined("proof or warning:", name));
    tap_least(seen.gap, least - NEAR, tap_joined("the way out is not longer than this:", name));
}

static void test_degenerate(void)
{
    const dq askew = dq_about(d3_make(1, 2, 3), 0.8);
    static const char *const names[HULLS] = {"sphere", "ellipsoid", "superellipsoid", "cylinder", "cone", "box"};
    for (int kind = 0; kind < HULLS; kind++) {
        hull s = make(kind, d3_make(0.5, 0.75, 1.0), d3_make(1, 2, 3), askew);
        s.power[0] = s.power[1] = s.power[2] = 8;
        expect_answer(&s, &s, -2.0, tap_joined("a body in its double,", names[kind]));
        const hull ball = make(SPHERE, d3_make(0.25, 0.25, 0.25), s.p, UPRIGHT);
        expect_answer(&s, &ball, -1.75, tap_joined("a sphere at the centre,", names[kind]));
        tap_ok(meet(&ball, &s) & TAC_DEEP, "which is called deep");
    }
    const hull tall = make(BOX, d3_make(1, 1, 1), ORIGIN, askew),
               needle = make(BOX, d3_make(1e-3, 1e-3, 1.0), d3_make(0, 0, 2.5), UPRIGHT);
    expect_answer(&tall, &needle, 0.0, "a needle beside a box");
    const hull grain = make(SPHERE, d3_make(1e-3, 1e-3, 1e-3), d3_make(0, 0, 3), UPRIGHT),
               hill = make(SPHERE, d3_make(1, 1, 1), ORIGIN, UPRIGHT);
    expect_answer(&hill, &grain, 1.999, "a grain above a hill");
    const hull stone = make(SPHERE, d3_make(1, 1, 1), d3_make(1000, 0, 0), UPRIGHT);
    expect(&hill, &stone, 998.0, TOL(1e-9, 1e-3), "a thousand radii apart");
}

// Half-spaces that overlap have no way out, one above the other none that is unique.
static void test_unbounded(void)
{
    const tac_pose up = {V3_ZERO, QUAT_ONE},
                   down = {vec(0, 0, 1), {R(0.0), R(1.0), R(0.0), R(0.0)}}; // z of the frame to -z
    tac_pose tilted = down;
    tilted.q = dq_to(dq_about(d3_make(1, 0, 0), 2.0));
    tac_implicit_half_space(&body_a, R(1.0));
    tap_equal(tac_implicit_closest(&body_a, &up, &body_a, &down, &work, &seen), TAC_OK, "two parallel planes");
    tap_near(seen.gap, 1.0, EXACT, "their distance");
    const tac_status status = tac_implicit_closest(&body_a, &up, &body_a, &tilted, &work, &seen);
    tap_ok(status > 0 && status & TAC_UNCONVERGED, "two half-spaces that cannot be parted: no convergence");
    tap_near(d3_norm(d3_of(seen.normal)), 1.0, EXACT, "but a unit normal");
}

// An octant of a ball: inequalities added by hand, three of them active in its corner.
static void test_by_hand(void)
{
    const hull ball = make(SPHERE, d3_make(0.5, 0.5, 0.5), d3_make(-1, -1, -1), UPRIGHT);
    const tac_pose here = {V3_ZERO, QUAT_ONE}, pose = hull_pose(&ball);
    tac_implicit_sphere(&body_a, R(2.0));
    for (int axis = 0; axis < 3; axis++) { inequality_add_plane(&body_a, axis, R(-1.0), R(0.0)); }
    body_a.inside = vec(0.5, 0.5, 0.5);
    hull_body(&ball, &body_b);
    tap_equal(tac_implicit_closest(&body_a, &here, &body_b, &pose, &work, &seen), TAC_OK, "an octant of a ball");
    tap_near(seen.gap, d_sqrt(3.0) - 0.5, EXACT, "its corner is closest");
    tap_ok(seen.l1[0] == R(0.0), "the sphere is not active there");
    for (int j = 1; j < 4; j++) { tap_near(seen.l1[j], d_sqrt(1.0 / 3.0), NEAR, "the planes are, alike"); }
}

// ---------------------------------------------------------------------------------------------------------- bad input

static tac_pose pose_a, pose_b;

static void reset(void)
{
    tac_implicit_sphere(&body_a, R(1.0));
    tac_implicit_cone(&body_b, R(1.0), R(1.0));
    pose_a = pose_b = (tac_pose){V3_ZERO, QUAT_ONE};
}

static void refused(tac_status wanted, const char *name)
{
    tac_closest before;
    truth_fill(&seen, sizeof seen, 0x5A);
    truth_copy(&before, &seen, sizeof seen);
    tap_equal(tac_implicit_closest(&body_a, &pose_a, &body_b, &pose_b, &work, &seen), wanted, name);
    tap_ok(truth_equal(&before, &seen, sizeof seen), "and the output is untouched");
    reset();
}

static void test_refused(void)
{
    reset();
    tap_equal(tac_implicit_closest(&body_a, &pose_a, &body_b, &pose_b, &work, &seen) < 0, 0,
              "to begin with, no refusal");
    tap_equal(tac_implicit_closest(NULL, &pose_a, &body_b, &pose_b, &work, &seen), TAC_E_ARG, "no body a");
    tap_equal(tac_implicit_closest(&body_a, NULL, &body_b, &pose_b, &work, &seen), TAC_E_ARG, "no pose a");
    tap_equal(tac_implicit_closest(&body_a, &pose_a, NULL, &pose_b, &work, &seen), TAC_E_ARG, "no body b");
    tap_equal(tac_implicit_closest(&body_a, &pose_a, &body_b, NULL, &work, &seen), TAC_E_ARG, "no pose b");
    tap_equal(tac_implicit_closest(&body_a, &pose_a, &body_b, &pose_b, NULL, &seen), TAC_E_ARG, "no work");
    tap_equal(tac_implicit_closest(&body_a, &pose_a, &body_b, &pose_b, &work, NULL), TAC_E_ARG, "no output");
    body_a.count = 0;
    refused(TAC_E_ARG, "a body without inequalities");
    body_a.count = TAC_MAX_INEQUALITIES + 1;
    refused(TAC_E_ARG, "more inequalities than there is room for");
    body_a.inside.x = R(1.0);
    refused(TAC_E_ARG, "a point inside that is on the surface");
    body_b.inside.z = R(2.0);
    refused(TAC_E_ARG, "a point inside that is outside");
    body_b.inside.z = real_nan();
    refused(TAC_E_NAN, "a point inside that is not finite");
    body_a.f[0].size.y = real_inf();
    refused(TAC_E_NAN, "an infinite size");
    body_a.f[0].size.y = R(0.0);
    refused(TAC_E_ARG, "a size of 0");
    body_b.f[0].size.x = R(-1.0);
    refused(TAC_E_ARG, "a negative size");
    body_a.f[0].kind = TAC_INEQUALITY_KINDS;
    refused(TAC_E_ARG, "an unknown kind");
    body_a.f[0].kind = TAC_WITHIN_SUPERELLIPSOID;
    body_a.f[0].power[0] = 3;
    refused(TAC_E_ARG, "an odd power");
    body_b.f[1].pose.q.w = R(2.0);
    refused(TAC_E_ARG, "the frame of an inequality that is no rotation");
    body_b.f[1].pose.p.x = real_nan();
    refused(TAC_E_NAN, "the frame of an inequality that is not finite");
    pose_a.q.w = R(0.5);
    refused(TAC_E_ARG, "a pose that is no rotation");
    pose_b.p.y = real_inf();
    refused(TAC_E_NAN, "a pose that is not finite");
}

static void test_makers_refuse(void)
{
    tac_implicit before;
    truth_fill(&body_a, sizeof body_a, 0x5A);
    truth_copy(&before, &body_a, sizeof body_a);
    tap_equal(tac_implicit_sphere(NULL, R(1.0)), TAC_E_ARG, "make without a body");
    tap_equal(tac_implicit_sphere(&body_a, R(0.0)), TAC_E_ARG, "sphere of radius 0");
    tap_equal(tac_implicit_ellipsoid(&body_a, vec(1, -1, 1)), TAC_E_ARG, "ellipsoid of negative size");
    tap_equal(tac_implicit_superellipsoid(&body_a, vec(1, 1, 1), 2, 4, 5), TAC_E_ARG, "superellipsoid of odd power");
    tap_equal(tac_implicit_superellipsoid(&body_a, vec(1, 1, 1), 2, 4, 10), TAC_E_ARG, "superellipsoid of power 10");
    tap_equal(tac_implicit_cylinder(&body_a, R(1.0), real_nan()), TAC_E_NAN, "cylinder of no length");
    tap_equal(tac_implicit_cone(&body_a, real_inf(), R(1.0)), TAC_E_NAN, "cone of infinite radius");
    tap_equal(tac_implicit_box(&body_a, vec(1, 1, 0)), TAC_E_ARG, "flat box");
    tap_equal(tac_implicit_half_space(&body_a, R(-1.0)), TAC_E_ARG, "half-space with its inside outside");
    tap_ok(truth_equal(&before, &body_a, sizeof body_a), "none of them has touched the body");
}

int main(void)
{
    test_derivatives(TAC_WITHIN_PLANE, "plane");
    test_derivatives(TAC_WITHIN_ELLIPSOID, "ellipsoid");
    test_derivatives(TAC_WITHIN_SUPERELLIPSOID, "superellipsoid");
    test_derivatives(TAC_WITHIN_CYLINDER, "cylinder");
    test_derivatives(TAC_WITHIN_CONE, "cone");
    test_apex();
    test_lu();
    test_closed_forms();
    test_examples();
    test_degenerate();
    test_unbounded();
    test_by_hand();
    test_refused();
    test_makers_refuse();
    static const char *const names[HULLS] = {"sphere", "ellipsoid", "superellipsoid", "cylinder", "cone", "box"};
    for (int i = 0; i < HULLS; i++) {
        test_plane(i, names[i]);
        for (int k = i; k < HULLS; k++) {
            char name[64];
            hull_pair_name(name, sizeof name, names[i], names[k]);
            test_pair(i, k, name);
            test_invariance(i, k, name);
        }
    }
    return tap_done();
}
