// SPDX-License-Identifier: MIT
// config: robots
// Coordinates of joints that have several: their values and rates, limits, motors, friction and springs on each, against
// closed forms; a cone and its pole; knife edges against the equations of Chaplygin's sleigh.
#include "mechanism.h"

#define ABOUT_X ((tac_quat){(tac_real)0.5, (tac_real)0.5, (tac_real)0.5, (tac_real)0.5})   // z along x
#define ABOUT_Y ((tac_quat){(tac_real)0.5, (tac_real)-0.5, (tac_real)-0.5, (tac_real)-0.5}) // z along y
#define UPRIGHT ((tac_quat){1, 0, 0, 0})

// One body of mass 1 and inertia 0.1 at the origin, joined there to the ground.
static void one_body(uint8_t kind, double gravity)
{
    begin(TAC_SOLVER_AUTO, 1e-3, gravity);
    add_body(0, 0, 1, 0.1);
    add_joint(kind, 0, 1);
}

// A coordinate of the last two bodies; `z`: where its axis leads.
static tac_joint *measure(uint8_t kind, tac_quat z)
{
    tac_joint *j = add_joint(kind, m.joint[0].body_a, m.joint[0].body_b);
    j->frame_a.q = j->frame_b.q = z;
    return j;
}

static void run(int steps)
{
    for (int i = 0; i < steps; i++) {
        if (tac_step(&m, &s, &input, &w) < 0) { tap_ok(0, "is stepped"); }
    }
}

static tac_motor *motor(uint16_t joint, uint8_t kind)
{
    tac_motor *a = &input.motor[input.motors++];
    truth_fill(a, sizeof *a, 0);
    a->joint = joint;
    a->kind = kind;
    return a;
}

// ----------------------------------------------------------------------------------------------------- what they measure

static double turned_about(double half) // cos^2 + sin^2 = 1 of half an angle, by bisection
{
    double low = 0.0, high = TRUTH_PI;
    for (int i = 0; i < 60; i++) {
        const double middle = 0.5 * (low + high);
        *(d_cos(0.5 * middle) > half ? &low : &high) = middle;
    }
    return low;
}

// The angle whose rotation about an axis a vector v must make to become u, both perpendicular to the axis.
static double angle_between(d3 axis, d3 v, d3 u)
{
    const double c = d3_dot(v, u) / (d3_norm(v) * d3_norm(u)), angle = turned_about(d_sqrt(d_max(0.0, 0.5 + 0.5 * c)));
    return d3_dot(axis, d3_cross(v, u)) < 0.0 ? -angle : angle;
}

// By definition: a rotation R = (rest about z) then the shortest rotation that leads z to R z.
static double truth_of(uint8_t kind, dq q, d3 apart)
{
    const d3 z = {0, 0, 1}, x = {1, 0, 0}, to = dq_rotate(q, z);
    const double swing = angle_between(d3_make(0, 0, 0), z, to);
    const double whole = turned_about(d_abs(q.w));
    switch (kind) {
    case TAC_TRANSLATION:
        return apart.z;
    case TAC_SWING:
        return swing;
    case TAC_ROTATION:
        return whole;
    case TAC_TURN:
        return whole * (q.w < 0.0 ? -q.z : q.z) / d_sqrt(q.x * q.x + q.y * q.y + q.z * q.z);
    default: {
        const d3 axis = d3_cross(z, to);
        const dq back = dq_about(d3_scale(1.0 / d3_norm(axis), axis), -swing);
        return angle_between(z, x, dq_rotate(dq_mul(back, q), x));
    }
    }
}

// Random pairs of bodies in free motion: each coordinate against its definition, and its rate against what the next
// step has changed.
static void test_measures(void)
{
    double off[2] = {0, 0};
    rng r = {20261129};
    for (int world = 0; world < 40; world++) {
        begin(TAC_SOLVER_AUTO, TOL(1e-5, 1e-3), 0.0);
        for (int i = 0; i < 2; i++) {
            tac_body *b = add_body(0, 0, 1, 0.1);
            b->pose = (tac_pose){d3_to(rng_box(&r, 0.5)), dq_to(rng_quat(&r))};
            b->velocity = (tac_twist){d3_to(rng_box(&r, 1.0)), d3_to(rng_box(&r, 2.0))};
        }
        const uint8_t kind[5] = {TAC_TRANSLATION, TAC_TWIST, TAC_SWING, TAC_ROTATION, TAC_TURN};
        const tac_pose a = {d3_to(rng_box(&r, 0.3)), dq_to(rng_quat(&r))}, b = {d3_to(rng_box(&r, 0.3)), dq_to(rng_quat(&r))};
        for (int i = 0; i < 5; i++) {
            tac_joint *j = add_joint(kind[i], 1, 2);
            j->frame_a = a, j->frame_b = b;
        }
        begin_world(&m, &s);
        const dq qa = dq_mul(dq_of(s.pose[1].q), dq_of(a.q)), q = dq_mul(dq_conjugate(qa), dq_mul(dq_of(s.pose[2].q), dq_of(b.q)));
        const d3 apart = d3_sub(world_place(&m, &s, 2, b.p), world_place(&m, &s, 1, a.p));
        tac_joint_state at[5];
        for (uint32_t i = 0; i < 5; i++) {
            at[i] = look(i);
            d_worst(&off[0], (double)at[i].position - truth_of(kind[i], q, dq_rotate(dq_conjugate(qa), apart)));
        }
        run(1);
        for (uint32_t i = 0; i < 5; i++) {
            const tac_joint_state end = look(i);
            const double mean = ((double)end.position - (double)at[i].position) / (double)m.h;
            if (d_abs(mean) > 100.0) { continue; } // half a revolution passed
            d_worst(&off[1], mean - 0.5 * ((double)at[i].velocity + (double)end.velocity));
        }
    }
    tap_most(off[0], TOL(1e-9, 2e-6), "coordinates are those of their definitions");
    tap_most(off[1], TOL(1e-6, 5e-3), "and change at their rates");
}

// ------------------------------------------------------------------------------------------- universal, cylindrical, ...

// About a centre of mass with one moment of inertia the angles of a universal joint move each by itself: 0.1 q'' + 4 q = 0
// about x, and 0.1 q'' + 1 q = 0 about y.
static void test_universal(void)
{
    double off = 0.0, lost = 0.0;
    one_body(TAC_UNIVERSAL, 0.0);
    m.body[1].velocity.w = (tac_vec3){4, 2, 0};
    measure(TAC_TWIST, ABOUT_X)->stiffness = 4;
    measure(TAC_TWIST, ABOUT_Y)->stiffness = 1;
    begin_world(&m, &s);
    const double f0 = d_sqrt(40.0), f1 = d_sqrt(10.0);
    for (int i = 1; i <= 2000; i++) {
        run(1);
        d_worst(&off, (double)look(1).position - 4.0 / f0 * d_sin(f0 * i * 1e-3));
        d_worst(&off, (double)look(2).position - 2.0 / f1 * d_sin(f1 * i * 1e-3));
        const double q0 = (double)look(1).position, q1 = (double)look(2).position;
        d_worst(&lost, (energy() + 0.5 * (4.0 * q0 * q0 + q1 * q1)) / 1.0 - 1.0);
    }
    tap_most(off, 4e-3, "a universal joint with springs swings about x and y as it should");
    tap_most(lost, 4e-3, "and keeps its energy");
}

// Limits, friction and a motor of each angle: one runs to its stop, the other one is driven against friction.
static void test_universal_efforts(void)
{
    one_body(TAC_UNIVERSAL, 0.0);
    m.body[1].velocity.w = (tac_vec3){1, 0, 0};
    tac_joint *x = measure(TAC_TWIST, ABOUT_X);
    x->lower = (tac_real)-0.2, x->upper = (tac_real)0.3;
    measure(TAC_TWIST, ABOUT_Y)->friction = (tac_real)0.05;
    begin_world(&m, &s);
    motor(2, TAC_MOTOR_EFFORT)->effort = (tac_real)0.06;
    run(1000);
    tap_near(look(1).position, 0.3, TOL(1e-6, 1e-5), "the angle about x stops at its limit");
    tap_near(look(1).velocity, 0.0, TOL(1e-6, 1e-5), "and rests there");
    tap_near(look(2).position, 0.5 * 0.1, 2e-4, "the one about y is driven by what friction leaves");
    tap_near(w.joint[2].effort[TAC_EFFORT_FRICTION], -0.05, TOL(1e-9, 1e-6), "which takes all it can");
    motor(2, TAC_MOTOR_POSITION)->position = (tac_real)-0.4;
    run(3);
    tap_near(look(2).position, -0.4, TOL(1e-5, 1e-5), "a servo leads it to its goal");
}

static void test_slides(void)
{
    one_body(TAC_CYLINDRICAL, 10.0);
    measure(TAC_TRANSLATION, UPRIGHT)->damping = 2;
    measure(TAC_TWIST, UPRIGHT)->effort = (tac_real)0.01;
    begin_world(&m, &s);
    tac_motor *a = motor(2, TAC_MOTOR_VELOCITY);
    a->velocity = 5;
    run(1000);
    // v = (g/2) (exp(-2 t) - 1)
    tap_near(look(1).velocity, 5.0 * (0.1353352832 - 1.0), 0.01, "a cylindrical joint slides against its damper");
    tap_near(look(2).velocity, 0.1, 1e-4, "and turns by the effort of its motor");

    one_body(TAC_PLANAR, 0.0);
    m.body[1].velocity.v = (tac_vec3){1, 2, 0};
    measure(TAC_TRANSLATION, ABOUT_X)->stiffness = 25;
    tac_joint *y = measure(TAC_TRANSLATION, ABOUT_Y);
    y->lower = -1, y->upper = (tac_real)0.5;
    measure(TAC_TWIST, UPRIGHT)->stiffness = (tac_real)0.1;
    begin_world(&m, &s);
    run(1000);
    tap_near(look(1).position, 0.2 * d_sin(5.0), 1e-3, "a planar joint swings along x");
    tap_near(look(2).position, 0.5, TOL(1e-6, 1e-5), "and stops along y");
    tap_most(d_abs((double)look(3).position), TOL(1e-12, 1e-6), "and does not turn");
}

// ------------------------------------------------------------------------------------------------------------------ balls

// A pendulum of length 1 below a ball joint at the origin, tilted about x and turning about the vertical.
static void pendulum(double tilt, double turning)
{
    const double c = d_cos(tilt), sn = d_sin(tilt);
    begin(TAC_SOLVER_AUTO, 1e-3, 10.0);
    tac_body *b = add_body(0, 0, 1, 0.01);
    b->pose.p = (tac_vec3){0, (tac_real)sn, (tac_real)-c};
    b->pose.q = dq_to(dq_about(d3_make(1, 0, 0), tilt));
    b->velocity.w = (tac_vec3){0, (tac_real)(turning * sn), (tac_real)(turning * c)};
    b->velocity.v = (tac_vec3){(tac_real)(-turning * sn), 0, 0};
    add_joint(TAC_SPHERICAL, 0, 1)->frame_b.p.z = 1;
    measure(TAC_SWING, UPRIGHT)->frame_b.p.z = 1;
    measure(TAC_TWIST, UPRIGHT)->frame_b.p.z = 1;
}

// Faster than where its weight would balance, it circles on the cone: at a constant rate, pressed by
// m l^2 sin cos rate^2 - m g l sin.
static void test_cone(int soft)
{
    const double tilt = 0.5, rate = 5.0, c = d_cos(tilt), sn = d_sin(tilt), press = sn * c * rate * rate - 10.0 * sn;
    pendulum(tilt, rate);
    m.joint[1].lower = 0, m.joint[1].upper = (tac_real)tilt;
    if (soft) {
        m.joint[1].upper = (tac_real)(tilt - press / 1e4);
        m.joint[1].stop_stiffness = (tac_real)1e4;
    }
    begin_world(&m, &s);
    double off = 0.0, force = 0.0, rises = 0.0;
    const double start = energy() + (soft ? 0.5 * press * press / 1e4 : 0.0);
    for (int i = 1; i <= 2000; i++) {
        run(1);
        d_worst(&off, (double)look(1).position - tilt);
        const double beyond = d_max(0.0, (double)look(1).position - (double)m.joint[1].upper), stop = soft ? 1e4 : 0.0;
        force -= (double)w.joint[1].effort[TAC_EFFORT_LIMIT] / 2000.0;
        d_worst(&rises, energy() + 0.5 * stop * beyond * beyond - start);
    }
    const double x = -sn * d_sin(rate * 2.0), y = sn * d_cos(rate * 2.0);
    tap_most(off, soft ? 1e-4 : TOL(1e-12, 5e-6), soft ? "an elastic cone: the swing stays" : "a rigid cone: the swing stays");
    tap_near(force, press, 0.01, "with the torque of the closed form");
    tap_near((double)s.pose[1].p.x, x, 1e-4, "and circles at its rate: x");
    tap_near((double)s.pose[1].p.y, y, 1e-4, "and y");
    tap_most(rises, soft ? 1e-3 : 5e-5, "and keeps its energy, of 0.25 J and more");
}

// Within its cone it swings through the pole as it does without one, to the bit.
static void test_pole(void)
{
    double off = 0.0;
    static tac_pose free_of_it[1000];
    for (int cone = 0; cone < 2; cone++) {
        pendulum(0.4, 0.0);
        if (cone) { m.joint[1].lower = 0, m.joint[1].upper = (tac_real)0.5; }
        begin_world(&m, &s);
        for (int i = 0; i < 1000; i++) {
            run(1);
            if (!cone) { free_of_it[i] = s.pose[1]; }
            d_worst(&off, d3_norm(d3_sub(d3_of(free_of_it[i].p), d3_of(s.pose[1].p))));
        }
    }
    tap_most(off, TOL(1e-12, 1e-6), "inside its cone a pendulum passes the pole freely");
    tap_most(d_abs((double)look(2).position), TOL(1e-12, 1e-5), "and does not twist");
}

// Three springs of one stiffness along the rotation vector are one about whatever axis: 0.1 q'' + 4 q = 0.
static void turns(double stiffness)
{
    one_body(TAC_SPHERICAL, 0.0);
    measure(TAC_TURN, ABOUT_X)->stiffness = (tac_real)stiffness;
    measure(TAC_TURN, ABOUT_Y)->stiffness = (tac_real)stiffness;
    measure(TAC_TURN, UPRIGHT)->stiffness = (tac_real)stiffness;
}

static void test_turns(void)
{
    double off = 0.0, lost = 0.0;
    const double f = d_sqrt(40.0);
    turns(4.0);
    m.body[1].velocity.w = (tac_vec3){2, 4, 4};
    begin_world(&m, &s);
    for (int i = 1; i <= 2000; i++) {
        run(1);
        const double q[3] = {(double)look(1).position, (double)look(2).position, (double)look(3).position};
        const double swing = d_sin(f * i * 1e-3) / f;
        d_worst(&off, q[0] - 2.0 * swing);
        d_worst(&off, q[1] - 4.0 * swing);
        d_worst(&off, q[2] - 4.0 * swing);
    }
    tap_most(off, 5e-3, "a ball joint with springs swings about an oblique axis");
    turns(4.0);
    m.body[1].inertia = (tac_vec3){(tac_real)0.1, (tac_real)0.12, (tac_real)0.2};
    m.body[1].velocity.w = (tac_vec3){2, 4, -3};
    begin_world(&m, &s);
    const double start = energy();
    for (int i = 1; i <= 5000; i++) {
        run(1);
        double sum = 0.0;
        for (uint32_t k = 1; k < 4; k++) { sum += 2.0 * (double)look(k).position * (double)look(k).position; }
        d_worst(&lost, (energy() + sum) / start - 1.0);
    }
    tap_most(lost, 1e-2, "and of any inertia keeps its energy");
}

// A PD command towards an orientation.
static void test_orientation(void)
{
    const double goal[3] = {0.8, -0.6, 1.1};
    turns(0.0);
    begin_world(&m, &s);
    for (uint16_t i = 0; i < 3; i++) {
        tac_motor *a = motor((uint16_t)(i + 1), TAC_MOTOR_PD);
        a->position = (tac_real)goal[i], a->stiffness = 10, a->damping = 2;
    }
    run(3000);
    for (uint32_t i = 0; i < 3; i++) { tap_near(look(i + 1).position, goal[i], TOL(1e-6, 1e-4), "a PD command turns a ball joint"); }
    const double size = d_sqrt(0.64 + 0.36 + 1.21);
    const dq to = dq_about(d3_make(0.8 / size, -0.6 / size, 1.1 / size), size), is = dq_of(s.pose[1].q);
    tap_near(d_abs(to.w * is.w + to.x * is.x + to.y * is.y + to.z * is.z), 1.0, TOL(1e-10, 1e-6), "to the orientation that was asked for");
}

// -------------------------------------------------------------------------------------------------------------- sleigh

// Chaplygin's sleigh, mass 1, inertia J about its centre, which is a before the blade: v' = a w^2, w' = -a v w/(J + a^2),
// by Runge and Kutta.
static void sleigh_rate(const double *x, double *dx)
{
    const double a = 0.3, j = 0.1;
    dx[0] = a * x[1] * x[1];
    dx[1] = -a * x[0] * x[1] / (j + a * a);
    dx[2] = x[1];
    dx[3] = x[0] * d_cos(x[2]);
    dx[4] = x[0] * d_sin(x[2]);
}

static void sleigh(double *x, double h)
{
    double k[4][5], y[5];
    for (int stage = 0; stage < 4; stage++) {
        const double part = stage == 0 ? 0.0 : (stage == 3 ? h : 0.5 * h);
        for (int i = 0; i < 5; i++) { y[i] = x[i] + (stage > 0 ? part * k[stage - 1][i] : 0.0); }
        sleigh_rate(y, k[stage]);
    }
    for (int i = 0; i < 5; i++) { x[i] += h / 6.0 * (k[0][i] + 2.0 * k[1][i] + 2.0 * k[2][i] + k[3][i]); }
}

static void test_sleigh(void)
{
    double x[5] = {0.5, 2.0, 0.0, 0.0, 0.0}, off = 0.0, lost = 0.0, skid = 0.0;
    begin(TAC_SOLVER_AUTO, 1e-3, 0.0);
    tac_body *b = add_body(0.3, 0, 1, 0.1);
    b->velocity.v = vec(0.5, 0.6, 0.0), b->velocity.w.z = 2;
    add_joint(TAC_PLANAR, 0, 1);
    tac_joint *blade = add_joint(TAC_SKATE, 0, 1);
    blade->frame_b = (tac_pose){vec(-0.3, 0, 0), dq_to(dq_about(d3_make(0, 0, 1), 0.5 * TRUTH_PI))};
    begin_world(&m, &s);
    const double start = energy();
    for (int i = 0; i < 10000; i++) {
        run(1);
        sleigh(x, 1e-3);
        const d3 at = world_place(&m, &s, 1, vec(-0.3, 0, 0));
        d_worst(&off, at.x - x[3]);
        d_worst(&off, at.y - x[4]);
        d_worst(&lost, energy() / start - 1.0);
        const d3 side = dq_rotate(dq_of(s.pose[1].q), d3_make(0, 1, 0)), spin = dq_rotate(dq_of(s.pose[1].q), d3_of(s.twist[1].w));
        d_worst(&skid, d3_dot(side, d3_add(d3_of(s.twist[1].v), d3_cross(spin, d3_sub(at, d3_of(s.pose[1].p))))));
    }
    tap_most(off, TOL(1e-4, 2e-3), "Chaplygin's sleigh runs along its equations for 10 s, m");
    tap_most(lost, 1e-4, "and keeps its energy to 1e-4");
    tap_most(skid, 4e-3, "its blade does not slip");
}

// A cone has room: its limit lies between 0 and half a revolution.
static void refused(uint8_t kind, double lower, double upper, int good, const char *name)
{
    tac_fault fault = {0, 0, 0};
    one_body(TAC_SPHERICAL, 0.0);
    tac_joint *j = measure(kind, UPRIGHT);
    j->lower = (tac_real)lower, j->upper = (tac_real)upper;
    tap_equal(tac_model_check(&m, &fault), good ? TAC_OK : TAC_E_MODEL, name);
    if (!good) { tap_equal(fault.field, TAC_FIELD_JOINT_LIMIT, "by the name of the limit"); }
}

int main(void)
{
    refused(TAC_SWING, 0, 0, 0, "a swing held at its pole is refused");
    refused(TAC_ROTATION, -1, 0, 0, "a rotation whose upper limit is 0");
    refused(TAC_SWING, 4, 5, 0, "a swing of more than half a revolution");
    refused(TAC_SWING, 0.5, 0.5, 1, "one that is held elsewhere is none of these");
    refused(TAC_TWIST, 0, 0, 1, "nor is a twist held at 0");
    test_measures();
    test_universal();
    test_universal_efforts();
    test_slides();
    test_cone(0);
    test_cone(1);
    test_pole();
    test_turns();
    test_orientation();
    test_sleigh();
    return tap_done();
}
