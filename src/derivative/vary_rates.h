// SPDX-License-Identifier: MIT
// vary_rates.h - the mean rates of a step, which balance momenta and efforts along all coordinates.
//   given   model, state, input; what acts along coordinates; velocities at the end of the step in delta_v
//   makes   the mass matrix with what yields, factored; mean rates, and the motion of the step by these
//   bound   VARY_NEWTON corrections, each a visit to all bodies and the solution of one right side; factor: the square
//           of each coordinate's path; solution: its path and subtree times the right sides
//   never   differentiates
#ifndef DERIVATIVE_VARY_RATES_H
#define DERIVATIVE_VARY_RATES_H

#include "../base/lu.h"
#include "../robot/dynamics.h"
#include "vary_efforts.h"

#if TAC_MAX_LCP > 0

// --------------------------------------------------------------------------------------------- systems of coordinates
// A matrix over the coordinates of trees has an entry only where one of both coordinates carries the other: branch-
// induced sparsity, F08 6.4. Eliminated from the leaves to the roots it stays so: nothing is filled in (6.5). It need
// not be symmetric. Its pivots are those of a mass matrix, but for the angle of the step.

// Puts a coordinate into order[], behind all that the one above it carries already: trees may be numbered in any way,
// and what a coordinate carries follows it without gaps, up to `last`.
static void vary_insert(tac_varied *t, uint32_t count, uint16_t c, uint16_t up)
{
    const uint32_t place = up != TAC_NONE ? t->last[up] : count;
    for (uint32_t at = count; at > place; at--) {
        t->order[at] = t->order[at - 1];
        t->last[t->order[at]]++;
    }
    t->order[place] = c;
    t->last[c] = (uint16_t)(place + 1);
    for (uint16_t i = up; i != TAC_NONE; i = t->up[i]) { t->last[i]++; }
}

// The innermost coordinate that moves a body; TAC_NONE if none does.
static uint16_t vary_innermost(const tac_mechanism *k, uint16_t self)
{
    while (k->body[self].axes == 0 && mechanism_hangs(k, self)) { self = k->body[self].parent; }
    return k->body[self].axes > 0 ? (uint16_t)(k->body[self].first + k->body[self].axes - 1) : TAC_NONE;
}

// Writes up[], order[] and last[].
static void vary_paths(tac_varied *t)
{
    const tac_mechanism *k = &t->mechanism;
    uint32_t count = 0;
    for (uint32_t at = 0; at < k->bodies; at++) {
        const uint16_t self = k->order[at];
        const tac_mechanism_body *b = &k->body[self];
        uint16_t up = mechanism_hangs(k, self) ? vary_innermost(k, b->parent) : TAC_NONE;
        for (uint16_t i = b->first; i < b->first + b->axes; i++) {
            t->up[i] = t->body[self].alone ? TAC_NONE : up;
            vary_insert(t, count++, i, t->up[i]);
            up = i;
        }
    }
}

// Translations of a free root end each path of its tree: they are the coordinates of a path that are below this one.
static size_t vary_shifts(const tac_mechanism *k, uint16_t self)
{
    const tac_mechanism_body *root = &k->body[k->body[self].tree];
    return mechanism_free(root) ? root->first + 3u : 0;
}

// Returns 0 if the matrix is singular.
static int vary_factor(const tac_varied *t, vary_block a)
{
    const tac_mechanism *k = &t->mechanism;
    for (uint32_t at = k->bodies; at-- > 0;) {
        const tac_mechanism_body *b = &k->body[k->order[at]];
        for (size_t c = (size_t)b->first + b->axes; c-- > b->first;) {
            const real *row = vary_row(a, c), pivot = row[c];
            if (!(real_abs(pivot) > R(0.0))) { return 0; }
            for (size_t i = t->up[c]; i != TAC_NONE; i = t->up[i]) {
                real *to = vary_row(a, i);
                if (to[c] == R(0.0)) { continue; }
                to[c] /= pivot;
                for (size_t j = t->up[c]; j != TAC_NONE; j = t->up[j]) { to[j] -= to[c] * row[j]; }
            }
        }
    }
    return 1;
}

// Clears the rows of coordinates that are held.
static void vary_clear_held(const vary_step *x, vary_block a, uint32_t columns)
{
    for (uint32_t at = 0; at < x->tree->bodies; at++) {
        const uint16_t self = x->tree->order[at];
        if (x->t->body[self].effort.held) {
            reals_clear(vary_row(a, x->tree->body[self].first), columns * sizeof(real));
        }
    }
}

// Solves for one right side.
static void vary_solve_one(const vary_step *x, vary_block a, real *b)
{
    const tac_varied *t = x->t;
    for (size_t at = x->n; at-- > 0;) {
        const size_t c = t->order[at];
        for (size_t i = t->up[c]; i != TAC_NONE; i = t->up[i]) { b[i] -= vary_row(a, i)[c] * b[c]; }
    }
    for (size_t at = 0; at < x->n; at++) {
        const size_t c = t->order[at];
        const real *row = vary_row(a, c);
        for (size_t i = t->up[c]; i != TAC_NONE; i = t->up[i]) { b[c] -= row[i] * b[i]; }
        b[c] /= row[c];
    }
}

// Solves for so many right sides, one a column.
static void vary_solve(const vary_step *x, vary_block a, vary_block b, uint32_t columns)
{
    const tac_varied *t = x->t;
    for (uint32_t at = x->n; at-- > 0;) {
        const real *row = vary_row(a, t->order[at]);
        lu_row to = lu_row_of(vary_row(b, t->order[at]), columns);
        for (uint32_t i = at + 1; i < t->last[t->order[at]]; i++) { // what it carries; the rest of these entries is 0
            lu_row_add(&to, -row[t->order[i]], vary_row(b, t->order[i]));
        }
        lu_row_end(&to);
    }
    for (uint32_t at = 0; at < x->n; at++) {
        const size_t c = t->order[at];
        const real *row = vary_row(a, c), inverse = R(1.0) / row[c];
        lu_row to = lu_row_of(vary_row(b, c), columns);
        for (size_t i = t->up[c]; i != TAC_NONE; i = t->up[i]) { lu_row_add(&to, -row[i], vary_row(b, i)); }
        lu_row_end(&to);
        for (uint32_t g = 0; g < columns; g++) { to.to[g] *= inverse; }
    }
}

// ---------------------------------------------------------------------------------------------------------- mean rates

// The mechanism before the step; in `rates` those of the velocities in delta_v, as the joints stand at the start.
static void vary_start(const vary_step *x)
{
    tac_twist *twist = x->w->phase.began;
    phase_take(x->w, TAC_PHASE_BEGAN);
    for (uint16_t i = 0; i < x->m->bodies; i++) { twist[i] = vary_prescribed(x, i); }
    coordinates_velocities(x->m, x->s->pose, twist, x->tree, x->rates);
    vary_begin(x);
    vary_paths(x->t);
}

// The residual of a body less the impulses of its contacts, about O; of one that is alone by its velocity at the end.
static void vary_sum(const vary_step *x, uint16_t self)
{
    const tac_mechanism_body *b = &x->tree->body[self];
    tac_varied_body *v = &x->t->body[self];
    if (v->alone) {
        const tac_body *body = &x->m->body[self];
        const vec3 change = v3_sub(v3_of(x->rates + b->first), x->s->twist[self].v);
        const vec3 turn = v3_mul(body->inertia, v3_sub(v3_of(x->rates + b->first + 3), v->flight_w_b[1]));
        six_set(v->phase.rates.subtree, v3_combine(b->axis, turn),
                v3_sub(v3_scale(body->mass, change), v->given.force));
    } else {
        const vec3 force = six_linear(v->phase.rates.residual);
        six_set(v->phase.rates.subtree, v3_add(six_angular(v->phase.rates.residual), v3_cross(b->arm, force)), force);
    }
    six_add(v->phase.rates.subtree, R(-1.0), v->phase.rates.load);
}

// What the mean rates leave of the equations of all coordinates.
static void vary_equations(const vary_step *x, real *left)
{
    for (uint32_t at = 0; at < x->tree->bodies; at++) { vary_sum(x, x->tree->order[at]); }
    for (uint32_t at = x->tree->bodies; at-- > 0;) {
        const uint16_t self = x->tree->order[at];
        const tac_mechanism_body *b = &x->tree->body[self];
        const tac_varied_body *v = &x->t->body[self];
        const tac_varied_effort *e = &v->effort;
        mechanism_components(b, v->phase.rates.subtree, left + b->first);
        if (mechanism_hangs(x->tree, self)) {
            six_add(x->t->body[b->parent].phase.rates.subtree, R(1.0), v->phase.rates.subtree);
        }
        if (!e->acts) { continue; }
        const real rate = x->rates[b->first];
        const real constant = e->constant + (e->lag > R(0.0) ? e->lag * vary_excess_along(x, self) : R(0.0));
        left[b->first] = e->held ? rate - e->rate : left[b->first] - (constant - e->slope * rate);
    }
}

// The mass matrix (F08 6.2) with what yields along coordinates, factored. The columns of coordinates that are held are
// those of 1: their rows answer for the others. The right sides of velocities are its columns before that. Returns 0 if
// it is singular.
static int vary_mass(const vary_step *x)
{
    dynamics_mass_matrix(x->m, x->tree, x->mass.at);
    for (uint32_t at = 0; at < x->tree->bodies; at++) {
        const uint16_t self = x->tree->order[at];
        const tac_mechanism_body *b = &x->tree->body[self];
        for (size_t i = b->first; i < (size_t)b->first + b->axes && !(x->follows && !x->t->body[self].alone); i++) {
            reals_copy(vary_row(x->side[VARY_V], i), vary_row(x->mass, i), x->n * sizeof(real));
        }
    }
    for (uint32_t at = 0; at < x->tree->bodies; at++) {
        const tac_varied_effort *e = &x->t->body[x->tree->order[at]].effort;
        const size_t i = x->tree->body[x->tree->order[at]].first;
        if (!e->acts) { continue; }
        vary_row(x->mass, i)[i] += e->slope - e->rotor; // the rotor is in both
        for (size_t j = 0; j < x->n && e->held; j++) { vary_row(x->mass, j)[i] = i == j ? R(1.0) : R(0.0); }
    }
    return vary_factor(x->t, x->mass);
}

#define VARY_NEWTON 6 // corrections of the rates, at most; each leaves a part of the order of the angle of the step,
#define VARY_LEAVES R(16.0)                                   // no more than this many times the angle
#define VARY_NEAR (TAC_REAL_BITS == 32 ? R(1e-5) : R(1e-10))  // of the rates: less need not be corrected
#define VARY_STILL (TAC_REAL_BITS == 32 ? R(1e-7) : R(1e-10)) // rad: a motion that changes by less stays as it is

// One step of Newton's method. Returns 0 if the rates need no further correction: if the motion of the step does not
// change, or if what this one leaves makes no difference.
static int vary_correct(const vary_step *x)
{
    real *left = x->column, most = R(0.0), size = R(0.0), turn = R(0.0), moves = R(0.0);
    vary_equations(x, left);
    vary_solve_one(x, x->mass, left);
    for (uint32_t at = 0; at < x->tree->bodies; at++) {
        const tac_mechanism_body *b = &x->tree->body[x->tree->order[at]];
        const tac_varied_effort *e = &x->t->body[x->tree->order[at]].effort;
        const int about = mechanism_free(b) ? 7 << 3 : b->turns;
        if (e->held) { left[b->first] = x->rates[b->first] - e->rate; }
        for (int i = 0; i < b->axes; i++) {
            const real change = real_abs(left[b->first + i]), rate = real_abs(x->rates[b->first + i]);
            most = real_max(most, change);
            size = real_max(size, rate);
            if (about >> i & 1) {
                moves = real_max(moves, change);
                turn = real_max(turn, rate);
            } else if (!mechanism_free(b)) {
                moves = real_max(moves, change / JOINT_LINK(x->w)[b->joint].length);
            }
        }
    }
    if (x->m->h * moves <= VARY_STILL) { return 0; }
    lu_madd(x->rates, R(-1.0), left, x->n);
    vary_move(x, x->rates);
    if (VARY_LEAVES * x->m->h * (turn + most) * most > VARY_NEAR * size) { return 1; }
    vary_equations(x, left);
    return 0;
}

// The mean rates of the step, from those at hand. The mass matrix is near enough to correct them.
static void vary_find(const vary_step *x)
{
    int more = 1;
    vary_move(x, x->rates);
    for (int i = 0; i < VARY_NEWTON && more; i++) { more = vary_correct(x); }
    if (more) { vary_equations(x, x->column); }
}

#endif

#endif
