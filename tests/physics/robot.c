// SPDX-License-Identifier: MIT
// config: robots
// variants: gcc-O2-32 gcc-O2-64
// A robot of twelve hinges in free flight: what its motors do inside changes neither momentum nor the fall of its
// centre of mass; its energy is what they and the dampers do.
#include "begin.h"
#include "truth.h"

#define LEGS 4
#define JOINTS (3 * LEGS)

static tac_model m;
static tac_state s;
static tac_work w;
static tac_input input;

// Torso of 20 kg, legs of hip (1 kg), thigh (2 kg), shank (0.3 kg): frames oblique, centres of mass off the lines
// between.
static void add_leg(rng *r, int leg)
{
    static const double mass[3] = {1, 2, 0.3};
    for (int part = 0; part < 3; part++) {
        const uint16_t self = m.bodies, above = part > 0 ? (uint16_t)(self - 1) : 1;
        const double k = mass[part], side = leg & 1 ? -0.2 : 0.2, fore = leg & 2 ? -0.3 : 0.3;
        tac_body b = tac_body_make(TAC_DYNAMIC, vec(0, 0, 0));
        tac_joint j;
        b.mass = (tac_real)k;
        b.inertia = vec(0.01 * k, 0.012 * k, 0.004 * k);
        b.inertial = (tac_pose){d3_to(d3_add(d3_make(0, 0, -0.1), rng_box(r, 0.03))), dq_to(rng_quat(r))};
        tac_model_add_body(&m, &b);
        tac_joint_init(&j, TAC_REVOLUTE, above, self);
        j.frame_a.p = part > 0 ? vec(0, 0, -0.25) : vec(fore, side, 0);
        j.frame_a.q = j.frame_b.q = dq_to(dq_about(part > 0 ? d3_make(1, 0, 0) : d3_make(0, 1, 0), TRUTH_PI / 2));
        j.damping = (tac_real)0.05;
        tac_model_add_joint(&m, &j);
    }
}

// Thrown at about 1 m/s and 1 rad/s, its joints anywhere and moving by up to 3 rad/s.
static void begin(double h, double gravity, uint64_t seed)
{
    rng r = {seed};
    tac_joint_state x[JOINTS];
    tac_body torso = tac_body_make(TAC_DYNAMIC, vec(0, 0, 0));
    tac_model_init(&m);
    m.h = (tac_real)h;
    m.gravity = vec(0.3 * gravity, 0, -gravity);
    m.options.solver = TAC_SOLVER_DIRECT;
    torso.mass = 20;
    torso.inertia = vec(0.3, 0.8, 1.0);
    torso.velocity = (tac_twist){d3_to(rng_box(&r, 1)), d3_to(rng_box(&r, 1))};
    tac_model_add_body(&m, &torso);
    for (int leg = 0; leg < LEGS; leg++) { add_leg(&r, leg); }
    begin_world(&m, &s);
    for (int i = 0; i < JOINTS; i++) {
        x[i].position = (tac_real)rng_range(&r, -1, 1);
        x[i].velocity = (tac_real)rng_range(&r, -3, 3);
    }
    tap_ok(tac_state_set_joints(&m, &s, x) == TAC_OK, "a robot is thrown");
    truth_fill(&input, sizeof input, 0);
    input.motors = JOINTS;
}

// Torques that swing, and springs to a pose: of the first and of the second six joints.
static void drive(double time)
{
    for (int i = 0; i < JOINTS; i++) {
        const double push = 2 * d_sin(3 * time + i);
        input.motor[i] = i < JOINTS / 2 ? (tac_motor){0, 0, (tac_real)push, 0, 0, (uint16_t)i, TAC_MOTOR_EFFORT}
                                        : (tac_motor){(tac_real)(0.5 * push), 0, 0, 40, 1, (uint16_t)i, TAC_MOTOR_PD};
    }
}

typedef struct totals {
    d3 p, l;              // kg m/s, kg m2/s about the origin
    double size, turning; // the same, of all bodies without regard to sign
    d3 centre;            // m
    double energy;        // J
} totals;

static totals weigh(void)
{
    totals t = {{0, 0, 0}, {0, 0, 0}, 0, 0, {0, 0, 0}, 0};
    double mass = 0;
    for (uint16_t i = 1; i < m.bodies; i++) {
        const double k = (double)m.body[i].mass;
        const d3 at = d3_of(s.pose[i].p), p = d3_scale(k, d3_of(s.twist[i].v)), spin = d3_of(s.twist[i].w);
        const d3 inertia = d3_of(m.body[i].inertia);
        const d3 own = {inertia.x * spin.x, inertia.y * spin.y, inertia.z * spin.z};
        const d3 l = d3_add(d3_cross(at, p), dq_rotate(dq_of(s.pose[i].q), own));
        t.p = d3_add(t.p, p);
        t.l = d3_add(t.l, l);
        t.size += d3_norm(p);
        t.turning += d3_norm(l);
        t.centre = d3_add(t.centre, d3_scale(k, at));
        t.energy += 0.5 * (d3_dot(p, p) / k + d3_dot(spin, own)) - k * d3_dot(d3_of(m.gravity), at);
        mass += k;
    }
    t.centre = d3_scale(1.0 / mass, t.centre);
    return t;
}

// What motors and dampers do in a step: their torque times the mean rate of their joint.
static double step(double time, double *apart, int *refused)
{
    tac_joint_state before[JOINTS], after;
    double work = 0;
    drive(time);
    for (uint32_t i = 0; i < JOINTS; i++) { tac_state_get_joint(&m, &s, i, &before[i]); }
    *refused += tac_step(&m, &s, &input, &w) < 0;
    d_worst(apart, (double)w.report.joint_error);
    for (uint32_t i = 0; i < JOINTS; i++) {
        tac_state_get_joint(&m, &s, i, &after);
        const double rate = 0.5 * ((double)before[i].velocity + (double)after.velocity);
        work += (double)m.h * rate *
                ((double)w.joint[i].effort[TAC_EFFORT_MOTOR] + (double)w.joint[i].effort[TAC_EFFORT_PASSIVE]);
    }
    return work;
}

static void test_momentum(void)
{
    double linear = 0, angular = 0, lost = 0, work = 0, done = 0, apart = 0;
    int refused = 0;
    begin(1e-3, 0, UINT64_C(12));
    const totals start = weigh();
    for (int i = 0; i < 4000; i++) {
        const double more = step(1e-3 * i, &apart, &refused);
        const totals now = weigh();
        work += more;
        done += d_abs(more);
        d_worst(&linear, d3_norm(d3_sub(now.p, start.p)) / start.size);
        d_worst(&angular, d3_norm(d3_sub(now.l, start.l)) / start.turning);
        d_worst(&lost, (now.energy - start.energy - work) / (start.energy + done));
    }
    tap_equal(refused, 0, "all steps are taken");
    tap_most(linear, TOL(1e-12, 1e-6), "motors inside leave the momentum alone, of its size");
    tap_most(angular, TOL(1e-12, 1e-5), "and the angular momentum");
    tap_most(lost, 1e-3, "energy is what motors and dampers do, of all that they do");
    tap_most(apart, TOL(1e-10, 2e-6), "no joint comes apart, m");
    tap_note("momentum", linear);
    tap_note("angular momentum", angular);
    tap_note("energy", lost);
    tap_note("joints, m", apart);
    tap_note("energy, J", start.energy);
    tap_note("work to and fro, J", done);
}

// Each step adds h g to the velocity, then h times that to the place: v0 t + g t (t + h)/2 after n of them.
static void test_fall(void)
{
    double off = 0, apart = 0;
    int refused = 0;
    begin(1e-3, 9.81, UINT64_C(13));
    const totals start = weigh();
    const d3 v = d3_scale(1.0 / (20 + 4 * 3.3), start.p), g = d3_of(m.gravity);
    for (int i = 1; i <= 2000; i++) {
        const double t = i * (double)m.h;
        step(t, &apart, &refused);
        const d3 fall = d3_add(d3_scale(t, v), d3_scale(0.5 * t * (t + (double)m.h), g));
        d_worst(&off, d3_norm(d3_sub(d3_sub(weigh().centre, start.centre), fall)));
    }
    tap_equal(refused, 0, "all steps are taken");
    tap_most(off, TOL(1e-12, 1e-5), "its centre of mass falls as a stone does, m");
    tap_note("off the parabola, m", off);
}

// A motor at each joint, which drives it against one of its limits.
static void begin_limits(uint64_t seed)
{
    rng r = {seed};
    tac_joint_state x[JOINTS];
    begin(1e-3, 0, seed);
    m.options.solver = TAC_SOLVER_AUTO;
    for (uint32_t i = 0; i < JOINTS; i++) {
        const double push = rng_range(&r, -1, 1) < 0 ? -1.5 : 1.5;
        tac_state_get_joint(&m, &s, i, &x[i]);
        m.joint[i].lower = (tac_real)rng_range(&r, -1.5, -1);
        m.joint[i].upper = (tac_real)rng_range(&r, 1, 1.5);
        input.motor[i] = (tac_motor){0, 0, (tac_real)push, 0, 0, (uint16_t)i, TAC_MOTOR_EFFORT};
    }
    begin_world(&m, &s);
    tac_state_set_joints(&m, &s, x);
}

// How far a joint has passed a limit, rad.
static double passed(uint32_t i)
{
    tac_joint_state x;
    tac_state_get_joint(&m, &s, i, &x);
    const double high = (double)x.position - (double)m.joint[i].upper;
    const double low = (double)m.joint[i].lower - (double)x.position;
    return high > low ? high : low;
}

// A coordinate within rounding of its limit is on it: joints that rest there need no more corrections than others.
static void test_limits(void)
{
    enum { ROBOTS = RUN(20, 5), LANDED = 1600, STEPS = 1800 };
    double beyond = 0, apart = 0, most = 0;
    int refused = 0;
    for (int robot = 0; robot < ROBOTS; robot++) {
        begin_limits(UINT64_C(20) + (uint64_t)robot);
        for (int i = 0; i < STEPS; i++) {
            refused += tac_step(&m, &s, &input, &w) < 0;
            if (i < LANDED) { continue; }
            d_worst(&most, w.report.joint_iterations);
            d_worst(&apart, (double)w.report.joint_error);
            for (uint32_t k = 0; k < JOINTS; k++) { d_worst(&beyond, passed(k) > 0 ? passed(k) : 0); }
        }
    }
    tap_equal(refused, 0, "all steps of robots on their limits are taken");
    tap_most(most, TOL(3, 2), "corrections of a step");
    tap_most(beyond, 3e-5, "no limit is passed by more than the arc of a step, rad");
    tap_most(apart, TOL(1e-12, 3e-6), "no joint comes apart, m");
    tap_note("limits passed by, rad", beyond);
    tap_note("joints on them, m", apart);
}

int main(void)
{
    test_momentum();
    test_fall();
    test_limits();
    return tap_done();
}
