// SPDX-License-Identifier: MIT
// vary_rates.h - the mean rates of a step, which balance momenta and efforts along all coordinates.
//   given   model, state, input; the links of a step; velocities at its end in delta_v
//   makes   the mechanism, placed; the mass matrix with what yields, factored; mean rates
//   bound   VARY_NEWTON corrections, each a visit to all bodies and the solution of one right side
//   never   differentiates
#ifndef DERIVATIVE_VARY_RATES_H
#define DERIVATIVE_VARY_RATES_H

#include "vary_efforts.h"
#include "vary_paths.h"

#if TAC_MAX_LCP > 0

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

// The rates of the step, from those of the velocities in delta_v. The mass matrix is near enough to correct them.
static void vary_find(const vary_step *x)
{
    int more = 1;
    vary_move(x->m, x->s, x->w, x->t, x->q->value);
    for (int i = 0; i < VARY_NEWTON && more; i++) { more = vary_correct(x); }
    if (more) { vary_value(x, x->q->value, x->q->entering); }
}

#endif

#endif
