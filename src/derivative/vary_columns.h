// SPDX-License-Identifier: MIT
// vary_columns.h - how the mean rates change: the equations of all coordinates, differentiated and solved.
//   given   mean rates that have been found, and the motion of the step by these
//   makes   K, the matrix of the equations by mean rates; right sides by q and v; changes of the rates by q, v, inputs
//   bound   a visit to each body; for each pair of coordinates on one path one to three products of six numbers;
//           solutions: coordinates^3
//   never   differentiates numerically; knows what a contact is: only that velocities which it sees have a response
#ifndef DERIVATIVE_VARY_COLUMNS_H
#define DERIVATIVE_VARY_COLUMNS_H

#include "vary_rates.h"

#if TAC_MAX_LCP > 0

// ------------------------------------------------------------------------------------------------------ maps of a body
// A change of a coordinate moves its subtree by a motion s at the start of the step and by s + h d at its end; the
// velocities that it has at the start turn with it, and change by a motion u besides. Of a body, with its arms c and c+
// from O, the residual (torque, force) about O then changes by
//      force   m (d.v - u.v) + d.w x m c+ - u.w x m c + s.w x p
//      torque  c x force + S d.w - I u.w + s.w x l + (s.v + s.w x c) x f
// with f the force of the residual, p and l the parts of its force and torque that turn with the body, and S the column
// dstart_l. All of it is linear: sums over a subtree are maps of the subtree, and each coordinate takes its component.

// Columns of W, L and w+ by a rotation h e about the axes of the world.
static void vary_spins(const vary_step *x, uint16_t self)
{
    const vec3 *axis = x->tree->body[self].axis, inertia = x->m->body[self].inertia;
    const real h = x->m->h;
    tac_varied_body *v = &x->t->body[self];
    const vec3 end = v3_scale(h, v3_mul(inertia, v->end_w_b)), a = v3_scale(h, v->mean_w_b);
    const real k = vary_tangent_back(v3_dot(a, a));
    for (int i = 0; i < 3; i++) {
        const vec3 turned = v3_components(v->end_axis, V3_AXIS[i]);
        const vec3 dw = vary_right_back(a, k, turned);
        v->dmean_w[i] = v3_combine(axis, dw);
        v->dstart_l[i] = v3_combine(axis, vary_dstart_l(h, inertia, v->mean_w_b, dw));
        const vec3 dl = v3_add(v3_components(v->end_axis, v->dstart_l[i]), v3_cross(end, turned));
        v->dend_w[i] = v3_combine(v->end_axis, vary_inverse(inertia, dl));
    }
    v->mean_w = v3_combine(axis, v->mean_w_b);
    v->end_w = v3_combine(v->end_axis, v->end_w_b);
}

// Columns of the torque about O, which begin a sum over the subtree. For e along the axes of the world
//      dtorque_dspin   S e + c x (e x m c+),     c x (e x m c+) = (c.m c+) e - (e.c) m c+
//      dtorque_dturn   e x l + (e x c) x f + c x (e x p),     (e x c) x f = (e.f) c - (c.f) e
static void vary_torques(const tac_body *body, const tac_twist *twist, const tac_mechanism_body *b, tac_varied_body *v)
{
    const vec3 l = v3_combine(b->axis, v3_sub(v->start_l_b, v3_mul(body->inertia, twist->w)));
    v->turning_torque = v3_sub(l, v->follower.torque);
    v->end_moment = v3_scale(body->mass, v->end_arm);
    v->residual_force = six_linear(v->phase.rates.residual);
    v->turning_force = v3_add(v->residual_force, v3_sub(v->given.force, v->follower.force));
    const vec3 c = b->arm;
    const real by_end = v3_dot(c, v->end_moment), by_force = v3_dot(c, v3_sub(v->turning_force, v->residual_force));
    real arm[3], force[3];
    v3_put(arm, c);
    v3_put(force, v->residual_force);
    for (int i = 0; i < 3; i++) {
        const vec3 e = V3_AXIS[i], turned = v3_madd(v3_cross(e, v->turning_torque), by_force, e);
        v->dtorque_dspin[i] = v3_madd(v3_madd(v->dstart_l[i], by_end, e), -arm[i], v->end_moment);
        v->dtorque_dturn[i] = v3_madd(v3_madd(turned, force[i], c), -arm[i], v->turning_force);
    }
}

// Adds the maps of a body to those of its parent.
static void vary_add(const tac_varied_body *v, tac_varied_body *p)
{
    p->end_moment = v3_add(p->end_moment, v->end_moment);
    p->turning_force = v3_add(p->turning_force, v->turning_force);
    p->residual_force = v3_add(p->residual_force, v->residual_force);
    for (int i = 0; i < 3; i++) {
        p->dtorque_dturn[i] = v3_add(p->dtorque_dturn[i], v->dtorque_dturn[i]);
        p->dtorque_dspin[i] = v3_add(p->dtorque_dspin[i], v->dtorque_dspin[i]);
    }
}

// The maps of all subtrees.
static void vary_subtrees(const vary_step *x)
{
    for (uint32_t at = 0; at < x->tree->bodies; at++) {
        const uint16_t self = x->tree->order[at];
        if (x->t->body[self].alone) { continue; }
        vary_spins(x, self);
        vary_torques(&x->m->body[self], &x->s->twist[self], &x->tree->body[self], &x->t->body[self]);
    }
    for (uint32_t at = x->tree->bodies; at-- > 0;) {
        const uint16_t self = x->tree->order[at];
        if (mechanism_hangs(x->tree, self)) { vary_add(&x->t->body[self], &x->t->body[x->tree->body[self].parent]); }
    }
}

// sum m c of a subtree, from its inertia (F08 (2.63)).
static vec3 vary_first_moment(const tac_mechanism_body *b)
{
    return v3(b->inertia[12], b->inertia[15], b->inertia[7]);
}

// What the residual of a subtree gains by a motion d of the end over h.
static void vary_gain_end(const tac_mechanism_body *b, const tac_varied_body *v, const real *d, real *gain)
{
    const vec3 w = six_angular(d), slide = six_linear(d);
    six_set(gain, v3_add(v3_combine(v->dtorque_dspin, w), v3_cross(vary_first_moment(b), slide)),
            v3_madd(v3_cross(w, v->end_moment), b->inertia[9], slide));
}

// What the residual of a subtree gains by a change of position.
static void vary_gain_place(const tac_mechanism_body *b, const tac_varied_body *v, const tac_varied_axis *a, real *gain)
{
    const vec3 turn = six_angular(a->s), slide = six_linear(a->s);
    real speed[6], moved[6];
    vary_gain_end(b, v, a->place_d, gain);
    six_rigid_mul(b->inertia, a->place_u, speed);
    six_add(gain, R(-1.0), speed);
    six_set(moved, v3_add(v3_combine(v->dtorque_dturn, turn), v3_cross(slide, v->residual_force)),
            v3_cross(turn, v->turning_force));
    six_add(gain, R(1.0), moved);
}

// --------------------------------------------------------------------------------------------------------- coordinates

// Velocity of the subtree but for the free motions of its joint that lie within the coordinate i.
static void vary_carried(const vary_step *x, const tac_mechanism_body *b, int i, real *velocity)
{
    const tac_joint *j = &JOINT_OF(x->m)[b->joint];
    const real *parent = x->tree->body[b->parent].velocity;
    real rate[3];
    six_copy(velocity, j->kind == TAC_SPHERICAL && vary_turned(j, b) ? parent : b->velocity);
    if (b->axes == 1 || j->kind == TAC_SPHERICAL) { return; }
    mechanism_rates(b, parent, rate);
    for (int k = 0; k < b->axes; k++) {
        if (vary_axis(j, b, k) > vary_axis(j, b, i)) { six_add(velocity, -rate[k], b->s[k]); }
    }
}

// Motions by a coordinate. A free root keeps the velocity of its centre, and its rates in its principal frame.
static void vary_motions(const vary_step *x, uint16_t self, int i, tac_varied_axis *a)
{
    const tac_mechanism_body *b = &x->tree->body[self];
    mechanism_unit(b, i, a->s);
    vary_end_motion(x, self, i, VARY_Q, a->place_d);
    vary_end_motion(x, self, i, VARY_R, a->rate_d);
    six_add(a->place_d, R(-1.0), a->s);
    six_scale(a->place_d, R(1.0) / x->m->h);
    six_set(a->place_u, V3_ZERO, V3_ZERO);
    if (!mechanism_free(b)) {
        real velocity[6];
        vary_carried(x, b, i, velocity);
        vary_cross_motion(velocity, a->s, a->place_u);
    } else if (i >= 3) {
        six_set(a->place_u, V3_ZERO, v3_cross(six_linear(b->velocity), six_angular(a->s)));
    }
}

// What the equation of a coordinate gains by the motions s, d and u of what carries it: transposed maps. Its own motion
// turns with these.
static void vary_carried_equation(const tac_mechanism_body *b, const tac_varied_body *v, tac_varied_axis *a)
{
    const vec3 turn = six_angular(a->s), slide = six_linear(a->s), c = vary_first_moment(b);
    const vec3 torque = six_angular(v->phase.rates.subtree), force = six_linear(v->phase.rates.subtree);
    const vec3 moved = v3_add(v3_cross(turn, torque), v3_cross(slide, force));
    six_set(a->by_end, v3_add(v3_components(v->dtorque_dspin, turn), v3_cross(v->end_moment, slide)),
            v3_madd(v3_cross(turn, c), b->inertia[9], slide));
    six_set(a->by_start,
            v3_add(v3_add(v3_components(v->dtorque_dturn, turn), v3_cross(v->turning_force, slide)), moved),
            v3_cross(turn, v3_sub(force, v->residual_force)));
    six_rigid_mul(b->inertia, a->s, a->by_speed);
    six_scale(a->by_speed, R(-1.0));
}

// What the excess of a body along an axis, times `lag`, gains by a rotation of the body at the start, and by a change
// of its angular velocity there.
static inline void vary_lag_of(const tac_varied_body *v, real lag, vec3 axis, vec3 *by_turn, vec3 *by_speed)
{
    const vec3 by_l = v3_scale(lag, v3_components(v->dexcess_dl, axis));
    *by_turn = v3_cross(by_l, vary_fixed_torque(v));
    *by_speed = v3_components(v->inertia, by_l);
}

// What the equation of a hinge gains by an effort that follows the excess, where both bodies are carried.
static void vary_lag(const vary_step *x, uint16_t self, tac_varied_axis *a)
{
    const tac_mechanism_body *b = &x->tree->body[self];
    const uint16_t body[2] = {self, b->parent};
    const vec3 axis = mechanism_axis(x->tree, b, 0);
    vec3 turn[2] = {V3_ZERO, V3_ZERO}, speed[2] = {V3_ZERO, V3_ZERO};
    for (int i = 0; i < 2; i++) {
        if (!mechanism_moves(x->m, body[i])) { continue; }
        vary_lag_of(&x->t->body[body[i]], x->t->body[self].effort.lag, axis, &turn[i], &speed[i]);
    }
    v3_put(a->by_start, v3_sub(v3_of(a->by_start), v3_sub(turn[0], turn[1])));
    v3_put(a->by_speed, v3_sub(v3_of(a->by_speed), v3_sub(speed[0], speed[1])));
}

// All coordinates of a body.
static void vary_coordinates(const vary_step *x, uint16_t self)
{
    const tac_mechanism_body *b = &x->tree->body[self];
    const tac_varied_body *v = &x->t->body[self];
    for (int i = 0; i < b->axes; i++) {
        tac_varied_axis *a = &x->t->axis[b->first + i];
        vary_motions(x, self, i, a);
        if (mechanism_free(b) && i < 3) { continue; } // nothing carries it
        vary_carried_equation(b, v, a);
        if (v->effort.lag > R(0.0)) { vary_lag(x, self, a); }
    }
}

// Does the motion i of a joint turn with a change of its coordinate j? In a free root rotations do.
static int vary_turns(const vary_step *x, const tac_mechanism_body *b, int i, int j)
{
    if (mechanism_free(b)) { return i >= 3; }
    const tac_joint *joint = &JOINT_OF(x->m)[b->joint];
    return joint->kind == TAC_SPHERICAL ? vary_turned(joint, b) : vary_axis(joint, b, i) > vary_axis(joint, b, j);
}

// ------------------------------------------------------------------------------------------------------------- entries

// Three numbers of a right side.
static void vary_put(vary_block side, size_t column, size_t row, vec3 a)
{
    v3_put(vary_row(side, column) + row, a);
}

// Entries of a free root that carries nothing. Its equations are those of its velocity at the end.
static void vary_enter_alone(const vary_step *x, uint16_t self)
{
    const tac_mechanism_body *b = &x->tree->body[self];
    const tac_varied_body *v = &x->t->body[self];
    const vec3 inertia = x->m->body[self].inertia;
    const size_t at = b->first;
    for (size_t i = 0; i < 6; i++) {
        tac_varied_axis *a = &x->t->axis[at + i];
        mechanism_unit(b, (int)i, a->s);
        const vec3 turn = six_angular(a->s), axis = V3_AXIS[i % 3];
        const vec3 torque = v3_components(b->axis, v3_cross(vary_fixed_torque(v), turn));
        vary_put(x->side[VARY_Q], at + i, at, v3_cross(turn, v->follower.force));
        vary_put(x->side[VARY_Q], at + i, at + 3, v3_mul(inertia, v3_combine(v->dend_dl_b, torque)));
        vary_row(x->K, at + i)[at + i] = i < 3 ? x->m->body[self].mass : v3_dot(inertia, axis);
        if (i < 3) { continue; }
        const vec3 speed = v3_combine(v->dend_dl_b, v3_mul(inertia, axis));
        vary_put(x->side[VARY_V], at + i, at + 3, v3_mul(inertia, speed));
    }
}

// Entries of a coordinate and of the translations of its root, along the axes of the world: components, of which the
// last three are forces. Momenta are the same wherever the whole tree is, and so are loads, but for what contacts move
// against their bodies: the columns of translations have no right side.
static void vary_enter_shifts(const vary_step *x, size_t i, size_t first, const real *by_place, const real *by_rate)
{
    for (size_t k = 0; k < 3; k++) {
        vary_row(x->K, first + k)[i] = by_rate[3 + k];
        vary_row(x->K, i)[first + k] = x->t->axis[i].by_end[3 + k];
        vary_row(x->side[VARY_Q], i)[first + k] = -by_place[3 + k];
    }
}

// Entries of a coordinate and the others of its own joint.
static void vary_enter_own(const vary_step *x, uint16_t self, int own, const real *by_place, const real *by_rate)
{
    const tac_mechanism_body *b = &x->tree->body[self];
    const size_t i = (size_t)b->first + (size_t)own;
    for (int k = mechanism_free(b) ? 3 : 0; k < b->axes; k++) {
        const size_t j = (size_t)b->first + (size_t)k;
        const real *s = x->t->axis[j].s;
        real sum = six_dot(s, by_place);
        if (vary_turns(x, b, k, own)) {
            real moved[6];
            vary_cross_motion(x->t->axis[i].s, s, moved);
            sum += six_dot(moved, x->t->body[self].phase.rates.subtree);
        }
        vary_row(x->K, j)[i] = six_dot(s, by_rate);
        vary_row(x->side[VARY_Q], i)[j] = -sum;
    }
}

// Entries of a coordinate of a body of a tree, and of those that carry it.
static void vary_enter(const vary_step *x, uint16_t self, int own)
{
    tac_varied *t = x->t;
    const tac_mechanism_body *b = &x->tree->body[self];
    const tac_varied_body *v = &t->body[self];
    const size_t i = (size_t)b->first + (size_t)own, shifts = vary_shifts(x->tree, self);
    const int root = mechanism_free(b);
    const tac_varied_axis *a = &t->axis[i];
    real by_place[6], by_rate[6], lag[6]; // what follows the excess is no momentum
    if (root && own < 3) {
        vary_row(x->K, i)[i] = b->inertia[9];
        return;
    }
    vary_gain_place(b, v, a, by_place);
    vary_gain_end(b, v, a->rate_d, by_rate);
    vary_enter_own(x, self, own, by_place, by_rate);
    if (shifts > 0) { vary_enter_shifts(x, i, shifts - 3, by_place, by_rate); }
    six_rigid_mul(b->inertia, a->s, lag);
    six_add(lag, R(1.0), a->by_speed);
    for (size_t j = root ? TAC_NONE : t->up[b->first]; j != TAC_NONE && j >= shifts; j = t->up[j]) {
        const tac_varied_axis *c = &t->axis[j];
        const real carried =
            (six_dot(a->by_start, c->s) + six_dot(a->by_end, c->place_d)) + six_dot(a->by_speed, c->place_u);
        vary_row(x->K, j)[i] = six_dot(c->s, by_rate);
        vary_row(x->K, i)[j] = six_dot(a->by_end, c->rate_d);
        vary_row(x->side[VARY_Q], i)[j] = -six_dot(c->s, by_place);
        vary_row(x->side[VARY_Q], j)[i] = -carried;
        if (v->effort.lag > R(0.0) && !x->follows) { vary_row(x->side[VARY_V], j)[i] -= six_dot(lag, c->s); }
    }
}

// Right sides of a coordinate that is held.
static void vary_enter_held(const vary_step *x, uint16_t self)
{
    const tac_varied_effort *e = &x->t->body[self].effort;
    const size_t i = x->tree->body[self].first;
    for (size_t j = 0; j < x->n && e->held; j++) { vary_row(x->side[VARY_Q], j)[i] = i == j ? e->by_place : R(0.0); }
}

// What acts along a coordinate.
static void vary_enter_effort(const vary_step *x, uint16_t self)
{
    const tac_varied_effort *e = &x->t->body[self].effort;
    const tac_mechanism_body *b = &x->tree->body[self];
    const size_t i = b->first;
    real *row = vary_row(x->K, i), *by_q = vary_row(x->side[VARY_Q], i) + i, *by_v = vary_row(x->side[VARY_V], i) + i;
    vary_enter_held(x, self);
    for (size_t j = 0; j < x->n && e->held; j++) { row[j] = vary_row(x->side[VARY_V], j)[i] = R(0.0); }
    row[i] = e->held ? R(1.0) : row[i] + e->slope;
    if (e->held) { return; }
    *by_q -= e->pull;
    *by_v += e->rotor - b->armature;
    if (e->lag > R(0.0)) {
        const tac_varied_axis *a = &x->t->axis[i];
        vec3 turn, speed;
        vary_lag_of(&x->t->body[self], e->lag, mechanism_axis(x->tree, b, 0), &turn, &speed);
        *by_q += v3_dot(turn, six_angular(a->s));
        *by_q += v3_dot(speed, six_angular(a->place_u));
        *by_v += x->follows ? R(0.0) : v3_dot(speed, six_angular(a->s));
    }
}

// Mean rates change by nearly as much as velocities do: right sides of v are without what such a change takes. Of the
// translations of a root that is all.
static void vary_enter_velocities(const vary_step *x, uint16_t self)
{
    const tac_varied *t = x->t;
    const tac_mechanism_body *b = &x->tree->body[self];
    const size_t shifts = vary_shifts(x->tree, self);
    for (size_t i = b->first; i < (size_t)b->first + b->axes; i++) {
        const real *row = vary_row(x->K, i);
        real *column = vary_row(x->side[VARY_V], i);
        column[i] -= row[i];
        for (size_t j = t->up[i]; j != TAC_NONE; j = t->up[j]) {
            real *side = vary_row(x->side[VARY_V], j) + i;
            *side = j < shifts ? R(0.0) : *side - row[j];
            column[j] -= vary_row(x->K, j)[i];
        }
    }
}

// K, and the right sides of q and v: minus the change of the equations by these.
static void vary_assemble(const vary_step *x)
{
    const tac_varied *t = x->t;
    vary_subtrees(x);
    for (size_t i = 0; i < x->n; i++) {
        reals_clear(vary_row(x->side[VARY_Q], i), x->n * sizeof(real));
        reals_clear(vary_row(x->K, i), x->n * sizeof(real));
    }
    for (uint32_t at = 0; at < x->tree->bodies; at++) {
        const uint16_t self = x->tree->order[at];
        if (t->body[self].alone) {
            vary_enter_alone(x, self);
            continue;
        }
        vary_coordinates(x, self);
        for (int i = 0; i < x->tree->body[self].axes; i++) { vary_enter(x, self, i); }
    }
    for (size_t i = 0; i < x->n && x->follows; i++) {
        lu_madd(vary_row(x->side[VARY_Q], i), R(1.0), vary_row(x->dend, i), x->n);
    }
    for (uint32_t at = 0; at < x->tree->bodies; at++) {
        if (t->body[x->tree->order[at]].effort.acts) { vary_enter_effort(x, x->tree->order[at]); }
    }
    for (uint32_t at = 0; at < x->tree->bodies; at++) { vary_enter_velocities(x, x->tree->order[at]); }
}

// ----------------------------------------------------------------------------------------------------------- solutions

// The inverse of K once it is factored, column by column: the rates that a unit of each right side makes. From the
// leaves each takes what it answers for the coordinates that it carries; then those that carry it answer too.
static void vary_respond(const vary_step *x)
{
    const tac_varied *t = x->t;
    const vary_block K = x->K, response = x->response;
    for (size_t at = x->n; at-- > 0;) {
        const size_t c = t->order[at];
        const real inverse = R(1.0) / vary_row(K, c)[c];
        real *own = vary_row(response, c);
        reals_clear(own, x->n * sizeof *own);
        own[c] = inverse;
        for (size_t k = at + 1; k < t->last[c]; k++) {
            const size_t leaf = t->order[k];
            real sum = R(0.0);
            for (size_t i = leaf; i != c; i = t->up[i]) { sum += vary_row(K, i)[c] * vary_row(response, i)[leaf]; }
            own[leaf] = -inverse * sum;
        }
    }
    for (size_t at = 0; at < x->n; at++) {
        const size_t c = t->order[at];
        lu_row to = lu_row_of(vary_row(response, c), x->n);
        for (size_t i = t->up[c]; i != TAC_NONE; i = t->up[i]) {
            lu_row_add(&to, -vary_row(K, i)[c], vary_row(response, i));
        }
        lu_row_end(&to);
    }
}

// The changes of the rates by a column take the place of its right side; `seen` by velocities that contacts see.
static void vary_column(const vary_step *x, real *side, const real *seen)
{
    reals_clear(x->column, x->n * sizeof(real));
    lu_row to = lu_row_of(x->column, x->n);
    for (uint32_t i = 0; i < x->n; i++) { lu_row_add(&to, side[i], vary_row(x->response, i)); }
    for (uint32_t i = 0; i < 3 * x->k; i++) { lu_row_add(&to, seen[i], vary_row(x->law, i)); }
    lu_row_end(&to);
    reals_copy(side, x->column, x->n * sizeof *side);
}

// The changes of rates by q and v, coordinate by coordinate.
static void vary_states(const vary_step *x)
{
    for (size_t i = 0; i < x->n; i++) {
        for (int what = VARY_Q; what <= VARY_V; what++) {
            vary_column(x, vary_row(x->side[what], i), vary_row(x->seen[what], i));
        }
        vary_row(x->side[VARY_V], i)[i] += R(1.0);
    }
    for (size_t i = 1; i < x->n; i++) {
        real *row = vary_row(x->drates, i);
        for (size_t j = 0; j < i; j++) {
            real *column = vary_row(x->drates, j) + i;
            lu_swap(&row[j], &column[0]);
            lu_swap(&row[x->n + j], &column[x->n]);
        }
    }
}

// The changes of rates by so many efforts, along the last coordinates: all, or those of joints. They take the place of
// those by q and v. A coordinate that is held follows none.
static void vary_inputs(const vary_step *x, uint32_t inputs)
{
    const size_t first = x->n - inputs;
    for (size_t j = 0; j < inputs; j++) {
        const real *by_effort = vary_row(x->response, first + j);
        for (size_t i = 0; i < x->n; i++) { vary_row(x->drates, i)[j] = x->m->h * by_effort[i]; }
    }
    for (uint32_t at = 0; at < x->tree->bodies; at++) {
        const size_t held = x->tree->body[x->tree->order[at]].first;
        for (size_t i = 0; i < x->n && x->t->body[x->tree->order[at]].effort.held; i++) {
            vary_row(x->drates, i)[held - first] = R(0.0);
        }
    }
}

#endif

#endif
