// SPDX-License-Identifier: MIT
#include "link/image_model.h"
#include "link/image_joints.h"
#include "link/image_room.h"
#include "link/value.h"
#include "tactus/tactus.h"

// ------------------------------------------------------------------------------------- members that most do not have
// A build without the knob has none of these members: it never sends VALUE_MORE, and names what it has no room for.
#if TAC_FRICTION_LAWS
static const value_member direction_members[] = {
    {VALUES(tac_shape, axis)}, {VALUES(tac_shape, turn)}, {VALUES(tac_shape, across)}};
static const value_member material_members[] = {{VALUES(tac_material, static_friction)},
                                                {VALUES(tac_material, stribeck_speed)}};
static const value_member pair_members[] = {{VALUES(tac_material_pair, static_friction)},
                                            {VALUES(tac_material_pair, stribeck_speed)}};
#define LAW_OF(object, table) value_has_members(object, MEMBERS(table))
#define PUT_LAW(w, object, table) value_put_members(w, object, MEMBERS(table))
#define GET_LAW(r, object, table) value_get_members(r, object, MEMBERS(table))
#else
#define LAW_OF(object, table) ((void)(object), 0)
#define PUT_LAW(w, object, table) ((void)(w), (void)(object))
#define GET_LAW(r, object, table) ((void)(r), (void)(object))
#endif

// Of a joint that may be switched, how it begins is in the same byte, because the largest element has to fit into a
// frame.
#define SWITCH_SHIFT 4
#define SWITCH_BITS 7u
#if TAC_SWITCHES
#define SWITCH_BYTE(joint) (VALUE_MORE | ((joint)->switched & SWITCH_BITS) << SWITCH_SHIFT)
static const value_member break_members[] = {{VALUES(tac_joint, break_force)}, {VALUES(tac_joint, break_torque)}};

static void put_switch(wire_writer *w, const tac_joint *joint)
{
    value_put_members(w, joint, MEMBERS(break_members));
}

static void get_switch(wire_reader *r, tac_joint *joint, uint8_t collide)
{
    joint->collide = collide & ((1u << SWITCH_SHIFT) - 1u);
    joint->switched = collide >> SWITCH_SHIFT & SWITCH_BITS;
    value_get_members(r, joint, MEMBERS(break_members));
}
#else
#define SWITCH_BYTE(joint) ((void)(joint), 0u)
#define put_switch(w, joint) ((void)(w), (void)(joint))
#define get_switch(r, joint, collide) ((void)(r), (void)(joint), (void)(collide))
#endif

// -------------------------------------------------------------------------------------------------------------- joints
static const value_member joint_members[] = {
    {VALUES(tac_joint, frame_a)},        {VALUES(tac_joint, frame_b)},      {VALUES(tac_joint, length)},
    {VALUES(tac_joint, lower)},          {VALUES(tac_joint, upper)},        {VALUES(tac_joint, friction)},
    {VALUES(tac_joint, damping)},        {VALUES(tac_joint, stiffness)},    {VALUES(tac_joint, rest)},
    {VALUES(tac_joint, armature)},       {VALUES(tac_joint, effort)},       {VALUES(tac_joint, speed)},
    {VALUES(tac_joint, stop_stiffness)}, {VALUES(tac_joint, stop_damping)},
};
static const value_member bushing_members[] = {
    {VALUES(tac_joint, frame_a)}, {VALUES(tac_joint, frame_b)},       {VALUES(tac_joint, along)},
    {VALUES(tac_joint, about)},   {VALUES(tac_joint, along_damping)}, {VALUES(tac_joint, about_damping)},
};

// The kind comes first, because it decides which reals follow; tac_joint_init() sets the others from kind and bodies.
static void put_joint(wire_writer *w, const tac_joint *joint)
{
    const int more = SWITCHED(joint);
    wire_put_u8(w, joint->kind);
    wire_put_u8(w, (uint8_t)(joint->collide | (more ? SWITCH_BYTE(joint) : 0u)));
    wire_put_u16(w, joint->body_a);
    wire_put_u16(w, joint->body_b);
    if (joint->kind == TAC_BUSHING) {
        value_put_members(w, joint, MEMBERS(bushing_members));
    } else {
        value_put_members(w, joint, MEMBERS(joint_members));
    }
    if (more) put_switch(w, joint);
}

#if TAC_MAX_JOINTS > 0
static int get_joint(wire_reader *r, tac_joint *joint)
{
    const uint8_t kind = wire_get_u8(r), collide = wire_get_u8(r);
    const uint16_t a = wire_get_u16(r), b = wire_get_u16(r);
    tac_joint_init(joint, kind, a, b);
    joint->collide = collide;
    if (kind == TAC_BUSHING) {
        value_get_members(r, joint, MEMBERS(bushing_members));
    } else {
        value_get_members(r, joint, MEMBERS(joint_members));
    }
    const uint32_t more = collide >= VALUE_MORE;
    if (more) get_switch(r, joint, collide);
    return image_fits(IMAGE_SWITCHES, more);
}
#else
static int get_joint(wire_reader *r, tac_joint *joint)
{
    value_get_members(r, joint, MEMBERS(joint_members)); // never called: this build accepts no joints
    return IMAGE_FITS;
}
#endif

// -------------------------------------------------------------------------------------------------------------- tables

// The tables of a model, in the order of their elements after the head.
enum {
    TABLE_BODY,
    TABLE_SHAPE,
    TABLE_MATERIAL,
    TABLE_MATERIAL_PAIR,
    TABLE_EXCLUSION,
    TABLE_JOINT,
    TABLE_POLYHEDRON,
    TABLE_POINT,
    TABLE_FACE,
    TABLE_EDGE,
    TABLE_FIELD,
    TABLE_HEIGHT,
    TABLE_SURFACE,
    TABLES
};

static uint32_t table_count(const tac_model *model, int table)
{
    const uint32_t count[TABLES] = {model->bodies,     model->shapes, model->materials, model->material_pairs,
                                    model->exclusions, JOINTS(model), model->polyhedra, model->points,
                                    model->faces,      model->edges,  model->fields,    model->heights,
                                    SURFACES(model)};
    return count[table];
}

// Added to the number of joints if the number of surfaces follows at the end of the head. So a model without surfaces
// has the same bytes in builds with and without them.
#define MODEL_SURFACES UINT32_C(0x80000000)

static void put_model_head(wire_writer *w, const tac_model *model)
{
    const uint32_t surfaces = SURFACES(model);
    wire_put_u16(w, model->bodies);
    wire_put_u16(w, model->shapes);
    wire_put_u16(w, model->materials);
    wire_put_u16(w, model->material_pairs);
    wire_put_u16(w, model->exclusions);
    wire_put_u16(w, model->polyhedra);
    wire_put_u16(w, model->points);
    wire_put_u16(w, model->faces);
    wire_put_u16(w, model->edges);
    wire_put_u16(w, model->fields);
    wire_put_u32(w, model->heights);
    wire_put_u32(w, JOINTS(model) | (surfaces > 0 ? MODEL_SURFACES : 0u));
    wire_put_real(w, model->h);
    value_put_vec3(w, model->gravity);
    wire_put_real(w, model->options.tolerance);
    wire_put_real(w, model->options.omega);
    wire_put_real(w, model->options.lambda);
    wire_put_real(w, model->options.recovery);
    wire_put_real(w, model->options.projection);
    wire_put_real(w, model->options.margin);
    wire_put_real(w, model->options.bounce);
    wire_put_u16(w, model->options.max_sweeps);
    wire_put_u8(w, model->options.solver);
    wire_put_u8(w, model->options.friction);
    wire_put_u8(w, model->options.warm_start);
    wire_put_u8(w, model->options.stabilise);
    wire_put_u8(w, model->options.max_joint_iterations);
    if (surfaces > 0) wire_put_u32(w, surfaces);
}

// The numbers of joints and of surfaces are arguments of their own, because a model in a build without them cannot
// store them.
static int model_fits(const tac_model *model, uint32_t joints, uint32_t surfaces)
{
    static const uint8_t which[TABLES] = {TAC_COUNT_BODIES,         TAC_COUNT_SHAPES,        TAC_COUNT_MATERIALS,
                                          TAC_COUNT_MATERIAL_PAIRS, TAC_COUNT_EXCLUSIONS,    TAC_COUNT_JOINTS,
                                          TAC_COUNT_POLYHEDRA,      TAC_COUNT_POINTS,        TAC_COUNT_FACES,
                                          TAC_COUNT_EDGES,          TAC_COUNT_HEIGHT_FIELDS, TAC_COUNT_HEIGHTS,
                                          TAC_COUNT_SURFACES};
    int over = image_fits(TAC_COUNT_JOINTS, joints);
    if (over == IMAGE_FITS) over = image_fits(TAC_COUNT_SURFACES, surfaces);
    for (int table = 0; table < TABLES && over == IMAGE_FITS; table++) {
        over = image_fits(which[table], table_count(model, table));
    }
    return over;
}

static int get_model_head(wire_reader *r, tac_model *model)
{
    model->bodies = wire_get_u16(r);
    model->shapes = wire_get_u16(r);
    model->materials = wire_get_u16(r);
    model->material_pairs = wire_get_u16(r);
    model->exclusions = wire_get_u16(r);
    model->polyhedra = wire_get_u16(r);
    model->points = wire_get_u16(r);
    model->faces = wire_get_u16(r);
    model->edges = wire_get_u16(r);
    model->fields = wire_get_u16(r);
    model->heights = wire_get_u32(r);
    const uint32_t said = wire_get_u32(r), joints = said & ~MODEL_SURFACES;
    SET_JOINTS(model, joints);
    model->h = wire_get_real(r);
    model->gravity = value_get_vec3(r);
    model->options.tolerance = wire_get_real(r);
    model->options.omega = wire_get_real(r);
    model->options.lambda = wire_get_real(r);
    model->options.recovery = wire_get_real(r);
    model->options.projection = wire_get_real(r);
    model->options.margin = wire_get_real(r);
    model->options.bounce = wire_get_real(r);
    model->options.max_sweeps = wire_get_u16(r);
    model->options.solver = wire_get_u8(r);
    model->options.friction = wire_get_u8(r);
    model->options.warm_start = wire_get_u8(r);
    model->options.stabilise = wire_get_u8(r);
    model->options.max_joint_iterations = wire_get_u8(r);
    const uint32_t surfaces = said & MODEL_SURFACES ? wire_get_u32(r) : 0;
    SET_SURFACES(model, surfaces);
    return model_fits(model, joints, surfaces);
}

static void put_body(wire_writer *w, const tac_body *body)
{
    wire_put_real(w, body->mass);
    value_put_vec3(w, body->inertia);
    value_put_pose(w, body->inertial);
    value_put_pose(w, body->pose);
    value_put_twist(w, body->velocity);
    wire_put_u8(w, body->kind);
}

static void get_body(wire_reader *r, tac_body *body)
{
    body->mass = wire_get_real(r);
    body->inertia = value_get_vec3(r);
    body->inertial = value_get_pose(r);
    body->pose = value_get_pose(r);
    body->velocity = value_get_twist(r);
    body->kind = wire_get_u8(r);
}

static void put_shape(wire_writer *w, const tac_shape *shape)
{
    value_put_pose(w, shape->pose);
    value_put_vec3(w, shape->size);
    wire_put_real(w, shape->rounding);
    wire_put_u16(w, shape->body);
    wire_put_u16(w, shape->group);
    wire_put_u16(w, shape->mask);
    wire_put_u16(w, shape->data);
    const int more = LAW_OF(shape, direction_members);
    wire_put_u8(w, (uint8_t)(shape->kind | (more ? VALUE_MORE : 0u)));
    wire_put_u8(w, shape->material);
    if (more) PUT_LAW(w, shape, direction_members);
}

static int get_shape(wire_reader *r, tac_shape *shape)
{
    shape->pose = value_get_pose(r);
    shape->size = value_get_vec3(r);
    shape->rounding = wire_get_real(r);
    shape->body = wire_get_u16(r);
    shape->group = wire_get_u16(r);
    shape->mask = wire_get_u16(r);
    shape->data = wire_get_u16(r);
    const uint8_t kind = wire_get_u8(r);
    const uint32_t more = kind >= VALUE_MORE;
    shape->kind = kind & (VALUE_MORE - 1u);
    shape->material = wire_get_u8(r);
    if (more) GET_LAW(r, shape, direction_members);
    return image_fits(IMAGE_LAWS, more);
}

static void put_material(wire_writer *w, const tac_material *material)
{
    wire_put_real(w, material->friction);
    wire_put_real(w, material->restitution);
    const int more = LAW_OF(material, material_members);
    wire_put_u8(w, (uint8_t)(material->friction_rule | (more ? VALUE_MORE : 0u)));
    wire_put_u8(w, material->restitution_rule);
    wire_put_real(w, material->stiffness);
    wire_put_real(w, material->damping);
#if TAC_ROLLING
    wire_put_real(w, material->spinning);
    wire_put_real(w, material->rolling);
#endif
    if (more) PUT_LAW(w, material, material_members);
}

static int get_material(wire_reader *r, tac_material *material)
{
    material->friction = wire_get_real(r);
    material->restitution = wire_get_real(r);
    const uint8_t rule = wire_get_u8(r);
    const uint32_t more = rule >= VALUE_MORE;
    material->friction_rule = rule & (VALUE_MORE - 1u);
    material->restitution_rule = wire_get_u8(r);
    material->stiffness = wire_get_real(r);
    material->damping = wire_get_real(r);
#if TAC_ROLLING
    material->spinning = wire_get_real(r);
    material->rolling = wire_get_real(r);
#endif
    if (more) GET_LAW(r, material, material_members);
    return image_fits(IMAGE_LAWS, more);
}

// In place of the index of a material, which all have a meaning below 250: both follow, and more members.
#define PAIR_MORE 0xffu

static void put_material_pair(wire_writer *w, const tac_material_pair *pair)
{
    const int more = LAW_OF(pair, pair_members);
    wire_put_real(w, pair->friction);
    wire_put_real(w, pair->restitution);
    if (more) wire_put_u8(w, PAIR_MORE);
    wire_put_u8(w, pair->a);
    wire_put_u8(w, pair->b);
    wire_put_real(w, pair->stiffness);
    wire_put_real(w, pair->damping);
#if TAC_ROLLING
    wire_put_real(w, pair->spinning);
    wire_put_real(w, pair->rolling);
#endif
    if (more) PUT_LAW(w, pair, pair_members);
}

static int get_material_pair(wire_reader *r, tac_material_pair *pair)
{
    pair->friction = wire_get_real(r);
    pair->restitution = wire_get_real(r);
    const uint8_t first = wire_get_u8(r);
    const uint32_t more = first == PAIR_MORE;
    pair->a = more ? wire_get_u8(r) : first;
    pair->b = wire_get_u8(r);
    pair->stiffness = wire_get_real(r);
    pair->damping = wire_get_real(r);
#if TAC_ROLLING
    pair->spinning = wire_get_real(r);
    pair->rolling = wire_get_real(r);
#endif
    if (more) GET_LAW(r, pair, pair_members);
    return image_fits(IMAGE_LAWS, more);
}

static const value_member exclusion_members[] = {{VALUE_IN_16(tac_exclusion, a)}, {VALUE_IN_16(tac_exclusion, b)}};
static const value_member polyhedron_members[] = {
    {VALUES(tac_polyhedron, low)},
    {VALUES(tac_polyhedron, high)},
    {VALUE_IN_16(tac_polyhedron, first_point)},
    {VALUE_IN_16(tac_polyhedron, points)},
    {VALUE_IN_16(tac_polyhedron, first_face)},
    {VALUE_IN_16(tac_polyhedron, faces)},
    {VALUE_IN_16(tac_polyhedron, first_edge)},
    {VALUE_IN_16(tac_polyhedron, edges)},
    {VALUE_IN_16(tac_polyhedron, convex)},
    {VALUE_IN_16(tac_polyhedron, spare)},
};
static const value_member face_members[] = {
    {VALUES(tac_face, n)}, {VALUES(tac_face, d)}, {VALUE_IN_16(tac_face, first)}, {VALUE_IN_16(tac_face, edges)}};
static const value_member node_members[] = {
    {VALUES(tac_node, bound)}, {VALUE_IN_16(tac_node, leaf)}, {VALUE_IN_16(tac_node, skip)}};
static const value_member edge_members[] = {{VALUE_IN_16(tac_edge, point)}, {VALUE_IN_16(tac_edge, across)}};

// A face is sent together with the nodes 2 i and 2 i + 1 of the tree.
static void put_face(wire_writer *w, const tac_model *model, uint32_t i)
{
    value_put_members(w, &model->face[i], MEMBERS(face_members));
    for (uint32_t k = 0; k < 2; k++) value_put_members(w, &model->node[2 * i + k], MEMBERS(node_members));
}

static void get_face(wire_reader *r, tac_model *model, uint32_t i)
{
    value_get_members(r, &model->face[i], MEMBERS(face_members));
    for (uint32_t k = 0; k < 2; k++) value_get_members(r, &model->node[2 * i + k], MEMBERS(node_members));
}

static void put_field(wire_writer *w, const tac_height_field *field)
{
    wire_put_real(w, field->dx);
    wire_put_real(w, field->dy);
    wire_put_real(w, field->scale);
    wire_put_real(w, field->low);
    wire_put_real(w, field->high);
    wire_put_u32(w, field->first);
    wire_put_u16(w, field->columns);
    wire_put_u16(w, field->rows);
}

static void get_field(wire_reader *r, tac_height_field *field)
{
    field->dx = wire_get_real(r);
    field->dy = wire_get_real(r);
    field->scale = wire_get_real(r);
    field->low = wire_get_real(r);
    field->high = wire_get_real(r);
    field->first = wire_get_u32(r);
    field->columns = wire_get_u16(r);
    field->rows = wire_get_u16(r);
}

// Integers are sent in two's complement: conversion to unsigned gives these bits on every machine.
static void put_height(wire_writer *w, tac_height height)
{
#if TAC_HEIGHT_BITS == 8
    wire_put_u8(w, (uint8_t)height);
#elif TAC_HEIGHT_BITS == 16
    wire_put_u16(w, (uint16_t)height);
#else
    wire_put_real(w, height);
#endif
}

static tac_height get_height(wire_reader *r)
{
#if TAC_HEIGHT_BITS == 8
    const int value = wire_get_u8(r);
    return (tac_height)(value < 128 ? value : value - 256);
#elif TAC_HEIGHT_BITS == 16
    const int32_t value = wire_get_u16(r);
    return (tac_height)(value < 32768 ? value : value - 65536);
#else
    return wire_get_real(r);
#endif
}

#if TAC_MAX_SURFACES > 0
static const value_member surface_members[] = {{VALUES(tac_surface, linear)},
                                               {VALUES(tac_surface, angular)},
                                               {VALUES(tac_surface, point)},
                                               {VALUE_IN_16(tac_surface, shape)}};
#else
static const value_member surface_members[] = {{0, VALUE_REALS, 0}}; // never sent: this build accepts no surfaces
#endif

// The table that element `*i` after the head belongs to; `*i` becomes its index in that table.
static int table_of(const tac_model *model, uint32_t *i)
{
    int table = 0;
    for (; table < TABLES - 1 && *i >= table_count(model, table); table++) { *i -= table_count(model, table); }
    return table;
}

void image_model_put(wire_writer *w, const tac_model *model, uint32_t element)
{
    uint32_t i = element - 1;

    if (element == 0) {
        put_model_head(w, model);
        return;
    }
    switch (table_of(model, &i)) {
    case TABLE_BODY:
        put_body(w, &model->body[i]);
        break;
    case TABLE_SHAPE:
        put_shape(w, &model->shape[i]);
        break;
    case TABLE_MATERIAL:
        put_material(w, &model->material[i]);
        break;
    case TABLE_MATERIAL_PAIR:
        put_material_pair(w, &model->material_pair[i]);
        break;
    case TABLE_EXCLUSION:
        value_put_members(w, &model->exclusion[i], MEMBERS(exclusion_members));
        break;
    case TABLE_JOINT:
        put_joint(w, JOINT_AT(model, i));
        break;
    case TABLE_POLYHEDRON:
        value_put_members(w, &model->polyhedron[i], MEMBERS(polyhedron_members));
        break;
    case TABLE_POINT:
        value_put_vec3(w, model->point[i]);
        break;
    case TABLE_FACE:
        put_face(w, model, i);
        break;
    case TABLE_EDGE:
        value_put_members(w, &model->edge[i], MEMBERS(edge_members));
        break;
    case TABLE_FIELD:
        put_field(w, &model->field[i]);
        break;
    case TABLE_HEIGHT:
        put_height(w, model->height[i]);
        break;
    default:
        value_put_members(w, SURFACE_AT(model, i), MEMBERS(surface_members));
        break;
    }
}

int image_model_get(wire_reader *r, tac_model *model, uint32_t element)
{
    uint32_t i = element - 1;

    if (element == 0) return get_model_head(r, model);
    switch (table_of(model, &i)) {
    case TABLE_BODY:
        get_body(r, &model->body[i]);
        break;
    case TABLE_SHAPE:
        return get_shape(r, &model->shape[i]);
    case TABLE_MATERIAL:
        return get_material(r, &model->material[i]);
    case TABLE_MATERIAL_PAIR:
        return get_material_pair(r, &model->material_pair[i]);
    case TABLE_EXCLUSION:
        value_get_members(r, &model->exclusion[i], MEMBERS(exclusion_members));
        break;
    case TABLE_JOINT:
        return get_joint(r, JOINT_AT(model, i));
    case TABLE_POLYHEDRON:
        value_get_members(r, &model->polyhedron[i], MEMBERS(polyhedron_members));
        break;
    case TABLE_POINT:
        model->point[i] = value_get_vec3(r);
        break;
    case TABLE_FACE:
        get_face(r, model, i);
        break;
    case TABLE_EDGE:
        value_get_members(r, &model->edge[i], MEMBERS(edge_members));
        break;
    case TABLE_FIELD:
        get_field(r, &model->field[i]);
        break;
    case TABLE_HEIGHT:
        model->height[i] = get_height(r);
        break;
    default:
        value_get_members(r, SURFACE_AT(model, i), MEMBERS(surface_members));
        break;
    }
    return IMAGE_FITS;
}

int image_model_over(const tac_model *model)
{
    return model_fits(model, JOINTS(model), SURFACES(model));
}

uint32_t image_model_count(const tac_model *model)
{
    uint32_t count = 1;
    for (int table = 0; table < TABLES; table++) { count += table_count(model, table); }
    return count;
}
