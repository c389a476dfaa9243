// SPDX-License-Identifier: MIT
// mechanism.h - trees of bodies as functions for controllers see them: coordinates, motions of each joint, velocities.
//   given   a model, its topology; poses and twists of a state
//   makes   tac_mechanism: coordinates, and what is fixed in bodies; frames and velocities of bodies, motions of joints
//   bound   constant a body
//   never   closes a loop: it has the joints of the trees alone
#ifndef TREE_MECHANISM_H
#define TREE_MECHANISM_H

#include "../base/six.h"
#include "../base/bytes.h"
#include "../model/joint.h"
#include "place.h"
#include "topology.h"

static int mechanism_moves(const tac_model *m, uint16_t body)
{
    return topology_moves(m, body);
}

// 1 if a body is b of its joint, -1 if it is a: the tree meets that joint from b.
static real mechanism_sign(const tac_joint *j, const tac_mechanism_body *b)
{
    return b->parent == j->body_a ? R(1.0) : R(-1.0);
}

// Inertia of a rotor along the only coordinate of a joint.
static real mechanism_armature(const tac_joint *j)
{
    return joint_has_own_coordinate(j->kind) ? j->armature : R(0.0);
}

// Is it the root of a tree that hangs on nothing? Without joints this is a constant.
static int mechanism_free(const tac_mechanism_body *b)
{
    return TAC_MAX_JOINTS == 0 || b->parent == TAC_NONE;
}

// ------------------------------------------------------------------------------------------------------------ the tree

// What the free motion i of a joint is: its rows that are not constraints are the last ones.
static int mechanism_what(const tac_joint *j, int i)
{
    return JOINT_KIND[j->kind].row[JOINT_KIND[j->kind].constraints + i];
}

// The motion of a joint with one coordinate, about the centre of mass of its body, in the principal frame of that: it
// turns about the z axis of the joint's frame in the body, slides along it, or both.
static void mechanism_fix_one(const tac_pose *local, vec3 along, real lead, tac_mechanism_body *b)
{
    const vec3 slide = v3_madd(v3_cross(local->p, along), lead, along);
    b->unit[0] = b->turns ? along : V3_ZERO;
    b->unit[1] = b->turns ? slide : along;
}

// Frames of a joint, and axes of its free motions in the bodies that they are fixed in. Motions are those of the child
// against the parent.
static void mechanism_fix(const tac_model *m, tac_mechanism_joint *f, tac_mechanism_body *b)
{
    const tac_joint *j = &JOINT_OF(m)[b->joint];
    const real sign = mechanism_sign(j, b);
    vec3 axis[2][3];
    joint_locals(m, j, f->frame);
    quat_axes(f->frame[0].q, axis[0]);
    quat_axes(f->frame[1].q, axis[1]);
    b->armature = mechanism_armature(j);
    const int of_a = b->parent != j->body_a; // is the body a of its joint?
    b->turns = 0;
    b->within = (uint8_t)(!of_a << 3);
    for (int i = 0; i < b->axes; i++) {
        const int what = mechanism_what(j, i), of_b = what == JOINT_ABOUT_B;
        f->local[i] = v3_scale(sign, of_b ? axis[1][1] : axis[0][what % 3]);
        b->turns |= (uint8_t)((what >= JOINT_ABOUT) << i);
        b->within |= (uint8_t)((of_a != of_b) << i);
    }
    if (b->axes == 1) {
        mechanism_fix_one(&f->frame[!of_a], v3_scale(sign, axis[!of_a][2]), joint_lead(j), b);
    }
}

// The trees, and what is fixed in the bodies of their joints. Bodies that are not dynamic follow in the order.
static void mechanism_take(const tac_model *m, const tac_topology *from, tac_mechanism *t)
{
    t->bodies = from->bodies;
    t->bases = 0;
    for (uint16_t i = 0; i < m->bodies; i++) {
        if (mechanism_moves(m, i)) { continue; }
        t->order[t->bodies + t->bases++] = i;
        t->body[i].joint = t->body[i].parent = TAC_NONE;
        t->body[i].tree = t->body[i].axes = 0;
    }
    for (uint16_t at = 0; at < t->bodies; at++) {
        const uint16_t self = from->order[at];
        tac_mechanism_body *b = &t->body[self];
        t->order[at] = self;
        b->joint = from->body[self].joint;
        b->parent = from->body[self].parent;
        b->carries = from->body[self].carries;
        b->tree = from->body[self].hangs ? t->body[b->parent].tree : self;
        if (mechanism_free(b)) { continue; }
        b->axes = joint_axes(JOINT_OF(m)[b->joint].kind);
        mechanism_fix(m, &t->joint[b->joint], b);
    }
}

// Coordinates of joints follow those of free roots, in the order of the joints.
static void mechanism_number(const tac_model *m, const tac_topology *from, tac_mechanism *t)
{
    t->coordinates = t->positions = 0;
    for (uint16_t i = 1; i < m->bodies; i++) {
        if (!mechanism_moves(m, i) || !mechanism_free(&t->body[i])) { continue; }
        t->body[i].axes = 6;
        t->body[i].first = t->coordinates;
        t->coordinates = (uint16_t)(t->coordinates + 6);
        t->positions = (uint16_t)(t->positions + 7);
    }
    for (uint16_t i = 0; i < JOINT_COUNT(m); i++) {
        const tac_joint *j = &JOINT_OF(m)[i];
        t->first[i] = t->place[i] = TAC_NONE;
        const uint16_t hanging = topology_hanging(m, from, i);
        if (hanging == TAC_NONE) { continue; }
        t->body[hanging].first = t->first[i] = t->coordinates;
        t->place[i] = t->positions;
        t->coordinates = (uint16_t)(t->coordinates + joint_axes(j->kind));
        t->positions = (uint16_t)(t->positions + joint_positions(j->kind));
    }
}

static void mechanism_find(const tac_model *m, tac_work *w, tac_mechanism *t)
{
    tac_topology own;
    const tac_topology *from = topology_of(m, w, &own);
    t->model_hash = m->hash;
    t->placed = t->weighed = t->about = t->moving = 0;
    mechanism_take(m, from, t);
    mechanism_number(m, from, t);
}

// Where the coordinates of bodies and joints are.
static void mechanism_map(const tac_model *m, const tac_mechanism *t, tac_coordinates *map)
{
    map->positions = t->positions;
    map->velocities = t->coordinates;
    for (uint16_t i = 0; i < TAC_MAX_BODIES + 1; i++) {
        const int free = i < m->bodies && mechanism_moves(m, i) && t->body[i].parent == TAC_NONE;
        map->body[i].velocity = free ? t->body[i].first : TAC_NONE;
        map->body[i].position = free ? (uint16_t)(t->body[i].first / 6 * 7) : TAC_NONE;
    }
    for (uint16_t i = 0; i < TAC_MAX_JOINTS + 1; i++) {
        map->joint[i].velocity = i < JOINT_COUNT(m) ? t->first[i] : TAC_NONE;
        map->joint[i].position = i < JOINT_COUNT(m) ? t->place[i] : TAC_NONE;
    }
}

// ------------------------------------------------------------------------------------------------------------- motions

// Axis of a free motion in the world, by the axes of the body and of its parent.
static inline vec3 mechanism_axis(const tac_mechanism *t, const tac_mechanism_body *b, int i)
{
    return v3_combine(b->within >> i & 1 ? b->axis : t->body[b->parent].axis, t->joint[b->joint].local[i]);
}

// Several motions of a joint. They pass through the origin of frame b, as the rows do: `lever` leads from there to the
// centre of mass of the body.
static void mechanism_several(const tac_mechanism_joint *f, const tac_mechanism_body *b, const vec3 axis[3],
                              const vec3 above[3], vec3 apart, real (*own)[6])
{
    const vec3 lever = b->within >> 3 & 1 ? v3_combine(axis, v3_scale(R(-1.0), f->frame[1].p))
                                          : v3_sub(apart, v3_combine(above, f->frame[1].p));
    for (int i = 0; i < b->axes; i++) {
        const vec3 along = v3_combine(b->within >> i & 1 ? axis : above, f->local[i]);
        if (b->turns >> i & 1) {
            six_set(own[i], along, v3_cross(along, lever));
        } else {
            six_set(own[i], V3_ZERO, along);
        }
    }
}

// The free motions of a joint, those of its rows that are not constraints, about the centre of mass of its body; `axis`
// of the body, `above` of its parent, `apart` from centre to centre.
static inline void mechanism_motions(const tac_mechanism_joint *f, const tac_mechanism_body *b, const vec3 axis[3],
                                     const vec3 above[3], vec3 apart, real (*own)[6])
{
    if (b->axes == 1) {
        six_set(own[0], v3_combine(axis, b->unit[0]), v3_combine(axis, b->unit[1]));
    } else {
        mechanism_several(f, b, axis, above, apart, own);
    }
}

// Axes of a body that hangs on another, which is placed, and motions of its joint.
static inline void mechanism_place_child(const tac_mechanism_joint *f, const tac_mechanism_body *p,
                                         tac_mechanism_body *b)
{
    const vec3 apart = v3_sub(b->pose.p, p->pose.p);
    b->apart = apart;
    quat_axes(b->pose.q, b->axis);
    mechanism_motions(f, b, b->axis, p->axis, apart, b->own);
}

static inline real_bits mechanism_difference(vec3 a, vec3 b)
{
    return reals_difference(a.x, b.x) | reals_difference(a.y, b.y) | reals_difference(a.z, b.z);
}

// Have two poses the same bits, and two twists?
static inline int mechanism_same_pose(const tac_pose *a, const tac_pose *b)
{
    const real_bits w = reals_difference(a->q.w, b->q.w), x = reals_difference(a->q.x, b->q.x);
    const real_bits y = reals_difference(a->q.y, b->q.y), z = reals_difference(a->q.z, b->q.z);
    return (mechanism_difference(a->p, b->p) | w | x | y | z) == 0;
}

static inline int mechanism_same_twist(const tac_twist *a, const tac_twist *b)
{
    return (mechanism_difference(a->v, b->v) | mechanism_difference(a->w, b->w)) == 0;
}

// Are these poses those of the last call? Else bodies are placed by them now.
static int mechanism_stands(const tac_model *m, const tac_pose *pose, tac_mechanism *t)
{
    int stands = t->placed;
    for (uint16_t i = 0; stands && i < m->bodies; i++) { stands = mechanism_same_pose(&t->body[i].pose, pose + i); }
    if (stands) { return 1; }
    for (uint16_t i = 0; i < m->bodies; i++) { t->body[i].pose = pose[i]; }
    t->placed = 1;
    t->weighed = t->about = t->moving = 0;
    return 0;
}

static void mechanism_place(const tac_model *m, const tac_pose *pose, tac_mechanism *t)
{
    if (mechanism_stands(m, pose, t)) { return; }
    for (uint32_t at = t->bodies; at < (uint32_t)t->bodies + t->bases; at++) {
        tac_mechanism_body *b = t->body + t->order[at];
        quat_axes(b->pose.q, b->axis);
    }
    for (uint32_t at = 0; at < t->bodies; at++) {
        tac_mechanism_body *b = t->body + t->order[at];
        if (mechanism_free(b)) {
            quat_axes(b->pose.q, b->axis);
        } else {
            mechanism_place_child(&t->joint[b->joint], t->body + b->parent, b);
        }
    }
}

// A motion of its joint about the centre of the tree, from that about its own.
static inline void mechanism_shift(tac_mechanism_body *b, int i, vec3 arm)
{
    const vec3 turn = six_angular(b->own[i]);
    six_set(b->s[i], turn, v3_add(six_linear(b->own[i]), v3_cross(arm, turn)));
}

// Arm and motions of a body about the centre of its tree.
static inline void mechanism_lead(const tac_mechanism *t, tac_mechanism_body *b)
{
    const vec3 arm = v3_sub(b->pose.p, t->body[b->tree].pose.p);
    b->arm = arm;
    if (b->axes == 1) {
        mechanism_shift(b, 0, arm);
    } else {
        for (int i = 0; !mechanism_free(b) && i < b->axes; i++) { mechanism_shift(b, i, arm); }
    }
}

// Arms and motions of all bodies, once.
static inline void mechanism_about(tac_mechanism *t)
{
    for (uint32_t at = 0; !t->about && at < t->bodies; at++) { mechanism_lead(t, t->body + t->order[at]); }
    t->about = 1;
}

// x = y + s V1 x V2: the derivative of a motion V2 that is carried along by V1.
static inline void mechanism_cross(const real *first, const real *second, real s, const real *y, real *x)
{
    const vec3 w1 = six_angular(first), v1 = six_linear(first), w2 = six_angular(second), v2 = six_linear(second);
    const vec3 turn = v3_cross(w1, w2), slide = v3_add(v3_cross(w1, v2), v3_cross(v1, w2));
    six_set(x, v3_madd(six_angular(y), s, turn), v3_madd(six_linear(y), s, slide));
}

// Rates of the coordinates of a joint, from the velocity of its body against the parent and from its motions, both
// about one point: rotations first, since they also move the origin of frame b.
static void mechanism_along(const tac_mechanism_body *b, const real (*s)[6], const real *speed, real *rate)
{
    vec3 v = six_linear(speed);
    for (int i = 0; i < b->axes; i++) {
        if (!(b->turns >> i & 1)) { continue; }
        rate[i] = v3_dot(six_angular(s[i]), six_angular(speed));
        v = v3_madd(v, -rate[i], six_linear(s[i]));
    }
    for (int i = 0; i < b->axes; i++) {
        if (!(b->turns >> i & 1)) { rate[i] = v3_dot(six_linear(s[i]), v); }
    }
}

// Of a joint with several motions that are not all fixed in one of its bodies each is carried by those before it; those
// of SPHERICAL are fixed in a. `speed` is that of the body against its parent, about the centre of the body.
static void mechanism_carry(const tac_joint *j, const tac_mechanism_body *b, const real *speed, real *drift)
{
    const real sign = mechanism_sign(j, b);
    real rate[3];
    if (JOINT_KIND[j->kind].turn == TURN_ALL) { return; }
    mechanism_along(b, b->own, speed, rate);
    for (int k = 1; k < b->axes; k++) {
        for (int i = 0; i < k; i++) { mechanism_cross(b->own[i], b->own[k], sign * rate[i] * rate[k], drift, drift); }
    }
}

// The acceleration of a body, and of its centre of mass, beyond what those of its parent and of the coordinates make.
// By spatial accelerations (F08, 2.10) about the centre of the body, which the frame follows at its velocity: v_p x v,
// whichever of the two bodies the motion v - v_p is fixed in. There v is (w, 0) and v_p is (w_p, -slide); to the
// acceleration of the parent at that point belongs w_p x (w_p x apart).
static inline void mechanism_drift(const tac_joint *joint, const tac_mechanism_body *p, tac_mechanism_body *b)
{
    const vec3 change = v3_sub(b->twist.v, p->twist.v);
    const vec3 slide = v3_sub(change, v3_cross(p->spin, b->apart));
    six_set(b->drift, v3_cross(p->spin, b->spin), v3_add(v3_cross(p->spin, change), v3_cross(b->spin, slide)));
    if (b->axes > 1) {
        real speed[6];
        six_set(speed, v3_sub(b->spin, p->spin), slide);
        mechanism_carry(joint, b, speed, b->drift);
    }
}

// Are these poses and twists those of the last call? Else bodies are placed and move by them now.
static int mechanism_meets(const tac_model *m, const tac_state *s, tac_mechanism *t)
{
    int meets = mechanism_stands(m, s->pose, t) && t->moving;
    for (uint16_t i = 0; meets && i < m->bodies; i++) { meets = mechanism_same_twist(&t->body[i].twist, s->twist + i); }
    if (meets) { return 1; }
    for (uint16_t i = 0; i < m->bodies; i++) { t->body[i].twist = s->twist[i]; }
    t->moving = 1;
    return 0;
}

// Axes and angular velocity of a body that hangs on none.
static inline void mechanism_turn(tac_mechanism_body *b)
{
    quat_axes(b->pose.q, b->axis);
    b->spin = v3_combine(b->axis, b->twist.w);
}

// Places a body whose parent p is placed and moves, and finds what velocities alone make of its acceleration.
static inline void mechanism_follow(const tac_model *m, const tac_mechanism *t, const tac_mechanism_body *p,
                                    tac_mechanism_body *b)
{
    mechanism_place_child(&t->joint[b->joint], p, b);
    b->spin = v3_combine(b->axis, b->twist.w);
    mechanism_drift(&JOINT_OF(m)[b->joint], p, b);
}

// The torque w x I w in the principal frame, by Euler's equations.
static inline vec3 mechanism_gyration(vec3 i, vec3 w)
{
    return v3((i.z - i.y) * (w.y * w.z), (i.x - i.z) * (w.z * w.x), (i.y - i.x) * (w.x * w.y));
}

// Places all bodies by the state and finds what velocities alone make of accelerations and torques, unless the last
// call was about the same state.
static void mechanism_move(const tac_model *m, const tac_state *s, tac_mechanism *t)
{
    if (mechanism_meets(m, s, t)) { return; }
    for (uint32_t at = t->bodies; at < (uint32_t)t->bodies + t->bases; at++) { mechanism_turn(t->body + t->order[at]); }
    for (uint32_t at = 0; at < t->bodies; at++) {
        const uint16_t self = t->order[at];
        tac_mechanism_body *b = t->body + self;
        if (mechanism_free(b)) {
            mechanism_turn(b);
        } else {
            mechanism_follow(m, t, t->body + b->parent, b);
        }
        b->gyration = mechanism_gyration(m->body[self].inertia, b->twist.w);
    }
}

// ---------------------------------------------------------------------------------------------------------- velocities

// Velocity about a point of the tree, `arm` from there to the centre of mass.
static inline void mechanism_velocity(const tac_twist *twist, const vec3 axis[3], vec3 arm, real *x)
{
    const vec3 w = v3_combine(axis, twist->w);
    six_set(x, w, v3_sub(twist->v, v3_cross(w, arm)));
}

// Velocities of all bodies about the centres of their trees.
static inline void mechanism_velocities(const tac_twist *twist, tac_mechanism *t)
{
    mechanism_about(t);
    for (uint32_t at = 0; at < t->bodies; at++) {
        tac_mechanism_body *b = &t->body[t->order[at]];
        mechanism_velocity(&twist[t->order[at]], b->axis, b->arm, b->velocity);
    }
}

// A body that is not dynamic carries a tree: its velocity about the centre of that.
static inline void mechanism_base(const tac_twist *twist, tac_mechanism *t, uint16_t base, uint16_t tree)
{
    tac_mechanism_body *b = &t->body[base];
    mechanism_velocity(&twist[base], b->axis, v3_sub(b->pose.p, t->body[tree].pose.p), b->velocity);
}

// Rates of the coordinates of a joint, from the velocities of its body and of the parent.
static inline void mechanism_rates(const tac_mechanism_body *b, const real *parent, real *rate)
{
    real speed[6];
    six_copy(speed, b->velocity);
    six_add(speed, R(-1.0), parent);
    mechanism_along(b, b->s, speed, rate);
}

// Components of a force along the coordinates of a body: of a free root the numbers of its twist.
static inline void mechanism_components(const tac_mechanism_body *b, const real *force, real *x)
{
    if (mechanism_free(b)) {
        v3_put(x, six_linear(force));
        v3_put(x + 3, v3_components(b->axis, six_angular(force)));
        return;
    }
    for (int i = 0; i < b->axes; i++) { x[i] = six_dot(b->s[i], force); }
}

// The motion of a body, against its parent, at unit rate of one of its coordinates.
static void mechanism_unit(const tac_mechanism_body *b, int i, real *x)
{
    if (!mechanism_free(b)) {
        six_copy(x, b->s[i]);
    } else if (i < 3) {
        six_set(x, V3_ZERO, V3_AXIS[i]);
    } else {
        six_set(x, b->axis[i - 3], V3_ZERO);
    }
}

// Does the tree go on above this body? Else its parent is not dynamic, or it has none.
static int mechanism_hangs(const tac_mechanism *t, uint16_t body)
{
    return TAC_MAX_JOINTS > 0 && (t->body + body)->tree != body;
}

#endif
