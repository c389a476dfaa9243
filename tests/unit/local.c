// SPDX-License-Identifier: MIT
// config: all
// variants: all
// A contact of three rows alone, whose W is as far from round as the body of a tree makes it: the impulse lies in the
// cone, its velocity (with De Saxce's term) in the dual one, and the two are complementary; with every friction, none
// as well.
#include "rows/contact_rows.h"
#include "sets/local.h"
#include "tap.h"
#include "truth.h"

#define EPS ((double)REAL_EPSILON)

#define BLOCKS RUN(10000, 300)

// B'B of random B whose columns have lengths down to `least`; what columns_blocks() adds keeps it definite.
static sym3 random_block(rng *r, double least)
{
    double b[3][3], a[3][3], size[3];
    for (int j = 0; j < 3; j++) { size[j] = rng_below(r, 2) ? 1.0 : rng_range(r, least, 1.0); }
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) { b[i][j] = size[j] * rng_range(r, -1.0, 1.0); }
    }
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            a[i][j] = i == j ? 1e-4 : 0.0;
            for (int k = 0; k < 3; k++) { a[i][j] += b[k][i] * b[k][j]; }
        }
    }
    return (sym3){(real)a[0][0], (real)a[0][1], (real)a[0][2], (real)a[1][1], (real)a[1][2], (real)a[2][2]};
}

static double tangent_of(vec3 x)
{
    return d_sqrt((double)x.y * (double)x.y + (double)x.z * (double)x.z);
}

// Of contacts that do not stick; those that would are left out. Visited again, as sweeps do, where W is far from round.
static void test_law(double mu, int exact, double least, int visits)
{
    rng r = {7};
    double outside = 0.0, worst = 0.0;
    int open = 0, slide = 0, rough = 0;
    for (int i = 0; i < BLOCKS; i++) {
        tac_block k;
        truth_fill(&k, sizeof k, 0);
        k.w = random_block(&r, least);
        rows_sweep(&k);
        const vec3 g = d3_to(rng_box(&r, 1)), u = d3_to(rng_box(&r, rng_below(&r, 2) ? 10.0 : 1.0));
        if (cone_contains(v3_sub(g, sym3_mul(&k.own.sweep.inv_w, u)), (real)mu)) { continue; }
        vec3 x = local_three(&k.w, (real)mu, g, u, exact), v = v3_add(u, sym3_mul(&k.w, v3_sub(x, g)));
        for (int visit = 0; visit < visits; visit++) {
            const vec3 last = x;
            x = local_graded(&k.w, &k.own.sweep.inv_w, k.own.sweep.step_n, k.own.sweep.step_t, (real)mu, last, v,
                             exact);
            v = v3_add(v, sym3_mul(&k.w, v3_sub(x, last)));
        }
        const double lift = exact ? mu * tangent_of(v) : 0.0, weight = (double)(k.w.xx + k.w.yy + k.w.zz);
        const double size = d3_norm(d3_of(u)) + weight * d3_norm(d3_of(g));
        const double amount = size / weight + d3_norm(d3_of(x));
        d_worst(&outside, d_max(0.0, tangent_of(x) - mu * (double)x.x) / amount);
        const double off = d_max(d_max(0.0, mu * tangent_of(v) - ((double)v.x + lift)) / size,
                                 d_abs(d3_dot(d3_of(x), d3_of(v)) + (double)x.x * lift) / (size * amount));
        d_worst(&worst, off);
        rough += off > TOL(1e-12, 1e-4);
        open += x.x == R(0.0);
        slide += x.x > R(0.0);
    }
    tap_least(d_min(open, slide), BLOCKS / 200, tap_numbered(exact ? "exact law, mu:" : "relaxed law, mu:", mu));
    tap_most(outside, 50.0 * EPS, "impulses in the cone");
    tap_most(rough, 1 + BLOCKS / 1000,
             "velocities in the dual cone and complementary, but where the block nearly jams");
    tap_most(worst, TOL(1e-9, 0.1), "and roughly even there");
    tap_note("largest error, relative", worst);
    tap_note("rough", rough);
}

// Nothing along the tangents, nothing couples them: the normal alone.
static void test_bare(void)
{
    const sym3 w = {R(2.0), R(0.0), R(0.0), R(1.0), R(0.0), R(1.0)};
    const vec3 x = local_three(&w, R(0.0), V3_ZERO, v3(R(-3.0), R(1.0), R(0.0)), 1);
    tap_near((double)x.x, 1.5, 4.0 * EPS, "without friction the normal stops it");
    tap_ok(x.y == R(0.0) && x.z == R(0.0), "and nothing else");
}

int main(void)
{
    static const double mu[] = {0, 1e-3, 0.1, 0.5, 1};
    for (size_t i = 0; i < sizeof mu / sizeof *mu; i++) {
        for (int exact = 0; exact < 2; exact++) {
            test_law(mu[i], exact, 0.5, 0);
            test_law(mu[i], exact, 0.01, 16);
        }
    }
    test_bare();
    return tap_done();
}
