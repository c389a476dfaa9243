// SPDX-License-Identifier: MIT
// side.h - what of a core looks along a direction: its farthest point, and the face, segment or point there.
//   given   a core and a direction
//   makes   support points; tac_side: up to TAC_SIDE_CORNERS corners, in turn one way or the other
//   bound   for a hull its points and edges, else constant
//   never   changes the core
#ifndef GEOMETRY_SIDE_H
#define GEOMETRY_SIDE_H

#include "points.h"

#define SIDE_CAP R(0.5)      // square of the cosine of the angle up to which a direction looks at the end of a cylinder
#define SIDE_UPRIGHT R(1e-8) // square of the tangent of the angle up to which an end lies flat
#define SIDE_TRIANGLE TAC_SHAPE_KINDS // the kind of a core that is a triangle of a mesh or a field

// ------------------------------------------------------------------------------------------------------ support points
// Each in the core's axes, d the direction there, of any length.

static vec3 side_of_box(vec3 half, vec3 d)
{
    return v3(d.x < R(0.0) ? -half.x : half.x, d.y < R(0.0) ? -half.y : half.y, d.z < R(0.0) ? -half.z : half.z);
}

// The point of a circle about z that is farthest along d; the centre if all are.
static vec3 side_of_circle(real radius, real z, vec3 d)
{
    const vec3 across = v3_unit(v3(d.x, d.y, R(0.0)), V3_ZERO);
    return v3(radius * across.x, radius * across.y, z);
}

static vec3 side_of_cone(vec3 half, vec3 d)
{
    const vec3 base = side_of_circle(half.x, -half.z, d), apex = v3(R(0.0), R(0.0), half.z);
    return v3_dot(base, d) > v3_dot(apex, d) ? base : apex;
}

// A^2 d / |A d| with A the diagonal of the half axes.
static vec3 side_of_ellipsoid(vec3 half, vec3 d)
{
    return v3_mul(half, v3_unit(v3_mul(half, d), V3_Z));
}

// The farthest of some points; the first of several.
static uint16_t side_farthest(const vec3 *x, uint16_t count, vec3 d)
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

// The farthest point of a core along n.
static vec3 side_support(const tac_model *m, const tac_pair *p, const tac_core *c, vec3 n)
{
    if (TAC_CONVEX && c->kind == SIDE_TRIANGLE) { return p->triangle.x[side_farthest(p->triangle.x, 3, n)]; }
    const vec3 d = v3_components(c->axis, n), half = c->half.v;
    vec3 x;
    switch (TAC_CONVEX ? c->kind : TAC_BOX) {
    case TAC_CYLINDER:
        x = side_of_circle(half.x, d.z < R(0.0) ? -half.z : half.z, d);
        break;
    case TAC_CONE:
        x = side_of_cone(half, d);
        break;
    case TAC_ELLIPSOID:
        x = side_of_ellipsoid(half, d);
        break;
    case TAC_HULL: {
        const tac_polyhedron *h = &m->polyhedron[c->data];
        const vec3 *point = &m->point[h->first_point];
        x = point[side_farthest(point, h->points, d)];
        break;
    }
    default:
        x = side_of_box(half, d);
    }
    return v3_add(c->centre.v, v3_combine(c->axis, x));
}

// Distance of the cores along unit n, from the own to the other: at most their distance, whatever n is.
static real side_separation(const tac_model *m, const tac_pair *p, vec3 n)
{
    const vec3 a = side_support(m, p, &p->own, n), b = side_support(m, p, &p->other, v3_scale(R(-1.0), n));
    return v3_dot(v3_sub(b, a), n);
}

// --------------------------------------------------------------------------------------------------------------- sides

// A corner in the core's axes.
static void side_put(const tac_core *c, vec3 x, tac_side *s)
{
    s->x[s->count++] = v3_add(c->centre.v, v3_combine(c->axis, x));
}

// Four corners of a box, in turn, two ends of a segment or a point.
static void side_box(const tac_core *c, vec3 n, tac_side *s)
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
    if (box) { s->n = v3_scale(up ? R(1.0) : R(-1.0), c->axis[k]); }
    s->name = (uint16_t)(2 * k + (int)up);
}

// The end of a cylinder or the base of a cone: eight points of the circle, the first where it looks most along d, or on
// the x axis if it lies flat: a body at rest keeps its points.
static void side_circle(const tac_core *c, real z, vec3 d, tac_side *s)
{
    const real half = R(0.70710678118654752440), sign = z < R(0.0) ? R(-1.0) : R(1.0), r = c->half.v.x;
    const int flat = d.x * d.x + d.y * d.y <= SIDE_UPRIGHT * d.z * d.z;
    const vec3 u = flat ? V3_AXIS[0] : v3_unit(v3(d.x, d.y, R(0.0)), V3_AXIS[0]);
    const vec3 v = v3(-sign * u.y, sign * u.x, R(0.0));
    const real part[8][2] = {{R(1.0), R(0.0)},  {half, half},   {R(0.0), R(1.0)},  {-half, half},
                             {R(-1.0), R(0.0)}, {-half, -half}, {R(0.0), R(-1.0)}, {half, -half}};
    for (int i = 0; i < 8; i++) {
        const vec3 x = v3_scale(r, v3_madd(v3_scale(part[i][0], u), part[i][1], v));
        side_put(c, v3(x.x, x.y, z), s);
    }
    s->n = v3_scale(sign, c->axis[2]);
    s->name = sign > R(0.0);
}

// The line of a cylinder or a cone that looks along d: from the circle at -z to the radius `end` at +z.
static void side_line(const tac_core *c, real end, vec3 d, tac_side *s)
{
    const real r = c->half.v.x, z = c->half.v.z;
    const vec3 across = v3_unit(v3(d.x, d.y, R(0.0)), V3_AXIS[0]);
    side_put(c, v3(r * across.x, r * across.y, -z), s);
    side_put(c, v3(end * across.x, end * across.y, z), s);
    s->n = v3_combine(c->axis, v3_unit(v3(R(2.0) * z * across.x, R(2.0) * z * across.y, r - end), V3_Z));
    s->name = 2;
}

// The face of a hull that looks most along d among those that meet in its farthest point. Of more corners than there
// is room for, some in between are left out.
static void side_hull(const tac_model *m, const tac_core *c, vec3 d, tac_side *s)
{
    const tac_polyhedron *h = &m->polyhedron[c->data];
    const vec3 *point = &m->point[h->first_point];
    const tac_edge *edge = &m->edge[h->first_edge];
    const uint16_t farthest = side_farthest(point, h->points, d);
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
    const uint32_t count = best->edges < TAC_SIDE_CORNERS ? best->edges : TAC_SIDE_CORNERS;
    for (uint32_t i = 0; i < count; i++) { side_put(c, point[edge[best->first + i * best->edges / count].point], s); }
    s->n = v3_combine(c->axis, best->n);
}

static void side_triangle(const tac_triangle *t, vec3 n, tac_side *s)
{
    const int back = v3_dot(t->n, n) < R(0.0);
    for (int i = 0; i < 3; i++) { s->x[s->count++] = t->x[i]; }
    s->n = v3_scale(back ? R(-1.0) : R(1.0), t->n);
    s->name = (uint16_t)back;
}

// What of the core looks along n.
static void side_facing(const tac_model *m, const tac_pair *p, const tac_core *c, vec3 n, tac_side *s)
{
    const vec3 d = v3_components(c->axis, n);
    const real z2 = d.z * d.z, r2 = d.x * d.x + d.y * d.y;
    s->count = s->name = 0;
    s->n = n;
    switch (TAC_CONVEX ? c->kind : TAC_BOX) {
    case TAC_CYLINDER:
        if (z2 > SIDE_CAP * (r2 + z2)) {
            side_circle(c, d.z < R(0.0) ? -c->half.v.z : c->half.v.z, d, s);
        } else {
            side_line(c, c->half.v.x, d, s);
        }
        break;
    case TAC_CONE:
        if (d.z < R(0.0) && z2 > SIDE_CAP * (r2 + z2)) {
            side_circle(c, -c->half.v.z, d, s);
        } else {
            side_line(c, R(0.0), d, s);
        }
        break;
    case TAC_ELLIPSOID:
        side_put(c, side_of_ellipsoid(c->half.v, d), s);
        break;
    case TAC_HULL:
        side_hull(m, c, d, s);
        break;
    case SIDE_TRIANGLE:
        side_triangle(&p->triangle, n, s);
        break;
    default:
        side_box(c, n, s);
    }
}

#endif
