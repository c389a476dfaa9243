// SPDX-License-Identifier: MIT
// jacobian.h - points, centre of mass and momenta of the mechanism as functions of its velocities.
//   given   a model, a state, the mechanism
//   makes   6 x n matrices, what they make of the velocities of the state, and their drift: acceleration without ddq
//   bound   one visit to each body that carries the point; of the centre of mass to each body
//   never   differentiates numerically
#ifndef ROBOT_JACOBIAN_H
#define ROBOT_JACOBIAN_H

#include "dynamics.h"

// A point of a body, `arm` about its centre of mass, and the axes that vectors are resolved in.
typedef struct jacobian_point {
    vec3 place, arm;
    vec3 axis[3];
    int world; // axis[] are those of the world
} jacobian_point;

// The origin of a frame; vectors are resolved in the axes of the world, or in those of the frame.
static void jacobian_find(const tac_model *m, const tac_state *s, const tac_frame *frame, int axes, jacobian_point *p)
{
    const uint16_t body = frame->body;
    const tac_pose *own = &m->body[body].inertial, *pose = &s->pose[body];
    p->arm = quat_rotate(pose->q, pose_point_back(own, frame->pose.p));
    p->place = v3_add(pose->p, p->arm);
    p->world = axes == TAC_AXES_WORLD;
    quat_axes(p->world ? QUAT_ONE : quat_mul(quat_mul(pose->q, quat_conj(own->q)), frame->pose.q), p->axis);
}

// Components of a vector in the axes that are asked for.
static inline vec3 jacobian_along(const jacobian_point *p, vec3 a)
{
    return p->world ? a : v3_components(p->axis, a);
}

// A column of a matrix of six rows: linear part, then angular.
static void jacobian_column(size_t n, size_t column, vec3 linear, vec3 angular, real *matrix)
{
    matrix += column;
    matrix[0] = linear.x, matrix[n] = linear.y, matrix[2 * n] = linear.z;
    matrix[3 * n] = angular.x, matrix[4 * n] = angular.y, matrix[5 * n] = angular.z;
}

// A motion about a point that `arm` leads from to that of the Jacobian.
static void jacobian_motion_column(const jacobian_point *p, vec3 turn, vec3 slide, vec3 arm, size_t n, real *column)
{
    jacobian_column(n, 0, jacobian_along(p, v3_add(slide, v3_cross(turn, arm))), jacobian_along(p, turn), column);
}

// Each body that carries the point has the columns of its joint, whose motions are made for this.
static void jacobian_make(const tac_model *m, const tac_state *s, const tac_mechanism *t, uint16_t body,
                          const jacobian_point *p, real *matrix)
{
    const size_t n = t->coordinates;
    vec3 axis[2][3];
    int of = 0;
    reals_clear(matrix, 6 * n * sizeof *matrix);
    quat_axes(s->pose[body].q, axis[of]);
    while (mechanism_moves(m, body)) {
        const tac_mechanism_body *b = &t->body[body];
        const vec3 at = s->pose[body].p, arm = v3_sub(p->place, at);
        real own[TAC_FREE_MOTIONS][6];
        if (mechanism_free(b)) {
            for (size_t i = 0; i < 3; i++) {
                jacobian_column(n, b->first + i, jacobian_along(p, V3_AXIS[i]), V3_ZERO, matrix);
                jacobian_motion_column(p, axis[of][i], V3_ZERO, arm, n, matrix + b->first + 3 + i);
            }
            return;
        }
        quat_axes(s->pose[b->parent].q, axis[!of]);
        mechanism_motions(&t->joint[b->joint], b, axis[of], axis[!of], v3_sub(at, s->pose[b->parent].p), own);
        for (size_t i = 0; i < b->axes; i++) {
            jacobian_motion_column(p, six_angular(own[i]), six_linear(own[i]), arm, n, matrix + b->first + i);
        }
        body = b->parent;
        of = !of;
    }
}

static void jacobian_motion(const tac_model *m, const tac_state *s, tac_mechanism *t, uint16_t body,
                            const jacobian_point *p, tac_point_motion *motion)
{
    tac_mechanism_body *b = &t->body[body];
    const tac_twist *twist = &s->twist[body];
    dynamics_accelerate(m, s, NULL, V3_ZERO, 0, t);
    const vec3 turn = six_angular(b->acceleration), along = v3_cross(b->spin, p->arm);
    const vec3 bent = v3_add(v3_cross(turn, p->arm), v3_cross(b->spin, along));
    motion->position = p->place;
    motion->linear = jacobian_along(p, v3_add(twist->v, along));
    motion->angular = jacobian_along(p, b->spin);
    motion->linear_drift = jacobian_along(p, v3_add(six_linear(b->acceleration), bent));
    motion->angular_drift = jacobian_along(p, turn);
}

// ------------------------------------------------------------------------------------------------------ centre of mass

// Is a body of the tree that is asked about? TAC_NONE: of any.
static int jacobian_counts(const tac_mechanism *t, uint16_t body, uint16_t tree)
{
    return tree == TAC_NONE || t->body[body].tree == tree;
}

static void jacobian_centre(const tac_model *m, const tac_state *s, const tac_mechanism *t, uint16_t tree,
                            tac_centroid *c)
{
    const vec3 from = t->bodies > 0 ? s->pose[tree == TAC_NONE ? t->order[0] : tree].p : V3_ZERO;
    c->mass = R(0.0);
    c->linear = c->centre = V3_ZERO;
    for (uint32_t at = 0; at < t->bodies; at++) {
        const uint16_t i = t->order[at];
        const real mass = m->body[i].mass;
        if (!jacobian_counts(t, i, tree)) { continue; }
        c->mass += mass;
        c->centre = v3_madd(c->centre, mass, v3_sub(s->pose[i].p, from));
        c->linear = v3_madd(c->linear, mass, s->twist[i].v);
    }
    const real part = c->mass > R(0.0) ? R(1.0) / c->mass : R(0.0);
    c->centre = v3_madd(from, part, c->centre);
    c->velocity = v3_scale(part, c->linear);
}

// Momentum about the centre, and the rates of both momenta without ddq, from the forces that this needs.
static void jacobian_momentum(const tac_model *m, const tac_state *s, tac_mechanism *t, uint16_t tree, tac_centroid *c)
{
    dynamics_accelerate(m, s, NULL, V3_ZERO, 1, t);
    reals_clear(&c->angular, sizeof *c - offsetof(tac_centroid, angular)); // and both drifts
    for (uint32_t at = 0; at < t->bodies; at++) {
        const uint16_t i = t->order[at];
        const tac_mechanism_body *b = &t->body[i];
        if (!jacobian_counts(t, i, tree)) { continue; }
        const vec3 spin = v3_combine(b->axis, v3_mul(m->body[i].inertia, s->twist[i].w));
        const vec3 arm = v3_sub(s->pose[i].p, c->centre), force = six_linear(b->force);
        const vec3 torque = v3_add(six_angular(b->force), v3_cross(arm, force));
        c->angular = v3_add(c->angular, v3_add(spin, v3_cross(arm, v3_scale(m->body[i].mass, s->twist[i].v))));
        c->linear_drift = v3_add(c->linear_drift, force);
        c->angular_drift = v3_add(c->angular_drift, torque);
    }
}

// The momenta that unit rates of the coordinates make: those of the subtrees that they move.
static void jacobian_momenta(const tac_model *m, const tac_state *s, tac_mechanism *t, uint16_t tree, vec3 centre,
                             real *matrix)
{
    const size_t n = t->coordinates;
    reals_clear(matrix, 6 * n * sizeof *matrix);
    dynamics_inertia(m, t);
    for (uint32_t at = t->bodies; at-- > 0;) {
        const tac_mechanism_body *b = &t->body[t->order[at]];
        const vec3 arm = v3_sub(s->pose[b->tree].p, centre);
        for (int i = 0; i < b->axes && jacobian_counts(t, t->order[at], tree); i++) {
            real unit[6], x[6];
            mechanism_unit(b, i, unit);
            six_rigid_mul(b->inertia, unit, x);
            jacobian_column(n, b->first + (size_t)i, six_linear(x),
                            v3_add(six_angular(x), v3_cross(arm, six_linear(x))), matrix);
        }
        if (mechanism_hangs(t, t->order[at])) { dynamics_add(b->inertia, t->body[b->parent].inertia); }
    }
}

#endif
