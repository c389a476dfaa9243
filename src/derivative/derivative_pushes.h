// SPDX-License-Identifier: MIT
// derivative_pushes.h - what the position projection adds to the derivative of positions at the end.
//   given   pushes of contacts; the Jacobians of these and their responses; columns of points and normals
//   makes   the change of the positions at the end by that of all pushes
//   bound   for each contact the sweeps of the step over all; for each coordinate a visit to all bodies and contacts
//   never   changes velocities
#ifndef DERIVATIVE_DERIVATIVE_PUSHES_H
#define DERIVATIVE_DERIVATIVE_PUSHES_H

#include "derivative_laws.h"

#if TAC_MAX_LCP > 0

#define DERIVATIVE_U VARY_R // a column of inputs, beside VARY_Q and VARY_V

// Pushes of the position projection by the normal velocities that they are to reach: sweeps over W of the normals, with
// the compliance of untangle.h where there are joints, as many as the step may make. They are right of the matrix
// of the laws.
static real *derivative_pushes(const vary_step *x, uint32_t count, uint32_t i)
{
    return x->q->F[i] + 3 * count;
}

static real derivative_alone(const vary_step *x, const tac_contact *c)
{
    const uint16_t body[2] = {c->body_a, c->body_b};
    real sum = R(0.0);
    for (int side = 0; side < 2; side++) {
        const tac_body *b = &x->m->body[body[side]];
        if (!mechanism_moves(x->m, body[side])) { continue; }
        const vec3 arm = v3_cross(v3_sub(c->point, x->s->pose[body[side]].p), c->n);
        const vec3 own = v3_components(x->t->mechanism.body[body[side]].axis, arm);
        sum += R(1.0) / b->mass + v3_dot(own, vary_inverse(b->inertia, own));
    }
    return sum;
}

static void derivative_push_matrix(const vary_step *x, uint32_t count)
{
    const uint32_t n = x->t->mechanism.coordinates;
    for (uint32_t i = 0; i < count; i++) {
        real *row = derivative_pushes(x, count, i);
        const int pushed = derivative_stored(x->q, i)[DERIVATIVE_PUSH] > R(0.0);
        for (uint32_t j = 0; j < count; j++) {
            row[j] = R(0.0);
            for (uint32_t c = 0; c < n && pushed; c++) {
                row[j] += derivative_answers(x, c)[3 * i] * derivative_impulses(x, c)[3 * j];
            }
        }
        if (pushed && JOINT_COUNT(x->m) > 0) { row[i] += UNTANGLE_SOFT * derivative_alone(x, &x->w->contact[i]); }
    }
}

// Gauss-Seidel's iteration as the step makes it, for a need of 1 of one contact: where it has not converged, the
// positions at the end show that.
static void derivative_push(const vary_step *x, uint32_t count, uint32_t needs, real *push)
{
    const int sweeps = JOINT_COUNT(x->m) > 0 ? UNTANGLE_SWEEPS : project_passes(x->m, x->w);
    reals_clear(push, count * sizeof *push);
    for (int sweep = 0; sweep < sweeps; sweep++) {
        for (uint32_t i = 0; i < count; i++) {
            const real *row = derivative_pushes(x, count, i), need = i == needs ? R(1.0) : R(0.0);
            if (row[i] > R(0.0)) { push[i] -= lu_sum(-need, row, push, count) / row[i]; }
        }
    }
}

// The pushes by all needs, in place of the matrix of the laws, which is factored and used by now: one need a row.
static void derivative_push_all(const vary_step *x, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) { derivative_push(x, count, i, x->q->F[i]); }
}

// The pushes g of a step move the bodies by h s, A s = J'g, on top of a pseudo-velocity p that they have before: that
// of free rotation and free flight. A position changes what they do:
//      A ds = y + J'dg,   y = dJ'g - dA s,     (W + soft) dg = d need - dJ (s + p) - J dp - d soft g - z'y.
// Velocities and inputs change need and p alone. The need of a contact that bears no force follows u_n: nothing holds
// it. Of the bodies of trees p is left out. The right sides of ds are to the right of the matrix K.
static real *derivative_push_sides(const vary_step *x, size_t row)
{
    return vary_matrix(x) + row * VARY_STRIDE + x->t->mechanism.coordinates;
}

static int derivative_pushes_any(const vary_step *x, uint32_t count)
{
    int any = 0;
    for (uint32_t i = 0; i < count; i++) { any |= derivative_stored(x->q, i)[DERIVATIVE_PUSH] > R(0.0); }
    return any;
}

static int derivative_moved_along(const vary_step *x, uint16_t self)
{
    const tac_varied_body *v = &x->t->body[self];
    return !(v->acts && v->held);
}

static real derivative_pushed_rate(const vary_step *x, uint32_t count, uint32_t coordinate)
{
    real rate = R(0.0);
    for (uint32_t i = 0; i < count; i++) {
        rate += derivative_answers(x, coordinate)[3 * i] * derivative_stored(x->q, i)[DERIVATIVE_PUSH];
    }
    return rate;
}

// Of a body, about the centre of its tree: `residual` is its part of s, `sum` the momentum that s gives it, `load` the
// wrench of its pushes; the last two then of its subtree.
static void derivative_pushed_body(const vary_step *x, uint32_t count, uint16_t self)
{
    const tac_mechanism *k = &x->t->mechanism;
    const tac_mechanism_body *b = &k->body[self];
    tac_varied_body *v = &x->t->body[self];
    six_set(v->load, V3_ZERO, V3_ZERO);
    six_set(v->residual, V3_ZERO, V3_ZERO);
    if (mechanism_hangs(k, self)) { six_copy(v->residual, x->t->body[b->parent].residual); }
    for (uint32_t i = b->first; i < (uint32_t)b->first + b->axes && derivative_moved_along(x, self); i++) {
        six_add(v->residual, derivative_pushed_rate(x, count, i), x->t->axis[i].start);
    }
    const vec3 w = six_angular(v->residual);
    v->pushed = v3_components(b->axis, w);
    const vec3 p = v3_scale(x->m->body[self].mass, v3_add(six_linear(v->residual), v3_cross(w, b->arm)));
    const vec3 spin = v3_mul(x->m->body[self].inertia, v3_components(b->axis, w));
    six_set(v->sum, v3_add(v3_combine(b->axis, spin), v3_cross(b->arm, p)), p);
}

static void derivative_pushed(const vary_step *x, uint32_t count)
{
    const tac_mechanism *k = &x->t->mechanism;
    for (uint32_t at = 0; at < k->bodies; at++) { derivative_pushed_body(x, count, k->order[at]); }
    for (uint32_t i = 0; i < count; i++) {
        const tac_contact *c = &x->w->contact[i];
        const vec3 force = v3_scale(derivative_stored(x->q, i)[DERIVATIVE_PUSH], c->n);
        const uint16_t body[2] = {c->body_a, c->body_b};
        for (int side = 0; side < 2; side++) {
            if (!mechanism_moves(x->m, body[side])) { continue; }
            real wrench[6];
            six_set(wrench, v3_cross(v3_sub(c->point, x->s->pose[k->body[body[side]].tree].p), force), force);
            six_add(x->t->body[body[side]].load, side ? R(1.0) : R(-1.0), wrench);
        }
    }
    for (uint32_t at = k->bodies; at-- > 0;) {
        const tac_varied_body *v = &x->t->body[k->order[at]];
        if (!mechanism_hangs(k, k->order[at])) { continue; }
        tac_varied_body *p = &x->t->body[k->body[k->order[at]].parent];
        six_add(p->load, R(1.0), v->load);
        six_add(p->sum, R(1.0), v->sum);
    }
}

// Of s, what the coordinate does not carry: it carries its subtree, and motions of its own joint that turn with it.
static void derivative_still(const vary_step *x, uint32_t count, uint16_t on, uint32_t coordinate, real *still)
{
    const tac_mechanism_body *b = &x->t->mechanism.body[on];
    six_copy(still, x->t->body[on].residual);
    for (uint32_t i = b->first; i < (uint32_t)b->first + b->axes && derivative_moved_along(x, on); i++) {
        if (!vary_turns(x->m, b, (int)(i - b->first), (int)(coordinate - b->first))) { continue; }
        six_add(still, -derivative_pushed_rate(x, count, i), x->t->axis[i].start);
    }
}

// A wrench that is carried along by a motion.
static void derivative_carry(const real *motion, const real *wrench, real *to)
{
    const vec3 w = six_angular(motion), force = six_linear(wrench);
    six_set(to, v3_add(v3_cross(w, six_angular(wrench)), v3_cross(six_linear(motion), force)), v3_cross(w, force));
}

// -dA s, and what J' has because its motions turn: along motions that turn with the coordinate, and along those that
// carry it. `lost`: what carried bodies lose, since s is partly not carried.
static void derivative_push_coordinates(const vary_step *x, uint16_t on, uint32_t coordinate, const real *lost,
                                        real *to)
{
    const tac_mechanism *k = &x->t->mechanism;
    const real *start = x->t->axis[coordinate].start;
    real above[6], turned[6], carried[6];
    six_rigid_mul(k->body[on].inertia, lost, above);
    derivative_carry(start, x->t->body[on].sum, carried);
    six_sub(above, carried);
    for (uint32_t at = 0; at < k->bodies; at++) {
        const uint16_t self = k->order[at];
        const tac_mechanism_body *b = &k->body[self];
        const tac_varied_body *v = &x->t->body[self];
        if (!v->within || !derivative_moved_along(x, self)) { continue; }
        six_rigid_mul(b->inertia, lost, turned);
        derivative_carry(start, v->load, carried);
        if (!v->alone) { six_sub(turned, carried); } // alone: derivative_wrench()
        for (uint32_t i = b->first; i < (uint32_t)b->first + b->axes; i++) {
            const int turns = self != on || vary_turns(x->m, b, (int)(i - b->first), (int)(coordinate - b->first));
            to[i] += six_dot(x->t->axis[i].start, turns ? turned : above);
        }
    }
    for (uint16_t up = on; mechanism_hangs(k, up);) {
        up = k->body[up].parent;
        const tac_mechanism_body *b = &k->body[up];
        for (uint32_t i = b->first; i < (uint32_t)b->first + b->axes && derivative_moved_along(x, up); i++) {
            to[i] += six_dot(x->t->axis[i].start, above);
        }
    }
}

// Change of the compliance of a contact by that of its arm and normal on a body, to which both are relative.
static real derivative_softens(const vary_step *x, const tac_contact *c, const derivative_motion *d,
                               const derivative_moved *at, int side)
{
    const uint16_t self = side ? c->body_b : c->body_a;
    const vec3 *axis = x->t->mechanism.body[self].axis, r = v3_sub(c->point, x->s->pose[self].p);
    const vec3 arm = v3_cross(r, c->n), slid = v3_sub(at->point, d->of[side]);
    const vec3 moved = v3_cross(v3_add(slid, v3_cross(d->turned[side], r)), c->n);
    const vec3 change = v3_sub(v3_add(moved, v3_cross(r, at->normal)), v3_cross(d->turned[side], arm));
    const vec3 weighed = vary_inverse(x->m->body[self].inertia, v3_components(axis, arm));
    return JOINT_COUNT(x->m) > 0 ? R(2.0) * UNTANGLE_SOFT * v3_dot(weighed, v3_components(axis, change)) : R(0.0);
}

// The pseudo-velocity of a body by itself before the projection, world frame, at the arm r from its centre.
static vec3 derivative_drift(const vary_step *x, uint16_t self, vec3 r, vec3 *w)
{
    const tac_varied_body *v = &x->t->body[self];
    *w = V3_ZERO;
    if (!mechanism_moves(x->m, self) || !v->alone) { return V3_ZERO; }
    *w = v3_combine(x->t->mechanism.body[self].axis, v3_sub(v->w, v->end));
    const vec3 way = v->straight ? V3_ZERO : v3_scale(R(-0.5) / x->m->body[self].mass, v->give[0]);
    return v3_add(way, v3_cross(*w, r));
}

// dJ p of a contact by a position, where p is carried along with the body.
static real derivative_drift_carried(const vary_step *x, const tac_contact *c, const derivative_motion *d,
                                     const derivative_moved *at, int side)
{
    const uint16_t self = side ? c->body_b : c->body_a;
    const vec3 r = v3_sub(c->point, x->s->pose[self].p), turn = d->turned[side];
    vec3 w;
    const vec3 p = derivative_drift(x, self, r, &w);
    const vec3 slid = v3_add(v3_sub(at->point, d->of[side]), v3_cross(turn, r));
    const vec3 spin = v3_add(v3_cross(v3_cross(turn, w), r), v3_cross(w, slid));
    return v3_dot(at->normal, p) + v3_dot(c->n, spin);
}

// J dp of a contact by a column: what else it changes of the rotation that free flight adds.
static real derivative_drift_changes(const vary_step *x, const tac_contact *c, int what, uint32_t coordinate,
                                     uint32_t column)
{
    const uint16_t body[2] = {c->body_a, c->body_b};
    real rate = R(0.0);
    for (int side = 0; side < 2; side++) {
        const uint16_t self = body[side];
        const tac_mechanism_body *b = &x->t->mechanism.body[self];
        const tac_varied_body *v = &x->t->body[self];
        if (!mechanism_moves(x->m, self) || !v->alone) { continue; }
        const uint32_t first = b->first + 3u;
        vec3 dl = V3_ZERO, mean, end;
        if (coordinate >= first && coordinate < first + 3) {
            const vec3 turn = b->axis[coordinate - first], given = v3_sub(v->give[1], v->own[1]);
            if (what == VARY_Q) { dl = v3_components(b->axis, v3_cross(given, turn)); }
            if (what == VARY_V) { dl = v3_mul(x->m->body[self].inertia, V3_AXIS[coordinate - first]); }
            if (what == DERIVATIVE_U) { dl = v3_scale(x->m->h, V3_AXIS[coordinate - first]); }
        }
        const vec3 dw =
            v3(vary_sides(x, first)[column], vary_sides(x, first + 1)[column], vary_sides(x, first + 2)[column]);
        vary_alone(x->m, x->t, self, dl, dw, &mean, &end);
        const vec3 arm = v3_cross(v3_sub(c->point, x->s->pose[self].p), c->n);
        rate += (side ? R(1.0) : R(-1.0)) * v3_dot(arm, v3_combine(b->axis, v3_sub(mean, end)));
    }
    return rate;
}

// Adds dJ'g of a contact to the right side. Returns dJ (s + p) + d soft g.
static real derivative_push_contact(const vary_step *x, uint32_t i, uint32_t coordinate, const real *still, real *to)
{
    const tac_contact *c = &x->w->contact[i];
    const real *start = x->t->axis[coordinate].start, push = derivative_stored(x->q, i)[DERIVATIVE_PUSH];
    const uint16_t body[2] = {c->body_a, c->body_b};
    const int moves[2] = {derivative_moves(x, c->body_a), derivative_moves(x, c->body_b)};
    if (push == R(0.0) || (!moves[0] && !moves[1])) { return R(0.0); }
    derivative_motion d;
    derivative_motion_of(x, c, &x->t->axis[coordinate], moves, &d);
    const derivative_moved at = derivative_contact_moves(x, i, &d);
    real rate = R(0.0);
    for (int side = 0; side < 2; side++) {
        const tac_varied_body *v = &x->t->body[body[side]];
        if (!mechanism_moves(x->m, body[side])) { continue; }
        derivative_wrench(x, c, &d, side, v3_scale(push, c->n), at.point, v3_scale(push, at.normal), to);
        const vec3 arm = v3_sub(c->point, x->s->pose[x->t->mechanism.body[body[side]].tree].p);
        const vec3 w = six_angular(v->residual);
        vec3 change = v3_cross(w, at.point);
        if (v->within) {
            real own[6], carried[6];
            six_copy(own, v->residual);
            six_sub(own, still);
            vary_cross(start, own, carried);
            change = v3_add(change, v3_add(six_linear(carried), v3_cross(six_angular(carried), arm)));
        }
        const vec3 speed = v3_add(six_linear(v->residual), v3_cross(w, arm));
        rate += (side ? R(1.0) : R(-1.0)) * (v3_dot(at.normal, speed) + v3_dot(c->n, change));
        rate += (side ? R(1.0) : R(-1.0)) * derivative_drift_carried(x, c, &d, &at, side);
        rate += push * derivative_softens(x, c, &d, &at, side);
    }
    return rate;
}

// y of a coordinate; `need` then is the right side of dg.
static void derivative_push_change(const vary_step *x, uint32_t count, uint16_t on, uint32_t coordinate, real *change,
                                   real *need)
{
    const tac_mechanism *k = &x->t->mechanism;
    real still[6], lost[6];
    reals_clear(change, k->coordinates * sizeof *change);
    derivative_still(x, count, on, coordinate, still);
    vary_cross(x->t->axis[coordinate].start, still, lost);
    derivative_push_coordinates(x, on, coordinate, lost, change);
    for (uint32_t i = 0; i < count; i++) { need[i] -= derivative_push_contact(x, i, coordinate, still, change); }
    for (uint32_t at = 0; at < k->bodies; at++) {
        if (!derivative_moved_along(x, k->order[at])) { change[k->body[k->order[at]].first] = R(0.0); }
    }
    for (uint32_t c = 0; c < k->coordinates; c++) {
        for (uint32_t i = 0; i < count; i++) { need[i] -= derivative_answers(x, c)[3 * i] * change[c]; }
    }
}

// d need of a contact by a column.
static real derivative_need(const vary_step *x, uint32_t count, uint32_t i, int what, uint32_t coordinate,
                            uint32_t column)
{
    const tac_varied_contact *k = &x->t->contact[i];
    const real *ends = derivative_ends(x, count, i);
    real rate = what == VARY_Q ? (R(1.0) - k->asks) * derivative_gap(x, i)[coordinate] / x->m->h : R(0.0);
    if (!k->bears) {
        if (what != DERIVATIVE_U) { rate += vary_seen_in(x, what, coordinate)[3 * i]; }
        if (what == VARY_V) { rate -= ends[coordinate]; }
        for (uint32_t c = 0; c < x->t->mechanism.coordinates; c++) { rate += ends[c] * vary_sides(x, c)[column]; }
    }
    return -derivative_stored(x->q, i)[DERIVATIVE_PART] * rate;
}

// How the pushes of the position projection change by a column, and the right side of what they move.
static void derivative_project_one(const vary_step *x, uint32_t count, int what, uint16_t on, uint32_t coordinate,
                                   uint32_t column)
{
    real *push = x->q->z, *need = x->q->w, *change = x->q->entering;
    const uint32_t n = x->t->mechanism.coordinates;
    for (uint32_t i = 0; i < count; i++) {
        need[i] = derivative_need(x, count, i, what, coordinate, column) -
                  derivative_drift_changes(x, &x->w->contact[i], what, coordinate, column);
    }
    reals_clear(change, n * sizeof *change);
    if (what == VARY_Q) { derivative_push_change(x, count, on, coordinate, change, need); }
    reals_clear(push, count * sizeof *push);
    for (uint32_t i = 0; i < count; i++) { lu_madd(push, need[i], x->q->F[i], count); }
    for (uint32_t c = 0; c < n; c++) {
        real sum = change[c];
        for (uint32_t i = 0; i < count; i++) { sum += derivative_impulses(x, c)[3 * i] * push[i]; }
        derivative_push_sides(x, c)[coordinate] = sum;
    }
}

// Of a body, its rows: the rotation of a root ends with exp(h (W + s)).
static void derivative_projected(const vary_step *x, uint16_t self, uint32_t first, uint32_t columns, real *out,
                                 size_t wide)
{
    const tac_mechanism_body *b = &x->t->mechanism.body[self];
    const tac_varied_body *v = &x->t->body[self];
    const vec3 turn = v3_scale(x->m->h, v3_add(v->w, v->pushed));
    const size_t shifts = mechanism_free(b) ? 3 : b->axes;
    for (size_t i = 0; i < shifts; i++) {
        lu_madd(out + (b->first + i) * wide, x->m->h, derivative_push_sides(x, b->first + i) + first, columns);
    }
    for (size_t i = 0; i < b->axes - shifts; i++) {
        real by[3];
        v3_put(by, vary_right(turn, V3_AXIS[i]));
        for (size_t k = 0; k < 3; k++) {
            real *to = out + (b->first + 3 + k) * wide;
            lu_madd(to, x->m->h * by[k], derivative_push_sides(x, b->first + 3 + i) + first, columns);
        }
    }
}

// What they add to so many columns of the positions at the end, from the coordinate `first` on: by positions or
// velocities, of which the changes of rates have n columns each, or by inputs.
static void derivative_project(const vary_step *x, uint32_t count, int what, uint32_t first, uint32_t columns,
                               real *out, size_t wide)
{
    const tac_mechanism *k = &x->t->mechanism;
    for (uint32_t at = 0; at < k->bodies; at++) {
        const tac_mechanism_body *b = &k->body[k->order[at]];
        derivative_within(x, k->order[at]);
        for (uint32_t i = b->first; i < (uint32_t)b->first + b->axes; i++) {
            const uint32_t column = i - first + (what == VARY_V ? k->coordinates : 0);
            if (i >= first) { derivative_project_one(x, count, what, k->order[at], i, column); }
        }
    }
    vary_answer(x, derivative_push_sides(x, 0), VARY_STRIDE, k->coordinates);
    for (uint32_t at = 0; at < k->bodies; at++) {
        if (derivative_moved_along(x, k->order[at])) {
            derivative_projected(x, k->order[at], first, columns, out, wide);
        }
    }
}

#endif

#endif
