// SPDX-License-Identifier: MIT
// What rounding leaves over is carried to the next step: a body a hundred metres out that creeps by a fraction of the
// last digit a step arrives where it should, and a weak push adds up. And a half-space that turns is as fast as it is
// far.
#include "begin.h"
#include "truth.h"

static tac_model m;
static tac_state state;
static tac_input input;
static tac_work w;

static void start(const tac_body *b)
{
    tac_model_init(&m);
    m.gravity = vec(0, 0, 0);
    tac_model_add_body(&m, b);
    begin_world(&m, &state);
}

// 1e-5 m/s at 100 m: in float the step of 1e-8 m is a thousandth of the last digit.
static void test_creep(void)
{
    const int steps = RUN(10000, 2000);
    tac_body b = tac_body_make(TAC_DYNAMIC, vec(100, 0, 0));
    b.velocity.v = vec(1e-5, 0, 0);
    start(&b);
    for (int i = 0; i < steps; i++) { tac_step(&m, &state, NULL, &w); }
    const double arrived = (double)state.pose[1].p.x + (double)state.compensation[1].p.x - 100.0;
    tap_near(arrived, 1e-8 * steps, 1e-4 * 1e-8 * steps, "a creep below the last digit adds up");
}

// 1e-4 N on 1 kg that already moves at 100 m/s: 1e-7 m/s a step, a hundredth of the last digit in float.
static void test_push(void)
{
    const int steps = RUN(10000, 2000);
    tac_body b = tac_body_make(TAC_DYNAMIC, vec(0, 0, 0));
    b.velocity.v = vec(100, 0, 0);
    start(&b);
    input.actions = 1;
    input.action[0].body = 1;
    input.action[0].kind = TAC_WRENCH_WORLD;
    input.action[0].linear = vec(1e-4, 0, 0);
    for (int i = 0; i < steps; i++) { tac_step(&m, &state, &input, &w); }
    const double gained = (double)state.twist[1].v.x + (double)state.compensation[1].v.x - 100.0;
    tap_near(gained, 1e-7 * steps, 1e-4 * 1e-7 * steps, "a push below the last digit adds up");
}

// A half-space that turns at 50 rad/s about x comes towards a ball 2 m out along y at 100 m/s: 0.1 m in a step.
static void test_turning_plane(void)
{
    tac_model_init(&m);
    m.gravity = vec(0, 0, 0);
    tac_model_add_material(&m, 0, 0);
    tac_body wall = tac_body_make(TAC_KINEMATIC, vec(0, 0, 0)), ball = tac_body_make(TAC_DYNAMIC, vec(0, 2, 0.15));
    wall.velocity.w = vec(50, 0, 0);
    tac_shape s = tac_shape_make((uint16_t)tac_model_add_body(&m, &wall), TAC_HALF_SPACE, vec(0, 0, 0));
    tac_model_add_shape(&m, &s);
    s = tac_shape_make((uint16_t)tac_model_add_body(&m, &ball), TAC_SPHERE, vec(0.1, 0, 0));
    tac_model_add_shape(&m, &s);
    begin_world(&m, &state);
    tac_step(&m, &state, NULL, &w);
    tap_equal(w.report.contacts, 1, "a turning half-space reaches as far as it moves");
    tap_near((double)state.twist[2].v.z, 50.0, TOL(1e-9, 1e-3), "and pushes the ball on just in time");
}

int main(void)
{
    test_creep();
    test_push();
    test_turning_plane();
    return tap_done();
}
