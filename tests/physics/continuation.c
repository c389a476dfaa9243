// SPDX-License-Identifier: MIT
// config: robots
// variants: gcc-O2-32 gcc-O2-64 clang-O0-32 san-Og-64
// Newton's method on W of the trees, under either law: a rover on six wheels that share its load. Sweeps are too slow for
// most of its steps. The certificate makes velocities anew from the impulses, with the rows of all joints.
#include "robots.h"
#include "tap.h"

enum { STEPS = RUN(4000, 400), LEAST = RUN(500, 0) }; // the first steps need few sweeps

static tac_model m;
static tac_state state;
static tac_work w;
static tac_input input;

typedef struct tally {
    int refused, other_law, unsolved; // steps
    int newton, slide;                // steps that Newton's method on trees has solved; contacts that slide in them
    double map, signorini, dissipation, sets;
} tally;

static void note(double *worst, tac_real x)
{
    if (!((double)x <= *worst)) { *worst = (double)x; }
}

// Has Newton's method on trees found the answer of the last step?
static int found_by_newton(void)
{
    const tac_stage *last = &w.report.stage[w.report.stages - 1];
    return w.report.status == TAC_OK && last->engine == TAC_SOLVER_DIRECT && last->op == TAC_OPERATOR_TREES &&
           last->sweeps > 0;
}

static void look(uint8_t law, tally *t)
{
    tac_certificate c;
    t->unsolved += (w.report.status & TAC_UNCONVERGED) != 0;
    t->other_law += w.report.friction != law;
    if (!found_by_newton()) { return; }
    t->refused += tac_certify(&m, &w, &c) != TAC_OK;
    t->newton++;
    t->slide += c.slide;
    note(&t->map, c.r_natmap);
    note(&t->signorini, c.signorini);
    note(&t->dissipation, c.dissipation);
    note(&t->sets, c.r_ncp_primal);
    note(&t->sets, c.r_ncp_dual);
}

static void test_rover(uint8_t law, const char *name)
{
    const scene *rover = robot_find("rover");
    tally t = {0};
    tac_status status = rover->build(&m);
    m.options.friction = law;
    if (status == TAC_OK) { status = tac_model_seal(&m, NULL); }
    if (status == TAC_OK) { status = tac_state_init(&m, &state, NULL); }
    tap_ok(status == TAC_OK, tap_joined("the rover is built,", name));
    for (uint32_t k = 0; k < STEPS; k++) {
        rover->drive(&m, k, &input);
        t.refused += tac_step(&m, &state, &input, &w) < 0;
        look(law, &t);
    }
    tap_equal(t.refused, 0, tap_joined("no step is refused,", name));
    tap_equal(t.other_law, 0, tap_joined("each answer is under the law that was asked for,", name));
    tap_least(t.newton, LEAST, tap_joined("steps that Newton's method solves,", name));
    tap_least(t.slide, LEAST, tap_joined("contacts that slide in them,", name));
    tap_most(t.unsolved, STEPS / 100.0, tap_joined("steps that are not solved,", name));
    tap_most(t.map, TOL(1e-8, 2e-6), tap_joined("their residual, by other arithmetic,", name));
    tap_most(t.signorini, TOL(2e-9, 1e-6), tap_joined("contacts press or part, as the law says,", name));
    tap_most(t.dissipation, TOL(2e-9, 1e-6), tap_joined("friction takes all the power that it can,", name));
    tap_most(t.sets, TOL(2e-9, 2e-6), tap_joined("impulses and velocities are in their sets,", name));
}

int main(void)
{
    test_rover(TAC_FRICTION_EXACT, "exact law");
    test_rover(TAC_FRICTION_RELAXED, "relaxed law");
    return tap_done();
}
