// SPDX-License-Identifier: MIT
// config: robots
// variants: gcc-O2-32 gcc-O2-64
// Gears, racks, mimicking fingers, play, differentials: the coordinate that two joints have together; what is refused.
#include "driving.h"

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
    tap_near((double)w.joint[2].effort[TAC_EFFORT_MOTOR] / (other * alpha * ratio), 1,
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
    for (int i = 0; i < 3; i++) {
        tap_ok(tac_step(&m, &s, &input, &w) >= 0, "a step is taken, solved if joints hold after it");
    }
    run(1);
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
    tap_ok(tac_state_set_joints(&m, &s, x) == TAC_OK, "wheels are put where turns have brought them");
    tap_near((double)look(2).position, 0, TOL(1e-14, 4e-6), "their coupling counts these, rad");
    const tac_joint_state before = look(0);
    tap_most(run(1), TOL(1e-14, 1e-6), "and agrees, m");
    tap_near((double)(look(0).position - before.position), 1e-3, TOL(1e-12, 1e-6), "they go on from there, rad");
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
    refused("a motor that cannot move", TAC_FIELD_JOINT_SPEED);
    m.joint[2].stop_stiffness = -1;
    refused("a stop that pulls", TAC_FIELD_JOINT_STOP);
    m.joint[2].stop_damping = 1;
    refused("a damper on a hard stop", TAC_FIELD_JOINT_STOP);
    m.joint[2].stop_stiffness = 1;
    m.joint[2].lower = m.joint[2].upper = 0;
    refused("a stop where there is no way", TAC_FIELD_JOINT_STOP);
    tac_joint_init(&m.joint[2], TAC_BUSHING, 0, 1);
    m.joint[2].about.y = -1;
    refused("a bushing that pushes away", TAC_FIELD_JOINT_SPRINGS);
    tac_joint_init(&m.joint[2], TAC_BUSHING, 0, 1);
    m.joint[2].along_damping.z = (tac_real)NAN;
    tap_ok(tac_model_check(&m, &fault) == TAC_E_NAN && fault.field == TAC_FIELD_JOINT_SPRINGS, "a damper that is no number");
    tac_joint_init(&m.joint[2], TAC_COUPLING, 0, 1);
    tap_ok(tac_model_check(&m, &fault) == TAC_OK, "the coupling itself is good");
    m.joint[1].kind = TAC_SPHERICAL;
    refused("a coupling of a joint without a coordinate", TAC_FIELD_JOINT_BODY);
    m.joint[1].kind = TAC_REVOLUTE;
    add_joint(TAC_COUPLING, 0, 2);
    tap_ok(tac_model_check(&m, &fault) == TAC_E_MODEL && fault.index == 3, "a coupling of a coupling");
    m.joints--;
    m.options.stabilise = 2;
    tap_ok(tac_model_check(&m, &fault) == TAC_E_MODEL && fault.field == TAC_FIELD_STABILISE, "no such stabilisation");
    m.options.stabilise = 0;
    const uint32_t plain = tac_model_hash(&m);
    m.options.stabilise = 1;
    tap_ok(tac_model_hash(&m) != plain, "stabilisation is part of the hash");
    m.options.stabilise = 0;
    m.options.max_joint_iterations = TAC_JOINT_ITERATIONS + 1;
    tap_ok(tac_model_check(&m, &fault) == TAC_E_MODEL && fault.field == TAC_FIELD_MAX_JOINT_ITERATIONS,
           "so many turns are never taken");
    m.options.max_joint_iterations = TAC_JOINT_ITERATIONS - 1;
    tap_ok(tac_model_hash(&m) != plain, "their cap is part of the hash");
    m.options.max_joint_iterations = TAC_JOINT_ITERATIONS;
    tap_ok(tac_model_hash(&m) == plain, "the default is as it was");
    m.joint[2].kind = TAC_BUSHING;
    const uint32_t bushing = tac_model_hash(&m);
    m.joint[2].along_damping.z = 1;
    tap_ok(tac_model_hash(&m) != bushing, "so are the numbers of a bushing");
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
    test_faults();
    return tap_done();
}
