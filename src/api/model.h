// SPDX-License-Identifier: MIT
// model.h - the API: models are built, checked and sealed.
//   given   arguments of the caller; the layout of its headers
//   makes   model functions of tactus.h
//   bound   as tactus.h states
//   never   decides anything about physics
#ifndef API_MODEL_H
#define API_MODEL_H

#include "../model/hull.h"
#include "../model/mesh.h"
#include "../model/model.h"
#include "../dual/rooms.h"
#include "../model/check.h"

// Compares the caller's layout with the kernel's. If the first entry, its size, differs, nothing else is read.
static tac_status api_layout(const tac_layout *caller, tac_fault *fault)
{
    const tac_layout *own = tac_layout_here();
    for (uint16_t i = 0; i < TAC_LAYOUT_ENTRIES; i++) {
        if (caller == NULL || caller->entry[i] != own->entry[i]) {
            *fault = (tac_fault){TAC_FIELD_CONFIG, i, TAC_REASON_CONFIG};
            return TAC_E_CONFIG;
        }
    }
    return TAC_OK;
}

REAL_ONCE tac_status tac_model_init_for(const tac_layout *caller, tac_model *model)
{
    tac_fault fault;
    if (model == NULL) { return TAC_E_ARG; }
    const tac_status status = api_layout(caller, &fault);
    if (!status) {
        model_init(model);
    } else {
        model_fill_tables(model);
    }
    return status;
}

// A table has no room for another element. The model is not sealed until it is begun anew, since what has been left out
// may be what the rest is about.
static int32_t api_full(tac_model *model, uint32_t table)
{
    if (model->hash == 0 || model_sealed(model)) { model->hash = 1 + table; }
    return TAC_E_FULL;
}

int32_t tac_model_add_material(tac_model *model, tac_real friction, tac_real restitution)
{
    if (model == NULL) { return TAC_E_ARG; }
    if (model->materials >= TAC_MAX_MATERIALS) { return api_full(model, TAC_COUNT_MATERIALS); }
    tac_material *material = &model->material[model->materials];
    material->friction = friction;
    material->restitution = restitution;
    material->friction_rule = TAC_RULE_GEOMETRIC;
    material->restitution_rule = TAC_RULE_MAX;
    material->stiffness = material->damping = R(0.0);
    ROLLING_SET(material, R(0.0), R(0.0));
    FRICTION_SET_STATIC(material, R(0.0), R(0.0));
    return model->materials++;
}

int32_t tac_model_add_body(tac_model *model, const tac_body *body)
{
    if (model == NULL || body == NULL) { return TAC_E_ARG; }
    if (model->bodies > TAC_MAX_BODIES) { return api_full(model, TAC_COUNT_BODIES); }
    bytes_copy(&model->body[model->bodies], body, sizeof *body);
    return model->bodies++;
}

int32_t tac_model_add_shape(tac_model *model, const tac_shape *shape)
{
    if (model == NULL || shape == NULL) { return TAC_E_ARG; }
    if (model->shapes >= TAC_MAX_SHAPES) { return api_full(model, TAC_COUNT_SHAPES); }
    bytes_copy(&model->shape[model->shapes], shape, sizeof *shape);
    return model->shapes++;
}

int32_t tac_model_add_material_pair(tac_model *model, uint8_t a, uint8_t b, tac_real friction, tac_real restitution)
{
    if (model == NULL) { return TAC_E_ARG; }
    if (model->material_pairs >= TAC_MAX_MATERIAL_PAIRS) { return api_full(model, TAC_COUNT_MATERIAL_PAIRS); }
    tac_material_pair *pair = &model->material_pair[model->material_pairs];
    pair->friction = friction;
    pair->restitution = restitution;
    pair->a = a;
    pair->b = b;
    pair->stiffness = pair->damping = R(0.0);
    ROLLING_SET(pair, R(0.0), R(0.0));
    FRICTION_SET_STATIC(pair, R(0.0), R(0.0));
    return model->material_pairs++;
}

int32_t tac_model_add_exclusion(tac_model *model, uint16_t a, uint16_t b)
{
    if (model == NULL) { return TAC_E_ARG; }
    if (model->exclusions >= TAC_MAX_EXCLUSIONS) { return api_full(model, TAC_COUNT_EXCLUSIONS); }
    model->exclusion[model->exclusions] = (tac_exclusion){a, b};
    return model->exclusions++;
}

void tac_joint_init(tac_joint *joint, uint8_t kind, uint16_t body_a, uint16_t body_b)
{
    if (joint != NULL) { joint_init(joint, kind, body_a, body_b); }
}

int32_t tac_model_add_joint(tac_model *model, const tac_joint *joint)
{
    if (model == NULL || joint == NULL) { return TAC_MAX_JOINTS > 0 ? TAC_E_ARG : TAC_E_FULL; }
    if (TAC_MAX_JOINTS == 0 || JOINT_COUNT(model) > TAC_MAX_JOINTS - 1) { return api_full(model, TAC_COUNT_JOINTS); }
    bytes_copy(&JOINT_OF(model)[JOINT_COUNT(model)], joint, sizeof *joint);
    return (int32_t)JOINT_ADD(model);
}

int32_t tac_model_add_surface(tac_model *model, const tac_surface *surface)
{
    if (model == NULL || surface == NULL) { return TAC_MAX_SURFACES > 0 ? TAC_E_ARG : TAC_E_FULL; }
    if (TAC_MAX_SURFACES == 0 || BELT_COUNT(model) > TAC_MAX_SURFACES - 1) {
        return api_full(model, TAC_COUNT_SURFACES);
    }
    bytes_copy(&BELT_OF(model)[BELT_COUNT(model)], surface, sizeof *surface);
    return (int32_t)BELT_ADD(model);
}

// Is there room for one more polyhedron?
static int api_polyhedra(const tac_model *model)
{
    return model->polyhedra < TAC_MAX_POLYHEDRA && model->points <= TAC_MAX_POINTS && model->faces <= TAC_MAX_FACES &&
           model->edges <= TAC_MAX_EDGES;
}

// Which table a polyhedron has found full: that with the least room, counted in points, of which a hull has one for
// each two faces and six edges.
static uint32_t api_polyhedra_full(const tac_model *model)
{
    const uint32_t points = TAC_MAX_POINTS - (uint32_t)model->points;
    const uint32_t faces = (TAC_MAX_FACES - (uint32_t)model->faces) / 2;
    const uint32_t edges = (TAC_MAX_EDGES - (uint32_t)model->edges) / 6;
    if (model->polyhedra >= TAC_MAX_POLYHEDRA) { return TAC_COUNT_POLYHEDRA; }
    if (points <= faces && points <= edges) { return TAC_COUNT_POINTS; }
    return faces <= edges ? TAC_COUNT_FACES : TAC_COUNT_EDGES;
}

static int32_t api_polyhedron(tac_model *model, int32_t added)
{
    return added == TAC_E_FULL ? api_full(model, api_polyhedra_full(model)) : added;
}

int32_t tac_model_add_hull(tac_model *model, const tac_vec3 *points, uint32_t count)
{
    if (!TAC_CONVEX) { return model != NULL ? api_full(model, TAC_COUNT_POLYHEDRA) : TAC_E_FULL; }
    if (model == NULL || points == NULL || count < 4 || count > UINT16_MAX) { return TAC_E_ARG; }
    return api_polyhedron(model, api_polyhedra(model) ? hull_add(model, points, count) : TAC_E_FULL);
}

int32_t tac_model_add_mesh(tac_model *model, const tac_vec3 *points, uint32_t count, const uint16_t (*triangle)[3],
                           uint32_t triangles)
{
    if (!TAC_CONVEX) { return model != NULL ? api_full(model, TAC_COUNT_POLYHEDRA) : TAC_E_FULL; }
    if (model == NULL || points == NULL || triangle == NULL || count < 3 || triangles < 1) { return TAC_E_ARG; }
    const int32_t added = api_polyhedra(model) ? mesh_add(model, points, count, triangle, triangles) : TAC_E_FULL;
    return api_polyhedron(model, added);
}

int32_t tac_model_add_height_field(tac_model *model, const tac_height *samples, uint16_t columns, uint16_t rows,
                                   tac_real dx, tac_real dy, tac_real scale)
{
    if (!TAC_CONVEX) { return model != NULL ? api_full(model, TAC_COUNT_POLYHEDRA) : TAC_E_FULL; }
    if (model == NULL || samples == NULL || columns < 2 || rows < 2) { return TAC_E_ARG; }
    if (model->fields >= TAC_MAX_HEIGHT_FIELDS) { return api_full(model, TAC_COUNT_HEIGHT_FIELDS); }
    tac_height_field f = {dx, dy, scale, dx, dx, 0, columns, rows};
    const int32_t added = model->heights > TAC_MAX_HEIGHTS ? TAC_E_FULL : field_add(model, samples, &f);
    if (added == TAC_E_FULL) { return api_full(model, TAC_COUNT_HEIGHTS); }
    tac_fault fault = {0};
    check_field(model, (uint32_t)added, &fault);
    if (!fault.reason) { return added; }
    field_remove(model);
    return TAC_E_ARG;
}

tac_shape tac_shape_make(uint16_t body, uint8_t kind, tac_vec3 size)
{
    tac_shape shape;
    shape.pose = (tac_pose){V3_ZERO, QUAT_ONE};
    shape.size = size;
    shape.rounding = R(0.0);
    shape.data = shape.material = 0;
    FRICTION_SET_AXIS(&shape, V3_ZERO, R(0.0), R(0.0));
    shape.body = body;
    shape.group = 1;
    shape.mask = UINT16_MAX;
    shape.kind = kind;
    return shape;
}

tac_body tac_body_make(uint8_t kind, tac_vec3 position)
{
    return (tac_body){R(1.0), {R(1.0), R(1.0), R(1.0)}, {V3_ZERO, QUAT_ONE}, {position, QUAT_ONE}, {V3_ZERO, V3_ZERO},
                      kind};
}

tac_status tac_model_mass_from_shapes(tac_model *model, uint16_t body, tac_real density)
{
    if (model == NULL || body < 1 || body >= model->bodies || model->bodies > TAC_MAX_BODIES + 1 ||
        model->shapes > TAC_MAX_SHAPES || !(density > R(0.0)) || !real_finite(density)) {
        return TAC_E_ARG;
    }
    return model_mass_from_shapes(model, body, density) ? TAC_OK : TAC_E_ARG;
}

// Reports a NULL pointer: 0 the model, 1 the state.
static tac_status api_null(tac_fault *fault, uint16_t which)
{
    check_note(TAC_REASON_NULL, TAC_FIELD_POINTER, which, fault);
    return TAC_E_ARG;
}

// Are the values of a model those that were sealed?
static int api_is_sealed(const tac_model *m, tac_fault *fault)
{
    const int reason = model_sealed(m) ? TAC_REASON_CHANGED : TAC_REASON_UNSEALED;
    check_note(m->hash == model_hash(m) ? TAC_REASON_NONE : reason, TAC_FIELD_HASH, 0, fault);
    return fault->reason == TAC_REASON_NONE;
}

REAL_ONCE tac_status tac_model_check_for(const tac_layout *caller, const tac_model *model, tac_fault *fault)
{
    tac_fault unseen, *found = fault != NULL ? fault : &unseen;
    *found = (tac_fault){0};
    const tac_status status = api_layout(caller, found);
    if (status) { return status; }
    if (model == NULL) { return api_null(found, 0); }
    const tac_status good = check_model(model, found);
    if (!good) { rooms_check(model, found); }
    return found->reason == TAC_REASON_FULL ? TAC_E_FULL : good;
}

uint32_t tac_model_hash(const tac_model *model)
{
    return model == NULL ? 0 : model_hash(model);
}

// Quaternions with few digits become unit ones, if the tables are what they say.
static void api_straighten(tac_model *m)
{
    tac_fault unseen = {0};
    if (!check_counts(m, &unseen)) { return; }
    for (uint16_t i = 0; i < m->bodies; i++) {
        check_straighten(&m->body[i].pose.q);
        check_straighten(&m->body[i].inertial.q);
    }
    for (uint16_t i = 0; i < m->shapes; i++) { check_straighten(&m->shape[i].pose.q); }
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
        check_straighten(&JOINT_OF(m)[i].frame_a.q);
        check_straighten(&JOINT_OF(m)[i].frame_b.q);
    }
}

REAL_ONCE tac_status tac_model_seal_for(const tac_layout *caller, tac_model *model, tac_fault *fault)
{
    tac_fault unseen, *found = fault != NULL ? fault : &unseen;
    if (model != NULL && !api_layout(caller, &unseen)) { api_straighten(model); }
    const tac_status status = tac_model_check_for(caller, model, found);
    if (status == TAC_E_CONFIG || model == NULL) { return status; }
    if (model->hash != 0 && !model_sealed(model)) { // what an element that is missing has led to comes second
        *found = (tac_fault){TAC_FIELD_COUNT, (uint16_t)(model->hash - 1), TAC_REASON_FULL};
        return TAC_E_FULL;
    }
    if (!status) { model->hash = model_hash(model); }
    return status;
}

#endif
