// SPDX-License-Identifier: MIT
#include "link/image.h"

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

// ------------------------------------------------------------------------------------------------------------- model

// A build without joints has no table of them, and says that there are none.
#if TAC_MAX_JOINTS > 0
#define IMAGE_JOINTS(model) ((model)->joints)
#else
#define IMAGE_JOINTS(model) ((void)(model), UINT32_C(0))
#endif

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
    wire_put_u32(w, IMAGE_JOINTS(model));
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
#if TAC_MAX_JOINTS > 0
    model->joints = joints;
#endif
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
    return model->bodies <= TAC_MAX_BODIES + 1 && model->shapes <= TAC_MAX_SHAPES &&
           model->materials <= TAC_MAX_MATERIALS && model->material_pairs <= TAC_MAX_MATERIAL_PAIRS &&
           model->exclusions <= TAC_MAX_EXCLUSIONS && model->polyhedra <= TAC_MAX_POLYHEDRA &&
           model->points <= TAC_MAX_POINTS && model->faces <= TAC_MAX_FACES && model->edges <= TAC_MAX_EDGES &&
           model->fields <= TAC_MAX_FIELDS && model->heights <= TAC_MAX_HEIGHTS && joints <= TAC_MAX_JOINTS;
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

#if TAC_MAX_JOINTS > 0
static void put_joint(wire_writer *w, const tac_joint *joint)
{
    put_pose(w, joint->frame_a);
    put_pose(w, joint->frame_b);
    wire_put_real(w, joint->length);
    wire_put_real(w, joint->lower);
    wire_put_real(w, joint->upper);
    wire_put_real(w, joint->friction);
    wire_put_real(w, joint->damping);
    wire_put_real(w, joint->stiffness);
    wire_put_real(w, joint->rest);
    wire_put_real(w, joint->armature);
    wire_put_real(w, joint->effort);
    wire_put_u16(w, joint->body_a);
    wire_put_u16(w, joint->body_b);
    wire_put_u8(w, joint->kind);
    wire_put_u8(w, joint->collide);
}

static void get_joint(wire_reader *r, tac_joint *joint)
{
    joint->frame_a = get_pose(r);
    joint->frame_b = get_pose(r);
    joint->length = wire_get_real(r);
    joint->lower = wire_get_real(r);
    joint->upper = wire_get_real(r);
    joint->friction = wire_get_real(r);
    joint->damping = wire_get_real(r);
    joint->stiffness = wire_get_real(r);
    joint->rest = wire_get_real(r);
    joint->armature = wire_get_real(r);
    joint->effort = wire_get_real(r);
    joint->body_a = wire_get_u16(r);
    joint->body_b = wire_get_u16(r);
    joint->kind = wire_get_u8(r);
    joint->collide = wire_get_u8(r);
}
#endif

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
    const uint32_t count[TABLES] = {model->bodies,     model->shapes,       model->materials, model->material_pairs,
                                    model->exclusions, IMAGE_JOINTS(model), model->polyhedra, model->points,
                                    model->faces,      model->edges,        model->fields,    model->heights};
    return count[table];
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
#if TAC_MAX_JOINTS > 0
    case TABLE_JOINT:
        put_joint(w, &model->joint[i]);
        break;
#endif
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
#if TAC_MAX_JOINTS > 0
    case TABLE_JOINT:
        get_joint(r, &model->joint[i]);
        break;
#endif
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
    return 1;
}

static uint32_t count_model(const tac_model *model)
{
    uint32_t count = 1;
    for (int table = 0; table < TABLES; table++) { count += table_count(model, table); }
    return count;
}

// ------------------------------------------------------------------------------------------------------------- state

static void put_state(wire_writer *w, const tac_state *state, uint16_t bodies, uint32_t i)
{
    if (i == 0) {
        wire_put_u64(w, state->step);
        wire_put_u32(w, state->model_hash);
        wire_put_u16(w, state->warm_count);
        wire_put_u16(w, state->contacts_peak);
    } else if (i - 1 < bodies) {
        put_pose(w, state->pose[i - 1]);
        put_twist(w, state->twist[i - 1]);
        put_carry(w, state->carry[i - 1]);
    } else {
        const tac_warm *warm = &state->warm[i - 1 - bodies];
        put_feature(w, warm->id);
        put_vec3(w, warm->impulse);
#if TAC_ROLLING
        put_vec3(w, warm->torque);
#endif
    }
}

static int get_state(wire_reader *r, tac_state *state, uint16_t bodies, uint32_t i)
{
    if (i == 0) {
        state->step = wire_get_u64(r);
        state->model_hash = wire_get_u32(r);
        state->warm_count = wire_get_u16(r);
        state->contacts_peak = wire_get_u16(r);
        return state->warm_count <= TAC_MAX_CONTACTS;
    }
    if (i - 1 < bodies) {
        state->pose[i - 1] = get_pose(r);
        state->twist[i - 1] = get_twist(r);
        state->carry[i - 1] = get_carry(r);
    } else {
        tac_warm *warm = &state->warm[i - 1 - bodies];
        warm->id = get_feature(r);
        warm->impulse = get_vec3(r);
#if TAC_ROLLING
        warm->torque = get_vec3(r);
#endif
    }
    return 1;
}

// ------------------------------------------------------------------------------------------------------------- input

static void put_input(wire_writer *w, const tac_input *input, uint32_t i)
{
    if (i == 0) {
        wire_put_u16(w, input->actions);
        return;
    }
    const tac_action *action = &input->action[i - 1];
    put_vec3(w, action->linear);
    put_vec3(w, action->angular);
    put_vec3(w, action->point);
    wire_put_u16(w, action->body);
    wire_put_u16(w, action->kind);
}

static int get_input(wire_reader *r, tac_input *input, uint32_t i)
{
    if (i == 0) {
        input->actions = wire_get_u16(r);
        return input->actions <= TAC_MAX_ACTIONS;
    }
    tac_action *action = &input->action[i - 1];
    action->linear = get_vec3(r);
    action->angular = get_vec3(r);
    action->point = get_vec3(r);
    action->body = wire_get_u16(r);
    action->kind = wire_get_u16(r);
    return 1;
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
        return work->report.contacts <= TAC_MAX_CONTACTS;
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
    return 1;
}

// ---------------------------------------------------------------------------------------------------------- any kind

uint32_t image_count(image_kind kind, const void *object, uint16_t bodies)
{
    switch (kind) {
    case IMAGE_MODEL:
        return count_model(object);
    case IMAGE_STATE:
        return 1u + bodies + ((const tac_state *)object)->warm_count;
    case IMAGE_INPUT:
        return 1u + ((const tac_input *)object)->actions;
    case IMAGE_CONTACTS:
        return 1u + ((const tac_work *)object)->report.contacts;
    default:
        return 0;
    }
}

void image_put(image_kind kind, const void *object, uint16_t bodies, wire_writer *w, uint32_t element)
{
    switch (kind) {
    case IMAGE_MODEL:
        put_model(w, object, element);
        break;
    case IMAGE_STATE:
        put_state(w, object, bodies, element);
        break;
    case IMAGE_INPUT:
        put_input(w, object, element);
        break;
    case IMAGE_CONTACTS:
        put_contact(w, object, element);
        break;
    default:
        break;
    }
}

int image_get(image_kind kind, void *object, uint16_t bodies, wire_reader *r, uint32_t element)
{
    switch (kind) {
    case IMAGE_MODEL:
        return get_model(r, object, element);
    case IMAGE_STATE:
        return get_state(r, object, bodies, element);
    case IMAGE_INPUT:
        return get_input(r, object, element);
    case IMAGE_CONTACTS:
        return get_contact(r, object, element);
    default:
        return 0;
    }
}
