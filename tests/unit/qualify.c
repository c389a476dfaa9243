// SPDX-License-Identifier: MIT
// config: all
// variants: all
// Constraint qualifications: on a table, in a groove, between walls, held by joints; chains and loops; what is refused.
#include "begin.h"
#include "truth.h"

static tac_model m;
static tac_state s;
static tac_work w;
static tac_lcp q;
static tac_qualification found;

static void begin(double friction)
{
    tac_model_init(&m);
    tac_lcp_init(&q);
    tac_model_add_material(&m, (tac_real)friction, 0);
}

// A half-space through `at` with the normal at `angle` from z in the plane of x and z.
static void wall(d3 at, double angle)
{
    tac_shape ground = tac_shape_make(0, TAC_HALF_SPACE, vec(1, 1, 1));
    ground.pose.p = d3_to(at);
    ground.pose.q = (tac_quat){(tac_real)d_cos(angle / 2), 0, (tac_real)d_sin(angle / 2), 0};
    tac_model_add_shape(&m, &ground);
}

static uint16_t ball(d3 at, double mass)
{
    tac_body b = tac_body_make(TAC_DYNAMIC, d3_to(at));
    b.mass = (tac_real)mass;
    b.inertia = d3_to(d3_scale(0.004 * mass, d3_make(1, 1, 1)));
    const uint16_t body = (uint16_t)tac_model_add_body(&m, &b);
    const tac_shape sphere = tac_shape_make(body, TAC_SPHERE, vec(0.1, 0, 0));
    tac_model_add_shape(&m, &sphere);
    return body;
}

static uint16_t cube(d3 at)
{
    tac_body b = tac_body_make(TAC_DYNAMIC, d3_to(at));
    b.inertia = vec(0.007, 0.007, 0.007);
    const uint16_t body = (uint16_t)tac_model_add_body(&m, &b);
    const tac_shape box = tac_shape_make(body, TAC_BOX, vec(0.1, 0.1, 0.1));
    tac_model_add_shape(&m, &box);
    return body;
}

static void ask(void)
{
    begin_world(&m, &s);
    tap_equal(tac_qualify(&m, &s, (tac_real)1e-4, &w, &q, &found), TAC_OK, "a state is qualified");
}

static void test_table(void)
{
    begin(0.5);
    wall(d3_make(0, 0, 0), 0);
    ball(d3_make(0, 0, 0.1), 1);
    ask();
    tap_equal(found.contacts == 1 && found.pointed && found.independent, 1, "a ball on a table: pointed, independent");
    begin(0.5);
    wall(d3_make(0, 0, 0), 0);
    cube(d3_make(0, 0, 0.1));
    ask();
    tap_equal(found.contacts == 4 && found.pointed, 1, "a cube on a table: pointed, since all normals are up");
    tap_equal(found.opens, 1, "and it can be lifted off all of them");
    tap_equal(found.rows == 4 && found.rank == 3 && !found.independent, 1,
              "but one of its four normals depends on the others");
    begin(0.5);
    wall(d3_make(0, 0, 0), 0);
    cube(d3_make(0, 0, 0.2));
    ask();
    tap_equal(found.contacts == 0 && found.rows == 0 && found.pointed && found.independent, 1,
              "in the air there is nothing");
}

// Between walls at 45 degrees a ball can be squeezed along its diameter if friction reaches 45 degrees.
static int groove(double friction, double mass)
{
    const double eighth = TRUTH_PI / 4, root = d_sqrt(0.5);
    begin(friction);
    wall(d3_make(0, 0, 0), eighth);
    wall(d3_make(0, 0, 0), -eighth);
    ball(d3_make(0, 0, 0.1 / root), mass);
    begin_world(&m, &s);
    tac_qualify(&m, &s, (tac_real)1e-4, &w, &q, &found);
    return found.contacts == 2 ? found.pointed : -1;
}

static void test_groove(void)
{
    const double below = TOL(0.91, 0.7); // eight edges: cos(pi/8) is 0.92
    tap_equal(groove(below, 1), 1, "a groove of 90 degrees at mu = 0.91, in float 0.7: pointed");
    tap_equal(groove(1.01, 1), 0, "at mu = 1.01 the ball can be squeezed");
    tap_equal(found.opens, 1, "though it can be lifted out");
    tap_equal(groove(below, 1e-6), 1, "the same for a milligram");
    tap_equal(groove(1.01, 1e-6), 0, "on both sides");
    groove(0.2, 1);
    const double wide = (double)found.clearance;
    groove(0.9, 1);
    tap_least(wide - (double)found.clearance, 0.1, "the clearance falls on the way there");
}

// A ball between two walls at a random angle, turned in any way: from mu = the tangent of the angle between a normal
// and the line through both points on it can be squeezed. Nothing that can be squeezed is called pointed, and what is
// below cos(pi/n_d) of that is.
static void test_safe(rng *r)
{
    int wrong = 0, missed = 0;
    for (int i = 0; i < RUN(2000, 200); i++) {
        const double lean = rng_range(r, 0.2, 1.2), reach = d_sin(lean) / d_cos(lean);
        const dq turn = rng_quat(r), about = dq_about(d3_make(0, 1, 0), TRUTH_PI / 2 - lean);
        const int edges = 4 + 2 * (int)rng_below(r, 7), squeezed = i % 2;
        const double mu = squeezed ? reach * rng_range(r, 1.0 + TOL(1e-9, 1e-5), 1.5)
                                   : reach * d_cos(TRUTH_PI / edges) * rng_range(r, 0.4, TOL(0.99, 0.7));
        begin(mu);
        for (int k = 0; k < 2; k++) {
            const dq side = dq_mul(turn, k ? about : dq_conjugate(about));
            tac_shape ground = tac_shape_make(0, TAC_HALF_SPACE, vec(1, 1, 1));
            ground.pose.q = dq_to(side);
            ground.pose.p = d3_to(dq_rotate(side, d3_make(0, 0, -0.1)));
            tac_model_add_shape(&m, &ground);
        }
        ball(d3_make(0, 0, 0), 1);
        begin_world(&m, &s);
        q.directions = (uint8_t)edges;
        if (tac_qualify(&m, &s, (tac_real)1e-4, &w, &q, &found) != TAC_OK || found.contacts != 2) {
            tap_ok(0, "two contacts");
        }
        wrong += squeezed && found.pointed;
        missed += !squeezed && !found.pointed;
    }
    tap_equal(wrong, 0, "what can be squeezed is never called pointed");
    tap_equal(missed, 0, "and what is well below is");
}

// Walls that are not closer than the margin of the contacts, but within what counts as touching; and one that the ball
// moves away from.
static void test_near(void)
{
    begin(0.3);
    m.options.margin = (tac_real)1e-4;
    wall(d3_make(-0.101, 0, 0), TRUTH_PI / 2);
    wall(d3_make(0.101, 0, 0), -TRUTH_PI / 2);
    ball(d3_make(0, 0, 0), 1);
    m.body[1].velocity.v = vec(3, 0, 0);
    begin_world(&m, &s);
    tap_equal(tac_qualify(&m, &s, (tac_real)2e-3, &w, &q, &found), TAC_OK, "a state is qualified");
    tap_equal(found.contacts == 2 && !found.pointed, 1, "between walls at a distance that counts as touching");
}

static double triple(d3 a, d3 b, d3 c)
{
    return d3_dot(a, d3_cross(b, c));
}

// A ball between four walls in random directions: no motion leaves all of them if and only if a combination of their
// normals with factors of one sign is 0. The only combination that is 0 has these determinants as factors.
static void test_opens(rng *r)
{
    int wrong = 0, missed = 0, caught = 0, unclear = 0;
    for (int i = 0; i < RUN(1000, 100); i++) {
        d3 n[4];
        begin(0.1);
        for (int k = 0; k < 4; k++) {
            const dq side = rng_quat(r);
            n[k] = dq_rotate(side, d3_make(0, 0, 1));
            tac_shape ground = tac_shape_make(0, TAC_HALF_SPACE, vec(1, 1, 1));
            ground.pose = (tac_pose){d3_to(d3_scale(-0.1, n[k])), dq_to(side)};
            tac_model_add_shape(&m, &ground);
        }
        ball(d3_make(0, 0, 0), 1);
        ask();
        const double factor[4] = {triple(n[1], n[2], n[3]), -triple(n[0], n[2], n[3]), triple(n[0], n[1], n[3]),
                                  -triple(n[0], n[1], n[2])};
        int above = 0, clear = 1;
        for (int k = 0; k < 4; k++) {
            above += factor[k] > 0;
            clear &= d_abs(factor[k]) > TOL(1e-4, 0.05);
        }
        const int held = above == 0 || above == 4;
        unclear += !clear;
        caught += held;
        wrong += clear && found.opens && held;
        missed += clear && !found.opens && !held;
    }
    tap_equal(wrong, 0, "no motion leaves four walls whose normals are balanced");
    tap_most(missed, RUN(1000, 100) * TOL(0, 0.02), "  one leaves others; in float a narrow way out counts as none");
    tap_least(caught, RUN(50, 5), "  as they are in some");
    tap_most(unclear, RUN(500, 50), "  most are clear");
}

static void test_walls(void)
{
    begin(0.3);
    wall(d3_make(-0.1, 0, 0), TRUTH_PI / 2);
    wall(d3_make(0.1, 0, 0), -TRUTH_PI / 2);
    ball(d3_make(0, 0, 0), 1);
    ask();
    tap_equal(found.contacts == 2 && !found.pointed, 1, "between two walls: not pointed");
    tap_equal(found.opens, 0, "and no motion leaves both");
    tap_equal(found.rows == 2 && found.rank == 1, 1, "and their normals are one");
}

// A slide along x lets a wall across x be pushed, one along x not: its joint takes all.
static void test_slide(double angle, int pointed, const char *name)
{
    tac_joint j;
    begin(0);
    const double at = angle == 0 ? -0.1 : 0;
    wall(d3_make(angle == 0 ? 0 : -0.1, 0, at), angle);
    const uint16_t b = ball(d3_make(0, 0, 0), 1);
    tac_joint_init(&j, TAC_PRISMATIC, 0, b);
    const tac_real half = (tac_real)0.70710678118654752;
    j.frame_a.q = j.frame_b.q = (tac_quat){half, 0, half, 0}; // its z along x
    j.collide = 1;
    tac_model_add_joint(&m, &j);
    ask();
    tap_equal(found.contacts, 1, name);
    tap_equal(found.pointed, pointed, pointed ? "  pointed" : "  not pointed");
    tap_equal(found.opens, pointed, "  and a motion opens it, or not");
    tap_equal(found.rows - found.rank, pointed ? 0 : 1, "  and independent, or not");
}

// A chain of hinges is independent; its end hinged to the ground too, in the plane, makes a loop with three spare rows.
static void test_loop(void)
{
    for (int closed = 0; closed < 2; closed++) {
        begin(0);
        m.gravity = vec(0, 0, 0);
        for (int i = 0; i < 3 + closed; i++) {
            tac_joint j;
            tac_body b = tac_body_make(TAC_DYNAMIC, vec(i == 1, i == 2 || i == 1, 0));
            b.inertia = vec(0.1, 0.1, 0.1);
            if (i < 3) { tac_model_add_body(&m, &b); }
            const uint16_t a = (uint16_t)i, next = i < 3 ? (uint16_t)(i + 1) : 0;
            tac_joint_init(&j, TAC_REVOLUTE, a, next);
            const d3 pa = d3_of(m.body[a].pose.p), pb = d3_of(m.body[next].pose.p), at = d3_scale(0.5, d3_add(pa, pb));
            j.frame_a.p = d3_to(d3_sub(at, pa));
            j.frame_b.p = d3_to(d3_sub(at, pb));
            tac_model_add_joint(&m, &j);
        }
        ask();
        tap_equal(found.rows, closed ? 20 : 15, closed ? "a planar loop of four hinges" : "a chain of three hinges");
        tap_equal(found.rank, closed ? 17 : 15, closed ? "  three rows are spare" : "  independent");
        tap_equal(found.opens, !closed, "  MFCQ asks for independent joints too");
    }
}

static void test_refused(void)
{
    begin(0.5);
    wall(d3_make(0, 0, 0), 0);
    ball(d3_make(0, 0, 0.1), 1);
    begin_world(&m, &s);
    tap_equal(tac_qualify(&m, &s, 0, &w, &q, NULL), TAC_E_ARG, "no result");
    tap_equal(tac_qualify(&m, &s, 0, NULL, &q, &found), TAC_E_ARG, "no work area");
    tap_equal(tac_qualify(&m, &s, 0, &w, NULL, &found), TAC_E_ARG, "no memory");
    tap_equal(tac_qualify(NULL, &s, 0, &w, &q, &found), TAC_E_ARG, "no model");
    tap_equal(tac_qualify(&m, &s, -1, &w, &q, &found), TAC_E_ARG, "a negative gap");
    tap_equal(tac_qualify(&m, &s, real_nan(), &w, &q, &found), TAC_E_ARG, "no number");
    q.directions = 2;
    tap_equal(tac_qualify(&m, &s, 0, &w, &q, &found), TAC_E_ARG, "two directions");
    q.directions = TAC_LCP_ROUND;
    tap_equal(tac_qualify(&m, &s, 0, &w, &q, &found), TAC_E_ARG, "a round cone has no edges");
    q.directions = 8;
    s.twist[1].v.x = real_nan();
    tap_equal(tac_qualify(&m, &s, 0, &w, &q, &found), TAC_E_NAN, "a state that is none");
    begin(0.5);
    wall(d3_make(0, 0, 0), 0);
    for (int i = 0; i < 4; i++) { cube(d3_make(i, 0, 0.1)); }
    begin_world(&m, &s);
    found.contacts = 77;
    tap_equal(tac_qualify(&m, &s, (tac_real)1e-4, &w, &q, &found), TAC_E_FULL, "more edges than rows");
    tap_equal(w.report.fault.field == TAC_FIELD_CONTACT && w.report.fault.index == 16, 1, "of sixteen contacts");
    tap_equal(found.contacts, 77, "the result is untouched");
}

int main(void)
{
    rng r = {20240611};
    test_table();
    test_groove();
    test_safe(&r);
    test_near();
    test_opens(&r);
    test_walls();
    test_slide(TRUTH_PI / 2, 1, "a ball on a slide against a wall across it");
    test_slide(0, 0, "and beside a wall along it");
    test_loop();
    test_refused();
    return tap_done();
}
