// SPDX-License-Identifier: MIT
// rotation.h - the API: rotations and changes of frame, for code around the kernel. tactus.h includes it.
//
// A quaternion (w, x, y, z) rotates vectors of a frame into the frame that it is given in: those of a body into the
// world. A pose places a frame in another one: p is its origin, q its rotation. The functions take any quaternion but
// use its direction only; (0,0,0,0) and one that is not finite count as no rotation. Rotations that they return are
// unit quaternions, and all numbers are finite: a vector that is not finite, or overflows, becomes (0,0,0); an angle
// that is not finite, or beyond 65536 rad, counts as 0. Same input, same bits on every target, as in the rest of the
// kernel. Cost: constant. They have no state and no error; what is not called is dropped by the linker.
#ifndef TACTUS_ROTATION_H
#define TACTUS_ROTATION_H

#include "tactus/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/// q / |q|; the inverse; b, then a: rotates by b in the frame that a rotates. q and -q are the same rotation.
tac_quat tac_quat_normalise(tac_quat q);
tac_quat tac_quat_conjugate(tac_quat q);
tac_quat tac_quat_multiply(tac_quat a, tac_quat b);

/// A vector of the frame, in the frame that it is given in (of the body, in the world); and back.
tac_vec3 tac_quat_rotate(tac_quat q, tac_vec3 v);
tac_vec3 tac_quat_rotate_back(tac_quat q, tac_vec3 v);

/// Rotation about an axis, by an angle (rad), counter-clockwise when the axis points at the viewer.
///   axis   of any length; (0,0,0): no rotation
tac_quat tac_quat_from_axis_angle(tac_vec3 axis, tac_real angle);

/// Rotation vector: axis times angle, rad. The vector of a quaternion is at most pi long, the shorter way round; near 0
/// its relative error is that of rounding.
tac_quat tac_quat_from_rotation_vector(tac_vec3 v);
tac_vec3 tac_quat_to_rotation_vector(tac_quat q);

/// Roll, pitch and yaw in x, y, z (rad), as in URDF: about the fixed axes x, then y, then z; q = q_z q_y q_x. Those of
/// a quaternion: |roll| and |yaw| at most pi, |pitch| at most pi/2, to rounding. Where pitch is pi/2 or -pi/2 only the
/// difference or the sum of roll and yaw is determined, and two angles that make the rotation are returned.
tac_quat tac_quat_from_rpy(tac_vec3 rpy);
tac_vec3 tac_quat_to_rpy(tac_quat q);

/// Rotation matrix, nine numbers row by row; its columns are the axes of the frame.
///   matrix   from: a rotation to rounding; any other matrix gives some rotation, NULL none. to: NULL writes nothing
tac_quat tac_quat_from_matrix(const tac_real *matrix);
void tac_quat_to_matrix(tac_quat q, tac_real *matrix);

/// Frame b, whose pose in frame a is b, in the frame that a is given in; the pose of the outer frame in the frame.
tac_pose tac_pose_multiply(tac_pose a, tac_pose b);
tac_pose tac_pose_inverse(tac_pose a);

/// A point of the frame, in the frame that the pose is given in (of the body, in the world); and back. m.
tac_vec3 tac_pose_point(tac_pose a, tac_vec3 point);
tac_vec3 tac_pose_point_back(tac_pose a, tac_vec3 point);

#ifdef __cplusplus
}
#endif

#endif
