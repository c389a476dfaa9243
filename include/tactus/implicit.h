// SPDX-License-Identifier: MIT
// implicit.h - convex bodies as intersections of inequalities, and their closest points (CBAT07).
#ifndef TACTUS_IMPLICIT_H
#define TACTUS_IMPLICIT_H

#include "tactus/types.h"

TAC_TYPES_BEGIN

/// Convex functions f of CBAT07, scaled to be lengths: f <= 0 within, and about the distance near the surface. With
/// (x, y, z) in the frame of the inequality and s = size:
enum {
    TAC_WITHIN_PLANE,          ///< z <= 0; size unused
    TAC_WITHIN_ELLIPSOID,      ///< (x/s.x)^2 + (y/s.y)^2 + (z/s.z)^2 <= 1
    TAC_WITHIN_SUPERELLIPSOID, ///< (x/s.x)^p + (y/s.y)^q + (z/s.z)^r <= 1, p, q, r = power[0..2]
    TAC_WITHIN_CYLINDER,       ///< x^2 + y^2 <= s.x^2, without end along z
    TAC_WITHIN_CONE,           ///< sqrt(x^2 + y^2) / s.x <= -z / s.z: apex at the origin, opens downwards without end
    TAC_INEQUALITY_KINDS
};

/// One inequality f(x) <= 0.
typedef struct tac_inequality {
    tac_pose pose;    ///<     its frame, in the body's frame
    tac_vec3 size;    ///< m   > 0 where the kind uses it
    uint8_t kind;     ///<     TAC_WITHIN_PLANE ...
    uint8_t power[3]; ///<     TAC_WITHIN_SUPERELLIPSOID: each 2, 4, 6 or 8 (powers of other exponents need more than +
                      ///<     - * /)
} tac_inequality;

/// A convex body: the intersection of its inequalities.
typedef struct tac_implicit {
    tac_vec3 inside; ///< m   a point well inside: every f < 0. It proves that the body is not empty and gives its scale
    uint16_t count;  ///<     inequalities in use, 1 .. TAC_MAX_INEQUALITIES
    tac_inequality f[TAC_MAX_INEQUALITIES];
} tac_implicit;

/// Closest points of two implicit bodies, in the sense of CBAT07 (22): the normals at both are opposite.
typedef struct tac_closest {
    tac_vec3 a1, a2;                   ///< m     world: on body 1, on body 2; a2 - a1 = gap normal
    tac_vec3 normal;                   ///< 1     unit, from 1 to 2
    tac_real gap;                      ///< m     negative when they overlap: -gap along the normal separates them
    tac_real l1[TAC_MAX_INEQUALITIES]; ///< 1     >= 0:  normal =  sum l1_j grad f_j(a1), gradients of the scaled f
    tac_real l2[TAC_MAX_INEQUALITIES]; ///< 1     >= 0: -normal =  sum l2_k grad g_k(a2)
    tac_real residual;                 ///< 1     largest violation of (22), lengths relative to the thinner body
    uint16_t iterations;               ///<       Newton steps spent, all phases
    uint16_t shifts;                   ///<       closest-point problems solved
} tac_closest;

/// Scratch: one inequality in the frame of body 1, and its values at the current point.
typedef struct tac_inequality_row {
    tac_vec3 origin, axis[3]; ///< m, 1
    tac_vec3 size;            ///< m
    tac_vec3 gradient;        ///< 1
    tac_sym3 hessian;         ///< 1/m
    tac_real f;               ///< m
    tac_real l, l_old, dl;    ///< multiplier, before the step and the step
    tac_real s, s_old, ds;    ///< m   slack, likewise
    uint8_t kind, power[3];
} tac_inequality_row;

#define TAC_ACTIVE 6                   // most active inequalities of Newton's method: three per body
#define TAC_SYSTEM (10 + TAC_ACTIVE)

/// Scratch of tac_implicit_closest().
typedef struct tac_implicit_work {
    tac_inequality_row row[2 * TAC_MAX_INEQUALITIES]; ///< body 1, then body 2
    tac_real matrix[TAC_SYSTEM * TAC_SYSTEM], step[TAC_SYSTEM];
    tac_real x[TAC_SYSTEM], old[TAC_SYSTEM]; ///< unknowns, now and before the step
    tac_real way[6];                         ///< direction of the step
    tac_closest best;                        ///< the answer so far, in the frame of body 1
    tac_vec3 inside[2];                      ///< m    in the frame of body 1
    tac_vec3 shift;                          ///< m    current displacement of body 2
    tac_real scale;                          ///< m    half thickness of the thinner body
    tac_real least, distance;                ///< m    lower bound of the gap; the distance that proves it
    tac_real round;                          ///< m    radius by which the apex of a cone is rounded
    tac_real extent;                         ///< 1    magnitude of coordinates in units of the scale
    uint16_t rows, first;                    ///<      in use; those of body 1
    uint16_t iterations, shifts;
    uint8_t phase;                           ///<      the problem that the rows belong to
    uint8_t active[TAC_ACTIVE], part[TAC_ACTIVE], actives; ///< rows taken as equations; 0, or 1..3: axis of an apex
} tac_implicit_work;

TAC_TYPES_END

#endif
