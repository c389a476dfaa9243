// SPDX-License-Identifier: MIT
// config: robots
// What drives joints and what they run against: couplings, speeds of motors, stops that give way, bushings.
#include "mechanism.h"
#include <math.h>

// Runs so many steps; notes the worst joint and complains about a step that is not good.
static double run(int steps)
{
    double apart = 0.0;
    for (int i = 0; i < steps; i++) {
        if (tac_step(&m, &s, &input, &w) != TAC_OK) { tap_ok(0, "a step is taken as it should be"); }
        d_worst(&apart, (double)w.report.joint_error);
    }
    return apart;
}

static tac_joint *couple(uint16_t a, uint16_t b, double ratio)
{
    tac_joint *j = add_joint(TAC_COUPLING, a, b);
    j->length = (tac_real)ratio;
    j->lower = j->upper = 0;
    return j;
}

// Wheels on the ground, of these inertias.
static void wheels(uint8_t solver, double one, double other)
{
    begin(solver, 1e-3, 0.0);
    for (uint16_t i = 1; i <= 2; i++) {
        add_body(0.3 * i, 0, 1, i == 1 ? one : other);
        add_joint(TAC_REVOLUTE, 0, i)->frame_a.p.x = (tac_real)(0.3 * i);
    }
}

static void drive(uint16_t joint, uint16_t kind, double target, double effort)
{
    tac_motor *a = &input.motor[input.motors++];
    *a = (tac_motor){(tac_real)target, (tac_real)target, (tac_real)effort, 0, 0, joint, kind};
}

// ---------------------------------------------------------------------------------------------------------- couplings

// A torque on wheel a moves I_a + r^2 I_b; wheel b gets r I_b alpha of it.
static void test_gear(double one, double other, double ratio, uint8_t solver)
{
    const double torque = 0.7, alpha = torque / (one + ratio * ratio * other);
    wheels(solver, one, other);
    couple(0, 1, ratio);
    begin_world(&m, &s);
    drive(0, TAC_MOTOR_EFFORT, 0, torque);
    const double apart = run(100), scale = alpha * (1.0 + d_abs(ratio));
    const int exact = solver == TAC_SOLVER_DIRECT;
    tap_near((double)look(0).velocity / scale, 0.1 * alpha / scale, FLOAT ? 2e-6 : (exact ? 1e-12 : 1e-8),
             tap_numbered("a gear moves the inertia of both wheels; ratio:", ratio));
    tap_near((double)look(1).velocity / scale, 0.1 * alpha * ratio / scale, FLOAT ? 2e-6 : (exact ? 1e-12 : 1e-8),
             "the other one too");
    tap_near((double)w.joint[2].effort[TAC_BOX_MOTOR] / (other * alpha * ratio), 1,
             FLOAT ? 1e-3 : (exact ? 1e-7 : 1e-6), "and says what it passes on");
    tap_most(apart, FLOAT ? 1e-6 : (exact ? 1e-14 : 1e-6), "it does not slip, m");
}

// 1000 turns at 2 rad a step, the other wheel up to half a turn a step and more: the phase stays.
static void test_turns(double ratio, double most)
{
    double angle[2] = {0, 0}, off = 0.0;
    const int steps = 3142;
    wheels(TAC_SOLVER_DIRECT, 0.1, 0.2);
    couple(0, 1, ratio);
    m.body[1].velocity.w.z = 2000;
    m.body[2].velocity.w.z = (tac_real)(2000 * ratio);
    begin_world(&m, &s);
    for (int i = 0; i < steps; i++) {
        run(1);
        for (uint32_t k = 0; k < 2; k++) { // the nearest angle to where the wheel should be
            const double expected = angle[k] + 2.0 * (k ? ratio : 1.0), now = (double)look(k).position;
            const double turns = (expected - now) / (2 * TRUTH_PI);
            angle[k] = now + 2 * TRUTH_PI * (double)(int)(turns + (turns > 0 ? 0.5 : -0.5));
        }
        d_worst(&off, angle[1] - ratio * angle[0]);
    }
    tap_least(angle[0], 1000 * 2 * TRUTH_PI - 1, tap_numbered("a wheel turns a thousand times; ratio:", ratio));
    tap_most(off, most, "no tooth is lost, rad");
    tap_near((double)look(2).position, 0, most, "as the coupling says, rad");
}

// Wheels torn off their axles, one half a radian ahead: the projection brings both back to their axles and in phase,
// and makes no velocity of it.
static void test_torn(void)
{
    wheels(TAC_SOLVER_DIRECT, 0.1, 0.2);
    couple(0, 1, -2);
    begin_world(&m, &s);
    s.pose[1].p = (tac_vec3){(tac_real)0.5, (tac_real)0.2, (tac_real)-0.3};
    s.pose[2].q = dq_to(dq_mul(dq_about(d3_make(0, 0, 1), 0.5), dq_about(d3_make(1, 0, 0), 0.9)));
    run(4);
    tap_most((double)w.report.joint_error, TOL(1e-12, 1e-6),
             "what is torn apart by decimetres is back after four steps, m");
    tap_near((double)look(1).position + 2 * (double)look(0).position, 0, TOL(1e-12, 2e-6), "in phase, rad");
    tap_most(energy(), TOL(1e-20, 1e-9), "and at rest, J");
}

// The papers' stabilisation holds a coupling as well: an error is gone after one step, and comes back as velocity.
static void test_stabilised_gear(void)
{
    wheels(TAC_SOLVER_DIRECT, 0.1, 0.2);
    m.options.stabilise = 1;
    couple(0, 1, 2);
    m.body[1].velocity.w.z = 3;
    m.body[2].velocity.w.z = 6;
    begin_world(&m, &s);
    s.pose[2].q = dq_to(dq_about(d3_make(0, 0, 1), 1e-3));
    run(1);
    tap_near((double)look(1).position - 2 * (double)look(0).position, 0, TOL(1e-12, 1e-6), "(5c): in phase, rad");
    tap_near((double)look(1).velocity - 2 * (double)look(0).velocity, -1, TOL(1e-9, 1e-3), "by a velocity, rad/s");
    run(1);
    tap_near((double)look(1).velocity - 2 * (double)look(0).velocity, 0, TOL(1e-9, 1e-3), "that is gone after it");
    drive(0, TAC_MOTOR_POSITION, 0, 0);
    for (int i = 1; i <= 200; i++) {
        input.motor[0].position = (tac_real)(0.006 + 0.002 * i);
        run(1);
    }
    tap_near((double)look(0).position, 0.406, TOL(1e-12, 1e-6), "prescribed motion has its place as well, rad");
}

// A rack that falls turns a pinion of radius r: a = m g/(m + I/r^2), in every size.
static void test_rack(double size)
{
    const double mass = 2 * size * size * size, spin = 0.03 * mass * size * size, radius = 0.1 * size;
    begin(TAC_SOLVER_DIRECT, 1e-3, 10.0);
    add_body(0, 0, mass, spin);
    add_body(radius, 0, mass, spin);
    about_y(add_joint(TAC_REVOLUTE, 0, 1));
    add_joint(TAC_PRISMATIC, 0, 2)->frame_a.p.x = (tac_real)radius;
    couple(0, 1, radius);
    begin_world(&m, &s);
    const double apart = run(50), fall = -10.0 * mass / (mass + spin / (radius * radius));
    tap_near((double)look(1).velocity / (0.05 * fall), 1, TOL(1e-12, 1e-5),
             tap_numbered("a rack falls as its pinion lets it; size, m:", size));
    tap_near((double)look(0).velocity * radius / (0.05 * fall), 1, TOL(1e-12, 1e-5), "which turns with it");
    tap_most(apart / size, TOL(1e-12, 1e-6), "together, in sizes");
}

// A gripper on a free palm: a push on one finger closes both alike; a motor on the first one holds half of it each.
static void test_mimic(void)
{
    begin(TAC_SOLVER_DIRECT, 1e-3, 0.0);
    add_body(0, 0, 1, 0.01);
    for (uint16_t i = 2; i <= 3; i++) {
        add_body(i == 2 ? -0.05 : 0.05, 0.1, 0.1, 1e-4);
        tac_joint *j = add_joint(TAC_PRISMATIC, 1, i);
        const tac_real half = (tac_real)0.70710678118654752440; // towards the middle
        j->frame_a.q = j->frame_b.q = (tac_quat){half, 0, i == 2 ? half : -half, 0};
        j->frame_a.p = (tac_vec3){(tac_real)(i == 2 ? -0.05 : 0.05), 0, (tac_real)0.1};
    }
    couple(0, 1, 1);
    add_joint(TAC_FIXED, 0, 1);
    begin_world(&m, &s);
    input.actions = 1;
    input.action[0] = (tac_action){{(tac_real)-0.4, 0, 0}, {0, 0, 0}, {0, 0, 0}, 3, TAC_WRENCH_WORLD};
    double off = 0.0;
    for (int i = 0; i < 100; i++) {
        run(1);
        d_worst(&off, (double)look(0).position - (double)look(1).position);
    }
    tap_near((double)look(0).velocity, 0.1 * 0.4 / 0.2, TOL(1e-11, 1e-5), "two fingers share a push, m/s");
    drive(0, TAC_MOTOR_PD, 0, 0);
    input.motor[0].stiffness = 100;
    input.motor[0].damping = 20;
    run(3000);
    d_worst(&off, (double)look(0).position - (double)look(1).position);
    tap_near((double)look(1).position, 0.004, TOL(1e-8, 1e-6), "a motor on one holds both, m");
    tap_most(off, TOL(1e-14, 1e-7), "they stay symmetrical, m");
}

// Play of 0.1 rad: the other wheel rests while it is run through, then follows.
static void test_backlash(void)
{
    double before = 0.0, beyond = 0.0;
    wheels(TAC_SOLVER_DIRECT, 0.1, 0.2);
    tac_joint *j = couple(0, 1, 2);
    j->lower = (tac_real)-0.05;
    j->upper = (tac_real)0.05;
    begin_world(&m, &s);
    drive(0, TAC_MOTOR_POSITION, 0, 0);
    for (int i = 0; i < 200; i++) {
        input.motor[0].position = (tac_real)(1e-3 * (i + 1));
        run(1);
        if (i < 24) { d_worst(&before, (double)look(1).velocity); }
        if (i > 26) { d_worst(&beyond, (double)look(2).position + 0.05); }
    }
    tap_most(before, 0, "a play of 0.1 rad is run through in 25 ms");
    tap_near((double)look(1).velocity, 2, TOL(1e-9, 1e-5), "then the wheel follows, rad/s");
    tap_most(beyond, TOL(1e-9, 1e-5), "at the end of the play, rad");
}

// An elastic shaft: w^2 = k (1/I_b + r^2/I_a); symplectic Euler turns 2/h asin(w h/2) of it. Ten periods.
static void test_elastic(void)
{
    const double k = 40, rate = d_sqrt(k * (1 / 0.2 + 2.25 / 0.1));
    int crossed = 0;
    double last = 0.1, first = 0.0, at = 0.0;
    wheels(TAC_SOLVER_DIRECT, 0.1, 0.2);
    tac_joint *j = couple(0, 1, -1.5);
    j->lower = 1;
    j->upper = -1;
    j->stiffness = (tac_real)k;
    j->rest = (tac_real)-0.1;
    begin_world(&m, &s);
    for (int i = 1; crossed < 21; i++) {
        run(1);
        const double now = (double)look(2).position + 0.1;
        if (now * last < 0.0) {
            at = 1e-3 * (i - now / (now - last));
            if (crossed++ == 0) { first = at; }
        }
        last = now;
    }
    const double slow = 1 - (rate * 1e-3) * (rate * 1e-3) / 24;
    tap_near((at - first) / 10 * rate / (2 * TRUTH_PI), slow, 2e-5, "an elastic gear swings at its frequency");
}

// A torque on the sun of a planetary gear whose ring is held: the train closes a loop. Teeth 20, 15, 50; the planet
// runs round on an arm of 0.35 m. Of the sun's rate w: carrier 2/7 w, planet on the carrier -4/3 (1 - 2/7) w.
static void test_planetary(void)
{
    const double carrier = 2.0 / 7, planet = carrier - 4.0 / 3 * (1 - carrier), arm = 0.35;
    begin(TAC_SOLVER_DIRECT, 1e-3, 0.0);
    m.options.tolerance = TOL(1e-10, TAC_AUTO); // the default in double leaves 1.01e-6 of the inertia
    const double spin[4] = {0.02, 0.01, 0.005, 0.05};
    for (uint16_t i = 0; i < 4; i++) { // carrier, sun, planet, ring
        add_body(i == 2 ? arm : 0, 0, 1, spin[i]);
        add_joint(TAC_REVOLUTE, i > 0, (uint16_t)(i + 1))->frame_a.p.x = (tac_real)(i == 2 ? arm : 0);
    }
    couple(1, 2, -4.0 / 3);
    couple(2, 3, 0.3);
    add_joint(TAC_FIXED, 0, 4);
    begin_world(&m, &s);
    input.actions = 1;
    input.action[0] = (tac_action){{0, 0, 0}, {0, 0, (tac_real)0.5}, {0, 0, 0}, 2, TAC_WRENCH_WORLD};
    const double apart = run(300);
    const double inertia = spin[1] + carrier * carrier * (spin[0] + arm * arm) + planet * planet * spin[2];
    tap_near((double)s.twist[2].w.z * inertia / (0.3 * 0.5), 1, TOL(1e-6, 1e-5), "a planetary gear has its inertia");
    tap_near((double)(s.twist[1].w.z / s.twist[2].w.z), carrier, TOL(1e-9, 1e-5), "and its ratio");
    tap_most(apart, TOL(1e-13, 2e-6), "its loop stays together, m");
}

// A differential: wheels on a driven carrier turn against each other. One is held: the other turns twice as fast.
static void test_differential(void)
{
    begin(TAC_SOLVER_DIRECT, 1e-3, 0.0);
    for (uint16_t i = 0; i < 3; i++) {
        add_body(0, 0, 1, 0.1);
        add_joint(TAC_REVOLUTE, i > 0, (uint16_t)(i + 1));
    }
    couple(1, 2, -1);
    begin_world(&m, &s);
    drive(0, TAC_MOTOR_EFFORT, 0, 0.6);
    run(100);
    for (int i = 1; i <= 3; i++) {
        tap_near((double)s.twist[i].w.z, 0.1 * 0.6 / 0.3, TOL(1e-11, 1e-5), "a differential shares a torque, rad/s");
    }
    m.joint[1].lower = m.joint[1].upper = 0; // no play between carrier and a wheel: all turn together
    begin_world(&m, &s);
    m.joint[1].lower = 1;
    m.joint[1].upper = -1;
    add_joint(TAC_FIXED, 0, 2);
    begin_world(&m, &s);
    run(100);
    tap_near((double)(s.twist[3].w.z / s.twist[1].w.z), 2, TOL(1e-9, 1e-5), "a wheel that is held doubles the other");
    tap_near((double)s.twist[1].w.z, 0.1 * 0.6 / (0.1 + 4 * 0.1), TOL(1e-9, 1e-5), "at its inertia, rad/s");
}

// Gears on a carrier that floats freely and tumbles: what drives them is felt by nobody outside. Then they run free.
static void test_momentum(uint8_t solver)
{
    double moved = 0.0, lost = 0.0;
    tac_vec3 p0, l0, p, l;
    begin(solver, 1e-3, 0.0);
    for (uint16_t i = 1; i <= 3; i++) {
        tac_body *b = add_body(0.2 * i, 0, i == 2 ? 1 : 0.01, i == 2 ? 0.02 : 1e-4);
        b->inertia.y *= (tac_real)1.3;
        b->velocity = (tac_twist){{0, (tac_real)(0.5 + 0.2 * i), 0}, {0, 0, 1}};
        if (i != 2) { continue; }
        b->velocity.w.x = (tac_real)0.5;
    }
    for (uint16_t i = 1; i <= 3; i += 2) {
        tac_joint *j = add_joint(TAC_REVOLUTE, 2, i);
        about_y(j);
        j->frame_a.p.x = (tac_real)(0.2 * i - 0.4);
    }
    couple(0, 1, -3);
    begin_world(&m, &s);
    drive(0, TAC_MOTOR_EFFORT, 0, 0.01);
    run(20);
    tac_momentum(&m, &s, &p0, &l0);
    run(100);
    input.motors = 0;
    const double start = energy();
    double apart = 0.0;
    for (int i = 0; i < 500; i++) {
        d_worst(&apart, run(1));
        d_worst(&lost, energy() / start - 1);
        tac_momentum(&m, &s, &p, &l);
        d_worst(&moved, d3_norm(d3_sub(d3_of(p), d3_of(p0))) / d3_norm(d3_of(p0)));
        d_worst(&moved, d3_norm(d3_sub(d3_of(l), d3_of(l0))) / d3_norm(d3_of(l0)));
    }
    const int exact = solver == TAC_SOLVER_DIRECT;
    tap_most(moved, FLOAT ? 2e-5 : (exact ? 1e-12 : 1e-5), "gears on a free carrier keep its momentum");
    tap_most(lost, TOL(1e-4, 2e-4), "and run without loss");
    tap_most(apart, FLOAT ? 4e-6 : (exact ? 1e-13 : 1e-5), "together, m");
}

// A finger of six links, each hinge mimics the one before; the first is told where to go. Then a tree of such fingers.
static void test_fingers(void)
{
    double off = 0.0, apart = 0.0;
    begin(TAC_SOLVER_DIRECT, 1e-3, 9.81);
    for (uint16_t i = 0; i < 9; i++) { // three fingers of three links
        const uint16_t below = (uint16_t)(i % 3 ? i : 0);
        add_body(0.05 * (1 + 2 * (i % 3)), 0, i % 3 == 2 ? 1 : 0.01, i % 3 == 2 ? 1e-3 : 1e-5);
        tac_joint *j = add_joint(TAC_REVOLUTE, below, (uint16_t)(i + 1));
        about_y(j);
        j->frame_a.p.x = (tac_real)(i % 3 ? 0.05 : 0);
        j->frame_b.p.x = (tac_real)-0.05;
    }
    for (uint16_t i = 0; i < 9; i++) {
        if (i % 3) { couple((uint16_t)(i - 1), i, i % 3 == 1 ? 1 : 0.7); }
    }
    begin_world(&m, &s);
    for (uint16_t f = 0; f < 3; f++) { drive((uint16_t)(3 * f), TAC_MOTOR_POSITION, 0, 0); }
    for (int i = 1; i <= 300; i++) {
        const double goal = 0.5 * (1 - d_cos(0.01 * i));
        for (uint16_t f = 0; f < 3; f++) { input.motor[f].position = (tac_real)goal; }
        d_worst(&apart, run(1));
        for (uint32_t f = 0; f < 3; f++) {
            d_worst(&off, (double)look(3 * f).position - goal);
            d_worst(&off, (double)look(3 * f + 1).position - goal);
            d_worst(&off, (double)look(3 * f + 2).position - 0.7 * goal);
        }
    }
    tap_most(off, TOL(1e-12, 4e-6), "fingers follow their first joint, tips 100 : 1, rad");
    tap_most(apart, TOL(1e-13, 1e-6), "together, m");
}

// A motor between two wheels drives their difference; the wheels can be put where many turns have brought them.
static void test_between(void)
{
    wheels(TAC_SOLVER_DIRECT, 0.1, 0.2);
    tac_joint *j = couple(0, 1, 1);
    j->lower = 1;
    j->upper = -1;
    begin_world(&m, &s);
    drive(2, TAC_MOTOR_EFFORT, 0, 0.3);
    run(100);
    tap_near((double)look(0).velocity, -0.1 * 0.3 / 0.1, TOL(1e-12, 1e-5),
             "a motor between wheels turns one back, rad/s");
    tap_near((double)look(1).velocity, 0.1 * 0.3 / 0.2, TOL(1e-12, 1e-5), "and the other on, rad/s");

    wheels(TAC_SOLVER_DIRECT, 0.1, 0.2);
    couple(0, 1, 2.5);
    begin_world(&m, &s);
    const tac_joint_state x[3] = {{9, 1}, {(tac_real)22.5, (tac_real)2.5}, {0, 0}};
    tap_ok(tac_joints_set(&m, &s, x) == TAC_OK, "wheels are put where turns have brought them");
    tap_near((double)look(2).position, 0, TOL(1e-14, 4e-6), "their coupling counts these, rad");
    const tac_joint_state before = look(0);
    tap_most(run(1), TOL(1e-14, 1e-6), "and agrees, m");
    tap_near((double)(look(0).position - before.position), 1e-3, TOL(1e-12, 1e-6), "they go on from there, rad");
}

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
    tap_near((double)w.joint[0].effort[TAC_BOX_MOTOR], 0, TOL(1e-8, 1e-3), "there it needs no effort, N m");
    input.actions = 1;
    input.action[0] = (tac_action){{0, 0, 0}, {0, 0, -1}, {0, 0, 0}, 1, TAC_WRENCH_WORLD};
    run(100);
    tap_near((double)look(0).velocity, -2.2, TOL(1e-9, 1e-5), "what else drives it beyond it does not brake, rad/s");

    limited_wheel();
    last_joint()->damping = (tac_real)0.5;
    begin_world(&m, &s);
    drive(0, TAC_MOTOR_EFFORT, 0, 3);
    run(3000);
    tap_near((double)w.joint[0].effort[TAC_BOX_MOTOR], 1, TOL(1e-8, 1e-4),
             "against a damper it gives what holds its speed");
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
            tap_near((double)w.joint[0].effort[TAC_BOX_FRICTION], 0.5, TOL(1e-12, 1e-6),
                     "on its way friction brakes, N m");
        }
    }
    tap_most(most, TOL(1e-12, 1e-6), tap_numbered("a prescribed motion ends at a limit; motor:", kind));
    tap_near((double)look(0).velocity, 0, TOL(1e-9, 1e-6), "and rests, rad/s");
    tap_near(d_abs((double)w.joint[0].effort[TAC_BOX_MOTOR]), 9.81 * 0.5 * d_cos(1), TOL(1e-6, 1e-3),
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
    for (uint16_t i = 0; i < 2; i++) {
        add_body(0.25 + 0.5 * i, 0, 1, 0.02);
        tac_joint *j = add_joint(i ? TAC_SPHERICAL : TAC_REVOLUTE, i, (uint16_t)(i + 1));
        about_y(j);
        j->frame_a.p.x = (tac_real)(i ? 0.25 : 0);
        j->frame_b.p.x = (tac_real)-0.25;
    }
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
    tap_near((double)w.joint[0].effort[TAC_BOX_LIMIT], 20, TOL(1e-5, 1e-2), "which says how it presses, N");
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

// ------------------------------------------------------------------------------------------------------------ bushing

static tac_joint *add_bushing(uint16_t a, uint16_t b, double along, double about, double damping)
{
    tac_joint *j = add_joint(TAC_BUSHING, a, b);
    const tac_real k = (tac_real)along, c = (tac_real)about, d = (tac_real)damping;
    j->along = (tac_vec3){k, 2 * k, 3 * k};
    j->about = (tac_vec3){c, 2 * c, 3 * c};
    j->along_damping = (tac_vec3){d * k, d * 2 * k, d * 3 * k};
    j->about_damping = (tac_vec3){d * c, d * 2 * c, d * 3 * c};
    return j;
}

// Pushed along each axis and turned about one, far: it gives way by what is asked, and says so.
static void test_deflection(uint8_t solver, double size)
{
    const double mass = size * size * size, spin = 0.1 * mass * size * size, k = 500 * mass,
                 c = 40 * mass * size * size;
    begin(solver, 1e-3, 0.0);
    add_body(0, 0, mass, spin);
    add_bushing(0, 1, k, c, 0.05);
    begin_world(&m, &s);
    input.actions = 1;
    input.action[0] =
        (tac_action){{(tac_real)(k * 0.02 * size), (tac_real)(k * 0.1 * size), (tac_real)(k * -0.3 * size)},
                     {0, (tac_real)(c * 1.4), 0},
                     {0, 0, 0},
                     1,
                     TAC_WRENCH_WORLD};
    run(3000);
    const d3 p = d3_scale(1 / size, d3_of(s.pose[1].p));
    const double turn = (double)s.pose[1].q.y / d_sin(0.35);
    const double most = solver == TAC_SOLVER_DIRECT ? TOL(1e-9, 2e-6) : TOL(1e-6, 1e-4);
    tap_near(p.x, 0.02, most, tap_numbered("a bushing gives way along x; size, m:", size));
    tap_near(p.y, 0.05, most, "along y, where it is twice as stiff");
    tap_near(p.z, -0.1, most, "along z, thrice");
    tap_near(turn, 1, most, "and turns by 0.7 rad");
    tap_near((double)w.joint[0].force.z / (k * size), 0.3, TOL(1e-7, 1e-4), "with the force that it says");
    tap_near((double)w.joint[0].torque.y / c, -1.4, TOL(1e-7, 1e-4), "and the torque");
}

// Frequency and decay: 2 kg on 800 N/m, 20 rad/s; 0.1 kg m2 on 40 N m/rad. Of critical damping, 0.02.
static void test_swing(int turn)
{
    const double damped = 20 * d_sqrt(1 - 0.02 * 0.02), h = 1e-4;
    double first = 0.0, at = 0.0, last = 1.0, most = 0.0;
    int crossed = 0;
    begin(TAC_SOLVER_DIRECT, h, 0.0);
    add_body(0, 0, 2, 0.1);
    if (turn) {
        m.body[1].velocity.w.x = 1;
    } else {
        m.body[1].velocity.v.x = 1;
    }
    add_bushing(0, 1, 800, 40, 2 * 0.02 / 20);
    begin_world(&m, &s);
    for (int i = 1; crossed < 20; i++) {
        run(1);
        const double now = (double)(turn ? 2 * s.pose[1].q.x : s.pose[1].p.x);
        if (crossed >= 18) { most = d_max(most, d_abs(now)); }
        if (now * last < 0.0) {
            at = h * (i - now / (now - last));
            if (crossed++ == 0) { first = at; }
        }
        last = now;
    }
    tap_near((at - first) * damped / (19 * TRUTH_PI), 1, 2e-5,
             turn ? "turning too" : "a bushing swings at its frequency");
    tap_near(most, 0.05 * 0.31, 1e-3, "and decays as its damper wants"); // exp(-0.02 * 18.5 pi)
}

// Stiffer and stiffer: in the limit a weld, whatever the mass at its end.
static void test_weld(double stiffness, double most)
{
    tac_vec3 place[2];
    double fastest = 0.0;
    for (int soft = 0; soft < 2; soft++) {
        begin(TAC_SOLVER_DIRECT, 1e-3, 9.81);
        for (uint16_t i = 1; i <= 2; i++) {
            add_body(0.4 * i, 0, i == 1 ? 1 : 100, i == 1 ? 0.01 : 1)->velocity.w.z = 1;
            m.body[i].velocity.v.y = (tac_real)(0.4 * i);
        }
        tac_joint *j = soft ? add_bushing(1, 2, stiffness, stiffness, 0) : add_joint(TAC_FIXED, 1, 2);
        j->frame_a.p.x = (tac_real)0.4;
        begin_world(&m, &s);
        for (int i = 0; i < 500; i++) {
            run(1);
            if (soft) { fastest = d_max(fastest, d3_norm(d3_of(s.twist[1].w))); }
        }
        place[soft] = s.pose[1].p;
    }
    tap_near(fastest, 1, most, tap_numbered("a stiff bushing stays quiet; N/m:", stiffness));
    tap_most(d3_norm(d3_sub(d3_of(place[0]), d3_of(place[1]))), most, "and holds as a weld does, m");
}

// A stack on stiff rubber: 1 kg carried by 1e9 N/m, in every solver; between free bodies it keeps momentum.
static void test_stiff(uint8_t solver)
{
    begin(solver, 1e-3, 10.0);
    add_body(0, 0, 1, 0.1);
    add_bushing(0, 1, 1e9, 1e9, 0)->frame_b.p.x = (tac_real)-0.2;
    m.joint[0].frame_a.p.x = (tac_real)-0.2;
    begin_world(&m, &s);
    run(100);
    tap_most(d3_norm(d3_of(s.pose[1].p)), TOL(1e-8, 2e-7), "1e9 N/m under 1 kg is quiet, m");
    tap_near((double)w.joint[0].force.z, 10, TOL(1e-5, 1e-2), "it carries the weight, N");
    tap_near((double)w.joint[0].torque.y, -2, TOL(1e-5, 1e-2), "and its moment, N m");
}

static void test_bushing_momentum(void)
{
    double moved = 0.0;
    tac_vec3 p0, l0, p, l;
    begin(TAC_SOLVER_DIRECT, 1e-3, 0.0);
    for (uint16_t i = 1; i <= 2; i++) {
        tac_body *b = add_body(0.4 * i, 0, i, 0.02 * i);
        b->inertia.y *= (tac_real)1.4;
        b->velocity = (tac_twist){{0, (tac_real)(0.5 * i), 1}, {1, (tac_real)(i - 1.5), (tac_real)0.5}};
    }
    add_bushing(1, 2, 200, 2, 0.01)->frame_b.p.x = (tac_real)-0.4;
    begin_world(&m, &s);
    tac_momentum(&m, &s, &p0, &l0);
    for (int i = 0; i < 1000; i++) {
        run(1);
        tac_momentum(&m, &s, &p, &l);
        d_worst(&moved, d3_norm(d3_sub(d3_of(p), d3_of(p0))) / d3_norm(d3_of(p0)));
        d_worst(&moved, d3_norm(d3_sub(d3_of(l), d3_of(l0))) / d3_norm(d3_of(l0)));
    }
    tap_most(moved, TOL(1e-10, 2e-5), "a bushing between free bodies keeps momentum");
}

// ------------------------------------------------------------------------------------------------------------- faults

static void refused(const char *name, uint16_t field)
{
    tac_fault fault;
    tap_ok(tac_model_check(&m, &fault) == TAC_E_MODEL && fault.field == field && fault.index == 2, name);
    tac_joint_init(&m.joint[2], TAC_COUPLING, 0, 1);
}

static void test_faults(void)
{
    tac_fault fault;
    wheels(TAC_SOLVER_DIRECT, 1, 1);
    couple(0, 1, 1);
    m.joint[2].body_b = 2;
    refused("a coupling of itself", TAC_FIELD_JOINT_BODY);
    m.joint[2].body_b = 0;
    refused("a coupling of a joint with itself", TAC_FIELD_JOINT_BODY);
    m.joint[2].length = 0;
    refused("a ratio of nothing", TAC_FIELD_JOINT_LENGTH);
    m.joint[2].speed = 0;
    refused("a motor that cannot move", TAC_FIELD_JOINT);
    m.joint[2].stop_stiffness = -1;
    refused("a stop that pulls", TAC_FIELD_JOINT_LIMIT);
    m.joint[2].stop_damping = 1;
    refused("a damper on a hard stop", TAC_FIELD_JOINT_LIMIT);
    m.joint[2].stop_stiffness = 1;
    m.joint[2].lower = m.joint[2].upper = 0;
    refused("a stop where there is no way", TAC_FIELD_JOINT_LIMIT);
    tac_joint_init(&m.joint[2], TAC_BUSHING, 0, 1);
    m.joint[2].about.y = -1;
    refused("a bushing that pushes away", TAC_FIELD_JOINT);
    m.joint[2].along_damping.z = (tac_real)NAN;
    tap_ok(tac_model_check(&m, &fault) == TAC_E_NAN && fault.field == TAC_FIELD_JOINT, "a damper that is no number");
    tac_joint_init(&m.joint[2], TAC_COUPLING, 0, 1);
    tap_ok(tac_model_check(&m, &fault) == TAC_OK, "the coupling itself is good");
    m.joint[1].kind = TAC_SPHERICAL;
    refused("a coupling of a joint without a coordinate", TAC_FIELD_JOINT_BODY);
    m.joint[1].kind = TAC_REVOLUTE;
    add_joint(TAC_COUPLING, 0, 2);
    tap_ok(tac_model_check(&m, &fault) == TAC_E_MODEL && fault.index == 3, "a coupling of a coupling");
    m.joints--;
    m.options.stabilise = 2;
    tap_ok(tac_model_check(&m, &fault) == TAC_E_MODEL && fault.field == TAC_FIELD_OPTIONS, "no such stabilisation");
    m.options.stabilise = 0;
    const uint32_t plain = tac_model_hash(&m);
    m.options.stabilise = 1;
    tap_ok(tac_model_hash(&m) != plain, "stabilisation is part of the hash");
    m.options.stabilise = 0;
    m.options.max_joint_turns = TAC_JOINT_TURNS + 1;
    tap_ok(tac_model_check(&m, &fault) == TAC_E_MODEL && fault.field == TAC_FIELD_OPTIONS,
           "so many turns are never taken");
    m.options.max_joint_turns = TAC_JOINT_TURNS - 1;
    tap_ok(tac_model_hash(&m) != plain, "their cap is part of the hash");
    m.options.max_joint_turns = TAC_JOINT_TURNS;
    tap_ok(tac_model_hash(&m) == plain, "the default is as it was");
    m.joint[2].kind = TAC_BUSHING;
    const uint32_t bushing = tac_model_hash(&m);
    m.joint[2].along_damping.z = 1;
    tap_ok(tac_model_hash(&m) != bushing, "so are the numbers of a bushing");
}

// A pendulum of two links whose joints are put together in so many turns at most.
static void test_capped(uint8_t most)
{
    double apart = 0.0;
    int more = 0;
    begin(TAC_SOLVER_ACCELERATED, 1e-3, 9.81);
    m.options.max_joint_turns = most;
    for (uint16_t i = 0; i < 2; i++) {
        add_body(0.25 + 0.5 * i, 0, 1, 0.02);
        tac_joint *j = add_joint(i ? TAC_SPHERICAL : TAC_REVOLUTE, i, (uint16_t)(i + 1));
        about_y(j);
        j->frame_a.p.x = (tac_real)(i ? 0.25 : 0);
        j->frame_b.p.x = (tac_real)-0.25;
    }
    begin_world(&m, &s);
    for (int i = 0; i < 500; i++) {
        d_worst(&apart, run(1));
        more += w.report.joint_turns > most;
    }
    tap_equal(more, 0, tap_numbered("joints take no more turns than", most));
    tap_most(apart, most ? TOL(1e-9, 1e-6) : 1e-3, "and are together, m");
}

int main(void)
{
    static const double ratio[4] = {1, -2.5, 100, 0.01};
    for (int i = 0; i < 4; i++) { test_gear(0.1, i == 2 ? 1e-5 : 0.2, ratio[i], TAC_SOLVER_DIRECT); }
    test_gear(0.1, 0.2, -2.5, TAC_SOLVER_ACCELERATED);
    test_turns(2.5, TOL(1e-10, 1e-5));
    test_turns(-0.3, TOL(1e-10, 1e-4));
    test_torn();
    test_stabilised_gear();
    test_rack(1e-3);
    test_rack(1);
    test_rack(100);
    test_mimic();
    test_backlash();
    test_elastic();
    test_planetary();
    test_differential();
    test_momentum(TAC_SOLVER_DIRECT);
    if (!FLOAT) { test_momentum(TAC_SOLVER_ACCELERATED); }
    test_fingers();
    test_between();
    test_speed();
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
    test_capped(TAC_JOINT_TURNS);
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
    test_deflection(TAC_SOLVER_DIRECT, 1);
    test_deflection(TAC_SOLVER_DIRECT, 1e-3);
    test_deflection(TAC_SOLVER_DIRECT, 100);
    test_deflection(TAC_SOLVER_ACCELERATED, 1);
    test_swing(0);
    test_swing(1);
    test_weld(1e8, TOL(1e-3, 1e-3));
    test_weld(1e12, TOL(1e-6, 1e-3));
    test_stiff(TAC_SOLVER_DIRECT);
    test_stiff(TAC_SOLVER_ACCELERATED);
    test_bushing_momentum();
    test_faults();
    return tap_done();
}
