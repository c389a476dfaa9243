// SPDX-License-Identifier: MIT
// model.h - what the world is: defaults, adding elements, combination rules, derived options, hash.
//   given   the user's definitions
//   makes   a tac_model; the coefficients of a pair; options with TAC_AUTO resolved
//   bound   linear in the model
//   never   trusts an index that check.h has not seen, except as documented
#ifndef MODEL_MODEL_H
#define MODEL_MODEL_H

#include "mesh.h"

static void model_default_options(tac_options *o)
{
    bytes_clear(o, sizeof *o);
    o->tolerance = o->margin = o->bounce = TAC_AUTO;
    o->projection = R(0.1);
    o->omega = o->lambda = R(1.0);
    o->max_sweeps = 50;
    o->solver = TAC_SOLVER_ACCELERATED;
    o->friction = TAC_FRICTION_EXACT;
    o->warm_start = 1;
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

// Friction and restitution where materials a and b meet: the table of pairs, else the later of the two rules.
static void model_pair(const tac_model *m, uint8_t a, uint8_t b, real *friction, real *restitution)
{
    for (uint16_t i = 0; i < m->material_pairs; i++) {
        const tac_material_pair *p = &m->material_pair[i];
        if ((p->a == a && p->b == b) || (p->a == b && p->b == a)) {
            *friction = p->friction;
            *restitution = p->restitution;
            return;
        }
    }
    const tac_material *ma = &m->material[a], *mb = &m->material[b];
    *friction = model_combine(ma->friction_rule, mb->friction_rule, ma->friction, mb->friction);
    *restitution = model_combine(ma->restitution_rule, mb->restitution_rule, ma->restitution, mb->restitution);
}

// ---------------------------------------------------------------------------------------------------- TAC_AUTO values
// A negative option is TAC_AUTO. Each default is a scale of the problem itself: no absolute epsilon.

#define MODEL_TOLERANCE (TAC_REAL_BITS == 32 ? R(1e-6) : R(1e-10))
#define MODEL_MARGIN_PART R(0.02) // of the smaller shape's thickness
#define MODEL_BOUNCE_STEPS R(2.0) // free fall during two steps does not bounce

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
static real model_margin(const tac_model *m, real thickness)
{
    return m->options.margin < R(0.0) ? MODEL_MARGIN_PART * thickness : m->options.margin;
}

// -------------------------------------------------------------------------------------------------------------- hash

static uint64_t model_hash_body(uint64_t hash, const tac_body *b)
{
    return hash_reals(hash_number(hash, b->kind), b, offsetof(tac_body, kind));
}

static uint64_t model_hash_shape(uint64_t hash, const tac_shape *s)
{
    hash = hash_number(hash, s->body | (uint64_t)s->group << 16 | (uint64_t)s->mask << 32);
    hash = hash_number(hash, s->kind | (uint64_t)s->material << 8);
    return hash_reals(hash, s, offsetof(tac_shape, body));
}

static uint64_t model_hash_options(uint64_t hash, const tac_options *o)
{
    hash = hash_reals(hash, o, offsetof(tac_options, max_sweeps));
    return hash_number(hash, o->max_sweeps | (uint64_t)o->solver << 16 | (uint64_t)o->friction << 24 |
                                 (uint64_t)o->warm_start << 32);
}

// A material and an override alike begin with friction and restitution.
static uint64_t model_hash_material(uint64_t hash, const void *coefficients, uint8_t a, uint8_t b)
{
    return hash_number(hash_reals(hash, coefficients, 2 * sizeof(real)), a | (uint64_t)b << 8);
}

// Every field in use, counts first. Never 0, which marks a model that is not sealed.
static uint32_t model_hash(const tac_model *m)
{
    uint64_t hash = hash_number(HASH_START, m->bodies | (uint64_t)m->shapes << 16 | (uint64_t)m->materials << 32 |
                                                (uint64_t)m->material_pairs << 48);
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
    const uint32_t folded = (uint32_t)(hash ^ (hash >> 32));
    return folded != 0 ? folded : 1;
}

// --------------------------------------------------------------------------------------------------- mass properties

// Mass, principal inertia and inertial frame from the shapes of a body, all of one density. 0 if there is no volume.
static int model_mass_from_shapes(tac_model *m, uint16_t body, real density)
{
    real volume = R(0.0);
    vec3 first = V3_ZERO, second;
    for (const tac_shape *s = m->shape; s < m->shape + m->shapes; s++) {
        if (s->body != body) { continue; }
        if (s->kind == TAC_HALF_SPACE || s->kind >= TAC_SHAPE_KINDS) { return 0; }
        const real v = shape_solid(s->kind, s->size, &second);
        volume += v;
        first = v3_madd(first, v, s->pose.p);
    }
    if (!(volume > R(0.0)) || !real_finite(volume)) { return 0; }

    // second moments about the common centre: each shape's own along its axes, and all of it at its distance
    const vec3 centre = v3_scale(R(1.0) / volume, first);
    sym3 spread;
    reals_clear(&spread, sizeof spread);
    for (const tac_shape *s = m->shape; s < m->shape + m->shapes; s++) {
        if (s->body != body) { continue; }
        const real v = shape_solid(s->kind, s->size, &second);
        vec3 arm[4];
        quat_axes(s->pose.q, arm);
        arm[3] = v3_sub(s->pose.p, centre);
        const real part[4] = {second.x, second.y, second.z, v};
        for (int k = 0; k < 4; k++) { sym3_add_outer(&spread, part[k], &arm[k]); }
    }

    tac_body *b = &m->body[body];
    sym3_principal(&spread, &second, &b->inertial.q);
    b->inertial.p = centre;
    b->mass = density * volume;
    b->inertia = v3_scale(density, v3(second.y + second.z, second.z + second.x, second.x + second.y));
    return 1;
}

#endif
