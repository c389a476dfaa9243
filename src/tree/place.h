// SPDX-License-Identifier: MIT
// place.h - kinematics of a joint: its two frames, the errors of its constraints, its coordinate.
//   given   a joint, the poses of its bodies
//   makes   joint_place: frames, distance, relative rotation; the error of a row; the coordinate q
//   bound   constant
//   never   decides what an error is used for: rows, limits and the position projection do
#ifndef TREE_PLACE_H
#define TREE_PLACE_H

#include "../model/switches.h"
#include "angles.h"

typedef struct joint_place {
    quat frame[2];  // orientations of frames a and b in the world
    vec3 arm[2];    // from the centres of mass of a and b to the origin of frame b
    vec3 axis[3];   // of a
    vec3 d;         // from the origin of a to that of b
    vec3 direction; // of a rod: unit vector along d; of an angle about no fixed axis: its gradient; of an edge: x of b
    real distance;  // likewise: length of d
    quat rotation;  // rotation of b relative to a, w >= 0
} joint_place;

// A frame of a body relative to its principal frame. Where the axes of both body frames agree, nothing is rotated.
static void joint_local(const tac_body *body, const tac_pose *frame, tac_pose *local)
{
    const tac_pose *own = &body->inertial;
    local->p = v3_sub(frame->p, own->p);
    local->q = frame->q;
    if (own->q.x == R(0.0) && own->q.y == R(0.0) && own->q.z == R(0.0) && own->q.w == R(1.0)) { return; }
    local->p = quat_rotate_back(own->q, local->p);
    local->q = quat_mul(quat_conj(own->q), local->q);
}

static void joint_locals(const tac_model *m, const tac_joint *j, tac_pose local[2])
{
    joint_local(&m->body[j->body_a], &j->frame_a, &local[0]);
    joint_local(&m->body[j->body_b], &j->frame_b, &local[1]);
}

// Those of joint i of a state: a weld that has captured its bodies has a frame of its own in b.
static void joint_locals_in(const tac_model *m, const tac_state *s, const tac_joint *j, uint32_t i, tac_pose local[2])
{
    joint_locals(m, j, local);
    if (switch_captured(s, i)) { joint_local(&m->body[j->body_b], &SWITCH_OF(s)[i].frame, &local[1]); }
}

// The rotation of frame b relative to frame a, with w >= 0.
static inline quat joint_rotation(quat a, quat b)
{
    const quat between = quat_mul(quat_conj(a), b);
    const real sign = between.w < R(0.0) ? R(-1.0) : R(1.0);
    return (quat){sign * between.w, sign * between.x, sign * between.y, sign * between.z};
}

// Orientations: both frames, the rotation between them, the axes of a.
static void joint_find_turn(const tac_pose local[2], quat of_a, quat of_b, joint_place *p)
{
    const quat a = quat_mul(of_a, local[0].q), b = quat_mul(of_b, local[1].q);
    p->frame[0] = a, p->frame[1] = b;
    p->rotation = joint_rotation(a, b);
    quat_axes(a, p->axis);
}

// Origins: from the centres of mass and the lever arms from there to the origins of both frames, world. Orientations
// are known.
static inline void joint_find_origin(uint8_t kind, vec3 of_a, vec3 of_b, vec3 own_a, vec3 own_b, joint_place *p)
{
    const vec3 origin = v3_add(of_b, own_b);
    p->arm[0] = v3_sub(origin, of_a);
    p->arm[1] = own_b;
    p->d = v3_sub(origin, v3_add(of_a, own_a)); // 0 where only rounding of the poses keeps the origins apart
    if (joint_is_rod(kind)) {
        p->distance = v3_norm(p->d);
        p->direction = v3_unit(p->d, p->axis[2]);
    } else if (joint_is_angle(kind)) {
        p->direction = v3_combine(p->axis, angles_gradient(JOINT_KIND[kind].along, p->rotation));
    } else if (joint_is_edge(kind)) {
        p->direction = quat_rotate(p->frame[1], V3_AXIS[0]);
    }
}

static void joint_find(uint8_t kind, const tac_pose local[2], const tac_pose *a, const tac_pose *b, joint_place *p)
{
    joint_find_turn(local, a->q, b->q, p);
    joint_find_origin(kind, a->p, b->p, quat_rotate(a->q, local[0].p), quat_rotate(b->q, local[1].p), p);
}

#define JOINT_REVOLUTION R(6.28318530717958647692)
#define JOINT_FAR R(1e4) // rad, bound of the middle of two limits

// Number of revolutions that brings an angle closest to another one, as far as an integer can represent it.
static real joint_revolutions_to(real angle, real other)
{
    if (real_abs(other - angle) < R(0.5) * JOINT_REVOLUTION) { return R(0.0); }
    const real revolutions = real_clamp((other - angle) / JOINT_REVOLUTION, R(-1e9), R(1e9));
    if (!real_finite(revolutions)) { return R(0.0); }
    return (real)(int32_t)(revolutions + (revolutions < R(0.0) ? R(-0.5) : R(0.5)));
}

// Does the coordinate jump by one revolution when it passes half a revolution? That of a screw with a lead does not: it
// follows the translation.
static int joint_wraps(const tac_joint *j)
{
    const int along = JOINT_KIND[j->kind].along;
    return along == ALONG_ANGLE || (TAC_COORDINATES && along == ALONG_TWIST) ||
           (along == ALONG_THREAD && j->length == R(0.0));
}

// Deviation of q from a target; modulo one revolution, nearest first, if q wraps and has no limits.
static real joint_deviation(const tac_joint *j, real q, real goal)
{
    if (real_abs(q - goal) < R(0.5) * JOINT_REVOLUTION) { return q - goal; } // mostly
    const int modulo = joint_wraps(j) && !(j->lower <= j->upper);
    return q - goal + (modulo ? joint_revolutions_to(q, goal) * JOINT_REVOLUTION : R(0.0));
}

// Translation along z per radian.
static inline real joint_lead(const tac_joint *j)
{
    return JOINT_KIND[j->kind].slide == SLIDE_THREAD ? j->length : R(0.0);
}

// An angle, by whole revolutions to within half a revolution of 0, or of the middle of its limits.
static inline real joint_angle_near(const tac_joint *j, real angle)
{
    const real middle =
        j->lower <= j->upper ? real_clamp(R(0.5) * (j->lower + j->upper), -JOINT_FAR, JOINT_FAR) : R(0.0);
    return angle + joint_revolutions_to(angle, middle) * JOINT_REVOLUTION;
}

// The angle of rotation about z, in (-pi, pi], or within half a revolution of the middle of its limits.
static real joint_angle(const tac_joint *j, const joint_place *p)
{
    const real angle = R(2.0) * real_atan2(p->rotation.z, p->rotation.w);
    return j->lower <= j->upper ? joint_angle_near(j, angle) : angle;
}

// q; that of a screw with a lead is computed from the translation, which does not wrap.
static real joint_coordinate(const tac_joint *j, const joint_place *p)
{
    const int along = JOINT_KIND[j->kind].along;
    if (joint_is_angle(j->kind) && along != ALONG_TWIST) { return angles_coordinate(along, p->rotation); }
    switch (along) {
    case ALONG_AXIS:
        return v3_dot(p->axis[2], p->d);
    case ALONG_ROD:
        return p->distance;
    case ALONG_THREAD:
        return j->length != R(0.0) ? v3_dot(p->axis[2], p->d) / j->length : joint_angle(j, p);
    default:
        return joint_angle(j, p);
    }
}

// Rotation error of b about an axis of a, rad, where the joint does not allow one: small, zero if satisfied. If the
// joint rotates about z, the error is that between the z axes: z_a x z_b.
static real joint_tilt(const tac_joint *j, const joint_place *p, int axis)
{
    const vec3 v = {p->rotation.x, p->rotation.y, p->rotation.z};
    const int turn = JOINT_KIND[j->kind].turn;
    if (turn == TURN_NONE || turn == TURN_SPRUNG) {
        const real size = turn == TURN_SPRUNG ? v3_norm(v) : R(0.0); // far: rotation vector
        const real scale = size > R(0.0) ? R(2.0) * real_atan2(size, p->rotation.w) / size : R(2.0);
        return scale * (axis == 0 ? v.x : (axis == 1 ? v.y : v.z));
    }
    const vec3 z = quat_rotate(p->rotation, V3_AXIS[2]);
    return axis == 0 ? -z.y : z.x;
}

// Screw: rotation minus the rotation that belongs to the translation; less than half a revolution.
static real joint_thread(const tac_joint *j, const joint_place *p)
{
    real s, c;
    real_sin_cos(joint_angle(j, p) - joint_coordinate(j, p), &s, &c);
    return real_atan2(s, c);
}

// Error of constraint row `row`, m; rotations times `length`.
static real joint_error(const tac_joint *j, const joint_place *p, int row, real length)
{
    const int what = JOINT_KIND[j->kind].row[row];
    if (joint_is_edge(j->kind)) { return R(0.0); }
    switch (what) {
    case JOINT_CROSS:
        return length * v3_dot(p->axis[0], quat_rotate(p->frame[1], V3_AXIS[1]));
    case JOINT_SEPARATION:
        return p->distance - j->length;
    case JOINT_THREAD:
        return -j->length * joint_thread(j, p);
    default:
        return what < JOINT_ABOUT ? v3_dot(p->axis[what], p->d) : length * joint_tilt(j, p, what - JOINT_ABOUT);
    }
}

// ----------------------------------------------------------------------------------------------------------- curvature
// Within a step a joint moves on an arc, but J v = 0 moves it along the tangent. The error that this adds is h^2/2
// times the second derivative of the constraint along the motion (its velocity-product term).

// The motion of the origin of frame b is taken in the frame of a: there it has the velocity and acceleration of a point
// of b less those of the point of a that it is at, and Coriolis' acceleration. The lever arms of both end at that
// origin.
typedef struct joint_motion {
    vec3 w[2];      // of a and b, world
    vec3 rate;      // of d in the frame of a
    vec3 curvature; // acceleration of d in the frame of a while both bodies keep their velocities
} joint_motion;

// The rest of q, from the angular velocities of both bodies, which it has.
static inline void joint_move_about(const joint_place *p, const tac_twist *twist[2], joint_motion *q)
{
    const vec3 a = v3_cross(q->w[0], p->arm[0]), b = v3_cross(q->w[1], p->arm[1]);
    q->rate = v3_sub(v3_add(twist[1]->v, b), v3_add(twist[0]->v, a));
    q->curvature = v3_sub(v3_cross(q->w[1], b), v3_cross(q->w[0], v3_madd(a, R(2.0), q->rate)));
}

// `axis`: the principal axes of both bodies, world.
static void joint_move(const joint_place *p, const vec3 *const axis[2], const tac_twist *twist[2], joint_motion *q)
{
    q->w[0] = v3_combine(axis[0], twist[0]->w);
    q->w[1] = v3_combine(axis[1], twist[1]->w);
    joint_move_about(p, twist, q);
}

// The angular velocities of both bodies, by their poses.
static inline void joint_spin_at(const tac_pose *const pose[2], const tac_twist *twist[2], joint_motion *q)
{
    for (int side = 0; side < 2; side++) {
        vec3 axis[3];
        quat_axes(pose[side]->q, axis);
        q->w[side] = v3_combine(axis, twist[side]->w);
    }
}

// joint_move() by the poses of both bodies.
static void joint_move_at(const joint_place *p, const tac_pose *const pose[2], const tac_twist *twist[2],
                          joint_motion *q)
{
    joint_spin_at(pose, twist, q);
    joint_move_about(p, twist, q);
}

// The axis of a free motion.
static inline vec3 joint_free_axis(const joint_place *p, int what)
{
    return what == JOINT_ABOUT_B ? quat_rotate(p->frame[1], V3_AXIS[1]) : p->axis[what % 3];
}

// Rates of the free motions of a joint of a tree.
static void joint_rates(uint8_t kind, const joint_place *p, const joint_motion *q, real *rate)
{
    const vec3 spin = v3_sub(q->w[1], q->w[0]);
    for (int row = JOINT_KIND[kind].constraints; row < TAC_JOINT_ROWS; row++) {
        const int what = JOINT_KIND[kind].row[row];
        *rate++ = v3_dot(joint_free_axis(p, what), what < JOINT_ABOUT ? q->rate : spin);
    }
}

// The motion of b relative to a at these rates: rotation; translation at the origin of frame b.
static void joint_free_motion(const tac_joint *j, const joint_place *p, const real *rate, vec3 *turn, vec3 *slide)
{
    *turn = *slide = V3_ZERO;
    for (int row = JOINT_KIND[j->kind].constraints; row < TAC_JOINT_ROWS; row++, rate++) {
        const int what = JOINT_KIND[j->kind].row[row];
        const vec3 axis = joint_free_axis(p, what);
        if (what < JOINT_ABOUT) {
            *slide = v3_madd(*slide, *rate, axis);
        } else {
            *turn = v3_madd(*turn, *rate, axis);
            *slide = v3_madd(*slide, *rate * joint_lead(j), axis);
        }
    }
}

// Rate of the coordinate.
static real joint_coordinate_rate(const tac_joint *j, const joint_place *p, const joint_motion *q)
{
    if (joint_is_angle(j->kind)) { return v3_dot(p->direction, v3_sub(q->w[1], q->w[0])); }
    switch (JOINT_KIND[j->kind].along) {
    case ALONG_AXIS:
        return v3_dot(p->axis[2], q->rate);
    case ALONG_ROD:
        return v3_dot(p->direction, q->rate);
    default:
        return v3_dot(p->axis[2], v3_sub(q->w[1], q->w[0]));
    }
}

// Second derivative of the product of a direction fixed in a and one fixed in b.
static real joint_curvature_product(const joint_motion *q, vec3 a, vec3 b)
{
    const vec3 da = v3_cross(q->w[0], a), db = v3_cross(q->w[1], b);
    return (v3_dot(v3_cross(q->w[0], da), b) + v3_dot(a, v3_cross(q->w[1], db))) + R(2.0) * v3_dot(da, db);
}

// Second derivative of the distance of the origins.
static real joint_curvature_rod(const joint_place *p, const joint_motion *q)
{
    if (!(p->distance > R(0.0))) { return R(0.0); }
    const real closing = v3_dot(p->direction, q->rate);
    return v3_dot(p->direction, q->curvature) + (v3_dot(q->rate, q->rate) - closing * closing) / p->distance;
}

// Of an angle about no fixed axis.
static inline real joint_curvature_angle(int along, const joint_place *p, const joint_motion *q)
{
    const vec3 spin = v3_sub(q->w[1], q->w[0]), change = v3_cross(q->w[1], q->w[0]);
    return angles_curvature(along, p->rotation, v3_components(p->axis, spin), v3_components(p->axis, change));
}

// The derivative of the velocity of an edge along x of b, which turns.
static inline real joint_curvature_edge(const joint_place *p, const joint_motion *q)
{
    const vec3 turned = v3_cross(v3_sub(q->w[1], q->w[0]), p->direction);
    return v3_dot(p->direction, q->curvature) + v3_dot(turned, q->rate);
}

// Second derivative of joint_error() along the motion, m/s2.
static real joint_curvature(const tac_joint *j, const joint_place *p, const joint_motion *q, int row, real length)
{
    const int what = JOINT_KIND[j->kind].row[row];
    const vec3 *axis = p->axis;
    if (joint_is_angle(j->kind)) { return length * joint_curvature_angle(JOINT_KIND[j->kind].along, p, q); }
    if (joint_is_edge(j->kind)) { return joint_curvature_edge(p, q); }
    switch (what) {
    case JOINT_CROSS:
        return length * joint_curvature_product(q, axis[0], quat_rotate(p->frame[1], V3_AXIS[1]));
    case JOINT_SEPARATION:
        return joint_curvature_rod(p, q);
    case JOINT_THREAD:
        return v3_dot(axis[2], q->curvature);
    case JOINT_ABOUT:
    case JOINT_ABOUT + 1:
    case JOINT_ABOUT + 2:
        if (JOINT_KIND[j->kind].turn == TURN_NONE) { return R(0.0); } // both rotate alike
        if (what == JOINT_ABOUT + 2) { return R(0.0); }               // about a common axis
        return length * joint_curvature_product(q, what == JOINT_ABOUT ? v3_scale(R(-1.0), axis[1]) : axis[0],
                                                quat_rotate(p->frame[1], V3_AXIS[2]));
    default:
        return v3_dot(axis[what], q->curvature);
    }
}

#endif
