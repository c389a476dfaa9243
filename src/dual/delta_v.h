// SPDX-License-Identifier: MIT
// delta_v.h - the change of velocity of all bodies that belongs to the impulses in force, from all of them anew.
//   given   impulses of contacts and joints, the change of velocity without them
//   makes   free + M^-1 (D g + J'l)
//   bound   one visit to each contact and joint
//   never   carries the rounding of earlier iterates on
#ifndef DUAL_DELTA_V_H
#define DUAL_DELTA_V_H

#include "../rows/torsion.h"
#include "../rows/joint_rows.h"

static void delta_v_make(const tac_work *w, tac_twist *delta_v)
{
    reals_copy(delta_v, w->scratch.solve.free, w->program.bodies * sizeof *delta_v);
    for (const tac_block *k = w->scratch.solve.block, *end = k + w->program.contacts; k < end; k++) {
        const real *g = &w->scratch.solve.g[k->first];
        rows_apply(k, v3_of(g), w->moving, delta_v);
        if (has_torsion(k)) { torsion_turn(k, v3_of(g + 3), w->moving, delta_v); }
    }
    for (uint32_t i = 0; i < PROGRAM_JOINTS(w); i++) {
        const tac_joint_block *k = &JOINT_LINK(w)[i];
        real impulse[TAC_JOINT_ROWS];
        joint_impulses(w, k, impulse);
        joint_apply(k, impulse, w->moving, delta_v);
    }
}

#endif
