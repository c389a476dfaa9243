// SPDX-License-Identifier: MIT
// config: all
// variants: all
// The cone program without a world: every method on every set, both laws; joints alone; least norm; stopping anywhere;
// warm starts; what is refused, by block; the same bits everywhere.
#include "base/hash.h"
#include "problem/set.h"

#include "tap.h"
#include "random_problem.h"

#define EPS ((double)REAL_EPSILON)

enum { ALL = (1 << TAC_SETS) - 1, LINES = 1 << TAC_SET_FREE | 1 << TAC_SET_INTERVAL | 1 << TAC_SET_RAY };

static tac_problem q;
static tac_solve_work w, other;

static tac_solve_options options(uint8_t method, uint8_t law)
{
    tac_solve_options o;
    tac_solve_options_init(&o);
    o.method = method;
    o.friction = law;
    o.tolerance = (tac_real)TOL(1e-10, 1e-5);
    o.omega = method == TAC_METHOD_JACOBI ? R(0.2) : R(0.7);
    return o;
}

// "method, problems: what", valid until the next call
static const char *label(uint8_t method, const char *problems, const char *what)
{
    static const char *const METHOD[TAC_METHODS] = {"auto", "jacobi",   "sor",    "symmetric", "accelerated",
                                                    "apgd", "spectral", "minres", "direct"};
    static char text[120];
    const char *const part[5] = {METHOD[method], *problems ? ", " : "", problems, ": ", what};
    size_t n = 0;
    for (int i = 0; i < 5; i++) {
        for (const char *c = part[i]; *c && n + 1 < sizeof text; c++) { text[n++] = *c; }
    }
    text[n] = 0;
    return text;
}

// How far g is from its sets, relative to what it would take to make |p|.
static double outside(void)
{
    double worst = 0.0;
    for (uint32_t i = 0; i < q.blocks; i++) {
        real g[TAC_BLOCK_ROWS] = {0};
        for (uint32_t r = 0; r < q.block[i].rows; r++) { g[r] = w.g[w.row[i] + r]; }
        set_project(&q.block[i], g, SET_PLAIN);
        for (uint32_t r = 0; r < q.block[i].rows; r++) {
            d_worst(&worst, (double)((g[r] - w.g[w.row[i] + r]) * w.weight[i]));
        }
    }
    return worst;
}

// -------------------------------------------------------------------------------------------------------- all methods

// All solve the relaxed law, and agree on its velocities, but for the spectral method where impulses become large: it
// follows a flat valley step by step. The exact law need not have a solution.
static void test_methods(uint8_t law, uint32_t sets, const char *name)
{
    static const uint8_t sure[] = {TAC_METHOD_DIRECT, TAC_METHOD_AUTO, TAC_METHOD_ACCELERATED, TAC_METHOD_SPECTRAL,
                                   TAC_METHOD_APGD};
    const int problems = RUN(40, 2);
    for (uint32_t m = 0; m < sizeof sure; m++) {
        rng r = {sets + law};
        int solved = 0;
        double worst = 0.0, apart = 0.0, rim = 0.0;
        for (int n = 0; n < problems; n++) {
            problem_random(&r, &q, 2 + rng_below(&r, 7), sets);
            tac_solve_options o = options(TAC_METHOD_DIRECT, law);
            (void)tac_solve(&q, &o, &other);
            o.method = sure[m];
            const int good = tac_solve(&q, &o, &w) == TAC_OK;
            solved += good;
            d_worst(&worst, (double)w.report.r_natmap);
            d_worst(&rim, outside());
            for (uint32_t i = 0; i < q.rows && good && law == TAC_FRICTION_RELAXED; i++) {
                d_worst(&apart, (double)(w.u[i] - other.u[i]));
            }
        }
        tap_note(label(sure[m], name, "worst resS"), worst);
        const int all = law == TAC_FRICTION_RELAXED && sure[m] != TAC_METHOD_SPECTRAL;
        tap_least(solved, all ? problems : 0.9 * problems,
                  label(sure[m], name, all ? "all solved" : "nine of ten solved"));
        tap_most(apart, TOL(1e-4, 1e-2), label(sure[m], name, "relaxed velocities are unique"));
        tap_most(rim, 100.0 * EPS, label(sure[m], name, "in the sets"));
    }
}

// The slow ones get nearer, and say so.
static void test_slow(void)
{
    static const uint8_t slow[] = {TAC_METHOD_JACOBI, TAC_METHOD_SOR, TAC_METHOD_SYMMETRIC};
    for (uint32_t m = 0; m < sizeof slow; m++) {
        rng r = {9};
        double few = 0.0, many = 0.0;
        for (int n = 0; n < RUN(20, 2); n++) {
            problem_random(&r, &q, 4, 1 << TAC_SET_CONE | LINES);
            tac_solve_options o = options(slow[m], TAC_FRICTION_RELAXED);
            o.max_passes = 10;
            (void)tac_solve(&q, &o, &w);
            few += (double)w.report.r_natmap;
            o.max_passes = 1000;
            (void)tac_solve(&q, &o, &w);
            many += (double)w.report.r_natmap;
        }
        tap_most(many, 0.1 * few, label(slow[m], "", "more passes, less residual"));
    }
}

// ---------------------------------------------------------------------------------------------------------- the report

// A solution obeys the laws one by one, and the modes are those of its impulses.
static void test_certificate(uint8_t law)
{
    rng r = {31};
    double signorini = 0.0, cone = 0.0, dual = 0.0, product = 0.0, power = 0.0, natural = 0.0;
    int counted = 1;
    for (int n = 0; n < RUN(40, 3); n++) {
        problem_random(&r, &q, 6, ALL);
        tac_solve_options o = options(TAC_METHOD_DIRECT, law);
        if (tac_solve(&q, &o, &w) != TAC_OK) { continue; }
        d_worst(&signorini, (double)w.report.signorini);
        d_worst(&cone, (double)w.report.r_ncp_primal);
        d_worst(&dual, (double)w.report.r_ncp_dual);
        d_worst(&product, (double)w.report.r_ncp_compl);
        d_worst(&power, (double)w.report.dissipation);
        d_worst(&natural, (double)w.report.natural);
        counted = counted && w.report.open + w.report.stick + w.report.slide == q.blocks;
    }
    tap_most(signorini, TOL(1e-8, 1e-4), "Signorini's law holds");
    tap_most(cone, 100.0 * EPS, "impulses lie in their sets");
    tap_most(dual, TOL(1e-8, 1e-4), "velocities in the dual sets");
    tap_most(product, TOL(1e-8, 1e-4), "and they are complementary");
    tap_most(power, TOL(1e-8, 1e-4), "friction takes what it can");
    tap_most(natural, TOL(1e-6, 1e-2), "resA is small where resS is");
    tap_ok(counted, "each block has a mode");
}

// By hand: one contact, N = diag(2, 1, 1), p = (-2, 3, 0), mu = 1/2. Exact: n = 1, slides, g_u = -1/2, u = 5/2. From
// g = 0 the natural map is -P(-u~/d) d with d = 4/3.
static void test_residual(void)
{
    static const tac_real n[9] = {R(2.0), R(0.0), R(0.0), R(0.0), R(1.0), R(0.0), R(0.0), R(0.0), R(1.0)};
    tac_problem_block k;
    tac_problem_block_init(&k, TAC_SET_CONE, 3);
    k.mu = R(0.5);
    k.p[0] = R(-2.0);
    k.p[1] = R(3.0);
    tac_problem_init(&q);
    (void)tac_problem_add_block(&q, &k);
    (void)tac_problem_add_entry(&q, 0, 0, n);
    tac_solve_options o = options(TAC_METHOD_DIRECT, TAC_FRICTION_EXACT);
    o.tolerance = R(0.0);
    (void)tac_solve(&q, &o, &w);
    tap_near(w.g[0], 1.0, 1e3 * EPS, "exact: n carries");
    tap_near(w.g[1], -0.5, 1e3 * EPS, "exact: friction is mu n");
    tap_near(w.u[0], 0.0, 1e3 * EPS, "exact: the contact stays");
    tap_near(w.u[1], 2.5, 1e3 * EPS, "exact: and slides on");
    tap_near(w.report.f_ccp, -2.375, 1e3 * EPS, "exact: the objective is not what it minimises");
    // relaxed: u_n = mu u_T:  2 n - 2 = (3 - n/2)/2,  n = 14/9
    o.friction = TAC_FRICTION_RELAXED;
    (void)tac_solve(&q, &o, &w);
    tap_near(w.g[0], 14.0 / 9.0, 1e3 * EPS, "relaxed: n");
    tap_near(w.u[0], 10.0 / 9.0, 1e3 * EPS, "relaxed: it lifts off by mu u_T");
    tap_near(w.report.f_ccp, -49.0 / 18.0, 1e3 * EPS, "relaxed: it is");
    tap_equal(w.report.slide, 1, "it slides");

    // one Jacobi step of nearly nothing leaves g = 0: u~ = (-2, 3, 0), -u~/d = (3/2, -9/4, 0), projected (2.1, -1.05)
    o.method = TAC_METHOD_JACOBI;
    o.omega = (tac_real)1e-30;
    o.max_passes = 1;
    (void)tac_solve(&q, &o, &w);
    tap_near(w.report.r_natmap, 4.0 / 3.0 * d_sqrt(2.1 * 2.1 + 1.05 * 1.05) / d_sqrt(13.0), 1e3 * EPS, "resS by hand");
    // resA: -u~ = (2, -3, 0), projected (2.8, -1.4)
    tap_near(w.report.natural, d_sqrt(2.8 * 2.8 + 1.4 * 1.4) / d_sqrt(13.0), 1e3 * EPS, "resA by hand");
    tap_near(w.report.r_ncp_dual, 2.8 / d_sqrt(13.0), 1e3 * EPS,
             "its largest row is what the dual cone does not allow");
    tap_near(w.report.signorini, 3.5 / d_sqrt(13.0), 1e3 * EPS, "u_n less mu |u_T|");
    tap_ok(w.report.r_ncp_primal == R(0.0) && (double)w.report.r_ncp_compl < EPS, "no impulse breaks no other law");
}

// By hand: one row, N = 2, p = -1, from no impulse; what it asks for, 1/2, is beyond the bound 1/4, then it is not.
static void test_interval(void)
{
    const tac_real two = R(2.0);
    tac_problem_block k;
    tac_problem_block_init(&k, TAC_SET_INTERVAL, 1);
    tac_solve_options o = options(TAC_METHOD_JACOBI, TAC_FRICTION_EXACT);
    o.omega = (tac_real)1e-30;
    o.max_passes = 1;
    for (int bounded = 1; bounded >= 0; bounded--) {
        k.hi = bounded ? R(0.25) : real_inf();
        k.lo = -k.hi;
        k.p[0] = R(-1.0);
        tac_problem_init(&q);
        (void)tac_problem_add_block(&q, &k);
        (void)tac_problem_add_entry(&q, 0, 0, &two);
        (void)tac_solve(&q, &o, &w);
        tap_near(w.report.r_ncp_compl, bounded ? 0.5 : 0.0, 1e3 * EPS,
                 "an interval: from the bound that u presses against");
        tap_near(w.report.r_ncp_dual, bounded ? 0.0 : 1.0, 1e3 * EPS, "which a velocity needs");
    }
    o.method = TAC_METHOD_ACCELERATED;
    o.max_passes = 10;
    (void)tac_solve(&q, &o, &w);
    tap_near(w.report.f_ccp, -0.25, 1e3 * EPS, "the objective where it rests");
}

// -------------------------------------------------------------------------------------------------------------- joints

static void test_joints(void)
{
    static const uint8_t methods[] = {TAC_METHOD_MINRES, TAC_METHOD_DIRECT, TAC_METHOD_AUTO};
    for (uint32_t m = 0; m < sizeof methods; m++) {
        rng r = {17};
        double worst = 0.0;
        for (int n = 0; n < RUN(40, 3); n++) {
            problem_random(&r, &q, 2 + rng_below(&r, 9), 1 << TAC_SET_FREE); // up to 33 rows of 18 axes: singular
            tac_solve_options o = options(methods[m], TAC_FRICTION_EXACT);
            (void)tac_solve(&q, &o, &w);
            for (uint32_t i = 0; i < q.rows; i++) { d_worst(&worst, (double)w.u[i]); }
        }
        tap_most(worst, TOL(1e-8, 1e-4), label(methods[m], "", "joints hold, redundant ones too"));
    }
    problem_random(&(rng){3}, &q, 3, 1 << TAC_SET_CONE);
    tac_solve_options o = options(TAC_METHOD_MINRES, TAC_FRICTION_EXACT);
    tap_equal(tac_solve(&q, &o, &w), TAC_E_ARG, "minres refuses contacts");
}

// ---------------------------------------------------------------------------------------------------------- least norm

// A cube of half length a and mass m on its four feet: rows (n,u,w) of a foot at (x, y, -a) are z, x, y.
static void cube(double a, double mass)
{
    static const double foot[4][2] = {{1, 1}, {1, -1}, {-1, 1}, {-1, -1}};
    const double inertia = 2.0 / 3.0 * mass * a * a, h = 1e-3;
    double d[12][6];
    tac_real value[9];
    tac_problem_init(&q);
    for (uint32_t i = 0; i < 4; i++) {
        const double x = a * foot[i][0], y = a * foot[i][1], z = -a;
        const double axis[3][3] = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}};
        tac_problem_block k;
        tac_problem_block_init(&k, TAC_SET_CONE, 3);
        for (int r = 0; r < 3; r++) {
            const double *e = axis[r];
            const double turn[3] = {y * e[2] - z * e[1], z * e[0] - x * e[2], x * e[1] - y * e[0]};
            for (int c = 0; c < 3; c++) {
                d[3 * i + (uint32_t)r][c] = e[c];
                d[3 * i + (uint32_t)r][c + 3] = turn[c];
            }
        }
        k.mu = R(0.5);
        k.p[0] = (tac_real)(-9.81 * h);
        (void)tac_problem_add_block(&q, &k);
    }
    for (uint32_t i = 0; i < 4; i++) {
        for (uint32_t j = 0; j < 4; j++) {
            for (uint32_t n = 0; n < 9; n++) {
                const double *a3 = d[3 * i + n / 3], *b3 = d[3 * j + n % 3];
                double sum = 0.0;
                for (int c = 0; c < 6; c++) { sum += a3[c] * b3[c] / (c < 3 ? mass : inertia); }
                value[n] = (tac_real)sum;
            }
            (void)tac_problem_add_entry(&q, i, j, value);
        }
    }
}

static void test_least_norm(double a, double mass, const char *name)
{
    const double each = mass * 9.81e-3 / 4.0;
    static const uint8_t methods[] = {TAC_METHOD_DIRECT, TAC_METHOD_AUTO};
    for (uint32_t m = 0; m < sizeof methods; m++) {
        cube(a, mass);
        tac_solve_options o = options(methods[m], TAC_FRICTION_RELAXED);
        // an uneven start: two feet over the diagonal carry all
        o.warm_start = 1;
        for (uint32_t i = 0; i < 12; i++) { w.g[i] = R(0.0); }
        w.g[0] = w.g[9] = (tac_real)(2.0 * each);
        w.g[1] = (tac_real)(0.5 * each);
        w.g[10] = (tac_real)(-0.5 * each);
        o.least_norm = 1;
        (void)tac_solve(&q, &o, &w);
        double uneven = 0.0, across = 0.0;
        for (uint32_t i = 0; i < 4; i++) {
            d_worst(&uneven, (double)w.g[3 * i] / each - 1.0);
            d_worst(&across, (double)w.g[3 * i + 1] / each);
        }
        tap_most(w.report.r_natmap, TOL(1e-7, 1e-3), label(methods[m], name, "a solution"));
        tap_most(uneven, TOL(1e-6, 2e-3), label(methods[m], name, "four feet carry alike"));
        tap_most(across, TOL(1e-6, 2e-3), label(methods[m], name, "and none pulls at another"));
    }
}

// ------------------------------------------------------------------------------------------------------------ stopping

// Whatever the budget, g lies in its sets, all is finite, and the budget is kept but for the last matrix.
static void test_stop(void)
{
    rng r = {71};
    int good = 1, kept = 1;
    for (int n = 0; n < RUN(6, 1); n++) {
        problem_random(&r, &q, 7, ALL);
        for (uint8_t m = 0; m < TAC_METHODS; m++) {
            if (m == TAC_METHOD_MINRES) { continue; }
            for (uint32_t passes = 1; passes < RUN(60u, 8u); passes++) {
                tac_solve_options o = options(m, (uint8_t)(passes & 1));
                o.max_passes = passes;
                o.tolerance = R(0.0);
                const tac_status status = tac_solve(&q, &o, &w);
                good = good && status >= 0 && outside() <= 100.0 * EPS && real_finite(w.report.r_natmap);
                kept = kept &&
                       (w.report.passes <= passes + 1 || (m == TAC_METHOD_DIRECT && w.report.passes <= passes + 40));
            }
        }
    }
    tap_ok(good, "stopped anywhere, the answer lies in its sets and has its residual");
    tap_ok(kept, "budgets are kept");
}

// No method may end worse than the sweeps that it begins with or falls back to.
static void test_best(void)
{
    static const uint8_t engines[] = {TAC_METHOD_DIRECT, TAC_METHOD_AUTO};
    rng r = {91};
    double worst = 0.0;
    for (int n = 0; n < RUN(100, 3); n++) {
        problem_random(&r, &q, 10, 1 << TAC_SET_CONE);
        for (uint8_t law = 0; law < 2; law++) {
            tac_solve_options o = options(TAC_METHOD_ACCELERATED, law);
            o.tolerance = R(0.0);
            (void)tac_solve(&q, &o, &w);
            const double swept = (double)w.report.r_natmap;
            for (uint32_t m = 0; m < sizeof engines; m++) {
                o.method = engines[m];
                (void)tac_solve(&q, &o, &w);
                d_worst(&worst, (double)w.report.r_natmap / (2.0 * swept + 2.0 * EPS));
            }
        }
    }
    tap_most(worst, 1.0, "direct and auto end no worse than sweeps");
}

static void test_warm(void)
{
    rng r = {23};
    static const uint8_t methods[] = {TAC_METHOD_ACCELERATED, TAC_METHOD_APGD, TAC_METHOD_SPECTRAL};
    for (uint32_t m = 0; m < sizeof methods; m++) {
        uint32_t cold = 0, warm = 0;
        for (int n = 0; n < RUN(10, 2); n++) {
            problem_random(&r, &q, 6, 1 << TAC_SET_CONE);
            tac_solve_options o = options(methods[m], TAC_FRICTION_RELAXED);
            (void)tac_solve(&q, &o, &w);
            cold += w.report.passes;
            o.warm_start = 1;
            (void)tac_solve(&q, &o, &w);
            warm += w.report.passes;
        }
        tap_most(warm, 0.3 * cold, label(methods[m], "", "from the answer it is a short way"));
    }
}

// First impulses outside of their sets count as the nearest inside: the same steps follow.
static void test_warm_outside(void)
{
    rng r = {29};
    double apart = 0;
    for (uint8_t method = TAC_METHOD_JACOBI; method < TAC_METHODS; method++) {
        for (int n = 0; n < RUN(10, 2) && method != TAC_METHOD_MINRES; n++) { // that is for no sets but FREE
            static real far[TAC_MAX_SOLVE_ROWS], inside[TAC_MAX_SOLVE_ROWS];
            uint32_t row = 0;
            problem_random(&r, &q, 5, ALL & ~(1 << TAC_SET_FREE));
            for (uint32_t i = 0; i < q.blocks; row += q.block[i++].rows) {
                for (uint32_t k = 0; k < q.block[i].rows; k++) {
                    far[row + k] = inside[row + k] = (real)rng_range(&r, -0.1, 0.1);
                }
                set_project(&q.block[i], &inside[row], SET_PLAIN);
            }
            tac_solve_options o = options(method, TAC_FRICTION_RELAXED);
            o.warm_start = 1;
            o.max_passes = 2;
            for (uint32_t i = 0; i < row; i++) { w.g[i] = far[i], other.g[i] = inside[i]; }
            (void)tac_solve(&q, &o, &w);
            (void)tac_solve(&q, &o, &other);
            for (uint32_t i = 0; i < row; i++) { d_worst(&apart, (double)(w.g[i] - other.g[i])); }
        }
    }
    tap_most(apart, TOL(1e-9, 1e-4), "first impulses outside of their sets count as the nearest inside");
}

// -------------------------------------------------------------------------------------------------------------- faults

static void refused(tac_status status, uint32_t block, const char *name)
{
    tac_solve_options o = options(TAC_METHOD_AUTO, TAC_FRICTION_EXACT);
    o.warm_start = 1; // the impulses are the caller's
    for (uint32_t r = 0; r < TAC_MAX_SOLVE_ROWS; r++) { w.g[r] = R(0.0); }
    w.g[0] = R(42.0);
    const tac_status got = tac_solve(&q, &o, &w);
    tap_ok(got == status && w.report.status == status && w.report.fault == block && w.g[0] == R(42.0), name);
}

static void fresh(void)
{
    problem_random(&(rng){12}, &q, 5, 1 << TAC_SET_CONE);
}

static void test_faults(void)
{
    fresh();
    q.block[2].mu = R(-0.1);
    refused(TAC_E_MODEL, 2, "negative friction");
    fresh();
    q.block[3].p[1] = real_nan();
    refused(TAC_E_MODEL, 3, "a free velocity that is no number");
    fresh();
    q.block[1].rows = 4;
    refused(TAC_E_MODEL, 1, "rows that the set has not");
    fresh();
    q.block[4].set = TAC_SETS;
    refused(TAC_E_MODEL, 4, "no such set");
    fresh();
    q.blocks = TAC_MAX_SOLVE_BLOCKS + 1;
    refused(TAC_E_MODEL, 0, "too many blocks");
    fresh();
    q.rows++;
    refused(TAC_E_MODEL, 4, "rows that are not there");
    fresh();
    q.entry[0].column = 9;
    refused(TAC_E_MODEL, 0, "a column out of range");
    fresh();
    q.entry[q.entries - 1].value = q.values - 1;
    refused(TAC_E_MODEL, 4, "numbers out of range");
    fresh();
    q.value[q.entry[q.entries - 1].value] = real_inf();
    refused(TAC_E_NAN, 4, "a number that is not finite");
    fresh();
    q.value[q.entry[0].value] = R(0.0);
    refused(TAC_E_MODEL, 0, "a diagonal that is not positive");
    fresh();
    q.value[q.entry[q.entries - 1].value + 1] += R(0.5);
    refused(TAC_E_MODEL, 4, "not symmetric");
    fresh();
    q.entries--;
    q.values -= 9;
    refused(TAC_E_MODEL, 4, "no diagonal");

    fresh();
    tac_solve_options o = options(TAC_METHODS, TAC_FRICTION_EXACT);
    tap_equal(tac_solve(&q, &o, &w), TAC_E_ARG, "no such method");
    o = options(TAC_METHOD_SOR, TAC_FRICTION_EXACT);
    o.lambda = R(1.5);
    tap_equal(tac_solve(&q, &o, &w), TAC_E_ARG, "lambda above 1");
    o = options(TAC_METHOD_SOR, TAC_FRICTION_EXACT);
    o.warm_start = 1;
    w.g[2] = real_nan();
    tap_equal(tac_solve(&q, &o, &w), TAC_E_NAN, "first impulses that are no numbers");
    tap_equal(tac_solve(NULL, &o, &w), TAC_E_ARG, "no problem");
    tap_equal(tac_solve(&q, &o, NULL), TAC_E_ARG, "no work area");
    tap_ok(tac_solve(&q, NULL, &w) >= 0, "no options: the defaults");
    tac_problem_init(&q);
    tap_equal(tac_solve(&q, NULL, &w), TAC_OK, "nothing to solve is solved");
}

static void test_builder(void)
{
    tac_problem_block k;
    tac_problem_block_init(&k, TAC_SET_RAY, 1);
    const tac_real one = R(1.0);
    tac_problem_init(&q);
    tap_equal(tac_problem_add_block(&q, &k), 0, "the first block");
    tap_equal(tac_problem_add_block(&q, &k), 1, "the second");
    tap_equal(tac_problem_add_entry(&q, 0, 1, &one), 0, "an entry");
    tap_equal(tac_problem_add_entry(&q, 0, 1, &one), TAC_E_ARG, "not twice");
    tap_equal(tac_problem_add_entry(&q, 0, 0, &one), TAC_E_ARG, "not backwards");
    tap_equal(tac_problem_add_entry(&q, 2, 0, &one), TAC_E_ARG, "not beyond the blocks");
    tap_equal(tac_problem_add_entry(&q, 1, 0, NULL), TAC_E_ARG, "not without numbers");
    tac_status full;
    while ((full = tac_problem_add_block(&q, &k)) >= 0) {}
    tap_equal(full, TAC_E_FULL, "one more block has no room");
    tap_equal(q.blocks, TAC_MAX_SOLVE_BLOCKS, "the table of blocks fills");
    tap_equal(q.rows, q.blocks, "and counts rows");
}

// ---------------------------------------------------------------------------------------------------------------- bits

static uint64_t bits(uint8_t method)
{
    uint64_t hash = HASH_START;
    rng r = {2026};
    for (uint32_t n = 0; n < 4; n++) {
        problem_random(&r, &q, 5, ALL);
        tac_solve_options o = options(method, (uint8_t)(n & 1));
        o.max_passes = 40;
        (void)tac_solve(&q, &o, &w);
        hash = hash_reals(hash, w.g, q.rows * sizeof w.g[0]);
    }
    return hash;
}

static void test_bits(void)
{
    tap_hash(bits(TAC_METHOD_AUTO), TOL(UINT64_C(0x185cdbfec5c5004b), UINT64_C(0xade672ca1b4dca42)),
             "auto: the same bits everywhere");
    tap_hash(bits(TAC_METHOD_DIRECT), TOL(UINT64_C(0x49719f2309091917), UINT64_C(0xae5dacc92f045d8d)),
             "direct: the same bits everywhere");
    tap_hash(bits(TAC_METHOD_APGD), TOL(UINT64_C(0x61069af942e361e9), UINT64_C(0x74f11a4092ad804d)),
             "apgd: the same bits everywhere");
    tap_hash(bits(TAC_METHOD_SPECTRAL), TOL(UINT64_C(0x585d2896ecf386bb), UINT64_C(0xff8ef3275075dfa5)),
             "spectral: the same bits everywhere");
}

int main(void)
{
    test_residual();
    test_interval();
    test_methods(TAC_FRICTION_RELAXED, 1 << TAC_SET_CONE, "cones");
    test_methods(TAC_FRICTION_RELAXED, LINES, "lines");
    test_methods(TAC_FRICTION_RELAXED, ALL, "all sets");
    test_methods(TAC_FRICTION_EXACT, 1 << TAC_SET_CONE, "exact cones");
    test_methods(TAC_FRICTION_EXACT, ALL, "exact all sets");
    test_slow();
    test_certificate(TAC_FRICTION_RELAXED);
    test_certificate(TAC_FRICTION_EXACT);
    test_joints();
    test_least_norm(0.5, 2.0, "cube");
    test_least_norm(0.005, 1e-3, "small cube");
    test_stop();
    test_best();
    test_warm();
    test_warm_outside();
    test_faults();
    test_builder();
    test_bits();
    return tap_done();
}
