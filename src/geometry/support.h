// SPDX-License-Identifier: MIT
// support.h - supporting point and supporting feature (face, edge or vertex) of a core in a direction.
//   given   a core and a direction
//   makes   support points; tac_support_feature: up to TAC_SUPPORT_CORNERS corners in cyclic order, either way round
//   bound   for a hull its points and edges, else constant
//   never   changes the core
#ifndef GEOMETRY_SUPPORT_H
#define GEOMETRY_SUPPORT_H

#include "points.h"

#define SUPPORT_CAP R(0.5)               // cos^2 of the angle up to which the end of a cylinder is the supporting face
#define SUPPORT_UPRIGHT R(1e-8)          // tan^2 of the angle up to which an end counts as flat
#define SUPPORT_LEVEL R(1e-5)            // tangent of the angle up to which a face of a hull does
#define SUPPORT_TRIANGLE TAC_SHAPE_KINDS // the kind of a core that is a triangle of a mesh or a field

// ------------------------------------------------------------------------------------------------------ support points
// All in the core's axes; the direction d may have any length.

static vec3 support_of_box(vec3 half, vec3 d)
{
    return v3(d.x < R(0.0) ? -half.x : half.x, d.y < R(0.0) ? -half.y : half.y, d.z < R(0.0) ? -half.z : half.z);
}

// Supporting point of a circle about z; the centre if d is along z.
static vec3 support_of_circle(real radius, real z, vec3 d)
{
    const vec3 across = v3_unit(v3(d.x, d.y, R(0.0)), V3_ZERO);
    return v3(radius * across.x, radius * across.y, z);
}

static vec3 support_of_cone(vec3 half, vec3 d)
{
    const vec3 base = support_of_circle(half.x, -half.z, d), apex = v3(R(0.0), R(0.0), half.z);
    return v3_dot(base, d) > v3_dot(apex, d) ? base : apex;
}

// Supporting point of an ellipsoid: A^2 d / |A d| with A the diagonal matrix of the half axes.
static vec3 support_of_ellipsoid(vec3 half, vec3 d)
{
    return v3_mul(half, v3_unit(v3_mul(half, d), V3_Z));
}

// Supporting point among `count` points; of equal ones the first.
static uint16_t support_farthest(const vec3 *x, uint16_t count, vec3 d)
{
    uint16_t best = 0;
    real most = v3_dot(x[0], d);
    for (uint16_t i = 1; i < count; i++) {
        const real along = v3_dot(x[i], d);
        if (along > most) {
            most = along;
            best = i;
        }
    }
    return best;
}

// Supporting point of a core along n.
static vec3 support_support(const tac_model *m, const tac_pair *p, const tac_core *c, vec3 n)
{
    if (TAC_CONVEX && c->kind == SUPPORT_TRIANGLE) { return p->triangle.x[support_farthest(p->triangle.x, 3, n)]; }
    const vec3 d = v3_components(c->axis, n), half = c->half.v;
    vec3 x;
    switch (TAC_CONVEX ? c->kind : TAC_BOX) {
    case TAC_CYLINDER:
        x = support_of_circle(half.x, d.z < R(0.0) ? -half.z : half.z, d);
        break;
    case TAC_CONE:
        x = support_of_cone(half, d);
        break;
    case TAC_ELLIPSOID:
        x = support_of_ellipsoid(half, d);
        break;
    case TAC_HULL: {
        const tac_polyhedron *h = &m->polyhedron[c->data];
        const vec3 *point = &m->point[h->first_point];
        x = point[support_farthest(point, h->points, d)];
        break;
    }
    default:
        x = support_of_box(half, d);
    }
    return v3_add(c->centre.v, v3_combine(c->axis, x));
}

// Separation of the cores along unit n, from the own to the other: a lower bound of their distance for every n.
static real support_separation(const tac_model *m, const tac_pair *p, vec3 n)
{
    const vec3 a = support_support(m, p, &p->own, n), b = support_support(m, p, &p->other, v3_scale(R(-1.0), n));
    return v3_dot(v3_sub(b, a), n);
}

// --------------------------------------------------------------------------------------------------------------- sides

// Adds a corner that is given in the core's axes.
static void support_put(const tac_core *c, vec3 x, tac_support_feature *s)
{
    s->x[s->count++] = v3_add(c->centre.v, v3_combine(c->axis, x));
}

// Four corners of a box in cyclic order, two ends of a segment or a point. Only the general method asks for its normal.
static void support_box(const tac_core *c, vec3 n, tac_support_feature *s)
{
    const int box = c->half.v.x > R(0.0), count = box ? 4 : (c->half.v.z > R(0.0) ? 2 : 1);
    int k = 1; // so that the ends of a segment are the first two corners
    real most = R(0.0);
    for (int j = 0; j < 3 && box; j++) {
        const real along = v3_dot(c->axis[j], n);
        if (real_abs(along) > real_abs(most)) {
            most = along;
            k = j;
        }
    }
    const uint32_t up = most > R(0.0), sides = 7u ^ 1u << k;
    uint32_t plus = up << k, turn = 1u << points_next(k);
    for (int i = 0; i < count; i++) {
        s->x[s->count++] = points_corner(c, plus, -1);
        plus ^= turn;
        turn ^= sides;
    }
    if (TAC_CONVEX && box) { s->n = v3_scale(up ? R(1.0) : R(-1.0), c->axis[k]); }
    s->name = (uint16_t)(2 * k + (int)up);
}

// Cosines of multiples of 45 degrees; the sine of one is the cosine of the one six further on.
#define SUPPORT_HALF R(0.70710678118654752440)
static const real SUPPORT_OCTAGON[8] = {R(1.0),  SUPPORT_HALF,  R(0.0), -SUPPORT_HALF,
                                        R(-1.0), -SUPPORT_HALF, R(0.0), SUPPORT_HALF};

// The end of a cylinder or the base of a cone: eight points of the circle. The first is the supporting point along d,
// or on the x axis if the end lies flat, so that a body at rest keeps its points.
static void support_circle(const tac_core *c, real z, vec3 d, tac_support_feature *s)
{
    const real sign = z < R(0.0) ? R(-1.0) : R(1.0), r = c->half.v.x;
    const int flat = d.x * d.x + d.y * d.y <= SUPPORT_UPRIGHT * d.z * d.z;
    const vec3 u = flat ? V3_AXIS[0] : v3_unit(v3(d.x, d.y, R(0.0)), V3_AXIS[0]);
    const vec3 v = v3(-sign * u.y, sign * u.x, R(0.0));
    for (int i = 0; i < 8; i++) {
        const vec3 x = v3_scale(r, v3_madd(v3_scale(SUPPORT_OCTAGON[i], u), SUPPORT_OCTAGON[(i + 6) & 7], v));
        support_put(c, v3(x.x, x.y, z), s);
    }
    s->n = v3_scale(sign, c->axis[2]);
    s->name = sign > R(0.0);
}

// The supporting line of a cylinder or a cone: from the circle at -z to the radius `end` at +z.
static void support_line(const tac_core *c, real end, vec3 d, tac_support_feature *s)
{
    const real r = c->half.v.x, z = c->half.v.z;
    const vec3 across = v3_unit(v3(d.x, d.y, R(0.0)), V3_AXIS[0]);
    support_put(c, v3(r * across.x, r * across.y, -z), s);
    support_put(c, v3(end * across.x, end * across.y, z), s);
    s->n = v3_combine(c->axis, v3_unit(v3(R(2.0) * z * across.x, R(2.0) * z * across.y, r - end), V3_Z));
    s->name = 2;
}

// Which corner of a face stands for those from `at` to before `end`: the supporting point if it is one of them and lies
// farther along d than the first by more than the angle up to which a face counts as flat, so that a body at rest keeps
// its points.
static uint32_t support_corner(const vec3 *point, const tac_edge *edge, uint32_t at, uint32_t end, uint16_t farthest,
                               vec3 d)
{
    for (uint32_t i = at + 1; i < end; i++) {
        const vec3 way = v3_sub(point[farthest], point[edge[at].point]);
        if (edge[i].point == farthest && v3_dot(way, d) > SUPPORT_LEVEL * v3_norm(way)) { return i; }
    }
    return at;
}

// The supporting face of a hull: among the faces at its supporting point, the one whose normal is closest to d. If it
// has more corners than there is room for, some in between are left out, but not the supporting point.
static void support_hull(const tac_model *m, const tac_core *c, vec3 d, tac_support_feature *s)
{
    const tac_polyhedron *h = &m->polyhedron[c->data];
    const vec3 *point = &m->point[h->first_point];
    const tac_edge *edge = &m->edge[h->first_edge];
    const uint16_t farthest = support_farthest(point, h->points, d);
    const tac_face *best = &m->face[h->first_face];
    real most = -REAL_LARGEST;
    for (uint16_t i = 0; i < h->faces; i++) {
        const tac_face *f = &m->face[h->first_face + i];
        const real along = v3_dot(f->n, d);
        if (!(along > most)) { continue; }
        for (uint16_t e = 0; e < f->edges; e++) {
            if (edge[f->first + e].point != farthest) { continue; }
            most = along;
            best = f;
            s->name = (uint16_t)(i & 255);
        }
    }
    const uint32_t sides = best->edges, count = sides < TAC_SUPPORT_CORNERS ? sides : TAC_SUPPORT_CORNERS;
    edge += best->first;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t at = support_corner(point, edge, i * sides / count, (i + 1) * sides / count, farthest, d);
        support_put(c, point[edge[at].point], s);
    }
    s->n = v3_combine(c->axis, best->n);
}

static void support_triangle(const tac_triangle *t, vec3 n, tac_support_feature *s)
{
    const int back = v3_dot(t->n, n) < R(0.0);
    for (int i = 0; i < 3; i++) { s->x[s->count++] = t->x[i]; }
    s->n = v3_scale(back ? R(-1.0) : R(1.0), t->n);
    s->name = (uint16_t)back;
}

// The supporting feature of the core along n.
static void support_facing(const tac_model *m, const tac_pair *p, const tac_core *c, vec3 n, tac_support_feature *s)
{
    s->count = s->name = 0;
    s->n = n;
    if (!TAC_CONVEX || c->kind == TAC_BOX) {
        support_box(c, n, s);
        return;
    }
    const vec3 d = v3_components(c->axis, n);
    const real z2 = d.z * d.z, r2 = d.x * d.x + d.y * d.y;
    switch (c->kind) {
    case TAC_CYLINDER:
        if (z2 > SUPPORT_CAP * (r2 + z2)) {
            support_circle(c, d.z < R(0.0) ? -c->half.v.z : c->half.v.z, d, s);
        } else {
            support_line(c, c->half.v.x, d, s);
        }
        break;
    case TAC_CONE:
        if (d.z < R(0.0) && z2 > SUPPORT_CAP * (r2 + z2)) {
            support_circle(c, -c->half.v.z, d, s);
        } else {
            support_line(c, R(0.0), d, s);
        }
        break;
    case TAC_ELLIPSOID:
        support_put(c, support_of_ellipsoid(c->half.v, d), s);
        break;
    case TAC_HULL:
        support_hull(m, c, d, s);
        break;
    default: // SUPPORT_TRIANGLE
        support_triangle(&p->triangle, n, s);
    }
}

#endif
