// SPDX-License-Identifier: MIT
// Energy and momentum of three bodies by hand; the report of a step says the same energies.
#include "begin.h"
#include "truth.h"

static tac_model m;
static tac_state state;
static tac_work w;

static void add(uint8_t kind, tac_vec3 at, tac_vec3 velocity, tac_vec3 rate, double mass)
{
    tac_body b = tac_body_make(kind, at);
    b.mass = (tac_real)mass;
    b.inertia = vec(1, 2, 2.5);
    b.velocity.v = velocity;
    b.velocity.w = rate;
    if (b.kind == TAC_DYNAMIC) { // a quarter turn about z: the body's x is the world's y
        b.pose.q.w = b.pose.q.z = (tac_real)d_sqrt(0.5);
    }
    tac_model_add_body(&m, &b);
}

static void near_vec(tac_vec3 got, double x, double y, double z, const char *name)
{
    tap_most(d3_norm(d3_sub(d3_of(got), d3_make(x, y, z))), TOL(1e-13, 1e-5), name);
}

int main(void)
{
    tac_real kinetic, potential;
    tac_vec3 linear, angular;
    tac_model_init(&m);
    m.gravity = vec(0, 0, -10);
    add(TAC_DYNAMIC, vec(1, 2, 3), vec(4, 5, 6), vec(1, 0, 0), 2.0);
    add(TAC_DYNAMIC, vec(0, 0, 1), vec(-8, 0, 0), vec(0, 0, 0), 1.0);
    add(TAC_KINEMATIC, vec(7, 7, 7), vec(7, 7, 7), vec(7, 7, 7), 7.0);
    begin_world(&m, &state);

    tac_energy(&m, &state, &kinetic, &potential);
    tac_momentum(&m, &state, &linear, &angular);
    // 2/2 (16 + 25 + 36) + 1/2 1, and 64/2; 2 10 3 and 1 10 1
    tap_near(kinetic, 77.5 + 32.0, TOL(1e-12, 1e-4), "kinetic energy, of what is free to move");
    tap_near(potential, 70.0, TOL(1e-12, 1e-4), "potential energy");
    near_vec(linear, 0, 10, 12, "linear momentum");
    // (1,2,3) x (8,10,12) + (0,1,0), and (0,0,1) x (-8,0,0)
    near_vec(angular, -6, 13 - 8, -6, "angular momentum about the origin, in the world's frame");

    tap_ok(tac_step(&m, &state, NULL, &w) >= 0, "a step");
    tac_energy(&m, &state, &kinetic, &potential);
    tap_near(w.report.kinetic, kinetic, 0.0, "its report has the same kinetic energy");
    tap_near(w.report.potential, potential, 0.0, "and potential energy");
    return tap_done();
}
