// SPDX-License-Identifier: MIT
// reactions.h - the impulses that joints of trees transmit in a step: not needed by the solve, computed afterwards on
// request.
//   given   changes of velocity and contact impulses of a step that is solved; its trees and joints where it began
//   makes   arc[] of joints: their impulses beyond those of the iterate, so that the sum of both is what they transmit
//   bound   three visits to each body of a tree and one to each contact; where redundant constraints share them a
//   factor
//           and two solutions for each of these, REACTIONS_MOST at most
//   never   changes a velocity or an impulse of the solve
#ifndef DUAL_REACTIONS_H
#define DUAL_REACTIONS_H

#include "trees.h"

// M (free - delta_v) of a body, without free rotation: the impulses on it without contacts and joints less the change
// of its momentum, about the point of its tree.
static void reactions_surplus(const tac_work *w, const tac_tree_body *b, uint16_t i, real *x)
{
    const tac_twist more = trees_surplus(w, i, &w->delta_v[i]);
    const vec3 turned = v3_sub(JOINT_TURNED_FREE(w)[i], JOINT_TURNED(w)[i]);
    tree_body_force(b, more.v, v3_sub(more.w, turned), x);
}

// Newton's law for the subtree that hangs on each joint: the joint transmits the opposite of the subtree's surplus,
// contacts included. Left in f.                                               F08 (5.20), with impulses in place of
// forces
static void reactions_transmit(tac_work *w)
{
    tac_trees *r = trees_of(w);
    tac_sixes *step = &SOLUTION(w)->step;
    for (uint16_t at = 0; at < r->tree_bodies; at++) {
        reactions_surplus(w, &r->tree_body[r->order[at]], r->order[at], step->x[r->order[at]]);
    }
    for (const tac_block *k = w->scratch.solve.block, *end = k + w->program.contacts; k < end; k++) {
        trees_add_contact(w, k);
    }
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
static void reactions_of_joint(tac_work *w, const tac_tree_body *b)
{
    tac_joint_block *k = &JOINT_LINK(w)[b->joint];
    const real *g = &w->scratch.solve.g[k->first];
    const unsigned constraints = k->constraints & ~((unsigned)k->coordinate << JOINT_LAST);
    real impulse[TAC_JOINT_ROWS];
    articulated_impulses(w, b, impulse);
    for (int row = 0; row < TAC_JOINT_ROWS; row++) {
        k->arc[row] = constraints >> row & 1 ? impulse[row] - g[row] : R(0.0);
    }
    if (k->constraints > constraints) { reactions_hold(w, k, impulse[JOINT_LAST]); }
}

// -------------------------------------------------------------------------------------------------------- least norm
// Loops with redundant constraints have many impulses l with the same J'l. Those of the solve leave out the constraints
// that others hold already; of all of them
//      minimise l'C l,     l = l0 + N t,     C = diag(J M^-1 J'),
// where a column of N is one of these rows and the impulses of all others that cancel it. With K the matrix of bodies
// and joints, which is symmetric, N t is one solution for forces and N'y one for rates: conjugate gradients need two
// each time.
#define REACTIONS_MOST 32                                          // iterations
#define REACTIONS_LEAST (TAC_REAL_BITS == 32 ? R(1e-6) : R(1e-13)) // part of the gradient that ends them

// N'C l into `to`, one number for each row that closes trees; l is JOINT_CHANGE.
static void reactions_gradient(tac_work *w, real *to)
{
    const tac_trees *r = trees_of(w);
    tac_sixes *step = &SOLUTION(w)->step;
    reals_clear(step->twist, (w->program.bodies + PROGRAM_JOINTS(w)) * sizeof *step->twist);
    for (uint32_t i = 0; i < PROGRAM_JOINTS(w); i++) {
        const tac_joint_block *k = &JOINT_LINK(w)[i];
        for (int row = 0; row < TAC_JOINT_ROWS; row++) {
            if (joint_holds(k, row)) { step->x[joint_node(w, i)][row] = k->w[row] * JOINT_CHANGE(w)[i][row]; }
        }
    }
    for (uint16_t i = 0; i < r->closers; i++) {
        const uint16_t of = r->closer[i];
        if (trees_follows(w, i)) { step->x[joint_node(w, of / TAC_JOINT_ROWS)][of % TAC_JOINT_ROWS] = R(0.0); }
    }
    trees_solve_closed(w);
    for (uint16_t i = 0; i < r->closers; i++) {
        const tac_joint_block *k = &JOINT_LINK(w)[r->closer[i] / TAC_JOINT_ROWS];
        const int row = r->closer[i] % TAC_JOINT_ROWS;
        const real l = JOINT_CHANGE(w)[r->closer[i] / TAC_JOINT_ROWS][row];
        to[i] = trees_follows(w, i) ? k->w[row] * l + joint_rate(k, step->twist, row) : R(0.0);
    }
}

// N t into JOINT_CHANGE.
static void reactions_combine(tac_work *w, const real *t)
{
    const tac_trees *r = trees_of(w);
    tac_sixes *step = &SOLUTION(w)->step;
    reals_clear(step->twist, (w->program.bodies + PROGRAM_JOINTS(w)) * sizeof *step->twist);
    for (uint16_t i = 0; i < r->closers; i++) {
        const uint16_t of = r->closer[i];
        if (trees_follows(w, i)) {
            joint_take(&JOINT_LINK(w)[of / TAC_JOINT_ROWS], of % TAC_JOINT_ROWS, -t[i], w->moving, step->twist);
        }
    }
    trees_solve_closed(w);
    for (uint32_t i = 0; i < PROGRAM_JOINTS(w); i++) {
        const tac_joint_block *k = &JOINT_LINK(w)[i];
        for (int row = 0; row < TAC_JOINT_ROWS; row++) {
            JOINT_CHANGE(w)[i][row] = joint_holds(k, row) ? step->x[joint_node(w, i)][row] : R(0.0);
        }
    }
    for (uint16_t i = 0; i < r->closers; i++) {
        const uint16_t of = r->closer[i];
        if (trees_follows(w, i)) { JOINT_CHANGE(w)[of / TAC_JOINT_ROWS][of % TAC_JOINT_ROWS] = t[i]; }
    }
}

static real reactions_dot(const tac_trees *r, const real *a, const real *b)
{
    real sum = R(0.0);
    for (uint16_t i = 0; i < r->closers; i++) { sum += a[i] * b[i]; }
    return sum;
}

// Rows of all joints, l = JOINT_CHANGE: l = g, or g += part l.
static void reactions_take(tac_work *w)
{
    for (uint32_t i = 0; i < PROGRAM_JOINTS(w); i++) {
        reals_copy(JOINT_CHANGE(w)[i], &w->scratch.solve.g[JOINT_LINK(w)[i].first], sizeof JOINT_CHANGE(w)[i]);
    }
}

static void reactions_add(tac_work *w, real part)
{
    for (uint32_t i = 0; i < PROGRAM_JOINTS(w); i++) {
        const tac_joint_block *k = &JOINT_LINK(w)[i];
        for (int row = 0; row < TAC_JOINT_ROWS; row++) {
            w->scratch.solve.g[k->first + (uint32_t)row] += part * JOINT_CHANGE(w)[i][row];
        }
    }
}

static void reactions_least(tac_work *w)
{
    tac_trees *r = trees_of(w);
    real *rest = r->free, *way = r->last, *bent = r->velocity;
    if (!r->closed || !r->redundant) { return; }
    articulated_factor(w, NULL);
    (void)columns_number(w, 0);
    trees_close_only(w);
    reactions_take(w);
    reactions_gradient(w, rest);
    reals_copy(way, rest, r->closers * sizeof *way);
    real size = reactions_dot(r, rest, rest);
    const real enough = REACTIONS_LEAST * REACTIONS_LEAST * size;
    for (int i = 0; i < REACTIONS_MOST && size > enough; i++) {
        reactions_combine(w, way);
        reactions_gradient(w, bent);
        const real curve = reactions_dot(r, way, bent), last = size, part = curve > R(0.0) ? size / curve : R(0.0);
        reactions_add(w, -part);
        for (uint16_t c = 0; c < r->closers; c++) { rest[c] -= part * bent[c]; }
        size = reactions_dot(r, rest, rest);
        for (uint16_t c = 0; c < r->closers; c++) { way[c] = rest[c] + size / last * way[c]; }
    }
}

static void reactions_make(tac_work *w)
{
    if (PROGRAM_JOINTS(w) == 0) { return; }
    const tac_trees *r = trees_of(w);
    if (!articulated_wholly(w)) {
        reactions_least(w);
        return;
    }
    reactions_transmit(w);
    for (uint16_t at = 0; at < r->tree_bodies; at++) {
        const uint16_t self = r->order[at];
        if (r->tree_body[self].joint != TAC_NONE) { reactions_of_joint(w, r->tree_body + self); }
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
    if (held && articulated_wholly(w)) { reactions_make(w); }
}

// The same, divided: impulses that the cone program demands of constraints go into the iterate, the rest stays in
// arc[].
static void reactions_divide(tac_work *w)
{
    if (!articulated_wholly(w)) { return; }
    articulated_factor(w, NULL);
    trees_prepare(w);
    trees_solve(w, 1);
    trees_constraints(w);
    reactions_make(w);
}

#endif
