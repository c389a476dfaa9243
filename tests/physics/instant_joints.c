// SPDX-License-Identifier: MIT
// config: all
// variants: all
// The instantaneous model of joints: dry friction, limits, stops, motors, springs, rotors; pendulums, a rod, a loop,
// gears and a bushing by hand; random trees against the forward dynamics of controllers, and their reactions by Newton
// and Euler; random worlds of joints against steps of T03.
#include "begin.h"
// With needles the steps of one world more (in float of ten) differ by more than the order of h.
#define WILD_THIN 0
#include "jointed.h"

static tac_model m;
static tac_state s;
static tac_work w;
static tac_input input;
static tac_lcp q;
static tac_instant now;

static const double G = 9.81;

static void begin(double gravity)
{
    tac_model_init(&m);
    tac_lcp_init(&q);
    truth_fill(&input, sizeof input, 0);
    m.gravity = vec(0, 0, -gravity);
}

static uint16_t add_body(d3 at, double mass, double inertia)
{
    tac_body b = tac_body_make(TAC_DYNAMIC, d3_to(at));
    b.mass = (tac_real)mass;
    b.inertia = d3_to(d3_scale(inertia, d3_make(1, 1, 1)));
    return (uint16_t)tac_model_add_body(&m, &b);
}

static tac_joint *add_joint(uint8_t kind, uint16_t a, uint16_t b)
{
    tac_joint j;
    tac_joint_init(&j, kind, a, b);
    tac_model_add_joint(&m, &j);
    return &m.joint[m.joints - 1];
}

static tac_status ask(void)
{
    return tac_accelerations(&m, &s, &input, &w, &q, &now);
}

static double effort(uint32_t joint, int source)
{
    return (double)now.joint[joint].reaction.effort[source];
}

// ------------------------------------------------------------------------------------------------------ one coordinate

// 2 kg on a slide along x, at q and v, without gravity, under a force of `force`. The caller changes the joint.
static tac_joint *slide(double at, double v, double force)
{
    begin(0);
    const uint16_t b = add_body(d3_make(at, 0, 0), 2, 1);
    m.body[b].velocity.v = vec(v, 0, 0);
    tac_joint *j = add_joint(TAC_PRISMATIC, 0, b);
    j->frame_a.q = j->frame_b.q = dq_to(dq_about(d3_make(0, 1, 0), TRUTH_PI / 2)); // its z along x
    input.actions = 1;
    input.action[0] = (tac_action){.body = b, .kind = TAC_WRENCH_WORLD, .linear = vec(force, 0, 0)};
    return j;
}

static double slides(void)
{
    begin_world(&m, &s);
    tap_ok(ask() == (now.impacts ? TAC_UNCONVERGED : TAC_OK), "a slide");
    tap_near(now.joint[0].acceleration, now.body[1].linear.x, 1e-6, "  its coordinate is that of the body");
    return (double)now.body[1].linear.x;
}

static void test_friction(void)
{
    const double tight = TOL(1e-13, 1e-5);
    slide(0, 0, 4.9)->friction = 5;
    tap_near(slides(), 0, tight, "dry friction holds 4.9 of 5 N");
    tap_near(effort(0, TAC_EFFORT_FRICTION), -4.9, tight, "  with 4.9 N");
    slide(0, 0, 7)->friction = 5;
    tap_near(slides(), 1, tight, "it leaves 2 of 7 N");
    slide(0, 0.5, 7)->friction = 5;
    tap_near(slides(), 1, tight, "of a body that moves with the force, too");
    slide(0, -0.5, 7)->friction = 5;
    tap_near(slides(), 6, tight, "against the force it adds to it");
    tap_near(effort(0, TAC_EFFORT_FRICTION), 5, tight, "  with 5 N");
}

static void test_limit(void)
{
    const double tight = TOL(1e-12, 1e-5);
    for (int side = -1; side <= 1; side += 2) {
        tac_joint *j = slide(0.5 * side, 0, 6 * side);
        j->lower = (tac_real)-0.5, j->upper = (tac_real)0.5;
        tap_near(slides(), 0, tight, "a limit that is reached holds");
        tap_near(effort(0, TAC_EFFORT_LIMIT), -6 * side, tight, "  with all of the force");
        j = slide(0.5 * side, 0, -6 * side);
        j->lower = (tac_real)-0.5, j->upper = (tac_real)0.5;
        tap_near(slides(), -3 * side, tight, "away from it nothing does");
        j = slide(0.5 * side, 0.1 * side, 6 * side);
        j->lower = (tac_real)-0.5, j->upper = (tac_real)0.5;
        tap_near(slides(), 3 * side, tight, "one that is struck takes no part");
        tap_equal(now.impacts, 1, "  and is an impact");
        j = slide(0.4 * side, 0.1 * side, 6 * side);
        j->lower = (tac_real)-0.5, j->upper = (tac_real)0.5;
        tap_near(slides(), 3 * side, tight, "one that is not reached is none");
        j = slide(0.51 * side, 0.1 * side, 0);
        j->lower = (tac_real)-0.5, j->upper = (tac_real)0.5;
        j->stop_stiffness = 1000, j->stop_damping = 20;
        tap_near(slides(), -0.5 * side * (1000 * 0.01 + 20 * 0.1), TOL(1e-11, 1e-4), "a stop pushes");
        m.body[1].velocity.v = vec(-side, 0, 0);
        tap_near(slides(), 0, tight, "  and never pulls");
    }
}

static void test_passive(void)
{
    tac_joint *j = slide(0.3, 0.7, 5);
    j->stiffness = 40, j->rest = (tac_real)0.1, j->damping = 3, j->armature = (tac_real)0.5;
    const double a = (5 - 40 * 0.2 - 3 * 0.7) / 2.5;
    tap_near(slides(), a, TOL(1e-13, 1e-5), "spring, damper and rotor");
    tap_near(effort(0, TAC_EFFORT_PASSIVE), 2 * a - 5, TOL(1e-12, 1e-5), "  with their force");
}

static double motor(double v, double most, double speed, tac_motor command)
{
    tac_joint *j = slide(0.2, v, 0);
    if (most > 0) { j->effort = (tac_real)most; }
    if (speed > 0) { j->speed = (tac_real)speed; }
    input.motors = 1;
    input.motor[0] = command;
    return slides();
}

static void test_motors(void)
{
    const double tight = TOL(1e-12, 1e-5);
    const tac_motor push = {.effort = 5, .kind = TAC_MOTOR_EFFORT}, turn = {.velocity = 1, .kind = TAC_MOTOR_VELOCITY};
    const tac_motor pd = {
        .position = 1, .velocity = 0.5, .effort = 1, .stiffness = 10, .damping = 2, .kind = TAC_MOTOR_PD};
    tap_near(motor(0, 0, 0, push), 2.5, tight, "an effort");
    tap_near(motor(0, 3, 0, push), 1.5, tight, "a limited one");
    tap_near(motor(1, 0, 1, push), 0, tight, "at the speed limit it does not accelerate");
    tap_near(motor(1.1, 0, 1, push), 0, tight, "nor beyond, where it does not brake");
    tap_near(motor(0.9, 0, 1, push), 2.5, tight, "below it acts");
    tap_near(motor(-1.1, 0, 1, push), 2.5, tight, "and so it does against the motion");
    tap_near(motor(0.1, 0, 0, pd), (10 * 0.8 + 2 * 0.4 + 1) / 2, tight, "a controller");
    tap_near(motor(0.1, 4, 0, pd), 2, tight, "a limited one");
    tap_near(motor(0.5, 3, 0, turn), 1.5, tight, "below its velocity a motor gives all");
    tap_near(motor(1.5, 3, 0, turn), -1.5, tight, "beyond it brakes");
    tap_near(motor(1, 3, 0, turn), 0, tight, "and there it rests");
    input.action[0].linear.x = 2;
    tap_near(slides(), 0, tight, "against 2 N too");
    tap_near(effort(0, TAC_EFFORT_MOTOR), -2, tight, "  which it bears");
    input.action[0].linear.x = 5;
    tap_near(slides(), 1, tight, "but not more than 3");
    motor(1, 0, 0, turn);
    input.action[0].linear.x = 500;
    tap_near(slides(), 0, tight, "prescribed motion goes on");
    tap_near(effort(0, TAC_EFFORT_MOTOR), -500, TOL(1e-10, 1e-3), "  against any force");
    motor(0.5, 0, 0, turn);
    tap_equal(now.impacts, 1, "at another velocity it asks for an impulse");
}

// ---------------------------------------------------------------------------------------------------------- mechanisms

// A pendulum of length `l` at this angle from below and rate, in the plane of x and z; inertia about its centre.
static void test_pendulum(void)
{
    const double l = 0.7, mass = 3, inertia = 0.2, angle = 0.6, rate = 2.5;
    for (int kind = 0; kind < 2; kind++) { // a hinge, or a rod at the centre of a body that does not turn
        const int rod = kind == 1;
        begin(G);
        const d3 along = d3_make(d_sin(angle), 0, -d_cos(angle)), across = d3_make(d_cos(angle), 0, d_sin(angle));
        const uint16_t b = add_body(d3_scale(l, along), mass, inertia);
        m.body[b].velocity = (tac_twist){d3_to(d3_scale(rate * l, across)), vec(0, rod ? 0 : -rate, 0)};
        tac_joint *j = add_joint(rod ? TAC_DISTANCE : TAC_REVOLUTE, 0, b);
        if (rod) {
            j->lower = j->upper = (tac_real)l;
        } else {
            j->frame_b.p = d3_to(d3_scale(-l, along));
            j->frame_a.q = j->frame_b.q = dq_to(dq_about(d3_make(1, 0, 0), TRUTH_PI / 2)); // z along -y
        }
        begin_world(&m, &s);
        tap_equal(ask(), TAC_OK, rod ? "a mass on a rod" : "a pendulum");
        const double alpha = -mass * G * l * d_sin(angle) / (mass * l * l + (rod ? 0 : inertia));
        const d3 a = d3_add(d3_scale(alpha * l, across), d3_scale(-rate * rate * l, along));
        tap_most(d3_norm(d3_sub(d3_of(now.body[b].linear), a)), TOL(1e-9, 1e-4), "  accelerates on its circle");
        const d3 force = d3_scale(mass, d3_add(a, d3_make(0, 0, G)));
        tap_most(d3_norm(d3_sub(d3_of(now.joint[0].reaction.force), force)), TOL(1e-8, 1e-3), "  with this reaction");
        if (!rod) { tap_near(now.joint[0].acceleration, alpha, TOL(1e-12, 1e-4), "  and its angle"); }
    }
}

// Two rods of mass 1 and 2, lengths 1 and 0.8, hinged at their ends: Lagrange's equations.
static void test_double_pendulum(void)
{
    const double l[2] = {1, 0.8}, mass[2] = {1, 2}, angle[2] = {0.5, 1.3}, rate[2] = {1.5, -2};
    d3 end = d3_make(0, 0, 0), v = end;
    begin(G);
    for (int i = 0; i < 2; i++) {
        const d3 along = d3_make(d_sin(angle[i]), 0, -d_cos(angle[i])), across = d3_make(-along.z, 0, along.x);
        const d3 half = d3_scale(0.5 * l[i], along);
        const uint16_t b = add_body(d3_add(end, half), mass[i], mass[i] * l[i] * l[i] / 12);
        m.body[b].velocity = (tac_twist){d3_to(d3_add(v, d3_scale(0.5 * l[i] * rate[i], across))), vec(0, -rate[i], 0)};
        tac_joint *j = add_joint(TAC_REVOLUTE, (uint16_t)(b - 1), b);
        if (i > 0) { j->frame_a.p = d3_to(d3_scale(0.5, end)); }
        j->frame_b.p = d3_to(d3_scale(-1, half));
        j->frame_a.q = j->frame_b.q = dq_to(dq_about(d3_make(1, 0, 0), TRUTH_PI / 2));
        end = d3_add(end, d3_scale(2, half));
        v = d3_add(v, d3_scale(l[i] * rate[i], across));
    }
    begin_world(&m, &s);
    tap_equal(ask(), TAC_OK, "a double pendulum");
    const double c = d_cos(angle[0] - angle[1]), sine = d_sin(angle[0] - angle[1]);
    const double m11 = (mass[0] / 3 + mass[1]) * l[0] * l[0], m22 = mass[1] / 3 * l[1] * l[1];
    const double m12 = 0.5 * mass[1] * l[0] * l[1];
    const double f1 = -m12 * sine * rate[1] * rate[1] - (0.5 * mass[0] + mass[1]) * G * l[0] * d_sin(angle[0]);
    const double f2 = m12 * sine * rate[0] * rate[0] - 0.5 * mass[1] * G * l[1] * d_sin(angle[1]);
    const double det = m11 * m22 - m12 * c * m12 * c;
    tap_near(-now.body[1].angular.y, (m22 * f1 - m12 * c * f2) / det, TOL(1e-11, 1e-3), "  the first rod");
    tap_near(-now.body[2].angular.y, (m11 * f2 - m12 * c * f1) / det, TOL(1e-11, 1e-3), "  the second rod");
}

// A parallelogram: two cranks of length r from the ground, a beam on them. It closes a loop.
static void test_loop(void)
{
    const double r = 0.5, mass = 2, crank = 1, inertia = crank * r * r / 12, angle = 0.7, rate = 3;
    const d3 along = d3_make(d_cos(angle), 0, d_sin(angle)), across = d3_make(-along.z, 0, along.x);
    begin(G);
    for (int i = 0; i < 2; i++) {
        const d3 foot = d3_make(i, 0, 0);
        const uint16_t b = add_body(d3_add(foot, d3_scale(0.5 * r, along)), crank, inertia);
        m.body[b].velocity = (tac_twist){d3_to(d3_scale(0.5 * r * rate, across)), vec(0, -rate, 0)};
        tac_joint *j = add_joint(TAC_REVOLUTE, 0, b);
        j->frame_a.p = d3_to(foot);
        j->frame_b.p = d3_to(d3_scale(-0.5 * r, along));
        j->frame_a.q = j->frame_b.q = dq_to(dq_about(d3_make(1, 0, 0), TRUTH_PI / 2));
    }
    const uint16_t beam = add_body(d3_add(d3_make(0.5, 0, 0), d3_scale(r, along)), mass, 1);
    m.body[beam].velocity.v = d3_to(d3_scale(r * rate, across));
    for (uint16_t i = 0; i < 2; i++) {
        tac_joint *j = add_joint(TAC_REVOLUTE, (uint16_t)(1 + i), beam);
        j->frame_a.p = d3_to(d3_scale(0.5 * r, along));
        j->frame_b.p = vec(i - 0.5, 0, 0);
        j->frame_a.q = j->frame_b.q = dq_to(dq_about(d3_make(1, 0, 0), TRUTH_PI / 2));
    }
    begin_world(&m, &s);
    tap_equal(ask(), TAC_OK, "a parallelogram");
    const double alpha = -(mass + crank) * G * r * along.x / (mass * r * r + 2 * (inertia + 0.25 * crank * r * r));
    const d3 a = d3_add(d3_scale(alpha * r, across), d3_scale(-rate * rate * r, along));
    tap_most(d3_norm(d3_sub(d3_of(now.body[beam].linear), a)), TOL(1e-7, 1e-2), "  its beam goes round");
    tap_most(d3_norm(d3_of(now.body[beam].angular)), TOL(1e-7, 1e-2), "  and stays level");
}

// Two wheels on the ground with a gear between them, q_b = 3 q_a, and a torque on the first.
static void test_gears(void)
{
    begin(0);
    for (int i = 0; i < 2; i++) { add_joint(TAC_REVOLUTE, 0, add_body(d3_make(i, 0, 0), 1, 0.5 + i)); }
    tac_joint *gear = add_joint(TAC_COUPLING, 0, 1);
    gear->length = 3;
    gear->lower = gear->upper = 0;
    m.body[1].velocity.w = vec(0, 0, 1);
    m.body[2].velocity.w = vec(0, 0, 3);
    begin_world(&m, &s);
    input.motors = 1;
    input.motor[0] = (tac_motor){.effort = 7, .joint = 0, .kind = TAC_MOTOR_EFFORT};
    tap_equal(ask(), TAC_OK, "two wheels with a gear");
    tap_near(now.joint[0].acceleration, 7 / (0.5 + 9 * 1.5), TOL(1e-8, 1e-4), "  the first one");
    tap_near(now.joint[1].acceleration, 21 / (0.5 + 9 * 1.5), TOL(1e-8, 1e-4), "  the second one");
    tap_near(now.joint[2].acceleration, 0, TOL(1e-8, 1e-4), "  and the gear holds");
    tap_near(effort(2, TAC_EFFORT_MOTOR), 21 * 1.5 / 14, TOL(1e-7, 1e-3), "  with this torque");
}

static void test_bushing(void)
{
    begin(G);
    const uint16_t b = add_body(d3_make(0.02, -0.03, 0.01), 2, 0.5);
    m.body[b].velocity = (tac_twist){vec(0.3, 0.1, -0.2), vec(0.5, 0, 0.4)};
    m.body[b].pose.q = dq_to(dq_about(d3_make(0, 0, 1), 0.01));
    tac_joint *j = add_joint(TAC_BUSHING, 0, b);
    j->along = vec(100, 200, 300), j->along_damping = vec(1, 2, 3);
    j->about = vec(10, 20, 30), j->about_damping = vec(4, 5, 6);
    begin_world(&m, &s);
    tap_equal(ask(), TAC_OK, "a bushing");
    const d3 force = d3_make(-100 * 0.02 - 0.3, 200 * 0.03 - 2 * 0.1, -300 * 0.01 + 3 * 0.2);
    tap_most(d3_norm(d3_sub(d3_of(now.body[b].linear), d3_add(d3_scale(0.5, force), d3_make(0, 0, -G)))),
             TOL(1e-11, 1e-4), "  has the force of its springs and dampers");
    tap_near(now.body[b].angular.z, (-30 * 0.01 - 6 * 0.4) / 0.5, TOL(1e-11, 1e-4), "  and their torque");
    tap_most(d3_norm(d3_sub(d3_of(now.joint[0].reaction.force), force)), TOL(1e-11, 1e-4), "  and says so");
}

// A frame on two wheels, one of them driven, on the floor: (M + 2 m + 2 I/r^2) a = torque/r. And a beam that is hinged
// at one end and lies on a ball at the other: half of its weight, less the torque of its motor over its length.
static void floor_below(double friction)
{
    const tac_shape ground = tac_shape_make(0, TAC_HALF_SPACE, vec(1, 1, 1));
    begin(G);
    tac_model_add_material(&m, (tac_real)friction, 0);
    tac_model_add_shape(&m, &ground);
}

static void test_car(void)
{
    const double r = 0.2, wheel = 1.5, inertia = 0.4 * wheel * r * r, mass = 10, torque = 3, v = 4;
    floor_below(1);
    const uint16_t frame = add_body(d3_make(0, 0, 0.3), mass, 1);
    m.body[frame].velocity.v = vec(v, 0, 0);
    for (int i = 0; i < 2; i++) {
        const uint16_t b = add_body(d3_make(i - 0.5, 0, r), wheel, inertia);
        const tac_shape tyre = tac_shape_make(b, TAC_SPHERE, vec(r, 0, 0));
        tac_model_add_shape(&m, &tyre);
        m.body[b].velocity = (tac_twist){vec(v, 0, 0), vec(0, v / r, 0)};
        tac_joint *j = add_joint(TAC_REVOLUTE, frame, b);
        j->frame_a.p = vec(i - 0.5, 0, r - 0.3);
        j->frame_a.q = j->frame_b.q = dq_to(dq_about(d3_make(1, 0, 0), -TRUTH_PI / 2)); // z along y
    }
    begin_world(&m, &s);
    input.motors = 1;
    input.motor[0] = (tac_motor){.effort = (tac_real)torque, .joint = 0, .kind = TAC_MOTOR_EFFORT};
    tap_equal(ask(), TAC_OK, "a car with a driven wheel");
    tap_near(now.body[frame].linear.x, torque / r / (mass + 2 * wheel + 2 * inertia / (r * r)), TOL(1e-11, 1e-4),
             "  accelerates");
    tap_equal(now.contact[0].mode == TAC_CONTACT_ROLLS && now.contact[1].mode == TAC_CONTACT_ROLLS, 1,
              "  on its wheels");
    tap_near((double)now.contact[0].force.x + (double)now.contact[1].force.x, (mass + 2 * wheel) * G, TOL(1e-10, 1e-3),
             "  which bear its weight");
    input.motor[0].effort = 60;
    tap_equal(ask(), TAC_OK, "with twenty times the torque");
    tap_equal(now.contact[0].mode == TAC_CONTACT_SLIDES || now.contact[1].mode == TAC_CONTACT_SLIDES, 1,
              "  the wheel begins to slide");
}

static void test_beam(void)
{
    floor_below(0);
    const uint16_t beam = add_body(d3_make(1, 0, 0.1), 6, 2);
    tac_shape end = tac_shape_make(beam, TAC_SPHERE, vec(0.1, 0, 0));
    end.pose.p = vec(1, 0, 0);
    tac_model_add_shape(&m, &end);
    tac_joint *j = add_joint(TAC_REVOLUTE, 0, beam);
    j->frame_a.p = vec(0, 0, 0.1);
    j->frame_b.p = vec(-1, 0, 0);
    j->collide = 1;
    j->frame_a.q = j->frame_b.q = dq_to(dq_about(d3_make(1, 0, 0), -TRUTH_PI / 2));
    begin_world(&m, &s);
    input.motors = 1;
    input.motor[0] = (tac_motor){.effort = -10, .joint = 0, .kind = TAC_MOTOR_EFFORT};
    tap_equal(ask(), TAC_OK, "a beam on its end");
    tap_near(now.contact[0].force.x, 0.5 * (6 * G - 10), TOL(1e-11, 1e-4), "  bears a part of its weight there");
    tap_near(now.joint[0].reaction.force.z, 6 * G - 0.5 * (6 * G - 10), TOL(1e-11, 1e-4), "  its hinge the rest");
    input.motor[0].effort = -70;
    tap_equal(ask(), TAC_OK, "a motor lifts it");
    tap_equal(now.contact[0].mode, TAC_CONTACT_OPENS, "  the contact opens");
    tap_near(now.joint[0].acceleration, (6 * G - 70) / 8, TOL(1e-12, 1e-4), "  and it turns");
}

// A ball that is welded to a slide along the floor: what the slide and the floor bear is not determined.
static void test_blocked(void)
{
    for (int i = 0; i < 4; i++) {
        floor_below(i % 2 ? 0.5 : 0);
        m.gravity = vec(1, 0.3, -G);
        const uint16_t b = add_body(d3_make(0.123, 0, 0.1), 1.37, 0.0041),
                       slider = add_body(d3_make(0.123, 0, 0.5), 1.1, 0.03);
        const tac_shape foot = tac_shape_make(b, i < 2 ? TAC_SPHERE : TAC_BOX, vec(0.1, 0.1, 0.1));
        tac_model_add_shape(&m, &foot);
        m.body[b].velocity.v = m.body[slider].velocity.v = vec(i % 2, 0, 0);
        tac_joint *j = add_joint(TAC_PRISMATIC, 0, slider);
        j->frame_a.q = j->frame_b.q = dq_to(dq_about(d3_make(0, 1, 0), TRUTH_PI / 2));
        add_joint(TAC_FIXED, slider, b)->frame_a.p = vec(0, 0, -0.4);
        begin_world(&m, &s);
        tap_equal(ask(), TAC_OK, "a foot that a slide holds at the floor");
        tap_near(now.body[b].linear.x, 1, TOL(1e-12, 1e-5), "  slides on");
        for (uint16_t c = 0; c < now.contacts; c++) {
            tap_equal(now.contact[c].force.x == 0, 1, "  and bears nothing");
        }
        tap_equal(now.paradoxes, 0, "  no paradox");
    }
}

// A motor that holds a position, of limited effort and without limits.
static void test_positions(void)
{
    const tac_motor hold = {.position = (tac_real)0.2, .kind = TAC_MOTOR_POSITION};
    tap_near(motor(0, 3, 0, hold), 0, TOL(1e-12, 1e-5), "at its position a motor rests");
    input.action[0].linear.x = 7;
    tap_near(slides(), 2, TOL(1e-12, 1e-5), "against 7 N it has 3");
    motor(0, 0, 0, hold);
    input.action[0].linear.x = 7;
    tap_near(slides(), 0, TOL(1e-12, 1e-5), "without a limit it holds");
    tap_equal(now.impacts, 0, "  without an impulse");
    tac_motor away = hold;
    away.position = (tac_real)0.3;
    tap_near(motor(0, 3, 0, away), 1.5, TOL(1e-12, 1e-5), "away from it, it gives all");
    motor(0, 0, 0, away);
    tap_equal(now.impacts, 1, "without a limit that is an impulse");
}

// -------------------------------------------------------------------------------------------------------- random trees

static tac_real position[TAC_MAX_POSITIONS], rate[TAC_MAX_VELOCITIES], given[TAC_MAX_VELOCITIES];
static tac_real result[TAC_MAX_VELOCITIES], jacobian[6 * TAC_MAX_VELOCITIES];

static tac_pose random_pose(rng *r, double size)
{
    return (tac_pose){d3_to(rng_box(r, size)), dq_to(rng_quat(r))};
}

// Up to eight bodies, each but the roots on one before it, met from either side; a wrench on the last.
static void tree(rng *r, double size, double density)
{
    static const uint8_t kind[8] = {TAC_FIXED,     TAC_REVOLUTE,  TAC_PRISMATIC,   TAC_SCREW,
                                    TAC_SPHERICAL, TAC_UNIVERSAL, TAC_CYLINDRICAL, TAC_PLANAR};
    const uint16_t bodies = (uint16_t)(1 + rng_below(r, 8));
    begin(0);
    m.gravity = d3_to(rng_box(r, 10 * size));
    for (uint16_t i = 1; i <= bodies; i++) {
        const double mass = density * rng_range(r, 0.5, 2) * size * size * size, moment = mass * size * size;
        tac_body b = tac_body_make(TAC_DYNAMIC, vec(0, 0, 0));
        b.mass = (tac_real)mass;
        b.inertia =
            vec(rng_range(r, 0.3, 0.5) * moment, rng_range(r, 0.3, 0.5) * moment, rng_range(r, 0.3, 0.5) * moment);
        b.pose = random_pose(r, size);
        tac_model_add_body(&m, &b);
        const uint16_t on = (uint16_t)rng_below(r, i);
        if (on == 0 && rng_below(r, 3) > 0) { continue; }
        const int turned = rng_below(r, 3) == 0;
        tac_joint *j = add_joint(kind[rng_below(r, 8)], turned ? i : on, turned ? on : i);
        j->frame_a = random_pose(r, size);
        j->frame_b = random_pose(r, size);
        if (j->kind == TAC_SCREW) { j->length = (tac_real)(0.3 * size); }
        if (j->kind == TAC_REVOLUTE) { j->armature = (tac_real)(rng_range(r, 0, 0.2) * moment); }
    }
    begin_world(&m, &s);
    input.actions = 1;
    input.action[0] = (tac_action){.body = bodies, .kind = TAC_WRENCH_WORLD};
    input.action[0].linear = d3_to(rng_box(r, density * 5 * size * size * size * size));
    input.action[0].angular = d3_to(rng_box(r, density * 5 * size * size * size * size * size));
}

// A state with random rates that keeps its joints.
static uint16_t set_tree(rng *r, double size)
{
    tac_coordinates map;
    tac_model_get_coordinates(&m, &w, &map);
    tac_state_get_coordinates(&m, &s, &w, position, rate);
    for (uint16_t i = 0; i < map.velocities; i++) { rate[i] = (tac_real)rng_range(r, -1, 1); }
    for (uint16_t i = 1; i < m.bodies; i++) { // v of free roots
        const uint16_t at = map.body[i].velocity;
        for (uint16_t k = 0; at != TAC_NONE && k < 3; k++) { rate[at + k] = (tac_real)(size * (double)rate[at + k]); }
    }
    for (uint32_t i = 0; i < m.joints; i++) {
        const uint16_t at = map.joint[i].velocity;
        const int slide = m.joint[i].kind == TAC_PRISMATIC || m.joint[i].kind == TAC_CYLINDRICAL,
                  plane = m.joint[i].kind == TAC_PLANAR;
        if (at != TAC_NONE && (slide || plane)) { rate[at] = (tac_real)(size * (double)rate[at]); }
        if (at != TAC_NONE && plane) { rate[at + 1] = (tac_real)(size * (double)rate[at + 1]); }
    }
    tap_ok(tac_state_set_coordinates(&m, &s, position, rate, &w) == TAC_OK, "a random tree");
    return map.velocities;
}

// The wrench of the input as efforts, J'f.
static void efforts(uint16_t n)
{
    const tac_action *a = &input.action[0];
    tac_jacobian(&m, &s, a->body, vec(0, 0, 0), TAC_AXES_WORLD, &w, jacobian);
    for (uint16_t i = 0; i < n; i++) {
        const d3 v = d3_make((double)jacobian[i], (double)jacobian[n + i], (double)jacobian[2 * n + i]);
        const d3 turn = d3_make((double)jacobian[3 * n + i], (double)jacobian[4 * n + i], (double)jacobian[5 * n + i]);
        given[i] = (tac_real)(d3_dot(v, d3_of(a->linear)) + d3_dot(turn, d3_of(a->angular)));
    }
}

// The acceleration of a body from those of the coordinates, and what the result is off.
static double compared(uint16_t body, uint16_t n, double size)
{
    tac_point_motion motion;
    double a[6];
    tac_body_point(&m, &s, body, vec(0, 0, 0), TAC_AXES_WORLD, &w, &motion);
    tac_jacobian(&m, &s, body, vec(0, 0, 0), TAC_AXES_WORLD, &w, jacobian);
    for (int k = 0; k < 6; k++) {
        a[k] = 0;
        for (uint16_t i = 0; i < n; i++) { a[k] += (double)jacobian[k * n + i] * (double)result[i]; }
    }
    const d3 linear = d3_add(d3_make(a[0], a[1], a[2]), d3_of(motion.linear_drift));
    const d3 angular = d3_add(d3_make(a[3], a[4], a[5]), d3_of(motion.angular_drift));
    const d3 turn = dq_rotate(dq_of(s.pose[body].q), d3_of(now.body[body].angular));
    const double off = d3_norm(d3_sub(linear, d3_of(now.body[body].linear))) / size + d3_norm(d3_sub(angular, turn));
    return off / (1 + d3_norm(linear) / size + d3_norm(angular));
}

// Newton's and Euler's equations with the reactions of all joints. The rotor of a joint has an inertia only against the
// axis of its joint, which is in the effort of its reaction.
static double balance(uint16_t body, double mass, double size)
{
    const d3 at = d3_of(s.pose[body].p), spin = d3_of(s.twist[body].w), inertia = d3_of(m.body[body].inertia);
    d3 force = d3_scale((double)m.body[body].mass, d3_of(m.gravity)), torque = d3_make(0, 0, 0);
    if (input.action[0].body == body && input.actions > 0) {
        force = d3_add(force, d3_of(input.action[0].linear));
        torque = d3_of(input.action[0].angular);
    }
    for (uint32_t i = 0; i < m.joints; i++) {
        const tac_joint *j = &m.joint[i];
        const double sign = (j->body_b == body) - (j->body_a == body);
        const d3 arm = d3_sub(world_place(&m, &s, j->body_b, j->frame_b.p), at), f = d3_of(now.joint[i].reaction.force);
        force = d3_add(force, d3_scale(sign, f));
        torque = d3_add(torque, d3_scale(sign, d3_add(d3_of(now.joint[i].reaction.torque), d3_cross(arm, f))));
    }
    const d3 alpha = d3_of(now.body[body].angular),
             momentum = d3_make(inertia.x * spin.x, inertia.y * spin.y, inertia.z * spin.z);
    const d3 rates =
        d3_add(d3_make(inertia.x * alpha.x, inertia.y * alpha.y, inertia.z * alpha.z), d3_cross(spin, momentum));
    const d3 m_a = d3_scale((double)m.body[body].mass, d3_of(now.body[body].linear));
    return d3_norm(d3_sub(m_a, force)) / (mass * size) +
           d3_norm(d3_sub(dq_rotate(dq_of(s.pose[body].q), rates), torque)) / (mass * size * size);
}

static void test_trees(double size, double density)
{
    enum { TREES = RUN(150, 20) };
    double worst = 0, unbalanced = 0;
    uint64_t at = 0;
    for (uint64_t seed = 1; seed <= TREES; seed++) {
        rng r = {seed};
        tree(&r, size, density);
        const uint16_t n = set_tree(&r, size);
        efforts(n);
        tap_ok(tac_forward_dynamics(&m, &s, given, &w, result) == TAC_OK && ask() == TAC_OK, "  is answered twice");
        for (uint16_t b = 1; b < m.bodies; b++) {
            const double off = compared(b, n, size);
            if (off > worst) { at = seed; }
            d_worst(&worst, off);
            d_worst(&unbalanced, balance(b, density * size * size * size, size));
        }
    }
    tap_most(worst, TOL(1e-10, 2e-2), "random trees accelerate as the forward dynamics say");
    tap_most(unbalanced, TOL(1e-9, 2e-2), "their reactions balance, Newton and Euler");
    tap_note("worst", worst);
    tap_note("unbalanced", unbalanced);
    tap_note("its seed", (double)at);
}

// --------------------------------------------------------------------------------------------------------------- steps

// The largest difference between the accelerations of a random world after some steps of T03 and those of the next one,
// relative to these. -1 where one of them is not solved.
static double off(uint32_t seed, double h)
{
    tac_twist before[JOINTED_BODIES + 1];
    double worst = 0, size = 1;
    jointed_seed = seed;
    jointed_build(&m);
    m.h = (tac_real)h;
    begin_world(&m, &s);
    tac_lcp_init(&q);
    q.directions = 4;
    jointed_drive(&m, 0, &input);
    for (int i = 0; i < 6; i++) {
        for (uint16_t b = 1; b < m.bodies; b++) { before[b] = s.twist[b]; }
        if (i == 5 && ask() != TAC_OK) { return -1; }
        if (tac_step_lcp(&m, &s, &input, &w, &q) != TAC_OK) { return -1; }
    }
    for (uint16_t b = 1; b < m.bodies; b++) {
        const d3 v = d3_scale(1 / h, d3_sub(d3_of(s.twist[b].v), d3_of(before[b].v)));
        const d3 turn = d3_scale(1 / h, d3_sub(d3_of(s.twist[b].w), d3_of(before[b].w)));
        size = d_max(size, d3_norm(v) + 0.1 * d3_norm(turn));
        d_worst(&worst, d3_norm(d3_sub(v, d3_of(now.body[b].linear))));
        d_worst(&worst, 0.1 * d3_norm(d3_sub(turn, d3_of(now.body[b].angular))));
    }
    return worst / size;
}

// The difference falls in proportion to h, but for the rounding of the errors of joints over h^2. In float, whose steps
// cannot be as short, it is small for nearly all of them.
static void test_steps(void)
{
    enum { WORLDS = RUN(200, 20) };
    double worst = 0;
    int unsolved = 0, beyond = 0;
    for (uint32_t seed = 1; seed <= WORLDS; seed++) {
        const double coarse = off(seed, TOL(1e-4, 2e-3)), fine = off(seed, TOL(1e-5, 1e-3));
        const int solved = coarse >= 0 && fine >= 0, far = solved && fine > TOL(0.2 * coarse + 1e-4, 0.05);
        unsolved += !solved;
        beyond += far;
        if (far) { tap_note("seed", seed); }
        d_worst(&worst, fine);
    }
    tap_most(beyond, TOL(0, WORLDS / 20), "random worlds: steps of T03 have the same accelerations, to order h");
    tap_most(unsolved, WORLDS / 20, "  nearly all are solved");
    tap_note("unsolved", unsolved);
    tap_note("worst", worst);
}

// A slide with a rotor on an arm that turns freely: how far it is out after so long, by Runge and Kutta.
enum { OUT, SLIDING, TURNING, ARM };

static void arm_rates(const double *y, double mass, double rotor, double inertia, double *to)
{
    to[OUT] = y[SLIDING];
    to[SLIDING] = mass * y[OUT] * y[TURNING] * y[TURNING] / (mass + rotor);
    to[TURNING] = -2 * mass * y[OUT] * y[SLIDING] * y[TURNING] / (mass * y[OUT] * y[OUT] + inertia);
}

static double arm_truth(double mass, double rotor, double inertia, double spin, double t)
{
    enum { STEPS = 2000 };
    static const double part[4] = {0, 0.5, 0.5, 1}, weight[4] = {1, 2, 2, 1};
    double y[ARM] = {0.5, 0, spin};
    for (int i = 0; i < STEPS; i++) {
        double k[ARM] = {0}, at[ARM], sum[ARM] = {0};
        for (int stage = 0; stage < 4; stage++) {
            for (int j = 0; j < ARM; j++) { at[j] = y[j] + part[stage] * t / STEPS * k[j]; }
            arm_rates(at, mass, rotor, inertia, k);
            for (int j = 0; j < ARM; j++) { sum[j] += weight[stage] * k[j]; }
        }
        for (int j = 0; j < ARM; j++) { y[j] += t / STEPS / 6 * sum[j]; }
    }
    return y[OUT];
}

static double arm_out(int t03, int stabilise, double h, double mass, double rotor, double spin, double t)
{
    tac_joint_state slide;
    begin(0);
    m.h = (tac_real)h;
    m.options.stabilise = (uint8_t)stabilise;
    for (int i = 0; i < 2; i++) {
        const uint16_t b = add_body(d3_make(0.5 * i, 0, 0), i ? mass : 1, i ? 0.2 : 0.5);
        m.body[b].velocity = (tac_twist){vec(0, 0.5 * i * spin, 0), vec(0, 0, spin)};
    }
    add_joint(TAC_REVOLUTE, 0, 1);
    tac_joint *j = add_joint(TAC_PRISMATIC, 1, 2);
    j->frame_a.q = j->frame_b.q = dq_to(dq_about(d3_make(0, 1, 0), TRUTH_PI / 2));
    j->frame_a.p = vec(0.5, 0, 0);
    j->armature = (tac_real)rotor;
    begin_world(&m, &s);
    for (int i = 0; i * h < t - h / 2; i++) {
        if ((t03 ? tac_step_lcp(&m, &s, &input, &w, &q) : tac_step(&m, &s, &input, &w)) < 0) { return -1; }
    }
    tac_state_get_joint(&m, &s, 1, &slide);
    return 0.5 + (double)slide.position;
}

// The rotor resists the rate at which the slide moves along the arm, and this grows as the arm turns. A step has the
// rows of its start.
static void test_rotor_turns(void)
{
    const double mass = 2, rotor = 3, spin = 3, t = 0.4, truth = arm_truth(mass, rotor, 0.7, spin, t);
    for (int i = 0; i < 3; i++) {
        const double coarse = arm_out(i == 2, i == 1, 4e-3, mass, rotor, spin, t) - truth;
        const double fine = arm_out(i == 2, i == 1, 1e-3, mass, rotor, spin, t) - truth;
        tap_most(d_abs(coarse), 3e-3, i == 2 ? "T03: a rotor on a slide that turns, m" : "a rotor on a slide that turns, m");
        tap_most(d_abs(fine), TOL(0.3, 0.5) * d_abs(coarse), "  to order h");
    }
}

int main(void)
{
    test_rotor_turns();
    test_friction();
    test_limit();
    test_passive();
    test_motors();
    test_pendulum();
    test_double_pendulum();
    test_loop();
    test_gears();
    test_bushing();
    test_car();
    test_beam();
    test_positions();
    test_blocked();
    test_trees(1, 1);
    test_trees(0.001, 1000);
    test_trees(100, 10);
    test_steps();
    return tap_done();
}
