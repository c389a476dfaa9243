// SPDX-License-Identifier: MIT
// config: all
// variants: clang-O0-32 san-Og-64
// The implicit step from inside: the derivative of its equations against differences, several right-hand sides of the
// linear solver, hulls as inequalities; what is refused, and that it changes nothing; full tables.
#include "begin.h"
#include "ncp_derivative.h"

static tac_model m;
static tac_state s, old;
static tac_work w;
static tac_input input;
static tac_ncp q;

static uint16_t add(double x, double y, double z, dq turned, uint8_t kind, tac_vec3 size)
{
    tac_body b = tac_body_make(TAC_DYNAMIC, vec(x, y, z));
    b.pose.q = dq_to(turned);
    b.inertia = vec(0.03, 0.04, 0.05);
    b.velocity.v = vec(0.3, -0.2, -0.4);
    b.velocity.w = vec(2, -1, 3);
    const uint16_t body = (uint16_t)tac_model_add_body(&m, &b);
    const tac_shape shape = tac_shape_make(body, kind, size);
    tac_model_add_shape(&m, &shape);
    return body;
}

static void world(double h)
{
    tac_model_init(&m);
    tac_ncp_init(&q);
    truth_fill(&input, sizeof input, 0);
    m.h = (tac_real)h;
    tac_model_add_material(&m, (tac_real)0.5, 0);
    m.material[0].spinning = (tac_real)0.01;
    m.material[0].rolling = (tac_real)0.002;
    const tac_shape ground = tac_shape_make(0, TAC_HALF_SPACE, vec(1, 1, 1));
    tac_model_add_shape(&m, &ground);
}

// --------------------------------------------------------------------------------------------------------- derivative

// At a point off the solution, where no law is at one of its corners.
static void test_derivative(const char *name, double tolerance)
{
    rng r = {7};
    double worst = 0;
    begin_world(&m, &s);
    truth_fill(&w.report, sizeof w.report, 0);
    if (!ncp_begin(&m, &s, NULL, &w, &q)) { tap_ok(0, "has room"); }
    tap_least(q.contacts, 1, tap_joined(name, "is in contact"));
    for (int k = 0; k < 6; k++) {
        ncp_guess(&m, &w, &q);
        for (uint32_t i = 0; i < q.unknowns; i++) { q.x[i] += (tac_real)rng_range(&r, -0.02, 0.02); }
        d_worst(&worst, ncp_derivative_error(&m, &s, &w, &q, 1e-6));
    }
    tap_most(worst, tolerance, tap_joined(name, "derivative"));
}

static void test_derivatives(void)
{
    const dq lean = dq_mul(dq_about(d3_make(1, 0, 0), 0.9), dq_about(d3_make(0, 1, 0), 0.4));
    const double low = 1e-4; // what is left out of the rotation in a step, ncp_turn()
    world(0.01);
    add(0, 0, 0.199, lean, TAC_SPHERE, vec(0.2, 0, 0));
    test_derivative("ball and floor:", low);
    world(0.01);
    add(0, 0, 0.2, lean, TAC_SPHERE, vec(0.2, 0, 0));
    add(0.1, 0.05, 0.58, lean, TAC_SPHERE, vec(0.2, 0, 0));
    test_derivative("balls:", low);
    world(0.01);
    add(0, 0, 0.22, lean, TAC_CYLINDER, vec(0.2, 0, 0.1));
    test_derivative("rim:", low);
    world(0.01);
    add(0, 0, 0.2, lean, TAC_ELLIPSOID, vec(0.3, 0.2, 0.1));
    add(0.02, 0.01, 0.46, lean, TAC_ELLIPSOID, vec(0.1, 0.2, 0.15));
    test_derivative("ellipsoids:", low);
    world(0.01);
    add(0, 0, 0.3, lean, TAC_BOX, vec(0.2, 0.2, 0.2));
    add(0.02, 0.01, 0.6, dq_about(d3_make(0, 1, 0), 0.3), TAC_CYLINDER, vec(0.1, 0, 0.05));
    add(0.1, 0.6, 0.1, lean, TAC_CAPSULE, vec(0.1, 0, 0.2));
    test_derivative("box, cylinder, capsule:", low);
    // a plane that turns: the face of the lower box
    world(0.01);
    add(0, 0, 0.2, dq_about(d3_make(1, 0, 0), 0.01), TAC_BOX, vec(0.2, 0.2, 0.2));
    add(0, 0, 0.6, dq_about(d3_make(1, 0, 0), 0.01), TAC_BOX, vec(0.15, 0.15, 0.2));
    test_derivative("boxes:", low);
    // a half-space that turns, on a body of higher index
    world(0.01);
    m.shapes = 0;
    add(0, 0, 0.2, lean, TAC_SPHERE, vec(0.2, 0, 0));
    add(0.5, 0, 0.22, lean, TAC_CYLINDER, vec(0.2, 0, 0.1));
    tac_body turning = tac_body_make(TAC_KINEMATIC, vec(0, 0, 0));
    turning.velocity.w = vec(0.3, 0.2, 0.1);
    const uint16_t body = (uint16_t)tac_model_add_body(&m, &turning);
    const tac_shape half = tac_shape_make(body, TAC_HALF_SPACE, vec(1, 1, 1));
    tac_model_add_shape(&m, &half);
    test_derivative("ball and rim on a plane that turns:", low);
}

// ------------------------------------------------------------------------------------------------------------- parts

static void test_solver(void)
{
    rng r = {3};
    double worst = 0;
    for (int k = 0; k < 40; k++) {
        tac_real a[25], kept[25], b[15], right[15];
        for (int i = 0; i < 25; i++) { kept[i] = a[i] = (tac_real)rng_range(&r, -1, 1); }
        for (int i = 0; i < 5; i++) { kept[6 * i] = a[6 * i] = a[6 * i] + 2; }
        for (int i = 0; i < 15; i++) { right[i] = b[i] = (tac_real)rng_range(&r, -1, 1); }
        tap_ok(lu_solve_columns(a, b, 5, 3), "a system of three right-hand sides");
        for (int i = 0; i < 15; i++) {
            double sum = -(double)right[i];
            for (int j = 0; j < 5; j++) { sum += (double)kept[5 * (i / 3) + j] * (double)b[3 * j + i % 3]; }
            d_worst(&worst, sum);
        }
    }
    tap_most(worst, TOL(1e-14, 1e-5), "is solved for each of them");
}

// The inequalities of a tetrahedron hold at its corners, with equality on three faces each.
static void test_hull(void)
{
    const tac_vec3 corner[4] = {vec(0, 0, 0), vec(1, 0, 0), vec(0, 1, 0), vec(0.2, 0.3, -1)};
    static tac_implicit body;
    inequality row;
    double outside = 0;
    world(0.01);
    tac_shape shape = tac_shape_make(0, TAC_HULL, vec(1, 1, 1));
    shape.data = (uint16_t)tac_model_add_hull(&m, corner, 4);
    tap_equal(bodies_shape(&body, &m, &shape), TAC_OK, "a tetrahedron is an intersection of inequalities");
    tap_equal(body.count, 4, "of four");
    tap_equal(inequality_check_body(&body, &row), TAC_OK, "with an inside");
    for (int c = 0; c < 4; c++) {
        int touches = 0;
        for (int i = 0; i < 4; i++) {
            const tac_pose here = {V3_ZERO, QUAT_ONE};
            inequality_place(&body.f[i], &here, &row);
            inequality_at(&row, corner[c], 0);
            outside = d_max(outside, (double)row.f);
            touches += d_abs((double)row.f) < TOL(1e-14, 1e-6);
        }
        tap_equal(touches, 3, "three of them meet in each corner");
    }
    tap_most(outside, TOL(1e-14, 1e-6), "none is beyond");
    shape.kind = TAC_CAPSULE;
    tap_equal(bodies_shape(&body, &m, &shape), TAC_E_ARG, "a capsule is none");
}

// ----------------------------------------------------------------------------------------------------------- refused

static void refused(tac_status got, tac_status expected, const char *name)
{
    tap_equal(got, expected, name);
    tap_ok(truth_equal(&s, &old, sizeof s), "and nothing changes");
}

static void test_refused(void)
{
    const dq upright = {1, 0, 0, 0};
    world(0.01);
    for (int i = 0; i < 14; i++) { add(i, 0, 0.2, upright, TAC_BOX, vec(0.2, 0.2, 0.2)); }
    begin_world(&m, &s);
    truth_copy(&old, &s, sizeof s);
    tap_equal(tac_ncp_init(NULL), TAC_E_ARG, "no problem to initialise");
    refused(tac_step_implicit(NULL, &s, NULL, &w, &q), TAC_E_ARG, "no model");
    refused(tac_step_implicit(&m, NULL, NULL, &w, &q), TAC_E_ARG, "no state");
    refused(tac_step_implicit(&m, &s, NULL, NULL, &q), TAC_E_ARG, "no work area");
    refused(tac_step_implicit(&m, &s, NULL, &w, NULL), TAC_E_ARG, "no problem");
    const tac_real bad[3] = {0, -1, real_nan()};
    for (int i = 0; i < 3; i++) {
        q.tolerance = bad[i];
        refused(tac_step_implicit(&m, &s, NULL, &w, &q), TAC_E_ARG, "a tolerance that is not positive");
    }
    tac_ncp_init(&q);
    q.max_iterations = 0;
    refused(tac_step_implicit(&m, &s, NULL, &w, &q), TAC_E_ARG, "no iterations");
    q.max_iterations = 1001;
    refused(tac_step_implicit(&m, &s, NULL, &w, &q), TAC_E_ARG, "too many iterations");
    tac_ncp_init(&q);
    input.actions = 1;
    input.action[0].body = 1;
    input.action[0].linear.x = real_nan();
    refused(tac_step_implicit(&m, &s, &input, &w, &q), TAC_E_NAN, "a force that is not a number");
    s.twist[1].v.x = real_nan();
    truth_copy(&old, &s, sizeof s);
    refused(tac_step_implicit(&m, &s, NULL, &w, &q), TAC_E_NAN, "a velocity that is not a number");
    s.twist[1].v.x = 0;
    truth_copy(&old, &s, sizeof s);
    refused(tac_step_implicit(&m, &s, NULL, &w, &q), TAC_E_FULL, "more unknowns than there is room for");
    tap_equal(w.report.fault.field, TAC_FIELD_CONTACT, "the fault names contacts");
    tap_equal(w.report.fault.reason, TAC_REASON_FULL, "which are too many");
    tap_least(w.report.fault.index, 20, "and how many there are");
    tap_equal(w.report.status, TAC_E_FULL, "the report has the status");
    tap_least(q.unknowns, TAC_MAX_NCP + 1, "the problem says how many unknowns there would be");
    tap_equal(q.contacts, 0, "and shows no contacts");
}

// A step whose iterations do not suffice is that of the cone program, to the bit, and says so.
static void test_unconverged(void)
{
    const dq lean = dq_about(d3_make(1, 0, 0), 0.9);
    static tac_state cone;
    world(0.02);
    add(0, 0, 0.3, lean, TAC_ELLIPSOID, vec(0.3, 0.2, 0.1));
    begin_world(&m, &s);
    q.max_iterations = 1;
    q.tolerance = TOL((tac_real)1e-15, (tac_real)1e-12);
    int failed = 0, same = 1;
    for (int i = 0; i < 60; i++) {
        truth_copy(&cone, &s, sizeof s);
        const tac_status status = tac_step_implicit(&m, &s, NULL, &w, &q);
        if (q.converged) { continue; }
        failed++;
        same = same && (status & TAC_UNCONVERGED);
        tac_step(&m, &cone, NULL, &w);
        same = same && tac_state_hash(&m, &cone) == tac_state_hash(&m, &s);
    }
    tap_least(failed, 5, "one iteration and no tolerance: steps do not converge");
    tap_ok(same, "their result is that of tac_step(), and the status says so");
}

int main(void)
{
    if (TAC_REAL_BITS == 64) { test_derivatives(); }
    test_solver();
    test_hull();
    test_refused();
    test_unconverged();
    return tap_done();
}
