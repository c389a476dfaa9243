// SPDX-License-Identifier: MIT
// instant.h - the instantaneous model of T03 at a state: accelerations and forces, tac_instant (TAC_MAX_LCP).
#ifndef TACTUS_INSTANT_H
#define TACTUS_INSTANT_H

#include "tactus/types.h"

#if TAC_MAX_LCP > 0

TAC_TYPES_BEGIN

/// What a contact that touches is about to do.
enum {
    TAC_CONTACT_ROLLS,  ///< it keeps touching and does not slide
    TAC_CONTACT_SLIDES, ///< it keeps touching and slides, or begins to; always without friction
    TAC_CONTACT_OPENS,  ///< it opens: its gap grows, or begins to; no force
    TAC_CONTACT_STRIKES ///< its surfaces approach, and no finite force stops them: left out, without a force
};

/// Acceleration of a body.
typedef struct tac_acceleration {
    tac_vec3 linear;  ///< m/s2    of the centre of mass, world
    tac_vec3 angular; ///< rad/s2  of tac_twist.w, principal frame
} tac_acceleration;

/// A contact at an instant.
typedef struct tac_instant_contact {
    tac_vec3 force; ///< N     on b, in (n,u,w)
    tac_vec3
        acceleration; ///< m/s2  n: second derivative of the gap; u, w: rate of the velocity of b relative to a at the
                      ///<       point of contact, which moves over both surfaces
    uint8_t mode;     ///<       TAC_CONTACT_*
} tac_instant_contact;

/// A joint at an instant.
typedef struct tac_instant_joint {
    tac_joint_result reaction; ///<          at this instant
    tac_real acceleration;     ///< q/s2     of its coordinate; 0 where its kind has none
} tac_instant_joint;

/// The instantaneous model at a state.
typedef struct tac_instant {
    tac_acceleration body[TAC_MAX_BODIES + 1];     ///< 0 of bodies that are not dynamic
    tac_instant_contact contact[TAC_MAX_CONTACTS]; ///< those that touch, as in work->contact[]
#if TAC_MAX_JOINTS > 0
    tac_instant_joint joint[TAC_MAX_JOINTS];
#endif
    uint16_t contacts;  ///< that touch
    uint16_t impacts;   ///< contacts and limits that are struck, and prescribed motions that are not at their velocity:
                        ///< they need an impulse, which is not in the model
    uint16_t paradoxes; ///< contacts that slide and whose own normal force would accelerate them towards each other
                        ///< (Painleve): there may be no solution, or others than this one
} tac_instant;

TAC_TYPES_END

#endif

#endif
