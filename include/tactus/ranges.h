// SPDX-License-Identifier: MIT
// ranges.h - legal ranges of values, in float and in double. Checked where a model is sealed, a body is placed and a
// step begins (TAC_REASON_RANGE); a step whose result would leave them is refused, and the last good state stays
// (TAC_E_NAN).
//
// Within these ranges no product of two or three quantities that the kernel forms for one body or one pair of shapes
// leaves the normal numbers, 1e-38 .. 3e38 (double 1e-308 .. 1e308). With L, X, M, V, I, H for the limits below these
// products are, in float (double stays within 1e-160 .. 1e240)
//
//      L^4              squares of normals that are not unit: a difference crossed with another       1e-32 .. 1e24
//      X^2 3, V^2 3     squares of distances and of speeds                                                    3e18
//      1/(M L^2)        the inverse of an inertia, of the lightest and smallest body                          1e31
//      M X V, M V^2     momenta about the origin, energies                                                    1e25
//      I V^2            energies of rotation, also as I V times I^-1 I V                                      1e35
//      W^2              determinants of two rows, W the mobility: 1/m + arm^2 / inertia                       1e36
//      F H/m            change of velocity by a force in one step                                             1e33
//
// Rounding is relative, so three more bounds are relative to the body; e is the distance from 1 to the next number:
//
//      4 I_max <= I_min/e      an inertia turned into the world frame has the rounding e I_max in each of its entries:
//                              beyond this the least moment is lost in it (float: moments of 1 : 2e6)
//      m arm^2 <= I_min/e      a force at a point of the body moves it by 1/m + arm^2/I: beyond this its mass is lost;
//                              a rod of these moments still reaches its ends (m arm^2 = 3 I_max)
//      m (e p)^2 <= tr I       the rounding of a position is less than the radius of gyration of the body: beyond this
//                              nothing of its shape is left there (a ball of 10 cm in float: 500 km)
//
// Small values that are differences of large ones may be 0. Quantities of several bodies (a heavy one on a light one,
// through stiff springs) cannot be bounded by one range: a step in which they overflow is refused as well.
// A scene of 1e-6 m and 1e-12 kg and one of 100 m and 1e9 kg lie well inside, in float too.
#ifndef TACTUS_RANGES_H
#define TACTUS_RANGES_H

#define TAC_RANGE(single, twice) ((tac_real)(TAC_REAL_BITS == 32 ? (single) : (twice)))

//                                 float   double
#define TAC_LEAST_LENGTH TAC_RANGE(1e-8, 1e-20)       ///< m         sizes of shapes, steps of terrain
#define TAC_MOST_LENGTH TAC_RANGE(1e6, 1e20)          ///< m         the same; magnitude of lever arms and offsets in a
                                                      ///<           body
#define TAC_MOST_POSITION TAC_RANGE(1e9, 1e30)        ///< m         magnitude of coordinates in the world
#define TAC_LEAST_MASS TAC_RANGE(1e-15, 1e-40)        ///< kg
#define TAC_MOST_MASS TAC_RANGE(1e9, 1e40)            ///< kg
#define TAC_LEAST_INERTIA TAC_RANGE(1e-31, 1e-80)     ///< kg m2     the least mass at the least length
#define TAC_MOST_INERTIA TAC_RANGE(1e21, 1e80)        ///< kg m2     the most at the most; armatures too
#define TAC_MOST_MOBILITY TAC_RANGE(1e18, 1e50)       ///< 1/kg      velocity caused by an impulse of 1 N s at the
                                                      ///<           farthest point of a body's shapes and joints
#define TAC_MOST_RATIO TAC_RANGE(8e6, 4e15)           ///< 1         1/e: 4 I_max and m arm^2 over I_min
#define TAC_MOST_AXIS TAC_RANGE(1e2, 1e3)             ///< 1, m      mu times a semi-axis of a set of impulses (problem.h): a
                                                      ///<           velocity that violates its law shows in the natural
                                                      ///<           map over 1 + the square of this, which the default
                                                      ///<           tolerance must see
#define TAC_MOST_SPEED TAC_RANGE(1e7, 1e30)           ///< m/s, rad/s
#define TAC_MOST_ACCELERATION TAC_RANGE(1e9, 1e40)    ///< m/s2
#define TAC_MOST_FORCE TAC_RANGE(1e18, 1e70)          ///< N, N m    also stiffness (N/m ..) and damping (N s/m ..)
#define TAC_LEAST_STEP TAC_RANGE(1e-9, 1e-20)         ///< s         h of the model
#define TAC_MOST_STEP TAC_RANGE(1, 1)                 ///< s         longer ones are milliseconds, or no simulation

#endif
