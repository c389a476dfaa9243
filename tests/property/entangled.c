// SPDX-License-Identifier: MIT
// config: -DTAC_MAX_JOINTS=8 -DTAC_MAX_FILL=128 -DTAC_MAX_BODIES=8 -DTAC_MAX_SHAPES=12 -DTAC_MAX_CONTACTS=64
// config: -DTAC_MAX_REDUCED=96
// variants: gcc-O2-32 gcc-O2-64 clang-O0-32
//
// Random trees of links that overlap for good: masses 1 : 1000, joints of all kinds that make trees, limits, friction,
// floating or fixed, with and without floor, gravity and motors. What cannot be satisfied together is left apart, and
// nothing else happens:
//      energy       what motors and gravity have put in so far is more than the kinetic energy, after every step
//      joints       stay together
//      statuses     no step is refused, the invariants hold, the report has the overlap that there is
#include "tap.h"
#include "truth.h"

enum { SEEDS = 170, STEPS = 60 }; // for each solver; each has seeds of its own
#ifndef FIRST
#define FIRST 1
#endif

static tac_model m;
static tac_state s, before;
static tac_work w, seen;
static tac_input input;

typedef struct robot {
    double size, mass; // m, kg: of its links, about
    int fixed, floor, gravity, driven;
} robot;

// Alike on a logarithmic scale: a power of ten, and what is left of it as a part.
static double log_range(rng *r, int low, int high)
{
    double a = rng_range(r, 1, 10);
    for (int k = (int)rng_below(r, (uint32_t)(high - low)) + low; k != 0; k += k < 0 ? 1 : -1) {
        a *= k < 0 ? 0.1 : 10;
    }
    return a;
}

static tac_pose seen_from(uint16_t body, d3 p, dq q)
{
    const dq back = dq_conjugate(dq_of(m.body[body].pose.q));
    return (tac_pose){d3_to(dq_rotate(back, d3_sub(p, d3_of(m.body[body].pose.p)))), dq_to(dq_mul(back, q))};
}

static void random_shape(rng *r, const robot *v, uint16_t link)
{
    static const uint8_t kind[] = {TAC_SPHERE, TAC_CAPSULE, TAC_BOX, TAC_BOX, TAC_CYLINDER, TAC_ELLIPSOID};
    const uint8_t which = kind[rng_below(r, 6)];
    const double x = v->size * rng_range(r, 0.1, 1), y = v->size * rng_range(r, 0.1, 1),
                 z = v->size * rng_range(r, 0.1, 1);
    tac_shape shape = tac_shape_make(link, which, vec(x, y, z));
    shape.pose.p = d3_to(rng_box(r, 0.3 * v->size));
    shape.pose.q = dq_to(rng_quat(r));
    tac_model_add_shape(&m, &shape);
}

// Near the link that it hangs on, so that it overlaps others.
static void random_link(rng *r, const robot *v, uint16_t parent)
{
    const double mass = v->mass * log_range(r, -2, 1), k = 0.2 * mass * v->size * v->size;
    const d3 at = parent > 0 ? d3_of(m.body[parent].pose.p) : d3_make(0, 0, 2 * v->size);
    const double x = rng_range(r, 0.6, 1), y = rng_range(r, 0.6, 1), z = rng_range(r, 0.6, 1);
    tac_body b = tac_body_make(TAC_DYNAMIC, d3_to(d3_add(at, rng_box(r, v->size))));
    b.mass = (tac_real)mass;
    b.inertia = vec(k * x, k * y, k * z);
    b.pose.q = dq_to(rng_quat(r));
    random_shape(r, v, (uint16_t)tac_model_add_body(&m, &b));
}

static void random_joint(rng *r, const robot *v, uint16_t a, uint16_t b)
{
    static const uint8_t kind[] = {TAC_REVOLUTE, TAC_REVOLUTE,  TAC_REVOLUTE,  TAC_PRISMATIC,   TAC_SCREW,
                                   TAC_FIXED,    TAC_SPHERICAL, TAC_UNIVERSAL, TAC_CYLINDRICAL, TAC_PLANAR};
    const d3 at = d3_scale(0.5, d3_add(d3_of(m.body[a ? a : b].pose.p), d3_of(m.body[b].pose.p)));
    const dq q = rng_quat(r);
    tac_joint j;
    tac_joint_init(&j, kind[rng_below(r, 10)], a, b);
    j.length = (tac_real)(v->size * rng_range(r, 0.2, 1));
    j.frame_a = seen_from(a, at, q);
    j.frame_b = seen_from(b, at, q);
    const int turns = j.kind == TAC_REVOLUTE || j.kind == TAC_SCREW;
    const double unit = turns ? 1 : v->size, effort = v->mass * v->size * 10 * (turns ? v->size : 1);
    if (rng_below(r, 3) == 0) {
        j.lower = (tac_real)(-unit * rng_range(r, 0.01, 0.5));
        j.upper = (tac_real)(unit * rng_range(r, 0.01, 0.5));
    }
    if (rng_below(r, 3) == 0) { j.friction = (tac_real)(0.1 * effort * rng_range(r, 0, 1)); }
    tac_model_add_joint(&m, &j);
    if (j.kind < TAC_REVOLUTE || j.kind > TAC_SCREW || !v->driven) { return; }
    const double stiff = effort * log_range(r, -1, 2) / unit;
    m.joint[m.joints - 1].effort = (tac_real)(effort * log_range(r, 0, 2));
    input.motor[input.motors++] =
        (tac_motor){0, 0, 0, (tac_real)stiff, (tac_real)(0.02 * stiff), (uint16_t)(m.joints - 1), TAC_MOTOR_PD};
}

static robot random_robot(uint64_t seed, uint8_t solver)
{
    rng r = {seed * UINT64_C(0x9e3779b97f4a7c15)};
    robot v = {log_range(&r, -2, 0), log_range(&r, -2, 2), 0, 0, 0, 0};
    v.fixed = rng_below(&r, 3) == 0;
    v.floor = rng_below(&r, 3) == 0;
    v.gravity = v.floor || rng_below(&r, 2) == 0;
    v.driven = rng_below(&r, 2) == 0;
    tac_model_init(&m);
    truth_fill(&input, sizeof input, 0);
    m.h = (tac_real)(2e-3 * d_sqrt(v.size)); // a step is the same part of a swing
    if (!v.gravity) { m.gravity = vec(0, 0, 0); }
    m.options.solver = solver;
    tac_model_add_material(&m, (tac_real)rng_range(&r, 0, 1), 0);
    if (v.floor) {
        const tac_shape plane = tac_shape_make(0, TAC_HALF_SPACE, vec(0, 0, 0));
        tac_model_add_shape(&m, &plane);
    }
    const uint16_t links = (uint16_t)(3 + rng_below(&r, 5));
    for (uint16_t i = 1; i <= links; i++) {
        const uint16_t other = i > 1 ? (uint16_t)(1 + rng_below(&r, i - 1u)) : 0;
        const uint16_t parent = rng_below(&r, 3) == 0 ? other : (uint16_t)(i - 1);
        random_link(&r, &v, parent);
        if (i > 1 || v.fixed) { random_joint(&r, &v, parent, i); }
    }
    return v;
}

// Work of gravity in the step that led from `before` to `s`: exact, forces act with the mean velocity.
static double lifted(void)
{
    double sum = 0;
    for (uint16_t i = 1; i < m.bodies; i++) {
        const d3 mean = d3_scale(0.5, d3_add(d3_of(before.twist[i].v), d3_of(s.twist[i].v)));
        sum += (double)m.h * (double)m.body[i].mass * d3_dot(d3_of(m.gravity), mean);
    }
    return sum;
}

// Work of motors, of each what it has put in and not what it has taken out.
static double driven(void)
{
    double sum = 0;
    for (uint32_t i = 0; i < input.motors; i++) {
        const uint16_t joint = input.motor[i].joint;
        tac_joint_state from, to;
        tac_state_get_joint(&m, &before, joint, &from);
        tac_state_get_joint(&m, &s, joint, &to);
        const double rate = 0.5 * ((double)from.velocity + (double)to.velocity);
        sum += d_max(0, (double)m.h * (double)w.joint[joint].effort[TAC_BOX_MOTOR] * rate);
    }
    return sum;
}

static double kinetic(void)
{
    tac_real k;
    tac_energy(&m, &s, &k, NULL);
    return (double)k;
}

typedef struct tally {
    int refused, broken, false_depth;
    double rise, apart;
    uint64_t rise_at, apart_at;
} tally;

static void worse(double *worst, uint64_t *at, double error, uint64_t seed)
{
    const double last = *worst;
    d_worst(worst, error);
    if (*worst != last) { *at = seed; }
}

// The deepest overlap of the pairs that collide, found by another road: after the step, by tac_contacts() of each body.
static double depth(void)
{
    double deepest = 0;
    for (uint16_t i = 0; i < m.bodies; i++) {
        tac_contacts(&m, &s, i, TAC_AUTO, &seen);
        deepest = d_max(deepest, (double)seen.report.penetration);
    }
    return deepest;
}

static void run(uint64_t seed, uint8_t solver, tally *t)
{
    const robot v = random_robot(seed, solver);
    const double scale = v.mass * 10 * v.size; // of a fall by its size
    double put = 0;
    if (tac_model_seal(&m, NULL) != TAC_OK || tac_state_init(&m, &s, NULL) != TAC_OK) {
        t->refused++;
        return;
    }
    for (int i = 0; i < STEPS; i++) {
        const double overlap = i % 8 == 0 ? depth() : -1;
        before = s;
        t->refused += tac_step(&m, &s, &input, &w) < 0;
        t->broken += tac_check(&m, &s, &w, NULL) != TAC_OK;
        t->false_depth += overlap >= 0 && d_abs((double)w.report.penetration - overlap) > 1e-6 * v.size;
        put += d_max(0, lifted()) + driven();
        worse(&t->rise, &t->rise_at, d_max(0, kinetic() - put) / (put + TOL(1e-9, 1e-5) * scale), seed);
        worse(&t->apart, &t->apart_at, (double)w.report.joint_error / v.size, seed);
    }
}

static void test_solver(const char *name, uint8_t solver)
{
    const uint64_t first = FIRST + (uint64_t)solver * 1000;
    tally t;
    truth_fill(&t, sizeof t, 0);
    for (uint64_t seed = first; seed < first + SEEDS; seed++) { run(seed, solver, &t); }
    tap_equal(t.refused, 0, tap_joined(name, ": no step is refused"));
    tap_equal(t.broken, 0, "the invariants hold");
    tap_equal(t.false_depth, 0, "the report has the overlap that there is");
    tap_most(t.rise, 0.1, "kinetic energy beyond what has been put in, of that"); // put in: to first order in a turn
    tap_note_hex("seed", t.rise_at);
    const int swept = solver == TAC_SOLVER_PLAIN;
    tap_most(t.apart, swept ? 1e-4 : TOL(1e-6, 1e-5), "joints stay together, of the size");
    tap_note_hex("seed", t.apart_at);
}

int main(void)
{
    test_solver("accelerated", TAC_SOLVER_ACCELERATED);
    test_solver("plain", TAC_SOLVER_PLAIN);
    if (TAC_MAX_FILL > 0) {
        test_solver("direct", TAC_SOLVER_DIRECT);
        test_solver("auto", TAC_SOLVER_AUTO);
    }
    return tap_done();
}
