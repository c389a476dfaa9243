// SPDX-License-Identifier: MIT
// tree.h - boxes in a tree: what is near is found without looking at all.
//   given   boxes, each with the number of what it holds
//   makes   a binary tree in preorder, in the memory of the boxes; the leaves that a box meets, one after the other
//   bound   building: O(n log n), by TREE_SHARE; searching: the nodes that the box meets, and their children
//   never   recurses, orders by address, or leaves the order of leaves to chance
#ifndef BASE_TREE_H
#define BASE_TREE_H

#include "hash.h"

typedef tac_node node;

#define TREE_SHARE 8  // a split that gives one side less than this part of the leaves is made by number instead
#define TREE_DEPTH 17 // ranges that wait: each is at most half of the one below it, so this is enough for 2^16 leaves

static int tree_meets(const node *n, const vec3 *low, const vec3 *high)
{
    return n->low.x <= high->x && n->low.y <= high->y && n->low.z <= high->z && n->high.x >= low->x &&
           n->high.y >= low->y && n->high.z >= low->z;
}

static void tree_join(node *sum, const node *n)
{
    sum->low = v3(real_min(sum->low.x, n->low.x), real_min(sum->low.y, n->low.y), real_min(sum->low.z, n->low.z));
    sum->high =
        v3(real_max(sum->high.x, n->high.x), real_max(sum->high.y, n->high.y), real_max(sum->high.z, n->high.z));
}

// Twice the centre of a box along an axis.
static real tree_centre(const node *n, int axis)
{
    const real low[3] = {n->low.x, n->low.y, n->low.z}, high[3] = {n->high.x, n->high.y, n->high.z};
    return low[axis] + high[axis];
}

// The axis along which the centres of the leaves are spread most, and the middle of their range there.
static int tree_axis(const node *leaf, uint32_t count, real *middle)
{
    int axis = 0;
    real widest = R(-1.0);
    for (int k = 0; k < 3; k++) {
        real low = REAL_LARGEST, high = -REAL_LARGEST;
        for (uint32_t i = 0; i < count; i++) {
            const real c = tree_centre(&leaf[i], k);
            low = real_min(low, c);
            high = real_max(high, c);
        }
        if (high - low > widest) {
            widest = high - low;
            *middle = R(0.5) * low + R(0.5) * high;
            axis = k;
        }
    }
    return axis;
}

// Splits two or more leaves at the middle of their centres and brings the smaller part to the front. Returns how many
// that is: at most half of them, and half of them as they stand if it were nearly nothing.
static uint32_t tree_split(node *leaf, uint32_t count)
{
    real middle = R(0.0);
    const int axis = tree_axis(leaf, count, &middle);
    uint32_t below = 0, front = 0;
    for (uint32_t i = 0; i < count; i++) { below += tree_centre(&leaf[i], axis) < middle; }
    const int first = below <= count - below; // is it the part below that is the smaller one?
    const uint32_t smaller = first ? below : count - below;
    if (smaller == 0 || smaller < count / TREE_SHARE) { return count / 2; }
    for (uint32_t i = 0; front < smaller && i < count; i++) {
        if ((tree_centre(&leaf[i], axis) < middle) != first) { continue; }
        const node moved = leaf[i];
        leaf[i] = leaf[front];
        leaf[front++] = moved;
    }
    return smaller;
}

// The box around `count` leaves becomes the node at `at`, whose tree ends before `skip`.
static void tree_put(node *at, const node *leaf, uint32_t count, uint32_t skip)
{
    node sum = leaf[0];
    for (uint32_t i = 1; i < count; i++) { tree_join(&sum, &leaf[i]); }
    if (count > 1) { sum.leaf = TAC_NONE; }
    sum.skip = (uint16_t)skip;
    *at = sum;
}

// Makes a tree of `count` leaves that lie in n[count - 1 ...]; it takes n[0 ... 2 count - 2]. Nodes with children are
// written in front of the leaves that are still to be placed: of k nodes written, at most count - 1 have children. The
// smaller part comes first, so that the parts that wait at least halve from one to the next.
static void tree_build(node *n, uint32_t count)
{
    uint32_t waiting[TREE_DEPTH], depth = 0, size = count;
    node *leaf = n + (count - 1);
    for (uint32_t at = 0; size > 0; at++) {
        const uint32_t part = size > 1 ? tree_split(leaf, size) : 0;
        tree_put(&n[at], leaf, size, at + 2 * size - 1);
        if (part > 0) {
            waiting[depth++] = size - part;
            size = part;
        } else {
            leaf++;
            size = depth > 0 ? waiting[--depth] : 0;
        }
    }
}

// The first leaf at or after `from` that meets the box, as its index in the tree of n[0 .. end - 1]; `end` if there is
// none.
static uint32_t tree_next(const node *n, uint32_t from, uint32_t end, const vec3 *low, const vec3 *high)
{
    while (from < end) {
        if (!tree_meets(&n[from], low, high)) {
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
