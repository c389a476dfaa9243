// SPDX-License-Identifier: MIT
// wild.h - what random worlds have besides their own: thin bodies, floors with seams, bodies that pass, led bodies that
// joints hang on; all of it numbered at random.
//   given   a model, not yet sealed; a generator of random numbers
//   makes   one of these each; a world that only has them if they are switched on here
//   bound   one body or at most four shapes a call
//   never   seals the model; draws a number where `wild` is 0
#ifndef WILD_H
#define WILD_H

#include "random_mechanism.h"
#include "shuffle.h"

// 0: worlds that are as old seeds have made them, which faults were found with.
static int wild = 1;

// What random worlds of tests of motion have; one that cannot have it says so, and why, before it includes this. Tests
// of bits and verdicts (forest.h) have it all in any case.
#ifndef WILD_THIN
#define WILD_THIN 1
#endif
#ifndef WILD_SEAMS
#define WILD_SEAMS 1
#endif
#ifndef WILD_PASSING
#define WILD_PASSING 1
#endif

static inline int wild_one_of(rng *r, uint32_t count)
{
    return rng_below(r, count) == 0;
}

// A body becomes a needle or a plate: moments of 1 : 10 to 1 : 1e4, or in a plane but for a thousandth.
static inline void wild_thin(rng *r, tac_body *b)
{
    const double k = d_max(d_max((double)b->inertia.x, (double)b->inertia.y), (double)b->inertia.z);
    const double thin = octave_range(r, 1e-4, 0.1);
    b->inertia = wild_one_of(r, 2) ? vec(thin * k, k, (1 - 0.5 * thin) * k) : vec(0.5 * k, 0.501 * k, k);
}

// The same, of one body of four where thin ones are switched on.
static inline void wild_moments(rng *r, tac_body *b)
{
    if (wild && WILD_THIN && wild_one_of(r, 4)) { wild_thin(r, b); }
}

static inline void wild_plane(tac_model *m, uint8_t material)
{
    tac_shape plane = tac_shape_make(0, TAC_HALF_SPACE, vec(0, 0, 0));
    plane.material = material;
    tac_model_add_shape(m, &plane);
}

// Four boxes that meet in two seams, near the origin, their tops in z = 0.
static inline void wild_seams(tac_model *m, rng *r, double size, uint8_t material)
{
    const double far = 8 * size, x = size * rng_range(r, -1, 1), y = size * rng_range(r, -1, 1);
    for (int i = 0; i < 4; i++) {
        tac_shape box = tac_shape_make(0, TAC_BOX, vec(far, far, size));
        box.pose.p = vec(x + (i % 2 ? far : -far), y + (i / 2 ? far : -far), -size);
        box.material = material;
        tac_model_add_shape(m, &box);
    }
}

static inline void wild_floor(tac_model *m, rng *r, double size, uint8_t material)
{
    if (wild && WILD_SEAMS && wild_one_of(r, 2)) {
        wild_seams(m, r, size, material);
    } else {
        wild_plane(m, material);
    }
}

// A ball that flies low over the floor, and past others, at up to a hundred times its size a second.
static inline void wild_ball(tac_model *m, rng *r, double size, double mass)
{
    const double radius = size * rng_range(r, 0.1, 0.5), gap = size * octave_range(r, 1e-4, 0.1);
    const d3 at = d3_make(size * rng_range(r, -6, 6), size * rng_range(r, -6, 6), radius + gap);
    tac_body b = tac_body_make(TAC_DYNAMIC, d3_to(at));
    const double k = 0.4 * mass * radius * radius, speed = size * octave_range(r, 1, 100);
    b.mass = (tac_real)mass;
    b.inertia = vec(k, k, k);
    b.velocity.v = vec(speed * rng_range(r, -1, 1), speed * rng_range(r, -1, 1), 0);
    const uint16_t body = (uint16_t)tac_model_add_body(m, &b);
    const tac_shape ball = tac_shape_make(body, TAC_SPHERE, vec(radius, 0, 0));
    tac_model_add_shape(m, &ball);
}

static inline void wild_passing(tac_model *m, rng *r, double size, double mass)
{
    if (wild && WILD_PASSING && wild_one_of(r, 2)) { wild_ball(m, r, size, mass); }
}

// Does this body begin another tree?
static inline int wild_root(rng *r)
{
    return wild && wild_one_of(r, 6);
}

// Which of two bodies is a of their joint.
static inline void wild_turn(rng *r, uint16_t *a, uint16_t *b)
{
    if (!wild || wild_one_of(r, 2)) { return; }
    const uint16_t first = *a;
    *a = *b;
    *b = first;
}

#if TAC_MAX_JOINTS > 0

// What hangs on the ground hangs on a led body that rests, in one world of two.
static inline void wild_lead(tac_model *m, rng *r)
{
    uint32_t hangs = 0;
    d3 at = {0, 0, 0};
    for (uint32_t i = 0; i < m->joints; i++) {
        const tac_joint *j = &m->joint[i];
        if (j->kind == TAC_COUPLING || (j->body_a != 0 && j->body_b != 0)) { continue; }
        at = d3_of(j->body_a == 0 ? j->frame_a.p : j->frame_b.p);
        hangs++;
    }
    if (!wild || hangs == 0 || wild_one_of(r, 2)) { return; }
    tac_body led = tac_body_make(TAC_KINEMATIC, d3_to(d3_scale(rng_range(r, 0.5, 1.5), at)));
    led.pose.q = dq_to(rng_quat(r));
    const uint16_t body = (uint16_t)tac_model_add_body(m, &led);
    for (uint32_t i = 0; i < m->joints; i++) {
        tac_joint *j = &m->joint[i];
        if (j->kind == TAC_COUPLING) { continue; }
        uint16_t *const end[2] = {&j->body_a, &j->body_b};
        tac_pose *const frame[2] = {&j->frame_a, &j->frame_b};
        for (int k = 0; k < 2; k++) {
            if (*end[k] != 0) { continue; }
            *end[k] = body;
            *frame[k] = seen_from(m, body, d3_of(frame[k]->p), dq_of(frame[k]->q));
        }
    }
}

#endif

// The world under other numbers. Returns the new number of each body.
static inline shuffled wild_numbers(tac_model *m, tac_input *input, rng *r)
{
    shuffled same;
    for (uint32_t i = 0; i <= TAC_MAX_BODIES; i++) { same.body[i] = (uint16_t)i; }
    return wild ? shuffle(m, input, r) : same;
}

#endif
