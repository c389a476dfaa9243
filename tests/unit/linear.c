// SPDX-License-Identifier: MIT
// config: steppers
// The system of a state: sizes, the closest pairs, memory, what is refused; scaling.
#include "begin.h"
#include "truth.h"

enum { X = 40, U = 20, L = 120 };

static tac_model m;
static tac_state s;
static tac_work w;
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

int main(void)
{
    test_sizes();
    test_closest();
    test_scale();
    test_refused();
    test_not_made_for();
    return tap_done();
}
