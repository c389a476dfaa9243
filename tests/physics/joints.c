// SPDX-License-Identifier: MIT
// config: robots
// variants: gcc-O2-32 gcc-O2-64
// Joints: every kind holds what it should and nothing else, keeps momentum and energy; chains, loops, limits, motors,
// friction, ropes, reactions, coordinates.
#include "mechanism.h"
#include "used.h"
#include <math.h>

static tac_state kept;
static uint8_t solver; // of the worlds

static double draw(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / 8388608.0 - 1.0;
}

static tac_vec3 draw_vector(uint32_t *seed, double size)
{
    const tac_real x = (tac_real)(size * draw(seed)), y = (tac_real)(size * draw(seed));
    return (tac_vec3){x, y, (tac_real)(size * draw(seed))};
}

static tac_quat draw_turn(uint32_t *seed)
{
    const double a[4] = {draw(seed), draw(seed), draw(seed), draw(seed)};
    const double n = d_sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2] + a[3] * a[3]);
    return (tac_quat){(tac_real)(a[0] / n), (tac_real)(a[1] / n), (tac_real)(a[2] / n), (tac_real)(a[3] / n)};
}

// ------------------------------------------------------------------------------------------------------------- kinds

static const char *const KIND[TAC_BUSHING + 1] = {"fixed",    "revolute",           "prismatic", "screw",
                                                  "distance", "spherical",          "universal", "cylindrical",
                                                  "planar",   "revolute-spherical", "coupling",  "bushing"};

// Two bodies with random masses' frames, joined by random frames, in random motion.
static void two_bodies(uint8_t kind, int ground)
{
    uint32_t seed = 77u + kind;
    begin(solver, 1e-3, 0.0);
    for (int i = 0; i < 2; i++) {
        tac_body *b = add_body(0, 0, 1 + i, 0.1);
        b->pose = (tac_pose){draw_vector(&seed, 0.3), draw_turn(&seed)};
        b->inertial = (tac_pose){draw_vector(&seed, 0.1), draw_turn(&seed)};
        b->inertia = (tac_vec3){(tac_real)0.1, (tac_real)0.15, (tac_real)0.2};
        b->velocity = (tac_twist){draw_vector(&seed, 1.0), draw_vector(&seed, 3.0)};
    }
    tac_joint *j = add_joint(kind, ground ? 0 : 1, 2);
    j->frame_a = (tac_pose){draw_vector(&seed, 0.3), draw_turn(&seed)};
    j->frame_b = (tac_pose){draw_vector(&seed, 0.3), draw_turn(&seed)};
    j->length = (tac_real)(kind == TAC_SCREW ? 0.05 : 0.4);
    if (kind == TAC_DISTANCE) { j->lower = j->upper = (tac_real)0.5; }
    *j = used(j);
    begin_world(&m, &s);
    const tac_joint_state x = {(tac_real)0.3, 0};
    tac_state_set_joints(&m, &s, &x);
}

static void test_kind(uint8_t kind, int ground)
{
    double apart = 0.0, lost = 0.0, moved = 0.0, sweeps = 0.0;
    tac_vec3 p0, l0, p, l;
    two_bodies(kind, ground);
    for (int i = 0; i < 10; i++) { tac_step(&m, &s, NULL, &w); } // a rod is put together first
    tac_momentum(&m, &s, &p0, &l0);
    const double start = energy();
    for (int i = 0; i < 500; i++) {
        tac_step(&m, &s, NULL, &w);
        d_worst(&apart, (double)w.report.joint_error);
        d_worst(&apart, joint_gap(&m, &s, &m.joint[0]));
        d_worst(&sweeps, w.report.sweeps);
        d_worst(&lost, energy() / start - 1.0);
        tac_momentum(&m, &s, &p, &l);
        const d3 dp = d3_sub(d3_of(p), d3_of(p0)), dl = d3_sub(d3_of(l), d3_of(l0));
        const double d[6] = {dp.x, dp.y, dp.z, dl.x, dl.y, dl.z};
        for (int k = 0; k < 6; k++) { d_worst(&moved, d[k]); }
    }
    const char *name = tap_joined(ground ? "on the ground, " : "", KIND[kind]);
    tap_most(apart, TOL(1e-12, 4e-6), tap_joined("stays together, m: ", name));
    tap_most(lost, 2e-4, tap_joined("keeps its energy: ", name));
    tap_most(sweeps, 1, "by one solution a step");
    if (!ground) { tap_most(moved, TOL(1e-10, 2e-5), tap_joined("keeps momentum: ", name)); }
}

// ------------------------------------------------------------------------------------------------- chains and loops

// Links of 0.5 m, hinged, released level; the last is heavier. Of a long chain every other joint is defined from the
// far end.
static void test_chain(int links, double tip, uint8_t kind, double tilt)
{
    double apart = 0.0, lost = 0.0, height = 0.0, turns = 0.0, sweeps = 0.0;
    begin(solver, 1e-3, 9.81);
    m.gravity.y = (tac_real)(9.81 * tilt);
    for (int i = 0; i < links; i++) {
        const double mass = i == links - 1 ? tip : 1.0;
        add_body(0.5 * (i + 0.5), 0, mass, mass * (0.25 + 0.0025) / 12.0)->inertia.x = (tac_real)(mass * 0.005 / 12.0);
        const int turned = links > 2 && i % 2;
        tac_joint *j = add_joint(kind, (uint16_t)(i + turned), (uint16_t)(i + !turned));
        about_y(j);
        (turned ? &j->frame_b : &j->frame_a)->p.x = (tac_real)(i > 0 ? 0.25 : 0.0);
        (turned ? &j->frame_a : &j->frame_b)->p.x = (tac_real)-0.25;
        height += 2.0 * mass * 9.81 * 0.5 * (i + 0.5);
    }
    begin_world(&m, &s);
    const double start = energy();
    for (int i = 0; i < 2000; i++) {
        const tac_status status = tac_step(&m, &s, NULL, &w);
        if (status < 0) { tap_ok(0, "the chain is stepped"); }
        d_worst(&apart, (double)w.report.joint_error);
        d_worst(&turns, w.report.joint_iterations);
        d_worst(&sweeps, w.report.sweeps);
        if (i < 1000) { d_worst(&lost, (energy() - start) / height); }
    }
    tap_most(apart, FLOAT ? 1e-6 : 1e-9, tap_numbered("chain stays together, m; links:", links));
    tap_ok(turns > 0 && turns <= TAC_JOINT_ITERATIONS, "in no more turns than there may be");
    tap_note("turns", turns);
    tap_most(sweeps, TOL(2, 30), "and few sweeps");
    tap_most(lost, 8e-4, tap_numbered("chain's energy in the first second; tip:", tip));
}

// A crank turned by a motor, coupler and rocker: a planar loop of four hinges, three of their rows redundant.
static void test_loop(void)
{
    double apart = 0.0, rate = 0.0;
    begin(solver, 1e-3, 9.81);
    add_body(0.0, 0.1, 1, 0.01);   // crank from (0,0) to (0,0.2)
    add_body(0.25, 0.35, 1, 0.05); // coupler from (0,0.2) to (0.5,0.5)
    add_body(0.5, 0.25, 1, 0.05);  // rocker from (0.5,0) to (0.5,0.5)
    const double at[4][2][2] = {
        {{0, 0}, {0, -0.1}}, {{0, 0.1}, {-0.25, -0.15}}, {{0.25, 0.15}, {0, 0.25}}, {{0.5, 0}, {0, -0.25}}};
    const uint16_t body[4][2] = {{0, 1}, {1, 2}, {2, 3}, {0, 3}};
    for (int i = 0; i < 4; i++) {
        tac_joint *j = add_joint(TAC_REVOLUTE, body[i][0], body[i][1]);
        about_y(j);
        j->frame_a.p = (tac_vec3){(tac_real)at[i][0][0], 0, (tac_real)at[i][0][1]};
        j->frame_b.p = (tac_vec3){(tac_real)at[i][1][0], 0, (tac_real)at[i][1][1]};
    }
    begin_world(&m, &s);
    input.motors = 1;
    input.motor[0] = (tac_motor){0, (tac_real)6.0, 0, 0, 0, 0, TAC_MOTOR_VELOCITY};
    for (int i = 0; i < 2000; i++) {
        tac_step(&m, &s, &input, &w);
        d_worst(&apart, (double)w.report.joint_error);
        if (i > 10) { d_worst(&rate, (double)look(0).velocity - 6.0); }
    }
    tap_most(apart, FLOAT ? 1e-6 : 1e-10, "four hinges of a loop stay together, m");
    tap_most(rate, FLOAT ? 2e-3 : 1e-8, "its crank turns as its motor wants, rad/s");
}

// ---------------------------------------------------------------------------------------------- along a coordinate

// A door with dry friction: stops after I w/T, at I w^2/2T, and stays. Of h, the step that ends is shared; here it has
// nothing to share, its friction ends at its bound and at rest: that is solved too.
static void test_friction(void)
{
    begin(solver, 1e-3, 0.0);
    add_body(0.5, 0, 2, 0.3)->velocity = (tac_twist){{0, 0, 1}, {0, -2, 0}};
    tac_joint *j = add_joint(TAC_REVOLUTE, 0, 1);
    about_y(j);
    j->frame_b.p.x = (tac_real)-0.5;
    j->friction = (tac_real)4.0;
    begin_world(&m, &s);
    const double spin = 0.3 + 2 * 0.25, rate = (double)look(0).velocity, size = d_abs(rate);
    int stopped = -1;
    tac_status status = TAC_OK;
    for (int i = 1; i <= 1000; i++) {
        status |= tac_step(&m, &s, NULL, &w);
        const int still = d_abs((double)look(0).velocity) < (FLOAT ? 1e-5 : 1e-10);
        if (still && stopped < 0) { stopped = i; }
        if (!still && stopped >= 0) { tap_ok(0, "it stays"); }
    }
    tap_near(size, 2.0, 1e-6, "a door opens at 2 rad/s");
    tap_equal(status, TAC_OK, "each step of it is solved");
    tap_near(stopped * 1e-3, spin * size / 4.0, 1.1e-3, "dry friction stops it when it should, s");
    tap_near(d_abs((double)look(0).position), spin * size * size / 8.0, 1e-3 * size, "where it should, rad");
}

// A pendulum that falls on a stop, rests there, and presses as it should.
static void test_limit(void)
{
    double beyond = 0.0;
    begin(solver, 1e-3, 10.0);
    add_body(0.5, 0, 2, 0.1);
    tac_joint *j = add_joint(TAC_REVOLUTE, 0, 1);
    about_y(j);
    j->frame_b.p.x = (tac_real)-0.5;
    j->lower = (tac_real)-0.5;
    j->upper = (tac_real)0.5;
    begin_world(&m, &s);
    for (int i = 0; i < 2000; i++) {
        tac_step(&m, &s, NULL, &w);
        const double q = d_abs((double)look(0).position);
        if (q > 0.5) { d_worst(&beyond, q - 0.5); }
    }
    tap_most(beyond, 1e-5, "a limit is not passed by more than the arc of a step, rad");
    tap_most((double)look(0).velocity, FLOAT ? 1e-5 : 1e-9, "at its stop it rests, rad/s");
    tap_near(d_abs((double)w.joint[0].effort[TAC_EFFORT_LIMIT]), 2 * 10 * 0.5 * d_cos(0.5), FLOAT ? 1e-2 : 1e-3,
             "and presses as it should, N m");
}

// A limit beyond half a turn: q runs on past pi to it.
static void test_far_limit(void)
{
    begin(solver, 1e-3, 0.0);
    add_body(0, 0, 2, 0.5)->velocity.w.z = (tac_real)4.0;
    tac_joint *j = add_joint(TAC_REVOLUTE, 0, 1);
    j->lower = (tac_real)-0.6;
    j->upper = (tac_real)4.2;
    begin_world(&m, &s);
    for (int i = 0; i < 1500; i++) { tac_step(&m, &s, NULL, &w); }
    tap_near((double)look(0).position, 4.2, FLOAT ? 1e-5 : 1e-9, "a limit beyond half a turn is met there, rad");
}

// A wheel at rest, whose limit no step comes near; then a motor drives it there within one.
static void test_sudden_limit(double friction)
{
    begin(solver, 1e-3, 0.0);
    add_body(0, 0, 2, 0.5);
    tac_joint *j = add_joint(TAC_REVOLUTE, 0, 1);
    j->lower = (tac_real)-1.0;
    j->upper = (tac_real)2.0;
    j->friction = (tac_real)friction;
    begin_world(&m, &s);
    input.motors = 1;
    input.motor[0] = (tac_motor){0, 0, 0, 0, 0, 0, TAC_MOTOR_EFFORT};
    for (int i = 0; i < 10; i++) { tac_step(&m, &s, &input, &w); }
    input.motor[0].effort = (tac_real)-1e6; // 2 rad a step
    tap_equal(tac_step(&m, &s, &input, &w), TAC_OK, "a motor that drives a wheel to its limit in a step is solved");
    input.motors = 0;
    tap_near((double)look(0).position, -1.0, FLOAT ? 1e-6 : 1e-12, "the wheel is at its limit, rad");
    tap_near((double)w.joint[0].effort[TAC_EFFORT_LIMIT], 5e5 - friction, FLOAT ? 1.0 : 1e-2, // tolerance: 1e-8
             "which bears the rest, N m");
}

// Motors on a wheel: effort, velocity with too little effort, PD, position.
static void test_motors(void)
{
    begin(solver, 1e-3, 9.81);
    add_body(0, 0, 2, 0.5);
    add_joint(TAC_REVOLUTE, 0, 1)->effort = (tac_real)3.0;
    begin_world(&m, &s);
    input.motors = 1;
    input.motor[0] = (tac_motor){0, 0, (tac_real)5.0, 0, 0, 0, TAC_MOTOR_EFFORT};
    for (int i = 0; i < 100; i++) { tac_step(&m, &s, &input, &w); }
    tap_near((double)look(0).velocity, 0.1 * 3.0 / 0.5, FLOAT ? 1e-5 : 1e-12,
             "an effort is bounded by the joint's, rad/s");
    input.motor[0] = (tac_motor){0, (tac_real)-1.0, 0, 0, 0, 0, TAC_MOTOR_VELOCITY};
    for (int i = 0; i < 100; i++) { tac_step(&m, &s, &input, &w); }
    tap_near((double)look(0).velocity, 0.0, FLOAT ? 1e-5 : 1e-9, "a speed is sought with all of it, rad/s");
    for (int i = 0; i < 400; i++) { tac_step(&m, &s, &input, &w); }
    tap_near((double)look(0).velocity, -1.0, FLOAT ? 1e-5 : 1e-9, "until it is there, rad/s");
    input.motor[0] = (tac_motor){(tac_real)0.3, 0, 0, (tac_real)50.0, (tac_real)10.0, 0, TAC_MOTOR_PD};
    for (int i = 0; i < 4000; i++) { tac_step(&m, &s, &input, &w); }
    tap_near((double)look(0).position, 0.3, FLOAT ? 1e-5 : 1e-6, "a PD motor comes to its place, rad");
    for (int i = 0; i < 100; i++) {
        input.motor[0] = (tac_motor){(tac_real)(0.3 + 1.5e-6 * i * i), 0, 0, 0, 0, 0, TAC_MOTOR_POSITION};
        tac_step(&m, &s, &input, &w);
    }
    tap_near((double)look(0).position, 0.3 + 1.5e-6 * 99 * 99, FLOAT ? 1e-5 : 1e-9,
             "and so does one that is told where, rad");
}

// A slide of 2 kg on a spring: one that the step resolves keeps its energy, one that it does not stays quiet, and a
// damper takes what it should: without a spring v = v0 (1 + h d/m)^-n.
static void test_spring(void)
{
    double most = 0.0, rate = 1.0, sweeps = 0.0;
    for (int stiff = 0; stiff < 2; stiff++) {
        begin(solver, 1e-3, 0.0);
        add_body(0, 0.1, 2, 0.1);
        add_joint(TAC_PRISMATIC, 0, 1)->stiffness = (tac_real)(stiff ? 1e9 : 800.0);
        begin_world(&m, &s);
        for (int i = 0; i < 3000; i++) {
            tac_step(&m, &s, NULL, &w);
            const double q = d_abs((double)look(0).position);
            if (!stiff) { d_worst(&sweeps, w.report.sweeps); }
            if (i >= 2600 && q > most) { most = q; }
        }
        if (!stiff) { tap_near(most, 0.1, 1e-3, "a soft spring swings as far after ten turns, m"); }
        most = 0.0;
    }
    tap_most((double)look(0).position, 1e-6, "one too stiff for the step comes to rest, m");

    begin(solver, 1e-3, 0.0);
    add_body(0, 0, 2, 0.1)->velocity.v.z = 1;
    add_joint(TAC_PRISMATIC, 0, 1)->damping = (tac_real)5.0;
    begin_world(&m, &s);
    for (int i = 0; i < 400; i++) {
        tac_step(&m, &s, NULL, &w);
        rate /= 1.0 + 1e-3 * 5.0 / 2.0;
        d_worst(&sweeps, w.report.sweeps);
    }
    tap_near((double)look(0).velocity, rate, FLOAT ? 1e-5 : 1e-12, "a damper slows it, m/s");
    tap_most(sweeps, 2, "a soft spring and a damper take few sweeps");
}

// A rotor is felt behind its gear: alpha = T/(I + armature).
static void test_armature(void)
{
    begin(solver, 1e-3, 0.0);
    add_body(0, 0, 2, 0.5);
    add_joint(TAC_REVOLUTE, 0, 1)->armature = (tac_real)1.5;
    begin_world(&m, &s);
    input.motors = 1;
    input.motor[0] = (tac_motor){0, 0, (tac_real)4.0, 0, 0, 0, TAC_MOTOR_EFFORT};
    for (int i = 0; i < 100; i++) { tac_step(&m, &s, &input, &w); }
    tap_near((double)look(0).velocity, 0.1 * 4.0 / 2.0, FLOAT ? 1e-5 : 1e-12, "an armature adds to the inertia, rad/s");
}

enum { OPEN, CLOSED, COUPLED, ROD };

// A load of 1 kg on a slide along an arm.
static void add_load(double rate)
{
    const uint16_t load = m.bodies;
    add_body(0.5, 0, 1, 1e-6)->velocity = (tac_twist){{0, (tac_real)(0.5 * rate), 0}, {0, 0, (tac_real)rate}};
    tac_joint *j = add_joint(TAC_PRISMATIC, 1, load);
    j->frame_a.q = j->frame_b.q = dq_to(dq_about(d3_make(0, 1, 0), TRUTH_PI / 2)); // z along x
    j->frame_b.p.x = (tac_real)-0.5;
}

// A rotor feels how the direction of its coordinate turns. Behind a slide along an arm that keeps its rate r'' (1 + I)
// = r rate^2, whether a second hinge closes a loop or not; r'' (1 + 2 I) where it is coupled to the sum of two such
// slides; behind a rod, which keeps its spin L, r'' (1 + I) = L^2/r^3.
static void test_turning_rotor(int how)
{
    const double rate = 5, inertia = 2, spin = 0.25 * rate, mass = how == COUPLED ? 1 + 2 * inertia : 1 + inertia;
    double r = 0.5, v = 0;
    begin(solver, 1e-3, 0.0);
    add_body(0, 0, 1, 1e6)->velocity.w.z = (tac_real)rate;
    add_joint(TAC_REVOLUTE, 0, 1);
    if (how == ROD) {
        add_body(0.5, 0, 1, 0.01)->velocity.v.y = (tac_real)(0.5 * rate);
        add_joint(TAC_DISTANCE, 0, 2);
    } else {
        add_load(rate);
    }
    const uint32_t watched = m.joints - 1;
    if (how == CLOSED) { add_joint(TAC_REVOLUTE, 0, 1); }
    if (how == COUPLED) {
        add_load(rate);
        add_joint(TAC_COUPLING, 1, 2)->length = -1;
    }
    m.joint[how == COUPLED ? 3 : watched].armature = (tac_real)inertia;
    begin_world(&m, &s);
    for (int i = 0; i < 500; i++) { tac_step(&m, &s, NULL, &w); }
    for (int i = 0; i < 50000; i++) {
        v += 1e-5 * (how == ROD ? spin * spin / (r * r * r) : rate * rate * r) / mass;
        r += 1e-5 * v;
    }
    tap_near((how == ROD ? 0 : 0.5) + (double)look(watched).position, r, 4e-3 * r,
             "a rotor turns with its coordinate, m");
}

// Bodies that a joint joins do not collide, unless it says so.
static void test_neighbours(void)
{
    for (uint8_t collide = 0; collide < 2; collide++) {
        begin(solver, 1e-3, 0.0);
        tac_model_add_material(&m, (tac_real)0.5, 0);
        for (uint16_t i = 1; i <= 2; i++) {
            add_body(0.1 * i, 0, 1, 0.1);
            const tac_shape ball = tac_shape_make(i, TAC_SPHERE, (tac_vec3){(tac_real)0.1, 0, 0});
            tac_model_add_shape(&m, &ball);
        }
        tac_joint *j = add_joint(TAC_SPHERICAL, 1, 2);
        j->frame_a.p.x = (tac_real)0.1;
        j->collide = collide;
        begin_world(&m, &s);
        tac_step(&m, &s, NULL, &w);
        tap_equal(w.report.contacts, collide, collide ? "unless the joint says so" : "neighbours do not collide");
    }
}

// What is prescribed is where it should be at the end of each step, whatever it weighs.
static void test_prescribed(uint8_t kind)
{
    double off = 0.0, many = 0.0;
    begin(solver, 1e-3, 9.81);
    add_body(0, 0, 1000, 0.5);
    tac_joint *j = add_joint(kind, 0, 1);
    if (kind == TAC_SCREW) { j->length = (tac_real)-0.3; }
    begin_world(&m, &s);
    input.motors = 1;
    for (int i = 1; i <= 500; i++) {
        const double goal = 0.2 * d_sin(0.01 * i);
        input.motor[0] = (tac_motor){(tac_real)goal, 0, 0, 0, 0, 0, TAC_MOTOR_POSITION};
        tac_step(&m, &s, &input, &w);
        d_worst(&off, (double)look(0).position - goal);
        many += w.report.sweeps > TOL(2, 12);
    }
    tap_most(off, TOL(1e-12, 1e-6), tap_joined("prescribed motion is followed:", KIND[kind]));
    tap_most(many, TOL(0, 5), "and few sweeps: not in more than one step of a hundred more than a dozen");
}

// A weight on a rope of 1 m: falls freely, is held; the rope pulls with its weight.
static void test_rope(void)
{
    double length = 0.0;
    begin(solver, 1e-3, 10.0);
    add_body(0.3, 0, 2, 0.1);
    tac_joint *j = add_joint(TAC_DISTANCE, 0, 1);
    j->lower = 0;
    j->upper = 1;
    j->damping = (tac_real)0.0;
    begin_world(&m, &s);
    for (int i = 0; i < 200; i++) { tac_step(&m, &s, NULL, &w); }
    tap_near((double)tac_state_get_pose(&m, &s, 1).p.z, -0.5 * 10 * 0.2 * 0.201, 1e-5, "a slack rope does nothing, m");
    for (int i = 0; i < 3000; i++) {
        tac_step(&m, &s, NULL, &w);
        if ((double)look(0).position > length) { length = (double)look(0).position; }
    }
    tap_near(length, 1.0, 1e-4, "a taut one is as long as it is, m");
}

// --------------------------------------------------------------------------------------------- reactions, coordinates

static void test_reaction(void)
{
    begin(solver, 1e-3, 10.0);
    m.options.tolerance = TOL(1e-10, TAC_AUTO); // the default in double leaves 2e-8 N
    add_body(0.5, 0, 2, 0.1);
    add_joint(TAC_FIXED, 0, 1)->frame_b.p.x = (tac_real)-0.5;
    begin_world(&m, &s);
    for (int i = 0; i < 10; i++) { tac_step(&m, &s, NULL, &w); }
    const tac_joint_result *r = &w.joint[0];
    tap_ok(d3_norm(d3_of(r->force)) == 0.0, "reactions are not computed unless they are asked for");
    tap_equal(tac_reactions(&m, &w), TAC_OK, "they are asked for");
    tap_near((double)r->force.z, 20.0, FLOAT ? 1e-4 : 1e-9, "a weld carries the weight, N");
    tap_near((double)r->torque.y, -10.0, FLOAT ? 1e-4 : 1e-9, "and its moment about the joint, N m");
}

static void test_coordinates(void)
{
    static const uint8_t kind[4] = {TAC_REVOLUTE, TAC_PRISMATIC, TAC_SCREW, TAC_REVOLUTE};
    uint32_t seed = 5;
    double error = 0.0;
    begin(solver, 1e-3, 9.81);
    for (uint16_t i = 0; i < 4; i++) {
        add_body(0.1 * i, 0, 1, 0.1);
        tac_joint *j = add_joint(kind[i], i, (uint16_t)(i + 1));
        j->frame_a = (tac_pose){draw_vector(&seed, 0.3), draw_turn(&seed)};
        j->frame_b = (tac_pose){draw_vector(&seed, 0.3), draw_turn(&seed)};
        if (kind[i] == TAC_SCREW) { j->length = (tac_real)0.1; }
    }
    begin_world(&m, &s);
    tac_joint_state x[4];
    for (int i = 0; i < 4; i++) { x[i] = (tac_joint_state){(tac_real)draw(&seed), (tac_real)draw(&seed)}; }
    tap_ok(tac_state_set_joints(&m, &s, x) == TAC_OK, "a tree is put where its coordinates have it");
    for (uint32_t i = 0; i < 4; i++) {
        d_worst(&error, (double)(look(i).position - x[i].position));
        d_worst(&error, (double)(look(i).velocity - x[i].velocity));
    }
    tap_most(error, FLOAT ? 4e-6 : 1e-14, "and reads the same");
    truth_copy(&kept, &s, sizeof kept);
    tac_step(&m, &s, NULL, &w); // impulses have only gravity and the arc of one step to answer
    error = 0.0;
    for (int i = 1; i <= 4; i++) { d_worst(&error, d3_norm(d3_sub(d3_of(s.twist[i].v), d3_of(kept.twist[i].v)))); }
    tap_most(error, 0.05, "its velocities belong to its joints, m/s");
    tac_step(&m, &s, NULL, &w);
    tap_most((double)w.report.joint_error, FLOAT ? 2e-6 : 1e-14, "its joints are together, m");
    x[2].velocity = (tac_real)NAN;
    truth_copy(&kept, &s, sizeof kept);
    tap_ok(tac_state_set_joints(&m, &s, x) == TAC_E_NAN, "coordinates must be finite");
    tap_hash(tac_state_hash(&m, &s), tac_state_hash(&m, &kept), "nothing changes then");
}

// -------------------------------------------------------------------------------------------------------------- faults

static void refused(const char *name, uint16_t field)
{
    tac_fault fault;
    tap_ok(tac_model_check(&m, &fault) == TAC_E_MODEL && fault.field == field && fault.index == 0, name);
    tac_joint_init(&m.joint[0], TAC_REVOLUTE, 0, 1);
}

static void test_faults(void)
{
    tac_fault fault;
    begin(solver, 1e-3, 9.81);
    add_body(0, 0, 1, 1);
    add_joint(TAC_REVOLUTE, 0, 1);
    m.joint[0].kind = TAC_JOINT_KINDS;
    refused("no such kind of joint", TAC_FIELD_JOINT_KIND);
    m.joint[0].body_b = 2;
    refused("no such body of a joint", TAC_FIELD_JOINT_BODY);
    m.joint[0].body_b = 0;
    refused("a joint of one body", TAC_FIELD_JOINT_BODY);
    m.joint[0].frame_a.q.w = 2;
    refused("a frame that is no rotation", TAC_FIELD_JOINT_FRAME);
    m.joint[0].friction = -1;
    refused("friction below zero", TAC_FIELD_JOINT_FRICTION);
    m.joint[0].rest = (tac_real)NAN;
    tap_ok(tac_model_check(&m, &fault) == TAC_E_NAN && fault.field == TAC_FIELD_JOINT_REST, "a spring at rest nowhere");
    tac_joint_init(&m.joint[0], TAC_REVOLUTE, 0, 1);
    m.joint[0].kind = TAC_REVOLUTE_SPHERICAL;
    m.joint[0].length = 0;
    refused("a circle without radius", TAC_FIELD_JOINT_LENGTH);
    m.joint[0].kind = TAC_DISTANCE;
    m.joint[0].lower = m.joint[0].upper = 0;
    refused("a rod without length", TAC_FIELD_JOINT_LIMIT);
    tap_ok(tac_model_check(&m, &fault) == TAC_OK, "the joint itself is good");

    begin_world(&m, &s);
    input.motors = 1;
    input.motor[0] = (tac_motor){0, 0, 0, 0, 0, 1, TAC_MOTOR_PD};
    tap_ok(tac_step(&m, &s, &input, &w) == TAC_E_ARG && w.report.fault.field == TAC_FIELD_MOTOR_JOINT, "no such joint");
    input.motor[0] = (tac_motor){0, 0, 0, -1, 0, 0, TAC_MOTOR_PD};
    tap_ok(tac_step(&m, &s, &input, &w) == TAC_E_ARG && w.report.fault.field == TAC_FIELD_MOTOR_STIFFNESS,
           "a PD that pushes away");
    input.motor[0] = (tac_motor){(tac_real)NAN, 0, 0, 0, 0, 0, TAC_MOTOR_PD};
    tap_ok(tac_step(&m, &s, &input, &w) == TAC_E_NAN, "a goal that is no number");
    input.motors = TAC_MAX_JOINTS + 1;
    tap_ok(tac_step(&m, &s, &input, &w) == TAC_E_ARG && w.report.fault.field == TAC_FIELD_COUNT,
           "more motors than room");
}

// Matrix of all joints, or trees and where there are none the matrix: the same answers.
static void test_all(uint8_t by)
{
    solver = by;
    for (uint8_t kind = 0; kind <= TAC_REVOLUTE_SPHERICAL; kind++) {
        test_kind(kind, 0);
        test_kind(kind, 1);
    }
    test_chain(2, 100, TAC_REVOLUTE, 0.0);
    test_chain(5, 1, TAC_REVOLUTE, 0.0);
    test_chain(5, 100, TAC_REVOLUTE, 0.0);
    test_chain(5, 100, TAC_SPHERICAL, 0.0);
    test_chain(5, 100, TAC_REVOLUTE, 0.1);
    test_loop();
    test_friction();
    test_limit();
    test_far_limit();
    test_sudden_limit(0.0);
    test_sudden_limit(3.0);
    test_motors();
    test_spring();
    test_armature();
    for (int how = OPEN; how <= ROD; how++) { test_turning_rotor(how); }
    test_neighbours();
    test_prescribed(TAC_REVOLUTE);
    test_prescribed(TAC_PRISMATIC);
    test_prescribed(TAC_SCREW);
    test_rope();
    test_reaction();
    test_coordinates();
}

int main(void)
{
    test_all(TAC_SOLVER_DIRECT);
    test_all(TAC_SOLVER_ACCELERATED);
    test_faults();
    return tap_done();
}
