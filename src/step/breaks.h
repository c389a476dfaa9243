// SPDX-License-Identifier: MIT
// breaks.h - joints whose reaction in a step was too large are out of force in the next one.
//   given   a step that has been taken, its impulses, the state at its end
//   makes   reactions of all joints, if one might break; switches of those that do, their number in the report
//   bound   as tac_reactions()
//   never   changes a motion: an impulse that breaks a joint has acted
#ifndef STEP_BREAKS_H
#define STEP_BREAKS_H

#include "../dual/reactions.h"
#include "results.h"

// May a joint break that is in force?
static inline int breaks_may(const tac_model *m, const tac_state *s, uint32_t i)
{
    const tac_joint *j = &JOINT_OF(m)[i];
    return SWITCH_MAY(j) && !switch_out(s, i) && (SWITCH_FORCE(j) < REAL_LARGEST || SWITCH_TORQUE(j) < REAL_LARGEST);
}

// Reactions of joints of a step that has been taken, if they are not known. Returns 0 if they are not finite.
static int breaks_know(const tac_model *m, tac_work *w)
{
    if (w->progress.reactions) { return 1; }
    reactions_make(w);
    (void)results_joints(m, w);
    return results_reactions(m, w);
}

// A reaction that is not a number breaks its joint too.
static void breaks(const tac_model *m, tac_state *s, tac_work *w)
{
    int may = 0;
    for (uint32_t i = 0; TAC_SWITCHES && i < JOINT_COUNT(m); i++) { may |= breaks_may(m, s, i); }
    if (!TAC_SWITCHES || !may) { return; }
    const int known = breaks_know(m, w);
    for (uint32_t i = 0; i < JOINT_COUNT(m); i++) {
        const tac_joint *j = &JOINT_OF(m)[i];
        const tac_joint_result *r = &JOINT_RESULT(w)[i];
        if (!breaks_may(m, s, i)) { continue; }
        if (v3_norm(r->force) <= SWITCH_FORCE(j) && v3_norm(r->torque) <= SWITCH_TORQUE(j)) { continue; }
        SWITCH_OF(s)[i].is = TAC_JOINT_BROKEN;
        reals_clear(&SWITCH_OF(s)[i].frame, sizeof SWITCH_OF(s)[i].frame);
        reals_clear(&JOINT_WARM(s)[i], sizeof(tac_joint_warm));
        SWITCH_BROKE(&w->report);
    }
    if (!known) { (void)results_joints(m, w); } // without reactions, all of which are finite
}

#endif
