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

// Spatial acceleration of a free root (F08, 2.10): that of its centre of mass, dv/dt, less w x v.
static void dynamics_root(tac_mechanism_body *b, const tac_twist *twist, const real *ddq)
{
    const vec3 v = ddq != NULL ? v3_of(ddq + b->first) : V3_ZERO;
    const vec3 w = ddq != NULL ? v3_combine(b->axis, v3_of(ddq + b->first + 3)) : V3_ZERO;
    six_set(b->acceleration, w, v3_sub(v, v3_cross(six_angular(b->velocity), twist->v)));
}

// Of a body on a joint: a = a_p + v_p x v + sum s_i ddq_i. The motion v - v_p is carried by either of the two bodies:
// v_p x (v - v_p) = v x (v - v_p).
static void dynamics_child(const tac_model *m, const tac_mechanism *t, tac_mechanism_body *b, const real *ddq)
{
    const tac_mechanism_body *p = &t->body[b->parent];
    dynamics_cross(p->velocity, b->velocity, R(1.0), p->acceleration, b->acceleration);
    if (b->axes > 1) { dynamics_carry(&JOINT_OF(m)[b->joint], b, p->velocity, b->acceleration); }
    for (int i = 0; ddq != NULL && i < b->axes; i++) { six_add(b->acceleration, ddq[b->first + i], b->s[i]); }
}

// Accelerations of all bodies; without those of coordinates if ddq is NULL.
static void dynamics_accelerate(const tac_model *m, const tac_state *s, tac_mechanism *t, const real *ddq)
{
    for (uint32_t at = 0; at < t->bodies; at++) {
        const uint16_t self = t->order[at];
        tac_mechanism_body *b = &t->body[self];
        if (mechanism_free(b)) {
            dynamics_root(b, &s->twist[self], ddq);
        } else {
            if (!mechanism_hangs(t, self)) { mechanism_base(s->pose, s->twist, t, b->parent, self); }
            dynamics_child(m, t, b, ddq);
        }
    }
}

// ------------------------------------------------------------------------------------------------------------ efforts

// A force at the centre of mass, and a torque in the principal frame.
static inline void dynamics_push(tac_mechanism_body *b, vec3 force, vec3 torque)
{
    six_set(b->force, v3_add(v3_combine(b->axis, torque), v3_cross(b->arm, force)), force);
}

// The forces that the accelerations of all bodies need besides their weight, by Newton's and Euler's equations.
static void dynamics_force(const tac_model *m, const tac_state *s, tac_mechanism *t)
{
    for (uint32_t at = 0; at < t->bodies; at++) {
        const uint16_t self = t->order[at];
        tac_mechanism_body *b = &t->body[self];
        const tac_body *body = &m->body[self];
        const tac_twist *twist = &s->twist[self];
        const vec3 w = six_angular(b->velocity), a = six_angular(b->acceleration);
        const vec3 turn = v3_add(v3_cross(a, b->arm), v3_cross(w, twist->v));
        const vec3 centre = v3_sub(v3_add(six_linear(b->acceleration), turn), m->gravity);
        const vec3 spin = v3_mul(body->inertia, v3_components(b->axis, a));
        dynamics_push(b, v3_scale(body->mass, centre),
                      v3_add(spin, v3_cross(twist->w, v3_mul(body->inertia, twist->w))));
    }
}

// The forces that hold all bodies against their weight.
static void dynamics_weight(const tac_model *m, tac_mechanism *t)
{
    for (uint32_t at = 0; at < t->bodies; at++) {
        dynamics_push(&t->body[t->order[at]], v3_scale(-m->body[t->order[at]].mass, m->gravity), V3_ZERO);
    }
}

// From the leaves to the roots: each joint passes on the force on the subtree that it carries.
static void dynamics_efforts(tac_mechanism *t, real *effort)
{
    for (uint32_t at = t->bodies; at-- > 0;) {
        const tac_mechanism_body *b = &t->body[t->order[at]];
        mechanism_components(b, b->force, effort + b->first);
        if (mechanism_hangs(t, t->order[at])) { six_add(t->body[b->parent].force, R(1.0), b->force); }
    }
}

static void dynamics_inverse(const tac_model *m, const tac_state *s, const real *ddq, tac_mechanism *t, real *effort)
{
    mechanism_place(m, s->pose, s->twist, t);
    dynamics_accelerate(m, s, t, ddq);
    dynamics_force(m, s, t);
    dynamics_efforts(t, effort);
    for (uint32_t i = 0; ddq != NULL && i < JOINT_COUNT(m); i++) {
        const uint16_t first = t->first[i];
        if (first == TAC_NONE || mechanism_axes(&JOINT_OF(m)[i]) != 1) { continue; }
        effort[first] += mechanism_armature(&JOINT_OF(m)[i]) * ddq[first];
    }
}

static void dynamics_gravity(const tac_model *m, const tac_state *s, tac_mechanism *t, real *effort)
{
    mechanism_place(m, s->pose, s->twist, t);
    dynamics_weight(m, t);
    dynamics_efforts(t, effort);
}

// --------------------------------------------------------------------------------------------------------- mass matrix

static void dynamics_inertia(const tac_model *m, tac_mechanism *t)
{
    for (uint32_t at = 0; at < t->bodies; at++) {
        tac_mechanism_body *b = &t->body[t->order[at]];
        const tac_body *body = &m->body[t->order[at]];
        six_inertia(body->mass, body->inertia, b->axis, b->arm, b->inertia);
    }
}

// The row of M of a coordinate: the force that its unit acceleration asks for, along the coordinates of its body and of
// all that carry it.
static void dynamics_row(const tac_mechanism *t, uint16_t body, uint16_t row, const real *force, real *matrix)
{
    const size_t n = t->coordinates;
    uint16_t on = body;
    real x[6];
    for (int more = 1; more; on = t->body[on].parent) {
        const tac_mechanism_body *b = &t->body[on];
        mechanism_components(b, force, x);
        for (int i = 0; i < b->axes; i++) {
            matrix[row * n + b->first + (size_t)i] = matrix[(b->first + (size_t)i) * n + row] = x[i];
        }
        more = mechanism_hangs(t, on);
    }
}

static void dynamics_mass_matrix(const tac_model *m, const tac_state *s, tac_mechanism *t, real *matrix)
{
    mechanism_place(m, s->pose, s->twist, t);
    dynamics_inertia(m, t);
    const size_t n = t->coordinates;
    reals_clear(matrix, n * n * sizeof *matrix);
    for (uint32_t at = t->bodies; at-- > 0;) {
        const tac_mechanism_body *b = &t->body[t->order[at]];
        for (int i = 0; i < b->axes; i++) {
            const uint16_t row = (uint16_t)(b->first + i);
            real unit[6], force[6];
            mechanism_unit(b, i, unit);
            six_mul(b->inertia, unit, force);
            dynamics_row(t, t->order[at], row, force, matrix);
            if (!mechanism_free(b)) { matrix[row * n + row] += mechanism_armature(&JOINT_OF(m)[b->joint]); }
        }
        if (mechanism_hangs(t, t->order[at])) { six_add_triangle(t->body[b->parent].inertia, b->inertia); }
    }
}

// ------------------------------------------------------------------------------------------------------- accelerations
// The forces f of ddq = 0 go up with the articulated inertias; what accelerations add to ddq = 0 comes down. Free
// motions are eliminated one by one, as in factor/articulated.h:
//      u = I s,   d = s'u + armature,   ddq = (effort - s'f - u'a)/d,
//      I <- I - u u'/d,   f <- f + u (effort - s'f)/d

// Eliminates the joint of a body. Its efforts become effort - s'f.
static void dynamics_eliminate(const tac_model *m, tac_mechanism_body *b, real *effort)
{
    const real armature = mechanism_armature(&JOINT_OF(m)[b->joint]);
    for (int i = 0; i < b->axes; i++) {
        real *u = b->u[i], *x = &effort[b->first + i];
        six_mul(b->inertia, b->s[i], u);
        const real d = six_dot(b->s[i], u) + armature;
        b->inv_d[i] = d > R(0.0) ? R(1.0) / d : R(0.0);
        *x -= six_dot(b->s[i], b->force);
        six_add(b->force, b->inv_d[i] * *x, u);
        six_take_outer(b->inertia, b->inv_d[i], u);
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

static void dynamics_solve_child(const tac_mechanism *t, tac_mechanism_body *b, int hangs, real *effort)
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
static void dynamics_solve(const tac_model *m, tac_mechanism *t, real *x)
{
    dynamics_inertia(m, t);
    for (uint32_t at = t->bodies; at-- > 0;) {
        tac_mechanism_body *b = &t->body[t->order[at]];
        if (mechanism_free(b)) { continue; }
        dynamics_eliminate(m, b, x);
        if (!mechanism_hangs(t, t->order[at])) { continue; }
        six_add_triangle(t->body[b->parent].inertia, b->inertia);
        six_add(t->body[b->parent].force, R(1.0), b->force);
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
    mechanism_place(m, s->pose, s->twist, t);
    dynamics_accelerate(m, s, t, NULL);
    dynamics_force(m, s, t);
    for (uint32_t i = 0; i < t->coordinates; i++) { ddq[i] = effort[i]; }
    dynamics_solve(m, t, ddq);
}

#endif
