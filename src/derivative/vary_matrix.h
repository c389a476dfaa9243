// SPDX-License-Identifier: MIT
// vary_matrix.h - how the mean rates of a step change: the equations of all coordinates, differentiated and solved.
//   given   mean rates that have been found, and the motion of the step by these
//   makes   the matrix of the residual by mean rates; right sides by q and v; the changes of rates by q, v and inputs
//   bound   entries: a product of six numbers for each pair of coordinates on one path; solutions: coordinates^3
//   never   knows what a contact is: only that velocities which it sees have a response
#ifndef DERIVATIVE_VARY_MATRIX_H
#define DERIVATIVE_VARY_MATRIX_H

#include "vary_rates.h"

#if TAC_MAX_LCP > 0

// --------------------------------------------------------------------------------------------------- entries, by pairs

// Three numbers of a column.
static void vary_enter_column(const vary_step *x, int what, size_t row, size_t column, vec3 a)
{
    *vary_side(x, what, row, column) = a.x;
    *vary_side(x, what, row + 1, column) = a.y;
    *vary_side(x, what, row + 2, column) = a.z;
}

// A free root that carries nothing.
static void vary_enter_alone(const vary_step *x, uint16_t self)
{
    const tac_mechanism_body *b = &x->t->mechanism.body[self];
    const tac_varied_body *v = &x->t->body[self];
    const vec3 inertia = x->m->body[self].inertia;
    const size_t at = b->first;
    real *K = vary_matrix(x);
    for (size_t i = 0; i < 6; i++) {
        tac_varied_axis *a = &x->t->axis[at + i];
        mechanism_unit(b, (int)i, a->start);
        const vec3 turn = six_angular(a->start), axis = V3_AXIS[i % 3];
        const vec3 torque = v3_components(b->axis, v3_cross(v3_sub(v->give[1], v->own[1]), turn));
        vary_enter_column(x, VARY_Q, at, at + i, v3_cross(turn, v->own[0]));
        vary_enter_column(x, VARY_Q, at + 3, at + i, v3_mul(inertia, v3_combine(v->lands, torque)));
        K[(at + i) * VARY_STRIDE + at + i] = i < 3 ? x->m->body[self].mass : v3_dot(inertia, axis);
        if (i < 3) { continue; }
        vary_enter_column(x, VARY_V, at + 3, at + i, v3_mul(inertia, v3_combine(v->lands, v3_mul(inertia, axis))));
    }
}

// Entries of a coordinate and of the translations of its root, along the axes of the world: components, of which the
// last three are forces. Momenta are the same wherever the whole tree is, and so are loads, but for what contacts move
// against their bodies: the columns of translations have no right side.
static void vary_enter_shifts(const vary_step *x, size_t i, size_t first, const real *pushed, const real *pushes)
{
    real *K = vary_matrix(x);
    for (size_t k = 0; k < 3; k++) {
        K[(first + k) * VARY_STRIDE + i] = pushes[3 + k];
        K[i * VARY_STRIDE + first + k] = x->t->axis[i].of_rate[3 + k];
        *vary_side(x, VARY_Q, first + k, i) = -pushed[3 + k];
    }
}

// Entries of the coordinate i of a body of a tree, and of those that carry it.
static void vary_enter(const vary_step *x, uint16_t self, int own)
{
    tac_varied *t = x->t;
    const tac_mechanism_body *b = &t->mechanism.body[self];
    const size_t i = (size_t)b->first + (size_t)own, shifts = vary_shifts(&t->mechanism, self);
    const int root = mechanism_free(b);
    const tac_varied_axis *a = &t->axis[i];
    real *K = vary_matrix(x), pushed[6], pushes[6];
    if (root && own < 3) {
        K[i * VARY_STRIDE + i] = b->inertia[9];
        return;
    }
    vary_push_place(b, &t->body[self], a, pushed);
    vary_push_rate(b, &t->body[self], a->by_rate, pushes);
    for (int j = root ? 3 : 0; j < b->axes; j++) {
        K[((size_t)b->first + (size_t)j) * VARY_STRIDE + i] = six_dot(t->axis[b->first + j].start, pushes);
        *vary_side(x, VARY_Q, (size_t)b->first + (size_t)j, i) = -vary_own(x->m, t, self, j, own, pushed);
    }
    if (shifts > 0) { vary_enter_shifts(x, i, shifts - 3, pushed, pushes); }
    for (size_t j = root ? TAC_NONE : t->up[b->first]; j != TAC_NONE && j >= shifts; j = t->up[j]) {
        const tac_varied_axis *by = &t->axis[j];
        K[j * VARY_STRIDE + i] = six_dot(by->start, pushes);
        K[i * VARY_STRIDE + j] = six_dot(a->of_rate, by->by_rate);
        *vary_side(x, VARY_Q, j, i) = -six_dot(by->start, pushed);
        *vary_side(x, VARY_Q, i, j) = -vary_taken(a, by);
        if (t->body[self].lag > R(0.0)) { *vary_side(x, VARY_V, i, j) = -six_dot(a->of_speed, by->start); }
    }
}

// Right sides of a coordinate that is led.
static void vary_enter_led(const vary_step *x, uint16_t self)
{
    const tac_varied_body *v = &x->t->body[self];
    const size_t i = x->t->mechanism.body[self].first, n = x->t->mechanism.coordinates;
    if (!(v->acts && v->held)) { return; }
    for (size_t j = 0; j < n; j++) { *vary_side(x, VARY_Q, i, j) = i == j ? v->follows : R(0.0); }
}

// What acts along a coordinate.
static void vary_enter_effort(const vary_step *x, uint16_t self)
{
    const tac_varied_body *v = &x->t->body[self];
    const tac_mechanism_body *b = &x->t->mechanism.body[self];
    const size_t i = b->first, n = x->t->mechanism.coordinates;
    real *row = &vary_matrix(x)[i * VARY_STRIDE];
    vary_enter_led(x, self);
    for (size_t j = 0; j < n && v->held; j++) { row[j] = *vary_side(x, VARY_V, i, j) = R(0.0); }
    row[i] = v->held ? R(1.0) : row[i] + v->slope;
    if (v->held) { return; }
    *vary_side(x, VARY_Q, i, i) -= v->pull;
    *vary_side(x, VARY_V, i, i) += v->rotor - b->armature;
    if (v->lag > R(0.0)) {
        const tac_varied_axis *a = &x->t->axis[i];
        real turn[3] = {R(0.0), R(0.0), R(0.0)}, speed[3] = {R(0.0), R(0.0), R(0.0)};
        vary_lag(x->m, x->t, self, 0, turn, speed);
        *vary_side(x, VARY_Q, i, i) -= v3_dot(v3_of(turn), six_angular(a->start));
        *vary_side(x, VARY_Q, i, i) -= v3_dot(v3_of(speed), six_angular(a->speed));
        *vary_side(x, VARY_V, i, i) -= v3_dot(v3_of(speed), six_angular(a->start));
    }
}

// Mean rates change by nearly as much as velocities do: right sides of v are without what such a change takes. Of the
// translations of a root that is all.
static void vary_enter_velocities(const vary_step *x, uint16_t self)
{
    const tac_varied *t = x->t;
    const tac_mechanism_body *b = &t->mechanism.body[self];
    const size_t shifts = vary_shifts(&t->mechanism, self);
    for (size_t i = b->first; i < (size_t)b->first + b->axes; i++) {
        const real *row = &vary_matrix(x)[i * VARY_STRIDE];
        *vary_side(x, VARY_V, i, i) -= row[i];
        for (size_t j = t->up[i]; j != TAC_NONE; j = t->up[j]) {
            real *side = vary_side(x, VARY_V, i, j);
            *side = j < shifts ? R(0.0) : *side - row[j];
            *vary_side(x, VARY_V, j, i) -= vary_matrix(x)[j * VARY_STRIDE + i];
        }
    }
}

// The matrix of the residual by mean rates, and the right sides of q and v: minus its change by these.
static void vary_assemble(const vary_step *x)
{
    tac_varied *t = x->t;
    const tac_mechanism *k = &t->mechanism;
    vary_subtrees(x->m, x->s, t);
    for (size_t i = 0; i < k->coordinates; i++) {
        reals_clear(vary_side(x, VARY_Q, 0, i), k->coordinates * sizeof(real));
        reals_clear(&vary_matrix(x)[i * VARY_STRIDE], k->coordinates * sizeof(real));
    }
    for (uint32_t at = 0; at < k->bodies; at++) {
        const uint16_t self = k->order[at];
        if (t->body[self].alone) {
            vary_enter_alone(x, self);
            continue;
        }
        vary_coordinates(x->m, t, self);
        for (int i = 0; i < k->body[self].axes; i++) { vary_enter(x, self, i); }
    }
    for (uint32_t at = 0; at < k->bodies; at++) {
        if (t->body[k->order[at]].acts) { vary_enter_effort(x, k->order[at]); }
    }
    for (uint32_t at = 0; at < k->bodies; at++) { vary_enter_velocities(x, k->order[at]); }
}

// The inverse of this matrix once it is factored, column by column: the rates that a unit of each right side makes.
// From the leaves each takes what it answers for the coordinates that it carries; then those that carry it answer too.
static void vary_respond(const vary_step *x)
{
    const tac_varied *t = x->t;
    const size_t n = t->mechanism.coordinates;
    const real *a = vary_matrix(x);
    for (size_t at = n; at-- > 0;) {
        const size_t c = t->order[at];
        const real inverse = R(1.0) / a[c * VARY_STRIDE + c];
        real *own = vary_response(x, c);
        reals_clear(own, n * sizeof *own);
        own[c] = inverse;
        for (size_t k = at + 1; k < t->last[c]; k++) {
            const size_t leaf = t->order[k];
            real sum = R(0.0);
            for (size_t i = leaf; i != c; i = t->up[i]) { sum += a[i * VARY_STRIDE + c] * vary_response(x, i)[leaf]; }
            own[leaf] = -inverse * sum;
        }
    }
    for (size_t at = 0; at < n; at++) {
        const size_t c = t->order[at];
        lu_row to = lu_row_of(vary_response(x, c), (uint32_t)n);
        for (size_t i = t->up[c]; i != TAC_NONE; i = t->up[i]) {
            lu_row_add(&to, -a[i * VARY_STRIDE + c], vary_response(x, i));
        }
        lu_row_end(&to);
    }
}

// The changes of the rates by a column take the place of its right sides.
static void vary_column(const vary_step *x, int what, size_t column)
{
    const uint32_t n = x->t->mechanism.coordinates;
    real *rates = x->q->entering, *side = vary_side(x, what, 0, column);
    const real *seen = vary_seen_in(x, what, column);
    reals_clear(rates, n * sizeof *rates);
    lu_row to = lu_row_of(rates, n);
    for (uint32_t i = 0; i < n; i++) { lu_row_add(&to, side[i], vary_response(x, i)); }
    for (uint32_t i = 0; i < x->first; i++) { lu_row_add(&to, seen[i], vary_law(x, i)); }
    lu_row_end(&to);
    reals_copy(side, rates, n * sizeof *side);
}

// The changes of rates by q and v, coordinate by coordinate.
static void vary_states(const vary_step *x)
{
    const size_t n = x->t->mechanism.coordinates;
    for (size_t i = 0; i < n; i++) {
        vary_column(x, VARY_Q, i);
        vary_column(x, VARY_V, i);
        *vary_side(x, VARY_V, i, i) += R(1.0);
    }
    for (size_t i = 1; i < n; i++) {
        real *row = vary_sides(x, i), *column = vary_sides(x, 0) + i;
        for (size_t j = 0; j < i; j++, column += TAC_MAX_LCP) {
            lu_swap(&row[j], &column[0]);
            lu_swap(&row[n + j], &column[n]);
        }
    }
}

// Free roots: their coordinates come first.
static uint32_t vary_roots(const tac_mechanism *k)
{
    uint32_t roots = 0;
    for (uint32_t at = 0; at < k->bodies; at++) { roots += (uint32_t)mechanism_free(&k->body[k->order[at]]); }
    return roots;
}

// The changes of rates by so many efforts, along all coordinates or along those of joints alone, in place of those by q
// and v. A coordinate that is led follows none.
static void vary_inputs(const vary_step *x, int wrenches, uint32_t inputs)
{
    const tac_mechanism *k = &x->t->mechanism;
    const size_t first = wrenches ? 0 : 6 * vary_roots(k);
    for (size_t j = 0; j < inputs; j++) {
        const real *by_effort = vary_response(x, first + j);
        for (size_t i = 0; i < k->coordinates; i++) { vary_sides(x, i)[j] = x->m->h * by_effort[i]; }
    }
    for (uint32_t at = 0; at < k->bodies; at++) {
        const tac_varied_body *v = &x->t->body[k->order[at]];
        const size_t led = k->body[k->order[at]].first;
        for (size_t i = 0; i < k->coordinates && v->acts && v->held; i++) { vary_sides(x, i)[led - first] = R(0.0); }
    }
}

#endif

#endif
