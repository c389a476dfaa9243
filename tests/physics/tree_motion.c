// SPDX-License-Identifier: MIT
// config: robots
// variants: gcc-O2-32 gcc-O2-64
// Joints of trees that turn far within a step, by 0.03 and 0.15 rad and more: they stay together, momentum is kept,
// energy stays bounded; with the iterations that bend the motion into its arc, and without any, where joints hold all
// the same, but the velocities are those of the straight motion. Tops on a ball joint precess as the formula says, and
// slender rods on joints gain no energy.
#include "random_mechanism.h"
#include "mechanism.h"

static const uint8_t KINDS[] = {TAC_FIXED,     TAC_REVOLUTE,  TAC_PRISMATIC,   TAC_SCREW,
                                TAC_SPHERICAL, TAC_UNIVERSAL, TAC_CYLINDRICAL, TAC_PLANAR};
static const char *const NAME[] = {"fixed",     "revolute",  "prismatic",   "screw",
                                   "spherical", "universal", "cylindrical", "planar"};

// Three bodies in a row, masses 1, 10 and 0.1 kg, two joints of one kind between them; the second is met from its b.
static void row_of(uint8_t kind, double spin, uint8_t iterations)
{
    rng r = {UINT64_C(0x7ee) + kind};
    begin(TAC_SOLVER_AUTO, 1e-2, 0.0);
    m.options.max_joint_iterations = iterations;
    for (int i = 0; i < 3; i++) {
        const double mass = i == 1 ? 10 : i == 0 ? 1 : 0.1;
        tac_body *b = add_body(0, 0, mass, 0.1);
        b->pose = (tac_pose){d3_to(rng_box(&r, 0.3)), dq_to(rng_quat(&r))};
        b->inertia = (tac_vec3){(tac_real)(0.1 * mass), (tac_real)(0.12 * mass), (tac_real)(0.15 * mass)};
        b->velocity = (tac_twist){d3_to(rng_box(&r, 1)), d3_to(rng_box(&r, spin))};
    }
    for (uint16_t i = 1; i <= 3; i = (uint16_t)(i + 2)) {
        const d3 at = rng_box(&r, 0.3);
        const dq q = rng_quat(&r);
        tac_joint *j = add_joint(kind, i, 2);
        if (kind == TAC_SCREW) { j->length = (tac_real)0.05; }
        j->frame_a = seen_from(&m, i, at, q);
        j->frame_b = seen_from(&m, 2, at, q);
    }
    begin_world(&m, &s);
}

static double momentum_change(tac_vec3 p0, tac_vec3 l0)
{
    tac_vec3 p, l;
    tac_momentum(&m, &s, &p, &l);
    const d3 dp = d3_sub(d3_of(p), d3_of(p0)), dl = d3_sub(d3_of(l), d3_of(l0));
    return d3_norm(dp) / (1 + d3_norm(d3_of(p0))) + d3_norm(dl) / (1 + d3_norm(d3_of(l0)));
}

static void test_kind(int which, double spin, uint8_t iterations)
{
    double apart = 0, moved = 0, high = 0, most = 0;
    tac_vec3 p0, l0;
    row_of(KINDS[which], spin, iterations);
    tac_step(&m, &s, NULL, &w);
    tac_momentum(&m, &s, &p0, &l0);
    const double first = energy();
    for (int i = 0; i < 300; i++) {
        if (tac_step(&m, &s, NULL, &w) < 0) { tap_ok(0, "a step is taken"); }
        for (int k = 0; k < 2; k++) { d_worst(&apart, joint_gap(&m, &s, &m.joint[k])); }
        d_worst(&apart, (double)w.report.joint_error);
        d_worst(&moved, momentum_change(p0, l0));
        d_worst(&high, energy() / first - 1);
        d_worst(&most, w.report.joint_iterations);
    }
    tap_note(NAME[which], high);
    const int fast = spin > 10;
    tap_most(apart, TOL(fast ? 1e-9 : 1e-11, 1e-4), tap_joined("stay together, m:", NAME[which]));
    if (iterations > 0 && !(fast && FLOAT)) { // slides reach far, and far away float resolves little
        tap_most(moved, TOL(fast ? 5e-7 : 1e-9, 1e-3), tap_joined("momentum:", NAME[which]));
    }
    tap_most(high, 0.1, tap_joined("energy stays:", NAME[which]));
    tap_most(most, iterations, "no more iterations than asked for");
}

// A disk that leans rolls on its rim, and carries a light body on a spherical joint: the impulses of the contact turn
// with the disk, and its equations of motion hold in each step as the certificate says.
static void test_rim(void)
{
    double off = 0, touched = 0;
    tac_certificate c;
    begin(TAC_SOLVER_AUTO, 1e-3, 9.81);
    tac_model_add_material(&m, (tac_real)0.8, 0);
    const tac_shape ground = tac_shape_make(0, TAC_HALF_SPACE, vec(0, 0, 0));
    const tac_shape disk = tac_shape_make(1, TAC_CYLINDER, vec(0.1, 0, 0.01));
    tac_model_add_shape(&m, &ground);
    tac_body *b = add_body(0, 0.1 * d_cos(0.5) + 0.01 * d_sin(0.5), 1, 0.003);
    b->inertia.z = (tac_real)0.005;
    b->pose.q = dq_to(dq_about(d3_make(1, 0, 0), TRUTH_PI / 2 - 0.5));
    b->velocity = (tac_twist){vec(1, 0, 0), vec(0, 0, 10)};
    tac_model_add_shape(&m, &disk);
    add_body(0, 0.2, 0.1, 0.001);
    tac_joint *j = add_joint(TAC_SPHERICAL, 2, 1);
    j->frame_a = seen_from(&m, 2, d3_of(m.body[1].pose.p), dq_of(m.body[1].pose.q));
    begin_world(&m, &s);
    for (int i = 0; i < 200; i++) {
        tac_step(&m, &s, NULL, &w);
        touched += w.report.contacts > 0;
        if (tac_certify(&m, &w, &c) != TAC_OK) { tap_ok(0, "a certificate"); }
        d_worst(&off, (double)c.r_eom);
    }
    tap_least((int)touched, 50, "a disk with a joint rolls on its rim");
    tap_most(off, TOL(1e-8, 1e-4), "its equations of motion hold, m/s");
}

// What acts along a joint whose body a hangs on its body b: the trees against the matrix, which knows no direction.
typedef struct effort {
    const char *name;
    double most, friction, stiffness; // of the joint; 0: no limit
    uint8_t kind;                     // of the motor
} effort;

static void pushed(const effort *e, uint8_t solver, int motors, tac_twist end[3])
{
    row_of(TAC_REVOLUTE, 0.5, TAC_JOINT_ITERATIONS);
    m.options.solver = solver;
    tac_joint *j = &m.joint[1];
    if (e->most > 0) { j->effort = (tac_real)e->most; }
    j->friction = (tac_real)e->friction;
    j->stiffness = (tac_real)e->stiffness;
    j->rest = (tac_real)0.2;
    truth_fill(&input, sizeof input, 0);
    input.motors = (uint16_t)motors;
    input.motor[0] = (tac_motor){.joint = 1,
                                 .kind = e->kind,
                                 .effort = (tac_real)0.05,
                                 .position = (tac_real)0.3,
                                 .stiffness = 2,
                                 .damping = (tac_real)0.1};
    begin_world(&m, &s);
    for (int i = 0; i < 20; i++) { tac_step(&m, &s, &input, &w); }
    for (int i = 0; i < 3; i++) { end[i] = s.twist[i + 1]; }
}

static double apart(const tac_twist *a, const tac_twist *b)
{
    double worst = 0;
    for (int i = 0; i < 3; i++) {
        d_worst(&worst, d3_norm(d3_sub(d3_of(a[i].v), d3_of(b[i].v))));
        d_worst(&worst, d3_norm(d3_sub(d3_of(a[i].w), d3_of(b[i].w))));
    }
    return worst;
}

static void test_efforts(void)
{
    static const effort EFFORTS[] = {{"an effort", 0, 0, 0, TAC_MOTOR_EFFORT},
                                     {"an effort within a limit", 0.07, 0, 0, TAC_MOTOR_EFFORT},
                                     {"a PD motor", 0, 0, 0, TAC_MOTOR_PD},
                                     {"a PD motor within a limit", 0.07, 0, 0, TAC_MOTOR_PD},
                                     {"a spring and friction", 0.07, 0.02, 0.5, TAC_MOTOR_EFFORT}};
    for (unsigned i = 0; i < sizeof EFFORTS / sizeof *EFFORTS; i++) {
        static const effort NONE = {"none", 0, 0, 0, TAC_MOTOR_EFFORT};
        tac_twist trees[3], matrix[3], still[3];
        pushed(&EFFORTS[i], TAC_SOLVER_ACCELERATED, 1, trees);
        pushed(&EFFORTS[i], TAC_SOLVER_DIRECT, 1, matrix);
        pushed(&NONE, TAC_SOLVER_DIRECT, 0, still);
        tap_most(apart(trees, matrix), TOL(1e-6, 1e-3),
                 tap_joined("along a joint from its a to its b: ", EFFORTS[i].name));
        tap_least(apart(matrix, still), 1e-2, "it moves the bodies");
    }
}

// A heavy symmetric top on a ball joint, 0.5 kg, 0.1 m above it, leaning by 0.6 rad, that precesses steadily.
typedef struct top {
    double about, along; // moments about the centre of mass
} top;

// Angular velocity of the precession, slow root: A cos(lean) W^2 - C spin W + m g l = 0, A about the joint.
static double top_precession(const top *t, double spin)
{
    const double a = (t->about + 0.5 * 0.01) * d_cos(0.6), c = t->along * spin;
    return (c - d_sqrt(c * c - 4 * a * 0.5 * 9.81 * 0.1)) / (2 * a);
}

static void top_begin(const top *t, double h, double spin, double precession)
{
    begin(TAC_SOLVER_AUTO, h, 9.81);
    tac_body *b = add_body(0.1 * d_sin(0.6), 0.1 * d_cos(0.6), 0.5, t->about);
    b->inertia.z = (tac_real)t->along;
    b->pose.q = dq_to(dq_about(d3_make(0, 1, 0), 0.6));
    b->velocity = (tac_twist){vec(0, precession * 0.1 * d_sin(0.6), 0), vec(-precession * d_sin(0.6), 0, spin)};
    add_joint(TAC_SPHERICAL, 0, 1)->frame_b.p = vec(0, 0, -0.1);
    begin_world(&m, &s);
}

// Turns by `angle` a step; how far off it is, relative, over `time`, or a quarter of a turn if that is longer.
static double top_error(const top *t, double h, double angle, double time, double *gained)
{
    const double law = top_precession(t, angle / h), whole = d_max(time, 0.5 * TRUTH_PI / law);
    double turned = 0;
    long steps = 0;
    top_begin(t, h, angle / h, law);
    const double first = energy();
    for (; (double)steps * h < whole; steps++) {
        const d3 from = d3_of(s.pose[1].p);
        tac_step(&m, &s, NULL, &w);
        const d3 to = d3_of(s.pose[1].p);
        turned += d3_cross(from, to).z / (from.x * from.x + from.y * from.y);
        *gained = d_max(*gained, energy() / first - 1);
    }
    return turned / ((double)steps * h) / law - 1;
}

// Long, round and flat ones, with steps of 0.25 to 2 ms, up to one radian a step. At 2000 rad/s one rounding of the
// spin in float is 0.1 % of the precession.
static void test_tops(void)
{
    static const top TOP[] = {{0.001, 0.0008}, {0.001, 0.0019}, {0.0001, 0.00015}};
    static const double ANGLE[] = {0.15, 0.3, 0.5, 0.8, 1.0};
    for (unsigned k = 0; k < sizeof ANGLE / sizeof *ANGLE; k++) {
        double off = 0, gained = 0;
        for (int i = 0; i < RUN(12, 3); i++) {
            const top *t = TOP + i % 3;
            const double h = 0.002 / (1 << RUN(i / 3, i / 2)), spin = ANGLE[k] / h, c = t->along * spin;
            if (c * c < 16 * (t->about + 0.005) * d_cos(0.6) * 0.4905) { continue; } // it hardly stands up
            d_worst(&off, top_error(t, h, ANGLE[k], RUN(2, 0.5), &gained));
        }
        const double most = ANGLE[k] > 0.5 ? 1e-2 : TOL(5e-4, RUN(1e-3, 5e-4));
        tap_most(off, most, tap_numbered("tops precess by the law, radians a step:", ANGLE[k]));
        tap_most(gained, TOL(2e-5, 1e-4), tap_numbered("and gain no energy:", ANGLE[k]));
    }
}

// Three rods, 1 m x 10 mm, end to end in free flight, that turn end over end by `angle` a step, joined by one kind.
// Velocities belong to the middle of an arc (README.md): the first step counts as the start.
static void test_rods(uint8_t kind, const char *name, double h, double angle)
{
    double high = 0;
    begin(TAC_SOLVER_AUTO, h, 0);
    for (int i = 0; i < 3; i++) {
        tac_body *b = add_body(i, 0, 1, 1.0 / 12);
        b->inertia.x = (tac_real)1.6e-5;
        b->velocity = (tac_twist){vec(0, (i - 1) * angle / h, 0), vec(0.01, 0.02, angle / h)};
        if (i == 0) { continue; }
        tac_joint *j = add_joint(kind, (uint16_t)i, (uint16_t)(i + 1));
        j->frame_a.p = vec(0.5, 0, 0);
        j->frame_b.p = vec(-0.5, 0, 0);
    }
    begin_world(&m, &s);
    tac_step(&m, &s, NULL, &w);
    const double first = energy();
    for (int i = 0; i < RUN(3000, 600); i++) {
        tac_step(&m, &s, NULL, &w);
        high = d_max(high, energy() / first - 1);
    }
    tap_most(high, 1e-2, tap_numbered(tap_joined("rods in flight gain no energy, radians a step:", name), angle));
}

int main(void)
{
    static const double ANGLE[] = {0.02, 0.06, 0.12};
    test_rim();
    test_efforts();
    test_tops();
    for (int i = 0; i < 3; i++) {
        test_rods(TAC_FIXED, "fixed", 0.001, ANGLE[i]);
        test_rods(TAC_REVOLUTE, "revolute", 0.005, ANGLE[i]);
        test_rods(TAC_SPHERICAL, "spherical", 1.0 / 60, ANGLE[i]);
    }
    for (int i = 0; i < (int)(sizeof KINDS); i++) {
        test_kind(i, 3, TAC_JOINT_ITERATIONS);
        test_kind(i, 15, TAC_JOINT_ITERATIONS);
        test_kind(i, 3, 0);
    }
    return tap_done();
}
