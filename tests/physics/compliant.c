// SPDX-License-Identifier: MIT
// config: all
// Compliant contacts by every engine: what a spring and a damper of the textbooks do. Sink, period and damping ratio; a
// table on five legs and robots on four wheels share their weight as springs do; energy never grows, in random worlds
// too; materials in series; bad values by name; the same law in the step of T03, in linear systems, in derivatives and
// in roll-outs with kept dynamics.
#include "begin.h"
#include "bodies.h"
#include "differences.h"

enum { X = 24, L = 60, LEGS = 5 };

static const double G = 9.81;
static tac_model m;
static tac_state s;
static tac_work w;
static tac_lcp q;

static void world(double h, double stiffness, double damping)
{
    tac_model_init(&m);
    m.h = (tac_real)h;
    tac_model_add_material(&m, (tac_real)0.5, 0);
    tac_model_add_material(&m, (tac_real)0.5, (tac_real)0.8); // the spring replaces its restitution
    m.material[1].stiffness = (tac_real)stiffness;
    m.material[1].damping = (tac_real)damping;
    add_floor(&m);
}

static uint16_t solid(double mass, d3 at, uint8_t kind, double half)
{
    const double i = 0.4 * mass * half * half;
    const uint16_t body = add_body(&m, at, mass, d3_make(i, i, i));
    tac_shape shape = tac_shape_make(body, kind, vec(half, half, half));
    shape.material = 1;
    tac_model_add_shape(&m, &shape);
    return body;
}

// The least sweeps allow what an engine can do.
static void engine(int solver, int law)
{
    m.options.solver = (uint8_t)solver;
    m.options.friction = (uint8_t)law;
    m.options.max_sweeps = 200;
    m.options.tolerance = 0;
}

static int run(double seconds)
{
    int refused = 0;
    for (double t = 0; t < seconds - 0.5 * (double)m.h; t += (double)m.h) { refused |= tac_step(&m, &s, NULL, &w) < 0; }
    return !refused;
}

static double load(void)
{
    double sum = 0;
    for (int i = 0; i < w.report.contacts; i++) { sum += (double)w.contact[i].impulse.x / (double)m.h; }
    return sum;
}

static double height(uint16_t body)
{
    return (double)tac_state_get_pose(&m, &s, body).p.z;
}

// ------------------------------------------------------------------------------------------------------- one body

// Resting on one spring, or on the four corners of a box. In float the gap is rounded to 1e-7 m: a force of 1e-7 k.
static void test_sink(void)
{
    double sink = 0, force = 0;
    int taken = 1;
    for (int solver = 0; solver < 4; solver++) {
        for (int box = 0; box < 2; box++) {
            for (double k = solver < RUN(4, 1) ? 1e2 : 1e4; k < 2e6; k *= 1e2) {
                world(1e-3, k, 1.4 * d_sqrt(k));
                engine(solver, (solver + box) % 2 ? TAC_FRICTION_RELAXED : TAC_FRICTION_EXACT);
                solid(1, d3_make(0, 0, 0.5), box ? TAC_BOX : TAC_SPHERE, 0.5);
                begin_world(&m, &s);
                const double expected = G / k / (box ? 4 : 1), rounding = 3e-16 + TOL(0, 3e-7);
                taken &= run(k < 1e3 ? 4 : 0.5);
                d_worst(&sink, d_max(d_abs(0.5 - height(1) - expected) - rounding, 0) / expected);
                d_worst(&force, d_max(d_abs(load() - G) - rounding * k, 0) / G);
            }
        }
    }
    tap_ok(taken, "every step of a sinking body is taken");
    tap_most(sink, TOL(1e-9, 1e-5), "sink m g/k of all engines, beyond rounding of the gap");
    tap_most(force, TOL(1e-9, 1e-5), "and the load is the weight");
}

// A ball that arrives: the spring follows the way of the step, the damper acts from the next step on.
static void test_arrival(void)
{
    const double h = 2e-3, k = 1e4, c = 50, gap = 1e-3, speed = 1;
    world(h, k, c);
    engine(TAC_SOLVER_ACCELERATED, TAC_FRICTION_EXACT);
    m.gravity = vec(0, 0, 0);
    solid(1, d3_make(0, 0, 0.5 + gap), TAC_SPHERE, 0.5);
    m.body[1].velocity.v = vec(0, 0, -speed);
    begin_world(&m, &s);
    double v = -speed, z = gap, off = 0;
    for (int i = 0; i < 2; i++) {
        const double damping = z < 0 ? c : 0;
        v = (v - h * k * z) / (1 + h * (h * k + damping));
        z += h * v;
        tac_step(&m, &s, NULL, &w);
        d_worst(&off, d_abs((double)s.twist[1].v.z - v));
    }
    tap_most(off, TOL(1e-12, 1e-5), "the damper acts while the surfaces overlap");
}

// From the softest to the stiffest, dropped with no damper: never more energy than at the start.
static void test_stable(void)
{
    double energy = 0, deep = 0;
    for (int solver = 0; solver < 3; solver++) {
        for (double k = 1; k < 2e12; k *= RUN(100, 1e4)) {
            world(1e-3, k, 0);
            engine(solver, TAC_FRICTION_EXACT);
            solid(1, d3_make(0, 0, 0.52), TAC_BOX, 0.5);
            begin_world(&m, &s);
            for (int i = 0; i < 400; i++) {
                if (tac_step(&m, &s, NULL, &w) < 0) { energy = 1e30; }
                const double v = (double)s.twist[1].v.z;
                d_worst(&energy, d_max(0.5 * v * v + G * (height(1) - 0.52), 0));
            }
            d_worst(&deep, d_max(0.5 - height(1), 0) / (0.02 + 20 * G / k));
        }
    }
    tap_most(energy, TOL(1e-9, 1e-5), "1 to 1e12 N/m at 1 ms: no more energy than at the start");
    tap_most(deep, 1, "and no deeper than a spring lets it");
}

static double ln(double a)
{
    const double x = (a - 1) / (a + 1); // a within 0.3 .. 3
    double sum = 0, power = 2 * x;
    for (int i = 1; i < 60; i += 2, power *= x * x) { sum += power / i; }
    return sum;
}

// A ball that stays on its spring: sqrt(k/m), and c/(2 sqrt(k m)) beside the h w/2 of implicit Euler.
static void test_oscillation(void)
{
    double period = 0, ratio = 0;
    for (int i = 0; i < 6; i++) {
        const double h = i % 2 ? 1e-3 : 1e-2, k = i % 2 ? 4e3 : 100, mass = 2, zeta = (i / 2) * 0.02;
        const double own = d_sqrt(k / mass), rest = 0.5 - mass * G / k, turn = 2 * 3.14159265358979 / own;
        world(h, k, 2 * zeta * d_sqrt(k * mass));
        solid(mass, d3_make(0, 0, rest + 0.2 * mass * G / k), TAC_SPHERE, 0.5);
        begin_world(&m, &s);
        double crossed[4], speed[4], last = 1;
        int crossings = 0;
        for (int step = 1; crossings < 4 && step < 4000; step++) {
            tac_step(&m, &s, NULL, &w);
            const double now = height(1) - rest;
            if (now < 0 && last >= 0) {
                crossed[crossings] = h * (step - now / (now - last));
                speed[crossings++] = -(double)s.twist[1].v.z;
            }
            last = now;
        }
        d_worst(&period, crossings == 4 ? (crossed[3] - crossed[0]) / (3 * turn) - 1 : 1);
        d_worst(&ratio, ln(speed[0] / speed[3]) / (3 * 2 * 3.14159265358979) - zeta - 0.5 * h * own);
    }
    tap_most(period, 0.01, "period of an oscillation");
    tap_most(ratio, 0.01, "its damping ratio, beside h w/2");
}

// --------------------------------------------------------------------------------------------------- shared loads

// Springs k under a rigid plate with weight and centre of mass at (x, y): 3 equations for heave and two tilts.
static void springs(int legs, const double at[][2], const double *k, double weight, double x, double y, double *f)
{
    double a[3][4] = {{0, 0, 0, weight}, {0, 0, 0, weight * x}, {0, 0, 0, weight * y}};
    for (int i = 0; i < legs; i++) {
        const double r[3] = {1, at[i][0], at[i][1]};
        for (int j = 0; j < 9; j++) { a[j / 3][j % 3] += k[i] * r[j / 3] * r[j % 3]; }
    }
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            const double part = j == i ? 0 : a[j][i] / a[i][i];
            for (int c = 0; c < 4; c++) { a[j][c] -= part * a[i][c]; }
        }
    }
    for (int i = 0; i < legs; i++) {
        f[i] = k[i] * (a[0][3] / a[0][0] + a[1][3] / a[1][1] * at[i][0] + a[2][3] / a[2][2] * at[i][1]);
    }
}

// Five feet, two of another material, on a table whose centre of mass is not in the middle: whatever engine has the
// loads, and however it came down.
static void test_table(void)
{
    static const double at[LEGS][2] = {{0.4, 0.3}, {-0.5, 0.35}, {-0.3, -0.4}, {0.45, -0.25}, {0.05, 0.1}};
    const double k[LEGS] = {2e4, 2e4, 2e4, 5e4, 5e4}, mass = 10;
    double f[LEGS], worst = 0, law = 0, whole = 0, least = 1e9;
    springs(LEGS, at, k, mass * G, 0, 0, f);
    for (int trial = 0; trial < RUN(6, 3); trial++) {
        world(1e-3, k[0], 300);
        tac_model_add_material(&m, (tac_real)0.5, 0);
        m.material[2].stiffness = (tac_real)k[4];
        m.material[2].damping = 400;
        engine(trial % 3, trial / 3 ? TAC_FRICTION_RELAXED : TAC_FRICTION_EXACT);
        const uint16_t body = add_body(&m, d3_make(0, 0, 0.5 + 0.01 * trial), mass, d3_make(1, 1.2, 2));
        for (int i = 0; i < LEGS; i++) {
            tac_shape foot = tac_shape_make(body, TAC_SPHERE, vec(0.05, 0, 0));
            foot.pose.p = vec(at[i][0], at[i][1], -0.45);
            foot.material = i < 3 ? 1 : 2;
            tac_model_add_shape(&m, &foot);
        }
        begin_world(&m, &s);
        run(1.4);
        for (int i = 0; i < w.report.contacts; i++) {
            const tac_contact *c = &w.contact[i];
            const double force = (double)c->impulse.x / (double)m.h;
            d_worst(&worst, (force - f[c->id.shape_b - 1]) / (mass * G)); // it leans by 1e-3 rad
            d_worst(&law, (force + (double)c->stiffness * (double)c->gap) / (mass * G));
        }
        d_worst(&whole, load() / (mass * G) - 1);
        least = d_min(least, w.report.contacts);
    }
    tap_equal((int)least, LEGS, "a table stands on five legs");
    tap_most(worst, 1e-3, "which share its weight as springs do, to first order of its lean");
    tap_most(law, TOL(1e-9, 1e-3), "each with k times its overlap");
    tap_most(whole, TOL(1e-9, 5e-4), "and all together the weight"); // float: rounding of the gap
}

// Four wheels on axles, driven from the middle, one of them under a heavy corner.
static void robot_of(double x, double y)
{
    world(1e-3, 5e4, 500);
    const uint16_t body = add_body(&m, d3_make(0, 0, 0.2), 20, d3_make(0.5, 0.8, 1.2));
    m.body[body].inertial.p = vec(x, y, 0);
    for (int i = 0; i < 4; i++) {
        const double px = i % 2 ? 0.3 : -0.3, py = i / 2 ? 0.25 : -0.25;
        const uint16_t wheel = add_body(&m, d3_make(px, py, 0.1), 1, d3_make(0.004, 0.004, 0.004));
        tac_shape tyre = tac_shape_make(wheel, TAC_SPHERE, vec(0.1, 0, 0));
        tyre.material = 1;
        tac_model_add_shape(&m, &tyre);
        tac_joint axle;
        tac_joint_init(&axle, TAC_REVOLUTE, body, wheel);
        axle.frame_a.p = vec(px, py, -0.1);
        axle.frame_a.q = axle.frame_b.q =
            (tac_quat){(tac_real)0.70710678118654752, (tac_real)-0.70710678118654752, 0, 0};
        axle.damping = (tac_real)0.1;
        tac_model_add_joint(&m, &axle);
    }
}

static void test_robot(void)
{
    double worst = 0, f[4];
    static const double at[4][2] = {{-0.3, -0.25}, {0.3, -0.25}, {-0.3, 0.25}, {0.3, 0.25}};
    const double k[4] = {5e4, 5e4, 5e4, 5e4}, x = 0.1, y = 0.06, part = 20.0 / 24;
    springs(4, at, k, 24 * G, part * x, part * y, f);
    int seen = 4;
    for (int solver = 0; solver < 3; solver++) {
        robot_of(x, y);
        engine(solver, TAC_FRICTION_EXACT);
        begin_world(&m, &s);
        run(1);
        seen = w.report.contacts < seen ? w.report.contacts : seen;
        for (int i = 0; i < w.report.contacts; i++) {
            const tac_contact *c = &w.contact[i];
            d_worst(&worst, ((double)c->impulse.x / (double)m.h - f[c->id.shape_b - 1]) / (24 * G));
        }
    }
    tap_equal(seen, 4, "a robot stands on four wheels");
    tap_most(worst, TOL(2e-3, 2e-3), "which share its weight as springs do"); // sides lean by the sink: 1e-3 rad
}

// ---------------------------------------------------------------------------------------------------------- energy

// Stored by the contacts at a state: those that the next step finds.
static double stored(void)
{
    double sum = 0;
    static tac_state next;
    truth_copy(&next, &s, sizeof next);
    tac_step(&m, &next, NULL, &w);
    for (int i = 0; i < w.report.contacts; i++) {
        const double gap = d_min((double)w.contact[i].gap, 0);
        sum += 0.5 * (double)w.contact[i].stiffness * gap * gap;
    }
    return sum;
}

static double energy(void)
{
    double kinetic = 0, potential = 0;
    for (uint16_t i = 1; i < m.bodies; i++) {
        const d3 v = d3_of(s.twist[i].v), spin = d3_of(s.twist[i].w);
        const tac_vec3 j = m.body[i].inertia;
        kinetic += (double)m.body[i].mass * d3_dot(v, v) +
                   d3_dot(spin, d3_make((double)j.x * spin.x, (double)j.y * spin.y, (double)j.z * spin.z));
        potential += (double)m.body[i].mass * G * (double)s.pose[i].p.z;
    }
    return 0.5 * kinetic + potential + stored();
}

// Random balls and boxes fall on each other and the floor, with friction: what is lost is never given back.
static void test_worlds(void)
{
    const uint64_t seed = 1301;
    rng r = {seed};
    double rise = 0, residual = 0;
    tap_note_hex("seed", seed);
    for (int trial = 0; trial < RUN(24, 8); trial++) {
        world(trial % 2 ? 1e-3 : 2e-3, octave_range(&r, 1e4, 1e6), trial % 3 ? 0 : rng_range(&r, 1, 100));
        engine(trial % 4, trial / 4 % 2 ? TAC_FRICTION_RELAXED : TAC_FRICTION_EXACT);
        for (int i = 0; i < 3; i++) {
            const double half = rng_range(&r, 0.1, 0.2);
            solid(rng_range(&r, 0.5, 3), d3_make(rng_range(&r, -0.05, 0.05), 0.02 * i, 0.3 + 0.45 * i),
                  rng_below(&r, 2) ? TAC_BOX : TAC_SPHERE, half);
        }
        begin_world(&m, &s);
        const double all = energy();
        double least = all;
        for (int i = 0; i < 300; i++) {
            tac_step(&m, &s, NULL, &w);
            if (w.report.status == TAC_OK) {
                tac_certificate c;
                tac_certify(&m, &w, &c);
                d_worst(&residual, (double)c.r_natmap);
            }
            if (i % 10 != 9) { continue; }
            const double now = energy();
            d_worst(&rise, d_max(now - least, 0) / all);
            least = d_min(least, now);
        }
    }
    tap_most(rise, TOL(1e-3, 2e-3), "random worlds: energy, with that of the springs, never grows");
    // In float 200 sweeps carry velocities with 1e-6 m/s of rounding.
    tap_most(residual, TOL(1e-6, 1e-3), "their solved steps satisfy N + C");
}

// A soft ball on a vertical rail bounces as one without joints does: the guard of energy knows what the spring holds.
// Bodies of joints fall by v+, others by the mean velocity: g h/2 for as long as they fly.
static void test_guard(void)
{
    double apart = 0, high[2] = {0, 0};
    static double path[1500];
    for (int rail = 0; rail < 2; rail++) {
        world(1e-3, 2e3, 0);
        const uint16_t ball = solid(1, d3_make(0, 0, 0.7), TAC_SPHERE, 0.5);
        if (rail) {
            tac_joint slide;
            tac_joint_init(&slide, TAC_PRISMATIC, 0, ball);
            slide.frame_a.p = vec(0, 0, 0.7);
            slide.collide = 1;
            tac_model_add_joint(&m, &slide);
        }
        begin_world(&m, &s);
        for (int i = 0; i < 1500; i++) {
            tac_step(&m, &s, NULL, &w);
            if (rail) { d_worst(&apart, height(ball) - path[i]); }
            path[i] = height(ball);
            if (i > 1000) { high[rail] = d_max(high[rail], path[i]); }
        }
    }
    tap_most(apart, 0.03, "a soft ball on a rail bounces as a free one");
    tap_least(d_min(high[0], high[1]), 0.6, "and both come up again, with the damping of h w/2 alone");
}

// ----------------------------------------------------------------------------------------------------------- input

static void refused(int pair, double stiffness, double damping, uint32_t field, uint32_t reason, const char *name)
{
    tac_fault fault;
    world(1e-3, pair ? 0 : stiffness, pair ? 0 : damping);
    if (pair) {
        tac_model_add_material_pair(&m, 0, 1, (tac_real)0.5, 0);
        m.material_pair[0].stiffness = (tac_real)stiffness;
        m.material_pair[0].damping = (tac_real)damping;
    }
    tap_ok(tac_model_seal(&m, &fault) < 0 && fault.field == field && fault.reason == reason &&
               fault.index == (pair ? 0u : 1u),
           name);
}

static void test_input(void)
{
    refused(0, -1, 0, TAC_FIELD_STIFFNESS, TAC_REASON_RANGE, "a negative stiffness");
    refused(0, 1e-4, 0, TAC_FIELD_STIFFNESS, TAC_REASON_RANGE, "one below 1e-3");
    refused(0, 1.1e12, 0, TAC_FIELD_STIFFNESS, TAC_REASON_RANGE, "one above 1e12");
    refused(0, (double)real_nan(), 0, TAC_FIELD_STIFFNESS, TAC_REASON_NOT_FINITE, "one that is no number");
    refused(0, 1e3, -1, TAC_FIELD_DAMPING, TAC_REASON_RANGE, "a negative damping");
    refused(0, 1e3, 1.1e9, TAC_FIELD_DAMPING, TAC_REASON_RANGE, "one above 1e9");
    refused(0, 0, 1, TAC_FIELD_DAMPING, TAC_REASON_UNUSED, "one without a spring");
    refused(1, -1, 0, TAC_FIELD_MATERIAL_PAIR, TAC_REASON_RANGE, "the same of a pair");
    world(1e-3, 3e3, 9);
    m.material[0].stiffness = 6000;
    m.material[0].damping = 18;
    solid(1, d3_make(0, 0, 0.49), TAC_SPHERE, 0.5);
    begin_world(&m, &s);
    tac_step(&m, &s, NULL, &w);
    tap_near(w.contact[0].stiffness, 2000, 1e-3, "two materials are springs in series");
    tap_near(w.contact[0].restitution, 0, 0, "without restitution");
    const double u = (double)w.contact[0].velocity.x, force = 2000 * (0.01 - 1e-3 * u) - u * (18 / 9.0 + 9 / 2.25);
    tap_near((double)w.contact[0].impulse.x / (double)m.h, force, TOL(1e-10, 1e-3), "and dampers as their rates");
    static tac_instant instant;
    static tac_ncp ncp;
    tac_lcp_init(&q);
    tac_ncp_init(&ncp);
    tap_equal(tac_accelerations(&m, &s, NULL, &w, &q, &instant), TAC_E_ARG, "accelerations refuse them");
    tap_equal(w.report.fault.field, TAC_FIELD_STIFFNESS, "by name");
    tap_equal(tac_step_implicit(&m, &s, NULL, &w, &ncp), TAC_E_ARG, "so does the step of CBAT07");
    tap_equal(w.report.fault.field, TAC_FIELD_STIFFNESS, "by name too");
}

// --------------------------------------------------------------------------------------------------- other callers

// A ball that is pressed against a soft wall by its own weight, without friction: the step of T03 and of NST17 are one,
// the system has C in F and k h C gap in c, and the derivative is that of differences.
static void test_systems(void)
{
    static tac_state by_lcp;
    static tac_real A[X * X], B[X * X], D[X * L], d0[X], E[L * X], F[L * L], H[L * X], c0[L];
    const double k = 3e3, c = 20, h = 2e-3;
    tac_lcs y;
    tac_step_derivative dy = {0};
    static differences d;
    double worst = 0, scale = 1, column[2 * DIFF_MOST];
    world(h, k, c);
    m.material[0].friction = m.material[1].friction = 0;
    solid(2, d3_make(0, 0, 0.49), TAC_SPHERE, 0.5);
    begin_world(&m, &s);
    tac_lcp_init(&q);
    truth_copy(&by_lcp, &s, sizeof s);
    tac_lcs_init(&y);
    y.A = A, y.B = B, y.D = D, y.d = d0, y.E = E, y.F = F, y.H = H, y.c = c0, y.wrenches = 1;
    y.room = (tac_linear_size){X, X, L};
    tap_equal(tac_linearise(&m, &s, NULL, &w, &q, &y), TAC_OK, "a linear system with a soft wall");
    const double C = 1 / (h * (h * k + c));
    tap_near(F[0], 0.5 + C, TOL(1e-9, 1e-3), "has C in F");
    tap_near((double)c0[0], -G * h - h * k * C * 0.01, TOL(1e-9, 1e-5), "and k gap/(h k + c) in c");
    tap_near((double)E[2], h * k * C, TOL(1e-9, 1e-5), "which follows the gap");
    tap_equal(tac_step_lcp(&m, &by_lcp, NULL, &w, &q), TAC_OK, "the step of T03");
    dy.A = A, dy.B = B, dy.room = (tac_linear_size){X, X, 0}, dy.wrenches = 1;
    diff_begin(&d, &m, &s, NULL, tac_step);
    tap_ok(tac_derivative(&m, &s, NULL, &w, &q, &dy) >= 0, "a derivative");
    for (uint32_t j = 0; j < 12; j++) {
        diff_column(&d, j, TOL(1e-6, j < 6 ? 1e-3 : 1e-1), column);
        for (uint32_t i = 0; i < 12; i++) {
            d_worst(&worst, (double)A[i * dy.size.x + j] - column[i]);
            scale = d_max(scale, d_abs(column[i]));
        }
    }
    tap_most(worst / scale, TOL(1e-7, 1e-2), "of a body on a spring: as differences of steps");
    tac_step(&m, &s, NULL, &w);
    tap_near(s.twist[1].v.z, by_lcp.twist[1].v.z, TOL(1e-12, 1e-6), "and of NST17 are one");
}

// Roll-outs with kept dynamics: a robot drops on its tyres, whose dampers begin to act between two refreshes.
static void test_rollout(void)
{
    static tac_refresh kept;
    static tac_prediction p;
    static tac_state end[2];
    for (int i = 0; i < 2; i++) {
        robot_of(0.1, 0.06);
        m.options.tolerance = (tac_real)TOL(1e-10, 1e-6);
        for (uint16_t b = 1; b < m.bodies; b++) { m.body[b].pose.p.z += (tac_real)0.004; }
        begin_world(&m, &s);
        truth_fill(&p, sizeof p, 0);
        p.model = &m, p.steps = 200, p.most = (tac_real)1e30;
        if (i) { p.fidelity.kept = &kept, p.fidelity.every = 5; }
        tap_equal(tac_rollout(&p, &s, &w, NULL), TAC_OK, "a roll-out on tyres");
        truth_copy(&end[i], &p.state, sizeof s);
    }
    tap_near(end[1].pose[1].p.z, end[0].pose[1].p.z, TOL(2e-5, 2e-5), "with kept dynamics sinks as by full steps");
}

int main(void)
{
    test_sink();
    test_arrival();
    test_stable();
    test_oscillation();
    test_table();
    test_robot();
    test_worlds();
    test_guard();
    test_input();
    test_systems();
    test_rollout();
    return tap_done();
}
