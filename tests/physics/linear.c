// SPDX-License-Identifier: MIT
// config: all
// The step as a linear system: A and B against differences of steps without contacts, the system against the step of
// T03 that it linearises, both of its forms, its planar friction; the derivative of the step against differences.
#include "begin.h"
#include "differences.h"
#include "parameters.h"
#include "robots.h"

enum { X = 40, U = 20, L = 120 };

static tac_model m;
static tac_state s, from;
static tac_work w;
static tac_input input;
static tac_lcp q, other;
static tac_lcs y;
static differences d;
static uint8_t law = TAC_FRICTION_EXACT;
static tac_real A[X * X], B[X * U], D[X * L], free_x[X], E[L * X], F[L * L], H[L * U], c[L];

static void arrays(void)
{
    tac_lcs_init(&y);
    y.A = A, y.B = B, y.D = D, y.d = free_x, y.E = E, y.F = F, y.H = H, y.c = c;
    y.room = (tac_linear_size){X, U, L};
}

// The acrylic cube of ContactNets, thrown as in targets/scenes.
static tac_status cube_toss(tac_model *model)
{
    tac_model_init(model);
    model->h = (tac_real)0.001;
    model->gravity = vec(0, 0, -9.81);
    tac_model_add_material(model, (tac_real)0.18, 0);
    tac_shape shape = tac_shape_make(0, TAC_HALF_SPACE, vec(1, 1, 1));
    tac_model_add_shape(model, &shape);
    tac_body b = tac_body_make(TAC_DYNAMIC, vec(-0.25, -0.1, 0.15));
    b.mass = (tac_real)0.37;
    b.inertia = vec(0.00081, 0.00081, 0.00081);
    b.pose.q = (tac_quat){(tac_real)0.1, (tac_real)0.7, (tac_real)0.5, (tac_real)0.5};
    b.velocity = (tac_twist){vec(1, 0.35, -0.1), vec(-5, 1.3, -4)};
    tac_model_add_body(model, &b);
    shape = tac_shape_make(1, TAC_BOX, vec(0.0524, 0.0524, 0.0524));
    tac_model_add_shape(model, &shape);
    return tac_model_seal(model, NULL);
}

static const scene TOSS = {"cube_toss", "a tossed cube", 1500, 4, cube_toss, NULL};

// A scene after so many steps; without contacts if nothing is to collide.
static void scene_at(const char *name, uint32_t steps, int contacts)
{
    const scene *x = robot_find(name) != NULL ? robot_find(name) : &TOSS;
    x->build(&m);
    m.options.tolerance = 0;
    m.options.friction = law;
    for (uint32_t i = 0; i < m.shapes && !contacts; i++) { m.shape[i].group = m.shape[i].mask = 0; }
    begin_world(&m, &s);
    truth_fill(&input, sizeof input, 0);
    for (uint32_t i = 0; i <= steps; i++) {
        if (x->drive != NULL) { x->drive(&m, i, &input); }
        if (i < steps) { tac_step(&m, &s, &input, &w); }
    }
    tac_lcp_init(&q);
    arrays();
}

static void shake(double most)
{
    rng r = {7};
    for (uint32_t i = 0; i < d.n; i++) { d.v[i] = (tac_real)((double)d.v[i] + rng_range(&r, -most, most)); }
    tac_state_set_coordinates(&m, &d.base, d.q, d.v, &w);
    tac_state_get_coordinates(&m, &d.base, &w, d.q, d.v);
}

// ------------------------------------------------------------------------------------------------- against differences

static double by_q = 1e-2, by_v = 2; // displacements in float: rounding counts less in wide ones

// Worst error of each block of (q, v) by (q, v), over its largest entry or the one that its units give.
static double blocks(const tac_real *matrix, uint32_t wide, double h)
{
    double worst[4] = {0}, scale[4] = {1, h, 1, 1}, column[2 * DIFF_MOST];
    for (uint32_t j = 0; j < 2 * d.n; j++) {
        diff_column(&d, j, TOL(1e-5, j < d.n ? by_q : by_v), column);
        for (uint32_t i = 0; i < 2 * d.n; i++) {
            const int b = 2 * (i >= d.n) + (j >= d.n);
            d_worst(&worst[b], (double)matrix[i * wide + j] - column[i]);
            scale[b] = d_max(scale[b], d_abs(column[i]));
        }
    }
    double most = 0;
    for (int b = 0; b < 4; b++) { most = d_max(most, worst[b] / scale[b]); }
    return most;
}

static double efforts(const tac_real *matrix, uint32_t wide)
{
    double worst = 0, scale = (double)m.h, column[2 * DIFF_MOST]; // of a mass of 1
    for (uint32_t j = 0; j < wide; j++) {
        diff_column(&d, 3 * d.n - wide + j, TOL(1e-3, 0.5), column);
        for (uint32_t i = d.n; i < 2 * d.n; i++) {
            d_worst(&worst, (double)matrix[i * wide + j] - column[i]);
            scale = d_max(scale, d_abs(column[i]));
        }
    }
    return worst / scale;
}

static tac_status step_lcp(const tac_model *model, tac_state *state, const tac_input *in, tac_work *work)
{
    return tac_step_lcp(model, state, in, work, &other);
}

// Without contacts: of free bodies the step of T03, of trees the motion along their coordinates, tac_step().
static void test_free(const char *name, double faster, int robot)
{
    scene_at(name, 20, 0);
    tac_lcp_init(&other);
    diff_begin(&d, &m, &s, &input, robot ? tac_step : step_lcp);
    shake(faster);
    tap_equal(tac_linearise(&m, &d.base, &input, &w, &q, &y), TAC_OK, name);
    tap_equal(y.size.l, 0, "without contacts");
    tap_most(blocks(A, y.size.x, (double)m.h), TOL(faster > 1 ? 3e-6 : 1e-6, 1e-3), "A is the derivative of its step");
    tap_most(efforts(B, y.size.u), TOL(faster > 1 ? 3e-6 : 1e-6, 1e-3), "B too");
}

// A free body, or one on the ground, with two more in a row on joints of one kind, as first or second body of each.
static void test_kind(uint8_t kind, int rooted, int turned, const char *name)
{
    rng r = {kind + 100u * (uint32_t)rooted + 1000u * (uint32_t)turned};
    tac_model_init(&m);
    truth_fill(&input, sizeof input, 0);
    m.h = (tac_real)0.002;
    m.gravity = vec(0, 0, -9.81);
    for (uint16_t i = 1; i <= 3; i++) {
        tac_body b = tac_body_make(TAC_DYNAMIC, vec(0.5 * i, 0.1 * i, 0.2));
        b.mass = 1, b.inertia = vec(0.02, 0.03, 0.04);
        b.pose.q = dq_to(rng_quat(&r));
        tac_model_add_body(&m, &b);
    }
    for (uint16_t i = rooted ? 0 : 1; i < 3; i++) {
        tac_joint j;
        const uint16_t a = turned ? (uint16_t)(i + 1) : i, b = turned ? i : (uint16_t)(i + 1);
        tac_joint_init(&j, kind, a, b);
        j.length = kind == TAC_SCREW ? (tac_real)0.05 : j.length;
        const dq world = rng_quat(&r);
        const d3 at = d3_make(0.5 * i + 0.2, 0.1 * i, 0.3);
        const uint16_t of[2] = {a, b};
        tac_pose *frame[2] = {&j.frame_a, &j.frame_b};
        for (int side = 0; side < 2; side++) {
            const tac_pose *p = &m.body[of[side]].pose;
            const dq back = diff_conj(dq_of(p->q));
            frame[side]->p = d3_to(of[side] ? dq_rotate(back, d3_sub(at, d3_of(p->p))) : at);
            frame[side]->q = dq_to(of[side] ? dq_mul(back, world) : world);
        }
        tac_model_add_joint(&m, &j);
    }
    begin_world(&m, &s);
    tac_lcp_init(&q);
    arrays();
    input.actions = 1;
    input.action[0] = (tac_action){.body = 2, .kind = TAC_WRENCH_BODY};
    input.action[0].linear = vec(3, 2, 1), input.action[0].angular = vec(0.1, 0.2, 0.3);
    diff_begin(&d, &m, &s, &input, tac_step);
    shake(1);
    tap_equal(tac_linearise(&m, &d.base, &input, &w, &q, &y), TAC_OK, name);
    tap_most(blocks(A, y.size.x, (double)m.h), TOL(3e-6, 1e-3), "A is the derivative of its step");
}

static void test_kinds(void)
{
    static const uint8_t kinds[] = {TAC_REVOLUTE,  TAC_PRISMATIC,   TAC_SCREW, TAC_SPHERICAL,
                                    TAC_UNIVERSAL, TAC_CYLINDRICAL, TAC_PLANAR};
    static const char *const names[] = {"revolute",  "prismatic",   "screw", "spherical",
                                        "universal", "cylindrical", "planar"};
    for (int i = 0; i < 7; i++) {
        for (int form = 0; form < 4; form++) { test_kind(kinds[i], form & 1, form >> 1, names[i]); }
    }
}

// --------------------------------------------------------------------------------------------- against the step of T03

// z of the system at the state itself, u = 0, and x+.
static tac_real next[X];

static tac_status solve(void)
{
    tac_real x[X];
    tac_lcp_init(&other);
    other.rows = y.size.l;
    tac_state_get_coordinates(&m, &from, &w, next, x + y.size.x / 2);
    for (uint32_t i = 0; i < y.size.x / 2u; i++) { x[i] = 0; }
    for (uint32_t i = 0; i < y.size.l; i++) {
        other.f[i] = c[i];
        for (uint32_t j = 0; j < y.size.l; j++) { other.F[i][j] = F[i * y.size.l + j]; }
        for (uint32_t j = 0; j < y.size.x; j++) { other.f[i] += E[i * y.size.x + j] * x[j]; }
    }
    const tac_status status = tac_lcp_solve(&other);
    for (uint32_t i = 0; i < y.size.x; i++) {
        next[i] = free_x[i];
        for (uint32_t j = 0; j < y.size.x; j++) { next[i] += A[i * y.size.x + j] * x[j]; }
        for (uint32_t j = 0; j < y.size.l; j++) { next[i] += D[i * y.size.l + j] * other.z[j]; }
    }
    return status;
}

// Rates of the velocities that tac_step_lcp() ends with, as the joints stand before it.
static void rates_of_step(uint8_t edges, tac_real *rate)
{
    static tac_state end, mixed;
    tac_real places[X * 2];
    end = mixed = from;
    q.directions = edges;
    tac_step_lcp(&m, &end, &input, &w, &q);
    for (uint32_t i = 0; i < m.bodies; i++) { mixed.twist[i] = end.twist[i]; }
    tac_state_get_coordinates(&m, &mixed, &w, places, rate);
}

static double against(const tac_real *rate)
{
    double worst = 0, most = 1e-2;
    for (uint32_t i = 0; i < y.size.x / 2u; i++) {
        d_worst(&worst, (double)next[y.size.x / 2 + i] - (double)rate[i]);
        most = d_max(most, d_abs((double)rate[i]));
    }
    return worst / most;
}

static void test_same(const char *name, uint32_t steps)
{
    tac_real rate[X];
    scene_at(name, steps, 1);
    from = s;
    rates_of_step(4, rate);
    const uint16_t rows = q.rows;
    tap_equal(tac_linearise(&m, &from, &input, &w, &q, &y), TAC_OK, name);
    tap_equal(y.size.l, rows, "as many rows as the step of T03 has");
    tap_least(y.contacts, 1, "of contacts");
    tap_equal(solve(), TAC_OK, "the system at the state is solved");
    tap_most(against(rate), TOL(1e-9, 2e-3), "and ends as that step");
}

// --------------------------------------------------------------------------------------------------------------- forms

// A ball of 1 kg and 0.1 m at a height, with a velocity.
static void ball(double height, d3 v, double friction)
{
    tac_model_init(&m);
    truth_fill(&input, sizeof input, 0);
    m.h = (tac_real)0.01;
    m.gravity = vec(0, 0, -9.81);
    tac_model_add_material(&m, (tac_real)friction, 0);
    const tac_shape ground = tac_shape_make(0, TAC_HALF_SPACE, vec(1, 1, 1));
    tac_model_add_shape(&m, &ground);
    tac_body b = tac_body_make(TAC_DYNAMIC, vec(3, 2, 0.1 + height));
    b.mass = 1, b.inertia = vec(0.004, 0.004, 0.004);
    b.velocity.v = d3_to(v);
    tac_model_add_body(&m, &b);
    const tac_shape round = tac_shape_make(1, TAC_SPHERE, vec(0.1, 0, 0));
    tac_model_add_shape(&m, &round);
    begin_world(&m, &s);
    from = s;
    tac_lcp_init(&q);
    arrays();
}

static void test_numbers(void)
{
    const double h = 0.01, gap = 0.02;
    ball(gap, d3_make(1, 0, -1.5), 0.5);
    y.within = 1;
    tap_equal(tac_linearise(&m, &s, NULL, &w, &q, &y), TAC_OK, "a ball that falls");
    tap_equal(y.size.x * 10000 + y.size.u * 100 + y.size.l, 120006, "12 numbers of x, 6 impulses");
    double worst = 0;
    for (uint32_t j = 0; j < 12; j++) { // normal: J v+ + z/h
        d_worst(&worst, h * ((double)E[j] - (j == 2 ? 1 / h : j == 8 ? 1 : 0)));
        d_worst(&worst, (double)D[8 * 6] - 1);
        d_worst(&worst, (double)D[2 * 6] - h);
    }
    d_worst(&worst, (double)c[0] - (gap / h - 9.81 * h));
    d_worst(&worst, (double)free_x[8] + 9.81 * h);
    d_worst(&worst, (double)free_x[2] + 9.81 * h * h);
    d_worst(&worst, (double)F[0] - 1);
    tap_most(worst, TOL(1e-12, 1e-5), "its normal row by hand");
    // with its velocity the gap ends at 0.02 - 0.015 - g h^2 > 0: no impulse; twice as fast it is caught
    tap_equal(solve(), TAC_OK, "solved");
    tap_most(d_abs((double)other.z[0]), 0, "the gap stays open: no impulse");
    tap_most(d_abs((double)next[8] + 1.5 + 9.81 * h), TOL(1e-13, 1e-6), "it falls on");
    ball(gap, d3_make(0, 0, -3), 0.5);
    y.within = 1;
    tac_linearise(&m, &s, NULL, &w, &q, &y);
    solve();
    tap_most(d_abs((double)next[8] + gap / h), TOL(1e-12, 1e-5), "twice as fast it ends on the ground");
}

static void test_planar(uint8_t form)
{
    const double h = 0.01, mu = 0.5;
    ball(0, d3_make(2, 0, 0), mu);
    y.directions = 1;
    y.form = form;
    tap_equal(tac_linearise(&m, &s, NULL, &w, &q, &y), TAC_OK, "planar friction");
    tap_equal(y.size.l, form == TAC_LCS_ANITESCU ? 2 : 4, "two edges");
    tap_equal(solve(), TAC_OK, "solved");
    // Anitescu's relaxed law: the normal velocity is mu times that of sliding, whose impulse p falls with it
    const double fall = 9.81 * h, slip = 2 + mu * 0; // slip - 3.5 mu p; up: p - fall = mu (slip - 3.5 mu p)
    const double p = form == TAC_LCS_ANITESCU ? (fall + mu * slip) / (1 + 3.5 * mu * mu) : fall;
    tap_most(d_abs((double)next[6] - (2 - mu * p)), TOL(1e-12, 1e-5), "it slides against friction mu p");
    tap_most(d_abs((double)next[8] - (p - fall)), TOL(1e-12, 1e-5), "and along the normal as its law says");
    // spin about y: w+ = -(-) r p mu / I
    tap_most(d_abs(d_abs((double)next[10]) - 0.1 * mu * p / 0.004) + d_abs((double)next[9]) + d_abs((double)next[11]),
             TOL(1e-11, 1e-4), "its spin is about the normal of the plane");
}

// The forms differ where contacts slide alone, by what the relaxed law lifts. `push`: sideways, of the weight.
static void test_forms_agree(uint32_t steps, double friction, double push, const char *name)
{
    tac_real stewart[X];
    scene_at("cube_toss", steps, 1);
    for (uint32_t i = 0; i < m.materials; i++) { m.material[i].friction = (tac_real)friction; }
    tac_model_seal(&m, NULL);
    s.model_hash = m.hash;
    from = s;
    input.actions = 1;
    input.action[0] =
        (tac_action){.body = 1, .kind = TAC_WRENCH_WORLD, .linear = vec(push * 9.81 * (double)m.body[1].mass, 0, 0)};
    tap_equal(tac_linearise(&m, &from, &input, &w, &q, &y), TAC_OK, name);
    tap_least(y.contacts, 1, "touches");
    solve();
    for (uint32_t i = 0; i < X; i++) { stewart[i] = next[i]; }
    if (push > 0) { tap_most(d_abs((double)next[6]), TOL(1e-9, 1e-4), "it sticks, pushed or not"); }
    y.form = TAC_LCS_ANITESCU;
    tap_equal(tac_linearise(&m, &from, &input, &w, &q, &y), TAC_OK, "Anitescu");
    tap_equal(y.size.l, 4 * y.contacts, "four impulses a contact");
    tap_equal(solve(), TAC_OK, "solved");
    double worst = 0;
    for (uint32_t i = 6; i < 12; i++) { d_worst(&worst, (double)next[i] - (double)stewart[i]); }
    tap_most(worst, TOL(1e-9, 1e-3), "both forms end alike");
}

// ---------------------------------------------------------------------------------------------- derivative of the step

static tac_step_derivative y2;
static parameters by;

// Gaps of contacts that rest are 0 but for rounding, where the law of a contact has a kink. Displaced by so much along
// z, or the pads of the gripper towards each other, they are not.
static void apart(double up, double pinch)
{
    for (uint32_t i = 1; i < m.bodies; i++) { s.pose[i].p.z = (tac_real)((double)s.pose[i].p.z + up); }
    if (pinch == 0) { return; }
    s.pose[2].p.x = (tac_real)((double)s.pose[2].p.x + pinch);
    s.pose[3].p.x = (tac_real)((double)s.pose[3].p.x - pinch);
}

// Velocities and positions at the end by velocities, then velocities by positions: worst error of each block.
static void test_derivative(const char *name, uint32_t steps, double up, double pinch, double within, double places)
{
    double worst[4] = {0}, scale[4] = {1, 1e-3, 1, 1}, column[2 * DIFF_MOST];
    scene_at(name, steps, 1);
    apart(up, pinch);
    y2.A = A, y2.B = B;
    y2.room = y.room;
    diff_begin(&d, &m, &s, &input, tac_step);
    by = (parameters){.count = 0};
    parameters_ask(&by, &m, &y2);
    tap_least(0, tac_derivative(&m, &d.base, &input, &w, &q, &y2) < 0 ? 1 : 0, name);
    tap_least(y2.size.l, steps > 20 || robot_find(name) != NULL ? 3 : 0, "with contacts that bear a force");
    for (uint32_t j = 0; j < 2 * d.n; j++) {
        diff_column(&d, j, TOL(j < d.n ? 1e-7 : 1e-6, j < d.n ? 1e-4 : 1e-2), column);
        for (uint32_t i = 0; i < 2 * d.n; i++) {
            const int b = 2 * (i >= d.n) + (j >= d.n);
            d_worst(&worst[b], (double)A[i * y2.size.x + j] - column[i]);
            scale[b] = d_max(scale[b], d_abs(column[i]));
        }
    }
    if (sizeof(tac_real) == 8) { tap_equal(d.changed, 0, "away from changes of contact"); }
    tap_most(worst[3] / scale[3], TOL(within, 1e-3), "velocities by velocities");
    tap_most(efforts(B, y2.size.u), TOL(2e-6, 1e-3), "by efforts");
    if (sizeof(tac_real) == 8) {
        tap_most(worst[2] / scale[2], within, "by positions");
        tap_most(worst[1] / scale[1], places, "positions by velocities");
        tap_most(worst[0] / scale[0], places, "by positions");
    }
    const double by_worst =
        parameters_compare(&by, &y2, &m, &d.base, &input, &d.work, TOL(1e-3, 1e-2), TOL(1e-4, 1e-2));
    tap_note("  worst kind", by.worst_of.kind);
    tap_most(by_worst, TOL(5e-3, 2e-2), "by parameters");
    tap_least(by.columns, 8 * by.kinks + 1, "most of these have no kink");
}

// One arm on the ground, whose rate is held: by dry friction, by a motor of limited effort, by its limit; or driven by
// a motor at its effort.
static void test_held(int what, const char *name)
{
    static const uint8_t motors[] = {TAC_MOTOR_EFFORT, TAC_MOTOR_VELOCITY, TAC_MOTOR_EFFORT, TAC_MOTOR_PD};
    tac_joint j;
    tac_model_init(&m);
    truth_fill(&input, sizeof input, 0);
    m.h = (tac_real)0.001;
    m.gravity = vec(0, 0, -9.81);
    m.options.tolerance = 0;
    tac_body b = tac_body_make(TAC_DYNAMIC, vec(0.3, 0, 0));
    b.mass = 1, b.inertia = vec(0.01, 0.02, 0.03);
    tac_model_add_body(&m, &b);
    tac_joint_init(&j, TAC_REVOLUTE, 0, 1);
    j.frame_a.q = j.frame_b.q =
        (tac_quat){(tac_real)0.70710678118654752, (tac_real)-0.70710678118654752, 0, 0}; // about y
    j.frame_b.p = vec(-0.3, 0, 0);
    j.effort = 10;
    j.friction = what == 0 ? 20 : 0;
    j.lower = -1, j.upper = what == 2 ? (tac_real)1e-4 : 1;
    tac_model_add_joint(&m, &j);
    begin_world(&m, &s);
    input.motors = 1;
    input.motor[0] = (tac_motor){.joint = 0, .kind = motors[what], .velocity = (tac_real)0.02};
    if (what == 3) { input.motor[0].stiffness = 1000, input.motor[0].position = (tac_real)0.5; }
    tac_lcp_init(&q);
    arrays();
    y2 = (tac_step_derivative){.A = A, .B = B, .room = y.room};
    diff_begin(&d, &m, &s, &input, tac_step);
    d.v[0] = what == 2 ? (tac_real)0.5 : 0;
    tac_state_set_coordinates(&m, &d.base, d.q, d.v, &w);
    tap_equal(tac_derivative(&m, &d.base, &input, &w, &q, &y2) < 0, 0, name);
    tap_most(blocks(A, y2.size.x, (double)m.h), TOL(1e-6, 1e-3), "its derivative is that of the step");
}

int main(void)
{
    test_free("cube_toss", 2, 0);
    test_free("gripper", 0, 1);
    test_free("trot", 0, 1);
    test_free("trot", 3, 1);
    test_kinds();
    test_same("cube_toss", 165);
    test_same("gripper", 20);
    test_same("gripper", 120);
    test_same("trot", 20);
    test_numbers();
    test_planar(TAC_LCS_STEWART_TRINKLE);
    test_planar(TAC_LCS_ANITESCU);
    test_forms_agree(165, 0, 0, "without friction the cube");
    test_forms_agree(1200, 0.6, 0.3, "at rest it sticks");
    by_q = 2e-5, by_v = 2e-2; // that friction and limits bear
    test_held(0, "dry friction holds an arm");
    test_held(1, "a motor of limited effort leads it");
    test_held(2, "its limit stops it");
    test_held(3, "a motor at its effort drives it");
    test_derivative("cube_toss", 20, 0, 0, 1e-6, 1e-6);
    test_derivative("cube_toss", 119, 0, 0, 1e-6, 1e-6);
    test_derivative("trot", 20, 1e-6, 0, 1e-6, 1e-6);
    test_derivative("trot", 170, 1e-6, 0, 1e-6, 1e-6);
    test_derivative("stand", 330, 1e-6, 0, 1e-6, 1e-6);
    test_derivative("stand", 330, -1e-5, 0, 1e-6, 1e-6);
    test_derivative("gripper", 400, 0, 2e-6, 1e-6, 2e-6);
    law = TAC_FRICTION_RELAXED;
    test_derivative("cube_toss", 119, 0, 0, 1e-6, 1e-6);
    test_derivative("trot", 170, 1e-6, 0, 1e-6, 1e-6);
    test_derivative("stand", 330, -1e-5, 0, 1e-6, 1e-6);
    test_derivative("gripper", 400, 0, 2e-6, 1e-6, 2e-6);
    return tap_done();
}
