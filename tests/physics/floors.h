// SPDX-License-Identifier: MIT
// floors.h - one box of 0.1 m and 1 kg (S2, S2d), as box and as hull, on the floor as half-space, box, hull, mesh and
// field: what it does when gravity is tilted, and what carries it at rest.
//   given   floor, body, slope
//   makes   creep, acceleration, hop, lean; the contacts at rest
//   bound   the steps asked for
//   never   judges: floors.c and figures do
#ifndef FLOORS_H
#define FLOORS_H

#include "shapes.h"

#define FLOORS_MU 0.5
#define FLOORS_G 9.81
#define FLOORS_REACH 8.0 // m: half the floor

enum { BODY_BOX, BODY_HULL, BODIES };
static const char *const floors_bodies[] = {"a box", "a hull"};

static tac_model floors_model;
static tac_state floors_state;
static tac_work floors_work;

// The world at a slope of `angle` (rad) along x, or at 45 degrees to the edges.
static void floors_build(int floor, int body, double angle, int diagonal)
{
    const d3 half = {0.05, 0.05, 0.05};
    const double c = diagonal ? d_sqrt(0.5) : 1.0, pull = FLOORS_G * d_sin(angle);
    tac_model *m = &floors_model;
    tac_model_init(m);
    tac_model_add_material(m, (tac_real)FLOORS_MU, 0);
    m->gravity = vec(c * pull, diagonal ? c * pull : 0.0, -FLOORS_G * d_cos(angle));
    shapes_floor(m, floor, FLOORS_REACH);
    solid s = {TAC_BOX, half, 0, 0.0};
    if (body == BODY_HULL) {
        s.kind = TAC_HULL;
        s.data = shapes_box_hull(m, half);
    }
    shapes_body(m, &s, 1.0, d3_make(0, 0, 0.05), SHAPES_UPRIGHT);
    begin_world(m, &floors_state);
}

static void floors_step(uint32_t count)
{
    for (uint32_t k = 0; k < count; k++) { shapes_step(&floors_model, &floors_state, NULL, &floors_work); }
}

static double floors_along(int diagonal)
{
    const d3 v = d3_of(floors_state.twist[1].v);
    return diagonal ? d_sqrt(0.5) * (v.x + v.y) : v.x;
}

typedef struct slide {
    double gain;         // m/s    in the second half
    double creep;        // m/s    mean speed there, from the displacement
    double acceleration; // 1      relative error against g (sin - mu cos)
    double hop;          // m      of the centre, up or down
    double lean;         // rad
    double sideways;     // m/s
} slide;

// `half` steps, then as many that count.
static slide floors_slide(int floor, int body, double degrees, int diagonal, uint32_t half)
{
    const double angle = degrees * TRUTH_PI / 180.0, truth = FLOORS_G * (d_sin(angle) - FLOORS_MU * d_cos(angle));
    slide r = {0};
    floors_build(floor, body, angle, diagonal);
    floors_step(half);
    const double before = floors_along(diagonal), time = 0.001 * half;
    const d3 from = d3_of(floors_state.pose[1].p);
    for (uint32_t k = 0; k < half; k++) {
        floors_step(1);
        const dq q = dq_of(floors_state.pose[1].q);
        const d3 v = d3_of(floors_state.twist[1].v);
        d_worst(&r.hop, (double)floors_state.pose[1].p.z - 0.05);
        d_worst(&r.lean, 2.0 * d_sqrt(q.x * q.x + q.y * q.y + q.z * q.z));
        d_worst(&r.sideways, diagonal ? d_sqrt(0.5) * (v.x - v.y) : v.y);
    }
    r.gain = floors_along(diagonal) - before;
    r.creep = d3_norm(d3_sub(d3_of(floors_state.pose[1].p), from)) / time;
    r.acceleration = r.gain / time / truth - 1.0;
    return r;
}

// ------------------------------------------------------------------------------------------------------ at rest

typedef struct support {
    int count;
    d3 point[4], force[4]; // m, N
} support;

// The contacts after `steps` on a slope on which the box sticks.
static support floors_rest(int floor, int body, double degrees, int diagonal, uint32_t steps)
{
    support s = {0};
    floors_build(floor, body, degrees * TRUTH_PI / 180.0, diagonal);
    floors_step(steps);
    for (int i = 0; i < floors_work.report.contacts && i < 4; i++) {
        const tac_contact *c = &floors_work.contact[i];
        const d3 g = d3_of(c->impulse);
        const d3 f = d3_add(d3_scale(g.x, d3_of(c->n)), d3_add(d3_scale(g.y, d3_of(c->u)), d3_scale(g.z, d3_of(c->w))));
        s.point[i] = d3_of(c->point);
        s.force[i] = d3_scale(1000.0, f);
    }
    s.count = floors_work.report.contacts;
    return s;
}

typedef struct difference {
    double place;  // m     of the points
    double each;   // N     of the force on each of them: four points carry a box in more ways than one
    double force;  // N     of their sum
    double torque; // N m  of theirs about the origin
} difference;

static difference floors_compare(const support *a, const support *b)
{
    d3 force = {0, 0, 0}, torque = {0, 0, 0};
    difference d = {0};
    if (a->count != b->count) { d.place = 1e30; }
    for (int i = 0; i < a->count && i < 4; i++) {
        int nearest = 0;
        for (int j = 1; j < b->count && j < 4; j++) {
            const double far = d3_norm(d3_sub(b->point[j], a->point[i]));
            if (far < d3_norm(d3_sub(b->point[nearest], a->point[i]))) { nearest = j; }
        }
        const d3 more = d3_sub(b->force[nearest], a->force[i]);
        d_worst(&d.place, d3_norm(d3_sub(b->point[nearest], a->point[i])));
        d_worst(&d.each, d3_norm(more));
        force = d3_add(force, more);
        torque =
            d3_add(torque, d3_sub(d3_cross(b->point[nearest], b->force[nearest]), d3_cross(a->point[i], a->force[i])));
    }
    d.force = d3_norm(force);
    d.torque = d3_norm(torque);
    return d;
}

#endif
