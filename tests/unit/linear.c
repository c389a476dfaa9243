// SPDX-License-Identifier: MIT
// config: all
// The system of a state: sizes, the closest pairs, memory, what is refused; scaling.
#include "begin.h"
#include "truth.h"

enum { X = 40, U = 20, L = 120 };

static tac_model m;
static tac_state s;
static tac_work w;
static tac_input input;
static tac_lcp q;
static tac_lcs y;
static tac_step_derivative g;
static tac_real A[X * X], B[X * U], D[X * L], d[X], E[L * X], F[L * L], H[L * U], c[L];

static void arrays(void)
{
    tac_lcs_init(&y);
    y.A = A, y.B = B, y.D = D, y.d = d, y.E = E, y.F = F, y.H = H, y.c = c;
    y.room = (tac_linear_size){X, U, L};
    g = (tac_step_derivative){.A = A, .B = B, .room = y.room};
}

// Balls of radius r at these heights over a floor, side by side.
static void balls(const double *height, uint32_t count, double r, double mass)
{
    tac_model_init(&m);
    tac_lcp_init(&q);
    m.h = (tac_real)0.005;
    m.gravity = vec(0, 0, -9.81 * r);
    tac_model_add_material(&m, (tac_real)0.5, 0);
    const tac_shape ground = tac_shape_make(0, TAC_HALF_SPACE, vec(1, 1, 1));
    tac_model_add_shape(&m, &ground);
    for (uint32_t i = 0; i < count; i++) {
        tac_body b = tac_body_make(TAC_DYNAMIC, vec(4 * r * i, 0, r * (1 + height[i])));
        const double inertia = 0.4 * mass * r * r;
        b.mass = (tac_real)mass, b.inertia = vec(inertia, inertia, inertia);
        b.velocity.v = vec(r, 0, -0.1 * r);
        const uint16_t body = (uint16_t)tac_model_add_body(&m, &b);
        const tac_shape ball = tac_shape_make(body, TAC_SPHERE, vec(r, 0, 0));
        tac_model_add_shape(&m, &ball);
    }
    begin_world(&m, &s);
    arrays();
}

// A cube with three contacts: at most 4 KiB in float.
static void test_sizes(void)
{
    static const double on[] = {0};
    tac_linear_size size;
    balls(on, 1, 0.1, 1);
    tap_equal(tac_lcs_sizes(&m, &y, 3, &w, &size), TAC_OK, "sizes of a body");
    tap_equal(size.x * 10000 + size.u * 100 + size.l, 120018, "12 numbers of x, 18 impulses");
    const uint32_t n = size.x, l = size.l, all = n * n + n * l + n + l * n + l * l + l;
    tap_most(4 * all, 4096, "which is 4 KiB in float");
    y.form = TAC_LCS_ANITESCU;
    tac_lcs_sizes(&m, &y, 3, &w, &size);
    tap_equal(size.l, 12, "Anitescu: 12 impulses");
    y.directions = 1;
    tac_lcs_sizes(&m, &y, 3, &w, &size);
    tap_equal(size.l, 6, "6 in a plane");
    y.wrenches = 1;
    tac_lcs_sizes(&m, &y, 3, &w, &size);
    tap_equal(size.u, 6, "and 6 numbers of u with wrenches");
    tap_equal(tac_lcs_sizes(&m, NULL, 3, &w, &size), TAC_E_ARG, "no system has no size");
}

static void test_closest(void)
{
    static const double high[] = {0.5, 0.1, 0.3};
    balls(high, 3, 0.1, 1);
    tap_equal(tac_linearise(&m, &s, NULL, &w, &q, &y), TAC_OK, "three balls in the air");
    tap_equal(y.contacts, 0, "touch nothing");
    y.within = (tac_real)0.2;
    tac_linearise(&m, &s, NULL, &w, &q, &y);
    tap_equal(y.contacts, 3, "within 0.2 m are three pairs with the floor");
    tap_equal(y.size.l, 18, "of six rows");
    y.within = (tac_real)0.04;
    tac_linearise(&m, &s, NULL, &w, &q, &y);
    tap_equal(y.contacts, 2, "within 0.04 m two");
    y.within = 1;
    y.closest = 2;
    tac_linearise(&m, &s, NULL, &w, &q, &y);
    tap_equal(y.contacts, 2, "the two closest pairs");
    tap_equal(w.contact[0].body_b * 10 + w.contact[1].body_b, 23, "are those of the two lower balls");
    tap_most(d_abs((double)w.contact[0].gap - 0.01) + d_abs((double)w.contact[1].gap - 0.03), TOL(1e-14, 1e-7),
             "with their gaps");
    y.closest = 1;
    tac_linearise(&m, &s, NULL, &w, &q, &y);
    tap_equal(y.contacts * 10 + w.contact[0].body_b, 12, "the closest pair");
}

// x+ has the bits of tac_step(), on memory of anything, and is not the state itself.
static void test_next(void)
{
    static tac_state next, after;
    truth_fill(&next, sizeof next, 0x5a);
    after = s;
    g.next = &next;
    tap_equal(tac_derivative(&m, &s, NULL, &w, &q, &g), TAC_OK, "the derivative with x+");
    tac_step(&m, &after, NULL, &w);
    tap_equal(tac_state_hash(&m, &next) == tac_state_hash(&m, &after), 1, "has the bits of the step");
    tap_equal(next.step, s.step + 1, "one step on");
    g.next = &s;
    tap_equal(tac_derivative(&m, &s, NULL, &w, &q, &g), TAC_E_ARG, "x+ in place of the state");
    g.next = NULL;
}

// A parameter that the model does not have, or that moves contacts, is refused by its place in the list.
static void test_parameters(void)
{
    static const struct {
        tac_parameter of;
        uint16_t reason;
        const char *name;
    } bad[] = {{{0, TAC_FIT_KINDS}, TAC_REASON_RANGE, "no kind"},
               {{9, TAC_FIT_FRICTION}, TAC_REASON_RANGE, "no material"},
               {{0, TAC_FIT_MASS}, TAC_REASON_KIND, "the mass of the ground"},
               {{0, TAC_FIT_JOINT_DAMPING}, TAC_REASON_RANGE, "no joint"},
               {{1, TAC_FIT_CENTRE_Y}, TAC_REASON_METHOD, "a centre of mass"}};
    static tac_real P[2 * X];
    static const double on[] = {1e-4};
    balls(on, 1, 0.01, 0.001);
    tac_parameter list[2] = {{1, TAC_FIT_MASS}, {0, 0}};
    g.parameters = 2;
    g.P = P;
    tap_equal(tac_derivative(&m, &s, NULL, &w, &q, &g), TAC_E_ARG, "no list of parameters");
    g.parameter = list;
    for (uint32_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        list[1] = bad[i].of;
        tap_equal(tac_derivative(&m, &s, NULL, &w, &q, &g), TAC_E_ARG, bad[i].name);
        tap_equal(w.report.fault.field, TAC_FIELD_PARAMETER, "  says the field");
        tap_equal(w.report.fault.index, 1, "  its place");
        tap_equal(w.report.fault.reason, bad[i].reason, "  and the reason");
    }
    list[1] = (tac_parameter){0, TAC_FIT_FRICTION};
    tap_equal(tac_derivative(&m, &s, NULL, &w, &q, &g), TAC_OK, "both are good");
    g.P = NULL;
    tap_equal(tac_derivative(&m, &s, NULL, &w, &q, &g), TAC_E_ARG, "no room for what is asked");
    g.parameters = 0;
}

// Lengths times 1000, masses times 1000: the same system in other units.
static void test_scale(void)
{
    static const double on[] = {1e-4};
    static tac_real first[L * L], by_v[L * X];
    balls(on, 1, 0.01, 0.001);
    tac_linearise(&m, &s, NULL, &w, &q, &y);
    tap_equal(y.contacts, 1, "a small ball");
    for (uint32_t i = 0; i < 36; i++) { first[i] = F[i]; }
    for (uint32_t i = 0; i < 72; i++) { by_v[i] = E[i]; }
    balls(on, 1, 10, 1);
    tac_linearise(&m, &s, NULL, &w, &q, &y);
    double worst = 0;
    for (uint32_t i = 0; i < 5; i++) {
        for (uint32_t j = 0; j < 5; j++) { d_worst(&worst, (double)F[6 * i + j] - (double)first[6 * i + j] / 1000); }
        for (uint32_t j = 0; j < 12; j++) {
            const double scale = j % 6 < 3 ? 1 : 1000; // translations, rotations
            d_worst(&worst, ((double)E[12 * i + j] - scale * (double)by_v[12 * i + j]) / 1e4);
        }
    }
    tap_most(worst, TOL(1e-12, 1e-6), "is that of a large one in other units");
}

static void test_refused(void)
{
    static const double on[] = {0};
    balls(on, 1, 0.1, 1);
    tap_equal(tac_linearise(&m, &s, NULL, NULL, &q, &y), TAC_E_ARG, "no work area");
    tap_equal(tac_linearise(&m, &s, NULL, &w, NULL, &y), TAC_E_ARG, "no problem");
    tap_equal(tac_linearise(&m, &s, NULL, &w, &q, NULL), TAC_E_ARG, "no system");
    tap_equal(tac_linearise(&m, NULL, NULL, &w, &q, &y), TAC_E_ARG, "no state");
    y.directions = 9;
    tap_equal(tac_linearise(&m, &s, NULL, &w, &q, &y), TAC_E_ARG, "nine directions");
    arrays();
    y.form = TAC_LCS_FORMS;
    tap_equal(tac_linearise(&m, &s, NULL, &w, &q, &y), TAC_E_ARG, "an unknown form");
    arrays();
    y.F = NULL;
    tap_equal(tac_linearise(&m, &s, NULL, &w, &q, &y), TAC_E_ARG, "no array");
    arrays();
    y.directions = 1, y.plane = vec(0, 0, 0);
    tap_equal(tac_linearise(&m, &s, NULL, &w, &q, &y), TAC_E_ARG, "a plane without a normal");
    arrays();
    y.room.l = 5;
    tap_equal(tac_linearise(&m, &s, NULL, &w, &q, &y), TAC_E_FULL, "no room for the rows of a contact");
    tap_equal(w.report.fault.field * 100 + w.report.fault.index, TAC_FIELD_CONTACT * 100 + 1, "the fault says so");
    tap_equal(y.size.l, 6, "and size.l how many there are");
    arrays();
    y.room.x = 11;
    tap_equal(tac_linearise(&m, &s, NULL, &w, &q, &y), TAC_E_FULL, "no room for the coordinates");
    tap_equal(w.report.fault.field, TAC_FIELD_COUNT, "the fault says so");
    g.room.x = 11;
    tap_equal(tac_derivative(&m, &s, NULL, &w, &q, &g), TAC_E_FULL, "nor for those of the derivative");
    arrays();
    const tac_state before = s;
    tap_equal(tac_derivative(&m, &s, NULL, &w, &q, &g), TAC_OK, "the derivative of a step");
    tap_equal(s.step, before.step, "leaves the state as it is");
    test_next();
    tap_equal(g.size.l, 3, "one contact bears a force");
    s.twist[1].v.x = (tac_real)0 / (tac_real)0;
    tap_equal(tac_linearise(&m, &s, NULL, &w, &q, &y), TAC_E_NAN, "a state that is not finite");
    tap_equal(tac_derivative(&m, &s, NULL, &w, &q, &g), TAC_E_NAN, "twice");
}

// A ring of three rods on hinges, and a bouncing ball.
static void test_not_made_for(void)
{
    static const double high[] = {1, 1, 1};
    balls(high, 3, 0.1, 1);
    for (uint16_t i = 1; i <= 3; i++) {
        tac_joint j;
        tac_joint_init(&j, TAC_SPHERICAL, i, (uint16_t)(i % 3 + 1));
        const double at = 0.2 * (double)i * (i < 3 ? 1 : 0);
        const double a = (double)m.body[j.body_a].pose.p.x, b = (double)m.body[j.body_b].pose.p.x;
        j.frame_a.p = vec(0.6 + at - a, 0, 0);
        j.frame_b.p = vec(0.6 + at - b, 0, 0);
        tac_model_add_joint(&m, &j);
    }
    begin_world(&m, &s);
    tap_equal(tac_linearise(&m, &s, NULL, &w, &q, &y), TAC_E_ARG, "joints that close a loop");
    tap_equal(w.report.fault.field * 100 + w.report.fault.index, TAC_FIELD_JOINT_KIND * 100 + 2,
              "which the fault names");
    static const double on[] = {1e-5};
    balls(on, 1, 0.1, 1);
    m.material[0].restitution = 1;
    m.body[1].velocity.v.z = -1;
    begin_world(&m, &s);
    tap_equal(tac_derivative(&m, &s, NULL, &w, &q, &g), TAC_E_ARG, "a ball that bounces in this step");
    tap_equal(w.report.fault.field, TAC_FIELD_RESTITUTION, "which the fault names");
}

// ------------------------------------------------------------------------------------------------ rows by differences

// What an arm on a hinge, whose foot is close to the floor, has along its coordinate.
enum { ARM_PD, ARM_POSITION, ARM_STOP, ARM_LIMIT, ARM_BEYOND, ARM_FREE, ARMS };
static const char *const ARM[ARMS] = {"a controller of limited effort: ",
                                      "a position motor of limited effort: ",
                                      "an elastic stop: ",
                                      "a limit ahead: ",
                                      "a limit far behind: ",
                                      "a motor without bounds: "};

static const tac_motor ARM_MOTOR[] = {
    {.position = (tac_real)0.1, .stiffness = 100, .damping = 2, .kind = TAC_MOTOR_PD},
    {.position = (tac_real)0.1, .kind = TAC_MOTOR_POSITION},
};

static void arm(int what)
{
    tac_joint j;
    tac_model_init(&m);
    tac_lcp_init(&q);
    truth_fill(&input, sizeof input, 0);
    m.h = (tac_real)0.005;
    m.gravity = vec(0, 0, 0);
    tac_model_add_material(&m, (tac_real)0.5, 0);
    tac_shape ground = tac_shape_make(0, TAC_HALF_SPACE, vec(1, 1, 1));
    ground.pose.p.z = (tac_real)-0.12;
    tac_model_add_shape(&m, &ground);
    tac_body b = tac_body_make(TAC_DYNAMIC, vec(0.5, 0, 0));
    b.mass = 2, b.inertia = vec(0.1, 0.2, 0.3);
    tac_model_add_body(&m, &b);
    const tac_shape foot = tac_shape_make(1, TAC_SPHERE, vec(0.1, 0, 0));
    tac_model_add_shape(&m, &foot);
    tac_joint_init(&j, TAC_REVOLUTE, 0, 1);
    j.collide = 1;
    j.frame_b.p = vec(-0.5, 0, 0);
    j.frame_a.q = j.frame_b.q = dq_to(dq_about(d3_make(1, 0, 0), TRUTH_PI / 2)); // z along -y: the foot rises with q
    if (what == ARM_PD || what == ARM_POSITION) { j.effort = 3; }
    if (what >= ARM_STOP && what <= ARM_BEYOND) {
        j.lower = -1;
        j.upper = (tac_real)(what == ARM_STOP ? -0.01 : (what == ARM_LIMIT ? 0.02 : -0.05));
    }
    if (what == ARM_STOP) { j.stop_stiffness = 1000, j.stop_damping = 5; }
    tac_model_add_joint(&m, &j);
    begin_world(&m, &s);
    arrays();
    y.within = (tac_real)0.05;
    if (what <= ARM_POSITION) {
        input.motors = 1;
        input.motor[0] = ARM_MOTOR[what];
    }
}

// c of a system at rest at this angle, under this effort of a motor without bounds.
static void offsets(double angle, double effort, tac_real *to)
{
    const tac_real at = (tac_real)angle, rest = 0;
    tac_state_set_coordinates(&m, &s, &at, &rest, &w);
    if (effort > 0) {
        input.motors = 1;
        input.motor[0] = (tac_motor){.effort = (tac_real)effort, .kind = TAC_MOTOR_EFFORT};
    }
    tap_ok(tac_linearise(&m, &s, &input, &w, &q, &y) >= 0, "an arm");
    for (uint32_t i = 0; i < y.size.l; i++) { to[i] = c[i]; }
    input.motors = effort > 0 ? 0 : input.motors;
}

// At rest and without gravity c is what E says it is at the other angle, but for the turn of the normals, which is of
// the order of the angle; and under another effort what H says.
static void test_rows(int what, uint8_t form)
{
    static tac_real more[L], less[L], base[L], place[L], by[L];
    const double step = TOL(1e-5, 1e-3);
    double worst = 0, scale = 0;
    arm(what);
    y.form = form;
    offsets(0, 0, base);
    for (uint32_t i = 0; i < y.size.l; i++) { place[i] = E[i * y.size.x], by[i] = H[i * y.size.u]; }
    offsets(step, 0, more);
    offsets(-step, 0, less);
    for (uint32_t i = 0; i < y.size.l; i++) {
        d_worst(&worst, ((double)more[i] - (double)less[i]) / (2 * step) - (double)place[i]);
        d_worst(&scale, (double)place[i]);
    }
    tap_most(worst, TOL(1e-6, 2e-3) * scale, tap_joined(ARM[what], "E is the derivative by the coordinate"));
    if (what < ARM_STOP) { return; }
    worst = scale = 0;
    offsets(0, 2, more);
    for (uint32_t i = 0; i < y.size.l; i++) {
        d_worst(&worst, (double)more[i] - (double)base[i] - 2 * (double)by[i]);
        d_worst(&scale, (double)by[i]);
    }
    tap_most(worst, TOL(1e-9, 1e-3) * scale, tap_joined(ARM[what], "H that by the effort"));
    tap_least(scale, 1e-4, "which is not nothing");
}

int main(void)
{
    for (int what = 0; what < ARMS; what++) {
        test_rows(what, TAC_LCS_STEWART_TRINKLE);
        test_rows(what, TAC_LCS_ANITESCU);
    }
    test_sizes();
    test_closest();
    test_scale();
    test_parameters();
    test_refused();
    test_not_made_for();
    return tap_done();
}
