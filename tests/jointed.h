// SPDX-License-Identifier: MIT
// jointed.h - worlds of joints for property tests: chains of every kind over a floor, under motors of every kind.
//   given   a seed; TAC_MAX_JOINTS >= 6
//   makes   a scene: bodies in random places that their joints allow; limits near, friction, springs, dampers, rotors
//   bound   6 bodies, 6 joints
//   never   starts with a joint that is violated
#ifndef JOINTED_H
#define JOINTED_H

#include "scenes.h"
#include "truth.h"
#include "used.h"
#include "wild.h"

enum { JOINTED_BODIES = 6, JOINTED_KINDS = TAC_REVOLUTE_SPHERICAL + 1 };

static uint32_t jointed_seed = 1;

static inline int jointed_has_motor(uint8_t kind)
{
    return kind == TAC_REVOLUTE || kind == TAC_PRISMATIC || kind == TAC_SCREW || kind == TAC_DISTANCE;
}

// Frames of one orientation; their origins meet, but for a ring's, and those of a rod or rope, which are as far from
// each other as the bodies are.
static inline tac_joint jointed_joint(const tac_model *m, uint8_t kind, uint16_t a, uint16_t b, rng *r)
{
    const d3 pa = d3_of(m->body[a].pose.p), pb = d3_of(m->body[b].pose.p);
    const dq q = rng_quat(r);
    const int apart = kind == TAC_DISTANCE;
    const double length = kind == TAC_REVOLUTE_SPHERICAL ? 0.2 : (kind == TAC_SCREW ? 0.05 : 1.0);
    const d3 at_a = apart ? pa : d3_add(d3_scale(0.5, d3_add(pa, pb)), rng_box(r, 0.1));
    const d3 ring = d3_make(kind == TAC_REVOLUTE_SPHERICAL ? length : 0.0, 0.0, 0.0);
    const d3 at_b = apart ? pb : d3_add(at_a, dq_rotate(q, ring));
    const double start = apart ? d3_norm(d3_sub(pb, pa)) : 0.0, room = rng_range(r, 0.01, 0.3);
    tac_joint j;

    tac_joint_init(&j, kind, a, b);
    j.frame_a = (tac_pose){d3_to(d3_sub(at_a, pa)), dq_to(q)};
    j.frame_b = (tac_pose){d3_to(d3_sub(at_b, pb)), dq_to(q)};
    j.length = (tac_real)length;
    if (!jointed_has_motor(kind)) { return used(&j); }
    j.lower = (tac_real)(start - 0.5 * room);
    j.upper = (tac_real)(start + room);
    j.friction = (tac_real)rng_range(r, 0.0, 0.3);
    j.damping = (tac_real)rng_range(r, 0.0, 0.1);
    j.stiffness = (tac_real)(rng_below(r, 2) * rng_range(r, 1.0, 50.0));
    j.rest = (tac_real)start;
    j.armature = (tac_real)(rng_below(r, 2) * 0.01);
    j.effort = (tac_real)rng_range(r, 1.0, 20.0);
    return used(&j);
}

static inline tac_status jointed_build(tac_model *m)
{
    rng r = {jointed_seed};

    tac_model_init(m);
    m->h = (tac_real)0.002;
    tac_model_add_material(m, (tac_real)0.5, (tac_real)0.1);
    tac_shape shape = tac_shape_make(0, TAC_HALF_SPACE, vec(1, 1, 1));
    tac_model_add_shape(m, &shape);
    for (uint16_t i = 1; i <= JOINTED_BODIES; i++) {
        tac_body body = tac_body_make(TAC_DYNAMIC, d3_to(d3_add(d3_make(0.4 * i, 0.0, 0.2), rng_box(&r, 0.1))));
        body.inertia = vec(0.01, 0.012, 0.015);
        wild_moments(&r, &body);
        body.velocity = (tac_twist){d3_to(rng_box(&r, 0.3)), d3_to(rng_box(&r, 0.5))};
        tac_model_add_body(m, &body);
        shape = tac_shape_make(i, i % 2 ? TAC_SPHERE : TAC_BOX, vec(0.1, 0.1, 0.1));
        tac_model_add_shape(m, &shape);
    }
    for (uint16_t i = 1; i <= JOINTED_BODIES; i++) { // the first one on the ground, or a loop of the last and the first
        const uint8_t kind = (uint8_t)((jointed_seed + i) % JOINTED_KINDS);
        const uint16_t a = i > 1 ? (uint16_t)(i - 1) : (jointed_seed % 2 ? JOINTED_BODIES : 0);
        tac_joint j = jointed_joint(m, kind, a, i, &r);
        j.collide = a == 0;
        tac_model_add_joint(m, &j);
    }
    wild_numbers(m, NULL, &r);
    return tac_model_seal(m, NULL);
}

// Every motor asks for another thing every 16 steps.
static inline void jointed_drive(const tac_model *m, uint32_t step, tac_input *input)
{
    rng r = {jointed_seed * 1000 + step / 16};

    input->actions = 0;
    input->motors = 0;
    for (uint16_t i = 0; i < m->joints; i++) {
        tac_motor motor = {(tac_real)((double)m->joint[i].rest + rng_range(&r, -0.2, 0.2)),
                           (tac_real)rng_range(&r, -1.0, 1.0),
                           (tac_real)rng_range(&r, -1.0, 1.0),
                           (tac_real)rng_range(&r, 0.0, 100.0),
                           (tac_real)rng_range(&r, 0.0, 2.0),
                           i,
                           (uint16_t)((i + step / 16) % TAC_MOTOR_KINDS)};
        if (jointed_has_motor(m->joint[i].kind)) { input->motor[input->motors++] = motor; }
    }
}

static const scene jointed = {"jointed", "a chain of joints", 200, TAC_MAX_CONTACTS, jointed_build, jointed_drive};

#endif
