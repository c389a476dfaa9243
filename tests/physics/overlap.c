// SPDX-License-Identifier: MIT
// An overlap at rest: positions take it back without any velocity (the default), or the papers' stabilisation pushes it
// out with a velocity that stays, at most `recovery` (TCE17 footnote 5), or it remains.
#include "begin.h"
#include "scenes.h"
#include "truth.h"

static tac_model m;
static tac_state state;
static tac_work w;

enum { CUBES = 3 };

static const double DEPTH = 0.004, H = 1e-3;

// Cubes of 0.2 m on the ground, each DEPTH into what it rests on.
static void build(double projection, double recovery, double gravity)
{
    tac_model_init(&m);
    m.h = (tac_real)H;
    m.gravity = vec(0, 0, -gravity);
    m.options.projection = (tac_real)projection;
    m.options.recovery = (tac_real)recovery;
    tac_model_add_material(&m, (tac_real)0.5, 0);
    tac_shape s = tac_shape_make(0, TAC_HALF_SPACE, vec(0, 0, 0));
    tac_model_add_shape(&m, &s);
    for (int i = 0; i < CUBES; i++) {
        tac_body b = tac_body_make(TAC_DYNAMIC, vec(0, 0, 0.1 - DEPTH + i * (0.2 - DEPTH)));
        b.inertia = vec(0.04 / 6, 0.04 / 6, 0.04 / 6);
        s = tac_shape_make((uint16_t)tac_model_add_body(&m, &b), TAC_BOX, vec(0.1, 0.1, 0.1));
        tac_model_add_shape(&m, &s);
    }
    begin_world(&m, &state);
}

static double deepest(void)
{
    double worst = (double)state.pose[1].p.z - 0.1;
    for (int i = 2; i <= CUBES; i++) {
        worst = d_min(worst, (double)state.pose[i].p.z - (double)state.pose[i - 1].p.z - 0.2);
    }
    return -worst;
}

static double fastest(void)
{
    double v = 0.0;
    for (int i = 1; i <= CUBES; i++) {
        v = d_max(v, d3_norm(d3_of(state.twist[i].v)));
        v = d_max(v, d3_norm(d3_of(state.twist[i].w)));
    }
    return v;
}

// A tenth of the overlap in each step, whatever pulls; nothing moves afterwards.
static void test_projection(double gravity, const char *name)
{
    double speed = 0.0, slowest = 0.0, overtaken = 0.0, before = DEPTH;
    build(0.1, 0, gravity);
    for (int i = 0; i < 100; i++) {
        tac_step(&m, &state, NULL, &w);
        speed = d_max(speed, fastest());
        slowest = d_max(slowest, deepest() / before);
        overtaken = d_max(overtaken, 0.85 * before - deepest());
        before = d_max(deepest(), 1e-6);
    }
    tap_most(speed, gravity > 0.0 ? 2e-5 : TOL(1e-12, 1e-9),
             tap_joined("no velocity but the noise of the solve:", name));
    tap_most(slowest, 1.001, tap_joined("no overlap grows:", name));
    tap_most(overtaken, 1e-6, tap_joined("not faster than its part:", name));
    tap_most(deepest(), TOL(1e-6, 3e-6), tap_joined("after 100 steps little is left:", name));
    tap_least(deepest(), -1e-7, tap_joined("and no gap is made:", name));
}

// The bottom cube leaves its overlap with the ground at the clamped speed; the velocity is real.
static void test_recovery(void)
{
    build(0, 0.05, 0);
    tac_step(&m, &state, NULL, &w);
    tap_near((double)state.twist[1].v.z, 0.05, 1e-5, "the lowest cube leaves at the recovery speed");
    tap_near((double)state.twist[2].v.z, 0.10, 1e-5, "the next at twice that");
    build(0, 1e6, 0);
    tac_step(&m, &state, NULL, &w);
    tap_near((double)state.twist[1].v.z, DEPTH / H, 1e-3, "without a clamp within one step");
}

static void test_neither(void)
{
    build(0, 0, 9.81);
    for (int i = 0; i < 100; i++) { tac_step(&m, &state, NULL, &w); }
    tap_near(deepest(), DEPTH, TOL(1e-8, 1e-6), "neither: the overlap remains");
    tap_most(fastest(), TOL(1e-9, 1e-6), "and nothing moves");
}

// Nothing has to be done about it, but it is there.
static void test_opening(void)
{
    scene_find("sphere_slide")->build(&m);
    m.body[1].pose.p.z = (tac_real)0.99;
    m.body[1].velocity.v = vec(0, 0, 50);
    begin_world(&m, &state);
    tac_step(&m, &state, NULL, &w);
    tap_equal(w.report.contacts, 1, "an overlap that opens by itself is a contact");
    tap_equal(w.contact[0].mode, TAC_OPEN, "an open one");
    tap_near(w.report.penetration, 0.01, 1e-6, "and is reported");
    tap_near(state.twist[1].v.z, 50.0 - 9.81 * (double)m.h, TOL(1e-12, 1e-5), "it leaves as it would have");
}

int main(void)
{
    test_projection(0.0, "weightless");
    test_projection(9.81, "under gravity");
    test_recovery();
    test_neither();
    test_opening();
    return tap_done();
}
