// SPDX-License-Identifier: MIT
// Problems without a world at the ends of their ranges: every method gives impulses that are numbers and in their sets,
// with a report of numbers; what is outside is refused, by its block.
// config: all
#include "random_mechanism.h"
#include "tap.h"

enum { BLOCKS = 4, ROWS = 3 * BLOCKS, AXES = 8, TRIES = RUN(12, 3) };

static tac_problem q;
static tac_solve_work w;
static tac_solve_options o;

// Blocks of one set with N = A'A + 0.01, scaled, and free velocities below `most`, scaled.
static void problem(rng *r, uint8_t set, double velocity, double mobility)
{
    double a[AXES][ROWS];
    tac_problem_init(&q);
    tac_solve_options_init(&o);
    o.max_passes = 200;
    for (int i = 0; i < BLOCKS; i++) {
        tac_problem_block k;
        tac_problem_block_init(&k, set, 3);
        k.mu = (tac_real)rng_range(r, 0.1, 1.5);
        for (int n = 0; n < 3; n++) { k.p[n] = (tac_real)(velocity * rng_range(r, -1, 0.7)); }
        tac_problem_add_block(&q, &k);
    }
    for (int i = 0; i < AXES * ROWS; i++) { a[i / ROWS][i % ROWS] = rng_range(r, -0.5, 0.5); }
    for (int i = 0; i < BLOCKS; i++) {
        for (int j = 0; j < BLOCKS; j++) {
            tac_real value[9];
            for (int n = 0; n < 9; n++) {
                const int row = 3 * i + n / 3, column = 3 * j + n % 3;
                double sum = row == column ? 0.01 : 0;
                for (int k = 0; k < AXES; k++) { sum += a[k][row] * a[k][column]; }
                value[n] = (tac_real)(mobility * sum);
            }
            tac_problem_add_entry(&q, (uint32_t)i, (uint32_t)j, value);
        }
    }
}

static int number(tac_real x)
{
    return x - x == 0;
}

// Is what tac_solve() has left an answer: numbers, each impulse in its cone to rounding?
static int sound(tac_status status)
{
    const tac_solve_report *r = &w.report;
    int good = status == TAC_OK || status == TAC_UNCONVERGED;
    good &= number(r->r_natmap) && number(r->natural) && number(r->signorini) && number(r->dissipation);
    good &= number(r->r_ncp_primal) && number(r->r_ncp_dual) && number(r->r_ncp_compl) && number(r->f_ccp);
    int rows = 0;
    for (uint32_t i = 0; i < q.blocks; i++) { rows += q.block[i].rows; }
    for (int i = 0; i < rows; i++) { good &= number(w.g[i]) && number(w.u[i]); }
    for (int i = 0; i < BLOCKS && q.blocks == BLOCKS; i++) {
        const double n = (double)w.g[3 * i], u = (double)w.g[3 * i + 1], v = (double)w.g[3 * i + 2];
        if (q.block[i].set != TAC_SET_CONE) { continue; }
        good &= d_sqrt(u * u + v * v) <= (double)q.block[i].mu * n * (1 + TOL(1e-12, 1e-5));
    }
    return good;
}

enum { PLAIN, WARM, WARM_HUGE, SLIPPERY, ROUGH, FAST, SETTINGS };

static void set(int setting, rng *r)
{
    const double most = TOL(1e300, 1e38);
    o.omega = setting == FAST ? (tac_real)1.99 : 1;
    o.warm_start = setting == WARM || setting == WARM_HUGE;
    for (int i = 0; i < ROWS; i++) { w.g[i] = (tac_real)(setting == WARM_HUGE ? most : 10 * rng_range(r, -1, 1)); }
    for (int i = 0; i < BLOCKS; i++) {
        if (setting == SLIPPERY) { q.block[i].mu = 0; }
        if (setting == ROUGH) { q.block[i].mu = (tac_real)1e6; }
    }
}

static void test_scales(void)
{
    static const double velocity[] = {1, TOL(1e100, 1e12), TOL(1e-98, 1e-10), 1, 1, TOL(1e20, 1e6)},
                        mobility[] = {
                            1, TOL(1e20, 1e4), TOL(1e-20, 1e-4), TOL(1e90, 1e12), TOL(1e-90, 1e-12), TOL(1e130, 1e15)};
    static const char *const names[] = {"1", "fast, heavy", "slow, light", "light", "heavy", "fast, light"};
    for (unsigned s = 0; s < sizeof velocity / sizeof velocity[0]; s++) {
        rng r = {s + 1};
        int bad = 0, ran = 0;
        for (int t = 0; t < TRIES * SETTINGS; t++) {
            for (uint8_t method = 0; method < TAC_METHODS; method++) {
                problem(&r, method == TAC_METHOD_MINRES ? TAC_SET_FREE : TAC_SET_CONE, 0.9 * velocity[s], mobility[s]);
                set(t % SETTINGS, &r);
                o.method = method;
                o.friction = (uint8_t)(rng_below(&r, 2) ? TAC_FRICTION_EXACT : TAC_FRICTION_RELAXED);
                o.least_norm = (uint8_t)(rng_below(&r, 4) == 0);
                bad += !sound(tac_solve(&q, &o, &w));
                ran++;
            }
        }
        tap_note("problems", ran);
        tap_equal(bad, 0, tap_joined("answers are sound:", names[s]));
    }
}

// Bounds may be any numbers; products with them are reported as numbers too.
static void test_bounds(void)
{
    static const double velocity[] = {TOL(1e100, 1e12), 1, 0};
    const tac_real most = (tac_real)TOL(1e300, 1e38);
    int bad = 0;
    rng r = {5};
    for (unsigned v = 0; v < sizeof velocity / sizeof velocity[0]; v++) {
        for (uint8_t method = 0; method < TAC_METHOD_MINRES; method++) {
            tac_problem_block k;
            const tac_real one = 1;
            tac_problem_init(&q);
            tac_solve_options_init(&o);
            o.method = method;
            o.max_passes = 1;
            o.omega = (tac_real)0.5;
            tac_problem_block_init(&k, TAC_SET_INTERVAL, 1);
            k.lo = -most;
            k.hi = most;
            for (uint32_t i = 0; i < ROWS; i++) {
                k.p[0] = (tac_real)(velocity[v] * rng_range(&r, -1, 1));
                tac_problem_add_block(&q, &k);
            }
            for (uint32_t i = 0; i < ROWS; i++) { tac_problem_add_entry(&q, i, i, &one); }
            bad += !sound(tac_solve(&q, &o, &w));
        }
    }
    tap_equal(bad, 0, "answers are sound: bounds as large as numbers");
}

// One block that resists turning, with semi-axes of any size and any free velocity.
static void turning(rng *r, double most, double velocity, double mobility)
{
    const uint8_t rows = rng_below(r, 2) ? 4 : 6;
    tac_real value[36] = {0};
    tac_problem_block k;
    tac_problem_init(&q);
    tac_solve_options_init(&o);
    tac_problem_block_init(&k, rows == 4 ? TAC_SET_TORSION : TAC_SET_ROLLING, rows);
    k.mu = (tac_real)octave_range(r, 1e-3, 10);
    for (int i = 0; i < rows; i++) {
        k.p[i] = (tac_real)(velocity * rng_range(r, -1, i == 0 ? 0.2 : 1));
        value[i * rows + i] = (tac_real)(mobility * octave_range(r, 0.1, 10));
        if (i > 0) { k.e[i - 1] = (tac_real)(octave_range(r, 1e-6, most) / (double)k.mu); }
    }
    tac_problem_add_block(&q, &k);
    tac_problem_add_entry(&q, 0, 0, value);
}

// As far as they are legal, each answer is one of numbers, and what is called solved is: it does not approach.
static void test_axes(double velocity, double mobility)
{
    rng r = {9};
    int bad = 0, hidden = 0, solved = 0;
    for (int i = 0; i < RUN(800, 60); i++) {
        turning(&r, (double)TAC_MOST_AXIS * 0.999, velocity, mobility);
        o.method = (uint8_t)(i % 3 ? TAC_METHOD_AUTO : rng_below(&r, TAC_METHOD_MINRES));
        o.friction = (uint8_t)(rng_below(&r, 2) ? TAC_FRICTION_EXACT : TAC_FRICTION_RELAXED);
        bad += !sound(tac_solve(&q, &o, &w));
        solved += w.report.status == TAC_OK;
        hidden += w.report.status == TAC_OK && (double)w.u[0] < velocity * TOL(-0.02, -0.1);
    }
    tap_equal(bad, 0, "answers are sound: semi-axes of any size");
    tap_least(solved, RUN(400, 30), "most are solved");
    tap_equal(hidden, 0, "and no approach is hidden in a wide set");
}

static void refused(tac_status status, uint32_t block, const char *name)
{
    tap_equal(tac_solve(&q, &o, &w), status, tap_joined("refused:", name));
    tap_ok(status == TAC_E_ARG || w.report.fault == block, tap_joined("its block is named:", name));
}

static void test_refused(void)
{
    rng r = {7};
    problem(&r, TAC_SET_CONE, 1, 1);
    q.block[2].p[1] = (tac_real)TOL(1e101, 1e13);
    refused(TAC_E_MODEL, 2, "too fast");
    problem(&r, TAC_SET_CONE, TOL(1e-102, 1e-14), TOL(1e-20, 1e-4));
    q.block[1].p[0] = (tac_real)TOL(1e-101, 1e-13);
    refused(TAC_E_MODEL, 1, "too slow");
    problem(&r, TAC_SET_CONE, 1, 1);
    q.block[3].mu = (tac_real)1.1e6;
    refused(TAC_E_MODEL, 3, "too rough");
    turning(&r, 1, 1, 1);
    q.block[0].e[1] = (tac_real)(1.001 * (double)TAC_MOST_AXIS / (double)q.block[0].mu);
    refused(TAC_E_MODEL, 0, "a set that is too wide");
    problem(&r, TAC_SET_CONE, 1, TOL(1e150, 1e19));
    refused(TAC_E_MODEL, 0, "too light");
    problem(&r, TAC_SET_CONE, 1, TOL(1e-110, 1e-16));
    refused(TAC_E_MODEL, 0, "too heavy for these velocities");
    problem(&r, TAC_SET_CONE, 0, TOL(1e-110, 1e-16));
    tap_ok(sound(tac_solve(&q, &o, &w)) && w.report.status == TAC_OK, "where there are none it does not matter");
    problem(&r, TAC_SET_CONE, 1, 1);
    o.omega = 2;
    refused(TAC_E_ARG, 0, "omega 2");
    o.omega = real_nan();
    refused(TAC_E_ARG, 0, "omega that is no number");
    problem(&r, TAC_SET_CONE, 1, 1);
    set(WARM, &r);
    w.g[4] = real_nan();
    refused(TAC_E_NAN, w.report.fault, "first impulses that are no numbers");
}

int main(void)
{
    test_scales();
    test_bounds();
    test_axes(1, 1);
    test_axes(TOL(1e98, 1e11), TOL(1, 0.1));
    test_axes(TOL(1e98, 1e11), TOL(1e18, 1e3));
    test_axes(TOL(1e-90, 1e-9), TOL(1e40, 1e6));
    test_axes(1, TOL(1e-98, 1e-12));
    test_refused();
    return tap_done();
}
