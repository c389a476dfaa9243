// SPDX-License-Identifier: MIT
// What an input does: wrenches in both frames and at a point, kinematic bodies that carry others.
#include "begin.h"
#include "scenes.h"
#include "truth.h"

static tac_model m;
static tac_state state;
static tac_work w;
static tac_input input;

static void begin(void)
{
    begin_world(&m, &state);
    input.actions = 0;
}

static void act(uint16_t kind, d3 linear, d3 angular, d3 at)
{
    input.action[input.actions++] = (tac_action){d3_to(linear), d3_to(angular), d3_to(at), 1, kind};
}

static const d3 NONE = {0, 0, 0};

// A free body of 2 kg and inertia 1, 2, 4 (3 to be a ball's where that matters), turned a quarter about z.
static void free_body(d3 inertia)
{
    tac_model_init(&m);
    m.gravity = vec(0, 0, 0);
    m.h = (tac_real)0.0625;
    tac_body b = tac_body_make(TAC_DYNAMIC, vec(0, 0, 0));
    b.mass = 2;
    b.inertia = d3_to(inertia);
    b.pose.q = dq_to(dq_about(d3_make(0, 0, 1), 0.5 * TRUTH_PI));
    tac_model_add_body(&m, &b);
    begin();
}

static void expect(d3 v, d3 rate, const char *name)
{
    if (tac_step(&m, &state, &input, &w) < 0) { tap_ok(0, "step refused"); }
    tap_most(d3_norm(d3_sub(d3_of(state.twist[1].v), v)), TOL(1e-14, 1e-6), tap_joined("velocity:", name));
    tap_most(d3_norm(d3_sub(world_rate(&state, 1), rate)), TOL(1e-14, 1e-6), tap_joined("rate:", name));
}

static void test_wrenches(void)
{
    const d3 round = d3_make(3, 3, 3);
    const double h = 0.0625;
    free_body(round);
    act(TAC_WRENCH_WORLD, d3_make(4, 0, 0), d3_make(0, 6, 0), NONE);
    expect(d3_make(2 * h, 0, 0), d3_make(0, 2 * h, 0), "force and torque of the world");

    free_body(round);
    act(TAC_WRENCH_BODY, d3_make(4, 0, 0), d3_make(0, 6, 0), NONE);
    expect(d3_make(0, 2 * h, 0), d3_make(-2 * h, 0, 0), "force and torque of the body, which is turned");

    free_body(round);
    act(TAC_WRENCH_WORLD, d3_make(4, 0, 0), NONE, d3_make(0, 1.5, 0));
    expect(d3_make(2 * h, 0, 0), d3_make(0, 0, -2 * h), "force of the world at a point of the world");

    free_body(round);
    act(TAC_WRENCH_BODY, d3_make(4, 0, 0), NONE, d3_make(0, 1.5, 0));
    expect(d3_make(0, 2 * h, 0), d3_make(0, 0, -2 * h), "force of the body at a point of the body");

    free_body(round);
    act(TAC_WRENCH_WORLD, d3_make(4, 0, 0), NONE, NONE);
    act(TAC_WRENCH_BODY, d3_make(0, 4, 0), d3_make(0, 0, 3), NONE);
    act(TAC_WRENCH_WORLD, d3_make(0, 0, 2), NONE, NONE);
    expect(d3_make(0, 0, h), d3_make(0, 0, h), "several wrenches add up");

    free_body(d3_make(1, 2, 2.5));
    act(TAC_WRENCH_BODY, NONE, d3_make(0, 4, 0), NONE);
    expect(NONE, d3_make(-2 * h, 0, 0), "a torque about a principal axis meets its moment");

    free_body(round);
    input.actions = 0;
    expect(NONE, NONE, "an empty input does nothing");
}

// A belt below a box at rest: friction gives mu g until they move together, exactly.
static void test_belt(void)
{
    const double mu = 0.5, g = 9.81, h = 0.002, speed = 0.5;
    tac_model_init(&m);
    m.h = (tac_real)h;
    tac_model_add_material(&m, (tac_real)mu, 0);
    tac_body b = tac_body_make(TAC_KINEMATIC, vec(0, 0, -0.1));
    tac_model_add_body(&m, &b);
    b = tac_body_make(TAC_DYNAMIC, vec(0, 0, 0.1));
    b.inertia = vec(0.02 / 3, 0.02 / 3, 0.02 / 3);
    tac_model_add_body(&m, &b);
    tac_shape s = tac_shape_make(1, TAC_BOX, vec(4, 1, 0.1));
    tac_model_add_shape(&m, &s);
    s = tac_shape_make(2, TAC_BOX, vec(0.1, 0.1, 0.1));
    tac_model_add_shape(&m, &s);
    begin();
    act(TAC_VELOCITY, d3_make(speed, 0, 0), NONE, NONE);
    double worst = 0.0, height = 0.0;
    const int steps = RUN(200, 60);
    for (int k = 1; k <= steps; k++) {
        tac_step(&m, &state, &input, &w);
        d_worst(&worst, (double)state.twist[2].v.x - d_min(mu * g * h * k, speed));
        d_worst(&height, (double)state.pose[2].p.z - 0.1);
    }
    tap_near(state.twist[1].v.x, speed, TOL(1e-15, 1e-7), "a kinematic body takes its target");
    tap_near(state.pose[1].p.x, speed * h * steps, TOL(1e-12, 1e-5), "and moves with it");
    tap_most(worst, TOL(1e-9, 1e-5), "a belt drags a box with mu g until it keeps up");
    tap_most(height, TOL(1e-9, 1e-5), "which stays on it");
    m.body[2].velocity.v.x = (tac_real)0.25;
    m.body[1].velocity.v.x = (tac_real)0.125;
    begin();
    tac_step(&m, &state, NULL, &w);
    tap_near(state.pose[1].p.x, 0.125 * h, TOL(1e-15, 1e-9), "without a target it keeps its initial velocity");
}

// The conveyor's table turns; nothing slips below sqrt(mu g / r), so its boxes keep their places on it.
static void test_table(void)
{
    const scene *s = scene_find("conveyor");
    s->build(&m);
    begin();
    d3 start[4];
    dq turned[4];
    for (int i = 2; i < 5; i++) {
        start[i - 1] = d3_of(state.pose[i].p);
        turned[i - 1] = dq_of(state.pose[i].q);
    }
    for (uint32_t k = 0; k < RUN(1000, 60); k++) {
        input.actions = 0;
        s->drive(&m, k, &input);
        if (tac_step(&m, &state, &input, &w) < 0) { tap_ok(0, "step refused"); }
    }
    const dq table = dq_of(state.pose[1].q);
    const d3 centre = d3_of(state.pose[1].p);
    double moved = 0.0, twisted = 0.0;
    for (int i = 2; i < 5; i++) {
        const d3 local = dq_rotate(dq_conjugate(table), d3_sub(d3_of(state.pose[i].p), centre));
        const dq relative = dq_mul(dq_conjugate(table), dq_of(state.pose[i].q));
        const dq since = dq_mul(relative, dq_conjugate(turned[i - 1]));
        d_worst(&moved, d3_norm(d3_sub(local, d3_sub(start[i - 1], d3_make(0, 0, -0.05)))));
        d_worst(&twisted, 2.0 * d_sqrt(since.x * since.x + since.y * since.y + since.z * since.z));
    }
    const double angle = 2.0 * d_sqrt(table.z * table.z);
    tap_least(angle, RUN(0.5, 0.0), "the table has turned");
    tap_note("boxes moved on the table, m", moved);
    tap_most(moved, 2e-3, "its boxes have kept their places");
    tap_most(twisted, 2e-3, "and turned with it");
}

// Pushing with less than mu m g does not move a box, however long; with more it moves with the rest.
static void test_push(void)
{
    for (int more = 0; more < 2; more++) {
        tac_model_init(&m);
        m.h = (tac_real)0.002;
        tac_model_add_material(&m, (tac_real)0.5, 0);
        tac_shape s = tac_shape_make(0, TAC_HALF_SPACE, vec(0, 0, 0));
        tac_model_add_shape(&m, &s);
        tac_body b = tac_body_make(TAC_DYNAMIC, vec(0, 0, 0.05));
        b.inertia = vec(0.01, 0.01, 0.01);
        tac_model_add_body(&m, &b);
        s = tac_shape_make(1, TAC_BOX, vec(0.1, 0.1, 0.05));
        tac_model_add_shape(&m, &s);
        begin();
        const double force = 0.5 * 9.81 * (more ? 1.1 : 0.9), steps = RUN(200, 60);
        act(TAC_WRENCH_WORLD, d3_make(0.6 * force, 0.8 * force, 0), NONE, NONE);
        for (int k = 0; k < (int)steps; k++) { tac_step(&m, &state, &input, &w); }
        const double v = d3_norm(d3_of(state.twist[1].v)), truth = more ? 0.05 * 9.81 * 0.002 * steps : 0.0;
        tap_near(v, truth, TOL(1e-9, 1e-5),
                 more ? "a push beyond friction moves a box by the rest" : "a push below friction does nothing");
    }
}

int main(void)
{
    test_wrenches();
    test_belt();
    test_table();
    test_push();
    return tap_done();
}
