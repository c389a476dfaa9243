// SPDX-License-Identifier: MIT
// Both solvers solve the same problem. Under the relaxed law the velocities are unique (NST17): given time, they agree.
// And the answer is one: the complementarity of each law is checked from the contacts alone.
#include "scenes.h"
#include "tap.h"
#include "truth.h"

static tac_model m;
static tac_state state, trial;
static tac_work w, w2;

static void prepare(const char *name, uint8_t friction, uint8_t solver, uint16_t sweeps)
{
    scene_find(name)->build(&m);
    if (scene_find(name) == scene_find("cube_toss")) { m.body[1].pose.p.z = (tac_real)0.08; } // near its first impact
    m.options.friction = friction;
    m.options.solver = solver;
    m.options.max_sweeps = sweeps;
    m.options.tolerance = (tac_real)TOL(1e-14, 1e-7);
    if (tac_model_seal(&m, NULL) != TAC_OK) { tap_ok(0, "scene refused"); }
}

static double velocity_difference(void)
{
    double worst = 0.0;
    for (uint16_t i = 1; i < m.bodies; i++) {
        d_worst(&worst, d3_norm(d3_sub(d3_of(state.twist[i].v), d3_of(trial.twist[i].v))));
    }
    return worst;
}

// From one state of a run, one step with each solver.
static void test_agreement(const char *name, uint8_t solver, uint32_t from, uint32_t every, int times, double tolerance)
{
    const uint16_t sweeps = (uint16_t)RUN(4000, 400);
    double worst = 0.0;
    int contacts = 0;
    prepare(name, TAC_FRICTION_RELAXED, TAC_SOLVER_ACCELERATED, sweeps);
    tac_state_init(&m, &state, NULL);
    for (uint32_t k = 0; k < from; k++) { tac_step(&m, &state, NULL, &w); }
    for (int i = 0; i < times; i++) {
        prepare(name, TAC_FRICTION_RELAXED, solver, sweeps);
        trial = state;
        trial.model_hash = m.hash;
        tac_step(&m, &trial, NULL, &w2);
        prepare(name, TAC_FRICTION_RELAXED, TAC_SOLVER_ACCELERATED, sweeps);
        tac_step(&m, &state, NULL, &w);
        contacts += w.report.contacts;
        d_worst(&worst, velocity_difference());
        for (uint32_t k = 1; k < every; k++) { tac_step(&m, &state, NULL, &w); }
    }
    tap_least(contacts, times, tap_joined("there is contact:", name));
    tap_note(tap_joined("largest difference of velocities, m/s:", name), worst);
    tap_most(worst, tolerance, tap_joined("it agrees with the accelerated one:", name));
}

typedef struct lack {
    double cone, dual, product;
} lack;

// Complementarity of the answer: K contains g, u~ in K*, g.u~ = 0 with u~ = u + b (+ mu |u_T| under the exact law).
static void judge(lack *worst, double recovery)
{
    for (uint16_t i = 0; i < w.report.contacts; i++) {
        const tac_contact *c = &w.contact[i];
        const d3 g = d3_of(c->impulse), u = d3_of(c->velocity);
        const double mu = (double)c->mu, gt = d_sqrt(g.y * g.y + g.z * g.z), ut = d_sqrt(u.y * u.y + u.z * u.z);
        const double bias = d_max((double)c->gap / (double)m.h, -recovery);
        const double n = u.x + bias + (w.report.friction == TAC_FRICTION_EXACT ? mu * ut : 0.0);
        d_worst(&worst->cone, d_max(0.0, gt - mu * g.x));
        d_worst(&worst->dual, d_max(0.0, mu * ut - n));
        d_worst(&worst->product, g.x * n + g.y * u.y + g.z * u.z);
    }
}

static void test_law(const char *name, uint8_t friction, uint8_t solver, uint32_t steps, double tolerance)
{
    lack worst = {0, 0, 0};
    int relaxed = 0, contacts = 0;
    prepare(name, friction, solver, (uint16_t)RUN(2000, 200));
    const double recovery = (double)m.options.recovery;
    tac_state_init(&m, &state, NULL);
    for (uint32_t k = 0; k < steps; k++) {
        const tac_status status = tac_step(&m, &state, NULL, &w);
        relaxed += (status & TAC_RELAXED) != 0;
        contacts += w.report.contacts;
        if (!(status & TAC_RELAXED)) { judge(&worst, recovery); }
    }
    tap_note(tap_joined("relaxed steps:", name), relaxed);
    tap_least(contacts, 10, tap_joined("there is contact:", name));
    tap_most(worst.cone, TOL(1e-12, 1e-5), tap_joined("impulses in their cones:", name));
    tap_most(worst.dual, tolerance, tap_joined("velocities in the dual cones:", name));
    tap_most(worst.product, tolerance, tap_joined("and complementary:", name));
}

#if TAC_MAX_FILL > 0

static void test_all(void)
{
    const uint8_t direct = TAC_SOLVER_DIRECT;
    test_agreement("box_incline", direct, 10, 20, RUN(10, 2), TOL(1e-9, 1e-4));
    test_agreement("cube_toss", direct, 5, 10, RUN(30, 2), TOL(1e-8, 1e-4));
    test_agreement("stack", direct, 2, 10, RUN(5, 1), TOL(1e-7, 1e-3));
    test_law("cube_toss", TAC_FRICTION_EXACT, direct, RUN(400, 60), TOL(1e-8, 1e-4));
    test_law("cube_toss", TAC_FRICTION_RELAXED, direct, RUN(400, 60), TOL(1e-8, 1e-4));
    test_law("box_incline", TAC_FRICTION_EXACT, direct, RUN(200, 20), TOL(1e-8, 1e-4));
    test_law("sphere_slide", TAC_FRICTION_EXACT, direct, RUN(400, 60), TOL(1e-8, 1e-4));
    test_law("stack", TAC_FRICTION_EXACT, direct, RUN(400, 60), TOL(1e-8, 1e-4));
}

#else

static void test_all(void)
{
    test_agreement("box_incline", TAC_SOLVER_PLAIN, 10, 20, RUN(10, 2), TOL(1e-9, 1e-4));
    test_agreement("cube_toss", TAC_SOLVER_PLAIN, 5, 10, RUN(30, 2), TOL(1e-8, 1e-4));
    test_agreement("stack", TAC_SOLVER_PLAIN, 2, 10, RUN(5, 1), TOL(1e-7, 1e-3));
    test_law("cube_toss", TAC_FRICTION_EXACT, TAC_SOLVER_ACCELERATED, RUN(400, 60), TOL(1e-8, 1e-4));
    test_law("cube_toss", TAC_FRICTION_RELAXED, TAC_SOLVER_ACCELERATED, RUN(400, 60), TOL(1e-8, 1e-4));
    test_law("cube_toss", TAC_FRICTION_EXACT, TAC_SOLVER_PLAIN, RUN(400, 60), TOL(1e-8, 1e-4));
    test_law("box_incline", TAC_FRICTION_EXACT, TAC_SOLVER_PLAIN, RUN(200, 20), TOL(1e-8, 1e-4));
    test_law("sphere_slide", TAC_FRICTION_EXACT, TAC_SOLVER_PLAIN, RUN(400, 60), TOL(1e-8, 1e-4));
}

#endif

int main(void)
{
    test_all();
    return tap_done();
}
