// SPDX-License-Identifier: MIT
// The friction cone: what a projection is, whatever way it is computed; Coulomb's law from the De Saxce term.
#include "sets/cone.h"
#include "tap.h"
#include "truth.h"

#define EPS ((double)REAL_EPSILON)

typedef struct metric {
    double n, t;
} metric;

// Inner product in which a step of rho_n, rho_t projects.
static double inner(metric rho, d3 a, d3 b)
{
    return a.x * b.x / rho.n + (a.y * b.y + a.z * b.z) / rho.t;
}

static double tangent(d3 a)
{
    return d_sqrt(a.y * a.y + a.z * a.z);
}

static d3 random_of_cone(rng *r, double mu)
{
    const double n = rng_range(r, 0.0, 3.0), angle = rng_range(r, -3.0, 3.0), t = rng_range(r, 0.0, 1.0) * mu * n;
    return d3_make(n, t * d_cos(angle), t * d_sin(angle));
}

static void test_projection(void)
{
    rng r = {4711};
    tap_note("seed", 4711);
    double outside = 0.0, across = 0.0, farther = 0.0, twice = 0.0, inside = 0.0;
    for (int i = 0; i < RUN(5000, 100); i++) {
        const double mu = (double)(real)(i % 10 == 0 ? 0.0 : rng_range(&r, 0.01, 2.0));
        const metric rho = {(double)(real)rng_range(&r, 0.2, 5.0), (double)(real)rng_range(&r, 0.2, 5.0)};
        const vec3 given = d3_to(rng_box(&r, 2.0));
        const d3 x = d3_of(given);
        const vec3 projected = cone_project(given, (real)mu, (real)rho.n, (real)rho.t);
        const d3 p = d3_of(projected), rest = d3_sub(x, p);

        // Moreau: p in K, x - p in the polar cone, and both at right angles in the metric
        d_worst(&outside, d_max(0.0, tangent(p) - mu * p.x) + d_max(0.0, -p.x));
        d_worst(&across, inner(rho, rest, p));
        for (int k = 0; k < 10; k++) {
            const d3 y = random_of_cone(&r, mu), miss = d3_sub(x, y);
            d_worst(&farther, d_max(0.0, inner(rho, rest, rest) - inner(rho, miss, miss)));
        }
        const vec3 again = cone_project(projected, (real)mu, (real)rho.n, (real)rho.t);
        d_worst(&twice, d3_norm(d3_sub(d3_of(again), p)));
        if (tangent(x) < mu * x.x * (1.0 - 8.0 * EPS)) { d_worst(&inside, d3_norm(d3_sub(p, x))); }
    }
    tap_most(outside, 20.0 * EPS, "the projection lies in the cone");
    tap_most(across, 200.0 * EPS, "the rest is normal to it in the metric");
    tap_most(farther, 500.0 * EPS, "no point of the cone is nearer");
    tap_most(twice, 20.0 * EPS, "a second projection changes nothing");
    tap_most(inside, 0.0, "a point of the cone stays where it is");
}

static void expect(vec3 x, double mu, double rho_n, double rho_t, d3 truth, const char *name)
{
    const vec3 p = cone_project(x, (real)mu, (real)rho_n, (real)rho_t);
    tap_most(d3_norm(d3_sub(d3_of(p), truth)), 4.0 * EPS, name);
}

static void test_known(void)
{
    expect(vec(-1, 0.5, 0), 0.5, 1, 1, d3_make(0, 0, 0), "pulling: nothing");
    expect(vec(-1, 2, 0), 0.5, 1, 1, d3_make(0, 0, 0), "on the edge of the polar cone: nothing");
    expect(vec(1, 0.25, 0.25), 0.5, 1, 1, d3_make(1, 0.25, 0.25), "inside: itself");
    expect(vec(0, 0, 5), 0.5, 1, 1, d3_make(2, 0, 1), "purely tangential");
    expect(vec(1, 3, 4), 0.5, 1, 1, d3_make(2.8, 0.84, 1.12), "n = (n + mu t)/(1 + mu^2)");
    expect(vec(1, 3, 4), 0, 1, 1, d3_make(1, 0, 0), "without friction only the normal part stays");
    expect(vec(-1, 3, 4), 0, 1, 1, d3_make(0, 0, 0), "and nothing when pulling");
    expect(vec(0, 0, 0), 0.5, 1, 1, d3_make(0, 0, 0), "zero");
    expect(vec(-2, 0, 0), 0.5, 2, 1, d3_make(0, 0, 0), "straight out");
    // minimise (n - 1)^2 / 2 + (t - 5)^2 on t = n / 2:  n - 1 + (n/2 - 5) = 0
    expect(vec(1, 3, 4), 0.5, 2, 1, d3_make(4, 1.2, 1.6), "in a metric");
}

static void test_membership(void)
{
    tap_ok(cone_contains(vec(1, 0.5, 0), R(0.5)) && cone_contains(V3_ZERO, R(0.5)), "edge and tip belong to the cone");
    tap_ok(!cone_contains(vec(1, 0.5, 0.01), R(0.5)), "beyond the edge does not");
    tap_ok(!cone_contains(vec(-1, 0, 0), R(0.5)) && !cone_contains(vec(-1, 0.1, 0), R(0.5)),
           "nor does the mirror cone");
}

// The exact law asks that u + mu |u_T| e_n lie in the dual cone and be normal to g: that holds for sliding with
// friction against the motion, sticking, and opening, and for nothing else.
static void test_coulomb(void)
{
    const real mu = R(0.5);
    const vec3 slide = cone_velocity(vec(0, 3, 4), mu, 1), g = vec(2, -0.6, -0.8);
    tap_near(slide.x, 2.5, 4.0 * EPS, "the De Saxce term is mu |u_T|");
    tap_near(v3_dot(slide, g), 0.0, 8.0 * EPS, "sliding with friction against the motion is complementary");
    const vec3 oblique = vec(2, -0.8, -0.6);
    tap_least(v3_dot(slide, oblique), 0.1, "sliding with oblique friction is not");
    const vec3 relaxed = cone_velocity(vec(0, 3, 4), mu, 0);
    tap_least(-(double)v3_dot(relaxed, g), 4.9, "without the term a sliding contact has to lift");
    const vec3 lifting = cone_velocity(vec(2.5, 3, 4), mu, 0);
    tap_near(v3_dot(lifting, g), 0.0, 8.0 * EPS, "namely at mu |u_T|");
}

int main(void)
{
    test_projection();
    test_known();
    test_membership();
    test_coulomb();
    return tap_done();
}
