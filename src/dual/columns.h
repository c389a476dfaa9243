// SPDX-License-Identifier: MIT
// columns.h - W = D' A^-1 D of the rows whose impulses have bounds, over trees of joints and the rows that close them.
//   given   contacts, blocks, trees of joints that are factored
//   makes   the rows, and W: of contacts, of coordinates with bounds; the rows that close trees, eliminated from it
//   bound   (rows + closers) (bodies of a path + rows); closers (rows + closers)^2
//   never   passes an impulse on from joint to joint: however long a chain is, a foot feels all of it at once
#ifndef DUAL_COLUMNS_H
#define DUAL_COLUMNS_H

#include "../sets/interval.h"
#include "../rows/joints.h"
#include "../factor/articulated.h"

#if TAC_MAX_JOINTS > 0

// With A the operator of articulated.h, in which all that has no bounds is in force (constraints, springs, motors of
// unlimited effort), the velocities of the other rows are
//      u = u_0 + W g,     W = D' A^-1 D = Y'Y,
// where a column of Y is what its row does along each free motion between its body and the root, (s'R)/sqrt(d), and on
// the root. reach[] keeps s'R, without the root of d. Contacts are rows 3 i to 3 i + 2, then come the coordinates.
#define REDUCED_HELD (TAC_REAL_BITS == 32 ? R(1e-4) : R(1e-9))  // of W of a constraint: a smaller pivot is rounding
#define REDUCED_ROUNDING (REAL_EPSILON / REDUCED_HELD)          // of W of a row, that pivots so small leave
#define REDUCED_LEAST (TAC_REAL_BITS == 32 ? R(1e-4) : R(1e-6)) // added to W of a row, of its W without joints

// ------------------------------------------------------------------------------------------------------------- rows

// Where the impulse of an interval lies among those of all rows.
static uint32_t reduced_row_of(const tac_joint_block *k, int interval)
{
    return k->first + (uint32_t)(TAC_JOINT_ROWS + interval);
}

// Intervals without bounds are always in force.
static void reduced_mark_unbounded(tac_work *w)
{
    for (uint32_t i = 0; i < PROGRAM_JOINTS(w); i++) {
        for (int b = 0; b < TAC_EFFORTS; b++) {
            tac_interval *x = &JOINT_LINK(w)[i].interval[b];
            x->inside = x->used && !interval_bounded(x);
        }
    }
}

// Has the interval a share in a row? Known once those without bounds are marked.
static inline int reduced_bounds(const tac_interval *x)
{
    return x->used && !x->inside;
}

// May the row act in this step? A limit that presses becomes a constraint once the step is solved.
static int reduced_may_close(const tac_joint_block *k, int row)
{
    const tac_interval *limit = &k->interval[TAC_EFFORT_LIMIT];
    return joint_compliance(k, row) > R(0.0) || (row == JOINT_LAST && limit->used && limit->hard);
}

// Lists the rows of joints that close trees. Returns 0 if there are more than `most`.
static int reduced_list_closers(tac_work *w, uint32_t most)
{
    tac_reduced *r = reduced_of(w);
    r->closers = 0;
    for (uint32_t i = 0; i < PROGRAM_JOINTS(w); i++) {
        const tac_joint_block *k = &JOINT_LINK(w)[i];
        for (uint32_t row = 0; k->closes && row < TAC_JOINT_ROWS; row++) {
            if (!reduced_may_close(k, (int)row)) { continue; }
            if (r->closers == most) { return 0; }
            r->closer[r->closers++] = (uint16_t)(TAC_JOINT_ROWS * i + row);
        }
    }
    return 1;
}

// Numbers the rows, so many for each contact. Returns 0 if they are too many.
static int reduced_number(tac_work *w, uint32_t each)
{
    tac_reduced *r = reduced_of(w);
    uint32_t rows = each * w->program.contacts;
    for (uint32_t i = 0; i < PROGRAM_JOINTS(w); i++) {
        int bounded = 0;
        for (int b = 0; b < TAC_EFFORTS; b++) { bounded |= reduced_bounds(&JOINT_LINK(w)[i].interval[b]); }
        r->row[i] = bounded ? (uint16_t)rows : TAC_NONE;
        rows += (uint32_t)bounded;
    }
    r->rows = (uint16_t)rows;
    return rows <= TAC_MAX_REDUCED && reduced_list_closers(w, TAC_MAX_REDUCED - rows);
}

// Where one end of a row pushes, and what has come there of its force.
typedef struct reduced_end {
    real force[6];
    uint16_t body;
} reduced_end;

// A row of D' at one of its bodies. Returns 1, or 0 if no impulse moves the body.
static int reduced_end_at(const tac_work *w, uint16_t body, vec3 linear, vec3 angular, reduced_end *end)
{
    if (!joint_moves(w, body)) { return 0; }
    tree_body_force(&w->scratch.solve.reduced.tree_body[body], linear, angular, end->force);
    end->body = body;
    return 1;
}

// The entries of the column at one body, from the force on it, which goes on to the parent: `end` is there then, or at
// TAC_NONE behind a root. `room` becomes 0 where there is none.
static inline void reduced_pass(tac_reduced *r, uint16_t row, reduced_end *end, int *room)
{
    const uint16_t self = end->body;
    const tac_tree_body *b = &r->tree_body[self];
    real *x = end->force;
    const uint16_t index = (uint16_t)(6 * self), first = r->first[row + 1],
                   entries = b->joint == TAC_NONE ? 6 : b->axes;
    tac_path *to = &r->reach[first];
    end->body = TAC_NONE;
    *room &= first + entries <= TAC_MAX_PATH;
    if (!*room) { return; }
    r->first[row + 1] = (uint16_t)(first + entries);
    if (b->joint == TAC_NONE) {
        r->root[row] = first;
        six_forward(b->inertia, x);
        for (uint16_t i = 0; i < 6; i++) { to[i] = (tac_path){x[i], (uint16_t)(index + i)}; }
        return;
    }
    for (uint16_t i = 0; i < b->axes; i++) {
        const real y = six_dot(b->s[i], x);
        six_add(x, -b->inv_d[i] * y, b->u[i]);
        to[i] = (tac_path){y, (uint16_t)(index + i)};
    }
    end->body = b->parent;
}

// Takes an end out of the list. Returns how many are left.
static int reduced_drop(reduced_end *end, int ends, int which)
{
    six_copy(end[which].force, end[ends - 1].force);
    end[which].body = end[ends - 1].body;
    return ends - 1;
}

// The end nearest to the leaves goes on by one body, or joins another one that is there. `mark` is the place in the
// order. Returns how many ends are left.
static int reduced_approach(tac_reduced *r, uint16_t row, reduced_end *end, int ends, int *room)
{
    int last = 0;
    for (int e = 1; e < ends; e++) {
        if (end[e].body == end[last].body) {
            six_add(end[last].force, R(1.0), end[e].force);
            return reduced_drop(end, ends, e);
        }
        if (r->tree_body[end[e].body].mark > r->tree_body[end[last].body].mark) { last = e; }
    }
    reduced_pass(r, row, &end[last], room);
    return end[last].body == TAC_NONE ? reduced_drop(end, ends, last) : ends;
}

// The rest of a column of Y, from the forces at the ends of its row: they go from body to parent, and on together where
// they meet. Returns 0 if there is no room.
static int reduced_path(tac_reduced *r, uint16_t row, reduced_end *end, int ends)
{
    int room = 1;
    r->root[row] = TAC_NONE;
    while (ends > 1) { ends = reduced_approach(r, row, end, ends, &room); }
    while (ends > 0 && end->body != TAC_NONE) { reduced_pass(r, row, end, &room); }
    if (r->root[row] + 6u != r->first[row + 1]) { r->root[row] = r->first[row + 1]; }
    return room;
}

// The body that hangs on a joint of the tree.
static uint16_t reduced_hanging(const tac_work *w, uint32_t joint)
{
    const uint16_t *body = JOINT_LINK(w)[joint].body;
    return w->scratch.solve.reduced.tree_body[body[1]].joint == joint ? body[1] : body[0];
}

// A column of Y from the coordinate of a joint. An impulse along it is one on the body that hangs there and the
// opposite one on its parent, and at the body s'R is 1, or -1 if that is a of its joint: what reaches the parent is
// -s'R u/d. Nothing moves a coordinate that is held.
static int reduced_coordinate(tac_work *w, uint32_t joint, uint16_t row)
{
    tac_reduced *r = reduced_of(w);
    const uint16_t self = reduced_hanging(w, joint);
    const tac_tree_body *b = &r->tree_body[self];
    const real sign = articulated_sign(w, b, self);
    reduced_end end;
    r->first[row + 1] = r->first[row];
    if (b->axes > 0) {
        if (r->first[row] >= TAC_MAX_PATH) { return 0; }
        r->reach[r->first[row + 1]++] = (tac_path){sign, (uint16_t)(6 * self)};
    }
    if (b->axes == 0 || b->parent == TAC_NONE) { return reduced_path(r, row, &end, 0); }
    six_set(end.force, V3_ZERO, V3_ZERO);
    six_add(end.force, -sign * b->inv_d[0], b->u[0]);
    end.body = b->parent;
    return reduced_path(r, row, &end, 1);
}

// The order of elimination, from the roots to the leaves.
static void reduced_mark_places(tac_work *w)
{
    tac_reduced *r = reduced_of(w);
    for (uint16_t at = 0; at < r->tree_bodies; at++) { r->tree_body[r->order[at]].mark = at; }
}

// A column of Y from a row of a joint that closes trees.
static int reduced_joint_row(tac_work *w, const tac_joint_block *k, int along, uint16_t row)
{
    tac_reduced *r = reduced_of(w);
    reduced_end end[4];
    int ends = 0;
    r->first[row + 1] = r->first[row];
    for (int e = 0; e < k->ends; e++) {
        const tac_row *of = &k->row[along - e / 2];
        const vec3 linear = v3_scale(e % 2 ? R(1.0) : R(-1.0), of->linear);
        ends += reduced_end_at(w, k->body[e], linear, of->angular[e % 2], &end[ends]);
    }
    return reduced_path(r, row, end, ends);
}

// Of all rows that close trees. Returns 0 if there is no room.
static int reduced_close_columns(tac_work *w)
{
    const tac_reduced *r = reduced_of(w);
    int room = 1;
    reduced_mark_places(w);
    for (uint16_t i = 0; i < r->closers; i++) {
        const uint16_t of = r->closer[i];
        room &= reduced_joint_row(w, &JOINT_LINK(w)[of / TAC_JOINT_ROWS], of % TAC_JOINT_ROWS, (uint16_t)(r->rows + i));
    }
    return room;
}

// Y, with so many rows for each contact. Returns 0 if there is no room.
static int reduced_columns(tac_work *w, int each)
{
    tac_reduced *r = reduced_of(w);
    uint16_t row = 0;
    int room = 1;
    reals_clear(w->scratch.solve.step.flat, 6 * w->program.bodies * sizeof(real));
    reduced_mark_places(w);
    r->first[0] = 0;
    for (const tac_block *k = blocks_of(w), *end = k + w->program.contacts; k < end; k++) {
        for (int i = 0; i < each; i++, row++) {
            const vec3 axis = k->frame[i];
            reduced_end at[2];
            r->first[row + 1] = r->first[row];
            int ends = reduced_end_at(w, k->body[0], v3_scale(R(-1.0), axis), k->j[0][i], at);
            ends += reduced_end_at(w, k->body[1], axis, k->j[1][i], &at[ends]);
            room &= reduced_path(r, row, at, ends);
        }
    }
    for (uint32_t i = 0; i < PROGRAM_JOINTS(w); i++) {
        const tac_joint_block *k = &JOINT_LINK(w)[i];
        if (r->row[i] == TAC_NONE) { continue; }
        room &= k->closes ? reduced_joint_row(w, k, JOINT_LAST, row) : reduced_coordinate(w, i, row);
        row++;
    }
    return room & reduced_close_columns(w);
}

// The product of the column in y with one before it.
static inline real reduced_product(const tac_reduced *r, uint16_t other, const real *y)
{
    const tac_path *root = &r->reach[r->root[other]];
    real sum = R(0.0);
    for (const tac_path *e = &r->reach[r->first[other]]; e < root; e++) { sum += y[e->index] * e->y; }
    if (r->root[other] == r->first[other + 1]) { return sum; }
    y += root->index;
    return sum + ((y[0] * root[0].y + y[1] * root[1].y) + (y[2] * root[2].y + y[3] * root[3].y) +
                  (y[4] * root[4].y + y[5] * root[5].y));
}

// W of the rows from `begin` on, row by row: a column of Y laid out in step, each entry divided by d, times each column
// before it.
static void reduced_products(tac_work *w, uint16_t begin)
{
    tac_reduced *r = reduced_of(w);
    real *y = w->scratch.solve.step.flat;
    for (uint16_t row = begin; row < r->rows + r->closers; row++) {
        const tac_path *own = &r->reach[r->first[row]], *root = &r->reach[r->root[row]],
                       *end = &r->reach[r->first[row + 1]];
        for (const tac_path *e = own; e < root; e++) {
            const tac_tree_body *b = &r->tree_body[e->index / 6];
            y[e->index] = b->joint != TAC_NONE ? b->inv_d[e->index % 6] * e->y : e->y;
        }
        for (const tac_path *e = root; e < end; e++) { y[e->index] = e->y; }
        for (uint16_t other = begin; other <= row; other++) {
            r->w[row][other] = r->w[other][row] = reduced_product(r, other, y);
        }
        for (const tac_path *e = own; e < end; e++) { y[e->index] = R(0.0); }
    }
}

// ------------------------------------------------------------------------------------------------- rows that close
// Constraints of joints that close loops, of couplings, rods and bushings, and what yields along their coordinates, are
// rows whose impulses l are not swept but follow from the others:
//      u_c + W_cb g + (W_cc + C) l = 0,      C the compliance of each row,
// so that W of the swept rows becomes W_bb - W_bc (W_cc + C)^-1 W_cb: one row after the other is eliminated. What is
// left of its row is kept, with its inverted pivot on the diagonal.

// The inverted pivot of a row, whose W was `whole` before rows were eliminated: 0 for one that does not act, and for a
// constraint that the rows before it hold already, so that its pivot is rounding.
static real reduced_pivot(const tac_joint_block *k, int row, real pivot, real whole)
{
    const int constrains = k->constraints >> row & 1;
    const real slope = constrains ? R(0.0) : joint_slope(k), soft = constrains ? k->soft[row] : R(0.0);
    if (!constrains) { return slope > R(0.0) ? R(1.0) / (pivot + R(1.0) / slope) : R(0.0); }
    return pivot + soft > REDUCED_HELD * whole + REAL_EPSILON * k->w[row] ? R(1.0) / (pivot + soft) : R(0.0);
}

// One row is eliminated from those swept, from `begin` on, and from those behind it. One that does not act has no
// effect.
static void reduced_eliminate(tac_work *w, uint16_t at, uint16_t begin)
{
    tac_reduced *r = reduced_of(w);
    const uint16_t of = r->closer[at], own = (uint16_t)(r->rows + at), end = (uint16_t)(r->rows + r->closers);
    real *row = r->w[own];
    row[own] = reduced_pivot(&JOINT_LINK(w)[of / TAC_JOINT_ROWS], of % TAC_JOINT_ROWS, row[own], r->velocity[own]);
    r->redundant |= row[own] == R(0.0) && JOINT_LINK(w)[of / TAC_JOINT_ROWS].constraints >> of % TAC_JOINT_ROWS & 1;
    for (uint16_t i = begin; i < end; i++) {
        const real part = row[own] * row[i];
        if ((i >= r->rows && i <= own) || part == R(0.0)) { continue; }
        for (uint16_t j = begin; j < r->rows; j++) { r->w[i][j] -= part * row[j]; }
        for (uint16_t j = (uint16_t)(own + 1); j < end; j++) { r->w[i][j] -= part * row[j]; }
    }
}

// W of each row before rows are eliminated, in velocity[]; of rows that close trees the largest of their joint.
static void reduced_measure_whole(tac_work *w)
{
    tac_reduced *r = reduced_of(w);
    for (uint16_t i = 0; i < r->rows + r->closers; i++) { r->velocity[i] = r->w[i][i]; }
    for (uint16_t i = 0; i < r->closers; i++) {
        for (uint16_t j = 0; j < r->closers; j++) {
            if (r->closer[i] / TAC_JOINT_ROWS != r->closer[j] / TAC_JOINT_ROWS) { continue; }
            const uint16_t at = (uint16_t)(r->rows + j);
            r->velocity[r->rows + i] = real_max(r->velocity[r->rows + i], r->w[at][at]);
        }
    }
}

// Returns 0 if rounding is all that is left of a swept row: the joints hold it, but only together, and W tells no
// longer by how much.
static int reduced_eliminate_all(tac_work *w, uint16_t begin)
{
    tac_reduced *r = reduced_of(w);
    int sound = 1;
    r->redundant = 0;
    if (r->closers == 0) { return 1; }
    reduced_measure_whole(w);
    for (uint16_t i = 0; i < r->closers; i++) { reduced_eliminate(w, i, begin); }
    for (uint16_t i = begin; i < r->rows; i++) { sound &= !(r->w[i][i] < REDUCED_ROUNDING * r->velocity[i]); }
    return sound;
}

// (W_cc + C)^-1 x, in place.
static void reduced_close(const tac_reduced *r, real *x)
{
    for (uint16_t i = 0; i < r->closers; i++) {
        const real *row = r->w[r->rows + i], part = row[r->rows + i] * x[i];
        for (uint16_t j = (uint16_t)(i + 1); j < r->closers; j++) { x[j] -= row[r->rows + j] * part; }
    }
    for (uint16_t i = r->closers; i-- > 0;) {
        const real *row = r->w[r->rows + i];
        for (uint16_t j = (uint16_t)(i + 1); j < r->closers; j++) { x[i] -= row[r->rows + j] * x[j]; }
        x[i] *= row[r->rows + i];
    }
}

// What the sweeps need of each contact: its block of W, with all that its bodies are joined to. Where joints block a
// direction W is zero and the impulse would be unbounded, so a part of W without joints is added.
static void reduced_blocks(tac_work *w)
{
    const tac_reduced *r = reduced_of(w);
    tac_block *k = w->scratch.solve.block;
    for (uint16_t row = 0; row < 3 * w->program.contacts; row = (uint16_t)(row + 3), k++) {
        const real *n = &r->w[row][row], *u = &r->w[row + 1][row], *v = &r->w[row + 2][row];
        k->w = (sym3){n[0] + REDUCED_LEAST * k->w.xx, n[1], n[2],
                      u[1] + REDUCED_LEAST * k->w.yy, u[2], v[2] + REDUCED_LEAST * k->w.zz};
        rows_sweep(k);
    }
}

// W of normals and coordinates alone, of trees that are factored. Returns 0 if there is no room, or nothing but
// rounding in a row of it.
static int reduced_normals(tac_work *w)
{
    if (!reduced_number(w, 1) || !reduced_columns(w, 1)) { return 0; }
    reduced_products(w, 0);
    return reduced_eliminate_all(w, 0);
}

#endif

#endif
