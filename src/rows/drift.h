// SPDX-License-Identifier: MIT
// drift.h - how a contact drifts over both bodies while these keep their velocities.
//   given   a contact; shapes, poses, velocities
//   makes   rates of its normal, of the arms to it and of D'v
//   bound   constant; for a hull its faces
//   never   knows rows or impulses
#ifndef ROWS_DRIFT_H
#define ROWS_DRIFT_H

#include "../geometry/curvature.h"
#include "contact_rows.h"

// A body at the contact, and the material point of the body there; world frame.
typedef struct drift_body {
    vec3 v, w, arm, speed;
} drift_body;

typedef struct drift_rates {
    vec3 normal; // 1/s
    vec3 arm[2]; // m/s
    vec3 k;      // m/s2   of D'v
} drift_rates;

static void drift_at(const tac_pose *pose, vec3 v, vec3 w, vec3 point, drift_body *b)
{
    b->v = v;
    b->w = quat_rotate(pose->q, w);
    b->arm = v3_sub(point, pose->p);
    b->speed = v3_add(v, v3_cross(b->w, b->arm));
}

// Tangential velocity of b against a.
static vec3 drift_slide(const drift_body b[2], vec3 n)
{
    const vec3 v = v3_sub(b[1].speed, b[0].speed);
    return v3_madd(v, -v3_dot(v, n), n);
}

// How fast n turns in b less than in a.
static vec3 drift_turn(const drift_body b[2], vec3 n)
{
    return v3_cross(v3_sub(b[1].w, b[0].w), n);
}

// By the curvatures of both surfaces, which carry half of the gap each.
static void drift_over(const tac_model *m, const tac_state *s, const tac_contact *c, vec3 slide, vec3 turn,
                       curvature_motion *motion)
{
    real size = REAL_LARGEST;
    const uint16_t shape[2] = {c->id.shape_a, c->id.shape_b}, body[2] = {c->body_a, c->body_b};
    curvature_surface surface[2];
    for (int side = 0; side < 2; side++) {
        const tac_shape *of = &m->shape[shape[side]];
        const real radius = shape_radius(m, of);
        tac_pose at;
        if (radius > R(0.0)) { size = real_min(size, radius); }
        rows_place(of, &m->body[body[side]].inertial, &s->pose[body[side]], &at);
        curvature_of(m, of, &at, c->point, v3_scale(side ? R(-1.0) : R(1.0), c->n), R(0.5) * c->gap,
                     rows_rounding(m, c, s), &surface[side]);
    }
    curvature_move(surface, c->u, c->w, slide, turn, size, motion);
}

// A point of b at the contact has w x (w x r) more than the accelerations of b, and the contact goes on to another one
// by s, which adds w x s; likewise a. The normal turns by n' = w_a x n + p_a, so that the second derivative of the gap,
// the rate of n.(v_b - v_a), has n'.(v_b - v_a) in addition: k of T03 (20).
static void drift_rates_of(const drift_body b[2], vec3 n, vec3 slide, const curvature_motion *motion, drift_rates *r)
{
    vec3 turns[2];
    for (int side = 0; side < 2; side++) {
        r->arm[side] = v3_add(v3_sub(b[side].speed, b[side].v), motion->slip[side]);
        turns[side] = v3_cross(b[side].w, r->arm[side]);
    }
    r->normal = v3_add(v3_cross(b[0].w, n), motion->turn);
    r->k = v3_madd(v3_sub(turns[1], turns[0]), v3_dot(slide, r->normal), n);
}

#endif
