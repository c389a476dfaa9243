// SPDX-License-Identifier: MIT
// vary.h - one step of a mechanism and its derivative, as matrices: the rates that it finds, and how they and the next
// state change.
//   given   model, state, input; the links of a step
//   makes   mean rates; the matrix of the lack by r, factored; columns of the next state by q, v and inputs
//   bound   coordinates^3/3 multiplications, and the columns
//   never   knows a contact
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
    int bears; // contacts and bounded efforts have the impulses that the step has found; else they have none
} vary_step;

// The matrix of the lack by the mean rates, in the scratch of a problem.
static real *vary_matrix(const vary_step *x)
{
    return x->q->table[0];
}

#define VARY_STRIDE (TAC_MAX_LCP + 1)

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
        vec3 row[3];
        vary_rotation(x->m->h, inertia, v->flight, row);
        for (int i = 0; i < 3; i++) {
            const vec3 dw = v3_components(row, V3_AXIS[i]);
            v->lands[i] = vary_ended(x->m->h, inertia, v->flight, v->flown, V3_AXIS[i], dw);
            v->drift[i] = v3_sub(dw, v->lands[i]);
        }
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
        const vec3 force = six_linear(v->lack);
        six_set(v->sum, v3_add(six_angular(v->lack), v3_cross(b->arm, force)), force);
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

// The derivative of these by r.
static void vary_assemble(const vary_step *x)
{
    const tac_mechanism *k = &x->t->mechanism;
    real *matrix = vary_matrix(x);
    for (uint32_t row = 0; row < k->coordinates; row++) {
        reals_clear(&matrix[row * VARY_STRIDE], k->coordinates * sizeof *matrix);
    }
    for (uint32_t at = 0; at < k->bodies; at++) {
        const uint16_t self = k->order[at];
        const tac_mechanism_body *b = &k->body[self];
        for (int i = 0; i < b->axes; i++) {
            vary_change c;
            vary_change_of(x->m, x->t, self, i, VARY_R, &c);
            vary_column(x->m, x->t, &c, matrix + b->first + i, VARY_STRIDE);
        }
    }
    for (uint32_t at = 0; at < k->bodies; at++) {
        const tac_mechanism_body *b = &k->body[k->order[at]];
        const tac_varied_body *v = &x->t->body[k->order[at]];
        real *row = &matrix[b->first * (size_t)VARY_STRIDE];
        if (!v->acts) { continue; }
        if (v->held) { reals_clear(row, k->coordinates * sizeof *row); }
        row[b->first] += v->held ? R(1.0) : v->slope;
    }
}

// Returns 0 if it is singular.
static int vary_factor(const vary_step *x)
{
    return lu_factor(vary_matrix(x), x->t->mechanism.coordinates, VARY_STRIDE, x->q->basic);
}

static void vary_solve(const vary_step *x, real *b)
{
    lu_back(vary_matrix(x), x->t->mechanism.coordinates, VARY_STRIDE, x->q->basic, b);
}

// The same where the elements of b are `step` apart.
static void vary_solve_apart(const vary_step *x, real *b, size_t step)
{
    const size_t n = x->t->mechanism.coordinates;
    real *column = x->q->z;
    for (size_t i = 0; i < n; i++) { column[i] = b[i * step]; }
    vary_solve(x, column);
    for (size_t i = 0; i < n; i++) { b[i * step] = column[i]; }
}

// The mass matrix with what yields along coordinates, factored. Coordinates that are led stay as they are: their
// columns are those of 1, and their rows too unless these are to answer for the others.
static int vary_mass(const vary_step *x, int answers)
{
    tac_mechanism *k = &x->t->mechanism;
    const size_t n = k->coordinates;
    real *M = x->q->table[0];
    dynamics_mass_matrix(x->m, k, M);
    for (uint32_t at = 0; at < k->bodies; at++) {
        const tac_mechanism_body *b = &k->body[k->order[at]];
        const tac_varied_body *v = &x->t->body[k->order[at]];
        const size_t i = b->first;
        if (!v->acts) { continue; }
        M[i * n + i] += v->slope - v->rotor; // the rotor is in both
        for (size_t j = 0; j < n && v->held; j++) {
            M[j * n + i] = i == j ? R(1.0) : R(0.0);
            if (!answers) { M[i * n + j] = M[j * n + i]; }
        }
    }
    return lu_factor(M, (uint32_t)n, n, x->q->basic);
}

#define VARY_NEWTON 3 // corrections of the rates; each leaves a part of the order of the angle of the step

// The rates of the step, from those of the velocities in delta_v, and the matrix there. The mass matrix is near enough
// to correct them. Returns 0 if it is singular.
static int vary_find(const vary_step *x)
{
    tac_mechanism *k = &x->t->mechanism;
    real *r = x->q->value, *left = x->q->entering;
    if (!vary_mass(x, 0)) { return 0; }
    vary_move(x->m, x->s, x->w, x->t, r);
    for (int i = 0; i < VARY_NEWTON; i++) {
        vary_value(x, r, left);
        lu_back(x->q->table[0], k->coordinates, k->coordinates, x->q->basic, left);
        for (uint32_t j = 0; j < k->coordinates; j++) { r[j] -= left[j]; }
        vary_move(x->m, x->s, x->w, x->t, r);
    }
    vary_value(x, r, left);
    for (uint32_t at = 0; at < k->bodies; at++) {
        if (!x->t->body[k->order[at]].alone) { vary_maps(x->m, x->s, x->t, k->order[at]); }
    }
    vary_assemble(x);
    return 1;
}

// The derivative of the next state by the rates, 2 n rows of n, from row `first` of F on.
static void vary_lead(const vary_step *x, uint32_t first)
{
    const tac_mechanism *k = &x->t->mechanism;
    for (uint32_t at = 0; at < k->bodies; at++) {
        const tac_mechanism_body *b = &k->body[k->order[at]];
        for (int i = 0; i < b->axes; i++) {
            vary_change c;
            vary_change_of(x->m, x->t, k->order[at], i, VARY_R, &c);
            vary_next(x->m, x->s, x->w, x->t, &c, x->q->F[first] + b->first + i, TAC_MAX_LCP);
        }
    }
}

// What a change of the rates adds to a column of the next state. A position follows the rates of its own root or joint
// alone.
static void vary_follow(const vary_step *x, uint32_t first, const real *dr, real *out, size_t step)
{
    const tac_mechanism *k = &x->t->mechanism;
    const size_t n = k->coordinates;
    for (uint32_t at = 0; at < k->bodies; at++) {
        const tac_mechanism_body *b = &k->body[k->order[at]];
        for (size_t i = b->first; i < (size_t)b->first + b->axes; i++) {
            const real *place = x->q->F[first + i], *rate = x->q->F[first + n + i];
            real sum = out[i * step];
            for (size_t j = b->first; j < (size_t)b->first + b->axes; j++) { sum += place[j] * dr[j]; }
            out[i * step] = sum;
            out[(n + i) * step] = lu_sum(out[(n + i) * step], rate, dr, (uint32_t)n);
        }
    }
}

// The right-hand side of a column of q or v: minus the change of the lack and of efforts.
static void vary_state(const vary_step *x, uint16_t self, int axis, int what, vary_change *c, real *to)
{
    vary_change_of(x->m, x->t, self, axis, what, c);
    reals_clear(to, x->t->mechanism.coordinates * sizeof *to);
    vary_column(x->m, x->t, c, to, 1);
}

static void vary_right_side(const vary_step *x, const vary_change *c, real *to)
{
    const tac_mechanism *k = &x->t->mechanism;
    for (size_t row = 0; row < k->coordinates; row++) { to[row] = -to[row]; }
    for (uint32_t at = 0; at < k->bodies; at++) {
        const uint16_t self = k->order[at];
        const tac_varied_body *v = &x->t->body[self];
        real *row = &to[k->body[self].first];
        if (!v->acts) { continue; }
        if (v->held) { *row = R(0.0); }
        if (self != c->body) { continue; }
        if (v->held) { *row = c->what == VARY_Q ? v->follows : R(0.0); }
        if (!v->held) { *row += c->what == VARY_Q ? -v->pull : v->rotor; }
    }
}

// Free roots: their coordinates come first.
static uint32_t vary_roots(const tac_mechanism *k)
{
    uint32_t roots = 0;
    for (uint32_t at = 0; at < k->bodies; at++) { roots += (uint32_t)mechanism_free(&k->body[k->order[at]]); }
    return roots;
}

// The coordinate of an effort: of all, or of those of joints alone.
static uint32_t vary_input_of(const tac_mechanism *k, int wrenches, uint32_t input)
{
    return input + (wrenches ? 0 : 6 * vary_roots(k));
}

// Its right-hand side.
static void vary_input(const vary_step *x, uint32_t coordinate, real *to)
{
    const tac_mechanism *k = &x->t->mechanism;
    reals_clear(to, k->coordinates * sizeof *to);
    to[coordinate] = x->m->h;
    for (uint32_t at = 0; at < k->bodies; at++) {
        const tac_varied_body *v = &x->t->body[k->order[at]];
        if (v->acts && v->held) { to[k->body[k->order[at]].first] = R(0.0); }
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
