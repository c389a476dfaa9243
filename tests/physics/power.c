// SPDX-License-Identifier: MIT
// config: robots
// variants: gcc-O2-32 gcc-O2-64
// What gives a robot its energy, and that it is given: a plate that is led lifts what stands on it or hangs on it, and
// the kinetic energy of links that overlap for good is the work of their motors, signed, whatever the solver.
#include "begin.h"
#include "tap.h"
#include "truth.h"

static tac_model m;
static tac_state s, before;
static tac_work w;
static tac_input input;

static const char *const SOLVER[] = {"accelerated", "plain", "direct", "auto"};

static uint16_t add_box(uint8_t kind, double z, double half)
{
    tac_body b = tac_body_make(kind, vec(0, 0, z));
    b.inertia = vec(0.01, 0.01, 0.01);
    const int32_t body = tac_model_add_body(&m, &b);
    const tac_shape box = tac_shape_make((uint16_t)body, TAC_BOX, vec(half, half, 0.1));
    tac_model_add_shape(&m, &box);
    return (uint16_t)body;
}

// Two boxes, one on the other, on a plate that moves with 1 m/s from the first step on.
static void test_lift(uint8_t solver, int held)
{
    double off = 0;
    tac_joint j;
    tac_model_init(&m);
    m.options.solver = solver;
    tac_model_add_material(&m, (tac_real)0.5, 0);
    add_box(TAC_KINEMATIC, -0.1, 1);
    m.body[1].velocity.v.z = 1;
    add_box(TAC_DYNAMIC, 0.1, 0.1);
    add_box(TAC_DYNAMIC, 0.3, 0.1);
    tac_joint_init(&j, TAC_FIXED, 2, 3);
    j.frame_a.p.z = (tac_real)0.1;
    j.frame_b.p.z = (tac_real)-0.1;
    tac_model_add_joint(&m, &j);
    tac_joint_init(&j, TAC_REVOLUTE, 1, 2);
    j.frame_a.p.z = (tac_real)0.1;
    j.frame_b.p.z = (tac_real)-0.1;
    if (held) { tac_model_add_joint(&m, &j); }
    begin_world(&m, &s);
    for (int i = 0; i < 20; i++) {
        tac_step(&m, &s, NULL, &w);
        d_worst(&off, (double)s.twist[3].v.z - 1);
    }
    tap_most(off, solver == TAC_SOLVER_PLAIN ? 1e-2 : TOL(1e-6, 1e-4),
             tap_joined(held ? "a plate lifts what hangs on it:" : "a plate lifts what stands on it:", SOLVER[solver]));
}

// A trunk whose thighs, a hip between them, are 20 mm and more inside it; motors hold both at an angle that cannot be.
static void build_overlap(uint8_t solver, double kp)
{
    static const double half_turn = 0.70710678118654752;
    tac_model_init(&m);
    truth_fill(&input, sizeof input, 0);
    m.gravity = vec(0, 0, 0);
    m.options.solver = solver;
    tac_model_add_material(&m, (tac_real)0.8, 0);
    tac_body b = tac_body_make(TAC_DYNAMIC, vec(0, 0, 1));
    b.mass = 12;
    b.inertia = vec(0.05, 0.17, 0.2);
    tac_model_add_body(&m, &b);
    for (int leg = 0; leg < 2; leg++) {
        const double y = leg ? 0.08 : -0.08;
        tac_joint j;
        b = tac_body_make(TAC_DYNAMIC, vec(0.15, y, 1));
        b.inertia = vec(0.001, 0.001, 0.001);
        const uint16_t hip = (uint16_t)tac_model_add_body(&m, &b);
        b.inertia = vec(0.006, 0.006, 0.001);
        b.inertial.p.z = (tac_real)-0.1;
        const uint16_t thigh = (uint16_t)tac_model_add_body(&m, &b);
        tac_joint_init(&j, TAC_REVOLUTE, 1, hip);
        j.frame_a.p = vec(0.15, y, 0);
        j.frame_a.q = j.frame_b.q = (tac_quat){(tac_real)half_turn, 0, (tac_real)half_turn, 0};
        tac_model_add_joint(&m, &j);
        tac_joint_init(&j, TAC_REVOLUTE, hip, thigh);
        j.frame_a.q = j.frame_b.q = (tac_quat){(tac_real)half_turn, (tac_real)-half_turn, 0, 0};
        tac_model_add_joint(&m, &j);
        tac_shape c = tac_shape_make(thigh, TAC_BOX, vec(0.017, 0.012, 0.125));
        c.pose.p.z = (tac_real)-0.125;
        tac_model_add_shape(&m, &c);
    }
    const tac_shape trunk = tac_shape_make(1, TAC_BOX, vec(0.2, 0.1, 0.05));
    tac_model_add_shape(&m, &trunk);
    input.motors = 4;
    for (uint16_t i = 0; i < 4; i++) {
        input.motor[i] = (tac_motor){0, 0, 0, (tac_real)kp, (tac_real)(kp / 40), i, TAC_MOTOR_PD};
    }
    begin_world(&m, &s);
}

// Work of the motors in the last step; how far each is from its law, kp (0 - q) - kd dq/dt at the end of it, where that
// has been solved.
static double motor_work(double kp, int solved, double *unlawful)
{
    double sum = 0;
    for (uint16_t i = 0; i < 4; i++) {
        tac_joint_state from, to;
        tac_state_get_joint(&m, &before, i, &from);
        tac_state_get_joint(&m, &s, i, &to);
        const double h = (double)m.h, effort = (double)w.joint[i].effort[TAC_EFFORT_MOTOR], rate = (double)to.velocity,
                     law = -kp * ((double)from.position + h * rate) - kp / 40 * rate;
        sum += h * effort * 0.5 * ((double)from.velocity + rate);
        if (solved) { d_worst(unlawful, (effort - law) / (kp * 0.05)); }
    }
    return sum;
}

static void test_overlap(uint8_t solver, double kp)
{
    double work = 0, most = 0, above = 0, unlawful = 0;
    tac_real kinetic;
    build_overlap(solver, kp);
    for (int i = 0; i < RUN(2000, 200); i++) {
        before = s;
        const int solved = tac_step(&m, &s, &input, &w) == TAC_OK;
        work += motor_work(kp, solved, &unlawful);
        tac_energy(&m, &s, &kinetic, NULL);
        above = d_max(above, (double)kinetic - work);
        most = d_max(most, (double)kinetic);
    }
    tap_note("kinetic energy, J, at most", most);
    // Rounding of the rates does work on the motors' torques, which grow with kp.
    tap_most(above, TOL(1e-4, 1e-3) * kp / 150, tap_joined("kinetic energy beyond the motors' own work, J:", SOLVER[solver]));
    // In float the step of the impact, at 100 rad/s, leaves 5 % at some masses of the trunk. Two hinges wedge thigh and
    // trunk, so joints do not follow their arcs there: the step in which 27 rad/s stop leaves 2 % by the direct solver.
    tap_most(unlawful, TOL(2e-2, 1e-1), "and their torque is that of their law, of what 0.05 rad make");
}

int main(void)
{
    for (uint8_t solver = 0; solver < 4; solver++) {
        test_lift(solver, 0);
        test_lift(solver, 1);
        test_overlap(solver, 150);
        test_overlap(solver, 5000);
    }
    return tap_done();
}
