// SPDX-License-Identifier: MIT
#include "link/image.h"
#include "tactus/tactus.h"
#include <stddef.h>

// Room for each count of a head, in the order that TAC_FIELD_COUNT has for them (tac_fault in types.h).
enum {
    COUNT_BODIES,
    COUNT_SHAPES,
    COUNT_MATERIALS,
    COUNT_MATERIAL_PAIRS,
    COUNT_IMPULSES,
    COUNT_ACTIONS,
    COUNT_EXCLUSIONS,
    COUNT_POLYHEDRA,
    COUNT_POINTS,
    COUNT_FACES,
    COUNT_EDGES,
    COUNT_FIELDS,
    COUNT_HEIGHTS,
    COUNT_JOINTS,
    COUNT_MOTORS,
    COUNTS
};

static int fits(int which, uint32_t count)
{
    static const uint32_t room[COUNTS] = {
        TAC_MAX_BODIES + 1, TAC_MAX_SHAPES,     TAC_MAX_MATERIALS, TAC_MAX_MATERIAL_PAIRS, TAC_MAX_CONTACTS,
        TAC_MAX_ACTIONS,    TAC_MAX_EXCLUSIONS, TAC_MAX_POLYHEDRA, TAC_MAX_POINTS,         TAC_MAX_FACES,
        TAC_MAX_EDGES,      TAC_MAX_FIELDS,     TAC_MAX_HEIGHTS,   TAC_MAX_JOINTS,         TAC_MAX_JOINTS};
    return count <= room[which] ? IMAGE_FITS : which;
}

// ------------------------------------------------------------------------------------------------------ small values

static void put_vec3(wire_writer *w, tac_vec3 v)
{
    wire_put_real(w, v.x);
    wire_put_real(w, v.y);
    wire_put_real(w, v.z);
}

static void put_pose(wire_writer *w, tac_pose pose)
{
    put_vec3(w, pose.p);
    wire_put_real(w, pose.q.w);
    wire_put_real(w, pose.q.x);
    wire_put_real(w, pose.q.y);
    wire_put_real(w, pose.q.z);
}

static void put_twist(wire_writer *w, tac_twist twist)
{
    put_vec3(w, twist.v);
    put_vec3(w, twist.w);
}

static void put_carry(wire_writer *w, tac_carry carry)
{
    put_vec3(w, carry.p);
    put_vec3(w, carry.v);
    put_vec3(w, carry.w);
}

static void put_feature(wire_writer *w, tac_feature id)
{
    wire_put_u16(w, id.shape_a);
    wire_put_u16(w, id.shape_b);
    wire_put_u32(w, id.feature);
}

static tac_vec3 get_vec3(wire_reader *r)
{
    tac_vec3 v;
    v.x = wire_get_real(r);
    v.y = wire_get_real(r);
    v.z = wire_get_real(r);
    return v;
}

static tac_pose get_pose(wire_reader *r)
{
    tac_pose pose;
    pose.p = get_vec3(r);
    pose.q.w = wire_get_real(r);
    pose.q.x = wire_get_real(r);
    pose.q.y = wire_get_real(r);
    pose.q.z = wire_get_real(r);
    return pose;
}

static tac_twist get_twist(wire_reader *r)
{
    tac_twist twist;
    twist.v = get_vec3(r);
    twist.w = get_vec3(r);
    return twist;
}

static tac_carry get_carry(wire_reader *r)
{
    tac_carry carry;
    carry.p = get_vec3(r);
    carry.v = get_vec3(r);
    carry.w = get_vec3(r);
    return carry;
}

static tac_feature get_feature(wire_reader *r)
{
    tac_feature id;
    id.shape_a = wire_get_u16(r);
    id.shape_b = wire_get_u16(r);
    id.feature = wire_get_u32(r);
    return id;
}

// ------------------------------------------------------------------------------------------------------------ joints
// What belongs to joints is written and read by tables: a field more in types.h is one line more here. A build without
// joints has none of their arrays, and says that there are no elements: so nobody comes for one.

#if TAC_MAX_JOINTS > 0
#define JOINTS(model) ((model)->joints)
#define SET_JOINTS(model, value) ((model)->joints = (value))
#define JOINT_AT(owner, i) (&(owner)->joint[i])
#define MOTORS(input) ((input)->motors)
#define SET_MOTORS(input, value) ((input)->motors = (value))
#define MOTOR_AT(input, i) (&(input)->motor[i])
#else
#define JOINTS(model) ((void)(model), UINT32_C(0))
#define SET_JOINTS(model, value) ((void)(model))
#define JOINT_AT(owner, i) ((void)(owner), (void)(i), (void *)0)
#define MOTORS(input) ((void)(input), UINT32_C(0))
#define SET_MOTORS(input, value) ((void)(input))
#define MOTOR_AT(input, i) ((void)(input), (void)(i), (void *)0)
#endif

/// Values of one type in a struct: some reals, be they a pose or an array, or one integer.
typedef struct member {
    uint16_t offset;
    uint8_t kind, count;
} member;

enum { MEMBER_REALS, MEMBER_U16, MEMBER_U8 };

#define REALS(type, name) offsetof(type, name), MEMBER_REALS, sizeof(((type *)0)->name) / sizeof(tac_real)
#define U16(type, name) offsetof(type, name), MEMBER_U16, 1
#define U8(type, name) offsetof(type, name), MEMBER_U8, 1

static const member joint_members[] = {
    {REALS(tac_joint, frame_a)},        {REALS(tac_joint, frame_b)},      {REALS(tac_joint, length)},
    {REALS(tac_joint, lower)},          {REALS(tac_joint, upper)},        {REALS(tac_joint, friction)},
    {REALS(tac_joint, damping)},        {REALS(tac_joint, stiffness)},    {REALS(tac_joint, rest)},
    {REALS(tac_joint, armature)},       {REALS(tac_joint, effort)},       {REALS(tac_joint, speed)},
    {REALS(tac_joint, stop_stiffness)}, {REALS(tac_joint, stop_damping)},
};
static const member bushing_members[] = {
    {REALS(tac_joint, frame_a)}, {REALS(tac_joint, frame_b)},       {REALS(tac_joint, along)},
    {REALS(tac_joint, about)},   {REALS(tac_joint, along_damping)}, {REALS(tac_joint, about_damping)},
};
static const member joint_warm_members[] = {{REALS(tac_joint_warm, row)}, {REALS(tac_joint_warm, box)}};
static const member joint_result_members[] = {
    {REALS(tac_joint_result, force)},
    {REALS(tac_joint_result, torque)},
    {REALS(tac_joint_result, effort)},
};
static const member motor_members[] = {
    {REALS(tac_motor, position)},  {REALS(tac_motor, velocity)}, {REALS(tac_motor, effort)},
    {REALS(tac_motor, stiffness)}, {REALS(tac_motor, damping)},  {U16(tac_motor, joint)},
    {U16(tac_motor, kind)},
};

#define MEMBERS(table) table, sizeof table / sizeof table[0]

static void put_members(wire_writer *w, const void *object, const member *m, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const void *at = (const uint8_t *)object + m[i].offset;
        if (m[i].kind == MEMBER_U8) wire_put_u8(w, *(const uint8_t *)at);
        if (m[i].kind == MEMBER_U16) wire_put_u16(w, *(const uint16_t *)at);
        if (m[i].kind != MEMBER_REALS) continue;
        for (uint32_t k = 0; k < m[i].count; k++) wire_put_real(w, ((const tac_real *)at)[k]);
    }
}

static void get_members(wire_reader *r, void *object, const member *m, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        void *at = (uint8_t *)object + m[i].offset;
        if (m[i].kind == MEMBER_U8) *(uint8_t *)at = wire_get_u8(r);
        if (m[i].kind == MEMBER_U16) *(uint16_t *)at = wire_get_u16(r);
        if (m[i].kind != MEMBER_REALS) continue;
        for (uint32_t k = 0; k < m[i].count; k++) ((tac_real *)at)[k] = wire_get_real(r);
    }
}

// Kind and bodies first: they say which reals follow, and what the others are.
static void put_joint(wire_writer *w, const tac_joint *joint)
{
    wire_put_u8(w, joint->kind);
    wire_put_u8(w, joint->collide);
    wire_put_u16(w, joint->body_a);
    wire_put_u16(w, joint->body_b);
    if (joint->kind == TAC_BUSHING) {
        put_members(w, joint, MEMBERS(bushing_members));
    } else {
        put_members(w, joint, MEMBERS(joint_members));
    }
}

#if TAC_MAX_JOINTS > 0
static void get_joint(wire_reader *r, tac_joint *joint)
{
    const uint8_t kind = wire_get_u8(r), collide = wire_get_u8(r);
    const uint16_t a = wire_get_u16(r), b = wire_get_u16(r);
    tac_joint_init(joint, kind, a, b);
    joint->collide = collide;
    if (kind == TAC_BUSHING) {
        get_members(r, joint, MEMBERS(bushing_members));
    } else {
        get_members(r, joint, MEMBERS(joint_members));
    }
}
#else
static void get_joint(wire_reader *r, tac_joint *joint)
{
    get_members(r, joint, MEMBERS(joint_members)); // nobody comes for one
}
#endif

// ------------------------------------------------------------------------------------------------------------- model

// The tables of a model, in the order of their elements behind the head.
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
    TABLES
};

static uint32_t table_count(const tac_model *model, int table)
{
    const uint32_t count[TABLES] = {model->bodies,     model->shapes, model->materials, model->material_pairs,
                                    model->exclusions, JOINTS(model), model->polyhedra, model->points,
                                    model->faces,      model->edges,  model->fields,    model->heights};
    return count[table];
}

static void put_model_head(wire_writer *w, const tac_model *model)
{
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
    wire_put_u32(w, JOINTS(model));
    wire_put_real(w, model->h);
    put_vec3(w, model->gravity);
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
}

// Joints are told apart from the model, as a build without them does not keep their number.
static int model_fits(const tac_model *model, uint32_t joints)
{
    static const uint8_t which[TABLES] = {COUNT_BODIES,     COUNT_SHAPES, COUNT_MATERIALS, COUNT_MATERIAL_PAIRS,
                                          COUNT_EXCLUSIONS, COUNT_JOINTS, COUNT_POLYHEDRA, COUNT_POINTS,
                                          COUNT_FACES,      COUNT_EDGES,  COUNT_FIELDS,    COUNT_HEIGHTS};
    int over = fits(COUNT_JOINTS, joints);
    for (int table = 0; table < TABLES && over == IMAGE_FITS; table++) {
        over = fits(which[table], table_count(model, table));
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
    const uint32_t joints = wire_get_u32(r);
    SET_JOINTS(model, joints);
    model->h = wire_get_real(r);
    model->gravity = get_vec3(r);
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
    return model_fits(model, joints);
}

static void put_body(wire_writer *w, const tac_body *body)
{
    wire_put_real(w, body->mass);
    put_vec3(w, body->inertia);
    put_pose(w, body->inertial);
    put_pose(w, body->pose);
    put_twist(w, body->velocity);
    wire_put_u8(w, body->kind);
}

static void get_body(wire_reader *r, tac_body *body)
{
    body->mass = wire_get_real(r);
    body->inertia = get_vec3(r);
    body->inertial = get_pose(r);
    body->pose = get_pose(r);
    body->velocity = get_twist(r);
    body->kind = wire_get_u8(r);
}

static void put_shape(wire_writer *w, const tac_shape *shape)
{
    put_pose(w, shape->pose);
    put_vec3(w, shape->size);
    wire_put_real(w, shape->rounding);
    wire_put_u16(w, shape->body);
    wire_put_u16(w, shape->group);
    wire_put_u16(w, shape->mask);
    wire_put_u16(w, shape->data);
    wire_put_u8(w, shape->kind);
    wire_put_u8(w, shape->material);
}

static void get_shape(wire_reader *r, tac_shape *shape)
{
    shape->pose = get_pose(r);
    shape->size = get_vec3(r);
    shape->rounding = wire_get_real(r);
    shape->body = wire_get_u16(r);
    shape->group = wire_get_u16(r);
    shape->mask = wire_get_u16(r);
    shape->data = wire_get_u16(r);
    shape->kind = wire_get_u8(r);
    shape->material = wire_get_u8(r);
}

static void put_material(wire_writer *w, const tac_material *material)
{
    wire_put_real(w, material->friction);
    wire_put_real(w, material->restitution);
    wire_put_u8(w, material->friction_rule);
    wire_put_u8(w, material->restitution_rule);
#if TAC_ROLLING
    wire_put_real(w, material->spinning);
    wire_put_real(w, material->rolling);
#endif
}

static void get_material(wire_reader *r, tac_material *material)
{
    material->friction = wire_get_real(r);
    material->restitution = wire_get_real(r);
    material->friction_rule = wire_get_u8(r);
    material->restitution_rule = wire_get_u8(r);
#if TAC_ROLLING
    material->spinning = wire_get_real(r);
    material->rolling = wire_get_real(r);
#endif
}

static void put_material_pair(wire_writer *w, const tac_material_pair *pair)
{
    wire_put_real(w, pair->friction);
    wire_put_real(w, pair->restitution);
    wire_put_u8(w, pair->a);
    wire_put_u8(w, pair->b);
#if TAC_ROLLING
    wire_put_real(w, pair->spinning);
    wire_put_real(w, pair->rolling);
#endif
}

static void get_material_pair(wire_reader *r, tac_material_pair *pair)
{
    pair->friction = wire_get_real(r);
    pair->restitution = wire_get_real(r);
    pair->a = wire_get_u8(r);
    pair->b = wire_get_u8(r);
#if TAC_ROLLING
    pair->spinning = wire_get_real(r);
    pair->rolling = wire_get_real(r);
#endif
}

static void put_exclusion(wire_writer *w, const tac_exclusion *exclusion)
{
    wire_put_u16(w, exclusion->a);
    wire_put_u16(w, exclusion->b);
}

static void get_exclusion(wire_reader *r, tac_exclusion *exclusion)
{
    exclusion->a = wire_get_u16(r);
    exclusion->b = wire_get_u16(r);
}

static void put_polyhedron(wire_writer *w, const tac_polyhedron *polyhedron)
{
    put_vec3(w, polyhedron->low);
    put_vec3(w, polyhedron->high);
    wire_put_u16(w, polyhedron->first_point);
    wire_put_u16(w, polyhedron->points);
    wire_put_u16(w, polyhedron->first_face);
    wire_put_u16(w, polyhedron->faces);
    wire_put_u16(w, polyhedron->first_edge);
    wire_put_u16(w, polyhedron->edges);
    wire_put_u16(w, polyhedron->convex);
    wire_put_u16(w, polyhedron->spare);
}

static void get_polyhedron(wire_reader *r, tac_polyhedron *polyhedron)
{
    polyhedron->low = get_vec3(r);
    polyhedron->high = get_vec3(r);
    polyhedron->first_point = wire_get_u16(r);
    polyhedron->points = wire_get_u16(r);
    polyhedron->first_face = wire_get_u16(r);
    polyhedron->faces = wire_get_u16(r);
    polyhedron->first_edge = wire_get_u16(r);
    polyhedron->edges = wire_get_u16(r);
    polyhedron->convex = wire_get_u16(r);
    polyhedron->spare = wire_get_u16(r);
}

static void put_node(wire_writer *w, const tac_node *node)
{
    put_vec3(w, node->low);
    put_vec3(w, node->high);
    wire_put_u16(w, node->leaf);
    wire_put_u16(w, node->skip);
}

static void get_node(wire_reader *r, tac_node *node)
{
    node->low = get_vec3(r);
    node->high = get_vec3(r);
    node->leaf = wire_get_u16(r);
    node->skip = wire_get_u16(r);
}

// A face comes with its two nodes, whose places in their table follow from its own.
static void put_face(wire_writer *w, const tac_model *model, uint32_t i)
{
    const tac_face *face = &model->face[i];
    put_vec3(w, face->n);
    wire_put_real(w, face->d);
    wire_put_u16(w, face->first);
    wire_put_u16(w, face->edges);
    put_node(w, &model->node[2 * i]);
    put_node(w, &model->node[2 * i + 1]);
}

static void get_face(wire_reader *r, tac_model *model, uint32_t i)
{
    tac_face *face = &model->face[i];
    face->n = get_vec3(r);
    face->d = wire_get_real(r);
    face->first = wire_get_u16(r);
    face->edges = wire_get_u16(r);
    get_node(r, &model->node[2 * i]);
    get_node(r, &model->node[2 * i + 1]);
}

static void put_edge(wire_writer *w, const tac_edge *edge)
{
    wire_put_u16(w, edge->point);
    wire_put_u16(w, edge->across);
}

static void get_edge(wire_reader *r, tac_edge *edge)
{
    edge->point = wire_get_u16(r);
    edge->across = wire_get_u16(r);
}

static void put_field(wire_writer *w, const tac_field *field)
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

static void get_field(wire_reader *r, tac_field *field)
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

// Two's complement; the unsigned value is the same on the other side, whatever an int is there.
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

// Each table takes the numbers below its count and passes the rest on.
static int table_of(const tac_model *model, uint32_t *i)
{
    int table = 0;
    for (; table < TABLE_HEIGHT && *i >= table_count(model, table); table++) { *i -= table_count(model, table); }
    return table;
}

static void put_model(wire_writer *w, const tac_model *model, uint32_t element)
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
        put_exclusion(w, &model->exclusion[i]);
        break;
    case TABLE_JOINT:
        put_joint(w, JOINT_AT(model, i));
        break;
    case TABLE_POLYHEDRON:
        put_polyhedron(w, &model->polyhedron[i]);
        break;
    case TABLE_POINT:
        put_vec3(w, model->point[i]);
        break;
    case TABLE_FACE:
        put_face(w, model, i);
        break;
    case TABLE_EDGE:
        put_edge(w, &model->edge[i]);
        break;
    case TABLE_FIELD:
        put_field(w, &model->field[i]);
        break;
    default:
        put_height(w, model->height[i]);
        break;
    }
}

static int get_model(wire_reader *r, tac_model *model, uint32_t element)
{
    uint32_t i = element - 1;

    if (element == 0) return get_model_head(r, model);
    switch (table_of(model, &i)) {
    case TABLE_BODY:
        get_body(r, &model->body[i]);
        break;
    case TABLE_SHAPE:
        get_shape(r, &model->shape[i]);
        break;
    case TABLE_MATERIAL:
        get_material(r, &model->material[i]);
        break;
    case TABLE_MATERIAL_PAIR:
        get_material_pair(r, &model->material_pair[i]);
        break;
    case TABLE_EXCLUSION:
        get_exclusion(r, &model->exclusion[i]);
        break;
    case TABLE_JOINT:
        get_joint(r, JOINT_AT(model, i));
        break;
    case TABLE_POLYHEDRON:
        get_polyhedron(r, &model->polyhedron[i]);
        break;
    case TABLE_POINT:
        model->point[i] = get_vec3(r);
        break;
    case TABLE_FACE:
        get_face(r, model, i);
        break;
    case TABLE_EDGE:
        get_edge(r, &model->edge[i]);
        break;
    case TABLE_FIELD:
        get_field(r, &model->field[i]);
        break;
    default:
        model->height[i] = get_height(r);
        break;
    }
    return IMAGE_FITS;
}

static uint32_t count_model(const tac_model *model)
{
    uint32_t count = 1;
    for (int table = 0; table < TABLES; table++) { count += table_count(model, table); }
    return count;
}

// ------------------------------------------------------------------------------------------------------------- state

static void put_warm(wire_writer *w, const tac_warm *warm)
{
    put_feature(w, warm->id);
    put_vec3(w, warm->impulse);
#if TAC_ROLLING
    put_vec3(w, warm->torque);
#endif
}

static void get_warm(wire_reader *r, tac_warm *warm)
{
    warm->id = get_feature(r);
    warm->impulse = get_vec3(r);
#if TAC_ROLLING
    warm->torque = get_vec3(r);
#endif
}

// Behind the head: bodies, impulses of contacts, impulses of joints.
static void put_state(wire_writer *w, const tac_state *state, image_world world, uint32_t element)
{
    uint32_t i = element - 1;

    if (element == 0) {
        wire_put_u64(w, state->step);
        wire_put_u32(w, state->model_hash);
        wire_put_u16(w, state->warm_count);
        wire_put_u16(w, state->contacts_peak);
        return;
    }
    if (i < world.bodies) {
        put_pose(w, state->pose[i]);
        put_twist(w, state->twist[i]);
        put_carry(w, state->carry[i]);
        return;
    }
    i -= world.bodies;
    if (i < state->warm_count) {
        put_warm(w, &state->warm[i]);
    } else {
        put_members(w, JOINT_AT(state, i - state->warm_count), MEMBERS(joint_warm_members));
    }
}

static int get_state(wire_reader *r, tac_state *state, image_world world, uint32_t element)
{
    uint32_t i = element - 1;

    if (element == 0) {
        state->step = wire_get_u64(r);
        state->model_hash = wire_get_u32(r);
        state->warm_count = wire_get_u16(r);
        state->contacts_peak = wire_get_u16(r);
        return fits(COUNT_IMPULSES, state->warm_count);
    }
    if (i < world.bodies) {
        state->pose[i] = get_pose(r);
        state->twist[i] = get_twist(r);
        state->carry[i] = get_carry(r);
        return IMAGE_FITS;
    }
    i -= world.bodies;
    if (i < state->warm_count) {
        get_warm(r, &state->warm[i]);
    } else {
        get_members(r, JOINT_AT(state, i - state->warm_count), MEMBERS(joint_warm_members));
    }
    return IMAGE_FITS;
}

// ------------------------------------------------------------------------------------------------------------- input

// In the head, with the number of actions: the number of motors follows. So an input without motors has the same bytes
// whether the firmware knows joints or not.
#define INPUT_MOTORS 0x8000u

static void put_input(wire_writer *w, const tac_input *input, uint32_t element)
{
    const uint32_t motors = MOTORS(input), i = element - 1;

    if (element == 0) {
        wire_put_u16(w, (uint16_t)(input->actions | (motors > 0 ? INPUT_MOTORS : 0u)));
        if (motors > 0) wire_put_u16(w, (uint16_t)motors);
    } else if (i < input->actions) {
        const tac_action *action = &input->action[i];
        put_vec3(w, action->linear);
        put_vec3(w, action->angular);
        put_vec3(w, action->point);
        wire_put_u16(w, action->body);
        wire_put_u16(w, action->kind);
    } else {
        put_members(w, MOTOR_AT(input, i - input->actions), MEMBERS(motor_members));
    }
}

static int get_input_head(wire_reader *r, tac_input *input)
{
    const uint16_t head = wire_get_u16(r);
    const uint32_t motors = head & INPUT_MOTORS ? wire_get_u16(r) : 0;

    input->actions = (uint16_t)(head & ~INPUT_MOTORS);
    SET_MOTORS(input, motors);
    const int actions_fit = fits(COUNT_ACTIONS, input->actions);
    return actions_fit == IMAGE_FITS ? fits(COUNT_MOTORS, motors) : actions_fit;
}

static int get_input(wire_reader *r, tac_input *input, uint32_t element)
{
    const uint32_t i = element - 1;

    if (element == 0) return get_input_head(r, input);
    if (i < input->actions) {
        tac_action *action = &input->action[i];
        action->linear = get_vec3(r);
        action->angular = get_vec3(r);
        action->point = get_vec3(r);
        action->body = wire_get_u16(r);
        action->kind = wire_get_u16(r);
    } else {
        get_members(r, MOTOR_AT(input, i - input->actions), MEMBERS(motor_members));
    }
    return IMAGE_FITS;
}

// ---------------------------------------------------------------------------------------------------------- contacts

static void put_contact(wire_writer *w, const tac_work *work, uint32_t i)
{
    if (i == 0) {
        wire_put_u16(w, work->report.contacts);
        return;
    }
    const tac_contact *contact = &work->contact[i - 1];
    put_feature(w, contact->id);
    wire_put_u16(w, contact->body_a);
    wire_put_u16(w, contact->body_b);
    wire_put_u8(w, contact->mode);
    put_vec3(w, contact->point);
    put_vec3(w, contact->n);
    put_vec3(w, contact->u);
    put_vec3(w, contact->w);
    wire_put_real(w, contact->gap);
    wire_put_real(w, contact->mu);
    wire_put_real(w, contact->restitution);
    put_vec3(w, contact->impulse);
    put_vec3(w, contact->velocity);
#if TAC_ROLLING
    wire_put_real(w, contact->spinning);
    wire_put_real(w, contact->rolling);
    put_vec3(w, contact->torque);
#endif
}

static int get_contact(wire_reader *r, tac_work *work, uint32_t i)
{
    if (i == 0) {
        work->report.contacts = wire_get_u16(r);
        return fits(COUNT_IMPULSES, work->report.contacts); // as many as contacts
    }
    tac_contact *contact = &work->contact[i - 1];
    contact->id = get_feature(r);
    contact->body_a = wire_get_u16(r);
    contact->body_b = wire_get_u16(r);
    contact->mode = wire_get_u8(r);
    contact->point = get_vec3(r);
    contact->n = get_vec3(r);
    contact->u = get_vec3(r);
    contact->w = get_vec3(r);
    contact->gap = wire_get_real(r);
    contact->mu = wire_get_real(r);
    contact->restitution = wire_get_real(r);
    contact->impulse = get_vec3(r);
    contact->velocity = get_vec3(r);
#if TAC_ROLLING
    contact->spinning = wire_get_real(r);
    contact->rolling = wire_get_real(r);
    contact->torque = get_vec3(r);
#endif
    return IMAGE_FITS;
}

// ------------------------------------------------------------------------------------------------- results of joints

static void put_results(wire_writer *w, const image_joints *joints, uint32_t element)
{
    if (element == 0) {
        wire_put_u16(w, joints->count);
    } else {
        put_members(w, &joints->result[element - 1], MEMBERS(joint_result_members));
    }
}

static int get_results(wire_reader *r, image_joints *joints, uint32_t element)
{
    if (element == 0) {
        joints->count = wire_get_u16(r);
        return fits(COUNT_JOINTS, joints->count);
    }
    get_members(r, &joints->result[element - 1], MEMBERS(joint_result_members));
    return IMAGE_FITS;
}

// ---------------------------------------------------------------------------------------------------------- any kind

image_world image_world_of(const tac_model *model)
{
    const image_world world = {model->bodies, (uint16_t)JOINTS(model)};
    return world;
}

int image_world_fits(image_world world)
{
    const int bodies_fit = fits(COUNT_BODIES, world.bodies);
    return bodies_fit == IMAGE_FITS ? fits(COUNT_JOINTS, world.joints) : bodies_fit;
}

uint32_t image_count(image_kind kind, const void *object, image_world world)
{
    switch (kind) {
    case IMAGE_MODEL:
        return count_model(object);
    case IMAGE_STATE:
        return 1u + world.bodies + ((const tac_state *)object)->warm_count + world.joints;
    case IMAGE_INPUT:
        return 1u + ((const tac_input *)object)->actions + MOTORS((const tac_input *)object);
    case IMAGE_CONTACTS:
        return 1u + ((const tac_work *)object)->report.contacts;
    case IMAGE_JOINTS:
        return 1u + ((const image_joints *)object)->count;
    default:
        return 0;
    }
}

void image_put(image_kind kind, const void *object, image_world world, wire_writer *w, uint32_t element)
{
    switch (kind) {
    case IMAGE_MODEL:
        put_model(w, object, element);
        break;
    case IMAGE_STATE:
        put_state(w, object, world, element);
        break;
    case IMAGE_INPUT:
        put_input(w, object, element);
        break;
    case IMAGE_CONTACTS:
        put_contact(w, object, element);
        break;
    case IMAGE_JOINTS:
        put_results(w, object, element);
        break;
    default:
        break;
    }
}

int image_get(image_kind kind, void *object, image_world world, wire_reader *r, uint32_t element)
{
    switch (kind) {
    case IMAGE_MODEL:
        return get_model(r, object, element);
    case IMAGE_STATE:
        return get_state(r, object, world, element);
    case IMAGE_INPUT:
        return get_input(r, object, element);
    case IMAGE_CONTACTS:
        return get_contact(r, object, element);
    case IMAGE_JOINTS:
        return get_results(r, object, element);
    default:
        return IMAGE_FITS;
    }
}
