// SPDX-License-Identifier: MIT
// forest.h - random worlds in which a fault of one number, one tree or one history cannot hide: several trees, free, on
// the ground and on a led body, as first or second end of their joints; loops; needles and plates; bodies that pass.
//   given   a seed; what of it is switched on
//   makes   a model, not yet sealed, and an input, numbered at random
//   bound   FOREST_BODIES bodies, FOREST_JOINTS joints
//   never   starts with a joint whose place is violated; its rates may be
#ifndef FOREST_H
#define FOREST_H

#include "wild.h"

enum { FOREST_BODIES = 8, FOREST_JOINTS = 12 };

// What a world may have.
enum {
    FOREST_LOOPS = 1,    // rods, ropes, circles, bushings, couplings, joints that close loops
    FOREST_SHAPES = 2,   // most bodies have one
    FOREST_FLOOR = 4,    // a half-space, or flush boxes with seams between them
    FOREST_THIN = 8,     // needles and plates, moments up to 1 : 1e4
    FOREST_PASSING = 16, // bodies that fly past others, and over the floor, without touching
    FOREST_RUBS = 32,    // dry friction of joints
    FOREST_DRIVEN = 64,  // motors of all kinds, wrenches, bodies with prescribed velocities
    FOREST_ALL = 127
};

typedef struct forest {
    double size, mass; // m, kg: of its bodies, about
    int what;
} forest;

// Moments of a body whose half extents are a, b, c.
static inline tac_vec3 forest_inertia(double mass, d3 a)
{
    const double k = mass / 3;
    return vec(k * (a.y * a.y + a.z * a.z), k * (a.x * a.x + a.z * a.z), k * (a.x * a.x + a.y * a.y));
}

// Half extents: of a thin body one or two are as little as a hundredth.
static inline d3 forest_extents(rng *r, const forest *f)
{
    const double x = f->size * rng_range(r, 0.3, 0.6), thin = f->size * octave_range(r, 0.006, 0.3);
    const double y = f->size * rng_range(r, 0.3, 0.6), z = f->size * rng_range(r, 0.3, 0.6);
    if (!(f->what & FOREST_THIN) || wild_one_of(r, 2)) { return d3_make(x, y, z); }
    return wild_one_of(r, 2) ? d3_make(thin, thin, z) : d3_make(x, y, thin);
}

static inline uint16_t forest_body(tac_model *m, rng *r, const forest *f, d3 at, uint8_t kind)
{
    static const uint8_t SHAPES[] = {TAC_BOX, TAC_SPHERE, TAC_CAPSULE, TAC_BOX, TAC_CYLINDER, TAC_ELLIPSOID, TAC_CONE};
    const d3 half = forest_extents(r, f);
    const double speed = f->size * rng_range(r, 0, 3) * (double)(rng_below(r, 3) > 0);
    tac_body b = tac_body_make(kind, d3_to(at));
    b.mass = (tac_real)(f->mass * octave_range(r, 0.1, 10));
    b.inertia = forest_inertia((double)b.mass, half);
    b.pose.q = dq_to(rng_quat(r));
    if (wild_one_of(r, 2)) { b.inertial = (tac_pose){d3_to(rng_box(r, 0.2 * f->size)), dq_to(rng_quat(r))}; }
    b.velocity = (tac_twist){d3_to(rng_box(r, speed)), d3_to(rng_box(r, speed / f->size))};
    const uint16_t body = (uint16_t)tac_model_add_body(m, &b);
    if ((f->what & FOREST_SHAPES) && rng_below(r, 4) > 0) {
        tac_shape s = tac_shape_make(body, SHAPES[rng_below(r, sizeof SHAPES)], d3_to(half));
        s.pose = b.inertial;
        s.material = (uint8_t)rng_below(r, 2);
        tac_model_add_shape(m, &s);
    }
    return body;
}

// ------------------------------------------------------------------------------------------------------------- joints

// What acts along a coordinate. Half of the limits touch from the start.
static inline void forest_efforts(rng *r, const forest *f, tac_joint *j, double start)
{
    const int turns = j->kind == TAC_REVOLUTE || j->kind == TAC_SCREW;
    const double unit = turns ? 1 : f->size, effort = 10 * f->mass * f->size * (turns ? f->size : 1);
    const double inertia = f->mass * (turns ? f->size * f->size : 1);
    if (wild_one_of(r, 3)) {
        j->lower = (tac_real)(start - (wild_one_of(r, 2) ? 0 : unit * rng_range(r, 0.01, 0.5)));
        j->upper = (tac_real)(start + unit * rng_range(r, 0.01, 0.5));
        if (j->kind == TAC_DISTANCE && wild_one_of(r, 2)) { j->lower = j->upper = (tac_real)start; }
        if (j->lower < j->upper && wild_one_of(r, 4)) {
            j->stop_stiffness = (tac_real)(10 * effort / unit);
            j->stop_damping = (tac_real)(0.1 * effort / unit);
        }
    }
    if ((f->what & FOREST_RUBS) && wild_one_of(r, 3)) { j->friction = (tac_real)(effort * rng_range(r, 0, 0.2)); }
    if (wild_one_of(r, 3)) { j->damping = (tac_real)(0.1 * effort / unit * rng_range(r, 0, 1)); }
    if (wild_one_of(r, 4)) { j->armature = (tac_real)(inertia * octave_range(r, 0.01, 10)); }
    if (wild_one_of(r, 4)) {
        j->stiffness = (tac_real)(effort / unit * rng_range(r, 1, 10));
        j->rest = (tac_real)(start + unit * rng_range(r, -0.2, 0.2));
    }
}

static inline void forest_motor(tac_model *m, tac_input *in, rng *r, const forest *f, uint16_t joint, double start)
{
    tac_joint *j = &m->joint[joint];
    const int turns = j->kind == TAC_REVOLUTE || j->kind == TAC_SCREW || j->kind == TAC_COUPLING;
    const double unit = turns ? 1 : f->size, effort = 10 * f->mass * f->size * (turns ? f->size : 1);
    if (!(f->what & FOREST_DRIVEN) || !wild_one_of(r, 3)) { return; }
    if (rng_below(r, 4) > 0) { j->effort = (tac_real)(effort * octave_range(r, 0.1, 10)); }
    in->motor[in->motors++] = (tac_motor){(tac_real)(start + unit * rng_range(r, -0.1, 0.1)),
                                          (tac_real)(unit * rng_range(r, -1, 1)),
                                          (tac_real)(0.3 * effort * rng_range(r, -1, 1)),
                                          (tac_real)(effort / unit * rng_range(r, 0, 20)),
                                          (tac_real)(effort / unit * rng_range(r, 0, 1)),
                                          joint,
                                          (uint16_t)rng_below(r, TAC_MOTOR_KINDS)};
}

static inline void forest_bushing(rng *r, const forest *f, tac_joint *j)
{
    const double stiff = 100 * f->mass / f->size * octave_range(r, 0.1, 10), turn = stiff * f->size * f->size;
    j->along = vec(stiff, stiff, 2 * stiff);
    j->about = vec(turn, 0.5 * turn, turn);
    if (wild_one_of(r, 2)) { j->along_damping = vec(0.01 * stiff, 0.01 * stiff, 0); }
}

// Both frames meet near the two bodies; those of a rod, a rope or a circle are apart.
static inline void forest_joint(tac_model *m, tac_input *in, rng *r, const forest *f, uint8_t kind, uint16_t a,
                                uint16_t b)
{
    const int apart = kind == TAC_DISTANCE || kind == TAC_REVOLUTE_SPHERICAL, turned = wild_one_of(r, 2);
    const double reach = apart ? f->size * rng_range(r, 0.3, 1) : 0;
    const uint16_t far = m->body[a].kind == TAC_STATIC ? b : a;
    const d3 middle = d3_scale(0.5, d3_add(d3_of(m->body[far].pose.p), d3_of(m->body[b].pose.p)));
    const d3 at = d3_add(middle, rng_box(r, 0.3 * f->size));
    const dq q = rng_quat(r);
    const int has = kind == TAC_REVOLUTE || kind == TAC_PRISMATIC || kind == TAC_SCREW || kind == TAC_DISTANCE;
    tac_joint j;
    tac_joint_init(&j, kind, turned ? b : a, turned ? a : b);
    if (kind == TAC_SCREW) { j.length = (tac_real)(0.2 * f->size); }
    if (kind == TAC_REVOLUTE_SPHERICAL) { j.length = (tac_real)reach; }
    j.frame_a = seen_from(m, j.body_a, at, q);
    j.frame_b = seen_from(m, j.body_b, d3_add(at, dq_rotate(q, d3_make(reach, 0, 0))), q);
    if (has) { forest_efforts(r, f, &j, reach); }
    if (kind == TAC_BUSHING) { forest_bushing(r, f, &j); }
    const int32_t joint = tac_model_add_joint(m, &j);
    if (has && joint >= 0) { forest_motor(m, in, r, f, (uint16_t)joint, reach); }
}

// A gear between two joints that turn or slide: rigid, with backlash, or elastic.
static inline void forest_coupling(tac_model *m, tac_input *in, rng *r, const forest *f)
{
    uint16_t found[FOREST_JOINTS], count = 0;
    for (uint16_t i = 0; i < m->joints; i++) {
        if (m->joint[i].kind == TAC_REVOLUTE || m->joint[i].kind == TAC_SCREW) { found[count++] = i; }
    }
    if (count < 2) { return; }
    const uint32_t a = rng_below(r, count), b = (a + 1 + rng_below(r, count - 1u)) % count, how = rng_below(r, 3);
    tac_joint j;
    tac_joint_init(&j, TAC_COUPLING, found[a], found[b]);
    j.length = (tac_real)(rng_range(r, 0.3, 3) * (wild_one_of(r, 2) ? 1 : -1));
    if (how < 2) {
        j.lower = (tac_real)(how == 0 ? 0 : -0.05);
        j.upper = (tac_real)(how == 0 ? 0 : 0.05);
    } else {
        j.stiffness = (tac_real)(100 * f->mass * f->size * f->size);
    }
    const int32_t joint = tac_model_add_joint(m, &j);
    if (joint >= 0) { forest_motor(m, in, r, f, (uint16_t)joint, 0); }
}

static inline void forest_loops(tac_model *m, tac_input *in, rng *r, const forest *f, uint32_t first, uint32_t last)
{
    for (uint32_t more = rng_below(r, 4); more > 0; more--) {
        const uint16_t a = (uint16_t)(wild_one_of(r, 3) ? 0 : first + rng_below(r, last - first));
        const uint16_t b = (uint16_t)(first + rng_below(r, last - first));
        const uint8_t kind = (uint8_t)rng_below(r, TAC_BUSHING + 1);
        if (m->joints >= FOREST_JOINTS) { return; }
        if (kind == TAC_COUPLING) {
            forest_coupling(m, in, r, f);
        } else if (a != b) {
            forest_joint(m, in, r, f, kind, a, b);
        }
    }
}

// ------------------------------------------------------------------------------------------------------------- worlds

// Forces on a body, and the velocity of one that is led.
static inline void forest_actions(const tac_model *m, tac_input *in, rng *r, const forest *f)
{
    for (uint16_t i = 1; i < m->bodies && in->actions < TAC_MAX_ACTIONS; i++) {
        const int led = m->body[i].kind == TAC_KINEMATIC;
        const double size = led ? f->size : 10 * f->mass, turn = led ? 1 : 10 * f->mass * f->size;
        if (!wild_one_of(r, led ? 2 : 5)) { continue; }
        tac_action *a = &in->action[in->actions++];
        *a = (tac_action){.linear = d3_to(rng_box(r, size)), .angular = d3_to(rng_box(r, turn)), .body = i};
        a->kind = (uint16_t)(led ? TAC_VELOCITY : rng_below(r, TAC_VELOCITY));
        if (!led) { a->point = d3_to(rng_box(r, 0.3 * f->size)); }
    }
}

// Bodies of trees: each hangs on one of those before it, on the ground or on a led body, or is free.
static inline void forest_trees(tac_model *m, tac_input *in, rng *r, const forest *f)
{
    static const uint8_t KINDS[] = {TAC_REVOLUTE, TAC_REVOLUTE,  TAC_REVOLUTE,  TAC_PRISMATIC,   TAC_SCREW,
                                    TAC_FIXED,    TAC_SPHERICAL, TAC_UNIVERSAL, TAC_CYLINDRICAL, TAC_PLANAR};
    const uint32_t led = rng_below(r, 2), bodies = 1 + rng_below(r, FOREST_BODIES - 2);
    const double spread = f->size * rng_range(r, 0.7, 3);
    if (led) { forest_body(m, r, f, d3_make(0, 0, 3 * f->size), TAC_KINEMATIC); }
    for (uint32_t i = 0; i < bodies; i++) {
        const uint16_t parent = (uint16_t)rng_below(r, m->bodies);
        const d3 from = parent > 0 ? d3_of(m->body[parent].pose.p) : d3_make(0, 0, 2 * f->size);
        const uint16_t body = forest_body(m, r, f, d3_add(from, rng_box(r, spread)), TAC_DYNAMIC);
        if (rng_below(r, 3) == 0) { continue; }
        forest_joint(m, in, r, f, KINDS[rng_below(r, sizeof KINDS)], parent, body);
    }
    if (f->what & FOREST_LOOPS) { forest_loops(m, in, r, f, 1 + led, m->bodies); }
}

// Of each world another part of `may` is switched on; steps are the same part of a swing whatever the size.
static inline forest forest_build(tac_model *m, tac_input *in, uint64_t seed, int may)
{
    rng r = {seed * UINT64_C(0x9e3779b97f4a7c15)};
    const forest f = {octave_range(&r, 0.01, 10), octave_range(&r, 0.01, 100), may & (int)rng_bits(&r)};
    tac_model_init(m);
    truth_fill(in, sizeof *in, 0);
    m->h = (tac_real)(1e-3 * d_sqrt(f.size) * octave_range(&r, 0.5, 8));
    if (wild_one_of(&r, 3)) { m->gravity = vec(0, 0, 0); }
    tac_model_add_material(m, (tac_real)rng_range(&r, 0, 1), (tac_real)(wild_one_of(&r, 3) ? 0.5 : 0));
    tac_model_add_material(m, (tac_real)rng_range(&r, 0, 1), 0);
    if (f.what & FOREST_FLOOR && wild_one_of(&r, 2)) {
        wild_plane(m, 0);
    } else if (f.what & FOREST_FLOOR) {
        wild_seams(m, &r, f.size, 0);
    }
    forest_trees(m, in, &r, &f);
    if (f.what & FOREST_PASSING) { wild_ball(m, &r, f.size, f.mass); }
    if (f.what & FOREST_DRIVEN) { forest_actions(m, in, &r, &f); }
    shuffle(m, in, &r);
    return f;
}

#endif
