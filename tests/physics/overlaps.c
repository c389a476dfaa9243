// SPDX-License-Identifier: MIT
// config: all
// variants: gcc-O2-32 gcc-O2-64
// Bodies that overlap at the start, between walls and each other, under every stepper with contacts: an overlap is no
// store of energy. No step gains any, and the projection moves apart what has room.
#include "begin.h"
#include "bodies.h"

static tac_model m;
static tac_state s;
static tac_work w;
static tac_lcp lcp;
static tac_ncp ncp;

enum { CONES, LCP, SWEEPS, IMPLICIT, STEPPERS };
static const char *const NAME[STEPPERS] = {"the cone program", "T03", "T03 by sweeps", "CBAT07"};

static tac_status step(int stepper)
{
    lcp.method = stepper == SWEEPS ? TAC_LCP_SWEEPS : TAC_LCP_LEMKE;
    if (stepper == CONES) { return tac_step(&m, &s, NULL, &w); }
    return stepper == IMPLICIT ? tac_step_implicit(&m, &s, NULL, &w, &ncp) : tac_step_lcp(&m, &s, NULL, &w, &lcp);
}

// Bodies of a size in a space of twice that, some of them in a corner of two or three walls. `still`: at rest.
static void heap(rng *r, int still)
{
    static const uint8_t kind[5] = {TAC_SPHERE, TAC_BOX, TAC_CAPSULE, TAC_CYLINDER, TAC_ELLIPSOID};
    const int bodies = 1 + (int)rng_below(r, 4), walls = 1 + (int)rng_below(r, 3);
    tac_model_init(&m);
    tac_lcp_init(&lcp);
    tac_ncp_init(&ncp);
    lcp.directions = 4;
    m.h = (tac_real)rng_range(r, 0.0005, 0.01);
    m.gravity = vec(0, 0, 0);
    tac_model_add_material(&m, (tac_real)rng_range(r, 0, 1), 0);
    for (int i = 0; i < walls; i++) {
        tac_shape wall = tac_shape_make(0, TAC_HALF_SPACE, vec(0, 0, 0));
        wall.pose.q = dq_to(rng_quat(r));
        wall.pose.p = d3_to(rng_box(r, 0.1));
        tac_model_add_shape(&m, &wall);
    }
    for (int i = 0; i < bodies; i++) {
        const double mass = rng_range(r, 0.5, 2), moment = 0.01 * mass;
        const uint16_t b = add_body(&m, rng_box(r, 0.15), mass, d3_make(moment, moment, moment));
        const d3 size = d3_make(rng_range(r, 0.05, 0.2), rng_range(r, 0.05, 0.2), rng_range(r, 0.05, 0.2));
        const tac_shape shape = tac_shape_make(b, kind[rng_below(r, 5)], d3_to(size));
        m.body[b].pose.q = dq_to(rng_quat(r));
        if (!still) { m.body[b].velocity = (tac_twist){d3_to(rng_box(r, 1)), d3_to(rng_box(r, 3))}; }
        tac_model_add_shape(&m, &shape);
    }
    begin_world(&m, &s);
}

static double kinetic(void)
{
    double sum = 0;
    for (uint16_t b = 1; b < m.bodies; b++) {
        const d3 v = d3_of(s.twist[b].v), spin = d3_of(s.twist[b].w);
        sum += 0.5 * (double)m.body[b].mass * d3_dot(v, v) + 0.5 * (double)m.body[b].inertia.x * d3_dot(spin, spin);
    }
    return sum;
}

static double deepest(void)
{
    double depth = 0;
    for (uint32_t i = 0; i < w.report.contacts; i++) { d_worst(&depth, d_max(-(double)w.contact[i].gap, 0)); }
    return depth;
}

// What 20 steps have found: the largest rise of the kinetic energy in one, of that at the start or 1 J.
typedef struct found {
    double rise, solved; // of steps that are called solved, of that before the step or 1 uJ
    int steps, full, unsolved, deep;
} found;

static void run(int stepper, found *of)
{
    const double start = kinetic();
    double before = start;
    for (int i = 0; i < 20; i++) {
        const tac_status status = step(stepper);
        of->full += status == TAC_E_FULL;
        if (status == TAC_E_FULL) { return; }
        if (status < 0) { tap_ok(0, "a step is refused"); }
        of->deep += i == 0 && deepest() > 0.02;
        of->steps++;
        of->unsolved += (status & TAC_UNCONVERGED) != 0;
        const double after = kinetic();
        d_worst(&of->rise, d_max(after - before, 0) / d_max(start, 1));
        if (status == TAC_OK) { d_worst(&of->solved, d_max(after - before, 0) / d_max(before, 1e-6)); }
        before = after;
    }
}

static void test_energy(int stepper, int still, double most)
{
    enum { WORLDS = RUN(40, 8) };
    found of = {0};
    for (uint64_t seed = 1; seed <= WORLDS; seed++) {
        rng r = {seed};
        heap(&r, still);
        run(stepper, &of);
    }
    tap_most(of.rise, most, NAME[stepper]);
    tap_most(of.full, WORLDS / 4, "most worlds have room");
    tap_most(0.7 * WORLDS, of.deep, "most overlap by more than 20 mm");
    tap_note("rise of the kinetic energy, of that at the start or 1 J", of.rise);
    tap_note("steps", of.steps);
    tap_note("unsolved", of.unsolved);
}

// The problem of CBAT07 may have solutions that make energy, and a guess of few sweeps leads there: they are refused.
static void test_guesses(void)
{
    enum { WORLDS = RUN(100, 10) };
    found of = {0};
    for (uint64_t seed = 1; seed <= WORLDS; seed++) {
        rng r = {seed};
        heap(&r, 0);
        m.options.solver = TAC_SOLVER_PLAIN;
        m.options.max_sweeps = seed % 2 ? 1 : 5;
        begin_world(&m, &s);
        run(IMPLICIT, &of);
    }
    tap_most(of.solved, 0.011, "no solution of CBAT07 makes energy, whatever its guess");
    tap_least(of.steps - of.unsolved, of.steps / 2, "and most steps have one");
}

// Where there is room a tenth of the overlap goes in each step, without a velocity, or as fast as options.recovery
// says. CBAT07 has no projection: what rests in an overlap stays there.
static void test_room(int stepper, double recovery)
{
    tac_model_init(&m);
    tac_lcp_init(&lcp);
    tac_ncp_init(&ncp);
    m.h = (tac_real)0.001;
    m.gravity = vec(0, 0, 0);
    m.options.recovery = (tac_real)recovery;
    tac_model_add_material(&m, 1, 0);
    add_floor(&m);
    const uint16_t b = add_body(&m, d3_make(0, 0, 0.19), 1, d3_make(0.016, 0.016, 0.016));
    const tac_shape ball = tac_shape_make(b, TAC_SPHERE, vec(0.2, 0, 0));
    tac_model_add_shape(&m, &ball);
    begin_world(&m, &s);
    double depth = 0.01;
    for (int i = 0; i < 5; i++) {
        step(stepper);
        depth = (stepper == IMPLICIT ? 1.0 : 0.9) * (depth - 0.001 * recovery);
    }
    tap_near(s.pose[b].p.z, 0.2 - depth, TOL(1e-9, 1e-6), NAME[stepper]);
    tap_near(s.twist[b].v.z, recovery, TOL(1e-9, 1e-5), "as fast as asked");
}

int main(void)
{
    static const double most[STEPPERS] = {1e-3, TOL(1e-12, 1e-4), TOL(1e-9, 1e-5), 1e-3};
    for (int stepper = 0; stepper < STEPPERS; stepper++) {
        test_energy(stepper, 1, TOL(1e-12, 1e-6));
        test_energy(stepper, 0, most[stepper]);
        test_room(stepper, 0);
        test_room(stepper, 0.5);
    }
    test_guesses();
    return tap_done();
}
