// SPDX-License-Identifier: MIT
// joint_factor.h - the factor of bodies and joints that everything after the solve uses: trees, or a sparse matrix.
//   given   joints, poses, constraints in force; impulses of the solve
//   makes   progress.factor: bodies and joints, in a matrix also the contacts that bear a force; solutions of it
//   bound   an order and a factor a step, one factor more where limits have become constraints or contacts are to be in
//           it
//   never   uses the matrix of Newton's method, which contains the contacts of some iterate
#ifndef STEP_JOINT_FACTOR_H
#define STEP_JOINT_FACTOR_H

#include "../dual/trees.h"
#include "../factor/matrix.h"
#include "../solve/solve.h"

// Compliance of a contact that bears a force, relative to trace(W)/3: a loop that is nearly stretched is corrected
// along motions that such contacts allow, not by lifting a foot off the ground.
#define JOINT_FACTOR_HELD R(1e-3)

// The normal of each contact that bears a force, and its tangents where it sticks.
static void joint_factor_hold(tac_work *w)
{
    for (const tac_block *k = blocks_of(w), *end = k + w->program.contacts; k < end; k++) {
        const uint8_t mode = solve_mode(w, k);
        const real normal = R(1.0) / (JOINT_FACTOR_HELD * cone_weight(&k->w));
        const real tangent = mode == TAC_STICK ? normal : R(0.0);
        const sym3 g = {normal, R(0.0), R(0.0), tangent, R(0.0), tangent};
        if (mode != TAC_OPEN) { matrix_add(w, k, &g, matrix_of(w)); }
    }
}

static void joint_factor_assemble(tac_work *w)
{
    if (TAC_MAX_FILL == 0) { return; }
    tac_sparse *s = matrix_of(w);
    matrix_clear(s);
    if (w->progress.factor.holds) { joint_factor_hold(w); }
    joints_assemble(w, s);
    sparse_factor(s);
}

// The order of elimination with the blocks that contacts share or, if these have no room, without them. Returns 0 if
// there is no room for either.
static int joint_factor_order(tac_work *w)
{
    if (TAC_MAX_FILL == 0) { return 0; }
    w->progress.factor.room = (uint8_t)matrix_order(w);
    return w->progress.factor.room || matrix_order_separate(w);
}

// Trees, and the rows that close them. Returns 0 if these have no room.
static int joint_factor_trees(const tac_state *s, tac_work *w)
{
    reduced_mark_unbounded(w, 0);
    articulated_order(w);
    if (reduced_of(w)->closed) { joints_make_rows(w); }
    if (reduced_of(w)->closed && !reduced_number(w, 0)) { return 0; }
    articulated_factor(w, s->pose);
    reduced_prepare(w);
    return !reduced_of(w)->closed || reduced_close_only(w);
}

// The order of the matrix: for joints that close loops, couplings, rods and bushings. Returns 0 where there is no room.
static int joint_factor_matrix(tac_work *w)
{
    if (!joint_factor_order(w)) { return 0; }
    joints_make_rows(w);
    w->progress.loops = (uint8_t)articulated_groups(w, 1);
    return 1;
}

// The factor with the bodies at these poses and with the constraints in force.
static void joint_factor_at(tac_work *w, const tac_pose *pose)
{
    if (w->progress.factor.kind == TAC_FACTOR_MATRIX) {
        joint_factor_assemble(w);
    } else {
        articulated_frames(w, pose);
        articulated_factor(w, pose);
        if (w->progress.factor.kind == TAC_FACTOR_CLOSED) { reduced_close_again(w); }
    }
    w->progress.factor.stale = 0;
}

// The first time in a step. Trees on which contacts have been swept are reused, since the poses are the same. A matrix
// is assembled by joint_factor_make(), which decides whether contacts are in it.
static void joint_factor_begin(const tac_state *s, tac_work *w)
{
    tac_factor_state *f = &w->progress.factor;
    if (w->progress.trees || joint_factor_trees(s, w)) {
        f->kind = reduced_of(w)->closed ? TAC_FACTOR_CLOSED : TAC_FACTOR_TREES;
        return;
    }
    f->kind = joint_factor_matrix(w) ? TAC_FACTOR_MATRIX : TAC_FACTOR_NONE;
    f->stale = f->kind == TAC_FACTOR_MATRIX;
}

// The factor with the bodies where the step began. `holds`: with the contacts that bear a force, if it is a matrix that
// has room for them. Returns 0 where there is none.
static int joint_factor_make(const tac_state *s, tac_work *w, int holds)
{
    tac_factor_state *f = &w->progress.factor;
    if (f->kind == TAC_FACTOR_UNKNOWN) { joint_factor_begin(s, w); }
    if (f->kind == TAC_FACTOR_NONE) { return 0; }
    if (f->kind == TAC_FACTOR_MATRIX && f->holds != (holds && f->room)) {
        f->holds = holds && f->room;
        f->stale = 1;
    }
    if (f->stale) { joint_factor_at(w, s->pose); }
    return 1;
}

// The matrix of bodies and joints in addition to closed trees. Returns 0 if it has no room.
static int joint_factor_beside(tac_work *w)
{
    w->progress.factor.beside = (uint8_t)joint_factor_matrix(w);
    if (!w->progress.factor.beside) { return 0; }
    w->progress.factor.holds = 0;
    joint_factor_assemble(w);
    return 1;
}

// The matrix replaces closed trees in which some constraints are redundant, if contacts act on a loop, an overlap
// stretches it, or errors of the poses do not vanish. Trees leave out the constraints that are nearly redundant there;
// the matrix gives all of them a small compliance, and contains the contacts that bear a force. W of contacts is then
// that of free bodies, as in all parts that do not use trees.
static void joint_factor_exchange(tac_work *w)
{
    tac_factor_state *f = &w->progress.factor;
    if (f->kind != TAC_FACTOR_CLOSED || !reduced_of(w)->redundant) { return; }
    if (!f->beside && !joint_factor_matrix(w)) { return; }
    f->beside = 0;
    f->holds = 0;
    f->kind = TAC_FACTOR_MATRIX;
    f->stale = 1;
    solve_weigh(w);
}

// The step of bodies and joints for the right side in step.
static void joint_factor_solve(tac_work *w)
{
    if (w->progress.factor.kind == TAC_FACTOR_TREES) {
        articulated_solve(w, &w->scratch.solve.step);
    } else if (w->progress.factor.kind == TAC_FACTOR_CLOSED) {
        reduced_solve_closed(w);
    } else {
        matrix_solve(w);
    }
}

// The same where the joints' part of the right side is zero.
static void joint_factor_respond(tac_work *w)
{
    if (w->progress.factor.kind == TAC_FACTOR_TREES) {
        articulated_respond(w, &w->scratch.solve.step);
    } else if (w->progress.factor.kind == TAC_FACTOR_CLOSED) {
        reduced_respond_closed(w);
    } else {
        matrix_solve(w);
    }
}

#endif
