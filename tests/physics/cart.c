// SPDX-License-Identifier: MIT
// config: all
// variants: gcc-O2-32 gcc-O2-64
// A cart on four balls as wheels, by every solver: it coasts; where the balls resist rolling it slows down by
//      a = rolling g/r / (1 + 4 I/(M r^2)),
// comes to rest and stays. Its joints are trees, and with resistance joints that need the matrix.
#include "begin.h"
#include "truth.h"

static const double G = 9.81, RADIUS = 0.1, WHEEL = 0.5, CHASSIS = 5;

static tac_model m;
static tac_state s;
static tac_work w;

static void add_wheel(double x, double y)
{
    tac_body body = tac_body_make(TAC_DYNAMIC, vec(x, y, RADIUS));
    const double spin = 0.4 * WHEEL * RADIUS * RADIUS;
    tac_joint j;
    body.mass = (tac_real)WHEEL;
    body.inertia = vec(spin, spin, spin);
    const uint16_t self = (uint16_t)tac_model_add_body(&m, &body);
    const tac_shape ball = tac_shape_make(self, TAC_SPHERE, vec(RADIUS, 0, 0));
    tac_model_add_shape(&m, &ball);
    tac_joint_init(&j, TAC_REVOLUTE, 1, self);
    j.frame_a = (tac_pose){vec(x, y, -RADIUS), dq_to(dq_about(d3_make(1, 0, 0), -0.5 * TRUTH_PI))}; // z along y
    j.frame_b.q = j.frame_a.q;
    tac_model_add_joint(&m, &j);
}

static void begin(uint8_t solver, double rolling, double speed)
{
    tac_model_init(&m);
    m.gravity = vec(0, 0, -G);
    m.options.solver = solver;
    m.options.max_sweeps = 200;
    tac_model_add_material(&m, (tac_real)0.8, 0);
    m.material[0].rolling = (tac_real)rolling;
    const tac_shape plane = tac_shape_make(0, TAC_HALF_SPACE, vec(0, 0, 0));
    tac_model_add_shape(&m, &plane);
    tac_body chassis = tac_body_make(TAC_DYNAMIC, vec(0, 0, 2 * RADIUS));
    chassis.mass = (tac_real)CHASSIS;
    chassis.inertia = vec(0.1, 0.2, 0.25);
    tac_model_add_body(&m, &chassis);
    for (int i = 0; i < 4; i++) { add_wheel(i % 2 ? 0.3 : -0.3, i / 2 ? 0.2 : -0.2); }
    for (uint16_t i = 1; i < m.bodies; i++) {
        m.body[i].velocity = (tac_twist){vec(speed, 0, 0), vec(0, i > 1 ? speed / RADIUS : 0, 0)};
    }
    begin_world(&m, &s);
}

static void run(double seconds)
{
    for (int i = 0; i < (int)(seconds / (double)m.h + 0.5); i++) {
        if (tac_step(&m, &s, NULL, &w) < 0) { tap_ok(0, "a step is refused"); }
    }
}

// W has no rows that resist rolling: contacts are swept one by one through the trees, and the report says so.
static void test_stages(void)
{
    begin(TAC_SOLVER_ACCELERATED, 0, 1);
    run(0.01);
    tap_equal(w.report.stage[0].why, TAC_STAGE_TREES, "without resistance the cart is a tree");
    begin(TAC_SOLVER_ACCELERATED, 1e-3, 1);
    run(0.01);
    tap_equal(w.report.stage[0].why, TAC_STAGE_TREES, "with it, it is one too");
    tap_equal(w.report.stage[0].op, TAC_OPERATOR_BODIES, "whose contacts are swept one by one");
}

static void test_cart(const char *name, uint8_t solver, double good)
{
    const double mass = CHASSIS + 4 * WHEEL, rolling = 1e-3;
    const double slower = rolling * G / RADIUS / (1 + 4 * 0.4 * WHEEL / mass);
    begin(solver, 0, 1);
    run(1);
    tap_near((double)s.twist[1].v.x, 1, good, tap_joined("without resistance it coasts, m/s:", name));
    begin(solver, rolling, 1);
    run(2);
    tap_near((1 - (double)s.twist[1].v.x) / 2 / slower, 1, d_max(5e-4, 20 * good),
             "with it, it slows down as it should");
    tap_most(d_abs((double)s.twist[1].v.y), 20 * good, "and keeps straight on, m/s");
    begin(solver, rolling, 0.1);
    run(2);
    const double there = (double)s.pose[1].p.x;
    tap_near(there, 0.5 * 0.01 / slower, 2e-3 + 20 * good, "it comes to rest where it should, m");
    run(2);
    tap_near((double)s.pose[1].p.x, there, d_max(1e-9, good), "and stays, m");
}

int main(void)
{
    test_cart("accelerated", TAC_SOLVER_ACCELERATED, TOL(1e-6, 1e-4));
    test_cart("direct", TAC_SOLVER_DIRECT, TOL(1e-6, 1e-4));
    test_cart("auto", TAC_SOLVER_AUTO, TOL(1e-6, 1e-4));
    test_cart("plain", TAC_SOLVER_PLAIN, TOL(3e-3, 3e-3));
    test_stages();
    return tap_done();
}
