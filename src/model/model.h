// SPDX-License-Identifier: MIT
// model.h - building a model: defaults, adding elements, combination rules, derived options, hash.
//   given   the user's definitions
//   makes   a tac_model; the coefficients of a pair; options with TAC_AUTO resolved
//   bound   linear in the model
//   never   follows an index that check.h has not checked, except as documented
#ifndef MODEL_MODEL_H
#define MODEL_MODEL_H

#include "../base/boxes.h"
#include "shape.h"
#include "polyhedron.h"
#include "joint.h"
#include "rolling.h"
#include "friction.h"
#include "belt.h"

static void model_default_options(tac_options *o)
{
    bytes_clear(o, sizeof *o);
    o->tolerance = o->margin = o->bounce = TAC_AUTO;
    o->projection = R(0.1);
    o->omega = o->lambda = R(1.0);
    o->max_sweeps = 50;
    o->solver = TAC_SOLVER_AUTO;
    o->friction = TAC_FRICTION_EXACT;
    o->warm_start = 1;
    o->max_joint_iterations = TAC_JOINT_ITERATIONS;
}

static void model_init(tac_model *m)
{
    bytes_clear(m, sizeof *m);
    m->h = R(1e-3);
    m->gravity = v3(R(0.0), R(0.0), R(-9.81));
    model_default_options(&m->options);
    tac_body *ground = &m->body[0];
    ground->mass = ground->inertia.x = ground->inertia.y = ground->inertia.z = R(1.0);
    ground->inertial.q.w = ground->pose.q.w = R(1.0);
    m->bodies = 1;
}

// Marks every table as full. Counts come first and together, so they lie within the models of all configurations.
static void model_fill_tables(tac_model *m)
{
    m->bodies = m->shapes = m->materials = m->material_pairs = m->exclusions = UINT16_MAX;
    m->polyhedra = m->points = m->faces = m->edges = m->fields = UINT16_MAX;
    m->heights = UINT32_MAX;
    JOINT_FILL(m);
    BELT_FILL(m);
}

// ------------------------------------------------------------------------------------------------ combination rules

// The later of the two rules.
static real model_combine(uint8_t rule_a, uint8_t rule_b, real a, real b)
{
    switch (rule_a > rule_b ? rule_a : rule_b) {
    case TAC_RULE_AVERAGE:
        return R(0.5) * (a + b);
    case TAC_RULE_GEOMETRIC:
        return real_sqrt(a * b);
    case TAC_RULE_MULTIPLY:
        return a * b;
    case TAC_RULE_MIN:
        return real_min(a, b);
    default:
        return real_max(a, b);
    }
}

// Two springs in series, 0 being a rigid one: 1/k = 1/k_a + 1/k_b. Each takes the part k/k_i of the way and of the
// rate, so that its damper dissipates as one of c_i (k/k_i)^2 between the two bodies.
static void model_series(const tac_material *a, const tac_material *b, tac_material_pair *pair)
{
    const real ka = a->stiffness, kb = b->stiffness;
    const real part_a = kb > R(0.0) ? kb / (ka + kb) : R(1.0), part_b = ka > R(0.0) ? ka / (ka + kb) : R(1.0);
    pair->stiffness = ka > R(0.0) ? part_a * ka : kb;
    pair->damping = part_a * part_a * a->damping + part_b * part_b * b->damping;
}

// mu at rest: a material without static friction has one.
static real model_still(const tac_material *t)
{
    return FRICTION_STATIC(t) > R(0.0) ? FRICTION_STATIC(t) : t->friction;
}

// Coefficients of materials a and b: from the table of pairs, else by the later of the two rules.
static void model_pair(const tac_model *m, uint8_t a, uint8_t b, tac_material_pair *pair)
{
    for (uint16_t i = 0; i < m->material_pairs; i++) {
        const tac_material_pair *p = &m->material_pair[i];
        if ((p->a == a && p->b == b) || (p->a == b && p->b == a)) {
            bytes_copy(pair, p, sizeof *pair);
            return;
        }
    }
    const tac_material *ma = &m->material[a], *mb = &m->material[b];
    pair->friction = model_combine(ma->friction_rule, mb->friction_rule, ma->friction, mb->friction);
    pair->restitution = model_combine(ma->restitution_rule, mb->restitution_rule, ma->restitution, mb->restitution);
    model_series(ma, mb, pair);
    const uint8_t first = ma->friction_rule, second = mb->friction_rule;
    ROLLING_SET(pair, model_combine(first, second, ROLLING_SPINNING(ma), ROLLING_SPINNING(mb)),
                model_combine(first, second, ROLLING_ROLLING(ma), ROLLING_ROLLING(mb)));
    FRICTION_SET_STATIC(pair, model_combine(first, second, model_still(ma), model_still(mb)),
                        real_max(FRICTION_SPEED(ma), FRICTION_SPEED(mb)));
}

// ---------------------------------------------------------------------------------------------------- TAC_AUTO values
// A negative option is TAC_AUTO. Each default is a scale of the problem itself: no absolute epsilon.

#define MODEL_TOLERANCE (TAC_REAL_BITS == 32 ? R(1e-6) : R(1e-8)) // of the residual of zero impulses: a step is solved
#define MODEL_MARGIN_PART R(0.02)  // of the smaller shape's thickness
#define MODEL_BOUNCE_STEPS R(2.0) // the speed of two steps of free fall does not bounce

// Speed gained in one step of free fall.
static real model_fall_speed(const tac_model *m)
{
    return v3_norm(m->gravity) * m->h;
}

static real model_tolerance(const tac_model *m)
{
    return m->options.tolerance < R(0.0) ? MODEL_TOLERANCE : m->options.tolerance;
}

static real model_bounce(const tac_model *m)
{
    return m->options.bounce < R(0.0) ? MODEL_BOUNCE_STEPS * model_fall_speed(m) : m->options.bounce;
}

// Distance below which a resting pair is in contact; `thickness` is that of the thinner shape.
static real model_margin(real margin, real thickness)
{
    return margin < R(0.0) ? MODEL_MARGIN_PART * thickness : margin;
}

// -------------------------------------------------------------------------------------------------------------- hash

static uint64_t model_hash_body(uint64_t hash, const tac_body *b)
{
    return hash_reals(hash_number(hash, b->kind), b, offsetof(tac_body, kind));
}

static uint64_t model_hash_shape(uint64_t hash, const tac_shape *s)
{
    hash = hash_number(hash, s->body | (uint64_t)s->group << 16 | (uint64_t)s->mask << 32 | (uint64_t)s->data << 48);
    hash = hash_number(hash, s->kind | (uint64_t)s->material << 8);
    return hash_reals(hash, s, offsetof(tac_shape, body));
}

static uint64_t model_hash_options(uint64_t hash, const tac_options *o)
{
    hash = hash_reals(hash, o, offsetof(tac_options, max_sweeps));
    return hash_number(hash, o->max_sweeps | (uint64_t)o->solver << 16 | (uint64_t)o->friction << 24 |
                                 (uint64_t)o->warm_start << 32);
}

// Materials and overrides both begin with friction and restitution.
static uint64_t model_hash_material(uint64_t hash, const void *coefficients, uint8_t a, uint8_t b)
{
    return hash_number(hash_reals(hash, coefficients, 2 * sizeof(real)), a | (uint64_t)b << 8);
}

static uint64_t model_hash_node(uint64_t hash, const node *n)
{
    return hash_number(hash_reals(hash, n->bound, sizeof n->bound), n->leaf | (uint64_t)n->skip << 16);
}

// Hulls and meshes with their parts of the tables; of the nodes, the trees of the meshes.
static uint64_t model_hash_polyhedra(const tac_model *m, uint64_t hash)
{
    for (uint32_t i = 0; i < m->polyhedra && i < TAC_MAX_POLYHEDRA; i++) {
        const tac_polyhedron *p = &m->polyhedron[i];
        hash = hash_reals(hash, p, 2 * sizeof p->low);
        hash = hash_number(hash, p->first_point | (uint64_t)p->points << 16 | (uint64_t)p->first_face << 32 |
                                     (uint64_t)p->faces << 48);
        hash = hash_number(hash, p->first_edge | (uint64_t)p->edges << 16 | (uint64_t)p->convex << 32 |
                                     (uint64_t)p->spare << 48);
        const uint32_t nodes = p->convex || p->faces == 0 ? 0 : 2u * p->faces - 1, first = 2u * p->first_face;
        for (uint32_t k = first; k < first + nodes && k < 2 * TAC_MAX_FACES; k++) {
            hash = model_hash_node(hash, &m->node[k]);
        }
    }
    for (uint32_t i = 0; i < m->points && i < TAC_MAX_POINTS; i++) {
        hash = hash_reals(hash, &m->point[i], sizeof m->point[i]);
    }
    for (uint32_t i = 0; i < m->faces && i < TAC_MAX_FACES; i++) {
        const tac_face *f = &m->face[i];
        hash = hash_number(hash_reals(hash, f, 4 * sizeof f->d), f->first | (uint64_t)f->edges << 16);
    }
    for (uint32_t i = 0; i < m->edges && i < TAC_MAX_EDGES; i++) {
        hash = hash_number(hash, m->edge[i].point | (uint64_t)m->edge[i].across << 16);
    }
    return hash;
}

// A sample is hashed as a real, whatever its type.
static uint64_t model_hash_fields(const tac_model *m, uint64_t hash)
{
    for (uint32_t i = 0; i < m->fields && i < TAC_MAX_HEIGHT_FIELDS; i++) {
        const tac_height_field *f = &m->field[i];
        hash = hash_reals(hash, f, 5 * sizeof f->dx);
        hash = hash_number(hash, f->first | (uint64_t)f->columns << 32 | (uint64_t)f->rows << 48);
    }
    for (uint32_t i = 0; i < m->heights && i < TAC_MAX_HEIGHTS; i++) { hash = hash_real(hash, (real)m->height[i]); }
    return hash;
}

// Two numbers of a material or pair that most models do not have.
static uint64_t model_hash_two(uint64_t hash, uint64_t index, real first, real second)
{
    if (first == R(0.0) && second == R(0.0)) { return hash; }
    return hash_real(hash_real(hash_number(hash, index), first), second);
}

// Materials, pairs and shapes with resistance, compliance or laws of friction; a model without resistance has the same
// hash as with TAC_ROLLING 0, and a rigid one the same as before there was compliance.
static uint64_t model_hash_resistance(const tac_model *m, uint64_t hash)
{
    for (uint16_t i = 0; i < m->materials && i < TAC_MAX_MATERIALS; i++) {
        const tac_material *t = &m->material[i];
        hash = model_hash_two(hash, i, ROLLING_SPINNING(t), ROLLING_ROLLING(t));
        hash = model_hash_two(hash, UINT64_C(512) + i, t->stiffness, t->damping);
        hash = model_hash_two(hash, UINT64_C(1024) + i, FRICTION_STATIC(t), FRICTION_SPEED(t));
    }
    for (uint16_t i = 0; i < m->material_pairs && i < TAC_MAX_MATERIAL_PAIRS; i++) {
        const tac_material_pair *p = &m->material_pair[i];
        hash = model_hash_two(hash, UINT64_C(256) + i, ROLLING_SPINNING(p), ROLLING_ROLLING(p));
        hash = model_hash_two(hash, UINT64_C(768) + i, p->stiffness, p->damping);
        hash = model_hash_two(hash, UINT64_C(1280) + i, FRICTION_STATIC(p), FRICTION_SPEED(p));
    }
    for (uint16_t i = 0; TAC_FRICTION_LAWS && i < m->shapes && i < TAC_MAX_SHAPES; i++) {
        const tac_shape *s = &m->shape[i];
        const vec3 axis = FRICTION_AXIS(s);
        if (!friction_has_axis(s)) { continue; }
        hash = hash_reals(hash_number(hash, UINT64_C(1536) + i), &axis, sizeof axis);
        hash = hash_real(hash_real(hash, FRICTION_TURN(s)), FRICTION_SHARE(s));
    }
    return hash;
}

// Numbers up to this are no hash of a model: 0, it is not sealed; 1 + TAC_COUNT_*, likewise, and an element has found
// that table full.
#define MODEL_MARKS 255

static inline int model_sealed(const tac_model *m)
{
    return m->hash > MODEL_MARKS;
}

// Every field in use, counts first. Never a mark.
REAL_ONCE static uint32_t model_hash(const tac_model *m)
{
    uint64_t hash = hash_number(HASH_START, m->bodies | (uint64_t)m->shapes << 16 | (uint64_t)m->materials << 32 |
                                                (uint64_t)m->material_pairs << 48);
    hash = hash_number(hash, m->exclusions | (uint64_t)m->polyhedra << 16 | (uint64_t)m->points << 32 |
                                 (uint64_t)m->faces << 48);
    hash = hash_number(hash, m->edges | (uint64_t)m->fields << 16 | (uint64_t)m->heights << 32);
    hash = hash_reals(hash_real(hash, m->h), &m->gravity, sizeof m->gravity);
    hash = model_hash_options(hash, &m->options);
    for (uint16_t i = 0; i < m->bodies && i <= TAC_MAX_BODIES; i++) { hash = model_hash_body(hash, &m->body[i]); }
    for (uint16_t i = 0; i < m->shapes && i < TAC_MAX_SHAPES; i++) { hash = model_hash_shape(hash, &m->shape[i]); }
    for (uint16_t i = 0; i < m->materials && i < TAC_MAX_MATERIALS; i++) {
        const tac_material *t = &m->material[i];
        hash = model_hash_material(hash, t, t->friction_rule, t->restitution_rule);
    }
    for (uint16_t i = 0; i < m->material_pairs && i < TAC_MAX_MATERIAL_PAIRS; i++) {
        const tac_material_pair *p = &m->material_pair[i];
        hash = model_hash_material(hash, p, p->a, p->b);
    }
    for (uint32_t i = 0; i < m->exclusions && i < TAC_MAX_EXCLUSIONS; i++) {
        hash = hash_number(hash, m->exclusion[i].a | (uint64_t)m->exclusion[i].b << 16);
    }
    if (JOINT_COUNT(m) <= TAC_MAX_JOINTS) { hash = joint_hash(m, hash); }
    if (TAC_CONVEX) { hash = model_hash_fields(m, model_hash_polyhedra(m, hash)); }
    hash = model_hash_resistance(m, hash);
    if (BELT_COUNT(m) <= TAC_MAX_SURFACES) { hash = belt_hash(m, hash); }
    if (JOINT_COUNT(m) <= TAC_MAX_JOINTS) { hash = joint_hash_switches(m, hash); }
    const uint32_t folded = (uint32_t)(hash ^ (hash >> 32));
    return folded > MODEL_MARKS ? folded : folded + MODEL_MARKS + 1;
}

// --------------------------------------------------------------------------------------------------- mass properties

// Does the shape have a mass: is it bounded, with valid data?
static int model_has_mass(const tac_model *m, const tac_shape *s)
{
    if (s->kind == TAC_HULL && TAC_CONVEX) {
        return s->data < m->polyhedra && m->polyhedra <= TAC_MAX_POLYHEDRA && m->points <= TAC_MAX_POINTS &&
               m->faces <= TAC_MAX_FACES && m->edges <= TAC_MAX_EDGES && polyhedron_safe(m, &m->polyhedron[s->data]);
    }
    return shape_is_known(s->kind) && !shape_endless(s->kind);
}

// Centroid of a solid in the body's frame. With TAC_CONVEX 0 it is at the shape's origin.
static vec3 model_centroid(const tac_pose *pose, const shape_mass *s)
{
    return TAC_CONVEX ? pose_point(pose, s->centre) : pose->p;
}

#define MODEL_ARMS (TAC_CONVEX ? 7 : 4) // the other kinds are symmetric: no products of inertia

// Adds the second moment of a solid about `centre`: sums of s_ik e_i e_k' along the axes of its frame, and its volume
// at the distance of its centroid. Since e_i e_k' + e_k e_i' = (e_i + e_k)(e_i + e_k)' - e_i e_i' - e_k e_k', these are
// outer products.
static void model_add_moments(const tac_pose *pose, const shape_mass *s, vec3 centre, sym3 *moments)
{
    const sym3 *a = &s->second;
    real part[MODEL_ARMS];
    vec3 arm[MODEL_ARMS];
    quat_axes(pose->q, arm);
    arm[3] = v3_sub(model_centroid(pose, s), centre);
    part[0] = a->xx;
    part[1] = a->yy;
    part[2] = a->zz;
    part[3] = s->volume;
    const real off[3] = {a->yz, a->xz, a->xy};
    for (int r = 0, p = 1, q = 2; r < MODEL_ARMS - 4; p = q, q = r, r++) {
        part[4 + r] = off[r];
        part[p] -= off[r];
        part[q] -= off[r];
        arm[4 + r] = v3_add(arm[p], arm[q]);
    }
    for (int k = 0; k < MODEL_ARMS; k++) { sym3_add_outer(moments, part[k], &arm[k]); }
}

// Mass, principal inertia and inertial frame of a body from its shapes at one density. Returns 0 without volume.
static int model_mass_from_shapes(tac_model *m, uint16_t body, real density)
{
    real volume = R(0.0);
    vec3 first = V3_ZERO, second;
    shape_mass part;
    for (const tac_shape *s = m->shape; s < m->shape + m->shapes; s++) {
        if (s->body != body) { continue; }
        if (!model_has_mass(m, s)) { return 0; }
        shape_solid(m, s, &part);
        volume += part.volume;
        first = v3_madd(first, part.volume, model_centroid(&s->pose, &part));
    }
    if (!(volume > R(0.0)) || !real_finite(volume)) { return 0; }

    const vec3 centre = v3_scale(R(1.0) / volume, first);
    sym3 moments;
    reals_clear(&moments, sizeof moments);
    for (const tac_shape *s = m->shape; s < m->shape + m->shapes; s++) {
        if (s->body != body) { continue; }
        shape_solid(m, s, &part);
        model_add_moments(&s->pose, &part, centre, &moments);
    }

    tac_body *b = &m->body[body];
    sym3_principal(&moments, &second, &b->inertial.q);
    b->inertial.p = centre;
    b->mass = density * volume;
    b->inertia = v3_scale(density, v3(second.y + second.z, second.z + second.x, second.x + second.y));
    return 1;
}

#endif
