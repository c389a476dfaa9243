// SPDX-License-Identifier: MIT
// boxes.h - a tree of bounding boxes, for searches that do not visit every box.
//   given   boxes, each with the number of the object inside
//   makes   a binary tree in preorder, in the memory of the boxes; the leaves that overlap a box, one after the other
//   bound   building: O(n log n), by BOXES_SHARE and BOXES_TRIES; searching: the nodes that overlap, and their children
//   never   recurses, keeps a stack, or makes the order of leaves depend on anything but the boxes
#ifndef BASE_BOXES_H
#define BASE_BOXES_H

#include "vec.h"

typedef tac_node node;

#define BOXES_SHARE 8 // each side of a split has at least this part of the leaves,
#define BOXES_TRIES 4 // after at most so many cuts; then they are halved in their order

// The box of a node.
static inline vec3 boxes_low(const node *n)
{
    return v3_of(n->bound);
}

static inline vec3 boxes_high(const node *n)
{
    return v3_of(n->bound + 3);
}

static inline void boxes_put(node *n, vec3 low, vec3 high)
{
    v3_put(n->bound, low);
    v3_put(n->bound + 3, high);
}

static int boxes_meets(const node *n, const vec3 *low, const vec3 *high)
{
    const real *x = n->bound;
    return x[0] <= high->x && x[1] <= high->y && x[2] <= high->z && x[3] >= low->x && x[4] >= low->y && x[5] >= low->z;
}

static inline int boxes_overlap(const node *a, const node *b)
{
    const vec3 low = boxes_low(a), high = boxes_high(a);
    return boxes_meets(b, &low, &high);
}

// Does a box lie inside of another one? Both by their bounds.
static int boxes_holds(const real *outer, const real *x)
{
    return outer[0] <= x[0] && outer[1] <= x[1] && outer[2] <= x[2] && x[3] <= outer[3] && x[4] <= outer[4] &&
           x[5] <= outer[5];
}

static void boxes_join(node *sum, const node *a, const node *b)
{
    const real *x = a->bound, *y = b->bound;
    for (int k = 0; k < 6; k++) { sum->bound[k] = (x[k] < y[k]) == (k < 3) ? x[k] : y[k]; }
}

// Twice the centre of a box along an axis.
static real boxes_along(const node *n, int axis)
{
    return n->bound[axis] + n->bound[axis + 3];
}

// The axis along which the centres vary most, and their mean on it, in the units of boxes_along(). Sums are taken about
// the first centre, so that they keep their digits far from the origin.
static int boxes_axis(const node *leaf, uint32_t count, real *middle)
{
    int axis = 0;
    real most = R(-1.0);
    for (int k = 0; k < 3; k++) {
        const real from = boxes_along(leaf, k);
        real sum = R(0.0), square = R(0.0);
        for (const node *n = leaf; n < leaf + count; n++) {
            const real d = boxes_along(n, k) - from;
            sum += d;
            square += d * d;
        }
        const real mean = sum / (real)count, vary = square - mean * sum;
        if (!(vary > most)) { continue; }
        most = vary;
        axis = k;
        *middle = from + mean;
    }
    return axis;
}

// Moves the leaves below the mean to the front. Returns their number; 0 if all boxes have one centre or the sums are
// not finite.
static uint32_t boxes_cut(node *leaf, uint32_t count)
{
    real middle = R(0.0);
    const int axis = boxes_axis(leaf, count, &middle);
    uint32_t below = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (!(boxes_along(&leaf[i], axis) < middle)) { continue; }
        const node moved = leaf[i];
        leaf[i] = leaf[below];
        leaf[below++] = moved;
    }
    return below;
}

// Splits two or more leaves into two parts, neither of them nearly empty. Returns the size of the first. If a few
// distant boxes have shifted the mean, the cut is repeated without them.
static uint32_t boxes_split(node *leaf, uint32_t count)
{
    const uint32_t least = count / BOXES_SHARE;
    uint32_t first = 0, end = count;
    for (int i = 0; i < BOXES_TRIES; i++) {
        const uint32_t cut = first + boxes_cut(leaf + first, end - first);
        if (cut == first || cut == end) { break; }
        if (cut >= least && cut <= count - least) { return cut; }
        if (cut < least) {
            first = cut;
        } else {
            end = cut;
        }
    }
    return count / 2;
}

// Builds a tree of `count` leaves, at most 32767, that are in n[count - 1 ...]; it uses n[0 ... 2 count - 2]. Nodes
// with children are written in front of the leaves that are still to be placed: of k nodes written, at most count - 1
// have children. Until it is placed, the first leaf of a part stores the part's size in `skip`. Boxes of nodes are
// computed last, from the end: children before parents.
static void boxes_build(node *n, uint32_t count)
{
    const uint32_t end = 2 * count;
    node *leaf = n + count - 1;
    if (count == 0) { return; }
    leaf->skip = (uint16_t)count;
    for (uint32_t at = 0; at + 1 < end; at++) {
        const uint32_t size = leaf->skip;
        if (size > 1) {
            const uint32_t part = boxes_split(leaf, size);
            leaf->skip = (uint16_t)part;
            leaf[part].skip = (uint16_t)(size - part);
            n[at].leaf = TAC_NONE;
        } else {
            n[at] = *leaf++;
        }
        n[at].skip = (uint16_t)(at + 2 * size - 1);
    }
    for (node *a = n + end - 2; a-- > n;) {
        if (a->leaf == TAC_NONE) { boxes_join(a, a + 1, n + a[1].skip); }
    }
}

// The first leaf at or after `from` that overlaps the box, as its index in the tree of n[0 .. end - 1]; `end` if there
// is none.
static uint32_t boxes_next(const node *n, uint32_t from, uint32_t end, const vec3 *low, const vec3 *high)
{
    while (from < end) {
        if (!boxes_meets(&n[from], low, high)) {
            from = n[from].skip;
        } else if (n[from].leaf == TAC_NONE) {
            from++;
        } else {
            break;
        }
    }
    return from;
}

#endif
