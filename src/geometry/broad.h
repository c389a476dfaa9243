// SPDX-License-Identifier: MIT
// broad.h - broad phase: pairs of shapes with overlapping bounding boxes, by two trees or from an earlier step.
//   given   placed shapes; pairs that an earlier step has kept
//   makes   near[]: for one shape at a time, the shapes of higher index with overlapping boxes and spheres, in order;
//           pairs for the next step
//   bound   a search: shapes log shapes to build trees, one look for each shape, k^1.5 to sort k results. By kept
//   pairs:
//           a box for each shape, TAC_PAIRS_A_SHAPE shapes + shapes^2 / TAC_LOOSE_SHAPES pairs. Both, where these do
//           not serve. Up to TAC_FEW_SHAPES shapes all pairs. Two spheres for each pair that is found
//   never   misses a pair that has a contact, whatever is kept
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
#define BROAD_FAR (R(32.0) * REAL_EPSILON)     // of coordinates: rounding of the distance between a plane and a box
#define BROAD_GROWN R(0.0625) // of the radius: by so much are boxes of shapes that move larger where pairs are kept,
#define BROAD_STEPS R(4.0)    // and by their way in so many steps
#define BROAD_SERVES 2u       // pairs that have served for fewer steps were not worth to be kept:
#define BROAD_RESTS 16u       // none are for so many steps
#define BROAD_GAP 3280u       // (3^8 - 1) / 2
#define BROAD_SHORT 12u       // lists up to this length are sorted by insertion

#if TAC_MAX_SHAPES > TAC_FEW_SHAPES
#define BROAD_PAIRS(w) (&(w)->pairs)
#else
#define BROAD_PAIRS(w) ((void)(w), (tac_pairs *)NULL)
#endif

// Where the list of a shape comes from.
enum { BROAD_ALL, BROAD_TREES, BROAD_KEPT };

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
    c->centre.v = pose_point(&p->pose, v3_scale(R(0.5), v3_add(low, high)));
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

// Makes the box of a shape that moves larger than it needs to be: its pairs are those of the next steps too.
static void broad_grow(const tac_model *m, const tac_collision *g, uint16_t i, node *n)
{
    const tac_shape *s = &m->shape[i];
    const tac_placed *p = &g->placed[i];
    const real time = BROAD_STEPS * m->h, radius = real_max(p->radius, R(0.0));
    const real turns = s->kind == TAC_SPHERE ? R(0.0) : time * v3_norm(p->w) * radius;
    const tac_axes way = {v3_scale(time, p->v)};
    if (s->body == 0) { return; }
    for (int k = 0; k < 3; k++) {
        n->bound[k] += real_min(way.k[k], R(0.0)) - (turns + BROAD_GROWN * radius);
        n->bound[k + 3] += real_max(way.k[k], R(0.0)) + (turns + BROAD_GROWN * radius);
    }
}

static int broad_dynamic(const tac_model *m, uint16_t i)
{
    return m->body[m->shape[i].body].kind == TAC_DYNAMIC;
}

// Builds tree k, from the end of its part of node[]: boxes_build() needs as much free space before the leaves. Shapes
// that are not near any dynamic body are left out of tree 1. Notes the boxes if pairs are kept.
static void broad_tree(const tac_model *m, tac_collision *g, tac_pairs *kept, int k)
{
    uint32_t at = g->tree[k], count = 0;
    const node *root = g->node + at;
    for (uint16_t i = 0; i < m->shapes; i++) {
        if (broad_dynamic(m, i) == k) { continue; }
        node *n = &g->node[at - 1];
        broad_leaf(m, g, i, n);
        if (kept->model_hash == m->hash) {
            broad_grow(m, g, i, n);
            reals_copy(kept->bound[i], n->bound, sizeof n->bound);
        }
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

// Boxes of this step, in node[] by the number of the shape. Returns 0 if nothing is kept, or if too many shapes have
// left the boxes that their pairs are of.
static int broad_serves(const tac_model *m, tac_collision *g, tac_pairs *kept)
{
    if (kept->model_hash != m->hash) { return 0; }
    g->looses = 0;
    g->listed = 0;
    for (uint16_t i = 0; i < m->shapes; i++) {
        broad_leaf(m, g, i, &g->node[i]);
        g->leaf[i] = i;
        if (boxes_holds(kept->bound[i], g->node[i].bound)) { continue; }
        if (g->looses >= m->shapes / TAC_LOOSE_SHAPES) { return 0; }
        g->leaf[i] = TAC_NONE;
        g->loose[g->looses++] = i;
    }
    kept->steps++;
    return 1;
}

// Pairs are searched for anew. Where those of the last time have not served, or had no room, none are kept for a while.
static void broad_renew(const tac_model *m, tac_pairs *kept)
{
    const int failed = kept->model_hash == m->hash && kept->steps < BROAD_SERVES;
    const int rests = kept->model_hash == ~m->hash && kept->steps > 0;
    kept->steps = failed ? BROAD_RESTS : rests ? kept->steps - 1u : 0;
    kept->model_hash = failed || rests ? ~m->hash : m->hash;
    kept->count = 0;
}

// Where the lists are to come from. A kernel of few shapes contains no code for trees and kept pairs.
static int broad_build(const tac_model *m, tac_collision *g, tac_pairs *kept)
{
    if (TAC_MAX_SHAPES <= TAC_FEW_SHAPES || m->shapes <= TAC_FEW_SHAPES) { return BROAD_ALL; }
    if (broad_serves(m, g, kept)) { return BROAD_KEPT; }
    broad_renew(m, kept);
    g->tree[0] = (uint16_t)(2 * m->shapes);
    for (int k = 0; k < 2; k++) { broad_tree(m, g, kept, k); }
    return BROAD_TREES;
}

// Shell sort with gaps 3 k + 1: a short list is sorted by insertion, that of a ground under all bodies in fewer than
// k^1.5 iterations.
static void broad_sort(uint16_t *x, uint32_t count)
{
    for (uint32_t gap = count > BROAD_SHORT ? BROAD_GAP : 1; gap > 0; gap /= 3) {
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

// Is shape i a half-space of the ground, and the box above it?
static int broad_above(const tac_model *m, const tac_collision *g, uint16_t i, const node *box)
{
    const tac_placed *p = &g->placed[i];
    const real *x = box->bound;
    if (p->radius >= R(0.0) || m->shape[i].body != 0) { return 0; }
    const vec3 n = quat_axis_z(p->pose.q);
    const vec3 low = v3(x[n.x > R(0.0) ? 0 : 3], x[n.y > R(0.0) ? 1 : 4], x[n.z > R(0.0) ? 2 : 5]);
    return v3_dot(n, v3_sub(low, p->pose.p)) > BROAD_FAR * (v3_norm_inf(low) + v3_norm_inf(p->pose.p));
}

// Keeps the pairs of shape i, if there is room for them.
static void broad_keep(const tac_model *m, tac_pairs *kept, uint16_t i, const uint16_t *list, uint32_t count)
{
    if (kept->model_hash != m->hash) { return; }
    if (count > (uint32_t)TAC_PAIRS_A_SHAPE * m->shapes - kept->count) {
        kept->model_hash = ~m->hash;
        kept->steps = BROAD_RESTS;
        return;
    }
    for (uint32_t k = 0; k < count; k++, kept->count++) {
        kept->shape[kept->count][0] = i;
        kept->shape[kept->count][1] = list[k];
    }
}

// The list of a shape from the trees. One shape of a pair is on a dynamic body, so the others search one tree only.
static uint32_t broad_list_trees(const tac_model *m, tac_collision *g, tac_pairs *kept, uint16_t i)
{
    uint32_t found = 0, near = 0;
    if (g->leaf[i] == TAC_NONE) { return 0; }
    const node *box = g->node + g->leaf[i];
    const vec3 low = boxes_low(box), high = boxes_high(box);
    for (int k = 0; k <= (g->leaf[i] >= g->tree[1]); k++) {
        const node *n = g->node + g->tree[k + 1];
        const uint32_t end = (uint32_t)g->tree[k] - g->tree[k + 1];
        for (uint32_t at = 0; (at = boxes_next(n, at, end, &low, &high)) < end; at++) {
            const uint16_t j = n[at].leaf;
            if (j > i && !broad_above(m, g, i, &n[at]) && !broad_above(m, g, j, box)) { g->near[found++] = j; }
        }
    }
    broad_sort(g->near, found);
    broad_keep(m, kept, i, g->near, found);
    for (uint32_t k = 0; k < found; k++) {
        if (broad_near(&g->placed[i], &g->placed[g->near[k]])) { g->near[near++] = g->near[k]; }
    }
    return near;
}

// Lists shape j beside shape i if their boxes of this step overlap, and their spheres. Returns the length of the list.
static inline uint32_t broad_enter(tac_collision *g, uint16_t i, uint16_t j, uint32_t found)
{
    if (!boxes_overlap(&g->node[i], &g->node[j]) || !broad_near(&g->placed[i], &g->placed[j])) { return found; }
    g->near[found] = j;
    return found + 1;
}

// The list of a shape from the pairs that are kept; a shape that has left its box may be near any other.
static uint32_t broad_list_kept(const tac_model *m, tac_collision *g, const tac_pairs *kept, uint16_t i)
{
    const int loose = g->leaf[i] == TAC_NONE;
    uint32_t found = 0;
    for (; g->listed < kept->count && kept->shape[g->listed][0] == i; g->listed++) {
        const uint16_t j = kept->shape[g->listed][1];
        if (!loose && g->leaf[j] != TAC_NONE) { found = broad_enter(g, i, j, found); }
    }
    const uint32_t ordered = found;
    for (uint32_t j = i + 1u; j < m->shapes && loose; j++) { found = broad_enter(g, i, (uint16_t)j, found); }
    for (uint32_t k = 0; k < g->looses && !loose; k++) {
        if (g->loose[k] > i) { found = broad_enter(g, i, g->loose[k], found); }
    }
    if (ordered > 0 && found > ordered) { broad_sort(g->near, found); }
    return found;
}

// Lists in near[] the shapes of higher index that may collide with shape i, ascending: of those with overlapping boxes,
// those with overlapping spheres. Called for all shapes in order. Returns their number.
static uint32_t broad_list(const tac_model *m, tac_collision *g, tac_pairs *kept, int from, uint16_t i)
{
    uint32_t found = 0;
    if (from == BROAD_TREES) { return broad_list_trees(m, g, kept, i); }
    if (from == BROAD_KEPT) { return broad_list_kept(m, g, kept, i); }
    for (uint32_t j = i + 1u; j < m->shapes; j++) {
        if (broad_near(&g->placed[i], &g->placed[j])) { g->near[found++] = (uint16_t)j; }
    }
    return found;
}

#endif
