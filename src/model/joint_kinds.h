// SPDX-License-Identifier: MIT
// joint_kinds.h - the table of joint kinds: how b moves in a, what its rows measure, its coordinate, its fields.
//   given   the kinds of types.h
//   makes   JOINT_KIND, and questions about a row of it
//   bound   constant
//   never   is asked by number: no other part depends on the order of the kinds
#ifndef MODEL_JOINT_KINDS_H
#define MODEL_JOINT_KINDS_H

#include "../base/real.h"

#define JOINT_LAST (TAC_JOINT_ROWS - 1) // the row of the coordinate

// What a row measures: the distance of the origins along an axis of a, a rotation about an axis of a, or as named.
enum {
    JOINT_ALONG,      // + axis
    JOINT_ABOUT = 3,  // + axis
    JOINT_CROSS = 6,  // x of a and y of b stay perpendicular
    JOINT_SEPARATION, // distance of the origins, in any direction
    JOINT_THREAD,     // translation along z follows rotation about z
    JOINT_ABOUT_B,    // rotation about y of b
    JOINT_ANGLE,      // the angle of the coordinate: a rotation along its gradient
    JOINT_EDGE,       // no velocity of the origin of b in a, along x of b: measures no position
    JOINT_NOTHING
};
#define JOINT_XY (JOINT_ALONG + 0), (JOINT_ALONG + 1) // origins coincide along these axes
#define JOINT_Z (JOINT_ALONG + 2)
#define JOINT_TILT (JOINT_ABOUT + 0), (JOINT_ABOUT + 1) // z axes are parallel
#define JOINT_TURN (JOINT_ABOUT + 2)
#define JOINT_NONE4 JOINT_NOTHING, JOINT_NOTHING, JOINT_NOTHING, JOINT_NOTHING

// How b may turn in a: not; about z; about x of a and y of b; in any way; in any way, held by springs.
enum { TURN_NONE, TURN_Z, TURN_CROSS, TURN_ALL, TURN_SPRUNG };

// How its origin may move in a: not; along z; along z, following the rotation; along x and y. With these a joint may be
// part of a tree, since its free motions do not depend on its position. Otherwise: at a distance; in any way.
enum { SLIDE_NONE, SLIDE_Z, SLIDE_THREAD, SLIDE_PLANE, SLIDE_ROD, SLIDE_ANY };

// Its coordinate: none; the angle about z; the same, or the translation over the lead; the translation along z; the
// distance of the origins; the sum of those of two joints; angles of a rotation about no fixed axis (angles.h).
enum {
    ALONG_NONE,
    ALONG_ANGLE,
    ALONG_THREAD,
    ALONG_AXIS,
    ALONG_ROD,
    ALONG_SUM,
    ALONG_TWIST,
    ALONG_SWING,
    ALONG_ROTATION,
    ALONG_TURN
};

// The fields of tac_joint that it uses, besides its bodies (check.h).
#define JOINT_FRAMES 1u
#define JOINT_RATIO 2u
#define JOINT_EFFORTS 4u
#define JOINT_SPRINGS 8u
#define JOINT_COORDINATE (JOINT_FRAMES | JOINT_EFFORTS)

// Kinds that only measure, or forbid a velocity, are there with TAC_COORDINATES.
#define JOINT_KINDS (TAC_COORDINATES ? (int)TAC_JOINT_KINDS : (int)TAC_TRANSLATION)

// Rows are constraints first, then free motions: translations, then rotations. The last row is a constraint for
// TAC_FIXED and the coordinate for other kinds that have one.
static const struct {
    uint8_t row[TAC_JOINT_ROWS];
    uint8_t constraints; // how many of the rows
    uint8_t turn, slide, along, fields;
} JOINT_KIND[JOINT_KINDS] = {
    [TAC_FIXED] = {{JOINT_XY, JOINT_Z, JOINT_TILT, JOINT_TURN}, 6, TURN_NONE, SLIDE_NONE, ALONG_NONE, JOINT_FRAMES},
    [TAC_REVOLUTE] = {{JOINT_XY, JOINT_Z, JOINT_TILT, JOINT_TURN},
                      5, TURN_Z, SLIDE_NONE, ALONG_ANGLE, JOINT_FRAMES | JOINT_EFFORTS},
    [TAC_PRISMATIC] = {{JOINT_XY, JOINT_TILT, JOINT_TURN, JOINT_Z},
                       5, TURN_NONE, SLIDE_Z, ALONG_AXIS, JOINT_FRAMES | JOINT_EFFORTS},
    [TAC_SCREW] = {{JOINT_XY, JOINT_TILT, JOINT_THREAD, JOINT_TURN},
                   5, TURN_Z, SLIDE_THREAD, ALONG_THREAD, JOINT_FRAMES | JOINT_RATIO | JOINT_EFFORTS},
    [TAC_DISTANCE] = {{JOINT_NONE4, JOINT_NOTHING, JOINT_SEPARATION},
                      0, TURN_ALL, SLIDE_ROD, ALONG_ROD, JOINT_FRAMES | JOINT_EFFORTS},
    [TAC_SPHERICAL] = {{JOINT_XY, JOINT_Z, JOINT_TILT, JOINT_TURN}, 3, TURN_ALL, SLIDE_NONE, ALONG_NONE, JOINT_FRAMES},
    [TAC_UNIVERSAL] = {{JOINT_XY, JOINT_Z, JOINT_CROSS, JOINT_ABOUT + 0, JOINT_ABOUT_B},
                       4, TURN_CROSS, SLIDE_NONE, ALONG_NONE, JOINT_FRAMES},
    [TAC_CYLINDRICAL] = {{JOINT_XY, JOINT_TILT, JOINT_Z, JOINT_TURN}, 4, TURN_Z, SLIDE_Z, ALONG_NONE, JOINT_FRAMES},
    [TAC_PLANAR] = {{JOINT_Z, JOINT_TILT, JOINT_XY, JOINT_TURN}, 3, TURN_Z, SLIDE_PLANE, ALONG_NONE, JOINT_FRAMES},
    [TAC_REVOLUTE_SPHERICAL] = {{JOINT_Z, JOINT_SEPARATION, JOINT_NONE4},
                                2, TURN_ALL, SLIDE_ROD, ALONG_NONE, JOINT_FRAMES | JOINT_RATIO},
    [TAC_COUPLING] = {{JOINT_NONE4, JOINT_NOTHING, JOINT_NOTHING},
                      0, TURN_ALL, SLIDE_ANY, ALONG_SUM, JOINT_RATIO | JOINT_EFFORTS},
    [TAC_BUSHING] = {{JOINT_XY, JOINT_Z, JOINT_TILT, JOINT_TURN},
                     0, TURN_SPRUNG, SLIDE_ANY, ALONG_NONE, JOINT_FRAMES | JOINT_SPRINGS},
#if TAC_COORDINATES
    [TAC_TRANSLATION] = {{JOINT_NONE4, JOINT_NOTHING, JOINT_Z}, 0, TURN_ALL, SLIDE_ANY, ALONG_AXIS, JOINT_COORDINATE},
    [TAC_TWIST] = {{JOINT_NONE4, JOINT_NOTHING, JOINT_ANGLE}, 0, TURN_ALL, SLIDE_ANY, ALONG_TWIST, JOINT_COORDINATE},
    [TAC_SWING] = {{JOINT_NONE4, JOINT_NOTHING, JOINT_ANGLE}, 0, TURN_ALL, SLIDE_ANY, ALONG_SWING, JOINT_COORDINATE},
    [TAC_ROTATION] = {{JOINT_NONE4, JOINT_NOTHING, JOINT_ANGLE},
                      0, TURN_ALL, SLIDE_ANY, ALONG_ROTATION, JOINT_COORDINATE},
    [TAC_TURN] = {{JOINT_NONE4, JOINT_NOTHING, JOINT_ANGLE}, 0, TURN_ALL, SLIDE_ANY, ALONG_TURN, JOINT_COORDINATE},
    [TAC_SKATE] = {{JOINT_EDGE, JOINT_NOTHING, JOINT_NONE4}, 1, TURN_ALL, SLIDE_ANY, ALONG_NONE, JOINT_FRAMES},
#endif
};

// Does the kind have a coordinate?
static int joint_has_coordinate(uint8_t kind)
{
    return JOINT_KIND[kind].along != ALONG_NONE;
}

// One of its own, other than that of a coupling?
static int joint_has_own_coordinate(uint8_t kind)
{
    return joint_has_coordinate(kind) && JOINT_KIND[kind].along != ALONG_SUM;
}

// Is the coordinate an angle? Its row is then scaled by the joint's length.
static int joint_rotates(uint8_t kind)
{
    const int along = JOINT_KIND[kind].along;
    return along == ALONG_ANGLE || along == ALONG_THREAD || (TAC_COORDINATES && along >= ALONG_TWIST);
}

// An angle about no fixed axis?
static inline int joint_is_angle(uint8_t kind)
{
    return TAC_COORDINATES && JOINT_KIND[kind].along >= ALONG_TWIST;
}

// Is it never negative, and has no direction at 0, its pole, through which the motion passes? Limits below are none.
static inline int joint_has_pole(uint8_t kind)
{
    const int along = JOINT_KIND[kind].along;
    return TAC_COORDINATES && (along == ALONG_SWING || along == ALONG_ROTATION);
}

// Does it forbid a velocity where it forbids no position?
static inline int joint_is_edge(uint8_t kind)
{
    return TAC_COORDINATES && JOINT_KIND[kind].row[0] == JOINT_EDGE;
}

// May b be anywhere in a, so that the joint places no body? Bushings have a place where they are at rest.
static inline int joint_is_loose(uint8_t kind)
{
    return JOINT_KIND[kind].slide == SLIDE_ANY && JOINT_KIND[kind].turn == TURN_ALL;
}

// May the joint be part of a tree: does its motion subspace not depend on its position?
static inline int joint_eliminates(uint8_t kind)
{
    return JOINT_KIND[kind].slide < SLIDE_ROD;
}

// Does a distance of the origins take part?
static inline int joint_is_rod(uint8_t kind)
{
    return JOINT_KIND[kind].slide == SLIDE_ROD;
}

// A hinge: one axis, one number.
static inline int joint_is_hinge(uint8_t kind)
{
    return JOINT_KIND[kind].along == ALONG_ANGLE;
}

// Are the rows those along the three axes of a, then those about them?
static inline int joint_in_order(uint8_t kind)
{
    return JOINT_KIND[kind].row[2] == JOINT_Z && JOINT_KIND[kind].row[3] == JOINT_ABOUT;
}

// Does a row measure a translation? Else a rotation.
static inline int joint_slides(uint8_t kind, int row)
{
    const int what = JOINT_KIND[kind].row[row];
    return what < JOINT_ABOUT || what == JOINT_SEPARATION || what == JOINT_THREAD;
}

// Free motions of a joint of a tree: its rows that are not constraints. Its numbers of position are as many, but the
// orientation of SPHERICAL is a quaternion.
static inline uint8_t joint_axes(uint8_t kind)
{
    return (uint8_t)(TAC_JOINT_ROWS - JOINT_KIND[kind].constraints);
}

static inline uint8_t joint_positions(uint8_t kind)
{
    return (uint8_t)(joint_axes(kind) + (JOINT_KIND[kind].turn == TURN_ALL));
}

#endif
