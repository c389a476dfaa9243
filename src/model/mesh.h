// SPDX-License-Identifier: MIT
// mesh.h - surfaces that are solid below: triangle meshes and terrain.
//   given   points and triangles, or samples; the free part of the model's tables
//   makes   a polyhedron with planes, neighbours and a tree of boxes; a height field with its bounds
//   bound   triangles squared; samples
//   never   changes the part of the tables in use
#ifndef MODEL_MESH_H
#define MODEL_MESH_H

#include "../base/boxes.h"
#include "polyhedron.h"

#define MESH_NO_AREA                                                                                                   \
    (R(16.0) * REAL_EPSILON) // relative to the square of the triangle's extent: a smaller area is rounding

// Bounding box of a triangle.
static void mesh_box(const vec3 *point, const tac_edge *edge, vec3 *low, vec3 *high)
{
    const vec3 corner[3] = {point[edge[0].point], point[edge[1].point], point[edge[2].point]};
    polyhedron_bounds(corner, 3, low, high);
}

// Triangle t with its plane. 0 if it has no area.
static int mesh_face(const vec3 *point, const tac_edge *edge, uint32_t t, tac_face *f)
{
    vec3 low, high;
    mesh_box(point, &edge[3 * t], &low, &high);
    const real size = polyhedron_size(&low, &high);
    if (!(size > R(0.0))) { return 0; }
    const vec3 area = polyhedron_area(point, &edge[3 * t], 3, size);
    f->n = v3_unit(area, V3_ZERO);
    f->d = polyhedron_reach(point, &edge[3 * t], 3, f->n);
    f->first = (uint16_t)(3 * t);
    f->edges = 3;
    return v3_norm(area) > MESH_NO_AREA;
}

// Connects triangle t with earlier ones. Returns 0 if two edges have the same direction.
static int mesh_join(tac_edge *edge, uint32_t t)
{
    for (uint32_t i = 3 * t; i < 3 * t + 3; i++) {
        const uint32_t a = edge[i].point, b = edge[i < 3 * t + 2 ? i + 1 : 3 * t].point;
        for (uint32_t j = 0; j < 3 * t; j++) {
            const uint32_t from = edge[j].point, to = edge[j % 3 < 2 ? j + 1 : j - 2].point;
            if (from == a && to == b) { return 0; }
            if (from != b || to != a) { continue; }
            edge[i].across = (uint16_t)(j / 3);
            edge[j].across = (uint16_t)t;
        }
    }
    return 1;
}

// Points, triangles and planes. Returns 0 if one of them is not valid.
static int mesh_fill(tac_model *m, tac_polyhedron *p, const vec3 *point, const uint16_t (*triangle)[3])
{
    vec3 *own = &m->point[p->first_point];
    tac_edge *edge = &m->edge[p->first_edge];
    for (uint32_t i = 0; i < p->points; i++) {
        own[i] = point[i];
        if (!reals_finite(&own[i], sizeof own[i])) { return 0; }
    }
    polyhedron_bounds(own, p->points, &p->low, &p->high);
    if (!polyhedron_in_range(p)) { return 0; }
    for (uint32_t t = 0; t < p->faces; t++) {
        for (uint32_t k = 0; k < 3; k++) {
            if (triangle[t][k] >= p->points) { return 0; }
            edge[3 * t + k] = (tac_edge){triangle[t][k], TAC_NONE};
        }
        if (!mesh_face(own, edge, t, &m->face[p->first_face + t]) || !mesh_join(edge, t)) { return 0; }
    }
    return 1;
}

static void mesh_tree(tac_model *m, const tac_polyhedron *p)
{
    node *tree = &m->node[2 * p->first_face], *leaf = tree + (p->faces - 1);
    for (uint32_t t = 0; t < p->faces; t++) {
        vec3 low, high;
        mesh_box(&m->point[p->first_point], &m->edge[p->first_edge + 3 * t], &low, &high);
        boxes_put(&leaf[t], low, high);
        leaf[t].leaf = (uint16_t)t;
    }
    boxes_build(tree, p->faces);
}

// Returns the index of the new polyhedron, TAC_E_FULL or TAC_E_ARG.
static int32_t mesh_add(tac_model *m, const vec3 *point, uint32_t count, const uint16_t (*triangle)[3],
                        uint32_t triangles)
{
    if (count > TAC_MAX_POINTS - (uint32_t)m->points || triangles > TAC_MAX_FACES - (uint32_t)m->faces ||
        3 * triangles > TAC_MAX_EDGES - (uint32_t)m->edges) {
        return TAC_E_FULL;
    }
    tac_polyhedron p;
    polyhedron_open(m, &p);
    p.points = (uint16_t)count;
    p.faces = (uint16_t)triangles;
    p.edges = (uint16_t)(3 * triangles);
    const int good = mesh_fill(m, &p, point, triangle);
    if (good) { mesh_tree(m, &p); }
    return polyhedron_close(m, &p, &p, good ? TAC_OK : TAC_E_ARG);
}

// Returns the index of the new height field, TAC_E_FULL. Whether its numbers are legal is for check.h.
static int32_t field_add(tac_model *m, const tac_height *sample, tac_height_field *f)
{
    const uint32_t count = (uint32_t)f->columns * f->rows;
    if (count > TAC_MAX_HEIGHTS - m->heights) { return TAC_E_FULL; }
    f->first = m->heights;
    f->low = REAL_LARGEST;
    f->high = -REAL_LARGEST;
    for (uint32_t i = 0; i < count; i++) {
        const real height = f->scale * (real)sample[i];
        f->low = real_min(f->low, height);
        f->high = real_max(f->high, height);
        m->height[f->first + i] = sample[i];
    }
    m->heights += count;
    m->field[m->fields] = *f;
    return m->fields++;
}

static void field_remove(tac_model *m)
{
    tac_height_field *f = &m->field[--m->fields];
    m->heights = f->first;
    bytes_clear(&m->height[f->first], (size_t)f->columns * f->rows * sizeof *m->height);
    bytes_clear(f, sizeof *f);
}

#endif
