// SPDX-License-Identifier: MIT
// config: robots
// variants: gcc-O2-32 gcc-O2-64
// What drives joints and what they run against: speeds of motors, prescribed motion, stops that give way.
#include "driving.h"

// ------------------------------------------------------------------------------------------------------------- speeds

// A wheel of 0.5 kg m2 whose motor has 3 N m, up to 2 rad/s.
static void limited_wheel(void)
{
    begin(TAC_SOLVER_DIRECT, 1e-3, 0.0);
    add_body(0, 0, 1, 0.5);
    tac_joint *j = add_joint(TAC_REVOLUTE, 0, 1);
    j->speed = 2;
    j->effort = 3;
}

static void test_speed(void)
{
    limited_wheel();
    begin_world(&m, &s);
    drive(0, TAC_MOTOR_EFFORT, 0, -3);
    run(300);
    tap_near((double)look(0).velocity, -0.3 * 3 / 0.5, TOL(1e-10, 1e-5), "below its speed a motor gives its effort");
    run(200);
    tap_near((double)look(0).velocity, -2, TOL(1e-10, 1e-5), "beyond it does not drive, rad/s");
    tap_near((double)w.joint[0].effort[TAC_EFFORT_MOTOR], 0, TOL(1e-8, 1e-3), "there it needs no effort, N m");
    input.actions = 1;
    input.action[0] = (tac_action){{0, 0, 0}, {0, 0, -1}, {0, 0, 0}, 1, TAC_WRENCH_WORLD};
    run(100);
    tap_near((double)look(0).velocity, -2.2, TOL(1e-9, 1e-5), "what else drives it beyond it does not brake, rad/s");

    limited_wheel();
    last_joint()->damping = (tac_real)0.5;
    begin_world(&m, &s);
    drive(0, TAC_MOTOR_EFFORT, 0, 3);
    run(3000);
    tap_near((double)w.joint[0].effort[TAC_EFFORT_MOTOR], 1, TOL(1e-8, 1e-4),
             "against a damper it gives what holds its speed");
}

// Of several commands for one joint the last counts.
static void test_last(void)
{
    limited_wheel();
    begin_world(&m, &s);
    drive(0, TAC_MOTOR_EFFORT, 0, -3);
    input.motor[input.motors] = input.motor[0];
    input.motor[input.motors++].effort = 1;
    run(100);
    tap_near((double)look(0).velocity, 0.1 * 1 / 0.5, TOL(1e-10, 1e-5), "the last of two commands counts, rad/s");
}

// Targets beyond the speed: a step of PD, of a speed, of a place.
static void test_targets(void)
{
    double fastest = 0.0;
    limited_wheel();
    begin_world(&m, &s);
    drive(0, TAC_MOTOR_PD, 0, 0);
    input.motor[0].position = 2;
    input.motor[0].stiffness = 200;
    input.motor[0].damping = 20;
    for (int i = 0; i < 4000; i++) {
        run(1);
        d_worst(&fastest, (double)look(0).velocity);
        if (i == 833) { tap_near((double)look(0).position, 2 * (0.834 - 0.5 / 3), 2e-3, "PD goes at its speed, rad"); }
    }
    tap_near(fastest, 2, TOL(1e-8, 1e-5), "never faster, rad/s");
    tap_near((double)look(0).position, 2, TOL(1e-7, 1e-4), "and arrives, rad");
    input.motor[0] = (tac_motor){0, -10, 0, 0, 0, 0, TAC_MOTOR_VELOCITY};
    run(1500);
    tap_near((double)look(0).velocity, -2, TOL(1e-10, 1e-5), "a target beyond its speed is its speed, rad/s");

    limited_wheel();
    last_joint()->effort = last_joint()->speed; // 2 N m: too little for a place at once
    begin_world(&m, &s);
    drive(0, TAC_MOTOR_POSITION, 1, 0);
    fastest = 0.0;
    for (int i = 0; i < 250; i++) {
        run(1);
        d_worst(&fastest, (double)look(0).velocity);
    }
    tap_near(fastest, 1, TOL(1e-9, 1e-5), "a place is gone to with the effort that there is, rad/s");
    limited_wheel();
    tac_joint fresh;
    tac_joint_init(&fresh, TAC_REVOLUTE, 0, 1);
    last_joint()->effort = fresh.effort;
    begin_world(&m, &s);
    drive(0, TAC_MOTOR_POSITION, 1, 0);
    run(250);
    tap_near((double)look(0).position, 0.5, TOL(1e-12, 1e-6), "prescribed motion keeps to the speed, rad");
    run(300);
    tap_near((double)look(0).position, 1, TOL(1e-13, 1e-6), "until it is where it should be, rad");
}

// A motor without bound is asked to go through a limit, with dry friction beside it: it stops there, holds the weight
// and no more, and is no trouble to any solver.
static void test_blocked(uint8_t solver, uint16_t kind)
{
    double most = 0.0, sweeps = 0.0;
    const int plain = solver == TAC_SOLVER_PLAIN;
    begin(solver, 1e-3, 9.81);
    if (plain) { m.options.max_sweeps = 300; }
    add_body(0.5, 0, 1, 0.1);
    tac_joint *j = add_joint(TAC_REVOLUTE, 0, 1);
    about_y(j);
    j->frame_b.p.x = (tac_real)-0.5;
    j->lower = -1;
    j->upper = 1;
    j->friction = (tac_real)0.5;
    begin_world(&m, &s);
    drive(0, kind, -2, 0);
    for (int i = 0; i < 1500; i++) {
        if (kind == TAC_MOTOR_POSITION) { input.motor[0].position = (tac_real)(-0.002 * (i + 1)); }
        run(1);
        most = d_max(most, -1.0 - (double)look(0).position);
        d_worst(&sweeps, w.report.sweeps);
        if (i == 300) {
            tap_near((double)w.joint[0].effort[TAC_EFFORT_FRICTION], 0.5, TOL(1e-12, 1e-6),
                     "on its way friction brakes, N m");
        }
    }
    tap_most(most, TOL(1e-12, 1e-6), tap_numbered("a prescribed motion ends at a limit; motor:", kind));
    tap_near((double)look(0).velocity, 0, TOL(1e-9, 1e-6), "and rests, rad/s");
    tap_near(d_abs((double)w.joint[0].effort[TAC_EFFORT_MOTOR]), 9.81 * 0.5 * d_cos(1), TOL(1e-6, 1e-3),
             "its motor holds the weight, N m");
    tap_most(sweeps, plain ? 300 : TOL(2, 12), "in few sweeps");
}

// A place that runs on and on, 0.05 rad a step: the wheel follows it past half a turn; by PD, with the lag of its
// spring.
static void test_onwards(uint8_t solver, uint16_t kind)
{
    double off = 0.0;
    wheels(solver, 0.1, 0.2);
    m.body[1].velocity.w.z = 50;
    begin_world(&m, &s);
    drive(0, kind, 0, 0);
    input.motor[0].velocity = 50;
    input.motor[0].stiffness = 1000;
    input.motor[0].damping = 10;
    for (int i = 1; i <= 400; i++) {
        input.motor[0].position = (tac_real)(0.05 * i);
        run(1);
        const double lag = (0.05 * i - (double)look(0).position) / (2 * TRUTH_PI);
        d_worst(&off, lag - (double)(int)(lag + 0.5));
    }
    tap_most(2 * TRUTH_PI * off, kind == TAC_MOTOR_PD ? 0.06 : TOL(1e-12, 1e-5),
             tap_numbered("a place is followed turn after turn, rad; motor:", kind));
}

// Motion that is prescribed has the speed that belongs to it: q(t) as the target at the end of each step.
static void test_rheonomic(void)
{
    double off = 0.0, late = 0.0;
    begin(TAC_SOLVER_DIRECT, 1e-3, 9.81);
    for (uint16_t i = 0; i < 2; i++) {
        add_body(0.3 * (i + 1), 0, 1, 0.01);
        tac_joint *j = add_joint(TAC_REVOLUTE, i, (uint16_t)(i + 1));
        about_y(j);
        j->frame_a.p.x = (tac_real)0.15;
        j->frame_b.p.x = (tac_real)-0.15;
    }
    begin_world(&m, &s);
    drive(0, TAC_MOTOR_POSITION, 0, 0);
    drive(1, TAC_MOTOR_VELOCITY, 0, 0);
    for (int i = 1; i <= 1000; i++) {
        const double t = 1e-3 * i;
        input.motor[0].position = (tac_real)(0.8 * (1 - d_cos(3 * t)));
        input.motor[1].velocity = (tac_real)(2 * d_sin(4 * t));
        run(1);
        d_worst(&off, (double)look(0).position - 0.8 * (1 - d_cos(3 * t)));
        d_worst(&late, (double)look(0).velocity - 2.4 * d_sin(3 * (t - 0.5e-3)));
    }
    tap_most(off, TOL(1e-12, 2e-6), "a place that is prescribed is kept, rad");
    tap_most(late, TOL(2e-6, 5e-3), "its speed is that of the middle of the step, rad/s");
    tap_near((double)look(1).position, 0.5 * (1 - d_cos(4.0)), TOL(1e-3, 1e-3), "a speed adds up to its place, rad");
}

// Two links, on a hinge and on a ball.
static void pendulum(void)
{
    for (uint16_t i = 0; i < 2; i++) {
        add_body(0.25 + 0.5 * i, 0, 1, 0.02);
        tac_joint *j = add_joint(i ? TAC_SPHERICAL : TAC_REVOLUTE, i, (uint16_t)(i + 1));
        about_y(j);
        j->frame_a.p.x = (tac_real)(i ? 0.25 : 0);
        j->frame_b.p.x = (tac_real)-0.25;
    }
}

// Two bodies at rest on a joint that is 1 mm apart: the papers' row makes that a velocity of 1 m/s, with 1/4 m v^2, and
// takes it back when they are there; the projection moves them without. The pendulum of a link on a hinge and one on a
// ball: by velocities it is as far apart as a step has it leave its arc; of energy both lose what the time step does.
static void test_stabilised(uint8_t stabilise)
{
    const char *name = stabilise ? "by velocities" : "by the projection";
    double lost = 0.0;
    begin(TAC_SOLVER_DIRECT, 1e-3, 0.0);
    m.options.stabilise = stabilise;
    add_body(0, 0, 1, 0.1);
    add_body(0.001, 0, 1, 0.1);
    add_joint(TAC_SPHERICAL, 1, 2);
    begin_world(&m, &s);
    run(1);
    tap_near(energy(), stabilise ? 0.25 : 0, TOL(1e-9, 1e-4), tap_joined("what is apart comes together, J:", name));
    tap_most(run(1), TOL(1e-12, 1e-6), tap_joined("in one step, m:", name));
    tap_most(energy(), TOL(1e-12, 1e-9), "and rests, J");

    begin(TAC_SOLVER_DIRECT, 1e-3, 9.81);
    m.options.stabilise = stabilise;
    pendulum();
    begin_world(&m, &s);
    double apart = 0.0;
    for (int i = 0; i < 2000; i++) {
        d_worst(&apart, run(1));
        d_worst(&lost, energy());
    }
    tap_most(apart, stabilise ? 1e-4 : TOL(1e-12, 1e-6), tap_joined("a pendulum is held together, m:", name));
    tap_most(lost, 0.02, tap_joined("its energy, J of 20:", name));
}

// -------------------------------------------------------------------------------------------------------------- stops

// 2 kg at 1 m/s against a stop of 800 N/m: 20 rad/s, 50 mm deep; with 1/5 of critical damping it comes back at
// exp(-atan2(2 z c, 2 z^2 - 1) z/c) = 0.57174 of it, c = sqrt(1 - z^2): it never pulls.
static void test_stop(uint8_t solver, double damping, double back, double depth, int upper)
{
    const double sign = upper ? 1 : -1;
    double deepest = 0.0, sweeps = 0.0;
    begin(solver, 1e-4, 0.0);
    add_body(0, 0, 2, 0.1)->velocity.v.z = (tac_real)sign;
    tac_joint *j = add_joint(TAC_PRISMATIC, 0, 1);
    j->lower = (tac_real)-0.01;
    j->upper = (tac_real)0.01;
    j->stop_stiffness = 800;
    j->stop_damping = (tac_real)damping;
    begin_world(&m, &s);
    for (int i = 0; i < 1800; i++) {
        run(1);
        const double beyond = sign * (double)look(0).position - 0.01;
        if (beyond > deepest) { deepest = beyond; }
        d_worst(&sweeps, w.report.sweeps);
    }
    tap_most(sweeps, 4, "a stop takes few sweeps");
    tap_near(-sign * (double)look(0).velocity, back, 2e-3,
             tap_numbered("a stop gives back what it should; damping:", damping));
    if (depth > 0) { tap_near(deepest, depth, 1e-4, "as deep as it should be, m"); }
}

// A weight on a soft stop, on a stiff one, on one far too stiff for the step; hung on a rope that gives way.
static void test_stop_rests(double stiffness, uint8_t solver)
{
    begin(solver, 1e-3, 10.0);
    add_body(0, 0, 2, 0.1);
    tac_joint *j = add_joint(TAC_PRISMATIC, 0, 1);
    j->lower = (tac_real)-0.01;
    j->upper = 1;
    j->stop_stiffness = (tac_real)stiffness;
    j->stop_damping = (tac_real)(2 * d_sqrt(2 * stiffness));
    begin_world(&m, &s);
    run(2500);
    tap_near((double)look(0).position, -0.01 - 20 / stiffness, TOL(1e-9, 1e-6),
             tap_numbered("a weight rests on a stop, m; stiffness:", stiffness));
    tap_near((double)w.joint[0].effort[TAC_EFFORT_LIMIT], 20, TOL(1e-5, 1e-2), "which says how it presses, N");
}

static void test_elastic_rope(void)
{
    begin(TAC_SOLVER_DIRECT, 1e-3, 10.0);
    add_body(0, -0.5, 2, 0.1);
    tac_joint *j = add_joint(TAC_DISTANCE, 0, 1);
    j->lower = 0;
    j->upper = 1;
    j->stop_stiffness = 1000;
    j->stop_damping = 60;
    begin_world(&m, &s);
    run(3000);
    tap_near((double)look(0).position, 1.02, TOL(1e-9, 1e-6), "a rope gives way under a weight, m");
}

// A pendulum of two links whose joints are put together in so many turns at most.
static void test_capped(uint8_t most)
{
    double apart = 0.0;
    int more = 0;
    begin(TAC_SOLVER_ACCELERATED, 1e-3, 9.81);
    m.options.max_joint_iterations = most;
    pendulum();
    begin_world(&m, &s);
    for (int i = 0; i < 500; i++) {
        d_worst(&apart, run(1));
        more += w.report.joint_iterations > most;
    }
    tap_equal(more, 0, tap_numbered("joints take no more turns than", most));
    tap_most(apart, most ? TOL(1e-9, 1e-6) : 1e-3, "and are together, m");
}

int main(void)
{
    test_speed();
    test_last();
    test_targets();
    for (uint8_t solver = 0; solver <= TAC_SOLVER_AUTO; solver++) {
        test_blocked(solver, TAC_MOTOR_POSITION);
        test_blocked(solver, TAC_MOTOR_VELOCITY);
    }
    for (uint8_t solver = 0; solver <= TAC_SOLVER_AUTO; solver++) {
        test_onwards(solver, TAC_MOTOR_POSITION);
        test_onwards(solver, TAC_MOTOR_PD);
    }
    test_rheonomic();
    test_capped(0);
    test_capped(1);
    test_capped(TAC_JOINT_ITERATIONS);
    test_stabilised(0);
    test_stabilised(1);
    for (uint8_t solver = 0; solver <= TAC_SOLVER_AUTO; solver++) {
        test_stop(solver, 0, 1, 0.05, 0);
        test_stop(solver, 0, 1, 0.05, 1);
        test_stop(solver, 2 * 0.2 * 40, 0.57174, 0, 1);
    }
    test_stop_rests(1e4, TAC_SOLVER_DIRECT);
    test_stop_rests(1e4, TAC_SOLVER_ACCELERATED);
    test_stop_rests(TOL(1e9, 1e7), TAC_SOLVER_DIRECT);
    test_elastic_rope();
    return tap_done();
}
