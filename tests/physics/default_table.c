// SPDX-License-Identifier: MIT
// config: -DTAC_MAX_BODIES=14 -DTAC_MAX_SHAPES=8 -DTAC_MAX_CONTACTS=8 -DTAC_MAX_JOINTS=12
// variants: gcc-O2-64 clang-O0-32 san-Og-64
// The default tables of rows and paths have room for a robot with eight contacts, all of whose motors and joints are
// bounded and have dry friction: a quadruped on four feet that are capsules and lie, a biped on two feet that are
// boxes. Such feet share their load in more ways than one. Their steps stay on the trees, and are solved.
#include "robots.h"
#include "tap.h"

enum { LONG = 1500, STEPS = RUN(LONG, 100), QUADRUPED = 12, BIPED_LEG = 6, PERIOD = 2000 };

static tac_model m;
static tac_state state;
static tac_work w;
static tac_input input;

static tac_real real(double x)
{
    return (tac_real)x;
}

static tac_vec3 at(double x, double y, double z)
{
    return (tac_vec3){real(x), real(y), real(z)};
}

static void bound_joints(double effort, double friction)
{
    for (uint32_t i = 0; i < m.joints; i++) {
        m.joint[i].effort = real(effort);
        m.joint[i].lower = -1;
        m.joint[i].upper = 1;
        m.joint[i].friction = real(friction);
    }
}

// Feet that touch the floor at both ends.
static tac_status quadruped(void)
{
    const scene *robot = robot_find("stand");
    if (robot->build(&m) != TAC_OK) { return TAC_E_MODEL; }
    for (uint16_t i = 0; i < m.shapes; i++) {
        tac_shape *s = &m.shape[i];
        if (s->kind != TAC_SPHERE) { continue; }
        s->kind = TAC_CAPSULE;
        s->size.z = real(0.02);
        s->pose.q = (tac_quat){real(0.70710678118654752), real(0.70710678118654752), 0, 0};
    }
    bound_joints(40, 0.01);
    return tac_model_seal(&m, NULL);
}

static uint16_t part(double y, double z, double mass, double across, double along)
{
    tac_body b = tac_body_make(TAC_DYNAMIC, at(0, y, z));
    b.mass = real(mass);
    b.inertia = at(across, across, along);
    return (uint16_t)tac_model_add_body(&m, &b);
}

// A hinge whose axis is z rotated by q, at the height z above the foot.
static uint16_t hinge(uint16_t a, uint16_t b, double y, double z, tac_quat q)
{
    const tac_vec3 p = m.body[a].pose.p, o = m.body[b].pose.p;
    tac_joint j;
    tac_joint_init(&j, TAC_REVOLUTE, a, b);
    j.frame_a = (tac_pose){at(-(double)p.x, y - (double)p.y, z - (double)p.z), q};
    j.frame_b = (tac_pose){at(-(double)o.x, y - (double)o.y, z - (double)o.z), q};
    tac_model_add_joint(&m, &j);
    return b;
}

// Hip about z, x and y, knee about y, ankle about y and x.
static void leg(uint16_t pelvis, double y)
{
    const double half = 0.70710678118654752;
    const tac_quat z = {1, 0, 0, 0}, x = {real(half), 0, real(half), 0}, along_y = {real(half), real(-half), 0, 0};
    uint16_t b = hinge(pelvis, part(y, 0.94, 1, 2e-3, 2e-3), y, 0.94, z);
    b = hinge(b, part(y, 0.94, 1, 2e-3, 2e-3), y, 0.94, x);
    b = hinge(b, part(y, 0.74, 4, 6e-2, 1e-2), y, 0.94, along_y);
    b = hinge(b, part(y, 0.34, 3, 4e-2, 6e-3), y, 0.54, along_y);
    b = hinge(b, part(y, 0.14, 0.5, 5e-4, 5e-4), y, 0.14, along_y);
    b = hinge(b, part(y, 0.02, 1, 2e-3, 4e-3), y, 0.08, x);
    tac_shape sole = tac_shape_make(b, TAC_BOX, at(0.12, 0.05, 0.02));
    sole.pose.p.x = real(0.02);
    tac_model_add_shape(&m, &sole);
}

static tac_status biped(void)
{
    const tac_shape ground = tac_shape_make(0, TAC_HALF_SPACE, at(0, 0, 0));
    tac_model_init(&m);
    m.h = real(0.001);
    tac_model_add_material(&m, real(0.8), 0);
    tac_model_add_shape(&m, &ground);
    const uint16_t pelvis = part(0, 1.09, 20, 0.3, 0.2);
    leg(pelvis, -0.1);
    leg(pelvis, 0.1);
    for (uint16_t i = 1; i < m.shapes; i++) {
        m.shape[i].group = 2;
        m.shape[i].mask = 1;
    }
    bound_joints(100, 0.1);
    return tac_model_seal(&m, NULL);
}

static void hold(uint32_t joint, double position, double stiffness, double damping)
{
    tac_motor *x = &input.motor[input.motors++];
    *x = (tac_motor){0};
    x->joint = (uint16_t)joint;
    x->kind = TAC_MOTOR_PD;
    x->position = real(position);
    x->stiffness = real(stiffness);
    x->damping = real(damping);
}

// From 0 to 1 and back, smoothly.
static double swing(uint32_t step)
{
    const double s = step % PERIOD / (PERIOD / 2.0), t = s < 1 ? s : 2 - s;
    return t * t * (3 - 2 * t);
}

// What the drives do.
enum { STANDS, SWAYS, SQUATS, PUSHED };

// The torso goes sideways, or down and up; or it is pushed, a twentieth of a second in each half.
static void drive(uint32_t step, int what)
{
    const double side = what == SWAYS ? 0.05 * swing(step) : 0, bend = what == SQUATS ? 0.4 * swing(step) : 0;
    input.motors = input.actions = 0;
    if (m.joints == QUADRUPED && m.body[1].mass < real(15)) {
        for (uint32_t i = 0; i < QUADRUPED; i++) { hold(i, i % 3 == 0 ? side : i % 3 == 1 ? bend / 2 : -bend, 100, 1); }
    } else {
        const double angle[BIPED_LEG] = {0, -side, -bend, 2 * bend, -bend, side};
        for (uint32_t i = 0; i < m.joints; i++) { hold(i, angle[i % BIPED_LEG], 2000, 20); }
    }
    if (what == PUSHED && step % 500 < 50) {
        input.action[input.actions++] = (tac_action){.linear = at(60, 40, 0), .body = 1, .kind = TAC_WRENCH_WORLD};
    }
}

static void test(tac_status (*build)(void), const char *name, int what)
{
    int full = 0, left = 0, unsolved = 0;
    double worst = 0.0;
    tac_status status = build();
    if (status == TAC_OK) { status = tac_state_init(&m, &state, NULL); }
    tap_equal(status, TAC_OK, name);
    for (uint32_t k = 0; k < (uint32_t)STEPS && status >= 0; k++) {
        drive(k, what);
        status = tac_step(&m, &state, &input, &w);
        unsolved += (status & TAC_UNCONVERGED) != 0;
        full += w.report.contacts == 8 && w.report.dropped == 0;
        if (!((double)w.report.residual <= worst)) { worst = (double)w.report.residual; }
        for (int i = 0; i < w.report.stages; i++) { left += w.report.stage[i].op != TAC_OPERATOR_TREES; }
    }
    tap_least(status, 0, "it is stepped");
    tap_least(full, STEPS / 4, "steps with eight contacts");
    tap_equal(left, 0, "no stage leaves the trees");
    tap_note("steps not solved", unsolved);
    // The first steps, in which feet come down, are the hardest.
    tap_most(unsolved, STEPS < LONG ? 10 : LONG * TOL(0.01, 0.03), "nearly all steps are solved");
    tap_most(worst, TOL(1e-5, 1e-4), "the largest residual"); // of a step that is not solved
}

int main(void)
{
    tap_equal(TAC_MAX_REDUCED, 3 * 8 + 12, "the default table: three rows a contact, one a joint");
    test(quadruped, "a quadruped on lying feet stands", STANDS);
    test(quadruped, "it sways", SWAYS);
    test(quadruped, "it squats", SQUATS);
    test(quadruped, "it is pushed", PUSHED);
    test(biped, "a biped on flat feet stands", STANDS);
    test(biped, "it sways", SWAYS);
    test(biped, "it squats", SQUATS);
    test(biped, "it is pushed", PUSHED);
    return tap_done();
}
