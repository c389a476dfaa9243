// SPDX-License-Identifier: MIT
// joint_factor.h - the factor of bodies and joints that everything after the solve uses: trees, and what closes them.
//   given   joints, poses, constraints in force; impulses of the solve
//   makes   solutions of bodies and joints
//   bound   a factor where limits have become constraints or bodies have moved
//   never   has contacts in it
#ifndef STEP_JOINT_FACTOR_H
#define STEP_JOINT_FACTOR_H

#include "../dual/paths.h"
#include "../solve/solve.h"

// With the bodies at these poses and with the constraints in force.
static void joint_factor_at(tac_work *w, const tac_pose *pose)
{
    articulated_frames(w, pose);
    articulated_factor(w, pose);
    if (trees_of(w)->closed) { trees_close_again(w); }
    w->progress.stale = 0;
}

// With the bodies where the step began.
static void joint_factor_make(const tac_state *s, tac_work *w)
{
    if (w->progress.stale) { joint_factor_at(w, s->pose); }
}

// No right side in step yet, of bodies and joints; returns that of bodies.
static tac_twist *joint_factor_clear(tac_work *w)
{
    tac_twist *step = SOLUTION(w)->step.twist;
    reals_clear(step, (w->program.bodies + PROGRAM_JOINTS(w)) * sizeof *step);
    return step;
}

// The step of bodies and joints for the right side in step.
static void joint_factor_solve(tac_work *w)
{
    if (trees_of(w)->closed) {
        trees_solve_closed(w);
    } else {
        articulated_solve(w, &SOLUTION(w)->step);
    }
}

// The same where the joints' part of the right side is zero.
static void joint_factor_respond(tac_work *w)
{
    if (trees_of(w)->closed) {
        trees_respond_closed(w);
    } else {
        articulated_respond(w, &SOLUTION(w)->step);
    }
}

#endif
