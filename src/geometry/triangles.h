// SPDX-License-Identifier: MIT
// triangles.h - a triangle mesh against a convex shape.
//   given   a pair whose own shape is a mesh
//   makes   the triangles with boxes that overlap the other shape's box, one after the other
//   bound   the nodes of the mesh's tree with overlapping boxes
//   never   visits triangles in another order than that of the tree
#ifndef GEOMETRY_TRIANGLES_H
#define GEOMETRY_TRIANGLES_H

#include "../base/boxes.h"
#include "surface.h"

// Corner i of a face.
static vec3 triangles_corner(const tac_model *m, const tac_polyhedron *h, const tac_face *f, int i)
{
    return m->point[h->first_point + m->edge[h->first_edge + f->first + i].point];
}

// The corner of face f farthest from its edge from point i to j: the third corner of a triangle.
static vec3 triangles_third(const tac_model *m, const tac_polyhedron *h, const tac_face *f, uint16_t i, uint16_t j)
{
    const tac_edge *e = &m->edge[h->first_edge + f->first];
    int third = 0;
    for (int k = 0; k < 3; k++) { third = e[k].point != i && e[k].point != j ? k : third; }
    return triangles_corner(m, h, f, third);
}

static void triangles_get(const tac_model *m, const tac_polyhedron *h, uint16_t index, tac_triangle *t)
{
    const tac_face *f = &m->face[h->first_face + index];
    const tac_edge *e = &m->edge[h->first_edge + f->first];
    t->index = index;
    t->n = f->n;
    t->rim = 0;
    for (int i = 0; i < 3; i++) {
        t->x[i] = triangles_corner(m, h, f, i);
        if (e[i].across == TAC_NONE) {
            t->rim |= (uint16_t)(1u << i);
        } else {
            const tac_face *across = &m->face[h->first_face + e[i].across];
            t->beyond[i] = triangles_third(m, h, across, e[i].point, e[surface_next(i)].point);
        }
    }
}

// Loads the next triangle of the mesh with a box that overlaps this one, from *at on. Returns 0 if there is none.
static int triangles_next(const tac_model *m, tac_pair *p, const vec3 *low, const vec3 *high, uint32_t *at)
{
    const tac_polyhedron *h = &m->polyhedron[p->own.data];
    const tac_node *tree = &m->node[2 * h->first_face];
    const uint32_t end = 2u * h->faces - 1, i = boxes_next(tree, *at, end, low, high);
    *at = i + 1;
    if (i < end) { triangles_get(m, h, tree[i].leaf, &p->triangle); }
    return i < end;
}

#endif
