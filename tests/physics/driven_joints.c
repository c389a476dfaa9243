// SPDX-License-Identifier: MIT
// config: robots
// variants: gcc-O2-32 gcc-O2-64
// Joints that are driven or stopped hard: what prescribed motion asks for, a motor at the end of its effort, stiff
// gains, limits hit at speed, blows that bounce, kinematic bodies; the same mechanism small and large, light and heavy.
#include "begin.h"
#include "truth.h"

static tac_model m;
static tac_state s;
static tac_work w;
static tac_input input;
static uint8_t solver; // of the worlds

static void begin(double h, double gravity)
{
    tac_model_init(&m);
    m.h = (tac_real)h;
    m.gravity = vec(0, -gravity, 0);
    m.options.solver = solver;
    truth_fill(&input, sizeof input, 0);
}

static uint16_t add_body(d3 at, double mass, double spin)
{
    tac_body b = tac_body_make(TAC_DYNAMIC, d3_to(at));
    b.mass = (tac_real)mass;
    b.inertia = vec(spin, spin, spin);
    return (uint16_t)tac_model_add_body(&m, &b);
}

// About z of the world, at a point of it.
static tac_joint *add_hinge(uint16_t a, uint16_t b, d3 at)
{
    tac_joint j;
    tac_joint_init(&j, TAC_REVOLUTE, a, b);
    j.frame_a.p = d3_to(d3_sub(at, d3_of(m.body[a].pose.p)));
    j.frame_b.p = d3_to(d3_sub(at, d3_of(m.body[b].pose.p)));
    tac_model_add_joint(&m, &j);
    return &m.joint[m.joints - 1];
}

static tac_joint_state look(uint32_t joint)
{
    tac_joint_state x = {0, 0};
    tac_state_get_joint(&m, &s, joint, &x);
    return x;
}

static void drive(uint8_t kind, double position, double velocity, double effort, double stiffness, double damping)
{
    input.motors = 1;
    input.motor[0] = (tac_motor){
        (tac_real)position, (tac_real)velocity, (tac_real)effort, (tac_real)stiffness, (tac_real)damping, 0, kind};
}

// A pendulum of 2 kg, 0.5 m, is led along q = 0.8 sin 5 t. Its motor then gives I d2q + m g l cos q, its bearing m (a -
// g): to second order in h, at the middle of each pair of steps.
static double led(double h, double *force_off)
{
    const int steps = (int)(1 / h + 0.5);
    const double spin = 0.1 + 2 * 0.25;
    double off = 0;
    begin(h, 10);
    add_body(d3_make(0.5, 0, 0), 2, 0.1);
    add_hinge(0, 1, d3_make(0, 0, 0));
    begin_world(&m, &s);
    for (int i = 1; i <= steps; i++) {
        drive(TAC_MOTOR_POSITION, 0.8 * d_sin(5 * h * i), 0, 0, 0, 0);
        tac_step(&m, &s, &input, &w);
        const double t = h * (i - 1), q = 0.8 * d_sin(5 * t), rate = 4 * d_cos(5 * t), bend = -20 * d_sin(5 * t);
        const double effort = spin * bend + 2 * 10 * 0.5 * d_cos(q);
        const d3 force = {2 * 0.5 * (-bend * d_sin(q) - rate * rate * d_cos(q)),
                          2 * 0.5 * (bend * d_cos(q) - rate * rate * d_sin(q)) + 20, 0};
        if (i < 3) { continue; } // from rest to 4 rad/s
        tac_reactions(&m, &w);
        d_worst(&off, (double)w.joint[0].effort[TAC_EFFORT_MOTOR] - effort);
        d_worst(force_off, d3_norm(d3_sub(d3_of(w.joint[0].force), force)));
    }
    return off;
}

static void test_led(void)
{
    double force = 0, finer = 0;
    const double off = led(1e-3, &force), half = led(5e-4, &finer);
    tap_most(off, TOL(1e-2, 0.5), "a motor gives what prescribed motion asks for, N m of 10");
    tap_most(force, TOL(0.1, 0.5), "its bearing holds what Newton asks for, N of 30");
    tap_note("effort, N m", off);
    tap_note("effort, N m, half the step", half);
    tap_note("force, N", force);
    tap_note("force, N, half the step", finer);
    if (TOL(1, 0)) { tap_most(finer, 0.53 * force, "and half the error at half the step"); }
}

// A motor lifts an arm: with 12 N m against 10 it speeds up at 2/0.6, to 1 rad/s and no more; with 8 N m it sinks.
static void test_effort(void)
{
    int sweeps = 0;
    begin(1e-3, 10);
    add_body(d3_make(0.5, 0, 0), 2, 0.1);
    add_hinge(0, 1, d3_make(0, 0, 0))->effort = 12;
    begin_world(&m, &s);
    drive(TAC_MOTOR_VELOCITY, 0, 1, 0, 0, 0);
    tac_step(&m, &s, &input, &w);
    tap_near(look(0).velocity, 1e-3 * 2 / 0.6, TOL(1e-9, 1e-6), "a motor at its effort speeds up as it can, rad/s");
    for (int i = 0; i < 400; i++) {
        tac_step(&m, &s, &input, &w);
        sweeps += w.report.sweeps;
    }
    tap_near(look(0).velocity, 1, TOL(1e-6, 1e-5), "until it has its speed, rad/s");
    tap_near(w.joint[0].effort[TAC_EFFORT_MOTOR], 10 * d_cos((double)look(0).position), TOL(2e-2, 5e-2),
             "then it gives what it must, N m");
    tap_most(sweeps / 400.0, 3, "in few sweeps a step");
    m.joint[0].effort = 8;
    begin_world(&m, &s);
    tac_step(&m, &s, &input, &w);
    tap_near(look(0).velocity, -1e-3 * 2 / 0.6, TOL(1e-9, 1e-6), "one that is too weak sinks, rad/s");
}

// Six links of 1 kg on gains of a machine tool, kicked: still after a second, at its goal but for the weight.
static void test_gains(void)
{
    double most = 0;
    begin(1e-3, 10);
    for (uint16_t i = 0; i < 6; i++) {
        add_body(d3_make(0.2 * i + 0.1, 0, 0), 1, 0.004);
        add_hinge(i, (uint16_t)(i + 1), d3_make(0.2 * i, 0, 0));
        input.motor[i] = (tac_motor){(tac_real)0.1, 0, 0, (tac_real)1e7, (tac_real)1e4, i, TAC_MOTOR_PD};
    }
    m.body[6].velocity.v = vec(0, 1, 3);
    input.motors = 6;
    begin_world(&m, &s);
    for (int i = 0; i < 1000; i++) { tac_step(&m, &s, &input, &w); }
    for (uint32_t i = 0; i < 6; i++) {
        d_worst(&most, (double)look(i).position - 0.1);
        d_worst(&most, (double)look(i).velocity);
    }
    tap_most(most, 1e-4, "large gains are stable, rad and rad/s");
    tap_most(w.report.joint_error, TOL(1e-12, 2e-6), "and pull nothing apart, m");
}

// A bar that turns at 100 rad/s, 0.1 rad a step, meets its limit: it stops there, whatever the step, and stays.
static void test_stop(void)
{
    double beyond = 0;
    begin(1e-3, 0);
    const uint16_t body = add_body(d3_make(0.5, 0, 0), 2, 0.1);
    m.body[body].velocity = (tac_twist){vec(0, 50, 0), vec(0, 0, 100)};
    tac_joint *j = add_hinge(0, body, d3_make(0, 0, 0));
    j->lower = -1;
    j->upper = (tac_real)2.345;
    begin_world(&m, &s);
    for (int i = 0; i < 200; i++) {
        tac_step(&m, &s, NULL, &w);
        d_worst(&beyond, d_max((double)look(0).position - 2.345, 0));
    }
    tap_most(beyond, TOL(1e-9, 1e-5), "a limit that is hit at speed is not passed, rad");
    tap_near(look(0).position, 2.345, TOL(1e-9, 1e-4), "it stops there, rad");
    tap_near(look(0).velocity, 0, TOL(1e-9, 5e-4), "and stays, rad/s");
}

// A ball on an arm falls on the floor and bounces with e = 0.5: a quarter of the height, the arm holding all the while.
static void test_bounce(void)
{
    double lowest = 10, top = 0, apart = 0, fastest = 0;
    begin(1e-3, 10);
    m.gravity = vec(0, 0, -10);
    tac_model_add_material(&m, 0, (tac_real)0.5);
    const tac_shape plane = tac_shape_make(0, TAC_HALF_SPACE, vec(0, 0, 0));
    tac_model_add_shape(&m, &plane);
    add_body(d3_make(2, 0, 0.6), 3, 0.012);
    const tac_shape ball = tac_shape_make(1, TAC_SPHERE, vec(0.1, 0, 0));
    tac_model_add_shape(&m, &ball);
    tac_joint *j = add_hinge(0, 1, d3_make(0, 0, 0.1));
    j->frame_a.q = j->frame_b.q = dq_to(dq_about(d3_make(1, 0, 0), -TRUTH_PI / 2));
    j->collide = 1;
    begin_world(&m, &s);
    for (int i = 0; i < 700; i++) {
        tac_step(&m, &s, NULL, &w);
        d_worst(&apart, joint_gap(&m, &s, &m.joint[0]));
        const double z = (double)s.pose[1].p.z, speed = d_abs((double)s.twist[1].v.z);
        if (z < lowest) { lowest = z; }
        if (i < 300 && speed > fastest) { fastest = speed; }
        if (i > 320 && z > top) { top = z; }
    }
    tap_near((top - 0.1) / 0.5, 0.25, 5e-3, "a blow bounces through a joint, of the height");
    tap_least(lowest, 0.1 - 1e-4, "and not through the floor, m");
    tap_most(apart, TOL(1e-10, 2e-6), "the joint holds, m");
}

// A platform that turns and rises carries a pendulum; what is not dynamic on both sides has no joint.
static void test_carried(void)
{
    double apart = 0;
    tac_fault fault;
    begin(1e-3, 10);
    tac_body platform = tac_body_make(TAC_KINEMATIC, vec(0, 0, 0));
    platform.velocity = (tac_twist){vec(0, 0.5, 0), vec(0, 3, 0)};
    tac_model_add_body(&m, &platform);
    add_body(d3_make(1.2, 0, 0), 2, 0.1);
    add_hinge(1, 2, d3_make(1, 0, 0))->damping = (tac_real)0.5;
    begin_world(&m, &s);
    for (int i = 0; i < 10000; i++) {
        tac_step(&m, &s, NULL, &w);
        d_worst(&apart, (double)w.report.joint_error);
    }
    // hanging out: m w^2 (1 + r cos q) r sin q = m g r cos q, q measured from the radius, down
    const double q = -(double)look(0).position;
    tap_near(9 * (1 + 0.2 * d_cos(q)) * d_sin(q), 10 * d_cos(q), TOL(2e-2, 2e-2),
             "a carried pendulum hangs as it should, m/s2");
    tap_most(apart, TOL(1e-10, 4e-6), "and stays where it is carried, m");
    for (uint8_t kind = TAC_STATIC; kind <= TAC_KINEMATIC; kind++) {
        m.body[2].kind = TAC_KINEMATIC;
        m.joint[0].body_a = kind == TAC_KINEMATIC;
        if (kind == TAC_DYNAMIC) { continue; }
        tap_ok(tac_model_check(&m, &fault) == TAC_E_MODEL && fault.field == TAC_FIELD_JOINT_BODY,
               "a joint between two that do not give way is refused");
    }
}

// Five links with a tip, size and mass at any scale, the step with the root of the size: the angles are the same.
static void swing(double size, double mass, double angle[5])
{
    begin(1e-3 * d_sqrt(size), 10);
    for (uint16_t i = 0; i < 5; i++) {
        const double k = mass * (i == 4 ? 20 : 1);
        add_body(d3_make((0.5 * i + 0.25) * size, 0, 0), k, k * size * size * 0.03);
        tac_joint *j = add_hinge(i, (uint16_t)(i + 1), d3_make(0.5 * i * size, 0, 0));
        j->lower = i == 2 ? (tac_real)-0.3 : 1;
        j->upper = i == 2 ? (tac_real)0.4 : -1;
        j->damping = (tac_real)(0.1 * mass * size * d_sqrt(size));
        j->friction = (tac_real)(0.05 * mass * size);
    }
    begin_world(&m, &s);
    for (int i = 0; i < 600; i++) { tac_step(&m, &s, NULL, &w); }
    for (uint32_t i = 0; i < 5; i++) { angle[i] = (double)look(i).position; }
}

static void test_scale(void)
{
    static const double size[] = {1e-3, 0.1, 10, 100}, mass[] = {1e-3, 0.1, 10, 1e3};
    double one[5], angle[5], worst = 0;
    swing(1, 1, one);
    for (int i = 0; i < 4; i++) {
        for (int k = 0; k < 4; k++) {
            swing(size[i], mass[k], angle);
            for (int n = 0; n < 5; n++) { d_worst(&worst, angle[n] - one[n]); }
        }
    }
    tap_most(worst, TOL(1e-9, 2e-3), "from a millimetre to 100 m, a gram to a tonne, it swings alike, rad");
    tap_note("rad", worst);
}

// A turntable goes from rest to 3 rad/s within a step. A link that is bolted to it off the middle, and one that hangs on
// a hinge along its radius, go with it: m r x w/h is what their joints give.
static void test_turntable(uint8_t iterations)
{
    const d3 at = {0.5, 0.2, 0}, spin = {0, 0, 3}, v = d3_cross(spin, at);
    double speed = 0, force = 0;
    begin(1e-3, 0);
    m.options.max_joint_iterations = iterations;
    tac_body table = tac_body_make(TAC_KINEMATIC, vec(0, 0, 0));
    tac_model_add_body(&m, &table);
    add_body(at, 2, 0.1);
    add_hinge(1, 2, d3_make(0.2, -0.1, 0))->kind = TAC_FIXED;
    add_body(at, 2, 0.1);
    tac_joint *hinge = add_hinge(1, 3, d3_make(0.2, 0.08, 0));
    hinge->lower = hinge->upper = 0;
    begin_world(&m, &s);
    input.actions = 1;
    input.action[0] = (tac_action){.body = 1, .kind = TAC_VELOCITY, .angular = d3_to(spin)};
    tac_step(&m, &s, &input, &w);
    tac_reactions(&m, &w);
    for (int i = 0; i < 2; i++) {
        d_worst(&speed, d3_norm(d3_sub(d3_of(s.twist[2 + i].v), v)));
        d_worst(&force, d3_norm(d3_sub(d3_of(w.joint[i].force), d3_scale(2 / 1e-3, v))));
    }
    tap_most(speed, 0.01, "a turntable that starts takes its links along, m/s of 1.6");
    tap_most(force, 20, "their joints give what that takes, N of 3200");
}

// Matrix of all joints, or trees.
static void test_all(uint8_t by)
{
    solver = by;
    test_led();
    test_effort();
    test_gains();
    test_stop();
    test_bounce();
    test_carried();
    test_turntable(0);
    test_turntable(TAC_JOINT_ITERATIONS);
    test_scale();
}

int main(void)
{
    test_all(TAC_SOLVER_DIRECT);
    test_all(TAC_SOLVER_ACCELERATED);
    return tap_done();
}
