// SPDX-License-Identifier: MIT
// joint.h - joints of a model: the tables, which a configuration may lack; defaults; who is jointed; hash.
//   given   TAC_MAX_JOINTS, definitions
//   makes   JOINT_*; what other parts ask of a definition
//   bound   one pass over the joints
//   never   looks at a pose
#ifndef MODEL_JOINT_H
#define MODEL_JOINT_H

#include "mesh.h"

// Where there are no joints there are no tables of them: loops over none, which compilers leave out.
#if TAC_MAX_JOINTS > 0
#define JOINT_COUNT(m) ((m)->joints)
#define JOINT_OF(m) ((m)->joint)
#define JOINT_FILL(m) ((void)((m)->joints = UINT32_MAX))
#define JOINT_WARM(s) ((s)->joint)
#define JOINT_LINK(w) ((w)->link)
#define JOINT_RESULT(w) ((w)->joint)
#define JOINT_TURNED(w) ((w)->turned)
#define JOINT_END(w) ((w)->end)
#define JOINT_MOTORS(input) ((input)->motors)
#define JOINT_MOTOR(input) ((input)->motor)
#else
#define JOINT_COUNT(m) ((void)(m), UINT32_C(0))
#define JOINT_FILL(m) ((void)(m))
#define JOINT_OF(m) ((void)(m), (const tac_joint *)NULL)
#define JOINT_WARM(s) ((void)(s), (tac_joint_warm *)NULL)
#define JOINT_LINK(w) ((void)(w), (tac_joint_block *)NULL)
#define JOINT_RESULT(w) ((void)(w), (tac_joint_result *)NULL)
#define JOINT_TURNED(w) ((void)(w), (tac_vec3 *)NULL)
#define JOINT_END(w) ((void)(w), (tac_pose *)NULL)
#define JOINT_MOTORS(input) ((void)(input), UINT32_C(0))
#define JOINT_MOTOR(input) ((void)(input), (const tac_motor *)NULL)
#endif

// Predicates of a kind. Nothing else follows from where a kind stands in the enumeration.

// Has it a coordinate of its own, not one of other joints?
static int joint_has_place(uint8_t kind)
{
    return kind == TAC_REVOLUTE || kind == TAC_PRISMATIC || kind == TAC_SCREW || kind == TAC_DISTANCE;
}

static int joint_has_coordinate(uint8_t kind)
{
    return joint_has_place(kind) || kind == TAC_COUPLING;
}

// Are two bodies joined, so that their shapes do not meet?
static int joint_parts(const tac_model *m, uint16_t a, uint16_t b)
{
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
        const tac_joint *j = &JOINT_OF(m)[i];
        if (j->kind == TAC_COUPLING) { continue; }
        if (!j->collide && ((j->body_a == a && j->body_b == b) || (j->body_a == b && j->body_b == a))) { return 1; }
    }
    return 0;
}

// Of what the kind of a joint has.
static uint64_t joint_hash(const tac_model *m, uint64_t hash)
{
    if (JOINT_COUNT(m) > 0) {
        hash = hash_number(hash, JOINT_COUNT(m) | (uint64_t)m->options.stabilise << 32 |
                                     (uint64_t)(TAC_JOINT_TURNS - m->options.max_joint_turns) << 40);
    }
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
        const tac_joint *j = &JOINT_OF(m)[i];
        if (j->kind == TAC_BUSHING) {
            hash = hash_reals(hash, j, offsetof(tac_joint, length));
            hash = hash_reals(hash, &j->along, offsetof(tac_joint, body_a) - offsetof(tac_joint, along));
        } else {
            hash = hash_reals(hash, j, offsetof(tac_joint, along));
        }
        hash = hash_number(hash, j->body_a | (uint64_t)j->body_b << 16 | (uint64_t)j->kind << 32 |
                                     (uint64_t)j->collide << 40);
    }
    return hash;
}

#endif
