// SPDX-License-Identifier: MIT
// trees.h - what an impulse does to trees of joints: W = D' A^-1 D of the rows that can change sides; the joints
// follow.
//   given   contacts, blocks, trees of joints
//   makes   W once a step; velocities of its rows; impulses of the joints that follow those of contacts and coordinates
//   bound   rows (rows + depth of the trees) once a step; rows for each row that changes; a solution when the joints
//           follow
//   never   passes an impulse on from joint to joint: however long a chain is, a foot feels all of it at once
#ifndef DUAL_TREES_H
#define DUAL_TREES_H

#include "../sets/interval.h"
#include "../factor/articulated.h"

#if TAC_MAX_JOINTS > 0

// With A the operator of articulated.h, what is always in force in it (constraints, springs, motors without bounds),
// the velocities of the other rows are
//      u = u_0 + W dg,     W = D' A^-1 D = Y'Y,
// where a column of Y is what its row does along each free motion between its body and the root, (s'R)/sqrt(d), and on
// the root. Contacts are rows 3 i to 3 i + 2, then come the coordinates.
#define REDUCED_CLOSE R(0.1)                                    // part of the tolerance at which joints are updated
#define REDUCED_LEAST (TAC_REAL_BITS == 32 ? R(1e-4) : R(1e-6)) // part of W without joints that a row has at least

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

// Numbers the rows, so many for each contact. Returns 0 if they are too many.
static int reduced_number(tac_work *w, uint32_t each)
{
    tac_reduced *r = reduced_of(w);
    uint32_t rows = each * w->program.contacts;
    for (uint32_t i = 0; i < PROGRAM_JOINTS(w); i++) {
        int bounded = 0;
        for (int b = 0; b < TAC_EFFORTS; b++) { bounded |= interval_bounded(&JOINT_LINK(w)[i].interval[b]); }
        r->row[i] = bounded ? (uint16_t)rows : TAC_NONE;
        rows += (uint32_t)bounded;
    }
    r->rows = (uint16_t)rows;
    return rows <= TAC_MAX_REDUCED;
}

// A row of D' at one of its bodies.
static void reduced_add_row(tac_work *w, uint16_t row, uint16_t body, vec3 linear, vec3 angular)
{
    tac_tree_body *b = &reduced_of(w)->tree_body[body];
    real x[6];
    if (!joint_moves(w, body)) { return; }
    tree_body_force(b, linear, angular, x);
    six_add(w->scratch.solve.step.x[body], R(1.0), x);
    b->mark = row;
}

static int reduced_put(tac_reduced *r, uint16_t row, uint32_t index, real y)
{
    if (r->first[row + 1] >= TAC_MAX_PATH) { return 0; }
    r->reach[r->first[row + 1]++] = (tac_path){y, (uint16_t)index};
    return 1;
}

// A column of Y from the row that has been put into step, which is left zero. Of a free motion s'R is kept, d stays
// with the body. Returns 0 if there is no room.
static int reduced_path(tac_work *w, uint16_t row)
{
    tac_reduced *r = reduced_of(w);
    tac_sixes *step = &w->scratch.solve.step;
    int room = 1;
    r->first[row + 1] = r->first[row];
    for (uint16_t at = r->tree_bodies; at-- > 0;) {
        const uint16_t self = r->order[at];
        const tac_tree_body *b = &r->tree_body[self];
        real *x = step->x[self];
        if (b->mark != row) { continue; }
        for (int i = 0; i < b->axes; i++) {
            const real y = six_dot(b->s[i], x);
            six_add(x, -b->inv_d[i] * y, b->u[i]);
            room &= reduced_put(r, row, 6u * self + (uint32_t)i, y);
        }
        if (b->joint == TAC_NONE) {
            six_forward(b->inertia, x);
            for (uint32_t i = 0; i < 6; i++) { room &= reduced_put(r, row, 6u * self + i, x[i]); }
        } else if (b->parent != TAC_NONE) {
            six_add(step->x[b->parent], R(1.0), x);
            r->tree_body[b->parent].mark = row;
        }
        reals_clear(x, 6 * sizeof *x);
    }
    return room;
}

static int reduced_columns(tac_work *w, int each)
{
    tac_reduced *r = reduced_of(w);
    uint16_t row = 0;
    int room = 1;
    reals_clear(w->scratch.solve.step.flat, 6 * w->program.bodies * sizeof(real));
    for (uint16_t at = 0; at < r->tree_bodies; at++) { r->tree_body[r->order[at]].mark = TAC_NONE; }
    r->first[0] = 0;
    for (const tac_block *k = blocks_of(w), *end = k + w->program.contacts; k < end; k++) {
        for (int i = 0; i < each; i++, row++) {
            const vec3 axis = k->frame[i];
            reduced_add_row(w, row, k->body[0], v3_scale(R(-1.0), axis), k->j[0][i]);
            reduced_add_row(w, row, k->body[1], axis, k->j[1][i]);
            room &= reduced_path(w, row);
        }
    }
    for (uint32_t i = 0; i < PROGRAM_JOINTS(w); i++) {
        const tac_row *last = &JOINT_LINK(w)[i].row[JOINT_LAST];
        if (r->row[i] == TAC_NONE) { continue; }
        reduced_add_row(w, row, JOINT_LINK(w)[i].body[0], v3_scale(R(-1.0), last->linear), last->angular[0]);
        reduced_add_row(w, row, JOINT_LINK(w)[i].body[1], last->linear, last->angular[1]);
        room &= reduced_path(w, row++);
    }
    return room;
}

// W, row by row: a column laid out in step, over d, against each column before it.
static void reduced_products(tac_work *w)
{
    tac_reduced *r = reduced_of(w);
    real *y = w->scratch.solve.step.flat;
    for (uint16_t row = 0; row < r->rows; row++) {
        const tac_path *own = &r->reach[r->first[row]], *end = &r->reach[r->first[row + 1]];
        for (const tac_path *e = own; e < end; e++) {
            const tac_tree_body *b = &r->tree_body[e->index / 6];
            y[e->index] = b->joint != TAC_NONE ? b->inv_d[e->index % 6] * e->y : e->y;
        }
        for (uint16_t other = 0; other <= row; other++) {
            real sum = R(0.0);
            for (const tac_path *e = &r->reach[r->first[other]]; e < &r->reach[r->first[other + 1]]; e++) {
                sum += y[e->index] * e->y;
            }
            r->w[row][other] = r->w[other][row] = sum;
        }
        for (const tac_path *e = own; e < end; e++) { y[e->index] = R(0.0); }
    }
}

// What the sweeps need of each block: with all that hangs on its bodies. Where joints hold these still an impulse would
// be without bound.
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

// Trees, rows and W of this step. Returns 0 if there is no room, or more than this can do: a contact that resists
// rolling has six rows, which are left to Newton's method.
static int reduced_make(tac_work *w, const tac_pose *pose)
{
    for (const tac_block *k = blocks_of(w), *end = k + w->program.contacts; k < end; k++) {
        if (has_torsion(k)) { return 0; }
    }
    reduced_mark_unbounded(w);
    if (!reduced_number(w, 3) || !articulated_order(w)) { return 0; }
    articulated_factor(w, pose);
    if (!reduced_columns(w, 3)) { return 0; }
    reduced_products(w);
    reduced_blocks(w);
    return 1;
}

// W of normals and coordinates alone, of trees that are factored. Returns 0 if there is no room.
static int reduced_normals(tac_work *w)
{
    if (!reduced_number(w, 1) || !reduced_columns(w, 1)) { return 0; }
    reduced_products(w);
    return 1;
}

// An impulse on a body, if that moves.
static void reduced_force(const tac_work *w, uint16_t body, vec3 linear, vec3 angular, tac_twist *impulse)
{
    if (!joint_moves(w, body)) { return; }
    impulse[body].v = v3_add(impulse[body].v, linear);
    impulse[body].w = v3_add(impulse[body].w, angular);
}

// impulse += D g
static void reduced_push(const tac_work *w, const tac_block *k, vec3 g, tac_twist *impulse)
{
    const vec3 linear = v3_combine(k->frame, g);
    reduced_force(w, k->body[0], v3_scale(R(-1.0), linear), v3_combine(k->j[0], g), impulse);
    reduced_force(w, k->body[1], linear, v3_combine(k->j[1], g), impulse);
}

// The same along the coordinate of a joint.
static void reduced_drive(const tac_work *w, const tac_joint_block *k, real g, tac_twist *impulse)
{
    const tac_row *r = &k->row[JOINT_LAST];
    const vec3 linear = v3_scale(g, r->linear);
    reduced_force(w, k->body[0], v3_scale(R(-1.0), linear), v3_scale(g, r->angular[0]), impulse);
    reduced_force(w, k->body[1], linear, v3_scale(g, r->angular[1]), impulse);
}

// ---------------------------------------------------------------------------------------------------------- the joints

// Residual of the velocity and joint equations at v: M (delta_v - v), J v + b.
static void reduced_residual(tac_work *w)
{
    const tac_reduced *r = reduced_of(w);
    tac_sixes *step = &w->scratch.solve.step;
    reals_clear(step->twist, (w->program.bodies + PROGRAM_JOINTS(w)) * sizeof *step->twist);
    for (uint16_t at = 0; at < r->tree_bodies; at++) { body_residual(w, r->order[at], step); }
    joints_residual(w, step);
}

// Intervals that are always in force have the impulses that belong to the velocities v.
static void reduced_unbounded_impulses(tac_work *w)
{
    for (uint32_t i = 0; i < PROGRAM_JOINTS(w); i++) {
        const tac_joint_block *k = &JOINT_LINK(w)[i];
        for (int b = 0; b < TAC_EFFORTS; b++) {
            const tac_interval *x = &k->interval[b];
            if (!x->inside) { continue; }
            const real u = joint_rate(k, w->phase.velocity, JOINT_LAST);
            w->scratch.solve.g[reduced_row_of(k, b)] = x->centre - x->weight * u;
        }
    }
}

// Joints and what is always in force follow the impulses: v and the joints' impulses with which their equations hold.
static void reduced_recompute_joints(tac_work *w)
{
    const tac_reduced *r = reduced_of(w);
    tac_sixes *step = &w->scratch.solve.step;
    delta_v_recompute(w);
    reduced_residual(w);
    articulated_solve(w, step);
    for (uint16_t at = 0; at < r->tree_bodies; at++) {
        const uint16_t i = r->order[at];
        w->phase.velocity[i].v = v3_add(w->phase.velocity[i].v, step->twist[i].v);
        w->phase.velocity[i].w = v3_add(w->phase.velocity[i].w, step->twist[i].w);
    }
    for (uint32_t i = 0; i < PROGRAM_JOINTS(w); i++) {
        const tac_joint_block *k = &JOINT_LINK(w)[i];
        const real *x = step->x[joint_node(w, i)];
        real *g = &w->scratch.solve.g[k->first];
        for (int row = 0; row < TAC_JOINT_ROWS; row++) {
            if (k->constraints >> row & 1) { g[row] += x[row]; }
        }
    }
    reduced_unbounded_impulses(w);
}

// ------------------------------------------------------------------------------------------------------- velocities

// Velocities of the rows at v.
static void reduced_update(tac_work *w)
{
    tac_reduced *r = reduced_of(w);
    real *u = r->velocity;
    for (const tac_block *k = blocks_of(w), *end = k + w->program.contacts; k < end; k++) {
        const vec3 at = rows_velocity(k, w->phase.velocity);
        *u++ = at.x, *u++ = at.y, *u++ = at.z;
    }
    for (uint32_t i = 0; i < PROGRAM_JOINTS(w); i++) {
        if (r->row[i] != TAC_NONE) { *u++ = joint_rate(&JOINT_LINK(w)[i], w->phase.velocity, JOINT_LAST); }
    }
    for (uint16_t i = 0; i < r->rows; i++) { r->last[i] = r->velocity[i]; }
}

// velocity += W dg, for one row.
static void reduced_apply(tac_reduced *r, uint32_t row, real change)
{
    for (uint16_t i = 0; i < r->rows; i++) { r->velocity[i] += r->w[row][i] * change; }
}

// velocity += W dg, for the rows of a contact.
static void reduced_apply_contact(tac_work *w, uint32_t row, vec3 change)
{
    tac_reduced *r = reduced_of(w);
    if (change.x != R(0.0)) { reduced_apply(r, row, change.x); }
    if (change.y != R(0.0)) { reduced_apply(r, row + 1, change.y); }
    if (change.z != R(0.0)) { reduced_apply(r, row + 2, change.z); }
}

// Velocities of the rows of a contact, and what the last sweep has made of them.
static vec3 reduced_velocity(const tac_work *w, uint32_t row)
{
    return v3_of(&w->scratch.solve.reduced.velocity[row]);
}

static vec3 reduced_last_change(const tac_work *w, uint32_t row)
{
    return v3_sub(reduced_velocity(w, row), v3_of(&w->scratch.solve.reduced.last[row]));
}

#else

static int reduced_make(tac_work *w, const tac_pose *pose)
{
    (void)w, (void)pose;
    return 0;
}

static inline void reduced_apply_contact(tac_work *w, uint32_t row, vec3 change)
{
    (void)w, (void)row, (void)change;
}

static inline vec3 reduced_velocity(const tac_work *w, uint32_t row)
{
    (void)w, (void)row;
    return V3_ZERO;
}

static inline vec3 reduced_last_change(const tac_work *w, uint32_t row)
{
    (void)w, (void)row;
    return V3_ZERO;
}

#endif

#endif
