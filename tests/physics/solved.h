// SPDX-License-Identifier: MIT
// solved.h - worlds that tell solvers apart: stacks, masses from 0.1 kg to a tonne, a wall, a heap of balls, boxes that
// tumble, slide and spin.
//   given   a world, a solver, sweeps
//   makes   drift, penetration, residuals, sweeps, in which steps something was given up
//   bound   the steps asked for
//   never   judges
// Needs: TAC_MAX_BODIES 100, TAC_MAX_SHAPES 106, TAC_MAX_CONTACTS 1000.
#ifndef SOLVED_H
#define SOLVED_H

#include "begin.h"
#include "truth.h"

static tac_model solved_model;
static tac_state solved_state, solved_first;
static tac_work solved_work;

// ------------------------------------------------------------------------------------------------------------ worlds

static void solved_ground(double h, uint8_t solver, uint16_t sweeps)
{
    tac_model_init(&solved_model);
    solved_model.h = (tac_real)h;
    solved_model.options.solver = solver;
    solved_model.options.max_sweeps = sweeps;
    tac_model_add_material(&solved_model, (tac_real)0.5, 0);
    const tac_shape s = tac_shape_make(0, TAC_HALF_SPACE, vec(0, 0, 0));
    tac_model_add_shape(&solved_model, &s);
}

static void solved_side(double x, double y, tac_quat q)
{
    tac_shape s = tac_shape_make(0, TAC_HALF_SPACE, vec(0, 0, 0));
    s.pose.p = vec(x, y, 0);
    s.pose.q = q;
    tac_model_add_shape(&solved_model, &s);
}

static tac_body *solved_brick(d3 at, double mass, d3 half)
{
    tac_body b = tac_body_make(TAC_DYNAMIC, d3_to(at));
    const d3 s = {half.x * half.x, half.y * half.y, half.z * half.z};
    b.mass = (tac_real)mass;
    b.inertia = vec(mass / 3 * (s.y + s.z), mass / 3 * (s.x + s.z), mass / 3 * (s.x + s.y));
    const int32_t index = tac_model_add_body(&solved_model, &b);
    const tac_shape shape = tac_shape_make((uint16_t)index, TAC_BOX, d3_to(half));
    tac_model_add_shape(&solved_model, &shape);
    return &solved_model.body[index];
}

// Unit cubes on each other; `even` and `odd` the masses from below, `top` that of the last.
static void solved_stack(int cubes, double even, double odd, double top)
{
    for (int i = 0; i < cubes; i++) {
        solved_brick(d3_make(0, 0, 0.5 + i), i == cubes - 1 ? top : (i & 1 ? odd : even), d3_make(0.5, 0.5, 0.5));
    }
}

static void solved_wall(void)
{
    for (int i = 0; i < 100; i++) {
        const int row = i / 10;
        solved_brick(d3_make(0.402 * (i % 10) + 0.1 * (row & 1), 0, 0.1 + 0.2 * row), 1, d3_make(0.2, 0.1, 0.1));
    }
}

// Balls of 0.05 m in a square shaft, `side` by `side` in a layer.
static void solved_heap(int balls, int side)
{
    rng r = {12345};
    const double c = d_sqrt(0.5), radius = 0.05, mass = 0.5236, half = 0.0588 * side + 0.0236;
    solved_side(-half, 0, (tac_quat){(tac_real)c, 0, (tac_real)c, 0});
    solved_side(half, 0, (tac_quat){(tac_real)c, 0, (tac_real)-c, 0});
    solved_side(0, -half, (tac_quat){(tac_real)c, (tac_real)-c, 0, 0});
    solved_side(0, half, (tac_quat){(tac_real)c, (tac_real)c, 0, 0});
    for (int i = 0; i < balls; i++) {
        const double x = 0.1176 * (i % side - 0.5 * (side - 1)), y = 0.1176 * (i / side % side - 0.5 * (side - 1));
        const d3 at = d3_add(d3_make(x, y, 0.06 + 0.115 * (i / (side * side))), rng_box(&r, 0.002));
        tac_body b = tac_body_make(TAC_DYNAMIC, d3_to(at));
        b.mass = (tac_real)mass;
        b.inertia = vec(0.4 * mass * radius * radius, 0.4 * mass * radius * radius, 0.4 * mass * radius * radius);
        const tac_shape s =
            tac_shape_make((uint16_t)tac_model_add_body(&solved_model, &b), TAC_SPHERE, vec(radius, 0, 0));
        tac_model_add_shape(&solved_model, &s);
    }
}

static void solved_toss(void)
{
    tac_body *b = solved_brick(d3_make(0, 0, 0.9), 1, d3_make(0.5, 0.5, 0.5));
    b->pose.q = dq_to(dq_about(d3_make(1, 0.3, 0), 0.5));
    b->velocity = (tac_twist){vec(2, 1, 0), vec(1, 2, 3)};
}

static void solved_tumble(void)
{
    rng r = {3};
    for (int i = 0; i < 12; i++) {
        const d3 at = d3_make(0.3 * (i % 3), 0.3 * (i / 3 % 2), 0.4 + 0.4 * (i / 3));
        tac_body *b = solved_brick(d3_add(at, rng_box(&r, 0.05)), 1, d3_make(0.15, 0.1, 0.12));
        b->pose.q = dq_to(rng_quat(&r));
    }
}

static void solved_slide(void)
{
    solved_stack(3, 1, 1, 1);
    for (int i = 1; i < 4; i++) { solved_model.body[i].velocity.v = vec(4, 1, 0); }
}

static void solved_spin(void)
{
    for (int i = 0; i < 8; i++) {
        tac_body *b = solved_brick(d3_make(2 * i, 0, 0.5), 1, d3_make(0.5, 0.5, 0.5));
        b->velocity = (tac_twist){vec(0, 3, 0), vec(0, 0, 2)};
    }
}

// -------------------------------------------------------------------------------------------------------------- runs

enum {
    SOLVED_TEN,
    SOLVED_TONNE,
    SOLVED_THIRTY,
    SOLVED_TURNS,
    SOLVED_WALL,
    SOLVED_HEAP,
    SOLVED_BALLS,
    SOLVED_TOSS,
    SOLVED_TUMBLE,
    SOLVED_SLIDE,
    SOLVED_SPIN,
    SOLVED_HEAVY,
    SOLVED_WORLDS
};
static const char *const solved_names[SOLVED_WORLDS] = {
    "ten cubes", "a tonne on nine", "thirty cubes", "0.1 and 10 kg in turn", "a wall",         "36 balls",
    "98 balls",  "a cube tossed",   "12 tumbling",  "three sliding",         "eight spinning", "10 tonnes on nine"};

static void solved_build(int world, uint8_t solver, uint16_t sweeps)
{
    const double h = world == SOLVED_TURNS ? 1e-2 : (world == SOLVED_TUMBLE ? 2e-3 : 5e-3);
    solved_ground(h, solver, sweeps);
    switch (world) {
    case SOLVED_TEN:
        solved_stack(10, 1, 1, 1);
        break;
    case SOLVED_TONNE:
        solved_stack(10, 1, 1, 1000);
        break;
    case SOLVED_THIRTY:
        solved_stack(30, 1, 1, 1);
        break;
    case SOLVED_TURNS:
        solved_stack(5, 0.1, 10, 0.1);
        break;
    case SOLVED_WALL:
        solved_wall();
        break;
    case SOLVED_HEAP:
        solved_heap(36, 3);
        break;
    case SOLVED_BALLS:
        solved_heap(98, 4);
        break;
    case SOLVED_TOSS:
        solved_toss();
        break;
    case SOLVED_TUMBLE:
        solved_tumble();
        break;
    case SOLVED_HEAVY:
        solved_stack(10, 1, 1, 10000);
        break;
    case SOLVED_SLIDE:
        solved_slide();
        break;
    default:
        solved_spin();
        break;
    }
}

typedef struct solved {
    double drift;       // m  largest, of any body
    double penetration; // m  deepest in the last tenth
    double residual;    //    largest
    double sweeps;      //    a step
    int swept, relaxed, unconverged;
    int unsound; //    steps refused, or whose invariants do not hold
} solved;

static solved solved_run(uint32_t steps)
{
    solved o = {0};
    begin_world(&solved_model, &solved_state);
    truth_copy(&solved_first, &solved_state, sizeof solved_first);
    for (uint32_t k = 0; k < steps; k++) {
        const tac_status status = tac_step(&solved_model, &solved_state, NULL, &solved_work);
        o.unsound += status < 0 || tac_check(&solved_model, &solved_state, &solved_work, NULL) != TAC_OK;
        for (uint16_t i = 1; i < solved_model.bodies; i++) {
            d_worst(&o.drift, d3_norm(d3_sub(d3_of(solved_state.pose[i].p), d3_of(solved_first.pose[i].p))));
        }
        if (k >= steps * 9 / 10) { d_worst(&o.penetration, (double)solved_work.report.penetration); }
        d_worst(&o.residual, (double)solved_work.report.residual);
        o.sweeps += (double)solved_work.report.sweeps / steps;
        o.swept += (status & TAC_SWEPT) != 0;
        o.relaxed += (status & TAC_RELAXED) != 0;
        o.unconverged += (status & TAC_UNCONVERGED) != 0;
    }
    return o;
}

#endif
