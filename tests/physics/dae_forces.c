// SPDX-License-Identifier: MIT
// config: all
// variants: all
// The smooth integrators of TCE17: rotors, springs and dampers, stops, gears, motors.
#include "dae.h"

// --------------------------------------------------------------------------------------------------- force elements

// A wheel of 2 kg m2 with a rotor of 1 kg m2 under a torque of 6 N m: a = 2 rad/s2 exactly, by every rule of order 2.
static void test_rotor(uint8_t method)
{
    dae_begin(method, 0.01, 9.81);
    add_body(0, 0, 1, 2);
    tac_joint *j = add_joint(TAC_REVOLUTE, 0, 1);
    j->armature = 1;
    begin_world(&m, &s);
    input.motors = 1;
    input.motor[0] = (tac_motor){0, 0, 6, 0, 0, 0, TAC_MOTOR_EFFORT};
    steps(100);
    const double late = method <= TAC_DAE_EULER_PROJECTED ? 0.01 : 0;
    tap_near(look(0).velocity, 2, TOL(1e-10, 1e-5), tap_joined("a rotor adds to a wheel, rad/s: ", METHOD[method]));
    tap_near(look(0).position, 1 + late, TOL(1e-10, 1e-5), "and turns with it, rad");
    tap_near(w.joint[0].effort[TAC_EFFORT_MOTOR], 6, TOL(1e-9, 1e-5), "its motor's effort, N m");
    tap_near(w.joint[0].effort[TAC_EFFORT_PASSIVE], -2, TOL(1e-9, 1e-4), "its rotor's, N m");
}

// A PD motor, a bushing and an elastic stop are springs with dampers: x'' = -40 x - 1.5 x' from 0.3 m.
static void test_springs(int kind, uint8_t method)
{
    static const char *const NAME[3] = {"a PD motor", "a bushing", "an elastic stop"};
    double y[MOST] = {0.3, 0}, worst = 0;
    dae_begin(method, 1.0 / 128, 0);
    add_body(0.3, 0, 1, 1);
    tac_joint *j = add_joint(kind == 1 ? TAC_BUSHING : TAC_PRISMATIC, 0, 1);
    const tac_real half = (tac_real)0.70710678118654752440;
    j->frame_a.q = j->frame_b.q = (tac_quat){half, 0, half, 0};
    if (kind == 0) {
        input.motors = 1;
        input.motor[0] = (tac_motor){0, 0, 0, (tac_real)STIFF, (tac_real)DAMP, 0, TAC_MOTOR_PD};
    } else if (kind == 1) {
        j->along.z = (tac_real)STIFF, j->along_damping.z = (tac_real)DAMP;
    } else {
        j->lower = -1, j->upper = 0, j->stop_stiffness = (tac_real)STIFF, j->stop_damping = (tac_real)DAMP;
    }
    begin_world(&m, &s);
    for (int i = 0; i < (kind == 2 ? 24 : 128); i++) { // the stop is left after a quarter of a period
        steps(1);
        for (int k = 0; k < 8; k++) { runge_kutta(SPRING, y, 1.0 / 1024); }
        d_worst(&worst, (double)s.pose[1].p.x - y[0]);
    }
    tap_most(worst, order_of(SPRING, method) == 1 ? 0.03 : 6e-4,
             tap_joined(NAME[kind], " is a spring and a damper, m"));
    const double pull = -STIFF * (double)s.pose[1].p.x - DAMP * (double)s.twist[1].v.x;
    tap_near(w.joint[0].force.x, pull, TOL(1e-8, 2e-3), "and shows its force at the end of the step, N");
}

// A body leaves an elastic stop faster than the spring of the stop would push it: its damper must not pull it back.
static void test_stop_lets_go(uint8_t method)
{
    dae_begin(method, 1.0 / 1024, 0);
    add_body(0.001, 0, 1, 1);
    tac_joint *j = add_joint(TAC_PRISMATIC, 0, 1);
    const tac_real half = (tac_real)0.70710678118654752440;
    j->frame_a.q = j->frame_b.q = (tac_quat){half, 0, half, 0};
    j->lower = -1, j->upper = 0, j->stop_stiffness = (tac_real)STIFF, j->stop_damping = (tac_real)DAMP;
    m.body[1].velocity.v = vec(-1, 0, 0);
    begin_world(&m, &s);
    steps(1);
    tap_near(w.joint[0].force.x, 0, TOL(1e-12, 1e-5), tap_joined("a stop pulls nothing back, N: ", METHOD[method]));
    steps(7);
    tap_near((double)s.twist[1].v.x, -1, TOL(1e-12, 1e-5), "what leaves it keeps its speed, m/s");
}

// Two wheels of 1 and 2 kg m2 on a gear of -3, driven by 4 N m on the first: a (1 + 9 2) = 4.
static void test_gear(uint8_t method)
{
    dae_begin(method, 0.01, 9.81);
    for (int i = 0; i < 2; i++) {
        add_body(i, 0, 1, i + 1);
        add_joint(TAC_REVOLUTE, 0, (uint16_t)(i + 1))->frame_a.p.x = (tac_real)i;
    }
    tac_joint *gear = add_joint(TAC_COUPLING, 0, 1);
    gear->length = -3;
    gear->lower = gear->upper = 0;
    begin_world(&m, &s);
    input.motors = 1;
    input.motor[0] = (tac_motor){0, 0, 4, 0, 0, 0, TAC_MOTOR_EFFORT};
    steps(600); // 3.8 rad of the first, 11.4 rad of the other
    tap_near(look(0).velocity, 4.0 / 19 * 6, TOL(1e-10, 1e-5), tap_joined("a gear, rad/s: ", METHOD[method]));
    tap_near(look(1).velocity, -12.0 / 19 * 6, TOL(1e-9, 3e-5), "its other wheel, rad/s");
    tap_most(dae.error, TOL(1e-12, 1e-5), "which turns with it over revolutions, m");
}

// A motor prescribes a turn at 2 rad/s; a kinematic body carries a pendulum.
static void test_driven(uint8_t method)
{
    dae_begin(method, 1e-3, 9.81);
    tac_body *b = add_body(0, 0, 1, 1);
    b->kind = TAC_KINEMATIC;
    b->velocity.v.x = 1;
    link(1, ARM);
    m.joint[0].frame_a.p.x = 0;
    m.body[2].velocity.v = vec(1, 0, 2 * -ARM);
    m.body[2].velocity.w.y = 2;
    begin_world(&m, &s);
    input.motors = 1;
    input.motor[0] = (tac_motor){0, 2, 0, 0, 0, 0, TAC_MOTOR_VELOCITY};
    steps(500);
    tap_near(s.pose[1].p.x, 0.5, TOL(1e-12, 1e-6), tap_joined("a body is driven, m: ", METHOD[method]));
    tap_near(look(0).position, 1, TOL(1e-10, 2e-5), "its motor turns as asked, rad");
    tap_most(dae.error, method == TAC_DAE_EULER_LINEARISED ? 1e-5 : TOL(1e-12, 1e-6), "their joint holds, m");
    if (method == TAC_DAE_TRAPEZOIDAL || method == TAC_DAE_NEWMARK) { return; } // their reactions oscillate
    // in a frame that moves evenly: the torque of the weight alone
    const double bears = d_abs((double)w.joint[0].effort[TAC_EFFORT_MOTOR]);
    tap_near(bears, 9.81 * ARM * d_cos(1), TOL(0.02, 0.05), "the motor bears the weight, N m");
}

// (160) by hand: a body of unequal moments that spins on a ball joint which is 2 mm open. With r the arm and C its
// error, v+ = r x w+ - C/h, and I w+ = I w - h w x I w + r x m (v+ - v - h g).
static void test_letter(void)
{
    const double h = 1e-3, inertia[3] = {0.06, 0.08, 0.09};
    const d3 r = {-0.3, 0.02, 0.01}, v = {0.1, -0.2, 0.3}, w0 = {3, -2, 4}, at = {0.3, -0.018, -0.01},
             g = {0, 0, -9.81};
    const d3 open = d3_add(at, r), iw = {inertia[0] * w0.x, inertia[1] * w0.y, inertia[2] * w0.z};
    dae_begin(TAC_DAE_EULER_LINEARISED, h, 9.81);
    add_body(at.x, at.z, 1, 1);
    m.body[1].pose.p.y = (tac_real)at.y;
    m.body[1].inertia = vec(inertia[0], inertia[1], inertia[2]);
    m.body[1].velocity = (tac_twist){d3_to(v), d3_to(w0)};
    tac_joint *j = add_joint(TAC_SPHERICAL, 0, 1);
    j->frame_a.p = vec(0, 0, 0), j->frame_b.p = d3_to(r);
    begin_world(&m, &s);
    const d3 free = d3_sub(iw, d3_scale(h, d3_cross(w0, iw)));
    const d3 push = d3_sub(d3_scale(-1 / h, open), d3_add(v, d3_scale(h, g)));
    const d3 right = d3_add(free, d3_cross(r, push)); // = (I + r^2 - r r') w+
    d3 column[3];
    for (int i = 0; i < 3; i++) {
        const d3 e = {i == 0, i == 1, i == 2};
        column[i] = d3_add(d3_scale(inertia[i], e), d3_sub(d3_scale(d3_dot(r, r), e), d3_scale(d3_dot(r, e), r)));
    }
    const double det = d3_dot(column[0], d3_cross(column[1], column[2]));
    const d3 next = {d3_dot(right, d3_cross(column[1], column[2])) / det,
                     d3_dot(right, d3_cross(column[2], column[0])) / det,
                     d3_dot(right, d3_cross(column[0], column[1])) / det};
    steps(1);
    tap_most(d3_norm(d3_sub(d3_of(s.twist[1].w), next)), TOL(1e-9, 3e-3), "linearised Euler is (160), rad/s");
    const d3 speed = d3_sub(d3_cross(r, next), d3_scale(1 / h, open));
    tap_most(d3_norm(d3_sub(d3_of(s.twist[1].v), speed)), TOL(1e-10, 1e-3), "and m/s");
}

// With a spring and a damper it is (152)-(154) with the force linear about the start: (m + h^2 K + h D) dv = h f - h^2
// K v. Neither (160), which has f of the start, nor (148), which leaves out the last term.
static void test_linear_spring(void)
{
    const double h = 0.01, x = 0.3, v = 2;
    dae_begin(TAC_DAE_EULER_LINEARISED, h, 0);
    add_body(x, 0, 1, 1);
    m.body[1].velocity.v = vec(v, 0, 0);
    tac_joint *j = add_joint(TAC_PRISMATIC, 0, 1);
    const tac_real half = (tac_real)0.70710678118654752440;
    j->frame_a.q = j->frame_b.q = (tac_quat){half, 0, half, 0};
    j->stiffness = (tac_real)STIFF, j->damping = (tac_real)DAMP;
    begin_world(&m, &s);
    steps(1);
    const double dv = (h * (-STIFF * x - DAMP * v) - h * h * STIFF * v) / (1 + h * h * STIFF + h * DAMP);
    tap_near(s.twist[1].v.x, v + dv, TOL(1e-12, 1e-6), "a spring and a damper, linear about the start, m/s");
}

int main(void)
{
    test_letter();
    test_linear_spring();
    for (uint8_t method = 0; method < TAC_DAE_METHODS; method++) {
        test_rotor(method);
        for (int kind = 0; kind < 3; kind++) { test_springs(kind, method); }
        test_stop_lets_go(method);
        test_gear(method);
        test_driven(method);
    }
    return tap_done();
}
