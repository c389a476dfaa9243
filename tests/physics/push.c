// SPDX-License-Identifier: MIT
// config: all
// variants: gcc-O2-32 gcc-O2-64
// A finger on a rail is to push a box that it does not touch: without smoothing no effort changes what happens to the
// box, so iterative LQR ends where it began; with it the box is pushed to its goal and stops there, whatever the
// smoothing in a wide range, since the last passes have none.
#include "begin.h"
#include "truth.h"

enum { STEPS = 60, X = 14, U = 7 };

static tac_model m;
static tac_state s, trajectory[TAC_ILQR_STATES(STEPS)];
static tac_work w;
static tac_lcp lcp;
static tac_input input;
static tac_real value[STEPS], memory[TAC_ILQR_NUMBERS(X, U, 1, STEPS, 8)];
static tac_real goal[3] = {(tac_real)0.6, 0, (tac_real)0.1};
static const tac_channel channel = {.low = -20, .high = 20, .joint = 0, .kind = TAC_MOTOR_EFFORT};
static const tac_table target = {goal, 0, 1, 1, 3, TAC_TABLE_HOLD, 0};
#define BOX                                                                                                            \
    {                                                                                                                  \
        .body = 2, .pose.q.w = 1                                                                                       \
    }
static const tac_cost_term term[] = {
    {.kind = TAC_COST_POSITION, .weight = 1, .terminal = 500, .frame = BOX, .target = &target},
    {.kind = TAC_COST_VELOCITY, .terminal = 5, .frame = BOX},
    {.kind = TAC_COST_RATE, .weight = (tac_real)0.01, .terminal = (tac_real)0.1, .count = 1},
    {.kind = TAC_COST_EFFORT, .weight = (tac_real)0.005, .count = 1}};
static const tac_cost cost = {term, 0, 4};

static void body(double x, double mass, double moment)
{
    tac_body b = tac_body_make(TAC_DYNAMIC, d3_to(d3_make(x, 0, 0.1)));
    b.mass = (tac_real)mass;
    b.inertia = d3_to(d3_make(moment, moment, moment));
    tac_model_add_body(&m, &b);
}

// A ball on a slide along x, and a box on the ground so far before it.
static void build(double gap)
{
    const tac_real half = (tac_real)0.70710678118654752;
    tac_joint j;
    tac_model_init(&m);
    m.h = (tac_real)0.01;
    m.gravity = vec(0, 0, -9.81);
    m.options.margin = (tac_real)0.1;
    tac_model_add_material(&m, (tac_real)0.3, 0);
    body(0, 0.5, 0.001);
    body(0.13 + gap, 1, 0.0067);
    tac_joint_init(&j, TAC_PRISMATIC, 0, 1);
    j.frame_a.q = j.frame_b.q = (tac_quat){half, 0, half, 0};
    j.frame_a.p = vec(0, 0, 0.1);
    tac_model_add_joint(&m, &j);
    tac_shape shape = tac_shape_make(0, TAC_HALF_SPACE, vec(1, 1, 1));
    tac_model_add_shape(&m, &shape);
    shape = tac_shape_make(1, TAC_SPHERE, vec(0.03, 0.03, 0.03));
    tac_model_add_shape(&m, &shape);
    shape = tac_shape_make(2, TAC_BOX, vec(0.1, 0.1, 0.1));
    tac_model_add_shape(&m, &shape);
    begin_world(&m, &s);
}

// The part of the cost of no efforts that is left, and where the box ends.
static double planned(double gap, double smoothing, double *end)
{
    static tac_state rolled;
    tac_plan plan = {&channel, value, 0, 0, STEPS, 1, TAC_TABLE_HOLD};
    build(gap);
    plan.spacing = m.h;
    for (int k = 0; k < STEPS; k++) { value[k] = 0; }
    tac_lcp_init(&lcp);
    tac_ilqr a = {.model = &m, .cost = &cost, .plan = &plan, .trajectory = trajectory, .lcp = &lcp, .memory = memory};
    a.room = sizeof memory / sizeof *memory, a.steps = STEPS, a.iterations = 100;
    a.smoothing = (tac_real)smoothing;
    tap_equal(tac_ilqr_begin(&a, &s, &w, NULL), TAC_OK, "begins");
    tap_equal(tac_ilqr_run(&a, &w, UINT32_MAX), TAC_OK, "ends");
    tap_note("passes", a.iteration);
    tap_ok(a.smooth == 0, "the last pass had no smoothing");
    truth_copy(&rolled, &s, sizeof s);
    for (int k = 0; k < STEPS; k++) {
        tac_plan_evaluate(&plan, (tac_real)k * m.h, 0, &input);
        tac_step(&m, &rolled, &input, &w);
    }
    *end = (double)rolled.pose[2].p.x;
    return (double)a.least / (double)a.nominal;
}

int main(void)
{
    static const double gaps[] = {0.02, 0.05, 0.08}, smoothings[] = {0.1, 1, 10};
    double end;
    tap_ok(planned(0.05, 0, &end) == 1.0, "without smoothing nothing leads there");
    for (int i = 0; i < 3; i++) {
        tap_most(planned(gaps[i], smoothings[i], &end), 0.02, "with it a fiftieth of the cost is left");
        tap_most(d_abs(end - 0.6), 0.01, "and the box is where it is to be");
    }
    return tap_done();
}
