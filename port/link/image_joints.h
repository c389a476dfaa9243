// SPDX-License-Identifier: MIT
// image_joints.h - access to joints, their switches, motors and surfaces in builds with and without them.
//   given   a model, state or input
//   makes   JOINTS, MOTORS, JOINT_AT, ACCOUNT, MOTOR_AT, SURFACES, SURFACE_AT, SWITCHED
//   bound   constant
//   never   names an array that a build does not have
#ifndef TACTUS_LINK_IMAGE_JOINTS_H
#define TACTUS_LINK_IMAGE_JOINTS_H

#include "tactus/types.h"

// A build without joints does not have these arrays. Its counts are 0, so the null pointers are never used.
#if TAC_MAX_JOINTS > 0
#define JOINTS(model) ((model)->joints)
#define SET_JOINTS(model, value) ((model)->joints = (value))
#define JOINT_AT(owner, i) (&(owner)->joint[i])
#define ACCOUNT(state) (&(state)->account)
#define MOTORS(input) ((input)->motors)
#define SET_MOTORS(input, value) ((input)->motors = (value))
#define MOTOR_AT(input, i) (&(input)->motor[i])
#else
#define JOINTS(model) ((void)(model), UINT32_C(0))
#define SET_JOINTS(model, value) ((void)(model))
#define JOINT_AT(owner, i) ((void)(owner), (void)(i), (void *)0)
#define ACCOUNT(state) ((void)(state), (void *)0)
#define MOTORS(input) ((void)(input), UINT32_C(0))
#define SET_MOTORS(input, value) ((void)(input))
#define MOTOR_AT(input, i) ((void)(input), (void)(i), (void *)0)
#endif

// The same of surfaces that move.
#if TAC_MAX_SURFACES > 0
#define SURFACES(model) ((model)->surfaces)
#define SET_SURFACES(model, value) ((model)->surfaces = (value))
#define SURFACE_AT(model, i) (&(model)->surface[i])
#else
#define SURFACES(model) ((void)(model), UINT32_C(0))
#define SET_SURFACES(model, value) ((void)(model))
#define SURFACE_AT(model, i) ((void)(model), (void)(i), (void *)0)
#endif

// Of a joint of a model: may it be switched?
#if TAC_SWITCHES
#define SWITCHED(joint) ((joint)->switched != TAC_JOINT_ALWAYS)
#else
#define SWITCHED(joint) ((void)(joint), 0)
#endif

#endif
