// SPDX-License-Identifier: MIT
// sparse.h - a symmetric matrix of 6x6 blocks: order of elimination, pattern of the factor, factor, solution.
//   given   nodes in use, edges between them; then the blocks
//   makes   order[], fill[] with its lists: the columns of the factor; then L with A = L S L', and A^-1 b
//   bound   nodes^2 + for each column the square of its length; tables do not grow: sparse_order returns 0 without room
//   never   uses values for the order: it depends on the graph alone, and ties go to the node of lowest index
#ifndef BASE_SPARSE_H
#define BASE_SPARSE_H

#include "boxes.h"
#include "six.h"

// ------------------------------------------------------------------------------------------------- order and pattern
// Nodes are eliminated one by one, each time one with the fewest neighbours (minimum degree). Elimination connects all
// neighbours of a node with each other; the new edges are fill. An edge is in the lists of both of its nodes.
// Eliminated neighbours are removed from a list when it is walked; the list of an eliminated node is kept, as its
// column.

static void sparse_clear(tac_sparse *s, uint16_t nodes)
{
    for (uint16_t i = 0; i < nodes; i++) {
        tac_pivot *p = &s->pivot[i];
        p->first = p->place = p->mark = TAC_NONE;
        p->degree = 0;
    }
    s->nodes = s->fills = 0;
}

// Adds node i. The block of a constraint (sign -1) is about zero until one of its bodies has been eliminated, so it
// waits.
static void sparse_use(tac_sparse *s, uint16_t i, int8_t sign)
{
    tac_pivot *p = &s->pivot[i];
    if (p->place != TAC_NONE) { return; }
    p->place = 0;
    p->sign = sign;
    p->waits = sign < 0;
    s->order[s->nodes++] = i;
}

static int sparse_end(const tac_fill *f, uint16_t self)
{
    return f->node[1] == self;
}

// Connects two nodes that are not connected. Returns 0 without room.
static int sparse_join(tac_sparse *s, uint16_t a, uint16_t b)
{
    if (s->fills + 1 > TAC_MAX_FILL) { return 0; }
    tac_fill *f = &s->fill[s->fills];
    const uint16_t ends[2] = {a, b};
    for (int side = 0; side < 2; side++) {
        tac_pivot *p = &s->pivot[ends[side]];
        f->node[side] = ends[side];
        f->next[side] = p->first;
        p->first = s->fills;
        p->degree++;
    }
    s->fills++;
    return 1;
}

// The edge between two nodes, from the list of the first; TAC_NONE if there is none.
static uint16_t sparse_find(const tac_sparse *s, uint16_t a, uint16_t b)
{
    uint16_t i = s->pivot[a].first;
    while (i != TAC_NONE) {
        const tac_fill *f = &s->fill[i];
        const int end = sparse_end(f, a);
        if (f->node[!end] == b) { break; }
        i = f->next[end];
    }
    return i;
}

// Walks the list of `self`, removes edges to eliminated neighbours, and marks the others as its neighbours. Marks stay
// valid, since an edge is removed only when one of its nodes is eliminated.
static void sparse_visit(tac_sparse *s, uint16_t self, uint16_t lost)
{
    uint16_t *link = &s->pivot[self].first;
    while (*link != TAC_NONE) {
        tac_fill *f = &s->fill[*link];
        const int end = sparse_end(f, self);
        tac_pivot *other = &s->pivot[f->node[!end]];
        if (other->place < lost) {
            *link = f->next[end];
        } else {
            other->mark = self;
            link = &f->next[end];
        }
    }
}

// Is one node eliminated before the other? A node that waits comes after all others.
static int sparse_before(const tac_sparse *s, uint16_t a, uint16_t b)
{
    const tac_pivot *p = &s->pivot[a], *q = &s->pivot[b];
    if (!p->waits != !q->waits) { return !p->waits; }
    return p->degree != q->degree ? p->degree < q->degree : a < b;
}

// Moves a node of least degree among order[at ..] to order[at].
static uint16_t sparse_choose(tac_sparse *s, uint16_t at)
{
    uint16_t best = at;
    for (uint16_t i = (uint16_t)(at + 1); i < s->nodes; i++) {
        if (sparse_before(s, s->order[i], s->order[best])) { best = i; }
    }
    const uint16_t self = s->order[best];
    s->order[best] = s->order[at];
    s->order[at] = self;
    return self;
}

// Connects the neighbours of a node that is being eliminated. Edges added at the head of their lists are not in this
// one.
static int sparse_lose(tac_sparse *s, uint16_t self, uint16_t at)
{
    for (uint16_t i = s->pivot[self].first; i != TAC_NONE; i = s->fill[i].next[0]) {
        const uint16_t q = s->fill[i].node[1];
        sparse_visit(s, q, (uint16_t)(at + 1));
        s->pivot[q].degree--;
        if (s->pivot[self].sign > 0 && s->pivot[q].waits > 0) { s->pivot[q].waits--; }
        for (uint16_t j = s->fill[i].next[0]; j != TAC_NONE; j = s->fill[j].next[0]) {
            const uint16_t r = s->fill[j].node[1];
            if (s->pivot[r].mark != q && !sparse_join(s, q, r)) { return 0; }
        }
    }
    return 1;
}

// Orients every edge of the list away from `self`: its column.
static void sparse_turn(tac_sparse *s, uint16_t self)
{
    for (uint16_t i = s->pivot[self].first; i != TAC_NONE; i = s->fill[i].next[0]) {
        tac_fill *f = &s->fill[i];
        if (f->node[0] == self) { continue; }
        const uint16_t other = f->node[0], next = f->next[0];
        f->node[0] = self;
        f->node[1] = other;
        f->next[0] = f->next[1];
        f->next[1] = next;
    }
}

// Order and columns of the factor. Returns 0 if fill[] has no room for it.
static int sparse_order(tac_sparse *s)
{
    for (uint16_t i = 0; i < s->nodes; i++) { s->pivot[s->order[i]].place = TAC_NONE - 1; }
    for (uint16_t at = 0; at < s->nodes; at++) {
        const uint16_t self = sparse_choose(s, at);
        sparse_visit(s, self, at);
        sparse_turn(s, self);
        s->pivot[self].place = at;
        if (!sparse_lose(s, self, at)) { return 0; }
    }
    return 1;
}

// ---------------------------------------------------------------------------------------------------------- numbers

// The block of two connected nodes: it is in the column of the one that is eliminated first.
static tac_fill *sparse_block(tac_sparse *s, uint16_t a, uint16_t b)
{
    const uint16_t first = s->pivot[a].place < s->pivot[b].place ? a : b, second = first == a ? b : a;
    return &s->fill[sparse_find(s, first, second)];
}

// Updates the blocks that column `self` changes: each pair (e, f) of its rows meets in column e.
static void sparse_take(tac_sparse *s, uint16_t self)
{
    const real sign = (real)s->pivot[self].sign;
    for (uint16_t i = s->pivot[self].first; i != TAC_NONE; i = s->fill[i].next[0]) {
        tac_fill *e = &s->fill[i];
        tac_pivot *q = &s->pivot[e->node[1]];
        six_take_square(q->x, sign, e->x);
        for (uint16_t k = q->first; k != TAC_NONE; k = s->fill[k].next[0]) { s->pivot[s->fill[k].node[1]].mark = k; }
        for (uint16_t j = s->pivot[self].first; j != TAC_NONE; j = s->fill[j].next[0]) {
            tac_fill *f = &s->fill[j];
            const tac_pivot *r = &s->pivot[f->node[1]];
            if (r->place > q->place) { six_take(s->fill[r->mark].x, sign, f->x, e->x); }
        }
    }
}

// A = L S L' in place, S the signs of the nodes. If bodies' blocks are positive definite and constraints' negative
// definite, the matrix is quasi-definite and has this factor in every order (V95).
static void sparse_factor(tac_sparse *s)
{
    for (uint16_t at = 0; at < s->nodes; at++) {
        const uint16_t self = s->order[at];
        tac_pivot *p = &s->pivot[self];
        if (p->sign < 0) { six_negate(p->x); }
        six_factor(p->x, p->least);
        for (uint16_t i = p->first; i != TAC_NONE; i = s->fill[i].next[0]) {
            for (int k = 0; k < 6; k++) { six_forward(p->x, s->fill[i].x[k]); }
        }
        sparse_take(s, self);
    }
}

// One node of b = L^-1 b.
static void sparse_forward(const tac_sparse *s, uint16_t self, real *b)
{
    const tac_pivot *p = &s->pivot[self];
    six_forward(p->x, b + 6 * self);
    for (uint16_t i = p->first; i != TAC_NONE; i = s->fill[i].next[0]) {
        const tac_fill *f = &s->fill[i];
        six_take_product(b + 6 * f->node[1], (real)p->sign, f->x, b + 6 * self);
    }
}

// b = L'^-1 S b; six values a node, those of nodes in use.
static void sparse_backward(const tac_sparse *s, real *b)
{
    for (uint16_t at = s->nodes; at-- > 0;) {
        const uint16_t self = s->order[at];
        const tac_pivot *p = &s->pivot[self];
        real *x = b + 6 * self;
        for (uint16_t i = p->first; i != TAC_NONE; i = s->fill[i].next[0]) {
            const tac_fill *f = &s->fill[i];
            six_take_transposed(x, f->x, b + 6 * f->node[1]);
        }
        for (int k = 0; k < 6; k++) { x[k] *= (real)p->sign; }
        six_backward(p->x, x);
    }
}

// b = A^-1 b
static void sparse_solve(const tac_sparse *s, real *b)
{
    for (uint16_t at = 0; at < s->nodes; at++) { sparse_forward(s, s->order[at], b); }
    sparse_backward(s, b);
}

#endif
