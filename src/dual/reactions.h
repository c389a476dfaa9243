// SPDX-License-Identifier: MIT
// reactions.h - the impulses that joints of trees transmit in a step: not needed by the solve, computed afterwards on
// request.
//   given   changes of velocity and contact impulses of a step that is solved; its trees and joints where it began
//   makes   arc[] of joints: their impulses beyond those of the iterate, so that the sum of both is what they transmit
//   bound   three visits to each body of a tree and one to each contact; one factor where redundant constraints share
//           them
//   never   changes a velocity or an impulse of the solve
#ifndef DUAL_REACTIONS_H
#define DUAL_REACTIONS_H

#include "trees.h"

// Do the joints of this step make trees?
static inline int reactions_by_trees(const tac_work *w)
{
    return articulated_wholly(w) || w->progress.factor.kind == TAC_FACTOR_TREES;
}

// M (free - delta_v) of a body, without free rotation: the impulses on it without contacts and joints less the change
// of its momentum, about the point of its tree.
static void reactions_surplus(const tac_work *w, const tac_tree_body *b, uint16_t i, real *x)
{
    const tac_moving *body = &w->moving[i];
    const tac_twist *v = &w->delta_v[i], *free = &w->scratch.solve.free[i];
    const vec3 turned = v3_sub(JOINT_TURNED_FREE(w)[i], JOINT_TURNED(w)[i]);
    const vec3 angular = v3_sub(v3_mul(body->inertia, v3_sub(free->w, v->w)), turned);
    tree_body_force(b, v3_scale(body->mass, v3_sub(free->v, v->v)), angular, x);
}

// Newton's law for the subtree that hangs on each joint: the joint transmits the opposite of the subtree's surplus,
// contacts included. Left in f.                                               F08 (5.20), with impulses in place of
// forces
static void reactions_transmit(tac_work *w)
{
    tac_reduced *r = reduced_of(w);
    tac_sixes *step = &w->scratch.solve.step;
    for (uint16_t at = 0; at < r->tree_bodies; at++) {
        reactions_surplus(w, &r->tree_body[r->order[at]], r->order[at], step->x[r->order[at]]);
    }
    for (const tac_block *k = blocks_of(w), *end = k + w->program.contacts; k < end; k++) { reduced_add_contact(w, k); }
    for (uint16_t at = r->tree_bodies; at-- > 0;) {
        const uint16_t self = r->order[at];
        tac_tree_body *b = r->tree_body + self;
        if (b->joint == TAC_NONE) { continue; }
        if (b->parent != TAC_NONE) { six_add(step->x[b->parent], R(1.0), step->x[self]); }
        six_copy(b->f.impulse, step->x[self]);
        six_scale(b->f.impulse, R(-1.0));
    }
}

// A limit or prescribed motion that holds a coordinate has the impulse that the efforts along it do not supply.
static void reactions_hold(const tac_work *w, tac_joint_block *k, real along)
{
    const real *g = &w->scratch.solve.g[k->first];
    real *held = &k->arc[joint_limit_holds(k) ? TAC_JOINT_ROWS + TAC_EFFORT_LIMIT : JOINT_LAST];
    along -= g[JOINT_LAST];
    for (int i = TAC_JOINT_ROWS; i < TAC_LINK_ROWS; i++) { along -= g[i] + k->arc[i]; }
    *held += along;
}

// From f to the constraints of the joint. Along its free motions f has the efforts on the coordinate, and a residual of
// the iterations, which is not a force of the joint: the certificate reports it (r_eom).
static void reactions_of_joint(tac_work *w, const tac_tree_body *b, uint16_t self)
{
    tac_joint_block *k = &JOINT_LINK(w)[b->joint];
    const real *g = &w->scratch.solve.g[k->first];
    const unsigned constraints = k->constraints & ~((unsigned)k->coordinate << JOINT_LAST);
    real impulse[TAC_JOINT_ROWS];
    articulated_impulses(w, b, self, impulse);
    for (int row = 0; row < TAC_JOINT_ROWS; row++) {
        k->arc[row] = constraints >> row & 1 ? impulse[row] - g[row] : R(0.0);
    }
    if (k->constraints > constraints) { reactions_hold(w, k, impulse[JOINT_LAST]); }
}

static void reactions_make(tac_work *w)
{
    if (TAC_MAX_JOINTS == 0) { return; }
    const tac_reduced *r = reduced_of(w);
    if (!reactions_by_trees(w)) { return; }
    reactions_transmit(w);
    for (uint16_t at = 0; at < r->tree_bodies; at++) {
        const uint16_t self = r->order[at];
        if (r->tree_body[self].joint != TAC_NONE) { reactions_of_joint(w, r->tree_body + self, self); }
    }
}

// A coordinate that a constraint holds shows its effort whether reactions are asked for or not.
static void reactions_of_held(tac_work *w)
{
    if (TAC_MAX_JOINTS == 0) { return; }
    int held = 0;
    for (uint32_t i = 0; i < PROGRAM_JOINTS(w); i++) {
        const tac_joint_block *k = &JOINT_LINK(w)[i];
        held |= k->coordinate & k->constraints >> JOINT_LAST;
    }
    if (held) { reactions_make(w); }
}

// The same, divided: impulses that the cone program demands of constraints go into the iterate, the rest stays in
// arc[].
static void reactions_divide(tac_work *w)
{
    if (TAC_MAX_JOINTS == 0) { return; }
    if (!reactions_by_trees(w)) { return; }
    if (joints_eliminated(&w->progress)) {
        articulated_factor(w, NULL);
        reduced_prepare(w);
        reduced_solve(w, 1);
        reduced_constraints(w);
    }
    reactions_make(w);
}

#endif
