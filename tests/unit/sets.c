// SPDX-License-Identifier: MIT
// config: all
// variants: all
// The sets of the cone program: the nearest point is in the set, the rest is normal to it, nothing sampled is nearer;
// De Saxce's term is maximum dissipation for any section.
#include "problem/set.h"

#include "tap.h"
#include "truth.h"

#define EPS ((double)REAL_EPSILON)

enum { MOST = TAC_BLOCK_ROWS };

// 10^a for a random a
static double rng_decades(rng *r, double low, double high)
{
    double value = 1.0;
    const double decades = rng_range(r, low, high);
    for (double d = d_abs(decades); d > 0.0; d -= 0.01) { value *= 1.0232929922807541; } // 10^(1/100)
    return decades < 0.0 ? 1.0 / value : value;
}

static tac_problem_block random_cone(rng *r, uint8_t set, double decades)
{
    tac_problem_block k;
    tac_problem_block_init(&k, set, (uint8_t)(set == TAC_SET_CONE ? 3 : set == TAC_SET_TORSION ? 4 : 6));
    k.mu = (real)rng_range(r, 0.02, 1.5);
    for (int i = 0; i < 5 && set != TAC_SET_CONE; i++) { k.e[i] = (real)rng_decades(r, -decades, decades); }
    return k;
}

static double axis(const tac_problem_block *k, int i)
{
    return k->set == TAC_SET_CONE ? 1.0 : (double)k->e[i - 1];
}

// A point of the cone: n, and a tangential part of random direction inside the section.
static void random_point(rng *r, const tac_problem_block *k, double n, double *x)
{
    double square = 0.0;
    for (int i = 1; i < k->rows; i++) {
        x[i] = rng_range(r, -1.0, 1.0);
        square += x[i] * x[i];
    }
    const double scale = (double)k->mu * n * (rng_below(r, 2) ? 1.0 : rng_range(r, 0.0, 1.0)) / d_sqrt(square);
    for (int i = 1; i < k->rows; i++) { x[i] *= scale * axis(k, i); }
    x[0] = n;
}

static double inner(const tac_problem_block *k, const double *rho, const double *a, const double *b)
{
    double sum = 0.0;
    for (int i = 0; i < k->rows; i++) { sum += a[i] * b[i] / rho[i]; }
    return sum;
}

// Largest violations met, relative to the size of what was projected.
typedef struct worst {
    double outside, across, polar, farther, twice;
} worst;

static void project_once(rng *r, const tac_problem_block *k, double decades, worst *w)
{
    double rho[MOST], given[MOST], near[MOST] = {0.0}, rest[MOST], other[MOST];
    real metric[MOST] = {R(0.0)}, x[MOST], again[MOST];
    for (int i = 0; i < k->rows; i++) {
        metric[i] = (real)rng_decades(r, -decades, decades);
        if (k->set == TAC_SET_CONE && i == 2) { metric[2] = metric[1]; }
        rho[i] = (double)metric[i];
        x[i] = (real)(rng_range(r, -1.0, 1.0) * (i > 0 ? axis(k, i) : 1.0));
        given[i] = (double)x[i];
    }
    set_project(k, x, metric);
    double tangent = 0.0;
    for (int i = 0; i < k->rows; i++) {
        near[i] = (double)x[i];
        rest[i] = given[i] - near[i];
        again[i] = x[i];
        if (i > 0) { tangent += near[i] * near[i] / axis(k, i) / axis(k, i); }
    }
    const double size = inner(k, rho, given, given);
    d_worst(&w->outside, d_max(0.0, d_sqrt(tangent) - (double)k->mu * near[0]) / (d_sqrt(tangent) + 1e-300));
    d_worst(&w->across, inner(k, rho, rest, near) / size);
    for (int n = 0; n < 20; n++) {
        random_point(r, k, rng_decades(r, -2.0, 1.0), other);
        // the rest lies in the polar cone, in this metric
        d_worst(&w->polar, d_max(0.0, inner(k, rho, rest, other) / d_sqrt(inner(k, rho, other, other) * size)));
        for (int i = 0; i < k->rows; i++) { other[i] = given[i] - other[i]; }
        d_worst(&w->farther, d_max(0.0, inner(k, rho, rest, rest) - inner(k, rho, other, other)) / size);
    }
    set_project(k, again, metric);
    for (int i = 0; i < k->rows; i++) { other[i] = (double)again[i] - near[i]; }
    d_worst(&w->twice, d_sqrt(inner(k, rho, other, other) / size));
}

static void test_cones(uint8_t set, double decades, const char *name)
{
    rng r = {set * 1000u + (uint32_t)decades};
    worst w = {0.0, 0.0, 0.0, 0.0, 0.0};
    tap_note("seed", (double)r.state);
    for (int n = 0; n < RUN(4000, 40); n++) {
        const tac_problem_block k = random_cone(&r, set, decades);
        project_once(&r, &k, decades, &w);
    }
    tap_most(w.outside, 20.0 * EPS, tap_joined(name, ": in the cone"));
    tap_most(w.across, 200.0 * EPS, tap_joined(name, ": the rest is normal to it"));
    tap_most(w.polar, 200.0 * EPS, tap_joined(name, ": the rest lies in the polar cone"));
    tap_most(w.farther, 400.0 * EPS, tap_joined(name, ": nothing is nearer"));
    tap_most(w.twice, 400.0 * EPS, tap_joined(name, ": again changes nothing"));
}

// The section by hand: along one axis the cone is the plane one |t| <= mu e n.
static void test_known(void)
{
    tac_problem_block k;
    tac_problem_block_init(&k, TAC_SET_TORSION, 4);
    k.mu = R(0.5);
    k.e[1] = R(2.0);
    real x[4] = {R(0.0), R(0.0), R(2.0), R(0.0)};
    set_project(&k, x, SET_PLAIN); // |t| <= n: nearest to (0,2) is (1,1)
    tap_near(x[0], 1.0, 8.0 * EPS, "along an axis: n");
    tap_near(x[2], 1.0, 8.0 * EPS, "along an axis: t");
    tap_equal(x[1] == R(0.0) && x[3] == R(0.0), 1, "along an axis: nothing across");

    real inside[4] = {R(1.0), R(0.1), R(0.2), R(-0.1)}, polar[4] = {R(-3.0), R(0.1), R(0.2), R(-0.1)};
    set_project(&k, inside, SET_PLAIN);
    tap_ok(inside[0] == R(1.0) && inside[2] == R(0.2), "inside: itself");
    set_project(&k, polar, SET_PLAIN);
    tap_ok(polar[0] == R(0.0) && polar[2] == R(0.0), "in the polar cone: nothing");

    k.mu = R(0.0);
    real slip[4] = {R(1.0), R(3.0), R(2.0), R(1.0)}, off[4] = {R(-1.0), R(3.0), R(2.0), R(1.0)};
    set_project(&k, slip, SET_PLAIN);
    set_project(&k, off, SET_PLAIN);
    tap_ok(slip[0] == R(1.0) && slip[1] == R(0.0) && slip[3] == R(0.0), "without friction only the normal part stays");
    tap_ok(off[0] == R(0.0) && off[1] == R(0.0), "and nothing when pulling");
}

// Where all semi-axes are 1 an elliptic cone is round, and the closed form holds.
static void test_round(void)
{
    rng r = {77};
    double miss = 0.0;
    tap_note("seed", 77);
    for (int n = 0; n < RUN(2000, 50); n++) {
        tac_problem_block k;
        tac_problem_block_init(&k, TAC_SET_TORSION, 4);
        k.mu = (real)rng_range(&r, 0.05, 2.0);
        const real rho[4] = {(real)rng_range(&r, 0.2, 5.0), R(0.7), R(0.7), R(0.7)};
        real x[4] = {(real)rng_range(&r, -2.0, 2.0), (real)rng_range(&r, -1.0, 1.0), (real)rng_range(&r, -1.0, 1.0),
                     R(0.0)};
        const vec3 truth = cone_project(v3(x[0], x[1], x[2]), k.mu, rho[0], rho[1]);
        set_project(&k, x, rho);
        d_worst(&miss, (double)(x[0] - truth.x));
        d_worst(&miss, (double)(x[1] - truth.y));
        d_worst(&miss, (double)(x[2] - truth.z));
    }
    tap_most(miss, 20.0 * EPS, "round sections: the same as the closed form");
}

// With the term, g in K, u~ in K*, g.u~ = 0 where friction takes the most power; an oblique impulse is not
// complementary.
static void test_dissipation(void)
{
    rng r = {5};
    double across = 0.0, more = 0.0, dual = 0.0;
    tap_note("seed", 5);
    for (int n = 0; n < RUN(1000, 50); n++) {
        const tac_problem_block k = random_cone(&r, TAC_SET_ROLLING, 1.0);
        double g[MOST], other[MOST], power = 0.0, speed = 0.0;
        real u[MOST];
        for (int i = 0; i < k.rows; i++) {
            u[i] = (real)(i == 0 ? 0.0 : rng_range(&r, -1.0, 1.0));
            speed += i == 0 ? 0.0 : (double)u[i] * (double)u[i] * axis(&k, i) * axis(&k, i);
        }
        speed = d_sqrt(speed);
        const double lift = (double)set_lift(&k, u);
        g[0] = 2.0;
        for (int i = 1; i < k.rows; i++) {
            g[i] = -2.0 * (double)k.mu * axis(&k, i) * axis(&k, i) * (double)u[i] / speed;
        }
        for (int i = 1; i < k.rows; i++) { power += g[i] * (double)u[i]; }
        d_worst(&across, (g[0] * lift + power) / (g[0] * lift));
        for (int m = 0; m < 20; m++) {
            double its = 0.0;
            random_point(&r, &k, 2.0, other);
            for (int i = 1; i < k.rows; i++) { its += other[i] * (double)u[i]; }
            d_worst(&more, d_max(0.0, power - its) / (g[0] * lift));
            d_worst(&dual, d_max(0.0, -(other[0] * lift + its)) / (g[0] * lift));
        }
    }
    tap_most(across, 20.0 * EPS, "sliding with the most friction is complementary");
    tap_most(more, 20.0 * EPS, "no impulse of the section takes more");
    tap_most(dual, 20.0 * EPS, "the velocity with the term lies in the dual cone");
}

static void test_lines(void)
{
    tac_problem_block box, ray;
    tac_problem_block_init(&box, TAC_SET_INTERVAL, 1);
    tac_problem_block_init(&ray, TAC_SET_RAY, 1);
    tac_problem_block all;
    tac_problem_block_init(&all, TAC_SET_FREE, 6);
    box.lo = R(-1.0);
    box.hi = R(2.0);
    const real given[3] = {R(-3.0), R(0.5), R(4.0)}, boxed[3] = {R(-1.0), R(0.5), R(2.0)},
               rayed[3] = {R(0.0), R(0.5), R(4.0)};
    int good = 1;
    for (int i = 0; i < 3; i++) {
        real a = given[i], b = given[i], c[6] = {given[i], R(1.0), R(-1.0), R(0.0), R(2.0), R(3.0)};
        set_project(&box, &a, SET_PLAIN);
        set_project(&ray, &b, SET_PLAIN);
        set_project(&all, c, SET_PLAIN);
        good = good && a == boxed[i] && b == rayed[i] && c[0] == given[i] && c[5] == R(3.0);
        good = good && set_contains(&box, &a) && set_contains(&ray, &b) && set_contains(&all, c);
    }
    tap_ok(good, "a box clamps, a ray pushes, free is free");
    tap_ok(set_mode(&box, &given[1]) == TAC_STICK && set_mode(&box, &boxed[0]) == TAC_SLIDE &&
               set_mode(&ray, &rayed[0]) == TAC_OPEN && set_mode(&ray, &rayed[1]) == TAC_STICK &&
               set_mode(&all, given) == TAC_STICK,
           "modes of lines");
}

int main(void)
{
    test_known();
    test_lines();
    test_round();
    test_cones(TAC_SET_CONE, 1.0, "cone");
    test_cones(TAC_SET_TORSION, 1.0, "torsion");
    test_cones(TAC_SET_ROLLING, 1.0, "rolling");
    test_cones(TAC_SET_TORSION, 3.0, "torsion, axes from 1e-3 to 1e3");
    test_cones(TAC_SET_ROLLING, 3.0, "rolling, axes from 1e-3 to 1e3");
    test_dissipation();
    return tap_done();
}
