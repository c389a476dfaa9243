// SPDX-License-Identifier: MIT
// topology.h - the trees that joints make of bodies: parents, order, which joints are in none.
//   given   a model
//   makes   tac_topology: bodies from roots to leaves, the joint and the parent of each
//   bound   joints times the length of a path, and for each free tree a pass over the joints for each level of it that is
//           out of order
//   never   closes a loop: a joint whose bodies earlier joints have connected is of no tree
#ifndef TREE_TOPOLOGY_H
#define TREE_TOPOLOGY_H

#include "../model/joint.h"

// Does a joint, whatever its kind, say where its body b is? A rod does not, nor what only measures or forbids a
// velocity; a coupling has no bodies of its own. One that may be switched never does, so that trees and coordinates stay
// what they are when it is.
static int topology_places(const tac_joint *j)
{
    return !joint_is_loose(j->kind) && JOINT_KIND[j->kind].along != ALONG_ROD && !SWITCH_MAY(j);
}

static int topology_moves(const tac_model *m, uint16_t body)
{
    return m->body[body].kind == TAC_DYNAMIC;
}

// What is known while trees are looked for.
typedef struct topology_search {
    uint16_t group[TAC_MAX_BODIES + 1]; // a body connected to this one, or itself; 0 leads to all that are not dynamic
    uint8_t ends[TAC_MAX_BODIES + 1];   // bits: it is a, or b, of a joint of a tree
    uint8_t joins[TAC_MAX_JOINTS + 1];  // 1: the joint is of a tree
    uint8_t placed[TAC_MAX_BODIES + 1]; // 1: not dynamic, or in order[]
} topology_search;

#define TOPOLOGY_A 1u
#define TOPOLOGY_B 2u

// The body that stands for all that are connected so far.
static uint16_t topology_group(const topology_search *x, uint16_t body)
{
    while (x->group[body] != body) { body = x->group[body]; }
    return body;
}

static void topology_separate(const tac_model *m, topology_search *x)
{
    for (uint16_t i = 0; i < m->bodies; i++) {
        x->placed[i] = !topology_moves(m, i);
        x->group[i] = x->placed[i] ? 0 : i;
        x->ends[i] = 0;
    }
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) { x->joins[i] = 0; }
}

// In the order of their index joints become part of a tree unless their bodies are connected already: those whose free
// motions do not depend on their position; or, in a second round, all others that place a body. Returns how many do.
static uint32_t topology_connect(const tac_model *m, int others, topology_search *x)
{
    uint32_t joined = 0;
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
        const tac_joint *j = &JOINT_OF(m)[i];
        if (!topology_places(j) || !(others || joint_eliminates(j->kind))) { continue; }
        const uint16_t a = topology_group(x, j->body_a), b = topology_group(x, j->body_b);
        if (a == b) { continue; }
        x->group[b != 0 ? b : a] = b != 0 ? a : 0;
        x->ends[j->body_a] |= TOPOLOGY_A;
        x->ends[j->body_b] |= TOPOLOGY_B;
        x->joins[i] = 1;
        joined++;
    }
    return joined;
}

static void topology_add(const tac_model *m, uint16_t body, uint16_t joint, uint16_t parent, tac_topology *t)
{
    const int hangs = parent != TAC_NONE && topology_moves(m, parent);
    t->body[body].joint = joint;
    t->body[body].parent = parent;
    t->body[body].carries = 0;
    t->body[body].is_b = joint != TAC_NONE && JOINT_OF(m)[joint].body_b == body;
    t->body[body].hangs = (uint8_t)hangs;
    if (hangs) { t->body[parent].carries = 1; }
    t->order[t->bodies++] = body;
}

// One pass over the joints: adds bodies whose parent is in the tree already. Returns how many.
static uint32_t topology_pass(const tac_model *m, topology_search *x, tac_topology *t)
{
    uint32_t found = 0;
    for (uint16_t i = 0; i < JOINT_COUNT(m); i++) {
        const uint16_t a = JOINT_OF(m)[i].body_a, b = JOINT_OF(m)[i].body_b;
        if (!x->joins[i] || x->placed[a] == x->placed[b]) { continue; }
        const uint16_t body = x->placed[b] ? a : b;
        topology_add(m, body, i, x->placed[b] ? b : a, t);
        x->placed[body] = 1;
        found++;
    }
    return found;
}

// The root of a tree that hangs on nothing: its body of lowest index that is b of none of its joints. Returns 0 if there
// is no such tree any more. `alone`: bodies that are on no joint of a tree.
static int topology_root(const tac_model *m, int alone, topology_search *x, tac_topology *t)
{
    for (uint16_t i = 1; i < m->bodies; i++) {
        if (x->placed[i] || x->ends[i] != (alone ? 0 : TOPOLOGY_A)) { continue; }
        topology_add(m, i, TAC_NONE, TAC_NONE, t);
        x->placed[i] = 1;
        return 1;
    }
    return 0;
}

// `others`: bodies hang on joints that are of no tree, too, where nothing else holds them.
static void topology_find(const tac_model *m, int others, tac_topology *t)
{
    topology_search x;
    t->model_hash = m->hash;
    t->bodies = 0;
    topology_separate(m, &x);
    const uint32_t joined = topology_connect(m, 0, &x);
    if (others) { (void)topology_connect(m, 1, &x); }
    t->closed = joined < JOINT_COUNT(m);
    do {
        while (topology_pass(m, &x, t) > 0) {}
    } while (topology_root(m, 0, &x, t));
    t->joined = t->bodies;
    while (topology_root(m, 1, &x, t)) {}
}

// The body that hangs on a joint, TAC_NONE if the joint is of no tree.
static uint16_t topology_hanging(const tac_model *m, const tac_topology *t, uint32_t joint)
{
    const tac_joint *j = &JOINT_OF(m)[joint];
    if (!joint_eliminates(j->kind)) { return TAC_NONE; }
    if (topology_moves(m, j->body_b) && t->body[j->body_b].joint == joint) { return j->body_b; }
    return topology_moves(m, j->body_a) && t->body[j->body_a].joint == joint ? j->body_a : TAC_NONE;
}

// The trees of a model. With joints, what has been found stays in the work area, since nothing but the model decides it;
// else it is found in `own`.
static const tac_topology *topology_of(const tac_model *m, tac_work *w, tac_topology *own)
{
    tac_topology *t = TAC_MAX_JOINTS > 0 ? JOINT_TOPOLOGY(w) : own;
    if (TAC_MAX_JOINTS == 0 || t->model_hash != m->hash) { topology_find(m, 0, t); }
    return t;
}

#endif
