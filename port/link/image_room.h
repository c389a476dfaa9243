// SPDX-License-Identifier: MIT
// image_room.h - what there is room for; joints and motors where a build has none.
//   given   the capacities
//   makes   image_fits(); JOINTS, MOTORS: counts and elements
//   bound   constant
//   never   lets a count through that a table has no room for
#ifndef TACTUS_LINK_IMAGE_ROOM_H
#define TACTUS_LINK_IMAGE_ROOM_H

#include "link/image.h"

// Room for each count of a head, in the order that TAC_FIELD_COUNT has for them (tac_fault in types.h).
enum {
    COUNT_BODIES,
    COUNT_SHAPES,
    COUNT_MATERIALS,
    COUNT_MATERIAL_PAIRS,
    COUNT_IMPULSES,
    COUNT_ACTIONS,
    COUNT_EXCLUSIONS,
    COUNT_POLYHEDRA,
    COUNT_POINTS,
    COUNT_FACES,
    COUNT_EDGES,
    COUNT_FIELDS,
    COUNT_HEIGHTS,
    COUNT_JOINTS,
    COUNT_MOTORS,
    COUNTS
};

/// Returns IMAGE_FITS, or what there is no room for.
int image_fits(int which, uint32_t count);

// A build without joints has none of their arrays, and says that there are no elements: so nobody comes for one.
#if TAC_MAX_JOINTS > 0
#define JOINTS(model) ((model)->joints)
#define SET_JOINTS(model, value) ((model)->joints = (value))
#define JOINT_AT(owner, i) (&(owner)->joint[i])
#define MOTORS(input) ((input)->motors)
#define SET_MOTORS(input, value) ((input)->motors = (value))
#define MOTOR_AT(input, i) (&(input)->motor[i])
#else
#define JOINTS(model) ((void)(model), UINT32_C(0))
#define SET_JOINTS(model, value) ((void)(model))
#define JOINT_AT(owner, i) ((void)(owner), (void)(i), (void *)0)
#define MOTORS(input) ((void)(input), UINT32_C(0))
#define SET_MOTORS(input, value) ((void)(input))
#define MOTOR_AT(input, i) ((void)(input), (void)(i), (void *)0)
#endif

#endif
