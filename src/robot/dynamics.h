// SPDX-License-Identifier: MIT
// dynamics.h - equations of motion of the mechanism, M ddq + h = effort: efforts, mass matrix, accelerations (F08).
//   given   a model, a state; the mechanism, placed where no velocities are asked for
//   makes   efforts from accelerations (chapter 5), M (chapter 6), accelerations from efforts (chapter 7)
//   bound   two visits to each body; M: one for each pair of a body and one that carries it
//   never   knows springs, motors, limits, friction or contacts: what they do is an effort
#ifndef ROBOT_DYNAMICS_H
#define ROBOT_DYNAMICS_H

#include "../tree/aba.h"
#include "../tree/mechanism.h"

// ------------------------------------------------------------------------------------------------------------ efforts
// Accelerations and forces are those of each body and its centre of mass: errors of rounding have the size of the
// links, not of the robot.

static inline void dynamics_root(const real *ddq, vec3 lift, tac_mechanism_body *b)
{
    const vec3 v = ddq != NULL ? v3_of(ddq + b->first) : V3_ZERO;
    const vec3 w = ddq != NULL ? v3_combine(b->axis, v3_of(ddq + b->first + 3)) : V3_ZERO;
    six_set(b->acceleration, w, v3_add(v, lift));
}

// a = a_p + dw_p/dt x apart + drift + sum s_i ddq_i
static inline void dynamics_child(const tac_mechanism_body *p, const real *ddq, tac_mechanism_body *b)
{
    const vec3 turn = six_angular(p->acceleration), way = v3_cross(turn, b->apart);
    vec3 w = v3_add(turn, six_angular(b->drift));
    vec3 v = v3_add(v3_add(six_linear(p->acceleration), way), six_linear(b->drift));
    if (ddq != NULL && b->axes == 1) {
        w = v3_madd(w, ddq[b->first], six_angular(b->own[0]));
        v = v3_madd(v, ddq[b->first], six_linear(b->own[0]));
    }
    six_set(b->acceleration, w, v);
    if (ddq == NULL || b->axes == 1) { return; }
    for (int i = 0; i < b->axes; i++) { six_add(b->acceleration, ddq[b->first + i], b->own[i]); }
}

// The torque that the acceleration of a body needs about its centre of mass, I dw/dt + w x I w: made in the principal
// frame, where I has three numbers.
static inline vec3 dynamics_torque(const tac_body *body, const tac_mechanism_body *b)
{
    const vec3 turn = v3_components(b->axis, six_angular(b->acceleration));
    return v3_combine(b->axis, v3_add(v3_mul(body->inertia, turn), b->gyration));
}

// Accelerations in a frame that has the acceleration -lift, and forces if they are asked for. With a lift of -g these
// do without weight. A body that is not dynamic has a constant velocity, of its centre in the world and of its rotation
// in its principal frame, hence in the world too. Without ddq the coordinates have no acceleration.
static void dynamics_accelerate(const tac_model *m, const tac_state *s, const real *ddq, vec3 lift, int forces,
                                tac_mechanism *t)
{
    mechanism_move(m, s, t);
    for (uint32_t at = t->bodies; at < (uint32_t)t->bodies + t->bases; at++) {
        six_set(t->body[t->order[at]].acceleration, V3_ZERO, lift);
    }
    for (uint32_t at = 0; at < t->bodies; at++) {
        const uint16_t self = t->order[at];
        const tac_body *body = m->body + self;
        tac_mechanism_body *b = t->body + self;
        if (mechanism_free(b)) {
            dynamics_root(ddq, lift, b);
        } else {
            dynamics_child(t->body + b->parent, ddq, b);
        }
        if (forces) { six_set(b->force, dynamics_torque(body, b), v3_scale(body->mass, six_linear(b->acceleration))); }
    }
}

// Passes on the force on a subtree to the body that carries it.
static inline void dynamics_pass(const tac_mechanism_body *b, tac_mechanism_body *p)
{
    const vec3 force = six_linear(b->force), torque = v3_add(six_angular(b->force), v3_cross(b->apart, force));
    six_set(p->force, v3_add(six_angular(p->force), torque), v3_add(six_linear(p->force), force));
}

// From the leaves to the roots: each joint takes the components of the force on the subtree that it carries.
static void dynamics_efforts(const real *ddq, tac_mechanism *t, real *effort)
{
    for (uint32_t at = t->bodies; at-- > 0;) {
        const uint16_t self = t->order[at];
        const tac_mechanism_body *b = t->body + self;
        real *x = effort + b->first;
        if (mechanism_free(b)) {
            mechanism_components(b, b->force, x);
            continue;
        }
        if (mechanism_hangs(t, self)) { dynamics_pass(b, t->body + b->parent); }
        if (b->axes == 1) {
            *x = six_dot(b->own[0], b->force);
            if (ddq != NULL) { *x += b->armature * ddq[b->first]; }
        } else {
            for (int i = 0; i < b->axes; i++) { x[i] = six_dot(b->own[i], b->force); }
        }
    }
}

static void dynamics_inverse(const tac_model *m, const tac_state *s, const real *ddq, tac_mechanism *t, real *effort)
{
    dynamics_accelerate(m, s, ddq, v3_scale(R(-1.0), m->gravity), 1, t);
    dynamics_efforts(ddq, t, effort);
}

// The forces that hold all bodies against their weight.
static void dynamics_gravity(const tac_model *m, tac_mechanism *t, real *effort)
{
    for (uint32_t at = 0; at < t->bodies; at++) {
        const uint16_t self = t->order[at];
        six_set(t->body[self].force, V3_ZERO, v3_scale(-m->body[self].mass, m->gravity));
    }
    dynamics_efforts(NULL, t, effort);
}

// --------------------------------------------------------------------------------------------------------- mass matrix

// The inertia of a body about the centre of its tree. Moments, arms and motions are made once for a state.
static inline void dynamics_weigh(const tac_body *body, const tac_mechanism *t, tac_mechanism_body *b)
{
    if (!t->weighed) { six_moments(body->inertia, b->axis, b->moment); }
    if (!t->about) { mechanism_lead(t, b); }
    six_shifted(body->mass, b->moment, b->arm, b->inertia);
}

static void dynamics_inertia(const tac_model *m, tac_mechanism *t)
{
    for (uint32_t at = 0; at < t->bodies; at++) {
        const uint16_t self = t->order[at];
        dynamics_weigh(m->body + self, t, t->body + self);
    }
    t->about = t->weighed = 1;
}

// Adds the inertia of a subtree to that of its parent.
static inline void dynamics_add(const real *i, real *to)
{
    six_add(to, R(1.0), i);
    to[7] += i[7], to[9] += i[9], to[12] += i[12], to[15] += i[15];
}

// Components along the coordinates of one body, into a row of M and its column.
static inline void dynamics_write(const tac_mechanism_body *b, const real *force, size_t n, real *row, real *column)
{
    if (b->axes == 1) {
        row[b->first] = column[b->first * n] = six_dot(b->s[0], force);
        return;
    }
    for (size_t i = b->first, end = i + b->axes; i < end; i++) {
        row[i] = column[i * n] = six_dot(b->s[i - b->first], force);
    }
}

// The row of M of a coordinate, and its column: the force that its unit acceleration asks for, along the coordinates of
// its body and of all that carry it.
static void dynamics_row(const tac_mechanism *t, const tac_mechanism_body *b, size_t coordinate, const real *force,
                         real *matrix)
{
    const size_t n = t->coordinates;
    real *row = matrix + coordinate * n, *column = matrix + coordinate, x[6];
    while (!mechanism_free(b)) {
        dynamics_write(b, force, n, row, column);
        if (b == &t->body[b->tree]) { return; }
        b = t->body + b->parent;
    }
    mechanism_components(b, force, x);
    for (size_t i = 0; i < 6; i++) { row[b->first + i] = column[(b->first + i) * n] = x[i]; }
}

// Rows of the coordinates of a joint.
static void dynamics_joint_rows(const tac_mechanism *t, const tac_mechanism_body *b, real *matrix)
{
    for (size_t i = 0; i < b->axes; i++) {
        const size_t at = b->first + i;
        real force[6];
        six_rigid_mul(b->inertia, b->s[i], force);
        dynamics_row(t, b, at, force, matrix);
        matrix[at * (t->coordinates + 1u)] += b->armature;
    }
}

// Rows of the coordinates of a free root. Along those of its centre there is mass; the rest of these rows is in the
// columns of others.
static void dynamics_root_rows(const tac_mechanism *t, const tac_mechanism_body *b, real *matrix)
{
    for (size_t i = 0; i < 3; i++) {
        real turn[6], force[6];
        six_set(turn, b->axis[i], V3_ZERO);
        six_rigid_mul(b->inertia, turn, force);
        dynamics_row(t, b, b->first + 3 + i, force, matrix);
        matrix[(b->first + i) * (t->coordinates + 1u)] = b->inertia[9];
    }
}

static void dynamics_mass_matrix(const tac_model *m, tac_mechanism *t, real *matrix)
{
    dynamics_inertia(m, t);
    reals_clear(matrix, (size_t)t->coordinates * t->coordinates * sizeof *matrix);
    for (uint32_t at = t->bodies; at-- > 0;) {
        const uint16_t self = t->order[at];
        const tac_mechanism_body *b = t->body + self;
        if (mechanism_free(b)) {
            dynamics_root_rows(t, b, matrix);
        } else {
            dynamics_joint_rows(t, b, matrix);
        }
        if (mechanism_hangs(t, self)) { dynamics_add(b->inertia, t->body[b->parent].inertia); }
    }
}

// ------------------------------------------------------------------------------------------------------- accelerations
// The forces of ddq = 0 are what R lacks (tree/aba.h): articulated inertias and R go up, accelerations beyond those of
// ddq = 0 come down.

static inline void dynamics_eliminate(tac_mechanism_body *b, int i, real *force, real *effort)
{
    b->scale[i] = aba_eliminate(b->inertia, !b->carries && i == 0, b->s[i], b->armature, b->u[i]);
    *effort = aba_lift(b->s[i], b->u[i], b->scale[i], *effort, force);
}

// All motions of a body but the last: two of three, one of two, or minus one of a rigid joint.
static void dynamics_eliminate_first(tac_mechanism_body *b, real *effort)
{
    for (int i = 0; i < b->axes - 1; i++) {
        dynamics_eliminate(b, i, b->force, effort + i);
        aba_reduce(b->inertia, b->u[i]);
    }
}

// Eliminates all motions of a body; what is left of its inertia and force goes to the parent, if that moves.
static inline void dynamics_lift(tac_mechanism_body *b, int hangs, tac_mechanism_body *p, real *effort)
{
    const int last = b->axes - 1;
    real force[6];
    if (last != 0) { dynamics_eliminate_first(b, effort); }
    six_copy(force, b->force);
    if (last >= 0) { dynamics_eliminate(b, last, force, effort + last); }
    if (!hangs) { return; }
    six_add(p->force, R(1.0), force);
    if (last >= 0) {
        six_add_rest(b->inertia, b->u[last], p->inertia);
    } else {
        six_add_triangle(p->inertia, b->inertia);
    }
}

// Acceleration of a free root, whose centre is that of its tree.
static void dynamics_solve_root(const tac_body *body, tac_mechanism_body *b, real *effort)
{
    aba_root(body->mass, body->inertia, b->inertia);
    six_set(b->acceleration, v3_combine(b->axis, v3_of(effort + b->first + 3)), v3_of(effort + b->first));
    six_add(b->acceleration, R(1.0), b->force);
    six_forward(b->inertia, b->acceleration);
    six_backward(b->inertia, b->acceleration);
    mechanism_components(b, b->acceleration, effort + b->first);
}

// Accelerations of what a joint carries, from what carries it.
static inline void dynamics_solve_child(const real *parent, tac_mechanism_body *b, real *effort)
{
    real v[6];
    six_copy(v, parent);
    for (int i = b->axes - 1; i > 0; i--) { effort[i] = aba_lower(b->s[i], b->u[i], b->scale[i], effort[i], v); }
    if (b->axes > 0) { effort[0] = aba_lower(b->s[0], b->u[0], b->scale[0], effort[0], v); }
    six_copy(b->acceleration, v);
}

// x = M^-1 (x - h), with the forces that make -h on all bodies.
static void dynamics_solve(const tac_model *m, tac_mechanism *t, real *x)
{
    for (uint32_t at = t->bodies; at-- > 0;) {
        const uint16_t self = t->order[at];
        tac_mechanism_body *b = t->body + self;
        if (mechanism_free(b)) { continue; }
        dynamics_lift(b, mechanism_hangs(t, self), t->body + b->parent, x + b->first);
    }
    for (uint32_t at = t->bodies; at < (uint32_t)t->bodies + t->bases; at++) {
        six_set(t->body[t->order[at]].acceleration, V3_ZERO, V3_ZERO);
    }
    for (uint32_t at = 0; at < t->bodies; at++) {
        const uint16_t self = t->order[at];
        tac_mechanism_body *b = t->body + self;
        if (mechanism_free(b)) {
            dynamics_solve_root(m->body + self, b, x);
        } else {
            dynamics_solve_child(t->body[b->parent].acceleration, b, x + b->first);
        }
    }
}

// Inertias and forces of bodies go about the centres of their trees.
static void dynamics_forward(const tac_model *m, const tac_state *s, const real *effort, tac_mechanism *t, real *ddq)
{
    dynamics_accelerate(m, s, NULL, v3_scale(R(-1.0), m->gravity), 0, t);
    for (uint32_t at = 0; at < t->bodies; at++) {
        const uint16_t self = t->order[at];
        const tac_body *body = m->body + self;
        tac_mechanism_body *b = t->body + self;
        dynamics_weigh(body, t, b);
        const vec3 torque = v3_scale(R(-1.0), dynamics_torque(body, b)),
                   force = v3_scale(-body->mass, six_linear(b->acceleration));
        six_set(b->force, v3_add(torque, v3_cross(b->arm, force)), force);
    }
    t->about = t->weighed = 1;
    reals_copy(ddq, effort, t->coordinates * sizeof *ddq);
    dynamics_solve(m, t, ddq);
}

#endif
