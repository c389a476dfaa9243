// SPDX-License-Identifier: MIT
// dynamics.h - equations of motion of the mechanism, M ddq + h = effort: efforts, mass matrix, accelerations (F08).
//   given   a model, a state, the mechanism placed by it
//   makes   efforts from accelerations (chapter 5), M (chapter 6), accelerations from efforts (chapter 7)
//   bound   two visits to each body; M: one for each pair of a body and one that carries it
//   never   knows springs, motors, limits, friction or contacts: what they do is an effort
#ifndef MOTION_DYNAMICS_H
#define MOTION_DYNAMICS_H

#include "mechanism.h"

// ------------------------------------------------------------------------------------------------------ accelerations

// x = y + s V1 x V2: the derivative of a motion V2 that is carried along by V1.
static inline void dynamics_cross(const real *first, const real *second, real s, const real *y, real *x)
{
    const vec3 w1 = six_angular(first), v1 = six_linear(first), w2 = six_angular(second), v2 = six_linear(second);
    const vec3 turn = v3_cross(w1, w2), slide = v3_add(v3_cross(w1, v2), v3_cross(v1, w2));
    six_set(x, v3_madd(six_angular(y), s, turn), v3_madd(six_linear(y), s, slide));
}

// What turns the arms of a body into accelerations of their ends against their starts: dw/dt x + w x (w x.
static inline void dynamics_bend(tac_mechanism_body *b, vec3 a)
{
    const vec3 w = b->spin;
    const real xx = w.x * w.x, yy = w.y * w.y, zz = w.z * w.z, xy = w.x * w.y, yz = w.y * w.z, zx = w.z * w.x;
    b->bend[0] = v3(-(yy + zz), xy - a.z, zx + a.y);
    b->bend[1] = v3(xy + a.z, -(zz + xx), yz - a.x);
    b->bend[2] = v3(zx - a.y, yz + a.x, -(xx + yy));
}

// Motions of a joint with several that are not all fixed in one of its bodies: each is carried by those before it.
// Those of SPHERICAL are fixed in a.
static void dynamics_carry(const tac_joint *j, const tac_mechanism_body *b, const real *parent, real *acceleration)
{
    const real sign = mechanism_sign(j, b);
    real rate[3];
    if (j->kind == TAC_SPHERICAL) { return; }
    mechanism_rates(b, parent, rate);
    for (int k = 1; k < b->axes; k++) {
        for (int i = 0; i < k; i++) {
            dynamics_cross(b->s[i], b->s[k], sign * rate[i] * rate[k], acceleration, acceleration);
        }
    }
}

// The acceleration of a joint's coordinate, none if ddq is NULL.
static inline real dynamics_given(const real *ddq, int i)
{
    return ddq != NULL ? ddq[i] : R(0.0);
}

// Of a body on a hinge: dw/dt = dw_p/dt + w_p x w + s ddq, and dv/dt by way of the hinge, a point of both bodies.
static inline void dynamics_hinge(const tac_mechanism_body *p, tac_mechanism_body *b, const real *ddq)
{
    const vec3 carried = v3_add(six_angular(p->acceleration), v3_cross(p->spin, b->spin));
    const vec3 turn = v3_madd(carried, dynamics_given(ddq, b->first), six_angular(b->s[0]));
    dynamics_bend(b, turn);
    const vec3 at = v3_add(six_linear(p->acceleration), v3_components(p->bend, b->reach));
    six_set(b->acceleration, turn, v3_add(at, v3_components(b->bend, b->lever)));
}

static void dynamics_root(tac_mechanism_body *b, const real *ddq, vec3 lift)
{
    const vec3 v = ddq != NULL ? v3_of(ddq + b->first) : V3_ZERO;
    const vec3 w = ddq != NULL ? v3_combine(b->axis, v3_of(ddq + b->first + 3)) : V3_ZERO;
    six_set(b->acceleration, w, v3_add(v, lift));
    dynamics_bend(b, w);
}

// Of a body on a joint of any kind, by spatial accelerations (F08, 2.10) about the centre of the tree, whose linear
// part is dv/dt of the centre of mass less dw/dt x arm and w x v: a = a_p + v_p x v + sum s_i ddq_i. The motion v - v_p
// is carried by either of the two bodies: v_p x (v - v_p) = v x (v - v_p).
static void dynamics_child(const tac_model *m, const tac_state *s, tac_mechanism *t, uint16_t self, const real *ddq)
{
    tac_mechanism_body *b = &t->body[self], *p = &t->body[b->parent];
    const vec3 start = s->pose[b->tree].p, arm = v3_sub(s->pose[self].p, start);
    const tac_twist *twist = &s->twist[self], *carrier = &s->twist[b->parent];
    const vec3 from = v3_sub(s->pose[b->parent].p, start), turn = six_angular(p->acceleration);
    real a[6];
    mechanism_velocity(twist, b->axis, arm, b->velocity);
    mechanism_velocity(carrier, p->axis, from, p->velocity);
    six_set(a, turn, v3_sub(six_linear(p->acceleration), v3_add(v3_cross(turn, from), v3_cross(p->spin, carrier->v))));
    dynamics_cross(p->velocity, b->velocity, R(1.0), a, a);
    if (b->axes > 1) { dynamics_carry(&JOINT_OF(m)[b->joint], b, p->velocity, a); }
    for (int i = 0; i < b->axes; i++) { six_add(a, dynamics_given(ddq, b->first + i), b->s[i]); }
    dynamics_bend(b, six_angular(a));
    six_set(b->acceleration, six_angular(a),
            v3_add(six_linear(a), v3_add(v3_cross(six_angular(a), arm), v3_cross(b->spin, twist->v))));
}

// ------------------------------------------------------------------------------------------------------------ efforts

// The force at the centre of mass, and the torque about it, that the acceleration of a body needs, by Newton's and
// Euler's equations.
static inline void dynamics_force(const tac_body *body, vec3 w, tac_mechanism_body *b)
{
    const vec3 i = body->inertia, a = v3_mul(i, v3_components(b->axis, six_angular(b->acceleration)));
    const vec3 torque =
        v3(a.x + (i.z - i.y) * (w.y * w.z), a.y + (i.x - i.z) * (w.z * w.x), a.z + (i.y - i.x) * (w.x * w.y));
    six_set(b->force, v3_combine(b->axis, torque), v3_scale(body->mass, six_linear(b->acceleration)));
}

// A body that is not dynamic has a prescribed and constant velocity, of its centre in the world and of its rotation in
// its principal frame, hence in the world too.
static void dynamics_base(const tac_twist *twist, vec3 lift, tac_mechanism_body *b)
{
    b->spin = v3_combine(b->axis, twist->w);
    six_set(b->acceleration, V3_ZERO, lift);
    dynamics_bend(b, V3_ZERO);
}

// Places all bodies. Accelerations in a frame that has the acceleration -lift, without those of coordinates if ddq is
// NULL; and the forces that these need. With a lift of -g the forces do without weight.
static void dynamics_accelerate(const tac_model *m, const tac_state *s, const real *ddq, vec3 lift, tac_mechanism *t)
{
    mechanism_bases(s->pose, t);
    for (uint32_t at = t->bodies; at < (uint32_t)t->bodies + t->bases; at++) {
        dynamics_base(&s->twist[t->order[at]], lift, &t->body[t->order[at]]);
    }
    for (uint32_t at = 0; at < t->bodies; at++) {
        const uint16_t self = t->order[at];
        tac_mechanism_body *b = &t->body[self];
        quat_axes(s->pose[self].q, b->axis);
        b->spin = v3_combine(b->axis, s->twist[self].w);
        mechanism_joint(m, s->pose, t, self);
        if (b->hinge) {
            dynamics_hinge(&t->body[b->parent], b, ddq);
        } else if (mechanism_free(b)) {
            dynamics_root(b, ddq, lift);
        } else {
            dynamics_child(m, s, t, self, ddq);
        }
        dynamics_force(&m->body[self], s->twist[self].w, b);
    }
}

// The effort along a hinge, of the force on what it carries; the force goes on to the parent by way of the hinge.
static inline real dynamics_pass_hinge(const tac_mechanism_body *b, int hangs, tac_mechanism_body *p)
{
    const vec3 force = six_linear(b->force), torque = v3_add(six_angular(b->force), v3_cross(b->lever, force));
    if (hangs) {
        six_set(p->force, v3_add(six_angular(p->force), v3_add(torque, v3_cross(b->reach, force))),
                v3_add(six_linear(p->force), force));
    }
    return v3_dot(six_angular(b->s[0]), torque);
}

// The same of any joint. About the centre of the tree the force is (torque + arm x force, force).
static void dynamics_pass(const tac_state *s, const tac_mechanism_body *b, uint16_t self, int hangs,
                          tac_mechanism_body *p, real *effort)
{
    const vec3 force = six_linear(b->force), arm = v3_sub(s->pose[self].p, s->pose[b->tree].p);
    real about[6];
    six_set(about, v3_add(six_angular(b->force), v3_cross(arm, force)), force);
    for (int i = 0; i < b->axes; i++) { effort[i] = six_dot(b->s[i], about); }
    if (hangs) {
        const vec3 apart = v3_sub(s->pose[self].p, s->pose[b->parent].p);
        six_add(p->force, R(1.0), b->force);
        v3_put(p->force, v3_add(six_angular(p->force), v3_cross(apart, force)));
    }
}

// From the leaves to the roots: each joint passes on the force on the subtree that it carries.
static void dynamics_efforts(const tac_state *s, const real *ddq, tac_mechanism *t, real *effort)
{
    for (uint32_t at = t->bodies; at-- > 0;) {
        const uint16_t self = t->order[at];
        const tac_mechanism_body *b = &t->body[self];
        const int hangs = mechanism_hangs(t, self);
        if (mechanism_free(b)) {
            mechanism_components(b, b->force, effort + b->first);
        } else if (b->hinge) {
            const real rotor = b->armature * dynamics_given(ddq, b->first);
            effort[b->first] = dynamics_pass_hinge(b, hangs, &t->body[b->parent]) + rotor;
        } else {
            const real rotor = b->axes == 1 ? b->armature * dynamics_given(ddq, b->first) : R(0.0);
            dynamics_pass(s, b, self, hangs, &t->body[b->parent], effort + b->first);
            if (b->axes == 1) { effort[b->first] += rotor; }
        }
    }
}

static void dynamics_inverse(const tac_model *m, const tac_state *s, const real *ddq, tac_mechanism *t, real *effort)
{
    dynamics_accelerate(m, s, ddq, v3_scale(R(-1.0), m->gravity), t);
    dynamics_efforts(s, ddq, t, effort);
}

// The forces that hold all bodies against their weight.
static void dynamics_gravity(const tac_model *m, const tac_state *s, tac_mechanism *t, real *effort)
{
    mechanism_bases(s->pose, t);
    for (uint32_t at = 0; at < t->bodies; at++) {
        const uint16_t self = t->order[at];
        tac_mechanism_body *b = &t->body[self];
        quat_axes(s->pose[self].q, b->axis);
        mechanism_joint(m, s->pose, t, self);
        six_set(b->force, V3_ZERO, v3_scale(-m->body[self].mass, m->gravity));
    }
    dynamics_efforts(s, NULL, t, effort);
}

// --------------------------------------------------------------------------------------------------------- mass matrix

// Places all bodies about the centres of their trees, with their inertias.
static void dynamics_inertia(const tac_model *m, const tac_state *s, tac_mechanism *t)
{
    mechanism_bases(s->pose, t);
    for (uint32_t at = 0; at < t->bodies; at++) {
        const uint16_t self = t->order[at];
        tac_mechanism_body *b = &t->body[self];
        quat_axes(s->pose[self].q, b->axis);
        mechanism_joint(m, s->pose, t, self);
        mechanism_about(s->pose, self, b);
        six_inertia(m->body[self].mass, m->body[self].inertia, b->axis, b->arm, b->inertia);
    }
}

// The inertia of rigid bodies has ten numbers, as six_inertia() shows: the moments, those of the first moment h, and m.
// y = I x: force m v + w x h, torque J w + h x v.
static inline void dynamics_momentum(const real *i, const real *x, real *y)
{
    const vec3 w = six_angular(x), v = six_linear(x), h = v3(i[12], i[15], i[7]);
    const vec3 spin = v3(i[0] * w.x + i[1] * w.y + i[3] * w.z, i[1] * w.x + i[2] * w.y + i[4] * w.z,
                         i[3] * w.x + i[4] * w.y + i[5] * w.z);
    six_set(y, v3_add(spin, v3_cross(h, v)), v3_madd(v3_cross(w, h), i[9], v));
}

// Adds the inertia of a subtree to that of its parent.
static inline void dynamics_add(const real *i, real *to)
{
    six_add(to, R(1.0), i);
    to[7] += i[7], to[9] += i[9], to[12] += i[12], to[15] += i[15];
}

// The row of M of a coordinate, and its column: the force that its unit acceleration asks for, along the coordinates of
// its body and of all that carry it.
static void dynamics_row(const tac_mechanism *t, uint16_t body, uint16_t coordinate, const real *force, real *matrix)
{
    const size_t n = t->coordinates;
    real *row = matrix + coordinate * n, *column = matrix + coordinate, x[6];
    const tac_mechanism_body *b = &t->body[body];
    while (!mechanism_free(b)) {
        for (size_t i = 0; i < b->axes; i++) {
            row[b->first + i] = column[(b->first + i) * n] = six_dot(b->s[i], force);
        }
        if (!mechanism_hangs(t, body)) { return; }
        body = b->parent;
        b = &t->body[body];
    }
    mechanism_components(b, force, x);
    for (size_t i = 0; i < 6; i++) { row[b->first + i] = column[(b->first + i) * n] = x[i]; }
}

// Rows of the coordinates of a body. Along those of the centre of a free root there is mass; the rest of these rows is
// in the columns of others.
static void dynamics_rows(const tac_mechanism *t, uint16_t self, real *matrix)
{
    const tac_mechanism_body *b = &t->body[self];
    const size_t next = (size_t)t->coordinates + 1;
    const int free = mechanism_free(b);
    for (int i = free ? 3 : 0; i < b->axes; i++) {
        real unit[6], force[6];
        mechanism_unit(b, i, unit);
        dynamics_momentum(b->inertia, unit, force);
        dynamics_row(t, self, (uint16_t)(b->first + i), force, matrix);
        if (!free) { matrix[((size_t)b->first + (size_t)i) * next] += b->armature; }
    }
    for (size_t i = 0; free && i < 3; i++) { matrix[(b->first + i) * next] = b->inertia[9]; }
}

static void dynamics_mass_matrix(const tac_model *m, const tac_state *s, tac_mechanism *t, real *matrix)
{
    dynamics_inertia(m, s, t);
    reals_clear(matrix, (size_t)t->coordinates * t->coordinates * sizeof *matrix);
    for (uint32_t at = t->bodies; at-- > 0;) {
        const uint16_t self = t->order[at];
        const tac_mechanism_body *b = &t->body[self];
        dynamics_rows(t, self, matrix);
        if (mechanism_hangs(t, self)) { dynamics_add(b->inertia, t->body[b->parent].inertia); }
    }
}

// ------------------------------------------------------------------------------------------------------- accelerations
// The forces f of ddq = 0 go up with the articulated inertias; what accelerations add to ddq = 0 comes down. Free
// motions are eliminated one by one, as in factor/articulated.h:
//      u = I s,   d = s'u + armature,   ddq = (effort - s'f - u'a)/d,
//      I <- I - u u'/d,   f <- f + u (effort - s'f)/d

// Eliminates a free motion of a body, but for its inertia. Its effort becomes effort - s'f.
static inline void dynamics_eliminate(tac_mechanism_body *b, int i, real *effort)
{
    real *u = b->u[i];
    six_mul(b->inertia, b->s[i], u);
    const real d = six_dot(b->s[i], u) + b->armature;
    b->inv_d[i] = d > R(0.0) ? R(1.0) / d : R(0.0);
    *effort -= six_dot(b->s[i], b->force);
    six_add(b->force, b->inv_d[i] * *effort, u);
}

// B += A - s u u', of triangles
static void dynamics_add_rest(real *b, const real *a, real s, const real *u)
{
    const real x[6] = {s * u[0], s * u[1], s * u[2], s * u[3], s * u[4], s * u[5]};
    b[0] += a[0] - x[0] * u[0];
    b[1] += a[1] - x[1] * u[0], b[2] += a[2] - x[1] * u[1];
    b[3] += a[3] - x[2] * u[0], b[4] += a[4] - x[2] * u[1], b[5] += a[5] - x[2] * u[2];
    b[6] += a[6] - x[3] * u[0], b[7] += a[7] - x[3] * u[1], b[8] += a[8] - x[3] * u[2];
    b[9] += a[9] - x[3] * u[3], b[10] += a[10] - x[4] * u[0], b[11] += a[11] - x[4] * u[1];
    b[12] += a[12] - x[4] * u[2], b[13] += a[13] - x[4] * u[3], b[14] += a[14] - x[4] * u[4];
    b[15] += a[15] - x[5] * u[0], b[16] += a[16] - x[5] * u[1], b[17] += a[17] - x[5] * u[2];
    b[18] += a[18] - x[5] * u[3], b[19] += a[19] - x[5] * u[4], b[20] += a[20] - x[5] * u[5];
}

// Eliminates all motions of a body; what is left of its inertia and force goes to the parent, if that moves.
static void dynamics_lift(tac_mechanism_body *b, int hangs, tac_mechanism_body *p, real *effort)
{
    const int last = b->axes - 1;
    for (int i = 0; i <= last; i++) {
        if (i > 0) { six_take_outer(b->inertia, b->inv_d[i - 1], b->u[i - 1]); }
        dynamics_eliminate(b, i, effort + i);
    }
    if (!hangs) { return; }
    six_add(p->force, R(1.0), b->force);
    if (last < 0) {
        six_add_triangle(p->inertia, b->inertia);
    } else {
        dynamics_add_rest(p->inertia, b->inertia, b->inv_d[last], b->u[last]);
    }
}

// Acceleration of a free root, whose centre is that of its tree.
static void dynamics_solve_root(tac_mechanism_body *b, real *effort)
{
    real least[6], push[6];
    for (int i = 0; i < 6; i++) { least[i] = REAL_EPSILON * b->inertia[SIX_ROW[i] + i]; }
    six_factor(b->inertia, least);
    six_set(push, v3_combine(b->axis, v3_of(effort + b->first + 3)), v3_of(effort + b->first));
    for (int i = 0; i < 6; i++) { b->acceleration[i] = push[i] - b->force[i]; }
    six_forward(b->inertia, b->acceleration);
    six_backward(b->inertia, b->acceleration);
    mechanism_components(b, b->acceleration, effort + b->first);
}

static inline void dynamics_solve_child(const tac_mechanism *t, tac_mechanism_body *b, int hangs, real *effort)
{
    const real *parent = t->body[b->parent].acceleration;
    six_set(b->acceleration, hangs ? six_angular(parent) : V3_ZERO, hangs ? six_linear(parent) : V3_ZERO);
    for (int i = b->axes; i-- > 0;) {
        real *x = &effort[b->first + i];
        *x = b->inv_d[i] * (*x - six_dot(b->u[i], b->acceleration));
        six_add(b->acceleration, *x, b->s[i]);
    }
}

// x = M^-1 (x - h), with the forces that make h on all bodies.
static void dynamics_solve(tac_mechanism *t, real *x)
{
    for (uint32_t at = t->bodies; at-- > 0;) {
        const uint16_t self = t->order[at];
        tac_mechanism_body *b = &t->body[self];
        if (mechanism_free(b)) { continue; }
        dynamics_lift(b, mechanism_hangs(t, self), &t->body[b->parent], x + b->first);
    }
    for (uint32_t at = 0; at < t->bodies; at++) {
        tac_mechanism_body *b = &t->body[t->order[at]];
        if (mechanism_free(b)) {
            dynamics_solve_root(b, x);
        } else {
            dynamics_solve_child(t, b, mechanism_hangs(t, t->order[at]), x);
        }
    }
}

static void dynamics_forward(const tac_model *m, const tac_state *s, const real *effort, tac_mechanism *t, real *ddq)
{
    dynamics_accelerate(m, s, NULL, v3_scale(R(-1.0), m->gravity), t);
    for (uint32_t at = 0; at < t->bodies; at++) {
        const uint16_t self = t->order[at];
        tac_mechanism_body *b = &t->body[self];
        mechanism_about(s->pose, self, b);
        v3_put(b->force, v3_add(six_angular(b->force), v3_cross(b->arm, six_linear(b->force))));
        six_inertia(m->body[self].mass, m->body[self].inertia, b->axis, b->arm, b->inertia);
    }
    for (uint32_t i = 0; i < t->coordinates; i++) { ddq[i] = effort[i]; }
    dynamics_solve(t, ddq);
}

#endif
