// SPDX-License-Identifier: MIT
// distance.h - signed distances: the closest points of two bodies, and all shapes that a given shape overlaps.
//   given   model, state; bodies or a shape
//   makes   tac_nearest; a list of shapes
//   bound   one GJK search per pair of convex shapes; against a mesh or height field one per nearby triangle
//   never   considers groups and masks where two bodies are named
#ifndef QUERY_DISTANCE_H
#define QUERY_DISTANCE_H

#include "cast.h"

// Records points of the cores that are `distance` apart along n, if they are the closest so far.
static void distance_record(const tac_pair *p, real distance, vec3 n, vec3 own, vec3 other, tac_best *best)
{
    const real gap = distance - points_radii(p);
    if (gap < best->gap) { *best = (tac_best){own, other, n, gap, 1}; }
}

// The other core against the plane with normal n through `at`: signed distance of its deepest point.
static void distance_below(const tac_model *m, const tac_pair *p, vec3 n, vec3 at, tac_best *best)
{
    const vec3 x = support_support(m, p, &p->other, v3_scale(R(-1.0), n));
    const real distance = v3_dot(n, v3_sub(x, at));
    distance_record(p, distance, n, v3_madd(x, -distance, n), x, best);
}

// Two convex shapes. Normal and point are written to best[1]. Where the cores overlap or touch, the points are the
// closest ones after the other core has been moved out along n, so that each is a point of its shape.
static void distance_convex(const tac_model *m, tac_pair *p, tac_best *best)
{
    tac_best *found = &best[1];
    found->n = V3_Z;
    found->other = V3_ZERO;
    p->max_gap = real_max(best->gap, R(0.0)); // the depth of an overlap is known only at the end
    const real distance = convex_normal(m, p, &found->n, &found->other);
    const vec3 n = found->n;
    found->own = v3_madd(found->other, -distance, n);
    if (distance <= CONVEX_NEAR * convex_margin(p)) {
        const vec3 shift = v3_scale(convex_margin(p) - distance, n);
        if (nearest_find(m, p, shift, REAL_LARGEST, &found->n, &found->other) > R(0.0)) {
            found->own = v3_sub(v3_add(found->other, shift), found->n);
        }
    }
    distance_record(p, distance, n, found->own, found->other, best);
}

// A triangle. Where the other core cuts it, the distance is the depth of the core below the triangle's plane.
static void distance_triangle(const tac_model *m, tac_pair *p, tac_best *best)
{
    vec3 v = p->triangle.n, x;
    const real distance = nearest_find(m, p, V3_ZERO, real_max(best->gap, R(0.0)) + points_radii(p), &v, &x);
    if (distance > CONVEX_NEAR * convex_margin(p)) {
        distance_record(p, distance, v3_scale(R(1.0) / distance, v), v3_sub(x, v), x, best);
    } else {
        distance_below(m, p, p->triangle.n, p->triangle.x[0], best);
    }
}

// The box that contains all triangles closer than the best so far.
static void distance_box(const tac_model *m, tac_pair *p, const tac_best *best, vec3 *low, vec3 *high)
{
    p->max_gap = real_max(best->gap, R(0.0));
    surface_box(m, p, low, high);
}

static void distance_mesh(const tac_model *m, tac_pair *p, tac_best *best)
{
    const tac_polyhedron *h = &m->polyhedron[p->own.data];
    const tac_node *tree = &m->node[2 * h->first_face];
    const uint32_t end = 2u * h->faces - 1;
    vec3 low, high;
    p->own.kind = SUPPORT_TRIANGLE;
    for (uint32_t i = 0; i < end; i++) {
        distance_box(m, p, best, &low, &high);
        i = boxes_next(tree, i, end, &low, &high);
        if (i >= end) { break; }
        triangles_get(m, h, tree[i].leaf, &p->triangle);
        distance_triangle(m, p, best);
    }
}

static void distance_cell(const tac_model *m, tac_pair *p, const tac_height_field *f, int i, int j, tac_best *best)
{
    for (int upper = 0; upper < 2; upper++) {
        field_triangle(m, f, i, j, upper, &p->triangle);
        distance_triangle(m, p, best);
    }
}

// Height field. The cell below the centre comes first, since its distance limits the search for closer ones. A shape
// with its centre below the terrain overlaps it.
static void distance_field(const tac_model *m, tac_pair *p, tac_best *best)
{
    const tac_height_field *f = &m->field[p->own.data];
    const vec3 c = p->other.centre.v;
    vec3 low, high;
    p->own.kind = SUPPORT_TRIANGLE;
    distance_cell(m, p, f, field_cell(c.x, f->dx, f->columns), field_cell(c.y, f->dy, f->rows), best);
    distance_box(m, p, best, &low, &high);
    const int i_end = field_cell(high.x, f->dx, f->columns), j_end = field_cell(high.y, f->dy, f->rows);
    for (int j = field_cell(low.y, f->dy, f->rows); j <= j_end; j++) {
        for (int i = field_cell(low.x, f->dx, f->columns); i <= i_end; i++) { distance_cell(m, p, f, i, j, best); }
    }
    if (field_under(m, f, c, R(0.0), &p->triangle)) { distance_below(m, p, p->triangle.n, p->triangle.x[0], best); }
}

// One pair of shapes; the own shape of the pair is the one of higher rank.
static void distance_pair(const tac_model *m, tac_pair *p, const tac_shape *own, const tac_placed *a,
                          const tac_shape *other, const tac_placed *b, tac_best *best)
{
    best->found = 0;
    if (shape_endless(other->kind)) { return; }
    const real separation = v3_norm(v3_sub(a->pose.p, b->pose.p)) - a->radius - b->radius;
    if (shape_is_bounded(own->kind) && separation > real_max(best->gap, R(0.0))) { return; }
    points_see(own, &a->pose, other, &b->pose, p);
    p->thickness = real_min(a->thickness, b->thickness);
    if (own->kind == TAC_HALF_SPACE) {
        distance_below(m, p, V3_Z, V3_ZERO, best);
    } else if (TAC_CONVEX && own->kind == TAC_HEIGHT_FIELD) {
        distance_field(m, p, best);
    } else if (TAC_CONVEX && own->kind == TAC_MESH) {
        distance_mesh(m, p, best);
    } else {
        distance_convex(m, p, best);
    }
}

// ------------------------------------------------------------------------------------------------------------- bodies

// The result in the world frame. first: the own shape belongs to body a.
static void distance_report(const tac_collision *g, const tac_pose *own, int first, tac_nearest *out)
{
    const tac_best *best = g->query.near.best;
    const tac_core *a = &g->pair.own, *b = &g->pair.other;
    vec3 *on_own = first ? &out->a : &out->b, *on_other = first ? &out->b : &out->a;
    *on_own = pose_point(own, v3_madd(best->own, a->radius, best->n));
    *on_other = pose_point(own, v3_madd(best->other, -b->radius, best->n));
    out->n = v3_scale(first ? R(1.0) : R(-1.0), quat_rotate(own->q, best->n));
    out->gap = best->gap;
}

// Shapes i and j, of bodies a and b.
static void distance_shapes(const tac_model *m, tac_collision *g, uint16_t i, uint16_t j, tac_nearest *out)
{
    const int rank_i = SHAPE_RANK[m->shape[i].kind], rank_j = SHAPE_RANK[m->shape[j].kind];
    const int first = rank_i > rank_j || (rank_i == rank_j && i < j);
    const uint16_t own = first ? i : j, other = first ? j : i;
    tac_best *best = g->query.near.best;
    best->gap = out->gap;
    distance_pair(m, &g->pair, &m->shape[own], &g->placed[own], &m->shape[other], &g->placed[other], best);
    if (!best->found) { return; }
    distance_report(g, &g->placed[own].pose, first, out);
    out->shape_a = i;
    out->shape_b = j;
}

// Closest points of two bodies. Returns 0 if a pose is not finite.
static int distance_bodies(const tac_model *m, const tac_state *s, uint16_t a, uint16_t b, tac_collision *g,
                           tac_nearest *out)
{
    reals_clear(out, offsetof(tac_nearest, shape_a));
    out->gap = REAL_LARGEST;
    out->shape_a = out->shape_b = TAC_NONE;
    for (uint16_t i = 0; i < m->shapes; i++) {
        if (m->shape[i].body != a && m->shape[i].body != b) { continue; }
        if (!cast_place(m, s, &m->shape[i], &g->placed[i])) { return 0; }
    }
    for (uint16_t i = 0; i < m->shapes; i++) {
        for (uint16_t j = 0; j < m->shapes && m->shape[i].body == a; j++) {
            if (m->shape[j].body == b) { distance_shapes(m, g, i, j, out); }
        }
    }
    return 1;
}

// ------------------------------------------------------------------------------------------------------------ overlap

// Is shape i of the model closer than `margin` to the query shape, which is placed at query.near.shape?
static int distance_overlaps(const tac_model *m, tac_collision *g, uint16_t i, const tac_shape *shape, real margin)
{
    const tac_shape *s = &m->shape[i];
    const tac_placed *at = &g->query.near.shape;
    tac_best *best = g->query.near.best;
    best->gap = margin;
    if (SHAPE_RANK[s->kind] >= SHAPE_RANK[shape->kind]) {
        distance_pair(m, &g->pair, s, &g->placed[i], shape, at, best);
    } else {
        distance_pair(m, &g->pair, shape, at, s, &g->placed[i], best);
    }
    return best->found;
}

// Lists the shapes closer than `margin` to a query shape with its pose in the world, at most `room` of them. Returns
// their number, or -1 if a pose is not finite.
static int32_t distance_list(const tac_model *m, const tac_state *s, const tac_shape *shape, real margin,
                             tac_collision *g, uint16_t *list, uint16_t room)
{
    tac_placed *at = &g->query.near.shape;
    at->pose = shape->pose;
    shape_measure(m, shape, &at->radius, &at->thickness);
    int32_t count = 0;
    for (uint16_t i = 0; i < m->shapes; i++) {
        const tac_shape *t = &m->shape[i];
        if (t->body == shape->body || !(t->group & shape->mask) || !(shape->group & t->mask)) { continue; }
        if (!cast_place(m, s, t, &g->placed[i])) { return -1; }
        if (!distance_overlaps(m, g, i, shape, margin)) { continue; }
        if (count < room) { list[count] = i; }
        count++;
    }
    return count;
}

#endif
