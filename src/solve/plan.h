// SPDX-License-Identifier: MIT
// plan.h - which engine, on which operator, under which law: the stages of a solve. The only writer of progress.stage.
//   given   the options, whether W or the matrix has room, the progress so far
//   makes   progress.stage, the stage in force; report.stage[], the stages of the step
//   bound   TAC_STAGES stages a solve; a visit to each contact and to each column of the factor where AUTO decides
//   never   moves an impulse: whoever enters a stage starts it from the best impulses so far (solve.h)
//
//   joints  in force        when                                                     next              why
//   any     none            PLAIN is asked for                                       PLAIN    bodies   ASKED
//   yes     none            W has no room for all contacts                           ACCELER. bodies   ROOM
//                           contacts resist spinning or rolling                      ACCELER. bodies   TREES
//                           DIRECT is asked for                                      DIRECT   trees    ASKED
//                           all others                                               ACCELER. trees    TREES
//   no      none            DIRECT is asked for and the matrix has room              DIRECT   matrix   ASKED
//                           DIRECT is asked for, but there is none                   ACCELER. bodies   ROOM
//                           AUTO, few contacts slide, bodies stand on each other     DIRECT   matrix   COST
//                           AUTO otherwise; ACCELERATED is asked for                 ACCELER. bodies   COST, ASKED
//   yes     ACCELER. trees  at this rate PLAN_TREES more sweeps would not be enough  DIRECT   trees    SLOW
//           DIRECT trees    PLAN_TREES steps have left more than PLAN_NEAR, once      ACCELER. trees    SLOW
//   no      DIRECT matrix   not finite, or progress is slow (AUTO: auto.h)           ACCELER. bodies   SLOW
//           ACCELER. bodies AUTO, at this rate PLAN_TREES more would not be enough   DIRECT   matrix   SLOW
//   no      DIRECT matrix   the step ends and is far from solved: one sweep           ACCELER. bodies   SLOW
//   any     exact law       half of the sweeps were no better than zero impulses     the same, relaxed law  WANDERS
#ifndef SOLVE_PLAN_H
#define SOLVE_PLAN_H

#include "../dual/paths.h"
#include "auto.h"

#define PLAN_LOOK 4         // sweeps between two tests of the residual, over trees and, where AUTO decides, over bodies
#define PLAN_ROUNDS 2       // of rows that stick together, before the first sweep over trees
#define PLAN_TREES 32       // sweeps over trees, or Newton steps on their W, that have to be enough
#define PLAN_IDLE 4         // Newton steps that have not halved a residual of the size of rounding: it is rounding
#define PLAN_PATIENCE 12    // Newton steps that have not halved the residual: sweeps are cheaper where it is more than
#define PLAN_COARSE R(0.01) // this part of that of no impulses
#define PLAN_NEAR R(1e-4)   // this part of it: from there sweeps lead no nearer to a solution than Newton steps

static void plan_enter(tac_work *w, uint8_t engine, uint8_t op, uint8_t law, uint8_t why)
{
    tac_report *r = &w->report;
    w->progress.stage = (tac_stage){0, engine, op, law, why};
    if (r->stages == TAC_STAGES) { // the last two are shown as one
        w->progress.stage.sweeps = r->stage[TAC_STAGES - 1].sweeps;
        r->stages--;
    }
    bytes_copy(&r->stage[r->stages++], &w->progress.stage, sizeof w->progress.stage);
}

// The engine in force on its operator: plain and accelerated sweeps over contacts one by one; sweeps over the rows of
// W, Newton's method on these; Newton's method on the matrix of all bodies.
enum { PLAN_PLAIN, PLAN_SWEEPS, PLAN_ROWS, PLAN_NEWTON_ROWS, PLAN_NEWTON_BODIES };

static int plan_method(const tac_work *w)
{
    const tac_stage *s = &w->progress.stage;
    const int newton = s->engine == TAC_SOLVER_DIRECT;
    if (TAC_MAX_JOINTS > 0 && s->op == TAC_OPERATOR_TREES) { return newton ? PLAN_NEWTON_ROWS : PLAN_ROWS; }
    if (newton) { return PLAN_NEWTON_BODIES; }
    return s->engine == TAC_SOLVER_PLAIN ? PLAN_PLAIN : PLAN_SWEEPS;
}

// Does the solve itself choose between sweeps and Newton's method, by cost (auto.h)? Over trees the table decides.
static int plan_chooses(const tac_work *w)
{
    return TAC_MAX_FILL > 0 && w->program.solver == TAC_SOLVER_AUTO && PROGRAM_JOINTS(w) == 0;
}

// Does it choose before the first sweep? One body above the ground bears no other: it is swept until that is slow.
static int plan_chooses_first(const tac_work *w)
{
    return plan_chooses(w) && w->program.bodies > 2;
}

// Should W of trees be formed? The rows of contacts that resist spinning or rolling are not in it.
static int plan_forms(const tac_work *w)
{
    int forms = w->program.solver != TAC_SOLVER_PLAIN;
    for (const tac_block *k = w->scratch.solve.block, *end = k + w->program.contacts; k < end; k++) {
        forms &= !has_torsion(k);
    }
    return forms;
}

// The first stage; it is entered before the first impulses are set.
static void plan_begin(tac_work *w)
{
    const uint8_t asked = w->program.solver;
    uint8_t engine = TAC_SOLVER_ACCELERATED, op = TAC_OPERATOR_BODIES, why = TAC_STAGE_ASKED;
    w->report.stages = 0;
    if (asked == TAC_SOLVER_PLAIN) {
        engine = TAC_SOLVER_PLAIN;
    } else if (trees_formed(w)) {
        op = TAC_OPERATOR_TREES;
        if (asked == TAC_SOLVER_DIRECT) {
            engine = TAC_SOLVER_DIRECT;
        } else {
            why = TAC_STAGE_TREES;
        }
    } else if (PROGRAM_JOINTS(w) > 0) {
        why = plan_forms(w) ? TAC_STAGE_ROOM : TAC_STAGE_TREES;
    } else if (plan_chooses_first(w) || asked == TAC_SOLVER_DIRECT) {
        const int chooses = plan_chooses_first(w);
        const int direct = chooses ? auto_direct(w) : matrix_order(w);
        if (direct) { engine = TAC_SOLVER_DIRECT, op = TAC_OPERATOR_MATRIX; }
        why = chooses ? TAC_STAGE_COST : direct ? TAC_STAGE_ASKED : TAC_STAGE_ROOM;
    }
    plan_enter(w, engine, op, w->program.friction, why);
}

// Sweeps over trees converge slowly if many contacts share a load, or nearly slide: Newton's method on W takes over.
// Returns 0 where it has done so twice.
static int plan_continue(tac_work *w)
{
    if (w->report.stages == TAC_STAGES) { return 0; }
    plan_enter(w, TAC_SOLVER_DIRECT, TAC_OPERATOR_TREES, w->progress.stage.law, TAC_STAGE_SLOW);
    return 1;
}

// Newton's method has not been enough: it begins anew at the best impulses. Where these are far from a solution sweeps
// go on from them first, once. Where it was asked for it goes on alone. Returns 1 if it is to begin anew.
static int plan_resume(tac_work *w)
{
    const tac_report *r = &w->report;
    const tac_progress *p = &w->progress;
    if (w->program.solver == TAC_SOLVER_DIRECT || r->stage[r->stages - 1].sweeps % PLAN_TREES != 0) { return 0; }
    if (r->stages == 2 && p->least > PLAN_NEAR * p->start) {
        plan_enter(w, TAC_SOLVER_ACCELERATED, TAC_OPERATOR_TREES, p->stage.law, TAC_STAGE_SLOW);
    }
    return 1;
}

// Sweeps over bodies in place of Newton steps.
static void plan_sweep(tac_work *w)
{
    plan_enter(w, TAC_SOLVER_ACCELERATED, TAC_OPERATOR_BODIES, w->progress.stage.law, TAC_STAGE_SLOW);
}

// Where Newton steps reduce a large residual slowly (many contacts begin to slide at once), sweeps are cheaper. A
// Newton step that is not finite is not used. Returns 1 if sweeps take over. `rounding`: is the residual only rounding?
static int plan_leave_direct(tac_work *w, int rounding)
{
    const tac_progress *p = &w->progress;
    const int slow =
        plan_chooses(w) ? auto_sweeps(&w->progress) : p->idle >= PLAN_PATIENCE && p->least > PLAN_COARSE * p->start;
    if (real_finite(p->measure) && (!slow || rounding)) { return 0; }
    plan_sweep(w);
    return 1;
}

// Sweeps over bodies are slow: Newton's method takes over where a step of it is not too dear.
static int plan_turn(tac_work *w)
{
    if (w->report.stages == TAC_STAGES || !auto_affords(w)) { return 0; }
    plan_enter(w, TAC_SOLVER_DIRECT, TAC_OPERATOR_MATRIX, w->progress.stage.law, TAC_STAGE_SLOW);
    return 1;
}

// The exact law is not the minimum of a function, so its iterates may not converge: the rest of the sweeps solves the
// relaxed law.
static void plan_relax(tac_work *w)
{
    const tac_stage s = w->progress.stage;
    plan_enter(w, s.engine, s.op, TAC_FRICTION_RELAXED, TAC_STAGE_WANDERS);
}

// Has the solve gone over from the exact law to the relaxed one?
static int plan_relaxed(const tac_work *w)
{
    return w->program.friction == TAC_FRICTION_EXACT && w->progress.stage.law == TAC_FRICTION_RELAXED;
}

// The answer of the relaxed law satisfies the exact one as well.
static void plan_accept_exact(tac_work *w)
{
    w->progress.stage.law = TAC_FRICTION_EXACT;
}

// Have sweeps replaced Newton's method where it was asked for or would have been at hand?
static int plan_swept(const tac_work *w)
{
    int swept = 0;
    for (int i = 0; i < w->report.stages; i++) {
        const tac_stage *s = &w->report.stage[i];
        const int why = s->why == TAC_STAGE_ROOM || s->why == TAC_STAGE_SLOW;
        swept |= s->engine == TAC_SOLVER_ACCELERATED && s->op == TAC_OPERATOR_BODIES && why;
    }
    return swept && !plan_chooses(w);
}

#endif
