// SPDX-License-Identifier: MIT
// config: robots
// Ten cubes on each other (S3, h = 5 ms, at most 50 sweeps): they stand for 60 s; no cube moves more than
// 1 mm. And stacks whose top is 60 or 100 times as heavy as each of the others, with the default solver.
#include "begin.h"
#include "truth.h"

enum { CUBES = 10, TOWER = 6 };

static tac_model m;
static tac_state state;
static tac_work w;

static void build(int cubes, double top)
{
    const tac_vec3 half = vec(0.5, 0.5, 0.5);
    tac_model_init(&m);
    m.h = (tac_real)0.005;
    tac_model_add_material(&m, (tac_real)0.5, 0);
    tac_shape s = tac_shape_make(0, TAC_HALF_SPACE, half);
    tac_model_add_shape(&m, &s);
    for (int i = 0; i < cubes; i++) {
        const double mass = i + 1 < cubes ? 1.0 : top;
        tac_body b = tac_body_make(TAC_DYNAMIC, vec(0, 0, 0.5 + i));
        b.mass = (tac_real)mass;
        b.inertia = vec(mass / 6, mass / 6, mass / 6);
        const int32_t index = tac_model_add_body(&m, &b);
        s = tac_shape_make((uint16_t)index, TAC_BOX, half);
        tac_model_add_shape(&m, &s);
    }
    begin_world(&m, &state);
}

static double drift_of(int cube)
{
    return d3_norm(d3_sub(d3_of(state.pose[cube].p), d3_make(0, 0, cube - 0.5)));
}

static void test_ten(void)
{
    const uint32_t ten_seconds = RUN(2000, 10), all = RUN(12000, 10);
    double early = 0.0, late = 0.0, deepest = 0.0, sweeps = 0.0, fallen = 0.0;
    build(CUBES, 1.0);
    for (uint32_t k = 0; k < all; k++) {
        if (tac_step(&m, &state, NULL, &w) < 0) { tap_ok(0, "step refused"); }
        if (k < ten_seconds) { d_worst(&early, drift_of(CUBES)); }
        for (int i = 1; i <= CUBES; i++) { d_worst(&late, drift_of(i)); }
        d_worst(&deepest, (double)w.report.penetration);
        sweeps += w.report.sweeps;
        fallen += (w.report.status & TAC_RELAXED) != 0;
    }
    tap_note("drift of the top in 10 s, m", early);
    tap_note("largest drift of any cube, m", late);
    tap_note("deepest penetration, m", deepest);
    tap_note("sweeps a step", sweeps / all);
    tap_note("steps under the relaxed law", fallen);
    tap_equal(w.report.contacts, 4 * CUBES, "four contacts a cube");
    tap_most(early, 1e-3, "S3 the top drifts at most 1 mm in 10 s");
    tap_most(late, 1e-3, "S3 no cube drifts further in a minute");
    tap_most(deepest, 1e-4, "S3 and hardly sinks");
    tap_equal(tac_check(&m, &state, &w, NULL), TAC_OK, "S3 all invariants hold at the end");
}

// Cubes of 1 m and 1 kg, the top one heavier, for a minute. Sweeps end at their bound of 50 in nearly all steps.
static void test_heavy_top(int cubes, double ratio, double most)
{
    const uint32_t steps = RUN(12000, 10);
    double drift = 0.0, deepest = 0.0;
    build(cubes, ratio);
    for (uint32_t k = 0; k < steps; k++) {
        if (tac_step(&m, &state, NULL, &w) < 0) { tap_ok(0, "step refused"); }
        for (int i = 1; i <= cubes; i++) { d_worst(&drift, drift_of(i)); }
        d_worst(&deepest, (double)w.report.penetration);
    }
    tap_most(drift, most,
             tap_numbered(cubes == 2 ? "two cubes stand under a top so many times as heavy, m"
                                     : "six cubes stand under a top so many times as heavy, m",
                          ratio));
    tap_most(deepest, 2e-4, "and hardly sink, m");
}

int main(void)
{
    test_ten();
    test_heavy_top(2, 60.0, 5e-5);
    test_heavy_top(2, 100.0, 5e-5);
    test_heavy_top(TOWER, 60.0, 2e-3);
    test_heavy_top(TOWER, 100.0, 3e-3);
    return tap_done();
}
