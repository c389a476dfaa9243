// SPDX-License-Identifier: MIT
// joint_factor.h - the factor of bodies and joints that everything after the solve uses: trees, or a sparse matrix.
//   given   joints, poses, constraints in force
//   makes   progress.factor: the operator A without contacts, factored once a step; solutions of it
//   bound   an order and a factor a step, one factor more where limits have become constraints
//   never   uses the matrix of Newton's method, which has the contacts of some iterate in it
#ifndef STEP_JOINT_FACTOR_H
#define STEP_JOINT_FACTOR_H

#include "../dual/trees.h"
#include "../factor/matrix.h"

#if TAC_MAX_JOINTS > 0

// Trees. Returns 0 where joints are none.
static int joint_factor_trees(const tac_state *s, tac_work *w)
{
    reduced_insides(w);
    if (!articulated_order(w)) { return 0; }
    articulated_factor(w, s->pose);
    return 1;
}

// Joints that close loops, couplings, rods and bushings. Returns 0 where there is no room.
static int joint_factor_matrix(tac_work *w)
{
    if (!matrix_order_separate(w)) { return 0; }
    w->progress.loops = (uint8_t)joints_close_loops(w);
    matrix_factor_joints(w);
    return 1;
}

// The factor with the bodies at these poses and with the constraints in force.
static void joint_factor_at(tac_work *w, const tac_pose *pose)
{
    if (w->progress.factor.kind == TAC_FACTOR_TREES) {
        articulated_factor(w, pose);
    } else {
        matrix_factor_joints(w);
    }
    w->progress.factor.stale = 0;
}

// The first time that it is asked for. Trees on which contacts have been swept are these, in the same poses.
static void joint_factor_begin(const tac_state *s, tac_work *w)
{
    tac_factor_state *f = &w->progress.factor;
    if (w->progress.trees) {
        f->kind = TAC_FACTOR_TREES;
        return;
    }
    f->kind = joint_factor_trees(s, w) ? TAC_FACTOR_TREES
              : joint_factor_matrix(w) ? TAC_FACTOR_MATRIX
                                       : TAC_FACTOR_NONE;
    f->stale = 0;
}

// The factor with the bodies where the step began. Returns 0 where there is none.
static int joint_factor_make(const tac_state *s, tac_work *w)
{
    const tac_factor_state *f = &w->progress.factor;
    if (f->kind == TAC_FACTOR_UNKNOWN) { joint_factor_begin(s, w); }
    if (f->kind == TAC_FACTOR_NONE) { return 0; }
    if (f->stale) { joint_factor_at(w, s->pose); }
    return 1;
}

// The step of bodies and joints for the right side in step[].
static void joint_factor_solve(tac_work *w)
{
    if (w->progress.factor.kind == TAC_FACTOR_TREES) {
        articulated_solve(w, w->scratch.solve.step);
    } else {
        matrix_solve(w);
    }
}

#endif

#endif
