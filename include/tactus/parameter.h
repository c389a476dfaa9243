// SPDX-License-Identifier: MIT
// parameter.h - numbers of a model: those that a fit finds (fit.h), and by which a derivative is taken (linear.h).
#ifndef TACTUS_PARAMETER_H
#define TACTUS_PARAMETER_H

#include "tactus/types.h"

#if TAC_PREDICT || TAC_MAX_LCP > 0

TAC_TYPES_BEGIN

/// What a parameter is, and what its index counts. Factors are 1 in the model as it is.
enum {
    TAC_FIT_FRICTION,         ///< 1        material: Coulomb coefficient
    TAC_FIT_RESTITUTION,      ///< 1        material
    TAC_FIT_PAIR_FRICTION,    ///< 1        pair of materials
    TAC_FIT_PAIR_RESTITUTION, ///< 1        pair of materials
    TAC_FIT_ROUNDING,         ///< m        shape, a box or cylinder: radius of its edges; its faces stay where they are
    TAC_FIT_MASS,             ///< kg       body: mass; the moments of inertia grow in proportion
    TAC_FIT_INERTIA,          ///< 1        body: factor of the moments of inertia at the same mass
    TAC_FIT_CENTRE_X,         ///< m        body: centre of mass, inertial.p, along x of the body's own frame
    TAC_FIT_CENTRE_Y,         ///< m        along y
    TAC_FIT_CENTRE_Z,         ///< m        along z
    TAC_FIT_JOINT_FRICTION,   ///< effort   joint: fields of tac_joint
    TAC_FIT_JOINT_DAMPING,    ///< effort s/q
    TAC_FIT_JOINT_STIFFNESS,  ///< effort/q
    TAC_FIT_JOINT_REST,       ///< q
    TAC_FIT_JOINT_ARMATURE,   ///< kg m2, kg
    TAC_FIT_JOINT_EFFORT,     ///< effort
    TAC_FIT_MOTOR,            ///< 1        joint: factor of stiffness, damping and effort that its motor is commanded
    TAC_FIT_GRAVITY,          ///< 1        index 0: factor of gravity, where lengths or a slope are not quite known
    TAC_FIT_KINDS
};

/// A parameter by which the step is differentiated.
typedef struct tac_parameter {
    uint16_t index; ///< of the material, pair, shape, body or joint; else 0
    uint8_t kind;   ///< TAC_FIT_FRICTION ...
} tac_parameter;

TAC_TYPES_END

#endif

#endif
