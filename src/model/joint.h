// SPDX-License-Identifier: MIT
// joint.h - joints of a model: defaults, bodies that are joined, hash; accessors that are empty with TAC_MAX_JOINTS 0.
//   given   TAC_MAX_JOINTS, definitions
//   makes   JOINT_*; properties of a definition for other parts
//   bound   one pass over the joints, and for mechanisms over the bodies
//   never   uses a pose
#ifndef MODEL_JOINT_H
#define MODEL_JOINT_H

#include "../base/bytes.h"
#include "../base/hash.h"
#include "joint_kinds.h"
#include "switches.h"

// With TAC_MAX_JOINTS 0 there are no tables: loops run over no elements, and compilers remove them.
#if TAC_MAX_JOINTS > 0
#define JOINT_COUNT(m) ((m)->joints)
#define PROGRAM_JOINTS(w) ((w)->program.joints)
#define JOINT_OF(m) ((m)->joint)
#define JOINT_FILL(m) ((void)((m)->joints = UINT32_MAX))
#define JOINT_ADD(m) ((m)->joints++)
#define JOINT_WARM(s) ((s)->joint)
#define JOINT_ACCOUNT(of) (&(of)->account)
#define JOINT_LINK(w) ((w)->link)
#define JOINT_RESULT(w) ((w)->joint)
#define JOINT_INSTANT(result) ((result)->joint)
#define JOINT_TREES(w) (&(w)->scratch.solve.of.trees)
#define JOINT_TREE(w) ((w)->scratch.solve.of.trees.tree_body)
#define JOINT_TOPOLOGY(w) (&(w)->topology)
#define JOINT_LINKED(w) (&(w)->linked)
#define JOINT_TURNED(w) ((w)->turned)
#define JOINT_TURNED_FREE(w) ((w)->turned_free)
#define JOINT_END(w) (SOLUTION(w)->end)
#define JOINT_NEXT(w) (SOLUTION(w)->next)
#define JOINT_CHANGE(w) (SOLUTION(w)->change)
#define JOINT_MECHANISM(g) ((g)->mechanism)
#define JOINT_MOTORS(input) ((input)->motors)
#define JOINT_MOTOR(input) ((input)->motor)
#else
#define JOINT_COUNT(m) ((void)(m), UINT32_C(0))
#define PROGRAM_JOINTS(w) ((void)(w), UINT32_C(0))
#define JOINT_FILL(m) ((void)(m))
#define JOINT_ADD(m) ((void)(m), 0)
#define JOINT_OF(m) ((void)(m), (tac_joint *)NULL)
#define JOINT_WARM(s) ((void)(s), (tac_joint_warm *)NULL)
#define JOINT_ACCOUNT(of) ((void)(of), (tac_account *)NULL)
#define JOINT_LINK(w) ((void)(w), (tac_joint_block *)NULL)
#define JOINT_RESULT(w) ((void)(w), (tac_joint_result *)NULL)
#define JOINT_INSTANT(result) ((void)(result), (tac_instant_joint *)NULL)
#define JOINT_TREES(w) ((void)(w), (tac_trees *)NULL)
#define JOINT_TREE(w) ((void)(w), (tac_tree_body *)NULL)
#define JOINT_TOPOLOGY(w) ((void)(w), (tac_topology *)NULL)
#define JOINT_LINKED(w) ((void)(w), (uint32_t *)NULL)
#define JOINT_TURNED(w) ((void)(w), (tac_vec3 *)NULL)
#define JOINT_TURNED_FREE(w) ((void)(w), (tac_vec3 *)NULL)
#define JOINT_END(w) ((void)(w), (tac_pose *)NULL)
#define JOINT_NEXT(w) ((void)(w), (tac_compensation *)NULL)
#define JOINT_CHANGE(w) ((void)(w), (tac_real(*)[TAC_JOINT_ROWS])NULL)
#define JOINT_MECHANISM(g) ((void)(g), (uint16_t *)NULL)
#define JOINT_MOTORS(input) ((void)(input), UINT32_C(0))
#define JOINT_MOTOR(input) ((void)(input), (const tac_motor *)NULL)
#endif

#if TAC_SOLUTION_SHARES
#define SOLUTION(w) (&(w)->scratch.solve.of.trees.room.use.solution)
#else
#define SOLUTION(w) (&(w)->scratch.solve.solution)
#endif

// The account of energy begins anew where a setter gives a body another motion.
static inline void joint_account_anew(const tac_model *m, tac_state *s)
{
    if (JOINT_COUNT(m) > 0) { reals_clear(JOINT_ACCOUNT(s), sizeof(tac_account)); }
}

// As tac_joint_init() has it.
static void joint_init(tac_joint *j, uint8_t kind, uint16_t body_a, uint16_t body_b)
{
    bytes_clear(j, sizeof *j);
    j->frame_a.q.w = j->frame_b.q.w = R(1.0);
    j->length = j->lower = R(1.0);
    j->upper = R(-1.0);
    j->effort = j->speed = REAL_LARGEST;
    SWITCH_LASTS(j);
    j->body_a = body_a;
    j->body_b = body_b;
    j->kind = kind;
}

// Part 0 of a coupling is its joint b, part 1 its joint a.
static uint16_t coupling_part(const tac_joint *j, int part)
{
    return part ? j->body_a : j->body_b;
}

// Factor of a joint's coordinate in that of the coupling.
static real coupling_factor(const tac_joint *j, int part)
{
    return part ? -j->length : R(1.0);
}

// Do the shapes of the two bodies of joint i not collide?
static int joint_keeps_apart(const tac_joint *j, const tac_state *s, uint32_t i)
{
    return !j->collide && j->kind != TAC_COUPLING && !switch_out(s, i);
}

// Are two bodies joined by such a joint?
static inline int joint_parts(const tac_model *m, const tac_state *s, uint16_t a, uint16_t b)
{
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
        const tac_joint *j = &JOINT_OF(m)[i];
        const int both = (j->body_a == a && j->body_b == b) || (j->body_a == b && j->body_b == a);
        if (both && joint_keeps_apart(j, s, i)) { return 1; }
    }
    return 0;
}

// The first body of the mechanism of body i, as far as it is known. Each body leads to an earlier one, or to itself.
static uint16_t joint_first(uint16_t *mechanism, uint16_t i)
{
    for (; mechanism[i] != i; i = mechanism[i]) { mechanism[i] = mechanism[mechanism[i]]; }
    return i;
}

// Mechanisms: dynamic bodies that joints connect, each known by the first of them.
static void joint_mechanisms(const tac_model *m, const tac_state *s, uint16_t *mechanism)
{
    if (JOINT_COUNT(m) == 0) { return; }
    for (uint16_t i = 0; i < m->bodies; i++) { mechanism[i] = i; }
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
        const tac_joint *j = &JOINT_OF(m)[i];
        const int moves = m->body[j->body_a].kind == TAC_DYNAMIC && m->body[j->body_b].kind == TAC_DYNAMIC;
        if (j->kind == TAC_COUPLING || !moves || switch_out(s, i)) { continue; }
        const uint16_t a = joint_first(mechanism, j->body_a), b = joint_first(mechanism, j->body_b);
        mechanism[a > b ? a : b] = a > b ? b : a;
    }
    for (uint16_t i = 0; i < m->bodies; i++) { mechanism[i] = mechanism[mechanism[i]]; }
}

// Are two bodies of one mechanism?
static inline int joint_together(const uint16_t *mechanism, uint16_t a, uint16_t b)
{
    return mechanism[a] == mechanism[b];
}

// Hash of the fields that the kind of a joint uses.
static uint64_t joint_hash(const tac_model *m, uint64_t hash)
{
    if (JOINT_COUNT(m) > 0) {
        hash = hash_number(hash, JOINT_COUNT(m) | (uint64_t)m->options.stabilise << 32 |
                                     (uint64_t)(TAC_JOINT_ITERATIONS - m->options.max_joint_iterations) << 40);
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

// Of the joints that may be switched, and of their strength.
static uint64_t joint_hash_switches(const tac_model *m, uint64_t hash)
{
    for (uint32_t i = 0; TAC_SWITCHES && i < JOINT_COUNT(m); i++) {
        const tac_joint *j = &JOINT_OF(m)[i];
        if (!SWITCH_MAY(j)) { continue; }
        const real strength[2] = {SWITCH_FORCE(j), SWITCH_TORQUE(j)};
        hash = hash_reals(hash_number(hash, i | (uint64_t)SWITCH_BEGINS(j) << 32), strength, sizeof strength);
    }
    return hash;
}

#endif
