// SPDX-License-Identifier: MIT
// vary_behind.h - the velocities that a step has left in a tree of joints, as functions of its coordinates.
//   given   a mechanism before it moves; what acts along coordinates; velocities at the start, beside the joints or not
//   makes   are they those of a step that ended here; then right sides of q and of v with their changes
//   bound   VARY_BEHIND motions of all bodies; for each coordinate two visits to its tree; coordinates^3
//   never   is called by a world without joints
#ifndef DERIVATIVE_VARY_BEHIND_H
#define DERIVATIVE_VARY_BEHIND_H

#include "vary_next.h"

#if TAC_MAX_LCP > 0

// A step ends with the velocities of its finite motion, which lie beside the joints of the place where it ends: those
// of a pendulum point along the chord. They are what the step that leads back from there by the mean rates p of the
// last one would begin with, turned round (README.md): the same functions as those of vary_motion.h, at -p.
//      V = -mean_v(q, -p),   I w = -start_l(q, -p),   v = rates(q, V)
// So where q and v change, p changes by dp = R^-1 (dv - Z dq), R and Z the derivatives of v by p and q, and V by both.

#define VARY_BEHIND 12                                      // corrections of the mean rates behind, at most;
#define VARY_SAME (TAC_REAL_BITS == 32 ? R(1e-5) : R(1e-9)) // of the rates: smaller ones end them
#define VARY_JOINED (R(64.0) * REAL_EPSILON) // velocities that leave the joints by less than this part lie on them

// ------------------------------------------------------------------------------------------------- the motion behind

// The velocities at the start by the motion behind it.
static void vary_behind_twists(const vary_step *x, tac_twist *twist)
{
    reals_copy(twist, x->s->twist, x->m->bodies * sizeof *twist);
    for (uint32_t at = 0; at < x->tree->bodies; at++) {
        const uint16_t self = x->tree->order[at];
        const tac_varied_body *v = &x->t->body[self];
        if (v->alone) { continue; }
        const vec3 w = vary_inverse(x->m->body[self].inertia, v->start_l_b);
        twist[self] = (tac_twist){v3_scale(R(-1.0), v->mean_v), v3_scale(R(-1.0), w)};
    }
}

// Twice the kinetic energy, in trees of joints, of the difference of the velocities at the start and others.
static real vary_behind_apart(const vary_step *x, const tac_twist *twist)
{
    real sum = R(0.0);
    for (uint32_t at = 0; at < x->tree->bodies; at++) {
        const uint16_t self = x->tree->order[at];
        const tac_body *body = &x->m->body[self];
        tac_twist off;
        twist_madd(&x->s->twist[self], R(-1.0), &twist[self], &off);
        if (!x->t->body[self].alone) { sum += free_product(body->mass, body->inertia, &off, &off); }
    }
    return sum;
}

// The velocities on the joints that have these rates, about O.
static void vary_behind_join(const vary_step *x, const real *rate, tac_twist *twist)
{
    for (uint32_t at = 0; at < x->tree->bodies; at++) {
        const uint16_t self = x->tree->order[at];
        const tac_mechanism_body *b = &x->tree->body[self];
        real *on = x->t->body[self].column_motion;
        six_copy(on, b->velocity);
        if (!mechanism_free(b)) {
            const int hangs = mechanism_hangs(x->tree, self);
            if (!hangs) { mechanism_base(x->s->twist, x->tree, b->parent, self); }
            six_copy(on, hangs ? x->t->body[b->parent].column_motion : x->tree->body[b->parent].velocity);
            for (int i = 0; i < b->axes; i++) { six_add(on, rate[b->first + i], b->s[i]); }
        }
        twist[self] = (tac_twist){vary_velocity(on, b->arm), v3_components(b->axis, six_angular(on))};
    }
}

// The mean rates behind, by their part of the rates at the start, which they nearly are. Leaves minus them in push[].
static void vary_behind_find(vary_step *x, tac_twist *twist)
{
    real *back = x->push, *now = x->column;
    const real *rate = x->need;
    int more = 1;
    for (uint32_t i = 0; i < x->n; i++) { back[i] = -rate[i]; }
    for (int round = 0; round < VARY_BEHIND && more; round++) {
        real most = R(0.0), size = R(0.0);
        vary_move(x, back);
        vary_behind_twists(x, twist);
        coordinates_velocities(x->m, x->s->pose, twist, x->tree, now);
        for (uint32_t i = 0; i < x->n; i++) {
            most = real_max(most, real_abs(now[i] - rate[i]));
            size = real_max(size, real_abs(rate[i]));
        }
        more = most > VARY_SAME * size && round + 1 < VARY_BEHIND;
        for (uint32_t i = 0; i < x->n && more; i++) { back[i] += now[i] - rate[i]; }
    }
}

// ------------------------------------------------------------------------------------------------------------ columns

// Bodies at the start as vary_end_rates() sees those at the end, once their motions behind are known.
static void vary_behind_stand(vary_step *x)
{
    for (uint32_t at = 0; at < x->tree->bodies; at++) {
        const uint16_t self = x->tree->order[at];
        const tac_mechanism_body *b = &x->tree->body[self];
        tac_varied_body *v = &x->t->body[self];
        if (v->alone) { continue; }
        v->behind_arm = v->end_arm;
        v->end_arm = b->arm;
        v->mean_v = x->s->twist[self].v;
        v->end_w = v3_combine(b->axis, x->s->twist[self].w);
        v->turn = QUAT_ONE;
        v->shift = V3_ZERO;
    }
    x->span = R(0.0);
}

// Of a body that the coordinate moves: the change of its velocity, and of its momentum, about its centre, beyond what
// vary_columns.h has: that velocities turn with the body and change by u, or do not change by rates.
static void vary_behind_body(const vary_step *x, uint16_t self, const tac_varied_axis *a, int what)
{
    const tac_mechanism_body *b = &x->tree->body[self];
    const vec3 inertia = x->m->body[self].inertia;
    tac_varied_body *v = &x->t->body[self];
    const int places = what == VARY_Q;
    const real *d = places ? a->place_d : a->rate_d, sign = places ? R(-1.0) : R(1.0);
    vec3 change = v3_scale(sign, vary_velocity(d, v->behind_arm));
    vec3 l = v3_scale(sign, v3_combine(v->dstart_l, six_angular(d)));
    const vec3 spin = v3_combine(b->axis, vary_inverse(inertia, v3_components(b->axis, l)));
    v->column_change = (tac_twist){change, spin};
    if (places) {
        const vec3 turn = six_angular(a->s), by = v3_components(b->axis, six_angular(a->place_u));
        six_copy(v->column_motion, a->s);
        v->column_change.v = v3_add(change, v3_cross(turn, v->mean_v));
        v->column_change.w = v3_add(spin, v3_cross(turn, v->end_w));
        change = v3_sub(change, vary_velocity(a->place_u, b->arm));
        l = v3_sub(l, v3_combine(b->axis, v3_mul(inertia, by)));
    }
    six_set(v->phase.rates.residual, l, v3_scale(x->m->body[self].mass, change));
}

// Changes of all bodies of the tree of `on` by one of the coordinates of that body.
static void vary_behind_bodies(const vary_step *x, uint16_t on, const tac_varied_axis *a, int what)
{
    const uint16_t tree = x->tree->body[on].tree;
    for (uint32_t at = 0; at < x->tree->bodies; at++) {
        const uint16_t self = x->tree->order[at];
        tac_varied_body *v = &x->t->body[self];
        if (x->tree->body[self].tree != tree) { continue; }
        v->moved = self == on || (mechanism_hangs(x->tree, self) && x->t->body[x->tree->body[self].parent].moved);
        six_set(v->column_motion, V3_ZERO, V3_ZERO);
        six_set(v->phase.rates.residual, V3_ZERO, V3_ZERO);
        v->column_change = (tac_twist){V3_ZERO, V3_ZERO};
        if (v->moved) { vary_behind_body(x, self, a, what); }
    }
}

// What an effort that follows the excess of free rotation adds.
static real vary_behind_lag(const vary_step *x, uint16_t self)
{
    const tac_mechanism_body *b = &x->tree->body[self];
    const vec3 axis = mechanism_axis(x->tree, b, 0);
    const uint16_t body[2] = {b->parent, self};
    real sum = R(0.0);
    for (int side = 0; side < 2; side++) {
        if (!mechanism_moves(x->m, body[side])) { continue; }
        const tac_varied_body *v = &x->t->body[body[side]];
        const vec3 excess = v3_combine(v->dexcess_dl, six_angular(v->phase.rates.residual));
        sum += (side ? R(1.0) : R(-1.0)) * v3_dot(axis, excess);
    }
    return x->t->body[self].effort.lag * sum;
}

// What the momenta of the column add to the equations of its tree.
static void vary_behind_equations(const vary_step *x, uint16_t on, real *to)
{
    const uint16_t tree = x->tree->body[on].tree;
    for (uint32_t at = x->tree->bodies; at-- > 0;) {
        const uint16_t self = x->tree->order[at];
        if (x->tree->body[self].tree != tree) { continue; }
        real *sum = x->t->body[self].phase.rates.subtree;
        const real *own = x->t->body[self].phase.rates.residual;
        const vec3 force = six_linear(own);
        six_set(sum, v3_add(six_angular(own), v3_cross(x->tree->body[self].arm, force)), force);
    }
    for (uint32_t at = x->tree->bodies; at-- > 0;) {
        const uint16_t self = x->tree->order[at];
        const tac_mechanism_body *b = &x->tree->body[self];
        if (b->tree != tree) { continue; }
        const real *sum = x->t->body[self].phase.rates.subtree;
        mechanism_components(b, sum, to + b->first);
        if (x->t->body[self].effort.lag > R(0.0)) { to[b->first] += vary_behind_lag(x, self); }
        if (mechanism_hangs(x->tree, self)) { six_add(x->t->body[b->parent].phase.rates.subtree, R(1.0), sum); }
    }
}

// The changes of the rates at the start in this column.
static void vary_behind_rates(const vary_step *x, uint16_t on, vary_block rates, size_t column)
{
    for (uint32_t at = 0; at < x->tree->bodies; at++) {
        const uint16_t self = x->tree->order[at];
        const tac_mechanism_body *b = &x->tree->body[self];
        const tac_varied_body *v = &x->t->body[self];
        real change[6];
        if (b->tree != x->tree->body[on].tree || !v->moved) { continue; }
        if (mechanism_free(b)) { // of a root in its principal frame
            const vec3 spin = v3_sub(v->column_change.w, v3_cross(six_angular(v->column_motion), v->end_w));
            six_set(change, v->column_change.v, v3_components(b->axis, spin));
        } else {
            vary_end_rates(x, self, change);
        }
        for (size_t i = 0; i < b->axes; i++) { vary_row(rates, b->first + i)[column] = change[i]; }
    }
}

// R and Z, with 1 beside Z, and what momenta add to equations, one column a row: by p, and by q at fixed p.
static void vary_behind_columns(const vary_step *x, vary_block R_, vary_block Z, vary_block by_rate,
                                vary_block by_place)
{
    for (size_t i = 0; i < x->n; i++) {
        reals_clear(vary_row(R_, i), x->n * sizeof(real));
        reals_clear(vary_row(Z, i), 2 * x->n * sizeof(real));
        reals_clear(vary_row(by_rate, i), x->n * sizeof(real));
        reals_clear(vary_row(by_place, i), x->n * sizeof(real));
        vary_row(R_, i)[i] = vary_row(Z, i)[x->n + i] = R(1.0);
    }
    for (uint32_t at = 0; at < x->tree->bodies; at++) {
        const uint16_t on = x->tree->order[at];
        const tac_mechanism_body *b = &x->tree->body[on];
        for (size_t j = b->first; j < (size_t)b->first + b->axes && !x->t->body[on].alone; j++) {
            vary_behind_bodies(x, on, &x->t->axis[j], VARY_Q);
            vary_behind_equations(x, on, vary_row(by_place, j));
            vary_behind_rates(x, on, Z, j);
            vary_behind_bodies(x, on, &x->t->axis[j], VARY_R);
            vary_behind_equations(x, on, vary_row(by_rate, j));
            vary_behind_rates(x, on, R_, j);
        }
    }
}

// Right sides of v where the matrix of masses would be, and what right sides of q have besides, in dend. Returns 0 if
// the rates of a step say nothing about those at its end.
static int vary_behind_sides(const vary_step *x)
{
    const vary_block Z = x->drates, by_rate = x->push_side, by_place = x->dend, sides = x->response;
    vary_behind_columns(x, x->K, Z, by_rate, by_place);
    if (!vary_factor(x->t, x->K)) { return 0; }
    vary_solve(x, x->K, Z, 2 * x->n);
    for (size_t j = 0; j < x->n; j++) {
        reals_clear(vary_row(sides, j), x->n * sizeof(real));
        lu_row place = lu_row_of(vary_row(by_place, j), x->n), side = lu_row_of(vary_row(sides, j), x->n);
        for (size_t k = 0; k < x->n; k++) {
            lu_row_add(&place, -vary_row(Z, k)[j], vary_row(by_rate, k));
            lu_row_add(&side, vary_row(Z, k)[x->n + j], vary_row(by_rate, k));
        }
        lu_row_end(&place);
        lu_row_end(&side);
    }
    for (uint32_t at = 0; at < x->tree->bodies; at++) {
        const tac_mechanism_body *b = &x->tree->body[x->tree->order[at]];
        if (!mechanism_free(b) && b->axes == 1) { vary_row(sides, b->first)[b->first] += b->armature; }
    }
    for (size_t j = 0; j < x->n; j++) {
        reals_copy(vary_row(x->side[VARY_V], j), vary_row(sides, j), x->n * sizeof(real));
    }
    return 1;
}

// Are the velocities at the start nearer to those of a step that ended here than to those on the joints? Then the right
// sides follow them. Returns 0 if these have no answer.
static int vary_behind(vary_step *x)
{
    tac_twist *twist = x->w->phase.began;
    x->follows = 0;
    x->apart = R(0.0);
    if (JOINT_COUNT(x->m) == 0) { return 1; }
    phase_take(x->w, TAC_PHASE_BEGAN);
    reals_clear(twist, x->m->bodies * sizeof *twist);
    const real all = vary_behind_apart(x, twist);
    coordinates_velocities(x->m, x->s->pose, x->s->twist, x->tree, x->need);
    vary_behind_join(x, x->need, twist);
    const real joined = vary_behind_apart(x, twist);
    if (!(joined > VARY_JOINED * VARY_JOINED * all)) { return 1; }
    x->span = -x->m->h;
    vary_behind_find(x, twist);
    const real left = vary_behind_apart(x, twist);
    x->follows = left < joined;
    x->apart = all > R(0.0) ? (x->follows ? left : joined) / all : R(0.0);
    if (x->follows) {
        for (uint32_t at = 0; at < x->tree->bodies; at++) {
            const uint16_t self = x->tree->order[at];
            if (x->t->body[self].alone) { continue; }
            vary_spins(x, self);
            for (int i = 0; i < x->tree->body[self].axes; i++) {
                vary_motions(x, self, i, &x->t->axis[x->tree->body[self].first + i]);
            }
        }
        vary_behind_stand(x);
    }
    const int answers = !x->follows || vary_behind_sides(x);
    x->span = x->m->h;
    return answers;
}

#endif

#endif
