// SPDX-License-Identifier: MIT
// paths.h - the operator of trees for one row after the other, where W has no room for those of contacts.
//   given   trees that are factored, the rows of joints alone; impulses in force
//   makes   blocks of W of contacts; what a change of the impulse of a contact or coordinate does to velocities
//   bound   the columns of a contact, rows (bodies of their paths + closers) + closers^2, each time it is visited
//   never   keeps a column of a contact from one visit to the next
#ifndef DUAL_PATHS_H
#define DUAL_PATHS_H

#include "trees.h"

// Velocities are u = c + Y'z (trees.h), with z in pull[] of the bodies that hang on joints and in step.x[] of roots.
// The columns of the contact that is visited lie behind those of the rows of joints, where tac_model_seal() has found
// room.

static inline uint32_t path_rows(const tac_block *k)
{
    return has_torsion(k) ? TAC_CONTACT_ROWS : 3;
}

// The rows of W that the contact in hand takes.
static inline uint16_t path_row(const tac_trees *r)
{
    return (uint16_t)(r->rows + r->closers);
}

// Its columns.
static void path_find(tac_work *w, const tac_block *k)
{
    tac_trees *r = trees_of(w);
    r->reached = r->first[path_row(r)];
    (void)columns_contact(w, k, (int)path_rows(k), path_row(r));
}

// z += Y g of `rows` columns side by side, from `row` on.
static void path_add(tac_work *w, uint16_t row, uint32_t rows, const real *g)
{
    const tac_trees *r = trees_of(w);
    uint16_t at = r->first[row];
    while (at < r->first[row + rows]) {
        const uint16_t key = r->room.use.made.columns.along[at];
        real *z = trees_z(w, key);
        for (real *end = z + (key & 7); z < end; z++) {
            for (uint32_t i = 0; i < rows; i++) { *z += r->room.use.made.columns.reach[at++] * g[i]; }
        }
    }
}

// W of the marked columns and a row that closes trees.
static void path_product(const tac_trees *r, uint16_t row, uint32_t rows, real *x)
{
    columns_walk p = columns_walk_of(r, row, 1);
    for (uint32_t i = 0; i < rows; i++) { x[i] = R(0.0); }
    for (int entries = columns_meet(r, &p, 1); entries > 0; entries = columns_meet(r, &p, 1)) {
        for (const real *y = p.y; y < p.y + entries; y++) {
            for (uint32_t i = 0; i < rows; i++) { x[i] += *p.x++ * *y; }
        }
    }
}

// W of these columns and the rows that close trees: one row of W for each column, behind those of the joints.
static void path_couple(tac_work *w, uint16_t row, uint32_t rows)
{
    tac_trees *r = trees_of(w);
    real x[TAC_CONTACT_ROWS];
    if (r->closers == 0) { return; }
    columns_trace(r, row, (int)rows, 1);
    for (uint16_t c = 0; c < r->closers; c++) {
        path_product(r, (uint16_t)(r->rows + c), rows, x);
        for (uint32_t i = 0; i < rows; i++) { r->w[columns_at(path_row(r) + i, c)] = x[i]; }
    }
    columns_trace(r, row, (int)rows, 0);
}

// The impulses g act along these columns, and the rows that close trees hold.
static void path_push(tac_work *w, uint16_t row, uint32_t rows, const real *g)
{
    tac_trees *r = trees_of(w);
    real *x = r->velocity;
    path_add(w, row, rows, g);
    path_couple(w, row, rows);
    for (uint16_t c = 0; c < r->closers; c++) {
        x[c] = R(0.0);
        for (uint32_t i = 0; i < rows; i++) { x[c] += r->w[columns_at(path_row(r) + i, c)] * g[i]; }
    }
    columns_close(r, x);
    for (uint16_t c = 0; c < r->closers; c++) {
        const real l = -x[c];
        path_add(w, (uint16_t)(r->rows + c), 1, &l);
    }
}

// W of the rows of a contact, through the joints.
static void path_block(tac_work *w, const tac_block *k, real own[6][6])
{
    tac_trees *r = trees_of(w);
    const uint16_t row = path_row(r);
    const uint32_t rows = path_rows(k);
    real *x = r->velocity;
    path_find(w, k);
    path_couple(w, row, rows);
    for (uint32_t i = 0; i < rows; i++) {
        for (uint32_t j = 0; j < rows; j++) {
            real sum = R(0.0);
            for (uint32_t at = r->first[row]; at < r->first[row + rows]; at += rows) {
                sum += r->room.use.made.columns.reach[at + i] * r->room.use.made.columns.reach[at + j];
            }
            own[i][j] = sum;
        }
    }
    for (uint32_t i = 0; i < rows; i++) {
        reals_copy(x, &r->w[columns_at(row + i, 0)], r->closers * sizeof *x);
        columns_close(r, x);
        for (uint32_t j = 0; j < rows; j++) {
            for (uint16_t c = 0; c < r->closers; c++) { own[i][j] -= r->w[columns_at(row + j, c)] * x[c]; }
        }
    }
}

// The blocks of all contacts, as columns_blocks() has them, and what sweeps need of them.
static void path_blocks(tac_work *w)
{
    phase_take_blocks(w, TAC_BLOCKS_SWEEP);
    for (tac_block *k = w->scratch.solve.block, *end = k + w->program.contacts; k < end; k++) {
        real own[6][6];
        path_block(w, k, own);
        own[0][0] += k->soft;
        k->w = (sym3){own[0][0] + REDUCED_LEAST * k->w.xx, own[0][1], own[0][2],
                      own[1][1] + REDUCED_LEAST * k->w.yy, own[1][2], own[2][2] + REDUCED_LEAST * k->w.zz};
        own[0][0] = k->w.xx, own[1][1] = k->w.yy, own[2][2] = k->w.zz;
        rows_sweep(k);
        if (has_torsion(k)) { torsion_sweep(k, own); }
    }
}

// z of the impulses in force; delta_v of the bodies that rows act on becomes the motions c.
static void path_start(tac_work *w)
{
    if (trees_of(w)->closed) { trees_solve_closers(w); }
    trees_up(w);
    trees_take_carried(w);
}

// Without rows of contacts: joints alone have room, which is known since the model was sealed.
static void path_operate_joints(tac_work *w, const tac_pose *pose)
{
    columns_mark_unbounded(w, 0);
    (void)columns_number(w, 0);
    articulated_factor(w, pose);
    (void)columns_make(w, 0);
    trees_prepare(w);
    columns_products(w, 0);
    columns_eliminate_all(w, 0);
    path_blocks(w);
    iterate_clear(w, w->scratch.solve.g);
}

// Trees, rows and W of this step. Without `forms`, or if W has no room for contacts, it has the rows of joints alone.
static void path_operator(tac_work *w, const tac_pose *pose, int forms)
{
    if (TAC_MAX_JOINTS == 0) { return; }
    articulated_order(w);
    trees_of(w)->contradiction = R(0.0);
    if (trees_of(w)->closed) {
        joints_make_rows(w);
    } else if (forms && trees_operate(w, pose, 1)) {
        return;
    }
    if (!forms || !trees_operate(w, pose, 0)) { path_operate_joints(w, pose); }
}

#endif
