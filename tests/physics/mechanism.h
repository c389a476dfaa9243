// SPDX-License-Identifier: MIT
// mechanism.h - a model with joints, and short words for what tests of joints do with it.
//   given   nothing
//   makes   m, s, w, input; bodies, joints, coordinates, energy
//   bound   constant
//   never   judges
#ifndef MECHANISM_H
#define MECHANISM_H

#include "begin.h"
#include "truth.h"

#define FLOAT (TAC_REAL_BITS == 32)

static tac_model m;
static tac_state s;
static tac_work w;
static tac_input input;

static inline void begin(uint8_t solver, double h, double gravity)
{
    tac_model_init(&m);
    m.h = (tac_real)h;
    m.gravity.z = (tac_real)-gravity;
    m.options.solver = solver;
    truth_fill(&input, sizeof input, 0);
}

static inline tac_joint *last_joint(void)
{
    return &m.joint[m.joints - 1];
}

static inline tac_joint *add_joint(uint8_t kind, uint16_t a, uint16_t b)
{
    tac_joint joint;
    tac_joint_init(&joint, kind, a, b);
    tac_model_add_joint(&m, &joint);
    return last_joint();
}

static inline tac_body *add_body(double x, double z, double mass, double spin)
{
    tac_body body = tac_body_make(TAC_DYNAMIC, (tac_vec3){(tac_real)x, 0, (tac_real)z});
    body.mass = (tac_real)mass;
    body.inertia = (tac_vec3){(tac_real)spin, (tac_real)spin, (tac_real)spin};
    tac_model_add_body(&m, &body);
    return &m.body[m.bodies - 1];
}

// z of the joint's frames along y of the world: it turns in the plane of x and z.
static inline void about_y(tac_joint *j)
{
    const tac_real half = (tac_real)0.70710678118654752440;
    j->frame_a.q = j->frame_b.q = (tac_quat){half, -half, 0, 0};
}

static inline double energy(void)
{
    tac_real kinetic, potential;
    tac_energy(&m, &s, &kinetic, &potential);
    return (double)kinetic + (double)potential;
}

static inline tac_joint_state look(uint32_t joint)
{
    tac_joint_state x = {0, 0};
    if (tac_state_get_joint(&m, &s, joint, &x) != TAC_OK) { tap_ok(0, "the joint can be read"); }
    return x;
}

#endif
