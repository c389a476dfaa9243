// SPDX-License-Identifier: MIT
// config: room
// variants: clang-O0-32 san-Og-64
// Joints need no room in TAC_MAX_FILL: a door, a chain and a loop hold, whichever solver is asked for.
#include "begin.h"
#include "truth.h"

static tac_model m;
static tac_state s;
static tac_work w;

// Level links of 1 kg, 0.5 m, hinged at their ends, let go.
static tac_status swing(int links, uint8_t solver, double *apart)
{
    tac_status said = 0;
    tac_model_init(&m);
    m.options.solver = solver;
    for (uint16_t i = 0; i < links; i++) {
        tac_body b = tac_body_make(TAC_DYNAMIC, vec(0.5 * i + 0.25, 0, 0));
        tac_joint j;
        b.inertia = vec(0.002, 0.022, 0.022);
        tac_model_add_body(&m, &b);
        tac_joint_init(&j, TAC_REVOLUTE, i, (uint16_t)(i + 1));
        j.frame_a = (tac_pose){vec(i > 0 ? 0.25 : 0, 0, 0), dq_to(dq_about(d3_make(1, 0, 0), -TRUTH_PI / 2))};
        j.frame_b = (tac_pose){vec(-0.25, 0, 0), j.frame_a.q};
        tac_model_add_joint(&m, &j);
    }
    begin_world(&m, &s);
    for (int i = 0; i < 1000; i++) {
        const tac_status status = tac_step(&m, &s, NULL, &w);
        if (status < 0) { return status; }
        said |= status;
        d_worst(apart, (double)w.report.joint_error);
    }
    return tac_check(&m, &s, &w, NULL) == TAC_OK ? said : TAC_E_NAN;
}

// Four links of 1 kg that close a square lie 20 mm deep in the floor: they are lifted, and joints stay where they are.
static void test_sunk(void)
{
    double apart = 0;
    tac_model_init(&m);
    m.options.solver = TAC_SOLVER_ACCELERATED;
    tac_model_add_material(&m, (tac_real)0.5, 0);
    const tac_shape floor_ = tac_shape_make(0, TAC_HALF_SPACE, vec(0, 0, 0));
    tac_model_add_shape(&m, &floor_);
    for (int i = 0; i < 4; i++) {
        const d3 side = d3_make(i == 1 ? 0.25 : i == 3 ? -0.25 : 0, i == 0 ? -0.25 : i == 2 ? 0.25 : 0, 0);
        tac_body b = tac_body_make(TAC_DYNAMIC, d3_to(d3_add(side, d3_make(0, 0, 0.03))));
        b.inertia = vec(0.01, 0.01, 0.01);
        tac_model_add_body(&m, &b);
    }
    const tac_shape ball = tac_shape_make(1, TAC_SPHERE, vec(0.05, 0, 0));
    tac_model_add_shape(&m, &ball);
    for (uint16_t i = 0; i < 4; i++) {
        tac_joint j;
        const uint16_t a = (uint16_t)(i + 1), b = (uint16_t)((i + 1) % 4 + 1);
        tac_joint_init(&j, TAC_SPHERICAL, a, b);
        const d3 corner = d3_make(i == 0 || i == 1 ? 0.25 : -0.25, i == 1 || i == 2 ? 0.25 : -0.25, 0.03);
        j.frame_a.p = d3_to(d3_sub(corner, d3_of(m.body[a].pose.p)));
        j.frame_b.p = d3_to(d3_sub(corner, d3_of(m.body[b].pose.p)));
        tac_model_add_joint(&m, &j);
    }
    m.gravity = vec(0, 0, 0);
    begin_world(&m, &s);
    for (int i = 0; i < 200; i++) {
        if (tac_step(&m, &s, NULL, &w) < 0) { tap_ok(0, "a step is refused"); }
        d_worst(&apart, (double)w.report.joint_error);
    }
    tap_most(w.report.penetration, 1e-3, "a loop that lies in the floor is lifted out of it, m");
    tap_most(apart, 1e-3, "its joints together, m");
}

int main(void)
{
    test_sunk();
    static const char *const name[] = {"accelerated", "plain", "direct", "auto"};
    for (uint8_t solver = 0; solver < 4; solver++) {
        double door = 0, chain = 0;
        const tac_status one = swing(1, solver, &door), six = swing(6, solver, &chain);
        tap_ok(one >= 0 && !(one & TAC_SWEPT), tap_joined("a door swings:", name[solver]));
        tap_most(door, TOL(1e-8, 2e-6), "and stays on its hinge, m");
        tap_ok(six >= 0 && !(six & TAC_SWEPT), "six links swing");
        tap_most(chain, TOL(1e-8, 2e-6), "and hang together, m");
        tap_note("door, m", door);
        tap_note("chain, m", chain);
    }
    return tap_done();
}
