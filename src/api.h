// SPDX-License-Identifier: MIT
// api.h - the roof: arguments are checked here, the work is done below.
//   given   what the caller passes
//   makes   the public functions of tactus.h
//   bound   as tactus.h states
//   never   decides anything about physics
#ifndef API_H
#define API_H

#include "program/program.h"

#define API_OPEN UINT32_C(0x54414354) // marks a work area between begin and end
#define API_TAKEN (API_OPEN + 1)      // and after it, until its scratch is used for something else

// ----------------------------------------------------------------------------------------------------------- model

// Is the caller's layout the kernel's? If it has another length, nothing behind its first entry is looked at.
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

tac_status tac_model_init_for(const tac_layout *caller, tac_model *model)
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

int32_t tac_model_add_material(tac_model *model, tac_real friction, tac_real restitution)
{
    if (model == NULL || model->materials >= TAC_MAX_MATERIALS) { return TAC_E_ARG; }
    tac_material *material = &model->material[model->materials];
    material->friction = friction;
    material->restitution = restitution;
    material->friction_rule = TAC_RULE_GEOMETRIC;
    material->restitution_rule = TAC_RULE_MAX;
#if TAC_ROLLING
    material->spinning = material->rolling = R(0.0);
#endif
    return model->materials++;
}

int32_t tac_model_add_body(tac_model *model, const tac_body *body)
{
    if (model == NULL || body == NULL || model->bodies > TAC_MAX_BODIES) { return TAC_E_ARG; }
    bytes_copy(&model->body[model->bodies], body, sizeof *body);
    return model->bodies++;
}

int32_t tac_model_add_shape(tac_model *model, const tac_shape *shape)
{
    if (model == NULL || shape == NULL || model->shapes >= TAC_MAX_SHAPES) { return TAC_E_ARG; }
    bytes_copy(&model->shape[model->shapes], shape, sizeof *shape);
    return model->shapes++;
}

int32_t tac_model_add_material_pair(tac_model *model, uint8_t a, uint8_t b, tac_real friction, tac_real restitution)
{
    if (model == NULL || model->material_pairs >= TAC_MAX_MATERIAL_PAIRS) { return TAC_E_ARG; }
    tac_material_pair *pair = &model->material_pair[model->material_pairs];
    pair->friction = friction;
    pair->restitution = restitution;
    pair->a = a;
    pair->b = b;
#if TAC_ROLLING
    pair->spinning = pair->rolling = R(0.0);
#endif
    return model->material_pairs++;
}

int32_t tac_model_add_exclusion(tac_model *model, uint16_t a, uint16_t b)
{
    if (model == NULL || model->exclusions >= TAC_MAX_EXCLUSIONS) { return TAC_E_ARG; }
    model->exclusion[model->exclusions] = (tac_exclusion){a, b};
    return model->exclusions++;
}

void tac_joint_init(tac_joint *joint, uint8_t kind, uint16_t body_a, uint16_t body_b)
{
    if (joint == NULL) { return; }
    bytes_clear(joint, sizeof *joint);
    joint->frame_a.q.w = joint->frame_b.q.w = R(1.0);
    joint->length = joint->lower = R(1.0);
    joint->upper = R(-1.0);
    joint->effort = joint->speed = REAL_LARGEST;
    joint->body_a = body_a;
    joint->body_b = body_b;
    joint->kind = kind;
}

int32_t tac_model_add_joint(tac_model *model, const tac_joint *joint)
{
#if TAC_MAX_JOINTS > 0
    if (model == NULL || joint == NULL || model->joints >= TAC_MAX_JOINTS) { return TAC_E_ARG; }
    bytes_copy(&model->joint[model->joints], joint, sizeof *joint);
    return (int32_t)model->joints++;
#else
    (void)model, (void)joint;
    return TAC_E_ARG;
#endif
}

// Is there a model whose tables of polyhedra may take one more?
static int api_polyhedra(const tac_model *model)
{
    return TAC_CONVEX && model != NULL && model->polyhedra < TAC_MAX_POLYHEDRA && model->points <= TAC_MAX_POINTS &&
           model->faces <= TAC_MAX_FACES && model->edges <= TAC_MAX_EDGES;
}

int32_t tac_model_add_hull(tac_model *model, const tac_vec3 *points, uint32_t count)
{
    if (!api_polyhedra(model) || points == NULL || count < 4 || count > UINT16_MAX) { return TAC_E_ARG; }
    return hull_add(model, points, count);
}

int32_t tac_model_add_mesh(tac_model *model, const tac_vec3 *points, uint32_t count, const uint16_t (*triangle)[3],
                           uint32_t triangles)
{
    if (!api_polyhedra(model) || points == NULL || triangle == NULL) { return TAC_E_ARG; }
    return mesh_add(model, points, count, triangle, triangles);
}

int32_t tac_model_add_field(tac_model *model, const tac_height *samples, uint16_t columns, uint16_t rows, tac_real dx,
                            tac_real dy, tac_real scale)
{
    if (!TAC_CONVEX || model == NULL || samples == NULL || model->fields >= TAC_MAX_FIELDS ||
        model->heights > TAC_MAX_HEIGHTS || columns < 2 || rows < 2) {
        return TAC_E_ARG;
    }
    tac_field f = {dx, dy, scale, dx, dx, 0, columns, rows};
    return field_add(model, samples, &f);
}

tac_shape tac_shape_make(uint16_t body, uint8_t kind, tac_vec3 size)
{
    return (tac_shape){{V3_ZERO, QUAT_ONE}, size, R(0.0), body, 1, UINT16_MAX, 0, kind, 0};
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

// The fault that a NULL makes: 0 the model, 1 the state.
static tac_status api_null(tac_fault *fault, uint16_t which)
{
    check_note(TAC_REASON_NULL, TAC_FIELD_POINTER, which, fault);
    return TAC_E_ARG;
}

tac_status tac_model_check_for(const tac_layout *caller, const tac_model *model, tac_fault *fault)
{
    tac_fault unseen, *found = fault != NULL ? fault : &unseen;
    *found = (tac_fault){0};
    const tac_status status = api_layout(caller, found);
    if (status) { return status; }
    return model != NULL ? check_model(model, found) : api_null(found, 0);
}

uint32_t tac_model_hash(const tac_model *model)
{
    return model == NULL ? 0 : model_hash(model);
}

tac_status tac_model_seal_for(const tac_layout *caller, tac_model *model, tac_fault *fault)
{
    const tac_status status = tac_model_check_for(caller, model, fault);
    if (!status) { model->hash = model_hash(model); }
    return status;
}

// ----------------------------------------------------------------------------------------------------------- state

// Puts a body into the state: pose of its own frame, velocity. Returns 0, with the state as it was, if these are out of
// their ranges.
static int api_place(const tac_model *m, tac_state *s, uint16_t body, const tac_pose *pose, const tac_twist *twist)
{
    tac_pose q;
    pose_mul(pose, &m->body[body].inertial, &q);
    if (!reals_within(&q.p, sizeof q.p, TAC_MOST_POSITION) || !reals_within(twist, sizeof *twist, TAC_MOST_SPEED)) {
        return 0;
    }
    quat_unit(&q.q);
    s->pose[body] = q;
    s->twist[body] = *twist;
    reals_clear(&s->carry[body], sizeof s->carry[body]);
    return 1;
}

tac_status tac_state_init_for(const tac_layout *caller, const tac_model *model, tac_state *state, tac_fault *fault)
{
    tac_fault unseen, *found = fault != NULL ? fault : &unseen;
    const tac_status status = tac_model_check_for(caller, model, found);
    if (status) { return status; }
    if (state == NULL) { return api_null(found, 1); }
    if (model->hash != model_hash(model)) {
        check_note(TAC_REASON_MISMATCH, TAC_FIELD_HASH, 0, found);
        return TAC_E_MODEL;
    }
    bytes_clear(state, sizeof *state);
    state->model_hash = model->hash;
    for (uint16_t i = 0; i < model->bodies; i++) {
        (void)api_place(model, state, i, &model->body[i].pose, &model->body[i].velocity); // a checked model: in range
    }
    reals_clear(&state->twist[0], sizeof state->twist[0]); // the ground rests
    return TAC_OK;
}

// Is this a body of both?
static int api_has_body(const tac_model *m, const tac_state *s, uint16_t body)
{
    return m != NULL && s != NULL && body < m->bodies && body <= TAC_MAX_BODIES;
}

tac_pose tac_body_pose(const tac_model *model, const tac_state *state, uint16_t body)
{
    tac_pose pose = {V3_ZERO, QUAT_ONE};
    if (api_has_body(model, state, body)) { pose_undo(&state->pose[body], &model->body[body].inertial, &pose); }
    return pose;
}

tac_status tac_state_set_body(const tac_model *model, tac_state *state, uint16_t body, tac_pose pose, tac_twist twist)
{
    if (!api_has_body(model, state, body) || body < 1) { return TAC_E_ARG; }
    if (state->model_hash != model->hash) { return TAC_E_MODEL; }
    const real norm2 = quat_norm2(pose.q);
    if (!reals_finite(&pose, sizeof pose) || !reals_finite(&twist, sizeof twist) ||
        !(norm2 > R(0.25) && norm2 < R(4.0))) {
        return TAC_E_NAN;
    }
    quat_unit(&pose.q);
    return api_place(model, state, body, &pose, &twist) ? TAC_OK : TAC_E_ARG;
}

// ------------------------------------------------------------------------------------------------------------ step

// A report of nothing but this: what a refused step leaves, and what a step starts from.
static tac_status api_report(tac_work *w, tac_status status, const tac_fault *fault)
{
    w->open = 0;
    bytes_clear(&w->report, sizeof w->report);
    w->report.status = status;
    w->report.fault = *fault;
    return status;
}

static tac_status api_may_begin(const tac_model *m, const tac_state *s, const tac_input *input, tac_fault *fault)
{
    if (m == NULL || s == NULL) { return api_null(fault, m != NULL); }
    const tac_status status = verify_state(m, s, fault);
    return status ? status : verify_input(m, input, fault);
}

tac_status tac_step_begin(const tac_model *model, const tac_state *state, const tac_input *input, tac_work *work)
{
    tac_fault fault = {0};
    if (work == NULL) { return TAC_E_ARG; }
    const tac_status status = api_report(work, api_may_begin(model, state, input, &fault), &fault);
    if (status) { return status; }

    ccp_begin(model, state, input, work);
    work->open = API_OPEN;
    work->model_hash = model->hash;
    work->step = state->step;
    return TAC_OK;
}

static int api_is_open(const tac_model *m, const tac_work *w)
{
    return w->open == API_OPEN && w->model_hash == m->hash;
}

tac_status tac_step_sweep(const tac_model *model, tac_work *work, uint32_t sweeps)
{
    if (model == NULL || work == NULL) { return TAC_E_ARG; }
    if (!api_is_open(model, work)) { return TAC_E_ORDER; }
    ccp_sweep(model, work, sweeps);
    return work->progress.converged ? TAC_OK : TAC_UNCONVERGED;
}

tac_status tac_step_end(const tac_model *model, tac_state *state, tac_work *work)
{
    if (model == NULL || state == NULL || work == NULL) { return TAC_E_ARG; }
    if (!api_is_open(model, work) || state->model_hash != model->hash || state->step != work->step) {
        return TAC_E_ORDER;
    }
    work->open = 0;
    if (!ccp_end(model, state, work)) {
        const tac_fault fault = work->report.fault;
        return api_report(work, TAC_E_NAN, &fault);
    }
    work->open = API_TAKEN;
    const tac_progress *p = &work->progress;
    work->report.status = (work->report.dropped ? TAC_FULL : 0) | (p->converged ? 0 : TAC_UNCONVERGED) |
                          (p->fell_back ? TAC_RELAXED : 0) | (p->swept ? TAC_SWEPT : 0);
    return work->report.status;
}

tac_status tac_step(const tac_model *model, tac_state *state, const tac_input *input, tac_work *work)
{
    const tac_status status = tac_step_begin(model, state, input, work);
    if (status) { return status; }
    (void)tac_step_sweep(model, work, model->options.max_sweeps);
    return tac_step_end(model, state, work);
}

// ------------------------------------------------------------------------------------------------- implicit bodies

tac_status tac_implicit_half_space(tac_implicit *body, tac_real depth)
{
    const tac_status status = inequality_begin(body, v3(depth, depth, depth), 1);
    if (status) { return status; }
    inequality_add_plane(body, 2, R(1.0), R(0.0));
    body->inside.z = -depth;
    return TAC_OK;
}

tac_status tac_implicit_sphere(tac_implicit *body, tac_real radius)
{
    return tac_implicit_ellipsoid(body, v3(radius, radius, radius));
}

tac_status tac_implicit_ellipsoid(tac_implicit *body, tac_vec3 size)
{
    const tac_status status = inequality_begin(body, size, 1);
    if (status) { return status; }
    (void)inequality_add(body, TAC_WITHIN_ELLIPSOID, size);
    return TAC_OK;
}

tac_status tac_implicit_superellipsoid(tac_implicit *body, tac_vec3 size, uint8_t p, uint8_t q, uint8_t r)
{
    if (!inequality_powers_known(p, q, r)) { return TAC_E_ARG; }
    const tac_status status = inequality_begin(body, size, 1);
    if (status) { return status; }
    tac_inequality *f = inequality_add(body, TAC_WITHIN_SUPERELLIPSOID, size);
    f->power[0] = p;
    f->power[1] = q;
    f->power[2] = r;
    return TAC_OK;
}

tac_status tac_implicit_cylinder(tac_implicit *body, tac_real radius, tac_real half)
{
    const vec3 size = v3(radius, radius, half);
    const tac_status status = inequality_begin(body, size, 3);
    if (status) { return status; }
    (void)inequality_add(body, TAC_WITHIN_CYLINDER, size);
    inequality_add_plane(body, 2, R(1.0), half);
    inequality_add_plane(body, 2, R(-1.0), half);
    return TAC_OK;
}

tac_status tac_implicit_cone(tac_implicit *body, tac_real radius, tac_real height)
{
    const vec3 size = v3(radius, radius, height);
    const tac_status status = inequality_begin(body, size, 2);
    if (status) { return status; }
    inequality_add(body, TAC_WITHIN_CONE, size)->pose.p.z = R(0.75) * height;
    inequality_add_plane(body, 2, R(-1.0), R(0.25) * height);
    return TAC_OK;
}

tac_status tac_implicit_box(tac_implicit *body, tac_vec3 half)
{
    const tac_status status = inequality_begin(body, half, 6);
    if (status) { return status; }
    for (int side = 0; side < 6; side++) {
        const int axis = side / 2;
        const real h = axis == 0 ? half.x : (axis == 1 ? half.y : half.z);
        inequality_add_plane(body, axis, side % 2 ? R(-1.0) : R(1.0), h);
    }
    return TAC_OK;
}

tac_status tac_implicit_closest(const tac_implicit *a, const tac_pose *pose_a, const tac_implicit *b,
                                const tac_pose *pose_b, tac_implicit_work *work, tac_closest *closest)
{
    if (!TAC_CONVEX || a == NULL || pose_a == NULL || b == NULL || pose_b == NULL || work == NULL || closest == NULL) {
        return TAC_E_ARG;
    }
    return implicit_closest(a, pose_a, b, pose_b, work, closest);
}

// ---------------------------------------------------------------------------------------------------------- joints

// Is this a joint of a model that the state belongs to?
static tac_status api_joint(const tac_model *m, const tac_state *s, uint32_t joint)
{
    tac_fault fault = {0};
    if (m == NULL || s == NULL) { return TAC_E_ARG; }
    if (!check_counts(m, &fault) || m->hash == 0 || s->model_hash != m->hash) { return TAC_E_MODEL; }
    return joint < JOINT_COUNT(m) ? TAC_OK : TAC_E_ARG;
}

tac_status tac_joint_get(const tac_model *model, const tac_state *state, uint32_t joint, tac_joint_state *result)
{
    const tac_status status = TAC_MAX_JOINTS > 0 && result != NULL ? api_joint(model, state, joint) : TAC_E_ARG;
    if (!status) { tree_look(model, state, joint, result); }
    return status;
}

tac_status tac_joints_set(const tac_model *model, tac_state *state, const tac_joint_state *joint)
{
    const tac_status status = TAC_MAX_JOINTS > 0 && joint != NULL ? api_joint(model, state, 0) : TAC_E_ARG;
    if (status) { return status; }
    const size_t size = JOINT_COUNT(model) * sizeof *joint;
    if (!reals_within(joint, size, TAC_MOST_SPEED)) { return reals_finite(joint, size) ? TAC_E_ARG : TAC_E_NAN; }
    tree_set(model, state, joint);
    return TAC_OK;
}

// --------------------------------------------------------------------------------------------------------- queries

void tac_energy(const tac_model *model, const tac_state *state, tac_real *kinetic, tac_real *potential)
{
    real k = R(0.0), p = R(0.0);
    for (uint16_t i = 1; api_has_body(model, state, i); i++) {
        energy_add(model, i, &state->pose[i], &state->twist[i], &k, &p);
    }
    if (kinetic != NULL) { *kinetic = k; }
    if (potential != NULL) { *potential = p; }
}

void tac_momentum(const tac_model *model, const tac_state *state, tac_vec3 *linear, tac_vec3 *angular)
{
    vec3 p = V3_ZERO, l = V3_ZERO;
    for (uint16_t i = 1; api_has_body(model, state, i); i++) {
        energy_momentum(&model->body[i], &state->pose[i], &state->twist[i], &p, &l);
    }
    if (linear != NULL) { *linear = p; }
    if (angular != NULL) { *angular = l; }
}

// May a question be asked? Its scratch is that of a step, which is given up.
static tac_status api_may_ask(const tac_model *m, const tac_state *s, tac_work *w)
{
    tac_fault fault = {0};
    if (m == NULL || s == NULL || w == NULL) { return TAC_E_ARG; }
    if (!check_counts(m, &fault) || m->hash == 0 || s->model_hash != m->hash) { return TAC_E_MODEL; }
    w->open = 0;
    return TAC_OK;
}

tac_status tac_cast(const tac_model *model, const tac_state *state, const tac_ray *ray, tac_work *work, tac_hit *hit)
{
    if (ray == NULL || hit == NULL) { return TAC_E_ARG; }
    if (!reals_finite(ray, offsetof(tac_ray, body))) { return TAC_E_NAN; }
    if (!(ray->range >= R(0.0) && check_within(ray->radius, TAC_MOST_LENGTH) &&
          reals_within(&ray->origin, sizeof ray->origin, TAC_MOST_POSITION) &&
          v3_norm_inf(ray->direction) > R(0.0))) {
        return TAC_E_ARG;
    }
    const tac_status status = api_may_ask(model, state, work);
    if (status) { return status; }
    tac_hit found;
    const int good = cast_find(model, state, ray, &work->scratch.meeting, &found);
    if (!good || !reals_finite(&found, offsetof(tac_hit, shape))) { return TAC_E_NAN; }
    *hit = found;
    return TAC_OK;
}

tac_status tac_distance(const tac_model *model, const tac_state *state, uint16_t body_a, uint16_t body_b,
                        tac_work *work, tac_nearest *result)
{
    const tac_status status = api_may_ask(model, state, work);
    if (status) { return status; }
    if (result == NULL || body_a >= model->bodies || body_b >= model->bodies || body_a == body_b) { return TAC_E_ARG; }
    tac_nearest *found = &work->scratch.meeting.query.near.nearest;
    const int good = distance_bodies(model, state, body_a, body_b, &work->scratch.meeting, found);
    if (!good || !reals_finite(found, offsetof(tac_nearest, shape_a))) { return TAC_E_NAN; }
    bytes_copy(result, found, sizeof *result);
    return TAC_OK;
}

int32_t tac_overlap(const tac_model *model, const tac_state *state, const tac_shape *shape, tac_real margin,
                    tac_work *work, uint16_t *list, uint16_t room)
{
    const tac_status status = api_may_ask(model, state, work);
    if (status) { return status; }
    if (shape == NULL || (list == NULL && room > 0) || !(real_abs(margin) <= TAC_MOST_LENGTH)) {
        return TAC_E_ARG;
    }
    tac_fault fault = {0};
    check_form(model, shape, TAC_MOST_POSITION, 0, &fault);
    if (fault.reason) { return check_status(&fault, TAC_E_ARG); }
    const int32_t count = distance_list(model, state, shape, margin, &work->scratch.meeting, list, room);
    return count < 0 ? TAC_E_NAN : count;
}

tac_status tac_contacts(const tac_model *model, const tac_state *state, uint16_t body, tac_real margin, tac_work *work)
{
    tac_fault fault = {0};
    if (work == NULL) { return TAC_E_ARG; }
    const tac_status status = api_report(work, api_may_begin(model, state, NULL, &fault), &fault);
    if (status) { return status; }
    if (body >= model->bodies) { return api_report(work, TAC_E_ARG, &fault); }
    if (margin != TAC_AUTO && !check_within(margin, TAC_MOST_LENGTH)) { return api_report(work, TAC_E_ARG, &fault); }
    if (!touch_find(model, state, body, margin, work)) {
        check_note(TAC_REASON_NOT_FINITE, TAC_FIELD_RESULT, 0, &fault);
        return api_report(work, TAC_E_NAN, &fault);
    }
    work->report.status = work->report.dropped ? TAC_FULL : TAC_OK;
    return work->report.status;
}

static int api_is_taken(const tac_model *m, const tac_work *w)
{
    return w->open == API_TAKEN && w->model_hash == m->hash;
}

tac_status tac_certify(const tac_model *model, const tac_work *work, tac_certificate *certificate)
{
    if (model == NULL || work == NULL || certificate == NULL) { return TAC_E_ARG; }
    if (!api_is_taken(model, work)) { return TAC_E_ORDER; }
    certify(model, work, certificate);
    return TAC_OK;
}

tac_status tac_least_norm(const tac_model *model, tac_work *work, uint32_t turns)
{
    if (model == NULL || work == NULL) { return TAC_E_ARG; }
    if (!api_is_taken(model, work)) { return TAC_E_ORDER; }
    if (!spread_may(work)) { return TAC_E_ARG; }
    return spread(model, work, turns) ? TAC_OK : TAC_UNCONVERGED;
}

tac_status tac_check(const tac_model *model, const tac_state *state, const tac_work *work, tac_fault *fault)
{
    tac_fault unseen, *found = fault != NULL ? fault : &unseen;
    tac_status status = tac_model_check(model, found);
    if (!status) { status = state != NULL ? verify_state(model, state, found) : api_null(found, 1); }
    if (!status && work != NULL) { status = verify_work(model, work, found); }
    return status;
}

uint64_t tac_hash(const tac_model *model, const tac_state *state)
{
    if (model == NULL || state == NULL) { return 0; }
    uint64_t hash = hash_number(hash_number(HASH_START, state->step), state->model_hash);
    for (uint16_t i = 1; api_has_body(model, state, i); i++) {
        hash = hash_reals(hash, &state->pose[i], sizeof state->pose[i]);
        hash = hash_reals(hash, &state->twist[i], sizeof state->twist[i]);
        hash = hash_reals(hash, &state->carry[i], sizeof state->carry[i]);
    }
    for (uint16_t i = 0; i < state->warm_count && i < TAC_MAX_CONTACTS; i++) {
        const tac_warm *g = &state->warm[i];
        hash = hash_number(hash, g->id.shape_a | (uint64_t)g->id.shape_b << 16 | (uint64_t)g->id.feature << 32);
        hash = hash_reals(hash, &g->impulse, sizeof g->impulse);
#if TAC_ROLLING
        if (v3_norm_inf(g->torque) != R(0.0)) { hash = hash_reals(hash, &g->torque, sizeof g->torque); }
#endif
    }
    if (state->warm_unsolved) { hash = hash_number(hash, state->warm_unsolved); }
    for (uint32_t i = 0; i < JOINT_COUNT(model); i++) {
        hash = hash_reals(hash, &JOINT_WARM(state)[i], sizeof(tac_joint_warm));
    }
    return hash;
}

const char *tac_field_name(uint32_t field)
{
    return names_word(NAMES_FIELD, field, NAMES_FIELDS);
}

const char *tac_reason_name(uint32_t reason)
{
    return names_word(NAMES_REASON, reason, TAC_REASONS);
}

const char *tac_layout_name(uint32_t index)
{
    return names_word(NAMES_LAYOUT, index, TAC_LAYOUT_ENTRIES);
}

uint32_t tac_self_test(void)
{
    return arithmetic_broken();
}

const char *tac_promise_name(uint32_t promise)
{
    return names_word(ARITHMETIC_PROMISE, promise, TAC_PROMISES);
}

// ---------------------------------------------------------------------------------------------------- the cone program

#if TAC_SOLVE

tac_status tac_problem_init_for(const tac_layout *caller, tac_problem *problem)
{
    tac_fault fault;
    if (problem == NULL) { return TAC_E_ARG; }
    const tac_status status = api_layout(caller, &fault);
    problem->blocks = problem->rows = problem->entries = problem->values = status ? UINT32_MAX : 0; // full, or empty
    return status;
}

void tac_problem_block_init(tac_problem_block *block, uint8_t set, uint8_t rows)
{
    if (block == NULL) { return; }
    bytes_clear(block, sizeof *block);
    for (int i = 0; i + 1 < TAC_BLOCK_ROWS; i++) { block->e[i] = R(1.0); }
    block->set = set;
    block->rows = rows;
}

int32_t tac_problem_add_block(tac_problem *problem, const tac_problem_block *block)
{
    return problem != NULL && block != NULL ? program_add_block(problem, block) : TAC_E_ARG;
}

int32_t tac_problem_add_entry(tac_problem *problem, uint32_t i, uint32_t j, const tac_real *value)
{
    return problem != NULL && value != NULL ? program_add_entry(problem, i, j, value) : TAC_E_ARG;
}

void tac_solve_options_init(tac_solve_options *options)
{
    if (options != NULL) { program_options(options); }
}

tac_status tac_solve_for(const tac_layout *caller, const tac_problem *problem, const tac_solve_options *options,
                         tac_solve_work *work)
{
    tac_fault fault;
    if (problem == NULL || work == NULL) { return TAC_E_ARG; }
    if (api_layout(caller, &fault)) { return TAC_E_CONFIG; }
    if (options != NULL) { return program_solve(problem, options, work); }
    tac_solve_options defaults;
    program_options(&defaults);
    return program_solve(problem, &defaults, work);
}

#endif

#endif
