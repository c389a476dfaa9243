// SPDX-License-Identifier: MIT
// config: all
// Consensus complementarity control: each iteration against a dense system of its conditions and all modes of a pair;
// parts of a plan, memory of any content, plans that follow each other, refusals.
#include "predict/c3.h"
#include "tap.h"
#include "truth.h"

enum { X = 5, U = 2, L = 3, N = 4, M = N * (U + L + L + X), ALL = M + N * (L + X), ROOM = TAC_C3_NUMBERS(X, U, L, N) };

static tac_lcs y;
static tac_c3 p;
static tac_real A[X * X], B[X * U], D[X * L], d[X], E[L * X], F[L * L], H[L * U], c[L];
static tac_real Q[X * X], Q_N[X * X], R_u[U * U], G[2 * L], W[2 * L], target[(N + 1) * X], state[X];
static tac_real memory[ROOM], other[ROOM];

static void fill(tac_real *to, uint32_t count, double most, rng *r)
{
    for (uint32_t i = 0; i < count; i++) { to[i] = (tac_real)rng_range(r, -most, most); }
}

// a a' + least 1
static void definite(tac_real *to, uint32_t n, double least, rng *r)
{
    double a[X][X];
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t j = 0; j < n; j++) { a[i][j] = rng_range(r, -1, 1); }
    }
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t j = 0; j < n; j++) {
            double sum = i == j ? least : 0;
            for (uint32_t k = 0; k < n; k++) { sum += a[i][k] * a[j][k]; }
            to[i * n + j] = (tac_real)sum;
        }
    }
}

static void problem(uint32_t seed)
{
    rng r = {seed};
    fill(A, X * X, 0.6, &r), fill(B, X * U, 1, &r), fill(D, X * L, 1, &r), fill(d, X, 0.3, &r);
    fill(E, L * X, 1, &r), fill(F, L * L, 1, &r), fill(H, L * U, 1, &r), fill(c, L, 1, &r);
    definite(Q, X, 0, &r), definite(Q_N, X, 0.5, &r), definite(R_u, U, 0.2, &r);
    fill(target, (N + 1) * X, 1, &r), fill(state, X, 1, &r);
    for (uint32_t i = 0; i < 2 * L; i++) {
        G[i] = (tac_real)rng_range(&r, 0.1, 2);
        W[i] = (tac_real)rng_range(&r, 0.1, 5);
    }
    tac_lcs_init(&y);
    y.A = A, y.B = B, y.D = D, y.d = d, y.E = E, y.F = F, y.H = H, y.c = c;
    y.size = (tac_linear_size){X, U, L};
    tac_c3_init(&p);
    p.system = &y, p.Q = Q, p.Q_N = Q_N, p.R = R_u, p.G = G, p.U = W, p.target = target;
    p.memory = memory, p.room = ROOM, p.horizon = N;
}

// ------------------------------------------------------------------------------------------------------------- oracle
// Unknowns: of each step u, l, eta and the next x; then a multiplier for each equation. Everything in double.

static double kkt[ALL][ALL + 1], drawn[N][2 * L], delta[N][2 * L], w[N][2 * L];

static uint32_t u_at(uint32_t k)
{
    return k * (U + L + L + X);
}
static uint32_t l_at(uint32_t k)
{
    return u_at(k) + U;
}
static uint32_t eta_at(uint32_t k)
{
    return l_at(k) + L;
}
static uint32_t x_at(uint32_t k)
{
    return eta_at(k - 1) + L;
} // of k = 1 to N

// A coefficient of an equation and of its transpose; that of the first x goes to the right side.
static void entry(uint32_t row, uint32_t column, double value)
{
    kkt[M + row][column] += value;
    kkt[column][M + row] += value;
}

static void equation(uint32_t k, uint32_t row, const tac_real *x_row, const tac_real *l_row, const tac_real *u_row,
                     double constant, uint32_t result)
{
    for (uint32_t j = 0; j < U; j++) { entry(row, u_at(k) + j, (double)u_row[j]); }
    for (uint32_t j = 0; j < L; j++) { entry(row, l_at(k) + j, (double)l_row[j]); }
    for (uint32_t j = 0; j < X; j++) {
        if (k > 0) {
            entry(row, x_at(k) + j, (double)x_row[j]);
        } else {
            constant += (double)x_row[j] * (double)state[j];
        }
    }
    entry(row, result, -1);
    kkt[M + row][ALL] -= constant;
}

static void solve(void)
{
    for (uint32_t i = 0; i < ALL; i++) {
        uint32_t best = i;
        for (uint32_t k = i; k < ALL; k++) {
            if (d_abs(kkt[k][i]) > d_abs(kkt[best][i])) { best = k; }
        }
        for (uint32_t j = 0; j <= ALL; j++) {
            const double swap = kkt[i][j];
            kkt[i][j] = kkt[best][j];
            kkt[best][j] = swap;
        }
        for (uint32_t k = 0; k < ALL; k++) {
            const double factor = k == i ? 0 : kkt[k][i] / kkt[i][i];
            for (uint32_t j = i; j <= ALL && factor != 0; j++) { kkt[k][j] -= factor * kkt[i][j]; }
        }
    }
    for (uint32_t i = 0; i < ALL; i++) { kkt[i][ALL] /= kkt[i][i]; }
}

// argmin sum |x - target|_Q + |u|_R + scale |(l, eta) - drawn|_G: half the gradient is 0.
static void quadratic(double scale)
{
    for (uint32_t i = 0; i < ALL; i++) {
        for (uint32_t j = 0; j <= ALL; j++) { kkt[i][j] = 0; }
    }
    for (uint32_t k = 0; k < N; k++) {
        const tac_real *cost = k + 1 == N ? Q_N : Q;
        for (uint32_t i = 0; i < U; i++) {
            for (uint32_t j = 0; j < U; j++) { kkt[u_at(k) + i][u_at(k) + j] = (double)R_u[i * U + j]; }
        }
        for (uint32_t i = 0; i < X; i++) {
            for (uint32_t j = 0; j < X; j++) {
                kkt[x_at(k + 1) + i][x_at(k + 1) + j] = (double)cost[i * X + j];
                kkt[x_at(k + 1) + i][ALL] += (double)cost[i * X + j] * (double)target[(k + 1) * X + j];
            }
        }
        for (uint32_t i = 0; i < L; i++) {
            kkt[l_at(k) + i][l_at(k) + i] = scale * (double)G[i];
            kkt[l_at(k) + i][ALL] = scale * (double)G[i] * drawn[k][i];
            kkt[eta_at(k) + i][eta_at(k) + i] = scale * (double)G[L + i];
            kkt[eta_at(k) + i][ALL] = scale * (double)G[L + i] * drawn[k][L + i];
        }
        for (uint32_t i = 0; i < X; i++) {
            equation(k, k * (L + X) + i, &A[i * X], &D[i * L], &B[i * U], (double)d[i], x_at(k + 1) + i);
        }
        for (uint32_t i = 0; i < L; i++) {
            equation(k, k * (L + X) + X + i, &E[i * X], &F[i * L], &H[i * U], (double)c[i], eta_at(k) + i);
        }
    }
    solve();
}

// The nearer of the two modes of a pair.
static void nearest(double weight_l, double weight_eta, double *l, double *eta)
{
    const double a = d_max(*l, 0), b = d_max(*eta, 0);
    const double open = weight_l * *l * *l + weight_eta * (b - *eta) * (b - *eta);
    const double bears = weight_l * (a - *l) * (a - *l) + weight_eta * *eta * *eta;
    *l = open < bears ? 0 : a;
    *eta = open < bears ? b : 0;
}

static void oracle(uint32_t iterations, double growth)
{
    double scale = 1;
    for (uint32_t k = 0; k < N; k++) {
        for (uint32_t i = 0; i < 2 * L; i++) { delta[k][i] = w[k][i] = 0; }
    }
    for (uint32_t n = 0; n <= iterations; n++, scale *= growth) {
        for (uint32_t k = 0; k < N; k++) {
            for (uint32_t i = 0; i < 2 * L; i++) { drawn[k][i] = delta[k][i] - (n < iterations ? w[k][i] : 0); }
        }
        quadratic(scale);
        for (uint32_t k = 0; k < N && n < iterations; k++) {
            for (uint32_t i = 0; i < L; i++) {
                const double l = kkt[l_at(k) + i][ALL], eta = kkt[eta_at(k) + i][ALL];
                delta[k][i] = l + w[k][i];
                delta[k][L + i] = eta + w[k][L + i];
                nearest((double)W[i], (double)W[L + i], &delta[k][i], &delta[k][L + i]);
                w[k][i] = (w[k][i] + l - delta[k][i]) / growth;
                w[k][L + i] = (w[k][L + i] + eta - delta[k][L + i]) / growth;
            }
        }
    }
}

static double from_oracle(void)
{
    double worst = 0, size = 1;
    for (uint32_t k = 0; k < N; k++) {
        const tac_real *z = &p.plan[k * (U + L + X)], *next = k + 1 < N ? &z[U + L + X + U + L] : p.last;
        for (uint32_t i = 0; i < U; i++) { d_worst(&worst, (double)z[i] - kkt[u_at(k) + i][ALL]); }
        for (uint32_t i = 0; i < L; i++) { d_worst(&worst, (double)z[U + i] - kkt[l_at(k) + i][ALL]); }
        for (uint32_t i = 0; i < X; i++) {
            d_worst(&worst, (double)next[i] - kkt[x_at(k + 1) + i][ALL]);
            size = d_max(size, d_abs((double)next[i]));
        }
    }
    return worst / size;
}

static void against_conditions(void)
{
    const uint32_t seeds = RUN(20, 3);
    const struct {
        uint16_t iterations;
        double growth;
        const char *name;
    } is[] = {{0, 1, "a linear-quadratic problem"}, {1, 1, "one iteration"}, {6, 1, "six"}, {6, 1.5, "six that grow"}};
    tap_note("seeds: 1 to", seeds);
    for (uint32_t i = 0; i < sizeof is / sizeof *is; i++) {
        double worst = 0;
        for (uint32_t seed = 1; seed <= seeds; seed++) {
            problem(seed);
            p.iterations = is[i].iterations;
            p.growth = (tac_real)is[i].growth;
            const tac_status begun = tac_c3_begin(&p, state, 0), run = tac_c3_run(&p, UINT32_MAX);
            oracle(is[i].iterations, (double)p.growth);
            d_worst(&worst, begun || run ? 1 : from_oracle());
        }
        tap_most(worst, TOL(1e-9, 2e-3), tap_joined(is[i].name, "as the dense system of its conditions has it"));
    }
}

static void pairs(void)
{
    rng r = {11};
    double worst = 0;
    int negative = 0;
    for (uint32_t i = 0; i < 2000; i++) {
        const double weight_l = rng_range(&r, 0.01, 10), weight_eta = rng_range(&r, 0.01, 10);
        const double l = rng_range(&r, -1, 1), eta = rng_range(&r, -1, 1);
        real a = (real)l, b = (real)eta;
        c3_project((real)weight_l, (real)weight_eta, &a, &b);
        negative += a < 0 || b < 0 || (a > 0 && b > 0);
        const double got =
            weight_l * ((double)a - l) * ((double)a - l) + weight_eta * ((double)b - eta) * ((double)b - eta);
        double least = weight_l * l * l + weight_eta * eta * eta; // no other point of either axis is nearer
        for (uint32_t k = 0; k <= 100; k++) {
            const double at = k * 0.01;
            least = d_min(least, weight_l * (at - l) * (at - l) + weight_eta * eta * eta);
            least = d_min(least, weight_l * l * l + weight_eta * (at - eta) * (at - eta));
        }
        worst = d_max(worst, got - least);
    }
    tap_equal(negative, 0, "a pair is complementary");
    tap_most(worst, TOL(1e-12, 1e-5), "no pair on either axis is nearer");
}

// ------------------------------------------------------------------------------------------------------- parts, memory

static void in_parts(void)
{
    static tac_real kept[N * (U + L + X)];
    tac_c3 part;
    problem(5);
    p.growth = (tac_real)1.2;
    truth_fill(memory, sizeof memory, 0);
    tap_equal(tac_c3_begin(&p, state, 0), TAC_OK, "a plan begins");
    tap_equal(tac_c3_run(&p, UINT32_MAX), TAC_OK, "a plan is complete");
    part = p;
    truth_fill(other, sizeof other, 0xFF);
    part.memory = other;
    part.pass = 0;
    tac_c3_begin(&part, state, 0);
    uint32_t parts = 0;
    for (uint32_t n = 1; tac_c3_run(&part, n) == TAC_UNCONVERGED && parts < 1000; parts++) { n = n % 3 + 1; }
    tap_ok(truth_equal(p.plan, part.plan, sizeof kept), "in parts, in memory of 0xFF: the same bits");
    tap_equal(2 * N * (p.iterations + 1), 88, "steps of passes");
    tap_least(parts, 40, "in parts");
    tap_ok(p.residual == part.residual && p.residual > 0, "in parts: the same residual");

    // the next plan, one step later, in parts too; before its first forward pass there is the plan before
    truth_copy(kept, p.plan, sizeof kept);
    tac_c3_begin(&p, &kept[(U + L + X) + U + L], 1);
    tap_ok(truth_equal(p.plan, &kept[U + L + X], sizeof(tac_real) * (N - 1) * (U + L + X)),
           "cut at once: the plan before");
    tac_c3_begin(&part, &kept[(U + L + X) + U + L], 1);
    tac_c3_run(&p, UINT32_MAX);
    for (uint32_t i = 0; i < 88; i++) { tac_c3_run(&part, 1); }
    tap_ok(truth_equal(p.plan, part.plan, sizeof kept), "the next plan: the same bits");
    tac_c3_begin(&part, state, UINT32_MAX);
    tac_c3_run(&part, N + 1);
    tap_ok(part.plan[0] != 0 && part.plan[U + L + X] == 0, "cut after the first input: that one is planned");
    tac_c3_run(&part, UINT32_MAX);
    tap_ok(truth_equal(kept, part.plan, sizeof kept), "from nothing: the first plan again");
}

static void refusals(void)
{
    problem(9);
    tap_equal(tac_c3_run(&p, 1), TAC_E_ORDER, "a plan that has not begun");
    tap_equal(tac_c3_begin(NULL, state, 0), TAC_E_ARG, "no problem");
    tap_equal(tac_c3_begin(&p, NULL, 0), TAC_E_ARG, "no state");
    const void **pointer[] = {(const void **)&p.system, (const void **)&p.Q, (const void **)&p.R, (const void **)&p.G,
                              (const void **)&p.memory, (const void **)&y.A, (const void **)&y.B, (const void **)&y.D,
                              (const void **)&y.d,      (const void **)&y.E, (const void **)&y.F, (const void **)&y.H,
                              (const void **)&y.c};
    for (uint32_t i = 0; i < sizeof pointer / sizeof *pointer; i++) {
        const void *kept = *pointer[i];
        *pointer[i] = NULL;
        tap_equal(tac_c3_begin(&p, state, 0), TAC_E_ARG, tap_numbered("an array that is missing: number", i));
        *pointer[i] = kept;
    }
    p.room = ROOM - 1;
    tap_equal(tac_c3_begin(&p, state, 0), TAC_E_FULL, "a number too little room");
    p.room = ROOM, p.horizon = 0;
    tap_equal(tac_c3_begin(&p, state, 0), TAC_E_ARG, "no horizon");
    p.horizon = N, p.growth = (tac_real)0.9;
    tap_equal(tac_c3_begin(&p, state, 0), TAC_E_ARG, "weights that shrink");
    p.growth = 1, G[L] = 0;
    tap_equal(tac_c3_begin(&p, state, 0), TAC_E_ARG, "a weight of 0");
    G[L] = 1, W[0] = -1;
    tap_equal(tac_c3_begin(&p, state, 0), TAC_E_ARG, "a negative weight of the projection");
    W[0] = 1;
    volatile tac_real zero = 0;
    tac_real *number[] = {A, B, D, d, E, F, H, c, Q, Q_N, R_u, G, W, target, state};
    int passed = 0;
    for (uint32_t i = 0; i < sizeof number / sizeof *number; i++) {
        const tac_real kept = number[i][0];
        number[i][0] = zero / zero;
        passed += tac_c3_begin(&p, state, 0) != TAC_E_NAN;
        number[i][0] = kept;
    }
    tap_equal(passed, 0, "a number that is not finite: refused");

    // a problem that changes its size while a plan is made
    tac_c3_begin(&p, state, 0);
    tac_c3_run(&p, N - 1);
    p.horizon = N - 1;
    tap_equal(tac_c3_run(&p, 1), TAC_E_ORDER, "a horizon that has become shorter than the plan is");
    p.horizon = N + 1;
    tap_equal(tac_c3_run(&p, 1), TAC_E_FULL, "a horizon that has become too long for its memory");
    p.horizon = N;

    // a problem that is not convex, one that overflows: refused while it runs, and the next plan is as if there had
    // been none
    tap_equal(tac_c3_begin(&p, state, 0), TAC_OK, "a good problem");
    tap_equal(tac_c3_run(&p, UINT32_MAX), TAC_OK, "a good problem is planned");
    const tac_real first = p.plan[0];
    for (uint32_t i = 0; i < U * U; i++) { R_u[i] = -R_u[i] * 1000; }
    tac_c3_begin(&p, state, 0);
    tap_equal(tac_c3_run(&p, UINT32_MAX), TAC_E_ARG, "R with a negative eigenvalue");
    tap_ok(p.plan[0] == first, "R with a negative eigenvalue: the plan before");
    tap_equal(tac_c3_run(&p, 1), TAC_E_ORDER, "a plan that was refused does not go on");
    for (uint32_t i = 0; i < U * U; i++) { R_u[i] = -R_u[i] / 1000; }
    tac_c3_begin(&p, state, 1);
    tap_equal(tac_c3_run(&p, UINT32_MAX), TAC_OK, "after a refusal");
    tap_ok(p.plan[0] == first, "after a refusal: from nothing");
    state[0] = (tac_real)TOL(1e200, 1e25), A[0] = (tac_real)TOL(1e200, 1e25);
    tac_c3_begin(&p, state, 0);
    tap_most(tac_c3_run(&p, UINT32_MAX), -1, "numbers that overflow: refused");
    tap_ok(p.plan[0] - p.plan[0] == 0, "numbers that overflow: the plan is finite");
}

int main(void)
{
    against_conditions();
    pairs();
    in_parts();
    refusals();
    return tap_done();
}
