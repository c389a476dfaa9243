// SPDX-License-Identifier: MIT
// broad.h - broad phase: bounding boxes of shapes in two trees that are rebuilt each step.
//   given   placed shapes
//   makes   node[], leaf[], near[]: for one shape at a time, the shapes of higher index with overlapping boxes and
//           spheres, in order
//   bound   shapes log shapes to build; one search per shape; k^1.5 to sort k results; all pairs up to BROAD_FEW
//           shapes; two spheres a pair
//   never   misses a pair that has a contact
#ifndef GEOMETRY_BROAD_H
#define GEOMETRY_BROAD_H

#include "../model/model.h"
#include "box.h"

// A contact has at most the gap max_gap of its pair, but box_box() may measure the gap along an axis: when corners are
// closest, their distance may be sqrt(3) times that, and as much of BOX_SLACK. The slack is relative to the radius,
// which exceeds the thickness, and so also covers the quaternions of the model, units by CHECK_UNIT_SLACK. Edges that
// BOX_PARALLEL excludes from the axes are not covered by this argument; tests/property/broad.c builds walls of them.
#define BROAD_REACH R(2.0) // times margin and way of a step: how much larger boxes are than shapes
#define BROAD_SLACK BOX_SLACK
#define BROAD_ROUNDING (R(2.0) * REAL_EPSILON) // of world coordinates: of the centre, of the bound
#define BROAD_FEW 48                           // shapes: up to so many all pairs are listed, which costs less
#define BROAD_GAP 3280u                        // (3^8 - 1) / 2

// Padding of a box: the shape's own part of max_gap, and rounding. An unbounded shape leaves the margin to the other
// one, which is thinner.
static real broad_pad(const tac_model *m, const tac_placed *p)
{
    const real thickness = p->thickness < REAL_LARGEST ? p->thickness : R(0.0);
    return BROAD_REACH * (model_margin(m->options.margin, thickness) + m->h * p->speed) + BROAD_SLACK * p->radius +
           BROAD_ROUNDING * v3_norm_inf(p->pose.p);
}

// The box of a shape that points_core() does not handle, in its own frame, about the box's centre.
static void broad_core(const tac_model *m, const tac_shape *s, const tac_placed *p, tac_core *c)
{
    vec3 low, high;
    shape_box(m, s, &low, &high);
    if (s->kind == TAC_HEIGHT_FIELD) { low.z = -p->radius; } // solid, downwards without end
    c->half.v = v3_scale(R(0.5), v3_sub(high, low));
    c->centre.v = v3_add(p->pose.p, quat_rotate(p->pose.q, v3_scale(R(0.5), v3_add(low, high))));
    c->radius = s->rounding;
}

// World bounding box of shape i: from the widths of a box swept by a ball along the world's axes.
static void broad_leaf(const tac_model *m, tac_collision *g, uint16_t i, node *n)
{
    const tac_shape *s = &m->shape[i];
    const tac_placed *p = &g->placed[i];
    tac_core *c = &g->pair.own;
    const int ball = s->kind == TAC_SPHERE || s->kind == TAC_HALF_SPACE; // the latter is everywhere
    c->centre.v = p->pose.p;
    c->radius = s->kind == TAC_SPHERE ? s->size.x + s->rounding : REAL_LARGEST;
    if (!ball) {
        points_core(s, p->pose.p, c);
        quat_axes(p->pose.q, c->axis);
    }
    if (TAC_CONVEX && !shape_is_box_swept(s->kind)) { broad_core(m, s, p, c); }
    c->radius += broad_pad(m, p);
    tac_axes wide;
    wide.v = ball ? V3_ZERO : points_widths(c);
    for (int k = 0; k < 3; k++) {
        const real width = wide.k[k] + c->radius;
        n->bound[k] = c->centre.k[k] - width;
        n->bound[k + 3] = c->centre.k[k] + width;
    }
    n->leaf = i;
}

static int broad_dynamic(const tac_model *m, uint16_t i)
{
    return m->body[m->shape[i].body].kind == TAC_DYNAMIC;
}

// Builds tree k, from the end of its part of node[]: boxes_build() needs as much free space before the leaves. Shapes
// that are not near any dynamic body are left out of tree 1.
static void broad_tree(const tac_model *m, tac_collision *g, int k)
{
    uint32_t at = g->tree[k], count = 0;
    const node *root = g->node + at;
    for (uint16_t i = 0; i < m->shapes; i++) {
        if (broad_dynamic(m, i) == k) { continue; }
        node *n = &g->node[at - 1];
        broad_leaf(m, g, i, n);
        g->leaf[i] = TAC_NONE;
        const vec3 low = boxes_low(n), high = boxes_high(n);
        if (k > 0 && !(g->tree[1] < g->tree[0] && boxes_meets(root, &low, &high))) { continue; }
        at--;
        count++;
    }
    if (count > 0) { at -= count - 1; }
    g->tree[k + 1] = (uint16_t)at;
    boxes_build(g->node + at, count);
    for (; at < g->tree[k]; at++) {
        const uint16_t leaf = g->node[at].leaf;
        if (leaf != TAC_NONE) { g->leaf[leaf] = (uint16_t)at; }
    }
}

// Returns 0 where shapes are so few that no trees are needed. A kernel of no more capacity contains no tree code.
static int broad_build(const tac_model *m, tac_collision *g)
{
    if (TAC_MAX_SHAPES <= BROAD_FEW || m->shapes <= BROAD_FEW) { return 0; }
    g->tree[0] = (uint16_t)(2 * m->shapes);
    for (int k = 0; k < 2; k++) { broad_tree(m, g, k); }
    return 1;
}

// Shell sort with gaps 3 k + 1: a short list is sorted by insertion, that of a ground under all bodies in fewer than
// k^1.5 iterations.
static void broad_sort(uint16_t *x, uint32_t count)
{
    for (uint32_t gap = BROAD_GAP; gap > 0; gap /= 3) {
        for (uint32_t i = gap; i < count; i++) {
            const uint16_t moved = x[i];
            uint32_t to = i;
            for (; to >= gap && x[to - gap] > moved; to -= gap) { x[to] = x[to - gap]; }
            x[to] = moved;
        }
    }
}

// Do the spheres of what two shapes may be in contact with overlap? That of a half-space has no end.
static inline int broad_near(const tac_placed *a, const tac_placed *b)
{
    const vec3 d = v3_sub(b->pose.p, a->pose.p);
    const real reach = a->reach + b->reach, square = reach * reach;
    return d.x * d.x <= square && v3_dot(d, d) <= square; // along x alone many are apart
}

// Lists in near[] the shapes of higher index that may collide with shape i, ascending, by their boxes if there are
// trees and then by their spheres. Returns their number. One shape of a pair is on a dynamic body, so the others search
// one tree only.
static uint32_t broad_list(const tac_model *m, tac_collision *g, int trees, uint16_t i)
{
    const tac_placed *placed = &g->placed[i];
    uint32_t found = 0;
    if (!trees) {
        for (uint32_t j = i + 1u; j < m->shapes; j++) {
            if (broad_near(placed, &g->placed[j])) { g->near[found++] = (uint16_t)j; }
        }
        return found;
    }
    if (g->leaf[i] == TAC_NONE) { return 0; }
    const vec3 low = boxes_low(g->node + g->leaf[i]), high = boxes_high(g->node + g->leaf[i]);
    for (int k = 0; k <= (g->leaf[i] >= g->tree[1]); k++) {
        const node *n = g->node + g->tree[k + 1];
        const uint32_t end = (uint32_t)g->tree[k] - g->tree[k + 1];
        for (uint32_t at = 0; (at = boxes_next(n, at, end, &low, &high)) < end; at++) {
            const uint16_t j = n[at].leaf;
            if (j > i && broad_near(placed, &g->placed[j])) { g->near[found++] = j; }
        }
    }
    broad_sort(g->near, found);
    return found;
}

#endif
