// SPDX-License-Identifier: MIT
// stick.h - all contacts over trees stick: one dense linear system in place of sweeps.
//   given   W and the velocities of the rows over trees, impulses of the last step
//   makes   the impulses at which no contact moves, if they lie in their cones; velocities are left to be measured
//   bound   rows^3/6 products, once a step
//   never   tries where a contact is open or near its rim, a coordinate has a row, or contacts share a force: there the
//           solution is not this one, or not unique
#ifndef ENGINE_STICK_H
#define ENGINE_STICK_H

#include "sweep.h"

#if TAC_MAX_JOINTS > 0

#define STICK_RIM R(0.9)   // of mu n: a contact with more tangential force may slide
#define STICK_APART R(0.1) // of W of a row: with a smaller pivot the contacts share a force

// Do all contacts stick, by the impulses in force?
static int stick_may(const tac_work *w)
{
    int sticks = w->program.contacts > 0 && reduced_coordinates(w) == 0;
    for (const tac_block *k = blocks_of(w), *end = k + w->program.contacts; k < end; k++) {
        const vec3 g = v3_of(&w->scratch.solve.g[k->first]);
        sticks &= g.x > R(0.0) && cone_contains(g, STICK_RIM * k->mu);
    }
    return sticks;
}

// Row j of the system W x = -u: from its diagonal on, with the right side behind it. reach[] has room for it: columns
// of these rows have done their work.
static inline real *stick_row(tac_reduced *r, uint32_t j)
{
    return &r->made.reach[j * (2u * r->rows + 3u - j) / 2];
}

static void stick_make(tac_reduced *r)
{
    for (uint32_t j = 0; j < r->rows; j++) {
        real *to = stick_row(r, j);
        reals_copy(to, &r->w[j][j], (r->rows - j) * sizeof *to);
        to[r->rows - j] = -r->velocity[j];
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

// A row is eliminated from those below it, of its own contact: its pivot is inverted. Returns 0 if that is small.
static inline int stick_pivot(tac_reduced *r, uint32_t j, uint32_t end)
{
    real *row = stick_row(r, j);
    if (!(row[0] > STICK_APART * r->w[j][j])) { return 0; }
    row[0] = R(1.0) / row[0];
    for (uint32_t i = j + 1; i < end; i++) {
        stick_take(stick_row(r, i), row + (i - j), row[0] * row[i - j], r->rows + 1 - i);
    }
    return 1;
}

// All rows, contact by contact.
static int stick_eliminate(tac_reduced *r)
{
    for (uint32_t j = 0; j < r->rows; j += 3) {
        const real *x = stick_row(r, j), *y = stick_row(r, j + 1), *z = stick_row(r, j + 2);
        if (!stick_pivot(r, j, j + 3) || !stick_pivot(r, j + 1, j + 3) || !stick_pivot(r, j + 2, j + 3)) { return 0; }
        for (uint32_t i = j + 3; i < r->rows; i++) {
            const real *own_x = x + (i - j), *own_y = y + (i - j - 1), *own_z = z + (i - j - 2);
            const vec3 part = v3(x[0] * own_x[0], y[0] * own_y[0], z[0] * own_z[0]);
            stick_take_three(stick_row(r, i), own_x, own_y, own_z, part, r->rows + 1 - i);
        }
    }
    return 1;
}

// x, from the last row to the first.
static void stick_solve(tac_reduced *r, real *x)
{
    for (uint32_t j = r->rows; j-- > 0;) {
        const real *row = stick_row(r, j);
        real sum = row[r->rows - j];
        for (uint32_t i = j + 1; i < r->rows; i++) { sum -= row[i - j] * x[i]; }
        x[j] = row[0] * sum;
    }
}

// Is each impulse with its change x in its cone? Then it is in force, without momentum.
static int stick_enter(tac_work *w, const real *x)
{
    real *g = w->scratch.solve.g, *last = w->scratch.solve.last;
    const tac_block *first = blocks_of(w), *end = first + w->program.contacts;
    const real *change = x;
    for (const tac_block *k = first; k < end; k++, change += 3) {
        if (!cone_contains(v3_add(v3_of(&g[k->first]), v3_of(change)), k->mu)) { return 0; }
    }
    for (const tac_block *k = first; k < end; k++, x += 3) {
        v3_put(&g[k->first], v3_add(v3_of(&g[k->first]), v3_of(x)));
        v3_put(&last[k->first], v3_of(&g[k->first]));
    }
    return 1;
}

// Takes the place of a first sweep. Returns 0, with the impulses as they were, if not all contacts stick. Their change
// lies behind the system.
static int stick(tac_work *w)
{
    tac_reduced *r = reduced_of(w);
    real *change = stick_row(r, r->rows);
    if (!stick_may(w) || r->rows * (r->rows + 5u) > 2u * TAC_MAX_PATH) { return 0; }
    stick_make(r);
    if (!stick_eliminate(r)) { return 0; }
    stick_solve(r, change);
    return stick_enter(w, change);
}

#endif

#endif
