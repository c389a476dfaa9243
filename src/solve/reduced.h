// SPDX-License-Identifier: MIT
// reduced.h - joints eliminated, contacts swept: Gauss-Seidel with momentum on the few rows that may change sides.
//   given   contacts, blocks, trees of joints
//   makes   better impulses, first of contacts and bounded coordinates, then of the joints that must follow
//   bound   rows (rows + depth of the trees) once a step; rows^2 a sweep, and as much for a leap, once in
//           ACCELERATED_ALIKE sweeps; a solution when the joints follow
//   never   sweeps over joints: however long a chain is, a foot feels all of it at once
#ifndef SOLVE_REDUCED_H
#define SOLVE_REDUCED_H

#include "articulated.h"

#if TAC_MAX_JOINTS > 0

// With A the operator of articulated.h, what is always in force in it (constraints, springs, motors without bounds),
// the velocities of the other rows are
//      u = u_0 + W dg,     W = D' A^-1 D = Y'Y,
// where a column of Y is what its row does along each free motion between its body and the root, (s'R)/sqrt(d), and on
// the root. Contacts are rows 3 i to 3 i + 2, then come the coordinates.
#define REDUCED_CLOSE R(0.1)                                    // part of the tolerance at which the joints follow,
#define REDUCED_LOOK 16                                         // or after so many sweeps
#define REDUCED_LEAST (TAC_REAL_BITS == 32 ? R(1e-4) : R(1e-6)) // part of W without joints that a row has at least

// ------------------------------------------------------------------------------------------------------------- rows

// May the box change sides?
static int reduced_bounds(const tac_box *x)
{
    return x->used && (x->hard || x->lo > -REAL_LARGEST || x->hi < REAL_LARGEST);
}

// Where the impulse of a box lies among those of all rows.
static uint32_t reduced_row_of(const tac_joint_block *k, int box)
{
    return k->first + (uint32_t)(TAC_JOINT_ROWS + box);
}

// Boxes without bounds are always in force.
static void reduced_insides(const tac_model *m, tac_work *w)
{
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
        for (int b = 0; b < TAC_BOXES; b++) {
            tac_box *x = &JOINT_LINK(w)[i].box[b];
            x->inside = x->used && !reduced_bounds(x);
        }
    }
}

// Numbers the rows, so many for each contact. Returns 0 if they are too many.
static int reduced_number(const tac_model *m, tac_work *w, uint32_t each)
{
    tac_reduced *r = reduced_of(w);
    uint32_t rows = each * w->report.contacts;
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
        int bounded = 0;
        for (int b = 0; b < TAC_BOXES; b++) { bounded |= reduced_bounds(&JOINT_LINK(w)[i].box[b]); }
        r->row[i] = bounded ? (uint16_t)rows : TAC_NONE;
        rows += (uint32_t)bounded;
    }
    r->rows = (uint16_t)rows;
    return rows <= TAC_MAX_REDUCED;
}

// A row of D' at one of its bodies.
static void reduced_seed(tac_work *w, uint16_t row, uint16_t body, vec3 linear, vec3 angular)
{
    tac_limb *b = &reduced_of(w)->limb[body];
    real x[6];
    if (!joint_moves(w, body)) { return; }
    limb_force(b, linear, angular, x);
    limb_add((real *)&w->scratch.solve.step[body], R(1.0), x);
    b->mark = row;
}

static int reduced_put(tac_reduced *r, uint16_t row, uint32_t index, real y)
{
    if (r->first[row + 1] >= TAC_MAX_REACH) { return 0; }
    r->reach[r->first[row + 1]++] = (tac_reach){y, (uint16_t)index};
    return 1;
}

// A column of Y from the row that has been put into step[], which is left zero. Of a free motion s'R is kept, d stays
// with the limb. Returns 0 if there is no room.
static int reduced_reach(tac_work *w, uint16_t row)
{
    tac_reduced *r = reduced_of(w);
    int room = 1;
    r->first[row + 1] = r->first[row];
    for (uint16_t at = r->limbs; at-- > 0;) {
        const uint16_t self = r->order[at];
        const tac_limb *b = &r->limb[self];
        real *x = (real *)&w->scratch.solve.step[self];
        if (b->mark != row) { continue; }
        for (int i = 0; i < b->axes; i++) {
            const real y = six_dot(b->s[i], x);
            limb_add(x, -b->inv_d[i] * y, b->u[i]);
            room &= reduced_put(r, row, 6u * self + (uint32_t)i, y);
        }
        if (b->joint == TAC_NONE) {
            six_forward(b->inertia, x);
            for (uint32_t i = 0; i < 6; i++) { room &= reduced_put(r, row, 6u * self + i, x[i]); }
        } else if (b->parent != TAC_NONE) {
            limb_add((real *)&w->scratch.solve.step[b->parent], R(1.0), x);
            r->limb[b->parent].mark = row;
        }
        reals_clear(x, sizeof(tac_twist));
    }
    return room;
}

static int reduced_columns(const tac_model *m, tac_work *w, int each)
{
    tac_reduced *r = reduced_of(w);
    uint16_t row = 0;
    int room = 1;
    reals_clear(w->scratch.solve.step, m->bodies * sizeof(tac_twist));
    for (uint16_t at = 0; at < r->limbs; at++) { r->limb[r->order[at]].mark = TAC_NONE; }
    r->first[0] = 0;
    const tac_block *k = w->scratch.solve.block;
    for (const tac_contact *c = w->contact; c < w->contact + w->report.contacts; c++, k++) {
        for (int i = 0; i < each; i++, row++) {
            const vec3 axis = rows_frame(c)[i];
            reduced_seed(w, row, c->body_a, v3_scale(R(-1.0), axis), k->j[0][i]);
            reduced_seed(w, row, c->body_b, axis, k->j[1][i]);
            room &= reduced_reach(w, row);
        }
    }
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
        const tac_row *last = &JOINT_LINK(w)[i].row[JOINT_LAST];
        if (r->row[i] == TAC_NONE) { continue; }
        reduced_seed(w, row, JOINT_OF(m)[i].body_a, v3_scale(R(-1.0), last->linear), last->angular[0]);
        reduced_seed(w, row, JOINT_OF(m)[i].body_b, last->linear, last->angular[1]);
        room &= reduced_reach(w, row++);
    }
    return room;
}

// W, row by row: a column laid out in step[], over d, against each column before it.
static void reduced_products(tac_work *w)
{
    tac_reduced *r = reduced_of(w);
    real *y = (real *)w->scratch.solve.step;
    for (uint16_t row = 0; row < r->rows; row++) {
        const tac_reach *own = &r->reach[r->first[row]], *end = &r->reach[r->first[row + 1]];
        for (const tac_reach *e = own; e < end; e++) {
            const tac_limb *b = &r->limb[e->index / 6];
            y[e->index] = b->joint != TAC_NONE ? b->inv_d[e->index % 6] * e->y : e->y;
        }
        for (uint16_t other = 0; other <= row; other++) {
            real sum = R(0.0);
            for (const tac_reach *e = &r->reach[r->first[other]]; e < &r->reach[r->first[other + 1]]; e++) {
                sum += y[e->index] * e->y;
            }
            r->w[row][other] = r->w[other][row] = sum;
        }
        for (const tac_reach *e = own; e < end; e++) { y[e->index] = R(0.0); }
    }
}

// What the sweeps need of each block: with all that hangs on its bodies. Where joints hold these still an impulse would
// be without bound.
static void reduced_blocks(tac_work *w)
{
    const tac_reduced *r = reduced_of(w);
    tac_block *k = w->scratch.solve.block;
    for (uint16_t row = 0; row < 3 * w->report.contacts; row = (uint16_t)(row + 3), k++) {
        const real *n = &r->w[row][row], *u = &r->w[row + 1][row], *v = &r->w[row + 2][row];
        k->w = (sym3){n[0] + REDUCED_LEAST * k->w.xx, n[1], n[2],
                      u[1] + REDUCED_LEAST * k->w.yy, u[2], v[2] + REDUCED_LEAST * k->w.zz};
        rows_sweep(k);
    }
}

// Trees, rows and W of this step. Returns 0 if there is no room, or more than this can do: a contact that resists
// rolling has six rows, which are left to Newton's method.
static int reduced_make(const tac_model *m, const tac_state *s, tac_work *w)
{
    for (const tac_contact *c = w->contact; c < w->contact + w->report.contacts; c++) {
        if (resists(c)) { return 0; }
    }
    reduced_insides(m, w);
    if (!reduced_number(m, w, 3) || !articulated_order(m, w)) { return 0; }
    articulated_factor(m, w, s->pose);
    if (!reduced_columns(m, w, 3)) { return 0; }
    reduced_products(w);
    reduced_blocks(w);
    return 1;
}

// W of normals and coordinates alone, of trees that are factored. Returns 0 if there is no room.
static int reduced_normals(const tac_model *m, tac_work *w)
{
    if (!reduced_number(m, w, 1) || !reduced_columns(m, w, 1)) { return 0; }
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
static void reduced_push(const tac_work *w, const tac_contact *c, const tac_block *k, vec3 g, tac_twist *impulse)
{
    const vec3 linear = v3_combine(rows_frame(c), g);
    reduced_force(w, c->body_a, v3_scale(R(-1.0), linear), v3_combine(k->j[0], g), impulse);
    reduced_force(w, c->body_b, linear, v3_combine(k->j[1], g), impulse);
}

// The same along the coordinate of a joint.
static void reduced_drive(const tac_work *w, const tac_joint *j, const tac_joint_block *k, real g, tac_twist *impulse)
{
    const tac_row *r = &k->row[JOINT_LAST];
    const vec3 linear = v3_scale(g, r->linear);
    reduced_force(w, j->body_a, v3_scale(R(-1.0), linear), v3_scale(g, r->angular[0]), impulse);
    reduced_force(w, j->body_b, linear, v3_scale(g, r->angular[1]), impulse);
}

// ---------------------------------------------------------------------------------------------------------- the joints

// How far v is from what bodies and joints ask for: M (gain - v), J v + b.
static void reduced_lack(const tac_model *m, tac_work *w)
{
    const tac_reduced *r = reduced_of(w);
    tac_twist *step = w->scratch.solve.step;
    reals_clear(step, (m->bodies + JOINT_COUNT(m)) * sizeof *step);
    for (uint16_t at = 0; at < r->limbs; at++) {
        const uint16_t i = r->order[at];
        const tac_twist *v = &w->previous[i], *g = &w->gain[i];
        step[i].v = v3_scale(m->body[i].mass, v3_sub(g->v, v->v));
        step[i].w = v3_mul(m->body[i].inertia, v3_sub(g->w, v->w));
    }
    joints_lack(m, w, step);
}

// Boxes that are always in force have the impulses that belong to the velocities v.
static void reduced_soft(const tac_model *m, tac_work *w)
{
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
        const tac_joint_block *k = &JOINT_LINK(w)[i];
        for (int b = 0; b < TAC_BOXES; b++) {
            const tac_box *x = &k->box[b];
            if (!x->inside) { continue; }
            const real u = joint_rate(&JOINT_OF(m)[i], k, w->previous, JOINT_LAST);
            w->scratch.solve.g[reduced_row_of(k, b)] = x->centre - x->weight * u;
        }
    }
}

// Joints and what is always in force follow the impulses: v and the joints' impulses with which their equations hold.
static void reduced_follow(const tac_model *m, tac_work *w)
{
    const tac_reduced *r = reduced_of(w);
    tac_twist *step = w->scratch.solve.step;
    gain_afresh(m, w);
    reduced_lack(m, w);
    articulated_solve(m, w, step);
    for (uint16_t at = 0; at < r->limbs; at++) {
        const uint16_t i = r->order[at];
        w->previous[i].v = v3_add(w->previous[i].v, step[i].v);
        w->previous[i].w = v3_add(w->previous[i].w, step[i].w);
    }
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
        const tac_joint_block *k = &JOINT_LINK(w)[i];
        const real *x = (const real *)&step[joint_node(m, i)];
        real *g = &w->scratch.solve.g[k->first];
        for (int row = 0; row < TAC_JOINT_ROWS; row++) {
            if (k->constraints >> row & 1) { g[row] += x[row]; }
        }
    }
    reduced_soft(m, w);
}

// ----------------------------------------------------------------------------------------------------------- sweeps

// Velocities of the rows at v.
static void reduced_look(const tac_model *m, tac_work *w)
{
    tac_reduced *r = reduced_of(w);
    const tac_block *k = w->scratch.solve.block;
    real *u = r->velocity;
    for (const tac_contact *c = w->contact; c < w->contact + w->report.contacts; c++, k++) {
        const vec3 at = rows_velocity(c, k, w->previous);
        *u++ = at.x, *u++ = at.y, *u++ = at.z;
    }
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
        if (r->row[i] != TAC_NONE) { *u++ = joint_rate(&JOINT_OF(m)[i], &JOINT_LINK(w)[i], w->previous, JOINT_LAST); }
    }
    for (uint16_t i = 0; i < r->rows; i++) { r->last[i] = r->velocity[i]; }
}

// velocity += W dg, for one row.
static void reduced_apply(tac_reduced *r, uint32_t row, real change)
{
    for (uint16_t i = 0; i < r->rows; i++) { r->velocity[i] += r->w[row][i] * change; }
}

// `swing` sums how far what a sweep changes goes on as the last change did; below zero it takes it back.
static void reduced_sweep_coordinates(const tac_model *m, tac_work *w, joint_progress *sum, real *swing)
{
    tac_reduced *r = reduced_of(w);
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
        const uint16_t row = r->row[i];
        const tac_joint_block *k = &JOINT_LINK(w)[i];
        for (int b = 0; row != TAC_NONE && b < TAC_BOXES; b++) {
            const tac_box *x = &k->box[b];
            if (!reduced_bounds(x)) { continue; }
            const uint32_t at = reduced_row_of(k, b);
            real *g = &w->scratch.solve.g[at], *last = &w->scratch.solve.last[at];
            const real change = *g - *last, y = *g + w->progress.beta * change;
            const real weight = r->w[row][row] + REDUCED_LEAST * k->w[JOINT_LAST];
            reduced_apply(r, row, joint_box_visit(x, g, last, y, r->velocity[row] + x->bias, weight, sum));
            *swing += weight * change * (*g - *last);
        }
    }
}

// One contact alone, as accelerated_local(), but solved first: W of a limb may be far from round. Where rounding spoils
// that, the steps go on from y.
static vec3 reduced_local(const tac_block *k, real mu, vec3 y, vec3 u, int exact)
{
    if (cone_contains(v3_sub(y, sym3_mul(&k->own.sweep.inv_w, u)), mu)) {
        return accelerated_local(k, mu, y, u, exact);
    }
    const vec3 x = local_three(&k->w, mu, y, u, exact), at = v3_add(u, sym3_mul(&k->w, v3_sub(x, y)));
    const vec3 left = plain_natural(k, mu, x, at, exact), before = plain_natural(k, mu, y, u, exact);
    const int better = v3_dot(left, left) < v3_dot(before, before);
    return accelerated_local(k, mu, better ? x : y, better ? at : u, exact);
}

// velocity += W dg, for the rows of a contact.
static void reduced_apply_contact(tac_reduced *r, uint32_t row, vec3 change)
{
    if (change.x != R(0.0)) { reduced_apply(r, row, change.x); }
    if (change.y != R(0.0)) { reduced_apply(r, row + 1, change.y); }
    if (change.z != R(0.0)) { reduced_apply(r, row + 2, change.z); }
}

// As accelerated_look() for a coordinate, which may meet either bound.
static void reduced_look_coordinate(accelerated_drift *s, const tac_box *x, real g, real d, real weight, real made)
{
    s->energy += d * made;
    s->alone += weight * d * d;
    s->size += weight * g * g;
    if (d < R(0.0) && x->lo > -REAL_LARGEST) { accelerated_bound(s, g, x->lo, d); }
    if (d > R(0.0) && x->hi < REAL_LARGEST) { accelerated_bound(s, g, x->hi, d); }
}

static accelerated_drift reduced_drift(const tac_model *m, tac_work *w)
{
    const tac_reduced *r = reduced_of(w);
    accelerated_drift s = {R(0.0), R(0.0), R(0.0), REAL_LARGEST};
    const tac_block *k = w->scratch.solve.block;
    const real *now = r->velocity, *last = r->last;
    for (uint32_t i = 0; i < w->report.contacts; i++, k++, now += 3, last += 3) {
        accelerated_look(&s, w, k, v3(now[0] - last[0], now[1] - last[1], now[2] - last[2]));
    }
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
        const uint16_t row = r->row[i];
        for (int b = 0; row != TAC_NONE && b < TAC_BOXES; b++) {
            const tac_box *x = &JOINT_LINK(w)[i].box[b];
            const uint32_t at = reduced_row_of(&JOINT_LINK(w)[i], b);
            const real g = w->scratch.solve.g[at], d = g - w->scratch.solve.last[at],
                       made = r->velocity[row] - r->last[row];
            if (reduced_bounds(x)) { reduced_look_coordinate(&s, x, g, d, r->w[row][row], made); }
        }
    }
    return s;
}

// As accelerated_leap(), on W: what bodies of one tree share they do not lean on each other with.
static void reduced_leap(const tac_model *m, tac_work *w)
{
    tac_reduced *r = reduced_of(w);
    const accelerated_drift s = reduced_drift(m, w);
    if (!accelerated_leaps(&s)) { return; }
    const tac_block *k = w->scratch.solve.block;
    uint32_t row = 0;
    for (const tac_contact *c = w->contact; c < w->contact + w->report.contacts; c++, k++, row += 3) {
        reduced_apply_contact(r, row, accelerated_land(w, c, k, s.most));
    }
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
        for (int b = 0; r->row[i] != TAC_NONE && b < TAC_BOXES; b++) {
            const tac_box *x = &JOINT_LINK(w)[i].box[b];
            if (!reduced_bounds(x)) { continue; }
            const uint32_t at = reduced_row_of(&JOINT_LINK(w)[i], b);
            real *g = &w->scratch.solve.g[at];
            const real last = *g;
            *g = real_clamp(last + s.most * (last - w->scratch.solve.last[at]), x->lo, x->hi);
            w->scratch.solve.last[at] = *g;
            reduced_apply(r, r->row[i], *g - last);
        }
    }
    reals_copy(r->last, r->velocity, r->rows * sizeof *r->last);
    accelerated_rest(&w->progress);
}

// As accelerated_sweep(), but that momentum rests as well where a sweep takes back what the one before has changed. The
// exact law makes sweeps swing about their solution where a sliding contact's friction moves its own normal by the
// joints: a mode of factor -0.4 shrinks without momentum and grows with it, and no step turns against momentum there.
static real reduced_sweep(const tac_model *m, tac_work *w, int exact)
{
    tac_progress *p = &w->progress;
    tac_reduced *r = reduced_of(w);
    joint_progress sum = {R(0.0), R(0.0)};
    real swing = R(0.0);
    if (accelerated_drifts(p)) { reduced_leap(m, w); }
    accelerated_extrapolate(r->velocity, r->last, r->rows, p->beta);
    reduced_sweep_coordinates(m, w, &sum, &swing);
    const tac_block *k = w->scratch.solve.block;
    uint32_t row = 0;
    for (const tac_contact *c = w->contact; c < w->contact + w->report.contacts; c++, k++, row += 3) {
        const real *now = &w->scratch.solve.g[k->first];
        const vec3 last = v3_sub(v3_of(now), v3_of(&w->scratch.solve.last[k->first]));
        const vec3 y = v3_madd(v3_of(now), p->beta, last);
        const vec3 u = v3(r->velocity[row], r->velocity[row + 1], r->velocity[row + 2]);
        reduced_apply_contact(r, row, accelerated_take(w, k, y, reduced_local(k, c->mu, y, u, exact), &sum));
        swing += plain_weight(k) * v3_dot(last, v3_sub(v3_of(now), v3_of(&w->scratch.solve.last[k->first])));
    }
    accelerated_momentum(p, sum.turn);
    if (swing < R(0.0)) { accelerated_rest(p); }
    accelerated_count(p, real_sqrt(sum.moved));
    return p->pace;
}

#endif

#endif
