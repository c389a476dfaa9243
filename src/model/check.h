// SPDX-License-Identifier: MIT
// check.h - checks a model field by field; names the first bad one.
//   given   a model from any source
//   makes   a status and a fault: field, index, reason
//   bound   linear in the model; points times faces for a hull; one tree search per triangle of a mesh
//   never   changes the model: check_straighten() is for who seals it
#ifndef MODEL_CHECK_H
#define MODEL_CHECK_H

#include "../base/boxes.h"
#include "shape.h"
#include "polyhedron.h"
#include "joint.h"
#include "rolling.h"
#include "friction.h"
#include "belt.h"

#define CHECK_UNIT_SLACK (R(16.0) * REAL_EPSILON) // of the squared norm of a quaternion or a normal: rounding
#define CHECK_UNIT_TYPED R(1e-3)     // the same of one with few digits, which is made unit where a model is sealed
#define CHECK_TRIANGLE_SLACK R(1e-4) // relative: measured inertias of flat parts are on the edge of the inequality
#define CHECK_FRICTION_MAX R(1e6)    // larger values would not slide in practice, and the square must stay finite
#define CHECK_RESISTANCE_MAX R(1e6)  // m; likewise
#define CHECK_STIFFNESS_MIN R(1e-3)  // N/m of a material: softer, its compliance in a step may overflow
#define CHECK_STIFFNESS_MAX R(1e12)  // N/m of a material: stiffer ones are rigid to rounding
#define CHECK_DAMPING_MAX R(1e9)     // N s/m of a material: more is rigid too
#define CHECK_STRIBECK_MIN R(1e-6)   // m/s: slower, rounding is slip
#define CHECK_TURN_MAX R(3.1416)     // rad: half a revolution

// Stores a fault unless there is one already.
static void check_note(int reason, int field, uint32_t index, tac_fault *fault)
{
    if (reason == TAC_REASON_NONE || fault->reason != TAC_REASON_NONE) { return; }
    fault->field = (uint16_t)field;
    fault->index = (uint16_t)index;
    fault->reason = (uint32_t)reason;
}

// The status that follows from the fault; `otherwise` if it does not concern finiteness.
static tac_status check_status(const tac_fault *fault, tac_status otherwise)
{
    if (fault->reason == TAC_REASON_NONE) { return TAC_OK; }
    return fault->reason == TAC_REASON_NOT_FINITE ? TAC_E_NAN : otherwise;
}

// Each of these functions returns a reason, TAC_REASON_NONE if the value is good.

static int check_that(int good)
{
    return good ? TAC_REASON_NONE : TAC_REASON_RANGE;
}

static int check_within(real x, real most)
{
    return x >= R(0.0) && x <= most;
}

static int check_finite(const void *object, size_t size)
{
    return reals_finite(object, size) ? TAC_REASON_NONE : TAC_REASON_NOT_FINITE;
}

// Have two objects the same reals? NaN is the same as nothing.
static int check_same(const void *a, const void *b, size_t size)
{
    const real *x = a, *y = b;
    int same = 1;
    for (size_t i = 0; i < size / sizeof *x; i++) { same &= x[i] == y[i]; }
    return same;
}

// An object of reals, each within -most .. most.
static int check_bounds(const void *object, size_t size, real most)
{
    if (reals_within(object, size, most)) { return TAC_REASON_NONE; }
    return reals_finite(object, size) ? TAC_REASON_RANGE : TAC_REASON_NOT_FINITE;
}

// Stores what check_bounds() finds as a fault.
static void check_reals(const void *object, size_t size, real most, int field, uint32_t index, tac_fault *fault)
{
    check_note(check_bounds(object, size, most), field, index, fault);
}

// least .. most, both positive.
static int check_between(real x, real least, real most)
{
    if (!real_finite(x)) { return TAC_REASON_NOT_FINITE; }
    if (!(x > R(0.0))) { return TAC_REASON_NOT_POSITIVE; }
    return check_that(x >= least && x <= most);
}

static int check_length(real x)
{
    return check_between(x, TAC_LEAST_LENGTH, TAC_MOST_LENGTH);
}

// A pose; `most` bounds the coordinates.
static int check_pose(const tac_pose *a, real most)
{
    const int reason = check_bounds(&a->p, sizeof a->p, most);
    if (reason || real_abs(quat_norm2(a->q) - R(1.0)) <= CHECK_UNIT_SLACK) { return reason; }
    return reals_finite(&a->q, sizeof a->q) ? TAC_REASON_NOT_UNIT : TAC_REASON_NOT_FINITE;
}

// Is the rounding of a body's position, of which this is the square, less than its radius of gyration? Bodies that no
// impulse moves have none.
static inline int check_resolves(const tac_body *b, real square)
{
    return b->kind != TAC_DYNAMIC ||
           b->mass * (REAL_EPSILON * REAL_EPSILON * square) <= b->inertia.x + b->inertia.y + b->inertia.z;
}

static inline int check_resolved(const tac_body *b, vec3 p)
{
    return check_resolves(b, v3_dot(p, p));
}

// Are pose and twist of a body surely in their ranges? By squares, which no infinity and no NaN passes; 0 leaves it
// open. `more`: squares that count with those of the twist.
static inline int check_surely(const tac_body *b, const tac_pose *q, const tac_twist *t, real more)
{
    const int unit = real_abs(quat_norm2(q->q) - R(1.0)) <= CHECK_UNIT_SLACK;
    const real far = v3_dot(q->p, q->p), square = v3_dot(t->v, t->v) + v3_dot(t->w, t->w) + more;
    return unit & (far <= TAC_MOST_POSITION * TAC_MOST_POSITION) & check_resolves(b, far) &
           (square <= TAC_MOST_SPEED * TAC_MOST_SPEED);
}

// Which number of pose and twist is out of its range? One by one, for its name.
static void check_motion(const tac_body *b, const tac_pose *q, const tac_twist *t, uint32_t i, tac_fault *fault)
{
    check_reals(t, sizeof *t, TAC_MOST_SPEED, TAC_FIELD_VELOCITY, i, fault);
    check_note(check_pose(q, TAC_MOST_POSITION), TAC_FIELD_POSE, i, fault);
    check_note(check_that(check_resolved(b, q->p)), TAC_FIELD_POSE, i, fault);
}

// A quaternion that is typed with few digits is made unit; one that is unit to rounding keeps its bits.
static void check_straighten(quat *q)
{
    const real off = real_abs(quat_norm2(*q) - R(1.0));
    if (off > CHECK_UNIT_SLACK && off <= CHECK_UNIT_TYPED) { quat_unit(q); }
}

static int check_inertia(const vec3 *i)
{
    const real moment[3] = {i->x, i->y, i->z};
    for (int k = 0; k < 3; k++) {
        const int reason = check_between(moment[k], TAC_LEAST_INERTIA, TAC_MOST_INERTIA);
        if (reason) { return reason; }
    }
    const real limit = R(0.5) * (i->x + i->y + i->z) * (R(1.0) + CHECK_TRIANGLE_SLACK);
    const real most = real_max(real_max(i->x, i->y), i->z), least = real_min(real_min(i->x, i->y), i->z);
    return most > limit ? TAC_REASON_TRIANGLE : check_that(R(4.0) * most <= TAC_MOST_RATIO * least);
}

// Upper bounds of the real options, in their order; which of them may be TAC_AUTO, which may not be 0.
static const real CHECK_OPTIONS[] = {R(1.0), R(2.0) - REAL_EPSILON, R(1.0),        TAC_MOST_SPEED,
                                     R(1.0), TAC_MOST_LENGTH,       TAC_MOST_SPEED};
#define CHECK_OPTIONS_AUTO 0x61
#define CHECK_OPTIONS_POSITIVE 0x06
#define CHECK_OPTIONS_REALS (int)(sizeof CHECK_OPTIONS / sizeof(real))
typedef char check_bounds_all[sizeof CHECK_OPTIONS == offsetof(tac_options, max_sweeps) ? 1 : -1];

// A real option: from 0 to its bound, or TAC_AUTO.
static int check_option(real x, int i)
{
    if (!real_finite(x)) { return TAC_REASON_NOT_FINITE; }
    if (CHECK_OPTIONS_POSITIVE >> i & 1 && !(x > R(0.0))) { return TAC_REASON_NOT_POSITIVE; }
    const int automatic = x == TAC_AUTO && (CHECK_OPTIONS_AUTO >> i & 1);
    return check_that(automatic || check_within(x, CHECK_OPTIONS[i]));
}

static void check_options(const tac_model *m, tac_fault *fault)
{
    const tac_options *const o = &m->options;
    const void *const reals = o;
    const real *x = reals;
    for (int i = 0; i < CHECK_OPTIONS_REALS; i++) {
        check_note(check_option(x[i], i), TAC_FIELD_TOLERANCE + i, 0, fault);
    }
    const int direct = TAC_MAX_FILL > 0 || JOINT_COUNT(m) > 0;
    const int solver = o->solver <= TAC_SOLVER_AUTO && (direct || o->solver != TAC_SOLVER_DIRECT);
    check_note(check_that(o->max_sweeps >= 1 && o->max_sweeps <= 10000), TAC_FIELD_MAX_SWEEPS, 0, fault);
    check_note(check_that(solver), TAC_FIELD_OPTION_SOLVER, 0, fault);
    check_note(check_that(o->friction <= TAC_FRICTION_RELAXED), TAC_FIELD_OPTION_FRICTION, 0, fault);
    check_note(check_that(o->warm_start <= 1), TAC_FIELD_WARM_START, 0, fault);
    if (TAC_MAX_JOINTS == 0) { return; }
    check_note(check_that(o->stabilise <= 1), TAC_FIELD_STABILISE, 0, fault);
    check_note(check_that(o->max_joint_iterations <= TAC_JOINT_ITERATIONS), TAC_FIELD_MAX_JOINT_ITERATIONS, 0, fault);
}

// Which components of `size` a kind uses.
#define CHECK_X 1u
#define CHECK_Y 2u
#define CHECK_Z 4u
static const uint8_t CHECK_SIZES[TAC_SHAPE_KINDS] = {
    [TAC_SPHERE] = CHECK_X,
    [TAC_CAPSULE] = CHECK_X | CHECK_Z,
    [TAC_BOX] = CHECK_X | CHECK_Y | CHECK_Z,
    [TAC_CYLINDER] = CHECK_X | CHECK_Z,
    [TAC_CONE] = CHECK_X | CHECK_Z,
    [TAC_ELLIPSOID] = CHECK_X | CHECK_Y | CHECK_Z,
};

static int check_size(uint8_t kind, const vec3 *size)
{
    const uint32_t has = shape_is_known(kind) ? CHECK_SIZES[kind] : 0;
    int reason = check_finite(size, sizeof *size);
    if (!reason && has & CHECK_X) { reason = check_length(size->x); }
    if (!reason && has & CHECK_Y) { reason = check_length(size->y); }
    if (!reason && has & CHECK_Z) { reason = check_length(size->z); }
    return reason;
}

// A shape that is solid without end has no rounding; nor has a box with TAC_CONVEX 0.
static int check_rounding(const tac_shape *s)
{
    const int sharp = shape_endless(s->kind) || (!TAC_CONVEX && s->kind == TAC_BOX);
    if (!real_finite(s->rounding)) { return TAC_REASON_NOT_FINITE; }
    return check_that(check_within(s->rounding, sharp ? R(0.0) : TAC_MOST_LENGTH));
}

static int check_data(const tac_model *m, const tac_shape *s)
{
    if (!shape_has_data(s->kind)) { return s->data == 0 ? TAC_REASON_NONE : TAC_REASON_UNUSED; }
    if (s->kind == TAC_HEIGHT_FIELD) { return check_that(s->data < m->fields); }
    if (s->data >= m->polyhedra) { return TAC_REASON_RANGE; }
    return (s->kind == TAC_HULL) == (m->polyhedron[s->data].convex == 1) ? TAC_REASON_NONE : TAC_REASON_KIND;
}

// ------------------------------------------------------------------------------------------------------------ elements

static void check_body(const tac_body *b, uint32_t i, tac_fault *fault)
{
    check_note(check_that(b->kind <= TAC_KINEMATIC), TAC_FIELD_BODY_KIND, i, fault);
    check_note((i == 0) == (b->kind == TAC_STATIC) ? TAC_REASON_NONE : TAC_REASON_GROUND, TAC_FIELD_BODY_KIND, i,
               fault);
    tac_pose principal;
    check_note(check_pose(&b->pose, TAC_MOST_POSITION), TAC_FIELD_POSE, i, fault);
    check_note(check_pose(&b->inertial, TAC_MOST_LENGTH), TAC_FIELD_INERTIAL, i, fault);
    pose_mul(&b->pose, &b->inertial, &principal);
    check_reals(&principal.p, sizeof principal.p, TAC_MOST_POSITION, TAC_FIELD_POSE, i, fault);
    check_reals(&b->velocity, sizeof b->velocity, TAC_MOST_SPEED, TAC_FIELD_VELOCITY, i, fault);
    const int still = i > 0 || (v3_norm_inf(b->velocity.v) == R(0.0) && v3_norm_inf(b->velocity.w) == R(0.0));
    check_note(still ? TAC_REASON_NONE : TAC_REASON_UNUSED, TAC_FIELD_VELOCITY, i, fault);
    if (b->kind != TAC_DYNAMIC) { return; }
    check_note(check_between(b->mass, TAC_LEAST_MASS, TAC_MOST_MASS), TAC_FIELD_MASS, i, fault);
    check_note(check_inertia(&b->inertia), TAC_FIELD_INERTIA, i, fault);
    check_note(check_that(check_resolved(b, principal.p)), TAC_FIELD_POSE, i, fault);
}

// A shape and its position; `most` bounds the position.
static void check_form(const tac_model *m, const tac_shape *s, real most, uint32_t i, tac_fault *fault)
{
    check_note(check_that(shape_is_known(s->kind)), TAC_FIELD_SHAPE_KIND, i, fault);
    check_note(check_pose(&s->pose, most), TAC_FIELD_SHAPE_POSE, i, fault);
    check_note(check_size(s->kind, &s->size), TAC_FIELD_SIZE, i, fault);
    check_note(check_rounding(s), TAC_FIELD_ROUNDING, i, fault);
    check_note(check_data(m, s), TAC_FIELD_DATA, i, fault);
}

// The direction of its friction. What depends on an axis is refused where there is none.
static inline void check_direction(const tac_shape *s, uint32_t i, tac_fault *fault)
{
    const vec3 axis = FRICTION_AXIS(s);
    const real turn = FRICTION_TURN(s), across = FRICTION_SHARE(s), square = v3_dot(axis, axis);
    const int none = v3_norm_inf(axis) == R(0.0);
    check_reals(&axis, sizeof axis, R(2.0), TAC_FIELD_AXIS, i, fault);
    check_reals(&turn, sizeof turn, CHECK_TURN_MAX, TAC_FIELD_AXIS, i, fault);
    check_reals(&across, sizeof across, R(1.0), TAC_FIELD_ACROSS, i, fault);
    check_note(check_that(across >= R(0.0)), TAC_FIELD_ACROSS, i, fault);
    check_note(none || real_abs(square - R(1.0)) <= CHECK_UNIT_TYPED ? TAC_REASON_NONE : TAC_REASON_NOT_UNIT,
               TAC_FIELD_AXIS, i, fault);
    check_note(none && turn != R(0.0) ? TAC_REASON_UNUSED : TAC_REASON_NONE, TAC_FIELD_AXIS, i, fault);
    check_note(none && across != R(0.0) ? TAC_REASON_UNUSED : TAC_REASON_NONE, TAC_FIELD_ACROSS, i, fault);
}

static void check_shape(const tac_model *m, uint32_t i, tac_fault *fault)
{
    const tac_shape *s = &m->shape[i];
    const int body = s->body < m->bodies;
    const int moves = body && shape_endless(s->kind) && m->body[s->body].kind == TAC_DYNAMIC;
    check_note(check_that(shape_is_known(s->kind)), TAC_FIELD_SHAPE_KIND, i, fault);
    check_note(moves ? TAC_REASON_MOVING : check_that(body), TAC_FIELD_SHAPE_BODY, i, fault);
    check_note(check_that(s->material < m->materials), TAC_FIELD_SHAPE_MATERIAL, i, fault);
    check_form(m, s, TAC_MOST_LENGTH, i, fault);
    if (TAC_FRICTION_LAWS) { check_direction(s, i, fault); }
}

static int check_coefficient(real x, real most)
{
    return real_finite(x) ? check_that(check_within(x, most)) : TAC_REASON_NOT_FINITE;
}

// Friction, restitution, spinning, rolling, stiffness and damping of a material, each with its name, or of a pair, with
// that of the table. A damper without a spring would never let go.
static void check_coefficients(const real x[6], int pair, uint32_t i, tac_fault *fault)
{
    static const real most[6] = {CHECK_FRICTION_MAX,  R(1.0),           CHECK_RESISTANCE_MAX, CHECK_RESISTANCE_MAX,
                                 CHECK_STIFFNESS_MAX, CHECK_DAMPING_MAX};
    static const uint16_t field[6] = {TAC_FIELD_FRICTION, TAC_FIELD_RESTITUTION, TAC_FIELD_SPINNING,
                                      TAC_FIELD_ROLLING,  TAC_FIELD_STIFFNESS,   TAC_FIELD_DAMPING};
    for (int k = 0; k < 6; k++) {
        check_note(check_coefficient(x[k], most[k]), pair ? TAC_FIELD_MATERIAL_PAIR : field[k], i, fault);
    }
    const int faint = x[4] > R(0.0) && x[4] < CHECK_STIFFNESS_MIN, alone = x[4] == R(0.0) && x[5] > R(0.0);
    check_note(check_that(!faint), pair ? TAC_FIELD_MATERIAL_PAIR : TAC_FIELD_STIFFNESS, i, fault);
    check_note(alone ? TAC_REASON_UNUSED : TAC_REASON_NONE, pair ? TAC_FIELD_MATERIAL_PAIR : TAC_FIELD_DAMPING, i,
               fault);
}

// Static friction and the speed at which half of what it has more than `friction` is left: both, or none.
static inline void check_static(real friction, real still, real speed, int pair, uint32_t i, tac_fault *fault)
{
    const int first = pair ? TAC_FIELD_MATERIAL_PAIR : TAC_FIELD_STATIC_FRICTION;
    const int second = pair ? TAC_FIELD_MATERIAL_PAIR : TAC_FIELD_STRIBECK_SPEED;
    check_note(check_coefficient(still, CHECK_FRICTION_MAX), first, i, fault);
    check_note(check_coefficient(speed, TAC_MOST_SPEED), second, i, fault);
    check_note(check_that(still == R(0.0) || still >= friction), first, i, fault);
    check_note(check_that(still == R(0.0) || speed >= CHECK_STRIBECK_MIN), second, i, fault);
    check_note(still == R(0.0) && speed != R(0.0) ? TAC_REASON_UNUSED : TAC_REASON_NONE, second, i, fault);
}

static void check_materials(const tac_model *m, tac_fault *fault)
{
    for (uint32_t i = 0; i < m->materials; i++) {
        const tac_material *t = &m->material[i];
        const real x[6] = {t->friction,        t->restitution, ROLLING_SPINNING(t),
                           ROLLING_ROLLING(t), t->stiffness,   t->damping};
        check_coefficients(x, 0, i, fault);
        if (TAC_FRICTION_LAWS) { check_static(t->friction, FRICTION_STATIC(t), FRICTION_SPEED(t), 0, i, fault); }
        check_note(check_that(t->friction_rule < TAC_RULES && t->restitution_rule < TAC_RULES), TAC_FIELD_RULE, i,
                   fault);
    }
    for (uint32_t i = 0; i < m->material_pairs; i++) {
        const tac_material_pair *p = &m->material_pair[i];
        const real x[6] = {p->friction,        p->restitution, ROLLING_SPINNING(p),
                           ROLLING_ROLLING(p), p->stiffness,   p->damping};
        check_note(check_that(p->a < m->materials && p->b < m->materials), TAC_FIELD_MATERIAL_PAIR, i, fault);
        check_coefficients(x, 1, i, fault);
        if (TAC_FRICTION_LAWS) { check_static(p->friction, FRICTION_STATIC(p), FRICTION_SPEED(p), 1, i, fault); }
    }
}

// Of a method that has one Coulomb coefficient a contact only: names the first shape whose friction has a direction, or
// material or pair with static friction. Returns 0 then.
static inline int check_coulomb(const tac_model *m, tac_fault *fault)
{
    for (uint32_t i = 0; i < m->shapes; i++) {
        const int directed = friction_has_axis(&m->shape[i]);
        check_note(directed ? TAC_REASON_METHOD : TAC_REASON_NONE, TAC_FIELD_AXIS, i, fault);
    }
    for (uint32_t i = 0; i < m->materials; i++) {
        const int curved = FRICTION_STATIC(&m->material[i]) > R(0.0);
        check_note(curved ? TAC_REASON_METHOD : TAC_REASON_NONE, TAC_FIELD_STATIC_FRICTION, i, fault);
    }
    for (uint32_t i = 0; i < m->material_pairs; i++) {
        const int curved = FRICTION_STATIC(&m->material_pair[i]) > R(0.0);
        check_note(curved ? TAC_REASON_METHOD : TAC_REASON_NONE, TAC_FIELD_MATERIAL_PAIR, i, fault);
    }
    return fault->reason == TAC_REASON_NONE;
}

// Of a method that has rigid contacts only: names the first material or pair of a compliant one. Returns 0 then.
static inline int check_rigid(const tac_model *m, tac_fault *fault)
{
    for (uint32_t i = 0; i < m->materials; i++) {
        const int yields = m->material[i].stiffness > R(0.0);
        check_note(yields ? TAC_REASON_METHOD : TAC_REASON_NONE, TAC_FIELD_STIFFNESS, i, fault);
    }
    for (uint32_t i = 0; i < m->material_pairs; i++) {
        const int yields = m->material_pair[i].stiffness > R(0.0);
        check_note(yields ? TAC_REASON_METHOD : TAC_REASON_NONE, TAC_FIELD_MATERIAL_PAIR, i, fault);
    }
    return fault->reason == TAC_REASON_NONE;
}

// Of a method that knows no moving surfaces: names the first one. Returns 0 then.
static inline int check_still(const tac_model *m, tac_fault *fault)
{
    check_note(BELT_COUNT(m) > 0 ? TAC_REASON_METHOD : TAC_REASON_NONE, TAC_FIELD_SURFACE, 0, fault);
    return fault->reason == TAC_REASON_NONE;
}

// Moving surfaces: one for a shape at the most.
static void check_belts(const tac_model *m, tac_fault *fault)
{
    for (uint32_t i = 0; i < BELT_COUNT(m); i++) {
        const tac_surface *x = &BELT_OF(m)[i];
        int alone = x->shape < m->shapes;
        for (uint32_t k = 0; k < i; k++) { alone &= BELT_OF(m)[k].shape != x->shape; }
        check_note(check_that(alone), TAC_FIELD_SURFACE_SHAPE, i, fault);
        check_reals(x, offsetof(tac_surface, point), TAC_MOST_SPEED, TAC_FIELD_SURFACE, i, fault);
        check_reals(&x->point, sizeof x->point, TAC_MOST_LENGTH, TAC_FIELD_SURFACE, i, fault);
    }
}

static void check_exclusions(const tac_model *m, tac_fault *fault)
{
    for (uint32_t i = 0; i < m->exclusions; i++) {
        const tac_exclusion *e = &m->exclusion[i];
        check_note(check_that(e->a < m->bodies && e->b < m->bodies && e->a != e->b), TAC_FIELD_EXCLUSION, i, fault);
    }
}

// Ends of a joint: two bodies, at least one dynamic; of a coupling, two earlier joints with coordinates of their own.
static int check_joined(const tac_model *m, uint32_t i)
{
    const tac_joint *j = &JOINT_OF(m)[i];
    if (j->kind == TAC_COUPLING) {
        const int earlier = TAC_MAX_JOINTS > 2 && j->body_a < i && j->body_b < i && j->body_a != j->body_b;
        return check_that(earlier && joint_has_own_coordinate(JOINT_OF(m)[j->body_a].kind) &&
                          joint_has_own_coordinate(JOINT_OF(m)[j->body_b].kind) &&
                          !SWITCH_MAY(&JOINT_OF(m)[j->body_a]) && !SWITCH_MAY(&JOINT_OF(m)[j->body_b]));
    }
    if (j->body_a >= m->bodies || j->body_b >= m->bodies || j->body_a == j->body_b) { return TAC_REASON_RANGE; }
    const int moves = m->body[j->body_a].kind == TAC_DYNAMIC || m->body[j->body_b].kind == TAC_DYNAMIC;
    return moves ? TAC_REASON_NONE : TAC_REASON_GROUND;
}

// Up to `most`, or the largest number for no bound.
static int check_endless(real x, real most)
{
    return x == REAL_LARGEST ? TAC_REASON_NONE : check_coefficient(x, most);
}

// Stiffness and damping are not negative.
static int check_springs(const tac_joint *j)
{
    const vec3 v[4] = {j->along, j->about, j->along_damping, j->about_damping};
    int good = 1;
    for (int i = 0; i < 4; i++) { good &= v[i].x >= R(0.0) && v[i].y >= R(0.0) && v[i].z >= R(0.0); }
    const int reason = check_bounds(v, sizeof v, TAC_MOST_FORCE);
    return reason ? reason : check_that(good);
}

#define CHECK_PI R(3.14159265358979323846) // rad: no swing or whole rotation is larger

// What acts along the coordinate.
static void check_along(const tac_joint *j, uint32_t i, tac_fault *fault)
{
    const int rod = j->kind == TAC_DISTANCE && j->lower == j->upper;     // has a direction
    const int soft = j->stop_stiffness > R(0.0) && j->lower != j->upper; // equal limits have no stops
    const real stop = soft ? TAC_MOST_FORCE : R(0.0);
    check_note(check_finite(&j->lower, sizeof j->lower), TAC_FIELD_JOINT_LIMIT, i, fault);
    check_note(check_finite(&j->upper, sizeof j->upper), TAC_FIELD_JOINT_LIMIT, i, fault);
    if (joint_has_pole(j->kind) && j->lower <= j->upper) {
        const int between = j->upper > R(0.0) && j->lower < CHECK_PI;
        check_note(check_that(between), TAC_FIELD_JOINT_LIMIT, i, fault);
    }
    if (rod) { check_note(check_length(j->lower), TAC_FIELD_JOINT_LIMIT, i, fault); }
    check_note(check_coefficient(j->friction, TAC_MOST_FORCE), TAC_FIELD_JOINT_FRICTION, i, fault);
    check_note(check_coefficient(j->damping, TAC_MOST_FORCE), TAC_FIELD_JOINT_DAMPING, i, fault);
    check_note(check_coefficient(j->stiffness, TAC_MOST_FORCE), TAC_FIELD_JOINT_STIFFNESS, i, fault);
    check_reals(&j->rest, sizeof j->rest, TAC_MOST_POSITION, TAC_FIELD_JOINT_REST, i, fault);
    check_note(check_coefficient(j->armature, TAC_MOST_INERTIA), TAC_FIELD_JOINT_ARMATURE, i, fault);
    check_note(check_endless(j->effort, TAC_MOST_FORCE), TAC_FIELD_JOINT_EFFORT, i, fault);
    check_note(check_endless(j->speed, TAC_MOST_SPEED), TAC_FIELD_JOINT_SPEED, i, fault);
    check_note(j->speed > R(0.0) ? TAC_REASON_NONE : TAC_REASON_NOT_POSITIVE, TAC_FIELD_JOINT_SPEED, i, fault);
    check_note(check_coefficient(j->stop_stiffness, stop), TAC_FIELD_JOINT_STOP, i, fault);
    check_note(check_coefficient(j->stop_damping, stop), TAC_FIELD_JOINT_STOP, i, fault);
}

// The fields of each use that a kind may make of its definition.
#define CHECK_FIELD(name, field, last, use)                                                                            \
    {                                                                                                                  \
        offsetof(tac_joint, field), offsetof(tac_joint, last) - offsetof(tac_joint, field), name, use                  \
    }
static const struct {
    size_t at, size;
    uint16_t name;
    uint8_t use;
} CHECK_FIELDS[] = {
    CHECK_FIELD(TAC_FIELD_JOINT_FRAME, frame_a, length, JOINT_FRAMES),
    CHECK_FIELD(TAC_FIELD_JOINT_LENGTH, length, lower, JOINT_RATIO),
    CHECK_FIELD(TAC_FIELD_JOINT_LIMIT, lower, friction, JOINT_EFFORTS),
    CHECK_FIELD(TAC_FIELD_JOINT_FRICTION, friction, damping, JOINT_EFFORTS),
    CHECK_FIELD(TAC_FIELD_JOINT_DAMPING, damping, stiffness, JOINT_EFFORTS),
    CHECK_FIELD(TAC_FIELD_JOINT_STIFFNESS, stiffness, rest, JOINT_EFFORTS),
    CHECK_FIELD(TAC_FIELD_JOINT_REST, rest, armature, JOINT_EFFORTS),
    CHECK_FIELD(TAC_FIELD_JOINT_ARMATURE, armature, effort, JOINT_EFFORTS),
    CHECK_FIELD(TAC_FIELD_JOINT_EFFORT, effort, speed, JOINT_EFFORTS),
    CHECK_FIELD(TAC_FIELD_JOINT_SPEED, speed, stop_stiffness, JOINT_EFFORTS),
    CHECK_FIELD(TAC_FIELD_JOINT_STOP, stop_stiffness, along, JOINT_EFFORTS),
    CHECK_FIELD(TAC_FIELD_JOINT_SPRINGS, along, body_a, JOINT_SPRINGS),
};

// A field that the kind of the joint does not use has the default: another value would be ignored.
static void check_unused(const tac_joint *j, uint32_t i, tac_fault *fault)
{
    const unsigned char *own = (const unsigned char *)j, *plain;
    tac_joint unset;
    joint_init(&unset, j->kind, 0, 0);
    plain = (const unsigned char *)&unset;
    for (size_t k = 0; k < sizeof CHECK_FIELDS / sizeof *CHECK_FIELDS; k++) {
        const size_t at = CHECK_FIELDS[k].at, size = CHECK_FIELDS[k].size;
        const uint16_t name = CHECK_FIELDS[k].name;
        if (JOINT_KIND[j->kind].fields & CHECK_FIELDS[k].use) { continue; }
        check_note(check_finite(own + at, size), name, i, fault);
        const int none = name == TAC_FIELD_JOINT_LIMIT && j->lower > j->upper;
        if (!none && !check_same(own + at, plain + at, size)) { check_note(TAC_REASON_UNUSED, name, i, fault); }
    }
    if (j->kind == TAC_COUPLING && j->collide) { check_note(TAC_REASON_UNUSED, TAC_FIELD_JOINT_KIND, i, fault); }
}

// Whether it may be switched, and what breaks it: nothing else than a joint that may be switched.
static void check_switch(const tac_joint *j, uint32_t i, tac_fault *fault)
{
    const real force = SWITCH_FORCE(j), torque = SWITCH_TORQUE(j);
    const int begins = SWITCH_BEGINS(j) <= TAC_JOINT_OFF, lasts = force == REAL_LARGEST && torque == REAL_LARGEST;
    check_note(check_that(begins), TAC_FIELD_JOINT_SWITCH, i, fault);
    if (SWITCH_MAY(j) && j->kind == TAC_COUPLING) { check_note(TAC_REASON_UNUSED, TAC_FIELD_JOINT_SWITCH, i, fault); }
    check_note(check_endless(force, TAC_MOST_FORCE), TAC_FIELD_JOINT_BREAK, i, fault);
    check_note(check_endless(torque, TAC_MOST_FORCE), TAC_FIELD_JOINT_BREAK, i, fault);
    check_note(force > R(0.0) && torque > R(0.0) ? TAC_REASON_NONE : TAC_REASON_NOT_POSITIVE, TAC_FIELD_JOINT_BREAK, i,
               fault);
    if (SWITCH_MAY(j) && j->armature != R(0.0)) { // a rotor that is switched on would turn already
        check_note(TAC_REASON_UNUSED, TAC_FIELD_JOINT_ARMATURE, i, fault);
    }
    if (!SWITCH_MAY(j) && !lasts) { check_note(TAC_REASON_UNUSED, TAC_FIELD_JOINT_BREAK, i, fault); }
}

static void check_joint(const tac_model *m, uint32_t i, tac_fault *fault)
{
    const tac_joint *j = &JOINT_OF(m)[i];
    check_note(check_that(j->kind < JOINT_KINDS && j->collide <= 1), TAC_FIELD_JOINT_KIND, i, fault);
    if (j->kind >= JOINT_KINDS) { return; } // no row of JOINT_KIND is its own
    check_note(check_joined(m, i), TAC_FIELD_JOINT_BODY, i, fault);
    check_unused(j, i, fault);
    check_note(check_pose(&j->frame_a, TAC_MOST_LENGTH), TAC_FIELD_JOINT_FRAME, i, fault);
    check_note(check_pose(&j->frame_b, TAC_MOST_LENGTH), TAC_FIELD_JOINT_FRAME, i, fault);
    check_reals(&j->length, sizeof j->length, TAC_MOST_LENGTH, TAC_FIELD_JOINT_LENGTH, i, fault);
    if (j->kind == TAC_REVOLUTE_SPHERICAL) { check_note(check_length(j->length), TAC_FIELD_JOINT_LENGTH, i, fault); }
    if (j->kind == TAC_COUPLING) {
        check_note(check_that(real_abs(j->length) >= TAC_LEAST_LENGTH), TAC_FIELD_JOINT_LENGTH, i, fault);
    }
    if (j->kind == TAC_BUSHING) { check_note(check_springs(j), TAC_FIELD_JOINT_SPRINGS, i, fault); }
    if (joint_has_coordinate(j->kind)) { check_along(j, i, fault); }
    if (TAC_SWITCHES) { check_switch(j, i, fault); }
}

// ----------------------------------------------------------------------------------------------------- shapes' data
// Data behind an index are checked only if the checks before have found no fault.

static int check_held(int held)
{
    return held ? TAC_REASON_NONE : TAC_REASON_OUTSIDE;
}

// Is a point in a box? NaN is not.
static int check_in_box(const vec3 *p, const vec3 *low, const vec3 *high)
{
    return p->x >= low->x && p->y >= low->y && p->z >= low->z && p->x <= high->x && p->y <= high->y && p->z <= high->z;
}

static void check_points(const tac_model *m, const tac_polyhedron *p, tac_fault *fault)
{
    for (uint32_t i = p->first_point; i < (uint32_t)p->first_point + p->points; i++) {
        const vec3 *x = &m->point[i];
        check_note(check_finite(x, sizeof *x), TAC_FIELD_POINT, i, fault);
        check_note(check_held(check_in_box(x, &p->low, &p->high)), TAC_FIELD_POINT, i, fault);
    }
}

static int check_face(const tac_polyhedron *p, const tac_face *f)
{
    if (!polyhedron_face_inside(p, f) || (!p->convex && f->edges != 3)) { return TAC_REASON_RANGE; }
    if (!reals_finite(f, 4 * sizeof f->d)) { return TAC_REASON_NOT_FINITE; }
    return real_abs(v3_dot(f->n, f->n) - R(1.0)) <= CHECK_UNIT_SLACK ? TAC_REASON_NONE : TAC_REASON_NOT_UNIT;
}

static int check_edge(const tac_polyhedron *p, const tac_edge *e)
{
    return check_that(e->point < p->points && (e->across < p->faces || (!p->convex && e->across == TAC_NONE)));
}

// Planes and neighbours, after all indices have been checked.
static void check_surface(const tac_model *m, const tac_polyhedron *p, uint32_t i, tac_fault *fault)
{
    for (uint32_t f = 0; f < p->faces; f++) {
        const uint32_t at = p->first_face + f;
        check_note(polyhedron_plane(m, p, f) ? TAC_REASON_NONE : TAC_REASON_PLANE, TAC_FIELD_FACE, at, fault);
        for (uint32_t k = 0; k < m->face[at].edges; k++) {
            check_note(polyhedron_joined(m, p, f, k) ? TAC_REASON_NONE : TAC_REASON_OPEN, TAC_FIELD_EDGE,
                       (uint32_t)p->first_edge + m->face[at].first + k, fault);
        }
    }
    check_note(!p->convex || polyhedron_closed(p) ? TAC_REASON_NONE : TAC_REASON_OPEN, TAC_FIELD_POLYHEDRON, i, fault);
}

// Is the box of a node in that of the node above? NaN is not.
static int check_below(const node *n, const node *above)
{
    int held = 1;
    for (int k = 0; k < 6; k++) {
        held &= n->bound[k] >= above->bound[k % 3] && n->bound[k] <= above->bound[k % 3 + 3];
    }
    return held;
}

// Is node i of a mesh's tree valid? A leaf holds its triangle and is followed by the next node. Another node has two
// children, the first right behind it, the second behind the first one's tree; its tree ends with that of the second.
// The box of each child lies in its parent's. Skips increase from node to node, since in the end each is that of a
// leaf.
static int check_node(const tac_model *m, const tac_polyhedron *p, uint32_t i)
{
    const node *tree = &m->node[2 * p->first_face], *n = &tree[i];
    const uint32_t end = 2u * p->faces - 1;
    if (n->leaf != TAC_NONE) {
        if (n->leaf >= p->faces || n->skip != i + 1) { return 0; }
        const vec3 low = boxes_low(n), high = boxes_high(n);
        const tac_edge *e = &m->edge[p->first_edge + m->face[p->first_face + n->leaf].first];
        int held = 1;
        for (int k = 0; k < 3; k++) { held &= check_in_box(&m->point[p->first_point + e[k].point], &low, &high); }
        return held;
    }
    if (i + 1 >= end) { return 0; }
    const uint32_t second = tree[i + 1].skip;
    if (second <= i + 1 || second >= end || tree[second].skip != n->skip || n->skip > end) { return 0; }
    return check_below(&tree[i + 1], n) && check_below(&tree[second], n);
}

// Does a search around its first corner find triangle t?
static int check_found(const tac_model *m, const tac_polyhedron *p, uint32_t t)
{
    const node *tree = &m->node[2 * p->first_face];
    const uint32_t end = 2u * p->faces - 1;
    const vec3 *at = &m->point[p->first_point + m->edge[p->first_edge + m->face[p->first_face + t].first].point];
    uint32_t i = boxes_next(tree, 0, end, at, at);
    while (i < end && tree[i].leaf != t) { i = boxes_next(tree, i + 1, end, at, at); }
    return i < end;
}

static int check_tree(const tac_model *m, const tac_polyhedron *p)
{
    const uint32_t nodes = 2u * p->faces - 1;
    int good = m->node[2 * p->first_face].skip == nodes;
    for (uint32_t i = 0; good && i < nodes; i++) { good = check_node(m, p, i); }
    for (uint32_t t = 0; good && t < p->faces; t++) { good = check_found(m, p, t); }
    return good ? TAC_REASON_NONE : TAC_REASON_TREE;
}

static void check_polyhedron(const tac_model *m, uint32_t i, tac_fault *fault)
{
    const tac_polyhedron *p = &m->polyhedron[i];
    const int sort = p->convex ? p->convex == 1 && p->points <= TAC_MAX_HULL_POINTS : p->edges == 3u * p->faces;
    check_note(check_that(polyhedron_inside(m, p) && sort), TAC_FIELD_POLYHEDRON, i, fault);
    check_reals(&p->low, 2 * sizeof p->low, TAC_MOST_LENGTH, TAC_FIELD_POLYHEDRON, i, fault);
    check_note(check_length(polyhedron_size(&p->low, &p->high)), TAC_FIELD_POLYHEDRON, i, fault);
    if (fault->reason) { return; }
    check_points(m, p, fault);
    for (uint32_t f = p->first_face; f < (uint32_t)p->first_face + p->faces; f++) {
        check_note(check_face(p, &m->face[f]), TAC_FIELD_FACE, f, fault);
    }
    for (uint32_t e = p->first_edge; e < (uint32_t)p->first_edge + p->edges; e++) {
        check_note(check_edge(p, &m->edge[e]), TAC_FIELD_EDGE, e, fault);
    }
    if (!fault->reason) { check_surface(m, p, i, fault); }
    if (!fault->reason && !p->convex) { check_note(check_tree(m, p), TAC_FIELD_NODE, i, fault); }
}

static void check_field(const tac_model *m, uint32_t i, tac_fault *fault)
{
    const tac_height_field *f = &m->field[i];
    const uint32_t count = (uint32_t)f->columns * f->rows;
    check_note(check_that(f->columns >= 2 && f->rows >= 2 && count <= m->heights && f->first <= m->heights - count),
               TAC_FIELD_HEIGHT_FIELD, i, fault);
    check_note(check_length(f->dx), TAC_FIELD_HEIGHT_FIELD, i, fault);
    check_note(check_length(f->dy), TAC_FIELD_HEIGHT_FIELD, i, fault);
    check_note(check_length(f->dx * (real)f->columns), TAC_FIELD_HEIGHT_FIELD, i, fault);
    check_note(check_length(f->dy * (real)f->rows), TAC_FIELD_HEIGHT_FIELD, i, fault);
    check_note(check_length(f->scale), TAC_FIELD_HEIGHT_FIELD, i, fault);
    check_reals(&f->low, 2 * sizeof f->low, TAC_MOST_LENGTH, TAC_FIELD_HEIGHT_FIELD, i, fault);
    for (uint32_t k = 0; !fault->reason && k < count; k++) {
        const real height = f->scale * (real)m->height[f->first + k];
        check_note(check_finite(&height, sizeof height), TAC_FIELD_HEIGHT, i, fault);
        check_note(check_held(height >= f->low && height <= f->high), TAC_FIELD_HEIGHT, i, fault);
    }
}

// ----------------------------------------------------------------------------------------------------------- the whole

// Are all counts within the capacities? A configuration without hulls, meshes and height fields has no data of them.
static int check_counts(const tac_model *m, tac_fault *fault)
{
    const uint32_t data = m->polyhedra | m->points | m->faces | m->edges | m->fields | m->heights;
    check_note(check_that(m->bodies >= 1 && m->bodies <= TAC_MAX_BODIES + 1), TAC_FIELD_COUNT, TAC_COUNT_BODIES, fault);
    check_note(check_that(m->shapes <= TAC_MAX_SHAPES), TAC_FIELD_COUNT, TAC_COUNT_SHAPES, fault);
    check_note(check_that(m->materials <= TAC_MAX_MATERIALS), TAC_FIELD_COUNT, TAC_COUNT_MATERIALS, fault);
    check_note(check_that(m->material_pairs <= TAC_MAX_MATERIAL_PAIRS), TAC_FIELD_COUNT, TAC_COUNT_MATERIAL_PAIRS,
               fault);
    check_note(check_that(m->exclusions <= TAC_MAX_EXCLUSIONS), TAC_FIELD_COUNT, TAC_COUNT_EXCLUSIONS, fault);
    check_note(check_that(JOINT_COUNT(m) <= TAC_MAX_JOINTS), TAC_FIELD_COUNT, TAC_COUNT_JOINTS, fault);
    check_note(check_that(BELT_COUNT(m) <= TAC_MAX_SURFACES), TAC_FIELD_COUNT, TAC_COUNT_SURFACES, fault);
    check_note(check_that(m->polyhedra <= TAC_MAX_POLYHEDRA && (TAC_CONVEX || data == 0)), TAC_FIELD_COUNT,
               TAC_COUNT_POLYHEDRA, fault);
    if (!TAC_CONVEX) { return fault->reason == TAC_REASON_NONE; }
    check_note(check_that(m->points <= TAC_MAX_POINTS), TAC_FIELD_COUNT, TAC_COUNT_POINTS, fault);
    check_note(check_that(m->faces <= TAC_MAX_FACES), TAC_FIELD_COUNT, TAC_COUNT_FACES, fault);
    check_note(check_that(m->edges <= TAC_MAX_EDGES), TAC_FIELD_COUNT, TAC_COUNT_EDGES, fault);
    check_note(check_that(m->fields <= TAC_MAX_HEIGHT_FIELDS), TAC_FIELD_COUNT, TAC_COUNT_HEIGHT_FIELDS, fault);
    check_note(check_that(m->heights <= TAC_MAX_HEIGHTS), TAC_FIELD_COUNT, TAC_COUNT_HEIGHTS, fault);
    return fault->reason == TAC_REASON_NONE;
}

// Does an impulse at a point of the body cause a velocity whose square is a number, and in which the mass of the body
// is not lost? `arm` is the distance of the point from the centre of mass: no row of a contact or joint there has a
// larger 1/m + arm^2/I.
static void check_mobility(const tac_model *m, uint16_t body, vec3 at, real radius, tac_fault *fault)
{
    const tac_body *b = &m->body[body];
    if (b->kind != TAC_DYNAMIC) { return; }
    const real least = real_min(b->inertia.x, real_min(b->inertia.y, b->inertia.z));
    const real arm = v3_norm(v3_sub(at, b->inertial.p)) + radius;
    const int moves = R(1.0) / b->mass + arm * (arm / least) <= TAC_MOST_MOBILITY;
    check_note(check_that(moves && b->mass * arm * arm <= TAC_MOST_RATIO * least), TAC_FIELD_INERTIA, body, fault);
}

static void check_reach(const tac_model *m, tac_fault *fault)
{
    for (uint32_t i = 0; i < m->shapes; i++) {
        const tac_shape *s = &m->shape[i];
        if (!shape_endless(s->kind)) { check_mobility(m, s->body, s->pose.p, shape_radius(m, s), fault); }
    }
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
        const tac_joint *j = &JOINT_OF(m)[i];
        if (j->kind == TAC_COUPLING) { continue; }
        check_mobility(m, j->body_a, j->frame_a.p, R(0.0), fault);
        check_mobility(m, j->body_b, j->frame_b.p, R(0.0), fault);
    }
}

// Order: counts, scalars, options, bodies, materials, exclusions, joints, shapes, their surfaces and data, and the
// distance of shapes and joints from the centre of mass of their bodies.
static tac_status check_model(const tac_model *m, tac_fault *fault)
{
    if (!check_counts(m, fault)) { return TAC_E_MODEL; }
    check_note(check_between(m->h, TAC_LEAST_STEP, TAC_MOST_STEP), TAC_FIELD_H, 0, fault);
    check_reals(&m->gravity, sizeof m->gravity, TAC_MOST_ACCELERATION, TAC_FIELD_GRAVITY, 0, fault);
    check_options(m, fault);
    for (uint32_t i = 0; i < m->bodies; i++) { check_body(&m->body[i], i, fault); }
    check_materials(m, fault);
    check_exclusions(m, fault);
    // a coupling looks at the kinds of earlier joints
    for (uint32_t i = 0; i < JOINT_COUNT(m) && !fault->reason; i++) { check_joint(m, i, fault); }
    for (uint32_t i = 0; i < m->shapes; i++) { check_shape(m, i, fault); }
    check_belts(m, fault);
    if (TAC_CONVEX) {
        for (uint32_t i = 0; i < m->polyhedra; i++) { check_polyhedron(m, i, fault); }
        for (uint32_t i = 0; i < m->fields; i++) { check_field(m, i, fault); }
    }
    if (!fault->reason) { check_reach(m, fault); }
    return check_status(fault, TAC_E_MODEL);
}

#endif
