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
    wire_put_u16(w, id.feature);
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
    id.feature = wire_get_u16(r);
    return id;
}

// ------------------------------------------------------------------------------------------------------------- model

static void put_model_head(wire_writer *w, const tac_model *model)
{
    wire_put_u16(w, model->bodies);
    wire_put_u16(w, model->shapes);
    wire_put_u16(w, model->materials);
    wire_put_u16(w, model->material_pairs);
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
           model->materials <= TAC_MAX_MATERIALS && model->material_pairs <= TAC_MAX_MATERIAL_PAIRS;
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
    wire_put_u16(w, shape->body);
    wire_put_u16(w, shape->group);
    wire_put_u16(w, shape->mask);
    wire_put_u8(w, shape->kind);
    wire_put_u8(w, shape->material);
}

static void get_shape(wire_reader *r, tac_shape *shape)
{
    shape->pose = get_pose(r);
    shape->size = get_vec3(r);
    shape->body = wire_get_u16(r);
    shape->group = wire_get_u16(r);
    shape->mask = wire_get_u16(r);
    shape->kind = wire_get_u8(r);
    shape->material = wire_get_u8(r);
}

static void put_material(wire_writer *w, const tac_material *material)
{
    wire_put_real(w, material->friction);
    wire_put_real(w, material->restitution);
    wire_put_u8(w, material->friction_rule);
    wire_put_u8(w, material->restitution_rule);
}

static void get_material(wire_reader *r, tac_material *material)
{
    material->friction = wire_get_real(r);
    material->restitution = wire_get_real(r);
    material->friction_rule = wire_get_u8(r);
    material->restitution_rule = wire_get_u8(r);
}

static void put_material_pair(wire_writer *w, const tac_material_pair *pair)
{
    wire_put_real(w, pair->friction);
    wire_put_real(w, pair->restitution);
    wire_put_u8(w, pair->a);
    wire_put_u8(w, pair->b);
}

static void get_material_pair(wire_reader *r, tac_material_pair *pair)
{
    pair->friction = wire_get_real(r);
    pair->restitution = wire_get_real(r);
    pair->a = wire_get_u8(r);
    pair->b = wire_get_u8(r);
}

// Elements: head, bodies, shapes, materials, pairs; each table takes the numbers below its count and passes the rest
// on.
static void put_model(wire_writer *w, const tac_model *model, uint32_t i)
{
    if (i == 0) {
        put_model_head(w, model);
        return;
    }
    i -= 1;
    if (i < model->bodies) {
        put_body(w, &model->body[i]);
        return;
    }
    i -= model->bodies;
    if (i < model->shapes) {
        put_shape(w, &model->shape[i]);
        return;
    }
    i -= model->shapes;
    if (i < model->materials) {
        put_material(w, &model->material[i]);
        return;
    }
    put_material_pair(w, &model->material_pair[i - model->materials]);
}

static int get_model(wire_reader *r, tac_model *model, uint32_t i)
{
    if (i == 0) return get_model_head(r, model);
    i -= 1;
    if (i < model->bodies) {
        get_body(r, &model->body[i]);
        return 1;
    }
    i -= model->bodies;
    if (i < model->shapes) {
        get_shape(r, &model->shape[i]);
        return 1;
    }
    i -= model->shapes;
    if (i < model->materials) {
        get_material(r, &model->material[i]);
        return 1;
    }
    get_material_pair(r, &model->material_pair[i - model->materials]);
    return 1;
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
    return 1;
}

// ---------------------------------------------------------------------------------------------------------- any kind

uint32_t image_count(image_kind kind, const void *object, uint16_t bodies)
{
    const tac_model *model = object;

    switch (kind) {
    case IMAGE_MODEL:
        return 1u + model->bodies + model->shapes + model->materials + model->material_pairs;
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
