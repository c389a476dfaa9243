// SPDX-License-Identifier: MIT
// config: -DTAC_SHARED_LOADS=1
// variants: gcc-O2-32 gcc-O2-64
// Loads of redundant contacts, which least norm makes unique: bodies that have landed on an edge stand and slide evenly
// by every engine, under both laws; a plate that slides bears more in front by the height of its friction; feet and
// floors of several shapes count as one pair of bodies.
#include "begin.h"
#include "bodies.h"
#include "truth.h"

static const double G = 9.81, MU = 0.5, DENSITY = 1000;

static tac_model m;
static tac_state state;
static tac_work w;
static const uint8_t SOLVER[3] = {TAC_SOLVER_PLAIN, TAC_SOLVER_ACCELERATED, TAC_SOLVER_DIRECT};
static const char *const NAME[3] = {"plain", "accelerated", "direct"};

static void begin_scene(uint8_t solver, double h, int tiles)
{
    tac_model_init(&m);
    m.h = (tac_real)h;
    m.options.solver = solver;
    m.options.max_sweeps = 200;
    tac_model_add_material(&m, (tac_real)MU, 0);
    if (!tiles) {
        const tac_shape plane = tac_shape_make(0, TAC_HALF_SPACE, vec(0, 0, 0));
        tac_model_add_shape(&m, &plane);
        return;
    }
    for (int i = 0; i < 2; i++) {
        tac_shape tile = tac_shape_make(0, TAC_BOX, vec(5, 5, 0.5));
        tile.pose.p = vec(i == 0 ? -5 : 5, 0, -0.5);
        tac_model_add_shape(&m, &tile);
    }
}

static tac_body *box(d3 at, d3 half)
{
    return add_box_by_density(&m, at, half, DENSITY);
}

static void steps(int count)
{
    begin_world(&m, &state);
    for (int i = 0; i < count; i++) {
        if (tac_step(&m, &state, NULL, &w) < 0) {
            tap_ok(0, "step refused");
            return;
        }
    }
}

// The largest difference of the normal forces from those expected at the ends x < 0 and x > 0 of a body, relative.
static double uneven(double rear, double front)
{
    double worst = 0;
    for (int i = 0; i < w.report.contacts; i++) {
        const tac_contact *c = &w.contact[i];
        const double expected = c->point.x < state.pose[c->body_b].p.x ? rear : front;
        d_worst(&worst, (double)c->impulse.x / (expected * (double)m.h) - 1);
    }
    return worst;
}

// A cube and a cube on four feet, on one floor and on two tiles, that have landed on an edge.
static void test_stands(int solver, uint8_t law, int tiles)
{
    begin_scene(SOLVER[solver], 2e-3, tiles);
    m.options.friction = law;
    tac_body *b = box(d3_make(0, 0, 0.9), d3_make(0.5, 0.5, 0.5));
    b->pose.q = dq_to(dq_about(d3_make(1, 0.3, 0), 0.3));
    if (tiles) {
        for (int i = 0; i < 4; i++) {
            tac_shape foot = tac_shape_make(1, TAC_SPHERE, vec(0.1, 0, 0));
            foot.pose.p = vec(i & 1 ? 0.4 : -0.4, i & 2 ? 0.4 : -0.4, -0.5);
            tac_model_add_shape(&m, &foot);
        }
    }
    const double mass = (double)b->mass;
    steps(2500);
    const double worst = uneven(0.25 * mass * G, 0.25 * mass * G);
    tap_note(NAME[solver], worst);
    tap_equal(w.report.contacts, 4, tap_joined("four contacts:", NAME[solver]));
    tap_most(worst, TOL(1e-7, 2e-5),
             tap_joined(tiles ? "feet bear the same on two tiles:" : "corners bear the same:", NAME[solver]));
}

// A plate that has landed on an edge slides along x.
static void test_slides(int solver, double half, const char *name)
{
    begin_scene(SOLVER[solver], 1e-3, 0);
    tac_body *b = box(d3_make(0, 0, 0.06), d3_make(0.25, 0.25, half));
    b->mass = 1;
    b->inertia = vec((0.0625 + half * half) / 3, (0.0625 + half * half) / 3, 0.125 / 3);
    b->pose.q = dq_to(dq_about(d3_make(0, 1, 0), 0.1));
    b->velocity.v = vec(20, 0, 0);
    steps(1000);
    const double even = 0.25 * G, more = MU * G * 2 * half / (4 * 0.5);
    const double worst = uneven(even - more, even + more);
    tap_note(name, worst);
    for (int i = 0; i < w.report.contacts; i++) { tap_note("n", (double)w.contact[i].impulse.x / (double)m.h); }
    tap_note("v", (double)state.twist[1].v.x);
    tap_equal(w.report.contacts, 4, tap_joined("four contacts:", name));
    tap_most(worst, 1e-2, tap_joined(name, NAME[solver]));
}

int main(void)
{
    for (int i = 0; i < 3; i++) {
        test_stands(i, TAC_FRICTION_EXACT, 0);
        test_stands(i, TAC_FRICTION_RELAXED, 0);
        test_stands(i, TAC_FRICTION_EXACT, 1);
        test_slides(i, 1e-3, "thin plate");
        test_slides(i, 0.05, "thick plate");
    }
    return tap_done();
}
