// SPDX-License-Identifier: MIT
// vary.h - one step of a mechanism and its derivative, as matrices: the rates that it finds, and how they and the next
// state change.
//   given   model, state, input; the links of a step
//   makes   mean rates; the matrix of the residual by r, factored; columns of the next state by q, v and inputs
//   bound   for each column its path and subtree times all coordinates; the matrix: the square of each one's path
//   never   knows what a contact is: only that velocities which it sees have a response
#ifndef QUERY_VARY_H
#define QUERY_VARY_H

#include "../base/lu.h"
#include "../engine/lemke.h"
#include "vary_columns.h"

#if TAC_MAX_LCP > 0

// ------------------------------------------------------------------------------------------------------ the whole step

// What a derivative needs of one step: its mechanism, and the memory of a problem as that of matrices.
typedef struct vary_step {
    const tac_model *m;
    const tac_state *s;
    const tac_input *input;
    tac_work *w;
    tac_varied *t;
    tac_lcp *q;
    int bears;      // contacts and bounded efforts have the impulses that the step has found; else they have none
    uint32_t first; // velocities that contacts see: rows of F before that of the derivative of the next state
} vary_step;

// In the scratch of a problem, n coordinates: the mass matrix in the first rows of the table, without gaps, and after
// it the response of the rates to a unit of each right side, one a row; the matrix of the residual by mean rates in n
// rows from the row n on; then what contacts see of all columns of q and of v, one a row, without gaps. In F: the
// response of the rates to each velocity that contacts see, to the right of what belongs to contacts; the derivative of
// velocities at the end by mean rates; then the right sides of all columns, one a row, of q to the left of v, which
// become the changes of rates, one coordinate a row.
#define VARY_STRIDE (TAC_MAX_LCP + 1)

static real *vary_matrix(const vary_step *x)
{
    return x->q->table[x->t->mechanism.coordinates];
}

static real *vary_response(const vary_step *x, size_t row)
{
    const size_t n = x->t->mechanism.coordinates;
    return x->q->table[0] + (n + row) * n;
}

static real *vary_law(const vary_step *x, uint32_t row)
{
    return x->q->F[row] + x->first / 3 * 4;
}

static real *vary_by_rate(const vary_step *x, size_t row)
{
    return x->q->F[x->first + row];
}

static real *vary_sides(const vary_step *x, size_t row)
{
    return x->q->F[x->first + x->t->mechanism.coordinates + row];
}

// The right side of the equation of a coordinate in the column of another.
static inline real *vary_side(const vary_step *x, int what, size_t row, size_t column)
{
    const size_t n = x->t->mechanism.coordinates;
    return &x->q->F[x->first + n + column][row + (what == VARY_V ? n : 0)];
}

// What contacts see of such a column.
static real *vary_seen_in(const vary_step *x, int what, size_t column)
{
    const size_t n = x->t->mechanism.coordinates;
    return x->q->table[2 * n] + (column + (what == VARY_V ? n : 0)) * x->first;
}

static vary_effort vary_effort_on(const vary_step *x, const tac_mechanism_body *b)
{
    const tac_joint *j = &JOINT_OF(x->m)[b->joint];
    const tac_joint_block *k = &JOINT_LINK(x->w)[b->joint];
    const tac_motor *motor = k->motor != TAC_NONE ? &JOINT_MOTOR(x->input)[k->motor] : NULL;
    real rate[3], g[TAC_EFFORTS];
    mechanism_rates(b, x->t->mechanism.body[b->parent].velocity, rate);
    for (int i = 0; i < TAC_EFFORTS; i++) { g[i] = k->interval[i].z; }
    return vary_effort_of(x->m, motor, j, k, rate[0], x->bears ? g : NULL);
}

// Does anything act along the coordinates of the body's joint?
static int vary_acts(const vary_step *x, const tac_mechanism_body *b)
{
    return !mechanism_free(b) && b->axes == 1 && JOINT_LINK(x->w)[b->joint].coordinate;
}

// What efforts do along the coordinates of joints, and what each body's free rotation adds to its drift.
static void vary_efforts(const vary_step *x)
{
    tac_mechanism *k = &x->t->mechanism;
    for (uint32_t at = 0; at < k->bodies; at++) {
        const uint16_t self = k->order[at];
        const tac_mechanism_body *b = &k->body[self];
        tac_varied_body *v = &x->t->body[self];
        const vec3 inertia = x->m->body[self].inertia;
        v->acts = (uint8_t)vary_acts(x, b);
        v->held = 0;
        v->lag = R(0.0);
        if (v->acts) {
            const vary_effort e = vary_effort_on(x, b);
            v->constant = e.constant, v->slope = e.slope, v->pull = e.pull, v->rotor = e.rotor, v->lag = e.lag;
            v->lead = e.lead, v->follows = e.follows;
            v->held = (uint8_t)e.held;
        }
        vary_flight(x->m->h, inertia, v);
        if (v->alone) { continue; }
        v->slip = v3_combine(b->axis, v3_sub(v->flight, v->flown));
        for (int i = 0; i < 3; i++) {
            const vec3 own = v3_components(b->axis, V3_AXIS[i]);
            v->inertia[i] = v3_combine(b->axis, v3_mul(inertia, own));
            v->slips[i] = v3_combine(b->axis, v3_combine(v->drift, own));
        }
    }
}

// What the rates r leave of the equations of all coordinates.
static void vary_value(const vary_step *x, const real *r, real *out)
{
    tac_mechanism *k = &x->t->mechanism;
    for (uint32_t at = 0; at < k->bodies; at++) {
        const tac_mechanism_body *b = &k->body[k->order[at]];
        tac_varied_body *v = &x->t->body[k->order[at]];
        const vec3 force = six_linear(v->residual);
        six_set(v->sum, v3_add(six_angular(v->residual), v3_cross(b->arm, force)), force);
        if (v->alone) {
            const tac_twist *twist = &x->s->twist[k->order[at]];
            const vec3 push = v3_scale(x->m->body[k->order[at]].mass, v3_sub(v3_of(r + b->first), twist->v));
            const vec3 turn = v3_mul(x->m->body[k->order[at]].inertia, v3_sub(v3_of(r + b->first + 3), v->flown));
            six_set(v->sum, v3_combine(b->axis, turn), v3_sub(push, v->give[0]));
        }
        six_sub(v->sum, v->load);
    }
    for (uint32_t at = k->bodies; at-- > 0;) {
        const uint16_t self = k->order[at];
        const tac_mechanism_body *b = &k->body[self];
        mechanism_components(b, x->t->body[self].sum, out + b->first);
        if (mechanism_hangs(k, self)) { six_add(x->t->body[b->parent].sum, R(1.0), x->t->body[self].sum); }
        const tac_varied_body *v = &x->t->body[self];
        real *to = &out[b->first];
        if (!v->acts) { continue; }
        const real constant = v->constant + (v->lag > R(0.0) ? v->lag * vary_drifts_now(x->m, x->t, self) : R(0.0));
        *to = v->held ? r[b->first] - v->lead : *to - (constant - v->slope * r[b->first]);
    }
}

// ----------------------------------------------------------------------------------- matrices along the paths of trees
// A coordinate meets those that carry it, `up`, and those that it carries. Eliminated from the leaves to the roots,
// such a matrix stays as it is: nothing is filled in. Its pivots are those of a mass matrix, but for the angle of the
// step.

static void vary_paths(tac_varied *t)
{
    const tac_mechanism *k = &t->mechanism;
    uint32_t count = 0;
    for (uint32_t at = 0; at < k->bodies; at++) {
        uint16_t self = k->order[at], up = TAC_NONE;
        const tac_mechanism_body *b = &k->body[self];
        int more = mechanism_hangs(k, self);
        while (more && up == TAC_NONE) {
            self = k->body[self].parent;
            more = mechanism_hangs(k, self);
            if (k->body[self].axes > 0) { up = (uint16_t)(k->body[self].first + k->body[self].axes - 1); }
        }
        for (uint16_t i = b->first; i < b->first + b->axes; i++) {
            t->up[i] = t->body[k->order[at]].alone ? TAC_NONE : up;
            t->order[count++] = up = i;
            t->last[i] = (uint16_t)count;
        }
    }
    for (uint32_t at = count; at-- > 0;) {
        const uint16_t c = t->order[at], up = t->up[c];
        if (up != TAC_NONE && t->last[up] < t->last[c]) { t->last[up] = t->last[c]; }
    }
}

// Returns 0 if it is singular.
static int vary_factor(const tac_varied *t, real *a, size_t stride)
{
    const tac_mechanism *k = &t->mechanism;
    for (uint32_t at = k->bodies; at-- > 0;) {
        const tac_mechanism_body *b = &k->body[k->order[at]];
        for (size_t c = (size_t)b->first + b->axes; c-- > b->first;) {
            const real *row = &a[c * stride], pivot = row[c];
            if (!(real_abs(pivot) > R(0.0))) { return 0; }
            for (size_t i = t->up[c]; i != TAC_NONE; i = t->up[i]) {
                real *to = &a[i * stride];
                if (to[c] == R(0.0)) { continue; }
                to[c] /= pivot;
                for (size_t j = t->up[c]; j != TAC_NONE; j = t->up[j]) { to[j] -= to[c] * row[j]; }
            }
        }
    }
    return 1;
}

// Of so many right sides, one a column.
static void vary_solve(const tac_varied *t, const real *a, size_t stride, real *x, size_t wide, uint32_t columns)
{
    const uint32_t n = t->mechanism.coordinates;
    for (uint32_t at = n; at-- > 0;) {
        const size_t c = t->order[at];
        lu_row to = lu_row_of(&x[c * wide], columns);
        for (uint32_t i = at + 1; i < t->last[c]; i++) { // what it carries; the rest of these entries is 0
            lu_row_add(&to, -a[c * stride + t->order[i]], &x[t->order[i] * wide]);
        }
        lu_row_end(&to);
    }
    for (uint32_t at = 0; at < n; at++) {
        const size_t c = t->order[at];
        lu_row to = lu_row_of(&x[c * wide], columns);
        for (size_t i = t->up[c]; i != TAC_NONE; i = t->up[i]) {
            lu_row_add(&to, -a[c * stride + i], &x[i * wide]);
        }
        lu_row_end(&to);
        const real inverse = R(1.0) / a[c * stride + c];
        for (uint32_t g = 0; g < columns; g++) { to.to[g] *= inverse; }
    }
}

// The mass matrix with what yields along coordinates, factored. The columns of coordinates that are led are those of 1:
// their rows answer for the others. The right sides of velocities are its columns before that. Returns 0 if it is
// singular.
static int vary_mass(const vary_step *x)
{
    tac_mechanism *k = &x->t->mechanism;
    const size_t n = k->coordinates;
    real *M = x->q->table[0];
    dynamics_mass_matrix(x->m, k, M);
    vary_paths(x->t);
    for (size_t i = 0; i < n; i++) { reals_copy(vary_side(x, VARY_V, 0, i), &M[i * n], n * sizeof *M); }
    for (uint32_t at = 0; at < k->bodies; at++) {
        const tac_mechanism_body *b = &k->body[k->order[at]];
        const tac_varied_body *v = &x->t->body[k->order[at]];
        const size_t i = b->first;
        if (!v->acts) { continue; }
        M[i * n + i] += v->slope - v->rotor; // the rotor is in both
        for (size_t j = 0; j < n && v->held; j++) { M[j * n + i] = i == j ? R(1.0) : R(0.0); }
    }
    return vary_factor(x->t, M, n);
}

// The innermost coordinate that moves a body; TAC_NONE if none does.
static uint16_t vary_innermost(const tac_mechanism *k, uint16_t self)
{
    while (k->body[self].axes == 0 && mechanism_hangs(k, self)) { self = k->body[self].parent; }
    return k->body[self].axes > 0 ? (uint16_t)(k->body[self].first + k->body[self].axes - 1) : TAC_NONE;
}

// Of one right side.
static void vary_answer_one(const vary_step *x, real *b)
{
    const tac_varied *t = x->t;
    const size_t n = t->mechanism.coordinates;
    const real *a = x->q->table[0];
    for (size_t at = n; at-- > 0;) {
        const size_t c = t->order[at];
        for (size_t i = t->up[c]; i != TAC_NONE; i = t->up[i]) { b[i] -= a[i * n + c] * b[c]; }
    }
    for (size_t at = 0; at < n; at++) {
        const size_t c = t->order[at];
        for (size_t i = t->up[c]; i != TAC_NONE; i = t->up[i]) { b[c] -= a[c * n + i] * b[i]; }
        b[c] /= a[c * n + c];
    }
}

static void vary_answer(const vary_step *x, real *b, size_t wide, uint32_t columns)
{
    vary_solve(x->t, x->q->table[0], x->t->mechanism.coordinates, b, wide, columns);
}

#define VARY_NEWTON 3 // corrections of the rates, at most; each leaves a part of the order of the angle of the step,
#define VARY_LEAVES R(16.0)                                   // no more than this many times the angle
#define VARY_NEAR (TAC_REAL_BITS == 32 ? R(1e-3) : R(1e-6))   // of the rates: less need not be corrected
#define VARY_STILL (TAC_REAL_BITS == 32 ? R(1e-7) : R(1e-10)) // rad: a motion that changes by less stays as it is

// Returns 0 if the rates need no further correction: if the motion of the step does not change, or if what this one
// leaves makes no difference. Leaves what the rates lack.
static int vary_correct(const vary_step *x)
{
    const tac_mechanism *k = &x->t->mechanism;
    real *r = x->q->value, *left = x->q->entering, most = R(0.0), size = R(0.0), turn = R(0.0), moves = R(0.0);
    vary_value(x, r, left);
    vary_answer_one(x, left);
    for (uint32_t at = 0; at < k->bodies; at++) {
        const tac_mechanism_body *b = &k->body[k->order[at]];
        const tac_varied_body *v = &x->t->body[k->order[at]];
        const int about = mechanism_free(b) ? 7 << 3 : b->turns;
        if (v->acts && v->held) { left[b->first] = r[b->first] - v->lead; }
        for (int i = 0; i < b->axes; i++) {
            const real change = real_abs(left[b->first + i]), rate = real_abs(r[b->first + i]);
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
    lu_madd(r, R(-1.0), left, k->coordinates);
    vary_move(x->m, x->s, x->w, x->t, r);
    if (VARY_LEAVES * x->m->h * (turn + most) * most > VARY_NEAR * size) { return 1; }
    vary_value(x, r, left);
    return 0;
}

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

// Entries of the coordinate i of a body of a tree, and of those that carry it.
static void vary_enter(const vary_step *x, uint16_t self, int own)
{
    tac_varied *t = x->t;
    const tac_mechanism_body *b = &t->mechanism.body[self];
    const size_t i = (size_t)b->first + (size_t)own;
    const tac_varied_axis *a = &t->axis[i];
    real *K = vary_matrix(x), pushed[6], pushes[6];
    vary_push_place(b, &t->body[self], a, pushed);
    vary_push_rate(b, &t->body[self], a->by_rate, pushes);
    for (int j = 0; j < b->axes; j++) {
        K[((size_t)b->first + (size_t)j) * VARY_STRIDE + i] = six_dot(t->axis[b->first + j].start, pushes);
        *vary_side(x, VARY_Q, (size_t)b->first + (size_t)j, i) = -vary_own(x->m, t, self, j, own, pushed);
    }
    for (size_t j = t->up[b->first]; j != TAC_NONE; j = t->up[j]) {
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
        real turn[3] = {R(0.0), R(0.0), R(0.0)}, speed[3] = {R(0.0), R(0.0), R(0.0)};
        vary_lag(x->m, x->t, self, 0, turn, speed);
        *vary_side(x, VARY_V, i, i) -= v3_dot(v3_of(speed), six_angular(x->t->axis[i].start));
    }
}

// The matrix of the residual by mean rates, and the right sides of q and v: minus its change by these. Mean rates
// change by nearly as much as v does: that of v is without what such a change takes.
static void vary_assemble(const vary_step *x)
{
    tac_varied *t = x->t;
    const tac_mechanism *k = &t->mechanism;
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
    for (size_t i = 0; i < k->coordinates; i++) {
        const real *row = &vary_matrix(x)[i * VARY_STRIDE];
        *vary_side(x, VARY_V, i, i) -= row[i];
        for (size_t j = t->up[i]; j != TAC_NONE; j = t->up[j]) {
            *vary_side(x, VARY_V, i, j) -= row[j];
            *vary_side(x, VARY_V, j, i) -= vary_matrix(x)[j * VARY_STRIDE + i];
        }
    }
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

// The rates of the step, from those of the velocities in delta_v, and the matrix there. The mass matrix is near enough
// to correct them.
static void vary_find(const vary_step *x)
{
    int more = 1;
    vary_move(x->m, x->s, x->w, x->t, x->q->value);
    for (int i = 0; i < VARY_NEWTON && more; i++) { more = vary_correct(x); }
    if (more) { vary_value(x, x->q->value, x->q->entering); }
    vary_subtrees(x->m, x->s, x->t);
    vary_assemble(x);
}

// ------------------------------------------------------------------------------------------------------ the next state

// Of a free root: places and velocities at the end by its own rotation i, without the rates that it changes, and by the
// rate of this; three numbers of each.
typedef struct vary_ends {
    vec3 place, speed;
} vary_ends;

static vary_ends vary_root_end(const vary_step *x, uint16_t self, int i, int what)
{
    const tac_varied_body *v = &x->t->body[self];
    const tac_varied_axis *a = &x->t->axis[x->t->mechanism.body[self].first + i];
    const real h = x->m->h;
    const vec3 axis = V3_AXIS[i % 3], inertia = x->m->body[self].inertia;
    vary_ends y = {V3_ZERO, V3_ZERO};
    if (v->alone) {
        vec3 dl = V3_ZERO, mean;
        if (what == VARY_Q) {
            dl = v3_components(x->t->mechanism.body[self].axis,
                               v3_cross(v3_sub(v->give[1], v->own[1]), six_angular(a->start)));
        }
        if (what == VARY_V) { dl = v3_mul(inertia, axis); }
        vary_alone(x->m, x->t, self, dl, what == VARY_R ? axis : V3_ZERO, &mean, &y.speed);
        y.place = vary_right(v3_scale(h, v->w), v3_scale(h, mean));
        if (what == VARY_Q) { y.place = v3_add(y.place, v3_components(v->axis, six_angular(a->start))); }
    } else if (what == VARY_Q) {
        y.place = v3_components(v->axis, six_angular(a->start));
    } else if (what == VARY_R) {
        const vec3 rate = six_angular(a->by_rate);
        y.place = v3_scale(h, v3_components(v->axis, rate));
        y.speed = v3_components(v->axis, v3_combine(v->by_end, rate));
    }
    return y;
}

// Where a root is, and how fast it moves as a whole, makes no difference to anything else.
static void vary_next_centre(const vary_step *x, uint16_t self, real *A, size_t wide)
{
    const tac_varied_body *v = &x->t->body[self];
    const size_t first = x->t->mechanism.body[self].first, n = x->t->mechanism.coordinates;
    const real h = x->m->h, part = v->alone && !v->straight ? R(0.5) * h : h;
    for (size_t i = first; i < first + 3; i++) {
        A[i * wide + i] = R(1.0);
        A[i * wide + n + i] = h - part;
        x->t->axis[i].ends = v3_scale(part, V3_AXIS[i - first]);
        for (size_t k = first; k < first + 3; k++) { vary_by_rate(x, k)[i] = i == k ? R(1.0) : R(0.0); }
    }
}

static void vary_next_root(const vary_step *x, uint16_t self, real *A, size_t wide)
{
    const size_t n = x->t->mechanism.coordinates, row = x->t->mechanism.body[self].first + 3u;
    vary_next_centre(x, self, A, wide);
    for (size_t i = 0; i < 3; i++) {
        for (int what = VARY_Q; what <= VARY_R; what++) {
            const size_t column = row + i + (what == VARY_V ? n : 0);
            const vary_ends y = vary_root_end(x, self, (int)i + 3, what);
            real place[3], speed[3];
            v3_put(place, y.place);
            v3_put(speed, y.speed);
            if (what == VARY_R) { x->t->axis[row + i].ends = y.place; }
            for (size_t k = 0; k < 3; k++) {
                if (what == VARY_R) {
                    vary_by_rate(x, row + k)[column] = speed[k];
                } else {
                    A[(row + k) * wide + column] = place[k];
                    A[(n + row + k) * wide + column] = speed[k];
                }
            }
        }
    }
}

// The coordinates of a joint at the end of the step, by these at its start and by their rates.
static void vary_next_places(const vary_step *x, uint16_t self, real *A, size_t wide)
{
    const tac_mechanism_body *b = &x->t->mechanism.body[self];
    const real h = x->m->h;
    for (size_t j = 0; j < b->axes; j++) {
        tac_varied_axis *a = &x->t->axis[b->first + j];
        real ends[3] = {R(0.0), R(0.0), R(0.0)};
        for (size_t i = 0; i < b->axes; i++) {
            real *to = &A[(b->first + i) * wide + b->first + j];
            ends[i] = i == j ? h : R(0.0);
            *to = i == j ? R(1.0) : R(0.0);
            if (JOINT_OF(x->m)[b->joint].kind != TAC_SPHERICAL) { continue; }
            const vec3 axis = vary_axis_end(x->m, x->t, b, (int)i);
            ends[i] = h * v3_dot(axis, six_angular(a->by_rate));
            *to = v3_dot(axis, v3_madd(six_angular(a->start), h, six_angular(a->by_place)));
        }
        a->ends = v3_of(ends);
    }
}

// Its rates.
static void vary_next_joint(const vary_step *x, uint16_t self, real *A, size_t wide)
{
    tac_varied *t = x->t;
    const tac_mechanism *k = &t->mechanism;
    const tac_mechanism_body *b = &k->body[self];
    const size_t n = k->coordinates, i = b->first;
    if (vary_hinges(b)) {
        const vec3 own = vary_hinge(x->m, t, self);
        real *by_rate = vary_by_rate(x, i), *by_place = &A[(n + i) * wide];
        by_rate[i] = v3_dot(own, six_angular(t->axis[i].by_rate));
        by_place[i] = v3_dot(own, six_angular(t->axis[i].by_place));
        for (size_t j = t->up[i]; j != TAC_NONE; j = t->up[j]) {
            by_rate[j] = v3_dot(t->axis[i].of_end, six_angular(t->axis[j].by_rate));
            by_place[j] = v3_dot(t->axis[i].of_end, six_angular(t->axis[j].by_place));
        }
        return;
    }
    for (uint16_t on = self, more = b->axes > 0; more; on = k->body[on].parent) {
        for (size_t j = k->body[on].first; j < (size_t)k->body[on].first + k->body[on].axes; j++) {
            real by_place[3], by_rate[3];
            vary_rates_by(x->m, x->s, x->w, t, self, on, &t->axis[j], VARY_Q, by_place);
            vary_rates_by(x->m, x->s, x->w, t, self, on, &t->axis[j], VARY_R, by_rate);
            for (size_t a = 0; a < b->axes; a++) {
                A[(n + i + a) * wide + j] = by_place[a];
                vary_by_rate(x, i + a)[j] = by_rate[a];
            }
        }
        more = (uint16_t)mechanism_hangs(k, on);
    }
}

// The derivative of the next state by q and v at fixed rates, into A, and by the rates. Trees see v in the rates alone.
static void vary_next(const vary_step *x, real *A, size_t wide)
{
    const tac_mechanism *k = &x->t->mechanism;
    reals_clear(A, wide * wide * sizeof *A);
    for (uint32_t at = 0; at < k->bodies; at++) {
        const uint16_t self = k->order[at];
        if (mechanism_free(&k->body[self])) {
            vary_next_root(x, self, A, wide);
        } else {
            vary_next_places(x, self, A, wide);
            vary_next_joint(x, self, A, wide);
        }
    }
}

// What changes of the rates, in the right sides, add to so many columns of the next state. A position follows the rates
// of its own root or joint alone, a velocity those of its path; that of a root's centre is a rate.
static void vary_follow(const vary_step *x, real *out, uint32_t columns)
{
    const tac_varied *t = x->t;
    const tac_mechanism *k = &t->mechanism;
    const size_t n = k->coordinates;
    for (uint32_t at = 0; at < k->bodies; at++) {
        const tac_mechanism_body *b = &k->body[k->order[at]];
        for (size_t i = b->first; i < (size_t)b->first + b->axes; i++) {
            const int free = mechanism_free(b), moves = free && i < (size_t)b->first + 3;
            const size_t first = b->first + (free && !moves ? 3u : 0u);
            lu_row place = lu_row_of(&out[i * columns], columns), speed = lu_row_of(&out[(n + i) * columns], columns);
            for (size_t j = first; j < first + (free ? 3u : b->axes); j++) {
                real ends[3];
                v3_put(ends, t->axis[j].ends);
                lu_row_add(&place, ends[i - first], vary_sides(x, j));
                lu_row_add(&speed, !moves || i == j ? vary_by_rate(x, i)[j] : R(0.0), vary_sides(x, j));
            }
            for (size_t j = free ? TAC_NONE : t->up[b->first]; j != TAC_NONE; j = t->up[j]) {
                lu_row_add(&speed, vary_by_rate(x, i)[j], vary_sides(x, j));
            }
            lu_row_end(&place);
            lu_row_end(&speed);
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

// The rates at the end of the velocities that are in delta_v, as the joints stand at the start; and the mechanism.
static void vary_started(const vary_step *x, real *v)
{
    tac_mechanism *k = &x->t->mechanism;
    tac_twist *twist = x->w->phase.began;
    for (uint16_t i = 0; i < x->m->bodies; i++) {
        const tac_twist *t = &x->s->twist[i], *g = &x->w->delta_v[i];
        twist[i] = (tac_twist){v3_add(t->v, g->v), v3_add(t->w, g->w)};
    }
    mechanism_place(x->m, x->s->pose, k);
    mechanism_velocities(twist, k);
    for (uint32_t at = 0; at < k->bodies; at++) {
        coordinates_rates(twist, k, k->order[at], v + k->body[k->order[at]].first);
    }
    vary_begin(x->m, x->s, x->input, x->t);
}

#endif

#endif
