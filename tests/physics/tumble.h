// SPDX-License-Identifier: MIT
// tumble.h - bodies of every kind thrown on ground of every kind, until they lie.
//   given   ground, seed
//   makes   what must not be: energy that grows, overlap that stays, bodies that are lost, broken invariants
//   bound   the seconds asked for
//   never   restitution or recovery: energy has no way to grow but the integrator's order
// Needs: TAC_MAX_BODIES 20, TAC_MAX_SHAPES 24, TAC_MAX_CONTACTS 160, TAC_MAX_POLYHEDRA 20, TAC_MAX_POINTS 700,
// TAC_MAX_FACES 1000, TAC_MAX_EDGES 3000, TAC_MAX_HEIGHTS 400.
#ifndef TUMBLE_H
#define TUMBLE_H

#include "shapes.h"

enum { TUMBLE_BODIES = 16, TUMBLE_SAMPLES = 20, TUMBLE_CELLS = TUMBLE_SAMPLES - 1 };
enum { TUMBLE_FIELD, TUMBLE_MESH, TUMBLE_PLANE, TUMBLE_BOX, TUMBLE_HULL, TUMBLES };
static const char *const tumble_names[] = {"a bumpy field", "a bumpy mesh", "a half-space", "a box", "a hull"};

static tac_model tumble_model;
static tac_state tumble_state;
static tac_work tumble_work;

// Bumps of up to 6 cm, cells of 15 cm.
static void tumble_ground(rng *r, int ground)
{
    static const int flat[] = {0, 0, FLOOR_PLANE, FLOOR_BOX, FLOOR_HULL};
    tac_height height[TUMBLE_SAMPLES * TUMBLE_SAMPLES];
    tac_vec3 point[TUMBLE_SAMPLES * TUMBLE_SAMPLES];
    static uint16_t triangle[2 * TUMBLE_CELLS * TUMBLE_CELLS][3];
    tac_model *m = &tumble_model;
    if (ground >= TUMBLE_PLANE) {
        shapes_floor(m, flat[ground], 3.0);
        return;
    }
    for (int k = 0; k < TUMBLE_SAMPLES * TUMBLE_SAMPLES; k++) {
        const int i = k % TUMBLE_SAMPLES, j = k / TUMBLE_SAMPLES, up = (int)rng_below(r, 61);
        const int rim = i == 0 || j == 0 || i == TUMBLE_CELLS || j == TUMBLE_CELLS;
        height[k] = (tac_height)(rim ? 1500 : up); // walls, so that nothing leaves
        point[k] = vec(0.15 * i, 0.15 * j, 1e-3 * (double)height[k]);
    }
    for (int k = 0; k < TUMBLE_CELLS * TUMBLE_CELLS; k++) {
        const int at = k % TUMBLE_CELLS + k / TUMBLE_CELLS * TUMBLE_SAMPLES;
        const int corner[6] = {at, at + 1, at + TUMBLE_SAMPLES + 1, at, at + TUMBLE_SAMPLES + 1, at + TUMBLE_SAMPLES};
        for (int e = 0; e < 6; e++) { triangle[2 * k + e / 3][e % 3] = (uint16_t)corner[e]; }
    }
    solid s = {TAC_HEIGHT_FIELD, {1, 1, 1}, 0, 0.0};
    if (ground == TUMBLE_FIELD) {
        s.data = (uint16_t)tac_model_add_height_field(m, height, TUMBLE_SAMPLES, TUMBLE_SAMPLES, (tac_real)0.15,
                                               (tac_real)0.15, (tac_real)1e-3);
    } else {
        s.kind = TAC_MESH;
        s.data = (uint16_t)tac_model_add_mesh(m, point, TUMBLE_SAMPLES * TUMBLE_SAMPLES, (const uint16_t(*)[3])triangle,
                                              2 * TUMBLE_CELLS * TUMBLE_CELLS);
    }
    shapes_add(m, 0, &s, d3_make(-1.425, -1.425, 0));
}

static uint16_t tumble_hull(rng *r)
{
    tac_vec3 point[12];
    for (int i = 0; i < 12; i++) { point[i] = d3_to(dq_rotate(rng_quat(r), d3_make(rng_range(r, 0.06, 0.1), 0, 0))); }
    const int32_t index = tac_model_add_hull(&tumble_model, point, 12);
    if (index < 0) { tap_ok(0, "the hull is refused"); }
    return (uint16_t)index;
}

// A body of kind 1 .. 7 (sphere .. hull), every second one rounded, thrown from a place of its own.
static void tumble_body(rng *r, int i)
{
    const uint8_t kind = (uint8_t)(TAC_SPHERE + i % (TAC_HULL - TAC_SPHERE + 1));
    const d3 size = {rng_range(r, 0.05, 0.1), rng_range(r, 0.05, 0.1), rng_range(r, 0.05, 0.1)};
    const d3 at = {-0.75 + 0.5 * (i % 4), -0.75 + 0.5 * (i / 4), rng_range(r, 0.25, 0.5)};
    tac_model *m = &tumble_model;
    tac_body b = tac_body_make(TAC_DYNAMIC, d3_to(at));
    b.pose.q = dq_to(rng_quat(r));
    b.velocity = (tac_twist){d3_to(rng_box(r, 1.0)), d3_to(rng_box(r, 8.0))};
    const uint16_t index = (uint16_t)tac_model_add_body(m, &b);
    solid s = {kind, size, 0, i % 4 == 3 && kind >= TAC_BOX ? 0.01 : 0.0};
    if (kind == TAC_HULL) { s.data = tumble_hull(r); }
    shapes_add(m, index, &s, d3_make(0, 0, 0));
    if (tac_model_mass_from_shapes(m, index, (tac_real)1000) != TAC_OK) { tap_ok(0, "no mass"); }
}

typedef struct tumble {
    double gained;      // J      most energy above the least so far
    double at_start;    // J
    double penetration; // m      deepest after the landing
    double kinetic;     // J      at the end
    int broken;         //        steps whose invariants do not hold
    int lost;           //        bodies below the ground at the end, or beyond its rim
    int dropped, unconverged, relaxed;
    int contacts; //        most
} tumble;

static void tumble_build(int ground, uint64_t seed, double h)
{
    rng r = {seed};
    tac_model_init(&tumble_model);
    tumble_model.h = (tac_real)h;
    tac_model_add_material(&tumble_model, (tac_real)0.5, 0);
    tumble_ground(&r, ground);
    for (int i = 0; i < TUMBLE_BODIES; i++) { tumble_body(&r, i); }
    begin_world(&tumble_model, &tumble_state);
}

static tumble tumble_run(int ground, uint64_t seed, double h, double seconds)
{
    tumble r = {0};
    tac_real kinetic, potential;
    tumble_build(ground, seed, h);
    tac_energy(&tumble_model, &tumble_state, &kinetic, &potential);
    double least = r.at_start = (double)kinetic + (double)potential;
    for (int k = 0; k * h < seconds; k++) {
        const tac_status status = shapes_step(&tumble_model, &tumble_state, NULL, &tumble_work);
        const tac_report *report = &tumble_work.report;
        const double energy = (double)report->kinetic + (double)report->potential;
        r.gained = d_max(r.gained, energy - least);
        least = d_min(least, energy);
        r.penetration = d_max(r.penetration, (double)report->penetration);
        r.broken += tac_check(&tumble_model, &tumble_state, &tumble_work, NULL) != TAC_OK;
        r.unconverged += (status & TAC_UNCONVERGED) != 0;
        r.relaxed += (status & TAC_RELAXED) != 0;
        r.dropped += report->dropped;
        r.contacts = report->contacts > r.contacts ? report->contacts : r.contacts;
    }
    r.kinetic = (double)tumble_work.report.kinetic;
    for (int i = 1; i <= TUMBLE_BODIES; i++) {
        const d3 p = d3_of(tumble_state.pose[i].p);
        r.lost += p.z < 0.0 || d_abs(p.x) > 3.0 || d_abs(p.y) > 3.0;
    }
    return r;
}

#endif
