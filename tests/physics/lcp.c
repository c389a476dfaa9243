// SPDX-License-Identifier: MIT
// config: all
// variants: all
// The step of T03: its example to the digit, its friction cone seen from all sides, joints with dry friction, limits
// and motors, loops; random worlds of joints; against the cone program; what is refused.
#include "begin.h"
#include "bodies.h"
#include "jointed.h"

static tac_model m;
static tac_state s;
static tac_work w;
static tac_input input;
static tac_lcp q;

static void begin(double h, double friction)
{
    tac_model_init(&m);
    tac_lcp_init(&q);
    truth_fill(&input, sizeof input, 0);
    m.h = (tac_real)h;
    m.gravity = vec(0, 0, -9.81);
    tac_model_add_material(&m, (tac_real)friction, 0);
}

// ------------------------------------------------------------------------------------------------- T03, section 4

// A sphere of 1 kg and 1 m that slides at 2 m/s in the direction `along`, mu = 0.2, h = 0.12 s.
static void sphere(d3 along, uint8_t directions)
{
    begin(0.12, 0.2);
    add_floor(&m);
    const uint16_t b = add_body(&m, d3_make(0, 0, 1), 1, d3_make(0.4, 0.4, 0.4));
    const tac_shape ball = tac_shape_make(b, TAC_SPHERE, vec(1, 0, 0));
    tac_model_add_shape(&m, &ball);
    m.body[b].velocity.v = d3_to(d3_scale(2, along));
    q.directions = directions;
    begin_world(&m, &s);
}

static void test_numbers(void)
{
    static const double F[6][6] = {{1, 0, 0, 0, 0, 0},      {0, 3.5, -3.5, 0, 0, 1}, {0, -3.5, 3.5, 0, 0, 1},
                                   {0, 0, 0, 3.5, -3.5, 1}, {0, 0, 0, -3.5, 3.5, 1}, {0.2, -1, -1, -1, -1, 0}};
    double matrix = 0, vector = 0;
    sphere(d3_make(1, 0, 0), 4);
    tap_equal(tac_step_lcp(&m, &s, NULL, &w, &q), TAC_OK, "T03's sphere takes a step");
    tap_equal(q.rows, 6, "of six rows");
    const d3 u = d3_of(w.contact[0].u), v = d3_of(w.contact[0].w);
    const double f[6] = {-9.81 * 0.12, 2 * u.x, -2 * u.x, 2 * v.x, -2 * v.x, 0};
    for (uint32_t i = 0; i < 6; i++) {
        for (uint32_t j = 0; j < 6; j++) { d_worst(&matrix, (double)q.F[i][j] - F[i][j]); }
        d_worst(&vector, (double)q.f[i] - f[i]);
    }
    tap_most(matrix, TOL(2e-15, 1e-6), "F is (48)");
    tap_most(vector, TOL(2e-15, 1e-6), "f is (49)");
    tap_most(q.residual, TOL(1e-15, 1e-7), "F z + f and z are complementary");
}

// Slides until 2/7 v0/(mu g), then rolls: v = 5/7 v0. One of the directions is against the velocity.
static void test_velocities(d3 along, uint8_t directions, uint8_t method, const char *name)
{
    double worst = 0;
    sphere(along, directions);
    q.method = method;
    for (int i = 1; i <= 5; i++) {
        tac_step_lcp(&m, &s, NULL, &w, &q);
        const double t = 0.12 * i, v = d_max(2 - 0.2 * 9.81 * t, 10.0 / 7),
                     spin = d_min(0.2 * 9.81 * 2.5 * t, 10.0 / 7);
        const d3 axis = d3_cross(d3_make(0, 0, 1), along);
        const d3 turn = dq_rotate(dq_of(s.pose[1].q), d3_of(s.twist[1].w));
        d_worst(&worst, d3_norm(d3_sub(d3_of(s.twist[1].v), d3_scale(v, along))));
        d_worst(&worst, d3_norm(d3_sub(turn, d3_scale(spin, axis))));
    }
    tap_most(worst, method == TAC_LCP_LEMKE ? TOL(1e-14, 2e-6) : TOL(1e-8, 1e-4), name);
    tap_equal(s.warm_unsolved, 0, "and the last step is solved");
}

// ---------------------------------------------------------------------------------------------------- friction cone

// The acceleration of a cube of 1 kg under a push at `angle` from the first direction, of `part` of mu m g.
static double pushed(uint8_t directions, double angle, double part)
{
    begin(0.01, 0.5);
    add_floor(&m);
    const uint16_t b = add_body(&m, d3_make(0, 0, 0.1), 1, d3_make(0.01, 0.01, 0.01));
    const tac_shape box = tac_shape_make(b, TAC_BOX, vec(0.1, 0.1, 0.1));
    tac_model_add_shape(&m, &box);
    q.directions = directions;
    begin_world(&m, &s);
    const double force = part * 0.5 * 9.81;
    input.actions = 1;
    input.action[0] = (tac_action){.body = b, .kind = TAC_WRENCH_WORLD};
    input.action[0].linear = vec(force * d_cos(angle), force * d_sin(angle), 0);
    input.action[0].point = vec(0, 0, -0.1); // it does not tip the cube
    for (int i = 0; i < 5; i++) { tac_step_lcp(&m, &s, &input, &w, &q); }
    return d3_norm(d3_of(s.twist[1].v)) / 0.05;
}

static void test_cone(void)
{
    const double middle4 = TRUTH_PI / 4, middle16 = TRUTH_PI / 16, cosine16 = 0.98078528040323044913;
    const double still = TOL(1e-12, 1e-4);
    tap_most(pushed(4, 0, 0.99), still, "4 directions: along one of them it sticks up to mu");
    tap_least(pushed(4, 0, 1.01), 0.01, "and slides beyond");
    tap_most(pushed(4, middle4, 0.99 * 0.70710678), still, "between two of them up to mu/sqrt 2");
    tap_least(pushed(4, middle4, 1.01 * 0.70710678), 0.01, "and not up to mu");
    tap_most(pushed(16, middle16, 0.99 * cosine16), still, "16 directions: up to 2 % less than mu");
    tap_least(pushed(16, middle16, 1.01 * cosine16), 0.01, "and slides beyond");
    tap_most(pushed(16, 0, 0.99), still, "along one of them up to mu");
}

// ----------------------------------------------------------------------------------------------------------- joints

// 2 kg on a slide along x that resists with 5 N; a force of `force` N.
static double slide(double force, double lower, double upper, int steps)
{
    tac_joint j;
    begin(0.01, 0);
    const uint16_t b = add_body(&m, d3_make(0, 0, 0), 2, d3_make(1, 1, 1));
    tac_joint_init(&j, TAC_PRISMATIC, 0, b);
    const double half = 0.70710678118654752;
    j.frame_a.q = j.frame_b.q = (tac_quat){(tac_real)half, 0, (tac_real)half, 0}; // its z along x
    j.friction = 5;
    j.lower = (tac_real)lower, j.upper = (tac_real)upper;
    tac_model_add_joint(&m, &j);
    begin_world(&m, &s);
    input.actions = 1;
    input.action[0] = (tac_action){.body = b, .kind = TAC_WRENCH_WORLD, .linear = vec(force, 0, 0)};
    for (int i = 0; i < steps; i++) { tac_step_lcp(&m, &s, &input, &w, &q); }
    return (double)s.twist[1].v.x;
}

static void test_slide(void)
{
    tap_most(d_abs(slide(4.9, -9, 9, 10)), TOL(1e-15, 1e-7), "dry friction of a joint (38) holds 4.9 of 5 N");
    tap_near(slide(7, -9, 9, 10), 0.1, TOL(1e-14, 1e-7), "and leaves 2 of 7 N");
    tap_near(w.joint[0].effort[TAC_EFFORT_FRICTION], -5, TOL(1e-13, 1e-5), "as the effort says, N");
    slide(7, -9, 0.02, 60);
    tap_near(s.pose[1].p.x, 0.02, TOL(1e-12, 1e-6), "a limit stops it");
    tap_near(w.joint[0].effort[TAC_EFFORT_LIMIT] + w.joint[0].effort[TAC_EFFORT_FRICTION], -7, TOL(1e-11, 1e-4),
             "and bears the rest");
}

// A wheel of 0.5 kg m2 on a hinge about z, whose motor has these bounds.
static void wheel(double effort, double speed, tac_motor motor)
{
    tac_joint j;
    begin(0.001, 0);
    m.gravity = vec(0, 0, 0);
    tac_joint_init(&j, TAC_REVOLUTE, 0, add_body(&m, d3_make(0, 0, 0), 1, d3_make(0.5, 0.5, 0.5)));
    if (effort > 0) { j.effort = (tac_real)effort; }
    if (speed > 0) { j.speed = (tac_real)speed; }
    tac_model_add_joint(&m, &j);
    begin_world(&m, &s);
    input.motors = 1;
    input.motor[0] = motor;
}

static void test_motor(void)
{
    wheel(2, 0, (tac_motor){.velocity = 1, .kind = TAC_MOTOR_VELOCITY});
    for (int i = 0; i < 100; i++) { tac_step_lcp(&m, &s, &input, &w, &q); }
    tap_near(s.twist[1].w.z, 0.4, TOL(1e-13, 1e-5), "a motor of 2 N m accelerates 0.5 kg m2 by 4 rad/s2");
    for (int i = 0; i < 200; i++) { tac_step_lcp(&m, &s, &input, &w, &q); }
    tap_near(s.twist[1].w.z, 1, TOL(1e-13, 1e-5), "until its speed is reached");
    tap_most(d_abs((double)w.joint[0].effort[TAC_EFFORT_MOTOR]), TOL(1e-10, 1e-2), "then it rests");
    input.motor[0] = (tac_motor){.position = 1, .stiffness = 1000, .damping = 400, .joint = 0, .kind = TAC_MOTOR_PD};
    double most = 0;
    for (int i = 0; i < 3000; i++) {
        tac_step_lcp(&m, &s, &input, &w, &q);
        d_worst(&most, (double)w.joint[0].effort[TAC_EFFORT_MOTOR]);
    }
    tap_near(most, 2, TOL(1e-12, 1e-5), "a controller asks for more than 2 N m and gets 2");
    tac_joint_state x;
    tac_state_get_joint(&m, &s, 0, &x);
    tap_near(x.position, 1, 0.01, "and arrives");
}

// An effort with a speed limit has 0 as its other bound; an elastic stop is a limit that yields.
static void test_bounds(void)
{
    tac_joint j;
    wheel(0, 1, (tac_motor){.effort = 2, .kind = TAC_MOTOR_EFFORT});
    for (int i = 0; i < 100; i++) { tac_step_lcp(&m, &s, &input, &w, &q); }
    tap_near(s.twist[1].w.z, 0.4, TOL(1e-13, 1e-5), "an effort accelerates");
    for (int i = 0; i < 200; i++) { tac_step_lcp(&m, &s, &input, &w, &q); }
    tap_near(s.twist[1].w.z, 1, TOL(1e-13, 1e-5), "to its speed limit");

    begin(0.001, 0);
    m.gravity = vec(0, 0, -10);
    add_body(&m, d3_make(0, 0, 0), 2, d3_make(1, 1, 1));
    tac_joint_init(&j, TAC_PRISMATIC, 0, 1);
    j.lower = (tac_real)-0.01, j.upper = 1;
    j.stop_stiffness = 1000, j.stop_damping = 60;
    tac_model_add_joint(&m, &j);
    begin_world(&m, &s);
    for (int i = 0; i < 2000; i++) { tac_step_lcp(&m, &s, NULL, &w, &q); }
    tap_near(s.pose[1].p.z, -0.03, TOL(1e-9, 1e-5), "2 kg compress a stop of 1000 N/m by 20 mm");
}

// (28): an error of 1 mm becomes a velocity that closes it within the step. A pendulum moves along its tangent, so a
// step leaves its joint apart by half of (angle of the step)^2 length; the next one takes that back.
static void test_errors(void)
{
    tac_joint j;
    begin(0.01, 0);
    m.gravity = vec(0, 0, 0);
    add_body(&m, d3_make(0, 0, 0.001), 1, d3_make(0.1, 0.1, 0.1));
    tac_joint_init(&j, TAC_FIXED, 0, 1);
    tac_model_add_joint(&m, &j);
    begin_world(&m, &s);
    tac_step_lcp(&m, &s, NULL, &w, &q);
    tap_near(s.twist[1].v.z, -0.1, TOL(1e-10, 1e-5), "1 mm is taken back at 0.1 m/s");
    tap_most(w.report.joint_error, TOL(1e-12, 1e-7), "and the joint is closed");

    begin(0.001, 0);
    m.gravity = vec(0, 0, 0);
    add_body(&m, d3_make(0.5, 0, 0), 1, d3_make(0.1, 0.1, 0.1));
    m.body[1].velocity = (tac_twist){vec(0, 1, 0), vec(0, 0, 2)};
    tac_joint_init(&j, TAC_REVOLUTE, 0, 1);
    j.frame_b.p = vec(-0.5, 0, 0);
    tac_model_add_joint(&m, &j);
    begin_world(&m, &s);
    tac_step_lcp(&m, &s, NULL, &w, &q);
    tap_near(w.report.joint_error, 0.5 * 0.002 * 0.002 * 0.5, TOL(1e-8, 2e-7),
             "a pendulum's arc is said to be left, m");
}

// A ball that is welded to a slide along the floor: what the slide and the floor bear is not determined, so the slide
// bears it, also where it holds the ball 1 mm within the floor. If that shall leave at options.recovery, no impulses are
// a solution, and the step says so.
static void test_blocked(double depth, double recovery, int status, const char *name)
{
    tac_joint j;
    begin(0.001, 0.5);
    m.options.recovery = (tac_real)recovery;
    add_floor(&m);
    m.gravity = vec(1, 0, -10);
    const uint16_t ball = add_body(&m, d3_make(0.123, 0, 0.1 - depth), 1.37, d3_make(0.0041, 0.0041, 0.0041));
    const uint16_t slider = add_body(&m, d3_make(0.123, 0, 0.5 - depth), 1.1, d3_make(0.03, 0.03, 0.03));
    const tac_shape foot = tac_shape_make(ball, TAC_SPHERE, vec(0.1, 0, 0));
    tac_model_add_shape(&m, &foot);
    tac_joint_init(&j, TAC_PRISMATIC, 0, slider);
    j.frame_a.q = j.frame_b.q = dq_to(dq_about(d3_make(0, 1, 0), TRUTH_PI / 2));
    j.frame_a.p.z = (tac_real)(0.5 - depth);
    tac_model_add_joint(&m, &j);
    tac_joint_init(&j, TAC_FIXED, slider, ball);
    j.frame_a.p = vec(0, 0, -0.4);
    tac_model_add_joint(&m, &j);
    begin_world(&m, &s);
    for (int i = 0; i < 100; i++) { tap_equal(tac_step_lcp(&m, &s, &input, &w, &q), status, name); }
    tap_equal(w.report.contacts, 1, "one contact");
    tap_near(w.contact[0].impulse.x, 0, 1e-6, "which bears nothing, N s");
    tap_near(s.twist[ball].v.x, 0.1, TOL(1e-12, 1e-5), "the slide goes on under its own weight");
}

// Random worlds: bodies on joints of all kinds, loops, limits, friction, motors, and a floor. All of it is
// complementary, joints hold as NST17 (5c) makes them, and F z + f is the velocity that the rows have at the end.
static void test_random(void)
{
    enum { WORLDS = RUN(80, 10), STEPS = 60 };
    int unsolved = 0, refused = 0, full = 0, steps = 0;
    double apart = 0, residual = 0;
    for (jointed_seed = 1; jointed_seed <= WORLDS; jointed_seed++) {
        jointed_build(&m);
        tac_state_init(&m, &s, NULL);
        tac_lcp_init(&q);
        q.directions = 4;
        for (uint32_t i = 0; i < STEPS; i++) {
            jointed_drive(&m, i, &input);
            const tac_status status = tac_step_lcp(&m, &s, &input, &w, &q);
            full += status == TAC_E_FULL;
            if (status < 0) {
                refused += status != TAC_E_FULL;
                break;
            }
            steps++;
            refused += tac_check(&m, &s, &w, NULL) < 0;
            unsolved += (status & TAC_UNCONVERGED) != 0;
            if (status & TAC_UNCONVERGED) { continue; }
            d_worst(&apart, (double)w.report.joint_error);
            d_worst(&residual, (double)q.residual);
        }
    }
    tap_equal(refused, 0, "random worlds of joints: no step is refused, and all are whole");
    tap_most(full, WORLDS / 10, "nearly none has too many rows");
    tap_most(unsolved, steps * TOL(0.005, 0.02), "nearly all are solved");
    tap_most(residual, TOL(1e-8, 1e-3), "those are complementary");
    tap_most(apart, 5e-4, "their joints hold, m");
    tap_note("worlds with too many rows", full);
    tap_note("steps", steps);
    tap_note("unsolved", unsolved);
    tap_note("joints apart, m", apart);
    tap_note("residual", residual);
}

// ---------------------------------------------------------------------------------------------------------- the rest

// A stack of two boxes comes to rest under each method.
static void test_stack(uint8_t method)
{
    begin(0.005, 0.5);
    add_floor(&m);
    for (int i = 0; i < 2; i++) {
        const uint16_t b = add_body(&m, d3_make(0, 0, 0.11 + 0.205 * i), 1, d3_make(0.007, 0.007, 0.007));
        const tac_shape box = tac_shape_make(b, TAC_BOX, vec(0.1, 0.1, 0.1));
        tac_model_add_shape(&m, &box);
    }
    q.directions = 4;
    q.method = method;
    begin_world(&m, &s);
    int unsolved = 0;
    for (int i = 0; i < 100; i++) { unsolved += tac_step_lcp(&m, &s, NULL, &w, &q) != TAC_OK; }
    tap_most(unsolved, method == TAC_LCP_LEMKE ? TOL(0, 2) : 5,
             "two boxes fall onto the floor, the problems are solved");
    tap_near(s.pose[2].p.z, 0.3, TOL(1e-4, 1e-3), "and lie on each other, m");
    tap_most(d3_norm(d3_of(s.twist[2].v)), TOL(1e-3, 1e-2), "at rest, m/s");
    tap_note("unsolved", unsolved);
}

// A cube of `size` is tossed onto the floor, its mass with it; time goes with the root of the size. How high it is, as
// a part of its size, after each of the steps; the largest rise of its energy, of that at the start; what its forces
// are off.
static void toss(double size, double *height, double *rise, double *off)
{
    const double root = size >= 1 ? d_sqrt(size) : 1 / d_sqrt(1 / size), h = 0.005 * root, mass = size * size * size;
    const d3 weight = {0, 0, -9.81 * mass};
    begin(h, 0.3);
    add_floor(&m);
    const double spin = mass * size * size / 6;
    const uint16_t b = add_body(&m, d3_make(0, 0, 2 * size), mass, d3_make(spin, spin, spin));
    const tac_shape box = tac_shape_make(b, TAC_BOX, d3_to(d3_make(size / 2, size / 2, size / 2)));
    tac_model_add_shape(&m, &box);
    m.body[b].velocity = (tac_twist){d3_to(d3_make(size / root, 0, 0)), d3_to(d3_make(3 / root, 2 / root, 1 / root))};
    q.directions = 8;
    begin_world(&m, &s);
    tac_real kinetic, potential;
    tac_energy(&m, &s, &kinetic, &potential);
    const double first = (double)(kinetic + potential);
    double last = first;
    for (int i = 0; i < 200; i++) {
        const d3 before = d3_of(s.twist[b].v);
        tac_step_lcp(&m, &s, NULL, &w, &q);
        tac_energy(&m, &s, &kinetic, &potential);
        *rise = d_max(*rise, ((double)(kinetic + potential) - last) / first);
        last = (double)(kinetic + potential);
        tac_wrench f;
        tac_body_force(&m, &w, b, s.pose[b].p, &f);
        const d3 change = d3_scale(mass / h, d3_sub(d3_of(s.twist[b].v), before));
        d_worst(off, d3_norm(d3_sub(change, d3_add(weight, d3_of(f.force)))) / (9.81 * mass));
        height[i] = (double)s.pose[b].p.z / size;
    }
}

static void test_toss(void)
{
    static double one[200], other[200];
    double rise = 0, off = 0, unlike = 0;
    toss(1, one, &rise, &off);
    for (int i = 0; i < 2; i++) {
        toss(i == 0 ? 1e-2 : 64, other, &rise, &off);
        for (int k = 0; k < 60; k++) { d_worst(&unlike, one[k] - other[k]); }
    }
    tap_near(one[199], 0.5, TOL(1e-3, 1e-2), "a tossed cube comes to rest on a face");
    // the projection lifts what is left of an overlap
    tap_most(rise, TOL(1e-9, 1e-5), "no step adds energy, of that at the start");
    tap_most(off, TOL(1e-9, 2e-2), "the forces that are shown are those that move it");
    tap_most(unlike, TOL(1e-6, 1e-2), "one of 10 mm and 1 mg and one of 64 m and 262 t fall and land alike");
    tap_note("rise of the energy in a step", rise);
    tap_note("forces off, of its weight", off);
    tap_note("unlike, of the size", unlike);
}

// A belt at 1 m/s takes a box along at mu g until it has its speed.
static void test_belt(void)
{
    begin(0.01, 0.2);
    tac_body belt = tac_body_make(TAC_KINEMATIC, vec(0, 0, -0.1));
    belt.velocity.v.x = 1;
    tac_model_add_body(&m, &belt);
    const tac_shape plate = tac_shape_make(1, TAC_BOX, vec(5, 1, 0.1));
    tac_model_add_shape(&m, &plate);
    add_body(&m, d3_make(0, 0, 0.1), 1, d3_make(0.007, 0.007, 0.007));
    const tac_shape box = tac_shape_make(2, TAC_BOX, vec(0.1, 0.1, 0.1));
    tac_model_add_shape(&m, &box);
    q.directions = 4;
    begin_world(&m, &s);
    for (int i = 0; i < 20; i++) { tac_step_lcp(&m, &s, NULL, &w, &q); }
    tap_near(s.twist[2].v.x, 0.2 * 9.81 * 0.2, TOL(1e-6, 1e-4), "a belt accelerates a box by mu g");
    for (int i = 0; i < 80; i++) { tac_step_lcp(&m, &s, NULL, &w, &q); }
    tap_near(s.twist[2].v.x, 1, TOL(1e-6, 1e-4), "to its own speed");
}

static void test_refused(void)
{
    sphere(d3_make(1, 0, 0), 2);
    const uint64_t before = tac_state_hash(&m, &s);
    tap_equal(tac_step_lcp(&m, &s, NULL, &w, &q), TAC_E_ARG, "two directions");
    q.directions = 18;
    tap_equal(tac_step_lcp(&m, &s, NULL, &w, &q), TAC_E_ARG, "too many of them");
    q.directions = 4;
    tap_equal(tac_step_lcp(&m, &s, NULL, &w, NULL), TAC_E_ARG, "no problem");
    tap_equal(tac_step_lcp(&m, &s, NULL, NULL, &q), TAC_E_ARG, "no work area");
    tap_equal(tac_step_lcp(NULL, &s, NULL, &w, &q), TAC_E_ARG, "no model");
    s.twist[1].v.x = real_nan();
    tap_equal(tac_step_lcp(&m, &s, NULL, &w, &q), TAC_E_NAN, "a state that is not finite");
    s.twist[1].v.x = 2;
    tap_hash(tac_state_hash(&m, &s), before, "none of them moves anything");
    begin(0.01, 0.5);
    add_floor(&m);
    for (int i = 0; i < 4; i++) {
        const uint16_t b = add_body(&m, d3_make(i, 0, 0.1), 1, d3_make(0.01, 0.01, 0.01));
        const tac_shape box = tac_shape_make(b, TAC_BOX, vec(0.1, 0.1, 0.1));
        tac_model_add_shape(&m, &box);
    }
    begin_world(&m, &s);
    const uint64_t four = tac_state_hash(&m, &s);
    tap_equal(tac_step_lcp(&m, &s, NULL, &w, &q), TAC_E_FULL, "sixteen contacts of ten rows have no room in 120");
    tap_equal(w.report.fault.field == TAC_FIELD_CONTACT && w.report.fault.reason == TAC_REASON_FULL, 1,
              "as the fault says");
    tap_equal(w.report.fault.index, 16, "with their number");
    tap_hash(tac_state_hash(&m, &s), four, "and nothing has moved");
}

int main(void)
{
    const double half = 0.70710678118654752440;
    test_numbers();
    test_velocities(d3_make(1, 0, 0), 4, TAC_LCP_LEMKE, "exact velocities at h = 0.12 s, 4 directions");
    test_velocities(d3_make(half, half, 0), 8, TAC_LCP_LEMKE, "8 directions, at 45 degrees");
    test_velocities(d3_make(1, 0, 0), 4, TAC_LCP_SWEEPS, "by sweeps");
    test_cone();
    test_slide();
    test_motor();
    test_bounds();
    test_errors();
    test_blocked(0, 0, TAC_OK, "a ball that a slide holds at the floor");
    test_blocked(0.001, 0, TAC_OK, "a ball that it holds within the floor");
    test_blocked(0.001, 1, TAC_UNCONVERGED, "a ball that it holds there though it shall leave");
    test_random();
    test_stack(TAC_LCP_LEMKE);
    test_stack(TAC_LCP_SWEEPS);
    test_toss();
    test_belt();
    test_refused();
    return tap_done();
}
