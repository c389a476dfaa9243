// SPDX-License-Identifier: MIT
// config: all
// Steps of linear complementarity systems: random ones against Lemke's method from the start and against the conditions
// themselves; worlds whose steps are linear against tac_step(); parts of a run, starts, dirty memory, refusals.
#include "begin.h"
#include "truth.h"

enum { X = 24, U = 4, L = 48, STEPS = 40 };

static tac_lcp q, cold;
static tac_lcs y;
static tac_real A[X * X], B[X * U], D[X * L], d[X], E[L * X], F[L * L], H[L * U], c[L];
static tac_real x[X], l[L], u[STEPS * U], before[X], after[X];

static void sizes(uint16_t wide, uint16_t inputs, uint16_t rows)
{
    tac_lcs_init(&y);
    y.A = A, y.B = B, y.D = D, y.d = d, y.E = E, y.F = F, y.H = H, y.c = c;
    y.size = (tac_linear_size){wide, inputs, rows};
}

static void fill(tac_real *to, uint32_t count, double most, rng *r)
{
    for (uint32_t i = 0; i < count; i++) { to[i] = (tac_real)rng_range(r, -most, most); }
}

// Everything but E, F: x shrinks by itself, so that no run overflows.
static void around(rng *r)
{
    const uint32_t wide = y.size.x, rows = y.size.l;
    fill(A, wide * wide, 0.5 / wide, r);
    for (uint32_t i = 0; i < wide; i++) { A[i * wide + i] += (tac_real)0.5; }
    fill(B, wide * y.size.u, 1, r);
    fill(D, wide * rows, 0.3 / rows, r);
    fill(d, wide, 1, r);
    fill(E, rows * wide, 1, r);
    fill(H, rows * y.size.u, 1, r);
    fill(c, rows, 1, r);
    fill(x, wide, 1, r);
    fill(u, STEPS * y.size.u, 1, r);
    for (uint32_t i = 0; i < rows; i++) { l[i] = 0; }
}

// F = G G' and a skew part: a P-matrix if the rank is full.
static void positive(uint16_t rows, uint16_t rank, double skew, rng *r)
{
    static double g[L][L];
    sizes((uint16_t)(2 + rng_below(r, X - 2)), U, rows);
    around(r);
    for (uint32_t i = 0; i < rows; i++) {
        for (uint32_t k = 0; k < rank; k++) { g[i][k] = rng_range(r, -1, 1) + (i == k ? 2 : 0); }
    }
    for (uint32_t i = 0; i < rows; i++) {
        for (uint32_t j = 0; j <= i; j++) {
            const double s = j < i ? skew * rng_range(r, -1, 1) : 0;
            double sum = 0;
            for (uint32_t k = 0; k < rank; k++) { sum += g[i][k] * g[j][k]; }
            F[i * rows + j] = (tac_real)(sum + s);
            F[j * rows + i] = (tac_real)(sum - s);
        }
    }
}

// Contacts with four edges in the order of T03 on few coordinates: redundant rows. E has the same Jacobian, x are
// velocities.
static void contacts(uint16_t count, uint16_t wide, int whole, rng *r)
{
    const uint16_t rows = (uint16_t)(6 * count);
    static double j[L][X];
    sizes(wide, U, rows);
    around(r);
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t k = 0; k < wide; k++) {
            j[i][k] = whole ? (double)rng_below(r, 3) - 1 : rng_range(r, -1, 1);
            for (uint32_t t = count + 4 * i; t < count + 4 * i + 4; t += 2) {
                j[t][k] = whole ? (double)rng_below(r, 3) - 1 : rng_range(r, -1, 1);
                j[t + 1][k] = -j[t][k];
            }
        }
    }
    for (uint32_t i = 0; i < rows * rows; i++) { F[i] = 0; }
    for (uint32_t i = 0; i < rows; i++) {
        for (uint32_t k = 0; k < 5u * count && i < 5u * count; k++) {
            double sum = 0;
            for (uint32_t n = 0; n < wide; n++) { sum += j[i][n] * j[k][n]; }
            F[i * rows + k] = (tac_real)sum;
        }
        for (uint32_t k = 0; k < wide; k++) {
            E[i * wide + k] = i < 5u * count ? (tac_real)j[i][k] : 0;
            D[k * rows + i] = E[i * wide + k];
        }
        for (uint32_t k = 0; k < U; k++) { H[i * U + k] = 0; }
        c[i] = 0;
    }
    for (uint32_t i = 0; i < count; i++) {
        c[i] = (tac_real)rng_range(r, 0, 0.2);
        F[(5u * count + i) * rows + i] = (tac_real)rng_range(r, 0, 0.5);
        for (uint32_t t = 0; t < 4; t++) {
            F[(count + 4 * i + t) * rows + 5u * count + i] = 1;
            F[(5u * count + i) * rows + count + 4 * i + t] = -1;
        }
    }
}

// ------------------------------------------------------------------------------------------------------------ oracles

// How far l is from a solution at x, u: the largest |min(l, w)| in the units of the solver, in double; and what one
// rounding of the largest sum of terms makes of that in the kernel's precision, since w is a small difference of them.
static double wrong(const tac_real *at, const tac_real *input, double *rounding)
{
    double worst = 0, size = 0, most = 0;
    for (uint32_t i = 0; i < y.size.l; i++) {
        double f = (double)c[i];
        for (uint32_t k = 0; k < y.size.x; k++) { f += (double)E[i * y.size.x + k] * (double)at[k]; }
        for (uint32_t k = 0; k < y.size.u; k++) { f += (double)H[i * y.size.u + k] * (double)input[k]; }
        double w = f, terms = d_abs(f);
        for (uint32_t k = 0; k < y.size.l; k++) {
            w += (double)F[i * y.size.l + k] * (double)l[k];
            terms += d_abs((double)F[i * y.size.l + k] * (double)l[k]);
        }
        most = d_max(most, terms * (double)q.scale[i]);
        const double z = (double)l[i] / (double)q.scale[i], s = w * (double)q.scale[i];
        d_worst(&worst, z < s ? z : s);
        size = d_max(size, -f * (double)q.scale[i]);
    }
    *rounding = TOL(0x1p-52, 0x1p-23) * most / (size > 0 ? size : 1);
    return size > 0 ? worst / size : worst;
}

// The state that Lemke's method ends at, from no rows: the problem put together by itself.
static double from_cold(const tac_real *at, const tac_real *input)
{
    double worst = 0, size = 1;
    tac_lcp_init(&cold);
    cold.rows = y.size.l;
    for (uint32_t i = 0; i < y.size.l; i++) {
        double f = (double)c[i];
        for (uint32_t k = 0; k < y.size.x; k++) { f += (double)E[i * y.size.x + k] * (double)at[k]; }
        for (uint32_t k = 0; k < y.size.u; k++) { f += (double)H[i * y.size.u + k] * (double)input[k]; }
        for (uint32_t k = 0; k < y.size.l; k++) { cold.F[i][k] = F[i * y.size.l + k]; }
        cold.f[i] = (tac_real)f;
    }
    if (tac_lcp_solve(&cold) != TAC_OK) { return -1; }
    for (uint32_t i = 0; i < y.size.x; i++) {
        double next = (double)d[i];
        for (uint32_t k = 0; k < y.size.x; k++) { next += (double)A[i * y.size.x + k] * (double)at[k]; }
        for (uint32_t k = 0; k < y.size.u; k++) { next += (double)B[i * y.size.u + k] * (double)input[k]; }
        for (uint32_t k = 0; k < y.size.l; k++) { next += (double)D[i * y.size.l + k] * (double)cold.z[k]; }
        size = d_max(size, d_abs(next));
        d_worst(&worst, next - (double)x[i]);
    }
    return worst / size;
}

typedef struct tally {
    int unsolved;           // steps that are not, where Lemke's method from the start solves them
    double worst, residual; // conditions, as measured here; what is reported less that, in roundings of its sums
    double apart;           // from Lemke's states
    uint32_t steps, pivots, cold, fallbacks;
} tally;

static void run(tally *t)
{
    tac_lcp_init(&q);
    for (uint32_t k = 0; k < STEPS; k++) {
        for (uint32_t i = 0; i < y.size.x; i++) { before[i] = x[i]; }
        const tac_status status = tac_lcs_advance(&y, 1, &u[k * y.size.u], x, l, &q);
        double rounding;
        const double apart = from_cold(before, &u[k * y.size.u]), real = wrong(before, &u[k * y.size.u], &rounding);
        t->steps++;
        t->pivots += q.steps;
        t->cold += cold.steps;
        t->fallbacks += q.steps > 10;
        if (rounding > 0) { d_worst(&t->residual, (real - (double)q.residual) / rounding); }
        if (status != TAC_OK) {
            t->unsolved += apart >= 0;
            continue;
        }
        d_worst(&t->worst, real);
        if (apart >= 0) { d_worst(&t->apart, apart); }
    }
}

static void told(const char *name, const tally *t)
{
    tap_note(tap_joined(name, ": steps"), t->steps);
    tap_note(tap_joined(name, ": factors and pivots a step"), (double)t->pivots / t->steps);
    tap_note(tap_joined(name, ": pivots of Lemke's method from the start"), (double)t->cold / t->steps);
    tap_note(tap_joined(name, ": steps by Lemke's method"), t->fallbacks);
    tap_equal(t->unsolved, 0, tap_joined(name, ": solved where Lemke's method solves it"));
    tap_most(t->worst, TOL(1.1e-8, 1.1e-3), tap_joined(name, ": 0 <= l perp E x + F l + H u + c >= 0"));
    // half a rounding for each of its terms
    tap_most(t->residual, (X + U + L) / 2,
             tap_joined(name, ": the residual is the one that is told, in roundings of its sums"));
}

static void random_systems(void)
{
    tally unique = {0}, skewed = {0}, few = {0}, redundant = {0}, whole = {0};
    const uint32_t seeds = RUN(60, 6);
    tap_note("seeds: 1 to", seeds);
    for (uint32_t seed = 1; seed <= seeds; seed++) {
        rng r = {seed};
        uint16_t rows = (uint16_t)(1 + rng_below(&r, L));
        positive(rows, rows, 0, &r);
        run(&unique);
        positive(rows, rows, 3, &r);
        run(&skewed);
        rows = (uint16_t)(2 + rng_below(&r, L - 2));
        positive(rows, (uint16_t)(rows / 2), 0, &r);
        run(&few);
        contacts((uint16_t)(1 + rng_below(&r, 4)), 12, 0, &r);
        run(&redundant);
        contacts((uint16_t)(2 + rng_below(&r, 6)), (uint16_t)(3 + rng_below(&r, 4)), 1, &r);
        run(&whole);
    }
    told("symmetric P-matrices", &unique);
    tap_most(unique.apart, TOL(1e-7, 5e-3), "symmetric P-matrices: the states of Lemke's method");
    told("P-matrices with a skew part", &skewed);
    tap_most(skewed.apart, TOL(1e-7, 5e-3), "P-matrices with a skew part: the states of Lemke's method");
    told("of half the rank", &few);
    told("contacts", &redundant);
    told("redundant contacts of small integers", &whole);
    tap_least(whole.fallbacks + few.fallbacks, 1, "Lemke's method is needed");
}

// ------------------------------------------------------------------------------------------------ worlds that are
// linear

static tac_model m;
static tac_state s;
static tac_work w;
static tac_input input;

static tac_shape solid(uint16_t body, uint8_t kind, double size)
{
    return tac_shape_make(body, kind, (tac_vec3){(tac_real)size, (tac_real)size, (tac_real)size});
}

// A box slides along an edge of its friction pyramids until it stops: four contacts, of which one is redundant.
static void box_slides(void)
{
    static tac_real q0[X], v0[X];
    const tac_vec3 at = {0, 0, (tac_real)0.1};
    double worst = 0;
    tac_model_init(&m);
    m.h = (tac_real)0.01;
    tac_model_add_material(&m, (tac_real)0.3, 0);
    tac_body box = tac_body_make(TAC_DYNAMIC, at);
    box.inertia = (tac_vec3){(tac_real)0.005, (tac_real)0.005, (tac_real)0.005};
    box.velocity.v.x = (tac_real)0.5;
    const tac_shape ground = solid(0, TAC_HALF_SPACE, 1), cube = solid(1, TAC_BOX, 0.1);
    tac_model_add_body(&m, &box);
    tac_model_add_shape(&m, &ground);
    tac_model_add_shape(&m, &cube);
    m.options.tolerance = 0;
    begin_world(&m, &s);
    tac_lcp_init(&q);
    sizes(0, 0, 0);
    y.room = (tac_linear_size){X, U, L};
    tap_equal(tac_linearise(&m, &s, NULL, &w, &q, &y), TAC_OK, "a box that slides: linearised");
    tac_state_get_coordinates(&m, &s, &w, q0, v0);
    for (uint32_t i = 0; i < 6; i++) { x[i] = 0, x[6 + i] = v0[i]; }
    for (uint32_t i = 0; i < y.size.l; i++) { l[i] = 0; }
    for (uint32_t k = 0; k < 30; k++) {
        tac_step(&m, &s, NULL, &w);
        tap_equal(tac_lcs_advance(&y, 1, NULL, x, l, &q), TAC_OK, tap_numbered("a box that slides: step", k));
        tac_state_get_coordinates(&m, &s, &w, q0, v0);
        for (uint32_t i = 0; i < 6; i++) { d_worst(&worst, (double)v0[i] - (double)x[6 + i]); }
        d_worst(&worst, (double)s.pose[1].p.x - (double)x[0]);
    }
    tap_most(worst, TOL(1e-8, 2e-3), "a box that slides and stops: as tac_step()");
    tap_most(d_abs((double)x[6]), TOL(1e-8, 2e-3), "a box that slides: it has stopped");
    tap_least(x[0], 0.03, "a box that slides: it has slid");
}

// A carriage on a rail, pushed against the end of its slide and away from it.
static void rail_ends(void)
{
    static tac_real q0[X], v0[X];
    double worst = 0, far = 0;
    tac_model_init(&m);
    m.h = (tac_real)0.01;
    tac_body cart = tac_body_make(TAC_DYNAMIC, (tac_vec3){0, 0, 0});
    cart.velocity.v.x = (tac_real)0.4;
    tac_model_add_body(&m, &cart);
    tac_joint rail;
    tac_joint_init(&rail, TAC_PRISMATIC, 0, 1);
    const tac_real half = (tac_real)0.70710678118654752440;
    rail.frame_a.q = rail.frame_b.q = (tac_quat){half, 0, half, 0}; // z of the frames along x of the world
    rail.lower = (tac_real)-0.05, rail.upper = (tac_real)0.05;
    tac_model_add_joint(&m, &rail);
    begin_world(&m, &s);
    tac_lcp_init(&q);
    sizes(0, 0, 0);
    y.room = (tac_linear_size){X, U, L};
    // the limits of a joint are rows near them: the state that is linearised is at the upper one
    tac_joint_state at = {(tac_real)0.05, (tac_real)0.4};
    tac_state_set_joints(&m, &s, &at);
    tap_equal(tac_linearise(&m, &s, NULL, &w, &q, &y), TAC_OK, "a carriage at its limit: linearised");
    tap_equal(y.limits, 1, "a carriage at its limit: the limit is a row");
    x[0] = 0, x[1] = (tac_real)0.4, l[0] = 0;
    truth_fill(&input, sizeof input, 0);
    for (uint32_t k = 0; k < 40; k++) {
        const tac_real effort = k < 20 ? (tac_real)3 : (tac_real)-2;
        input.motor[0].kind = TAC_MOTOR_EFFORT;
        input.motor[0].effort = effort;
        input.motors = 1;
        tac_step(&m, &s, &input, &w);
        tac_lcs_advance(&y, 1, &effort, x, l, &q);
        tac_state_get_coordinates(&m, &s, &w, q0, v0);
        d_worst(&worst, (double)v0[0] - (double)x[1]);
        d_worst(&worst, (double)q0[0] - 0.05 - (double)x[0]);
        far = d_max(far, -(double)x[0]);
    }
    tap_most(worst, TOL(1e-9, 1e-5), "a carriage at its limit: as tac_step()");
    tap_least(far, 0.03, "a carriage at its limit: it leaves it");
}

// ------------------------------------------------------------------------------------------------------- runs,
// refusals

static void in_parts(void)
{
    static tac_lcp dirty;
    static tac_real whole_x[X], whole_l[L], part_x[X], part_l[L];
    int apart = 0, spoilt = 0, started = 0;
    for (uint32_t seed = 1; seed <= 20; seed++) {
        rng r = {seed};
        contacts((uint16_t)(2 + rng_below(&r, 6)), (uint16_t)(3 + rng_below(&r, 4)), seed % 2 == 0, &r);
        for (uint32_t i = 0; i < y.size.x; i++) { whole_x[i] = part_x[i] = after[i] = x[i]; }
        for (uint32_t i = 0; i < y.size.l; i++) { whole_l[i] = part_l[i] = 0; }
        truth_fill(&q, sizeof q, 0);
        truth_fill(&dirty, sizeof dirty, 0xFF);
        tac_lcp_init(&q);
        tac_lcp_init(&dirty);
        (void)tac_lcs_advance(&y, STEPS, u, whole_x, whole_l, &q);
        for (uint32_t k = 0; k < STEPS; k++) { (void)tac_lcs_advance(&y, 1, &u[k * U], part_x, part_l, &q); }
        apart +=
            !truth_equal(whole_x, part_x, y.size.x * sizeof *x) || !truth_equal(whole_l, part_l, y.size.l * sizeof *l);
        for (uint32_t i = 0; i < y.size.l; i++) { part_l[i] = 0; }
        (void)tac_lcs_advance(&y, STEPS, u, after, part_l, &dirty);
        spoilt += !truth_equal(whole_x, after, y.size.x * sizeof *x);

        // from all rows in place of none; the solution is unique
        positive((uint16_t)(4 + rng_below(&r, 12)), 16, 1, &r);
        for (uint32_t i = 0; i < y.size.x; i++) { whole_x[i] = x[i]; }
        for (uint32_t i = 0; i < y.size.l; i++) { whole_l[i] = 0, l[i] = 1; }
        (void)tac_lcs_advance(&y, 3, u, whole_x, whole_l, &q);
        (void)tac_lcs_advance(&y, 3, u, x, l, &q);
        for (uint32_t i = 0; i < y.size.x; i++) {
            started += d_abs((double)x[i] - (double)whole_x[i]) > TOL(1e-7, 1e-3) * d_max(1, d_abs((double)x[i]));
        }
    }
    tap_equal(apart, 0, "steps one by one: the same bits");
    tap_equal(spoilt, 0, "a work area of 0xFF: the same bits");
    tap_equal(started, 0, "another start: the same states");
}

static void refusals(void)
{
    volatile tac_real zero = 0;
    const tac_real infinite = 1 / zero;
    rng r = {3};
    positive(5, 5, 0, &r);
    tac_lcp_init(&q);
    tap_equal(tac_lcs_advance(NULL, 1, u, x, l, &q), TAC_E_ARG, "no system");
    tap_equal(tac_lcs_advance(&y, 1, NULL, x, l, &q), TAC_E_ARG, "no inputs");
    tap_equal(tac_lcs_advance(&y, 1, u, NULL, l, &q), TAC_E_ARG, "no x");
    tap_equal(tac_lcs_advance(&y, 1, u, x, NULL, &q), TAC_E_ARG, "no l");
    tap_equal(tac_lcs_advance(&y, 1, u, x, l, NULL), TAC_E_ARG, "no work area");
    tac_real **array[] = {&y.A, &y.B, &y.D, &y.d, &y.E, &y.F, &y.H, &y.c};
    for (uint32_t i = 0; i < 8; i++) {
        tac_real *kept = *array[i];
        *array[i] = NULL;
        tap_equal(tac_lcs_advance(&y, 1, u, x, l, &q), TAC_E_ARG, tap_numbered("no matrix, of A to c number", i));
        *array[i] = kept;
    }
    y.size.l = TAC_MAX_LCP + 1;
    tap_equal(tac_lcs_advance(&y, 1, u, x, l, &q), TAC_E_FULL, "more rows than there is room for");
    y.size.l = 5, y.size.x = TAC_MAX_LCP + 1;
    tap_equal(tac_lcs_advance(&y, 1, u, x, l, &q), TAC_E_FULL, "more states than there is room for");

    // each number that is not finite: refused, and x, l as they were
    positive(5, 5, 0, &r);
    tac_real *number[] = {x, u, A, B, D, d, E, F, H, c};
    int passed = 0, changed = 0;
    tac_lcs_advance(&y, 1, u, x, l, &q); // so that D is asked for: rows bear
    for (uint32_t i = 0; i < 10; i++) {
        const tac_real kept = number[i][0];
        number[i][0] = infinite;
        for (uint32_t k = 0; k < y.size.x; k++) { before[k] = x[k]; }
        const tac_real bore = l[0];
        passed += tac_lcs_advance(&y, 1, u, x, l, &q) != TAC_E_NAN;
        changed += !truth_equal(before, x, y.size.x * sizeof *x) || bore != l[0];
        number[i][0] = kept;
    }
    tap_equal(passed, 0, "a number that is not finite: refused");
    tap_equal(changed, 0, "a number that is not finite: nothing changes");
    tap_equal(tac_lcs_advance(&y, 0, NULL, x, l, &q), TAC_E_ARG, "no steps, but no inputs either");
    tap_equal(tac_lcs_advance(&y, 0, u, x, l, &q), TAC_OK, "no steps");
    tap_ok(truth_equal(before, x, y.size.x * sizeof *x), "no steps: nothing changes");

    // it overflows after some steps: those before are kept
    sizes(1, 0, 0);
    A[0] = (tac_real)TOL(1e100, 1e10), d[0] = 0, x[0] = 1;
    tap_equal(tac_lcs_advance(&y, 10, NULL, x, NULL, &q), TAC_E_NAN, "a system that overflows: refused");
    tap_ok(x[0] - x[0] == 0 && x[0] > 1, "a system that overflows: the last finite state");
}

int main(void)
{
    random_systems();
    box_slides();
    rail_ends();
    in_parts();
    refusals();
    return tap_done();
}
