// SPDX-License-Identifier: MIT
// joint_step.h - joints whose impulses follow from the others: right sides of their equations, impulses, delta_v.
//   given   link[], velocities v, the solution
//   makes   residuals of velocities and of joint constraints at v; their impulses; delta_v recomputed from all impulses
//   bound   constant a joint
//   never   knows a matrix
#ifndef DUAL_JOINT_STEP_H
#define DUAL_JOINT_STEP_H

#include "../rows/torsion.h"
#include "../rows/joint_rows.h"


// Right side of a body: the residual of its velocity equation, M (delta_v - v).
static void body_residual(const tac_work *w, uint16_t body, tac_sixes *step)
{
    const tac_moving *b = &w->moving[body];
    const tac_twist *v = &w->phase.velocity[body], *g = &w->delta_v[body];
    step->twist[body].v = v3_scale(b->mass, v3_sub(g->v, v->v));
    step->twist[body].w = v3_mul(b->inertia, v3_sub(g->w, v->w));
}


// delta_v += M^-1 J' l
static void joints_add_delta_v(const tac_work *w, tac_twist *delta_v)
{
    for (uint32_t i = 0; i < PROGRAM_JOINTS(w); i++) {
        const tac_joint_block *k = &JOINT_LINK(w)[i];
        real impulse[TAC_JOINT_ROWS];
        joint_impulses(w, k, impulse);
        joint_apply(k, impulse, w->moving, delta_v);
    }
}

// free + M^-1 (D g + J'l): the change of velocity that belongs to the impulses in force.
static void delta_v_make(const tac_work *w, tac_twist *delta_v)
{
    reals_copy(delta_v, w->scratch.solve.free, w->program.bodies * sizeof *delta_v);
    for (const tac_block *k = blocks_of(w), *end = k + w->program.contacts; k < end; k++) {
        const real *g = &w->scratch.solve.g[k->first];
        rows_apply(k, v3_of(g), w->moving, delta_v);
        if (has_torsion(k)) { torsion_turn(k, v3_of(g + 3), w->moving, delta_v); }
    }
    joints_add_delta_v(w, delta_v);
}

// Removes the rounding of earlier iterates from delta_v.
static void delta_v_recompute(tac_work *w)
{
    delta_v_make(w, w->delta_v);
}

#endif
