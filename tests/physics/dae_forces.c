// SPDX-License-Identifier: MIT
// config: steppers
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

int main(void)
{
    for (uint8_t method = 0; method < TAC_DAE_METHODS; method++) {
        test_rotor(method);
        for (int kind = 0; kind < 3; kind++) { test_springs(kind, method); }
        test_stop_lets_go(method);
        test_gear(method);
        test_driven(method);
    }
    return tap_done();
}
