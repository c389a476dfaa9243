// SPDX-License-Identifier: MIT
// vary_columns.h - the derivatives of these: columns by changes of positions q, velocities v and mean rates r.
//   given   a mechanism, its motion of a step
//   makes   a column of the derivative of the lack, and of the next state
//   bound   for a column a visit to each body that moves, and to each one that carries it
//   never   differentiates numerically
#ifndef QUERY_VARY_COLUMNS_H
#define QUERY_VARY_COLUMNS_H

#include "vary_motion.h"

#if TAC_MAX_LCP > 0

// ------------------------------------------------------------------------------------------------------------- columns

// A change of one coordinate: of a position, of a velocity at the start, or of a mean rate.
enum { VARY_Q, VARY_V, VARY_R };

typedef struct vary_change {
    uint16_t body;   // whose subtree moves
    int axis, what;  // its coordinate; VARY_*
    int translates;  // 1 if it translates a tree as a whole
    real at[6];      // motion at the start, for what hangs on it too
    real to[6];      // at the end, without that of rates
    real speed[6];   // change of all velocities at the start,
    real carried[6]; // and for VARY_Q at x (V - carried)
} vary_change;

// Does the coordinate i translate a tree as a whole? Its bodies then keep their rotations and what their joints see.
static int vary_translates(const tac_mechanism_body *b, int i)
{
    return mechanism_free(b) && i < 3;
}

// Velocity of the subtree but for the free motions that lie within the coordinate i.
static void vary_carried(const tac_model *m, const tac_mechanism *t, const tac_mechanism_body *b, int i, real *x)
{
    const tac_joint *j = &JOINT_OF(m)[b->joint];
    real rate[3];
    six_copy(x, b->velocity);
    if (j->kind == TAC_SPHERICAL && vary_turned(j, b)) { six_copy(x, t->body[b->parent].velocity); }
    if (b->axes == 1 || j->kind == TAC_SPHERICAL) { return; }
    mechanism_rates(b, t->body[b->parent].velocity, rate);
    for (int k = 0; k < b->axes; k++) {
        if (vary_axis(j, b, k) > vary_axis(j, b, i)) { six_add(x, -rate[k], b->s[k]); }
    }
}

static void vary_change_of(const tac_model *m, const tac_varied *t, uint16_t self, int i, int what, vary_change *c)
{
    const tac_mechanism_body *b = &t->mechanism.body[self];
    c->body = self;
    c->axis = i;
    c->what = what;
    c->translates = vary_translates(b, i);
    reals_clear(c->at, sizeof c->at);
    reals_clear(c->to, sizeof c->to);
    reals_clear(c->speed, sizeof c->speed);
    reals_clear(c->carried, sizeof c->carried);
    if (what == VARY_V) { mechanism_unit(b, i, c->speed); }
    if (what == VARY_R) {
        real x[6];
        vary_end_motion(m, t, self, i, 1, x);
        six_add(c->to, m->h, x);
    }
    if (what != VARY_Q) { return; }
    mechanism_unit(b, i, c->at);
    vary_end_motion(m, t, self, i, 0, c->to);
    if (!mechanism_free(b)) {
        vary_carried(m, &t->mechanism, b, i, c->carried);
    } else if (i >= 3) { // a free root keeps the velocity of its centre, and its rates in its principal frame
        six_set(c->speed, V3_ZERO, v3_cross(six_linear(b->velocity), six_angular(c->at)));
    }
}

// Changes of place and velocity of one body at the start of the step, world frame; w is that of a rate seen from the
// body.
typedef struct vary_start {
    vec3 turn, way, v, w;
} vary_start;

static vary_start vary_start_of(const vary_change *c, const tac_mechanism_body *b)
{
    vary_start x;
    real speed[6], relative[6];
    six_copy(speed, c->speed);
    if (c->what == VARY_Q) {
        six_copy(relative, b->velocity);
        six_sub(relative, c->carried);
        mechanism_cross(c->at, relative, R(1.0), c->speed, speed);
    }
    const vec3 omega = six_angular(b->velocity);
    x.turn = six_angular(c->at);
    x.way = v3_add(six_linear(c->at), v3_cross(x.turn, b->arm));
    const vec3 at = v3_add(six_linear(speed), v3_cross(six_angular(speed), b->arm));
    x.v = v3_add(at, v3_cross(omega, x.way));
    x.w = v3_sub(six_angular(speed), v3_cross(x.turn, omega));
    return x;
}

// Change of the angular momentum at the start that makes a mean rotation w, by dw.
static vec3 vary_momentum(real h, vec3 inertia, vec3 w, vec3 dw)
{
    const vec3 change = v3_mul(inertia, dw), bend = v3_add(v3_cross(change, w), v3_cross(v3_mul(inertia, w), dw));
    return v3_madd(change, R(-0.5) * h, bend);
}

// Change of the velocity at the end, w+ = I^-1 exp(-h w) l.
static vec3 vary_ended(real h, vec3 inertia, vec3 w, vec3 end, vec3 dl, vec3 dw)
{
    const vec3 a = v3_scale(h, w), turned = quat_rotate(quat_exp(v3_scale(R(-1.0), a)), dl);
    const vec3 bend = v3_cross(v3_mul(inertia, end), vary_right(a, v3_scale(h, dw)));
    return vary_inverse(inertia, v3_add(turned, bend));
}

// The inverse of vary_momentum(), row by row: dw = v3_components(row, dl).
static void vary_rotation(real h, vec3 inertia, vec3 w, vec3 row[3])
{
    vec3 column[3];
    for (int i = 0; i < 3; i++) { column[i] = vary_momentum(h, inertia, w, V3_AXIS[i]); }
    const vec3 first = v3_cross(column[1], column[2]);
    const real part = R(1.0) / v3_dot(column[0], first);
    row[0] = v3_scale(part, first);
    row[1] = v3_scale(part, v3_cross(column[2], column[0]));
    row[2] = v3_scale(part, v3_cross(column[0], column[1]));
}

// What the columns of a body of a tree need of the motion of the step, in the world frame: each column is then a few
// products.
static void vary_maps(const tac_model *m, const tac_state *s, tac_varied *t, uint16_t self)
{
    const tac_mechanism_body *b = &t->mechanism.body[self];
    tac_varied_body *v = &t->body[self];
    const vec3 inertia = m->body[self].inertia, l = v3_sub(v->l, v3_mul(inertia, s->twist[self].w));
    for (int i = 0; i < 3; i++) {
        const vec3 turned = v3_components(v->axis, V3_AXIS[i]);
        const vec3 dw = vary_right_back(v3_scale(m->h, v->w), turned), dl = vary_momentum(m->h, inertia, v->w, dw);
        v->by_mean[i] = v3_combine(b->axis, dw);
        v->by_start[i] = v3_combine(b->axis, dl);
        v->by_end[i] = v3_combine(v->axis, vary_ended(m->h, inertia, v->w, v->end, dl, dw));
    }
    v->spun = v3_combine(b->axis, v->w);
    v->ended = v3_combine(v->axis, v->end);
    v->turns = v3_sub(v3_combine(b->axis, l), v->own[1]);
}

// Changes of the mean velocity of the centre of such a body and of the rotation of the step over h, by those of its
// place at the start and at the end.
static void vary_mean(const tac_model *m, const tac_varied_body *v, const vary_start *x, const real *to, vec3 *dv,
                      vec3 *rotation)
{
    const real rate = R(1.0) / m->h;
    const vec3 turn = six_angular(to), way = v3_add(six_linear(to), v3_cross(turn, v->arm));
    *rotation = v3_scale(rate, v3_sub(turn, x->turn));
    *dv = v3_scale(rate, v3_sub(way, x->way));
}

// What free rotation adds to the mean rotation of a body and not to its velocity, world frame; that of what does not
// move by impulses is none.
static vec3 vary_drift(const tac_model *m, const tac_varied *t, uint16_t self)
{
    return mechanism_moves(m, self) ? t->body[self].slip : V3_ZERO;
}

// Change of what the momenta of one body lack, about the centre of its tree.
static void vary_push(const tac_model *m, tac_varied *t, uint16_t self, const vary_change *c, real *push)
{
    const tac_mechanism_body *b = &t->mechanism.body[self];
    tac_varied_body *v = &t->body[self];
    vary_start x = {V3_ZERO, V3_ZERO, V3_ZERO, V3_ZERO};
    vec3 dv = V3_ZERO, rotation = V3_ZERO, before = V3_ZERO;
    if (c->translates && c->what == VARY_R) {
        const vec3 momentum = v3_scale(m->body[self].mass, V3_AXIS[c->axis]);
        six_set(push, v3_cross(b->arm, momentum), momentum);
        return;
    }
    if (c->what != VARY_R) {
        x = vary_start_of(c, b);
        before = v3_combine(v->inertia, x.w);
    }
    if (c->what != VARY_V) { vary_mean(m, v, &x, c->to, &dv, &rotation); }
    const vec3 dl = v3_sub(v3_combine(v->by_start, rotation), before);
    const vec3 linear = v3_sub(v3_scale(m->body[self].mass, v3_sub(dv, x.v)), v3_cross(x.turn, v->own[0]));
    const vec3 arm = v3_add(v3_cross(x.way, six_linear(v->lack)), v3_cross(b->arm, linear));
    six_set(push, v3_add(v3_add(dl, v3_cross(x.turn, v->turns)), arm), linear);
    if (c->what == VARY_R) { return; }
    const vec3 kick = v3_add(before, v3_cross(v3_sub(v->give[1], v->own[1]), x.turn)),
               late = v3_combine(v->slips, kick);
    v->change.w = v3_add(late, v3_cross(x.turn, v->slip));
    v->moved = (tac_twist){x.way, x.turn};
    v->mean.v = dv;
    v->mean.w = v3_add(v3_sub(v3_combine(v->by_mean, rotation), late), v3_cross(x.turn, v3_sub(v->spun, v->slip)));
}

// The same along the coordinate of a joint, and its change.
static real vary_drifts_now(const tac_model *m, const tac_varied *t, uint16_t self)
{
    const tac_mechanism_body *b = &t->mechanism.body[self];
    const vec3 axis = mechanism_axis(b, &t->mechanism.body[b->parent], 0);
    return v3_dot(axis, v3_sub(vary_drift(m, t, self), vary_drift(m, t, b->parent)));
}

static real vary_drifts(const tac_model *m, const tac_varied *t, uint16_t self, const vary_change *c)
{
    const tac_mechanism_body *b = &t->mechanism.body[self];
    const int both = self != c->body && mechanism_moves(m, b->parent) && t->body[b->parent].within;
    const vec3 axis = mechanism_axis(b, &t->mechanism.body[b->parent], 0);
    const vec3 now = v3_sub(vary_drift(m, t, self), vary_drift(m, t, b->parent));
    const vec3 change = v3_sub(t->body[self].change.w, both ? t->body[b->parent].change.w : V3_ZERO);
    const vec3 turned = both ? v3_cross(six_angular(c->at), axis) : V3_ZERO;
    return v3_dot(axis, change) + v3_dot(turned, now);
}

// S'push along the coordinates of a body, and what their own change makes of the force on it.
static void vary_rows(const tac_model *m, const tac_varied *t, uint16_t self, const vary_change *c, real *out,
                      size_t step)
{
    const tac_mechanism_body *b = &t->mechanism.body[self];
    const tac_varied_body *v = &t->body[self];
    const int free = mechanism_free(b), own = self == c->body;
    for (int i = 0; i < b->axes; i++) {
        real unit[6], moved[6];
        mechanism_unit(b, i, unit);
        real sum = six_dot(unit, v->push);
        int moves = c->what == VARY_Q && v->within && !(free && i < 3);
        if (own && !free) {
            const tac_joint *j = &JOINT_OF(m)[b->joint];
            const int ball = j->kind == TAC_SPHERICAL;
            moves &= ball ? vary_turned(j, b) : vary_axis(j, b, i) > vary_axis(j, b, c->axis);
        }
        if (moves) {
            vary_cross(c->at, unit, moved);
            sum += six_dot(moved, v->sum);
        }
        if (v->lag > R(0.0) && v->within && c->what != VARY_R) { sum -= v->lag * vary_drifts(m, t, self, c); }
        out[(size_t)(b->first + i) * step] += sum;
    }
}

// A body that is alone: rates (v, w) at the end, w as its contacts see it.
static void vary_column_alone(const tac_model *m, tac_varied *t, const vary_change *c, real *out, size_t step)
{
    const tac_mechanism_body *b = &t->mechanism.body[c->body];
    tac_varied_body *v = &t->body[c->body];
    const vec3 inertia = m->body[c->body].inertia;
    const vary_start x = vary_start_of(c, b);
    vec3 linear = v3_sub(v3_scale(-m->body[c->body].mass, x.v), v3_cross(x.turn, v->own[0]));
    const vec3 torque = v3_components(b->axis, v3_cross(v3_sub(v->give[1], v->own[1]), x.turn));
    const vec3 dl = v3_add(v3_mul(inertia, v3_components(b->axis, x.w)), torque);
    vec3 angular = v3_mul(v3_scale(R(-1.0), inertia), v3_combine(v->lands, dl));
    if (c->what == VARY_R) {
        const vec3 unit = V3_AXIS[c->axis % 3];
        linear = c->axis < 3 ? v3_scale(m->body[c->body].mass, unit) : V3_ZERO;
        angular = c->axis < 3 ? V3_ZERO : v3_mul(inertia, unit);
    }
    const real sum[6] = {linear.x, linear.y, linear.z, angular.x, angular.y, angular.z};
    for (size_t i = 0; i < 6; i++) { out[(b->first + i) * step] += sum[i]; }
    v->within = 1;
    v->moved = (tac_twist){x.way, x.turn};
    v->mean = (tac_twist){V3_ZERO, v3_cross(x.turn, v3_combine(b->axis, v->spin))};
}

// A column of the derivative of the lack along all coordinates, added to `out`.
static void vary_column(const tac_model *m, tac_varied *t, const vary_change *c, real *out, size_t step)
{
    const tac_mechanism *k = &t->mechanism;
    if (t->body[c->body].alone) {
        for (uint32_t at = 0; at < k->bodies; at++) { t->body[k->order[at]].within = 0; }
        vary_column_alone(m, t, c, out, step);
        return;
    }
    for (uint32_t at = 0; at < k->bodies; at++) {
        const uint16_t self = k->order[at], parent = k->body[self].parent;
        tac_varied_body *v = &t->body[self];
        v->within = self == c->body || (parent != TAC_NONE && mechanism_moves(m, parent) && t->body[parent].within);
        v->reached = v->within;
        six_set(v->push, V3_ZERO, V3_ZERO);
        if (v->within) { vary_push(m, t, self, c, v->push); }
    }
    for (uint32_t at = k->bodies; at-- > 0;) {
        const uint16_t self = k->order[at];
        if (!t->body[self].reached) { continue; }
        vary_rows(m, t, self, c, out, step);
        if (!mechanism_hangs(k, self)) { continue; }
        tac_varied_body *parent = &t->body[k->body[self].parent];
        six_add(parent->push, R(1.0), t->body[self].push);
        parent->reached = 1;
    }
}

// ------------------------------------------------------------------------------------------------------ the next state

// Axis of a free motion at the end of the step, and the body that it is fixed in.
static uint16_t vary_fixed(const tac_joint *j, int i)
{
    return mechanism_what(j, i) == JOINT_ABOUT_B ? j->body_b : j->body_a;
}

static vec3 vary_axis_end(const tac_model *m, const tac_varied *t, const tac_mechanism_body *b, int i)
{
    const tac_joint *j = &JOINT_OF(m)[b->joint];
    const uint16_t on = vary_fixed(j, i);
    const vec3 start = mechanism_axis(b, &t->mechanism.body[b->parent], i);
    return mechanism_moves(m, on) ? v3_add(start, quat_turn(t->body[on].turn, start)) : start;
}

#if TAC_MAX_JOINTS > 0

// Velocity of a body at the end, at the centre of its tree, and its change.
static void vary_seen(const tac_model *m, const tac_state *s, const tac_work *w, const tac_varied *t, uint16_t self,
                      uint16_t tree, vec3 *v, vec3 *turn, vec3 *dv, vec3 *dturn)
{
    const tac_varied_body *x = &t->body[self], *c = &t->body[tree];
    *v = *turn = *dv = *dturn = V3_ZERO;
    if (!mechanism_moves(m, self)) {
        const tac_twist *twist = &s->twist[self], *change = &w->delta_v[self];
        *turn = v3_combine(t->mechanism.body[self].axis, v3_add(twist->w, change->w));
        const vec3 way = v3_add(v3_sub(s->pose[tree].p, s->pose[self].p),
                                v3_sub(c->arm, v3_scale(m->h, v3_add(twist->v, change->v))));
        *v = v3_add(v3_add(twist->v, change->v), v3_cross(*turn, way));
        *dv = v3_cross(*turn, v3_add(six_linear(c->to), v3_cross(six_angular(c->to), c->arm)));
        return;
    }
    const vec3 arm = v3_sub(c->arm, x->arm);
    const vec3 darm = v3_sub(v3_add(six_linear(c->to), v3_cross(six_angular(c->to), c->arm)),
                             v3_add(six_linear(x->to), v3_cross(six_angular(x->to), x->arm)));
    *turn = x->ended;
    *dturn = x->change.w;
    *v = v3_add(x->v, v3_cross(*turn, arm));
    *dv = v3_add(x->change.v, v3_add(v3_cross(*dturn, arm), v3_cross(*turn, darm)));
}

// Of a point that is at `place` about the fixed point of the tree, on a body that moves: by the column in work.
static vec3 vary_shifted(const tac_varied_body *v, vec3 place)
{
    return v3_add(six_linear(v->to), v3_cross(six_angular(v->to), place));
}

// The origin of frame b at the end of the step, from the centre of the tree there, and its change.
static vec3 vary_origin(const tac_model *m, const tac_state *s, const tac_work *w, const tac_varied *t, uint16_t self,
                        vec3 *change)
{
    const tac_mechanism *k = &t->mechanism;
    const tac_mechanism_body *b = &k->body[self];
    const uint16_t on = JOINT_OF(m)[b->joint].body_b;
    const tac_varied_body *c = &t->body[b->tree], *v = &t->body[on];
    const vec3 from = v3_sub(s->pose[on].p, s->pose[b->tree].p);
    const vec3 start = v3_add(from, v3_combine(k->body[on].axis, b->origin));
    vary_rigid end = {v->turn, v->shift};
    if (!mechanism_moves(m, on)) { end = vary_parent(m, s, w, t, self); }
    const vec3 at = v3_add(v3_add(start, quat_turn(end.turn, start)), end.shift);
    const vec3 moved = mechanism_moves(m, on) ? vary_shifted(v, at) : V3_ZERO;
    *change = v3_sub(moved, vary_shifted(c, c->arm));
    return v3_sub(at, c->arm);
}

// Rotations first, then slides, as mechanism_rates() reads them: what a rotation moves the centre by is no slide.
static void vary_next_rates(const tac_model *m, const tac_state *s, const tac_work *w, const tac_varied *t,
                            uint16_t self, real *rate)
{
    const tac_mechanism_body *b = &t->mechanism.body[self];
    const tac_joint *j = &JOINT_OF(m)[b->joint];
    vec3 v[2], turn[2], dv[2], dturn[2], dat = V3_ZERO;
    vary_seen(m, s, w, t, b->parent, b->tree, &v[0], &turn[0], &dv[0], &dturn[0]);
    vary_seen(m, s, w, t, self, b->tree, &v[1], &turn[1], &dv[1], &dturn[1]);
    const vec3 spin = v3_sub(turn[1], turn[0]), dspin = v3_sub(dturn[1], dturn[0]);
    const vec3 at = b->axes > 1 ? vary_origin(m, s, w, t, self, &dat) : V3_ZERO;
    vec3 slide = v3_sub(v[1], v[0]), dslide = v3_sub(dv[1], dv[0]);
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < b->axes; i++) {
            const int about = mechanism_what(j, i) >= JOINT_ABOUT;
            const uint16_t on = vary_fixed(j, i);
            if (about != (pass == 0)) { continue; }
            const vec3 axis = vary_axis_end(m, t, b, i);
            const vec3 daxis = mechanism_moves(m, on) ? v3_cross(six_angular(t->body[on].to), axis) : V3_ZERO;
            const vec3 of = about ? spin : slide, dof = about ? dspin : dslide;
            rate[i] = v3_dot(daxis, of) + v3_dot(axis, dof);
            if (!about || b->axes == 1) { continue; }
            const vec3 lever = v3_cross(at, axis), dlever = v3_add(v3_cross(dat, axis), v3_cross(at, daxis));
            const real now = v3_dot(axis, spin);
            slide = v3_madd(slide, -now, lever);
            dslide = v3_sub(v3_madd(dslide, -rate[i], lever), v3_scale(now, dlever));
        }
    }
}

#else

static void vary_next_rates(const tac_model *m, const tac_state *s, const tac_work *w, const tac_varied *t,
                            uint16_t self, real *rate)
{
    (void)m, (void)s, (void)w, (void)t, (void)self;
    rate[0] = rate[1] = rate[2] = R(0.0);
}

#endif

// Of a body that is alone.
static void vary_next_alone(const tac_model *m, const tac_varied *t, const vary_change *c, real *out, size_t step)
{
    const tac_mechanism_body *b = &t->mechanism.body[c->body];
    const tac_varied_body *v = &t->body[c->body];
    const real h = m->h;
    const vec3 inertia = m->body[c->body].inertia, unit = V3_AXIS[c->axis % 3];
    const vary_start x = vary_start_of(c, b);
    const vec3 dv = c->what == VARY_R && c->axis < 3 ? unit : V3_ZERO;
    const vec3 dw = c->what == VARY_R && c->axis >= 3 ? unit : V3_ZERO;
    const vec3 torque = v3_components(b->axis, v3_cross(v3_sub(v->give[1], v->own[1]), x.turn));
    const vec3 dl = v3_add(v3_mul(inertia, v3_components(b->axis, x.w)), torque);
    vec3 mean = v3_add(dw, v3_combine(v->drift, dl)), end = dw;
    if (JOINT_COUNT(m) > 0) {
        const vec3 whole = v3_add(dl, v3_mul(inertia, v3_sub(dw, v3_combine(v->lands, dl))));
        vec3 row[3];
        vary_rotation(h, inertia, v->w, row);
        mean = v3_components(row, whole);
        end = vary_ended(h, inertia, v->w, v->end, whole, mean);
    }
    const vec3 way = v3_madd(x.way, h, v->straight ? dv : v3_scale(R(0.5), v3_add(dv, x.v)));
    const vec3 turn = v3_add(v3_components(v->axis, x.turn), vary_right(v3_scale(h, v->w), v3_scale(h, mean)));
    const vec3 to[4] = {way, turn, dv, end};
    const size_t n = t->mechanism.coordinates;
    for (size_t i = 0; i < 12; i++) {
        real part[3];
        v3_put(part, to[i / 3]);
        out[(b->first + i % 6 + (i < 6 ? 0 : n)) * step] = part[i % 3];
    }
}

// Of a body of a tree that moves: the change of its velocity at the end.
static void vary_next_body(const tac_model *m, tac_varied *t, const vary_change *c, uint16_t self)
{
    tac_varied_body *v = &t->body[self];
    vary_start x = {V3_ZERO, V3_ZERO, V3_ZERO, V3_ZERO};
    vec3 rotation;
    if (c->what == VARY_Q) { x = vary_start_of(c, &t->mechanism.body[self]); }
    six_copy(v->to, c->to);
    vary_mean(m, v, &x, v->to, &v->change.v, &rotation);
    v->change.w = v3_add(v3_combine(v->by_end, rotation), v3_cross(six_angular(v->to), v->ended));
}

// Positions: of a root, or of the joint whose coordinate changes.
static void vary_next_positions(const tac_model *m, const tac_varied *t, const vary_change *c, real *out, size_t step)
{
    const tac_mechanism_body *b = &t->mechanism.body[c->body];
    const tac_varied_body *v = &t->body[c->body];
    if (mechanism_free(b)) {
        const vec3 turn = six_angular(v->to), way = v3_add(six_linear(v->to), v3_cross(turn, v->arm));
        const vec3 own = v3_components(v->axis, turn);
        out[0] = way.x, out[step] = way.y, out[2 * step] = way.z;
        out[3 * step] = own.x, out[4 * step] = own.y, out[5 * step] = own.z;
    } else if (JOINT_OF(m)[b->joint].kind == TAC_SPHERICAL) {
        for (int i = 0; i < 3; i++) { out[(size_t)i * step] = v3_dot(vary_axis_end(m, t, b, i), six_angular(v->to)); }
    } else {
        out[(size_t)c->axis * step] = c->what == VARY_Q ? R(1.0) : m->h;
    }
}

static void vary_next_velocities(const tac_model *m, const tac_state *s, const tac_work *w, const tac_varied *t,
                                 uint16_t self, real *out, size_t step)
{
    const tac_mechanism_body *b = &t->mechanism.body[self];
    const tac_varied_body *v = &t->body[self];
    real x[6];
    if (mechanism_free(b)) {
        v3_put(x, v->change.v);
        v3_put(x + 3, v3_components(v->axis, v3_sub(v->change.w, v3_cross(six_angular(v->to), v->ended))));
    } else {
        vary_next_rates(m, s, w, t, self, x);
    }
    for (size_t i = 0; i < b->axes; i++) { out[i * step] = x[i]; }
}

// Where a free tree is, and how fast it moves as a whole, makes no difference but this: it stays displaced, or moves on
// so much faster. `row`: of the coordinate that translates it.
static void vary_next_translated(real h, size_t row, int what, size_t n, real *out, size_t step)
{
    out[row * step] = what == VARY_Q ? R(1.0) : h;
    out[(n + row) * step] = what == VARY_Q ? R(0.0) : R(1.0);
}

// A column of the derivative of the next state by q, v and r: positions, then as many velocities.
static void vary_next(const tac_model *m, const tac_state *s, const tac_work *w, tac_varied *t, const vary_change *c,
                      real *out, size_t step)
{
    const tac_mechanism *k = &t->mechanism;
    for (size_t i = 0; i < 2 * (size_t)k->coordinates; i++) { out[i * step] = R(0.0); }
    if (t->body[c->body].alone) {
        vary_next_alone(m, t, c, out, step);
        return;
    }
    if (c->what == VARY_V) { return; } // trees see it in the rates r alone
    if (c->translates) {
        vary_next_translated(m->h, k->body[c->body].first + (size_t)c->axis, c->what, k->coordinates, out, step);
        return;
    }
    for (uint32_t at = 0; at < k->bodies; at++) {
        const uint16_t self = k->order[at];
        tac_varied_body *v = &t->body[self];
        const int hangs = mechanism_hangs(k, self);
        six_set(v->to, V3_ZERO, V3_ZERO);
        v->change = (tac_twist){V3_ZERO, V3_ZERO};
        v->within = self == c->body || (hangs && t->body[k->body[self].parent].within);
        if (!v->within) { continue; }
        vary_next_body(m, t, c, self);
        vary_next_velocities(m, s, w, t, self, out + (k->coordinates + k->body[self].first) * step, step);
    }
    vary_next_positions(m, t, c, out + k->body[c->body].first * step, step);
}

#endif

#endif
