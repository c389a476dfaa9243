// SPDX-License-Identifier: MIT
// vary_columns.h - the derivatives of these by positions q, velocities v and mean rates r, coordinate by coordinate.
//   given   a mechanism, its motion of a step
//   makes   of each coordinate its motions, and what its equation takes from those of others; rates at the end
//   bound   a visit to each body; entries are products of six numbers, one for each pair of coordinates on one path
//   never   differentiates numerically
#ifndef DERIVATIVE_VARY_COLUMNS_H
#define DERIVATIVE_VARY_COLUMNS_H

#include "vary_motion.h"

#if TAC_MAX_LCP > 0

// A change of one coordinate: of a position, of a velocity at the start, or of a mean rate.
enum { VARY_Q, VARY_V, VARY_R };

// --------------------------------------------------------------------------------------------------- maps of one body

// Change of the angular momentum at the start that makes a mean rotation w, by dw.
static inline vec3 vary_momentum(real h, vec3 inertia, vec3 w, vec3 dw)
{
    const vec3 l = v3_mul(inertia, w), change = v3_mul(inertia, dw);
    const vec3 bend = v3_add(v3_cross(change, w), v3_cross(l, dw));
    real slope;
    const real t = h * free_tangent(h * h * v3_dot(w, w), &slope), dt = R(2.0) * h * h * h * slope * v3_dot(w, dw);
    return v3_sub(v3_madd(change, -t, bend), v3_scale(dt, v3_cross(l, w)));
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

// Columns of the velocity at the end and of the mean rotation of free flight by the angular momentum at its start.
static void vary_flight(real h, vec3 inertia, tac_varied_body *v)
{
    const vec3 a = v3_scale(h, v->flight), l = v3_scale(h, v3_mul(inertia, v->flown));
    const quat back = quat_exp_short(v3_scale(R(-1.0), a));
    vec3 row[3];
    real b, c;
    vary_rotation(h, inertia, v->flight, row);
    vary_bend(v3_dot(a, a), &b, &c);
    for (int i = 0; i < 3; i++) {
        const vec3 e = V3_AXIS[i], dw = v3_components(row, e), once = v3_cross(a, dw);
        const vec3 turned = v3_madd(v3_madd(dw, -b, once), c, v3_cross(a, once)); // vary_right()
        const vec3 dl = v3_add(v3_add(e, quat_turn(back, e)), v3_cross(l, turned));
        v->lands[i] = vary_inverse(inertia, dl);
        v->drift[i] = v3_sub(dw, v->lands[i]);
    }
}

// What the columns of a body of a tree need of the motion of the step, in the world frame: its axes at the end show how
// it has turned.
static void vary_maps(const tac_model *m, const tac_state *s, tac_varied *t, uint16_t self)
{
    const tac_mechanism_body *b = &t->mechanism.body[self];
    tac_varied_body *v = &t->body[self];
    const vec3 inertia = m->body[self].inertia, l = v3_sub(v->l, v3_mul(inertia, s->twist[self].w));
    const vec3 end = v3_scale(m->h, v3_mul(inertia, v->end)), a = v3_scale(m->h, v->w);
    const real c = vary_bend_back(v3_dot(a, a));
    for (int i = 0; i < 3; i++) {
        const vec3 turned = v3_components(v->axis, V3_AXIS[i]);
        const vec3 dw = vary_right_back(a, c, turned);
        v->by_mean[i] = v3_combine(b->axis, dw);
        v->by_start[i] = v3_combine(b->axis, vary_momentum(m->h, inertia, v->w, dw));
        const vec3 dl = v3_add(v3_components(v->axis, v->by_start[i]), v3_cross(end, turned));
        v->by_end[i] = v3_combine(v->axis, vary_inverse(inertia, dl));
    }
    v->spun = v3_combine(b->axis, v->w);
    v->ended = v3_combine(v->axis, v->end);
    v->turns = v3_sub(v3_combine(b->axis, l), v->own[1]);
}

// ------------------------------------------------------------------------------------------------- motions of subtrees
// A change moves the subtree of its joint at the start of the step, by a = (turn, way), and at its end by a + h d. It
// changes velocities at the start in two ways: these turn with the body, and a velocity u is added. With arms r at the
// start and r+ at the end, the momenta of a body then lack
//      force   m (d.v - u.v) + d.w x m r+ - u.w x m r + turn x g
//      torque  r x force + S d.w - I u.w + turn x (L - L_own) + (way + turn x r) x f,
// f the force that is lacking, g = m (v - v_0) less what turns with the body. All of this is linear: sums over a
// subtree are maps of the subtree, and each coordinate takes its component of them.

// Adds maps of a body to those of its parent.
static void vary_add(const tac_varied_body *v, tac_varied_body *p)
{
    p->ends = v3_add(p->ends, v->ends);
    p->gain = v3_add(p->gain, v->gain);
    p->residual_force = v3_add(p->residual_force, v->residual_force);
    for (int i = 0; i < 3; i++) {
        p->by_turn[i] = v3_add(p->by_turn[i], v->by_turn[i]);
        p->by_rate[i] = v3_add(p->by_rate[i], v->by_rate[i]);
    }
}

// Columns of a body, by rotations about the axes e of the world:
//      by_rate   by_start + r x (e x ends)
//      by_turn   e x turns + (e x r) x f + r x (e x gain)
// with (e x r) x f = (e.f) r - (r.f) e and r x (e x g) = (r.g) e - (e.r) g.
static void vary_turned_moments(vec3 r, tac_varied_body *v)
{
    const real by_ends = v3_dot(r, v->ends), by_force = v3_dot(r, v3_sub(v->gain, v->residual_force));
    real arm[3], force[3];
    v3_put(arm, r);
    v3_put(force, v->residual_force);
    for (int i = 0; i < 3; i++) {
        const vec3 e = V3_AXIS[i], turned = v3_madd(v3_cross(e, v->turns), by_force, e);
        v->by_rate[i] = v3_madd(v3_madd(v->by_start[i], by_ends, e), -arm[i], v->ends);
        v->by_turn[i] = v3_madd(v3_madd(turned, force[i], r), -arm[i], v->gain);
    }
}

// Maps of all subtrees.
static void vary_subtrees(const tac_model *m, const tac_state *s, tac_varied *t)
{
    const tac_mechanism *k = &t->mechanism;
    for (uint32_t at = 0; at < k->bodies; at++) {
        const uint16_t self = k->order[at];
        const vec3 arm = k->body[self].arm;
        tac_varied_body *v = &t->body[self];
        if (v->alone) { continue; }
        vary_maps(m, s, t, self);
        v->ends = v3_scale(m->body[self].mass, v->arm);
        v->residual_force = six_linear(v->residual);
        v->gain = v3_add(v->residual_force, v3_sub(v->give[0], v->own[0]));
        vary_turned_moments(arm, v);
    }
    for (uint32_t at = k->bodies; at-- > 0;) {
        const uint16_t self = k->order[at];
        if (mechanism_hangs(k, self)) { vary_add(&t->body[self], &t->body[k->body[self].parent]); }
    }
}

static vec3 vary_first_moment(const tac_mechanism_body *b)
{
    return v3(b->inertia[12], b->inertia[15], b->inertia[7]);
}

// What the momenta of a subtree lack by a motion d of the end over h,
static void vary_push_rate(const tac_mechanism_body *b, const tac_varied_body *v, const real *d, real *push)
{
    const vec3 w = six_angular(d), x = six_linear(d), c = vary_first_moment(b);
    six_set(push, v3_add(v3_combine(v->by_rate, w), v3_cross(c, x)),
            v3_madd(v3_cross(w, v->ends), b->inertia[9], x));
}

// and by a change of position.
static void vary_push_place(const tac_mechanism_body *b, const tac_varied_body *v, const tac_varied_axis *a, real *push)
{
    const vec3 turn = six_angular(a->start), way = six_linear(a->start);
    real speed[6], moved[6];
    vary_push_rate(b, v, a->by_place, push);
    six_rigid_mul(b->inertia, a->speed, speed);
    six_sub(push, speed);
    six_set(moved, v3_add(v3_combine(v->by_turn, turn), v3_cross(way, v->residual_force)), v3_cross(turn, v->gain));
    six_add(push, R(1.0), moved);
}

// --------------------------------------------------------------------------------------------------------- coordinates

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

// Motions by a coordinate. A free root keeps the velocity of its centre, and its rates in its principal frame.
static void vary_motions(const tac_model *m, const tac_varied *t, uint16_t self, int i, tac_varied_axis *a)
{
    const tac_mechanism_body *b = &t->mechanism.body[self];
    mechanism_unit(b, i, a->start);
    vary_end_motion(m, t, self, i, 0, a->by_place);
    vary_end_motion(m, t, self, i, 1, a->by_rate);
    six_sub(a->by_place, a->start);
    six_scale(a->by_place, R(1.0) / m->h);
    six_set(a->speed, V3_ZERO, V3_ZERO);
    if (!mechanism_free(b)) {
        real carried[6];
        vary_carried(m, &t->mechanism, b, i, carried);
        vary_cross(carried, a->start, a->speed);
    } else if (i >= 3) {
        six_set(a->speed, V3_ZERO, v3_cross(six_linear(b->velocity), six_angular(a->start)));
    }
}

// What the equation of a coordinate takes from motions that carry its body; its own motion (a, b) turns with them.
static void vary_takes(const tac_mechanism_body *b, const tac_varied_body *v, tac_varied_axis *x)
{
    const vec3 turn = six_angular(x->start), way = six_linear(x->start), c = vary_first_moment(b);
    const vec3 torque = six_angular(v->sum), force = six_linear(v->sum);
    const vec3 moved = v3_add(v3_cross(turn, torque), v3_cross(way, force));
    six_set(x->of_rate, v3_add(v3_components(v->by_rate, turn), v3_cross(v->ends, way)),
            v3_madd(v3_cross(turn, c), b->inertia[9], way));
    six_set(x->of_start, v3_add(v3_add(v3_components(v->by_turn, turn), v3_cross(v->gain, way)), moved),
            v3_cross(turn, v3_sub(force, v->residual_force)));
    six_rigid_mul(b->inertia, x->start, x->of_speed);
    six_scale(x->of_speed, R(-1.0));
}

// What free rotation adds to the mean rotation of a body and not to its velocity, world frame; that of what does not
// move by impulses is none.
static vec3 vary_drift(const tac_model *m, const tac_varied *t, uint16_t self)
{
    return mechanism_moves(m, self) ? t->body[self].slip : V3_ZERO;
}

// The same along the coordinate of a joint,
static real vary_drifts_now(const tac_model *m, const tac_varied *t, uint16_t self)
{
    const tac_mechanism_body *b = &t->mechanism.body[self];
    const vec3 axis = mechanism_axis(&t->mechanism, b, 0);
    return v3_dot(axis, v3_sub(vary_drift(m, t, self), vary_drift(m, t, b->parent)));
}

// and what an effort that follows it takes, `lag` times this, from a rotation at the start and from a velocity that is
// added there. Of a body:
static inline void vary_lags(const tac_varied_body *v, real lag, vec3 axis, vec3 *of_turn, vec3 *of_speed)
{
    const vec3 by = v3_scale(lag, v3_components(v->slips, axis));
    *of_turn = v3_cross(by, v3_sub(v->give[1], v->own[1]));
    *of_speed = v3_components(v->inertia, by);
}

// of a hinge whose two bodies are carried, or whose own body is moved alone.
static void vary_lag(const tac_model *m, const tac_varied *t, uint16_t self, int both, real *of_start, real *of_speed)
{
    const tac_mechanism_body *b = &t->mechanism.body[self];
    const tac_varied_body *v = &t->body[self];
    const vec3 axis = mechanism_axis(&t->mechanism, b, 0);
    vec3 turn, speed;
    vary_lags(v, v->lag, axis, &turn, &speed);
    if (both && mechanism_moves(m, b->parent)) {
        vec3 other, rate;
        vary_lags(&t->body[b->parent], v->lag, axis, &other, &rate);
        turn = v3_sub(turn, other);
        speed = v3_sub(speed, rate);
    }
    v3_put(of_start, v3_sub(v3_of(of_start), turn));
    v3_put(of_speed, v3_sub(v3_of(of_speed), speed));
}

// All coordinates of a body.
static void vary_coordinates(const tac_model *m, tac_varied *t, uint16_t self)
{
    const tac_mechanism_body *b = &t->mechanism.body[self];
    for (int i = 0; i < b->axes; i++) {
        tac_varied_axis *a = &t->axis[b->first + i];
        vary_motions(m, t, self, i, a);
        if (mechanism_free(b) && i < 3) { continue; } // nothing carries it
        vary_takes(b, &t->body[self], a);
        if (t->body[self].lag > R(0.0)) { vary_lag(m, t, self, 1, a->of_start, a->of_speed); }
    }
}

// Does the motion i of a joint turn with a change of its coordinate j? In a free root rotations do.
static int vary_turns(const tac_model *m, const tac_mechanism_body *b, int i, int j)
{
    if (mechanism_free(b)) { return i >= 3; }
    const tac_joint *joint = &JOINT_OF(m)[b->joint];
    return joint->kind == TAC_SPHERICAL ? vary_turned(joint, b) : vary_axis(joint, b, i) > vary_axis(joint, b, j);
}

// Change of the residual of coordinate i by the position of another of the same joint, from that of the subtree.
static real vary_own(const tac_model *m, const tac_varied *t, uint16_t self, int i, int j, const real *push)
{
    const tac_mechanism_body *b = &t->mechanism.body[self];
    const tac_varied_axis *a = &t->axis[b->first + i], *by = &t->axis[b->first + j];
    real sum = six_dot(a->start, push);
    if (vary_turns(m, b, i, j)) {
        real moved[6];
        vary_cross(by->start, a->start, moved);
        sum += six_dot(moved, t->body[self].sum);
    }
    return sum;
}

// The same by the position of a coordinate that carries the joint.
static inline real vary_taken(const tac_varied_axis *a, const tac_varied_axis *by)
{
    return (six_dot(a->of_start, by->start) + six_dot(a->of_rate, by->by_place)) + six_dot(a->of_speed, by->speed);
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
    const vec3 start = mechanism_axis(&t->mechanism, b, i);
    return mechanism_moves(m, on) ? v3_add(start, quat_turn(t->body[on].turn, start)) : start;
}

// A joint whose rate is that of one rotation, whatever its bodies' velocities.
static int vary_hinges(const tac_mechanism_body *b)
{
    return !mechanism_free(b) && b->axes == 1 && (b->turns & 1);
}

// Change of the rate of a hinge at the end, by the rotation of the end less that of the start over h: where its own
// coordinate changes, and where both bodies are carried. Both turn, and their axis with them: what is left is what the
// rotation of the step makes of their velocities.
static vec3 vary_hinge(const tac_model *m, tac_varied *t, uint16_t self)
{
    const tac_mechanism_body *b = &t->mechanism.body[self];
    const vec3 axis = vary_axis_end(m, t, b, 0), own = v3_components(t->body[self].by_end, axis);
    const vec3 other = mechanism_moves(m, b->parent) ? v3_components(t->body[b->parent].by_end, axis) : V3_ZERO;
    t->axis[b->first].of_end = v3_sub(own, other);
    return own;
}

// Motion of the end of a body, and the change of its velocity there, by a coordinate.
static void vary_moved(const tac_model *m, tac_varied *t, uint16_t self, int within, const tac_varied_axis *a, int what)
{
    if (!mechanism_moves(m, self)) { return; }
    const vec3 arm = t->mechanism.body[self].arm;
    const real *d = what == VARY_Q ? a->by_place : a->by_rate;
    const vec3 rate = six_angular(d);
    tac_varied_body *v = &t->body[self];
    six_set(v->to, V3_ZERO, V3_ZERO);
    v->change = (tac_twist){V3_ZERO, V3_ZERO};
    if (!within) { return; }
    six_add(v->to, m->h, d);
    if (what == VARY_Q) { six_add(v->to, R(1.0), a->start); }
    v->change.v = v3_add(v3_add(six_linear(d), v3_cross(rate, arm)), v3_cross(six_angular(v->to), v->v));
    v->change.w = v3_add(v3_combine(v->by_end, rate), v3_cross(six_angular(v->to), v->ended));
}

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
    const vec3 start = v3_add(from, v3_combine(k->body[on].axis, k->joint[b->joint].frame[1].p));
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

// Changes of the rates of a joint at the end, by a coordinate that carries it or its own.
static void vary_rates_by(const tac_model *m, const tac_state *s, const tac_work *w, tac_varied *t, uint16_t self,
                          uint16_t on, const tac_varied_axis *a, int what, real *rate)
{
    const tac_mechanism *k = &t->mechanism;
    const uint16_t body[3] = {k->body[self].tree, k->body[self].parent, self};
    for (int i = 0; i < 3; i++) {
        uint16_t up = body[i];
        while (mechanism_moves(m, up) && up != on && mechanism_hangs(k, up)) { up = k->body[up].parent; }
        vary_moved(m, t, body[i], up == on, a, what);
    }
    vary_next_rates(m, s, w, t, self, rate);
}

// A free root that carries nothing: changes of its mean rotation and of its velocity at the end, principal frame, by
// the angular momentum at its start and by its rate at the end.
static void vary_alone(const tac_model *m, const tac_varied *t, uint16_t self, vec3 dl, vec3 dw, vec3 *mean, vec3 *end)
{
    const tac_varied_body *v = &t->body[self];
    const vec3 inertia = m->body[self].inertia;
    *mean = v3_add(dw, v3_combine(v->drift, dl));
    *end = dw;
    if (JOINT_COUNT(m) == 0) { return; }
    const vec3 whole = v3_add(dl, v3_mul(inertia, v3_sub(dw, v3_combine(v->lands, dl))));
    vec3 row[3];
    vary_rotation(m->h, inertia, v->w, row);
    *mean = v3_components(row, whole);
    *end = vary_ended(m->h, inertia, v->w, v->end, whole, *mean);
}

#endif

#endif
