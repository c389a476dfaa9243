// SPDX-License-Identifier: MIT
// step_problem.h - the contact problem that a step has solved, as a problem of its own: u = W g + p, g_i in its cone.
#ifndef HOST_STEP_PROBLEM_H
#define HOST_STEP_PROBLEM_H

#include "tactus/tactus.h"

/// Make the problem of the step that `work` has the results of, taken by tac_step() or its parts. Block i is contact i
/// of work->contact, in its frame (n, u, w); joints and efforts without bounds are in W and p. Returns NULL, or why it
/// cannot be said by cones of three rows; then *which is the contact or the joint that the words are about, as the
/// table below says, and the problem is not valid.
const char *step_problem_make(const tac_model *model, const tac_work *work, tac_problem *problem, uint32_t *which);

#endif
