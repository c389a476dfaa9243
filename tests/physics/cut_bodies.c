// SPDX-License-Identifier: MIT
// Heaps of free bodies whose steps are cut after no sweep or after a few, by every solver: they come to rest badly, they
// do not fall through the floor or each other, no energy is made, and report.sweeps replays each step to the bit. A
// budget that has no time for a step of Newton's method leaves the default solver no sweep at all.
#include "begin.h"
#include "bodies.h"
#include "tap.h"

enum { WORLDS = RUN(24, 3), BODIES = 6, STEPS = 1000 };

static tac_model m;
static tac_state s, copy;
static tac_work w;

// Columns of boxes and balls of one size, of masses up to `ratio` : 1, a little above each other.
static void heap(uint64_t seed, double ratio, uint8_t solver)
{
    rng r = {seed};
    double top[2] = {0, 0};
    tac_model_init(&m);
    m.options.solver = solver;
    tac_model_add_material(&m, (tac_real)rng_range(&r, 0.2, 0.9), 0);
    add_floor(&m);
    for (int i = 0; i < BODIES; i++) {
        const int column = (int)rng_below(&r, 2), box = rng_below(&r, 4) > 0;
        const double mass = octave_range(&r, 1, ratio + 1), inertia = 0.4 * mass * 0.01;
        const d3 at = {column + rng_range(&r, -0.02, 0.02), rng_range(&r, -0.02, 0.02), top[column] + 0.101};
        top[column] += 0.202;
        const uint16_t body = add_body(&m, at, mass, (d3){inertia, inertia, inertia});
        const tac_shape shape = tac_shape_make(body, box ? TAC_BOX : TAC_SPHERE, vec(0.1, 0.1, 0.1));
        tac_model_add_shape(&m, &shape);
    }
    begin_world(&m, &s);
}

static tac_status cut_step(tac_state *at, uint32_t sweeps)
{
    tac_status status = tac_step_begin(&m, at, NULL, &w);
    if (status >= 0 && sweeps > 0) { status = tac_step_sweep(&m, &w, sweeps); }
    return status < 0 ? status : tac_step_end(&m, at, &w);
}

// Kinetic energy of the bodies if contacts bore nothing in this step.
static double kinetic_free(void)
{
    double sum = 0;
    for (int i = 1; i <= BODIES; i++) {
        const d3 v = d3_add(d3_of(s.twist[i].v), d3_scale((double)m.h, d3_of(m.gravity))), turn = d3_of(s.twist[i].w);
        sum += 0.5 * (double)m.body[i].mass * d3_dot(v, v) + 0.5 * (double)m.body[i].inertia.x * d3_dot(turn, turn);
    }
    return sum;
}

static void test_cut(const char *name, uint8_t solver, uint32_t sweeps)
{
    double deepest = 0, rise = -1;
    int refused = 0, differ = 0;
    uint32_t seed_at = 0;
    for (uint64_t seed = 1; seed <= WORLDS; seed++) {
        heap(seed, seed % 2 ? 10 : 1, solver);
        for (int i = 0; i < STEPS; i++) {
            const double free = kinetic_free();
            copy = s;
            refused += cut_step(&s, sweeps) < 0;
            for (int b = 1; b <= BODIES; b++) {
                const double depth = 0.1 - (double)s.pose[b].p.z;
                if (!(depth <= deepest)) { deepest = depth, seed_at = (uint32_t)seed; }
            }
            rise = d_max(rise, ((double)w.report.kinetic - free) / free);
            if (i % 50 != 0) { continue; }
            refused += cut_step(&copy, w.report.sweeps) < 0;
            differ += tac_state_hash(&m, &copy) != tac_state_hash(&m, &s);
        }
    }
    tap_equal(refused, 0, tap_numbered(tap_joined(name, ", sweeps:"), sweeps));
    tap_equal(differ, 0, "replayed to the bit");
    tap_most(deepest, 0.08, tap_numbered("no body falls through, m; seed", seed_at));
    tap_most(rise, TOL(1e-12, 1e-5), "energy that contacts have made, of the kinetic energy");
}

int main(void)
{
    static const char *const NAME[] = {"accelerated", "plain", "direct", "auto"};
    static const uint8_t SOLVER[] = {TAC_SOLVER_ACCELERATED, TAC_SOLVER_PLAIN, TAC_SOLVER_DIRECT, TAC_SOLVER_AUTO};
    for (int i = 0; i < 4; i++) {
        test_cut(NAME[i], SOLVER[i], 0);
        test_cut(NAME[i], SOLVER[i], 1);
    }
    test_cut("auto", TAC_SOLVER_AUTO, 3);
    return tap_done();
}
