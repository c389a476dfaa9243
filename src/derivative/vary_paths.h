// SPDX-License-Identifier: MIT
// vary_paths.h - linear systems of a mechanism's coordinates, solved along the paths of its trees.
//   given   a matrix over coordinates; right sides
//   makes   its factor in place, the solutions in place of the right sides
//   bound   order: coordinates squared; factor: the square of each coordinate's path; solution: its path and subtree
//           times the right sides
//   never   fills in: an entry of two coordinates on different paths is zero and stays so
#ifndef DERIVATIVE_VARY_PATHS_H
#define DERIVATIVE_VARY_PATHS_H

#include "../base/lu.h"
#include "vary_columns.h"

#if TAC_MAX_LCP > 0

// A coordinate meets those that carry it, `up`, and those that it carries. Eliminated from the leaves to the roots,
// such a matrix stays as it is: nothing is filled in. Its pivots are those of a mass matrix, but for the angle of the
// step. Trees may be numbered in any way, so each coordinate is put behind all that the one above it carries already:
// what a coordinate carries follows it in the order, without gaps, up to `last`.
static void vary_insert(tac_varied *t, uint32_t count, uint16_t c, uint16_t up)
{
    const uint32_t place = up != TAC_NONE ? t->last[up] : count;
    for (uint32_t at = count; at > place; at--) {
        t->order[at] = t->order[at - 1];
        t->last[t->order[at]]++;
    }
    t->order[place] = c;
    t->last[c] = (uint16_t)(place + 1);
    for (uint16_t i = up; i != TAC_NONE; i = t->up[i]) { t->last[i]++; }
}

// Writes `up`, the order of elimination, and where in it what a coordinate carries ends.
static void vary_paths(tac_varied *t)
{
    const tac_mechanism *k = &t->mechanism;
    uint32_t count = 0;
    for (uint32_t at = 0; at < k->bodies; at++) {
        uint16_t self = k->order[at], up = TAC_NONE;
        const tac_mechanism_body *b = &k->body[self];
        int more = mechanism_hangs(k, self);
        while (more && up == TAC_NONE) {
            self = k->body[self].parent;
            more = mechanism_hangs(k, self);
            if (k->body[self].axes > 0) { up = (uint16_t)(k->body[self].first + k->body[self].axes - 1); }
        }
        for (uint16_t i = b->first; i < b->first + b->axes; i++) {
            t->up[i] = t->body[k->order[at]].alone ? TAC_NONE : up;
            vary_insert(t, count++, i, t->up[i]);
            up = i;
        }
    }
}

// Returns 0 if it is singular.
static int vary_factor(const tac_varied *t, real *a, size_t stride)
{
    const tac_mechanism *k = &t->mechanism;
    for (uint32_t at = k->bodies; at-- > 0;) {
        const tac_mechanism_body *b = &k->body[k->order[at]];
        for (size_t c = (size_t)b->first + b->axes; c-- > b->first;) {
            const real *row = &a[c * stride], pivot = row[c];
            if (!(real_abs(pivot) > R(0.0))) { return 0; }
            for (size_t i = t->up[c]; i != TAC_NONE; i = t->up[i]) {
                real *to = &a[i * stride];
                if (to[c] == R(0.0)) { continue; }
                to[c] /= pivot;
                for (size_t j = t->up[c]; j != TAC_NONE; j = t->up[j]) { to[j] -= to[c] * row[j]; }
            }
        }
    }
    return 1;
}

// Of so many right sides, one a column.
static void vary_solve(const tac_varied *t, const real *a, size_t stride, real *x, size_t wide, uint32_t columns)
{
    const uint32_t n = t->mechanism.coordinates;
    for (uint32_t at = n; at-- > 0;) {
        const size_t c = t->order[at];
        lu_row to = lu_row_of(&x[c * wide], columns);
        for (uint32_t i = at + 1; i < t->last[c]; i++) { // what it carries; the rest of these entries is 0
            lu_row_add(&to, -a[c * stride + t->order[i]], &x[t->order[i] * wide]);
        }
        lu_row_end(&to);
    }
    for (uint32_t at = 0; at < n; at++) {
        const size_t c = t->order[at];
        lu_row to = lu_row_of(&x[c * wide], columns);
        for (size_t i = t->up[c]; i != TAC_NONE; i = t->up[i]) {
            lu_row_add(&to, -a[c * stride + i], &x[i * wide]);
        }
        lu_row_end(&to);
        const real inverse = R(1.0) / a[c * stride + c];
        for (uint32_t g = 0; g < columns; g++) { to.to[g] *= inverse; }
    }
}

// Translations of a free root end each path of its tree. They are the coordinates of a path that are below this one.
static size_t vary_shifts(const tac_mechanism *k, uint16_t self)
{
    const tac_mechanism_body *root = &k->body[k->body[self].tree];
    return mechanism_free(root) ? root->first + 3u : 0;
}

// The innermost coordinate that moves a body; TAC_NONE if none does.
static uint16_t vary_innermost(const tac_mechanism *k, uint16_t self)
{
    while (k->body[self].axes == 0 && mechanism_hangs(k, self)) { self = k->body[self].parent; }
    return k->body[self].axes > 0 ? (uint16_t)(k->body[self].first + k->body[self].axes - 1) : TAC_NONE;
}

#endif

#endif
