// SPDX-License-Identifier: MIT
// polyhedron.h - faces, edges and points of a hull or a mesh: the conditions that they must satisfy.
//   given   a polyhedron whose ranges lie inside the tables, and edges whose points do
//   makes   planes of faces; a reason for the first condition that fails
//   bound   stated at each function
//   never   follows an index that has not been checked
#ifndef MODEL_POLYHEDRON_H
#define MODEL_POLYHEDRON_H

#include "../base/bytes.h"
#include "../base/vec.h"

// Tolerance of corners from the plane of their face, relative to the largest extent: points that the hull merged into a
// face lie on either side of it, and rounding adds to that where the shape is far from its origin.
#define POLYHEDRON_SLACK (R(4.0) * TAC_TOL_FLAT) // of the largest extent: corners are this near to the plane of their face,
#define POLYHEDRON_ROUNDING (R(16.0) * REAL_EPSILON) // and this part of the distance from the origin

// The largest extent of a box.
static real polyhedron_size(const vec3 *low, const vec3 *high)
{
    return v3_norm_inf(v3_sub(*high, *low));
}

// Do its bounds lie in the range of lengths? NaN does not.
static int polyhedron_in_range(const tac_polyhedron *p)
{
    const real size = polyhedron_size(&p->low, &p->high);
    return reals_within(&p->low, 2 * sizeof p->low, TAC_MOST_LENGTH) && size >= TAC_LEAST_LENGTH &&
           size <= TAC_MOST_LENGTH;
}

// Twice the area times the normal of a polygon (Newell), in units of size: a fan of triangles around its first corner.
static vec3 polyhedron_area(const vec3 *point, const tac_edge *edge, uint32_t corners, real size)
{
    const vec3 from = point[edge[0].point];
    vec3 sum = V3_ZERO, last = V3_ZERO;
    for (uint32_t i = 1; i < corners; i++) {
        const vec3 a = v3_sub(point[edge[i].point], from), arm = v3(a.x / size, a.y / size, a.z / size);
        sum = v3_add(sum, v3_cross(last, arm));
        last = arm;
    }
    return sum;
}

// Largest n.x over the corners of a polygon.
static real polyhedron_reach(const vec3 *point, const tac_edge *edge, uint32_t corners, vec3 n)
{
    real most = -REAL_LARGEST;
    for (uint32_t i = 0; i < corners; i++) { most = real_max(most, v3_dot(n, point[edge[i].point])); }
    return most;
}

// Distance of corner b inside the line from a to c; negative if the polygon turns left there, as it should.
static real polyhedron_dent(vec3 n, vec3 a, vec3 b, vec3 c)
{
    const vec3 along = v3_unit(v3_sub(c, a), V3_ZERO);
    return v3_dot(n, v3_cross(along, v3_sub(b, a)));
}

// Index of the edge after the k-th of a face, relative to the polyhedron's first.
static uint32_t polyhedron_after(const tac_face *f, uint32_t k)
{
    return (uint32_t)f->first + (k + 1 < f->edges ? k + 1 : 0);
}

// The edge of face `in` from `a` to `b` with face `across` on its other side, relative to the polyhedron's first edge;
// TAC_NONE if there is none. Cost: edges of the face.
static uint32_t polyhedron_find(const tac_face *face, const tac_edge *edge, uint32_t in, uint32_t a, uint32_t b,
                                uint32_t across)
{
    const tac_face *f = &face[in];
    for (uint32_t k = 0; k < f->edges; k++) {
        const tac_edge *e = &edge[f->first + k];
        if (e->point == a && e->across == across && edge[polyhedron_after(f, k)].point == b) { return f->first + k; }
    }
    return TAC_NONE;
}

// Bounding box of some points.
static void polyhedron_bounds(const vec3 *point, uint32_t count, vec3 *low, vec3 *high)
{
    *low = *high = point[0];
    for (uint32_t i = 1; i < count; i++) {
        const vec3 p = point[i];
        *low = v3(real_min(low->x, p.x), real_min(low->y, p.y), real_min(low->z, p.z));
        *high = v3(real_max(high->x, p.x), real_max(high->y, p.y), real_max(high->z, p.z));
    }
}

// Tolerance of a point's position.
static real polyhedron_slack(const tac_polyhedron *p)
{
    return POLYHEDRON_SLACK * polyhedron_size(&p->low, &p->high) +
           POLYHEDRON_ROUNDING * real_max(v3_norm_inf(p->low), v3_norm_inf(p->high));
}

// Do the ranges of a polyhedron lie inside the parts of the tables that are in use?
static int polyhedron_inside(const tac_model *m, const tac_polyhedron *p)
{
    return p->points >= 3 && p->faces >= 1 && (uint32_t)p->first_point + p->points <= m->points &&
           (uint32_t)p->first_face + p->faces <= m->faces && (uint32_t)p->first_edge + p->edges <= m->edges;
}

// Do the ranges of a face lie inside the polyhedron's?
static int polyhedron_face_inside(const tac_polyhedron *p, const tac_face *f)
{
    return f->edges >= 3 && (uint32_t)f->first + f->edges <= p->edges;
}

// Are all of its indices valid? Cost: faces and edges.
static int polyhedron_safe(const tac_model *m, const tac_polyhedron *p)
{
    int safe = polyhedron_inside(m, p);
    for (uint32_t f = 0; safe && f < p->faces; f++) { safe = polyhedron_face_inside(p, &m->face[p->first_face + f]); }
    for (uint32_t e = 0; safe && e < p->edges; e++) { safe = m->edge[p->first_edge + e].point < p->points; }
    return safe;
}

// Is face f flat and convex, and is all of a hull below it? Cost: edges of the face; all points of a hull.
static int polyhedron_plane(const tac_model *m, const tac_polyhedron *p, uint32_t f)
{
    const tac_face *face = &m->face[p->first_face + f];
    const tac_edge *edge = &m->edge[p->first_edge + face->first];
    const vec3 *point = &m->point[p->first_point];
    const real slack = polyhedron_slack(p);
    real off = R(0.0), above = -REAL_LARGEST;
    for (uint32_t k = 0; k < face->edges; k++) {
        const vec3 b = point[edge[k].point];
        const vec3 a = point[edge[(k > 0 ? k : face->edges) - 1].point];
        const vec3 c = point[edge[k + 1 < face->edges ? k + 1 : 0].point];
        off = real_max(off, real_abs(v3_dot(face->n, b) - face->d));
        off = real_max(off, polyhedron_dent(face->n, a, b, c));
    }
    for (uint32_t i = 0; p->convex && i < p->points; i++) {
        above = real_max(above, v3_dot(face->n, point[i]) - face->d);
    }
    return off <= slack && above <= slack;
}

// Does the face across the k-th edge of face f have the same edge in the other direction? A boundary edge of a mesh has
// none.
static int polyhedron_joined(const tac_model *m, const tac_polyhedron *p, uint32_t f, uint32_t k)
{
    const tac_face *face = &m->face[p->first_face];
    const tac_edge *edge = &m->edge[p->first_edge];
    const tac_edge *e = &edge[face[f].first + k];
    if (e->across == TAC_NONE) { return !p->convex; }
    return polyhedron_find(face, edge, e->across, edge[polyhedron_after(&face[f], k)].point, e->point, f) != TAC_NONE;
}

// A polyhedron that begins at the free part of the tables.
static void polyhedron_open(const tac_model *m, tac_polyhedron *p)
{
    bytes_clear(p, sizeof *p);
    p->first_point = m->points;
    p->first_face = m->faces;
    p->first_edge = m->edges;
}

// Adds the polyhedron if `status` is TAC_OK, and clears the free part of the tables that was `used` as scratch, except
// for the trees. Returns its index, or `status`.
static int32_t polyhedron_close(tac_model *m, const tac_polyhedron *p, const tac_polyhedron *used, tac_status status)
{
    const int good = status == TAC_OK;
    const uint32_t points = good ? p->points : 0, faces = good ? p->faces : 0, edges = good ? p->edges : 0;
    m->points = (uint16_t)(m->points + points);
    m->faces = (uint16_t)(m->faces + faces);
    m->edges = (uint16_t)(m->edges + edges);
    bytes_clear(m->point + m->points, (used->points - points) * sizeof *m->point);
    bytes_clear(m->face + m->faces, (used->faces - faces) * sizeof *m->face);
    bytes_clear(m->edge + m->edges, (used->edges - edges) * sizeof *m->edge);
    if (!good) { return status; }
    m->polyhedron[m->polyhedra] = *p;
    return m->polyhedra++;
}

// Euler's formula: corners plus faces of a closed body are two more than its edges, which are stored once per side.
static int polyhedron_closed(const tac_polyhedron *p)
{
    return p->faces >= 4 && 2u * ((uint32_t)p->points + p->faces) == p->edges + 4u;
}

#endif
