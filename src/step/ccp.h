// SPDX-License-Identifier: MIT
// ccp.h - one step of NST17: half-implicit symplectic Euler with a cone complementarity problem for the impulses.
//   given   model, state, input
//   makes   the next state, the contacts, the report
//   bound   bodies + shapes log(shapes) + pairs whose bounding boxes overlap + contacts * max_sweeps
//   never   touches the state before the result is known to be finite
#ifndef STEP_CCP_H
#define STEP_CCP_H

#include "correct_joints.h"
#include "begin.h"
#include "../solve/share.h"
#include "results.h"
#include "breaks.h"
#include "commit.h"

#define CCP_STRAYS R(4.0)                    // velocities that violate joints by so many times their arcs, and more
#define CCP_BLURRED (R(64.0) * REAL_EPSILON) // of the speeds of the bodies, are none that follow arcs

// Do velocities at the start violate a joint by more than its arc explains, in loops? Arcs of velocities that no joint
// allows lead nowhere: the joints of a loop then ask for motions that contradict each other.
static int ccp_strays(const tac_state *s, tac_work *w)
{
    real astray = R(0.0), speed = R(0.0);
    joints_make_rows(w);
    for (uint32_t i = 0; i < PROGRAM_JOINTS(w); i++) {
        const tac_joint_block *k = &JOINT_LINK(w)[i];
        real violated = R(0.0), arc = R(0.0);
        for (int row = 0; row < TAC_JOINT_ROWS; row++) {
            if (!joint_holds(k, row) || (row == JOINT_LAST && k->driven)) { continue; }
            const real rate = joint_rate(k, s->twist, row);
            violated = real_max(violated, real_abs(rate));
            arc = real_max(arc, real_abs(k->bias[row] - rate));
        }
        astray = real_max(astray, violated - CCP_STRAYS * arc);
        speed = real_max(speed, k->speed);
    }
    const int strays = astray > CCP_BLURRED * speed;
    if (strays) { w->progress.rows = 0; } // they will be others
    return strays;
}

// Contacts see the velocities at the end of the step. Where joints leave the bodies of a contact less than three
// motions, some force on it passes through the joints and does no work. If friction may bear it, it may be of any size
// and holds the bodies whatever acts on them: a velocity that arcs require of them, however small, is one that no
// impulses make, and the cone program has no solution. Where all constraints are those of J v = 0, rest satisfies them
// and the contacts too. Trees move along the arcs in any case (tree_motion.h).
// Where velocities stray from the arcs, those at the end are asked to violate no constraint: what all joints of a loop
// can satisfy. Returns the rule that they follow.
static int ccp_make_joints(const tac_model *m, const tac_state *s, const tac_input *input, tac_work *w)
{
    const int straight = !m->options.stabilise && joints_wedge(m, w);
    const int rule = m->options.stabilise ? JOINT_STABILISE : straight ? JOINT_STRAIGHT : JOINT_ARC;
    joints_make(m, s, input, rule, w);
    if (TAC_MAX_JOINTS == 0 || rule != JOINT_ARC || !joints_close(w) || !ccp_strays(s, w)) { return rule; }
    joints_make(m, s, input, JOINT_STRAIGHT, w);
    return JOINT_STRAIGHT;
}

// D, N, b;  the impulses of the last step                                                                   NST17 (10)
// Trees of joints are eliminated where there is room for their operator; they invert blocks of another W, when their
// sweeps begin. Other joints are rows, and no impulses are in force.
static void ccp_rows(const tac_model *m, const tac_state *s, const tac_input *input, tac_work *w)
{
    tac_block *k = w->scratch.solve.block, *end = k + w->report.contacts;
    int bounces = 0, curved = 0;
    for (tac_contact *c = w->contact; k < end; c++, k++) {
        rows_make(m, s, w, c, k);
        k->soft = rows_soft(m, c);
        rows_aim(m, s, c, c->gap, k);
        k->bias.x += k->target;
        if (has_torsion(k)) { torsion_make(s, w, c, k); }
        bounces |= c->restitution > R(0.0);
        const int round = shape_is_curved(&m->shape[c->id.shape_a]) || shape_is_curved(&m->shape[c->id.shape_b]);
        curved |= round && !rolls_feet(m, s, c);
    }
    const int rule = ccp_make_joints(m, s, input, w);
    if (bounces) { impact(m, s, w); }
    if (curved && w->report.impacts == 0 && (JOINT_COUNT(m) == 0 || rule == JOINT_ARC)) { rolls(m, s, input, w); }
    reals_copy(w->scratch.solve.free, w->delta_v, m->bodies * sizeof *w->delta_v);
    if (m->options.warm_start) { warm_start(m, s, w); }
    if (PROGRAM_JOINTS(w) > 0) {
        path_operator(w, s->pose, plan_forms(w));
    } else {
        iterate_clear(w, w->scratch.solve.g);
        phase_take_blocks(w, TAC_BLOCKS_SWEEP);
        for (k = w->scratch.solve.block; k < end; k++) {
            k->w.xx += k->soft;
            rows_sweep(k);
        }
    }
    solve_begin(w);
    plan_begin(w);
    solve_from_best(w); // those of the last step
}

// v~ = v + M^-1 h f;  A(q, delta_K);  the problem                                                           NST17 (9)
static void ccp_begin(const tac_model *m, const tac_state *s, const tac_input *input, int method, tac_work *w)
{
    begin(m, s, input, method, w);
    ccp_rows(m, s, input, w);
}

// minimise 1/2 g'N g + p'g over the cones                                                                   NST17 (11)
// At most `sweeps` more sweeps; stops early when converged.
static void ccp_sweep(tac_work *w, uint32_t sweeps)
{
    for (uint32_t i = 0; i < sweeps && !w->progress.converged && w->progress.sweeps < w->program.max_sweeps; i++) {
        solve_sweep(w);
    }
}

// Everything but the commit. Returns 0, with the fault in the report, if the next state would not be finite or leave
// its ranges.
static inline int ccp_finish(const tac_model *m, const tac_state *s, tac_work *w)
{
    solve_finish(w);
    const int settled = settle(m, s, w);
    if (TAC_SHARED_LOADS && !settled && (w->progress.sweeps > 0 || s->warm_count != w->report.contacts)) { share(w); }
    const real residual = solve_judge(w, settled);
    if (JOINT_COUNT(m) == 0) { move_mark(m, w); }
    project_predict(m, w);
    move_contacts(m, s, w);
    correct_joint_velocities(m, s, w);
    reactions_of_held(w);
    if (w->report.impacts > 0) { impact_delay(m, w); }
    project(m, s, w);
    correct_joints(m, s, w);
    const int finite = results(m, w, residual);
    return commit_good(m, s, w, finite);
}

// v+ = v~ + M^-1 D g,  q+ = q exp(h v+)                                                     NST17 (9), (5a), TCE17 (54)
// Returns 0, with the state as it was and the fault in the report, if that is not finite or leaves its ranges.
static int ccp_end(const tac_model *m, tac_state *s, tac_work *w)
{
    if (!ccp_finish(m, s, w)) { return 0; }
    commit(m, s, w);
    breaks(m, s, w);
    return 1;
}

#endif
