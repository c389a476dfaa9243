// SPDX-License-Identifier: MIT
// config: -DTAC_MAX_BODIES=100 -DTAC_MAX_SHAPES=106 -DTAC_MAX_CONTACTS=1000 -DTAC_MAX_FILL=800
// The direct solver on what sweeps do not hold, at h = 5 ms: S3 ten cubes, S3r with a tonne on top, S3h thirty cubes,
// S5 a wall; light and heavy boxes in turn at 10 ms; equal forces under equal feet; S4 a heap of balls. Full lengths
// (60 s, 200 balls) take minutes; these show the same in seconds.
#include "begin.h"
#include "truth.h"

static tac_model m;
static tac_state state, first;
static tac_work w;

// ------------------------------------------------------------------------------------------------------------ worlds

static void ground(double h, uint16_t sweeps)
{
    tac_model_init(&m);
    m.h = (tac_real)h;
    m.options.solver = TAC_SOLVER_DIRECT;
    m.options.max_sweeps = sweeps;
    tac_model_add_material(&m, (tac_real)0.5, 0);
    const tac_shape s = tac_shape_make(0, TAC_HALF_SPACE, vec(0, 0, 0));
    tac_model_add_shape(&m, &s);
}

static void wall(double x, double y, tac_quat q)
{
    tac_shape s = tac_shape_make(0, TAC_HALF_SPACE, vec(0, 0, 0));
    s.pose.p = vec(x, y, 0);
    s.pose.q = q;
    tac_model_add_shape(&m, &s);
}

static void brick(d3 at, double mass, d3 half)
{
    tac_body b = tac_body_make(TAC_DYNAMIC, d3_to(at));
    const d3 s = {half.x * half.x, half.y * half.y, half.z * half.z};
    b.mass = (tac_real)mass;
    b.inertia = vec(mass / 3 * (s.y + s.z), mass / 3 * (s.x + s.z), mass / 3 * (s.x + s.y));
    const tac_shape shape = tac_shape_make((uint16_t)tac_model_add_body(&m, &b), TAC_BOX, d3_to(half));
    tac_model_add_shape(&m, &shape);
}

// Unit cubes on each other; `even` and `odd` the masses from below, `top` that of the last.
static void stack(int cubes, double even, double odd, double top)
{
    for (int i = 0; i < cubes; i++) {
        brick(d3_make(0, 0, 0.5 + i), i == cubes - 1 ? top : (i & 1 ? odd : even), d3_make(0.5, 0.5, 0.5));
    }
}

// -------------------------------------------------------------------------------------------------------------- runs

typedef struct outcome {
    double drift, penetration, residual, sweeps;
    int swept, relaxed;
} outcome;

static outcome run(uint32_t steps)
{
    outcome o = {0, 0, 0, 0, 0, 0};
    begin_world(&m, &state);
    truth_copy(&first, &state, sizeof first);
    for (uint32_t k = 0; k < steps; k++) {
        const tac_status status = tac_step(&m, &state, NULL, &w);
        if (status < 0 || tac_check(&m, &state, &w, NULL) != TAC_OK) { tap_ok(0, "step refused or not sound"); }
        for (uint16_t i = 1; i < m.bodies; i++) {
            d_worst(&o.drift, d3_norm(d3_sub(d3_of(state.pose[i].p), d3_of(first.pose[i].p))));
        }
        if (k >= steps * 9 / 10) { d_worst(&o.penetration, (double)w.report.penetration); }
        d_worst(&o.residual, (double)w.report.residual);
        o.sweeps += (double)w.report.sweeps / steps;
        o.swept += (status & TAC_SWEPT) != 0;
        o.relaxed += (status & TAC_RELAXED) != 0;
    }
    tap_note("largest drift, m", o.drift);
    tap_note("Newton steps a step", o.sweeps);
    tap_note("largest residual", o.residual);
    return o;
}

static void test_stands(const char *name, uint32_t steps, double drift)
{
    const outcome o = run(steps);
    tap_most(o.drift, drift, name);
    tap_equal(o.swept + o.relaxed, 0, "by Newton's method and the exact law alone");
}

static void test_wall(void)
{
    ground(5e-3, 50);
    for (int i = 0; i < 100; i++) {
        const int row = i / 10;
        brick(d3_make(0.402 * (i % 10) + 0.1 * (row & 1), 0, 0.1 + 0.2 * row), 1, d3_make(0.2, 0.1, 0.1));
    }
    const outcome o = run(RUN(12, 5));
    tap_most(o.drift, TOL(1e-6, 1e-4), "S5 a wall of a hundred bricks stands");
}

static void test_heap(void)
{
    rng r = {12345};
    const double c = d_sqrt(0.5), radius = 0.05, mass = 0.5236;
    ground(5e-3, 50);
    wall(-0.2, 0, (tac_quat){(tac_real)c, 0, (tac_real)c, 0});
    wall(0.2, 0, (tac_quat){(tac_real)c, 0, (tac_real)-c, 0});
    wall(0, -0.2, (tac_quat){(tac_real)c, (tac_real)-c, 0, 0});
    wall(0, 0.2, (tac_quat){(tac_real)c, (tac_real)c, 0, 0});
    for (int i = 0; i < 36; i++) {
        const d3 at =
            d3_make(0.1176 * (i % 3 - 1), 0.1176 * (i / 3 % 3 - 1), 0.06 + 0.115 * (i / 9)); // layers of 3 x 3
        tac_body b = tac_body_make(TAC_DYNAMIC, d3_to(d3_add(at, rng_box(&r, 0.002))));
        b.mass = (tac_real)mass;
        b.inertia = vec(0.4 * mass * radius * radius, 0.4 * mass * radius * radius, 0.4 * mass * radius * radius);
        const tac_shape s = tac_shape_make((uint16_t)tac_model_add_body(&m, &b), TAC_SPHERE, vec(radius, 0, 0));
        tac_model_add_shape(&m, &s);
    }
    const outcome o = run(RUN(200, 10));
    tap_note("steps that used sweeps", o.swept);
    tap_most(o.penetration, 0.01 * radius, "S4 a heap of balls settles within 1 % of a radius");
}

static void test_equal_forces(void)
{
    double worst = 0.0;
    ground(5e-3, 50);
    for (int i = 0; i < 3; i++) { brick(d3_make(2 * i, 0, 0.5), 1, d3_make(0.5, 0.5, 0.5)); }
    run(100);
    tap_equal(w.report.contacts, 12, "three cubes on four feet");
    for (int i = 0; i < 12; i++) { d_worst(&worst, (double)w.contact[i].impulse.x / (0.25 * 9.81 * 5e-3) - 1.0); }
    tap_most(worst, 1e-6, "each foot bears a quarter of its cube's weight");
}

int main(void)
{
    ground(5e-3, 50);
    stack(10, 1, 1, 1);
    test_stands("S3 ten cubes stand still", RUN(400, 10), TOL(1e-8, 1e-6));
    ground(5e-3, 50);
    stack(10, 1, 1, 1000);
    test_stands("S3r a tonne on nine cubes stands", RUN(400, 10), TOL(1e-7, 2e-3));
    ground(5e-3, 50);
    stack(30, 1, 1, 1);
    test_stands("S3h thirty cubes stand still", RUN(200, 10), TOL(1e-7, 1e-5));
    ground(1e-2, 40);
    stack(5, 0.1, 10, 0.1);
    test_stands("light and heavy boxes in turn stand", RUN(600, 10), TOL(1e-7, 2e-4));
    test_wall();
    test_heap();
    test_equal_forces();
    return tap_done();
}
