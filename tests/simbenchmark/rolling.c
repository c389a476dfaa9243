// SPDX-License-Identifier: MIT
// SimBenchmark "rolling" (D. Kang, J. Hwangbo, ETH Zurich, 2018-19): a plate of 20 m is pushed over the ground, 25
// balls on it roll without slip. Both push directions: a pyramid of friction along x and y would hold the plate in one
// of them. The figure is theirs, the mean over all samples of |v_plate - a1 t d|^2 + |v_ball - a2 t d|^2. Built and run
// by rolling.t, in one variant for each precision: the full length is 4000 steps of 29 contacts.
#include "begin.h"
#include "truth.h"

static const double G = 9.81, FORCE = 150.0, PLATE = 10.0, BALLS = 25.0, MU_GROUND = 0.4, MU_BALL = 0.8;

static tac_model m;
static tac_state state;
static tac_work w;
static tac_input input;

static void add(d3 at, double mass, d3 inertia, uint8_t kind, d3 size, uint8_t material)
{
    tac_body b = tac_body_make(TAC_DYNAMIC, d3_to(at));
    b.mass = (tac_real)mass;
    b.inertia = d3_to(inertia);
    tac_shape s = tac_shape_make((uint16_t)tac_model_add_body(&m, &b), kind, d3_to(size));
    s.material = material;
    tac_model_add_shape(&m, &s);
}

// Materials: ground, plate, balls. All overlap by 2e-5 m at first, as theirs do.
static void build(uint8_t solver, uint8_t friction)
{
    const double p = 2e-5;
    tac_model_init(&m);
    m.options.solver = solver;
    m.options.friction = friction;
    for (int i = 0; i < 3; i++) { tac_model_add_material(&m, (tac_real)0.5, 0); }
    tac_model_add_material_pair(&m, 0, 1, (tac_real)MU_GROUND, 0);
    tac_model_add_material_pair(&m, 1, 2, (tac_real)MU_BALL, 0);
    const tac_shape ground = tac_shape_make(0, TAC_HALF_SPACE, vec(0, 0, 0));
    tac_model_add_shape(&m, &ground);
    add(d3_make(0, 0, 0.5 - p), PLATE, d3_make(4010.0 / 12, 4010.0 / 12, 8000.0 / 12), TAC_BOX, d3_make(10, 10, 0.5),
        1);
    for (int i = 0; i < 25; i++) {
        add(d3_make(2 * (i / 5) - 4, 2 * (i % 5) - 4, 1.5 - 3 * p), 1, d3_make(0.1, 0.1, 0.1), TAC_SPHERE,
            d3_make(0.5, 0, 0), 2);
    }
    begin_world(&m, &state);
}

static double squared(uint16_t body, d3 truth)
{
    const d3 miss = d3_sub(d3_of(state.twist[body].v), truth);
    return d3_dot(miss, miss);
}

// The published figure is that of 4 s: 4000 steps.
static double run(d3 push, int steps, int moves)
{
    const double held = MU_GROUND * (PLATE + BALLS) * G, rest = FORCE - held;
    const double ball = rest / PLATE / (3.5 + BALLS / PLATE), plate = (rest - BALLS * ball) / PLATE;
    double sum = 0.0;
    for (int k = 0; k < steps; k++) {
        const double t = 0.001 * k;
        sum += squared(1, d3_scale(plate * t, push)) + squared(2, d3_scale(ball * t, push));
        if (moves && tac_step(&m, &state, &input, &w) < 0) { tap_ok(0, "step refused"); }
    }
    return sum / steps;
}

// What they print for ODE and DART across, whose plates do not move.
static void test_truth(d3 push)
{
    build(TAC_SOLVER_ACCELERATED, TAC_FRICTION_EXACT);
    tap_near(run(push, 4000, 0), 3.14497, 1e-5, "a plate that never moves gives what they print for one");
}

static void test(const char *name, uint8_t solver, uint8_t friction, d3 push, int steps, double most)
{
    build(solver, friction);
    input.actions = 1;
    input.action[0] = (tac_action){d3_to(d3_scale(FORCE, push)), vec(0, 0, 0), vec(0, 0, 0), 1, TAC_WRENCH_WORLD};
    const double figure = run(push, steps, 1);
    tap_note("error, (m/s)^2", figure);
    tap_most(figure, most, name);
}

int main(void)
{
    const d3 across = {0.5, 0.866025403784439, 0}, along = {0, 1, 0};
    const double exact = TOL(1e-13, 1e-10), lifted = 1e-6; // the relaxed law lifts what slides
    test_truth(across);
    test("accelerated, exact law, across", TAC_SOLVER_ACCELERATED, TAC_FRICTION_EXACT, across, 4000, exact);
    test("accelerated, exact law, along y", TAC_SOLVER_ACCELERATED, TAC_FRICTION_EXACT, along, 4000, exact);
    test("accelerated, relaxed law, across", TAC_SOLVER_ACCELERATED, TAC_FRICTION_RELAXED, across, 4000, lifted);
    test("accelerated, relaxed law, along y, 1 s", TAC_SOLVER_ACCELERATED, TAC_FRICTION_RELAXED, along, 1000, lifted);
    test("plain, exact law, across, 1 s", TAC_SOLVER_PLAIN, TAC_FRICTION_EXACT, across, 1000, exact);
    test("direct, exact law, across, 1 s", TAC_SOLVER_DIRECT, TAC_FRICTION_EXACT, across, 1000, exact);
    return tap_done();
}
