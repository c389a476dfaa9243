// SPDX-License-Identifier: MIT
// continuation.h - Newton's method on the dense W of trees, along proximal terms that shrink.
//   given   W of the swept rows, u_0, the best impulses so far
//   makes   better impulses in their sets, and the velocities of the rows that belong to them
//   bound   rows^3/3 + 6 rows^2 multiplications a step: a general matrix of at most TAC_MAX_REDUCED rows
//   never   leaves an impulse outside its set: the iterate may be outside, what it shows is its projection
#ifndef ENGINE_CONTINUATION_H
#define ENGINE_CONTINUATION_H

#include "../base/lu.h"
#include "coordinate.h"
#include "sweep.h"

// Where wheels or feet share a load, W is singular, and which contacts open or slide hangs on velocities far below the
// residual: Newton's method jumps between such choices, and sweeps move on by these velocities over d. With a proximal
// term there is one choice, which changes continuously with eps:
//      u_eps = W x + u_0 + eps d (x - c),     c the centre, d_i = trace(W_ii)/3
// The program is followed from a large eps to a small one. Where the rest of its equations is no longer larger than the
// term itself, the centre moves to x and eps is cut. A small eps leaves eps of the residual, and rounding over eps.
// The equations are those of Coulomb's law by itself, with z = x - u_eps/d (Alart and Curnier):
//      z_n <= 0           opens     x = 0
//      |z_T| < mu z_n     sticks    u = 0
//      else               slides    u_n = 0,   x_T = mu z_n t,   t = z_T/|z_T|
// A sliding contact is linearised along (1, mu t), where x_T = mu x_n t is satisfied at once, and along c normal to t,
//      (1 - k) d/k c.dx + c.du = -(c.u) - (1 - k) d/k (c.x),     k = mu z_n/|z_T|
// Under the relaxed law u_n is less by mu |u_T|.
#define CONTINUATION_FIRST R(0.01)                                   // eps at first
#define CONTINUATION_MOST R(1.0)                                     // largest eps
#define CONTINUATION_CUT R(0.1)                                      // factor of a cut
#define CONTINUATION_LEAST (TAC_REAL_BITS == 32 ? R(1e-5) : R(1e-8)) // least eps
#define CONTINUATION_PATIENCE 8 // steps around a centre: more of them go in a circle

static tac_continuation *continuation_of(tac_work *w)
{
    return &trees_of(w)->continuation;
}

static tac_continuation_equations *continuation_equations(tac_work *w)
{
    return &trees_of(w)->room.equations;
}

// The iterate x.
static real *continuation_at(tac_work *w, uint32_t row)
{
    return &w->scratch.solve.last[row];
}

// u = u_0 + W g
static void continuation_velocity(const tac_work *w, const real *g, real *u)
{
    const tac_trees *r = JOINT_TREES(w);
    uint32_t row = 0;
    reals_copy(u, r->free, r->rows * sizeof *u);
    for (const tac_block *k = w->scratch.solve.block, *end = k + w->program.contacts; k < end; k++, row += 3) {
        trees_change_contact(r, row, v3_of(&g[k->first]), u);
    }
    for (uint32_t i = 0; i < trees_coordinates(w); i++) {
        if (r->row[i] != TAC_NONE) { trees_change(r, r->row[i], coordinate_sum(&JOINT_LINK(w)[i], g), u); }
    }
}

// u_0 from the velocities that bodies have by the impulses in force. The sum u_0 + W g differs from these by the
// rounding of W g, which no step of the method sees, and which may be more than is allowed.
static void continuation_refer(tac_work *w)
{
    tac_trees *r = trees_of(w);
    continuation_velocity(w, w->scratch.solve.g, r->last);
    for (uint32_t i = 0; i < r->rows; i++) { r->free[i] += r->velocity[i] - r->last[i]; }
}

// The centre moves to the iterate.
static void continuation_centre(tac_work *w, real eps)
{
    real *centre = continuation_of(w)->centre;
    for (const tac_block *k = w->scratch.solve.block, *end = k + w->program.contacts; k < end; k++, centre += 3) {
        v3_put(centre, v3_of(continuation_at(w, k->first)));
    }
    w->progress.proximal = eps;
}

// Starts from the best impulses, with this eps.
static void continuation_begin(tac_work *w, real eps)
{
    iterate_copy(w, w->scratch.solve.last, w->scratch.solve.best);
    continuation_centre(w, eps);
    continuation_of(w)->steps = 0;
}

// With the first eps.
static void continuation_enter(tac_work *w)
{
    continuation_of(w)->least = CONTINUATION_LEAST;
    continuation_begin(w, CONTINUATION_FIRST);
}

// The proximal term of a contact.
static vec3 continuation_term(const tac_work *w, const tac_block *k, uint32_t row)
{
    const real *centre = &JOINT_TREES(w)->continuation.centre[row];
    const vec3 way = v3_sub(v3_of(&w->scratch.solve.last[k->first]), v3_of(centre));
    return v3_scale(w->progress.proximal * cone_weight(&k->w), way);
}

// d of a coordinate.
static real continuation_weight(const tac_trees *r, const tac_joint_block *k, uint32_t row)
{
    return r->w[columns_at(row, row)] + REDUCED_LEAST * k->w[JOINT_LAST];
}

// Is the rest of the equations at u no larger than the proximal term?
static int continuation_settled(const tac_work *w, const real *u, int exact)
{
    const tac_trees *r = JOINT_TREES(w);
    real inner = R(0.0), outer = R(0.0);
    uint32_t row = 0;
    for (const tac_block *k = w->scratch.solve.block, *end = k + w->program.contacts; k < end; k++, row += 3) {
        const vec3 term = continuation_term(w, k, row), at = v3_add(v3_of(&u[row]), term);
        const vec3 map = cone_natural(cone_weight(&k->w), k->mu, v3_of(&w->scratch.solve.last[k->first]), at, exact);
        inner += v3_dot(map, map);
        outer += v3_dot(term, term);
    }
    for (uint32_t i = 0; i < trees_coordinates(w); i++) {
        const tac_joint_block *k = &JOINT_LINK(w)[i];
        if (r->row[i] == TAC_NONE) { continue; }
        const real d = continuation_weight(r, k, r->row[i]), sum = coordinate_sum(k, w->scratch.solve.last);
        const real map = d * (sum - coordinate_solve(k, sum, u[r->row[i]], R(1.0) / d).sum);
        inner += map * map;
    }
    return inner <= outer;
}

// An unknown: x changes along `right`, and left.u is to vanish with `more` of the change and what is in its right side.
static void continuation_add(tac_continuation_equations *c, uint32_t row, uint32_t at, vec3 left, vec3 right, real more,
                             real side)
{
    c->rhs[c->ways] = side;
    c->normal[c->ways] = right.x > R(0.0);
    c->way[c->ways++] = (tac_way){{left.y, left.z}, {right.y, right.z}, more, (uint16_t)row, (uint16_t)at};
}

// Of a contact that sticks.
static void continuation_stick(tac_continuation_equations *c, const tac_block *k, uint32_t row, vec3 left)
{
    const vec3 n = {R(1.0), R(0.0), R(0.0)}, u = {R(0.0), R(1.0), R(0.0)}, v = {R(0.0), R(0.0), R(1.0)};
    continuation_add(c, row, k->first, left, n, R(0.0), R(0.0));
    continuation_add(c, row, k->first, u, u, R(0.0), R(0.0));
    continuation_add(c, row, k->first, v, v, R(0.0), R(0.0));
}

// Of one that slides. Returns the change along t; without friction also that across.
static vec3 continuation_slide(tac_continuation_equations *c, const tac_block *k, uint32_t row, vec3 left, vec3 x,
                               vec3 z)
{
    const real size = real_sqrt(z.y * z.y + z.z * z.z), part = size > R(0.0) ? k->mu * z.x / size : R(0.0);
    const vec3 t = size > R(0.0) ? v3(R(0.0), z.y / size, z.z / size) : v3(R(0.0), R(1.0), R(0.0));
    const vec3 across = v3(R(0.0), -t.z, t.y), change = v3_scale(k->mu * x.x - v3_dot(t, x), t);
    const real side = v3_dot(across, x), more = (R(1.0) - part) * cone_weight(&k->w) / part;
    continuation_add(c, row, k->first, left, v3(R(1.0), k->mu * t.y, k->mu * t.z), R(0.0), R(0.0));
    if (!(part > REAL_EPSILON)) { return v3_madd(change, -side, across); }
    continuation_add(c, row, k->first, across, across, more, -more * side);
    return change;
}

// The unknowns of a contact at u, which contains the proximal term. Returns the part of the change that is known.
static vec3 continuation_contact(tac_work *w, const tac_block *k, uint32_t row, vec3 u, int exact)
{
    const vec3 x = v3_of(continuation_at(w, k->first));
    const real d = cone_weight(&k->w), speed = real_sqrt(u.y * u.y + u.z * u.z);
    const real slope = exact || speed == R(0.0) ? R(0.0) : -k->mu / speed;
    const vec3 left = v3(R(1.0), slope * u.y, slope * u.z), z = v3_madd(x, R(-1.0) / d, v3(v3_dot(left, u), u.y, u.z));
    const real rim = k->mu * z.x;
    if (!(z.x > R(0.0))) { return v3_scale(R(-1.0), x); }
    if (!(z.y * z.y + z.z * z.z < rim * rim)) {
        return continuation_slide(continuation_equations(w), k, row, left, x, z);
    }
    continuation_stick(continuation_equations(w), k, row, left);
    return V3_ZERO;
}

// The unknown of a coordinate at the rate u, whose efforts are one law: their sum. None where joints hold it
// at the rate at which an effort would.
static real continuation_coordinate(tac_work *w, const tac_joint_block *k, uint32_t row, real u)
{
    tac_continuation_equations *c = continuation_equations(w);
    const vec3 one = v3(R(1.0), R(0.0), R(0.0));
    const real d = continuation_weight(JOINT_TREES(w), k, row), sum = coordinate_sum(k, w->scratch.solve.last);
    const coordinate_point at = coordinate_solve(k, sum, u, R(1.0) / d);
    const uint32_t first = coordinate_first(k);
    if (at.held) {
        const int moves = JOINT_TREES(w)->w[columns_at(row, row)] > R(0.0);
        if (moves) { continuation_add(c, row, first, one, one, w->progress.proximal * d, at.rate); }
        return R(0.0);
    }
    if (!(at.slope > R(0.0))) { return at.sum - sum; }
    const real more = R(1.0) / at.slope;
    continuation_add(c, row, first, one, one, more + w->progress.proximal * d, more * (at.sum - sum) + at.rate);
    return R(0.0);
}

// All unknowns at u; what is known of the change is made, and `next` is u after it.
static void continuation_unknowns(tac_work *w, const real *u, real *next, int exact)
{
    tac_trees *r = trees_of(w);
    uint32_t row = 0;
    phase_take_room(r, TAC_ROOM_EQUATIONS);
    continuation_equations(w)->ways = 0;
    reals_copy(next, u, r->rows * sizeof *u);
    for (const tac_block *k = w->scratch.solve.block, *end = k + w->program.contacts; k < end; k++, row += 3) {
        const vec3 at = v3_add(v3_of(&u[row]), continuation_term(w, k, row));
        const vec3 change = continuation_contact(w, k, row, at, exact);
        real *x = continuation_at(w, k->first);
        v3_put(x, v3_add(v3_of(x), change));
        trees_change_contact(r, row, change, next);
    }
    for (uint32_t i = 0; i < trees_coordinates(w); i++) {
        const tac_joint_block *k = &JOINT_LINK(w)[i];
        if (r->row[i] == TAC_NONE) { continue; }
        const real change = continuation_coordinate(w, k, r->row[i], u[r->row[i]]);
        *continuation_at(w, coordinate_first(k)) += change;
        trees_change(r, r->row[i], change, next);
    }
}

static vec3 continuation_left(const tac_continuation_equations *c, uint32_t i)
{
    return v3(c->normal[i] ? R(1.0) : R(0.0), c->way[i].left[0], c->way[i].left[1]);
}

static vec3 continuation_right(const tac_continuation_equations *c, uint32_t i)
{
    return v3(c->normal[i] ? R(1.0) : R(0.0), c->way[i].right[0], c->way[i].right[1]);
}

// The contact of an unknown; NULL for a coordinate.
static const tac_block *continuation_block(const tac_work *w, const tac_way *y)
{
    return y->row < 3 * w->program.contacts ? &w->scratch.solve.block[y->row / 3] : NULL;
}

// left.u of an unknown.
static real continuation_product(const tac_work *w, const tac_continuation_equations *c, uint32_t i, const real *u)
{
    const real *own = &u[c->way[i].row];
    return continuation_block(w, &c->way[i]) ? v3_dot(continuation_left(c, i), v3_of(own)) : *own;
}

// Right sides at u, which is without the proximal terms.
static void continuation_sides(tac_work *w, const real *u)
{
    tac_continuation_equations *c = continuation_equations(w);
    for (uint32_t i = 0; i < c->ways; i++) {
        const tac_way *y = &c->way[i];
        const tac_block *k = continuation_block(w, y);
        c->rhs[i] -= continuation_product(w, c, i, u);
        if (k) { c->rhs[i] -= v3_dot(continuation_left(c, i), continuation_term(w, k, y->row)); }
    }
}

// The matrix, column by column; `column` is room for the velocities that a change of one unknown makes.
static void continuation_matrix(tac_work *w, real *column)
{
    tac_continuation_equations *c = continuation_equations(w);
    const tac_trees *r = trees_of(w);
    for (uint32_t j = 0; j < c->ways; j++) {
        const tac_way *y = &c->way[j];
        const tac_block *k = continuation_block(w, y);
        reals_clear(column, r->rows * sizeof *column);
        if (k) {
            const real term = w->progress.proximal * cone_weight(&k->w);
            trees_change_contact(r, y->row, continuation_right(c, j), column);
            v3_put(&column[y->row], v3_madd(v3_of(&column[y->row]), term, continuation_right(c, j)));
        } else {
            trees_change(r, y->row, R(1.0), column);
        }
        for (uint32_t i = 0; i < c->ways; i++) { c->matrix[i * c->ways + j] = continuation_product(w, c, i, column); }
        c->matrix[j * c->ways + j] += y->more;
    }
}

// The iterate moves by the solution.
static void continuation_move(tac_work *w)
{
    const tac_continuation_equations *c = continuation_equations(w);
    for (uint32_t i = 0; i < c->ways; i++) {
        const tac_way *y = &c->way[i];
        real *x = continuation_at(w, y->at);
        if (continuation_block(w, y)) {
            v3_put(x, v3_madd(v3_of(x), c->rhs[i], continuation_right(c, i)));
        } else {
            *x += c->rhs[i];
        }
    }
}

// The impulses in force: the iterate, projected.
static void continuation_show(tac_work *w)
{
    real *g = w->scratch.solve.g;
    for (const tac_block *k = w->scratch.solve.block, *end = k + w->program.contacts; k < end; k++) {
        v3_put(&g[k->first], cone_project(v3_of(continuation_at(w, k->first)), k->mu, R(1.0), R(1.0)));
    }
    for (uint32_t i = 0; i < trees_coordinates(w); i++) {
        const tac_joint_block *k = &JOINT_LINK(w)[i];
        if (trees_of(w)->row[i] == TAC_NONE) { continue; }
        const coordinate_point at = coordinate_solve(k, coordinate_sum(k, w->scratch.solve.last), R(0.0), R(0.0));
        coordinate_put(k, &at, g);
    }
    continuation_velocity(w, g, trees_of(w)->velocity);
}

// The next centre. Where the iterate stays far from its solution, Newton's method goes in a circle, as sets of contacts
// that open, stick and slide follow each other: the path goes on from the best impulses, with an eps at which it has
// not.
static void continuation_next(tac_work *w, int settled)
{
    tac_continuation *c = continuation_of(w);
    const real eps = w->progress.proximal;
    if (settled) {
        continuation_centre(w, real_max(CONTINUATION_CUT * eps, c->least));
        c->steps = 0;
    } else if (c->steps++ == CONTINUATION_PATIENCE) {
        c->least = real_min(eps / CONTINUATION_CUT, CONTINUATION_MOST);
        continuation_begin(w, c->least);
        continuation_velocity(w, w->scratch.solve.last, trees_of(w)->last);
    }
}

// One step of Newton's method. Where its matrix is singular, the path begins again at the best impulses.
static void continuation_step(tac_work *w, int exact)
{
    tac_continuation_equations *c = continuation_equations(w);
    tac_trees *r = trees_of(w);
    continuation_velocity(w, w->scratch.solve.last, r->last);
    continuation_next(w, continuation_settled(w, r->last, exact));
    continuation_unknowns(w, r->last, r->velocity, exact);
    continuation_sides(w, r->velocity);
    continuation_matrix(w, r->last);
    if (lu_solve(c->matrix, c->rhs, c->ways)) {
        continuation_move(w);
    } else {
        continuation_enter(w);
    }
    continuation_show(w);
}

#endif
