// SPDX-License-Identifier: MIT
// stick.h - contacts over trees that all stick, and the coordinates between their bounds: one dense linear system.
//   given   W and the velocities of the rows over trees, impulses of the last step
//   makes   impulses at which no contact moves and each interval has its velocity, in their sets; where coordinates
//           have rows also velocities of the rows, else they are left to be measured
//   bound   rows^3/6 + 2 rows^2 products a round
//   never   tries where a contact is open or near its rim, or contacts share a force: there the solution is not this
//           one, or not unique; judges its result
#ifndef ENGINE_STICK_H
#define ENGINE_STICK_H

#include "sweep.h"

#if TAC_MAX_JOINTS > 0

#define STICK_RIM R(0.9)                     // of mu n: a contact with more tangential force may slide
#define STICK_APART R(0.1)                   // of W of a row: with a smaller pivot the contacts share a force
#define STICK_LEAST (R(64.0) * REAL_EPSILON) // likewise of a coordinate: others hold it already, it keeps its impulse

// ------------------------------------------------------------------------------------------------------ which rows do

// Do all contacts stick, by the impulses in force?
static int stick_may(const tac_work *w)
{
    int sticks = w->program.contacts > 0;
    for (const tac_block *k = blocks_of(w), *end = k + w->program.contacts; k < end; k++) {
        const vec3 g = v3_of(&w->scratch.solve.g[k->first]);
        sticks &= g.x > R(0.0) && cone_contains(g, STICK_RIM * k->mu);
    }
    return sticks;
}

static inline tac_sticking *sticking_of(tac_work *w)
{
    return &reduced_of(w)->made.sticking;
}

// Adds a row to the system; `error` is what its equation leaves now, `yields` what it gives way by an impulse.
static inline void stick_list(tac_sticking *s, uint32_t row, real yields, real error)
{
    s->yields[s->rows] = yields;
    s->change[s->rows] = -error;
    s->row[s->rows++] = (uint16_t)row;
}

// The impulse before it is clamped to the bounds, by the natural map. In the first round of a step (`new`) a hard interval
// keeps that of the last step: velocities then are those of a changed problem, and would free intervals that hold.
static real stick_aim(const tac_interval *x, real g, real u, real own, int new)
{
    if (!x->hard) { return x->centre - x->weight * u; }
    return new ? g : g - u / own;
}

// The interval that decides the velocity of a coordinate: a hard one that is not at a bound, else a soft one.
// TAC_EFFORTS if there is none.
static int stick_decides(const tac_work *w, const tac_joint_block *k, real u, real own, int new)
{
    int decides = TAC_EFFORTS;
    for (int b = 0; b < TAC_EFFORTS; b++) {
        const tac_interval *x = &k->interval[b];
        if (!reduced_bounds(x) || !(x->hard || x->weight > R(0.0))) { continue; }
        const real aim = stick_aim(x, w->scratch.solve.g[reduced_row_of(k, b)], u + x->bias, own, new);
        if (aim > x->lo && aim < x->hi && (decides == TAC_EFFORTS || x->hard)) { decides = b; }
    }
    return decides;
}

// The other intervals of the coordinate have the impulses of their natural maps, soft ones at the velocity that a hard
// one holds.
static void stick_set_others(tac_work *w, const tac_joint_block *k, uint32_t row, int decides, int new)
{
    tac_reduced *r = reduced_of(w);
    const tac_interval *held = decides < TAC_EFFORTS && k->interval[decides].hard ? &k->interval[decides] : NULL;
    const real u = r->velocity[row], own = r->w[row][row];
    for (int b = 0; b < TAC_EFFORTS; b++) {
        const tac_interval *x = &k->interval[b];
        if (!reduced_bounds(x) || b == decides) { continue; }
        real *g = &w->scratch.solve.g[reduced_row_of(k, b)];
        const real rate = held != NULL && !x->hard ? -held->bias : u, last = *g;
        *g = real_clamp(stick_aim(x, last, rate + x->bias, own, new), x->lo, x->hi);
        reduced_apply(r, row, *g - last);
    }
}

// The interval of each coordinate that decides is marked, and the others follow.
static void stick_decide(tac_work *w, int new)
{
    tac_reduced *r = reduced_of(w);
    for (uint32_t i = 0; i < reduced_coordinates(w); i++) {
        const tac_joint_block *k = &JOINT_LINK(w)[i];
        const uint16_t row = r->row[i];
        if (row == TAC_NONE) { continue; }
        const int decides = stick_decides(w, k, r->velocity[row], r->w[row][row], new);
        sticking_of(w)->decides[row] = (uint8_t)decides;
        stick_set_others(w, k, row, decides, new);
    }
}

static void stick_list_all(tac_work *w)
{
    const tac_reduced *r = reduced_of(w);
    tac_sticking *s = sticking_of(w);
    s->rows = 0;
    for (uint32_t row = 0; row < 3 * w->program.contacts; row++) { stick_list(s, row, R(0.0), r->velocity[row]); }
    for (uint32_t i = 0; i < reduced_coordinates(w); i++) {
        const tac_joint_block *k = &JOINT_LINK(w)[i];
        const uint16_t row = r->row[i];
        if (row == TAC_NONE || s->decides[row] == TAC_EFFORTS) { continue; }
        const tac_interval *x = &k->interval[s->decides[row]];
        const real g = w->scratch.solve.g[reduced_row_of(k, s->decides[row])], u = r->velocity[row] + x->bias;
        const real yields = x->hard ? R(0.0) : R(1.0) / x->weight;
        stick_list(s, row, yields, u + (x->hard ? R(0.0) : (g - x->centre) * yields));
    }
}

// ------------------------------------------------------------------------------------------------------- their system

// Row j of the system (W + yields) x = -error: from its diagonal on, with the right side behind it.
static inline real *stick_row(tac_sticking *s, uint32_t j)
{
    return &s->matrix[j * (2u * s->rows + 3u - j) / 2];
}

static inline real stick_own(const tac_reduced *r, const tac_sticking *s, uint32_t j)
{
    return r->w[s->row[j]][s->row[j]] + s->yields[j];
}

// Rows of contacts are the first of W.
static void stick_make(tac_reduced *r, uint32_t contacts)
{
    tac_sticking *s = &r->made.sticking;
    for (uint32_t j = 0; j < s->rows; j++) {
        const real *w = r->w[s->row[j]];
        real *to = stick_row(s, j);
        if (j < contacts) { reals_copy(to, &w[j], (contacts - j) * sizeof *to); }
        for (uint32_t i = j < contacts ? contacts : j; i < s->rows; i++) { to[i - j] = w[s->row[i]]; }
        to[0] += s->yields[j];
        to[s->rows - j] = s->change[j];
    }
}

// to -= part row
static inline void stick_take(real *to, const real *row, real part, uint32_t n)
{
    for (uint32_t k = 0; k < n; k++) { to[k] -= part * row[k]; }
}

// The same of the three rows of a contact.
static inline void stick_take_three(real *to, const real *x, const real *y, const real *z, vec3 part, uint32_t n)
{
    for (uint32_t k = 0; k < n; k++) { to[k] = ((to[k] - part.x * x[k]) - part.y * y[k]) - part.z * z[k]; }
}

// A row is eliminated from those below it, up to `end`: its pivot is inverted, 0 if it is not larger than `least` of W.
// Returns 0 then.
static inline int stick_pivot(tac_reduced *r, uint32_t j, uint32_t end, real least)
{
    tac_sticking *s = &r->made.sticking;
    real *row = stick_row(s, j);
    const int apart = row[0] > least * stick_own(r, s, j);
    row[0] = apart ? R(1.0) / row[0] : R(0.0);
    for (uint32_t i = j + 1; i < end && apart; i++) {
        stick_take(stick_row(s, i), row + (i - j), row[0] * row[i - j], s->rows + 1 - i);
    }
    return apart;
}

// All rows: contact by contact, then coordinates.
static int stick_eliminate(tac_reduced *r, uint32_t contacts)
{
    tac_sticking *s = &r->made.sticking;
    for (uint32_t j = 0; j < contacts; j += 3) {
        const real *x = stick_row(s, j), *y = stick_row(s, j + 1), *z = stick_row(s, j + 2);
        for (uint32_t i = j; i < j + 3; i++) {
            if (!stick_pivot(r, i, j + 3, STICK_APART)) { return 0; }
        }
        for (uint32_t i = j + 3; i < s->rows; i++) {
            const real *own_x = x + (i - j), *own_y = y + (i - j - 1), *own_z = z + (i - j - 2);
            const vec3 part = v3(x[0] * own_x[0], y[0] * own_y[0], z[0] * own_z[0]);
            stick_take_three(stick_row(s, i), own_x, own_y, own_z, part, s->rows + 1 - i);
        }
    }
    for (uint32_t j = contacts; j < s->rows; j++) { (void)stick_pivot(r, j, s->rows, STICK_LEAST); }
    return 1;
}

// x, from the last row to the first.
static void stick_solve(tac_sticking *s)
{
    real *x = s->change;
    for (uint32_t j = s->rows; j-- > 0;) {
        const real *row = stick_row(s, j);
        real sum = row[s->rows - j];
        for (uint32_t i = j + 1; i < s->rows; i++) { sum -= row[i - j] * x[i]; }
        x[j] = row[0] * sum;
    }
}

// ----------------------------------------------------------------------------------------------------- their impulses

// Is each impulse of a contact with its change in its cone?
static int stick_contains(tac_work *w)
{
    const real *change = sticking_of(w)->change;
    for (const tac_block *k = blocks_of(w), *end = k + w->program.contacts; k < end; k++, change += 3) {
        if (!cone_contains(v3_add(v3_of(&w->scratch.solve.g[k->first]), v3_of(change)), k->mu)) { return 0; }
    }
    return 1;
}

// Then it is in force.
static void stick_move_contacts(tac_work *w)
{
    const real *change = sticking_of(w)->change;
    const int coordinates = reduced_coordinates(w) > 0;
    uint32_t row = 0;
    for (const tac_block *k = blocks_of(w), *end = k + w->program.contacts; k < end; k++, row += 3, change += 3) {
        real *g = &w->scratch.solve.g[k->first];
        v3_put(g, v3_add(v3_of(g), v3_of(change)));
        if (coordinates) { reduced_apply_contact(w, row, v3_of(change)); }
    }
}

// Likewise the intervals that decide, within their bounds.
static void stick_move_coordinates(tac_work *w)
{
    tac_reduced *r = reduced_of(w);
    const tac_sticking *s = sticking_of(w);
    const real *change = &s->change[3 * w->program.contacts];
    for (uint32_t i = 0; i < reduced_coordinates(w); i++) {
        const tac_joint_block *k = &JOINT_LINK(w)[i];
        const uint16_t row = r->row[i];
        if (row == TAC_NONE || s->decides[row] == TAC_EFFORTS) { continue; }
        const tac_interval *x = &k->interval[s->decides[row]];
        real *g = &w->scratch.solve.g[reduced_row_of(k, s->decides[row])];
        const real last = *g;
        *g = real_clamp(last + *change++, x->lo, x->hi);
        reduced_apply(r, row, *g - last);
    }
}

// One round; `new` is the first of a step. Returns 0, and impulses to be restored, where not all contacts stick.
static int stick_round(tac_work *w, int new)
{
    tac_reduced *r = reduced_of(w);
    const uint32_t contacts = 3 * w->program.contacts;
    stick_decide(w, new);
    stick_list_all(w);
    stick_make(r, contacts);
    if (!stick_eliminate(r, contacts)) { return 0; }
    stick_solve(&r->made.sticking);
    if (!stick_contains(w)) { return 0; }
    stick_move_contacts(w);
    stick_move_coordinates(w);
    return 1;
}

// Impulses of the rows over trees; what acts along coordinates without bounds is not among them.
static void stick_copy(const tac_work *w, real *to, const real *from)
{
    const tac_reduced *r = &w->scratch.solve.reduced;
    for (const tac_block *k = blocks_of(w), *end = k + w->program.contacts; k < end; k++) {
        v3_put(&to[k->first], v3_of(&from[k->first]));
    }
    for (uint32_t i = 0; i < reduced_coordinates(w); i++) {
        const tac_joint_block *k = &JOINT_LINK(w)[i];
        for (int b = 0; r->row[i] != TAC_NONE && b < TAC_EFFORTS; b++) {
            const uint32_t at = reduced_row_of(k, b);
            if (reduced_bounds(&k->interval[b])) { to[at] = from[at]; }
        }
    }
}

// Sweeps begin here without momentum; where all contacts do not stick, as if nothing had been tried.
static void stick_leave(tac_work *w, int sticks)
{
    tac_reduced *r = reduced_of(w);
    if (sticks) {
        stick_copy(w, w->scratch.solve.last, w->scratch.solve.g);
        return;
    }
    stick_copy(w, w->scratch.solve.g, w->scratch.solve.best);
    reals_copy(r->velocity, r->last, r->rows * sizeof *r->velocity);
}

#endif

#endif
