// SPDX-License-Identifier: MIT
// config: all
// Coordinates of joints that have several, and knife edges, by the other methods: accelerations at an instant, the step of
// T03, smooth integrators; what refuses them by name.
#include "dae.h"

static tac_lcp q;
static tac_instant now;

static tac_joint *sleigh(void)
{
    tac_body *b = add_body(0.3, 0, 1, 0.1);
    b->velocity.v = vec(0.5, 0.6, 0.0), b->velocity.w.z = 2;
    add_joint(TAC_PLANAR, 0, 1);
    tac_joint *blade = add_joint(TAC_SKATE, 0, 1);
    blade->frame_b = (tac_pose){vec(-0.3, 0, 0), dq_to(dq_about(d3_make(0, 0, 1), 0.5 * TRUTH_PI))};
    return blade;
}

// v' = a w^2 and w' = -a v w/(J + a^2) of Chaplygin's sleigh; its centre: (v' - a w^2, w v + a w').
static void test_instant(void)
{
    begin(TAC_SOLVER_AUTO, 1e-3, 0.0);
    sleigh();
    begin_world(&m, &s);
    tap_equal(tac_accelerations(&m, &s, NULL, &w, &q, &now), TAC_OK, "accelerations of a sleigh");
    const double spin = -0.3 * 0.5 * 2.0 / (0.1 + 0.09);
    tap_near(now.body[1].angular.z, spin, TOL(1e-9, 1e-5), "about z");
    tap_near(now.body[1].linear.x, 0.0, TOL(1e-9, 1e-5), "forwards");
    tap_near(now.body[1].linear.y, 2.0 * 0.5 + 0.3 * spin, TOL(1e-9, 1e-5), "sideways");

    // a bob held on a cone of half angle 0.5 that circles at 5 rad/s
    const double sn = d_sin(0.5), c = d_cos(0.5);
    begin(TAC_SOLVER_AUTO, 1e-3, 10.0);
    tac_body *b = add_body(0, 0, 1, 0.01);
    b->pose = (tac_pose){vec(0, sn, -c), dq_to(dq_about(d3_make(1, 0, 0), 0.5))};
    b->velocity = (tac_twist){vec(-5.0 * sn, 0, 0), vec(0, 5.0 * sn, 5.0 * c)};
    add_joint(TAC_SPHERICAL, 0, 1)->frame_b.p.z = 1;
    tac_joint *cone = add_joint(TAC_SWING, 0, 1);
    cone->frame_b.p.z = 1;
    cone->lower = cone->upper = (tac_real)0.5;
    begin_world(&m, &s);
    tap_equal(tac_accelerations(&m, &s, NULL, &w, &q, &now), TAC_OK, "accelerations on a cone");
    tap_near(now.body[1].linear.y, -25.0 * sn, TOL(1e-9, 1e-4), "towards its axis");
    tap_near(now.body[1].linear.z, 0.0, TOL(1e-9, 1e-4), "level");
}

static void test_t03(void)
{
    double skid = 0.0;
    begin(TAC_SOLVER_AUTO, 1e-3, 0.0);
    sleigh();
    begin_world(&m, &s);
    for (int i = 0; i < 300; i++) {
        const dq at = dq_of(s.pose[1].q);
        if (tac_step_lcp(&m, &s, NULL, &w, &q) != TAC_OK) { tap_ok(0, "a step of T03"); }
        const d3 side = dq_rotate(at, d3_make(0, 1, 0)), back = dq_rotate(at, d3_make(-0.3, 0, 0));
        const d3 spin = d3_make(0, 0, (double)s.twist[1].w.z);
        d_worst(&skid, d3_dot(side, d3_add(d3_of(s.twist[1].v), d3_cross(spin, back))));
    }
    tap_most(skid, TOL(1e-9, 1e-5), "in steps of T03 the blade does not slip");
}

// 0.1 q'' + 4 q = 0 about x, 0.1 q'' + q = 0 about y.
static void test_dae(uint8_t method, double h, double tolerance)
{
    double off = 0.0;
    dae_begin(method, h, 0.0);
    add_body(0, 0, 1, 0.1)->velocity.w = vec(4, 2, 0);
    add_joint(TAC_UNIVERSAL, 0, 1);
    const tac_real half = (tac_real)0.5;
    for (int y = 0; y < 2; y++) {
        tac_joint *j = add_joint(TAC_TWIST, 0, 1);
        j->frame_a.q = j->frame_b.q = y ? (tac_quat){half, -half, -half, -half} : (tac_quat){half, half, half, half};
        j->stiffness = y ? 1 : 4;
    }
    begin_world(&m, &s);
    for (int i = 1; i * h < 1.0; i++) {
        steps(1);
        d_worst(&off, (double)look(1).position - 4.0 / d_sqrt(40.0) * d_sin(d_sqrt(40.0) * i * h));
        d_worst(&off, (double)look(2).position - 2.0 / d_sqrt(10.0) * d_sin(d_sqrt(10.0) * i * h));
    }
    tap_most(off, tolerance, tap_joined("a universal joint with springs: ", METHOD[method]));
}

static void test_refused(void)
{
    dae_begin(TAC_DAE_HHT, 1e-3, 0.0);
    sleigh();
    begin_world(&m, &s);
    tap_equal(step(), TAC_E_MODEL, "smooth integrators refuse a knife edge");
    tap_equal(s.step, 0, "and take no step");
}

int main(void)
{
    test_instant();
    test_t03();
    test_dae(TAC_DAE_HHT, 1e-3, 1e-3);
    test_dae(TAC_DAE_NEWMARK, 1e-3, 1e-3);
    test_dae(TAC_DAE_TRAPEZOIDAL_LINEARISED, 1e-3, 5e-2);
    test_refused();
    return tap_done();
}
