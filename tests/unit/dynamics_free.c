// SPDX-License-Identifier: MIT
// Equations of motion without joints: two free bodies and one that is kinematic, by hand.
#include "begin.h"
#include "truth.h"

static tac_model m;
static tac_state s;
static tac_work w;
static tac_coordinates map;

static void add(uint8_t kind, double mass, tac_vec3 rate)
{
    tac_body b = tac_body_make(kind, vec(1, 2, 3));
    b.mass = (tac_real)mass;
    b.inertia = vec(1, 2, 2.5);
    b.inertial.p = vec(0, 0, 1);
    b.pose.q = (tac_quat){(tac_real)0.6, 0, (tac_real)0.8, 0};
    b.velocity.v = vec(4, 5, 6);
    b.velocity.w = rate;
    tac_model_add_body(&m, &b);
}

// What free bodies have accelerated by in a step: gravity, and none about an axis of inertia.
static void last_step(void)
{
    tac_real x[12];
    double worst = 0;
    for (uint16_t i = 1; i < m.bodies; i++) { s.twist[i].w = (tac_vec3){0, 5, 0}; }
    tap_least(tac_step(&m, &s, NULL, &w), 0, "a step");
    tap_equal(tac_step_accelerations(&m, &s, &w, x), TAC_OK, "its accelerations");
    for (int i = 0; i < 12; i++) { d_worst(&worst, (double)x[i] - (i % 6 == 2 ? -10 : 0)); }
    tap_most(worst, TOL(1e-13, 1e-5), "are those of free fall");
    s.step++;
    tap_equal(tac_step_accelerations(&m, &s, &w, x), TAC_E_ORDER, "of a later state they are not");
    s.step--;
}

// A ball of 2 kg at rest on the ground bears its weight, about its centre without a torque.
static void body_force(void)
{
    tac_wrench f;
    const tac_vec3 aside = {1, 0, 0}, nowhere = {real_nan(), 0, 0};
    tac_model_init(&m);
    m.gravity = vec(0, 0, -10);
    tac_model_add_material(&m, (tac_real)0.5, 0);
    tac_shape shape = tac_shape_make(0, TAC_HALF_SPACE, vec(1, 1, 1));
    tac_model_add_shape(&m, &shape);
    tac_body b = tac_body_make(TAC_DYNAMIC, vec(0, 0, 0.5));
    b.mass = 2;
    tac_model_add_body(&m, &b);
    shape = tac_shape_make(1, TAC_SPHERE, vec(0.5, 0.5, 0.5));
    tac_model_add_shape(&m, &shape);
    begin_world(&m, &s);
    for (int i = 0; i < 20; i++) { (void)tac_step(&m, &s, NULL, &w); }
    tap_equal(tac_body_force(&m, &w, 1, s.pose[1].p, &f), TAC_OK, "force of contacts on a ball");
    tap_near(f.force.z, 20, TOL(1e-6, 1e-3), "is its weight");
    tap_most(d3_norm(d3_of(f.torque)), TOL(1e-9, 1e-4), "without a torque about its centre");
    tap_equal(tac_body_force(&m, &w, 0, aside, &f), TAC_OK, "on the ground");
    tap_near(f.force.z, -20, TOL(1e-6, 1e-3), "it is the opposite");
    tap_near(f.torque.y, -20, TOL(1e-5, 1e-2), "with the torque of its arm");
    tap_equal(tac_body_force(&m, &w, 2, aside, &f), TAC_E_ARG, "no such body");
    tap_equal(tac_body_force(&m, &w, 1, nowhere, &f), TAC_E_NAN, "a point that is not a number");
    tap_equal(tac_body_force(&m, NULL, 1, aside, &f), TAC_E_ARG, "no work area");
    tap_equal(tac_shape_force(&m, &w, 1, s.pose[1].p, &f), TAC_OK, "force of contacts on its shape");
    tap_near(f.force.z, 20, TOL(1e-6, 1e-3), "is its weight");
    tap_equal(tac_shape_force(&m, &w, 0, aside, &f), TAC_OK, "on the shape below");
    tap_near(f.torque.y, -20, TOL(1e-5, 1e-2), "it is the opposite, with the torque of its arm");
    tap_equal(tac_shape_force(&m, &w, 2, aside, &f), TAC_E_ARG, "no such shape");
    tap_equal(tac_shape_force(&m, &w, 1, nowhere, &f), TAC_E_NAN, "a point that is not a number");
    tap_equal(tac_shape_force(&m, &w, 1, aside, NULL), TAC_E_ARG, "no place for it");
    (void)tac_step_begin(&m, &s, NULL, &w);
    tap_equal(tac_body_force(&m, &w, 1, aside, &f), TAC_E_ORDER, "between begin and end");
    tap_equal(tac_shape_force(&m, &w, 1, aside, &f), TAC_E_ORDER, "nor that of a shape");
}

int main(void)
{
    tac_real matrix[144], effort[12], change[12], q[14], rate[12];
    // m g upwards; w x I w
    const double expected[12] = {0, 0, 20, 0.5 * 2 * 3, -1.5 * 1 * 3, 1 * 1 * 2, 0, 0, 30, 0, 0, 0};
    const double moments[3] = {1, 2, 2.5};
    double worst = 0, off = 0;
    tac_model_init(&m);
    m.gravity = vec(0, 0, -10);
    add(TAC_DYNAMIC, 2.0, vec(1, 2, 3));
    add(TAC_KINEMATIC, 1.0, vec(1, 2, 3));
    add(TAC_DYNAMIC, 3.0, vec(0, 5, 0));
    begin_world(&m, &s);
    tap_equal(tac_model_get_coordinates(&m, &w, &map), TAC_OK, "coordinates");
    tap_equal(map.velocities, 12, "six for each free body");
    tap_equal(map.positions, 14, "seven of position");
    tap_ok(map.body[1].velocity == 0 && map.body[2].velocity == TAC_NONE && map.body[3].velocity == 6 &&
               map.body[3].position == 7,
           "in the order of the bodies");

    tap_equal(tac_mass_matrix(&m, &s, &w, matrix), TAC_OK, "mass matrix");
    for (int i = 0; i < 12; i++) {
        for (int k = 0; k < 12; k++) {
            const double mass = i < 6 ? 2 : 3, on = i % 6 < 3 ? mass : moments[i % 3];
            d_worst(&worst, (double)matrix[12 * i + k] - (i == k ? on : 0));
        }
    }
    tap_most(worst, TOL(1e-14, 1e-6), "is that of each");
    tap_equal(tac_bias(&m, &s, &w, effort), TAC_OK, "bias");
    worst = 0;
    for (int i = 0; i < 12; i++) { d_worst(&worst, (double)effort[i] - expected[i]); }
    tap_most(worst, TOL(1e-13, 1e-5), "is weight and the torque of free rotation");
    for (int i = 0; i < 12; i++) { rate[i] = (tac_real)(i - 5); }
    tap_equal(tac_inverse_dynamics(&m, &s, rate, &w, effort), TAC_OK, "inverse dynamics");
    tap_equal(tac_forward_dynamics(&m, &s, effort, &w, change), TAC_OK, "forward dynamics");
    for (int i = 0; i < 12; i++) { d_worst(&off, (double)change[i] - (i - 5)); }
    tap_most(off, TOL(1e-13, 1e-5), "is its inverse");

    tap_equal(tac_state_get_coordinates(&m, &s, &w, q, rate), TAC_OK, "coordinates of the state");
    tap_ok(q[0] == s.pose[1].p.x && q[5] == s.pose[1].q.y && q[7] == s.pose[3].p.x && rate[2] == 6 && rate[10] == 5,
           "are its poses and twists");
    q[9] = 8;
    rate[11] = 1;
    tap_equal(tac_state_set_coordinates(&m, &s, q, rate, &w), TAC_OK, "and back");
    tap_ok(s.pose[3].p.z == 8 && s.twist[3].w.z == 1 && s.pose[1].p.x == q[0], "is what the state has");
    last_step();
    body_force();
    return tap_done();
}
