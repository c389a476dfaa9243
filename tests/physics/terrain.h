// SPDX-License-Identifier: MIT
// terrain.h - bodies that slide or roll 10 m over a flat floor made of 50 x 50 samples or of some 4800 triangles,
// beside the same body on a half-space.
//   given   what moves, what it moves on
//   makes   the largest differences of velocity and height between the two
//   bound   the steps that 10 m take
//   never   looks at the contacts: inner edges must not be felt, however they are found
// Needs: TAC_MAX_POLYHEDRA 2, TAC_MAX_POINTS 2600, TAC_MAX_FACES 5000, TAC_MAX_EDGES 15000, TAC_MAX_HEIGHTS 2500.
#ifndef TERRAIN_H
#define TERRAIN_H

#include "shapes.h"

enum { TERRAIN_SAMPLES = 50, TERRAIN_CELLS = TERRAIN_SAMPLES - 1 };
#define TERRAIN_CELL 0.25

enum { TERRAIN_FIELD, TERRAIN_REGULAR, TERRAIN_IRREGULAR, TERRAINS };
static const char *const terrain_names[] = {"a field", "a regular mesh", "an irregular mesh"};

typedef struct mover {
    const char *name;
    solid shape;
    dq pose;
    d3 rate;       // rad/s   in the world, at 1 m/s along x
    double height; // m       of the centre
    double mu;
} mover;

#define TERRAIN_LYING                                                                                                  \
    {                                                                                                                  \
        0.70710678118654752440, 0.70710678118654752440, 0, 0                                                           \
    }
#define TERRAIN_MOVERS 9
static const mover terrain_movers[TERRAIN_MOVERS] = {
    {"a box slides", {TAC_BOX, {0.1, 0.08, 0.05}, 0, 0}, {1, 0, 0, 0}, {0, 0, 0}, 0.05, 0.1},
    {"a turned box slides", {TAC_BOX, {0.1, 0.08, 0.05}, 0, 0}, {0.96, 0, 0, 0.28}, {0, 0, 0}, 0.05, 0.1},
    {"a sphere rolls", {TAC_SPHERE, {0.1, 0, 0}, 0, 0}, {1, 0, 0, 0}, {0, 10, 0}, 0.1, 0.5},
    {"a capsule rolls", {TAC_CAPSULE, {0.1, 0, 0.1}, 0, 0}, TERRAIN_LYING, {0, 10, 0}, 0.1, 0.5},
    {"a capsule slides",
     {TAC_CAPSULE, {0.1, 0, 0.1}, 0, 0},
     {0.70710678118654752440, 0, 0.70710678118654752440, 0},
     {0, 0, 0},
     0.1,
     0.1},
    {"a cylinder slides upright", {TAC_CYLINDER, {0.1, 0, 0.05}, 0, 0}, {1, 0, 0, 0}, {0, 0, 0}, 0.05, 0.1},
    {"a cylinder rolls", {TAC_CYLINDER, {0.1, 0, 0.1}, 0, 0}, TERRAIN_LYING, {0, 10, 0}, 0.1, 0.5},
    {"a rounded box slides", {TAC_BOX, {0.09, 0.07, 0.04}, 0, 0.01}, {1, 0, 0, 0}, {0, 0, 0}, 0.05, 0.1},
    {"a hull slides", {TAC_HULL, {0.1, 0.08, 0.05}, 0, 0}, {0.96, 0, 0, 0.28}, {0, 0, 0}, 0.05, 0.1},
};

static tac_model terrain_model, terrain_truth;
static tac_state terrain_state, terrain_flat;
static tac_work terrain_work;

// Samples as points of a mesh; those inside are moved by up to a fifth of a cell, and diagonals run either way.
static void terrain_mesh(tac_model *m, int irregular, const tac_height *bumps, double scale)
{
    static tac_vec3 point[TERRAIN_SAMPLES * TERRAIN_SAMPLES];
    static uint16_t triangle[2 * TERRAIN_CELLS * TERRAIN_CELLS][3];
    rng r = {7};
    const double most = irregular ? 0.2 * TERRAIN_CELL : 0.0;
    for (int k = 0; k < TERRAIN_SAMPLES * TERRAIN_SAMPLES; k++) {
        const int i = k % TERRAIN_SAMPLES, j = k / TERRAIN_SAMPLES;
        const d3 moved = rng_box(&r, most);
        point[k] = vec(i * TERRAIN_CELL + (i % TERRAIN_CELLS ? moved.x : 0.0),
                       j * TERRAIN_CELL + (j % TERRAIN_CELLS ? moved.y : 0.0), bumps ? scale * (double)bumps[k] : 0.0);
    }
    for (int k = 0; k < TERRAIN_CELLS * TERRAIN_CELLS; k++) {
        const int at = k % TERRAIN_CELLS + k / TERRAIN_CELLS * TERRAIN_SAMPLES, other = irregular && rng_below(&r, 2);
        const int corner[4] = {at, at + 1, at + TERRAIN_SAMPLES + 1, at + TERRAIN_SAMPLES};
        const int order[6] = {0, 1, 2 + other, other, 2, 3};
        for (int e = 0; e < 6; e++) { triangle[2 * k + e / 3][e % 3] = (uint16_t)corner[order[e]]; }
    }
    if (tac_model_add_mesh(m, point, TERRAIN_SAMPLES * TERRAIN_SAMPLES, (const uint16_t(*)[3])triangle,
                           2 * TERRAIN_CELLS * TERRAIN_CELLS) < 0) {
        tap_ok(0, "the mesh is refused");
    }
}

// The ground; its first sample is at (-1, -3).
static void terrain_ground(tac_model *m, int terrain, const tac_height *bumps, double scale)
{
    static const tac_height flat[TERRAIN_SAMPLES * TERRAIN_SAMPLES];
    solid s = {TAC_MESH, {1, 1, 1}, 0, 0.0};
    if (terrain == TERRAIN_FIELD) {
        s.kind = TAC_HEIGHT_FIELD;
        tac_model_add_height_field(m, bumps ? bumps : flat, TERRAIN_SAMPLES, TERRAIN_SAMPLES, (tac_real)TERRAIN_CELL,
                            (tac_real)TERRAIN_CELL, (tac_real)scale);
    } else {
        terrain_mesh(m, terrain == TERRAIN_IRREGULAR, bumps, scale);
    }
    shapes_add(m, 0, &s, d3_make(-1, -3, 0));
}

// `speed` along a direction that no row of samples has.
static void terrain_mover(tac_model *m, const mover *what, double speed)
{
    const double angle = 0.37;
    const dq way = dq_about(d3_make(0, 0, 1), angle), pose = dq_mul(way, what->pose);
    solid s = what->shape;
    if (s.kind == TAC_HULL) { s.data = shapes_box_hull(m, s.size); }
    const uint16_t b = shapes_body(m, &s, 1.0, d3_make(0.0111, 0.0222, what->height), pose);
    const d3 rate = dq_rotate(way, d3_scale(speed, what->rate));
    m->body[b].velocity.v = d3_to(dq_rotate(way, d3_make(speed, 0, 0)));
    m->body[b].velocity.w = d3_to(dq_rotate(dq_conjugate(pose), rate));
}

// A flat world without bodies, made once; a half-space if `terrain` is TERRAINS.
static const tac_model *terrain_base(int terrain)
{
    static tac_model base[TERRAINS + 1];
    tac_model *m = &base[terrain];
    if (m->bodies > 0) { return m; }
    tac_model_init(m);
    tac_model_add_material(m, 0, 0);
    if (terrain == TERRAINS) {
        shapes_floor(m, FLOOR_PLANE, 1.0);
    } else {
        terrain_ground(m, terrain, NULL, 1.0);
    }
    return m;
}

static void terrain_build(tac_model *m, tac_state *state, int terrain, const mover *what, double speed)
{
    *m = *terrain_base(terrain);
    m->material[0].friction = (tac_real)what->mu;
    terrain_mover(m, what, speed);
    begin_world(m, state);
}

typedef struct ride {
    double path;     // m
    double velocity; // m/s    largest difference from the half-space, any component
    double rate;     // rad/s
    double rise;     // m/s    largest vertical velocity
    double height;   // m      largest difference
    int most, least; // contacts
} ride;

static ride terrain_ride(int terrain, const mover *what, double speed, double length)
{
    ride r = {0};
    r.least = 1000;
    terrain_build(&terrain_truth, &terrain_flat, TERRAINS, what, speed);
    terrain_build(&terrain_model, &terrain_state, terrain, what, speed);
    const d3 from = d3_of(terrain_state.pose[1].p);
    for (int k = 0; k < 12000 && r.path < length; k++) {
        shapes_step(&terrain_truth, &terrain_flat, NULL, &terrain_work);
        shapes_step(&terrain_model, &terrain_state, NULL, &terrain_work);
        const d3 v = d3_of(terrain_state.twist[1].v), p = d3_of(terrain_state.pose[1].p);
        const d3 more = d3_sub(world_rate(&terrain_state, 1), world_rate(&terrain_flat, 1));
        d_worst(&r.velocity, d3_norm(d3_sub(v, d3_of(terrain_flat.twist[1].v))));
        d_worst(&r.rate, d3_norm(more));
        d_worst(&r.rise, v.z);
        d_worst(&r.height, p.z - (double)terrain_flat.pose[1].p.z);
        r.path = d3_norm(d3_sub(p, from));
        const int contacts = terrain_work.report.contacts;
        r.most = contacts > r.most ? contacts : r.most;
        r.least = contacts < r.least ? contacts : r.least;
    }
    return r;
}

#endif
