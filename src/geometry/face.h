// SPDX-License-Identifier: MIT
// face.h - a face of the own shape, a box or a half-space, against any other shape.
//   given   a pair and the face
//   makes   points where the supporting feature of the other shape is above or below the face
//   bound   4 clips of that feature; at most four points
//   never   decides whether this is the right face
#ifndef GEOMETRY_FACE_H
#define GEOMETRY_FACE_H

#include "support.h"
#include "clip.h"

#define FACE_BALL 0x200u // in the feature id: the name that support_box() gives to the feature of a point

// Clips the supporting feature of the other shape to the four sides of the face with normal `axis`. That of a
// half-space has no sides. Returns the number of corners, which are in scratch.corner[0].
static int face_clip(tac_pair *p, int axis)
{
    const int u = points_next(axis), v = points_next(u);
    int count = clip_begin(p, &p->support[1]);
    for (int side = 0; side < 4 && p->own.half.v.x < REAL_LARGEST; side++) {
        const int k = side & 1 ? v : u;
        const real h = p->own.half.k[k];
        count = clip_plane(p, count, v3_scale(side & 2 ? R(-1.0) : R(1.0), V3_AXIS[k]), h, CLIP_INSIDE * h, side);
    }
    return count;
}

// Part of the feature id: the face, and which of the two shapes has it.
static uint32_t face_name(const tac_pair *p, int axis, real sign)
{
    return (uint32_t)(2 * axis + (sign > R(0.0)) + 6 * (p->own_shape > p->other_shape)) << 16;
}

// How far a point is within the border of the face with normal `axis`.
static real face_room(const tac_pair *p, int axis, const tac_axes *x)
{
    const int u = points_next(axis), v = points_next(u);
    return real_min(p->own.half.k[u] - real_abs(x->k[u]), p->own.half.k[v] - real_abs(x->k[v]));
}

// The points on face (axis, sign) closer than max_gap. The feature id of a point consists of the two edges that meet in
// its corner and of both faces.
static void face_meet(const tac_model *m, tac_pair *p, int axis, real sign)
{
    const vec3 n = v3_scale(sign, V3_AXIS[axis]);
    tac_support_feature *other = &p->support[1];
    support_facing(m, p, &p->other, v3_scale(R(-1.0), n), other);
    const int count = face_clip(p, axis);
    const uint32_t face = face_name(p, axis, sign) | (uint32_t)other->name << 8;
    const tac_corner *c = p->scratch.corner[0];
    uint32_t before = count > 0 ? c[count - 1].edge : 0;
    for (int i = 0; i < count; i++) {
        const real distance = sign * c[i].x.k[axis] - p->own.half.k[axis];
        if (distance - points_radii(p) <= p->max_gap) {
            points_put_above(p, c[i].x.v, n, distance, face | before << 4 | c[i].edge, face_room(p, axis, &c[i].x));
        }
        before = c[i].edge;
    }
    if (p->points > 4) { clip_thin(p, 0, n); }
}

// The point of a ball, whose centre is known, on the plane of a half-space: what face_meet() finds there.
static void face_ball(tac_pair *p, real radius)
{
    p->own.radius = R(0.0);
    p->other.radius = radius;
    points_put_above(p, p->other.centre.v, V3_Z, p->other.centre.v.z, face_name(p, 2, R(1.0)) | FACE_BALL,
                     REAL_LARGEST);
}

#endif
