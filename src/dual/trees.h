// SPDX-License-Identifier: MIT
// trees.h - the effect of impulses on trees of joints: velocities of bodies, impulses of joints.
//   given   contacts, blocks, trees of joints, W of the swept rows
//   makes   velocities of these rows; from the impulses of contacts and coordinates the velocities of all bodies and
//           the impulses of joints, those that close the trees included
//   bound   a solution once a step; rows for each row that changes; a solution when the joints follow, two where joints
//           close the trees
//   never   sweeps over impulses that follow from the others
#ifndef DUAL_TREES_H
#define DUAL_TREES_H

#include "../motion/free.h"
#include "columns.h"
#include "delta_v.h"

#define REDUCED_CLOSE R(0.1)   // a sweep that moves less than this part of the tolerance may be the last: joints follow
#define REDUCED_AGREES R(0.01) // of the speeds of its bodies: more is a contradiction of a redundant constraint

// An impulse on a body, if that moves.
static void trees_force(const tac_work *w, uint16_t body, vec3 linear, vec3 angular, tac_twist *impulse)
{
    if (!joint_moves(w, body)) { return; }
    impulse[body].v = v3_add(impulse[body].v, linear);
    impulse[body].w = v3_add(impulse[body].w, angular);
}

// impulse += D g
static void trees_push(const tac_work *w, const tac_block *k, vec3 g, tac_twist *impulse)
{
    const vec3 linear = v3_combine(k->frame, g);
    trees_force(w, k->body[0], v3_scale(R(-1.0), linear), v3_combine(k->j[0], g), impulse);
    trees_force(w, k->body[1], linear, v3_combine(k->j[1], g), impulse);
}

// The same along the coordinate of a joint.
static void trees_drive(const tac_work *w, const tac_joint_block *k, real g, tac_twist *impulse)
{
    joint_take(k, JOINT_LAST, -g, w->moving, impulse);
}

// impulse += D g of a contact with the impulses in force, torsion rows included.
static void trees_push_contact(const tac_work *w, const tac_block *k, tac_twist *impulse)
{
    const real *g = w->scratch.solve.g + k->first;
    trees_push(w, k, v3_of(g), impulse);
    if (!has_torsion(k)) { return; }
    trees_force(w, k->body[0], V3_ZERO, v3_combine(ROLLING_BLOCK(k)->j[0], v3_of(g + 3)), impulse);
    trees_force(w, k->body[1], V3_ZERO, v3_combine(ROLLING_BLOCK(k)->j[1], v3_of(g + 3)), impulse);
}

// ------------------------------------------------------------------------------------------------------- velocities

// The motions c that the constraints of all joints between a body and its root demand of the change of velocity in the
// step: a motion of the tree in which no joint moves freely. Of a joint the opposite of its drift, along the coordinate
// the rate that is held or prescribed, and the change of velocity of a parent that no impulse moves.
static void trees_carry(tac_work *w, tac_tree_body *b)
{
    if (b->joint == TAC_NONE) {
        six_set(b->c.motion, V3_ZERO, V3_ZERO);
        return;
    }
    const tac_joint_block *k = JOINT_LINK(w) + b->joint;
    const int is_b = b->is_b;
    const real sign = is_b ? R(-1.0) : R(1.0);
    vec3 turn = k->drift[0], slide = k->drift[1], along, about;
    if (k->coordinate && k->constraints >> JOINT_LAST & 1) {
        articulated_motion(k, JOINT_LAST, &about, &along);
        turn = v3_madd(turn, k->bias[JOINT_LAST], about);
        slide = v3_madd(slide, k->bias[JOINT_LAST], along);
    }
    turn = v3_scale(sign, turn);
    six_set(b->c.motion, turn, v3_madd(v3_cross(b->at, turn), sign, slide));
    if (b->parent == TAC_NONE && k->body[!is_b] != 0) {
        real moved[6];
        articulated_parent(w, b, w->delta_v, moved);
        six_add(b->c.motion, R(1.0), moved);
    }
    if (b->parent != TAC_NONE) { six_add(b->c.motion, R(1.0), trees_of(w)->tree_body[b->parent].c.motion); }
}

// Impulse along the coordinate of intervals with bounds, in force.
static inline real trees_bounded(const tac_work *w, const tac_joint_block *k)
{
    const real *g = &w->scratch.solve.g[k->first + TAC_JOINT_ROWS];
    real sum = R(0.0);
    for (int b = 0; b < TAC_EFFORTS; b++) { sum += columns_bounds(&k->interval[b]) ? g[b] : R(0.0); }
    return sum;
}

// M (free - t) of a body: the impulse on it without contacts and joints, less what the change t of its velocity takes.
static inline tac_twist trees_surplus(const tac_work *w, uint16_t body, const tac_twist *t)
{
    tac_twist x;
    twist_madd(w->scratch.solve.free + body, R(-1.0), t, &x);
    free_momentum(w->moving + body, &x, &x);
    return x;
}

// Once the trees are factored, the parts that all solutions of this step have in common: the motions c of all bodies,
// the constant efforts along coordinates, and `given`, the impulses M (free - c). With these impulses the trees are
// solved as if no constraint demanded a motion; c is added to the result.
static void trees_prepare(tac_work *w)
{
    tac_trees *r = trees_of(w);
    for (uint16_t at = 0; at < r->tree_bodies; at++) {
        const uint16_t self = r->order[at];
        tac_tree_body *b = r->tree_body + self;
        trees_carry(w, b);
        const tac_twist carried = tree_body_twist(b, b->c.motion), given = trees_surplus(w, self, &carried);
        tree_body_force(b, given.v, given.w, b->m.given);
        b->constant = R(0.0);
        if (b->joint == TAC_NONE || !JOINT_LINK(w)[b->joint].coordinate) { continue; }
        const tac_joint_block *k = &JOINT_LINK(w)[b->joint];
        for (int x = 0; k->acts && x < TAC_EFFORTS; x++) { // their slope is in A
            b->constant += k->interval[x].inside ? k->interval[x].centre : R(0.0);
        }
        b->constant = articulated_sign(b) * b->constant;
    }
}

// Impulses of joints that close trees, in force.
static void trees_push_closers(const tac_work *w, tac_twist *impulse)
{
    for (uint32_t i = 0; i < PROGRAM_JOINTS(w) && JOINT_TREES(w)->closed; i++) {
        const tac_joint_block *k = JOINT_LINK(w) + i;
        real g[TAC_JOINT_ROWS];
        if (!k->closes) { continue; }
        joint_impulses(w, k, g);
        for (int row = 0; row < TAC_JOINT_ROWS; row++) {
            if (g[row] != R(0.0)) { joint_take(k, row, -g[row], w->moving, impulse); }
        }
    }
}

// An impulse on a body, added to those about the points of the trees.
static inline void trees_add_force(tac_work *w, uint16_t body, vec3 linear, vec3 angular)
{
    real more[6];
    tree_body_force(trees_of(w)->tree_body + body, linear, angular, more);
    six_add(SOLUTION(w)->step.x[body], R(1.0), more);
}

// D g of a contact, torsion rows included.
static inline void trees_add_contact(tac_work *w, const tac_block *k)
{
    const real *g = w->scratch.solve.g + k->first;
    for (int side = k->body[0] == 0; side < 2; side++) {
        const uint16_t body = k->body[side];
        const vec3 linear = v3_combine(k->frame, v3_of(g));
        real more[6], *x = SOLUTION(w)->step.x[body];
        if (!joint_moves(w, body)) { continue; }
        six_set(more, v3_cross(columns_arm(w, k, body), linear), linear);
        six_add(x, side ? R(1.0) : R(-1.0), more);
        if (!has_torsion(k)) { continue; }
        trees_add_force(w, body, V3_ZERO, v3_combine(ROLLING_BLOCK(k)->j[side], v3_of(g + 3)));
    }
}

// Impulses of joints that close the trees, summed for each body in aside[] first.
static void trees_add_closers(tac_work *w)
{
    tac_trees *r = trees_of(w);
    reals_clear(trees_of(w)->room.use.aside, w->program.bodies * sizeof *trees_of(w)->room.use.aside);
    trees_push_closers(w, trees_of(w)->room.use.aside);
    for (uint16_t at = 0; at < r->tree_bodies; at++) {
        const uint16_t self = r->order[at];
        trees_add_force(w, self, trees_of(w)->room.use.aside[self].v, trees_of(w)->room.use.aside[self].w);
    }
}

// From the leaves to the roots: elimination with all impulses in force, those of rows that close trees included.
static void trees_up(tac_work *w)
{
    tac_trees *r = trees_of(w);
    tac_sixes *step = &SOLUTION(w)->step;
    for (uint16_t at = 0; at < r->tree_bodies; at++) {
        const uint16_t self = r->order[at];
        tac_tree_body *b = r->tree_body + self;
        six_copy(step->x[self], b->m.given);
        b->effort = b->constant;
        if (b->joint == TAC_NONE || r->row[b->joint] == TAC_NONE) { continue; }
        b->effort += articulated_sign(b) * trees_bounded(w, &JOINT_LINK(w)[b->joint]);
    }
    for (const tac_block *k = w->scratch.solve.block, *end = k + w->program.contacts; k < end; k++) {
        trees_add_contact(w, k);
    }
    if (r->closed) { trees_add_closers(w); }
    articulated_up(w, step, 0);
    for (uint16_t at = 0; at < r->tree_bodies; at++) { r->tree_body[r->order[at]].effort = R(0.0); }
}

// A^-1 (M (free - c) + D g) in step, about the points of the trees: the change of velocity by the impulses in force,
// without the motions c. `forces`: the impulses that joints transmit are left in f.impulse of each body.
static inline void trees_solve(tac_work *w, int forces)
{
    trees_up(w);
    articulated_down(w, &SOLUTION(w)->step, 0, forces);
}

// delta_v of the bodies of the trees, from this solution.
static inline void trees_take_all(tac_work *w)
{
    const tac_trees *r = trees_of(w);
    for (uint16_t at = 0; at < r->tree_bodies; at++) {
        const uint16_t self = r->order[at];
        real v[6];
        six_copy(v, SOLUTION(w)->step.x[self]);
        six_add(v, R(1.0), r->tree_body[self].c.motion);
        w->delta_v[self] = tree_body_twist(&r->tree_body[self], v);
    }
}

// Residual of a row that closes trees at delta_v: u_c + C l; along a coordinate with compliant intervals, the
// difference of the rate and that of their law.
static real trees_closer_error(const tac_work *w, const tac_joint_block *k, int row)
{
    const real *g = w->scratch.solve.g + k->first;
    const real rate = joint_rate(k, w->delta_v, row);
    real beyond = R(0.0);
    if (k->constraints >> row & 1) { return rate + k->bias[row] + k->soft[row] * g[row]; }
    if (!(joint_slope(k) > R(0.0))) { return R(0.0); }
    for (int b = 0; b < TAC_EFFORTS; b++) {
        if (k->interval[b].inside) { beyond += g[TAC_JOINT_ROWS + b] - k->interval[b].centre; }
    }
    return rate + beyond / joint_slope(k);
}

// Changes the impulse of such a row; along a coordinate in proportion to the slopes of its intervals.
static void trees_closer_add(tac_work *w, const tac_joint_block *k, int row, real change)
{
    real *g = w->scratch.solve.g + k->first;
    if (k->constraints >> row & 1) {
        g[row] += change;
        return;
    }
    if (change == R(0.0)) { return; }
    const real slope = joint_slope(k);
    for (int b = 0; b < TAC_EFFORTS; b++) {
        const tac_interval *x = k->interval + b;
        if (x->inside) { g[TAC_JOINT_ROWS + b] += change * (x->weight / slope); }
    }
}

// Constant impulses along coordinates of joints that close trees: intervals without bounds and without slope.
static void trees_hold_constants(tac_work *w)
{
    for (uint32_t i = 0; i < PROGRAM_JOINTS(w); i++) {
        const tac_joint_block *k = JOINT_LINK(w) + i;
        for (int b = 0; b < TAC_EFFORTS && k->closes; b++) {
            const tac_interval *x = k->interval + b;
            if (x->inside && x->weight == R(0.0)) { w->scratch.solve.g[columns_row_of(k, b)] = x->centre; }
        }
    }
}

// Is this row that closes trees a constraint that others hold already?
static inline int trees_follows(const tac_work *w, uint16_t i)
{
    const tac_trees *r = JOINT_TREES(w);
    const uint16_t of = r->closer[i];
    return !(r->w[columns_at(r->rows + i, r->rows + i)] > R(0.0)) &&
           joint_holds(&JOINT_LINK(w)[of / TAC_JOINT_ROWS], of % TAC_JOINT_ROWS);
}

// Such constraints bear nothing.
static void trees_clear_followers(tac_work *w)
{
    const tac_trees *r = trees_of(w);
    for (uint16_t i = 0; i < r->closers; i++) {
        const uint16_t of = r->closer[i];
        if (trees_follows(w, i)) {
            w->scratch.solve.g[JOINT_LINK(w)[of / TAC_JOINT_ROWS].first + of % TAC_JOINT_ROWS] = R(0.0);
        }
    }
}

// The impulses of rows that close trees, from those of the swept rows.
static void trees_solve_closers(tac_work *w)
{
    tac_trees *r = trees_of(w);
    real *error = r->velocity + r->rows;
    trees_hold_constants(w);
    trees_clear_followers(w);
    trees_solve(w, 0);
    trees_take_all(w);
    for (uint16_t i = 0; i < r->closers; i++) {
        const uint16_t of = r->closer[i];
        error[i] = trees_closer_error(w, &JOINT_LINK(w)[of / TAC_JOINT_ROWS], of % TAC_JOINT_ROWS);
    }
    columns_close(r, error);
    for (uint16_t i = 0; i < r->closers; i++) {
        const uint16_t of = r->closer[i];
        trees_closer_add(w, &JOINT_LINK(w)[of / TAC_JOINT_ROWS], of % TAC_JOINT_ROWS, -error[i]);
    }
}

// Adds the effect of the rows that close trees to the solution of the trees in step, which contains the right side of
// these rows.
static void trees_close_solution(tac_work *w)
{
    tac_trees *r = trees_of(w);
    tac_sixes *step = &SOLUTION(w)->step;
    real *error = r->velocity + r->rows;
    for (uint16_t i = 0; i < r->closers; i++) {
        const uint16_t of = r->closer[i], joint = of / TAC_JOINT_ROWS, row = of % TAC_JOINT_ROWS;
        error[i] = joint_rate(&JOINT_LINK(w)[joint], step->twist, row) + step->x[joint_node(w, joint)][row];
    }
    columns_close(r, error);
    reals_copy(trees_of(w)->room.use.aside, step->twist, w->program.bodies * sizeof *trees_of(w)->room.use.aside);
    reals_clear(step->twist, w->program.bodies * sizeof *step->twist);
    for (uint32_t i = 0; i < PROGRAM_JOINTS(w); i++) {
        if (JOINT_LINK(w)[i].closes) { reals_clear(step->x[joint_node(w, i)], sizeof step->x[0]); }
    }
    for (uint16_t i = 0; i < r->closers; i++) {
        const uint16_t of = r->closer[i], joint = of / TAC_JOINT_ROWS, row = of % TAC_JOINT_ROWS;
        joint_take(&JOINT_LINK(w)[joint], row, error[i], w->moving, step->twist);
        step->x[joint_node(w, joint)][row] = -error[i];
    }
    articulated_add_response(w, step);
    for (uint16_t i = 0; i < w->program.bodies; i++) {
        twist_add(&step->twist[i], R(1.0), trees_of(w)->room.use.aside + i);
    }
}

// Newton's step of bodies and joints for the right side in step, as articulated_solve() has it.
static void trees_solve_closed(tac_work *w)
{
    articulated_solve(w, &SOLUTION(w)->step);
    trees_close_solution(w);
}

// As articulated_respond(): the motions that constraints demand stay as they are.
static void trees_respond_closed(tac_work *w)
{
    articulated_respond(w, &SOLUTION(w)->step);
    trees_close_solution(w);
}

// Rows that close trees, made again after the trees were factored with other constraints or poses. They have room.
static void trees_close_again(tac_work *w)
{
    trees_of(w)->reached = trees_of(w)->first[trees_of(w)->rows];
    (void)columns_close_columns(w);
    columns_products(w, trees_of(w)->rows);
    columns_eliminate_all(w, trees_of(w)->rows);
}

// The same for the first time, without rows that are swept.
static void trees_close_only(tac_work *w)
{
    tac_trees *r = trees_of(w);
    phase_take_room(r, TAC_ROOM_COLUMNS);
    r->rows = r->first[0] = r->reached = 0;
    (void)columns_close_columns(w);
    columns_products(w, 0);
    columns_eliminate_all(w, 0);
}

// W of normals and coordinates alone, of trees that are factored. Returns 0 if there is no room; then the rows that
// close trees are alone again, as the solutions of joints need them.
static int trees_normals(tac_work *w)
{
    if (columns_number(w, 1) && columns_make(w, 1)) {
        columns_products(w, 0);
        columns_eliminate_all(w, 0);
        return 1;
    }
    (void)columns_number(w, 0);
    trees_close_only(w);
    return 0;
}

// Impulses of a joint's intervals without bounds at this rate of its coordinate.
static inline void trees_unbounded_joint(tac_work *w, const tac_joint_block *k, real rate)
{
    real *g = &w->scratch.solve.g[k->first + TAC_JOINT_ROWS];
    for (int b = 0; b < TAC_EFFORTS; b++) {
        const tac_interval *x = k->interval + b;
        if (x->inside) { g[b] = x->centre - x->weight * rate; }
    }
}

// Redundant constraints agree with the others to third order in the step. If they do not (a motor that is to move a
// blocked loop), they contradict each other, and no impulses satisfy both.
static void trees_contradict(tac_work *w)
{
    tac_trees *r = trees_of(w);
    r->contradiction = R(0.0);
    for (uint16_t i = 0; i < r->closers && r->redundant; i++) {
        const uint16_t of = r->closer[i];
        const tac_joint_block *k = &JOINT_LINK(w)[of / TAC_JOINT_ROWS];
        const real error = trees_closer_error(w, k, of % TAC_JOINT_ROWS);
        if (r->w[columns_at(r->rows + i, r->rows + i)] > R(0.0) || real_abs(error) < REDUCED_AGREES * k->speed) {
            continue;
        }
        r->contradiction += error * error;
    }
}

// Impulses of the constraints of a joint of the trees, from the impulse that it transmits. A constraint of the
// coordinate has what the efforts along the coordinate do not supply.
static void trees_constraints_joint(tac_work *w, const tac_tree_body *b)
{
    const tac_joint_block *k = JOINT_LINK(w) + b->joint;
    real *g = w->scratch.solve.g + k->first;
    articulated_impulses(w, b, g);
    real along = g[JOINT_LAST];
    for (int row = JOINT_KIND[k->kind].constraints; row < TAC_JOINT_ROWS; row++) { g[row] = R(0.0); }
    if (!k->coordinate || !(k->constraints >> JOINT_LAST & 1)) { return; }
    for (int x = 0; x < TAC_EFFORTS; x++) { along -= g[TAC_JOINT_ROWS + x]; }
    g[JOINT_LAST] = along;
}

// Of all joints of the trees, from f.impulse.
static void trees_constraints(tac_work *w)
{
    const tac_trees *r = trees_of(w);
    for (uint16_t at = 0; at < r->tree_bodies; at++) {
        const tac_tree_body *b = &r->tree_body[r->order[at]];
        if (b->joint != TAC_NONE) { trees_constraints_joint(w, b); }
    }
}

// The same of coordinates that rows hold which close trees. All that acts there is in the row of the constraint: that
// keeps what the efforts do not supply.
static void trees_share_held(tac_work *w)
{
    for (uint32_t i = 0; i < PROGRAM_JOINTS(w); i++) {
        const tac_joint_block *k = JOINT_LINK(w) + i;
        if (!k->closes || !k->acts || !(k->constraints >> JOINT_LAST & 1)) { continue; }
        const real all = joint_impulse(w, k, JOINT_LAST);
        trees_unbounded_joint(w, k, joint_rate(k, w->delta_v, JOINT_LAST));
        w->scratch.solve.g[k->first + JOINT_LAST] += all - joint_impulse(w, k, JOINT_LAST);
    }
}

// The change of velocity, and all impulses of joints, that belong to the impulses of contacts and bounded intervals.
// Constraints of trees have none, unless the impulses that joints transmit are asked for: reactions.h computes them on
// request.
static void trees_finish(tac_work *w, int transmit)
{
    const tac_trees *r = trees_of(w);
    const int rows = r->closed || transmit;
    if (r->closed) { trees_solve_closers(w); }
    trees_solve(w, rows);
    trees_take_all(w);
    for (uint16_t at = 0; at < r->tree_bodies; at++) {
        const tac_tree_body *b = &r->tree_body[r->order[at]];
        if (b->joint == TAC_NONE) { continue; }
        const tac_joint_block *k = JOINT_LINK(w) + b->joint;
        const real rate = b->axes == 0 ? joint_rate(k, w->delta_v, JOINT_LAST) // held
                                       : articulated_sign(b) * b->q.solved[0];
        if (k->acts) { trees_unbounded_joint(w, k, rate); }
        if (!rows) { reals_clear(&w->scratch.solve.g[k->first], TAC_JOINT_ROWS * sizeof(real)); }
    }
    if (rows) { trees_constraints(w); }
    if (r->closed) {
        trees_contradict(w);
        trees_share_held(w);
    }
}

// u += W dg, for one row.
static inline void trees_change(const tac_trees *r, uint32_t row, real change, real *u)
{
    const real *at = &r->w[columns_at(row, 0)];
    uint32_t i = 0;
    if (change == R(0.0)) { return; }
    for (; i <= row; i++) { u[i] += *at++ * change; }
    for (at += row; i < r->rows; at += ++i) { u[i] += *at * change; }
}

// Three entries of u, whose W with the rows of a contact is x, y, z.
static inline void trees_add(real *u, vec3 change, vec3 x, vec3 y, vec3 z)
{
    v3_put(u, v3_madd(v3_madd(v3_madd(v3_of(u), change.x, x), change.y, y), change.z, z));
}

// The same for the three rows of a contact.
static inline void trees_change_contact(const tac_trees *r, uint32_t row, vec3 change, real *u)
{
    const real *x = &r->w[columns_at(row, 0)], *y = x + row + 1, *z = y + row + 2;
    uint32_t i = 0;
    if (change.x == R(0.0) && change.y == R(0.0) && change.z == R(0.0)) { return; }
    for (; i < row; i += 3) { trees_add(u + i, change, v3_of(x + i), v3_of(y + i), v3_of(z + i)); }
    trees_add(u + i, change, v3(x[i], y[i], z[i]), v3(y[i], y[i + 1], z[i + 1]), v3_of(z + i));
    i += 3;
    for (const real *at = &r->w[columns_at(i, row)]; i < r->rows; at += ++i) {
        u[i] = ((u[i] + at[0] * change.x) + at[1] * change.y) + at[2] * change.z;
    }
}

static void trees_apply(tac_trees *r, uint32_t row, real change)
{
    trees_change(r, row, change, r->velocity);
}

// The number of joints if any of their coordinates has a row, else 0.
static inline uint32_t trees_coordinates(const tac_work *w)
{
    const tac_trees *r = JOINT_TREES(w);
    if (PROGRAM_JOINTS(w) == 0) { return 0; }
    return r->rows > r->formed * w->program.contacts ? PROGRAM_JOINTS(w) : 0;
}

// How many impulses, from the first on, sweeps may change: those of contacts, and of joints too if
// coordinates have rows or joints close the trees.
static uint32_t trees_swept(const tac_work *w)
{
    const int joints = PROGRAM_JOINTS(w) > 0 && (JOINT_TREES(w)->closed || trees_coordinates(w) > 0);
    return iterate_joint(w, joints ? PROGRAM_JOINTS(w) : 0);
}

// Velocities of the rows at delta_v.
static void trees_measure(tac_work *w)
{
    tac_trees *r = trees_of(w);
    real *u = r->velocity;
    for (const tac_block *k = w->scratch.solve.block, *end = k + w->program.contacts; k < end; k++, u += 3) {
        v3_put(u, rows_yield(k, rows_velocity(k, w->delta_v), w->scratch.solve.g[k->first]));
    }
    for (uint32_t i = 0; i < trees_coordinates(w); i++) {
        if (r->row[i] != TAC_NONE) { *u++ = joint_rate(&JOINT_LINK(w)[i], w->delta_v, JOINT_LAST); }
    }
}

// delta_v of the bodies that rows act on becomes the motions c.
static void trees_take_carried(tac_work *w)
{
    const tac_trees *r = trees_of(w);
    for (uint16_t at = 0; at < r->tree_bodies && trees_coordinates(w) > 0; at++) {
        w->delta_v[r->order[at]] = tree_body_twist(&r->tree_body[r->order[at]], r->tree_body[r->order[at]].c.motion);
    }
    for (const tac_block *k = w->scratch.solve.block, *end = k + w->program.contacts; k < end; k++) {
        for (int side = k->body[0] == 0; side < 2; side++) {
            const tac_tree_body *b = &r->tree_body[k->body[side]];
            if (joint_moves(w, k->body[side])) { w->delta_v[k->body[side]] = tree_body_twist(b, b->c.motion); }
        }
    }
}

// z at a body on the path of a column, from the elimination: pulls along its free motions, or six numbers of a root.
static inline real *trees_z(tac_work *w, uint16_t key)
{
    tac_trees *r = trees_of(w);
    const uint16_t self = r->order[key >> 3];
    tac_tree_body *b = r->tree_body + self;
    return b->joint == TAC_NONE ? SOLUTION(w)->step.x[self] : b->pull;
}

// u += Y'z of `rows` columns side by side, from `row` on.
static inline void trees_velocity_of(tac_work *w, uint32_t row, uint32_t rows, real *u)
{
    const tac_trees *r = trees_of(w);
    const real *y = &r->room.use.made.columns.reach[r->first[row]],
               *last = &r->room.use.made.columns.reach[r->first[row + rows]];
    while (y < last) {
        const uint16_t key = r->room.use.made.columns.along[y - r->room.use.made.columns.reach];
        const real *z = trees_z(w, key);
        for (const real *end = z + (key & 7); z < end; z++, y += rows) {
            if (rows == 1) { *u += *z * *y; }
            for (uint32_t i = 0; i + 3 <= rows; i += 3) { v3_put(u + i, v3_madd(v3_of(u + i), *z, v3_of(y + i))); }
        }
    }
}

// Changes the velocities u of the rows from those of the impulses in force to those of the impulses `to`.
static void trees_move_to(tac_work *w, const real *to, real *u)
{
    tac_trees *r = trees_of(w);
    real *g = w->scratch.solve.g;
    uint32_t row = 0;
    for (const tac_block *k = w->scratch.solve.block, *end = k + w->program.contacts; k < end; k++, row += 3) {
        trees_change_contact(r, row, v3_sub(v3_of(&to[k->first]), v3_of(&g[k->first])), u);
    }
    for (uint32_t i = 0; i < trees_coordinates(w); i++) {
        const tac_joint_block *k = JOINT_LINK(w) + i;
        real change = R(0.0);
        if (r->row[i] == TAC_NONE) { continue; }
        for (int b = 0; b < TAC_EFFORTS; b++) {
            const uint32_t at = columns_row_of(k, b);
            if (columns_bounds(&k->interval[b])) { change += to[at] - g[at]; }
        }
        trees_change(r, r->row[i], change, u);
    }
}

// Velocities of the rows with the impulses of the last step, and u_0, which is these less W g. The velocities are
// computed from the trees: u_0 + W g would differ from the velocities of any motion by the rounding of W g, and the
// impulses of redundant contacts would grow by that from sweep to sweep. The impulses of the last iterate are zero.
// Without rows there is nothing to sweep: trees_finish() alone solves.
static void trees_start(tac_work *w)
{
    const uint32_t contacts = 3u * w->program.contacts;
    tac_trees *r = trees_of(w);
    iterate_copy(w, w->scratch.solve.g, w->scratch.solve.best);
    reals_clear(w->scratch.solve.last, trees_swept(w) * sizeof *w->scratch.solve.last);
    if (r->rows == 0) { return; }
    if (r->closed) { trees_solve_closers(w); }
    trees_up(w);
    trees_take_carried(w); // those of the motions c, and Y'z
    trees_measure(w);
    for (uint32_t row = 0; row < contacts; row += 3) { trees_velocity_of(w, row, 3, r->velocity + row); }
    for (uint32_t row = contacts; row < r->rows; row++) { trees_velocity_of(w, row, 1, r->velocity + row); }
    reals_copy(r->free, r->velocity, r->rows * sizeof *r->free);
    trees_move_to(w, w->scratch.solve.last, r->free); // last[] is zero
}

// Rows and W of the trees, and the velocities of the rows, from the best impulses. `trusts`: motors that are likely to
// stay between their bounds, and limits that are likely to stay inactive, are taken as unbounded. `pose`: NULL if the
// trees have been factored before. Returns 0 if there is no room.
static int trees_operate(tac_work *w, const tac_pose *pose, int trusts)
{
    columns_mark_unbounded(w, trusts);
    if (!columns_number(w, 3)) { return 0; }
    articulated_factor(w, pose);
    if (!columns_make(w, 3) || !columns_spare(w)) { return 0; }
    trees_prepare(w);
    columns_contact_products(w);
    columns_products(w, (uint16_t)(3 * w->program.contacts));
    columns_eliminate_all(w, 0);
    columns_blocks(w);
    trees_start(w);
    return 1;
}

// Are there joints, and does W contain the rows of contacts?
static inline int trees_formed(const tac_work *w)
{
    return PROGRAM_JOINTS(w) > 0 && JOINT_TREES(w)->formed == 3;
}

// velocity += W dg, for the rows of a contact.
static inline void trees_apply_contact(tac_work *w, uint32_t row, vec3 change)
{
    tac_trees *r = trees_of(w);
    trees_change_contact(r, row, change, r->velocity);
}

// Velocities of the rows of a contact, and by how much the last sweep has changed them.
static vec3 trees_velocity(const tac_work *w, uint32_t row)
{
    return v3_of(&JOINT_TREES(w)->velocity[row]);
}

static vec3 trees_last_change(const tac_work *w, uint32_t row)
{
    return v3_sub(trees_velocity(w, row), v3_of(&JOINT_TREES(w)->last[row]));
}

#endif
