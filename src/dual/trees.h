// SPDX-License-Identifier: MIT
// trees.h - what an impulse does to trees of joints: W = D' A^-1 D of the rows whose impulses have bounds; bodies and
// joints follow.
//   given   contacts, blocks, trees of joints
//   makes   W once a step; velocities of its rows; from the impulses of contacts and coordinates the velocities of all
//           bodies and the impulses of joints
//   bound   rows (bodies + rows * depth of the trees) and a solution once a step; rows for each row that changes; a
//           solution when the joints follow
//   never   passes an impulse on from joint to joint: however long a chain is, a foot feels all of it at once
#ifndef DUAL_TREES_H
#define DUAL_TREES_H

#include "../sets/interval.h"
#include "../rows/iterate.h"
#include "../factor/articulated.h"

#if TAC_MAX_JOINTS > 0

// With A the operator of articulated.h, in which all that has no bounds is in force (constraints, springs, motors of
// unlimited effort), the velocities of the other rows are
//      u = u_0 + W g,     W = D' A^-1 D = Y'Y,
// where a column of Y is what its row does along each free motion between its body and the root, (s'R)/sqrt(d), and on
// the root. reach[] keeps s'R, without the root of d. Contacts are rows 3 i to 3 i + 2, then come the coordinates.
#define REDUCED_CLOSE R(0.1) // a sweep that moves less than this part of the tolerance may be the last: joints follow
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
    return rows <= TAC_MAX_REDUCED;
}

// A row of D' at one of its bodies. Returns the body, or TAC_NONE if no impulse moves it.
static uint16_t reduced_add_row(tac_work *w, uint16_t body, vec3 linear, vec3 angular)
{
    real x[6];
    if (!joint_moves(w, body)) { return TAC_NONE; }
    tree_body_force(&reduced_of(w)->tree_body[body], linear, angular, x);
    six_add(w->scratch.solve.step.x[body], R(1.0), x);
    return body;
}

// The entries of the column at one body, from the force on it, which goes on to the parent and is left zero. Returns
// the parent; `room` becomes 0 where there is none.
static inline uint16_t reduced_pass(tac_work *w, uint16_t row, uint16_t self, int *room)
{
    tac_reduced *r = reduced_of(w);
    const tac_tree_body *b = &r->tree_body[self];
    real *x = w->scratch.solve.step.x[self];
    const uint16_t index = (uint16_t)(6 * self), first = r->first[row + 1],
                   entries = b->joint == TAC_NONE ? 6 : b->axes;
    tac_path *to = &r->reach[first];
    *room &= first + entries <= TAC_MAX_PATH;
    if (!*room) { return TAC_NONE; }
    r->first[row + 1] = (uint16_t)(first + entries);
    if (b->joint == TAC_NONE) {
        r->root[row] = first;
        six_forward(b->inertia, x);
        for (uint16_t i = 0; i < 6; i++) { to[i] = (tac_path){x[i], (uint16_t)(index + i)}; }
    }
    for (uint16_t i = 0; i < b->axes; i++) {
        const real y = six_dot(b->s[i], x);
        six_add(x, -b->inv_d[i] * y, b->u[i]);
        to[i] = (tac_path){y, (uint16_t)(index + i)};
    }
    if (b->parent != TAC_NONE) { six_add(w->scratch.solve.step.x[b->parent], R(1.0), x); }
    six_set(x, V3_ZERO, V3_ZERO);
    return b->parent;
}

// The rest of a column of Y, from the forces that have been put into step at two bodies or, with TAC_NONE, at one: they
// go from body to parent, and on together where they meet. `mark` is the place in the order: of two bodies the later
// one is nearer to the leaves. Returns 0 if there is no room; only then a force is left in step.
static int reduced_path(tac_work *w, uint16_t row, uint16_t a, uint16_t b)
{
    tac_reduced *r = reduced_of(w);
    const tac_tree_body *body = r->tree_body;
    int room = 1;
    r->root[row] = TAC_NONE;
    while (a != b && a != TAC_NONE && b != TAC_NONE) {
        uint16_t *later = body[a].mark > body[b].mark ? &a : &b;
        *later = reduced_pass(w, row, *later, &room);
    }
    for (uint16_t on = a != TAC_NONE ? a : b; on != TAC_NONE;) { on = reduced_pass(w, row, on, &room); }
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
    r->first[row + 1] = r->first[row];
    if (b->axes > 0) {
        if (r->first[row] >= TAC_MAX_PATH) { return 0; }
        r->reach[r->first[row + 1]++] = (tac_path){sign, (uint16_t)(6 * self)};
    }
    if (b->axes == 0 || b->parent == TAC_NONE) { return reduced_path(w, row, TAC_NONE, TAC_NONE); }
    six_add(w->scratch.solve.step.x[b->parent], -sign * b->inv_d[0], b->u[0]);
    return reduced_path(w, row, b->parent, TAC_NONE);
}

// Y, with so many rows for each contact. Returns 0 if there is no room.
static int reduced_columns(tac_work *w, int each)
{
    tac_reduced *r = reduced_of(w);
    uint16_t row = 0;
    int room = 1;
    reals_clear(w->scratch.solve.step.flat, 6 * w->program.bodies * sizeof(real));
    for (uint16_t at = 0; at < r->tree_bodies; at++) { r->tree_body[r->order[at]].mark = at; }
    r->first[0] = 0;
    for (const tac_block *k = blocks_of(w), *end = k + w->program.contacts; k < end; k++) {
        for (int i = 0; i < each; i++, row++) {
            const vec3 axis = k->frame[i];
            r->first[row + 1] = r->first[row];
            const uint16_t a = reduced_add_row(w, k->body[0], v3_scale(R(-1.0), axis), k->j[0][i]),
                           b = reduced_add_row(w, k->body[1], axis, k->j[1][i]);
            room &= reduced_path(w, row, a, b);
        }
    }
    for (uint32_t i = 0; i < PROGRAM_JOINTS(w); i++) {
        if (r->row[i] != TAC_NONE) { room &= reduced_coordinate(w, i, row++); }
    }
    return room;
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

// W, row by row: a column of Y laid out in step, each entry divided by d, times each column before it.
static void reduced_products(tac_work *w)
{
    tac_reduced *r = reduced_of(w);
    real *y = w->scratch.solve.step.flat;
    for (uint16_t row = 0; row < r->rows; row++) {
        const tac_path *own = &r->reach[r->first[row]], *root = &r->reach[r->root[row]],
                       *end = &r->reach[r->first[row + 1]];
        for (const tac_path *e = own; e < root; e++) {
            const tac_tree_body *b = &r->tree_body[e->index / 6];
            y[e->index] = b->joint != TAC_NONE ? b->inv_d[e->index % 6] * e->y : e->y;
        }
        for (const tac_path *e = root; e < end; e++) { y[e->index] = e->y; }
        for (uint16_t other = 0; other <= row; other++) {
            r->w[row][other] = r->w[other][row] = reduced_product(r, other, y);
        }
        for (const tac_path *e = own; e < end; e++) { y[e->index] = R(0.0); }
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

// impulse += D g of a contact with the impulses in force, torsion rows included.
static void reduced_push_contact(const tac_work *w, const tac_block *k, tac_twist *impulse)
{
    const real *g = &w->scratch.solve.g[k->first];
    reduced_push(w, k, v3_of(g), impulse);
    if (!has_torsion(k)) { return; }
    reduced_force(w, k->body[0], V3_ZERO, v3_combine(ROLLING_BLOCK(k)->j[0], v3_of(g + 3)), impulse);
    reduced_force(w, k->body[1], V3_ZERO, v3_combine(ROLLING_BLOCK(k)->j[1], v3_of(g + 3)), impulse);
}

// ------------------------------------------------------------------------------------------------------- velocities

// The motion c that the constraints of a joint demand of the change of velocity in the step: the opposite of its drift,
// along the coordinate the rate that is held or prescribed, and the change of velocity of a parent that no impulse
// moves.
static void reduced_demand(const tac_work *w, tac_tree_body *b, uint16_t self)
{
    const tac_joint_block *k = &JOINT_LINK(w)[b->joint];
    const int is_b = articulated_is_b(w, b, self);
    const real sign = is_b ? R(-1.0) : R(1.0);
    vec3 turn = k->drift[0], slide = k->drift[1], along, about;
    if (k->coordinate && k->constraints >> JOINT_LAST & 1) {
        articulated_motion(k, JOINT_LAST, &about, &along);
        turn = v3_madd(turn, k->bias[JOINT_LAST], about);
        slide = v3_madd(slide, k->bias[JOINT_LAST], along);
    }
    turn = v3_scale(sign, turn);
    six_set(b->c, turn, v3_madd(v3_cross(b->at, turn), sign, slide));
    if (b->parent == TAC_NONE && k->body[!is_b] != 0) {
        real moved[6];
        articulated_parent(w, b, self, w->delta_v, moved);
        six_add(b->c, R(1.0), moved);
    }
}

// Of all joints of the trees, once they are factored.
static void reduced_demand_all(tac_work *w)
{
    tac_reduced *r = reduced_of(w);
    for (uint16_t at = 0; at < r->tree_bodies; at++) {
        tac_tree_body *b = &r->tree_body[r->order[at]];
        if (b->joint != TAC_NONE) { reduced_demand(w, b, r->order[at]); }
    }
}

// Impulse along the coordinate: of intervals without bounds the constant part, since their slope is in A; of the others
// the impulse in force.
static real reduced_effort(const tac_work *w, const tac_joint_block *k)
{
    real sum = R(0.0);
    for (int b = 0; b < TAC_EFFORTS; b++) {
        const tac_interval *x = &k->interval[b];
        if (x->inside) { sum += x->centre; }
        if (reduced_bounds(x)) { sum += w->scratch.solve.g[k->first + (uint32_t)(TAC_JOINT_ROWS + b)]; }
    }
    return sum;
}

// delta_v = A^-1 (M free + D g), with the motions c that constraints demand: the change of velocity that belongs to the
// impulses in force. `forces`: the impulses that joints transmit are left in f of each body.
static inline void reduced_solve(tac_work *w, int forces)
{
    tac_reduced *r = reduced_of(w);
    tac_sixes *step = &w->scratch.solve.step;
    for (uint16_t at = 0; at < r->tree_bodies; at++) {
        const uint16_t self = r->order[at];
        tac_tree_body *b = &r->tree_body[self];
        const tac_twist *free = &w->scratch.solve.free[self];
        step->twist[self].v = v3_scale(w->moving[self].mass, free->v);
        step->twist[self].w = v3_mul(w->moving[self].inertia, free->w);
        if (b->joint == TAC_NONE || !JOINT_LINK(w)[b->joint].coordinate) { continue; }
        b->effort = articulated_sign(w, b, self) * reduced_effort(w, &JOINT_LINK(w)[b->joint]);
    }
    for (const tac_block *k = blocks_of(w), *end = k + w->program.contacts; k < end; k++) {
        reduced_push_contact(w, k, step->twist);
    }
    articulated_put_forces(w, step);
    articulated_up(w, step, 1);
    articulated_down(w, step, 1, forces);
    for (uint16_t at = 0; at < r->tree_bodies; at++) {
        tac_tree_body *b = &r->tree_body[r->order[at]];
        w->delta_v[r->order[at]] = tree_body_twist(b, step->x[r->order[at]]);
        b->effort = R(0.0);
    }
}

// Intervals without bounds get the impulses that belong to the changes of velocity v.
static void reduced_unbounded_impulses(tac_work *w, const tac_twist *v)
{
    for (uint32_t i = 0; i < PROGRAM_JOINTS(w); i++) {
        const tac_joint_block *k = &JOINT_LINK(w)[i];
        for (int b = 0; b < TAC_EFFORTS; b++) {
            const tac_interval *x = &k->interval[b];
            if (!x->inside) { continue; }
            w->scratch.solve.g[reduced_row_of(k, b)] = x->centre - x->weight * joint_rate(k, v, JOINT_LAST);
        }
    }
}

// All impulses of joints, and the change of velocity, that belong to the impulses of contacts and bounded intervals.
static void reduced_finish(tac_work *w)
{
    const tac_reduced *r = reduced_of(w);
    reduced_solve(w, 1);
    reduced_unbounded_impulses(w, w->delta_v);
    for (uint16_t at = 0; at < r->tree_bodies; at++) {
        const tac_tree_body *b = &r->tree_body[r->order[at]];
        real whole[TAC_JOINT_ROWS];
        if (b->joint == TAC_NONE) { continue; }
        const tac_joint_block *k = &JOINT_LINK(w)[b->joint];
        real *g = &w->scratch.solve.g[k->first];
        articulated_impulses(w, b, r->order[at], whole);
        for (int x = 0; x < TAC_EFFORTS; x++) { whole[JOINT_LAST] -= g[TAC_JOINT_ROWS + x]; }
        for (int row = 0; row < TAC_JOINT_ROWS; row++) {
            if (k->constraints >> row & 1) { g[row] = whole[row]; }
        }
    }
}

// u += W dg, for one row.
static inline void reduced_change(const tac_reduced *r, uint32_t row, real change, real *u)
{
    const real *column = r->w[row];
    uint32_t i = 0;
    if (change == R(0.0)) { return; }
    for (; i + 4 <= r->rows; i += 4) {
        u[i] += column[i] * change, u[i + 1] += column[i + 1] * change;
        u[i + 2] += column[i + 2] * change, u[i + 3] += column[i + 3] * change;
    }
    for (; i < r->rows; i++) { u[i] += column[i] * change; }
}

// The same for the three rows of a contact.
static inline void reduced_change_contact(const tac_reduced *r, uint32_t row, vec3 change, real *u)
{
    const real *x = r->w[row], *y = r->w[row + 1], *z = r->w[row + 2];
    if (change.x == R(0.0) && change.y == R(0.0) && change.z == R(0.0)) { return; }
    for (uint16_t i = 0; i < r->rows; i++) { u[i] = ((u[i] + x[i] * change.x) + y[i] * change.y) + z[i] * change.z; }
}

static void reduced_apply(tac_reduced *r, uint32_t row, real change)
{
    reduced_change(r, row, change, r->velocity);
}

// Velocities of the rows at delta_v.
static void reduced_measure(tac_work *w)
{
    tac_reduced *r = reduced_of(w);
    real *u = r->velocity;
    for (const tac_block *k = blocks_of(w), *end = k + w->program.contacts; k < end; k++, u += 3) {
        v3_put(u, rows_velocity(k, w->delta_v));
    }
    for (uint32_t i = 0; i < PROGRAM_JOINTS(w); i++) {
        if (r->row[i] != TAC_NONE) { *u++ = joint_rate(&JOINT_LINK(w)[i], w->delta_v, JOINT_LAST); }
    }
}

// What the velocities u of the rows, which belong to the impulses in force, become with those in `to`.
static void reduced_move_to(tac_work *w, const real *to, real *u)
{
    tac_reduced *r = reduced_of(w);
    real *g = w->scratch.solve.g;
    uint32_t row = 0;
    for (const tac_block *k = blocks_of(w), *end = k + w->program.contacts; k < end; k++, row += 3) {
        reduced_change_contact(r, row, v3_sub(v3_of(&to[k->first]), v3_of(&g[k->first])), u);
    }
    for (uint32_t i = 0; i < PROGRAM_JOINTS(w); i++) {
        for (int b = 0; r->row[i] != TAC_NONE && b < TAC_EFFORTS; b++) {
            const uint32_t at = reduced_row_of(&JOINT_LINK(w)[i], b);
            if (reduced_bounds(&JOINT_LINK(w)[i].interval[b])) { reduced_change(r, r->row[i], to[at] - g[at], u); }
        }
    }
}

// Velocities of the rows with the impulses of the last step, and u_0, which are these without W g. The first are
// measured at the bodies: u_0 + W g would differ from what any motion of the bodies makes by the rounding of W g, and
// where contacts share a force, impulses would grow by that from sweep to sweep. Without rows there is nothing to sweep:
// reduced_finish() alone solves.
static void reduced_start(tac_work *w)
{
    tac_reduced *r = reduced_of(w);
    iterate_copy(w, w->scratch.solve.g, w->scratch.solve.best);
    if (r->rows == 0) { return; }
    reduced_solve(w, 0);
    reduced_measure(w);
    reals_copy(r->free, r->velocity, r->rows * sizeof *r->free);
    reduced_move_to(w, w->scratch.solve.last, r->free); // last[] is zero when a step begins
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
    reduced_demand_all(w);
    reduced_products(w);
    reduced_blocks(w);
    reduced_start(w);
    return 1;
}

// velocity += W dg, for the rows of a contact.
static inline void reduced_apply_contact(tac_work *w, uint32_t row, vec3 change)
{
    tac_reduced *r = reduced_of(w);
    reduced_change_contact(r, row, change, r->velocity);
}

// Velocities of the rows of a contact, and by how much the last sweep has changed them.
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
