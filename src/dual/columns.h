// SPDX-License-Identifier: MIT
// columns.h - W = D' A^-1 D of the rows whose impulses have bounds, over trees of joints and the rows that close them.
//   given   contacts, blocks, trees of joints that are factored
//   makes   the rows, and W: of contacts, of coordinates with bounds; the rows that close trees, eliminated from it
//   bound   (rows + closers) (bodies of a path + rows); closers (rows + closers)^2
//   never   carries an impulse from joint to joint in sweeps: an entry of W has the effect through a chain of any
//           length
#ifndef DUAL_COLUMNS_H
#define DUAL_COLUMNS_H

#include "../sets/interval.h"
#include "../rows/joints.h"
#include "../factor/articulated.h"

// With A the operator of articulated.h, which contains everything without bounds (constraints, springs, motors of
// unlimited effort), the velocities of the other rows are
//      u = u_0 + W g,     W = D' A^-1 D = Y'Y,
// where a column of Y has the component s'R/sqrt(d) of its row along each free motion between its body and the root,
// and six entries at a free root. Contacts are rows 3 i to 3 i + 2, whose columns lie side by side, then come the
// coordinates. A body that a column passes has a key, 8 times its place in the order from roots to leaves plus the
// number of its entries.
#define REDUCED_HELD (TAC_REAL_BITS == 32 ? R(1e-4) : R(1e-9))  // of W of a constraint: a smaller pivot is rounding
#define REDUCED_ROUNDING (REAL_EPSILON / REDUCED_HELD)          // of W of a row, that pivots so small leave
#define REDUCED_LIKELY R(0.5)                                   // of the range of a motor: nearer to its middle,
#define REDUCED_KEPT R(0.9)                                     // an impulse likely stays within this part of it
#define REDUCED_FAR R(8.0)                                      // speeds of its bodies: a limit so far off is not met
#define REDUCED_LEAST (TAC_REAL_BITS == 32 ? R(1e-4) : R(1e-6)) // added to W of a row, of its W without joints

// ------------------------------------------------------------------------------------------------------------- rows

// Where the impulse of an interval lies among those of all rows.
static uint32_t columns_row_of(const tac_joint_block *k, int interval)
{
    return k->first + (uint32_t)(TAC_JOINT_ROWS + interval);
}

// Is an impulse in this part of the range of an interval, about its middle?
static inline int columns_central(const tac_interval *x, real g, real part)
{
    const real half = R(0.5) * x->hi - R(0.5) * x->lo, middle = R(0.5) * x->hi + R(0.5) * x->lo;
    return real_abs(g - middle) <= part * half;
}

// Is a motor likely to stay between its bounds, by its impulse in the last step and that at an unchanged velocity?
static inline int columns_drives(const tac_interval *x, real last)
{
    return x->lo > -REAL_LARGEST && x->hi < REAL_LARGEST && columns_central(x, last, REDUCED_LIKELY) &&
           columns_central(x, x->centre, REDUCED_LIKELY);
}

// By how much the rate of the coordinate may change before a limit becomes active; negative if the interval is none.
static inline real columns_room(const tac_interval *x, real rate)
{
    if (x->lo == R(0.0)) { return rate + x->bias; }
    return x->hi == R(0.0) ? -(rate + x->bias) : R(-1.0);
}

// Is this likely, or is a limit likely to stay inactive: without an impulse in the last step, and far away?
static inline int columns_likely(const tac_joint_block *k, const tac_interval *x, real last)
{
    if (!x->hard) { return columns_drives(x, last); }
    return last == R(0.0) && columns_room(x, R(0.0)) > REDUCED_FAR * k->speed;
}

// Marks intervals without bounds; a coordinate with other intervals has a row. `trusts`: marks also motors that are
// likely to stay between their bounds, and limits that are likely to stay inactive; columns_kept() tests this
// afterwards.
static void columns_mark_unbounded(tac_work *w, int trusts)
{
    tac_trees *r = trees_of(w);
    r->trusted = 0;
    for (uint32_t i = 0; i < PROGRAM_JOINTS(w); i++) {
        tac_joint_block *k = JOINT_LINK(w) + i;
        const real *last = &w->scratch.solve.best[k->first + TAC_JOINT_ROWS];
        r->row[i] = TAC_NONE;
        for (int b = 0; k->acts && b < TAC_EFFORTS; b++) {
            tac_interval *x = k->interval + b;
            if (!x->used) { continue; }
            const int bounded = interval_bounded(x), trusted = trusts && bounded && columns_likely(k, x, last[b]);
            x->inside = !bounded || trusted;
            r->trusted = (uint16_t)(r->trusted + trusted);
            if (!x->inside) { r->row[i] = 0; }
        }
    }
}

// Has the interval bounds, and is taken as if it had none?
static inline int columns_trusts(const tac_interval *x)
{
    return x->inside && interval_bounded(x);
}

// At the rate of its coordinate, has such a motor an impulse well between its bounds, or is such a limit inactive? The
// velocities of the rows have been measured.
static inline int columns_keeps(const tac_work *w, uint32_t joint, int interval)
{
    const tac_trees *r = JOINT_TREES(w);
    const tac_joint_block *k = JOINT_LINK(w) + joint;
    const tac_interval *x = k->interval + interval;
    const uint16_t row = r->row[joint];
    if (!x->hard) { return columns_central(x, w->scratch.solve.g[columns_row_of(k, interval)], REDUCED_KEPT); }
    return columns_room(x, row != TAC_NONE ? r->velocity[row] : joint_rate(k, w->delta_v, JOINT_LAST)) >= R(0.0);
}

// Is it so for all of these?
static int columns_kept(const tac_work *w)
{
    int kept = 1;
    for (uint32_t i = 0; i < PROGRAM_JOINTS(w) && JOINT_TREES(w)->trusted > 0; i++) {
        const tac_joint_block *k = JOINT_LINK(w) + i;
        for (int b = 0; b < TAC_EFFORTS; b++) {
            if (columns_trusts(&k->interval[b])) { kept &= columns_keeps(w, i, b); }
        }
    }
    return kept;
}

// Impulses of these beyond their bounds are moved to the nearest bound.
static void columns_clamp(tac_work *w)
{
    for (uint32_t i = 0; i < PROGRAM_JOINTS(w); i++) {
        const tac_joint_block *k = JOINT_LINK(w) + i;
        for (int b = 0; b < TAC_EFFORTS; b++) {
            const tac_interval *x = k->interval + b;
            real *g = &w->scratch.solve.g[columns_row_of(k, b)];
            if (columns_trusts(x)) { *g = real_clamp(*g, x->lo, x->hi); }
        }
    }
}

// Has the interval a share in a row? Known once those without bounds are marked.
static inline int columns_bounds(const tac_interval *x)
{
    return x->used && !x->inside;
}

// May the row act in this step? An active limit becomes a constraint once the step is solved.
static int columns_may_close(const tac_joint_block *k, int row)
{
    const tac_interval *limit = &k->interval[TAC_EFFORT_LIMIT];
    return joint_compliance(k, row) > R(0.0) || (row == JOINT_LAST && limit->used && limit->hard);
}

// Lists the rows of joints that close trees. Returns 0 if there are more than `most`.
static int columns_list_closers(tac_work *w, uint32_t most)
{
    tac_trees *r = trees_of(w);
    for (uint32_t i = 0; i < PROGRAM_JOINTS(w); i++) {
        const tac_joint_block *k = JOINT_LINK(w) + i;
        for (uint32_t row = 0; k->closes && row < TAC_JOINT_ROWS; row++) {
            if (!columns_may_close(k, (int)row)) { continue; }
            if (r->closers == most) { return 0; }
            r->closer[r->closers++] = (uint16_t)(TAC_JOINT_ROWS * i + row);
        }
    }
    return 1;
}

// Numbers the rows that are marked, so many for each contact. Returns 0 if they are too many.
static int columns_number(tac_work *w, uint32_t each)
{
    tac_trees *r = trees_of(w);
    uint32_t rows = each * w->program.contacts;
    r->formed = (uint8_t)each;
    for (uint32_t i = 0; i < PROGRAM_JOINTS(w); i++) {
        if (r->row[i] != TAC_NONE) { r->row[i] = (uint16_t)rows++; }
    }
    r->rows = (uint16_t)rows;
    r->closers = 0;
    return rows <= TAC_MAX_REDUCED && (!r->closed || columns_list_closers(w, TAC_MAX_REDUCED - rows));
}

// From the point of a body's tree to a contact.
static inline vec3 columns_arm(const tac_work *w, const tac_block *k, uint16_t body)
{
    return v3_sub(w->contact[k - w->scratch.solve.block].point, JOINT_TREES(w)->tree_body[body].centre);
}

// One end of a row, or of the three rows of a contact: the body, and the forces of these rows that have reached it.
typedef struct reduced_end {
    real force[TAC_CONTACT_ROWS][6];
    uint16_t body;
} reduced_end;

// The entries of columns at one body, from the forces on it: all six at a root; at a body that hangs on a joint those
// of its free motions, and the remaining forces act on the parent. `end` is then at the parent, or at TAC_NONE behind a
// root. The first of the entries has the key of the body. Returns 0 if there is no room.
static inline int columns_pass(tac_trees *r, int rows, reduced_end *end)
{
    const tac_tree_body *b = r->tree_body + end->body;
    const int root = b->joint == TAC_NONE, entries = root ? 6 : b->axes;
    real *y = r->room.use.made.columns.reach + r->reached;
    end->body = root ? TAC_NONE : b->parent;
    if (r->reached + rows * entries > TAC_MAX_PATH) { return 0; }
    if (entries > 0) { r->room.use.made.columns.along[r->reached] = (uint16_t)(8 * b->mark + entries); }
    r->reached = (uint16_t)(r->reached + rows * entries);
    for (int k = 0; root && k < rows; k++) {
        real *x = end->force[k];
        six_forward(b->inertia, x);
        for (int i = 0; i < 6; i++) { y[rows * i + k] = x[i]; }
    }
    for (int i = 0; !root && i < entries; i++, y += rows) {
        for (int k = 0; k < rows; k++) {
            real *x = end->force[k];
            y[k] = b->scale[i] * six_dot(b->s[i], x);
            six_add(x, -y[k], b->u[i]);
        }
    }
    return 1;
}

// Takes an end out of the list. Returns how many are left.
static inline int columns_drop(reduced_end *end, int ends, int which, int rows)
{
    for (int k = 0; k < rows; k++) { six_copy(end[which].force[k], end[ends - 1].force[k]); }
    end[which].body = end[ends - 1].body;
    return ends - 1;
}

// Moves the end nearest to the leaves to its parent, or merges it with another end at the same body. `mark` is the
// place in the order. Returns how many ends are left.
static inline int columns_approach(tac_trees *r, int rows, reduced_end *end, int ends, int *room)
{
    int last = 0;
    for (int e = 1; e < ends; e++) {
        if (end[e].body == end[last].body) {
            for (int k = 0; k < rows; k++) { six_add(end[last].force[k], R(1.0), end[e].force[k]); }
            return columns_drop(end, ends, e, rows);
        }
        if (r->tree_body[end[e].body].mark > r->tree_body[end[last].body].mark) { last = e; }
    }
    *room &= columns_pass(r, rows, &end[last]);
    return end[last].body == TAC_NONE ? columns_drop(end, ends, last, rows) : ends;
}

// The rest of columns of Y, from the forces at the ends of their rows: from body to parent, and together where they
// meet, so that keys decrease. Returns 0 if there is no room.
static inline int columns_path(tac_trees *r, uint16_t row, int rows, reduced_end *end, int ends)
{
    int room = 1;
    while (ends > 1) { ends = columns_approach(r, rows, end, ends, &room); }
    while (ends > 0 && end->body != TAC_NONE) { room &= columns_pass(r, rows, end); }
    r->first[row + rows] = r->reached;
    return room;
}

// The body that hangs on a joint of the tree.
static uint16_t columns_hanging(const tac_work *w, uint32_t joint)
{
    const uint16_t *body = JOINT_LINK(w)[joint].body;
    return JOINT_TREES(w)->tree_body[body[1]].joint == joint ? body[1] : body[0];
}

// A column of Y from the coordinate of a joint. An impulse along it is one on the body that hangs there and the
// opposite one on its parent, and at the body s'R is that of 1, or of -1 if it is a of its joint: what reaches the
// parent is -s'R u. Nothing moves a coordinate that is held.
static int columns_coordinate(tac_work *w, uint32_t joint, uint16_t row)
{
    tac_trees *r = trees_of(w);
    const tac_tree_body *b = r->tree_body + columns_hanging(w, joint);
    reduced_end end;
    if (b->axes == 0) { return columns_path(r, row, 1, &end, 0); }
    if (r->reached >= TAC_MAX_PATH) { return 0; }
    const real y = articulated_sign(b) * b->scale[0];
    r->room.use.made.columns.along[r->reached] = (uint16_t)(8 * b->mark + 1);
    r->room.use.made.columns.reach[r->reached++] = y;
    if (b->parent == TAC_NONE) { return columns_path(r, row, 1, &end, 0); }
    six_set(end.force[0], V3_ZERO, V3_ZERO);
    six_add(end.force[0], -y, b->u[0]);
    end.body = b->parent;
    return columns_path(r, row, 1, &end, 1);
}

// The order of elimination, from the roots to the leaves.
static void columns_mark_places(tac_work *w)
{
    tac_trees *r = trees_of(w);
    for (uint16_t at = 0; at < r->tree_bodies; at++) {
        r->tree_body[r->order[at]].mark = at;
        r->room.use.made.columns.traced[at] = TAC_NONE;
    }
}

// A column of Y from a row of a joint that closes trees.
static int columns_joint_row(tac_work *w, const tac_joint_block *k, int along, uint16_t row)
{
    tac_trees *r = trees_of(w);
    reduced_end end[4];
    int ends = 0;
    for (int e = 0; e < k->ends; e++) {
        const tac_row *of = &k->row[along - e / 2];
        if (!joint_moves(w, k->body[e])) { continue; }
        tree_body_force(&r->tree_body[k->body[e]], v3_scale(e % 2 ? R(1.0) : R(-1.0), of->linear), of->angular[e % 2],
                        end[ends].force[0]);
        end[ends++].body = k->body[e];
    }
    return columns_path(r, row, 1, end, ends);
}

// Of all rows that close trees. Returns 0 if there is no room.
static int columns_close_columns(tac_work *w)
{
    const tac_trees *r = trees_of(w);
    int room = 1;
    if (r->closers > 0) { columns_mark_places(w); }
    for (uint16_t i = 0; i < r->closers; i++) {
        const uint16_t of = r->closer[i];
        room &= columns_joint_row(w, &JOINT_LINK(w)[of / TAC_JOINT_ROWS], of % TAC_JOINT_ROWS, (uint16_t)(r->rows + i));
    }
    return room;
}

// Columns of Y from the rows of a contact: all three and those of its torques, all three, or the normal alone.
static inline int columns_contact(tac_work *w, const tac_block *k, int rows, uint16_t row)
{
    tac_trees *r = trees_of(w);
    reduced_end end[2];
    int ends = 0;
    for (int side = k->body[0] == 0; side < 2; side++) {
        const uint16_t body = k->body[side];
        if (!joint_moves(w, body)) { continue; }
        for (int i = 0; i < rows && i < 3; i++) {
            const vec3 along = side ? k->frame[i] : v3_scale(R(-1.0), k->frame[i]);
            six_set(end[ends].force[i], v3_cross(columns_arm(w, k, body), along), along);
        }
        for (int i = 3; i < rows; i++) {
            six_set(end[ends].force[i], v3_combine(r->tree_body[body].axis, ROLLING_BLOCK(k)->j[side][i - 3]), V3_ZERO);
        }
        end[ends++].body = body;
    }
    return columns_path(r, row, rows, end, ends);
}

// Y, with so many rows for each contact: 3, 1 or none. Returns 0 if there is no room.
static int columns_make(tac_work *w, int each)
{
    tac_trees *r = trees_of(w);
    uint16_t row = 0;
    int room = 1;
    phase_take_room(r, TAC_ROOM_COLUMNS);
    columns_mark_places(w);
    r->first[0] = r->reached = 0;
    for (const tac_block *k = w->scratch.solve.block, *end = k + w->program.contacts; k < end && each > 0; k++) {
        room &= each == 3 ? columns_contact(w, k, 3, row) : columns_contact(w, k, 1, row);
        row = (uint16_t)(row + each);
    }
    for (uint32_t i = 0; i < PROGRAM_JOINTS(w) && row < r->rows; i++) {
        const tac_joint_block *k = JOINT_LINK(w) + i;
        if (r->row[i] == TAC_NONE) { continue; }
        room &= k->closes ? columns_joint_row(w, k, JOINT_LAST, row) : columns_coordinate(w, i, row);
        row++;
    }
    return room && (r->closers == 0 || columns_close_columns(w));
}

// Has the coordinate no row only because its intervals are taken as unbounded?
static int columns_spares(const tac_work *w, uint32_t joint)
{
    const tac_interval *x = JOINT_LINK(w)[joint].interval;
    int trusts = 0;
    for (int b = 0; b < TAC_EFFORTS; b++) { trusts |= columns_trusts(&x[b]); }
    return JOINT_TREES(w)->row[joint] == TAC_NONE && trusts;
}

// Is there room for these rows, should they be needed after all?
static int columns_spare(const tac_work *w)
{
    const tac_trees *r = JOINT_TREES(w);
    uint32_t rows = r->rows, reach = r->reached;
    for (uint32_t i = 0; i < PROGRAM_JOINTS(w) && r->trusted > 0; i++) {
        const tac_tree_body *b = &r->tree_body[columns_hanging(w, i)];
        if (!columns_spares(w, i)) { continue; }
        rows++;
        for (; b->joint != TAC_NONE; b = r->tree_body + b->parent) {
            reach += b->axes;
            if (b->parent == TAC_NONE) { break; }
        }
        reach += b->joint == TAC_NONE ? 6 : 0;
    }
    return rows <= TAC_MAX_REDUCED && reach <= TAC_MAX_PATH;
}

// An entry of W, b <= a: of its lower triangle, row by row.
static inline uint32_t columns_at(uint32_t a, uint32_t b)
{
    return a * (a + 1u) / 2u + b;
}

// Of any two rows.
static inline uint32_t columns_between(uint32_t a, uint32_t b)
{
    return a > b ? columns_at(a, b) : columns_at(b, a);
}

// W of a contact, from its first row.
static sym3 columns_block(const tac_trees *r, uint32_t row)
{
    const real *x = &r->w[columns_at(row, row)], *y = &r->w[columns_at(row + 1, row)];
    const real *z = &r->w[columns_at(row + 2, row)];
    return (sym3){x[0], y[0], z[0], y[1], z[1], z[2]};
}

// Columns have entries in common at bodies on both paths. Marks the path of one column, or of the three of a contact,
// which lie side by side, by its first entry at each body; or takes the marks back.
static inline void columns_trace(tac_trees *r, uint16_t row, int rows, int mark)
{
    const uint16_t *along = r->room.use.made.columns.along;
    for (uint16_t at = r->first[row]; at < r->first[row + rows]; at = (uint16_t)(at + rows * (along[at] & 7))) {
        r->room.use.made.columns.traced[along[at] >> 3] = mark ? at : TAC_NONE;
    }
}

// Another column: the current entry, and the end.
typedef struct columns_walk {
    const real *x, *y; // entries of the marked column and of this one
    uint16_t at, end;
} columns_walk;

static inline columns_walk columns_walk_of(const tac_trees *r, uint16_t row, int rows)
{
    return (columns_walk){NULL, NULL, r->first[row], r->first[row + rows]};
}

// On to the next body at which they meet. Returns how many entries both have there, 0 behind the last one.
static inline int columns_meet(const tac_trees *r, columns_walk *p, int rows)
{
    while (p->at < p->end) {
        const uint16_t key = r->room.use.made.columns.along[p->at], traced = r->room.use.made.columns.traced[key >> 3];
        p->y = r->room.use.made.columns.reach + p->at;
        p->at = (uint16_t)(p->at + rows * (key & 7));
        if (traced == TAC_NONE) { continue; }
        p->x = r->room.use.made.columns.reach + traced;
        return key & 7;
    }
    return 0;
}

// W of the marked row and another.
static inline void columns_product(tac_trees *r, uint16_t a, uint16_t b)
{
    columns_walk p = columns_walk_of(r, b, 1);
    real sum = R(0.0);
    for (int entries = columns_meet(r, &p, 1); entries > 0; entries = columns_meet(r, &p, 1)) {
        for (int i = 0; i < entries; i++) { sum += p.x[i] * p.y[i]; }
    }
    r->w[columns_at(a, b)] = sum;
}

// W of the three rows of the marked contact and another row behind them.
static inline void columns_product_contact(tac_trees *r, uint16_t a, uint16_t b)
{
    columns_walk p = columns_walk_of(r, b, 1);
    vec3 sum = V3_ZERO;
    for (int entries = columns_meet(r, &p, 1); entries > 0; entries = columns_meet(r, &p, 1)) {
        for (int i = 0; i < entries; i++) { sum = v3_madd(sum, p.y[i], v3_of(p.x + 3 * i)); }
    }
    v3_put(&r->w[columns_at(b, a)], sum);
}

// W of the rows of the marked contact and of another behind it.
static inline void columns_product_contacts(tac_trees *r, uint16_t a, uint16_t b)
{
    columns_walk p = columns_walk_of(r, b, 3);
    vec3 n = V3_ZERO, u = V3_ZERO, v = V3_ZERO;
    for (int entries = columns_meet(r, &p, 3); entries > 0; entries = columns_meet(r, &p, 3)) {
        const real *x = p.x, *end = x + 3 * entries;
        for (const real *y = p.y; x < end; x += 3, y += 3) {
            n = v3_madd(n, x[0], v3_of(y)), u = v3_madd(u, x[1], v3_of(y)), v = v3_madd(v, x[2], v3_of(y));
        }
    }
    v3_put(&r->w[columns_at(b, a)], v3(n.x, u.x, v.x));
    v3_put(&r->w[columns_at(b + 1u, a)], v3(n.y, u.y, v.y));
    v3_put(&r->w[columns_at(b + 2u, a)], v3(n.z, u.z, v.z));
}

// W of the rows of one contact.
static void columns_product_own(tac_trees *r, uint16_t a)
{
    const real *y = &r->room.use.made.columns.reach[r->first[a]],
               *end = &r->room.use.made.columns.reach[r->first[a + 3]];
    sym3 sum = {R(0.0), R(0.0), R(0.0), R(0.0), R(0.0), R(0.0)};
    for (; y < end; y += 3) {
        sum.xx += y[0] * y[0], sum.xy += y[0] * y[1], sum.xz += y[0] * y[2];
        sum.yy += y[1] * y[1], sum.yz += y[1] * y[2], sum.zz += y[2] * y[2];
    }
    r->w[columns_at(a, a)] = sum.xx;
    r->w[columns_at(a + 1u, a)] = sum.xy;
    r->w[columns_at(a + 1u, a + 1u)] = sum.yy;
    v3_put(&r->w[columns_at(a + 2u, a)], v3(sum.xz, sum.yz, sum.zz));
}

// W = Y'Y: of the rows of contacts, three each, with these and with all others.
static void columns_contact_products(tac_work *w)
{
    tac_trees *r = trees_of(w);
    const uint16_t contacts = (uint16_t)(3 * w->program.contacts);
    for (uint16_t b = 0; b < contacts; b = (uint16_t)(b + 3)) {
        columns_product_own(r, b);
        columns_trace(r, b, 3, 1);
        for (uint16_t a = (uint16_t)(b + 3); a < contacts; a = (uint16_t)(a + 3)) { columns_product_contacts(r, b, a); }
        for (uint16_t a = contacts; a < r->rows + r->closers; a++) { columns_product_contact(r, b, a); }
        columns_trace(r, b, 3, 0);
    }
}

// Of the rows from `begin` on with each other, whose columns stand alone.
static void columns_products(tac_work *w, uint16_t begin)
{
    tac_trees *r = trees_of(w);
    for (uint16_t a = begin; a < r->rows + r->closers; a++) {
        columns_trace(r, a, 1, 1);
        for (uint16_t b = begin; b <= a; b++) { columns_product(r, a, b); }
        columns_trace(r, a, 1, 0);
    }
}

// ------------------------------------------------------------------------------------------------- rows that close
// Constraints of joints that close loops, of couplings, rods and bushings, and compliant efforts along their
// coordinates, are rows whose impulses l are not swept but follow from the others:
//      u_c + W_cb g + (W_cc + C) l = 0,      C the compliance of each row,
// so that W of the swept rows becomes W_bb - W_bc (W_cc + C)^-1 W_cb: one row after the other is eliminated. What is
// left of its row is kept, with its inverted pivot on the diagonal.

// The inverted pivot of a row, whose W was `whole` before rows were eliminated: 0 for one that does not act, and for a
// constraint that the rows before it hold already, so that its pivot is rounding.
static real columns_pivot(const tac_joint_block *k, int row, real pivot, real whole)
{
    const int constrains = k->constraints >> row & 1;
    const real slope = constrains ? R(0.0) : joint_slope(k), soft = constrains ? k->soft[row] : R(0.0);
    if (!constrains) { return slope > R(0.0) ? R(1.0) / (pivot + R(1.0) / slope) : R(0.0); }
    return pivot + soft > REDUCED_HELD * whole + REAL_EPSILON * k->w[row] ? R(1.0) / (pivot + soft) : R(0.0);
}

// One row is eliminated from those swept, from `begin` on, and from those behind it. One that does not act has no
// effect.
static void columns_eliminate(tac_work *w, uint16_t at, uint16_t begin)
{
    tac_trees *r = trees_of(w);
    const uint16_t of = r->closer[at], own = (uint16_t)(r->rows + at), end = (uint16_t)(r->rows + r->closers);
    real *row = &r->w[columns_at(own, 0)];
    row[own] = columns_pivot(&JOINT_LINK(w)[of / TAC_JOINT_ROWS], of % TAC_JOINT_ROWS, row[own], r->velocity[own]);
    r->redundant |= row[own] == R(0.0) && JOINT_LINK(w)[of / TAC_JOINT_ROWS].constraints >> of % TAC_JOINT_ROWS & 1;
    for (uint16_t i = begin; i < r->rows; i++) {
        real *to = &r->w[columns_at(i, 0)];
        const real part = row[own] * row[i];
        for (uint16_t j = begin; j <= i && part != R(0.0); j++) { to[j] -= part * row[j]; }
    }
    for (uint16_t i = (uint16_t)(own + 1); i < end; i++) {
        real *to = &r->w[columns_at(i, 0)];
        const real part = row[own] * to[own];
        for (uint16_t j = begin; j < r->rows && part != R(0.0); j++) { to[j] -= part * row[j]; }
        for (uint16_t j = i; j < end && part != R(0.0); j++) {
            r->w[columns_at(j, i)] -= part * r->w[columns_at(j, own)];
        }
    }
}

// W of each row before rows are eliminated, in velocity[]; of rows that close trees the largest of their joint. Where
// trees alone hold a coordinate its W is rounding of what it is without joints.
static void columns_measure_whole(tac_work *w)
{
    tac_trees *r = trees_of(w);
    for (uint16_t i = 0; i < r->rows + r->closers; i++) { r->velocity[i] = r->w[columns_at(i, i)]; }
    for (uint32_t i = 0; i < PROGRAM_JOINTS(w); i++) {
        const uint16_t row = r->row[i];
        if (row == TAC_NONE) { continue; }
        r->velocity[row] = real_max(r->velocity[row], REDUCED_HELD * JOINT_LINK(w)[i].w[JOINT_LAST]);
    }
    for (uint16_t i = 0; i < r->closers; i++) {
        for (uint16_t j = 0; j < r->closers; j++) {
            if (r->closer[i] / TAC_JOINT_ROWS != r->closer[j] / TAC_JOINT_ROWS) { continue; }
            const uint16_t at = (uint16_t)(r->rows + j);
            r->velocity[r->rows + i] = real_max(r->velocity[r->rows + i], r->w[columns_at(at, at)]);
        }
    }
}

// A swept row that is only rounding after that does not move: the joints together hold it, and W has no digits left.
static void columns_hold(tac_trees *r, uint16_t row)
{
    for (uint16_t i = 0; i < r->rows; i++) { r->w[columns_between(row, i)] = R(0.0); }
}

static void columns_eliminate_all(tac_work *w, uint16_t begin)
{
    tac_trees *r = trees_of(w);
    r->redundant = 0;
    if (r->closers == 0) { return; }
    columns_measure_whole(w);
    for (uint16_t i = 0; i < r->closers; i++) { columns_eliminate(w, i, begin); }
    for (uint16_t i = begin; i < r->rows; i++) {
        if (r->w[columns_at(i, i)] < REDUCED_ROUNDING * r->velocity[i]) { columns_hold(r, i); }
    }
}

// (W_cc + C)^-1 x, in place.
static void columns_close(const tac_trees *r, real *x)
{
    for (uint16_t i = 0; i < r->closers; i++) {
        const uint32_t own = (uint32_t)r->rows + i;
        const real part = r->w[columns_at(own, own)] * x[i];
        for (uint32_t j = i + 1u; j < r->closers; j++) { x[j] -= r->w[columns_at(r->rows + j, own)] * part; }
    }
    for (uint16_t i = r->closers; i-- > 0;) {
        const uint32_t own = (uint32_t)r->rows + i;
        for (uint32_t j = i + 1u; j < r->closers; j++) { x[i] -= r->w[columns_at(r->rows + j, own)] * x[j]; }
        x[i] *= r->w[columns_at(own, own)];
    }
}

// The block of W of each contact, through the joints of its bodies. Where joints block a direction W is zero and the
// impulse would be unbounded, so a part of W without joints is added.
static void columns_blocks(tac_work *w)
{
    tac_trees *r = trees_of(w);
    tac_block *k = w->scratch.solve.block;
    r->inverted = 0;
    r->fresh = 1;
    for (uint16_t row = 0; row < 3 * w->program.contacts; row = (uint16_t)(row + 3), k++) {
        r->w[columns_at(row, row)] += k->soft;
        const sym3 own = columns_block(r, row), bodies = k->w;
        k->w = (sym3){own.xx + REDUCED_LEAST * bodies.xx, own.xy, own.xz,
                      own.yy + REDUCED_LEAST * bodies.yy, own.yz, own.zz + REDUCED_LEAST * bodies.zz};
    }
}

// Their inverses, before the first sweep of a step.
static inline void columns_invert(tac_work *w)
{
    tac_block *k = w->scratch.solve.block;
    if (trees_of(w)->inverted) { return; }
    trees_of(w)->inverted = 1;
    phase_take_blocks(w, TAC_BLOCKS_SWEEP);
    for (const tac_block *end = k + w->program.contacts; k < end; k++) { rows_sweep(k); }
}

#endif
