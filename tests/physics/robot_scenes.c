// SPDX-License-Identifier: MIT
// config: robots
// variants: gcc-O2-32 gcc-O2-64
// Robots: what stands stands and weighs what it weighs, what is held is held by as much friction as there is,
// mechanisms follow their closed forms, wheels go as far as they turn; joints stay together all the while.
#include "begin.h"
#include "robots.h"
#include "truth.h"

#define FLOAT (TAC_REAL_BITS == 32)
#define JOINT_DRIFT (FLOAT ? 1e-6 : 1e-9)

static tac_model m;
static tac_state s;
static tac_work w;
static tac_input input;
static const scene *robot;
static double apart; // worst joint error so far, m

static void start(const char *name)
{
    robot = robot_find(name);
    truth_fill(&input, sizeof input, 0);
    apart = 0.0;
    if (robot == NULL || robot->build(&m) != TAC_OK || tac_state_init(&m, &s, NULL) != TAC_OK) {
        tap_ok(0, tap_joined("the scene can be built:", name));
    }
}

static void take(void)
{
    if (tac_step(&m, &s, &input, &w) < 0) { tap_ok(0, tap_joined("is stepped:", robot->name)); }
    d_worst(&apart, (double)w.report.joint_error);
    for (uint32_t i = 0; i < m.joints; i++) { d_worst(&apart, joint_gap(&m, &s, &m.joint[i])); }
}

static void step(void)
{
    if (robot->drive != NULL) { robot->drive(&m, (uint32_t)s.step, &input); }
    take();
}

static double angle(uint32_t joint)
{
    tac_joint_state x = {0, 0};
    tac_state_get_joint(&m, &s, joint, &x);
    return (double)x.position;
}

static double rate(uint32_t joint)
{
    tac_joint_state x = {0, 0};
    tac_state_get_joint(&m, &s, joint, &x);
    return (double)x.velocity;
}

static d3 place(uint16_t body)
{
    return d3_of(tac_state_get_pose(&m, &s, body).p);
}

// How far an axis of a body leans from where it was when the body was upright, rad.
static double lean(uint16_t body, d3 axis)
{
    return d3_norm(d3_cross(axis, dq_rotate(dq_of(tac_state_get_pose(&m, &s, body).q), axis)));
}

// Vertical force of all contacts with the ground, N.
static double ground_force(void)
{
    double sum = 0.0;
    for (uint16_t i = 0; i < w.report.contacts; i++) {
        const tac_contact *c = &w.contact[i];
        if (c->body_a != 0) { continue; }
        const d3 n = d3_of(c->n), a = d3_of(c->u), b = d3_of(c->w), g = d3_of(c->impulse);
        sum += (n.z * g.x + a.z * g.y + b.z * g.z) / (double)m.h;
    }
    return sum;
}

static double weight(void)
{
    double sum = 0.0;
    for (uint16_t i = 1; i < m.bodies; i++) { sum += 9.81 * (double)m.body[i].mass; }
    return sum;
}

// Vertical momentum, N s.
static double rising(void)
{
    tac_vec3 p, l;
    tac_momentum(&m, &s, &p, &l);
    return (double)p.z;
}

// ----------------------------------------------------------------------------------------------------------- quadruped

static const d3 UP = {0, 0, 1}, ALONG = {0, 1, 0};

// PD by hand, as efforts from the state at the start of the step: scene S9 of other engines, whose exact solvers drift
// by 0.020 m in two seconds.
static void stand_by_efforts(void)
{
    robot->drive(&m, (uint32_t)s.step, &input);
    for (uint32_t i = 0; i < input.motors; i++) {
        tac_motor *a = &input.motor[i];
        a->kind = TAC_MOTOR_EFFORT;
        a->effort = (tac_real)(-100.0 * angle(a->joint) - rate(a->joint));
    }
    take();
}

static void test_stand(int by_efforts)
{
    const char *how = by_efforts ? "by efforts" : "by PD motors";
    double drift = 0.0, tilt = 0.0, low = 1.0;
    start("stand");
    for (int i = 0; i < 2000; i++) {
        by_efforts ? stand_by_efforts() : step();
        const d3 p = place(QUADRUPED_TORSO);
        drift = d_max(drift, d_sqrt(p.x * p.x + p.y * p.y));
        tilt = d_max(tilt, lean(QUADRUPED_TORSO, UP));
        low = d_min(low, p.z);
    }
    tap_near(drift, 0.020, 0.0005, tap_joined("the quadruped drifts as it should, m, standing", how));
    tap_most(d_abs(place(QUADRUPED_TORSO).y), FLOAT ? 1e-5 : 1e-9, "never sideways, m");
    tap_most(tilt, 0.005, "level, rad");
    tap_least(low, 0.340, "at its height, m");
    tap_most(apart, JOINT_DRIFT, "its joints stay together, m");
}

// Has the last step taken back a part of any overlap?
static int pushes(void)
{
    for (uint16_t i = 0; i < w.report.contacts; i++) {
        if (w.scratch.solve.block[i].push != (tac_real)0) { return 1; }
    }
    return 0;
}

// The sway of the first seconds dies out, to 1e-5 m: then the feet bear the weight. Overlaps are noise of roundings,
// and are left alone.
static void test_rest(void)
{
    double moves = 0.0, deepest = 0.0;
    int pushed = 0;
    start("stand");
    for (int i = 0; i < 10000; i++) { step(); }
    const d3 p = place(QUADRUPED_TORSO);
    tap_near(ground_force(), weight(), 1e-2, "after ten seconds its feet bear its weight, N");
    tap_near(p.z, 0.345, 0.001, "at the height where its knees do, m");
    for (int i = 0; i < 1000; i++) {
        step();
        moves = d_max(moves, d3_norm(d3_sub(place(QUADRUPED_TORSO), p)));
        deepest = d_max(deepest, (double)w.report.penetration);
        pushed += pushes();
    }
    tap_most(moves, 1e-5, "and it rests, m in a second");
    tap_most(deepest, FLOAT ? 1e-6 : 5e-15, "its feet overlap the floor by no more than rounding, m");
    tap_most(pushed, 300, "and few of a thousand steps push them out");
}

static double sole(int leg)
{
    const uint16_t body = (uint16_t)(QUADRUPED_SHANK + QUADRUPED_LEG_JOINTS * leg);
    const tac_pose pose = tac_state_get_pose(&m, &s, body);
    return (double)pose.p.z + dq_rotate(dq_of(pose.q), (d3){0, 0, -0.1}).z - 0.02;
}

// In the middle of each swing two feet that are diagonal from each other are in the air, the others on the ground.
static void test_trot(void)
{
    double tilt = 0.0, low = 1.0, high = 0.0, raised = 1.0, planted = 0.0;
    start("trot");
    for (int i = 0; i < 10000; i++) {
        step();
        const double z = place(QUADRUPED_TORSO).z;
        low = d_min(low, z);
        high = d_max(high, z);
        tilt = d_max(tilt, lean(QUADRUPED_TORSO, UP));
        if (i % 200 != 75) { continue; }
        for (int leg = 0; leg < QUADRUPED_LEGS; leg++) {
            const int up = (leg == 0 || leg == 3) == (i / 200 % 2 == 0);
            if (up) { raised = d_min(raised, sole(leg)); }
            if (!up) { planted = d_max(planted, sole(leg)); }
        }
    }
    const d3 p = place(QUADRUPED_TORSO);
    tap_most(tilt, 0.05, "the quadruped trots without falling, rad");
    tap_least(low, 0.33, "at its height, m");
    tap_most(high, 0.37, "no higher, m");
    tap_least(raised, 0.03, "it lifts its feet, m");
    tap_most(planted, 0.001, "two of them at a time, m");
    tap_most(d_sqrt(p.x * p.x + p.y * p.y), 0.15, "in place, m");
    tap_most(apart, JOINT_DRIFT, "its joints stay together where feet meet the ground, m");
}

// ------------------------------------------------------------------------------------------------------------- gripper

static d3 held(void)
{
    return d3_sub(place(GRIPPER_BOX), place(GRIPPER_WRIST));
}

// The force is what the weight needs, mg/(2 mu), times `margin`.
static void pinch(double margin)
{
    robot->drive(&m, (uint32_t)s.step, &input);
    input.motor[GRIPPER_PINCH].effort = (tac_real)(-margin * 9.81);
    take();
}

static void test_grip(void)
{
    double creep = 0.0;
    start("gripper");
    for (int i = 0; i < 1000; i++) { step(); }
    tap_near(place(GRIPPER_BOX).z, 0.13, 1e-6, "the box is lifted, m");
    const d3 grip = held();
    for (int i = 0; i < 60000; i++) {
        pinch(1.05);
        creep = d_max(creep, d3_norm(d3_sub(held(), grip)));
    }
    tap_most(creep, 1e-5, "with 1.05 of the force that it needs it does not creep, m in a minute");
    tap_most(creep, FLOAT ? 1e-6 : 1e-9, "not even by rounding, m");
    tap_most(apart, JOINT_DRIFT, "fingers and wrist stay together, m");
}

// With less it slides with what is missing: s = (1 - margin) g t^2 / 2.
static void test_slip(void)
{
    start("gripper");
    for (int i = 0; i < 1000; i++) { step(); }
    const double from = held().z;
    for (int i = 0; i < 300; i++) { pinch(0.95); }
    tap_near(from - held().z, 0.05 * 9.81 * 0.3 * 0.301 / 2.0, 1e-5, "with 0.95 of it the box slides away, m");
    tap_most(d_abs(held().y), 1e-4, "straight down, m");
}

// ---------------------------------------------------------------------------------------------------------------- hand

static d3 in_hand(void)
{
    return d3_sub(place(HAND_CAPSULE), place(HAND_PALM));
}

// Shaken for a minute. Force 0: as the scene has it, 12 to 60 N; else constant, and with warm start.
static void test_hand(double force)
{
    double creep = 0.0, turn = 0.0, swing = 0.0;
    start("hand");
    m.options.warm_start = force > 0.0;
    begin_world(&m, &s);
    d3 grip = {0, 0, 0};
    dq lies = {1, 0, 0, 0};
    for (int i = 0; i < 60000; i++) {
        robot->drive(&m, (uint32_t)s.step, &input);
        if (force > 0.0) { input.motor[HAND_PINCH].effort = (tac_real)-force; }
        take();
        if (i == 999) { grip = in_hand(), lies = dq_of(s.pose[HAND_CAPSULE].q); }
        if (i < 1000) { continue; }
        const dq q = dq_mul(dq_conjugate(lies), dq_of(s.pose[HAND_CAPSULE].q));
        creep = d3_norm(d3_sub(in_hand(), grip)) / (1e-3 * (i - 999));
        d_worst(&turn, 2.0 * d_sqrt(q.x * q.x + q.y * q.y + q.z * q.z));
        d_worst(&swing, place(HAND_PALM).z - 0.1);
    }
    tap_note("a capsule in a shaken hand, N (0: 12 to 60)", force);
    tap_near(swing, 0.02, 1e-5, "the hand is shaken by 20 mm");
    tap_most(creep, FLOAT ? 5e-9 : (force > 0.0 ? 1e-15 : 1e-12),
             tap_joined("the capsule creeps, m/s,", force > 0.0 ? "steady grip" : "varied grip"));
    tap_most(turn, FLOAT ? 2e-3 : 1e-9, "it turns, rad in a minute");
    tap_most(apart, JOINT_DRIFT, "its joints stay together in the hand, m");
}

// ---------------------------------------------------------------------------------------------------------- mechanisms

// The pin between coupler and rocker is 0.2 m from the one pivot and sqrt(0.1) m from the end of the crank. Returns how
// far the rocker is from the angle where that is so.
static double four_bar_error(double crank, double rocker)
{
    const double x = 0.3 + 0.2 * d_sin(rocker) - 0.1 * d_sin(crank), z = 0.2 * d_cos(rocker) - 0.1 * d_cos(crank);
    return (x * x + z * z - 0.1) / (2.0 * 0.2 * (x * d_cos(rocker) - z * d_sin(rocker)));
}

// Where the slide is, from its first place.
static double slide_of(double crank)
{
    const double down = 0.1 * d_sin(crank);
    return 0.1 * d_cos(crank) + d_sqrt(0.09 - down * down) - 0.4;
}

static void test_linkage(const char *name)
{
    const int four = robot_find(name) == robot_find("four_bar");
    double error = 0.0, turned = 0.0, last = 0.0, slow = 0.0;
    start(name);
    for (int i = 0; i < 2000; i++) {
        step();
        const double in = angle(LINKAGE_CRANK), out = angle(LINKAGE_OUT);
        d_worst(&error, four ? four_bar_error(in, out) : out - slide_of(in));
        turned += in < last - 1.0 ? in - last + 2.0 * TRUTH_PI : in - last;
        last = in;
        if (i > 500) { d_worst(&slow, rate(LINKAGE_CRANK) - 6.0); }
    }
    tap_most(error, FLOAT ? 1e-6 : 1e-10, tap_joined("angle in, angle or place out, rad or m:", name));
    tap_most(slow, FLOAT ? 2e-3 : 1e-7, "its crank turns as its motor is told, rad/s");
    tap_near(turned, 6.0 * 1.75, 0.01, "round and round, rad");
    tap_most(apart, JOINT_DRIFT, "its loop stays closed, m");
}

static void test_chain(void)
{
    double tilt = 0.0, wild = 0.0;
    start("chain");
    for (int i = 0; i < 10000; i++) {
        step();
        for (uint16_t k = 1; k <= CHAIN_LINKS; k++) { tilt = d_max(tilt, lean(k, ALONG)); }
        wild = d_max(wild, d3_norm(place(CHAIN_LINKS)));
    }
    tap_most(tilt, FLOAT ? 1e-5 : 1e-9, "hinges of a chain with a heavy tip do not tilt under their load, rad");
    tap_most(wild, 2.2501, "it stays as long as it is, m");
    tap_most(apart, JOINT_DRIFT, "its links stay together, m");
}

// --------------------------------------------------------------------------------------------------------------- rover

// After 2.5 s the wheels have turned by 11.75 rad against the body, which leans by atan 0.2: they have rolled 11.75 0.1
// m less 0.1 atan 0.2 m. Centres of wheels meet the slope 0.1 tan(atan 0.2 / 2) m before it begins, at 0.5 m. While
// the front is half a wheelbase up and the rear still level, wheels of one rate must slip by 2 mm: no nearer than that.
static d3 on_the_slope(void)
{
    const double cosine = 1.0 / d_sqrt(1.04), sine = 0.2 * cosine, slope = 0.19739555984988075837; // rad
    const double corner = 0.1 * (1.0 - cosine) / sine;
    const double up = 1.175 - 0.1 * slope - (0.7 - corner), rear = 0.5 - corner + up * cosine;
    return (d3){rear + 0.2 * cosine - 0.05 * sine, 0.0, 0.1 + up * sine + 0.2 * sine + 0.05 * cosine};
}

static void test_rover(void)
{
    double tilt = 0.0;
    start("rover");
    for (int i = 0; i < 6000; i++) {
        step();
        tilt = d_max(tilt, lean(ROVER_BODY, UP));
        if (i != 2499) { continue; }
        tap_most(d3_norm(d3_sub(place(ROVER_BODY), on_the_slope())), 3e-3, "the rover is where its wheels bring it, m");
    }
    for (uint32_t i = 0; i < ROVER_WHEELS; i++) {
        tap_near(rate(ROVER_WHEEL + i), 5.0, 1e-4, tap_numbered("as its motor is told turns wheel", i + 1));
    }
    const d3 p = place(ROVER_BODY);
    tap_near(p.x, 2.90, 0.01, "and over the waves, m");
    tap_near(p.z - 0.15, 0.25, 0.005, "to the top, m");
    tap_most(d_abs(p.y), 0.02, "straight on, m");
    tap_most(tilt, 0.3, "its body leans as the ground does, rad");
    tap_most(apart, JOINT_DRIFT, "its wheels stay on, m");
}

// ---------------------------------------------------------------------------------------------------------------- door

// I = 20 (0.8^2 + 0.04^2)/12 + 20 0.4^2 kg m2 about the hinge, pushed with 75 less 3 N m for t0 = 60 ms: w = 72 t0/I,
// angle w t0/2; stopped by 3 N m after I w/3 more, within I w^2/6.
static void test_door(void)
{
    const double inertia = 20.0 * (0.64 + 0.0016) / 12.0 + 20.0 * 0.16, w0 = 72.0 * 0.06 / inertia;
    int stopped = -1, moved = 0;
    start("door");
    for (int i = 1; i <= 3000; i++) {
        step();
        const int still = d_abs(rate(0)) < (FLOAT ? 1e-5 : 1e-9);
        if (still && stopped < 0) { stopped = i; }
        moved += stopped >= 0 && !still;
    }
    tap_near(1e-3 * stopped, 0.06 + inertia * w0 / 3.0, 1.1e-3, "the door stops within a step of when it should, s");
    tap_near(angle(0), w0 * 0.03 + inertia * w0 * w0 / 6.0, 1e-3 * w0, "within a step of where it should, rad");
    tap_equal(moved, 0, "and stays");
    tap_most(apart, JOINT_DRIFT, "its hinge holds, m");
}

// --------------------------------------------------------------------------------------------------------------- biped

static const double BIPED_FOOT = 0.02, BIPED_ANKLE = 0.04, BIPED_LINK = 0.3;

// The pelvis above the floor, by the angles of a leg: level feet and two parallelograms.
static double biped_height(int leg)
{
    const uint32_t first = (uint32_t)(leg * BIPED_JOINTS);
    const double thigh = 0.4 - angle(first), shank = 0.4 + angle(first + BIPED_KNEE);
    return BIPED_ANKLE + BIPED_LINK * (d_cos(thigh) + d_cos(shank)) + 0.66 - (BIPED_ANKLE + 0.6 * d_cos(0.4));
}

static void test_squat(void)
{
    double low = 1.0, high = 0.0, tilt = 0.0, loop = 0.0, force = 0.0, lifted = 0.0;
    start("biped");
    for (int i = 0; i < 4000; i++) {
        const double before = rising();
        step();
        const double z = place(BIPED_PELVIS).z;
        low = d_min(low, z);
        high = i < 1000 ? high : d_max(high, z);
        tilt = d_max(tilt, lean(BIPED_PELVIS, UP));
        d_worst(&force, ground_force() - weight() - (rising() - before) / (double)m.h);
        for (int leg = 0; leg < BIPED_LEGS; leg++) {
            const uint16_t foot = (uint16_t)(1 + BIPED_BODIES * (leg + 1));
            d_worst(&loop, biped_height(leg) - z);
            lifted = d_max(lifted, d3_norm(d3_sub(place(foot), (d3){0.03, leg ? 0.12 : -0.12, BIPED_FOOT})));
        }
    }
    tap_most(low, 0.515, "a biped squats, m");
    tap_least(high, 0.655, "and rises, m");
    tap_most(loop, FLOAT ? 1e-5 : 5e-8, "as high as its loops have it, m");
    tap_most(tilt, FLOAT ? 2e-4 : 5e-8, "its pelvis level, rad");
    tap_most(lifted, FLOAT ? 5e-5 : 1e-6, "its feet where they are, m");
    tap_most(force, FLOAT ? 2e-2 : 1e-5, "the ground carries its weight and what it speeds up with, N");
    tap_most(apart, JOINT_DRIFT, "its loops stay closed, m");
}

// Velocity of a point that moves with a body.
static d3 velocity_at(uint16_t body, d3 point)
{
    const d3 spin = dq_rotate(dq_of(s.pose[body].q), d3_of(s.twist[body].w));
    return d3_add(d3_of(s.twist[body].v), d3_cross(spin, d3_sub(point, d3_of(s.pose[body].p))));
}

// ------------------------------------------------------------------------------------------------------------- ragdoll

static double energy(void)
{
    tac_real kinetic, potential;
    tac_energy(&m, &s, &kinetic, &potential);
    return (double)kinetic + (double)potential;
}

// Largest excess over a limit; a bit for each joint whose limit presses.
static uint32_t pressed(double *over)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < m.joints; i++) {
        if (m.joint[i].kind == TAC_SPHERICAL) { continue; }
        *over = d_max(*over, d_max(angle(i) - (double)m.joint[i].upper, (double)m.joint[i].lower - angle(i)));
        found |= (uint32_t)(w.joint[i].effort[TAC_EFFORT_LIMIT] < 0 || w.joint[i].effort[TAC_EFFORT_LIMIT] > 0) << i;
    }
    return found;
}

// Until it touches the stairs, joints and their limits change neither its momentum but by its weight, nor its spin.
static void test_ragdoll(void)
{
    static tac_work asked;
    tac_centroid first, now;
    tac_real kinetic, potential;
    double over = 0.0, rise = 0.0, force = 0.0, torque = 0.0, deep = 0.0;
    uint32_t limits = 0;
    int touched = 0, count = 0;
    start("ragdoll");
    tac_centroidal(&m, &s, TAC_NONE, &asked, &first, NULL);
    for (uint32_t i = 0; i < robot->steps; i++) {
        const double before = energy();
        step();
        touched |= w.report.contacts > 0;
        rise = d_max(rise, energy() - before);
        deep = d_max(deep, (double)w.report.penetration);
        limits |= pressed(&over);
        if (touched) { continue; }
        tac_centroidal(&m, &s, TAC_NONE, &asked, &now, NULL);
        const d3 fallen = {0, 0, -9.81 * (double)m.h * (i + 1.0)};
        d_worst(&force, d3_norm(d3_sub(d3_sub(d3_of(now.velocity), d3_of(first.velocity)), fallen)));
        d_worst(&torque, d3_norm(d3_sub(d3_of(now.angular), d3_of(first.angular))));
        count++;
    }
    tac_energy(&m, &s, &kinetic, &potential);
    for (uint32_t i = 0; i < m.joints; i++) { touched += (int)(limits >> i & 1); }
    tap_note("a doll flies for ms", count);
    tap_most(force, FLOAT ? 1e-5 : 1e-12, "a doll that flies falls as its weight has it, m/s");
    tap_most(torque, FLOAT ? 1e-3 : 1e-10, "and keeps its spin, N m s");
    tap_least(touched - 1, 8, "limits of joints press in its fall down the stairs");
    tap_most(over, 1e-5, "none is exceeded, rad");
    tap_most(rise, FLOAT ? 1e-3 : 1e-9, "no step makes energy, J of 1600");
    tap_most((double)kinetic, FLOAT ? 1e-12 : 1e-20, "it comes to rest, J");
    tap_most(deep, 1e-4, "on the ground, m");
    tap_most(apart, JOINT_DRIFT, "its joints hold, m");
}

// Sweeps that are cut short cost contacts their accuracy, never joints theirs: no hinge gapes, in place or velocity.
static void test_cut(uint16_t sweeps)
{
    double gape = 0.0;
    int unconverged = 0;
    start("trot");
    m.options.max_sweeps = sweeps;
    begin_world(&m, &s);
    for (int i = 0; i < 600; i++) {
        step();
        unconverged += (w.report.status & TAC_UNCONVERGED) != 0;
        for (uint32_t k = 0; k < m.joints; k++) {
            const tac_joint *j = &m.joint[k];
            const d3 hinge = world_place(&m, &s, j->body_a, j->frame_a.p);
            d_worst(&gape, d3_norm(d3_sub(velocity_at(j->body_a, hinge), velocity_at(j->body_b, hinge))));
        }
    }
    tap_least(unconverged, 1, tap_numbered("sweeps are too few:", sweeps));
    tap_most(apart, JOINT_DRIFT, "joints are together all the same, m");
    tap_most(gape, 5e-3, "and move together, m/s: but for the arc of a step");
    tap_most(lean(1, d3_make(0, 0, 1)), 0.2, "it does not fall");
    tap_note("m/s", gape);
}

int main(void)
{
    test_stand(0);
    test_stand(1);
    test_rest();
    test_trot();
    test_cut(1);
    test_cut(2);
    test_grip();
    test_slip();
    test_hand(0.0);
    test_hand(12.0);
    test_hand(30.0);
    test_hand(60.0);
    test_linkage("four_bar");
    test_linkage("slider_crank");
    test_chain();
    test_rover();
    test_door();
    test_squat();
    test_ragdoll();
    return tap_done();
}
