// SPDX-License-Identifier: MIT
// wall.h - a wall of 100 bricks (S5): 10 rows of 10, h = 5 ms, 50 sweeps.
//   given   seconds
//   makes   the largest displacement of any brick, what is left of motion
//   bound   200 steps a second
//   never   cares where the wall ends: its bricks stand half a millimetre to 2 mm apart in their rows
// Needs: TAC_MAX_BODIES 100, TAC_MAX_SHAPES 101, TAC_MAX_CONTACTS 1600.
#ifndef WALL_H
#define WALL_H

#include "shapes.h"

enum { WALL_ROWS = 10, WALL_BRICKS = 100 };

static tac_model wall_model;
static tac_state wall_state;
static tac_work wall_work;

typedef struct wall {
    double moved;       // m      largest displacement of any brick
    double kinetic;     // J      at the end
    double penetration; // m      deepest
    double sweeps;      // a step
    int contacts;       //        most
    int unconverged;    //        steps
    int dropped;
} wall;

static d3 wall_place(int brick)
{
    const int row = brick / WALL_ROWS;
    return d3_make(0.402 * (brick % WALL_ROWS) + (row & 1 ? 0.1 : 0.0), 0, 0.1 + 0.2 * row);
}

static void wall_build(uint8_t kind)
{
    tac_model *m = &wall_model;
    solid s = {kind, {0.2, 0.1, 0.1}, 0, 0.0};
    tac_model_init(m);
    m->h = (tac_real)0.005;
    tac_model_add_material(m, (tac_real)0.5, 0);
    shapes_floor(m, FLOOR_PLANE, 1.0);
    if (kind == TAC_HULL) { s.data = shapes_box_hull(m, s.size); }
    for (int i = 0; i < WALL_BRICKS; i++) { shapes_body(m, &s, 1.0, wall_place(i), SHAPES_UPRIGHT); }
    begin_world(m, &wall_state);
}

static wall wall_stand(uint8_t kind, double seconds)
{
    wall r = {0};
    int steps = 0;
    wall_build(kind);
    for (; steps * 0.005 < seconds; steps++) {
        const tac_status status = shapes_step(&wall_model, &wall_state, NULL, &wall_work);
        for (int i = 0; i < WALL_BRICKS; i++) {
            d_worst(&r.moved, d3_norm(d3_sub(d3_of(wall_state.pose[i + 1].p), wall_place(i))));
        }
        d_worst(&r.penetration, (double)wall_work.report.penetration);
        r.sweeps += wall_work.report.sweeps;
        r.contacts = wall_work.report.contacts > r.contacts ? wall_work.report.contacts : r.contacts;
        r.unconverged += (status & TAC_UNCONVERGED) != 0;
        r.dropped += wall_work.report.dropped;
    }
    r.kinetic = (double)wall_work.report.kinetic;
    r.sweeps /= steps;
    return r;
}

#endif
