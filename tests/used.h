// SPDX-License-Identifier: MIT
// used.h - a definition without what its kind does not use, which the kernel refuses: for tests that fill in all
// fields.
//   given   a joint
//   makes   the same, its other fields as tac_joint_init() has them
//   bound   constant
//   never   changes what the kind uses
#ifndef USED_H
#define USED_H

#include "tactus/tactus.h"

static inline int uses_coordinate(uint8_t kind)
{
    return kind == TAC_REVOLUTE || kind == TAC_PRISMATIC || kind == TAC_SCREW || kind == TAC_DISTANCE ||
           kind == TAC_COUPLING || (kind >= TAC_TRANSLATION && kind <= TAC_TURN);
}

static inline int uses_length(uint8_t kind)
{
    return kind == TAC_SCREW || kind == TAC_REVOLUTE_SPHERICAL || kind == TAC_COUPLING;
}

static inline tac_joint used(const tac_joint *j)
{
    tac_joint x, plain;
    tac_joint_init(&plain, j->kind, j->body_a, j->body_b);
    x = uses_coordinate(j->kind) ? *j : plain;
    x.frame_a = j->frame_a, x.frame_b = j->frame_b;
    x.length = uses_length(j->kind) ? j->length : plain.length;
    x.along = plain.along, x.about = plain.about;
    x.along_damping = plain.along_damping, x.about_damping = plain.about_damping;
    x.collide = j->collide;
    if (j->kind == TAC_COUPLING) { x.frame_a = plain.frame_a, x.frame_b = plain.frame_b, x.collide = 0; }
    if (j->kind != TAC_BUSHING) { return x; }
    x.along = j->along, x.about = j->about;
    x.along_damping = j->along_damping, x.about_damping = j->about_damping;
    return x;
}

#endif
