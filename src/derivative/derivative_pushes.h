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

// The pushes g of a step move the bodies by h s, A s = J'g, on top of a pseudo-velocity p that they have before: that
// of free rotation and free flight. A position changes what they do:
//      A ds = y + J'dg,   y = dJ'g - dA s,     (W + soft) dg = d need - dJ (s + p) - J dp - d soft g - z'y.
// Without joints A is that of bodies of at least project_least().
// Velocities and inputs change need and p alone. The need of a contact that opens follows u_n: derivative_opens(). Of
// the bodies of trees p is left out. W is that of the normals, soft the compliance of project.h with joints.

// ----------------------------------------------------------------------------------------------------- pushes by needs

// Has the position projection pushed anything?
static int derivative_pushes_any(const vary_step *x)
{
    int any = 0;
    for (uint32_t i = 0; i < x->k; i++) { any |= derivative_push(x, i) > R(0.0); }
    return any;
}

// By how much a body is lighter than it is to the projection.
static real derivative_light(const vary_step *x, uint16_t self)
{
    const real least = project_least(x->m, x->w);
    return x->m->body[self].mass < least ? x->m->body[self].mass / least : R(1.0);
}

// n'M^-1 n of one of the bodies of a contact, if no joints hold it.
static real derivative_alone(const vary_step *x, const tac_contact *c, int side)
{
    const uint16_t self = derivative_body(c, side);
    const tac_body *b = &x->m->body[self];
    if (!mechanism_moves(x->m, self)) { return R(0.0); }
    const vec3 arm = v3_cross(v3_sub(c->point, x->s->pose[self].p), c->n);
    const vec3 own = v3_components(x->tree->body[self].axis, arm);
    return R(1.0) / b->mass + v3_dot(own, vary_inverse(b->inertia, own));
}

// W + soft.
static void derivative_push_matrix(const vary_step *x)
{
    for (uint32_t i = 0; i < x->k; i++) {
        real *row = vary_row(x->pushed, i);
        const tac_contact *c = &x->w->contact[i];
        const int pushed = derivative_push(x, i) > R(0.0);
        for (uint32_t j = 0; j < x->k; j++) {
            row[j] = R(0.0);
            for (uint32_t l = 0; l < x->n && pushed; l++) {
                row[j] += vary_row(x->answer, l)[3 * i] * vary_row(x->jacobian, l)[3 * j];
            }
        }
        if (pushed && JOINT_COUNT(x->m) > 0) {
            row[i] += PROJECT_SOFT * (derivative_alone(x, c, 0) + derivative_alone(x, c, 1));
        }
    }
}

// Pushes by a need of 1 of one contact, by Gauss-Seidel's iteration as the step makes it: where it has not converged,
// the positions at the end show that. They take the place of the matrix of the laws, which is used up.
static void derivative_push_by_need(const vary_step *x, uint32_t needs)
{
    const int sweeps = project_passes(x->m, x->w, JOINT_COUNT(x->m) > 0);
    real *push = vary_row(x->W, needs);
    reals_clear(push, x->k * sizeof *push);
    for (int sweep = 0; sweep < sweeps; sweep++) {
        for (uint32_t i = 0; i < x->k; i++) {
            const real *row = vary_row(x->pushed, i), need = i == needs ? R(1.0) : R(0.0);
            if (row[i] > R(0.0)) { push[i] -= lu_sum(-need, row, push, x->k) / row[i]; }
        }
    }
}

// ---------------------------------------------------------------------------------------------------- motion by pushes

// s along a coordinate.
static real derivative_push_rate(const vary_step *x, uint32_t coordinate)
{
    real rate = R(0.0);
    for (uint32_t i = 0; i < x->k; i++) { rate += vary_row(x->answer, coordinate)[3 * i] * derivative_push(x, i); }
    return rate;
}

// Motion by s and momentum of a body about O, without its subtree.
static void derivative_push_body(const vary_step *x, uint16_t self)
{
    const tac_mechanism_body *b = &x->tree->body[self];
    const tac_body *body = &x->m->body[self];
    tac_varied_body *v = &x->t->body[self];
    real *motion = v->phase.push.motion;
    six_set(v->phase.push.load, V3_ZERO, V3_ZERO);
    six_set(motion, V3_ZERO, V3_ZERO);
    if (mechanism_hangs(x->tree, self)) { six_copy(motion, x->t->body[b->parent].phase.push.motion); }
    for (uint32_t i = b->first; i < (uint32_t)b->first + b->axes && !v->effort.held; i++) {
        six_add(motion, derivative_push_rate(x, i), x->t->axis[i].s);
    }
    v->push_w_b = v3_components(b->axis, six_angular(motion));
    const vec3 p = v3_scale(body->mass, vary_velocity(motion, b->arm));
    const vec3 spin = v3_combine(b->axis, v3_mul(body->inertia, v->push_w_b));
    real momentum[6];
    six_set(momentum, v3_add(spin, v3_cross(b->arm, p)), p);
    six_set(v->phase.push.momentum, V3_ZERO, V3_ZERO);
    six_add(v->phase.push.momentum, R(1.0) / derivative_light(x, self), momentum);
}

// Those of all bodies, with the pushes on them; momenta and pushes then of subtrees.
static void derivative_push_bodies(const vary_step *x)
{
    for (uint32_t at = 0; at < x->tree->bodies; at++) { derivative_push_body(x, x->tree->order[at]); }
    for (uint32_t i = 0; i < 2 * x->k; i++) {
        const tac_contact *c = &x->w->contact[i / 2];
        const uint16_t self = derivative_body(c, i % 2);
        if (!mechanism_moves(x->m, self)) { continue; }
        const vec3 force = v3_scale(derivative_push(x, i / 2), c->n);
        derivative_load(x, c, i % 2, force, x->t->body[self].phase.push.load);
    }
    for (uint32_t at = x->tree->bodies; at-- > 0;) {
        const tac_varied_body *v = &x->t->body[x->tree->order[at]];
        if (!mechanism_hangs(x->tree, x->tree->order[at])) { continue; }
        tac_varied_body *p = &x->t->body[x->tree->body[x->tree->order[at]].parent];
        six_add(p->phase.push.load, R(1.0), v->phase.push.load);
        six_add(p->phase.push.momentum, R(1.0), v->phase.push.momentum);
    }
}

// -------------------------------------------------------------------------------------------------------------- dA, dJ

// Notes which bodies the coordinates of the body `on` move.
static void derivative_mark(const vary_step *x, uint16_t on)
{
    for (uint32_t at = 0; at < x->tree->bodies; at++) {
        const uint16_t self = x->tree->order[at];
        const int hangs = mechanism_hangs(x->tree, self);
        x->t->body[self].moved = self == on || (hangs && x->t->body[x->tree->body[self].parent].moved);
    }
}

// Of s, what the coordinate does not carry: it carries its subtree, and motions of its own joint that turn with it.
static void derivative_still(const vary_step *x, uint16_t on, uint32_t coordinate, real *still)
{
    const tac_mechanism_body *b = &x->tree->body[on];
    const tac_varied_body *v = &x->t->body[on];
    six_copy(still, v->phase.push.motion);
    for (uint32_t i = b->first; i < (uint32_t)b->first + b->axes && !v->effort.held; i++) {
        if (!vary_turns(x, b, (int)(i - b->first), (int)(coordinate - b->first))) { continue; }
        six_add(still, -derivative_push_rate(x, i), x->t->axis[i].s);
    }
}

// Adds -dA s, and what J' has because its motions turn: along motions that turn with the coordinate, and along those
// that carry it. `lost`: what carried bodies lose, since s is partly not carried.
static void derivative_push_coordinates(const vary_step *x, uint16_t on, uint32_t coordinate, const real *lost,
                                        real *to)
{
    const real *start = x->t->axis[coordinate].s;
    real above[6], turned[6], carried[6];
    six_rigid_mul(x->tree->body[on].inertia, lost, above);
    vary_cross_force(start, x->t->body[on].phase.push.momentum, carried);
    six_add(above, R(-1.0), carried);
    for (uint32_t at = 0; at < x->tree->bodies; at++) {
        const uint16_t self = x->tree->order[at];
        const tac_mechanism_body *b = &x->tree->body[self];
        const tac_varied_body *v = &x->t->body[self];
        if (!v->moved || v->effort.held) { continue; }
        six_rigid_mul(b->inertia, lost, turned);
        vary_cross_force(start, v->phase.push.load, carried);
        if (!v->alone) { six_add(turned, R(-1.0), carried); } // alone: derivative_wrench()
        for (uint32_t i = b->first; i < (uint32_t)b->first + b->axes; i++) {
            const int turns = self != on || vary_turns(x, b, (int)(i - b->first), (int)(coordinate - b->first));
            to[i] += six_dot(x->t->axis[i].s, turns ? turned : above);
        }
    }
    for (uint16_t up = on; mechanism_hangs(x->tree, up);) {
        up = x->tree->body[up].parent;
        const tac_mechanism_body *b = &x->tree->body[up];
        for (uint32_t i = b->first; i < (uint32_t)b->first + b->axes && !x->t->body[up].effort.held; i++) {
            to[i] += six_dot(x->t->axis[i].s, above);
        }
    }
}

// d soft of a contact by that of its arm and normal on a body, to which both are relative.
static real derivative_soft(const vary_step *x, const tac_contact *c, const derivative_motion *d,
                            const derivative_moved *at, int side)
{
    const uint16_t self = derivative_body(c, side);
    const vec3 *axis = x->tree->body[self].axis, r = v3_sub(c->point, x->s->pose[self].p);
    const vec3 arm = v3_cross(r, c->n), slid = v3_sub(at->point, d->way[side]);
    const vec3 moved = v3_cross(v3_add(slid, v3_cross(d->turn[side], r)), c->n);
    const vec3 change = v3_sub(v3_add(moved, v3_cross(r, at->normal)), v3_cross(d->turn[side], arm));
    const vec3 weighed = vary_inverse(x->m->body[self].inertia, v3_components(axis, arm));
    return JOINT_COUNT(x->m) > 0 ? R(2.0) * PROJECT_SOFT * v3_dot(weighed, v3_components(axis, change)) : R(0.0);
}

// dJ p of a contact by a position on a body that is alone, where p is carried along with it.
static real derivative_carried(const vary_step *x, const tac_contact *c, const derivative_motion *d,
                               const derivative_moved *at, int side)
{
    const uint16_t self = derivative_body(c, side);
    const tac_varied_body *v = &x->t->body[self];
    const vec3 r = v3_sub(c->point, x->s->pose[self].p), turn = d->turn[side];
    vec3 w = V3_ZERO, p = V3_ZERO;
    if (mechanism_moves(x->m, self) && v->alone) {
        w = v3_combine(x->tree->body[self].axis, v3_sub(v->mean_w_b, v->end_w_b));
        const vec3 fall = v3_scale(R(-0.5) / x->m->body[self].mass, v->given.force);
        p = v3_add(v->straight ? V3_ZERO : fall, v3_cross(w, r));
    }
    const vec3 slid = v3_add(v3_sub(at->point, d->way[side]), v3_cross(turn, r));
    const vec3 spin = v3_add(v3_cross(v3_cross(turn, w), r), v3_cross(w, slid));
    return v3_dot(at->normal, p) + v3_dot(c->n, spin);
}

// J dp of a contact by a column: what else it changes of the rotation that free flight adds, and of the mean velocity
// less that at the end.
static real derivative_free_change(const vary_step *x, const tac_contact *c, int what, uint32_t coordinate,
                                   uint32_t column)
{
    real rate = R(0.0);
    for (int side = 0; side < 2; side++) {
        const uint16_t self = derivative_body(c, side);
        const tac_mechanism_body *b = &x->tree->body[self];
        if (!mechanism_moves(x->m, self) || !x->t->body[self].alone) { continue; }
        const uint32_t first = b->first + 3u;
        const int own = coordinate >= first && coordinate < first + 3;
        const vec3 dl = own ? vary_alone_dl(x, self, (int)(coordinate - first), what) : V3_ZERO;
        const vec3 dw = v3(vary_row(x->drates, first)[column], vary_row(x->drates, first + 1)[column],
                           vary_row(x->drates, first + 2)[column]);
        vec3 mean, end;
        vary_alone(x, self, dl, dw, &mean, &end);
        const vec3 arm = v3_cross(v3_sub(c->point, x->s->pose[self].p), c->n);
        const vec3 dv = v3(vary_row(x->drates, b->first)[column], vary_row(x->drates, b->first + 1u)[column],
                           vary_row(x->drates, b->first + 2u)[column]);
        const real fall = x->t->body[self].straight || what == VARY_V ? R(0.0) : R(0.5) * v3_dot(c->n, dv);
        rate += (side ? R(1.0) : R(-1.0)) * (v3_dot(arm, v3_combine(b->axis, v3_sub(mean, end))) - fall);
    }
    return rate;
}

// Adds dJ'g of a contact to the right side. Returns dJ (s + p) + d soft g.
static real derivative_push_contact(const vary_step *x, uint32_t i, uint32_t coordinate, const real *still, real *to)
{
    const tac_contact *c = &x->w->contact[i];
    const real *start = x->t->axis[coordinate].s, push = derivative_push(x, i);
    int moves[2];
    for (int side = 0; side < 2; side++) {
        const uint16_t self = derivative_body(c, side);
        moves[side] = mechanism_moves(x->m, self) && x->t->body[self].moved;
    }
    if (push == R(0.0) || (!moves[0] && !moves[1])) { return R(0.0); }
    derivative_motion d;
    derivative_motion_of(x, c, &x->t->axis[coordinate], moves, &d);
    const derivative_moved at = derivative_moves(x, i, &d);
    real rate = R(0.0);
    for (int side = 0; side < 2; side++) {
        const uint16_t self = derivative_body(c, side);
        const real *motion = x->t->body[self].phase.push.motion, sign = side ? R(1.0) : R(-1.0);
        if (!mechanism_moves(x->m, self)) { continue; }
        derivative_wrench(x, c, &d, side, v3_scale(push, c->n), at.point, v3_scale(push, at.normal), to);
        const vec3 arm = derivative_arm(x, self, c->point);
        vec3 change = v3_cross(six_angular(motion), at.point);
        if (moves[side]) {
            real own[6], carried[6];
            six_copy(own, motion);
            six_add(own, R(-1.0), still);
            vary_cross_motion(start, own, carried);
            change = v3_add(change, vary_velocity(carried, arm));
        }
        rate += sign * (v3_dot(at.normal, vary_velocity(motion, arm)) + v3_dot(c->n, change));
        rate += sign * derivative_carried(x, c, &d, &at, side);
        rate += push * derivative_soft(x, c, &d, &at, side);
    }
    return rate;
}

// y of a coordinate into `change`; `need` then is the right side of dg.
static void derivative_push_change(const vary_step *x, uint16_t on, uint32_t coordinate, real *change, real *need)
{
    real still[6], lost[6];
    derivative_still(x, on, coordinate, still);
    vary_cross_motion(x->t->axis[coordinate].s, still, lost);
    for (int i = 0; i < 6; i++) { lost[i] /= derivative_light(x, on); }
    derivative_push_coordinates(x, on, coordinate, lost, change);
    for (uint32_t i = 0; i < x->k; i++) { need[i] -= derivative_push_contact(x, i, coordinate, still, change); }
    vary_clear_held(x, (vary_block){change, 1}, 1);
    for (uint32_t c = 0; c < x->n; c++) {
        for (uint32_t i = 0; i < x->k; i++) { need[i] -= vary_row(x->answer, c)[3 * i] * change[c]; }
    }
}

// ------------------------------------------------------------------------------------------------------------- columns

// d need of a contact by a column.
static real derivative_need(const vary_step *x, uint32_t i, int what, uint32_t coordinate, uint32_t column)
{
    const tac_varied_contact *k = &x->t->contact[i];
    const real *closing = vary_row(x->closing, i);
    real rate = what == VARY_Q ? (R(1.0) - k->asks) * vary_row(x->gap, i)[coordinate] / x->m->h : R(0.0);
    if (derivative_opens(k)) {
        if (what != VARY_U) { rate += vary_row(x->seen[what], coordinate)[3 * i]; }
        if (what == VARY_V) { rate -= closing[coordinate]; }
        for (uint32_t c = 0; c < x->n; c++) { rate += closing[c] * vary_row(x->drates, c)[column]; }
    }
    return -derivative_kept(x, i)[DERIVATIVE_PART] * rate;
}

// The right side of ds by changes of needs and by y, in column[].
static void derivative_push_side(const vary_step *x, uint32_t coordinate)
{
    real *push = x->push;
    reals_clear(push, x->k * sizeof *push);
    for (uint32_t i = 0; i < x->k; i++) { lu_madd(push, x->need[i], vary_row(x->W, i), x->k); }
    for (uint32_t c = 0; c < x->n; c++) {
        real sum = x->column[c];
        for (uint32_t i = 0; i < x->k; i++) { sum += vary_row(x->jacobian, c)[3 * i] * push[i]; }
        vary_row(x->push_side, c)[coordinate] = sum;
    }
}

// The same by a column of A or B.
static void derivative_push_column(const vary_step *x, int what, uint16_t on, uint32_t coordinate, uint32_t column)
{
    real *need = x->need, *change = x->column;
    for (uint32_t i = 0; i < x->k; i++) {
        need[i] = derivative_need(x, i, what, coordinate, column) -
                  derivative_free_change(x, &x->w->contact[i], what, coordinate, column);
    }
    reals_clear(change, x->n * sizeof *change);
    if (what == VARY_Q) { derivative_push_change(x, on, coordinate, change, need); }
    derivative_push_side(x, coordinate);
}

// Adds ds of a body to its positions at the end: the rotation of a root ends with exp(h (W + s)).
static void derivative_push_next(const vary_step *x, uint16_t self, uint32_t first, uint32_t columns, vary_block out)
{
    const tac_mechanism_body *b = &x->tree->body[self];
    const size_t shifts = mechanism_free(b) ? 3 : b->axes;
    const real way = x->m->h * derivative_light(x, self);
    for (size_t i = b->first; i < b->first + shifts; i++) {
        lu_madd(vary_row(out, i), way, vary_row(x->push_side, i) + first, columns);
    }
    for (size_t i = 0; i < b->axes - shifts; i++) {
        real by[3];
        v3_put(by, vary_right(vary_turn(x, self), V3_AXIS[i]));
        for (size_t k = 0; k < 3; k++) {
            real *to = vary_row(out, b->first + 3 + k);
            lu_madd(to, way * by[k], vary_row(x->push_side, b->first + 3 + i) + first, columns);
        }
    }
}

// Adds ds of so many right sides, those from the first one on, to the positions at the end.
static void derivative_push_end(const vary_step *x, uint32_t first, uint32_t sides, uint32_t columns, vary_block out)
{
    vary_solve(x, x->mass, x->push_side, sides);
    for (uint32_t at = 0; at < x->tree->bodies; at++) {
        if (!x->t->body[x->tree->order[at]].effort.held) {
            derivative_push_next(x, x->tree->order[at], first, columns, out);
        }
    }
}

// What the pushes add to so many columns of the positions at the end, of the last coordinates: by positions or
// velocities, or by inputs.
static void derivative_project(const vary_step *x, int what, uint32_t columns, vary_block out)
{
    const uint32_t first = x->n - columns;
    for (uint32_t at = 0; at < x->tree->bodies; at++) {
        const tac_mechanism_body *b = &x->tree->body[x->tree->order[at]];
        derivative_mark(x, x->tree->order[at]);
        for (uint32_t i = b->first; i < (uint32_t)b->first + b->axes; i++) {
            const uint32_t column = i - first + (what == VARY_V ? x->n : 0);
            if (i >= first) { derivative_push_column(x, what, x->tree->order[at], i, column); }
        }
    }
    derivative_push_end(x, first, x->n, columns, out);
}

// The pushes of the step and the motions of bodies by them. From here on z is A^-1 J' with the A of the projection.
static void derivative_pushes(const vary_step *x)
{
    for (uint32_t at = 0; at < x->tree->bodies; at++) {
        const uint16_t self = x->tree->order[at];
        const tac_mechanism_body *b = &x->tree->body[self];
        const real light = derivative_light(x, self);
        for (uint32_t c = b->first; c < (uint32_t)b->first + b->axes; c++) {
            for (uint32_t i = 0; i < 3 * x->k; i++) { vary_row(x->answer, c)[i] *= light; }
        }
    }
    derivative_push_matrix(x);
    for (uint32_t i = 0; i < x->k; i++) { derivative_push_by_need(x, i); }
    derivative_push_bodies(x);
}

#endif

#endif
