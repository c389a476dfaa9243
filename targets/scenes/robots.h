// SPDX-License-Identifier: MIT
// robots.h - scenes with joints and motors: the default capacities, TAC_MAX_JOINTS 16 and TAC_MAX_FILL 128 hold each.
#ifndef ROBOTS_H
#define ROBOTS_H

#include "scenes.h"

// Bodies and joints by their index; what is left out follows in order.
enum {
    QUADRUPED_TORSO = 1,
    QUADRUPED_SHANK = 4,      ///< of the first leg; each leg has three bodies, hip, thigh, shank with the foot, and
    QUADRUPED_LEG_JOINTS = 3, ///< three joints: hip, thigh, knee
    QUADRUPED_LEGS = 4,       ///< rear right, front right, rear left, front left

    GRIPPER_WRIST = 1,
    GRIPPER_BOX = 4,
    GRIPPER_LIFT = 0,  ///< joints: of the wrist,
    GRIPPER_HOLD = 1,  ///< of the finger that is led,
    GRIPPER_PINCH = 2, ///< of the finger that presses

    HAND_PALM = 1,
    HAND_CAPSULE = 4,
    HAND_SHAKE = 0, ///< joints: of the palm,
    HAND_HOLD = 1,  ///< of the finger that is led,
    HAND_PINCH = 2, ///< of the finger that presses

    N_FOUR_BAR_WINDOWS = 2,

    FLYBALL_SLIDER = 2,
    FLYBALL_ARM = 3,    ///< the first of two
    FLYBALL_SPRING = 3, ///< joint of the first spring; joint 5 is that of the second

    LINKAGE_CRANK = 0, ///< joints of four-bar and slider-crank
    LINKAGE_OUT = 3,   ///< rocker or slide

    CHAIN_LINKS = 5,

    ROVER_BODY = 1,
    ROVER_WHEEL = 1, ///< joint of the first wheel; joint 0 is the axle's
    ROVER_WHEELS = 4,

    BIPED_PELVIS = 1,
    BIPED_LEGS = 2,
    BIPED_BODIES = 6, ///< of a leg: thigh and its rod, knee, shank and its rod, foot
    BIPED_JOINTS = 8, ///< of a leg; the first is the hip
    BIPED_KNEE = 4,   ///< motor of the shank

    MECANUM_CHASSIS = 1,
    MECANUM_WHEELS = 4, ///< joints 0 .. 3: front left, front right, rear left, rear right

    RAGDOLL_TORSO = 1,
    RAGDOLL_LIMBS = 4,
    RAGDOLL_JOINTS = 4, ///< of a limb: ball joint, its swing, its twist, elbow or knee
};

extern const scene robots[];
extern const unsigned robot_count;

/// The scene of that name, or NULL.
const scene *robot_find(const char *name);

#endif
