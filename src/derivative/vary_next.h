// SPDX-License-Identifier: MIT
// vary_next.h - how the state at the end of a step changes.
//   given   the motion of the step; changes of its mean rates
//   makes   columns of the next state by q, v and inputs
//   bound   a visit to each pair of a joint and a coordinate that carries it, and one for each column
//   never   solves anything
#ifndef DERIVATIVE_VARY_NEXT_H
#define DERIVATIVE_VARY_NEXT_H

#include "vary_columns.h"

#if TAC_MAX_LCP > 0

// ---------------------------------------------------------------------------------------------------------- free roots

// A free root that carries nothing: changes of W and of w+, principal frame, by the angular momentum at its start and
// by its rate at the end.
static void vary_alone(const vary_step *x, uint16_t self, vec3 dl, vec3 dw, vec3 *mean, vec3 *end)
{
    const tac_varied_body *v = &x->t->body[self];
    const vec3 inertia = x->m->body[self].inertia;
    *mean = v3_add(dw, v3_combine(v->dexcess_dl_b, dl));
    *end = dw;
    if (JOINT_COUNT(x->m) == 0) { return; }
    const vec3 whole = v3_add(dl, v3_mul(inertia, v3_sub(dw, v3_combine(v->dend_dl_b, dl))));
    vec3 row[3];
    vary_dmean_w(x->m->h, inertia, v->mean_w_b, row);
    *mean = v3_components(row, whole);
    *end = vary_dend_w(x->m->h, inertia, v->mean_w_b, v->end_w_b, whole, *mean);
}

// What a change of its rotation i, of its angular velocity or of an effort about this axis adds to the angular momentum
// at the start. Where its moments grow it is what makes the velocity that their torque makes then.
static vec3 vary_alone_dl(const vary_step *x, uint16_t self, int i, int what)
{
    const tac_mechanism_body *b = &x->tree->body[self];
    if (what == VARY_P) { return v3_components(b->axis, v3_scale(R(-1.0), x->t->body[self].given.torque)); }
    if (what == VARY_Q) { return v3_components(b->axis, v3_cross(vary_fixed_torque(&x->t->body[self]), b->axis[i])); }
    return what == VARY_V ? v3_mul(x->m->body[self].inertia, V3_AXIS[i]) : v3_scale(x->m->h, V3_AXIS[i]);
}

// The rotation vector of the step, to which the position projection adds.
static vec3 vary_turn(const vary_step *x, uint16_t self)
{
    return v3_scale(x->m->h, v3_add(x->t->body[self].mean_w_b, x->t->body[self].push_w_b));
}

// Of a free root, its rotation and angular velocity at the end by its own rotation or angular velocity i, without the
// rates that these change, or by the rate of it.
static void vary_root_end(const vary_step *x, uint16_t self, int i, int what, vec3 *place, vec3 *speed)
{
    const tac_varied_body *v = &x->t->body[self];
    const tac_varied_axis *a = &x->t->axis[x->tree->body[self].first + 3 + i];
    const real h = x->m->h;
    *place = *speed = V3_ZERO;
    if (v->alone) {
        const vec3 turn = vary_turn(x, self), dl = what == VARY_R ? V3_ZERO : vary_alone_dl(x, self, i, what);
        vec3 mean;
        vary_alone(x, self, dl, what == VARY_R ? V3_AXIS[i] : V3_ZERO, &mean, speed);
        *place = vary_right(turn, v3_scale(h, mean));
        if (what == VARY_Q) { *place = v3_add(*place, quat_rotate(quat_exp(v3_scale(R(-1.0), turn)), V3_AXIS[i])); }
    } else if (what == VARY_Q) {
        *place = v3_components(v->end_axis, six_angular(a->s));
    } else if (what == VARY_R) {
        const vec3 rate = six_angular(a->rate_d);
        *place = v3_scale(h, v3_components(v->end_axis, rate));
        *speed = v3_components(v->end_axis, v3_combine(v->dend_w, rate));
    }
}

// Where a root is, and how fast it moves as a whole, makes no difference to anything else.
static void vary_next_centre(const vary_step *x, uint16_t self, vary_block A)
{
    const tac_varied_body *v = &x->t->body[self];
    const size_t first = x->tree->body[self].first;
    const real h = x->m->h, part = v->alone && !v->straight ? R(0.5) * h : h;
    for (size_t i = first; i < first + 3; i++) {
        vary_row(A, i)[i] = R(1.0);
        vary_row(A, i)[x->n + i] = h - part;
        x->t->axis[i].by_rate = v3_scale(part, V3_AXIS[i - first]);
        for (size_t k = first; k < first + 3; k++) { vary_row(x->dend, k)[i] = i == k ? R(1.0) : R(0.0); }
    }
}

// Three numbers of a column.
static void vary_put_column(vary_block a, size_t row, size_t column, vec3 y)
{
    vary_row(a, row)[column] = y.x;
    vary_row(a, row + 1)[column] = y.y;
    vary_row(a, row + 2)[column] = y.z;
}

// Rows of a free root.
static void vary_next_root(const vary_step *x, uint16_t self, vary_block A)
{
    const size_t row = x->tree->body[self].first + 3u;
    vary_next_centre(x, self, A);
    for (size_t i = 0; i < 3; i++) {
        vec3 place, speed;
        for (int what = VARY_Q; what <= VARY_V; what++) {
            const size_t column = row + i + (what == VARY_V ? x->n : 0);
            vary_root_end(x, self, (int)i, what, &place, &speed);
            vary_put_column(A, row, column, place);
            vary_put_column(A, x->n + row, column, speed);
        }
        vary_root_end(x, self, (int)i, VARY_R, &place, &speed);
        x->t->axis[row + i].by_rate = place;
        vary_put_column(x->dend, row, row + i, speed);
    }
}

// -------------------------------------------------------------------------------------------------------------- joints

// The body that the axis of a free motion is fixed in.
static uint16_t vary_fixed(const tac_joint *j, int i)
{
    return mechanism_what(j, i) == JOINT_ABOUT_B ? j->body_b : j->body_a;
}

// This axis at the end of the step.
static vec3 vary_axis_end(const vary_step *x, const tac_mechanism_body *b, int i)
{
    const uint16_t on = vary_fixed(&JOINT_OF(x->m)[b->joint], i);
    const vec3 start = mechanism_axis(x->tree, b, i);
    return mechanism_moves(x->m, on) ? v3_add(start, quat_turn(x->t->body[on].turn, start)) : start;
}

// The coordinates of a joint at the end of the step, by these at its start and by their rates.
static void vary_next_places(const vary_step *x, uint16_t self, vary_block A)
{
    const tac_mechanism_body *b = &x->tree->body[self];
    const real h = x->m->h;
    for (size_t j = 0; j < b->axes; j++) {
        tac_varied_axis *a = &x->t->axis[b->first + j];
        real by_rate[3] = {R(0.0), R(0.0), R(0.0)};
        for (size_t i = 0; i < b->axes; i++) {
            real *to = &vary_row(A, b->first + i)[b->first + j];
            by_rate[i] = i == j ? h : R(0.0);
            *to = i == j && !x->t->body[self].effort.returns ? R(1.0) : R(0.0);
            if (JOINT_OF(x->m)[b->joint].kind != TAC_SPHERICAL) { continue; }
            const vec3 axis = vary_axis_end(x, b, (int)i);
            by_rate[i] = h * v3_dot(axis, six_angular(a->rate_d));
            *to = v3_dot(axis, v3_madd(six_angular(a->s), h, six_angular(a->place_d)));
        }
        a->by_rate = v3_of(by_rate);
    }
}

// The rate of a hinge at the end, by the rotations of d: of its own coordinate, and of those that carry both bodies.
// Both turn, and their axis with them: what is left is what the rotation of the step makes of their velocities.
static void vary_next_hinge(const vary_step *x, uint16_t self, vary_block A)
{
    tac_varied *t = x->t;
    const tac_mechanism_body *b = &x->tree->body[self];
    const size_t i = b->first, shifts = vary_shifts(x->tree, self);
    const vec3 axis = vary_axis_end(x, b, 0), own = v3_components(t->body[self].dend_w, axis);
    const vec3 other = mechanism_moves(x->m, b->parent) ? v3_components(t->body[b->parent].dend_w, axis) : V3_ZERO;
    real *by_rate = vary_row(x->dend, i), *by_place = vary_row(A, x->n + i);
    t->axis[i].by_end_turn = v3_sub(own, other);
    by_rate[i] = v3_dot(own, six_angular(t->axis[i].rate_d));
    by_place[i] = v3_dot(own, six_angular(t->axis[i].place_d));
    for (size_t j = t->up[i]; j != TAC_NONE && j >= shifts; j = t->up[j]) {
        by_rate[j] = v3_dot(t->axis[i].by_end_turn, six_angular(t->axis[j].rate_d));
        by_place[j] = v3_dot(t->axis[i].by_end_turn, six_angular(t->axis[j].place_d));
    }
}

// Motion of the end of a body, and the change of its velocity there, in the column of a coordinate.
static void vary_column_of(const vary_step *x, uint16_t self, int moves, const tac_varied_axis *a, int what)
{
    if (!mechanism_moves(x->m, self)) { return; }
    const real *d = what == VARY_Q ? a->place_d : a->rate_d;
    tac_varied_body *v = &x->t->body[self];
    six_set(v->column_motion, V3_ZERO, V3_ZERO);
    v->column_change = (tac_twist){V3_ZERO, V3_ZERO};
    if (!moves) { return; }
    six_add(v->column_motion, x->m->h, d);
    if (what == VARY_Q) { six_add(v->column_motion, R(1.0), a->s); }
    const vec3 turn = six_angular(v->column_motion);
    v->column_change.v = v3_add(vary_velocity(d, x->tree->body[self].arm), v3_cross(turn, v->mean_v));
    v->column_change.w = v3_add(v3_combine(v->dend_w, six_angular(d)), v3_cross(turn, v->end_w));
}

// A vector and its change in a column.
typedef struct vary_pair {
    vec3 now, change;
} vary_pair;

// Velocity of a body at the end of the step, at the centre of its tree there, and its angular velocity.
static void vary_seen(const vary_step *x, uint16_t self, uint16_t tree, vary_pair *v, vary_pair *w)
{
    const tac_varied_body *b = &x->t->body[self], *c = &x->t->body[tree];
    const vec3 centre = vary_velocity(c->column_motion, c->end_arm);
    if (!mechanism_moves(x->m, self)) {
        const tac_twist twist = vary_prescribed(x, self);
        const vec3 apart = v3_sub(x->s->pose[tree].p, x->s->pose[self].p);
        *w = (vary_pair){v3_combine(x->tree->body[self].axis, twist.w), V3_ZERO};
        v->now = v3_add(twist.v, v3_cross(w->now, v3_add(apart, v3_sub(c->end_arm, v3_scale(x->span, twist.v)))));
        v->change = v3_cross(w->now, centre);
        return;
    }
    const vary_pair arm = {v3_sub(c->end_arm, b->end_arm), v3_sub(centre, vary_velocity(b->column_motion, b->end_arm))};
    *w = (vary_pair){b->end_w, b->column_change.w};
    v->now = v3_add(b->mean_v, v3_cross(w->now, arm.now));
    v->change = v3_add(b->column_change.v, v3_add(v3_cross(w->change, arm.now), v3_cross(w->now, arm.change)));
}

// The origin of frame b of a joint at the end of the step, from the centre of the tree there.
static vary_pair vary_origin(const vary_step *x, uint16_t self)
{
    const tac_mechanism_body *b = &x->tree->body[self];
    const uint16_t on = JOINT_OF(x->m)[b->joint].body_b;
    const tac_varied_body *c = &x->t->body[b->tree], *v = &x->t->body[on];
    const int moves = mechanism_moves(x->m, on);
    const vec3 from = v3_sub(x->s->pose[on].p, x->s->pose[b->tree].p);
    const vec3 start = v3_add(from, v3_combine(x->tree->body[on].axis, x->tree->joint[b->joint].frame[1].p));
    const vec3 at = vary_point(moves ? (vary_rigid){v->turn, v->shift} : vary_parent(x, self), start);
    const vec3 moved = moves ? vary_velocity(v->column_motion, at) : V3_ZERO;
    return (vary_pair){v3_sub(at, c->end_arm), v3_sub(moved, vary_velocity(c->column_motion, c->end_arm))};
}

// Changes of the rates of a joint at the end in this column, as joint_rates() reads them: of rotations, and of
// translations at the origin of frame b.
static void vary_end_rates(const vary_step *x, uint16_t self, real *rate)
{
    const tac_mechanism_body *b = &x->tree->body[self];
    const tac_joint *j = &JOINT_OF(x->m)[b->joint];
    const vary_pair origin = vary_origin(x, self);
    vary_pair v[2], w[2];
    vary_seen(x, b->parent, b->tree, &v[0], &w[0]);
    vary_seen(x, self, b->tree, &v[1], &w[1]);
    const vary_pair spin = {v3_sub(w[1].now, w[0].now), v3_sub(w[1].change, w[0].change)};
    const vec3 turning = v3_add(v3_cross(spin.change, origin.now), v3_cross(spin.now, origin.change));
    const vary_pair slide = {v3_add(v3_sub(v[1].now, v[0].now), v3_cross(spin.now, origin.now)),
                             v3_add(v3_sub(v[1].change, v[0].change), turning)};
    for (int i = 0; i < b->axes; i++) {
        const vary_pair *of = mechanism_what(j, i) >= JOINT_ABOUT ? &spin : &slide;
        const uint16_t on = vary_fixed(j, i);
        const vec3 axis = vary_axis_end(x, b, i);
        const vec3 turned =
            mechanism_moves(x->m, on) ? v3_cross(six_angular(x->t->body[on].column_motion), axis) : V3_ZERO;
        rate[i] = v3_dot(turned, of->now) + v3_dot(axis, of->change);
    }
}

// Changes of the rates of a joint at the end, by a coordinate of the body `on`: its own or one that carries it.
static void vary_end_rates_by(const vary_step *x, uint16_t self, uint16_t on, const tac_varied_axis *a, int what,
                              real *rate)
{
    const uint16_t body[3] = {x->tree->body[self].tree, x->tree->body[self].parent, self};
    for (int i = 0; i < 3; i++) {
        uint16_t up = body[i];
        while (mechanism_moves(x->m, up) && up != on && mechanism_hangs(x->tree, up)) { up = x->tree->body[up].parent; }
        vary_column_of(x, body[i], up == on, a, what);
    }
    vary_end_rates(x, self, rate);
}

// The rates of any other joint at the end. A translation of the root changes none.
static void vary_next_joint(const vary_step *x, uint16_t self, vary_block A)
{
    const tac_mechanism_body *b = &x->tree->body[self];
    const size_t shifts = vary_shifts(x->tree, self);
    uint16_t on = self;
    for (int more = b->axes > 0; more; on = x->tree->body[on].parent) {
        more = mechanism_hangs(x->tree, on);
        for (size_t j = x->tree->body[on].first; j < (size_t)x->tree->body[on].first + x->tree->body[on].axes; j++) {
            if (j < shifts) { continue; }
            real by_place[3], by_rate[3];
            vary_end_rates_by(x, self, on, &x->t->axis[j], VARY_Q, by_place);
            vary_end_rates_by(x, self, on, &x->t->axis[j], VARY_R, by_rate);
            for (size_t i = b->first; i < (size_t)b->first + b->axes; i++) {
                vary_row(A, x->n + i)[j] = by_place[i - b->first];
                vary_row(x->dend, i)[j] = by_rate[i - b->first];
            }
        }
    }
}

// ------------------------------------------------------------------------------------------------------ the next state

// The derivative of the next state by q and v at fixed rates, into A, and by the rates. Trees see v in the rates alone.
static void vary_next(const vary_step *x, vary_block A)
{
    reals_clear(A.at, 2 * x->n * A.stride * sizeof(real));
    for (uint32_t at = 0; at < x->tree->bodies; at++) {
        const uint16_t self = x->tree->order[at];
        const tac_mechanism_body *b = &x->tree->body[self];
        if (mechanism_free(b)) {
            vary_next_root(x, self, A);
            continue;
        }
        vary_next_places(x, self, A);
        if (b->axes == 1 && (b->turns & 1)) {
            vary_next_hinge(x, self, A);
        } else {
            vary_next_joint(x, self, A);
        }
    }
}

// What the changes of the rates add to so many columns of the next state. A position follows the rates of its own root
// or joint alone, a velocity those of its path but for translations; that of a root's centre is a rate.
static void vary_follow(const vary_step *x, vary_block out, uint32_t columns)
{
    const tac_varied *t = x->t;
    for (uint32_t at = 0; at < x->tree->bodies; at++) {
        const tac_mechanism_body *b = &x->tree->body[x->tree->order[at]];
        const size_t shifts = vary_shifts(x->tree, x->tree->order[at]);
        for (size_t i = b->first; i < (size_t)b->first + b->axes; i++) {
            const int free = mechanism_free(b), moves = free && i < (size_t)b->first + 3;
            const size_t first = b->first + (free && !moves ? 3u : 0u);
            const real *by_rate = vary_row(x->dend, i);
            lu_row place = lu_row_of(vary_row(out, i), columns), speed = lu_row_of(vary_row(out, x->n + i), columns);
            for (size_t j = first; j < first + (free ? 3u : b->axes); j++) {
                real by[3];
                v3_put(by, t->axis[j].by_rate);
                lu_row_add(&place, by[i - first], vary_row(x->drates, j));
                lu_row_add(&speed, !moves || i == j ? by_rate[j] : R(0.0), vary_row(x->drates, j));
            }
            for (size_t j = free ? TAC_NONE : t->up[b->first]; j != TAC_NONE && j >= shifts; j = t->up[j]) {
                lu_row_add(&speed, by_rate[j], vary_row(x->drates, j));
            }
            lu_row_end(&place);
            lu_row_end(&speed);
        }
    }
}

#endif

#endif
