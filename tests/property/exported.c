// SPDX-License-Identifier: MIT
// config: all
// The contact problem of a step, as `tactus run --problem` exports it, in random worlds of free bodies and of joints:
//   step      the impulses of a step that is called solved solve the exported problem, at velocities made of them in
//             double: its natural map is within the tolerance and the rounding of one sum, by every engine and after
//             any number of sweeps
//   solve     tac_solve(), which knows no world, finds from nothing the velocities of the step, and its impulses where
//             these are unique
//   refusal   a problem that cones of three rows cannot say is refused, with the contact or the joint that it is about
#include "../../targets/host/step_problem.c"
#include "begin.h"
#include "forest.h"

enum { WORLDS = RUN(60, 8), STEPS = 40, EVERY = 8, FORESTS = RUN(1500, 150) };

static tac_model m;
static tac_state state;
static tac_work w;
static tac_input in;
static tac_problem problem;
static tac_solve_work solve;

typedef struct found {
    double natural, velocity, impulse; // worst, over |p|; impulses as velocities d |g|
    double excess;                     // worst, over tolerance |p| + epsilon (|d g| + |p|)
    uint64_t natural_at, velocity_at, excess_at;
    int problems, contacts, refused;
} found;

static double n3(const double *a)
{
    return d_sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
}

// The nearest point of the cone mu.
static void project(double mu, double *g)
{
    const double t = d_sqrt(g[1] * g[1] + g[2] * g[2]);
    if (t <= mu * g[0]) { return; }
    const double n = mu * t <= -g[0] ? 0 : (g[0] + mu * t) / (1 + mu * mu), scale = n > 0 ? mu * n / t : 0;
    g[0] = n, g[1] *= scale, g[2] *= scale;
}

// u = N g + p
static void velocities(const double *g, double *u)
{
    for (uint32_t i = 0; i < problem.rows; i++) { u[i] = (double)problem.block[i / 3].p[i % 3]; }
    for (uint32_t e = 0; e < problem.entries; e++) {
        const tac_problem_entry *at = &problem.entry[e];
        for (uint32_t k = 0; k < 9; k++) {
            u[3 * at->row + k / 3] += (double)problem.value[at->value + k] * g[3 * at->column + k % 3];
        }
    }
}

static double weight(uint32_t i)
{
    for (uint32_t e = 0; e < problem.entries; e++) {
        const tac_problem_entry *at = &problem.entry[e];
        const tac_real *n = &problem.value[at->value];
        if (at->row == i && at->column == i) { return (double)(n[0] + n[4] + n[8]) / 3; }
    }
    return 0;
}

static double size_of_p(void)
{
    double sum = 0;
    for (uint32_t i = 0; i < problem.rows; i++) {
        sum += (double)problem.block[i / 3].p[i % 3] * (double)problem.block[i / 3].p[i % 3];
    }
    return d_sqrt(sum);
}

// resS of the README of measured problems: |d (g - P(g - u~/d))| / |p|
static double natural_map(const double *g, const double *u)
{
    double sum = 0;
    for (uint32_t i = 0; i < problem.blocks; i++) {
        const double d = weight(i), mu = (double)problem.block[i].mu, *at = g + 3 * i, *v = u + 3 * i;
        const double lift = w.report.friction == TAC_FRICTION_EXACT ? mu * d_sqrt(v[1] * v[1] + v[2] * v[2]) : 0;
        double x[3] = {at[0] - (v[0] + lift) / d, at[1] - v[1] / d, at[2] - v[2] / d};
        project(mu, x);
        const double miss[3] = {d * (at[0] - x[0]), d * (at[1] - x[1]), d * (at[2] - x[2])};
        sum += n3(miss) * n3(miss);
    }
    return d_sqrt(sum) / size_of_p();
}

// What a natural map in units of |p| is of the tolerance and the rounding of p and N g.
static double excess(const double *g, double natural)
{
    double sum = 0;
    for (uint32_t i = 0; i < problem.blocks; i++) {
        const double v = weight(i) * n3(g + 3 * i);
        sum += v * v;
    }
    return natural / ((double)m.options.tolerance + TOL(2.2e-16, 1.2e-7) * (d_sqrt(sum) / size_of_p() + 1));
}

enum { HEAP, ROUND, STACK, FOREST };

// The problem of the step that `w` has just taken, against its impulses.
static void judge(found *f, uint64_t seed, int kind)
{
    static double g[3 * TAC_MAX_SOLVE_BLOCKS], u[3 * TAC_MAX_SOLVE_BLOCKS];
    uint32_t which = 0;
    tac_solve_options options;
    if (w.report.contacts == 0 || w.report.contacts > TAC_MAX_SOLVE_BLOCKS || w.report.status != TAC_OK) { return; }
    if (step_problem_make(&m, &w, &problem, &which) != NULL) {
        f->refused++;
        return;
    }
    for (uint32_t i = 0; i < problem.blocks; i++) {
        const tac_vec3 got = w.contact[i].impulse;
        g[3 * i] = (double)got.x, g[3 * i + 1] = (double)got.y, g[3 * i + 2] = (double)got.z;
    }
    velocities(g, u);
    f->problems++, f->contacts += w.report.contacts;
    const double natural = natural_map(g, u);
    worst_at(&f->natural, &f->natural_at, natural, seed);
    worst_at(&f->excess, &f->excess_at, excess(g, natural), seed);
    if (kind == STACK) { return; } // masses so different make velocities that impulses hardly decide
    tac_solve_options_init(&options);
    options.friction = w.report.friction;
    options.tolerance = m.options.tolerance;
    const tac_status status = tac_solve(&problem, &options, &solve);
    if (status < 0) { tap_ok(0, tap_numbered("tac_solve refuses the problem, status ", status)); }
    if (status != TAC_OK) { return; }
    for (uint32_t i = 0; i < problem.rows; i++) {
        worst_at(&f->velocity, &f->velocity_at, d_abs((double)solve.u[i] - u[i]) / size_of_p(), seed);
        if (kind == ROUND) { d_worst(&f->impulse, weight(i / 3) * ((double)solve.g[i] - g[i]) / size_of_p()); }
    }
}

// -------------------------------------------------------------------------------------------------------- free bodies

static void shape(rng *r, uint16_t body, uint8_t kind)
{
    tac_shape s = tac_shape_make(body, kind, d3_to(d3_add(d3_make(0.2, 0.2, 0.2), rng_box(r, 0.1))));
    s.material = (uint8_t)rng_below(r, 2);
    if (kind == TAC_CONE) { s.pose.q = dq_to(rng_quat(r)); }
    tac_model_add_shape(&m, &s);
    tac_model_mass_from_shapes(&m, body, (tac_real)octave_range(r, 100, 10000));
}

// So that differences are those of the problems, not of how far a step is solved.
static void solve_closely(void)
{
    m.options.max_sweeps = 1000;
    m.options.tolerance = (tac_real)TOL(1e-10, 1e-6);
}

// A heap above the ground. `round`: of one ball each, far apart, so that impulses are unique.
static void heap(uint64_t seed, int round)
{
    static const uint8_t KINDS[] = {TAC_BOX, TAC_SPHERE, TAC_CAPSULE, TAC_CYLINDER, TAC_ELLIPSOID, TAC_CONE};
    rng r = {seed * UINT64_C(0x9e3779b97f4a7c15)};
    tac_model_init(&m);
    m.h = (tac_real)rng_range(&r, 1e-3, 5e-3);
    m.options.friction = (uint8_t)rng_below(&r, 2);
    m.options.solver = (uint8_t)rng_below(&r, 4);
    solve_closely();
    const double bounce = wild_one_of(&r, 3) ? 0.5 : 0;
    tac_model_add_material(&m, (tac_real)rng_range(&r, 0, 1), (tac_real)bounce);
    tac_model_add_material(&m, (tac_real)rng_range(&r, 0, 1), 0);
    wild_plane(&m, 0);
    for (uint32_t i = 0; i < 4; i++) {
        tac_body b = tac_body_make(TAC_DYNAMIC, d3_to(d3_make(round ? i : 0, 0, round ? 0.3 : 0.3 + 0.4 * i)));
        b.pose.p = d3_to(d3_add(d3_of(b.pose.p), rng_box(&r, 0.05)));
        b.pose.q = dq_to(rng_quat(&r));
        b.velocity = (tac_twist){d3_to(rng_box(&r, 1)), d3_to(rng_box(&r, 5))};
        shape(&r, (uint16_t)tac_model_add_body(&m, &b), round ? TAC_ELLIPSOID : KINDS[rng_below(&r, sizeof KINDS)]);
    }
    if (seed % 3 == 0) { // compliance of the size of W
        m.material[1].stiffness = (tac_real)octave_range(&r, 1e5, 1e7);
        m.material[1].damping = (tac_real)rng_range(&r, 0, 20);
    }
    begin_world(&m, &state);
}

// Boxes on each other, each up to a tenth of its size beside the one below, of masses up to 1e3 times each other's:
// solves take many sweeps, of half of the worlds as many as they like.
static void stack(uint64_t seed)
{
    rng r = {seed * UINT64_C(0x9e3779b97f4a7c15)};
    const uint32_t boxes = 2 + rng_below(&r, 2);
    double top = 0;
    tac_model_init(&m);
    m.options.friction = (uint8_t)(seed / (TAC_SOLVER_AUTO + 1) % 2);
    m.options.solver = (uint8_t)(seed % (TAC_SOLVER_AUTO + 1));
    solve_closely();
    m.options.max_sweeps = seed % 16 < 8 ? 1000 : 50;
    tac_model_add_material(&m, (tac_real)rng_range(&r, 0.1, 1), 0);
    wild_plane(&m, 0);
    for (uint32_t i = 0; i < boxes; i++) {
        const double half = rng_range(&r, 0.1, 0.2);
        tac_body b = tac_body_make(TAC_DYNAMIC, d3_to(d3_add(d3_make(0, 0, top + half), rng_box(&r, 0.1 * half))));
        b.pose.p.z = (tac_real)(top + half);
        b.velocity.v = d3_to(rng_box(&r, 0.1));
        const uint16_t body = (uint16_t)tac_model_add_body(&m, &b);
        const tac_shape s = tac_shape_make(body, TAC_BOX, d3_to(d3_make(half, half, half)));
        tac_model_add_shape(&m, &s);
        tac_model_mass_from_shapes(&m, body, (tac_real)octave_range(&r, 30, 30000));
        top += 2 * half;
    }
    begin_world(&m, &state);
}

static void report(const found *f, double velocity)
{
    tap_note_hex("seed of the largest difference", f->velocity_at);
    tap_most(f->velocity, velocity, "solve: the velocities of the step");
}

static void test_bodies(int kind)
{
    found f = {0};
    for (uint64_t seed = 1; seed <= WORLDS; seed++) {
        if (kind == STACK) {
            stack(seed);
        } else {
            heap(seed, kind == ROUND);
        }
        for (int i = 1; i <= STEPS; i++) {
            if (tac_step(&m, &state, NULL, &w) < 0) { tap_ok(0, "a step is refused"); }
            if (i % EVERY == 0) { judge(&f, seed, kind); }
        }
    }
    tap_note("problems", f.problems);
    tap_note("contacts", f.contacts);
    tap_note_hex("seed of the largest residual", f.excess_at);
    tap_most(f.excess, 8, "step: its impulses solve the exported problem, to the tolerance and rounding");
    if (kind != STACK) { report(&f, TOL(1e-9, 1e-4)); }
    tap_equal(f.refused, 0, "bodies without spinning resistance are never refused");
    tap_least(f.problems, WORLDS / 2, "there are problems");
    if (kind == ROUND) { tap_most(f.impulse, TOL(1e-8, 1e-4), "solve: the impulses of the step, which are unique"); }
}

// ------------------------------------------------------------------------------------------------------------- joints

static void test_joints(void)
{
    found f = {0};
    for (uint64_t seed = 1; seed <= FORESTS; seed++) {
        forest_build(&m, &in, seed, FOREST_SHAPES | FOREST_FLOOR | FOREST_LOOPS | FOREST_RUBS | FOREST_DRIVEN);
        m.options.solver = (uint8_t)(seed % 4);
        solve_closely();
        if (tac_model_seal(&m, NULL) != TAC_OK || tac_state_init(&m, &state, NULL) != TAC_OK) { continue; }
        if (tac_step(&m, &state, &in, &w) == TAC_OK) { judge(&f, seed, FOREST); }
    }
    tap_note("problems", f.problems);
    tap_note("contacts", f.contacts);
    tap_note_hex("seed of the largest residual", f.natural_at); // W over joints is rounded itself
    tap_most(f.natural, TOL(1e-7, 1e-4), "step: its impulses solve the exported problem");
    report(&f, TOL(1e-5, 1e-3)); // joints may divide forces so that W is nearly singular
    tap_note("refused", f.refused);
    tap_least(f.problems, FORESTS / 50, "there are problems over joints");
    tap_least(f.refused, FORESTS / 100, "and some that cones cannot say");
}

int main(void)
{
    test_bodies(HEAP);
    test_bodies(ROUND);
    test_bodies(STACK);
    test_joints();
    return tap_done();
}
