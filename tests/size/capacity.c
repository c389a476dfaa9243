// SPDX-License-Identifier: MIT
// capacity.c - fills every table of the configuration it is compiled for, then steps: nothing overruns, the rest is
// counted.
#include "tactus/tactus.h"

static tac_model model;
static tac_state state;
static tac_work work;

enum { COLUMNS = 320, ROWS = 200 };
static tac_height heights[COLUMNS * ROWS];

static tac_vec3 vec(int x, int y, int z)
{
    return (tac_vec3){(tac_real)x, (tac_real)y, (tac_real)z};
}

static int shapes_beyond; // added only to fill the table

// Likewise of a problem.
static int full_problem(void)
{
#if TAC_SOLVE
    static tac_problem problem;
    tac_problem_block block;
    const tac_real one = 1;
    tac_problem_init(&problem);
    tac_problem_block_init(&block, TAC_SET_RAY, 1);
    int32_t blocks = 0, entries = 0;
    while (blocks >= 0) { blocks = tac_problem_add_block(&problem, &block); }
    for (uint32_t i = 0, n = problem.blocks; entries >= 0 && i / n < n; i++) {
        entries = tac_problem_add_entry(&problem, i / n, i % n, &one);
    }
    const int room = problem.blocks <= TAC_MAX_SOLVE_ENTRIES / problem.blocks &&
                     problem.blocks <= TAC_MAX_SOLVE_VALUES / problem.blocks; // for all entries that there can be
    return blocks == TAC_E_FULL && (room || entries == TAC_E_FULL);
#else
    return 1;
#endif
}

// Data of shapes until nothing more fits: a strip of triangles, tetrahedra, terrain. Returns 1 if the tables are as
// full as that makes them.
static int fill(void)
{
    static tac_vec3 strip[202];
    static uint16_t triangle[200][3];
    const tac_vec3 corner[4] = {vec(0, 0, 0), vec(1, 0, 0), vec(0, 1, 0), vec(0, 0, 1)};
    for (uint16_t i = 0; i < 202; i++) { strip[i] = vec(i / 2, i % 2, 0); }
    for (uint16_t i = 0; i < 200; i++) {
        triangle[i][0] = i;
        triangle[i][1] = (uint16_t)(i + (i % 2 ? 1 : 2));
        triangle[i][2] = (uint16_t)(i + (i % 2 ? 2 : 1));
    }
    int strips = 0;
    while (strips < 20 && tac_model_add_mesh(&model, strip, 202, (const uint16_t(*)[3])triangle, 200) >= 0) {
        strips++;
    }
    while (tac_model_add_hull(&model, corner, 4) >= 0) {}
    while (tac_model_add_height_field(&model, heights, COLUMNS, ROWS, 1, 1, 1) >= 0) {}
    while (tac_model_add_height_field(&model, heights, 2, 2, 1, 1, 1) >= 0) {}
    if (tac_model_add_mesh(&model, strip, 202, (const uint16_t(*)[3])triangle, 200) != TAC_E_FULL ||
        tac_model_add_hull(&model, corner, 4) != TAC_E_FULL ||
        tac_model_add_height_field(&model, heights, 2, 2, 1, 1, 1) != TAC_E_FULL) {
        return 0;
    }
    if (!TAC_CONVEX) { return model.polyhedra == 0 && model.fields == 0; }
    const int full = model.polyhedra == TAC_MAX_POLYHEDRA || model.points + 4 > TAC_MAX_POINTS ||
                     model.faces + 4 > TAC_MAX_FACES || model.edges + 12 > TAC_MAX_EDGES;
    return full && (model.fields == TAC_MAX_HEIGHT_FIELDS || model.heights + 4 > TAC_MAX_HEIGHTS);
}

// Nothing else fits either, and each function says so by the same name.
static int full(void)
{
    const tac_body body = tac_body_make(TAC_DYNAMIC, vec(0, 0, 0));
    const tac_shape shape = tac_shape_make(0, TAC_HALF_SPACE, vec(0, 0, 0));
    tac_implicit box;
    tac_joint joint;
    tac_joint_init(&joint, TAC_SPHERICAL, 0, 1);
    int said = tac_model_add_body(&model, &body) == TAC_E_FULL && tac_model_add_material(&model, 0, 0) == TAC_E_FULL &&
               tac_model_add_material_pair(&model, 0, 0, 0, 0) == TAC_E_FULL &&
               tac_model_add_exclusion(&model, 1, 2) == TAC_E_FULL &&
               tac_model_add_joint(&model, &joint) == TAC_E_FULL &&
               tac_implicit_box(&box, vec(1, 1, 1)) == (TAC_MAX_INEQUALITIES < 6 ? TAC_E_FULL : TAC_OK);
    while (tac_model_add_shape(&model, &shape) >= 0) { shapes_beyond++; }
    said = said && tac_model_add_shape(&model, &shape) == TAC_E_FULL;
    model.shapes = (uint16_t)(model.shapes - shapes_beyond);
    return said && full_problem();
}

int main(void)
{
    tac_model_init(&model);
    if (!fill()) { return 6; }
    while (tac_model_add_material(&model, (tac_real)0.5, 0) >= 0) {}
    while (tac_model_add_material_pair(&model, 0, 0, (tac_real)0.4, 0) >= 0) {}
    const tac_shape ground = tac_shape_make(0, TAC_HALF_SPACE, vec(0, 0, 0));
    tac_model_add_shape(&model, &ground);

    // unit boxes on a grid, a little into the ground: each asks for four contacts
    for (int i = 0;; i++) {
        const tac_body b =
            tac_body_make(TAC_DYNAMIC, (tac_vec3){(tac_real)(3 * (i % 64)), (tac_real)(3 * (i / 64)), (tac_real)0.999});
        const int32_t body = tac_model_add_body(&model, &b);
        if (body < 0) { break; }
        const tac_shape s = tac_shape_make((uint16_t)body, TAC_BOX, vec(1, 1, 1));
        tac_model_add_shape(&model, &s);
    }
    while (tac_model_add_exclusion(&model, 1, 2) >= 0) {}
    if (model.exclusions != TAC_MAX_EXCLUSIONS || !full()) { return 7; }
    if (model.bodies < 3) { model.exclusions = 0; }
    if (model.bodies != TAC_MAX_BODIES + 1 || model.materials != TAC_MAX_MATERIALS) { return 1; }
    if (tac_model_seal(&model, NULL) != TAC_E_FULL) { return 8; }
    model.hash = 0; // what has found room is enough
    if (tac_model_seal(&model, NULL) != TAC_OK || tac_state_init(&model, &state, NULL) != TAC_OK) { return 2; }

    for (int i = 0; i < 3; i++) {
        const tac_status status = tac_step(&model, &state, NULL, &work);
        if (status < 0 || tac_check(&model, &state, &work, NULL) != TAC_OK) { return 3; }
        const uint32_t expected = 4u * TAC_MAX_BODIES;
        if ((uint32_t)work.report.contacts + work.report.dropped != expected) { return 4; }
        if ((status & TAC_FULL) != (work.report.dropped > 0 ? TAC_FULL : 0)) { return 5; }
    }
    return 0;
}
