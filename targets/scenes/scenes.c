// SPDX-License-Identifier: MIT
// scenes.c - see scenes.h. One function builds a scene, one may drive it. No C library, no floating-point surprises:
// all constants are decimal numbers, nothing is computed with functions that differ between machines.
#include "parts.h"

// ------------------------------------------------------------------------------------------------------- helpers

// A wall through `point` whose outward normal is z rotated by `q`.
static void wall(tac_model *model, tac_vec3 point, tac_quat q)
{
    tac_shape s = tac_shape_make(0, TAC_HALF_SPACE, vec(R(0), R(0), R(0)));
    s.pose = (tac_pose){point, q};
    tac_model_add_shape(model, &s);
}

static uint16_t ball(tac_model *model, tac_vec3 position, tac_real radius, tac_real mass)
{
    const tac_real i = R(0.4) * mass * radius * radius;
    const uint16_t b = body(model, TAC_DYNAMIC, position, mass, vec(i, i, i));
    shape(model, b, TAC_SPHERE, vec(radius, R(0), R(0)));
    return b;
}

// A body of any shape; its mass follows from the density.
static uint16_t solid(tac_model *model, tac_pose pose, uint8_t kind, tac_vec3 size, tac_real density)
{
    tac_body b = tac_body_make(TAC_DYNAMIC, pose.p);
    b.pose.q = pose.q;
    const uint16_t index = (uint16_t)tac_model_add_body(model, &b);
    shape(model, index, kind, size);
    tac_model_mass_from_shapes(model, index, density);
    return index;
}

// -------------------------------------------------------------------------------------------------------- scenes

static tac_status sphere_slide(tac_model *model)
{
    world(model, R(0.001), R(0.2), R(0));
    floor_plane(model);
    const uint16_t b = ball(model, vec(R(0), R(0), R(1)), R(1), R(1));
    model->body[b].velocity.v = vec(R(2), R(0), R(0));
    return tac_model_seal(model, NULL);
}

// Gravity turned by 30 degrees instead of the floor.
static tac_status box_incline(tac_model *model)
{
    world(model, R(0.001), R(0.5), R(0));
    model->gravity = vec(R(9.81) * R(0.5), R(0), R(-9.81) * R(0.86602540378443864676));
    floor_plane(model);
    box(model, vec(R(0), R(0), R(0.05)), vec(R(0.05), R(0.05), R(0.05)), R(1));
    return tac_model_seal(model, NULL);
}

// Gravity turned by 26.5 degrees: just below the angle of friction, for any size.
static tac_status slope_sizes(tac_model *model)
{
    world(model, R(0.001), R(0.5), R(0));
    model->gravity = vec(R(9.81) * R(0.44619780997814194), R(0), R(-9.81) * R(0.89493436160202511));
    floor_plane(model);
    box(model, vec(R(0), R(-6), R(5)), vec(R(5), R(5), R(5)), R(1000000));
    box(model, vec(R(0), R(0), R(0.05)), vec(R(0.05), R(0.05), R(0.05)), R(1));
    box(model, vec(R(0), R(0.1), R(0.0005)), vec(R(0.0005), R(0.0005), R(0.0005)), R(0.000001));
    return tac_model_seal(model, NULL);
}

// Slides at 45 degrees to its edges: by symmetry nothing turns it.
static tac_status yaw_box(tac_model *model)
{
    world(model, R(0.001), R(0.5), R(0));
    floor_plane(model);
    const uint16_t b = box(model, vec(R(0), R(0), R(0.05)), vec(R(0.05), R(0.05), R(0.05)), R(1));
    model->body[b].pose.q = (tac_quat){R(0.92387953251128675613), R(0), R(0), R(0.38268343236508977173)};
    model->body[b].velocity.v = vec(R(4), R(0), R(0));
    return tac_model_seal(model, NULL);
}

static tac_status stack(tac_model *model)
{
    world(model, R(0.005), R(0.5), R(0));
    floor_plane(model);
    for (unsigned i = 0; i < 4; i++) { box(model, vec(R(0), R(0), R(i) + R(0.5)), vec(R(0.5), R(0.5), R(0.5)), R(1)); }
    return tac_model_seal(model, NULL);
}

// Two cubes under one of 60 kg, and two under one of 100 kg.
static tac_status heavy_tops(tac_model *model)
{
    const tac_vec3 half = vec(R(0.5), R(0.5), R(0.5));
    world(model, R(0.005), R(0.5), R(0));
    floor_plane(model);
    for (unsigned i = 0; i < 3; i++) { box(model, vec(R(0), R(0), R(i) + R(0.5)), half, i < 2 ? R(1) : R(60)); }
    for (unsigned i = 0; i < 3; i++) { box(model, vec(R(3), R(0), R(i) + R(0.5)), half, i < 2 ? R(1) : R(100)); }
    return tac_model_seal(model, NULL);
}

static tac_status bounce(tac_model *model)
{
    world(model, R(0.001), R(0.5), R(0.8));
    floor_plane(model);
    ball(model, vec(R(0), R(0), R(1.1)), R(0.1), R(1));
    return tac_model_seal(model, NULL);
}

// Spins about the middle axis, which is unstable: it flips over and over.
static tac_status top(tac_model *model)
{
    world(model, R(0.001), R(0), R(0));
    model->gravity = vec(R(0), R(0), R(0));
    const uint16_t b = body(model, TAC_DYNAMIC, vec(R(0), R(0), R(0)), R(1), vec(R(1), R(2), R(3)));
    model->body[b].velocity.w = vec(R(0.01), R(5), R(0.01));
    return tac_model_seal(model, NULL);
}

// Euler's disk: 0.1 m in radius, 10 mm thick, it leans by 0.5 rad and rolls round on its rim with its centre at rest.
static tac_status euler_disk(tac_model *model)
{
    const tac_real radius = R(0.1), half = R(0.005), sine = R(0.47942553860420300027),
                   cosine = R(0.87758256189037271612);
    const tac_real precession = R(28.968422246431025), third = half * half / R(3); // rad/s
    world(model, R(0.001), R(1), R(0));
    floor_plane(model);
    const uint16_t b = body(model, TAC_DYNAMIC, vec(R(0), R(0), radius * sine + half * cosine), R(1),
                            vec(R(0.0025) + third, R(0.0025) + third, R(0.005)));
    shape(model, b, TAC_CYLINDER, vec(radius, R(0), half));
    model->body[b].pose.q = (tac_quat){R(0.96891242171064478414), R(0), R(0.24740395925452292960), R(0)};
    model->body[b].velocity.w = vec(-precession * sine, R(0), precession * sine * half / radius);
    return tac_model_seal(model, NULL);
}

// The acrylic cube of ContactNets (Pfrommer, Halm, Posa 2020), thrown as they threw it.
static tac_status cube_toss(tac_model *model)
{
    world(model, R(0.001), R(0.18), R(0));
    floor_plane(model);
    const uint16_t b =
        body(model, TAC_DYNAMIC, vec(R(-0.25), R(-0.1), R(0.15)), R(0.37), vec(R(0.00081), R(0.00081), R(0.00081)));
    shape(model, b, TAC_BOX, vec(R(0.0524), R(0.0524), R(0.0524)));
    model->body[b].pose.q = (tac_quat){R(0.1), R(0.7), R(0.5), R(0.5)};
    model->body[b].velocity.v = vec(R(1), R(0.35), R(-0.1));
    model->body[b].velocity.w = vec(R(-5), R(1.3), R(-4));
    return tac_model_seal(model, NULL);
}

// Two of each shape fall into a narrow shaft, so that every kind of pair meets.
// A floor and four walls, `reach` from the middle.
static void shaft(tac_model *model, tac_real reach)
{
    const tac_real s = R(0.70710678118654752440);
    floor_plane(model);
    wall(model, vec(-reach, R(0), R(0)), (tac_quat){s, R(0), s, R(0)});
    wall(model, vec(reach, R(0), R(0)), (tac_quat){s, R(0), -s, R(0)});
    wall(model, vec(R(0), -reach, R(0)), (tac_quat){s, -s, R(0), R(0)});
    wall(model, vec(R(0), reach, R(0)), (tac_quat){s, s, R(0), R(0)});
}

static tac_status mixed(tac_model *model)
{
    static const tac_quat upright = {R(1), R(0), R(0), R(0)}, lying = {R(0.6), R(0), R(0.8), R(0)};
    world(model, R(0.002), R(0.4), R(0.1));
    shaft(model, R(0.22));
    const tac_vec3 brick = vec(R(0.09), R(0.08), R(0.07)), rod = vec(R(0.06), R(0), R(0.08));
    const tac_vec3 pearl = vec(R(0.08), R(0), R(0));
    solid(model, (tac_pose){vec(R(-0.1), R(-0.1), R(0.12)), upright}, TAC_BOX, brick, R(800));
    solid(model, (tac_pose){vec(R(0.1), R(-0.1), R(0.15)), upright}, TAC_CAPSULE, rod, R(800));
    solid(model, (tac_pose){vec(R(-0.1), R(0.1), R(0.1)), upright}, TAC_SPHERE, pearl, R(800));
    solid(model, (tac_pose){vec(R(0.03), R(0.11), R(0.2)), upright}, TAC_SPHERE, pearl, R(800));
    solid(model, (tac_pose){vec(R(-0.05), R(-0.02), R(0.3)), lying}, TAC_BOX, brick, R(800));
    solid(model, (tac_pose){vec(R(0.05), R(0), R(0.5)), lying}, TAC_CAPSULE, rod, R(800));
    return tac_model_seal(model, NULL);
}

// A wedge of eight corners for bodies, as a hull.
static uint16_t wedge(tac_model *model)
{
    static const tac_vec3 corner[8] = {
        {R(-0.08), R(-0.07), R(-0.06)}, {R(0.09), R(-0.07), R(-0.06)}, {R(-0.08), R(0.07), R(-0.06)},
        {R(0.09), R(0.06), R(-0.06)},   {R(-0.05), R(-0.04), R(0.06)}, {R(0.05), R(-0.05), R(0.07)},
        {R(-0.04), R(0.05), R(0.06)},   {R(0.04), R(0.04), R(0.08)},
    };
    return (uint16_t)tac_model_add_hull(model, corner, 8);
}

// One body of each convex kind, `step` apart, in layers of `columns` by two; the first at (-step/2, -step/2, z).
static void one_of_each(tac_model *model, unsigned columns, tac_real step, tac_real z)
{
    static const uint8_t kinds[] = {TAC_CYLINDER, TAC_HULL, TAC_CONE, TAC_ELLIPSOID, TAC_BOX, TAC_CAPSULE, TAC_SPHERE};
    static const tac_vec3 sizes[] = {
        {R(0.07), R(0), R(0.08)},    {R(0), R(0), R(0)},       {R(0.08), R(0), R(0.08)}, {R(0.09), R(0.07), R(0.05)},
        {R(0.06), R(0.05), R(0.05)}, {R(0.05), R(0), R(0.06)}, {R(0.07), R(0), R(0)},
    };
    static const tac_quat turned[] = {
        {R(1), R(0), R(0), R(0)},     {R(0.8), R(0), R(0), R(0.6)},   {R(1), R(0), R(0), R(0)},
        {R(0.6), R(0.8), R(0), R(0)}, {R(0.96), R(0.28), R(0), R(0)}, {R(0.6), R(0), R(0.8), R(0)},
        {R(1), R(0), R(0), R(0)},
    };
    const uint16_t hull = wedge(model);
    for (unsigned i = 0; i < 7; i++) {
        const unsigned layer = i / (2 * columns), place = i % (2 * columns);
        const tac_vec3 at =
            vec(step * (R(place % columns) - R(0.5)), step * (R(place / columns) - R(0.5)), z + R(0.13) * R(layer));
        tac_body b = tac_body_make(TAC_DYNAMIC, at);
        b.pose.q = turned[i];
        b.velocity.v = vec(R(-2) * at.x, R(-3) * at.y, R(-1) * R(layer)); // towards each other
        const uint16_t index = (uint16_t)tac_model_add_body(model, &b);
        tac_shape s = tac_shape_make(index, kinds[i], sizes[i]);
        s.rounding = kinds[i] == TAC_BOX ? R(0.02) : R(0);
        s.data = (uint16_t)(kinds[i] == TAC_HULL ? hull : 0);
        tac_model_add_shape(model, &s);
        tac_model_mass_from_shapes(model, index, R(800));
    }
}

// Every convex kind against half-spaces and each other.
static tac_status solids(tac_model *model)
{
    world(model, R(0.005), R(0.4), R(0));
    shaft(model, R(0.18));
    one_of_each(model, 2, R(0.155), R(0.085));
    return tac_model_seal(model, NULL);
}

// The same on a block of twelve triangles, and over its edges.
static tac_status on_mesh(tac_model *model)
{
    static const uint16_t face[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                                         {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    tac_vec3 corner[8];
    for (unsigned i = 0; i < 8; i++) {
        corner[i] = vec(i & 1 ? R(0.55) : R(-0.12), i & 2 ? R(0.12) : R(-0.12), i & 4 ? R(0) : R(-0.3));
    }
    world(model, R(0.005), R(0.4), R(0));
    tac_shape block = tac_shape_make(0, TAC_MESH, vec(R(0), R(0), R(0)));
    block.data = (uint16_t)tac_model_add_mesh(model, corner, 8, face, 12);
    tac_model_add_shape(model, &block);
    one_of_each(model, 4, R(0.2), R(0.085));
    return tac_model_seal(model, NULL);
}

// The same on uneven terrain.
static tac_status on_field(tac_model *model)
{
    static const tac_height height[64] = {
        30, 12, 0,  8,  20, 31, 12, 3,  14, 2,  6,  17, 25, 9,  1,  11, 5,  9,  21, 12, 3, 0,
        7,  22, 16, 24, 8,  0,  6,  15, 27, 12, 2,  11, 19, 26, 13, 4,  0,  6,  9,  0,  5, 14,
        22, 18, 7,  1,  20, 13, 4,  1,  9,  23, 29, 15, 28, 17, 6,  3,  12, 19, 8,  0,
    };
    world(model, R(0.005), R(0.6), R(0));
    tac_shape ground = tac_shape_make(0, TAC_HEIGHT_FIELD, vec(R(0), R(0), R(0)));
    ground.data = (uint16_t)tac_model_add_height_field(model, height, 8, 8, R(0.31), R(0.27), R(0.001));
    ground.pose.p = vec(R(-0.98), R(-0.91), R(-0.02));
    tac_model_add_shape(model, &ground);
    one_of_each(model, 4, R(0.21), R(0.09));
    return tac_model_seal(model, NULL);
}

// A table that moves and turns, with three boxes on it.
static tac_status conveyor(tac_model *model)
{
    world(model, R(0.002), R(0.6), R(0));
    const uint16_t table = body(model, TAC_KINEMATIC, vec(R(0), R(0), R(-0.05)), R(1), vec(R(1), R(1), R(1)));
    shape(model, table, TAC_BOX, vec(R(1), R(1), R(0.05)));
    box(model, vec(R(0), R(0), R(0.1)), vec(R(0.1), R(0.1), R(0.1)), R(1));
    box(model, vec(R(0.5), R(0), R(0.05)), vec(R(0.1), R(0.05), R(0.05)), R(0.5));
    box(model, vec(R(0), R(-0.6), R(0.08)), vec(R(0.06), R(0.07), R(0.08)), R(2));
    return tac_model_seal(model, NULL);
}

// The table accelerates for a second, then keeps 0.3 m/s and 0.8 rad/s.
static void conveyor_drive(const tac_model *model, uint32_t step, tac_input *input)
{
    const tac_real t = R(step) * model->h, part = t < R(1) ? t : R(1);
    const tac_vec3 none = vec(R(0), R(0), R(0));
    input->actions = 1;
    input->action[0] = action(1, TAC_VELOCITY, vec(R(0.3) * part, R(0), R(0)), vec(R(0), R(0), R(0.8) * part), none);
}

// Three boxes on the floor: one pushed in the world frame, one with a force of its own frame, one at a corner.
static tac_status pushed(tac_model *model)
{
    world(model, R(0.002), R(0.3), R(0));
    floor_plane(model);
    const tac_vec3 half = vec(R(0.1), R(0.15), R(0.05));
    for (unsigned i = 0; i < 3; i++) { box(model, vec(R(0), R(i), R(0.05)), half, R(2)); }
    return tac_model_seal(model, NULL);
}

// Pushes for 0.4 s, then lets go.
static void pushed_drive(const tac_model *model, uint32_t step, tac_input *input)
{
    const tac_vec3 none = vec(R(0), R(0), R(0));
    input->actions = 0;
    if (R(step) * model->h >= R(0.4)) { return; }
    input->actions = 3;
    input->action[0] = action(1, TAC_WRENCH_WORLD, vec(R(12), R(0), R(0)), none, none);
    input->action[1] = action(2, TAC_WRENCH_BODY, vec(R(0), R(10), R(0)), vec(R(0), R(0), R(1.5)), none);
    input->action[2] = action(3, TAC_WRENCH_WORLD, vec(R(0), R(9), R(0)), none, vec(R(0.08), R(0), R(0)));
}

// Twelve boxes have 48 corners on the floor; the default table holds 32.
static tac_status overflow(tac_model *model)
{
    world(model, R(0.005), R(0.5), R(0));
    floor_plane(model);
    for (unsigned i = 0; i < 12; i++) {
        const tac_vec3 at = vec(R(0.3) * R(i % 4), R(0.3) * R(i / 4), R(0.1));
        box(model, at, vec(R(0.1), R(0.1), R(0.1)), R(1));
    }
    return tac_model_seal(model, NULL);
}

#if TAC_ROLLING

// On a slight slope: balls that roll and drill, one on a box, one against another, and a capsule.
static tac_status resist(tac_model *model)
{
    world(model, R(0.002), R(0.6), R(0));
    model->gravity = vec(R(0.1), R(0), R(-9.81));
    model->material[0].spinning = R(0.01);
    model->material[0].rolling = R(0.004);
    floor_plane(model);
    const uint16_t first = ball(model, vec(R(0), R(0), R(0.1)), R(0.1), R(1));
    ball(model, vec(R(0.22), R(0.03), R(0.1)), R(0.1), R(0.5));
    box(model, vec(R(0), R(0.5), R(0.05)), vec(R(0.2), R(0.15), R(0.05)), R(2));
    const uint16_t upper = ball(model, vec(R(0), R(0.5), R(0.2)), R(0.1), R(1));
    const uint16_t rod = solid(model, (tac_pose){vec(R(0), R(-0.5), R(0.05)), {R(0.6), R(0), R(0.8), R(0)}},
                               TAC_CAPSULE, vec(R(0.05), R(0), R(0.1)), R(800));
    model->body[first].velocity = (tac_twist){vec(R(1), R(0), R(0)), vec(R(0), R(8), R(5))};
    model->body[upper].velocity.w = vec(R(3), R(0), R(10));
    model->body[rod].velocity.v = vec(R(0.3), R(0.5), R(0));
    return tac_model_seal(model, NULL);
}

// CBAT07, example 2: a ball that spins in place, with a friction moment of 0.4 m times mu times its weight.
static tac_status spinning(tac_model *model)
{
    world(model, R(0.07), R(0.2), R(0));
    model->material[0].spinning = R(0.2) * R(0.4);
    floor_plane(model);
    const uint16_t b = ball(model, vec(R(0), R(0), R(1)), R(1), R(1));
    model->body[b].velocity.w.z = R(1.962);
    return tac_model_seal(model, NULL);
}

// CBAT07, example 3: a ball on two fixed ones, under a constant force. It slides on the first and rolls on the second,
// slides there too, and leaves both.
static tac_status two_spheres(tac_model *model)
{
    static const tac_real radius[2] = {R(10), R(9)}, place[2] = {R(0), R(11.4)};
    world(model, R(0.01), R(0.2), R(0));
    model->material[0].spinning = R(0.2) * R(0.3);
    model->gravity = vec(R(1), R(2.6), R(-9.81));
    for (int i = 0; i < 2; i++) {
        tac_shape fixed = tac_shape_make(0, TAC_SPHERE, vec(radius[i], R(0), R(0)));
        fixed.pose.p.y = place[i];
        tac_model_add_shape(model, &fixed);
    }
    ball(model, vec(R(0), R(6.62105263157895), R(8.78417110772903)), R(1), R(1));
    return tac_model_seal(model, NULL);
}

#endif

#if TAC_MAX_SURFACES >= 3

static void moving(tac_model *model, uint16_t of, tac_vec3 linear, tac_vec3 angular)
{
    const tac_surface surface = {linear, angular, vec(R(0), R(0), R(0)), of};
    tac_model_add_surface(model, &surface);
}

static uint16_t plate(tac_model *model, tac_vec3 at, uint8_t kind, tac_vec3 half)
{
    tac_shape s = tac_shape_make(0, kind, half);
    s.pose.p = at;
    return (uint16_t)tac_model_add_shape(model, &s);
}

// A belt brings boxes to a turntable, which takes them round to a second belt, with a wall that keeps them on their
// way.
static tac_status belt(tac_model *model)
{
    const tac_vec3 none = vec(R(0), R(0), R(0));
    world(model, R(0.002), R(0.5), R(0));
    const uint16_t first = plate(model, vec(R(-1.2), R(-0.35), R(-0.05)), TAC_BOX, vec(R(0.8), R(0.2), R(0.05)));
    const uint16_t table = plate(model, vec(R(0), R(0), R(-0.05)), TAC_CYLINDER, vec(R(0.5), R(0), R(0.05)));
    const uint16_t second = plate(model, vec(R(0.4), R(1.2), R(-0.05)), TAC_BOX, vec(R(0.2), R(0.75), R(0.05)));
    plate(model, vec(R(0.2), R(0.35), R(0.1)), TAC_BOX, vec(R(0.02), R(0.25), R(0.1)));
    moving(model, first, none, none); // by the input
    moving(model, table, none, vec(R(0), R(0), R(1.2)));
    moving(model, second, vec(R(0), R(0.6), R(0)), none);
    for (unsigned i = 0; i < 3; i++) {
        box(model, vec(R(-0.7) - R(0.5) * R(i), R(-0.35), R(0.08)), vec(R(0.1), R(0.08), R(0.08)), R(1));
    }
    return tac_model_seal(model, NULL);
}

// The first belt gets its speed in half a second.
static void belt_drive(const tac_model *model, uint32_t step, tac_input *input)
{
    const tac_real t = R(2) * R(step) * model->h, part = t < R(1) ? t : R(1);
    const tac_vec3 none = vec(R(0), R(0), R(0));
    input->actions = 1;
    input->action[0] = action(0, TAC_SURFACE, vec(R(0.4) * part, R(0), R(0)), none, none);
}

// A robot on two tracks in front of a slope of 20 degrees. The sole of a track moves against the robot.
static tac_status tracks(tac_model *model)
{
    const tac_vec3 none = vec(R(0), R(0), R(0));
    world(model, R(0.002), R(0.8), R(0));
    floor_plane(model);
    tac_shape slope = tac_shape_make(0, TAC_HALF_SPACE, none);
    slope.pose.p.x = R(1);
    slope.pose.q = (tac_quat){R(0.984807753012208), R(0), R(-0.173648177666930), R(0)};
    tac_model_add_shape(model, &slope);
    const uint16_t hull = box(model, vec(R(0), R(0), R(0.12)), vec(R(0.25), R(0.14), R(0.06)), R(12));
    for (int side = -1; side < 2; side += 2) {
        tac_shape track = tac_shape_make(hull, TAC_CAPSULE, vec(R(0.08), R(0), R(0.25)));
        track.pose = (tac_pose){vec(R(0), R(0.2) * R(side), R(-0.04)), {R(0.5), R(0.5), R(0.5), R(0.5)}}; // z along x
        moving(model, (uint16_t)tac_model_add_shape(model, &track), none, none);
    }
    return tac_model_seal(model, NULL);
}

// It turns on the spot for a second, and back, and drives up the slope.
static void tracks_drive(const tac_model *model, uint32_t step, tac_input *input)
{
    const tac_real t = R(step) * model->h, left = t < R(1) ? R(-0.3) : t < R(2) ? R(0.3) : R(0.5);
    const tac_real speed[2] = {t < R(2) ? -left : left, left}; // of the robot over its right and its left track
    const tac_vec3 none = vec(R(0), R(0), R(0));
    input->actions = 2;
    for (uint16_t i = 0; i < 2; i++) {
        input->action[i] = action(i, TAC_SURFACE, vec(R(0), R(0), -speed[i]), none, none);
    }
}

#endif

// --------------------------------------------------------------------------------------------------------- table

const scene scenes[] = {
    {"sphere_slide", "a sphere slides, then rolls", 500, 1, sphere_slide, NULL},
    {"box_incline", "a box slides down a slope of 30 degrees", 1000, 4, box_incline, NULL},
    {"slope_sizes", "boxes of 10 m, 0.1 m and 1 mm stay on a slope of 26.5 degrees", 1000, 12, slope_sizes, NULL},
    {"yaw_box", "a box slides at 45 degrees to its edges", 1000, 4, yaw_box, NULL},
    {"stack", "four cubes rest on each other", 400, 16, stack, NULL},
    {"heavy_tops", "two cubes carry one of 60 times their mass, two one of 100 times", 400, 24, heavy_tops, NULL},
    {"bounce", "a ball bounces with restitution 0.8", 2000, 1, bounce, NULL},
    {"top", "a free body flips about its middle axis", 10000, 0, top, NULL},
    {"euler_disk", "a disk that leans rolls round on its rim", 1000, 1, euler_disk, NULL},
    {"cube_toss", "a tossed cube tumbles and comes to rest", 1500, 4, cube_toss, NULL},
    {"mixed", "spheres, capsules and boxes fall into a shaft", 600, 24, mixed, NULL},
    {"conveyor", "a moving, turning table carries boxes", 1000, 12, conveyor, conveyor_drive},
    {"pushed", "boxes pushed by forces in both frames and at a point", 400, 12, pushed, pushed_drive},
    {"overflow", "more contacts than the table holds", 100, 48, overflow, NULL},
    {"solids", "one body of each convex kind falls into a shaft", 400, 32, solids, NULL},
    {"on_mesh", "the same on a block of triangles, and over its edges", 200, 28, on_mesh, NULL},
    {"on_field", "the same on hills and dales, more contacts than the table holds in the end", 400, 50, on_field, NULL},
#if TAC_ROLLING
    {"resist", "balls and a capsule that resist rolling and spinning", 800, 10, resist, NULL},
    {"spinning", "a ball that spins in place, CBAT07 example 2", 200, 1, spinning, NULL},
    {"two_spheres", "a ball rolls and slides on two fixed ones, CBAT07 example 3", 400, 2, two_spheres, NULL},
#endif
#if TAC_MAX_SURFACES >= 3
    {"belt", "boxes on a belt, a turntable and another belt", 3250, 24, belt, belt_drive},
    {"tracks", "a robot on two tracks turns on the spot and climbs 20 degrees", 4000, 8, tracks, tracks_drive},
#endif
};

const unsigned scene_count = sizeof scenes / sizeof scenes[0];

const scene *scene_find(const char *name)
{
    for (unsigned i = 0; i < scene_count; i++) {
        if (same_text(scenes[i].name, name)) { return &scenes[i]; }
    }
    return NULL;
}
