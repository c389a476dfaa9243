// SPDX-License-Identifier: MIT
// rotation.h - the API: rotations and changes of frame.
//   given   quaternions, poses, vectors, angles, unchecked
//   makes   the functions of tactus/rotation.h
//   bound   constant
//   never   returns a number that is not finite, or a quaternion that is not unit
#ifndef API_ROTATION_H
#define API_ROTATION_H

#include "../base/vec.h"

#define ROTATION_PI R(3.14159265358979323846)

// The direction of a quaternion; scaled first, so that tiny and huge ones keep theirs. Comparisons are false for NaN.
static quat rotation_unit(quat q)
{
    const real size = real_max(real_max(real_abs(q.w), real_abs(q.x)), real_max(real_abs(q.y), real_abs(q.z)));
    if (!reals_finite(&q, sizeof q) || !(size > R(0.0))) { return QUAT_ONE; }
    q = (quat){q.w / size, q.x / size, q.y / size, q.z / size};
    quat_unit(&q);
    return q;
}

static vec3 rotation_finite(vec3 a)
{
    return reals_finite(&a, sizeof a) ? a : V3_ZERO;
}

tac_quat tac_quat_normalise(tac_quat q)
{
    return rotation_unit(q);
}

tac_quat tac_quat_conjugate(tac_quat q)
{
    return quat_conj(rotation_unit(q));
}

tac_quat tac_quat_multiply(tac_quat a, tac_quat b)
{
    return rotation_unit(quat_mul(rotation_unit(a), rotation_unit(b)));
}

tac_vec3 tac_quat_rotate(tac_quat q, tac_vec3 v)
{
    return rotation_finite(quat_rotate(rotation_unit(q), v));
}

tac_vec3 tac_quat_rotate_back(tac_quat q, tac_vec3 v)
{
    return rotation_finite(quat_rotate_back(rotation_unit(q), v));
}

tac_quat tac_quat_from_axis_angle(tac_vec3 axis, tac_real angle)
{
    return rotation_unit(quat_exp(v3_scale(angle, v3_unit(axis, V3_ZERO))));
}

// The angle of (x, y), in [-pi, pi]; 0 for (0, 0). As real_atan2(), but by quat_exp(), which each program contains, so
// that a program without angles is not larger.
static real rotation_angle(real y, real x)
{
    if (!(real_max(real_abs(x), real_abs(y)) > R(0.0))) { return R(0.0); }
    real angle = real_angle_near(y, x);
    for (int i = 0; i < 2; i++) {
        const quat turn = quat_exp(v3(R(2.0) * angle, R(0.0), R(0.0)));
        angle += real_angle_left(y, x, turn.x, turn.w);
    }
    return angle;
}

tac_quat tac_quat_from_rotation_vector(tac_vec3 v)
{
    return rotation_unit(quat_exp(v));
}

// Twice the angle of (w, |v|) along v, of the one of q and -q that has w >= 0.
tac_vec3 tac_quat_to_rotation_vector(tac_quat q)
{
    q = rotation_unit(q);
    const vec3 v = v3_scale(q.w < R(0.0) ? R(-1.0) : R(1.0), v3(q.x, q.y, q.z));
    const vec3 axis = v3_unit(v, V3_ZERO);
    return v3_scale(R(2.0) * rotation_angle(v3_dot(axis, v), real_abs(q.w)), axis);
}

static quat rotation_about(int axis, real angle)
{
    return tac_quat_from_axis_angle(V3_AXIS[axis], angle);
}

tac_quat tac_quat_from_rpy(tac_vec3 rpy)
{
    const quat roll = rotation_about(0, rpy.x), pitch = rotation_about(1, rpy.y), yaw = rotation_about(2, rpy.z);
    return rotation_unit(quat_mul(yaw, quat_mul(pitch, roll)));
}

// An angle within 2 pi, within pi.
static real rotation_wrap(real angle)
{
    if (angle > ROTATION_PI) { return angle - R(2.0) * ROTATION_PI; }
    return angle < -ROTATION_PI ? angle + R(2.0) * ROTATION_PI : angle;
}

// With half angles a, b, c of roll, pitch and yaw the product q_z q_y q_x gives
//      w + y = (cos b + sin b) cos(a - c)      w - y = (cos b - sin b) cos(a + c)
//      x - z = (cos b + sin b) sin(a - c)      x + z = (cos b - sin b) sin(a + c)
// and (cos b + sin b)/(cos b - sin b) = tan(b + pi/4): no digits are lost at a pitch of pi/2, where one pair vanishes.
tac_vec3 tac_quat_to_rpy(tac_quat q)
{
    q = rotation_unit(q);
    const vec3 less = v3(q.w + q.y, q.x - q.z, R(0.0)), more = v3(q.w - q.y, q.x + q.z, R(0.0));
    const real difference = rotation_angle(less.y, less.x), sum = rotation_angle(more.y, more.x);
    const real pitch = R(2.0) * rotation_angle(v3_norm(less), v3_norm(more)) - R(0.5) * ROTATION_PI;
    return v3(rotation_wrap(sum + difference), pitch, rotation_wrap(sum - difference));
}

// Four times the product of the quaternion and its component i, which is the largest (Shepperd's method).
tac_quat tac_quat_from_matrix(const tac_real *matrix)
{
    if (matrix == NULL) { return QUAT_ONE; }
    const real *m = matrix;
    const real x = m[0], y = m[4], z = m[8];
    const real square[4] = {R(1.0) + x + y + z, R(1.0) + x - y - z, R(1.0) - x + y - z, R(1.0) - x - y + z};
    const vec3 odd = v3(m[7] - m[5], m[2] - m[6], m[3] - m[1]), even = v3(m[7] + m[5], m[2] + m[6], m[3] + m[1]);
    int most = 0;
    for (int i = 1; i < 4; i++) { most = square[i] > square[most] ? i : most; }
    switch (most) {
    case 0:
        return rotation_unit((quat){square[0], odd.x, odd.y, odd.z});
    case 1:
        return rotation_unit((quat){odd.x, square[1], even.z, even.y});
    case 2:
        return rotation_unit((quat){odd.y, even.z, square[2], even.x});
    default:
        return rotation_unit((quat){odd.z, even.y, even.x, square[3]});
    }
}

void tac_quat_to_matrix(tac_quat q, tac_real *matrix)
{
    vec3 axis[3];
    if (matrix == NULL) { return; }
    quat_axes(rotation_unit(q), axis);
    v3_put(matrix, v3(axis[0].x, axis[1].x, axis[2].x));
    v3_put(matrix + 3, v3(axis[0].y, axis[1].y, axis[2].y));
    v3_put(matrix + 6, v3(axis[0].z, axis[1].z, axis[2].z));
}

tac_pose tac_pose_multiply(tac_pose a, tac_pose b)
{
    return (tac_pose){tac_pose_point(a, b.p), tac_quat_multiply(a.q, b.q)};
}

tac_pose tac_pose_inverse(tac_pose a)
{
    return (tac_pose){tac_pose_point_back(a, V3_ZERO), tac_quat_conjugate(a.q)};
}

tac_vec3 tac_pose_point(tac_pose a, tac_vec3 point)
{
    return rotation_finite(v3_add(a.p, quat_rotate(rotation_unit(a.q), point)));
}

tac_vec3 tac_pose_point_back(tac_pose a, tac_vec3 point)
{
    return rotation_finite(quat_rotate_back(rotation_unit(a.q), v3_sub(point, a.p)));
}

#endif
