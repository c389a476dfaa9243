// SPDX-License-Identifier: MIT
// field.h - terrain, a height field, against a convex shape.
//   given   a pair whose own shape is a height field
//   makes   the triangles below the other shape's box, one after the other
//   bound   the cells below that box
//   never   looks at cells above which it is not
#ifndef GEOMETRY_FIELD_H
#define GEOMETRY_FIELD_H

#include "surface.h"

static vec3 field_point(const tac_model *m, const tac_height_field *f, int i, int j)
{
    const real z = f->scale * (real)m->height[f->first + (uint32_t)i + (uint32_t)j * f->columns];
    return v3((real)i * f->dx, (real)j * f->dy, z);
}

// Offsets of samples from (i,j): the three corners of the lower triangle (0) or the upper one (1) of a cell,
// counter-clockwise, and the third corners of the triangles across its edges.
static const int8_t FIELD_CORNER[2][3][2] = {{{0, 0}, {1, 0}, {1, 1}}, {{0, 0}, {1, 1}, {0, 1}}};
static const int8_t FIELD_BEYOND[2][3][2] = {{{0, -1}, {2, 1}, {0, 1}}, {{1, 0}, {1, 2}, {-1, 0}}};

static void field_triangle(const tac_model *m, const tac_height_field *f, int i, int j, int upper, tac_triangle *t)
{
    t->rim = 0;
    t->index = (uint16_t)(2 * (i + j * f->columns) + upper);
    for (int k = 0; k < 3; k++) {
        t->x[k] = field_point(m, f, i + FIELD_CORNER[upper][k][0], j + FIELD_CORNER[upper][k][1]);
        const int a = i + FIELD_BEYOND[upper][k][0], b = j + FIELD_BEYOND[upper][k][1];
        if (a < 0 || b < 0 || a >= f->columns || b >= f->rows) {
            t->rim |= (uint16_t)(1u << k);
        } else {
            t->beyond[k] = field_point(m, f, a, b);
        }
    }
    t->n = v3_unit(v3_cross(v3_sub(t->x[1], t->x[0]), v3_sub(t->x[2], t->x[0])), V3_Z);
}

// The cell of a coordinate, clamped to the first and the last one; the first one for NaN.
static int field_cell(real x, real width, uint16_t samples)
{
    const real at = x / width, last = (real)(samples - 2);
    return at > R(0.0) ? (int)real_min(at, last) : 0;
}

// Is `at` below the terrain, or less than `slack` above it? Stores the triangle there.
static int field_under(const tac_model *m, const tac_height_field *f, vec3 at, real slack, tac_triangle *t)
{
    const int i = field_cell(at.x, f->dx, f->columns), j = field_cell(at.y, f->dy, f->rows);
    const real x = at.x / f->dx - (real)i, y = at.y / f->dy - (real)j;
    if (!(x >= R(0.0) && x <= R(1.0) && y >= R(0.0) && y <= R(1.0))) { return 0; }
    field_triangle(m, f, i, j, y > x, t);
    return v3_dot(t->n, v3_sub(at, t->x[0])) <= slack;
}

// Loads the next triangle of the field in the cells below this box, from *at on. Returns 0 if there is none.
static int field_next(const tac_model *m, tac_pair *p, const vec3 *low, const vec3 *high, uint32_t *at)
{
    const tac_height_field *f = &m->field[p->own.data];
    const int i0 = field_cell(low->x, f->dx, f->columns), i1 = field_cell(high->x, f->dx, f->columns);
    const int j0 = field_cell(low->y, f->dy, f->rows), j1 = field_cell(high->y, f->dy, f->rows);
    const int wide = i1 - i0 + 1, cell = (int)(*at >> 1), upper = (int)(*at & 1);
    if (low->z > f->high || wide < 1 || cell >= wide * (j1 - j0 + 1)) { return 0; } // none of a box with a NaN
    field_triangle(m, f, i0 + cell % wide, j0 + cell / wide, upper, &p->triangle);
    ++*at;
    return 1;
}

#endif
