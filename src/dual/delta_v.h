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

// delta_v follows a change of the impulses of all contacts: from `before`, from none if it is NULL, to `g`.
static void delta_v_move(const tac_work *w, const real *before, const real *g, tac_twist *delta_v)
{
    for (const tac_block *k = w->scratch.solve.block, *end = k + w->program.contacts; k < end; k++) {
        const uint32_t at = k->first;
        rows_apply(k, before != NULL ? v3_sub(v3_of(g + at), v3_of(before + at)) : v3_of(g + at), w->moving, delta_v);
        if (!has_torsion(k)) { continue; }
        const vec3 turn = v3_of(g + at + 3);
        torsion_turn(k, before != NULL ? v3_sub(turn, v3_of(before + at + 3)) : turn, w->moving, delta_v);
    }
}

// That of the impulses g of contacts alone.
static void delta_v_of(const tac_work *w, const real *g, tac_twist *delta_v)
{
    reals_copy(delta_v, w->scratch.solve.free, w->program.bodies * sizeof *delta_v);
    delta_v_move(w, NULL, g, delta_v);
}

static void delta_v_make(const tac_work *w, tac_twist *delta_v)
{
    delta_v_of(w, w->scratch.solve.g, delta_v);
    for (uint32_t i = 0; i < PROGRAM_JOINTS(w); i++) {
        const tac_joint_block *k = &JOINT_LINK(w)[i];
        real impulse[TAC_JOINT_ROWS];
        joint_impulses(w, k, impulse);
        joint_apply(k, impulse, w->moving, delta_v);
    }
}

#endif
