// SPDX-License-Identifier: MIT
// config: all
// variants: all
// Linear complementarity problems by themselves: random ones of the kinds that Lemke's method solves, degenerate ones,
// rays, problems of any size of their numbers; sweeps on the same; what is refused.
#include "tap.h"
#include "truth.h"

#define REAL_LARGE ((tac_real)TOL(1e200, 1e30)) // its product with the next inverse is no number
#define REAL_SMALL ((tac_real)TOL(1e-200, 1e-30))

static tac_lcp q;

static void clear(uint16_t rows)
{
    tac_lcp_init(&q);
    q.rows = rows;
    for (uint32_t i = 0; i < rows; i++) {
        for (uint32_t j = 0; j < rows; j++) { q.F[i][j] = 0; }
        q.f[i] = 0;
    }
}

// ---------------------------------------------------------------------------------------------------------- problems

// A A' with `rank` columns, and a skew part: positive definite if the rank is full.
static void positive(uint16_t n, uint16_t rank, double skew, rng *r)
{
    static double a[TAC_MAX_LCP][TAC_MAX_LCP];
    clear(n);
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t j = 0; j < rank; j++) { a[i][j] = rng_range(r, -1, 1); }
        q.f[i] = (tac_real)rng_range(r, -1, 1);
    }
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t j = 0; j <= i; j++) {
            const double s = j < i ? skew * rng_range(r, -1, 1) : 0;
            double sum = 0;
            for (uint32_t k = 0; k < rank; k++) { sum += a[i][k] * a[j][k]; }
            q.F[i][j] = (tac_real)(sum + s);
            q.F[j][i] = (tac_real)(sum - s);
        }
    }
}

// Contacts on few bodies, as in T03: N of low rank, four directions each, f such that a solution exists.
static void contacts(uint16_t count, uint16_t rank, rng *r)
{
    static double d[TAC_MAX_LCP][8];
    const uint16_t n = (uint16_t)(6 * count);
    double v[8];
    clear(n);
    for (uint32_t k = 0; k < rank; k++) { v[k] = rng_range(r, -1, 1); }
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t k = 0; k < rank; k++) {
            d[i][k] = rng_range(r, -1, 1);
            for (uint32_t t = 0; t < 4; t += 2) {
                d[count + 4 * i + t][k] = rng_range(r, -1, 1);
                d[count + 4 * i + t + 1][k] = -d[count + 4 * i + t][k];
            }
        }
    }
    for (uint32_t i = 0; i < 5u * count; i++) {
        for (uint32_t j = 0; j < 5u * count; j++) {
            double sum = 0;
            for (uint32_t k = 0; k < rank; k++) { sum += d[i][k] * d[j][k]; }
            q.F[i][j] = (tac_real)sum;
        }
        for (uint32_t k = 0; k < rank; k++) { q.f[i] += (tac_real)(d[i][k] * v[k]); }
    }
    for (uint32_t i = 0; i < count; i++) {
        q.F[5 * count + i][i] = (tac_real)rng_range(r, 0, 1);
        for (uint32_t t = 0; t < 4; t++) {
            q.F[count + 4 * i + t][5 * count + i] = 1;
            q.F[5 * count + i][count + 4 * i + t] = -1;
        }
    }
}

// Small integers: many ratios are tied. x'F x >= 0, and f = w - F z of a solution z, w.
static void degenerate(uint16_t n, rng *r)
{
    positive(n, 0, 0, r);
    static double a[TAC_MAX_LCP][TAC_MAX_LCP];
    const uint16_t rank = (uint16_t)(1 + n / 2);
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t k = 0; k < rank; k++) { a[i][k] = (double)rng_below(r, 3) - 1; }
    }
    double z[TAC_MAX_LCP];
    for (uint32_t i = 0; i < n; i++) { z[i] = (double)rng_below(r, 2); }
    for (uint32_t i = 0; i < n; i++) {
        double f = z[i] > 0 ? 0 : (double)rng_below(r, 2);
        for (uint32_t j = 0; j < n; j++) {
            double sum = 0;
            for (uint32_t k = 0; k < rank; k++) { sum += a[i][k] * a[j][k]; }
            q.F[i][j] = (tac_real)sum;
            f -= sum * z[j];
        }
        q.f[i] = (tac_real)f;
    }
}

// ------------------------------------------------------------------------------------------------------------- tests

// How far z is from a solution, in double: the largest |min(z, w)|, each in its units.
static double wrong(void)
{
    double worst = 0, size = 0;
    for (uint32_t i = 0; i < q.rows; i++) {
        double w = (double)q.f[i];
        for (uint32_t j = 0; j < q.rows; j++) { w += (double)q.F[i][j] * (double)q.z[j]; }
        const double z = (double)q.z[i] / (double)q.scale[i], y = w * (double)q.scale[i];
        d_worst(&worst, z < y ? z : y);
        size = d_max(size, -(double)q.f[i] * (double)q.scale[i]);
    }
    return size > 0 ? worst / size : worst;
}

typedef struct tally {
    int unsolved;
    double worst, pivots;
} tally;

static void solve(tally *t)
{
    t->unsolved += tac_lcp_solve(&q) != TAC_OK;
    d_worst(&t->worst, wrong());
    t->pivots = d_max(t->pivots, (double)q.steps / d_max(1, q.rows));
}

static void say(const tally *t, const char *name)
{
    tap_equal(t->unsolved, 0, name);
    tap_most(t->worst, TOL(1e-10, 2e-3), "  complementary, of what z = 0 leaves");
    tap_most(t->pivots, 10, "  pivots a row");
    tap_note("  worst", t->worst);
    tap_note("  most pivots a row", t->pivots);
}

static void test_random(void)
{
    enum { EACH = RUN(2500, 100) };
    tally p = {0, 0, 0}, skewed = p, copositive = p, ties = p;
    rng r = {1};
    for (int i = 0; i < EACH; i++) {
        const uint16_t n = (uint16_t)(1 + rng_below(&r, 24));
        positive(n, n, 0, &r);
        solve(&p);
        positive(n, n, 1, &r);
        solve(&skewed);
        contacts((uint16_t)(1 + rng_below(&r, 6)), (uint16_t)(3 + rng_below(&r, 4)), &r);
        solve(&copositive);
        degenerate(n, &r);
        solve(&ties);
    }
    say(&p, "symmetric P-matrices are solved");
    say(&skewed, "P-matrices with a skew part are solved");
    say(&copositive, "contacts of few bodies, copositive and of low rank, are solved");
    say(&ties, "degenerate ones, whose ratios are tied, are solved");
}

// The unit of each row and of f does not matter: the same pivots.
static void test_units(void)
{
    rng r = {7};
    uint32_t steps;
    contacts(4, 6, &r);
    tac_lcp_solve(&q);
    steps = q.steps;
    for (uint32_t i = 0; i < q.rows; i++) {
        const int velocity = i < 20;
        for (uint32_t j = 0; j < q.rows; j++) { q.F[i][j] *= (velocity && j < 20) ? (tac_real)1048576 : 1; }
        q.f[i] *= (tac_real)0.0009765625;
    }
    tap_equal(tac_lcp_solve(&q), TAC_OK, "light bodies and slow ones: solved");
    tap_equal(q.steps, steps, "by the same pivots");
}

static void test_rays(void)
{
    clear(1);
    q.f[0] = -1;
    tap_equal(tac_lcp_solve(&q), TAC_UNCONVERGED, "F = 0, f = -1 has no solution");
    tap_equal(q.end, TAC_LCP_RAY, "and ends on a ray");
    clear(2);
    q.F[0][0] = -1, q.F[1][1] = 1;
    q.f[0] = q.f[1] = -1;
    tap_equal(tac_lcp_solve(&q), TAC_UNCONVERGED, "nor has F = -1, f = -1");
    clear(3); // Kostreva's example, on which other rules cycle
    for (uint32_t i = 0; i < 3; i++) {
        q.F[i][i] = 1, q.F[i][(i + 1) % 3] = 2;
        q.f[i] = -1;
    }
    tap_equal(tac_lcp_solve(&q), TAC_OK, "a problem on which simpler rules cycle is solved");
    tap_most(wrong(), TOL(1e-14, 1e-6), "  to rounding");
    clear(0);
    tap_equal(tac_lcp_solve(&q), TAC_OK, "no rows: nothing to solve");
    rng r = {3};
    positive(20, 20, 1, &r);
    q.budget = 3;
    tap_equal(tac_lcp_solve(&q), TAC_UNCONVERGED, "a budget of three pivots is kept");
    tap_equal(q.end == TAC_LCP_SPENT && q.steps == 3, 1, "and said to be spent");
}

static void test_sweeps(void)
{
    double worst = 0;
    rng r = {5};
    for (int i = 0; i < 20; i++) {
        positive((uint16_t)(2 + rng_below(&r, 10)), 12, 0, &r);
        for (uint32_t k = 0; k < q.rows; k++) { q.F[k][k] += 1; }
        tac_lcp_solve(&q);
        tac_real z[TAC_MAX_LCP];
        for (uint32_t k = 0; k < q.rows; k++) { z[k] = q.z[k]; }
        q.method = TAC_LCP_SWEEPS;
        tap_equal(tac_lcp_solve(&q), TAC_OK, "sweeps solve a positive definite problem");
        for (uint32_t k = 0; k < q.rows; k++) { d_worst(&worst, (double)(z[k] - q.z[k])); }
    }
    tap_most(worst, TOL(1e-8, 1e-4), "with the answer of the pivots");
}

static void test_refused(void)
{
    clear(2);
    tap_equal(tac_lcp_solve(NULL), TAC_E_ARG, "no problem");
    tap_equal(tac_lcp_init(NULL), TAC_E_ARG, "nothing to set");
    q.rows = TAC_MAX_LCP + 1;
    tap_equal(tac_lcp_solve(&q), TAC_E_ARG, "too many rows");
    q.rows = 2;
    q.method = TAC_LCP_METHODS;
    tap_equal(tac_lcp_solve(&q), TAC_E_ARG, "no such method");
    q.method = TAC_LCP_LEMKE;
    q.F[1][0] = real_nan();
    tap_equal(tac_lcp_solve(&q), TAC_E_NAN, "not a number in F");
    q.F[1][0] = 0;
    q.f[1] = real_nan();
    tap_equal(tac_lcp_solve(&q), TAC_E_NAN, "nor in f");
    clear(1);
    q.F[0][0] = REAL_SMALL, q.f[0] = -REAL_LARGE;
    const tac_status status = tac_lcp_solve(&q);
    const int finite = q.z[0] == 0 && q.w[0] == 0 && q.residual == 0;
    tap_equal(status == TAC_E_NAN && finite, 1, "an answer beyond all numbers is none, and does not get out");
}

int main(void)
{
    test_random();
    test_units();
    test_rays();
    test_sweeps();
    test_refused();
    return tap_done();
}
