// SPDX-License-Identifier: MIT
// config: large
// variants: gcc-O2-64 gcc-O2-32
// Stacks with fewer sweeps than they need: what the sweeps of a step leave over must not add up over the steps. Ten
// cubes at 10 sweeps and thirty at 50 stand for 10 s and come to rest (S3, S3h, h = 5 ms), built exactly and with cubes
// that are shifted and turned at random.
#include "begin.h"
#include "truth.h"

enum { MOST = 30 };

static tac_model m;
static tac_state state;
static tac_work w;
static d3 place[MOST + 1];

static void build(int cubes, uint16_t sweeps, double shift, double turn)
{
    const tac_vec3 half = vec(0.5, 0.5, 0.5);
    rng r = {20};
    tac_model_init(&m);
    m.h = (tac_real)0.005;
    m.options.max_sweeps = sweeps;
    tac_model_add_material(&m, (tac_real)0.5, 0);
    tac_shape s = tac_shape_make(0, TAC_HALF_SPACE, half);
    tac_model_add_shape(&m, &s);
    for (int i = 0; i < cubes; i++) {
        const double x = rng_range(&r, -shift, shift), y = rng_range(&r, -shift, shift);
        const dq q = dq_about(d3_make(0, 0, 1), rng_range(&r, -turn, turn));
        tac_body b = tac_body_make(TAC_DYNAMIC, vec(x, y, 0.5 + i));
        b.inertia = vec(1.0 / 6, 1.0 / 6, 1.0 / 6);
        b.pose.q = dq_to(q);
        const int32_t index = tac_model_add_body(&m, &b);
        place[index] = d3_make(x, y, 0.5 + i);
        s = tac_shape_make((uint16_t)index, TAC_BOX, half);
        tac_model_add_shape(&m, &s);
    }
    begin_world(&m, &state);
}

// Ten seconds: largest drift of any cube, m; energy of motion at the end, J.
static void test_stack(int cubes, uint16_t sweeps, int askew, double most, double rest)
{
    double drift = 0.0;
    build(cubes, sweeps, askew ? 0.02 : 0.0, askew ? 0.1 : 0.0);
    for (int k = 0; k < 2000; k++) {
        if (tac_step(&m, &state, NULL, &w) < 0) { tap_ok(0, "step refused"); }
        for (int i = 1; i <= cubes; i++) { d_worst(&drift, d3_norm(d3_sub(d3_of(state.pose[i].p), place[i]))); }
    }
    tap_note("drift in 10 s, m", drift);
    tap_note("kinetic energy, J", w.report.kinetic);
    tap_most(drift, most,
             tap_numbered(askew ? "turned cubes hardly drift, sweeps" : "cubes hardly drift, sweeps", sweeps));
    tap_most((double)w.report.kinetic, rest, "and come to rest, J");
}

int main(void)
{
    test_stack(10, 10, 0, 18e-3, 1e-3);
    test_stack(10, 20, 0, 5e-3, 1e-6);
    test_stack(10, 10, 1, 40e-3, 2e-2);
    test_stack(30, 50, 0, 27e-3, 1e-2);
    return tap_done();
}
