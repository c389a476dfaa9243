// SPDX-License-Identifier: MIT
// points.h - shared by all pairs of shapes: one shape in the frame of the other, and contact points in that frame.
//   given   two placed shapes
//   makes   pair->own, pair->other: cores swept by balls; pair->point[]
//   bound   constant
//   never   stores more than TAC_PAIR_POINTS points
#ifndef GEOMETRY_POINTS_H
#define GEOMETRY_POINTS_H

#include "../model/shape.h"

// A point field by field: compilers make a call of a whole one that has more than 64 bytes.
static inline void points_copy(tac_point *to, const tac_point *from)
{
    to->at.v = from->at.v;
    to->n = from->n;
    to->gap = from->gap;
    to->room = from->room;
    to->feature = from->feature;
}

// The core of a shape, along the axes of the frame. A sphere is a ball swept over a point, a capsule over a segment;
// other shapes are swept by the ball of their rounding. A half-space is a box without bounds except for its top face.
static void points_core(const tac_shape *s, vec3 centre, tac_core *out)
{
    out->centre.v = centre;
    for (int k = 0; k < 3; k++) { out->axis[k] = V3_AXIS[k]; }
    out->radius = shape_ball(s);
    out->half.v = s->kind == TAC_HALF_SPACE ? v3(REAL_LARGEST, REAL_LARGEST, R(0.0)) : shape_half(s);
    out->kind = shape_is_box_swept(s->kind) ? TAC_BOX : s->kind;
    out->data = s->data;
}

// Shape `other` at pose b in the frame of shape `own` at pose a. A ball is the same along all axes.
static void points_see(const tac_shape *own, const tac_pose *a, const tac_shape *other, const tac_pose *b, tac_pair *p)
{
    p->points = p->kept = 0;
    points_core(own, V3_ZERO, &p->own);
    points_core(other, pose_point_back(a, b->p), &p->other);
    if (other->kind != TAC_SPHERE) { quat_axes(quat_mul(quat_conj(a->q), b->q), p->other.axis); }
}

// Shape `other` of the model in the frame of shape `own`, both by their indices.
static void points_place(const tac_model *m, tac_collision *g, uint16_t own, uint16_t other)
{
    g->pair.own_shape = own;
    g->pair.other_shape = other;
    points_see(&m->shape[own], &g->placed[own].pose, &m->shape[other], &g->placed[other].pose, &g->pair);
}

// Half widths of the box around a core along the axes of the frame.
static vec3 points_widths(const tac_core *c)
{
    vec3 wide = V3_ZERO;
    for (int k = 0; k < 3; k++) {
        const vec3 a = c->axis[k];
        wide = v3_madd(wide, c->half.k[k], v3(real_abs(a.x), real_abs(a.y), real_abs(a.z)));
    }
    return wide;
}

// The axis after k, cyclically.
static int points_next(int k)
{
    return k < 2 ? k + 1 : 0;
}

// Sum of the radii of both balls.
static real points_radii(const tac_pair *p)
{
    return p->own.radius + p->other.radius;
}

// Adds the point x of the other core, `distance` away from the own core along n; above a face if `room` says so.
static void points_put_above(tac_pair *p, vec3 x, vec3 n, real distance, uint32_t feature, real room)
{
    if (p->points >= TAC_PAIR_POINTS) { return; }
    tac_point *out = &p->point[p->points++];
    const real gap = distance - p->own.radius - p->other.radius;
    out->at.v = v3_madd(x, -(p->other.radius + R(0.5) * gap), n);
    out->n = n;
    out->gap = gap;
    out->room = room;
    out->feature = feature;
}

static void points_put(tac_pair *p, vec3 x, vec3 n, real distance, uint32_t feature)
{
    points_put_above(p, x, n, distance, feature, R(-1.0));
}

// A corner of a box: the bits of `plus` give the sign along each axis. Axis `not` is left out: the midpoint of an edge.
static vec3 points_corner(const tac_core *c, uint32_t plus, int not )
{
    vec3 x = c->centre.v;
    for (int k = 0; k < 3; k++) {
        const real h = c->half.k[k];
        if (k != not ) { x = v3_madd(x, plus >> k & 1 ? h : -h, c->axis[k]); }
    }
    return x;
}

#endif
