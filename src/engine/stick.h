// SPDX-License-Identifier: MIT
// stick.h - over trees, contacts that stick or are open and the efforts of coordinates: one dense linear system.
//   given   W and the velocities of the rows over trees, impulses of the last step
//   makes   impulses in their sets at which no contact that bears a force moves and each coordinate has its rate; where
//           coordinates have rows, or contacts are open, also the velocities of the rows
//   bound   rows^3/6 + 2 rows^2 products a round
//   never   is tried where a contact is near the boundary of its cone and may slide; judges its result. Impulses of
//           redundant rows stay as they were
#ifndef ENGINE_STICK_H
#define ENGINE_STICK_H

#include "coordinate.h"
#include "sweep.h"

#define STICK_RIM R(0.9)                     // of mu n: a contact with more tangential force may slide
#define STICK_LEAST (R(64.0) * REAL_EPSILON) // of W of a coordinate: with a smaller pivot it is redundant

// ------------------------------------------------------------------------------------------------------ which rows do

// Does no contact slide, by the impulses in force?
static int stick_may(const tac_work *w)
{
    int sticks = w->program.contacts > 0;
    for (const tac_block *k = w->scratch.solve.block, *end = k + w->program.contacts; k < end; k++) {
        sticks &= cone_contains(v3_of(&w->scratch.solve.g[k->first]), STICK_RIM * k->mu);
    }
    return sticks;
}

// Adds a row to the system: the rate that its equation requires, and its compliance.
static inline void stick_list(tac_sticking *s, uint32_t row, real yields, real rate)
{
    s->yields[s->rows] = yields;
    s->change[s->rows] = rate;
    s->row[s->rows++] = (uint16_t)row;
}

// All rows of the system, and the residuals of their equations at the velocities in force.
// A contact without an impulse stays open: in the first round of a step (`new`) in any case, since velocities then
// belong to impulses of another step; later unless it approaches. The others stick. The efforts of each coordinate
// satisfy their law at the rate that they cause; in the first round those hold it that held it in the last step. A
// coordinate has a row if an effort holds it, or if its efforts have a slope.
static void stick_list_all(tac_work *w, int new)
{
    tac_trees *r = trees_of(w);
    tac_sticking *s = &r->room.use.made.sticking;
    real *g = w->scratch.solve.g;
    uint32_t first = 0;
    s->rows = 0;
    for (const tac_block *k = w->scratch.solve.block, *end = k + w->program.contacts; k < end; k++, first += 3) {
        if (!(g[k->first] > R(0.0)) && (new || r->velocity[first] >= R(0.0))) { continue; }
        for (uint32_t i = first; i < first + 3; i++) { stick_list(s, i, R(0.0), R(0.0)); }
    }
    s->contacts = s->rows;
    for (uint32_t i = 0; i < trees_coordinates(w); i++) {
        const tac_joint_block *k = &JOINT_LINK(w)[i];
        const uint16_t row = r->row[i];
        coordinate_range in;
        if (row == TAC_NONE) { continue; }
        if (new &&coordinate_stays(k, g, &in)) { // most coordinates
            if (in.held) { stick_list(s, row, R(0.0), in.least); }
            continue;
        }
        const real u = r->velocity[row], c = R(1.0) / r->w[columns_at(row, row)], sum = coordinate_sum(k, g);
        const coordinate_point at = new ? coordinate_again(k, g, sum, u, c) : coordinate_solve(k, sum, u, c);
        coordinate_put(k, &at, g);
        trees_apply(r, row, coordinate_sum(k, g) - sum);
        if (at.held) { stick_list(s, row, R(0.0), at.rate); }
        if (!at.held && at.slope > R(0.0)) { stick_list(s, row, R(1.0) / at.slope, at.rate); }
    }
    for (uint32_t j = 0; j < s->rows; j++) { s->change[j] -= r->velocity[s->row[j]]; }
}

// ------------------------------------------------------------------------------------------------------- their system

// Row j of the system (W + yields) x = -error: from its diagonal on, with the right side behind it.
static inline real *stick_row(tac_sticking *s, uint32_t j)
{
    return &s->matrix[j * (2u * s->rows + 3u - j) / 2];
}

// Rows of contacts are the first of W; `all` of these stick.
static void stick_make(tac_trees *r, int all)
{
    tac_sticking *s = &r->room.use.made.sticking;
    const uint32_t copied = all ? s->contacts : 0;
    for (uint32_t j = 0; j < s->rows; j++) {
        real *to = stick_row(s, j);
        for (uint32_t i = j, at = columns_at(j, j); i < copied; at += ++i) { to[i - j] = r->w[at]; }
        for (uint32_t i = j < copied ? copied : j; i < s->rows; i++) {
            to[i - j] = r->w[columns_at(s->row[i], s->row[j])];
        }
        to[0] += s->yields[j];
        to[s->rows - j] = s->change[j];
    }
}

// Eliminates a row from those below it, up to `end`: its pivot is inverted, or 0 if it is at most `least` of W, since
// the row is then redundant.
static inline void stick_pivot(tac_trees *r, uint32_t j, uint32_t end, real least)
{
    tac_sticking *s = &r->room.use.made.sticking;
    real *row = stick_row(s, j);
    const int apart = row[0] > least * (r->w[columns_at(s->row[j], s->row[j])] + s->yields[j]);
    row[0] = apart ? R(1.0) / row[0] : R(0.0);
    real *to = row + (s->rows + 1 - j); // the rows below, one after the other
    for (uint32_t i = j + 1; i < end && apart; i++) {
        const real *own = row + (i - j), part = row[0] * own[0];
        for (uint32_t left = s->rows + 1 - i; left > 0; left--) { *to++ -= part * *own++; }
    }
}

// The three rows of a contact, from all rows below.
static void stick_pivot_contact(tac_trees *r, uint32_t j)
{
    tac_sticking *s = &r->room.use.made.sticking;
    const real *x = stick_row(s, j), *y = stick_row(s, j + 1), *z = stick_row(s, j + 2);
    for (uint32_t i = j; i < j + 3; i++) { stick_pivot(r, i, j + 3, REDUCED_HELD); }
    real *to = stick_row(s, j + 3);
    for (uint32_t i = j + 3; i < s->rows; i++) {
        const real *a = x + (i - j), *b = y + (i - j - 1), *c = z + (i - j - 2);
        const vec3 part = v3(x[0] * a[0], y[0] * b[0], z[0] * c[0]);
        for (uint32_t left = s->rows + 1 - i; left > 0; left--, to++) {
            *to = ((*to - part.x * *a++) - part.y * *b++) - part.z * *c++;
        }
    }
}

// x: elimination contact by contact, then of coordinates; back from the last row to the first.
static void stick_solve(tac_trees *r)
{
    tac_sticking *s = &r->room.use.made.sticking;
    real *x = s->change;
    for (uint32_t j = 0; j < s->contacts; j += 3) { stick_pivot_contact(r, j); }
    for (uint32_t j = s->contacts; j < s->rows; j++) { stick_pivot(r, j, s->rows, STICK_LEAST); }
    for (uint32_t j = s->rows; j-- > 0;) {
        const real *row = stick_row(s, j);
        real sum = row[s->rows - j];
        for (uint32_t i = j + 1; i < s->rows; i++) { sum -= row[i - j] * x[i]; }
        x[j] = row[0] * sum;
    }
}

// The least of all changes of a contact's impulse that cause the same velocities as x: x without its part in the null
// space of the contact's own W, whose rows are a, b and c.
static vec3 stick_least(vec3 a, vec3 b, vec3 c, vec3 x)
{
    const vec3 ab = v3_cross(a, b), bc = v3_cross(b, c), ca = v3_cross(c, a);
    const real own = a.x + b.y + c.z, held = REDUCED_HELD * own;
    vec3 z = v3_dot(bc, bc) > v3_dot(ab, ab) ? bc : ab, way = b.y > a.x ? b : a;
    z = v3_dot(ca, ca) > v3_dot(z, z) ? ca : z;
    way = c.z > real_max(a.x, b.y) ? c : way;
    const real area2 = v3_dot(z, z), size2 = v3_dot(way, way);
    if (!(area2 > held * held * own * own)) { return size2 > R(0.0) ? v3_scale(v3_dot(way, x) / size2, way) : x; }
    const real volume = v3_dot(a, bc);
    return volume * volume > held * held * area2 ? x : v3_madd(x, -v3_dot(z, x) / area2, z);
}

// Where joints let the bodies of a contact move in fewer than three directions at it, some force on it causes no
// velocity. Its row that is redundant keeps its impulse, and where that force has no part along this row, or the axes
// of the contact turn, the force grows without bound from step to step: the change is the least one.
static void stick_wedge(tac_trees *r)
{
    tac_sticking *s = &r->room.use.made.sticking;
    for (uint32_t j = 0; j < s->contacts; j += 3) {
        const uint32_t row = s->row[j];
        const int apart = stick_row(s, j)[0] != R(0.0) && stick_row(s, j + 1)[0] != R(0.0);
        if (apart && stick_row(s, j + 2)[0] != R(0.0)) { continue; }
        const sym3 own = columns_block(r, row);
        const vec3 a = {own.xx, own.xy, own.xz}, b = {own.xy, own.yy, own.yz}, c = {own.xz, own.yz, own.zz};
        v3_put(&s->change[j], stick_least(a, b, c, v3_of(&s->change[j])));
    }
}

// ----------------------------------------------------------------------------------------------------- their impulses

// State of the contacts that stick after their changes: STICK_SLIDES if one of them leaves its cone tangentially, else
// STICK_PULLS if one of them pulls, else STICK_STICKS.
enum { STICK_STICKS, STICK_PULLS, STICK_SLIDES };

static int stick_outcome(tac_work *w)
{
    const tac_sticking *s = &trees_of(w)->room.use.made.sticking;
    int outcome = STICK_STICKS;
    for (uint32_t j = 0; j < s->contacts; j += 3) {
        const tac_block *k = &w->scratch.solve.block[s->row[j] / 3];
        const vec3 g = v3_add(v3_of(&w->scratch.solve.g[k->first]), v3_of(&s->change[j]));
        if (cone_contains(g, k->mu)) { continue; }
        if (g.x > R(0.0)) { return STICK_SLIDES; }
        outcome = STICK_PULLS;
    }
    return outcome;
}

// Contacts that would pull become open.
static void stick_open(tac_work *w)
{
    const tac_sticking *s = &trees_of(w)->room.use.made.sticking;
    for (uint32_t j = 0; j < s->contacts; j += 3) {
        real *g = &w->scratch.solve.g[w->scratch.solve.block[s->row[j] / 3].first];
        if (g[0] + s->change[j] > R(0.0)) { continue; }
        trees_apply_contact(w, s->row[j], v3_scale(R(-1.0), v3_of(g)));
        v3_put(g, V3_ZERO);
    }
}

// Adds the changes to the impulses, those of coordinates within their bounds, and, if `watched`, to the velocities.
static void stick_move(tac_work *w, int watched)
{
    tac_trees *r = trees_of(w);
    const tac_sticking *s = &r->room.use.made.sticking;
    real *g = w->scratch.solve.g;
    uint32_t j = 0;
    for (; j < s->contacts; j += 3) {
        real *own = &g[w->scratch.solve.block[s->row[j] / 3].first];
        v3_put(own, v3_add(v3_of(own), v3_of(&s->change[j])));
        if (watched) { trees_apply_contact(w, s->row[j], v3_of(&s->change[j])); }
    }
    for (uint32_t i = 0; i < PROGRAM_JOINTS(w) && j < s->rows; i++) {
        const tac_joint_block *k = &JOINT_LINK(w)[i];
        if (r->row[i] != s->row[j]) { continue; }
        const real change = s->change[j++];
        if (coordinate_bear(k, change, g)) { // most coordinates
            trees_apply(r, r->row[i], change);
            continue;
        }
        const real sum = coordinate_sum(k, g);
        const coordinate_point at = coordinate_solve(k, sum + change, R(0.0), R(0.0));
        coordinate_put(k, &at, g);
        trees_apply(r, r->row[i], coordinate_sum(k, g) - sum);
    }
}

// Have velocities to be tested after a round? Not if all contacts stick and no coordinate has bounds.
static int stick_watched(const tac_work *w)
{
    return trees_coordinates(w) > 0 || JOINT_TREES(w)->room.use.made.sticking.contacts < 3 * w->program.contacts;
}

// One round; `new` is the first of a step. If a contact slides the caller restores the impulses, if one pulls the next
// round treats it as open.
static int stick_round(tac_work *w, int new)
{
    tac_trees *r = trees_of(w);
    tac_sticking *s = &r->room.use.made.sticking;
    phase_take_room(r, TAC_ROOM_STICKING);
    stick_list_all(w, new);
    stick_make(r, s->contacts == 3 * w->program.contacts);
    stick_solve(r);
    stick_wedge(r);
    const int outcome = stick_outcome(w);
    if (outcome == STICK_PULLS) { stick_open(w); }
    if (outcome == STICK_STICKS) { stick_move(w, stick_watched(w)); }
    return outcome;
}

// Impulses of the rows over trees; what acts along coordinates without bounds is not among them.
static void stick_copy(const tac_work *w, real *to, const real *from)
{
    const tac_trees *r = JOINT_TREES(w);
    for (const tac_block *k = w->scratch.solve.block, *end = k + w->program.contacts; k < end; k++) {
        v3_put(&to[k->first], v3_of(&from[k->first]));
    }
    for (uint32_t i = 0; i < trees_coordinates(w); i++) {
        const tac_joint_block *k = &JOINT_LINK(w)[i];
        for (int b = 0; r->row[i] != TAC_NONE && b < TAC_EFFORTS; b++) {
            const uint32_t at = columns_row_of(k, b);
            if (columns_bounds(&k->interval[b])) { to[at] = from[at]; }
        }
    }
}

// Sweeps begin here without momentum; if not all contacts stick, from the impulses before.
static void stick_leave(tac_work *w, int sticks)
{
    tac_trees *r = trees_of(w);
    if (sticks) {
        stick_copy(w, w->scratch.solve.last, w->scratch.solve.g);
        return;
    }
    stick_copy(w, w->scratch.solve.g, w->scratch.solve.best);
    reals_copy(r->velocity, r->last, r->rows * sizeof *r->velocity);
}

#endif
